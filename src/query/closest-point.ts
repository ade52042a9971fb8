/** The point of a body closest to a point. */
import { checkPoint, mustBeOptions } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { closestOnTriangle } from '../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../primitives/closest/types.ts';
import type { CompoundShape, ConvexShape, HalfSpaceShape, Shape, SimpleShape } from '../shapes/shape.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { loadTriangle, type Mesh, makeCorners } from '../trimesh/mesh.ts';
import type { Body } from './body.ts';
import { mustBeDistance } from './check.ts';
import { nextLeafForPoint, startWalk } from './compound-walk.ts';
import { makeCorePoint, nearestOnCore, startNearest } from './nearest-core.ts';
import { copyPoint, makePlacement, placeBody, pointToBody, pointToWorld, type Touch } from './placed.ts';
import { type ClosestPoint, makeClosestPoint } from './results.ts';

const placement = makePlacement();
const local = vec3();
/** What a search finds. */
const found = { distance: 0.5, point: vec3(), child: -1, triangle: -1 };

export interface ClosestPointOptions {
  /** What is farther away gives null. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: ClosestPoint | undefined;
}

/**
 * The point of a body closest to a point, or null if it is farther away than `maxDistance`. A point in a solid, or as near to a body as rounding can tell (8 ulps of the
 * coordinates), is its own closest point, at distance 0. Triangles, polygons, meshes and height fields are surfaces,
 * and have nothing inside: `signedDistance` tells on which side of a mesh it is. Where several points are as near, it is
 * one of them. O(1) for simple shapes; O(n) for polygons and up to that for hulls of n corners; about O(log n) for meshes,
 * height fields and compounds.
 */
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options?: ClosestPointOptions & { readonly maxDistance?: undefined },
): ClosestPoint;
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options: ClosestPointOptions,
): ClosestPoint | null;
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options?: ClosestPointOptions,
): ClosestPoint | null {
  checkPoint('closestPoint', 'point', point);
  let maxDistance = Infinity;
  let given: ClosestPoint | undefined;
  if (options !== undefined) {
    mustBeOptions('closestPoint', 'options', options, 'maxDistance out');
    given = options.out;
    if (options.maxDistance !== undefined) {
      mustBeDistance('closestPoint', 'options.maxDistance', options.maxDistance);
      maxDistance = options.maxDistance;
    }
  }
  const shape = placeBody('closestPoint', body, point, placement);
  limit.t = maxDistance + placement.within;
  pointToBody(placement.pose, placement.point, local);
  if (!nearestOnShape(shape, local)) return null;
  const out = given ?? makeClosestPoint();
  const { point: closest, part } = out;
  if (found.distance <= placement.within) {
    found.distance = 0;
    copyPoint(placement.point, closest);
  } else pointToWorld(placement.pose, found.point, closest);
  out.distance = found.distance;
  part.child = found.child;
  part.triangle = found.triangle;
  return out;
}

/** Fills `found`. Returns false if there is nothing within the limit. */
function nearestOnShape(shape: Shape, p: ReadonlyVec3): boolean {
  found.child = -1;
  found.triangle = -1;
  switch (shape.kind) {
    case 'halfSpace':
      return nearestInHalfSpace(shape, p);
    case 'compound':
      return nearestOnCompound(shape, p, placement);
    default:
      return nearestOnSimple(shape, p);
  }
}

/** Nothing farther is of interest any more. */
const limit = { t: 0.5 };

/** Returns false, and may leave `found` as it was, if there is nothing within the limit. */
function nearestOnSimple(shape: SimpleShape, p: ReadonlyVec3): boolean {
  switch (shape.kind) {
    case 'mesh':
      return nearestOnMesh(shape, p);
    case 'heightField':
      return nearestOnMesh(shape.mesh, p);
    default:
      return nearestOnConvex(shape, p);
  }
}

const near = makeCorePoint();

function nearestOnConvex(shape: ConvexShape, p: ReadonlyVec3): boolean {
  const { radius } = shape.core;
  startNearest();
  const { x, y, z, distance } = nearestOnCore(shape, p, near);
  const { point } = found;
  if (distance <= radius) {
    found.distance = 0;
    copyPoint(p, point);
    return true;
  }
  const k = radius / distance;
  found.distance = distance - radius;
  point.x = x + k * (p.x - x);
  point.y = y + k * (p.y - y);
  point.z = z + k * (p.z - z);
  return found.distance <= limit.t;
}

const corners = makeCorners();
const onTriangle = makeTrianglePoint();
const search = new NearestSearch();

function nearestOnMesh(mesh: Mesh, p: ReadonlyVec3): boolean {
  copyPoint(p, search.point);
  search.maxDistance = limit.t;
  const place = searchNearest(search, mesh);
  if (place < 0) return false;
  loadTriangle(mesh, place, corners);
  const { point, distanceSq } = closestOnTriangle(p, corners.a, corners.b, corners.c, onTriangle);
  found.distance = Math.sqrt(distanceSq);
  copyPoint(point, found.point);
  found.triangle = mesh.ids[place]!;
  return true;
}

function nearestInHalfSpace({ normal, d }: HalfSpaceShape, p: ReadonlyVec3): boolean {
  const { point } = found;
  const height = Math.max(0, normal.x * p.x + normal.y * p.y + normal.z * p.z - d);
  found.distance = height;
  point.x = p.x - height * normal.x;
  point.y = p.y - height * normal.y;
  point.z = p.z - height * normal.z;
  return height <= limit.t;
}

const inner = vec3();
const best: { point: Vec3; child: number; triangle: number } = { point: vec3(), child: -1, triangle: -1 };

/** Of children at the same distance, the first. */
function nearestOnCompound(shape: CompoundShape, p: ReadonlyVec3, touch: Touch): boolean {
  const { children, tree } = shape;
  best.child = -1;
  startWalk();
  for (
    let leaf = nextLeafForPoint(shape, p, touch, limit);
    leaf >= 0;
    leaf = nextLeafForPoint(shape, p, touch, limit)
  ) {
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const number = tree.items[i]!;
      const child = children[number]!;
      found.triangle = -1;
      if (!nearestOnSimple(child.shape, pointToBody(child.pose, p, inner))) continue;
      if (found.distance === limit.t && best.child >= 0 && best.child < number) continue;
      limit.t = found.distance;
      best.child = number;
      best.triangle = found.triangle;
      pointToWorld(child.pose, found.point, best.point);
    }
  }
  if (best.child < 0) return false;
  found.distance = limit.t;
  copyPoint(best.point, found.point);
  found.child = best.child;
  found.triangle = best.triangle;
  return true;
}
