/** What a character is and what its last move found: the part of it that the stages of a move read and write. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { CharacterWorld } from './character-world.ts';
import { PoseHistory } from './pose-history.ts';
import { SweptShape } from './swept-shape.ts';

/** Something that a character ran into. All in world space. The records are used again by the next move. */
export interface CharacterCollision {
  /** The number of the collider. */
  id: number;
  /** The triangle of the mesh or height field; -1 for others. */
  triangle: number;
  /** The point of the character that touched, on the surface of the thing. Flat on something, the middle of a box's side. */
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

const zeroed = (): Vec3 => {
  // Made with doubles, so that V8 keeps doubles in it.
  const v = vec3(0.5, 0.5, 0.5);
  v.x = v.y = v.z = 0;
  return v;
};

export const makeCollision = (): CharacterCollision => ({
  id: -1,
  triangle: -1,
  point: zeroed(),
  normal: zeroed(),
  time: 0.5,
  travel: zeroed(),
  remainder: zeroed(),
  colliderVelocity: zeroed(),
  impulse: 0.5,
  side: 'wall',
});

export abstract class CharacterState {
  /** The centre of its shape. Read it; set it with `teleport`, or before the first move. */
  readonly position: Vec3 = zeroed();
  /** Set it before each move: distance per unit of time. A move takes away what ran into something. */
  readonly velocity: Vec3 = zeroed();
  /** Did the last move end on ground, run along a wall, bump into a ceiling? */
  onFloor = false;
  onWall = false;
  onCeiling = false;
  /** The normal of the ground that it stands on; up when there is none. */
  readonly floorNormal: Vec3 = zeroed();
  /** The collider that it stands on; -1 for none. */
  floorId = -1;
  /** How fast what it stands on carried it in the last move. Add it to the velocity of a jump. */
  readonly platformVelocity: Vec3 = zeroed();
  /** What stopped the last move, in order. */
  readonly collisions: CharacterCollision[] = [];
  /** From where the last move began to where it ended. */
  readonly lastMotion: Vec3 = zeroed();
  /** How far the last move had to push it out of something first. */
  recovered = 0;
  /** Could it not be pushed out? Then it is in something, or between things that leave it no space. */
  stuck = false;
  /** The sweeps of the longest slide of the last move: one for each thing that deflected it, and one more. */
  passes = 0;
  readonly up: ReadonlyVec3;
  stepHeight = 0.5;
  snapDistance = 0.5;
  mass = 0.5;

  /** @internal */
  readonly world: CharacterWorld;
  /** @internal */
  readonly swept = new SweptShape();
  /** The y of normals from which on ground can be walked on. @internal */
  readonly minFloorY: number;
  /** @internal */
  readonly maxRecovery: number | undefined;
  /** Records for `collisions`. @internal */
  readonly pool: CharacterCollision[] = [];
  /** @internal */
  readonly history = new PoseHistory();
  /** Did a slide of the last move end by its number of passes? @internal */
  exhausted = false;

  protected constructor(
    world: CharacterWorld,
    up: ReadonlyVec3,
    minFloorY: number,
    maxRecovery: number | undefined,
  ) {
    this.world = world;
    this.up = up;
    this.minFloorY = minFloorY;
    this.maxRecovery = maxRecovery;
  }
}
