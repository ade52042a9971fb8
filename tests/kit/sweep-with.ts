/** Sweeps with a context of one's own: with other switches, or to count what was given up. */
import {
  readOptions,
  readSweep,
  runSweep,
  type SweepOptions,
  sweepTranslation,
} from '../../src/continuous/sweep.ts';
import { SweepContext } from '../../src/continuous/sweep-context.ts';
import type { PolyhedralModel, SweepHit, SweepMotion } from '../../src/continuous/types.ts';
import type { ReadonlyPose } from '../../src/math/types.ts';

export type Sweep = (
  mover: PolyhedralModel,
  moverPose: ReadonlyPose,
  motion: SweepMotion,
  target: PolyhedralModel,
  targetPose: ReadonlyPose,
  options?: SweepOptions,
) => SweepHit | null;

/** `sweepPolyhedra` in a context. */
export const sweepWith =
  (context = new SweepContext()): Sweep =>
  (mover, moverPose, motion, target, targetPose, options) => {
    readSweep(context, mover, moverPose, motion, target, targetPose);
    readOptions(context, options);
    return runSweep(context, options?.out, sweepTranslation);
  };
