export { sweepAabbAabb, sweepObbObb } from './box-box.ts';
export { sweepAabbTriangle } from './box-triangle.ts';
export { sweepCapsuleCapsule, sweepCapsuleSphere, sweepCapsuleTriangle } from './capsule.ts';
export { sweepAabbPlane, sweepCapsulePlane, sweepObbPlane, sweepSpherePlane } from './plane.ts';
export { sweepPolyhedronPolyhedron } from './polyhedron-polyhedron.ts';
export { sweepSphereAabb, sweepSphereObb } from './sphere-box.ts';
export { sweepSphereCylinder } from './sphere-cylinder.ts';
export { sweepSpherePolygon } from './sphere-polygon.ts';
export {
  sweepSphereCapsule,
  sweepSpherePoint,
  sweepSphereSegment,
  sweepSphereSphere,
} from './sphere-round.ts';
export { sweepSphereTriangle } from './sphere-triangle.ts';
export type { SweepSpan, TimeHit } from './types.ts';
export { makeSweepSpan, makeTimeHit } from './types.ts';
