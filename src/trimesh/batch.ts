/**
 * Many queries of one mesh at once, on flat arrays: nothing is allocated for a query, and workers can share the work.
 *
 * Every kind of batch is described by one record: how many numbers a query takes from each list, the lists that the
 * answers go to, and a function that answers a range of queries. What a thread does is one such range.
 */
import { describe, mustHave, refuse, refuseType } from '../math/check.ts';
import { arrayOf, countOfList, type NumberList, offsetOf, strideOf } from '../math/number-list.ts';
import { vec3 } from '../math/types.ts';
import { loadMover } from '../primitives/sweep/mover.ts';
import { makeAabb, makeCapsule, makeObb, makeSphere } from '../primitives/types.ts';
import { fillNearest, makeMeshPoint, NearestSearch, searchNearest } from './closest.ts';
import { isInside } from './inside.ts';
import { type Mesh, makeCorners } from './mesh.ts';
import {
  overlapAabbMesh,
  overlapCapsuleMesh,
  overlapObbMesh,
  overlapSphereMesh,
  overlapTriangleMesh,
} from './overlap.ts';
import { ANY, CLOSEST, RaySearch, searchRay } from './ray.ts';
import { signedDistanceMesh } from './signed-distance.ts';
import { SphereSweep, searchTouch } from './sweep.ts';

/** The first hits of many rays: the time (infinite for a miss), the triangle (-1) and the weights of its corners b, c. */
export interface MeshHits {
  readonly t: Float64Array;
  readonly triangle: Int32Array;
  readonly v: Float64Array;
  readonly w: Float64Array;
}

/** The closest points to many points: x, y, z (0 if too far), the distance (infinite) and the triangle (-1). */
export interface MeshPoints {
  readonly point: Float64Array;
  readonly distance: Float64Array;
  readonly triangle: Int32Array;
}

/** The first contacts of many moving spheres: time (infinite for none), triangle (-1), point and normal, x, y, z. */
export interface MeshTouches {
  readonly t: Float64Array;
  readonly triangle: Int32Array;
  readonly point: Float64Array;
  readonly normal: Float64Array;
}

/** 1 for yes and 0 for no. */
export interface MeshAnswers {
  readonly yes: Uint8Array;
}

export interface MeshDistances {
  readonly distance: Float64Array;
}

type Numbers = NumberList;

/** The kinds of batches: their lists of queries, and their answers. */
export interface MeshBatches {
  rayMesh: { input: { origins: Numbers; directions: Numbers; tMax?: number }; output: MeshHits };
  rayMeshAny: { input: { origins: Numbers; directions: Numbers; tMax?: number }; output: MeshAnswers };
  segmentMesh: { input: { p: Numbers; q: Numbers }; output: MeshHits };
  closestPointMesh: { input: { points: Numbers; maxDistance?: number }; output: MeshPoints };
  sweepSphereMesh: { input: { spheres: Numbers; motions: Numbers }; output: MeshTouches };
  containsPointMesh: { input: { points: Numbers }; output: MeshAnswers };
  signedDistanceMesh: { input: { points: Numbers }; output: MeshDistances };
  overlapSphereMesh: { input: { spheres: Numbers; solid?: boolean }; output: MeshAnswers };
  overlapAabbMesh: { input: { boxes: Numbers; solid?: boolean }; output: MeshAnswers };
  overlapObbMesh: { input: { boxes: Numbers; solid?: boolean }; output: MeshAnswers };
  overlapCapsuleMesh: { input: { capsules: Numbers; solid?: boolean }; output: MeshAnswers };
  overlapTriangleMesh: { input: { triangles: Numbers; solid?: boolean }; output: MeshAnswers };
}

export type MeshBatchName = keyof MeshBatches;
export type MeshBatchInput<Name extends MeshBatchName> = MeshBatches[Name]['input'];
export type MeshBatchOutput<Name extends MeshBatchName> = MeshBatches[Name]['output'];

type List = Float64Array | Int32Array | Uint8Array;
/** @internal */
export type ListKind = 'f64' | 'i32' | 'u8';

/**
 * One kind of batch.
 *
 * @internal
 */
export interface Batch<Out> {
  /** The names of the lists of queries, and how many numbers of each belong to one query. */
  readonly inputs: Readonly<Record<string, number>>;
  readonly outputs: { readonly [K in keyof Out]: readonly [kind: ListKind, size: number] };
  /** The setting of the batch: its name, and its default. */
  readonly setting?: { readonly name: string; readonly preset: number };
  /** Answers queries from … to - 1. */
  readonly run: (
    lists: readonly NumberList[],
    mesh: Mesh,
    setting: number,
    out: Out,
    from: number,
    to: number,
  ) => void;
}

const ray = new RaySearch();
const nearest = new NearestSearch();
const point = makeMeshPoint();
const p = vec3(0.5, 0.5, 0.5);
const q = vec3(0.5, 0.5, 0.5);
const corners = makeCorners();
const sphere = makeSphere();
const box = makeAabb();
const obb = makeObb();
const capsule = makeCapsule();

function load(list: ArrayLike<number>, at: number, to: { x: number; y: number; z: number }): void {
  to.x = list[at]!;
  to.y = list[at + 1]!;
  to.z = list[at + 2]!;
}

const SETTING_T = { name: 'tMax', preset: Infinity };
const HITS = { t: ['f64', 1], triangle: ['i32', 1], v: ['f64', 1], w: ['f64', 1] } as const;
const ANSWERS = { yes: ['u8', 1] } as const;

function report(found: number, mesh: Mesh, out: MeshHits, i: number): void {
  out.triangle[i] = found < 0 ? -1 : mesh.ids[found]!;
  out.t[i] = found < 0 ? Infinity : ray.t;
  out.v[i] = found < 0 ? 0 : ray.v;
  out.w[i] = found < 0 ? 0 : ray.w;
}

const rays: Batch<MeshHits> = {
  inputs: { origins: 3, directions: 3 },
  outputs: HITS,
  setting: SETTING_T,
  run([origins, directions], mesh, tMax, out, from, to) {
    const [o, o0, oStep] = [arrayOf(origins!), offsetOf(origins!), strideOf(origins!, 3)];
    const [d, d0, dStep] = [arrayOf(directions!), offsetOf(directions!), strideOf(directions!, 3)];
    ray.hasEnd = false;
    ray.tMax = tMax;
    ray.mode = CLOSEST;
    for (let i = from; i < to; i++) {
      load(o, o0 + i * oStep, ray.origin);
      load(d, d0 + i * dStep, ray.direction);
      report(searchRay(ray, mesh), mesh, out, i);
    }
  },
};

const anyRays: Batch<MeshAnswers> = {
  inputs: { origins: 3, directions: 3 },
  outputs: ANSWERS,
  setting: SETTING_T,
  run([origins, directions], mesh, tMax, out, from, to) {
    const [o, o0, oStep] = [arrayOf(origins!), offsetOf(origins!), strideOf(origins!, 3)];
    const [d, d0, dStep] = [arrayOf(directions!), offsetOf(directions!), strideOf(directions!, 3)];
    ray.hasEnd = false;
    ray.tMax = tMax;
    ray.mode = ANY;
    for (let i = from; i < to; i++) {
      load(o, o0 + i * oStep, ray.origin);
      load(d, d0 + i * dStep, ray.direction);
      out.yes[i] = +(searchRay(ray, mesh) >= 0);
    }
  },
};

const segments: Batch<MeshHits> = {
  inputs: { p: 3, q: 3 },
  outputs: HITS,
  run([starts, ends], mesh, _, out, from, to) {
    const [s, s0, sStep] = [arrayOf(starts!), offsetOf(starts!), strideOf(starts!, 3)];
    const [e, e0, eStep] = [arrayOf(ends!), offsetOf(ends!), strideOf(ends!, 3)];
    ray.mode = CLOSEST;
    for (let i = from; i < to; i++) {
      load(s, s0 + i * sStep, p);
      load(e, e0 + i * eStep, q);
      ray.setSegment(p, q);
      report(searchRay(ray, mesh), mesh, out, i);
    }
  },
};

const closestPoints: Batch<MeshPoints> = {
  inputs: { points: 3 },
  outputs: { point: ['f64', 3], distance: ['f64', 1], triangle: ['i32', 1] },
  setting: { name: 'maxDistance', preset: Infinity },
  run([points], mesh, maxDistance, out, from, to) {
    const [list, first, step] = [arrayOf(points!), offsetOf(points!), strideOf(points!, 3)];
    nearest.maxDistance = maxDistance;
    for (let i = from; i < to; i++) {
      load(list, first + i * step, nearest.point);
      const found = searchNearest(nearest, mesh);
      out.triangle[i] = found < 0 ? -1 : mesh.ids[found]!;
      out.distance[i] = found < 0 ? Infinity : Math.sqrt(nearest.distanceSq);
      if (found >= 0) fillNearest(nearest, mesh, found, point);
      out.point[i * 3] = found < 0 ? 0 : point.point.x;
      out.point[i * 3 + 1] = found < 0 ? 0 : point.point.y;
      out.point[i * 3 + 2] = found < 0 ? 0 : point.point.z;
    }
  },
};

const sweep = new SphereSweep();

const sweptSpheres: Batch<MeshTouches> = {
  inputs: { spheres: 4, motions: 3 },
  outputs: { t: ['f64', 1], triangle: ['i32', 1], point: ['f64', 3], normal: ['f64', 3] },
  run([spheres, motions], mesh, _, out, from, to) {
    const [s, s0, sStep] = [arrayOf(spheres!), offsetOf(spheres!), strideOf(spheres!, 4)];
    const [m, m0, mStep] = [arrayOf(motions!), offsetOf(motions!), strideOf(motions!, 3)];
    for (let i = from; i < to; i++) {
      load(s, s0 + i * sStep, p);
      load(m, m0 + i * mStep, q);
      sweep.mover.radius = s[s0 + i * sStep + 3]!;
      loadMover(p, q, sweep.mover);
      const found = searchTouch(sweep, mesh);
      const at = i * 3;
      out.triangle[i] = found < 0 ? -1 : mesh.ids[found]!;
      out.t[i] = found < 0 ? Infinity : sweep.hit.t;
      out.point[at] = found < 0 ? 0 : sweep.hit.point.x;
      out.point[at + 1] = found < 0 ? 0 : sweep.hit.point.y;
      out.point[at + 2] = found < 0 ? 0 : sweep.hit.point.z;
      out.normal[at] = found < 0 ? 0 : sweep.hit.normal.x;
      out.normal[at + 1] = found < 0 ? 0 : sweep.hit.normal.y;
      out.normal[at + 2] = found < 0 ? 0 : sweep.hit.normal.z;
    }
  },
};

const containedPoints: Batch<MeshAnswers> = {
  inputs: { points: 3 },
  outputs: ANSWERS,
  run([points], mesh, _, out, from, to) {
    const [list, first, step] = [arrayOf(points!), offsetOf(points!), strideOf(points!, 3)];
    for (let i = from; i < to; i++) {
      load(list, first + i * step, p);
      out.yes[i] = +isInside(p, mesh);
    }
  },
};

const signedDistances: Batch<MeshDistances> = {
  inputs: { points: 3 },
  outputs: { distance: ['f64', 1] },
  run([points], mesh, _, out, from, to) {
    const [list, first, step] = [arrayOf(points!), offsetOf(points!), strideOf(points!, 3)];
    for (let i = from; i < to; i++) {
      load(list, first + i * step, p);
      out.distance[i] = signedDistanceMesh(p, mesh);
    }
  },
};

/** Batches of overlap tests, by the shape that a query is read into. The setting says whether the mesh is solid. */
function overlaps(
  name: string,
  size: number,
  test: (list: ArrayLike<number>, at: number, mesh: Mesh, options: { solid: boolean }) => boolean,
): Batch<MeshAnswers> {
  return {
    inputs: { [name]: size },
    outputs: ANSWERS,
    setting: { name: 'solid', preset: 0 },
    run([given], mesh, solid, out, from, to) {
      const options = { solid: solid !== 0 };
      const [list, first, step] = [arrayOf(given!), offsetOf(given!), strideOf(given!, size)];
      for (let i = from; i < to; i++) out.yes[i] = +test(list, first + i * step, mesh, options);
    },
  };
}

const overlapSpheres = overlaps('spheres', 4, (list, at, mesh, options) => {
  load(list, at, sphere.center);
  sphere.radius = list[at + 3]!;
  return overlapSphereMesh(sphere, mesh, options);
});
const overlapAabbs = overlaps('boxes', 6, (list, at, mesh, options) => {
  load(list, at, box.min);
  load(list, at + 3, box.max);
  return overlapAabbMesh(box, mesh, options);
});
const overlapObbs = overlaps('boxes', 15, (list, at, mesh, options) => {
  load(list, at, obb.center);
  load(list, at + 3, obb.halfSize);
  for (let k = 0; k < 9; k++) obb.rotation.elements[k] = list[at + 6 + k]!;
  return overlapObbMesh(obb, mesh, options);
});
const overlapCapsules = overlaps('capsules', 7, (list, at, mesh, options) => {
  load(list, at, capsule.a);
  load(list, at + 3, capsule.b);
  capsule.radius = list[at + 6]!;
  return overlapCapsuleMesh(capsule, mesh, options);
});
const overlapTriangles = overlaps('triangles', 9, (list, at, mesh, options) => {
  load(list, at, corners.a);
  load(list, at + 3, corners.b);
  load(list, at + 6, corners.c);
  return overlapTriangleMesh(corners.a, corners.b, corners.c, mesh, options);
});

/**
 * All kinds, by the name of the query.
 *
 * @internal
 */
export const BATCHES: { readonly [Name in MeshBatchName]: Batch<MeshBatches[Name]['output']> } = {
  rayMesh: rays,
  rayMeshAny: anyRays,
  segmentMesh: segments,
  closestPointMesh: closestPoints,
  sweepSphereMesh: sweptSpheres,
  containsPointMesh: containedPoints,
  signedDistanceMesh: signedDistances,
  overlapSphereMesh: overlapSpheres,
  overlapAabbMesh: overlapAabbs,
  overlapObbMesh: overlapObbs,
  overlapCapsuleMesh: overlapCapsules,
  overlapTriangleMesh: overlapTriangles,
};

/** What a batch reads, checked. @internal */
export interface Prepared {
  readonly lists: readonly NumberList[];
  readonly count: number;
  readonly setting: number;
}

/**
 * Checks the name of a batch, and its lists: present, of whole queries, equally many in each, finite, radii not negative.
 *
 * @internal
 */
export function prepareBatch(
  caller: string,
  name: MeshBatchName,
  input: Readonly<Record<string, unknown>>,
): Prepared {
  if (typeof name !== 'string' || !Object.hasOwn(BATCHES, name))
    refuse(caller, 'name', `must be one of ${Object.keys(BATCHES).join(', ')}, got ${describe(name)}`);
  const { inputs, setting } = BATCHES[name] as unknown as Batch<Record<string, List>>;
  if (typeof input !== 'object' || input === null) refuseType(caller, 'input', 'a record of lists', input);
  const lists: NumberList[] = [];
  let count = -1;
  for (const [key, size] of Object.entries(inputs)) {
    const list = input[key] as NumberList;
    const own = countOfList(caller, key, list, size);
    if (count >= 0 && own !== count)
      refuse(caller, key, `must hold as many queries as the other list, ${count}, got ${own}`);
    count = own;
    lists.push(list);
  }
  if ('spheres' in inputs) mustHaveRadii(caller, 'spheres', lists[0]!, count);
  const given = setting ? input[setting.name] : undefined;
  const value = given === undefined ? (setting?.preset ?? 0) : Number(given);
  if (!(value >= 0)) refuse(caller, setting!.name, `must not be negative, got ${describe(given)}`);
  return { lists, count, setting: value };
}

/** A sphere is x, y, z, radius. */
function mustHaveRadii(caller: string, key: string, list: NumberList, count: number): void {
  const array = arrayOf(list);
  const stride = strideOf(list, 4);
  for (let i = 0, at = offsetOf(list) + 3; i < count; i++, at += stride)
    if (array[at]! < 0)
      refuse(caller, key, `must not have negative radii, got ${describe(array[at])} at ${at}`);
}

const BYTES: Record<ListKind, number> = { f64: 8, i32: 4, u8: 1 };

/** @internal */
export function makeList(kind: ListKind, length: number, shared: boolean): List {
  const bytes = length * BYTES[kind];
  const buffer = shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  return kind === 'f64'
    ? new Float64Array(buffer)
    : kind === 'i32'
      ? new Int32Array(buffer)
      : new Uint8Array(buffer);
}

/**
 * The lists for the answers of `count` queries: those given, if they are long enough, or new ones, in shared memory if
 * told so.
 *
 * @internal
 */
export function makeAnswers<Name extends MeshBatchName>(
  caller: string,
  name: Name,
  count: number,
  given: MeshBatchOutput<Name> | undefined,
  shared = false,
): MeshBatchOutput<Name> {
  const { outputs } = BATCHES[name] as unknown as Batch<Record<string, List>>;
  const out: Record<string, List> = {};
  for (const [key, [kind, size]] of Object.entries(outputs)) {
    const list = (given as Record<string, List> | undefined)?.[key];
    if (list === undefined) {
      out[key] = makeList(kind, count * size, shared);
      continue;
    }
    const fits =
      kind === 'f64'
        ? list instanceof Float64Array
        : kind === 'i32'
          ? list instanceof Int32Array
          : list instanceof Uint8Array;
    if (!fits || list.length < count * size)
      refuse(caller, `out.${key}`, `must be a list of ${count * size} ${kind} numbers at least`);
    out[key] = list;
  }
  return out as unknown as MeshBatchOutput<Name>;
}

/**
 * Answers many queries of one mesh: `batchMesh('rayMesh', { origins, directions }, mesh)` is `rayMesh` for every ray,
 * in flat lists. The name is that of the query for one; the lists of queries are those of its arguments: x, y, z for
 * points and vectors, x, y, z, radius for spheres, both corners for boxes (`Aabb`), centre, half size and the nine
 * numbers of the rotation for oriented ones, a, b and the radius for capsules. With `out` given, nothing is allocated
 * for the answers. A list may be a part of an array: `{ array, offset, stride }`. `QueryWorkers` does the same on several
 * threads.
 */
export function batchMesh<Name extends MeshBatchName>(
  name: Name,
  input: MeshBatchInput<Name>,
  mesh: Mesh,
  out?: MeshBatchOutput<Name>,
): MeshBatchOutput<Name> {
  mustHave('batchMesh', 'mesh', mesh, 'a mesh', 'tree');
  const queries = prepareBatch('batchMesh', name, input as Record<string, unknown>);
  const answers = makeAnswers('batchMesh', name, queries.count, out);
  runBatch(name, queries, mesh, answers, 0, queries.count);
  return answers;
}

/** Answers queries from … to - 1 of a batch. @internal */
export function runBatch<Name extends MeshBatchName>(
  name: Name,
  { lists, setting }: Pick<Prepared, 'lists' | 'setting'>,
  mesh: Mesh,
  out: MeshBatchOutput<Name>,
  from: number,
  to: number,
): void {
  (BATCHES[name] as unknown as Batch<Record<string, List>>).run(
    lists,
    mesh,
    setting,
    out as unknown as Record<string, List>,
    from,
    to,
  );
}
