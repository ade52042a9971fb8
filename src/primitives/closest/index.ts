/** Closest points and distances. RTCD §5.1. */
export {
  closestPointAabb,
  closestPointObb,
  distanceSqPointAabb,
  distanceSqPointObb,
} from './box.ts';
export { closestPointsLineLine, overlapLineLine } from './line-line.ts';
export {
  closestParameterLine,
  closestParameterRay,
  closestParameterSegment,
  closestPointLine,
  closestPointRay,
  closestPointSegment,
  distanceSqPointLine,
  distanceSqPointRay,
  distanceSqPointSegment,
} from './linear.ts';
export { closestPointPlane, signedDistancePointPlane } from './plane.ts';
export { closestPointPolyhedron } from './polyhedron.ts';
export {
  closestPointCenteredRectangle,
  closestPointRectangle,
  distanceSqPointCenteredRectangle,
  distanceSqPointRectangle,
} from './rectangle.ts';
export {
  closestPointCapsule,
  closestPointCone,
  closestPointCylinder,
  closestPointDisc,
  closestPointSphere,
  distancePointCapsule,
  distancePointCone,
  distancePointCylinder,
  distancePointDisc,
  distancePointSphere,
} from './round.ts';
export { crossSegmentSegment2d } from './segment-crossing.ts';
export { closestPointsSegmentSegment, distanceSqSegmentSegment } from './segment-segment.ts';
export { closestPointsSegmentTriangle } from './segment-triangle.ts';
export { closestPointTetrahedron } from './tetrahedron.ts';
export { closestFeatureTriangle, closestPointTriangle, distanceSqPointTriangle } from './triangle.ts';
export { closestPointsTriangleTriangle } from './triangle-triangle.ts';
export type {
  CrossingKind,
  SegmentCrossing,
  SegmentPair,
  TriangleFeature,
  TrianglePoint,
} from './types.ts';
export { makeSegmentCrossing, makeSegmentPair, makeTrianglePoint } from './types.ts';
