import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Pose, Quat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb } from '../primitives/types.ts';
import { containsPointAabb, fitAabb, volumeAabb } from './aabb.ts';
import { aabbFromCenter, centerFromAabb } from './aabb-forms.ts';
import {
  fitAabbSphere,
  fitAabbSpinning,
  overlapPosedAabbs,
  transformAabb,
  transformCenterAabb,
} from './aabb-transform.ts';

const AXES = ['x', 'y', 'z'] as const;

const corners = ({ min, max }: Aabb): Vec3[] =>
  Array.from({ length: 8 }, (_, i) => ({
    x: i & 1 ? max.x : min.x,
    y: i & 2 ? max.y : min.y,
    z: i & 4 ? max.z : min.z,
  }));

const posed = (p: ReadonlyVec3, { position, quaternion }: Pose): Vec3 =>
  v3.add(v3.rotate(p, quaternion), position);

const turnAbout = (axis: ReadonlyVec3, angle: number): Quat => ({
  ...v3.scale(axis, Math.sin(angle / 2)),
  w: Math.cos(angle / 2),
});

const randomPose = (rng: Rng): Pose => ({
  position: rng.pick([rng.vec(1), rng.vec(1e6), { x: 0, y: 0, z: 0 }]),
  quaternion: rng.rotation(),
});

property('[R4.2.6] the box of a turned box is that of its eight corners, in both forms', 20_000, (rng) => {
  const { points, scale } = cloud(rng, 2);
  const box = fitAabb(points);
  const pose = randomPose(rng);
  const brute = fitAabb(corners(box).map((p) => posed(p, pose)));
  const found = transformAabb(box, pose);
  const byCenter = aabbFromCenter(transformCenterAabb(centerFromAabb(box), pose));
  // Outward by some 32 half-steps of the largest number around, and no more.
  const size = 3 * scale + Math.abs(pose.position.x) + Math.abs(pose.position.y) + Math.abs(pose.position.z);
  for (const b of [found, byCenter])
    for (const axis of AXES) {
      check(b.min[axis] <= brute.min[axis] && b.max[axis] >= brute.max[axis], 'holds the corners');
      near(b.min[axis], brute.min[axis], 2e-14 * size, 'min');
      near(b.max[axis], brute.max[axis], 2e-14 * size, 'max');
    }
});

test('[R4.2.6] a box that does not turn keeps its numbers', () => {
  const box = { min: { x: -0.1, y: 0.2, z: 1 / 3 }, max: { x: 0.1, y: 0.7, z: 5 } };
  const still = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(transformAabb(box, still)).toEqual(box);
  const center = centerFromAabb(box);
  expect(transformCenterAabb(center, still)).toEqual(center);
  const aliased = structuredClone(box);
  const turn = { position: { x: 1, y: 2, z: 3 }, quaternion: turnAbout({ x: 0, y: 0, z: 1 }, 1) };
  expect(transformAabb(aliased, turn, aliased)).toEqual(transformAabb(box, turn));
});

test('[R4.2.6] ten thousand steps from the own box stay bounded; boxing the last box does not', () => {
  const box = { min: { x: -1, y: -2, z: -3 }, max: { x: 1, y: 2, z: 3 } };
  const reach = Math.hypot(1, 2, 3);
  const step = turnAbout(v3.normalize({ x: 1, y: 2, z: 3 }), 0.01);
  let q = turnAbout({ x: 0, y: 0, z: 1 }, 0);
  const spin = { position: { x: 0, y: 0, z: 0 }, quaternion: q };
  let chained: Aabb = box;
  let largest = 0;
  for (let i = 0; i < 10_000; i++) {
    q = {
      x: q.w * step.x + q.x * step.w + q.y * step.z - q.z * step.y,
      y: q.w * step.y + q.y * step.w + q.z * step.x - q.x * step.z,
      z: q.w * step.z + q.z * step.w + q.x * step.y - q.y * step.x,
      w: q.w * step.w - q.x * step.x - q.y * step.y - q.z * step.z,
    };
    spin.quaternion = q;
    const { min, max } = transformAabb(box, spin);
    largest = Math.max(largest, max.x, max.y, max.z, -min.x, -min.y, -min.z);
    if (i < 1000) chained = transformAabb(chained, { ...spin, quaternion: step });
  }
  // The quaternion drifts by roundings of each step; the box follows it and nothing else.
  expect(largest).toBeLessThanOrEqual(reach * (1 + 1e-11));
  expect(largest).toBeGreaterThan(3);
  expect(volumeAabb(chained)).toBeGreaterThan(1e6 * volumeAabb(box));
});

property(
  '[R4.2.2] posed boxes that share a point overlap; boxes apart along a face are told apart',
  20_000,
  (rng) => {
    const { points, size, scale } = cloud(rng, 4);
    const a = fitAabb(points.slice(0, 2));
    const b = fitAabb(points.slice(2));
    const poseA = randomPose(rng);
    const poseB = { position: v3.add(poseA.position, rng.vec(size)), quaternion: rng.rotation() };
    const verdict = overlapPosedAabbs(a, poseA, b, poseB);
    check(overlapPosedAabbs(b, poseB, a, poseA) === verdict, 'symmetric');
    // Samples of b, in the space of a.
    const inA = (p: ReadonlyVec3): Vec3 =>
      v3.rotateInverse(v3.sub(posed(p, poseB), poseA.position), poseA.quaternion);
    for (let i = 0; i < 8; i++) {
      const p = inA({
        x: rng.range(b.min.x, b.max.x),
        y: rng.range(b.min.y, b.max.y),
        z: rng.range(b.min.z, b.max.z),
      });
      if (containsPointAabb(p, a)) check(verdict, 'they share a point');
    }
    const inner = fitAabb(corners(b).map(inA));
    const far = v3.length(poseA.position) + v3.length(poseB.position) + 4 * scale;
    const apart = AXES.some(
      (axis) => Math.max(inner.min[axis] - a.max[axis], a.min[axis] - inner.max[axis]) > 1e-13 * far,
    );
    if (apart) check(!verdict, 'apart along an axis of a');
  },
);

test('[R4.2.2] a hundred million units out the verdict is still exact, where world space loses it', () => {
  const unit = { min: { x: -1, y: -1, z: -1 }, max: { x: 1, y: 1, z: 1 } };
  // The gap is in the boxes, far below the spacing of doubles at 1e8, which is 1.5e-8.
  const shorter = (gap: number): Aabb => ({ ...unit, min: { x: -1 + gap, y: -1, z: -1 } });
  let worldWrong = 0;
  for (const quaternion of [
    turnAbout({ x: 0, y: 0, z: 1 }, 0),
    turnAbout(v3.normalize({ x: 1, y: 2, z: 2 }), 1),
  ]) {
    const poseA = { position: { x: 1e8, y: -1e8, z: 1e8 }, quaternion };
    // Two units along the x axis that both have.
    const poseB = {
      position: v3.add(poseA.position, v3.rotate({ x: 2, y: 0, z: 0 }, quaternion)),
      quaternion,
    };
    const off = v3.sub(poseB.position, poseA.position); // what the rounded positions really say
    const along = v3.rotateInverse(off, quaternion).x - 2;
    for (const gap of [1e-9, 1e-10, 1e-12, -1e-12, -1e-10]) {
      const b = shorter(gap - along);
      expect(overlapPosedAabbs(unit, poseA, b, poseB), `gap ${gap}`).toBe(gap <= 0);
      const world = transformAabb(unit, poseA).max.x >= transformAabb(b, poseB).min.x;
      if (world !== gap <= 0) worldWrong++;
    }
  }
  expect(worldWrong).toBeGreaterThan(0);
});

test('[R4.2.2] the space of the partner is tighter than the world: RTCD figure 4.4', () => {
  const long = { min: { x: -4, y: -0.1, z: -0.1 }, max: { x: 4, y: 0.1, z: 0.1 } };
  const quaternion = turnAbout({ x: 0, y: 0, z: 1 }, Math.PI / 4);
  const poseA = { position: { x: 0, y: 0, z: 0 }, quaternion };
  const poseB = { position: { x: 2, y: 0, z: 0 }, quaternion };
  const worldA = transformAabb(long, poseA);
  const worldB = transformAabb(long, poseB);
  expect(worldA.max.x > worldB.min.x && worldA.max.y > worldB.min.y).toBe(true);
  expect(overlapPosedAabbs(long, poseA, long, poseB)).toBe(false);
});

test('[R4.2.2] quaternions that drifted from unit length do not lose an overlap', () => {
  const unit = { min: { x: -1, y: -1, z: -1 }, max: { x: 1, y: 1, z: 1 } };
  for (let i = 0; i < 1000; i++) {
    const q = turnAbout(v3.normalize({ x: Math.sin(i), y: Math.cos(i), z: 0.3 }), i);
    const drifted = { x: q.x * 1.000001, y: q.y * 1.000001, z: q.z * 1.000001, w: q.w * 1.000001 };
    const poseA = { position: { x: 0, y: 0, z: 0 }, quaternion: drifted };
    // B touches the face of A where A really is: `rotate` by the drifted quaternion.
    const poseB = { position: v3.rotate({ x: 2, y: 0, z: 0 }, drifted), quaternion: drifted };
    expect(overlapPosedAabbs(unit, poseA, unit, poseB)).toBe(true);
  }
});

property('[R4.2.3] the box about the pivot holds the points through a thousand turns', 20, (rng) => {
  const { points, scale } = cloud(rng, 6);
  const pivot = rng.chance(0.5) ? points[0]! : v3.add(points[0]!, rng.vec(1));
  const box = fitAabbSpinning(points, pivot);
  for (let i = 0; i < 1000; i++) {
    const q = rng.rotation();
    for (const p of points)
      check(containsPointAabb(v3.add(pivot, v3.rotate(v3.sub(p, pivot), q)), box), 'holds');
  }
  // No larger than the farthest point asks for.
  const radius = Math.max(...points.map((p) => v3.distance(p, pivot)));
  near(box.max.x - pivot.x, radius, 1e-14 * radius + 4e-16 * (scale + Math.abs(pivot.x)), 'radius');
});

test('[R4.2.3] a pivot in the middle gives the smallest box', () => {
  const points = [-1, 1, 0, 1, 1, 0, 1, -1, 0, -1, -1, 0];
  const middle = volumeAabb(fitAabbSpinning(points, { x: 0, y: 0, z: 0 }));
  for (const pivot of [
    { x: 0.1, y: 0, z: 0 },
    { x: 0, y: -0.5, z: 0.2 },
    { x: 1, y: 1, z: 0 },
  ])
    expect(volumeAabb(fitAabbSpinning(points, pivot))).toBeGreaterThan(middle);
});

property('the box of a sphere', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 1);
  const center = points[0]!;
  const radius = rng.pick([0, size, size * 1e-9, rng.unit()]);
  const { min, max } = fitAabbSphere({ center, radius });
  for (const axis of AXES) {
    near(min[axis], center[axis] - radius, 3e-16 * (scale + radius), 'min');
    near(max[axis], center[axis] + radius, 3e-16 * (scale + radius), 'max');
    check(min[axis] <= center[axis] - radius && max[axis] >= center[axis] + radius, 'outward');
  }
});

test('bad input is named', () => {
  const box = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
  const pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: Number.NaN } };
  expect(() => transformAabb(box, pose)).toThrow(/pose\.quaternion\.w/);
  expect(() => overlapPosedAabbs(box, pose, box, pose)).toThrow(/poseA\.quaternion\.w/);
  expect(() => fitAabbSpinning([], pose.position)).toThrow(/points/);
  expect(() => fitAabbSphere({ center: { x: 0, y: 0, z: 0 }, radius: -1 })).toThrow(/sphere\.radius/);
});
