/**
 * Searches of a dynamic tree. Its nodes are larger than the boxes that they stand for, so a leaf that is
 * reached is tested again with the box as it was given: the answers are those of a test of every box.
 *
 * Visitors are called while the search is under way, and may begin another one: every search has a stack of its own.
 */
import { NEARER, RAY_SLACK } from '../math/tolerance.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { rayAabbKernel } from '../primitives/ray/ray-aabb.ts';
import { makeAabb, makeHit, type ReadonlyAabb, type ReadonlyRay } from '../primitives/types.ts';
import { MinHeap } from '../trees/min-heap.ts';
import type { BoxVisitor, RayVisitor, Reach } from './broad-phase.ts';
import { type DynamicNodes, LINK, NODE } from './dynamic-nodes.ts';

interface Stack {
  nodes: Int32Array;
  times: Float64Array;
}

const spare: Stack[] = [];

/** A stack for as many nodes. Give it back. */
function takeStack(size: number): Stack {
  const stack = spare.pop() ?? { nodes: new Int32Array(64), times: new Float64Array(64) };
  if (stack.nodes.length < size) {
    stack.nodes = new Int32Array(2 * size);
    stack.times = new Float64Array(2 * size);
  }
  return stack;
}

/**
 * Visits, or appends to `out`, the data of the boxes that share a point with a box. Returns how
 * many numbers are in `out` then.
 *
 * @internal
 */
export function searchBox(
  tree: DynamicNodes,
  box: ReadonlyAabb,
  visit: BoxVisitor | null,
  out: number[] | null,
): number {
  if (tree.count === 0) return 0;
  const { bounds, links, boxes, data } = tree;
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  const stack = takeStack(tree.height + 3);
  const waiting = stack.nodes;
  let found = 0;
  let top = 1;
  waiting[0] = links[LINK]!;
  try {
    while (top > 0) {
      const link = waiting[--top]!;
      if (link < 0) {
        const q = 6 * ~link;
        if (boxes[q]! > bx || ax > boxes[q + 3]!) continue;
        if (boxes[q + 2]! > bz || az > boxes[q + 5]!) continue;
        if (boxes[q + 1]! > by || ay > boxes[q + 4]!) continue;
        if (out !== null) out[found++] = data[~link]!;
        else if (visit!(data[~link]!) === false) return found;
        continue;
      }
      const l = NODE * link;
      const r = l + NODE;
      // Written in any case, kept if they meet: no branch to guess. The left one is looked at first.
      waiting[top] = links[r + LINK]!;
      top +=
        +(bounds[r]! <= bx) &
        +(bounds[r + 3]! >= ax) &
        +(bounds[r + 1]! <= by) &
        +(bounds[r + 4]! >= ay) &
        +(bounds[r + 2]! <= bz) &
        +(bounds[r + 5]! >= az);
      waiting[top] = links[l + LINK]!;
      top +=
        +(bounds[l]! <= bx) &
        +(bounds[l + 3]! >= ax) &
        +(bounds[l + 1]! <= by) &
        +(bounds[l + 4]! >= ay) &
        +(bounds[l + 2]! <= bz) &
        +(bounds[l + 5]! >= az);
    }
    return found;
  } finally {
    spare.push(stack);
  }
}

const tight = makeAabb();
const hit = makeHit();

function loadBox(boxes: Float64Array, proxy: number): void {
  const { min, max } = tight;
  const q = 6 * proxy;
  min.x = boxes[q]!;
  min.y = boxes[q + 1]!;
  min.z = boxes[q + 2]!;
  max.x = boxes[q + 3]!;
  max.y = boxes[q + 4]!;
  max.z = boxes[q + 5]!;
}

/**
 * Visits the data of all boxes that one touches at some t in [0, reach.t] of its motion, nearer subtrees first, and of others
 * whose fat boxes it touches; without `data` their proxies. The times at which nodes are entered and left are computed as
 * `rayAabb` does it, step by step: each step is monotone, so what hits a box hits all nodes around it.
 *
 * @internal
 */
export function searchSwept(
  tree: DynamicNodes,
  { min, max }: ReadonlyAabb,
  motion: ReadonlyVec3,
  reach: Reach,
  visit: BoxVisitor,
  data: Float64Array | null,
): void {
  if (tree.count === 0) return;
  const { bounds, links } = tree;
  const ix = 1 / motion.x;
  const iy = 1 / motion.y;
  const iz = 1 / motion.z;
  const nearX = ix > 0 ? 0 : 3;
  const nearY = iy > 0 ? 1 : 4;
  const nearZ = iz > 0 ? 2 : 5;
  // The sides of the box that go first, and those that go last.
  const fx = ix > 0 ? max.x : min.x;
  const fy = iy > 0 ? max.y : min.y;
  const fz = iz > 0 ? max.z : min.z;
  const lx = ix > 0 ? min.x : max.x;
  const ly = iy > 0 ? min.y : max.y;
  const lz = iz > 0 ? min.z : max.z;
  const stack = takeStack(tree.height + 2);
  const { nodes, times } = stack;
  nodes[0] = 0;
  times[0] = 0;
  let limit = reach.t * RAY_SLACK;
  let top = 1;
  try {
    while (top > 0) {
      if (times[--top]! > limit) continue; // it has become shorter since the push
      const link = links[NODE * nodes[top]! + LINK]!;
      if (link < 0) {
        if (visit(data === null ? ~link : data[~link]!) === false) return;
        limit = reach.t * RAY_SLACK;
        continue;
      }
      let first = -1; // entry time of the left child if it is hit
      for (let node = link; node < link + 2; node++) {
        const p = NODE * node;
        const enterX = (bounds[p + nearX]! - fx) * ix;
        const exitX = (bounds[p + 3 - nearX]! - lx) * ix;
        const enterY = (bounds[p + nearY]! - fy) * iy;
        const exitY = (bounds[p + 5 - nearY]! - ly) * iy;
        const enterZ = (bounds[p + nearZ]! - fz) * iz;
        const exitZ = (bounds[p + 7 - nearZ]! - lz) * iz;
        // Comparisons, not Math.max: a NaN (on the plane of a face, along it) must be passed over.
        let enter = 0;
        if (enterX > enter) enter = enterX;
        if (enterY > enter) enter = enterY;
        if (enterZ > enter) enter = enterZ;
        let exit = limit;
        if (exitX < exit) exit = exitX;
        if (exitY < exit) exit = exitY;
        if (exitZ < exit) exit = exitZ;
        if (!(enter <= exit * RAY_SLACK && enter < Infinity)) continue;
        // The nearer of the two on top.
        if (node > link && first >= 0 && enter > first) {
          nodes[top] = link;
          times[top] = first;
          nodes[top - 1] = node;
          times[top++ - 1] = enter;
        } else {
          first = enter;
          nodes[top] = node;
          times[top++] = enter;
        }
      }
    }
  } finally {
    spare.push(stack);
  }
}

const onRay = makeAabb();

/**
 * Visits the boxes that a ray hits, nearer subtrees first.
 *
 * @internal
 */
export function searchRay(tree: DynamicNodes, ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
  const { boxes, data } = tree;
  const { x, y, z } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const reach = { t: tMax };
  // A copy: getters of the ray must not run while the scratch below is in use.
  const own = { origin: vec3(x, y, z), direction: vec3(dx, dy, dz) };
  const visitProxy = (proxy: number): boolean => {
    loadBox(boxes, proxy);
    if (rayAabbKernel(null, own, tight, reach.t, hit) === null) return true;
    const next = visit(data[proxy]!, hit.t);
    if (typeof next === 'number') reach.t = Math.min(reach.t, next);
    return reach.t >= 0;
  };
  v3.set(x, y, z, onRay.min);
  v3.set(x, y, z, onRay.max);
  searchSwept(tree, onRay, own.direction, reach, visitProxy, null);
}

const spareFronts: MinHeap[] = [];

/**
 * Visits the data of all boxes within reach.t of one, by the distances of their fat boxes, and of others whose fat boxes are.
 *
 * @internal
 */
export function searchNear(
  tree: DynamicNodes,
  { min, max }: ReadonlyAabb,
  reach: Reach,
  visit: BoxVisitor,
): void {
  if (tree.count === 0) return;
  const { bounds, links, data } = tree;
  const { x: ax, y: ay, z: az } = min;
  const { x: bx, y: by, z: bz } = max;
  const front = spareFronts.pop() ?? new MinHeap();
  front.clear();
  front.push(0, 0);
  let limit = reach.t * reach.t;
  try {
    while (front.size > 0 && front.topKey() <= limit) {
      const link = links[NODE * front.pop() + LINK]!;
      if (link < 0) {
        if (visit(data[~link]!) === false) return;
        limit = reach.t * reach.t;
        continue;
      }
      for (let node = link; node < link + 2; node++) {
        const q = NODE * node;
        const dx = Math.max(bounds[q]! - bx, 0, ax - bounds[q + 3]!);
        const dy = Math.max(bounds[q + 1]! - by, 0, ay - bounds[q + 4]!);
        const dz = Math.max(bounds[q + 2]! - bz, 0, az - bounds[q + 5]!);
        const d = (dx * dx + dy * dy + dz * dz) * NEARER;
        if (d <= limit) front.push(d, node);
      }
    }
  } finally {
    spareFronts.push(front);
  }
}

/**
 * The proxies nearest to a point, the nearest first.
 *
 * @internal
 */
export class NearestList {
  count = 0;
  proxies = new Int32Array(8);
  distancesSq = new Float64Array(8);
}

/**
 * Fills `list` with the `k` proxies whose boxes are nearest to p, or all if there are fewer; `skip` is left out. The
 * distance is that to the box as it was given, 0 inside.
 *
 * @internal
 */
export function searchNearest(
  tree: DynamicNodes,
  p: ReadonlyVec3,
  k: number,
  skip: number,
  list: NearestList,
): void {
  list.count = 0;
  const most = Math.min(k, tree.count);
  if (most === 0) return;
  if (list.proxies.length < most) {
    list.proxies = new Int32Array(2 * most);
    list.distancesSq = new Float64Array(2 * most);
  }
  const { bounds, links, boxes } = tree;
  const { x, y, z } = p;
  const { proxies, distancesSq } = list;
  const stack = takeStack(tree.height + 2);
  const { nodes, times } = stack;
  nodes[0] = 0;
  times[0] = 0;
  let top = 1;
  let count = 0;
  let worst = Infinity;
  while (top > 0) {
    if (times[--top]! >= worst) continue;
    const link = links[NODE * nodes[top]! + LINK]!;
    if (link < 0) {
      if (~link === skip) continue;
      const q = 6 * ~link;
      const dx = Math.max(boxes[q]! - x, 0, x - boxes[q + 3]!);
      const dy = Math.max(boxes[q + 1]! - y, 0, y - boxes[q + 4]!);
      const dz = Math.max(boxes[q + 2]! - z, 0, z - boxes[q + 5]!);
      const d = dx * dx + dy * dy + dz * dz;
      if (!(d < worst)) continue;
      let at = count < most ? count++ : most - 1;
      for (; at > 0 && distancesSq[at - 1]! > d; at--) {
        distancesSq[at] = distancesSq[at - 1]!;
        proxies[at] = proxies[at - 1]!;
      }
      distancesSq[at] = d;
      proxies[at] = ~link;
      if (count === most) worst = distancesSq[most - 1]!;
      continue;
    }
    let first = 0;
    for (let node = link; node < link + 2; node++) {
      const q = NODE * node;
      const dx = Math.max(bounds[q]! - x, 0, x - bounds[q + 3]!);
      const dy = Math.max(bounds[q + 1]! - y, 0, y - bounds[q + 4]!);
      const dz = Math.max(bounds[q + 2]! - z, 0, z - bounds[q + 5]!);
      const d = dx * dx + dy * dy + dz * dz;
      if (node === link) first = d;
      nodes[top] = node;
      times[top++] = d;
      if (node > link && d > first) {
        nodes[top - 1] = link;
        times[top - 1] = first;
        nodes[top - 2] = node;
        times[top - 2] = d;
      }
    }
  }
  list.count = count;
  spare.push(stack);
}
