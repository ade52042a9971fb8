import { castConvex, makeConvexPenetration, makeGjkState, penetration } from '../../src/convex/index.ts';
import { vec3 } from '../../src/math/types.ts';
import { makeHit } from '../../src/primitives/types.ts';
import { overlapSweptConvex } from '../../src/rtcd/index.ts';
import { cylinderCore, frameOf, polytopeCore } from '../kit/convex.ts';
import type { Sample } from '../kit/sample.ts';

const a = polytopeCore([vec3(-1, 0, 0.1), vec3(1, 0.2, 0), vec3(0.1, 1, 0.2), vec3(0, 0.3, 1.5)], 0.1);
const b = cylinderCore(1, 0.5, 0.2);
const turn = { x: 0.1, y: 0.3, z: -0.2, w: 0.9 };
const near = frameOf(turn, vec3(0.3, 0.4, 0.2));
const far = frameOf(turn, vec3(5, 0.4, 0.2));
const motion = vec3(8, 0.5, 0.25);
const trusted = ['a', 'b', 'state'];

export const samples: Sample[] = [
  { fn: castConvex, boxes: 32, args: { a, b, frame: far, motion, tolerance: 1e-9 }, out: makeHit(), trusted },
  { fn: overlapSweptConvex, args: { a, b, frame: far, motion }, trusted },
  {
    fn: penetration,
    args: { a, b, frame: near, state: makeGjkState() },
    out: makeConvexPenetration(),
    trusted,
  },
];
