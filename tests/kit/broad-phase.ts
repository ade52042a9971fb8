/** All ways to find boxes that move, against a test of every two. */
import { expect, test } from 'vitest';
import type { BroadPhase, PairVisitor } from '../../src/broadphase/broad-phase.ts';
import { makePairList } from '../../src/broadphase/pair-list.ts';
import { rayAabb } from '../../src/primitives/ray/index.ts';
import type { Aabb } from '../../src/primitives/types.ts';
import { overlap, REGIMES, recordOf, type Six } from './box-corpus.ts';
import { check, property } from './property.ts';
import { Rng } from './rng.ts';

/** What is tested: a broad phase, or what is used like one. */
export interface Finder {
  readonly size: number;
  add(id: number, box: Aabb): void;
  move(id: number, box: Aabb): void;
  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void;
  remove(id: number): void;
  pairs(visit: PairVisitor): void;
  collectPairs(out: { ids: Int32Array }): number;
  searchBox(box: Aabb, visit: (id: number) => unknown): void;
  searchRay(
    ray: Parameters<typeof rayAabb>[0],
    tMax: number,
    visit: (id: number, t: number) => unknown,
  ): void;
  clear(): void;
}

/** Sorted by where they begin along x, the rest in plain code: for many boxes. */
export function truePairs(boxes: ReadonlyMap<number, Six>): Set<number> {
  const all = [...boxes].sort((a, b) => a[1][0] - b[1][0]);
  const pairs = new Set<number>();
  for (let i = 0; i < all.length; i++)
    for (let j = i + 1; j < all.length && all[j]![1][0] <= all[i]![1][3]; j++)
      if (overlap(all[i]![1], all[j]![1])) pairs.add(keyOf(all[i]![0], all[j]![0]));
  return pairs;
}

/** Every two. */
export function bruteForce(boxes: ReadonlyMap<number, Six>): Set<number> {
  const all = [...boxes];
  const pairs = new Set<number>();
  for (let i = 0; i < all.length; i++)
    for (let j = 0; j < i; j++) if (overlap(all[i]![1], all[j]![1])) pairs.add(keyOf(all[i]![0], all[j]![0]));
  return pairs;
}

const keyOf = (a: number, b: number): number => Math.min(a, b) * 0x4000000 + Math.max(a, b);

export function comparePairs(finder: Finder, wanted: ReadonlySet<number>): void {
  const list = makePairList();
  const count = finder.collectPairs(list);
  const found = new Set<number>();
  for (let i = 0; i < count; i++) found.add(keyOf(list.ids[2 * i]!, list.ids[2 * i + 1]!));
  check(found.size === count, () => `${count - found.size} pairs came twice`);
  check(count === wanted.size, () => `${count} pairs and not ${wanted.size}`);
  for (const key of found) check(wanted.has(key), 'a pair that is none');
}

export const sorted = (ids: readonly number[]): string => String([...ids].sort((a, b) => a - b));

function compare(finder: Finder, boxes: ReadonlyMap<number, Six>, rng: Rng, around: Six): void {
  check(finder.size === boxes.size, 'size');
  const wanted = bruteForce(boxes);
  check(wanted.size === truePairs(boxes).size, 'the oracles differ');
  comparePairs(finder, wanted);
  const told: number[] = [];
  finder.pairs((a, b) => void told.push(keyOf(a, b)));
  check(sorted(told) === sorted([...wanted]), 'pairs told');
  compareSearches(finder, boxes, rng, around);
}

export function compareSearches(
  finder: Finder,
  boxes: ReadonlyMap<number, Six>,
  rng: Rng,
  around: Six,
): void {
  const found: number[] = [];
  finder.searchBox(recordOf(around), (id) => void found.push(id));
  const inside = [...boxes].filter(([, box]) => overlap(box, around)).map(([id]) => id);
  check(sorted(found) === sorted(inside), () => `box: ${sorted(found)} and not ${sorted(inside)}`);

  const [from, to] = [boxes, boxes].map((all) => (all.size > 0 ? rng.pick([...all.values()]) : around));
  const o = { x: around[0], y: around[1], z: around[5] };
  const d = rng.pick([
    { x: to![0] - o.x, y: to![1] - o.y, z: to![2] - o.z },
    { x: from![3] - o.x, y: (from![1] + from![4]) / 2 - o.y, z: from![2] - o.z },
    { x: rng.pick([-1, 0, 1]), y: rng.pick([-1, 0, 1]), z: rng.pick([-1, 0, 1]) },
  ]);
  const ray = { origin: o, direction: d };
  const tMax = rng.pick([0, 0.5, 1, 3, Infinity]);
  const hits = new Map<number, number>();
  finder.searchRay(ray, tMax, (id, t) => {
    check(!hits.has(id), 'hit twice');
    hits.set(id, t);
  });
  for (const [id, box] of boxes) {
    const t = rayAabb(ray, recordOf(box), tMax)?.t;
    check(hits.get(id) === t, () => `ray: box ${id} at ${hits.get(id)} and not at ${t}`);
  }
  let first = Infinity;
  finder.searchRay(ray, tMax, (_, t) => {
    first = Math.min(first, t);
    return first;
  });
  check(first === Math.min(Infinity, ...hits.values()), 'first hit');
}

const NAMES = Object.keys(REGIMES);

/** Long runs of boxes that come, move, jump and go; what is refused; what visitors may do. `cases`: runs. `many`: boxes of the longest. */
export function testFinder(name: string, row: string, make: () => Finder, cases = 55, many = 3000): void {
  property(
    `${row} ${name}: boxes that come, move, jump and go, as a test of every two`,
    cases,
    (rng, index) => {
      // Few runs, too, meet all kinds: those of each way begin elsewhere.
      const draw = REGIMES[NAMES[(index + 5 * name.length) % NAMES.length]!]!;
      const finder: Finder = make();
      const boxes = new Map<number, Six>();
      let next = 0;
      const target = rng.pick([1, 2, 3, 40, 120]);
      for (let step = 0; step < 6; step++) {
        while (boxes.size < target) {
          const box = draw(rng);
          finder.add(next, recordOf(box));
          boxes.set(next++, box);
          if (rng.chance(0.05)) compareSearches(finder, boxes, rng, draw(rng));
        }
        compare(finder, boxes, rng, draw(rng));
        const all = [...boxes.keys()];
        const chosen = all.filter(() => rng.chance(rng.pick([0.02, 0.5, 1])));
        const moved = chosen.map((id): Six => {
          const box = boxes.get(id)!;
          const [x, y, z] = [rng.range(-0.1, 0.1), rng.range(-0.1, 0.1), rng.pick([0, 100])];
          return rng.chance(0.2)
            ? draw(rng)
            : [box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z];
        });
        if (rng.chance(0.7)) finder.moveMany(chosen, Float64Array.from(moved.flat()));
        else chosen.forEach((id, i) => void finder.move(id, recordOf(moved[i]!)));
        chosen.forEach((id, i) => void boxes.set(id, moved[i]!));
        for (const id of all)
          if (rng.chance(0.1)) {
            finder.remove(id);
            boxes.delete(id);
            if (rng.chance(0.3)) {
              const box = draw(rng);
              finder.add(id, recordOf(box));
              boxes.set(id, box);
            }
          }
        compareSearches(finder, boxes, rng, draw(rng));
      }
      finder.clear();
      boxes.clear();
      compare(finder, boxes, rng, draw(rng));
      finder.add(5, recordOf(draw(rng)));
      check(finder.size === 1, 'size after clear');
    },
  );

  test(`${row} ${name}: many moving boxes, every frame as the oracle has it`, () => {
    const rng = new Rng(7);
    const n = many;
    const side = Math.cbrt(2 * n);
    const finder: Finder = make();
    const boxes = new Float64Array(6 * n);
    const place = (i: number): void => {
      for (let k = 0; k < 3; k++) {
        boxes[6 * i + k] = rng.range(0, side);
        boxes[6 * i + k + 3] = boxes[6 * i + k]! + rng.range(0.5, 1.5);
      }
    };
    const at = (i: number): Six => boxes.subarray(6 * i, 6 * i + 6) as unknown as Six;
    const ids = Int32Array.from({ length: n }, (_, i) => i);
    for (let i = 0; i < n; i++) {
      place(i);
      finder.add(i, recordOf([at(i)[0], at(i)[1], at(i)[2], at(i)[3], at(i)[4], at(i)[5]]));
    }
    for (let frame = 0; frame < 7; frame++) {
      for (let i = 0; i < n; i++) {
        if (frame === 5) place(i);
        for (let k = 0; k < 3; k++) {
          const by = rng.range(-0.2, 0.2);
          boxes[6 * i + k]! += by;
          boxes[6 * i + k + 3]! += by;
        }
      }
      finder.moveMany(ids, boxes);
      comparePairs(finder, truePairs(new Map(Array.from(ids, (i) => [i, at(i)]))));
    }
  });

  test(`${row} ${name}: refuses what cannot be meant, and changes nothing then`, () => {
    const finder: Finder = make();
    const unit = recordOf([0, 0, 0, 1, 1, 1]);
    finder.add(0, unit);
    finder.add(1, unit);
    const bad = (name: string, at: number, value: number): void => {
      const boxes = Float64Array.from([5, 5, 5, 6, 6, 6, 5, 5, 5, 6, 6, 6]);
      boxes[at] = value;
      expect(() => finder.moveMany([0, 1], boxes), name).toThrow(/moveMany: boxes\[1\]/);
    };
    bad('NaN', 6, Number.NaN);
    bad('infinite', 9, Infinity);
    bad('inverted', 9, 4);
    for (const [at, value] of [
      [3, Infinity],
      [0, -Infinity],
      [4, Number.NaN],
    ] as const) {
      const one = Float64Array.from([5, 5, 5, 6, 6, 6]);
      one[at] = value;
      expect(() => finder.moveMany([0], one)).toThrow(/moveMany: boxes\[0\]/);
    }
    expect(() => finder.moveMany([0, 1], new Float64Array(6))).toThrow(/moveMany: boxes/);
    for (const box of [recordOf([0, 0, 0, -1, 1, 1]), recordOf([0, Number.NaN, 0, 1, 1, 1])]) {
      expect(() => finder.move(0, box)).toThrow(/move: box/);
      expect(() => finder.add(2, box)).toThrow(RangeError);
    }
    expect(finder.size).toBe(2);
    expect(() => finder.searchBox(recordOf([0, 0, 0, -1, 1, 1]), () => {})).toThrow(RangeError);
    expect(() =>
      finder.searchRay({ origin: unit.min, direction: { x: Number.NaN, y: 0, z: 0 } }, 1, () => {}),
    ).toThrow(RangeError);
    expect(() => finder.pairs(() => finder.move(0, unit))).toThrow(/must not be changed/);
    expect(() => finder.searchBox(unit, () => finder.clear())).toThrow(/must not be changed/);
    const list = makePairList();
    expect(finder.collectPairs(list)).toBe(1);
    let told = 0;
    finder.searchBox(unit, () => {
      finder.searchBox(unit, () => void told++);
      finder.pairs(() => void told++);
      finder.searchRay({ origin: unit.min, direction: unit.max }, 1, () => void told++);
    });
    expect(told).toBe(10);
    told = 0;
    finder.searchBox(unit, () => {
      told++;
      return false;
    });
    finder.pairs(() => {
      told++;
      return false;
    });
    finder.searchRay({ origin: unit.min, direction: unit.max }, 1, () => {
      told++;
      return -1;
    });
    expect(told).toBe(3);
  });
}

/** What is promised by those whose boxes have the numbers of the owner, for all finite coordinates. */
export function testBroadPhase(
  name: string,
  row: string,
  make: () => BroadPhase & Finder,
  cases = 55,
  many = 3000,
): void {
  testFinder(name, row, make, cases, many);

  test(`${row} ${name}: numbers of boxes are the owner's, and are looked at`, () => {
    const finder = make();
    const unit = recordOf([0, 0, 0, 1, 1, 1]);
    finder.add(1000, unit);
    for (const id of [-1, 0.5, Number.NaN, 1000]) expect(() => finder.add(id, unit)).toThrow(/add: id/);
    for (const id of [-1, 0.5, 7, 1e9]) {
      expect(() => finder.move(id, unit)).toThrow(/move: id/);
      expect(() => finder.remove(id)).toThrow(/remove: id/);
      expect(() => finder.moveMany([id], new Float64Array(6))).toThrow(/moveMany: ids\[0\]/);
    }
  });

  test(`${row} ${name}: coordinates up to the largest there are`, () => {
    const most = 1e74;
    const given: Six[] = [
      [-most, -most, -most, most, most, most],
      [0, 0, 0, most, 1, 1],
      [-most, 0, 0, -most, 1, 1],
      [most, most, most, most, most, most],
      [0, 0, 0, 5e-324, 5e-324, 5e-324],
      [-5e-324, -1, -1, 0, 1, 1],
      [1e-310, 0, 0, 2e-310, 1e73, 0],
    ];
    const finder = make();
    given.forEach((box, id) => void finder.add(id, recordOf(box)));
    comparePairs(finder, bruteForce(new Map(given.map((box, id) => [id, box]))));
    for (const box of given) {
      const found: number[] = [];
      finder.searchBox(recordOf(box), (id) => void found.push(id));
      expect(sorted(found)).toBe(sorted(given.flatMap((other, id) => (overlap(box, other) ? [id] : []))));
    }
  });

  test(`${row} ${name}: the same calls, the same order`, () => {
    const told = [0, 1].map(() => {
      const rng = new Rng(3);
      const finder = make();
      for (let id = 0; id < 300; id++) finder.add(id, recordOf(REGIMES['even']!(rng)));
      const list: number[] = [];
      finder.pairs((a, b) => void list.push(a, b));
      return String(list);
    });
    expect(told[0]).toBe(told[1]);
  });
}
