import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Offset } from '../../../tests/sweep/exact-oracle.ts';
import { boxOffset, dot, extent, judge, judgeContact, sub, vec } from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Hit } from '../types.ts';
import { makeHit } from '../types.ts';
import { sweepSphereAabb, sweepSphereObb } from './sphere-box.ts';

const AXES = ['x', 'y', 'z'] as const;

function draw(rng: Rng): { center: Vec3; radius: number; motion: Vec3; min: Vec3; max: Vec3; size: number } {
  const { points, size } = cloud(rng, 4);
  const [p, q, center, end] = points as [Vec3, Vec3, Vec3, Vec3];
  const min = v3.min(p, q);
  const max = v3.max(p, q);
  const radius = rng.chance(0.1)
    ? 0
    : rng.chance(0.4)
      ? rng.int(1, 2) * size * 0.25
      : size * 10 ** rng.range(-4, 0.5);
  const motion = v3.sub(end, center);
  const aim = rng.int(0, 5);
  const stretch = rng.range(0.3, 3);
  const across = rng.direction();
  if (aim <= 1)
    for (const k of AXES) {
      // At a point of the box, or a radius away from one of its corners.
      const at = rng.pick([min[k], max[k], rng.range(min[k], max[k])]);
      motion[k] = stretch * (at + (aim === 1 ? radius * across[k] : 0) - center[k]);
    }
  if (aim === 2) motion[rng.pick(AXES)] = 0;
  if (aim === 3 && rng.chance(0.2)) Object.assign(motion, vec3());
  return { center, radius, motion, min, max, size };
}

function judgeBox(
  { center, radius, motion }: { center: Vec3; radius: number; motion: Vec3 },
  offset: Offset,
  corners: readonly Vec3[],
  late: number,
  hit: Hit | null,
): void {
  const coordinates = Math.max(...corners.map((p) => Math.hypot(p.x, p.y, p.z)));
  const size = extent(center, motion, [radius], corners);
  const asked = { center, motion, radii: [radius], offset, tolerance: 4 * SWEEP_SLACK * size + late, late };
  judge(asked, hit);
  if (hit === null) return;
  const noise =
    asked.tolerance + 8 * Number.EPSILON * (coordinates + Math.hypot(center.x, center.y, center.z));
  judgeContact(asked, hit, noise);
  const gap = AXES.map((k) => center[k] + hit.t * motion[k] - hit.point[k]);
  const away = Math.hypot(...gap);
  if (hit.t > 0) near(away, radius, noise, 'distance from the centre');
  else check(away <= radius + noise, 'the point is not in the sphere');
  const lean = gap[0]! * hit.normal.x + gap[1]! * hit.normal.y + gap[2]! * hit.normal.z;
  if (away > 2 * noise) near(lean, away, noise, 'distance along the normal');
}

describe('sweepSphereAabb', () => {
  property('[R5.5.7] is never late and early by rounding only, by exact arithmetic', 20_000, (rng) => {
    const problem = draw(rng);
    const { min, max, motion } = problem;
    judgeBox(problem, boxOffset(min, max), [min, max], 0, sweepSphereAabb(problem, motion, { min, max }));
  });

  const box = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };

  test('[R5.5.7] a path through the corner of the grown box only is a miss', () => {
    // Passes (1, 1, 0) + (0.8, 0.8) at right angles to the diagonal: inside the square corner, outside the round one.
    const sphere = { center: vec3(1.8 + 3, 1.8 - 3, 0), radius: 1 };
    expect(sweepSphereAabb(sphere, vec3(-6, 6, 0), box)).toBeNull();
    expect(sweepSphereAabb({ ...sphere, radius: 1.2 }, vec3(-6, 6, 0), box)).not.toBeNull();
    // The same at a corner in three dimensions.
    const corner = { center: vec3(1.6 + 3, 1.6 - 3, 1.6), radius: 1 };
    expect(sweepSphereAabb(corner, vec3(-6, 6, 0), box)).toBeNull();
  });

  test('[R5.5.7] a face, an edge and a corner', () => {
    const face = sweepSphereAabb({ center: vec3(4, 0.5, 0), radius: 1 }, vec3(-4, 0, 0), box)!;
    expect(face.t).toBeCloseTo(0.5, 13);
    expect(face.normal).toEqual(vec3(1, 0, 0));
    const d = Math.SQRT1_2;
    const edge = sweepSphereAabb({ center: vec3(4, 4, 0), radius: 1 }, vec3(-6, -6, 0), box)!;
    expect(edge.t).toBeCloseTo((3 - d) / 6, 13);
    expect(edge.normal.x).toBeCloseTo(d, 13);
    expect(edge.point.y).toBeCloseTo(1, 13);
    const s = 1 / Math.sqrt(3);
    const corner = sweepSphereAabb({ center: vec3(4, 4, 4), radius: 1 }, vec3(-6, -6, -6), box)!;
    expect(corner.t).toBeCloseTo((3 - s) / 6, 13);
    expect(corner.normal.z).toBeCloseTo(s, 13);
  });

  test('[R5.5.7] a start inside hits at 0, with the normal of the nearest face', () => {
    const inside = sweepSphereAabb({ center: vec3(0.9, 0, 0), radius: 0.01 }, vec3(5, 0, 0), box)!;
    expect(inside).toEqual({ t: 0, point: vec3(0.9, 0, 0), normal: vec3(1, 0, 0) });
    const touching = sweepSphereAabb({ center: vec3(0, 0, 2), radius: 1 }, vec3(5, 0, 0), box)!;
    expect(touching).toEqual({ t: 0, point: vec3(0, 0, 1), normal: vec3(0, 0, 1) });
    const flat = { min: vec3(-1, -1, 0), max: vec3(1, 1, 0) };
    expect(sweepSphereAabb({ center: vec3(), radius: 1 }, vec3(0, 0, 1), flat)!.normal.z).toBe(-1);
    expect(sweepSphereAabb({ center: vec3(), radius: 1 }, vec3(0, 0, -1), flat)!.normal.z).toBe(1);
  });

  test('bad numbers are named, and an inverted box is refused', () => {
    const sphere = { center: vec3(), radius: 1 };
    expect(() => sweepSphereAabb(sphere, vec3(), { min: vec3(1, 0, 0), max: vec3() })).toThrow(/box\.min/);
    expect(() => sweepSphereAabb(sphere, vec3(), { min: vec3(Number.NaN, 0, 0), max: vec3() })).toThrow(
      /box\.min\.x/,
    );
    expect(() => sweepSphereAabb({ ...sphere, radius: -1 }, vec3(), box)).toThrow(/sphere\.radius/);
    expect(sweepSphereAabb(sphere, vec3(), box, makeHit())).not.toBeNull();
  });
});

describe('sweepSphereObb', () => {
  property('[R5.5.7] is never late and early by rounding only, by exact arithmetic', 10_000, (rng) => {
    const { center, radius, motion, min, max, size } = draw(rng);
    const q = rng.rotation();
    const columns = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((axis) => v3.rotate(axis, q));
    const rotation = { elements: columns.flatMap(({ x, y, z }) => [x, y, z]) };
    const box = { center: v3.lerp(min, max, 0.5), halfSize: v3.scale(v3.sub(max, min), 0.5), rotation };
    // In the axes of the box, exactly; but these are unit vectors at right angles only up to rounding.
    const offset: Offset = (f, p) => {
      const m = sub(f, p, vec(f, box.center));
      const local = columns.map((axis) => dot(f, m, vec(f, axis))) as unknown as readonly [
        (typeof m)[0],
        (typeof m)[0],
        (typeof m)[0],
      ];
      const way = boxOffset(v3.negate(box.halfSize), box.halfSize)(f, local);
      const world = [0, 1, 2].map((k) =>
        dot(f, way, columns.map((axis) => f.of([axis.x, axis.y, axis.z][k]!)) as unknown as typeof way),
      );
      return world as unknown as typeof way;
    };
    const late = 16 * Number.EPSILON * (size + extent(center, motion, [radius], [box.center]));
    judgeBox(
      { center, radius, motion },
      offset,
      [min, max],
      late,
      sweepSphereObb({ center, radius }, motion, box),
    );
  });

  test('[R5.5.7] a box turned by 45 degrees is met at its edge', () => {
    const s = Math.SQRT1_2;
    const box = {
      center: vec3(10, 0, 0),
      halfSize: vec3(1, 1, 1),
      rotation: { elements: [s, s, 0, -s, s, 0, 0, 0, 1] },
    };
    const hit = sweepSphereObb({ center: vec3(0, 0, 0.5), radius: 1 }, vec3(20, 0, 0), box)!;
    expect(hit.t).toBeCloseTo((9 - Math.SQRT2) / 20, 13);
    expect(hit.normal.x).toBeCloseTo(-1, 13);
    expect(hit.point.x).toBeCloseTo(10 - Math.SQRT2, 13);
    expect(() =>
      sweepSphereObb({ center: vec3(), radius: 1 }, vec3(), { ...box, halfSize: vec3(-1, 0, 0) }),
    ).toThrow(/halfSize/);
  });
});
