/** Sample calls for triangles whose vertices move. */
import {
  castDeforming,
  castDeformingAll,
  makeDeformingContact,
} from '../../src/continuous/deforming/cast-deforming.ts';
import {
  castEdgeEdge,
  castEdgeEdgeMany,
  castVertexFace,
  castVertexFaceMany,
} from '../../src/continuous/deforming/cast-primitives.ts';
import { deformingMesh } from '../../src/continuous/deforming/deforming-mesh.ts';
import { deformingTarget } from '../../src/continuous/deforming/deforming-target.ts';
import { makeDeformingHit } from '../../src/continuous/deforming/pair-cast.ts';
import { vec3 } from '../../src/math/types.ts';
import { box } from '../../src/shapes/flat-sided-shapes.ts';
import { halfSpace } from '../../src/shapes/half-space.ts';
import { cylinder } from '../../src/shapes/round-shapes.ts';
import type { Sample } from '../kit/sample.ts';

const start = [0.51, 0.32, 1.13, 0.12, 0.04, 0.05, 2.03, 0.07, 0.11, 0.13, 2.21, 0.17];
const end = [0.57, 0.35, -0.93, 0.15, 0.02, 0.08, 2.01, 0.09, 0.14, 0.11, 2.23, 0.12];
const edges = [0.51, -1.32, 1.13, 0.42, 1.04, 1.05, -2.03, 0.07, 0.11, 2.13, 0.21, 0.17];
const edgesEnd = [0.57, -1.35, -0.93, 0.45, 1.02, -1.08, -2.01, 0.09, 0.14, 2.11, 0.23, 0.12];
const both = (numbers: readonly number[]) => Float64Array.from([...numbers, ...numbers]);
const options = { separation: 0.25 };

const indices = [0, 1, 2, 1, 3, 2];
const kept = deformingMesh([0, 1, 2, 1, 3, 2], 4);
const against = { positions0: edges, positions1: edgesEnd, indices, radius: 0.125 };

export const samples: Sample[] = [
  { fn: castVertexFace, args: { start, end, options: {} }, out: makeDeformingHit() },
  { fn: castVertexFace, args: { start, end, options }, out: makeDeformingHit(), allocates: 'a boxed number' },
  { fn: castEdgeEdge, args: { start: edges, end: edgesEnd, options: {} }, out: makeDeformingHit() },
  {
    fn: castEdgeEdge,
    args: { start: edges, end: edgesEnd, options },
    out: makeDeformingHit(),
    allocates: 'a boxed number',
  },
  {
    fn: castVertexFaceMany,
    args: { starts: both(start), ends: both(end), options: {} },
    out: { t: new Float64Array(2) },
  },
  {
    fn: castEdgeEdgeMany,
    args: { starts: both(edges), ends: both(edgesEnd), options },
    out: { t: new Float64Array(2) },
    allocates: 'a boxed number',
  },
  { fn: deformingMesh, args: { indices, vertexCount: 4 } },
  {
    fn: deformingTarget,
    args: {
      shape: box(0.5, 0.25, 0.75),
      pose: { position: vec3(0.5, 0.25, 2.75), quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } },
    },
    trusted: ['shape'],
  },
  {
    fn: castDeforming,
    args: {
      positions0: start,
      positions1: end,
      indices: kept,
      options: { against: deformingTarget(halfSpace(vec3(0, 0, 1), 0.05)) },
    },
    out: makeDeformingContact(),
    trusted: ['indices'],
    allocates: 'the list of parts',
  },
  {
    fn: castDeforming,
    args: {
      positions0: start,
      positions1: end,
      indices: kept,
      options: { against: deformingTarget(cylinder(0.25, 0.25)) },
    },
    out: makeDeformingContact(),
    trusted: ['indices'],
    allocates: 'the list of triangles that are near',
  },
  {
    fn: castDeforming,
    args: { positions0: start, positions1: end, indices, options: { against, separation: 0.25, self: true } },
  },
  {
    fn: castDeforming,
    args: { positions0: start, positions1: end, indices: kept, options: {} },
    out: makeDeformingContact(),
    trusted: ['indices'],
  },
  {
    fn: castDeformingAll,
    args: { positions0: start, positions1: end, indices, options: { against, separation: 0.25, self: true } },
  },
];
