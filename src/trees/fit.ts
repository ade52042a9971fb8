/** Volumes for the nodes of a tree whose shape is known: any kind of volume on any shape. */
import type { VolumeOps } from '../volumes/volume.ts';
import type { TreeCounters } from './counters.ts';
import type { Topology, Tree, TreeItems } from './tree.ts';

/**
 * How the volume of an inner node is found: `tight` around all that is below, or by a `merge` of the volumes of its
 * children, which costs less and may be larger. For boxes and k-DOPs, of which a merge is tight, there is no difference.
 */
export type TreeFit = 'tight' | 'merge';

/**
 * The tree with volumes around the items. `tight` costs the sum over all items of how deep they are.
 *
 * @internal
 */
export function fitTree<V>(
  topology: Topology,
  items: TreeItems,
  ops: VolumeOps<V>,
  fit: TreeFit = 'tight',
  counters?: TreeCounters,
): Tree<V> {
  const { skip, first } = topology;
  const volumes = new Float32Array((skip.length * ops.byteSize) / 4);
  const tree = { skip, first, items: topology.items, ops, volumes };
  for (let node = skip.length - 1; node >= 0; node--) fitNode(tree, items, node, fit);
  if (counters) counters.updates += skip.length;
  return tree;
}

/**
 * Makes the volume of one node anew; those of its children must be right.
 *
 * @internal
 */
export function fitNode<V>(tree: Tree<V>, items: TreeItems, node: number, fit: TreeFit): void {
  const { ops, skip, volumes } = tree;
  const inner = skip[node]! > node + 1;
  const size = ops.byteSize / 4;
  const volume =
    inner && (fit === 'merge' || mergesTightly(ops.kind))
      ? mergeChildren(tree, node)
      : ops.fitPoints(pointsBelow(tree, items, node));
  ops.store(volume, volumes, node * size);
}

/** The extents of a merge are the extents of what was merged. */
const mergesTightly = (kind: string): boolean => kind === 'aabb' || kind.startsWith('kdop');

function mergeChildren<V>({ ops, skip, volumes }: Tree<V>, node: number): V {
  const size = ops.byteSize / 4;
  let volume = ops.load(volumes, (node + 1) * size);
  for (let child = skip[node + 1]!; child < skip[node]!; child = skip[child]!)
    volume = ops.merge(volume, ops.load(volumes, child * size));
  return volume;
}

/** Points around the items below a node: of axis-aligned boxes their own ends will do. */
function pointsBelow<V>(
  { ops, skip, first, items: order }: Tree<V>,
  items: TreeItems,
  node: number,
): number[] {
  const points: number[] = [];
  for (let i = first[node]!; i < first[skip[node]!]!; i++) {
    const item = order[i]!;
    if (ops.kind !== 'aabb') items.points(item, points);
    else for (let j = 6 * item; j < 6 * item + 6; j++) points.push(items.bounds[j]!);
  }
  return points;
}
