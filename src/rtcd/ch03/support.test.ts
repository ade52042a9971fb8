import { expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import {
  supportAabb,
  supportCapsule,
  supportCone,
  supportCylinder,
  supportDifference,
  supportObb,
  supportSphere,
  supportSum,
} from '../index.ts';

const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const minus = (a: ReadonlyVec3, b: ReadonlyVec3) => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const length = (a: ReadonlyVec3) => Math.hypot(a.x, a.y, a.z);
const cross = (a: ReadonlyVec3, b: ReadonlyVec3) => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const times = (a: ReadonlyVec3, s: number) => ({ x: a.x * s, y: a.y * s, z: a.z * s });

/** A direction: any, along an axis, zero, or along (or nearly along) that of the shape. */
function direction(rng: Rng, axis: ReadonlyVec3): Vec3 {
  const kind = rng.int(0, 5);
  const size = rng.pick([1, 1, 1e6, 1e-6]);
  if (kind === 0) return { x: 0, y: 0, z: 0 };
  if (kind === 1) return { x: 0, y: 0, z: 0, [rng.pick(['x', 'y', 'z'])]: size * rng.sign() };
  if (kind > 3) return times(rng.direction(), size);
  const tilt =
    kind === 2 ? { x: 0, y: 0, z: 0 } : times(rng.direction(), length(axis) * rng.pick([1e-3, 1e-9, 1e-16]));
  return times({ x: axis.x + tilt.x, y: axis.y + tilt.y, z: axis.z + tilt.z }, rng.sign());
}

interface Case {
  points: Vec3[];
  radius: number;
  d: Vec3;
  /** Rounding of the result: half an ulp of the coordinates a few times over. */
  tolerance: number;
}

function draw(rng: Rng): Case {
  const { points, size, scale } = cloud(rng, 2);
  if (rng.chance(0.1)) points[1] = { ...points[0]! };
  const radius = rng.pick([0, 1, 0.01, 100]) * size;
  return {
    points,
    radius,
    d: direction(rng, minus(points[1]!, points[0]!)),
    tolerance: 4e-15 * (scale + radius),
  };
}

/** Fails unless p, found for d, reaches as far as `wanted` says the shape does, measured from `origin`. */
function checkReach(
  p: ReadonlyVec3,
  origin: ReadonlyVec3,
  d: ReadonlyVec3,
  wanted: number,
  tolerance: number,
): void {
  const l = length(d);
  if (l > 0) near(dot(minus(p, origin), d) / l, wanted / l, tolerance, 'reach');
}

property('[R3.8] sphere: reaches r, and for a direction of zero gives the centre', 10_000, (rng) => {
  const { points, radius, d, tolerance } = draw(rng);
  const sphere = { center: points[0]!, radius };
  const p = supportSphere(sphere, d);
  near(length(minus(p, sphere.center)), length(d) > 0 ? radius : 0, tolerance, 'distance from the centre');
  checkReach(p, sphere.center, d, radius * length(d), tolerance);
});

property('[R3.8] box: a corner, and no corner lies farther', 10_000, (rng) => {
  const { points, d } = draw(rng);
  const [a, b] = points as [Vec3, Vec3];
  const min = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), z: Math.min(a.z, b.z) };
  const max = { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y), z: Math.max(a.z, b.z) };
  const p = supportAabb({ min, max }, d);
  for (const axis of ['x', 'y', 'z'] as const) {
    check(p[axis] === min[axis] || p[axis] === max[axis], 'a corner');
    // Along each axis on its own, so there is nothing to round.
    check(d[axis] === 0 || p[axis] === (d[axis] > 0 ? max : min)[axis], 'the farther side');
  }
});

property('[R3.8] oriented box: reaches the sum of its half sizes along the direction', 10_000, (rng) => {
  const { points, radius, d, tolerance } = draw(rng);
  const x = rng.direction();
  const side = cross(x, rng.direction());
  const y = times(side, 1 / length(side));
  const z = cross(x, y);
  const rotation = rng.chance(0.3)
    ? { elements: [0, 1, 0, -1, 0, 0, 0, 0, 1] }
    : { elements: [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z] };
  const halfSize = { x: radius, y: radius * rng.unit(), z: rng.pick([0, radius]) };
  const [u, v, w] = [0, 3, 6].map((i) => {
    const e = rotation.elements;
    return { x: e[i]!, y: e[i + 1]!, z: e[i + 2]! };
  }) as [Vec3, Vec3, Vec3];
  const p = supportObb({ center: points[0]!, halfSize, rotation }, d);
  const local = minus(p, points[0]!);
  near(Math.abs(dot(local, u)), halfSize.x, tolerance, 'along the first axis');
  near(Math.abs(dot(local, v)), halfSize.y, tolerance, 'along the second axis');
  near(Math.abs(dot(local, w)), halfSize.z, tolerance, 'along the third axis');
  const wanted =
    halfSize.x * Math.abs(dot(u, d)) + halfSize.y * Math.abs(dot(v, d)) + halfSize.z * Math.abs(dot(w, d));
  checkReach(p, points[0]!, d, wanted, tolerance);
});

property('[R3.8] capsule: the farther end and r on', 10_000, (rng) => {
  const { points, radius, d, tolerance } = draw(rng);
  const [a, b] = points as [Vec3, Vec3];
  const p = supportCapsule({ a, b, radius }, d);
  check(Math.min(length(minus(p, a)), length(minus(p, b))) <= radius + tolerance, 'in the capsule');
  checkReach(p, a, d, Math.max(0, dot(minus(b, a), d)) + radius * length(d), tolerance);
});

property('[R3.8] cylinder: a point of it, as far as its farther rim reaches', 20_000, (rng) => {
  const { points, radius, d, tolerance } = draw(rng);
  const [a, b] = points as [Vec3, Vec3];
  const axis = minus(b, a);
  const height = length(axis);
  const p = supportCylinder({ a, b, radius }, d);
  const across = height > 0 ? length(cross(times(axis, 1 / height), d)) : length(d);
  checkReach(p, a, d, Math.max(0, dot(axis, d)) + radius * across, tolerance);
  if (height === 0) return;
  const along = dot(minus(p, a), axis) / height;
  // Where the axis is short its direction is as rough as the coordinates are.
  const rough = tolerance * (1 + radius / height);
  check(
    along >= -rough && along <= height + rough,
    () => `beyond an end by ${Math.max(-along, along - height)}`,
  );
  check(length(minus(p, along < height / 2 ? a : b)) <= radius + rough, 'off the disc');
});

property('[R3.8] cone: its tip or a point of its base disc, whichever reaches farther', 20_000, (rng) => {
  const { points, radius, d, tolerance } = draw(rng);
  const [tip, base] = points as [Vec3, Vec3];
  const axis = minus(base, tip);
  const height = length(axis);
  const p = supportCone({ tip, base, radius }, d);
  const across = height > 0 ? length(cross(times(axis, 1 / height), d)) : length(d);
  checkReach(p, tip, d, Math.max(0, dot(axis, d) + radius * across), tolerance);
  if (height === 0 || (p.x === tip.x && p.y === tip.y && p.z === tip.z)) return;
  const rough = tolerance * (1 + radius / height);
  near(dot(minus(p, base), axis) / height, 0, rough, 'height over the base');
  check(length(minus(p, base)) <= radius + rough, 'off the disc');
});

test('[R3.8] directions of zero give points of the shape; out may be the direction', () => {
  const zero = { x: 0, y: 0, z: 0 };
  const a = { x: 1, y: 2, z: 3 };
  const b = { x: 1, y: 2, z: 5 };
  expect(supportSphere({ center: a, radius: 2 }, zero)).toEqual(a);
  expect(supportAabb({ min: a, max: b }, zero)).toEqual(b);
  expect(supportCapsule({ a, b, radius: 2 }, zero)).toEqual(a);
  expect(supportCylinder({ a, b, radius: 2 }, zero)).toEqual(a);
  expect(supportCone({ tip: a, base: b, radius: 2 }, zero)).toEqual(b);
  const out = { x: 3, y: 0, z: 0 };
  expect(supportCylinder({ a, b, radius: 2 }, out, out)).toBe(out);
  expect(out).toEqual({ x: 3, y: 2, z: 3 });
});

test('[R3.8] a direction along the axis, up to rounding, stays on the end of a cylinder', () => {
  const a = { x: 0.1, y: 0.2, z: 0.3 };
  const b = { x: 0.4, y: 0.7, z: 0.2 };
  for (const s of [1, 3, 0.1, 1e70, 1e-200]) {
    const p = supportCylinder({ a, b, radius: 100 }, times(minus(b, a), s));
    expect(Math.abs(dot(minus(p, b), minus(b, a)))).toBeLessThan(1e-13);
    expect(length(minus(p, b))).toBeLessThanOrEqual(100 + 1e-12);
  }
});

property('[R3.11] support of a sum and a difference: S_A(d) + S_B(d), S_A(d) - S_B(-d)', 10_000, (rng) => {
  const { points, radius, d } = draw(rng);
  const sphere = { center: points[0]!, radius };
  const cone = { tip: points[1]!, base: points[0]!, radius };
  const a = (v: ReadonlyVec3, out: Vec3) => supportSphere(sphere, v, out);
  const b = (v: ReadonlyVec3, out: Vec3) => supportCone(cone, v, out);
  const backwards = { x: -d.x, y: -d.y, z: -d.z };
  const [pa, pb, qb] = [supportSphere(sphere, d), supportCone(cone, d), supportCone(cone, backwards)];
  const same = (p: Vec3, x: number, y: number, z: number) => p.x === x && p.y === y && p.z === z;
  check(same(supportSum(a, b, d), pa.x + pb.x, pa.y + pb.y, pa.z + pb.z), 'sum');
  const out = { ...d };
  check(supportDifference(a, b, out, out) === out, 'out may be the direction');
  check(same(out, pa.x - qb.x, pa.y - qb.y, pa.z - qb.z), 'difference');
});

test('[R3.11] balls meet when no direction keeps their difference from the origin', () => {
  const ball = (x: number) => (v: ReadonlyVec3, out: Vec3) =>
    supportSphere({ center: { x, y: 0, z: 0 }, radius: 1 }, v, out);
  const left = { x: -1, y: 0, z: 0 };
  // The support of A ⊖ B towards the origin from afar: 2 - 1 - 1 = 0 when they touch, negative when apart.
  for (const [x, wanted] of [
    [2, 0],
    [1.5, 0.5],
    [3, -1],
  ] as const)
    expect(dot(supportDifference(ball(x), ball(0), left), left)).toBe(wanted);
});

test('refuses bad numbers by name', () => {
  const a = { x: 0, y: 0, z: 0 };
  expect(() => supportSphere({ center: a, radius: -1 }, a)).toThrow(/sphere\.radius must not be negative/);
  expect(() => supportCone({ tip: a, base: a, radius: 1 }, { x: 0, y: Number.NaN, z: 0 })).toThrow(
    /direction\.y/,
  );
  expect(() => supportAabb({ min: { x: 1, y: 0, z: 0 }, max: a }, a)).toThrow(/box\.min/);
  expect(() =>
    supportObb(
      { center: a, halfSize: { x: -1, y: 0, z: 0 }, rotation: { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] } },
      a,
    ),
  ).toThrow(/halfSize/);
});
