import { mat3, vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import { makeHit } from '../../src/primitives/types.ts';
import * as sweep from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const sphere = { center: vec3(0.1, 0.2, 5), radius: 0.5 };
const capsule = { a: vec3(0.1, 0.2, 5), b: vec3(1.1, 0.7, 6), radius: 0.5 };
const motion = vec3(0.3, -0.2, -6);
const plane = { normal: vec3(0.1, 0.2, 1), d: 0.25 };
const box = { min: vec3(-1, -1.5, -1), max: vec3(1, 1.25, 1) };
const movingBox = { min: vec3(-1, -1, 4), max: vec3(1, 1, 5) };
const turned = { center: vec3(0.5, 0.25, 0.1), halfSize: vec3(1, 0.5, 0.75), rotation: mat3() };
const movingTurned = { center: vec3(0.25, 0.5, 5), halfSize: vec3(0.5, 1, 0.75), rotation: mat3() };
const [a, b, c] = [vec3(-2, -2, 0.1), vec3(3, -2, 0.2), vec3(0, 3, -0.1)];
const distance = (t: number) => 1 - 2 * t;
const movement = (from: number, to: number) => 2 * (to - from);
const touches = (t: number, margin: number) => 1 - 2 * t <= margin;
const allocates = 'the numbers that the callbacks are given and give back are boxed';

export const samples: Sample[] = [
  { fn: sweep.sweepSpherePoint, args: { sphere, motion, p: vec3(0.25, 0.1, 0) }, out: makeHit() },
  { fn: sweep.sweepSphereSegment, args: { sphere, motion, a, b: c }, out: makeHit() },
  { fn: sweep.sweepSphereTriangle, args: { sphere, motion, a, b, c }, out: makeHit() },
  { fn: sweep.sweepSpherePolygon, args: { sphere, motion, vertices: [a, b, c] }, out: makeHit() },
  { fn: sweep.sweepSpherePlane, args: { sphere, motion, plane }, out: makeHit() },
  {
    fn: sweep.sweepSphereSphere,
    args: { sphere, motion, other: { center: vec3(0.5, 0, 0), radius: 1 } },
    out: makeHit(),
  },
  {
    fn: sweep.sweepSphereCapsule,
    args: { sphere, motion, capsule: { a: vec3(-1, 0, 0), b: vec3(1, 0.5, 0), radius: 0.75 } },
    out: makeHit(),
  },
  {
    fn: sweep.sweepSphereCylinder,
    args: { sphere, motion, cylinder: { a: vec3(-1, 0, 0), b: vec3(1, 0.5, 0), radius: 0.75 } },
    out: makeHit(),
  },
  { fn: sweep.sweepSphereAabb, args: { sphere, motion, box }, out: makeHit() },
  { fn: sweep.sweepSphereObb, args: { sphere, motion, box: turned }, out: makeHit() },
  {
    fn: sweep.sweepCapsuleSphere,
    args: { capsule, motion, sphere: { center: vec3(0.5, 0, 0), radius: 1 } },
    out: makeHit(),
  },
  {
    fn: sweep.sweepCapsuleCapsule,
    args: { capsule, motion, other: { a: vec3(-1, 0, 0), b: vec3(1, 0.5, 0), radius: 0.75 } },
    out: makeHit(),
  },
  { fn: sweep.sweepCapsuleTriangle, args: { capsule, motion, a, b, c }, out: makeHit() },
  { fn: sweep.sweepCapsulePlane, args: { capsule, motion, plane }, out: makeHit() },
  { fn: sweep.sweepAabbPlane, args: { box: movingBox, motion, plane }, out: makeHit() },
  { fn: sweep.sweepObbPlane, args: { box: movingTurned, motion, plane }, out: makeHit() },
  { fn: sweep.sweepAabbAabb, args: { a: movingBox, motion, b: box }, out: sweep.makeSweepSpan() },
  { fn: sweep.sweepAabbTriangle, args: { box: movingBox, motion, a, b, c }, out: sweep.makeSweepSpan() },
  { fn: sweep.sweepObbObb, args: { a: movingTurned, motion, b: turned }, out: sweep.makeSweepSpan() },
  {
    fn: sweep.sweepPolyhedronPolyhedron,
    args: {
      a: boxPolyhedron(movingBox.min, movingBox.max),
      motion,
      b: boxPolyhedron(box.min, box.max),
    },
    out: sweep.makeSweepSpan(),
  },
  {
    fn: sweep.sweepBySamples,
    args: { movement, touches, margin: 0.25, maxSteps: 100 },
    out: sweep.makeTimeHit(),
    mayBeInfinite: ['maxSteps'],
    allocates,
  },
  {
    fn: sweep.sweepByHalving,
    args: { movement, distance, epsilon: 1e-3, maxSteps: 100 },
    out: sweep.makeTimeHit(),
    mayBeInfinite: ['maxSteps'],
    allocates,
  },
  {
    fn: sweep.sweepByAdvancement,
    args: { distance, maxSpeed: 2.5, tolerance: 1e-3, maxSteps: 100 },
    out: sweep.makeTimeHit(),
    mayBeInfinite: ['maxSteps'],
    allocates,
  },
];
