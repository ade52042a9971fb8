/**
 * Bevels: what the planes of a convex solid lack to hold off a box.
 *
 * A box meets a solid if its centre is in the solid grown by the box. That is bounded by the planes of the solid, each moved out
 * by what the box reaches along its normal; by the planes across the axes, of the box around the solid; and by planes along
 * an edge of the solid and one of the box. Without the last two kinds the grown solid would have tips that reach out from its
 * sharp edges, and the box would be stopped in mid-air. RTCD §8.4.3; van Waveren, The Quake III Arena Bot (2001), §6.
 *
 *          /\   ← cut off
 *     ____/__\____ bevel
 *        /    \
 */
import type { Plane, ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';

/**
 * The planes along an edge of the solid and an axis, with unit normals. The normals of what touches an edge run from that of
 * the one face to that of the other; where that arc crosses the plane across an axis there is one, and nowhere else.
 *
 * @internal
 */
export function edgeBevels({ vertices, faces, planes }: ReadonlyPolyhedron): Plane[] {
  const faceOf = new Map<number, number>();
  const key = (a: number, b: number): number => a * vertices.length + b;
  faces.forEach((face, f) => {
    face.forEach((a, k) => {
      faceOf.set(key(a, face[(k + 1) % face.length]!), f);
    });
  });
  const bevels: Plane[] = [];
  for (const [at, f] of faceOf) {
    const a = Math.floor(at / vertices.length);
    const b = at % vertices.length;
    const g = faceOf.get(key(b, a));
    if (g === undefined || !(f < g)) continue;
    const m = planes[f]!.normal;
    const n = planes[g]!.normal;
    for (const axis of ['x', 'y', 'z'] as const) {
      if (!(m[axis] * n[axis] < 0)) continue;
      const normal = v3.addScaled(v3.scale(m, Math.abs(n[axis])), n, Math.abs(m[axis]));
      normal[axis] = 0;
      v3.normalize(normal, normal);
      if (isAcross(normal)) continue;
      bevels.push({ normal, d: Math.max(v3.dot(normal, vertices[a]!), v3.dot(normal, vertices[b]!)) });
    }
  }
  return bevels;
}

/** Is it an axis? Those planes are known by the box around the solid. */
const isAcross = ({ x, y, z }: ReadonlyVec3): boolean => +(x !== 0) + +(y !== 0) + +(z !== 0) <= 1;
