import { describe, expect, test } from 'vitest';
import { boxHalfspaces, integers, survives } from '../../../tests/kit/clip.ts';
import { check, cloud, property, type Rng } from '../../../tests/kit/index.ts';
import type { Mat3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import type { Aabb } from '../types.ts';
import { overlapTriangleAabb, overlapTriangleObb } from './triangle-box.ts';

type Triangle = [Vec3, Vec3, Vec3];

/** Clip the triangle by the six halfspaces of the box, exactly. */
function truth(triangle: Triangle, { min, max }: Aabb): boolean {
  const [a, b, c, low, high] = integers(...triangle, min, max);
  return survives([a!, b!, c!], boxHalfspaces(low!, high!));
}

/** A triangle and a box, often flat, sliver-like or touching. */
function draw(rng: Rng): { triangle: Triangle; box: Aabb; scale: number } {
  const { points, scale } = cloud(rng, 5);
  const [a, b, c, p, q] = points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const box = { min: m.min(p, q), max: m.max(p, q) };
  const mix = rng.unit();
  const half = (u: Vec3, v: Vec3) => m.lerp(u, v, 0.5);
  if (mix < 0.1) m.copy(half(a, b), c);
  else if (mix < 0.15) m.copy(a, b);
  else if (mix < 0.25) {
    // an edge that runs along or touches an edge of the box, or nearly
    m.set(box.max.x, box.max.y, a.z, a);
    m.set(box.max.x, box.max.y, b.z, b);
  } else if (mix < 0.35) {
    // a corner of the box on the triangle's plane, the triangle leaning over it
    const corner = vec3(box.max.x, box.max.y, box.max.z);
    const u = rng.direction();
    const w = rng.direction();
    m.addScaled(corner, u, scale, a);
    m.addScaled(corner, u, -scale, b);
    m.addScaled(corner, w, scale, c);
  } else if (mix < 0.4) m.addScaled(half(a, b), rng.direction(), 1e-15 * scale, c);
  return { triangle: [a, b, c], box, scale };
}

describe('overlapTriangleAabb', () => {
  let hits = 0;
  let cases = 0;
  property('[R5.2.9] equals the exact clip of the triangle by the box', 20_000, (rng) => {
    const { triangle, box } = draw(rng);
    const wanted = truth(triangle, box);
    const found = overlapTriangleAabb(...triangle, box);
    check(found === wanted, () => `${wanted}: ${JSON.stringify(triangle)} ${JSON.stringify(box)}`);
    cases++;
    if (wanted) hits++;
  });

  test('[R5.2.9] the random cases are of both kinds', () => {
    expect(hits / cases).toBeGreaterThan(0.2);
    expect(hits / cases).toBeLessThan(0.8);
  });

  const unit = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
  test('[R5.2.9] a triangle in the plane of a face touches it', () => {
    expect(overlapTriangleAabb(vec3(1, 0, 0), vec3(1, 3, 0), vec3(1, 0, 3), unit)).toBe(true);
    expect(overlapTriangleAabb(vec3(1, 1, 1), vec3(2, 3, 4), vec3(2, 4, 3), unit)).toBe(true);
    const above = 1 + Number.EPSILON;
    expect(overlapTriangleAabb(vec3(above, 0, 0), vec3(above, 3, 0), vec3(above, 0, 3), unit)).toBe(false);
  });

  test('[R5.2.9] one ulp beside a box corner is apart, on it touches', () => {
    // The plane x + y + z = 3 touches the corner (1, 1, 1).
    const at = (s: number) => overlapTriangleAabb(vec3(s, 0, 0), vec3(0, s, 0), vec3(0, 0, s), unit);
    expect(at(3)).toBe(true);
    expect(at(3 + 4 * Number.EPSILON)).toBe(false);
  });

  test('[R5.2.9] a triangle through the centre of a box far from the origin is found', () => {
    const box = { min: vec3(9, -1, -1), max: vec3(11, 1, 1) };
    expect(overlapTriangleAabb(vec3(10, -5, -5), vec3(10, 5, -5), vec3(10, 0, 9), box)).toBe(true);
  });

  test('[R5.2.9] bad input is refused by name', () => {
    const a = vec3(Number.NaN, 0, 0);
    expect(() => overlapTriangleAabb(vec3(), a, vec3(), unit)).toThrow(/b\.x/);
    const inverted = { min: vec3(1, 0, 0), max: vec3(0, 1, 1) };
    expect(() => overlapTriangleAabb(vec3(), vec3(), vec3(), inverted)).toThrow(/box/);
  });
});

describe('overlapTriangleObb', () => {
  const matrixOf = (q: { x: number; y: number; z: number; w: number }): Mat3 => {
    const columns = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((e) => m.rotate(e, q));
    return { elements: columns.flatMap((v) => [v.x, v.y, v.z]) };
  };

  property(
    '[R5.2.9] equals the exact test in the frame of the box, save within rounding of touching',
    10_000,
    (rng) => {
      const { triangle, box, scale } = draw(rng);
      const rotation = matrixOf(rng.rotation());
      const center = m.scale(m.add(box.min, box.max), 0.5);
      const halfSize = m.scale(m.sub(box.max, box.min), 0.5);
      const turned = triangle.map((p) => m.add(m.transform(m.sub(p, center), rotation), center)) as Triangle;
      const found = overlapTriangleObb(...turned, { center, halfSize, rotation });
      // Never missed; and a yes is a yes for a box that is larger by a few roundings of the coordinates.
      if (resized(triangle, box, -2e-15 * scale))
        check(found, () => `missed ${JSON.stringify([turned, center, halfSize])}`);
      if (found)
        check(
          resized(triangle, box, 5e-14 * scale),
          () => `ghost ${JSON.stringify([turned, center, halfSize])}`,
        );
    },
  );

  /** Does the triangle meet the box when every face is moved out by so much? */
  function resized(triangle: Triangle, { min, max }: Aabb, by: number): boolean {
    const low = m.sub(min, vec3(by, by, by));
    const high = m.add(max, vec3(by, by, by));
    return low.x <= high.x && low.y <= high.y && low.z <= high.z && truth(triangle, { min: low, max: high });
  }
});
