/**
 * Planes with a thickness, so that a point computed to lie on one does. RTCD §11.3.2, §8.3.3, §8.3.4.
 *
 * An edge is cut only when its ends are on opposite sides of the slab; what lies within is `on` and stays whole.
 * So no cut is nearly parallel to the plane, and every cut point is `on` again.
 *
 * For BSP trees and clipping with rounded planes. Production classifies by exact signs (`math/orient.ts`), and cuts
 * solids in `mesh/cut-solid.ts`.
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
} from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { DeepReadonly, Plane, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';

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
  return pointSide(height(p, plane), plane.radius);
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
  const ha = height(a, plane);
  const hb = height(b, plane);
  return extentSide(Math.min(ha, hb), Math.max(ha, hb), plane.radius);
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
  return polygonSide(vertices, plane);
}

/**
 * The parts of a convex polygon in front of and behind the plane. A part has new vertices throughout, in the old
 * order; a polygon within the slab counts as in front. Neighbours that share an edge get the same cut point, to the
 * last bit, since an edge is always cut from front to back.
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
  const side = polygonSide(vertices, plane);
  out.front = side === 'back' ? [] : keptPart(vertices, plane, 'front');
  out.back =
    side === 'back' ? copyOf(vertices) : side === 'straddle' ? keptPart(vertices, plane, 'back') : [];
  return out;
}

/** The part of a convex polygon in front of the plane, as by `splitPolygonThickPlane`; empty when there is none. */
export function clipPolygonThickPlane(vertices: readonly ReadonlyVec3[], plane: ReadonlyThickPlane): Vec3[] {
  checkPoints('clipPolygonThickPlane', 'vertices', vertices, ANY_FINITE);
  mustHave('clipPolygonThickPlane', 'plane', plane, 'a thick plane', 'radius');
  checkPolygon('clipPolygonThickPlane', vertices);
  checkPlane('clipPolygonThickPlane', plane);
  return polygonSide(vertices, plane) === 'back' ? [] : keptPart(vertices, plane, 'front');
}

const copyOf = (vertices: readonly ReadonlyVec3[]): Vec3[] => vertices.map(({ x, y, z }) => vec3(x, y, z));

/** The vertices on one side, and the cuts. */
function keptPart(
  vertices: readonly ReadonlyVec3[],
  plane: ReadonlyThickPlane,
  keep: 'front' | 'back',
): Vec3[] {
  const { radius } = plane;
  const part: Vec3[] = [];
  const n = vertices.length;
  let a = vertices[n - 1]!;
  let ha = height(a, plane);
  for (let i = 0; i < n; i++) {
    const b = vertices[i]!;
    const hb = height(b, plane);
    if (ha > radius && hb < -radius) part.push(cut(a, b, ha, hb));
    else if (ha < -radius && hb > radius) part.push(cut(b, a, hb, ha));
    // Vertices on the plane belong to the front. Those next to one behind end the back part, too; all of them would
    // make the parts overlap.
    const kept =
      keep === 'front'
        ? hb >= -radius
        : hb < -radius || (hb <= radius && (ha < -radius || height(vertices[(i + 1) % n]!, plane) < -radius));
    if (kept) part.push(vec3(b.x, b.y, b.z));
    a = b;
    ha = hb;
  }
  return part;
}

/** Where the edge from `front` to `back` meets the plane, given their heights. */
function cut(front: ReadonlyVec3, back: ReadonlyVec3, high: number, low: number): Vec3 {
  const t = high / (high - low);
  return vec3(
    front.x + t * (back.x - front.x),
    front.y + t * (back.y - front.y),
    front.z + t * (back.z - front.z),
  );
}

const height = (p: ReadonlyVec3, { normal: n, d }: ReadonlyThickPlane): number =>
  n.x * p.x + n.y * p.y + n.z * p.z - d;

const pointSide = (h: number, radius: number): PlaneSide =>
  h > radius ? 'front' : h < -radius ? 'back' : 'on';

function extentSide(lowest: number, highest: number, radius: number): ExtentSide {
  if (highest > radius) return lowest < -radius ? 'straddle' : 'front';
  return lowest < -radius ? 'back' : 'on';
}

function polygonSide(vertices: readonly ReadonlyVec3[], plane: ReadonlyThickPlane): ExtentSide {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const v of vertices) {
    const h = height(v, plane);
    lowest = Math.min(lowest, h);
    highest = Math.max(highest, h);
  }
  return extentSide(lowest, highest, plane.radius);
}

function checkPlane(caller: string, plane: ReadonlyThickPlane): void {
  checkFlatPlane(caller, 'plane', plane);
  mustBeLength(caller, 'plane.radius', plane.radius);
}

function checkPolygon(caller: string, vertices: readonly ReadonlyVec3[]): void {
  checkPoints(caller, 'vertices', vertices);
  if (vertices.length === 0) refuse(caller, 'vertices', 'must not be empty');
}
