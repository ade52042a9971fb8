import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Case, Field, V } from '../../../tests/sweep/exact-oracle.ts';
import {
  along,
  cross,
  dot,
  extent,
  floating,
  judge,
  judgeQuickly,
  rational,
  segmentWay,
  shortest,
  sub,
  triangleWay,
  vec,
} from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Capsule, Hit } from '../types.ts';
import { sweepCapsuleCapsule, sweepCapsuleSphere, sweepCapsuleTriangle } from './capsule.ts';

interface Problem {
  capsule: Capsule;
  motion: Vec3;
  /** Corners of the target. */
  points: Vec3[];
  thickness: number;
  size: number;
}

function draw(rng: Rng, count: number): Problem {
  const { points, size } = cloud(rng, count + 4);
  const [a, b, from, to] = points as [Vec3, Vec3, Vec3, Vec3];
  const target = points.slice(4);
  const [p, q] = [target[0]!, target[count - 1]!];
  const kind = rng.int(0, 9);
  if (kind === 0) Object.assign(b, a);
  // Parallel to an edge of the target, one with no length, one that is almost parallel.
  if (kind === 1) Object.assign(b, v3.add(a, v3.sub(q, p)));
  if (kind === 2) Object.assign(q, p);
  if (kind === 3) Object.assign(b, v3.add(v3.add(a, v3.sub(q, p)), v3.scale(rng.direction(), size * 1e-9)));
  const length = (): number =>
    rng.chance(0.1) ? 0 : rng.chance(0.3) ? rng.int(1, 2) * size * 0.25 : size * 10 ** rng.range(-3, 0);
  const motion = v3.sub(to, from);
  if (rng.chance(0.4))
    v3.scale(v3.sub(v3.lerp(p, q, rng.unit()), v3.lerp(a, b, rng.unit())), rng.range(0.5, 3), motion);
  if (rng.chance(0.05)) v3.set(0, 0, 0, motion);
  return { capsule: { a, b, radius: length() }, motion, points: target, thickness: length(), size };
}

/** From a target drawn out along the capsule's axis, backwards: what keeps its end a away. */
type Drawn = <N>(f: Field<N>, p: V<N>, back: (corner: Vec3) => V<N>) => V<N>;

/** The offset of the end a; corners moved back by the exact axis. */
const drawnOffset =
  ({ a, b }: Capsule, drawn: Drawn): Case['offset'] =>
  (f, p) => {
    const axis = sub(f, vec(f, b), vec(f, a));
    return drawn(f, p, (corner) => sub(f, vec(f, corner), axis));
  };

const parallelogram = <N>(f: Field<N>, p: V<N>, a: V<N>, b: V<N>, c: V<N>, d: V<N>): V<N> =>
  shortest(f, [triangleWay(f, p, a, b, c), triangleWay(f, p, a, c, d)]);

function judgeCapsule(
  problem: Problem,
  drawn: Drawn,
  quickly: boolean,
  thickness: number,
  hit: Hit | null,
): Case {
  const { capsule, motion, points } = problem;
  const size = extent(capsule.a, motion, [capsule.radius, thickness], [capsule.b, ...points]);
  const asked = {
    center: capsule.a,
    motion,
    radii: [capsule.radius, thickness],
    offset: drawnOffset(capsule, drawn),
    tolerance: 8 * SWEEP_SLACK * size,
  };
  if (quickly) judgeQuickly(asked, 2 * SWEEP_SLACK * size, hit);
  else judge(asked, hit);
  return asked;
}

/** The point is on the target, `gap` from the capsule's axis along the normal. */
function judgePoint(problem: Problem, hit: Hit, toTarget: number, noise: number): void {
  const { capsule, motion } = problem;
  const { t, point, normal } = hit;
  check(toTarget <= noise, () => `the point is ${toTarget} off the target, noise ${noise}`);
  near(v3.length(normal), 1, 4 * Number.EPSILON, 'length of the normal');
  const at = (end: Vec3): V<number> => vec(floating, v3.addScaled(end, motion, t));
  const away = Math.hypot(...segmentWay(floating, vec(floating, point), at(capsule.a), at(capsule.b)));
  if (t > 0) near(away, capsule.radius, noise, 'distance of the point from the axis');
  else check(away <= capsule.radius + noise, 'the point is not in the capsule');
  if (t > 0) check(v3.dot(normal, motion) <= 1e-7 * v3.length(motion), 'the normal goes with the motion');
}

const noiseOf = (asked: Case, points: readonly Vec3[]): number =>
  2 * asked.tolerance + 16 * Number.EPSILON * Math.max(...points.map(v3.length), v3.length(asked.center));

describe('sweepCapsuleSphere', () => {
  property('[R5.5.6] is never late and early by rounding only, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng, 1);
    const { capsule, motion, thickness } = problem;
    const center = problem.points[0]!;
    const hit = sweepCapsuleSphere(capsule, motion, { center, radius: thickness });
    const segment: Drawn = (f, p, back) => segmentWay(f, p, vec(f, center), back(center));
    const asked = judgeCapsule(problem, segment, false, thickness, hit);
    if (hit)
      judgePoint(
        problem,
        hit,
        Math.max(0, v3.distance(hit.point, center) - thickness),
        noiseOf(asked, [center]),
      );
  });
});

describe('sweepCapsuleCapsule', () => {
  property('[R5.5.6] is never late and early by rounding only, by exact arithmetic', 10_000, (rng) => {
    const problem = draw(rng, 2);
    const { capsule, motion, thickness } = problem;
    const [c, d] = problem.points as [Vec3, Vec3];
    const hit = sweepCapsuleCapsule(capsule, motion, { a: c, b: d, radius: thickness });
    const face: Drawn = (f, p, back) => parallelogram(f, p, vec(f, c), vec(f, d), back(d), back(c));
    const asked = judgeCapsule(problem, face, rng.chance(0.7), thickness, hit);
    if (!hit) return;
    const e = v3.sub(d, c);
    const s =
      v3.lengthSq(e) > 0 ? Math.min(1, Math.max(0, v3.dot(v3.sub(hit.point, c), e) / v3.lengthSq(e))) : 0;
    const off = v3.distance(hit.point, v3.lerp(c, d, s)) - thickness;
    judgePoint(problem, hit, Math.max(0, off), noiseOf(asked, [c, d]));
  });

  test('crossed, side by side, end to end, and crossing at the start', () => {
    const along = { a: vec3(-5, 0, 0), b: vec3(5, 0, 0), radius: 1 };
    const across = sweepCapsuleCapsule(
      { a: vec3(1, -5, 6), b: vec3(1, 5, 6), radius: 2 },
      vec3(0, 0, -6),
      along,
    )!;
    expect(across.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(across.point, vec3(1, 0, 1))).toBeLessThan(1e-13);
    expect(across.normal.z).toBeCloseTo(1, 13);
    const beside = sweepCapsuleCapsule(
      { a: vec3(4, 0, 6), b: vec3(14, 0, 6), radius: 2 },
      vec3(0, 0, -6),
      along,
    )!;
    expect(beside.t).toBeCloseTo(0.5, 13);
    expect(beside.point.z).toBeCloseTo(1, 13);
    expect(beside.point.x).toBeGreaterThanOrEqual(4 - 1e-13);
    expect(beside.point.x).toBeLessThanOrEqual(5 + 1e-13);
    const end = sweepCapsuleCapsule(
      { a: vec3(12, 0, 0), b: vec3(20, 0, 0), radius: 2 },
      vec3(-8, 0, 0),
      along,
    )!;
    expect(end.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(end.point, vec3(6, 0, 0))).toBeLessThan(1e-13);
    const crossing = sweepCapsuleCapsule(
      { a: vec3(1, -5, 0), b: vec3(1, 5, 0), radius: 2 },
      vec3(0, 0, -6),
      along,
    )!;
    expect(crossing.t).toBe(0);
    expect(crossing.normal.z).toBeCloseTo(1, 14);
    expect(v3.distance(crossing.point, vec3(1, 0, 0))).toBeLessThan(1e-14);
  });

  test('where the axes cross in the middle of both, the normal is across both to the last digits', () => {
    // The foot is on a diagonal of the parallelogram, whose own distance differs by less than an ulp.
    const a = vec3(1.0000000004618264, 1.0000000000099345, 1.9999999992797877);
    const b = vec3(6.5020948417549e-10, 2.747430176575174e-10, -1.0000000008156318);
    const c = vec3(1.0000000008752443, 4.932262315155538e-10, -8.413719522463461e-10);
    const d = vec3(0.999999999081442, 3.4755053203772655e-10, 1.0000000004938032);
    const { normal } = sweepCapsuleCapsule({ a, b, radius: 0 }, vec3(1, 0, 1), { a: c, b: d, radius: 1 })!;
    expect(Math.abs(v3.dot(normal, v3.sub(b, a)))).toBeLessThan(1e-15);
    expect(Math.abs(v3.dot(normal, v3.sub(d, c)))).toBeLessThan(1e-15);
  });
});

describe('sweepCapsuleTriangle', () => {
  const prism =
    (a: Vec3, b: Vec3, c: Vec3): Drawn =>
    <N>(f: Field<N>, p: V<N>, back: (corner: Vec3) => V<N>): V<N> => {
      const [va, vb, vc] = [vec(f, a), vec(f, b), vec(f, c)];
      const [ba, bb, bc] = [back(a), back(b), back(c)];
      const zero = f.of(0);
      const n = cross(f, sub(f, vb, va), sub(f, vc, va));
      const axis = sub(f, va, ba);
      // From p along the axis: does that segment meet the triangle?
      const fall = dot(f, n, axis);
      if (f.cmp(fall, zero) !== 0) {
        const s = f.div(dot(f, n, sub(f, va, p)), fall);
        const at = along(f, p, axis, s);
        const inside = (from: V<N>, to: V<N>): boolean =>
          f.cmp(dot(f, n, cross(f, sub(f, to, from), sub(f, at, from))), zero) >= 0;
        if (
          f.cmp(s, zero) >= 0 &&
          f.cmp(s, f.of(1)) <= 0 &&
          inside(va, vb) &&
          inside(vb, vc) &&
          inside(vc, va)
        )
          return [zero, zero, zero];
      }
      return shortest(f, [
        triangleWay(f, p, va, vb, vc),
        triangleWay(f, p, ba, bb, bc),
        parallelogram(f, p, va, vb, bb, ba),
        parallelogram(f, p, vb, vc, bc, bb),
        parallelogram(f, p, vc, va, ba, bc),
      ]);
    };

  function run(rng: Rng, quickly: boolean): boolean {
    const problem = draw(rng, 3);
    const { capsule, motion, points } = problem;
    const [a, b, c] = points as [Vec3, Vec3, Vec3];
    const hit = sweepCapsuleTriangle(capsule, motion, a, b, c);
    const asked = judgeCapsule(problem, prism(a, b, c), quickly, 0, hit);
    if (!hit) return false;
    const off = <N>(f: Field<N>): number => {
      const way = triangleWay(f, vec(f, hit.point), vec(f, a), vec(f, b), vec(f, c));
      return Math.sqrt(f.number(dot(f, way, way)));
    };
    const noise = noiseOf(asked, points);
    judgePoint(problem, hit, off(floating) <= noise ? 0 : off(rational), noise);
    return true;
  }

  let hits = 0;
  let cases = 0;
  property('[R5.5.6] is never late and early by rounding only', 10_000, (rng) => {
    cases++;
    if (run(rng, true)) hits++;
  });
  test('random triangles are hit and missed', () => {
    expect(hits / cases).toBeGreaterThan(0.3);
    expect(hits / cases).toBeLessThan(0.9);
  });
  property('[R5.5.6] is never late and early by rounding only, by exact arithmetic', 500, (rng) => {
    run(rng, false);
  });

  test('an end on the face, the side on an edge, flat on the face, through the face at the start', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
    const end = sweepCapsuleTriangle(
      { a: vec3(1, 1, 5), b: vec3(1, 2, 9), radius: 1 },
      vec3(0, 0, -8),
      a,
      b,
      c,
    )!;
    expect(end.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(end.point, vec3(1, 1, 0))).toBeLessThan(1e-13);
    const upright = sweepCapsuleTriangle(
      { a: vec3(2, -4, -3), b: vec3(2, -4, 3), radius: 1 },
      vec3(0, 6, 0),
      a,
      b,
      c,
    )!;
    expect(upright.t).toBeCloseTo(0.5, 13);
    expect(v3.distance(upright.point, vec3(2, 0, 0))).toBeLessThan(1e-13);
    expect(upright.normal.y).toBeCloseTo(-1, 13);
    const flat = sweepCapsuleTriangle(
      { a: vec3(-5, 1, 5), b: vec3(9, 1, 5), radius: 1 },
      vec3(0, 0, -8),
      a,
      b,
      c,
    )!;
    expect(flat.t).toBeCloseTo(0.5, 13);
    expect(flat.normal.z).toBeCloseTo(1, 13);
    const through = sweepCapsuleTriangle(
      { a: vec3(1, 1, -9), b: vec3(1, 1, 9), radius: 1 },
      vec3(0, 0, -8),
      a,
      b,
      c,
    )!;
    expect(through.t).toBe(0);
    expect(v3.distance(through.point, vec3(1, 1, 0))).toBeLessThan(1e-13);
    expect(through.normal.z).toBeCloseTo(1, 14);
    expect(() => sweepCapsuleTriangle({ a, b, radius: -1 }, vec3(), a, b, c)).toThrow(/capsule\.radius/);
    expect(() => sweepCapsuleTriangle({ a, b, radius: 1 }, vec3(), a, b, vec3(0, 0, Number.NaN))).toThrow(
      / c\.z/,
    );
  });
});
