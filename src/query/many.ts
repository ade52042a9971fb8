/** The same query many times: particles, sight lines, a shape at many positions. Numbers in flat arrays, three a point. */
import { relativeFrame } from '../convex/frame.ts';
import { checkNumbers, describe, isPose, LARGEST, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import { type Pose, pose, type Quat, type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { copyPose, rayToBody } from '../shapes/body-space.ts';
import { raycastShape } from '../shapes/one-body/any-shape.ts';
import { releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { clearParts } from '../shapes/pairs/pair.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import { type CastHit, makeCastHit } from '../shapes/results.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { castMotions, RESTING } from './cast-motions.ts';
import { mustBeBody, readLimit } from './check.ts';
import { findClosest } from './closest-point.ts';
import { resetOptions, writeHit } from './raycast.ts';
import { readBody, readPoses, startAt } from './read-body.ts';

type Numbers = ArrayLike<number>;

/** The first hits of many rays: time (infinite for a miss), point and normal (x, y, z; 0), child and triangle (-1). */
export interface RayHits {
  readonly child: Int32Array;
  readonly triangle: Int32Array;
  readonly t: Float64Array;
  readonly point: Float64Array;
  readonly normal: Float64Array;
}

/** The closest points to many points: x, y, z, the distance, child and triangle. */
export interface ClosestPoints {
  readonly child: Int32Array;
  readonly triangle: Int32Array;
  readonly distance: Float64Array;
  readonly point: Float64Array;
}

/**
 * Many rays against one body: `raycast` for each, to the last bit. `origins` and `directions` have three numbers a ray. What
 * is in `out` is written over; its arrays must be long enough for all rays.
 */
export function raycastMany(
  origins: Numbers,
  directions: Numbers,
  body: Body,
  options?: { readonly maxDistance?: number | undefined; readonly out?: RayHits | undefined },
): RayHits {
  const caller = 'raycastMany';
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'maxDistance out');
  const out = options?.out;
  mustBeBody(caller, 'body', body);
  const count = countOf(caller, 'origins', origins, 3);
  if (countOf(caller, 'directions', directions, 3) !== count)
    refuse(caller, 'directions', `must be as many as origins, ${count}; got ${directions.length / 3}`);
  const to = out ?? makeRayHits(count);
  mustHoldHits(caller, to, count);
  const context = takeBody();
  try {
    const { asked, ray, pose, hit } = context;
    readLimit(caller, options, context);
    const { limit } = context;
    const shape = readBody(body, ORIGIN, context);
    for (let i = 0; i < count; i++) {
      resetOptions(context);
      context.limit = limit;
      load(origins, i, asked.origin);
      load(directions, i, asked.direction);
      startAt(shape, context);
      if (raycastShape(shape, rayToBody(pose, asked, ray), context)) writeHit(context.found, context, hit);
      else forget(hit);
      storeHit(hit, to, i);
    }
  } finally {
    releaseBody();
  }
  return to;
}

const ORIGIN: ReadonlyVec3 = vec3();

const makeRayHits = (count: number): RayHits => ({
  child: new Int32Array(count),
  triangle: new Int32Array(count),
  t: new Float64Array(count),
  point: new Float64Array(3 * count),
  normal: new Float64Array(3 * count),
});

function mustHoldHits(caller: string, { t, child, triangle, point, normal }: RayHits, count: number): void {
  mustHaveCapacity(caller, t, count);
  mustHaveCapacity(caller, child, count);
  mustHaveCapacity(caller, triangle, count);
  mustHaveCapacity(caller, point, 3 * count);
  mustHaveCapacity(caller, normal, 3 * count);
}

function storeHit({ t, part, point, normal }: CastHit, to: RayHits, i: number): void {
  to.t[i] = t;
  to.child[i] = part.child;
  to.triangle[i] = part.triangle;
  store(point, to.point, i);
  store(normal, to.normal, i);
}

function forget(hit: CastHit): void {
  hit.t = Infinity;
  clearParts(hit.part, hit.moverPart);
  const { point, normal } = hit;
  point.x = point.y = point.z = 0;
  normal.x = normal.y = normal.z = 0;
}

/** The points of a body closest to many points, three numbers each: `closestPoint` for each, to the last bit. */
export function closestPointMany(
  points: Numbers,
  body: Body,
  options?: { readonly out?: ClosestPoints | undefined },
): ClosestPoints {
  const caller = 'closestPointMany';
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  const out = options?.out;
  mustBeBody(caller, 'body', body);
  const count = countOf(caller, 'points', points, 3);
  const to = out ?? {
    child: new Int32Array(count),
    triangle: new Int32Array(count),
    distance: new Float64Array(count),
    point: new Float64Array(3 * count),
  };
  mustHaveCapacity(caller, to.distance, count);
  mustHaveCapacity(caller, to.child, count);
  mustHaveCapacity(caller, to.triangle, count);
  mustHaveCapacity(caller, to.point, 3 * count);
  const context = takeBody();
  try {
    const { asked, found } = context;
    const shape = readBody(body, ORIGIN, context);
    for (let i = 0; i < count; i++) {
      context.limit = Infinity;
      load(points, i, asked.origin);
      startAt(shape, context);
      findClosest(shape, context);
      to.distance[i] = found.distance;
      to.child[i] = found.child;
      to.triangle[i] = found.triangle;
      store(found.point, to.point, i);
    }
  } finally {
    releaseBody();
  }
  return to;
}

/** Where a body is put, one pose after the other. */
export interface PoseList {
  /** Three numbers each. */
  readonly positions: Numbers;
  /** Four numbers each (x, y, z, w). Default: the body keeps its own rotation. */
  readonly quaternions?: Numbers | undefined;
}

/**
 * Does body a, put at many poses one after the other, share a point with body b? 1 for yes and 0 for no: `intersects` for each, to
 * the last bit.
 */
export function intersectsMany(
  a: Body,
  poses: PoseList,
  b: Body,
  options?: { readonly out?: Uint8Array | undefined },
): Uint8Array {
  const caller = 'intersectsMany';
  mustHave(caller, 'poses', poses, 'lists {positions, quaternions}', 'positions');
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  const count = countOfPoses(caller, OF_POSES, poses);
  const yes = options?.out ?? new Uint8Array(count);
  mustHaveCapacity(caller, yes, count);
  const context = takeContext();
  try {
    const { poseA, poseB } = context;
    readPoses(caller, a, b, context);
    const first = shapeOf(a);
    const second = shapeOf(b);
    for (let i = 0; i < count; i++) {
      loadPose(poses, i, poseA);
      q4.normalize(poseA.quaternion, poseA.quaternion);
      relativeFrame(poseA, poseB, context.frame);
      yes[i] = +intersectShapes(first, second, context);
    }
  } finally {
    releaseContext();
  }
  return yes;
}

/** The first contacts of many casts: those of `RayHits`, and the part of the mover, child and triangle. */
export interface CastHits extends RayHits {
  readonly moverChild: Int32Array;
  readonly moverTriangle: Int32Array;
}

/** Translations, three numbers each, from many poses; without `positions` all start where the body stands. */
export interface CastList extends Partial<PoseList> {
  readonly translations: Numbers;
}

/** Many casts of one body against another that rests: `cast` with a translation for each, to the last bit. */
export function castMany(
  mover: Body,
  casts: CastList,
  target: Body,
  options?: { readonly out?: CastHits | undefined },
): CastHits {
  const caller = 'castMany';
  mustHave(caller, 'casts', casts, 'lists {translations, positions, quaternions}', 'translations');
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  mustBeBody(caller, 'mover', mover);
  mustBeBody(caller, 'target', target);
  const { translations, positions, quaternions } = casts;
  const count = countOf(caller, 'casts.translations', translations, 3);
  const poses = positions === undefined ? null : { positions, quaternions };
  if (poses === null && quaternions !== undefined)
    refuse(caller, 'casts.quaternions', 'needs casts.positions beside it');
  if (poses !== null && countOfPoses(caller, OF_CASTS, poses) !== count)
    refuse(
      caller,
      'casts.positions',
      `must be as many as translations, ${count}; got ${positions!.length / 3}`,
    );
  const to = options?.out ?? {
    ...makeRayHits(count),
    moverChild: new Int32Array(count),
    moverTriangle: new Int32Array(count),
  };
  mustHoldHits(caller, to, count);
  mustHaveCapacity(caller, to.moverChild, count);
  mustHaveCapacity(caller, to.moverTriangle, count);
  const motion = { translation: vec3() };
  const placed = { shape: shapeOf(mover), pose: copyPose(poseOf(mover), pose()) };
  const hit = makeCastHit();
  for (let i = 0; i < count; i++) {
    if (poses !== null) loadPose(poses, i, placed.pose);
    load(translations, i, motion.translation);
    if (castMotions(placed, motion, target, RESTING, hit) === null) forget(hit);
    storeHit(hit, to, i);
    to.moverChild[i] = hit.moverPart.child;
    to.moverTriangle[i] = hit.moverPart.triangle;
  }
  return to;
}

/** What the lists are called in errors: put together once, not at every call. */
const OF_POSES = { positions: 'poses.positions', quaternions: 'poses.quaternions' };
const OF_CASTS = { positions: 'casts.positions', quaternions: 'casts.quaternions' };

/** How many poses there are. Refuses a quaternion of zero. */
function countOfPoses(caller: string, names: typeof OF_POSES, { positions, quaternions }: PoseList): number {
  const count = countOf(caller, names.positions, positions, 3);
  if (quaternions === undefined) return count;
  if (countOf(caller, names.quaternions, quaternions, 4) !== count)
    refuse(
      caller,
      names.quaternions,
      `must be as many as positions, ${count}; got ${quaternions.length / 4}`,
    );
  for (let i = 0; i < count; i++) {
    loadQuaternion(quaternions, i, TEST.quaternion);
    if (!isPose(TEST)) refuse(caller, names.quaternions, `must not be zero, as number ${i} is`);
  }
  return count;
}

const TEST = /* @__PURE__ */ pose();

function loadPose({ positions, quaternions }: PoseList, i: number, to: Pose): void {
  load(positions, i, to.position);
  if (quaternions !== undefined) loadQuaternion(quaternions, i, to.quaternion);
}

function loadQuaternion(list: Numbers, i: number, to: Quat): void {
  to.x = list[4 * i]!;
  to.y = list[4 * i + 1]!;
  to.z = list[4 * i + 2]!;
  to.w = list[4 * i + 3]!;
}

function load(list: Numbers, i: number, to: Vec3): Vec3 {
  to.x = list[3 * i]!;
  to.y = list[3 * i + 1]!;
  to.z = list[3 * i + 2]!;
  return to;
}

function store(from: Vec3, list: Float64Array, i: number): void {
  list[3 * i] = from.x;
  list[3 * i + 1] = from.y;
  list[3 * i + 2] = from.z;
}

/** How many there are. Refuses lists with parts left over or with numbers that are not finite, by the first of them. */
function countOf(caller: string, name: string, list: Numbers, size: number): number {
  checkNumbers(caller, name, list);
  if (list.length % size !== 0)
    refuse(caller, name, `must have ${size} numbers each, got ${list.length} in all`);
  for (let i = 0; i < list.length; i++)
    if (!(Math.abs(list[i]!) <= LARGEST))
      refuse(caller, `${name}[${i}]`, `must be a finite number within ±${LARGEST}, got ${describe(list[i])}`);
  return list.length / size;
}

function mustHaveCapacity(caller: string, list: ArrayLike<number>, length: number): void {
  if (!(list?.length >= length))
    refuse(caller, 'out', `must have room for ${length} numbers in each list, got ${list?.length}`);
}
