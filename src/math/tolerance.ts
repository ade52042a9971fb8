/**
 * What rounding may do: the allowances of all rooms, each with its reason, and the comparison of computed numbers. RTCD
 * §11.2.2, §11.3.1.
 *
 * An allowance is relative: to the sizes or distances at hand, or to 1 for the sine of an angle. It errs to the side that
 * its comment names. Signs that decide something are computed exactly instead (`orient.ts`).
 *
 * Literals, not expressions: bundlers inline them and drop those that are not used.
 *
 * Tolerant equality is not transitive: never sort, hash or search with it.
 */
import { ANY_FINITE, mustBeCoordinate, mustNotBeNegative } from './check.ts';

/** 2⁻⁵³, by which one operation may be off, relative to its result: half of `EPS64`. */
export const UNIT_ROUNDING = 1.1102230246251565e-16;
/** Rounding moves `orient2d` by at most this times the sum of the sizes of its terms (Shewchuk 1997, ccwerrboundA). */
export const ORIENT2D_ERROR = 3.3306690738754716e-16; // (3 + 16 u) u with u = 2⁻⁵³
/** The same of `orient3d` (o3derrboundA). */
export const ORIENT3D_ERROR = 7.771561172376103e-16; // (7 + 56 u) u
/** 2⁻²⁶: a sine below it has lost half of its digits. The line grazes the plane, or the triangle is thin. */
export const GRAZING = 1.4901161193847656e-8;
/** 2⁻⁴⁰. A point that was computed, as where planes meet, counts as on what it was computed from within this share of the sizes. */
export const COMPUTED_POINT = 9.094947017729282e-13;
/** 2⁻⁴⁰ of the coordinates: more than all rounding in a query comes to, and far less than any size that matters. */
export const BEYOND_ROUNDING = 9.094947017729282e-13;
/** 2⁻⁴⁹. Heights and distances below this share of the size of the data are rounding: the two meet. */
export const MEETING = 1.7763568394002505e-15;
/** sin² of the angles that a few roundings can make out of 0: below it a cross product says nothing. */
export const PARALLEL = 1e-30;
/** The same for directions that have been rounded once. */
export const PARALLEL_DIRECTIONS = 1e-31;
/** The same for normals that have been computed: 2⁻⁹². */
export const PARALLEL_NORMALS = 2.0194839173657902e-28;
/** Of the largest component of a direction: along an axis with less, nothing moves. It keeps 1 / 0 out of slab tests. */
export const AXIS_PARALLEL = 1e-30;
/** sin² of the angle between two edges below which rounding rotates their cross product noticeably. */
export const NEARLY_PARALLEL = 1e-12;
/**
 * Times of rays are compared with this much slack: an entry and an exit, or an entry and the end of the range, each of
 * them off by a few roundings, still meet when they should. Touching counts, so the doubt goes to the hit. 1 + 2⁻⁵⁰.
 */
export const RAY_SLACK = 1.0000000000000009;
/** A distance of boxes, or its square, is off by some roundings. Times this it is a lower bound. */
export const NEARER = 0.99999999999999;
/** Of the coordinates: boxes of transformed or moved boxes are padded by this, more than rounding takes from them. */
export const BOX_PADDING = 1e-14;
/**
 * Of sweeps, 16 rounding errors. The longest chain (the part of a vector across an edge, then across the motion, squared,
 * subtracted) has about 25, but they do not conspire: against exact arithmetic, 20,000 random sweeps out of all regimes
 * are not late with one allowed for, and some are with half of one.
 */
export const SWEEP_SLACK = 1.7763568394002505e-15; // 2⁻⁴⁹
/**
 * Oriented boxes must be farther apart than this fraction of the sum of all their half sizes to count as separate. All axes
 * of projection are at most 1 long, so one length serves them all. It makes a cross axis of two (nearly) parallel edges,
 * which is all rounding, unable to separate, and forgives axes that have drifted from unit length and right angles by
 * that much. 2⁻³⁶.
 */
export const OBB_SLACK = 1.4551915228366852e-11;
/**
 * Casts with rotations take what is within 1e-6 of the sizes for touching; what looks for their candidates by boxes reaches
 * this much farther, in parts of the sizes, so that it finds those.
 */
export const CAST_REACH = 4e-6;

/**
 * Does x lie in [low, high]? Written so that NaN does not: a quotient may run into 0/0 or 1/0 and be tested here,
 * without a look at the denominator first. `!(x < low || x > high)` would let NaN in.
 */
export const inRange = (x: number, low: number, high: number): boolean => x >= low && x <= high;

/** Are x and y at most epsilon apart? For numbers whose size is known beforehand. */
export function equalAbsolute(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalAbsolute', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalAbsolute', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalAbsolute', 'epsilon', epsilon);
  return Math.abs(x - y) <= epsilon;
}

/** Are x and y apart by at most epsilon times the larger of them in size? Nothing but 0 equals 0. */
export function equalRelative(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalRelative', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalRelative', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalRelative', 'epsilon', epsilon);
  // <=, so that 0 equals 0.
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y));
}

/**
 * Relative for numbers above 1 in size, absolute below: for numbers that are of order 1 or larger when they are not
 * noise. Epsilon is often the square root of the machine epsilon, for half of the digits.
 */
export function equalCombined(x: number, y: number, epsilon: number): boolean {
  mustBeCoordinate('equalCombined', 'x', x, ANY_FINITE);
  mustBeCoordinate('equalCombined', 'y', y, ANY_FINITE);
  mustNotBeNegative('equalCombined', 'epsilon', epsilon);
  return Math.abs(x - y) <= epsilon * Math.max(Math.abs(x), Math.abs(y), 1);
}
