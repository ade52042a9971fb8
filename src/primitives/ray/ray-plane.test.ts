import { expect, test } from 'vitest';
import { check, cloud, exact, near, property } from '../../../tests/kit/index.ts';
import type { Plane, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeHit } from '../types.ts';
import { rayPlane, segmentPlane, segmentPlaneThrough } from './ray-plane.ts';

const { qv, q, sub, div, vsub, vcross, vdot, sign, cmp, toNumber, ONE } = exact;
const length = (v: Vec3) => Math.hypot(v.x, v.y, v.z);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);

property('[R5.3.1] segment and plane, against rational arithmetic', 10_000, (rng) => {
  const { points, scale } = cloud(rng, 4);
  const [p, q0, n, on] = points as [Vec3, Vec3, Vec3, Vec3];
  const end = rng.chance(0.1) ? p : q0;
  const plane: Plane = {
    normal: n,
    d: rng.chance(0.5) ? n.x * on.x + n.y * on.y + n.z * on.z : rng.range(-1, 1),
  };
  const hit = segmentPlane(p, end, plane);
  const [from, to] = [p, end].map((x) => sub(vdot(qv(n), qv(x)), q(plane.d))) as [exact.Q, exact.Q];
  // What rounding n · x - d can do.
  const doubt = 4 * 2 ** -53 * (3 * length(n) * (length(p) + length(end)) + Math.abs(plane.d));
  const clear = Math.min(Math.abs(toNumber(from)), Math.abs(toNumber(to))) > doubt;
  if (clear) check((hit !== null) === (sign(from) !== sign(to)), 'hit or miss');
  if (!hit) return;
  check(hit.t >= 0 && hit.t <= 1, 't in [0, 1]');
  near(
    n.x * hit.point.x + n.y * hit.point.y + n.z * hit.point.z,
    plane.d,
    4 * doubt + 1e-15 * scale * length(n),
  );
  if (length(minus(p, end)) === 0) return check(length(hit.normal) === 0, 'a point has no side');
  near(length(hit.normal), 1, 1e-15);
  const back = minus(p, end);
  check(
    hit.normal.x * back.x + hit.normal.y * back.y + hit.normal.z * back.z > -1e-9 * length(back),
    'looks back',
  );
  const denominator = Math.abs(toNumber(sub(from, to)));
  if (clear) near(hit.t, toNumber(div(from, sub(from, to))), (4 * doubt) / denominator, 't');
});

property('[R5.3.1] segment and plane through three points: sides are exact', 10_000, (rng) => {
  const { points } = cloud(rng, 5);
  const [p, q0, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const hit = segmentPlaneThrough(p, q0, a, b, c);
  const n = vcross(vsub(qv(b), qv(a)), vsub(qv(c), qv(a)));
  const [from, to] = [p, q0].map((x) => vdot(n, vsub(qv(x), qv(a)))) as [exact.Q, exact.Q];
  const flat = length(exact.vnumber(n)) <= 1e-12 * length(minus(b, a)) * length(minus(c, a));
  if (flat) return; // a needle: no plane to speak of
  const still = p.x === q0.x && p.y === q0.y && p.z === q0.z;
  const crosses = still ? sign(from) === 0 : sign(from) * sign(to) <= 0 && cmp(from, to) !== 0;
  check((hit !== null) === crosses, 'hit or miss');
  // The heights are volumes, off by ten roundings of the product of their edges.
  const edges = length(minus(b, a)) * length(minus(c, a)) * (length(minus(p, a)) + length(minus(q0, a)));
  const error = (2 ** -46 * edges) / Math.abs(toNumber(sub(from, to)));
  if (hit && !still) near(hit.t, toNumber(div(from, sub(from, to))), error, 't');
  if (hit) check(hit.t >= 0 && cmp(q(hit.t), ONE) <= 0, 't in [0, 1]');
});

property('[R5.3.1] ray and plane agrees with a long segment', 10_000, (rng) => {
  const [origin, direction, n] = [rng.vec(3), rng.chance(0.1) ? vec3() : rng.vec(), rng.direction()];
  const plane = { normal: vec3(3 * n.x, 3 * n.y, 3 * n.z), d: rng.range(-3, 3) };
  const end = vec3(origin.x + 64 * direction.x, origin.y + 64 * direction.y, origin.z + 64 * direction.z);
  const [hit, same] = [rayPlane({ origin, direction }, plane, 64), segmentPlane(origin, end, plane)];
  if (same && Math.abs(same.t - 1) < 1e-9) return;
  check((hit === null) === (same === null), 'hit or miss');
  if (hit && same) near(hit.t, 64 * same.t, 1e-9, 't');
});

const ground: Plane = { normal: vec3(0, 0, 2), d: 4 }; // z = 2

test('[R5.3.1] parallel is a miss, and so is in the plane; ends on it are hits', () => {
  expect(segmentPlane(vec3(0, 0, 3), vec3(5, 0, 3), ground)).toBeNull();
  expect(segmentPlane(vec3(0, 0, 2), vec3(5, 0, 2), ground)).toBeNull();
  expect(segmentPlane(vec3(0, 0, 3), vec3(0, 0, 2), ground)!.t).toBe(1);
  expect(segmentPlane(vec3(0, 0, 2), vec3(0, 0, 3), ground)!.t).toBe(0);
  expect(segmentPlane(vec3(0, 0, 4), vec3(0, 0, 3), ground)).toBeNull();
  expect(segmentPlane(vec3(), vec3(0, 0, 1e74), { normal: vec3(), d: 0 })).toBeNull();
});

test('[R5.3.1] time, point and normal, whichever way the plane looks', () => {
  const hit = { t: 0.25, point: vec3(1, 0, 2), normal: vec3(0, 0, 1) };
  expect(segmentPlane(vec3(0, 0, 3), vec3(4, 0, -1), ground)).toEqual(hit);
  expect(segmentPlane(vec3(0, 0, 3), vec3(4, 0, -1), { normal: vec3(0, 0, -1), d: -2 })).toEqual(hit);
  const [a, b, c] = [vec3(0, 0, 2), vec3(1, 0, 2), vec3(0, 1, 2)];
  expect(segmentPlaneThrough(vec3(0, 0, 3), vec3(4, 0, -1), a, b, c, makeHit())).toEqual(hit);
  expect(segmentPlaneThrough(vec3(0, 0, 3), vec3(4, 0, -1), a, c, b)).toEqual(hit);
  expect(segmentPlaneThrough(vec3(0, 0, 3), vec3(4, 0, -1), a, b, b)).toBeNull();
  expect(rayPlane({ origin: vec3(0, 0, 3), direction: vec3(2, 0, -2) }, ground, 0.5)).toEqual({
    ...hit,
    t: 0.5,
  });
  expect(rayPlane({ origin: vec3(0, 0, 3), direction: vec3(2, 0, -2) }, ground, 0.4)).toBeNull();
});

test('a point on the plane is a hit without a side', () => {
  expect(segmentPlane(vec3(7, 8, 2), vec3(7, 8, 2), ground)).toEqual({
    t: 0,
    point: vec3(7, 8, 2),
    normal: vec3(),
  });
  expect(segmentPlane(vec3(7, 8, 3), vec3(7, 8, 3), ground)).toBeNull();
});

test('bad numbers are refused by name', () => {
  expect(() => segmentPlane(vec3(), vec3(), { normal: vec3(0, 0, 1), d: Number.NaN })).toThrow(/plane\.d/);
  expect(() => segmentPlane(vec3(Infinity), vec3(), ground)).toThrow(/segmentPlane: p\.x/);
});

test('[R11.2.2] division by zero flows through as a miss, of segments and rays', () => {
  const floor = { normal: vec3(0, 1, 0), d: 0 };
  const ask = (p: Vec3, q: Vec3, plane = floor) => {
    const ray = { origin: p, direction: vec3(q.x - p.x, q.y - p.y, q.z - p.z) };
    const hits = [segmentPlane(p, q, plane), rayPlane(ray, plane, 1)];
    expect(hits[0]?.t).toBe(hits[1]?.t);
    return hits[0]?.t ?? null;
  };
  expect(ask(vec3(0, 1, 0), vec3(0, -1, 0))).toBe(0.5);
  expect(ask(vec3(0, 1, 0), vec3(5, 1, 0)), 'parallel: 1 / 0').toBeNull();
  expect(ask(vec3(0, -1, 0), vec3(5, -1, 0)), 'parallel: -1 / 0').toBeNull();
  expect(ask(vec3(1, 0, 0), vec3(7, 0, 0)), 'in the plane: 0 / 0').toBeNull();
  expect(ask(vec3(0, 1, 0), vec3(0, 1, 0)), 'length zero').toBeNull();
  // A point of the plane touches it.
  expect(ask(vec3(1, 0, 0), vec3(1, 0, 0)), 'length zero in the plane').toBe(0);
  const steep = { normal: vec3(1e75, 1, 0), d: 0 };
  expect(ask(vec3(1e75, 0, 0), vec3(1e75, 1e75, 0), steep), 'large and parallel').toBeNull();
});
