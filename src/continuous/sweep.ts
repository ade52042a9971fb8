/** The first contact of a polyhedron that moves, with one that stands still. van Waveren 2005. */
import { describe, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { releaseJob, type SweepJob, sweepJob } from './job.ts';
import { defaultThickness } from './model.ts';
import { checkPose, makeMotionParts, partsAlong, readMotion } from './motion.ts';
import { checkModel, largestOf, largestStanding, placeStanding, writeContact } from './place.ts';
import { rotateModel } from './rotate.ts';
import { startInside, startOverlap } from './start-overlap.ts';
import type { SweepCourse } from './sweep-course.ts';
import { judgeCourse } from './sweep-verdict.ts';
import { translateModel } from './translate.ts';
import type { PolyhedralModel, SweepHit, SweepMotion } from './types.ts';
import { makeSweepHit } from './types.ts';

export interface SweepOptions {
  /**
   * How near the two may come: the thickness of the zone about the target that the mover is kept out of. Without it, a
   * millionth of the extent of the smaller one.
   */
  readonly thickness?: number;
  /** The part of the motion to look at: 1 unless given. */
  readonly maxT?: number;
}

const parts = makeMotionParts();
const start = pose();
const stand = pose();
const here = pose();
const NOTHING = {} as SweepMotion;
const course: SweepCourse = { from: start, motion: NOTHING, parts, stand, t: 0.5 };

/**
 * When and where does a polyhedron, on its way along a motion, first come as near to another as the thickness of the zone
 * (a millionth of the smaller one unless given)? Null when it does not, and the end of the motion can be taken. Otherwise
 * `poseAlong(from, motion, hit.t)` is clear of the target, and the gap there is the thickness, to within 1/64 of it. Nothing
 * passes through, however fast and wherever it grazes.
 *
 * A mover that starts nearer than that may go out and along, not nearer: where it would, it is stopped there, at t = 0
 * too. One that cuts through the target at the start hits at t = 0 with `penetrating`; its normal is against the motion.
 * A solid (`sides: 'front'`) is touched from outside only: it lets out what is inside.
 */
export function sweepPolyhedra(
  mover: PolyhedralModel,
  from: ReadonlyPose,
  motion: SweepMotion,
  target: PolyhedralModel,
  at: ReadonlyPose,
  options?: SweepOptions,
  out?: SweepHit,
): SweepHit | null {
  if (options !== undefined && options !== null)
    mustBeOptions('sweepPolyhedra', 'options', options, 'thickness maxT');
  checkModel('sweepPolyhedra', 'mover', mover);
  checkModel('sweepPolyhedra', 'target', target);
  checkPose('sweepPolyhedra', 'from', from);
  checkPose('sweepPolyhedra', 'at', at);
  readMotion('sweepPolyhedra', from, motion, parts);
  const maxT = options?.maxT ?? 1;
  if (!(typeof maxT === 'number' && maxT >= 0 && maxT <= 1))
    refuse('sweepPolyhedra', 'options.maxT', `must be in [0, 1], got ${describe(maxT)}`);
  normalizePose(from, start);
  normalizePose(at, stand);
  const job = sweepJob;
  job.mover = mover;
  job.target = target;
  setAccuracy(job, options);
  answer.maxT = maxT;
  answer.t = -1;
  sweepParts(job);
  if (!job.penetrating) {
    course.from = from;
    course.motion = motion;
    course.stand = at;
    course.t = answer.t >= 0 ? answer.t : maxT;
    judgeCourse(job, course);
  } else course.t = 0;
  let hit: SweepHit | null = null;
  if (job.found) {
    hit = out ?? makeSweepHit();
    hit.t = course.t;
    hit.penetrating = job.penetrating;
    writeContact(job, stand, hit);
  }
  releaseJob(job);
  course.from = course.stand = start;
  course.motion = NOTHING;
  return hit;
}

/** Of the largest coordinate: less would be eaten up by rounding. */
const LEAST_THICKNESS = 9.094947017729282e-13; // 2^-40
/** Of the largest coordinate: how much features in the zone may approach. */
const SLACK = 1 / 17592186044416; // 2^-44

/** How near is near, and what rounding is relative to: a bound for all coordinates that take part, here and in the world. */
function setAccuracy(job: SweepJob, options: SweepOptions | undefined): void {
  job.magnitude = largestStanding(job, start, stand);
  if (parts.moves)
    job.magnitude = Math.max(job.magnitude, largestOf(start.position) + largestOf(parts.translation));
  if (parts.turns) job.magnitude = Math.max(job.magnitude, largestOf(parts.pivot));
  if (parts.turnsFirst) job.magnitude += largestOf(parts.translation);
  job.slack = SLACK * job.magnitude;
  const given = options?.thickness;
  if (given === undefined) job.thickness = defaultThickness(job.mover, job.target, job.magnitude);
  else {
    const least = LEAST_THICKNESS * job.magnitude;
    mustNotBeNegative('sweepPolyhedra', 'options.thickness', given);
    if (given < least)
      refuse('sweepPolyhedra', 'options.thickness', `must be at least ${least}, or rounding shows`);
    job.thickness = given;
  }
}

function normalizePose(from: ReadonlyPose, out: Pose): void {
  v3.copy(from.position, out.position);
  q4.normalize(from.quaternion, out.quaternion);
}

/** The part of the motion to look at; the fraction at which it is stopped, or -1. */
const answer = { maxT: 0.5, t: 0.5 };

/** One part after the other, until something is in the way. */
function sweepParts(job: SweepJob): void {
  const { maxT } = answer;
  const { moves, turns, turnsFirst } = parts;
  const count = moves && turns ? 2 : 1;
  job.found = false;
  job.penetrating = false;
  job.unproved = false;
  job.vx = 0;
  job.vy = 0;
  job.vz = 0;
  if (moves) {
    v3.rotateInverse(parts.translation, stand.quaternion, moved);
    job.vx = moved.x;
    job.vy = moved.y;
    job.vz = moved.z;
  }
  for (let k = 0; k < count && (k === 0 || count * maxT > k); k++) {
    parts.t = k / count;
    placeStanding(job, k === 0 ? start : partsAlong(start, parts, here), stand);
    job.best = Math.min(1, count * maxT - k);
    const isTurn = turns && (!moves || turnsFirst === (k === 0));
    if (isTurn) sweepRotation(job, k, count);
    else sweepTranslation(job, k);
    if (!job.found) continue;
    answer.t = (k + job.best) / count;
    return;
  }
}

/** As far as `job.best`; as part k of the motion, or the whole of one that goes nowhere. */
function sweepTranslation(job: SweepJob, k: number): void {
  if (!parts.moves) {
    job.best = 0;
    startOverlap(job);
    return;
  }
  translateModel(job);
  if (k === 0 && !job.penetrating) startInside(job);
}

/** As far as `job.best`, as part k of `count`. */
function sweepRotation(job: SweepJob, k: number, count: number): void {
  const share = job.best;
  if (k === 0) {
    job.best = 0;
    if (startOverlap(job)) return;
  }
  const pieces = Math.ceil(Math.abs(parts.angle) / Math.PI);
  v3.rotateInverse(parts.axis, stand.quaternion, moved);
  job.kx = moved.x;
  job.ky = moved.y;
  job.kz = moved.z;
  v3.sub(parts.pivot, stand.position, moved);
  v3.rotateInverse(moved, stand.quaternion, moved);
  job.pivotX = moved.x;
  job.pivotY = moved.y;
  job.pivotZ = moved.z;
  job.angle = parts.angle / pieces;
  // Three pieces are a whole turn or all: more brings nothing new.
  for (let i = 0; i < Math.min(3, pieces) && i <= share * pieces; i++) {
    if (i > 0) {
      parts.t = (k + i / pieces) / count;
      placeStanding(job, partsAlong(start, parts, here), stand);
    }
    job.best = Math.min(1, share * pieces - i);
    rotateModel(job);
    if (!job.found) continue;
    job.best = Math.min(share, (i + job.best) / pieces);
    return;
  }
}

const moved = vec3(0.5, 0.5, 0.5);
