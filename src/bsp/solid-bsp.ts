/**
 * The solid-leaf BSP tree: every leaf is empty or solid, and no polygons are kept. RTCD §8.2.3.
 *
 * The surface is divided by its own planes, and by others where that keeps the tree shallow, until no piece of it is left in
 * the interior of any leaf. The book then calls a leaf empty if it is in front of its last plane and solid if it is behind. That
 * goes wrong where parts of the surface overlap, and where a plane was not one of the surface; so the mesh itself is asked,
 * exactly, whether the centroid of the leaf is in it. Leaves that differ in nothing are then joined.
 *
 * Thick planes. What counts as on a plane is within `thickness` of it, and surface is lost only there. What of a leaf is
 * farther than that from all planes is convex and holds no surface: it has one kind, that of the centroid if that is part of it. A
 * leaf with room for a ball of four times the thickness has its centroid twice as far as that from all planes, since the
 * centroid of a convex body is at a quarter of its height or more above any plane below it. Leaves whose centroid is nearer are
 * `unsureLeaves`.
 *
 * The finished tree is then gone through with the surface, whatever was lost while it was built: each leaf lists the triangles that
 * lie at it or in it, and where those are no boundary of it, it is unsure, too. Rays and boxes stop at triangles only, so that they are
 * exact: see `searchPolygons` and `traceBox`. Points that are farther than the thickness from the planes, and in no unsure leaf, get the right answer;
 * for others the mesh is asked.
 */
import { mustBeList, mustHave, refuse } from '../math/check.ts';
import { mustNotBeBeyond } from '../math/size-range.ts';
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Polyhedron } from '../polytope/types.ts';
import type { Aabb } from '../primitives/types.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { isClosed } from '../trimesh/derived.ts';
import { loadTriangle, type Mesh, makeCorners, mesh as makeMesh } from '../trimesh/mesh.ts';
import { type Brush, readBrush, solidOf } from './brush.ts';
import { type BspTree, flatten, type GrowingNode, planeOfNode, QUERY_THICKNESS } from './bsp-tree.ts';
import { boxOfCell, type Cell, cellOfBox, massOfCell, splitCell } from './cell.ts';
import type { LeafBsp } from './leaf-bsp.ts';
import { type LeafPiece, piecesOf } from './leaf-pieces.ts';
import {
  type BspOptions,
  boxAround,
  CELL_TOLERANCE,
  checkBspOptions,
  type Partition,
  partition,
  type SourcePolygon,
  thicknessFor,
  worldCell,
} from './partition.ts';
import { planeOfPolygon } from './plane-choice.ts';
import { heightOf, sideOfPolygon } from './thick-plane.ts';

/** What a leaf is: 0, 1 or 2. A mixed one is where the builder was stopped by a limit: it holds surface. */
export const EMPTY = 0;
export const SOLID = 1;
export const MIXED = 2;

/** Why a leaf is unsure. @internal */
export const TOO_THIN = 1;
const HOLDS_THIN = 2;

/**
 * Its polygons are the triangles of the mesh, by their numbers there. Each leaf lists those at its sides; of the two leaves at a
 * triangle the solid one.
 */
export interface SolidBsp extends LeafBsp {
  /** For each leaf `EMPTY`, `SOLID` or `MIXED`. */
  readonly leafKinds: Uint8Array;
  /** Not 0 for leaves whose kind need not be that of all points in them: `TOO_THIN`, or 2 if they hold thin triangles, or both. */
  readonly unsureLeaves: Uint8Array;
  /** A box around all, somewhat larger than the solid. What is beyond is empty. */
  readonly world: Readonly<Aabb>;
  /** The surface. */
  readonly mesh: Mesh;
  /**
   * Triangles that are no boundary between leaves: sheets with nothing behind them, parts that are inside out, walls and gaps
   * that are thinner than the planes. All that meets triangles meets them, too.
   */
  readonly thinTriangles: Uint32Array;
  /** The box around each leaf, 6 numbers. */
  readonly leafBounds: Float64Array;
}

/**
 * The tree of a closed mesh. Refuses one with holes: `inspect` shows them, and `repair` may close them. Inside is what the
 * mesh winds around, as in `containsPointMesh`, so that parts may overlap. About O(n log n) for levels, and up to O(n²).
 */
export function buildSolidBsp(mesh: Mesh, options: BspOptions = {}): SolidBsp {
  mustHave('buildSolidBsp', 'mesh', mesh, 'a mesh', 'tree');
  checkBspOptions('buildSolidBsp', options);
  return solidOfMesh('buildSolidBsp', mesh, options, null);
}

/** The tree of the union of brushes. Those without volume are left out; those that are not bounded are refused. */
export function buildBrushBsp(brushes: readonly Brush[], options: BspOptions = {}): SolidBsp {
  checkBspOptions('buildBrushBsp', options);
  return solidOfBrushes('buildBrushBsp', brushes, options);
}

/** @internal */
export function solidOfBrushes(caller: string, brushes: readonly Brush[], options: BspOptions): SolidBsp {
  const { mesh, planes } = meshOfBrushes(caller, brushes);
  return solidOfMesh(caller, mesh, options, planes);
}

/** The faces of all brushes, each closed in itself, and the plane of each triangle as the brush has it. */
function meshOfBrushes(
  caller: string,
  brushes: readonly Brush[],
): { mesh: Mesh; planes: (ReadonlyPlane | null)[] } {
  mustBeList(caller, 'brushes', brushes);
  const positions: number[] = [];
  const index: number[] = [];
  const planes: (ReadonlyPlane | null)[] = [];
  brushes.forEach((brush, i) => {
    const own = readBrush(caller, `brushes[${i}]`, brush);
    const solid = solidOf(caller, `brushes[${i}]`, own);
    if (solid) addSolid(solid, own, positions, index, planes);
  });
  if (index.length === 0) refuse(caller, 'brushes', 'must hold at least one that has a volume');
  return { mesh: makeMesh(Float64Array.from(positions), index), planes };
}

function addSolid(
  { vertices, faces, planes: computed }: Polyhedron,
  own: readonly ReadonlyPlane[],
  positions: number[],
  index: number[],
  planes: (ReadonlyPlane | null)[],
): void {
  const first = positions.length / 3;
  for (const p of vertices) positions.push(p.x, p.y, p.z);
  faces.forEach((face, f) => {
    const plane = nearestPlane(computed[f]!, own);
    for (let k = 2; k < face.length; k++) {
      index.push(first + face[0]!, first + face[k - 1]!, first + face[k]!);
      planes.push(plane);
    }
  });
}

/** The plane of a brush that a face was computed from. */
function nearestPlane({ normal }: ReadonlyPlane, planes: readonly ReadonlyPlane[]): ReadonlyPlane {
  return planes.reduce((best, one) =>
    v3.dot(one.normal, normal) > v3.dot(best.normal, normal) ? one : best,
  );
}

/** @internal */
export function solidOfMesh(
  caller: string,
  mesh: Mesh,
  options: BspOptions,
  planes: readonly (ReadonlyPlane | null)[] | null,
): SolidBsp {
  const { min, max } = mesh.bounds;
  for (const p of [min, max]) for (const c of [p.x, p.y, p.z]) mustNotBeBeyond(caller, 'mesh', c);
  if (!isClosed(mesh))
    refuse(
      caller,
      'mesh',
      'must be closed to have an inside: inspect shows its holes, repair may close them',
    );
  const thickness = thicknessFor(mesh.bounds, options.thickness);
  const triangles = trianglesOf(mesh, planes, thickness);
  const polygons = triangles.filter(({ plane }) => plane !== null);
  const hints = [...sidesOf(boxAround(polygons)), ...(options.hints ?? [])];
  const parts = partition(
    polygons,
    { onPlane: 'drop', leafSize: 0 },
    { expectedCost: true, ...options, hints },
  );
  const kinds = parts.leaves.map(({ cell, isFinished }) =>
    isFinished ? +isInsideClosed(massOfCell(cell).centroid, mesh) : MIXED,
  );
  const { nodes, root } = joinLeaves(parts, kinds);
  const { tree, leafOrder } = flatten(nodes, root, parts.thickness, parts.report);
  const box = boxAround(polygons);
  const world = boxOfCell(worldCell(box, tree.thickness));
  const leafKinds = Uint8Array.from(leafOrder, (leaf) => kinds[leaf]!);
  const shape = shapeLeaves(tree, world);
  return {
    ...tree,
    leafKinds,
    world,
    mesh,
    ...shape,
    ...listTriangles(tree, leafKinds, shape.unsureLeaves, mesh, triangles),
  };
}

interface SourceTriangle extends SourcePolygon {
  /** Null if it has no area. */
  readonly plane: ReadonlyPlane | null;
}

function trianglesOf(
  mesh: Mesh,
  planes: readonly (ReadonlyPlane | null)[] | null,
  thickness: number,
): SourceTriangle[] {
  const corners = makeCorners();
  const list: SourceTriangle[] = [];
  for (let slot = 0; slot < mesh.triangleCount; slot++) {
    loadTriangle(mesh, slot, corners);
    const points = [v3.copy(corners.a), v3.copy(corners.b), v3.copy(corners.c)];
    const source = mesh.ids[slot]!;
    const given = planes?.[source] ?? null;
    const isOn = given !== null && sideOfPolygon(points, given, thickness) === 0;
    list.push({ points, source, plane: isOn ? given : planeOfPolygon(points, thickness) });
  }
  return list.sort((a, b) => a.source - b.source);
}

/** The planes around a box, which divide what is far away from the rest at once: bounding volumes first, RTCD §8.3.1. */
function sidesOf({ min, max }: Aabb): ReadonlyPlane[] {
  return [
    { normal: vec3(1, 0, 0), d: max.x },
    { normal: vec3(-1, 0, 0), d: -min.x },
    { normal: vec3(0, 1, 0), d: max.y },
    { normal: vec3(0, -1, 0), d: -min.y },
    { normal: vec3(0, 0, 1), d: max.z },
    { normal: vec3(0, 0, -1), d: -min.z },
  ];
}

/** Nodes with two leaves of one kind become leaves, over and over. Children come after their parents in the list. */
function joinLeaves(
  { nodes, root }: Partition,
  kinds: readonly number[],
): { nodes: GrowingNode[]; root: number } {
  const joined = nodes.map((node) => ({ ...node }));
  const become = new Int32Array(nodes.length);
  const resolve = (link: number): number => (link < 0 ? link : become[link]!);
  for (let i = joined.length - 1; i >= 0; i--) {
    const node = joined[i]!;
    node.front = resolve(node.front);
    node.back = resolve(node.back);
    const isSame = node.front < 0 && node.back < 0 && kinds[~node.front] === kinds[~node.back];
    become[i] = isSame && kinds[~node.front] !== MIXED ? node.front : i;
  }
  return { nodes: joined, root: resolve(root) };
}

/**
 * The triangles at each leaf, and those that are thin: of which some piece has empty leaves on both sides, or only solid around it
 * although the mesh is empty in front of it. Faces inside of the union of overlapping parts are not among them: there is solid in
 * front of them.
 */
function listTriangles(
  tree: BspTree,
  leafKinds: Uint8Array,
  unsureLeaves: Uint8Array,
  mesh: Mesh,
  triangles: readonly SourceTriangle[],
): Omit<LeafBsp, keyof BspTree> & { thinTriangles: Uint32Array } {
  const lists: number[][] = Array.from({ length: tree.leafCount }, () => []);
  const thin: number[] = [];
  const polygons: (readonly ReadonlyVec3[])[] = Array.from({ length: mesh.givenCount }, () => []);
  for (const { points, source, plane } of triangles) {
    polygons[source] = points;
    let isThin = false;
    const normal = plane?.normal ?? ORIGIN;
    // Half as thick as for queries, so that what rounding does to the pieces does not matter to those.
    for (const piece of piecesOf(points, normal, tree, (QUERY_THICKNESS / 2) * tree.thickness)) {
      const { front, back } = piece;
      const leaf = leafKinds[back] === EMPTY && leafKinds[front] !== EMPTY ? front : back;
      const list = lists[leaf]!;
      if (list[list.length - 1] !== source) list.push(source);
      if (plane === null || leafKinds[front] !== leafKinds[back]) continue;
      if (leafKinds[back] === MIXED || (leafKinds[back] === SOLID && isWithin(piece, plane, tree, mesh)))
        continue;
      isThin = true;
      unsureLeaves[front]! |= HOLDS_THIN;
      unsureLeaves[back]! |= HOLDS_THIN;
    }
    if (isThin) thin.push(source);
  }
  const leafStart = new Uint32Array(tree.leafCount + 1);
  lists.forEach((list, leaf) => {
    leafStart[leaf + 1] = leafStart[leaf]! + list.length;
  });
  return {
    polygons,
    leafStart,
    leafPolygons: Uint32Array.from(lists.flat()),
    stamps: new Uint32Array(polygons.length + 1),
    work: new Float64Array(3),
    thinTriangles: Uint32Array.from(thin),
  };
}

const ORIGIN: ReadonlyVec3 = vec3();

/** Is there solid in front of a piece of the surface? */
function isWithin({ points }: LeafPiece, { normal }: ReadonlyPlane, tree: BspTree, mesh: Mesh): boolean {
  const p = vec3();
  for (const corner of points) v3.add(p, corner, p);
  v3.scale(p, 1 / points.length, p);
  return isInsideClosed(v3.addScaled(p, normal, tree.thickness / 64, p), mesh);
}

/** The region of each leaf, within the box that holds the tree. @internal */
export function cellsOfTree(tree: BspTree, world: Readonly<Aabb>): Cell[] {
  const cells: Cell[] = [];
  visitCells(tree, world, (leaf, cell) => {
    cells[leaf] = cell;
  });
  return cells;
}

/** Goes down the tree with the cells of its nodes. @internal */
export function visitCells(
  tree: BspTree,
  world: Readonly<Aabb>,
  atLeaf: (leaf: number, cell: Cell) => void,
  atNode?: (node: number, cap: readonly Vec3[]) => void,
): void {
  const tolerance = tree.thickness * CELL_TOLERANCE;
  const pending: { link: number; cell: Cell }[] = [{ link: tree.root, cell: cellOfBox(world) }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { link, cell } = one;
    if (link < 0) {
      atLeaf(~link, cell);
      continue;
    }
    const { front, back, cap } = splitCell(cell, planeOfNode(tree, link), link, tolerance);
    atNode?.(link, cap);
    pending.push({ link: tree.children[2 * link + 1]!, cell: back });
    pending.push({ link: tree.children[2 * link]!, cell: front });
  }
}

function shapeLeaves(tree: BspTree, world: Aabb): Pick<SolidBsp, 'unsureLeaves' | 'leafBounds'> {
  const unsureLeaves = new Uint8Array(tree.leafCount);
  const leafBounds = new Float64Array(6 * tree.leafCount);
  cellsOfTree(tree, world).forEach((cell, leaf) => {
    if (clearanceOf(cell) < 2 * tree.thickness) unsureLeaves[leaf] = TOO_THIN;
    const { min, max } = boxOfCell(cell);
    leafBounds.set([min.x, min.y, min.z, max.x, max.y, max.z], 6 * leaf);
  });
  return { unsureLeaves, leafBounds };
}

/** How far the centroid of a cell is from the nearest of its sides. */
function clearanceOf(cell: Cell): number {
  const { centroid } = massOfCell(cell);
  let least = Infinity;
  for (const { plane } of cell.faces) least = Math.min(least, -heightOf(centroid, plane));
  return least;
}
