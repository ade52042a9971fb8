/** A broad phase on a dynamic tree: what a world uses by default. */
import { checkNumbers, describe, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { MOST } from './box-set.ts';
import type { BoxVisitor, BroadPhase, PairVisitor, RayVisitor, Reach } from './broad-phase.ts';
import { DynamicTree } from './dynamic-tree.ts';
import type { DynamicTreeOptions, IncrementalTree } from './incremental-tree.ts';
import type { PairList } from './pair-list.ts';

/** A tree whose boxes have numbers of the owner's: a `TreeBroadPhase`, or what a world makes for itself. */
export class TreePhase<Tree extends IncrementalTree = IncrementalTree> implements BroadPhase {
  readonly kind = 'tree';
  readonly tree: Tree;
  /** The proxy of each number; -1 for none. */
  private proxies = new Int32Array(64).fill(-1);
  private movers = new Int32Array(64);

  constructor(tree: Tree) {
    this.tree = tree;
  }

  get size(): number {
    return this.tree.size;
  }

  add(id: number, box: ReadonlyAabb): void {
    if (!(Number.isInteger(id) && id >= 0 && id < MOST))
      refuse('add', 'id', `must be a whole number from 0 to ${MOST - 1}, got ${describe(id)}`);
    if (this.proxies[id]! >= 0) refuse('add', 'id', `is in use, got ${describe(id)}`);
    const proxy = this.tree.insert(box, id);
    if (id >= this.proxies.length) {
      const more = new Int32Array(2 * id + 2).fill(-1);
      more.set(this.proxies);
      this.proxies = more;
    }
    this.proxies[id] = proxy;
  }

  move(id: number, box: ReadonlyAabb): void {
    this.tree.move(this.proxyOf('move', id), box);
  }

  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void {
    checkNumbers('moveMany', 'ids', ids);
    const count = ids.length;
    if (this.movers.length < count) this.movers = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) this.movers[i] = this.proxyOf('moveMany', ids[i]!);
    this.tree.moveMany(this.movers.subarray(0, count), boxes);
  }

  remove(id: number): void {
    this.tree.remove(this.proxyOf('remove', id));
    this.proxies[id] = -1;
  }

  pairs(visit: PairVisitor): void {
    this.tree.pairs(visit);
  }

  collectPairs(out: PairList): number {
    return this.tree.collectPairs(out, true);
  }

  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
    this.tree.query(box, visit);
  }

  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    this.tree.raycast(ray, tMax, visit);
  }

  searchSwept(box: ReadonlyAabb, motion: ReadonlyVec3, reach: Reach, visit: BoxVisitor): void {
    this.tree.searchSwept(box, motion, reach, visit);
  }

  searchNear(box: ReadonlyAabb, reach: Reach, visit: BoxVisitor): void {
    this.tree.searchNear(box, reach, visit);
  }

  clear(): void {
    this.tree.clear();
    this.proxies.fill(-1);
  }

  private proxyOf(caller: string, id: number): number {
    const proxy = (typeof id === 'number' ? this.proxies[id] : undefined) ?? -1;
    if (proxy < 0) refuse(caller, 'id', `must be that of a box, got ${describe(id)}`);
    return proxy;
  }
}

/** A `DynamicTree` whose boxes have numbers of the owner's. Good for most worlds, and for rays above all. RTCD §6.2.3. */
export class TreeBroadPhase extends TreePhase<DynamicTree> {
  constructor(options: DynamicTreeOptions = {}) {
    super(new DynamicTree(options));
  }
}
