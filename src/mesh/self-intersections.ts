/** Where a mesh runs into itself. */
import { describe, mustBeNumber } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { dropAxis, facingAxis } from '../polytope/affine.ts';
import { isFlat, segmentMeetsTriangle, side } from '../primitives/overlap/side.ts';
import { pick, trianglesOverlap } from '../primitives/overlap/triangle-triangle.ts';
import { visitClosePairs } from './close-pairs.ts';
import { byCorners, haveSameCorners } from './same-corners.ts';
import { readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';
import { weldEqual } from './weld.ts';

/** How a search for self-intersections ended. */
export interface SelfIntersectionSearch {
  /** False if there may be pairs that are not listed. */
  isComplete: boolean;
}

/**
 * The pairs of triangles that have more in common than the corners they share: [0, 5, …] for 0 and 5, the smaller
 * number first, in ascending order. Exact for the numbers given; corners at equal positions are shared.
 *
 * Neighbours that fold onto each other in one plane are listed, as is a corner that touches the inside of another
 * triangle or edge. The same three corners twice are not (`inspect` lists them), nor triangles without area.
 *
 * O(n log n + pairs) for meshes, also those with fans of any size. Long slivers that lie across each other without meeting
 * would take longer: the search gives up after comparing some million pairs without a result, plus some for each triangle, and
 * says so in `out`.
 *
 * @param limit the search ends when so many pairs have been found
 * @param out says whether all pairs are listed
 */
export function selfIntersections(
  triangles: TrianglesLike,
  limit = Infinity,
  out?: SelfIntersectionSearch,
): Uint32Array {
  mustBeNumber('selfIntersections', 'limit', limit);
  const { positions, index } = readTriangles('selfIntersections: triangles', triangles);
  if (!(limit >= 0))
    throw new RangeError(`graze: selfIntersections: limit must not be negative, got ${describe(limit)}`);
  const { remap } = weldEqual(positions);
  const corners = Uint32Array.from(index, (v) => remap[v]!);
  const first = new Uint32Array(positions.length / 3); // of the vertices at one position, any
  remap.forEach((v, i) => {
    first[v] = i;
  });
  const { pairs, isComplete } = findPairs({ positions, index: corners.map((v) => first[v]!) }, limit);
  if (out) out.isComplete = isComplete;
  return pairs;
}

/** @internal Of triangles whose corners at equal positions have equal numbers. */
export function findPairs(
  { positions, index }: Triangles,
  limit: number,
): { pairs: Uint32Array; isComplete: boolean } {
  if (limit === 0) return { pairs: new Uint32Array(0), isComplete: false };
  const first = makeTriangle();
  const second = makeTriangle();
  const { members, next } = differentTriangles(positions, index);
  const count = index.length / 3;
  const found: number[] = [];
  /** Of all triangles with the corners of s, and all with those of t. */
  const list = (s: number, t: number): boolean => {
    for (let p = s; p >= 0; p = next[p]!)
      for (let r = t; r >= 0; r = next[r]!) {
        found.push(p < r ? p * count + r : r * count + p);
        if (found.length >= limit) return true;
      }
    return false;
  };
  const isComplete = visitClosePairs({ positions, index }, members, 0, (s, t) => {
    load(positions, index, s, first);
    load(positions, index, t, second);
    return meet(index, s, t, first, second) && list(s, t);
  });
  const keys = Float64Array.from(found).sort();
  const pairs = new Uint32Array(2 * keys.length);
  keys.forEach((key, i) => {
    pairs[2 * i] = Math.floor(key / count);
    pairs[2 * i + 1] = key % count;
  });
  return { pairs, isComplete };
}

/** The triangles with area, of those with the same corners the first; `next` leads from it to the others, and to -1. */
function differentTriangles(
  positions: ArrayLike<number>,
  index: Uint32Array,
): { members: Uint32Array; next: Int32Array } {
  const triangle = makeTriangle();
  const order = byCorners(index);
  const next = new Int32Array(index.length / 3).fill(-1);
  const members: number[] = [];
  for (let k = 0; k < order.length; k++) {
    if (k > 0 && haveSameCorners(index, order[k]!, order[k - 1]!)) {
      next[order[k - 1]!] = order[k]!;
      continue;
    }
    load(positions, index, order[k]!, triangle);
    if (!isFlat(triangle.a, triangle.b, triangle.c)) members.push(order[k]!);
  }
  return { members: Uint32Array.from(members), next };
}

interface Triangle {
  readonly a: Vec3;
  readonly b: Vec3;
  readonly c: Vec3;
}

const makeTriangle = (): Triangle => ({ a: vec3(), b: vec3(), c: vec3() });

function load(positions: ArrayLike<number>, index: Uint32Array, t: number, { a, b, c }: Triangle): void {
  read(positions, 3 * index[3 * t]!, a);
  read(positions, 3 * index[3 * t + 1]!, b);
  read(positions, 3 * index[3 * t + 2]!, c);
}

function read(positions: ArrayLike<number>, at: number, out: Vec3): void {
  out.x = positions[at]!;
  out.y = positions[at + 1]!;
  out.z = positions[at + 2]!;
}

/** Do the triangles s and t, which have areas, meet other than where they share corners? */
function meet(index: Uint32Array, s: number, t: number, first: Triangle, second: Triangle): boolean {
  const { a, b, c } = first;
  const { a: d, b: e, c: f } = second;
  let shared = 0;
  let [i, j] = [0, 0]; // a shared corner of each
  let [k, l] = [3, 3]; // sums that leave the corners not shared
  for (let p = 0; p < 3; p++)
    for (let r = 0; r < 3; r++) {
      if (index[3 * s + p] !== index[3 * t + r]) continue;
      shared++;
      i = p;
      j = r;
      k -= p;
      l -= r;
    }
  if (shared === 0) return trianglesOverlap(a, b, c, d, e, f);
  if (shared === 1) {
    // What else they have in common lies on a ray from the shared corner, which leaves one of them through the
    // opposite edge.
    const [p, q] = [pick((i + 1) % 3, a, b, c), pick((i + 2) % 3, a, b, c)];
    const [u, v] = [pick((j + 1) % 3, d, e, f), pick((j + 2) % 3, d, e, f)];
    return segmentMeetsTriangle(p, q, d, e, f) || segmentMeetsTriangle(u, v, a, b, c);
  }
  // With an edge in common: if in one plane, and on one side of the edge.
  return shared === 2 && foldOver(pick(k, a, b, c), pick(l, d, e, f), pick(i, a, b, c), a, b, c);
}

/** Do p, a corner of abc, and q lie in its plane, on the same side of the edge opposite to p? */
function foldOver(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  onEdge: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  if (side(a, b, c, q) !== 0) return false;
  const other = a !== p && a !== onEdge ? a : b !== p && b !== onEdge ? b : c;
  const axis = facingAxis(a, b, c)!;
  const flat = (v: ReadonlyVec3) => dropAxis(v, axis);
  const ofP = orient2d(flat(onEdge), flat(other), flat(p));
  const ofQ = orient2d(flat(onEdge), flat(other), flat(q));
  return ofP > 0 === ofQ > 0;
}
