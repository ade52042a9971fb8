import { vec3 } from '../../src/math/types.ts';
import * as shapes from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
const index = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
const mesh = shapes.mesh(positions, index);
const ray = { origin: vec3(0.2, 0.3, 5), direction: vec3(0.01, 0.02, -1) };
const [p, q] = [vec3(0.2, 0.3, 5), vec3(0.2, 0.25, -5)];
const trusted = ['mesh'];
const along = { args: { ray, mesh, tMax: 9 }, trusted, mayBeInfinite: ['tMax'] };
const between = { args: { p, q, mesh }, trusted };
const growing = 'a list that grows, and a function to sort it by';

export const samples: Sample[] = [
  { fn: shapes.mesh, args: { positions: [...positions], index: [...index] } },
  { fn: shapes.buildMesh, args: { positions: [...positions], index: [...index] } },
  {
    fn: shapes.refitMesh,
    args: { mesh, positions: [...positions], index: [...index] },
    trusted,
  },
  {
    fn: shapes.prepareMesh,
    args: { mesh, purposes: ['inside', 'meshes'] },
    trusted,
    allocates: 'what it keeps, once',
  },
  { fn: shapes.saveMesh, args: { mesh }, unchecked: 'gives back what is there' },
  { fn: shapes.loadMesh, args: { buffer: mesh.buffer } },
  { fn: shapes.loadBareMesh, args: { buffer: mesh.buffer } },
  { fn: shapes.rayMesh, ...along, out: shapes.makeMeshHit() },
  { fn: shapes.rayMeshFront, ...along, out: shapes.makeMeshHit() },
  { fn: shapes.rayMeshAny, ...along },
  { fn: shapes.rayMeshAll, ...along, out: [], allocates: growing },
  {
    fn: shapes.segmentMesh,
    ...between,
    out: shapes.makeMeshHit(),
    allocates: 'one number is boxed: 16 bytes',
  },
  { fn: shapes.segmentMeshAny, ...between },
  { fn: shapes.segmentMeshAll, ...between, out: [], allocates: growing },
  {
    fn: shapes.closestPointMesh,
    args: { p, mesh, maxDistance: 9 },
    trusted,
    mayBeInfinite: ['maxDistance'],
    out: shapes.makeMeshPoint(),
  },
  {
    fn: shapes.sweepSphereMesh,
    args: { sphere: { center: p, radius: 0.5 }, motion: vec3(0.1, -0.1, -8), mesh },
    trusted,
    out: shapes.makeMeshTouch(),
  },
  {
    fn: (origins: number[], directions: number[], out: shapes.MeshHits) =>
      shapes.batchMesh('rayMesh', { origins, directions }, mesh, out),
    args: { origins: [0.2, 0.3, 5], directions: [0, 0, -1] },
    out: shapes.batchMesh('rayMesh', { origins: [0, 0, 0], directions: [0, 0, 0] }, mesh),
    allocates: 'a few lists of lists for each batch, however large',
  },
  {
    fn: shapes.batchMesh,
    args: { name: 'containsPointMesh', input: { points: [0, 0, 0] }, mesh },
    trusted: ['mesh', 'input'],
  },
];
