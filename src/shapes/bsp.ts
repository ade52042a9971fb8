/**
 * A solid with a BSP tree: a mesh that knows at once what is inside of it. It is the mesh, so that everything that can be asked of
 * one is answered, and by the same algorithms; only where the tree is faster does it come first. What it says within the thickness
 * of its planes is not taken: then the mesh is asked.
 */
import type { Brush } from '../bsp/brush.ts';
import { QUERY_THICKNESS } from '../bsp/bsp-tree.ts';
import { type BspOptions, checkBspOptions } from '../bsp/partition.ts';
import { type SolidBsp, solidOfBrushes, solidOfMesh } from '../bsp/solid-bsp.ts';
import { locate } from '../bsp/solid-queries.ts';
import { BspTrace, traceSolid } from '../bsp/trace.ts';
import { directionToSecond, type Frame, toSecond } from '../convex/frame.ts';
import { mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { set } from '../math/vec3.ts';
import { intersectLineTriangle, LineRange } from '../primitives/ray/line-triangle.ts';
import { makeTriangleHit, type ReadonlyRay } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { loadTriangle, type Mesh, makeCorners } from '../trimesh/mesh.ts';
import { copyPoint } from './body-space.ts';
import { SURFACE } from './families.ts';
import type { ShapeFamily } from './family.ts';
import { ALL, ANY, BOTH_SIDES, type BodyContext } from './one-body/body-context.ts';
import { raycastSurface, surfaceContains } from './one-body/surface.ts';
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

/** The tree, if it knows all of the surface. A mesh that `refitMesh` made of one has none. */
function treeOf(shape: Surface): SolidBsp | null {
  const tree = (shape as Partial<BspShape>).bsp;
  return tree !== undefined && tree.thinTriangles.length === 0 ? tree : null;
}

// No user code runs while these are in use.
const trace = /* @__PURE__ */ new BspTrace();
const range = /* @__PURE__ */ new LineRange('raycast', 0);
const triangle = makeCorners();
const candidate = makeTriangleHit();
const found = makeTriangleHit();

function containsBsp(shape: Surface, p: ReadonlyVec3, context: BodyContext): boolean {
  const tree = treeOf(shape);
  if (tree === null || context.within > QUERY_THICKNESS * tree.thickness)
    return surfaceContains(shape, p, context);
  const side = locate(p, tree);
  return side === 0 ? surfaceContains(shape, p, context) : side > 0;
}

/** Where the tree is sure of the face that is hit, its triangles on that plane are asked; else the whole mesh is. */
function raycastBsp(shape: Surface, ray: ReadonlyRay, context: BodyContext): boolean {
  const tree = treeOf(shape);
  const { mode, side, solid, limit } = context;
  if (
    tree === null ||
    mode === ALL ||
    side !== BOTH_SIDES ||
    !solid ||
    context.within > QUERY_THICKNESS * tree.thickness
  )
    return raycastSurface(shape, ray, context);
  copyPoint(ray.origin, trace.origin);
  copyPoint(ray.direction, trace.direction);
  set(0, 0, 0, trace.halfSize);
  trace.tMax = limit;
  trace.thickness = QUERY_THICKNESS * tree.thickness;
  if (!traceSolid(trace, tree)) return false;
  if (!trace.isClear) return raycastSurface(shape, ray, context);
  const { nodeStart, nodeFaces, mesh } = tree;
  let slot = -1;
  range.tMax = limit;
  for (let i = nodeStart[trace.node]!; i < nodeStart[trace.node + 1]!; i++) {
    loadTriangle(mesh, nodeFaces[i]!, triangle);
    const { a, b, c } = triangle;
    if (!intersectLineTriangle(ray, a, b, c, range, candidate)) continue;
    if (slot >= 0 && candidate.t === found.t && mesh.ids[slot]! < mesh.ids[nodeFaces[i]!]!) continue;
    slot = nodeFaces[i]!;
    found.t = candidate.t;
    copyPoint(candidate.point, found.point);
    copyPoint(candidate.normal, found.normal);
    range.tMax = found.t;
  }
  if (slot < 0) return raycastSurface(shape, ray, context);
  if (mode === ANY) return true;
  const { found: out } = context;
  out.t = found.t;
  copyPoint(found.point, out.point);
  copyPoint(found.normal, out.normal);
  out.triangle = mesh.ids[slot]!;
  return true;
}

/** Does a box around the shape, as it moves until `t`, stay clear of the solid? False if that is not known. */
function staysClear(a: ConvexShape, b: Surface, { frame, motion }: PairContext, t: number): boolean {
  const tree = treeOf(b);
  if (tree === null) return false;
  if (a.kind === 'box') {
    const { x, y, z } = a.halfSize;
    set(x + a.rounding, y + a.rounding, z + a.rounding, size);
  } else if (a.kind === 'sphere') set(a.radius, a.radius, a.radius, size);
  else if (a.kind === 'point') set(0, 0, 0, size);
  else return false;
  boxInSecond(frame);
  toSecond(frame, ORIGIN, trace.origin);
  if (t > 0) directionToSecond(frame, motion, trace.direction);
  else set(0, 0, 0, trace.direction);
  trace.tMax = t;
  trace.thickness = QUERY_THICKNESS * tree.thickness;
  return !traceSolid(trace, tree);
}

const ORIGIN: ReadonlyVec3 = vec3();
const size = vec3();

/** Half the size, along the axes of the second body, of the box that holds one along those of the first. */
function boxInSecond(f: Frame): void {
  const { x, y, z } = size;
  set(
    Math.abs(f.m00) * x + Math.abs(f.m10) * y + Math.abs(f.m20) * z,
    Math.abs(f.m01) * x + Math.abs(f.m11) * y + Math.abs(f.m21) * z,
    Math.abs(f.m02) * x + Math.abs(f.m12) * y + Math.abs(f.m22) * z,
    trace.halfSize,
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
