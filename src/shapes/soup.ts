/** Polygons in no order, which share nothing. */
import { checkPoints, mustBeList, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { triangulatePolygon } from '../mesh/triangulate.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { mesh } from './mesh.ts';

/**
 * A mesh of polygons that need not be convex, connected or in any order; without the index that `mesh` takes. Each becomes
 * triangles, and all of one polygon follow each other; a polygon of three corners is one triangle, so that of triangles alone the
 * numbers stay. Polygons without area are left out. Where the polygons happen to close, it is a solid.
 */
export function soup(polygons: readonly (readonly ReadonlyVec3[])[]): Mesh {
  mustBeList('soup', 'polygons', polygons);
  const positions: number[] = [];
  polygons.forEach((polygon, i) => {
    const name = `polygons[${i}]`;
    mustBeList('soup', name, polygon);
    checkPoints('soup', name, polygon);
    if (polygon.length < 3) refuse('soup', name, `must have three corners or more, got ${polygon.length}`);
    const corners = polygon.length === 3 ? [0, 1, 2] : triangulatePolygon(polygon).triangles;
    for (const corner of corners) {
      const { x, y, z } = polygon[corner]!;
      positions.push(x, y, z);
    }
  });
  if (positions.length === 0) refuse('soup', 'polygons', 'must have one with an area');
  return mesh(positions);
}
