/** Convex sets: distance, penetration, first contact. RTCD chapter 9. */
export { overlapPolyhedronBoundaries } from './boundary-test.ts';
export { castConvex } from './cast.ts';
export type { ConvexCore } from './core.ts';
export { supportCore } from './core.ts';
export type { DirectionTree } from './direction-tree.ts';
export { directionTree, supportIndexDirectionTree } from './direction-tree.ts';
export {
  closestPointNestedHulls,
  containsNestedHullsPoint,
  overlapNestedHulls,
  supportIndexNestedHulls,
} from './dk-queries.ts';
export type { NestedHulls } from './dobkin-kirkpatrick.ts';
export { nestedHulls } from './dobkin-kirkpatrick.ts';
export type { EliminationOptions } from './fourier-motzkin.ts';
export { feasiblePoint, inequalityRange } from './fourier-motzkin.ts';
export type { Frame } from './frame.ts';
export { makeFrame, relativeFrame } from './frame.ts';
export type { GjkResult } from './gjk.ts';
export { gjkDistance, makeGjkResult } from './gjk.ts';
export { GjkCache } from './gjk-cache.ts';
export { gjkOverlap } from './gjk-overlap.ts';
export type { GjkState } from './gjk-state.ts';
export { makeGjkState } from './gjk-state.ts';
export type { HullDistance } from './hull-distance.ts';
export { hullDistance, makeHullDistance } from './hull-distance.ts';
export type { LinearInequality } from './inequality.ts';
export { commonPointHalfspaces, separatingPlanePoints } from './lp-overlap.ts';
export type { Manifold, ManifoldPoint, Touch } from './manifold.ts';
export { convexManifold, makeManifold } from './manifold.ts';
export type { Penetration as ConvexPenetration } from './penetration.ts';
export { makePenetration as makeConvexPenetration, penetration } from './penetration.ts';
export type { LinearOptimum, LinearProgramOptions } from './seidel.ts';
export { linearProgram, makeLinearOptimum } from './seidel.ts';
export type { SeparatingVector } from './separating-vector.ts';
export { makeSeparatingVector, overlapBySeparatingVector } from './separating-vector.ts';
export type { CoreFaces } from './supporting-face.ts';
export { overlapSweptConvex } from './swept-gjk.ts';
export type { FeatureDistance, FeaturePair } from './v-clip.ts';
export { closestFeatures, makeFeatureDistance, makeFeaturePair } from './v-clip.ts';
