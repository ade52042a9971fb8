/**
 * The last word of a sweep. Before a pose is returned, the polygons near each other in it are judged (pose-clearance.ts),
 * and if the mover has come nearer to the target than it may, the time goes back to one at which it has not: in the end to
 * the start, which is clear by definition. So whatever the search says of features that touch, a sweep does not end in
 * the target.
 */
import { pose } from '../math/types.ts';
import type { SweepJob } from './job.ts';
import { makeClearance, measureClearance, measureNearest } from './pose-clearance.ts';
import { turn } from './rotate-state.ts';
import { borderStops, isOpenSheet } from './sweep-border.ts';
import { poseAt, type SweepCourse } from './sweep-course.ts';
import { provenWay } from './sweep-way.ts';

const here = pose();
const clear = makeClearance();

/** Of the thickness: nobody comes nearer who was not so at the start. Contacts are 1/64 off at the most. */
const KEPT = 0.9375;
/** Of the largest coordinate: as near as that is in touch. */
const TOUCH = 1.4210854715202004e-14; // 2^-46
/** Of the largest coordinate: how deep rounding may bring what is in touch. */
const SUNK = 7.105427357601002e-15; // 2^-47

/** What is allowed: how near the two may be, and whether sides may go through polygons, as at the start. */
const allowed = { level: 0.5, cuts: false };

/**
 * Takes back the end of a course that is too near to the target: then `course.t` is less, and the job has the contact there.
 *
 * @internal
 */
export function judgeCourse(job: SweepJob, course: SweepCourse): void {
  if (course.t === 0) return;
  const reach = KEPT * job.thickness;
  clear.reach = reach;
  clear.budget = MOST_TOUCHING;
  measureAt(job, course, course.t);
  const hasBorder = isOpenSheet(job.mover) || isOpenSheet(job.target);
  if (clear.least >= reach && !hasBorder && !job.unproved) return;
  const { least, cuts } = clear;
  measureAt(job, course, 0);
  if (clear.budget <= 0) {
    turn.exhausted++;
    allowed.level = Number.NEGATIVE_INFINITY;
    takeBack(job, course, 0);
    return;
  }
  const start = clear.least;
  const touches = start <= TOUCH * job.magnitude;
  allowed.cuts = clear.cuts;
  if (touches) allowed.level = Math.min(0, start) - SUNK * job.magnitude;
  else allowed.level = start < reach ? Math.max(0.5 * start, start - job.slack) : reach;
  let { t } = course;
  // Directions between things in the zone may be no better than rounding: there it has to do that nothing is cut.
  if (start < reach) t = provenWay(job, course, t, Math.min(0, allowed.level) - 3 * SUNK * job.magnitude);
  else if (job.unproved) t = provenWay(job, course, t, 0.5 * allowed.level);
  if (hasBorder && allowed.level > 0) t = borderStops(job, course, t, allowed.level);
  clear.least = least;
  clear.cuts = cuts;
  if (t < course.t || !isClear()) takeBack(job, course, t);
}

const isClear = (): boolean => clear.least >= allowed.level && (allowed.cuts || !clear.cuts);

function measureAt(job: SweepJob, course: SweepCourse, t: number): void {
  measureClearance(job, poseAt(course, t, here), course.stand, clear);
}

/** Halvings: to the rounding of the time. */
const HALVINGS = 52;
/** In one verdict: with more pairs of polygons in touch, the motion ends where it is known to be clear. */
const MOST_TOUCHING = 262_144;

/** Goes back from the time `late`, at which the two are not clear, to the last one found at which they are. */
function takeBack(job: SweepJob, course: SweepCourse, late: number): void {
  let low = 0;
  let high = late;
  clear.stopBelow = allowed.level;
  clear.stopAtCut = !allowed.cuts;
  // Mostly a little is enough.
  for (let step = late * FIRST_STEP; step < late && clear.budget > 0; step *= 4) {
    measureAt(job, course, late - step);
    if (isClear() && clear.budget > 0) {
      low = late - step;
      break;
    }
    high = late - step;
  }
  for (let i = 0; i < HALVINGS && clear.budget > 0; i++) {
    const t = low + 0.5 * (high - low);
    if (!(t > low && t < high)) break;
    measureAt(job, course, t);
    if (isClear() && clear.budget > 0) low = t;
    else high = t;
  }
  clear.stopBelow = Number.NEGATIVE_INFINITY;
  clear.stopAtCut = false;
  if (clear.budget <= 0) clear.budget = MOST_TOUCHING / 4;
  // What is in the way: what is too near a moment later. For one that comes from outside, the nearest of all.
  measureAt(job, course, high);
  if (clear.moverFace < 0) {
    // Nothing: it has gone as far as was proved.
    clear.reach = Number.POSITIVE_INFINITY;
    measureAt(job, course, low);
  }
  const { moverFace, targetFace } = clear;
  if (allowed.level === clear.reach) {
    clear.reach = 2 * job.thickness;
    measureAt(job, course, low);
  }
  if (allowed.level < KEPT * job.thickness || clear.moverFace < 0) {
    clear.moverFace = moverFace;
    clear.targetFace = targetFace;
    measureNearest(job, poseAt(course, low, here), course.stand, clear);
  }
  course.t = low;
  job.found = true;
  job.gap = Math.max(0, clear.least);
  job.moverKind = clear.moverKind;
  job.moverFeature = clear.moverFeature;
  job.targetKind = clear.targetKind;
  job.targetFeature = clear.targetFeature;
  job.x = clear.x;
  job.y = clear.y;
  job.z = clear.z;
  job.nx = clear.nx;
  job.ny = clear.ny;
  job.nz = clear.nz;
}
const FIRST_STEP = 8.881784197001252e-16; // 2^-50
