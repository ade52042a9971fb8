/**
 * Boxes that stay where they are, in all cells of a grid that they reach into, in one block of memory: count, sum up, scatter.
 * RTCD §7.1.4. A cell with many has a grid of its own, for things that are spread unevenly: the recursive grid of §7.2.3. Rays
 * go from cell to cell: §7.4.2.
 *
 * Boxes are listed in cells as if they were larger by 2^-24 of a cell. Where a ray is, is known much better than that: when
 * rounding leads it past the corner of a cell, what it would have met there is listed in the cells beside it, too.
 */
import { checkAabb, mustBeLength, mustBeOptions, mustBeWhole, refuse } from '../math/check.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import { rayAabbKernel } from '../primitives/ray/ray-aabb.ts';
import type { Aabb, Ray, ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { makeAabb, makeHit, makeRay } from '../primitives/types.ts';
import type { BoxIndex, BoxVisitor, RayVisitor } from './box-index.ts';
import { sideFor } from './cells.ts';
import { giveList, growList, type IdList, takeList } from './id-list.ts';
import { checkFlat } from './input.ts';
import { Mailboxes, type Stamps } from './stamps.ts';

export interface BoxGridOptions {
  /** The side of a cell. Default: by the number of boxes and their sizes. */
  readonly cell?: number | undefined;
  /** A cell with more boxes than this has a grid of its own. Default: 24. */
  readonly split?: number | undefined;
  /** Grids inside of each other, at most: 1 is a plain grid. Default: 2. */
  readonly depth?: number | undefined;
}

/** 2^-24: boxes are taken for larger by so much of a cell. */
const PAD = 5.9604644775390625e-8;
/** 2^-26: no cell is smaller than this much of the largest coordinate, so that coordinates are known to a small part of PAD. */
const FINEST = 1.4901161193847656e-8;
/** So many cells, for each box, may be listed on average. */
const MOST_CELLS = 8;
const LARGEST_TABLE = 0x4000000;

/** Boxes that do not move, for searches by box and by ray: the static parts of a level, areas, a soup of triangles by their boxes. */
export class BoxGrid implements BoxIndex {
  /** The number of boxes. */
  readonly size: number;
  private readonly boxes: Float64Array;
  private readonly top: GridLevel;
  private readonly mail: Mailboxes;
  /** The side of the smallest cells. */
  private readonly finest: number;

  /** `boxes` holds min x, y, z, max x, y, z of one after the other; a box is known by its place in the list. */
  constructor(boxes: ArrayLike<number>, options: BoxGridOptions = {}) {
    mustBeOptions('BoxGrid', 'options', options, 'cell split depth');
    const { cell, split = 24, depth = 2 } = options;
    if (cell !== undefined) {
      mustBeLength('BoxGrid', 'options.cell', cell);
      if (!(1 / cell < Infinity)) refuse('BoxGrid', 'options.cell', `is too small, got ${cell}`);
    }
    mustBeWhole('BoxGrid', 'options.split', split, 1, 0x7fffffff);
    mustBeWhole('BoxGrid', 'options.depth', depth, 1, 3);
    checkFlat('BoxGrid', 'boxes', boxes, 6);
    this.size = boxes.length / 6;
    this.boxes = Float64Array.from(boxes);
    this.mail = new Mailboxes(this.size);
    const ids = new Int32Array(this.size);
    for (let i = 0; i < this.size; i++) ids[i] = i;
    const level = new GridLevel(this.boxes, ids, EVERYWHERE);
    level.fill(this.boxes, cell ?? 0);
    level.split(this.boxes, split, depth - 1);
    this.top = level;
    this.finest = level.finest();
  }

  /** The number of cells, and of entries in them: of all grids. */
  get counts(): { cells: number; entries: number; grids: number } {
    const counts = { cells: 0, entries: 0, grids: 0 };
    this.top.count(counts);
    return counts;
  }

  /** Visits all boxes that share a point with this one, in no particular order. */
  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
    checkAabb('searchBox', 'box', box);
    const { min, max } = box;
    const searched = Float64Array.of(min.x, min.y, min.z, max.x, max.y, max.z);
    const list = takeList();
    const stamps = this.mail.take();
    const found = this.top.gather(this.boxes, searched, stamps, list, 0);
    this.mail.give(stamps);
    const { ids } = list;
    try {
      for (let i = 0; i < found; i++) if (visit(ids[i]!) === false) return;
    } finally {
      giveList(list);
    }
  }

  /**
   * Visits the boxes that a ray enters at some t in [0, tMax], each once, roughly the nearest first. For the nearest hit of
   * what is in the boxes, return its t: the search goes on until no cell before it is left, as what a ray meets behind the
   * cell where its box was found may not be the first.
   */
  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    checkRayUpTo('searchRay', ray, tMax);
    if (this.size === 0) return;
    const stamps = this.mail.take();
    try {
      const walk = new RayWalk(ray, tMax, this.boxes, stamps, visit);
      if (walk.isWithin(this.finest)) this.top.walk(walk, 0, tMax);
      else for (let id = 0; id < this.size && !walk.isOver; id++) walk.meet(id);
    } finally {
      this.mail.give(stamps);
    }
  }
}

const EVERYWHERE = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity);

/** What one ray carries along. */
class RayWalk {
  readonly ray: Ray = makeRay();
  limit: number;
  isOver = false;
  private readonly boxes: Float64Array;
  private readonly stamps: Stamps;
  private readonly visit: RayVisitor;
  private readonly box: Aabb = makeAabb();
  private readonly hit = makeHit();

  constructor(ray: ReadonlyRay, tMax: number, boxes: Float64Array, stamps: Stamps, visit: RayVisitor) {
    const { origin, direction } = this.ray;
    origin.x = ray.origin.x;
    origin.y = ray.origin.y;
    origin.z = ray.origin.z;
    direction.x = ray.direction.x;
    direction.y = ray.direction.y;
    direction.z = ray.direction.z;
    this.limit = tMax;
    this.boxes = boxes;
    this.stamps = stamps;
    this.visit = visit;
  }

  /** Does the ray begin so near that points of it are known to a small part of PAD? */
  isWithin(side: number): boolean {
    const { x, y, z } = this.ray.origin;
    return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) * FINEST <= side;
  }

  /** The ray comes by a box. */
  meet(id: number): void {
    if (!this.stamps.mark(id)) return;
    const { boxes, box, hit } = this;
    const { min, max } = box;
    const q = 6 * id;
    min.x = boxes[q]!;
    min.y = boxes[q + 1]!;
    min.z = boxes[q + 2]!;
    max.x = boxes[q + 3]!;
    max.y = boxes[q + 4]!;
    max.z = boxes[q + 5]!;
    if (rayAabbKernel(null, this.ray, box, this.limit, hit) === null) return;
    const next = this.visit(id, hit.t);
    if (typeof next !== 'number') return;
    if (!(next >= 0)) this.isOver = true;
    else if (next < this.limit) this.limit = next;
  }
}

/** One grid. */
class GridLevel {
  side = 1.5;
  /** The corner of the first cell. */
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  /** Cells along x, y, z. */
  private readonly wide = new Int32Array(3);
  private readonly ids: Int32Array;
  /** The part of space that this grid is for: that of a cell, padded, or all of it. */
  private readonly region: Float64Array;
  /** Where the entries of each cell begin. */
  private starts = new Int32Array(0);
  private entries = new Int32Array(0);
  /** Grids of cells with many boxes, by cell. */
  private readonly inner = new Map<number, GridLevel>();
  /** The cells of a box: first x, y, z, last x, y, z. */
  private readonly span = new Int32Array(6);

  constructor(boxes: Float64Array, ids: Int32Array, region: Float64Array) {
    this.ids = ids;
    this.region = region;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (const id of ids) {
        low = Math.min(low, boxes[6 * id + k]!);
        high = Math.max(high, boxes[6 * id + k + 3]!);
      }
      this.low[k] = Math.max(low, region[k]!);
      this.high[k] = Math.min(high, region[k + 3]!);
    }
  }

  /** Lists boxes in cells of a side, or of one that suits if that is 0. */
  fill(boxes: Float64Array, cell: number): void {
    const { low, high, ids } = this;
    let far = 0;
    for (let k = 0; k < 3; k++) far = Math.max(far, Math.abs(low[k]!), Math.abs(high[k]!));
    const least = Math.max(far * FINEST, 1e-300);
    if (ids.length === 0) {
      this.setSide(1);
      low.fill(0);
      high.fill(0);
    } else {
      this.setSide(Math.max(cell, least));
      if (cell === 0) this.setSide(Math.max(sideFor(low, high, ids.length), this.meanSize(boxes), least));
    }
    const [nx, ny, nz] = this.wide as unknown as [number, number, number];
    if (nx * ny * nz > LARGEST_TABLE)
      refuse(
        'BoxGrid',
        'options.cell',
        `makes a grid of ${nx} by ${ny} by ${nz} cells: that is too many, got ${cell}`,
      );
    let total = this.countCells(boxes);
    // Many large boxes among many small ones: larger cells.
    while (cell === 0 && total > MOST_CELLS * ids.length) {
      this.setSide(2 * this.side);
      total = this.countCells(boxes);
    }
    const cells = this.wide[0]! * this.wide[1]! * this.wide[2]!;
    const { starts } = this;
    for (let i = 2; i < cells + 2; i++) starts[i]! += starts[i - 1]!;
    this.entries = new Int32Array(total);
    const { entries, span } = this;
    for (const id of ids) {
      this.locate(boxes, 6 * id);
      for (let x = span[0]!; x <= span[3]!; x++)
        for (let y = span[1]!; y <= span[4]!; y++)
          for (let z = span[2]!; z <= span[5]!; z++) entries[starts[this.cellAt(x, y, z) + 1]!++] = id;
    }
  }

  /** Grids for cells with more than `most` boxes, unless they do not help. */
  split(boxes: Float64Array, most: number, depth: number): void {
    if (depth === 0) return;
    const { starts, entries, low, side, wide, region } = this;
    const cells = wide[0]! * wide[1]! * wide[2]!;
    if (cells === 1) return;
    for (let cell = 0; cell < cells; cell++) {
      const from = starts[cell]!;
      const count = starts[cell + 1]! - from;
      if (count <= most) continue;
      const z = cell % wide[2]!;
      const y = ((cell - z) / wide[2]!) % wide[1]!;
      const x = (cell - z - y * wide[2]!) / (wide[1]! * wide[2]!);
      const own = new Float64Array(6);
      [x, y, z].forEach((i, k) => {
        // Outermost cells have all that is left on their side.
        own[k] = i === 0 ? region[k]! : low[k]! + i * side - 2 * PAD * side;
        own[k + 3] = i === wide[k]! - 1 ? region[k + 3]! : low[k]! + (i + 1) * side + 2 * PAD * side;
      });
      const inner = new GridLevel(boxes, entries.slice(from, from + count), own);
      inner.fill(boxes, 0);
      if (inner.busiest() > count / 2) continue;
      inner.split(boxes, most, depth - 1);
      this.inner.set(cell, inner);
    }
  }

  finest(): number {
    let finest = this.side;
    for (const inner of this.inner.values()) finest = Math.min(finest, inner.finest());
    return finest;
  }

  count(counts: { cells: number; entries: number; grids: number }): void {
    counts.cells += this.wide[0]! * this.wide[1]! * this.wide[2]!;
    counts.entries += this.entries.length;
    counts.grids++;
    for (const inner of this.inner.values()) inner.count(counts);
  }

  /** Appends the boxes that share a point with the searched one and have no mark yet. */
  gather(boxes: Float64Array, searched: Float64Array, stamps: Stamps, list: IdList, from: number): number {
    const { starts, entries, inner, span } = this;
    let top = from;
    this.locate(searched, 0);
    const [x0, y0, z0, x1, y1, z1] = span as unknown as [number, number, number, number, number, number];
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let z = z0; z <= z1; z++) {
          const cell = this.cellAt(x, y, z);
          const below = inner.size > 0 ? inner.get(cell) : undefined;
          if (below) {
            top = below.gather(boxes, searched, stamps, list, top);
            continue;
          }
          const end = starts[cell + 1]!;
          for (let e = starts[cell]!; e < end; e++) {
            const id = entries[e]!;
            if (!touches(boxes, 6 * id, searched) || !stamps.mark(id)) continue;
            if (top === list.ids.length) growList(list);
            list.ids[top++] = id;
          }
        }
    return top;
  }

  /** Goes along the ray from time `from` to `to`, cell by cell. */
  walk(search: RayWalk, from: number, to: number): void {
    const { low, high, wide, side, starts, entries, inner } = this;
    const { origin: o, direction: d } = search.ray;
    const pad = PAD * side;
    let enter = from;
    let exit = to;
    for (let k = 0; k < 3; k++) {
      const along = k === 0 ? d.x : k === 1 ? d.y : d.z;
      const begin = k === 0 ? o.x : k === 1 ? o.y : o.z;
      const a = low[k]! - pad - begin;
      const b = high[k]! + pad - begin;
      if (along === 0) {
        if (a > 0 || b < 0) return;
        continue;
      }
      enter = Math.max(enter, Math.min(a / along, b / along));
      exit = Math.min(exit, Math.max(a / along, b / along));
    }
    if (!(enter <= exit && enter < Infinity)) return;
    const scale = 1 / side;
    let x = cellIn(o.x + enter * d.x - low[0]!, scale, wide[0]!);
    let y = cellIn(o.y + enter * d.y - low[1]!, scale, wide[1]!);
    let z = cellIn(o.z + enter * d.z - low[2]!, scale, wide[2]!);
    const stepX = d.x > 0 ? 1 : -1;
    const stepY = d.y > 0 ? 1 : -1;
    const stepZ = d.z > 0 ? 1 : -1;
    // When the ray leaves its cell, on each axis; never, where it does not move.
    let tx = d.x === 0 ? Infinity : (low[0]! + (x + +(stepX > 0)) * side - o.x) / d.x;
    let ty = d.y === 0 ? Infinity : (low[1]! + (y + +(stepY > 0)) * side - o.y) / d.y;
    let tz = d.z === 0 ? Infinity : (low[2]! + (z + +(stepZ > 0)) * side - o.z) / d.z;
    let time = enter;
    for (;;) {
      const cell = this.cellAt(x, y, z);
      const next = Math.min(tx, ty, tz);
      const below = inner.size > 0 ? inner.get(cell) : undefined;
      if (below) below.walk(search, time, Math.min(next, exit));
      else {
        const end = starts[cell + 1]!;
        for (let e = starts[cell]!; e < end && !search.isOver; e++) search.meet(entries[e]!);
      }
      if (search.isOver || !(next <= exit && next <= search.limit && next < Infinity)) return;
      time = next;
      if (tx === next) {
        x += stepX;
        if (x < 0 || x >= wide[0]!) return;
        tx = (low[0]! + (x + +(stepX > 0)) * side - o.x) / d.x;
      } else if (ty === next) {
        y += stepY;
        if (y < 0 || y >= wide[1]!) return;
        ty = (low[1]! + (y + +(stepY > 0)) * side - o.y) / d.y;
      } else {
        z += stepZ;
        if (z < 0 || z >= wide[2]!) return;
        tz = (low[2]! + (z + +(stepZ > 0)) * side - o.z) / d.z;
      }
    }
  }

  private setSide(side: number): void {
    const { low, high, wide } = this;
    this.side = side;
    for (let k = 0; k < 3; k++)
      wide[k] = Math.min(Math.max(Math.ceil((high[k]! - low[k]!) / side), 1), 0x7fffffff);
  }

  /** The mean of the largest sides of the boxes, as far as they are in the region. */
  private meanSize(boxes: Float64Array): number {
    const { ids, low, high } = this;
    let sum = 0;
    for (const id of ids) {
      let size = 0;
      for (let k = 0; k < 3; k++)
        size = Math.max(
          size,
          Math.min(boxes[6 * id + k + 3]!, high[k]!) - Math.max(boxes[6 * id + k]!, low[k]!),
        );
      sum += size;
    }
    return sum / ids.length;
  }

  /** The most boxes in a cell. */
  private busiest(): number {
    const { starts, wide } = this;
    let most = 0;
    const cells = wide[0]! * wide[1]! * wide[2]!;
    for (let cell = 0; cell < cells; cell++) most = Math.max(most, starts[cell + 1]! - starts[cell]!);
    return most;
  }

  /** Counts the entries of each cell, two places on: sums then stand one place on, and filling moves them back. */
  private countCells(boxes: Float64Array): number {
    const { wide, ids, span } = this;
    this.starts = new Int32Array(wide[0]! * wide[1]! * wide[2]! + 2);
    const { starts } = this;
    let total = 0;
    for (const id of ids) {
      this.locate(boxes, 6 * id);
      for (let x = span[0]!; x <= span[3]!; x++)
        for (let y = span[1]!; y <= span[4]!; y++)
          for (let z = span[2]!; z <= span[5]!; z++) starts[this.cellAt(x, y, z) + 2]!++;
      total += (span[3]! - span[0]! + 1) * (span[4]! - span[1]! + 1) * (span[5]! - span[2]! + 1);
    }
    return total;
  }

  /** Sets `span` to the cells of the box at q, padded. */
  private locate(boxes: Float64Array, q: number): void {
    const { low, wide, span, side } = this;
    const scale = 1 / side;
    const pad = PAD * side;
    for (let k = 0; k < 3; k++) {
      span[k] = cellIn(boxes[q + k]! - pad - low[k]!, scale, wide[k]!);
      span[k + 3] = cellIn(boxes[q + k + 3]! + pad - low[k]!, scale, wide[k]!);
    }
  }

  private cellAt(x: number, y: number, z: number): number {
    return (x * this.wide[1]! + y) * this.wide[2]! + z;
  }
}

/** The number of the cell at x from the corner of the grid; outside of it, the outermost. */
const cellIn = (x: number, scale: number, wide: number): number =>
  Math.floor(Math.min(Math.max(x * scale, 0), wide - 1)) | 0;

function touches(boxes: Float64Array, p: number, box: Float64Array): boolean {
  return (
    boxes[p]! <= box[3]! &&
    box[0]! <= boxes[p + 3]! &&
    boxes[p + 1]! <= box[4]! &&
    box[1]! <= boxes[p + 4]! &&
    boxes[p + 2]! <= box[5]! &&
    box[2]! <= boxes[p + 5]!
  );
}
