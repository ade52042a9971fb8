import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { collinear, pluckerFromMotion, pluckerFromPoints, pluckerSide } from './line.ts';
import { orient3d } from './predicates.ts';
import type { Vec3 } from './types.ts';
import { vec3 } from './types.ts';

const EPS = 2 ** -52;
const size = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const scaled = (a: Vec3, s: number): Vec3 => vec3(a.x * s, a.y * s, a.z * s);

/** Three points: on a line by construction, nearly, or any. */
function three(rng: Rng): [Vec3, Vec3, Vec3] {
  const [a, b, c] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
  const kind = rng.int(0, 3);
  const t = rng.int(-3, 3);
  if (kind === 0) Object.assign(c, vec3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)));
  if (kind === 1) Object.assign(b, a);
  return [a, b, c];
}

property('[R3.5] collinearity has the same verdict at any scale and in any order', 10_000, (rng) => {
  const points = three(rng);
  const [a, b, c] = points;
  const verdict = collinear(a, b, c);
  const s = rng.pick([1e-6, 1e6, 3, 1e-3, 1e100, 1e-100]);
  const again = collinear(scaled(a, s), scaled(b, s), scaled(c, s));
  const longest = Math.max(size(minus(a, b)), size(minus(b, c)), size(minus(c, a)));
  // Scaling by what is not a power of two rounds the coordinates themselves: for points far from the origin that moves
  // them by more than the tolerance of 1e-12 of their spread, and the question is another one.
  const fair = longest === 0 || EPS * Math.max(size(a), size(b), size(c)) < 1e-14 * longest;
  if (fair) check(again === verdict, () => `scaled by ${s}`);
  const [p, q, r] = rng.shuffle(points);
  check(collinear(p!, q!, r!) === verdict, 'shuffled');
});

property('[R3.5] collinearity holds up to the tolerance, and exactly without one', 10_000, (rng) => {
  const [a, b, c] = three(rng);
  const [qa, qb, qc] = [exact.qv(a), exact.qv(b), exact.qv(c)];
  const n = exact.vcross(exact.vsub(qb, qa), exact.vsub(qc, qa));
  check(collinear(a, b, c, 0) === exact.vzero(n), 'exact');
  const longest = Math.max(size(minus(a, b)), size(minus(b, c)), size(minus(c, a)));
  const height = longest === 0 ? 0 : Math.sqrt(exact.toNumber(exact.vdot(n, n))) / longest;
  const tolerance = 10 ** rng.range(-14, 0);
  if (height < 0.5 * tolerance * longest) check(collinear(a, b, c, tolerance), 'flat enough');
  if (height > 1.01 * tolerance * longest) check(!collinear(a, b, c, tolerance), 'too high');
});

test('[R3.5] collinear points', () => {
  expect(collinear(vec3(), vec3(1, 2, 3), vec3(-2, -4, -6))).toBe(true);
  expect(collinear(vec3(), vec3(1, 2, 3), vec3(-2, -4, -6.001))).toBe(false);
  expect(collinear(vec3(0.1, 0.1, 0.1), vec3(0.2, 0.2, 0.2), vec3(0.3, 0.3, 0.3))).toBe(true);
  expect(collinear(vec3(0.1, 0, 0), vec3(0.2, 0.1, 0), vec3(0.3, 0.2, 0), 0)).toBe(false); // 0.1 + 0.2 is not 0.3
  expect(collinear(vec3(1, 1, 1), vec3(1, 1, 1), vec3(1, 1, 1), 0)).toBe(true);
  expect(() => collinear(vec3(), vec3(), vec3(), -1)).toThrow(/tolerance/);
  expect(() => collinear(vec3(), vec3(), vec3(), Number.NaN)).toThrow(/tolerance/);
});

property('[R3.5] the sides of lines by Plücker coordinates are those of the tetrahedron', 10_000, (rng) => {
  const [p, q, r, s] = cloud(rng, 4).points as [Vec3, Vec3, Vec3, Vec3];
  if (rng.chance(0.2)) Object.assign(r, p); // lines that meet
  const a = pluckerFromPoints(p, q);
  const b = pluckerFromPoints(r, s);
  const [qp, qq, qr, qs] = [exact.qv(p), exact.qv(q), exact.qv(r), exact.qv(s)];
  const volume = exact.vdot(exact.vsub(qq, qp), exact.vcross(exact.vsub(qr, qp), exact.vsub(qs, qp)));
  // Coordinates are not taken relative to anything, so the error is that of the coordinates' products.
  const far = Math.max(size(p), size(q), size(r), size(s));
  const tolerance =
    16 * EPS * far * far * (size(minus(q, p)) + size(minus(s, r))) + 16 * EPS * far * far * far * EPS;
  near(pluckerSide(a, b), exact.toNumber(volume), tolerance, 'volume');
  near(pluckerSide(b, a), pluckerSide(a, b), 0, 'symmetric');
  check(Math.sign(-orient3d(p, q, r, s)) === exact.sign(volume), 'the exact sign is -orient3d');
  const moving = pluckerFromMotion(p, minus(q, p));
  near(pluckerSide(moving, b), exact.toNumber(volume), 2 * tolerance, 'moving point');
  // A line is orthogonal to its moment.
  near(
    a.direction.x * a.moment.x + a.direction.y * a.moment.y + a.direction.z * a.moment.z,
    0,
    8 * EPS * size(minus(q, p)) * far * far,
    'direction · moment',
  );
});

test('[R3.5] a line that passes counter-clockwise has the positive side', () => {
  const z = pluckerFromPoints(vec3(), vec3(0, 0, 1));
  expect(pluckerSide(z, pluckerFromMotion(vec3(1, 0, 0), vec3(0, 1, 0)))).toBe(1);
  expect(pluckerSide(z, pluckerFromMotion(vec3(1, 0, 0), vec3(0, -1, 0)))).toBe(-1);
  expect(pluckerSide(z, pluckerFromMotion(vec3(0, 0, 5), vec3(0, 1, 0)))).toBe(0);
  expect(pluckerSide(z, pluckerFromMotion(vec3(3, 4, 5), vec3(0, 0, 2)))).toBe(0);
  expect(pluckerFromPoints(vec3(1, 2, 3), vec3(1, 2, 3))).toEqual({ direction: vec3(), moment: vec3() });
  const bad = pluckerFromPoints(vec3(), vec3(1, 0, 0));
  bad.moment.y = Number.NaN;
  expect(() => pluckerSide(z, bad)).toThrow(/b\.moment/);
});

property(
  '[P1] the two polygons of an edge see a moving point on opposite sides, to the last bit',
  10_000,
  (rng) => {
    const [p, q, at] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
    const motion = pluckerFromMotion(at, rng.vec(2));
    const edge = pluckerFromPoints(p, q);
    // Once per edge: the polygon that runs along it the other way turns the signs.
    const back = { direction: scaled(edge.direction, -1), moment: scaled(edge.moment, -1) };
    check(
      pluckerSide(motion, edge) === -pluckerSide(motion, back),
      () => 'another side from the other polygon',
    );
    // 0 = p0 p4 + p1 p5 + p2 p3: the moment is across the line.
    const { direction: d, moment: m } = edge;
    const size =
      (Math.abs(d.x) + Math.abs(d.y) + Math.abs(d.z)) *
      (Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z) + Math.abs(q.x) + Math.abs(q.y) + Math.abs(q.z));
    const largest =
      Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z) + Math.abs(q.x) + Math.abs(q.y) + Math.abs(q.z);
    near(d.x * m.x + d.y * m.y + d.z * m.z, 0, 2 ** -50 * size * largest, 'the Plücker condition');
  },
);
