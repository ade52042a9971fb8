/** A shape somewhere. */
import { mustBeFinite } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import type { Shape } from './shape.ts';

/** A shape and where it stands. */
export interface Collider {
  readonly shape: Shape;
  /** Read anew by every query. */
  readonly pose: ReadonlyPose;
}

/**
 * A shape with a live pose: not a copy but the very object, so that whoever moves it moves the collider. Anything with a
 * `position` and a `quaternion` will do, such as an `Object3D` of three.js that stands in the scene itself (those of its
 * children are relative to their parent). Its scale has no part in this: that is what `scaled` is for. Without a pose
 * it stands at the origin, and can be moved by its own. O(1).
 */
export function collider(shape: Shape, pose: ReadonlyPose = makePose()): Collider {
  if (typeof shape?.kind !== 'string')
    throw new TypeError('graze: collider: shape must be a shape, such as sphere(1) or mesh(…)');
  mustBeFinite('collider', { 'pose.position': pose.position, 'pose.quaternion': pose.quaternion });
  return { shape, pose };
}
