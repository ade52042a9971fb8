/**
 * Points in the cells of a grid, in one block of memory by cell: count, sum up, scatter. RTCD §7.1.4. The grid is made anew
 * when points have moved, in linear time.
 *
 * Cells that follow each other along z follow each other in the table, so that what is near a point is in a few runs of
 * memory; so do those along y where there is but one along z, as in the plane. The table has a place for each cell of the box
 * around all points, unless that would be many more than there are points. Then it is hashed (§7.1.3), without keys: several
 * cells may share a place, and what is found there is asked for its own cell.
 */
import {
  checkAabb,
  checkPoint,
  isNumberList,
  LARGEST,
  mustBeDistance,
  mustBeLength,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { cellOf, FARTHEST, sideFor } from './cells.ts';
import { giveList, growList, type IdList, takeList } from './id-list.ts';
import { checkFlat, checkRoom } from './input.ts';
import { NearestList } from './nearest-list.ts';
import type { PointIndex, PointVisitor } from './point-index.ts';

export interface PointGridOptions {
  /** The side of a cell: best about the usual distance of a search. Default: so that a cell has about two points. */
  readonly cell?: number | undefined;
}

/** Called with the numbers of two points. Ends the search by returning false. */
export type PointPairVisitor = (a: number, b: number) => unknown;

/** Rounding of a side of a cell, and of distances to it, is below this much of the coordinates: 2^-48. */
const ROUNDING = 3.552713678800501e-15;

/**
 * Points for searches by distance. For points that are spread about evenly and all move: particles, boids, samples. Points
 * in a few clusters are for a k-d tree.
 */
export class PointGrid implements PointIndex {
  /** The number of points. */
  size = 0;
  /** The side of a cell. */
  cell = 1.5;
  private readonly wanted: number;
  private scale = 1.5;
  /** Of the table: its places, and which bits of a hash are one; all bits, if each cell has its own. */
  private places = 1;
  private mask = 0;
  /** Cells along x, y, z, and the first of them. */
  private readonly wide = new Int32Array(3);
  private readonly first = new Int32Array(3);
  /** Where the points of each place of the table begin. */
  private starts = new Int32Array(2);
  /** Three numbers a point, by cell. */
  private points = new Float64Array(0);
  private ids = new Int32Array(0);
  /** The box around all points. */
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  /** The box, in coordinates and in cells, of a search under way; read before visitors run. */
  private readonly box = new Float64Array(6);
  private readonly span = new Int32Array(6);
  /** What a search for the nearest looks from, and what it has found. */
  private qx = 1.5;
  private qy = 1.5;
  private qz = 1.5;
  private readonly list = new NearestList();
  private searches = 0;

  /** `points` holds x, y, z of one after the other; a point is known by its place in the list. */
  constructor(points: ArrayLike<number>, options: PointGridOptions = {}) {
    mustBeOptions('PointGrid', 'options', options, 'cell');
    const { cell } = options;
    if (cell !== undefined) {
      mustBeLength('PointGrid', 'options.cell', cell);
      if (!(1 / cell < Infinity)) refuse('PointGrid', 'options.cell', `is too small, got ${cell}`);
    }
    this.wanted = cell ?? 0;
    this.fill('PointGrid', points);
  }

  /** Takes these points instead, in linear time. Memory is used again. */
  rebuild(points: ArrayLike<number>): void {
    if (this.searches > 0)
      throw new Error('graze: PointGrid.rebuild: points must not be changed while they are searched');
    this.fill('rebuild', points);
  }

  /** Visits all points in a box, those on its sides included. */
  range(box: ReadonlyAabb, visit: PointVisitor): void {
    checkAabb('range', 'box', box);
    const list = takeList();
    this.visitAll(list, this.gather(box, list), visit);
  }

  /** `range` without a visitor: fills `out.ids` with the numbers and returns how many there are. */
  collectRange(box: ReadonlyAabb, out: IdList): number {
    checkAabb('collectRange', 'box', box);
    return this.gather(box, out);
  }

  /** Visits all points within a distance of p, those at that distance included. */
  within(p: ReadonlyVec3, radius: number, visit: PointVisitor): void {
    checkPoint('within', 'p', p);
    mustBeDistance('within', 'radius', radius);
    const list = takeList();
    this.visitAll(list, this.gatherWithin(p, radius, list), visit);
  }

  /** `within` without a visitor: fills `out.ids` with the numbers and returns how many there are. */
  collectWithin(p: ReadonlyVec3, radius: number, out: IdList): number {
    checkPoint('collectWithin', 'p', p);
    mustBeDistance('collectWithin', 'radius', radius);
    return this.gatherWithin(p, radius, out);
  }

  /** The nearest point within `maxDistance`, the one of the smallest number if several are; -1 if there is none. */
  nearest(p: ReadonlyVec3, maxDistance = Infinity): number {
    checkPoint('nearest', 'p', p);
    mustBeDistance('nearest', 'maxDistance', maxDistance);
    this.searchShells(p, 1, maxDistance * maxDistance);
    return this.list.drain(one) === 0 ? -1 : one[0]!;
  }

  /** Writes the numbers of the k nearest points to `out`, the nearest first, then by number, and returns how many. */
  kNearest(p: ReadonlyVec3, k: number, out: Int32Array | number[], maxDistance = Infinity): number {
    checkPoint('kNearest', 'p', p);
    mustBeWhole('kNearest', 'k', k, 0, Infinity);
    mustBeDistance('kNearest', 'maxDistance', maxDistance);
    const most = Math.min(k, this.size);
    checkRoom('kNearest', out, most);
    this.searchShells(p, most, maxDistance * maxDistance);
    return this.list.drain(out);
  }

  /**
   * Visits every two points within a distance of each other, each pair once. Each point looks in its own cell at those after
   * it, and in the half of the neighbours that come later: RTCD §7.1.6.2. Best with cells of about that side.
   */
  pairsWithin(radius: number, visit: PointPairVisitor): void {
    mustBeDistance('pairsWithin', 'radius', radius);
    const list = takeList();
    const count = this.collectPairs(radius, list);
    this.searches++;
    try {
      const { ids } = list;
      for (let i = 0; i < 2 * count; i += 2) if (visit(ids[i]!, ids[i + 1]!) === false) return;
    } finally {
      this.searches--;
      giveList(list);
    }
  }

  private fill(caller: string, points: ArrayLike<number>): void {
    // What is in a typed array is looked at on the way: points are bounded anyway.
    const isFlat = ArrayBuffer.isView(points) && isNumberList(points) && points.length % 3 === 0;
    if (!isFlat || !this.bound(points)) {
      checkFlat(caller, 'points', points, 3);
      this.bound(points);
    }
    const n = points.length / 3;
    this.size = n;
    const side = this.wanted > 0 ? this.wanted : sideFor(this.low, this.high, n);
    const scale = 1 / side;
    this.cell = side;
    this.scale = scale;
    const { low, high, first, wide } = this;
    for (let k = 0; k < 3; k++) {
      first[k] = n > 0 ? cellOf(low[k]!, scale) : 0;
      wide[k] = n > 0 ? cellOf(high[k]!, scale) - first[k]! + 1 : 1;
    }
    const cells = wide[0]! * wide[1]! * wide[2]!;
    let isHashed = cells > 4 * n + 64;
    // Cells so far out are not told apart.
    for (let k = 0; k < 3; k++)
      if (first[k]! <= -FARTHEST || first[k]! + wide[k]! >= FARTHEST) isHashed = true;
    const size = isHashed ? (n > 1 ? 1 << (32 - Math.clz32(n - 1)) : 1) : cells;
    this.places = size;
    this.mask = isHashed ? size - 1 : -1;
    if (this.ids.length < n) {
      this.ids = new Int32Array(n);
      this.points = new Float64Array(3 * n);
    }
    if (this.starts.length < size + 2) this.starts = new Int32Array(size + 2);
    if (slots.length < n) slots = new Int32Array(n);
    const { starts, ids, points: own } = this;
    starts.fill(0, 0, size + 2);
    // Counted two places on: the sums then stand one place on, and scattering moves them to where they belong.
    if (isHashed)
      for (let i = 0, p = 0; i < n; i++, p += 3) {
        const slot = this.placeOf(
          cellOf(points[p]!, scale),
          cellOf(points[p + 1]!, scale),
          cellOf(points[p + 2]!, scale),
        );
        slots[i] = slot;
        starts[slot + 2]!++;
      }
    else {
      // All numbers of cells are below FARTHEST here, and need no look at that.
      const [x0, y0, z0] = [first[0]!, first[1]!, first[2]!];
      const [wideY, wideZ] = [wide[1]!, wide[2]!];
      for (let i = 0, p = 0; i < n; i++, p += 3) {
        const x = (Math.floor(points[p]! * scale) | 0) - x0;
        const y = (Math.floor(points[p + 1]! * scale) | 0) - y0;
        const z = (Math.floor(points[p + 2]! * scale) | 0) - z0;
        const slot = Math.imul(Math.imul(x, wideY) + y, wideZ) + z;
        slots[i] = slot;
        starts[slot + 2]!++;
      }
    }
    for (let i = 2; i < size + 2; i++) starts[i]! += starts[i - 1]!;
    for (let i = 0, p = 0; i < n; i++, p += 3) {
      const at = starts[slots[i]! + 1]!++;
      ids[at] = i;
      own[3 * at] = points[p]!;
      own[3 * at + 1] = points[p + 1]!;
      own[3 * at + 2] = points[p + 2]!;
    }
  }

  /** The place in the table of a cell, one of those of the box if each has its own. */
  private placeOf(x: number, y: number, z: number): number {
    const { mask, first, wide } = this;
    if (mask >= 0) return (columnOf(x, y) + z) & mask;
    return ((x - first[0]!) * wide[1]! + y - first[1]!) * wide[2]! + z - first[2]!;
  }

  /** Takes the box around all points. False, and nothing is taken, if they are not all within the range of coordinates. */
  private bound(points: ArrayLike<number>): boolean {
    let x0 = Infinity;
    let y0 = Infinity;
    let z0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    let z1 = -Infinity;
    // No number if one of them is none.
    let sum = 0;
    for (let p = 0; p < points.length; p += 3) {
      const x = points[p]!;
      const y = points[p + 1]!;
      const z = points[p + 2]!;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < z0) z0 = z;
      if (z > z1) z1 = z;
      sum += x + y + z;
    }
    const least = Math.min(x0, y0, z0);
    const most = Math.max(x1, y1, z1);
    if (!(least >= -LARGEST && most <= LARGEST) || Number.isNaN(sum)) return false;
    const { low, high } = this;
    low[0] = x0;
    low[1] = y0;
    low[2] = z0;
    high[0] = x1;
    high[1] = y1;
    high[2] = z1;
    return true;
  }

  private visitAll(list: IdList, count: number, visit: PointVisitor): void {
    this.searches++;
    try {
      const { ids } = list;
      for (let i = 0; i < count; i++) if (visit(ids[i]!) === false) return;
    } finally {
      this.searches--;
      giveList(list);
    }
  }

  /** Sets the box of a search, in coordinates and in cells; cells are those of the points at most. */
  private setBox(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    const { box, span, low, high, scale } = this;
    box[0] = ax;
    box[1] = ay;
    box[2] = az;
    box[3] = bx;
    box[4] = by;
    box[5] = bz;
    for (let k = 0; k < 3; k++) {
      span[k] = cellOf(Math.max(box[k]!, low[k]!), scale);
      span[k + 3] = cellOf(Math.min(box[k + 3]!, high[k]!), scale);
    }
  }

  /** Fills a list with the numbers of all points in a box, and returns how many. */
  private gather({ min, max }: ReadonlyAabb, list: IdList): number {
    const { points, ids: numbers, starts, size, wide, first, low, high, scale } = this;
    const { x: ax, y: ay, z: az } = min;
    const { x: bx, y: by, z: bz } = max;
    if (size === 0) return 0;
    let found = 0;
    if (this.mask >= 0) {
      this.setBox(ax, ay, az, bx, by, bz);
      found = this.gatherHashed(list);
      for (let i = 0; i < found; i++) list.ids[i] = numbers[list.ids[i]!]!;
      return found;
    }
    // In numbers of cells from the first one; they are below FARTHEST here, and need no look at that.
    const x0 = Math.floor(Math.max(ax, low[0]!) * scale) - first[0]!;
    const y0 = Math.floor(Math.max(ay, low[1]!) * scale) - first[1]!;
    const z0 = Math.floor(Math.max(az, low[2]!) * scale) - first[2]!;
    const x1 = Math.floor(Math.min(bx, high[0]!) * scale) - first[0]!;
    const y1 = Math.floor(Math.min(by, high[1]!) * scale) - first[1]!;
    const z1 = Math.floor(Math.min(bz, high[2]!) * scale) - first[2]!;
    if (x0 > x1 || y0 > y1 || z0 > z1) return 0;
    let { ids } = list;
    const wideY = wide[1]!;
    const wideZ = wide[2]!;
    // One run along z for each column, or one along y for each x.
    const isFlat = z1 - z0 + 1 === wideZ;
    const rows = isFlat ? y0 : y1;
    const more = isFlat ? (y1 - y0) * wideZ + wideZ : z1 - z0 + 1;
    for (let i = x0; i <= x1; i++)
      for (let j = y0; j <= rows; j++) {
        const cell = (i * wideY + j) * wideZ + z0;
        const end = starts[cell + more]!;
        let at = starts[cell]!;
        while (found + end - at > ids.length) ids = growList(list);
        for (; at < end; at++) {
          const px = points[3 * at]!;
          const py = points[3 * at + 1]!;
          const pz = points[3 * at + 2]!;
          // Written in any case, kept if it is inside: no branch to guess.
          ids[found] = numbers[at]!;
          found += +(px >= ax) & +(px <= bx) & +(py >= ay) & +(py <= by) & +(pz >= az) & +(pz <= bz);
        }
      }
    return found;
  }

  private gatherWithin({ x, y, z }: ReadonlyVec3, radius: number, list: IdList): number {
    const limit = radius * radius;
    // Rounding may put a point at that distance outside of the box. What is squared to zero counts.
    const r = radius + 2e-162;
    const rx = r + ROUNDING * (Math.abs(x) + r);
    const ry = r + ROUNDING * (Math.abs(y) + r);
    const rz = r + ROUNDING * (Math.abs(z) + r);
    const { points, ids: numbers, starts, size, wide, first, low, high, scale } = this;
    let found = 0;
    let { ids } = list;
    if (size === 0) return 0;
    if (this.mask >= 0) {
      this.setBox(x - rx, y - ry, z - rz, x + rx, y + ry, z + rz);
      const inBox = this.gatherHashed(list);
      ids = list.ids;
      for (let i = 0; i < inBox; i++) {
        const at = ids[i]!;
        const dx = points[3 * at]! - x;
        const dy = points[3 * at + 1]! - y;
        const dz = points[3 * at + 2]! - z;
        ids[found] = numbers[at]!;
        found += +(dx * dx + dy * dy + dz * dz <= limit);
      }
      return found;
    }
    // In numbers of cells from the first one; they are below FARTHEST here, and need no look at that.
    const x0 = Math.floor(Math.max(x - rx, low[0]!) * scale) - first[0]!;
    const y0 = Math.floor(Math.max(y - ry, low[1]!) * scale) - first[1]!;
    const z0 = Math.floor(Math.max(z - rz, low[2]!) * scale) - first[2]!;
    const x1 = Math.floor(Math.min(x + rx, high[0]!) * scale) - first[0]!;
    const y1 = Math.floor(Math.min(y + ry, high[1]!) * scale) - first[1]!;
    const z1 = Math.floor(Math.min(z + rz, high[2]!) * scale) - first[2]!;
    if (x0 > x1 || y0 > y1 || z0 > z1) return 0;
    const wideY = wide[1]!;
    const wideZ = wide[2]!;
    const isFlat = z1 - z0 + 1 === wideZ;
    const rows = isFlat ? y0 : y1;
    const more = isFlat ? (y1 - y0) * wideZ + wideZ : z1 - z0 + 1;
    for (let i = x0; i <= x1; i++)
      for (let j = y0; j <= rows; j++) {
        const cell = (i * wideY + j) * wideZ + z0;
        const end = starts[cell + more]!;
        let at = starts[cell]!;
        while (found + end - at > ids.length) ids = growList(list);
        for (; at < end; at++) {
          const dx = points[3 * at]! - x;
          const dy = points[3 * at + 1]! - y;
          const dz = points[3 * at + 2]! - z;
          ids[found] = numbers[at]!;
          found += +(dx * dx + dy * dy + dz * dz <= limit);
        }
      }
    return found;
  }

  /** Fills a list with the places in memory of all points in the box that was set, and returns how many. */
  private gatherHashed(list: IdList): number {
    const { points, starts, mask, span, scale, size, box } = this;
    const ax = box[0]!;
    const ay = box[1]!;
    const az = box[2]!;
    const bx = box[3]!;
    const by = box[4]!;
    const bz = box[5]!;
    const x0 = span[0]!;
    const y0 = span[1]!;
    const z0 = span[2]!;
    const x1 = span[3]!;
    const y1 = span[4]!;
    const z1 = span[5]!;
    if (x0 > x1 || y0 > y1 || z0 > z1) return 0;
    // More cells than points: look at the points.
    const isAll = (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > size;
    const lastX = isAll ? x0 : x1;
    const lastY = isAll ? y0 : y1;
    // Every place of the table at most once.
    const length = isAll ? mask + 1 : Math.min(z1 - z0, mask) + 1;
    let { ids } = list;
    let found = 0;
    for (let x = x0; x <= lastX; x++)
      for (let y = y0; y <= lastY; y++) {
        let slot = (columnOf(x, y) + z0) & mask;
        // A run that goes over the end of the table goes on at its beginning.
        for (let left = length; left > 0; slot = 0) {
          const next = Math.min(slot + left, mask + 1);
          left -= next - slot;
          const end = starts[next]!;
          for (let at = starts[slot]!; at < end; at++) {
            const px = points[3 * at]!;
            const py = points[3 * at + 1]!;
            const pz = points[3 * at + 2]!;
            const inside = +(px >= ax) & +(px <= bx) & +(py >= ay) & +(py <= by) & +(pz >= az) & +(pz <= bz);
            if (inside === 0) continue;
            // Of another column that shares these places?
            if (!isAll && (cellOf(px, scale) !== x || cellOf(py, scale) !== y)) continue;
            if (found === ids.length) ids = growList(list);
            ids[found++] = at;
          }
        }
      }
    return found;
  }

  /**
   * Finds the k nearest: among the points in the cell of p, then in the shell of cells about it, and so on, until all that is
   * left is farther away than those. After as many cells as there are points it looks at all points.
   */
  private searchShells({ x, y, z }: ReadonlyVec3, k: number, limit: number): void {
    const { list, scale, low, high, size } = this;
    list.reset(k, limit);
    if (size === 0) return;
    this.qx = x;
    this.qy = y;
    this.qz = z;
    const cx = cellOf(x, scale);
    const cy = cellOf(y, scale);
    const cz = cellOf(z, scale);
    const x0 = cellOf(low[0]!, scale);
    const y0 = cellOf(low[1]!, scale);
    const z0 = cellOf(low[2]!, scale);
    const x1 = cellOf(high[0]!, scale);
    const y1 = cellOf(high[1]!, scale);
    const z1 = cellOf(high[2]!, scale);
    // The first shell with points, and the last.
    const last = Math.max(cx - x0, x1 - cx, cy - y0, y1 - cy, cz - z0, z1 - cz);
    let budget = size;
    for (
      let shell = Math.max(0, x0 - cx, cx - x1, y0 - cy, cy - y1, z0 - cz, cz - z1);
      shell <= last;
      shell++
    ) {
      // All that was not looked at yet is at least so far away.
      const gap = Math.min(
        cx - shell >= x0 ? this.gapBelow(x, cx - shell) : Infinity,
        cx + shell <= x1 ? this.gapAbove(x, cx + shell) : Infinity,
        cy - shell >= y0 ? this.gapBelow(y, cy - shell) : Infinity,
        cy + shell <= y1 ? this.gapAbove(y, cy + shell) : Infinity,
        cz - shell >= z0 ? this.gapBelow(z, cz - shell) : Infinity,
        cz + shell <= z1 ? this.gapAbove(z, cz + shell) : Infinity,
      );
      if (gap > 0 && gap * gap > list.limit) return;
      const az = Math.max(cz - shell, z0);
      const bz = Math.min(cz + shell, z1);
      const bx = Math.min(cx + shell, x1);
      const by = Math.min(cy + shell, y1);
      for (let i = Math.max(cx - shell, x0); i <= bx; i++)
        for (let j = Math.max(cy - shell, y0); j <= by; j++) {
          const isSide = Math.abs(i - cx) === shell || Math.abs(j - cy) === shell;
          budget -= isSide ? bz - az + 1 : 2;
          if (budget < 0) {
            list.reset(k, limit);
            this.offerAll();
            return;
          }
          if (isSide) this.offerRun(i, j, az, bz);
          else {
            if (cz - shell >= az) this.offerRun(i, j, cz - shell, cz - shell);
            if (cz + shell <= bz) this.offerRun(i, j, cz + shell, cz + shell);
          }
        }
    }
  }

  /** How far x is from the cells up to this one, and from this one on; less for rounding, negative inside. */
  private gapBelow(x: number, cell: number): number {
    const side = (cell + 1) * this.cell;
    return x - side - ROUNDING * (Math.abs(x) + Math.abs(side));
  }

  private gapAbove(x: number, cell: number): number {
    const side = cell * this.cell;
    return side - x - ROUNDING * (Math.abs(x) + Math.abs(side));
  }

  /** Offers all points of a run of cells to the list: fewer cells than the table has places. */
  private offerRun(x: number, y: number, z0: number, z1: number): void {
    const { points, starts, mask, places, list, scale, ids, qx, qy, qz } = this;
    let slot = this.placeOf(x, y, z0);
    const isHashed = mask >= 0;
    for (let left = Math.min(z1 - z0 + 1, places); left > 0; slot = 0) {
      const next = Math.min(slot + left, places);
      left -= next - slot;
      const end = starts[next]!;
      for (let at = starts[slot]!; at < end; at++) {
        const px = points[3 * at]!;
        const py = points[3 * at + 1]!;
        const pz = points[3 * at + 2]!;
        const dx = px - qx;
        const dy = py - qy;
        const dz = pz - qz;
        const d = dx * dx + dy * dy + dz * dz;
        if (!(d <= list.limit)) continue;
        // Cells share places, and one that is nearer or farther has its own turn.
        if (isHashed) {
          const z = cellOf(pz, scale);
          if (z < z0 || z > z1 || cellOf(px, scale) !== x || cellOf(py, scale) !== y) continue;
        }
        list.offered = d;
        list.offer(ids[at]!);
      }
    }
  }

  private offerAll(): void {
    const { points, list, ids, size, qx, qy, qz } = this;
    for (let at = 0; at < size; at++) {
      const dx = points[3 * at]! - qx;
      const dy = points[3 * at + 1]! - qy;
      const dz = points[3 * at + 2]! - qz;
      list.offered = dx * dx + dy * dy + dz * dz;
      list.offer(ids[at]!);
    }
  }

  /** Fills a list with every two points within a distance of each other, and returns how many pairs there are. */
  private collectPairs(radius: number, list: IdList): number {
    const { points, starts, places, scale, size, ids, low, high } = this;
    const limit = radius * radius;
    const wide = 2 * radius * scale + 3;
    // More cells than points: every two.
    const isAll = !(wide * wide * wide <= size);
    const x1 = cellOf(high[0]!, scale);
    const y0 = cellOf(low[1]!, scale);
    const y1 = cellOf(high[1]!, scale);
    const firstZ = cellOf(low[2]!, scale);
    const endZ = cellOf(high[2]!, scale);
    const r = radius + 2e-162;
    let out = list.ids;
    let top = 0;
    for (let a = 0; a < size; a++) {
      const ax = points[3 * a]!;
      const ay = points[3 * a + 1]!;
      const az = points[3 * a + 2]!;
      const ownX = cellOf(ax, scale);
      const ownY = cellOf(ay, scale);
      const ownZ = cellOf(az, scale);
      const lastX = isAll ? ownX : Math.min(x1, cellOf(ax + r + ROUNDING * (Math.abs(ax) + r), scale));
      const lowY = Math.max(y0, cellOf(ay - r - ROUNDING * (Math.abs(ay) + r), scale));
      const lastY = isAll ? ownY : Math.min(y1, cellOf(ay + r + ROUNDING * (Math.abs(ay) + r), scale));
      const lowZ = Math.max(firstZ, cellOf(az - r - ROUNDING * (Math.abs(az) + r), scale));
      const lastZ = Math.min(endZ, cellOf(az + r + ROUNDING * (Math.abs(az) + r), scale));
      for (let x = ownX; x <= lastX; x++)
        for (let y = x === ownX ? ownY : lowY; y <= lastY; y++) {
          const isHere = x === ownX && y === ownY;
          const z0 = isHere ? ownZ : lowZ;
          let slot = isAll ? 0 : this.placeOf(x, y, z0);
          for (let left = isAll ? places : Math.min(lastZ - z0 + 1, places); left > 0; slot = 0) {
            const next = Math.min(slot + left, places);
            left -= next - slot;
            const end = starts[next]!;
            for (let b = isAll ? a + 1 : starts[slot]!; b < end; b++) {
              const bx = points[3 * b]!;
              const by = points[3 * b + 1]!;
              const bz = points[3 * b + 2]!;
              const dx = bx - ax;
              const dy = by - ay;
              const dz = bz - az;
              if (!(dx * dx + dy * dy + dz * dz <= limit)) continue;
              if (!isAll) {
                const z = cellOf(bz, scale);
                if (cellOf(bx, scale) !== x || cellOf(by, scale) !== y || z < z0) continue;
                if (isHere && z === ownZ && b <= a) continue;
              }
              if (top === out.length) out = growList(list);
              out[top] = ids[a]!;
              out[top + 1] = ids[b]!;
              top += 2;
            }
          }
        }
    }
    return top >> 1;
  }
}

/** Of each point the place of the table, while a grid is filled. */
let slots = new Int32Array(0);

const one: number[] = [];

/** The place in the table of the cell with z = 0. Odd numbers without structure. */
const columnOf = (x: number, y: number): number => Math.imul(x, 0x5bd1e995) + Math.imul(y, 0x2545f491);
