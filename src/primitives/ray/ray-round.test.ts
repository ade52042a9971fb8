/** Cylinders, capsules and cones by hand: the cases that printed listings get wrong. */
import { expect, test } from 'vitest';
import { vec3 } from '../../math/types.ts';
import type { Ray } from '../types.ts';
import { rayCapsule, segmentCapsule } from './ray-capsule.ts';
import { rayCone, segmentCone } from './ray-cone.ts';
import {
  rayCylinder,
  rayInfiniteCylinder,
  segmentCylinder,
  segmentInfiniteCylinder,
} from './ray-cylinder.ts';

const cylinder = { a: vec3(0, 0, 0), b: vec3(0, 0, 2), radius: 1 };
const cone = { tip: vec3(0, 0, 2), base: vec3(0, 0, 0), radius: 1 };
const ray = (x: number, y: number, z: number, dx: number, dy: number, dz: number): Ray => ({
  origin: vec3(x, y, z),
  direction: vec3(dx, dy, dz),
});

test('[R5.3.7] a start inside the cylinder, along the axis and not', () => {
  for (const r of [
    ray(0, 0, 1, 0, 0, 1),
    ray(0.5, 0, 1, 1, 0, 0),
    ray(0.5, 0, 1, 1, 1, 1),
    ray(1, 0, 2, 1, 0, 1),
  ])
    expect(rayCylinder(r, cylinder)!.t).toBe(0);
  expect(segmentCylinder(vec3(0.5, 0, 1), vec3(9, 9, 9), cylinder)!.t).toBe(0);
  expect(segmentCylinder(vec3(0.5, 0, 1), vec3(0.5, 0, 1), cylinder)!.normal).toEqual(vec3());
  expect(segmentCylinder(vec3(1.5, 0, 1), vec3(1.5, 0, 1), cylinder)).toBeNull();
});

test('[R5.3.7] entry through either end, from within the endless tube too', () => {
  expect(rayCylinder(ray(0, 0, 5, 0, 0, -1), cylinder)).toEqual({
    t: 3,
    point: vec3(0, 0, 2),
    normal: vec3(0, 0, 1),
  });
  expect(rayCylinder(ray(0.5, 0, -3, 0, 0.1, 1), cylinder)!.normal).toEqual(vec3(0, 0, -1));
  expect(rayCylinder(ray(0.5, 0, -3, 0, 0.1, 1), cylinder)!.t).toBe(3);
  // In the tube, past the end, and leaving.
  expect(rayCylinder(ray(0.5, 0, 3, 0.1, 0, 1), cylinder)).toBeNull();
  expect(rayInfiniteCylinder(ray(0.5, 0, 3, 0.1, 0, 1), cylinder)!.t).toBe(0);
});

test('[R5.3.7] behind the start, before the start, too short', () => {
  expect(rayCylinder(ray(3, 0, 1, 1, 0, 0), cylinder)).toBeNull();
  expect(rayCylinder(ray(0, 0, 3, 0, 0, 1), cylinder)).toBeNull();
  expect(segmentCylinder(vec3(3, 0, 1), vec3(1.5, 0, 1), cylinder)).toBeNull();
  expect(segmentCylinder(vec3(3, 0, 1), vec3(1, 0, 1), cylinder)!.t).toBe(1);
  expect(rayCylinder(ray(3, 0, 1, -1, 0, 0), cylinder, 2)).toEqual({
    t: 2,
    point: vec3(1, 0, 1),
    normal: vec3(1, 0, 0),
  });
  expect(segmentInfiniteCylinder(vec3(3, 0, 9), vec3(0, 0, 9), cylinder)!.normal).toEqual(vec3(1, 0, 0));
});

test('[R5.3.7] the rim, and parallel to the axis on the side', () => {
  expect(rayCylinder(ray(3, 0, 4, -1, 0, -1), cylinder)!.t).toBe(2); // touches the upper rim
  expect(rayCylinder(ray(1, 0, 4, 0, 0, -1), cylinder)!.t).toBe(2);
  expect(rayCylinder(ray(1 + 2 ** -52, 0, 4, 0, 0, -1), cylinder)).toBeNull();
  expect(rayInfiniteCylinder(ray(2, 0, 4, 0, 0, -1), cylinder)).toBeNull();
});

test('[R5.3.7] a cylinder or cone of length zero is a point; an endless one is refused', () => {
  const point = { a: vec3(1, 1, 1), b: vec3(1, 1, 1), radius: 5 };
  expect(rayCylinder(ray(1, 1, 3, 0, 0, -1), point)!.t).toBe(2);
  expect(rayCylinder(ray(1.5, 1, 3, 0, 0, -1), point)).toBeNull();
  expect(rayCone(ray(1, 1, 3, 0, 0, -1), { tip: point.a, base: point.b, radius: 5 })!.t).toBe(2);
  expect(() => rayInfiniteCylinder(ray(1, 1, 3, 0, 0, -1), point)).toThrow(/cylinder\.b/);
});

test('[R5.3.7] a capsule: side, ends, length zero, start inside an end', () => {
  const capsule = { a: vec3(0, 0, 0), b: vec3(0, 0, 2), radius: 1 };
  expect(rayCapsule(ray(3, 0, 1, -1, 0, 0), capsule)).toEqual({
    t: 2,
    point: vec3(1, 0, 1),
    normal: vec3(1, 0, 0),
  });
  expect(rayCapsule(ray(0, 0, 5, 0, 0, -1), capsule)!.t).toBe(2);
  expect(rayCapsule(ray(0, 0, -0.5, 0, 0, -1), capsule)!.t).toBe(0);
  expect(rayCapsule(ray(0.9, 0, 2.9, 1, 0, 0), capsule)).toBeNull(); // in the corner that the ball leaves
  expect(segmentCapsule(vec3(3, 0, 0), vec3(1, 0, 0), { ...capsule, b: capsule.a })!.t).toBe(1);
});

test('[R5.3.7] a cone: base, side, tip, and the mirror image above the tip that is not there', () => {
  expect(rayCone(ray(0.5, 0, -1, 0, 0, 1), cone)).toEqual({
    t: 1,
    point: vec3(0.5, 0, 0),
    normal: vec3(0, 0, -1),
  });
  const side = rayCone(ray(3, 0, 1, -1, 0, 0), cone)!;
  expect(side.t).toBe(2.5);
  expect(side.normal.x).toBeCloseTo(2 / Math.sqrt(5), 15);
  expect(side.normal.z).toBeCloseTo(1 / Math.sqrt(5), 15);
  expect(rayCone(ray(0, 0, 5, 0, 0, -1), cone)).toEqual({
    t: 3,
    point: vec3(0, 0, 2),
    normal: vec3(0, 0, 1),
  });
  expect(rayCone(ray(3, 0, 3, -1, 0, 0), cone)).toBeNull();
  expect(rayCone(ray(0.2, 0, 5, 0, 0, -1), cone)!.t).toBeCloseTo(3.4, 14);
  expect(rayCone(ray(-1, 0, 4, 1, 0, -2), cone)!.t).toBeCloseTo(1, 14); // through the tip, down the side
  expect(segmentCone(vec3(0.1, 0, 1), vec3(9, 9, 9), cone)!.t).toBe(0);
});

test('bad numbers are refused by name', () => {
  const r = ray(0, 0, 5, 0, 0, -1);
  expect(() => rayCylinder(r, { ...cylinder, radius: -1 })).toThrow(/cylinder\.radius/);
  expect(() => rayCapsule(r, { ...cylinder, a: vec3(Number.NaN) })).toThrow(/capsule\.a\.x/);
  expect(() => rayCone(r, { ...cone, radius: Infinity })).toThrow(/cone\.radius/);
});
