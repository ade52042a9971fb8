/** The tree of boxes, against a look at every box. */
import { expect, test } from 'vitest';
import { overlap, REGIMES, recordOf, type Six, six } from '../../tests/kit/box-corpus.ts';
import { compareBoxIndex } from '../../tests/kit/box-index.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { vec3 } from '../math/types.ts';
import { rayAabb } from '../primitives/ray/index.ts';
import { StaticTree } from './static-tree.ts';

const NAMES = Object.keys(REGIMES);

function distanceSq(p: { x: number; y: number; z: number }, box: Six): number {
  const dx = Math.max(box[0] - p.x, 0, p.x - box[3]);
  const dy = Math.max(box[1] - p.y, 0, p.y - box[4]);
  const dz = Math.max(box[2] - p.z, 0, p.z - box[5]);
  return dx * dx + dy * dy + dz * dz;
}

function compareNearest(tree: StaticTree, boxes: readonly Six[], rng: Rng, around: Six): void {
  const p = vec3(around[rng.pick([0, 3])], around[rng.pick([1, 4])], around[rng.pick([2, 5])]);
  const order = boxes
    .map((box, id) => ({ id, d: distanceSq(p, box) }))
    .sort((a, b) => a.d - b.d || a.id - b.id);
  const most = rng.pick([Infinity, Infinity, 0, 1, order.length > 0 ? Math.sqrt(rng.pick(order).d) : 1]);
  const reach = order.filter(({ d }) => d <= most * most).map(({ id }) => id);
  check(
    tree.nearest(p, most) === (reach[0] ?? -1),
    () => `nearest: ${tree.nearest(p, most)}, not ${reach[0]}`,
  );
  const k = rng.pick([0, 1, 3, boxes.length, boxes.length + 2]);
  const out: number[] = [];
  const count = tree.kNearest(p, k, out, most);
  check(
    String(out.slice(0, count)) === String(reach.slice(0, k)),
    () => `kNearest: ${out.slice(0, count)} and not ${reach.slice(0, k)}`,
  );
}

property('[R6.6.1] StaticTree: boxes, rays and the nearest as a look at every box', 900, (rng, i) => {
  const make = REGIMES[NAMES[i % NAMES.length]!]!;
  const boxes = Array.from({ length: rng.pick([0, 1, 2, 8, 13, 30, 60, 100, 200]) }, () => make(rng));
  const tree = new StaticTree(boxes.flat());
  check(tree.size === boxes.length, 'size');
  const list = { ids: new Int32Array(1) };
  for (let k = 0; k < 4; k++) {
    const around = make(rng);
    compareBoxIndex(tree, boxes, rng, around);
    compareNearest(tree, boxes, rng, around);
    const count = tree.collectBox(recordOf(around), list);
    const found = [...list.ids.subarray(0, count)].sort((a, b) => a - b);
    const inside = boxes.flatMap((box, id) => (overlap(box, around) ? [id] : []));
    check(String(found) === String(inside), () => `collectBox: ${found} and not ${inside}`);
  }
});

property(
  'StaticTree: rays along axes, on the planes of sides, and of no or hardly any length',
  600,
  (rng) => {
    const boxes = Array.from({ length: 100 }, () => six(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4), 1));
    const tree = new StaticTree(boxes.flat());
    const component = () => rng.pick([0, -0, 1, -1, 1e-190, -1e-210, 1e-305, -5e-324, 3]);
    const ray = {
      origin: vec3(rng.int(-10, 10) / 2, rng.int(-10, 10) / 2, rng.int(-10, 10) / 2),
      direction: vec3(component(), component(), component()),
    };
    const tMax = rng.pick([0, 1, 5, 1e300, Infinity]);
    const hits = new Map<number, number>();
    tree.searchRay(ray, tMax, (id, t) => {
      check(!hits.has(id), 'hit twice');
      hits.set(id, t);
    });
    boxes.forEach((box, id) => {
      const t = rayAabb(ray, recordOf(box), tMax)?.t;
      check(hits.get(id) === t, () => `ray ${JSON.stringify(ray)}: box ${id} at ${hits.get(id)}, not ${t}`);
    });
  },
);

test('StaticTree: of 10,000 equal boxes the first is the nearest, and a ray that is cut off looks at few', () => {
  const equal = Array.from({ length: 10_000 }, () => [1, 2, 3, 2, 2, 4]).flat();
  const tree = new StaticTree(equal);
  const out = new Int32Array(3);
  expect(tree.nearest(vec3(9, 9, 9))).toBe(0);
  expect(tree.kNearest(vec3(1, 2, 3), 3, out)).toBe(3);
  expect([...out]).toEqual([0, 1, 2]);
  // In no order: places in the list must not matter.
  const row = Array.from({ length: 10_000 }, (_, i) => (7919 * i) % 10_000).flatMap((x) => [
    x,
    5,
    5,
    x + 0.5,
    6,
    6,
  ]);
  const sorted = new StaticTree(row);
  const { bounds } = sorted as unknown as { bounds: Float64Array };
  expect([...bounds.subarray(6, 12)]).toEqual([0, 5, 5, 9999.5, 6, 6]);
  let told = 0;
  sorted.searchRay({ origin: vec3(-1, 0.5, 0.5), direction: vec3(1, 0, 0) }, Infinity, (_, t) => {
    told++;
    return t;
  });
  expect(told).toBeLessThan(16);
});

test('StaticTree: boxes that lie in a line in any order are cut where they lie: leaves share nothing', () => {
  const rng = new Rng(4);
  const places = Array.from({ length: 1000 }, (_, i) => i);
  for (let i = 999; i > 0; i--) {
    const j = rng.int(0, i);
    [places[i], places[j]] = [places[j]!, places[i]!];
  }
  for (const axis of [0, 1, 2]) {
    const at = (i: number): number[] => [0, 1, 2].map((k) => (k === axis ? i : 0));
    const tree = new StaticTree(places.flatMap((i) => [...at(i), ...at(i + 0.5)]));
    const { bounds, leaves } = tree as unknown as { bounds: Float64Array; leaves: number };
    let lengths = 0;
    for (let node = leaves; node < 2 * leaves; node++)
      lengths += bounds[6 * node + 3 + axis]! - bounds[6 * node + axis]!;
    // All of the line but the gaps between leaves.
    expect(lengths).toBe(999.5 - 0.5 * (leaves - 1));
  }
});

test('StaticTree: visitors may search and end a search; what cannot be meant is refused', () => {
  const boxes = Array.from({ length: 27 }, (_, i) => six(i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9), 1));
  const tree = new StaticTree(boxes.flat());
  const ray = { origin: vec3(-1, 0.5, 0.5), direction: vec3(1, 0, 0) };
  const told: number[] = [];
  tree.searchRay(ray, 99, (id, t) => {
    told.push(id, t);
    tree.searchRay(ray, 99, () => -1);
    tree.searchBox(recordOf(boxes[id]!), () => false);
    tree.nearest(ray.origin);
  });
  expect(told).toHaveLength(6);
  let count = 0;
  tree.searchRay(ray, 99, () => {
    count++;
    return -1;
  });
  tree.searchBox(recordOf([-9, -9, -9, 9, 9, 9]), () => {
    count++;
    return false;
  });
  expect(count).toBe(2);
  expect(() => new StaticTree([0, 0, 0, 1, 1])).toThrow(/StaticTree: boxes/);
  expect(() => new StaticTree([0, 0, 0, -1, 1, 1])).toThrow(/min <= max/);
  expect(() => new StaticTree([0, 0, 0, Number.NaN, 1, 1])).toThrow(/StaticTree: boxes\[3\]/);
  expect(() => tree.searchRay(ray, -1, () => {})).toThrow(/tMax/);
  expect(() => tree.nearest({ x: Number.NaN, y: 0, z: 0 })).toThrow(/nearest: p/);
  expect(() => tree.nearest(vec3(), -1)).toThrow(/maxDistance/);
  expect(() => tree.kNearest(vec3(), 0.5, [])).toThrow(/kNearest: k/);
});
