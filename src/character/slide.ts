/** Sliding along what is met, and walking on the ground. */
import type { Character } from './character.ts';
import { type Triple, triple } from './constraints.ts';
import { isFooting, LEDGE, roomOnEdge, setFooting, snap, standOn, wedge } from './ground.ts';
import { go, isLedge, type MoveContext, vectorToFrame } from './move-context.ts';
import { isDeep, recover } from './recover.ts';
import { report } from './report.ts';

import { step } from './step.ts';

/**
 * Passes that get somewhere are as many as the motion is long. Those that get less far than this part of the smallest half
 * size mostly add a plane: after this many of them the move ends, and is `exhausted`. The fuzzers see to it that none is.
 */
const SHORT = 1 / 16;
const MOST_SHORT = 24;
/**
 * Passes in a row that neither get anywhere nor find a plane that was not there: the same question gets the same answer.
 * So it ends with ways so short that rounding has the say on which side of a plane they are. Longer ones are `exhausted`.
 */
const MOST_IDLE = 3;
const ROUNDING = 1e-6;
/** The most passes of all: for who goes hundreds of times his own size in one move, over rough ground. */
const MOST = 128;

const point = triple();

/** On the ground: along it, up steps, down with it. */
export function walk(move: MoveContext, hero: Character): void {
  const { x: mx, y: my, z: mz } = move.motion;
  move.planes.clear();
  vectorToFrame(move, hero.floorNormal, point);
  setFooting(move, point);
  addGround(move, point);
  move.climb.most = climbOf(hero);
  move.target.x = move.position.x + mx;
  move.target.y = move.position.y;
  move.target.z = move.position.z + mz;
  slide(move, hero, true);
  if (isBackOnGround(move, hero)) return;
  move.target.x = move.position.x;
  move.target.y = move.position.y + my;
  move.target.z = move.position.z;
  slide(move, hero, false);
  if (!hero.onFloor) wedge(move, hero);
}

/** In the air: where it wants to, along what is met; once it has come down on ground, along that, as one who walks. */
export function fly(move: MoveContext, hero: Character): void {
  move.target.x = move.position.x + move.motion.x;
  move.target.y = move.position.y + move.motion.y;
  move.target.z = move.position.z + move.motion.z;
  slide(move, hero, false);
  if (move.planes.walking) isBackOnGround(move, hero);
  if (!hero.onFloor) wedge(move, hero);
}

/** At the end of a walk: down to the ground, which may be the one that it was on. */
function isBackOnGround(move: MoveContext, hero: Character): boolean {
  hero.onFloor = false;
  return snap(move, hero);
}

/** How far up along the ground it goes before it looks where that is, at first. */
const climbOf = ({ snapDistance, form }: Character): number => Math.max(snapDistance / 4, form.least / 8);

/** What comes at the end of a pass that goes to `to`: nothing, a look where the ground is, or no ground any more. */
const WHOLE = 0;
const LOOK = 1;
const LEAVE = 2;

/**
 * Stops the way at the height at which the ground is to be looked for. A plane that touches an edge leads away from it:
 * who follows it too far is in the air. And at the height at which it leaves the edge.
 */
function cutShort(move: MoveContext, hero: Character): number {
  const my = move.target.y - move.position.y;
  const isDown = my < 0;
  if (isDown && !move.planes.isOnEdge) return WHOLE;
  const sunk = move.footing.y - move.position.y;
  const trusted = Math.max(0, isDown ? move.climb.most - sunk : move.climb.most + sunk);
  const onEdge = isDown ? Math.max(0, roomOnEdge(move, hero)) : Infinity;
  const room = Math.min(trusted, onEdge);
  if (!(Math.abs(my) > room)) return WHOLE;
  const part = room / Math.abs(my);
  move.passEnd.x = move.position.x + part * (move.target.x - move.position.x);
  move.passEnd.y = move.position.y + part * my;
  move.passEnd.z = move.position.z + part * (move.target.z - move.position.z);
  return onEdge < trusted ? LEAVE : LOOK;
}

/** Has it come down along an edge as far as it goes, and would go on? From there it goes straight on, and falls. */
function leavesEdge(move: MoveContext, hero: Character): boolean {
  if (
    !(
      move.planes.isOnEdge &&
      move.target.y < move.position.y &&
      roomOnEdge(move, hero) <= 1e-9 * hero.form.least
    )
  )
    return false;
  move.planes.clear();
  return true;
}

/** Down to the ground. As long as it is where the planes say, they are trusted twice as far each time. */
function regainGround(move: MoveContext, hero: Character): void {
  const most = Math.max(hero.snapDistance, 2 * hero.form.worldGap);
  const { y } = move.position;
  move.climb.most *= 2;
  if (go(move, 0, -most, 0) && isFooting(move, hero)) {
    move.position.y -= most * move.sweep.free;
    standOn(move, hero);
    if (y - move.position.y > hero.form.worldGap) {
      move.climb.most = climbOf(hero);
      startOnGround(move, hero);
    }
  } else if (move.planes.isOnEdge) move.planes.clear();
  move.footing.y = move.position.y;
}

/** What counts is the ground that it stands on now. */
function startOnGround(move: MoveContext, hero: Character): void {
  move.planes.clear();
  vectorToFrame(move, hero.floorNormal, point);
  addGround(move, point);
}

/** The ground that it stands on. */
function addGround(move: MoveContext, { x, y, z }: Triple): void {
  const { next } = move.planes;
  next.x = x;
  next.y = y;
  next.z = z;
  next.d = x * move.position.x + y * move.position.y + z * move.position.z;
  next.id = next.triangle = -1;
  next.isStoodOn = true;
  move.planes.add();
  next.isStoodOn = false;
}

/**
 * To `wanted`, or as near to it as planes leave it. Each pass is a sweep along the way that they leave, as far as it goes:
 * to the end, or to another plane. Walking, planes that are there already are kept.
 */
export function slide(move: MoveContext, hero: Character, walks: boolean, reports = true): void {
  let walking = walks;
  move.planes.walking = walking;
  if (!walking) move.planes.clear();
  const { form } = hero;
  const { next } = move.planes;
  const tiny = 1e-13 * form.least;
  copy(move.position, move.slideStart);
  copy(move.target, move.goal);
  let arrives = move.planes.resolve(move.position, move.goal, move.target);
  let passes = 0;
  let short = 0;
  let idle = 0;
  for (;;) {
    if (walking && leavesEdge(move, hero))
      arrives = move.planes.resolve(move.position, move.goal, move.target);
    copy(move.target, move.passEnd);
    const then = walking ? cutShort(move, hero) : WHOLE;
    let mx = move.passEnd.x - move.position.x;
    let my = move.passEnd.y - move.position.y;
    let mz = move.passEnd.z - move.position.z;
    const still = !(Math.abs(mx) + Math.abs(my) + Math.abs(mz) > tiny);
    if (still) {
      if (hero.didRecover || !reports) break;
      mx = my = mz = 0;
    }
    let isHit = go(move, mx, my, mz);
    if (!hero.didRecover && reports) {
      hero.didRecover = true;
      if (isDeep(move)) {
        pushOut(move, hero);
        isHit = go(move, mx, my, mz);
      }
    }
    if (still) break;
    passes++;
    copy(move.position, move.passStart);
    const part = isHit ? move.sweep.free : 1;
    const far = Math.sqrt(mx * mx + my * my + mz * mz) * part;
    if (far < SHORT * form.least) short++;
    if (!isHit) {
      copy(move.passEnd, move.position);
      if (then === LOOK) regainGround(move, hero);
      else if (then === LEAVE) move.planes.clear();
      else if (arrives) break;
    } else {
      const { t, nx, ny, nz } = move.sweep;
      next.x = nx;
      next.y = ny;
      next.z = nz;
      next.d =
        nx * (move.position.x + t * mx) +
        ny * (move.position.y + t * my) +
        nz * (move.position.z + t * mz) +
        move.sweep.room;
      next.id = move.sweep.id;
      next.triangle = move.sweep.triangle;
      move.position.x += mx * part;
      move.position.y += my * part;
      move.position.z += mz * part;
      if (walking && isStepped(move, hero)) short = 0;
      else {
        const isFloor =
          ny >= hero.steepest || (!walking && ny > LEDGE && my <= 0 && isLedge(move, hero.steepest));
        if (reports) report(move, hero, isFloor);
        if (far > tiny) move.planes.forget();
        const lands = isFloor && !walking && reports && move.goal.y <= move.slideStart.y;
        next.isStoodOn = lands;
        const isNew = move.planes.add();
        idle = isNew || far > tiny ? 0 : idle + 1;
        next.isStoodOn = false;
        if (lands) {
          walking = move.planes.walking = true;
          move.climb.most = climbOf(hero);
        }
      }
    }
    if (idle === MOST_IDLE) {
      if (Math.abs(mx) + Math.abs(my) + Math.abs(mz) > ROUNDING * form.least) hero.exhausted = true;
      break;
    }
    if (short === MOST_SHORT || passes === MOST) {
      hero.exhausted = true;
      break;
    }
    arrives = move.planes.resolve(move.position, move.goal, move.target);
  }
  if (passes > hero.passes) hero.passes = passes;
}

/** Was the last hit a step, and was it taken? Then what counts is the ground up there. */
function isStepped(move: MoveContext, hero: Character): boolean {
  const { ny } = move.sweep;
  if (ny >= hero.steepest || ny <= -0.5 || !(hero.stepHeight > 0) || !step(move, hero)) return false;
  move.climb.most = climbOf(hero);
  startOnGround(move, hero);
  return true;
}

function copy({ x, y, z }: Triple, out: Triple): void {
  out.x = x;
  out.y = y;
  out.z = z;
}

/** Recovery, with what is wanted going along. */
function pushOut(move: MoveContext, hero: Character): void {
  const { x, y, z } = move.position;
  const { hx, hy, hz } = hero.form;
  hero.stuck = !recover(move, hero.maxRecovery ?? 2 * Math.max(hx, hy, hz));
  const dx = move.position.x - x;
  const dy = move.position.y - y;
  const dz = move.position.z - z;
  hero.recovered = Math.sqrt(dx * dx + dy * dy + dz * dz);
  move.goal.x += dx;
  move.goal.y += dy;
  move.goal.z += dz;
  move.target.x += dx;
  move.target.y += dy;
  move.target.z += dz;
  move.passEnd.x += dx;
  move.passEnd.y += dy;
  move.passEnd.z += dz;
}
