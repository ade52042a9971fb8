import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere, moved, soup, torus } from '../../tests/kit/meshes.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { triangleItems } from '../trees/items.ts';
import { closestPointMesh } from './closest.ts';
import { checksumOf, type Mesh, mesh, refitMesh } from './mesh.ts';
import { loadMesh, saveMesh } from './stored-mesh.ts';

const { positions, index } = torus(9, 7);
const original = mesh(Float32Array.from(positions), index);
const saved = saveMesh(original) as ArrayBuffer;

/** Loads bytes. Returns why not, if that was said as it should be. */
function refusalOf(bytes: ArrayBuffer): string | null {
  try {
    loadMesh(bytes);
    return null;
  } catch (error) {
    const { message } = error as Error;
    check(error instanceof RangeError && message.startsWith('graze: loadMesh: buffer must '), message);
    return message;
  }
}

/** As someone would who knows the format: with a checksum that is right. */
function crafted(change: (made: Mesh, header: Float64Array) => void, from: Mesh = original): ArrayBuffer {
  const bytes = (saveMesh(from) as ArrayBuffer).slice(0);
  const header = new Float64Array(bytes, 0, 19);
  change(loadMesh(bytes), header);
  header[5] = checksumOf(bytes);
  return bytes;
}

test('every file that is cut off is refused, and so is one with something behind it', () => {
  for (let size = 0; size < saved.byteLength; size++)
    check(refusalOf(saved.slice(0, size)) !== null, () => `${size} bytes were taken`);
  const longer = new Uint8Array(saved.byteLength + 8);
  longer.set(new Uint8Array(saved));
  expect(refusalOf(longer.buffer)).toMatch(/must be whole/);
});

test('every change of one bit is refused, and of some bits at random', () => {
  const bytes = new Uint8Array(saved.slice(0));
  const rng = new Rng(1);
  const flip = (): void => {
    const bit = rng.int(0, 8 * bytes.length - 1);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  };
  for (let i = 0; i < 20_000; i++) {
    const copy = bytes.slice();
    for (let n = rng.pick([1, 1, 2, 3, 40]); n > 0; n--) flip();
    if (!copy.every((byte, k) => byte === bytes[k]))
      check(refusalOf(bytes.buffer) !== null, () => `case ${i} was taken`);
    bytes.set(copy);
  }
  for (let word = 0; word < bytes.length; word += 4) {
    const at = word + rng.int(0, 3);
    bytes[at]! ^= 1 << rng.int(0, 7);
    check(refusalOf(bytes.buffer) !== null, () => `a change at ${at} was taken`);
    bytes.set(new Uint8Array(saved));
  }
});

describe('what someone made who knows the checksum is refused with its reason', () => {
  const links = (made: Mesh): Int32Array => made.tree.links;
  /** A node whose children are both nodes. */
  const branch = (made: Mesh): number => {
    for (let node = 0; ; node++)
      if (links(made)[8 * node + 6]! >= 0 && links(made)[8 * node + 7]! >= 0) return node;
  };
  const leaf = (made: Mesh): number => links(made).findIndex((link, i) => i % 8 > 5 && link < 0);
  const cases: [string, RegExp, (made: Mesh, header: Float64Array) => void][] = [
    ['shared children', /two parents/, (m) => (links(m)[8 * branch(m) + 7] = links(m)[8 * branch(m) + 6]!)],
    ['a cycle', /leads astray/, (m) => (links(m)[links(m).length - 1] = 0)],
    ['a link to itself', /leads astray/, (m) => (links(m)[8 * branch(m) + 6] = 16 * branch(m))],
    ['a link beyond', /leads astray/, (m) => (links(m)[6] = 16 * m.tree.nodeCount)],
    ['a link between nodes', /leads astray/, (m) => (links(m)[6] = links(m)[6]! + 3)],
    ['a leaf twice', /two leaves|no parent/, (m) => (links(m)[6] = links(m)[leaf(m)]!)],
    ['a leaf beyond', /not there/, (m) => (links(m)[leaf(m)] = ~((m.triangleCount << 4) | 3))],
    ['a leaf left out', /no leaf/, (m) => (links(m)[leaf(m)] = ~(~links(m)[leaf(m)]! & ~15))],
    ['a box too small', /below it/, (m) => (m.tree.bounds[3] = m.tree.bounds[3]! - 1)],
    [
      'a leaf box too small',
      /its triangles|below it/,
      (m) => {
        const at = 2 * (leaf(m) - 6 - (leaf(m) % 2)) + 6 * (leaf(m) % 2);
        m.tree.bounds[at] = m.tree.bounds[at + 3]!;
      },
    ],
    ['a triangle twice', /one by one/, (m) => (m.ids[0] = m.ids[1]!)],
    ['a triangle beyond', /one by one/, (m) => (m.ids[0] = m.triangleCount)],
    ['a corner beyond', /no vertex/, (m) => (m.corners[4] = m.vertices.length / 3)],
    ['NaN', /not finite/, (m) => (m.vertices[7] = Number.NaN)],
    ['infinity', /not finite/, (m) => (m.vertices[8] = -Infinity)],
    ['a vertex elsewhere', /bounds|its triangles/, (m) => (m.vertices[8] = 1e3)],
    ['other bounds', /bounds/, (_, h) => (h[12] = h[12]! - 1)],
    ['NaN in the bounds', /bounds/, (_, h) => (h[13] = Number.NaN)],
    ['a grid of NaN', /grid/, (_, h) => (h[6] = Number.NaN)],
    ['a grid without width', /grid/, (_, h) => (h[9] = 0)],
    ['another grid', /its triangles/, (_, h) => (h[9] = 2 * h[9]!)],
    ['counts', /whole/, (_, h) => (h[1] = 2 ** 40)],
    ['a negative count', /whole/, (_, h) => (h[2] = -1)],
    ['fewer given than there are', /whole/, (m, h) => (h[18] = m.triangleCount - 1)],
    ['more given than can be', /whole/, (_, h) => (h[18] = 2 ** 30)],
    ['half a count', /whole/, (_, h) => (h[3] = 4.5)],
    ['numbers of 3 bytes', /whole/, (_, h) => (h[4] = 3)],
  ];
  for (const [name, reason, change] of cases)
    test(name, () => {
      expect(refusalOf(crafted((made, header) => void change(made, header)))).toMatch(reason);
    });

  test('a ladder of nodes that share their children', () => {
    const large = icosphere(3);
    const bytes = crafted(
      (made) => {
        const { nodeCount } = made.tree;
        for (let node = 0; node + 1 < nodeCount; node++)
          links(made)[8 * node + 6] = links(made)[8 * node + 7] = 16 * (node + 1);
      },
      mesh(large.positions, large.index),
    );
    expect(refusalOf(bytes)).toMatch(/two parents/);
  });

  test('a chain that is too deep', () => {
    const large = icosphere(3);
    const bytes = crafted(
      (made) => {
        for (let node = 0; node + 1 < made.tree.nodeCount; node++) {
          links(made)[8 * node + 6] = 16 * (node + 1);
          links(made)[8 * node + 7] = -1;
          made.tree.bounds.fill(0, 16 * node, 16 * node + 3).fill(65535, 16 * node + 3, 16 * node + 6);
        }
      },
      mesh(large.positions, large.index),
    );
    expect(refusalOf(bytes)).toMatch(/too deep/);
  });

  test('a file of before', () => {
    const bytes = saved.slice(0);
    new Float64Array(bytes)[0] = 0x67726104;
    expect(refusalOf(bytes)).toMatch(/its layout is 4, not 5; make the mesh anew/);
  });
});

property('every mesh that is made can be saved and loaded', 200, (rng) => {
  const shapes = [() => icosphere(2), () => torus(), () => soup(rng, rng.int(1, 80)), () => boxMesh()];
  const at = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(1e6), rng.vec(1e12)]);
  const arrays = moved(rng.pick(shapes)(), rng.pick([1, 1e-6, 1e6, 0]), at);
  const given = rng.chance(0.5) ? Float32Array.from(arrays.positions) : arrays.positions;
  const way = rng.int(0, 3);
  const options = {
    leafSize: rng.int(1, 15),
    shared: rng.chance(0.2),
    ...(way === 0 && {
      tree: buildTreeBy(triangleItems(given, arrays.index), { method: 'morton', leafSize: rng.int(1, 15) }),
    }),
  };
  let made = mesh(given, arrays.index, options);
  if (way === 1) made = refitMesh(made, moved(arrays, 2, rng.vec(3)).positions, arrays.index);
  const loaded = loadMesh(saveMesh(made).slice(0));
  const p = rng.vec(2);
  const a = closestPointMesh(p, made)!;
  const b = closestPointMesh(p, loaded)!;
  check(a.distance === b.distance && a.triangle === b.triangle, 'they differ');
});
