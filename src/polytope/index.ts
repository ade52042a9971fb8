/** Polygons and polyhedra: hulls and affine sets. RTCD chapter 3. */
export { affineDimension } from './affine.ts';
export { convexHull2 } from './convex-hull2.ts';
export { convexHull3 } from './convex-hull3.ts';
export { boxPolyhedron, polyhedron, polyhedronFromHull, vertexNeighbours } from './polyhedron.ts';
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
