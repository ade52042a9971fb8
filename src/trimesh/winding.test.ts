import { expect, test } from 'vitest';
import { integers } from '../../tests/kit/clip.ts';
import { between } from '../../tests/kit/degenerate-points.ts';
import { exactPointTriangle } from '../../tests/kit/exact-distance.ts';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import {
  boxMesh,
  cornersOf,
  icosphere,
  inverted,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  together,
  torus,
  unwelded,
} from '../../tests/kit/meshes.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { distanceSqPointTriangle } from '../primitives/closest/triangle.ts';
import { containsPointMesh } from './inside.ts';
import { type Mesh, mesh } from './mesh.ts';
import { solidAngle, windingNumberMesh } from './winding.ts';

const build = ({ positions, index }: TriangleArrays): Mesh => mesh(positions, index);

type V = readonly [bigint, bigint, bigint];
const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const det = (a: V, b: V, c: V): bigint =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) +
  a[1] * (b[2] * c[0] - b[0] * c[2]) +
  a[2] * (b[0] * c[1] - b[1] * c[0]);
const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** Exact: the signed crossings of a ray in some direction that strikes no edge. p must not be on the surface. */
function exactWinding(p: Vec3, arrays: TriangleArrays, rng: Rng): number {
  const count = arrays.index.length / 3;
  const triangles = Array.from({ length: count }, (_, i) => cornersOf(arrays, i));
  const all = integers(p, ...triangles.flat());
  const o = all[0]!;
  attempt: for (;;) {
    const d: V = [BigInt(rng.int(-1e9, 1e9)), BigInt(rng.int(-1e9, 1e9)), BigInt(rng.int(-1e9, 1e9))];
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const [a, b, c] = [1, 2, 3].map((k) => minus(all[3 * i + k]!, o)) as [V, V, V];
      const [u, v, w] = [sign(det(d, b, c)), sign(det(d, c, a)), sign(det(d, a, b))];
      if (u > 0 && v > 0 && w > 0) sum += det(a, b, c) > 0n ? 1 : 0;
      else if (u < 0 && v < 0 && w < 0) sum += det(a, b, c) < 0n ? -1 : 0;
      else if (u * v >= 0 && v * w >= 0 && w * u >= 0 && !(u === 0 && v === 0 && w === 0)) continue attempt;
    }
    return sum;
  }
}

/** The angle at which great circles through b and c meet in a, for unit vectors. */
function angleAt(a: Vec3, b: Vec3, c: Vec3): number {
  const cross = (p: Vec3, q: Vec3) =>
    vec3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
  const [u, v] = [cross(a, b), cross(a, c)];
  const w = cross(u, v);
  return Math.atan2(Math.hypot(w.x, w.y, w.z), u.x * v.x + u.y * v.y + u.z * v.z);
}

/** The solid angles of all triangles by Girard's theorem: the excess of the angles of a spherical triangle over π. */
function girard(p: Vec3, arrays: TriangleArrays): number {
  let sum = 0;
  for (let i = 0; i < arrays.index.length / 3; i++) {
    const corners = cornersOf(arrays, i).map((q) => {
      const [x, y, z] = [q.x - p.x, q.y - p.y, q.z - p.z];
      const length = Math.hypot(x, y, z);
      return vec3(x / length, y / length, z / length);
    });
    const [a, b, c] = corners as [Vec3, Vec3, Vec3];
    const volume =
      a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    if (Math.abs(volume) < 1e-13) continue;
    const excess = angleAt(a, b, c) + angleAt(b, c, a) + angleAt(c, a, b) - Math.PI;
    sum += Math.sign(volume) * excess;
  }
  return sum / (4 * Math.PI);
}

const isInBox = (p: Vec3, corners: Vec3[]): boolean =>
  (['x', 'y', 'z'] as const).every(
    (k) => corners.some((q) => q[k] <= p[k]) && corners.some((q) => q[k] >= p[k]),
  );

const isOn = (p: Vec3, arrays: TriangleArrays): boolean => {
  for (let i = 0; i < arrays.index.length / 3; i++)
    if (isInBox(p, cornersOf(arrays, i)) && exactPointTriangle(p, ...cornersOf(arrays, i)) === 0) return true;
  return false;
};

/** Closed meshes whose corners are lattice points: rays and points strike edges and corners all the time. */
function latticeSolid(rng: Rng): TriangleArrays {
  const parts: TriangleArrays[] = [];
  for (let i = rng.int(1, 3); i > 0; i--) {
    const min = vec3(rng.int(-3, 1), rng.int(-3, 1), rng.int(-3, 1));
    const part = boxMesh(min, vec3(min.x + rng.int(0, 3), min.y + rng.int(1, 3), min.z + rng.int(1, 3)));
    // Any lattice point will do for the corners: it stays closed, but crosses itself and has flat triangles.
    if (rng.chance(0.5))
      for (let k = 0; k < 24; k++) if (rng.chance(0.3)) part.positions[k]! += rng.int(-1, 1);
    parts.push(rng.chance(0.3) ? inverted(part) : part);
  }
  const all = together(...parts);
  return rng.chance(0.3) ? unwelded(all) : all;
}

property('closed: exact at lattice points, on edges and corners, in any part and orientation', 250, (rng) => {
  const arrays = latticeSolid(rng);
  const m = build(arrays);
  for (let k = 0; k < 12; k++) {
    const corners = cornersOf(arrays, rng.int(0, m.triangleCount - 1));
    const p = rng.pick([
      vec3(rng.int(-4, 5), rng.int(-4, 5), rng.int(-4, 5)),
      vec3(rng.int(-8, 10) / 2, rng.int(-8, 10) / 2, rng.int(-8, 10) / 2),
      between(rng, corners[0], between(rng, corners[1], corners[2])),
      rng.vec(4),
    ]);
    const on = isOn(p, arrays);
    const inside = containsPointMesh(p, m);
    if (on) {
      check(inside, () => `${JSON.stringify(p)} is on the surface`);
      check(Number.isInteger(windingNumberMesh(p, m)), 'no whole number on the surface');
      continue;
    }
    const wanted = exactWinding(p, arrays, rng);
    const got = windingNumberMesh(p, m);
    check(got === wanted, () => `${JSON.stringify(p)}: ${got} instead of ${wanted}`);
    check(inside === wanted > 0, () => `${JSON.stringify(p)}: ${inside} with a winding number of ${wanted}`);
  }
});

property('closed: the same as the sum of solid angles', 60, (rng, n) => {
  const scale = rng.pick([1, 1e-6, 1e6]);
  const shift = rng.chance(0.2) ? vec3(1e6, -2e6, 3e6) : vec3();
  const arrays = moved(
    [icosphere(2), torus(16, 8), together(torus(12, 6), icosphere(1, 1.3))][n % 3]!,
    scale,
    shift,
  );
  const m = build(arrays);
  for (let k = 0; k < 20; k++) {
    const q = rng.vec(1.5);
    const p = vec3(q.x * scale + shift.x, q.y * scale + shift.y, q.z * scale + shift.z);
    const wanted = girard(p, arrays);
    if (Math.abs(wanted - Math.round(wanted)) > 1e-6) continue; // too near to the surface for angles
    check(windingNumberMesh(p, m) === Math.round(wanted), () => `${windingNumberMesh(p, m)}, not ${wanted}`);
  }
});

/** With a piece cut out, or never closed. */
function openMesh(rng: Rng): TriangleArrays {
  const whole = rng.pick([
    () => icosphere(2),
    () => torus(12, 6),
    () => boxMesh(),
    () => moved(terrain(rng, 5), 0.3, vec3(-0.75, -0.75, 0)),
    () => soup(rng, 40),
    () => together(icosphere(1), moved(boxMesh(), 0.3)),
  ])();
  const index = [];
  for (let i = 0; i < whole.index.length; i += 3)
    if (index.length === 0 || rng.chance(0.8)) index.push(...whole.index.subarray(i, i + 3));
  return { positions: whole.positions, index: Uint32Array.from(index) };
}

property('open: curtains, moments and angles agree, within the tolerance', 200, (rng) => {
  const arrays = openMesh(rng);
  const m = build(arrays);
  for (let k = 0; k < 10; k++) {
    // Lattice points too, which are on curtains.
    const p = rng.chance(0.3)
      ? vec3(rng.int(-4, 4) / 2, rng.int(-4, 4) / 2, rng.int(-4, 4) / 2)
      : rng.vec(rng.chance(0.1) ? 30 : 1.5);
    const got = windingNumberMesh(p, m);
    check(Number.isFinite(got), 'not finite');
    if (isNear(p, arrays, 1e-4)) continue; // where the number jumps, angles lose their digits
    // Angles of 1e-4 from cross products of unit vectors are right to 1e-12, for up to 400 triangles.
    const wanted = girard(p, arrays);
    near(got, wanted, 1e-9, 'by curtains');
    near(solidAngle(p, m, 0), wanted, 1e-9, 'by angles');
    for (const tolerance of [0.3, 0.03, 0.003])
      near(solidAngle(p, m, tolerance), wanted, tolerance, 'by moments');
    if (Math.abs(wanted - 0.5) > 1e-6) check(containsPointMesh(p, m) === wanted > 0.5, 'inside');
  }
});

/** Is p nearer to a triangle than that? */
const isNear = (p: Vec3, arrays: TriangleArrays, limit: number): boolean => {
  for (let i = 0; i < arrays.index.length / 3; i++)
    if (distanceSqPointTriangle(p, ...cornersOf(arrays, i)) < limit * limit) return true;
  return false;
};

test('a soup with a long boundary goes by moments, and they keep to the tolerance', () => {
  const rng = new Rng(7);
  const fine = icosphere(4);
  // A sphere in single triangles that do not quite meet.
  const loose = unwelded(fine);
  loose.positions = loose.positions.map((x) => x * (1 + rng.range(-1e-7, 1e-7)));
  const m = build(loose);
  let worst = 0;
  for (let i = 0; i < 200; i++) {
    const p = rng.vec(1.3);
    const radius = Math.hypot(p.x, p.y, p.z);
    if (Math.abs(radius - 1) < 0.01) continue;
    const wanted = radius < 1 ? 1 : 0;
    expect(containsPointMesh(p, m)).toBe(radius < 1);
    worst = Math.max(worst, Math.abs(windingNumberMesh(p, m) - wanted));
    expect(Math.abs(windingNumberMesh(p, m, 0) - wanted)).toBeLessThan(1e-4);
  }
  expect(worst).toBeLessThan(0.05);
  expect(worst).toBeGreaterThan(1e-9); // or else it was not by moments
});

test('closed forms of open meshes', () => {
  const cube = boxMesh();
  const lidless = build({ positions: cube.positions, index: cube.index.slice(0, 30) });
  expect(windingNumberMesh(vec3(), lidless)).toBeCloseTo(5 / 6, 14);
  expect(windingNumberMesh(vec3(0, 0, 1), lidless)).toBeCloseTo(0.5, 14); // in the opening
  expect(containsPointMesh(vec3(0, 0, 0.9), lidless)).toBe(true);
  expect(containsPointMesh(vec3(0, 0, 1.1), lidless)).toBe(false);
  expect(containsPointMesh(vec3(0, 0, -1), lidless)).toBe(true); // on a wall
  const wall = build({ positions: cube.positions, index: cube.index.slice(0, 6) }); // x = -1, facing -x
  expect(windingNumberMesh(vec3(), wall)).toBeCloseTo(1 / 6, 14);
  expect(windingNumberMesh(vec3(-2, 0, 0), wall)).toBeCloseTo(-1 / 6, 14);
  expect(windingNumberMesh(vec3(-1, 5, 0), wall)).toBeCloseTo(0, 14); // in its plane
});

test('shells in shells', () => {
  const big = moved(boxMesh(), 2);
  const cavity = build(together(big, inverted(boxMesh())));
  expect(windingNumberMesh(vec3(), cavity)).toBe(0);
  expect(containsPointMesh(vec3(), cavity)).toBe(false);
  expect(containsPointMesh(vec3(1.5, 0, 0), cavity)).toBe(true);
  expect(containsPointMesh(vec3(1, 1, 1), cavity)).toBe(true); // on the wall of the cavity
  const twice = build(together(big, boxMesh()));
  expect(windingNumberMesh(vec3(), twice)).toBe(2);
  expect(containsPointMesh(vec3(), twice)).toBe(true);
  const insideOut = build(inverted(big));
  expect(windingNumberMesh(vec3(0.1, 0.2, 0.3), insideOut)).toBe(-1);
  expect(containsPointMesh(vec3(0.1, 0.2, 0.3), insideOut)).toBe(false);
});

test('vertices in the same place are one, -0 and 0 too', () => {
  const { positions, index } = unwelded(boxMesh(vec3(0, 0, 0), vec3(1, 1, 1)));
  for (let i = 0; i < positions.length; i += 2) if (positions[i] === 0) positions[i] = -0;
  expect(windingNumberMesh(vec3(0.5, 0.5, 0.5), mesh(positions, index))).toBe(1);
  expect(windingNumberMesh(vec3(0.25, 0.5, 0.75), mesh(Float32Array.from(positions)))).toBe(1);
});

test('single triangles and points, far away and on corners: never NaN', () => {
  for (const positions of [
    [0, 0, 0, 1, 0, 0, 0, 1, 0],
    [0, 0, 0, 1, 0, 0, 2, 0, 0],
    [3, 3, 3, 3, 3, 3, 3, 3, 3],
    [1e-30, 0, 0, 0, 1e-30, 0, 0, 0, 1e-30],
    [1e30, 0, 0, 0, 1e30, 0, 0, 0, 1e30],
  ]) {
    const m = mesh(positions);
    for (const p of [
      vec3(),
      vec3(1, 0, 0),
      vec3(0.5, 0, 0),
      vec3(3, 3, 3),
      vec3(1e74, -1e74, 0),
      vec3(0, 0, 1e-300),
    ])
      for (const tolerance of [0, 0.05]) {
        expect(windingNumberMesh(p, m, tolerance)).toBeCloseTo(windingNumberMesh(p, m, tolerance), 12);
        expect(Math.abs(solidAngle(p, m, tolerance))).toBeLessThanOrEqual(0.5);
        expect(typeof containsPointMesh(p, m)).toBe('boolean');
      }
  }
});

test('bad numbers are refused by name', () => {
  const m = build(boxMesh());
  expect(() => windingNumberMesh(vec3(0, NaN, 0), m)).toThrow('p.y');
  expect(() => windingNumberMesh(vec3(), m, -1)).toThrow('tolerance');
  expect(() => containsPointMesh(vec3(Infinity, 0, 0), m)).toThrow('p.x');
});
