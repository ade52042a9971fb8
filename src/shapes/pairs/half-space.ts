/** Half-spaces against everything else that is bounded, and against each other. RTCD §5.2.3. */
import type { SteadyMotion } from '../../continuous/motion.ts';
import { type ConvexCore, POLYTOPE, supportCore } from '../../convex/core.ts';
import { directionToFirst, type Frame, relativeFrame } from '../../convex/frame.ts';
import { reduceContacts } from '../../convex/reduce-contacts.ts';
import { makePatch, supportingFace } from '../../convex/supporting-face.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { FAMILY } from '../../trimesh/family-key.ts';
import { lowestVertex } from '../../trimesh/lowest-vertex.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { normalToWorld, pointToWorld } from '../body-space.ts';
import { POINT_CORE } from '../cores.ts';
import type { CastHit, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import type { ConvexShape, HalfSpaceShape, PointShape, Shape } from '../shape.ts';
import { advance } from './conservative-advancement.ts';
import type { MovingPair } from './moving-pair.ts';
import { clearParts, copySeparation, flipped, type PairAlgorithm } from './pair.ts';
import { meshOf, type Surface } from './surface.ts';

/** The half-space n · x <= d of the second body, as the first sees it. */
const wall = { x: 0.5, y: 0.5, z: 0.5, d: 0.5 };

function loadWall({ normal, d }: HalfSpaceShape, frame: Frame): void {
  directionToFirst(frame, normal, wall);
  wall.d = d + (wall.x * frame.tx + wall.y * frame.ty + wall.z * frame.tz);
}

const down = vec3();
const low = vec3();
const across = vec3();
const along = vec3();
/** The corners of the patch, in the plane of the wall. */
const flat = { count: 0, ax: [] as number[], ay: [] as number[], least: 0 };
const chosen = new Int32Array(4);

/** Fills in how far the point `low` of the first body, which goes on by `radius`, is from the wall. */
function fillFromLow(radius: number, out: Separation): void {
  const { x, y, z, d } = wall;
  const height = x * low.x + y * low.y + z * low.z - d;
  out.separation = height - radius;
  out.normal.x = x;
  out.normal.y = y;
  out.normal.z = z;
  out.pointA.x = low.x - radius * x;
  out.pointA.y = low.y - radius * y;
  out.pointA.z = low.z - radius * z;
  out.pointB.x = low.x - height * x;
  out.pointB.y = low.y - height * y;
  out.pointB.z = low.z - height * z;
  clearParts(out.partA, out.partB);
}

const scratch = makeSeparation();

/** Some units in the last place of the numbers that a height is computed from: what a contact may come early by. */
const EARLY = 16 * EPS64;

/** The first contact of something that is `scratch.separation` away. */
function castFromLow(motion: ReadonlyVec3, reach: number, hit: CastHit): boolean {
  const { separation, pointA, normal, partA } = scratch;
  const { x, y, z, d } = wall;
  const speed = motion.x * x + motion.y * y + motion.z * z;
  const slack = EARLY * (reach + Math.abs(d));
  let t = 0;
  if (separation > slack) {
    if (!(speed < 0)) return false;
    t = (separation - slack) / -speed;
  }
  if (!(t <= hit.t)) return false;
  hit.t = t;
  hit.point.x = pointA.x + t * motion.x;
  hit.point.y = pointA.y + t * motion.y;
  hit.point.z = pointA.z + t * motion.z;
  hit.normal.x = normal.x;
  hit.normal.y = normal.y;
  hit.normal.z = normal.z;
  clearParts(hit.part, hit.moverPart);
  hit.moverPart.triangle = partA.triangle;
  return true;
}

function lowestOfConvex({ core }: ConvexShape, b: HalfSpaceShape, frame: Frame, out: Separation): Separation {
  loadWall(b, frame);
  supportCore(core, loadDown(), -1, low);
  loadWall(b, frame); // the support may be a user's, who asked of another half-space
  fillFromLow(core.radius, out);
  return out;
}

function loadDown(): ReadonlyVec3 {
  down.x = -wall.x;
  down.y = -wall.y;
  down.z = -wall.z;
  return down;
}

/** The first contact of a body that `core` holds with a half-space. */
function advanceToWall<A extends Shape>(
  core: ConvexCore,
  a: A,
  b: HalfSpaceShape,
  algorithm: PairAlgorithm<A, HalfSpaceShape>,
  context: MovingPair,
  hit: CastHit,
): boolean {
  context.first.core = core;
  context.second.core = null;
  context.a = a;
  context.b = b;
  context.algorithm = algorithm as unknown as PairAlgorithm;
  return advance(context, hit);
}

const BY_HEIGHT = 'closed form for corners; conservative advancement of curved shapes';

export const convexHalfSpace: PairAlgorithm<ConvexShape, HalfSpaceShape> = {
  name: 'support point',
  intersects: (a, b, { frame }) => lowestOfConvex(a, b, frame, scratch).separation <= 0,
  separation(a, b, { frame, limit }, out) {
    if (!(lowestOfConvex(a, b, frame, scratch).separation <= limit)) return false;
    copySeparation(scratch, out);
    return true;
  },
  gap(a, b, context, out) {
    return this.separation(a, b, context, out);
  },
  contacts(a, b, { frame, limit }, sink) {
    if (!(lowestOfConvex(a, b, frame, scratch).separation <= limit)) return;
    const { radius } = a.core;
    // The side that lies on the wall, up to four of its corners, of which each that is near enough counts.
    const patch = makePatch();
    supportingFace(a.core, a.faces, loadDown(), patch);
    loadWall(b, frame);
    loadDown();
    v3.perpendicular(down, across);
    v3.cross(down, across, along);
    for (let i = 0, at = 0; i < patch.count; i++, at += 3) {
      const [x, y, z] = [patch.points[at]!, patch.points[at + 1]!, patch.points[at + 2]!];
      flat.ax[i] = x * across.x + y * across.y + z * across.z;
      flat.ay[i] = x * along.x + y * along.y + z * along.z;
    }
    flat.count = patch.count;
    const count = reduceContacts(flat, -1, chosen);
    let any = false;
    for (let i = 0; i < count; i++) {
      const at = 3 * chosen[i]!;
      low.x = patch.points[at]!;
      low.y = patch.points[at + 1]!;
      low.z = patch.points[at + 2]!;
      fillFromLow(radius, scratch);
      if (!(scratch.separation <= limit)) continue;
      any = true;
      sink.add(scratch);
    }
    // Corners of a round end approximate it: the lowest point itself may be the only one near enough.
    if (!any) sink.add(lowestOfConvex(a, b, frame, scratch));
  },
  cast(a, b, { frame, motion }, hit) {
    lowestOfConvex(a, b, frame, scratch);
    return castFromLow(motion, a.core.reach, hit);
  },
  rotation: BY_HEIGHT,
  castRotating(a, b, context, hit) {
    context.first.fills = true;
    return advanceToWall(a.core, a, b, this, context, hit);
  },
  whole: null,
};

function lowestOfMesh(mesh: Mesh, b: HalfSpaceShape, frame: Frame, out: Separation): Separation {
  loadWall(b, frame);
  const triangle = lowestVertex(mesh, wall, low);
  fillFromLow(0, out);
  out.partA.triangle = triangle;
  return out;
}

const reachOf = ({ bounds: { min, max } }: Mesh): number =>
  Math.abs(min.x) + Math.abs(max.x) + Math.abs(min.y) + Math.abs(max.y) + Math.abs(min.z) + Math.abs(max.z);

/** The box of a mesh as a convex set. */
class BoundsCore {
  readonly core: ConvexCore & { reach: number } = {
    ...POINT_CORE,
    type: POLYTOPE,
    data: new Float64Array(24),
    reach: 0.5,
  };

  load({ bounds: { min, max } }: Mesh): ConvexCore {
    const { data } = this.core;
    for (let i = 0; i < 8; i++) {
      data[3 * i] = (i & 1) === 1 ? max.x : min.x;
      data[3 * i + 1] = (i & 2) === 2 ? max.y : min.y;
      data[3 * i + 2] = (i & 4) === 4 ? max.z : min.z;
    }
    const x = Math.max(-min.x, max.x);
    const y = Math.max(-min.y, max.y);
    const z = Math.max(-min.z, max.z);
    this.core.reach = Math.sqrt(x * x + y * y + z * z);
    return this.core;
  }
}

export const surfaceHalfSpace: PairAlgorithm<Surface, HalfSpaceShape> = {
  name: 'lowest vertex',
  intersects: (a, b, { frame }) => lowestOfMesh(meshOf(a), b, frame, scratch).separation <= 0,
  separation(a, b, { frame, limit }, out) {
    if (!(lowestOfMesh(meshOf(a), b, frame, scratch).separation <= limit)) return false;
    copySeparation(scratch, out);
    return true;
  },
  gap(a, b, context, out) {
    return this.separation(a, b, context, out);
  },
  contacts(a, b, { frame, limit }, sink) {
    const mesh = meshOf(a);
    if (!(lowestOfMesh(mesh, b, frame, scratch).separation <= limit)) return;
    const { vertices, corners, ids } = mesh;
    const seen = new Set<number>();
    for (let i = 0; i < corners.length; i++) {
      const at = 3 * corners[i]!;
      if (seen.has(at)) continue;
      seen.add(at);
      low.x = vertices[at]!;
      low.y = vertices[at + 1]!;
      low.z = vertices[at + 2]!;
      fillFromLow(0, scratch);
      if (!(scratch.separation <= limit)) continue;
      scratch.partA.triangle = ids[Math.floor(i / 3)]!;
      sink.add(scratch);
    }
  },
  cast(a, b, { frame, motion }, hit) {
    lowestOfMesh(meshOf(a), b, frame, scratch);
    return castFromLow(motion, reachOf(meshOf(a)), hit);
  },
  rotation: 'conservative advancement of the lowest vertex',
  castRotating(a, b, context, hit) {
    context.bounds ??= new BoundsCore();
    context.first.fills = false;
    return advanceToWall((context.bounds as BoundsCore).load(meshOf(a)), a, b, this, context, hit);
  },
  whole: null,
};

const own = vec3();

/** How far apart two half-spaces are: -Infinity unless they face each other, as nothing parts them then. */
function betweenWalls(a: HalfSpaceShape, b: HalfSpaceShape, frame: Frame, out: Separation): Separation {
  loadWall(b, frame);
  const { normal, d } = a;
  const { x, y, z } = wall;
  const facing = normal.x * x + normal.y * y + normal.z * z < 0;
  const cx = normal.y * z - normal.z * y;
  const cy = normal.z * x - normal.x * z;
  const cz = normal.x * y - normal.y * x;
  // Two rotated unit vectors are parallel to within rounding, or they are not.
  const parallel = cx * cx + cy * cy + cz * cz <= PARALLEL_ROTATED;
  out.separation = facing && parallel ? -(d + wall.d) : -Infinity;
  out.normal.x = x;
  out.normal.y = y;
  out.normal.z = z;
  own.x = normal.x * d;
  own.y = normal.y * d;
  own.z = normal.z * d;
  const height = own.x * x + own.y * y + own.z * z - wall.d;
  out.pointA.x = own.x;
  out.pointA.y = own.y;
  out.pointA.z = own.z;
  out.pointB.x = own.x - height * x;
  out.pointB.y = own.y - height * y;
  out.pointB.z = own.z - height * z;
  clearParts(out.partA, out.partB);
  return out;
}

/** sin² of the angle that rounding makes of 0 between two unit vectors that have been rotated. */
const PARALLEL_ROTATED = 1e-28;

export const halfSpaceHalfSpace: PairAlgorithm<HalfSpaceShape, HalfSpaceShape> = {
  name: 'two planes',
  intersects: (a, b, { frame }) => betweenWalls(a, b, frame, scratch).separation <= 0,
  separation(a, b, { frame, limit }, out) {
    if (!(betweenWalls(a, b, frame, scratch).separation <= limit)) return false;
    copySeparation(scratch, out);
    return true;
  },
  gap(a, b, context, out) {
    return this.separation(a, b, context, out);
  },
  contacts(a, b, { frame, limit }, sink) {
    if (betweenWalls(a, b, frame, scratch).separation <= limit) sink.add(scratch);
  },
  cast(a, b, { frame, motion }, hit) {
    betweenWalls(a, b, frame, scratch);
    if (!castFromLow(motion, Math.abs(a.d), hit)) return false;
    if (hit.t === 0) sharedByWalls(a, scratch, hit.point);
    return true;
  },
  rotation: 'at once where one tilts; else conservative advancement of a point',
  castRotating: castRotatingWalls,
  whole: null,
};

/** A point on a wall. */
const FOOT: PointShape = { kind: 'point', core: POINT_CORE, faces: null, [FAMILY]: null };
/** The other way round. */
export const halfSpaceConvex = /* @__PURE__ */ flipped(convexHalfSpace);
const inPlane = vec3();
const spin = vec3();

/**
 * Half-spaces that face each other meet far away as soon as one tilts against the other. While none does, they are as far
 * apart as any point of the one is from the other.
 */
function castRotatingWalls(a: HalfSpaceShape, b: HalfSpaceShape, context: MovingPair, hit: CastHit): boolean {
  const { first, second, normal, pair, inner } = context;
  relativeFrame(first.pose, second.pose, pair.frame);
  const { separation, pointB } = betweenWalls(a, b, pair.frame, scratch);
  normalToWorld(first.pose, scratch.normal, normal);
  v3.scale(second.motion.axis, second.motion.angle, spin);
  v3.addScaled(spin, first.motion.axis, -first.motion.angle, spin);
  const together = spin.x === 0 && spin.y === 0 && spin.z === 0;
  if (separation > 0 && (together || !(tilts(first.motion, normal) || tilts(second.motion, normal)))) {
    inner.first.load(first.pose, first.motion);
    inner.second.load(second.pose, second.motion);
    pointToWorld(first.pose, pointB, inner.second.pose.position);
    if (!halfSpaceConvex.castRotating(a, FOOT, inner, hit)) return false;
    context.gap = inner.gap;
    return true;
  }
  context.gap = Math.max(0, separation);
  hit.t = 0;
  pointToWorld(first.pose, pointB, hit.point);
  v3.copy(normal, hit.normal);
  clearParts(hit.part, hit.moverPart);
  return true;
}

const tilts = ({ axis, angle }: SteadyMotion, normal: ReadonlyVec3): boolean =>
  angle > 0 && v3.lengthSq(v3.cross(axis, normal, inPlane)) > 0;

/** A point of both of two half-spaces that overlap, near the foot of the origin on the first. */
function sharedByWalls({ normal }: HalfSpaceShape, { pointA, pointB }: Separation, out: Vec3): void {
  v3.copy(pointA, out);
  const { x, y, z } = wall;
  const height = (pointA.x - pointB.x) * x + (pointA.y - pointB.y) * y + (pointA.z - pointB.z) * z;
  if (height <= 0) return;
  const cosine = normal.x * x + normal.y * y + normal.z * z;
  if (cosine >= 0) {
    v3.copy(pointB, out);
    return;
  }
  // Along the plane of the first, down to that of the second.
  v3.addScaled(wall, normal, -cosine, across);
  v3.addScaled(pointA, across, -height / v3.lengthSq(across), out);
}
