/** What a move ran into, as the character reports it. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { standOnHit } from './ground.ts';
import { contactPoint, type MoveContext, pointToWorld, readPose, vectorToWorld } from './move-context.ts';

export const MAX_COLLISIONS = 8;

const scratch = vec3(0.5, 0.5, 0.5);

/** Records the last hit. */
export function recordCollision(move: MoveContext, isFloor: boolean): void {
  const { hero, sweep, velocity, velocityPlanes, position, passStart, dt } = move;
  const { collisions } = hero;
  const { nx, ny, nz, mx, my, mz, id, triangle } = sweep;
  const isCeiling = !isFloor && ny <= -hero.minFloorY;
  if (isFloor) standOnHit(move);
  else {
    if (isCeiling) hero.onCeiling = true;
    else hero.onWall = true;
    const { next } = velocityPlanes;
    next.x = nx;
    next.y = ny;
    next.z = nz;
    velocityPlanes.add();
  }
  if (collisions.length === MAX_COLLISIONS) return;
  const collision = hero.pool[collisions.length]!;
  const { point, normal, colliderVelocity } = collision;
  scratch.x = nx;
  scratch.y = ny;
  scratch.z = nz;
  vectorToWorld(move, scratch, normal);
  for (let i = 0; i < collisions.length; i++) {
    const c = collisions[i]!;
    // It was recorded already.
    if (c.id === id && c.triangle === triangle && v3.dot(c.normal, normal) > 1 - 1e-12) return;
  }
  collision.id = id;
  collision.triangle = triangle;
  contactPoint(move, scratch);
  pointToWorld(move, scratch, point);
  collision.time = sweep.t;
  scratch.x = position.x - passStart.x;
  scratch.y = position.y - passStart.y;
  scratch.z = position.z - passStart.z;
  vectorToWorld(move, scratch, collision.travel);
  scratch.x = mx - scratch.x;
  scratch.y = my - scratch.y;
  scratch.z = mz - scratch.z;
  vectorToWorld(move, scratch, collision.remainder);
  if (colliderDisplacement(move, id, point, colliderVelocity))
    v3.scale(colliderVelocity, dt > 0 ? 1 / dt : 0, colliderVelocity);
  collision.impulse = hero.mass * Math.max(0, -(nx * velocity.x + ny * velocity.y + nz * velocity.z));
  collision.side = isFloor ? 'floor' : isCeiling ? 'ceiling' : 'wall';
  collisions.push(collision);
}

/** How far a collider has carried what was at a point of it since the last move. False, and 0, if not at all. */
export function colliderDisplacement(move: MoveContext, id: number, at: ReadonlyVec3, out: Vec3): boolean {
  const { world, history } = move.hero;
  const obstacle = world.has?.(id) === false ? undefined : world.get(id);
  if (obstacle) return history.displacement(id, readPose(obstacle.pose, move.pose), at, out);
  v3.set(0, 0, 0, out);
  return false;
}
