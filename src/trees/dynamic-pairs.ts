/** Every two boxes of a dynamic tree that share a point. */
import { EPS32 } from '../math/float.ts';
import type { DynamicNodes } from './dynamic-nodes.ts';
import type { PairVisitor } from './dynamic-search.ts';

/** Pairs of numbers, one after the other. `ids` is replaced by a longer array when it is full. */
export interface ProxyPairs {
  ids: Int32Array;
}

/** As in `DynamicNodes`, but not imported: what comes from another module is no constant to V8, and costs four times. */
const NODE = 8;
const LINK = 6;
let stack = new Int32Array(512);

function longer(list: ProxyPairs): Int32Array {
  const more = new Int32Array(Math.max(1024, 2 * list.ids.length));
  more.set(list.ids);
  list.ids = more;
  return more;
}

/** Do the boxes of two nodes share a point? 1 or 0: no branch to guess. */
const meet = (bounds: Float32Array, i: number, j: number): number =>
  +(bounds[i]! <= bounds[j + 3]!) &
  +(bounds[j]! <= bounds[i + 3]!) &
  +(bounds[i + 1]! <= bounds[j + 4]!) &
  +(bounds[j + 1]! <= bounds[i + 4]!) &
  +(bounds[i + 2]! <= bounds[j + 5]!) &
  +(bounds[j + 2]! <= bounds[i + 5]!);

/** Do they by more than `by` along every axis? */
const meetDeeply = (bounds: Float32Array, i: number, j: number, by: number): boolean =>
  bounds[j + 3]! - bounds[i]! > by &&
  bounds[i + 3]! - bounds[j]! > by &&
  bounds[j + 4]! - bounds[i + 1]! > by &&
  bounds[i + 4]! - bounds[j + 1]! > by &&
  bounds[j + 5]! - bounds[i + 2]! > by &&
  bounds[i + 5]! - bounds[j + 2]! > by;

const boxesMeet = (boxes: Float64Array, p: number, q: number): boolean =>
  boxes[p]! <= boxes[q + 3]! &&
  boxes[q]! <= boxes[p + 3]! &&
  boxes[p + 1]! <= boxes[q + 4]! &&
  boxes[q + 1]! <= boxes[p + 4]! &&
  boxes[p + 2]! <= boxes[q + 5]! &&
  boxes[q + 2]! <= boxes[p + 5]!;

/** How deep leaves must overlap, so that their boxes do for certain. Each side is off by a step and a half of float32 at most. */
function certainty({ bounds, isSnug }: DynamicNodes): number {
  if (!isSnug) return Infinity;
  let largest = 0;
  for (let k = 0; k < 6; k++) largest = Math.max(largest, Math.abs(bounds[k]!));
  return 4 * EPS32 * largest + 1e-44;
}

/**
 * Fills a list with the proxies of every two boxes that share a point, once, and returns how many pairs there are. Two
 * leaves part at one node only, where one is below the left child and the other below the right: searching the children
 * of every node against each other meets them there and nowhere else.
 *
 * @internal
 */
export function collectPairs(tree: DynamicNodes, out: ProxyPairs): number {
  if (tree.count < 2) return 0;
  const { bounds, links, boxes } = tree;
  const deep = certainty(tree);
  // Nodes that wait for themselves, one a level; and pairs of nodes: each step takes one away and leaves at most four,
  // all deeper by a level in both trees or in the only one that is not a leaf.
  const room = tree.height + 8 + 2 * (7 * tree.height + 8);
  if (stack.length < room) stack = new Int32Array(2 * room);
  const waiting = stack;
  let list = out.ids;
  let full = list.length;
  let found = 0;
  let nodes = 0;
  let pair = links[LINK]!;
  for (;;) {
    // The two children of a node against each other.
    const x = NODE * pair;
    const base = nodes;
    waiting[base] = x;
    waiting[base + 1] = x + NODE;
    let top = base + 2 * meet(bounds, x, x + NODE);
    while (top > base) {
      top -= 2;
      const i = waiting[top]!;
      const j = waiting[top + 1]!;
      const a = links[i + LINK]!;
      const b = links[j + LINK]!;
      if ((a & b) < 0) {
        // Boxes are far away in memory, and seldom looked at.
        if (!meetDeeply(bounds, i, j, deep) && !boxesMeet(boxes, 6 * ~a, 6 * ~b)) continue;
        if (found === full) {
          list = longer(out);
          full = list.length;
        }
        list[found] = ~a;
        list[found + 1] = ~b;
        found += 2;
        continue;
      }
      // Written in any case, kept if they overlap. A leaf stands for itself.
      const i0 = a < 0 ? i : NODE * a;
      const j0 = b < 0 ? j : NODE * b;
      waiting[top] = i0;
      waiting[top + 1] = j0;
      top += 2 * meet(bounds, i0, j0);
      if (a >= 0) {
        waiting[top] = i0 + NODE;
        waiting[top + 1] = j0;
        top += 2 * meet(bounds, i0 + NODE, j0);
      }
      if (b >= 0) {
        waiting[top] = i0;
        waiting[top + 1] = j0 + NODE;
        top += 2 * meet(bounds, i0, j0 + NODE);
      }
      if ((a | b) >= 0) {
        waiting[top] = i0 + NODE;
        waiting[top + 1] = j0 + NODE;
        top += 2 * meet(bounds, i0 + NODE, j0 + NODE);
      }
    }
    // Then each with itself.
    const left = links[x + LINK]!;
    const right = links[x + NODE + LINK]!;
    if (right >= 0) waiting[nodes++] = right;
    if (left >= 0) pair = left;
    else if (nodes === 0) return found >> 1;
    else pair = waiting[--nodes]!;
  }
}

const spare: ProxyPairs[] = [];

/**
 * Tells the data of every two boxes that share a point, once. All are found before the first is told: that is quicker.
 *
 * @internal
 */
export function tellPairs(tree: DynamicNodes, visit: PairVisitor): void {
  const list = spare.pop() ?? { ids: new Int32Array(1024) };
  const { data } = tree;
  try {
    const end = 2 * collectPairs(tree, list);
    const { ids } = list;
    for (let i = 0; i < end; i += 2) if (visit(data[ids[i]!]!, data[ids[i + 1]!]!) === false) return;
  } finally {
    spare.push(list);
  }
}
