/** Convex sets: distance, penetration, first contact, manifolds. RTCD chapter 9. */
export { castConvex } from './cast.ts';
export type { ConvexCore } from './core.ts';
export { supportCore } from './core.ts';
export type { Frame } from './frame.ts';
export { makeFrame, relativeFrame } from './frame.ts';
export type { GjkResult } from './gjk.ts';
export { gjkDistance, gjkOverlap, makeGjkResult } from './gjk.ts';
export type { GjkState } from './gjk-state.ts';
export { makeGjkState } from './gjk-state.ts';
export type { ConvexBody, Manifold, ManifoldPoint, Touch } from './manifold.ts';
export { convexManifold, makeManifold } from './manifold.ts';
export type { Penetration as ConvexPenetration } from './penetration.ts';
export { makePenetration as makeConvexPenetration, penetration } from './penetration.ts';
export type { CoreFaces } from './supporting-face.ts';
