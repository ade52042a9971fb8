import { expect, test } from 'vitest';
import { check, cloud, exact, factor, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec2, Vec3 } from '../../math/types.ts';
import { vec2, vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import {
  containsPointTriangle,
  containsPointTriangle2d,
  containsPointTriangleCcw2d,
} from './point-triangle.ts';

type Four = [Vec3, Vec3, Vec3, Vec3];

/** Barycentric coordinates of the foot of p, as exact rationals, or null for a flat triangle. RTCD §3.4. */
function weights([p, a, b, c]: Four): exact.Q[] | null {
  const [qa, qb, qc, qp] = [a, b, c, p].map(exact.qv) as [exact.QVec, exact.QVec, exact.QVec, exact.QVec];
  const n = exact.vcross(exact.vsub(qb, qa), exact.vsub(qc, qa));
  if (exact.vzero(n)) return null;
  const weight = (u: exact.QVec, v: exact.QVec) =>
    exact.vdot(exact.vcross(exact.vsub(v, u), exact.vsub(qp, u)), n);
  return [weight(qb, qc), weight(qc, qa), weight(qa, qb)];
}

/** On corners, edges, lines of edges, inside and anywhere. */
function draw(rng: Rng): { points: Four } {
  const { points } = cloud(rng, 4);
  const [p, a, b, c] = points as Four;
  const mix = rng.unit();
  const t = rng.pick([-1, 0, 0.25, 0.5, 1, 2]);
  const [u, v] = rng.shuffle([a, b, c]);
  if (mix < 0.4) m.addScaled(u!, m.sub(v!, u!), t, p);
  else if (mix < 0.7)
    m.addScaled(m.addScaled(a, m.sub(b, a), rng.range(-0.5, 1)), m.sub(c, a), rng.range(-0.5, 1), p);
  if (rng.chance(0.05)) m.lerp(a, b, 0.5, c);
  return { points: [p, a, b, c] };
}

let decided = 0;
property(
  '[R5.4.2] in space: the signs of exact barycentric coordinates, save within rounding of an edge',
  10_000,
  (rng) => {
    const { points } = draw(rng);
    const [p, a, b, c] = points;
    const found = containsPointTriangle(p, a, b, c);
    const w = weights(points);
    if (!w) return;
    // A weight over |n| and the edge is the distance from the edge; |n| itself is known to so much.
    const n = m.length(m.cross(m.sub(b, a), m.sub(c, a)));
    const longest = Math.sqrt(Math.max(m.distanceSq(a, b), m.distanceSq(b, c), m.distanceSq(c, a)));
    const reach = longest + m.distance(p, a);
    const error = 1e-15 * (longest * reach * (longest * longest + n));
    const values = w.map(exact.toNumber);
    const wanted = values.every((value) => value > 0);
    if (values.every((value) => Math.abs(value) > error)) {
      check(found === wanted, () => JSON.stringify([points, values, error]));
      decided++;
    }
  },
);

test('[R5.4.2] rounding leaves most of the random cases decided', () => {
  expect(decided).toBeGreaterThan(4000 * factor);
});

property('[R5.4.2] in space, on the lattice, where arithmetic is exact: no exception', 10_000, (rng) => {
  const [p, a, b, c] = cloud(rng, 4, 'lattice').points as Four;
  if (rng.chance(0.7))
    m.addScaled(
      m.addScaled(a, m.sub(b, a), rng.pick([-1, 0, 0.5, 1, 2])),
      m.sub(c, a),
      rng.pick([-0.5, 0, 0.5, 1]),
      p,
    );
  const found = containsPointTriangle(p, a, b, c);
  const w = weights([p, a, b, c]);
  if (w) check(found === w.every((value) => exact.sign(value) >= 0), () => JSON.stringify([p, a, b, c]));
  else {
    // Flat: on one of the edges, that is on the segment between its ends.
    const on = [[a, b] as const, [b, c] as const, [c, a] as const].some(
      ([u, v]) =>
        m.distance(u, p) + m.distance(p, v) - m.distance(u, v) < 1e-12 &&
        m.lengthSq(m.cross(m.sub(p, u), m.sub(v, u))) === 0,
    );
    check(found === on, () => `flat ${JSON.stringify([p, a, b, c])}`);
  }
});

property('[R5.4.2] the order of the corners does not matter', 10_000, (rng) => {
  const [p, a, b, c] = cloud(rng, 4, 'lattice').points as Four;
  const [u, v, w] = rng.shuffle([a, b, c]);
  check(containsPointTriangle(p, a, b, c) === containsPointTriangle(p, u!, v!, w!), () =>
    JSON.stringify([p, a, b, c]),
  );
});

property('[R5.4.2] in the plane: exact, and known and unknown winding agree', 10_000, (rng) => {
  const { points } = draw(rng);
  const [p, a, b, c] = points.map(({ x, y }) => vec2(x, y)) as [Vec2, Vec2, Vec2, Vec2];
  const turn = (u: Vec2, v: Vec2, w: Vec2) => {
    const q = (x: number, y: number) => exact.sub(exact.q(x), exact.q(y));
    return exact.sign(exact.sub(exact.mul(q(v.x, u.x), q(w.y, u.y)), exact.mul(q(v.y, u.y), q(w.x, u.x))));
  };
  const area = turn(a, b, c);
  const signs = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
  const inBox =
    p.x >= Math.min(a.x, b.x, c.x) &&
    p.x <= Math.max(a.x, b.x, c.x) &&
    p.y >= Math.min(a.y, b.y, c.y) &&
    p.y <= Math.max(a.y, b.y, c.y);
  const wanted = area === 0 ? signs.every((s) => s === 0) && inBox : signs.every((s) => s * area >= 0);
  const found = containsPointTriangle2d(p, a, b, c);
  check(found === wanted, () => `${wanted}: ${JSON.stringify([p, a, b, c])}`);
  check(containsPointTriangle2d(p, c, b, a) === wanted, 'reversed');
  if (area > 0) check(containsPointTriangleCcw2d(p, a, b, c) === wanted, 'counter-clockwise');
  if (area < 0) check(containsPointTriangleCcw2d(p, c, b, a) === wanted, 'clockwise, reversed');
});

property('[R5.4.2] space and plane agree on level triangles', 10_000, (rng) => {
  const [p, a, b, c] = cloud(rng, 4, 'lattice').points.map(({ x, y }) => vec3(x, y, 1)) as Four;
  const space = containsPointTriangle(p, a, b, c);
  check(space === containsPointTriangle2d(p, a, b, c), () => JSON.stringify([p, a, b, c]));
});

test('[R5.4.2] the lines of the edges beyond the corners are outside', () => {
  const [a, b, c] = [vec3(0, 1, 0), vec3(0, 0, 0), vec3(1, 0, 0)];
  for (const p of [
    vec3(2, 0, 0),
    vec3(-1, 0, 0),
    vec3(0, 2, 0),
    vec3(0, -1, 0),
    vec3(2, -1, 0),
    vec3(-1, 2, 0),
  ]) {
    for (const [u, v, w] of [
      [a, b, c],
      [b, c, a],
      [c, b, a],
    ] as const) {
      expect(containsPointTriangle(p, u, v, w)).toBe(false);
      expect(containsPointTriangle2d(p, u, v, w)).toBe(false);
    }
    expect(containsPointTriangleCcw2d(p, a, b, c)).toBe(false);
  }
  for (const p of [a, b, c, vec3(0.5, 0, 0), vec3(0.5, 0.5, 0)])
    expect(containsPointTriangle(p, a, b, c)).toBe(true);
});

test('[R5.4.2] bad numbers are refused by name', () => {
  expect(() => containsPointTriangle(vec3(), vec3(), vec3(0, Number.NaN, 0), vec3())).toThrow(/b\.y/);
  expect(() => containsPointTriangle2d(vec2(), vec2(), vec2(), vec2(0, Infinity))).toThrow(/c\.y/);
});
