/** Sample calls of polyhedral models and the point trace. */
import { polyhedralModel } from '../../src/continuous/model/polyhedral-model.ts';
import { makeTraceHit, traceModel } from '../../src/continuous/trace.ts';
import { vec3 } from '../../src/math/types.ts';
import type { Sample } from '../kit/sample.ts';

const source = {
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  index: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
};
const polygons = {
  vertices: [vec3(0, 0, 0), vec3(1.5, 0, 0), vec3(1.5, 1.5, 0), vec3(0, 1.5, 0)],
  polygons: [[0, 1, 2, 3]],
};
const target = polyhedralModel(source);
const at = { position: vec3(0.5, 0.25, 0.75), quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } };

export const samples: Sample[] = [
  { fn: polyhedralModel, args: { source } },
  { fn: polyhedralModel, args: { source: polygons } },
  {
    fn: traceModel,
    args: {
      target,
      at,
      origin: vec3(2.5, 0.5, 4.5),
      translation: vec3(-2.25, -0.25, -5.5),
      options: { thickness: 0.25, maxT: 0.75 },
    },
    trusted: ['target'],
    mayBeInfinite: ['options'],
    out: makeTraceHit(),
  },
];
