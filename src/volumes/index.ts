/** Bounding volumes. RTCD chapter 4. */

export type { Axis } from './aabb.ts';
export {
  areaAabb,
  containsAabbAabb,
  containsPointAabb,
  expandAabb,
  fitAabb,
  growAabb,
  intersectAabb,
  mergeAabb,
  overlapAabbAabb,
  sideAabbPlane,
  sweptAabb,
  translateAabb,
  volumeAabb,
} from './aabb.ts';
export type { CenterAabb, ReadonlyCenterAabb, ReadonlyWidthAabb, WidthAabb } from './aabb-forms.ts';
export {
  aabbFromCenter,
  aabbFromWidth,
  centerFromAabb,
  makeCenterAabb,
  makeWidthAabb,
  overlapCenterAabbs,
  overlapIntegerAabbs,
  overlapWidthAabbs,
  widthFromAabb,
} from './aabb-forms.ts';
export {
  fitAabbSphere,
  fitAabbSpinning,
  overlapPosedAabbs,
  transformAabb,
  transformCenterAabb,
} from './aabb-transform.ts';
export { aabbVolume, roundAabbF32 } from './aabb-volume.ts';
export { containsPointCapsule, fitCapsule, overlapCapsuleCapsule, overlapSphereCapsule } from './capsule.ts';
export type { Ellipsoid, ReadonlyEllipsoid } from './ellipsoid.ts';
export { containsPointEllipsoid, makeEllipsoid, overlapEllipsoidTriangle } from './ellipsoid.ts';
export type { Kdop, KdopSides, ReadonlyKdop } from './kdop.ts';
export {
  containsPointKdop,
  fitKdop,
  kdopAxes,
  makeKdop,
  mergeKdop,
  overlapKdopKdop,
  rayKdop,
  translateKdop,
} from './kdop.ts';
export {
  areaObb,
  containsPointObb,
  cornersObb,
  mergeObb,
  OBB_FLOATS,
  sideObbPlane,
  transformObb,
  volumeObb,
} from './obb.ts';
export type { ObbFit } from './obb-fit.ts';
export { fitObb } from './obb-fit.ts';
export { overlapObbObb, overlapObbObbCoarse, overlapObbObbUpright } from './obb-overlap.ts';
export type { PointSet, PointSet2 } from './point-set.ts';
export type { Extremes, HullFirst } from './point-set-spread.ts';
export { covariancePoints, extremePoints, hullFirst, makeExtremes, meanPoint } from './point-set-spread.ts';
export type { Rectangle2 } from './rectangle.ts';
export { fitRectangle2, makeRectangle2 } from './rectangle.ts';
export type { SlabVolume } from './slab.ts';
export { fitSlabs, raySlabs } from './slab.ts';
export {
  areaSphere,
  containsPointSphere,
  containsSphereSphere,
  fitSphereAabb,
  growSphere,
  mergeSphere,
  overlapSphereSphere,
  sideSpherePlane,
  transformSphere,
  volumeSphere,
} from './sphere.ts';
export type { IterativeFitOptions } from './sphere-fit.ts';
export { fitSphereIterative, fitSphereMidpoint, fitSphereRitter, fitSphereSpread } from './sphere-fit.ts';
export type { Circle } from './sphere-minimum.ts';
export { fitCircleMinimum, fitSphereMinimum, fitSphereSpheres, makeCircle } from './sphere-minimum.ts';
export type { VolumeOps } from './volume.ts';
