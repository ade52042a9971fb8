/** Sliding along what is met, and walking on the ground. */
import type { Character } from './character.ts';
import { type Triple, triple } from './constraints.ts';
import { footing, isFooting, LEDGE, roomOnEdge, setFooting, snap, standOn, wedge } from './ground.ts';
import { before, constraints, motion, start, wanted } from './move.ts';
import { isDeep, recover } from './recover.ts';
import { report } from './report.ts';
import { go, here, isLedge, sweep, vectorToFrame } from './stage.ts';
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
const { next } = constraints;
/** What was wanted before anything was met. */
const goal = triple();

/** On the ground: along it, up steps, down with it. */
export function walk(hero: Character): void {
  const { x: mx, y: my, z: mz } = motion;
  constraints.clear();
  vectorToFrame(hero.floorNormal, point);
  setFooting(point);
  addGround(point);
  climb.most = climbOf(hero);
  wanted.x = here.x + mx;
  wanted.y = here.y;
  wanted.z = here.z + mz;
  slide(hero, true);
  if (isBackOnGround(hero)) return;
  wanted.x = here.x;
  wanted.y = here.y + my;
  wanted.z = here.z;
  slide(hero, false);
  if (!hero.onFloor) wedge(hero);
}

/** In the air: where it wants to, along what is met; once it has come down on ground, along that, as one who walks. */
export function fly(hero: Character): void {
  wanted.x = here.x + motion.x;
  wanted.y = here.y + motion.y;
  wanted.z = here.z + motion.z;
  slide(hero, false);
  if (constraints.walking) isBackOnGround(hero);
  if (!hero.onFloor) wedge(hero);
}

/** At the end of a walk: down to the ground, which may be the one that it was on. */
function isBackOnGround(hero: Character): boolean {
  hero.onFloor = false;
  return snap(hero);
}

/** How far up along the ground it goes before it looks where that is. */
const climb = { most: 0.5 };
const climbOf = ({ snapDistance, form }: Character): number => Math.max(snapDistance / 4, form.least / 8);

/** Where a pass goes: to `wanted`, or as far on the way there as the ground is to be trusted. */
const to = triple();

/** What comes at the end of a pass that goes to `to`: nothing, a look where the ground is, or no ground any more. */
const WHOLE = 0;
const LOOK = 1;
const LEAVE = 2;

/**
 * Stops the way at the height at which the ground is to be looked for. A plane that touches an edge leads away from it:
 * who follows it too far is in the air. And at the height at which it leaves the edge.
 */
function cutShort(hero: Character): number {
  const my = wanted.y - here.y;
  const isDown = my < 0;
  if (isDown && !constraints.isOnEdge) return WHOLE;
  const sunk = footing.y - here.y;
  const trusted = Math.max(0, isDown ? climb.most - sunk : climb.most + sunk);
  const onEdge = isDown ? Math.max(0, roomOnEdge(hero)) : Infinity;
  const room = Math.min(trusted, onEdge);
  if (!(Math.abs(my) > room)) return WHOLE;
  const part = room / Math.abs(my);
  to.x = here.x + part * (wanted.x - here.x);
  to.y = here.y + part * my;
  to.z = here.z + part * (wanted.z - here.z);
  return onEdge < trusted ? LEAVE : LOOK;
}

/** Has it come down along an edge as far as it goes, and would go on? From there it goes straight on, and falls. */
function leavesEdge(hero: Character): boolean {
  if (!(constraints.isOnEdge && wanted.y < here.y && roomOnEdge(hero) <= 1e-9 * hero.form.least))
    return false;
  constraints.clear();
  return true;
}

/** Down to the ground. As long as it is where the planes say, they are trusted twice as far each time. */
function regainGround(hero: Character): void {
  const most = Math.max(hero.snapDistance, 2 * hero.form.worldGap);
  const { y } = here;
  climb.most *= 2;
  if (go(sweep, 0, -most, 0) && isFooting(hero)) {
    here.y -= most * sweep.free;
    standOn(hero);
    if (y - here.y > hero.form.worldGap) {
      climb.most = climbOf(hero);
      startOnGround(hero);
    }
  } else if (constraints.isOnEdge) constraints.clear();
  footing.y = here.y;
}

/** What counts is the ground that it stands on now. */
function startOnGround(hero: Character): void {
  constraints.clear();
  vectorToFrame(hero.floorNormal, point);
  addGround(point);
}

/** The ground that it stands on. */
function addGround({ x, y, z }: Triple): void {
  next.x = x;
  next.y = y;
  next.z = z;
  next.d = x * here.x + y * here.y + z * here.z;
  next.id = next.triangle = -1;
  next.isStoodOn = true;
  constraints.add();
  next.isStoodOn = false;
}

/**
 * To `wanted`, or as near to it as planes leave it. Each pass is a sweep along the way that they leave, as far as it goes:
 * to the end, or to another plane. Walking, planes that are there already are kept.
 */
export function slide(hero: Character, walks: boolean, reports = true): void {
  let walking = walks;
  constraints.walking = walking;
  if (!walking) constraints.clear();
  const { form } = hero;
  const tiny = 1e-13 * form.least;
  copy(here, start);
  copy(wanted, goal);
  let arrives = constraints.resolve(here, goal, wanted);
  let passes = 0;
  let short = 0;
  let idle = 0;
  for (;;) {
    if (walking && leavesEdge(hero)) arrives = constraints.resolve(here, goal, wanted);
    copy(wanted, to);
    const then = walking ? cutShort(hero) : WHOLE;
    let mx = to.x - here.x;
    let my = to.y - here.y;
    let mz = to.z - here.z;
    const still = !(Math.abs(mx) + Math.abs(my) + Math.abs(mz) > tiny);
    if (still) {
      if (hero.didRecover || !reports) break;
      mx = my = mz = 0;
    }
    let isHit = go(sweep, mx, my, mz);
    if (!hero.didRecover && reports) {
      hero.didRecover = true;
      if (isDeep()) {
        pushOut(hero);
        isHit = go(sweep, mx, my, mz);
      }
    }
    if (still) break;
    passes++;
    copy(here, before);
    const part = isHit ? sweep.free : 1;
    const far = Math.sqrt(mx * mx + my * my + mz * mz) * part;
    if (far < SHORT * form.least) short++;
    if (!isHit) {
      copy(to, here);
      if (then === LOOK) regainGround(hero);
      else if (then === LEAVE) constraints.clear();
      else if (arrives) break;
    } else {
      const { t, nx, ny, nz } = sweep;
      next.x = nx;
      next.y = ny;
      next.z = nz;
      next.d = nx * (here.x + t * mx) + ny * (here.y + t * my) + nz * (here.z + t * mz) + sweep.room;
      next.id = sweep.id;
      next.triangle = sweep.triangle;
      here.x += mx * part;
      here.y += my * part;
      here.z += mz * part;
      if (walking && isStepped(hero)) short = 0;
      else {
        const isFloor = ny >= hero.steepest || (!walking && ny > LEDGE && my <= 0 && isLedge(hero.steepest));
        if (reports) report(hero, isFloor);
        if (far > tiny) constraints.forget();
        const lands = isFloor && !walking && reports && goal.y <= start.y;
        next.isStoodOn = lands;
        const isNew = constraints.add();
        idle = isNew || far > tiny ? 0 : idle + 1;
        next.isStoodOn = false;
        if (lands) {
          walking = constraints.walking = true;
          climb.most = climbOf(hero);
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
    arrives = constraints.resolve(here, goal, wanted);
  }
  if (passes > hero.passes) hero.passes = passes;
}

/** Was the last hit a step, and was it taken? Then what counts is the ground up there. */
function isStepped(hero: Character): boolean {
  const { ny } = sweep;
  if (ny >= hero.steepest || ny <= -0.5 || !(hero.stepHeight > 0) || !step(hero)) return false;
  climb.most = climbOf(hero);
  startOnGround(hero);
  return true;
}

function copy({ x, y, z }: Triple, to: Triple): void {
  to.x = x;
  to.y = y;
  to.z = z;
}

/** Recovery, with what is wanted going along. */
function pushOut(hero: Character): void {
  const { x, y, z } = here;
  const { hx, hy, hz } = hero.form;
  hero.stuck = !recover(hero.maxRecovery ?? 2 * Math.max(hx, hy, hz));
  const dx = here.x - x;
  const dy = here.y - y;
  const dz = here.z - z;
  hero.recovered = Math.sqrt(dx * dx + dy * dy + dz * dz);
  goal.x += dx;
  goal.y += dy;
  goal.z += dz;
  wanted.x += dx;
  wanted.y += dy;
  wanted.z += dz;
  to.x += dx;
  to.y += dy;
  to.z += dz;
}
