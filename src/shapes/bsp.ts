/**
 * A solid with a BSP tree: a mesh that knows at once what is inside of it. It is the mesh, so that everything that can be asked of
 * one is answered, and by the same algorithms; only where the tree is faster does it come first. Where it is not sure, as within the
 * thickness of its planes, the mesh is asked.
 */
import type { Brush } from '../bsp/brush.ts';
import { QUERY_THICKNESS } from '../bsp/bsp-tree.ts';
import { type BspOptions, checkBspOptions } from '../bsp/partition.ts';
import { type SolidBsp, solidOfBrushes, solidOfMesh } from '../bsp/solid-bsp.ts';
import { IN_EMPTY, IN_SOLID, kindsAt } from '../bsp/solid-queries.ts';
import { BspTrace, traceBox } from '../bsp/trace.ts';
import { directionToSecond, type Frame, toSecond } from '../convex/frame.ts';
import { mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { SURFACE } from './families.ts';
import type { ShapeFamily } from './family.ts';
import { BACK, type BodyContext } from './one-body/body-context.ts';
import { raycastSurface, raycastTriangles, surfaceContains } from './one-body/surface.ts';
import { convexSurface } from './pairs/convex-surface.ts';
import { flipped, type PairAlgorithm } from './pairs/pair.ts';
import type { PairContext } from './pairs/pair-context.ts';
import type { Surface } from './pairs/surface.ts';
import type { ConvexShape } from './shape.ts';

/** A closed mesh with its tree. */
export interface BspShape extends Mesh {
  readonly bsp: SolidBsp;
}

/**
 * A solid with a BSP tree, from a closed mesh, or from brushes, whose faces are its triangles, those in the union too. `contains`,
 * `raycast`, and casts and overlap tests of boxes, spheres and points look at the tree first; every answer is that of the mesh.
 * A mesh with holes is refused. For levels that stay as they are: building takes about a second for 2,000 triangles.
 */
export function bsp(source: Mesh | readonly Brush[], options: BspOptions = {}): BspShape {
  checkBspOptions('bsp', options);
  if (Array.isArray(source)) return asShape(solidOfBrushes('bsp', source, options));
  mustHave('bsp', 'source', source, 'a mesh or a list of brushes', 'tree');
  return asShape(solidOfMesh('bsp', source as Mesh, options, null));
}

const asShape = (tree: SolidBsp): BspShape => ({ ...tree.mesh, bsp: tree, [FAMILY]: BSP });

/** A mesh that `refitMesh` made of one has no tree. */
const treeOf = (shape: Surface): SolidBsp | null => (shape as Partial<BspShape>).bsp ?? null;

// No user code runs while it is in use.
const trace = /* @__PURE__ */ new BspTrace();

/** 1 inside, -1 outside, 0 if the tree is not sure. */
function sideOf(shape: Surface, p: ReadonlyVec3, { within }: BodyContext): -1 | 0 | 1 {
  const tree = treeOf(shape);
  if (tree === null || within > QUERY_THICKNESS * tree.thickness) return 0;
  const kinds = kindsAt(p, tree);
  return kinds === IN_EMPTY ? -1 : kinds === IN_SOLID ? 1 : 0;
}

function containsBsp(shape: Surface, p: ReadonlyVec3, context: BodyContext): boolean {
  const side = sideOf(shape, p, context);
  return side === 0 ? surfaceContains(shape, p, context) : side > 0;
}

/** The tree knows whether the ray starts inside; the triangles say what is hit. */
function raycastBsp(shape: Surface, ray: ReadonlyRay, context: BodyContext): boolean {
  if (!context.solid || context.side === BACK) return raycastSurface(shape, ray, context);
  const side = sideOf(shape, ray.origin, context);
  return side === 0 ? raycastSurface(shape, ray, context) : raycastTriangles(shape, ray, context, side > 0);
}

/** Does a box around the shape, as it moves until `t`, stay clear of the solid? False if that is not known. */
function staysClear(a: ConvexShape, b: Surface, { frame, motion }: PairContext, t: number): boolean {
  const tree = treeOf(b);
  if (tree === null) return false;
  if (a.kind === 'box') {
    const { x, y, z } = a.halfSize;
    v3.set(x + a.rounding, y + a.rounding, z + a.rounding, size);
  } else if (a.kind === 'sphere') v3.set(a.radius, a.radius, a.radius, size);
  else if (a.kind === 'point') v3.set(0, 0, 0, size);
  else return false;
  toSecond(frame, ORIGIN, center);
  boxInSecond(frame);
  v3.sub(center, half, trace.box.min);
  v3.add(center, half, trace.box.max);
  if (t > 0) directionToSecond(frame, motion, trace.motion);
  else v3.set(0, 0, 0, trace.motion);
  trace.tMax = t;
  return !traceBox(trace, tree, true);
}

const ORIGIN: ReadonlyVec3 = vec3();
const size = vec3();
const center = vec3();
const half = vec3();

/** Half the size, along the axes of the second body, of the box that holds one along those of the first. */
function boxInSecond(f: Frame): void {
  const { x, y, z } = size;
  v3.set(
    Math.abs(f.m00) * x + Math.abs(f.m10) * y + Math.abs(f.m20) * z,
    Math.abs(f.m01) * x + Math.abs(f.m11) * y + Math.abs(f.m21) * z,
    Math.abs(f.m02) * x + Math.abs(f.m12) * y + Math.abs(f.m22) * z,
    half,
  );
}

const convexBsp: PairAlgorithm<ConvexShape, Surface> = {
  ...convexSurface,
  name: 'expanded BSP tree, then the triangles of the mesh',
  intersects: (a, b, context) => !staysClear(a, b, context, 0) && convexSurface.intersects(a, b, context),
  cast: (a, b, context, hit) => !staysClear(a, b, context, hit.t) && convexSurface.cast(a, b, context, hit),
};

const BSP: Readonly<ShapeFamily<Surface>> = {
  ...SURFACE,
  first: [
    /* @__PURE__ */ flipped(convexBsp),
    ...SURFACE.first.slice(1),
  ] as unknown as readonly PairAlgorithm[],
  second: [convexBsp, ...SURFACE.second.slice(1)] as unknown as readonly PairAlgorithm[],
  raycast: raycastBsp,
  contains: containsBsp,
};
