/** Sliding along what is touched: on a moving platform, on the ground, in the air. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { colliderDisplacement, recordCollision } from './collisions.ts';
import { depenetrate, isDeep } from './depenetrate.ts';
import {
  dropLeftOnEdge,
  isFloor,
  isGround,
  snapToGround,
  standInWedge,
  standOnHit,
  standStill,
  sweepDown,
} from './ground.ts';
import { advance, copy, type MoveContext, sweepBy, vectorToFrame } from './move-context.ts';
import { stepUp } from './step-up.ts';

/**
 * Passes that get somewhere are as many as the motion is long. Those that get less far than this part of the smallest half
 * size mostly add a plane: after this many of them the move ends, and is `exhausted`. The fuzzers see to it that none is.
 */
const SHORT = 1 / 16;
const MAX_SHORT = 24;
/**
 * Passes in a row that neither get anywhere nor find a new plane: the same query gets the same answer. This ends motions
 * so short that rounding decides on which side of a plane they are. Longer ones are `exhausted`.
 */
const MAX_IDLE = 3;
const ROUNDING = 1e-6;
/** The most passes of all: for motions of hundreds of times its own size, over rough ground. */
const MAX_PASSES = 128;

const scratch = vec3(0.5, 0.5, 0.5);

/** On a moving platform: along with what it stood on, which has moved already. */
export function followPlatform(move: MoveContext): void {
  const { hero, dt, nearby, position, target } = move;
  const { floorId } = hero;
  if (!colliderDisplacement(move, floorId, nearby.frame.position, scratch)) return;
  if (dt > 0) v3.scale(scratch, 1 / dt, hero.platformVelocity);
  vectorToFrame(move, scratch, target);
  v3.add(target, position, target);
  nearby.ignoredId = floorId;
  slide(move, false, false);
  nearby.ignoredId = -1;
  // What is near is collected again: the character was put elsewhere.
  move.isCollected = false;
}

/** On the ground: along it, up steps, down with it. */
export function walk(move: MoveContext): void {
  const { hero, motion, position, planes, target } = move;
  planes.clear();
  vectorToFrame(move, hero.floorNormal, scratch);
  standStill(move, scratch);
  addGround(move, scratch);
  resetProbe(move);
  target.x = position.x + motion.x;
  target.y = position.y;
  target.z = position.z + motion.z;
  slide(move, true);
  if (isBackOnGround(move)) return;
  copy(position, target);
  target.y += motion.y;
  slide(move, false);
  if (!hero.onFloor) standInWedge(move);
}

/** In the air: towards the goal, along what is touched. Once it has come down on ground it walks for the rest. */
export function fly(move: MoveContext): void {
  v3.add(move.position, move.motion, move.target);
  slide(move, false);
  if (move.planes.walking) isBackOnGround(move);
  if (!move.hero.onFloor) standInWedge(move);
}

/** At the end of a walk: down to the ground, which may be the one that it was on. */
function isBackOnGround(move: MoveContext): boolean {
  move.hero.onFloor = false;
  return snapToGround(move);
}

/** How far it climbs along the ground before it probes where that is, at first. */
function resetProbe(move: MoveContext): void {
  const { snapDistance, swept } = move.hero;
  move.probeHeight = Math.max(snapDistance / 4, swept.least / 8);
}

/** What comes at the end of a pass: nothing, a probe for the ground, or the end of an edge. */
const DONE = 0;
const PROBE = 1;
const LEAVE = 2;

/**
 * Ends the pass at the height where the ground is to be probed: a plane that touches an edge leads away from the edge, and
 * following it too far would end in the air. Also at the height where it leaves the edge.
 */
function limitPass(move: MoveContext): number {
  const { position, target, passEnd, planes, probeHeight, groundCenter } = move;
  const my = target.y - position.y;
  const isDown = my < 0;
  if (isDown && !planes.isOnEdge) return DONE;
  const sunk = groundCenter - position.y;
  const trusted = Math.max(0, isDown ? probeHeight - sunk : probeHeight + sunk);
  const onEdge = isDown ? Math.max(0, dropLeftOnEdge(move)) : Infinity;
  const allowed = Math.min(trusted, onEdge);
  if (!(Math.abs(my) > allowed)) return DONE;
  const part = allowed / Math.abs(my);
  passEnd.x = position.x + part * (target.x - position.x);
  passEnd.y = position.y + part * my;
  passEnd.z = position.z + part * (target.z - position.z);
  return onEdge < trusted ? LEAVE : PROBE;
}

/** Has it come down along an edge as far as it goes, and would go on? From there it goes straight on, and falls. */
function leavesEdge(move: MoveContext): boolean {
  const { planes, target, position, hero } = move;
  const leaves = planes.isOnEdge && target.y < position.y && dropLeftOnEdge(move) <= 1e-9 * hero.swept.least;
  if (leaves) planes.clear();
  return leaves;
}

/** Down to the ground. As long as it is where the planes say, they are trusted twice as far each time. */
function probeGround(move: MoveContext): void {
  const { position, planes, hero } = move;
  const { y } = position;
  move.probeHeight *= 2;
  if (sweepDown(move) && isGround(move)) {
    advance(move);
    standOnHit(move);
    if (y - position.y > hero.swept.worldGap) startOnGround(move);
  } else if (planes.isOnEdge) planes.clear();
  move.groundCenter = position.y;
}

/** What counts is the ground that it stands on now. */
function startOnGround(move: MoveContext): void {
  resetProbe(move);
  move.planes.clear();
  vectorToFrame(move, move.hero.floorNormal, scratch);
  addGround(move, scratch);
}

/** The ground that it stands on, with that normal. */
function addGround({ planes, position }: MoveContext, { x, y, z }: ReadonlyVec3): void {
  const { next } = planes;
  next.x = x;
  next.y = y;
  next.z = z;
  next.d = x * position.x + y * position.y + z * position.z;
  next.id = next.triangle = -1;
  next.isGround = true;
  planes.add();
  next.isGround = false;
}

/**
 * To `target`, or as near to it as planes leave it. Each pass is a sweep along the motion that they leave, as far as it goes:
 * to the end, or to another plane. Walking, planes that are there already are kept.
 */
function slide(move: MoveContext, walks: boolean, reports = true): void {
  const { hero, planes, position, target, goal, passEnd, slideStart } = move;
  const { next } = planes;
  const { least } = hero.swept;
  const tiny = 1e-13 * least;
  planes.walking = walks;
  if (!walks) planes.clear();
  copy(position, slideStart);
  copy(target, goal);
  let arrives = planes.solve(position, goal, target);
  let passes = 0;
  let short = 0;
  let idle = 0;
  for (;;) {
    if (planes.walking && leavesEdge(move)) arrives = planes.solve(position, goal, target);
    copy(target, passEnd);
    const then = planes.walking ? limitPass(move) : DONE;
    let mx = passEnd.x - position.x;
    let my = passEnd.y - position.y;
    let mz = passEnd.z - position.z;
    const isStill = !(Math.abs(mx) + Math.abs(my) + Math.abs(mz) > tiny);
    if (isStill) {
      if (move.didRecover || !reports) break;
      mx = my = mz = 0;
    }
    let isHit = sweepBy(move, mx, my, mz);
    if (!move.didRecover && reports) {
      move.didRecover = true;
      if (isDeep(move)) {
        recover(move);
        isHit = sweepBy(move, mx, my, mz);
      }
    }
    if (isStill) break;
    passes++;
    copy(position, move.passStart);
    const { sweep } = move;
    const far = Math.sqrt(mx * mx + my * my + mz * mz) * sweep.free;
    if (far < SHORT * least) short++;
    if (!isHit) {
      copy(passEnd, position);
      if (then === PROBE) probeGround(move);
      else if (then === LEAVE) planes.clear();
      else if (arrives) break;
    } else {
      const { t, nx, ny, nz } = sweep;
      next.x = nx;
      next.y = ny;
      next.z = nz;
      next.d =
        nx * (position.x + t * mx) + ny * (position.y + t * my) + nz * (position.z + t * mz) + sweep.backOff;
      next.id = sweep.id;
      next.triangle = sweep.triangle;
      advance(move);
      const { walking } = planes;
      // What a walker comes down on, and what leads on, is below: the next edge of steep stairs stops nobody.
      const isBelow = walking && my < 0 && nx * mx + nz * mz > 0;
      if (walking && !isBelow && stepsUp(move)) short = 0;
      else {
        const onFloor = ny >= hero.minFloorY || ((isBelow || (!walking && my <= 0)) && isFloor(move));
        if (reports) recordCollision(move, onFloor);
        if (far > tiny) planes.dropTriangle();
        const lands = onFloor && !walking && reports && goal.y <= slideStart.y;
        next.isGround = lands || isBelow;
        const isNew = planes.add();
        next.isGround = false;
        idle = isNew || far > tiny ? 0 : idle + 1;
        if (lands) {
          planes.walking = true;
          resetProbe(move);
        }
      }
    }
    if (idle === MAX_IDLE) {
      if (Math.abs(mx) + Math.abs(my) + Math.abs(mz) > ROUNDING * least) hero.exhausted = true;
      break;
    }
    if (short === MAX_SHORT || passes === MAX_PASSES) {
      hero.exhausted = true;
      break;
    }
    arrives = planes.solve(position, goal, target);
  }
  if (passes > hero.passes) hero.passes = passes;
}

/** Was the last hit a step, and was it taken? Then what counts is the ground up there. */
function stepsUp(move: MoveContext): boolean {
  const { ny } = move.sweep;
  const { minFloorY, stepHeight } = move.hero;
  if (ny >= minFloorY || ny <= -0.5 || !(stepHeight > 0) || !stepUp(move)) return false;
  startOnGround(move);
  return true;
}

/** Depenetration, with what is wanted moved along. */
function recover(move: MoveContext): void {
  const { hero, position, goal, target, passEnd } = move;
  const { hx, hy, hz } = hero.swept;
  const { x, y, z } = position;
  hero.stuck = !depenetrate(move, hero.maxRecovery ?? 2 * Math.max(hx, hy, hz));
  scratch.x = position.x - x;
  scratch.y = position.y - y;
  scratch.z = position.z - z;
  hero.recovered = v3.length(scratch);
  v3.add(goal, scratch, goal);
  v3.add(target, scratch, target);
  v3.add(passEnd, scratch, passEnd);
}
