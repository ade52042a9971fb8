/**
 * The checks of the public boundary. A public function adds up the numbers it was given and looks at the sum
 * once: it is finite unless an input is not (or the sum overflows, which the walk below then clears).
 *
 * ```ts
 * if ((px + py + pz + (ax + ay + az)) * 0 !== 0) mustBeFinite('closestPointSegment', { p, a });
 * ```
 */

/** What `mustBeFinite` can walk: numbers, points, matrices and lists of them. */
export type Checkable = number | object | undefined | null;

/**
 * Throws the error that names the first argument holding something other than finite numbers, or a point that lacks a
 * coordinate: `dimension` says how many it must have. Returns when there is none.
 */
export function mustBeFinite(
  caller: string,
  args: Readonly<Record<string, Checkable>>,
  dimension: 2 | 3 = 3,
): void {
  for (const name of Object.keys(args)) walk(caller, name, args[name], dimension);
}

/** Throws unless `value` is a finite number that is at least 0. */
export function mustNotBeNegative(caller: string, name: string, value: number): void {
  walk(caller, name, value, 3);
  if (value < 0) throw new RangeError(`graze: ${caller}: ${name} must not be negative, got ${value}`);
}

/** Throws a RangeError that says why an argument cannot be used. */
export function refuse(caller: string, name: string, reason: string): never {
  throw new RangeError(`graze: ${caller}: ${name} ${reason}`);
}

function walk(caller: string, name: string, value: unknown, dimension: 2 | 3): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new RangeError(`graze: ${caller}: ${name} must be a finite number, got ${value}`);
    return;
  }
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`graze: ${caller}: ${name} must be a number or hold numbers, got ${String(value)}`);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = value as ArrayLike<unknown>;
    for (let i = 0; i < list.length; i++) walk(caller, `${name}[${i}]`, list[i], dimension);
    return;
  }
  // Only the fields that geometry is made of: a three.js object carries much more.
  let known = false;
  for (const key of GEOMETRY_FIELDS)
    if (key in value) {
      const part = (value as Record<string, unknown>)[key];
      if (typeof part === 'function') continue; // three.js's vectors have methods `min` and `max`
      known = true;
      walk(caller, `${name}.${key}`, part, dimension);
    }
  if ('x' in value && !(dimension === 3 ? 'y' in value && 'z' in value : 'y' in value))
    throw new TypeError(`graze: ${caller}: ${name} must have ${dimension === 3 ? 'x, y and z' : 'x and y'}`);
  if (!known) throw new TypeError(`graze: ${caller}: ${name} has none of the fields of a geometric object`);
}

const GEOMETRY_FIELDS = [
  'x',
  'y',
  'z',
  'w',
  'elements',
  'normal',
  'd',
  'origin',
  'direction',
  'center',
  'radius',
  'halfSize',
  'width',
  'radii',
  'moment',
  'rotation',
  'min',
  'max',
  'a',
  'b',
  'c',
  'position',
  'quaternion',
  'tip',
  'base',
  'vertices',
  'planes',
  'corner',
  'edge0',
  'edge1',
];
