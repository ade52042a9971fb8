import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
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
import { rayTriangle, rayTriangleFront, segmentTriangle } from '../primitives/ray/index.ts';
import type { ReadonlyRay, TriangleHit } from '../primitives/types.ts';
import { type Mesh, mesh } from './mesh.ts';
import {
  type MeshHit,
  makeMeshHit,
  rayMesh,
  rayMeshAll,
  rayMeshAny,
  rayMeshFront,
  segmentMesh,
  segmentMeshAll,
  segmentMeshAny,
} from './ray.ts';

interface Subject {
  readonly arrays: TriangleArrays;
  readonly triangles: readonly [Vec3, Vec3, Vec3][];
  readonly mesh: Mesh;
}

function subject(arrays: TriangleArrays, leafSize: number, single = false): Subject {
  const positions = single ? Float32Array.from(arrays.positions) : arrays.positions;
  const used = { ...arrays, positions: Float64Array.from(positions) };
  return {
    arrays: used,
    triangles: Array.from({ length: arrays.index.length / 3 }, (_, i) => cornersOf(used, i)),
    mesh: mesh(positions, arrays.index, { leafSize }),
  };
}

/** Meshes of all sorts: closed, open, nested, with triangles without area, of one triangle, far away, huge and tiny. */
function draw(rng: Rng): Subject {
  const shapes = [
    () => icosphere(2),
    () => torus(),
    () => terrain(rng, 12),
    () => soup(rng, rng.int(1, 60)),
    () => together(icosphere(1), moved(icosphere(1), 0.5), moved(torus(12, 6), 2)),
  ];
  const at = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(10), rng.vec(1e6)]);
  const shape = moved(rng.pick(shapes)(), rng.pick([1, 1, 1e-4, 1e4]), at);
  return subject(shape, rng.pick([1, 2, 4, 10, 15]), rng.chance(0.3));
}

/** Rays at random, axis-parallel, through corners, along edges, from corners, from far away. */
function drawRay(rng: Rng, { triangles, mesh }: Subject): ReadonlyRay {
  const { min, max } = mesh.bounds;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;
  const anywhere = (): Vec3 => {
    const d = rng.vec(1);
    return {
      x: (min.x + max.x) / 2 + d.x * size,
      y: (min.y + max.y) / 2 + d.y * size,
      z: (min.z + max.z) / 2 + d.z * size,
    };
  };
  const triangle = rng.pick(triangles);
  const corner = rng.pick(triangle);
  const inside = (): Vec3 => {
    const [a, b, c] = triangle;
    const v = rng.unit();
    const w = rng.unit() * (1 - v);
    return {
      x: a.x + v * (b.x - a.x) + w * (c.x - a.x),
      y: a.y + v * (b.y - a.y) + w * (c.y - a.y),
      z: a.z + v * (b.z - a.z) + w * (c.z - a.z),
    };
  };
  const to = (origin: Vec3, target: Vec3): ReadonlyRay => ({
    origin,
    direction: { x: target.x - origin.x, y: target.y - origin.y, z: target.z - origin.z },
  });
  const sort = rng.int(0, 6);
  if (sort === 0) return to(anywhere(), corner);
  if (sort === 1) return to(rng.pick(triangle), corner);
  if (sort === 2) return to(inside(), anywhere());
  if (sort === 3) return { origin: anywhere(), direction: rng.direction() };
  if (sort === 4) {
    const origin = rng.chance(0.5) ? { ...corner } : inside();
    const axis = rng.pick(['x', 'y', 'z'] as const);
    origin[axis] -= rng.sign() * size * rng.pick([0, 1, 2]);
    return { origin, direction: { x: 0, y: 0, z: 0, [axis]: rng.sign() * rng.pick([1, size, 1e-3]) } };
  }
  if (sort === 5) return to({ x: anywhere().x + size * 1e5, y: anywhere().y, z: anywhere().z }, inside());
  return to(anywhere(), inside());
}

/** Every triangle, one after the other. */
function brute(ask: (a: Vec3, b: Vec3, c: Vec3) => TriangleHit | null, { triangles }: Subject): MeshHit[] {
  const hits: MeshHit[] = [];
  triangles.forEach(([a, b, c], triangle) => {
    const hit = ask(a, b, c);
    if (hit) hits.push({ ...hit, triangle });
  });
  return hits.sort((p, q) => p.t - q.t || p.triangle - q.triangle);
}

const same = (found: MeshHit | null, wanted: MeshHit | undefined): boolean =>
  wanted === undefined ? found === null : JSON.stringify(found) === JSON.stringify(wanted);

const list: MeshHit[] = [];

property('rays give what asking every triangle gives, to the last bit', 250, (rng) => {
  const at = draw(rng);
  for (let i = 0; i < 25; i++) {
    const ray = drawRay(rng, at);
    const tMax = rng.pick([Infinity, Infinity, 1, 0.5, 0]);
    const wanted = brute((a, b, c) => rayTriangle(ray, a, b, c, tMax), at);
    const found = rayMesh(ray, at.mesh, tMax);
    check(same(found, wanted[0]), () => JSON.stringify({ ray, found, wanted: wanted[0] }));
    check(rayMeshAny(ray, at.mesh, tMax) === wanted.length > 0, 'rayMeshAny');
    const front = brute((a, b, c) => rayTriangleFront(ray, a, b, c, tMax), at)[0];
    check(same(rayMeshFront(ray, at.mesh, tMax), front), 'rayMeshFront');
    rayMeshAll(ray, at.mesh, tMax, list);
    check(JSON.stringify(list) === JSON.stringify(wanted), 'rayMeshAll');
  }
});

property('rays that run nearly along a flat strip meet it, whichever way they tend', 40, (rng) => {
  // Next to no extent across the ray: the slack of the boxes is that of its length alone.
  const axes = rng.shuffle([0, 1, 2]);
  const of = (...values: [number, number, number]): [number, number, number] => {
    const turned: [number, number, number] = [0, 0, 0];
    axes.forEach((axis, k) => {
      turned[axis] = values[k]!;
    });
    return turned;
  };
  const many = 64;
  const positions: number[] = [];
  for (let i = 0; i <= many; i++) positions.push(...of(i / many, 0, 0), ...of(i / many, 1e-3, 0));
  const index = Array.from({ length: many }, (_, i) => [
    2 * i,
    2 * i + 2,
    2 * i + 1,
    2 * i + 1,
    2 * i + 2,
    2 * i + 3,
  ]);
  const at = subject({ positions: Float64Array.from(positions), index: Uint32Array.from(index.flat()) }, 1);
  for (let i = 0; i < 20; i++) {
    const [dx, dy, dz] = of(1, 0, 2 ** rng.range(-30, -25) * rng.sign());
    const [x, y, z] = of(rng.unit(), 1e-3 * rng.unit(), 0);
    const t = rng.range(0, 3);
    const ray = {
      origin: { x: x - t * dx, y: y - t * dy, z: z - t * dz },
      direction: { x: dx, y: dy, z: dz },
    };
    const wanted = brute((a, b, c) => rayTriangle(ray, a, b, c), at);
    check(same(rayMesh(ray, at.mesh), wanted[0]), () => `missed: ${JSON.stringify(ray)}`);
  }
});

property('segments give what asking every triangle gives, to the last bit', 200, (rng) => {
  const at = draw(rng);
  for (let i = 0; i < 20; i++) {
    const { origin: p, direction } = drawRay(rng, at);
    const s = rng.pick([1, 1, 0.5, 2]);
    const q = { x: p.x + s * direction.x, y: p.y + s * direction.y, z: p.z + s * direction.z };
    const wanted = brute((a, b, c) => segmentTriangle(p, q, a, b, c), at);
    const found = segmentMesh(p, q, at.mesh);
    check(same(found, wanted[0]), () => JSON.stringify({ p, q, found, wanted: wanted[0] }));
    check(segmentMeshAny(p, q, at.mesh) === wanted.length > 0, 'segmentMeshAny');
    check(JSON.stringify(segmentMeshAll(p, q, at.mesh)) === JSON.stringify(wanted), 'segmentMeshAll');
  }
});

test('a hit knows its triangle, point, normal and weights', () => {
  const square = mesh([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], [0, 1, 2, 0, 2, 3]);
  const ray = { origin: { x: 0.5, y: 1.5, z: 3 }, direction: { x: 0, y: 0, z: -2 } };
  const hit = rayMesh(ray, square)!;
  expect(hit).toMatchObject({
    t: 1.5,
    triangle: 1,
    point: { x: 0.5, y: 1.5, z: 0 },
    normal: { x: 0, y: 0, z: 1 },
  });
  expect([hit.u, hit.v, hit.w]).toEqual([0.25, 0.25, 0.5]);
  expect(
    rayMeshFront({ origin: { x: 0.5, y: 1.5, z: -3 }, direction: { x: 0, y: 0, z: 2 } }, square),
  ).toBeNull();
});

test('a ray through the edge of two triangles hits both, and names the first', () => {
  const square = mesh([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], [0, 2, 3, 0, 1, 2]);
  const ray = { origin: { x: 1, y: 1, z: 1 }, direction: { x: 0, y: 0, z: -1 } };
  expect(rayMeshAll(ray, square).map(({ triangle, t }) => [triangle, t])).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(rayMesh(ray, square)!.triangle).toBe(0);
});

test('a direction of zero hits what contains the point', () => {
  const square = mesh([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], [0, 1, 2, 0, 2, 3]);
  const direction = { x: 0, y: 0, z: 0 };
  expect(rayMesh({ origin: { x: 0.5, y: 1, z: 0 }, direction }, square)).toMatchObject({ t: 0, triangle: 1 });
  expect(rayMesh({ origin: { x: 0.5, y: 1, z: 1e-9 }, direction }, square)).toBeNull();
});

test('records of the caller are used again', () => {
  const ball = icosphere(1);
  const solid = mesh(ball.positions, ball.index);
  const out = makeMeshHit();
  const ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 2, z: 3 } };
  expect(rayMesh(ray, solid, Infinity, out)).toBe(out);
  const all = [makeMeshHit(), makeMeshHit(), makeMeshHit(), makeMeshHit(), makeMeshHit()];
  const [first] = all;
  expect(rayMeshAll(ray, solid, Infinity, all)).toBe(all);
  expect(all.length).toBe(1);
  expect(all[0]).toBe(first);
});
