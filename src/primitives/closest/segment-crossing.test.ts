import { describe, expect, test } from 'vitest';
import { degeneratePoints } from '../../../tests/kit/degenerate-points.ts';
import { exactPointSegment } from '../../../tests/kit/exact-distance.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import type { Vec2, Vec3 } from '../../math/types.ts';
import { vec2 } from '../../math/types.ts';
import { crossSegmentSegment2d } from './segment-crossing.ts';
import { makeSegmentCrossing } from './types.ts';

const U = 2 ** -53;
type Four = [Vec2, Vec2, Vec2, Vec2];

interface Wanted {
  kind: string;
  s: number;
  t: number;
  sEnd: number;
}

/** By solving for s and t in rational arithmetic, or comparing intervals on the common line; no orientation tests. */
function solve([a, b, c, d]: Four): Wanted | null {
  const { q, sub, mul, div, sign, cmp, toNumber, ZERO, ONE } = exact;
  const x = (p: Vec2, r: Vec2) => sub(q(r.x), q(p.x));
  const y = (p: Vec2, r: Vec2) => sub(q(r.y), q(p.y));
  const cross = (ux: exact.Q, uy: exact.Q, vx: exact.Q, vy: exact.Q) => sub(mul(ux, vy), mul(uy, vx));
  const dot = (ux: exact.Q, uy: exact.Q, vx: exact.Q, vy: exact.Q) => exact.add(mul(ux, vx), mul(uy, vy));
  const [ux, uy, vx, vy, rx, ry] = [x(a, b), y(a, b), x(c, d), y(c, d), x(c, a), y(c, a)];
  const end = (p: exact.Q) => cmp(p, ZERO) === 0 || cmp(p, ONE) === 0;
  const within = (p: exact.Q) => cmp(p, ZERO) >= 0 && cmp(p, ONE) <= 0;
  const area = cross(ux, uy, vx, vy);
  if (sign(area) !== 0) {
    const s = div(cross(vx, vy, rx, ry), area);
    const t = div(cross(ux, uy, rx, ry), area);
    if (!within(s) || !within(t)) return null;
    const kind = end(s) ? (end(t) ? 'end' : 'tee') : end(t) ? 'tee' : 'proper';
    return { kind, s: toNumber(s), t: toNumber(t), sEnd: toNumber(s) };
  }
  const uu = dot(ux, uy, ux, uy);
  const vv = dot(vx, vy, vx, vy);
  if (sign(uu) === 0) {
    if (sign(vv) === 0) return sign(rx) === 0 && sign(ry) === 0 ? { kind: 'end', s: 0, t: 0, sEnd: 0 } : null;
    if (sign(cross(vx, vy, rx, ry)) !== 0) return null;
    const t = div(dot(rx, ry, vx, vy), vv);
    return within(t) ? { kind: end(t) ? 'end' : 'tee', s: 0, t: toNumber(t), sEnd: 0 } : null;
  }
  if (sign(cross(ux, uy, rx, ry)) !== 0) return null;
  const at = (p: Vec2) => div(dot(x(a, p), y(a, p), ux, uy), uu);
  const [sc, sd] = [at(c), at(d)];
  const from = exact.max(ZERO, exact.min(sc, sd));
  const to = exact.min(ONE, exact.max(sc, sd));
  if (cmp(from, to) > 0) return null;
  const t = sign(vv) === 0 ? ZERO : div(sub(from, sc), sub(sd, sc));
  const kind = cmp(from, to) < 0 ? 'overlap' : end(from) && end(t) ? 'end' : 'tee';
  return { kind, s: toNumber(from), t: toNumber(t), sEnd: toNumber(to) };
}

const draw = (rng: Rng): Four => {
  const points = degeneratePoints(rng, cloud(rng, 4), 0.4).map(({ x, y }) => vec2(x, y)) as Four;
  if (rng.chance(0.1)) points[rng.int(0, 3)] = { ...points[rng.int(0, 3)]! };
  return points;
};

describe('two segments in the plane', () => {
  property('[R5.1.9.1] classified as in exact arithmetic', 20_000, (rng) => {
    const ends = draw(rng);
    const wanted = solve(ends);
    const found = crossSegmentSegment2d(...ends);
    check((found?.kind ?? null) === (wanted?.kind ?? null), () => `${found?.kind} for ${wanted?.kind}`);
    if (!found) return;
    const [a, b, c, d] = ends.map(({ x, y }) => ({ x, y, z: 0 })) as [Vec3, Vec3, Vec3, Vec3];
    const size = Math.max(...[a, b, c, d].map((p) => Math.max(Math.abs(p.x), Math.abs(p.y))));
    // Some three roundings per coordinate and segment; where the sine is above 1/4 the plain formulas may make it four times as much.
    const tolerance = 32 * U * size;
    for (const p of [found.point, found.end]) {
      near(exactPointSegment({ ...p, z: 0 }, a, b), 0, tolerance, 'on the first');
      near(exactPointSegment({ ...p, z: 0 }, c, d), 0, tolerance, 'on the second');
    }
    for (const [f, p] of [
      [found.s, found.point],
      [found.sEnd, found.end],
    ] as const) {
      check(f >= 0 && f <= 1, 'fraction in [0, 1]');
      near(a.x + f * (b.x - a.x), p.x, tolerance, 'x at s');
      near(a.y + f * (b.y - a.y), p.y, tolerance, 'y at s');
    }
    for (const [f, p] of [
      [found.t, found.point],
      [found.tEnd, found.end],
    ] as const) {
      check(f >= 0 && f <= 1, 'fraction in [0, 1]');
      near(c.x + f * (d.x - c.x), p.x, tolerance, 'x at t');
      near(c.y + f * (d.y - c.y), p.y, tolerance, 'y at t');
    }
    const one = found.kind !== 'overlap';
    check(!one || (found.point.x === found.end.x && found.point.y === found.end.y), 'one point');
  });

  property('[R5.1.9.1] lattice points: every class comes up, with exact fractions', 20_000, (rng) => {
    const p = () => vec2(rng.int(-2, 2), rng.int(-2, 2));
    const ends: Four = [p(), p(), p(), p()];
    const wanted = solve(ends);
    const found = crossSegmentSegment2d(...ends, makeSegmentCrossing());
    check((found?.kind ?? null) === (wanted?.kind ?? null), () => `${found?.kind} for ${wanted?.kind}`);
    if (!found || !wanted) return;
    near(found.s, wanted.s, 2 * U, 's');
    near(found.sEnd, wanted.sEnd, 2 * U, 'sEnd');
    near(found.t, wanted.t, 2 * U, 't');
  });

  test('[R5.1.9.1] one of each', () => {
    const cross = (...n: number[]) =>
      crossSegmentSegment2d(vec2(n[0], n[1]), vec2(n[2], n[3]), vec2(n[4], n[5]), vec2(n[6], n[7]));
    expect(cross(0, 0, 4, 4, 0, 4, 4, 0)).toMatchObject({
      kind: 'proper',
      s: 0.5,
      t: 0.5,
      point: vec2(2, 2),
    });
    expect(cross(0, 0, 4, 0, 1, 0, 1, 5)).toMatchObject({ kind: 'tee', s: 0.25, t: 0, point: vec2(1, 0) });
    expect(cross(0, 0, 4, 0, 4, 0, 1, 5)).toMatchObject({ kind: 'end', s: 1, t: 0, point: vec2(4, 0) });
    expect(cross(0, 0, 4, 0, 4, 0, 7, 0)).toMatchObject({ kind: 'end', s: 1, t: 0 });
    expect(cross(0, 0, 4, 0, 6, 0, 1, 0)).toEqual({
      kind: 'overlap',
      point: vec2(1, 0),
      s: 0.25,
      t: 1,
      end: vec2(4, 0),
      sEnd: 1,
      tEnd: 0.4,
    });
    expect(cross(0, 0, 4, 0, 5, 0, 7, 0)).toBeNull(); // collinear, apart
    expect(cross(0, 0, 4, 0, 0, 1, 4, 1)).toBeNull(); // parallel
    expect(cross(0, 0, 4, 0, 2, 1, 2, 5)).toBeNull();
    // Two points on the same side of the other line, areas 1e-200: their product is 0.
    expect(cross(0, 0, 1e-100, 0, 0, 1e-100, 1e-100, 2e-100)).toBeNull();
  });

  test('[R5.1.9.1] crossings that rounding moves past an end stay on both segments', () => {
    // Nearly along each other; and a segment of 1e-10 that is crossed within 1e-16 of its end.
    const cases: Four[] = [
      [
        vec2(0.1297253449489949, -0.5648620894423932),
        vec2(-1, 0),
        vec2(1, -1),
        vec2(0.03417961992171463, -0.5170892762382825),
      ],
      [
        vec2(-2.000000000748506, -2.246012963402335e-10),
        vec2(2.3409437721391284, -2.1704718867867907),
        vec2(2.0000000004737215, -2.000000000685178),
        vec2(2.000000000439329, -2.000000000927594),
      ],
    ];
    for (const ends of cases) {
      const found = crossSegmentSegment2d(...ends);
      expect(found?.kind).toBe('proper');
      const [a, b, c, d] = ends.map(({ x, y }) => ({ x, y, z: 0 })) as [Vec3, Vec3, Vec3, Vec3];
      const p = { ...found!.point, z: 0 };
      expect(exactPointSegment(p, a, b)).toBeLessThan(1e-15);
      expect(exactPointSegment(p, c, d)).toBeLessThan(1e-15);
    }
  });

  test('refuses bad numbers', () => {
    const z = vec2();
    expect(() => crossSegmentSegment2d(z, z, z, vec2(0, Infinity))).toThrow(/d\.y/);
  });
});
