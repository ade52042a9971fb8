import { vec3 } from '../../src/math/index.ts';
import { makeSphere } from '../../src/primitives/types.ts';
import * as rtcd from '../../src/rtcd/index.ts';
import { skinned } from '../../src/shapes/index.ts';
import { castSkinned, makeSkinnedHit, selfPairs } from '../../src/skinned/index.ts';
import type { Sample } from '../kit/index.ts';
import { IDENTITY, twoJoints } from '../kit/skins.ts';
import { boxSolid } from '../kit/solids.ts';

const { positions, index } = boxSolid();
const box = { positions: [...positions], index: [...index] };
const tree = rtcd.quinlanSphereTree(box);
const skin = new rtcd.SkinnedSpheres(twoJoints(positions, index));
const surroundings = new rtcd.SphereSurroundings(box, { longest: 0.5 });

const folded = skinned({
  positions,
  index,
  joints: Array.from({ length: positions.length / 3 }, () => 0),
  weights: Array.from({ length: positions.length / 3 }, () => 1),
  jointsPerVertex: 1,
  inverseBindMatrices: IDENTITY,
  parents: [-1],
});

const raised = folded.instance();
raised.pose([...IDENTITY.slice(0, 13), 3, ...IDENTITY.slice(14)]);

export const samples: Sample[] = [
  {
    fn: castSkinned,
    args: { mover: { from: folded, to: raised }, target: folded, options: { separation: 0.1 } },
    trusted: ['mover', 'target'],
    out: makeSkinnedHit(),
    allocates: 'what is gathered of the surfaces',
  },
  {
    fn: selfPairs,
    args: { shape: folded },
    trusted: ['shape'],
    out: [],
    allocates: 'a view of the keys that are sorted',
  },
  { fn: rtcd.quinlanSphereTree, args: { triangles: box, ratio: 0.9 } },
  { fn: rtcd.reduceSphereTree, args: { tree, ratio: 0.9 }, trusted: ['tree'] },
  { fn: rtcd.levelsOfSphereTree, args: { tree }, trusted: ['tree'] },
  { fn: rtcd.sizeOfSphereTree, args: { tree }, trusted: ['tree'] },
  { fn: rtcd.dividedSphereTree, args: { triangles: box, options: { longest: 0.5, ratio: 0.9 } } },
  {
    fn: rtcd.triangleSphereTree,
    args: { corners: [0, 0, 0, 1, 0, 0, 0, 1, 0], division: 'corner', levels: 3 },
  },
  { fn: rtcd.representativeTriangles, args: { triangles: box } },
  {
    fn: rtcd.sphereOfArc,
    args: {
      sphere: { center: vec3(1, 2, 3), radius: 0.5 },
      rotation: { axis: vec3(0, 0, 1), pivot: vec3(), angle: 2, least: 0.2, most: 0.7 },
    },
    out: makeSphere(),
    allocates: 'vectors on the way',
  },
  {
    fn: rtcd.collideSpheres,
    args: { skin, surroundings, options: { exact: true } },
    trusted: ['skin', 'surroundings'],
  },
];
