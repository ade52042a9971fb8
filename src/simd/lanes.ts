/**
 * Tests of spheres, boxes, rays and triangles in columns, four at a time: one list with another, number by number. RTCD §13.7.
 *
 * In single precision, with its rounding: for culling and for drawing. What must be exact is asked of the primitives.
 */
import { checkNumbers, mustBeWhole, mustHave, refuse } from '../math/check.ts';
import { kernelModule, kernelsOver } from './kernels.ts';
import { type KdNodes, SCALAR, scalarKdTree } from './scalar-lanes.ts';
import { type Kernels, webAssembly } from './web-assembly.ts';

/** Where the columns begin, in bytes. */
const COLUMNS = 64;
const COLUMN_COUNT = 15;
const PAGE = 65536;
/** In a walk through a k-d tree two vectors and a node wait for each level, for two sides. */
const WAITING = 96;
const MOST_LEVELS = 64;

/**
 * Room for `capacity` pairs. `column(k)` is a list of 32-bit numbers to be filled, one for each pair:
 *
 * | test | first | second |
 * |---|---|---|
 * | `overlapSpheres` | 0–3: x, y, z, radius | 4–7: x, y, z, radius |
 * | `overlapSphereBoxes` | 0–3: x, y, z, radius | 4–9: least x, y, z, greatest x, y, z |
 * | `overlapBoxes` | 0–5: least x, y, z, greatest x, y, z | 6–11 |
 * | `rayBoxes` | 0–5: origin, direction | 6–11: least, greatest |
 * | `rayTriangles` | 0–5: origin, direction | 6–14: a, b, c |
 * | `rayKdTree` | 0–5 of the first four: origin, direction | the tree |
 *
 * The lists of answers belong to it too, and hold until the next question. What has not been filled is never hit.
 */
export class Lanes {
  /** Whether the kernels of WebAssembly answer. If not, the same tests one by one do, with the same bits. */
  readonly lane: 'simd' | 'scalar';
  readonly capacity: number;
  private readonly stride: number;
  private readonly columns: Float32Array;
  private readonly masks: Int32Array;
  private readonly times: Float32Array;
  private readonly yes: Uint8Array;
  private readonly kernels: Kernels | null;
  private readonly tree: Placed | null = null;

  constructor(capacity: number, tree?: KdTriangles) {
    mustBeWhole('Lanes', 'capacity', capacity, 1, 1 << 24);
    if (tree !== undefined) mustHave('Lanes', 'tree', tree, 'a tree of triangles', 'items');
    this.capacity = capacity;
    const n = Math.ceil(capacity / 4) * 4;
    this.stride = n;
    // Answers of rays through a tree are eight numbers.
    const end = COLUMNS + 4 * (COLUMN_COUNT * n + Math.max(n, 8));
    const size = end + (tree ? sizeOf(tree) : 0);
    const module = kernelModule();
    let buffer = new ArrayBuffer(module ? 0 : size);
    this.kernels = null;
    this.lane = module ? 'simd' : 'scalar';
    if (module) {
      const wasm = webAssembly()!;
      const memory = new wasm.Memory({ initial: Math.ceil(size / PAGE) });
      buffer = memory.buffer;
      this.kernels = kernelsOver(module, memory);
    }
    this.columns = new Float32Array(buffer, COLUMNS, COLUMN_COUNT * n).fill(Number.NaN);
    this.times = new Float32Array(buffer, COLUMNS + 4 * COLUMN_COUNT * n, Math.max(n, 8));
    this.masks = new Int32Array(buffer, COLUMNS + 4 * COLUMN_COUNT * n, Math.max(n, 8));
    this.yes = new Uint8Array(capacity);
    if (tree) this.tree = place(tree, buffer, end);
  }

  /** One number for each pair, to be filled. */
  column(k: number): Float32Array {
    mustBeWhole('column', 'k', k, 0, COLUMN_COUNT - 1);
    return this.columns.subarray(k * this.stride, k * this.stride + this.capacity);
  }

  /** 1 where a sphere and a sphere share a point. */
  overlapSpheres(): Uint8Array {
    return this.answers('overlapSpheres');
  }

  /** 1 where a sphere and a box share a point. */
  overlapSphereBoxes(): Uint8Array {
    return this.answers('overlapSphereBoxes');
  }

  /** 1 where a box and a box share a point. */
  overlapBoxes(): Uint8Array {
    return this.answers('overlapBoxes');
  }

  /** When each ray enters its box, from 0 on; -1 where it does not. A ray that runs in a side of the box may be taken for either. */
  rayBoxes(): Float32Array {
    return this.timesOf('rayBoxes');
  }

  /** When each ray hits its triangle, from either side; -1 where it does not. */
  rayTriangles(): Float32Array {
    return this.timesOf('rayTriangles');
  }

  /** The first hits of the first four rays in the tree that was given: t (infinite for none) and the triangle (-1). */
  rayKdTree(): { readonly t: Float32Array; readonly triangle: Int32Array } {
    const { tree, stride, times, masks } = this;
    if (tree === null) refuse('rayKdTree', 'tree', 'must have been given to the constructor');
    if (this.kernels)
      this.kernels.rayKdTree(4 * stride, tree.nodesAt, tree.itemsAt, tree.trianglesAt, tree.stackAt);
    else
      for (let i = 0; i < 4; i++) {
        const hit = scalarKdTree(this.columns, stride, i, tree);
        times[i] = hit ? hit.t : Infinity;
        masks[4 + i] = hit ? hit.triangle : -1;
      }
    return { t: times.subarray(0, 4), triangle: masks.subarray(4, 8) };
  }

  private answers(test: 'overlapSpheres' | 'overlapSphereBoxes' | 'overlapBoxes'): Uint8Array {
    const { kernels, columns, stride, yes, masks, capacity } = this;
    if (kernels) kernels[test](4 * stride);
    for (let i = 0; i < capacity; i++) yes[i] = kernels ? masks[i]! & 1 : +SCALAR[test](columns, stride, i);
    return yes;
  }

  private timesOf(test: 'rayBoxes' | 'rayTriangles'): Float32Array {
    const { kernels, columns, stride, times, capacity } = this;
    if (kernels) kernels[test](4 * stride);
    else for (let i = 0; i < capacity; i++) times[i] = SCALAR[test](columns, stride, i);
    return times.subarray(0, capacity);
  }
}

interface Placed extends KdNodes {
  readonly nodesAt: number;
  readonly itemsAt: number;
  readonly trianglesAt: number;
  readonly stackAt: number;
}

const sizeOf = ({ nodes, items, triangles }: KdNodes): number =>
  4 * (nodes.length + items.length + triangles.length) + WAITING * MOST_LEVELS;

function place(tree: KdTriangles, buffer: ArrayBuffer, nodesAt: number): Placed {
  const itemsAt = nodesAt + 4 * tree.nodes.length;
  const trianglesAt = itemsAt + 4 * tree.items.length;
  const nodes = new Int32Array(buffer, nodesAt, tree.nodes.length);
  const items = new Int32Array(buffer, itemsAt, tree.items.length);
  const triangles = new Float32Array(buffer, trianglesAt, tree.triangles.length);
  nodes.set(tree.nodes);
  items.set(tree.items);
  triangles.set(tree.triangles);
  const cuts = new Float32Array(buffer, nodesAt, tree.nodes.length);
  return {
    nodes,
    cuts,
    items,
    triangles,
    nodesAt,
    itemsAt,
    trianglesAt,
    stackAt: trianglesAt + 4 * triangles.length,
  };
}

/** Triangles in a k-d tree, each in all cells that it touches, cut in the middle of the longest axis. RTCD §7.3.7. */
export class KdTriangles implements KdNodes {
  readonly nodes: Int32Array;
  readonly cuts: Float32Array;
  readonly items: Int32Array;
  readonly triangles: Float32Array;

  /** Nine numbers a triangle. */
  constructor(triangles: ArrayLike<number>, leafSize = 4) {
    checkNumbers('KdTriangles', 'triangles', triangles, 1e30);
    mustBeWhole('KdTriangles', 'leafSize', leafSize, 1, 1 << 20);
    if (triangles.length === 0 || triangles.length % 9 !== 0)
      refuse('KdTriangles', 'triangles', `must hold nine numbers a triangle, got ${triangles.length}`);
    const own = Float32Array.from(triangles);
    const rows: number[][] = [];
    const items: number[] = [];
    const least = (item: number, axis: number): number =>
      Math.min(own[9 * item + axis]!, own[9 * item + 3 + axis]!, own[9 * item + 6 + axis]!);
    const greatest = (item: number, axis: number): number =>
      Math.max(own[9 * item + axis]!, own[9 * item + 3 + axis]!, own[9 * item + 6 + axis]!);
    const divide = (inside: readonly number[], level: number): number => {
      const row = rows.push([3, 0, 0, 0]) - 1;
      let cut: { axis: number; at: number; below: number[]; above: number[] } | null = null;
      if (inside.length > leafSize && level < MOST_LEVELS - 2)
        for (let axis = 0; axis < 3; axis++) {
          const centers = inside.map((i) => (least(i, axis) + greatest(i, axis)) / 2).sort((p, q) => p - q);
          const at = Math.fround(centers[centers.length >> 1]!);
          const below = inside.filter((i) => least(i, axis) <= at);
          const above = inside.filter((i) => greatest(i, axis) >= at);
          const most = Math.max(below.length, above.length);
          if (most < inside.length && !(cut && most >= Math.max(cut.below.length, cut.above.length)))
            cut = { axis, at, below, above };
        }
      if (cut === null) {
        rows[row] = [3, 0, items.length, inside.length];
        items.push(...inside);
      } else rows[row] = [cut.axis, cut.at, divide(cut.below, level + 1), divide(cut.above, level + 1)];
      return row;
    };
    divide(
      Array.from({ length: own.length / 9 }, (_, i) => i),
      0,
    );
    this.nodes = Int32Array.from(rows.flat());
    this.cuts = new Float32Array(this.nodes.buffer);
    rows.forEach(([, at], i) => {
      this.cuts[4 * i + 1] = at!;
    });
    this.items = Int32Array.from(items);
    this.triangles = own;
  }
}
