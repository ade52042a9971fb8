/**
 * Implicit surfaces, combined and against boxes, by interval arithmetic. RTCD §2.2.1, §11.4.2.
 *
 * For a surface that is a formula and nothing else: is a box inside, outside or across it? Shapes of that kind are
 * `shapes/custom.ts` (`solid`), which asks for a signed distance instead.
 */
import {
  checkAabb,
  checkSphere,
  mustBeFunction,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import type { Interval, ReadonlyInterval } from '../../math/interval.ts';
import { add, cut, makeInterval, negate, set, square, sub } from '../../math/interval.ts';
import type { DeepReadonly, Vec3 } from '../../math/types.ts';

/**
 * f(x, y, z) over intervals: writes to `out`, or returns, an interval that holds every value; f < 0 inside, 0 on the
 * surface, > 0 outside.
 */
export type ImplicitFunction = (
  x: ReadonlyInterval,
  y: ReadonlyInterval,
  z: ReadonlyInterval,
  out: Interval,
) => ReadonlyInterval;

/** Where a box lies: wholly outside, wholly inside, or (perhaps) across the surface. */
export type BoxSide = 'out' | 'boundary' | 'in';

/** Each level takes up to eight times as long as the one before. */
const DEEPEST = 64;

type Box = DeepReadonly<{ min: Vec3; max: Vec3 }>;

/**
 * Does the box lie outside the surface f = 0, inside, or across it? `out` and `in` are certain. `boundary` is what
 * remains: f may reach 0 in the box, and does if the expression is tight, each variable occurring once. Otherwise
 * `depth` helps: undecided boxes are cut into eight, so many times.
 */
export function classifyAabbImplicit(box: Box, f: ImplicitFunction, depth = 0): BoxSide {
  mustHave('classifyAabbImplicit', 'box', box, 'a box', 'min');
  mustBeFunction('classifyAabbImplicit', 'f', f);
  checkBox('classifyAabbImplicit', box);
  mustNotBeNegative('classifyAabbImplicit', 'depth', depth);
  if (depth > DEEPEST) refuse('classifyAabbImplicit', 'depth', `must be at most ${DEEPEST}, got ${depth}`);
  const { min, max } = box;
  return classify(
    f,
    makeInterval(min.x, max.x),
    makeInterval(min.y, max.y),
    makeInterval(min.z, max.z),
    depth,
  );
}

function classify(f: ImplicitFunction, x: Interval, y: Interval, z: Interval, depth: number): BoxSide {
  const side = sideOf(f(x, y, z, makeInterval()));
  if (side !== 'boundary' || depth < 1) return side;
  let all: BoxSide | undefined;
  for (let child = 0; child < 8; child++) {
    const part = classify(f, half(x, child & 1), half(y, child & 2), half(z, child & 4), depth - 1);
    all ??= part;
    if (part === 'boundary' || part !== all) return 'boundary';
  }
  return all ?? side;
}

function half(x: ReadonlyInterval, upper: number): Interval {
  const middle = cut(x, 0.5);
  return upper ? makeInterval(middle, x.hi) : makeInterval(x.lo, middle);
}

/** An interval of NaN, from a function gone wrong, is undecided. */
const sideOf = (value: ReadonlyInterval): BoxSide =>
  value.lo > 0 ? 'out' : value.hi < 0 ? 'in' : 'boundary';

/** What either encloses: the smaller of the two values. */
export function unionImplicit(f: ImplicitFunction, g: ImplicitFunction): ImplicitFunction {
  mustBeFunctions('unionImplicit', f, g);
  return (x, y, z, out) => {
    const { lo, hi } = f(x, y, z, out);
    const other = g(x, y, z, out);
    return set(Math.min(lo, other.lo), Math.min(hi, other.hi), out);
  };
}

/** What both enclose: the larger of the two values. */
export function intersectionImplicit(f: ImplicitFunction, g: ImplicitFunction): ImplicitFunction {
  mustBeFunctions('intersectionImplicit', f, g);
  return (x, y, z, out) => {
    const { lo, hi } = f(x, y, z, out);
    const other = g(x, y, z, out);
    return set(Math.max(lo, other.lo), Math.max(hi, other.hi), out);
  };
}

/** What f encloses and g does not: the larger of f and -g. */
export function differenceImplicit(f: ImplicitFunction, g: ImplicitFunction): ImplicitFunction {
  mustBeFunctions('differenceImplicit', f, g);
  return intersectionImplicit(f, (x, y, z, out) => negate(g(x, y, z, out), out));
}

function mustBeFunctions(caller: string, f: ImplicitFunction, g: ImplicitFunction): void {
  mustBeFunction(caller, 'f', f);
  mustBeFunction(caller, 'g', g);
}

const dx = makeInterval();
const dy = makeInterval();
const dz = makeInterval();
const r = makeInterval();

/**
 * Does the box lie outside the sphere, inside, or across its surface? Each variable of (x - cx)² + (y - cy)² +
 * (z - cz)² - r² occurs once, so this is tight: only a box that touches the surface to within a few roundings is a
 * `boundary` in doubt.
 */
export function classifyAabbSphere(
  box: Box,
  sphere: DeepReadonly<{ center: Vec3; radius: number }>,
): BoxSide {
  mustHave('classifyAabbSphere', 'box', box, 'a box', 'min');
  checkSphere('classifyAabbSphere', 'sphere', sphere);
  checkBox('classifyAabbSphere', box);
  const { min, max } = box;
  const { center: c, radius } = sphere;
  offset(min.x, max.x, c.x, dx);
  offset(min.y, max.y, c.y, dy);
  offset(min.z, max.z, c.z, dz);
  add(add(dx, dy, dx), dz, dx);
  return sideOf(sub(dx, square(set(radius, radius, r), r), dx));
}

/** ([lo, hi] - c)². */
function offset(lo: number, hi: number, c: number, out: Interval): void {
  square(sub(set(lo, hi, out), set(c, c, r), out), out);
}

function checkBox(caller: string, box: Box): void {
  checkAabb(caller, 'box', box);
}
