/** Unions, intersections and differences of solids. RTCD §2.2 has them as a way to describe shapes. */
import { mustBeList, mustBeOneOf, refuse, refuseType } from '../../math/check.ts';
import * as q4 from '../../math/quat.ts';
import { pose as makePose, type ReadonlyPose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Aabb } from '../../primitives/types.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { FAMILY } from '../../trimesh/family-key.ts';
import { pointToBody } from '../body-space.ts';
import { boundsOf } from '../bounds.ts';
import { mustBeShape, mustBeWorldPose } from '../check.ts';
import { around, type CompoundPart } from '../compound.ts';
import { signedDistanceShape } from '../one-body/any-shape.ts';
import { releaseBody, takeBody } from '../one-body/body-context.ts';
import type { CsgShape, Shape } from '../shape.ts';
import { FIELD } from './family.ts';
import { isField } from './field.ts';

/** @public */
export type CsgOperation = CsgShape['operation'];

/**
 * The union of solids, their intersection, or the first without all others (and with the boundary where they were cut off: it
 * is a closed set). Any shapes that have an inside: convex ones, closed meshes, half-spaces, compounds, fields, other
 * `csg` shapes; each with a pose that is copied. Refuses meshes that are not closed, height fields, and what is unbounded as a
 * whole, such as a half-space less a ball.
 */
export function csg(operation: CsgOperation, parts: readonly (Shape | CompoundPart)[]): CsgShape {
  mustBeOneOf('csg', 'operation', operation, ['union', 'intersection', 'difference']);
  mustBeList('csg', 'parts', parts);
  if (parts.length === 0) refuse('csg', 'parts', 'must hold at least one shape');
  return csgOf(operation, parts.map(childOf));
}

/** Of children with poses of length 1. @internal */
export function csgOf(operation: CsgOperation, children: CsgShape['children']): CsgShape {
  const boxes = children.map(({ shape, pose }) => boundsOf(shape, pose));
  const bounds = boundsOfAll(operation, boxes);
  const { min, max } = bounds;
  if (!(Math.abs(v3.dot(min, vec3(1, 1, 1))) + Math.abs(v3.dot(max, vec3(1, 1, 1))) < Infinity))
    refuse(
      'csg',
      'parts',
      'must be bounded as a whole: a half-space can only be cut off, or cut down by something bounded',
    );
  const values = children.map(({ shape, pose }) => fieldOf(shape, pose));
  const bound = COMBINE[operation](values);
  return {
    kind: 'csg',
    operation,
    children,
    bounds,
    bound,
    exact: false,
    detail: 0,
    [FAMILY]: FIELD,
  };
}

function childOf(part: Shape | CompoundPart, index: number): { shape: Shape; pose: ReadonlyPose } {
  const name = `parts[${index}]`;
  if (typeof part !== 'object' || part === null)
    refuseType('csg', name, 'a shape, or a record {shape, pose}', part);
  const { shape, pose } = 'kind' in part ? { shape: part, pose: undefined } : part;
  mustBeShape('csg', name, shape);
  mustHaveInside(name, shape);
  if (pose === undefined) return { shape, pose: makePose() };
  mustBeWorldPose('csg', `${name}.pose`, pose);
  const { position, quaternion } = pose;
  return { shape, pose: { position: v3.copy(position), quaternion: q4.normalize(quaternion) } };
}

function mustHaveInside(name: string, shape: Shape): void {
  if (shape.kind === 'skinned')
    refuse('csg', name, 'must keep its form: of a skinned mesh in a pose, skinned.mesh is a mesh that does');
  if (shape.kind === 'heightField' || (shape.kind === 'mesh' && !isClosed(shape)))
    refuse(
      'csg',
      name,
      `must have an inside, which a ${shape.kind} that is not closed has not: inspect(it) says where, repair(it) may help`,
    );
  if (shape.kind === 'compound') for (const child of shape.children) mustHaveInside(name, child.shape);
}

type Value = (p: ReadonlyVec3) => number;

/** The signed distance from a child, in the space of the whole. */
function fieldOf(shape: Shape, pose: ReadonlyPose): Value {
  return (p) => {
    const context = takeBody();
    try {
      const own = pointToBody(pose, p, context.ray.origin);
      return isField(shape) ? shape.bound(own) : signedDistanceShape(shape, own, context);
    } finally {
      releaseBody();
    }
  };
}

const least =
  (values: readonly Value[]): Value =>
  (p) => {
    let value = Infinity;
    for (const one of values) value = Math.min(value, one(p));
    return value;
  };
const most =
  (values: readonly Value[]): Value =>
  (p) => {
    let value = -Infinity;
    for (const one of values) value = Math.max(value, one(p));
    return value;
  };
const COMBINE: Readonly<Record<CsgOperation, (values: readonly Value[]) => Value>> = {
  union: least,
  intersection: most,
  difference: ([first, ...rest]) =>
    most([
      first!,
      ...rest.map(
        (one): Value =>
          (p) =>
            -one(p),
      ),
    ]),
};

function boundsOfAll(operation: CsgOperation, boxes: readonly Aabb[]): Aabb {
  if (operation === 'union') return around(boxes);
  const all = around(boxes.slice(0, 1));
  if (operation === 'difference') return all;
  for (const { min, max } of boxes) {
    v3.max(all.min, min, all.min);
    v3.min(all.max, max, all.max);
  }
  if (!(all.min.x <= all.max.x && all.min.y <= all.max.y && all.min.z <= all.max.z))
    refuse('csg', 'parts', 'must have points in common: the intersection is empty');
  return all;
}
