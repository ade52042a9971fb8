/**
 * Every two boxes of a dynamic tree that share a point. Where few boxes have changed since the pairs were last asked for,
 * those of the others are kept, and only those few are searched for; else all are found anew, by the tree against itself.
 */
import { EPS32 } from '../math/float.ts';
import { giveList, growList, takeList } from '../space/id-list.ts';
import type { PairVisitor } from './broad-phase.ts';
import { type DynamicNodes, LINK, NODE } from './dynamic-nodes.ts';
import { makePairList, type PairList } from './pair-list.ts';

/** Fewer than one of so many boxes are moved and searched for one by one. */
export const FEW = 8;

/**
 * The pairs of a tree, and which boxes have changed since they were last asked for.
 *
 * @internal
 */
export class TreePairs {
  private readonly nodes: DynamicNodes;
  /** Pairs of proxies, if they are known. */
  private readonly known: PairList = makePairList();
  private count = 0;
  private isKnown = false;
  /** Proxies that have changed, and for each proxy whether it is one of them. */
  private changed = new Int32Array(64);
  private changes = 0;
  private marks = new Uint8Array(64);
  /** So many have changed that they are not listed. */
  private areMany = false;
  private waiting = new Int32Array(64);

  constructor(nodes: DynamicNodes) {
    this.nodes = nodes;
  }

  /** A box is new, has other sides or is gone. */
  mark(proxy: number): void {
    if (proxy >= this.marks.length) {
      const more = new Uint8Array(2 * proxy + 2);
      more.set(this.marks);
      this.marks = more;
    }
    if (this.marks[proxy] === 1) return;
    if (this.changes === this.changed.length) {
      const more = new Int32Array(2 * this.changes);
      more.set(this.changed);
      this.changed = more;
    }
    this.marks[proxy] = 1;
    this.changed[this.changes++] = proxy;
  }

  /** Many boxes have other sides. */
  markMany(): void {
    this.areMany = true;
  }

  /** Fills a list with the proxies of every two boxes that share a point, or with their data, and returns how many pairs there are. */
  collect(out: PairList, asData: boolean): number {
    const { nodes } = this;
    const { data } = nodes;
    let from = out;
    if (this.areMany || FEW * this.changes >= nodes.count) {
      // Nothing is kept: most likely it will be so again.
      this.isKnown = false;
      this.count = collectAll(nodes, out);
    } else {
      if (this.isKnown) this.update();
      else this.count = collectAll(nodes, this.known);
      this.isKnown = true;
      from = this.known;
    }
    this.unmark();
    const numbers = 2 * this.count;
    while (out.ids.length < numbers) growList(out);
    const to = out.ids;
    const { ids } = from;
    if (asData) for (let i = 0; i < numbers; i++) to[i] = data[ids[i]!]!;
    else if (from !== out) for (let i = 0; i < numbers; i++) to[i] = ids[i]!;
    return this.count;
  }

  /** Visits the data of every two boxes that share a point, once. All are found before the first is visited. */
  visit(visit: PairVisitor): void {
    const list = takeList();
    try {
      const end = 2 * this.collect(list, true);
      const { ids } = list;
      for (let i = 0; i < end; i += 2) if (visit(ids[i]!, ids[i + 1]!) === false) return;
    } finally {
      giveList(list);
    }
  }

  private unmark(): void {
    const { changed, changes, marks } = this;
    for (let i = 0; i < changes; i++) marks[changed[i]!] = 0;
    this.changes = 0;
    this.areMany = false;
  }

  /** Drops the pairs of what has changed, and searches for those that it has now. */
  private update(): void {
    const { nodes, known, marks, changed, changes } = this;
    const { ids } = known;
    const end = 2 * this.count;
    let kept = 0;
    for (let i = 0; i < end; i += 2) {
      const a = ids[i]!;
      const b = ids[i + 1]!;
      ids[kept] = a;
      ids[kept + 1] = b;
      kept += (marks[a]! | marks[b]!) === 0 ? 2 : 0;
    }
    this.count = kept >> 1;
    if (this.waiting.length < nodes.height + 3) this.waiting = new Int32Array(2 * nodes.height + 6);
    for (let i = 0; i < changes; i++) if (nodes.slots[changed[i]!]! >= 0) this.addPairsOf(changed[i]!);
  }

  /** Appends the pairs of one that has changed; of two that have, when the one with the smaller number is looked at. */
  private addPairsOf(proxy: number): void {
    const { nodes, known, marks, waiting } = this;
    const { bounds, links, boxes } = nodes;
    const q = 6 * proxy;
    const ax = boxes[q]!;
    const ay = boxes[q + 1]!;
    const az = boxes[q + 2]!;
    const bx = boxes[q + 3]!;
    const by = boxes[q + 4]!;
    const bz = boxes[q + 5]!;
    let list = known.ids;
    let found = 2 * this.count;
    let top = 1;
    waiting[0] = links[LINK]!;
    while (top > 0) {
      const link = waiting[--top]!;
      if (link < 0) {
        const other = ~link;
        const p = 6 * other;
        if (found + 2 > list.length) list = growList(known);
        list[found] = proxy;
        list[found + 1] = other;
        // Written in any case, kept if they meet: no branch to guess.
        found +=
          2 *
          (+(boxes[p]! <= bx) &
            +(boxes[p + 3]! >= ax) &
            +(boxes[p + 1]! <= by) &
            +(boxes[p + 4]! >= ay) &
            +(boxes[p + 2]! <= bz) &
            +(boxes[p + 5]! >= az) &
            (+(other > proxy) | (+(other < proxy) & (1 - marks[other]!))));
        continue;
      }
      const l = NODE * link;
      const r = l + NODE;
      waiting[top] = links[l + LINK]!;
      top +=
        +(bounds[l]! <= bx) &
        +(bounds[l + 3]! >= ax) &
        +(bounds[l + 1]! <= by) &
        +(bounds[l + 4]! >= ay) &
        +(bounds[l + 2]! <= bz) &
        +(bounds[l + 5]! >= az);
      waiting[top] = links[r + LINK]!;
      top +=
        +(bounds[r]! <= bx) &
        +(bounds[r + 3]! >= ax) &
        +(bounds[r + 1]! <= by) &
        +(bounds[r + 4]! >= ay) &
        +(bounds[r + 2]! <= bz) &
        +(bounds[r + 5]! >= az);
    }
    this.count = found >> 1;
  }
}

/** Do the boxes of two nodes share a point? 1 or 0: no branch to guess. */
const overlap = (bounds: Float32Array, i: number, j: number): number =>
  +(bounds[i]! <= bounds[j + 3]!) &
  +(bounds[j]! <= bounds[i + 3]!) &
  +(bounds[i + 1]! <= bounds[j + 4]!) &
  +(bounds[j + 1]! <= bounds[i + 4]!) &
  +(bounds[i + 2]! <= bounds[j + 5]!) &
  +(bounds[j + 2]! <= bounds[i + 5]!);

/** By more than `by` along every axis? */
const overlapDeeply = (bounds: Float32Array, i: number, j: number, by: number): boolean =>
  bounds[j + 3]! - bounds[i]! > by &&
  bounds[i + 3]! - bounds[j]! > by &&
  bounds[j + 4]! - bounds[i + 1]! > by &&
  bounds[i + 4]! - bounds[j + 1]! > by &&
  bounds[j + 5]! - bounds[i + 2]! > by &&
  bounds[i + 5]! - bounds[j + 2]! > by;

const boxesOverlap = (boxes: Float64Array, p: number, q: number): boolean =>
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

let stack = new Int32Array(512);

/**
 * Fills a list with the proxies of every two boxes that share a point, once, and returns how many pairs there are. Two
 * leaves part at one node only, where one is below the left child and the other below the right: searching the children
 * of every node against each other meets them there and nowhere else.
 */
function collectAll(tree: DynamicNodes, out: PairList): number {
  if (tree.count < 2) return 0;
  const { bounds, links, boxes } = tree;
  const deep = certainty(tree);
  // Nodes that wait for themselves, one a level; and pairs of nodes: each step takes one away and leaves at most four,
  // all deeper by a level in both trees or in the only one that is not a leaf.
  const capacity = tree.height + 8 + 2 * (7 * tree.height + 8);
  if (stack.length < capacity) stack = new Int32Array(2 * capacity);
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
    let top = base + 2 * overlap(bounds, x, x + NODE);
    while (top > base) {
      top -= 2;
      const i = waiting[top]!;
      const j = waiting[top + 1]!;
      const a = links[i + LINK]!;
      const b = links[j + LINK]!;
      if ((a & b) < 0) {
        // Boxes are far away in memory, and seldom looked at.
        if (!overlapDeeply(bounds, i, j, deep) && !boxesOverlap(boxes, 6 * ~a, 6 * ~b)) continue;
        if (found === full) {
          list = growList(out);
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
      top += 2 * overlap(bounds, i0, j0);
      if (a >= 0) {
        waiting[top] = i0 + NODE;
        waiting[top + 1] = j0;
        top += 2 * overlap(bounds, i0 + NODE, j0);
      }
      if (b >= 0) {
        waiting[top] = i0;
        waiting[top + 1] = j0 + NODE;
        top += 2 * overlap(bounds, i0, j0 + NODE);
      }
      if ((a | b) >= 0) {
        waiting[top] = i0 + NODE;
        waiting[top + 1] = j0 + NODE;
        top += 2 * overlap(bounds, i0 + NODE, j0 + NODE);
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
