import { mat3, vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import { icosphere } from '../kit/meshes.ts';
import * as shapes from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const { positions, index } = icosphere(2);
const mesh = shapes.mesh(positions, index);
const open = shapes.mesh(positions, index.slice(60));
const trusted = ['mesh'];

const ball = { args: { sphere: { center: vec3(0.1, 0.9, 0.2), radius: 0.25 }, mesh }, trusted };
const box = { args: { box: { min: vec3(0.7, 0.1, 0.2), max: vec3(1.2, 0.4, 0.5) }, mesh }, trusted };
const obb = { center: vec3(0.13, 0.87, 0.21), halfSize: vec3(0.1, 0.2, 0.3), rotation: mat3() };
const turned = { args: { box: obb, mesh }, trusted };
const capsule = {
  args: { capsule: { a: vec3(0.5, 0.6, 0.7), b: vec3(0.9, 1, 0.8), radius: 0.25 }, mesh },
  trusted,
};
const triangle = {
  args: { a: vec3(0.5, 0.6, 0.2), b: vec3(0.9, 1, 0.8), c: vec3(0.3, 0.2, 1.4), mesh },
  trusted,
};
const solid = {
  args: { polyhedron: boxPolyhedron(vec3(0.7, 0.1, 0.2), vec3(1.2, 0.4, 0.5)), mesh },
  trusted,
};
const p = vec3(0.3, 0.4, 0.5);

export const samples: Sample[] = [
  { fn: shapes.overlapSphereMesh, ...ball },
  { fn: shapes.trianglesSphereMesh, ...ball, out: [] },
  { fn: shapes.overlapAabbMesh, ...box },
  { fn: shapes.trianglesAabbMesh, ...box, out: [] },
  { fn: shapes.overlapObbMesh, ...turned },
  {
    fn: shapes.trianglesObbMesh,
    ...turned,
    out: [],
    allocates: 'the test of a triangle and a box boxes numbers',
  },
  { fn: shapes.overlapCapsuleMesh, ...capsule },
  { fn: shapes.trianglesCapsuleMesh, ...capsule, out: [], allocates: 'a number or two are boxed' },
  { fn: shapes.overlapTriangleMesh, ...triangle },
  { fn: shapes.trianglesTriangleMesh, ...triangle, out: [] },
  { fn: shapes.overlapPolyhedronMesh, ...solid },
  { fn: shapes.trianglesPolyhedronMesh, ...solid, out: [] },
  { fn: shapes.containsPointMesh, args: { p, mesh }, trusted },
  { fn: shapes.windingNumberMesh, args: { p, mesh: open, tolerance: 0.01 }, trusted },
  {
    fn: shapes.signedDistanceMesh,
    args: { p, mesh },
    trusted,
    out: shapes.makeMeshPoint(),
    allocates: 'the number that it returns',
  },
];
