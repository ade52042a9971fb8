/**
 * Meshes with cracks. A ray has no width and finds them; a query with some width does not. The fat ray is made from
 * what this family has: a ray against a triangle swollen by r, that is its two faces moved by r and the capsules of
 * its edges. RTCD §11.3.4.
 */
import { expect, test } from 'vitest';
import { property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeRay } from '../types.ts';
import { rayCapsule } from './ray-capsule.ts';
import { rayTriangle } from './ray-triangle.ts';

const SIZE = 6;
const GAP = 1e-3;
const ray = makeRay();

/** A floor of unit squares, two triangles each, all shrunk about their middles so that a gap is left between them. */
const floor: [Vec3, Vec3, Vec3][] = [];
for (let i = 0; i < SIZE; i++)
  for (let j = 0; j < SIZE; j++) {
    const at = (x: number, y: number) => vec3(i + x, j + y, 0);
    const halves: [Vec3, Vec3, Vec3][] = [
      [at(GAP / 2, GAP / 2), at(1 - GAP / 2, GAP / 2), at(1 - GAP / 2, 1 - 2 * GAP)],
      [at(GAP / 2, 2 * GAP), at(1 - GAP / 2, 1 - GAP / 2), at(GAP / 2, 1 - GAP / 2)],
    ];
    floor.push(...halves);
  }

const thin = () => floor.some(([a, b, c]) => rayTriangle(ray, a, b, c));

function fat(radius: number): boolean {
  const shifted = (p: Vec3, by: number) => vec3(p.x, p.y, p.z + by);
  return floor.some(
    ([a, b, c]) =>
      rayTriangle(ray, shifted(a, radius), shifted(b, radius), shifted(c, radius)) ||
      rayTriangle(ray, shifted(a, -radius), shifted(b, -radius), shifted(c, -radius)) ||
      [
        [a, b],
        [b, c],
        [c, a],
      ].some(([p, q]) => rayCapsule(ray, { a: p!, b: q!, radius })),
  );
}

let leaks = 0;
property(
  '[R11.3.4] a ray leaks through the gaps of a mesh, a fat one of more than half the gap never',
  3_000,
  (rng) => {
    // Down at a seam between squares, or along a diagonal, from all sides.
    const x = rng.int(1, SIZE - 1) + rng.range(-0.5, 0.5) * GAP;
    const y = rng.range(0.5, SIZE - 0.5);
    const seam = rng.pick([vec3(x, y, 0), vec3(y, x, 0), vec3(x, x + rng.range(-1, 1) * GAP, 0)]);
    const from = vec3(seam.x + rng.range(-0.2, 0.2), seam.y + rng.range(-0.2, 0.2), 1);
    ray.origin = from;
    ray.direction = vec3(seam.x - from.x, seam.y - from.y, -1);
    if (!thin()) leaks++;
    // The widest gap, across the diagonals, is less than 3 GAP.
    if (!fat(1.5 * GAP)) throw new Error(`a fat ray leaks at ${seam.x}, ${seam.y}`);
  },
);

test('[R11.3.4] the thin rays did leak', () => expect(leaks).toBeGreaterThan(1_000));

test('[R11.3.4] bridging needs r > gap / 2', () => {
  ray.origin = vec3(2, 2.5, 1);
  ray.direction = vec3(0, 0, -1);
  expect(thin()).toBe(false);
  expect(fat(0.49 * GAP)).toBe(false);
  expect(fat(0.51 * GAP)).toBe(true);
});
