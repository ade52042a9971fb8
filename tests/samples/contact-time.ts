/** Sample calls of contact times of any solids. */
import { contactTime, contactTimes } from '../../src/continuous/generalized/contact-time.ts';
import { vec3 } from '../../src/math/types.ts';
import { box, solidOf, sphere } from '../../src/shapes/index.ts';
import type { Sample } from '../kit/sample.ts';

const [a, b] = [solidOf(box(0.5, 0.5, 0.5)), solidOf(sphere(1))];
const pose = { position: vec3(3, 0.25, 0.5), quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } };
const args = {
  a: { solid: a, pose },
  motionA: { linear: vec3(-3, 0.25, 0.5), angular: vec3(0.5, 0.25, 1), duration: 1.5 },
  b: { solid: b, pose: { ...pose, position: vec3(0.25, 0.5, 0.75) } },
  motionB: { translation: vec3(0.25, 0.5, 0.75) },
  options: { tolerance: 1e-6, spacing: 0.25, within: 0.001 },
};
const rest = { trusted: ['a', 'b'], mayBeInfinite: ['options'] };

export const samples: Sample[] = [
  { fn: contactTime, args, ...rest },
  { fn: contactTimes, args, ...rest },
  { fn: solidOf, args: { shape: box(0.5, 0.5, 0.5) }, trusted: ['shape'] },
];
