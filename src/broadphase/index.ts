/** Broad phases: boxes that move, and which of them meet. RTCD chapters 6 and 7. */
export type { BitGridOptions } from './bit-grid.ts';
export { BitGrid } from './bit-grid.ts';
export type { BoxVisitor, BroadPhase, PairVisitor, RayVisitor, Reach } from './broad-phase.ts';
export type { InsertionSearch } from './dynamic-insertion.ts';
export type { InsertManyOptions } from './dynamic-tree.ts';
export { DynamicTree } from './dynamic-tree.ts';
export { validateDynamicTree } from './dynamic-validation.ts';
export { HierarchicalGrid } from './hierarchical-grid.ts';
export type { IncrementalSweepOptions } from './incremental-sweep.ts';
export { IncrementalSweep } from './incremental-sweep.ts';
export type { DynamicTreeOptions } from './incremental-tree.ts';
// Octrees
export { LooseOctree } from './loose-octree.ts';
export type { PairList } from './pair-list.ts';
export { makePairList } from './pair-list.ts';
export { SortAndSweep } from './sort-and-sweep.ts';
export { TreeBroadPhase } from './tree-broad-phase.ts';
