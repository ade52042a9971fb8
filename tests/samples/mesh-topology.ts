import { vec3 } from '../../src/math/types.ts';
import * as mesh from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const positions = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2];
const index = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
const faces = [
  [0, 2, 1],
  [0, 1, 3],
  [1, 2, 3],
  [2, 0, 3],
];
const vertices = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0), vec3(0, 0, 2)];
const polygon = [vec3(0, 0, 1), vec3(2, 0, 1), vec3(2, 2, 1), vec3(1, 3, 1), vec3(0, 2, 1)];
const polygons = { vertices, faces, tags: [1, 1, 2, 2] };

export const samples: Sample[] = [
  { fn: mesh.weld, args: { positions, tolerance: 0.1 } },
  { fn: mesh.weldTriangles, args: { triangles: { positions, index }, tolerance: 0.1 } },

  { fn: mesh.halfEdges, args: { faces, vertexCount: 4 } },
  { fn: mesh.vertexFaces, args: { faces: index, vertexCount: 4 } },
  { fn: mesh.edgeFaces, args: { faces, vertexCount: 4 } },
  { fn: mesh.wingedEdges, args: { faces, vertexCount: 4 } },
  { fn: mesh.wingedTriangles, args: { index, vertexCount: 4 } },
  { fn: mesh.connectedComponents, args: { faces: index, vertexCount: 4 } },
  { fn: mesh.meshTopology, args: { faces, vertexCount: 4 } },
  {
    fn: mesh.isEulerConsistent,
    args: { counts: { vertices: 9, triangles: 2, quads: 6, edges: 15, genus: 0 } },
  },

  { fn: mesh.newellNormal, args: { polygon }, out: vec3() },
  { fn: mesh.newellPlane, args: { polygon }, out: { normal: vec3(), d: 0 } },
  { fn: mesh.isPlanarPolygon, args: { polygon, thickness: 0.1 } },
  { fn: mesh.areCoplanarPolygons, args: { a: polygon, b: vertices, thickness: 0.1 } },
  { fn: mesh.coplanarPairs, args: { polygons: [polygon, vertices], thickness: 0.1, normalTolerance: 0.1 } },
  { fn: mesh.mergeCoplanarFaces, args: { mesh: polygons, thickness: 0.1 } },

  { fn: mesh.orientMesh, args: { mesh: { positions, index } } },
  { fn: mesh.triangulateMesh, args: { mesh: polygons, tolerance: 0.1 } },
  { fn: mesh.repair, args: { mesh: polygons, options: { tolerance: 0.1, mergeThickness: 0.01 } } },
];
