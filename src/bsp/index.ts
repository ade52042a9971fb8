/** Binary space partitioning: trees of polygons, and of solids. RTCD ch. 8. */
export type { Brush } from './brush.ts';
export { brushPolyhedron } from './brush.ts';
export type { BspReport, BspTree } from './bsp-tree.ts';
export type { BspPolygonHit, LeafBsp, LeafBspOptions } from './leaf-bsp.ts';
export {
  buildLeafBsp,
  makeBspPolygonHit,
  polygonsAabbBsp,
  polygonsSphereBsp,
  rayLeafBsp,
} from './leaf-bsp.ts';
export type { BspFragment, NodeBsp } from './node-bsp.ts';
export { buildNodeBsp, visitBackToFront } from './node-bsp.ts';
export type { BspOptions } from './partition.ts';
export type { PlaneChoiceOptions, PlaneSource } from './plane-choice.ts';
export type { BspPortal } from './portals.ts';
export { portalsBsp } from './portals.ts';
export type { BspQuery, BspReplay } from './replay.ts';
export { replayBsp } from './replay.ts';
export type { SolidBsp } from './solid-bsp.ts';
export { buildBrushBsp, buildSolidBsp } from './solid-bsp.ts';
export type { BspHit } from './solid-queries.ts';
export {
  containsPointBsp,
  leafOfPointBsp,
  locatePointBsp,
  makeBspHit,
  overlapAabbBsp,
  overlapObbBsp,
  overlapPolygonBsp,
  overlapSphereBsp,
  rayBsp,
  sweepAabbBsp,
} from './solid-queries.ts';
export type { ExtentSide, PlaneSide, PolygonParts, ReadonlyThickPlane, ThickPlane } from './thick-plane.ts';
export {
  classifyPointThickPlane,
  classifyPolygonThickPlane,
  classifySegmentThickPlane,
  clipPolygonThickPlane,
  splitPolygonThickPlane,
  thickPlaneRadius,
} from './thick-plane.ts';
export { leavesInViewBsp } from './view.ts';
export type { BspVisibility } from './visibility.ts';
export { canSeeBsp, visibleLeavesBsp } from './visibility.ts';
