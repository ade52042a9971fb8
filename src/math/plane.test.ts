import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  containsHalfspacePoint,
  containsOpenHalfspacePoint,
  dihedralAngle,
  flipPlane,
  normalizePlane,
  planeFromNormal,
  planeFromPointNormal,
  planeFromPoints,
  planeSide,
  planeValue,
  quadArea,
  transformPlane,
} from './plane.ts';
import { transformPoint } from './pose.ts';
import type { Plane, Vec3 } from './types.ts';
import { plane, vec3 } from './types.ts';

const EPS = 2 ** -52;
const size = (a: Vec3): number => Math.hypot(a.x, a.y, a.z);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const any = (rng: Rng): Plane => {
  const { points, scale } = cloud(rng, 1);
  return { normal: points[0] as Vec3, d: rng.chance(0.3) ? 0 : rng.range(-1, 1) * scale };
};

property(
  '[R3.6] the plane through three points holds them, and sees them counter-clockwise',
  10_000,
  (rng) => {
    const { points, scale } = cloud(rng, 3);
    const [a, b, c] = points as [Vec3, Vec3, Vec3];
    if (rng.chance(0.2)) Object.assign(c, rng.chance(0.5) ? a : minus(vec3(2 * b.x, 2 * b.y, 2 * b.z), a));
    const found = planeFromPoints(a, b, c);
    const [qa, qb, qc] = [exact.qv(a), exact.qv(b), exact.qv(c)];
    const n = exact.vcross(exact.vsub(qb, qa), exact.vsub(qc, qa));
    const edges = [size(minus(b, a)), size(minus(c, b)), size(minus(a, c))].sort((x, y) => x - y) as [
      number,
      number,
      number,
    ];
    const area = Math.sqrt(exact.toNumber(exact.vdot(n, n)));
    /** The sine of the angle between the shorter edges. */
    const sine = edges[0] === 0 ? 0 : area / (edges[0] * edges[1]);
    if (exact.vzero(n)) check(found === null, 'collinear points have no plane');
    if (sine > 16 * EPS) check(found !== null, () => `not collinear: sine ${sine}`);
    if (!found) return;
    near(size(found.normal), 1, 2 * EPS, 'unit normal');
    // The direction of the normal is as uncertain as the edges, by their roundings over the sine.
    const wanted = exact.vnumber(n);
    const tilt = (8 * EPS) / Math.min(1, sine);
    for (const k of ['x', 'y', 'z'] as const) near(found.normal[k], wanted[k] / area, tilt, `normal.${k}`);
    for (const p of [a, b, c])
      near(planeValue(found, p), 0, 8 * EPS * scale + tilt * edges[2], 'on the plane');
  },
);

property('[R3.6] planes from a point and a normal, or a normal and d, hold what they say', 10_000, (rng) => {
  const { points } = cloud(rng, 2);
  const [p, n] = points as [Vec3, Vec3];
  const found = planeFromPointNormal(p, n);
  near(planeValue(found, p), 0, 4 * EPS * size(p) * size(n), 'p is on it');
  check(found.normal.x === n.x && found.normal.y === n.y && found.normal.z === n.z, 'normal');
  const front = vec3(p.x + n.x, p.y + n.y, p.z + n.z);
  near(planeValue(found, front), size(n) ** 2, 8 * EPS * (size(p) + size(n)) * size(n), 'front positive');
  const given = planeFromNormal(n, found.d);
  check(
    given.d === found.d && given.normal.x === n.x && given.normal.y === n.y && given.normal.z === n.z,
    'as given',
  );
});

property('[R3.6] d is scaled with the normal, and distance is metric', 10_000, (rng) => {
  const source = any(rng);
  const [p] = cloud(rng, 1).points as [Vec3];
  const found = normalizePlane(source);
  const l = size(source.normal);
  if (l === 0) {
    check(found === null, 'no direction');
    return;
  }
  check(found !== null, 'a plane');
  near(size(found.normal), 1, 2 * EPS, 'unit');
  near(found.d, source.d / l, 4 * EPS * Math.abs(source.d / l), 'd');
  const q = exact.qv(source.normal);
  const value = exact.sub(exact.vdot(q, exact.qv(p)), exact.q(source.d));
  const wanted = exact.toNumber(value) / l;
  const tolerance = 8 * EPS * (size(p) + Math.abs(source.d / l));
  near(planeValue(found, p), wanted, tolerance, 'value of the unit plane');
  near(planeValue(source, p), wanted * l, tolerance * l, 'value');
  const back = flipPlane(source);
  check(planeValue(back, p) === -planeValue(source, p), 'flipped');
});

property(
  '[R3.6] the side of a point is exact, and with it the open and the closed half-space',
  20_000,
  (rng) => {
    const source = any(rng);
    const [p] = cloud(rng, 1).points as [Vec3];
    // Most points close to the plane, off it by a rounding or not at all.
    if (rng.chance(0.7))
      source.d =
        planeValue({ normal: source.normal, d: 0 }, p) + rng.pick([0, 0, 1e-300, EPS, -EPS]) * rng.unit();
    const q = exact.vdot(exact.qv(source.normal), exact.qv(p));
    const wanted = exact.cmp(q, exact.q(source.d));
    check(planeSide(source, p) === wanted, () => `${planeSide(source, p)} is not ${wanted}`);
    check(planeSide(flipPlane(source), p) === (wanted === 0 ? 0 : -wanted), 'flipped');
    check(containsHalfspacePoint(source, p) === wanted <= 0, 'closed');
    check(containsOpenHalfspacePoint(source, p) === wanted < 0, 'open');
  },
);

property('[R3.6] a plane moves along with a body', 10_000, (rng) => {
  const source = any(rng);
  const [p, position] = cloud(rng, 2).points as [Vec3, Vec3];
  const place = { position, quaternion: rng.rotation() };
  const moved = transformPlane(source, place);
  const tolerance =
    64 * EPS * size(source.normal) * (size(p) + size(position)) + 4 * EPS * Math.abs(source.d);
  near(planeValue(moved, transformPoint(place, p)), planeValue(source, p), tolerance, 'value');
});

test('[R3.6] the planes x = 0 and y = 0 meet at a right angle', () => {
  const x = planeFromNormal(vec3(1, 0, 0), 0);
  const y = planeFromNormal(vec3(0, 5, 0), 7);
  expect(dihedralAngle(x, y)).toBe(Math.PI / 2);
  expect(dihedralAngle(x, x)).toBe(0);
  expect(dihedralAngle(x, flipPlane(x))).toBe(Math.PI);
  expect(() => dihedralAngle(x, planeFromNormal(vec3(), 1))).toThrow(/dihedralAngle: b/);
});

property('[R3.6] dihedral angles, however small', 10_000, (rng) => {
  const n = rng.direction();
  const turn = rng.pick([1e-12, 1e-6, 0.5, 2, Math.PI - 1e-6]);
  // An orthonormal partner of n, the wanted angle laid off from n.
  const t = rng.direction();
  const along = n.x * t.x + n.y * t.y + n.z * t.z;
  const u = vec3(t.x - along * n.x, t.y - along * n.y, t.z - along * n.z);
  const l = size(u);
  if (l < 0.1) return;
  const m = vec3(
    n.x * Math.cos(turn) + (u.x / l) * Math.sin(turn),
    n.y * Math.cos(turn) + (u.y / l) * Math.sin(turn),
    n.z * Math.cos(turn) + (u.z / l) * Math.sin(turn),
  );
  near(dihedralAngle({ normal: n, d: 1 }, { normal: m, d: rng.range(-1, 1) }), turn, 64 * EPS, 'angle');
});

property('[R3.3] the area of a quadrilateral is half the cross product of its diagonals', 10_000, (rng) => {
  const { points } = cloud(rng, 4);
  const [a, b, c, d] = points as [Vec3, Vec3, Vec3, Vec3];
  if (rng.chance(0.5)) Object.assign(d, vec3(a.x + c.x - b.x, a.y + c.y - b.y, a.z + c.z - b.z)); // a parallelogram
  const [qa, qb, qc, qd] = [exact.qv(a), exact.qv(b), exact.qv(c), exact.qv(d)];
  // The oracle: the sum of two triangles' area vectors, which is another way to the same.
  const half = (p: exact.QVec, q: exact.QVec, r: exact.QVec): exact.QVec =>
    exact.vcross(exact.vsub(q, p), exact.vsub(r, p));
  const both = exact.vadd(half(qa, qb, qc), half(qa, qc, qd));
  const wanted = 0.5 * Math.sqrt(exact.toNumber(exact.vdot(both, both)));
  near(quadArea(a, b, c, d), wanted, 4 * EPS * size(minus(c, a)) * size(minus(d, b)), 'area');
});

test('[R3.3] areas of a square, a trapezium and a bow-tie', () => {
  const [o, x, xy, y] = [vec3(), vec3(1, 0, 0), vec3(1, 1, 0), vec3(0, 1, 0)];
  expect(quadArea(o, x, xy, y)).toBe(1);
  expect(quadArea(vec3(), vec3(4, 0, 0), vec3(3, 2, 0), vec3(1, 2, 0))).toBe(6);
  expect(quadArea(o, xy, x, y)).toBe(0);
});

test('[R3.6] collinear and coincident points are flagged at any scale, slivers are not', () => {
  for (const s of [1e-6, 1, 1e6, 1e100, 1e-100]) {
    expect(planeFromPoints(vec3(), vec3(s, 2 * s, 3 * s), vec3(2 * s, 4 * s, 6 * s))).toBeNull();
    expect(planeFromPoints(vec3(s, s, s), vec3(s, s, s), vec3(0, s, 0))).toBeNull();
    expect(planeFromPoints(vec3(), vec3(s, 0, 0), vec3(0, 1e-12 * s, 0))?.normal.z).toBe(1);
    // The thin corner at the first point, where its own two edges would not do.
    expect(planeFromPoints(vec3(-s, s / 3, 0), vec3(), vec3(0, 1e-20 * s, 0))?.normal.z).toBe(1);
  }
});

test('bad input is named', () => {
  const bad: Plane = { normal: vec3(0, Number.NaN, 0), d: 1 };
  expect(() => planeSide(bad, vec3())).toThrow(/planeSide: plane\.normal\.y/);
  expect(() => planeValue(plane(), vec3(0, 0, Infinity))).toThrow(/p\.z/);
  expect(() => planeFromPoints(vec3(), vec3(-Infinity), vec3())).toThrow(/b\.x/);
});
