import { expect, test } from 'vitest';
import { exactPointTriangle } from '../../tests/kit/exact-distance.ts';
import { near, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, cornersOf, icosphere, inverted, moved, together } from '../../tests/kit/meshes.ts';
import { vec3 } from '../math/types.ts';
import { makeMeshPoint } from './closest.ts';
import { mesh } from './mesh.ts';
import { signedDistanceMesh } from './signed-distance.ts';

const cube = boxMesh(vec3(-1, -2, -3), vec3(1, 2, 3));
const cubeMesh = mesh(cube.positions, cube.index);

property('a box: the closed form', 10_000, (rng) => {
  const p = rng.chance(0.3)
    ? vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4))
    : vec3(rng.range(-4, 4), rng.range(-4, 4), rng.range(-4, 4));
  const [x, y, z] = [Math.abs(p.x) - 1, Math.abs(p.y) - 2, Math.abs(p.z) - 3];
  const wanted = Math.hypot(Math.max(x, 0), Math.max(y, 0), Math.max(z, 0)) + Math.min(Math.max(x, y, z), 0);
  near(signedDistanceMesh(p, cubeMesh), wanted, 1e-14);
});

property('the size is the distance from the nearest triangle', 20, (rng) => {
  const arrays = icosphere(1);
  const m = mesh(arrays.positions, arrays.index);
  const p = rng.vec(1.5);
  let least = Infinity;
  for (let i = 0; i < 80; i++) least = Math.min(least, exactPointTriangle(p, ...cornersOf(arrays, i)));
  near(Math.abs(signedDistanceMesh(p, m)), least, 1e-14);
});

test('a sphere, to within its facets', () => {
  const rng = new Rng(3);
  const { positions, index } = icosphere(4);
  const m = mesh(Float32Array.from(positions), index);
  const out = makeMeshPoint();
  for (let i = 0; i < 500; i++) {
    const p = rng.vec(1.5);
    const d = signedDistanceMesh(p, m, out);
    expect(d).toBeCloseTo(Math.hypot(p.x, p.y, p.z) - 1, 2);
    expect(out.distance).toBe(Math.abs(d));
    expect(Math.hypot(p.x - out.point.x, p.y - out.point.y, p.z - out.point.z)).toBeCloseTo(out.distance, 12);
  }
});

test('a cavity is outside', () => {
  const { positions, index } = together(moved(boxMesh(), 2), inverted(boxMesh()));
  const m = mesh(positions, index);
  expect(signedDistanceMesh(vec3(), m)).toBe(1);
  expect(signedDistanceMesh(vec3(1.25, 0, 0), m)).toBe(-0.25);
  expect(signedDistanceMesh(vec3(2.25, 0, 0), m)).toBe(0.25);
  expect(signedDistanceMesh(vec3(1, 0, 0), m)).toBe(0);
});
