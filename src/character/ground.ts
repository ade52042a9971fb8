/** Ground: what is stood on, and the way down to it. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { type Triple, triple } from './constraints.ts';
import { ELLIPSOID } from './form.ts';
import { contactPoint, go, isLedge, type MoveContext, toContact, vectorToWorld } from './move-context.ts';

/** A round form on a ledge stands until its normal there is this flat. */
export const LEDGE = 0.05;

const scratch = vec3(0.5, 0.5, 0.5);
const point = triple();

/** It stands here, on ground with that normal. */
export function setFooting(move: MoveContext, normal: Triple): void {
  point.x = move.position.x;
  point.y = move.position.y;
  point.z = move.position.z;
  toContact(move, normal, point);
  move.footing.ground = point.y;
  move.footing.y = move.position.y;
}

/** Is the last hit, of a sweep down, ground? */
export function isFloorBelow(move: MoveContext, hero: Character): boolean {
  return move.sweep.ny >= hero.steepest || (move.sweep.ny > LEDGE && isLedge(move, hero.steepest));
}

/** The last hit is what it stands on. */
export function standOn(move: MoveContext, hero: Character): void {
  hero.onFloor = true;
  hero.floorId = move.sweep.id;
  contactPoint(move, point);
  move.footing.ground = point.y;
  move.footing.y = move.position.y;
  scratch.x = move.sweep.nx;
  scratch.y = move.sweep.ny;
  scratch.z = move.sweep.nz;
  vectorToWorld(move, scratch, hero.floorNormal);
}

/** How high the ground is that it last stood on. Lower than when it was touched, if that went down. */
export const groundHeight = (move: MoveContext): number =>
  move.footing.ground + Math.min(0, move.position.y - move.footing.y);

/**
 * How far down along an edge it still goes. A round form that leaves the edge hangs lower and lower on it: by
 * `snapDistance`, then it falls. Measured by the form, so it does not depend on the number of frames.
 */
export const roomOnEdge = (move: MoveContext, hero: Character): number =>
  move.position.y - move.footing.ground - lowestOnEdge(hero);

/** The least height of the centre above an edge that it goes down along. */
function lowestOnEdge({ form, snapDistance }: Character): number {
  const { kind, hy, gap, worldGap } = form;
  return hy + (kind === ELLIPSOID ? gap * hy : worldGap) - snapDistance;
}

/**
 * Is the last hit, of a sweep down, ground to one who walks? No edge that is higher than a step: it hangs against that. And
 * none that it is leaving, and hangs on as low as it may.
 */
export function isFooting(move: MoveContext, hero: Character): boolean {
  if (!isFloorBelow(move, hero)) return false;
  if (move.sweep.ny >= hero.steepest) return true;
  contactPoint(move, point);
  return point.y - groundHeight(move) <= hero.stepHeight + 2 * hero.form.worldGap && !isLeft(move, hero);
}

/** Is the last hit an edge that it is leaving, having come down along it as far as it goes? */
function isLeft(move: MoveContext, hero: Character): boolean {
  const { nx, ny, nz, y, my, t } = move.sweep;
  if (ny >= hero.steepest || !(nx * move.motion.x + nz * move.motion.z > 0)) return false;
  contactPoint(move, point);
  return y + t * my - point.y < lowestOnEdge(hero) && isLedge(move, hero.steepest);
}

/** Down to the ground, if there is some near enough. */
export function snap(move: MoveContext, hero: Character): boolean {
  const { snapDistance, form } = hero;
  const most = Math.max(snapDistance, 2 * form.worldGap);
  const { x, y, z } = move.position;
  if (!go(move, 0, -most, 0)) return false;
  move.position.y -= most * move.sweep.free;
  if (isFooting(move, hero)) {
    standOn(move, hero);
    return true;
  }
  // Beside something steep: along it a little.
  const { nx, ny, nz } = move.sweep;
  if (ny > 0 && !isLeft(move, hero)) {
    const down = y - most - move.position.y;
    // The part of the way down that is along the plane.
    const mx = -nx * ny * down;
    const mz = -nz * ny * down;
    const my = down - ny * ny * down;
    if (go(move, mx, my, mz)) {
      const part = move.sweep.free;
      const aside = (Math.abs(mx) + Math.abs(mz)) * part;
      move.position.x += mx * part;
      move.position.y += my * part;
      move.position.z += mz * part;
      const far = Math.abs(move.motion.x) + Math.abs(move.motion.z);
      if (aside <= far + 4 * form.worldGap && isFloorBelow(move, hero)) {
        standOn(move, hero);
        return true;
      }
    }
  }
  move.position.x = x;
  move.position.y = y;
  move.position.z = z;
  return false;
}

/** Between slopes that are too steep to stand on, and not getting down: it stands there, and may jump. */
export function wedge(move: MoveContext, hero: Character): void {
  const { collisions, form } = hero;
  if (!(move.motion.y < -1e-3 * form.worldGap) || collisions.length < 2) return;
  const last = collisions[collisions.length - 1]!;
  if (move.slideStart.y - move.position.y > -1e-3 * move.motion.y) return;
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
