/** Searches through nested hulls, from the innermost outwards. RTCD §9.3.1; Dobkin and Kirkpatrick 1990. */

import type { BigVec } from '../math/big-integers.ts';
import { isZero, toIntegers, unitOfPoints } from '../math/big-integers.ts';
import { checkPoint, mustHave } from '../math/check.ts';
import { orient3d } from '../math/orient.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';
import type { NestedHulls } from './dobkin-kirkpatrick.ts';
import { compareHeights, extremesOfList, lookAlong } from './extremes.ts';
import { closestMixtures } from './hull-distance.ts';

/**
 * What the searches since the last reset have looked at: vertices held against a direction or a plane, and triangles.
 *
 * @internal
 */
export const visits = { vertices: 0, triangles: 0 };

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
  const { vertices, innerVertices, firstLost, lost } = hulls;
  lookAlong(direction);
  let best = innerVertices[0]!;
  for (const v of innerVertices)
    if (compareHeights(vertices[best]!, vertices[v]!, direction, unit) > 0) best = v;
  visits.vertices += innerVertices.length;
  for (let i = firstLost[best + 1]! - 1; i >= firstLost[best]!; i--) {
    const returning = lost[i]!;
    visits.vertices++;
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
  { vertices, triangles }: NestedHulls,
  p: ReadonlyVec3,
  list: Uint32Array,
  from: number,
  to: number,
): number {
  for (let i = from; i < to; i++) {
    const t = list[i]!;
    visits.triangles++;
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
  const { vertices, firstLost, lost, lastLevel } = hulls;
  // They stand in the order of their levels.
  let low = firstLost[vertex]!;
  let high = firstLost[vertex + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lastLevel[lost[middle]!]! < level) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < firstLost[vertex + 1]! && lastLevel[lost[i]!] === level; i++) {
    visits.vertices++;
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
const ROUNDING = 16 * 1.1102230246251565e-16;

function tryStar(hulls: NestedHulls, vertex: number): void {
  tryTriangles(hulls, hulls.star, hulls.firstStar[vertex]!, hulls.firstStar[vertex + 1]!);
}

function tryTriangles(
  { vertices, triangles }: NestedHulls,
  list: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const t = list[i]!;
    visits.triangles++;
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
