/**
 * Boxes that stay where they are, in a complete binary tree: halved by number along the longest axis of their centers until no
 * more than eight are left. RTCD §6.2.1.3. The nodes stand level by level, the children of node i at 2 i and 2 i + 1, without
 * any links: §6.6.1. Leaves are full and on one level, so that few nodes are visited, and the boxes of a leaf are tested one
 * after the other without a branch.
 */
import { checkAabb, checkPoint, mustBeWhole } from '../math/check.ts';
import { RAY_SLACK } from '../math/tolerance.ts';
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
import { checkFlat, checkReach, checkRoom } from './input.ts';
import { NearestList } from './nearest-list.ts';

/** The most boxes in a leaf. */
const LEAF = 8;

/** Boxes that do not move, for searches by box, by ray and by distance: of any sizes, spread out or in clusters. */
export class StaticTree implements BoxIndex {
  /** The number of boxes. */
  readonly size: number;
  /** Six numbers a node; the first of all is not used, the root is the second. */
  private readonly bounds: Float64Array;
  /** The number of leaves, a power of two, and the first of them. */
  private readonly leaves: number;
  /** Where the boxes of each leaf begin. */
  private readonly starts: Int32Array;
  /** Six numbers a box, leaf by leaf, and their places in the list. */
  private readonly boxes: Float64Array;
  private readonly ids: Uint32Array;
  /** Nodes that wait in a search, one a level. Not in use while visitors run. */
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
    checkReach('nearest', 'maxDistance', maxDistance);
    return this.searchNearest(p, maxDistance * maxDistance);
  }

  /** Writes the numbers of the k nearest boxes to `out`, the nearest first, then by number, and returns how many. */
  kNearest(p: ReadonlyVec3, k: number, out: Int32Array | number[], maxDistance = Infinity): number {
    checkPoint('kNearest', 'p', p);
    mustBeWhole('kNearest', 'k', k, 0, Infinity);
    checkReach('kNearest', 'maxDistance', maxDistance);
    const most = Math.min(k, this.size);
    checkRoom('kNearest', out, most);
    this.list.reset(most, maxDistance * maxDistance);
    if (most > 0) this.searchNearestFew(p);
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
    for (;;) {
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        // Written in any case, kept if they meet: no branch to guess.
        nodes[top] = left;
        top +=
          +(bounds[p]! <= bx) &
          +(bounds[p + 3]! >= ax) &
          +(bounds[p + 1]! <= by) &
          +(bounds[p + 4]! >= ay) &
          +(bounds[p + 2]! <= bz) &
          +(bounds[p + 5]! >= az);
        nodes[top] = left + 1;
        top +=
          +(bounds[q]! <= bx) &
          +(bounds[q + 3]! >= ax) &
          +(bounds[q + 1]! <= by) &
          +(bounds[q + 4]! >= ay) &
          +(bounds[q + 2]! <= bz) &
          +(bounds[q + 5]! >= az);
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
   * The times at which nodes are entered and left are computed as `rayAabb` does it, step by step: each step is monotone, so
   * what hits a box hits all nodes around it.
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
    const ix = slope(dx);
    const iy = slope(dy);
    const iz = slope(dz);
    const sx = leeway(dx);
    const sy = leeway(dy);
    const sz = leeway(dz);
    const nearX = ix > 0 ? 0 : 3;
    const nearY = iy > 0 ? 1 : 4;
    const nearZ = iz > 0 ? 2 : 5;
    const farX = 3 - nearX;
    const farY = 5 - nearY;
    const farZ = 7 - nearZ;
    let reach = tMax;
    let limit = reach * RAY_SLACK;
    let top = 0;
    let node = 1;
    for (;;) {
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        const enter = Math.max(
          0,
          (bounds[p + nearX]! - x) * ix - sx,
          (bounds[p + nearY]! - y) * iy - sy,
          (bounds[p + nearZ]! - z) * iz - sz,
        );
        const exit = Math.min(
          limit,
          (bounds[p + farX]! - x) * ix + sx,
          (bounds[p + farY]! - y) * iy + sy,
          (bounds[p + farZ]! - z) * iz + sz,
        );
        const other = Math.max(
          0,
          (bounds[q + nearX]! - x) * ix - sx,
          (bounds[q + nearY]! - y) * iy - sy,
          (bounds[q + nearZ]! - z) * iz - sz,
        );
        const end = Math.min(
          limit,
          (bounds[q + farX]! - x) * ix + sx,
          (bounds[q + farY]! - y) * iy + sy,
          (bounds[q + farZ]! - z) * iz + sz,
        );
        const meets = +(enter <= exit * RAY_SLACK);
        const meetsOther = +(other <= end * RAY_SLACK);
        // The nearer of the two on top.
        const swap = +(other < enter);
        nodes[top] = left + 1 - swap;
        keys[top] = swap === 1 ? enter : other;
        top += swap === 1 ? meets : meetsOther;
        nodes[top] = left + swap;
        keys[top] = swap === 1 ? other : enter;
        top += swap === 1 ? meetsOther : meets;
      } else {
        const end = starts[node - leaves + 1]!;
        for (let i = starts[node - leaves]!; i < end; i++) {
          const p = 6 * i;
          const enter = Math.max(
            0,
            (boxes[p + nearX]! - x) * ix - sx,
            (boxes[p + nearY]! - y) * iy - sy,
            (boxes[p + nearZ]! - z) * iz - sz,
          );
          const exit = Math.min(
            limit,
            (boxes[p + farX]! - x) * ix + sx,
            (boxes[p + farY]! - y) * iy + sy,
            (boxes[p + farZ]! - z) * iz + sz,
          );
          if (!(enter <= exit * RAY_SLACK)) continue;
          loadBox(boxes, p, box);
          if (rayAabbKernel(null, own, box, reach, hit) === null) continue;
          const next = visit(ids[i]!, hit.t);
          if (typeof next !== 'number') continue;
          if (!(next >= 0)) return;
          if (next < reach) {
            reach = next;
            limit = reach * RAY_SLACK;
          }
        }
      }
      do if (top === 0) return;
      while (keys[--top]! > limit);
      node = nodes[top]!;
    }
  }

  /** Distances to nodes are made of the same roundings as those to boxes, so that no node is farther than a box in it. */
  private searchNearest({ x, y, z }: ReadonlyVec3, maxDistanceSq: number): number {
    const { bounds, leaves, starts, boxes, ids, front } = this;
    const { nodes, keys } = front;
    let limit = maxDistanceSq;
    let best = -1;
    let top = 0;
    let node = 1;
    for (;;) {
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        const px = outside(bounds[p]! - x, x - bounds[p + 3]!);
        const py = outside(bounds[p + 1]! - y, y - bounds[p + 4]!);
        const pz = outside(bounds[p + 2]! - z, z - bounds[p + 5]!);
        const qx = outside(bounds[q]! - x, x - bounds[q + 3]!);
        const qy = outside(bounds[q + 1]! - y, y - bounds[q + 4]!);
        const qz = outside(bounds[q + 2]! - z, z - bounds[q + 5]!);
        const d = px * px + py * py + pz * pz;
        const e = qx * qx + qy * qy + qz * qz;
        const swap = +(e < d);
        const far = swap === 1 ? d : e;
        nodes[top] = left + 1 - swap;
        keys[top] = far;
        top += +(far <= limit);
        if ((swap === 1 ? e : d) <= limit) {
          node = left + swap;
          continue;
        }
      } else {
        const end = starts[node - leaves + 1]!;
        for (let i = starts[node - leaves]!; i < end; i++) {
          const q = 6 * i;
          const dx = outside(boxes[q]! - x, x - boxes[q + 3]!);
          const dy = outside(boxes[q + 1]! - y, y - boxes[q + 4]!);
          const dz = outside(boxes[q + 2]! - z, z - boxes[q + 5]!);
          const d = dx * dx + dy * dy + dz * dz;
          if (!(d <= limit)) continue;
          const id = ids[i]!;
          if (d === limit && best >= 0 && id > best) continue;
          limit = d;
          best = id;
        }
      }
      do if (top === 0) return best;
      while (keys[--top]! > limit);
      node = nodes[top]!;
    }
  }

  private searchNearestFew({ x, y, z }: ReadonlyVec3): void {
    const { bounds, leaves, starts, boxes, ids, front, list } = this;
    const { nodes, keys } = front;
    let top = 0;
    let node = 1;
    for (;;) {
      const { limit } = list;
      if (node < leaves) {
        const left = 2 * node;
        const p = 6 * left;
        const q = p + 6;
        const px = outside(bounds[p]! - x, x - bounds[p + 3]!);
        const py = outside(bounds[p + 1]! - y, y - bounds[p + 4]!);
        const pz = outside(bounds[p + 2]! - z, z - bounds[p + 5]!);
        const qx = outside(bounds[q]! - x, x - bounds[q + 3]!);
        const qy = outside(bounds[q + 1]! - y, y - bounds[q + 4]!);
        const qz = outside(bounds[q + 2]! - z, z - bounds[q + 5]!);
        const d = px * px + py * py + pz * pz;
        const e = qx * qx + qy * qy + qz * qz;
        const swap = +(e < d);
        const far = swap === 1 ? d : e;
        nodes[top] = left + 1 - swap;
        keys[top] = far;
        top += +(far <= limit);
        if ((swap === 1 ? e : d) <= limit) {
          node = left + swap;
          continue;
        }
      } else {
        const end = starts[node - leaves + 1]!;
        for (let i = starts[node - leaves]!; i < end; i++) {
          const q = 6 * i;
          const dx = outside(boxes[q]! - x, x - boxes[q + 3]!);
          const dy = outside(boxes[q + 1]! - y, y - boxes[q + 4]!);
          const dz = outside(boxes[q + 2]! - z, z - boxes[q + 5]!);
          const d = dx * dx + dy * dy + dz * dz;
          if (!(d <= list.limit)) continue;
          list.offered = d;
          list.offer(ids[i]!);
        }
      }
      do if (top === 0) return;
      while (keys[--top]! > list.limit);
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

/** No more nodes than levels wait: two to the 32 boxes would not fit into memory. */
const LEVELS = 40;

/** What a search carries along. A visitor of rays may begin another search, which needs its own. */
class Front {
  readonly nodes = new Int32Array(LEVELS);
  readonly keys = new Float64Array(LEVELS);
  readonly own = makeRay();
  readonly box: Aabb = makeAabb();
  readonly hit = makeHit();
}

const spare: Front[] = [];

/** A component of a direction that is smaller makes times that are larger than those below. */
const FAINT = 1e-200;
/**
 * One over a component of a direction. For 0 a number that is as good as infinite but makes no NaN with 0: the times at which
 * sides are met, off by less than `leeway`, then tell on which side of them the ray is. A faint one tells nothing.
 */
const slope = (d: number): number => (d === 0 ? 1e300 : Math.abs(d) < FAINT ? 0 : 1 / d);
const leeway = (d: number): number => (d === 0 ? 1e280 : Math.abs(d) < FAINT ? Infinity : 0);

/** The positive one of two numbers, of which one at most is, or 0: exact, and without a branch. */
const outside = (below: number, above: number): number =>
  0.5 * (below + Math.abs(below) + (above + Math.abs(above)));

function join(to: Float64Array, p: number, from: Float64Array, q: number): void {
  for (let k = 0; k < 3; k++) {
    to[p + k] = Math.min(to[p + k]!, from[q + k]!);
    to[p + k + 3] = Math.max(to[p + k + 3]!, from[q + k + 3]!);
  }
}

function loadBox(boxes: Float64Array, q: number, { min, max }: Aabb): void {
  min.x = boxes[q]!;
  min.y = boxes[q + 1]!;
  min.z = boxes[q + 2]!;
  max.x = boxes[q + 3]!;
  max.y = boxes[q + 4]!;
  max.z = boxes[q + 5]!;
}
