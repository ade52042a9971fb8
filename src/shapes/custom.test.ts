import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { supportCore } from '../convex/core.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SupportMap } from '../polytope/types.ts';
import { boundsOf } from './bounds.ts';
import { convex } from './custom.ts';

/** A disc in the plane z = 0, from the inside of which a ball of radius r has been rolled: a coin. */
const disc =
  (radius: number): SupportMap =>
  (d, out) => {
    const across = Math.hypot(d.x, d.y);
    return v3.set(across > 0 ? (radius * d.x) / across : 0, across > 0 ? (radius * d.y) / across : 0, 0, out);
  };

property('a support map of the user: every answer passes through, whatever its style', 2_000, (rng) => {
  const [radius, rounding] = [rng.range(0.1, 3), rng.pick([0, 0.2])];
  const writes = disc(radius);
  const returns: SupportMap = (d) => writes(d, vec3());
  const silent = ((d: Vec3, out: Vec3) => void writes(d, out)) as unknown as SupportMap;
  const shape = convex(rng.pick([writes, returns, silent]), { rounding });
  const d = rng.vec(5);
  const p = v3.copy(d);
  supportCore(shape.core, p, -1, p); // out may be the direction
  near(v3.dot(p, d), radius * Math.hypot(d.x, d.y), 1e-14 * radius * v3.length(d));
  check(shape.core.reach >= radius + rounding && shape.core.reach <= 1.5 * radius + rounding + 1e-4, 'reach');
  check(v3.length(shape.core.center) < 0.3 * radius, 'centre');
  near(boundsOf(shape).max.x, radius + rounding, 1e-14 * shape.core.reach);
});

test('a direction of zero is not passed on', () => {
  const shape = convex((d, out) => v3.normalize(d, out), { center: vec3(0.1, 0.2, 0) });
  expect(supportCore(shape.core, vec3(), -1, vec3())).toBe(-1);
  const out = shape.support(vec3(), vec3(9, 9, 9));
  expect(out).toEqual(vec3(0.1, 0.2, 0));
});

test('what is no support map is refused, with the reason', () => {
  const bad: [SupportMap, RegExp][] = [
    [(_, out) => v3.set(Number.NaN, 0, 0, out), /support\(direction\)\.x must be a finite number/],
    [((d: Vec3) => d.x) as unknown as SupportMap, /support\(direction\)/],
    [(d, out) => v3.normalize(v3.negate(d), out), /support must give the farthest point along/],
    [(d, out) => v3.copy(d, out), /support must/],
    [(d, out) => v3.scale(d, 0.25 / v3.length(d) + 1e-3, out), /must not depend on the length/],
    // Not convex: two balls, and always the one on the left.
    [(d, out) => v3.add(v3.normalize(d), vec3(d.x < 0 ? 3 : -3), out), /must give the farthest point/],
  ];
  for (const [support, message] of bad) expect(() => convex(support)).toThrow(message);
  expect(() => convex(null as unknown as SupportMap)).toThrow(TypeError);
  const ball: SupportMap = (d, out) => v3.normalize(d, out);
  expect(() => convex(ball, { center: vec3(2) })).toThrow(/options.center must lie inside/);
  expect(() => convex(ball, { reach: 0.5 })).toThrow(/options.reach must not be less than/);
  expect(() => convex(ball, { rounding: -1 })).toThrow(/options.rounding must not be negative/);
  expect(() => convex(ball, { center: vec3(Number.NaN) })).toThrow(/options.center/);
  expect(convex(ball, { reach: 1, rounding: 2 }).core.reach).toBeCloseTo(3, 12);
});

test('a map that fails later is found out by the query', () => {
  let broken = false;
  const shape = convex((d, out) => v3.scale(v3.normalize(d), broken ? Number.NaN : 1, out));
  broken = true;
  expect(() => boundsOf(shape)).toThrow(/convex: support must give finite points/);
});

test('a single point, and one far away', () => {
  for (const p of [vec3(), vec3(1e6, -1e6, 3)]) {
    const shape = convex((_, out) => v3.copy(p, out));
    expect(shape.core.reach).toBeGreaterThanOrEqual(v3.length(p));
    expect(boundsOf(shape).max.x).toBeCloseTo(p.x, 8);
  }
});
