/** The clusters that a builder still has to merge, in a dynamic tree: who is near whom? */
import { roundDownF32, roundUpF32 } from '../math/float.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { attachLeaf, detachLeaf, type InsertionSearch } from './dynamic-insert.ts';
import { DynamicNodes } from './dynamic-nodes.ts';
import { rebuildNodes } from './dynamic-rebuild.ts';

const leaf = new Float32Array(6);

/**
 * Keeps boxes by numbers of one's own choice, which are the proxies: 0 … count - 1 at first.
 *
 * @internal
 */
export class ClusterTree {
  readonly nodes: DynamicNodes;

  /** Six numbers a box; `most` is the number of boxes that there will ever be. */
  constructor(count: number, bounds: Float64Array, most: number) {
    this.nodes = new DynamicNodes(Math.max(1, most));
    for (let i = 0; i < most; i++) this.nodes.takeProxy();
    const proxies = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      proxies[i] = i;
      this.write(i, bounds);
    }
    this.nodes.slots.fill(-1);
    rebuildNodes(this.nodes, proxies, (i) => this.rounded(i));
  }

  /** Adds number `i` with its box in the list. */
  add(i: number, bounds: Float64Array, search: InsertionSearch = 'path'): void {
    this.write(i, bounds);
    attachLeaf(this.nodes, i, this.rounded(i), search);
  }

  remove(i: number): void {
    detachLeaf(this.nodes, i);
    this.nodes.slots[i] = -1;
  }

  private write(i: number, bounds: Float64Array): void {
    for (let k = 0; k < 6; k++) this.nodes.boxes[6 * i + k] = bounds[6 * i + k]!;
  }

  private rounded(i: number): Float32Array {
    const { boxes } = this.nodes;
    for (let k = 0; k < 3; k++) {
      leaf[k] = roundDownF32(boxes[6 * i + k]!);
      leaf[k + 3] = roundUpF32(boxes[6 * i + k + 3]!);
    }
    return leaf;
  }
}

/**
 * Writes the center of box `i` of one list, as a box without extent, to the same place of another.
 *
 * @internal
 */
export function writeCenter(bounds: Float64Array, i: number, centers: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const center = 0.5 * bounds[6 * i + k]! + 0.5 * bounds[6 * i + k + 3]!;
    centers[6 * i + k] = center;
    centers[6 * i + k + 3] = center;
  }
}

/**
 * The point that `writeCenter` wrote.
 *
 * @internal
 */
export const pointAt = (centers: Float64Array, i: number): ReadonlyVec3 =>
  v3.set(centers[6 * i]!, centers[6 * i + 1]!, centers[6 * i + 2]!, point);

const point = vec3();
