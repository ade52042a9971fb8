import { describe, expect, test, vi } from 'vitest';
import { Rng } from '../../tests/kit/index.ts';
import {
  ball,
  bowl,
  boxSolid,
  flipped,
  join,
  lSolid,
  moved,
  packageMesh,
  type Solid,
  sharedMesh,
  torus,
} from '../../tests/kit/solids.ts';
import type { Vec3 } from '../math/types.ts';
import type { Polyhedron } from '../polytope/index.ts';
import { approximateDecomposition, inspect } from './index.ts';
import { TriangleField } from './triangle-field.ts';

type V = [number, number, number];
const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Plainly: over the inside of the triangle its plane, else the nearest of the edges. */
function distanceToTriangle(p: V, a: V, b: V, c: V): number {
  const n = cross(sub(b, a), sub(c, a));
  const corners = [a, b, c] as const;
  const isOver =
    dot(n, n) > 0 && corners.every((v, k) => dot(cross(sub(corners[(k + 1) % 3]!, v), sub(p, v)), n) >= 0);
  if (isOver) return Math.abs(dot(sub(p, a), n)) / Math.sqrt(dot(n, n));
  return Math.min(
    ...corners.map((v, k) => {
      const u = sub(corners[(k + 1) % 3]!, v);
      const t = Math.min(1, Math.max(0, dot(sub(p, v), u) / (dot(u, u) || 1)));
      return Math.hypot(...sub(p, [v[0] + t * u[0], v[1] + t * u[1], v[2] + t * u[2]]));
    }),
  );
}

const at = ({ positions, index }: Solid, k: number): V =>
  [...positions.slice(3 * index[k]!, 3 * index[k]! + 3)] as V;

function measure(mesh: Solid, p: V): { distance: number; winding: number } {
  let distance = Infinity;
  let angle = 0;
  for (let k = 0; k < mesh.index.length; k += 3) {
    const [a, b, c] = [at(mesh, k), at(mesh, k + 1), at(mesh, k + 2)];
    distance = Math.min(distance, distanceToTriangle(p, a, b, c));
    const [u, v, w] = [sub(a, p), sub(b, p), sub(c, p)];
    const [lu, lv, lw] = [Math.hypot(...u), Math.hypot(...v), Math.hypot(...w)];
    angle += Math.atan2(dot(u, cross(v, w)), lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
  }
  return { distance, winding: Math.round(angle / (2 * Math.PI)) };
}

const depth = ({ planes }: Polyhedron, [x, y, z]: V): number =>
  Math.max(...planes.map(({ normal, d }) => normal.x * x + normal.y * y + normal.z * z - d));

/** The pieces cover the surface, or the solid, and nothing in them is farther away than the error. */
function checkCover(
  mesh: Solid,
  pieces: readonly Polyhedron[],
  error: number,
  isSolid: boolean,
  samples = 80,
): void {
  const rng = new Rng(5);
  let size = 0;
  for (const x of mesh.positions) size = Math.max(size, Math.abs(x));
  const isCovered = (p: V) => pieces.some((piece) => depth(piece, p) <= 1e-12 * size);
  for (const piece of pieces)
    for (const { x, y, z } of piece.vertices) expect(depth(piece, [x, y, z])).toBeLessThan(1e-14 * size);
  for (let s = 0; s < samples; s++) {
    const k = 3 * rng.int(0, mesh.index.length / 3 - 1);
    let [u, v] = [rng.unit(), rng.unit()];
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const [a, b, c] = [at(mesh, k), at(mesh, k + 1), at(mesh, k + 2)];
    const p = a.map((x, i) => x + u * (b[i]! - x) + v * (c[i]! - x)) as V;
    expect(isCovered(p)).toBe(true);
  }
  const { min, max } = inspect(mesh, { maxSelfIntersections: 0 }).bounds;
  const around = (): V => [rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z)];
  const within = (piece: Polyhedron): V => {
    const weights = piece.vertices.map(() => -Math.log(1 - rng.unit()));
    const sum = weights.reduce((s, w) => s + w, 0);
    const mean = (axis: keyof Vec3) =>
      piece.vertices.reduce((s, v, i) => s + (weights[i]! / sum) * v[axis], 0);
    return [mean('x'), mean('y'), mean('z')];
  };
  for (let s = 0; s < samples; s++) {
    const p = rng.chance(0.5) ? around() : within(rng.pick(pieces));
    const { distance, winding } = measure(mesh, p);
    if (isSolid && winding !== 0) expect(isCovered(p)).toBe(true);
    else if (pieces.some((piece) => depth(piece, p) < 0)) expect(distance).toBeLessThanOrEqual(error);
  }
}

describe('[R12.5.3] approximate decomposition: covers all, and reaches out no farther than it says', () => {
  const open = (mesh: Solid): Solid => ({ positions: mesh.positions, index: mesh.index.slice(3) });
  const soup = (): Solid => {
    const rng = new Rng(11);
    const positions = Float64Array.from({ length: 90 }, () => rng.range(-1, 1));
    const index = Uint32Array.from({ length: 60 }, () => rng.int(0, 29));
    return { positions, index };
  };
  const cases: [string, Solid, boolean, number, number][] = [
    ['a box', boxSolid(), true, 0.1, 1],
    ['a ball', ball(), true, 0.1, 1],
    ['an L: two boxes', lSolid(), true, 0.05, 2],
    ['an L inside out', flipped(lSolid()), true, 0.05, 2],
    ['an L far away', moved(lSolid(), 1e5, -1e5, 1e5), true, 0.05, 2],
    ['a ring', torus(), true, 0.3, 16],
    ['a bowl', bowl(), true, 0.1, 48],
    ['a box with a cavity', join(boxSolid(-2, 2), flipped(boxSolid())), true, 0.2, 12],
    ['two balls that overlap', join(ball(), moved(ball(), 0.9, 0.2, 0.1)), true, 0.2, 8],
    ['an open bowl', ball(12, 6, 1, 0.5), false, 0.2, 40],
    ['a room without a lid stays empty', open(boxSolid()), false, 0.1, 12],
    ['a soup of triangles that cross, repeat and have no area', soup(), false, 0.3, 64],
    [
      'a single triangle',
      { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), index: Uint32Array.of(0, 1, 2) },
      false,
      0.01,
      1,
    ],
    [
      'a segment',
      { positions: Float64Array.of(0, 0, 0, 1, 1, 0, 2, 2, 0), index: Uint32Array.of(0, 1, 2) },
      false,
      0.01,
      1,
    ],
  ];
  for (const [name, mesh, isSolid, tolerance, most] of cases)
    test(`[R12.5.3] ${name}`, () => {
      const { pieces, error, status } = approximateDecomposition(mesh, { tolerance });
      expect(status).toBe('complete');
      expect(error).toBeLessThanOrEqual(tolerance);
      expect(pieces.length).toBeLessThanOrEqual(most);
      checkCover(mesh, pieces, error, isSolid);
    });
});

test('[R12.5.3] too few pieces allowed: the error is what it says', () => {
  const mesh = torus();
  for (const maxPieces of [1, 3]) {
    const { pieces, error, status } = approximateDecomposition(mesh, { tolerance: 0.05, maxPieces });
    expect(pieces.length).toBeLessThanOrEqual(maxPieces);
    expect(status).toBe('limit');
    expect(error).toBeGreaterThan(0.05);
    checkCover(mesh, pieces, error, true);
  }
});

test('[R12.5.3] the bunny in seconds', () => {
  const bunny = packageMesh('bunny');
  const { pieces, error, status } = approximateDecomposition(bunny, { tolerance: 1.2 });
  expect(status).toBe('complete');
  expect(pieces.length).toBeLessThan(20);
  const { isClosed } = inspect(bunny, { maxSelfIntersections: 0 });
  checkCover(bunny, pieces, error, isClosed, 25);
  const low = sharedMesh('low_poly_bunny.obj');
  if (!low) return;
  const rough = approximateDecomposition(low, { maxPieces: 8 });
  expect(rough.pieces.length).toBeLessThanOrEqual(8);
  checkCover(low, rough.pieces, rough.error, true, 25);
});

test('bad options are refused', () => {
  expect(() => approximateDecomposition(boxSolid(), { tolerance: -1 })).toThrow(/tolerance/);
  expect(() => approximateDecomposition(boxSolid(), { tolerance: 0 })).toThrow(/tolerance/);
  expect(() => approximateDecomposition(boxSolid(), { maxPieces: 0 })).toThrow(/maxPieces/);
  expect(() => approximateDecomposition({ positions: [1, 1, 1, 1, 1, 1, 1, 1, 1] })).toThrow(/mesh/);
});

test('[R12.5.3] flat pieces, which hold the middle of no cube, take no more looks than others', () => {
  const positions = Array.from({ length: 16 }, (_, t) => [
    t % 4,
    t >> 2,
    0,
    (t % 4) + 1,
    t >> 2,
    0,
    t % 4,
    (t >> 2) + 1,
    0,
  ]);
  const looks = vi.spyOn(TriangleField.prototype, 'distance');
  const { status, pieces } = approximateDecomposition({ positions: positions.flat() });
  const { length } = looks.mock.calls;
  looks.mockRestore();
  expect([status, pieces.length <= 20]).toEqual(['complete', true]);
  expect(length).toBeLessThan(500_000);
});

test('[R12.5.3] cuts are compared by true volumes: a low cone of 1,000 slivers takes a dozen pieces', () => {
  const rim = (t: number) => [Math.cos((Math.PI * t) / 500), Math.sin((Math.PI * t) / 500), 0];
  const positions = Array.from({ length: 1000 }, (_, t) => [0, 0, 0.25, ...rim(t), ...rim(t + 1)]);
  const looks = vi.spyOn(TriangleField.prototype, 'distance');
  const { status, pieces } = approximateDecomposition({ positions: positions.flat() });
  const { length } = looks.mock.calls;
  looks.mockRestore();
  expect([status, pieces.length <= 12]).toEqual(['complete', true]);
  expect(length).toBeLessThan(100_000);
});
