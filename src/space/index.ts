/** Spatial partitioning: grids, octrees, k-d trees, cells and portals. RTCD ch. 7. */
export {};
