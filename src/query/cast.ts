/** When a moving body first touches another. */
import type { Body } from './body.ts';
import { castMotions, RESTING } from './cast-motions.ts';
import type { Motion } from './motion.ts';
import type { CastHit } from './results.ts';

export type { Motion } from './motion.ts';

/**
 * When and where does body a, on its way along the motion, first touch body b? Null when it does not. `t` is a fraction
 * of the motion in [0, 1]; a start in touch hits at t = 0, one in overlap with a point of both bodies. Never late, and early by no more than 1e-6 of the sizes of the
 * bodies. The point is where they touch then, with b where it stands. Turns of bodies with flat sides are swept exactly
 * (`sweepPolyhedra`); all other motions with a turn are followed by conservative advancement.
 */
export function cast(a: Body, motion: Motion, b: Body, out?: CastHit): CastHit | null {
  return castMotions('cast', a, motion, b, RESTING, out);
}
