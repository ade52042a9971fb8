import { describe, expect, test } from 'vitest';
import { check, cloud, property, Rng } from '../../tests/kit/index.ts';
import { rayAabb } from '../primitives/ray/index.ts';
import type { Aabb } from '../primitives/types.ts';
import { bestSibling } from './dynamic-insertion.ts';
import { type DynamicNodes, LINK, NODE } from './dynamic-nodes.ts';
import { DynamicTree } from './dynamic-tree.ts';
import { validateDynamicTree } from './dynamic-validation.ts';
import type { DynamicTreeOptions } from './incremental-tree.ts';

const overlap = (a: Aabb, b: Aabb): boolean =>
  a.min.x <= b.max.x &&
  b.min.x <= a.max.x &&
  a.min.y <= b.max.y &&
  b.min.y <= a.max.y &&
  a.min.z <= b.max.z &&
  b.min.z <= a.max.z;

/** A box between two points of a cloud, of all regimes: touching, flat, without extent, tiny, huge, far away. */
function randomBox(rng: Rng): Aabb {
  const [p, q] = cloud(rng, 2).points as [Aabb['min'], Aabb['min']];
  return {
    min: { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y), z: Math.min(p.z, q.z) },
    max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y), z: Math.max(p.z, q.z) },
  };
}

/** Small boxes in the unit cube, or on the integer lattice where they touch. */
function smallBox(rng: Rng, lattice: boolean): Aabb {
  const min = lattice ? { x: rng.int(-4, 4), y: rng.int(-4, 4), z: rng.int(-4, 4) } : rng.vec(1);
  const size = lattice ? rng.int(0, 2) : rng.range(0, 0.4);
  return { min, max: { x: min.x + size, y: min.y + size, z: min.z + rng.pick([0, size]) } };
}

const randomOptions = (rng: Rng): DynamicTreeOptions => ({
  margin: rng.pick([0, 0, 0.1]),
  slack: rng.pick([0, 0.1, 1]),
  lead: rng.pick([0, 2, 4]),
  search: rng.pick(['path', 'best']),
});

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

const flat = (boxes: readonly Aabb[]): number[] =>
  boxes.flatMap(({ min, max }) => [min.x, min.y, min.z, max.x, max.y, max.z]);

const unitBox = (x: number, y = 0, z = 0, size = 1): Aabb => ({
  min: { x, y, z },
  max: { x: x + size, y: y + size, z: z + size },
});

/** Everything that can be asked, against a test of every box. */
function compare(tree: DynamicTree, boxes: ReadonlyMap<number, Aabb>, rng: Rng, box: Aabb): void {
  const faults = validateDynamicTree(tree);
  check(faults.length === 0, () => faults.join('; '));
  check(tree.size === boxes.size, 'size');
  const wanted = [...boxes].filter(([, b]) => overlap(b, box)).map(([id]) => id);
  check(String(sorted(tree.query(box))) === String(sorted(wanted)), 'query');
  const told: number[] = [];
  tree.query(box, (id) => void told.push(id));
  check(String(sorted(told)) === String(sorted(wanted)), 'query with a visitor');

  const pairs = new Set<string>();
  tree.pairs((a, b) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    check(!pairs.has(key), () => `pair ${key} came twice`);
    pairs.add(key);
  });
  const ids = sorted(boxes.keys());
  let count = 0;
  for (let i = 0; i < ids.length; i++)
    for (let j = i + 1; j < ids.length; j++)
      if (overlap(boxes.get(ids[i]!)!, boxes.get(ids[j]!)!)) {
        count++;
        check(pairs.has(`${ids[i]} ${ids[j]}`), () => `pair ${ids[i]} ${ids[j]} is missing`);
      }
  check(pairs.size === count, 'too many pairs');

  const axis = rng.chance(0.3);
  const direction = axis ? { x: 0, y: rng.sign(), z: 0 } : rng.vec(2);
  const ray = { origin: rng.chance(0.5) ? box.min : rng.vec(3), direction };
  const tMax = rng.pick([0, 1, 3, Infinity]);
  const hits = new Map<number, number>();
  tree.raycast(ray, tMax, (id, t) => {
    check(!hits.has(id), 'hit twice');
    hits.set(id, t);
  });
  for (const [id, b] of boxes) {
    const t = rayAabb(ray, b, tMax)?.t;
    check(hits.get(id) === t, () => `ray: ${hits.get(id)} and not ${t}`);
  }
  let first = Infinity;
  tree.raycast(ray, tMax, (_, t) => {
    first = Math.min(first, t);
    return first;
  });
  check(first === Math.min(Infinity, ...hits.values()), 'first hit');

  // A way: by the Minkowski sum, a ray against the boxes that are larger by this one.
  const way = rng.chance(0.2) ? { x: 0, y: 0, z: 0 } : direction;
  const sum = ({ min, max }: Aabb): Aabb => ({
    min: { x: min.x - box.max.x, y: min.y - box.max.y, z: min.z - box.max.z },
    max: { x: max.x - box.min.x, y: max.y - box.min.y, z: max.z - box.min.z },
  });
  const shift = { origin: { x: 0, y: 0, z: 0 }, direction: way };
  const met = new Set<number>();
  tree.searchSwept(box, way, { t: tMax }, (id) => {
    check(!met.has(id), 'on the way twice');
    met.add(id);
  });
  let begin = Infinity;
  for (const [id, b] of boxes) {
    const t = rayAabb(shift, sum(b), tMax)?.t;
    check(t === undefined || met.has(id), () => `box ${id} is on the way, at ${t}`);
    begin = Math.min(begin, t ?? Infinity);
  }
  const reach = { t: tMax };
  let earliest = Infinity;
  tree.searchSwept(box, way, reach, (id) => {
    earliest = Math.min(earliest, rayAabb(shift, sum(boxes.get(id)!), tMax)?.t ?? Infinity);
    reach.t = Math.min(reach.t, earliest);
  });
  check(earliest === begin, () => `the first on the way at ${earliest} and not ${begin}`);

  const gap = ({ min, max }: Aabb): number => {
    const dx = Math.max(min.x - box.max.x, 0, box.min.x - max.x);
    const dy = Math.max(min.y - box.max.y, 0, box.min.y - max.y);
    const dz = Math.max(min.z - box.max.z, 0, box.min.z - max.z);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  };
  met.clear();
  tree.searchNear(box, { t: tMax }, (id) => {
    check(!met.has(id), 'near twice');
    met.add(id);
  });
  for (const [id, b] of boxes) check(gap(b) > tMax || met.has(id), () => `box ${id} is near`);
  reach.t = Infinity;
  tree.searchNear(box, reach, (id) => {
    reach.t = Math.min(reach.t, gap(boxes.get(id)!));
  });
  check(reach.t === Math.min(Infinity, ...[...boxes.values()].map(gap)), 'another is nearer');

  const k = rng.int(0, 5);
  const distance = ({ min, max }: Aabb): number => {
    const { x, y, z } = ray.origin;
    const dx = Math.max(min.x - x, 0, x - max.x);
    const dy = Math.max(min.y - y, 0, y - max.y);
    const dz = Math.max(min.z - z, 0, z - max.z);
    return dx * dx + dy * dy + dz * dz;
  };
  const near = tree.nearest(ray.origin, k);
  check(new Set(near).size === near.length, 'nearest twice');
  const all = [...boxes.values()].map(distance).sort((a, b) => a - b);
  check(
    String(near.map((id) => distance(boxes.get(id)!))) === String(all.slice(0, k)),
    'the nearest are at other distances',
  );
}

property(
  '[R6.2.3] 100 × 100 random insertions, removals and moves answer as a test of every box',
  100,
  (rng) => {
    const tree = new DynamicTree(randomOptions(rng));
    const boxes = new Map<number, Aabb>();
    const proxies = new Map<number, number>();
    const make = rng.pick([randomBox, (r: Rng) => smallBox(r, true), (r: Rng) => smallBox(r, false)]);
    let next = 1000;
    for (let op = 0; op < 100; op++) {
      const known = [...boxes.keys()];
      const what = rng.unit();
      if (known.length === 0 || what < 0.45) {
        const box = make(rng);
        proxies.set(next, tree.insert(box, next));
        boxes.set(next++, box);
      } else if (what < 0.6) {
        const id = rng.pick(known);
        tree.remove(proxies.get(id)!);
        boxes.delete(id);
        proxies.delete(id);
      } else if (what < 0.97) {
        const id = rng.pick(known);
        const old = boxes.get(id)!;
        const by = rng.vec(rng.pick([0, 0.01, 1]));
        const moved = {
          min: { x: old.min.x + by.x, y: old.min.y + by.y, z: old.min.z + by.z },
          max: { x: old.max.x + by.x, y: old.max.y + by.y, z: old.max.z + by.z },
        };
        const box = rng.chance(0.7) ? moved : make(rng);
        const before = tree.fatBox(proxies.get(id)!);
        const again = rng.chance(0.5)
          ? tree.move(proxies.get(id)!, box, by)
          : tree.move(proxies.get(id)!, box);
        const after = tree.fatBox(proxies.get(id)!);
        check(again || JSON.stringify(before) === JSON.stringify(after), 'changed without saying so');
        boxes.set(id, box);
      } else if (what < 0.985) tree.rebuild();
      else {
        const more = [make(rng), make(rng), make(rng)];
        const method = rng.pick(['rebuild', 'shuffled'] as const);
        const data = [next, next + 1, next + 2];
        const made = tree.insertMany(flat(more), { data, method, seed: rng.int(0, 9) });
        for (const [i, box] of more.entries()) {
          proxies.set(next, made[i]!);
          boxes.set(next++, box);
        }
      }
      if (op % 10 === 9 || tree.size < 4) compare(tree, boxes, rng, make(rng));
      else check(validateDynamicTree(tree).length === 0, () => validateDynamicTree(tree).join('; '));
    }
    for (const [id, proxy] of proxies) {
      const fat = tree.fatBox(proxy);
      const { min, max } = boxes.get(id)!;
      check(JSON.stringify(tree.box(proxy)) === JSON.stringify({ min, max }), 'box');
      check(tree.data(proxy) === id, 'data');
      check(
        fat.min.x <= min.x && fat.min.y <= min.y && fat.min.z <= min.z,
        'the fat box must contain the box',
      );
      check(
        fat.max.x >= max.x && fat.max.y >= max.y && fat.max.z >= max.z,
        'the fat box must contain the box',
      );
    }
  },
);

/** Cost of a leaf as sibling of a node: the area of their parent and the growth of all above, by definition. */
function costOf(nodes: DynamicNodes, sibling: number, leaf: Float32Array): number {
  const area = (node: number, other?: Float32Array): number => {
    const b = [...nodes.bounds.subarray(NODE * node, NODE * node + 6)];
    const low = [0, 1, 2].map((k) => Math.min(b[k]!, other ? other[k]! : Infinity));
    const high = [3, 4, 5].map((k) => Math.max(b[k]!, other ? other[k]! : -Infinity));
    const [x, y, z] = [0, 1, 2].map((k) => high[k]! - low[k]!) as [number, number, number];
    return x * y + y * z + z * x;
  };
  let cost = area(sibling, leaf);
  for (let node = sibling; node !== 0; ) {
    node = nodes.up[node >> 1]!;
    cost += area(node, leaf) - area(node);
  }
  return cost;
}

property(
  '[R6.2.3] best-first finds the cheapest of all siblings, a path one that is no cheaper',
  300,
  (rng) => {
    const tree = new DynamicTree({ search: rng.pick(['path', 'best']) });
    const make = rng.pick([randomBox, (r: Rng) => smallBox(r, true), (r: Rng) => smallBox(r, false)]);
    const count = rng.int(1, 60);
    for (let i = 0; i < count; i++) tree.insert(make(rng));
    const { nodes } = tree as unknown as { nodes: DynamicNodes };
    const leaf = Float32Array.from(flat([make(rng)]));
    let least = Infinity;
    const stack = [0];
    while (stack.length > 0) {
      const node = stack.pop()!;
      least = Math.min(least, costOf(nodes, node, leaf));
      const link = nodes.links[NODE * node + LINK]!;
      if (link >= 0) stack.push(link, link + 1);
    }
    // The sums are of up to sixty terms in another order.
    const best = costOf(nodes, bestSibling(nodes, leaf, 'best'), leaf);
    check(best <= least * (1 + 1e-13), () => `${best} and not ${least}`);
    check(costOf(nodes, bestSibling(nodes, leaf, 'path'), leaf) >= least, 'path');
  },
);

describe('[R6.2.3] boxes that come in order', () => {
  const n = 4096;
  const limit = 4 * Math.log2(n);
  const scenes: Record<string, (i: number) => Aabb> = {
    'in a row': (i) => unitBox(2 * i),
    'in a row, overlapping': (i) => unitBox(i / 4),
    'points on a line': (i) => unitBox(i, 0, 0, 0),
    'points on a plane': (i) => unitBox(i % 64, Math.floor(i / 64), 0, 0),
    'all the same': () => unitBox(1),
    'all the same point': () => unitBox(1, 1, 1, 0),
    concentric: (i) => unitBox(-i, -i, -i, 2 * i),
    'of growing size': (i) => unitBox(i * i, 0, 0, i),
    'sizes from 1 to 1e6, one corner in common': (i) => unitBox(0, 0, 0, 1e6 ** (i / n)),
  };
  for (const [name, box] of Object.entries(scenes))
    for (const method of ['shuffled', 'rebuild'] as const)
      test(`${name}, ${method}: no deeper than 4 log2 n`, () => {
        const tree = new DynamicTree({ slack: 0 });
        tree.insertMany(flat(Array.from({ length: n }, (_, i) => box(i))), { method });
        expect(validateDynamicTree(tree)).toEqual([]);
        expect(tree.height).toBeLessThanOrEqual(limit);
      });

  test('one at a time, the tree keeps its height by rotations', () => {
    for (const name of ['in a row', 'points on a line', 'all the same', 'all the same point']) {
      const tree = new DynamicTree({ slack: 0 });
      for (let i = 0; i < n; i++) tree.insert(scenes[name]!(i));
      expect(tree.height, name).toBeLessThanOrEqual(limit);
    }
  });
});

test('[R6.2.3] the seed decides the order of bulk insertion, and nothing else does', () => {
  const rng = new Rng(3);
  const boxes = flat(Array.from({ length: 500 }, () => smallBox(rng, false)));
  const shape = (seed: number): string => {
    const tree = new DynamicTree();
    tree.insertMany(boxes, { method: 'shuffled', seed });
    return (tree as unknown as { nodes: DynamicNodes }).nodes.links.slice(0, NODE * 999).join();
  };
  expect(shape(1)).toBe(shape(1));
  expect(shape(1)).not.toBe(shape(2));
});

test('[R6.2.3] removing a leaf collapses its parent', () => {
  const tree = new DynamicTree();
  const [a, b, c] = tree.insertMany(flat([unitBox(0), unitBox(2), unitBox(100)])) as unknown as number[];
  expect(tree.height).toBe(2);
  tree.remove(b!);
  expect(tree.height).toBe(1);
  tree.remove(a!);
  expect(tree.height).toBe(0);
  expect(tree.query(unitBox(100))).toEqual([c]);
  tree.remove(c!);
  expect(tree.height).toBe(-1);
  expect(validateDynamicTree(tree)).toEqual([]);
  expect(tree.query(unitBox(100))).toEqual([]);
  tree.rebuild();
  expect(tree.insertMany([])).toHaveLength(0);
  tree.pairs(() => expect.unreachable());
  tree.raycast({ origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } }, 9, () =>
    expect.unreachable(),
  );
  expect(tree.nearest({ x: 0, y: 0, z: 0 }, 3)).toEqual([]);
});

test('a small motion stays in the fat box, a large one does not, and the fat box reaches ahead', () => {
  const tree = new DynamicTree({ margin: 0.5, slack: 0, lead: 2 });
  const proxy = tree.insert(unitBox(0));
  tree.insert(unitBox(50));
  expect(tree.fatBox(proxy)).toEqual({
    min: { x: -0.5, y: -0.5, z: -0.5 },
    max: { x: 1.5, y: 1.5, z: 1.5 },
  });
  expect(tree.move(proxy, unitBox(0.5))).toBe(false);
  expect(tree.query(unitBox(-1))).toEqual([]); // the fat box is there, the box is not
  expect(tree.move(proxy, unitBox(1), { x: 2, y: 0, z: -1 })).toBe(true);
  expect(tree.fatBox(proxy)).toEqual({
    min: { x: 0.5, y: -0.5, z: -2.5 },
    max: { x: 6.5, y: 1.5, z: 1.5 },
  });
  expect(tree.move(proxy, unitBox(5), { x: 2, y: 0, z: -1 })).toBe(false);
});

test('a fat box that is much too large for a box that has become small or slow is replaced', () => {
  const tree = new DynamicTree();
  const proxy = tree.insert(unitBox(0, 0, 0, 100));
  expect(tree.move(proxy, unitBox(50))).toBe(true);
  expect(tree.fatBox(proxy).min.x).toBeGreaterThan(49);
});

test('a box without extent that is no float32 stays where it is', () => {
  const tree = new DynamicTree({ slack: 0 });
  const proxy = tree.insert(unitBox(0.1, 1e6 + 0.1, 0.3, 0));
  expect(tree.move(proxy, unitBox(0.1, 1e6 + 0.1, 0.3, 0))).toBe(false);
});

test('searches end when they are told to', () => {
  const tree = new DynamicTree();
  tree.insertMany(flat(Array.from({ length: 100 }, () => unitBox(0))));
  let seen = 0;
  const stopAfterThree = (): boolean => ++seen < 3;
  tree.query(unitBox(0), stopAfterThree);
  expect(seen).toBe(3);
  seen = 0;
  tree.pairs(stopAfterThree);
  expect(seen).toBe(3);
  seen = 0;
  const ray = { origin: { x: -1, y: 0.5, z: 0.5 }, direction: { x: 1, y: 0, z: 0 } };
  tree.raycast(ray, 9, () => (++seen < 3 ? undefined : -1));
  expect(seen).toBe(3);
});

test('moves of many that float32 cannot hold are refused, and nothing has moved', () => {
  const tree = new DynamicTree();
  const proxies = Array.from({ length: 40 }, (_, i) => tree.insert(unitBox(2 * i)));
  const before = proxies.map((proxy) => tree.box(proxy));
  const far = (count: number): Float64Array =>
    Float64Array.from(
      Array.from({ length: count }, (_, i) => unitBox(i === count - 1 ? 1e39 : 7)).flatMap(({ min, max }) => [
        min.x,
        min.y,
        min.z,
        max.x,
        max.y,
        max.z,
      ]),
    );
  for (const count of [2, 40])
    expect(() => tree.moveMany(proxies.slice(0, count), far(count))).toThrow(
      new RegExp(`boxes\\[${count - 1}\\].*float32`),
    );
  expect(proxies.map((proxy) => tree.box(proxy))).toEqual(before);
});

test('what is near is not looked at beyond a reach that a visitor has made shorter', () => {
  const tree = new DynamicTree();
  for (let i = 0; i < 100; i++) tree.insert(unitBox(3 * i), i);
  const reach = { t: Infinity };
  const seen: number[] = [];
  tree.searchNear({ min: { x: -5, y: 0, z: 0 }, max: { x: -5, y: 0, z: 0 } }, reach, (id) => {
    seen.push(id);
    if (seen.length === 2) reach.t = 9;
  });
  expect(seen.length).toBeLessThan(5);
});

test('a visitor may search and may not change the tree', () => {
  const tree = new DynamicTree();
  tree.insertMany(flat(Array.from({ length: 64 }, (_, i) => unitBox(i / 2))));
  const found = new Set<string>();
  tree.query(unitBox(0, 0, 0, 40), (i) => {
    tree.query(tree.box(i), (j) => {
      tree.raycast({ origin: { x: -1, y: 0.5, z: 0.5 }, direction: { x: 1, y: 0, z: 0 } }, 100, () => {});
      found.add(`${i} ${j}`);
    });
  });
  expect(found.size).toBe(64 + 2 * (63 + 62));
  for (const change of [
    () => tree.insert(unitBox(0)),
    () => tree.insertMany([0, 0, 0, 1, 1, 1]),
    () => tree.remove(0),
    () => tree.move(0, unitBox(9)),
    () => tree.rebuild(),
    () => tree.clear(),
  ])
    expect(() => tree.pairs(change)).toThrow(/must not be changed/);
  expect(validateDynamicTree(tree)).toEqual([]);
  tree.remove(0); // searches that ended by an error are over
});

test('bad input is refused and changes nothing', () => {
  const tree = new DynamicTree();
  const proxy = tree.insert(unitBox(0));
  expect(() => new DynamicTree({ margin: -1 })).toThrow(/margin/);
  expect(() => new DynamicTree({ slack: Number.NaN })).toThrow(/slack/);
  expect(() => new DynamicTree({ lead: Infinity })).toThrow(/lead/);
  expect(() => new DynamicTree({ search: 'fast' as 'path' })).toThrow(/search/);
  expect(() => tree.insert({ min: { x: 1, y: 0, z: 0 }, max: { x: 0, y: 1, z: 1 } })).toThrow(/box/);
  expect(() => tree.insert(unitBox(Number.NaN))).toThrow(/box/);
  expect(() => tree.insert(unitBox(1e39))).toThrow(/box.*float32/);
  expect(() => tree.insert(unitBox(0), Number.NaN)).toThrow(/data/);
  expect(() => tree.insertMany([1, 2, 3])).toThrow(/boxes/);
  expect(() => tree.insertMany([0, 0, 0, 1, 1, Number.NaN])).toThrow(/boxes/);
  expect(() => tree.insertMany([0, 0, 0, 1, 1, -1])).toThrow(/boxes\[0\]/);
  expect(() => tree.insertMany([0, 0, 0, 1, 1, 1], { data: [] })).toThrow(/data/);
  expect(() => tree.insertMany([0, 0, 0, 1, 1, 1], { seed: Infinity })).toThrow(/seed/);
  expect(() => tree.insertMany([], { method: 'x' as 'rebuild' })).toThrow(/method/);
  expect(() => tree.move(proxy, unitBox(1e39))).toThrow(/box/);
  expect(() => tree.move(proxy, unitBox(9), { x: Infinity, y: 0, z: 0 })).toThrow(/displacement/);
  expect(() => tree.nearest({ x: 0, y: 0, z: 0 }, 1.5)).toThrow(/k/);
  expect(() => tree.raycast({ origin: unitBox(0).min, direction: unitBox(1).max }, -1, () => {})).toThrow(
    /tMax/,
  );
  for (const bad of [-1, 1, 0.5, Number.NaN, 1e9]) {
    expect(() => tree.remove(bad), String(bad)).toThrow(/proxy/);
    expect(() => tree.move(bad, unitBox(0)), String(bad)).toThrow(/proxy/);
  }
  expect(tree.size).toBe(1);
  expect(tree.box(proxy)).toEqual(unitBox(0));
  tree.remove(proxy);
  expect(() => tree.remove(proxy)).toThrow(/proxy/);
  expect(() => tree.box(proxy)).toThrow(/proxy/);
  expect(validateDynamicTree(tree)).toEqual([]);
});

test('validate sees what is wrong', () => {
  const spoil = (change: (nodes: DynamicNodes) => void): string[] => {
    const tree = new DynamicTree();
    tree.insertMany(flat(Array.from({ length: 20 }, (_, i) => unitBox(2 * i))));
    change(tree.nodes);
    return validateDynamicTree(tree);
  };
  expect(spoil(() => {})).toEqual([]);
  expect(spoil((nodes) => (nodes.bounds[0] = 1)).join()).toMatch(/does not hold/);
  expect(spoil((nodes) => nodes.links[7]!++).join()).toMatch(/height/);
  expect(spoil((nodes) => (nodes.up[2] = 1)).join()).toMatch(/parent/);
  expect(spoil((nodes) => (nodes.slots[3] = 1)).join()).toMatch(/proxy 3/);
  expect(spoil((nodes) => nodes.takeProxy()).join()).toMatch(/free/);
  expect(spoil((nodes) => (nodes.links[LINK] = 3)).join()).toMatch(/has children at 3, where there are none/);
  expect(spoil((nodes) => (nodes.links[LINK] = ~0)).join()).toMatch(/proxy 1 is not in the tree/);
});
