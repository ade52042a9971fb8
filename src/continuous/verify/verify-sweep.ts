/**
 * The last word of a sweep. Before a pose is returned, the polygons near each other in it are measured (pose-clearance.ts),
 * and if the mover has come nearer to the target than it may, the time goes back to one at which it has not: in the end to
 * the start, which is clear by definition. So whatever the search says of features that touch, a sweep does not end in
 * the target.
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { pose } from '../../math/types.ts';
import { copyContact } from '../feature-contact.ts';
import { isOpenSheet } from '../features.ts';
import { poseAt, type SweepContext } from '../sweep-context.ts';
import { borderClearUntil } from './border-proof.ts';
import { provenUntil } from './path-proof.ts';
import { measureClearance, measureFaces } from './pose-clearance.ts';

const here = pose();

/** Of the thickness: nothing comes nearer that was not so at the start. Contacts are 1/64 off at the most. */
const KEPT = 0.9375;
/** Of the largest coordinate: as near as that is in touch. */
const TOUCH = 128 * UNIT_ROUNDING;
/** Of the largest coordinate: how deep rounding may bring what is in touch. */
const SUNK = 64 * UNIT_ROUNDING;
/** For one sweep: with more pairs of polygons in touch, the motion ends where it is known to be clear. */
const MOST_TOUCHING = 131_072;

/**
 * Takes back the end of a sweep that is too near to the target: then `context.t` is less, and the context has the contact there.
 *
 * @internal
 */
export function verifySweep(context: SweepContext): void {
  const { clearance, faces, mover, target, magnitude } = context;
  if (context.t === 0) return;
  const reach = KEPT * context.thickness;
  clearance.reach = reach;
  clearance.budget = MOST_TOUCHING;
  measureAt(context, context.t);
  const hasBorder = isOpenSheet(mover) || isOpenSheet(target);
  if (faces.contact.gap >= reach && !hasBorder && !context.unproved) return;
  const { gap } = faces.contact;
  const { cuts } = clearance;
  measureAt(context, 0);
  if (clearance.budget <= 0) {
    context.exhausted++;
    clearance.level = -Infinity;
    takeBack(context, 0);
    return;
  }
  const start = faces.contact.gap;
  clearance.mayCut = clearance.cuts;
  if (start <= TOUCH * magnitude) clearance.level = Math.min(0, start) - SUNK * magnitude;
  else clearance.level = start < reach ? Math.max(0.5 * start, start - context.slack) : reach;
  const { level } = clearance;
  let { t } = context;
  // Directions between things in the zone may be no better than rounding: there it has to do that nothing is cut.
  if (start < reach) t = provenUntil(context, t, Math.min(0, level) - 3 * SUNK * magnitude);
  else if (context.unproved) t = provenUntil(context, t, 0.5 * level);
  if (hasBorder && level > 0) t = borderClearUntil(context, t, level);
  if (t < context.t || gap < level || (cuts && !clearance.mayCut)) takeBack(context, t);
}

function measureAt(context: SweepContext, t: number): void {
  measureClearance(context, poseAt(context, t, here));
}

/** Is the mover clear of the target at time t? */
function isClearAt(context: SweepContext, t: number): boolean {
  const { clearance, faces } = context;
  measureAt(context, t);
  return (
    faces.contact.gap >= clearance.level && (clearance.mayCut || !clearance.cuts) && clearance.budget > 0
  );
}

/** Halvings: to the rounding of the time. */
const HALVINGS = 52;

/** Goes back from the time `late`, at which the two are not clear, to the last one found at which they are. */
function takeBack(context: SweepContext, late: number): void {
  const { clearance, faces, contact, thickness } = context;
  let low = 0;
  let high = late;
  clearance.stopBelow = clearance.level;
  clearance.stopAtCut = !clearance.mayCut;
  // Mostly a little is enough.
  for (let step = late * FIRST_STEP; step < late && clearance.budget > 0; step *= 4) {
    if (isClearAt(context, late - step)) {
      low = late - step;
      break;
    }
    high = late - step;
  }
  for (let i = 0; i < HALVINGS && clearance.budget > 0; i++) {
    const t = low + 0.5 * (high - low);
    if (!(t > low && t < high)) break;
    if (isClearAt(context, t)) low = t;
    else high = t;
  }
  clearance.stopBelow = -Infinity;
  clearance.stopAtCut = false;
  if (clearance.budget <= 0) clearance.budget = MOST_TOUCHING / 4;
  // What is in the way: what is too near a moment later. For one that comes from outside, the nearest of all.
  measureAt(context, high);
  if (faces.moverFace < 0) {
    // Nothing: it has gone as far as was proved.
    clearance.reach = Infinity;
    measureAt(context, low);
  }
  const { moverFace, targetFace } = faces;
  if (clearance.level === clearance.reach) {
    clearance.reach = 2 * thickness;
    measureAt(context, low);
  }
  if (clearance.level < KEPT * thickness || faces.moverFace < 0)
    measureFaces(context, poseAt(context, low, here), moverFace, targetFace);
  context.t = low;
  context.found = true;
  copyContact(faces.contact, contact);
  contact.gap = Math.max(0, contact.gap);
}
const FIRST_STEP = 8 * UNIT_ROUNDING;
