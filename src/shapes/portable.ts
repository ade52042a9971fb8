/**
 * Shapes as they go to another thread: data that can be cloned, in memory that is shared where it is, and what makes the same
 * shape of it there. Functions of the user's cannot go: what is made of them stays where it is.
 */
import { CONE, CYLINDER, ELLIPSOID } from '../convex/core.ts';
import { makeAxisSearch } from '../convex/revolution-search.ts';
import type { ReadonlyMat3, ReadonlyPose } from '../math/types.ts';
import { FAMILY, KERNELS } from '../trimesh/family-key.ts';
import { type Mesh, viewMesh } from '../trimesh/mesh.ts';
import { compoundOf } from './compound.ts';
import { HALF_SPACE, SURFACE } from './families.ts';
import { type CsgOperation, csgOf } from './fields/csg.ts';
import { LevelSetGrid } from './fields/level-set/grid.ts';
import { levelSetOf } from './fields/level-set/level-set.ts';
import { BOX_FORM } from './one-body/box.ts';
import type { ConvexForm } from './one-body/convex-form.ts';
import { CONE_FORM, CYLINDER_FORM } from './one-body/cylinder-cone.ts';
import { ELLIPSOID_FORM } from './one-body/ellipsoid.ts';
import { FLAT } from './one-body/flat.ts';
import { HULL } from './one-body/hull.ts';
import { TUBE } from './one-body/tube.ts';
import { convexImage } from './scale.ts';
import type {
  CompoundChild,
  ConvexShape,
  CsgShape,
  HalfSpaceShape,
  HeightFieldShape,
  Shape,
  SimpleShape,
} from './shape.ts';

type Bytes = ArrayBuffer | SharedArrayBuffer;
type Child = { readonly shape: PortableShape; readonly pose: ReadonlyPose };

/** The algorithms of convex shapes, by name. */
const FORMS = {
  tube: TUBE,
  box: BOX_FORM,
  flat: FLAT,
  hull: HULL,
  cylinder: CYLINDER_FORM,
  cone: CONE_FORM,
  ellipsoid: ELLIPSOID_FORM,
} satisfies Record<string, ConvexForm>;
type FormName = keyof typeof FORMS;

/** @internal */
export type PortableShape =
  | { readonly as: 'mesh'; readonly buffer: Bytes; readonly isShape: boolean; readonly simd: boolean }
  | { readonly as: 'convex'; readonly data: Omit<ConvexShape, typeof FAMILY>; readonly form: FormName }
  | { readonly as: 'image'; readonly shape: PortableShape; readonly matrix: ReadonlyMat3 }
  | { readonly as: 'halfSpace'; readonly data: Omit<HalfSpaceShape, typeof FAMILY> }
  | {
      readonly as: 'heightField';
      readonly data: Omit<HeightFieldShape, typeof FAMILY | 'mesh'>;
      readonly mesh: PortableShape;
    }
  | { readonly as: 'compound'; readonly children: readonly (Child & { readonly path: readonly number[] })[] }
  | { readonly as: 'csg'; readonly operation: CsgOperation; readonly children: readonly Child[] }
  | { readonly as: 'levelSet'; readonly buffer: Bytes };

/** Why a shape cannot go to another thread; null if it can. @internal */
export function whyNotPortable(shape: Shape): string | null {
  switch (shape.kind) {
    case 'convex':
      return shape.image
        ? whyNotPortable(shape.image.shape)
        : 'the support map of a convex shape is a function';
    case 'sdf':
      return 'an sdf is a function';
    case 'parametric':
      return 'a parametric surface is a function';
    case 'solid':
      return 'what a solid is made of are functions';
    case 'skinned':
      return 'the vertices of a skinned mesh move';
    case 'mesh':
      return shape.live === null ? null : 'the vertices of the mesh move';
    case 'compound':
    case 'csg':
      for (const child of shape.children) {
        const why = whyNotPortable(child.shape);
        if (why !== null) return why;
      }
      return null;
    default:
      return null;
  }
}

/** Has it a mesh with four-wide kernels? They may come and go: the shape is to be sent again. @internal */
export function hasKernels(shape: Shape): boolean {
  if (shape.kind === 'mesh') return !!shape[KERNELS];
  if (shape.kind === 'heightField') return !!shape.mesh[KERNELS];
  return (
    (shape.kind === 'compound' || shape.kind === 'csg') && shape.children.some((c) => hasKernels(c.shape))
  );
}

/** Throws what `whyNotPortable` says. @internal */
export function packShape(shape: Shape): PortableShape {
  const why = whyNotPortable(shape);
  if (why !== null) throw new Error(`graze: ${why}`);
  switch (shape.kind) {
    case 'mesh':
      return {
        as: 'mesh',
        buffer: shape.buffer,
        isShape: shape[FAMILY] != null,
        simd: !!shape[KERNELS],
      };
    case 'halfSpace':
      return { as: 'halfSpace', data: { kind: 'halfSpace', normal: shape.normal, d: shape.d } };
    case 'heightField': {
      const { mesh, [FAMILY]: _, ...data } = shape;
      return { as: 'heightField', data, mesh: packShape(mesh) };
    }
    case 'compound':
      return {
        as: 'compound',
        children: shape.children.map(({ shape: own, pose, path }) => ({ shape: packShape(own), pose, path })),
      };
    case 'csg':
      return {
        as: 'csg',
        operation: shape.operation,
        children: shape.children.map(({ shape: own, pose }) => ({ shape: packShape(own), pose })),
      };
    case 'levelSet':
      return { as: 'levelSet', buffer: shape.grid.buffer };
    case 'convex':
      return { as: 'image', shape: packShape(shape.image!.shape), matrix: shape.image!.matrix };
    case 'sdf':
    case 'parametric':
    case 'solid':
    case 'skinned':
      throw new Error(`graze: a ${shape.kind} cannot go to another thread`);
    default: {
      const { [FAMILY]: form, ...data } = shape;
      const name = (Object.keys(FORMS) as FormName[]).find((key) => FORMS[key] === form);
      if (name === undefined) throw new Error(`graze: a ${shape.kind} cannot go to another thread`);
      const core = { ...shape.core, axisSearch: null };
      // The mesh that a hull stands for says nothing about where it is.
      return {
        as: 'convex',
        form: name,
        data: { ...data, core, ...(shape.kind === 'hull' && { source: null }) },
      };
    }
  }
}

/** The same shape, in this thread. `addKernels` is given each mesh that has four-wide kernels. @internal */
export function unpackShape(packed: PortableShape, addKernels: (mesh: Mesh) => void): Shape {
  const unpack = (child: PortableShape): Shape => unpackShape(child, addKernels);
  switch (packed.as) {
    case 'mesh': {
      const mesh = viewMesh(packed.buffer);
      if (packed.isShape) mesh[FAMILY] = SURFACE;
      if (packed.simd) addKernels(mesh);
      return mesh;
    }
    case 'halfSpace':
      return { ...packed.data, [FAMILY]: HALF_SPACE };
    case 'heightField': {
      const { kind, columns, rows, heights, spacing, corner, cellTriangles, triangleCells } = packed.data;
      const mesh = unpack(packed.mesh) as Mesh;
      return {
        kind,
        mesh,
        columns,
        rows,
        heights,
        spacing,
        corner,
        cellTriangles,
        triangleCells,
        [FAMILY]: SURFACE,
      };
    }
    case 'compound':
      return compoundOf(
        packed.children.map(
          ({ shape, pose, path }): CompoundChild => ({ shape: unpack(shape) as SimpleShape, pose, path }),
        ),
      );
    case 'csg':
      return csgOf(
        packed.operation,
        packed.children.map(({ shape, pose }): CsgShape['children'][number] => ({
          shape: unpack(shape),
          pose,
        })),
      );
    case 'levelSet':
      return levelSetOf(new LevelSetGrid(packed.buffer));
    case 'image':
      return convexImage(unpack(packed.shape) as ConvexShape, packed.matrix);
    case 'convex': {
      const { data, form } = packed;
      const { core } = data;
      const hasAxis = core.type === CYLINDER || core.type === CONE || core.type === ELLIPSOID;
      const own = { ...core, axisSearch: hasAxis ? makeAxisSearch : null };
      return { ...data, core: own, [FAMILY]: FORMS[form] } as ConvexShape;
    }
  }
}
