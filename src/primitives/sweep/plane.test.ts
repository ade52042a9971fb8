import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact as E, property } from '../../../tests/kit/index.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Plane, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Hit } from '../types.ts';
import { sweepAabbPlane, sweepCapsulePlane, sweepObbPlane, sweepSpherePlane } from './plane.ts';

const AXES = ['x', 'y', 'z'] as const;

function draw(rng: Rng): {
  points: Vec3[];
  motion: Vec3;
  plane: Plane;
  size: number;
  scale: number;
  radius: number;
} {
  const { points, size, scale } = cloud(rng, 5);
  const [p, end, on] = [points[2]!, points[3]!, points[4]!];
  // Normals of any length, along an axis or across the motion now and then.
  const normal = rng.chance(0.3) ? vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(1, 2)) : rng.direction();
  const motion = v3.sub(end, p);
  if (rng.chance(0.1)) v3.cross(normal, motion, motion);
  if (rng.chance(0.05)) v3.set(0, 0, 0, motion);
  v3.scale(normal, rng.pick([1, 1, 7, 1e-3]), normal);
  const radius = rng.chance(0.1)
    ? 0
    : rng.chance(0.5)
      ? rng.int(1, 4) * size * 0.25
      : size * 10 ** rng.range(-4, 0.5);
  return { points, motion, plane: { normal, d: v3.dot(normal, on) }, size, scale, radius };
}

/**
 * A convex thing that is the hull of `corners` grown by `radius`, by exact arithmetic: is it on one side of the plane at
 * the time reported, and within `tolerance` of it? Misses: at 0 and at 1 it is on the same side.
 */
function judgePlane(
  corners: readonly Vec3[],
  radius: number,
  motion: Vec3,
  plane: Plane,
  tolerance: number,
  late: number,
  hit: Hit | null,
): void {
  const n = E.qv(plane.normal);
  const nn = E.vdot(n, n);
  const d = E.q(plane.d);
  const v = E.qv(motion);
  const heights = (t: number): E.Q[] =>
    corners.map((p) => E.sub(E.vdot(n, E.vadd(E.qv(p), E.vscale(v, E.q(t)))), d));
  const start = heights(0);
  const side = E.sign(start[0]!);
  /** How far the corner of height h is ahead of the radius, on the side of the start: the sign of h - r |n|. */
  const ahead = (h: E.Q, r: number): number => {
    const up = side < 0 ? E.neg(h) : h;
    const upSq = E.mul(up, up);
    const edgeSq = E.mul(E.mul(E.q(r), E.q(r)), nn);
    if (r < 0) return E.sign(up) >= 0 ? 1 : E.cmp(edgeSq, upSq);
    return E.sign(up) < 0 ? -1 : E.cmp(upSq, edgeSq);
  };
  const apartAtStart = side !== 0 && start.every((h) => ahead(h, radius) > 0);
  if (hit === null) {
    check(late > 0 || apartAtStart, 'a start in touch was missed');
    check(
      heights(1).every((h) => (late > 0 ? ahead(h, radius - late) >= 0 : ahead(h, radius) > 0)),
      'a hit was missed',
    );
    return;
  }
  const { t, point, normal } = hit;
  check(t >= 0 && t <= 1, `t = ${t}`);
  const then = heights(t);
  if (t > 0)
    check(
      then.every((h) => ahead(h, radius - late) >= 0),
      `late: ${t}`,
    );
  check(
    then.some((h) => ahead(h, radius + tolerance) <= 0),
    () => `early, t = ${t}: ${then.map((h) => E.toNumber(h))} with radius ${radius}, tolerance ${tolerance}`,
  );
  const length = Math.hypot(plane.normal.x, plane.normal.y, plane.normal.z);
  const off = E.toNumber(E.sub(E.vdot(n, E.qv(point)), d)) / length;
  check(Math.abs(off) <= 2 * tolerance, () => `the point is ${off} off the plane, tolerance ${tolerance}`);
  const one = Math.hypot(normal.x, normal.y, normal.z);
  check(Math.abs(one - 1) <= 4 * Number.EPSILON, 'normal');
  // A middle within rounding of the plane is taken to be in it.
  if (apartAtStart && start.every((h) => ahead(h, tolerance) > 0)) {
    const faces = (normal.x * plane.normal.x + normal.y * plane.normal.y + normal.z * plane.normal.z) * side;
    check(faces > 0, 'the normal is on the wrong side');
  }
}

const noiseOf = (plane: Plane, points: readonly Vec3[], motion: Vec3, size: number): number => {
  const n = Math.hypot(plane.normal.x, plane.normal.y, plane.normal.z);
  let far = Math.abs(plane.d) / n + 3 * size;
  for (const k of AXES) far += Math.abs(motion[k]) + 2 * Math.max(...points.map((p) => Math.abs(p[k])));
  return SWEEP_SLACK * far;
};

describe('against a plane', () => {
  property('[R5.5.3] a sphere is never late, from either side, by exact arithmetic', 10_000, (rng) => {
    const { points, motion, plane, radius } = draw(rng);
    const center = points[0]!;
    const hit = sweepSpherePlane({ center, radius }, motion, plane);
    judgePlane([center], radius, motion, plane, 3 * noiseOf(plane, [center], motion, radius), 0, hit);
  });

  property('[R5.5.3] a capsule is never late, from either side, by exact arithmetic', 10_000, (rng) => {
    const { points, motion, plane, radius } = draw(rng);
    const [a, b] = points as [Vec3, Vec3];
    const noise = noiseOf(plane, [a, b], motion, radius);
    const hit = sweepCapsulePlane({ a, b, radius }, motion, plane);
    judgePlane([a, b], radius, motion, plane, 3 * noise, 0, hit);
  });

  property('[R5.5.4] a box is never late, from either side, by exact arithmetic', 10_000, (rng) => {
    const { points, motion, plane } = draw(rng);
    const min = v3.min(points[0]!, points[1]!);
    const max = v3.max(points[0]!, points[1]!);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
      vec3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
    );
    const noise = noiseOf(plane, corners, motion, 0);
    const hit = sweepAabbPlane({ min, max }, motion, plane);
    judgePlane(corners, 0, motion, plane, 3 * noise, 0, hit);
    if (hit)
      for (const k of AXES) {
        const at = hit.point[k] - hit.t * motion[k];
        check(at >= min[k] - noise && at <= max[k] + noise, 'the point is not on the box');
      }
  });

  property('[R5.5.4] an oriented box is never late, from either side, by exact arithmetic', 10_000, (rng) => {
    const { points, motion, plane } = draw(rng);
    const center = points[0]!;
    const halfSize = v3.abs(v3.sub(points[1]!, points[2]!));
    const q = rng.rotation();
    const columns = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((axis) => v3.rotate(axis, q));
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
      const corner = v3.copy(center);
      v3.addScaled(corner, columns[0]!, (i & 1 ? 1 : -1) * halfSize.x, corner);
      v3.addScaled(corner, columns[1]!, (i & 2 ? 1 : -1) * halfSize.y, corner);
      return v3.addScaled(corner, columns[2]!, (i & 4 ? 1 : -1) * halfSize.z, corner);
    });
    const box = { center, halfSize, rotation: { elements: columns.flatMap(({ x, y, z }) => [x, y, z]) } };
    const noise = noiseOf(plane, corners, motion, 0);
    // The corners are rounded here, so that a box that stops within that of the plane may be seen on either side.
    const late = 8 * Number.EPSILON * Math.max(...corners.map((p) => Math.hypot(p.x, p.y, p.z)));
    const hit = sweepObbPlane(box, motion, plane);
    judgePlane(corners, 0, motion, plane, 3 * noise + late, late, hit);
    if (hit) {
      const at = v3.addScaled(v3.sub(hit.point, center), motion, -hit.t);
      columns.forEach((axis, i) => {
        check(Math.abs(v3.dot(at, axis)) <= halfSize[AXES[i]!] + noise, 'the point is not on the box');
      });
    }
  });

  const floor = { normal: vec3(0, 0, 2), d: 0 };

  test('[R5.5.3] both sides, receding, parallel, short of it', () => {
    const above = sweepSpherePlane({ center: vec3(1, 2, 3), radius: 1 }, vec3(0, 0, -4), floor)!;
    expect(above.t).toBeCloseTo(0.5, 13);
    expect(above.normal).toEqual(vec3(0, 0, 1));
    expect(above.point.x).toBe(1);
    const below = sweepSpherePlane({ center: vec3(1, 2, -3), radius: 1 }, vec3(0, 0, 4), floor)!;
    expect(below.t).toBeCloseTo(0.5, 13);
    expect(below.normal.z).toBe(-1);
    expect(sweepSpherePlane({ center: vec3(1, 2, 3), radius: 1 }, vec3(0, 0, 4), floor)).toBeNull();
    expect(sweepSpherePlane({ center: vec3(1, 2, 3), radius: 1 }, vec3(4, 0, 0), floor)).toBeNull();
    expect(sweepSpherePlane({ center: vec3(1, 2, 3), radius: 1 }, vec3(0, 0, -1.9), floor)).toBeNull();
    expect(sweepSpherePlane({ center: vec3(1, 2, 3), radius: 1 }, vec3(), floor)).toBeNull();
  });

  test('[R5.5.3] a start that cuts the plane hits at 0, at the foot of the centre', () => {
    const hit = sweepSpherePlane({ center: vec3(1, 2, -0.5), radius: 1 }, vec3(0, 0, -4), floor)!;
    expect(hit.t).toBe(0);
    expect(v3.distance(hit.point, vec3(1, 2, 0))).toBe(0);
    expect(hit.normal.z).toBe(-1);
    expect(sweepSpherePlane({ center: vec3(), radius: 1 }, vec3(0, 0, -4), floor)!.normal.z).toBe(1);
    expect(sweepSpherePlane({ center: vec3(), radius: 0 }, vec3(0, 0, 4), floor)!.normal.z).toBe(-1);
  });

  test('[R5.5.4] the contact is a corner, or the middle of an edge or face that comes down flat', () => {
    const box = { min: vec3(-1, -2, 3), max: vec3(1, 2, 5) };
    const flat = sweepAabbPlane(box, vec3(0, 0, -6), floor)!;
    expect(flat.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(flat.point, vec3(0, 0, 0))).toBeLessThan(1e-13);
    const roof = sweepAabbPlane(box, vec3(0, 0, -6), { normal: vec3(1, 0, 1), d: 0 })!;
    expect(roof.t).toBeCloseTo(2 / 6, 13);
    expect(v3.distance(roof.point, vec3(-1, 0, 1))).toBeLessThan(1e-13);
    const corner = sweepAabbPlane(box, vec3(0, 0, -6), { normal: vec3(1, 1, 1), d: 0 })!;
    expect(corner.t).toBeCloseTo(0, 13);
    expect(v3.distance(corner.point, vec3(-1, -2, 3))).toBeLessThan(1e-13);
    // Cut by the plane from the start: a point of both, though the foot of the centre would be off the box.
    const cut = sweepAabbPlane({ min: vec3(0, 0, -0.1), max: vec3(0.2, 0.2, 9.9) }, vec3(), {
      normal: vec3(3, 3, 1),
      d: 0,
    })!;
    expect(cut.t).toBe(0);
    expect(cut.point.x).toBeGreaterThanOrEqual(0);
    expect(Math.abs(3 * cut.point.x + 3 * cut.point.y + cut.point.z)).toBeLessThan(1e-14);
  });

  test('bad input is named', () => {
    const sphere = { center: vec3(), radius: 1 };
    expect(() => sweepSpherePlane(sphere, vec3(), { normal: vec3(), d: 0 })).toThrow(/plane\.normal/);
    expect(() => sweepSpherePlane(sphere, vec3(), { normal: vec3(0, 0, 1), d: Number.NaN })).toThrow(
      /plane\.d/,
    );
    expect(() => sweepAabbPlane({ min: vec3(1), max: vec3() }, vec3(), floor)).toThrow(/box/);
    expect(() => sweepCapsulePlane({ a: vec3(), b: vec3(), radius: -1 }, vec3(), floor)).toThrow(
      /capsule\.radius/,
    );
  });
});
