/**
 * The checks of the public boundary: one small function for each kind of thing that a public function is given. Each
 * looks at its argument once and throws an error that names it, what it must be, and what was got:
 *
 * ```ts
 * checkPoint('closestPointSegment', 'p', p);
 * // TypeError: graze: closestPointSegment: p must be {x, y, z} or vec3(), got an array of 3 numbers
 * ```
 *
 * They find numbers that are not finite or beyond the range, `'1'`, `true`, `null` and `[]` where a number is meant, and
 * what is no record at all: the attempt to read it throws, which costs nothing as long as it does not happen. What is
 * wrong, and where, is worked out afterwards, by one walk for all.
 */

/**
 * Coordinates and sizes beyond this are refused: up to here products of four of them are within the range of doubles.
 * See `docs/conventions.md`.
 */
export const LARGEST = 1e75;
/** Any number but the infinities, for what holds over the whole range of doubles. */
export const ANY_FINITE = 1.7976931348623157e308; // Number.MAX_VALUE, as a literal that bundlers can inline

const abs = Math.abs;

interface P2 {
  readonly x: number;
  readonly y: number;
}
interface P3 extends P2 {
  readonly z: number;
}
interface P4 extends P3 {
  readonly w: number;
}
interface Posed {
  readonly position: P3;
  readonly quaternion: P4;
}
interface Elements {
  readonly elements: ArrayLike<number>;
}

/**
 * Takes the record and answers yes or no: a number that is passed or returned is boxed where V8 does not inline. `typeof`
 * costs nothing where V8 knows that a field holds numbers.
 */
const within3 = ({ x, y, z }: P3, largest = LARGEST): boolean =>
  typeof x === 'number' &&
  typeof y === 'number' &&
  typeof z === 'number' &&
  abs(x) + abs(y) + abs(z) <= largest;

const within4 = ({ x, y, z, w }: P4): boolean =>
  typeof x === 'number' &&
  typeof y === 'number' &&
  typeof z === 'number' &&
  typeof w === 'number' &&
  abs(x) + abs(y) + abs(z) + abs(w) <= LARGEST;

// ---- The toolbox ----

/** `largest`: for what holds beyond the range that all else keeps to. @internal */
export function checkPoint(caller: string, name: string, p: P3, largest = LARGEST): void {
  try {
    if (within3(p, largest)) return;
  } catch {}
  POINT(caller, name, p, largest);
}

/** @internal */
export function checkPoint2(caller: string, name: string, p: P2, largest = LARGEST): void {
  if (!isPoint2(p, largest)) POINT2(caller, name, p, largest);
}

/** For those who would have to make up the name that `checkPoint2` takes. @internal */
export function isPoint2(p: P2, largest = LARGEST): boolean {
  try {
    return typeof p.x === 'number' && typeof p.y === 'number' && abs(p.x) + abs(p.y) <= largest;
  } catch {
    return false;
  }
}

/** @internal */
export function checkPose(caller: string, name: string, pose: Posed): void {
  try {
    const { position, quaternion } = pose;
    if (within3(position) && within4(quaternion)) return;
  } catch {}
  POSE(caller, name, pose);
}

/** @internal */
export function checkMat3(caller: string, name: string, m: Elements, largest = LARGEST): void {
  try {
    if (withinMat3(m.elements, largest)) return;
  } catch {}
  MAT3(caller, name, m, largest);
}

const withinMat3 = (e: ArrayLike<number>, largest = LARGEST): boolean =>
  abs(e[0]!) + abs(e[1]!) + abs(e[2]!) <= largest &&
  abs(e[3]!) + abs(e[4]!) + abs(e[5]!) <= largest &&
  abs(e[6]!) + abs(e[7]!) + abs(e[8]!) <= largest;

/** @internal */
export function checkMat2(caller: string, name: string, m: Elements, largest = LARGEST): void {
  try {
    const e = m.elements;
    if (abs(e[0]!) + abs(e[1]!) + abs(e[2]!) + abs(e[3]!) <= largest) return;
  } catch {}
  MAT2(caller, name, m, largest);
}

/** @internal */
export function checkPlane(
  caller: string,
  name: string,
  plane: { readonly normal: P3; readonly d: number },
  largest = LARGEST,
): void {
  try {
    if (within3(plane.normal, largest) && typeof plane.d === 'number' && abs(plane.d) <= largest) return;
  } catch {}
  PLANE(caller, name, plane, largest);
}

/** A ray or a line. @internal */
export function checkRay(
  caller: string,
  name: string,
  ray: { readonly origin: P3; readonly direction: P3 },
): void {
  try {
    if (within3(ray.origin) && within3(ray.direction)) return;
  } catch {}
  RAY(caller, name, ray);
}

/** @internal */
export function checkSphere(
  caller: string,
  name: string,
  sphere: { readonly center: P3; readonly radius: number },
  largest = LARGEST,
): void {
  try {
    const { center, radius } = sphere;
    if (typeof radius === 'number' && radius >= 0 && radius <= largest && within3(center, largest)) return;
  } catch {}
  SPHERE(caller, name, sphere, largest);
}

const isOrdered = (min: P3, max: P3): boolean => min.x <= max.x && min.y <= max.y && min.z <= max.z;

/** @internal */
export function checkAabb(
  caller: string,
  name: string,
  box: { readonly min: P3; readonly max: P3 },
  largest = LARGEST,
): void {
  try {
    const { min, max } = box;
    if (isOrdered(min, max) && within3(min, largest) && within3(max, largest)) return;
  } catch {}
  AABB(caller, name, box, largest);
  if (!isOrdered(box.min, box.max))
    refuse(caller, name, `must have min <= max on every axis, not ${name}.min above`);
}

/** An oriented box, or an ellipsoid, whose half-sizes are its radii. @internal */
export function checkObb(
  caller: string,
  name: string,
  box: { readonly center: P3; readonly halfSize: P3; readonly rotation: Elements },
): void {
  try {
    const { center, halfSize: h, rotation } = box;
    const isSize = h.x >= 0 && h.y >= 0 && h.z >= 0 && within3(h);
    if (isSize && within3(center) && withinMat3(rotation.elements)) return;
  } catch {}
  OBB(caller, name, box);
}

/** A capsule or a cylinder, which have the same fields. @internal */
export function checkTube(
  caller: string,
  name: string,
  tube: { readonly a: P3; readonly b: P3; readonly radius: number },
): void {
  try {
    const { a, b, radius } = tube;
    if (typeof radius === 'number' && radius >= 0 && radius <= LARGEST && within3(a) && within3(b)) return;
  } catch {}
  TUBE(caller, name, tube);
}

/** @internal */
export function checkCone(
  caller: string,
  name: string,
  cone: { readonly tip: P3; readonly base: P3; readonly radius: number },
): void {
  try {
    const { tip, base, radius } = cone;
    if (typeof radius === 'number' && radius >= 0 && radius <= LARGEST && within3(tip) && within3(base))
      return;
  } catch {}
  CONE(caller, name, cone);
}

/** A list of points, which may be empty. @internal */
export function checkPoints(caller: string, name: string, points: readonly P3[], largest = LARGEST): void {
  try {
    if (Array.isArray(points) && areWithin(points, largest)) return;
  } catch {}
  POINTS(caller, name, points, largest);
}

function areWithin(points: readonly P3[], largest: number): boolean {
  for (let i = 0; i < points.length; i++) if (!within3(points[i]!, largest)) return false;
  return true;
}

/** A list of points in the plane, which may be empty. @internal */
export function checkPoints2(caller: string, name: string, points: readonly P2[], largest = LARGEST): void {
  let isGood = Array.isArray(points);
  for (let i = 0; isGood && i < points.length; i++) isGood = isPoint2(points[i]!, largest);
  if (!isGood) POINTS2(caller, name, points, largest);
}

/** An array of numbers, typed or not. Without `largest` they may be any, and are looked at elsewhere. @internal */
export function checkNumbers(caller: string, name: string, list: ArrayLike<number>, largest?: number): void {
  if (!isNumberList(list)) refuseType(caller, name, 'an array of numbers', list);
  if (!ArrayBuffer.isView(list))
    for (let i = 0; i < list.length; i++)
      if (typeof list[i] !== 'number') refuseType(caller, `${name}[${i}]`, 'a number', list[i]);
  if (largest !== undefined)
    for (let i = 0; i < list.length; i++)
      if (!(abs(list[i]!) <= largest)) explainNumber(caller, `${name}[${i}]`, list[i], largest);
}

/** Is it an array, typed or not, that can hold numbers? @internal */
export const isNumberList = (list: unknown): list is ArrayLike<number> =>
  Array.isArray(list) ||
  (ArrayBuffer.isView(list) &&
    'length' in list &&
    typeof (list as unknown as ArrayLike<unknown>)[0] !== 'bigint');

// ---- The front door ----

/** For those who would have to make up the name that `checkPoint` takes. @internal */
export function isPoint(p: P3): boolean {
  try {
    return within3(p);
  } catch {
    return false;
  }
}

/** A pose, whose quaternion is not zero. @internal */
export function mustBePose(caller: string, name: string, pose: Posed): void {
  if (isPose(pose)) return;
  POSE(caller, name, pose);
  const { x, y, z, w } = pose.quaternion;
  if (x === 0 && y === 0 && z === 0 && w === 0)
    refuse(caller, `${name}.quaternion`, 'must not be zero: must have a quaternion that is not zero');
  refuse(caller, name, 'must have a quaternion of ordinary length');
}

/** For those who would have to make up the name that `mustBePose` takes. @internal */
export function isPose(pose: Posed): boolean {
  try {
    const { position: p, quaternion: q } = pose;
    const { x, y, z, w } = q;
    const areNumbers =
      typeof x === 'number' && typeof y === 'number' && typeof z === 'number' && typeof w === 'number';
    const lengthSq = x * x + y * y + z * z + w * w;
    return areNumbers && lengthSq > 0 && lengthSq <= LARGEST && within3(p);
  } catch {
    return false;
  }
}

/** A number that is at least 0, and may be infinite: how far something reaches. @internal */
export function mustBeDistance(caller: string, name: string, value: number): void {
  if (!(typeof value === 'number' && value >= 0))
    refuseNumber(caller, name, 'a number that is at least 0', value);
}

/** Any number but NaN. @internal */
export function mustBeNumber(caller: string, name: string, value: number): void {
  if (typeof value !== 'number' || Number.isNaN(value)) refuseNumber(caller, name, 'a number', value);
}

/** A number within the range of coordinates. @internal */
export function mustBeCoordinate(caller: string, name: string, value: number, largest = LARGEST): void {
  if (!(typeof value === 'number' && abs(value) <= largest)) explainNumber(caller, name, value, largest);
}

/** Throws unless `value` is a finite number that is at least 0. */
export function mustNotBeNegative(caller: string, name: string, value: number): void {
  if (!(typeof value === 'number' && value >= 0 && value < Infinity))
    explainLength(caller, name, value, ANY_FINITE);
}

/** A length: a number that is not negative, within the range of coordinates. @internal */
export function mustBeLength(caller: string, name: string, value: number): void {
  if (!(typeof value === 'number' && value >= 0 && value <= LARGEST)) explainLength(caller, name, value);
}

/** A whole number between two. @internal */
export function mustBeWhole(caller: string, name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most < Infinity ? `from ${least} to ${most}` : `that is at least ${least}`;
  refuseNumber(caller, name, `a whole number ${range}`, value);
}

/** @internal */
export function mustBeFunction(caller: string, name: string, value: unknown): void {
  if (typeof value !== 'function') refuseType(caller, name, 'a function', value);
}

/** @internal */
export function mustBeBoolean(caller: string, name: string, value: unknown): void {
  if (typeof value !== 'boolean') refuseType(caller, name, 'true or false', value);
}

/** @internal */
export function mustBeList(caller: string, name: string, value: unknown): void {
  if (!Array.isArray(value)) refuseType(caller, name, 'a list', value);
}

/** One of some words. @internal */
export function mustBeOneOf(caller: string, name: string, value: unknown, words: readonly string[]): void {
  if (!words.includes(value as string))
    refuseType(caller, name, `one of ${words.map((word) => `'${word}'`).join(', ')}`, value);
}

/**
 * A record that has a field: what the library has made (a mesh, a tree), which is looked at no further.
 *
 * @internal
 */
export function mustHave(caller: string, name: string, value: unknown, wanted: string, field: string): void {
  if (
    typeof value !== 'object' ||
    value === null ||
    (value as Readonly<Record<string, unknown>>)[field] === undefined
  )
    refuseType(caller, name, wanted, value);
}

/**
 * A record of options: no field but those in `known`, whose names are separated by spaces. A field that nobody knows is
 * most often a misspelt one.
 *
 * @internal
 */
export function mustBeOptions(caller: string, name: string, options: unknown, known: string): void {
  if (typeof options !== 'object' || options === null || isSomethingElse(options))
    refuseType(caller, name, 'a record of options', options);
  for (const key in options) if (!isWordOf(known, key)) refuseOption(caller, name, key, known.split(' '));
}

/** Lists of words that were looked up before, by the words. */
const lists = /* @__PURE__ */ new Map<string, ReadonlySet<string>>();

/** Is it one of some words that are separated by spaces? */
function isWordOf(words: string, word: string): boolean {
  let list = lists.get(words);
  if (!list) {
    list = new Set(words.split(' '));
    lists.set(words, list);
  }
  return list.has(word);
}

/** Lists, dates, maps and the like have no fields of their own, and would pass for a record without options. */
const isSomethingElse = (value: object): boolean =>
  Object.getPrototypeOf(value) !== Object.prototype && isNoRecord(value);

const isNoRecord = (value: object): boolean =>
  Array.isArray(value) ||
  ArrayBuffer.isView(value) ||
  Object.prototype.toString.call(value) !== '[object Object]';

function refuseOption(caller: string, name: string, key: string, known: readonly string[]): never {
  const nearest = known.reduce((best, word) =>
    strangeness(word, key) < strangeness(best, key) ? word : best,
  );
  const hint =
    strangeness(nearest, key) <= 1 + key.length / 3
      ? `did you mean ${nearest}?`
      : `there are ${known.join(', ')}`;
  throw new TypeError(`graze: ${caller}: ${name} has the unknown field '${key}': ${hint}`);
}

/** How many letters have to be changed, added or taken away (Levenshtein 1966); a change of case is half of one. */
function strangeness(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const [p, q] = [a[i - 1]!, b[j - 1]!];
      const change = p === q ? 0 : p.toLowerCase() === q.toLowerCase() ? 0.5 : 1;
      next.push(Math.min(row[j - 1]! + change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

// ---- What is wrong ----

/** Throws the error that names the first part of `value` that is not what it must be; returns where there is none. */
type Explain = (caller: string, name: string, value: unknown, largest?: number) => void;

const explainNumber: Explain = (caller, name, value, largest = LARGEST) => {
  const isNumber = Number.isFinite(value);
  if (isNumber && abs(value as number) <= largest) return;
  const wanted = isNumber ? `within ±${largest}` : 'a finite number';
  refuseNumber(caller, name, wanted, value);
};

const explainLength: Explain = (caller, name, value, largest) => {
  explainNumber(caller, name, value, largest);
  if ((value as number) < 0) refuse(caller, name, `must not be negative, got ${value}`);
};

/**
 * A record: in words what it is, with its keys in braces, then what these must be: one for all, or one each. Not a record
 * of parts: a record { x, y, z } of anything but numbers would make V8 box the numbers of all records { x, y, z }, which
 * makes everything slower by half.
 */
const explainRecord =
  (is: string, ...parts: Explain[]): Explain =>
  (caller, name, value, largest) => {
    is.match(/\w+(?=[,}])/g)!.forEach((key, i) => {
      if (Object(value) !== value || !(key in (value as object))) refuseType(caller, name, is, value);
      (parts[i] ?? parts[0]!)(
        caller,
        `${name}.${key}`,
        (value as Readonly<Record<string, unknown>>)[key],
        largest,
      );
    });
  };

/** A list of at least so many. */
const explainList =
  (is: string, part: Explain, least: number): Explain =>
  (caller, name, value, largest) => {
    const list = value as ArrayLike<unknown>;
    if (!(least ? Object(list).length >= least : Array.isArray(list))) refuseType(caller, name, is, list);
    for (let i = 0; i < list.length; i++) part(caller, `${name}[${i}]`, list[i], largest);
  };

// Pure: a bundle has those that it uses.
const POINT = /* @__PURE__ */ explainRecord('{x, y, z} or vec3()', explainNumber);
const POINT2 = /* @__PURE__ */ explainRecord('{x, y} or vec2()', explainNumber);
const QUAT = /* @__PURE__ */ explainRecord('a quaternion {x, y, z, w}', explainNumber);
const LENGTHS = /* @__PURE__ */ explainRecord('{x, y, z} or vec3()', explainLength);
const POSE = /* @__PURE__ */ explainRecord('a pose {position, quaternion}', POINT, QUAT);
const MAT3 = /* @__PURE__ */ explainRecord(
  'a matrix {elements}',
  /* @__PURE__ */ explainList('nine numbers', explainNumber, 9),
);
const MAT2 = /* @__PURE__ */ explainRecord(
  'a matrix {elements}',
  /* @__PURE__ */ explainList('four numbers', explainNumber, 4),
);
const PLANE = /* @__PURE__ */ explainRecord('a plane {normal, d}', POINT, explainNumber);
const RAY = /* @__PURE__ */ explainRecord('a ray {origin, direction}', POINT);
const SPHERE = /* @__PURE__ */ explainRecord('a sphere {center, radius}', POINT, explainLength);
const AABB = /* @__PURE__ */ explainRecord('a box {min, max}', POINT);
const OBB = /* @__PURE__ */ explainRecord(
  'an oriented box {center, halfSize, rotation}',
  POINT,
  LENGTHS,
  MAT3,
);
const TUBE = /* @__PURE__ */ explainRecord('a record {a, b, radius}', POINT, POINT, explainLength);
const CONE = /* @__PURE__ */ explainRecord('a cone {tip, base, radius}', POINT, POINT, explainLength);
const POINTS = /* @__PURE__ */ explainList('a list of points', POINT, 0);
const POINTS2 = /* @__PURE__ */ explainList('a list of points', POINT2, 0);

/** Throws a RangeError that says why an argument cannot be used. */
export function refuse(
  caller: string,
  name: string,
  reason: string,
  Kind: ErrorConstructor = RangeError,
): never {
  throw new Kind(`graze: ${caller}: ${name} ${reason}`);
}

/** Throws the TypeError for an argument that is something else than it must be. */
export function refuseType(
  caller: string,
  name: string,
  wanted: string,
  got: unknown,
  Kind: ErrorConstructor = TypeError,
): never {
  refuse(caller, name, `must be ${wanted}, got ${describe(got)}`, Kind);
}

/** Throws the error for what is no number (a TypeError), or not one of those that it may be (a RangeError). @internal */
export function refuseNumber(caller: string, name: string, wanted: string, got: unknown): never {
  refuseType(caller, name, wanted, got, typeof got === 'number' ? RangeError : TypeError);
}

/** In words: 'null', 'a function', 'an array of 3 numbers', 'a collider', 'an object with center, radius'. */
export function describe(value: unknown): string {
  const type = typeof value;
  if (type === 'function') return 'a function';
  if (Object(value) !== value)
    return value == null || type === 'number' ? `${value}` : `the ${type} '${String(value).slice(0, 20)}'`;
  const { kind, pose, length, constructor: maker } = value as Readonly<Record<string, unknown>>;
  if (kind) return `a shape of kind '${kind}'`;
  if (pose) return 'a collider';
  if (length === 0) return 'an empty array';
  if (length) return `an array of ${length} ${typeof (value as ArrayLike<unknown>)[0]}s`;
  const what = maker && maker !== Object ? `a ${(maker as { name?: unknown }).name}` : 'an object';
  return `${what} with ${
    Object.keys(value as object)
      .slice(0, 4)
      .join(', ') || 'nothing'
  }`;
}
