/** Which polygons lie in one plane? RTCD §12.4, §12.4.1. */
import { describe, mustBeList, mustBeNumber, mustNotBeNegative, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { areaVector, extentAlong, mustBePolygon, thinnestDirection } from './newell.ts';
import { PointGrid } from './point-grid.ts';

type Polygon = readonly ReadonlyVec3[];

/**
 * Do two polygons lie, with all their vertices, between two parallel planes no farther apart than `thickness`? Whether
 * they face the same way does not matter. This is a length and not an angle: of two polygons at a small angle, one is
 * soon too thick when they grow. RTCD §12.4.1.
 *
 * Two directions are tried for the planes: the mean normal, weighted by area, and that of the least squares fit.
 */
export function areCoplanarPolygons(a: Polygon, b: Polygon, thickness: number): boolean {
  mustBePolygon('areCoplanarPolygons', 'a', a);
  mustBePolygon('areCoplanarPolygons', 'b', b);
  mustNotBeNegative('areCoplanarPolygons', 'thickness', thickness);
  return areCoplanar(a, b, thickness);
}

/** @internal Without the checks. */
function areCoplanar(a: Polygon, b: Polygon, thickness: number): boolean {
  const joint = [...a, ...b];
  areaVector(a, normalA);
  areaVector(b, normalB);
  const mean = v3.addScaled(normalA, normalB, v3.dot(normalA, normalB) < 0 ? -1 : 1, normalA);
  return (
    (v3.lengthSq(mean) > 0 && extentAlong(joint, v3.normalize(mean, mean)) <= thickness) ||
    extentAlong(joint, thinnestDirection(joint, mean)) <= thickness
  );
}
const normalA = vec3();
const normalB = vec3();

/**
 * All pairs i < j of polygons that face nearly the same way (their unit normals differ by a vector no longer than
 * `normalTolerance`) and are coplanar as `areCoplanarPolygons` has it. They need not touch and share no vertices: for a
 * soup. Polygons without area are in no pair. In order of i, then j.
 *
 * Normals are points on the unit sphere, which a hashed grid finds: expected O(n) plus the pairs that face alike. The
 * cells are cubes, so that no seam runs over the sphere as it would with the six sides of a cube map. RTCD §12.4.
 */
export function coplanarPairs(
  polygons: readonly Polygon[],
  thickness: number,
  normalTolerance: number,
): [number, number][] {
  mustBeList('coplanarPairs', 'polygons', polygons);
  mustBeNumber('coplanarPairs', 'normalTolerance', normalTolerance);
  polygons.forEach((polygon, i) => {
    mustBePolygon('coplanarPairs', `polygons[${i}]`, polygon);
  });
  mustNotBeNegative('coplanarPairs', 'thickness', thickness);
  if (!(normalTolerance > 0 && normalTolerance <= 2))
    refuse(
      'coplanarPairs',
      'normalTolerance',
      `must be above 0 and at most 2, got ${describe(normalTolerance)}`,
    );

  const pairs: [number, number][] = [];
  // Finer cells than rounding errors of a normal would gain nothing and could part equal planes.
  const reach = Math.max(normalTolerance, 1e-12);
  const grid = new PointGrid(2 * reach);
  const normals: ReadonlyVec3[] = [];
  const members: number[] = [];
  polygons.forEach((polygon, j) => {
    const area = areaVector(polygon, vec3());
    if (v3.lengthSq(area) === 0) return;
    const normal = v3.normalize(area, area);
    const found = grid.gather(normal.x, normal.y, normal.z, reach);
    for (let k = 0; k < found; k++) {
      const member = grid.found[k]!;
      const i = members[member]!;
      if (
        v3.distanceSq(normals[member]!, normal) <= normalTolerance * normalTolerance &&
        areCoplanar(polygons[i]!, polygon, thickness)
      )
        pairs.push([i, j]);
    }
    grid.add(normal.x, normal.y, normal.z);
    normals.push(normal);
    members.push(j);
  });
  return pairs.sort(([i, j], [k, l]) => i - k || j - l);
}
