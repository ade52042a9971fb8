/** The octrees of the shelf, rays in a k-d tree, and grids of trees, against a look at every box. */
import { expect, test } from 'vitest';
import { REGIMES as CORPUS } from '../../../tests/kit/box-corpus.ts';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { vec3 } from '../../math/types.ts';
import { rayAabb } from '../../primitives/ray/index.ts';
import { EntryGrid, GridOfTrees } from './grid-of-trees.ts';
import { KdBoxTree } from './kd-ray.ts';
import { DynamicOctree, StaticOctree } from './octree.ts';

type Six = [number, number, number, number, number, number];

const recordOf = ([ax, ay, az, bx, by, bz]: Six) => ({ min: vec3(ax, ay, az), max: vec3(bx, by, bz) });
const overlap = (a: Six, b: Six): boolean => [0, 1, 2].every((k) => a[k]! <= b[k + 3]! && b[k]! <= a[k + 3]!);
const six = (x: number, y: number, z: number, s: number): Six => [x, y, z, x + s, y + s, z + s];

/** The degenerate corpus for boxes, and what is degenerate in the cube. */
const REGIMES: Record<string, (rng: Rng) => Six> = {
  ...(CORPUS as Record<string, (rng: Rng) => Six>),
  even: (rng) => six(rng.range(-4, 3), rng.range(-4, 3), rng.range(-4, 3), rng.range(0, 1)),
  lattice: (rng) => six(rng.int(-4, 3), rng.int(-4, 3), rng.int(-4, 3), rng.int(0, 2)),
  identical: () => six(0, 1, -1, 1),
  points: (rng) => six(rng.int(-2, 2), rng.int(-2, 2), 0, 0),
  'of all sizes': (rng) => six(rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1), 10 ** rng.range(-6, 1)),
  outside: (rng) => six(rng.range(-20, 20), rng.range(-4, 4), rng.range(-4, 4), rng.range(0, 2)),
  'on planes': (rng) => six(rng.pick([-1, 0, -0.5]), rng.pick([-1, 0]), rng.int(-1, 1), 1),
};
const NAMES = Object.keys(REGIMES);
const draw = (rng: Rng, index: number, n: number): Six[] =>
  Array.from({ length: n }, () => REGIMES[NAMES[index % NAMES.length]!]!(rng));

const cube = { min: vec3(-4, -4, -4), max: vec3(4, 4, 4) };

function truePairs(boxes: ReadonlyMap<number, Six>): string {
  const all = [...boxes];
  return String(
    all
      .flatMap(([i, a], m) =>
        all.slice(0, m).flatMap(([j, b]) => (overlap(a, b) ? [`${Math.min(i, j)}-${Math.max(i, j)}`] : [])),
      )
      .sort(),
  );
}

function toldPairs(tell: (visit: (a: number, b: number) => void) => void): string {
  const list: string[] = [];
  tell((a, b) => void list.push(`${Math.min(a, b)}-${Math.max(a, b)}`));
  check(new Set(list).size === list.length, 'a pair came twice');
  return String(list.sort());
}

property('[R7.3.1-2] static octree and quadtree: searches and pairs, each once', 140, (rng, i) => {
  const boxes = draw(rng, i, rng.pick([0, 1, 2, 20, 40]));
  const tree = new StaticOctree(boxes.flat(), {
    dimensions: rng.pick([2, 3]),
    leafSize: rng.pick([1, 4]),
    depth: rng.pick([0, 2, 4]),
  });
  const map = new Map(boxes.map((box, id) => [id, box]));
  check(toldPairs((visit) => tree.pairs(visit)) === truePairs(map), 'pairs');
  const around = draw(rng, i, 1)[0]!;
  const found: number[] = [];
  tree.search(recordOf(around), (id) => void found.push(id));
  const wanted = boxes.flatMap((box, id) => (overlap(box, around) ? [id] : []));
  check(String(found.sort((a, b) => a - b)) === String(wanted), 'search');
});

property('[R7.3.1-2] dynamic octree, pointer and array: boxes that come, move and go', 140, (rng, i) => {
  const trees = (['pointer', 'array'] as const).map((form) => new DynamicOctree(cube, { form, depth: 4 }));
  const boxes = new Map<number, Six>();
  for (let step = 0; step < 60; step++) {
    const known = [...boxes.keys()];
    const [box] = draw(rng, i, 1) as [Six];
    const what = rng.unit();
    if (known.length === 0 || what < 0.5) {
      for (const tree of trees) tree.add(step, recordOf(box));
      boxes.set(step, box);
    } else {
      const id = rng.pick(known);
      if (what < 0.8) {
        for (const tree of trees) tree.move(id, recordOf(box));
        boxes.set(id, box);
      } else {
        for (const tree of trees) tree.remove(id);
        boxes.delete(id);
      }
    }
  }
  for (const tree of trees) {
    check(tree.size === boxes.size, 'size');
    check(toldPairs((visit) => tree.pairs(visit)) === truePairs(boxes), 'pairs');
    for (const id of boxes.keys()) tree.remove(id);
    check(tree.nodeCount === 0, 'nodes are left');
  }
});

property(
  '[R7.3.1-2] every box stands in the deepest cell that holds it off its planes (Trap 3)',
  400,
  (rng, i) => {
    const depth = rng.int(0, 6);
    const tree = new DynamicOctree(cube, { form: rng.pick(['pointer', 'array']), depth });
    const boxes = draw(rng, i, 20);
    boxes.forEach((box, id) => void tree.add(id, recordOf(box)));
    boxes.forEach((box, id) => {
      let wanted = box.every((x) => Math.abs(x) <= 4) ? 0 : -1;
      // No plane between the cells of a level, 8 / 2^level apart, has a point of the box.
      const isFree = (level: number): boolean =>
        [0, 1, 2].every((k) => {
          const side = 8 / 2 ** level;
          for (let j = 1; j < 2 ** level; j++)
            if (box[k]! <= j * side - 4 && box[k + 3]! >= j * side - 4) return false;
          return true;
        });
      while (wanted >= 0 && wanted < depth && isFree(wanted + 1)) wanted++;
      check(tree.levelOf(id) === wanted, () => `on level ${tree.levelOf(id)} and not ${wanted}: ${box}`);
    });
  },
);

test('[R7.3.1-2] a box on the middle plane stays put, one beside it goes down, one outside is kept', () => {
  const tree = new DynamicOctree(cube, { depth: 5 });
  tree.add(0, recordOf([-0.01, 1, 1, 0.01, 1.02, 1.02]));
  tree.add(1, recordOf([0.3, 0.3, 0.3, 0.31, 0.31, 0.31]));
  tree.add(2, recordOf([9, 9, 9, 10, 10, 10]));
  expect([tree.levelOf(0), tree.levelOf(1), tree.levelOf(2)]).toEqual([0, 5, -1]);
  // One that only touches the plane straddles it; by a hair off, it does not.
  tree.add(3, recordOf([0, 1, 1, 0.125, 1.125, 1.125]));
  tree.add(4, recordOf([2 ** -40, 1 + 2 ** -40, 1 + 2 ** -40, 0.125, 1.125, 1.125]));
  expect(tree.levelOf(3)).toBe(0);
  expect(tree.levelOf(4)).toBe(5);
});

function randomRay(rng: Rng, boxes: readonly Six[]) {
  const origin = rng.chance(0.5) ? vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4)) : rng.vec(6);
  const target = boxes.length > 0 && rng.chance(0.5) ? rng.pick(boxes) : six(0, 0, 0, 1);
  const direction = rng.pick([
    vec3(target[0] - origin.x, target[4] - origin.y, target[2] - origin.z),
    vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)),
    vec3(0, 0, rng.sign()),
    rng.vec(1),
  ]);
  return { origin, direction };
}

property('[R7.4.1] rays in a k-d tree: the nearest box, and cells near to far', 2000, (rng, i) => {
  const boxes = draw(rng, i, rng.pick([0, 1, 2, 30]));
  const tree = new KdBoxTree(boxes.flat(), { leafSize: rng.pick([1, 3]) });
  const ray = randomRay(rng, boxes);
  const tMax = rng.pick([0, 1, 3, Infinity]);
  const times = boxes.map((box) => rayAabb(ray, recordOf(box), tMax)?.t ?? Infinity);
  const first = Math.min(Infinity, ...times);
  const hit = tree.raycast(ray, tMax);
  check((hit?.t ?? Infinity) === first, () => `${hit?.t} and not ${first}`);
  if (hit) check(times[hit.item] === first, 'another box');
  let last = 0;
  const met = new Set<number>();
  tree.walk(ray, tMax, (items, enter, exit) => {
    check(enter >= last && exit >= enter, () => `cells go back: ${enter} after ${last}`);
    last = enter;
    for (const item of items) met.add(item);
  });
  times.forEach((t, item) => {
    if (t < Infinity) check(met.has(item), () => `box ${item} is in no cell on the ray`);
  });
});

test('[R7.4.1] an origin on the plane goes by the direction, a ray in the plane both ways (Trap 8), and a hit beyond its cell waits (Trap 15)', () => {
  // The planes are at x = 0: the middle of the centers.
  const tree = new KdBoxTree([-3, -1, -1, -1, 1, 1, 1, -1, -1, 3, 1, 1], { leafSize: 1 });
  const from = vec3(0, 0, 0);
  expect(tree.raycast({ origin: from, direction: vec3(-1, 0, 0) })).toEqual({ item: 0, t: 1 });
  expect(tree.raycast({ origin: from, direction: vec3(1, 0, 0) })).toEqual({ item: 1, t: 1 });
  let cells = 0;
  tree.walk({ origin: from, direction: vec3(0, 1, 0) }, Infinity, () => void cells++);
  expect(cells).toBe(2);
  // The plane is at x = 7.25. The long box is met in the first cell, at t = 16; the short one in the second, at t = 10.
  const long = new KdBoxTree([-3, 0, 0, 15, 1, 1, 8, -2, 0, 9, -1, 1], { leafSize: 1 });
  expect(long.raycast({ origin: vec3(-2, -4, 0.5), direction: vec3(1, 0.25, 0) })).toEqual({
    item: 1,
    t: 10,
  });
});

property('[R7.3.8] a grid of trees, also of boxes on grid lines', 140, (rng, i) => {
  const grid = new GridOfTrees(rng.pick([0.5, 1, 2]));
  const boxes = new Map(draw(rng, i, 60).map((box, id) => [id, box]));
  for (const [id, box] of boxes) grid.add(id, recordOf(box));
  for (const id of [...boxes.keys()])
    if (rng.chance(0.3)) {
      grid.remove(id);
      boxes.delete(id);
    }
  check(grid.size === boxes.size, 'size');
  for (const around of draw(rng, i, 5)) {
    const found: number[] = [];
    grid.search(recordOf(around), (id) => void found.push(id));
    const wanted = [...boxes].flatMap(([id, box]) => (overlap(box, around) ? [id] : []));
    check(String(found.sort((a, b) => a - b)) === String(wanted), 'search');
  }
});

property(
  '[R7.3.8] entries of a grid lead to the leaves that the root leads to, in no more steps',
  100,
  (rng) => {
    const points = Array.from({ length: rng.pick([0, 1, 50]) }, () =>
      rng.chance(0.3) ? vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4)) : rng.vec(rng.pick([0.01, 4])),
    );
    const grid = new EntryGrid(points, cube, 10, rng.pick([0, 2, 4]));
    for (const p of [...points, rng.vec(5)]) {
      const wanted = grid.locate(p, true);
      const { steps } = grid;
      check(grid.locate(p) === wanted, 'another leaf');
      check(grid.steps <= steps, 'more steps');
    }
  },
);
