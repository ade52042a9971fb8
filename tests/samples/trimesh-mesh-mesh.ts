import { vec3 } from '../../src/math/types.ts';
import { boxMesh, icosphere, moved, type TriangleArrays } from '../kit/meshes.ts';
import * as shapes from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

/** The mesh of arrays. */
const made = ({ positions, index }: TriangleArrays): shapes.Mesh => shapes.mesh(positions, index);

const a = made(icosphere(1));
const b = made(moved(boxMesh(), 0.3));
const quaternion = { x: 0.1, y: 0.2, z: 0.3, w: 0.9 };
const touching = { position: vec3(0.9, 0.2, 0.3), quaternion };
const apart = { position: vec3(2.9, 0.2, 0.3), quaternion };

const trusted = ['a', 'b'];

export const samples: Sample[] = [
  { fn: shapes.overlapMeshMesh, args: { a, b, pose: touching }, trusted },
  {
    fn: shapes.pairsMeshMesh,
    args: { a, b, pose: touching },
    trusted,
    out: [],
    allocates: 'a list that grows, and a view to sort in',
  },
  { fn: shapes.curvesMeshMesh, args: { a, b, pose: touching }, trusted },
  {
    fn: shapes.distanceMeshMesh,
    args: { a, b, pose: apart, maxDistance: 5 },
    trusted,
    mayBeInfinite: ['maxDistance'],
  },
  {
    fn: shapes.closestPointsMeshMesh,
    args: { a, b, pose: apart, maxDistance: 5 },
    trusted,
    mayBeInfinite: ['maxDistance'],
    out: shapes.makeMeshPointPair(),
  },
];
