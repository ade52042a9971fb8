/** What a move ran into, as its owner is told. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { triple } from './constraints.ts';
import { standOn } from './ground.ts';
import { contactPoint, type MoveContext, placeToWorld, readPose, vectorToWorld } from './move-context.ts';

export const MOST_COLLISIONS = 8;

const point = triple();

/** Writes the last hit down. */
export function report(move: MoveContext, hero: Character, isFloor: boolean): void {
  const { collisions, pool } = hero;
  const { nx, ny, nz, mx, my, mz, t } = move.sweep;
  const isCeiling = !isFloor && ny <= -hero.steepest;
  if (isFloor) standOn(move, hero);
  else if (isCeiling) hero.onCeiling = true;
  else hero.onWall = true;
  if (!isFloor) {
    move.velocityPlanes.next.x = nx;
    move.velocityPlanes.next.y = ny;
    move.velocityPlanes.next.z = nz;
    move.velocityPlanes.add();
  }
  if (collisions.length === MOST_COLLISIONS || isKnown(move, hero)) return;
  const collision = pool[collisions.length]!;
  collision.id = move.sweep.id;
  collision.triangle = move.sweep.triangle;
  contactPoint(move, point);
  placeToWorld(move, point, collision.point);
  point.x = nx;
  point.y = ny;
  point.z = nz;
  vectorToWorld(move, point, collision.normal);
  collision.time = t;
  point.x = move.position.x - move.passStart.x;
  point.y = move.position.y - move.passStart.y;
  point.z = move.position.z - move.passStart.z;
  vectorToWorld(move, point, collision.travel);
  point.x = mx - point.x;
  point.y = my - point.y;
  point.z = mz - point.z;
  vectorToWorld(move, point, collision.remainder);
  const { colliderVelocity } = collision;
  if (shiftOf(move, hero, move.sweep.id, collision.point, colliderVelocity))
    v3.scale(colliderVelocity, move.dt > 0 ? 1 / move.dt : 0, colliderVelocity);
  collision.impulse =
    hero.mass * Math.max(0, -(nx * move.velocity.x + ny * move.velocity.y + nz * move.velocity.z));
  collision.side = isFloor ? 'floor' : isCeiling ? 'ceiling' : 'wall';
  collisions.push(collision);
}

/** Is the last hit one that was written down already? */
function isKnown(move: MoveContext, { collisions }: Character): boolean {
  const { id, triangle } = move.sweep;
  point.x = move.sweep.nx;
  point.y = move.sweep.ny;
  point.z = move.sweep.nz;
  vectorToWorld(move, point, point);
  for (let i = 0; i < collisions.length; i++) {
    const c = collisions[i]!;
    if (c.id === id && c.triangle === triangle && v3.dot(c.normal, point) > 1 - 1e-12) return true;
  }
  return false;
}

/** How far a collider took what was at a point of it since the last move. False, and 0, if not at all. */
export function shiftOf(
  move: MoveContext,
  hero: Character,
  id: number,
  point: ReadonlyVec3,
  out: Vec3,
): boolean {
  const { surroundings, history } = hero;
  const thing = surroundings.has?.(id) === false ? undefined : surroundings.get(id);
  if (thing) return history.shift(id, readPose(thing.pose, move.pose), point, out);
  v3.set(0, 0, 0, out);
  return false;
}
