import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import {
  extent,
  judge,
  judgeContact,
  pointOffset,
  segmentOffset,
} from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Hit } from '../types.ts';
import { makeHit } from '../types.ts';
import {
  sweepSphereCapsule,
  sweepSpherePoint,
  sweepSphereSegment,
  sweepSphereSphere,
} from './sphere-round.ts';

const AXES = ['x', 'y', 'z'] as const;

interface Problem {
  center: Vec3;
  radius: number;
  /** Of the target. */
  thickness: number;
  motion: Vec3;
  a: Vec3;
  b: Vec3;
}

/** Motions at random, towards the target, along it, past it at the sum of the radii, and none. */
function draw(rng: Rng): Problem {
  const { points, size } = cloud(rng, 4);
  const [a, b, center, end] = points as [Vec3, Vec3, Vec3, Vec3];
  if (rng.chance(0.1)) Object.assign(b, a);
  if (rng.chance(0.1)) for (const k of AXES) b[k] = a[k] + 1e-6 * (b[k] - a[k]);
  const length = (): number =>
    rng.chance(0.1) ? 0 : rng.chance(0.4) ? rng.int(1, 2) * size * 0.25 : size * 10 ** rng.range(-4, 0.5);
  const radius = length();
  const thickness = length();
  const motion = vec3();
  const aim = rng.int(0, 5);
  const s = rng.unit();
  const stretch = rng.range(0.3, 3);
  const across = rng.direction();
  for (const k of AXES) {
    motion[k] = end[k] - center[k];
    if (aim === 0) motion[k] = stretch * (a[k] + s * (b[k] - a[k]) - center[k]);
    if (aim === 1) motion[k] = stretch * (b[k] - a[k]);
    if (aim === 2)
      motion[k] = stretch * (a[k] + s * (b[k] - a[k]) + (radius + thickness) * across[k] - center[k]);
  }
  if (aim === 3 && rng.chance(0.2)) Object.assign(motion, vec3());
  return { center, radius, thickness, motion, a, b };
}

function judgeRound(problem: Problem, target: 'point' | 'segment', thickness: number, hit: Hit | null): void {
  const { center, radius, motion, a, b } = problem;
  const radii = [radius, thickness];
  const points = target === 'point' ? [a] : [a, b];
  const asked = {
    center,
    motion,
    radii,
    offset: target === 'point' ? pointOffset(a) : segmentOffset(a, b),
    tolerance: 3 * SWEEP_SLACK * extent(center, motion, radii, points),
  };
  judge(asked, hit);
  if (hit === null) return;
  const coordinates = Math.max(
    ...points.map((p) => Math.hypot(p.x, p.y, p.z)),
    Math.hypot(center.x, center.y, center.z),
  );
  const noise = asked.tolerance + 4 * Number.EPSILON * (coordinates + thickness);
  const { t, point, normal } = hit;
  judgeContact(asked, hit, thickness + noise);
  // On the surfaces of both, with the normal from the one to the other.
  const gap = AXES.map((k) => center[k] + t * motion[k] - point[k]);
  const away = Math.hypot(...gap);
  if (t > 0) near(away, radius, noise, 'distance from the centre');
  else check(away <= radius + noise, 'the point is not in the sphere');
  const lean = gap[0]! * normal.x + gap[1]! * normal.y + gap[2]! * normal.z;
  if (away > 2 * noise) near(lean, away, noise, 'distance along the normal');
}

describe('a moving sphere against', () => {
  property('[R5.5.6] a point: never late, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng);
    judgeRound(problem, 'point', 0, sweepSpherePoint(problem, problem.motion, problem.a));
  });
  property('[R5.5.6] a segment: never late, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng);
    judgeRound(problem, 'segment', 0, sweepSphereSegment(problem, problem.motion, problem.a, problem.b));
  });
  property('[R5.5.5] a sphere: never late, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng);
    const other = { center: problem.a, radius: problem.thickness };
    judgeRound(problem, 'point', problem.thickness, sweepSphereSphere(problem, problem.motion, other));
  });
  property('[R5.5.6] a capsule: never late, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng);
    const capsule = { a: problem.a, b: problem.b, radius: problem.thickness };
    judgeRound(problem, 'segment', problem.thickness, sweepSphereCapsule(problem, problem.motion, capsule));
  });

  const ball = { center: vec3(0, 0, 0), radius: 1 };
  const other = { center: vec3(10, 0, 0), radius: 2 };

  test('[R5.5.5] head-on, t is the gap over the speed: a fraction of the motion, not a length', () => {
    for (const length of [7, 14, 70]) {
      const hit = sweepSphereSphere(ball, vec3(length, 0, 0), other)!;
      expect(hit.t).toBeCloseTo(7 / length, 13);
      expect(hit.point.x).toBeCloseTo(8, 13);
      expect(hit.normal.x).toBeCloseTo(-1, 13);
    }
    expect(sweepSphereSphere(ball, vec3(6.99, 0, 0), other)).toBeNull();
  });

  test('[R5.5.5] grazing, receding, without motion', () => {
    const graze = sweepSphereSphere({ center: vec3(0, 3, 0), radius: 1 }, vec3(20, 0, 0), other)!;
    // At a graze rounding by d moves the contact by √(2 r d): 3e-7 here.
    expect(graze.t).toBeCloseTo(0.5, 6);
    expect(graze.t).toBeLessThanOrEqual(0.5);
    expect(sweepSphereSphere({ center: vec3(0, 3.000001, 0), radius: 1 }, vec3(20, 0, 0), other)).toBeNull();
    expect(sweepSphereSphere(ball, vec3(-20, 0, 0), other)).toBeNull();
    expect(sweepSphereSphere(ball, vec3(), other)).toBeNull();
  });

  test('[R5.5.5] a start in touch, inside or around hits at 0', () => {
    const touching = sweepSphereSphere({ center: vec3(7, 0, 0), radius: 1 }, vec3(-1, 0, 0), other)!;
    expect(touching).toEqual({ t: 0, point: vec3(8, 0, 0), normal: vec3(-1, 0, 0) });
    const inside = sweepSphereSphere({ center: vec3(9.5, 0, 0), radius: 0.1 }, vec3(1, 0, 0), other)!;
    expect(inside).toEqual({ t: 0, point: vec3(9.5, 0, 0), normal: vec3(-1, 0, 0) });
    const around = sweepSphereSphere({ center: vec3(10, 5, 0), radius: 50 }, vec3(1, 0, 0), other)!;
    expect(around).toEqual({ t: 0, point: vec3(10, 2, 0), normal: vec3(0, 1, 0) });
    const same = sweepSphereSphere({ center: vec3(10, 0, 0), radius: 1 }, vec3(0, 0, 5), other)!;
    expect(same.normal.z).toBe(-1);
    const still = sweepSphereSphere({ center: vec3(10, 0, 0), radius: 0 }, vec3(), other)!;
    expect(Math.hypot(still.normal.x, still.normal.y, still.normal.z)).toBe(1);
  });

  test('the centre on a segment, without motion: the normal is across it', () => {
    const hit = sweepSphereSegment(
      { center: vec3(0, 1, 0), radius: 1 },
      vec3(),
      vec3(0, 0, 0),
      vec3(0, 2, 0),
    )!;
    expect(hit.normal.y).toBe(0);
    expect(Math.hypot(hit.normal.x, hit.normal.z)).toBe(1);
  });

  test('along a capsule just outside is a miss, over its end a hit', () => {
    const capsule = { a: vec3(0, 0, 0), b: vec3(10, 0, 0), radius: 1 };
    expect(sweepSphereCapsule({ center: vec3(-5, 2.001, 0), radius: 1 }, vec3(20, 0, 0), capsule)).toBeNull();
    const end = sweepSphereCapsule({ center: vec3(-5, 0, 0), radius: 1 }, vec3(6, 0, 0), capsule)!;
    expect(end.t).toBeCloseTo(0.5, 13);
    expect(end.point.x).toBeCloseTo(-1, 13);
  });

  test('out may hold the input, and bad numbers are named', () => {
    const out = makeHit();
    out.point = other.center;
    const hit = sweepSphereSphere(ball, vec3(14, 0, 0), { center: out.point, radius: 2 }, out)!;
    expect(hit.point.x).toBeCloseTo(8, 13);
    expect(() => sweepSphereSphere(ball, vec3(), { center: vec3(), radius: -2 })).toThrow(/other\.radius/);
    expect(() => sweepSphereCapsule(ball, vec3(Number.NaN), { a: vec3(), b: vec3(), radius: 2 })).toThrow(
      /motion\.x/,
    );
  });
});
