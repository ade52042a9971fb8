/** Colliders by the thousand, and questions about all of them. */
export { linesAabb, linesOfBody, linesOfQueries, linesOfTree, linesOfWorld } from './debug-lines.ts';
export type { ColliderOptions, Use, WorldCollider } from './entry.ts';
export type { Filter, PairFilter } from './filter.ts';
export type { PairEvent, UpdateStats } from './pair-keeper.ts';
export type { LoggedQuery, QuestionName } from './query-log.ts';
export { QueryLog, replayQueries } from './query-log.ts';
export type { WorldContact, WorldHit, WorldNearest } from './results.ts';
export { makeWorldContact, makeWorldHit, makeWorldNearest } from './results.ts';
export type { ColliderSnapshot, WorldSnapshot } from './snapshot.ts';
export type { FixedStepOptions, Impact, ImpactResponse, Mover, StepOptions } from './step.ts';
export { slideOff, stepFixed, stepSequential, stepSimultaneous } from './step.ts';
export type { MismatchReport } from './watch.ts';
export { WorldMismatch } from './watch.ts';
export type { ColliderChange, WorldOptions } from './world.ts';
export { World } from './world.ts';
