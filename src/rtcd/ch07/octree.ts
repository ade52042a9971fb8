/**
 * Octrees and quadtrees with nodes of their own, after the book: static ones whose leaves share boxes, and dynamic ones in which
 * a box stands in the deepest cell that holds it. RTCD §7.3.1–2.
 *
 * For study. Moving boxes run on `broadphase/loose-octree.ts`, in which no box stands high up because it lies across a plane,
 * or on the dynamic tree; static boxes on the trees of `trees/`, triangles on `trimesh/`.
 */
import {
  checkAabb,
  checkNumbers,
  describe,
  mustBeFunction,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../../math/check.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';

export interface StaticOctreeOptions {
  /** 2: a quadtree over x and y. Default: 3. */
  readonly dimensions?: 2 | 3 | undefined;
  /** A cell with more boxes is divided. Default: 8. */
  readonly leafSize?: number | undefined;
  /** No cell is deeper. Default: 8. */
  readonly depth?: number | undefined;
}

interface Cell {
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Places in the list that the tree was made from: a box that overlaps several leaves is in each, and is stored once. */
  items: number[];
  children: Cell[];
}

/** Boxes that do not move, in every leaf that they touch. */
export class StaticOctree {
  readonly boxes: Float64Array;
  readonly dimensions: 2 | 3;
  private readonly root: Cell;

  /** `boxes` holds min x, y, z, max x, y, z of one after the other. */
  constructor(boxes: ArrayLike<number>, options: StaticOctreeOptions = {}) {
    mustBeOptions('StaticOctree', 'options', options, 'dimensions leafSize depth');
    const { dimensions = 3, leafSize = 8, depth = 8 } = options;
    mustBeWhole('StaticOctree', 'options.dimensions', dimensions, 2, 3);
    mustBeWhole('StaticOctree', 'options.leafSize', leafSize, 1, Infinity);
    mustBeWhole('StaticOctree', 'options.depth', depth, 0, 20);
    checkNumbers('StaticOctree', 'boxes', boxes, 1e75);
    if (boxes.length % 6 !== 0)
      refuse('StaticOctree', 'boxes', `must hold six numbers a box, got ${boxes.length}`);
    this.boxes = Float64Array.from(boxes);
    this.dimensions = dimensions;
    const items = Array.from({ length: boxes.length / 6 }, (_, i) => i);
    const low = [0, 1, 2].map((k) =>
      items.reduce((least, i) => Math.min(least, boxes[6 * i + k]!), Infinity),
    );
    const high = [3, 4, 5].map((k) =>
      items.reduce((most, i) => Math.max(most, boxes[6 * i + k]!), -Infinity),
    );
    this.root = { low, high, items, children: [] };
    const jobs = items.length > 0 ? [{ cell: this.root, level: 0 }] : [];
    while (jobs.length > 0) {
      const { cell, level } = jobs.pop()!;
      if (cell.items.length <= leafSize || level === depth) continue;
      for (let k = 0; k < 1 << dimensions; k++) {
        if (k & this.flatAxes(cell)) continue;
        const child = this.octant(cell, k);
        child.items = cell.items.filter((i) => this.touches(i, child.low, child.high));
        cell.children.push(child);
      }
      // All in all children: dividing does not help, and would not end.
      if (cell.children.every(({ items: own }) => own.length === cell.items.length)) cell.children = [];
      if (cell.children.length > 0) cell.items = [];
      for (const child of cell.children) jobs.push({ cell: child, level: level + 1 });
    }
  }

  /** Visits all boxes that share a point with this one, each once. Returns how many leaves were looked at. */
  search(box: ReadonlyAabb, visit: (item: number) => unknown): number {
    checkAabb('search', 'box', box);
    mustBeFunction('search', 'visit', visit);
    const low = [box.min.x, box.min.y, box.min.z];
    const high = [box.max.x, box.max.y, box.max.z];
    const found = new Set<number>();
    let leaves = 0;
    const waiting = [this.root];
    while (waiting.length > 0) {
      const cell = waiting.pop()!;
      if (cell.children.length === 0) leaves++;
      for (const i of cell.items) if (this.touches(i, low, high)) found.add(i);
      for (const child of cell.children) if (this.meet(child, low, high)) waiting.push(child);
    }
    for (const i of found) if (visit(i) === false) break;
    return leaves;
  }

  /**
   * Visits every two boxes that share a point, each pair once: in the leaf that holds the least corner of what they share,
   * and in no other. Cells are half open for that, but for the last ones.
   */
  pairs(visit: (a: number, b: number) => unknown): void {
    mustBeFunction('pairs', 'visit', visit);
    const waiting = [this.root];
    while (waiting.length > 0) {
      const cell = waiting.pop()!;
      waiting.push(...cell.children);
      for (let m = 0; m < cell.items.length; m++)
        for (let n = 0; n < m; n++) {
          const [i, j] = [cell.items[n]!, cell.items[m]!];
          const q = this.boxes.subarray(6 * j, 6 * j + 6);
          if (
            this.touches(i, q.subarray(0, 3), q.subarray(3)) &&
            this.owns(cell, i, j) &&
            visit(i, j) === false
          )
            return;
        }
    }
  }

  private owns({ low, high }: Cell, i: number, j: number): boolean {
    for (let k = 0; k < this.dimensions; k++) {
      const corner = Math.max(this.boxes[6 * i + k]!, this.boxes[6 * j + k]!);
      if (corner < low[k]! || (corner >= high[k]! && high[k]! < this.root.high[k]!)) return false;
    }
    return true;
  }

  /** The axes, one bit each, along which a cell is too flat to be halved. */
  private flatAxes({ low, high }: Pick<Cell, 'low' | 'high'>): number {
    let flat = 0;
    for (let axis = 0; axis < this.dimensions; axis++) {
      const middle = low[axis]! / 2 + high[axis]! / 2;
      if (!(middle > low[axis]! && middle < high[axis]!)) flat |= 1 << axis;
    }
    return flat;
  }

  private octant({ low, high }: Cell, k: number): Cell {
    const child = { low: [...low], high: [...high], items: [], children: [] };
    for (let axis = 0; axis < this.dimensions; axis++) {
      if (this.flatAxes({ low, high }) & (1 << axis)) continue;
      const middle = low[axis]! / 2 + high[axis]! / 2;
      (k & (1 << axis) ? child.low : child.high)[axis] = middle;
    }
    return child;
  }

  private touches(i: number, low: ArrayLike<number>, high: ArrayLike<number>): boolean {
    const q = 6 * i;
    for (let k = 0; k < 3; k++)
      if (this.boxes[q + k]! > high[k]! || low[k]! > this.boxes[q + k + 3]!) return false;
    return true;
  }

  private meet(cell: Cell, low: readonly number[], high: readonly number[]): boolean {
    for (let k = 0; k < this.dimensions; k++)
      if (cell.low[k]! > high[k]! || low[k]! > cell.high[k]!) return false;
    return true;
  }
}

export interface DynamicOctreeOptions {
  /** Levels below the root. Default: 6. */
  readonly depth?: number | undefined;
  /** 'pointer': nodes where there are boxes. 'array': all nodes, in one array, without links; up to 6 levels. Default: 'pointer'. */
  readonly form?: 'pointer' | 'array' | undefined;
}

/** Nodes by number: that of the root is 0, those of the children of i are 8 i + 1 to 8 i + 8. */
interface Store {
  get(node: number): Set<number> | undefined;
  make(node: number): Set<number>;
  drop(node: number): void;
}

class PointerStore implements Store {
  private readonly nodes = new Map<number, Set<number>>();
  get = (node: number): Set<number> | undefined => this.nodes.get(node);
  make(node: number): Set<number> {
    const made = new Set<number>();
    this.nodes.set(node, made);
    return made;
  }
  drop(node: number): void {
    this.nodes.delete(node);
  }
}

class ArrayStore implements Store {
  private readonly nodes: (Set<number> | undefined)[];
  constructor(depth: number) {
    let count = 1;
    for (let level = 0; level < depth; level++) count = 8 * count + 1;
    this.nodes = new Array(count).fill(undefined);
  }
  get = (node: number): Set<number> | undefined => this.nodes[node];
  make(node: number): Set<number> {
    const made = new Set<number>();
    this.nodes[node] = made;
    return made;
  }
  drop(node: number): void {
    this.nodes[node] = undefined;
  }
}

/**
 * Boxes that move, each in the deepest cell of a cube that holds it whole: one that lies across the middle plane of a cell
 * stays in that cell, |center - middle| <= half its size. (The book's listing adds half the side of the cell, so that nothing
 * goes down.) Boxes that are not inside of the cube are kept beside it.
 */
export class DynamicOctree {
  private readonly store: Store;
  private readonly depth: number;
  private readonly center: readonly number[];
  private readonly half: number;
  private readonly boxes = new Map<number, readonly number[]>();
  private readonly nodes = new Map<number, number>();
  private readonly outside = new Set<number>();
  /** How many boxes are in a node or below it. */
  private readonly counts = new Map<number, number>();

  constructor(cube: ReadonlyAabb, options: DynamicOctreeOptions = {}) {
    checkAabb('DynamicOctree', 'cube', cube);
    mustBeOptions('DynamicOctree', 'options', options, 'depth form');
    const { depth = 6, form = 'pointer' } = options;
    mustBeWhole('DynamicOctree', 'options.depth', depth, 0, form === 'array' ? 6 : 16);
    const { min, max } = cube;
    this.depth = depth;
    this.center = [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2];
    this.half = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / 2;
    this.store = form === 'array' ? new ArrayStore(depth) : new PointerStore();
  }

  get size(): number {
    return this.boxes.size;
  }

  /** Nodes that have boxes, or whose children have. */
  get nodeCount(): number {
    return this.counts.size;
  }

  /** How deep a box stands; -1 if it is outside of the cube. */
  levelOf(id: number): number {
    let level = -1;
    for (let node = this.nodes.get(id) ?? -1; node >= 0; node = parentOf(node)) level++;
    return level;
  }

  add(id: number, box: ReadonlyAabb): void {
    if (this.boxes.has(id)) refuse('add', 'id', `must not be in use, got ${describe(id)}`);
    checkAabb('add', 'box', box);
    const { min, max } = box;
    const six = [min.x, min.y, min.z, max.x, max.y, max.z];
    this.boxes.set(id, six);
    const node = this.deepest(six);
    if (node < 0) this.outside.add(id);
    else {
      this.nodes.set(id, node);
      (this.store.get(node) ?? this.store.make(node)).add(id);
      for (let at = node; at >= 0; at = parentOf(at)) this.counts.set(at, (this.counts.get(at) ?? 0) + 1);
    }
  }

  remove(id: number): void {
    if (!this.boxes.delete(id)) refuse('remove', 'id', `must be that of a box, got ${describe(id)}`);
    this.outside.delete(id);
    const node = this.nodes.get(id);
    if (node === undefined) return;
    this.nodes.delete(id);
    this.store.get(node)!.delete(id);
    if (this.store.get(node)!.size === 0) this.store.drop(node);
    for (let at = node; at >= 0; at = parentOf(at)) {
      const count = this.counts.get(at)! - 1;
      if (count === 0) this.counts.delete(at);
      else this.counts.set(at, count);
    }
  }

  move(id: number, box: ReadonlyAabb): void {
    this.remove(id);
    this.add(id, box);
  }

  /**
   * Visits every two boxes that share a point, each pair once: the boxes of a node against each other and against those of the
   * nodes above it, for only these can share a point with it; those outside against all.
   */
  pairs(visit: (a: number, b: number) => unknown): void {
    mustBeFunction('pairs', 'visit', visit);
    const out = [...this.outside];
    const waiting: { node: number; above: readonly number[] }[] = [{ node: 0, above: out }];
    for (const [m, a] of out.entries()) for (const b of out.slice(0, m)) if (this.overlap(a, b)) visit(a, b);
    while (waiting.length > 0) {
      const { node, above } = waiting.pop()!;
      if (!this.counts.has(node)) continue;
      const own = [...(this.store.get(node) ?? [])];
      for (const [m, a] of own.entries()) {
        for (const b of above) if (this.overlap(a, b)) visit(b, a);
        for (const b of own.slice(0, m)) if (this.overlap(a, b)) visit(b, a);
      }
      const all = own.length > 0 ? [...above, ...own] : above;
      for (let k = 1; k <= 8; k++) waiting.push({ node: 8 * node + k, above: all });
    }
  }

  private deepest(box: readonly number[]): number {
    const at = [...this.center];
    let half = this.half;
    for (let k = 0; k < 3; k++) if (box[k]! < at[k]! - half || box[k + 3]! > at[k]! + half) return -1;
    let node = 0;
    for (let level = 0; level < this.depth; level++) {
      let octant = 0;
      for (let k = 0; k < 3; k++) {
        // Across the middle, or touching it: a neighbour may touch it from the other side.
        if (box[k]! <= at[k]! && box[k + 3]! >= at[k]!) return node;
        if (box[k]! > at[k]!) octant |= 1 << k;
      }
      half /= 2;
      for (let k = 0; k < 3; k++) at[k]! += octant & (1 << k) ? half : -half;
      node = 8 * node + 1 + octant;
    }
    return node;
  }

  private overlap(a: number, b: number): boolean {
    const [p, q] = [this.boxes.get(a)!, this.boxes.get(b)!];
    for (let k = 0; k < 3; k++) if (p[k]! > q[k + 3]! || q[k]! > p[k + 3]!) return false;
    return true;
  }
}

const parentOf = (node: number): number => (node === 0 ? -1 : Math.floor((node - 1) / 8));
