import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Plane, Vec3 } from '../../math/types.ts';
import { boxPolyhedron, convexHull3, polyhedron } from '../../polytope/index.ts';
import { hullDistance } from './hull-distance.ts';
import { commonPointHalfspaces, separatingPlanePoints } from './lp-overlap.ts';

const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const flat = (points: readonly [number, number][]): Vec3[] => points.map(([x, y]) => ({ x, y, z: 0 }));

test('[R9.4.1] the triangles of the book: a common point, and no plane between', () => {
  const a = flat([
    [1, 0],
    [5, -1],
    [4, 3],
  ]);
  const b = flat([
    [0, 0],
    [4, 1],
    [1, 4],
  ]);
  const sides = (points: Vec3[]): Plane[] =>
    points.map((p, i) => {
      const r = points[(i + 1) % points.length]!;
      const normal = { x: r.y - p.y, y: p.x - r.x, z: 0 };
      return { normal, d: dot(normal, p) };
    });
  const common = commonPointHalfspaces(sides(a), sides(b))!;
  for (const { normal, d } of [...sides(a), ...sides(b)])
    expect(dot(normal, common)).toBeLessThanOrEqual(d + 1e-14);
  expect(separatingPlanePoints(a, b)).toBe(null);
  const away = b.map((p) => ({ ...p, x: p.x - 4 }));
  expect(commonPointHalfspaces(sides(a), sides(away))).toBe(null);
  expect(separatingPlanePoints(a, away)).not.toBe(null);
});

test('[R9.4.1] touching boxes: a common point, no strict plane; a last bit apart: the other way round', () => {
  const a = boxPolyhedron({ x: -1, y: -1, z: -1 }, { x: 1, y: 1, z: 1 });
  const touching = boxPolyhedron({ x: 1, y: 1, z: 1 }, { x: 2, y: 2, z: 2 });
  expect(commonPointHalfspaces(a.planes, touching.planes)).toEqual({ x: 1, y: 1, z: 1 });
  expect(separatingPlanePoints(a.vertices, touching.vertices)).toBe(null);
  const apart = boxPolyhedron({ x: 1, y: 1, z: 1 + 2 ** -52 }, { x: 2, y: 2, z: 2 });
  expect(commonPointHalfspaces(a.planes, apart.planes)).toBe(null);
  expect(separatingPlanePoints(a.vertices, apart.vertices)).toEqual({ normal: { x: 0, y: 0, z: -1 }, d: -1 });
});

test('[R9.4.1] halfspaces without end, none at all, and contradictions', () => {
  expect(commonPointHalfspaces([], [])).toEqual({ x: 0, y: 0, z: 0 });
  const half = { normal: { x: 0, y: 2, z: 0 }, d: -6 };
  const other = { normal: { x: 0, y: -1, z: 0 }, d: 3 };
  expect(commonPointHalfspaces([half], [other])).toEqual({ x: 0, y: -3, z: 0 });
  expect(commonPointHalfspaces([half], [{ ...other, d: 2.9 }])).toBe(null);
});

test('[R9.4.1] bad input is refused', () => {
  const p = { x: 0, y: 0, z: 0 };
  expect(() => separatingPlanePoints([], [p])).toThrow('a must hold at least one point');
  expect(() => separatingPlanePoints([p], [])).toThrow('b must hold at least one point');
  expect(() => separatingPlanePoints([p], [{ ...p, z: Number.NaN }])).toThrow('b[0].z');
  expect(() => commonPointHalfspaces([{ normal: p, d: Infinity }], [])).toThrow('a[0].d');
});

/** Points with coordinates of at most 12 binary digits: the planes of their hulls are integers that doubles can hold. */
function latticeBody(rng: Rng): { points: Vec3[]; planes: Plane[] } {
  for (;;) {
    const range = rng.pick([2, 5, 2000]);
    const at = { x: rng.int(-range, range), y: rng.int(-range, range), z: rng.int(-range, range) };
    const points = Array.from({ length: rng.int(4, 10) }, () => ({
      x: at.x + rng.int(-range, range),
      y: at.y + rng.int(-range, range),
      z: at.z + rng.int(-range, range),
    }));
    const hull = convexHull3(points);
    if (hull.dimension < 3) continue;
    const planes = hull.faces.map((face) => {
      const [p, q, r] = face.map((i) => points[i]!) as [Vec3, Vec3, Vec3];
      const [ux, uy, uz] = [q.x - p.x, q.y - p.y, q.z - p.z];
      const [vx, vy, vz] = [r.x - p.x, r.y - p.y, r.z - p.z];
      const normal = { x: uy * vz - uz * vy, y: uz * vx - ux * vz, z: ux * vy - uy * vx };
      return { normal, d: dot(normal, p) };
    });
    return { points, planes };
  }
}

property('[R9.4.1] a common point or a plane between, never both and never neither', 3_000, (rng) => {
  const a = latticeBody(rng);
  const b = latticeBody(rng);
  const common = commonPointHalfspaces(a.planes, b.planes);
  const between = separatingPlanePoints(a.points, b.points);
  check((common === null) !== (between === null), () => `common ${JSON.stringify(common)}`);
  if (common !== null)
    for (const { normal, d } of [...a.planes, ...b.planes]) {
      const length = Math.hypot(normal.x, normal.y, normal.z);
      check(dot(normal, common) - d <= 1e-12 * length, 'the point is not common');
    }
});

property('[R9.4.1] the plane separates strictly, exactly when the hulls are apart', 3_000, (rng) => {
  const n = rng.pick([1, 2, 3, 4, 8, 40]);
  const { points, size, scale } = cloud(rng, 2 * n);
  const a = points.slice(0, n);
  const b = points.slice(n);
  if (rng.chance(0.6)) {
    const high = Math.max(...a.map((p) => p.y));
    const low = Math.min(...b.map((p) => p.y));
    const gap = size * rng.pick([0, 1e-9, 1e-3, 1, 50]);
    for (const p of b) p.y += high - low + gap;
  }
  const { distance } = hullDistance(a, b);
  const found = separatingPlanePoints(a, b);
  check((found === null) === (distance === 0), () => `distance ${distance}`);
  if (found === null) return;
  near(dot(found.normal, found.normal), 1, 1e-15, 'unit normal');
  // Below some ulps of the coordinates no rounded plane need fit in.
  if (distance < 1e-14 * (scale + 50 * size)) return;
  for (const p of a) check(dot(found.normal, p) > found.d, 'a point of a is not in front');
  for (const p of b) check(dot(found.normal, p) < found.d, 'a point of b is not behind');
});

property('[R9.4.1] planes with rounded normals agree with the points, beyond their rounding', 500, (rng) => {
  const points = Array.from({ length: 16 }, () => rng.vec());
  const a = polyhedron(points.slice(0, 8));
  const shift = rng.vec(2);
  const b = polyhedron(
    points.slice(8).map((p) => ({ x: p.x + shift.x, y: p.y + shift.y, z: p.z + shift.z })),
  );
  const common = commonPointHalfspaces(a.planes, b.planes);
  const grown = (by: number): Vec3[] => {
    const n = a.vertices.length;
    const [x, y, z] = (['x', 'y', 'z'] as const).map((k) => a.vertices.reduce((s, p) => s + p[k] / n, 0)) as [
      number,
      number,
      number,
    ];
    return a.vertices.map((p) => ({ x: x + by * (p.x - x), y: y + by * (p.y - y), z: z + by * (p.z - z) }));
  };
  // A hair larger and still apart, or a hair smaller and still in touch: no doubt about these.
  if (hullDistance(grown(1 + 1e-9), b.vertices).distance > 0)
    check(common === null, 'apart, with a common point');
  if (hullDistance(grown(1 - 1e-9), b.vertices).distance === 0) check(common !== null, 'no common point');
});
