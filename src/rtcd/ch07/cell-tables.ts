/**
 * From the numbers of a cell to the list of what is in it: the book's five ways. RTCD §7.1.2, §7.1.3.
 *
 *   DenseCells    an array of all cells of a box; what is outside is in the outermost cells
 *   ChainedCells  hashed, without limits: cells that are in use, in chains, each with its numbers for a key
 *   ProbedCells   hashed, without limits: cells that are in use in one table, by open addressing
 *   SharedCells   hashed, without limits or keys: several cells may share a list
 *   WrappedCells  cells modulo the size of an array: a grid that repeats itself through space
 *
 * For the choice in `UniformGrid`. Production has `HierarchicalGrid` (lists without keys; each box knows its cell) and, for
 * pairs and points, tables that are filled anew by counting: `GridRuns` in `broadphase/hierarchical-grid.ts`, `PointGrid`.
 */
import { mustBeWhole } from '../../math/check.ts';

/** Lists by cell. A list is known by its place in `heads`, which holds its first entry, or -1. */
export interface CellTable {
  heads: Int32Array;
  /** Has every cell a list of its own? */
  readonly isKeyed: boolean;
  /** Keys looked at so far. */
  probes: number;
  /** Where the list of a cell is; -1 if it has none. */
  find(x: number, y: number, z: number): number;
  /** The same; a cell without a list gets one. */
  make(x: number, y: number, z: number): number;
  /** The list of a cell has become empty. */
  release(x: number, y: number, z: number): void;
  clear(): void;
}

/** Numbers in -2^31 … 2^31 - 1 make one in 0 … 2^32 - 1: products wrap, and a remainder of it is not negative. */
const hash = (x: number, y: number, z: number): number => {
  const h = Math.imul(x, 0x8da6b343) ^ Math.imul(y, 0xd8163841) ^ Math.imul(z, 0xcb1ab31f);
  return (h ^ (h >>> 15)) >>> 0;
};

/** Lists that need no keys, in an array that stays. */
abstract class FixedCells implements CellTable {
  readonly heads: Int32Array;
  readonly isKeyed = false;
  probes = 0;

  constructor(size: number) {
    this.heads = new Int32Array(size).fill(-1);
  }

  abstract find(x: number, y: number, z: number): number;

  make(x: number, y: number, z: number): number {
    return this.find(x, y, z);
  }

  release(): void {}

  clear(): void {
    this.heads.fill(-1);
  }
}

/** `nx` by `ny` by `nz` cells from cell (x0, y0, z0) on. */
export class DenseCells extends FixedCells {
  private readonly first: readonly [number, number, number];
  private readonly wide: readonly [number, number, number];

  constructor(first: readonly [number, number, number], wide: readonly [number, number, number]) {
    for (let k = 0; k < 3; k++) {
      mustBeWhole('DenseCells', `first[${k}]`, first[k]!, -0x20000000, 0x20000000);
      mustBeWhole('DenseCells', `wide[${k}]`, wide[k]!, 1, 0x10000);
    }
    super(wide[0] * wide[1] * wide[2]);
    this.first = [first[0], first[1], first[2]];
    this.wide = [wide[0], wide[1], wide[2]];
  }

  find(x: number, y: number, z: number): number {
    const { first, wide } = this;
    const i = Math.min(Math.max(x - first[0], 0), wide[0] - 1);
    const j = Math.min(Math.max(y - first[1], 0), wide[1] - 1);
    const k = Math.min(Math.max(z - first[2], 0), wide[2] - 1);
    return (i * wide[1] + j) * wide[2] + k;
  }
}

/** `size` lists for all cells there are. */
export class SharedCells extends FixedCells {
  constructor(size: number) {
    mustBeWhole('SharedCells', 'size', size, 1, 0x10000000);
    super(size);
  }

  find(x: number, y: number, z: number): number {
    return hash(x, y, z) % this.heads.length;
  }
}

/** `nx` by `ny` by `nz` cells that stand for all others. */
export class WrappedCells extends FixedCells {
  private readonly wide: readonly [number, number, number];

  constructor(wide: readonly [number, number, number]) {
    for (let k = 0; k < 3; k++) mustBeWhole('WrappedCells', `wide[${k}]`, wide[k]!, 1, 0x10000);
    super(wide[0] * wide[1] * wide[2]);
    this.wide = [wide[0], wide[1], wide[2]];
  }

  find(x: number, y: number, z: number): number {
    const { wide } = this;
    return (remainder(x, wide[0]) * wide[1] + remainder(y, wide[1])) * wide[2] + remainder(z, wide[2]);
  }
}

/** In 0 … n - 1, for negative numbers too. */
const remainder = (x: number, n: number): number => ((x % n) + n) % n;

/** Cells in use, in chains from `buckets` places. */
export class ChainedCells implements CellTable {
  heads = new Int32Array(16);
  readonly isKeyed = true;
  probes = 0;
  private readonly buckets: Int32Array;
  /** Three numbers a cell. */
  private keys = new Int32Array(3 * 16);
  /** The next cell of the chain; of unused ones, of the chain of these. */
  private next = new Int32Array(16);
  private count = 0;
  private free = -1;

  /** Default: 1024. */
  constructor(buckets = 1024) {
    mustBeWhole('ChainedCells', 'buckets', buckets, 1, 0x10000000);
    this.buckets = new Int32Array(buckets).fill(-1);
  }

  find(x: number, y: number, z: number): number {
    const { keys, next } = this;
    let cell = this.buckets[hash(x, y, z) % this.buckets.length]!;
    for (; cell >= 0; cell = next[cell]!) {
      this.probes++;
      if (keys[3 * cell] === x && keys[3 * cell + 1] === y && keys[3 * cell + 2] === z) return cell;
    }
    return -1;
  }

  make(x: number, y: number, z: number): number {
    const found = this.find(x, y, z);
    if (found >= 0) return found;
    let cell = this.free;
    if (cell >= 0) this.free = this.next[cell]!;
    else {
      cell = this.count++;
      if (cell === this.next.length) this.grow();
    }
    const bucket = hash(x, y, z) % this.buckets.length;
    this.keys[3 * cell] = x;
    this.keys[3 * cell + 1] = y;
    this.keys[3 * cell + 2] = z;
    this.next[cell] = this.buckets[bucket]!;
    this.buckets[bucket] = cell;
    this.heads[cell] = -1;
    return cell;
  }

  release(x: number, y: number, z: number): void {
    const { buckets, next } = this;
    const bucket = hash(x, y, z) % buckets.length;
    const cell = this.find(x, y, z);
    let before = -1;
    for (let at = buckets[bucket]!; at !== cell; at = next[at]!) before = at;
    if (before < 0) buckets[bucket] = next[cell]!;
    else next[before] = next[cell]!;
    next[cell] = this.free;
    this.free = cell;
  }

  clear(): void {
    this.buckets.fill(-1);
    this.count = 0;
    this.free = -1;
  }

  private grow(): void {
    this.heads = longer(this.heads);
    this.next = longer(this.next);
    this.keys = longer(this.keys);
  }
}

function longer(list: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * list.length);
  more.set(list);
  return more;
}

const EMPTY = 0;
const USED = 1;
/** A cell was here: a search goes on. */
const TOMBSTONE = 2;

/**
 * Cells in use, each at the first free place from where its hash leads. No more than half of the places are used or
 * tombstones; when they would be, the table is made anew, without tombstones.
 */
export class ProbedCells implements CellTable {
  heads: Int32Array<ArrayBuffer>;
  readonly isKeyed = true;
  probes = 0;
  private keys: Int32Array<ArrayBuffer>;
  private states: Uint8Array<ArrayBuffer>;
  private used = 0;
  private tombstones = 0;

  /** `size`: places to begin with. Default: 16. */
  constructor(size = 16) {
    mustBeWhole('ProbedCells', 'size', size, 1, 0x10000000);
    this.heads = new Int32Array(size);
    this.keys = new Int32Array(3 * size);
    this.states = new Uint8Array(size);
  }

  find(x: number, y: number, z: number): number {
    const { keys, states } = this;
    const size = states.length;
    // A place is always free, so that this ends.
    for (let at = hash(x, y, z) % size; ; at = at + 1 === size ? 0 : at + 1) {
      this.probes++;
      if (states[at] === EMPTY) return -1;
      if (states[at] === USED && keys[3 * at] === x && keys[3 * at + 1] === y && keys[3 * at + 2] === z)
        return at;
    }
  }

  make(x: number, y: number, z: number): number {
    const found = this.find(x, y, z);
    if (found >= 0) return found;
    if (2 * (this.used + this.tombstones + 1) > this.states.length) this.rehash();
    return this.place(x, y, z);
  }

  release(x: number, y: number, z: number): void {
    const at = this.find(x, y, z);
    const after = at + 1 === this.states.length ? 0 : at + 1;
    this.used--;
    // Before a free place nobody needs a tombstone.
    const isNeeded = this.states[after] !== EMPTY;
    this.states[at] = isNeeded ? TOMBSTONE : EMPTY;
    this.tombstones += +isNeeded;
  }

  clear(): void {
    this.states.fill(EMPTY);
    this.used = 0;
    this.tombstones = 0;
  }

  private place(x: number, y: number, z: number): number {
    const { keys, states } = this;
    const size = states.length;
    let at = hash(x, y, z) % size;
    while (states[at] === USED) at = at + 1 === size ? 0 : at + 1;
    this.tombstones -= +(states[at] === TOMBSTONE);
    states[at] = USED;
    keys[3 * at] = x;
    keys[3 * at + 1] = y;
    keys[3 * at + 2] = z;
    this.heads[at] = -1;
    this.used++;
    return at;
  }

  private rehash(): void {
    const { heads, keys, states, used } = this;
    // At most a quarter is used then.
    let size = states.length;
    while (4 * (used + 1) > size) size = 2 * size + 1;
    this.heads = new Int32Array(size);
    this.keys = new Int32Array(3 * size);
    this.states = new Uint8Array(size);
    this.used = 0;
    this.tombstones = 0;
    for (let i = 0; i < states.length; i++)
      if (states[i] === USED)
        this.heads[this.place(keys[3 * i]!, keys[3 * i + 1]!, keys[3 * i + 2]!)] = heads[i]!;
  }
}
