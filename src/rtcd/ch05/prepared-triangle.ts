/**
 * Triangles that are prepared for many rays. RTCD §5.3.6.
 *
 * For few triangles and very many rays: more memory for less arithmetic. Production uses
 * `trimesh/ray.ts`, which reads plain corners and is watertight.
 */
import { checkPoint, mustHave } from '../../math/check.ts';
import { triangleNormal } from '../../math/plane.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { DeepReadonly, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment, checkTriangle } from '../../primitives/input.ts';
import { rayBetween } from '../../primitives/ray/hit.ts';
import type { ReadonlyRay, TriangleHit } from '../../primitives/types.ts';
import { makeRay, makeTriangleHit } from '../../primitives/types.ts';

/**
 * What a ray needs to know about a triangle, computed once: a corner, the unit normal, and the gradients of the
 * barycentric coordinates v and w, which are the planes of two edges. RTCD §5.3.6.
 */
export interface PreparedTriangle {
  a: Vec3;
  normal: Vec3;
  /** v = edgeV · (p - a). */
  edgeV: Vec3;
  /** w = edgeW · (p - a). */
  edgeW: Vec3;
}

export type ReadonlyPreparedTriangle = DeepReadonly<PreparedTriangle>;

export const makePreparedTriangle = (): PreparedTriangle => ({
  a: vec3(),
  normal: vec3(),
  edgeV: vec3(),
  edgeW: vec3(),
});

const ab = vec3();
const ac = vec3();
const n = vec3();
const segment = makeRay();

/** The record for `rayPreparedTriangle`. A triangle without area gives one that is never hit. */
export function prepareTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: PreparedTriangle = makePreparedTriangle(),
): PreparedTriangle {
  checkTriangle('prepareTriangle', a, b, c);
  v3.sub(b, a, ab);
  v3.sub(c, a, ac);
  if (!triangleNormal(a, b, c, n)) v3.set(0, 0, 0, n);
  const { normal, edgeV, edgeW } = out;
  v3.copy(a, out.a);
  v3.normalize(n, normal);
  const area = n.x * normal.x + n.y * normal.y + n.z * normal.z;
  // p - a = v ab + w ac; crossed with ac and ab, and measured along the normal, one of them drops out.
  v3.cross(ac, normal, edgeV);
  v3.cross(normal, ab, edgeW);
  const scale = area > 0 ? 1 / area : 0;
  edgeV.x *= scale;
  edgeV.y *= scale;
  edgeV.z *= scale;
  edgeW.x *= scale;
  edgeW.y *= scale;
  edgeW.z *= scale;
  return out;
}

/**
 * Where a ray hits a prepared triangle, from either side: `rayTriangle` with a fraction of the work, but rounded, so
 * that a ray may slip through between neighbours. Use that one where seams matter.
 */
export function rayPreparedTriangle(
  ray: ReadonlyRay,
  triangle: ReadonlyPreparedTriangle,
  tMax = Infinity,
  out?: TriangleHit,
): TriangleHit | null {
  mustHave('rayPreparedTriangle', 'triangle', triangle, 'a prepared triangle', 'a');
  checkRayUpTo('rayPreparedTriangle', ray, tMax);
  checkPrepared('rayPreparedTriangle', triangle);
  return hitPrepared(ray, triangle, tMax, out);
}

/** Where the segment from p to q hits a prepared triangle, with t in [0, 1]. See `rayPreparedTriangle`. */
export function segmentPreparedTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  triangle: ReadonlyPreparedTriangle,
  out?: TriangleHit,
): TriangleHit | null {
  mustHave('segmentPreparedTriangle', 'triangle', triangle, 'a prepared triangle', 'a');
  checkSegment('segmentPreparedTriangle', p, q);
  checkPrepared('segmentPreparedTriangle', triangle);
  return hitPrepared(rayBetween(p, q, segment), triangle, 1, out);
}

function checkPrepared(caller: string, triangle: ReadonlyPreparedTriangle): void {
  const { a, normal, edgeV, edgeW } = triangle;
  checkPoint(caller, 'triangle.a', a);
  checkPoint(caller, 'triangle.normal', normal);
  checkPoint(caller, 'triangle.edgeV', edgeV);
  checkPoint(caller, 'triangle.edgeW', edgeW);
}

function hitPrepared(
  ray: ReadonlyRay,
  triangle: ReadonlyPreparedTriangle,
  tMax: number,
  out: TriangleHit | undefined,
): TriangleHit | null {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { a, edgeV, edgeW } = triangle;
  const { x: nx, y: ny, z: nz } = triangle.normal;
  const rx = ox - a.x;
  const ry = oy - a.y;
  const rz = oz - a.z;
  const slope = nx * dx + ny * dy + nz * dz;
  // Parallel divides by zero: ±∞ and NaN both fail the tests.
  const time = -(nx * rx + ny * ry + nz * rz) / slope;
  if (!(time >= 0 && time <= tMax * RAY_SLACK && time < Infinity)) return null;
  const t = Math.min(time, tMax);
  const qx = rx + t * dx;
  const qy = ry + t * dy;
  const qz = rz + t * dz;
  const v = edgeV.x * qx + edgeV.y * qy + edgeV.z * qz;
  if (!(v >= 0 && v <= 1)) return null;
  const w = edgeW.x * qx + edgeW.y * qy + edgeW.z * qz;
  const u = 1 - v - w;
  if (!(w >= 0 && u >= 0)) return null;
  const hit = out ?? makeTriangleHit();
  const { point, normal } = hit;
  const sign = slope > 0 ? -1 : 1;
  hit.t = t;
  hit.u = u;
  hit.v = v;
  hit.w = w;
  point.x = ox + t * dx;
  point.y = oy + t * dy;
  point.z = oz + t * dz;
  normal.x = nx * sign;
  normal.y = ny * sign;
  normal.z = nz * sign;
  return hit;
}
