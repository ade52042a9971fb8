/** The same query many times: particles, sight lines, a shape at many positions. Numbers in flat arrays, three a point. */
import { relativeFrame } from '../convex/frame.ts';
import { isPose, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import { arrayOf, countOfList, type NumberList, offsetOf, strideOf } from '../math/number-list.ts';
import { type Pose, pose, type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { copyPose, rayToBody } from '../shapes/body-space.ts';
import { raycastShape } from '../shapes/one-body/any-shape.ts';
import { releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { clearParts } from '../shapes/pairs/pair.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import { type CastHit, makeCastHit } from '../shapes/results.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { castMotions, RESTING } from './cast-motions.ts';
import { mustBeBodies, mustBeBody, readLimit } from './check.ts';
import { findClosest } from './closest-point.ts';
import { resetOptions, writeHit } from './raycast.ts';
import { readBody, readPoses, startAt } from './read-body.ts';

/**
 * What many queries ask, checked: what one thread answers a part of. `second` is the other body of queries about two.
 *
 * @internal
 */
export interface ManyQueries {
  readonly count: number;
  readonly first: Body;
  readonly second: Body | null;
  readonly lists: readonly (NumberList | undefined)[];
  readonly maxDistance: number;
}

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
 * Many rays against one body: `raycast` for each, to the last bit. `origins` and `directions` have three numbers a ray; they may
 * share an array: `{ array, offset, stride }`. What is in `out` is written over; its arrays must be long enough for all rays.
 */
export function raycastMany(
  origins: NumberList,
  directions: NumberList,
  body: Body,
  options?: ManyRayOptions,
): RayHits {
  const queries = checkRays('raycastMany', origins, directions, body, options);
  const to = options?.out ?? makeRayHits(queries.count);
  runRays(queries, to, 0, queries.count);
  return to;
}

export interface ManyRayOptions {
  readonly maxDistance?: number | undefined;
  readonly out?: RayHits | undefined;
}

/** @internal */
export function checkRays(
  caller: string,
  origins: NumberList,
  directions: NumberList,
  body: Body,
  options: ManyRayOptions | undefined,
): ManyQueries {
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'maxDistance out');
  mustBeBody(caller, 'body', body);
  const count = countOfList(caller, 'origins', origins, 3);
  const other = countOfList(caller, 'directions', directions, 3);
  if (other !== count) refuse(caller, 'directions', `must be as many as origins, ${count}; got ${other}`);
  if (options?.out !== undefined) mustHoldHits(caller, options.out, count);
  const limit = { limit: 0.5 };
  readLimit(caller, options, limit);
  return { count, first: body, second: null, lists: [origins, directions], maxDistance: limit.limit };
}

/** Rays from … to - 1. @internal */
export function runRays(
  { first: body, lists: [origins, directions], maxDistance }: Omit<ManyQueries, 'count'>,
  out: RayHits,
  from: number,
  to: number,
): void {
  const o = arrayOf(origins!);
  const oFirst = offsetOf(origins!);
  const oStep = strideOf(origins!, 3);
  const d = arrayOf(directions!);
  const dFirst = offsetOf(directions!);
  const dStep = strideOf(directions!, 3);
  const context = takeBody();
  try {
    const { asked, ray, pose, hit } = context;
    const shape = readBody(body, ORIGIN, context);
    for (let i = from; i < to; i++) {
      resetOptions(context);
      context.limit = maxDistance;
      load(o, oFirst + i * oStep, asked.origin);
      load(d, dFirst + i * dStep, asked.direction);
      startAt(shape, context);
      if (raycastShape(shape, rayToBody(pose, asked, ray), context)) writeHit(context.found, context, hit);
      else forget(hit);
      storeHit(hit, out, i);
    }
  } finally {
    releaseBody();
  }
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
export function closestPointMany(points: NumberList, body: Body, options?: ManyPointOptions): ClosestPoints {
  const queries = checkPoints('closestPointMany', points, body, options);
  const { count } = queries;
  const to = options?.out ?? {
    child: new Int32Array(count),
    triangle: new Int32Array(count),
    distance: new Float64Array(count),
    point: new Float64Array(3 * count),
  };
  runPoints(queries, to, 0, count);
  return to;
}

export interface ManyPointOptions {
  readonly out?: ClosestPoints | undefined;
}

/** @internal */
export function checkPoints(
  caller: string,
  points: NumberList,
  body: Body,
  options: ManyPointOptions | undefined,
): ManyQueries {
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  mustBeBody(caller, 'body', body);
  const count = countOfList(caller, 'points', points, 3);
  const out = options?.out;
  if (out !== undefined) {
    mustHaveCapacity(caller, out.distance, count);
    mustHaveCapacity(caller, out.child, count);
    mustHaveCapacity(caller, out.triangle, count);
    mustHaveCapacity(caller, out.point, 3 * count);
  }
  return { count, first: body, second: null, lists: [points], maxDistance: Infinity };
}

/** Points from … to - 1. @internal */
export function runPoints(
  { first: body, lists: [points] }: Omit<ManyQueries, 'count'>,
  out: ClosestPoints,
  from: number,
  to: number,
): void {
  const list = arrayOf(points!);
  const first = offsetOf(points!);
  const step = strideOf(points!, 3);
  const context = takeBody();
  try {
    const { asked, found } = context;
    const shape = readBody(body, ORIGIN, context);
    for (let i = from; i < to; i++) {
      context.limit = Infinity;
      load(list, first + i * step, asked.origin);
      startAt(shape, context);
      findClosest(shape, context);
      out.distance[i] = found.distance;
      out.child[i] = found.child;
      out.triangle[i] = found.triangle;
      store(found.point, out.point, i);
    }
  } finally {
    releaseBody();
  }
}

/** Where a body is put, one pose after the other. */
export interface PoseList {
  /** Three numbers each. */
  readonly positions: NumberList;
  /** Four numbers each (x, y, z, w). Default: the body keeps its own rotation. */
  readonly quaternions?: NumberList | undefined;
}

/**
 * Does body a, put at many poses one after the other, share a point with body b? 1 for yes and 0 for no: `intersects` for each, to
 * the last bit.
 */
export function intersectsMany(a: Body, poses: PoseList, b: Body, options?: ManyPoseOptions): Uint8Array {
  const queries = checkPoses('intersectsMany', a, poses, b, options);
  const yes = options?.out ?? new Uint8Array(queries.count);
  runPoses(queries, { yes }, 0, queries.count);
  return yes;
}

export interface ManyPoseOptions {
  readonly out?: Uint8Array | undefined;
}

/** @internal */
export function checkPoses(
  caller: string,
  a: Body,
  poses: PoseList,
  b: Body,
  options: ManyPoseOptions | undefined,
): ManyQueries {
  mustHave(caller, 'poses', poses, 'lists {positions, quaternions}', 'positions');
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  const { positions, quaternions } = poses;
  const count = countOfPoses(caller, OF_POSES, { positions, quaternions });
  if (options?.out !== undefined) mustHaveCapacity(caller, options.out, count);
  mustBeBodies(caller, a, b);
  return { count, first: a, second: b, lists: [positions, quaternions], maxDistance: Infinity };
}

/** Poses from … to - 1. @internal */
export function runPoses(
  { first: a, second: b, lists: [positions, quaternions] }: Omit<ManyQueries, 'count'>,
  out: { readonly yes: Uint8Array },
  from: number,
  to: number,
): void {
  const context = takeContext();
  try {
    const { poseA, poseB } = context;
    readPoses('intersectsMany', a, b!, context);
    const first = shapeOf(a);
    const second = shapeOf(b!);
    for (let i = from; i < to; i++) {
      loadPose(positions!, quaternions, i, poseA);
      relativeFrame(poseA, poseB, context.frame);
      out.yes[i] = +intersectShapes(first, second, context);
    }
  } finally {
    releaseContext();
  }
}

/** The first contacts of many casts: those of `RayHits`, and the part of the mover, child and triangle. */
export interface CastHits extends RayHits {
  readonly moverChild: Int32Array;
  readonly moverTriangle: Int32Array;
}

/** Translations, three numbers each, from many poses; without `positions` all start where the body stands. */
export interface CastList extends Partial<PoseList> {
  readonly translations: NumberList;
}

/** Many casts of one body against another that rests: `cast` with a translation for each, to the last bit. */
export function castMany(mover: Body, casts: CastList, target: Body, options?: ManyCastOptions): CastHits {
  const queries = checkCasts('castMany', mover, casts, target, options);
  const { count } = queries;
  const to = options?.out ?? {
    ...makeRayHits(count),
    moverChild: new Int32Array(count),
    moverTriangle: new Int32Array(count),
  };
  runCasts(queries, to, 0, count);
  return to;
}

export interface ManyCastOptions {
  readonly out?: CastHits | undefined;
}

/** @internal */
export function checkCasts(
  caller: string,
  mover: Body,
  casts: CastList,
  target: Body,
  options: ManyCastOptions | undefined,
): ManyQueries {
  mustHave(caller, 'casts', casts, 'lists {translations, positions, quaternions}', 'translations');
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  mustBeBody(caller, 'mover', mover);
  mustBeBody(caller, 'target', target);
  const { translations, positions, quaternions } = casts;
  const count = countOfList(caller, 'casts.translations', translations, 3);
  if (positions === undefined && quaternions !== undefined)
    refuse(caller, 'casts.quaternions', 'needs casts.positions beside it');
  if (positions !== undefined) {
    const poses = countOfPoses(caller, OF_CASTS, { positions, quaternions });
    if (poses !== count)
      refuse(caller, 'casts.positions', `must be as many as translations, ${count}; got ${poses}`);
  }
  const out = options?.out;
  if (out !== undefined) {
    mustHoldHits(caller, out, count);
    mustHaveCapacity(caller, out.moverChild, count);
    mustHaveCapacity(caller, out.moverTriangle, count);
  }
  const lists = [translations, positions, quaternions];
  return { count, first: mover, second: target, lists, maxDistance: Infinity };
}

/** Casts from … to - 1. @internal */
export function runCasts(
  { first: mover, second: target, lists: [translations, positions, quaternions] }: Omit<ManyQueries, 'count'>,
  out: CastHits,
  from: number,
  to: number,
): void {
  const list = arrayOf(translations!);
  const first = offsetOf(translations!);
  const step = strideOf(translations!, 3);
  const motion = { translation: vec3() };
  const placed = { shape: shapeOf(mover), pose: copyPose(poseOf(mover), pose()) };
  const hit = makeCastHit();
  for (let i = from; i < to; i++) {
    if (positions !== undefined) loadPose(positions, quaternions, i, placed.pose);
    load(list, first + i * step, motion.translation);
    if (castMotions(placed, motion, target!, RESTING, hit) === null) forget(hit);
    storeHit(hit, out, i);
    out.moverChild[i] = hit.moverPart.child;
    out.moverTriangle[i] = hit.moverPart.triangle;
  }
}

/** What the lists are called in errors: put together once, not at every call. */
const OF_POSES = { positions: 'poses.positions', quaternions: 'poses.quaternions' };
const OF_CASTS = { positions: 'casts.positions', quaternions: 'casts.quaternions' };

/** How many poses there are. Refuses a quaternion of zero. */
function countOfPoses(caller: string, names: typeof OF_POSES, { positions, quaternions }: PoseList): number {
  const count = countOfList(caller, names.positions, positions, 3);
  if (quaternions === undefined) return count;
  const other = countOfList(caller, names.quaternions, quaternions, 4);
  if (other !== count)
    refuse(caller, names.quaternions, `must be as many as positions, ${count}; got ${other}`);
  for (let i = 0; i < count; i++) {
    loadPose(positions, quaternions, i, TEST);
    if (!isPose(TEST)) refuse(caller, names.quaternions, `must not be zero, as number ${i} is`);
  }
  return count;
}

const TEST = /* @__PURE__ */ pose();

function loadPose(positions: NumberList, quaternions: NumberList | undefined, i: number, to: Pose): void {
  load(arrayOf(positions), offsetOf(positions) + i * strideOf(positions, 3), to.position);
  if (quaternions === undefined) return;
  const list = arrayOf(quaternions);
  const at = offsetOf(quaternions) + i * strideOf(quaternions, 4);
  const q = to.quaternion;
  q.x = list[at]!;
  q.y = list[at + 1]!;
  q.z = list[at + 2]!;
  q.w = list[at + 3]!;
}

function load(list: ArrayLike<number>, at: number, to: Vec3): void {
  to.x = list[at]!;
  to.y = list[at + 1]!;
  to.z = list[at + 2]!;
}

function store(from: Vec3, list: Float64Array, i: number): void {
  list[3 * i] = from.x;
  list[3 * i + 1] = from.y;
  list[3 * i + 2] = from.z;
}

function mustHaveCapacity(caller: string, list: ArrayLike<number>, length: number): void {
  if (!(list?.length >= length))
    refuse(caller, 'out', `must have room for ${length} numbers in each list, got ${list?.length}`);
}
