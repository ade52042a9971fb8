/** Ground: what is stood on, and the way down to it. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { type Triple, triple } from './constraints.ts';
import { ELLIPSOID } from './form.ts';
import { motion, start } from './move.ts';
import { contactPoint, go, here, isLedge, sweep, toContact, vectorToWorld } from './stage.ts';

/** A round form on a ledge stands until its normal there is this flat. */
export const LEDGE = 0.05;

const scratch = vec3(0.5, 0.5, 0.5);
const point = triple();

/** The ground that was last touched: how high, and where the centre was then. */
export const footing = { ground: 0.5, y: 0.5 };

/** It stands here, on ground with that normal. */
export function setFooting(normal: Triple): void {
  point.x = here.x;
  point.y = here.y;
  point.z = here.z;
  toContact(normal, point);
  footing.ground = point.y;
  footing.y = here.y;
}

/** Is the last hit, of a sweep down, ground? */
export function isFloorBelow(hero: Character): boolean {
  return sweep.ny >= hero.steepest || (sweep.ny > LEDGE && isLedge(hero.steepest));
}

/** The last hit is what it stands on. */
export function standOn(hero: Character): void {
  hero.onFloor = true;
  hero.floorId = sweep.id;
  contactPoint(point);
  footing.ground = point.y;
  footing.y = here.y;
  scratch.x = sweep.nx;
  scratch.y = sweep.ny;
  scratch.z = sweep.nz;
  vectorToWorld(scratch, hero.floorNormal);
}

/** How high the ground is that it last stood on. Lower than when it was touched, if that went down. */
export const groundHeight = (): number => footing.ground + Math.min(0, here.y - footing.y);

/**
 * How far down along an edge it still goes. A round form that leaves the edge hangs lower and lower on it: by
 * `snapDistance`, then it falls. Measured by the form, so it does not depend on the number of frames.
 */
export const roomOnEdge = (hero: Character): number => here.y - footing.ground - lowestOnEdge(hero);

/** The least height of the centre above an edge that it goes down along. */
function lowestOnEdge({ form, snapDistance }: Character): number {
  const { kind, hy, gap, worldGap } = form;
  return hy + (kind === ELLIPSOID ? gap * hy : worldGap) - snapDistance;
}

/**
 * Is the last hit, of a sweep down, ground to one who walks? No edge that is higher than a step: it hangs against that. And
 * none that it is leaving, and hangs on as low as it may.
 */
export function isFooting(hero: Character): boolean {
  if (!isFloorBelow(hero)) return false;
  if (sweep.ny >= hero.steepest) return true;
  contactPoint(point);
  return point.y - groundHeight() <= hero.stepHeight + 2 * hero.form.worldGap && !isLeft(hero);
}

/** Is the last hit an edge that it is leaving, having come down along it as far as it goes? */
function isLeft(hero: Character): boolean {
  const { nx, ny, nz, y, my, t } = sweep;
  if (ny >= hero.steepest || !(nx * motion.x + nz * motion.z > 0)) return false;
  contactPoint(point);
  return y + t * my - point.y < lowestOnEdge(hero) && isLedge(hero.steepest);
}

/** Down to the ground, if there is some near enough. */
export function snap(hero: Character): boolean {
  const { snapDistance, form } = hero;
  const most = Math.max(snapDistance, 2 * form.worldGap);
  const { x, y, z } = here;
  if (!go(sweep, 0, -most, 0)) return false;
  here.y -= most * sweep.free;
  if (isFooting(hero)) {
    standOn(hero);
    return true;
  }
  // Beside something steep: along it a little.
  const { nx, ny, nz } = sweep;
  if (ny > 0 && !isLeft(hero)) {
    const down = y - most - here.y;
    // The part of the way down that is along the plane.
    const mx = -nx * ny * down;
    const mz = -nz * ny * down;
    const my = down - ny * ny * down;
    if (go(sweep, mx, my, mz)) {
      const part = sweep.free;
      const aside = (Math.abs(mx) + Math.abs(mz)) * part;
      here.x += mx * part;
      here.y += my * part;
      here.z += mz * part;
      const far = Math.abs(motion.x) + Math.abs(motion.z);
      if (aside <= far + 4 * form.worldGap && isFloorBelow(hero)) {
        standOn(hero);
        return true;
      }
    }
  }
  here.x = x;
  here.y = y;
  here.z = z;
  return false;
}

/** Between slopes that are too steep to stand on, and not getting down: it stands there, and may jump. */
export function wedge(hero: Character): void {
  const { collisions, form } = hero;
  if (!(motion.y < -1e-3 * form.worldGap) || collisions.length < 2) return;
  const last = collisions[collisions.length - 1]!;
  if (start.y - here.y > -1e-3 * motion.y) return;
  let below = 0;
  v3.set(0, 0, 0, scratch);
  for (let i = 0; i < collisions.length; i++) {
    const { normal } = collisions[i]!;
    if (!(v3.dot(normal, hero.up) > LEDGE)) continue;
    v3.add(scratch, normal, scratch);
    below++;
  }
  if (below < 2 || !(v3.dot(v3.normalize(scratch, scratch), hero.up) >= hero.steepest)) return;
  hero.onFloor = true;
  hero.floorId = last.id;
  v3.copy(scratch, hero.floorNormal);
}
