/** A move under way, beside the stage: what is wanted of it. One for all characters; nothing of it lasts beyond a move. */
import { Constraints, triple } from './constraints.ts';

/** The planes that were touched. */
export const constraints = new Constraints();
/** Velocity × time, in the frame. */
export const motion = triple();
/** Where it wants to get, in the frame. */
export const wanted = triple();
/** Its velocity, in the frame. */
export const speed = triple();
/** Where the last slide began, and its last pass. */
export const start = triple();
export const before = triple();
/** Walls and ceilings that were run into: what the velocity goes through. Through the origin. */
export const struck = new Constraints();
/** The time that it takes. */
export const clock = { dt: 0.5 };
