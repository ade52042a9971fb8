/**
 * A convex polyhedron as a sequence of ever simpler ones, each inside the one before: the hierarchy of Dobkin and
 * Kirkpatrick (1990). Searches start at the innermost and look, hull by hull, only next to where they are. RTCD §9.3.1.
 *
 * For polyhedra of thousands of vertices: logarithmic time. Production climbs along edges (`shapes/climb-graph.ts`).
 */

import { type BigVec, isZero, toIntegers, unitOfPoints } from '../../math/big-integers.ts';
import { checkPoint, checkPoints, mustHave } from '../../math/check.ts';
import { orient3d } from '../../math/orient.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import { closestPointTriangle } from '../../primitives/closest/triangle.ts';
import { compareHeights, extremesOfList, lookAlong } from './extremes.ts';
import { closestMixtures } from './hull-distance.ts';

/**
 * Hull 0 is that of all points; hull i + 1 is hull i without some of its vertices, no two of them neighbours; the last
 * is a tetrahedron. When the points lie in a plane there is only hull 0. All lists are flat; those of vertex v go from
 * first…[v] to first…[v + 1]. Made by `nestedHulls`.
 */
export interface NestedHulls {
  /** Of the affine hull: 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid. */
  readonly dimension: 0 | 1 | 2 | 3;
  readonly levels: number;
  /** The corners of hull 0. */
  readonly vertices: readonly ReadonlyVec3[];
  /** Which of the given points each is. */
  readonly sources: Uint32Array;
  /** The last hull that each vertex is a corner of. */
  readonly lastLevel: Uint32Array;
  /** What searches have looked at so far: vertices held against a direction or a plane, and triangles. @internal */
  readonly visited: { vertices: number; triangles: number };
  /** The corners of the triangles of all hulls, counter-clockwise from outside. */
  readonly triangles: Uint32Array;
  /** The vertex that was over each triangle, the removal of which made it; -1 for those of hull 0. */
  readonly above: Int32Array;
  /** For each vertex, the triangles around it in the last hull that has it; none for those of the innermost. */
  readonly firstStar: Uint32Array;
  readonly star: Uint32Array;
  /** The triangles that took their place in the next hull. */
  readonly firstCap: Uint32Array;
  readonly cap: Uint32Array;
  /** For each vertex, the neighbours that it lost, outermost hull first. */
  readonly firstLost: Uint32Array;
  readonly lost: Uint32Array;
  /** The vertices and the triangles of the innermost hull. */
  readonly innerVertices: Uint32Array;
  readonly innerTriangles: Uint32Array;
  /** Coordinates are integers times 2 to this. */
  readonly unit: number;
}

/** A vertex with more neighbours is kept. Among any planar graph's vertices more than half have no more. */
const MOST_NEIGHBOURS = 8;

/**
 * The hull of the points and the hulls inside it. Every decision is exact. O(n log n), for the hull of all; the others
 * add up to O(n), and there are O(log n) of them.
 */
export function nestedHulls(points: readonly ReadonlyVec3[]): NestedHulls {
  checkPoints('nestedHulls', 'points', points);
  const hull = convexHull3(points);
  const vertices = hull.vertices.map((i) => v3.copy(points[i]!));
  const place = new Map(hull.vertices.map((i, k) => [i, k]));
  const mesh = new ShrinkingHull(vertices);
  for (let i = 0; i < hull.triangles.length; i += 3)
    mesh.addTriangle(
      place.get(hull.triangles[i]!)!,
      place.get(hull.triangles[i + 1]!)!,
      place.get(hull.triangles[i + 2]!)!,
      -1,
    );
  // A segment or a point is a triangle without area.
  if (hull.dimension < 2) mesh.addTriangle(0, vertices.length - 1, vertices.length - 1, -1);
  const lastLevel = new Uint32Array(vertices.length);
  let levels = 1;
  if (hull.dimension === 3) while (mesh.removeSome(lastLevel, levels - 1)) levels++;
  const inner = mesh.remaining;
  for (const v of inner) lastLevel[v] = levels - 1;
  const stars = flatten(mesh.stars);
  const caps = flatten(mesh.caps);
  const lost = flatten(mesh.lost);
  return {
    dimension: hull.dimension,
    levels,
    vertices,
    sources: Uint32Array.from(hull.vertices),
    lastLevel,
    visited: { vertices: 0, triangles: 0 },
    triangles: Uint32Array.from(mesh.corners),
    above: Int32Array.from(mesh.above),
    firstStar: stars.first,
    star: stars.items,
    firstCap: caps.first,
    cap: caps.items,
    firstLost: lost.first,
    lost: lost.items,
    innerVertices: Uint32Array.from(inner),
    innerTriangles: Uint32Array.from(mesh.above.keys()).filter((t) => mesh.alive[t]),
    unit: Math.min(0, unitOfPoints(vertices)),
  };
}

function flatten(lists: readonly (readonly number[])[]): { first: Uint32Array; items: Uint32Array } {
  const first = new Uint32Array(lists.length + 1);
  for (let i = 0; i < lists.length; i++) first[i + 1] = first[i]! + lists[i]!.length;
  return { first, items: Uint32Array.from(lists.flat()) };
}

/** The triangles of a hull that loses vertices. */
class ShrinkingHull {
  readonly corners: number[] = [];
  readonly above: number[] = [];
  readonly alive: boolean[] = [];
  readonly stars: number[][];
  readonly caps: number[][];
  readonly lost: number[][];
  remaining: number[];
  private readonly vertices: readonly Vec3[];
  /** The triangles at each vertex; some of them may be gone. */
  private readonly around: number[][];
  /** How many of them are not: as many as neighbours. */
  private readonly degree: Uint32Array;
  /** The last level at which a vertex was removed or lost a neighbour, plus 1. */
  private readonly touched: Uint32Array;

  constructor(vertices: readonly Vec3[]) {
    this.vertices = vertices;
    this.remaining = vertices.map((_, i) => i);
    this.stars = vertices.map(() => []);
    this.caps = vertices.map(() => []);
    this.lost = vertices.map(() => []);
    this.around = vertices.map(() => []);
    this.degree = new Uint32Array(vertices.length);
    this.touched = new Uint32Array(vertices.length);
  }

  addTriangle(a: number, b: number, c: number, above: number): number {
    const t = this.above.length;
    this.corners.push(a, b, c);
    this.above.push(above);
    this.alive.push(true);
    for (const v of [a, b, c]) {
      this.around[v]!.push(t);
      this.degree[v]!++;
    }
    return t;
  }

  /** Makes the next hull. False when there is none: nothing simpler than a tetrahedron has an inside. */
  removeSome(lastLevel: Uint32Array, level: number): boolean {
    let left = this.remaining.length;
    const before = left;
    // Those with the fewest neighbours first: they stand in the way of the fewest others.
    for (let degree = 3; degree <= MOST_NEIGHBOURS; degree++)
      for (const v of this.remaining) {
        if (left === 4) break;
        if (this.degree[v] !== degree || this.touched[v] === level + 1) continue;
        const ring = this.ringOf(v);
        // The tip of a pyramid has to stay.
        if (left === ring.length + 1 && this.isFlat(ring)) continue;
        this.remove(v, ring);
        for (const r of ring) this.touched[r] = level + 1;
        this.touched[v] = level + 1;
        lastLevel[v] = level;
        left--;
      }
    this.remaining = this.remaining.filter((v) => this.stars[v]!.length === 0);
    return left < before;
  }

  /** The neighbours, counter-clockwise from outside. */
  private ringOf(v: number): number[] {
    const next = new Map<number, number>();
    for (const t of this.around[v]!) {
      if (!this.alive[t]) continue;
      const k = this.corners[3 * t] === v ? 0 : this.corners[3 * t + 1] === v ? 1 : 2;
      next.set(this.corners[3 * t + ((k + 1) % 3)]!, this.corners[3 * t + ((k + 2) % 3)]!);
    }
    const [start] = next.keys();
    const ring = [start!];
    for (let r = next.get(start!)!; r !== start; r = next.get(r)!) ring.push(r);
    return ring;
  }

  private isFlat(ring: readonly number[]): boolean {
    const [a, b, c, ...others] = ring.map((i) => this.vertices[i]!);
    return others.every((p) => orient3d(a!, b!, c!, p) === 0);
  }

  private remove(v: number, ring: readonly number[]): void {
    for (const t of this.around[v]!) {
      if (!this.alive[t]) continue;
      this.alive[t] = false;
      this.stars[v]!.push(t);
      for (let k = 0; k < 3; k++) this.degree[this.corners[3 * t + k]!]!--;
    }
    for (const r of ring) this.lost[r]!.push(v);
    this.closeHole(v, ring);
  }

  /**
   * The new triangles span the ring: those sides of the hull of its vertices that were hidden by v. From an edge, the
   * triangle to a vertex that leaves no other in front of it; on to the two parts of the ring that it cuts off.
   */
  private closeHole(v: number, ring: readonly number[]): void {
    const chords: [number, number][] = [[0, ring.length - 1]];
    for (const [i, j] of chords) {
      if (j - i < 2) continue;
      let m = i + 1;
      while (!this.isOutermost(ring, i, m, j)) m++;
      this.caps[v]!.push(this.addTriangle(ring[i]!, ring[m]!, ring[j]!, v));
      chords.push([i, m], [m, j]);
    }
  }

  private isOutermost(ring: readonly number[], i: number, m: number, j: number): boolean {
    if (m === j - 1) return true; // there must be one
    const [a, b, c] = [this.vertices[ring[i]!]!, this.vertices[ring[m]!]!, this.vertices[ring[j]!]!];
    return ring.every((r, k) => k === i || k === m || k === j || orient3d(a, b, c, this.vertices[r]!) >= 0);
  }
}

/** Searches through nested hulls, from the innermost outwards. RTCD §9.3.1; Dobkin and Kirkpatrick 1990. */

/**
 * Which of the points that the hulls were made of lies farthest along the direction; exactly, and one of them if there
 * are several. For a direction of zero any. O(log n) as long as few edges meet in a vertex.
 */
export function supportIndexNestedHulls(hulls: NestedHulls, direction: ReadonlyVec3): number {
  mustHave('supportIndexNestedHulls', 'hulls', hulls, 'a nested hulls', 'dimension');
  checkPoint('supportIndexNestedHulls', 'direction', direction);
  const unit = unitOfPoints([direction]);
  return hulls.sources[extremeVertex(hulls, toIntegers(direction, unit), hulls.unit)]!;
}

/**
 * A vertex that is the highest of a hull stays so in the next one outwards, or else a vertex that returns is higher. That
 * one has neighbours of the smaller hull only, all lower, and so is the highest of all, and the only one that is higher;
 * and since there is a way up from every vertex but the highest, it is a neighbour. So only the returning neighbours
 * need be looked at.
 */
function extremeVertex(hulls: NestedHulls, direction: BigVec, unit: number): number {
  const { vertices, innerVertices, firstLost, lost, visited } = hulls;
  lookAlong(direction);
  let best = innerVertices[0]!;
  for (const v of innerVertices)
    if (compareHeights(vertices[best]!, vertices[v]!, direction, unit) > 0) best = v;
  visited.vertices += innerVertices.length;
  for (let i = firstLost[best + 1]! - 1; i >= firstLost[best]!; i--) {
    const returning = lost[i]!;
    visited.vertices++;
    if (compareHeights(vertices[best]!, vertices[returning]!, direction, unit) <= 0) continue;
    best = returning;
    i = firstLost[best + 1]!; // what it lost in turn, it lost in hulls farther out
  }
  return best;
}

/**
 * Do two polyhedra share a point? Touching counts. Decided exactly. Each step of `hullDistance` asks for two extreme
 * vertices, so this takes some ten times O(log n).
 */
export function overlapNestedHulls(a: NestedHulls, b: NestedHulls): boolean {
  mustHave('overlapNestedHulls', 'a', a, 'a nested hulls', 'dimension');
  mustHave('overlapNestedHulls', 'b', b, 'a nested hulls', 'dimension');
  const unit = Math.min(a.unit, b.unit);
  const { gap } = closestMixtures(
    a.vertices,
    b.vertices,
    (direction) => extremeVertex(a, direction, unit),
    (direction) => extremeVertex(b, direction, unit),
    unit,
    true,
  );
  return isZero(gap);
}

/**
 * Does the polyhedron contain the point, or have it on its surface? Exact; for flat hulls, too. O(log n).
 *
 * A point in front of a triangle of a hull is in front of that of the next hull outwards, too, if it has that triangle.
 * If the triangle came in the place of a vertex, look at the triangles around the vertex: when the point is behind all
 * of them it lies between the vertex and the rim of the hole. Dobkin and Kirkpatrick's argument, without a distance.
 */
export function containsNestedHullsPoint(hulls: NestedHulls, p: ReadonlyVec3): boolean {
  mustHave('containsNestedHullsPoint', 'hulls', hulls, 'a nested hulls', 'dimension');
  checkPoint('containsNestedHullsPoint', 'p', p);
  return hulls.dimension === 3 ? isInside(hulls, p) : isInFlatHull(hulls, p);
}

function isInside(hulls: NestedHulls, p: ReadonlyVec3): boolean {
  const { innerTriangles, above, firstStar, star } = hulls;
  let front = firstInFront(hulls, p, innerTriangles, 0, innerTriangles.length);
  while (front >= 0) {
    const vertex = above[front]!;
    if (vertex < 0) return false;
    front = firstInFront(hulls, p, star, firstStar[vertex]!, firstStar[vertex + 1]!);
  }
  return true;
}

/** The first of the triangles in that part of the list that the point is in front of; -1 if it is behind all. */
function firstInFront(
  { vertices, triangles, visited }: NestedHulls,
  p: ReadonlyVec3,
  list: Uint32Array,
  from: number,
  to: number,
): number {
  for (let i = from; i < to; i++) {
    const t = list[i]!;
    visited.triangles++;
    const a = vertices[triangles[3 * t]!]!;
    const b = vertices[triangles[3 * t + 1]!]!;
    const c = vertices[triangles[3 * t + 2]!]!;
    if (orient3d(a, b, c, p) < 0) return t;
  }
  return -1;
}

/** One hull, without an inside: the quadratic program decides. */
function isInFlatHull({ vertices, unit: own }: NestedHulls, p: ReadonlyVec3): boolean {
  const unit = Math.min(own, unitOfPoints([p]));
  return isZero(closestMixtures(vertices, [p], extremesOfList(vertices, unit), () => 0, unit, true).gap);
}

/**
 * The point of a polyhedron closest to p, to within rounding; p itself if it is inside, which is decided exactly.
 * O(log n) as long as few edges meet in a vertex.
 *
 * Let r be the closest point of one hull, and H the plane through it that faces p. Of the vertices that return in the
 * next hull outwards at most one lies beyond H, as in `supportIndexNestedHulls`: a neighbour of the corners of the
 * feature that r is on. What the next hull has beyond H is bounded by the triangles around that vertex: the closest
 * point is on one of them, or still r.
 */
export function closestPointNestedHulls(p: ReadonlyVec3, hulls: NestedHulls, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointNestedHulls', 'p', p);
  mustHave('closestPointNestedHulls', 'hulls', hulls, 'a nested hulls', 'dimension');
  v3.copy(p, query);
  if (hulls.dimension === 3 && isInside(hulls, query)) return v3.copy(query, out);
  const { above, innerTriangles, lastLevel, levels } = hulls;
  nearest.triangle = -1;
  nearest.distance = Infinity;
  tryTriangles(hulls, innerTriangles, 0, innerTriangles.length);
  for (let level = levels - 2; level >= 0; level--) {
    const start = nearest.triangle;
    const covering = above[start]!;
    if (covering >= 0 && lastLevel[covering] === level) {
      // This triangle is inside the next hull.
      nearest.distance = Infinity;
      tryStar(hulls, covering);
    }
    for (let k = 0; k < 3; k++) tryReturning(hulls, hulls.triangles[3 * start + k]!, level);
  }
  return v3.copy(nearest.point, out);
}

const query = vec3();
const candidate = vec3();
/** The closest point so far, and a triangle of the current hull that it is on. */
const nearest = { triangle: -1, point: vec3(), distance: Infinity };

/** The stars of those neighbours that a vertex has back at this level and that may be beyond the plane H. */
function tryReturning(hulls: NestedHulls, vertex: number, level: number): void {
  const { vertices, firstLost, lost, lastLevel, visited } = hulls;
  // They stand in the order of their levels.
  let low = firstLost[vertex]!;
  let high = firstLost[vertex + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lastLevel[lost[middle]!]! < level) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < firstLost[vertex + 1]! && lastLevel[lost[i]!] === level; i++) {
    visited.vertices++;
    if (mayBeBeyond(vertices[lost[i]!]!)) tryStar(hulls, lost[i]!);
  }
}

/**
 * r is known to some roundings only, so the plane is, too: the closer it is to p, the less its direction means. What
 * over- or underflows may be beyond, too.
 */
function mayBeBeyond(vertex: ReadonlyVec3): boolean {
  const { x: px, y: py, z: pz } = query;
  const { x: rx, y: ry, z: rz } = nearest.point;
  const x = vertex.x - rx;
  const y = vertex.y - ry;
  const z = vertex.z - rz;
  const height = (px - rx) * x + (py - ry) * y + (pz - rz) * z;
  const size = Math.abs(px) + Math.abs(py) + Math.abs(pz) + (Math.abs(rx) + Math.abs(ry) + Math.abs(rz));
  return !(height < -ROUNDING * size * (Math.abs(x) + Math.abs(y) + Math.abs(z)));
}
const ROUNDING = 16 * UNIT_ROUNDING;

function tryStar(hulls: NestedHulls, vertex: number): void {
  tryTriangles(hulls, hulls.star, hulls.firstStar[vertex]!, hulls.firstStar[vertex + 1]!);
}

function tryTriangles(
  { vertices, triangles, visited }: NestedHulls,
  list: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const t = list[i]!;
    visited.triangles++;
    const a = vertices[triangles[3 * t]!]!;
    const b = vertices[triangles[3 * t + 1]!]!;
    const c = vertices[triangles[3 * t + 2]!]!;
    const distance = v3.distance(closestPointTriangle(query, a, b, c, candidate), query);
    if (distance < nearest.distance) {
      nearest.triangle = t;
      nearest.distance = distance;
      v3.copy(candidate, nearest.point);
    }
  }
}
