/** When a moving body first touches another. */
import type { Motion } from '../continuous/motion.ts';
import { mustBeDistance } from '../math/check.ts';
import type { CastHit } from '../shapes/results.ts';
import type { Body } from './body.ts';
import { castMotions, RESTING } from './cast-motions.ts';
import { mustBeBody, mustBeKnownOptions } from './check.ts';

export type { Motion } from '../continuous/motion.ts';

export interface CastOptions {
  /** The motion of the target in the same time. Default: it rests. */
  readonly targetMotion?: Motion | undefined;
  /** Later hits do not count. Default: 1, the whole motion. */
  readonly maxT?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: CastHit | undefined;
}

const OPTIONS = ['targetMotion', 'maxT', 'out'];

/**
 * When and where does the mover, moved along the motion, first touch the target? Null when it does not. `t` is a
 * fraction of the motion in [0, 1]; a start in touch hits at t = 0, one in overlap with a point of both bodies. Never late,
 * and early by no more than 1e-6 of the sizes of the bodies. The point is where they touch at that time, the target having
 * moved too. Rotations are followed by the method of the two shapes: conservative advancement of convex shapes and half-spaces,
 * the exact sweep of what has flat sides onto meshes; docs/continuous.md has the table. Bodies that start within 1e-7 of their
 * sizes of each other, and do not touch, may go out and along. RTCD §2.4.3.
 */
export function cast(mover: Body, motion: Motion, target: Body, options?: CastOptions): CastHit | null {
  mustBeBody('cast', 'mover', mover);
  mustBeBody('cast', 'target', target);
  if (options === undefined) return castMotions(mover, motion, target, RESTING);
  mustBeKnownOptions('cast', options, OPTIONS);
  const { targetMotion = RESTING, maxT, out } = options;
  if (maxT === undefined) return castMotions(mover, motion, target, targetMotion, out);
  mustBeDistance('cast', 'options.maxT', maxT);
  const hit = castMotions(mover, motion, target, targetMotion, out);
  return hit !== null && hit.t <= maxT ? hit : null;
}
