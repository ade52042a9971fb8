import { describe, expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { pointOf, posed, randomPose, randomSubject, SUBJECTS } from '../../tests/kit/one-body.ts';
import { boxSolid } from '../../tests/kit/solids.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import {
  box,
  collider,
  cone,
  convex,
  cylinder,
  ellipsoid,
  halfSpace,
  heightField,
  point,
  segment,
  sphere,
} from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { makeCorePoint } from '../shapes/one-body/body-context.ts';
import { nearestOnEllipsoid } from '../shapes/one-body/nearest-ellipsoid.ts';
import { makeClosestPoint } from '../shapes/results.ts';
import { closestPoint } from './closest-point.ts';
import { contains } from './contains.ts';
import { signedDistance } from './signed-distance.ts';

const size = ({ x, y, z }: ReadonlyVec3) => Math.hypot(x, y, z);
const minus = (a: ReadonlyVec3, b: ReadonlyVec3) => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };

describe('against the level of the shape', () => {
  for (const name of SUBJECTS)
    property(`${name}: distance, point, side and depth`, 600, (rng) => {
      const { position, quaternion } = randomPose(rng);
      const subject = posed(randomSubject(rng, name), position, quaternion);
      const own = rng.chance(0.3)
        ? pointOf(rng, subject)
        : rng.vec((subject.size || 1) * rng.pick([1, 2, 2, 1000]));
      const p = subject.toWorld(own);
      const scale = subject.scale + size(p);
      const error = 2e-14 * scale;
      const level = subject.level(subject.toOwn(p));
      const found = closestPoint(p, subject.body);
      near(found.distance, Math.max(0, level), error, 'distance');
      near(size(minus(p, found.point)), found.distance, error, 'the way to the point');
      near(subject.level(subject.toOwn(found.point)), Math.min(level, 0), error * 10, 'point of the shape');
      check(contains(p, subject.body) === (found.distance === 0), 'contains');
      check(closestPoint(found.point, subject.body).distance === 0, 'its point is not its own');
      const signed = signedDistance(p, subject.body);
      check(signed <= 0 === (found.distance === 0), 'side');
      const deep = name.startsWith('convex') ? 1e-7 * scale : 0;
      if (level > error) near(signed, level, error, 'signed distance');
      else if (!subject.roughInside) near(signed, level, error + deep, 'depth');
    });
});

property('the depth in an ellipsoid is the distance of its surface', 150, (rng) => {
  const radii = [rng.range(0.2, 2), rng.range(0.2, 2), rng.range(0.2, 2)] as const;
  if (rng.chance(0.2)) Object.assign(radii, [radii[0], radii[0], radii[0]]);
  const [x, y, z] = radii;
  const rounding = rng.pick([0, 0.3]);
  const u = rng.direction();
  const k = rng.pick([0, 0.01, 0.3, 0.9, 1]) * rng.unit();
  const p = vec3(k * x * u.x, k * y * u.y, k * z * u.z);
  if (rng.chance(0.5)) p[rng.pick(['x', 'y', 'z'] as const)] = 0;
  const from = (v: ReadonlyVec3) => {
    const l = size(v);
    return size(minus(p, vec3((x * v.x) / l, (y * v.y) / l, (z * v.z) / l)));
  };
  // In every octant, downhill in smaller and smaller steps.
  let best = Infinity;
  for (let octant = 0; octant < 8; octant++) {
    let at = vec3(octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant & 4 ? 1 : -1);
    for (let step = 0.5; step > 1e-9; ) {
      const by = rng.vec(step);
      const next = vec3(at.x + by.x, at.y + by.y, at.z + by.z);
      if (from(next) < from(at)) at = next;
      else step *= 0.98;
    }
    best = Math.min(best, from(at));
  }
  // Downhill ends near the nearest point. Ours is a point of the surface, as near, and the way to it is straight out.
  const depth = -signedDistance(p, ellipsoid(x, y, z, rounding)) - rounding;
  check(depth <= best + 1e-14 && depth >= best - 0.02 * best, () => `depth ${depth}, by brute force ${best}`);
  const q = makeCorePoint();
  nearestOnEllipsoid(Float64Array.of(x, y, z), p, q);
  near(size(minus(p, q)), depth, 1e-14, 'attained');
  near((q.x / x) ** 2 + (q.y / y) ** 2 + (q.z / z) ** 2, 1, 1e-13, 'on the surface');
  const up = vec3(q.x / x / x, q.y / y / y, q.z / z / z);
  const out = minus(q, p);
  near((up.x * out.x + up.y * out.y + up.z * out.z) / size(up), depth, 1e-13, 'straight');
  // A support map alone tells as much, a little less precisely.
  const own = convex(
    (d, out = vec3()) => {
      const l = Math.hypot(x * d.x, y * d.y, z * d.z);
      return Object.assign(out, vec3((x * x * d.x) / l, (y * y * d.y) / l, (z * z * d.z) / l));
    },
    { rounding },
  );
  near(signedDistance(p, own), -depth - rounding, 1e-7, 'by support map');
});

describe('meshes and height fields', () => {
  const { positions, index } = boxSolid();
  const cube = mesh(positions, index);

  property('a mesh of a box is its surface, and what it winds around is inside', 1500, (rng) => {
    const { position, quaternion } = randomPose(rng);
    const pose = { position, quaternion };
    const solid = posed(
      { name: 'box', shape: box(1, 1, 1), level: () => 0, points: [], flat: false, size: 2 },
      position,
      quaternion,
    );
    const p = solid.toWorld(rng.vec(rng.pick([1, 3])));
    const signed = signedDistance(p, collider(box(1, 1, 1), pose));
    const error = 1e-14 * (size(position) + 10);
    const found = closestPoint(p, collider(cube, pose));
    near(found.distance, Math.abs(signed), error, 'distance');
    near(size(minus(found.point, p)), found.distance, error, 'point');
    check(found.part.triangle >= 0 && found.part.triangle < 12 && found.part.child === -1, 'part');
    near(signedDistance(p, collider(cube, pose)), signed, error, 'signed');
    if (Math.abs(signed) > error) check(contains(p, collider(cube, pose)) === signed < 0, 'inside');
    check(contains(found.point, collider(cube, pose)), 'on the surface');
  });

  test('a height field has a surface and no inside', () => {
    const field = heightField([0, 0, 0, 1, 1, 1, 0, 0, 0], { columns: 3, rows: 3 });
    const body = collider(field, { position: vec3(10, 0, 0), quaternion: UPRIGHT });
    expect(closestPoint(vec3(11, 3, 1), body)).toEqual({
      point: vec3(11, 1, 1),
      distance: 2,
      part: { child: -1, triangle: expect.any(Number) },
    });
    expect(signedDistance(vec3(11, -4, 0), body)).toBe(4);
    expect(contains(vec3(11, 0.5, 0.5), body)).toBe(true);
    expect(contains(vec3(11, 0.4, 0.5), body)).toBe(false);
  });
});

property('a half-space', 2000, (rng) => {
  const { position, quaternion } = randomPose(rng);
  const n = rng.direction();
  const d = rng.range(-2, 2);
  const subject = posed(
    {
      name: 'halfSpace',
      shape: halfSpace(n, d),
      level: (p) => n.x * p.x + n.y * p.y + n.z * p.z - d,
      points: [],
      flat: false,
      size: 2,
    },
    position,
    quaternion,
  );
  const p = subject.toWorld(rng.vec(5));
  const level = subject.level(subject.toOwn(p));
  const error = 1e-14 * (subject.scale + 10);
  near(signedDistance(p, subject.body), level, error, 'signed');
  const found = closestPoint(p, subject.body);
  near(found.distance, Math.max(0, level), error, 'distance');
  near(subject.level(subject.toOwn(found.point)), Math.min(0, level), error, 'point');
  check(contains(p, subject.body) === (found.distance === 0), 'contains');
});

test('shapes without size are the point or the segment that they are', () => {
  const p = vec3(3, 4, 0);
  for (const shape of [
    sphere(0),
    point(),
    box(0, 0, 0),
    cylinder(0, 0),
    cone(0, 0),
    ellipsoid(0, 0, 0),
    segment(vec3(), vec3()),
  ]) {
    expect(closestPoint(p, shape)).toMatchObject({ point: vec3(), distance: 5 });
    expect(signedDistance(p, shape)).toBe(5);
    expect(signedDistance(vec3(), shape)).toBe(0);
    expect(contains(vec3(), shape)).toBe(true);
    expect(contains(vec3(0, 1e-12, 0), shape)).toBe(false);
  }
});

test('the point may be part of the result', () => {
  const out = makeClosestPoint();
  out.point = vec3(0, 5, 0);
  expect(closestPoint(out.point, sphere(2), { out })).toBe(out);
  expect([out.point, out.distance]).toEqual([vec3(0, 2, 0), 3]);
});

test('what is not finite is refused by name', () => {
  const bad = vec3(0, Number.NaN, 0);
  expect(() => closestPoint(bad, sphere(1))).toThrow('closestPoint: point.y');
  expect(() => contains(bad, sphere(1))).toThrow('contains: point.y');
  expect(() => signedDistance(bad, sphere(1))).toThrow('signedDistance: point.y');
  expect(() => contains(vec3(), { shape: sphere(1), pose: { position: bad, quaternion: UPRIGHT } })).toThrow(
    'body.pose.position.y',
  );
});
