/** Two meshes or height fields. */
import {
  copyFrame,
  directionToFirst,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toFirst,
  toSecond,
} from '../../convex/frame.ts';
import { BEYOND_ROUNDING, BOX_PADDING } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { type Aabb, makeAabb } from '../../primitives/types.ts';
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
  if (out.separation > 0) out.separation = 0; // they touch, exactly: rounding said otherwise
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
  findNearest: typeof nearestSlots,
): boolean {
  if (!findNearest(first, second, frame, Math.max(0, limit), nearest)) return false;
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

/** A triangle of one mesh, against those of the other that it may touch on its way. */
class MovingTriangle implements TriangleVisitor {
  bound = 1;
  a: Mesh | null = null;
  b: Mesh | null = null;
  /** The triangle at hand, of the mesh whose triangles are taken one by one, and whether that is the first. */
  slot = 0;
  takesFirst = true;
  frame = IDENTITY;
  hit: CastHit | null = null;
  found = false;

  visit(slot: number): void {
    const { a, b, takesFirst } = this;
    const hit = this.hit!;
    const slotA = takesFirst ? this.slot : slot;
    const slotB = takesFirst ? slot : this.slot;
    triangles.load(a!, slotA, b!, slotB, this.frame);
    if (!castCores(triangles.one.core, triangles.two.core, triangles.context, hit)) return;
    triangles.shift(hit.point);
    hit.moverPart.triangle = a!.ids[slotA]!;
    hit.part.triangle = b!.ids[slotB]!;
    this.bound = hit.t;
    this.found = true;
  }
}

/** The triangles of one mesh that come near to the box around the other, one by one. */
class MovingTriangles implements TriangleVisitor {
  bound = 1;

  visit(slot: number): void {
    moving.slot = slot;
    boxOfTriangle(listedMesh!, slot);
    visitSwept(otherMesh!, box, listedMotion, moving);
    this.bound = moving.bound;
  }
}

const moving = new MovingTriangle();
const outer = new MovingTriangles();
/** Of a cast: the mesh whose triangles are taken one by one, the other mesh, and where the first stands in its space. */
let listedMesh: Mesh | null = null;
let otherMesh: Mesh | null = null;
const listedFrame = makeFrame();
const listedMotion = vec3();
const otherMotion = vec3();
const box = makeAabb();
const whole = makeAabb();

/** The first contact of meshes that do not touch at the start. */
function castTriangles(first: Mesh, second: Mesh, context: PairContext, hit: CastHit): boolean {
  const { frame, motion } = context;
  // Of one that changes, only what the triangles of the other come to is worked out.
  const takesFirst = first.live === null || second.live !== null;
  listedMesh = takesFirst ? first : second;
  otherMesh = takesFirst ? second : first;
  if (takesFirst) {
    invertFrame(frame, listedFrame);
    directionToSecond(frame, motion, listedMotion);
    v3.scale(motion, -1, otherMotion);
    boxThrough(frame, second, whole);
  } else {
    copyFrame(frame, listedFrame);
    v3.scale(motion, -1, listedMotion);
    directionToSecond(frame, motion, otherMotion);
    boxThrough(invertFrame(frame, back), first, whole);
  }
  copyPoint(motion, triangles.context.motion);
  Object.assign(moving, { a: first, b: second, takesFirst, frame, hit, found: false, bound: hit.t });
  outer.bound = hit.t;
  visitSwept(listedMesh, whole, otherMotion, outer);
  listedMesh = null;
  otherMesh = null;
  return moving.found;
}

/** The box around a mesh that stands at a frame. */
function boxThrough(f: Frame, { bounds: { min, max } }: Mesh, out: Aabb): void {
  const x = (min.x + max.x) / 2;
  const y = (min.y + max.y) / 2;
  const z = (min.z + max.z) / 2;
  const u = max.x - x;
  const v = max.y - y;
  const w = max.z - z;
  v3.set(x, y, z, out.min);
  const { x: cx, y: cy, z: cz } = toFirst(f, out.min, out.min);
  const by = BOX_PADDING * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + u + v + w);
  const hx = Math.abs(f.m00) * u + Math.abs(f.m01) * v + Math.abs(f.m02) * w + by;
  const hy = Math.abs(f.m10) * u + Math.abs(f.m11) * v + Math.abs(f.m12) * w + by;
  const hz = Math.abs(f.m20) * u + Math.abs(f.m21) * v + Math.abs(f.m22) * w + by;
  v3.set(cx - hx, cy - hy, cz - hz, out.min);
  v3.set(cx + hx, cy + hy, cz + hz, out.max);
}

const back = makeFrame();

/** The algorithm for two surfaces, by a search for triangles that meet and one for the nearest. */
export const surfacesBy = (
  meet: typeof searchPairs,
  findNearest: typeof nearestSlots,
): PairAlgorithm<Surface, Surface> => ({
  name: 'trees of oriented boxes, convex algorithms for triangles that touch',
  intersects(a, b, { frame }) {
    const first = meshOf(a);
    const second = meshOf(b);
    return meet(first, second, frame, null) || findContained(first, second, frame, contained) !== null;
  },
  gap(a, b, context, out) {
    const first = meshOf(a);
    const second = meshOf(b);
    if (!meet(first, second, context.frame, null))
      return separateByNearest(first, second, context, out, findNearest);
    out.separation = 0;
    return true;
  },
  /** Of meshes that overlap, the depth is that of the two triangles that are deepest in each other. */
  separation(a, b, context, out) {
    const first = meshOf(a);
    const second = meshOf(b);
    const { frame, limit } = context;
    found.count = 0;
    if (!meet(first, second, frame, found))
      return separateByNearest(first, second, context, out, findNearest);
    separateFound(findDeepest(first, second, frame), first, second, frame, out);
    return out.separation <= limit;
  },
  contacts(a, b, context, sink) {
    const first = meshOf(a);
    const second = meshOf(b);
    const { frame } = context;
    found.count = 0;
    meet(first, second, frame, found);
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
    const { frame } = context;
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
    return castTriangles(first, second, context, hit);
  },
  rotation: BY_SWEEP,
  castRotating: (a, b, context, hit) =>
    arePolyhedral(a, b, context)
      ? castPolyhedral(a, b, context, hit)
      : castRotatingSurfaces(a, b, context, hit),
  whole: wholeBodies,
});

export const surfaceSurface: PairAlgorithm<Surface, Surface> = /* @__PURE__ */ surfacesBy(
  searchPairs,
  nearestSlots,
);

/** The box around a triangle of the mesh whose triangles are taken one by one, as the other sees it. */
function boxOfTriangle({ vertices, corners }: Mesh, slot: number): void {
  const { min, max } = box;
  min.x = min.y = min.z = Infinity;
  max.x = max.y = max.z = -Infinity;
  for (let k = 0; k < 3; k++) {
    const at = 3 * corners[3 * slot + k]!;
    const [x, y, z] = [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
    const u = listedFrame.m00 * x + listedFrame.m01 * y + listedFrame.m02 * z + listedFrame.tx;
    const v = listedFrame.m10 * x + listedFrame.m11 * y + listedFrame.m12 * z + listedFrame.ty;
    const w = listedFrame.m20 * x + listedFrame.m21 * y + listedFrame.m22 * z + listedFrame.tz;
    if (u < min.x) min.x = u;
    if (v < min.y) min.y = v;
    if (w < min.z) min.z = w;
    if (u > max.x) max.x = u;
    if (v > max.y) max.y = v;
    if (w > max.z) max.z = w;
  }
}
