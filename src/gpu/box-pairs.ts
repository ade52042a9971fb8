/**
 * Which of many moving boxes meet, on the GPU. Boxes go there in whole numbers, in which boxes that meet still do; the pairs that come
 * back are looked at once more in double precision. RTCD §7.
 *
 * Boxes stand along a curve that fills space, so that neighbours are together, and each eight of them are a leaf of a binary tree without
 * links: the children of node i are 2 i and 2 i + 1. The tree is fitted to the boxes level by level. Each box then walks from its own leaf
 * on to the end, so that each pair is met once.
 */
import { DynamicTree } from '../broadphase/dynamic-tree.ts';
import { makePairList, type PairList } from '../broadphase/pair-list.ts';
import { checkNumbers, describe, refuse } from '../math/check.ts';
import { gridOver, mortonOrder, sortPairs, writeBoxes } from './box-order.ts';
import {
  allocate,
  COPY_DST,
  COPY_SRC,
  type DeviceHolder,
  GpuRefusal,
  type GpuReport,
  largestBuffer,
  MAP_READ,
  STORAGE,
  UNIFORM,
} from './device.ts';

/** The pairs of boxes that meet, and who found them. */
export interface GpuBoxPairs extends GpuReport {
  readonly count: number;
  /** The numbers of the boxes of each pair, the smaller first; pairs by their first number, then by their second. */
  readonly ids: Int32Array;
}

/** Boxes in a leaf. */
const LEAF = 8;
const GROUP = 64;
/** After so many frames boxes are put in order again. */
const KEPT = 8;
/** Where pairs begin in their list, in bytes: behind their number. */
const HEAD = 8;
/** Alignment of the numbers that each level has. */
const ALIGNED = 256;
/** Coordinates beyond this are refused, as by `DynamicTree`. */
const LARGEST = 1e30;

const CODE = /* wgsl */ `
struct Params {
  first: u32,   // of a level: its first node, and how many nodes it has
  width: u32,
  leaves: u32,  // how many nodes the level of the leaves has
  count: u32,   // of boxes
  most: u32,    // how many pairs there is room for
}

struct Pairs {
  count: atomic<u32>,
  unused: u32,
  list: array<vec2<u32>>,
}

struct Box {
  low: vec3<u32>,
  high: vec3<u32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> sides: array<u32>;
@group(0) @binding(2) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(3) var<storage, read_write> pairs: Pairs;

fn boxAt(i: u32) -> Box {
  let at = 6u * i;
  return Box(
    vec3<u32>(sides[at], sides[at + 1u], sides[at + 2u]),
    vec3<u32>(sides[at + 3u], sides[at + 4u], sides[at + 5u]),
  );
}

fn nodeAt(i: u32) -> Box {
  let at = 6u * i;
  return Box(
    vec3<u32>(nodes[at], nodes[at + 1u], nodes[at + 2u]),
    vec3<u32>(nodes[at + 3u], nodes[at + 4u], nodes[at + 5u]),
  );
}

fn meet(a: Box, b: Box) -> bool {
  return all(a.low <= b.high) && all(b.low <= a.high);
}

fn merge(a: Box, b: Box) -> Box {
  return Box(min(a.low, b.low), max(a.high, b.high));
}

// The boxes of the nodes of one level, those below being done. What has no boxes is inside out.
@compute @workgroup_size(${GROUP})
fn fit(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.width) { return; }
  let node = params.first + id.x;
  var around = Box(vec3<u32>(0xffffffffu), vec3<u32>(0u));
  if (node >= params.leaves) {
    let first = ${LEAF}u * (node - params.leaves);
    for (var i = first; i < min(params.count, first + ${LEAF}u); i++) { around = merge(around, boxAt(i)); }
  } else {
    around = merge(nodeAt(2u * node), nodeAt(2u * node + 1u));
  }
  let at = 6u * node;
  nodes[at] = around.low.x;
  nodes[at + 1u] = around.low.y;
  nodes[at + 2u] = around.low.z;
  nodes[at + 3u] = around.high.x;
  nodes[at + 4u] = around.high.y;
  nodes[at + 5u] = around.high.z;
}

fn report(i: u32, j: u32) {
  let at = atomicAdd(&pairs.count, 1u);
  if (at < params.most) { pairs.list[at] = vec2<u32>(i, j); }
}

@compute @workgroup_size(${GROUP})
fn search(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= params.count) { return; }
  let box = boxAt(i);
  var node = params.leaves + i / ${LEAF}u;
  var j = i + 1u;
  loop {
    if (node >= params.leaves) {
      let first = ${LEAF}u * (node - params.leaves);
      for (j = max(j, first); j < min(params.count, first + ${LEAF}u); j++) {
        if (meet(box, boxAt(j))) { report(i, j); }
      }
    }
    // The next node that is not below this one, or left of it; then down where the boxes meet.
    node++;
    node >>= countTrailingZeros(node);
    loop {
      if (node == 1u) { return; }
      if (!meet(box, nodeAt(node))) {
        node++;
        node >>= countTrailingZeros(node);
        continue;
      }
      if (node >= params.leaves) { break; }
      node *= 2u;
    }
  }
}
`;

interface Memory {
  /** So many boxes and pairs fit in. */
  readonly boxes: number;
  readonly pairs: number;
  readonly params: GPUBuffer;
  readonly sides: GPUBuffer;
  readonly nodes: GPUBuffer;
  readonly list: GPUBuffer;
  readonly staging: GPUBuffer;
}

interface Pipelines {
  readonly layout: GPUBindGroupLayout;
  readonly fit: GPUComputePipeline;
  readonly search: GPUComputePipeline;
}

/** Boxes that move, and which of them meet, from `Gpu.boxes`. What is kept from frame to frame only saves time. */
export class GpuBoxes {
  readonly #held: DeviceHolder;
  #pipelines: Promise<Pipelines> | null = null;
  #memory: Memory | null = null;
  #words = new Uint32Array(0);
  #order: Uint32Array = new Uint32Array(0);
  #frame = 0;
  /** How many pairs there were. */
  #found = 1024;
  /** For when there is no GPU. */
  #tree = new DynamicTree();
  #proxies: Uint32Array = new Uint32Array(0);
  #list: PairList = makePairList();
  /** Frames are answered one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(held: DeviceHolder) {
    this.#held = held;
  }

  /**
   * All pairs of boxes that share a point, of boxes given by minimum x, y, z and maximum x, y, z one after the other. The list is
   * read before this returns. The promise is rejected for bad input only: whatever the device cannot do, the CPU does.
   */
  async pairs(boxes: ArrayLike<number>): Promise<GpuBoxPairs> {
    checkNumbers('GpuBoxes.pairs', 'boxes', boxes, LARGEST);
    if (boxes.length % 6 !== 0)
      refuse('GpuBoxes.pairs', 'boxes', `must hold six numbers a box, got ${describe(boxes.length)}`);
    for (let i = 0; i < boxes.length; i += 6)
      for (let k = i; k < i + 3; k++)
        if (boxes[k]! > boxes[k + 3]!)
          refuse('GpuBoxes.pairs', `boxes[${i / 6}]`, 'must have its minimum below its maximum');
    const copy = Float64Array.from(boxes);
    const answer = this.#last.then(() => this.#answer(copy));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Gives the memory on the device back. It is taken again when asked again. */
  release(): void {
    this.#last = this.#last.then(() => this.#forget());
  }

  async #answer(boxes: Float64Array<ArrayBuffer>): Promise<GpuBoxPairs> {
    let { reason } = this.#held;
    const { device } = this.#held;
    if (device)
      try {
        const ids = await this.#held.answered(() => this.#search(device, boxes));
        return { lane: 'gpu', reason: '', onCpu: 0, count: ids.length / 2, ids };
      } catch (error) {
        reason = await this.#held.reasonOf(error);
        this.#forget();
      }
    const ids = this.#searchAlone(boxes);
    return { lane: 'cpu', reason, onCpu: boxes.length / 6, count: ids.length / 2, ids };
  }

  #searchAlone(boxes: Float64Array): Int32Array {
    const count = boxes.length / 6;
    if (this.#proxies.length === count) this.#tree.moveMany(this.#proxies, boxes);
    else {
      this.#tree = new DynamicTree();
      this.#proxies = this.#tree.insertMany(boxes, { data: new Uint32Array(count).map((_, i) => i) });
    }
    const found = this.#tree.collectPairs(this.#list, true);
    return sortPairs(this.#list.ids, found, count);
  }

  async #search(device: GPUDevice, boxes: Float64Array): Promise<Int32Array> {
    const count = boxes.length / 6;
    if (count < 2) return new Int32Array(0);
    this.#pipelines ??= compile(device);
    const pipelines = await this.#pipelines;
    const grid = gridOver(boxes);
    if (this.#order.length !== count || this.#frame++ % KEPT === 0) this.#order = mortonOrder(boxes);
    if (this.#words.length !== 6 * count) this.#words = new Uint32Array(6 * count);
    writeBoxes(boxes, this.#order, grid, this.#words);
    for (;;) {
      const memory = await this.#memoryFor(device, count);
      device.queue.writeBuffer(memory.sides, 0, this.#words);
      const wanted = Math.min(memory.pairs, Math.ceil(1.25 * this.#found) + 1024);
      submit(device, pipelines, memory, count, wanted);
      await memory.staging.mapAsync(MAP_READ, 0, HEAD + 8 * wanted);
      const [found] = new Uint32Array(memory.staging.getMappedRange(0, HEAD));
      this.#found = found!;
      const ids =
        found! <= wanted ? this.#confirm(boxes, memory.staging.getMappedRange(HEAD, 8 * found!)) : null;
      memory.staging.unmap();
      // There were more than expected: once more, with room for them.
      if (ids) return ids;
    }
  }

  /** The pairs that meet in double precision, too. */
  #confirm(boxes: Float64Array, found: ArrayBuffer): Int32Array {
    const order = this.#order;
    const pairs = new Int32Array(found.slice(0));
    let count = 0;
    for (let k = 0; k < pairs.length; k += 2) {
      const i = order[pairs[k]!]!;
      const j = order[pairs[k + 1]!]!;
      const a = 6 * i;
      const b = 6 * j;
      const meet =
        +(boxes[a]! <= boxes[b + 3]!) &
        +(boxes[a + 1]! <= boxes[b + 4]!) &
        +(boxes[a + 2]! <= boxes[b + 5]!) &
        +(boxes[b]! <= boxes[a + 3]!) &
        +(boxes[b + 1]! <= boxes[a + 4]!) &
        +(boxes[b + 2]! <= boxes[a + 5]!);
      pairs[2 * count] = i;
      pairs[2 * count + 1] = j;
      count += meet;
    }
    return sortPairs(pairs, count, boxes.length / 6);
  }

  async #memoryFor(device: GPUDevice, count: number): Promise<Memory> {
    const wanted = Math.ceil(1.25 * this.#found) + 1024;
    if (this.#memory && this.#memory.boxes >= count && this.#memory.pairs >= wanted) return this.#memory;
    this.#forget();
    const leaves = leavesOf(count);
    const pairs = Math.ceil(1.5 * wanted);
    const needed = Math.max(24 * count, 48 * leaves, HEAD + 8 * pairs);
    const most = Math.min(
      largestBuffer(device),
      4 * GROUP * device.limits.maxComputeWorkgroupsPerDimension * 6,
    );
    if (needed > most)
      throw new GpuRefusal(
        `the boxes need a buffer of ${needed} bytes, and the device has them up to ${most}`,
      );
    this.#memory = await allocate(device, () => ({
      boxes: count,
      pairs,
      params: device.createBuffer({ size: ALIGNED * 32, usage: UNIFORM | COPY_DST }),
      sides: device.createBuffer({ size: 24 * count, usage: STORAGE | COPY_DST }),
      nodes: device.createBuffer({ size: 48 * leaves, usage: STORAGE }),
      list: device.createBuffer({ size: HEAD + 8 * pairs, usage: STORAGE | COPY_SRC | COPY_DST }),
      staging: device.createBuffer({ size: HEAD + 8 * pairs, usage: MAP_READ | COPY_DST }),
    }));
    return this.#memory;
  }

  #forget(): void {
    const memory = this.#memory;
    this.#memory = null;
    if (memory) for (const part of Object.values(memory)) if (typeof part !== 'number') part.destroy();
  }
}

/** How many nodes the level of the leaves has: a power of two. */
const leavesOf = (count: number): number => 1 << (32 - Math.clz32(Math.ceil(count / LEAF) - 1));

async function compile(device: GPUDevice): Promise<Pipelines> {
  const module = device.createShaderModule({ code: CODE });
  const visibility = 4; // of compute shaders
  const layout = device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
      { binding: 1, visibility, buffer: { type: 'read-only-storage' } },
      { binding: 2, visibility, buffer: { type: 'storage' } },
      { binding: 3, visibility, buffer: { type: 'storage' } },
    ],
  });
  const shared = device.createPipelineLayout({ bindGroupLayouts: [layout] });
  const [fit, search] = await Promise.all(
    ['fit', 'search'].map((entryPoint) =>
      device.createComputePipelineAsync({ layout: shared, compute: { module, entryPoint } }),
    ),
  );
  return { layout, fit: fit!, search: search! };
}

/** The tree, level by level, the search, and the way back of so many pairs. */
function submit(
  device: GPUDevice,
  { layout, fit, search }: Pipelines,
  { params, sides, nodes, list, staging, pairs }: Memory,
  count: number,
  wanted: number,
): void {
  const leaves = leavesOf(count);
  const words = new Uint32Array((ALIGNED / 4) * 32);
  const widths: number[] = [];
  for (let width = leaves; width >= 1; width >>= 1) {
    words.set([width, width, leaves, count, pairs], (ALIGNED / 4) * widths.length);
    widths.push(width);
  }
  device.queue.writeBuffer(params, 0, words);
  const entries = [params, sides, nodes, list].map((buffer, binding) => ({
    binding,
    resource: binding === 0 ? { buffer, size: 32 } : { buffer },
  }));
  const group = device.createBindGroup({ layout, entries });
  const encoder = device.createCommandEncoder();
  encoder.clearBuffer(list, 0, HEAD);
  const pass = encoder.beginComputePass();
  pass.setPipeline(fit);
  for (let level = 0; level < widths.length; level++) {
    pass.setBindGroup(0, group, [ALIGNED * level]);
    pass.dispatchWorkgroups(Math.ceil(widths[level]! / GROUP));
  }
  pass.setPipeline(search);
  pass.setBindGroup(0, group, [0]);
  pass.dispatchWorkgroups(Math.ceil(count / GROUP));
  pass.end();
  encoder.copyBufferToBuffer(list, 0, staging, 0, HEAD + 8 * wanted);
  device.queue.submit([encoder.finish()]);
}
