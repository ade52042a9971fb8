import { expect, test } from 'vitest';
import { check, cloud, property } from '../../tests/kit/index.ts';
import { type PointSet, readPoints, readPoints2 } from './point-set.ts';

property('lists, flat arrays and typed arrays read the same', 10_000, (rng) => {
  const { points } = cloud(rng, rng.int(1, 6));
  const flat = points.flatMap(({ x, y, z }) => [x, y, z]);
  for (const form of [points, flat, Float64Array.from(flat)] as PointSet[]) {
    const read = readPoints('test', form);
    check(
      read.length === flat.length && read.every((v, i) => v === flat[i]),
      () => `read ${read} from ${flat}`,
    );
  }
  const plane = readPoints2('test', points);
  check(
    plane.every((v, i) => v === (i % 3 === 2 ? 0 : flat[i])),
    () => `read ${plane} from ${flat}`,
  );
});

test('single precision is read as it is, and the copy is the reader’s own', () => {
  const single = new Float32Array([0.1, 0.2, 0.3]);
  const read = readPoints('test', single);
  expect([...read]).toEqual([...single]);
  read[0] = 5;
  expect(single[0]).toBe(Math.fround(0.1));
  const double = new Float64Array(3);
  expect(readPoints('test', double)).not.toBe(double);
});

test('pairs of the plane get z = 0', () => {
  expect([...readPoints2('test', [1, 2, 3, 4])]).toEqual([1, 2, 0, 3, 4, 0]);
});

test('what is wrong is named', () => {
  const bad = (points: unknown): (() => void) => {
    return () => readPoints('test', points as PointSet);
  };
  expect(bad([])).toThrow(/points must hold at least one point/);
  expect(bad(new Float64Array(0))).toThrow(RangeError);
  expect(bad(undefined)).toThrow(/points must hold/);
  expect(bad(null)).toThrow(/points must hold/);
  expect(bad([1, 2, 3, 4])).toThrow(/points must hold 3 numbers a point, got 4/);
  expect(bad([0, 1, Number.NaN])).toThrow(/points\[2\] must be a finite number/);
  expect(
    bad([
      { x: 0, y: 0, z: 0 },
      { x: 0, y: -Infinity, z: 0 },
    ]),
  ).toThrow(/points\[1\]\.y must be a finite/);
  expect(bad([{ x: 0, y: 0 }])).toThrow(/points\[0\] must be \{x, y, z\}/);
  expect(bad([{ x: 0, y: 0, z: '1' }])).toThrow(TypeError);
  expect(bad([{ x: 0, y: 0, z: 0 }, null])).toThrow(/points\[1\] must be/);
  expect(bad([0, 0, null])).toThrow(/points\[2\]/);
  expect(() => readPoints2('test', [1, 2, 3])).toThrow(/2 numbers a point/);
  // A sum that overflows is not bad input.
  expect(readPoints('test', [1.7e308, 1.7e308, 1.7e308]).length).toBe(3);
});
