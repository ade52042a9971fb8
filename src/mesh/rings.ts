/** Closed loops of points in the plane, as lists of indices: clean, turn and check them, all by exact signs. */
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2 } from '../math/types.ts';

export type Ring = readonly number[];

export const same = (a: ReadonlyVec2, b: ReadonlyVec2): boolean => a.x === b.x && a.y === b.y;

/** Without points that repeat the one before, and without spikes, where the loop goes out and back along one line. */
export function cleanRing(points: readonly ReadonlyVec2[], ring: Ring): number[] {
  let list = [...ring];
  for (;;) {
    const kept: number[] = [];
    for (const v of list) {
      kept.push(v);
      dropEnd(points, kept);
    }
    while (kept.length > 1 && same(points[kept[0]!]!, points[kept.at(-1)!]!)) kept.pop();
    if (kept.length < 3) return [];
    // The seam: rotated by one corner, the next round looks at it, until nothing is left to do.
    const n = kept.length;
    const isClean =
      !isSpike(points[kept[n - 2]!]!, points[kept[n - 1]!]!, points[kept[0]!]!) &&
      !isSpike(points[kept[n - 1]!]!, points[kept[0]!]!, points[kept[1]!]!);
    if (isClean) return kept;
    list = [...kept.slice(n - 2), ...kept.slice(0, n - 2)];
  }
}

/** Takes back what the last point of an open chain made superfluous. */
function dropEnd(points: readonly ReadonlyVec2[], chain: number[]): void {
  for (;;) {
    const n = chain.length;
    const at = (k: number) => points[chain[n - k]!]!;
    if (n >= 2 && same(at(1), at(2))) chain.length = n - 1;
    else if (n >= 3 && isSpike(at(3), at(2), at(1))) chain.splice(n - 2, 1);
    else return;
  }
}

/** Does the path abc turn back on its own line? The three differ from their neighbours. */
const isSpike = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): boolean =>
  orient2d(a, b, c) === 0 && (a.x === b.x ? a.y < b.y === c.y < b.y : a.x < b.x === c.x < b.x);

/** Twice the signed area, rounded: positive counter-clockwise. */
export function ringArea(points: readonly ReadonlyVec2[], ring: Ring): number {
  const { x, y } = points[ring[0]!]!;
  let sum = 0;
  for (let k = 2; k < ring.length; k++) {
    const p = points[ring[k - 1]!]!;
    const q = points[ring[k]!]!;
    sum += (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
  }
  return sum;
}

/** Does a clean loop that does not cross itself run counter-clockwise? Exact: its lowest corner decides. */
export function isCounterClockwise(points: readonly ReadonlyVec2[], ring: Ring): boolean {
  let low = 0;
  for (let k = 1; k < ring.length; k++) if (comesBefore(points[ring[k]!]!, points[ring[low]!]!)) low = k;
  const n = ring.length;
  const before = points[ring[(low + n - 1) % n]!]!;
  const winding = orient2d(before, points[ring[low]!]!, points[ring[(low + 1) % n]!]!);
  return winding === 0 ? ringArea(points, ring) > 0 : winding > 0; // 0: other parts pass through this corner
}

export const comesBefore = (a: ReadonlyVec2, b: ReadonlyVec2): boolean =>
  a.x !== b.x ? a.x < b.x : a.y < b.y;

/**
 * Where does p lie in the corner at v, which opens to the left of the path from `before` over v to `after`? 1: inside,
 * 0: on one of its sides, -1: outside.
 */
export function sideOfCorner(
  before: ReadonlyVec2,
  v: ReadonlyVec2,
  after: ReadonlyVec2,
  p: ReadonlyVec2,
): -1 | 0 | 1 {
  const toBefore = orient2d(before, v, p);
  const toAfter = orient2d(v, after, p);
  if (toBefore === 0 && isAhead(v, before, p)) return 0;
  if (toAfter === 0 && isAhead(v, after, p)) return 0;
  const isInside = orient2d(before, v, after) > 0 ? toBefore > 0 && toAfter > 0 : toBefore > 0 || toAfter > 0;
  return isInside ? 1 : -1;
}

/** Of points on a line through v: is p on the side of v where q is? */
const isAhead = (v: ReadonlyVec2, q: ReadonlyVec2, p: ReadonlyVec2): boolean =>
  (q.x - v.x) * (p.x - v.x) > 0 || (q.y - v.y) * (p.y - v.y) > 0;

/** The edge bc of a loop, with the corner a before it. */
interface RingEdge {
  readonly a: ReadonlyVec2;
  readonly b: ReadonlyVec2;
  readonly c: ReadonlyVec2;
  readonly low: number;
  readonly high: number;
  /** The index of b, for others that this point lies on the edges of. */
  readonly id: number;
  /** Points of loops that lie on bc, strictly between its ends. */
  readonly touching: number[];
}

/**
 * The loops, with every corner that lies in the middle of an edge put into that edge too, so that they touch at common
 * corners only; or null when a loop crosses itself or another one. Touching is not crossing. Only edges whose extents
 * in x overlap are compared: about n log n for ordinary loops, n² at worst.
 */
export function untangleRings(points: readonly ReadonlyVec2[], rings: readonly Ring[]): number[][] | null {
  const edges = rings.map((ring) => ringEdges(points, ring));
  const sorted = edges.flat().sort((e, f) => e.low - f.low);
  const active: RingEdge[] = [];
  for (const edge of sorted) {
    let kept = 0;
    for (const other of active) {
      if (other.high < edge.low) continue;
      active[kept++] = other;
      if (edgesCross(edge, other)) return null;
    }
    active.length = kept;
    active.push(edge);
  }
  return edges.map((ring) => ring.flatMap((edge) => [edge.id, ...inOrder(points, edge)]));
}

function ringEdges(points: readonly ReadonlyVec2[], ring: Ring): RingEdge[] {
  const n = ring.length;
  return ring.map((id, k) => {
    const b = points[id]!;
    const c = points[ring[(k + 1) % n]!]!;
    const a = points[ring[(k + n - 1) % n]!]!;
    return { a, b, c, low: Math.min(b.x, c.x), high: Math.max(b.x, c.x), id, touching: [] };
  });
}

/** The points on an edge from its start to its end, one at each position. */
function inOrder(points: readonly ReadonlyVec2[], { b, c, touching }: RingEdge): number[] {
  const coordinate = (i: number): number => (b.x === c.x ? points[i]!.y : points[i]!.x);
  const isRising = b.x === c.x ? b.y < c.y : b.x < c.x;
  const sorted = touching.sort((i, j) =>
    isRising ? coordinate(i) - coordinate(j) : coordinate(j) - coordinate(i),
  );
  return sorted.filter((i, k) => k === 0 || coordinate(i) !== coordinate(sorted[k - 1]!));
}

function edgesCross(e: RingEdge, f: RingEdge): boolean {
  if (Math.max(e.b.y, e.c.y) < Math.min(f.b.y, f.c.y) || Math.max(f.b.y, f.c.y) < Math.min(e.b.y, e.c.y))
    return false;
  if (same(e.b, f.b)) return passesThrough(e, f) || passesThrough(f, e);
  const fb = orient2d(e.b, e.c, f.b);
  const fc = orient2d(e.b, e.c, f.c);
  const eb = orient2d(f.b, f.c, e.b);
  const ec = orient2d(f.b, f.c, e.c);
  if (areOpposite(fb, fc) && areOpposite(eb, ec)) return true;
  // A corner on an edge: its loop may go through there. The corner at the end of an edge begins another one.
  if (fb === 0 && isBetween(e.b, f.b, e.c)) {
    e.touching.push(f.id);
    if (areOpposite(orient2d(e.b, e.c, f.a), fc)) return true;
  }
  if (eb === 0 && isBetween(f.b, e.b, f.c)) {
    f.touching.push(e.id);
    if (areOpposite(orient2d(f.b, f.c, e.a), ec)) return true;
  }
  return false;
}

/** Two loops that meet in a corner: does f come from the inside of the corner of e and leave to its outside? */
const passesThrough = (e: RingEdge, f: RingEdge): boolean =>
  sideOfCorner(e.a, e.b, e.c, f.a) * sideOfCorner(e.a, e.b, e.c, f.c) < 0;

const areOpposite = (s: number, t: number): boolean => (s > 0 && t < 0) || (s < 0 && t > 0);

/** Of points on a line: is b strictly between a and c? */
const isBetween = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): boolean =>
  a.x === c.x ? isWithin(a.y, b.y, c.y) : isWithin(a.x, b.x, c.x);

const isWithin = (a: number, b: number, c: number): boolean => (a < b && b < c) || (a > b && b > c);
