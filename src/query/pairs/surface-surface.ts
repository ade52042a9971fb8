/** Two meshes or height fields. */
import {
  copyFrame,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toSecond,
  turnToFirst,
} from '../../convex/frame.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { closestPointMesh, makeMeshPoint } from '../../trimesh/closest.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { makeMeshPointPair, nearestMeshes } from '../../trimesh/mesh-mesh/distance.ts';
import {
  type FoundPairs,
  findContained,
  makeContained,
  searchPairs,
} from '../../trimesh/mesh-mesh/overlap.ts';
import { type TriangleVisitor, visitSwept } from '../../trimesh/visit-triangles.ts';
import { copyPoint } from '../placed.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { castCores, separateCores, sharedPoint } from './convex-convex.ts';
import { leadsOut } from './leads-out.ts';
import { clearParts, type PairAlgorithm } from './pair.ts';
import { meshOf, type Surface } from './surface.ts';
import { depthOfTriangles, makeMeeting } from './surface-exit.ts';
import { TriangleCore } from './triangle-core.ts';

const IDENTITY = makeFrame();
const found: FoundPairs = { count: 0, pairs: new Uint32Array(1024) };
const contained = makeContained();
const closest = makeMeshPointPair();
const one = new TriangleCore();
const two = new TriangleCore();
const between = makeFrame();
const single = makeSeparation();

/** The triangles at two places, one against the other, in the space of the first mesh. */
function separateTriangles(
  a: Mesh,
  placeA: number,
  b: Mesh,
  placeB: number,
  frame: Frame,
  margin: number,
  out: Separation,
): boolean {
  one.load(a, placeA, IDENTITY);
  two.load(b, placeB, frame);
  // Both are known from their first corners: the place of the second as the first sees it, and the answer moved back.
  copyFrame(two.frame, between);
  between.tx -= one.frame.tx;
  between.ty -= one.frame.ty;
  between.tz -= one.frame.tz;
  if (!separateCores(one.core, two.core, between, margin, out)) return false;
  shift(out.pointA, one.frame);
  shift(out.pointB, one.frame);
  out.partA.triangle = a.ids[placeA]!;
  out.partB.triangle = b.ids[placeB]!;
  return true;
}

function shift(p: Vec3, { tx, ty, tz }: Frame): void {
  p.x += tx;
  p.y += ty;
  p.z += tz;
}

const pair = makeMeeting();

/** Where in the list of pairs the two triangles are that are deepest in each other. */
function findDeepest(a: Mesh, b: Mesh, frame: Frame): number {
  let deepest = 0;
  let most = -Infinity;
  for (let i = 0; i < 2 * found.count; i += 2) {
    pair.placeA = found.pairs[i]!;
    pair.placeB = found.pairs[i + 1]!;
    if (!depthOfTriangles(a, b, frame, pair) || !(pair.exit > most)) continue;
    most = pair.exit;
    deepest = i;
  }
  return deepest;
}

/** Of meshes whose triangles do not touch. */
function separateByNearest(
  first: Mesh,
  second: Mesh,
  frame: Frame,
  maxDistance: number,
  out: Separation,
): boolean {
  const near = nearestMeshes(first, second, frame, Math.max(0, maxDistance), closest);
  if (!near || !(near.distance <= maxDistance)) return false;
  clearParts(out.partA, out.partB);
  out.partA.triangle = near.triangleA;
  out.partB.triangle = near.triangleB;
  out.separation = near.distance;
  copyPoint(near.a, out.pointA);
  copyPoint(near.b, out.pointB);
  const scale = near.distance > 0 ? 1 / near.distance : 0;
  out.normal.x = (near.a.x - near.b.x) * scale;
  out.normal.y = (near.a.y - near.b.y) * scale;
  out.normal.z = (near.a.z - near.b.z) * scale;
  return true;
}

const corner = vec3();
const exit = makeMeshPoint();

/**
 * A mesh that floats in the other: the way out for its corner that was found there is by the nearest triangle of the other.
 * The points stay where they are, at that corner.
 */
function fillContained(first: Mesh, second: Mesh, frame: Frame, out: Separation): void {
  const { normal, pointA, partA, partB } = out;
  const isFirst = partA.triangle >= 0;
  if (isFirst) toSecond(frame, pointA, corner);
  else copyPoint(pointA, corner);
  closestPointMesh(corner, isFirst ? second : first, Infinity, exit);
  const scale = (isFirst ? 1 : -1) / (exit.distance || 1);
  normal.x = (exit.point.x - corner.x) * scale;
  normal.y = (exit.point.y - corner.y) * scale;
  normal.z = (exit.point.z - corner.z) * scale;
  if (isFirst) turnToFirst(frame, normal, normal);
  (isFirst ? partB : partA).triangle = exit.triangle;
}

class MovingTriangle implements TriangleVisitor {
  bound = 1;
  a: Mesh | null = null;
  b: Mesh | null = null;
  place = 0;
  frame = IDENTITY;
  motion: ReadonlyVec3 = vec3();
  hit: CastHit | null = null;
  found = false;

  visit(place: number): void {
    one.load(this.a!, this.place, IDENTITY);
    two.load(this.b!, place, this.frame);
    copyFrame(two.frame, between);
    between.tx -= one.frame.tx;
    between.ty -= one.frame.ty;
    between.tz -= one.frame.tz;
    if (!castCores(one.core, this.motion, two.core, between, this.hit!)) return;
    shift(this.hit!.point, one.frame);
    this.hit!.moverPart.triangle = this.a!.ids[this.place]!;
    this.hit!.part.triangle = this.b!.ids[place]!;
    this.bound = this.hit!.t;
    this.found = true;
  }
}

const moving = new MovingTriangle();
const back = makeFrame();
const box = makeAabb();
const turned = vec3();

export const surfaceSurface: PairAlgorithm<Surface, Surface> = {
  name: 'trees of oriented boxes, convex algorithms for triangles that touch',
  intersects(a, b, frame) {
    const [first, second] = [meshOf(a), meshOf(b)];
    return searchPairs(first, second, frame, null) || findContained(first, second, frame, contained) !== null;
  },
  /** Of meshes that overlap, the depth is that of the two triangles that are deepest in each other. */
  separation(a, b, frame, maxDistance, out) {
    const [first, second] = [meshOf(a), meshOf(b)];
    found.count = 0;
    if (searchPairs(first, second, frame, found)) {
      const deepest = findDeepest(first, second, frame);
      separateTriangles(
        first,
        found.pairs[deepest]!,
        second,
        found.pairs[deepest + 1]!,
        frame,
        Infinity,
        out,
      );
      if (out.separation > 0) out.separation = 0; // they touch, exactly: rounding said otherwise
      return out.separation <= maxDistance;
    }
    return separateByNearest(first, second, frame, maxDistance, out);
  },
  gap(a, b, frame, maxDistance, out) {
    const [first, second] = [meshOf(a), meshOf(b)];
    if (!searchPairs(first, second, frame, null))
      return separateByNearest(first, second, frame, maxDistance, out);
    out.separation = 0;
    return true;
  },
  contacts(a, b, frame, margin, sink) {
    const [first, second] = [meshOf(a), meshOf(b)];
    found.count = 0;
    searchPairs(first, second, frame, found);
    if (found.count === 0) {
      if (margin > 0 && this.separation(a, b, frame, margin, single)) sink.add(single);
      return;
    }
    for (let i = 0; i < found.count; i++) {
      const [p, q] = [found.pairs[2 * i]!, found.pairs[2 * i + 1]!];
      if (!separateTriangles(first, p, second, q, frame, Infinity, single)) continue;
      const { pointA, pointB, normal } = single;
      if (!leadsOut(first, IDENTITY, pointA, normal, -1, one.core.reach)) continue;
      if (leadsOut(second, frame, pointB, normal, 1, two.core.reach)) sink.add(single);
    }
  },
  cast(a, motion, b, frame, hit) {
    const [first, second] = [meshOf(a), meshOf(b)];
    if (hit.t >= 0 && this.separation(a, b, frame, 0, single)) {
      hit.t = 0;
      if (found.count > 0) {
        sharedPoint(one.core, two.core, between, hit.point);
        shift(hit.point, one.frame);
      } else {
        fillContained(first, second, frame, single);
        copyPoint(single.pointB, hit.point);
      }
      copyPoint(single.normal, hit.normal);
      clearParts(hit.part, hit.moverPart);
      hit.part.triangle = single.partB.triangle;
      hit.moverPart.triangle = single.partA.triangle;
      return true;
    }
    invertFrame(frame, back);
    directionToSecond(frame, motion, turned);
    Object.assign(moving, { a: first, b: second, frame, motion, hit, found: false, bound: hit.t });
    for (moving.place = 0; moving.place < first.triangleCount; moving.place++) {
      boxOfTriangle(first, moving.place);
      visitSwept(second, box, turned, moving);
    }
    return moving.found;
  },
};

/** The box around a triangle of the first mesh, as the second sees it. */
function boxOfTriangle({ vertices, corners }: Mesh, place: number): void {
  const { min, max } = box;
  min.x = min.y = min.z = Infinity;
  max.x = max.y = max.z = -Infinity;
  for (let k = 0; k < 3; k++) {
    const at = 3 * corners[3 * place + k]!;
    const [x, y, z] = [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
    const u = back.m00 * x + back.m01 * y + back.m02 * z + back.tx;
    const v = back.m10 * x + back.m11 * y + back.m12 * z + back.ty;
    const w = back.m20 * x + back.m21 * y + back.m22 * z + back.tz;
    if (u < min.x) min.x = u;
    if (v < min.y) min.y = v;
    if (w < min.z) min.z = w;
    if (u > max.x) max.x = u;
    if (v > max.y) max.y = v;
    if (w > max.z) max.z = w;
  }
}
