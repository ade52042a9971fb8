/** What a move reports about one thing that stopped it. */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** Something that a character ran into. All in world space. The records are used again by the next move. */
export interface CharacterCollision {
  /** The number of the collider. */
  id: number;
  /** The triangle of the mesh or height field; -1 for others. */
  triangle: number;
  /** Where: the point of the character that touched, seen on the thing. Flat on something, the middle of the box's side. */
  readonly point: Vec3;
  /** Unit vector out of the thing towards the character. */
  readonly normal: Vec3;
  /** When in the move: how much of the pass had been done, from 0 to 1. */
  time: number;
  /** The motion until then, and what was left of it. */
  readonly travel: Vec3;
  readonly remainder: Vec3;
  /** The velocity of the thing there, by the change of its pose since the last move; 0 if it was not near then. */
  readonly colliderVelocity: Vec3;
  /** The speed with which the character came, times its mass: what the thing may be pushed with, along -normal. */
  impulse: number;
  /** Is it ground, a wall, or a ceiling? */
  side: 'floor' | 'wall' | 'ceiling';
}

export const makeCollision = (): CharacterCollision => ({
  id: -1,
  triangle: -1,
  point: vec3(0.5, 0.5, 0.5),
  normal: vec3(0.5, 0.5, 0.5),
  time: 0.5,
  travel: vec3(0.5, 0.5, 0.5),
  remainder: vec3(0.5, 0.5, 0.5),
  colliderVelocity: vec3(0.5, 0.5, 0.5),
  impulse: 0.5,
  side: 'wall',
});
