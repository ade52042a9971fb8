import { makeInterval } from '../../src/math/interval.ts';
import { plane, vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/index.ts';
import * as convex from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const exact = 'it computes with big integers';
const triangle = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0)];
const segment = [vec3(0.5, 0.5, 1), vec3(0.5, 0.5, 3)];
const inequalities = [
  { a: [1, 2, 0], b: 4 },
  { a: [-1, 0, 1], b: 0 },
  { a: [0, -1, 0], b: 1 },
  { a: [0, 0, -1], b: 3 },
];
const box = boxPolyhedron(vec3(-1, -2, -3), vec3(1, 2, 3));
const points = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0), vec3(0, 0, 2), vec3(2, 2, 2)];
const hulls = convex.nestedHulls(points);
const p = vec3(3, -1, 0.5);

export const samples: Sample[] = [
  {
    fn: convex.hullDistance,
    args: { a: triangle, b: segment },
    out: convex.makeHullDistance(),
    allocates: exact,
  },
  {
    fn: convex.linearProgram,
    args: { inequalities, objective: [1, 0, 0], options: { seed: 7 } },
    out: convex.makeLinearOptimum(),
    allocates: exact,
  },
  {
    fn: convex.inequalityRange,
    args: { inequalities, unknown: 1, options: { limit: 100 } },
    out: makeInterval(),
    allocates: exact,
  },
  { fn: convex.feasiblePoint, args: { inequalities, options: { limit: 100 } } },
  {
    fn: convex.commonPointHalfspaces,
    args: { a: box.planes, b: [{ normal: vec3(1, 1, 0), d: 0.5 }] },
    out: vec3(),
    allocates: exact,
  },
  { fn: convex.separatingPlanePoints, args: { a: triangle, b: segment }, out: plane(), allocates: exact },

  { fn: convex.nestedHulls, args: { points } },
  { fn: convex.supportIndexNestedHulls, args: { hulls, direction: vec3(1, 2, 3) }, trusted: ['hulls'] },
  { fn: convex.containsNestedHullsPoint, args: { hulls, p }, trusted: ['hulls'] },
  { fn: convex.closestPointNestedHulls, args: { p, hulls }, out: vec3(), trusted: ['hulls'] },
  { fn: convex.directionTree, args: { points } },
  {
    fn: convex.supportIndexDirectionTree,
    args: { tree: convex.directionTree(points), direction: vec3(1, 2, 3) },
    trusted: ['tree'],
  },
  {
    fn: convex.overlapNestedHulls,
    args: { a: hulls, b: convex.nestedHulls(segment) },
    trusted: ['a', 'b'],
  },
];
