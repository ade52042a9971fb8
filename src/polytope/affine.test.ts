import { expect, test } from 'vitest';
import { check, cloud, exact, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { affineDimension } from './index.ts';

const { qv, sign, vcross, vdot, vsub, vzero } = exact;

/** The rank of the differences, by exact elimination over all triples. */
function rank(points: readonly Vec3[]): number {
  const origin = qv(points[0]!);
  const d = points.map((p) => vsub(qv(p), origin)).filter((v) => !vzero(v));
  if (d.length === 0) return 0;
  const normals = d.map((v) => vcross(d[0]!, v)).filter((n) => !vzero(n));
  if (normals.length === 0) return 1;
  return d.some((v) => sign(vdot(normals[0]!, v)) !== 0) ? 3 : 2;
}

property('[R3.7] the dimension of the affine hull is the exact rank', 10_000, (rng) => {
  const { points } = cloud(rng, rng.int(1, 6));
  if (rng.chance(0.3)) for (const p of points) p.z = points[0]!.z;
  if (rng.chance(0.3)) for (const p of points) p.y = points[0]!.x;
  if (rng.chance(0.2)) points.push({ ...points[0]! }, { ...points[0]! });
  check(affineDimension(points) === rank(points), () => JSON.stringify(points));
});

test('[R3.7] dimensions 0 to 3, at any scale in the range', () => {
  const corner = [
    { x: 0, y: 0, z: 0 },
    { x: 1, y: 1, z: 1 },
    { x: 3, y: 0, z: 1 },
    { x: 0, y: 0, z: 5 },
  ];
  for (const scale of [1, 2 ** -700, 2 ** 240])
    for (let n = 1; n <= 4; n++)
      expect(
        affineDimension(corner.slice(0, n).map((p) => ({ x: p.x * scale, y: p.y * scale, z: p.z * scale }))),
      ).toBe(n - 1);
});

test('an off-plane distance of one ulp is seen', () => {
  const flat = [
    { x: 0.1, y: 0.2, z: 0.3 },
    { x: 1e6, y: 0.7, z: 0.3 },
    { x: -3, y: 1e5, z: 0.3 },
  ];
  expect(affineDimension([...flat, { x: 5, y: 5, z: 0.3 }])).toBe(2);
  expect(affineDimension([...flat, { x: 5, y: 5, z: 0.3 + 2 ** -54 }])).toBe(3);
});

test('no points, and points without numbers, are refused', () => {
  expect(() => affineDimension([])).toThrow(/points must hold at least one point/);
  expect(() => affineDimension([{ x: 1, y: 2, z: Number.NaN }])).toThrow(/points\[0\]\.z/);
  expect(() => affineDimension([{ x: 1, y: 2 } as never])).toThrow(/points/);
  expect(() => affineDimension([null as never])).toThrow(/points\[0\]/);
});
