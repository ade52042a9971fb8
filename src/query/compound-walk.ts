/** The nodes of the tree of a compound that are still to be looked at, nearest first. */
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { rayAabbKernel } from '../primitives/ray/ray-aabb.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { makeAabb, makeHit } from '../primitives/types.ts';
import type { CompoundShape } from '../shapes/shape.ts';
import type { Touch } from './placed.ts';

/**
 * Numbers of nodes, the nearest last, and from which time or distance on they count. One waits on each level of the tree,
 * which has less than 8 + 3 · 32 of them whatever the parts (`halveDepth`).
 */
const nodes = new Uint32Array(128);
const keys = new Float64Array(128);
/** The distance of a box is reduced by a few roundings, lest it is passed over for what is just as near. */
const NEARER = 1 - 8 * EPS64;
const box = makeAabb();
const boxHit = makeHit();

const waiting = { count: 0 };
/** A record, because a loose number would be boxed. */
const next = { key: 0.5 };

/** Begins with the root. */
export function startWalk(): void {
  nodes[0] = 0;
  keys[0] = 0;
  waiting.count = 1;
}

/** Takes the nearest of the waiting nodes; -1 when none is left within `limit.t`. */
function nextNode(limit: { readonly t: number }): number {
  while (waiting.count > 0) {
    const at = --waiting.count;
    if (keys[at]! <= limit.t) return nodes[at]!;
  }
  return -1;
}

/** Puts a node with the key `next.key` among those pushed since `from`. */
function insert(node: number, from: number): void {
  const { key } = next;
  let at = waiting.count++;
  for (; at > from && keys[at - 1]! < key; at--) {
    nodes[at] = nodes[at - 1]!;
    keys[at] = keys[at - 1]!;
  }
  nodes[at] = node;
  keys[at] = key;
}

function loadBox({ tree }: CompoundShape, node: number, { within }: Touch): void {
  const { volumes } = tree;
  const { min, max } = box;
  const at = 6 * node;
  min.x = volumes[at]! - within;
  min.y = volumes[at + 1]! - within;
  min.z = volumes[at + 2]! - within;
  max.x = volumes[at + 3]! + within;
  max.y = volumes[at + 4]! + within;
  max.z = volumes[at + 5]! + within;
}

/** The children of a node that the ray comes to until `tMax`. */
function openForRay(shape: CompoundShape, node: number, ray: ReadonlyRay, tMax: number, touch: Touch): void {
  const { skip } = shape.tree;
  const from = waiting.count;
  for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
    loadBox(shape, child, touch);
    if (rayAabbKernel(null, ray, box, tMax, boxHit) === null) continue;
    next.key = boxHit.t;
    insert(child, from);
  }
}

/** The children of a node, by how far from a point they are. */
function openForPoint(shape: CompoundShape, node: number, p: ReadonlyVec3, touch: Touch): void {
  const { skip } = shape.tree;
  const { min, max } = box;
  const from = waiting.count;
  for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
    loadBox(shape, child, touch);
    const x = Math.max(min.x - p.x, 0, p.x - max.x);
    const y = Math.max(min.y - p.y, 0, p.y - max.y);
    const z = Math.max(min.z - p.z, 0, p.z - max.z);
    next.key = Math.sqrt(x * x + y * y + z * z) * NEARER;
    insert(child, from);
  }
}

type Limit = Parameters<typeof nextNode>[0];
const isLeaf = ({ tree }: CompoundShape, node: number): boolean => tree.skip[node] === node + 1;

/** The nearest leaf to a point that has not been taken yet; -1 when none is left within `limit.t`. */
export function nextLeafForPoint(shape: CompoundShape, p: ReadonlyVec3, touch: Touch, limit: Limit): number {
  let node = nextNode(limit);
  for (; node >= 0 && !isLeaf(shape, node); node = nextNode(limit)) openForPoint(shape, node, p, touch);
  return node;
}

/** The leaf that the ray comes to next; -1 when none is left within `limit.t` and `tMax`. */
export function nextLeafForRay(
  shape: CompoundShape,
  ray: ReadonlyRay,
  tMax: number,
  touch: Touch,
  limit: Limit,
): number {
  let node = nextNode(limit);
  for (; node >= 0 && !isLeaf(shape, node); node = nextNode(limit)) openForRay(shape, node, ray, tMax, touch);
  return node;
}
