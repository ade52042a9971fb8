import { describe, expect, test } from 'vitest';
import { between, degeneratePoints, nudge, reach, span } from '../../../tests/kit/degenerate-points.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { cross, distance, dot, equals, lengthSq, normalize, sub } from '../../math/vec3.ts';
import {
  closestPointCapsule,
  closestPointCone,
  closestPointCylinder,
  closestPointDisc,
  closestPointSphere,
  distancePointCapsule,
  distancePointCone,
  distancePointCylinder,
  distancePointDisc,
  distancePointSphere,
} from './round.ts';

const U = 2 ** -53;

/** How far a convex set reaches along a unit direction, relative to a: what defines the set. */
type Support = (direction: Vec3) => number;

/** Radius times the sine between the direction and the axis: how far a disc reaches. */
const rim = (direction: Vec3, axis: Vec3, radius: number): number =>
  lengthSq(axis) > 0 ? radius * Math.sqrt(lengthSq(cross(direction, normalize(axis)))) : radius;

/**
 * q is the closest point exactly if it is in the set, which reaches no less than q in any direction, and the set
 * reaches no farther than q in the direction of p.
 */
function judge(
  rng: Rng,
  p: Vec3,
  a: Vec3,
  size: number,
  q: Vec3,
  gap: number,
  support: Support,
  tolerance: number,
): void {
  const own = sub(q, a);
  for (let i = 0; i < 12; i++) {
    const direction = rng.direction();
    check(dot(own, direction) <= support(direction) + tolerance, 'in the set');
  }
  const apart = distance(p, q);
  near(gap, apart, tolerance, 'distance');
  if (apart <= tolerance) return;
  // The direction is uncertain by tolerance / apart, which moves a point of the set by that times its distance.
  const way = normalize(sub(p, q));
  const slack = tolerance + (tolerance / apart) * (size + apart);
  check(support(way) <= dot(own, way) + slack, () => `${support(way)} beyond ${dot(own, way)}`);
  check(dot(own, way) <= support(way) + slack, 'in the set, towards p');
}

function draw(rng: Rng): { p: Vec3; a: Vec3; b: Vec3; radius: number; tolerance: number } {
  const shape = cloud(rng, 3);
  const [p, a, b] = degeneratePoints(rng, shape) as [Vec3, Vec3, Vec3];
  const radius = rng.pick([0, shape.size, shape.size * rng.unit(), shape.size * 10 ** -rng.range(0, 9)]);
  const at = rng.chance(0.3) ? nudge(rng, between(rng, a, b), radius) : p;
  const tolerance = 32 * U * (span([at, a, b]) + radius) + 8 * U * reach([at, a, b]);
  return { p: at, a, b, radius, tolerance };
}

describe('point and round things', () => {
  property('sphere: optimal, inside itself', 10_000, (rng) => {
    const { p, a, radius, tolerance } = draw(rng);
    const sphere = { center: a, radius };
    const q = closestPointSphere(p, sphere);
    judge(rng, p, a, 2 * radius, q, distancePointSphere(p, sphere), () => radius, tolerance);
    if (distance(p, a) < radius * (1 - 4 * U)) check(equals(p, q), 'inside, itself');
    check(closestPointSphere(p, sphere, a) === a && equals(a, q), 'out may be the centre');
  });

  property('capsule: optimal', 10_000, (rng) => {
    const { p, a, b, radius, tolerance } = draw(rng);
    const capsule = { a, b, radius };
    const reaches = (d: Vec3) => Math.max(0, dot(sub(b, a), d)) + radius;
    const q = closestPointCapsule(p, capsule);
    const size = distance(a, b) + 2 * radius;
    judge(rng, p, a, size, q, distancePointCapsule(p, capsule), reaches, tolerance);
  });

  property('disc: optimal, with a normal of any length', 10_000, (rng) => {
    const { p, a, radius, tolerance } = draw(rng);
    const n = rng.direction();
    const k = 10 ** rng.range(-6, 6);
    const normal = vec3(n.x * k, n.y * k, n.z * k);
    const q = closestPointDisc(p, a, normal, radius);
    judge(
      rng,
      p,
      a,
      2 * radius,
      q,
      distancePointDisc(p, a, normal, radius),
      (d) => rim(d, n, radius),
      2 * tolerance,
    );
  });

  property('cylinder: optimal, inside itself', 10_000, (rng) => {
    const { p, a, b, radius, tolerance } = draw(rng);
    const cylinder = { a, b, radius };
    const axis = sub(b, a);
    const reaches = (d: Vec3) => Math.max(0, dot(axis, d)) + rim(d, axis, radius);
    const q = closestPointCylinder(p, cylinder);
    const gap = distancePointCylinder(p, cylinder);
    judge(rng, p, a, distance(a, b) + 2 * radius, q, gap, reaches, 2 * tolerance);
    check(gap > 0 || equals(p, q), 'inside, itself');
  });

  property('cone: optimal, inside itself', 10_000, (rng) => {
    const { p, a, b, radius, tolerance } = draw(rng);
    const cone = { tip: a, base: b, radius };
    const axis = sub(b, a);
    const reaches = (d: Vec3) => Math.max(0, dot(axis, d) + rim(d, axis, radius));
    const q = closestPointCone(p, cone);
    judge(rng, p, a, distance(a, b) + 2 * radius, q, distancePointCone(p, cone), reaches, 2 * tolerance);
  });

  test('by hand', () => {
    expect(closestPointSphere(vec3(5, 0, 0), { center: vec3(1, 0, 0), radius: 2 })).toEqual(vec3(3, 0, 0));
    const capsule = { a: vec3(0, 0, 0), b: vec3(4, 0, 0), radius: 1 };
    expect(closestPointCapsule(vec3(2, 5, 0), capsule)).toEqual(vec3(2, 1, 0));
    expect(distancePointCapsule(vec3(7, 4, 0), capsule)).toBe(4);
    expect(closestPointCylinder(vec3(7, 0.5, 0), capsule)).toEqual(vec3(4, 0.5, 0));
    expect(distancePointCylinder(vec3(7, 5, 0), capsule)).toBe(5);
    expect(closestPointDisc(vec3(0, 5, 4), vec3(), vec3(0, 0, 9), 2)).toEqual(vec3(0, 2, 0));
    const cone = { tip: vec3(0, 0, 4), base: vec3(0, 0, 0), radius: 3 };
    expect(closestPointCone(vec3(0, 0, 9), cone)).toEqual(vec3(0, 0, 4));
    expect(closestPointCone(vec3(1, 1, -2), cone)).toEqual(vec3(1, 1, 0));
    expect(closestPointCone(vec3(1, 0, 1), cone)).toEqual(vec3(1, 0, 1));
    near(distancePointCone(vec3(4, 0, 4), cone), 3.2, 4 * U); // 4 × 4/5 from the slant
    expect(distancePointSphere(vec3(1, 0, 0), { center: vec3(), radius: 2 })).toBe(0);
  });

  test('without an axis, cylinder and cone are the sphere', () => {
    const o = vec3(1, 1, 1);
    expect(closestPointCylinder(vec3(1, 1, 9), { a: o, b: o, radius: 2 })).toEqual(vec3(1, 1, 3));
    expect(closestPointCone(vec3(1, 9, 1), { tip: o, base: o, radius: 2 })).toEqual(vec3(1, 3, 1));
    expect(distancePointCone(vec3(1, 2, 1), { tip: o, base: o, radius: 0 })).toBe(1);
  });

  test('refuses negative radii and normals of zero', () => {
    const o = vec3();
    expect(() => closestPointSphere(o, { center: o, radius: -1 })).toThrow(/sphere\.radius/);
    expect(() => distancePointCapsule(o, { a: o, b: o, radius: -1 })).toThrow(/capsule\.radius/);
    expect(() => closestPointCylinder(o, { a: o, b: o, radius: -1 })).toThrow(/cylinder\.radius/);
    expect(() => closestPointCone(o, { tip: o, base: o, radius: -1 })).toThrow(/cone\.radius/);
    expect(() => closestPointDisc(o, o, o, 1)).toThrow(/normal/);
    expect(() => distancePointDisc(o, o, vec3(1), -1)).toThrow(/radius/);
    expect(() => closestPointSphere(o, { center: o, radius: Infinity })).toThrow(/sphere\.radius/);
  });
});
