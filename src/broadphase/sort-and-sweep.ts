/** All pairs of boxes by sorting them along an axis. RTCD §7.5. */
import { giveList, growList, takeList } from '../space/id-list.ts';
import { BoxSetBroadPhase } from './box-set-broad-phase.ts';
import { addPair, type PairList } from './pair-list.ts';
import { SweepLayer } from './sweep-layer.ts';

/** As many boxes are looked at, at most, to learn how large boxes are and where. */
const SAMPLE = 255;
/** So few are not worth a layer of their own; and so many may wait to be sorted in. */
const FEW = 32;
const MOST_LAYERS = 24;

const sample = new Float64Array(SAMPLE);

/**
 * Boxes with numbers that the owner chose, sorted along the axis on which they are spread out most, in layers by size.
 * Made for worlds where most boxes move all the time: when boxes have changed and are asked for, all are sorted again,
 * in linear time. A few that changed since are looked at one by one. Exact for all finite coordinates; touching counts.
 * The same calls give the same answers in the same order. Visitors may search but not change the set: that throws.
 */
export class SortAndSweep extends BoxSetBroadPhase {
  readonly kind = 'sweep';
  private readonly layers: SweepLayer[] = [];
  private depth = 0;
  /** Boxes that have changed since they were sorted; not known by number any more if there are many. */
  private unsorted = new Int32Array(64);
  private unsortedCount = 0;
  private hasManyUnsorted = false;
  /** By number: has it changed since? */
  private isUnsorted = new Uint8Array(64);
  private rest = new Int32Array(0);
  private mine = new Int32Array(0);
  private readonly origin = [0, 0, 0];
  private readonly extent = [0, 0, 0];

  constructor() {
    super('SortAndSweep');
  }

  /** The axis along which boxes were sorted last: 0, 1 or 2. */
  get axis(): number {
    return this.layers[0]?.axis ?? 0;
  }

  protected pieceLength(): number {
    if (!this.mayWait(this.unsortedCount)) this.sort();
    return this.depth > 0 ? 4 * this.layers[0]!.width : Infinity;
  }

  protected onAdd(id: number): void {
    this.markUnsorted(id);
  }

  protected onMove(id: number): void {
    this.markUnsorted(id);
  }

  protected override onMoveMany(ids: ArrayLike<number>): void {
    if (this.mayWait(this.unsortedCount + ids.length))
      for (let i = 0; i < ids.length; i++) this.markUnsorted(ids[i]!);
    else this.hasManyUnsorted = true;
  }

  protected onRemove(id: number): void {
    this.markUnsorted(id);
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    this.sort();
    const { set, layers, depth } = this;
    let count = 0;
    for (let i = 0; i < depth; i++) count = layers[i]!.pairs(set, out, count);
    // The larger ones look for the smaller ones.
    const list = takeList();
    for (let i = 1; i < depth; i++)
      for (let k = 0; k < layers[i]!.count; k++) {
        const id = layers[i]!.idAt(k);
        for (let j = 0; j < i; j++) {
          const found = layers[j]!.search(set.boxes, 6 * id, list, 0);
          for (let f = 0; f < found; f++) {
            const other = list.ids[f]!;
            if (!set.overlap(id, other)) continue;
            addPair(out, count++, id, other);
          }
        }
      }
    giveList(list);
    return count;
  }

  protected onClear(): void {
    this.depth = 0;
    this.clearUnsorted();
  }

  protected gather(box: Float64Array, out: PairList): number {
    if (!this.mayWait(this.unsortedCount)) this.sort();
    const { set, layers, depth, isUnsorted, unsorted, unsortedCount } = this;
    let found = 0;
    for (let i = 0; i < depth; i++) found = layers[i]!.search(box, 0, out, found);
    let kept = 0;
    for (let i = 0; i < found; i++) {
      const id = out.ids[i]!;
      if (isUnsorted[id] !== 1 && set.touches(id, box)) out.ids[kept++] = id;
    }
    for (let i = 0; i < unsortedCount; i++) {
      const id = unsorted[i]!;
      if (!set.has(id) || !set.touches(id, box)) continue;
      if (kept === out.ids.length) growList(out);
      out.ids[kept++] = id;
    }
    return kept;
  }

  /** May so many boxes go unsorted for now? */
  private mayWait(count: number): boolean {
    return !this.hasManyUnsorted && count <= FEW + (this.set.count >> 5);
  }

  private markUnsorted(id: number): void {
    if (this.hasManyUnsorted) return;
    if (id >= this.isUnsorted.length) {
      const more = new Uint8Array(this.set.indices.length);
      more.set(this.isUnsorted);
      this.isUnsorted = more;
    }
    if (this.isUnsorted[id] === 1) return;
    if (!this.mayWait(this.unsortedCount + 1)) {
      this.hasManyUnsorted = true;
      return;
    }
    this.isUnsorted[id] = 1;
    if (this.unsortedCount === this.unsorted.length) {
      const more = new Int32Array(2 * this.unsortedCount);
      more.set(this.unsorted);
      this.unsorted = more;
    }
    this.unsorted[this.unsortedCount++] = id;
  }

  /** All are sorted. */
  private clearUnsorted(): void {
    for (let i = 0; i < this.unsortedCount; i++) this.isUnsorted[this.unsorted[i]!] = 0;
    this.unsortedCount = 0;
    this.hasManyUnsorted = false;
  }

  /** Sorts all boxes into layers, the smallest first, if any has changed. */
  private sort(): void {
    if (this.unsortedCount === 0 && !this.hasManyUnsorted) return;
    this.clearUnsorted();
    const { set, layers, origin, extent } = this;
    const { boxes, count } = set;
    if (this.rest.length < count) {
      this.rest = new Int32Array(Math.ceil(1.5 * count));
      this.mine = new Int32Array(this.rest.length);
    }
    const { mine, rest } = this;
    let left = count;
    for (let i = 0; i < count; i++) rest[i] = set.ids[i]!;
    const axis = count > 0 ? this.sampleBoxes(boxes, rest, count) : 0;
    const v = (axis + 1) % 3;
    const w = (axis + 2) % 3;
    this.depth = 0;
    while (left > 0) {
      // The last layer takes whatever is left.
      const last = left <= FEW || this.depth + 1 >= MOST_LAYERS;
      const layer = layers[this.depth] ?? new SweepLayer();
      layers[this.depth++] = layer;
      const middle = medianSize(boxes, rest, left, v, w);
      let width = Math.max(2 * middle, Math.sqrt((extent[v]! / left) * extent[w]!));
      if (last) width = Math.max(width, largestSize(boxes, rest, left, v, w));
      const most = last ? Infinity : layer.widestIn(width);
      let taken = 0;
      let kept = 0;
      for (let i = 0; i < left; i++) {
        const id = rest[i]!;
        const q = 6 * id;
        const fits =
          +(boxes[q + v + 3]! - boxes[q + v]! <= most) & +(boxes[q + w + 3]! - boxes[q + w]! <= most);
        mine[taken] = id;
        taken += fits;
        rest[kept] = id;
        kept += 1 - fits;
      }
      layer.build(set, mine, taken, axis, origin, width);
      left = kept;
    }
  }

  /** Learns from some boxes where most of them are, and on which axis they are spread out most. */
  private sampleBoxes(boxes: Float64Array, ids: Int32Array, count: number): number {
    const size = Math.min(count, SAMPLE);
    const some = sample.subarray(0, size);
    let axis = 0;
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < size; i++) {
        const q = 6 * ids[Math.floor((i * count) / size)]! + k;
        some[i] = 0.5 * boxes[q]! + 0.5 * boxes[q + 3]!;
      }
      some.sort();
      this.origin[k] = some[size >> 1]!;
      // Half of them are in half of this, if they are spread evenly.
      this.extent[k] = Math.min(2 * (some[(3 * size) >> 2]! - some[size >> 2]!), Number.MAX_VALUE);
      if (this.extent[k]! > this.extent[axis]!) axis = k;
    }
    return axis;
  }
}

/** The median of the sizes of some boxes, across two axes. */
function medianSize(boxes: Float64Array, ids: Int32Array, count: number, v: number, w: number): number {
  const size = Math.min(count, SAMPLE);
  const some = sample.subarray(0, size);
  for (let i = 0; i < size; i++) some[i] = sizeOf(boxes, 6 * ids[Math.floor((i * count) / size)]!, v, w);
  some.sort();
  return some[size >> 1]!;
}

function largestSize(boxes: Float64Array, ids: Int32Array, count: number, v: number, w: number): number {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, sizeOf(boxes, 6 * ids[i]!, v, w));
  return largest;
}

const sizeOf = (boxes: Float64Array, q: number, v: number, w: number): number =>
  Math.max(boxes[q + v + 3]! - boxes[q + v]!, boxes[q + w + 3]! - boxes[q + w]!);
