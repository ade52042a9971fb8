/**
 * Points in an octree without links: its cells are entries of a hash table, found by their locational codes. RTCD §7.3.4;
 * Gargantini 1982.
 *
 * A cell knows which of its eight children exist, one bit each: no other is ever looked up.
 */
import {
  checkAabb,
  checkPoint,
  describe,
  mustBeDistance,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { giveList, growList, type IdList, takeList } from './id-list.ts';
import { checkRoom } from './input.ts';
import { DEEPEST, locationalCode } from './locational-code.ts';
import { NearestList } from './nearest-list.ts';
import type { PointIndex, PointVisitor } from './point-index.ts';

export interface LinearOctreeOptions {
  /** The most points in a cell that is not of the deepest level. Default: 8. */
  readonly leafSize?: number | undefined;
  /** The deepest level, up to 17. Default: 17. */
  readonly depth?: number | undefined;
}

const MOST_IDS = 0x4000000;
/** Sides of cells, and distances to them, are rounded by less than this much of the coordinates: 2^-48. */
const ROUNDING = 3.552713678800501e-15;

/**
 * Points that come, move and go, under numbers that the owner chose (small whole numbers), for searches by box and by
 * distance. Made for a box in which most points will be: those outside of it are in the cells at its sides, which have no end
 * there, and are found as well.
 */
export class LinearOctree implements PointIndex {
  /** The number of points. */
  size = 0;
  readonly depth: number;
  private readonly leafSize: number;
  private readonly low = new Float64Array(3);
  /** Cells of the deepest level a unit, and their sides. */
  private readonly scale = new Float64Array(3);
  private readonly side = new Float64Array(3);

  // Cells: their codes, which children they have, their points.
  private codes = new Float64Array(64);
  private masks = new Uint8Array(64);
  private heads = new Int32Array(64);
  private counts = new Int32Array(64);
  /** Leaves may become inner cells, which have no points of their own. */
  private inner = new Uint8Array(64);
  private made = 0;
  private readonly free: number[] = [];
  /** The hash table: the number of a cell, plus one. */
  private table = new Int32Array(128);
  private used = 0;

  // Points.
  private points = new Float64Array(3 * 64);
  private places = new Int32Array(3 * 64);
  private cells = new Int32Array(64).fill(-1);
  private next = new Int32Array(64);
  private previous = new Int32Array(64);
  private readonly list = new NearestList();

  constructor(box: ReadonlyAabb, options: LinearOctreeOptions = {}) {
    checkAabb('LinearOctree', 'box', box);
    mustBeOptions('LinearOctree', 'options', options, 'leafSize depth');
    const { leafSize = 8, depth = DEEPEST } = options;
    mustBeWhole('LinearOctree', 'options.leafSize', leafSize, 1, Infinity);
    mustBeWhole('LinearOctree', 'options.depth', depth, 0, DEEPEST);
    this.leafSize = leafSize;
    this.depth = depth;
    (['x', 'y', 'z'] as const).forEach((axis, k) => {
      const extent = box.max[axis] - box.min[axis];
      const scale = (1 << depth) / extent;
      this.low[k] = box.min[axis];
      this.scale[k] = scale < Infinity ? scale : 0;
      this.side[k] = scale < Infinity ? extent / (1 << depth) : Infinity;
    });
  }

  /** How many cells there are, inner ones among them. */
  get cellCount(): number {
    return this.used;
  }

  /** Adds a point under a number that is not in use. */
  add(id: number, p: ReadonlyVec3): void {
    mustBeWhole('add', 'id', id, 0, MOST_IDS - 1);
    if (this.cells[id]! >= 0) refuse('add', 'id', `must not be in use, got ${describe(id)}`);
    checkPoint('add', 'p', p);
    if (id >= this.cells.length) this.growPoints(id);
    this.write(id, p);
    this.insert(id);
    this.size++;
  }

  /** Gives a point another place. */
  move(id: number, p: ReadonlyVec3): void {
    this.mustHold('move', id);
    checkPoint('move', 'p', p);
    const { places } = this;
    const q = 3 * id;
    const x = places[q]!;
    const y = places[q + 1]!;
    const z = places[q + 2]!;
    this.write(id, p);
    if (x === places[q] && y === places[q + 1] && z === places[q + 2]) return;
    this.take(id);
    this.insert(id);
  }

  remove(id: number): void {
    this.mustHold('remove', id);
    this.take(id);
    this.cells[id] = -1;
    this.size--;
  }

  clear(): void {
    this.cells.fill(-1);
    this.table.fill(0);
    this.free.length = 0;
    this.made = this.used = this.size = 0;
  }

  /** The code of the cell that a point would be in, of those that exist; 0 if there is none. */
  locate(p: ReadonlyVec3): number {
    checkPoint('locate', 'p', p);
    const x = this.place(p.x, 0);
    const y = this.place(p.y, 1);
    const z = this.place(p.z, 2);
    // Halving the depth: a cell exists if one below it does.
    let [least, most] = [-1, this.depth];
    while (least < most) {
      const depth = (least + most + 1) >> 1;
      const up = this.depth - depth;
      if (this.find(locationalCode(x >> up, y >> up, z >> up, depth)) >= 0) least = depth;
      else most = depth - 1;
    }
    const up = this.depth - least;
    return least < 0 ? 0 : locationalCode(x >> up, y >> up, z >> up, least);
  }

  /** Visits all points in a box, those on its sides included. */
  range(box: ReadonlyAabb, visit: PointVisitor): void {
    checkAabb('range', 'box', box);
    const { min, max } = box;
    setSpan(min.x, min.y, min.z, max.x, max.y, max.z);
    const list = takeList();
    visitAll(list, this.gather(list), visit);
  }

  /** Visits all points within a distance of p, those at that distance included. */
  within(p: ReadonlyVec3, radius: number, visit: PointVisitor): void {
    checkPoint('within', 'p', p);
    mustBeDistance('within', 'radius', radius);
    const { x, y, z } = p;
    const limit = radius * radius;
    // Rounding may put a point at that distance outside of the box. What is squared to zero counts.
    const r = radius + 2e-162;
    const rx = r + ROUNDING * (Math.abs(x) + r);
    const ry = r + ROUNDING * (Math.abs(y) + r);
    const rz = r + ROUNDING * (Math.abs(z) + r);
    setSpan(x - rx, y - ry, z - rz, x + rx, y + ry, z + rz);
    const list = takeList();
    const found = this.gather(list);
    const { points } = this;
    const { ids } = list;
    let kept = 0;
    for (let i = 0; i < found; i++) {
      const id = ids[i]!;
      const dx = points[3 * id]! - x;
      const dy = points[3 * id + 1]! - y;
      const dz = points[3 * id + 2]! - z;
      ids[kept] = id;
      kept += +(dx * dx + dy * dy + dz * dz <= limit);
    }
    visitAll(list, kept, visit);
  }

  /** The nearest point within `maxDistance`, the one of the smallest number if several are; -1 if there is none. */
  nearest(p: ReadonlyVec3, maxDistance = Infinity): number {
    checkPoint('nearest', 'p', p);
    mustBeDistance('nearest', 'maxDistance', maxDistance);
    this.list.reset(1, maxDistance * maxDistance);
    this.searchNearest(p);
    return this.list.drain(one) === 0 ? -1 : one[0]!;
  }

  /** Writes the numbers of the k nearest points to `out`, the nearest first, then by number, and returns how many. */
  kNearest(p: ReadonlyVec3, k: number, out: Int32Array | number[], maxDistance = Infinity): number {
    checkPoint('kNearest', 'p', p);
    mustBeWhole('kNearest', 'k', k, 0, Infinity);
    mustBeDistance('kNearest', 'maxDistance', maxDistance);
    const most = Math.min(k, this.size);
    checkRoom('kNearest', out, most);
    this.list.reset(most, maxDistance * maxDistance);
    if (most > 0) this.searchNearest(p);
    return this.list.drain(out);
  }

  // ---- Searches ----

  /**
   * In cells of the deepest level: the place of a point grows with its coordinate, however it is rounded, so that all points
   * in the box are in the places between those of its corners.
   */
  private gather(out: IdList): number {
    const { codes, masks, heads, next, points, inner, depth } = this;
    if (this.size === 0) return 0;
    const [ax, ay, az, bx, by, bz] = span as unknown as Six;
    const x0 = this.place(ax, 0);
    const y0 = this.place(ay, 1);
    const z0 = this.place(az, 2);
    const x1 = this.place(bx, 0);
    const y1 = this.place(by, 1);
    const z1 = this.place(bz, 2);
    let list = out.ids;
    let found = 0;
    let top = 4;
    stack[0] = this.find(1);
    stack[1] = stack[2] = stack[3] = 0;
    let level = 0;
    while (top > 0) {
      top -= 4;
      const cell = stack[top]!;
      const x = stack[top + 1]!;
      const y = stack[top + 2]!;
      const zl = stack[top + 3]!;
      level = zl & 31;
      const z = zl >> 5;
      if (inner[cell] === 0) {
        for (let id = heads[cell]!; id >= 0; id = next[id]!) {
          const px = points[3 * id]!;
          const py = points[3 * id + 1]!;
          const pz = points[3 * id + 2]!;
          if (found === list.length) list = growList(out);
          list[found] = id;
          found += +(px >= ax) & +(px <= bx) & +(py >= ay) & +(py <= by) & +(pz >= az) & +(pz <= bz);
        }
        continue;
      }
      const up = depth - level - 1;
      const code = 8 * codes[cell]!;
      for (let m = masks[cell]!; m !== 0; m &= m - 1) {
        const k = 31 - Math.clz32(m & -m);
        const cx = 2 * x + (k & 1);
        const cy = 2 * y + ((k >> 1) & 1);
        const cz = 2 * z + (k >> 2);
        if (
          cx < x0 >> up ||
          cx > x1 >> up ||
          cy < y0 >> up ||
          cy > y1 >> up ||
          cz < z0 >> up ||
          cz > z1 >> up
        )
          continue;
        stack[top] = this.find(code + k);
        stack[top + 1] = cx;
        stack[top + 2] = cy;
        stack[top + 3] = (cz << 5) | (level + 1);
        top += 4;
      }
    }
    return found;
  }

  /** Depth first, the child on the side of p last on the stack. */
  private searchNearest(p: ReadonlyVec3): void {
    const { codes, masks, heads, next, points, inner, depth, list } = this;
    if (this.size === 0) return;
    const { x: qx, y: qy, z: qz } = p;
    const px = this.place(qx, 0);
    const py = this.place(qy, 1);
    const pz = this.place(qz, 2);
    let top = 4;
    stack[0] = this.find(1);
    stack[1] = stack[2] = stack[3] = 0;
    gaps[0] = 0;
    while (top > 0) {
      top -= 4;
      if (gaps[top >> 2]! > list.limit) continue;
      const cell = stack[top]!;
      const x = stack[top + 1]!;
      const y = stack[top + 2]!;
      const level = stack[top + 3]! & 31;
      const z = stack[top + 3]! >> 5;
      if (inner[cell] === 0) {
        for (let id = heads[cell]!; id >= 0; id = next[id]!) {
          const dx = points[3 * id]! - qx;
          const dy = points[3 * id + 1]! - qy;
          const dz = points[3 * id + 2]! - qz;
          const d = dx * dx + dy * dy + dz * dz;
          if (d <= list.limit) {
            list.offered = d;
            list.offer(id);
          }
        }
        continue;
      }
      const up = depth - level - 1;
      const code = 8 * codes[cell]!;
      const mask = masks[cell]!;
      // The octant nearest to p, or outside of the cell the one on its side.
      const near = +(px >> up > 2 * x) | (+(py >> up > 2 * y) << 1) | (+(pz >> up > 2 * z) << 2);
      for (let i = 7; i >= 0; i--) {
        const k = near ^ ORDER[i]!;
        if ((mask & (1 << k)) === 0) continue;
        const cx = 2 * x + (k & 1);
        const cy = 2 * y + ((k >> 1) & 1);
        const cz = 2 * z + (k >> 2);
        const gx = this.gap(qx, 0, cx, up);
        const gy = this.gap(qy, 1, cy, up);
        const gz = this.gap(qz, 2, cz, up);
        const gap = gx * gx + gy * gy + gz * gz;
        if (gap > list.limit) continue;
        stack[top] = this.find(code + k);
        stack[top + 1] = cx;
        stack[top + 2] = cy;
        stack[top + 3] = (cz << 5) | (level + 1);
        gaps[top >> 2] = gap;
        top += 4;
      }
    }
  }

  /** How far a coordinate is from a cell, at least. Cells at the sides have no end there. */
  private gap(q: number, axis: number, c: number, up: number): number {
    const first = c << up;
    const last = (c + 1) << up;
    const low = this.low[axis]!;
    const side = this.side[axis]!;
    const from = low + first * side;
    const to = low + last * side;
    const pad = ROUNDING * (Math.abs(q) + Math.abs(low) + (1 << this.depth) * side);
    if (first > 0 && q < from - pad) return from - pad - q;
    return last < 1 << this.depth && q > to + pad ? q - to - pad : 0;
  }

  // ---- Changes ----

  private place(x: number, axis: number): number {
    const at = Math.floor((x - this.low[axis]!) * this.scale[axis]!);
    return at > 0 ? Math.min(at, (1 << this.depth) - 1) : 0;
  }

  private mustHold(caller: string, id: number): void {
    if (!(this.cells[id]! >= 0)) refuse(caller, 'id', `must be that of a point, got ${describe(id)}`);
  }

  private write(id: number, { x, y, z }: ReadonlyVec3): void {
    const { points, places } = this;
    points[3 * id] = x;
    points[3 * id + 1] = y;
    points[3 * id + 2] = z;
    places[3 * id] = this.place(x, 0);
    places[3 * id + 1] = this.place(y, 1);
    places[3 * id + 2] = this.place(z, 2);
  }

  private insert(id: number): void {
    let cell = this.used === 0 ? this.make(1) : this.find(1);
    let level = 0;
    for (;;) {
      if (this.inner[cell] === 0) {
        if (this.counts[cell]! < this.leafSize || level === this.depth) break;
        this.divide(cell, level);
      }
      cell = this.child(cell, id, level++);
    }
    this.put(id, cell);
  }

  /** The child of an inner cell that a point is in. Made if there is none. */
  private child(cell: number, id: number, level: number): number {
    const k = this.octant(id, level);
    const code = 8 * this.codes[cell]! + k;
    if (this.masks[cell]! & (1 << k)) return this.find(code);
    this.masks[cell]! |= 1 << k;
    return this.make(code);
  }

  private octant(id: number, level: number): number {
    const { places } = this;
    const up = this.depth - level - 1;
    const q = 3 * id;
    return (
      ((places[q]! >> up) & 1) | (((places[q + 1]! >> up) & 1) << 1) | (((places[q + 2]! >> up) & 1) << 2)
    );
  }

  private divide(cell: number, level: number): void {
    let id = this.heads[cell]!;
    this.inner[cell] = 1;
    this.heads[cell] = -1;
    this.counts[cell] = 0;
    while (id >= 0) {
      const after = this.next[id]!;
      this.put(id, this.child(cell, id, level));
      id = after;
    }
  }

  private put(id: number, cell: number): void {
    const { next, previous, heads, cells, counts } = this;
    const first = heads[cell]!;
    next[id] = first;
    previous[id] = -1;
    if (first >= 0) previous[first] = id;
    heads[cell] = id;
    cells[id] = cell;
    counts[cell]!++;
  }

  /** Cells that have become empty go. */
  private take(id: number): void {
    const { next, previous, heads, cells, counts, masks, inner } = this;
    const before = previous[id]!;
    const after = next[id]!;
    let cell = cells[id]!;
    if (before >= 0) next[before] = after;
    else heads[cell] = after;
    if (after >= 0) previous[after] = before;
    counts[cell]!--;
    while (counts[cell] === 0 && masks[cell] === 0) {
      const code = this.codes[cell]!;
      this.erase(code);
      this.free.push(cell);
      this.used--;
      if (code === 1) return;
      cell = this.find(Math.floor(code / 8));
      masks[cell]! &= ~(1 << (code % 8));
      // Without children it may have points of its own again.
      if (masks[cell] === 0) inner[cell] = 0;
    }
  }

  private make(code: number): number {
    if (2 * (this.used + 1) > this.table.length) this.rehash();
    const cell = this.free.pop() ?? this.made++;
    if (cell === this.codes.length) this.growCells();
    this.codes[cell] = code;
    this.masks[cell] = 0;
    this.inner[cell] = 0;
    this.heads[cell] = -1;
    this.counts[cell] = 0;
    this.used++;
    this.enter(cell);
    return cell;
  }

  // ---- The table: open addressing, at most half full ----

  private find(code: number): number {
    const { table, codes } = this;
    const mask = table.length - 1;
    for (let slot = hash(code) & mask; ; slot = (slot + 1) & mask) {
      const cell = table[slot]! - 1;
      if (cell < 0 || codes[cell] === code) return cell;
    }
  }

  private enter(cell: number): void {
    const { table, codes } = this;
    const mask = table.length - 1;
    let slot = hash(codes[cell]!) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = cell + 1;
  }

  /** What comes after moves up, so that no stretch is broken: no entry is left that says something was here. */
  private erase(code: number): void {
    const { table, codes } = this;
    const mask = table.length - 1;
    let hole = hash(code) & mask;
    while (codes[table[hole]! - 1] !== code) hole = (hole + 1) & mask;
    for (let slot = (hole + 1) & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const wanted = hash(codes[table[slot]! - 1]!) & mask;
      // Is its place at or before the hole, going around?
      if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
      table[hole] = table[slot]!;
      hole = slot;
    }
    table[hole] = 0;
  }

  private rehash(): void {
    const old = this.table;
    this.table = new Int32Array(2 * old.length);
    for (let i = 0; i < old.length; i++) if (old[i] !== 0) this.enter(old[i]! - 1);
  }

  private growCells(): void {
    const capacity = 2 * this.codes.length;
    const [codes, masks, inner] = [
      new Float64Array(capacity),
      new Uint8Array(capacity),
      new Uint8Array(capacity),
    ];
    const [heads, counts] = [new Int32Array(capacity), new Int32Array(capacity)];
    codes.set(this.codes);
    masks.set(this.masks);
    inner.set(this.inner);
    heads.set(this.heads);
    counts.set(this.counts);
    Object.assign(this, { codes, masks, inner, heads, counts });
  }

  private growPoints(id: number): void {
    const capacity = 2 * id + 2;
    const points = new Float64Array(3 * capacity);
    const places = new Int32Array(3 * capacity);
    const cells = new Int32Array(capacity).fill(-1);
    const [next, previous] = [new Int32Array(capacity), new Int32Array(capacity)];
    points.set(this.points);
    places.set(this.places);
    cells.set(this.cells);
    next.set(this.next);
    previous.set(this.previous);
    Object.assign(this, { points, places, cells, next, previous });
  }
}

type Six = readonly [number, number, number, number, number, number];

/** Seven siblings wait on each level, four numbers each. No visitor runs then. */
const stack = new Int32Array(4 * (7 * DEEPEST + 8));
const gaps = new Float64Array(7 * DEEPEST + 8);
/** The box of a search, in coordinates. */
const span = new Float64Array(6);
const one: number[] = [];
/** Octants from the nearest on: itself, across one side, two, three. */
const ORDER = [0, 1, 2, 4, 3, 5, 6, 7];

function setSpan(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
  span[0] = ax;
  span[1] = ay;
  span[2] = az;
  span[3] = bx;
  span[4] = by;
  span[5] = bz;
}

function hash(code: number): number {
  const h = Math.imul(code | 0, 0x9e3779b1) ^ Math.imul((code / 0x100000000) | 0, 0x85ebca6b);
  return h ^ (h >>> 15);
}

function visitAll(list: IdList, count: number, visit: PointVisitor): void {
  try {
    const { ids } = list;
    for (let i = 0; i < count; i++) if (visit(ids[i]!) === false) return;
  } finally {
    giveList(list);
  }
}
