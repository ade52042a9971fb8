/** Sample calls for triangles whose vertices move. */
import {
  castEdgeEdge,
  castEdgeEdgeMany,
  castVertexFace,
  castVertexFaceMany,
} from '../../src/continuous/deforming/cast-primitives.ts';
import { makeDeformingHit } from '../../src/continuous/deforming/pair-cast.ts';
import type { Sample } from '../kit/sample.ts';

const start = [0.51, 0.32, 1.13, 0.12, 0.04, 0.05, 2.03, 0.07, 0.11, 0.13, 2.21, 0.17];
const end = [0.57, 0.35, -0.93, 0.15, 0.02, 0.08, 2.01, 0.09, 0.14, 0.11, 2.23, 0.12];
const edges = [0.51, -1.32, 1.13, 0.42, 1.04, 1.05, -2.03, 0.07, 0.11, 2.13, 0.21, 0.17];
const edgesEnd = [0.57, -1.35, -0.93, 0.45, 1.02, -1.08, -2.01, 0.09, 0.14, 2.11, 0.23, 0.12];
const both = (numbers: readonly number[]) => Float64Array.from([...numbers, ...numbers]);
const options = { separation: 0.25 };

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
];
