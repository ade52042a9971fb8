/** `maxDistance` of `distance`: a limit on the separation, whatever its sign, for every pair of shapes. */
import { expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, factor, property } from '../../tests/kit/index.ts';
import { collider } from '../shapes/collider.ts';
import { box, hull } from '../shapes/flat-sided-shapes.ts';
import { cylinder, sphere } from '../shapes/round-shapes.ts';
import { distance } from './distance.ts';

const NAMES = Object.keys(EVERY_SHAPE);
const PAIRS = NAMES.flatMap((a) => NAMES.map((b) => [a, b] as const));

let deep = 0;
property('is honoured above and below zero, for every pair', 5 * PAIRS.length, (rng, i) => {
  const [a, b] = PAIRS[i % PAIRS.length]!;
  const place = () => ({ position: rng.vec(rng.pick([0.3, 1, 3])), quaternion: rng.rotation() });
  const first = collider(EVERY_SHAPE[a]!, place());
  const second = collider(EVERY_SHAPE[b]!, place());
  const { separation } = distance(first, second)!;
  if (!Number.isFinite(separation)) return; // half-spaces that nothing parts
  if (separation < 0) deep++;
  const room = 1e-9 + 1e-6 * Math.abs(separation);
  const more = distance(first, second, { maxDistance: separation + room });
  check(more !== null, () => `${a}, ${b}: nothing within ${separation + room}, above ${separation}`);
  check(Math.abs(more.separation - separation) <= 1e-12, () => `${more.separation}, not ${separation}`);
  const less = distance(first, second, { maxDistance: separation - room });
  check(
    less === null,
    () => `${a}, ${b}: ${less!.separation} is reported, above the limit ${separation - room}`,
  );
});
test('many of the pairs overlap', () => expect(deep).toBeGreaterThan(1.25 * PAIRS.length * factor));

test('overlapping cores that are less deep than asked for are not reported', () => {
  const cube = box(1, 1, 1);
  const tetrahedron = hull([
    { x: 0, y: 0, z: 0 },
    { x: 1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 1 },
  ]);
  expect(distance(cube, cube, { maxDistance: -3 })).toBeNull();
  expect(distance(cube, cube, { maxDistance: -2 })!.separation).toBeCloseTo(-2, 14);
  expect(distance(cube, cylinder(1, 1), { maxDistance: -2.5 })).toBeNull();
  expect(distance(cube, tetrahedron, { maxDistance: -1.5 })).toBeNull();
  expect(distance(sphere(1), sphere(1), { maxDistance: -2.5 })).toBeNull();
  expect(distance(sphere(1), sphere(1), { maxDistance: -2 })!.separation).toBe(-2);
});
