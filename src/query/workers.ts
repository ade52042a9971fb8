/** Many queries, and the building of meshes, on several threads. */

import { makeFrame } from '../convex/frame.ts';
import { mustBeFunction, mustBeOptions, mustHave } from '../math/check.ts';
import type { NumberList } from '../math/number-list.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import { readTriangles } from '../mesh/triangles.ts';
import { copyPose } from '../shapes/body-space.ts';
import { hasKernels, packShape, whyNotPortable } from '../shapes/portable.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  BATCHES,
  type MeshBatchInput,
  type MeshBatchName,
  type MeshBatchOutput,
  makeAnswers,
  prepareBatch,
  runBatch,
} from '../trimesh/batch.ts';
import { BuildMemory } from '../trimesh/build-memory.ts';
import { boxTreeOf } from '../trimesh/derived.ts';
import { mesh as buildMesh, type Mesh, type MeshOptions, viewMesh } from '../trimesh/mesh.ts';
import { boxesAcross, pairsMeshMesh, sortPairs } from '../trimesh/mesh-mesh/overlap.ts';
import { readRelativeFrame } from '../trimesh/mesh-mesh/relative-frame.ts';
import { buildInThreads, type RunStep } from '../trimesh/parallel-build.ts';
import {
  checkPurposes,
  isPrepared,
  keepPrepared,
  type MeshPurpose,
  type PreparedParts,
  preparedParts,
  prepareMesh,
} from '../trimesh/prepare.ts';
import {
  hasThreads,
  type Port,
  type UrlConstructor,
  type WorkerConstructor,
} from '../trimesh/worker-host.ts';
import { canShare, NoThreads, WorkerPool, type WorkerPoolOptions } from '../trimesh/worker-pool.ts';
import { type Body, poseOf, shapeOf } from './body.ts';
import {
  type CastHits,
  type CastList,
  type ClosestPoints,
  checkCasts,
  checkPoints,
  checkPoses,
  checkRays,
  type ManyCastOptions,
  type ManyPointOptions,
  type ManyPoseOptions,
  type ManyQueries,
  type ManyRayOptions,
  type PoseList,
  type RayHits,
} from './many.ts';
import { MANY, type ManyAnswers, type ManyName, makeManyAnswers } from './many-kinds.ts';
import type { PortableBody, Request } from './worker.ts';

declare const Worker: WorkerConstructor;
declare const URL: UrlConstructor;

export type QueryWorkersOptions = WorkerPoolOptions;

/** How something was done. */
export interface Lane {
  /** How many threads had a part in it; 0 if it was done on the thread that asked. */
  readonly threads: number;
  /** Was memory shared with them? If not, it was copied. */
  readonly shared: boolean;
  /** Did the meshes have four-wide kernels there, for rays and closest points? See `addSimd`. */
  readonly simd: boolean;
  /** What stood in the way of threads or of shared memory; null if nothing did. */
  readonly reason: string | null;
}

export interface LaneOptions {
  /** Told how it was done, when it is done. */
  readonly onLane?: ((lane: Lane) => void) | undefined;
}

/** Fewer triangles are built by one thread: the steps of several cost more than they save. */
const PARALLEL = 100_000;

/** Pieces of a search for pairs, for each thread. */
const PAIR_PIECES = 16;

const NO_SHARED_MEMORY =
  'there is no SharedArrayBuffer: in browsers the page must be isolated from other origins';

/** What the thread that asks does itself. */
const here = (reason: string, simd: boolean): Lane => ({ threads: 0, shared: false, simd, reason });

/**
 * A pool of threads, in browsers (workers) and Node (worker threads), for the queries that come by the many and for building
 * meshes. Answers are those of one thread, to the last bit, whatever the number of threads.
 *
 * Meshes and lists are shared with the threads through a `SharedArrayBuffer` where there is one (browsers ask for cross-origin
 * isolation), and copied where there is not: a mesh made with `shared: true`, or by the pool itself, is never copied. Do not
 * change a list before its promise has settled. Bodies are asked where they stand when the question is put.
 *
 * What cannot go to a thread (a shape that is made of a user's function, a skinned mesh) is asked on the thread that asks;
 * so is everything where there are no threads. `onLane` tells.
 *
 * When a thread fails or is ended by someone else, the promise of what it was doing is rejected with the reason, and
 * another takes its place. `close`, and the page being closed, reject all that is under way, and all that is asked later.
 */
export class QueryWorkers {
  readonly #pool: WorkerPool | null;
  #closed = false;
  readonly #shapes = new WeakMap<Shape, number>();
  /** The shapes that a thread has, and whether with four-wide kernels. */
  readonly #known = new WeakMap<Port, Map<number, boolean>>();
  /** The meshes of which a thread has what was worked out. */
  readonly #prepared = new WeakMap<Port, Set<number>>();
  readonly #gone = new FinalizationRegistry<number>((id) => this.#forget(id));
  /** Memory in which meshes were built, for the next one; unless the garbage collector wants it. */
  #memory: WeakRef<BuildMemory> | null = null;
  #nextId = 0;

  constructor(options: QueryWorkersOptions = {}) {
    mustBeOptions('QueryWorkers', 'options', options, 'threads');
    const source = {
      web: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
      path: './worker.ts',
      base: import.meta.url,
    };
    this.#pool = hasThreads() ? new WorkerPool('QueryWorkers', source, options) : null;
  }

  /** As many as were asked for; 0 when closed, and where there are none. */
  get threads(): number {
    return this.#pool?.threads ?? 0;
  }

  /**
   * As `mesh` (of the toolbox: `buildMesh`), on all threads, and the same mesh, bit by bit; one thread builds a small one, and any
   * where memory cannot be shared. The page goes on meanwhile. The arrays are copied, the mesh is shared.
   */
  async mesh(
    positions: ArrayLike<number>,
    index?: ArrayLike<number> | null,
    options: Omit<MeshOptions, 'exclude' | 'shared' | 'tree'> & LaneOptions = {},
  ): Promise<Mesh> {
    const caller = 'QueryWorkers.mesh';
    const triangles = readTriangles(caller, { positions, index });
    mustBeOptions(caller, 'options', options, 'leafSize onProgress onLane');
    const { leafSize, onProgress, onLane } = options;
    const shared = canShare();
    return this.#inThreads(
      onLane,
      null,
      async (pool) => {
        const count = triangles.index.length / 3;
        if (shared && pool.threads > 1 && count >= PARALLEL) {
          const batch = { hasFailed: false };
          const run: RunStep = (name, input) =>
            pool.run({
              send: (port, job) => port.post({ type: 'step', job, name, input } satisfies Request, []),
              batch,
            });
          const made = leafSize === undefined ? {} : { leafSize };
          try {
            const memory = this.#memory?.deref() ?? new BuildMemory();
            this.#memory = null; // nobody else's, and nobody's when a thread fails that may still write
            const builders = { run, threads: pool.threads, memory, onProgress };
            const buffer = await buildInThreads(builders, triangles, made);
            this.#memory = new WeakRef(memory);
            return { answer: viewMesh(buffer), lane: this.#lane(pool, false) };
          } catch (error) {
            batch.hasFailed = true; // what waits is of no use
            throw error;
          }
        }
        const buffer = await pool.run<ArrayBuffer | SharedArrayBuffer>({
          send: (port, job) =>
            port.post({ type: 'build', job, ...triangles, leafSize, shared } satisfies Request, []),
          onProgress,
        });
        return {
          answer: viewMesh(buffer),
          lane: { threads: 1, shared, simd: false, reason: shared ? null : NO_SHARED_MEMORY },
        };
      },
      () =>
        buildMesh(triangles.positions, triangles.index, {
          ...(leafSize !== undefined && { leafSize }),
          ...(onProgress !== undefined && { onProgress }),
          shared,
        }),
    );
  }

  /** As `batchMesh`, on all threads. */
  async batch<Name extends MeshBatchName>(
    name: Name,
    input: MeshBatchInput<Name>,
    mesh: Mesh,
    out?: MeshBatchOutput<Name>,
    options: LaneOptions = {},
  ): Promise<MeshBatchOutput<Name>> {
    const caller = 'QueryWorkers.batch';
    mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
    mustBeOptions(caller, 'options', options, 'onLane');
    const { lists, count, setting } = prepareBatch(caller, name, input as Record<string, unknown>);
    const answers = makeAnswers(caller, name, count, out, canShare());
    const sizes = Object.values((BATCHES[name] as { inputs: Record<string, number> }).inputs);
    return this.#inThreads(
      options.onLane,
      mesh,
      async (pool) => {
        const simd = await pool.batch({ lists, sizes, count }, answers, (port, piece) => {
          const id = this.#introduce(port, mesh);
          port.post({ type: 'batch', name, mesh: id, setting, ...piece } satisfies Request, []);
        });
        return { answer: answers, lane: this.#lane(pool, simd) };
      },
      () => {
        runBatch(name, { lists, setting }, mesh, answers, 0, count);
        return answers;
      },
    );
  }

  /** As `raycastMany`, on all threads. */
  async raycastMany(
    origins: NumberList,
    directions: NumberList,
    body: Body,
    options?: ManyRayOptions & LaneOptions,
  ): Promise<RayHits> {
    const { onLane, own } = splitOptions(options);
    const queries = checkRays('QueryWorkers.raycastMany', origins, directions, body, own);
    return this.#many('raycastMany', queries, options?.out, onLane);
  }

  /** As `closestPointMany`, on all threads. */
  async closestPointMany(
    points: NumberList,
    body: Body,
    options?: ManyPointOptions & LaneOptions,
  ): Promise<ClosestPoints> {
    const { onLane, own } = splitOptions(options);
    const queries = checkPoints('QueryWorkers.closestPointMany', points, body, own);
    return this.#many('closestPointMany', queries, options?.out, onLane);
  }

  /** As `intersectsMany`, on all threads. */
  async intersectsMany(
    a: Body,
    poses: PoseList,
    b: Body,
    options?: ManyPoseOptions & LaneOptions,
  ): Promise<Uint8Array> {
    const { onLane, own } = splitOptions(options);
    const queries = checkPoses('QueryWorkers.intersectsMany', a, poses, b, own);
    const given = options?.out;
    const { yes } = await this.#many('intersectsMany', queries, given && { yes: given }, onLane);
    return yes;
  }

  /** As `castMany`, on all threads. */
  async castMany(
    mover: Body,
    casts: CastList,
    target: Body,
    options?: ManyCastOptions & LaneOptions,
  ): Promise<CastHits> {
    const { onLane, own } = splitOptions(options);
    const queries = checkCasts('QueryWorkers.castMany', mover, casts, target, own);
    return this.#many('castMany', queries, options?.out, onLane);
  }

  /** As `prepareMesh`, in a thread: the page goes on meanwhile. What is worked out is kept with the mesh. */
  async prepare(
    mesh: Mesh,
    purposes: readonly MeshPurpose[] = ['inside', 'meshes'],
    options: LaneOptions = {},
  ): Promise<Mesh> {
    const caller = 'QueryWorkers.prepare';
    checkPurposes(caller, mesh, purposes);
    mustBeOptions(caller, 'options', options, 'onLane');
    const wanted = [...purposes];
    return this.#inThreads(
      options.onLane,
      mesh,
      async (pool) => {
        const shared = canShare();
        if (!isPrepared(mesh, wanted))
          keepPrepared(
            mesh,
            await pool.run<PreparedParts>({
              send: (port, job) => {
                const id = this.#introduce(port, mesh);
                port.post({ type: 'prepare', job, mesh: id, purposes: wanted, shared } satisfies Request, []);
              },
            }),
          );
        return { answer: mesh, lane: { ...this.#lane(pool, false), threads: 1 } };
      },
      () => prepareMesh(mesh, wanted),
    );
  }

  /**
   * As `pairsMeshMesh`, on all threads. Worth it from some ten milliseconds on; both meshes are prepared first, if they are not
   * yet.
   */
  async pairsMeshMesh(
    a: Mesh,
    b: Mesh,
    pose?: ReadonlyPose | null,
    options: LaneOptions = {},
  ): Promise<number[]> {
    const caller = 'QueryWorkers.pairsMeshMesh';
    readRelativeFrame(caller, a, b, pose, makeFrame());
    mustBeOptions(caller, 'options', options, 'onLane');
    const at = pose ? copyPose(pose, makePose()) : null;
    return this.#inThreads(
      options.onLane,
      a,
      async (pool) => {
        await Promise.all([this.prepare(a, ['meshes']), this.prepare(b, ['meshes'])]);
        const batch = { hasFailed: false };
        const found = await Promise.all(
          boxesAcross(boxTreeOf(a), PAIR_PIECES * pool.threads).map((node) =>
            pool.run<Uint32Array>({
              batch,
              send: (port, job) => {
                const [one, two] = [this.#introducePrepared(port, a), this.#introducePrepared(port, b)];
                port.post({ type: 'pairs', job, a: one, b: two, pose: at, node } satisfies Request, []);
              },
            }),
          ),
        );
        const pairs = new Uint32Array(found.reduce((sum, list) => sum + list.length, 0));
        let length = 0;
        for (const list of found) {
          pairs.set(list, length);
          length += list.length;
        }
        return { answer: sortPairs({ count: length / 2, pairs }, a, b, []), lane: this.#lane(pool, false) };
      },
      () => pairsMeshMesh(a, b, at),
      b,
    );
  }

  /** Ends the threads. What is under way is given up: its promises are rejected. */
  close(): void {
    this.#closed = true;
    this.#pool?.close();
  }

  async #many<Name extends ManyName>(
    name: Name,
    queries: ManyQueries,
    out: ManyAnswers[Name] | undefined,
    onLane: LaneOptions['onLane'],
  ): Promise<ManyAnswers[Name]> {
    const { count, lists, maxDistance } = queries;
    const first = copyBody(queries.first);
    const second = queries.second && copyBody(queries.second);
    const answers = out ?? makeManyAnswers(name, count, canShare());
    const { sizes, run } = MANY[name];
    const shape = shapeOf(first);
    const other = second && shapeOf(second);
    return this.#inThreads(
      onLane,
      shape,
      async (pool) => {
        const simd = await pool.batch({ lists, sizes, count }, answers, (port, piece) => {
          const request = {
            type: 'many',
            name,
            first: this.#portable(port, first),
            second: second && this.#portable(port, second),
            maxDistance,
            ...(piece as unknown as object),
          };
          port.post(request, []);
        });
        return { answer: answers, lane: this.#lane(pool, simd) };
      },
      () => {
        run({ first, second, lists, maxDistance }, answers, 0, count);
        return answers;
      },
      other,
    );
  }

  #lane(pool: WorkerPool, simd: boolean): Lane {
    const shared = canShare();
    return { threads: pool.threads, shared, simd, reason: shared ? null : NO_SHARED_MEMORY };
  }

  /** Does something with the threads, or here if the shapes cannot go there or there are none. */
  async #inThreads<T>(
    onLane: LaneOptions['onLane'],
    shape: Shape | null,
    inThreads: (pool: WorkerPool) => Promise<{ answer: T; lane: Lane }>,
    alone: () => T,
    other: Shape | null = null,
  ): Promise<T> {
    const why = (shape && whyNotPortable(shape)) ?? (other && whyNotPortable(other));
    const simd = (shape !== null && hasKernels(shape)) || (other !== null && hasKernels(other));
    const doHere = (reason: string): T => {
      const answer = alone();
      onLane?.(here(reason, simd));
      return answer;
    };
    const pool = this.#pool;
    if (this.#closed) throw new Error('graze: QueryWorkers: closed');
    if (pool === null) return doHere('there are no threads here');
    if (why !== null) return doHere(why);
    try {
      const { answer, lane } = await inThreads(pool);
      onLane?.(lane);
      return answer;
    } catch (error) {
      if (error instanceof NoThreads) return doHere(error.message);
      throw error;
    }
  }

  #portable(port: Port, body: Body): PortableBody {
    return { shape: this.#introduce(port, shapeOf(body)), pose: 'shape' in body ? poseOf(body) : null };
  }

  /** Makes sure that the thread has the shape, and tells under which number. */
  #introduce(port: Port, shape: Shape): number {
    let id = this.#shapes.get(shape);
    if (id === undefined) {
      id = this.#nextId++;
      this.#shapes.set(shape, id);
      this.#gone.register(shape, id);
    }
    const known = this.#known.get(port) ?? new Map<number, boolean>();
    const simd = hasKernels(shape);
    if (known.get(id) !== simd) {
      port.post({ type: 'shape', id, shape: packShape(shape) } satisfies Request, []);
      this.#prepared.get(port)?.delete(id); // it is another object there
      this.#known.set(port, known.set(id, simd));
    }
    return id;
  }

  /** The same, with what has been worked out from the mesh. */
  #introducePrepared(port: Port, mesh: Mesh): number {
    const id = this.#introduce(port, mesh);
    const known = this.#prepared.get(port) ?? new Set<number>();
    if (!known.has(id)) {
      port.post({ type: 'prepared', id, parts: preparedParts(mesh, canShare()) } satisfies Request, []);
      this.#prepared.set(port, known.add(id));
    }
    return id;
  }

  #forget(id: number): void {
    for (const port of this.#pool?.ports ?? []) this.#prepared.get(port)?.delete(id);
    for (const port of this.#pool?.ports ?? [])
      if (this.#known.get(port)?.delete(id)) port.post({ type: 'forget', id } satisfies Request, []);
  }
}

/** Where it stands now: the pose is the user's, and may change before it is sent. */
function copyBody(body: Body): Body {
  if (!('shape' in body)) return body;
  const pose: Pose = copyPose(poseOf(body) as ReadonlyPose, makePose());
  return { shape: shapeOf(body), pose };
}

/** The options of the query itself, and who is told how it was done. */
function splitOptions<O extends LaneOptions>(
  options: O | undefined,
): { onLane: LaneOptions['onLane']; own: Omit<O, 'onLane'> | undefined } {
  if (typeof options !== 'object' || options === null) return { onLane: undefined, own: options };
  const { onLane, ...own } = options;
  if (onLane !== undefined) mustBeFunction('QueryWorkers', 'options.onLane', onLane);
  return { onLane, own };
}
