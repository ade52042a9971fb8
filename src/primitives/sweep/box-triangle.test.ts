import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact as E, near, property } from '../../../tests/kit/index.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { triangleMeetsAabb } from '../overlap/triangle-box.ts';
import type { Aabb, ReadonlyAabb } from '../types.ts';
import { sweepAabbTriangle } from './box-triangle.ts';
import { makeSweepSpan } from './types.ts';

const AXES = ['x', 'y', 'z'] as const;
type Triangle = readonly [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];

/**
 * The first time of contact in rational arithmetic, or null: the least t of a linear program. A point a + u (b - a) + v (c - a) of
 * the triangle is in the box that has moved by t. The least t is at a corner of what is allowed, where three bounds meet.
 */
function exactEnter({ min, max }: ReadonlyAabb, motion: ReadonlyVec3, [a, b, c]: Triangle): E.Q | null {
  // Each row is r0 + r1 t + r2 u + r3 v >= 0.
  const n = (x: number) => E.q(x);
  const rows: E.Q[][] = [
    [E.ZERO, E.ONE, E.ZERO, E.ZERO],
    [E.ONE, n(-1), E.ZERO, E.ZERO],
    [E.ZERO, E.ZERO, E.ONE, E.ZERO],
    [E.ZERO, E.ZERO, E.ZERO, E.ONE],
    [E.ONE, E.ZERO, n(-1), n(-1)],
  ];
  for (const k of AXES) {
    const low = [E.sub(n(a[k]), n(min[k])), n(-motion[k]), E.sub(n(b[k]), n(a[k])), E.sub(n(c[k]), n(a[k]))];
    rows.push(low, [E.sub(n(max[k]), n(a[k])), ...low.slice(1).map(E.neg)]);
  }
  const minor = (i: number, j: number, p: E.Q[], q: E.Q[]) => E.sub(E.mul(p[i]!, q[j]!), E.mul(p[j]!, q[i]!));
  const det = (i: number, j: number, k: number, p: E.Q[], q: E.Q[], r: E.Q[]) =>
    E.add(
      E.sub(E.mul(p[i]!, minor(j, k, q, r)), E.mul(p[j]!, minor(i, k, q, r))),
      E.mul(p[k]!, minor(i, j, q, r)),
    );
  let best: E.Q | null = null;
  for (let i = 0; i < rows.length; i++)
    for (let j = i + 1; j < rows.length; j++)
      for (let k = j + 1; k < rows.length; k++) {
        const three = [rows[i]!, rows[j]!, rows[k]!] as const;
        const all = det(1, 2, 3, ...three);
        if (E.sign(all) === 0) continue;
        const t = E.div(E.neg(det(0, 2, 3, ...three)), all);
        if (best !== null && E.cmp(t, best) >= 0) continue;
        const u = E.div(det(0, 1, 3, ...three), all);
        const v = E.div(E.neg(det(0, 1, 2, ...three)), all);
        const isAllowed = rows.every(
          ([r0, r1, r2, r3]) =>
            E.sign(E.add(E.add(r0!, E.mul(r1!, t)), E.add(E.mul(r2!, u), E.mul(r3!, v)))) >= 0,
        );
        if (isAllowed) best = t;
      }
  return best;
}

interface Case {
  readonly box: Aabb;
  readonly motion: Vec3;
  readonly triangle: Triangle;
}

/** Mostly on their way to each other; with needles, flat triangles and boxes, touching starts and motions along axes. */
function draw(rng: Rng): Case {
  const { points } = cloud(rng, 7);
  const [p, q, a, b, c, from, to] = points as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  const shape = rng.int(0, 9);
  if (shape === 0) v3.copy(a, c);
  else if (shape === 1) v3.lerp(a, b, rng.unit(), c);
  else if (shape === 2) v3.addScaled(v3.lerp(a, b, 0.5), rng.vec(1), 1e-9, c);
  else if (shape === 3) c.z = b.z = a.z;
  const box = { min: v3.min(p, q), max: v3.max(p, q) };
  if (rng.chance(0.1)) box.max.x = box.min.x;
  if (rng.chance(0.05)) v3.copy(box.min, box.max);
  const aim = v3.sub(
    v3.lerp(v3.lerp(a, b, rng.unit()), c, rng.pick([0, rng.unit()])),
    rng.pick([box.min, box.max]),
  );
  const motion = rng.chance(0.6) ? v3.scale(aim, rng.pick([1, rng.range(0.5, 3)])) : v3.sub(to, from);
  for (const k of AXES) if (rng.chance(0.15)) motion[k] = 0;
  return { box, motion, triangle: [a, b, c] };
}

const sizeOf = ({ box, motion, triangle }: Case): number =>
  v3.length(motion) + Math.max(...[box.max, ...triangle].map((p) => v3.distance(p, box.min)));

const grown = ({ min, max }: Aabb, by: number): Aabb => ({
  min: v3.sub(min, vec3(by, by, by)),
  max: v3.add(max, vec3(by, by, by)),
});

describe('sweepAabbTriangle', () => {
  property('[R5.5.2] enters as an exact linear program says, or earlier by rounding', 700, (rng) => {
    const one = draw(rng);
    const { box, motion, triangle } = one;
    const span = sweepAabbTriangle(box, motion, ...triangle);
    const wanted = exactEnter(box, motion, triangle);
    if (wanted !== null) {
      check(span !== null, 'missed');
      check(E.cmp(E.q(span.enter), wanted) <= 0, () => `late: ${span.enter}, not ${E.toNumber(wanted)}`);
    }
    if (span === null) return;
    // With the box larger by rounding it is no later than that, and it is touched there.
    const size = sizeOf(one);
    const far = Math.max(...[box.min, box.max, ...triangle].map((p) => v3.length(p)));
    const more = grown(box, 8 * SWEEP_SLACK * size + 4 * Number.EPSILON * far);
    const early = exactEnter(more, motion, triangle);
    check(early !== null && E.toNumber(early) <= span.enter * (1 + 1e-14), () => `early: ${span.enter}`);
  });

  property(
    '[R5.5.2] a start in touch is one, and the normal keeps them apart until they meet',
    20_000,
    (rng) => {
      const one = draw(rng);
      const { box, motion, triangle } = one;
      const span = sweepAabbTriangle(box, motion, ...triangle);
      if (triangleMeetsAabb(...triangle, box)) check(span?.enter === 0, 'a start in touch');
      if (span === null) return;
      const { enter, exit, normal } = span;
      check(enter >= 0 && enter <= 1 && exit >= enter, 'range');
      near(v3.length(normal), 1, 1e-15, 'length of the normal');
      const size = sizeOf(one);
      if (enter > 0) {
        // The lowest corner of the box along the normal has just come down to the highest of the triangle.
        const { x, y, z } = normal;
        const { min, max } = box;
        const lowest = v3.sub(vec3(x > 0 ? min.x : max.x, y > 0 ? min.y : max.y, z > 0 ? min.z : max.z), min);
        const highest = Math.max(...triangle.map((p) => v3.dot(v3.sub(p, min), normal)));
        const gap = v3.dot(lowest, normal) + enter * v3.dot(motion, normal) - highest;
        near(gap, 0, 16 * SWEEP_SLACK * size, 'gap along the normal');
        check(v3.dot(normal, motion) < 0, 'the normal is against the motion');
      }
      // At the middle of the span they overlap, give or take rounding.
      const middle = v3.scale(motion, (enter + Math.min(1, exit)) / 2);
      const far = Math.max(...[box.min, box.max, ...triangle].map((p) => v3.length(p)));
      const there = grown(
        { min: v3.add(box.min, middle), max: v3.add(box.max, middle) },
        32 * SWEEP_SLACK * (size + far),
      );
      check(triangleMeetsAabb(...triangle, there), 'apart in between');
    },
  );

  const unit = { min: vec3(0, 0, 0), max: vec3(1, 1, 1) };

  test('by hand: a face, an edge across an edge, past a corner', () => {
    const wall: Triangle = [vec3(3, -9, -9), vec3(3, 9, -9), vec3(3, 0, 9)];
    const front = sweepAabbTriangle(unit, vec3(4, 0, 0), ...wall)!;
    expect(front.enter).toBeCloseTo(0.5, 14);
    expect(front.normal).toEqual(vec3(-1, 0, 0));
    expect(sweepAabbTriangle(unit, vec3(2, 1, 0), ...wall)!.enter).toBeCloseTo(1, 14);
    expect(sweepAabbTriangle(unit, vec3(1.99, 1, 0), ...wall)).toBeNull();
    // The edge of the box along z meets a sloping edge: the normal is across both.
    const edge: Triangle = [vec3(3, 2, 0.5), vec3(2, 3, 0.5), vec3(9, 9, 0.5)];
    const span = sweepAabbTriangle(unit, vec3(4, 4, 0), ...edge, makeSweepSpan())!;
    expect(span.enter).toBeCloseTo(0.375, 13);
    expect(span.normal.x).toBeCloseTo(-Math.SQRT1_2, 14);
    expect(span.normal.z).toBe(0);
    // Past the tip of a needle, by next to nothing.
    const needle: Triangle = [vec3(2, 1.5, 0.5), vec3(9, 1.5, 0.49), vec3(9, 1.5, 0.51)];
    expect(sweepAabbTriangle(unit, vec3(0.999999999, 0.6, 0), ...needle)).toBeNull();
    expect(sweepAabbTriangle(unit, vec3(3, 0.5, 0), ...needle)!.enter).toBeCloseTo(1, 14);
  });

  test('bad input is named', () => {
    const wall: Triangle = [vec3(3, -9, -9), vec3(3, 9, -9), vec3(3, 0, 9)];
    expect(() => sweepAabbTriangle({ min: vec3(2), max: vec3(1) }, vec3(), ...wall)).toThrow(/box\.min/);
    expect(() => sweepAabbTriangle(unit, vec3(Number.NaN), ...wall)).toThrow(/motion\.x/);
  });
});
