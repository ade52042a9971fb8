/** Several shapes in one. */
import { mustBeList, refuse, refuseType } from '../math/check.ts';
import { composePoses } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import { mustNotBeBeyond } from '../math/size-range.ts';
import type { Pose, ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { buildTree } from '../trees/build.ts';
import { boxItems } from '../trees/items.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { boundsOf } from './bounds.ts';
import { mustBeShape, mustBeWorldPose } from './check.ts';
import { COMPOUND } from './families.ts';
import type { CompoundChild, CompoundShape, Shape } from './shape.ts';

/** A shape and where it stands in the compound. Default: at the origin. */
export interface CompoundPart {
  readonly shape: Shape;
  readonly pose?: ReadonlyPose;
}

/**
 * The union of shapes, each with a pose that is copied. Compounds among them are taken apart, so that no children are
 * compounds. Refuses an empty list, half-spaces, which no box holds, and skinned meshes, which change: ask those beside the
 * compound. O(n log n).
 */
export function compound(parts: readonly CompoundPart[]): CompoundShape {
  mustBeList('compound', 'parts', parts);
  if (parts.length === 0) refuse('compound', 'parts', 'must hold at least one shape');
  return compoundOf(parts.flatMap(childrenOf));
}

/** Of children with poses of length 1. @internal */
export function compoundOf(children: readonly CompoundChild[]): CompoundShape {
  const boxes = children.map(({ shape, pose }) => boundsOf(shape, pose));
  const flat = boxes.flatMap(({ min, max }) => [min.x, min.y, min.z, max.x, max.y, max.z]);
  for (const [i, coordinate] of flat.entries())
    mustNotBeBeyond('compound', `parts[${children[Math.floor(i / 6)]!.path[0]}]`, coordinate);
  const tree = buildTree(boxItems(flat), { leafSize: 1 });
  return { kind: 'compound', children, tree, bounds: around(boxes), [FAMILY]: COMPOUND };
}

function childrenOf(part: CompoundPart, index: number): CompoundChild[] {
  const name = `parts[${index}]`;
  if (typeof part !== 'object' || part === null) refuseType('compound', name, 'a record {shape, pose}', part);
  const { shape, pose: given } = part;
  mustBeShape('compound', `${name}.shape`, shape);
  const pose = ownPose(`${name}.pose`, given);
  if (shape.kind === 'halfSpace')
    refuse('compound', `${name}.shape`, 'must be bounded: a half-space has to be asked beside the compound');
  if (shape.kind === 'skinned')
    refuse(
      'compound',
      `${name}.shape`,
      'must keep its form: a skinned mesh has to be asked beside the compound',
    );
  if (shape.kind !== 'compound') return [{ shape, pose, path: [index] }];
  return shape.children.map((child) => ({
    shape: child.shape,
    pose: normalized(composePoses(pose, child.pose)),
    path: [index, ...child.path],
  }));
}

/** A copy, with a quaternion of length 1. */
function ownPose(name: string, given: ReadonlyPose | undefined): Pose {
  if (given === undefined) return makePose();
  mustBeWorldPose('compound', name, given);
  const { position, quaternion } = given;
  return normalized({ position: v3.copy(position), quaternion: q4.copy(quaternion) });
}

function normalized(pose: Pose): Pose {
  q4.normalize(pose.quaternion, pose.quaternion);
  return pose;
}

/** The box around boxes. @internal */
export function around(boxes: readonly Aabb[]): Aabb {
  const all = makeAabb();
  v3.copy(boxes[0]!.min, all.min);
  v3.copy(boxes[0]!.max, all.max);
  for (const { min, max } of boxes) {
    v3.min(all.min, min, all.min);
    v3.max(all.max, max, all.max);
  }
  return all;
}
