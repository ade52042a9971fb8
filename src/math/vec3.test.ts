import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { samples } from '../../tests/samples/math-linear.ts';
import type { Mat3, Quat, Vec3 } from './types.ts';
import { mat3, vec3 } from './types.ts';
import * as v3 from './vec3.ts';

const EPS = 2 ** -52;
const size = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
const list = (a: Vec3): number[] => [a.x, a.y, a.z];
const same = (a: Vec3, b: number[], what: string): void =>
  check(a.x === b[0] && a.y === b[1] && a.z === b[2], () => `${what}: ${JSON.stringify(a)} is not ${b}`);
const close = (a: Vec3, b: Vec3, tolerance: number, what: string): void =>
  check(
    Math.abs(a.x - b.x) <= tolerance && Math.abs(a.y - b.y) <= tolerance && Math.abs(a.z - b.z) <= tolerance,
    () => `${what}: ${JSON.stringify(a)} is not within ${tolerance} of ${JSON.stringify(b)}`,
  );

/** Integers so small that everything below is exact. */
const integers = (rng: Rng): Vec3 => vec3(rng.int(-500, 500), rng.int(-500, 500), rng.int(-500, 500));

property('[R3.1.1-3] vectors are added, scaled and compared component by component', 10_000, (rng) => {
  const [a, b] = cloud(rng, 2).points as [Vec3, Vec3];
  const s = rng.range(-3, 3);
  const by = (f: (p: number, q: number) => number): number[] => list(a).map((p, i) => f(p, list(b)[i]!));
  same(
    v3.add(a, b),
    by((p, q) => p + q),
    'add',
  );
  same(
    v3.sub(a, b),
    by((p, q) => p - q),
    'sub',
  );
  same(
    v3.multiply(a, b),
    by((p, q) => p * q),
    'multiply',
  );
  same(
    v3.scale(a, s),
    by((p) => p * s),
    'scale',
  );
  same(
    v3.addScaled(a, b, s),
    by((p, q) => p + s * q),
    'addScaled',
  );
  same(v3.min(a, b), by(Math.min), 'min');
  same(v3.max(a, b), by(Math.max), 'max');
  same(
    v3.abs(a),
    by((p) => Math.abs(p)),
    'abs',
  );
  same(
    v3.negate(a),
    by((p) => -p),
    'negate',
  );
  same(v3.copy(a), list(a), 'copy');
  same(v3.lerp(a, b, 0), list(a), 'lerp 0');
  same(v3.lerp(a, b, 1), list(b), 'lerp 1');
  check(v3.equals(a, b) === (a.x === b.x && a.y === b.y && a.z === b.z), 'equals');
  check(v3.equals(a, v3.copy(a)), 'a equals its copy');
});

property('[R3.3] dot, cross and triple products are the exact ones to a few roundings', 10_000, (rng) => {
  const [a, b, c] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
  const [qa, qb, qc] = [exact.qv(a), exact.qv(b), exact.qv(c)];
  near(v3.dot(a, b), exact.toNumber(exact.vdot(qa, qb)), 2 * EPS * size(a) * size(b), 'dot');
  const cross = exact.vcross(qa, qb);
  close(v3.cross(a, b), exact.vnumber(cross), 2 * EPS * size(a) * size(b), 'cross');
  const triple = exact.toNumber(exact.vdot(cross, qc));
  near(v3.triple(a, b, c), triple, 8 * EPS * size(a) * size(b) * size(c), 'triple');
});

property('[R3.3] the accurate cross product has three good ulps in each component', 10_000, (rng) => {
  const [a, b] = cloud(rng, 2).points as [Vec3, Vec3];
  // Nearly parallel, at scales where the products leave the range of doubles, too.
  if (rng.chance(0.5)) v3.addScaled(v3.scale(a, rng.range(-2, 2)), b, rng.pick([0, 1e-16, 1e-9]), b);
  const far = rng.pick([1, 1, 1, 1e-160, 1e150]);
  v3.scale(a, far, a);
  v3.scale(b, far, b);
  const wanted = exact.vnumber(exact.vcross(exact.qv(a), exact.qv(b)));
  const found = v3.crossAccurate(a, b);
  for (const k of ['x', 'y', 'z'] as const)
    if (found[k] !== wanted[k]) near(found[k], wanted[k], Math.max(4 * EPS * Math.abs(wanted[k]), 2e-323), k);
});

property(
  '[R3.3] the identities of Lagrange, Jacobi, Binet and Cauchy, and of triple products',
  10_000,
  (rng) => {
    const [a, b, c, d] = [integers(rng), integers(rng), integers(rng), integers(rng)];
    const ab = v3.cross(a, b);
    const cd = v3.cross(c, d);
    check(v3.lengthSq(ab) === v3.lengthSq(a) * v3.lengthSq(b) - v3.dot(a, b) ** 2, 'Lagrange');
    check(v3.dot(ab, cd) === v3.dot(a, c) * v3.dot(b, d) - v3.dot(a, d) * v3.dot(b, c), 'Binet-Cauchy');
    const jacobi = v3.add(
      v3.add(v3.cross(a, v3.cross(b, c)), v3.cross(b, v3.cross(c, a))),
      v3.cross(c, v3.cross(a, b)),
    );
    same(jacobi, [0, 0, 0], 'Jacobi');
    const t = v3.triple(a, b, c);
    check(t === v3.triple(b, c, a) && t === v3.triple(c, a, b) && t === -v3.triple(b, a, c), '[uvw] turns');
    check(t === v3.dot(ab, c), '[uvw] = (u × v) · w');
    same(
      v3.cross(a, v3.cross(b, c)),
      list(v3.sub(v3.scale(b, v3.dot(a, c)), v3.scale(c, v3.dot(a, b)))),
      'bac - cab',
    );
    check(v3.dot(ab, a) === 0 && v3.dot(ab, b) === 0, 'the cross product is at right angles to both');
  },
);

/** Any direction, over all the exponents there are. */
const anySize = (rng: Rng): Vec3 => {
  const [a] = cloud(rng, 1).points as [Vec3];
  return v3.scale(a, rng.chance(0.5) ? 1 : 2 ** rng.int(-1000, 900));
};

property('[R3.3] lengths and unit vectors are right over the whole range of doubles', 10_000, (rng) => {
  const a = anySize(rng);
  const l = size(a);
  near(v3.length(a), l, Math.max(2 * EPS * l, 1e-323), 'length');
  near(v3.distance(a, v3.scale(a, -0.5)), 1.5 * l, Math.max(4 * EPS * l, 2e-323), 'distance');
  const n = v3.normalize(a);
  if (l === 0) return same(n, [0, 0, 0], 'no direction');
  near(size(n), 1, 2 * EPS, 'unit');
  const parallel = v3.crossAccurate(v3.scale(a, 1 / Math.max(...list(a).map(Math.abs), 1e-300)), n);
  check(l < 1e-290 || size(parallel) <= 4 * EPS, 'same direction');
  const p = v3.perpendicular(a);
  near(size(p), 1, 2 * EPS, 'perpendicular unit');
  near(v3.dot(p, n), 0, 2 * EPS, 'right angle');
});

test('[R3.3] lengths of the smallest and the largest vectors', () => {
  expect(v3.length(vec3(3e-320, 4e-320, 0))).toBeCloseTo(5e-320, 322);
  expect(v3.length(vec3(3e300, 4e300, 0))).toBe(5e300);
  expect(v3.distance(vec3(2e200, 0, 0), vec3(-2e200, 0, 0))).toBe(4e200);
  expect(v3.normalize(vec3(5e-324, 0, 0))).toEqual(vec3(1, 0, 0));
  expect(v3.normalize(vec3())).toEqual(vec3());
  expect(v3.perpendicular(vec3())).toEqual(vec3());
  expect(v3.normalize(vec3(Number.NaN, 1, 0)).x).toBeNaN();
});

property('[R3.3] a vector is split into parts along and at a right angle to another', 10_000, (rng) => {
  const [v, u] = cloud(rng, 2).points as [Vec3, Vec3];
  const p = v3.project(v, u);
  const q = v3.reject(v, u);
  const tolerance = 4 * EPS * size(v);
  close(v3.add(p, q), v, tolerance, 'p + q = v');
  near(v3.dot(q, u), 0, 4 * tolerance * size(u), 'q · u = 0');
  const uu = exact.vdot(exact.qv(u), exact.qv(u));
  const wanted = uu.n
    ? exact.vnumber(exact.vscale(exact.qv(u), exact.div(exact.vdot(exact.qv(v), exact.qv(u)), uu)))
    : vec3();
  close(p, wanted, tolerance, 'p');
});

property(
  '[R3.3] angles are right to a few ulps, the smallest and those next to π included',
  10_000,
  (rng) => {
    const [a, b] = cloud(rng, 2).points as [Vec3, Vec3];
    if (rng.chance(0.5)) {
      const tiny = rng.pick([0, 1e-15, 1e-12, 1e-6]) * size(a);
      v3.addScaled(v3.scale(a, rng.sign() * 2), rng.direction(), tiny, b);
    }
    const found = v3.angle(a, b);
    const [qa, qb] = [exact.qv(a), exact.qv(b)];
    const product = exact.mul(exact.vdot(qa, qa), exact.vdot(qb, qb));
    if (product.n === 0n) return check(found === 0, 'no angle with nothing');
    const c = exact.vcross(qa, qb);
    const sine = Math.sqrt(exact.toNumber(exact.div(exact.vdot(c, c), product)));
    const dot = exact.vdot(qa, qb);
    const cosine = exact.sign(dot) * Math.sqrt(exact.toNumber(exact.div(exact.mul(dot, dot), product)));
    const wanted =
      sine < 0.5 ? (cosine > 0 ? Math.asin(sine) : Math.PI - Math.asin(sine)) : Math.acos(cosine);
    near(found, wanted, 8 * EPS * wanted, 'angle');
    check(found >= 0 && found <= Math.PI, 'range');
    if (rng.chance(0.1)) {
      const s = 2 ** rng.pick([-900, 800]);
      check(v3.angle(v3.scale(a, s), v3.scale(b, s)) === found, 'the same at any scale');
    }
  },
);

/** p q for quaternions, exactly. */
type Q4 = readonly [exact.Q, exact.Q, exact.Q, exact.Q];
const hamilton = (p: Q4, r: Q4): Q4 => {
  const sum = (...terms: [number, exact.Q, exact.Q][]): exact.Q =>
    terms.reduce(
      (s, [sign, f, g]) => exact.add(s, sign < 0 ? exact.neg(exact.mul(f, g)) : exact.mul(f, g)),
      exact.ZERO,
    );
  const [a, b, c, d] = p;
  const [e, f, g, h] = r;
  return [
    sum([1, d, e], [1, a, h], [1, b, g], [-1, c, f]),
    sum([1, d, f], [-1, a, g], [1, b, h], [1, c, e]),
    sum([1, d, g], [1, a, f], [-1, b, e], [1, c, h]),
    sum([1, d, h], [-1, a, e], [-1, b, f], [-1, c, g]),
  ];
};

property('rotation by a quaternion is q v q*, and its inverse leads back', 10_000, (rng) => {
  const [v] = cloud(rng, 1).points as [Vec3];
  const r: Quat = rng.rotation();
  const [x, y, z, w] = [exact.q(r.x), exact.q(r.y), exact.q(r.z), exact.q(r.w)];
  const q: Q4 = [x, y, z, w];
  const conjugate: Q4 = [exact.neg(x), exact.neg(y), exact.neg(z), w];
  const vector: Q4 = [exact.q(v.x), exact.q(v.y), exact.q(v.z), exact.ZERO];
  const tolerance = 12 * EPS * size(v); // r is a unit quaternion only to EPS
  const [fx, fy, fz] = hamilton(hamilton(q, vector), conjugate);
  close(v3.rotate(v, r), exact.vnumber({ x: fx, y: fy, z: fz }), tolerance, 'rotate');
  const [bx, by, bz] = hamilton(hamilton(conjugate, vector), q);
  close(v3.rotateInverse(v, r), exact.vnumber({ x: bx, y: by, z: bz }), tolerance, 'rotateInverse');
  close(v3.rotateInverse(v3.rotate(v, r), r), v, 2 * tolerance, 'there and back');
});

property('[R3.1.1-3] a matrix takes its columns, or its rows, with a vector', 10_000, (rng) => {
  const [v, a, b, c] = cloud(rng, 4).points as [Vec3, Vec3, Vec3, Vec3];
  const m: Mat3 = { elements: [...list(a), ...list(b), ...list(c)] };
  const scale = 4 * EPS * size(v) * (size(a) + size(b) + size(c));
  const q = [a, b, c].map(exact.qv) as [exact.QVec, exact.QVec, exact.QVec];
  const qv = exact.qv(v);
  const columns = exact.vadd(
    exact.vadd(exact.vscale(q[0], qv.x), exact.vscale(q[1], qv.y)),
    exact.vscale(q[2], qv.z),
  );
  close(v3.transform(v, m), exact.vnumber(columns), scale, 'm v');
  const rows = { x: exact.vdot(q[0], qv), y: exact.vdot(q[1], qv), z: exact.vdot(q[2], qv) };
  close(v3.transformTransposed(v, m), exact.vnumber(rows), scale, 'mᵀ v');
});

test('the identity leaves a vector alone', () => {
  expect(v3.transform(vec3(1, 2, 3), mat3())).toEqual(vec3(1, 2, 3));
  expect(v3.rotate(vec3(1, 2, 3), { x: 0, y: 0, z: 0, w: 1 })).toEqual(vec3(1, 2, 3));
});

/** What makes two records of one kind. */
const shape = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .map(([k, v]) => k + shape(v))
        .join()}}`
    : typeof value;

test('the result of any function of this family may go to any of its inputs', () => {
  let tried = 0;
  for (const { fn, args, out } of samples) {
    if (out === undefined) continue;
    const wanted = fn(...(structuredClone(Object.values(args)) as []), structuredClone(out));
    Object.values(args).forEach((arg, i) => {
      if (shape(arg) !== shape(out)) return;
      const own = structuredClone(Object.values(args));
      expect(fn(...(own as []), own[i]), `${fn.name} into argument ${i}`).toEqual(wanted);
      tried++;
    });
  }
  expect(tried).toBeGreaterThan(70);
});

test('without `out` a fresh record is made, with the same numbers', () => {
  for (const { fn, args, out } of samples) {
    if (out === undefined) continue;
    const fresh = fn(...Object.values(args));
    const filled = fn(...Object.values(args), structuredClone(out));
    expect(fresh, fn.name).toEqual(filled);
    expect(fresh, fn.name).not.toBe(fn(...Object.values(args)));
  }
});
