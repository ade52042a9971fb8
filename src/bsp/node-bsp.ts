/** The node-storing BSP tree: polygons in the nodes whose planes they lie in, to be drawn from back to front. RTCD §8.2.1. */
import { checkPoint, mustBeFunction, mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { type BspTree, flatten } from './bsp-tree.ts';
import { type BspOptions, checkBspOptions, partition, readPolygons } from './partition.ts';
import type { Fragment } from './plane-choice.ts';

/** A piece of one of the polygons that a tree was built from. */
export interface BspFragment {
  readonly points: readonly ReadonlyVec3[];
  /** The number of the polygon in the list. */
  readonly polygon: number;
}

export interface NodeBsp extends BspTree {
  /** Those of node i are from number `nodeStart[i]` to before `nodeStart[i + 1]`. */
  readonly fragments: readonly BspFragment[];
  readonly nodeStart: Uint32Array;
  /** The same for leaves: polygons that have no plane, or lie along one that is in the tree already. */
  readonly leafStart: Uint32Array;
}

/**
 * A tree over convex polygons that stores each in the node whose plane it lies in, cut where it lies on both sides of a plane
 * above. Polygons may overlap, coincide and have no area. O(n log n) for scenes, up to O(n²) pieces. RTCD §8.2.1.
 */
export function buildNodeBsp(
  polygons: readonly (readonly ReadonlyVec3[])[],
  options: BspOptions = {},
): NodeBsp {
  const caller = 'buildNodeBsp';
  checkBspOptions(caller, options);
  const given = readPolygons(caller, polygons);
  const { nodes, root, leaves, onPlane, thickness, report } = partition(
    given,
    { onPlane: 'keep', leafSize: 0 },
    { candidates: ['faces'], ...options },
  );
  const { tree, nodeOrder, leafOrder } = flatten(nodes, root, thickness, report);
  const fragments: BspFragment[] = [];
  const add = (lists: readonly (readonly Fragment[])[]): Uint32Array => {
    const start = new Uint32Array(lists.length + 1);
    lists.forEach((list, i) => {
      start[i] = fragments.length;
      for (const { points, source } of list) fragments.push({ points, polygon: source });
    });
    start[lists.length] = fragments.length;
    return start;
  };
  const nodeStart = add(nodeOrder.map((node) => onPlane[node]!));
  const leafStart = add(leafOrder.map((leaf) => leaves[leaf]!.fragments));
  return { ...tree, fragments, nodeStart, leafStart };
}

/**
 * Visits all pieces so that none is hidden, as seen from the eye, by one that was visited before it: what lies behind comes
 * first. The eye may be anywhere, on planes too. Pieces on one plane come in the order of the list. O(n).
 */
export function visitBackToFront(
  eye: ReadonlyVec3,
  bsp: NodeBsp,
  visit: (fragment: BspFragment) => void,
): void {
  checkPoint('visitBackToFront', 'eye', eye);
  mustHave('visitBackToFront', 'bsp', bsp, 'a node-storing BSP tree', 'nodeStart');
  mustBeFunction('visitBackToFront', 'visit', visit);
  const { x, y, z } = eye;
  const { planes, children, fragments, nodeStart, leafStart, depth, root } = bsp;
  // Links, and nodes whose far side is done: those come as their own pieces, and stand at odd places only. Not scratch of the
  // module: `visit` may ask again.
  const stack = new Int32Array(2 * depth + 2);
  const isHalfDone = new Uint8Array(2 * depth + 2);
  stack[0] = root;
  let top = 1;
  while (top > 0) {
    const link = stack[--top]!;
    if (link < 0 || isHalfDone[top]) {
      const starts = link < 0 ? leafStart : nodeStart;
      const at = link < 0 ? ~link : link;
      for (let i = starts[at]!; i < starts[at + 1]!; i++) visit(fragments[i]!);
      continue;
    }
    const at = 4 * link;
    const height = planes[at]! * x + planes[at + 1]! * y + planes[at + 2]! * z - planes[at + 3]!;
    const near = height >= 0 ? 0 : 1;
    stack[top++] = children[2 * link + near]!;
    isHalfDone[top] = 1;
    stack[top++] = link;
    stack[top++] = children[2 * link + 1 - near]!;
  }
}
