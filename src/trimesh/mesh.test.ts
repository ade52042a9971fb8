import { describe, expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { boxMesh, cornersOf, icosphere, moved, soup, terrain, torus } from '../../tests/kit/meshes.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { triangleItems } from '../trees/items.ts';
import { type Mesh, mesh, refitMesh } from './mesh.ts';
import { rayMesh } from './ray.ts';
import { loadMesh, saveMesh } from './stored-mesh.ts';

/** Every triangle is in one leaf, within the boxes above it, with room to spare; links lead forward. */
function mustBeSound(made: Mesh): void {
  const { tree, corners, vertices, triangleCount } = made;
  const { bounds, links, grid } = tree;
  const seen = new Uint8Array(triangleCount);
  const stack: { link: number; box: number[] }[] = [{ link: 0, box: [] }];
  while (stack.length > 0) {
    const { link, box } = stack.pop()!;
    if (link >= 0) {
      for (let side = 0; side < 2; side++) {
        const own = Array.from(bounds.subarray(link + side * 6, link + side * 6 + 6), (n, k) => {
          return grid[k % 3]! + n * grid[3 + (k % 3)]!;
        });
        const next = links[link / 2 + 6 + side]!;
        check(next < 0 || next > link, 'a link leads back');
        stack.push({ link: next, box: own });
      }
      continue;
    }
    for (let i = ~link >> 4; i < (~link >> 4) + (~link & 15); i++) {
      check(seen[i]!++ === 0, 'a triangle is in two leaves');
      for (let k = 0; k < 9; k++) {
        const axis = k % 3;
        const x = vertices[3 * corners[i * 3 + Math.floor(k / 3)]! + axis]!;
        const room = grid[3 + axis]! / 64;
        check(x - room > box[axis]! && x + room < box[axis + 3]!, () => `${x} is out of ${box}`);
      }
    }
  }
  check(
    seen.every((n) => n === 1),
    'a triangle is in no leaf',
  );
}

property('meshes of all sorts get a sound tree, and keep their triangles', 400, (rng) => {
  const shapes = [() => icosphere(2), () => torus(), () => soup(rng, rng.int(1, 80)), () => boxMesh()];
  const at = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(1e6), rng.vec(1e12)]);
  const arrays = moved(rng.pick(shapes)(), rng.pick([1, 1e-6, 1e6, 0]), at);
  const single = rng.chance(0.5);
  const positions = single ? Float32Array.from(arrays.positions) : arrays.positions;
  const made = mesh(positions, arrays.index, { leafSize: rng.int(1, 15), shared: rng.chance(0.2) });
  mustBeSound(made);
  check(made.vertices instanceof (single ? Float32Array : Float64Array), 'the precision is not as given');
  for (let i = 0; i < made.triangleCount; i++) {
    const wanted = cornersOf({ ...arrays, positions: Float64Array.from(positions) }, made.ids[i]!);
    wanted.forEach(({ x, y, z }, k) => {
      const c = 3 * made.corners[i * 3 + k]!;
      check(
        made.vertices[c] === x && made.vertices[c + 1] === y && made.vertices[c + 2] === z,
        'a corner has changed',
      );
    });
  }
});

property('a tree built in any way serves as well', 150, (rng) => {
  const { positions, index } = rng.pick([
    () => torus(),
    () => soup(rng, rng.int(1, 40)),
    () => icosphere(1),
  ])();
  const method = rng.pick(['sah', 'morton', 'top-down', 'bottom-up', 'insertion'] as const);
  const tree = buildTreeBy(triangleItems(positions, index), { method, leafSize: rng.int(1, 15) });
  const made = mesh(positions, index, { tree });
  mustBeSound(made);
  const usual = mesh(positions, index);
  for (let i = 0; i < 20; i++) {
    const ray = { origin: rng.vec(2), direction: rng.direction() };
    check(JSON.stringify(rayMesh(ray, made)) === JSON.stringify(rayMesh(ray, usual)), 'another hit');
  }
});

test('a tree that does not fit is refused', () => {
  const { positions, index } = torus();
  const items = triangleItems(positions, index);
  const make = (tree: object) => () => mesh(positions, index, { tree: tree as never });
  expect(make(buildTreeBy(items, { degree: 4 }))).toThrow(/options.tree must be binary/);
  expect(make(buildTreeBy(items, { method: 'top-down', leafSize: 40 }))).toThrow(/leaves of at most 15/);
  expect(make(buildTreeBy(triangleItems(positions, index.slice(0, 30))))).toThrow(
    /each of the 576 triangles/,
  );
});

property('refitted to moved vertices, it is sound and gives the answers of a new one', 150, (rng) => {
  const { positions, index } = rng.pick([
    () => torus(),
    () => soup(rng, rng.int(1, 40)),
    () => terrain(rng, 8),
  ])();
  const before = mesh(positions, index, { leafSize: rng.int(1, 15), shared: rng.chance(0.3) });
  const shake = rng.pick([0, 0.01, 1, 100]);
  const shaken = positions.map((x) => x + rng.range(-shake, shake));
  const after = refitMesh(before, shaken, index);
  mustBeSound(after);
  mustBeSound(before);
  const anew = mesh(shaken, index);
  const { min, max } = anew.bounds;
  const size = max.x - min.x + max.y - min.y + max.z - min.z;
  for (let i = 0; i < 20; i++) {
    const ray = { origin: rng.vec(size), direction: rng.direction() };
    check(JSON.stringify(rayMesh(ray, after)) === JSON.stringify(rayMesh(ray, anew)), 'another hit');
  }
});

test('a refit with other triangles is refused', () => {
  const { positions, index } = boxMesh();
  expect(() => refitMesh(mesh(positions, index), positions, index.slice(0, 9))).toThrow(
    /index must hold the 12 triangles of the mesh, got 3/,
  );
});

test('a hundred thousand equal triangles, and a row of ever smaller ones, end in a shallow tree', () => {
  const count = 100_000;
  const equal = mesh(
    new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    Uint32Array.from({ length: 3 * count }, (_, i) => i % 3),
    { leafSize: 1 },
  );
  mustBeSound(equal);
  expect(depthOf(equal)).toBeLessThan(20);
  const row: number[] = [];
  for (let i = 0; i < 2000; i++) {
    const x = 0.97 ** i;
    row.push(x, 0, 0, x, x, 0, x, 0, x);
  }
  const shrinking = mesh(row, null, { leafSize: 1 });
  mustBeSound(shrinking);
  expect(depthOf(shrinking)).toBeLessThan(96);
});

function depthOf({ tree }: Mesh): number {
  const depths = new Int32Array(tree.nodeCount).fill(1);
  for (let node = 0; node < tree.nodeCount; node++)
    for (const side of [6, 7]) {
      const link = tree.links[node * 8 + side]!;
      if (link >= 0) depths[link / 16] = depths[node]! + 1;
    }
  return Math.max(...depths);
}

describe('what is no mesh is refused, and the error says why', () => {
  const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  test.each([
    ['no triangles', () => mesh([]), /mesh: positions must hold at least one triangle/],
    ['no triangles in the index', () => mesh(triangle, []), /index must hold at least one triangle/],
    ['half a vertex', () => mesh([0, 0, 0, 1]), /positions must hold three numbers a vertex, got 4/],
    ['two corners', () => mesh(triangle, [0, 1]), /index must hold three corners a triangle, got 2/],
    ['two vertices', () => mesh([0, 0, 0, 1, 0, 0]), /positions must hold three corners a triangle, got 2/],
    ['an index too large', () => mesh(triangle, [0, 1, 3]), /index must hold .* below 3, got 3 at 2/],
    ['a negative index', () => mesh(triangle, [0, -1, 2]), /index must hold .* got -1 at 1/],
    ['a broken index', () => mesh(triangle, [0, 0.5, 2]), /index must hold .* got 0.5 at 1/],
    ['NaN', () => mesh([0, 0, Number.NaN, 1, 0, 0, 0, 1, 0]), /positions must be finite, got NaN at 2/],
    ['an infinity', () => mesh(Float32Array.of(...triangle.slice(1), Infinity)), /finite, got Infinity at 8/],
    ['something else', () => mesh('cube' as unknown as number[]), /positions must be an array/],
    ['a leaf of nothing', () => mesh(triangle, null, { leafSize: 0 }), /leafSize must be a whole number/],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('saved and loaded', () => {
  const { positions, index } = torus(40, 20);
  const ray = { origin: { x: 5, y: 0.1, z: 0.2 }, direction: { x: -1, y: 0, z: 0 } };

  test('it is the same mesh, in the same memory', () => {
    const made = mesh(Float32Array.from(positions), index);
    const bytes = saveMesh(made);
    const loaded = loadMesh(bytes);
    expect(loaded.vertices.buffer).toBe(bytes);
    expect(loaded).toEqual(made);
    expect(rayMesh(ray, loaded)).toEqual(rayMesh(ray, made));
    const fromFile = loadMesh((bytes as ArrayBuffer).slice(0));
    expect(rayMesh(ray, fromFile)).toEqual(rayMesh(ray, made));
  });

  test('a file that is cut off, of another kind or with broken numbers is refused', () => {
    const bytes = new Uint8Array(saveMesh(mesh(positions, index)) as ArrayBuffer);
    expect(() => loadMesh(new ArrayBuffer(8))).toThrow(/must hold a mesh saved by/);
    expect(() => loadMesh(new ArrayBuffer(4096))).toThrow(/must hold a mesh saved by/);
    expect(() => loadMesh(bytes.slice(0, -8).buffer)).toThrow(/must be whole/);
    expect(() => loadMesh(bytes as unknown as ArrayBuffer)).toThrow(/must be an ArrayBuffer/);
    let refused = 0;
    const tries = 300;
    for (let i = 0; i < tries; i++) {
      const broken = bytes.slice();
      const place = Math.floor((i / tries) * broken.length);
      broken[place] = broken[place]! ^ 0xff;
      try {
        // Whatever is let in can be searched: nothing throws, nothing runs for ever.
        rayMesh(ray, loadMesh(broken.buffer));
      } catch (error) {
        expect((error as Error).message).toMatch(/^graze: loadMesh: buffer must/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(10);
  });
});

test('vertices are numbered in 16 bits where those do, and in 32 where not', () => {
  const few = icosphere(5);
  expect(mesh(few.positions, few.index).corners).toBeInstanceOf(Uint16Array);
  const count = 65_538;
  const strip = Float64Array.from({ length: 3 * count }, (_, i) =>
    i % 3 === 0 ? Math.floor(i / 3) : (i * 7) % 5,
  );
  const all = mesh(strip);
  expect(all.corners).toBeInstanceOf(Uint32Array);
  mustBeSound(all);
  expect(mesh(strip.slice(0, 3 * 65_535)).corners).toBeInstanceOf(Uint16Array);
});

test('tells how far it has come', () => {
  const { positions, index } = icosphere(6);
  const told: number[] = [];
  mesh(positions, index, { onProgress: (done) => told.push(done) });
  expect(told.length).toBeGreaterThan(1);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told.at(-1)).toBeLessThanOrEqual(1);
});

test('one triangle, one without area, and one single point in space are meshes', () => {
  const p = { origin: { x: 0.2, y: 0.2, z: 1 }, direction: { x: 0, y: 0, z: -1 } };
  expect(rayMesh(p, mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]))).toMatchObject({ triangle: 0, t: 1 });
  expect(rayMesh(p, mesh([0, 0, 0, 1, 1, 0, 2, 2, 0]))).toBeNull();
  expect(rayMesh(p, mesh([0.2, 0.2, 0, 0.2, 0.2, 0, 0.2, 0.2, 0]))).toBeNull();
});
