/** Polygons as few convex pieces. RTCD §12.5.2. */
import { checkPoints, mustBeList } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../math/types.ts';
import type { Triangulation } from './triangulate.ts';
import { flattenPolygon, triangulateRings } from './triangulate.ts';

/** The convex pieces of a polygon. */
export interface ConvexPartition {
  /** Loops of indices, as in `Triangulation`; no corner turns the wrong way, though some may be straight. */
  pieces: number[][];
  status: Triangulation['status'];
}

/**
 * Cuts a polygon, with holes if need be, into convex pieces without new points: at most four times as few as possible,
 * and seldom more than needed. A triangulation (see `triangulatePolygon`, for the input and `status` too) from which
 * one diagonal after the other is taken out unless a corner would turn the wrong way; those that end in no reflex
 * corner, which are not needed, go first. Hertel and Mehlhorn 1983; RTCD §12.5.2. After the triangulation O(n).
 */
export function convexPartition(
  points: readonly ReadonlyVec3[],
  holes: readonly (readonly ReadonlyVec3[])[] = [],
): ConvexPartition {
  checkPoints('convexPartition', 'points', points);
  mustBeList('convexPartition', 'holes', holes);
  const { flat, rings } = flattenPolygon('convexPartition', points, holes);
  const { triangles, status } = triangulateRings(flat, rings);
  const first = triangles.slice(0, 3).map((i) => flat[i]!);
  // The pieces wind as the triangles do; mirrored, they are counter-clockwise.
  const isMirrored = first.length === 3 && orient2d(first[0]!, first[1]!, first[2]!) < 0;
  const view = isMirrored ? flat.map(({ x, y }) => ({ x: y, y: x })) : flat;
  return { pieces: mergeTriangles(view, triangles), status };
}

/** The half-edges of triangles: 3 t + k runs from corner k of triangle t to the next. */
interface HalfEdges {
  readonly from: readonly number[];
  readonly twin: Int32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

function mergeTriangles(points: readonly ReadonlyVec2[], triangles: readonly number[]): number[][] {
  const edges = halfEdges(triangles, points.length);
  const { from, twin, next, previous } = edges;
  const isGone = new Uint8Array(triangles.length);
  for (const h of diagonalsInOrder(points, edges)) {
    const t = twin[h]!;
    if (!staysConvex(points, edges, h) || !staysConvex(points, edges, t)) continue;
    join(edges, previous[h]!, next[t]!);
    join(edges, previous[t]!, next[h]!);
    isGone[h] = 1;
    isGone[t] = 1;
  }
  const pieces: number[][] = [];
  for (let start = 0; start < isGone.length; start++) {
    if (isGone[start]) continue;
    const piece: number[] = [];
    for (let h = start; !isGone[h]; h = next[h]!) {
      isGone[h] = 1;
      piece.push(from[h]!);
    }
    pieces.push(piece);
  }
  return pieces;
}

function join({ next, previous }: HalfEdges, h: number, g: number): void {
  next[h] = g;
  previous[g] = h;
}

/** Would the corner at the start of h still turn to the left (or go straight) without h? */
function staysConvex(points: readonly ReadonlyVec2[], edges: HalfEdges, h: number): boolean {
  const { from, twin, next, previous } = edges;
  const before = points[from[previous[h]!]!]!;
  const after = points[from[next[next[twin[h]!]!]!]!]!;
  return orient2d(before, points[from[h]!]!, after) >= 0;
}

function halfEdges(triangles: readonly number[], pointCount: number): HalfEdges {
  const n = triangles.length;
  const twin = new Int32Array(n).fill(-1);
  const next = new Int32Array(n);
  const previous = new Int32Array(n);
  const byEnds = new Map<number, number>();
  for (let h = 0; h < n; h++) {
    next[h] = h % 3 === 2 ? h - 2 : h + 1;
    previous[h] = h % 3 === 0 ? h + 2 : h - 1;
    const to = triangles[next[h]!]!;
    const other = byEnds.get(to * pointCount + triangles[h]!);
    if (other === undefined) byEnds.set(triangles[h]! * pointCount + to, h);
    else {
      byEnds.delete(to * pointCount + triangles[h]!); // a third on this edge finds no partner
      twin[h] = other;
      twin[other] = h;
    }
  }
  return { from: triangles, twin, next, previous };
}

/** One half-edge for every diagonal, those without a reflex corner at an end first. */
function diagonalsInOrder(points: readonly ReadonlyVec2[], edges: HalfEdges): number[] {
  const { from, twin, next, previous } = edges;
  const diagonals: number[] = [];
  const isReflex = new Uint8Array(points.length);
  for (let h = 0; h < from.length; h++) {
    if (twin[h]! > h) diagonals.push(h);
    if (twin[h]! >= 0) continue;
    // A border edge: turn around its start, over all triangles there, to the border edge that ends in it.
    let last = previous[h]!;
    while (twin[last]! >= 0) last = previous[twin[last]!]!;
    const v = from[h]!;
    if (orient2d(points[from[last]!]!, points[v]!, points[from[next[h]!]!]!) < 0) isReflex[v] = 1;
  }
  const reflexEnds = (h: number): number => isReflex[from[h]!]! + isReflex[from[next[h]!]!]!;
  return diagonals.sort((g, h) => reflexEnds(g) - reflexEnds(h) || g - h);
}
