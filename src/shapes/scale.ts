/** Shapes stretched, squeezed and mirrored. */

import { CUSTOM, supportCore } from '../convex/core.ts';
import { checkPoint, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import type { ReadonlyMat3, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SupportMap } from '../polytope/types.ts';
import type { Aabb } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { mustBeShape } from './check.ts';
import { compound } from './compound.ts';
import { makeCore } from './cores.ts';
import { box, flatPolygon, hull, segment, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { heightField } from './height-field.ts';
import { mesh } from './mesh.ts';
import { diagonal } from './moments.ts';
import { SUPPORT } from './one-body/hull.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import type {
  CompoundChild,
  CompoundShape,
  ConvexShape,
  CustomShape,
  FieldShape,
  HeightFieldShape,
  Shape,
  SimpleShape,
} from './shape.ts';

/**
 * The shape stretched along its axes by x, y and z; below zero it is mirrored. Refuses 0, which would make it flat.
 *
 * The result is exact. It is of the same kind where there is one: boxes stay boxes, hulls hulls, meshes meshes; cylinders
 * and cones need the same scale across, capsules the same all over, else they come back as a `convex` shape, which knows
 * what it was made of. A sphere becomes an ellipsoid, a cone upside down a `convex` shape, a height field mirrored a mesh.
 * Rounding is scaled with the rest: when the scale is not the same all over, what was within a distance of the core is
 * not any more, so the whole becomes a `convex` shape without rounding, round where it was. In compounds the poses change
 * too; what is askew to the scale is sheared, for which hulls, meshes and `convex` shapes are used. O(n).
 */
export function scaled(shape: Shape, scale: ReadonlyVec3): Shape {
  mustBeShape('scaled', 'shape', shape);
  checkPoint('scaled', 'scale', scale);
  const { x, y, z } = scale;
  if (!(x !== 0 && y !== 0 && z !== 0)) refuse('scaled', 'scale', 'must not be 0 along any axis');
  switch (shape.kind) {
    case 'halfSpace':
      // The normal goes by the inverse: n · x = (n / s) · (s x).
      return halfSpace(vec3(shape.normal.x / x, shape.normal.y / y, shape.normal.z / z), shape.d);
    case 'skinned':
      return refuse('scaled', 'shape', SCALE_JOINTS);
    case 'compound':
      return scaledCompound(shape, scale);
    default:
      return scaledSimple(shape, scale);
  }
}

/**
 * The image of a shape by a matrix that may rotate, scale, mirror and shear it: exact, and of kinds that `scaled` may give, too.
 * Refuses a matrix that makes it flat. O(n).
 *
 * @internal
 */
export function imageOf(shape: Shape, matrix: ReadonlyMat3): Shape {
  const along = diagonalOf(matrix);
  if (along) return scaled(shape, along);
  switch (shape.kind) {
    case 'halfSpace': {
      const inverse = m3.inverse(matrix);
      if (!inverse) refuse('imageOf', 'matrix', 'must not make the shape flat');
      return halfSpace(v3.transform(shape.normal, m3.transpose(inverse)), shape.d);
    }
    case 'compound': {
      const made = compound(
        shape.children.map((child) => ({
          shape: shearedImage(child.shape, m3.multiply(matrix, m3.fromQuat(child.pose.quaternion))),
          pose: { ...makePose(), position: v3.transform(child.pose.position, matrix) },
        })),
      );
      return {
        ...made,
        children: made.children.map((child, i) => ({ ...child, path: shape.children[i]!.path })),
      };
    }
    case 'skinned':
      return refuse('imageOf', 'shape', SCALE_JOINTS);
    default:
      return shearedImage(shape, matrix);
  }
}

const SCALE_JOINTS = 'must not be a skinned mesh: scale the matrices of its joints instead';

const shearedImage = (shape: SimpleShape, matrix: ReadonlyMat3): SimpleShape =>
  shape.kind === 'sphere' ? convexImage(shape, matrix) : simpleImage(shape, matrix, UNIT);

const UNIT: ReadonlyVec3 = { x: 1, y: 1, z: 1 };

function scaledSimple(shape: SimpleShape, scale: ReadonlyVec3): SimpleShape {
  const matrix = diagonal(scale.x, scale.y, scale.z);
  switch (shape.kind) {
    case 'mesh':
      return meshImage(shape, matrix);
    case 'heightField':
      return scaledField(shape, scale);
    case 'sdf':
    case 'csg':
    case 'parametric':
    case 'solid':
    case 'levelSet':
      return fieldImage(shape, matrix);
    default:
      return scaledConvex(shape, scale) ?? convexImage(shape, matrix);
  }
}

/** In its own kind, if that can be. */
function scaledConvex(shape: ConvexShape, scale: ReadonlyVec3): ConvexShape | null {
  const { x, y, z } = v3.abs(scale);
  const isEven = x === y && y === z;
  const isRound = x === z;
  if (shape.core.radius > 0 && !isEven && shape.kind !== 'sphere') return null;
  switch (shape.kind) {
    case 'point':
      return shape;
    case 'sphere':
      return isEven
        ? sphere(x * shape.radius)
        : ellipsoid(x * shape.radius, y * shape.radius, z * shape.radius);
    case 'box':
      return box(x * shape.halfSize.x, y * shape.halfSize.y, z * shape.halfSize.z, x * shape.rounding);
    case 'capsule':
      return isEven ? capsule(y * shape.halfHeight, x * shape.radius) : null;
    case 'cylinder':
      return isRound ? cylinder(y * shape.halfHeight, x * shape.radius, x * shape.rounding) : null;
    case 'cone':
      return isRound && scale.y > 0 ? cone(y * shape.halfHeight, x * shape.radius, x * shape.rounding) : null;
    case 'ellipsoid':
      return ellipsoid(x * shape.radii.x, y * shape.radii.y, z * shape.radii.z, x * shape.rounding);
    case 'convex':
      return null;
    default:
      return cornersImage(shape, diagonal(scale.x, scale.y, scale.z), x);
  }
}

/** Of what is given by its corners. */
function cornersImage(shape: ConvexShape, matrix: ReadonlyMat3, factor: number): ConvexShape | null {
  const moved = (p: ReadonlyVec3): Vec3 => v3.transform(p, matrix);
  switch (shape.kind) {
    case 'box':
      return hull(shape.faces!.vertices.map(moved), factor * shape.rounding);
    case 'hull':
      return hull(shape.points.map(moved), factor * shape.rounding);
    case 'triangle':
      return triangle(moved(shape.a), moved(shape.b), moved(shape.c), factor * shape.rounding);
    case 'polygon':
      return flatPolygon(shape.points.map(moved), factor * shape.rounding);
    case 'segment':
      return segment(moved(shape.a), moved(shape.b), factor * shape.rounding);
    default:
      return null;
  }
}

/**
 * The image, rounding and all, by its support map: farthest along d is the image of what is farthest along mᵀ d.
 *
 * @internal
 */
export function convexImage(shape: ConvexShape, matrix: ReadonlyMat3): CustomShape {
  const { core } = shape;
  if (shape.kind === 'convex' && shape.image)
    return convexImage(shape.image.shape, m3.multiply(matrix, shape.image.matrix));
  const along = vec3();
  const support: SupportMap = (direction, out) => {
    v3.transformTransposed(direction, matrix, along);
    supportCore(core, along, -1, out);
    v3.addScaled(out, v3.normalize(along, along), core.radius, out);
    return v3.transform(out, matrix, out);
  };
  const center = v3.transform(core.center, matrix);
  // No direction grows by more than the root of the sum of all squares.
  const growth = Math.sqrt(matrix.elements.reduce((sum, e) => sum + e * e, 0));
  return {
    kind: 'convex',
    support,
    rounding: 0,
    image: { shape, matrix: m3.copy(matrix) },
    core: makeCore({
      type: CUSTOM,
      data: [],
      radius: 0,
      extent: growth * core.reach,
      center,
      custom: support,
    }),
    faces: null,
    [FAMILY]: SUPPORT,
  };
}

/** The triangles keep their numbers; mirrored, they are reversed, so that the outside stays outside. */
function meshImage(source: Mesh, matrix: ReadonlyMat3): Mesh {
  const { vertices, corners, ids, givenCount } = source;
  const positions = new Float64Array(vertices.length);
  const p = vec3();
  for (let i = 0; i < vertices.length; i += 3) {
    v3.transform(v3.set(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!, p), matrix, p);
    positions[i] = p.x;
    positions[i + 1] = p.y;
    positions[i + 2] = p.z;
  }
  const isMirrored = m3.determinant(matrix) < 0;
  const index = new Uint32Array(3 * givenCount);
  const isKept = new Uint8Array(givenCount);
  for (let i = 0; i < ids.length; i++) {
    const to = 3 * ids[i]!;
    isKept[ids[i]!] = 1;
    index[to] = corners[3 * i]!;
    index[to + 1] = corners[3 * i + (isMirrored ? 2 : 1)]!;
    index[to + 2] = corners[3 * i + (isMirrored ? 1 : 2)]!;
  }
  return mesh(positions, index, {
    shared: !(source.buffer instanceof ArrayBuffer),
    ...(ids.length < givenCount && { exclude: (i: number) => !isKept[i] }),
  });
}

/** Distances shrink by no more than the direction that shrinks most. */
function fieldImage(field: FieldShape, matrix: ReadonlyMat3): FieldShape {
  const inverse = m3.inverse(matrix)!;
  const growth = Math.sqrt(inverse.elements.reduce((sum, e) => sum + e * e, 0));
  const { elements: e } = matrix;
  const isSimilar =
    diagonalOf(matrix) !== null && Math.abs(e[0]!) === Math.abs(e[4]!) && Math.abs(e[4]!) === Math.abs(e[8]!);
  const least = isSimilar
    ? Math.abs(e[0]!)
    : diagonalOf(matrix) !== null
      ? Math.min(Math.abs(e[0]!), Math.abs(e[4]!), Math.abs(e[8]!))
      : 1 / growth;
  // The grid of a level set stands where it was baked.
  const same: FieldShape =
    field.kind === 'levelSet' ? { ...field, kind: 'sdf', [FAMILY]: field[FAMILY] } : field;
  return {
    ...same,
    bounds: imageOfBox(field.bounds, matrix),
    bound: (p) => least * field.bound(v3.transform(p, inverse)),
    exact: field.exact && isSimilar,
    detail: least * field.detail,
    ...(field.kind === 'solid' && { source: null }),
  };
}

function imageOfBox({ min, max }: Readonly<Aabb>, matrix: ReadonlyMat3): Aabb {
  const box = { min: vec3(Infinity, Infinity, Infinity), max: vec3(-Infinity, -Infinity, -Infinity) };
  for (let i = 0; i < 8; i++) {
    const corner = v3.transform(
      vec3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
      matrix,
    );
    v3.min(box.min, corner, box.min);
    v3.max(box.max, corner, box.max);
  }
  return box;
}

function scaledField(field: HeightFieldShape, { x, y, z }: ReadonlyVec3): SimpleShape {
  if (!(x > 0 && y > 0 && z > 0)) return meshImage(field.mesh, diagonal(x, y, z));
  const { columns, rows, heights, spacing, corner, cellTriangles } = field;
  return heightField(
    heights.map((height) => y * height),
    {
      columns,
      rows,
      spacing: { x: x * spacing.x, z: z * spacing.z },
      centered: corner.x !== 0,
      holes: Uint8Array.from(cellTriangles, (triangle) => +(triangle < 0)),
    },
  );
}

function scaledCompound({ children }: CompoundShape, scale: ReadonlyVec3): CompoundShape {
  const made = compound(children.map((child) => scaledChild(child, scale)));
  return { ...made, children: made.children.map((child, i) => ({ ...child, path: children[i]!.path })) };
}

/**
 * What stands at R x + t goes to S R x + S t. If S R = R D with D diagonal (quarter turns, the same scale across the axis
 * of the rotation …), the child is scaled by D and keeps its rotation; else S R is applied to it.
 */
function scaledChild({ shape, pose }: CompoundChild, scale: ReadonlyVec3): CompoundChild {
  const rotation = m3.fromQuat(pose.quaternion);
  const sheared = m3.multiply(diagonal(scale.x, scale.y, scale.z), rotation);
  const own = m3.multiply(m3.transpose(rotation), sheared);
  const position = v3.multiply(pose.position, scale);
  const along = diagonalOf(own);
  if (along)
    return { shape: scaledSimple(shape, along), pose: { position, quaternion: pose.quaternion }, path: [] };
  return { shape: simpleImage(shape, sheared, scale), pose: { ...makePose(), position }, path: [] };
}

/** The diagonal, if the rest is no more than the rounding of a rotation. Sizes that rounding made unequal become equal. */
function diagonalOf({ elements: e }: ReadonlyMat3): Vec3 | null {
  const size = Math.max(Math.abs(e[0]!), Math.abs(e[4]!), Math.abs(e[8]!));
  const slack = 16 * EPS64 * size;
  for (const k of [1, 2, 3, 5, 6, 7]) if (Math.abs(e[k]!) > slack) return null;
  const same = (a: number, b: number): number =>
    Math.abs(Math.abs(a) - Math.abs(b)) <= slack ? Math.sign(a) * Math.abs(b) : a;
  const x = e[0]!;
  const y = same(e[4]!, x);
  return vec3(x, y, same(same(e[8]!, y), x));
}

function simpleImage(shape: SimpleShape, matrix: ReadonlyMat3, scale: ReadonlyVec3): SimpleShape {
  switch (shape.kind) {
    case 'mesh':
      return meshImage(shape, matrix);
    case 'heightField':
      return meshImage(shape.mesh, matrix);
    case 'sdf':
    case 'csg':
    case 'parametric':
    case 'solid':
    case 'levelSet':
      return fieldImage(shape, matrix);
    case 'sphere':
      // A rotated ball is the same ball.
      return scaledSimple(shape, scale);
    default:
      return (shape.core.radius === 0 ? cornersImage(shape, matrix, 1) : null) ?? convexImage(shape, matrix);
  }
}
