/** Checks of shapes and poses that users pass in. */
import { isPose, mustBePose, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { Shape } from './shape.ts';

/** Is it a shape that a factory has made? @internal */
export function isShape(value: unknown): value is Shape {
  if (typeof value !== 'object' || value === null) return false;
  const shape = value as { readonly core?: unknown; readonly [FAMILY]?: unknown };
  return shape.core !== undefined || shape[FAMILY] != null;
}

/** @internal */
export function mustBeShape(caller: string, name: string, shape: unknown): asserts shape is Shape {
  if (!isShape(shape)) refuseShape(caller, name, 'a shape, such as sphere(1) or mesh(…)', shape);
}

/** Says what is wrong with what is not a shape. @internal */
export function refuseShape(caller: string, name: string, wanted: string, got: unknown): never {
  if (typeof got === 'object' && got !== null && FAMILY in got)
    refuse(caller, name, "is a mesh of the toolbox: mesh(it), of 'graze', makes it a shape");
  refuseType(caller, name, wanted, got);
}

/** What a three.js `Object3D` has beside its pose. */
export interface SceneNode extends ReadonlyPose {
  readonly parent?: SceneNode | null;
  readonly scale?: { readonly x: number; readonly y: number; readonly z: number };
}

/**
 * A pose of the world: finite numbers, a quaternion that is not zero. A node of a scene (`Object3D`) has a pose relative to
 * its parent, and a scale, neither of which is followed: it is refused where they make a difference.
 *
 * @internal
 */
export function mustBeWorldPose(caller: string, name: string, pose: ReadonlyPose): void {
  if (isPlainPose(pose)) return;
  mustBePose(caller, name, pose);
  mustStandAlone(caller, name, pose as SceneNode);
}

/** A good pose that is no node of a scene: nearly all are, and need no further look. @internal */
export const isPlainPose = (pose: ReadonlyPose): boolean =>
  isPose(pose) && (pose as SceneNode).scale === undefined;

/** What is left of a scale or a rotation when a matrix is taken apart. */
const ROUNDING = 1e-9;

function mustStandAlone(caller: string, name: string, node: SceneNode): void {
  if (!isUnscaled(node))
    refuse(
      caller,
      name,
      'has a scale other than 1, which a pose cannot have: scale the shape instead, scaled(shape, object.scale), and ' +
        'give it { position: object.position, quaternion: object.quaternion }',
    );
  for (let parent = node.parent; parent; parent = parent.parent)
    if (!isAtOrigin(parent))
      refuse(
        caller,
        name,
        'is relative to a parent that is moved, turned or scaled: give it a pose of the world instead, filled by ' +
          'object.getWorldPosition(pose.position) and object.getWorldQuaternion(pose.quaternion)',
      );
}

const isUnscaled = ({ scale }: SceneNode): boolean =>
  !scale || Math.abs(scale.x - 1) + Math.abs(scale.y - 1) + Math.abs(scale.z - 1) <= ROUNDING;

/** Only a parent of no influence; what has no pose of its own has none. */
function isAtOrigin(node: SceneNode): boolean {
  const { position: p, quaternion: q } = node as Partial<SceneNode>;
  if (!p || !q) return true;
  return (
    p.x === 0 &&
    p.y === 0 &&
    p.z === 0 &&
    Math.abs(q.x) + Math.abs(q.y) + Math.abs(q.z) <= ROUNDING * Math.abs(q.w) &&
    isUnscaled(node)
  );
}
