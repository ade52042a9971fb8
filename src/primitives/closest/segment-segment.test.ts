import { describe, expect, test } from 'vitest';
import { between, degeneratePoints, nudge, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointSegment, exactSegmentSegment } from '../../../tests/kit/exact-distance.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance } from '../../math/vec3.ts';
import { closestPointsSegmentSegment, distanceSqSegmentSegment } from './segment-segment.ts';

const U = 2 ** -53;
type Four = [Vec3, Vec3, Vec3, Vec3];

/** Everything there is to check, against exact arithmetic. The 2×2 system has up to four times the rounding (1 / sin). */
function judge([a, b, c, d]: Four): void {
  const size = span([a, b, c, d]);
  const grid = 4 * U * reach([a, b, c, d]);
  const wanted = exactSegmentSegment(a, b, c, d);
  const found = closestPointsSegmentSegment(a, b, c, d);
  const { s, t } = found;
  near(Math.sqrt(found.distanceSq), wanted, 24 * U * size, 'distance');
  near(distance(found.a, found.b), wanted, 24 * U * size + grid, 'distance of the points');
  check(s >= 0 && s <= 1 && t >= 0 && t <= 1, () => `s = ${s}, t = ${t}`);
  near(exactPointSegment(found.a, a, b), 0, 4 * U * size + grid, 'distance of a from the first');
  near(exactPointSegment(found.b, c, d), 0, 4 * U * size + grid, 'distance of b from the second');
  near(distance(found.a, a), s * distance(a, b), 4 * U * size + grid, 'a at s');
  near(distance(found.b, c), t * distance(c, d), 4 * U * size + grid, 'b at t');
  check(distanceSqSegmentSegment(a, b, c, d) === found.distanceSq, 'the same distance');
  const swapped = closestPointsSegmentSegment(c, d, a, b);
  near(Math.sqrt(swapped.distanceSq), Math.sqrt(found.distanceSq), 24 * U * size, 'swapped');
}

/** Segments at an angle of anything from 1 to 1e-18, in every relation along each other. */
function nearlyParallel(rng: Rng): Four {
  const { points, size } = cloud(rng, 3);
  const [a, b, c] = points as [Vec3, Vec3, Vec3];
  const k = rng.pick([1, -1, rng.range(-2, 2)]);
  const from = rng.chance(0.5) ? c : nudge(rng, between(rng, a, b), size * 10 ** -rng.range(0, 18));
  const to = { x: from.x + k * (b.x - a.x), y: from.y + k * (b.y - a.y), z: from.z + k * (b.z - a.z) };
  return [a, b, from, nudge(rng, to, rng.chance(0.2) ? 0 : size * 10 ** -rng.range(0, 18))];
}

describe('two segments', () => {
  property('[R5.1.9] = exact minimum over ends and insides', 20_000, (rng) => {
    judge(degeneratePoints(rng, cloud(rng, 4)) as Four);
  });

  property('[R5.1.9] = exact minimum at every angle down to parallel', 20_000, (rng) => {
    judge(nearlyParallel(rng));
  });

  property(
    '[R5.1.9] swapping the segments swaps the points, also where parallel ones leave a choice',
    10_000,
    (rng) => {
      const a = vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4));
      const u = vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3));
      const off = vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4));
      const at = (k: number, o: Vec3) => vec3(a.x + k * u.x + o.x, a.y + k * u.y + o.y, a.z + k * u.z + o.z);
      const ends: Four = [
        at(rng.int(-4, 4), vec3()),
        at(rng.int(-4, 4), vec3()),
        at(rng.int(-4, 4), off),
        at(rng.int(-4, 4), off),
      ];
      const [p, q, r, s] = ends;
      const one = closestPointsSegmentSegment(p, q, r, s);
      for (const two of [
        closestPointsSegmentSegment(r, s, p, q),
        closestPointsSegmentSegment(r, s, q, p),
        closestPointsSegmentSegment(s, r, q, p),
      ]) {
        near(distance(one.a, two.b), 0, 1e-13, 'first point');
        near(distance(one.b, two.a), 0, 1e-13, 'second point');
      }
    },
  );

  test('[R5.1.9] the middle of where parallel segments run side by side', () => {
    const found = closestPointsSegmentSegment(vec3(0, 0, 0), vec3(4, 0, 0), vec3(6, 1, 0), vec3(2, 1, 0));
    expect(found).toEqual({ a: vec3(3, 0, 0), b: vec3(3, 1, 0), distanceSq: 1, s: 0.75, t: 0.75 });
    const apart = closestPointsSegmentSegment(vec3(0, 0, 0), vec3(4, 0, 0), vec3(9, 0, 0), vec3(7, 0, 0));
    expect(apart).toEqual({ a: vec3(4, 0, 0), b: vec3(7, 0, 0), distanceSq: 9, s: 1, t: 1 });
  });

  test('[R5.1.9] segments of length zero', () => {
    const [a, b] = [vec3(0, 0, 0), vec3(4, 0, 0)];
    const p = vec3(1, 2, 0);
    expect(closestPointsSegmentSegment(p, p, a, b)).toMatchObject({ s: 0, t: 0.25, distanceSq: 4 });
    expect(closestPointsSegmentSegment(a, b, p, p)).toMatchObject({ s: 0.25, t: 0, distanceSq: 4 });
    expect(closestPointsSegmentSegment(p, p, b, b)).toMatchObject({ s: 0, t: 0, distanceSq: 13 });
    expect(closestPointsSegmentSegment(p, p, p, p)).toMatchObject({ a: p, b: p, distanceSq: 0 });
  });

  test('[R5.1.9] clamping one parameter moves the other', () => {
    // The lines are closest at s = 2, t = 2; cutting both to 1 separately would miss t = 0.5.
    const found = closestPointsSegmentSegment(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, -2, 1), vec3(1, -1, 1));
    expect(found).toMatchObject({ s: 1, t: 1, distanceSq: 2 });
    const other = closestPointsSegmentSegment(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, -2, 1), vec3(4, 2, 1));
    expect(other).toMatchObject({ s: 1, t: 0.375, distanceSq: 1.5 });
  });

  test('[R5.1.9] the angle at which the printed listing is off by 1e-4', () => {
    for (const angle of [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12])
      judge([vec3(-1, 0.3, 0), vec3(1, 0.3, 0), vec3(-1, 0.3 - angle, 1e-3), vec3(1, 0.3 + angle, 1e-3)]);
  });

  property('out may be made of the inputs', 1000, (rng) => {
    const ends = rng.chance(0.5) ? nearlyParallel(rng) : (cloud(rng, 4).points as Four);
    const wanted = closestPointsSegmentSegment(...ends);
    for (const [i, j] of [
      [0, 1],
      [2, 3],
      [3, 0],
      [1, 2],
    ] as const) {
      const own = ends.map((p) => ({ ...p })) as Four;
      const out = { a: own[i], b: own[j], distanceSq: 0, s: 0, t: 0 };
      closestPointsSegmentSegment(...own, out);
      check(JSON.stringify(out) === JSON.stringify(wanted), () => `aliased ${i}, ${j}`);
    }
  });

  test('extreme numbers give no NaN; bad numbers are named', () => {
    for (const k of [1e300, 1e160, 1e-160, 5e-324]) {
      const found = closestPointsSegmentSegment(
        vec3(-k, k, 0),
        vec3(k, k, k),
        vec3(0, -k, k),
        vec3(0, k, -k),
      );
      expect(Number.isFinite(found.a.x + found.a.y + found.a.z + found.b.x + found.b.y + found.b.z)).toBe(
        true,
      );
    }
    const z = vec3();
    expect(() => closestPointsSegmentSegment(z, z, vec3(0, 0, Infinity), z)).toThrow(/c\.z/);
    expect(() => distanceSqSegmentSegment(z, z, z, vec3(Number.NaN))).toThrow(/d\.x/);
  });
});
