import { describe, expect, test } from 'vitest';
import {
  boxCore,
  extent,
  frameOf,
  PLACES,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
} from '../../../tests/kit/convex.ts';
import { check, factor, property } from '../../../tests/kit/index.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { directionToSecond, type Frame, makeFrame } from '../../convex/frame.ts';
import { gjkDistance, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import type { Vec3 } from '../../math/types.ts';
import { quat, vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { makeSeparatingVector, overlapBySeparatingVector } from './separating-vector.ts';

/** How far the first lies in front of the second along the axis, from closed forms. */
function gapAlong(a: ConvexCore, b: ConvexCore, frame: Frame, axis: Vec3): number {
  const across = directionToSecond(frame, axis, vec3());
  return extent(a, axis, -1) - extent(b, across, 1) - m.dot(axis, vec3(frame.tx, frame.ty, frame.tz));
}

describe('overlapBySeparatingVector', () => {
  const gjk = makeGjkResult();
  const gjkState = makeGjkState();
  const tally = { apart: 0, together: 0, passes: 0, early: 0 };

  property('[R9.6] agrees with GJK, and the axis separates', 100_000, (rng) => {
    const [a, b] = [randomCore(rng), randomCore(rng)];
    const frame = randomFrame(rng, a, b, rng.chance(0.5) ? 'deep' : rng.pick(PLACES));
    const state = makeSeparatingVector();
    if (rng.chance(0.5)) m.copy(rng.direction(), state.axis);
    const found = overlapBySeparatingVector(a, b, frame, state);
    const { distance } = gjkDistance(a, b, frame, gjkState, gjk);
    // Where the distance is rounding of the sizes and the offset, either answer may come out.
    const error = 1e-14 * (a.reach + b.reach + Math.hypot(frame.tx, frame.ty, frame.tz));
    if (found) {
      check(distance <= error, () => `they are ${distance} apart`);
      tally.together++;
      if (state.passes < 10) tally.early++;
    } else {
      const gap = gapAlong(a, b, frame, state.axis);
      check(gap > -error && gap <= distance + error, () => `gap ${gap}, distance ${distance}`);
      tally.apart++;
      tally.passes += state.passes;
    }
  });

  test('[R9.6] the pairs are of both kinds, and few directions are tried', () => {
    expect(tally.passes / tally.apart).toBeLessThan(3);
    expect(tally.apart).toBeGreaterThan(20_000 * factor);
    expect(tally.together).toBeGreaterThan(20_000 * factor);
    // No vector is left, long before the last direction is tried.
    expect(tally.early / tally.together).toBeGreaterThan(0.5);
  });

  property('[R9.6] balls are separated by the second direction at the latest', 10_000, (rng) => {
    const [a, b] = [pointCore(rng.range(0, 2)), pointCore(rng.range(0, 2))];
    const apart = a.radius + b.radius + rng.pick([1e-6, 1e-3, 1, 100]);
    const frame = frameOf(rng.rotation(), m.scale(rng.direction(), apart));
    const state = makeSeparatingVector();
    m.copy(rng.direction(), state.axis);
    check(!overlapBySeparatingVector(a, b, frame, state), 'they are apart');
    check(state.passes <= 2, () => `${state.passes} passes`);
  });

  test('[R9.6] of coherent misses at least 95 % take three passes or fewer', () => {
    const a = polytopeCore(Array.from({ length: 40 }, (_, i) => around(i, 40)));
    const b = boxCore(1, 0.5, 0.8);
    const state = makeSeparatingVector();
    let misses = 0;
    let quick = 0;
    for (let i = 0; i < 20_000; i++) {
      const angle = 0.005 * i;
      const frame = frameOf(
        quat(Math.sin(angle), Math.cos(angle), 0.3, 1),
        vec3(2.2 * Math.cos(0.37 * angle), 2.2 * Math.sin(0.37 * angle), Math.sin(angle)),
      );
      if (overlapBySeparatingVector(a, b, frame, state)) continue;
      misses++;
      if (state.passes <= 3) quick++;
    }
    expect(misses).toBeGreaterThan(2_000);
    expect(quick / misses).toBeGreaterThanOrEqual(0.95);
  });

  test('[R9.6] two squares in one place meet, wherever that is', () => {
    // The printed test, with a sign too many, takes the distance from the origin for a gap.
    const square = polytopeCore([vec3(-11, -1, 0), vec3(-9, -1, 0), vec3(-9, 1, 0), vec3(-11, 1, 0)]);
    for (const axis of [vec3(), vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 0, 1)]) {
      const state = makeSeparatingVector();
      m.copy(axis, state.axis);
      expect(overlapBySeparatingVector(square, square, makeFrame(), state)).toBe(true);
      expect(overlapBySeparatingVector(square, square, { ...makeFrame(), tx: 2.5 }, state)).toBe(false);
      expect(overlapBySeparatingVector(square, square, { ...makeFrame(), tz: 1e-9 }, state)).toBe(false);
    }
  });

  test('[R9.6] points: the same, and two', () => {
    const state = makeSeparatingVector();
    expect(overlapBySeparatingVector(pointCore(), pointCore(), makeFrame(), state)).toBe(true);
    expect(overlapBySeparatingVector(pointCore(), pointCore(), { ...makeFrame(), tx: 1e-300 }, state)).toBe(
      false,
    );
    expect(overlapBySeparatingVector(pointCore(1), pointCore(1), { ...makeFrame(), ty: 2 }, state)).toBe(
      true,
    );
  });
});

const around = (i: number, n: number): Vec3 => {
  const z = 1 - (2 * i + 1) / n;
  const r = Math.sqrt(1 - z * z);
  return vec3(r * Math.cos(2.4 * i), r * Math.sin(2.4 * i), z);
};
