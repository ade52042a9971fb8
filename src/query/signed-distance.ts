/** How far is a point from a body, or how deep in it? */

import { CUSTOM } from '../convex/core.ts';
import { makeFrame } from '../convex/frame.ts';
import { makeGjkState } from '../convex/gjk-state.ts';
import { makePenetration, penetration } from '../convex/penetration.ts';
import { checkPoint } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { CompoundShape, ConvexShape, Shape } from '../shapes/shape.ts';
import { closestPointMesh, makeMeshPoint } from '../trimesh/closest.ts';
import { signedDistanceMesh } from '../trimesh/signed-distance.ts';
import type { Body } from './body.ts';
import { nextLeafForPoint, startWalk } from './compound-walk.ts';
import { depthInCore } from './depth-core.ts';
import { frameOfPoint, makeCorePoint, nearestOnCore, POINT_CORE, startNearest } from './nearest-core.ts';
import { makePlacement, placeBody, pointToBody, type Touch } from './placed.ts';

const placement = makePlacement();
const local = vec3();
const inner = vec3();
const near = makeCorePoint();
const onMesh = makeMeshPoint();

/**
 * The distance of a point from a body, and in a solid minus the distance from its surface. Not above 0 for what `contains` holds.
 * Meshes are solid where they wind around the point, as told by `containsPointMesh`; height fields, triangles and polygons without
 * rounding have no inside. In a compound it is that of the child in which the point is deepest: where children overlap, the
 * surface of the whole may be farther away. Inside shapes known by a support map alone it is good to 1e-7 of their size,
 * otherwise to rounding. Costs as much as `closestPoint`, for hulls of n faces O(n).
 */
export function signedDistance(point: ReadonlyVec3, body: Body): number {
  checkPoint('signedDistance', 'point', point);
  const shape = placeBody('signedDistance', body, point, placement);
  const distance = signedDistanceTo(shape, pointToBody(placement.pose, placement.point, local), placement);
  return distance > 0 && distance <= placement.within ? 0 : distance;
}

function signedDistanceTo(shape: Shape, p: ReadonlyVec3, touch: Touch): number {
  switch (shape.kind) {
    case 'halfSpace':
      return v3.dot(shape.normal, p) - shape.d;
    case 'compound':
      return signedDistanceToCompound(shape, p, touch);
    case 'mesh':
      return signedDistanceMesh(p, shape, onMesh);
    case 'heightField':
      return closestPointMesh(p, shape.mesh, Infinity, onMesh)!.distance;
    default:
      return signedDistanceToConvex(shape, p);
  }
}

const frame = makeFrame();
const state = makeGjkState();
const deep = makePenetration();

function signedDistanceToConvex(shape: ConvexShape, p: ReadonlyVec3): number {
  const { core } = shape;
  startNearest();
  const { distance } = nearestOnCore(shape, p, near);
  if (distance > 0) return distance - core.radius;
  if (core.type !== CUSTOM) return 0 - core.radius - depthInCore(shape, p);
  state.count = 0;
  return Math.min(0, -penetration(core, POINT_CORE, frameOfPoint(p, frame), state, deep).depth);
}

/** What is farther is of no interest any more; in one child, others may be deeper. */
const limit = { t: 0.5 };

function signedDistanceToCompound(shape: CompoundShape, p: ReadonlyVec3, touch: Touch): number {
  const { children, tree } = shape;
  let least = Infinity;
  limit.t = Infinity;
  startWalk();
  for (
    let leaf = nextLeafForPoint(shape, p, touch, limit);
    leaf >= 0;
    leaf = nextLeafForPoint(shape, p, touch, limit)
  ) {
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const child = children[tree.items[i]!]!;
      const own = signedDistanceTo(child.shape, pointToBody(child.pose, p, inner), touch);
      if (own < least) least = own;
      limit.t = Math.max(0, least);
    }
  }
  return least;
}
