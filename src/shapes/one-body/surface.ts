/** Rays and points against a mesh or a height field. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import { isStill, startInside } from '../../primitives/ray/hit.ts';
import type { ReadonlyRay } from '../../primitives/types.ts';
import {
  closestPointMesh,
  fillNearest,
  makeMeshPoint,
  NearestSearch,
  searchNearest,
} from '../../trimesh/closest.ts';
import { isInsideClosed } from '../../trimesh/crossing-number.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { isInside } from '../../trimesh/inside.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import {
  ANY as ANY_HIT,
  CLOSEST,
  ALL as EVERY_HIT,
  fillHit,
  type MeshHit,
  RaySearch,
  searchRay,
} from '../../trimesh/ray.ts';
import { signedDistanceMesh } from '../../trimesh/signed-distance.ts';
import { copyPoint } from '../body-space.ts';
import { meshOf, type Surface } from '../pairs/surface.ts';
import { ALL, ANY, BACK, type BodyContext, FRONT, makeFound } from './body-context.ts';
import { keepFound } from './convex.ts';

// No user code runs while these are in use.
const search = /* @__PURE__ */ new RaySearch();
const nearest = /* @__PURE__ */ new NearestSearch();
const onMesh = makeMeshPoint();

export function raycastSurface(shape: Surface, ray: ReadonlyRay, context: BodyContext): boolean {
  const mesh = meshOf(shape);
  const { solid, side } = context;
  const starts =
    solid &&
    side !== BACK &&
    isInBox(mesh, ray.origin, context) &&
    (startsAtTriangle(mesh, ray, context) ||
      (shape.kind === 'mesh' && isClosed(mesh) && isInsideClosed(ray.origin, mesh)));
  return raycastTriangles(shape, ray, context, starts);
}

/** The same when it is known whether the ray starts inside, and counts as a hit there. */
export function raycastTriangles(
  shape: Surface,
  ray: ReadonlyRay,
  context: BodyContext,
  starts: boolean,
): boolean {
  const mesh = meshOf(shape);
  const { mode, side } = context;
  if (starts) {
    startInside(ray, context.found);
    if (mode !== ALL) return true;
    keepFound(context);
  }
  if (isStill(ray)) return starts;
  if (mode === ALL || side === BACK) return rayAllTriangles(mesh, ray, context) || starts;
  startSearch(ray, context);
  search.mode = mode === ANY ? ANY_HIT : CLOSEST;
  const slot = searchRay(search, mesh);
  if (slot < 0) return false;
  if (mode !== ANY) fillHit(search, mesh, slot, context.found);
  return true;
}

function startSearch({ origin, direction }: ReadonlyRay, { limit, side }: BodyContext): void {
  copyPoint(origin, search.origin);
  copyPoint(direction, search.direction);
  search.tMax = limit;
  search.front = side === FRONT;
}

function write({ t, point, normal, triangle }: Readonly<MeshHit>, out: BodyContext['found']): void {
  out.t = t;
  copyPoint(point, out.point);
  copyPoint(normal, out.normal);
  out.triangle = triangle;
}

/** Every triangle that the ray hits, on the sides that count; or the first of them. */
function rayAllTriangles(mesh: Mesh, ray: ReadonlyRay, context: BodyContext): boolean {
  const { mode, side, all, found } = context;
  const hits = allHits(mesh, ray, context, side === FRONT);
  // What is not hit on its front is hit on its back.
  const fronts = side === BACK ? new Set(allHits(mesh, ray, context, true).map((one) => one.triangle)) : null;
  let any = false;
  for (const one of hits) {
    if (fronts?.has(one.triangle)) continue;
    const first = !any;
    any = true;
    if (mode === ALL) {
      const kept = makeFound();
      kept.child = found.child;
      write(one, kept);
      all.push(kept);
    } else if (first || one.t < found.t) write(one, found);
  }
  return any;
}

function allHits(mesh: Mesh, ray: ReadonlyRay, context: BodyContext, front: boolean): readonly MeshHit[] {
  const hits: MeshHit[] = [];
  startSearch(ray, context);
  search.mode = EVERY_HIT;
  search.front = front;
  search.hits = hits;
  search.hitCount = 0;
  searchRay(search, mesh);
  search.hits = null;
  return hits;
}

/** Does the ray start on the surface, as far as rounding can tell? */
function startsAtTriangle(mesh: Mesh, { origin }: ReadonlyRay, { within, found }: BodyContext): boolean {
  const slot = slotWithin(origin, mesh, within);
  if (slot < 0) return false;
  found.triangle = mesh.ids[slot]!;
  return true;
}

function isInBox({ bounds }: Mesh, { x, y, z }: ReadonlyVec3, { within }: BodyContext): boolean {
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

export function closestPointSurface(shape: Surface, p: ReadonlyVec3, { found, limit }: BodyContext): boolean {
  const mesh = meshOf(shape);
  const slot = slotWithin(p, mesh, limit);
  if (slot < 0) return false;
  const { point, distance, triangle } = fillNearest(nearest, mesh, slot, onMesh);
  found.distance = distance;
  copyPoint(point, found.point);
  found.triangle = triangle;
  return true;
}

/** The slot of the triangle nearest to p, if it is within a distance; else -1. */
function slotWithin(p: ReadonlyVec3, mesh: Mesh, distance: number): number {
  copyPoint(p, nearest.point);
  nearest.maxDistance = distance;
  return searchNearest(nearest, mesh);
}

/** Is p on a triangle, as far as rounding can tell? @internal */
export const isOnSurfaceWithin = (p: ReadonlyVec3, mesh: Mesh, within: number): boolean =>
  slotWithin(p, mesh, within) >= 0;

export function surfaceContains(shape: Surface, p: ReadonlyVec3, { within }: BodyContext): boolean {
  const mesh = meshOf(shape);
  return (shape.kind === 'mesh' && isInside(p, mesh)) || slotWithin(p, mesh, within) >= 0;
}

export const signedDistanceSurface = (shape: Surface, p: ReadonlyVec3): number =>
  shape.kind === 'mesh'
    ? signedDistanceMesh(p, shape, onMesh)
    : closestPointMesh(p, shape.mesh, Infinity, onMesh)!.distance;
