/** Boxes in the cells of grids, one grid for each size. RTCD §7.2.1. */
import { growList } from '../space/id-list.ts';
import type { BoxSet } from './box-set.ts';
import { BoxSetBroadPhase } from './box-set-broad-phase.ts';
import type { PairList } from './pair-list.ts';

/**
 * Boxes with numbers that the owner chose, each in one cell of the grid whose cells are as large as it is, or up to
 * twice that. Adding, removing and moving a box takes constant time, wherever it goes: grids have no limits, and a box
 * that stays in its cell changes nothing. Exact for all finite coordinates and all sizes; touching counts. The same
 * calls give the same answers in the same order. Visitors may search but not change the set: that throws.
 */
export class HierarchicalGrid extends BoxSetBroadPhase {
  readonly kind = 'grid';
  private readonly cells = new GridCells(this.set);

  constructor() {
    super('HierarchicalGrid');
  }

  protected pieceLength(): number {
    return 4 * this.cells.usual;
  }

  protected onAdd(id: number): void {
    this.cells.link(id);
  }

  protected onMove(id: number): void {
    this.cells.relink(id);
  }

  protected onRemove(id: number): void {
    this.cells.unlink(id);
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    return this.cells.pairs(out);
  }

  protected onClear(): void {
    this.cells.clear();
  }

  protected gather(box: Float64Array, out: PairList): number {
    return this.cells.search(box, out);
  }
}

/** Cells of level l measure 2^(l - 1000). */
const LEVELS = 2024;
const LOWEST = 1000;
/** Coordinates of cells are below 2^30: tiny boxes far away are on a level above that of their size. */
const FAR = 0x40000000;
/** Coordinates of cells on the highest level, where boxes may be larger than cells. */
const OUTER = 2;
/** What is added to the reach of a level, in cells: coordinates are below 2^30 of them, and rounded to 53 bits. */
const ROUNDING = 1 / 0x100000;

/** One over the size of a cell, for each level. */
const inverse = new Float64Array(LEVELS);
inverse[LOWEST] = 1;
for (let l = LOWEST + 1; l < LEVELS; l++) inverse[l] = inverse[l - 1]! / 2;
for (let l = LOWEST - 1; l >= 0; l--) inverse[l] = inverse[l + 1]! * 2;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Numbers are kept with the low half first on all machines that run JavaScript. */
function exponent(x: number): number {
  double[0] = x;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

function hash(x: number, y: number, z: number, level: number): number {
  const h =
    Math.imul(x, 0x8da6b343) ^
    Math.imul(y, 0xd8163841) ^
    Math.imul(z, 0xcb1ab31f) ^
    Math.imul(level, 0x9e3779b1);
  return h ^ (h >>> 15);
}

/** @internal */
export class GridCells {
  /** Four numbers a box: its cell along x, y, z, and its level. */
  cells = new Int32Array(4 * 64);
  private next = new Int32Array(64);
  private previous = new Int32Array(64);
  private heads = new Int32Array(128).fill(-1);
  /** Boxes on each level, and how large the largest was since there were none. */
  private readonly counts = new Int32Array(LEVELS);
  private readonly reach = new Float64Array(LEVELS);
  /** The levels with boxes, from small to large. */
  readonly levels: number[] = [];
  private readonly set: BoxSet;
  private readonly runs = new GridRuns();

  constructor(set: BoxSet) {
    this.set = set;
  }

  /** The size of the cells that most boxes are in. */
  get usual(): number {
    const { levels, counts } = this;
    let most = -1;
    for (const level of levels) if (most < 0 || counts[level]! > counts[most]!) most = level;
    return most < 0 ? Infinity : 1 / inverse[most]!;
  }

  clear(): void {
    this.heads.fill(-1);
    this.counts.fill(0);
    this.levels.length = 0;
  }

  /** Puts a box of the set into its cell. */
  link(id: number): void {
    const { indices, count } = this.set;
    if (this.next.length < indices.length) this.grow(indices.length);
    if (2 * count > this.heads.length) this.rehash(4 * count, id);
    const q = 4 * id;
    this.locate(id);
    const { cells, counts, levels } = this;
    const level = cells[q + 3]!;
    if (counts[level]!++ === 0) {
      this.reach[level] = 0;
      let at = levels.length;
      while (at > 0 && levels[at - 1]! > level) at--;
      levels.splice(at, 0, level);
    }
    const largest = this.sizeOf(id);
    if (largest > this.reach[level]!) this.reach[level] = largest;
    this.enter(id);
  }

  unlink(id: number): void {
    const level = this.cells[4 * id + 3]!;
    if (--this.counts[level]! === 0) this.levels.splice(this.levels.indexOf(level), 1);
    const { next, previous, heads } = this;
    const before = previous[id]!;
    const after = next[id]!;
    if (before >= 0) next[before] = after;
    else heads[~before] = after;
    if (after >= 0) previous[after] = before;
  }

  /** The box has new sides: it may have another cell. */
  relink(id: number): void {
    const { cells } = this;
    const q = 4 * id;
    const x = cells[q]!;
    const y = cells[q + 1]!;
    const z = cells[q + 2]!;
    const level = cells[q + 3]!;
    this.locate(id);
    if (x === cells[q] && y === cells[q + 1] && z === cells[q + 2] && level === cells[q + 3]) {
      const largest = this.sizeOf(id);
      if (largest > this.reach[level]!) this.reach[level] = largest;
      return;
    }
    cells[q + 3] = level;
    this.unlink(id);
    this.link(id);
  }

  private sizeOf(id: number): number {
    const { boxes } = this.set;
    const q = 6 * id;
    return Math.max(boxes[q + 3]! - boxes[q]!, boxes[q + 4]! - boxes[q + 1]!, boxes[q + 5]! - boxes[q + 2]!);
  }

  /** Finds the cell of a box. */
  private locate(id: number): void {
    const { boxes } = this.set;
    const { cells } = this;
    const q = 6 * id;
    const x = boxes[q]!;
    const y = boxes[q + 1]!;
    const z = boxes[q + 2]!;
    const size = Math.max(boxes[q + 3]! - x, boxes[q + 4]! - y, boxes[q + 5]! - z);
    const far = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    // A size below 2^(e + 1), before rounding at most that.
    const wanted = Math.max(exponent(size) + 1, exponent(far) + 1 - 30) + LOWEST;
    const level = Math.min(Math.max(wanted, 0), LEVELS - 1);
    const scale = inverse[level]!;
    cells[4 * id] = Math.floor(x * scale);
    cells[4 * id + 1] = Math.floor(y * scale);
    cells[4 * id + 2] = Math.floor(z * scale);
    cells[4 * id + 3] = level;
  }

  private enter(id: number): void {
    const { cells, next, previous, heads } = this;
    const q = 4 * id;
    const bucket = hash(cells[q]!, cells[q + 1]!, cells[q + 2]!, cells[q + 3]!) & (heads.length - 1);
    const first = heads[bucket]!;
    next[id] = first;
    previous[id] = ~bucket;
    if (first >= 0) previous[first] = id;
    heads[bucket] = id;
  }

  private grow(capacity: number): void {
    const cells = new Int32Array(4 * capacity);
    const next = new Int32Array(capacity);
    const previous = new Int32Array(capacity);
    cells.set(this.cells);
    next.set(this.next);
    previous.set(this.previous);
    this.cells = cells;
    this.next = next;
    this.previous = previous;
  }

  /** A larger table. `absent` is not in the old one. */
  private rehash(size: number, absent: number): void {
    this.heads = new Int32Array(1 << (32 - Math.clz32(size - 1))).fill(-1);
    const { ids, count } = this.set;
    for (let i = 0; i < count; i++) if (ids[i] !== absent) this.enter(ids[i]!);
  }

  /** Fills a list with every two boxes that share a point. */
  pairs(out: PairList): number {
    this.runs.fill(this.set, this.cells);
    return this.runs.pairs(
      this.levels.map((level) => ({
        level,
        scale: inverse[level]!,
        reach: this.reach[level]! * inverse[level]! + ROUNDING,
        far: level === LEVELS - 1 ? OUTER : FAR,
      })),
      out,
    );
  }

  /** Fills a list with the boxes that share a point with one of six numbers. */
  search(box: Float64Array, out: PairList): number {
    const { cells, next, heads, levels, reach, set } = this;
    const mask = heads.length - 1;
    let found = 0;
    let budget = set.count;
    for (let k = 0; k < levels.length; k++) {
      const level = levels[k]!;
      const scale = inverse[level]!;
      const off = reach[level]! * scale + ROUNDING;
      const far = level === LEVELS - 1 ? OUTER : FAR;
      const x0 = Math.floor(Math.min(Math.max(box[0]! * scale - off, -far), far));
      const y0 = Math.floor(Math.min(Math.max(box[1]! * scale - off, -far), far));
      const z0 = Math.floor(Math.min(Math.max(box[2]! * scale - off, -far), far));
      const x1 = Math.floor(Math.max(Math.min(box[3]! * scale, far), -far));
      const y1 = Math.floor(Math.max(Math.min(box[4]! * scale, far), -far));
      const z1 = Math.floor(Math.max(Math.min(box[5]! * scale, far), -far));
      budget -= (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1);
      // More cells than boxes: look at the boxes.
      if (budget < 0) return this.searchAll(box, out);
      for (let x = x0; x <= x1; x++)
        for (let y = y0; y <= y1; y++)
          for (let z = z0; z <= z1; z++)
            for (let j = heads[hash(x, y, z, level) & mask]!; j >= 0; j = next[j]!) {
              const c = 4 * j;
              if (cells[c] !== x || cells[c + 1] !== y || cells[c + 2] !== z || cells[c + 3] !== level)
                continue;
              if (!set.touches(j, box)) continue;
              if (found === out.ids.length) growList(out);
              out.ids[found++] = j;
            }
    }
    return found;
  }

  private searchAll(box: Float64Array, out: PairList): number {
    const { ids, count } = this.set;
    let found = 0;
    for (let i = 0; i < count; i++) {
      if (!this.set.touches(ids[i]!, box)) continue;
      if (found === out.ids.length) growList(out);
      out.ids[found++] = ids[i]!;
    }
    return found;
  }
}

/**
 * The boxes of a hierarchical grid, cell by cell, to find all pairs. RTCD §7.2.1. Cells that follow each other along z
 * follow each other in memory: what may touch a box is in a few runs of neighbours, without lists to go along. Cells are
 * found by hash, which may lay several over each other: what is found is asked for its cell.
 */

/** No run is longer, in cells: boxes are no larger than the cells that they are looked for in. */
const LONGEST = 8;

/** The slot in the table of the cell with z = 0. */
const column = (x: number, y: number, level: number): number =>
  Math.imul(x, 0x5bd1e995) + Math.imul(y, 0x2545f491) + Math.imul(level, 0x61c88647);

/** Where to look on a level. */
export interface GridLevel {
  readonly level: number;
  /** One over the size of a cell. */
  readonly scale: number;
  /** How large boxes on the level are, in cells, at most. */
  readonly reach: number;
  /** No cell has a larger coordinate. */
  readonly far: number;
}

/** @internal */
export class GridRuns {
  private count = 0;
  private mask = 0;
  /** Where the boxes of each cell of the table begin. The first cells stand behind the last once more: runs have no breaks. */
  private starts = new Int32Array(0);
  private slots = new Int32Array(0);
  private boxes = new Float64Array(0);
  /** Four numbers a box: its cell, and its level. */
  private cells = new Int32Array(0);
  private ids = new Int32Array(0);

  /** Takes all boxes of a set; `cells` are theirs by number. */
  fill(set: BoxSet, cells: Int32Array): void {
    const { ids, count } = set;
    const size = 1 << (32 - Math.clz32(Math.max(count, 2 * LONGEST) - 1));
    const mask = size - 1;
    this.count = count;
    this.mask = mask;
    if (this.starts.length < size + LONGEST + 2) this.starts = new Int32Array(size + LONGEST + 2);
    if (this.slots.length < count) this.slots = new Int32Array(Math.ceil(1.5 * count));
    const { starts, slots } = this;
    // Counted two slots on: the sums then stand one slot on, and filling moves them to where they belong.
    starts.fill(0);
    for (let i = 0; i < count; i++) {
      const q = 4 * ids[i]!;
      const slot = (column(cells[q]!, cells[q + 1]!, cells[q + 3]!) + cells[q + 2]!) & mask;
      slots[i] = slot;
      starts[slot + 2]!++;
      if (slot < LONGEST) starts[slot + size + 2]!++;
    }
    for (let i = 2; i < size + LONGEST + 2; i++) starts[i]! += starts[i - 1]!;
    this.reserve(starts[size + LONGEST + 1]!);
    for (let i = 0; i < count; i++) {
      const slot = slots[i]!;
      this.put(starts[slot + 1]!++, ids[i]!, set.boxes, cells);
      if (slot < LONGEST) this.put(starts[slot + size + 1]!++, ids[i]!, set.boxes, cells);
    }
  }

  private reserve(total: number): void {
    if (this.ids.length >= total) return;
    const capacity = Math.ceil(1.5 * total);
    this.boxes = new Float64Array(6 * capacity);
    this.cells = new Int32Array(4 * capacity);
    this.ids = new Int32Array(capacity);
  }

  private put(at: number, id: number, boxes: Float64Array, cells: Int32Array): void {
    const { boxes: to, cells: own } = this;
    const p = 6 * at;
    const q = 6 * id;
    to[p] = boxes[q]!;
    to[p + 1] = boxes[q + 1]!;
    to[p + 2] = boxes[q + 2]!;
    to[p + 3] = boxes[q + 3]!;
    to[p + 4] = boxes[q + 4]!;
    to[p + 5] = boxes[q + 5]!;
    own[4 * at] = cells[4 * id]!;
    own[4 * at + 1] = cells[4 * id + 1]!;
    own[4 * at + 2] = cells[4 * id + 2]!;
    own[4 * at + 3] = cells[4 * id + 3]!;
    this.ids[at] = id;
  }

  /**
   * Fills a list with every two boxes that share a point. Each box looks on its own level, in the cells that come after
   * its own by x, y, z; and on all levels above. `levels` go from small to large.
   */
  pairs(levels: readonly GridLevel[], out: PairList): number {
    const { starts, boxes, cells, ids, mask, count } = this;
    let list = out.ids;
    let top = 0;
    for (let e = 0; e < count; e++) {
      const p = 6 * e;
      const ax = boxes[p]!;
      const ay = boxes[p + 1]!;
      const az = boxes[p + 2]!;
      const bx = boxes[p + 3]!;
      const by = boxes[p + 4]!;
      const bz = boxes[p + 5]!;
      const ownX = cells[4 * e]!;
      const ownY = cells[4 * e + 1]!;
      const ownZ = cells[4 * e + 2]!;
      const ownLevel = cells[4 * e + 3]!;
      for (let k = levels.length - 1; k >= 0; k--) {
        const { level, scale, reach, far } = levels[k]!;
        if (level < ownLevel) break;
        const isOwn = level === ownLevel;
        const x0 = isOwn ? ownX : Math.floor(Math.max(ax * scale - reach, -far));
        const y0 = Math.floor(Math.max(ay * scale - reach, -far));
        const z0 = Math.floor(Math.max(az * scale - reach, -far));
        const x1 = Math.floor(Math.min(bx * scale, far));
        const y1 = Math.floor(Math.min(by * scale, far));
        const z1 = Math.floor(Math.min(bz * scale, far));
        for (let x = x0; x <= x1; x++) {
          const first = isOwn && x === ownX ? ownY : y0;
          for (let y = first; y <= y1; y++) {
            const isHere = isOwn && x === ownX && y === ownY;
            const low = isHere ? ownZ : z0;
            const slot = (column(x, y, level) + low) & mask;
            const end = starts[slot + z1 - low + 1]!;
            for (let f = isHere ? e + 1 : starts[slot]!; f < end; f++) {
              const q = 6 * f;
              const overlap =
                +(ax <= boxes[q + 3]!) &
                +(boxes[q]! <= bx) &
                +(ay <= boxes[q + 4]!) &
                +(boxes[q + 1]! <= by) &
                +(az <= boxes[q + 5]!) &
                +(boxes[q + 2]! <= bz);
              if (overlap === 0) continue;
              if (cells[4 * f] !== x || cells[4 * f + 1] !== y || cells[4 * f + 3] !== level) continue;
              if (top === list.length) list = growList(out);
              list[top] = ids[e]!;
              list[top + 1] = ids[f]!;
              top += 2;
            }
          }
        }
      }
    }
    return top >> 1;
  }
}
