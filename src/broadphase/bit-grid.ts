/**
 * Boxes in the slices of a grid, as bits. RTCD §7.1.5.
 *
 *     slice   0 1 2 3          On each axis space is cut into slices, and a slice has a bit for every box that reaches into it.
 *         ┌─┬─┬─┬─┐            What may be in a box: the bits of its slices on an axis, or-ed; and-ed over the axes. There are no
 *   box 0 │ │1│1│ │            cells: a grid of n by n by n takes 3 n bits a box. Slices repeat themselves: 0, 32, 64 … are one,
 *   box 1 │ │ │1│1│            so that the grid has no limits.
 *         └─┴─┴─┴─┘
 *
 * A coarser form has one bit a slice: is there any box at all?
 */
import { checkAabb, mustBeLength, mustBeOptions, refuse } from '../math/check.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { cellOf } from '../space/cells.ts';
import { growList } from '../space/id-list.ts';
import { BoxSetBroadPhase } from './box-set-broad-phase.ts';
import { addPair, type PairList } from './pair-list.ts';

export interface BitGridOptions {
  /** How thick slices are: best a little more than the usual box. */
  readonly cell: number;
}

/** Slices on an axis: as many as a word has bits. */
const SLICES = 32;

/**
 * Boxes with numbers that the owner chose, preferably from 0 on: memory and time go by the largest. For some hundreds of them,
 * up to a few thousand: a search then reads a few words a box. Exact for all finite coordinates; touching counts. The same
 * calls give the same answers in the same order. Visitors may search but not change the set: that throws.
 */
export class BitGrid extends BoxSetBroadPhase {
  readonly kind = 'bit grid';
  private readonly scale: number;
  private readonly cell: number;
  /** Words of a slice. */
  private words = 2;
  /** For each axis its slices, one after the other. */
  private bits: [Int32Array, Int32Array, Int32Array] = [slices(2), slices(2), slices(2)];
  /** Boxes in each slice, and a bit for each that has some. */
  private readonly counts = new Int32Array(3 * SLICES);
  private readonly occupied = new Int32Array(3);
  /** The first and the last slice of each box, before they are taken round: six numbers. */
  private spans = new Int32Array(6 * 64);
  private readonly span = new Int32Array(6);

  constructor(options: BitGridOptions) {
    super('BitGrid');
    mustBeOptions('BitGrid', 'options', options, 'cell');
    const { cell } = options;
    mustBeLength('BitGrid', 'options.cell', cell);
    if (!(1 / cell < Infinity)) refuse('BitGrid', 'options.cell', `is too small, got ${cell}`);
    this.cell = cell;
    this.scale = 1 / cell;
  }

  protected onAdd(id: number): void {
    if (id >= 32 * this.words) this.grow(id);
    this.locate(this.set.boxes, 6 * id);
    this.spans.set(this.span, 6 * id);
    this.mark(id, 1);
  }

  protected onRemove(id: number): void {
    this.mark(id, -1);
  }

  protected onClear(): void {
    for (const axis of this.bits) axis.fill(0);
    this.counts.fill(0);
    this.occupied.fill(0);
  }

  /** Is there surely nothing in a box? One bit a slice is looked at, and no box: where it says no, there may be nothing either. */
  isSurelyEmpty(box: ReadonlyAabb): boolean {
    checkAabb('isSurelyEmpty', 'box', box);
    const { min, max } = box;
    this.locate(Float64Array.of(min.x, min.y, min.z, max.x, max.y, max.z), 0);
    const { span, occupied } = this;
    for (let k = 0; k < 3; k++) if ((maskOf(span[k]!, span[k + 3]!) & occupied[k]!) === 0) return true;
    return false;
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    const { set, bits, words, spans } = this;
    const { boxes } = set;
    const [bx, by, bz] = bits;
    let count = 0;
    for (let i = 0; i < set.count; i++) {
      const id = set.ids[i]!;
      const s = 6 * id;
      const x0 = spans[s]!;
      const y0 = spans[s + 1]!;
      const z0 = spans[s + 2]!;
      const x1 = Math.min(spans[s + 3]!, x0 + SLICES - 1);
      const y1 = Math.min(spans[s + 4]!, y0 + SLICES - 1);
      const z1 = Math.min(spans[s + 5]!, z0 + SLICES - 1);
      // Those with smaller numbers: each pair once.
      const last = id >> 5;
      for (let word = 0; word <= last; word++) {
        let x = 0;
        let y = 0;
        let z = 0;
        for (let k = x0; k <= x1; k++) x |= bx[(k & (SLICES - 1)) * words + word]!;
        for (let k = y0; k <= y1; k++) y |= by[(k & (SLICES - 1)) * words + word]!;
        for (let k = z0; k <= z1; k++) z |= bz[(k & (SLICES - 1)) * words + word]!;
        let rest = x & y & z;
        if (word === last) rest &= (1 << (id & 31)) - 1;
        while (rest !== 0) {
          const other = 32 * word + 31 - Math.clz32(rest & -rest);
          rest &= rest - 1;
          if (overlaps(boxes, s, 6 * other)) addPair(out, count++, id, other);
        }
      }
    }
    return count;
  }

  protected pieceLength(): number {
    return 4 * this.cell;
  }

  protected gather(box: Float64Array, out: PairList): number {
    this.locate(box, 0);
    const { set, bits, words, span, occupied } = this;
    const [bx, by, bz] = bits;
    for (let k = 0; k < 3; k++) if ((maskOf(span[k]!, span[k + 3]!) & occupied[k]!) === 0) return 0;
    const x0 = span[0]!;
    const y0 = span[1]!;
    const z0 = span[2]!;
    const x1 = Math.min(span[3]!, x0 + SLICES - 1);
    const y1 = Math.min(span[4]!, y0 + SLICES - 1);
    const z1 = Math.min(span[5]!, z0 + SLICES - 1);
    let found = 0;
    for (let word = 0; word < words; word++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let k = x0; k <= x1; k++) x |= bx[(k & (SLICES - 1)) * words + word]!;
      if (x === 0) continue;
      for (let k = y0; k <= y1; k++) y |= by[(k & (SLICES - 1)) * words + word]!;
      for (let k = z0; k <= z1; k++) z |= bz[(k & (SLICES - 1)) * words + word]!;
      // The lowest bit, alone: x & -x; bit 31 is negative, and as good as any.
      for (let rest = x & y & z; rest !== 0; rest &= rest - 1) {
        const id = 32 * word + 31 - Math.clz32(rest & -rest);
        if (!set.touches(id, box)) continue;
        if (found === out.ids.length) growList(out);
        out.ids[found++] = id;
      }
    }
    return found;
  }

  /** Sets `span` to the slices of the box at q. */
  private locate(boxes: Float64Array, q: number): void {
    const { span, scale } = this;
    for (let k = 0; k < 6; k++) span[k] = cellOf(boxes[q + k]!, scale);
  }

  protected onMove(id: number): void {
    this.locate(this.set.boxes, 6 * id);
    const { span, spans } = this;
    let isSame = true;
    for (let k = 0; k < 6; k++) isSame &&= span[k] === spans[6 * id + k];
    if (isSame) return;
    this.mark(id, -1);
    spans.set(span, 6 * id);
    this.mark(id, 1);
  }

  /** Sets (1) or clears (-1) the bits of a box. */
  private mark(id: number, by: number): void {
    const { bits, words, counts, occupied, spans } = this;
    const bit = 1 << (id & 31);
    for (let axis = 0; axis < 3; axis++) {
      const own = bits[axis]!;
      const first = spans[6 * id + axis]!;
      const last = Math.min(spans[6 * id + axis + 3]!, first + SLICES - 1);
      for (let k = first; k <= last; k++) {
        const slice = k & (SLICES - 1);
        const at = slice * words + (id >> 5);
        if (by > 0) own[at]! |= bit;
        else own[at]! &= ~bit;
        counts[SLICES * axis + slice]! += by;
        if (counts[SLICES * axis + slice]! > 0) occupied[axis]! |= 1 << slice;
        else occupied[axis]! &= ~(1 << slice);
      }
    }
  }

  private grow(id: number): void {
    const words = 2 * ((id >> 5) + 1);
    for (let axis = 0; axis < 3; axis++) {
      const more = slices(words);
      const own = this.bits[axis]!;
      for (let slice = 0; slice < SLICES; slice++)
        more.set(own.subarray(slice * this.words, (slice + 1) * this.words), slice * words);
      this.bits[axis] = more;
    }
    this.words = words;
    const spans = new Int32Array(6 * 32 * words);
    spans.set(this.spans);
    this.spans = spans;
  }
}

const slices = (words: number): Int32Array => new Int32Array(SLICES * words);

/** A bit for each slice from one to another. */
function maskOf(first: number, last: number): number {
  if (last - first >= SLICES - 1) return -1;
  let mask = 0;
  for (let k = first; k <= last; k++) mask |= 1 << (k & (SLICES - 1));
  return mask;
}

const overlaps = (boxes: Float64Array, p: number, q: number): boolean =>
  boxes[p]! <= boxes[q + 3]! &&
  boxes[q]! <= boxes[p + 3]! &&
  boxes[p + 1]! <= boxes[q + 4]! &&
  boxes[q + 1]! <= boxes[p + 4]! &&
  boxes[p + 2]! <= boxes[q + 5]! &&
  boxes[q + 2]! <= boxes[p + 5]!;
