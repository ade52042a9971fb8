/** Brushes: convex solids given by their planes, as the editors of levels do. */
import { checkPlane, mustBeList, refuse } from '../math/check.ts';
import { BEYOND_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { intersectPlanePlane } from '../primitives/overlap/plane-plane.ts';
import { makeRay } from '../primitives/types.ts';

/** The points behind all of the planes, n · x <= d. Normals point out and may have any length but 0. */
export type Brush = readonly ReadonlyPlane[];

/** 2⁻³⁰ of the coordinates: corners that are nearer to each other are one, and those as near to a plane are on it. */
const SAME_CORNER = 9.313225746154785e-10;

/**
 * The corners and faces of a brush; null if it has no volume. Planes that cut off nothing are left out. Refuses a brush that
 * is not bounded. O(n³). RTCD §8.2.3.
 */
export function brushPolyhedron(brush: Brush): Polyhedron | null {
  const planes = readBrush('brushPolyhedron', 'brush', brush);
  return solidOf('brushPolyhedron', 'brush', planes);
}

/** The planes with unit normals. @internal */
export function readBrush(caller: string, name: string, brush: Brush): ReadonlyPlane[] {
  mustBeList(caller, name, brush);
  return brush.map((plane, i) => {
    checkPlane(caller, `${name}[${i}]`, plane);
    const length = v3.length(plane.normal);
    if (!(length > 0)) refuse(caller, `${name}[${i}].normal`, 'must not be zero');
    return { normal: v3.normalize(plane.normal), d: plane.d / length };
  });
}

/** @internal */
export function solidOf(caller: string, name: string, planes: readonly ReadonlyPlane[]): Polyhedron | null {
  const corners = cornersOf(caller, name, planes);
  if (corners.length < 4) return null;
  const hull = convexHull3(corners);
  if (hull.dimension < 3) return null;
  return polyhedronFromHull(corners, hull);
}

/** Where the lines of two planes enter and leave the brush: each corner once. */
function cornersOf(caller: string, name: string, planes: readonly ReadonlyPlane[]): Vec3[] {
  const size = planes.reduce((most, { d }) => Math.max(most, Math.abs(d)), 0);
  const line = makeRay();
  const corners: Vec3[] = [];
  let isBounded = planes.length >= 4;
  for (let i = 0; i < planes.length; i++)
    for (let j = i + 1; j < planes.length; j++) {
      if (!intersectPlanePlane(planes[i]!, planes[j]!, line)) continue;
      v3.normalize(line.direction, line.direction);
      let enter = -Infinity;
      let leave = Infinity;
      let isOutside = false;
      for (let k = 0; k < planes.length; k++) {
        if (k === i || k === j) continue;
        const { normal, d } = planes[k]!;
        const slope = v3.dot(normal, line.direction);
        const height = v3.dot(normal, line.origin) - d;
        const slack = BEYOND_ROUNDING * (Math.abs(d) + size);
        if (Math.abs(slope) <= BEYOND_ROUNDING) isOutside ||= height > slack;
        else if (slope > 0) leave = Math.min(leave, -height / slope);
        else enter = Math.max(enter, -height / slope);
      }
      const slack = SAME_CORNER * (size + Math.abs(enter) + Math.abs(leave));
      if (isOutside || (enter > -Infinity && leave < Infinity && !(enter <= leave + slack))) continue;
      if (!(enter > -Infinity && leave < Infinity)) {
        isBounded = false;
        break;
      }
      for (const t of [enter, leave]) addCorner(v3.addScaled(line.origin, line.direction, t), size, corners);
    }
  if (!isBounded || (corners.length === 0 && !hasOpposites(planes)))
    refuse(caller, name, 'must be bounded on all sides by its planes');
  return corners.filter((p) => planes.every((plane) => isBehind(p, plane, size)));
}

const isBehind = (p: ReadonlyVec3, { normal, d }: ReadonlyPlane, size: number): boolean =>
  v3.dot(normal, p) - d <= 4 * SAME_CORNER * (size + v3.length(p));

/** Without any corners the planes contradict each other, and the brush is empty; or else it is infinite. */
function hasOpposites(planes: readonly ReadonlyPlane[]): boolean {
  return planes.some((p, i) =>
    planes.some((q, j) => j > i && v3.dot(p.normal, q.normal) < 0 && p.d + q.d < 0),
  );
}

function addCorner(p: Vec3, size: number, corners: Vec3[]): void {
  const near = SAME_CORNER * (size + v3.length(p));
  if (!corners.some((q) => v3.distance(p, q) <= near)) corners.push(p);
}
