/**
 * The cells of a hierarchical grid. RTCD §7.2.1. A box is in one cell only, the one that holds its lowest corner, on the
 * level whose cells are at least as large as it is: sizes of cells are powers of two, so that cells are found without
 * rounding. Cells are lists in a table, by hash.
 */
import type { BoxSet, PairList } from './box-set.ts';
import { GridRuns } from './grid-runs.ts';
import { longer } from './pair-list.ts';

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
    const { places, count } = this.set;
    if (this.next.length < places.length) this.grow(places.length);
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
              if (found === out.ids.length) longer(out);
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
      if (found === out.ids.length) longer(out);
      out.ids[found++] = ids[i]!;
    }
    return found;
  }
}
