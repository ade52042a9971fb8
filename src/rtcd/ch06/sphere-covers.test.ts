import { describe, expect, test } from 'vitest';
import { degeneratePoints } from '../../../tests/kit/degenerate-points.ts';
import { check, near, property } from '../../../tests/kit/index.ts';
import { boxMesh, icosphere, type TriangleArrays } from '../../../tests/kit/meshes.ts';
import { cloud, Rng } from '../../../tests/kit/rng.ts';
import type { Vec3 } from '../../math/types.ts';
import type { Sphere } from '../../primitives/types.ts';
import { boxItems, triangleItems } from '../../trees/items.ts';
import type { Tree } from '../../trees/tree.ts';
import { coverSolid, coverSurface } from './sphere-cover.ts';
import { buildSphereOctree, buildSphereTree, type SphereCover } from './sphere-tree.ts';
import { depthsOf, EXTERIOR, gridOver, INTERIOR, labelCells, SURFACE, trianglesOf } from './voxels.ts';

/** A point of triangle i, and how far rounding may have taken it off: three products and two sums of its corners. */
function samplePoint(rng: Rng, { positions, index }: TriangleArrays, i: number): Vec3 {
  let [u, v] = [rng.unit(), rng.unit()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  if (rng.chance(0.2)) u = 0;
  if (rng.chance(0.1)) v = 0;
  const at = (k: number, axis: number) => positions[3 * index[3 * i + k]! + axis]!;
  const [x, y, z] = [0, 1, 2].map((axis) => (1 - u - v) * at(0, axis) + u * at(1, axis) + v * at(2, axis));
  return { x: x!, y: y!, z: z! };
}

const holds = ({ centers, radii }: SphereCover, i: number, p: Vec3): boolean => {
  const d = Math.hypot(p.x - centers[3 * i]!, p.y - centers[3 * i + 1]!, p.z - centers[3 * i + 2]!);
  return d <= radii[i]!;
};
const anyHolds = (cover: SphereCover, p: Vec3): boolean => {
  for (let i = 0; i < cover.radii.length; i++) if (holds(cover, i, p)) return true;
  return false;
};

/** The spheres of the nodes of a tree as a list. */
const spheresOf = (tree: Tree<Sphere>, wanted: (node: number) => boolean): SphereCover => {
  const nodes = Array.from(tree.skip.keys()).filter(wanted);
  return {
    centers: Float64Array.from(nodes.flatMap((n) => [...tree.volumes.subarray(4 * n, 4 * n + 3)])),
    radii: Float64Array.from(nodes.map((n) => tree.volumes[4 * n + 3]!)),
  };
};
const isLeaf =
  ({ skip }: Tree<Sphere>) =>
  (node: number) =>
    skip[node] === node + 1;

const itemsOf = ({ positions, index }: TriangleArrays) => triangleItems(positions, index);

/** A triangle soup with degenerate, thin, far and coincident ones. */
function soup(rng: Rng, count: number): TriangleArrays & { size: number; scale: number } {
  const made = cloud(rng, 3 * count);
  const points = degeneratePoints(rng, made);
  return {
    positions: Float64Array.from(points.flatMap((p) => [p.x, p.y, p.z])),
    index: Uint32Array.from({ length: 3 * count }, (_, i) => i),
    size: made.size,
    scale: made.scale,
  };
}

describe('[R6.4.3-5] spheres of octree cells', () => {
  test('10,000 points of the surface are in leaves, and in a node of every level above them', () => {
    const rng = new Rng(21);
    const mesh = icosphere(2);
    const tree = buildSphereOctree(itemsOf(mesh), { depth: 4, skipEnclosed: true });
    const path: number[] = [];
    for (let s = 0; s < 10_000; s++) {
      const p = samplePoint(rng, mesh, rng.int(0, mesh.index.length / 3 - 1));
      let found = false;
      // Down through the nodes that hold the point: a leaf must be reached.
      path.length = 0;
      path.push(0);
      while (path.length > 0 && !found) {
        const node = path.pop()!;
        const [x, y, z, r] = tree.volumes.subarray(4 * node, 4 * node + 4) as unknown as number[];
        if (!(Math.hypot(p.x - x!, p.y - y!, p.z - z!) <= r!)) continue;
        if (tree.skip[node] === node + 1) found = true;
        for (let child = node + 1; child < tree.skip[node]!; child = tree.skip[child]!) path.push(child);
      }
      check(found, () => `${JSON.stringify(p)} is in no leaf`);
    }
  });

  test('the radius is half the diagonal of the cell', () => {
    const tree = buildSphereOctree(itemsOf(boxMesh()), { depth: 3 });
    const ends: number[] = [];
    for (let node = 0; node < tree.skip.length; node++) {
      while (ends.length > 0 && ends.at(-1)! <= node) ends.pop();
      const side = 2 / 2 ** ends.length;
      ends.push(tree.skip[node]!);
      const radius = tree.volumes[4 * node + 3]!;
      expect(radius).toBeGreaterThanOrEqual((side * Math.sqrt(3)) / 2);
      near(radius, (side * Math.sqrt(3)) / 2, 1e-6 * side, 'radius');
    }
  });

  test('the inside is held, unless enclosed cells are to be left away; items are the smallest cells', () => {
    const items = itemsOf(boxMesh());
    const solid = buildSphereOctree(items, { depth: 3 });
    const shell = buildSphereOctree(items, { depth: 3, skipEnclosed: true });
    // 8³ cells, of which 6³ are inside.
    expect(solid.items).toHaveLength(512);
    expect(shell.items).toHaveLength(512 - 216);
    expect([...solid.items]).toEqual(Array.from({ length: 512 }, (_, i) => i));
    expect(solid.skip).toHaveLength(512 + 64 + 8 + 1);
    const origin = { x: 0.05, y: 0.03, z: -0.02 };
    expect(anyHolds(spheresOf(solid, isLeaf(solid)), origin)).toBe(true);
    expect(anyHolds(spheresOf(shell, isLeaf(shell)), origin)).toBe(false);
  });

  test('an open box has no inside', () => {
    const { positions, index } = boxMesh();
    const open = triangleItems(positions, index.subarray(6));
    expect(buildSphereOctree(open, { depth: 3 }).items.length).toBeLessThan(512 - 216 + 1);
  });

  property('degenerate soups are held too', 60, (rng) => {
    const mesh = soup(rng, rng.int(1, 6));
    const tree = buildSphereOctree(itemsOf(mesh), { depth: rng.int(0, 3), skipEnclosed: rng.chance(0.5) });
    const leaves = spheresOf(tree, isLeaf(tree));
    check(
      tree.volumes.every((x) => Number.isFinite(x)),
      'finite',
    );
    for (let s = 0; s < 40; s++) {
      const p = samplePoint(rng, mesh, rng.int(0, mesh.index.length / 3 - 1));
      check(anyHolds(leaves, p), () => `${JSON.stringify(p)} is in no leaf`);
    }
  });
});

describe('[R6.4.3-5] spheres on the triangles', () => {
  property('hold every point of their triangle, are no larger than asked for, and lie on it', 300, (rng) => {
    const mesh = soup(rng, rng.int(1, 3));
    const radius = mesh.size * rng.pick([0.05, 0.3, 2, 50]);
    const cover = coverSurface(itemsOf(mesh), radius);
    check(cover.labels.length === cover.radii.length, 'a label each');
    for (let s = 0; s < 40; s++) {
      const triangle = rng.int(0, mesh.index.length / 3 - 1);
      const p = samplePoint(rng, mesh, triangle);
      let held = false;
      for (let i = 0; i < cover.radii.length && !held; i++)
        held = cover.labels[i] === triangle && holds(cover, i, p);
      check(held, () => `${JSON.stringify(p)} of ${triangle} is not held`);
    }
    for (let i = 0; i < cover.radii.length; i++)
      check(
        cover.radii[i]! <= radius + 1e-14 * (radius + mesh.scale + mesh.size),
        () => `radius ${cover.radii[i]}`,
      );
  });

  test('10,000 points of a mesh, and of its hierarchy at every level', () => {
    const rng = new Rng(31);
    const mesh = icosphere(2);
    const cover = coverSurface(itemsOf(mesh), 0.1);
    const tree = buildSphereTree(cover);
    for (let s = 0; s < 10_000; s++) {
      const triangle = rng.int(0, mesh.index.length / 3 - 1);
      const p = samplePoint(rng, mesh, triangle);
      // Following the nodes that hold the point leads to a sphere of the triangle.
      let found = false;
      for (let node = 0; node < tree.skip.length && !found; ) {
        const [x, y, z, r] = tree.volumes.subarray(4 * node, 4 * node + 4) as unknown as number[];
        const inside = Math.hypot(p.x - x!, p.y - y!, p.z - z!) <= r!;
        if (inside && tree.skip[node] === node + 1)
          found = cover.labels[tree.items[tree.first[node]!]!] === triangle;
        node = inside ? node + 1 : tree.skip[node]!;
      }
      check(found, () => `${JSON.stringify(p)} is not found`);
    }
  });

  test('no more than it takes: about the area over that of the squares in the discs', () => {
    const flat = triangleItems([0, 0, 0, 4, 0, 0, 0, 3, 0]);
    const { radii } = coverSurface(flat, 0.1);
    const least = 6 / (2 * 0.1 * 0.1);
    expect(radii.length).toBeGreaterThanOrEqual(least);
    expect(radii.length).toBeLessThan(1.15 * least);
  });

  test('points and needles take one sphere or a row of them', () => {
    expect([...coverSurface(triangleItems([1, 2, 3, 1, 2, 3, 1, 2, 3]), 1).centers]).toEqual([1, 2, 3]);
    const needle = coverSurface(triangleItems([0, 0, 0, 10, 0, 0, 5, 0, 0]), 1);
    expect(needle.radii).toHaveLength(Math.ceil(10 / Math.SQRT2));
  });
});

describe('[R6.4.3-5] generate and prune', () => {
  /** The solid's cells, and for each the kept spheres that hold all eight corners. */
  function holdersOf(mesh: TriangleArrays, spacing: number, cover: SphereCover) {
    const corners = trianglesOf('test', itemsOf(mesh));
    const { min, cell, extent } = gridOver(corners, () => spacing);
    const counts = extent.map((x) => Math.max(1, Math.ceil(x / spacing))) as [number, number, number];
    const { nx, ny, nz, labels } = labelCells('test', corners, min, cell, counts);
    const holders: number[][] = [];
    for (let k = 0; k < nz; k++)
      for (let j = 0; j < ny; j++)
        for (let i = 0; i < nx; i++) {
          if (labels[i + nx * (j + ny * k)] === EXTERIOR) continue;
          const all = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => ({
            x: min.x + (i + (c & 1)) * cell,
            y: min.y + (j + ((c >> 1) & 1)) * cell,
            z: min.z + (k + (c >> 2)) * cell,
          }));
          const held: number[] = [];
          for (let s = 0; s < cover.radii.length; s++) if (all.every((p) => holds(cover, s, p))) held.push(s);
          holders.push(held);
        }
    return holders;
  }

  test.each([
    ['a ball', icosphere(2), 0.2, undefined],
    ['a ball, loosely', icosphere(2), 0.25, 0.8],
    ['a box', boxMesh({ x: -1, y: -2, z: 0 }, { x: 1, y: 0.5, z: 0.7 }), 0.22, undefined],
    ['a box far away', boxMesh({ x: 1e6, y: -2, z: 0 }, { x: 1e6 + 2, y: 1, z: 1 }), 0.3, 1],
  ])('%s: every cell is held, and without any one sphere some is not', (_, mesh, spacing, overshoot) => {
    const cover = coverSolid(itemsOf(mesh), { spacing, ...(overshoot && { overshoot }) });
    const alone = new Uint8Array(cover.radii.length);
    for (const held of holdersOf(mesh, spacing, cover)) {
      expect(held.length).toBeGreaterThan(0);
      if (held.length === 1) alone[held[0]!] = 1;
    }
    expect(alone.every((x) => x === 1)).toBe(true);
  });

  test('10,000 points of the surface and of the inside are held, and no sphere overshoots', () => {
    const rng = new Rng(41);
    const mesh = icosphere(3);
    const cover = coverSolid(itemsOf(mesh), { spacing: 0.15, overshoot: 0.3 });
    for (let s = 0; s < 10_000; s++) {
      const p = samplePoint(rng, mesh, rng.int(0, mesh.index.length / 3 - 1));
      const t = s % 2 === 0 ? 1 : rng.unit();
      check(anyHolds(cover, { x: t * p.x, y: t * p.y, z: t * p.z }), 'not held');
    }
    for (let i = 0; i < cover.radii.length; i++) {
      const from = Math.hypot(...cover.centers.subarray(3 * i, 3 * i + 3));
      // The mesh is inside the unit ball: beyond it by no more than the overshoot.
      expect(from + cover.radii[i]!).toBeLessThanOrEqual(1 + 0.3 + 1e-9);
    }
  });

  test('more overshoot makes for fewer spheres', () => {
    const items = itemsOf(icosphere(2));
    const counts = [0.35, 0.6, 1, 3].map(
      (overshoot) => coverSolid(items, { spacing: 0.2, overshoot }).radii.length,
    );
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts.at(-1)).toBe(1);
  });

  property('degenerate soups are held too', 60, (rng) => {
    const mesh = soup(rng, rng.int(1, 4));
    const spacing = mesh.size * rng.pick([0.3, 1, 10]);
    const cover = coverSolid(itemsOf(mesh), { spacing });
    for (let s = 0; s < 40; s++) {
      const p = samplePoint(rng, mesh, rng.int(0, mesh.index.length / 3 - 1));
      check(anyHolds(cover, p), () => `${JSON.stringify(p)} is not held`);
    }
  });

  test('depths are those that looking at every pair of cells finds', () => {
    const rng = new Rng(51);
    for (let n = 0; n < 20; n++) {
      const [nx, ny, nz] = [rng.int(1, 6), rng.int(1, 6), rng.int(1, 6)];
      const labels = Uint8Array.from({ length: nx * ny * nz }, () => rng.pick([SURFACE, INTERIOR, INTERIOR]));
      labels[rng.int(0, labels.length - 1)] = SURFACE;
      const depths = depthsOf({ min: { x: 0, y: 0, z: 0 }, cell: 1, nx, ny, nz, labels });
      const place = (c: number) => [c % nx, Math.floor(c / nx) % ny, Math.floor(c / (nx * ny))];
      labels.forEach((_, c) => {
        const [x, y, z] = place(c);
        let least = Infinity;
        labels.forEach((label, d) => {
          const [u, v, w] = place(d);
          if (label === SURFACE) least = Math.min(least, (x! - u!) ** 2 + (y! - v!) ** 2 + (z! - w!) ** 2);
        });
        expect(depths[c]).toBe(least);
      });
    }
  });
});

describe('[R6.4.3-5] the hierarchy', () => {
  property('every node holds the spheres below it, each of which is in one leaf', 300, (rng, index) => {
    const count = index < 6 ? 1 + (index >> 1) : rng.int(1, 60);
    const { points, size } = cloud(rng, count);
    if (rng.chance(0.2)) points.fill(points[0]!);
    const cover = {
      centers: Float64Array.from(points.flatMap((p) => [p.x, p.y, p.z])),
      radii: Float64Array.from(points, () =>
        rng.chance(0.2) ? 0 : size * rng.pick([1, 0.1, 1e-6]) * rng.unit(),
      ),
    };
    const tree = buildSphereTree(cover);
    check(tree.skip.length === 2 * count - 1, 'one sphere a leaf');
    check(new Set(tree.items).size === count, 'each once');
    for (let node = 0; node < tree.skip.length; node++) {
      const [x, y, z, r] = tree.volumes.subarray(4 * node, 4 * node + 4) as unknown as number[];
      for (let i = tree.first[node]!; i < tree.first[tree.skip[node]!]!; i++) {
        const s = tree.items[i]!;
        const d = Math.hypot(
          cover.centers[3 * s]! - x!,
          cover.centers[3 * s + 1]! - y!,
          cover.centers[3 * s + 2]! - z!,
        );
        check(d + cover.radii[s]! <= r! * (1 + 1e-15), () => `node ${node}: ${d} + ${cover.radii[s]} > ${r}`);
      }
    }
  });
});

test('bad input is refused', () => {
  const items = triangleItems([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  for (const depth of [-1, 9, 1.5, Number.NaN])
    expect(() => buildSphereOctree(items, { depth })).toThrow(/depth/);
  for (const radius of [0, -1, Number.NaN, Infinity])
    expect(() => coverSurface(items, radius)).toThrow(/radius/);
  expect(() => coverSurface(items, 1e-9)).toThrow(/radius/);
  for (const spacing of [0, -1, Number.NaN, Infinity])
    expect(() => coverSolid(items, { spacing })).toThrow(/spacing/);
  expect(() => coverSolid(items, { spacing: 1, overshoot: 1.7 })).toThrow(/overshoot/);
  expect(() => coverSolid(items, { spacing: 1, overshoot: Number.NaN })).toThrow(/overshoot/);
  expect(() => coverSolid(items, { spacing: 1e-9 })).toThrow(/cells/);
  for (const use of [
    (bad: ReturnType<typeof boxItems>) => buildSphereOctree(bad),
    (bad: ReturnType<typeof boxItems>) => coverSurface(bad, 1),
    (bad: ReturnType<typeof boxItems>) => coverSolid(bad, { spacing: 1 }),
  ]) {
    expect(() => use(boxItems([0, 0, 0, 1, 1, 1]))).toThrow(/items must be triangles/);
    expect(() => use(triangleItems([]))).toThrow(/items/);
  }
  expect(() => buildSphereTree({ centers: new Float64Array(3), radii: new Float64Array(2) })).toThrow(
    /cover/,
  );
  expect(() => buildSphereTree({ centers: new Float64Array(0), radii: new Float64Array(0) })).toThrow(
    /cover/,
  );
  expect(() => buildSphereTree({ centers: new Float64Array(3), radii: Float64Array.of(-1) })).toThrow(
    /cover/,
  );
  expect(() =>
    buildSphereTree({ centers: Float64Array.of(0, Number.NaN, 0), radii: Float64Array.of(1) }),
  ).toThrow(/cover/);
});
