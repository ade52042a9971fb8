/** Steps up. */
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { isFloorBelow, standOn } from './ground.ts';
import { keep, kept, restore } from './kept-hit.ts';
import { wanted } from './move.ts';
import { contactPoint, go, here, sweep } from './stage.ts';

const point = triple();
/** Where the step begins, the way on, and how far up it goes. In records, because loose numbers would be boxed. */
const foot = triple();
const on = { x: 0.5, z: 0.5, rise: 0.5 };

/** Up, on and down again. All stays as it is unless it ends on ground. */
export function step(hero: Character): boolean {
  // What was hit is reported if there is no step: the sweeps in between write over it.
  keep();
  foot.x = here.x;
  foot.y = here.y;
  foot.z = here.z;
  on.x = wanted.x - here.x;
  on.z = wanted.z - here.z;
  if (stepUp(hero) && stepDown(hero)) return true;
  here.x = foot.x;
  here.y = foot.y;
  here.z = foot.z;
  restore();
  return false;
}

/** Up and on. Was that anything? */
function stepUp({ stepHeight }: Character): boolean {
  const length = Math.abs(on.x) + Math.abs(on.z);
  if (!(length > 0)) return false;
  go(sweep, 0, stepHeight, 0);
  on.rise = sweep.free * stepHeight;
  if (!(on.rise > 1e-3 * stepHeight)) return false;
  here.y += on.rise;
  stepOn();
  return Math.abs(here.x - foot.x) + Math.abs(here.z - foot.z) > 1e-3 * length;
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
  // On the same level beside the wall is no step; and an edge that is too high is not crept over.
  const forward = -(kept.nx * (here.x - foot.x) + kept.nz * (here.z - foot.z));
  const wantedForward = -(kept.nx * on.x + kept.nz * on.z);
  const isStep = here.y - foot.y > 4 * form.worldBand && forward > 1e-3 * wantedForward;
  const lowest = foot.y - form.hy - 2 * form.worldGap;
  if (!isStep || !isFloorBelow(hero) || point.y - lowest > stepHeight + 2 * form.worldGap) return false;
  standOn(hero);
  return true;
}
