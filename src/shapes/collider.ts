/** A shape somewhere. */
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import { mustBeShape, mustBeWorldPose } from './check.ts';
import type { Shape } from './shape.ts';

/** A shape and where it stands. */
export interface Collider {
  readonly shape: Shape;
  /** Read by every query. */
  readonly pose: ReadonlyPose;
}

/**
 * A shape with a live pose: not a copy but the very object, so that whoever moves it moves the collider. Anything with a
 * `position` and a `quaternion` will do, such as an `Object3D` of three.js that stands in the scene itself. One that is
 * scaled, or has a parent that is moved, turned or scaled, is refused whenever it is read: its position and quaternion are
 * not those of the world. Without a pose it stands at the origin, and can be moved by its own. O(1).
 */
export function collider(shape: Shape, pose: ReadonlyPose = makePose()): Collider {
  mustBeShape('collider', 'shape', shape);
  mustBeWorldPose('collider', 'pose', pose);
  return { shape, pose };
}
