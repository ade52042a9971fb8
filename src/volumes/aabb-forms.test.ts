import { expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { Aabb } from '../primitives/types.ts';
import { overlapAabbAabb, translateAabb } from './aabb.ts';
import {
  aabbFromCenter,
  aabbFromWidth,
  type CenterAabb,
  centerFromAabb,
  overlapCenterAabbs,
  overlapIntegerAabbs,
  overlapWidthAabbs,
  type WidthAabb,
  widthFromAabb,
} from './aabb-forms.ts';
import { fitSphereAabb } from './sphere.ts';

const { q, add, sub, cmp } = exact;
const AXES = ['x', 'y', 'z'] as const;

function pair(rng: Rng): { a: Aabb; b: Aabb; scale: number; exactly: boolean } {
  const { points, scale, regime } = cloud(rng, 4);
  const box = (i: number): Aabb => {
    const [p, r] = [points[i]!, points[i + 1]!];
    return {
      min: { x: Math.min(p.x, r.x), y: Math.min(p.y, r.y), z: Math.min(p.z, r.z) },
      max: { x: Math.max(p.x, r.x), y: Math.max(p.y, r.y), z: Math.max(p.z, r.z) },
    };
  };
  return { a: box(0), b: box(2), scale, exactly: regime === 'lattice' };
}

property('[R4.2] the verdict is the same in all three forms', 20_000, (rng) => {
  const { a, b, scale, exactly } = pair(rng);
  const corners = overlapAabbAabb(a, b);
  const center = overlapCenterAabbs(centerFromAabb(a), centerFromAabb(b));
  const width = overlapWidthAabbs(widthFromAabb(a), widthFromAabb(b));
  if (corners || exactly) {
    check(center === corners, 'by center');
    check(width === corners, 'by width');
  } else if (center || width) {
    // The other forms had to round. Only boxes within a few roundings of touching may have become one.
    const gap = Math.max(
      ...AXES.map((axis) => Math.max(a.min[axis], b.min[axis]) - Math.min(a.max[axis], b.max[axis])),
    );
    check(gap <= 1e-15 * scale, () => `apart by ${gap}`);
  }
});

property('[R4.2] conversions hold the box, exactly, and are tight', 10_000, (rng) => {
  const { a, scale } = pair(rng);
  const c = centerFromAabb(a);
  const w = widthFromAabb(a);
  const back = aabbFromCenter(c);
  const backToo = aabbFromWidth(w);
  for (const axis of AXES) {
    const [min, max] = [q(a.min[axis]), q(a.max[axis])];
    check(cmp(sub(q(c.center[axis]), q(c.halfSize[axis])), min) <= 0, 'center, low side');
    check(cmp(add(q(c.center[axis]), q(c.halfSize[axis])), max) >= 0, 'center, high side');
    check(w.min[axis] === a.min[axis] && cmp(add(q(w.min[axis]), q(w.width[axis])), max) >= 0, 'width');
    for (const box of [back, backToo]) {
      check(box.min[axis] <= a.min[axis] && box.max[axis] >= a.max[axis], 'round trip holds');
      check(
        a.min[axis] - box.min[axis] <= 1e-15 * scale && box.max[axis] - a.max[axis] <= 1e-15 * scale,
        'tight',
      );
    }
  }
});

test('[R4.2] whole numbers survive the round trip, translation touches three numbers, the center form is a sphere', () => {
  const box = { min: { x: -3, y: 0, z: 5 }, max: { x: 1, y: 0, z: 9 } };
  expect(aabbFromCenter(centerFromAabb(box))).toEqual(box);
  expect(aabbFromWidth(widthFromAabb(box))).toEqual(box);
  const v = { x: 4, y: -8, z: 16 };
  const moved = translateAabb(box, v);
  const center = centerFromAabb(box);
  const width = widthFromAabb(box);
  expect(centerFromAabb(moved)).toEqual({ center: { x: 3, y: -8, z: 23 }, halfSize: center.halfSize });
  expect(widthFromAabb(moved)).toEqual({ min: { x: 1, y: -8, z: 21 }, width: width.width });
  const sphere = fitSphereAabb(box);
  expect(sphere.center).toEqual(center.center);
  expect(sphere.radius).toBeCloseTo(Math.hypot(center.halfSize.x, center.halfSize.y, center.halfSize.z), 14);
});

property('[R4.2.1] the unsigned trick decides whole numbers as intervals do', 20_000, (rng) => {
  const size = rng.pick([3, 1000, 2 ** 30]);
  const box = (): CenterAabb => ({
    center: { x: rng.int(-size, size), y: rng.int(-size, size), z: rng.int(-size, size) },
    halfSize: { x: rng.int(0, size), y: rng.int(0, size), z: rng.int(0, size) },
  });
  const [a, b] = [box(), box()];
  if (rng.chance(0.3)) b.center.x = Math.min(size, a.center.x + a.halfSize.x + b.halfSize.x + rng.int(0, 1));
  const wanted = AXES.every((axis) => {
    const [p, r] = [BigInt(a.center[axis]), BigInt(b.center[axis])];
    const reach = BigInt(a.halfSize[axis]) + BigInt(b.halfSize[axis]);
    return p - r <= reach && r - p <= reach;
  });
  check(overlapIntegerAabbs(a, b) === wanted, () => `not ${wanted}: ${JSON.stringify([a, b])}`);
  check(overlapIntegerAabbs(b, a) === wanted, 'not symmetric');
});

test('[R4.2.1] the limits of whole numbers: touching counts, one more does not', () => {
  const big = 2 ** 30;
  const at = (x: number, h: number): CenterAabb => ({
    center: { x, y: -7, z: -9 },
    halfSize: { x: h, y: 0, z: 1 },
  });
  expect(overlapIntegerAabbs(at(-big, big), at(big, big))).toBe(true);
  expect(overlapIntegerAabbs(at(-big, big), at(big, big - 1))).toBe(false);
  expect(overlapIntegerAabbs(at(big, big - 1), at(-big, big))).toBe(false);
  expect(overlapIntegerAabbs(at(-big, 0), at(big, 0))).toBe(false);
  expect(overlapIntegerAabbs(at(-5, 2), at(-1, 2))).toBe(true);
});

test('bad input is named', () => {
  const center: CenterAabb = { center: { x: 0, y: 0, z: 0 }, halfSize: { x: 1, y: 1, z: 1 } };
  const width: WidthAabb = { min: { x: 0, y: 0, z: 0 }, width: { x: 1, y: 1, z: 1 } };
  const with_ = (v: number): CenterAabb => ({ ...center, halfSize: { x: 1, y: v, z: 1 } });
  expect(() => overlapCenterAabbs(center, with_(-1))).toThrow(/b\.halfSize must not be negative/);
  expect(() => overlapCenterAabbs(with_(Number.NaN), center)).toThrow(/a\.halfSize\.y/);
  expect(() => overlapWidthAabbs(width, { ...width, width: { x: 1, y: 1, z: Infinity } })).toThrow(
    /b\.width\.z/,
  );
  expect(() => aabbFromWidth({ ...width, width: { x: -1, y: 1, z: 1 } })).toThrow(/box\.width/);
  expect(() => overlapIntegerAabbs(center, with_(0.5))).toThrow(/b must be made of whole numbers/);
  expect(() => overlapIntegerAabbs(with_(2 ** 30 + 1), center)).toThrow(/a must be made of whole numbers/);
});
