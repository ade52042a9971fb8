/**
 * Planes with a thickness, so that a point computed to lie on one does. RTCD §11.3.2, §8.3.3, §8.3.4.
 *
 * An edge is cut only when its ends are on opposite sides of the slab; what lies within is `on` and stays whole.
 * So no cut is nearly parallel to the plane, and every cut point is `on` again.
 *
 * For BSP trees and clipping with rounded planes. What decides by exact signs is in `math/orient.ts`, what cuts solids in
 * `mesh/cut-solid.ts`.
 */
import {
  ANY_FINITE,
  checkPlane as checkFlatPlane,
  checkPoint,
  checkPoints,
  mustBeLength,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { DeepReadonly, Plane, ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** The points within `radius` of a plane, whose normal must be a unit vector. */
export interface ThickPlane extends Plane {
  radius: number;
}

export type ReadonlyThickPlane = DeepReadonly<ThickPlane>;

/** The side of a point. `front` is where the normal points. */
export type PlaneSide = 'front' | 'on' | 'back';
/** The side of a thing with an extent: `straddle` has points in front of the slab and points behind it. */
export type ExtentSide = PlaneSide | 'straddle';

/** The parts of a polygon on both sides of a plane; empty when there is none. */
export interface PolygonParts {
  front: Vec3[];
  back: Vec3[];
}

/**
 * A radius that holds every cut of a segment by a plane, when no coordinate is larger than `extent` in size and the
 * plane meets that cube. A cut is off by less than 37 × 2^-53 extent: 11 from the distances of the ends, 7 from their
 * ratio, 9 from the interpolation, 11 from the distance of the cut when it is looked at. The slope does not matter.
 */
export function thickPlaneRadius(extent: number): number {
  mustNotBeNegative('thickPlaneRadius', 'extent', extent);
  return 32 * EPS64 * extent;
}

/** On which side of the slab is p? On its surface is `on`. */
export function classifyPointThickPlane(p: ReadonlyVec3, plane: ReadonlyThickPlane): PlaneSide {
  mustHave('classifyPointThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPoint('classifyPointThickPlane', 'p', p);
  checkPlane('classifyPointThickPlane', plane);
  return WORDS[sideOf(p, plane, plane.radius)] as PlaneSide;
}

/** On which side of the slab is the segment ab? `on` when all of it is inside. */
export function classifySegmentThickPlane(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  plane: ReadonlyThickPlane,
): ExtentSide {
  mustHave('classifySegmentThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPoint('classifySegmentThickPlane', 'a', a);
  checkPoint('classifySegmentThickPlane', 'b', b);
  checkPlane('classifySegmentThickPlane', plane);
  return WORDS[sideOfPolygon([a, b], plane, plane.radius)];
}

/** On which side of the slab is the polygon? `on` when all of it is inside. */
export function classifyPolygonThickPlane(
  vertices: readonly ReadonlyVec3[],
  plane: ReadonlyThickPlane,
): ExtentSide {
  checkPoints('classifyPolygonThickPlane', 'vertices', vertices, ANY_FINITE);
  mustHave('classifyPolygonThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPolygon('classifyPolygonThickPlane', vertices);
  checkPlane('classifyPolygonThickPlane', plane);
  return WORDS[sideOfPolygon(vertices, plane, plane.radius)];
}

/**
 * The parts of a convex polygon in front of and behind the plane. A part has new vertices throughout, in the old
 * order, and at least three; a polygon within the slab counts as in front. The parts share no area. Neighbours that share an
 * edge get the same cut point, to the last bit, since an edge is always cut from front to back.
 */
export function splitPolygonThickPlane(
  vertices: readonly ReadonlyVec3[],
  plane: ReadonlyThickPlane,
  out: PolygonParts = { front: [], back: [] },
): PolygonParts {
  checkPoints('splitPolygonThickPlane', 'vertices', vertices, ANY_FINITE);
  mustHave('splitPolygonThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPolygon('splitPolygonThickPlane', vertices);
  checkPlane('splitPolygonThickPlane', plane);
  const { front, back } = splitPolygon(vertices, plane, plane.radius);
  out.front = front;
  out.back = back;
  return out;
}

/** The part of a convex polygon in front of the plane, as by `splitPolygonThickPlane`; empty when there is none. */
export function clipPolygonThickPlane(vertices: readonly ReadonlyVec3[], plane: ReadonlyThickPlane): Vec3[] {
  checkPoints('clipPolygonThickPlane', 'vertices', vertices, ANY_FINITE);
  mustHave('clipPolygonThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPolygon('clipPolygonThickPlane', vertices);
  checkPlane('clipPolygonThickPlane', plane);
  const front: Vec3[] = [];
  distribute(vertices, plane, plane.radius, front, []);
  return sideOfPolygon(vertices, plane, plane.radius) === -1 ? [] : front;
}

/** Signed distance of p, > 0 in front. @internal */
export function heightOf(p: ReadonlyVec3, { normal: n, d }: ReadonlyPlane): number {
  return n.x * p.x + n.y * p.y + n.z * p.z - d;
}

/** 1 in front, -1 behind, 0 on the plane. @internal */
export function sideOf(p: ReadonlyVec3, plane: ReadonlyPlane, thickness: number): -1 | 0 | 1 {
  const height = heightOf(p, plane);
  return height > thickness ? 1 : height < -thickness ? -1 : 0;
}

/** 1 in front, -1 behind, 0 on the plane, 2 on both sides. @internal */
export function sideOfPolygon(
  points: readonly ReadonlyVec3[],
  plane: ReadonlyPlane,
  thickness: number,
): -1 | 0 | 1 | 2 {
  let front = false;
  let back = false;
  for (let i = 0; i < points.length; i++) {
    const side = sideOf(points[i]!, plane, thickness);
    if (side > 0) front = true;
    else if (side < 0) back = true;
  }
  return front ? (back ? 2 : 1) : back ? -1 : 0;
}

/** The parts of a convex polygon; of one that is cut, those of fewer than three corners are left out. @internal */
export function splitPolygon(
  points: readonly ReadonlyVec3[],
  plane: ReadonlyPlane,
  thickness: number,
): PolygonParts {
  const side = sideOfPolygon(points, plane, thickness);
  if (side === -1) return { front: [], back: points.map(copyOf) };
  if (side !== 2) return { front: points.map(copyOf), back: [] };
  const front: Vec3[] = [];
  const back: Vec3[] = [];
  distribute(points, plane, thickness, front, back);
  if (front.length < 3) front.length = 0;
  if (back.length < 3) back.length = 0;
  return { front, back };
}

/**
 * The nine cases of an edge from a to b, by the sides of its ends. b goes to the front unless it is behind, and to the back
 * if it is behind; what else the back gets are the corners on the plane next to one behind. With all corners on the plane in both
 * parts, those would overlap.
 *
 *   b \\ a    front           on          behind
 *   front    b → F           b → F       cut → F, B; b → F
 *   on       b → F           b → F       b → F, B
 *   behind   cut → F, B;     a → B;      b → B
 *            b → B           b → B
 */
function distribute(
  points: readonly ReadonlyVec3[],
  plane: ReadonlyPlane,
  thickness: number,
  front: Vec3[],
  back: Vec3[],
): void {
  if (points.length === 0) return;
  let a = points[points.length - 1]!;
  let heightA = heightOf(a, plane);
  for (let i = 0; i < points.length; i++) {
    const b = points[i]!;
    const heightB = heightOf(b, plane);
    if (heightB > thickness) {
      if (heightA < -thickness) cut(b, heightB, a, heightA, front, back);
      front.push(copyOf(b));
    } else if (heightB < -thickness) {
      if (heightA > thickness) cut(a, heightA, b, heightB, front, back);
      else if (heightA >= -thickness) back.push(copyOf(a));
      back.push(copyOf(b));
    } else {
      front.push(copyOf(b));
      if (heightA < -thickness) back.push(copyOf(b));
    }
    a = b;
    heightA = heightB;
  }
}

const copyOf = ({ x, y, z }: ReadonlyVec3): Vec3 => vec3(x, y, z);

/** Puts the point where the edge from f, in front, to b, behind, meets the plane into both parts. */
function cut(
  f: ReadonlyVec3,
  heightF: number,
  b: ReadonlyVec3,
  heightB: number,
  front: Vec3[],
  back: Vec3[],
): void {
  const t = heightF / (heightF - heightB);
  const point = vec3(f.x + t * (b.x - f.x), f.y + t * (b.y - f.y), f.z + t * (b.z - f.z));
  front.push(point);
  back.push(copyOf(point));
}

const WORDS: Readonly<Record<-1 | 0 | 1 | 2, ExtentSide>> = {
  '-1': 'back',
  0: 'on',
  1: 'front',
  2: 'straddle',
};

function checkPlane(caller: string, plane: ReadonlyThickPlane): void {
  checkFlatPlane(caller, 'plane', plane);
  mustBeLength(caller, 'plane.radius', plane.radius);
}

function checkPolygon(caller: string, vertices: readonly ReadonlyVec3[]): void {
  checkPoints(caller, 'vertices', vertices);
  if (vertices.length === 0) refuse(caller, 'vertices', 'must not be empty');
}
