/** Questions about any shapes, in world space. */
export type { Body } from './body.ts';
export { cast } from './cast.ts';
export { castMoving } from './cast-moving.ts';
export { closestPoint } from './closest-point.ts';
export { contacts } from './contacts.ts';
export { contains } from './contains.ts';
export { distance } from './distance.ts';
export { intersects } from './intersects.ts';
export type { ClosestPoints, RayHits } from './many.ts';
export { closestPointMany, intersectsMany, raycastMany } from './many.ts';
export type { Motion, RigidMotion, Rotation, Translation, TranslationAndRotation } from './motion.ts';
export { raycast, raycastAny } from './raycast.ts';
export type { BodyPart, CastHit, ClosestPoint, Contact, Separation } from './results.ts';
export { makeBodyPart, makeCastHit, makeClosestPoint, makeSeparation } from './results.ts';
export { signedDistance } from './signed-distance.ts';
export { sweptBoundsOf } from './swept-bounds.ts';
