/** Many colliders, queries of all of them, and events when they begin and cease to touch. */
export type { ColliderOptions, Use, WorldCollider } from './collider-record.ts';
export { linesAabb, linesOfBody, linesOfQueries, linesOfTree, linesOfWorld } from './debug-lines.ts';
export type { DebugWorldOptions, MismatchReport } from './debug-world.ts';
export { DebugWorld, WorldMismatch } from './debug-world.ts';
export type { Filter, PairFilter } from './filter.ts';
export type { PairEvent, UpdateStats } from './pair-manager.ts';
export type { LoggedQuery, QueryName } from './query-log.ts';
export { QueryLog, replayQueries } from './query-log.ts';
export type { WorldHit, WorldSeparation } from './results.ts';
export { makeWorldHit, makeWorldSeparation } from './results.ts';
export type { HitMode } from './scene-query.ts';
export type { ColliderSnapshot, WorldSnapshot } from './snapshot.ts';
export type { FixedStepOptions, Impact, ImpactResponse, Mover, StepOptions } from './step.ts';
export { slideOff, stepFixed, stepSequential, stepSimultaneous } from './step.ts';
export type {
  ColliderChange,
  HitOptions,
  SceneQueryOptions,
  WorldContactsOptions,
  WorldNearestOptions,
  WorldOptions,
  WorldOverlapsOptions,
  WorldRaycastOptions,
} from './world.ts';
export { World } from './world.ts';
