import { describe, expect, test } from 'vitest';
import { check, cloud, property, type Rng } from '../../../tests/kit/index.ts';
import type { Mat3, Plane, Vec3 } from '../../math/types.ts';
import { mat3, vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import {
  containsAabbHalfspace,
  containsConeHalfspace,
  containsObbHalfspace,
  containsSphereHalfspace,
} from '../contain/halfspace.ts';
import type { Cone } from '../types.ts';
import { coneFromHalfAngle } from './cone.ts';
import {
  overlapAabbHalfspace,
  overlapAabbPlane,
  overlapConeHalfspace,
  overlapConePlane,
  overlapObbHalfspace,
  overlapObbPlane,
  overlapSphereHalfspace,
  overlapSpherePlane,
} from './plane.ts';

/** A plane near the points, through one of them more often than not, its normal of any length. */
function drawPlane(rng: Rng, near: Vec3): Plane {
  const integer = vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2));
  const normal =
    rng.chance(0.4) && m.lengthSq(integer) > 0 ? integer : m.scale(rng.direction(), rng.pick([1, 7, 0.01]));
  return { normal, d: m.dot(normal, near) };
}

const matrixOf = (q: { x: number; y: number; z: number; w: number }): Mat3 => ({
  elements: [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].flatMap((e) => {
    const { x, y, z } = m.rotate(e, q);
    return [x, y, z];
  }),
});

/** Compares the three answers with the extent [low, high] of n · x - d, known within `error`. */
function agree(
  answers: { cuts: boolean; meets: boolean; inside: boolean },
  low: number,
  high: number,
  error: number,
  what: () => string,
): void {
  if (Math.abs(low) > error) check(answers.meets === low < 0, () => `meets: ${what()}`);
  if (Math.abs(high) > error) check(answers.inside === high < 0, () => `inside: ${what()}`);
  if (Math.abs(low) > error && Math.abs(high) > error)
    check(answers.cuts === (low < 0 && high > 0), () => `cuts: ${what()}`);
}

property('[R5.2.2] a sphere equals its extreme points along the normal', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 2);
  const [center, at] = points as [Vec3, Vec3];
  const sphere = { center, radius: rng.pick([0, size, rng.range(0, 2) * size]) };
  const plane = drawPlane(rng, at);
  const unit = m.normalize(plane.normal);
  const height = (p: Vec3) => m.dot(plane.normal, p) - plane.d;
  const low = height(m.addScaled(center, unit, -sphere.radius));
  const high = height(m.addScaled(center, unit, sphere.radius));
  const answers = {
    cuts: overlapSpherePlane(sphere, plane),
    meets: overlapSphereHalfspace(sphere, plane),
    inside: containsSphereHalfspace(sphere, plane),
  };
  agree(answers, low, high, 2e-15 * m.length(plane.normal) * (scale + sphere.radius), () =>
    JSON.stringify([sphere, plane]),
  );
});

property('[R5.2.3] a box equals the signs at its eight corners, to the last bit', 20_000, (rng) => {
  const { points } = cloud(rng, 3);
  const [p, q, r] = points as [Vec3, Vec3, Vec3];
  const box = { min: m.min(p, q), max: m.max(p, q) };
  const corners: Vec3[] = [];
  for (let i = 0; i < 8; i++)
    corners.push(
      vec3(i & 1 ? box.min.x : box.max.x, i & 2 ? box.min.y : box.max.y, i & 4 ? box.min.z : box.max.z),
    );
  const plane = drawPlane(rng, rng.chance(0.5) ? rng.pick(corners) : r);
  const along = corners.map((c) => m.dot(plane.normal, c));
  const behind = along.some((s) => s <= plane.d);
  const ahead = along.some((s) => s >= plane.d);
  const what = () => JSON.stringify([box, plane]);
  check(overlapAabbPlane(box, plane) === (behind && ahead), what);
  check(overlapAabbHalfspace(box, plane) === behind, what);
  check(containsAabbHalfspace(box, plane) === along.every((s) => s <= plane.d), what);
});

property('[R5.2.3] an oriented box equals the signs at its eight corners', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 2);
  const [center, at] = points as [Vec3, Vec3];
  const halfSize = vec3(rng.unit() * size, rng.pick([0, rng.unit()]) * size, rng.unit() * size);
  const rotation = matrixOf(rng.rotation());
  const corners: Vec3[] = [];
  for (let i = 0; i < 8; i++) {
    const local = vec3(
      i & 1 ? halfSize.x : -halfSize.x,
      i & 2 ? halfSize.y : -halfSize.y,
      i & 4 ? halfSize.z : -halfSize.z,
    );
    corners.push(m.add(center, m.transform(local, rotation)));
  }
  const plane = drawPlane(rng, rng.chance(0.3) ? rng.pick(corners) : at);
  const box = { center, halfSize, rotation };
  const heights = corners.map((c) => m.dot(plane.normal, c) - plane.d);
  const answers = {
    cuts: overlapObbPlane(box, plane),
    meets: overlapObbHalfspace(box, plane),
    inside: containsObbHalfspace(box, plane),
  };
  agree(answers, Math.min(...heights), Math.max(...heights), 4e-15 * m.length(plane.normal) * scale, () =>
    JSON.stringify([box, plane]),
  );
});

describe('cone', () => {
  /** The tip and points all around the rim; the extreme of n · x on the rim lies between samples by 1 - cos(step / 2). */
  function sampled(cone: Cone, plane: Plane, steps: number): { low: number; high: number } {
    const axis = m.normalize(m.sub(cone.base, cone.tip));
    const u = m.perpendicular(axis);
    const v = m.cross(axis, u);
    let low = m.dot(plane.normal, cone.tip) - plane.d;
    let high = low;
    for (let i = 0; i < steps; i++) {
      const a = (2 * Math.PI * i) / steps;
      const rim = m.addScaled(
        m.addScaled(cone.base, u, cone.radius * Math.cos(a)),
        v,
        cone.radius * Math.sin(a),
      );
      const height = m.dot(plane.normal, rim) - plane.d;
      low = Math.min(low, height);
      high = Math.max(high, height);
    }
    return { low, high };
  }

  const answersOf = (cone: Cone, plane: Plane) => ({
    cuts: overlapConePlane(cone, plane),
    meets: overlapConeHalfspace(cone, plane),
    inside: containsConeHalfspace(cone, plane),
  });

  property('[R5.2.4] equals points sampled on the rim', 10_000, (rng) => {
    const { points, size, scale } = cloud(rng, 3);
    const [tip, base, at] = points as [Vec3, Vec3, Vec3];
    if (m.equals(tip, base)) return;
    const cone = { tip, base, radius: rng.pick([0, 1, rng.unit()]) * size };
    const plane = drawPlane(rng, at);
    if (rng.chance(0.2)) {
      m.sub(base, tip, plane.normal); // axis parallel to the normal
      plane.d = m.dot(plane.normal, rng.pick([tip, base, at]));
    }
    const steps = 48;
    const { low, high } = sampled(cone, plane, steps);
    const length = m.length(plane.normal);
    const missed = length * cone.radius * (1 - Math.cos(Math.PI / steps));
    agree(answersOf(cone, plane), low, high, missed + 1e-14 * length * scale, () =>
      JSON.stringify([cone, plane]),
    );
  });

  property('[R5.2.4] equals 10⁴ points on the rim', 100, (rng) => {
    const cone = { tip: rng.vec(1), base: rng.vec(1), radius: rng.unit() };
    const plane = drawPlane(rng, rng.vec(1));
    const { low, high } = sampled(cone, plane, 10_000);
    const error = m.length(plane.normal) * (cone.radius * 5e-8 + 1e-14);
    agree(answersOf(cone, plane), low, high, error, () => JSON.stringify([cone, plane]));
  });

  test('[R5.2.4] a plane at a right angle to the axis touches the tip, the disc, or neither', () => {
    const cone = { tip: vec3(0, 0, 2), base: vec3(0, 0, 0), radius: 1 };
    const answers = (d: number, sign = 1) =>
      answersOf(cone, { normal: vec3(0, 0, 3 * sign), d: 3 * d * sign });
    expect(answers(2)).toEqual({ cuts: true, meets: true, inside: true });
    expect(answers(0)).toEqual({ cuts: true, meets: true, inside: false });
    expect(answers(2.001)).toEqual({ cuts: false, meets: true, inside: true });
    expect(answers(-0.001)).toEqual({ cuts: false, meets: false, inside: false });
    expect(answers(2, -1)).toEqual({ cuts: true, meets: true, inside: false });
  });

  test('[R5.2.4] the rim on the side away from the tip decides', () => {
    const cone = { tip: vec3(-1, 0, 0), base: vec3(1, 0, 0), radius: 3 };
    expect(overlapConePlane(cone, { normal: vec3(0, 1, 0), d: 3 })).toBe(true);
    expect(overlapConePlane(cone, { normal: vec3(0, 1, 0), d: -3 })).toBe(true);
    expect(overlapConePlane(cone, { normal: vec3(0, 1, 0), d: 3.1 })).toBe(false);
  });

  test('[R5.2.4] the half-angle gives the radius', () => {
    const cone = coneFromHalfAngle(vec3(0, 0, 5), vec3(0, 0, 2), Math.PI / 4);
    expect(cone.radius).toBeCloseTo(3, 12);
    expect(() => coneFromHalfAngle(vec3(), vec3(1, 0, 0), Math.PI / 2)).toThrow(/halfAngle/);
    expect(() => coneFromHalfAngle(vec3(), vec3(1, 0, 0), Number.NaN)).toThrow(/halfAngle/);
  });

  property('[R5.2.4] each line from the tip makes the half-angle with the axis', 10_000, (rng) => {
    const { points, scale } = cloud(rng, 2);
    const [tip, base] = points as [Vec3, Vec3];
    const angle = rng.range(0, 1.5);
    const cone = coneFromHalfAngle(tip, base, angle);
    const height = m.distance(tip, base);
    check(Math.abs(cone.radius - height * Math.tan(angle)) <= 1e-14 * (scale + cone.radius), 'radius');
    check(m.equals(cone.tip, tip) && m.equals(cone.base, base), 'points');
  });

  test('[R5.2.4] without an axis it is the ball of all its discs', () => {
    const cone = { tip: vec3(1, 1, 1), base: vec3(1, 1, 1), radius: 1 };
    expect(overlapConePlane(cone, { normal: vec3(0, 2, 0), d: 4 })).toBe(true);
    expect(overlapConePlane(cone, { normal: vec3(0, 2, 0), d: 4.1 })).toBe(false);
  });
});

test('[R5.2.2-3] the length of the normal does not matter', () => {
  const sphere = { center: vec3(3, 0, 0), radius: 1 };
  for (const s of [1, 7, 1e-3]) {
    expect(overlapSpherePlane(sphere, { normal: vec3(s, 0, 0), d: 2 * s })).toBe(true);
    expect(overlapSpherePlane(sphere, { normal: vec3(s, 0, 0), d: 1.9 * s })).toBe(false);
    expect(containsSphereHalfspace(sphere, { normal: vec3(s, 0, 0), d: 4.5 * s })).toBe(true);
  }
});

test('[R5.2.2-3] bad input is refused by name', () => {
  const plane = { normal: vec3(1, 0, 0), d: 0 };
  expect(() => overlapSpherePlane({ center: vec3(), radius: -1 }, plane)).toThrow(/sphere\.radius/);
  expect(() => overlapAabbPlane({ min: vec3(1, 0, 0), max: vec3() }, plane)).toThrow(/box/);
  expect(() => overlapConePlane({ tip: vec3(), base: vec3(), radius: -2 }, plane)).toThrow(/cone\.radius/);
  const box = { center: vec3(), halfSize: vec3(-1, 1, 1), rotation: mat3() };
  expect(() => overlapObbPlane(box, plane)).toThrow(/box\.halfSize/);
  expect(() => containsObbHalfspace({ ...box, halfSize: vec3() }, { normal: vec3(), d: Number.NaN })).toThrow(
    /plane\.d/,
  );
});
