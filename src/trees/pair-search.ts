/**
 * Searching two hierarchies for pairs of items whose volumes overlap. RTCD §6.3, §6.6.6.
 *
 * Surfaces only: hierarchies over triangles find triangles that meet. That one solid lies wholly inside the other shows
 * in no pair; ask for it separately, with one point of each in the other.
 */
import { checkPose, describe, mustBeFunction, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { type Descent, type DescentRule, measureOf, nodeMeasure, type SizeMeasure } from './descent.ts';
import { PairHeap, PairQueue, PairStack } from './pair-lists.ts';
import { makePairTest, type PairTest, type PairTestOptions } from './pair-test.ts';
import type { Tree } from './tree.ts';

/** Told of two items whose leaves overlap; returns true to end the search. */
export type PairVisit<V> = (itemA: number, itemB: number, search: PairSearch<V>) => unknown;

export interface PairOptions<V> extends PairTestOptions {
  /** a and b are the same tree: every two different items once, the smaller number first. */
  readonly self?: boolean | undefined;
  /** Which node to open. Default: the larger. */
  readonly descend?: DescentRule<V> | undefined;
  /** What `larger` means. Default: `area`, for k-DOPs `side`. */
  readonly measure?: SizeMeasure | undefined;
  /**
   * Depth first (the default) needs the least memory. Breadth first spends its time evenly over the whole, for a search
   * that may be cut short. Best first takes the pair of the smallest `priority` next.
   */
  readonly order?: 'depth' | 'breadth' | 'best' | undefined;
  /**
   * For `best`, in place of the test for overlap: the smaller, the sooner; Infinity drops the pair. Must not be larger
   * for a pair than for what is below it if `limit` is used. Unless given, overlapping pairs, those that overlap most
   * first.
   */
  readonly priority?: ((a: Readonly<V>, b: Readonly<V>, nodeA: number, nodeB: number) => number) | undefined;
  /** Pairs of nodes so many steps below the roots are not opened. Default: no limit. */
  readonly maxDepth?: number | undefined;
  /** Told of overlapping nodes left unopened for `maxDepth`; returns true to end the search. */
  readonly atLimit?: ((nodeA: number, nodeB: number) => unknown) | undefined;
  /** The most pairs that wait in breadth first; beyond that it goes on depth first for a while. 2²⁰ by default. */
  readonly maxWaiting?: number | undefined;
}

/** A search that can be paused: see `treePairs` for a whole one. */
export class PairSearch<V> {
  /** Has everything been looked at, or has a visitor ended the search? */
  done = false;
  /** Did a visitor end the search? */
  stopped = false;
  /** Best first: nothing of a larger priority is opened. A visitor may lower it to the best distance so far, say. */
  limit = Infinity;

  private readonly a: Tree<V>;
  private readonly b: Tree<V>;
  private readonly visit: PairVisit<V>;
  private readonly options: PairOptions<V>;
  private readonly rule: DescentRule<V>;
  private readonly self: boolean;
  private readonly maxDepth: number;
  private readonly maxWaiting: number;
  private readonly test: PairTest<V>;
  private readonly measure: (volume: V) => number;
  private readonly sizeA: (node: number) => number;
  private readonly sizeB: (node: number) => number;
  private readonly merged: V;
  private readonly stack = new PairStack();
  private readonly queue = new PairQueue();
  private readonly heap = new PairHeap();
  /** The children of the pair opened last, `kids` of them. */
  private readonly kidA: number[] = [];
  private readonly kidB: number[] = [];
  private readonly kidKey: number[] = [];
  private kids = 0;

  constructor(a: Tree<V>, b: Tree<V>, visit: PairVisit<V>, options: PairOptions<V> = {}) {
    const { self = false, descend = 'larger', order = 'depth', pose } = options;
    const { maxDepth = Infinity, maxWaiting = 1048576 } = options;
    if (!(maxDepth >= 0)) refuse(NAME, 'options.maxDepth', `must not be negative, got ${describe(maxDepth)}`);
    if (!(maxWaiting >= 1))
      refuse(NAME, 'options.maxWaiting', `must be at least 1, got ${describe(maxWaiting)}`);
    if (self && (a !== b || pose))
      refuse(NAME, 'options.self', 'must be for a tree and itself, without a pose');
    if (typeof descend !== 'function' && !RULES.includes(descend))
      refuse(
        NAME,
        'options.descend',
        `must be a function or one of ${RULES.join(', ')}, got ${describe(descend)}`,
      );
    if (order !== 'depth' && order !== 'breadth' && order !== 'best')
      refuse(NAME, 'options.order', `must be depth, breadth or best, got ${describe(order)}`);
    this.a = a;
    this.b = b;
    this.visit = visit;
    this.options = options;
    this.rule = descend;
    this.self = self;
    this.maxDepth = maxDepth;
    this.maxWaiting = maxWaiting;
    this.test = makePairTest(NAME, a, b, options);
    this.measure = measureOf(NAME, a.ops, options.measure);
    this.sizeA = nodeMeasure(a, this.measure);
    this.sizeB = nodeMeasure(b, this.measure);
    this.merged = a.ops.make();
    this.begin();
  }

  /** Starts over, with b at another pose (or where it was first, without one). */
  restart(pose: ReadonlyPose | undefined = this.options.pose): void {
    if (pose) checkPose('PairSearch.restart', 'pose', pose);
    if (pose && this.self) refuse('PairSearch.restart', 'pose', 'must not be given for a tree and itself');
    this.test.setPose(pose);
    this.begin();
  }

  /** Takes up to `budget` pairs of nodes; a pair of leaves is finished once it is begun. Returns `done`. */
  step(budget = Infinity): boolean {
    if (!(budget >= 0)) refuse('PairSearch.step', 'budget', `must not be negative, got ${describe(budget)}`);
    if (this.done) return true;
    const { order } = this.options;
    if (order === 'breadth') this.breadthFirst(budget);
    else if (order === 'best') this.bestFirst(budget);
    else this.depthFirst(budget);
    return this.done;
  }

  private begin(): void {
    this.stack.length = 0;
    this.queue.clear();
    this.heap.clear();
    this.stopped = false;
    this.limit = Infinity;
    this.done = this.a.skip.length === 0 || this.b.skip.length === 0;
    if (this.done) return;
    if (this.options.order === 'breadth') this.queue.push(0, 0, 0);
    else if (this.options.order === 'best') this.consider(0, 0, 0);
    else this.stack.push(0, 0, 0);
  }

  private depthFirst(budget: number): void {
    const { stack, kidA, kidB } = this;
    let left = budget;
    while (stack.length > 0) {
      stack.pop();
      let { a: i, b: j, depth } = stack;
      // The first child is not pushed on the stack.
      for (;;) {
        if (left-- <= 0) {
          stack.push(i, j, depth);
          return;
        }
        if (!this.meet(i, j)) break;
        if (this.isEnd(i, j, depth)) {
          if (this.report(i, j)) return;
          break;
        }
        this.open(i, j, depth);
        depth++;
        for (let k = this.kids - 1; k > 0; k--) stack.push(kidA[k]!, kidB[k]!, depth);
        i = kidA[0]!;
        j = kidB[0]!;
      }
    }
    this.done = true;
  }

  private breadthFirst(budget: number): void {
    const { stack, queue, kidA, kidB } = this;
    for (let left = budget; left > 0; left--) {
      // The stack holds what did not fit into the queue.
      const from = stack.length > 0 ? stack : queue;
      if (from.length === 0) break;
      if (from === stack) stack.pop();
      else queue.take();
      const { a: i, b: j, depth } = from;
      if (!this.meet(i, j)) continue;
      if (this.isEnd(i, j, depth)) {
        if (this.report(i, j)) return;
        continue;
      }
      this.open(i, j, depth);
      const to = from === stack || queue.length + this.kids > this.maxWaiting ? stack : queue;
      for (let k = 0; k < this.kids; k++) to.push(kidA[k]!, kidB[k]!, depth + 1);
    }
    if (stack.length + queue.length === 0) this.done = true;
  }

  private bestFirst(budget: number): void {
    const { heap, kidA, kidB } = this;
    for (let left = budget; left > 0 && heap.length > 0; left--) {
      heap.pop();
      const { a: i, b: j, depth } = heap;
      if (heap.key > this.limit) {
        heap.clear();
        break;
      }
      if (this.isEnd(i, j, depth)) {
        if (this.report(i, j)) return;
        continue;
      }
      this.open(i, j, depth);
      for (let k = 0; k < this.kids; k++) this.consider(kidA[k]!, kidB[k]!, depth + 1);
    }
    if (heap.length === 0) this.done = true;
  }

  private meet(i: number, j: number): boolean {
    return (this.self && i === j) || this.test.overlap(i, j);
  }

  /** Puts the pair on the heap, unless it is of no interest. */
  private consider(i: number, j: number, depth: number): void {
    const { test } = this;
    const { priority, counters } = this.options;
    let key = -Infinity;
    if (this.self && i === j) key = -Infinity;
    else if (priority) {
      if (counters) counters.volumeTests++;
      key = priority(test.loadA(i), test.loadB(j), i, j);
      if (Number.isNaN(key)) refuse(NAME, 'options.priority', 'must return a number, got NaN');
    } else key = test.overlap(i, j) ? -this.overlapOf(i, j) : Infinity;
    if (key < Infinity && key <= this.limit) this.heap.push(key, i, j, depth);
  }

  private isEnd(i: number, j: number, depth: number): boolean {
    return (this.a.skip[i]! === i + 1 && this.b.skip[j]! === j + 1) || depth >= this.maxDepth;
  }

  /** Tells the visitor of a pair of leaves, or of nodes at the limit. Returns whether the search has ended. */
  private report(i: number, j: number): boolean {
    const { a, b, visit } = this;
    if (a.skip[i]! !== i + 1 || b.skip[j]! !== j + 1)
      return this.options.atLimit?.(i, j) === true && this.end();
    const { counters } = this.options;
    const alone = this.self && i === j;
    for (let p = a.first[i]!; p < a.first[i + 1]!; p++)
      for (let q = alone ? p + 1 : b.first[j]!; q < b.first[j + 1]!; q++) {
        const x = a.items[p]!;
        const y = b.items[q]!;
        if (counters) counters.itemTests++;
        if ((this.self && y < x ? visit(y, x, this) : visit(x, y, this)) === true) return this.end();
      }
    return false;
  }

  private end(): boolean {
    this.done = true;
    this.stopped = true;
    return true;
  }

  /** Finds the children of a pair that has some. */
  private open(i: number, j: number, depth: number): void {
    const { skip: skipA } = this.a;
    const { skip: skipB } = this.b;
    const endA = skipA[i]!;
    const endB = skipB[j]!;
    this.kids = 0;
    if (this.self && i === j) {
      for (let c = i + 1; c < endA; c = skipA[c]!) for (let d = c; d < endA; d = skipA[d]!) this.add(c, d);
      return;
    }
    const which = endA === i + 1 ? 'b' : endB === j + 1 ? 'a' : this.choose(i, j, depth);
    if (which === 'a') for (let c = i + 1; c < endA; c = skipA[c]!) this.add(c, j);
    else if (which === 'b') for (let d = j + 1; d < endB; d = skipB[d]!) this.add(i, d);
    else
      for (let c = i + 1; c < endA; c = skipA[c]!)
        for (let d = j + 1; d < endB; d = skipB[d]!) this.add(c, d);
    if (this.rule === 'overlap') this.sortByOverlap();
  }

  private add(i: number, j: number): void {
    this.kidA[this.kids] = i;
    this.kidB[this.kids++] = j;
  }

  private choose(i: number, j: number, depth: number): Descent {
    const { rule, test } = this;
    if (typeof rule === 'function') {
      const which = rule(test.loadA(i), test.loadB(j), i, j, depth);
      if (which !== 'a' && which !== 'b' && which !== 'both')
        refuse(NAME, 'options.descend', `must return a, b or both, got ${describe(which)}`);
      return which;
    }
    if (rule === 'alternate') return depth & 1 ? 'b' : 'a';
    if (rule !== 'larger' && rule !== 'overlap') return rule;
    const difference = this.sizeA(i) - this.sizeB(j);
    if (difference !== 0) return difference > 0 ? 'a' : 'b';
    return this.a.skip[i]! - i >= this.b.skip[j]! - j ? 'a' : 'b';
  }

  /** How much less the volume around both is than the two together. */
  private overlapOf(i: number, j: number): number {
    const { test, measure } = this;
    const a = test.loadA(i);
    const b = test.loadB(j);
    return measure(a) + measure(b) - measure(this.a.ops.merge(a, b, this.merged));
  }

  /** Most overlap first; an insertion sort, because there are two of them, or four. */
  private sortByOverlap(): void {
    const { kidA, kidB, kidKey } = this;
    for (let k = 0; k < this.kids; k++) {
      const i = kidA[k]!;
      const j = kidB[k]!;
      const key = this.overlapOf(i, j);
      let at = k;
      for (; at > 0 && kidKey[at - 1]! < key; at--) {
        kidA[at] = kidA[at - 1]!;
        kidB[at] = kidB[at - 1]!;
        kidKey[at] = kidKey[at - 1]!;
      }
      kidA[at] = i;
      kidB[at] = j;
      kidKey[at] = key;
    }
  }
}

const NAME = 'treePairs';
const RULES = ['a', 'b', 'larger', 'both', 'alternate', 'overlap'];

/**
 * Tells `visit` of every pair of an item of a and one of b whose leaves overlap, b standing at `pose` in the space of a:
 * candidates, for the visitor to test. It ends the search by returning true: at the first hit for a yes or no, after
 * k of them, or never.
 *
 * Proportional to the pairs of nodes that overlap. The depth of the trees is no concern. An empty tree meets nothing.
 * RTCD §6.3.2–6.3.3.
 *
 * @returns whether the visitor ended it
 */
export function treePairs<V>(
  a: Tree<V>,
  b: Tree<V>,
  visit: PairVisit<V>,
  options: PairOptions<V> = {},
): boolean {
  mustHave('treePairs', 'a', a, 'a tree', 'ops');
  mustHave('treePairs', 'b', b, 'a tree', 'ops');
  mustBeFunction('treePairs', 'visit', visit);
  mustBeOptions(
    'treePairs',
    'options',
    options,
    'self descend measure order priority maxDepth atLimit maxWaiting pose boxAxes counters',
  );
  const search = new PairSearch(a, b, visit, options);
  search.step();
  return search.stopped;
}
