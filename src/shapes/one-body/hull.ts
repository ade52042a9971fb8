/** Rays and points against hulls with an inside, and whatever a support map describes: what takes GJK to find the nearest point. */
import type { ConvexCore } from '../../convex/core.ts';
import { gjkDistance } from '../../convex/gjk.ts';
import { makePenetration, penetration } from '../../convex/penetration.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { makePolyhedronHit, rayPolyhedronKernel } from '../../primitives/ray/ray-polyhedron.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import { POINT_CORE } from '../cores.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { type ConvexForm, frameOfPoint, isInConvex, startNearest } from './convex-form.ts';
import { rayRounded } from './ray-rounded.ts';

const onFace = makePolyhedronHit();

function rayHull(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null {
  const { core, faces } = shape;
  if (core.radius > 0) return rayRounded(shape, ray, context, out);
  if (rayPolyhedronKernel(ray, faces!, Infinity, onFace) === null) return null;
  copyPoint(onFace.point, out.point);
  copyPoint(onFace.normal, out.normal);
  out.t = onFace.t;
  return out;
}

function nearestOnHull({ core, faces }: ConvexShape, p: ReadonlyVec3, context: BodyContext): CorePoint {
  const { nearest: out } = context;
  out.x = p.x;
  out.y = p.y;
  out.z = p.z;
  out.distance = 0;
  measureFront(faces!, p);
  if (!(front.height > 0)) return out;
  nearestByGjk(core, p, context);
  if (out.distance < front.height) out.distance = front.height;
  return out;
}

/** How far p is in front of the foremost face of a solid: not more than its distance. A record: numbers get boxed. */
const front = { height: 0.5 };

function measureFront({ planes }: ReadonlyPolyhedron, { x, y, z }: ReadonlyVec3): void {
  let most = -Infinity;
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    const height = n.x * x + n.y * y + n.z * z - d;
    if (height > most) most = height;
  }
  front.height = most;
}

/** Spares the search for the nearest point where p is clearly in front of a face. */
function isInHull(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { core, faces } = shape;
  const { within } = context;
  const far = core.reach + within;
  if (Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) > far) return false;
  measureFront(faces!, p);
  if (front.height - core.radius > within) return false;
  return isInConvex(shape, p, context);
}

const depthInHull = ({ faces }: ConvexShape, p: ReadonlyVec3): number => Math.max(0, depthBehind(faces!, p));

function depthBehind({ planes }: ReadonlyPolyhedron, { x, y, z }: ReadonlyVec3): number {
  let least = Infinity;
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    least = Math.min(least, d - (n.x * x + n.y * y + n.z * z));
  }
  return least;
}

function nearestBySupport({ core }: ConvexShape, p: ReadonlyVec3, context: BodyContext): CorePoint {
  const { nearest: out } = context;
  out.x = p.x;
  out.y = p.y;
  out.z = p.z;
  out.distance = 0;
  return nearestByGjk(core, p, context);
}

function nearestByGjk(core: ConvexCore, p: ReadonlyVec3, context: BodyContext): CorePoint {
  const { nearest: out, gjkState, gjkResult: gjk } = context;
  gjkDistance(core, POINT_CORE, frameOfPoint(p, context), gjkState, gjk);
  if (gjk.cores !== 'apart') return out;
  const { pointA, normal, coreDistance } = gjk;
  // Without the rounding that is in it: the normal points from p to the core.
  out.x = pointA.x + core.radius * normal.x;
  out.y = pointA.y + core.radius * normal.y;
  out.z = pointA.z + core.radius * normal.z;
  out.distance = coreDistance;
  return out;
}

function depthBySupport({ core }: ConvexShape, p: ReadonlyVec3, context: BodyContext): number {
  startNearest(context);
  const { depth } = penetration(
    core,
    POINT_CORE,
    frameOfPoint(p, context),
    context.gjkState,
    makePenetration(),
  );
  return Math.max(0, depth - core.radius);
}

/** Of hulls with an inside. */
export const HULL: ConvexForm = {
  ray: rayHull,
  nearest: nearestOnHull,
  contains: isInHull,
  depth: depthInHull,
};

/** Of what is known by its support map only. */
export const SUPPORT: ConvexForm = {
  ray: rayRounded,
  nearest: nearestBySupport,
  contains: isInConvex,
  depth: depthBySupport,
};
