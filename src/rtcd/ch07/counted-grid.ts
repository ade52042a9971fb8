/**
 * A hierarchical grid that keeps its pairs from frame to frame: RTCD §7.2.2, second variant. A box is listed in all cells that
 * it overlaps, on the level of its size and on every level above. Two boxes then share a cell on the level of the larger one,
 * if they overlap; a counter for every two tells how many cells they share on all levels, and when it drops to zero the
 * pair is gone. Nothing is looked for, then: a box that moves only meets what is in the cells that it enters and leaves.
 *
 * For comparison: the memory of lists on all levels and of counters is what it costs. Production has `HierarchicalGrid`,
 * where a box is in one cell and looks for others on its level and above (the first variant), and `IncrementalSweep`, which
 * keeps pairs.
 */
import { BoxSetBroadPhase } from '../../broadphase/box-set-broad-phase.ts';
import { addPair, type PairList } from '../../broadphase/pair-list.ts';
import { mustBeLength, mustBeOptions, mustBeWhole, refuse } from '../../math/check.ts';
import { cellOf } from '../../space/cells.ts';
import { growList } from '../../space/id-list.ts';

export interface CountedGridOptions {
  /** The side of the smallest cells. Those of the next level are twice as large. */
  readonly cell: number;
  /** How many levels there are. Boxes larger than the largest cells are in none, and looked at one by one. Default: 8. */
  readonly levels?: number | undefined;
}

/** Numbers of boxes are below this, 2^26: two of them make a key. */
const KEY = 0x4000000;

export class CountedGrid extends BoxSetBroadPhase {
  readonly kind = 'counted grid';
  private readonly scales: readonly number[];
  private readonly cell: number;
  /** The boxes in each cell, by level and numbers of the cell. */
  private readonly lists = new Map<string, Set<number>>();
  /** The cells of each box. */
  private readonly cells = new Map<number, readonly string[]>();
  private readonly oversize = new Set<number>();
  /** How many cells two boxes share, if any. */
  private readonly shared = new Map<number, number>();

  constructor(options: CountedGridOptions) {
    super('CountedGrid');
    mustBeOptions('CountedGrid', 'options', options, 'cell levels');
    const { cell, levels = 8 } = options;
    mustBeLength('CountedGrid', 'options.cell', cell);
    mustBeWhole('CountedGrid', 'options.levels', levels, 1, 64);
    if (!(1 / cell < Infinity)) refuse('CountedGrid', 'options.cell', `is too small, got ${cell}`);
    this.cell = cell;
    let scale = 2 / cell;
    this.scales = Array.from({ length: levels }, () => (scale /= 2));
  }

  /** How many cells two boxes share. */
  sharedCells(a: number, b: number): number {
    return this.shared.get(Math.min(a, b) * KEY + Math.max(a, b)) ?? 0;
  }

  protected onAdd(id: number): void {
    this.enter(id, this.locate(id));
  }

  protected onRemove(id: number): void {
    this.leave(id, this.cells.get(id)!);
    this.cells.delete(id);
    this.oversize.delete(id);
  }

  protected onClear(): void {
    this.lists.clear();
    this.cells.clear();
    this.oversize.clear();
    this.shared.clear();
  }

  collectPairs(out: PairList): number {
    const { set, oversize } = this;
    let count = 0;
    for (const key of this.shared.keys()) {
      const b = key % KEY;
      const a = (key - b) / KEY;
      if (set.overlap(a, b)) addPair(out, count++, a, b);
    }
    for (const large of oversize)
      for (const id of this.cells.keys()) {
        if (id === large || (id > large && oversize.has(id)) || !set.overlap(large, id)) continue;
        addPair(out, count++, large, id);
      }
    return count;
  }

  protected pieceLength(): number {
    return 4 * this.cell;
  }

  /** Asks all boxes: what this grid is for are pairs. */
  protected gather(box: Float64Array, out: PairList): number {
    let found = 0;
    for (const id of this.cells.keys()) {
      if (!this.set.touches(id, box)) continue;
      if (found === out.ids.length) growList(out);
      out.ids[found++] = id;
    }
    return found;
  }

  /** The cells of a box, on its own level and those above; none if it is oversize. */
  private locate(id: number): string[] {
    const { boxes } = this.set;
    const { scales } = this;
    const q = 6 * id;
    const size = Math.max(
      boxes[q + 3]! - boxes[q]!,
      boxes[q + 4]! - boxes[q + 1]!,
      boxes[q + 5]! - boxes[q + 2]!,
    );
    const cells: string[] = [];
    scales.forEach((scale, level) => {
      if (!(size * scale <= 1)) return;
      const last = [3, 4, 5].map((k) => cellOf(boxes[q + k]!, scale)) as [number, number, number];
      for (let x = cellOf(boxes[q]!, scale); x <= last[0]; x++)
        for (let y = cellOf(boxes[q + 1]!, scale); y <= last[1]; y++)
          for (let z = cellOf(boxes[q + 2]!, scale); z <= last[2]; z++) cells.push(`${level} ${x} ${y} ${z}`);
    });
    return cells;
  }

  protected onMove(id: number): void {
    const before = this.cells.get(id)!;
    const after = this.locate(id);
    if (String(before) === String(after)) return;
    this.leave(id, before);
    this.enter(id, after);
  }

  private enter(id: number, cells: readonly string[]): void {
    const { lists, shared } = this;
    this.cells.set(id, cells);
    if (cells.length === 0) this.oversize.add(id);
    else this.oversize.delete(id);
    for (const cell of cells) {
      const list = lists.get(cell) ?? new Set();
      lists.set(cell, list);
      for (const other of list) {
        const key = Math.min(id, other) * KEY + Math.max(id, other);
        shared.set(key, (shared.get(key) ?? 0) + 1);
      }
      list.add(id);
    }
  }

  private leave(id: number, cells: readonly string[]): void {
    const { lists, shared } = this;
    for (const cell of cells) {
      const list = lists.get(cell)!;
      list.delete(id);
      if (list.size === 0) lists.delete(cell);
      for (const other of list) {
        const key = Math.min(id, other) * KEY + Math.max(id, other);
        const left = shared.get(key)! - 1;
        if (left > 0) shared.set(key, left);
        else shared.delete(key);
      }
    }
  }
}
