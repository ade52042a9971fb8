/** The same question many times: particles, sight lines, a shape in many places. Numbers in flat arrays, three a point. */
import { checkNumbers, describe, LARGEST, mustBeOptions, refuse } from '../math/check.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import { type Body, readPoses, shapeOf } from './body.ts';
import { mustBeBodies, mustBeBody } from './check.ts';
import { closestPoint } from './closest-point.ts';
import { intersects } from './intersects.ts';
import { raycast } from './raycast.ts';
import { makeCastHit, makeClosestPoint } from './results.ts';

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

const ray = { origin: vec3(0.5, 0.5, 0.5), direction: vec3(0.5, 0.5, 0.5) };
const p = vec3(0.5, 0.5, 0.5);
const hit = makeCastHit();
/** A copy of the body: no getter of its pose runs once the first ray or point is loaded. */
const own = { shape: undefined as unknown as ReturnType<typeof shapeOf>, pose: makePose() };
const closest = makeClosestPoint();
const intoClosest = { out: closest };

/**
 * Many rays against one body: `raycast` for each, to the last bit. `origins` and `directions` have three numbers a ray. What
 * is in `out` is written over; its arrays must have room for as many rays.
 */
export function raycastMany(
  origins: Numbers,
  directions: Numbers,
  body: Body,
  tMax = Infinity,
  out?: RayHits,
): RayHits {
  const caller = 'raycastMany';
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
  readBody(body, own);
  for (let i = 0; i < count; i++) {
    load(origins, i, ray.origin);
    load(directions, i, ray.direction);
    const found = raycast(ray, own, tMax, hit) !== null;
    if (!found) forget();
    to.t[i] = hit.t;
    to.child[i] = hit.part.child;
    to.triangle[i] = hit.part.triangle;
    store(hit.point, to.point, i);
    store(hit.normal, to.normal, i);
  }
  return to;
}

function forget(): void {
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
  readBody(body, own);
  for (let i = 0; i < count; i++) {
    closestPoint(load(points, i, p), own, intoClosest);
    to.distance[i] = closest.distance;
    to.child[i] = closest.part.child;
    to.triangle[i] = closest.part.triangle;
    store(closest.point, to.point, i);
  }
  return to;
}

/** What stands in one place after the other. */
const placed = { shape: undefined as unknown as ReturnType<typeof shapeOf>, pose: makePose() };

/**
 * Does body a, put at many places one after the other, share a point with body b? `positions` has three numbers a place;
 * `quaternions` four (x, y, z, w), or it is left away, and the body keeps its own rotation. 1 for yes and 0 for no:
 * `intersects` for each.
 */
export function intersectsMany(
  a: Body,
  positions: Numbers,
  quaternions: Numbers | undefined,
  b: Body,
  out?: Uint8Array,
): Uint8Array {
  const caller = 'intersectsMany';
  mustBeBodies(caller, a, b);
  const count = countOf(caller, 'positions', positions, 3);
  if (quaternions !== undefined && countOf(caller, 'quaternions', quaternions, 4) !== count)
    refuse(caller, 'quaternions', `must be as many as positions, ${count}; got ${quaternions.length / 4}`);
  const yes = out ?? new Uint8Array(count);
  mustHaveRoom(caller, yes, count);
  readPoses(a, b, placed.pose, own.pose);
  placed.shape = shapeOf(a);
  own.shape = shapeOf(b);
  const { quaternion: q } = placed.pose;
  for (let i = 0; i < count; i++) {
    load(positions, i, placed.pose.position);
    if (quaternions) {
      q.x = quaternions[4 * i]!;
      q.y = quaternions[4 * i + 1]!;
      q.z = quaternions[4 * i + 2]!;
      q.w = quaternions[4 * i + 3]!;
    }
    yes[i] = +intersects(placed, own);
  }
  return yes;
}

function readBody(body: Body, out: typeof own): void {
  const shape = shapeOf(body);
  readPoses(body, body, out.pose, out.pose);
  out.shape = shape;
}

function load(list: Numbers, i: number, to: typeof p): typeof p {
  to.x = list[3 * i]!;
  to.y = list[3 * i + 1]!;
  to.z = list[3 * i + 2]!;
  return to;
}

function store(from: typeof p, list: Float64Array, i: number): void {
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
