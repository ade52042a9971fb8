/** Every two boxes of a dynamic tree that share a point. */
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
    let top = base;
    if (
      bounds[x]! <= bounds[x + 11]! &&
      bounds[x + 8]! <= bounds[x + 3]! &&
      bounds[x + 1]! <= bounds[x + 12]! &&
      bounds[x + 9]! <= bounds[x + 4]! &&
      bounds[x + 2]! <= bounds[x + 13]! &&
      bounds[x + 10]! <= bounds[x + 5]!
    ) {
      waiting[top] = x;
      waiting[top + 1] = x + NODE;
      top += 2;
    }
    while (top > base) {
      top -= 2;
      const i = waiting[top]!;
      const j = waiting[top + 1]!;
      const a = links[i + LINK]!;
      const b = links[j + LINK]!;
      if ((a & b) < 0) {
        const p = 6 * ~a;
        const q = 6 * ~b;
        if (
          boxes[p]! <= boxes[q + 3]! &&
          boxes[q]! <= boxes[p + 3]! &&
          boxes[p + 1]! <= boxes[q + 4]! &&
          boxes[q + 1]! <= boxes[p + 4]! &&
          boxes[p + 2]! <= boxes[q + 5]! &&
          boxes[q + 2]! <= boxes[p + 5]!
        ) {
          if (found === full) {
            list = longer(out);
            full = list.length;
          }
          list[found] = ~a;
          list[found + 1] = ~b;
          found += 2;
        }
        continue;
      }
      // A leaf stands for itself.
      const i0 = a < 0 ? i : NODE * a;
      const i1 = a < 0 ? i : i0 + NODE;
      const j0 = b < 0 ? j : NODE * b;
      const j1 = b < 0 ? j : j0 + NODE;
      for (let l = i0; l <= i1; l += NODE) {
        const ax = bounds[l]!;
        const ay = bounds[l + 1]!;
        const az = bounds[l + 2]!;
        const bx = bounds[l + 3]!;
        const by = bounds[l + 4]!;
        const bz = bounds[l + 5]!;
        for (let r = j0; r <= j1; r += NODE) {
          // Written in any case, kept if they overlap: no branch to guess.
          waiting[top] = l;
          waiting[top + 1] = r;
          top +=
            2 *
            (+(ax <= bounds[r + 3]!) &
              +(bounds[r]! <= bx) &
              +(ay <= bounds[r + 4]!) &
              +(bounds[r + 1]! <= by) &
              +(az <= bounds[r + 5]!) &
              +(bounds[r + 2]! <= bz));
        }
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
