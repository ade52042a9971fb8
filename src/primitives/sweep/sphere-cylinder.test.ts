import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import { extent } from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { sweepSphereCylinder } from './sphere-cylinder.ts';

/**
 * The distance of p from the solid cylinder, in the plane of the axis and p: with the cross product for the distance
 * from the axis, where the function takes a difference.
 */
function distance(p: Vec3, a: Vec3, b: Vec3, radius: number): number {
  const axis = v3.sub(b, a);
  const m = v3.sub(p, a);
  const length = v3.length(axis);
  if (length === 0) return v3.length(m);
  const along = v3.dot(m, axis) / length;
  const across = v3.length(v3.cross(m, axis)) / length;
  return Math.hypot(Math.max(0, across - radius), Math.max(0, -along, along - length));
}

function draw(rng: Rng): { center: Vec3; radius: number; motion: Vec3; a: Vec3; b: Vec3; tube: number } {
  const { points, size } = cloud(rng, 4);
  const [a, b, center, end] = points as [Vec3, Vec3, Vec3, Vec3];
  if (rng.chance(0.05)) Object.assign(b, a);
  if (rng.chance(0.2)) Object.assign(b, { x: a.x, y: a.y });
  const length = (): number =>
    rng.chance(0.1) ? 0 : rng.chance(0.4) ? rng.int(1, 2) * size * 0.25 : size * 10 ** rng.range(-3, 0.3);
  const motion = v3.sub(end, center);
  const aim = rng.int(0, 4);
  if (aim === 0) v3.scale(v3.sub(v3.lerp(a, b, rng.unit()), center), rng.range(0.5, 3), motion);
  if (aim === 1) v3.scale(v3.sub(b, a), rng.range(-2, 2), motion);
  if (aim === 2 && rng.chance(0.2)) v3.set(0, 0, 0, motion);
  return { center, radius: length(), motion, a, b, tube: length() };
}

describe('sweepSphereCylinder', () => {
  let hits = 0;
  let cases = 0;
  property('[R5.5.7] stops at the radius from the cylinder, and not before or after', 20_000, (rng) => {
    const { center, radius, motion, a, b, tube } = draw(rng);
    const hit = sweepSphereCylinder({ center, radius }, motion, { a, b, radius: tube });
    cases++;
    const thick = v3.equals(a, b) ? 0 : tube;
    const at = (t: number): number => distance(v3.addScaled(center, motion, t), a, b, thick);
    // The oracle works with coordinates, and so do its errors. A cross product costs it a few more.
    const coordinates = v3.length(center) + v3.length(motion) + v3.length(a);
    const noise =
      4 * SWEEP_SLACK * extent(center, motion, [radius, thick], [a, b]) + 8 * Number.EPSILON * coordinates;
    if (hit === null) {
      // Convex: the least distance is where the slope changes its sign.
      let [low, high] = [0, 1];
      for (let i = 0; i < 80; i++) {
        const [s, t] = [low + (high - low) * 0.4, low + (high - low) * 0.6];
        if (at(s) < at(t)) high = t;
        else low = s;
      }
      for (const t of [0, 0.5 * (low + high), 1]) check(at(t) >= radius - noise, `missed at ${t}`);
      return;
    }
    hits++;
    const { t, point, normal } = hit;
    check(t >= 0 && t <= 1, `t = ${t}`);
    check(at(t) <= radius + noise, () => `early: ${at(t)} for ${radius}, ${noise}`);
    if (t > 0)
      for (const s of [0, 0.3, 0.9, 1])
        check(at(s * t) >= radius - noise, () => `late: ${at(s * t)} for ${radius}, ${noise}`);
    check(distance(point, a, b, thick) <= noise, () => `the point is ${distance(point, a, b, thick)} off`);
    near(v3.length(normal), 1, 4 * Number.EPSILON, 'length of the normal');
    const gap = v3.sub(v3.addScaled(center, motion, t), point);
    if (v3.length(gap) > 2 * noise)
      near(v3.dot(gap, normal), v3.length(gap), noise, 'distance along the normal');
  });
  test('[R5.5.7] random cylinders are hit and missed', () => {
    expect(hits / cases).toBeGreaterThan(0.3);
    expect(hits / cases).toBeLessThan(0.8);
  });

  const cylinder = { a: vec3(0, 0, 0), b: vec3(0, 0, 4), radius: 2 };

  test('side, end and rim', () => {
    const side = sweepSphereCylinder({ center: vec3(9, 0, 1), radius: 1 }, vec3(-12, 0, 0), cylinder)!;
    expect(side.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(side.point, vec3(2, 0, 1))).toBeLessThan(1e-13);
    const end = sweepSphereCylinder({ center: vec3(1, 1, 9), radius: 1 }, vec3(0, 0, -8), cylinder)!;
    expect(end.t).toBeCloseTo(0.5, 13);
    expect(end.normal.z).toBeCloseTo(1, 13);
    // Down on the rim, 0.6 outside it: contact at a height of 0.8 above the end.
    const rim = sweepSphereCylinder({ center: vec3(2.6, 0, 9.8), radius: 1 }, vec3(0, 0, -10), cylinder)!;
    expect(rim.t).toBeCloseTo(0.5, 13);
    expect(rim.normal.x).toBeCloseTo(0.6, 12);
    expect(
      sweepSphereCylinder({ center: vec3(3.01, 0, 9.8), radius: 1 }, vec3(0, 0, -20), cylinder),
    ).toBeNull();
  });

  test('a start inside hits at 0, and the normal is the shortest way out', () => {
    const side = sweepSphereCylinder({ center: vec3(1.5, 0, 2), radius: 0.1 }, vec3(0, 0, 1), cylinder)!;
    expect(side).toMatchObject({ t: 0, point: vec3(1.5, 0, 2), normal: vec3(1, 0, 0) });
    const end = sweepSphereCylinder({ center: vec3(0.5, 0, 3.9), radius: 0.1 }, vec3(0, 0, 1), cylinder)!;
    expect(end.normal.z).toBe(1);
    const axis = sweepSphereCylinder({ center: vec3(0, 0, 2), radius: 0.1 }, vec3(), {
      ...cylinder,
      radius: 1,
    })!;
    expect(axis.normal.z).toBeCloseTo(0, 15);
    expect(v3.length(axis.normal)).toBeCloseTo(1, 15);
    expect(() =>
      sweepSphereCylinder({ center: vec3(), radius: 1 }, vec3(), { ...cylinder, radius: -1 }),
    ).toThrow(/cylinder\.radius/);
  });
});
