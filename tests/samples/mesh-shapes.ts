import { vec3 } from '../../src/math/index.ts';
import type { Sample } from '../kit/index.ts';
import * as mesh from '../kit/public-names.ts';
import { boxSolid } from '../kit/solids.ts';

const { positions, index } = boxSolid();
const box = { positions: [...positions], index: [...index] };
const square = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(4, 4, 0), vec3(0, 4, 0)];
const hole = [vec3(1, 1, 0), vec3(2, 1, 0), vec3(2, 2, 0)];
const solid = {
  kind: 'intersection',
  parts: [
    { kind: 'box', min: vec3(-1, -1, -1), max: vec3(1, 1, 1) },
    { kind: 'complement', part: { kind: 'ball', center: vec3(), radius: 0.5 } },
    { kind: 'halfspace', plane: { normal: vec3(0, 0, 1), d: 0.5 } },
  ],
};

export const samples: Sample[] = [
  { fn: mesh.triangulatePolygon, args: { points: square, holes: [hole] } },
  { fn: mesh.convexPartition, args: { points: square, holes: [hole] } },
  { fn: mesh.massProperties, args: { surface: box, density: 2 } },
  { fn: mesh.selfIntersections, args: { triangles: box, limit: 10 }, mayBeInfinite: ['limit'] },
  { fn: mesh.inspect, args: { triangles: box } },
  { fn: mesh.decompose, args: { solid: box } },
  { fn: mesh.approximateDecomposition, args: { mesh: box, options: { tolerance: 0.3 } } },
  { fn: mesh.isPartlyInside, args: { solid, points: square } },
  { fn: mesh.isPartlyOutside, args: { solid, points: square } },
];
