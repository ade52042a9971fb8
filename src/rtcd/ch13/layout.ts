/**
 * What the ways to lay out a hierarchy of boxes in memory have in common.
 *
 * Shared by the layouts of this chapter. Production: `trees/packed-tree.ts`.
 */

import { describe, refuse } from '../../math/check.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import type { Topology, Tree } from '../../trees/tree.ts';

/** The nodes of a tree in some order, which may leave places empty. */
export interface Arrangement {
  /** Six numbers a place: the box of the node there. An empty place has min = Infinity, max = -Infinity: nothing hits it. */
  readonly bounds: Float32Array;
  /** The items at place i are items[start[i]] … items[start[i + 1] - 1]: none at inner nodes and empty places. */
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** In `arrange`, a place without a node. */
export const EMPTY = 0xffffffff;

/**
 * The boxes and items of a tree with node `nodeAt[i]` at place i.
 *
 * @internal
 */
export function arrange({ volumes, skip, first, items }: Tree<Aabb>, nodeAt: Uint32Array): Arrangement {
  const places = nodeAt.length;
  const bounds = new Float32Array(6 * places);
  const start = new Uint32Array(places + 1);
  const arranged = new Uint32Array(items.length);
  let count = 0;
  for (let place = 0; place < places; place++) {
    const node = nodeAt[place]!;
    start[place] = count;
    if (node === EMPTY) {
      bounds.fill(Infinity, 6 * place, 6 * place + 3);
      bounds.fill(-Infinity, 6 * place + 3, 6 * place + 6);
      continue;
    }
    for (let k = 0; k < 6; k++) bounds[6 * place + k] = volumes[6 * node + k]!;
    if (skip[node] === node + 1)
      for (let i = first[node]!; i < first[node + 1]!; i++) arranged[count++] = items[i]!;
  }
  start[places] = count;
  return { bounds, start, items: arranged };
}

/**
 * Throws unless every node has two children or none, and the volumes are boxes.
 *
 * @internal
 */
export function mustBeBinaryBoxes(caller: string, { skip, ops }: Tree<Aabb>): void {
  if (ops.kind !== 'aabb') refuse(caller, 'tree', `must be one of boxes, got ${describe(ops.kind)}`);
  for (let i = 0; i < skip.length; i++) {
    const end = skip[i]!;
    if (end === i + 1) continue;
    const right = skip[i + 1]!;
    if (!(right < end && skip[right] === end))
      refuse(caller, 'tree', `must have two children at every inner node, unlike at node ${i}`);
  }
}

/**
 * The second child of an inner node of a binary tree.
 *
 * @internal
 */
export const rightChild = ({ skip }: Topology, node: number): number => skip[node + 1]!;

/** A box that is searched for: numbers in a class, which V8 does not box. @internal */
export class SearchBox {
  ax = Number.NaN;
  ay = Number.NaN;
  az = Number.NaN;
  bx = Number.NaN;
  by = Number.NaN;
  bz = Number.NaN;

  load({ min, max }: ReadonlyAabb): void {
    this.ax = min.x;
    this.ay = min.y;
    this.az = min.z;
    this.bx = max.x;
    this.by = max.y;
    this.bz = max.z;
  }
}

/**
 * Does the box at that place of an array of bounds share a point with the other?
 *
 * @internal
 */
export const boxMeets = (bounds: Float32Array, at: number, box: SearchBox): boolean =>
  bounds[at]! <= box.bx &&
  bounds[at + 3]! >= box.ax &&
  bounds[at + 1]! <= box.by &&
  bounds[at + 4]! >= box.ay &&
  bounds[at + 2]! <= box.bz &&
  bounds[at + 5]! >= box.az;

/**
 * Writes a stretch of items to `out` from place `count` on, and says where it ends.
 *
 * @internal
 */
export function append(items: Uint32Array, from: number, to: number, out: number[], count: number): number {
  for (let i = from; i < to; i++) out[count++] = items[i]!;
  return count;
}

/**
 * The nodes that a search has still to visit. It grows as needed. One is enough: no search calls anything that searches.
 *
 * @internal
 */
export const pending: number[] = [];

/**
 * The numbers in 16 bits each where they fit.
 *
 * @internal
 */
export function narrow(values: Uint32Array): Uint16Array | Uint32Array {
  for (let i = 0; i < values.length; i++) if (values[i]! > 0xffff) return values;
  return Uint16Array.from(values);
}
