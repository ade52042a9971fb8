/** Sliding along what is met, and walking on the ground. */
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { LEDGE, snap, wedge } from './ground.ts';
import { before, constraints, motion, wanted } from './move.ts';
import { isDeep, recover } from './recover.ts';
import { report } from './report.ts';
import { go, here, isLedge, sweep, vectorToFrame } from './stage.ts';
import { step } from './step.ts';

/** The most passes of one slide: one for each degree of freedom. */
const PASSES = 3;

const point = triple();
const { next } = constraints;
/** What was wanted before anything was met. */
const goal = triple();

/** On the ground: along it, up steps, down with it. */
export function walk(hero: Character): void {
  const { x: mx, y: my, z: mz } = motion;
  vectorToFrame(hero.floorNormal, point);
  constraints.clear();
  wanted.x = here.x + mx;
  wanted.y = here.y;
  wanted.z = here.z + mz;
  if (point.y >= hero.steepest) {
    const { x, y, z } = point;
    wanted.y -= (x * mx + z * mz) / y;
    next.x = x;
    next.y = y;
    next.z = z;
    next.d = x * here.x + y * here.y + z * here.z;
    constraints.add();
  }
  slide(hero, true);
  hero.onFloor = false;
  if (snap(hero)) return;
  wanted.x = here.x;
  wanted.y = here.y + my;
  wanted.z = here.z;
  constraints.clear();
  slide(hero, false);
  if (!hero.onFloor) wedge(hero);
}

/** To `wanted`, or as near to it as planes leave it. Walking, planes that are there already are kept. */
export function slide(hero: Character, walking: boolean, reports = true): void {
  constraints.walking = walking;
  if (!walking) constraints.clear();
  const { form } = hero;
  const tiny = 1e-13 * form.least;
  goal.x = wanted.x;
  goal.y = wanted.y;
  goal.z = wanted.z;
  let passes = 0;
  for (;;) {
    let mx = wanted.x - here.x;
    let my = wanted.y - here.y;
    let mz = wanted.z - here.z;
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
    if (!isHit) {
      here.x = wanted.x;
      here.y = wanted.y;
      here.z = wanted.z;
      break;
    }
    const { t, nx, ny, nz } = sweep;
    const part = sweep.free;
    const d = nx * (here.x + t * mx) + ny * (here.y + t * my) + nz * (here.z + t * mz) + sweep.room;
    before.x = here.x;
    before.y = here.y;
    before.z = here.z;
    here.x += mx * part;
    here.y += my * part;
    here.z += mz * part;
    const isGround = ny >= hero.steepest;
    if (walking && !isGround && ny > -0.5 && hero.stepHeight > 0 && step(hero)) break;
    const isFloor = isGround || (!walking && ny > LEDGE && my <= 0 && isLedge(hero.steepest));
    if (reports) report(hero, isFloor);
    next.x = nx;
    next.y = ny;
    next.z = nz;
    next.d = d;
    constraints.add();
    if (passes === PASSES) break;
    constraints.resolve(here, goal, wanted);
  }
  if (passes > hero.passes) hero.passes = passes;
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
  goal.x = wanted.x += dx;
  goal.y = wanted.y += dy;
  goal.z = wanted.z += dz;
}
