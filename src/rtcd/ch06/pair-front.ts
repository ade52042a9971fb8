/**
 * Keeping where the last search of two hierarchies ended, to begin the next one there. RTCD §6.7.2; Li & Chen 1998.
 *
 * For two large trees that move little between frames. Production starts at the roots: `trees/pair-search.ts`.
 */
import type { ReadonlyPose } from '../../math/types.ts';
import { measureOf, nodeMeasure } from '../../trees/descent.ts';
import { PairQueue, PairStack } from '../../trees/pair-lists.ts';
import { makePairTest, type PairTestOptions } from '../../trees/pair-test.ts';
import type { Tree } from '../../trees/tree.ts';

/**
 * Searches the same two trees again and again while they move a little each time. The search from the roots ends at
 * pairs of nodes that are apart and at pairs of leaves: the front. As long as the objects come closer it only moves
 * down, so the next search can begin at the front instead of the roots and saves all that lies above.
 *
 * When they part it would have to move up; a front that has not grown twice in a row is therefore thrown away, and the
 * next search begins at the roots. The result is always that of a search from the roots: every pair of the front is
 * tested anew. Given other trees, or the same with other arrays, it starts afresh; after an edit in place call `clear`.
 */
export class PairFront<V> {
  private readonly placement: PairTestOptions;
  private a: Tree<V> | null = null;
  private b: Tree<V> | null = null;
  private volumesA: Float32Array | null = null;
  private volumesB: Float32Array | null = null;
  private front = new PairQueue();
  private next = new PairQueue();
  private readonly stack = new PairStack();
  /** How many searches in a row the front has not grown. */
  private idle = 0;

  /** What is given to every search, but for the pose. */
  constructor(placement: Omit<PairTestOptions, 'pose'> = {}) {
    this.placement = placement;
  }

  /** How many pairs the front has; 0 before the first search and after one that threw it away. */
  get length(): number {
    return this.front.length;
  }

  /** Forgets the front: to be called when a tree was edited or refitted in place. */
  clear(): void {
    this.front.clear();
    this.idle = 0;
  }

  /**
   * Tells `visit` of every pair of items whose leaves overlap, b standing at `pose` in the space of a. The visitor ends the
   * search by returning true; what had not been looked at then stays in the front. It must not search with this front.
   *
   * @returns whether the visitor ended it
   */
  query(
    a: Tree<V>,
    b: Tree<V>,
    visit: (itemA: number, itemB: number) => unknown,
    pose?: ReadonlyPose,
  ): boolean {
    const test = makePairTest('PairFront.query', a, b, { ...this.placement, pose });
    if (a.skip.length === 0 || b.skip.length === 0) return false;
    if (this.isNew(a, b)) this.clear();
    const { skip: skipA } = a;
    const { skip: skipB } = b;
    const measure = measureOf('PairFront.query', a.ops);
    const sizeA = nodeMeasure(a, measure);
    const sizeB = nodeMeasure(b, measure);
    const { front, next, stack } = this;
    const before = front.length;
    if (before === 0) front.push(0, 0, 0);
    let stopped = false;
    while (stack.length + front.length > 0) {
      const from = stack.length > 0 ? stack : front;
      if (from === stack) stack.pop();
      else front.take();
      const { a: i, b: j } = from;
      const isLeafA = skipA[i]! === i + 1;
      const isLeafB = skipB[j]! === j + 1;
      if (stopped || !test.overlap(i, j)) next.push(i, j, 0);
      else if (isLeafA && isLeafB) {
        next.push(i, j, 0);
        stopped = this.emit(a, b, i, j, visit);
      } else if (isLeafB || (!isLeafA && sizeA(i) >= sizeB(j)))
        for (let c = i + 1; c < skipA[i]!; c = skipA[c]!) stack.push(c, j, 0);
      else for (let d = j + 1; d < skipB[j]!; d = skipB[d]!) stack.push(i, d, 0);
    }
    this.front = next;
    this.next = front;
    this.idle = before > 0 && next.length <= before ? this.idle + 1 : 0;
    if (this.idle >= 2) this.clear();
    return stopped;
  }

  private isNew(a: Tree<V>, b: Tree<V>): boolean {
    const same = a === this.a && b === this.b && a.volumes === this.volumesA && b.volumes === this.volumesB;
    this.a = a;
    this.b = b;
    this.volumesA = a.volumes;
    this.volumesB = b.volumes;
    return !same;
  }

  private emit(
    a: Tree<V>,
    b: Tree<V>,
    i: number,
    j: number,
    visit: (itemA: number, itemB: number) => unknown,
  ): boolean {
    const { counters } = this.placement;
    for (let p = a.first[i]!; p < a.first[i + 1]!; p++)
      for (let q = b.first[j]!; q < b.first[j + 1]!; q++) {
        if (counters) counters.itemTests++;
        if (visit(a.items[p]!, b.items[q]!) === true) return true;
      }
    return false;
  }
}
