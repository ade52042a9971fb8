/** Questions about any shapes, in world space. */

export type {
  Motion,
  RigidMotion,
  Rotation,
  Translation,
  TranslationAndRotation,
} from '../continuous/motion.ts';
export type { NumberList, StridedNumbers } from '../math/number-list.ts';
export type { Body } from './body.ts';
export type { CastOptions } from './cast.ts';
export { cast } from './cast.ts';
export type { ClosestPointOptions } from './closest-point.ts';
export { closestPoint } from './closest-point.ts';
export type { ContactsOptions } from './contacts.ts';
export { contacts } from './contacts.ts';
export { contains } from './contains.ts';
export type { DistanceOptions } from './distance.ts';
export { distance } from './distance.ts';
export { intersects } from './intersects.ts';
export type {
  CastHits,
  CastList,
  ClosestPoints,
  ManyCastOptions,
  ManyPointOptions,
  ManyPoseOptions,
  ManyRayOptions,
  PoseList,
  RayHits,
} from './many.ts';
export { castMany, closestPointMany, intersectsMany, raycastMany } from './many.ts';
export type { RaycastOptions } from './raycast.ts';
export { raycast } from './raycast.ts';
export { signedDistance } from './signed-distance.ts';
export { sweptBoundsOf } from './swept-bounds.ts';
export type { Lane, LaneOptions, QueryWorkersOptions } from './workers.ts';
export { QueryWorkers } from './workers.ts';
