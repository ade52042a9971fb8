/** Rays and points against flat shapes: triangles, polygons, hulls of what lies in a plane. They are hit from both sides. */
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { closestOnTriangle } from '../../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../../primitives/closest/types.ts';
import { intersectLineTriangle, LineRange } from '../../primitives/ray/line-triangle.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { makeCapsule, makeHit, makeTriangleHit } from '../../primitives/types.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { type ConvexForm, isInConvex } from './convex-form.ts';
import { isAcross, rayPlate } from './ray-plate.ts';
import { rayRounded } from './ray-rounded.ts';
import { rayTube } from './tube.ts';

const a = vec3();
const b = vec3();
const c = vec3();
const pierced = makeTriangleHit();
const LINE = /* @__PURE__ */ new LineRange('raycast', 0);
const edge = makeCapsule();
const onEdge = makeHit();
const onTriangle = makeTrianglePoint();

/**
 * Where a ray that starts outside of it hits a flat polygon: a fan of triangles, each decided exactly, so that nothing
 * slips through between them. What passes within rounding of an edge counts, too. A ray along the plane pierces no
 * triangle, but may enter by an edge; and what has no area has nothing but edges.
 */
function rayFan(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { core, faces } = shape;
  const { data } = core;
  if (core.radius > 0) return rayRounded(shape, ray, context, out);
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

function keep(hit: Hit, out: Hit): void {
  copyPoint(hit.point, out.point);
  copyPoint(hit.normal, out.normal);
  out.t = hit.t;
}

/** Writes corner number k of what `isFlat`: in the order of its outline. */
function loadCorner(data: Float64Array, faces: ReadonlyPolyhedron | null, k: number, out: Vec3): Vec3 {
  return loadPoint(data, 3 * (faces === null ? k : faces.faces[0]![k]!), out);
}

/** How many corners what `isFlat` has. */
const cornerCount = (data: Float64Array, faces: ReadonlyPolyhedron | null): number =>
  faces === null ? data.length / 3 : faces.faces[0]!.length;

function nearestOnFan(
  { core, faces }: ConvexShape,
  p: ReadonlyVec3,
  { nearest: out }: BodyContext,
): CorePoint {
  const { data } = core;
  const count = cornerCount(data, faces);
  loadCorner(data, faces, 0, a);
  loadCorner(data, faces, Math.min(1, count - 1), c);
  let least = Infinity;
  for (let k = Math.min(2, count - 1); k < count; k++) {
    copyPoint(c, b);
    loadCorner(data, faces, k, c);
    const { point, distanceSq } = closestOnTriangle(p, a, b, c, onTriangle);
    if (distanceSq >= least) continue;
    least = distanceSq;
    out.x = point.x;
    out.y = point.y;
    out.z = point.z;
  }
  out.distance = Math.sqrt(least);
  return out;
}

export const FLAT: ConvexForm = {
  ray: rayFan,
  nearest: nearestOnFan,
  contains: isInConvex,
  depth: () => 0,
};
