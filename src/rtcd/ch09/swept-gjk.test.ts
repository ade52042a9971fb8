import { expect, test } from 'vitest';
import {
  boxCore,
  POLYTOPES,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
  segmentCore,
} from '../../../tests/kit/convex.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { cornersOf, depthByDirections, seenByFirst } from '../../../tests/kit/separating-directions.ts';
import type { Frame } from '../../convex/frame.ts';
import { makeFrame } from '../../convex/frame.ts';
import { gjkOverlap } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { firstTouchByHalving, overlapSweptConvex } from './swept-gjk.ts';

const at = (x: number, y: number, z: number): Frame => ({ ...makeFrame(), tx: x, ty: y, tz: z });
const moved = (f: Frame, m: Vec3, t: number): Frame => ({
  ...f,
  tx: f.tx - t * m.x,
  ty: f.ty - t * m.y,
  tz: f.tz - t * m.z,
});

property('[R9.5.7a] a swept polytope is the hull of its corners at both ends of the way', 10_000, (rng) => {
  const a = { ...randomCore(rng, rng.pick(POLYTOPES)), radius: 0, inner: 0 };
  const b = { ...randomCore(rng, rng.pick(POLYTOPES)), radius: 0, inner: 0 };
  const frame = randomFrame(rng, a, b);
  const scale = a.reach + b.reach || 1;
  const motion = rng.chance(0.5)
    ? rng.vec(scale * 10 ** rng.range(-2, 2))
    : vec3(rng.range(0, 2) * frame.tx, rng.range(0, 2) * frame.ty, rng.range(0, 2) * frame.tz);
  const corners = cornersOf(a);
  const doubled = corners.concat(corners.map((p) => vec3(p.x + motion.x, p.y + motion.y, p.z + motion.z)));
  const found = overlapSweptConvex(a, b, frame, motion);
  const others = cornersOf(b);
  const size = scale + Math.hypot(motion.x, motion.y, motion.z) + Math.hypot(frame.tx, frame.ty, frame.tz);
  if (doubled.length * others.length <= 24) {
    const depth = depthByDirections(doubled, seenByFirst(frame, others));
    if (depth > 1e-14 * size) check(found, () => `${depth} deep, and not found`);
    // The directions of faces need not separate what only a corner or an edge is near to, so there is no else.
    if (found) check(depth > -1e-14 * size, () => `found, but ${-depth} apart`);
  }
  const hull = gjkOverlap(polytopeCore(doubled), b, frame, makeGjkState());
  if (hull !== found) {
    // Only what rounding cannot tell.
    const less = gjkOverlap(polytopeCore(doubled, 1e-13 * size), b, frame, makeGjkState());
    check(less && found, () => `the hull of all corners says ${hull}`);
  }
});

property('[R9.5.7a] the time by halving is that of dense samples', 300, (rng) => {
  const a = randomCore(rng);
  const b = randomCore(rng);
  const frame = randomFrame(rng, a, b, rng.pick(['near', 'shallow', 'deep']));
  const scale = a.reach + b.reach;
  const motion = vec3(
    2 * frame.tx + rng.range(-0.3, 0.3) * scale,
    2 * frame.ty + rng.range(-0.3, 0.3) * scale,
    2 * frame.tz + rng.range(-0.3, 0.3) * scale,
  );
  const t = firstTouchByHalving(a, b, frame, motion, 1e-9);
  const state = makeGjkState();
  let sampled = -1;
  for (let i = 0; i <= 500 && sampled < 0; i++)
    if (gjkOverlap(a, b, moved(frame, motion, i / 500), state)) sampled = i / 500;
  // Samples may step over a short touch, but what they see is there, and it began since the last one.
  if (sampled >= 0) {
    check(t >= 0 && t <= sampled, () => `at ${t}, but samples touch at ${sampled}`);
    check(t >= sampled - 1 / 500 - 1e-9, () => `at ${t}, but samples are apart until ${sampled}`);
  } else if (t > 0) {
    const late = moved(frame, motion, t + 1e-9);
    const grown = { ...a, radius: a.radius + 1e-7 * scale };
    check(gjkOverlap(grown, b, late, makeGjkState()), () => `nothing touches at ${t}`);
  }
});

test('[R9.5.7a] the thinnest and the fastest do not tunnel', () => {
  const sheet = boxCore(1, 0, 1);
  const motion = vec3(0, -1e9, 0);
  expect(overlapSweptConvex(pointCore(), sheet, at(0.5, -1, 0.25), motion)).toBe(true);
  expect(overlapSweptConvex(pointCore(), sheet, at(1.5, -1, 0.25), motion)).toBe(false);
  expect(firstTouchByHalving(pointCore(), sheet, at(0.5, -1e8, 0.25), motion, 1e-12)).toBeCloseTo(0.1, 11);
});

test('[R9.5.7a] no motion, touching, moving away', () => {
  const rod = segmentCore(vec3(-1, 0, 0), vec3(1, 0, 0), 0.5);
  expect(overlapSweptConvex(rod, rod, at(0, 1, 0), vec3())).toBe(true);
  expect(overlapSweptConvex(rod, rod, at(0, 1.001, 0), vec3())).toBe(false);
  expect(overlapSweptConvex(rod, rod, at(0, 1.001, 0), vec3(0, -5, 0))).toBe(false);
  expect(firstTouchByHalving(rod, rod, at(0, 1, 0), vec3(0, -5, 0), 1e-9)).toBe(0);
  expect(firstTouchByHalving(rod, rod, at(0, 3, 0), vec3(0, 4, 0), 1e-12)).toBeCloseTo(0.5, 11);
  expect(firstTouchByHalving(rod, rod, at(0, 3, 0), vec3(0, 1, 0), 1e-12)).toBe(-1);
});

test('refuses what is no number', () => {
  const s = pointCore(1);
  expect(() => overlapSweptConvex(s, s, at(0, 0, Infinity), vec3())).toThrow('frame.tz');
  expect(() => overlapSweptConvex(s, s, at(0, 0, 0), vec3(0, Number.NaN, 0))).toThrow('motion');
});
