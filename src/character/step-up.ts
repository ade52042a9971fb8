/**
 * Stepping up: when a walker runs into something steep.
 *
 *        ┌──── forward ───▶┐
 *        │                 │ down
 *     up │            ┌────▼────
 *        │            │  tread
 *   ─────┴────────────┘
 */
import { vec3 } from '../math/types.ts';
import { groundBelow, isFloor, standOnHit } from './ground.ts';
import { advance, contactPoint, copy, type MoveContext, sweepBy } from './move-context.ts';
import { NEVER, type Sweep } from './sweep.ts';

const point = vec3(0.5, 0.5, 0.5);
/** How often a step is tried, each time half as far forward. */
const TRIES = 6;

/**
 * Up, forward and down again. Forward as far as it wants to get. If that ends beyond the tread (on the next step but one,
 * which is too high, or behind a low wall), half as far, and so on. All stays as it is unless it ends on ground.
 */
export function stepUp(move: MoveContext): boolean {
  const { position, target, stepStart, stepContact, step } = move;
  contactPoint(move, stepContact);
  copy(position, stepStart);
  step.x = target.x - position.x;
  step.z = target.z - position.z;
  // What was hit is reported if there is no step.
  const wall = move.swapSweeps();
  if (rise(move))
    for (let i = 0; i < TRIES; i++) {
      copy(stepStart, position);
      position.y += step.rise;
      goForward(move);
      if (!(progress(move, wall) > 1e-3)) break;
      if (comeDown(move, wall)) return true;
      if (isSameFace(move.sweep, wall)) break;
      step.x /= 2;
      step.z /= 2;
    }
  copy(stepStart, position);
  move.swapSweeps();
  return false;
}

/**
 * Did it come down on the face that it ran into? Then no shorter way leads to a tread: a triangle is convex, so it is in touch
 * all the way between, and what would stick out of it there would have been met.
 */
const isSameFace = ({ t, id, triangle, nx, ny, nz }: Sweep, wall: Sweep): boolean =>
  t !== NEVER &&
  triangle >= 0 &&
  triangle === wall.triangle &&
  id === wall.id &&
  Math.abs(nx - wall.nx) + Math.abs(ny - wall.ny) + Math.abs(nz - wall.nz) < 1e-9;

/** Up. Was that anything? */
function rise(move: MoveContext): boolean {
  const { hero, step, stepStart, stepContact } = move;
  const { stepHeight } = hero;
  const { hy, worldGap } = hero.swept;
  if (!(Math.abs(step.x) + Math.abs(step.z) > 0)) return false;
  const lowest = stepStart.y - hy - 2 * worldGap;
  step.ground = lowest;
  // On an edge or a slope, what is round hangs lower than where it stands. That is where it last stood, unless there is
  // higher ground below now; the edge that it ran into is none, though it may be below.
  if (!move.planes.isLevel()) {
    step.ground = groundBelow(move);
    if (sweepBy(move, 0, -stepHeight, 0) && isFloor(move)) {
      contactPoint(move, point);
      if (point.y < stepContact.y - worldGap) step.ground = Math.max(step.ground, point.y);
    }
  }
  const most = stepHeight + (step.ground - lowest);
  sweepBy(move, 0, most, 0);
  step.rise = move.sweep.free * most;
  return step.rise > 1e-3 * stepHeight;
}

/** The part of the motion over the wall that was done. Along the wall is not over it. */
function progress({ position, stepStart, step }: MoveContext, { nx, nz }: Sweep): number {
  return (nx * (position.x - stepStart.x) + nz * (position.z - stepStart.z)) / (nx * step.x + nz * step.z);
}

/** Forward, above the step; along a wall if there is one. */
function goForward(move: MoveContext): void {
  const { x: mx, z: mz } = move.step;
  const isHit = sweepBy(move, mx, 0, mz);
  advance(move);
  if (!isHit) return;
  const { nx, nz, free } = move.sweep;
  const across = nx * nx + nz * nz;
  if (!(across > 1e-6)) return;
  const into = Math.min(0, nx * mx + nz * mz) / across;
  sweepBy(move, (mx - nx * into) * (1 - free), 0, (mz - nz * into) * (1 - free));
  advance(move);
}

/** Down to the tread, if there is one. */
function comeDown(move: MoveContext, wall: Sweep): boolean {
  const { hero, step, position, stepStart } = move;
  const { worldGap, worldTolerance } = hero.swept;
  if (!sweepBy(move, 0, -(step.rise + 2 * worldGap), 0)) return false;
  advance(move);
  contactPoint(move, point);
  // At the same height beside the wall is no step, but beyond it is: boxes run into what is barely high. And an edge that
  // is too high is not crept over.
  const isStep = position.y - stepStart.y > 4 * worldTolerance || progress(move, wall) > 0.5;
  if (!isStep || !isFloor(move) || point.y - step.ground > hero.stepHeight + 2 * worldGap) return false;
  standOnHit(move);
  return true;
}
