/** Polygons, with holes if need be, as triangles. RTCD §12.5.1. */

import earcut from 'earcut';
import { checkPoints, mustBeList } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../math/types.ts';
import { dropAxis } from '../polytope/affine.ts';
import { readPoints3 } from '../polytope/input.ts';
import { cutEars } from './ear-cutting.ts';
import type { Ring } from './rings.ts';
import { cleanRing, isCounterClockwise, ringArea, same, untangleRings } from './rings.ts';

/** The triangles of a polygon. */
export interface Triangulation {
  /** Three indices each, into the points and then those of one hole after the other; winding as the outer loop. */
  triangles: number[];
  /**
   * `complete`: the triangles fill the polygon exactly, without overlap. `crossing`: its loops cross themselves or each
   * other, or lie outside, and the triangles are a best effort. `flat`: there is no area, and no triangle.
   */
  status: 'complete' | 'crossing' | 'flat';
}

/**
 * Cuts a polygon into triangles that use all its points, with no new ones. The loop of the largest area is the outer
 * one, the others are holes, whatever their winding.
 *
 * A complete result has n - 2 triangles, plus 2 for every hole, and each has an area: that includes points in the
 * middle of straight edges. Points that repeat the one before and spikes without area do not count and are left out.
 * Loops may touch; a corner that lies on an edge is then put into it, which changes the count. Decided exactly in the projection along the axis that the polygon faces most; a polygon
 * in space need not be flat as long as that projection does not cross itself.
 *
 * The cutting is done by earcut; where its result does not prove right, by an own exact one in O(n²). RTCD §12.5.1.
 */
export function triangulatePolygon(
  points: readonly ReadonlyVec3[],
  holes: readonly (readonly ReadonlyVec3[])[] = [],
): Triangulation {
  checkPoints('triangulatePolygon', 'points', points);
  mustBeList('triangulatePolygon', 'holes', holes);
  const { flat, rings } = flattenPolygon('triangulatePolygon', points, holes);
  return triangulateRings(flat, rings);
}

/**
 * The loops of a polygon in space, checked and seen along the axis that the largest of them faces most.
 *
 * @internal
 */
export function flattenPolygon(
  caller: string,
  points: readonly ReadonlyVec3[],
  holes: readonly (readonly ReadonlyVec3[])[],
): { flat: ReadonlyVec2[]; rings: number[][] } {
  readPoints3(caller, points);
  const all = [...points];
  const rings = [points.map((_, i) => i)];
  holes.forEach((hole, h) => {
    readPoints3(caller, hole, `holes[${h}]`);
    rings.push(hole.map((_, i) => all.length + i));
    for (const p of hole) all.push(p);
  });
  const own = readPoints3(caller, all); // all to one scale
  const views = (['z', 'x', 'y'] as const).map((axis) => {
    const flat = own.map((p) => dropAxis(p, axis));
    return { flat, area: Math.max(...rings.map((ring) => Math.abs(ringArea(flat, ring)))) };
  });
  // What has hardly an area in one view may have none there, exactly.
  views.sort((v, w) => w.area - v.area);
  const view = views.find(({ flat }) => rings.some((ring) => cleanRing(flat, ring).length > 0)) ?? views[0]!;
  return { flat: view.flat, rings };
}

/**
 * The same in the plane, for rings of indices.
 *
 * @internal
 */
export const triangulateRings = (points: readonly ReadonlyVec2[], rings: readonly Ring[]): Triangulation =>
  fillRings(points, rings, cutByEarcut);

/** What cuts clean rings into triangles: not always right. */
type Cut = (points: readonly ReadonlyVec2[], rings: readonly Ring[]) => number[];

/**
 * The same, cut by `cut`, or by `cutEars` where that turns out not to be right.
 *
 * @internal
 */
export function fillRings(points: readonly ReadonlyVec2[], rings: readonly Ring[], cut: Cut): Triangulation {
  const clean = rings.map((ring) => cleanRing(points, ring)).filter((ring) => ring.length > 0);
  if (clean.length === 0) return { triangles: [], status: 'flat' };
  clean.sort((r, s) => Math.abs(ringArea(points, s)) - Math.abs(ringArea(points, r)));
  const isPlain = clean.length === 1 && isConvexQuad(points, clean[0]!);
  const untangled = isPlain ? clean : untangleRings(points, clean);
  const loops = untangled ?? clean;
  const isReversed = loops.map((ring, k) => isCounterClockwise(points, ring) !== (k === 0));
  loops.forEach((ring, k) => {
    if (isReversed[k]) ring.reverse();
  });
  let triangles = isPlain ? cutQuad(loops[0]!) : cut(points, loops);
  let isComplete = isPlain || (untangled !== null && fills(points, loops, triangles));
  if (untangled !== null && !isComplete) {
    triangles = cutEars(points, loops);
    isComplete = fills(points, loops, triangles);
  }
  if (!isComplete) triangles = withArea(points, triangles);
  if (isReversed[0]) triangles.reverse();
  return { triangles, status: isComplete ? 'complete' : 'crossing' };
}

/** Four corners that all turn the same way: most faces that are no triangles, and nothing can go wrong with them. */
function isConvexQuad(points: readonly ReadonlyVec2[], ring: Ring): boolean {
  if (ring.length !== 4) return false;
  const turnSign = (k: number): number =>
    Math.sign(orient2d(points[ring[k]!]!, points[ring[(k + 1) % 4]!]!, points[ring[(k + 2) % 4]!]!));
  const firstSign = turnSign(0);
  return (
    firstSign !== 0 && turnSign(1) === firstSign && turnSign(2) === firstSign && turnSign(3) === firstSign
  );
}

/** As earcut cuts it. */
const cutQuad = ([a, b, c, d]: Ring): number[] => [c!, d!, a!, c!, a!, b!];

function cutByEarcut(points: readonly ReadonlyVec2[], rings: readonly Ring[]): number[] {
  const order = rings.flat();
  const data: number[] = [];
  for (const i of order) data.push(points[i]!.x, points[i]!.y);
  const holeStarts: number[] = [];
  let start = rings[0]!.length;
  for (const ring of rings.slice(1)) {
    holeStarts.push(start);
    start += ring.length;
  }
  return earcut(data, holeStarts).map((k) => order[k]!);
}

/**
 * Do the triangles, all turning to the left, have the rings for their border? Then they cover a point as often as the
 * rings wind around it: once inside and never outside, unless the rings cross. No areas need to be compared.
 */
function fills(
  points: readonly ReadonlyVec2[],
  rings: readonly Ring[],
  triangles: readonly number[],
): boolean {
  const idOf = positionIds(points, rings.flat());
  const border = new Map<number, number>();
  const add = (from: number, to: number, sign: number): void => {
    const [a, b] = [idOf.get(from)!, idOf.get(to)!];
    const key = Math.min(a, b) * points.length + Math.max(a, b);
    border.set(key, (border.get(key) ?? 0) + (a < b ? sign : -sign));
  };
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k]!, triangles[k + 1]!, triangles[k + 2]!];
    if (!(orient2d(points[a]!, points[b]!, points[c]!) > 0)) return false;
    add(a, b, 1);
    add(b, c, 1);
    add(c, a, 1);
  }
  for (const ring of rings)
    for (let k = 0; k < ring.length; k++) add(ring[k]!, ring[(k + 1) % ring.length]!, -1);
  for (const uses of border.values()) if (uses !== 0) return false;
  return triangles.length > 0;
}

/** For each point one id of its position: where loops touch, several points are one. */
function positionIds(points: readonly ReadonlyVec2[], ids: readonly number[]): Map<number, number> {
  const sorted = [...ids].sort((i, j) => points[i]!.x - points[j]!.x || points[i]!.y - points[j]!.y);
  const idOf = new Map<number, number>();
  let first = sorted[0]!;
  for (const i of sorted) {
    if (!same(points[i]!, points[first]!)) first = i;
    idOf.set(i, first);
  }
  return idOf;
}

/** Those that turn to the left. */
function withArea(points: readonly ReadonlyVec2[], triangles: readonly number[]): number[] {
  const kept: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k]!, triangles[k + 1]!, triangles[k + 2]!];
    if (orient2d(points[a]!, points[b]!, points[c]!) > 0) kept.push(a, b, c);
  }
  return kept;
}
