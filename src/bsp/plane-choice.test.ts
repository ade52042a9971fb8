import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { icosphere, torus } from '../../tests/kit/meshes.ts';
import { ball } from '../../tests/kit/solids.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { mesh } from '../trimesh/mesh.ts';
import { cellOfBox } from './cell.ts';
import { buildLeafBsp } from './leaf-bsp.ts';
import { buildNodeBsp } from './node-bsp.ts';
import { countSides, expectedCostOf, type Fragment, PlaneChooser, scoreOf } from './plane-choice.ts';
import { buildSolidBsp } from './solid-bsp.ts';
import { locate } from './solid-queries.ts';

const triangle = (p: Vec3, size = 0.1): Vec3[] => [
  p,
  vec3(p.x + size, p.y, p.z),
  vec3(p.x, p.y + size, p.z + size / 2),
];
const fragment = (points: Vec3[], source = 0): Fragment => ({ points, source, plane: null, isUsed: false });

describe('[R8.3.2] the score of a plane', () => {
  test('weighs cuts against inequality', () => {
    const counts = { front: 7, back: 3, on: 2, split: 5 };
    expect(scoreOf(counts, 0.8)).toBeCloseTo(0.8 * 5 + 0.2 * 4, 14);
    expect(scoreOf(counts, 0)).toBe(4);
    expect(scoreOf(counts, 1)).toBe(5);
  });

  test('expected cost: a plane that sets two thirds of the space free costs 4, one that halves the polygons 5', () => {
    // Nine polygons, all in one third; or one on the plane and four on either side.
    expect(expectedCostOf({ front: 0, back: 9, on: 0, split: 0 }, 2 / 3)).toBeCloseTo(4, 14);
    expect(expectedCostOf({ front: 4, back: 4, on: 1, split: 0 }, 1 / 2)).toBe(5);
    const points = Array.from({ length: 9 }, (_, i) => triangle(vec3(0.05 + 0.1 * i, 0.2, 0.5), 0.01));
    const cell = cellOfBox({ min: vec3(0, 0, 0), max: vec3(1, 3, 1) });
    const fragments = points.map((one, i) => fragment(one, i));
    const chooser = new PlaneChooser({ expectedCost: true, candidates: ['faces'] }, 1e-9);
    const free = { normal: vec3(0, 1, 0), d: 1 };
    const half = { normal: vec3(1, 0, 0), d: 0.455 };
    const planes = [half, free].map((plane, i) => ({ ...fragments[i]!, plane }));
    expect(countSides(fragments, free, 1e-9)).toEqual({ front: 0, back: 9, on: 0, split: 0 });
    expect(chooser.choose([...planes, ...fragments.slice(2)], cell, 0)).toBe(free);
    const byScore = new PlaneChooser({ candidates: ['faces'] }, 1e-9);
    expect(byScore.choose([...planes, ...fragments.slice(2)], cell, 0)).toBe(half);
  });

  test('the weight may depend on the depth', () => {
    const depths: number[] = [];
    const rng = new Rng(4);
    const polygons = Array.from({ length: 60 }, () => triangle(rng.vec(1), 0.3));
    const splitWeight = (depth: number): number => {
      depths.push(depth);
      return depth < 3 ? 0.2 : 0.9;
    };
    const own = buildLeafBsp(polygons, { splitWeight });
    expect(Math.max(...depths)).toBeGreaterThan(3);
    expect(own.nodeCount).not.toBe(buildLeafBsp(polygons, { splitWeight: 0.9 }).nodeCount);
  });

  test('the same seed gives the same tree, to the last bit; another may give another', () => {
    const rng = new Rng(8);
    const polygons = Array.from({ length: 80 }, () => triangle(rng.vec(1), 0.4));
    const one = buildNodeBsp(polygons, { seed: 5 });
    expect(buildNodeBsp(polygons, { seed: 5 })).toEqual(one);
    expect(buildNodeBsp(polygons, { seed: 6 }).planes).not.toEqual(one.planes);
    // Thirty-two bits, with a sign or without.
    for (const seed of [-2147483648, 4294967295]) expect(() => buildNodeBsp([], { seed })).not.toThrow();
    for (const seed of [-2147483649, 4294967296, 0.5])
      expect(() => buildNodeBsp([], { seed })).toThrow('seed');
  });

  property('no plane is chosen twice on the way to a leaf', 40, (rng) => {
    const polygons = Array.from({ length: rng.int(2, 40) }, () => triangle(rng.vec(1), rng.range(0.1, 1)));
    const { planes, children, root } = buildLeafBsp(polygons, { leafSize: 1 });
    const walk = (link: number, above: readonly string[]): void => {
      if (link < 0) return;
      const key = String([...planes.slice(4 * link, 4 * link + 4)]);
      check(!above.includes(key), 'a plane twice');
      for (const child of [0, 1]) walk(children[2 * link + child]!, [...above, key]);
    };
    walk(root, []);
  });
});

describe('[R8.3.1] candidates', () => {
  test('a ball of 2,000 faces: at most 4 log2 n deep, although by its faces alone it is n deep', () => {
    const { positions, index } = ball(40, 26);
    const n = index.length / 3;
    expect(n).toBeGreaterThan(1950);
    expect(n).toBeLessThan(2050);
    const solid = mesh(positions, index);
    expect(buildSolidBsp(solid).depth).toBeLessThanOrEqual(4 * Math.log2(n));
    const small = icosphere(1);
    const byFaces = buildSolidBsp(mesh(small.positions, small.index), { candidates: ['faces'] });
    expect(byFaces.depth).toBeGreaterThan(40); // 80 faces, no two in one plane: each cuts off next to nothing
  });

  test('hints are used first, in their order, and are not cut by other planes', () => {
    const rng = new Rng(3);
    const polygons = Array.from({ length: 50 }, () => triangle(rng.vec(1), 0.5));
    const hints = [
      { normal: vec3(0.6, 0.8, 0), d: 0.1 },
      { normal: vec3(0, 0, 1), d: -0.05 },
    ];
    const { planes, children, root } = buildLeafBsp(polygons, { hints });
    const planeAt = (node: number): number[] => [...planes.slice(4 * node, 4 * node + 4)];
    expect(planeAt(root)).toEqual([0.6, 0.8, 0, 0.1]);
    for (const side of [0, 1]) expect(planeAt(children[2 * root + side]!)).toEqual([0, 0, 1, -0.05]);
  });

  test('bounding volumes first: what is beyond the box of a solid is known after at most six planes', () => {
    const { positions, index } = icosphere(2);
    const ball = mesh(positions, index);
    const { planes, children, root, leafKinds, depth } = buildSolidBsp(ball);
    const { min, max } = ball.bounds;
    const sides = new Set<number>();
    for (let i = 0, at = root; i < 6; i++, at = children[2 * at + 1]!)
      (['x', 'y', 'z'] as const).forEach((axis, k) => {
        const n = planes[4 * at + k]!;
        if (n === 0) return;
        expect(planes[4 * at + 3]).toBe(n > 0 ? max[axis] : -min[axis]);
        sides.add(n * (k + 1));
      });
    expect(sides.size).toBe(6);
    // The depth is that of the longest way down.
    let deepest = 0;
    const waiting = [{ at: root, level: 0 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { at, level } = next;
      deepest = Math.max(deepest, level);
      if (at >= 0)
        for (const side of [0, 1]) waiting.push({ at: children[2 * at + side]!, level: level + 1 });
    }
    expect(depth).toBe(deepest);
    let link = root;
    for (let i = 0; i < 6; i++) {
      const normal = [...planes.slice(4 * link, 4 * link + 3)].map(Math.abs).sort();
      expect(normal).toEqual([0, 0, 1]);
      const outside = children[2 * link]!;
      expect(outside).toBeLessThan(0);
      expect(leafKinds[~outside]).toBe(0);
      link = children[2 * link + 1]!;
    }
  });

  test('planes through an edge and a corner, and planes that climb, make trees with the same answers', () => {
    const { positions, index } = torus(12, 7);
    const solid = mesh(positions, index);
    const plain = buildSolidBsp(solid);
    const edges = buildSolidBsp(solid, { candidates: ['faces', 'edges'] });
    const climbed = buildSolidBsp(solid, { climb: true });
    expect(edges.planes).not.toEqual(plain.planes);
    expect(climbed.planes).not.toEqual(plain.planes);
    const rng = new Rng(1);
    for (let i = 0; i < 2000; i++) {
      const p = rng.vec(1.5);
      expect(locate(p, edges)).toBe(locate(p, plain));
      expect(locate(p, climbed)).toBe(locate(p, plain));
    }
  });

  test('climbing leads to a plane that is rated no worse', () => {
    const rng = new Rng(12);
    let better = 0;
    for (let i = 0; i < 40; i++) {
      const fragments = Array.from({ length: 30 }, (_, k) => fragment(triangle(rng.vec(1), 0.4), k));
      const cell = cellOfBox({ min: vec3(-2, -2, -2), max: vec3(2, 2, 2) });
      const rate = (climb: boolean): number => {
        const plane = new PlaneChooser({ climb, candidates: ['axes'] }, 1e-9).choose(fragments, cell, 0)!;
        return scoreOf(countSides(fragments, plane, 1e-9), 0.8);
      };
      expect(rate(true)).toBeLessThanOrEqual(rate(false));
      if (rate(true) < rate(false)) better++;
    }
    expect(better).toBeGreaterThan(5);
  });
});
