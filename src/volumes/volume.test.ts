import { describe, expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { Pose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, Sphere } from '../primitives/types.ts';
import { roundSphereF32, sphereVolume } from '../rtcd/ch04/bounding-volumes.ts';
import { aabbVolume, roundAabbF32 } from './aabb-volume.ts';
import type { VolumeOps } from './volume.ts';

const { q, qv, add, mul, sub, cmp, vadd, vsub, vdot, vcross, vscale } = exact;

/** Is the rational point in the volume, exactly? */
type Holds<V> = (volume: V, p: exact.QVec) => boolean;

const aabbHolds: Holds<Aabb> = ({ min, max }, p) =>
  (['x', 'y', 'z'] as const).every((k) => cmp(q(min[k]), p[k]) <= 0 && cmp(p[k], q(max[k])) <= 0);

const sphereHolds: Holds<Sphere> = ({ center, radius }, p) => {
  const d = vsub(p, qv(center));
  return cmp(vdot(d, d), mul(q(radius), q(radius))) <= 0;
};

/** p posed, in exact arithmetic: p + 2w (v × p) + 2 v × (v × p) + t. */
function posedExactly(p: ReadonlyVec3, { position, quaternion }: Pose): exact.QVec {
  const v = qv(quaternion);
  const turn = vcross(v, qv(p));
  const turned = vadd(vscale(turn, mul(q(2), q(quaternion.w))), vscale(vcross(v, turn), q(2)));
  return vadd(vadd(qv(p), turned), qv(position));
}

const randomPose = (rng: Rng): Pose => ({
  position: rng.pick([rng.vec(1), rng.vec(1e6), { x: 0, y: 0, z: 0 }]),
  quaternion: rng.rotation(),
});

/** A point between some of the points. */
function between(rng: Rng, points: readonly Vec3[]): Vec3 {
  const [a, b] = [rng.pick(points), rng.pick(points)];
  return v3.lerp(a, b, rng.pick([0, 0.5, 1, rng.unit()]));
}

function behavesAsVolume<V>(ops: VolumeOps<V>, holds: Holds<V>): void {
  property(`[R4.1] ${ops.kind}: holds all points through a thousand motions each`, 8, (rng) => {
    const { points } = cloud(rng, 6);
    const fitted = ops.fitPoints(points);
    for (const p of points)
      check(holds(fitted, qv(p)) && ops.containsPoint(p, fitted), 'the fit leaves a point out');
    const moved = ops.make();
    for (let i = 0; i < 1000; i++) {
      const pose = randomPose(rng);
      ops.transform(fitted, pose, moved);
      const p = rng.pick(points);
      check(holds(moved, posedExactly(p, pose)), 'leaves a point out');
      const rounded = v3.add(v3.rotate(p, pose.quaternion), pose.position);
      check(holds(moved, qv(rounded)), 'leaves a rounded point out');
    }
  });

  property(`[R4.1] ${ops.kind}: what is stored in single precision holds it still`, 10_000, (rng) => {
    const { points } = cloud(rng, 3);
    const fitted = ops.fitPoints(points);
    const count = ops.byteSize / 4;
    const memory = new Float32Array(count + 4).fill(-7);
    ops.store(fitted, memory, 2);
    check(memory[1] === -7 && memory[count + 2] === -7 && memory[count + 1] !== -7, 'writes where it should');
    const back = ops.load(memory, 2);
    for (const p of points) check(holds(back, qv(p)), 'leaves a point out');
    for (const v of memory.subarray(2, 2 + count)) check(Math.fround(v) === v, 'single precision');
    // What is in single precision already stays as it is.
    const again = new Float32Array(count);
    ops.store(back, again, 0);
    check(
      again.every((v, i) => v === memory[2 + i]),
      'grows at rest',
    );
  });

  property(`[R4.1] ${ops.kind}: overlap, merge, plane and ray are safe`, 10_000, (rng) => {
    const { points, size } = cloud(rng, 6);
    const [these, those] = [points.slice(0, 4), points.slice(rng.chance(0.5) ? 3 : 4)];
    const a = ops.fitPoints(these);
    const b = ops.fitPoints(those);
    if (points.some((p) => holds(a, qv(p)) && holds(b, qv(p))))
      check(ops.overlap(a, b), 'they share a point');
    check(ops.overlap(a, b) === ops.overlap(b, a), 'overlap is symmetric');
    const both = ops.merge(a, b);
    for (const p of points) check(holds(both, qv(p)), 'the merged volume leaves a point out');
    check(ops.area(both) >= ops.area(a) * (1 - 1e-14), 'the merged area is smaller');
    check(ops.volume(both) >= ops.volume(b) * (1 - 1e-14), 'the merged volume is smaller');

    const normal = rng.chance(0.3) ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(1);
    const p = between(rng, these);
    const plane = { normal, d: v3.dot(normal, rng.pick(points)) + rng.pick([0, 1e-12, -1, 1]) * size };
    const side = ops.planeSide(a, plane);
    const height = exact.sign(sub(vdot(qv(normal), qv(p)), q(plane.d)));
    if (height <= 0) check(side <= 0, 'a point behind or on the plane');
    if (height >= 0) check(side >= 0, 'a point in front of the plane or on it');

    // Towards a point of the set: t = 1 is in the volume, t = 0 anywhere. Whole steps keep the aim exact.
    const target = rng.pick(these);
    const direction = { x: rng.int(-3, 3) * size, y: rng.int(-3, 3) * size, z: rng.int(-3, 3) * size };
    const origin = v3.sub(target, direction);
    const ray = { origin, direction: v3.sub(target, origin) };
    const end = vadd(qv(origin), qv(ray.direction));
    if (holds(a, end)) {
      check(ops.ray(ray, a), 'a ray to a point of the volume');
      check(ops.ray(ray, a, 1), 'a ray that ends in the volume');
    }
  });
}

describe('boxes', () => behavesAsVolume(aabbVolume, aabbHolds));
describe('spheres', () => behavesAsVolume(sphereVolume, sphereHolds));

property('[R4.1] a ray that grazes a sphere hits it', 10_000, (rng) => {
  const { points, size } = cloud(rng, 1);
  const center = points[0]!;
  const direction = rng.vec(1);
  const origin = v3.add(center, rng.vec(rng.pick([1, 10, 1e4]) * size));
  // The exact square of the distance of the center from the line, and the radius next to its root.
  const k = vcross(vsub(qv(center), qv(origin)), qv(direction));
  const d = qv(direction);
  const m = vsub(qv(center), qv(origin));
  const radius = Math.sqrt(exact.toNumber(exact.div(vdot(k, k), vdot(d, d)))) * (1 + rng.int(0, 4) * 2e-16);
  const touches = cmp(vdot(k, k), mul(mul(q(radius), q(radius)), vdot(d, d))) <= 0;
  if (touches && exact.sign(vdot(m, d)) >= 0)
    check(sphereVolume.ray({ origin, direction }, { center, radius }), () => `missed by ${radius}`);
});

test('[R4.1] a ray that passes clear of a volume misses it', () => {
  const ray = { origin: { x: -5, y: 2.001, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
  expect(sphereVolume.ray(ray, { center: { x: 0, y: 0, z: 0 }, radius: 2 })).toBe(false);
  expect(aabbVolume.ray(ray, { min: { x: -2, y: -2, z: -2 }, max: { x: 2, y: 2, z: 2 } })).toBe(false);
  ray.origin.y = 0;
  expect(sphereVolume.ray(ray, { center: { x: 0, y: 0, z: 0 }, radius: 2 }, 2.9)).toBe(false);
  expect(aabbVolume.ray(ray, { min: { x: -2, y: -2, z: -2 }, max: { x: 2, y: 2, z: 2 } }, 3)).toBe(true);
});

property('rounding to single precision: outward, and no more than a step', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 2);
  const box = aabbVolume.fitPoints(points);
  const rounded = roundAabbF32(box);
  for (const k of ['x', 'y', 'z'] as const) {
    check(rounded.min[k] <= box.min[k] && rounded.max[k] >= box.max[k], 'box outward');
    check(box.min[k] - rounded.min[k] <= 1.2e-7 * Math.abs(box.min[k]), 'box tight below');
    check(rounded.max[k] - box.max[k] <= 1.2e-7 * Math.abs(box.max[k]), 'box tight above');
  }
  const sphere = { center: points[0]!, radius: rng.pick([0, rng.unit(), scale]) };
  const round = roundSphereF32(sphere);
  const d = vsub(qv(round.center), qv(sphere.center));
  const spare = sub(q(round.radius), q(sphere.radius));
  check(exact.sign(spare) >= 0 && cmp(vdot(d, d), mul(spare, spare)) <= 0, 'sphere outward');
  check(cmp(spare, add(q(3e-7 * scale), q(3e-7 * sphere.radius))) <= 0, 'sphere tight');
});

test('what does not fit is refused', () => {
  const far = { x: 1e39, y: 0, z: 0 };
  expect(() => roundAabbF32({ min: far, max: far })).toThrow(/box must be within the range of float32/);
  expect(() => roundSphereF32({ center: far, radius: 1 })).toThrow(
    /sphere must be within the range of float32/,
  );
  const unit = aabbVolume.fitPoints([0, 0, 0, 1, 1, 1]);
  expect(() => aabbVolume.store(unit, new Float32Array(6), 1)).toThrow(/offset must leave room for 6 of 6/);
  expect(() => aabbVolume.load(new Float32Array(5), 0)).toThrow(/offset/);
  expect(() => sphereVolume.store({ center: far, radius: 1 }, new Float32Array(4), -1)).toThrow(/offset/);
  expect(() => sphereVolume.load(new Float32Array(8), 5)).toThrow(/offset/);
});

test('a volume says how large it is', () => {
  expect(aabbVolume.byteSize).toBe(24);
  expect(sphereVolume.byteSize).toBe(16);
  expect(aabbVolume.area(aabbVolume.fitPoints([0, 0, 0, 1, 2, 3]))).toBe(22);
  expect(aabbVolume.volume(aabbVolume.fitPoints([0, 0, 0, 1, 2, 3]))).toBe(6);
});
