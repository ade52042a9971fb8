/**
 * The boxes of a hierarchical grid, cell by cell, to find all pairs. RTCD §7.2.1. Cells that follow each other along z
 * follow each other in memory: what may touch a box is in a few runs of neighbours, without lists to go along. Cells are
 * found by hash, which may lay several over each other: what is found is asked for its cell.
 */
import type { BoxSet, PairList } from './box-set.ts';
import { longer } from './pair-list.ts';

/** No run is longer, in cells: boxes are no larger than the cells that they are looked for in. */
const LONGEST = 8;

/** The place in the table of the cell with z = 0. */
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
  private places = new Int32Array(0);
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
    if (this.places.length < count) this.places = new Int32Array(Math.ceil(1.5 * count));
    const { starts, places } = this;
    // Counted two places on: the sums then stand one place on, and filling moves them to where they belong.
    starts.fill(0);
    for (let i = 0; i < count; i++) {
      const q = 4 * ids[i]!;
      const place = (column(cells[q]!, cells[q + 1]!, cells[q + 3]!) + cells[q + 2]!) & mask;
      places[i] = place;
      starts[place + 2]!++;
      if (place < LONGEST) starts[place + size + 2]!++;
    }
    for (let i = 2; i < size + LONGEST + 2; i++) starts[i]! += starts[i - 1]!;
    this.makeRoom(starts[size + LONGEST + 1]!);
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      this.put(starts[place + 1]!++, ids[i]!, set.boxes, cells);
      if (place < LONGEST) this.put(starts[place + size + 1]!++, ids[i]!, set.boxes, cells);
    }
  }

  private makeRoom(total: number): void {
    if (this.ids.length >= total) return;
    const room = Math.ceil(1.5 * total);
    this.boxes = new Float64Array(6 * room);
    this.cells = new Int32Array(4 * room);
    this.ids = new Int32Array(room);
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
            const place = (column(x, y, level) + low) & mask;
            const end = starts[place + z1 - low + 1]!;
            for (let f = isHere ? e + 1 : starts[place]!; f < end; f++) {
              const q = 6 * f;
              const meet =
                +(ax <= boxes[q + 3]!) &
                +(boxes[q]! <= bx) &
                +(ay <= boxes[q + 4]!) &
                +(boxes[q + 1]! <= by) &
                +(az <= boxes[q + 5]!) &
                +(boxes[q + 2]! <= bz);
              if (meet === 0) continue;
              if (cells[4 * f] !== x || cells[4 * f + 1] !== y || cells[4 * f + 3] !== level) continue;
              if (top === list.length) list = longer(out);
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
