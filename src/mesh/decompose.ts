/** Solids as convex pieces, by cutting along reflex edges. RTCD §12.5.3. */
import { describe, mustBeOptions, mustNotBeNegative, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { cutSolid, type Triple } from './cut-solid.ts';
import { fans, massOf } from './mass.ts';
import { mustBePolygonMesh, type PolygonMesh } from './polygon-mesh.ts';
import { bisectors, cutPlanes, type ReflexEdge, reflexEdges } from './reflex-edges.ts';
import { findPairs } from './self-intersections.ts';
import { connectedShells, groupShells, outwards, volumeOf } from './shells.ts';
import { snapPoints } from './snap.ts';
import { surveyOf } from './survey.ts';
import { readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';
import { triangulatePolygon } from './triangulate.ts';
import { weldEqual } from './weld.ts';

export interface DecomposeOptions {
  /** The most pieces that are still useful. Default: 256. */
  readonly maxPieces?: number | undefined;
  /** Points this near to a cutting plane count as on it; a length, by default 1e-10 of the size of the solid. */
  readonly tolerance?: number | undefined;
}

/** A solid taken apart. */
export interface Decomposition {
  /** Convex, with no volume in common, and together the solid. Empty for a soup. */
  pieces: Polyhedron[];
  /** `soup`: it cannot be done; use the triangles themselves, or `approximateDecomposition`. */
  status: 'complete' | 'soup';
  /** Why not, in plain words; empty when complete. */
  reason: string;
}

/**
 * The convex pieces of a solid, exactly: nothing is added and nothing lost but by rounding to 1e-13 of the size. Cavities,
 * holes and solids in several parts are fine, and so is a surface that is inside out.
 *
 * Cuts by planes through reflex edges, first those that resolve several of them with the least damage to others. A cut
 * goes only through the part of the cross-section that the edge belongs to. What has very many reflex edges, such as the
 * inside of a bowl, cannot be decomposed in a useful way: more than `maxPieces` pieces, an open surface, or one that
 * runs into itself make a `soup`. About O(pieces · n + n log n) and more for many reflex edges.
 */
export function decompose(solid: TrianglesLike | PolygonMesh, options: DecomposeOptions = {}): Decomposition {
  mustBeOptions('decompose', 'options', options, 'maxPieces tolerance');
  const { maxPieces = 256, tolerance } = options;
  if (!(maxPieces >= 1))
    refuse('decompose', 'options', `.maxPieces must be at least 1, got ${describe(maxPieces)}`);
  if (tolerance !== undefined) mustNotBeNegative('decompose', 'options.tolerance', tolerance);
  const mesh = weldExactly(readSolid(solid));
  const reason = whyNot(mesh);
  if (reason !== '') return soup(reason);
  const points: Vec3[] = [];
  for (let i = 0; i < mesh.positions.length; i += 3)
    points.push(vec3(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]));
  const triangles: Triple[] = [];
  for (let k = 0; k < mesh.index.length; k += 3)
    triangles.push([mesh.index[k]!, mesh.index[k + 1]!, mesh.index[k + 2]!]);
  return takeApart(points, triangles, maxPieces, tolerance ?? 1e-10 * sizeOf(points, triangles));
}

const soup = (reason: string): Decomposition => ({ pieces: [], status: 'soup', reason });

function readSolid(solid: TrianglesLike | PolygonMesh): Triangles {
  if (typeof solid !== 'object' || solid === null) refuseType('decompose', 'solid', 'a mesh', solid);
  if ('positions' in solid) return readTriangles('decompose: solid', solid);
  if (!('vertices' in solid)) refuse('decompose', 'solid', 'must have positions, or vertices and faces');
  mustBePolygonMesh('decompose', 'solid', solid);
  const { vertices, faces } = solid;
  const index: number[] = [];
  for (const face of faces)
    for (const k of triangulatePolygon(face.map((i) => vertices[i]!)).triangles) index.push(face[k]!);
  return {
    positions: Float64Array.from(vertices.flatMap(({ x, y, z }) => [x, y, z])),
    index: Uint32Array.from(index),
  };
}

/** Equal positions as one vertex, without triangles that lose a corner by that. */
function weldExactly({ positions, index }: Triangles): Triangles {
  const { remap, positions: kept } = weldEqual(positions);
  const corners: number[] = [];
  for (let k = 0; k < index.length; k += 3) {
    const [a, b, c] = [remap[index[k]!]!, remap[index[k + 1]!]!, remap[index[k + 2]!]!];
    if (a !== b && b !== c && c !== a) corners.push(a, b, c);
  }
  return { positions: kept, index: Uint32Array.from(corners) };
}

function whyNot(mesh: Triangles): string {
  if (mesh.index.length === 0) return 'all triangles are without area';
  const { isClosed, isOriented, nonManifoldEdges } = surveyOf(mesh);
  if (nonManifoldEdges.length > 0) return 'there are edges with more than two triangles';
  if (!isClosed) return 'the surface is not closed: it bounds no solid';
  if (!isOriented) return 'neighbouring triangles disagree on what is outside';
  const { pairs, isComplete } = findPairs(mesh, 1);
  if (pairs.length > 0) return 'the surface runs into itself';
  if (!isComplete) return 'there are too many slivers to tell whether the surface runs into itself';
  return '';
}

function sizeOf(points: readonly ReadonlyVec3[], triangles: readonly Triple[]): number {
  const origin = points[triangles[0]![0]]!;
  let size = 0;
  for (const triangle of triangles)
    for (const i of triangle) size = Math.max(size, v3.distance(origin, points[i]!));
  return size;
}

/**
 * Works on copies of the points around the first of them, since far from the origin planes are coarse.
 */
function takeApart(
  given: readonly ReadonlyVec3[],
  triangles: Triple[],
  maxPieces: number,
  tolerance: number,
): Decomposition {
  const origin = given[0]!;
  const points = given.map((p) => v3.sub(p, origin));
  const positionOf = (i: number): ReadonlyVec3 => given[i] ?? v3.add(points[i]!, origin);
  const pieces: Polyhedron[] = [];
  const queue = groupShells(points, outwards(points, connectedShells(triangles)), tolerance);
  while (queue.length > 0) {
    if (pieces.length + queue.length > maxPieces)
      return soup(`more than ${maxPieces} convex pieces are needed`);
    const surface = queue.pop()!;
    const edges = reflexEdges(points, surface, tolerance);
    if (edges.length === 0) {
      const piece = hullOf(positionOf, surface);
      if (!piece) continue;
      // What hangs together at an edge only has no reflex edge, and yet is not convex.
      const { volume, area } = volumeOf(points, surface);
      if (massOf(fans(piece), 1).volume - volume > 1e-9 * volume + 10 * tolerance * area)
        return soup('parts that touch along an edge cannot be told apart');
      pieces.push(piece);
      continue;
    }
    const parts = firstCut(points, surface, edges, tolerance);
    if (!parts) return soup('a part is too thin to be cut');
    queue.push(...groupShells(points, parts, tolerance));
  }
  return { pieces, status: 'complete', reason: '' };
}

/** Tries the planes in order: after an unlucky one, which fails by rounding, the next may do. */
function firstCut(
  points: Vec3[],
  triangles: readonly Triple[],
  edges: readonly ReflexEdge[],
  tolerance: number,
): Triple[][] | null {
  const planes = cutPlanes(points, edges, tolerance).slice(0, MAX_TRIES);
  for (const { plane, edge } of [...planes, ...bisectors(points, edges.slice(0, MAX_TRIES))]) {
    const parts = cutSolid({ points, triangles }, plane, [edge.a, edge.b], tolerance);
    if (parts && parts.length > 1) return parts;
  }
  return null;
}

const MAX_TRIES = 24;

/** Null for what rounding has left without volume. */
function hullOf(positionOf: (i: number) => ReadonlyVec3, triangles: readonly Triple[]): Polyhedron | null {
  const corners = snapPoints([...new Set(triangles.flat())].map(positionOf));
  const hull = convexHull3(corners);
  return hull.dimension === 3 ? polyhedronFromHull(corners, hull) : null;
}
