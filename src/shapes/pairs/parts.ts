/** What two bodies are made of, part by part: convex shapes, and meshes that are not. */
import {
  BOX,
  CONE,
  type ConvexCore,
  CUSTOM,
  CYLINDER,
  ELLIPSOID,
  NO_TABLE,
  POLYTOPE,
  supportCore,
} from '../../convex/core.ts';
import {
  composeFrames,
  directionToSecond,
  type Frame,
  makeFrame,
  relativeFrame,
  toFirst,
} from '../../convex/frame.ts';
import { BOX_PADDING } from '../../math/tolerance.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { pose, vec3 } from '../../math/types.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { lowestVertex } from '../../trimesh/lowest-vertex.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import { boundsOf } from '../bounds.ts';
import { isFlat } from '../one-body/convex-form.ts';
import type { CompoundShape, ConvexShape, SimpleShape } from '../shape.ts';
import { convexOf } from './mesh-hull.ts';

/** Bounded shapes: all but half-spaces. */
export type BoundedShape = SimpleShape | CompoundShape;

/** One part of a body. */
export interface Part {
  readonly shape: SimpleShape;
  /** Null for a mesh that is not convex. */
  readonly convex: ConvexShape | null;
  /** The mesh, if it is one, convex or not; of a height field, its own. */
  readonly mesh: Mesh | null;
  /** The number of the child in a compound; -1 otherwise. */
  readonly child: number;
  /** Where it stands in the space of the first body. */
  readonly frame: Frame;
  /** A box around it, in the space of the first body. */
  readonly box: Aabb;
  /** Has it no inside? */
  readonly thin: boolean;
}

const HOME: ReadonlyPose = pose();

/** The parts of a body that stands at `frame`. @internal */
export function partsOf(shape: BoundedShape, frame: Frame): Part[] {
  if (shape.kind !== 'compound') return [makePart(shape, -1, HOME, frame)];
  return shape.children.map((child, i) => makePart(child.shape, i, child.pose, frame));
}

function makePart(shape: SimpleShape, child: number, at: ReadonlyPose, frame: Frame): Part {
  const mesh = shape.kind === 'mesh' ? shape : shape.kind === 'heightField' ? shape.mesh : null;
  const convex = convexOf(shape);
  const own = composeFrames(frame, relativeFrame(HOME, at), makeFrame());
  const thin = convex ? isThin(convex) : !(shape.kind === 'mesh' && isClosed(shape));
  return { shape, convex, mesh, child, frame: own, box: boxThrough(boundsOf(shape), own), thin };
}

/** Has a convex shape no inside? */
function isThin({ core, faces }: ConvexShape): boolean {
  if (core.radius > 0) return false;
  switch (core.type) {
    case BOX:
    case ELLIPSOID:
      return Math.min(core.data[0]!, core.data[1]!, core.data[2]!) === 0;
    case CYLINDER:
    case CONE:
      return Math.min(core.data[0]!, core.data[1]!) === 0;
    case POLYTOPE:
      return isFlat(faces);
    case CUSTOM:
      return false;
    default:
      return true;
  }
}

/** The box around a box that stands at a frame, with slack for rounding. */
function boxThrough({ min, max }: Aabb, f: Frame): Aabb {
  const [x, y, z] = [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2];
  const [u, v, w] = [(max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2];
  const out = makeAabb();
  const center = toFirst(f, { x, y, z }, vec3());
  const put = (axis: 'x' | 'y' | 'z', reach: number): void => {
    const slack = BOX_PADDING * (Math.abs(center[axis]) + reach);
    out.min[axis] = center[axis] - reach - slack;
    out.max[axis] = center[axis] + reach + slack;
  };
  put('x', Math.abs(f.m00) * u + Math.abs(f.m01) * v + Math.abs(f.m02) * w);
  put('y', Math.abs(f.m10) * u + Math.abs(f.m11) * v + Math.abs(f.m12) * w);
  put('z', Math.abs(f.m20) * u + Math.abs(f.m21) * v + Math.abs(f.m22) * w);
  return out;
}

const localDirection = vec3();
const own = vec3();

/** The point of a part farthest along a direction; all in the space of the first body. */
function supportPart({ convex, mesh, frame }: Part, direction: ReadonlyVec3, out: Vec3): void {
  const { x, y, z } = directionToSecond(frame, direction, localDirection);
  if (convex) {
    const { core } = convex;
    supportCore(core, localDirection, -1, own);
    const length = Math.sqrt(x * x + y * y + z * z);
    const k = length > 0 ? core.radius / length : 0;
    own.x += k * x;
    own.y += k * y;
    own.z += k * z;
  } else {
    localDirection.x = -localDirection.x;
    localDirection.y = -localDirection.y;
    localDirection.z = -localDirection.z;
    lowestVertex(mesh!, localDirection, own);
  }
  toFirst(frame, own, out);
}

const NONE = new Uint32Array(0);

/** The convex hull of all parts of a body, by its support map, in the space of the first body. @internal */
export function hullOfParts(parts: readonly Part[]): ConvexCore {
  const one = vec3();
  const custom = (direction: ReadonlyVec3, out: Vec3): Vec3 => {
    let most = -Infinity;
    for (let i = 0; i < parts.length; i++) {
      supportPart(parts[i]!, direction, one);
      const height = one.x * direction.x + one.y * direction.y + one.z * direction.z;
      if (!(height > most)) continue;
      most = height;
      out.x = one.x;
      out.y = one.y;
      out.z = one.z;
    }
    return out;
  };
  // In the middle of the points that are farthest along the axes.
  const center = vec3();
  const at = vec3();
  for (const axis of AXES) {
    custom(axis, at);
    center.x += at.x / AXES.length;
    center.y += at.y / AXES.length;
    center.z += at.z / AXES.length;
  }
  let reach = 0;
  for (const { box } of parts) reach = Math.max(reach, reachOf(box));
  return {
    type: CUSTOM,
    data: new Float64Array(0),
    radius: 0,
    reach,
    center,
    inner: 0,
    firstNeighbour: NONE,
    neighbours: NONE,
    table: NO_TABLE,
    custom,
    axisSearch: null,
  };
}

/** @internal */
export const AXES: readonly ReadonlyVec3[] = [
  vec3(1, 0, 0),
  vec3(-1, 0, 0),
  vec3(0, 1, 0),
  vec3(0, -1, 0),
  vec3(0, 0, 1),
  vec3(0, 0, -1),
];

/** No point of a box is farther from the origin. */
function reachOf({ min, max }: Aabb): number {
  const x = Math.max(-min.x, max.x);
  const y = Math.max(-min.y, max.y);
  const z = Math.max(-min.z, max.z);
  return Math.sqrt(x * x + y * y + z * z);
}
