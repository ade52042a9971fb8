/** A hierarchy of boxes that come, go and move: all that can be asked of it. RTCD §6.2.3. */
import {
  ANY_FINITE,
  checkNumbers,
  checkPoint,
  describe,
  mustBeCoordinate,
  mustBeList,
  mustBeOptions,
  refuse,
} from '../math/check.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import { type Aabb, makeAabb } from '../primitives/types.ts';
import { shuffledIndices } from '../trees/shuffle.ts';
import { readAabb } from '../volumes/aabb.ts';
import { attachLeaf } from './dynamic-insertion.ts';
import { NODE } from './dynamic-nodes.ts';
import { rebuildNodes } from './dynamic-rebuild.ts';
import { NearestList, searchNearest } from './dynamic-search.ts';
import { fatten, IncrementalTree, readBox, writeBox } from './incremental-tree.ts';

export interface InsertManyOptions {
  /** One number for each box. Default: the proxies themselves. */
  readonly data?: ArrayLike<number>;
  /**
   * 'rebuild' builds the whole tree again from the top, 'shuffled' puts one box after the other into the tree, in random
   * order. Default: 'rebuild' when there are at least as many new boxes as old ones.
   */
  readonly method?: 'rebuild' | 'shuffled';
  /** Decides the order of 'shuffled'. */
  readonly seed?: number;
}

/**
 * A binary hierarchy of axis-aligned boxes, made for thousands that move. A box is known by the number that `insert`
 * returned, its proxy. The tree holds a fat box for it, with a margin, so that small motions change nothing; searches
 * answer for the boxes as they were given, exactly; touching counts. What is reported is the `data` of a
 * box: the number given to `insert`, or else its proxy.
 *
 * Insertion, removal and motion take O(log n) where boxes are spread out; the tree is never higher than 4 log2 n, not
 * even of boxes within boxes within boxes. Coordinates must be within the range of
 * float32. Visitors may search but not change the tree: that throws. The same calls make the same tree, everywhere.
 */
export class DynamicTree extends IncrementalTree {
  /**
   * Adds many boxes, given as min x, y, z, max x, y, z of one after the other, and returns their proxies in that order.
   * Boxes that come sorted make no worse a tree than others.
   */
  insertMany(boxes: ArrayLike<number>, options: InsertManyOptions = {}): Uint32Array {
    this.mustBeIdle('insertMany');
    const { nodes, settings } = this;
    checkNumbers('insertMany', 'boxes', boxes, ANY_FINITE);
    mustBeOptions('insertMany', 'options', options, 'data method seed');
    const { data, seed = 1 } = options;
    const count = boxes.length / 6;
    if (!Number.isInteger(count))
      refuse('insertMany', 'boxes', `must hold six numbers a box, got ${boxes.length}`);
    if (data !== undefined) checkNumbers('insertMany', 'options.data', data, ANY_FINITE);
    if (data !== undefined && data.length !== count)
      refuse(
        'insertMany',
        'options.data',
        `must hold a number for each of ${count} boxes, got ${data.length}`,
      );
    mustBeCoordinate('insertMany', 'options.seed', seed, ANY_FINITE);
    for (let i = 0; i < count; i++) fatten('insertMany', readBox(boxes, i), STILL, settings, `boxes[${i}]`);
    const { method = count >= nodes.count ? 'rebuild' : 'shuffled' } = options;
    if (method !== 'rebuild' && method !== 'shuffled')
      refuse('insertMany', 'options.method', `must be 'rebuild' or 'shuffled', got ${describe(method)}`);
    const proxies = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const proxy = nodes.takeProxy();
      proxies[i] = proxy;
      nodes.data[proxy] = data?.[i] ?? proxy;
      writeBox(nodes.boxes, proxy, readBox(boxes, i));
      this.allPairs.mark(proxy);
    }
    if (method === 'shuffled')
      for (const i of shuffledIndices(count, seed)) {
        const fat = fatten('insertMany', readBox(boxes, i), STILL, settings);
        attachLeaf(nodes, proxies[i]!, fat, settings.search);
      }
    else rebuildNodes(nodes, proxies, (i) => fatten('insertMany', readBox(boxes, i), STILL, settings));
    return proxies;
  }

  /** Rebuilds the tree from the top, which is fast and repairs what many motions have made worse. Proxies stay. */
  rebuild(): void {
    this.mustBeIdle('rebuild');
    rebuildNodes(this.nodes);
  }

  /** The number that was given with a box. */
  data(proxy: number): number {
    this.mustBeProxy('data', proxy);
    return this.nodes.data[proxy]!;
  }

  /** The box of a proxy, as it was last given. */
  box(proxy: number, out: Aabb = makeAabb()): Aabb {
    this.mustBeProxy('box', proxy);
    return readBox(this.nodes.boxes, proxy, out);
  }

  /** The box that the tree holds for a proxy: it contains the box that was given. */
  fatBox(proxy: number, out: Aabb = makeAabb()): Aabb {
    this.mustBeProxy('fatBox', proxy);
    const { bounds, slots } = this.nodes;
    const p = NODE * slots[proxy]!;
    return readAabb(bounds, p, out);
  }

  /** The k boxes nearest to p, or all if there are fewer, the nearest first. Boxes around p are at distance 0. */
  nearest(p: ReadonlyVec3, k: number, out: number[] = []): number[] {
    checkPoint('nearest', 'p', p);
    mustBeList('nearest', 'out', out);
    if (!(Number.isInteger(k) && k >= 0))
      refuse('nearest', 'k', `must be a whole number, got ${describe(k)}`);
    searchNearest(this.nodes, p, k, -1, nearestList);
    const { count, proxies } = nearestList;
    for (let i = 0; i < count; i++) out[i] = this.nodes.data[proxies[i]!]!;
    if (out.length !== count) out.length = count;
    return out;
  }
}

const STILL = vec3();
const nearestList = new NearestList();
