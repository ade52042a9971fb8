import { vec3 } from '../../src/math/types.ts';
import type { Shape } from '../../src/shapes/index.ts';
import { box, capsule, collider, compound, halfSpace, mesh, sphere } from '../../src/shapes/index.ts';
import * as query from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const tetrahedron = mesh(
  Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
);
const quaternion = { x: 0, y: 0, z: 0, w: 1 };
const here = { position: vec3(), quaternion };
const beside = { position: vec3(2.5, 0.1, 0.2), quaternion };
const pair = compound([
  { shape: sphere(0.4), pose: { position: vec3(-0.6, 0, 0), quaternion } },
  { shape: box(0.3, 0.3, 0.3), pose: { position: vec3(0.6, 0, 0), quaternion } },
]);

const rotation = { axis: vec3(0.1, 0.2, 1), angle: 2.5, pivot: vec3(0.1, 0.2, 0.3) };
const rigid = { linear: vec3(3.5, 0.1, 0.2), angular: vec3(0.3, 0.2, 1.5) };

/** A copy of its own of each, so that what one teaches the optimiser does not decide about the next. */
const sampleOf = (mover: Shape, motion: query.Motion, target: Shape, boxes: number): Sample => ({
  fn: (a: query.Body, m: query.Motion, b: query.Body, options: query.CastOptions) =>
    query.cast(a, m, b, options),
  args: { mover: collider(mover, beside), motion, target: collider(target, here) },
  trusted: ['mover', 'target'],
  unchecked: 'the sample of `cast` is',
  boxes,
  out: { out: query.makeCastHit() },
});

/** Through the exact sweep, or to triangles one by one. */
const FEW = 128;
const SOME = 640;

/** One of each pair of families, in both orders, and each method. */
export const samples: Sample[] = [
  sampleOf(box(0.5, 0.4, 0.3), rotation, box(1.2, 0.4, 0.3), FEW),
  sampleOf(capsule(0.5, 0.4), rigid, box(0.5, 0.4, 0.3), FEW),
  sampleOf(box(0.5, 0.4, 0.3), rotation, halfSpace(vec3(0, -1, 0), -1.5), FEW),
  sampleOf(halfSpace(vec3(0, -1, 0), -1.5), rotation, box(0.5, 0.4, 0.3), FEW),
  sampleOf(tetrahedron, rotation, halfSpace(vec3(0, -1, 0), -1.5), FEW),
  sampleOf(box(0.5, 0.4, 0.3), rotation, tetrahedron, SOME),
  sampleOf(tetrahedron, rotation, box(1.2, 0.4, 0.3), SOME),
  sampleOf(tetrahedron, rotation, tetrahedron, SOME),
  sampleOf(capsule(0.5, 0.4), rigid, tetrahedron, SOME),
  sampleOf(tetrahedron, rigid, tetrahedron, SOME),
  sampleOf(pair, rotation, box(1.2, 0.4, 0.3), FEW),
  sampleOf(sphere(0.5), rigid, pair, FEW),
  sampleOf(pair, rotation, pair, FEW),
];
