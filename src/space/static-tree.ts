/**
 * Boxes that stay where they are, in a complete binary tree: halved by number along the longest axis of their centers until no
 * more than twelve are left. RTCD §6.2.1.3. The nodes stand level by level, the children of node i at 2 i and 2 i + 1, without
 * any links: §6.6.1. Leaves are full and on one level, so that few nodes are visited, and the boxes of a leaf are tested one
 * after the other without a branch.
 */
import { checkAabb, checkPoint, mustBeDistance, mustBeWhole } from '../math/check.ts';
import { GRAZING, UNIT_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import { rayAabbKernel } from '../primitives/ray/ray-aabb.ts';
import type { Aabb, ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { makeAabb, makeHit, makeRay } from '../primitives/types.ts';
import { boundCenters, centersOf, longestAxis } from '../trees/centers.ts';
import { identityOrder } from '../trees/ranges.ts';
import { halve } from '../trees/select.ts';
import type { BoxIndex, BoxVisitor, RayVisitor } from './box-index.ts';
import { giveList, growList, type IdList, takeList } from './id-list.ts';
import { checkFlat, checkRoom } from './input.ts';
import { NearestList } from './nearest-list.ts';

/** The most boxes in a leaf. */
const LEAF = 12;

/** Boxes that do not move, for searches by box, by ray and by distance: of any sizes, spread out or in clusters. */
export class StaticTree implements BoxIndex {
  /** The number of boxes. */
  readonly size: number;
  /** Six numbers a node; the first of all is not used, the root is the second. */
  private readonly bounds: Float64Array;
  /** The size of the largest coordinates. */
  private readonly extent: number;
  /** The number of leaves, a power of two, and the first of them. */
  private readonly leaves: number;
  /** Where the boxes of each leaf begin. */
  private readonly starts: Int32Array;
  /** Six numbers a box, leaf by leaf, and their places in the list. */
  private readonly boxes: Float64Array;
  private readonly ids: Uint32Array;
  /** Nodes that wait in a search. Not in use while visitors run. */
  private readonly front = new Front();
  private readonly list = new NearestList();

  /** `boxes` holds min x, y, z, max x, y, z of one after the other; a box is known by its place in the list. */
  constructor(boxes: ArrayLike<number>) {
    checkFlat('StaticTree', 'boxes', boxes, 6);
    const count = boxes.length / 6;
    this.size = count;
    let leaves = 1;
    while (leaves * LEAF < count) leaves *= 2;
    this.leaves = leaves;
    this.starts = new Int32Array(leaves + 1);
    this.ids = this.sort(Float64Array.from(boxes));
    this.boxes = new Float64Array(6 * count);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < 6; k++) this.boxes[6 * i + k] = boxes[6 * this.ids[i]! + k]!;
    this.bounds = new Float64Array(12 * leaves);
    this.fit();
    this.extent = extentOf(this.bounds);
  }

  /** Visits all boxes that share a point with this one, in no particular order. */
  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
    checkAabb('searchBox', 'box', box);
    const list = takeList();
    try {
      const found = this.gather(box, list);
      const { ids } = list;
      for (let i = 0; i < found; i++) if (visit(ids[i]!) === false) return;
    } finally {
      giveList(list);
    }
  }

  /** `searchBox` without a visitor: fills `out.ids` with the numbers and returns how many there are. */
  collectBox(box: ReadonlyAabb, out: IdList): number {
    checkAabb('collectBox', 'box', box);
    return this.gather(box, out);
  }

  /**
   * Visits the boxes that a ray enters at some t in [0, tMax], each once, roughly the nearest first. For the nearest hit of
   * what is in the boxes, return its t.
   */
  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    checkRayUpTo('searchRay', ray, tMax);
    const front = spare.pop() ?? new Front();
    try {
      this.walk(front, ray, tMax, visit);
    } finally {
      spare.push(front);
    }
  }

  /**
   * The box nearest to p within `maxDistance`, the one of the smallest number if several are; -1 if there is none. The
   * distance is 0 inside. Default: Infinity.
   */
  nearest(p: ReadonlyVec3, maxDistance = Infinity): number {
    checkPoint('nearest', 'p', p);
    mustBeDistance('nearest', 'maxDistance', maxDistance);
    if (this.size === 0) return -1;
    this.list.reset(1, maxDistance * maxDistance);
    this.searchNearest(p);
    return this.list.drain(one) === 0 ? -1 : one[0]!;
  }

  /** Writes the numbers of the k nearest boxes to `out`, the nearest first, then by number, and returns how many. */
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

  private gather({ min, max }: ReadonlyAabb, out: IdList): number {
    const { bounds, leaves, starts, boxes, ids, front } = this;
    const { nodes } = front;
    const { x: ax, y: ay, z: az } = min;
    const { x: bx, y: by, z: bz } = max;
    let list = out.ids;
    let found = 0;
    let top = 0;
    let node = 1;
    // Of an odd number of levels the first is left out.
    if (Math.clz32(leaves) % 2 === 0) {
      nodes[top++] = 2;
      node = 3;
    }
    for (;;) {
      if (node < leaves) {
        // Two levels at once: the children of the children stand together, in memory, too.
        const child = 4 * node;
        const q = 6 * child;
        // Written in any case, kept if they meet: no branch to guess.
        nodes[top] = child;
        top +=
          +(bounds[q]! <= bx) &
          +(bounds[q + 3]! >= ax) &
          +(bounds[q + 1]! <= by) &
          +(bounds[q + 4]! >= ay) &
          +(bounds[q + 2]! <= bz) &
          +(bounds[q + 5]! >= az);
        nodes[top] = child + 1;
        top +=
          +(bounds[q + 6]! <= bx) &
          +(bounds[q + 9]! >= ax) &
          +(bounds[q + 7]! <= by) &
          +(bounds[q + 10]! >= ay) &
          +(bounds[q + 8]! <= bz) &
          +(bounds[q + 11]! >= az);
        nodes[top] = child + 2;
        top +=
          +(bounds[q + 12]! <= bx) &
          +(bounds[q + 15]! >= ax) &
          +(bounds[q + 13]! <= by) &
          +(bounds[q + 16]! >= ay) &
          +(bounds[q + 14]! <= bz) &
          +(bounds[q + 17]! >= az);
        nodes[top] = child + 3;
        top +=
          +(bounds[q + 18]! <= bx) &
          +(bounds[q + 21]! >= ax) &
          +(bounds[q + 19]! <= by) &
          +(bounds[q + 22]! >= ay) &
          +(bounds[q + 20]! <= bz) &
          +(bounds[q + 23]! >= az);
      } else {
        const first = starts[node - leaves]!;
        const end = starts[node - leaves + 1]!;
        while (found + end - first > list.length) list = growList(out);
        for (let i = first; i < end; i++) {
          const q = 6 * i;
          list[found] = ids[i]!;
          found +=
            +(boxes[q]! <= bx) &
            +(boxes[q + 3]! >= ax) &
            +(boxes[q + 1]! <= by) &
            +(boxes[q + 4]! >= ay) &
            +(boxes[q + 2]! <= bz) &
            +(boxes[q + 5]! >= az);
        }
      }
      if (top === 0) return found;
      node = nodes[--top]!;
    }
  }

  /**
   * Times at which nodes and boxes are entered come a little early, and those at which they are left a little late, as in
   * `searchRay` of a mesh: by a bound on all rounding, and for a component of the direction that is next to nothing by what it
   * leaves out. What is entered last and left first are sums with absolute differences (p + q + |p - q| is twice the greater): an
   * unpredictable branch costs more than all of the arithmetic. Boxes that are left are decided by `rayAabb`.
   */
  private walk(front: Front, ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    const { bounds, leaves, starts, boxes, ids } = this;
    const { nodes, keys, box, hit, own } = front;
    const { x, y, z } = ray.origin;
    const { x: dx, y: dy, z: dz } = ray.direction;
    own.origin.x = x;
    own.origin.y = y;
    own.origin.z = z;
    own.direction.x = dx;
    own.direction.y = dy;
    own.direction.z = dz;
    const adx = Math.abs(dx);
    const ady = Math.abs(dy);
    const adz = Math.abs(dz);
    const fastest = Math.max(adx, ady, adz);
    // One without direction, or as good as without, tells nothing about when it is where.
    const isFaint = fastest < FAINT;
    const least = fastest * GRAZING;
    const ix = isFaint ? 0 : 1 / (adx < least ? least : dx);
    const iy = isFaint ? 0 : 1 / (ady < least ? least : dy);
    const iz = isFaint ? 0 : 1 / (adz < least ? least : dz);
    const size = this.extent + Math.abs(x) + Math.abs(y) + Math.abs(z);
    // Of all axes together: sums of times round by as much as the largest of them.
    const error = isFaint ? EARLY : BOX_ERROR * size * (Math.abs(ix) + Math.abs(iy) + Math.abs(iz));
    const ex = error + (adx < least ? 2 * GRAZING * size * ix : 0);
    const ey = error + (ady < least ? 2 * GRAZING * size * iy : 0);
    const ez = error + (adz < least ? 2 * GRAZING * size * iz : 0);
    const nearX = ix > 0 ? 0 : 3;
    const nearY = iy > 0 ? 1 : 4;
    const nearZ = iz > 0 ? 2 : 5;
    const farX = 3 - nearX;
    const farY = 5 - nearY;
    const farZ = 7 - nearZ;
    let reach = tMax;
    let limit = 4 * reach;
    let top = 0;
    let node = 1;
    for (;;) {
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        const a0 = (bounds[p + nearX]! - x) * ix - ex;
        const a1 = (bounds[p + nearY]! - y) * iy - ey;
        const a2 = 2 * ((bounds[p + nearZ]! - z) * iz - ez);
        const a3 = (bounds[p + farX]! - x) * ix + ex;
        const a4 = (bounds[p + farY]! - y) * iy + ey;
        const a5 = 2 * ((bounds[p + farZ]! - z) * iz + ez);
        const b0 = (bounds[q + nearX]! - x) * ix - ex;
        const b1 = (bounds[q + nearY]! - y) * iy - ey;
        const b2 = 2 * ((bounds[q + nearZ]! - z) * iz - ez);
        const b3 = (bounds[q + farX]! - x) * ix + ex;
        const b4 = (bounds[q + farY]! - y) * iy + ey;
        const b5 = 2 * ((bounds[q + farZ]! - z) * iz + ez);
        const a6 = a0 + a1 + Math.abs(a0 - a1);
        const a7 = a3 + a4 - Math.abs(a3 - a4);
        const b6 = b0 + b1 + Math.abs(b0 - b1);
        const b7 = b3 + b4 - Math.abs(b3 - b4);
        // Four times the times.
        const enter = a6 + a2 + Math.abs(a6 - a2);
        const exit = a7 + a5 - Math.abs(a7 - a5);
        const other = b6 + b2 + Math.abs(b6 - b2);
        const end = b7 + b5 - Math.abs(b7 - b5);
        const meets = +(enter <= exit) & +(enter <= limit) & +(exit >= 0);
        const meetsOther = +(other <= end) & +(other <= limit) & +(end >= 0);
        // The one that is entered later waits, if both are.
        const swap = meetsOther & ((1 - meets) | +(other < enter));
        nodes[top] = left + 1 - swap;
        keys[top] = 0.5 * (enter + other + Math.abs(enter - other));
        top += meets & meetsOther;
        if ((meets | meetsOther) === 1) {
          node = left + swap;
          continue;
        }
      } else {
        const last = starts[node - leaves + 1]!;
        for (let i = starts[node - leaves]!; i < last; i++) {
          const p = 6 * i;
          const a0 = (boxes[p + nearX]! - x) * ix - ex;
          const a1 = (boxes[p + nearY]! - y) * iy - ey;
          const a2 = 2 * ((boxes[p + nearZ]! - z) * iz - ez);
          const a3 = (boxes[p + farX]! - x) * ix + ex;
          const a4 = (boxes[p + farY]! - y) * iy + ey;
          const a5 = 2 * ((boxes[p + farZ]! - z) * iz + ez);
          const a6 = a0 + a1 + Math.abs(a0 - a1);
          const a7 = a3 + a4 - Math.abs(a3 - a4);
          const enter = a6 + a2 + Math.abs(a6 - a2);
          const exit = a7 + a5 - Math.abs(a7 - a5);
          if ((+(enter <= exit) & +(enter <= limit) & +(exit >= 0)) === 0) continue;
          loadBox(boxes, p, box);
          if (rayAabbKernel(null, own, box, reach, hit) === null) continue;
          const next = visit(ids[i]!, hit.t);
          if (typeof next !== 'number') continue;
          if (!(next >= 0)) return;
          if (next < reach) {
            reach = next;
            limit = 4 * reach;
          }
        }
      }
      do if (top === 0) return;
      while (keys[--top]! > limit);
      node = nodes[top]!;
    }
  }

  /**
   * Offers boxes to the list, nearer subtrees first: by a branch, unlike in the other searches. Each level waits for the distances of
   * the one before, and a guess that is right half of the time begins with the next one at once. Squared distances to nodes are
   * four times too large, and are compared with a little more than four times the limit.
   */
  private searchNearest({ x, y, z }: ReadonlyVec3): void {
    const { bounds, leaves, starts, boxes, ids, front, list } = this;
    const { nodes, keys } = front;
    let limit = FOUR * list.limit + TINY;
    let top = 0;
    let node = 1;
    for (;;) {
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        const px = twiceOutside(bounds[p]! - x, x - bounds[p + 3]!);
        const py = twiceOutside(bounds[p + 1]! - y, y - bounds[p + 4]!);
        const pz = twiceOutside(bounds[p + 2]! - z, z - bounds[p + 5]!);
        const qx = twiceOutside(bounds[q]! - x, x - bounds[q + 3]!);
        const qy = twiceOutside(bounds[q + 1]! - y, y - bounds[q + 4]!);
        const qz = twiceOutside(bounds[q + 2]! - z, z - bounds[q + 5]!);
        const d = px * px + py * py + pz * pz;
        const e = qx * qx + qy * qy + qz * qz;
        if (e < d) {
          nodes[top] = left;
          keys[top] = d;
          top += +(d <= limit);
          if (e <= limit) {
            node = left + 1;
            continue;
          }
        } else {
          nodes[top] = left + 1;
          keys[top] = e;
          top += +(e <= limit);
          if (d <= limit) {
            node = left;
            continue;
          }
        }
      } else {
        const end = starts[node - leaves + 1]!;
        for (let i = starts[node - leaves]!; i < end; i++) {
          const q = 6 * i;
          const dx = 0.5 * twiceOutside(boxes[q]! - x, x - boxes[q + 3]!);
          const dy = 0.5 * twiceOutside(boxes[q + 1]! - y, y - boxes[q + 4]!);
          const dz = 0.5 * twiceOutside(boxes[q + 2]! - z, z - boxes[q + 5]!);
          const d = dx * dx + dy * dy + dz * dz;
          if (!(d <= list.limit)) continue;
          list.offered = d;
          list.offer(ids[i]!);
        }
        limit = FOUR * list.limit + TINY;
      }
      do if (top === 0) return;
      while (keys[--top]! > limit);
      node = nodes[top]!;
    }
  }

  // ---- Building ----

  /** Halves ranges until there are as many as leaves; fills `starts` and returns the numbers of the boxes, leaf by leaf. */
  private sort(bounds: Float64Array): Uint32Array {
    const { size: count, leaves, starts } = this;
    const centers = centersOf({ count, bounds, points: () => {} });
    const order = identityOrder(count);
    const keys = new Float64Array(count);
    const spread = makeAabb();
    starts[leaves] = count;
    for (let wide = leaves; wide > 1; wide /= 2)
      for (let leaf = 0; leaf < leaves; leaf += wide) {
        const begin = starts[leaf]!;
        const end = starts[leaf + wide]!;
        const axis = longestAxis(boundCenters(centers, order, begin, end, spread));
        for (let i = begin; i < end; i++) keys[order[i]!] = centers[3 * order[i]! + axis]!;
        starts[leaf + wide / 2] = halve(order, keys, begin, end);
      }
    return order;
  }

  /** Fits all nodes, from the last one up. */
  private fit(): void {
    const { bounds, leaves, starts, boxes } = this;
    for (let node = 2 * leaves - 1; node > 0; node--) {
      const q = 6 * node;
      for (let k = 0; k < 3; k++) {
        bounds[q + k] = Infinity;
        bounds[q + k + 3] = -Infinity;
      }
      if (node < leaves) {
        join(bounds, q, bounds, 2 * q);
        join(bounds, q, bounds, 2 * q + 6);
      } else
        for (let i = starts[node - leaves]!; i < starts[node - leaves + 1]!; i++)
          join(bounds, q, boxes, 6 * i);
    }
  }
}

/** More than wait: one a level, or three every two levels; two to the 32 boxes would not fit into memory. */
const WAITING = 64;

/** What a search carries along. A visitor of rays may begin another search, which needs its own. */
class Front {
  readonly nodes = new Int32Array(WAITING);
  readonly keys = new Float64Array(WAITING);
  readonly own = makeRay();
  readonly box: Aabb = makeAabb();
  readonly hit = makeHit();
}

const spare: Front[] = [];
const one: number[] = [];

/** The longest component of a direction that is as good as none: times overflow. */
const FAINT = 1e-100;
/** Earlier than all times, and so small that four of it are a number. */
const EARLY = 1e300;
/** Four, and more than all rounding. */
const FOUR = 4 + 64 * UNIT_ROUNDING;
/** More than squares of next to nothing lose. */
const TINY = 1e-320;
/** For the rounding of times at which boxes are entered and left, of the size of all coordinates. */
const BOX_ERROR = 32 * UNIT_ROUNDING;

/** Twice the positive one of two numbers, of which one at most is, or 0: exact, and without a branch. */
const twiceOutside = (below: number, above: number): number =>
  below + Math.abs(below) + (above + Math.abs(above));

function join(to: Float64Array, p: number, from: Float64Array, q: number): void {
  for (let k = 0; k < 3; k++) {
    to[p + k] = Math.min(to[p + k]!, from[q + k]!);
    to[p + k + 3] = Math.max(to[p + k + 3]!, from[q + k + 3]!);
  }
}

function extentOf(bounds: Float64Array): number {
  let sum = 0;
  for (let k = 6; k < 9; k++) sum += Math.max(Math.abs(bounds[k]!), Math.abs(bounds[k + 3]!));
  return sum;
}

function loadBox(boxes: Float64Array, q: number, { min, max }: Aabb): void {
  min.x = boxes[q]!;
  min.y = boxes[q + 1]!;
  min.z = boxes[q + 2]!;
  max.x = boxes[q + 3]!;
  max.y = boxes[q + 4]!;
  max.z = boxes[q + 5]!;
}
