import { expect, test } from 'vitest';
import {
  boxCore,
  coneCore,
  cylinderCore,
  ellipsoidCore,
  frameOf,
  POLYTOPES,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
  segmentCore,
} from '../../tests/kit/convex.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { cornersOf, depthByDirections, seenByFirst } from '../../tests/kit/separating-directions.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { makeHit } from '../primitives/types.ts';
import { firstTouchByHalving } from '../rtcd/ch09/swept-gjk.ts';
import { castConvex } from './cast.ts';
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, makeFrame } from './frame.ts';
import { gjkDistance, makeGjkResult } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';
import { penetration } from './penetration.ts';

const at = (x: number, y: number, z: number): Frame => ({ ...makeFrame(), tx: x, ty: y, tz: z });
const cast = (a: ConvexCore, b: ConvexCore, frame: Frame, motion: Vec3) =>
  castConvex(a, b, frame, motion, undefined, makeHit());
const size = (v: Vec3) => Math.hypot(v.x, v.y, v.z);

/** Towards the other body, past it, or anywhere; a thousandth of the bodies long, or a thousand times as long. */
function randomMotion(rng: Rng, a: ConvexCore, b: ConvexCore, f: Frame): Vec3 {
  const scale = a.reach + b.reach || 1;
  if (rng.chance(0.1))
    return rng.pick([vec3(), vec3(scale, 0, 0), vec3(0, -scale, 0), vec3(0, 0, 1e3 * scale)]);
  if (rng.chance(0.3)) return rng.vec(scale * 10 ** rng.range(-3, 3));
  const k = rng.range(0.5, 2) * rng.pick([1, 1, 1, 10]);
  const off = rng.vec(0.3 * scale);
  return vec3(k * f.tx + off.x, k * f.ty + off.y, k * f.tz + off.z);
}

/** The first t in [0, 1] at which a convex function is 0 or less: its minimum by thirds, then by halves. -1 if none. */
function firstZero(f: (t: number) => number): number {
  if (f(0) <= 0) return 0;
  let [low, high] = [0, 1];
  for (let i = 0; i < 200; i++) {
    const third = (high - low) / 3;
    if (f(low + third) <= f(high - third)) high -= third;
    else low += third;
  }
  if (f(high) > 0) return -1;
  low = 0;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (f(middle) <= 0) high = middle;
    else low = middle;
  }
  return high;
}

const gjk = makeGjkResult();
const distanceAt = (a: ConvexCore, b: ConvexCore, f: Frame, m: Vec3, t: number) =>
  gjkDistance(
    a,
    b,
    { ...f, tx: f.tx - t * m.x, ty: f.ty - t * m.y, tz: f.tz - t * m.z },
    makeGjkState(),
    gjk,
  );

/** How deep they are proven to be: of curved bodies the depth itself is an upper bound, good to 1e-12. */
const depthAt = (a: ConvexCore, b: ConvexCore, f: Frame, m: Vec3, t: number) =>
  penetration(a, b, { ...f, tx: f.tx - t * m.x, ty: f.ty - t * m.y, tz: f.tz - t * m.z }, makeGjkState())
    .lowerBound;

property('[R9.5.7b] [R9.5.7a] casts of all bodies are those of swept GJK and halving', 10_000, (rng) => {
  const a = randomCore(rng);
  const b = randomCore(rng);
  const frame = randomFrame(rng, a, b);
  const motion = randomMotion(rng, a, b, frame);
  const scale = a.reach + b.reach;
  const way = size(motion);
  const rounding = 1e-14 * (scale + way + Math.hypot(frame.tx, frame.ty, frame.tz));
  const tolerance = Math.max(1e-9 * scale, 2 * rounding);
  const hit = cast(a, b, frame, motion);
  const t = firstTouchByHalving(a, b, frame, motion, Math.max(1e-15, (0.1 * tolerance) / (way || 1)));
  if (hit === null || t < 0) {
    // One of them may see a touch where the other sees the narrowest of gaps.
    if (hit !== null)
      check(distanceAt(a, b, frame, motion, hit.t).distance <= tolerance, 'a hit out of touch');
    else if (t >= 0)
      check(
        distanceAt(a, b, frame, motion, t).coreDistance + rounding >= a.radius + b.radius,
        'a hit missed',
      );
    return;
  }
  // Halving takes what is within rounding for a touch; when they graze each other that is a while before.
  if ((hit.t - t) * way > tolerance)
    for (const time of [t, (t + hit.t) / 2, hit.t])
      check(depthAt(a, b, frame, motion, time) <= rounding, () => `late: at ${hit.t} instead of ${t}`);
  const { distance } = distanceAt(a, b, frame, motion, hit.t);
  check(distance <= tolerance, () => `early: still ${distance} apart`);
  near(size(hit.normal), 1, 1e-14, 'length of the normal');
  if (hit.t === 0) return;
  const { x, y, z } = hit.normal;
  check(x * motion.x + y * motion.y + z * motion.z < 0, 'the normal is not against the motion');
  const { point } = hit;
  const toA = at(point.x - hit.t * motion.x, point.y - hit.t * motion.y, point.z - hit.t * motion.z);
  check(
    gjkDistance(a, pointCore(), toA, makeGjkState(), gjk).distance <= 2 * tolerance,
    'the point is not on a',
  );
  const q = vec3(point.x - frame.tx, point.y - frame.ty, point.z - frame.tz);
  directionToSecond(frame, q, q);
  check(gjkDistance(b, pointCore(), at(q.x, q.y, q.z), makeGjkState(), gjk).distance <= rounding, 'nor on b');
});

property('[R9.5.7b] polytopes are never late and never early', 4_000, (rng) => {
  const a = randomCore(rng, rng.pick(POLYTOPES));
  const b = randomCore(rng, rng.pick(POLYTOPES));
  const cornersA = cornersOf(a);
  const frame = randomFrame(rng, a, b);
  const cornersB = seenByFirst(frame, cornersOf(b));
  if (cornersA.length * cornersB.length > 40) return;
  const motion = randomMotion(rng, a, b, frame);
  const scale = a.reach + b.reach;
  const rounding = 1e-14 * (scale + size(motion) + Math.hypot(frame.tx, frame.ty, frame.tz));
  const overlap = (t: number) =>
    depthByDirections(
      cornersA.map((p) => vec3(p.x + t * motion.x, p.y + t * motion.y, p.z + t * motion.z)),
      cornersB,
    );
  const hit = cast({ ...a, radius: 0 }, { ...b, radius: 0 }, frame, motion);
  const end = hit === null ? 1 : hit.t;
  if (end > 0)
    for (const t of [0, 0.5 * end, rng.range(0, end), end])
      check(overlap(t) <= rounding, () => `overlap ${overlap(t)} at ${t}, before ${end}`);
});

property('[R9.5.7b] spheres and boxes meet when closed forms say so', 10_000, (rng) => {
  const r = rng.range(0, 1);
  const s = rng.range(0, 1);
  const half = rng.pick([vec3(1, 0.5, 0.25), vec3(rng.unit(), rng.unit(), rng.unit()), vec3(2, 0, 1)]);
  const from = rng.chance(0.3) ? vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)) : rng.vec(4);
  const to = rng.chance(0.3) ? vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)) : rng.vec(1);
  const motion = vec3(to.x - from.x, to.y - from.y, to.z - from.z);
  const place = (t: number) => vec3(from.x + t * motion.x, from.y + t * motion.y, from.z + t * motion.z);
  const frame = at(-from.x, -from.y, -from.z);
  const distances = {
    sphere: (p: Vec3) => size(p),
    box: ({ x, y, z }: Vec3) =>
      Math.hypot(
        Math.max(0, Math.abs(x) - half.x),
        Math.max(0, Math.abs(y) - half.y),
        Math.max(0, Math.abs(z) - half.z),
      ),
    capsule: ({ x, y, z }: Vec3) => Math.hypot(x, Math.max(0, Math.abs(y) - half.y), z),
    cylinder: ({ x, y, z }: Vec3) =>
      Math.hypot(Math.max(0, Math.hypot(x, z) - half.x), Math.max(0, Math.abs(y) - half.y)),
  };
  const kind = rng.pick(['sphere', 'box', 'capsule', 'cylinder'] as const);
  const other = {
    sphere: pointCore(s),
    box: boxCore(half.x, half.y, half.z, s),
    capsule: segmentCore(vec3(0, -half.y, 0), vec3(0, half.y, 0), s),
    cylinder: cylinderCore(half.y, half.x, s),
  }[kind];
  const gap = (t: number) => distances[kind](place(t)) - r - s;
  const t = firstZero(gap);
  const hit = cast(pointCore(r), other, frame, motion);
  if (t < 0) {
    if (hit !== null) check(gap(hit.t) < 1e-7, () => `a hit at ${hit.t}, ${gap(hit.t)} apart`);
    return;
  }
  if (hit === null) {
    check(gap(t) > -1e-13, () => `no hit, but at ${t}`); // they only just touch, and rounding says no
    return;
  }
  check(hit.t <= t + 1e-13, () => `late: ${hit.t} instead of ${t}`);
  check(gap(hit.t) <= 1e-8, () => `early: ${hit.t} instead of ${t}`);
  if (t > 0) {
    // The point is at the end of the radius of the sphere, and on the other body.
    const { point, normal } = hit;
    const p = place(hit.t);
    // The point is seen from where the sphere starts.
    near(
      size(
        vec3(
          point.x - r * -normal.x + from.x - p.x,
          point.y + r * normal.y + from.y - p.y,
          point.z + r * normal.z + from.z - p.z,
        ),
      ),
      0,
      1e-6,
      'point',
    );
  }
});

property('[R9.5.7b] boxes along the axes meet when their intervals do', 5_000, (rng) => {
  const axes = ['x', 'y', 'z'] as const;
  const p = vec3(rng.int(0, 2), rng.int(1, 3) / 2, rng.int(1, 3) / 4);
  const q = vec3(rng.int(1, 2), rng.int(0, 2) / 2, rng.int(1, 3) / 4);
  const frame = at(rng.int(-6, 6), rng.int(-6, 6), rng.int(-6, 6));
  const motion = vec3(rng.int(-8, 8), rng.int(-8, 8), rng.int(-8, 8));
  const offset = vec3(frame.tx, frame.ty, frame.tz);
  let enter = 0;
  let leave = 1;
  for (const axis of axes) {
    const reach = p[axis] + q[axis];
    if (motion[axis] === 0) {
      if (Math.abs(offset[axis]) > reach) leave = -1;
      continue;
    }
    const s = (offset[axis] - reach) / motion[axis];
    const t = (offset[axis] + reach) / motion[axis];
    enter = Math.max(enter, Math.min(s, t));
    leave = Math.min(leave, Math.max(s, t));
  }
  const hit = cast(boxCore(p.x, p.y, p.z), boxCore(q.x, q.y, q.z), frame, motion);
  // Passing by in touch, for an instant or along a side, is decided by the last bit: it counts here, but need not there.
  if (enter > leave - 1e-12)
    check(hit === null || Math.abs(enter - leave) < 1e-9, () => `a hit at ${hit?.t}`);
  else if (hit === null) check(false, `no hit, but at ${enter}`);
  else {
    check(hit.t <= enter && hit.t >= enter - 1e-8, () => `${hit.t} instead of ${enter}`);
  }
});

test('[R9.5.7b] a start in touch or deeper hits at 0, whatever the motion, with the normal of the penetration', () => {
  const a = boxCore(1, 1, 1);
  for (const motion of [vec3(), vec3(0, 5, 0), vec3(0, -5, 0), vec3(5, 0, 0)]) {
    for (const [y, depth] of [
      [-2, 0],
      [-1.5, 0.5],
    ] as const) {
      const hit = cast(a, a, at(0.25, y, 0.25), motion)!;
      expect(hit.t).toBe(0);
      expect(hit.normal.y).toBeCloseTo(1, 14);
      expect(hit.point.y).toBeCloseTo(-1 + depth, 14);
    }
  }
});

test('[R9.5.7b] a motion of zero hits what is in touch and nothing else', () => {
  expect(cast(pointCore(1), pointCore(1), at(2, 0, 0), vec3())?.t).toBe(0);
  expect(cast(pointCore(1), pointCore(1), at(2.0001, 0, 0), vec3())).toBeNull();
});

test('[R9.5.7b] what is apart and moves away, or alongside, does not hit', () => {
  const box = boxCore(1, 1, 1);
  expect(cast(box, box, at(0, -2 - 1e-10, 0), vec3(0, 1, 0))).toBeNull();
  expect(cast(box, box, at(0, -2 - 1e-10, 0), vec3(1, 0, 0))).toBeNull();
  expect(cast(box, box, at(5, -2 - 1e-8, 0), vec3(10, 0, 0))).toBeNull();
});

test('[R9.5.7b] a sphere that grazes another hits, one that passes at a small distance does not', () => {
  const graze = cast(pointCore(1), pointCore(1), at(10, 2, 0), vec3(20, 0, 0))!;
  expect(graze.t).toBeCloseTo(0.5, 4);
  expect(graze.t).toBeLessThanOrEqual(0.5);
  expect(cast(pointCore(1), pointCore(1), at(10, 2 + 1e-6, 0), vec3(20, 0, 0))).toBeNull();
});

test('[R9.5.7b] [R9.5.7a] the thinnest and the fastest do not tunnel', () => {
  const sheet = boxCore(1, 0, 1);
  const hit = cast(pointCore(), sheet, at(0.5, -1, 0.25), vec3(0, -1e9, 0))!;
  expect(hit.t).toBeCloseTo(1e-9, 15);
  expect(hit.normal.y).toBeCloseTo(1, 12);
  const needle = segmentCore(vec3(0, 1, 0), vec3(0, -1, 0));
  const other = segmentCore(vec3(-1, 0, 0), vec3(1, 0, 0));
  expect(cast(needle, other, at(0.1, 0.1, -500), vec3(0, 0, -1000))!.t).toBeCloseTo(0.5, 12);
});

test('[R9.5.7b] bodies of all sizes, and far from each other', () => {
  for (const s of [1e-6, 1, 1e6]) {
    const hit = cast(ellipsoidCore(s, 2 * s, s), coneCore(s, s), at(0, -1e3 * s, 0), vec3(0, -2e3 * s, 0))!;
    expect(hit.t).toBeCloseTo((1e3 - 3) / 2e3, 9);
    expect(hit.t).toBeLessThanOrEqual((1e3 - 3) / 2e3 + 1e-15);
    expect(hit.normal.y).toBeCloseTo(1, 3);
  }
  // A grain against a mountain.
  const hit = cast(pointCore(1e-3), boxCore(1e3, 1e3, 1e3), at(0, -1001, 0), vec3(0.5, -2, 0))!;
  expect(hit.t).toBeCloseTo(0.4995, 9);
});

test('the tolerance is a length of the caller', () => {
  const hit = castConvex(pointCore(1), pointCore(1), at(10, 0, 0), vec3(10, 0, 0), 0.5)!;
  expect(hit.t).toBeGreaterThanOrEqual(0.75);
  expect(hit.t).toBeLessThanOrEqual(0.8);
  expect(castConvex(pointCore(1), pointCore(1), at(10, 0, 0), vec3(10, 0, 0), 0)!.t).toBeCloseTo(0.8, 14);
  expect(castConvex(pointCore(1), pointCore(1), at(10, 2.25, 0), vec3(20, 0, 0), 0.5)).not.toBeNull();
  expect(castConvex(pointCore(1), pointCore(1), at(10, 2.25, 0), vec3(20, 0, 0))).toBeNull();
});

test('turned bodies: a box on its edge comes down on another across it', () => {
  const half = Math.PI / 8;
  const turned = frameOf({ x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) }, vec3(0, -5, 0));
  const hit = cast(boxCore(1, 1, 1), boxCore(1, 1, 1), turned, vec3(0, -10, 0))!;
  expect(hit.t).toBeCloseTo((5 - 1 - Math.SQRT2) / 10, 12);
  expect(hit.normal.y).toBeCloseTo(1, 9);
});

test('polytopes of one point, of doubled points and in one line', () => {
  const point = polytopeCore([vec3(0, 0, 0), vec3(0, 0, 0)]);
  const line = polytopeCore([vec3(-1, 0, 0), vec3(0, 0, 0), vec3(1, 0, 0), vec3(1, 0, 0)]);
  expect(cast(point, line, at(0.5, -1, 0), vec3(0, -2, 0))!.t).toBeCloseTo(0.5, 12);
  expect(cast(line, line, at(3, 0, 0), vec3(2, 0, 0))!.t).toBeCloseTo(0.5, 12);
  expect(cast(point, point, at(1, 1, 1), vec3(2, 2, 2))!.t).toBeCloseTo(0.5, 12);
});

test('refuses what is no number', () => {
  const s = pointCore(1);
  expect(() => castConvex(s, s, at(Number.NaN, 0, 0), vec3(1, 0, 0))).toThrow('frame');
  expect(() => castConvex(s, s, at(3, 0, 0), vec3(Infinity, 0, 0))).toThrow('motion');
  expect(() => castConvex(s, s, at(3, 0, 0), vec3(1, 0, 0), -1)).toThrow('tolerance');
});
