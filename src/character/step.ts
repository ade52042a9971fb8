/** Steps up. */
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { groundHeight, isFloorBelow, standOn } from './ground.ts';
import { contactPoint, go, keep, type MoveContext, restore } from './move-context.ts';

const point = triple();
/** How often a step is tried, each time half as far on. */
const TRIES = 6;

/**
 * Up, on and down again. As far on as it wants to get; if that ends beyond the tread (on the next step but one, which is
 * too high, or behind a low wall), half as far, and so on. All stays as it is unless it ends on ground.
 */
export function step(move: MoveContext, hero: Character): boolean {
  // What was hit is reported if there is no step: the sweeps in between write over it.
  keep(move);
  contactPoint(move, move.stepContact);
  move.stepStart.x = move.position.x;
  move.stepStart.y = move.position.y;
  move.stepStart.z = move.position.z;
  move.stepForward.x = move.target.x - move.position.x;
  move.stepForward.z = move.target.z - move.position.z;
  if (stepUp(move, hero))
    for (let i = 0; i < TRIES; i++) {
      move.position.x = move.stepStart.x;
      move.position.y = move.stepStart.y + move.stepForward.rise;
      move.position.z = move.stepStart.z;
      stepOn(move);
      if (!(forward(move) > 1e-3)) break;
      if (stepDown(move, hero)) return true;
      move.stepForward.x /= 2;
      move.stepForward.z /= 2;
    }
  move.position.x = move.stepStart.x;
  move.position.y = move.stepStart.y;
  move.position.z = move.stepStart.z;
  restore(move);
  return false;
}

/** Up. Was that anything? */
function stepUp(move: MoveContext, hero: Character): boolean {
  if (!(Math.abs(move.stepForward.x) + Math.abs(move.stepForward.z) > 0)) return false;
  const { form, stepHeight } = hero;
  const lowest = move.stepStart.y - form.hy - 2 * form.worldGap;
  move.stepForward.ground = lowest;
  // On an edge or a slope, what is round hangs lower than where it stands. That is where it last stood, unless there is
  // higher ground below now; the edge that it ran into is none, though it may be below.
  if (!move.planes.isLevel()) {
    move.stepForward.ground = groundHeight(move);
    if (go(move, 0, -stepHeight, 0) && isFloorBelow(move, hero)) {
      contactPoint(move, point);
      if (point.y < move.stepContact.y - form.worldGap)
        move.stepForward.ground = Math.max(move.stepForward.ground, point.y);
    }
  }
  const most = stepHeight + (move.stepForward.ground - lowest);
  go(move, 0, most, 0);
  move.stepForward.rise = move.sweep.free * most;
  return move.stepForward.rise > 1e-3 * stepHeight;
}

/** The part of the way over what it ran into that it has come. Along a wall is not over it. */
function forward(move: MoveContext): number {
  return (
    (move.savedHit.nx * (move.position.x - move.stepStart.x) +
      move.savedHit.nz * (move.position.z - move.stepStart.z)) /
    (move.savedHit.nx * move.stepForward.x + move.savedHit.nz * move.stepForward.z)
  );
}

/** Forward, above a step; along a wall if there is one. */
function stepOn(move: MoveContext): void {
  const { x: mx, z: mz } = move.stepForward;
  const isHit = go(move, mx, 0, mz);
  const part = move.sweep.free;
  move.position.x += mx * part;
  move.position.z += mz * part;
  if (!isHit) return;
  const { nx, nz } = move.sweep;
  const across = nx * nx + nz * nz;
  if (!(across > 1e-6)) return;
  const into = Math.min(0, nx * mx + nz * mz) / across;
  const sx = (mx - nx * into) * (1 - part);
  const sz = (mz - nz * into) * (1 - part);
  go(move, sx, 0, sz);
  move.position.x += sx * move.sweep.free;
  move.position.z += sz * move.sweep.free;
}

/** Down to the step, if it is one. */
function stepDown(move: MoveContext, hero: Character): boolean {
  const { form, stepHeight } = hero;
  const drop = move.stepForward.rise + 2 * form.worldGap;
  if (!go(move, 0, -drop, 0)) return false;
  move.position.y -= drop * move.sweep.free;
  contactPoint(move, point);
  // On the same level beside the wall is no step, but beyond it is: boxes run into what is a hair high. And an edge that is
  // too high is not crept over.
  const isStep = move.position.y - move.stepStart.y > 4 * form.worldBand || forward(move) > 0.5;
  if (
    !isStep ||
    !isFloorBelow(move, hero) ||
    point.y - move.stepForward.ground > stepHeight + 2 * form.worldGap
  )
    return false;
  standOn(move, hero);
  return true;
}
