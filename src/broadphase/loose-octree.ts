/**
 * Boxes in an octree whose cells reach half a cell farther than they are wide, on every side. RTCD §7.3.6; Ulrich 2000.
 *
 *   ┌╶╶╶╶╶╶╶╶╶╶╶┐   The cell of a box is the one that its center is in, on the level whose cells are as wide as the box is
 *   ╷  ┌─────┐  ╷   long, or up to twice that. It has room for the whole box, wherever the center is: no box hangs on a
 *   ╷  │  ·──┼─┐╷   plane high up in the tree because it stands in the middle of everything. Level and cell follow from
 *   ╷  └──┼──┘ │╷   the numbers of the box alone.
 *   └╶╶╶╶╶└────┘┘
 */
import { growList } from '../space/id-list.ts';
import type { BoxSet } from './box-set.ts';
import { BoxSetBroadPhase } from './box-set-broad-phase.ts';
import type { PairList } from './pair-list.ts';

/**
 * Boxes with numbers that the owner chose. The tree grows upwards where a box comes that is farther away or larger, so that
 * none is outside; downwards where a cell has more than eight boxes that are small enough for the next level; and cells that
 * have become empty go. A box that moves within the loose cell that it is in changes nothing but its numbers. Exact for all
 * finite coordinates and all sizes; touching counts. Visitors may search but not change the set: that throws.
 */
export class LooseOctree extends BoxSetBroadPhase {
  readonly kind = 'octree';
  private readonly cells = new OctreeCells(this.set);

  constructor() {
    super('LooseOctree');
  }

  protected onAdd(id: number): void {
    this.cells.add(id);
  }

  protected onMove(id: number): void {
    this.cells.move(id);
  }

  protected onRemove(id: number): void {
    this.cells.remove(id);
  }

  protected onClear(): void {
    this.cells.clear();
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    return this.cells.pairs(out);
  }

  /** How many cells there are, and how many boxes changed cells since the tree was made. */
  get counters(): { readonly cells: number; readonly relinked: number } {
    return { cells: this.cells.used - 1, relinked: this.cells.relinked };
  }

  protected gather(box: Float64Array, out: PairList): number {
    return this.cells.search(box, out);
  }

  protected pieceLength(): number {
    return 4 * this.cells.usual;
  }
}

/** Cells of level l measure 2^(l - 1000). Boxes that are too large for the last level are at the root, outside of all cells. */
const LEVELS = 2022;
const LOWEST = 1000;
/** Coordinates of cells are below 2^30: tiny boxes far away are on a level above that of their size. */
const FAR_BITS = 30;
/** A cell with more boxes that are small enough is divided. */
const CAPACITY = 8;
/** A box may be outside of its loose cell by this much of a cell: its center is rounded, to 2^-22 of it. */
const ROUNDING = 1 / 0x100000;

const sizes = new Float64Array(LEVELS);
const inverse = new Float64Array(LEVELS);
sizes[LOWEST] = inverse[LOWEST] = 1;
for (let l = LOWEST + 1; l < LEVELS; l++) {
  sizes[l] = 2 * sizes[l - 1]!;
  inverse[l] = inverse[l - 1]! / 2;
}
for (let l = LOWEST - 1; l >= 0; l--) {
  sizes[l] = sizes[l + 1]! / 2;
  inverse[l] = 2 * inverse[l + 1]!;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
function exponent(x: number): number {
  double[0] = x;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

/** Bits of a cell's coordinate from some level up: beyond 31 there is only the sign. */
const above = (c: number, levels: number): number => c >> Math.min(levels, 31);

/**
 * The cells. Node 0 is the root: its children are the eight cells of the top level that meet at the origin.
 *
 * @internal
 */
export class OctreeCells {
  /** Nodes in use, the root included. */
  used = 1;
  relinked = 0;
  private readonly set: BoxSet;
  private top = -1;

  // Of nodes.
  private children = new Int32Array(8 * 64);
  private masks = new Uint8Array(64);
  private parents = new Int32Array(64);
  private levels = new Int32Array(64);
  private coordinates = new Int32Array(3 * 64);
  private heads = new Int32Array(64).fill(-1);
  /** Boxes of its own, and those of the whole subtree. */
  private own = new Int32Array(64);
  private counts = new Int32Array(64);
  private divided = new Uint8Array(64);
  private free: number[] = [];
  private made = 1;

  // Of boxes: the cell that its size and center give (x, y, z, level), and where it is.
  private homes = new Int32Array(4 * 64);
  private nodes = new Int32Array(64);
  private next = new Int32Array(64);
  private previous = new Int32Array(64);

  private readonly flat = new FlatOctree();

  constructor(set: BoxSet) {
    this.set = set;
    this.divided[0] = 1;
  }

  /** The side of the cells at which most boxes are at home, roughly: that of some box. */
  get usual(): number {
    const { ids, count } = this.set;
    const level = count > 0 ? this.homes[4 * ids[count >> 1]! + 3]! : -1;
    return level >= 0 && level < LEVELS ? sizes[level]! : Infinity;
  }

  clear(): void {
    this.used = this.made = 1;
    this.free.length = 0;
    this.masks[0] = 0;
    this.heads[0] = -1;
    this.own[0] = this.counts[0] = 0;
    this.top = -1;
  }

  add(id: number): void {
    const { indices } = this.set;
    if (this.nodes.length < indices.length) this.growBoxes(indices.length);
    this.locate(id);
    this.link(id);
  }

  remove(id: number): void {
    this.unlink(id);
  }

  /** The box has new sides. It stays where it is if there is room, unless it has become much smaller. */
  move(id: number): void {
    const { homes, nodes, levels } = this;
    this.locate(id);
    const node = nodes[id]!;
    const level = levels[node]!;
    const home = homes[4 * id + 3]!;
    if (node > 0 && home <= level && (home >= level - 1 || !this.divided[node]) && this.fits(id, node))
      return;
    if (node === 0 && home === LEVELS) return;
    this.relinked++;
    this.unlink(id);
    this.link(id);
  }

  /** The cell of a box, by its size and its center. */
  private locate(id: number): void {
    const { boxes } = this.set;
    const { homes } = this;
    const q = 6 * id;
    const ax = boxes[q]!;
    const ay = boxes[q + 1]!;
    const az = boxes[q + 2]!;
    const bx = boxes[q + 3]!;
    const by = boxes[q + 4]!;
    const bz = boxes[q + 5]!;
    const size = Math.max(bx - ax, by - ay, bz - az);
    const cx = ax / 2 + bx / 2;
    const cy = ay / 2 + by / 2;
    const cz = az / 2 + bz / 2;
    const far = Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz));
    // A size below 2^(e + 1), before rounding at most that.
    const wanted = Math.max(exponent(size) + 1, exponent(far) + 1 - FAR_BITS) + LOWEST;
    const level = wanted < 0 ? 0 : wanted > LEVELS - 2 ? LEVELS : wanted;
    const scale = level === LEVELS ? 0 : inverse[level]!;
    homes[4 * id] = Math.floor(cx * scale);
    homes[4 * id + 1] = Math.floor(cy * scale);
    homes[4 * id + 2] = Math.floor(cz * scale);
    homes[4 * id + 3] = level;
  }

  /** Is the box within the loose cell of a node? */
  private fits(id: number, node: number): boolean {
    const { boxes } = this.set;
    const { coordinates, levels } = this;
    const size = sizes[levels[node]!]!;
    const q = 6 * id;
    const x = coordinates[3 * node]! * size;
    const y = coordinates[3 * node + 1]! * size;
    const z = coordinates[3 * node + 2]! * size;
    const low = 0.5 * size;
    const high = 1.5 * size;
    return (
      boxes[q]! >= x - low &&
      boxes[q + 1]! >= y - low &&
      boxes[q + 2]! >= z - low &&
      boxes[q + 3]! <= x + high &&
      boxes[q + 4]! <= y + high &&
      boxes[q + 5]! <= z + high
    );
  }

  private link(id: number): void {
    const { homes } = this;
    const q = 4 * id;
    const home = homes[q + 3]!;
    let node = 0;
    if (home < LEVELS) {
      this.cover(homes[q]!, homes[q + 1]!, homes[q + 2]!, home);
      for (let level = this.top; this.divided[node] === 1 && level >= home; level--)
        node = this.child(node, id, level);
    }
    this.put(id, node);
    for (let at = node; ; at = this.parents[at]!) {
      this.counts[at]!++;
      if (at === 0) break;
    }
    if (node > 0 && this.own[node]! > CAPACITY && !this.divided[node]) this.divide(node);
  }

  private put(id: number, node: number): void {
    const { next, previous, heads, nodes, own } = this;
    const first = heads[node]!;
    next[id] = first;
    previous[id] = -1;
    if (first >= 0) previous[first] = id;
    heads[node] = id;
    nodes[id] = node;
    own[node]!++;
  }

  private take(id: number): void {
    const { next, previous, heads, nodes, own } = this;
    const before = previous[id]!;
    const after = next[id]!;
    if (before >= 0) next[before] = after;
    else heads[nodes[id]!] = after;
    if (after >= 0) previous[after] = before;
    own[nodes[id]!]!--;
  }

  /** Nodes that have become empty go. */
  private unlink(id: number): void {
    this.take(id);
    const { parents, counts, masks, children, coordinates, free } = this;
    for (let at = this.nodes[id]!; ; ) {
      const count = --counts[at]!;
      if (at === 0) return;
      const parent = parents[at]!;
      if (count === 0) {
        const k = octant(coordinates[3 * at]!, coordinates[3 * at + 1]!, coordinates[3 * at + 2]!);
        children[8 * parent + k] = 0;
        masks[parent]! &= ~(1 << k);
        free.push(at);
        this.used--;
      }
      at = parent;
    }
  }

  /** The child of a node on a level, in which the center of a box is. Made if there is none. */
  private child(node: number, id: number, level: number): number {
    const q = 4 * id;
    const up = level - this.homes[q + 3]!;
    const x = above(this.homes[q]!, up);
    const y = above(this.homes[q + 1]!, up);
    const z = above(this.homes[q + 2]!, up);
    const k = octant(x, y, z);
    if (this.masks[node]! & (1 << k)) return this.children[8 * node + k]!;
    return this.make(node, k, level, x, y, z);
  }

  private make(parent: number, k: number, level: number, x: number, y: number, z: number): number {
    const node = this.free.pop() ?? this.made++;
    if (node === this.heads.length) this.growNodes();
    this.used++;
    this.parents[node] = parent;
    this.levels[node] = level;
    this.coordinates[3 * node] = x;
    this.coordinates[3 * node + 1] = y;
    this.coordinates[3 * node + 2] = z;
    this.heads[node] = -1;
    this.own[node] = this.counts[node] = 0;
    this.masks[node] = this.divided[node] = 0;
    this.children[8 * parent + k] = node;
    this.masks[parent]! |= 1 << k;
    return node;
  }

  /** Raises the top level until the cell is below one of its eight cells, whose coordinates are -1 and 0. */
  private cover(x: number, y: number, z: number, level: number): void {
    if (this.masks[0] === 0) this.top = level;
    while (this.top < level || !isCorner(x, y, z, this.top - level)) this.raise();
  }

  private raise(): void {
    const { masks, children } = this;
    const olds: number[] = [];
    for (let k = 0; k < 8; k++) if (masks[0]! & (1 << k)) olds.push(children[k]!);
    this.top++;
    masks[0] = 0;
    for (const old of olds) {
      const x = this.coordinates[3 * old]!;
      const y = this.coordinates[3 * old + 1]!;
      const z = this.coordinates[3 * old + 2]!;
      const k = octant(x, y, z);
      // Arrays may be others after this.
      const node = this.make(0, k, this.top, x, y, z);
      this.children[8 * node + k] = old;
      this.masks[node] = 1 << k;
      this.divided[node] = 1;
      this.counts[node] = this.counts[old]!;
      this.parents[old] = node;
    }
  }

  /** Sends the boxes of a node that are small enough, and whose centers are in it, one level down; and so on. */
  private divide(first: number): void {
    const { homes, next, levels, coordinates } = this;
    const waiting = [first];
    while (waiting.length > 0) {
      const node = waiting.pop()!;
      const level = levels[node]!;
      this.divided[node] = 1;
      for (let id = this.heads[node]!; id >= 0; ) {
        const after = next[id]!;
        const q = 4 * id;
        const up = level - homes[q + 3]!;
        const isHere =
          up > 0 &&
          above(homes[q]!, up) === coordinates[3 * node] &&
          above(homes[q + 1]!, up) === coordinates[3 * node + 1] &&
          above(homes[q + 2]!, up) === coordinates[3 * node + 2];
        if (isHere) {
          const child = this.child(node, id, level - 1);
          this.take(id);
          this.put(id, child);
          this.counts[child]!++;
          if (this.own[child] === CAPACITY + 1) waiting.push(child);
        }
        id = after;
      }
    }
  }

  private growBoxes(capacity: number): void {
    const wider = (from: Int32Array<ArrayBuffer>, each: number): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(each * capacity);
      to.set(from);
      return to;
    };
    this.homes = wider(this.homes, 4);
    this.nodes = wider(this.nodes, 1);
    this.next = wider(this.next, 1);
    this.previous = wider(this.previous, 1);
  }

  private growNodes(): void {
    const capacity = 2 * this.heads.length;
    const wider = (from: Int32Array<ArrayBuffer>, each: number): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(each * capacity);
      to.set(from);
      return to;
    };
    this.children = wider(this.children, 8);
    this.parents = wider(this.parents, 1);
    this.levels = wider(this.levels, 1);
    this.coordinates = wider(this.coordinates, 3);
    this.heads = wider(this.heads, 1);
    this.own = wider(this.own, 1);
    this.counts = wider(this.counts, 1);
    const [masks, divided] = [new Uint8Array(capacity), new Uint8Array(capacity)];
    masks.set(this.masks);
    divided.set(this.divided);
    this.masks = masks;
    this.divided = divided;
  }

  /** Fills a list with the boxes that share a point with one of six numbers, by loose cells. */
  search(box: Float64Array, out: PairList): number {
    const { set, children, masks, levels, coordinates, heads, next } = this;
    const { boxes } = set;
    const ax = box[0]!;
    const ay = box[1]!;
    const az = box[2]!;
    const bx = box[3]!;
    const by = box[4]!;
    const bz = box[5]!;
    // Seven siblings wait on each level.
    const most = 7 * (this.top < 0 ? 1 : this.top + 2) + 8;
    if (waiting.length < most) waiting = new Int32Array(most);
    const stack = waiting;
    let list = out.ids;
    let found = 0;
    let top = 1;
    stack[0] = 0;
    while (top > 0) {
      const node = stack[--top]!;
      for (let id = heads[node]!; id >= 0; id = next[id]!) {
        const q = 6 * id;
        const overlap =
          +(ax <= boxes[q + 3]!) &
          +(boxes[q]! <= bx) &
          +(ay <= boxes[q + 4]!) &
          +(boxes[q + 1]! <= by) &
          +(az <= boxes[q + 5]!) &
          +(boxes[q + 2]! <= bz);
        if (overlap === 0) continue;
        if (found === list.length) list = growList(out);
        list[found++] = id;
      }
      for (let m = masks[node]!; m !== 0; m &= m - 1) {
        const child = children[8 * node + 31 - Math.clz32(m & -m)]!;
        const size = sizes[levels[child]!]!;
        const x = coordinates[3 * child]! * size;
        const y = coordinates[3 * child + 1]! * size;
        const z = coordinates[3 * child + 2]! * size;
        const low = (0.5 + ROUNDING) * size;
        const high = (1.5 + ROUNDING) * size;
        stack[top] = child;
        top +=
          +(ax <= x + high) &
          +(x - low <= bx) &
          +(ay <= y + high) &
          +(y - low <= by) &
          +(az <= z + high) &
          +(z - low <= bz);
      }
    }
    return found;
  }

  /** Fills a list with every two boxes that share a point. */
  pairs(out: PairList): number {
    const { flat, set, children, masks, heads, next } = this;
    flat.begin(set.count, this.used);
    const most = 9 * (this.top < 0 ? 1 : this.top + 2) + 9;
    if (waiting.length < most) waiting = new Int32Array(most);
    const stack = waiting;
    let top = 1;
    stack[0] = 0;
    while (top > 0) {
      const node = stack[--top]!;
      if (node < 0) {
        flat.close();
        continue;
      }
      flat.open();
      for (let id = heads[node]!; id >= 0; id = next[id]!) flat.put(id, set.boxes);
      stack[top++] = -1;
      for (let m = masks[node]!; m !== 0; m &= m - 1)
        stack[top++] = children[8 * node + 31 - Math.clz32(m & -m)]!;
    }
    return flat.pairs(out);
  }

  /** Of tests: where a box is, and what is wrong with the tree. @internal */
  validate(): string[] {
    const faults: string[] = [];
    const { set, nodes, levels, homes, counts, own } = this;
    const totals = new Map<number, number>();
    for (let i = 0; i < set.count; i++) {
      const id = set.ids[i]!;
      const node = nodes[id]!;
      if (node > 0) {
        const size = sizes[levels[node]!]!;
        for (let k = 0; k < 3; k++) {
          const c = this.coordinates[3 * node + k]! * size;
          const slack = ROUNDING * size;
          if (set.boxes[6 * id + k]! < c - 0.5 * size - slack)
            faults.push(`box ${id} is below its loose cell`);
          if (set.boxes[6 * id + k + 3]! > c + 1.5 * size + slack)
            faults.push(`box ${id} is above its loose cell`);
        }
        if (homes[4 * id + 3]! > levels[node]!) faults.push(`box ${id} is too large for its cell`);
      } else if (homes[4 * id + 3] !== LEVELS) faults.push(`box ${id} is at the root`);
      for (let at = node; ; at = this.parents[at]!) {
        totals.set(at, (totals.get(at) ?? 0) + 1);
        if (at === 0) break;
      }
    }
    if (set.count > 0 && totals.size + (totals.has(0) ? 0 : 1) !== this.used)
      faults.push('empty cells are kept');
    for (const [node, total] of totals)
      if (counts[node] !== total) faults.push(`cell ${node} counts ${counts[node]} and has ${total}`);
    for (const node of totals.keys())
      if (node > 0 && !this.divided[node] && own[node]! > CAPACITY)
        faults.push(`cell ${node} is not divided`);
    return faults;
  }
}

/** Nodes that wait in a search. No visitor runs then. */
let waiting = new Int32Array(256);

const octant = (x: number, y: number, z: number): number => (x & 1) | ((y & 1) << 1) | ((z & 1) << 2);

/** Is the cell, seen from some levels up, one of the eight at the origin? */
function isCorner(x: number, y: number, z: number, up: number): boolean {
  const a = above(x, up);
  const b = above(y, up);
  const c = above(z, up);
  return (a === 0 || a === -1) && (b === 0 || b === -1) && (c === 0 || c === -1);
}

/**
 * The boxes of a tree in the order of its nodes, for all pairs: each box looks at what comes after it, jumping over the nodes
 * whose boxes are elsewhere. So every pair is met once, without a list of what was met. Bounds are those of the boxes, and
 * tighter than loose cells.
 */
class FlatOctree {
  private nodes = 0;
  private count = 0;
  private depth = 0;
  private open_ = new Int32Array(16);
  /** Of nodes: where their boxes begin, the node after their subtree, the bounds of the subtree. */
  private firsts = new Int32Array(0);
  private skips = new Int32Array(0);
  private bounds = new Float64Array(0);
  private ids = new Int32Array(0);
  private boxes = new Float64Array(0);

  begin(count: number, nodes: number): void {
    this.nodes = this.count = this.depth = 0;
    if (this.ids.length < count) {
      this.ids = new Int32Array(2 * count);
      this.boxes = new Float64Array(12 * count);
    }
    if (this.skips.length < nodes + 1) {
      this.firsts = new Int32Array(2 * nodes + 2);
      this.skips = new Int32Array(2 * nodes + 2);
      this.bounds = new Float64Array(12 * nodes + 12);
    }
  }

  open(): void {
    const node = this.nodes++;
    if (this.depth === this.open_.length) {
      const more = new Int32Array(2 * this.depth);
      more.set(this.open_);
      this.open_ = more;
    }
    this.open_[this.depth++] = node;
    this.firsts[node] = this.count;
    const { bounds } = this;
    const b = 6 * node;
    bounds[b] = bounds[b + 1] = bounds[b + 2] = Infinity;
    bounds[b + 3] = bounds[b + 4] = bounds[b + 5] = -Infinity;
  }

  put(id: number, from: Float64Array): void {
    const { boxes, bounds } = this;
    const p = 6 * this.count;
    const q = 6 * id;
    const b = 6 * (this.nodes - 1);
    this.ids[this.count++] = id;
    for (let k = 0; k < 3; k++) {
      const low = from[q + k]!;
      const high = from[q + k + 3]!;
      boxes[p + k] = low;
      boxes[p + k + 3] = high;
      if (low < bounds[b + k]!) bounds[b + k] = low;
      if (high > bounds[b + k + 3]!) bounds[b + k + 3] = high;
    }
  }

  close(): void {
    const { bounds } = this;
    const node = this.open_[--this.depth]!;
    this.skips[node] = this.nodes;
    if (this.depth === 0) {
      this.firsts[this.nodes] = this.count;
      return;
    }
    const p = 6 * this.open_[this.depth - 1]!;
    const q = 6 * node;
    for (let k = 0; k < 3; k++) {
      if (bounds[q + k]! < bounds[p + k]!) bounds[p + k] = bounds[q + k]!;
      if (bounds[q + k + 3]! > bounds[p + k + 3]!) bounds[p + k + 3] = bounds[q + k + 3]!;
    }
  }

  pairs(out: PairList): number {
    const { nodes, firsts, skips, bounds, ids, boxes } = this;
    let list = out.ids;
    let top = 0;
    for (let node = 0; node < nodes; node++)
      for (let e = firsts[node]!, own = firsts[node + 1]!; e < own; e++) {
        const p = 6 * e;
        const ax = boxes[p]!;
        const ay = boxes[p + 1]!;
        const az = boxes[p + 2]!;
        const bx = boxes[p + 3]!;
        const by = boxes[p + 4]!;
        const bz = boxes[p + 5]!;
        let from = e + 1;
        let end = own;
        for (let other = node + 1; ; ) {
          for (let f = from; f < end; f++) {
            const q = 6 * f;
            const overlap =
              +(ax <= boxes[q + 3]!) &
              +(boxes[q]! <= bx) &
              +(ay <= boxes[q + 4]!) &
              +(boxes[q + 1]! <= by) &
              +(az <= boxes[q + 5]!) &
              +(boxes[q + 2]! <= bz);
            if (overlap === 0) continue;
            if (top === list.length) list = growList(out);
            list[top] = ids[e]!;
            list[top + 1] = ids[f]!;
            top += 2;
          }
          let hit = 0;
          while (other < nodes) {
            const q = 6 * other;
            hit =
              +(ax <= bounds[q + 3]!) &
              +(bounds[q]! <= bx) &
              +(ay <= bounds[q + 4]!) &
              +(bounds[q + 1]! <= by) &
              +(az <= bounds[q + 5]!) &
              +(bounds[q + 2]! <= bz);
            if (hit !== 0) break;
            other = skips[other]!;
          }
          if (hit === 0) break;
          from = firsts[other]!;
          end = firsts[++other]!;
        }
      }
    return top >> 1;
  }
}
