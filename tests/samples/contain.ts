import { mat3, vec2, vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import * as contain from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const plane = { normal: vec3(0.6, 0.8, 0.1), d: 2.25 };
const p = vec3(0.3, 0.2, 0.25);
const point = vec2(0.3, 0.2);
const corners = [vec2(-1, -1.1), vec2(1.2, -1), vec2(1, 1), vec2(-1.1, 1.3)];
const tetrahedron = [vec3(0, 0, 0), vec3(1, 0.1, 0), vec3(0.1, 1, 0), vec3(0, 0.1, 1)];

export const samples: Sample[] = [
  {
    fn: contain.containsSphereHalfspace,
    args: { sphere: { center: vec3(0.1, 0.2, 0.3), radius: 0.5 }, plane },
  },
  { fn: contain.containsAabbHalfspace, args: { box: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) }, plane } },
  {
    fn: contain.containsObbHalfspace,
    args: { box: { center: vec3(0.1, 0, 0), halfSize: vec3(1, 0.5, 0.25), rotation: mat3() }, plane },
  },
  {
    fn: contain.containsConeHalfspace,
    args: { cone: { tip: vec3(0, 1, 0), base: vec3(0.5, -1, 0.25), radius: 0.5 }, plane },
  },
  {
    fn: contain.containsPointTriangle,
    args: { p, a: vec3(0, 0, 0.2), b: vec3(1, 0, 0.2), c: vec3(0, 1, 0.3) },
  },
  { fn: contain.containsPointTriangle2d, args: { p: point, a: vec2(0, 0.1), b: vec2(1, 0), c: vec2(0, 1) } },
  {
    fn: contain.containsPointTriangleCcw2d,
    args: { p: point, a: vec2(0, 0.1), b: vec2(1, 0), c: vec2(0, 1) },
  },
  { fn: contain.containsPointConvexPolygon, args: { p: point, points: corners } },
  { fn: contain.containsPointPolygon, args: { p: point, points: corners } },
  { fn: contain.containsPointTile, args: { p: point, points: corners } },
  {
    fn: contain.containsPointPolyhedron,
    args: { p, polyhedron: boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1.5, 2)) },
  },
  {
    fn: contain.containsPointTriangles,
    args: { p, vertices: tetrahedron, indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] },
  },
  { fn: contain.containsPointHull, args: { p, points: tetrahedron } },
];
