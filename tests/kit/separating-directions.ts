/**
 * The depth of two convex polytopes by trying every direction that can matter: the normals of all triples of corners and
 * the cross products of all pairs of edges. The faces of the Minkowski difference are among them; the others can do no
 * harm, since along any direction the bodies come apart by what they overlap there. No hull, no tree, no clever order.
 */
import type { ConvexCore } from '../../src/convex/core.ts';
import { BOX, POINT } from '../../src/convex/core.ts';
import type { Frame } from '../../src/convex/frame.ts';
import type { Vec3 } from '../../src/math/types.ts';

const sub = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const cross = (a: Vec3, b: Vec3): Vec3 => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});

/** All corners of a core that is a polytope. */
export function cornersOf({ type, data }: ConvexCore): Vec3[] {
  if (type === POINT) return [{ x: 0, y: 0, z: 0 }];
  const corners: Vec3[] = [];
  if (type === BOX)
    for (let i = 0; i < 8; i++)
      corners.push({
        x: i & 1 ? data[0]! : -data[0]!,
        y: i & 2 ? data[1]! : -data[1]!,
        z: i & 4 ? data[2]! : -data[2]!,
      });
  else
    for (let i = 0; i < data.length; i += 3) corners.push({ x: data[i]!, y: data[i + 1]!, z: data[i + 2]! });
  return corners;
}

/** The points of the second body, to the first. */
export const seenByFirst = (f: Frame, points: readonly Vec3[]): Vec3[] =>
  points.map(({ x, y, z }) => ({
    x: f.m00 * x + f.m01 * y + f.m02 * z + f.tx,
    y: f.m10 * x + f.m11 * y + f.m12 * z + f.ty,
    z: f.m20 * x + f.m21 * y + f.m22 * z + f.tz,
  }));

/** How deep two sets of points are in each other; negative when a direction separates them (by at least that). */
export function depthByDirections(a: readonly Vec3[], b: readonly Vec3[]): number {
  let least = Infinity;
  const look = ({ x, y, z }: Vec3) => {
    const length = Math.hypot(x, y, z);
    if (!(length > 0)) return;
    let aLow = Infinity;
    let aHigh = -Infinity;
    let bLow = Infinity;
    let bHigh = -Infinity;
    for (const p of a) {
      const along = (p.x * x + p.y * y + p.z * z) / length;
      aLow = Math.min(aLow, along);
      aHigh = Math.max(aHigh, along);
    }
    for (const p of b) {
      const along = (p.x * x + p.y * y + p.z * z) / length;
      bLow = Math.min(bLow, along);
      bHigh = Math.max(bHigh, along);
    }
    least = Math.min(least, aHigh - bLow, bHigh - aLow);
  };
  const axes = [
    { x: 1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 1 },
  ];
  const edges = [a, b].map((points) => points.flatMap((p, i) => points.slice(0, i).map((q) => sub(q, p))));
  for (const axis of axes) {
    look(axis);
    // What lies on one line has its faces, so to speak, anywhere across it.
    for (const list of edges) for (const edge of list.slice(0, 4)) look(cross(edge, axis));
  }
  for (const points of [a, b])
    for (let i = 0; i < points.length; i++)
      for (let j = 0; j < i; j++)
        for (let k = 0; k < j; k++) look(cross(sub(points[j]!, points[i]!), sub(points[k]!, points[i]!)));
  for (const e of edges[0]!) for (const f of edges[1]!) look(cross(e, f));
  return least;
}
