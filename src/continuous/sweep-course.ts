/** A sweep that was searched, and where it leads: what its last word is about. */
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type MotionParts, type PoseMotion, partsAlong } from './motion.ts';
import type { SweepMotion } from './types.ts';

export interface SweepCourse {
  from: ReadonlyPose;
  motion: SweepMotion;
  readonly parts: MotionParts;
  /** Where the target stands. */
  stand: ReadonlyPose;
  /** The fraction of the motion at which it ends: where the search stopped, or as far as was asked. */
  t: number;
}

/** The pose that the caller will see. @internal */
export function poseAt({ from, motion, parts }: SweepCourse, t: number, out: Pose): Pose {
  const { end } = motion as Partial<PoseMotion>;
  if (t === 1 && end) {
    v3.copy(end.position, out.position);
    q4.copy(end.quaternion, out.quaternion);
    return out;
  }
  parts.t = t;
  return partsAlong(from, parts, out);
}
