import { expect, test } from 'vitest';
import { exactPointTriangle } from '../../tests/kit/exact-distance.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  cornersOf,
  icosphere,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  together,
  torus,
} from '../../tests/kit/meshes.ts';
import type { Vec3 } from '../math/types.ts';
import { closestFeatureTriangle } from '../primitives/closest/index.ts';
import { closestPointMesh, makeMeshPoint } from './closest.ts';
import { mesh } from './mesh.ts';

function draw(rng: Rng): TriangleArrays {
  const shapes = [
    () => icosphere(2),
    () => torus(),
    () => terrain(rng, 12),
    () => soup(rng, rng.int(1, 60)),
    () => together(icosphere(1), moved(icosphere(1), 0.5)),
  ];
  return moved(
    rng.pick(shapes)(),
    rng.pick([1, 1, 1e-4, 1e4]),
    rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(10), rng.vec(1e6)]),
  );
}

/** Points on corners, on edges, within triangles, near by, around and far away. */
function drawPoint(rng: Rng, arrays: TriangleArrays): Vec3 {
  const [a, b, c] = cornersOf(arrays, rng.int(0, arrays.index.length / 3 - 1));
  const v = rng.pick([0, 0.5, rng.unit()]);
  const w = rng.pick([0, 1 - v, rng.unit() * (1 - v)]);
  const size = Math.abs(b.x - a.x) + Math.abs(b.y - a.y) + Math.abs(c.z - a.z);
  const off = rng.vec(size * rng.pick([0, 0, 1e-9, 0.1, 1, 10, 1e3, 1e8]));
  return {
    x: a.x + v * (b.x - a.x) + w * (c.x - a.x) + off.x,
    y: a.y + v * (b.y - a.y) + w * (c.y - a.y) + off.y,
    z: a.z + v * (b.z - a.z) + w * (c.z - a.z) + off.z,
  };
}

property('the closest point is that of asking every triangle, to the last bit', 300, (rng) => {
  const arrays = draw(rng);
  const triangles = Array.from({ length: arrays.index.length / 3 }, (_, i) => cornersOf(arrays, i));
  const solid = mesh(arrays.positions, arrays.index, { leafSize: rng.pick([1, 2, 4, 10, 15]) });
  for (let i = 0; i < 20; i++) {
    const p = drawPoint(rng, arrays);
    let best = Infinity;
    let nearest = -1;
    triangles.forEach(([a, b, c], k) => {
      const { distanceSq } = closestFeatureTriangle(p, a, b, c);
      if (distanceSq < best) {
        best = distanceSq;
        nearest = k;
      }
    });
    const wanted = closestFeatureTriangle(p, ...triangles[nearest]!);
    const found = closestPointMesh(p, solid)!;
    const { point, u, v, w, feature } = wanted;
    const whole = { point, distance: Math.sqrt(best), triangle: nearest, feature, u, v, w };
    check(JSON.stringify(found) === JSON.stringify(whole), () => JSON.stringify({ p, found, whole }));
    const limit = found.distance;
    check(closestPointMesh(p, solid, limit)?.triangle === nearest || limit * limit < best, 'at the limit');
    if (limit > 0) check(closestPointMesh(p, solid, limit * 0.999999) === null, 'beyond the limit');
  }
});

property('its distance is the exact one within rounding', 300, (rng) => {
  const arrays = soup(rng, rng.int(1, 12));
  const solid = mesh(arrays.positions, arrays.index);
  const p = drawPoint(rng, arrays);
  let exact = Infinity;
  for (let i = 0; i < arrays.index.length / 3; i++)
    exact = Math.min(exact, exactPointTriangle(p, ...cornersOf(arrays, i)));
  const size = Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z) + 1e-300;
  near(closestPointMesh(p, solid)!.distance, exact, 1e-15 * (exact + size * 4), 'distance');
});

test('of triangles that share the closest corner, the one with the lowest number', () => {
  const fan = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0], [0, 2, 3, 0, 1, 2], { leafSize: 1 });
  const found = closestPointMesh({ x: 0, y: 3, z: 0 }, fan)!;
  expect(found).toMatchObject({ triangle: 0, distance: 2, feature: 'b', point: { x: 0, y: 1, z: 0 } });
});

test('triangles without area are points and segments, and near to what is near them', () => {
  const needle = mesh([0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 5, 2, 0, 5, 1, 0]);
  expect(closestPointMesh({ x: 1, y: 0, z: 0 }, needle)).toMatchObject({ triangle: 0, distance: 1 });
  expect(closestPointMesh({ x: 4, y: 1.5, z: 0 }, needle)).toMatchObject({ triangle: 1, distance: 1 });
});

test('uses the record of the caller', () => {
  const ball = icosphere(1);
  const out = makeMeshPoint();
  expect(closestPointMesh({ x: 3, y: 0, z: 0 }, mesh(ball.positions, ball.index), Infinity, out)).toBe(out);
  expect(out.distance).toBeGreaterThan(1.9);
});
