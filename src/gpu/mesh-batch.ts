/** Batches of queries of a mesh on a GPU: in pieces, two under way at a time, each confirmed by the CPU when it comes back. */
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import type { MeshBatchInput, MeshHits, MeshPoints } from '../trimesh/batch.ts';
import { fillNearest, makeMeshPoint, NearestSearch, searchNearest } from '../trimesh/closest.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { fillHit, makeMeshHit, RaySearch, searchRay } from '../trimesh/ray.ts';
import {
  allocate,
  COPY_DST,
  COPY_SRC,
  GpuRefusal,
  largestBuffer,
  MAP_READ,
  STORAGE,
  UNIFORM,
} from './device.ts';
import { type MeshWords, packMesh, whyNot } from './mesh-buffers.ts';
import { confirmNearest, nearestCode, POINT_CANDIDATES, POINT_WORDS, writePoints } from './nearest-kernel.ts';
import { confirmRay, RAY_CANDIDATES, RAY_WORDS, rayCode, writeRays } from './ray-kernel.ts';

/** The batches that a GPU answers: see `batchMesh`. */
export type GpuBatchName = 'rayMesh' | 'closestPointMesh';
export type GpuBatchInput<Name extends GpuBatchName> = MeshBatchInput<Name>;

/** As `MeshHits`; where there are lists for them, points and normals are told, too (x, y, z; 0 for a miss). */
export interface GpuHits extends MeshHits {
  readonly point?: Float64Array | undefined;
  readonly normal?: Float64Array | undefined;
}

export interface GpuBatchOutputs {
  rayMesh: GpuHits;
  closestPointMesh: MeshPoints;
}
export type GpuBatchOutput<Name extends GpuBatchName> = GpuBatchOutputs[Name];

/** Queries from … to - 1. */
type Range = readonly [from: number, to: number];
type Lists = readonly ArrayLike<number>[];

/** As `Prepared`, of lists that have one query after the other. @internal */
export interface Queries {
  readonly lists: Lists;
  readonly count: number;
  readonly setting: number;
}

/** Numbers for each query on the way to the GPU, and candidates on the way back. */
interface Sizes {
  readonly words: number;
  readonly candidates: number;
}

interface Kernel<Out> extends Sizes {
  readonly code: (depth: number) => string;
  readonly write: (lists: Lists, setting: number, mesh: Mesh, range: Range, words: Float32Array) => void;
  /** Answers queries by their candidates; without any, by itself. Returns how many were searched for on the CPU. */
  readonly confirm: (
    queries: Queries,
    mesh: Mesh,
    candidates: Uint32Array | null,
    range: Range,
    out: Out,
  ) => number;
}

const ray = /* @__PURE__ */ new RaySearch();
const nearest = /* @__PURE__ */ new NearestSearch();
const point = /* @__PURE__ */ makeMeshPoint();

function load(list: ArrayLike<number>, i: number, to: { x: number; y: number; z: number }): void {
  to.x = list[3 * i]!;
  to.y = list[3 * i + 1]!;
  to.z = list[3 * i + 2]!;
}

const hit = /* @__PURE__ */ makeMeshHit();
const ZERO = /* @__PURE__ */ vec3();

function store({ x, y, z }: ReadonlyVec3, to: Float64Array, i: number): void {
  to[3 * i] = x;
  to[3 * i + 1] = y;
  to[3 * i + 2] = z;
}

const rays: Kernel<GpuHits> = {
  words: RAY_WORDS,
  candidates: RAY_CANDIDATES,
  code: rayCode,
  write: writeRays,
  confirm({ lists: [origins, directions], setting }, mesh, candidates, [from, to], out) {
    let alone = 0;
    const { point, normal } = out;
    ray.tMax = setting;
    for (let i = from; i < to; i++) {
      load(origins!, i, ray.origin);
      load(directions!, i, ray.direction);
      if (!candidates) searchRay(ray, mesh);
      if (!candidates || !confirmRay(ray, mesh, candidates, RAY_CANDIDATES * (i - from))) alone++;
      const { slot } = ray;
      out.triangle[i] = slot < 0 ? -1 : mesh.ids[slot]!;
      out.t[i] = slot < 0 ? Infinity : ray.t;
      out.v[i] = slot < 0 ? 0 : ray.v;
      out.w[i] = slot < 0 ? 0 : ray.w;
      if (!point && !normal) continue;
      if (slot >= 0) fillHit(ray, mesh, slot, hit);
      if (point) store(slot < 0 ? ZERO : hit.point, point, i);
      if (normal) store(slot < 0 ? ZERO : hit.normal, normal, i);
    }
    return alone;
  },
};

const closestPoints: Kernel<MeshPoints> = {
  words: POINT_WORDS,
  candidates: POINT_CANDIDATES,
  code: nearestCode,
  write: writePoints,
  confirm({ lists: [points], setting }, mesh, candidates, [from, to], out) {
    let alone = 0;
    nearest.maxDistance = setting;
    for (let i = from; i < to; i++) {
      load(points!, i, nearest.point);
      if (!candidates) nearest.slot = searchNearest(nearest, mesh);
      if (!candidates || !confirmNearest(nearest, mesh, candidates, POINT_CANDIDATES * (i - from))) alone++;
      const { slot } = nearest;
      if (slot >= 0) fillNearest(nearest, mesh, slot, point);
      out.triangle[i] = slot < 0 ? -1 : point.triangle;
      out.distance[i] = slot < 0 ? Infinity : point.distance;
      store(slot < 0 ? ZERO : point.point, out.point, i);
    }
    return alone;
  },
};

/** By the name of the query. @internal */
export const KERNELS: { readonly [Name in GpuBatchName]: Kernel<GpuBatchOutput<Name>> } = {
  rayMesh: rays,
  closestPointMesh: closestPoints,
};

/** Queries of a piece, and of a workgroup. Pieces are small, so that the page stays awake. */
const PIECE = 65536;
const GROUP = 64;
/** Pieces of a batch that are under way at a time: one is computed while another is confirmed. */
const UNDER_WAY = 2;

interface MeshOnGpu {
  readonly nodes: GPUBuffer;
  readonly triangles: GPUBuffer;
  readonly steps: MeshWords['steps'];
  /** How deep the code must go: few depths, so that meshes share it. */
  readonly depth: number;
}

/** The memory of one piece. */
interface Slot {
  readonly params: GPUBuffer;
  readonly queries: GPUBuffer;
  readonly answers: GPUBuffer;
  readonly staging: GPUBuffer;
}

/** Meshes, code and memory on one device. @internal */
export class MeshLane {
  readonly #device: GPUDevice;
  readonly #meshes = new WeakMap<Mesh, Promise<MeshOnGpu>>();
  readonly #pipelines = new Map<string, Promise<GPUComputePipeline>>();
  readonly #free: Record<GpuBatchName, Slot[]> = { rayMesh: [], closestPointMesh: [] };

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /**
   * Answers a batch. `done` is told of each piece that is answered: up to which query, and how many of them the CPU searched for. Rejects
   * when the device is lost, or cannot do it: what is not done by then is not.
   */
  async run<Name extends GpuBatchName>(
    name: Name,
    queries: Queries,
    mesh: Mesh,
    out: GpuBatchOutput<Name>,
    done: (to: number, alone: number) => void,
  ): Promise<void> {
    const kernel = KERNELS[name] as Kernel<GpuBatchOutput<Name>>;
    const there = await this.#upload(mesh);
    const pipeline = await this.#compile(name, there.depth);
    const { count } = queries;
    const piece = this.#pieceOf(kernel);
    const under: { readonly slot: Slot; readonly range: Range; readonly ready: Promise<unknown> }[] = [];
    let next = 0;
    try {
      while (next < count || under.length > 0) {
        while (next < count && under.length < UNDER_WAY) {
          const range = [next, Math.min(count, next + piece)] as const;
          const slot = this.#free[name].pop() ?? (await this.#makeSlot(kernel, piece));
          const ready = this.#submit({ slot, kernel, pipeline, there }, queries, mesh, range);
          ready.catch(() => {}); // it is told where it is awaited
          under.push({ slot, range, ready });
          next = range[1];
        }
        const { slot, range, ready } = under.shift()!;
        await ready;
        const bytes = 4 * kernel.candidates * (range[1] - range[0]);
        const candidates = new Uint32Array(slot.staging.getMappedRange(0, bytes));
        const alone = kernel.confirm(queries, mesh, candidates, range, out);
        slot.staging.unmap();
        this.#free[name].push(slot);
        done(range[1], alone);
      }
    } catch (error) {
      for (const { slot } of under) destroySlot(slot);
      throw error;
    }
  }

  /** Gives the memory of a mesh back. */
  release(mesh: Mesh): void {
    const there = this.#meshes.get(mesh);
    this.#meshes.delete(mesh);
    there?.then(
      ({ nodes, triangles }) => {
        nodes.destroy();
        triangles.destroy();
      },
      () => {},
    );
  }

  /** Gives all memory back that is not the meshes'. */
  close(): void {
    for (const slots of Object.values(this.#free)) for (const slot of slots.splice(0)) destroySlot(slot);
  }

  #submit<Out>(
    {
      slot,
      kernel,
      pipeline,
      there,
    }: { slot: Slot; kernel: Kernel<Out>; pipeline: GPUComputePipeline; there: MeshOnGpu },
    { lists, setting }: Queries,
    mesh: Mesh,
    range: Range,
  ): Promise<void> {
    const device = this.#device;
    const count = range[1] - range[0];
    const words = new Float32Array(kernel.words * count);
    kernel.write(lists, setting, mesh, range, words);
    const params = new ArrayBuffer(16);
    new Float32Array(params).set(there.steps);
    new Uint32Array(params)[3] = count;
    device.queue.writeBuffer(slot.params, 0, params);
    device.queue.writeBuffer(slot.queries, 0, words);
    const buffers = [slot.params, there.nodes, there.triangles, slot.queries, slot.answers];
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
    );
    pass.dispatchWorkgroups(Math.ceil(count / GROUP));
    pass.end();
    const bytes = 4 * kernel.candidates * count;
    encoder.copyBufferToBuffer(slot.answers, 0, slot.staging, 0, bytes);
    device.queue.submit([encoder.finish()]);
    return slot.staging.mapAsync(MAP_READ, 0, bytes);
  }

  /** How many queries fit into a piece. */
  #pieceOf({ words, candidates }: Sizes): number {
    const most = largestBuffer(this.#device) / (4 * Math.max(words, candidates));
    return Math.min(PIECE, Math.floor(most), GROUP * this.#device.limits.maxComputeWorkgroupsPerDimension);
  }

  #makeSlot({ words, candidates }: Sizes, piece: number): Promise<Slot> {
    return allocate(this.#device, () => ({
      params: this.#device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST }),
      queries: this.#device.createBuffer({ size: 4 * words * piece, usage: STORAGE | COPY_DST }),
      answers: this.#device.createBuffer({ size: 4 * candidates * piece, usage: STORAGE | COPY_SRC }),
      staging: this.#device.createBuffer({ size: 4 * candidates * piece, usage: MAP_READ | COPY_DST }),
    }));
  }

  #upload(mesh: Mesh): Promise<MeshOnGpu> {
    let there = this.#meshes.get(mesh);
    if (!there) {
      there = this.#uploadNow(mesh);
      this.#meshes.set(mesh, there);
      // There may be room for it later.
      there.catch(() => this.#meshes.delete(mesh));
    }
    return there;
  }

  async #uploadNow(mesh: Mesh): Promise<MeshOnGpu> {
    const reason = whyNot(mesh);
    if (reason) throw new GpuRefusal(reason);
    const most = largestBuffer(this.#device);
    const needed = Math.max(32 * mesh.tree.nodeCount, 36 * mesh.triangleCount);
    if (needed > most)
      throw new GpuRefusal(
        `the mesh needs a buffer of ${needed} bytes, and the device has them up to ${most}`,
      );
    const { nodes, triangles, steps, depth } = packMesh(mesh);
    const buffers = await allocate(this.#device, () => ({
      nodes: this.#bufferOf(nodes),
      triangles: this.#bufferOf(triangles),
    }));
    return { ...buffers, steps, depth: 8 * Math.ceil(depth / 8) };
  }

  #bufferOf(data: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#device.createBuffer({ size: data.byteLength, usage: STORAGE | COPY_DST });
    this.#device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  #compile(name: GpuBatchName, depth: number): Promise<GPUComputePipeline> {
    const key = `${name} ${depth}`;
    let pipeline = this.#pipelines.get(key);
    if (!pipeline) {
      const module = this.#device.createShaderModule({ code: KERNELS[name].code(depth) });
      pipeline = this.#device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module, entryPoint: 'main' },
      });
      this.#pipelines.set(key, pipeline);
    }
    return pipeline;
  }
}

function destroySlot({ params, queries, answers, staging }: Slot): void {
  for (const buffer of [params, queries, answers, staging]) buffer.destroy();
}

/** Queries that the CPU answers at a time, before the page may draw. */
const BREATH = 16384;

/** Answers queries from … to - 1 on the CPU, and lets the page draw now and then. @internal */
export async function runOnCpu<Name extends GpuBatchName>(
  name: Name,
  queries: Queries,
  mesh: Mesh,
  out: GpuBatchOutput<Name>,
  [from, to]: Range,
): Promise<void> {
  const kernel = KERNELS[name] as Kernel<GpuBatchOutput<Name>>;
  for (let at = from; at < to; at += BREATH) {
    if (at > from) await new Promise((resolve) => setTimeout(resolve));
    kernel.confirm(queries, mesh, null, [at, Math.min(to, at + BREATH)], out);
  }
}
