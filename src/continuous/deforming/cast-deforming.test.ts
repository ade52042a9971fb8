import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { vec3 } from '../../math/types.ts';
import { box } from '../../shapes/flat-sided-shapes.ts';
import { capsule, sphere } from '../../shapes/round-shapes.ts';
import { mesh } from '../../trimesh/mesh.ts';
import {
  castDeforming,
  castDeformingAll,
  type DeformingContacts,
  makeDeformingContact,
} from './cast-deforming.ts';
import { castEdgeEdge, castVertexFace } from './cast-primitives.ts';
import { deformingMesh } from './deforming-mesh.ts';
import { deformingTarget } from './deforming-target.ts';

interface Moving {
  readonly positions0: number[];
  readonly positions1: number[];
  readonly indices: number[];
}

/** A crumpled sheet, or a soup of triangles that share vertices. */
function someMesh(rng: Rng, size: number): Moving {
  const vertexCount = rng.int(3, 14);
  const isGrid = rng.chance(0.4);
  const number = () => (isGrid ? rng.int(-2, 2) : rng.range(-size, size));
  const positions0 = Array.from({ length: 3 * vertexCount }, number);
  const way = rng.pick([0.2, 1]);
  const positions1 = positions0.map((x) => (isGrid ? (rng.chance(0.5) ? x : number()) : x + way * number()));
  const indices = Array.from({ length: 3 * rng.int(1, 14) }, () => rng.int(0, vertexCount - 1));
  return { positions0, positions1, indices };
}

const edgesOf = (indices: readonly number[]): [number, number][] => {
  const edges = new Map<string, [number, number]>();
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i]!;
    const b = indices[i % 3 === 2 ? i - 2 : i + 1]!;
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (!edges.has(key)) edges.set(key, [a, b]);
  }
  return [...edges.values()];
};
const facesOf = (indices: readonly number[]): number[][] =>
  Array.from({ length: indices.length / 3 }, (_, i) => indices.slice(3 * i, 3 * i + 3));
const gather = (list: readonly (readonly [readonly number[], number])[]): number[] =>
  list.flatMap(([positions, i]) => positions.slice(3 * i, 3 * i + 3));

/** Every pair there is, one by one: kind, vertices (sorted within each thing) and time. */
function bruteForce(a: Moving, b: Moving | null, separation: number): string[] {
  const other = b ?? a;
  const found: string[] = [];
  const vertexFace = (p: Moving, q: Moving, kind: number) => {
    for (const vertex of new Set(p.indices))
      for (const face of facesOf(q.indices)) {
        if (b === null && face.includes(vertex)) continue;
        const [x, y, z] = face as [number, number, number];
        const points = (of: 'positions0' | 'positions1') =>
          gather([
            [p[of], vertex],
            [q[of], x],
            [q[of], y],
            [q[of], z],
          ]);
        const hit = castVertexFace(points('positions0'), points('positions1'), { separation });
        if (hit) found.push(`${kind} ${vertex} ${[x, y, z].sort()} ${hit.t}`);
      }
  };
  vertexFace(a, other, 0);
  if (b) vertexFace(b, a, 2);
  const edges = edgesOf(a.indices);
  for (const [i, [p, q]] of edges.entries())
    for (const [r, s] of b ? edgesOf(b.indices) : edges.slice(i + 1)) {
      if (b === null && (p === r || p === s || q === r || q === s)) continue;
      const points = (of: 'positions0' | 'positions1') =>
        gather([
          [a[of], p],
          [a[of], q],
          [other[of], r],
          [other[of], s],
        ]);
      const hit = castEdgeEdge(points('positions0'), points('positions1'), { separation });
      if (hit) found.push(edgeText([p, q], [r, s], b !== null, hit.t));
    }
  return found.sort();
}

function edgeText(a: number[], b: number[], isOther: boolean, t: number): string {
  const pairs = [a.sort().join(), b.sort().join()];
  if (!isOther) pairs.sort();
  return `1 ${pairs.join(' ')} ${t.toPrecision(10)}`;
}

function told(contacts: DeformingContacts): string[] {
  return Array.from({ length: contacts.count }, (_, i) => {
    const [p, q, r, s] = contacts.vertices.subarray(4 * i, 4 * i + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const t = contacts.t[i]!;
    if (contacts.kind[i] === 1) return edgeText([p, q], [r, s], contacts.isOther[i] === 1, t);
    return `${contacts.kind[i]} ${p} ${[q, r, s].sort()} ${t}`;
  }).sort();
}

property('with itself: every pair, as one by one', 250, (rng) => {
  const a = someMesh(rng, 1);
  const separation = rng.chance(0.3) ? 0.0625 : 0;
  const all = castDeformingAll(a.positions0, a.positions1, a.indices, { separation });
  // A triangle that is there twice is met twice.
  check(
    told(all).join('\n') === bruteForce(a, null, separation).join('\n'),
    () => `${JSON.stringify(a)}: ${told(all).join('\n')}, not ${bruteForce(a, null, separation).join('\n')}`,
  );
  const first = castDeforming(a.positions0, a.positions1, a.indices, { separation });
  check((first?.t ?? -1) === (all.count > 0 ? all.t[0] : -1), () => `${first?.t}, not ${all.t[0]}`);
});

property('with another: every pair, as one by one', 250, (rng) => {
  const a = someMesh(rng, 1);
  const b = someMesh(rng, 1);
  const separation = rng.chance(0.3) ? 0.0625 : 0;
  const options = { against: b, separation };
  const all = castDeformingAll(a.positions0, a.positions1, a.indices, options);
  check(
    told(all).join('\n') === bruteForce(a, b, separation).join('\n'),
    () => `${told(all).join('\n')}, not ${bruteForce(a, b, separation).join('\n')}`,
  );
  const both = castDeformingAll(a.positions0, a.positions1, a.indices, { ...options, self: true });
  const self = castDeformingAll(a.positions0, a.positions1, a.indices, { separation });
  check(both.count === all.count + self.count, () => `${both.count}, not ${all.count} + ${self.count}`);
});

property('a mesh that is fitted to another motion gives what a new one gives', 150, (rng) => {
  const a = someMesh(rng, 1);
  const kept = deformingMesh(a.indices, a.positions0.length / 3);
  for (let i = 0; i < 4; i++) {
    const to = a.positions1.map((x) => x + rng.range(-1, 1));
    const fresh = castDeformingAll(a.positions0, to, a.indices);
    const again = castDeformingAll(a.positions0, to, kept);
    check(told(fresh).join() === told(again).join(), () => `${told(again)}, not ${told(fresh)}`);
  }
});

/** A sheet of 2 × 2 cells at height z, from -1 to 1. */
const sheet = (z: number): number[] =>
  Array.from({ length: 9 }, (_, i) => [(i % 3) - 1, Math.floor(i / 3) - 1, z]).flat();
const sheetIndices = [0, 1, 3, 4].flatMap((i) => [i, i + 1, i + 4, i, i + 4, i + 3]);

describe('against shapes', () => {
  const fall = (shape: Parameters<typeof deformingTarget>[0], position = vec3(), separation = 0) =>
    castDeforming(sheet(2), sheet(-2), sheetIndices, {
      against: deformingTarget(shape, { position, quaternion: { x: 0, y: 0, z: 0, w: 1 } }),
      separation,
    });

  test('a sheet falls on a ball, a capsule, a box, a mesh', () => {
    expect(fall(sphere(0.5))).toMatchObject({
      kind: 'face-vertex',
      isOther: true,
      normal: { x: 0, y: 0, z: -1 },
    });
    expect(fall(sphere(0.5))!.t).toBeCloseTo(0.375, 11);
    expect(fall(capsule(0.25, 0.5))!.t).toBeCloseTo(0.375, 11);
    expect(fall(sphere(0.5), vec3(0, 0, -1), 0.25)!.t).toBeCloseTo(0.5625, 11);
    expect(fall(sphere(0.5), vec3(3, 0, 0))).toBeNull();
    expect(fall(box(0.3, 0.3, 0.5))!.t).toBeCloseTo(0.375, 11);
    const tip = mesh([0, 0, 1, 1, 0, 0, 0, 1, 0, -1, -1, 0], [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]);
    expect(fall(tip)!.t).toBeCloseTo(0.25, 11);
    expect(fall(tip)!.point).toMatchObject({ x: 0, y: 0 });
  });

  test('two that share a topology', () => {
    const shared = deformingMesh(sheetIndices, 9);
    const against = { positions0: sheet(-1), positions1: sheet(1), indices: shared };
    expect(castDeforming(sheet(1), sheet(-1), shared, { against })!.t).toBeCloseTo(0.5, 11);
  });
});

test('nothing meets nothing', () => {
  expect(castDeforming([], [], [])).toBeNull();
  expect(castDeformingAll(sheet(0), sheet(1), sheetIndices).count).toBe(0);
  expect(castDeformingAll(sheet(0), sheet(0), []).count).toBe(0);
});

test('the result goes where it is told to', () => {
  const out = makeDeformingContact();
  const against = { positions0: sheet(0), indices: sheetIndices };
  expect(castDeforming(sheet(1), sheet(-1), sheetIndices, { against }, out)).toBe(out);
  expect(out.normal).toEqual({ x: 0, y: 0, z: expect.closeTo(1) });
});

describe('what is wrong is said', () => {
  const z = sheet(0);
  test.each([
    [
      () => castDeforming(z, z.slice(3), sheetIndices),
      'castDeforming: positions1 must be as many as positions0, 27; got 24',
    ],
    [
      () => castDeforming(z.slice(1), z.slice(1), sheetIndices),
      'positions0 must have three numbers a vertex, got 26',
    ],
    [() => castDeforming(z, z, [0, 1, 9]), 'indices must have numbers of vertices below 9, got 9 at 2'],
    [() => castDeforming(z, z, [0, 1, -1]), 'got -1 at 2'],
    [() => castDeforming(z, z, [0, 1]), 'indices must have three vertices a triangle, got 2'],
    [() => castDeforming(z, z.with(3, Infinity), sheetIndices), 'positions1[3]'],
    [() => castDeformingAll(z.with(3, Number.NaN), z, sheetIndices), 'castDeformingAll: positions0[3]'],
    [
      () => castDeforming(z, z, deformingMesh([0, 1, 2], 3)),
      'positions0 must have 3 vertices, as the mesh has, got 9',
    ],
    [
      () => castDeforming(z, z, sheetIndices, { against: { positions0: [0, 0], indices: [] } }),
      'options.against.positions0 must have three numbers',
    ],
    [() => castDeforming(z, z, sheetIndices, { separation: -1 }), 'options.separation'],
    [
      () => deformingMesh([0, 1, 2], 2),
      'deformingMesh: indices must have numbers of vertices below 2, got 2 at 2',
    ],
  ])('%#', (call, message) => expect(call).toThrow(message));
});

const folder = new URL('../../../../shared/data/ccd/', import.meta.url);
const present = existsSync(folder);
if (!present)
  console.log('cast-deforming.test.ts: skipped the cloth of ../shared/data/ccd, which is not there');

function readPly(name: string): { positions: Float64Array; indices: Uint32Array } {
  const bytes = gunzipSync(readFileSync(new URL(name, folder)));
  const start = bytes.indexOf('end_header\n') + 11;
  const head = bytes.subarray(0, start).toString();
  const count = (what: string) => Number(new RegExp(`${what} (\\d+)`).exec(head)![1]);
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  const positions = Float64Array.from({ length: 3 * count('vertex') }, (_, i) =>
    view.getFloat64(8 * i, true),
  );
  const faces = 8 * positions.length;
  const indices = Uint32Array.from({ length: 3 * count('face') }, (_, i) =>
    view.getInt32(faces + 13 * Math.floor(i / 3) + 1 + 4 * (i % 3), true),
  );
  return { positions, indices };
}

test.skipIf(!present)('a step of a cloth in a funnel: the published pairs, and no others', () => {
  const { positions, indices } = readPly('cloth-funnel-227.ply.gz');
  const { positions: end } = readPly('cloth-funnel-228.ply.gz');
  const truth = JSON.parse(readFileSync(new URL('cloth-funnel-pairs.json', folder), 'utf8'));
  const all = castDeformingAll(positions, end, indices);
  const times = new Map<string, number>();
  for (const [v, a, b, c, t] of truth.vertexFace) times.set(`0 ${v} ${[a, b, c].sort()}`, t);
  for (const [a, b, c, d, t] of truth.edgeEdge)
    times.set(`1 ${[[a, b].sort().join(), [c, d].sort().join()].sort().join(' ')}`, t);
  expect(all.count).toBe(times.size);
  for (const [i, text] of told(all).entries()) {
    const key = text.slice(0, text.lastIndexOf(' '));
    expect(times.has(key), `${i}: ${key}`).toBe(true);
    const t = Number(text.slice(text.lastIndexOf(' ')));
    expect(Math.abs(t - times.get(key)!), key).toBeLessThan(1e-9);
  }
  const first = castDeforming(positions, end, indices)!;
  expect(first.t).toBe(all.t[0]);
  expect(first.t).toBeLessThanOrEqual(Math.min(...times.values()));
});
