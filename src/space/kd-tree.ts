/**
 * Points in a k-d tree of flat arrays. RTCD §7.3.7.
 *
 * The upper levels are made at once: the box of the points is cut into 2^b cells by halving its longest side b times, every
 * point is counted into its cell, and all are scattered to their places in one pass. Below, the few points of a cell are cut
 * at the middle of the longest side of their box, so that no side is empty and cells stay fat (sliding midpoint:
 * Maneewongvatana and Mount 1999). What midpoints do not divide in a reasonable number of steps is halved by count.
 */
import { checkAabb, checkPoint, mustBeDistance, mustBeOptions, mustBeWhole } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { giveList, growList, type IdList, takeList } from './id-list.ts';
import { checkFlat, checkRoom } from './input.ts';
import { NearestList } from './nearest-list.ts';
import type { PointIndex, PointVisitor } from './point-index.ts';

export interface KdTreeOptions {
  /** The most points in a leaf, but for equal ones. Default: 8. */
  readonly leafSize?: number | undefined;
}

/** The low bits of a link: the axis of a cut, or that it is a leaf. */
const LEAF = 3;
/** The upper levels, at most: more cells than fit into the cache make the scatter slow. */
const MOST_BITS = 18;
/** Levels of midpoints below the upper levels, before points are halved by count. */
const MOST_MIDPOINTS = 48;

/**
 * Points that do not move, for searches by box and by distance: scans, vertices, samples. In clusters, too, and at all scales.
 * Points are known by their places in the list that it was made from.
 *
 * Of a cut at s, points with x < s are on the low side, those with x ≥ s on the high side.
 */
export class KdTree implements PointIndex {
  /** The number of points. */
  readonly size: number;
  /** The nodes in preorder: the low child is the next node, the high child stands in the link above the two low bits. */
  private links = new Int32Array(16);
  private splits = new Float64Array(16);
  /** Where the points of a node begin. They end where those of the next node after its subtree begin. */
  private firsts = new Int32Array(16);
  private nodes = 0;
  private height = 1;
  private leaves = 0;
  /** Three numbers a point, leaf by leaf, and their places in the list. */
  private readonly points: Float64Array;
  private readonly ids: Int32Array;
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  /** Nodes that wait in a search, with what is known of them. Not in use while visitors run. */
  private readonly waiting: Int32Array;
  private readonly offsets: Float64Array;
  private readonly list = new NearestList();

  /** `points` holds x, y, z of one after the other. O(n) for points that are spread about evenly, else O(n log n). */
  constructor(points: ArrayLike<number>, options: KdTreeOptions = {}) {
    mustBeOptions('KdTree', 'options', options, 'leafSize');
    const { leafSize = 8 } = options;
    mustBeWhole('KdTree', 'options.leafSize', leafSize, 1, Infinity);
    checkFlat('KdTree', 'points', points, 3);
    const n = points.length / 3;
    this.size = n;
    this.points = new Float64Array(3 * n);
    this.ids = new Int32Array(n);
    if (n > 0) this.build(points, leafSize);
    this.waiting = new Int32Array(3 * (this.height + 2));
    this.offsets = new Float64Array(3 * (this.height + 2));
  }

  /** How many nodes there are, how many of them are leaves, and the length of the longest way to a leaf. */
  get shape(): { readonly nodes: number; readonly leaves: number; readonly height: number } {
    return { nodes: this.nodes, leaves: this.leaves, height: this.height };
  }

  /**
   * The points of the leaf whose cell holds p, by their numbers. `cell` is filled with the cell: all of space that leads to
   * this leaf, which has no end on the outside. RTCD §7.3.7: point location.
   */
  locate(p: ReadonlyVec3, cell?: Aabb): Int32Array {
    checkPoint('locate', 'p', p);
    const { links, splits, firsts, ids, size } = this;
    const { x, y, z } = p;
    if (cell) {
      cell.min.x = cell.min.y = cell.min.z = -Infinity;
      cell.max.x = cell.max.y = cell.max.z = Infinity;
    }
    if (size === 0) return ids;
    let node = 0;
    let end = size;
    for (;;) {
      const link = links[node]!;
      const axis = link & 3;
      if (axis === LEAF) return ids.slice(firsts[node]!, end);
      const split = splits[node]!;
      const isLow = (axis === 0 ? x : axis === 1 ? y : z) < split;
      if (cell) (isLow ? cell.max : cell.min)[AXES[axis]!] = split;
      if (isLow) end = firsts[link >> 2]!;
      node = isLow ? node + 1 : link >> 2;
    }
  }

  /** Visits all points in a box, those on its sides included. */
  range(box: ReadonlyAabb, visit: PointVisitor): void {
    checkAabb('range', 'box', box);
    const list = takeList();
    visitAll(list, this.gatherRange(box, list), visit);
  }

  /** Visits all points within a distance of p, those at that distance included. */
  within(p: ReadonlyVec3, radius: number, visit: PointVisitor): void {
    checkPoint('within', 'p', p);
    mustBeDistance('within', 'radius', radius);
    const list = takeList();
    visitAll(list, this.gatherWithin(p, radius * radius, list), visit);
  }

  /** `range` without a visitor: fills `out.ids` with the numbers and returns how many there are. */
  collectRange(box: ReadonlyAabb, out: IdList): number {
    checkAabb('collectRange', 'box', box);
    return this.gatherRange(box, out);
  }

  /** `within` without a visitor: fills `out.ids` with the numbers and returns how many there are. */
  collectWithin(p: ReadonlyVec3, radius: number, out: IdList): number {
    checkPoint('collectWithin', 'p', p);
    mustBeDistance('collectWithin', 'radius', radius);
    return this.gatherWithin(p, radius * radius, out);
  }

  /** The nearest point within `maxDistance`, the one of the smallest number if several are; -1 if there is none. */
  nearest(p: ReadonlyVec3, maxDistance = Infinity): number {
    checkPoint('nearest', 'p', p);
    mustBeDistance('nearest', 'maxDistance', maxDistance);
    return this.searchNearest(p, maxDistance * maxDistance);
  }

  /** Writes the numbers of the k nearest points to `out`, the nearest first, then by number, and returns how many. */
  kNearest(p: ReadonlyVec3, k: number, out: Int32Array | number[], maxDistance = Infinity): number {
    checkPoint('kNearest', 'p', p);
    mustBeWhole('kNearest', 'k', k, 0, Infinity);
    mustBeDistance('kNearest', 'maxDistance', maxDistance);
    const most = Math.min(k, this.size);
    checkRoom('kNearest', out, most);
    this.list.reset(most, maxDistance * maxDistance);
    if (most > 0) this.searchNearestFew(p);
    return this.list.drain(out);
  }

  // ---- Searches ----

  /**
   * A side of the box that all points of a node are known to be within is not looked at again: six bits. Once all are set the
   * node's points are taken without a look.
   */
  private gatherRange({ min, max }: ReadonlyAabb, out: IdList): number {
    const { links, splits, firsts, points, ids, waiting, low, high, size } = this;
    const { x: ax, y: ay, z: az } = min;
    const { x: bx, y: by, z: bz } = max;
    if (size === 0) return 0;
    let list = out.ids;
    let found = 0;
    let top = 0;
    let node = 0;
    let end = size;
    let sure =
      +(ax <= low[0]!) |
      (+(ay <= low[1]!) << 1) |
      (+(az <= low[2]!) << 2) |
      (+(bx >= high[0]!) << 3) |
      (+(by >= high[1]!) << 4) |
      (+(bz >= high[2]!) << 5);
    for (;;) {
      const link = links[node]!;
      const axis = link & 3;
      if (axis === LEAF || sure === 63) {
        const first = firsts[node]!;
        while (found + end - first > list.length) list = growList(out);
        if (sure === 63) for (let i = first; i < end; i++) list[found++] = ids[i]!;
        else
          for (let i = first; i < end; i++) {
            const x = points[3 * i]!;
            const y = points[3 * i + 1]!;
            const z = points[3 * i + 2]!;
            list[found] = ids[i]!;
            found += +(x >= ax) & +(x <= bx) & +(y >= ay) & +(y <= by) & +(z >= az) & +(z <= bz);
          }
        if (top === 0) return found;
        top -= 3;
        node = waiting[top]!;
        end = waiting[top + 1]!;
        sure = waiting[top + 2]!;
        continue;
      }
      const split = splits[node]!;
      const a = axis === 0 ? ax : axis === 1 ? ay : az;
      const b = axis === 0 ? bx : axis === 1 ? by : bz;
      const right = link >> 2;
      const middle = firsts[right]!;
      if (!(a < split)) {
        node = right;
        continue;
      }
      if (b >= split) {
        waiting[top] = right;
        waiting[top + 1] = end;
        waiting[top + 2] = sure | (1 << axis);
        top += 3;
        sure |= 8 << axis;
      }
      node++;
      end = middle;
    }
  }

  /** Distances to cells are made of the same roundings as those to points, so that no cell is farther than a point in it. */
  private gatherWithin({ x, y, z }: ReadonlyVec3, limit: number, out: IdList): number {
    const { links, splits, firsts, points, ids, waiting, offsets, low, high, size } = this;
    if (size === 0) return 0;
    let list = out.ids;
    let found = 0;
    let top = 0;
    let node = 0;
    let end = size;
    let ox = Math.max(low[0]! - x, 0, x - high[0]!);
    let oy = Math.max(low[1]! - y, 0, y - high[1]!);
    let oz = Math.max(low[2]! - z, 0, z - high[2]!);
    if (ox * ox + oy * oy + oz * oz > limit) return 0;
    for (;;) {
      const link = links[node]!;
      const axis = link & 3;
      if (axis === LEAF) {
        const first = firsts[node]!;
        while (found + end - first > list.length) list = growList(out);
        for (let i = first; i < end; i++) {
          const dx = points[3 * i]! - x;
          const dy = points[3 * i + 1]! - y;
          const dz = points[3 * i + 2]! - z;
          list[found] = ids[i]!;
          found += +(dx * dx + dy * dy + dz * dz <= limit);
        }
        if (top === 0) return found;
        top -= 3;
        node = waiting[top]!;
        end = waiting[top + 1]!;
        ox = offsets[top]!;
        oy = offsets[top + 1]!;
        oz = offsets[top + 2]!;
        continue;
      }
      const split = splits[node]!;
      const right = link >> 2;
      const middle = firsts[right]!;
      const off = (axis === 0 ? x : axis === 1 ? y : z) - split;
      const fx = axis === 0 ? off : ox;
      const fy = axis === 1 ? off : oy;
      const fz = axis === 2 ? off : oz;
      const isLow = off < 0;
      if (fx * fx + fy * fy + fz * fz <= limit) {
        waiting[top] = isLow ? right : node + 1;
        waiting[top + 1] = isLow ? end : middle;
        offsets[top] = fx;
        offsets[top + 1] = fy;
        offsets[top + 2] = fz;
        top += 3;
      }
      node = isLow ? node + 1 : right;
      end = isLow ? middle : end;
    }
  }

  private searchNearest({ x, y, z }: ReadonlyVec3, maxDistanceSq: number): number {
    const { links, splits, firsts, points, ids, waiting, offsets, low, high, size } = this;
    let limit = maxDistanceSq;
    let best = -1;
    if (size === 0) return -1;
    let top = 0;
    let node = 0;
    let end = size;
    let ox = Math.max(low[0]! - x, 0, x - high[0]!);
    let oy = Math.max(low[1]! - y, 0, y - high[1]!);
    let oz = Math.max(low[2]! - z, 0, z - high[2]!);
    if (ox * ox + oy * oy + oz * oz > limit) return -1;
    for (;;) {
      let link = links[node]!;
      let axis = link & 3;
      while (axis !== LEAF) {
        const right = link >> 2;
        const off = (axis === 0 ? x : axis === 1 ? y : z) - splits[node]!;
        const fx = axis === 0 ? off : ox;
        const fy = axis === 1 ? off : oy;
        const fz = axis === 2 ? off : oz;
        const isLow = off < 0;
        const middle = firsts[right]!;
        // Written in any case, kept if it is near.
        waiting[top] = isLow ? right : node + 1;
        waiting[top + 1] = isLow ? end : middle;
        offsets[top] = fx;
        offsets[top + 1] = fy;
        offsets[top + 2] = fz;
        top += 3 * +(fx * fx + fy * fy + fz * fz <= limit);
        node = isLow ? node + 1 : right;
        end = isLow ? middle : end;
        link = links[node]!;
        axis = link & 3;
      }
      for (let i = firsts[node]!; i < end; i++) {
        const dx = points[3 * i]! - x;
        const dy = points[3 * i + 1]! - y;
        const dz = points[3 * i + 2]! - z;
        const d = dx * dx + dy * dy + dz * dz;
        if (!(d <= limit)) continue;
        const id = ids[i]!;
        if (d === limit && best >= 0 && id > best) continue;
        limit = d;
        best = id;
      }
      do {
        if (top === 0) return best;
        top -= 3;
        ox = offsets[top]!;
        oy = offsets[top + 1]!;
        oz = offsets[top + 2]!;
      } while (ox * ox + oy * oy + oz * oz > limit);
      node = waiting[top]!;
      end = waiting[top + 1]!;
    }
  }

  private searchNearestFew({ x, y, z }: ReadonlyVec3): void {
    const { links, splits, firsts, points, ids, waiting, offsets, low, high, size, list } = this;
    let top = 0;
    let node = 0;
    let end = size;
    let ox = Math.max(low[0]! - x, 0, x - high[0]!);
    let oy = Math.max(low[1]! - y, 0, y - high[1]!);
    let oz = Math.max(low[2]! - z, 0, z - high[2]!);
    if (ox * ox + oy * oy + oz * oz > list.limit) return;
    for (;;) {
      let link = links[node]!;
      let axis = link & 3;
      let limit = list.limit;
      while (axis !== LEAF) {
        const right = link >> 2;
        const off = (axis === 0 ? x : axis === 1 ? y : z) - splits[node]!;
        const fx = axis === 0 ? off : ox;
        const fy = axis === 1 ? off : oy;
        const fz = axis === 2 ? off : oz;
        const isLow = off < 0;
        const middle = firsts[right]!;
        waiting[top] = isLow ? right : node + 1;
        waiting[top + 1] = isLow ? end : middle;
        offsets[top] = fx;
        offsets[top + 1] = fy;
        offsets[top + 2] = fz;
        top += 3 * +(fx * fx + fy * fy + fz * fz <= limit);
        node = isLow ? node + 1 : right;
        end = isLow ? middle : end;
        link = links[node]!;
        axis = link & 3;
      }
      for (let i = firsts[node]!; i < end; i++) {
        const dx = points[3 * i]! - x;
        const dy = points[3 * i + 1]! - y;
        const dz = points[3 * i + 2]! - z;
        const d = dx * dx + dy * dy + dz * dz;
        if (!(d <= limit)) continue;
        list.offered = d;
        list.offer(ids[i]!);
        limit = list.limit;
      }
      do {
        if (top === 0) return;
        top -= 3;
        ox = offsets[top]!;
        oy = offsets[top + 1]!;
        oz = offsets[top + 2]!;
      } while (ox * ox + oy * oy + oz * oz > limit);
      node = waiting[top]!;
      end = waiting[top + 1]!;
    }
  }

  // ---- Building ----

  private build(points: ArrayLike<number>, leafSize: number): void {
    const { low, high, size: n } = this;
    let [ax, ay, az, bx, by, bz] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 0; i < 3 * n; i += 3) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const z = points[i + 2]!;
      if (x < ax) ax = x;
      if (x > bx) bx = x;
      if (y < ay) ay = y;
      if (y > by) by = y;
      if (z < az) az = z;
      if (z > bz) bz = z;
    }
    low.set([ax, ay, az]);
    high.set([bx, by, bz]);
    const cuts = planCuts(low, high, Math.ceil(n / leafSize));
    const starts = this.scatter(points, cuts);
    const builder = new SubtreeBuilder(this.points, this.ids, leafSize);
    this.reserve(Math.max(16, Math.ceil((4 * n) / leafSize)));
    // Ranges of cells, the lower one on top: nodes are made in preorder. The high one notes whose child it is.
    const { axes, thresholds } = cuts;
    const bits = axes.length;
    const jobs = new Int32Array(4 * (bits + 2));
    const corners = new Int32Array(3 * (bits + 2));
    jobs[1] = -1;
    let top = 1;
    while (top > 0) {
      const job = 4 * --top;
      let cell = jobs[job]!;
      const parent = jobs[job + 1]!;
      let level = jobs[job + 2]!;
      let depth = jobs[job + 3]!;
      const corner = 3 * top;
      let cx = corners[corner]!;
      let cy = corners[corner + 1]!;
      let cz = corners[corner + 2]!;
      if (parent >= 0) this.links[parent]! |= this.nodes << 2;
      for (;;) {
        const span = 1 << (bits - level);
        const first = starts[cell]!;
        const end = starts[cell + span]!;
        if (end - first <= leafSize || level === bits) {
          this.leaves += builder.build(this, first, end, depth);
          break;
        }
        const axis = axes[level]!;
        // Halves of a side at this level: the place of the cut among all cuts of the axis.
        const c = axis === 0 ? cx : axis === 1 ? cy : cz;
        const left = cuts.left[level]!;
        const at = c + (1 << left);
        const middle = starts[cell + (span >> 1)]!;
        level++;
        if (middle === first) {
          cell += span >> 1;
          if (axis === 0) cx = at;
          else if (axis === 1) cy = at;
          else cz = at;
          continue;
        }
        if (middle === end) continue;
        const node = this.makeNode(first, axis, thresholds[axis]![at]!);
        depth++;
        jobs[4 * top] = cell + (span >> 1);
        jobs[4 * top + 1] = node;
        jobs[4 * top + 2] = level;
        jobs[4 * top + 3] = depth;
        corners[3 * top] = axis === 0 ? at : cx;
        corners[3 * top + 1] = axis === 1 ? at : cy;
        corners[3 * top + 2] = axis === 2 ? at : cz;
        top++;
      }
    }
    this.links = this.links.slice(0, this.nodes);
    this.splits = this.splits.slice(0, this.nodes);
    this.firsts = this.firsts.slice(0, this.nodes);
  }

  /** Copies the points cell by cell. Where those of each cell begin. */
  private scatter(
    points: ArrayLike<number>,
    { axes, places, thresholds, low, scale, most }: Cuts,
  ): Int32Array {
    const { points: to, ids, size: n } = this;
    const starts = new Int32Array((1 << axes.length) + 2);
    const cells = new Int32Array(n);
    const [px, py, pz] = places as [Int32Array, Int32Array, Int32Array];
    const [tx, ty, tz] = thresholds as [Float64Array, Float64Array, Float64Array];
    const [lx, ly, lz] = [low[0]!, low[1]!, low[2]!];
    const [sx, sy, sz] = [scale[0]!, scale[1]!, scale[2]!];
    const [mx, my, mz] = [most[0]!, most[1]!, most[2]!];
    for (let i = 0, q = 0; i < n; i++, q += 3) {
      const x = points[q]!;
      const y = points[q + 1]!;
      const z = points[q + 2]!;
      const cx = Math.min(mx, ((x - lx) * sx) | 0);
      const cy = Math.min(my, ((y - ly) * sy) | 0);
      const cz = Math.min(mz, ((z - lz) * sz) | 0);
      if (x < tx[cx]!) tx[cx] = x;
      if (y < ty[cy]!) ty[cy] = y;
      if (z < tz[cz]!) tz[cz] = z;
      const cell = px[cx]! | py[cy]! | pz[cz]!;
      cells[i] = cell;
      starts[cell + 2]!++;
    }
    for (const list of thresholds)
      for (let at = list.length - 2; at >= 0; at--) if (list[at + 1]! < list[at]!) list[at] = list[at + 1]!;
    for (let i = 2; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    for (let i = 0, q = 0; i < n; i++, q += 3) {
      const at = starts[cells[i]! + 1]!++;
      ids[at] = i;
      to[3 * at] = points[q]!;
      to[3 * at + 1] = points[q + 1]!;
      to[3 * at + 2] = points[q + 2]!;
    }
    return starts;
  }

  private reserve(count: number): void {
    if (this.links.length >= count) return;
    const [links, splits, firsts] = [new Int32Array(count), new Float64Array(count), new Int32Array(count)];
    links.set(this.links);
    splits.set(this.splits);
    firsts.set(this.firsts);
    this.links = links;
    this.splits = splits;
    this.firsts = firsts;
  }

  /** @internal */
  makeNode(first: number, axis: number, split: number): number {
    const node = this.nodes++;
    if (node === this.links.length) this.reserve(2 * node);
    this.links[node] = axis;
    this.splits[node] = split;
    this.firsts[node] = first;
    return node;
  }

  /** The high child of a node is the next one that will be made. @internal */
  closeLow(node: number): void {
    this.links[node]! |= this.nodes << 2;
  }

  /** @internal */
  sink(depth: number): void {
    if (depth > this.height) this.height = depth;
  }
}

const AXES = ['x', 'y', 'z'] as const;

/** The cells of the upper levels. */
interface Cuts {
  /** The axis of each cut, from the first. */
  readonly axes: readonly number[];
  /** How many more cuts of the same axis come after each. */
  readonly left: readonly number[];
  /** For each axis: which bits of the number of a cell a place along it stands for. */
  readonly places: readonly Int32Array[];
  /**
   * For each axis and place along it: the smallest coordinate of a point there or beyond, which is where to cut. Places grow
   * with coordinates, however they are rounded: all points of lower places are below it.
   */
  readonly thresholds: readonly Float64Array[];
  readonly low: Float64Array;
  readonly scale: readonly number[];
  /** The last place along each axis. */
  readonly most: readonly number[];
}

/** Halves the longest side until there are about so many cells. */
function planCuts(low: Float64Array, high: Float64Array, cells: number): Cuts {
  const sides = [high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!];
  const axes: number[] = [];
  const counts = [0, 0, 0];
  while (1 << axes.length < cells && axes.length < MOST_BITS) {
    const longest =
      sides[0]! >= sides[1]! ? (sides[0]! >= sides[2]! ? 0 : 2) : sides[1]! >= sides[2]! ? 1 : 2;
    // Flat to the last bits: there is nothing to halve, or coordinates would not tell halves apart.
    const least = Math.max(1e-290, 1e-12 * (Math.abs(low[longest]!) + Math.abs(high[longest]!)));
    if (!(sides[longest]! > least)) break;
    axes.push(longest);
    counts[longest]!++;
    sides[longest]! /= 2;
  }
  const seen = [0, 0, 0];
  const left = axes.map((axis) => counts[axis]! - ++seen[axis]!);
  const scale = counts.map((count, axis) => {
    const factor = (1 << count) / (high[axis]! - low[axis]!);
    return factor < Infinity ? factor : 0;
  });
  const most = counts.map((count) => (1 << count) - 1);
  const places = counts.map((count, axis) => {
    const list = new Int32Array(1 << count);
    for (let place = 0; place < list.length; place++)
      axes.forEach((a, level) => {
        if (a === axis && (place >> left[level]!) & 1) list[place]! |= 1 << (axes.length - 1 - level);
      });
    return list;
  });
  const thresholds = counts.map((count) => new Float64Array(1 << count).fill(Infinity));
  return { axes, left, places, thresholds, low, scale, most };
}

/** Divides the points of one cell of the upper levels. */
class SubtreeBuilder {
  private readonly points: Float64Array;
  private readonly ids: Int32Array;
  private readonly leafSize: number;
  /**
   * One waits on each level: midpoints first, then at most 31 halvings, between which each axis may be found to have one
   * coordinate only, in two steps.
   */
  private readonly jobs = new Int32Array(4 * (MOST_MIDPOINTS + 2 * 31 + 8));

  constructor(points: Float64Array, ids: Int32Array, leafSize: number) {
    this.points = points;
    this.ids = ids;
    this.leafSize = leafSize;
  }

  /** Appends the nodes of points[from … to - 1]; returns the number of leaves. */
  build(tree: KdTree, from: number, to: number, depth: number): number {
    const { jobs, leafSize } = this;
    let leaves = 0;
    let top = 1;
    jobs[0] = from;
    jobs[1] = to;
    jobs[2] = -1;
    jobs[3] = 0;
    while (top > 0) {
      top--;
      const first = jobs[4 * top]!;
      const end = jobs[4 * top + 1]!;
      const parent = jobs[4 * top + 2]!;
      const level = jobs[4 * top + 3]!;
      if (parent >= 0) tree.closeLow(parent);
      const middle = end - first > leafSize ? this.divide(first, end, level) : first;
      tree.sink(depth + level + 1);
      if (middle === first) {
        tree.makeNode(first, LEAF, 0);
        leaves++;
        continue;
      }
      const node = tree.makeNode(first, this.axis, this.split);
      jobs[4 * top] = middle;
      jobs[4 * top + 1] = end;
      jobs[4 * top + 2] = node;
      jobs[4 * top + 3] = level + 1;
      top++;
      jobs[4 * top] = first;
      jobs[4 * top + 1] = middle;
      jobs[4 * top + 2] = -1;
      jobs[4 * top + 3] = level + 1;
      top++;
    }
    return leaves;
  }

  /** The last cut. */
  private axis = 0;
  private split = 0.5;

  /** Cuts, and returns where the high points begin; `first` if they are all equal. */
  private divide(first: number, end: number, level: number): number {
    const { points } = this;
    let [ax, ay, az, bx, by, bz] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 3 * first; i < 3 * end; i += 3) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const z = points[i + 2]!;
      if (x < ax) ax = x;
      if (x > bx) bx = x;
      if (y < ay) ay = y;
      if (y > by) by = y;
      if (z < az) az = z;
      if (z > bz) bz = z;
    }
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const axis = dx >= dy ? (dx >= dz ? 0 : 2) : dy >= dz ? 1 : 2;
    const low = axis === 0 ? ax : axis === 1 ? ay : az;
    const high = axis === 0 ? bx : axis === 1 ? by : bz;
    if (!(low < high)) return first;
    // Between the two, and rounded up to the higher of neighbours: some point is below, and some is not.
    let split = low / 2 + high / 2;
    if (!(split > low)) split = high;
    this.axis = axis;
    if (level >= MOST_MIDPOINTS) split = this.median(first, end, axis, low);
    this.split = split;
    return this.partition(first, end, axis, split);
  }

  /** A coordinate with about as many below as not, and some below. */
  private median(first: number, end: number, axis: number, low: number): number {
    const along = new Float64Array(end - first);
    for (let i = first; i < end; i++) along[i - first] = this.points[3 * i + axis]!;
    along.sort();
    let at = along.length >> 1;
    while (along[at] === low) at++;
    return along[at]!;
  }

  private partition(first: number, end: number, axis: number, split: number): number {
    const { points, ids } = this;
    let i = first;
    let j = end - 1;
    for (;;) {
      while (points[3 * i + axis]! < split) i++;
      while (points[3 * j + axis]! >= split) j--;
      if (i > j) return i;
      const id = ids[i]!;
      const x = points[3 * i]!;
      const y = points[3 * i + 1]!;
      const z = points[3 * i + 2]!;
      ids[i] = ids[j]!;
      points[3 * i] = points[3 * j]!;
      points[3 * i + 1] = points[3 * j + 1]!;
      points[3 * i + 2] = points[3 * j + 2]!;
      ids[j] = id;
      points[3 * j] = x;
      points[3 * j + 1] = y;
      points[3 * j + 2] = z;
    }
  }
}

function visitAll(list: IdList, count: number, visit: PointVisitor): void {
  try {
    const { ids } = list;
    for (let i = 0; i < count; i++) if (visit(ids[i]!) === false) return;
  } finally {
    giveList(list);
  }
}
