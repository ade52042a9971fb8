/** Spatial partitioning: grids, octrees, k-d trees, cells and portals. RTCD ch. 7. */

export type { BoxGridOptions } from './box-grid.ts';
export { BoxGrid } from './box-grid.ts';
export type { BoxIndex, BoxVisitor, RayVisitor } from './box-index.ts';
export type { CellSize } from './cell-size.ts';
export { suggestCellSize } from './cell-size.ts';
export type { CellCounters, CellOptions, CellVolume, ConvexCell, Portal } from './cells-and-portals.ts';
export { CellsAndPortals } from './cells-and-portals.ts';
export type { CellVisitor } from './grid-walk.ts';
export { walkGrid } from './grid-walk.ts';
export type { KdTreeOptions } from './kd-tree.ts';
export { KdTree } from './kd-tree.ts';
export type { LinearOctreeOptions } from './linear-octree.ts';
export { LinearOctree } from './linear-octree.ts';
export {
  cellOfCode,
  childCode,
  depthOfCode,
  locationalCode,
  locationalCodeAt,
  parentCode,
} from './locational-code.ts';
export type { MortonWords } from './morton.ts';
export { decodeMorton2, decodeMorton3, decodeMortonWide3, morton2, morton3, mortonWide3 } from './morton.ts';
export type { PointGridOptions, PointPairVisitor } from './point-grid.ts';
export { PointGrid } from './point-grid.ts';
export type { PointIndex, PointVisitor } from './point-index.ts';
export { Mailboxes, Stamps } from './stamps.ts';
export { StaticTree } from './static-tree.ts';
