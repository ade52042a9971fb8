/**
 * Seams: rims of a surface that lie on each other but for rounding, as where three.js bends a strip into a sphere and
 * computes both ends of it. The angles 0 and 2π give coordinates that differ by an ulp or so, which makes a hole.
 */
import { exponent, scalb } from '../math/float.ts';
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';
import { PointGrid } from './point-grid.ts';
import type { Positions, Triangles } from './triangles.ts';
import { weldEqual } from './weld.ts';

/** Triangles whose seams are closed. */
export interface ClosedSeams {
  /** The positions given, or a copy in which the vertices along seams have moved together. */
  readonly positions: Positions;
  /** The vertices that have moved, ascending. */
  readonly moved: Uint32Array;
  /** How far the farthest of them has, in its largest coordinate difference. */
  readonly largestGap: number;
}

/** Four units in the last place of the largest coordinate. */
const ULPS = 8 * UNIT_ROUNDING;
/** The same for coordinates of 32 bits, of which each has been rounded by itself: of the largest coordinate of a vertex. */
const ULPS_32 = 4.76837158203125e-7; // 2^-21

/**
 * Closes the seams of a mesh. Only vertices on a rim move: ends of edges that some triangle runs along one way and none
 * the other, where vertices at equal positions count as one. Those of them that differ by no more than four ulps in any
 * coordinate go to where the first of them is. (Ulps of the largest coordinate of the mesh; in arrays of 32 bits also those
 * of the vertex's own.) What is linked by such steps goes together, unless it is wider than twice that: it is no seam
 * then, and stays. So does what would not close anything, or would make a triangle flat that is none of those around a pole.
 *
 * Triangles keep their corners, by number; a closed mesh is returned as it is. O(n). `odd` are the edges of `oddEdges`, if they
 * are known.
 *
 * @internal
 */
export function closeSeams({ positions, index }: Triangles, odd?: Uint32Array): ClosedSeams {
  const { edges, firstAt } = rimOf({ positions, index }, odd);
  if (edges.length === 0) return { positions, moved: NONE, largestGap: 0 };
  const rim = new Rim(positions, edges);
  rim.joinNear();
  rim.keepWide();
  rim.keepTriangles(index, firstAt, edges);
  rim.keepUnlessClosed(edges);
  return rim.close(firstAt);
}
const NONE = new Uint32Array(0);

/**
 * The edges that are run along more often one way than the other, two vertices each, in that direction and as often as
 * that. Of vertices at equal positions it is the first on a rim that is named.
 *
 * @internal
 */
export const rimEdges = (triangles: Triangles): Uint32Array => rimOf(triangles).edges;

/** The edges of the rim; and for each vertex with an odd edge by number, the one that they name in its position, or -1. */
function rimOf(
  { positions, index }: Triangles,
  odd?: Uint32Array,
): { edges: Uint32Array; firstAt: Int32Array } {
  const vertexCount = positions.length / 3;
  const firstAt = new Int32Array(vertexCount);
  const byNumber = odd ?? oddEdges({ positions, index });
  if (byNumber.length === 0) return { edges: NONE, firstAt };
  // Edges between other vertices have cancelled each other.
  const { vertices, coordinates } = gather(positions, byNumber);
  const { remap, positions: kept } = weldEqual(coordinates);
  const first = new Int32Array(kept.length / 3).fill(-1);
  firstAt.fill(-1);
  for (let i = 0; i < vertices.length; i++) {
    const at = remap[i]!;
    if (first[at]! < 0) first[at] = vertices[i]!;
    firstAt[vertices[i]!] = at;
  }
  for (let i = 0; i < byNumber.length; i++) byNumber[i] = firstAt[byNumber[i]!]!;
  const edges = cancel(byNumber, first.length);
  if (edges.length === 0) return { edges, firstAt };
  for (let i = 0; i < edges.length; i++) edges[i] = first[edges[i]!]!;
  for (let i = 0; i < vertices.length; i++) firstAt[vertices[i]!] = first[remap[i]!]!;
  return { edges, firstAt };
}

/** The vertices that a list of edges names, ascending, and where they are. */
function gather(positions: Positions, edges: Uint32Array): { vertices: Uint32Array; coordinates: Positions } {
  const named = new Uint8Array(positions.length / 3);
  for (let i = 0; i < edges.length; i++) named[edges[i]!] = 1;
  const vertices = new Uint32Array(Math.min(named.length, edges.length));
  let count = 0;
  for (let v = 0; v < named.length; v++) if (named[v]) vertices[count++] = v;
  if (count === named.length) return { vertices, coordinates: positions };
  const coordinates = new Float64Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3; k++) coordinates[3 * i + k] = positions[3 * vertices[i]! + k]!;
  return { vertices: vertices.subarray(0, count), coordinates };
}

/** The edges, two vertices each, that do not cancel each other by number; of a soup all of them, since there none do. */
function oddEdges({ positions, index }: Triangles): Uint32Array {
  const vertexCount = positions.length / 3;
  if (vertexCount >= index.length) return edgesOf(index);
  const counts = new Uint32Array(vertexCount);
  countEdges(index, 0, index.length / 3, counts);
  const sum = startEdges([counts], 0, vertexCount);
  const others = new Uint32Array(sum);
  placeEdges(index, 0, index.length / 3, counts, others);
  return leftOver(others, counts, 0, vertexCount, 0);
}

/**
 * For each vertex, adds the edges of triangles from … to - 1 to which it is the lower one.
 *
 * @internal
 */
export function countEdges(index: Uint32Array, from: number, to: number, counts: Uint32Array): void {
  for (let i = 3 * from; i < 3 * to; i += 3) {
    const a = index[i]!;
    const b = index[i + 1]!;
    const c = index[i + 2]!;
    if (a !== b) counts[Math.min(a, b)]!++;
    if (b !== c) counts[Math.min(b, c)]!++;
    if (c !== a) counts[Math.min(c, a)]!++;
  }
}

/**
 * Several have counted the edges of a range of triangles each: makes of the counts for vertices from … to - 1 where those edges
 * begin, if they stand vertex by vertex and for each in the order of the ranges. Returns how many they are.
 *
 * @internal
 */
export function startEdges(counts: readonly Uint32Array[], from: number, to: number): number {
  let sum = 0;
  for (let v = from; v < to; v++)
    for (let i = 0; i < counts.length; i++) {
      const list = counts[i]!;
      const n = list[v]!;
      list[v] = sum;
      sum += n;
    }
  return sum;
}

/**
 * Puts the edges of triangles from … to - 1 where those of their lower vertex begin, and moves that on: twice the higher vertex,
 * plus 1 if the edge comes down from there.
 *
 * @internal
 */
export function placeEdges(
  index: Uint32Array,
  from: number,
  to: number,
  starts: Uint32Array,
  others: Uint32Array,
): void {
  for (let i = 3 * from; i < 3 * to; i += 3) {
    const a = index[i]!;
    const b = index[i + 1]!;
    const c = index[i + 2]!;
    if (a < b) others[starts[a]!++] = 2 * b;
    else if (a > b) others[starts[b]!++] = 2 * a + 1;
    if (b < c) others[starts[b]!++] = 2 * c;
    else if (b > c) others[starts[c]!++] = 2 * b + 1;
    if (c < a) others[starts[c]!++] = 2 * a;
    else if (c > a) others[starts[a]!++] = 2 * c + 1;
  }
}

function edgesOf(index: Uint32Array): Uint32Array {
  const edges = new Uint32Array(2 * index.length);
  for (let i = 0; i < index.length; i += 3) {
    const a = index[i]!;
    const b = index[i + 1]!;
    const c = index[i + 2]!;
    edges[2 * i] = edges[2 * i + 5] = a;
    edges[2 * i + 1] = edges[2 * i + 2] = b;
    edges[2 * i + 3] = edges[2 * i + 4] = c;
  }
  return edges;
}

/** What is left of edges, two vertices each, when opposite ones have cancelled each other. Sorted by counting. */
function cancel(edges: Uint32Array, vertexCount: number): Uint32Array {
  const starts = new Uint32Array(vertexCount);
  for (let i = 0; i < edges.length; i += 2) {
    const v = edges[i]!;
    const w = edges[i + 1]!;
    if (v !== w) starts[Math.min(v, w)]!++;
  }
  const others = new Uint32Array(startEdges([starts], 0, vertexCount));
  for (let i = 0; i < edges.length; i += 2) {
    const v = edges[i]!;
    const w = edges[i + 1]!;
    if (v < w) others[starts[v]!++] = 2 * w;
    else if (v > w) others[starts[w]!++] = 2 * v + 1;
  }
  return leftOver(others, starts, 0, vertexCount, 0);
}

/**
 * What is left of the edges whose lower vertices are from … to - 1, when opposite ones have cancelled each other. `others` are
 * those of `placeEdges`, sorted here; `ends` is where those of each vertex end, and `start` where those of the first begin.
 *
 * @internal
 */
export function leftOver(
  others: Uint32Array,
  ends: Uint32Array,
  from: number,
  to: number,
  start: number,
): Uint32Array {
  const odd: number[] = [];
  for (let v = from, k = start; v < to; v++) {
    const end = ends[v]!;
    sortRange(others, k, end);
    while (k < end) {
      const w = others[k]! >>> 1;
      let rising = 0;
      for (; k < end && others[k]! >>> 1 === w; k++) rising += others[k]! & 1 ? -1 : 1;
      for (; rising !== 0; rising -= Math.sign(rising)) odd.push(rising > 0 ? v : w, rising > 0 ? w : v);
    }
  }
  return Uint32Array.from(odd);
}

/** A vertex has some six edges as a rule, and may have any number. */
function sortRange(list: Uint32Array, from: number, to: number): void {
  if (to - from > 32) {
    list.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const value = list[i]!;
    let j = i;
    for (; j > from && list[j - 1]! > value; j--) list[j] = list[j - 1]!;
    list[j] = value;
  }
}

/** The vertices on a rim, and which of them are to be one. */
class Rim {
  private readonly positions: Positions;
  /** In ascending order. */
  private readonly vertices: Uint32Array;
  /** Where a vertex is among `vertices`, or -1. */
  private readonly slots: Int32Array;
  /** What is to be one; the first of it stands for it. */
  private readonly sets: Int32Array;
  /** Four ulps of the largest coordinate. */
  private readonly limit: number;

  constructor(positions: Positions, edges: Uint32Array) {
    this.positions = positions;
    this.slots = new Int32Array(positions.length / 3).fill(-1);
    this.vertices = gather(positions, edges).vertices;
    this.vertices.forEach((v, i) => {
      this.slots[v] = i;
    });
    this.sets = disjointSets(this.vertices.length);
    let size = 0;
    for (let i = 0; i < positions.length; i++) size = Math.max(size, Math.abs(positions[i]!));
    this.limit = Math.max(ULPS * size, Number.MIN_VALUE);
  }

  /** Joins what is near. Where vertices come by the dozen within a few ulps, some may be missed: that is no seam. */
  joinNear(): void {
    const { vertices, sets, positions } = this;
    // By the exponent of the distance that is near: for vertices near to each other it is the same, or off by one.
    const grids = new Map<number, NearGrid>();
    for (let i = 0; i < vertices.length; i++) {
      const v = vertices[i]!;
      const x = positions[3 * v]!;
      const y = positions[3 * v + 1]!;
      const z = positions[3 * v + 2]!;
      const near = this.nearOf(v);
      const own = exponent(near);
      let crowd = 0;
      for (let e = own - 1; e <= own + 1; e++) {
        const there = grids.get(e);
        if (!there) continue;
        const count = there.grid.gather(x, y, z, near);
        crowd += count;
        for (let k = 0; k < count; k++) {
          const j = there.members[there.grid.found[k]!]!;
          if (this.gapOf(v, vertices[j]!) <= near) joinSets(sets, i, j);
        }
      }
      if (crowd > CROWD) continue;
      const grid = grids.get(own) ?? new NearGrid(own);
      grids.set(own, grid);
      grid.grid.add(x, y, z);
      grid.members.push(i);
    }
  }

  /** Takes apart what is too wide for a seam. */
  keepWide(): void {
    const { vertices, sets } = this;
    const wide = new Uint8Array(sets.length);
    for (let i = 0; i < sets.length; i++) {
      const first = findRoot(sets, i);
      const to = vertices[first]!;
      if (this.gapOf(vertices[i]!, to) > 2 * this.nearOf(to)) wide[first] = 1;
    }
    this.takeApart(wide);
  }

  /**
   * Takes apart what would make a triangle flat, unless one of its sides is no longer than the ulps of 64 bits and the two
   * others are not both on the rim: then it is one of those around a pole, and its neighbours take its place.
   */
  keepTriangles(index: Uint32Array, firstAt: Int32Array, edges: Uint32Array): void {
    const { sets } = this;
    const lost = new Uint8Array(sets.length);
    let onRim: Set<number> | null = null;
    for (let i = 0; i < index.length; i += 3)
      for (let k = 0; k < 3; k++) {
        const v = index[i + k]!;
        const first = this.firstOf(v, firstAt);
        if (first < 0) continue;
        const w = index[i + ((k + 1) % 3)]!;
        const gap = first === this.firstOf(w, firstAt) ? this.gapOf(v, w) : 0;
        if (gap === 0) continue;
        onRim ??= edgeKeys(edges, firstAt.length);
        const u = firstAt[index[i + ((k + 2) % 3)]!]!;
        const isNeedle =
          u >= 0 &&
          onRim.has(firstAt[w]! * firstAt.length + u) &&
          onRim.has(u * firstAt.length + firstAt[v]!);
        if (gap > this.limit || isNeedle) lost[first] = 1;
      }
    this.takeApart(lost);
  }

  /**
   * Takes apart what closes nothing: neither joins an edge of the rim with one that runs the other way, nor is all of the
   * rim around a hole.
   */
  keepUnlessClosed(edges: Uint32Array): void {
    const { sets, slots } = this;
    const first = sets.map((_, i) => findRoot(sets, i));
    const sizes = new Uint32Array(sets.length);
    for (let i = 0; i < sets.length; i++) sizes[first[i]!]!++;
    const closes = new Uint8Array(sets.length);
    /** Edges from one set to another that wait for one back, by the numbers of both. */
    const waiting = new Map<number, number>();
    /** Edges within the set that begin here, less those that end here. */
    const balance = new Int32Array(sets.length);
    const shrinks = new Uint8Array(sets.length);
    for (let i = 0; i < edges.length; i += 2) {
      const from = slots[edges[i]!]!;
      const to = slots[edges[i + 1]!]!;
      const a = first[from]!;
      const b = first[to]!;
      if (sizes[a] === 1 && sizes[b] === 1) continue;
      if (a === b) {
        shrinks[a] = 1;
        balance[from]!++;
        balance[to]!--;
        continue;
      }
      const back = waiting.get(b * sets.length + a) ?? 0;
      if (back > 0) {
        waiting.set(b * sets.length + a, back - 1);
        closes[a] = closes[b] = 1;
      } else {
        const key = a * sets.length + b;
        waiting.set(key, (waiting.get(key) ?? 0) + 1);
      }
    }
    for (let i = 0; i < sets.length; i++) if (balance[i] !== 0) shrinks[first[i]!] = 0;
    this.takeApart(closes.map((yes, i) => (yes || shrinks[i] ? 0 : 1)));
  }

  /** Moves what is to be one vertex to one position. */
  close(firstAt: Int32Array): ClosedSeams {
    const { positions, vertices } = this;
    const moved: number[] = [];
    let snapped = positions;
    let largestGap = 0;
    for (let v = 0; v < firstAt.length; v++) {
      const first = this.firstOf(v, firstAt);
      if (first < 0) continue;
      const to = vertices[first]!;
      const gap = this.gapOf(v, to);
      if (gap === 0) continue;
      if (snapped === positions) snapped = positions.slice();
      for (let k = 0; k < 3; k++) snapped[3 * v + k] = positions[3 * to + k]!;
      moved.push(v);
      largestGap = Math.max(largestGap, gap);
    }
    return { positions: snapped, moved: Uint32Array.from(moved), largestGap };
  }

  /** The first of the set of a vertex, or -1 if it is on no rim. */
  private firstOf(v: number, firstAt: Int32Array): number {
    const slot = firstAt[v]! < 0 ? -1 : this.slots[firstAt[v]!]!;
    return slot < 0 ? -1 : findRoot(this.sets, slot);
  }

  private takeApart(wrong: Uint8Array): void {
    const { sets } = this;
    const first = sets.map((_, i) => findRoot(sets, i));
    for (let i = 0; i < sets.length; i++) if (wrong[first[i]!]) sets[i] = i;
  }

  /** How far from it other vertices are near. */
  private nearOf(v: number): number {
    const { positions, limit } = this;
    if (positions instanceof Float64Array) return limit;
    const x = Math.abs(positions[3 * v]!);
    const y = Math.abs(positions[3 * v + 1]!);
    const z = Math.abs(positions[3 * v + 2]!);
    return Math.max(limit, ULPS_32 * Math.max(x, y, z));
  }

  /** The largest difference of coordinates. */
  private gapOf(v: number, w: number): number {
    const { positions } = this;
    return Math.max(
      Math.abs(positions[3 * v]! - positions[3 * w]!),
      Math.abs(positions[3 * v + 1]! - positions[3 * w + 1]!),
      Math.abs(positions[3 * v + 2]! - positions[3 * w + 2]!),
    );
  }
}

function edgeKeys(edges: Uint32Array, vertexCount: number): Set<number> {
  const keys = new Set<number>();
  for (let i = 0; i < edges.length; i += 2) keys.add(edges[i]! * vertexCount + edges[i + 1]!);
  return keys;
}

/** So many vertices in one neighbourhood are kept for others to be compared with, and no more. */
const CROWD = 64;

/** Vertices with the same exponent of what is near to them. */
class NearGrid {
  readonly grid: PointGrid;
  readonly members: number[] = [];

  constructor(e: number) {
    // Twice what is near to vertices with the next exponent: they look here too.
    this.grid = new PointGrid(scalb(8, e));
  }
}
