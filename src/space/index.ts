/** Spatial partitioning: grids, octrees, k-d trees, cells and portals. RTCD ch. 7. */

// Grids of points
export type { PointGridOptions, PointPairVisitor } from './point-grid.ts';
export { PointGrid } from './point-grid.ts';
// Indexes of points
export type { PointIndex, PointVisitor } from './point-index.ts';
