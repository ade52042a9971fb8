/** The points in which two convex bodies touch: the contact manifold. RTCD §9.5.3. */
import { checkPoint, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeHit } from '../primitives/types.ts';
import { castConvex } from './cast.ts';
import { mustBeAFrame, mustBeCore } from './check.ts';
import type { FlatPatch } from './contact-clipping.ts';
import {
  clipPatches,
  flatten,
  makeContactFrame,
  makeFlatPatch,
  makePointPairs,
  moveToPatch,
  setContactFrame,
} from './contact-clipping.ts';
import { ContextPool } from './context-pool.ts';
import { type ConvexCore, NO_TABLE, POINT } from './core.ts';
import { copyFrame, directionToFirst, directionToSecond, type Frame, makeFrame } from './frame.ts';
import { reduceContacts } from './reduce-contacts.ts';
import { type CoreFaces, makePatch, type Patch, supportingFace } from './supporting-face.ts';

/** The deepest points of two bodies and the normal there, in the space of the first: what `gjkDistance` fills. */
export interface Touch {
  /** Unit vector out of the second body towards the first. */
  readonly normal: ReadonlyVec3;
  /** On the surface of the first body, and of the second. */
  readonly pointA: ReadonlyVec3;
  readonly pointB: ReadonlyVec3;
}

/** One point of contact, in the space of the first body. */
export interface ManifoldPoint {
  /** On the surface of the first body, and of the second. */
  readonly a: Vec3;
  readonly b: Vec3;
  /** From b to a along the normal: negative where the bodies are in each other. */
  separation: number;
  /**
   * Where on the bodies it is: four times the number of a corner; that of the corner where an edge starts, plus 1; or of
   * a face, plus 2. Together they name the contact from one moment to the next.
   */
  featureA: number;
  featureB: number;
}

/** Up to four points of contact, in the order of their features. */
export interface Manifold {
  count: number;
  /** Unit vector out of the second body towards the first. */
  readonly normal: Vec3;
  readonly points: readonly [ManifoldPoint, ManifoldPoint, ManifoldPoint, ManifoldPoint];
}

const makePoint = (): ManifoldPoint => ({ a: vec3(), b: vec3(), separation: 0, featureA: 0, featureB: 0 });

export const makeManifold = (): Manifold => ({
  count: 0,
  normal: vec3(),
  points: [makePoint(), makePoint(), makePoint(), makePoint()],
});

/** The deepest point of `penetration` is one of the contacts, unless one is as deep to this share of their spread. */
const AS_DEEP = 1e-6;
/** A contact so near to a corner or an edge, as a share of the smaller patch, is at that corner or edge. */
const AT = 1e-5;

/** A convex body: a core, and its faces if that is a hull of points. Convex shapes are such. */
export interface ConvexBody {
  readonly core: ConvexCore;
  readonly faces: CoreFaces | null;
}

class ManifoldContext {
  readonly contact = makeContactFrame();
  readonly direction = vec3();
  readonly patch = makePatch();
  readonly flatA = makeFlatPatch();
  readonly flatB = makeFlatPatch();
  readonly candidates = makePointPairs();
  readonly heightA: number[] = [];
  readonly heightB: number[] = [];
  readonly chosen = new Int32Array(4);
  /** Of lines alongside each other: the features of the first candidates, from before these were moved to the middle. */
  readonly featuresA: number[] = [];
  readonly featuresB: number[] = [];
  moved = 0;
  /** A point in the plane of the contact. */
  readonly spot = new Float64Array(2);
  /** The heights of both bodies over a point. */
  readonly surface = new Float64Array(2);
  /** Of a point that is cast at a body, to find its surface. */
  readonly motion = vec3();
  readonly from = vec3();
  readonly seen = makeFrame();
  readonly hit = makeHit();
}

const contexts = new ContextPool(() => new ManifoldContext());

/**
 * Where do two convex bodies in touch (or nearly, or a bit in each other) bear on each other? Up to four points: faces
 * that lie on each other share a polygon, four corners of which keep most of its area; an edge on a face, and two edges
 * side by side, give the ends of what they share; everything else one point.
 *
 * `touch` is what `gjkDistance` or `penetration` has found: the normal and the deepest points. What is foremost along the
 * normal is allowed a tilt of 0.05 radians, so that a body that rocks a little keeps its contacts, each with its own
 * separation: the least is that of `touch`, others may be in the air. A core that is a hull of points touches, without its
 * faces and unless it is a triangle, in a point. Round ends touch in corners
 * that are fixed to the body. Points of rounded bodies that are tilted are on their surface to within a millionth of the
 * radius (of rounded cylinders and cones a thousandth).
 *
 * The same four points come out, with the same features, when the bodies move by a millionth.
 */
export function convexManifold(
  a: ConvexBody,
  b: ConvexBody,
  frame: Frame,
  touch: Touch,
  out: Manifold = makeManifold(),
): Manifold {
  mustBeAFrame('convexManifold', frame);
  mustBeCore('convexManifold', 'a.core', a?.core);
  mustBeCore('convexManifold', 'b.core', b?.core);
  if (typeof touch !== 'object' || touch === null) refuseType('convexManifold', 'touch', 'a touch', touch);
  mustBeTouch(touch);
  const context = contexts.take();
  try {
    writeManifold(context, a, b, frame, touch, out);
  } finally {
    contexts.release();
  }
  return out;
}

function mustBeTouch({ normal: n, pointA, pointB }: Touch): void {
  checkPoint('convexManifold', 'touch.normal', n);
  checkPoint('convexManifold', 'touch.pointA', pointA);
  checkPoint('convexManifold', 'touch.pointB', pointB);
  const length = n.x * n.x + n.y * n.y + n.z * n.z;
  if (!(Math.abs(length - 1) < 1e-6)) refuse('convexManifold', 'touch.normal', 'must be a unit vector');
}

function writeManifold(
  context: ManifoldContext,
  { core: a, faces: facesA }: ConvexBody,
  { core: b, faces: facesB }: ConvexBody,
  frame: Frame,
  { normal: n, pointA, pointB }: Touch,
  out: Manifold,
): void {
  const { contact, direction, patch, flatA, flatB, candidates, chosen } = context;
  setContactFrame(contact, pointA, n);
  v3.negate(n, direction);
  supportingFace(a, facesA, direction, patch);
  flatten(patch, contact, flatA);
  supportingFace(b, facesB, directionToSecond(frame, n, direction), patch);
  bring(frame, patch);
  flatten(patch, contact, flatB);

  clipPatches(flatA, flatB, candidates);
  measureHeights(context, a, -1);
  measureHeights(context, b, 1);
  context.moved = 0;
  if (flatA.count === 2 && flatB.count === 2) meetInTheMiddle(context, a, b, frame);
  const deepest = includeTouch(context, pointB, n);
  // Contacts that are apart are at different features.
  candidates.least = 4 * AT * Math.min(flatA.size, flatB.size);
  let count = reduceContacts(candidates, -1, chosen);
  if (!isAmongChosen(context, deepest, count)) count = reduceContacts(candidates, deepest, chosen);

  v3.copy(n, out.normal);
  out.count = count;
  for (let k = 0; k < count; k++) writeContact(context, chosen[k]!, out.points[k]!);
  sortPoints(out);
}

/** From the space of the second body to that of the first. */
function bring(f: Frame, { points, count, normal }: Patch): void {
  for (let i = 0; i < 3 * count; i += 3) {
    const x = points[i]!;
    const y = points[i + 1]!;
    const z = points[i + 2]!;
    points[i] = f.m00 * x + f.m01 * y + f.m02 * z + f.tx;
    points[i + 1] = f.m10 * x + f.m11 * y + f.m12 * z + f.ty;
    points[i + 2] = f.m20 * x + f.m21 * y + f.m22 * z + f.tz;
  }
  directionToFirst(f, normal, normal);
}

/**
 * The heights of the surface over points of its patch: the upper surface (side 1, of the second body) or the lower one (side
 * -1, of the first).
 * A point has over it the ball about the point of the patch that reaches farthest there: that is the point itself when
 * the patch is level, a point downhill or uphill when it is not, and the nearest one of the patch if that is beyond its
 * rim.
 */
function measureHeights(context: ManifoldContext, core: ConvexCore, side: number): void {
  const { candidates, spot } = context;
  const flat = side < 0 ? context.flatA : context.flatB;
  const xs = side < 0 ? candidates.ax : candidates.bx;
  const ys = side < 0 ? candidates.ay : candidates.by;
  const out = side < 0 ? context.heightA : context.heightB;
  const { base, gx, gy } = flat;
  const radius = side * core.radius;
  const away = radius / Math.sqrt(1 + gx * gx + gy * gy);
  const isLevel = radius === 0 || (gx === 0 && gy === 0);
  for (let i = 0; i < candidates.count; i++) {
    const x = xs[i]!;
    const y = ys[i]!;
    const height = base + gx * x + gy * y;
    if (isLevel) {
      out[i] = height + radius;
      continue;
    }
    spot[0] = x + away * gx;
    spot[1] = y + away * gy;
    moveToPatch(flat, spot);
    const dx = spot[0]! - x;
    const dy = spot[1]! - y;
    const reach = Math.sqrt(Math.max(0, radius * radius - dx * dx - dy * dy));
    out[i] = height + gx * dx + gy * dy + (radius < 0 ? -reach : reach);
  }
}

/**
 * Lines that run alongside each other at a small angle are some way apart sideways. Then the contact is over the point in
 * the middle, on the surfaces of both bodies, if they have one there. It is still a contact of the corner where the stretch
 * ends, however far that is: otherwise both ends would be the same edges.
 */
function meetInTheMiddle(context: ManifoldContext, a: ConvexCore, b: ConvexCore, frame: Frame): void {
  const { candidates, flatA, flatB, heightA, heightB, spot, surface, featuresA, featuresB } = context;
  const { ax, ay, bx, by } = candidates;
  const same = SIDEWAYS * Math.min(flatA.size, flatB.size);
  let kept = 0;
  for (let i = 0; i < candidates.count; i++) {
    const dx = bx[i]! - ax[i]!;
    const dy = by[i]! - ay[i]!;
    spot[0] = ax[i]! + 0.5 * dx;
    spot[1] = ay[i]! + 0.5 * dy;
    surface[0] = heightA[i]!;
    surface[1] = heightB[i]!;
    const apart = dx * dx + dy * dy > same * same;
    if (apart && !(findSurface(context, a, STILL, -1) && findSurface(context, b, frame, 1))) continue;
    featuresA[kept] = featureAt(context, flatA, ax, ay, i);
    featuresB[kept] = featureAt(context, flatB, bx, by, i);
    ax[kept] = bx[kept] = spot[0]!;
    ay[kept] = by[kept] = spot[1]!;
    heightA[kept] = surface[0]!;
    heightB[kept++] = surface[1]!;
  }
  candidates.count = kept;
  context.moved = kept;
}

/** Of the smaller patch: points that are no farther apart are one. */
const SIDEWAYS = 1e-9;
const STILL = makeFrame();
const dot: ConvexCore = {
  type: POINT,
  data: new Float64Array(0),
  radius: 0,
  reach: 0,
  center: vec3(),
  inner: 0,
  firstNeighbour: new Uint32Array(0),
  neighbours: new Uint32Array(0),
  table: NO_TABLE,
  custom: null,
  axisSearch: null,
};

/** Finds the upper surface (side 1) of a body over the point `spot`, or the lower one; false if it has none there. */
function findSurface(context: ManifoldContext, core: ConvexCore, frame: Frame, side: number): boolean {
  const { spot, surface, motion, from, seen, hit } = context;
  const { origin: o, x: u, y: v, normal: n } = context.contact;
  // A point comes down on it, or up, from beyond it.
  const high = side * 4 * core.reach;
  v3.addScaled(o, u, spot[0]!, from);
  v3.addScaled(from, v, spot[1]!, from);
  v3.addScaled(from, n, high, from);
  copyFrame(frame, seen);
  seen.tx -= from.x;
  seen.ty -= from.y;
  seen.tz -= from.z;
  v3.scale(n, -2 * high, motion);
  if (castConvex(dot, core, seen, motion, 0, hit) === null) return false;
  surface[side > 0 ? 1 : 0] = high - 2 * high * hit.t;
  return true;
}

/** Adds the deepest points, if nothing is as deep, and returns the number of the deepest. */
function includeTouch(context: ManifoldContext, b: ReadonlyVec3, n: ReadonlyVec3): number {
  const { candidates, heightA, heightB, flatA, flatB, direction } = context;
  const { origin, x: u, y: v } = context.contact;
  let deepest = -1;
  let least = Infinity;
  for (let i = 0; i < candidates.count; i++) {
    const separation = heightA[i]! - heightB[i]!;
    if (separation < least) {
      least = separation;
      deepest = i;
    }
  }
  // Seen from a, which is the origin of the frame.
  v3.sub(b, origin, direction);
  const heightOfB = v3.dot(direction, n);
  if (least <= -heightOfB + AS_DEEP * Math.min(flatA.size, flatB.size)) return deepest;
  const i = candidates.count++;
  candidates.ax[i] = 0;
  candidates.ay[i] = 0;
  candidates.bx[i] = v3.dot(direction, u);
  candidates.by[i] = v3.dot(direction, v);
  heightA[i] = 0;
  heightB[i] = heightOfB;
  return i;
}

function isAmongChosen(context: ManifoldContext, deepest: number, count: number): boolean {
  const { heightA, heightB, flatA, flatB, chosen } = context;
  const limit = heightA[deepest]! - heightB[deepest]! + AS_DEEP * Math.min(flatA.size, flatB.size);
  for (let k = 0; k < count; k++) if (heightA[chosen[k]!]! - heightB[chosen[k]!]! <= limit) return true;
  return false;
}

function writeContact(context: ManifoldContext, i: number, out: ManifoldPoint): void {
  const { candidates, heightA, heightB } = context;
  const { origin: o, x: u, y: v, normal: n } = context.contact;
  const ax = candidates.ax[i]!;
  const ay = candidates.ay[i]!;
  const az = heightA[i]!;
  out.a.x = o.x + ax * u.x + ay * v.x + az * n.x;
  out.a.y = o.y + ax * u.y + ay * v.y + az * n.y;
  out.a.z = o.z + ax * u.z + ay * v.z + az * n.z;
  const bx = candidates.bx[i]!;
  const by = candidates.by[i]!;
  const bz = heightB[i]!;
  out.b.x = o.x + bx * u.x + by * v.x + bz * n.x;
  out.b.y = o.y + bx * u.y + by * v.y + bz * n.y;
  out.b.z = o.z + bx * u.z + by * v.z + bz * n.z;
  out.separation = az - bz;
  const isMoved = i < context.moved;
  out.featureA = isMoved
    ? context.featuresA[i]!
    : featureAt(context, context.flatA, candidates.ax, candidates.ay, i);
  out.featureB = isMoved
    ? context.featuresB[i]!
    : featureAt(context, context.flatB, candidates.bx, candidates.by, i);
}

/** The corner, edge or face of a patch that has candidate i. */
function featureAt(
  { flatA, flatB }: ManifoldContext,
  flat: FlatPatch,
  xs: readonly number[],
  ys: readonly number[],
  i: number,
): number {
  const { count, ids } = flat;
  const x = xs[i]!;
  const y = ys[i]!;
  const near =
    AT * (flatA.count < 2 ? flatB.size : flatB.count < 2 ? flatA.size : Math.min(flatA.size, flatB.size));
  for (let k = 0; k < count; k++) {
    const dx = x - flat.x[k]!;
    const dy = y - flat.y[k]!;
    if (count === 1 || dx * dx + dy * dy <= near * near) return 4 * ids[k]!;
  }
  if (count === 2) return 4 * ids[0]! + 1;
  for (let j = count - 1, k = 0; k < count; j = k++) {
    const ex = flat.x[k]! - flat.x[j]!;
    const ey = flat.y[k]! - flat.y[j]!;
    const beside = ex * (y - flat.y[j]!) - ey * (x - flat.x[j]!);
    if (beside * beside <= near * near * (ex * ex + ey * ey)) return 4 * ids[j]! + 1;
  }
  return 4 * flat.id + 2;
}

/** By features, and where these are the same by nothing: contacts have different positions. */
function sortPoints({ points, count }: Manifold): void {
  const list = points as unknown as ManifoldPoint[];
  for (let i = 1; i < count; i++) {
    const point = list[i]!;
    let k = i;
    for (; k > 0 && isAfter(list[k - 1]!, point); k--) list[k] = list[k - 1]!;
    list[k] = point;
  }
}

const isAfter = (p: ManifoldPoint, q: ManifoldPoint): boolean =>
  p.featureA > q.featureA || (p.featureA === q.featureA && p.featureB > q.featureB);
