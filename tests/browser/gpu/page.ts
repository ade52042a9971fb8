/** What the tests of the GPU run in the browser: GPU and single thread in one page, so that the same engine compares them. */
import { SortAndSweep } from '../../../src/broadphase/index.ts';
import { type Gpu, type GpuBatchName, type GpuBoxPairs, requestGpu } from '../../../src/gpu/index.ts';
import { batchMesh, buildMesh, type Mesh, rayMesh } from '../../../src/trimesh/index.ts';
import {
  type BoxKind,
  boxesAt,
  MADE,
  madeMesh,
  plainPoints,
  plainRays,
  pointsAt,
  raysAt,
} from './queries.ts';

export interface Comparison {
  readonly lane: string;
  readonly reason: string;
  readonly count: number;
  readonly onCpu: number;
  readonly hits: number;
  /** Of all numbers that were answered, those with other bits; and the first query of one. */
  readonly wrong: number;
  readonly first: string;
  /** Milliseconds of the GPU with all that belongs to it, and of one thread. */
  readonly gpuTime: number;
  readonly cpuTime: number;
}

export interface BoxComparison {
  readonly lane: string;
  readonly reason: string;
  readonly pairs: number;
  readonly wrong: number;
  /** Milliseconds of all frames but the first. */
  readonly gpuTime: number;
  readonly cpuTime: number;
}

const meshes = new Map<string, Promise<Mesh>>();
const gpus = new Map<string, Promise<Gpu>>();

async function servedMesh(name: string): Promise<Mesh> {
  const { positions, index } = (await (await fetch(`/mesh/${name}`)).json()) as Record<string, number[]>;
  return buildMesh(Float32Array.from(positions!), Uint32Array.from(index!));
}

function meshOf(name: string): Promise<Mesh> {
  let made = meshes.get(name);
  if (!made) {
    made = MADE.includes(name) ? Promise.resolve(madeMesh(name, 5)) : servedMesh(name);
    meshes.set(name, made);
  }
  return made;
}

/** The GPU that the tests share. */
function gpuOf(): Promise<Gpu> {
  let gpu = gpus.get('shared');
  if (!gpu) {
    gpu = requestGpu();
    gpus.set('shared', gpu);
  }
  return gpu;
}

type List = Float64Array | Int32Array;

/** How many numbers differ in their bits. */
function difference(
  a: Record<string, List>,
  b: Record<string, List>,
  count: number,
): { wrong: number; first: string } {
  let wrong = 0;
  let first = '';
  for (const key of Object.keys(b)) {
    const [p, q] = [new Uint32Array(a[key]!.buffer), new Uint32Array(b[key]!.buffer)];
    const words = q.length / count;
    if (p.length !== q.length) return { wrong: Infinity, first: `${key} is as long as ${p.length}` };
    for (let i = 0; i < q.length; i++)
      if (p[i] !== q[i]) {
        wrong++;
        first ||= `${key} of query ${Math.floor(i / words)}`;
      }
  }
  return { wrong, first };
}

/** How many numbers of two lists of pairs differ. */
function differentPairs(
  a: Pick<GpuBoxPairs, 'ids' | 'count'>,
  b: Pick<GpuBoxPairs, 'ids' | 'count'>,
): number {
  let wrong = Math.abs(a.count - b.count) + Math.abs(a.ids.length - b.ids.length);
  for (let i = 0; i < b.ids.length; i++) wrong += +(a.ids[i] !== b.ids[i]);
  return wrong;
}

/** The pairs in the same order, by every two boxes, or where these are too many by another broad phase. */
function otherPairs(boxes: Float64Array): { ids: Int32Array; count: number } {
  const count = boxes.length / 6;
  /** Both numbers in one, so that millions of pairs are sorted in a second. */
  let keys = new Float64Array(1024);
  let found = 0;
  const add = (a: number, b: number): void => {
    if (found === keys.length) {
      const longer = new Float64Array(2 * found);
      longer.set(keys);
      keys = longer;
    }
    keys[found++] = Math.min(a, b) * count + Math.max(a, b);
  };
  if (count <= 2000) {
    const apart = (a: number, b: number) => boxes[a]! > boxes[b + 3]! || boxes[b]! > boxes[a + 3]!;
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++)
        if (![0, 1, 2].some((axis) => apart(6 * i + axis, 6 * j + axis))) add(i, j);
  } else {
    const sweep = new SortAndSweep();
    for (let i = 0; i < count; i++) {
      const [a, b, c, d, e, f] = boxes.subarray(6 * i, 6 * i + 6);
      sweep.add(i, { min: { x: a!, y: b!, z: c! }, max: { x: d!, y: e!, z: f! } });
    }
    sweep.pairs(add);
  }
  const sorted = keys.subarray(0, found).sort();
  const ids = new Int32Array(2 * found);
  for (let i = 0; i < found; i++) {
    ids[2 * i] = Math.floor(sorted[i]! / count);
    ids[2 * i + 1] = sorted[i]! % count;
  }
  return { ids, count: found };
}

/** A `Gpu` without a device. */
async function cpuOf(): Promise<Gpu> {
  const gpu = await requestGpu();
  gpu.close();
  return gpu;
}

const inputOf = (name: GpuBatchName, mesh: Mesh, count: number, seed: number) =>
  name === 'rayMesh' ? raysAt(mesh, count, seed) : { points: pointsAt(mesh, count, seed) };

async function compare(
  gpu: Gpu,
  name: GpuBatchName,
  mesh: Mesh,
  input: ReturnType<typeof inputOf> & { tMax?: number; maxDistance?: number },
): Promise<Comparison> {
  const start = performance.now();
  const { answers, lane, reason, onCpu } = await gpu.batch(name, input as never, mesh);
  const middle = performance.now();
  const alone = batchMesh(name, input as never, mesh);
  const cpuTime = performance.now() - middle;
  const count = alone.triangle.length;
  const { wrong, first } = difference(
    answers as unknown as Record<string, List>,
    alone as unknown as Record<string, List>,
    count,
  );
  const at = first === '' ? -1 : Number(/\d+$/.exec(first)![0]);
  const told =
    first &&
    `${first}: ${JSON.stringify(
      Object.fromEntries(
        Object.entries(input)
          .filter(([, list]) => typeof list === 'object')
          .map(([key, list]) => [key, Array.from((list as Float64Array).subarray(3 * at, 3 * at + 3))]),
      ),
    )} gpu ${JSON.stringify(Object.values(answers).map((l) => l[at]))} cpu ${JSON.stringify(Object.values(alone).map((l) => l[at]))}`;
  const hits = alone.triangle.filter((id) => id >= 0).length;
  return { lane, reason, count, onCpu, hits, wrong, first: told, gpuTime: middle - start, cpuTime };
}

const tests = {
  /** Queries as programs have them. */
  async plain(name: GpuBatchName, meshName: string, count: number): Promise<Comparison> {
    const mesh = await meshOf(meshName);
    const gpu = await gpuOf();
    const input = name === 'rayMesh' ? plainRays(mesh, count, 3) : { points: plainPoints(mesh, count, 3) };
    // The first time, code is compiled and the mesh uploaded.
    await compare(gpu, name, mesh, input);
    return compare(gpu, name, mesh, input);
  },

  async batch(
    name: GpuBatchName,
    meshName: string,
    count: number,
    seed: number,
    limit?: number,
  ): Promise<Comparison> {
    const mesh = await meshOf(meshName);
    const gpu = await gpuOf();
    const { min, max } = mesh.bounds;
    const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    const input = inputOf(name, mesh, count, seed);
    const range =
      limit === undefined ? {} : name === 'rayMesh' ? { tMax: limit } : { maxDistance: limit * size };
    return compare(gpu, name, mesh, { ...input, ...range });
  },

  /** A device that is destroyed in the middle of a batch, by the program or by `close`; and the next batch. */
  async lost(name: GpuBatchName, by: 'destroy' | 'close', after: number): Promise<[Comparison, Comparison]> {
    const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
    const gpu = await (by === 'close' ? requestGpu() : requestGpu({ device }));
    const mesh = await meshOf('bunny');
    const input =
      name === 'rayMesh' ? plainRays(mesh, 150_000, 3) : { points: plainPoints(mesh, 150_000, 3) };
    await gpu.batch(name, inputOf(name, mesh, 10, 3) as never, mesh);
    if (gpu.lane !== 'gpu') throw new Error(gpu.reason);
    setTimeout(() => (by === 'close' ? gpu.close() : device.destroy()), after);
    const first = await compare(gpu, name, mesh, input);
    return [first, await compare(gpu, name, mesh, inputOf(name, mesh, 100, 4))];
  },

  /** A device without enough memory: by its limits, by what it says when asked, or by throwing. */
  async scarce(what: 'limits' | 'memory' | 'throw' | 'code'): Promise<[Comparison, Comparison]> {
    const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
    let refuses = true;
    const poor = new Proxy(device, {
      get(target, key) {
        if (refuses) {
          if (key === 'limits' && what === 'limits')
            return {
              maxStorageBufferBindingSize: 1000,
              maxBufferSize: 1e9,
              maxComputeWorkgroupsPerDimension: 65535,
            };
          if (key === 'popErrorScope' && what === 'memory')
            return async () => {
              await target.popErrorScope();
              return new GPUOutOfMemoryError('no memory is left');
            };
          if (key === 'createBuffer' && what === 'throw')
            return () => {
              throw new RangeError('createBuffer failed');
            };
          if (key === 'createComputePipelineAsync' && what === 'code')
            return () => Promise.reject(new GPUPipelineError('no such code', { reason: 'internal' }));
        }
        const value = Reflect.get(target, key, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const gpu = await requestGpu({ device: poor });
    const mesh = await meshOf('knot');
    const input = inputOf('rayMesh', mesh, 1000, 3);
    const first = await compare(gpu, 'rayMesh', mesh, input);
    refuses = false;
    const second = await compare(gpu, 'rayMesh', mesh, input);
    gpu.close();
    device.destroy();
    return [first, second];
  },

  /** What there is where WebGPU is missing, has no adapter, or fails. */
  async without(): Promise<(readonly [string, string])[]> {
    const real = navigator.gpu;
    const told: (readonly [string, string])[] = [];
    const refuse = () => Promise.reject(new Error('not today'));
    for (const gpu of [undefined, { requestAdapter: async () => null }, { requestAdapter: refuse }]) {
      Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
      const { lane, reason } = await requestGpu({ powerPreference: 'low-power' });
      told.push([lane, reason]);
    }
    Object.defineProperty(navigator, 'gpu', { value: real, configurable: true });
    return told;
  },

  /** Batches of several kinds and meshes at once, a mesh given back among them. */
  async together(): Promise<Comparison[]> {
    const gpu = await gpuOf();
    const [bunny, knot] = await Promise.all([meshOf('bunny'), meshOf('knot')]);
    const ask = (name: GpuBatchName, mesh: Mesh, seed: number) =>
      compare(gpu, name, mesh, inputOf(name, mesh, 3000, seed));
    const first = [ask('rayMesh', bunny, 1), ask('closestPointMesh', bunny, 2), ask('rayMesh', knot, 3)];
    const done = await Promise.all([...first, ask('rayMesh', bunny, 4), ask('closestPointMesh', knot, 5)]);
    gpu.release(bunny);
    gpu.release(bunny);
    return [...done, await ask('rayMesh', bunny, 6)];
  },

  /** Moving boxes, some frames of each kind: the pairs of the GPU, of one thread, and of another broad phase. */
  async boxes(kind: BoxKind, count: number, frames: number): Promise<BoxComparison> {
    const gpu = await gpuOf();
    const [boxes, alone] = [gpu.boxes(), (await cpuOf()).boxes()];
    const told = { lane: '', reason: '', pairs: 0, wrong: 0, gpuTime: 0, cpuTime: 0 };
    for (let frame = 0; frame < frames; frame++) {
      const list = boxesAt(kind, count, frame);
      const start = performance.now();
      const given = list.slice();
      const asked = boxes.pairs(given);
      given.fill(0); // they are read at once
      const found = await asked;
      const middle = performance.now();
      const wanted = await alone.pairs(list);
      if (frame > 0) {
        told.gpuTime += middle - start;
        told.cpuTime += performance.now() - middle;
      }
      told.lane = found.lane;
      told.reason = found.reason;
      told.pairs += wanted.count;
      told.wrong += differentPairs(found, wanted);
      if (wanted.lane !== 'cpu' || wanted.onCpu !== count) told.wrong++;
      if (frame === 0 || count < 2000) told.wrong += differentPairs(found, otherPairs(list));
    }
    boxes.release();
    return told;
  },

  /** Boxes whose number changes from frame to frame, asked without waiting; the device is lost in between. */
  async boxesLost(): Promise<[lane: string, reason: string, wrong: number][]> {
    const gpu = await requestGpu();
    const boxes = gpu.boxes();
    const asked = [0, 1, 2, 7, 8, 9, 500, 64, 65, 20_000].map(async (count, frame) => {
      const list = boxesAt('crowd', count, frame);
      const found = await boxes.pairs(list);
      if (count === 65) gpu.close();
      return [found.lane, found.reason, differentPairs(found, otherPairs(list))] as [string, string, number];
    });
    return Promise.all(asked);
  },

  async badBoxes(): Promise<string[]> {
    const boxes = (await gpuOf()).boxes();
    const bad = [[1, 2], [0, 0, 0, 1, 1, Number.NaN], [0, 0, 0, 1, -1, 1], 'boxes'];
    return Promise.all(bad.map((list) => boxes.pairs(list as never).then(String, (error) => error.message)));
  },

  /** Rays out of one array, and their points and normals: those of `rayMesh` for each. */
  async surfaces(
    meshName: string,
    count: number,
    on: 'gpu' | 'cpu',
  ): Promise<[lane: string, hits: number, wrong: number]> {
    const gpu = await (on === 'gpu' ? gpuOf() : cpuOf());
    const mesh = await meshOf(meshName);
    const { origins, directions } = raysAt(mesh, count, 23);
    const array = new Float64Array(1 + 7 * count);
    for (let i = 0; i < 3 * count; i++) {
      array[1 + 7 * Math.floor(i / 3) + (i % 3)] = origins[i]!;
      array[5 + 7 * Math.floor(i / 3) + (i % 3)] = directions[i]!;
    }
    const out = {
      t: new Float64Array(count),
      triangle: new Int32Array(count),
      v: new Float64Array(count),
      w: new Float64Array(count),
      point: new Float64Array(3 * count),
      normal: new Float64Array(3 * count),
    };
    const input = { origins: { array, offset: 1, stride: 7 }, directions: { array, offset: 5, stride: 7 } };
    const { lane } = await gpu.batch('rayMesh', input, mesh, out);
    let hits = 0;
    let wrong = 0;
    for (let i = 0; i < count; i++) {
      const at = (list: Float64Array) => ({ x: list[3 * i]!, y: list[3 * i + 1]!, z: list[3 * i + 2]! });
      const hit = rayMesh({ origin: at(origins), direction: at(directions) }, mesh);
      const [p, n] = [at(out.point), at(out.normal)];
      const zero = { x: 0, y: 0, z: 0 };
      const wanted = hit
        ? [hit.t, hit.triangle, hit.v, hit.w, hit.point, hit.normal]
        : [Infinity, -1, 0, 0, zero, zero];
      const told = [out.t[i], out.triangle[i], out.v[i], out.w[i], p, n];
      const bits = (list: unknown) =>
        JSON.stringify(list, (_, x) => (Object.is(x, -0) ? '-0' : x === Infinity ? 'inf' : x));
      if (bits(wanted) !== bits(told)) wrong++;
      if (hit) hits++;
    }
    return [lane, hits, wrong];
  },

  /** Batches without queries, with answers given, and with bad input. */
  async odd(): Promise<string[]> {
    const gpu = await gpuOf();
    const knot = await meshOf('knot');
    const told: string[] = [];
    const none = await gpu.batch('rayMesh', { origins: [], directions: [] }, knot);
    told.push(`${none.lane} ${none.onCpu} ${none.answers.t.length}`);
    const out = {
      t: new Float64Array(5).fill(-7),
      triangle: new Int32Array(5),
      v: new Float64Array(5),
      w: new Float64Array(5),
    };
    const { answers } = await gpu.batch('rayMesh', { origins: [0, 0, 5], directions: [0, 0, -1] }, knot, out);
    told.push(`${answers.t === out.t} ${out.t[1]}`);
    const bad: [string, unknown][] = [
      ['overlapAabbMesh', { boxes: [] }],
      ['rayMesh', { origins: [0, 0, Number.NaN], directions: [0, 0, 1] }],
      ['rayMesh', { origins: [0, 0, 1], directions: [] }],
      ['closestPointMesh', { points: [0, 0, 1], maxDistance: -1 }],
      ['toString', {}],
    ];
    for (const [name, input] of bad)
      told.push(await gpu.batch(name as never, input as never, knot).then(String, (error) => error.message));
    return told;
  },
};

export type GpuTests = typeof tests;
declare global {
  interface Window {
    gpuTests: GpuTests;
  }
}
window.gpuTests = tests;
