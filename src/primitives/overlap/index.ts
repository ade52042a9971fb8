export { coneFromHalfAngle } from './cone.ts';
export {
  overlapAabbHalfspace,
  overlapAabbPlane,
  overlapConeHalfspace,
  overlapConePlane,
  overlapObbHalfspace,
  overlapObbPlane,
  overlapSphereHalfspace,
  overlapSpherePlane,
} from './plane.ts';
export type { PlaneConfiguration } from './plane-plane.ts';
export { classifyPlanePlanePlane, intersectPlanePlane, intersectPlanePlanePlane } from './plane-plane.ts';
export type { Penetration, PolyhedronFeature, SeparatingAxis } from './polyhedron-polyhedron.ts';
export {
  makePenetration,
  makeSeparatingAxis,
  overlapPolyhedronPolyhedron,
  penetrationPolyhedronPolyhedron,
} from './polyhedron-polyhedron.ts';
export {
  intersectSphereAabb,
  intersectSphereObb,
  overlapSphereAabb,
  overlapSphereObb,
} from './sphere-box.ts';
export { overlapSpherePolygon } from './sphere-polygon.ts';
export { intersectSphereTriangle, overlapSphereTriangle } from './sphere-triangle.ts';
export { overlapTriangleAabb, overlapTriangleObb } from './triangle-box.ts';
export { overlapTriangleTriangle } from './triangle-triangle.ts';
export type { Segment } from './triangle-triangle-segment.ts';
export { intersectTriangleTriangle, makeSegment } from './triangle-triangle-segment.ts';
