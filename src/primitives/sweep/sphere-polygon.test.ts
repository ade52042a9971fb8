import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, near, property } from '../../../tests/kit/index.ts';
import {
  extent,
  judge,
  judgeContact,
  shortest,
  triangleWay,
  vec,
} from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec2, Vec3 } from '../../math/types.ts';
import { vec2, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { sweepSpherePolygon } from './sphere-polygon.ts';
import { sweepSphereTriangle } from './sphere-triangle.ts';

interface Problem {
  center: Vec3;
  radius: number;
  motion: Vec3;
  /** The corners in the plane, star-shaped about the first of `points`, which the others go round. */
  points: Vec3[];
}

const QUADRANGLE = [vec2(8, 0), vec2(-3, 7), vec2(-8, 1), vec2(2, -7)];
const COMPASS = [
  vec2(1, 0),
  vec2(1, 1),
  vec2(0, 1),
  vec2(-1, 1),
  vec2(-1, 0),
  vec2(-1, -1),
  vec2(0, -1),
  vec2(1, -1),
];
const stretched = ({ x, y }: Vec2, by: number): Vec2 => vec2(by * x, by * y);

/** A polygon with corners on a grid in a plane, so that they are coplanar exactly; star-shaped, or a convex hexagon. */
function draw(rng: Rng, convex: boolean): Problem {
  const scale = rng.pick([1, 1, 2 ** -20, 2 ** 20]);
  const place = (): Vec3 => vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3));
  const origin = rng.chance(0.2) ? v3.scale(place(), 2 ** 18) : place();
  let u = place();
  let w = place();
  // A plane, and mostly not one of the coordinate planes.
  while (v3.lengthSq(v3.cross(u, w)) === 0) [u, w] = [place(), place()];
  const around = convex ? QUADRANGLE : COMPASS.map((p) => stretched(p, rng.int(1, 8)));
  const at = (x: number, y: number): Vec3 =>
    v3.scale(v3.addScaled(v3.addScaled(origin, u, x / 8), w, y / 8), scale);
  const points = [at(0, 0), ...around.map(({ x, y }) => at(x, y))];
  const center = v3.scale(v3.add(origin, rng.vec(5)), scale);
  const target = v3.scale(
    v3.addScaled(v3.addScaled(origin, u, rng.range(-1, 1)), w, rng.range(-1, 1)),
    scale,
  );
  const motion = v3.scale(v3.sub(target, center), rng.range(0.5, 2));
  if (rng.chance(0.1))
    v3.scale(v3.addScaled(v3.scale(u, rng.range(-2, 2)), w, rng.range(-2, 2)), scale, motion);
  const radius = rng.chance(0.1) ? 0 : scale * 10 ** rng.range(-4, 0.5);
  return { center, radius, motion, points };
}

describe('sweepSpherePolygon', () => {
  property('[R5.5.6] convex: never late and early by rounding only, by exact arithmetic', 10_000, (rng) => {
    const { center, radius, motion, points } = draw(rng, true);
    const [middle, ...corners] = points as [Vec3, ...Vec3[]];
    if (rng.chance(0.5)) corners.reverse();
    const hit = sweepSpherePolygon({ center, radius }, motion, corners);
    const asked = {
      center,
      motion,
      radii: [radius],
      offset: <N>(f: Parameters<typeof vec<N>>[0], p: ReturnType<typeof vec<N>>) =>
        shortest(f, [
          triangleWay(f, p, vec(f, corners[0]!), vec(f, corners[1]!), vec(f, corners[2]!)),
          triangleWay(f, p, vec(f, corners[0]!), vec(f, corners[2]!), vec(f, corners[3]!)),
        ]),
      tolerance: 8 * SWEEP_SLACK * extent(center, motion, [radius], corners),
    };
    judge(asked, hit);
    if (hit) judgeContact(asked, hit, asked.tolerance + 8 * Number.EPSILON * v3.length(middle));
  });

  property('[R5.5.6] star-shaped: the first of the triangles that it is made of', 10_000, (rng) => {
    const { center, radius, motion, points } = draw(rng, false);
    const [middle, ...corners] = points as [Vec3, ...Vec3[]];
    const hit = sweepSpherePolygon({ center, radius }, motion, corners);
    let first = Infinity;
    let speed = 0;
    corners.forEach((a, i) => {
      const b = corners[(i + 1) % corners.length]!;
      const triangle = sweepSphereTriangle({ center, radius }, motion, middle, a, b);
      if (triangle && triangle.t < first) {
        first = triangle.t;
        speed = Math.abs(v3.dot(triangle.normal, motion));
      }
    });
    const noise = 16 * SWEEP_SLACK * extent(center, motion, [radius], corners);
    if (!hit || first === Infinity) {
      if (!hit && first === Infinity) return;
      // Only the rounding of a graze, or of the end, may come between them.
      const grown = sweepSpherePolygon(
        { center, radius: radius + noise },
        v3.scale(motion, 1 + 1e-13),
        corners,
      );
      const shrunk = sweepSpherePolygon(
        { center, radius: Math.max(0, radius - noise) },
        v3.scale(motion, 1 - 1e-13),
        corners,
      );
      check(grown !== null && (shrunk === null || radius < noise), hit ? 'a false hit' : 'missed');
      return;
    }
    near(
      hit.t,
      first,
      speed > 0 ? noise / speed + Math.sqrt((noise * noise) / v3.lengthSq(motion)) : 1e-7,
      't',
    );
  });

  const ell = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(4, 1, 0), vec3(1, 1, 0), vec3(1, 4, 0), vec3(0, 4, 0)];

  test('[R5.5.6] the notch of a concave polygon is open', () => {
    expect(sweepSpherePolygon({ center: vec3(3, 3, 5), radius: 1 }, vec3(0, 0, -10), ell)).toBeNull();
    const wide = sweepSpherePolygon({ center: vec3(3, 3, 5), radius: 2.5 }, vec3(0, 0, -10), ell)!;
    expect(wide.t).toBeCloseTo((5 - Math.sqrt(2.5 ** 2 - 4)) / 10, 13);
    const leg = sweepSpherePolygon({ center: vec3(3, 0.5, 5), radius: 1 }, vec3(0, 0, -10), ell)!;
    expect(leg.t).toBeCloseTo(0.4, 13);
    expect(leg.normal.z).toBeCloseTo(1, 14);
  });

  test('[R5.5.6] a start in touch, with the nearest point', () => {
    const above = sweepSpherePolygon({ center: vec3(0.5, 0.5, -0.5), radius: 1 }, vec3(1, 0, 0), ell)!;
    expect(above.t).toBe(0);
    expect(v3.distance(above.point, vec3(0.5, 0.5, 0))).toBeLessThan(1e-15);
    expect(above.normal.z).toBeCloseTo(-1, 14);
    const notch = sweepSpherePolygon({ center: vec3(1.5, 1.2, 0), radius: 1 }, vec3(0, 0, 1), ell)!;
    expect(v3.distance(notch.point, vec3(1.5, 1, 0))).toBeLessThan(1e-15);
  });

  test('[R5.5.6] polygons that are points or lines', () => {
    const ball = { center: vec3(0, 0, 3), radius: 1 };
    const down = vec3(0, 0, -4);
    for (const points of [
      [vec3()],
      [vec3(-1), vec3(1)],
      [vec3(-1), vec3(1), vec3()],
      [vec3(), vec3(), vec3()],
    ])
      expect(sweepSpherePolygon(ball, down, points)!.t).toBeCloseTo(0.5, 13);
  });

  test('a bent polygon is hit no later than its edges', () => {
    const bent = [vec3(0, 0, 0.1), vec3(2, 0, 0), vec3(2, 2, 0.1), vec3(0, 2, 0)];
    const hit = sweepSpherePolygon({ center: vec3(1, 1, 5), radius: 0.5 }, vec3(0, 0, -10), bent)!;
    expect(hit.t).toBeLessThanOrEqual(0.45);
    expect(hit.t).toBeGreaterThan(0.43);
  });

  test('bad input is named', () => {
    const ball = { center: vec3(), radius: 1 };
    expect(() => sweepSpherePolygon(ball, vec3(), [])).toThrow(/vertices/);
    expect(() => sweepSpherePolygon(ball, vec3(), [vec3(), vec3(0, Number.NaN, 0)])).toThrow(
      /vertices\[1\]\.y/,
    );
  });
});
