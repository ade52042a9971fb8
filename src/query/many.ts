/** The same query many times: particles, sight lines, a shape at many positions. Numbers in flat arrays, three a point. */
import { relativeFrame } from '../convex/frame.ts';
import { checkNumbers, describe, LARGEST, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { rayToBody } from '../shapes/body-space.ts';
import { raycastShape } from '../shapes/one-body/any-shape.ts';
import { releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import { intersectShapes } from '../shapes/pairs/dispatch.ts';
import { releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import type { CastHit } from '../shapes/results.ts';
import { type Body, shapeOf } from './body.ts';
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
  const to = out ?? {
    child: new Int32Array(count),
    triangle: new Int32Array(count),
    t: new Float64Array(count),
    point: new Float64Array(3 * count),
    normal: new Float64Array(3 * count),
  };
  mustHaveCapacity(caller, to.t, count);
  mustHaveCapacity(caller, to.child, count);
  mustHaveCapacity(caller, to.triangle, count);
  mustHaveCapacity(caller, to.point, 3 * count);
  mustHaveCapacity(caller, to.normal, 3 * count);
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
      to.t[i] = hit.t;
      to.child[i] = hit.part.child;
      to.triangle[i] = hit.part.triangle;
      store(hit.point, to.point, i);
      store(hit.normal, to.normal, i);
    }
  } finally {
    releaseBody();
  }
  return to;
}

const ORIGIN: ReadonlyVec3 = vec3();

function forget(hit: CastHit): void {
  hit.t = Infinity;
  hit.part.child = -1;
  hit.part.triangle = -1;
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

/**
 * Does body a, put at many positions one after the other, share a point with body b? `positions` has three numbers each;
 * `quaternions` four (x, y, z, w), or it is left away, and the body keeps its own rotation. 1 for yes and 0 for no:
 * `intersects` for each.
 */
export function intersectsMany(
  a: Body,
  poses: { readonly positions: Numbers; readonly quaternions?: Numbers | undefined },
  b: Body,
  options?: { readonly out?: Uint8Array | undefined },
): Uint8Array {
  const caller = 'intersectsMany';
  mustHave(caller, 'poses', poses, 'lists {positions, quaternions}', 'positions');
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'out');
  const { positions, quaternions } = poses;
  const out = options?.out;
  const count = countOf(caller, 'poses.positions', positions, 3);
  if (quaternions !== undefined && countOf(caller, 'poses.quaternions', quaternions, 4) !== count)
    refuse(
      caller,
      'poses.quaternions',
      `must be as many as positions, ${count}; got ${quaternions.length / 4}`,
    );
  const yes = out ?? new Uint8Array(count);
  mustHaveCapacity(caller, yes, count);
  const context = takeContext();
  try {
    const { poseA, poseB } = context;
    readPoses(caller, a, b, context);
    const first = shapeOf(a);
    const second = shapeOf(b);
    const { quaternion: q } = poseA;
    for (let i = 0; i < count; i++) {
      load(positions, i, poseA.position);
      if (quaternions) {
        q.x = quaternions[4 * i]!;
        q.y = quaternions[4 * i + 1]!;
        q.z = quaternions[4 * i + 2]!;
        q.w = quaternions[4 * i + 3]!;
      }
      relativeFrame(poseA, poseB, context.frame);
      yes[i] = +intersectShapes(first, second, context);
    }
  } finally {
    releaseContext();
  }
  return yes;
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
