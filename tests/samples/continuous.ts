/** Sample calls of the sweeps of polyhedra. */

import { polyhedralModel } from '../../src/continuous/model/polyhedral-model.ts';
import {
  makePoseMotion,
  makeRelativeMotion,
  motionBetween,
  poseAlong,
  relativeMotion,
  swapMotionOrder,
} from '../../src/continuous/motion.ts';
import { sweepPolyhedra } from '../../src/continuous/sweep.ts';
import { touchingFeatures } from '../../src/continuous/touching-features.ts';
import { makeSweepContact, makeSweepHit } from '../../src/continuous/types.ts';
import { pose, vec3 } from '../../src/math/types.ts';
import type { Sample } from '../kit/sample.ts';

const mover = polyhedralModel({
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  index: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
});
const target = polyhedralModel({
  vertices: [vec3(-2, -2, 0), vec3(2, -2, 0.5), vec3(2, 2, 1), vec3(-2, 2, 0.5)],
  polygons: [[0, 1, 2, 3]],
});
const from = { position: vec3(0.5, 0.25, 2.75), quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } };
const at = { position: vec3(0.125, 0.25, -0.75), quaternion: { x: 0.28, y: 0, z: 0, w: 0.96 } };
const to = { position: vec3(0.75, 0.5, 1.25), quaternion: { x: 0, y: 0.8, z: 0.6, w: 0.5 } };
const near = { position: vec3(0.5, 0.25, 0.75), quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } };
const both = {
  translation: vec3(0.5, 0.25, -0.5),
  axis: vec3(0.5, 1.5, 0.25),
  angle: 0.75,
  pivot: vec3(0.5, 0.25, 1.5),
};
const options = { thickness: 0.015625, maxT: 0.75 };
const trusted = ['mover', 'target'];

export const samples: Sample[] = [
  {
    fn: sweepPolyhedra,
    args: {
      mover,
      moverPose: from,
      motion: { translation: vec3(0.25, 0.5, -8.5) },
      target,
      targetPose: at,
      options,
    },
    trusted,
  },
  {
    fn: sweepPolyhedra,
    args: { mover, moverPose: from, motion: both, target, targetPose: at, options },
    trusted,
  },
  {
    fn: sweepPolyhedra,
    args: { mover, moverPose: from, motion: both, target, targetPose: at },
    out: { ...options, out: makeSweepHit() },
    trusted,
    allocates: 'some boxed numbers',
  },
  { fn: poseAlong, args: { from, motion: both, t: 0.75 }, out: pose(), allocates: 'a boxed number' },
  { fn: motionBetween, args: { from, to, pivot: vec3(0.5, 1.5, 0.25) }, out: makePoseMotion() },
  {
    fn: poseAlong,
    args: { from, motion: { ...both, first: 'rotation' }, t: 0.75 },
    out: pose(),
    allocates: 'a boxed number',
  },
  { fn: swapMotionOrder, args: { motion: motionBetween(from, to) }, out: makePoseMotion() },
  { fn: relativeMotion, args: { fromA: from, toA: to, fromB: at, toB: near }, out: makeRelativeMotion() },
  {
    fn: touchingFeatures,
    args: { mover, moverPose: near, target, targetPose: at, margin: 1.5 },
    out: [makeSweepContact(), makeSweepContact(), makeSweepContact()],
    trusted,
    allocates: 'a list that grows to what is found',
  },
];
