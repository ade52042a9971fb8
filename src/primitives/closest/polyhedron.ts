/** The point of a convex polyhedron closest to a point. RTCD §5.1.7. */

import { checkPoint } from '../../math/check.ts';
import { MEETING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { checkPolyhedron } from '../input.ts';
import { closestOnTriangle } from './triangle.ts';
import { makeTrianglePoint } from './types.ts';

/**
 * The point of a convex polyhedron closest to p; p itself if it is inside. Looks at every face that p is in front of,
 * and at no other: linear in the size of the polyhedron. For many queries of a large one, walk its features.
 */
export function closestPointPolyhedron(
  p: ReadonlyVec3,
  polyhedron: ReadonlyPolyhedron,
  out: Vec3 = vec3(),
): Vec3 {
  checkPoint('closestPointPolyhedron', 'p', p);
  const { x: px, y: py, z: pz } = p;
  checkPolyhedron('closestPointPolyhedron', 'polyhedron', polyhedron);
  const { vertices, faces, planes } = polyhedron;
  best.distanceSq = Infinity;
  copy(p, best.point);
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i]!;
    const a = vertices[face[0]!]!;
    const n = planes[i]!.normal;
    const x = px - a.x;
    const y = py - a.y;
    const z = pz - a.z;
    const height = n.x * x + n.y * y + n.z * z;
    // Points on a face are looked at too, or else a flat polyhedron would contain its whole plane.
    if (!(height >= -MEETING * (Math.abs(x) + Math.abs(y) + Math.abs(z)))) continue;
    for (let k = 2; k < face.length; k++)
      considerTriangle(p, a, vertices[face[k - 1]!]!, vertices[face[k]!]!);
  }
  return copy(best.point, out);
}

const best = makeTrianglePoint();
const found = makeTrianglePoint();

function considerTriangle(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): void {
  if (closestOnTriangle(p, a, b, c, found).distanceSq < best.distanceSq) {
    best.distanceSq = found.distanceSq;
    copy(found.point, best.point);
  }
}
