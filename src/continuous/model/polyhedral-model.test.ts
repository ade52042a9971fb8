import { existsSync, readFileSync } from 'node:fs';
import * as THREE from 'three';
import { expect, test } from 'vitest';
import { check, exact, near, property, type Rng } from '../../../tests/kit/index.ts';
import { boxMesh, soup, terrain, together, unwelded } from '../../../tests/kit/meshes.ts';
import {
  bowl,
  boxSolid,
  flipped,
  join,
  lSolid,
  moved,
  schoenhardt,
  torus,
} from '../../../tests/kit/solids.ts';
import { placing, voxels } from '../../../tests/kit/voxels.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { box, hull, point, polygon, segment, sphere, triangle } from '../../shapes/index.ts';
import { mesh } from '../../shapes/mesh.ts';
import { sweepPolyhedra } from '../sweep.ts';
import { CONVEX_EDGE, DANGLING_EDGE, FLAT_EDGE, INTERNAL_EDGE, type PolyhedralModel } from '../types.ts';
import type { ModelSource } from './model-source.ts';
import { defaultThickness, polyhedralModel } from './polyhedral-model.ts';

/** A soup may have no triangle with an area. */
const ONE = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), index: Uint32Array.of(0, 1, 2) };
const pointOf = ({ points }: PolyhedralModel, v: number): Vec3 =>
  vec3(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
const loopOf = ({ polygonStart, polygonVertices }: PolyhedralModel, f: number): number[] => [
  ...polygonVertices.subarray(polygonStart[f], polygonStart[f + 1]),
];
const polygonCount = (model: PolyhedralModel): number => model.sources.length;
const largestOf = ({ points }: PolyhedralModel): number =>
  points.reduce((m, x) => Math.max(m, Math.abs(x)), 0);

/** How many edges of each kind. */
function kinds(model: PolyhedralModel): number[] {
  const count = [0, 0, 0, 0];
  for (const kind of model.edgeKinds) count[kind]!++;
  return count;
}

const euler = (model: PolyhedralModel): number =>
  model.points.length / 3 - model.edges.length / 2 + polygonCount(model);

/** Twice the area, as an exact vector. */
function exactArea(model: PolyhedralModel, f: number): exact.QVec {
  const loop = loopOf(model, f).map((v) => exact.qv(pointOf(model, v)));
  let sum: exact.QVec = { x: exact.ZERO, y: exact.ZERO, z: exact.ZERO };
  for (let k = 2; k < loop.length; k++)
    sum = exact.vadd(sum, exact.vcross(exact.vsub(loop[k - 1]!, loop[0]!), exact.vsub(loop[k]!, loop[0]!)));
  return sum;
}
const areaOf = (model: PolyhedralModel, f: number): number => {
  const { x, y, z } = exact.vnumber(exactArea(model, f));
  return Math.sqrt(x * x + y * y + z * z) / 2;
};
const totalArea = (model: PolyhedralModel): number =>
  model.sources.reduce((sum, _, f) => sum + areaOf(model, f), 0);

/** How far the corners of polygon g are from the plane of polygon f, exactly and then rounded. */
function exactThickness(model: PolyhedralModel, f: number, g: number): number {
  const n = exactArea(model, f);
  const { x, y, z } = exact.vnumber(n);
  const length = Math.sqrt(x * x + y * y + z * z);
  const origin = exact.qv(pointOf(model, loopOf(model, f)[0]!));
  let most = 0;
  for (const v of loopOf(model, g)) {
    const h = exact.toNumber(exact.vdot(n, exact.vsub(exact.qv(pointOf(model, v)), origin)));
    most = Math.max(most, Math.abs(h) / length);
  }
  return most;
}

/** The kind of an edge by the definition: all polygons looked at, normals without rounding. */
function kindByDefinition(model: PolyhedralModel, e: number): number {
  const a = model.edges[2 * e]!;
  const b = model.edges[2 * e + 1]!;
  const along: number[] = [];
  const back: number[] = [];
  for (let f = 0; f < polygonCount(model); f++) {
    const loop = loopOf(model, f);
    loop.forEach((v, k) => {
      const w = loop[(k + 1) % loop.length];
      if (v === a && w === b) along.push(f);
      if (v === b && w === a) back.push(f);
    });
  }
  if (along.length !== 1 || back.length !== 1) return DANGLING_EDGE;
  const n1 = exactArea(model, along[0]!);
  const n2 = exactArea(model, back[0]!);
  const u = exact.vsub(exact.qv(pointOf(model, b)), exact.qv(pointOf(model, a)));
  const fold = exact.sign(exact.vdot(exact.vcross(n1, n2), u));
  if (fold === 0) return exact.sign(exact.vdot(n1, n2)) > 0 ? FLAT_EDGE : CONVEX_EDGE;
  return fold > 0 ? CONVEX_EDGE : model.sides === 'front' ? INTERNAL_EDGE : CONVEX_EDGE;
}

function checkModel(model: PolyhedralModel): void {
  const { polygonStart, polygonVertices, polygonEdges, edges, edgePolygons, planes } = model;
  const flatness = 2 ** -48 * largestOf(model);
  const forward = new Map<number, number>();
  for (let f = 0; f < polygonCount(model); f++) {
    const start = polygonStart[f]!;
    const n = polygonStart[f + 1]! - start;
    check(n >= 3, 'three corners');
    for (let k = 0; k < n; k++) {
      const entry = polygonEdges[start + k]!;
      const e = entry < 0 ? ~entry : entry;
      const ends = [polygonVertices[start + k]!, polygonVertices[start + ((k + 1) % n)]!];
      if (entry < 0) ends.reverse();
      check(ends[0] === edges[2 * e] && ends[1] === edges[2 * e + 1], 'the edge of a side has its ends');
      const listed = edgePolygons[2 * e + (entry < 0 ? 1 : 0)]!;
      check(listed === f || (listed >= 0 && model.edgeKinds[e] === DANGLING_EDGE), 'the edge knows it');
      forward.set(e, (forward.get(e) ?? 0) + (entry < 0 ? -1 : 1));
    }
    const [nx, ny, nz, d] = planes.subarray(4 * f, 4 * f + 4) as unknown as [number, number, number, number];
    near(nx * nx + ny * ny + nz * nz, 1, 1e-15, 'length of the normal');
    for (let k = 0; k < n; k++) {
      const p = pointOf(model, polygonVertices[start + k]!);
      const size = Math.abs(nx * p.x) + Math.abs(ny * p.y) + Math.abs(nz * p.z);
      near(
        nx * p.x + ny * p.y + nz * p.z,
        d,
        flatness + size * 2 ** -50,
        'distance of a corner from the plane',
      );
    }
    const area = exact.vnumber(exactArea(model, f));
    check(nx * area.x + ny * area.y + nz * area.z > 0, 'the normal looks to the front');
  }
  check(forward.size === edges.length / 2, 'all edges are sides');
  check(
    model.closed === [...forward.values()].every((sum) => sum === 0),
    'closed if all that runs forth runs back',
  );
  const touched = new Set<number>();
  for (let e = 0; e < edges.length / 2; e++) {
    const wanted = kindByDefinition(model, e);
    const kind = model.edgeKinds[e]!;
    if (kind === CONVEX_EDGE || kind === DANGLING_EDGE)
      for (const k of [0, 1]) touched.add(edges[2 * e + k]!);
    if (kind === wanted) continue;
    check(kind === FLAT_EDGE && wanted !== DANGLING_EDGE, () => `edge ${e} is ${wanted}, not ${kind}`);
    const [f, g] = [edgePolygons[2 * e]!, edgePolygons[2 * e + 1]!];
    check(
      exactThickness(model, f, g) <= 4 * flatness && exactThickness(model, g, f) <= 4 * flatness,
      'a flat edge is nearly so',
    );
  }
  model.vertexTouches.forEach((touches, v) => {
    check((touches === 1) === touched.has(v), `vertex ${v} touches`);
  });
}

/** No corner turns to the right, seen along the normal; exactly, for polygons in the directions of the axes. */
function checkConvex(model: PolyhedralModel, tolerance: number): void {
  for (let f = 0; f < polygonCount(model); f++) {
    const loop = loopOf(model, f).map((v) => pointOf(model, v));
    const [nx, ny, nz] = model.planes.subarray(4 * f, 4 * f + 3) as unknown as [number, number, number];
    loop.forEach((p, k) => {
      const q = loop[(k + 1) % loop.length]!;
      const u = vec3(q.x - p.x, q.y - p.y, q.z - p.z);
      const inward = vec3(ny * u.z - nz * u.y, nz * u.x - nx * u.z, nx * u.y - ny * u.x);
      const length = Math.sqrt(inward.x ** 2 + inward.y ** 2 + inward.z ** 2);
      for (const r of loop) {
        const side = inward.x * (r.x - p.x) + inward.y * (r.y - p.y) + inward.z * (r.z - p.z);
        check(side >= -tolerance * length, 'convex');
      }
    });
  }
}

const bothWays = (source: ModelSource): [plain: PolyhedralModel, merged: PolyhedralModel] => [
  polyhedralModel(source, { mergeCoplanar: false }),
  polyhedralModel(source),
];

test('[P10] edges of known solids: convex, internal, flat, dangling', () => {
  expect(kinds(polyhedralModel(box(1, 2, 3)))).toEqual([12, 0, 0, 0]);
  expect(bothWays(boxSolid()).map(kinds)).toEqual([
    [12, 0, 6, 0],
    [12, 0, 0, 0],
  ]);
  // An L: its one inner edge; front and back stay in two pieces each.
  const [l, mergedL] = bothWays(lSolid());
  expect(kinds(l)).toEqual([17, 1, 12, 0]);
  expect(kinds(mergedL)).toEqual([17, 1, 2, 0]);
  // From its inside, the other way round.
  expect(kinds(polyhedralModel(flipped(lSolid())))).toEqual([1, 17, 2, 0]);
  expect(kinds(polyhedralModel(flipped(boxSolid())))).toEqual([0, 12, 0, 0]);
  expect([...polyhedralModel(flipped(boxSolid())).vertexTouches]).toEqual(new Array(8).fill(0));
  // A sheet is touched from both sides: nothing is internal.
  expect(kinds(polyhedralModel(lSolid(), { sides: 'both' }))).toEqual([18, 0, 2, 0]);
  expect(kinds(polyhedralModel(triangle(vec3(), vec3(1), vec3(0, 1))))).toEqual([0, 0, 0, 3]);
  // The reflex edges of Schönhardt's polyhedron.
  expect(kinds(polyhedralModel(schoenhardt()))).toEqual([9, 3, 0, 0]);
  for (const solid of [boxSolid(), lSolid(), torus(), bowl(), schoenhardt()])
    for (const model of bothWays(solid)) checkModel(model);
});

test('[P10] two cubes that share an edge only: four faces meet there, and the surface is closed all the same', () => {
  const model = polyhedralModel(join(boxSolid(0, 1), moved(boxSolid(0, 1), 1, 1, 0)));
  expect(model.closed).toBe(true);
  expect(model.sides).toBe('front');
  expect(kinds(model)).toEqual([22, 0, 0, 1]);
  checkModel(model);
});

test('[P10] a T-junction leaves dangling edges', () => {
  const vertices = [vec3(), vec3(2), vec3(0, 1), vec3(1), vec3(0, -1), vec3(2, -1)];
  const model = polyhedralModel({
    vertices,
    polygons: [
      [0, 1, 2],
      [0, 4, 3],
      [3, 4, 5],
      [3, 5, 1],
    ],
  });
  expect(model.closed).toBe(false);
  // The three below become one; its upper side has a corner in the middle, which nobody else has: it goes, and they fit.
  expect(kinds(model)[DANGLING_EDGE]).toBe(kinds(model).reduce((a, b) => a + b) - kinds(model)[FLAT_EDGE]!);
  checkModel(model);
  checkModel(
    polyhedralModel(
      {
        vertices,
        polygons: [
          [0, 1, 2],
          [0, 4, 3],
        ],
      },
      { mergeCoplanar: false },
    ),
  );
});

test('[P11] vertices with equal coordinates are one', () => {
  const [plain, merged] = bothWays(unwelded(boxSolid()));
  expect(plain.points.length).toBe(24);
  expect(merged.points.length).toBe(24);
  expect(polygonCount(merged)).toBe(6);
  const twoTriangles = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, 0, 0, -1, 1, 1, -0, 0] };
  expect(polyhedralModel(twoTriangles).points.length).toBe(12);
});

test('[P13] degenerate movers: a polygon and a point', () => {
  const dot = polyhedralModel(point());
  expect([...dot.points]).toEqual([0, 0, 0]);
  expect(dot.edges.length + polygonCount(dot)).toBe(0);
  expect([...dot.vertexTouches]).toEqual([1]);
  expect([...polyhedralModel({ vertices: [vec3(1, 2, 3)], polygons: [] }).points]).toEqual([1, 2, 3]);
  expect([...polyhedralModel(hull([vec3(1, 2, 3)])).points]).toEqual([1, 2, 3]);
  expect(polyhedralModel(box(0, 0, 0)).points.length).toBe(3);
  const square = [vec3(), vec3(1), vec3(1, 1), vec3(0, 1)];
  for (const flat of [
    polygon(square),
    hull(square),
    box(1, 0, 1),
    { vertices: square, polygons: [[0, 1, 2, 3]] },
  ]) {
    const model = polyhedralModel(flat);
    expect([polygonCount(model), model.sides, model.closed, ...kinds(model)]).toEqual([
      1,
      'both',
      false,
      0,
      0,
      0,
      4,
    ]);
    checkModel(model);
  }
});

test('[P11] a mesh, its arrays and its polygons make the same model', () => {
  const { positions, index } = lSolid();
  const from = polyhedralModel({ positions, index });
  const again = polyhedralModel(mesh(positions, index));
  expect(kinds(again)).toEqual(kinds(from));
  expect([...again.sources]).toEqual([...from.sources]);
  expect(again.sources[0]).toBe(0);
});

test('polygons: cut into triangles where they are flat in single precision only, refused where not even that', () => {
  const quad = (z: number) => ({
    vertices: [vec3(), vec3(1), vec3(1, 1, z), vec3(0, 1)],
    polygons: [[0, 1, 2, 3]],
  });
  expect(polygonCount(polyhedralModel(quad(0)))).toBe(1);
  const bent = polyhedralModel(quad(1e-7));
  expect([...bent.sources]).toEqual([0, 0]);
  expect(() => polyhedralModel(quad(0.01))).toThrow(/source\.polygons\[0\].*plane/);
  const arrow = [vec3(), vec3(2), vec3(0.5, 0.5), vec3(0, 2)];
  expect(() => polyhedralModel({ vertices: arrow, polygons: [[0, 1, 2, 3]] })).toThrow(
    /source\.polygons\[0\].*convex/,
  );
});

test('bad input is refused by name', () => {
  expect(() => polyhedralModel(sphere(1))).toThrow(/source/);
  expect(() => polyhedralModel(box(1, 1, 1, 0.1))).toThrow(/source must not be rounded/);
  expect(() => polyhedralModel(segment(vec3(), vec3(1)))).toThrow(/source/);
  expect(() => polyhedralModel({ positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] })).toThrow(/area/);
  expect(() => polyhedralModel({ positions: [0, 0, Number.NaN, 1, 0, 0, 2, 0, 0] })).toThrow(/positions/);
  expect(() => polyhedralModel({ vertices: [vec3(Number.NaN)], polygons: [] })).toThrow(/vertices\[0\]/);
  expect(() => polyhedralModel({ vertices: [vec3()], polygons: [[0, 1, 2]] })).toThrow(/polygons\[0\]/);
  expect(() => polyhedralModel(boxSolid(), { sides: 'back' as 'both' })).toThrow(/options\.sides/);
  expect(() => polyhedralModel(null as unknown as ModelSource)).toThrow(/source/);
});

test('triangles without area are left out and counted', () => {
  const model = polyhedralModel({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0],
    index: [0, 1, 2, 0, 1, 3, 1, 1, 2],
  });
  expect([polygonCount(model), model.dropped, model.points.length]).toEqual([1, 2, 9]);
});

test('the default thickness: a millionth of the smaller one, but never lost in rounding', () => {
  const small = polyhedralModel(box(0.5, 0.5, 0.5));
  const large = polyhedralModel(box(100, 100, 100));
  const dot = polyhedralModel(point());
  near(defaultThickness(small, large, 100), 1e-6 * Math.sqrt(3), 1e-15);
  near(defaultThickness(dot, large, 100), 2e-4 * Math.sqrt(3), 1e-12);
  expect(defaultThickness(small, large, 2 ** 40)).toBe(1);
});

/** A source of any kind. */
function anySource(rng: Rng): { positions: ArrayLike<number>; index?: ArrayLike<number> | undefined } {
  const kind = rng.int(0, 4);
  if (kind === 0) return together(soup(rng, rng.int(1, 20)), ONE);
  if (kind === 1) return terrain(rng, rng.int(1, 4), rng.pick([0, 1]));
  if (kind === 2) return unwelded(voxels(rng, 2, 0.5, placing(rng)));
  return voxels(rng, rng.int(1, 3), rng.unit(), kind === 3 ? placing(rng) : undefined);
}

property(
  '[P10][P11] any model is as its polygons say; merging keeps topology, area and convexity',
  80,
  (rng) => {
    const [plain, merged] = bothWays(anySource(rng));
    checkModel(plain);
    checkModel(merged);
    check(merged.dropped === plain.dropped, 'dropped');
    check(merged.closed === plain.closed, 'closed');
    check(euler(merged) === euler(plain), 'Euler');
    const area = totalArea(plain);
    near(totalArea(merged), area, 1e-12 * area + 1e-15 * largestOf(plain) ** 2, 'area');
    checkConvex(merged, 2 ** -48 * largestOf(merged));
    const place = new Map([...plain.sources].map((source, f) => [source, f]));
    const normal = (m: PolyhedralModel, f: number): Vec3 =>
      vec3(m.planes[4 * f], m.planes[4 * f + 1], m.planes[4 * f + 2]);
    merged.sources.forEach((source, f) => {
      const n = normal(merged, f);
      const m = normal(plain, place.get(source)!);
      check(n.x * m.x + n.y * m.y + n.z * m.z > 0.9, 'the source faces the same way');
    });
  },
);

property(
  '[P11] merged polygons of a lattice cover the same squares and are convex without rounding',
  40,
  (rng) => {
    const solid = voxels(rng, 3, rng.unit());
    const model = polyhedralModel(solid);
    near(totalArea(model), solid.squares, 1e-9, 'area');
    check(polygonCount(model) <= solid.squares, 'no more polygons than squares');
    checkConvex(model, 0);
  },
);

test('a whole cube of tiles becomes six squares', () => {
  const rng = { chance: () => true, int: () => 0 } as unknown as Rng;
  const model = polyhedralModel(voxels(rng, 5, 1));
  expect([model.points.length / 3, model.edges.length / 2, polygonCount(model)]).toEqual([8, 12, 6]);
});

for (const [file, atLeast] of [
  ['nav_test.obj', 0.3],
  ['dungeon.obj', 0.3],
] as const) {
  const url = new URL(`../../../../shared/data/levels/${file}`, import.meta.url);
  test.skipIf(!existsSync(url))(`[P10] more than 30 % of the edges of ${file} cannot be touched`, () => {
    const positions: number[] = [];
    const index: number[] = [];
    for (const line of readFileSync(url, 'utf8').split('\n')) {
      const [kind, ...rest] = line.trim().split(/\s+/);
      if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
      const corners = kind === 'f' ? rest.map((r) => Number.parseInt(r, 10) - 1) : [];
      for (let k = 2; k < corners.length; k++) index.push(corners[0]!, corners[k - 1]!, corners[k]!);
    }
    const model = polyhedralModel({ positions, index }, { sides: 'front' });
    const [, internal, flat] = kinds(model) as [number, number, number, number];
    expect((internal + flat) / model.edgeKinds.length).toBeGreaterThan(atLeast);
    expect(internal / model.edgeKinds.length).toBeGreaterThan(0.25);
  });
}

test('[R2.2.2] polygons are known by the numbers of their triangles where others were left out', () => {
  const { positions, index } = boxMesh();
  const kept = [1, 2, 3, 8, 11];
  const rows = kept.flatMap((i) => [...index.slice(3 * i, 3 * i + 3)]);
  const some = polyhedralModel(mesh(positions, index, { exclude: (i) => !kept.includes(i) }));
  const all = polyhedralModel(mesh(positions, rows));
  expect([...some.sources]).toEqual([...all.sources].map((i) => kept[i]));
  expect([some.dropped, some.closed]).toEqual([0, false]);
});

test('the seams of a geometry of three.js are closed: it is a solid for sweeps, too', () => {
  const speck = polyhedralModel(box(0.01, 0.01, 0.01));
  const here = { position: vec3(0.3, 0.1, 0.2), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  for (const geometry of [
    new THREE.SphereGeometry(1, 24, 16),
    new THREE.CylinderGeometry(1, 1, 2, 24),
    new THREE.ConeGeometry(1, 2, 24),
    new THREE.CapsuleGeometry(1, 1, 6, 12),
  ]) {
    const positions = Float64Array.from(geometry.attributes['position']!.array);
    const index = Uint32Array.from(geometry.index!.array);
    const model = polyhedralModel({ positions, index });
    expect(model.closed).toBe(true);
    expect(model.sides).toBe('front');
    expect(sweepPolyhedra(speck, here, { translation: vec3(0, 0, 1e-3) }, model, HERE)!.penetrating).toBe(
      true,
    );
  }
  // Also where the two ends of a strip were computed in doubles.
  const ring: number[] = [];
  for (let i = 0; i <= 12; i++) {
    const a = (2 * Math.PI * i) / 12;
    for (const y of [-1, 1]) ring.push(Math.cos(a), y, Math.sin(a));
  }
  const faces: number[] = [];
  for (let i = 0; i < 12; i++) faces.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
  const pipe = polyhedralModel({ positions: ring, index: faces });
  expect([...pipe.edgeKinds].filter((kind) => kind === DANGLING_EDGE).length).toBe(24);
});

const HERE = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
