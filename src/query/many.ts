/** The same question many times: particles, sight lines, a shape in many places. Numbers in flat arrays, three a point. */
import { checkNumbers, describe, LARGEST, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import { type Pose, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeRay } from '../primitives/types.ts';
import { type CastHit, makeCastHit, makeClosestPoint } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import { mustBeBodies, mustBeBody, mustBeDistance } from './check.ts';
import { closestPointWithin } from './closest-point.ts';
import { bodiesIntersect } from './intersects.ts';
import { raycastWithin } from './raycast.ts';

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

/** A copy of a body: no getter of its pose runs once the first ray or point is loaded. */
interface OwnBody {
  shape: Shape;
  readonly pose: Pose;
}

/**
 * Many rays against one body: `raycast` for each, to the last bit. `origins` and `directions` have three numbers a ray. What
 * is in `out` is written over; its arrays must have room for as many rays.
 */
export function raycastMany(
  origins: Numbers,
  directions: Numbers,
  body: Body,
  options?: { readonly maxDistance?: number | undefined; readonly out?: RayHits | undefined },
): RayHits {
  const caller = 'raycastMany';
  if (options !== undefined) mustBeOptions(caller, 'options', options, 'maxDistance out');
  const { maxDistance = Infinity, out } = options ?? {};
  mustBeDistance(caller, 'options.maxDistance', maxDistance);
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
  mustHaveRoom(caller, to.t, count);
  mustHaveRoom(caller, to.child, count);
  mustHaveRoom(caller, to.triangle, count);
  mustHaveRoom(caller, to.point, 3 * count);
  mustHaveRoom(caller, to.normal, 3 * count);
  const own = readBody(body);
  const ray = makeRay();
  const hit = makeCastHit();
  for (let i = 0; i < count; i++) {
    load(origins, i, ray.origin);
    load(directions, i, ray.direction);
    const found = raycastWithin(ray, own, maxDistance, hit) !== null;
    if (!found) forget(hit);
    to.t[i] = hit.t;
    to.child[i] = hit.part.child;
    to.triangle[i] = hit.part.triangle;
    store(hit.point, to.point, i);
    store(hit.normal, to.normal, i);
  }
  return to;
}

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
  mustHaveRoom(caller, to.distance, count);
  mustHaveRoom(caller, to.child, count);
  mustHaveRoom(caller, to.triangle, count);
  mustHaveRoom(caller, to.point, 3 * count);
  const own = readBody(body);
  const p = vec3(0.5, 0.5, 0.5);
  const closest = makeClosestPoint();
  for (let i = 0; i < count; i++) {
    closestPointWithin(load(points, i, p), own, Infinity, closest);
    to.distance[i] = closest.distance;
    to.child[i] = closest.part.child;
    to.triangle[i] = closest.part.triangle;
    store(closest.point, to.point, i);
  }
  return to;
}

/**
 * Does body a, put at many places one after the other, share a point with body b? `positions` has three numbers a place;
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
  mustBeBodies(caller, a, b);
  const count = countOf(caller, 'poses.positions', positions, 3);
  if (quaternions !== undefined && countOf(caller, 'poses.quaternions', quaternions, 4) !== count)
    refuse(
      caller,
      'poses.quaternions',
      `must be as many as positions, ${count}; got ${quaternions.length / 4}`,
    );
  const yes = out ?? new Uint8Array(count);
  mustHaveRoom(caller, yes, count);
  const placed = readBody(a);
  const own = readBody(b);
  const { quaternion: q } = placed.pose;
  for (let i = 0; i < count; i++) {
    load(positions, i, placed.pose.position);
    if (quaternions) {
      q.x = quaternions[4 * i]!;
      q.y = quaternions[4 * i + 1]!;
      q.z = quaternions[4 * i + 2]!;
      q.w = quaternions[4 * i + 3]!;
    }
    yes[i] = +bodiesIntersect(placed, own);
  }
  return yes;
}

function readBody(body: Body): OwnBody {
  const { position: p, quaternion: q } = poseOf(body);
  const pose = { position: v3.copy(p), quaternion: q4.copy(q) };
  return { shape: shapeOf(body), pose };
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

function mustHaveRoom(caller: string, list: ArrayLike<number>, length: number): void {
  if (!(list?.length >= length))
    refuse(caller, 'out', `must have room for ${length} numbers in each list, got ${list?.length}`);
}
