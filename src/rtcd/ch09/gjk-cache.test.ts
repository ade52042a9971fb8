import { expect, test } from 'vitest';
import type { Kind } from '../../../tests/kit/convex.ts';
import { boxCore, frameOf, KINDS, POLYTOPES, randomCore, randomFrame } from '../../../tests/kit/convex.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, near, property } from '../../../tests/kit/index.ts';
import type { ConvexCore } from '../../convex/core.ts';
import type { Frame } from '../../convex/frame.ts';
import { gjkDistance, gjkOverlap, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { GjkCache } from './gjk-cache.ts';

const warm = makeGjkResult();
const cold = makeGjkResult();
const scaleOf = (a: ConvexCore, b: ConvexCore, f: Frame) => a.reach + b.reach + Math.hypot(f.tx, f.ty, f.tz);

function checkSame(a: ConvexCore, b: ConvexCore, f: Frame): void {
  const tolerance = 1e-12 * scaleOf(a, b, f);
  near(warm.distance, cold.distance, tolerance, 'distance');
  near(warm.lowerBound, cold.lowerBound, tolerance, 'lower bound');
  // Whether cores overlap that touch to within rounding may depend on the way.
  check(warm.cores === cold.cores || warm.coreDistance + cold.coreDistance < tolerance, 'overlap');
}

property('[R9.5.5] a state from another frame changes nothing but the time', 5000, (rng) => {
  const a = randomCore(rng);
  const b = randomCore(rng);
  const state = makeGjkState();
  for (let k = 0; k < 3; k++) {
    const f = randomFrame(rng, a, b);
    if (rng.chance(0.3)) {
      const before = gjkOverlap(a, b, f, state);
      gjkDistance(a, b, f, makeGjkState(), cold);
      check(before === (cold.distance === 0) || cold.distance < 1e-12 * scaleOf(a, b, f), 'boolean');
    }
    gjkDistance(a, b, f, state, warm);
    gjkDistance(a, b, f, makeGjkState(), cold);
    checkSame(a, b, f);
  }
});

property('[R9.5.5] a state from another pair is not taken for one of this', 3000, (rng) => {
  const state = makeGjkState();
  for (let k = 0; k < 4; k++) {
    const a = randomCore(rng);
    const b = randomCore(rng);
    const f = randomFrame(rng, a, b);
    gjkDistance(a, b, f, state, warm);
    gjkDistance(a, b, f, makeGjkState(), cold);
    check(warm.distance === cold.distance && warm.iterations === cold.iterations, 'the same way');
  }
});

test('[R9.5.5] nor is nonsense in a state', () => {
  const a = boxCore(1, 2, 3);
  const f = frameOf({ x: 0.1, y: 0.2, z: 0.3, w: 1 }, { x: 4, y: 5, z: 6 });
  const state = makeGjkState();
  gjkDistance(a, a, f, state, cold);
  // Points of the cores are points of the cores, whatever the weights and numbers say.
  state.weights.fill(Number.NaN);
  state.indexA.fill(12345);
  state.indexB.fill(-7);
  gjkDistance(a, a, f, state, warm);
  expect(warm.distance).toBeCloseTo(cold.distance, 14);
});

/** Steps of a run with a state and without, on a slow path by each other. */
function stepsOnPath(rng: Rng, kinds: readonly Kind[]): { warm: number; cold: number } {
  const sum = { warm: 0, cold: 0 };
  const a = randomCore(rng, rng.pick(kinds), 10);
  const b = randomCore(rng, rng.pick(kinds), 10);
  const scale = a.reach + b.reach;
  const state = makeGjkState();
  const t = rng.vec(1.5 * scale);
  const motion = rng.vec(0.01 * scale);
  const axis = rng.direction();
  for (let k = 0; k < 20; k++) {
    const half = 0.01 * k;
    const s = Math.sin(half);
    const turn = { x: s * axis.x, y: s * axis.y, z: s * axis.z, w: Math.cos(half) };
    const f = frameOf(turn, { x: t.x + k * motion.x, y: t.y + k * motion.y, z: t.z + k * motion.z });
    gjkDistance(a, b, f, state, warm);
    gjkDistance(a, b, f, makeGjkState(), cold);
    checkSame(a, b, f);
    sum.warm += warm.iterations;
    sum.cold += cold.iterations;
  }
  return sum;
}

const total = { polytopes: { warm: 0, cold: 0 }, all: { warm: 0, cold: 0 } };

property('[R9.5.5] under slow motion it ends where it would end without', 200, (rng) => {
  for (const [name, kinds] of [
    ['polytopes', POLYTOPES],
    ['all', KINDS],
  ] as const) {
    const { warm, cold } = stepsOnPath(rng, kinds);
    total[name].warm += warm;
    total[name].cold += cold;
  }
});

test('[R9.5.5] and in fewer steps', () => {
  expect(total.polytopes.cold).toBeGreaterThan(0);
  expect(total.polytopes.warm).toBeLessThan(0.6 * total.polytopes.cold);
  expect(total.all.warm).toBeLessThan(0.8 * total.all.cold);
});

test('[R9.5.5] a pair keeps its state until another drives it out', () => {
  const cache = new GjkCache(100);
  const first = cache.of(3, 5);
  expect(cache.of(3, 5)).toBe(first);
  expect(cache.of(5, 3)).not.toBe(first);
  const states = new Set(Array.from({ length: 10_000 }, (_, i) => cache.of(i % 100, Math.floor(i / 100))));
  expect(states.size).toBe(128);
  cache.clear();
  expect(cache.of(3, 5)).not.toBe(first);
});

test('[R9.5.5] pairs are spread evenly over the table', () => {
  const cache = new GjkCache(1024);
  const used = new Map<unknown, number>();
  for (let i = 0; i < 64; i++)
    for (let j = 0; j < 64; j++) used.set(cache.of(i, j), (used.get(cache.of(i, j)) ?? 0) + 1);
  // By chance 98 % of the places would be taken, and none by more than 16 or so.
  expect(used.size).toBeGreaterThan(900);
  expect(Math.max(...used.values())).toBeLessThan(24);
});

test('[R9.5.5] pairs that share a state get right answers all the same', () => {
  const cache = new GjkCache(1);
  const a = boxCore(1, 1, 1);
  const b = boxCore(2, 1, 0.5);
  for (let i = 0; i < 20; i++) {
    const f = frameOf({ x: 0.1 * i, y: 0.3, z: 0, w: 1 }, { x: 4, y: i / 3, z: 1 });
    const [p, q] = i % 2 ? [a, b] : [b, a];
    expect(gjkDistance(p, q, f, cache.of(i % 2, 7), warm).distance).toBe(
      gjkDistance(p, q, f, makeGjkState(), cold).distance,
    );
  }
});

test('refuses a table of no size', () => {
  for (const bad of [0, -1, Number.NaN, Infinity]) expect(() => new GjkCache(bad)).toThrow(/capacity/);
});
