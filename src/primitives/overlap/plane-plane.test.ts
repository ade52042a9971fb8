import { describe, expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../../tests/kit/index.ts';
import type { Plane, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { makeRay } from '../types.ts';
import { classifyPlanePlanePlane, intersectPlanePlane, intersectPlanePlanePlane } from './plane-plane.ts';

const makePlane = (x: number, y: number, z: number, d: number): Plane => ({ normal: vec3(x, y, z), d });

/** Small integers, plain, huge or tiny; sometimes nearly parallel to `to`. */
function drawPlane(rng: Rng, to?: Plane): Plane {
  const scale = rng.pick([1, 1e6, 1e-6]);
  if (to && rng.chance(0.3)) {
    const tilt = rng.pick([1e-3, 1e-7, 1e-11]) * m.length(to.normal);
    const normal = m.scale(m.addScaled(to.normal, rng.direction(), tilt), rng.pick([1, -1, 3]));
    return { normal, d: rng.range(-1, 1) * scale };
  }
  if (rng.chance(0.3)) return makePlane(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3), rng.int(-9, 9));
  return { normal: m.scale(rng.direction(), rng.pick([1, scale])), d: rng.range(-1, 1) * scale };
}

/** n · p - d as the exact value, over |n| |p| + |d|: what rounding the point alone may cause is about 1e-16. */
function residual({ normal, d }: Plane, p: Vec3): number {
  const value = exact.toNumber(exact.sub(exact.vdot(exact.qv(normal), exact.qv(p)), exact.q(d)));
  return Math.abs(value) / (m.length(normal) * m.length(p) + Math.abs(d) || 1);
}

describe('two planes', () => {
  property('[R5.4.4] the line lies in both, however small the angle', 10_000, (rng) => {
    const p = drawPlane(rng);
    const q = drawPlane(rng, p);
    const line = intersectPlanePlane(p, q, makeRay());
    const n = exact.vcross(exact.qv(p.normal), exact.qv(q.normal));
    const sine = m.length(exact.vnumber(n)) / (m.length(p.normal) * m.length(q.normal) || 1);
    if (sine < 1.4e-14) check(line === null, () => `parallel: ${JSON.stringify([p, q])}`);
    if (sine > 1.5e-14) check(line !== null, () => `not parallel: ${JSON.stringify([p, q])}`);
    if (!line) return;
    const { origin, direction } = line;
    check(
      residual(p, origin) < 2e-15 && residual(q, origin) < 2e-15,
      () => `origin ${JSON.stringify([p, q, origin])}`,
    );
    const along = m.length(direction);
    check(Math.abs(m.dot(direction, p.normal)) <= 1e-15 * along * m.length(p.normal), 'direction, first');
    check(Math.abs(m.dot(direction, q.normal)) <= 1e-15 * along * m.length(q.normal), 'direction, second');
    // The point is the one nearest to the origin.
    check(Math.abs(m.dot(direction, origin)) <= 4e-15 * along * m.length(origin), 'nearest');
  });

  test('[R5.4.4] unit planes at 45° need the division too', () => {
    const s = Math.SQRT1_2;
    const { origin, direction } = intersectPlanePlane(makePlane(1, 0, 0, 2), makePlane(s, s, 0, 3 * s))!;
    expect(origin.x).toBeCloseTo(2, 14);
    expect(origin.y).toBeCloseTo(1, 14);
    expect([direction.x, direction.y]).toEqual([0, 0]);
    expect(direction.z).toBeCloseTo(s, 14);
  });

  test('[R5.4.4] parallel and coincident planes share no line, at any scale', () => {
    for (const s of [1, 1e-9, 1e9]) {
      expect(intersectPlanePlane(makePlane(s, s, 0, 1), makePlane(-2, -2, 0, 7))).toBe(null);
      expect(intersectPlanePlane(makePlane(s, 2 * s, 3 * s, s), makePlane(1, 2, 3, 1))).toBe(null);
    }
    expect(intersectPlanePlane(makePlane(0, 0, 0, 0), makePlane(1, 2, 3, 1))).toBe(null);
    expect(() => intersectPlanePlane(makePlane(1, 0, 0, Number.NaN), makePlane(0, 1, 0, 0))).toThrow(/p\.d/);
  });
});

describe('three planes', () => {
  property('[R5.4.5] the point lies in all three', 10_000, (rng) => {
    const p = drawPlane(rng);
    const q = drawPlane(rng, p);
    const r = drawPlane(rng, rng.pick([p, q]));
    const point = intersectPlanePlanePlane(p, q, r, vec3());
    check((point !== null) === (classifyPlanePlanePlane(p, q, r) === 'point'), 'same verdict');
    if (!point) return;
    for (const plane of [p, q, r])
      check(
        residual(plane, point) < 2e-15,
        () => `${residual(plane, point)} ${JSON.stringify([p, q, r, point])}`,
      );
  });

  property('[R5.4.5] the point is that of exact elimination, on integer planes', 10_000, (rng) => {
    const rows = [0, 1, 2].map(() =>
      makePlane(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4), rng.int(-9, 9)),
    );
    const [p, q, r] = rows as [Plane, Plane, Plane];
    const found = intersectPlanePlanePlane(p, q, r);
    const det = m.triple(p.normal, q.normal, r.normal); // exact for small integers
    check((found !== null) === (det !== 0), () => JSON.stringify(rows));
    if (!found) return;
    const swap = (axis: 'x' | 'y' | 'z') => {
      const [a, b, c] = rows.map(({ normal, d }) => ({ ...normal, [axis]: d }));
      return m.triple(a!, b!, c!) / det;
    };
    const wanted = vec3(swap('x'), swap('y'), swap('z'));
    check(m.distance(found, wanted) <= 4e-15 * (1 + m.length(wanted)), () =>
      JSON.stringify([rows, found, wanted]),
    );
  });

  property('[R5.4.5] the configuration is the one that integer planes were made for', 10_000, (rng) => {
    const normal = () => {
      for (;;) {
        const n = vec3(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4));
        if (m.lengthSq(n) > 0) return n;
      }
    };
    const n = normal();
    const k = normal();
    const through = vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5));
    const isCrossing = m.lengthSq(m.cross(n, k)) > 0;
    const [s, t] = [rng.int(1, 3) * rng.sign(), rng.int(1, 3) * rng.sign()];
    const lift = rng.int(1, 5) * rng.sign();
    const plane = (v: Vec3, up = 0): Plane => ({ normal: v, d: m.dot(v, through) + up });
    const blend = m.add(m.scale(n, s), m.scale(k, t));
    const cases: [string, Plane[]][] = [
      ['parallel', [plane(n), plane(m.scale(n, s), lift), plane(m.scale(n, t))]],
    ];
    if (isCrossing) {
      cases.push(['line', [plane(n), plane(k), plane(blend)]]);
      cases.push(['line', [plane(n), plane(k), plane(m.scale(n, s))]]);
      cases.push(['prism', [plane(n), plane(k), plane(blend, lift)]]);
      cases.push(['two-parallel', [plane(n), plane(k), plane(m.scale(n, s), lift)]]);
      cases.push(['point', [plane(n), plane(k, lift), plane(m.cross(n, k))]]);
    }
    const [name, planes] = rng.pick(cases);
    // Of any length: a division by 3 rounds them.
    for (const p of planes) {
      const f = rng.pick([1, 1 / 3, 1e6, 1e-6]);
      m.scale(p.normal, f, p.normal);
      p.d *= f;
    }
    const [p, q, r] = rng.shuffle(planes) as [Plane, Plane, Plane];
    const found = classifyPlanePlanePlane(p, q, r);
    check(found === name, () => `${found}, not ${name}: ${JSON.stringify(planes)}`);
  });

  test('[R5.4.5] the five configurations by name', () => {
    const x0 = makePlane(1, 0, 0, 0);
    const x1 = makePlane(2, 0, 0, 2);
    const y0 = makePlane(0, 1, 0, 0);
    expect(classifyPlanePlanePlane(x0, y0, makePlane(0, 0, 5, 1))).toBe('point');
    expect(classifyPlanePlanePlane(x0, y0, makePlane(1, 1, 0, 0))).toBe('line');
    expect(classifyPlanePlanePlane(x0, y0, makePlane(1, 1, 0, 1))).toBe('prism');
    expect(classifyPlanePlanePlane(x0, y0, x1)).toBe('two-parallel');
    expect(classifyPlanePlanePlane(x0, x1, makePlane(-1, 0, 0, 9))).toBe('parallel');
    expect(intersectPlanePlanePlane(x0, y0, makePlane(1, 1, 0, 1))).toBe(null);
    expect(() => intersectPlanePlanePlane(x0, makePlane(Infinity, 0, 0, 0), y0)).toThrow(/q\.normal\.x/);
  });
});
