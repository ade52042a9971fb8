import * as graze from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const mesh = graze.buildMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
const trusted = ['mesh'];

export const samples: Sample[] = [
  { fn: graze.addSimd, args: { mesh }, trusted },
  { fn: graze.laneOf, args: { mesh }, trusted },
  { fn: graze.removeSimd, args: { mesh }, trusted },
  { fn: graze.prepareSimd, args: {} },
];
