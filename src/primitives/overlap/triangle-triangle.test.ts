import { expect, test } from 'vitest';
import { integers, survives, triangleHalfspaces } from '../../../tests/kit/clip.ts';
import { check, cloud, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { overlapTriangleTriangle } from './triangle-triangle.ts';

type Six = [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];

/** Clip the first triangle by the halfspaces of the second, exactly. */
function truth(corners: Six): boolean {
  const p = integers(...corners);
  return survives(p.slice(0, 3), triangleHalfspaces(p.slice(3)));
}

/** Six corners, often with shared, collinear or coplanar ones. */
function corners(rng: Rng): Six {
  const p = cloud(rng, 6).points as Six;
  const mix = rng.unit();
  if (mix < 0.1) p[rng.int(3, 5)] = { ...p[rng.int(0, 2)]! };
  else if (mix < 0.2) {
    p[3] = { ...p[1] };
    p[4] = { ...p[0] };
  } else if (mix < 0.3) {
    // a corner on (or, by rounding, next to) an edge or the face of the other triangle
    const u = rng.pick([0, 0.25, 0.5]);
    const v = rng.pick([0, 0.25, 0.5]);
    p[3] = blend(p[0], p[1], p[2], u, v);
  } else if (mix < 0.4) p[2] = blend(p[0], p[1], p[0], rng.pick([0, 0.5, 1]), 0);
  else if (mix < 0.5) {
    const axis = rng.pick(['x', 'y', 'z'] as const);
    for (const q of p) q[axis] = p[0][axis];
  } else if (mix < 0.6) {
    // in one plane, up to rounding
    p[3] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
    p[4] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
    p[5] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
  }
  return p;
}

const blend = (a: Vec3, b: Vec3, c: Vec3, u: number, v: number): Vec3 =>
  vec3(
    a.x + u * (b.x - a.x) + v * (c.x - a.x),
    a.y + u * (b.y - a.y) + v * (c.y - a.y),
    a.z + u * (b.z - a.z) + v * (c.z - a.z),
  );

let hits = 0;
let cases = 0;
property('[R5.2.10] equals the exact clip of one triangle by the other', 10_000, (rng) => {
  const p = corners(rng);
  const wanted = truth(p);
  check(overlapTriangleTriangle(...p) === wanted, () => `${wanted} for ${JSON.stringify(p)}`);
  cases++;
  if (wanted) hits++;
});

test('[R5.2.10] the random pairs are of both kinds', () => {
  expect(hits / cases).toBeGreaterThan(0.2);
  expect(hits / cases).toBeLessThan(0.8);
});

property('[R5.2.10] does not depend on the order of corners or triangles', 10_000, (rng) => {
  const p = corners(rng);
  const wanted = overlapTriangleTriangle(...p);
  const first = rng.shuffle(p.slice(0, 3));
  const second = rng.shuffle(p.slice(3));
  check(overlapTriangleTriangle(...([...second, ...first] as Six)) === wanted, () => JSON.stringify(p));
  check(overlapTriangleTriangle(...([...first, ...second] as Six)) === wanted, () => JSON.stringify(p));
});
