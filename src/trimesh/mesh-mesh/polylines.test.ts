import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { joinSegments } from './polylines.ts';

test('a chain, a ring, and both with segments given twice', () => {
  expect(joinSegments([1, 2, 0, 1, 3, 2], 4)).toEqual([
    { points: [0, 1, 2, 3], sources: [1, 0, 2], closed: false },
  ]);
  expect(joinSegments([0, 1, 2, 0, 1, 2], 3)).toEqual([
    { points: [0, 1, 2], sources: [0, 2, 1], closed: true },
  ]);
  expect(joinSegments([0, 1, 1, 0, 2, 0, 1, 2, 2, 1], 3)[0]!.points).toEqual([0, 1, 2]);
});

test('a figure of eight is two rings, and a point counts only where nothing passes', () => {
  const eight = joinSegments([0, 1, 1, 2, 2, 0, 0, 3, 3, 4, 4, 0], 5);
  expect(eight.map(({ points, closed }) => [points[0], points.length, closed])).toEqual([
    [0, 3, true],
    [0, 3, true],
  ]);
  expect(joinSegments([0, 0, 1, 1, 1, 2, 0, 0], 3)).toEqual([
    { points: [1, 2], sources: [2], closed: false },
    { points: [0], sources: [], closed: false },
  ]);
  expect(joinSegments([], 0)).toEqual([]);
});

property('every segment is in one chain, and chains end only where they must', 2000, (rng) => {
  const count = rng.int(1, 12);
  const segments = Array.from({ length: 2 * rng.int(0, 14) }, () => rng.int(0, count - 1));
  const key = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;
  const wanted = new Set<string>();
  const degree = new Array<number>(count).fill(0);
  for (let i = 0; i < segments.length; i += 2) {
    const [a, b] = [segments[i]!, segments[i + 1]!];
    if (a === b || wanted.has(key(a, b))) continue;
    wanted.add(key(a, b));
    degree[a]!++;
    degree[b]!++;
  }
  for (const { points, sources, closed } of joinSegments(segments, count)) {
    check(sources.length === (closed ? points.length : points.length - 1), 'a segment for each step');
    sources.forEach((n, k) => {
      const step = key(points[k]!, points[(k + 1) % points.length]!);
      check(step === key(segments[2 * n]!, segments[2 * n + 1]!), 'the source of the step');
      check(wanted.delete(step), 'a segment twice');
    });
    points.slice(1, closed ? undefined : -1).forEach((p) => {
      check(degree[p] === 2, 'a chain through a knot');
    });
    if (!closed)
      for (const p of [points[0]!, points.at(-1)!]) check(degree[p] !== 2, 'a chain that could go on');
  }
  check(wanted.size === 0, 'a segment is missing');
});
