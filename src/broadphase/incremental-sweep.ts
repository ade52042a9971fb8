/**
 * All pairs of boxes by sorting where they begin and end, kept from frame to frame. RTCD §7.5.1; Baraff 1992.
 *
 *      a├────┤          On each axis the ends of all boxes stand in order. When boxes have moved, insertion sort puts that
 *         b├─────┤      right; where things move little, few ends change places. The beginning of one box and the end of
 *     ────┴─┴──┴──┴──   another that change places begin to overlap, or cease to: only then is a pair looked at.
 *
 * At the same coordinate, beginnings stand before ends: touching counts. When ends have changed places too often (many
 * boxes have jumped, or have come), all is sorted anew.
 */
import { mustBeOptions, refuse } from '../math/check.ts';
import { giveList, growList, takeList } from '../space/id-list.ts';
import { BoxSetBroadPhase } from './box-set-broad-phase.ts';
import type { PairList } from './pair-list.ts';
import { PairSet } from './pair-set.ts';
import { SortAndSweep } from './sort-and-sweep.ts';

export interface IncrementalSweepOptions {
  /**
   * The axes that are sorted, two or three. With two, pairs that are above each other along the third one are kept, and left
   * out when they are told: for worlds that are flat. Default: 'xyz'.
   */
  readonly axes?: 'xyz' | 'xy' | 'xz' | 'yz' | undefined;
}

/** When so many ends have changed places, for each end there is and one that moves, sorting anew is faster. */
const PATIENCE = 24;
/** So few boxes are put in one by one. */
const FEW = 16;

/** Ends of boxes, in order along an axis. */
class Axis {
  readonly k: number;
  /** Where ends are, and whose they are: twice the number of the box, and one more for where it ends. */
  values = new Float64Array(128);
  ends = new Int32Array(128);
  /** Where the ends of a box stand: at twice its number where it begins, one more where it ends. */
  places = new Int32Array(128);
  /** How long boxes are along the axis, at most, since all was sorted anew. */
  longest = 0.5;

  constructor(k: number) {
    this.k = k;
  }
}

/**
 * Boxes with numbers that the owner chose, and the pairs of them, kept. Made for worlds where few boxes move, or all move
 * little: `collectPairs` then costs what has changed, and the copy of the pairs. Exact for all finite coordinates; touching
 * counts. The same calls give the same answers in the same order. Visitors may search but not change the set: that throws.
 */
export class IncrementalSweep extends BoxSetBroadPhase {
  readonly kind = 'incremental sweep';
  /** How often ends of boxes have changed places. */
  swaps = 0;
  private readonly axes: readonly Axis[];
  private readonly found = new PairSet();
  /** Boxes whose ends stand in order. */
  private sorted = 0;
  /** By number: do its ends stand there; has it changed since, and is it on the list; has it gone since? */
  private isSorted = new Uint8Array(64);
  private hasChanged = new Uint8Array(64);
  private hasGone = new Uint8Array(64);
  private changed = new Int32Array(64);
  private changedCount = 0;
  private goneCount = 0;
  private budget = 0;

  constructor(options: IncrementalSweepOptions = {}) {
    super('IncrementalSweep');
    mustBeOptions('IncrementalSweep', 'options', options, 'axes');
    const { axes = 'xyz' } = options;
    if (!['xyz', 'xy', 'xz', 'yz'].includes(axes))
      refuse('IncrementalSweep', 'options.axes', `must be 'xyz', 'xy', 'xz' or 'yz', got ${String(axes)}`);
    this.axes = Array.from(axes, (axis) => new Axis('xyz'.indexOf(axis)));
  }

  protected onAdd(id: number): void {
    this.reserve();
    // One that has just gone comes back: it has moved.
    this.goneCount -= this.hasGone[id]!;
    this.hasGone[id] = 0;
    this.markChanged(id);
  }

  protected onMove(id: number): void {
    this.markChanged(id);
  }

  protected onRemove(id: number): void {
    if (this.isSorted[id] === 0) return;
    this.hasGone[id] = 1;
    this.goneCount++;
  }

  protected onClear(): void {
    this.found.clear();
    this.isSorted.fill(0);
    this.hasChanged.fill(0);
    this.hasGone.fill(0);
    this.sorted = 0;
    this.changedCount = 0;
    this.goneCount = 0;
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    this.sort();
    const { ids, count } = this.found;
    while (out.ids.length < 2 * count) growList(out);
    if (this.axes.length === 3) {
      out.ids.set(count * 2 === ids.length ? ids : ids.subarray(0, 2 * count));
      return count;
    }
    const list = out.ids;
    let kept = 0;
    for (let i = 0; i < 2 * count; i += 2) {
      list[kept] = ids[i]!;
      list[kept + 1] = ids[i + 1]!;
      kept += 2 * +this.set.overlap(ids[i]!, ids[i + 1]!);
    }
    return kept >> 1;
  }

  protected pieceLength(): number {
    const [axis] = this.axes;
    return 4 * axis!.longest;
  }

  /** Looks at all boxes that begin near enough, along the axis where these are the fewest. */
  protected gather(box: Float64Array, out: PairList): number {
    this.sort();
    const { set, axes, sorted } = this;
    let best = axes[0]!;
    let from = 0;
    let to = 2 * sorted;
    for (const axis of axes) {
      const { values, k, longest } = axis;
      const low = box[k]! - longest;
      const first = lowerBound(values, 2 * sorted, low - Math.abs(low) * 1e-15);
      const last = upperBound(values, 2 * sorted, box[k + 3]!);
      if (last - first >= to - from) continue;
      best = axis;
      from = first;
      to = last;
    }
    const { ends } = best;
    let found = 0;
    for (let i = from; i < to; i++) {
      const end = ends[i]!;
      if ((end & 1) === 1 || !set.touches(end >> 1, box)) continue;
      if (found === out.ids.length) growList(out);
      out.ids[found++] = end >> 1;
    }
    return found;
  }

  private markChanged(id: number): void {
    if (this.hasChanged[id] === 1) return;
    this.hasChanged[id] = 1;
    if (this.changedCount === this.changed.length) {
      const more = new Int32Array(2 * this.changedCount);
      more.set(this.changed);
      this.changed = more;
    }
    this.changed[this.changedCount++] = id;
  }

  /** Puts all in order, and brings the pairs up to date. */
  private sort(): void {
    if (this.goneCount > 0) this.dropGone();
    const { changed, changedCount, hasChanged, isSorted, set, axes } = this;
    if (changedCount === 0) return;
    this.changedCount = 0;
    let moved = 0;
    let come = 0;
    for (let i = 0; i < changedCount; i++) {
      const id = changed[i]!;
      hasChanged[id] = 0;
      if (!set.has(id)) continue;
      if (isSorted[id] === 1) changed[moved++] = id;
      else come++;
    }
    if (come > FEW + (this.sorted >> 4)) {
      this.sortAnew();
      return;
    }
    this.budget = PATIENCE * (2 * this.sorted + 64);
    for (let a = 0; a < axes.length; a++) {
      const axis = axes[a]!;
      if (moved > this.sorted >> 3) this.sortAll(axis, moved);
      else for (let i = 0; i < moved; i++) this.moveEnds(axis, changed[i]!);
      if (this.budget < 0) {
        this.sortAnew();
        return;
      }
    }
    if (come === 0) return;
    // Newcomers, in the order of their numbers' places.
    for (let i = 0; i < set.count; i++) if (isSorted[set.ids[i]!] === 0) this.insert(set.ids[i]!);
  }

  private noteLength(axis: Axis, id: number): void {
    const { boxes } = this.set;
    const length = boxes[6 * id + axis.k + 3]! - boxes[6 * id + axis.k]!;
    if (length > axis.longest) axis.longest = length;
  }

  /** All boxes that moved get their new ends; one insertion sort puts them in order. */
  private sortAll(axis: Axis, moved: number): void {
    const { changed, set, found, sorted } = this;
    const { boxes } = set;
    const { values, ends, places, k } = axis;
    for (let i = 0; i < moved; i++) {
      const id = changed[i]!;
      values[places[2 * id]!] = boxes[6 * id + k]!;
      values[places[2 * id + 1]!] = boxes[6 * id + k + 3]!;
      this.noteLength(axis, id);
    }
    let { budget } = this;
    for (let i = 1; i < 2 * sorted; i++) {
      const value = values[i]!;
      const end = ends[i]!;
      let at = i;
      while (at > 0) {
        const before = values[at - 1]!;
        const other = ends[at - 1]!;
        if (!(before > value || (before === value && (other & 1) > (end & 1)))) break;
        if (((other ^ end) & 1) === 1) {
          // A beginning that comes before an end, or an end before a beginning.
          if ((end & 1) === 1) found.delete(end >> 1, other >> 1);
          else if (this.overlap(end >> 1, other >> 1)) found.add(end >> 1, other >> 1);
        }
        values[at] = before;
        ends[at] = other;
        places[other] = at;
        at--;
      }
      if (at === i) continue;
      values[at] = value;
      ends[at] = end;
      places[end] = at;
      budget -= i - at;
      // What is left in disorder is sorted anew.
      if (budget < 0) break;
    }
    this.swaps += this.budget - budget;
    this.budget = budget;
  }

  /** One box moved: what makes it longer first, so that its beginning never comes behind its end. */
  private moveEnds(axis: Axis, id: number): void {
    if (this.budget < 0) return;
    const { boxes } = this.set;
    const { values, places, k } = axis;
    const low = boxes[6 * id + k]!;
    const high = boxes[6 * id + k + 3]!;
    const oldLow = values[places[2 * id]!]!;
    const oldHigh = values[places[2 * id + 1]!]!;
    this.noteLength(axis, id);
    if (low < oldLow) this.moveDown(axis, 2 * id, low);
    if (high > oldHigh) this.moveUp(axis, 2 * id + 1, high);
    if (low > oldLow) this.moveUp(axis, 2 * id, low);
    if (high < oldHigh) this.moveDown(axis, 2 * id + 1, high);
  }

  private moveDown(axis: Axis, end: number, value: number): void {
    const { found } = this;
    const { values, ends, places } = axis;
    const from = places[end]!;
    let at = from;
    while (at > 0) {
      const before = values[at - 1]!;
      const other = ends[at - 1]!;
      if (!(before > value || (before === value && (other & 1) > (end & 1)))) break;
      if (((other ^ end) & 1) === 1) {
        if ((end & 1) === 1) found.delete(end >> 1, other >> 1);
        else if (this.overlap(end >> 1, other >> 1)) found.add(end >> 1, other >> 1);
      }
      values[at] = before;
      ends[at] = other;
      places[other] = at;
      at--;
    }
    values[at] = value;
    ends[at] = end;
    places[end] = at;
    this.budget -= from - at;
    this.swaps += from - at;
  }

  private moveUp(axis: Axis, end: number, value: number): void {
    const { found } = this;
    const { values, ends, places } = axis;
    const last = 2 * this.sorted - 1;
    const from = places[end]!;
    let at = from;
    while (at < last) {
      const after = values[at + 1]!;
      const other = ends[at + 1]!;
      if (!(after < value || (after === value && (other & 1) < (end & 1)))) break;
      if (((other ^ end) & 1) === 1) {
        if ((end & 1) === 0) found.delete(end >> 1, other >> 1);
        else if (this.overlap(end >> 1, other >> 1)) found.add(end >> 1, other >> 1);
      }
      values[at] = after;
      ends[at] = other;
      places[other] = at;
      at++;
    }
    values[at] = value;
    ends[at] = end;
    places[end] = at;
    this.budget -= at - from;
    this.swaps += at - from;
  }

  /** A new box comes from above: its beginning passes the ends of all that it may overlap, those around it too. */
  private insert(id: number): void {
    const { axes, set } = this;
    const { boxes } = set;
    const top = 2 * this.sorted++;
    this.isSorted[id] = 1;
    for (const axis of axes) {
      const { values, ends, places, k } = axis;
      values[top] = Infinity;
      values[top + 1] = Infinity;
      ends[top] = 2 * id;
      ends[top + 1] = 2 * id + 1;
      places[2 * id] = top;
      places[2 * id + 1] = top + 1;
      this.noteLength(axis, id);
      this.moveDown(axis, 2 * id, boxes[6 * id + k]!);
      this.moveDown(axis, 2 * id + 1, boxes[6 * id + k + 3]!);
    }
  }

  /** Do two boxes overlap on all axes that are sorted? */
  private overlap(i: number, j: number): boolean {
    const { set, axes } = this;
    if (axes.length === 3) return set.overlap(i, j);
    const { boxes } = set;
    const p = 6 * i;
    const q = 6 * j;
    const u = axes[0]!.k;
    const v = axes[1]!.k;
    return (
      boxes[p + u]! <= boxes[q + u + 3]! &&
      boxes[q + u]! <= boxes[p + u + 3]! &&
      boxes[p + v]! <= boxes[q + v + 3]! &&
      boxes[q + v]! <= boxes[p + v + 3]!
    );
  }

  /** Takes out what has gone, with its pairs. */
  private dropGone(): void {
    const { axes, hasGone, isSorted, sorted } = this;
    this.found.deleteMarked(hasGone);
    for (const { values, ends, places } of axes) {
      let kept = 0;
      for (let i = 0; i < 2 * sorted; i++) {
        const end = ends[i]!;
        if (hasGone[end >> 1] === 1) continue;
        values[kept] = values[i]!;
        ends[kept] = end;
        places[end] = kept++;
      }
    }
    this.sorted -= this.goneCount;
    this.goneCount = 0;
    for (let id = 0; id < hasGone.length; id++) {
      if (hasGone[id] === 0) continue;
      hasGone[id] = 0;
      isSorted[id] = 0;
    }
  }

  /** Sorts all ends, and finds all pairs, from nothing. */
  private sortAnew(): void {
    const { set, axes, isSorted } = this;
    const { count, ids } = set;
    this.sorted = count;
    for (let i = 0; i < count; i++) isSorted[ids[i]!] = 1;
    for (const axis of axes) {
      axis.longest = 0;
      for (let i = 0; i < count; i++) {
        const id = ids[i]!;
        axis.ends[2 * i] = 2 * id;
        axis.ends[2 * i + 1] = 2 * id + 1;
        this.noteLength(axis, id);
      }
      sortEnds(axis, set.boxes, 2 * count);
    }
    const list = takeList();
    const pairs = this.pairsAnew(list);
    this.found.replace(list.ids, pairs);
    giveList(list);
  }

  /** All pairs by the other sweep. What is not sorted along an axis is everywhere there. */
  private pairsAnew(list: PairList): number {
    const { set, axes } = this;
    const finder = new SortAndSweep();
    const given = { min: { x: 0, y: 0, z: 0 }, max: { x: 0, y: 0, z: 0 } };
    const has = [0, 1, 2].map((k) => axes.some((axis) => axis.k === k));
    for (let i = 0; i < set.count; i++) {
      const q = 6 * set.ids[i]!;
      const { boxes } = set;
      given.min.x = has[0] ? boxes[q]! : 0;
      given.min.y = has[1] ? boxes[q + 1]! : 0;
      given.min.z = has[2] ? boxes[q + 2]! : 0;
      given.max.x = has[0] ? boxes[q + 3]! : 0;
      given.max.y = has[1] ? boxes[q + 4]! : 0;
      given.max.z = has[2] ? boxes[q + 5]! : 0;
      finder.add(set.ids[i]!, given);
    }
    return finder.collectPairs(list);
  }

  /** Room for all numbers of boxes. */
  private reserve(): void {
    const capacity = this.set.indices.length;
    if (this.isSorted.length < capacity) {
      this.isSorted = longer(this.isSorted, capacity);
      this.hasChanged = longer(this.hasChanged, capacity);
      this.hasGone = longer(this.hasGone, capacity);
    }
    for (const axis of this.axes) {
      if (axis.places.length >= 2 * capacity) continue;
      const places = new Int32Array(2 * capacity);
      const ends = new Int32Array(2 * capacity);
      const values = new Float64Array(2 * capacity);
      places.set(axis.places);
      ends.set(axis.ends);
      values.set(axis.values);
      axis.places = places;
      axis.ends = ends;
      axis.values = values;
    }
  }
}

function longer(list: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(length);
  more.set(list);
  return more;
}

/** The first place with a value that is not below, and that is above. */
function lowerBound(values: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function upperBound(values: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const DIGIT = 2048;

/**
 * Sorts `ends` by where they are, beginnings before ends, and writes `values` and `places`. By the digits of doubles as whole
 * numbers, eleven bits at a time from the lowest: with the sign bit flipped, and all bits of negative ones, their order is
 * that of the doubles.
 */
function sortEnds(axis: Axis, boxes: Float64Array, count: number): void {
  const { values, places, k } = axis;
  // Beginnings first: sorting by digits keeps the order of equals.
  let from = new Int32Array(count);
  for (let i = 0; i < count; i += 2) {
    from[i >> 1] = axis.ends[i]!;
    from[(i >> 1) + (count >> 1)] = axis.ends[i]! + 1;
  }
  for (let i = 0; i < count; i++) values[i] = boxes[6 * (from[i]! >> 1) + k + 3 * (from[i]! & 1)]! + 0;
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * count);
  let low = new Int32Array(count);
  let high = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const upper = words[2 * i + 1]!;
    const mask = upper >> 31;
    high[i] = upper ^ (mask | 0x80000000);
    low[i] = words[2 * i]! ^ mask;
  }
  let to = new Int32Array(count);
  let toLow = new Int32Array(count);
  let toHigh = new Int32Array(count);
  const starts = new Int32Array(DIGIT);
  for (let pass = 0; pass < 6; pass++) {
    const shift = 11 * (pass % 3);
    const digits = pass < 3 ? low : high;
    starts.fill(0);
    for (let i = 0; i < count; i++) starts[(digits[i]! >>> shift) & (DIGIT - 1)]!++;
    if (count > 0 && starts[(digits[0]! >>> shift) & (DIGIT - 1)] === count) continue;
    let sum = 0;
    for (let i = 0; i < DIGIT; i++) {
      const here = starts[i]!;
      starts[i] = sum;
      sum += here;
    }
    for (let i = 0; i < count; i++) {
      const at = starts[(digits[i]! >>> shift) & (DIGIT - 1)]!++;
      to[at] = from[i]!;
      toLow[at] = low[i]!;
      toHigh[at] = high[i]!;
    }
    [from, to] = [to, from];
    [low, toLow] = [toLow, low];
    [high, toHigh] = [toHigh, high];
  }
  for (let i = 0; i < count; i++) {
    const end = from[i]!;
    axis.ends[i] = end;
    places[end] = i;
    values[i] = boxes[6 * (end >> 1) + k + 3 * (end & 1)]!;
  }
}
