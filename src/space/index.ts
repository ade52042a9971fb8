/** Spatial partitioning: grids, octrees, k-d trees, cells and portals. RTCD ch. 7. */

// Cells and portals
export type { CellCounters, CellOptions, CellVolume, ConvexCell, Portal } from './cells-and-portals.ts';
export { CellsAndPortals } from './cells-and-portals.ts';
// Grids of points
export type { PointGridOptions, PointPairVisitor } from './point-grid.ts';
export { PointGrid } from './point-grid.ts';
// Indexes of points
export type { PointIndex, PointVisitor } from './point-index.ts';
