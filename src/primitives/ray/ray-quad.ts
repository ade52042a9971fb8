import { checkPoint, checkRay } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRange } from '../input.ts';
import type { Hit, ReadonlyRay, TriangleHit } from '../types.ts';
import { makeHit, makeTriangleHit } from '../types.ts';
import { intersectLineTriangle, LineRange } from './line-triangle.ts';

const first = makeTriangleHit();
const second = makeTriangleHit();
const rayRange = /* @__PURE__ */ new LineRange('rayQuad', 0);
const lineRange = /* @__PURE__ */ new LineRange('lineQuad', -Infinity);

/**
 * Where a ray hits the quadrilateral abcd, from either side: the triangles abc and acd, whichever it meets first. So
 * the diagonal ac must lie inside, as either does if the quad is convex; if it is concave, start at the corner that
 * caves in or the one opposite. Corners that are not in a plane fold along ac; sides that cross make no quad. Decided
 * exactly, like `rayTriangle`. RTCD §5.3.5.
 */
export function rayQuad(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  tMax = Infinity,
  out?: Hit,
): Hit | null {
  checkRay('rayQuad', 'ray', ray);
  checkPoint('rayQuad', 'a', a);
  checkPoint('rayQuad', 'b', b);
  checkPoint('rayQuad', 'c', c);
  checkPoint('rayQuad', 'd', d);
  checkRange('rayQuad', tMax);
  rayRange.tMax = tMax;
  const one = intersectLineTriangle(ray, a, b, c, rayRange, first);
  rayRange.tMax = tMax;
  return firstHit(one, intersectLineTriangle(ray, a, c, d, rayRange, second), out);
}

/** Where a line, infinite both ways, meets the quadrilateral abcd; t may be negative. See `rayQuad`. */
export function lineQuad(
  line: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkRay('lineQuad', 'line', line);
  checkPoint('lineQuad', 'a', a);
  checkPoint('lineQuad', 'b', b);
  checkPoint('lineQuad', 'c', c);
  checkPoint('lineQuad', 'd', d);
  const one = intersectLineTriangle(line, a, b, c, lineRange, first);
  return firstHit(one, intersectLineTriangle(line, a, c, d, lineRange, second), out);
}

function firstHit(one: TriangleHit | null, other: TriangleHit | null, out: Hit | undefined): Hit | null {
  const hit = one && other && other.t < one.t ? other : (one ?? other);
  if (!hit) return null;
  const result = out ?? makeHit();
  v3.copy(hit.point, result.point);
  v3.copy(hit.normal, result.normal);
  result.t = hit.t;
  return result;
}
