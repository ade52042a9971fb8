/**
 * The convex hull in the plane from the outside in. RTCD §3.9.2; Barber, Dobkin & Huhdanpaa 1996.
 *
 * Fast where most points are inside. Production uses the monotone chain of `polytope/convex-hull2.ts`, whose decisions are exact.
 */
import { ANY_FINITE, checkPoints2 } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2 } from '../../math/types.ts';
import { readPoints2 } from '../../polytope/input.ts';

/**
 * The same answer as `convexHull2` (of coincident points it may name another), by growing the polygon of the leftmost,
 * lowest, rightmost and highest point. Exact. No sorting: fast when most points lie inside. RTCD §3.9.2.
 *
 * Why it is right although the farthest point is chosen with rounded numbers: see `convexHull3`, which does the same
 * in space.
 */
export function quickhull2(points: readonly ReadonlyVec2[]): number[] {
  checkPoints2('quickhull2', 'points', points, ANY_FINITE);
  const own = readPoints2('quickhull2', points);
  const seed = extremes(own);
  if (seed.length === 1) return seed;
  const edges = seed.map((from, k) => makeEdge(from, seed[(k + 1) % seed.length]!));
  edges.forEach((edge, k) => {
    link(edge, edges[(k + 1) % edges.length]!);
  });
  for (let i = 0; i < own.length; i++) assign(own, i, edges);
  for (const edge of edges) if (!edge.removed && edge.farthest >= 0) edges.push(...grow(own, edge));
  return corners(own, edges.find((edge) => edge.from === seed[0] && !edge.removed)!);
}

/** A directed edge of the growing polygon, which lies to its left, with the points that wait to its right. */
interface Edge {
  readonly from: number;
  readonly to: number;
  previous: Edge | undefined;
  next: Edge | undefined;
  outside: number[];
  /** The one of `outside` that is farthest away, of several the one farthest along the edge; -1 for none. */
  farthest: number;
  height: number;
  along: number;
  removed: boolean;
}

const makeEdge = (from: number, to: number): Edge => ({
  from,
  to,
  previous: undefined,
  next: undefined,
  outside: [],
  farthest: -1,
  height: 0,
  along: 0,
  removed: false,
});

function link(edge: Edge, next: Edge): void {
  edge.next = next;
  next.previous = edge;
}

/** The leftmost, lowest, rightmost and highest point, each once. Ties go to the next in turn: all are corners. */
function extremes(points: readonly ReadonlyVec2[]): number[] {
  const left = first(points, (p, q) => p.x - q.x || p.y - q.y);
  const low = first(points, (p, q) => p.y - q.y || q.x - p.x);
  const right = first(points, (p, q) => q.x - p.x || q.y - p.y);
  const high = first(points, (p, q) => q.y - p.y || p.x - q.x);
  return [...new Set([left, low, right, high])];
}

function first(points: readonly ReadonlyVec2[], order: (p: ReadonlyVec2, q: ReadonlyVec2) => number): number {
  let best = 0;
  for (let i = 1; i < points.length; i++) if (order(points[i]!, points[best]!) < 0) best = i;
  return best;
}

/** Puts a point on the list of an edge that it lies strictly outside. One that is outside none is in the hull. */
function assign(points: readonly ReadonlyVec2[], i: number, edges: readonly Edge[]): void {
  const p = points[i]!;
  for (const edge of edges) {
    const a = points[edge.from]!;
    const b = points[edge.to]!;
    const height = -orient2d(a, b, p);
    if (!(height > 0)) continue;
    edge.outside.push(i);
    const along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
    if (height > edge.height || (height === edge.height && along > edge.along)) {
      edge.farthest = i;
      edge.height = height;
      edge.along = along;
    }
    return;
  }
}

/** Replaces the edges that the farthest point of `start` lies outside of by two edges to that point. */
function grow(points: readonly ReadonlyVec2[], start: Edge): Edge[] {
  const apex = start.farthest;
  const isSeen = ({ from, to }: Edge) => orient2d(points[from]!, points[to]!, points[apex]!) < 0;
  const seen = [start];
  let before = start.previous!;
  for (; isSeen(before); before = before.previous!) seen.push(before);
  let after = start.next!;
  for (; isSeen(after); after = after.next!) seen.push(after);
  const added = [makeEdge(before.to, apex), makeEdge(apex, after.from)] as const;
  link(before, added[0]);
  link(added[0], added[1]);
  link(added[1], after);
  for (const old of seen) {
    old.removed = true;
    for (const i of old.outside) if (i !== apex) assign(points, i, added);
    old.outside = [];
  }
  return [...added];
}

/** The loop from `start`, without points that lie on the line of their neighbours. */
function corners(points: readonly ReadonlyVec2[], start: Edge): number[] {
  if (start.next!.next === start) return [start.from, start.to];
  const loop: number[] = [];
  let edge = start;
  do {
    const { from: before } = edge.previous!;
    if (orient2d(points[before]!, points[edge.from]!, points[edge.to]!) !== 0) loop.push(edge.from);
    edge = edge.next!;
  } while (edge !== start);
  return loop;
}
