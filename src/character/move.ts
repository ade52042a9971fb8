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
/** Where the last pass began. */
export const before = triple();
/** The time that it takes. */
export const clock = { dt: 0.5 };
