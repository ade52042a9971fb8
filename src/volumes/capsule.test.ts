import { expect, test } from 'vitest';
import {
  exactPointSegment,
  exactPointTriangle,
  exactSegmentSegment,
  exactSegmentTriangle,
  exactTriangleTriangle,
} from '../../tests/kit/exact-distance.ts';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Capsule, Lozenge } from '../primitives/types.ts';
import {
  containsPointLozenge,
  fitLozenge,
  overlapCapsuleLozenge,
  overlapLozengeLozenge,
  overlapSphereLozenge,
} from '../rtcd/ch04/lozenge.ts';
import { containsPointCapsule, fitCapsule, overlapCapsuleCapsule, overlapSphereCapsule } from './capsule.ts';
import { overlapSphereSphere } from './sphere.ts';

const { q, qv, cmp, mul, vdot } = exact;

/** Two radii whose sum is the distance, or next to it, or anything. */
function radii(rng: Rng, distance: number, size: number): [number, number] {
  const sum = rng.pick([distance, distance * (1 + 1e-9), distance * (1 - 1e-9), rng.unit() * 2 * size]);
  const share = rng.pick([0, 0.5, 1, rng.unit()]);
  return [share * sum, (1 - share) * sum];
}

/** The answer must be right unless the gap is no more than rounding of the coordinates. */
function judge(answer: boolean, distance: number, sum: number, doubt: number): void {
  if (distance <= sum - doubt) check(answer, () => `apart: ${distance} of ${sum}`);
  if (distance >= sum + doubt) check(!answer, () => `together: ${distance} of ${sum}`);
}

/** A rectangle at the corner: sides at right angles (exactly so on the lattice), at times of length zero. */
function rectangle(rng: Rng, corner: Vec3, along: Vec3, size: number): Lozenge {
  const edge0 = rng.chance(0.15) ? vec3() : along;
  const side = v3.cross(along, rng.pick([vec3(1), vec3(0, 1), vec3(0, 0, 1), rng.direction()]));
  const scale = v3.length(side) > 0 ? rng.unit() * size : 0;
  const edge1 = rng.chance(0.15) ? vec3() : v3.scale(v3.normalize(side), scale);
  return { corner, edge0, edge1, radius: 0 };
}

function rectangleCorners({ corner, edge0, edge1 }: Lozenge): [Vec3, Vec3, Vec3, Vec3] {
  const b = v3.add(corner, edge0);
  return [corner, b, v3.add(b, edge1), v3.add(corner, edge1)];
}

property('[R4.5] spheres and capsules: medial distance against the sum of radii', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 4);
  const [p, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3];
  const d = rng.chance(0.2) ? v3.add(c, v3.sub(b, a)) : rng.chance(0.1) ? c : points[3]!;
  const doubt = 1e-14 * size + 1e-15 * scale;
  const end = rng.chance(0.1) ? a : b;
  const one = exactPointSegment(p, a, end);
  const [r0, r1] = radii(rng, one, size);
  judge(overlapSphereCapsule({ center: p, radius: r0 }, { a, b: end, radius: r1 }), one, r0 + r1, doubt);
  judge(containsPointCapsule(p, { a, b: end, radius: r1 }), one, r1, doubt);
  const two = exactSegmentSegment(a, end, c, d);
  const [r2, r3] = radii(rng, two, size);
  const [A, B] = [
    { a, b: end, radius: r2 },
    { a: c, b: d, radius: r3 },
  ];
  judge(overlapCapsuleCapsule(A, B), two, r2 + r3, doubt);
  judge(overlapCapsuleCapsule(B, A), two, r2 + r3, doubt);
});

property('[R4.5] lozenges against spheres, capsules and lozenges', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 6);
  const [p, a, b, c, d, e] = points as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  const doubt = 4e-14 * size + 4e-15 * scale;
  const first = rectangle(rng, c, v3.sub(d, c), size);
  const [c0, c1, c2, c3] = rectangleCorners(first);

  const point = Math.min(exactPointTriangle(p, c0, c1, c2), exactPointTriangle(p, c0, c2, c3));
  const [r0, r1] = radii(rng, point, size);
  judge(overlapSphereLozenge({ center: p, radius: r0 }, { ...first, radius: r1 }), point, r0 + r1, doubt);
  judge(containsPointLozenge(p, { ...first, radius: r1 }), point, r1, doubt);

  const end = rng.chance(0.1) ? a : b;
  const segment = Math.min(
    exactSegmentTriangle(a, end, c0, c1, c2),
    exactSegmentTriangle(a, end, c0, c2, c3),
  );
  const [r2, r3] = radii(rng, segment, size);
  judge(overlapCapsuleLozenge({ a, b: end, radius: r2 }, { ...first, radius: r3 }), segment, r2 + r3, doubt);

  if (!rng.chance(0.3)) return;
  const second = rectangle(rng, e, rng.chance(0.3) ? first.edge0 : v3.sub(a, e), size);
  const [e0, e1, e2, e3] = rectangleCorners(second);
  const flat = Math.min(
    exactTriangleTriangle(c0, c1, c2, e0, e1, e2),
    exactTriangleTriangle(c0, c1, c2, e0, e2, e3),
    exactTriangleTriangle(c0, c2, c3, e0, e1, e2),
    exactTriangleTriangle(c0, c2, c3, e0, e2, e3),
  );
  const [r4, r5] = radii(rng, flat, size);
  judge(overlapLozengeLozenge({ ...first, radius: r4 }, { ...second, radius: r5 }), flat, r4 + r5, doubt);
});

property('[R4.5] a capsule of length zero is a sphere', 10_000, (rng) => {
  const { points, size } = cloud(rng, 4);
  const [a, b, c, d] = points as [Vec3, Vec3, Vec3, Vec3];
  const [r, s] = radii(rng, v3.distance(a, b), size);
  const sphere = { center: a, radius: r };
  const wanted = overlapSphereSphere(sphere, { center: b, radius: s });
  check(overlapSphereCapsule(sphere, { a: b, b, radius: s }) === wanted, 'sphere and dot');
  const dots = overlapCapsuleCapsule({ a, b: a, radius: r }, { a: b, b, radius: s });
  check(dots === wanted, 'dot and dot');
  const capsule = { a: c, b: d, radius: s };
  const [gap, doubt] = [exactPointSegment(a, c, d), 1e-14 * size];
  if (Math.abs(gap - r - s) > doubt)
    check(
      overlapSphereCapsule(sphere, capsule) === overlapCapsuleCapsule({ a, b: a, radius: r }, capsule),
      'dot and capsule',
    );
});

property('[R4.5] a lozenge without width is a capsule', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 4, rng.pick(['lattice', 'plain', 'huge', 'tiny']));
  const [a, b, c, d] = points as [Vec3, Vec3, Vec3, Vec3];
  const side = v3.sub(b, a);
  const end = v3.add(a, side);
  const gap = exactSegmentSegment(a, end, c, d);
  const [r, s] = radii(rng, gap, size);
  if (Math.abs(gap - r - s) <= 1e-14 * size + 1e-15 * scale) return;
  const thin: Lozenge = rng.chance(0.5)
    ? { corner: a, edge0: side, edge1: vec3(), radius: r }
    : { corner: a, edge0: vec3(), edge1: side, radius: r };
  const capsule: Capsule = { a: c, b: d, radius: s };
  const wanted = overlapCapsuleCapsule({ a, b: end, radius: r }, capsule);
  check(overlapCapsuleLozenge(capsule, thin) === wanted, 'capsule');
  const other = { corner: c, edge0: v3.sub(d, c), edge1: vec3(), radius: s };
  check(overlapLozengeLozenge(thin, other) === wanted, 'lozenge');
});

/** The squared distance of a point from segment ab, exactly, is at most r². */
function holdsCapsule({ a, b, radius }: Capsule, p: Vec3): boolean {
  const ab = exact.vsub(qv(b), qv(a));
  const ap = exact.vsub(qv(p), qv(a));
  const whole = vdot(ab, ab);
  const along = vdot(ap, ab);
  const t = exact.sign(along) <= 0 ? q(0) : cmp(along, whole) >= 0 ? q(1) : exact.div(along, whole);
  const d = exact.vsub(ap, exact.vscale(ab, t));
  return cmp(vdot(d, d), mul(q(radius), q(radius))) <= 0;
}

/** Points along a line or in a plane are what these volumes are for. */
function shaped(rng: Rng): { points: Vec3[]; size: number; scale: number } {
  const { points, size, scale } = cloud(rng, rng.int(1, 12));
  const [flat, thin] = [rng.pick([1, 1e-3, 1e-9, 0]), rng.pick([1, 1, 0.1, 0])];
  const [o, n, m] = [points[0]!, rng.direction(), rng.direction()];
  return {
    points: points.map((p) => {
      const d = v3.sub(p, o);
      v3.addScaled(d, n, (flat - 1) * v3.dot(d, n), d);
      v3.addScaled(d, m, (thin - 1) * v3.dot(d, m), d);
      return v3.add(o, d);
    }),
    size,
    scale,
  };
}

property('[R4.5] a fitted capsule holds its points and is no larger than it need be', 10_000, (rng) => {
  const { points, size, scale } = shaped(rng);
  const capsule = fitCapsule(points);
  check(capsule.radius >= 0 && v3.distance(capsule.a, capsule.b) >= 0, 'numbers');
  for (const p of points) {
    check(containsPointCapsule(p, capsule), 'leaves a point out');
    check(holdsCapsule(capsule, p), 'leaves a point out, exactly');
  }
  const spread = Math.max(...points.map((p) => v3.distance(p, points[0]!)));
  const length = v3.distance(capsule.a, capsule.b);
  check(length + 2 * capsule.radius <= 3.5 * spread + 1e-12 * (size + scale), 'far too large');
});

property('[R4.5] a fitted lozenge holds its points and can be used', 10_000, (rng) => {
  const { points, size, scale } = shaped(rng);
  const lozenge = fitLozenge(points);
  for (const p of points) {
    check(containsPointLozenge(p, lozenge), 'leaves a point out');
    check(overlapSphereLozenge({ center: p, radius: 0 }, lozenge), 'is refused or misses');
  }
  const p = rng.pick(points);
  const exactly = Math.min(
    ...(() => {
      const [a, b, c, d] = rectangleCorners(lozenge);
      return [exactPointTriangle(p, a, b, c), exactPointTriangle(p, a, c, d)];
    })(),
  );
  check(exactly <= lozenge.radius + 1e-15 * (size + scale), 'leaves a point out, exactly');
  const spread = Math.max(...points.map((r) => v3.distance(r, points[0]!)));
  check(lozenge.radius <= 2 * spread + 1e-12 * (size + scale), 'far too large');
});

test('[R4.5] fits of known shapes', () => {
  // The corners of a square rod: the circle around its end is the radius; the caps take some of the length.
  const rod = [0, 10].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => vec3(x, y, z))));
  const capsule = fitCapsule(rod);
  expect(capsule.radius).toBeCloseTo(Math.SQRT2, 9);
  expect(v3.distance(capsule.a, capsule.b)).toBeCloseTo(10, 6);
  // Off the axis on one side only: the axis moves to the middle of what is seen, not to the mean.
  const lopsided = fitCapsule([vec3(0, 0, 0), vec3(9, 0, 0), vec3(10, 0, 0), vec3(5, 0, 1)]);
  expect(lopsided.radius).toBeLessThan(0.6);
  const plate = [0, 10].flatMap((x) => [0, 6].flatMap((y) => [-1, 1].map((z) => vec3(x, y, z))));
  const lozenge = fitLozenge(plate);
  expect(lozenge.radius).toBeCloseTo(1, 6);
  expect(v3.length(lozenge.edge0)).toBeCloseTo(10, 4);
  expect(v3.length(lozenge.edge1)).toBeCloseTo(6, 4);
  const dot = fitLozenge([vec3(1, 2, 3)]);
  expect(dot).toEqual({ corner: vec3(1, 2, 3), edge0: vec3(), edge1: vec3(), radius: 0 });
  expect(fitCapsule([vec3(1, 2, 3)])).toEqual({ a: vec3(1, 2, 3), b: vec3(1, 2, 3), radius: 0 });
});

test('[R4.5] what is no capsule or lozenge is refused by name', () => {
  const capsule = { a: vec3(), b: vec3(1), radius: -1 };
  const sphere = { center: vec3(), radius: 1 };
  expect(() => overlapSphereCapsule(sphere, capsule)).toThrow(/capsule\.radius must not be negative/);
  expect(() => overlapCapsuleCapsule({ ...capsule, radius: 1 }, { ...capsule, a: vec3(Number.NaN) })).toThrow(
    /b\.a\.x/,
  );
  const skew = { corner: vec3(), edge0: vec3(1), edge1: vec3(1, 1), radius: 1 };
  expect(() => overlapSphereLozenge(sphere, skew)).toThrow(/lozenge must have edges at a right angle/);
  expect(() => fitCapsule([])).toThrow(/points/);
});
