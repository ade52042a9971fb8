/**
 * Lines, rays and segments against a triangle. Whether they hit is decided exactly: through an edge or a corner is a
 * hit, all triangles there report it, and nothing slips between triangles that share edges (RTCD §11.3.3).
 * The time t is rounded afterwards, and the point lies on the triangle. A line in the plane of the triangle crosses
 * it nowhere, and a triangle without area is never hit: in a closed mesh, the neighbours beyond the edges report it.
 * A direction of zero is a point, which hits the triangle that contains it.
 *
 * The decisions hold for coordinates that are zero or between 1e-60 and 1e60 in size.
 */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkRange, checkSegment } from '../input.ts';
import type { ReadonlyRay, TriangleHit } from '../types.ts';
import { makeRay } from '../types.ts';
import { rayBetween } from './hit.ts';
import { checkLineTriangle, intersectLineTriangle, LineRange } from './line-triangle.ts';

const segment = makeRay();
const rayRange = /* @__PURE__ */ new LineRange('rayTriangle', 0);
const rayFrontRange = /* @__PURE__ */ new LineRange('rayTriangleFront', 0, true);
const segmentRange = /* @__PURE__ */ new LineRange('segmentTriangle', 0);
const segmentFrontRange = /* @__PURE__ */ new LineRange('segmentTriangleFront', 0, true);
const lineRange = /* @__PURE__ */ new LineRange('lineTriangle', -Infinity);
const lineFrontRange = /* @__PURE__ */ new LineRange('lineTriangleFront', -Infinity, true);

/** Looks at its arguments only where they cannot be read, or where numbers are in doubt, as those are that are not finite. */
function intersect(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  range: LineRange,
  out: TriangleHit | undefined,
): TriangleHit | null {
  try {
    return intersectLineTriangle(ray, a, b, c, range, out);
  } catch (error) {
    checkLineTriangle(ray, a, b, c, range);
    throw error;
  }
}

/**
 * Where a ray hits the triangle abc, from either side; the normal looks to the side the ray comes from. Decided
 * exactly, so that no ray slips through a closed mesh; a ray in the plane of the triangle misses. RTCD §5.3.6.
 */
export function rayTriangle(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  checkRange('rayTriangle', tMax);
  rayRange.tMax = tMax;
  return intersect(ray, a, b, c, rayRange, out);
}

/** As `rayTriangle`, but only from the front, where abc is seen counter-clockwise. */
export function rayTriangleFront(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  checkRange('rayTriangleFront', tMax);
  rayFrontRange.tMax = tMax;
  return intersect(ray, a, b, c, rayFrontRange, out);
}

/**
 * Where the segment from p to q hits the triangle abc, from either side, with t in [0, 1]. Decided exactly, ends on
 * the triangle included. A segment in its plane misses, but for one of length zero on the triangle. RTCD §5.3.6.
 */
export function segmentTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  checkSegment('segmentTriangle', p, q);
  rayBetween(p, q, segment);
  segmentRange.tMax = 1;
  segmentRange.end = q;
  return intersect(segment, a, b, c, segmentRange, out);
}

/** As `segmentTriangle`, but only from the front, where abc is seen counter-clockwise. */
export function segmentTriangleFront(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  checkSegment('segmentTriangleFront', p, q);
  rayBetween(p, q, segment);
  segmentFrontRange.tMax = 1;
  segmentFrontRange.end = q;
  return intersect(segment, a, b, c, segmentFrontRange, out);
}

/** Where a line, infinite both ways, meets the triangle abc, from either side; t may be negative. RTCD §5.3.4. */
export function lineTriangle(
  line: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  return intersect(line, a, b, c, lineRange, out);
}

/** As `lineTriangle`, but only for a line that runs against the normal of abc. */
export function lineTriangleFront(
  line: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: TriangleHit,
): TriangleHit | null {
  return intersect(line, a, b, c, lineFrontRange, out);
}
