import { describe, expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../../tests/kit/index.ts';
import type { Pose, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Obb } from '../../primitives/types.ts';
import { type Kdop, type KdopSides, kdopAxes } from '../../volumes/kdop.ts';
import type { VolumeOps } from '../../volumes/volume.ts';
import { kdopVolume, obbVolume } from './bounding-volumes.ts';

const { q, qv, abs, mul, sub, cmp, vadd, vsub, vdot, vcross, vscale } = exact;

/** Is the rational point in the volume, exactly? */
type Holds<V> = (volume: V, p: exact.QVec) => boolean;

const obbHolds: Holds<Obb> = ({ center, halfSize: h, rotation: { elements: e } }, p) => {
  const d = vsub(p, qv(center));
  return [h.x, h.y, h.z].every((size, k) => {
    const axis = qv({ x: e[3 * k]!, y: e[3 * k + 1]!, z: e[3 * k + 2]! });
    return cmp(abs(vdot(d, axis)), q(size)) <= 0;
  });
};

const kdopHolds: Holds<Kdop> = ({ sides, min, max }, p) =>
  kdopAxes(sides).every((n, i) => {
    const h = vdot(qv(n), p);
    return cmp(q(min[i]!), h) <= 0 && cmp(h, q(max[i]!)) <= 0;
  });

/** p posed, in exact arithmetic: p + 2w (v × p) + 2 v × (v × p) + t. */
function posedExactly(p: ReadonlyVec3, { position, quaternion }: Pose): exact.QVec {
  const v = qv(quaternion);
  const turn = vcross(v, qv(p));
  const turned = vadd(vscale(turn, mul(q(2), q(quaternion.w))), vscale(vcross(v, turn), q(2)));
  return vadd(vadd(qv(p), turned), qv(position));
}

/** At times one that brings far-away points back to the origin, where little is left but their rounding. */
function randomPose(rng: Rng, p: Vec3): Pose {
  const quaternion = rng.rotation();
  const home = v3.negate(v3.rotate(p, quaternion));
  return { position: rng.pick([rng.vec(1), rng.vec(1e6), { x: 0, y: 0, z: 0 }, home]), quaternion };
}

function between(rng: Rng, points: readonly Vec3[]): exact.QVec {
  const [a, b] = [qv(rng.pick(points)), qv(rng.pick(points))];
  return vadd(a, vscale(vsub(b, a), q(rng.pick([0, 0.5, 1, rng.unit()]))));
}

const finite = (x: number): boolean => x * 0 === 0;

/** `motions` in all; `cases` of everything else. */
function behavesAsVolume<V>(ops: VolumeOps<V>, holds: Holds<V>, motions: number, cases: number): void {
  property(`[R4.1] ${ops.kind}: holds all points after any motion`, motions / 10, (rng) => {
    const { points } = cloud(rng, rng.int(1, 8));
    const fitted = ops.fitPoints(points);
    for (const p of points)
      check(holds(fitted, qv(p)) && ops.containsPoint(p, fitted), 'the fit leaves a point out');
    const moved = ops.make();
    for (let i = 0; i < 10; i++) {
      const pose = randomPose(rng, points[0]!);
      ops.transform(fitted, pose, moved);
      for (const p of [rng.pick(points), rng.pick(points)]) {
        check(holds(moved, posedExactly(p, pose)), 'leaves a point out');
        const rounded = v3.add(v3.rotate(p, pose.quaternion), pose.position);
        check(holds(moved, qv(rounded)), 'leaves a rounded point out');
      }
    }
  });

  property(`[R4.1] ${ops.kind}: what is stored in single precision holds it still`, cases, (rng) => {
    const { points, scale } = cloud(rng, 3);
    const fitted = ops.fitPoints(points);
    const count = ops.byteSize / 4;
    const memory = new Float32Array(count + 4).fill(-7);
    ops.store(fitted, memory, 2);
    check(memory[1] === -7 && memory[count + 2] === -7, 'writes where it should');
    const back = ops.load(memory, 2);
    for (const p of points) check(holds(back, qv(p)), 'leaves a point out');
    check(ops.area(back) <= ops.area(fitted) + 1e-5 * scale * scale, 'much larger than it was');
  });

  property(`[R4.1] ${ops.kind}: overlap, merge, plane and ray are safe`, cases, (rng) => {
    const { points, size } = cloud(rng, 6);
    const [these, those] = [points.slice(0, 4), points.slice(rng.chance(0.5) ? 3 : 4)];
    const a = ops.fitPoints(these);
    const b = ops.fitPoints(those);
    if (points.some((p) => holds(a, qv(p)) && holds(b, qv(p))))
      check(ops.overlap(a, b), 'they share a point');
    check(ops.overlap(a, b) === ops.overlap(b, a), 'overlap is symmetric');
    const both = ops.merge(a, b);
    for (const p of points) check(holds(both, qv(p)), 'the merged volume leaves a point out');

    const normal = rng.chance(0.3) ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(1);
    const p = between(rng, these);
    const plane = { normal, d: v3.dot(normal, rng.pick(points)) + rng.pick([0, 1e-12, -1, 1]) * size };
    const side = ops.planeSide(a, plane);
    const height = exact.sign(sub(vdot(qv(normal), p), q(plane.d)));
    if (height <= 0) check(side <= 0, 'a point behind or on the plane');
    if (height >= 0) check(side >= 0, 'a point in front of the plane or on it');

    // Towards a point of the set: t = 1 is in the volume, t = 0 anywhere.
    const target = rng.pick(these);
    const origin = v3.sub(target, rng.vec(3 * size));
    const direction = v3.sub(target, origin);
    const end = vadd(qv(origin), qv(direction));
    if (holds(a, end)) {
      check(ops.ray({ origin, direction }, a), 'a ray to a point of the volume');
      check(ops.ray({ origin, direction }, a, 1), 'a ray that ends in the volume');
    }
  });

  property(`[R4.1] ${ops.kind}: area and volume grow with what is inside`, cases / 10, (rng) => {
    const { points, size } = cloud(rng, 6);
    const a = ops.fitPoints(points.slice(0, 4));
    const both = ops.merge(a, ops.fitPoints(points.slice(3)));
    const [area, volume] = [ops.area(both), ops.volume(both)];
    check(finite(area) && finite(volume) && area >= 0 && volume >= 0, 'a size');
    // Corners are good to 1e-12 of the size.
    check(area >= ops.area(a) - 1e-10 * size * size, 'the merged area is smaller');
    check(volume >= ops.volume(a) - 1e-10 * size * size * size, 'the merged volume is smaller');
  });
}

describe('oriented boxes', () => behavesAsVolume(obbVolume, obbHolds, 10_000, 10_000));
for (const [sides, motions] of [
  [6, 2_000],
  [8, 1_000],
  [14, 1_000],
  [18, 500],
  [26, 200],
] as [KdopSides, number][])
  describe(`${sides}-DOPs`, () => behavesAsVolume(kdopVolume(sides), kdopHolds, motions, motions));

property('[R4.1] a plane that is clear of a volume is told from one that is not', 10_000, (rng) => {
  const { points } = cloud(rng, 5, 'plain');
  const normal = rng.direction();
  const top = Math.max(...points.map((p) => v3.dot(p, normal)));
  const kdop = kdopVolume(26).fitPoints(points);
  // Between three normals at most 35° apart the bound is not far above the points.
  check(kdopVolume(26).planeSide(kdop, { normal, d: top + 1.2 }) === -1, 'behind');
  check(kdopVolume(26).planeSide(kdop, { normal: v3.negate(normal), d: -top - 1.2 }) === 1, 'in front');
});

function keepsClear<V>(ops: VolumeOps<V>): void {
  const ray = { origin: { x: -5, y: 2.001, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
  const straight = { ...ray, origin: { x: -5, y: 0, z: 0 } };
  const normal = { x: 0, y: 3, z: 0 };
  // Not a cube, whose axes are not unique.
  const box = ops.fitPoints(
    [-2, 2].flatMap((x) => [-2, 2].flatMap((y) => [-3, 3].flatMap((z) => [x, y, z]))),
  );
  expect(ops.ray(ray, box)).toBe(false);
  expect(ops.ray(straight, box, 2.9)).toBe(false);
  expect(ops.ray(straight, box, 3)).toBe(true);
  expect(ops.planeSide(box, { normal, d: 6.1 })).toBe(-1);
  expect(ops.planeSide(box, { normal, d: 5.9 })).toBe(0);
  expect(ops.planeSide(box, { normal, d: -6.1 })).toBe(1);
  expect(ops.area(box)).toBeCloseTo(128, 9);
  expect(ops.volume(box)).toBeCloseTo(96, 9);
}

test('[R4.1] rays and planes that are clear of a volume', () => {
  keepsClear(obbVolume);
  for (const sides of [6, 14, 18, 26] as const) keepsClear(kdopVolume(sides));
});

test('[R4.1] a volume says how many bytes it takes, and what does not fit is refused', () => {
  expect(obbVolume.byteSize).toBe(40);
  expect(kdopVolume(26).byteSize).toBe(104);
  expect(kdopVolume(8).kind).toBe('kdop8');
  const far = [1e39, 0, 0];
  const box = obbVolume.fitPoints([0, 0, 0, 1, 1, 1]);
  const kdop = kdopVolume(8).fitPoints([0, 0, 0, 1, 1, 1]);
  expect(() => obbVolume.store(obbVolume.fitPoints(far), new Float32Array(10), 0)).toThrow(
    /volume .*float32/,
  );
  expect(() => kdopVolume(6).store(kdopVolume(6).fitPoints(far), new Float32Array(6), 0)).toThrow(/float32/);
  expect(() => obbVolume.store(box, new Float32Array(10), 1)).toThrow(/offset must leave room for 10 of 10/);
  expect(() => obbVolume.load(new Float32Array(9), 0)).toThrow(/offset/);
  expect(() => kdopVolume(8).store(kdop, new Float32Array(7), 0)).toThrow(/offset/);
  expect(() => kdopVolume(8).load(new Float32Array(8), 1)).toThrow(/offset/);
  expect(() => kdopVolume(8).store({ ...kdop, min: [Number.NaN, 0, 0, 0] }, new Float32Array(8), 0)).toThrow(
    /volume/,
  );
  expect(() => kdopVolume(7 as KdopSides)).toThrow(/sides must be/);
});

test('a far-away volume stays as tight as its coordinates allow', () => {
  const points = [0, 0, 0, 1, 2, 3].map((x) => x + 1e6);
  const pose = { position: { x: -1e6, y: -1e6, z: -1e6 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const moved = kdopVolume(6).transform(kdopVolume(6).fitPoints(points), pose);
  for (const [i, n] of kdopAxes(6).entries()) {
    expect(Math.abs(moved.min[i]!)).toBeLessThan(1e-7);
    expect(Math.abs(moved.max[i]! - (n.x + 2 * n.y + 3 * n.z))).toBeLessThan(1e-7);
  }
});
