import { describe, expect, test } from 'vitest';
import { between, degeneratePoints, reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointTetrahedron, exactPointTriangle } from '../../../tests/kit/exact-distance.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, equals } from '../../math/vec3.ts';
import { closestPointTetrahedron } from './tetrahedron.ts';

const U = 2 ** -53;
type Five = [Vec3, Vec3, Vec3, Vec3, Vec3];

describe('point and tetrahedron', () => {
  property('[R5.1.6] = exact minimum over four faces, 0 inside, any order of the corners', 20_000, (rng) => {
    const points = degeneratePoints(rng, cloud(rng, 5), 0.2) as Five;
    const [p, a, b, c, d] = points;
    const wanted = exactPointTetrahedron(p, a, b, c, d);
    const tolerance = 24 * U * span(points) + 4 * U * reach(points);
    const q = closestPointTetrahedron(p, a, b, c, d);
    near(distance(p, q), wanted, tolerance, 'distance');
    near(exactPointTetrahedron(q, a, b, c, d), 0, tolerance, 'distance of the point from the tetrahedron');
    if (wanted === 0) near(distance(p, q), 0, tolerance, 'inside');
    const [e, f, g, h] = rng.shuffle([a, b, c, d]) as [Vec3, Vec3, Vec3, Vec3];
    near(distance(p, closestPointTetrahedron(p, e, f, g, h)), wanted, tolerance, 'reordered');
    check(closestPointTetrahedron(p, a, b, c, d, a) === a && equals(a, q), 'out may be a corner');
  });

  property('[R5.1.6] strictly inside, the point itself', 10_000, (rng) => {
    const [a, b, c, d] = cloud(rng, 4).points as [Vec3, Vec3, Vec3, Vec3];
    const mid = (s: Vec3, t: Vec3): Vec3 => vec3((s.x + t.x) / 2, (s.y + t.y) / 2, (s.z + t.z) / 2);
    const p = mid(mid(a, b), mid(c, d));
    if (exactPointTetrahedron(p, a, b, c, d) > 0 || exactPointTriangle(a, b, c, d) === 0) return;
    const q = closestPointTetrahedron(p, a, b, c, d);
    near(distance(p, q), 0, 8 * U * reach([a, b, c, d]), 'distance');
  });

  property('[R5.1.6] flat: the closest of its triangles, never "inside"', 10_000, (rng) => {
    const n = () => rng.int(-3, 3);
    const [u, v, o] = [vec3(n(), n(), n()), vec3(n(), n(), n()), vec3(n(), n(), n())];
    const at = () => {
      const [s, t] = [n(), n()];
      return vec3(o.x + s * u.x + t * v.x, o.y + s * u.y + t * v.y, o.z + s * u.z + t * v.z);
    };
    const [a, b, c, d] = [at(), at(), at(), at()];
    const p = rng.chance(0.5) ? at() : between(rng, at(), vec3(n(), n(), n()));
    const wanted = Math.min(
      exactPointTriangle(p, a, b, c),
      exactPointTriangle(p, a, b, d),
      exactPointTriangle(p, a, c, d),
      exactPointTriangle(p, b, c, d),
    );
    near(
      distance(p, closestPointTetrahedron(p, a, b, c, d)),
      wanted,
      24 * U * span([p, a, b, c, d]),
      'distance',
    );
  });

  test('[R5.1.6] by hand', () => {
    const [a, b, c, d] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0), vec3(0, 0, 4)];
    const inside = vec3(0.5, 0.5, 0.5);
    expect(closestPointTetrahedron(inside, a, b, c, d)).toEqual(inside);
    expect(closestPointTetrahedron(inside, b, a, c, d)).toEqual(inside);
    expect(closestPointTetrahedron(vec3(1, 1, -2), a, b, c, d)).toEqual(vec3(1, 1, 0));
    expect(closestPointTetrahedron(vec3(9, -1, -1), a, b, c, d)).toEqual(b);
    // Flat, with the point over it: a tetrahedron whose face planes all pass through it would say "inside".
    expect(closestPointTetrahedron(vec3(1, 1, 5), a, b, c, vec3(1, 1, 0))).toEqual(vec3(1, 1, 0));
    expect(() => closestPointTetrahedron(inside, a, b, c, vec3(0, Number.NaN, 0))).toThrow(/d\.y/);
  });
});
