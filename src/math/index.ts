/** Numbers and vectors: the ground floor. RTCD chapters 3 and 11. */
export * from './accurate.ts';
export type { Barycentric, Barycentric4, BarycentricFrame } from './barycentric.ts';
export {
  BarycentricRegion,
  barycentricFrame,
  barycentricInFrame,
  barycentricRegion,
  barycentricTetrahedron,
  barycentricTriangle,
  barycentricTriangleFlat,
  interpolate,
  interpolateVec3,
  isConvexCombination,
  makeBarycentric,
  makeBarycentric4,
  makeBarycentricFrame,
} from './barycentric.ts';
export * from './eigen.ts';
export * from './float.ts';
export type { Interval, ReadonlyInterval } from './interval.ts';
export * as interval from './interval.ts';
export { makeInterval } from './interval.ts';
export type { Plucker, ReadonlyPlucker } from './line.ts';
export { collinear, makePlucker, pluckerFromMotion, pluckerFromPoints, pluckerSide } from './line.ts';
export * as m2 from './mat2.ts';
export * as m3 from './mat3.ts';
export {
  containsHalfspacePoint,
  containsOpenHalfspacePoint,
  dihedralAngle,
  flipPlane,
  normalizePlane,
  planeFromNormal,
  planeFromPointNormal,
  planeFromPoints,
  planeSide,
  planeValue,
  quadArea,
  transformPlane,
} from './plane.ts';
export * as poses from './pose.ts';
export * from './predicates.ts';
export * as q4 from './quat.ts';
export * from './roots.ts';
export type { Line2, LineMeeting } from './solve.ts';
export {
  determinant4x4,
  makeLineMeeting,
  meetLines2,
  solve2x2,
  solve3x3,
  solveNxN,
  solveUnknown3x3,
} from './solve.ts';
export * from './tolerance.ts';
export type { SinCos } from './trig.ts';
export { acos, asin, atan, atan2, cos, makeSinCos, oneMinusCos, sin, sincos, tan } from './trig.ts';
export * from './types.ts';
export * as v2 from './vec2.ts';
export * as v3 from './vec3.ts';
