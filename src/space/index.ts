/** Ways to divide space, and to sort what is in it. RTCD chapter 7. */
export type { PairList } from './box-set.ts';
export { HierarchicalGrid } from './hierarchical-grid.ts';
export { makePairList } from './pair-list.ts';
export { SortAndSweep } from './sort-and-sweep.ts';
