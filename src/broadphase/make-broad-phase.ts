/** The broad phases by name. */
import { describe, refuse } from '../math/check.ts';
import type { BroadPhase } from './broad-phase.ts';
import type { DynamicTreeOptions } from './dynamic-tree.ts';
import { HierarchicalGrid } from './hierarchical-grid.ts';
import { SortAndSweep } from './sort-and-sweep.ts';
import { TreeBroadPhase } from './tree-broad-phase.ts';

/** `tree`: `TreeBroadPhase`; `sweep`: `SortAndSweep`; `grid`: `HierarchicalGrid`. */
export type BroadPhaseKind = 'tree' | 'sweep' | 'grid';

/**
 * A broad phase without boxes. 'tree': a hierarchy of boxes, good for most worlds, and for rays above all. 'sweep': boxes
 * sorted along an axis, for worlds where most of them move all the time. 'grid': cells of all sizes, where moving costs
 * least. The options are those of the tree.
 */
export function makeBroadPhase(kind: BroadPhaseKind = 'tree', options: DynamicTreeOptions = {}): BroadPhase {
  switch (kind) {
    case 'tree':
      return new TreeBroadPhase(options);
    case 'sweep':
      return new SortAndSweep();
    case 'grid':
      return new HierarchicalGrid();
    default:
      return refuse('makeBroadPhase', 'kind', `must be 'tree', 'sweep' or 'grid', got ${describe(kind)}`);
  }
}
