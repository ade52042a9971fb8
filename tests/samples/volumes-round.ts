/** Sample calls of the boxes and spheres of `src/volumes`. */
import type { ReadonlyPose } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../../src/polytope/types.ts';
import { type Aabb, makeAabb, makeSphere } from '../../src/primitives/types.ts';
import { makeAabbClimber } from '../../src/rtcd/ch04/aabb-climb.ts';
import { roundSphereF32 } from '../../src/rtcd/ch04/bounding-volumes.ts';
import * as box from '../../src/volumes/aabb.ts';
import * as forms from '../../src/volumes/aabb-forms.ts';
import * as turned from '../../src/volumes/aabb-transform.ts';
import { roundAabbF32 } from '../../src/volumes/aabb-volume.ts';
import * as spread from '../../src/volumes/point-set-spread.ts';
import * as ball from '../../src/volumes/sphere.ts';
import * as fit from '../../src/volumes/sphere-fit.ts';
import * as minimum from '../../src/volumes/sphere-minimum.ts';
import type { Sample } from '../kit/sample.ts';

const a = { min: { x: 0.1, y: 0.2, z: 0.3 }, max: { x: 1.1, y: 2.2, z: 3.3 } };
const b = { min: { x: 0.6, y: 0.7, z: 0.8 }, max: { x: 1.6, y: 4.7, z: 1.8 } };
const center = { center: { x: 0.5, y: 1.5, z: -2.5 }, halfSize: { x: 1.25, y: 0.5, z: 3.5 } };
const width = { min: { x: 0.5, y: 1.5, z: -2.5 }, width: { x: 1.25, y: 0.5, z: 3.5 } };
const integers = { center: { x: 5, y: -7, z: 9 }, halfSize: { x: 3, y: 2, z: 8 } };
const p = { x: 0.4, y: -0.6, z: 2.5 };
const pose = { position: { x: 1.5, y: -2.5, z: 3.5 }, quaternion: { x: 0.1, y: 0.7, z: -0.1, w: 0.7 } };
const plane = { normal: { x: 0.6, y: 0.8, z: 0.1 }, d: 0.25 };
const s = { center: { x: 0.5, y: 1.5, z: -2.5 }, radius: 1.25 };
const r = { center: { x: 1.75, y: 0.5, z: -1.5 }, radius: 0.75 };
const points = [
  { x: 0.1, y: 0.2, z: 0.3 },
  { x: 1.1, y: -0.2, z: 0.7 },
  { x: -0.4, y: 0.9, z: -1.3 },
  { x: 0.8, y: 1.7, z: 0.2 },
  { x: -0.9, y: -0.6, z: 0.5 },
];
const allocates = 'a fit copies its points once';

const makeAndFit = (hull: ReadonlyPolyhedron, at: ReadonlyPose, out: Aabb): Aabb =>
  makeAabbClimber(hull).fit(at, out);

export const samples: Sample[] = [
  { fn: box.fitAabb, args: { points }, out: makeAabb(), allocates },
  { fn: box.overlapAabbAabb, args: { a, b } },
  { fn: box.containsPointAabb, args: { p, box: a } },
  { fn: box.containsAabbAabb, args: { inner: a, outer: b } },
  { fn: box.mergeAabb, args: { a, b }, out: makeAabb() },
  { fn: box.growAabb, args: { box: a, p }, out: makeAabb() },
  { fn: box.expandAabb, args: { box: a, margin: 0.3 }, out: makeAabb() },
  { fn: box.translateAabb, args: { box: a, v: p }, out: makeAabb() },
  { fn: box.sweptAabb, args: { box: a, motion: p }, out: makeAabb() },
  { fn: box.intersectAabb, args: { a, b }, out: makeAabb() },
  { fn: box.areaAabb, args: { box: a } },
  { fn: box.volumeAabb, args: { box: a } },
  { fn: box.sideAabbPlane, args: { box: a, plane } },
  { fn: roundAabbF32, args: { box: a }, out: makeAabb() },

  { fn: forms.aabbFromCenter, args: { box: center }, out: makeAabb() },
  { fn: forms.aabbFromWidth, args: { box: width }, out: makeAabb() },
  { fn: forms.centerFromAabb, args: { box: a }, out: forms.makeCenterAabb() },
  { fn: forms.widthFromAabb, args: { box: a }, out: forms.makeWidthAabb() },
  { fn: forms.overlapCenterAabbs, args: { a: center, b: center } },
  { fn: forms.overlapWidthAabbs, args: { a: width, b: width } },
  { fn: forms.overlapIntegerAabbs, args: { a: integers, b: integers } },

  { fn: turned.transformAabb, args: { box: a, pose }, out: makeAabb() },
  { fn: turned.transformCenterAabb, args: { box: center, pose }, out: forms.makeCenterAabb() },
  { fn: turned.overlapPosedAabbs, args: { a, poseA: pose, b, poseB: pose } },
  { fn: turned.fitAabbSpinning, args: { points, pivot: p }, out: makeAabb(), allocates },
  { fn: turned.fitAabbSphere, args: { sphere: s }, out: makeAabb() },
  {
    fn: makeAndFit,
    args: { hull: boxPolyhedron(a.min, a.max), pose },
    out: makeAabb(),
    allocates: 'makes the climber too',
  },

  { fn: ball.overlapSphereSphere, args: { a: s, b: r } },
  { fn: ball.containsPointSphere, args: { p, sphere: s } },
  { fn: ball.containsSphereSphere, args: { inner: r, outer: s } },
  { fn: ball.mergeSphere, args: { a: s, b: r }, out: makeSphere() },
  { fn: ball.growSphere, args: { sphere: s, p }, out: makeSphere() },
  { fn: ball.transformSphere, args: { sphere: s, pose }, out: makeSphere() },
  { fn: ball.fitSphereAabb, args: { box: a }, out: makeSphere() },
  { fn: ball.areaSphere, args: { sphere: s } },
  { fn: ball.volumeSphere, args: { sphere: s } },
  { fn: ball.sideSpherePlane, args: { sphere: s, plane } },
  { fn: roundSphereF32, args: { sphere: s }, out: makeSphere() },

  { fn: fit.fitSphereMidpoint, args: { points }, out: makeSphere(), allocates },
  { fn: fit.fitSphereRitter, args: { points }, out: makeSphere(), allocates },
  { fn: fit.fitSphereSpread, args: { points }, out: makeSphere(), allocates },
  {
    fn: fit.fitSphereIterative,
    args: { points, options: { passes: 4, seed: 3 } },
    out: makeSphere(),
    allocates,
  },
  { fn: minimum.fitSphereMinimum, args: { points }, out: makeSphere(), allocates },
  {
    fn: minimum.fitCircleMinimum,
    args: { points: points.map(({ x, y }) => ({ x, y })) },
    out: minimum.makeCircle(),
    allocates,
  },
  { fn: minimum.fitSphereSpheres, args: { spheres: [s, r] }, out: makeSphere(), allocates },

  {
    fn: spread.extremePoints,
    args: { points, direction: p, count: 4 },
    out: spread.makeExtremes(),
    allocates,
  },
  { fn: spread.hullFirst, args: { points } },
  { fn: spread.meanPoint, args: { points }, out: { x: 0, y: 0, z: 0 }, allocates },
  {
    fn: spread.covariancePoints,
    args: { points },
    out: { elements: [0, 0, 0, 0, 0, 0, 0, 0, 0] },
    allocates,
  },
];
