/** Sample calls of GJK. */
import { gjkDistance, gjkOverlap, makeGjkResult } from '../../src/convex/gjk.ts';
import { makeGjkState } from '../../src/convex/gjk-state.ts';
import { boxCore, frameOf, polytopeCore } from '../kit/convex.ts';
import type { Sample } from '../kit/sample.ts';

const a = boxCore(0.5, 0.6, 0.7, 0.1);
const b = polytopeCore([
  { x: 0.1, y: 0.2, z: 0.3 },
  { x: 1.1, y: -0.2, z: 0.7 },
  { x: -0.4, y: 0.9, z: -1.3 },
  { x: 0.8, y: 1.7, z: 0.2 },
  { x: -0.9, y: -0.6, z: 0.5 },
]);
const frame = frameOf({ x: 0.1, y: 0.7, z: -0.1, w: 0.7 }, { x: 2.5, y: -1.5, z: 1.25 });
const state = makeGjkState();
const trusted = ['a', 'b', 'state'];

export const samples: Sample[] = [
  { fn: gjkDistance, args: { a, b, frame, state }, out: makeGjkResult(), trusted },
  { fn: gjkOverlap, args: { a, b, frame, state }, trusted },
];
