/** The point of a solid tetrahedron closest to a point. RTCD §5.1.6. */
import { checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import { side } from '../overlap/side.ts';
import { closestOnTriangle } from './triangle.ts';
import { makeTrianglePoint } from './types.ts';

/**
 * The point of tetrahedron abcd closest to p; p itself if it is inside. The corners may come in any order. A flat
 * tetrahedron is the polygon that it is.
 *
 * Only faces that p is in front of can hold the closest point, and p is in front of a face if the fourth corner is
 * strictly on its other side. These signs are exact. A flat tetrahedron has no other side: all its faces are looked at.
 */
export function closestPointTetrahedron(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointTetrahedron', 'p', p);
  checkPoint('closestPointTetrahedron', 'a', a);
  checkPoint('closestPointTetrahedron', 'b', b);
  checkPoint('closestPointTetrahedron', 'c', c);
  checkPoint('closestPointTetrahedron', 'd', d);
  // Every face is listed with the same handedness towards its fourth corner.
  const inner = side(a, b, c, d);
  best.distanceSq = Infinity;
  copy(p, best.point);
  considerFace(p, a, b, c, inner);
  considerFace(p, a, c, d, inner);
  considerFace(p, a, d, b, inner);
  considerFace(p, b, d, c, inner);
  return copy(best.point, out);
}

const best = makeTrianglePoint();
const found = makeTrianglePoint();

/** Takes the closest point of a face if p is in front of it (the inside being on the side `inner`) and it is better. */
function considerFace(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  inner: number,
): void {
  if (inner !== 0 && side(a, b, c, p) * inner >= 0) return;
  if (closestOnTriangle(p, a, b, c, found).distanceSq < best.distanceSq) {
    best.distanceSq = found.distanceSq;
    copy(found.point, best.point);
  }
}
