import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  type Barycentric,
  BarycentricRegion,
  barycentricFrame,
  barycentricInFrame,
  barycentricRegion,
  barycentricTetrahedron,
  barycentricTriangle,
  barycentricTriangleFlat,
  interpolate,
  interpolateVec3,
  isConvexCombination,
} from './barycentric.ts';
import type { Vec3 } from './types.ts';
import { vec3 } from './types.ts';

const EPS = 2 ** -52;
const size = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const near3 = (found: Barycentric, wanted: number[], tolerance: number, what: string): void => {
  near(found.u, wanted[0]!, tolerance, `${what}: u`);
  near(found.v, wanted[1]!, tolerance, `${what}: v`);
  near(found.w, wanted[2]!, tolerance, `${what}: w`);
};

/** A triangle, now and then collinear by construction, and a point. */
function draw(rng: Rng): { p: Vec3; a: Vec3; b: Vec3; c: Vec3; scale: number } {
  const { points, scale } = cloud(rng, 4);
  const [p, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3];
  if (rng.chance(0.1))
    Object.assign(c, rng.chance(0.5) ? b : vec3(2 * b.x - a.x, 2 * b.y - a.y, 2 * b.z - a.z));
  return { p, a, b, c, scale };
}

interface Truth {
  weights: number[];
  collinear: boolean;
  /** The sine of the angle between the two shorter edges. */
  sine: number;
  /** How far the weights move for a relative rounding of the edges and of p. */
  tolerance: number;
}

/** The dot-product equations of the book, solved exactly; with the error that rounding the differences makes. */
function truth(p: Vec3, a: Vec3, b: Vec3, c: Vec3): Truth {
  const [qa, qp] = [exact.qv(a), exact.qv(p)];
  const v0 = exact.vsub(exact.qv(b), qa);
  const v1 = exact.vsub(exact.qv(c), qa);
  const v2 = exact.vsub(qp, qa);
  const [d00, d01, d11] = [exact.vdot(v0, v0), exact.vdot(v0, v1), exact.vdot(v1, v1)];
  const [d20, d21] = [exact.vdot(v2, v0), exact.vdot(v2, v1)];
  const det = exact.sub(exact.mul(d00, d11), exact.mul(d01, d01));
  if (det.n === 0n) return { weights: [], collinear: true, sine: 0, tolerance: 0 };
  const v = exact.div(exact.sub(exact.mul(d11, d20), exact.mul(d01, d21)), det);
  const w = exact.div(exact.sub(exact.mul(d00, d21), exact.mul(d01, d20)), det);
  const u = exact.sub(exact.sub(exact.ONE, v), w);
  const edges = [minus(b, a), minus(c, b), minus(a, c)].map(size).sort((x, y) => x - y) as [
    number,
    number,
    number,
  ];
  const area = Math.sqrt(exact.toNumber(det));
  const height = area / edges[2];
  const sine = area / (edges[0] * edges[1]);
  const reach = size(minus(p, a)) + edges[2];
  // v is a height over a height. An error of EPS in the edges turns the normal by EPS / sine and moves the heights by
  // EPS reach, and by reach times that turn once more where the normal is used for the in-plane direction.
  const tolerance = 32 * EPS * (reach / height) * (1 + 1 / Math.min(1, sine));
  return { weights: [u, v, w].map(exact.toNumber), collinear: false, sine, tolerance };
}

property('[R3.4a] triangle coordinates give the projection of the point', 10_000, (rng) => {
  const { p, a, b, c } = draw(rng);
  const wanted = truth(p, a, b, c);
  const found = barycentricTriangle(p, a, b, c);
  const frame = barycentricFrame(a, b, c);
  if (wanted.collinear) return check(found === null && frame === null, 'collinear is flagged');
  if (wanted.sine > 16 * EPS) check(found !== null && frame !== null, () => `not collinear: ${wanted.sine}`);
  if (!found || !frame) return;
  near3(found, wanted.weights, wanted.tolerance, 'weights');
  const most = Math.max(...wanted.weights.map(Math.abs), 1);
  near(found.u + found.v + found.w, 1, 4 * EPS * most, 'sum');
  const cached = barycentricInFrame(p, frame);
  check(cached.u === found.u && cached.v === found.v && cached.w === found.w, 'the same bits with a frame');
});

property('[R3.4a] the two routes agree for points of the plane', 10_000, (rng) => {
  const { a, b, c, scale } = draw(rng);
  const [s, t] = [rng.range(-2, 2), rng.range(-2, 2)];
  // In the plane up to the rounding of its coordinates, and anywhere relative to the triangle.
  const p = vec3(
    a.x + s * (b.x - a.x) + t * (c.x - a.x),
    a.y + s * (b.y - a.y) + t * (c.y - a.y),
    a.z + s * (b.z - a.z) + t * (c.z - a.z),
  );
  const wanted = truth(p, a, b, c);
  const flat = barycentricTriangleFlat(p, a, b, c);
  if (wanted.collinear) return check(flat === null, 'collinear is flagged');
  const dots = barycentricTriangle(p, a, b, c);
  check((flat === null) === (dots === null), 'one verdict');
  if (!flat || !dots) return;
  const edges = [size(minus(b, a)), size(minus(c, b)), size(minus(a, c))];
  const longest = Math.max(...edges);
  // The point misses the plane by the rounding of its coordinates, which the routes project in different directions.
  const height = (wanted.sine * edges.sort((x, y) => x - y)[0]! * edges[1]!) / longest;
  const tolerance = wanted.tolerance + (16 * EPS * scale) / height;
  near3(flat, [dots.u, dots.v, dots.w], tolerance, 'routes');
  if (scale <= 4 && longest < 30 * height) near3(flat, [dots.u, dots.v, dots.w], 1e-12, 'well-shaped');
});

property('[R3.4a] the sum of weighted corners is the point where it lies in the plane', 10_000, (rng) => {
  const { a, b, c, scale } = draw(rng);
  const [v, w] = [rng.range(-1, 2), rng.range(-1, 2)];
  const p = interpolateVec3({ u: 1 - v - w, v, w }, a, b, c);
  const found = barycentricTriangle(p, a, b, c);
  const { tolerance } = truth(p, a, b, c);
  if (!found) return;
  const back = interpolateVec3(found, a, b, c);
  const longest = Math.max(size(minus(b, a)), size(minus(c, b)), size(minus(a, c)));
  for (const k of ['x', 'y', 'z'] as const)
    near(back[k], p[k], 32 * EPS * scale + 2 * tolerance * longest, k);
});

test('[R3.4a] a point off the plane gets the coordinates of its projection', () => {
  const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
  expect(barycentricTriangle(vec3(1, 1, 100), a, b, c)).toEqual({ u: 0.5, v: 0.25, w: 0.25 });
  expect(barycentricTriangleFlat(vec3(1, 1, 100), a, b, c)).toEqual({ u: 0.5, v: 0.25, w: 0.25 });
  expect(barycentricTriangle(vec3(-4, 0, 0), a, b, c)).toEqual({ u: 2, v: -1, w: 0 });
  expect(barycentricTriangle(a, a, b, c)).toEqual({ u: 1, v: 0, w: 0 });
  for (const s of [1e-70, 1, 1e70]) {
    const big = barycentricTriangle(vec3(s, s, 0), a, vec3(4 * s, 0, 0), vec3(0, 4 * s, 0));
    expect(big?.u).toBeCloseTo(0.5, 14);
  }
});

property('[R3.4b] tetrahedron coordinates are ratios of volumes', 10_000, (rng) => {
  const [p, a, b, c, d] = cloud(rng, 5).points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const found = barycentricTetrahedron(p, a, b, c, d);
  const corners = [a, b, c, d].map(exact.qv) as [exact.QVec, exact.QVec, exact.QVec, exact.QVec];
  const volume = ([k, l, m, n]: exact.QVec[]): exact.Q =>
    exact.vdot(exact.vsub(l!, k!), exact.vcross(exact.vsub(m!, k!), exact.vsub(n!, k!)));
  const whole = volume(corners);
  if (whole.n === 0n) return check(found === null, 'flat is flagged');
  const edges = [minus(b, a), minus(c, a), minus(d, a)].map(size) as [number, number, number];
  const fullness = Math.abs(exact.toNumber(whole)) / (edges[0] * edges[1] * edges[2]);
  if (fullness > 64 * EPS) check(found !== null, () => `not flat: ${fullness}`);
  if (!found) return;
  const wanted = corners.map((_, i) =>
    exact.toNumber(exact.div(volume(corners.map((q, j) => (i === j ? exact.qv(p) : q))), whole)),
  );
  // Each is right to a few roundings of the product of the edges in it, over the volume.
  const reach = size(minus(p, a)) / Math.min(...edges) + 1;
  const tolerance = (64 * EPS * reach) / fullness;
  near3(found, wanted, tolerance * (1 + Math.max(...wanted.map(Math.abs))), 'weights');
  near(found.x, wanted[3]!, tolerance * (1 + Math.max(...wanted.map(Math.abs))), 'x');
  const most = Math.max(...wanted.map(Math.abs), 1);
  near(found.u + found.v + found.w + found.x, 1, 8 * EPS * most, 'sum');
});

property('[R3.4b] the centroid of a tetrahedron weighs a quarter each', 10_000, (rng) => {
  const at = (): Vec3 => vec3(4 * rng.int(-9, 9), 4 * rng.int(-9, 9), 4 * rng.int(-9, 9));
  const [a, b, c, d] = [at(), at(), at(), at()];
  const p = vec3((a.x + b.x + c.x + d.x) / 4, (a.y + b.y + c.y + d.y) / 4, (a.z + b.z + c.z + d.z) / 4);
  const found = barycentricTetrahedron(p, a, b, c, d);
  if (!found) return;
  check(
    [found.u, found.v, found.w, found.x].every((t) => Math.abs(t - 0.25) <= 2 * EPS),
    'a quarter',
  );
});

property('[R3.4b] the seven regions are told by signs', 10_000, (rng) => {
  const [v, w] = [rng.pick([0, 1, rng.range(-2, 2)]), rng.pick([0, 1, rng.range(-2, 2)])];
  const weights = { u: 1 - v - w, v, w };
  const region = barycentricRegion(weights);
  // A point beyond an edge or a corner of the right triangle, told by its coordinates in the plane.
  const { inside, edgeBC, edgeCA, cornerC, edgeAB, cornerB, cornerA } = BarycentricRegion;
  const [x, y] = [v, w];
  const beyond = 1 - x - y < 0;
  const wanted =
    x < 0
      ? y < 0
        ? cornerA
        : beyond
          ? cornerC
          : edgeCA
      : y < 0
        ? beyond
          ? cornerB
          : edgeAB
        : beyond
          ? edgeBC
          : inside;
  check(region === wanted, () => `${region} is not ${wanted}`);
  check(
    (region === inside) === isConvexCombination([weights.u, v, w], 0 ** region && EPS),
    'inside is convex',
  );
});

property('[R3.4b] attributes are interpolated', 10_000, (rng) => {
  const [v, w] = [rng.range(-1, 2), rng.range(-1, 2)];
  const weights = { u: 1 - v - w, v, w };
  const [a, b, c] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
  const found = interpolateVec3(weights, a, b, c);
  for (const k of ['x', 'y', 'z'] as const) {
    const terms = [
      exact.mul(exact.q(weights.u), exact.q(a[k])),
      exact.mul(exact.q(v), exact.q(b[k])),
      exact.mul(exact.q(w), exact.q(c[k])),
    ];
    const wanted = exact.toNumber(terms.reduce(exact.add));
    const tolerance = 3 * EPS * terms.reduce((s, t) => s + Math.abs(exact.toNumber(t)), 0);
    near(interpolate(weights, a[k], b[k], c[k]), wanted, tolerance, 'number');
    near(found[k], wanted, tolerance, 'vector');
  }
  check(interpolate({ u: 0, v: 1, w: 0 }, 3, 4, 5) === 4, 'at a corner');
});

property('[R3.4b] convex combinations', 10_000, (rng) => {
  const n = rng.int(1, 8);
  const raw = Array.from({ length: n }, () => (rng.chance(0.2) ? 0 : rng.unit() + 0.01));
  const sum = raw.reduce((s, x) => s + x, 0);
  if (sum === 0) return check(!isConvexCombination(raw), 'weights of nothing');
  const weights = raw.map((x) => x / sum);
  check(isConvexCombination(weights), () => `${weights}`);
  const off = [...weights];
  off[rng.int(0, n - 1)]! += rng.pick([1e-6, -1e-6]);
  check(!isConvexCombination(off), 'sum');
  check(isConvexCombination(off, 2e-6), 'sum within a tolerance');
  if (n > 1) {
    const negative = [...weights];
    negative[0] = -0.5;
    negative[1] = weights[1]! + weights[0]! + 0.5;
    check(!isConvexCombination(negative), 'negative');
  }
});

test('bad input is named', () => {
  const o = vec3();
  expect(() => isConvexCombination([])).toThrow(/weights must not be empty/);
  expect(() => isConvexCombination([1], -1)).toThrow(/tolerance/);
  expect(() => barycentricRegion({ u: -1, v: -1, w: -1 })).toThrow(/weights/);
  expect(() => barycentricRegion({ u: 1, v: Number.NaN, w: 0 })).toThrow(/weights\.v/);
  expect(() => barycentricTriangle(o, o, vec3(0, Infinity, 0), o)).toThrow(/barycentricTriangle: b\.y/);
  expect(() => interpolate({ u: 1, v: 0, w: 0 }, 1, 2, Number.NaN)).toThrow(/interpolate: c/);
});
