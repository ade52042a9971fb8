/** Any shape as what contact times are found for. */
import type { Solid } from '../continuous/generalized/solid.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, Obb, ReadonlyObb } from '../primitives/types.ts';
import { makeObb } from '../primitives/types.ts';
import { closestPointMesh, makeMeshPoint, NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isClosed } from '../trimesh/derived.ts';
import { isInside } from '../trimesh/inside.ts';
import { loadTriangle, type Mesh, makeCorners } from '../trimesh/mesh.ts';
import { meetsObb } from '../trimesh/overlap.ts';
import { overlapObbObb } from '../volumes/obb-overlap.ts';
import { boundsOf } from './bounds.ts';
import { mustBeShape } from './check.ts';
import { isField } from './fields/field.ts';
import { raycastShape, signedDistanceShape } from './one-body/any-shape.ts';
import { BOTH_SIDES, FIRST, releaseBody, takeBody } from './one-body/body-context.ts';
import type { Shape } from './shape.ts';
import { sampleRadiusOf, sampleShape } from './solid-samples.ts';

/** Relative to the coordinates: beside a surface, not on it. */
const BESIDE = 1e-9;
/** Relative to the size, for derivatives. */
const STEP = 1e-5;

/**
 * A shape as `contactTime` asks for it. Rounded shapes are their corners with a radius: a sphere is one sample, its centre. Curved
 * ones, compounds and fields are sampled by cubes, of a sixteenth of their size if no spacing is given. Boxes meet meshes and height
 * fields exactly, all else by its distance.
 */
export function solidOf(shape: Shape): Solid {
  mustBeShape('solidOf', 'shape', shape);
  const bounds = boundsOf(shape);
  const size = sizeOf(bounds);
  const mesh = shape.kind === 'mesh' ? shape : shape.kind === 'heightField' ? shape.mesh : null;
  const isSolid = mesh !== null && isClosed(mesh);
  const signedDistance = distanceOf(shape, mesh);
  let known: { readonly spacing: number; readonly points: readonly number[] } | null = null;
  const own = shape.kind === 'solid' ? shape.source : null;
  const made: Solid = {
    bounds,
    radius: sampleRadiusOf(shape),
    sample(spacing) {
      if (known?.spacing !== spacing) known = { spacing, points: sampleShape(shape, spacing) };
      return known.points;
    },
    box:
      mesh !== null
        ? (box) => meetsObb(box, mesh) || (isSolid && isInside(box.center, mesh))
        : boxByDistance(bounds, signedDistance),
    segment: (a, b) => firstOnSegment(shape, a, b, size),
    normal: mesh !== null ? (p) => normalOfMesh(mesh, p, size) : (p) => slopeOf(signedDistance, p, size),
    signedDistance,
  };
  return own === null ? made : { ...made, ...own, bounds, signedDistance };
}

/** How far its bounds reach; of a half-space 1. */
function sizeOf({ min, max }: Readonly<Aabb>): number {
  const size = Math.max(...[min, max].flatMap(({ x, y, z }) => [Math.abs(x), Math.abs(y), Math.abs(z)]));
  return size < Infinity ? size : 1;
}

function distanceOf(shape: Shape, mesh: Mesh | null): (p: ReadonlyVec3) => number {
  if (isField(shape)) return shape.bound;
  if (mesh !== null && !isClosed(mesh)) return (p) => closestPointMesh(p, mesh, Infinity, onMesh)!.distance;
  return (p) => {
    const context = takeBody();
    try {
      return signedDistanceShape(shape, p, context);
    } finally {
      releaseBody();
    }
  };
}

const onMesh = makeMeshPoint();

/** Yes where the ball about the box meets the shape and the box its bounds: that is never a false no. */
function boxByDistance(bounds: Readonly<Aabb>, signedDistance: (p: ReadonlyVec3) => number) {
  const around = obbOf(bounds);
  return (box: ReadonlyObb): boolean =>
    (around === null || overlapObbObb(box, around)) && signedDistance(box.center) <= v3.length(box.halfSize);
}

function obbOf({ min, max }: Readonly<Aabb>): Obb | null {
  const obb = makeObb();
  v3.lerp(min, max, 0.5, obb.center);
  v3.sub(max, obb.center, obb.halfSize);
  return v3.length(obb.halfSize) < Infinity ? obb : null;
}

function firstOnSegment(shape: Shape, a: ReadonlyVec3, b: ReadonlyVec3, size: number): number | null {
  const context = takeBody();
  try {
    const { ray } = context;
    v3.copy(a, ray.origin);
    v3.sub(b, a, ray.direction);
    context.mode = FIRST;
    context.side = BOTH_SIDES;
    context.solid = true;
    context.limit = 1;
    context.within = 8 * Number.EPSILON * (size + v3.length(a));
    return raycastShape(shape, ray, context) ? context.found.t : null;
  } finally {
    releaseBody();
  }
}

const nearest = /* @__PURE__ */ new NearestSearch();
const corners = makeCorners();

/** Of the nearest triangle; beside it, from its nearest point. */
function normalOfMesh(mesh: Mesh, p: ReadonlyVec3, size: number): Vec3 {
  const { point, distance } = closestPointMesh(p, mesh, Infinity, onMesh)!;
  if (distance > BESIDE * size) return v3.normalize(v3.sub(p, point));
  v3.copy(p, nearest.point);
  nearest.maxDistance = Infinity;
  loadTriangle(mesh, searchNearest(nearest, mesh), corners);
  const { a, b, c } = corners;
  const n = v3.cross(v3.sub(b, a), v3.sub(c, a));
  return v3.length(n) > 0 ? v3.normalize(n) : vec3(0, 1, 0);
}

function slopeOf(signedDistance: (p: ReadonlyVec3) => number, { x, y, z }: ReadonlyVec3, size: number): Vec3 {
  const h = STEP * size;
  const at = (dx: number, dy: number, dz: number): number => signedDistance(vec3(x + dx, y + dy, z + dz));
  const slope = vec3(at(h, 0, 0) - at(-h, 0, 0), at(0, h, 0) - at(0, -h, 0), at(0, 0, h) - at(0, 0, -h));
  return v3.length(slope) > 0 ? v3.normalize(slope) : vec3(0, 1, 0);
}
