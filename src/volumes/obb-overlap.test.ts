import { expect, test } from 'vitest';
import { check, cloud, exact, property, Rng } from '../../tests/kit/index.ts';
import { fromQuat } from '../math/mat3.ts';
import type { Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import type { Obb } from '../primitives/types.ts';
import { overlapObbObb, overlapObbObbCoarse, overlapObbObbUpright } from './obb-overlap.ts';

const { add, mul, q, qv, vcross, vdot, vsub, vzero, cmp, abs, ZERO } = exact;

function randomObb(rng: Rng, center: Vec3, size: number): Obb {
  const side = () => (rng.chance(0.1) ? 0 : rng.range(0.05, 0.8)) * size;
  return { center, halfSize: vec3(side(), side(), side()), rotation: fromQuat(rng.rotation()) };
}

function pair(rng: Rng): { a: Obb; b: Obb; size: number; scale: number } {
  const { points, size, scale } = cloud(rng, 2);
  return { a: randomObb(rng, points[0]!, size), b: randomObb(rng, points[1]!, size), size, scale };
}

/** All fifteen axes in rational arithmetic, the boxes longer by `growth` on every side. */
function exactOverlap(a: Obb, b: Obb, growth: number): boolean {
  const [A, B] = [a, b].map(({ center, halfSize: h, rotation: { elements: e } }) => ({
    c: qv(center),
    u: [0, 3, 6].map((i) => qv({ x: e[i]!, y: e[i + 1]!, z: e[i + 2]! })),
    e: [h.x, h.y, h.z].map((x) => q(Math.max(0, x + growth))),
  })) as [Rational, Rational];
  const reach = (box: Rational, l: exact.QVec) =>
    box.u.reduce((sum, u, i) => add(sum, mul(abs(vdot(u, l)), box.e[i]!)), ZERO);
  const t = vsub(B.c, A.c);
  const axes = [...A.u, ...B.u, ...A.u.flatMap((u) => B.u.map((v) => vcross(u, v)))];
  return axes.every((l) => vzero(l) || cmp(abs(vdot(t, l)), add(reach(A, l), reach(B, l))) <= 0);
}
interface Rational {
  c: exact.QVec;
  u: exact.QVec[];
  e: exact.Q[];
}

property(
  '[R4.4.1] oriented boxes overlap as fifteen exact axes say, but for the stated slack',
  10_000,
  (rng) => {
    const { a, b, size, scale } = pair(rng);
    const answer = overlapObbObb(a, b);
    check(answer === overlapObbObb(b, a), 'not symmetric');
    // The slack is 2⁻³⁶ of the sum of the half sizes; rounding of far-away centres comes on top.
    if (exactOverlap(a, b, 0)) check(answer, 'overlapping boxes were separated');
    if (!exactOverlap(a, b, 1e-10 * size + 1e-15 * scale)) check(!answer, 'separate boxes were joined');
  },
);

test('[R4.4.1] boxes apart along the second axis of the first only', () => {
  const unit: Obb = { center: vec3(), halfSize: vec3(0.5, 0.5, 0.5), rotation: mat3() };
  expect(overlapObbObb(unit, { ...unit, center: vec3(0, 5, 0) })).toBe(false);
  expect(overlapObbObb(unit, { ...unit, center: vec3(0, 1, 0) })).toBe(true);
});

test('[R4.4.1] crossed edges that nearly touch: fifteen axes say no, six say yes', () => {
  const quarter = Math.PI / 4;
  const a: Obb = {
    center: vec3(),
    halfSize: vec3(2, 0.5, 0.5),
    rotation: fromQuat({ x: Math.sin(quarter / 2), y: 0, z: 0, w: Math.cos(quarter / 2) }),
  };
  const b: Obb = {
    center: vec3(0, 1.42, 0),
    halfSize: vec3(0.5, 0.5, 2),
    rotation: fromQuat({ x: 0, y: 0, z: Math.sin(quarter / 2), w: Math.cos(quarter / 2) }),
  };
  expect(overlapObbObb(a, b)).toBe(false);
  expect(overlapObbObbCoarse(a, b)).toBe(true);
  expect(overlapObbObb(a, { ...b, center: vec3(0, 1.41, 0) })).toBe(true);
});

test('[R4.4.1] six axes never separate what overlaps, and report a few per cent too many', () => {
  let more = 0;
  let pairs = 0;
  for (let i = 1; i <= 20_000; i++) {
    const rng = new Rng(i);
    const a = randomObb(rng, rng.vec(1), 1);
    const b = randomObb(rng, rng.vec(1), 1);
    const coarse = overlapObbObbCoarse(a, b);
    const full = overlapObbObb(a, b);
    check(coarse || !full, 'the coarse test separated overlapping boxes');
    pairs += +coarse;
    more += +(coarse && !full);
  }
  expect(more / pairs).toBeGreaterThan(0.01);
  expect(more / pairs).toBeLessThan(0.15);
});

property(
  '[R4.4.2] overlapping boxes with nearly the same, drifted axes are never separated',
  100_000,
  (rng) => {
    const a = randomObb(rng, rng.vec(1), 1);
    const e = a.rotation.elements;
    const drift = 10 ** -rng.int(12, 17);
    const b: Obb = {
      center: vec3(),
      halfSize: vec3(rng.range(0.05, 0.8), rng.range(0.05, 0.8), rng.range(0.05, 0.8)),
      rotation: { elements: e.map((x) => x + drift * rng.range(-1, 1)) },
    };
    // A common point: somewhere in a, often on its boundary, and the centre of b placed so that it is in b too.
    const inside = ({ halfSize: h, rotation: { elements: m } }: Obb) => {
      const s = () => (rng.chance(0.5) ? rng.sign() : rng.range(-1, 1));
      const [u, v, w] = [s() * h.x, s() * h.y, s() * h.z];
      return vec3(
        m[0]! * u + m[3]! * v + m[6]! * w,
        m[1]! * u + m[4]! * v + m[7]! * w,
        m[2]! * u + m[5]! * v + m[8]! * w,
      );
    };
    const p = inside(a);
    const r = inside(b);
    b.center = vec3(a.center.x + p.x - r.x, a.center.y + p.y - r.y, a.center.z + p.z - r.z);
    check(overlapObbObb(a, b), 'separated');
    check(overlapObbObb(b, a), 'separated when swapped');
  },
);

property('[R4.4.1] upright boxes: five axes agree with fifteen', 10_000, (rng) => {
  const { points, size } = cloud(rng, 2, rng.pick(['lattice', 'plain', 'huge', 'tiny']));
  const upright = (center: Vec3): Obb => {
    const half = rng.pick([0, 0.25, rng.unit()]) * Math.PI;
    const side = () => rng.range(0, 0.8) * size;
    return {
      center,
      halfSize: vec3(side(), side(), side()),
      rotation: fromQuat({ x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) }),
    };
  };
  const [a, b] = [upright(points[0]!), upright(points[1]!)];
  if (exactOverlap(a, b, 0)) check(overlapObbObbUpright(a, b), 'overlapping boxes were separated');
  if (!exactOverlap(a, b, 1e-10 * size)) check(!overlapObbObbUpright(a, b), 'separate boxes were joined');
});

test('negative half sizes and numbers that are not finite are refused by name', () => {
  const good: Obb = { center: vec3(), halfSize: vec3(1, 1, 1), rotation: mat3() };
  expect(() => overlapObbObb(good, { ...good, halfSize: vec3(1, -1, 1) })).toThrow(/b\.halfSize/);
  expect(() => overlapObbObb({ ...good, center: vec3(Number.NaN) }, good)).toThrow(/a\.center\.x/);
});
