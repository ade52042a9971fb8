import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { rotate } from '../math/vec3.ts';
import { boxPolyhedron, polyhedron } from '../polytope/index.ts';
import { massProperties } from './index.ts';

property('a box: volume, centroid and inertia by the textbook, turned and far away', 2000, (rng) => {
  const half = { x: rng.range(0.1, 2), y: rng.range(0.1, 2), z: rng.range(0.1, 2) };
  const at = rng.vec(rng.pick([1, 1e6]));
  const r = rng.rotation();
  const box = boxPolyhedron({ x: -half.x, y: -half.y, z: -half.z }, half);
  const vertices = box.vertices.map((v) => {
    const p = rotate(v, r);
    return { x: p.x + at.x, y: p.y + at.y, z: p.z + at.z };
  });
  const density = rng.range(0.5, 3);
  const { volume, area, mass, centroid, inertia } = massProperties({ vertices, faces: box.faces }, density);
  const scale = Math.abs(at.x) + Math.abs(at.y) + Math.abs(at.z) + 4;
  const tolerance = 1e-14 * scale + 1e-13; // the corners themselves are rounded to the size of `at`
  const { x, y, z } = half;
  near(volume, 8 * x * y * z, 50 * tolerance, 'volume');
  near(area, 8 * (x * y + y * z + z * x), 50 * tolerance, 'area');
  near(mass, density * volume, 1e-12, 'mass');
  for (const axis of ['x', 'y', 'z'] as const)
    near(centroid[axis], at[axis], 10 * tolerance + 1e-15 * scale, axis);
  // About each axis of the box: m/3 (b² + c²).
  const axes = [
    [{ x: 1, y: 0, z: 0 }, y * y + z * z],
    [{ x: 0, y: 1, z: 0 }, z * z + x * x],
    [{ x: 0, y: 0, z: 1 }, x * x + y * y],
  ] as const;
  for (const [axis, sum] of axes) {
    const n = rotate(axis, r);
    const e = inertia.elements;
    const i =
      n.x * (e[0]! * n.x + e[3]! * n.y + e[6]! * n.z) +
      n.y * (e[1]! * n.x + e[4]! * n.y + e[7]! * n.z) +
      n.z * (e[2]! * n.x + e[5]! * n.y + e[8]! * n.z);
    near(i, (mass / 3) * sum, 500 * tolerance, 'inertia');
  }
});

test('a cavity takes away, a surface inside out counts negative', () => {
  const outer = boxPolyhedron({ x: -2, y: -2, z: -2 }, { x: 2, y: 2, z: 2 });
  const inner = boxPolyhedron({ x: -1, y: -1, z: -1 }, { x: 1, y: 1, z: 1 });
  const vertices = [...outer.vertices, ...inner.vertices];
  const faces = [...outer.faces, ...inner.faces.map((face) => [...face].reverse().map((i) => i + 8))];
  expect(massProperties({ vertices, faces }).volume).toBeCloseTo(56, 12);
  expect(massProperties({ vertices, faces: faces.map((f) => [...f].reverse()) }).volume).toBeCloseTo(-56, 12);
});

property('hulls: the same from triangles and from faces', 300, (rng) => {
  const points = Array.from({ length: rng.int(5, 40) }, () => rng.vec());
  const hull = polyhedron(points);
  const byFaces = massProperties(hull);
  const byTriangles = massProperties({
    positions: hull.vertices.flatMap(({ x, y, z }) => [x, y, z]),
    index: hull.faces.flatMap((f) => f.slice(2).flatMap((_, k) => [f[0]!, f[k + 1]!, f[k + 2]!])),
  });
  near(byTriangles.volume, byFaces.volume, 1e-14);
  check(byFaces.volume > 0, 'volume');
  for (const { normal, d } of hull.planes)
    check(
      normal.x * byFaces.centroid.x + normal.y * byFaces.centroid.y + normal.z * byFaces.centroid.z < d,
      'inside',
    );
});

test('flat and pointlike surfaces have a centre, and no NaN', () => {
  const flat = massProperties({ positions: [0, 0, 0, 3, 0, 0, 0, 3, 0] });
  expect(flat).toMatchObject({ volume: 0, area: 4.5, mass: 0, centroid: { x: 1, y: 1, z: 0 } });
  const point = massProperties({ positions: [1, 2, 3, 1, 2, 3, 1, 2, 3] });
  expect(point).toMatchObject({ volume: 0, area: 0, centroid: { x: 1, y: 2, z: 3 } });
  expect(() => massProperties({ positions: [1, 2] })).toThrow(/surface/);
  expect(() => massProperties({ positions: [0, 0, 0] }, Number.NaN)).toThrow(/density/);
});
