/** Where two segments in the plane cross. RTCD §5.1.9.1. */

import { differenceOfProducts } from '../../math/accurate.ts';
import { checkPoint2 } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import { ORIENT2D_ERROR } from '../../math/tolerance.ts';
import type { ReadonlyVec2 } from '../../math/types.ts';
import { vec2 } from '../../math/types.ts';
import type { SegmentCrossing } from './types.ts';
import { makeSegmentCrossing } from './types.ts';

/**
 * What segments ab and cd in the plane have in common: null, a point or a piece of a line, and how they meet there (see
 * `SegmentCrossing`). The decision is exact. Points that are ends of a segment are reported as they are, with a
 * fraction of exactly 0 or 1; the point of a proper crossing is within rounding of both segments. An overlap runs
 * from `point` to `end` in the direction of ab. A segment of length zero is a point.
 */
export function crossSegmentSegment2d(
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
  d: ReadonlyVec2,
  out?: SegmentCrossing,
): SegmentCrossing | null {
  checkPoint2('crossSegmentSegment2d', 'a', a);
  checkPoint2('crossSegmentSegment2d', 'b', b);
  checkPoint2('crossSegmentSegment2d', 'c', c);
  checkPoint2('crossSegmentSegment2d', 'd', d);
  if (boxesApart(a, b, c, d)) return null;
  const sideA = orientationOf(c, d, a);
  const sideB = orientationOf(c, d, b);
  const sideC = orientationOf(a, b, c);
  const sideD = orientationOf(a, b, d);
  if (sideA * sideB < 0 && sideC * sideD < 0) return properCrossing(a, b, c, d, out ?? makeSegmentCrossing());

  // Otherwise what they share begins and ends at the ends that lie on the other segment.
  const onA = sideA === 0 && inBox(a, c, d);
  const onB = sideB === 0 && inBox(b, c, d);
  const onC = sideC === 0 && inBox(c, a, b);
  const onD = sideD === 0 && inBox(d, a, b);
  if (!(onA || onB || onC || onD)) return null;
  const cFirst = onC && (!onD || ahead(c, d, a, b));
  const dLast = onD && (!onC || ahead(c, d, a, b));
  const first = onA ? a : cFirst ? c : onD ? d : b;
  const last = onB ? b : dLast ? d : onC ? c : a;
  const s = fraction(first, a, b);
  const t = fraction(first, c, d);
  const sEnd = fraction(last, a, b);
  const tEnd = fraction(last, c, d);
  const atEnds = (same(first, a) || same(first, b)) && (same(first, c) || same(first, d));
  const kind = !same(first, last) ? 'overlap' : atEnds ? 'end' : 'tee';
  const result = out ?? makeSegmentCrossing();
  const { x, y } = first;
  const { x: xEnd, y: yEnd } = last;
  result.kind = kind;
  result.s = s;
  result.t = t;
  result.sEnd = sEnd;
  result.tEnd = tEnd;
  result.point.x = x;
  result.point.y = y;
  result.end.x = xEnd;
  result.end.y = yEnd;
  return result;
}

/** Do the bounding boxes of two segments share nothing? */
function boxesApart(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): boolean {
  return (
    Math.max(a.x, b.x) < Math.min(c.x, d.x) ||
    Math.max(c.x, d.x) < Math.min(a.x, b.x) ||
    Math.max(a.y, b.y) < Math.min(c.y, d.y) ||
    Math.max(c.y, d.y) < Math.min(a.y, b.y)
  );
}

/** The sign of `orient2d`, as 1, 0 or -1: no double crosses a call unless the filter fails. */
function orientationOf(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const left = (a.x - c.x) * (b.y - c.y);
  const right = (a.y - c.y) * (b.x - c.x);
  const error = ORIENT2D_ERROR * (Math.abs(left) + Math.abs(right));
  if (left - right > error) return 1;
  if (right - left > error) return -1;
  const exact = orient2d(a, b, c);
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

const inRange = (x: number, a: number, b: number): boolean => (a <= x && x <= b) || (b <= x && x <= a);

const inBox = (p: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2): boolean =>
  inRange(p.x, a.x, b.x) && inRange(p.y, a.y, b.y);

const same = (p: ReadonlyVec2, r: ReadonlyVec2): boolean => p.x === r.x && p.y === r.y;

/** Of two points on segment ab, does p come before r, from a to b? */
const ahead = (p: ReadonlyVec2, r: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2): boolean =>
  a.x === b.x ? p.y < r.y === a.y < b.y : p.x < r.x === a.x < b.x;

/** How far along segment ab its point p lies. */
function fraction(p: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2): number {
  if (same(p, a)) return 0;
  if (same(p, b)) return 1;
  const x = b.x - a.x;
  const y = b.y - a.y;
  return Math.abs(x) >= Math.abs(y) ? (p.x - a.x) / x : (p.y - a.y) / y;
}

/** Above this sine of the angle between them, the determinants lose at most two bits. */
const STEEP = 1 / 4;

/**
 * The crossing of the lines, a + s u = c + t v, by Cramer's rule. Where the segments run close to each other the
 * determinants cancel and are evaluated with more care.
 */
function properCrossing(
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
  d: ReadonlyVec2,
  out: SegmentCrossing,
): SegmentCrossing {
  const { x: ax, y: ay } = a;
  const ux = b.x - ax;
  const uy = b.y - ay;
  const vx = d.x - c.x;
  const vy = d.y - c.y;
  const rx = ax - c.x;
  const ry = ay - c.y;
  let area = ux * vy - uy * vx;
  let s = (vx * ry - vy * rx) / area;
  let t = (ux * ry - uy * rx) / area;
  if (!(Math.abs(area) > STEEP * ((Math.abs(ux) + Math.abs(uy)) * (Math.abs(vx) + Math.abs(vy))))) {
    area = differenceOfProducts(ux, vy, uy, vx);
    s = differenceOfProducts(vx, ry, vy, rx) / area;
    t = differenceOfProducts(ux, ry, uy, rx) / area;
  }
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return glancingCrossing(a, b, c, d, out);
  out.kind = 'proper';
  out.s = out.sEnd = s;
  out.t = out.tEnd = t;
  out.point.x = out.end.x = ax + s * ux;
  out.point.y = out.end.y = ay + s * uy;
  return out;
}

/**
 * A crossing that rounding of the differences has moved past an end, or whose segments it has made parallel. The areas
 * of a and b over cd, their differences taken from d, have the right signs and give a point of ab as good as on the
 * line cd. If that is beyond an end of cd, that end lies between it and the crossing, so as good as on ab.
 */
function glancingCrossing(
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
  d: ReadonlyVec2,
  out: SegmentCrossing,
): SegmentCrossing {
  const overA = orient2d(a, c, d);
  const s = overA / (overA - orient2d(b, c, d));
  onAB.x = a.x + s * (b.x - a.x);
  onAB.y = a.y + s * (b.y - a.y);
  const t = fraction(onAB, c, d);
  const point = !(t > 0) ? c : !(t < 1) ? d : onAB;
  const sThere = Math.min(Math.max(fraction(point, a, b), 0), 1);
  const tThere = Math.min(Math.max(t, 0), 1);
  const { x, y } = point;
  out.kind = 'proper';
  out.s = out.sEnd = sThere;
  out.t = out.tEnd = tThere;
  out.point.x = out.end.x = x;
  out.point.y = out.end.y = y;
  return out;
}

const onAB = vec2();
