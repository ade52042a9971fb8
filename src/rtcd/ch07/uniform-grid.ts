/**
 * Boxes that move, in the cells of one uniform grid: the book's ways side by side. RTCD §7.1.
 *
 * Where a box is listed (§7.1.6): in the cell of its centre, in that of its lower corner, or in all cells that it overlaps.
 * How the list of a cell is found (§7.1.2, §7.1.3): by a `CellTable`. Either way adding, moving and removing takes constant
 * time: lists are linked in both directions, through the boxes themselves.
 *
 * For comparison, and for boxes of one known size. Production has `HierarchicalGrid`, which needs no size.
 */

import { BoxSetBroadPhase } from '../../broadphase/box-set-broad-phase.ts';
import type { BroadPhase } from '../../broadphase/broad-phase.ts';
import { addPair, type PairList } from '../../broadphase/pair-list.ts';
import { mustBeLength, mustBeOneOf, mustBeOptions, mustHave, refuse } from '../../math/check.ts';
import { cellOf } from '../../space/cells.ts';
import { giveList, growList, takeList } from '../../space/id-list.ts';
import { checkFlat } from '../../space/input.ts';
import { Stamps } from '../../space/stamps.ts';
import { type CellTable, ChainedCells } from './cell-tables.ts';

export type GridPlacement = 'center' | 'corner' | 'cells';

export interface UniformGridOptions {
  /** The side of a cell. Larger boxes are in no cell, and looked at one by one. */
  readonly cell: number;
  /** Default: 'corner'. */
  readonly placement?: GridPlacement | undefined;
  /** Default: a new `ChainedCells`. */
  readonly table?: CellTable | undefined;
}

/** Larger boxes than this much of a cell are oversize: 1 - 2^-16. Rounding then never takes a box two cells on. */
const LARGEST = 1 - 1 / 0x10000;
/** A box is in so many cells at most, in the placement 'cells'. */
const MOST_CELLS = 64;

export class UniformGrid extends BoxSetBroadPhase implements BroadPhase {
  readonly kind = 'uniform grid';
  /** Lists looked at so far. */
  lists = 0;
  private readonly cell: number;
  private readonly scale: number;
  private readonly placement: GridPlacement;
  private readonly table: CellTable;
  /** First and last cell of each box: six numbers. */
  private spans = new Int32Array(6 * 64);
  /** The first entry of a box; -1 for one that is oversize. */
  private firsts = new Int32Array(64);
  private readonly oversize = new Set<number>();
  /** Entries of lists: who, the next and the one before in its list, and the next of the same box. */
  private owners = new Int32Array(64);
  private nexts = new Int32Array(64);
  private befores = new Int32Array(64);
  private siblings = new Int32Array(64);
  private entries = 0;
  private free = -1;
  private seenBoxes = new Stamps(64);
  private seenLists = new Stamps(64);

  constructor(options: UniformGridOptions) {
    super('UniformGrid');
    mustBeOptions('UniformGrid', 'options', options, 'cell placement table');
    const { cell, placement = 'corner', table = new ChainedCells() } = options;
    mustBeLength('UniformGrid', 'options.cell', cell);
    if (!(1 / cell < Infinity)) refuse('UniformGrid', 'options.cell', `is too small, got ${cell}`);
    mustBeOneOf('UniformGrid', 'options.placement', placement, ['center', 'corner', 'cells']);
    mustHave('UniformGrid', 'options.table', table, 'a table of cells', 'heads');
    this.cell = cell;
    this.scale = 1 / cell;
    this.placement = placement;
    this.table = table;
    table.clear();
  }

  protected onAdd(id: number): void {
    this.link(id);
  }

  protected onRemove(id: number): void {
    this.unlink(id);
  }

  protected onClear(): void {
    this.table.clear();
    this.oversize.clear();
    this.entries = 0;
    this.free = -1;
  }

  /**
   * Empties the grid and adds these boxes, numbered from 0, each after a look at what is there: every pair is found once, and
   * nothing is ever moved. RTCD §7.1.7.
   */
  refill(boxes: Float64Array, out: PairList): number {
    checkFlat('refill', 'boxes', boxes, 6);
    this.clear();
    const list = takeList();
    let count = 0;
    for (let id = 0; 6 * id < boxes.length; id++) {
      const box = boxes.subarray(6 * id, 6 * id + 6);
      const found = this.gather(box, list);
      for (let i = 0; i < found; i++) addPair(out, count++, list.ids[i]!, id);
      const [ax, ay, az, bx, by, bz] = box as unknown as [number, number, number, number, number, number];
      this.add(id, { min: { x: ax, y: ay, z: az }, max: { x: bx, y: by, z: bz } });
    }
    giveList(list);
    return count;
  }

  /** Pairs of a box of this grid and one of another group, which is never added: its place in the list. RTCD §7.1.7. */
  collectPairsWith(boxes: Float64Array, out: PairList): number {
    checkFlat('collectPairsWith', 'boxes', boxes, 6);
    const list = takeList();
    let count = 0;
    for (let other = 0; 6 * other < boxes.length; other++) {
      const found = this.gather(boxes.subarray(6 * other, 6 * other + 6), list);
      for (let i = 0; i < found; i++) addPair(out, count++, list.ids[i]!, other);
    }
    giveList(list);
    return count;
  }

  collectPairs(out: PairList): number {
    let count = this.placement !== 'cells' && this.table.isKeyed ? this.halfPairs(out) : this.allPairs(out);
    const { set, oversize } = this;
    for (const large of oversize)
      for (let i = 0; i < set.count; i++) {
        const id = set.ids[i]!;
        if (id === large || (id > large && oversize.has(id)) || !set.overlap(large, id)) continue;
        addPair(out, count++, large, id);
      }
    return count;
  }

  protected pieceLength(): number {
    return 4 * this.cell;
  }

  protected gather(box: Float64Array, out: PairList): number {
    const found = this.gatherListed(box, out);
    let top = found;
    for (const id of this.oversize)
      if (this.set.touches(id, box)) {
        if (top === out.ids.length) growList(out);
        out.ids[top++] = id;
      }
    return top;
  }

  /** The boxes in cells that share a point with one. */
  private gatherListed(box: Float64Array, out: PairList): number {
    const { set, cell, scale, placement, table, seenBoxes, seenLists } = this;
    // Where boxes are listed that reach to here.
    const below = placement === 'center' ? cell / 2 : placement === 'corner' ? cell : 0;
    const above = placement === 'center' ? cell / 2 : 0;
    const x0 = cellOf(box[0]! - below, scale);
    const y0 = cellOf(box[1]! - below, scale);
    const z0 = cellOf(box[2]! - below, scale);
    const x1 = cellOf(box[3]! + above, scale);
    const y1 = cellOf(box[4]! + above, scale);
    const z1 = cellOf(box[5]! + above, scale);
    let found = 0;
    // More cells than boxes: look at the boxes.
    if ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > set.count + 27) {
      for (let i = 0; i < set.count; i++) {
        const id = set.ids[i]!;
        if (this.firsts[id]! < 0 || !set.touches(id, box)) continue;
        if (found === out.ids.length) growList(out);
        out.ids[found++] = id;
      }
      return found;
    }
    seenBoxes.next();
    seenLists.next();
    for (let x = x0; x <= x1; x++)
      for (let y = y0; y <= y1; y++)
        for (let z = z0; z <= z1; z++) {
          const list = table.find(x, y, z);
          if (list < 0) continue;
          // Cells that share a list: once.
          if (!table.isKeyed && !seenLists.mark(list)) continue;
          this.lists++;
          for (let e = table.heads[list]!; e >= 0; e = this.nexts[e]!) {
            const id = this.owners[e]!;
            if (!set.touches(id, box) || !seenBoxes.mark(id)) continue;
            if (found === out.ids.length) growList(out);
            out.ids[found++] = id;
          }
        }
    return found;
  }

  /**
   * Every box looks in its own cell at those behind it in the list, and in the 13 of 26 neighbours that come after: those with
   * a greater x, or y, or z, in this order. Two boxes in cells that only touch may meet in a third. RTCD §7.1.6.2.
   */
  private halfPairs(out: PairList): number {
    const { set, table, spans, firsts, placement } = this;
    const isCorner = placement === 'corner';
    let count = 0;
    for (let i = 0; i < set.count; i++) {
      const id = set.ids[i]!;
      if (firsts[id]! < 0) continue;
      for (let e = this.nexts[firsts[id]!]!; e >= 0; e = this.nexts[e]!)
        if (set.overlap(id, this.owners[e]!)) addPair(out, count++, id, this.owners[e]!);
      const s = 6 * id;
      const x = spans[s]!;
      const y = spans[s + 1]!;
      const z = spans[s + 2]!;
      // From a corner, cells above are reached only across their border. From a centre they always may be.
      const dx = isCorner ? spans[s + 3]! - x : 1;
      const dy = isCorner ? spans[s + 4]! - y : 1;
      const dz = isCorner ? spans[s + 5]! - z : 1;
      for (let u = 0; u <= dx; u++)
        for (let v = u === 0 ? 0 : -1; v <= dy; v++)
          for (let w = u === 0 && v === 0 ? 1 : -1; w <= dz; w++) {
            const list = table.find(x + u, y + v, z + w);
            if (list < 0) continue;
            this.lists++;
            for (let e = table.heads[list]!; e >= 0; e = this.nexts[e]!)
              if (set.overlap(id, this.owners[e]!)) addPair(out, count++, id, this.owners[e]!);
          }
    }
    return count;
  }

  /** Every box looks for others, and takes those with a smaller number. */
  private allPairs(out: PairList): number {
    const { set, firsts } = this;
    const list = takeList();
    let count = 0;
    for (let i = 0; i < set.count; i++) {
      const id = set.ids[i]!;
      if (firsts[id]! < 0) continue;
      const found = this.gatherListed(set.boxes.subarray(6 * id, 6 * id + 6), list);
      for (let k = 0; k < found; k++) if (list.ids[k]! < id) addPair(out, count++, id, list.ids[k]!);
    }
    giveList(list);
    return count;
  }

  /** Sets the cells of a box. False: it is oversize. */
  private locate(id: number): boolean {
    const { spans, scale, cell, placement } = this;
    const { boxes } = this.set;
    let cells = 1;
    let isFine = true;
    for (let k = 0; k < 3; k++) {
      const low = boxes[6 * id + k]!;
      const high = boxes[6 * id + k + 3]!;
      const first = cellOf(placement === 'center' ? 0.5 * low + 0.5 * high : low, scale);
      spans[6 * id + k] = first;
      spans[6 * id + k + 3] = placement === 'center' ? first : cellOf(high, scale);
      cells *= spans[6 * id + k + 3]! - first + 1;
      if (!(high - low <= LARGEST * cell)) isFine = false;
    }
    return placement === 'cells' ? cells <= MOST_CELLS : isFine;
  }

  private link(id: number): void {
    this.reserve();
    const { spans, table, firsts, placement } = this;
    firsts[id] = -1;
    if (!this.locate(id)) {
      this.oversize.add(id);
      return;
    }
    const s = 6 * id;
    const isOne = placement !== 'cells';
    for (let x = spans[s]!; x <= (isOne ? spans[s]! : spans[s + 3]!); x++)
      for (let y = spans[s + 1]!; y <= (isOne ? spans[s + 1]! : spans[s + 4]!); y++)
        for (let z = spans[s + 2]!; z <= (isOne ? spans[s + 2]! : spans[s + 5]!); z++) {
          const entry = this.takeEntry();
          const list = table.make(x, y, z);
          const head = table.heads[list]!;
          this.owners[entry] = id;
          this.nexts[entry] = head;
          this.befores[entry] = -1;
          if (head >= 0) this.befores[head] = entry;
          table.heads[list] = entry;
          this.siblings[entry] = firsts[id]!;
          firsts[id] = entry;
        }
    if (!table.isKeyed && this.seenLists.size < table.heads.length)
      this.seenLists = new Stamps(table.heads.length);
  }

  private unlink(id: number): void {
    const { spans, table, firsts, placement, nexts, befores, siblings } = this;
    if (firsts[id]! < 0) {
      this.oversize.delete(id);
      return;
    }
    const s = 6 * id;
    const isOne = placement !== 'cells';
    // In the order of `link` backwards, as entries are chained.
    let entry = firsts[id]!;
    for (let x = isOne ? spans[s]! : spans[s + 3]!; x >= spans[s]!; x--)
      for (let y = isOne ? spans[s + 1]! : spans[s + 4]!; y >= spans[s + 1]!; y--)
        for (let z = isOne ? spans[s + 2]! : spans[s + 5]!; z >= spans[s + 2]!; z--) {
          const before = befores[entry]!;
          const after = nexts[entry]!;
          if (after >= 0) befores[after] = before;
          if (before >= 0) nexts[before] = after;
          else {
            table.heads[table.find(x, y, z)] = after;
            if (after < 0) table.release(x, y, z);
          }
          const next = siblings[entry]!;
          siblings[entry] = this.free;
          this.free = entry;
          entry = next;
        }
  }

  protected onMove(id: number): void {
    const { spans, firsts } = this;
    const s = 6 * id;
    const old = spans.slice(s, s + 6);
    const wasListed = firsts[id]! >= 0;
    const isListed = this.locate(id);
    let isSame = wasListed === isListed;
    for (let k = 0; k < 6; k++) isSame &&= old[k] === spans[s + k];
    if (isSame) return;
    spans.set(old, s);
    this.unlink(id);
    this.link(id);
  }

  private takeEntry(): number {
    const { free } = this;
    if (free >= 0) {
      this.free = this.siblings[free]!;
      return free;
    }
    if (this.entries === this.owners.length) {
      this.owners = longer(this.owners);
      this.nexts = longer(this.nexts);
      this.befores = longer(this.befores);
      this.siblings = longer(this.siblings);
    }
    return this.entries++;
  }

  /** Room for all numbers of boxes. */
  private reserve(): void {
    const capacity = this.set.indices.length;
    if (this.firsts.length >= capacity) return;
    const spans = new Int32Array(6 * capacity);
    const firsts = new Int32Array(capacity);
    spans.set(this.spans);
    firsts.set(this.firsts);
    this.spans = spans;
    this.firsts = firsts;
    this.seenBoxes = new Stamps(capacity);
  }
}

function longer(list: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * list.length);
  more.set(list);
  return more;
}
