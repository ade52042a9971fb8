/** Steps up. */
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { groundHeight, isFloorBelow, standOn } from './ground.ts';
import { keep, kept, restore } from './kept-hit.ts';
import { constraints, wanted } from './move.ts';
import { contactPoint, go, here, sweep } from './stage.ts';

const point = triple();
/** Where the step begins, the way on, how far up it goes, and how high the ground is. Records: loose numbers would be boxed. */
const foot = triple();
/** Where it touches what it ran into. */
const met = triple();
const on = { x: 0.5, z: 0.5, rise: 0.5, ground: 0.5 };

/** How often a step is tried, each time half as far on. */
const TRIES = 6;

/**
 * Up, on and down again. As far on as it wants to get; if that ends beyond the tread (on the next step but one, which is
 * too high, or behind a low wall), half as far, and so on. All stays as it is unless it ends on ground.
 */
export function step(hero: Character): boolean {
  // What was hit is reported if there is no step: the sweeps in between write over it.
  keep();
  contactPoint(met);
  foot.x = here.x;
  foot.y = here.y;
  foot.z = here.z;
  on.x = wanted.x - here.x;
  on.z = wanted.z - here.z;
  if (stepUp(hero))
    for (let i = 0; i < TRIES; i++) {
      here.x = foot.x;
      here.y = foot.y + on.rise;
      here.z = foot.z;
      stepOn();
      if (!(forward() > 1e-3)) break;
      if (stepDown(hero)) return true;
      on.x /= 2;
      on.z /= 2;
    }
  here.x = foot.x;
  here.y = foot.y;
  here.z = foot.z;
  restore();
  return false;
}

/** Up. Was that anything? */
function stepUp(hero: Character): boolean {
  if (!(Math.abs(on.x) + Math.abs(on.z) > 0)) return false;
  const { form, stepHeight } = hero;
  const lowest = foot.y - form.hy - 2 * form.worldGap;
  on.ground = lowest;
  // On an edge or a slope, what is round hangs lower than where it stands. That is where it last stood, unless there is
  // higher ground below now; the edge that it ran into is none, though it may be below.
  if (!constraints.isLevel()) {
    on.ground = groundHeight();
    if (go(sweep, 0, -stepHeight, 0) && isFloorBelow(hero)) {
      contactPoint(point);
      if (point.y < met.y - form.worldGap) on.ground = Math.max(on.ground, point.y);
    }
  }
  const most = stepHeight + (on.ground - lowest);
  go(sweep, 0, most, 0);
  on.rise = sweep.free * most;
  return on.rise > 1e-3 * stepHeight;
}

/** The part of the way over what it ran into that it has come. Along a wall is not over it. */
function forward(): number {
  return (kept.nx * (here.x - foot.x) + kept.nz * (here.z - foot.z)) / (kept.nx * on.x + kept.nz * on.z);
}

/** Forward, above a step; along a wall if there is one. */
function stepOn(): void {
  const { x: mx, z: mz } = on;
  const isHit = go(sweep, mx, 0, mz);
  const part = sweep.free;
  here.x += mx * part;
  here.z += mz * part;
  if (!isHit) return;
  const { nx, nz } = sweep;
  const across = nx * nx + nz * nz;
  if (!(across > 1e-6)) return;
  const into = Math.min(0, nx * mx + nz * mz) / across;
  const sx = (mx - nx * into) * (1 - part);
  const sz = (mz - nz * into) * (1 - part);
  go(sweep, sx, 0, sz);
  here.x += sx * sweep.free;
  here.z += sz * sweep.free;
}

/** Down to the step, if it is one. */
function stepDown(hero: Character): boolean {
  const { form, stepHeight } = hero;
  const drop = on.rise + 2 * form.worldGap;
  if (!go(sweep, 0, -drop, 0)) return false;
  here.y -= drop * sweep.free;
  contactPoint(point);
  // On the same level beside the wall is no step, but beyond it is: boxes run into what is a hair high. And an edge that is
  // too high is not crept over.
  const isStep = here.y - foot.y > 4 * form.worldBand || forward() > 0.5;
  if (!isStep || !isFloorBelow(hero) || point.y - on.ground > stepHeight + 2 * form.worldGap) return false;
  standOn(hero);
  return true;
}
