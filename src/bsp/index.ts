/** Binary space partitioning: trees of polygons, and of solids. RTCD ch. 8. */
export {};
