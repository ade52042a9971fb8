/** What a move ran into, as its owner is told. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { standOn } from './ground.ts';
import { before, clock, speed, struck } from './move.ts';
import { contactPoint, here, placeToWorld, sweep, vectorToWorld } from './stage.ts';

export const MOST_COLLISIONS = 8;

const point = triple();

/** Writes the last hit down. */
export function report(hero: Character, isFloor: boolean): void {
  const { collisions, pool } = hero;
  const { nx, ny, nz, mx, my, mz, t } = sweep;
  const isCeiling = !isFloor && ny <= -hero.steepest;
  if (isFloor) standOn(hero);
  else if (isCeiling) hero.onCeiling = true;
  else hero.onWall = true;
  if (!isFloor) {
    struck.next.x = nx;
    struck.next.y = ny;
    struck.next.z = nz;
    struck.add();
  }
  if (collisions.length === MOST_COLLISIONS || isKnown(hero)) return;
  const collision = pool[collisions.length]!;
  collision.id = sweep.id;
  collision.triangle = sweep.triangle;
  contactPoint(point);
  placeToWorld(point, collision.point);
  point.x = nx;
  point.y = ny;
  point.z = nz;
  vectorToWorld(point, collision.normal);
  collision.time = t;
  point.x = here.x - before.x;
  point.y = here.y - before.y;
  point.z = here.z - before.z;
  vectorToWorld(point, collision.travel);
  point.x = mx - point.x;
  point.y = my - point.y;
  point.z = mz - point.z;
  vectorToWorld(point, collision.remainder);
  const { colliderVelocity } = collision;
  if (shiftOf(hero, sweep.id, collision.point, colliderVelocity))
    v3.scale(colliderVelocity, clock.dt > 0 ? 1 / clock.dt : 0, colliderVelocity);
  collision.impulse = hero.mass * Math.max(0, -(nx * speed.x + ny * speed.y + nz * speed.z));
  collision.side = isFloor ? 'floor' : isCeiling ? 'ceiling' : 'wall';
  collisions.push(collision);
}

/** Is the last hit one that was written down already? */
function isKnown({ collisions }: Character): boolean {
  const { id, triangle } = sweep;
  point.x = sweep.nx;
  point.y = sweep.ny;
  point.z = sweep.nz;
  vectorToWorld(point, point);
  for (let i = 0; i < collisions.length; i++) {
    const c = collisions[i]!;
    if (c.id === id && c.triangle === triangle && v3.dot(c.normal, point) > 1 - 1e-12) return true;
  }
  return false;
}

/** How far a collider took what was at a point of it since the last move. False, and 0, if not at all. */
export function shiftOf(hero: Character, id: number, point: ReadonlyVec3, out: Vec3): boolean {
  const { surroundings, memory } = hero;
  const thing = surroundings.has?.(id) === false ? undefined : surroundings.get(id);
  if (thing) return memory.shift(id, thing.pose, point, out);
  v3.set(0, 0, 0, out);
  return false;
}
