import { expect, test } from 'vitest';
import { check, near, property } from '../../../tests/kit/index.ts';
import { movedCorners, somePose } from '../../../tests/kit/mesh-pairs.ts';
import {
  boxMesh,
  icosphere,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  torus,
  unwelded,
} from '../../../tests/kit/meshes.ts';
import type { Pose, Vec3 } from '../../math/types.ts';
import { closestPointTriangle } from '../../primitives/closest/triangle.ts';
import { intersectTriangleTriangle } from '../../primitives/overlap/triangle-triangle-segment.ts';
import { type Mesh, mesh } from '../mesh.ts';
import { curvesMeshMesh, type MeshCurve } from './curves.ts';
import { pairsMeshMesh } from './overlap.ts';

const make = (t: TriangleArrays): Mesh => mesh(t.positions, t.index);
const at = (x: number, y: number, z: number): Pose => ({
  position: { x, y, z },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});
const turned = (x: number, y: number, z: number): Pose => ({
  position: { x, y, z },
  quaternion: { x: 0.1, y: 0.2, z: 0.3, w: 0.927 },
});

const pointsOf = ({ points }: MeshCurve): Vec3[] =>
  Array.from({ length: points.length / 3 }, (_, i) => ({
    x: points[3 * i]!,
    y: points[3 * i + 1]!,
    z: points[3 * i + 2]!,
  }));
const apart = (p: Vec3, r: Vec3): number => Math.hypot(p.x - r.x, p.y - r.y, p.z - r.z);

/** From point to point, with the triangles that each segment is said to be of. */
function segmentsOf(curve: MeshCurve): { p: Vec3; r: Vec3; i: number; j: number }[] {
  const points = pointsOf(curve);
  return Array.from({ length: curve.triangles.length / 2 }, (_, n) => ({
    p: points[n]!,
    r: points[(n + 1) % points.length]!,
    i: curve.triangles[2 * n]!,
    j: curve.triangles[2 * n + 1]!,
  }));
}
const lengthOf = (curve: MeshCurve): number =>
  segmentsOf(curve).reduce((sum, { p, r }) => sum + apart(p, r), 0);

test('two spheres cross in one circle', () => {
  const a = make(icosphere(4));
  const { curves, coplanar } = curvesMeshMesh(a, a, turned(0.3, 0.8, 0.5));
  expect(coplanar).toEqual([]);
  expect(curves.map((c) => c.closed)).toEqual([true]);
  const half = Math.sqrt(0.09 + 0.64 + 0.25) / 2;
  near(lengthOf(curves[0]!), 2 * Math.PI * Math.sqrt(1 - half * half), 0.02);
});

test('a torus is crossed in as many loops as it should be', () => {
  const ring = make(torus(64, 32, 1, 0.4));
  const loops = (b: TriangleArrays, pose: Pose) => {
    const { curves } = curvesMeshMesh(ring, make(b), pose);
    expect(curves.every((c) => c.closed)).toBe(true);
    return curves.length;
  };
  expect(loops(icosphere(3), at(1.01, 0.02, 0.03))).toBe(2); // a bead on the ring
  expect(loops(icosphere(3), at(0.011, 0.012, 0.013))).toBe(2); // through the hole: above and below
  expect(loops(moved(icosphere(3), 0.3), at(1.41, 0.02, 0.03))).toBe(1); // a bump
  expect(loops(torus(64, 8, 1, 0.05), at(1.01, 0.02, 0.03))).toBe(4); // a wire in and out of both sides
  const upright = { position: { x: 1.01, y: 0.02, z: 0.03 }, quaternion: { x: 1, y: 0, z: 0, w: 1 } };
  expect(loops(torus(64, 8, 1, 0.05), upright)).toBe(0); // two links of a chain
});

test('as many loops from soups of triangles as from joined ones', () => {
  const a = unwelded(icosphere(3));
  const { curves } = curvesMeshMesh(make(a), make(unwelded(torus(40, 20))), turned(0.4, 0.3, 0.2));
  expect(curves.every((c) => c.closed)).toBe(true);
  const joined = curvesMeshMesh(make(icosphere(3)), make(torus(40, 20)), turned(0.4, 0.3, 0.2)).curves;
  expect(curves.map((c) => c.points.length).sort()).toEqual(joined.map((c) => c.points.length).sort());
});

test('a curve ends at the borders of open meshes', () => {
  const sheet = mesh([-3, -3, 0, 3, -3, 0, 0, 3, 0]);
  const wall = mesh([0.1, -9, -1, 0.1, 9, -1, 0.1, 0, 2]);
  const { curves } = curvesMeshMesh(sheet, wall);
  expect(curves.length).toBe(1);
  expect(curves[0]!.closed).toBe(false);
  expect(curves[0]!.points.length).toBe(6);
  expect([...curves[0]!.triangles]).toEqual([0, 0]);
});

test('boxes on a lattice: corners through edges, edges through faces, faces on faces', () => {
  const box = make(boxMesh());
  // Corner in corner: a hexagon, of six edges through faces and what the diagonals add.
  const corner = curvesMeshMesh(box, box, at(1, 1, 1));
  expect(corner.curves.map((c) => c.closed)).toEqual([true]);
  near(lengthOf(corner.curves[0]!), 6, 1e-12);
  expect(corner.coplanar).toEqual([]);
  // A pole through the middle: two squares.
  const pole = curvesMeshMesh(box, make(boxMesh({ x: -0.5, y: -0.5, z: -2 }, { x: 0.5, y: 0.5, z: 2 })));
  expect(pole.curves.map((c) => [c.closed, lengthOf(c)])).toEqual([
    [true, 4],
    [true, 4],
  ]);
  // One on the other: what they share is bordered, and the faces that lie on each other are told.
  const stacked = curvesMeshMesh(box, make(boxMesh({ x: -0.5, y: -0.5, z: 1 }, { x: 0.5, y: 0.5, z: 2 })));
  expect(stacked.coplanar.length).toBeGreaterThan(0);
  near(
    stacked.curves.reduce((sum, c) => sum + lengthOf(c), 0),
    4,
    1e-12,
  );
  // Corner on corner: one point.
  const touch = curvesMeshMesh(box, box, at(2, 2, 2));
  expect(touch.curves.length).toBe(1);
  expect([...touch.curves[0]!.points]).toEqual([1, 1, 1]);
  expect(touch.curves[0]!.closed).toBe(false);
  // Edge on edge.
  const along = curvesMeshMesh(box, box, at(2, 2, 0.5));
  near(
    along.curves.reduce((sum, c) => sum + lengthOf(c), 0),
    1.5,
    1e-12,
  );
});

property('closed surfaces in general position cross in closed curves on both of them', 60, (rng) => {
  const pick = (): TriangleArrays => rng.pick([icosphere(2), torus(16, 10), boxMesh(), torus(30, 8, 1, 0.1)]);
  const [a, b] = [pick(), moved(pick(), rng.range(0.5, 1.5))];
  const pose = {
    position: rng.vec(1),
    quaternion: { x: rng.gauss(), y: rng.gauss(), z: rng.gauss(), w: rng.gauss() },
  };
  const [first, second] = [make(a), make(b)];
  const { curves, coplanar } = curvesMeshMesh(first, second, pose);
  const pairs = pairsMeshMesh(first, second, pose);
  // Every pair is one segment: none is lost, none comes twice.
  const total = curves.reduce((sum, c) => sum + c.triangles.length, 0);
  check(total + coplanar.length === pairs.length, () => `${total} of ${pairs.length} pairs`);
  for (const curve of curves) {
    check(curve.closed, 'an end');
    for (const { p, r, i, j } of segmentsOf(curve))
      for (const point of [p, r]) {
        const on = closestPointTriangle(point, ...movedCorners(a, i));
        near(apart(on, point), 0, 1e-11, 'off the first mesh');
        near(
          apart(closestPointTriangle(point, ...movedCorners(b, j, pose)), point),
          0,
          1e-11,
          'off the second',
        );
      }
  }
});

property('whatever meets: curves are made of all that pairs of triangles share', 250, (rng) => {
  const pick = (): TriangleArrays =>
    rng.pick([soup(rng, 30), boxMesh(), moved(terrain(rng, 4, 0), 0.5, { x: -1, y: -1, z: 0 }), torus(6, 4)]);
  const [a, b, pose] = [pick(), pick(), somePose(rng)];
  const [first, second] = [make(a), make(b)];
  const { curves, coplanar } = curvesMeshMesh(first, second, pose);
  const flat = new Set<string>();
  for (let n = 0; n < coplanar.length; n += 2) flat.add(`${coplanar[n]} ${coplanar[n + 1]}`);
  const pairs = pairsMeshMesh(first, second, pose);
  const points = curves.flatMap(pointsOf);
  for (let n = 0; n < pairs.length; n += 2) {
    if (flat.has(`${pairs[n]} ${pairs[n + 1]}`)) continue;
    const shared = intersectTriangleTriangle(
      ...movedCorners(a, pairs[n]!),
      ...movedCorners(b, pairs[n + 1]!, pose),
    )!;
    for (const end of [shared.a, shared.b])
      check(Math.min(...points.map((p) => apart(p, end))) < 1e-11, 'an end that is on no curve');
  }
  const known = new Set<string>();
  for (const curve of curves) {
    check(curve.points.every(Number.isFinite), 'not finite');
    const count = curve.points.length / 3;
    check(curve.triangles.length / 2 === (curve.closed ? count : count - 1), 'as many segments as it takes');
    for (const { p, r, i, j } of segmentsOf(curve)) {
      const key = `${i} ${j}`;
      check(!known.has(key), 'a pair twice');
      known.add(key);
      const shared = intersectTriangleTriangle(...movedCorners(a, i), ...movedCorners(b, j, pose))!;
      const straight = apart(shared.a, p) + apart(shared.b, r);
      check(Math.min(straight, apart(shared.a, r) + apart(shared.b, p)) < 1e-11, 'a segment of another pair');
    }
  }
});
