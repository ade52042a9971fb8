/** Two meshes or height fields. */
import {
  directionToFirst,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toSecond,
} from '../../convex/frame.ts';
import { BEYOND_ROUNDING } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeAabb } from '../../primitives/types.ts';
import { makeMeshPoint } from '../../trimesh/closest.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { NearestSlots, nearestSlots } from '../../trimesh/mesh-mesh/distance.ts';
import {
  type FoundPairs,
  findContained,
  makeContained,
  searchPairs,
} from '../../trimesh/mesh-mesh/overlap.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitSwept } from '../../trimesh/visit-triangles.ts';
import { copyPoint } from '../body-space.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { castCores } from './convex-cast.ts';
import { separateCores, sharedPoint } from './convex-distance.ts';
import { depthOfTriangles, makeMeeting } from './moving-triangles.ts';
import { clearParts, type PairAlgorithm } from './pair.ts';
import { PairContext } from './pair-context.ts';
import { wholeBodies } from './penetration-depth.ts';
import { arePolyhedral, BY_SWEEP, castPolyhedral } from './polyhedral-rotation.ts';
import { castRotatingSurfaces } from './rotating-triangles.ts';
import { findExit, leadsOutOfFirst, leadsOutOfSecond, meshOf, type Surface } from './surface.ts';

const IDENTITY = makeFrame();
const found: FoundPairs = { count: 0, pairs: new Uint32Array(1024) };
const contained = makeContained();
const single = makeSeparation();

/** A triangle of each mesh as convex sets. No user code runs while they are in use: one pair serves all. */
class TrianglePair {
  readonly one = new TriangleCore();
  readonly two = new TriangleCore();
  /** Where the first stands; it is seen from its first corner. */
  readonly frame = makeFrame();
  readonly context: PairContext = new PairContext();

  load(a: Mesh, slotA: number, b: Mesh, slotB: number, frame: Frame): void {
    const { frame: between } = this.context;
    this.one.load(a, slotA, IDENTITY, this.frame);
    this.two.load(b, slotB, frame, between);
    between.tx -= this.frame.tx;
    between.ty -= this.frame.ty;
    between.tz -= this.frame.tz;
  }

  separate(out: Separation): void {
    this.context.limit = Infinity;
    separateCores(this.one.core, this.two.core, this.context, out);
    this.shift(out.pointA);
    this.shift(out.pointB);
  }

  /** From the first corner of the first triangle to the space of its mesh. */
  shift(p: Vec3): void {
    p.x += this.frame.tx;
    p.y += this.frame.ty;
    p.z += this.frame.tz;
  }
}

const triangles = /* @__PURE__ */ new TrianglePair();

/** Two triangles of the list that was found, one against the other, in the space of the first mesh. */
function separateFound(i: number, a: Mesh, b: Mesh, frame: Frame, out: Separation): void {
  const slotA = found.pairs[i]!;
  const slotB = found.pairs[i + 1]!;
  triangles.load(a, slotA, b, slotB, frame);
  triangles.separate(out);
  out.partA.triangle = a.ids[slotA]!;
  out.partB.triangle = b.ids[slotB]!;
}

const pair = makeMeeting();

/** Where in the list of pairs the two triangles are that are deepest in each other. */
function findDeepest(a: Mesh, b: Mesh, frame: Frame): number {
  let deepest = 0;
  let most = -Infinity;
  for (let i = 0; i < 2 * found.count; i += 2) {
    pair.slotA = found.pairs[i]!;
    pair.slotB = found.pairs[i + 1]!;
    if (!depthOfTriangles(a, b, frame, pair) || !(pair.exit > most)) continue;
    most = pair.exit;
    deepest = i;
  }
  return deepest;
}

/** Of meshes whose triangles do not touch. Of one that floats in the other, all but the normal: see `fillContained`. */
function separateByNearest(
  first: Mesh,
  second: Mesh,
  { frame, limit }: PairContext,
  out: Separation,
): boolean {
  if (!nearestSlots(first, second, frame, Math.max(0, limit), nearest)) return false;
  const { a, b, distance, slotA, slotB } = nearest;
  if (!(distance <= limit)) return false;
  const { normal } = out;
  v3.sub(a, b, normal);
  if (slotA >= 0 && slotB >= 0) {
    if (distance > BEYOND_ROUNDING * (Math.abs(a.x) + Math.abs(a.y) + Math.abs(a.z)))
      v3.scale(normal, 1 / v3.length(normal), normal);
    else {
      // The difference of the points is rounding. That of the triangles, from corner to corner, is not.
      triangles.load(first, slotA, second, slotB, frame);
      triangles.separate(out);
    }
  }
  out.separation = distance;
  copyPoint(a, out.pointA);
  copyPoint(b, out.pointB);
  clearParts(out.partA, out.partB);
  if (slotA >= 0) out.partA.triangle = first.ids[slotA]!;
  if (slotB >= 0) out.partB.triangle = second.ids[slotB]!;
  return true;
}

const nearest = /* @__PURE__ */ new NearestSlots();
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
  findExit(corner, isFirst ? second : first, exit, normal);
  if (isFirst) directionToFirst(frame, normal, normal);
  else v3.scale(normal, -1, normal);
  (isFirst ? partB : partA).triangle = exit.triangle;
}

class MovingTriangle implements TriangleVisitor {
  bound = 1;
  a: Mesh | null = null;
  b: Mesh | null = null;
  /** Of the triangle of a. */
  slot = 0;
  frame = IDENTITY;
  hit: CastHit | null = null;
  found = false;

  visit(slot: number): void {
    const { a, b } = this;
    const hit = this.hit!;
    triangles.load(a!, this.slot, b!, slot, this.frame);
    if (!castCores(triangles.one.core, triangles.two.core, triangles.context, hit)) return;
    triangles.shift(hit.point);
    hit.moverPart.triangle = a!.ids[this.slot]!;
    hit.part.triangle = b!.ids[slot]!;
    this.bound = hit.t;
    this.found = true;
  }
}

const moving = new MovingTriangle();
const back = makeFrame();
const box = makeAabb();
const rotated = vec3();

export const surfaceSurface: PairAlgorithm<Surface, Surface> = {
  name: 'trees of oriented boxes, convex algorithms for triangles that touch',
  intersects(a, b, { frame }) {
    const first = meshOf(a);
    const second = meshOf(b);
    return searchPairs(first, second, frame, null) || findContained(first, second, frame, contained) !== null;
  },
  gap(a, b, context, out) {
    const first = meshOf(a);
    const second = meshOf(b);
    if (!searchPairs(first, second, context.frame, null))
      return separateByNearest(first, second, context, out);
    out.separation = 0;
    return true;
  },
  /** Of meshes that overlap, the depth is that of the two triangles that are deepest in each other. */
  separation(a, b, context, out) {
    const first = meshOf(a);
    const second = meshOf(b);
    const { frame, limit } = context;
    found.count = 0;
    if (!searchPairs(first, second, frame, found)) return separateByNearest(first, second, context, out);
    separateFound(findDeepest(first, second, frame), first, second, frame, out);
    if (out.separation > 0) out.separation = 0; // they touch, exactly: rounding said otherwise
    return out.separation <= limit;
  },
  contacts(a, b, context, sink) {
    const first = meshOf(a);
    const second = meshOf(b);
    const { frame } = context;
    found.count = 0;
    searchPairs(first, second, frame, found);
    if (found.count === 0) {
      if (context.limit > 0 && this.separation(a, b, context, single)) sink.add(single);
      return;
    }
    const { one, two } = triangles;
    for (let i = 0; i < 2 * found.count; i += 2) {
      separateFound(i, first, second, frame, single);
      if (!leadsOutOfFirst(first, single, one.core.reach)) continue;
      if (leadsOutOfSecond(second, frame, single, two.core.reach)) sink.add(single);
    }
  },
  cast(a, b, context, hit) {
    const first = meshOf(a);
    const second = meshOf(b);
    const { frame, motion } = context;
    context.limit = 0;
    if (hit.t >= 0 && this.separation(a, b, context, single)) {
      hit.t = 0;
      if (found.count > 0) {
        sharedPoint(triangles.one.core, triangles.two.core, triangles.context, hit.point);
        triangles.shift(hit.point);
      } else {
        if (single.partA.triangle < 0 || single.partB.triangle < 0)
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
    directionToSecond(frame, motion, rotated);
    copyPoint(motion, triangles.context.motion);
    Object.assign(moving, { a: first, b: second, frame, hit, found: false, bound: hit.t });
    for (moving.slot = 0; moving.slot < first.triangleCount; moving.slot++) {
      boxOfTriangle(first, moving.slot);
      visitSwept(second, box, rotated, moving);
    }
    return moving.found;
  },
  rotation: BY_SWEEP,
  castRotating: (a, b, context, hit) =>
    arePolyhedral(a, b, context)
      ? castPolyhedral(a, b, context, hit)
      : castRotatingSurfaces(a, b, context, hit),
  whole: wholeBodies,
};

/** The box around a triangle of the first mesh, as the second sees it. */
function boxOfTriangle({ vertices, corners }: Mesh, slot: number): void {
  const { min, max } = box;
  min.x = min.y = min.z = Infinity;
  max.x = max.y = max.z = -Infinity;
  for (let k = 0; k < 3; k++) {
    const at = 3 * corners[3 * slot + k]!;
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
