/** The convex hull in space. RTCD §3.9.2; Barber, Dobkin & Huhdanpaa 1996. */
import { ANY_FINITE, checkPoints } from '../math/check.ts';
import { orient3d } from '../math/orient.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { affineBasis, dropAxis, facingAxis } from './affine.ts';
import { hullByChains } from './convex-hull2.ts';
import { readPoints3 } from './input.ts';
import type { Hull } from './types.ts';

/**
 * The convex hull of a list of points, decided exactly: no point lies outside any face, faces are never flipped, and
 * exactly coplanar triangles make one face. Points that span less than space give a flat hull (two faces, back to
 * back), a segment or a point; see `Hull`. About O(n log n). RTCD §3.9.2.
 *
 * The exactness ends where coordinates of one list differ by more than some hundred powers of ten.
 */
export function convexHull3(points: readonly ReadonlyVec3[]): Hull {
  checkPoints('convexHull3', 'points', points, ANY_FINITE);
  const own = readPoints3('convexHull3', points);
  const basis = affineBasis(own);
  if (basis.length === 4) return hull(3, hullFaces(own, quickhull(own, basis)));
  if (basis.length === 3) return flatHull(own, basis);
  return { dimension: basis.length === 2 ? 1 : 0, vertices: endsOnLine(own), faces: [], triangles: [] };
}

function hull(dimension: 2 | 3, faces: number[][]): Hull {
  const triangles: number[] = [];
  const used = new Set<number>();
  for (const face of faces) {
    for (let i = 2; i < face.length; i++) triangles.push(face[0]!, face[i - 1]!, face[i]!);
    for (const i of face) used.add(i);
  }
  return { dimension, vertices: [...used].sort((i, j) => i - j), faces, triangles };
}

/** Points of one plane: their projection along an axis that shows the plane from above has the same hull. */
function flatHull(points: readonly ReadonlyVec3[], [i, j, k]: readonly number[]): Hull {
  const axis = facingAxis(points[i!]!, points[j!]!, points[k!]!)!;
  const front = hullByChains(points.map((p) => dropAxis(p, axis)));
  return hull(2, [front, [...front].reverse()]);
}

/** The two ends of points on a line, or the one point where all are. */
function endsOnLine(points: readonly ReadonlyVec3[]): number[] {
  let first = 0;
  let last = 0;
  for (let i = 1; i < points.length; i++) {
    if (compare(points[i]!, points[first]!) < 0) first = i;
    if (compare(points[i]!, points[last]!) > 0) last = i;
  }
  return first === last ? [first] : [first, last].sort((i, j) => i - j);
}

const compare = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x - b.x || a.y - b.y || a.z - b.z;

/** A triangle of the growing hull, with its pending points, which lie outside it. */
interface GrowingTriangle extends HullTriangle {
  neighbours: GrowingTriangle[];
  /** The pending point that is farthest away (-1: none is pending), and how far in units of this triangle. */
  farthest: number;
  height: number;
  /** The last of the waiting points that came; each knows the one before it, the first knows -1. */
  last: number;
  removed: boolean;
}

/**
 * Grows the tetrahedron of `basis` by one outside point after the other.
 *
 * A point sees the triangles that it is strictly in front of. Were it moved a little towards the inside it would see
 * the same ones and lie in the plane of none, so what it sees is a disc with one simple rim, also when it lies in the
 * planes of other faces. It is not on the line of a rim edge, since it is strictly in front of the triangle there: no
 * new triangle is without area. A face whose plane it lies in grows by triangles in that plane.
 *
 * A waiting point that still lies outside then lies in front of a new triangle: let it be in front of a triangle that
 * stays. What it saw before was connected and led from a removed triangle to that one, so over a rim edge of which it
 * saw both sides; and the plane of the new triangle there is a mixture of the two, with weights that are not negative.
 *
 * Every round uses up a point, so there are at most n. Which point comes first matters for speed only: the farthest,
 * by rounded height, of the triangle that has waited longest, so that the hull grows evenly on all sides.
 */
function quickhull(points: readonly ReadonlyVec3[], basis: readonly number[]): HullTriangle[] {
  const before = new Int32Array(points.length);
  let triangles = tetrahedron(points, basis);
  for (let i = 0; i < points.length; i++) if (!basis.includes(i)) assign(points, before, i, triangles);
  const queue = triangles.filter(hasWaiting);
  for (let k = 0; k < queue.length; k++) {
    const triangle = queue[k]!;
    if (triangle.removed) continue;
    const apex = triangle.farthest;
    const seen = seenFrom(points, triangle, apex);
    triangles = cone(seen, apex);
    for (const old of seen)
      for (let i = old.last; i >= 0; ) {
        const next = before[i]!; // assigning i overwrites it
        if (i !== apex) assign(points, before, i, triangles);
        i = next;
      }
    for (const t of triangles) if (hasWaiting(t)) queue.push(t);
  }
  return reachableFrom(triangles[0]!);
}

const hasWaiting = (triangle: GrowingTriangle): boolean => triangle.farthest >= 0;

/** All triangles of the surface that one of them is part of. */
function reachableFrom(start: HullTriangle): HullTriangle[] {
  const all = new Set([start]);
  for (const triangle of all) for (const neighbour of triangle.neighbours) all.add(neighbour);
  return [...all];
}

const makeTriangle = (a: number, b: number, c: number): GrowingTriangle => ({
  vertices: [a, b, c],
  neighbours: [],
  farthest: -1,
  height: 0,
  last: -1,
  removed: false,
});

function tetrahedron(points: readonly ReadonlyVec3[], basis: readonly number[]): GrowingTriangle[] {
  const [i, j, c, d] = basis as [number, number, number, number];
  const behind = orient3d(points[i]!, points[j]!, points[c]!, points[d]!) > 0;
  const [a, b] = behind ? [i, j] : [j, i];
  const abc = makeTriangle(a, b, c);
  const bad = makeTriangle(b, a, d);
  const cbd = makeTriangle(c, b, d);
  const acd = makeTriangle(a, c, d);
  abc.neighbours = [bad, cbd, acd];
  bad.neighbours = [abc, acd, cbd];
  cbd.neighbours = [abc, bad, acd];
  acd.neighbours = [abc, cbd, bad];
  return [abc, bad, cbd, acd];
}

/** Six times the volume of the tetrahedron between the triangle and a point in front of it. */
function heightOver(points: readonly ReadonlyVec3[], triangle: HullTriangle, i: number): number {
  const [a, b, c] = triangle.vertices;
  return -orient3d(points[a]!, points[b]!, points[c]!, points[i]!);
}

/** Lets a point wait at a triangle that it is in front of. One that is in front of none is in the hull. */
function assign(
  points: readonly ReadonlyVec3[],
  before: Int32Array,
  i: number,
  triangles: readonly GrowingTriangle[],
): void {
  for (const triangle of triangles) {
    const height = heightOver(points, triangle, i);
    if (height > 0) {
      before[i] = triangle.last;
      triangle.last = i;
      if (height > triangle.height) {
        triangle.height = height;
        triangle.farthest = i;
      }
      return;
    }
  }
}

/** Removes the triangles that the point sees, starting with one of them. */
function seenFrom(points: readonly ReadonlyVec3[], start: GrowingTriangle, i: number): GrowingTriangle[] {
  const seen = [start];
  start.removed = true;
  for (const triangle of seen)
    for (const neighbour of triangle.neighbours)
      if (!neighbour.removed && heightOver(points, neighbour, i) > 0) {
        neighbour.removed = true;
        seen.push(neighbour);
      }
  return seen;
}

/** Closes the hole that the seen triangles leave with a triangle from each edge of its rim to the apex. */
function cone(seen: readonly GrowingTriangle[], apex: number): GrowingTriangle[] {
  const added: GrowingTriangle[] = [];
  const byStart = new Map<number, GrowingTriangle>();
  for (const triangle of seen)
    for (let k = 0; k < 3; k++) {
      const kept = triangle.neighbours[k]!;
      if (kept.removed) continue;
      const from = triangle.vertices[k]!;
      const to = triangle.vertices[(k + 1) % 3]!;
      const t = makeTriangle(from, to, apex);
      t.neighbours = [kept, kept, kept]; // the other two follow below
      kept.neighbours[kept.vertices.indexOf(to)] = t;
      byStart.set(from, t);
      added.push(t);
    }
  for (const t of added) {
    const next = byStart.get(t.vertices[1])!;
    t.neighbours[1] = next;
    next.neighbours[2] = t;
  }
  return added;
}

/** From the triangles of a hull to its flat faces. */

/**
 * A triangle of a closed convex surface. Neighbour k lies across the edge from vertex k to the next.
 *
 * @internal
 */
export interface HullTriangle {
  readonly vertices: readonly [number, number, number];
  readonly neighbours: readonly HullTriangle[];
}

/**
 * The faces as strictly convex loops: coplanar triangles are merged, and vertices inside a face or an edge dropped.
 * Since the surface is convex, a vertex is a corner exactly when three or more faces meet there.
 */
function hullFaces(points: readonly ReadonlyVec3[], triangles: readonly HullTriangle[]): number[][] {
  const loops = coplanarLoops(points, triangles);
  const count = new Map<number, number>();
  for (const loop of loops) for (const i of loop) count.set(i, (count.get(i) ?? 0) + 1);
  return loops.map((loop) => loop.filter((i) => count.get(i)! >= 3));
}

function coplanarLoops(points: readonly ReadonlyVec3[], triangles: readonly HullTriangle[]): number[][] {
  const loops: number[][] = [];
  const done = new Set<HullTriangle>();
  for (const start of triangles) {
    if (done.has(start)) continue;
    done.add(start);
    const flat = [start];
    const rim = new Map<number, number>();
    for (const triangle of flat)
      for (let k = 0; k < 3; k++) {
        const neighbour = triangle.neighbours[k]!;
        const from = triangle.vertices[k]!;
        const to = triangle.vertices[(k + 1) % 3]!;
        // Compared with the first triangle of all: exact, so it makes no difference which one is taken.
        if (!isCoplanar(points, start, apexOver(neighbour, to))) rim.set(from, to);
        else if (!done.has(neighbour)) {
          done.add(neighbour);
          flat.push(neighbour);
        }
      }
    loops.push(chain(rim));
  }
  return loops;
}

/** The vertex of a triangle that is not on its edge starting at `from`. */
const apexOver = ({ vertices }: HullTriangle, from: number): number =>
  vertices[(vertices.indexOf(from) + 2) % 3]!;

function isCoplanar(points: readonly ReadonlyVec3[], { vertices }: HullTriangle, i: number): boolean {
  const [a, b, c] = vertices;
  return orient3d(points[a]!, points[b]!, points[c]!, points[i]!) === 0;
}

/** The loop that the edges of a map from start to end make. */
function chain(edges: ReadonlyMap<number, number>): number[] {
  const [first] = edges.keys();
  const loop = [first!];
  for (let i = edges.get(first!)!; i !== first; i = edges.get(i)!) loop.push(i);
  return loop;
}
