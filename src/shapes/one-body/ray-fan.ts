/** Rays against flat shapes without rounding, which are hit from both sides. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { intersectLineTriangle, LineRange } from '../../primitives/ray/line-triangle.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { makeCapsule, makeHit, makeTriangleHit } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext } from './body-context.ts';
import { cornerCount, loadCorner, nearestOnCore, startNearest } from './nearest-core.ts';
import { rayTube } from './ray-tube.ts';

const a = vec3();
const b = vec3();
const c = vec3();
const pierced = makeTriangleHit();
const LINE = /* @__PURE__ */ new LineRange('raycast', 0);
const edge = makeCapsule();
const onEdge = makeHit();

/** Rays that climb less than this above the plane, relative to their length, may run along it: they can hit the edges. */
const LEVEL = 1e-6;

/**
 * Where a ray that starts outside of it hits a flat polygon: a fan of triangles, each decided exactly, so that nothing
 * slips through between them. What passes within rounding of an edge counts, too. A ray along the plane pierces no
 * triangle, but may enter by an edge; and what has no area has nothing but edges.
 */
export function rayFan(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { core, faces } = shape;
  const { data } = core;
  const count = cornerCount(data, faces);
  let found = false;
  if (faces !== null) {
    loadCorner(data, faces, 0, a);
    loadCorner(data, faces, 1, c);
    for (let k = 2; k < count; k++) {
      copyPoint(c, b);
      loadCorner(data, faces, k, c);
      if (intersectLineTriangle(ray, a, b, c, LINE, pierced) === null) continue;
      if (!found || pierced.t < out.t) keep(pierced, out);
      found = true;
    }
    if (found) return out;
    const { normal } = faces.planes[0]!;
    if (isAcross(ray, normal)) return rayPlate(shape, ray, normal, a, context, out);
  }
  for (let k = 0; k < count; k++) {
    edge.radius = 0;
    loadCorner(data, faces, k, edge.a);
    loadCorner(data, faces, k + 1 < count ? k + 1 : 0, edge.b);
    if (rayTube(ray, edge, context, onEdge) === null) continue;
    if (!found || onEdge.t < out.t) keep(onEdge, out);
    found = true;
  }
  return found ? out : null;
}

/** Does the ray cross planes with this unit normal at an angle that means something? */
export function isAcross({ direction: d }: ReadonlyRay, n: ReadonlyVec3): boolean {
  const climb = n.x * d.x + n.y * d.y + n.z * d.z;
  return climb * climb > LEVEL * LEVEL * (d.x * d.x + d.y * d.y + d.z * d.z);
}

/** Where a ray that `isAcross` hits a flat shape in the plane through `onPlane`, within rounding of its rim. */
export function rayPlate(
  shape: ConvexShape,
  ray: ReadonlyRay,
  normal: ReadonlyVec3,
  onPlane: ReadonlyVec3,
  context: BodyContext,
  out: Hit,
): Hit | null {
  const { within } = context;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: nx, y: ny, z: nz } = normal;
  const climb = nx * dx + ny * dy + nz * dz;
  const t = (nx * (onPlane.x - ox) + ny * (onPlane.y - oy) + nz * (onPlane.z - oz)) / climb;
  if (!(t >= 0)) return null;
  crossing.x = ox + t * dx;
  crossing.y = oy + t * dy;
  crossing.z = oz + t * dz;
  startNearest(context);
  const near = nearestOnCore(shape, crossing, context);
  const { distance } = near;
  // The ray passes the rim at less than the distance of the crossing from it: times the sine of the angle.
  if (!(distance * Math.abs(climb) <= within * Math.sqrt(dx * dx + dy * dy + dz * dz))) return null;
  const side = climb > 0 ? -1 : 1;
  copyPoint(near, out.point);
  out.normal.x = side * nx;
  out.normal.y = side * ny;
  out.normal.z = side * nz;
  out.t = t;
  return out;
}

const crossing = vec3();

function keep(hit: Hit, out: Hit): void {
  copyPoint(hit.point, out.point);
  copyPoint(hit.normal, out.normal);
  out.t = hit.t;
}
