import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { type TriangleArrays, terrain, torus } from '../../tests/kit/meshes.ts';
import { buildTreeBy } from '../rtcd/ch06/build-by-method.ts';
import { triangleItems } from './items.ts';
import { type PackedBuild, packTopology, packTriangles } from './pack-build.ts';
import { MAX_DEPTH, type PackedTree } from './packed-tree.ts';

/** Enough triangles for cells to stand for them in the upper levels. */
const MANY = 5000;

/** Looks at all that searches rely on. */
function inspect(
  { tree, order }: PackedBuild,
  positions: Float64Array,
  index: Uint32Array,
  leafSize: number,
) {
  const { bounds, links, grid, nodeCount } = tree;
  const count = index.length / 3;
  const seen = new Uint8Array(count);
  for (let i = 0; i < count; i++) seen[order[i]!] = 1;
  check(order.length === count && !seen.includes(0), 'each triangle once');
  let placed = 0;
  let made = 0;
  // Within all the boxes above it, in preorder: a node's boxes lie in that of its parent.
  const visit = (link: number, around: number, depth: number): void => {
    check(depth <= MAX_DEPTH, 'too deep');
    if (link >= 0) {
      check(link === 16 * made++, 'nodes in preorder');
      for (let side = 0; side < 2; side++) {
        const at = link + 6 * side;
        for (let k = 0; k < 3; k++)
          check(
            around < 0 ||
              bounds[at + k]! > bounds[at + 3 + k]! ||
              (bounds[at + k]! >= bounds[around + k]! && bounds[at + 3 + k]! <= bounds[around + 3 + k]!),
            'a box within its parent',
          );
        visit(links[link / 2 + 6 + side]!, at, depth + 1);
      }
      return;
    }
    const [first, items] = [~link >> 4, ~link & 15];
    check(first === placed && items <= leafSize, 'leaves in order');
    placed += items;
    for (let i = 3 * first; i < 3 * placed; i++)
      for (let k = 0; k < 3; k++) {
        const x = positions[3 * index[3 * order[(i / 3) | 0]! + (i % 3)]! + k]!;
        const low = grid[k]! + bounds[around + k]! * grid[k + 3]!;
        const high = grid[k]! + bounds[around + 3 + k]! * grid[k + 3]!;
        check(low < x && x < high, 'a corner within its box');
      }
  };
  visit(0, -1, 0);
  check(placed === count && made === nodeCount, 'all of it');
}

/** The surface of all boxes, leaves once for each item. */
function surface({ bounds, links, grid, nodeCount }: PackedTree): number {
  let sum = 0;
  for (let i = 0; i < 2 * nodeCount; i++) {
    const at = 16 * (i >> 1) + 6 * (i & 1);
    const [x, y, z] = [0, 1, 2].map((k) => (bounds[at + 3 + k]! - bounds[at + k]!) * grid[3 + k]!);
    const link = links[8 * (i >> 1) + 6 + (i & 1)]!;
    sum += (x! * y! + y! * z! + z! * x!) * (link >= 0 ? 1 : ~link & 15);
  }
  return sum;
}

/** Triangles everywhere, in heaps, on a line, at one point, in a plane: whatever cells may be bad at. */
function draw(rng: Rng, count: number): Float64Array {
  const kind = rng.int(0, 5);
  const size = rng.pick([1, 0.1, 1e-3, 0]);
  const heaps = Array.from({ length: 4 }, () => rng.vec(1));
  const away = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(1e6)]);
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const p = rng.vec(1);
    if (kind === 1) Object.assign(p, rng.pick(heaps));
    if (kind === 2) p.y = p.z = 0;
    if (kind === 3) p.x = p.y = p.z = 0;
    if (kind === 4) p.y = 0;
    // Each a tenth of the one before: splits that part next to nothing.
    if (kind === 5) p.x = p.y = p.z = 10 ** -(i % 300);
    for (let k = 0; k < 9; k += 3) {
      const d = rng.vec(size);
      positions.set([p.x + d.x + away.x, p.y + d.y + away.y, p.z + d.z + away.z], 9 * i + k);
    }
  }
  return positions;
}

property('trees over many triangles are whole', 24, (rng) => {
  const count = MANY + rng.int(0, 3000);
  const positions = draw(rng, count);
  const index = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  const leafSize = rng.pick([1, 4, 10, 15]);
  inspect(packTriangles(positions, index, { leafSize }), positions, index, leafSize);
});

test('flat meshes too are parted along their length: the surface of the tree is that of a good one', () => {
  const rng = new Rng(5);
  const meshes: TriangleArrays[] = [terrain(rng, 60), terrain(rng, 60, 0.01), torus(80, 40)];
  for (const arrays of meshes) {
    const positions = Float64Array.from(arrays.positions);
    const index = Uint32Array.from(arrays.index);
    expect(index.length / 3).toBeGreaterThan(MANY);
    const built = packTriangles(positions, index);
    inspect(built, positions, index, 10);
    // Built by the same heuristic, in floating point and without cells; its leaves are smaller, which saves a third.
    const given = buildTreeBy(triangleItems(positions, index), { leafSize: 10 });
    const tree = packTopology('test', positions, index, given);
    expect(surface(built.tree) / surface(tree)).toBeLessThan(1.5);
  }
});
