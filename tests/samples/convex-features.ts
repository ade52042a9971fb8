import { makeFrame } from '../../src/convex/frame.ts';
import { vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/index.ts';
import { voronoiRegions } from '../../src/rtcd/index.ts';
import { boxCore, frameOf, polytopeCore } from '../kit/convex.ts';
import * as convex from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const cube = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
const plate = boxPolyhedron(vec3(-2, 1.5, -2), vec3(2, 2, 2));
const frame = { ...makeFrame(), tx: 0.25, ty: -2.5, tz: 0.125 };
const below = { ...makeFrame(), tx: 0.25, ty: -1.9, tz: 0.125 };
const core = boxCore(1, 1, 1);
const rounded = polytopeCore(cube.vertices, 0.1);
const tilted = frameOf({ x: 0.01, y: 0.2, z: -0.005, w: 1 }, vec3(0.25, -2.1, 0.125));

export const samples: Sample[] = [
  { fn: convex.overlapPolyhedronBoundaries, args: { a: cube, b: plate } },
  {
    fn: convex.closestFeatures,
    args: { a: voronoiRegions(cube), b: voronoiRegions(cube), frame, state: convex.makeFeaturePair() },
    trusted: ['a', 'b', 'state'],
    out: convex.makeFeatureDistance(),
  },
  {
    fn: convex.overlapBySeparatingVector,
    args: { a: core, b: core, frame, state: convex.makeSeparatingVector() },
    trusted: ['a', 'b', 'state'],
  },
  {
    fn: convex.convexManifold,
    args: {
      a: { core, faces: null },
      b: { core, faces: null },
      frame: below,
      touch: { normal: vec3(0, 1, 0), pointA: vec3(0, -1, 0), pointB: vec3(0, -0.9, 0) },
    },
    trusted: ['a', 'b'],
    out: convex.makeManifold(),
  },
  {
    fn: convex.convexManifold,
    args: {
      a: { core: rounded, faces: cube },
      b: { core: rounded, faces: cube },
      frame: tilted,
      touch: { normal: vec3(0, 1, 0), pointA: vec3(0, -1.1, 0), pointB: vec3(0, -1, 0) },
    },
    trusted: ['a', 'b'],
    out: convex.makeManifold(),
  },
];
