/** The points in which two convex bodies touch: the contact manifold. RTCD §9.5.3. */
import { checkPoint, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeHit } from '../primitives/types.ts';
import { castConvex } from './cast.ts';
import type { FlatPatch } from './contact-patch.ts';
import {
  commonPlaces,
  flatten,
  makeContactFrame,
  makeFlatPatch,
  makePlacePairs,
  moveToPatch,
  setContactFrame,
} from './contact-patch.ts';
import { type ConvexCore, POINT } from './core.ts';
import { copyFrame, directionToSecond, type Frame, makeFrame, turnToFirst } from './frame.ts';
import { mustBeAFrame, mustBeCore } from './frame-check.ts';
import { spreadPoints } from './spread-points.ts';
import { mustNotRunInSupport } from './support-call.ts';
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

const frameOfContact = makeContactFrame();
const direction = vec3();
const patch = makePatch();
const flatA = makeFlatPatch();
const flatB = makeFlatPatch();
const places = makePlacePairs();
const heightA: number[] = [];
const heightB: number[] = [];
const chosen = new Int32Array(4);

/**
 * Where do two convex bodies in touch (or nearly, or a bit in each other) bear on each other? Up to four points: faces
 * that lie on each other share a polygon, four corners of which keep most of its area; an edge on a face, and two edges
 * side by side, give the ends of what they share; everything else one point.
 *
 * `touch` is what `gjkDistance` or `penetration` has found: the normal and the deepest points. What is foremost along the
 * normal is allowed a tilt of 0.05 radians, so that a body that rocks a little keeps its contacts, each with its own
 * separation: the least is that of `touch`, others may be in the air. `facesA` and `facesB` are those of cores that are
 * hulls of points; without them such a core, unless it is a triangle, touches in a point. Round ends touch in corners
 * that are fixed to the body. Points of rounded bodies that are tilted are on their surface to within a millionth of the
 * radius (of rounded cylinders and cones a thousandth).
 *
 * The same four points come out, with the same features, when the bodies move by a millionth.
 */
export function convexManifold(
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  touch: Touch,
  facesA: CoreFaces | null = null,
  facesB: CoreFaces | null = null,
  out: Manifold = makeManifold(),
): Manifold {
  mustNotRunInSupport('convexManifold');
  mustBeAFrame('convexManifold', frame);
  mustBeCore('convexManifold', 'a', a);
  mustBeCore('convexManifold', 'b', b);
  if (typeof touch !== 'object' || touch === null) refuseType('convexManifold', 'touch', 'a touch', touch);
  const { normal: n, pointA: touchA, pointB: touchB } = touch;
  mustBeTouch(n, touchA, touchB);
  setContactFrame(frameOfContact, touchA, n);
  v3.negate(n, direction);
  supportingFace(a, facesA, direction, patch);
  flatten(patch, frameOfContact, flatA);
  supportingFace(b, facesB, directionToSecond(frame, n, direction), patch);
  bring(frame, patch);
  flatten(patch, frameOfContact, flatB);

  commonPlaces(flatA, flatB, places);
  measureHeights(a, -1, flatA, places.ax, places.ay, heightA);
  measureHeights(b, 1, flatB, places.bx, places.by, heightB);
  if (flatA.count === 2 && flatB.count === 2) meetOverPlaces(a, b, frame);
  const deepest = includeTouch(touchB, n);
  // Contacts that are apart are at different features.
  places.least = 4 * AT * Math.min(flatA.size, flatB.size);
  let count = spreadPoints(places, -1, chosen);
  if (!isAmongChosen(deepest, count)) count = spreadPoints(places, deepest, chosen);

  v3.copy(n, out.normal);
  out.count = count;
  for (let k = 0; k < count; k++) writeContact(chosen[k]!, out.points[k]!);
  sortPoints(out);
  return out;
}

function mustBeTouch(n: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): void {
  checkPoint('convexManifold', 'touch.normal', n);
  checkPoint('convexManifold', 'touch.pointA', a);
  checkPoint('convexManifold', 'touch.pointB', b);
  const length = n.x * n.x + n.y * n.y + n.z * n.z;
  if (!(Math.abs(length - 1) < 1e-6)) refuse('convexManifold', 'touch.normal', 'must be a unit vector');
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
  turnToFirst(f, normal, normal);
}

const spot = new Float64Array(2);

/**
 * The heights of the surface over places of its patch: the upper surface (side 1) or the lower one (side -1).
 * A place has over it the ball about the point of the patch that reaches farthest there: that is the place itself when
 * the patch is level, a place downhill or uphill when it is not, and the nearest one of the patch if that is beyond its
 * rim.
 */
function measureHeights(
  core: ConvexCore,
  side: number,
  flat: FlatPatch,
  xs: readonly number[],
  ys: readonly number[],
  out: number[],
): void {
  const { base, gx, gy } = flat;
  const radius = side * core.radius;
  const away = radius / Math.sqrt(1 + gx * gx + gy * gy);
  const isLevel = radius === 0 || (gx === 0 && gy === 0);
  for (let i = 0; i < places.count; i++) {
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
 * Lines that run alongside each other at a small angle are some way apart sideways. Then the contact is over the place in
 * the middle, on the surfaces of both bodies, if they have one there.
 */
function meetOverPlaces(a: ConvexCore, b: ConvexCore, frame: Frame): void {
  const { ax, ay, bx, by } = places;
  const same = SIDEWAYS * Math.min(flatA.size, flatB.size);
  let kept = 0;
  for (let i = 0; i < places.count; i++) {
    const dx = bx[i]! - ax[i]!;
    const dy = by[i]! - ay[i]!;
    spot[0] = ax[i]! + 0.5 * dx;
    spot[1] = ay[i]! + 0.5 * dy;
    surface[0] = heightA[i]!;
    surface[1] = heightB[i]!;
    if (dx * dx + dy * dy > same * same && !(findSurface(a, STILL, -1) && findSurface(b, frame, 1))) continue;
    ax[kept] = bx[kept] = spot[0]!;
    ay[kept] = by[kept] = spot[1]!;
    heightA[kept] = surface[0]!;
    heightB[kept++] = surface[1]!;
  }
  places.count = kept;
}

/** Of the smaller patch: places that are no farther apart are one. */
const SIDEWAYS = 1e-9;
const STILL = makeFrame();
/** The heights of both bodies over a place. */
const surface = new Float64Array(2);
const up = vec3();
const from = vec3();
const seen = makeFrame();
const hit = makeHit();
const dot: ConvexCore = {
  type: POINT,
  data: new Float64Array(0),
  radius: 0,
  reach: 0,
  center: vec3(),
  inner: 0,
  firstNeighbour: new Uint32Array(0),
  neighbours: new Uint32Array(0),
  custom: null,
};

/** Finds the upper surface (side 1) of a body over the place `spot`, or the lower one; false if it has none there. */
function findSurface(core: ConvexCore, frame: Frame, side: number): boolean {
  const { origin: o, x: u, y: v, normal: n } = frameOfContact;
  // A point comes down on it, or up, from beyond it.
  const high = side * 4 * core.reach;
  v3.addScaled(o, u, spot[0]!, from);
  v3.addScaled(from, v, spot[1]!, from);
  v3.addScaled(from, n, high, from);
  copyFrame(frame, seen);
  seen.tx -= from.x;
  seen.ty -= from.y;
  seen.tz -= from.z;
  v3.scale(n, -2 * high, up);
  if (castConvex(dot, core, seen, up, 0, hit) === null) return false;
  surface[side > 0 ? 1 : 0] = high - 2 * high * hit.t;
  return true;
}

/** Adds the deepest points, if nothing is as deep, and returns the number of the deepest. */
function includeTouch(b: ReadonlyVec3, n: ReadonlyVec3): number {
  const { origin, x: u, y: v } = frameOfContact;
  let deepest = -1;
  let least = Infinity;
  for (let i = 0; i < places.count; i++) {
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
  const i = places.count++;
  places.ax[i] = 0;
  places.ay[i] = 0;
  places.bx[i] = v3.dot(direction, u);
  places.by[i] = v3.dot(direction, v);
  heightA[i] = 0;
  heightB[i] = heightOfB;
  return i;
}

function isAmongChosen(deepest: number, count: number): boolean {
  const limit = heightA[deepest]! - heightB[deepest]! + AS_DEEP * Math.min(flatA.size, flatB.size);
  for (let k = 0; k < count; k++) if (heightA[chosen[k]!]! - heightB[chosen[k]!]! <= limit) return true;
  return false;
}

function writeContact(i: number, out: ManifoldPoint): void {
  const { origin: o, x: u, y: v, normal: n } = frameOfContact;
  const ax = places.ax[i]!;
  const ay = places.ay[i]!;
  const az = heightA[i]!;
  out.a.x = o.x + ax * u.x + ay * v.x + az * n.x;
  out.a.y = o.y + ax * u.y + ay * v.y + az * n.y;
  out.a.z = o.z + ax * u.z + ay * v.z + az * n.z;
  const bx = places.bx[i]!;
  const by = places.by[i]!;
  const bz = heightB[i]!;
  out.b.x = o.x + bx * u.x + by * v.x + bz * n.x;
  out.b.y = o.y + bx * u.y + by * v.y + bz * n.y;
  out.b.z = o.z + bx * u.z + by * v.z + bz * n.z;
  out.separation = az - bz;
  out.featureA = featureAt(flatA, places.ax, places.ay, i);
  out.featureB = featureAt(flatB, places.bx, places.by, i);
}

/** The corner, edge or face of a patch that has place i. */
function featureAt(flat: FlatPatch, xs: readonly number[], ys: readonly number[], i: number): number {
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

/** By features, and where these are the same by nothing: contacts have different places. */
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
