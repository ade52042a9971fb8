import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../tests/kit/index.ts';
import { fromQuat } from './mat3.ts';
import {
  composePoses,
  inverseTransformPoint,
  inverseTransformVector,
  invertPose,
  transformPoint,
  transformVector,
} from './pose.ts';
import type { Pose, Vec3 } from './types.ts';
import { pose, quat, vec3 } from './types.ts';
import { transform } from './vec3.ts';

const EPS = 2 ** -52;
const size = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
const close = (a: Vec3, b: Vec3, tolerance: number, what: string): void => {
  for (const k of ['x', 'y', 'z'] as const) near(a[k], b[k], tolerance, `${what}.${k}`);
};
const place = (rng: Rng): Pose => ({ position: cloud(rng, 1).points[0] as Vec3, quaternion: rng.rotation() });

property('points are turned and moved, free vectors only turned', 10_000, (rng) => {
  const a = place(rng);
  const [p] = cloud(rng, 1).points as [Vec3];
  const turned = transform(p, fromQuat(a.quaternion));
  const tolerance = 24 * EPS * (size(p) + size(a.position));
  const { x, y, z } = a.position;
  close(transformPoint(a, p), vec3(turned.x + x, turned.y + y, turned.z + z), tolerance, 'point');
  close(transformVector(a, p), turned, tolerance, 'vector');
  near(size(transformVector(a, p)), size(p), 8 * EPS * size(p), 'length');
  close(inverseTransformPoint(a, transformPoint(a, p)), p, 2 * tolerance, 'point there and back');
  close(inverseTransformVector(a, transformVector(a, p)), p, tolerance, 'vector there and back');
});

property('poses compose and invert', 10_000, (rng) => {
  const [a, b] = [place(rng), place(rng)];
  const [p] = cloud(rng, 1).points as [Vec3];
  const tolerance = 64 * EPS * (size(p) + size(a.position) + size(b.position));
  close(
    transformPoint(composePoses(a, b), p),
    transformPoint(a, transformPoint(b, p)),
    tolerance,
    'composed',
  );
  close(transformPoint(invertPose(a), p), inverseTransformPoint(a, p), tolerance, 'inverted');
  const one = composePoses(a, invertPose(a));
  check(size(one.position) <= tolerance && Math.abs(one.quaternion.w) >= 1 - 8 * EPS, 'a a⁻¹ = 1');
});

test('the result may go into a part of the pose', () => {
  const a: Pose = { position: vec3(1, 2, 3), quaternion: quat(0.5, 0.5, 0.5, 0.5) };
  const wanted = transformPoint(a, vec3(4, 5, 6));
  expect(transformPoint(a, vec3(4, 5, 6), a.position)).toEqual(wanted);
  expect(transformPoint(pose(), vec3(4, 5, 6))).toEqual(vec3(4, 5, 6));
});

test('a new pose has copies of what it is given', () => {
  const [position, quaternion] = [vec3(1, 2, 3), quat(0, 0.6, 0, 0.8)];
  const made = pose(position, quaternion);
  position.x = quaternion.y = 7;
  expect(made).toEqual({ position: { x: 1, y: 2, z: 3 }, quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } });
  expect(pose(vec3(4, 5, 6))).toEqual({ position: { x: 4, y: 5, z: 6 }, quaternion: quat() });
  expect(pose()).toEqual({ position: vec3(), quaternion: quat() });
  expect(pose().position).not.toBe(pose().position);
});
