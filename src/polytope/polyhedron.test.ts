import { expect, test } from 'vitest';
import type { Rng } from '../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import {
  isConvexPolyhedron,
  isLocallyConvexPolyhedron,
  type PolyhedralSurface,
  vertexCentroid,
} from '../rtcd/index.ts';
import {
  affineDimension,
  boxPolyhedron,
  convexHull3,
  polyhedron,
  polyhedronFromHull,
  vertexNeighbours,
} from './index.ts';

const unit = boxPolyhedron({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 });

/** A prism over a polygon in the order given, caps at z = 0 and 1. */
function prism(polygon: readonly { x: number; y: number }[]): PolyhedralSurface {
  const n = polygon.length;
  const bottom = polygon.map(({ x, y }) => ({ x, y, z: 0 }));
  const sides = bottom.map((_, i) => [i, (i + 1) % n, n + ((i + 1) % n), n + i]);
  return {
    vertices: [...bottom, ...bottom.map((p) => ({ ...p, z: 1 }))],
    faces: [bottom.map((_, i) => n - 1 - i), bottom.map((_, i) => n + i), ...sides],
  };
}

const star = (step: number) =>
  Array.from({ length: 5 }, (_, i) => ({
    x: Math.cos((2 * Math.PI * step * i) / 5),
    y: Math.sin((2 * Math.PI * step * i) / 5),
  }));

test('[R3.8.1] an extruded pentagram fools the test of neighbours, not the test of all', () => {
  expect(isLocallyConvexPolyhedron(prism(star(2)))).toBe(true);
  expect(isConvexPolyhedron(prism(star(2)))).toBe(false);
  expect(isLocallyConvexPolyhedron(prism(star(1)))).toBe(true);
  expect(isConvexPolyhedron(prism(star(1)))).toBe(true);
});

test('[R3.8.1] dented, inside out, open, flat, doubled and degenerate surfaces are not convex', () => {
  const straight = prism([
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 2 },
  ]);
  const dart = prism([
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 4 },
  ]);
  const insideOut = { vertices: unit.vertices, faces: unit.faces.map((face) => [...face].reverse()) };
  const open = { vertices: unit.vertices, faces: unit.faces.slice(1) };
  const flat = boxPolyhedron({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 0 });
  const two = {
    vertices: [...unit.vertices, ...unit.vertices],
    faces: [...unit.faces, ...unit.faces.map((face) => face.map((i) => i + 8))],
  };
  // A corner given twice, a face without width between the two.
  const seam = {
    vertices: [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 1, z: 0 },
      { x: 0, y: 0, z: 1 },
      { x: 0, y: 0, z: 1 },
    ],
    faces: [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 4],
      [2, 0, 3],
      [1, 4, 3],
      [2, 3, 4],
    ],
  };
  expect(isConvexPolyhedron(straight)).toBe(true); // a corner of 180 degrees is no dent
  for (const surface of [dart, insideOut, open, flat, two, seam]) {
    expect(isConvexPolyhedron(surface)).toBe(false);
    if (surface !== flat) expect(isLocallyConvexPolyhedron(surface)).toBe(false);
  }
});

function solid(rng: Rng): Vec3[] {
  for (;;) {
    const { points } = cloud(rng, rng.int(4, 12));
    if (affineDimension(points) === 3) return points;
  }
}

property('[R3.8.1] hulls are convex by both tests; with a corner pushed in they are not', 10_000, (rng) => {
  // Not the near-flat ones, whose shape is within the tolerance.
  const { points, size } = cloud(rng, rng.int(5, 12), rng.pick(['plain', 'huge', 'tiny', 'lattice']));
  const hull = convexHull3(points);
  if (hull.dimension < 3) return;
  const shape = polyhedronFromHull(points, hull);
  const limit = 1e-13 * size;
  check(isConvexPolyhedron(shape, limit), 'a hull is convex');
  check(isLocallyConvexPolyhedron(shape, limit), 'a hull is locally convex');
  // A corner with three triangles around it, moved beyond the opposite triangle, leaves a dent.
  const around = vertexNeighbours(shape);
  const corner = around.findIndex(
    (n, i) => n.length === 3 && shape.faces.every((f) => !f.includes(i) || f.length === 3),
  );
  if (corner < 0 || shape.vertices.length < 5) return;
  const far = shape.vertices.find((_, i) => i !== corner && !around[corner]!.includes(i))!;
  const middle = vertexCentroid(around[corner]!.map((i) => shape.vertices[i]!));
  const dented = shape.vertices.map((v, i) =>
    i === corner
      ? {
          x: 0.75 * middle.x + 0.25 * far.x,
          y: 0.75 * middle.y + 0.25 * far.y,
          z: 0.75 * middle.z + 0.25 * far.z,
        }
      : v,
  );
  const dent = { vertices: dented, faces: shape.faces };
  check(!isConvexPolyhedron(dent, 0), 'dented');
});

property('[R3.8.1] the centroid is the mean, and lies inside', 10_000, (rng) => {
  const { points, scale } = cloud(rng, rng.int(1, 12));
  const c = vertexCentroid(points);
  for (const axis of ['x', 'y', 'z'] as const) {
    const values = points.map((p) => p[axis]);
    near(c[axis], values.reduce((a, b) => a + b, 0) / points.length, 1e-14 * scale, axis);
    check(
      c[axis] >= Math.min(...values) - 1e-14 * scale && c[axis] <= Math.max(...values) + 1e-14 * scale,
      'inside',
    );
  }
});

test('the centroid of points at the end of the range does not overflow, and may go to a point of its own', () => {
  const points = [vertexCentroid([{ x: 1e308, y: 0, z: 0 }]), { x: 1.2e308, y: 0, z: 0 }];
  expect(vertexCentroid(points).x).toBeCloseTo(1.1e308, -300);
  expect(vertexCentroid(points, points[0]).x).toBe(points[0]!.x);
});

property('[R3.8] planes have unit normals that point out, and hold all vertices', 10_000, (rng) => {
  const points = solid(rng);
  const { vertices, faces, planes } = polyhedron(points);
  let scale = 0;
  for (const v of vertices) scale = Math.max(scale, Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
  for (const [f, { normal, d }] of planes.entries()) {
    near(Math.hypot(normal.x, normal.y, normal.z), 1, 1e-15, 'length of the normal');
    for (const [i, v] of vertices.entries()) {
      const height = normal.x * v.x + normal.y * v.y + normal.z * v.z - d;
      check(height <= 4e-16 * scale, () => `vertex ${i} is ${height} in front of face ${f}`);
      if (faces[f]!.includes(i)) check(height <= 0, 'its own corners are not in front of a face');
    }
  }
});

/** The points of a grid in a box, turned: those of a side are in one plane but for an ulp, those of a row on one line. */
function turnedGrid(rng: Rng): Vec3[] {
  const q = rng.rotation();
  const s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  const shift = rng.vec(rng.pick([0, 1, 1e6]));
  const size = { x: 1, y: rng.pick([1, 1e-6, 10]), z: rng.pick([1, 0.1]) };
  const steps = rng.int(1, 3);
  const points: Vec3[] = [];
  for (let i = 0; i <= steps; i++)
    for (let j = 0; j <= steps; j++)
      for (let k = 0; k <= steps; k++) {
        const [x, y, z] = [(size.x * i) / steps, (size.y * j) / steps, (size.z * k) / steps];
        points.push({
          x:
            (1 - s * (q.y * q.y + q.z * q.z)) * x +
            s * (q.x * q.y - q.z * q.w) * y +
            s * (q.x * q.z + q.y * q.w) * z +
            shift.x,
          y:
            s * (q.x * q.y + q.z * q.w) * x +
            (1 - s * (q.x * q.x + q.z * q.z)) * y +
            s * (q.y * q.z - q.x * q.w) * z +
            shift.y,
          z:
            s * (q.x * q.z - q.y * q.w) * x +
            s * (q.y * q.z + q.x * q.w) * y +
            (1 - s * (q.x * q.x + q.y * q.y)) * z +
            shift.z,
        });
      }
  return points;
}

property('[R3.8] the planes of slivers an ulp thin are as good as any', 2_000, (rng) => {
  const points = turnedGrid(rng);
  if (affineDimension(points) < 3) return;
  const { vertices, faces, planes } = polyhedron(points);
  let scale = 0;
  for (const v of vertices) scale = Math.max(scale, Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
  for (const [f, { normal, d }] of planes.entries()) {
    // As stated, and six roundings for the height that is computed here.
    const limit = (4 * (faces[f]!.length + 10) + 6) * 2 ** -53 * scale;
    near(Math.hypot(normal.x, normal.y, normal.z), 1, 1e-15, 'length of the normal');
    for (const [i, v] of vertices.entries()) {
      const height = normal.x * v.x + normal.y * v.y + normal.z * v.z - d;
      check(height <= limit, () => `vertex ${i} is ${height} in front of face ${f}`);
      if (faces[f]!.includes(i)) check(height >= -limit, 'a corner is off its own plane');
    }
  }
});

test('the normal of a needle does not depend on the rounding of its edges', () => {
  // Nearly on a line along (1, 1, 1). The edges, rounded, make a normal that is off by 20 degrees.
  const a = { x: 0.1, y: 0.7, z: 0.3 };
  const b = { x: 1.1, y: 1.7, z: 1.3 };
  const c = { x: 0.6, y: 1.2, z: 0.8000000000000002 };
  const { planes, vertices } = polyhedron([a, b, c, { x: 10.1, y: 9.7, z: -1.7 }]);
  for (const { normal, d } of planes)
    for (const p of vertices)
      expect(normal.x * p.x + normal.y * p.y + normal.z * p.z - d).toBeLessThan(60 * 2 ** -53 * 10.1);
});

property('[R3.8] neighbours are the ends of the edges, both ways', 10_000, (rng) => {
  const shape = polyhedron(solid(rng));
  const neighbours = vertexNeighbours(shape);
  const edges = new Set(
    shape.faces.flatMap((face) => face.map((i, k) => `${i} ${face[(k + 1) % face.length]}`)),
  );
  let count = 0;
  for (const [i, around] of neighbours.entries()) {
    check(around.length >= 3, 'three or more');
    for (const j of around) {
      count++;
      check(edges.has(`${i} ${j}`) && neighbours[j]!.includes(i), 'an edge, both ways');
    }
  }
  check(count === edges.size, 'all edges');
});

test('a box is its hull', () => {
  const box = boxPolyhedron({ x: -1, y: 2, z: 3 }, { x: 4, y: 5, z: 7 });
  const hull = polyhedron(box.vertices);
  expect(hull.vertices).toEqual(box.vertices);
  const key = (p: typeof box) =>
    p.planes
      .map(({ normal: n, d }, f) => `${n.x + 0} ${n.y + 0} ${n.z + 0} ${d} ${[...p.faces[f]!].sort()}`)
      .sort();
  expect(key(hull)).toEqual(key(box));
  expect(isConvexPolyhedron(box)).toBe(true);
});

test('flat and bad input is refused, by name', () => {
  const square = [0, 1, 2, 3].map((i) => ({ x: i & 1, y: i & 2, z: 1 }));
  expect(() => polyhedron(square)).toThrow(/polyhedron: points must not all lie in one plane/);
  expect(() => polyhedron(square.slice(0, 2))).toThrow(/one line/);
  expect(() => polyhedron(square.slice(0, 1))).toThrow(/coincide/);
  expect(() => polyhedron([])).toThrow(/points/);
  expect(() => polyhedronFromHull(square, convexHull3(square))).toThrow(/hull must be solid/);
  expect(() => polyhedronFromHull(square, convexHull3(unit.vertices))).toThrow(/hull/);
  expect(() => boxPolyhedron({ x: 1, y: 0, z: 0 }, { x: 0, y: 1, z: 1 })).toThrow(/min/);
  expect(() => isConvexPolyhedron(unit, -1)).toThrow(/tolerance/);
  expect(() => vertexCentroid([])).toThrow(/points/);
});
