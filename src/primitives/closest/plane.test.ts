import { describe, expect, test } from 'vitest';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import { plane, vec3 } from '../../math/types.ts';
import { closestPointPlane, signedDistancePointPlane } from './plane.ts';

const U = 2 ** -53;

describe('point and plane', () => {
  test('[R5.1.1] the normal need not be a unit vector', () => {
    const p = vec3(5, 0, 0);
    const doubled = { normal: vec3(2, 0, 0), d: 4 };
    expect(closestPointPlane(p, doubled)).toEqual(vec3(2, 0, 0));
    expect(signedDistancePointPlane(p, doubled)).toBe(3);
    expect(signedDistancePointPlane(vec3(-1, 7, 7), doubled)).toBe(-3);
  });

  property('[R5.1.1] distance and foot = exact arithmetic', 10_000, (rng) => {
    const { points, scale } = cloud(rng, 2);
    const [p, through] = points as [(typeof points)[0], (typeof points)[0]];
    const n = rng.direction();
    const size = 10 ** rng.range(-6, 6);
    const normal = { x: n.x * size, y: n.y * size, z: n.z * size };
    const d = normal.x * through.x + normal.y * through.y + normal.z * through.z;
    const above = exact.sub(exact.vdot(exact.qv(normal), exact.qv(p)), exact.q(d));
    const nn = exact.vdot(exact.qv(normal), exact.qv(normal));
    const wanted = exact.toNumber(above) / Math.sqrt(exact.toNumber(nn));
    // n·p - d rounds a handful of terms no larger than |n| |p|.
    const tolerance = 16 * U * scale;
    near(signedDistancePointPlane(p, { normal, d }), wanted, tolerance, 'distance');
    const foot = closestPointPlane(p, { normal, d });
    for (const axis of ['x', 'y', 'z'] as const)
      near(foot[axis], p[axis] - wanted * n[axis], tolerance, `foot.${axis}`);
    check(closestPointPlane(p, { normal, d }, p) === p && p.x === foot.x, 'out may be p');
  });

  test('refuses what is no plane', () => {
    const flat = { normal: vec3(), d: 0 };
    expect(() => closestPointPlane(vec3(), flat)).toThrow(/plane\.normal/);
    expect(() => signedDistancePointPlane(vec3(), flat)).toThrow(/plane\.normal/);
    expect(() => closestPointPlane(vec3(Number.NaN), plane())).toThrow(/p\.x/);
    expect(() => signedDistancePointPlane(vec3(), { normal: vec3(1), d: Infinity })).toThrow(/plane\.d/);
  });
});
