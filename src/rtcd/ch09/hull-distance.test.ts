import { expect, test } from 'vitest';
import { exactPointTetrahedron, exactTriangleTriangle } from '../../../tests/kit/exact-distance.ts';
import { check, cloud, exact, near, property, type Rng } from '../../../tests/kit/index.ts';
import { unitOfPoints } from '../../math/big-integers.ts';
import type { Vec3 } from '../../math/types.ts';
import { extremesOfList } from './extremes.ts';
import { closestMixtures, hullDistance, makeHullDistance } from './hull-distance.ts';

const { qv, add, cmp, sign, toNumber, vadd, vdot, vscale, vsub } = exact;

/** Two lists of points from one regime: often doubled, flat or on a line, or the one moved away, or touching. */
function twoSets(rng: Rng, most: number): { a: Vec3[]; b: Vec3[] } {
  const { points, size } = cloud(rng, 2 * most);
  const a = points.slice(0, rng.int(1, most));
  const b = points.slice(most, most + rng.int(1, most));
  const axis = rng.pick(['x', 'y', 'z'] as const);
  if (rng.chance(0.2)) for (const p of a) p[axis] = points[0]![axis];
  if (rng.chance(0.2)) for (const p of b) p[axis] = points[0]![axis];
  if (rng.chance(0.1)) a.push({ ...rng.pick(a) }, { ...rng.pick(a) });
  if (rng.chance(0.1)) b.push({ ...rng.pick(a) });
  if (rng.chance(0.1)) b.splice(0, b.length, ...a.map((p) => ({ x: p.x, y: p.y, z: p.z })));
  if (rng.chance(0.5)) {
    // Apart along an axis: by nothing, by a hair, or by far.
    const high = Math.max(...a.map((p) => p[axis]));
    const low = Math.min(...b.map((p) => p[axis]));
    const gap = size * rng.pick([0, 0, 1e-12, 0.1, 1, 100]);
    for (const p of b) p[axis] += high - low + gap;
  }
  return { a, b };
}

/**
 * The conditions of optimality, in rational arithmetic: the gap is the difference of two mixtures, and no point of
 * either set lies farther towards the other set than the mixture does. They hold for the closest points only.
 */
function judge(a: Vec3[], b: Vec3[]): { distanceSq: exact.Q; a: exact.QVec; b: exact.QVec } {
  const unit = Math.min(0, unitOfPoints(a), unitOfPoints(b));
  const { members, denominator } = closestMixtures(
    a,
    b,
    extremesOfList(a, unit),
    extremesOfList(b, unit),
    unit,
  );
  const zero = { x: exact.ZERO, y: exact.ZERO, z: exact.ZERO };
  const mixed = [zero, zero];
  const total = [exact.ZERO, exact.ZERO];
  check(members.length <= 5, 'at most five members');
  for (const { isSecond, index, weight } of members) {
    const w = { n: weight, d: denominator };
    check(sign(w) > 0, 'a coefficient is not positive');
    const side = isSecond ? 1 : 0;
    total[side] = add(total[side]!, w);
    mixed[side] = vadd(mixed[side]!, vscale(qv((isSecond ? b : a)[index]!), w));
  }
  check(
    cmp(total[0]!, exact.ONE) === 0 && cmp(total[1]!, exact.ONE) === 0,
    'coefficients do not add up to 1',
  );
  const gap = vsub(mixed[0]!, mixed[1]!);
  for (const p of a) check(sign(vdot(gap, vsub(qv(p), mixed[0]!))) >= 0, 'a point of a is closer');
  for (const p of b) check(sign(vdot(gap, vsub(qv(p), mixed[1]!))) <= 0, 'a point of b is closer');
  return { distanceSq: vdot(gap, gap), a: mixed[0]!, b: mixed[1]! };
}

property(
  '[R9.4.2] the closest points are proven closest, and every number is rounded once',
  10_000,
  (rng) => {
    const { a, b } = twoSets(rng, rng.pick([1, 2, 3, 4, 5, 8, 30]));
    const truth = judge(a, b);
    const found = hullDistance(a, b);
    check((found.distance === 0) === (sign(truth.distanceSq) === 0), 'touching is decided exactly');
    const distance = Math.sqrt(toNumber(truth.distanceSq));
    near(found.distance, distance, 4e-16 * distance, 'distance');
    for (const side of ['a', 'b'] as const)
      for (const k of ['x', 'y', 'z'] as const) {
        const wanted = toNumber(truth[side][k]);
        near(found[side][k], wanted, 4e-16 * Math.abs(wanted), `${side}.${k}`);
      }
    for (const [points, coefficients, point] of [
      [a, found.coefficientsA, found.a],
      [b, found.coefficientsB, found.b],
    ] as const) {
      check(coefficients.length === points.length, 'one coefficient a point');
      check(
        coefficients.every((c) => c >= 0 && c <= 1),
        'a coefficient is out of [0, 1]',
      );
      near(
        coefficients.reduce((s, c) => s + c, 0),
        1,
        1e-15,
        'sum of coefficients',
      );
      const size = Math.max(...points.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
      for (const k of ['x', 'y', 'z'] as const)
        near(
          coefficients.reduce((s, c, i) => s + c * points[i]![k], 0),
          point[k],
          1e-15 * size,
          'mixture',
        );
    }
  },
);

property('[R9.4.2] = the least distance of all triangles and tetrahedra that the points make', 500, (rng) => {
  const { a, b } = twoSets(rng, rng.pick([1, 2, 3, 4]));
  const corner = (points: Vec3[], i: number) => points[Math.min(i, points.length - 1)]!;
  let least = Infinity;
  // All triples and quadruples, with repetition when there are fewer points.
  const upTo = (points: Vec3[], k: number) => Math.max(k, points.length);
  for (const [p, r] of [
    [a, b],
    [b, a],
  ] as const)
    for (const point of p)
      for (let i = 0; i < upTo(r, 4); i++)
        for (let j = i + 1; j < upTo(r, 4); j++)
          for (let k = j + 1; k < upTo(r, 4); k++)
            for (let l = k + 1; l < upTo(r, 4); l++)
              least = Math.min(
                least,
                exactPointTetrahedron(point, corner(r, i), corner(r, j), corner(r, k), corner(r, l)),
              );
  for (const s of triples(upTo(a, 3)))
    for (const t of triples(upTo(b, 3)))
      least = Math.min(
        least,
        exactTriangleTriangle(...(s.map((i) => corner(a, i)) as T), ...(t.map((i) => corner(b, i)) as T)),
      );
  near(hullDistance(a, b).distance, least, 1e-15 * least, 'distance');
});
type T = [Vec3, Vec3, Vec3];

function triples(n: number): [number, number, number][] {
  const all: [number, number, number][] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) for (let k = j + 1; k < n; k++) all.push([i, j, k]);
  return all;
}

test('[R9.4.2] single points, duplicates, touching in a point, one inside the other', () => {
  const p = { x: 1, y: 2, z: 3 };
  expect(hullDistance([p], [{ x: 1, y: 2, z: 8 }])).toEqual({
    a: p,
    b: { x: 1, y: 2, z: 8 },
    coefficientsA: [1],
    coefficientsB: [1],
    distance: 5,
  });
  expect(hullDistance([p, p, p], [p, p]).distance).toBe(0);
  const cube = Array.from({ length: 8 }, (_, i) => ({ x: i & 1, y: (i >> 1) & 1, z: i >> 2 }));
  expect(hullDistance(cube, [{ x: 1, y: 1, z: 1 }]).distance).toBe(0);
  expect(hullDistance(cube, [{ x: 0.5, y: 0.25, z: 0.75 }]).distance).toBe(0);
  expect(hullDistance(cube, [{ x: 0.5, y: 0.25, z: 1 + 2 ** -52 }]).distance).toBe(2 ** -52);
  // A tenth of a third of a line: no sum of products in doubles would find it touching.
  const line = [
    { x: 0, y: 0, z: 0 },
    { x: 3e-3, y: 9e-3, z: 3e70 },
  ];
  expect(hullDistance(line, [line[1]!]).distance).toBe(0);
  expect(hullDistance([{ x: 5e-324, y: 0, z: 0 }], [{ x: 0, y: 0, z: 0 }]).distance).toBe(5e-324);
  expect(hullDistance([{ x: 1e74, y: 0, z: 0 }], [{ x: 0, y: 1e-308, z: 0 }]).distance).toBe(1e74);
});

test('[R9.4.2] the record is filled anew for lists of other lengths', () => {
  const out = makeHullDistance();
  const points = Array.from({ length: 6 }, (_, i) => ({ x: i, y: i * i, z: 0 }));
  hullDistance(points, points, out);
  expect(hullDistance(points.slice(0, 2), [points[5]!], out)).toBe(out);
  expect(out.coefficientsA).toEqual([0, 1]);
  expect(out.coefficientsB).toEqual([1]);
});

test('[R9.4.2] empty lists and bad numbers are refused', () => {
  expect(() => hullDistance([], [{ x: 0, y: 0, z: 0 }])).toThrow('a must hold at least one point');
  expect(() => hullDistance([{ x: 0, y: 0, z: 0 }], [])).toThrow('b must hold at least one point');
  expect(() => hullDistance([{ x: 0, y: Number.NaN, z: 0 }], [{ x: 0, y: 0, z: 0 }])).toThrow('a[0].y');
});
