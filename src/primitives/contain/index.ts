export {
  containsAabbHalfspace,
  containsConeHalfspace,
  containsObbHalfspace,
  containsSphereHalfspace,
} from './halfspace.ts';
export { containsPointHull } from './point-hull.ts';
export { containsPointConvexPolygon, containsPointPolygon, containsPointTile } from './point-polygon.ts';
export { containsPointPolyhedron, containsPointTriangles } from './point-polyhedron.ts';
export {
  containsPointTriangle,
  containsPointTriangle2d,
  containsPointTriangleCcw2d,
} from './point-triangle.ts';
