/** Where a ray first hits a body. */

import { checkRay } from '../math/check.ts';
import { RAY_SLACK } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { isStill, startInside } from '../primitives/ray/hit.ts';
import { type Hit, makeRay, type ReadonlyRay } from '../primitives/types.ts';
import type { CompoundShape, HalfSpaceShape, Shape, SimpleShape } from '../shapes/shape.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { isClosed } from '../trimesh/derived.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { ANY, CLOSEST, fillHit, makeMeshHit, RaySearch, searchRay } from '../trimesh/ray.ts';
import type { Body } from './body.ts';
import { mustBeDistance } from './check.ts';
import { nextLeafForRay, startWalk } from './compound-walk.ts';
import {
  copyPoint,
  makePlacement,
  normalToWorld,
  placeBody,
  pointToWorld,
  rayToBody,
  type Touch,
} from './placed.ts';
import { rayConvex } from './ray-convex.ts';
import { type BodyPart, type CastHit, makeCastHit } from './results.ts';

const placement = makePlacement();
const local = makeRay();
/** A copy of the ray. */
const asked = { origin: placement.point, direction: vec3(0.5, 0.5, 0.5) };
/** What a search finds, in the space of the body. Not made by spreading: V8 would box every number written to it. */
const makeFound = (): Hit & BodyPart => ({ t: 0.5, point: vec3(), normal: vec3(), child: -1, triangle: -1 });
const found = makeFound();

/**
 * Where does a ray first hit a body, at some t in [0, tMax] in units of its direction? Null if nowhere.
 *
 * The rules are the same for all shapes. A ray that starts in a body, or on it as far as rounding can tell, hits at
 * t = 0: the point is the origin, and the normal is opposite to the direction. A direction of zero is a point: it hits
 * what it is in, with normal 0. `tMax` is part of the range. What has no inside (triangles and polygons without rounding,
 * height fields, meshes with holes) is hit from both sides, and the normal looks to where the ray comes from. A mesh
 * without holes is a solid, as it is to `intersects` and `cast`; `rayMesh` takes it for a surface. What it says of rays in
 * the plane of a triangle holds. Points and segments without rounding, and what else has no thickness, are hit by rays
 * that pass within rounding of them, 8 ulps of the coordinates; the normal is then against the direction.
 *
 * Never late: t is not after the first touch but for rounding. It is early by rounding, too: a few ulps of the
 * coordinates, over the sine of the angle at which the ray meets the surface.
 *
 * O(1) for simple shapes, a few steps of some dozen operations for rounded ones, O(n) for hulls and polygons of n faces
 * or edges, about O(log n) for meshes, height fields and compounds, whose nearest child is asked first; O(n log n) for the
 * first ray that starts in the box of a mesh, which has to be looked over for holes.
 */
export function raycast(ray: ReadonlyRay, body: Body, tMax = Infinity, out?: CastHit): CastHit | null {
  checkRay('raycast', 'ray', ray);
  mustBeDistance('raycast', 'tMax', tMax);
  const shape = placeRay('raycast', ray, body);
  if (!rayShape(shape, local, tMax, false)) return null;
  const hit = out ?? makeCastHit();
  if (found.t === 0) startInside(asked, hit);
  else {
    hit.t = found.t;
    pointToWorld(placement.pose, found.point, hit.point);
    normalToWorld(placement.pose, found.normal, hit.normal);
    hit.normal.x += 0; // no -0
    hit.normal.y += 0;
    hit.normal.z += 0;
  }
  hit.part.child = found.child;
  hit.part.triangle = found.triangle;
  hit.moverPart.child = -1;
  hit.moverPart.triangle = -1;
  return hit;
}

/**
 * Does a ray hit a body at some t in [0, tMax]? As `raycast`, but any hit will do: quicker for meshes and compounds, as
 * for shadows or lines of sight.
 */
export function raycastAny(ray: ReadonlyRay, body: Body, tMax = Infinity): boolean {
  checkRay('raycastAny', 'ray', ray);
  mustBeDistance('raycastAny', 'tMax', tMax);
  const shape = placeRay('raycastAny', ray, body);
  return rayShape(shape, local, tMax, true);
}

/** Reads all of the body and the ray, and only then fills `placement`, `asked` and `local`: getters may ask, too. */
function placeRay(caller: string, { origin, direction }: ReadonlyRay, body: Body): Shape {
  const { x, y, z } = direction;
  const shape = placeBody(caller, body, origin, placement);
  asked.direction.x = x;
  asked.direction.y = y;
  asked.direction.z = z;
  rayToBody(placement.pose, asked, local);
  return shape;
}

/** Nothing beyond this time is of interest any more. */
const limit = { t: 0.5 };

/** Fills `found`. */
function rayShape(shape: Shape, ray: ReadonlyRay, tMax: number, any: boolean): boolean {
  found.child = -1;
  found.triangle = -1;
  limit.t = tMax;
  switch (shape.kind) {
    case 'halfSpace':
      return rayHalfSpace(shape, ray, tMax, placement);
    case 'compound':
      return rayCompound(shape, ray, tMax, any);
    default:
      return raySimple(shape, ray, tMax, any);
  }
}

function raySimple(shape: SimpleShape, ray: ReadonlyRay, tMax: number, any: boolean): boolean {
  switch (shape.kind) {
    case 'mesh':
      return (
        startsAtTriangle(shape, ray, placement) || startsInMesh(shape, ray) || rayTriangles(shape, ray, any)
      );
    case 'heightField':
      return startsAtTriangle(shape.mesh, ray, placement) || rayTriangles(shape.mesh, ray, any);
    default:
      return rayConvex(shape, ray, tMax, placement, found) !== null;
  }
}

const nearest = new NearestSearch();
const search = new RaySearch();
const pierced = makeMeshHit();

/** Does the ray start on the surface, as far as rounding can tell? */
function startsAtTriangle(mesh: Mesh, ray: ReadonlyRay, { within }: Touch): boolean {
  if (!isInBox(mesh, ray.origin, placement)) return false;
  copyPoint(ray.origin, nearest.point);
  nearest.maxDistance = within;
  const place = searchNearest(nearest, mesh);
  if (place < 0) return false;
  found.triangle = mesh.ids[place]!;
  startInside(ray, found);
  return true;
}

/** Does the ray start inside of a mesh that is closed? */
function startsInMesh(mesh: Mesh, ray: ReadonlyRay): boolean {
  if (!isInBox(mesh, ray.origin, placement) || !isClosed(mesh) || !isInsideClosed(ray.origin, mesh))
    return false;
  startInside(ray, found);
  return true;
}

function isInBox({ bounds }: Mesh, { x, y, z }: ReadonlyVec3, { within }: Touch): boolean {
  const { min, max } = bounds;
  return (
    x >= min.x - within &&
    x <= max.x + within &&
    y >= min.y - within &&
    y <= max.y + within &&
    z >= min.z - within &&
    z <= max.z + within
  );
}

function rayTriangles(mesh: Mesh, ray: ReadonlyRay, any: boolean): boolean {
  if (isStill(ray)) return false;
  copyPoint(ray.origin, search.origin);
  copyPoint(ray.direction, search.direction);
  search.tMax = limit.t;
  search.mode = any ? ANY : CLOSEST;
  const place = searchRay(search, mesh);
  if (place < 0) return false;
  fillHit(search, mesh, place, pierced);
  found.t = pierced.t;
  copyPoint(pierced.point, found.point);
  copyPoint(pierced.normal, found.normal);
  found.triangle = pierced.triangle;
  return true;
}

function rayHalfSpace(
  { normal: n, d }: HalfSpaceShape,
  ray: ReadonlyRay,
  tMax: number,
  { within }: Touch,
): boolean {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const height = n.x * ox + n.y * oy + n.z * oz - d;
  if (height <= within) {
    startInside(ray, found);
    return true;
  }
  const t = height / -(n.x * dx + n.y * dy + n.z * dz);
  if (!(t > 0 && t <= tMax * RAY_SLACK && t < Infinity)) return false;
  const { point } = found;
  found.t = Math.min(t, tMax);
  point.x = ox + t * dx;
  point.y = oy + t * dy;
  point.z = oz + t * dz;
  copyPoint(n, found.normal);
  return true;
}

const inner = makeRay();
const best = makeFound();

/** Of children hit at the same time, the first. */
function rayCompound(shape: CompoundShape, ray: ReadonlyRay, tMax: number, any: boolean): boolean {
  const { children, tree } = shape;
  best.child = -1;
  startWalk();
  for (
    let leaf = nextLeafForRay(shape, ray, tMax, placement, limit);
    leaf >= 0;
    leaf = nextLeafForRay(shape, ray, tMax, placement, limit)
  ) {
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const number = tree.items[i]!;
      const child = children[number]!;
      found.triangle = -1;
      if (!raySimple(child.shape, rayToBody(child.pose, ray, inner), tMax, any)) continue;
      if (any) return true;
      if (best.child >= 0 && !(found.t < best.t || (found.t === best.t && number < best.child))) continue;
      limit.t = found.t;
      best.t = found.t;
      best.child = number;
      best.triangle = found.triangle;
      pointToWorld(child.pose, found.point, best.point);
      normalToWorld(child.pose, found.normal, best.normal);
    }
  }
  if (best.child < 0) return false;
  found.t = best.t;
  copyPoint(best.point, found.point);
  copyPoint(best.normal, found.normal);
  found.child = best.child;
  found.triangle = best.triangle;
  return true;
}
