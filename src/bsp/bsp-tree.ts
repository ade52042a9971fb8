/**
 * The form in which all BSP trees are searched: flat arrays, no objects. RTCD §8.3.
 *
 *   planes     4 numbers a node: unit normal, d. In front is n · x > d.
 *   children   2 links a node: in front, behind. A link >= 0 is a node, and below 0 the leaf ~link.
 *   root       the link to begin with: a leaf if there is nothing to divide.
 */
import type { Plane } from '../math/types.ts';

export interface BspTree {
  readonly root: number;
  readonly nodeCount: number;
  readonly leafCount: number;
  /** Nodes on the longest way to a leaf. */
  readonly depth: number;
  readonly planes: Float64Array;
  readonly children: Int32Array;
  /** Half the thickness of the planes when the tree was built, a length: see `thick-plane.ts`. */
  readonly thickness: number;
  /** How building it went. */
  readonly report: BspReport;
}

/** What a builder has to say. */
export interface BspReport {
  /** Polygons that were given, and pieces that they were cut into. */
  polygons: number;
  fragments: number;
  /** Was building stopped, and parts of the tree left unfinished, because of `maxFragments` or `maxDepth`? */
  reachedFragments: boolean;
  reachedDepth: boolean;
}

/** No tree is deeper: stacks of queries have room for one link a level. @internal */
export const MAX_DEPTH = 2048;

/** Planes are this many times as thick for queries as they were for the builder. RTCD §8.4.2. @internal */
export const QUERY_THICKNESS = 4;

/** Of coordinates, more than what rounding makes of heights above planes: 2⁻⁴⁶. */
const ROUNDING = 1.4210854715202004e-14;

/** How far from a plane queries go both ways, of which the numbers are up to `size`: those that begin far away round more. @internal */
export const reachOfPlanes = ({ thickness }: BspTree, size: number): number =>
  QUERY_THICKNESS * thickness + ROUNDING * size;

/** A node while the tree is being built. @internal */
export interface GrowingNode {
  plane: Plane;
  /** Index of a node, or ~index of a leaf. */
  front: number;
  back: number;
}

/** The flat form of nodes, those that can be reached from the root only, each before those below it. @internal */
export function flatten(
  nodes: readonly GrowingNode[],
  root: number,
  thickness: number,
  report: BspReport,
): { tree: BspTree; nodeOrder: number[]; leafOrder: number[] } {
  const nodeOrder: number[] = [];
  const leafOrder: number[] = [];
  let depth = 0;
  // Links to be written: where, which, how deep.
  const pending: { slot: number; link: number; level: number }[] = [{ slot: -1, link: root, level: 0 }];
  const links: number[] = [];
  let newRoot = root < 0 ? ~0 : 0;
  while (pending.length > 0) {
    const { slot, link, level } = pending.pop()!;
    depth = Math.max(depth, level);
    let own: number;
    if (link < 0) {
      own = ~leafOrder.length;
      leafOrder.push(~link);
    } else {
      own = nodeOrder.length;
      nodeOrder.push(link);
      links.push(0, 0);
      pending.push({ slot: 2 * own + 1, link: nodes[link]!.back, level: level + 1 });
      pending.push({ slot: 2 * own, link: nodes[link]!.front, level: level + 1 });
    }
    if (slot < 0) newRoot = own;
    else links[slot] = own;
  }
  const planes = new Float64Array(4 * nodeOrder.length);
  nodeOrder.forEach((node, i) => {
    const { normal, d } = nodes[node]!.plane;
    planes.set([normal.x, normal.y, normal.z, d], 4 * i);
  });
  const tree: BspTree = {
    root: newRoot,
    nodeCount: nodeOrder.length,
    leafCount: leafOrder.length,
    depth,
    planes,
    children: Int32Array.from(links),
    thickness,
    report,
  };
  return { tree, nodeOrder, leafOrder };
}

/** The plane of a node. @internal */
export function planeOfNode({ planes }: BspTree, node: number): Plane {
  const at = 4 * node;
  return { normal: { x: planes[at]!, y: planes[at + 1]!, z: planes[at + 2]! }, d: planes[at + 3]! };
}
