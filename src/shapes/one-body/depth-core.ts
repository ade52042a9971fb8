/** How deep a point lies in the core of a convex shape: its distance from the surface. */
import { BOX, CONE, CYLINDER, ELLIPSOID, POLYTOPE } from '../../convex/core.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import type { ConvexShape } from '../shape.ts';
import { makeCorePoint } from './body-context.ts';
import { isFlat } from './nearest-core.ts';
import { nearestOnEllipsoid } from './nearest-ellipsoid.ts';

const onSurface = makeCorePoint();

/** Of a point p of the core. 0 in a core without inside. Not for cores known by their support map only. */
export function depthInCore({ core, faces }: ConvexShape, p: ReadonlyVec3): number {
  const { data } = core;
  const { x, y, z } = p;
  switch (core.type) {
    case BOX:
      return Math.max(0, Math.min(data[0]! - Math.abs(x), data[1]! - Math.abs(y), data[2]! - Math.abs(z)));
    case CYLINDER:
      return Math.max(0, Math.min(data[0]! - Math.abs(y), data[1]! - Math.sqrt(x * x + z * z)));
    case CONE: {
      const half = data[0]!;
      const radius = data[1]!;
      const side = radius * (half - y) - 2 * half * Math.sqrt(x * x + z * z);
      const slant = Math.sqrt(radius * radius + 4 * half * half);
      return slant > 0 ? Math.max(0, Math.min(y + half, side / slant)) : 0;
    }
    case ELLIPSOID:
      if (Math.min(data[0]!, data[1]!, data[2]!) === 0) return 0;
      nearestOnEllipsoid(data, p, onSurface);
      return onSurface.distance;
    case POLYTOPE:
      return isFlat(faces) ? 0 : Math.max(0, depthBehind(faces!, p));
    default:
      return 0;
  }
}

function depthBehind({ planes }: ReadonlyPolyhedron, { x, y, z }: ReadonlyVec3): number {
  let least = Infinity;
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    least = Math.min(least, d - (n.x * x + n.y * y + n.z * z));
  }
  return least;
}
