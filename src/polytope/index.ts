export { affineDimension } from './affine.ts';
export { convexHull2 } from './convex-hull2.ts';
export { convexHull3 } from './convex-hull3.ts';
export {
  eulerCharacteristic,
  isClosedMesh,
  isManifoldMesh,
  isOrientedMesh,
  vertexDegrees,
} from './mesh-facts.ts';
export { supportDifference, supportSum } from './minkowski-support.ts';
export { minkowskiDifference2, minkowskiSum2, overlapConvexPolygons2 } from './minkowski2.ts';
export { isSimplePolygon2, polygonHalfPlanes } from './polygon.ts';
export {
  isConvexPolygon,
  isConvexPolygon2,
  isConvexPolygonSlow2,
  isConvexQuad,
  isConvexQuad2,
} from './polygon-convexity.ts';
export { boxPolyhedron, polyhedron, polyhedronFromHull, vertexNeighbours } from './polyhedron.ts';
export type { PolyhedralSurface } from './polyhedron-convexity.ts';
export { isConvexPolyhedron, isLocallyConvexPolyhedron, vertexCentroid } from './polyhedron-convexity.ts';
export { quickhull2 } from './quickhull2.ts';
export {
  supportAabb,
  supportCapsule,
  supportCone,
  supportCylinder,
  supportObb,
  supportSphere,
} from './support.ts';
export type { SupportGraph } from './support-polytope.ts';
export { climbToSupport, supportGraph, supportIndex, supportPoints } from './support-polytope.ts';
export type {
  FeaturePoint,
  HalfPlane,
  Hull,
  Polyhedron,
  ReadonlyFeaturePoint,
  ReadonlyHull,
  ReadonlyPolyhedron,
  SupportMap,
} from './types.ts';
export { makeFeaturePoint } from './types.ts';
export { voronoiFeature } from './voronoi.ts';
export type { EdgeRegion, FaceRegion, VertexRegion, VoronoiRegions } from './voronoi-regions.ts';
export { voronoiRegions } from './voronoi-regions.ts';
