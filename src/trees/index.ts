/** Bounding-volume hierarchies: build, search, refit, pack. RTCD chapter 6. Other builders and layouts: `graze/rtcd`. */

export type { BuildOptions, TreeMethod } from './build.ts';
export { buildTree } from './build.ts';
export type { TreeCosts, TreeCounters } from './counters.ts';
export { makeTreeCounters, treeCost } from './counters.ts';
export type { Descent, DescentRule, SizeMeasure } from './descent.ts';
export { boxItems, pointItems, sphereItems, triangleItems } from './items.ts';
export type { TreeMeasure } from './metrics.ts';
export { measureTree, validateTree } from './metrics.ts';
export type { MortonOptions } from './morton.ts';
export type { PackedTree } from './packed-tree.ts';
export type { PairOptions, PairVisit } from './pair-search.ts';
export { PairSearch, treePairs } from './pair-search.ts';
export type { BoxAxes, PairTestOptions } from './pair-test.ts';
export type { ItemVisit, NearestOptions, QueryOptions, TreeStart } from './query.ts';
export { nearestTree, queryTree, queryTreePoint, rayTree, startGroup } from './query.ts';
export type { TreeFit } from './refit.ts';
export { makeTreeRefitter, refitTree, TreeRefitter } from './refit.ts';
export type { SahOptions } from './sah.ts';
export type { SplitItems } from './split-items.ts';
export { splitItems } from './split-items.ts';
export type { Topology, Tree, TreeItems } from './tree.ts';
