import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Sphere } from '../primitives/types.ts';
import {
  areaSphere,
  containsPointSphere,
  containsSphereSphere,
  fitSphereAabb,
  growSphere,
  mergeSphere,
  overlapSphereSphere,
  sideSpherePlane,
  volumeSphere,
} from './sphere.ts';

const { q, qv, add, mul, sub, cmp, vsub, vdot } = exact;

/** Two spheres: apart, touching from without and within, concentric, equal, points. */
function pair(rng: Rng): { a: Sphere; b: Sphere; size: number; scale: number } {
  const { points, size, scale } = cloud(rng, 2);
  const [p, r] = [points[0]!, points[1]!];
  const d = Math.hypot(p.x - r.x, p.y - r.y, p.z - r.z);
  const radius = rng.pick([0, rng.range(0, size), rng.range(0, d), d, d / 2]);
  const other = rng.pick([0, rng.range(0, size), Math.abs(d - radius), d + radius, radius]);
  const a = { center: p, radius };
  const b = { center: rng.chance(0.1) ? { ...p } : r, radius: other };
  return { a, b, size, scale };
}

/** The exact square of the distance of the centers, and the exact square of a sum of radii. */
const apartSq = (a: Sphere, b: Sphere): exact.Q => {
  const d = vsub(qv(a.center), qv(b.center));
  return vdot(d, d);
};
const square = (x: exact.Q): exact.Q => mul(x, x);

/** inner within outer, exactly: r - s >= 0 and d² <= (r - s)². */
function holds(outer: Sphere, inner: Sphere): boolean {
  const spare = sub(q(outer.radius), q(inner.radius));
  return exact.sign(spare) >= 0 && cmp(apartSq(outer, inner), square(spare)) <= 0;
}

property(
  '[R4.3.1] spheres that share a point overlap; those said to overlap are a rounding apart at most',
  20_000,
  (rng) => {
    const { a, b } = pair(rng);
    const found = overlapSphereSphere(a, b);
    check(overlapSphereSphere(b, a) === found, 'symmetric');
    const d = apartSq(a, b);
    const reach = square(add(q(a.radius), q(b.radius)));
    if (cmp(d, reach) <= 0) check(found, 'they share a point');
    else if (found) check(cmp(d, mul(reach, q(1 + 1e-14))) <= 0, 'they are clearly apart');
  },
);

test('[R4.3.1] touching counts', () => {
  const a = { center: { x: 0, y: 0, z: 0 }, radius: 3 };
  expect(overlapSphereSphere(a, { center: { x: 3, y: 4, z: 0 }, radius: 2 })).toBe(true);
  expect(overlapSphereSphere(a, { center: { x: 3, y: 4, z: 0 }, radius: 1.9999999 })).toBe(false);
  expect(overlapSphereSphere(a, { center: { x: 1, y: 0, z: 0 }, radius: 0 })).toBe(true);
});

property('containment: points err to yes, spheres to no, by a rounding', 10_000, (rng) => {
  const { a, b } = pair(rng);
  const inside = containsPointSphere(b.center, a);
  const d = apartSq(a, b);
  const rSq = square(q(a.radius));
  if (cmp(d, rSq) <= 0) check(inside, 'a point inside');
  else if (inside) check(cmp(d, mul(rSq, q(1 + 1e-14))) <= 0, 'a point clearly outside');
  const held = containsSphereSphere(b, a);
  if (held) check(holds(a, b), 'not within');
  else
    check(
      !holds({ center: a.center, radius: a.radius * (1 - 1e-14) }, b) || a.radius === 0,
      'clearly within',
    );
  check(containsSphereSphere(a, a), 'a sphere holds itself');
});

property('[R6.5.2] the merged sphere holds both, exactly, and is the smallest that does', 20_000, (rng) => {
  const { a, b, scale } = pair(rng);
  const m = mergeSphere(a, b);
  check(holds(m, a), 'holds a');
  check(holds(m, b), 'holds b');
  const d = Math.hypot(a.center.x - b.center.x, a.center.y - b.center.y, a.center.z - b.center.z);
  const wanted = Math.max(a.radius, b.radius, (d + a.radius + b.radius) / 2);
  // The center is rounded where it lies; the radius makes up for that.
  near(m.radius, wanted, 4e-15 * wanted + 4e-16 * scale, 'radius');
  const aliased = structuredClone(a);
  check(JSON.stringify(mergeSphere(aliased, b, aliased)) === JSON.stringify(m), 'out may be an input');
});

test('[R6.5.2] concentric, contained, tangent and point spheres', () => {
  const at = (x: number, radius: number): Sphere => ({ center: { x, y: 0, z: 0 }, radius });
  expect(mergeSphere(at(1, 2), at(1, 5))).toEqual(at(1, 5));
  expect(mergeSphere(at(1, 2), at(1, 2))).toEqual(at(1, 2));
  expect(mergeSphere(at(0, 10), at(3, 1))).toEqual(at(0, 10));
  expect(mergeSphere(at(3, 1), at(0, 10))).toEqual(at(0, 10));
  expect(mergeSphere(at(7, 0), at(7, 0))).toEqual(at(7, 0));
  const tangent = mergeSphere(at(0, 2), at(1, 1));
  expect(tangent.center).toEqual({ x: 0, y: 0, z: 0 });
  expect(tangent.radius).toBeCloseTo(2, 14);
  const points = mergeSphere(at(-1, 0), at(3, 0));
  expect(points.center.x).toBe(1);
  expect(points.radius).toBeCloseTo(2, 14);
});

property('[R4.3.2] a sphere grows over a point by no more than it must, and not twice', 10_000, (rng) => {
  const { a, b } = pair(rng);
  const p = b.center;
  const grown = growSphere(a, p);
  check(holds(grown, a) && holds(grown, { center: p, radius: 0 }), 'holds both');
  check(JSON.stringify(growSphere(grown, p)) === JSON.stringify(grown), 'a second time changes nothing');
  check(
    JSON.stringify(mergeSphere(a, { center: p, radius: 0 })) === JSON.stringify(grown),
    'a point is a sphere',
  );
});

property('the sphere of a box goes through its corners', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 2);
  const [p, r] = [points[0]!, points[1]!];
  const box = {
    min: { x: Math.min(p.x, r.x), y: Math.min(p.y, r.y), z: Math.min(p.z, r.z) },
    max: { x: Math.max(p.x, r.x), y: Math.max(p.y, r.y), z: Math.max(p.z, r.z) },
  };
  const s = fitSphereAabb(box);
  for (const corner of [box.min, box.max, p, r])
    check(holds(s, { center: corner, radius: 0 }), 'holds a corner');
  const half = Math.hypot(p.x - r.x, p.y - r.y, p.z - r.z) / 2;
  near(s.radius, half, 4e-15 * half + 4e-16 * scale, 'radius');
});

property('area and volume', 10_000, (rng) => {
  const radius = rng.pick([0, rng.unit(), 1e6 * rng.unit(), 1e-6 * rng.unit()]);
  const sphere = { center: rng.vec(), radius };
  near(areaSphere(sphere), 4 * Math.PI * radius ** 2, 1e-15 * 4 * Math.PI * radius ** 2, 'area');
  near(volumeSphere(sphere), (4 / 3) * Math.PI * radius ** 3, 2e-15 * 4.2 * radius ** 3, 'volume');
});

property('the side of a plane is certain when it is named', 20_000, (rng) => {
  const { points, size, scale } = cloud(rng, 2);
  const center = points[0]!;
  const normal = rng.chance(0.3) ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(1);
  const n = Math.hypot(normal.x, normal.y, normal.z);
  const radius = rng.pick([0, rng.range(0, size)]);
  const touch = normal.x * center.x + normal.y * center.y + normal.z * center.z + rng.sign() * radius * n;
  const d = rng.chance(0.5) ? touch : touch + rng.range(-size, size) * n;
  const side = sideSpherePlane({ center, radius }, { normal, d });
  // n · c - d against r |n|, both squared.
  const height = sub(vdot(qv(normal), qv(center)), q(d));
  const reach = mul(square(q(radius)), vdot(qv(normal), qv(normal)));
  const clear = cmp(square(height), reach) > 0;
  if (side !== 0) check(clear && exact.sign(height) === side, 'the plane touches the sphere');
  else if (clear) {
    const gap = Math.abs(exact.toNumber(height)) - radius * n;
    check(gap <= 1e-14 * (scale + radius) * (n + 1), () => `clear by ${gap}`);
  }
});

test('bad spheres are named', () => {
  const good = { center: { x: 0, y: 0, z: 0 }, radius: 1 };
  expect(() => overlapSphereSphere(good, { ...good, radius: -1 })).toThrow(/b\.radius must not be negative/);
  expect(() => mergeSphere({ ...good, radius: Number.NaN }, good)).toThrow(
    /a\.radius must be a finite number/,
  );
  expect(() => growSphere(good, { x: 0, y: Infinity, z: 0 })).toThrow(/p\.y/);
  expect(() => containsPointSphere({ x: Number.NaN, y: 0, z: 0 }, good)).toThrow(/p\.x/);
});

test('spheres of 1e-200 and 1e74 merge without leaving the numbers', () => {
  for (const size of [1e-300, 1e-200, 1e60, 1e74]) {
    const m = mergeSphere(
      { center: { x: -size, y: 0, z: 0 }, radius: size },
      { center: { x: size, y: 0, z: 0 }, radius: size },
    );
    expect(m.radius / size).toBeCloseTo(2, 13);
    expect(Math.abs(m.center.x)).toBeLessThanOrEqual(size * 1e-15);
  }
});
