import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  type PosedSubject,
  pointOf,
  posed,
  randomPose,
  randomSubject,
  SUBJECTS,
} from '../../tests/kit/one-body.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { Ray } from '../primitives/types.ts';
import { box, halfSpace, heightField, hull, scaled, segment, sphere, triangle } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { makeCastHit } from '../shapes/results.ts';
import { closestPoint } from './closest-point.ts';
import { contains } from './contains.ts';
import { raycast } from './raycast.ts';
import { signedDistance } from './signed-distance.ts';

const at = ({ origin: o, direction: d }: Ray, t: number): Vec3 =>
  vec3(o.x + t * d.x, o.y + t * d.y, o.z + t * d.z);
const size = ({ x, y, z }: ReadonlyVec3) => Math.hypot(x, y, z);
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const minus = (a: ReadonlyVec3, b: ReadonlyVec3) => vec3(a.x - b.x, a.y - b.y, a.z - b.z);

/** A ray at a point of the body, past it, or anywhere; from next to it or far away; in units of any length. */
function randomRay(rng: Rng, subject: PosedSubject): Ray {
  const room = (subject.size || 1) * rng.pick([1, 2, 2, 5, 1000]);
  const origin = subject.toWorld(rng.vec(room));
  const target = pointOf(rng, subject);
  const k = subject.flat ? 0 : rng.pick([0, 0, 0.5, 1, 2]) * (subject.size || 1);
  const aim = subject.toWorld(
    vec3(target.x + k * rng.range(-1, 1), target.y + k * rng.range(-1, 1), target.z + k * rng.range(-1, 1)),
  );
  const way = minus(aim, origin);
  const unit = rng.pick([1, 1 / (size(way) || 1), 0.01, 100]);
  return { origin, direction: vec3(unit * way.x, unit * way.y, unit * way.z) };
}

/** The time at which the level is least, by golden sections: it is a convex function of time. */
function leastAlong(level: (t: number) => number, last: number): number {
  let [low, high] = [0, last];
  for (let i = 0; i < 120; i++) {
    const [a, b] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (level(a) <= level(b)) high = b;
    else low = a;
  }
  return level(0) <= level(low) ? 0 : low;
}

describe('against the level of the shape', () => {
  for (const name of SUBJECTS)
    property(`${name}: the first touch, neither late nor early, never missed`, 700, (rng) => {
      const { position, quaternion } = randomPose(rng);
      const subject = posed(randomSubject(rng, name), position, quaternion);
      const ray = randomRay(rng, subject);
      const speed = size(ray.direction);
      const level = (t: number) => subject.level(subject.toOwn(at(ray, t)));
      const scale = subject.scale + size(ray.origin) + size(minus(ray.origin, position));
      const last = (2 * (size(minus(ray.origin, position)) + subject.size)) / speed;
      const least = leastAlong(level, last);
      // The level loses some roundings of all sizes; thin ellipsoids have one that is much flatter than the distance.
      const error = 1e-13 * scale;
      // Next to a set that only its support map tells of, the direction that GJK finds is less than precise.
      const early = name.startsWith('convex') ? 1e-8 : 0;
      const hit = raycast(ray, subject.body);
      check(raycast(ray, subject.body, { mode: 'any' }) === (hit !== null), 'any');
      if (hit === null) {
        check(
          level(least) >= (subject.flat ? error : -error),
          () => `missed at ${least}, level ${level(least)}`,
        );
        return;
      }
      const { t, point, normal } = hit;
      check(hit.part.child === -1 && hit.part.triangle === -1, 'part');
      near(size(normal), 1, 1e-12, 'length of normal');
      check(dot(normal, ray.direction) <= 1e-7 * speed, 'normal looks along the ray');
      const steepness = -dot(normal, ray.direction) / speed;
      near(size(minus(point, at(ray, t))), 0, error * Math.max(1, 0.1 / steepness), 'point on the ray');
      if (t === 0) {
        check(level(0) <= error, 'started outside');
        return;
      }
      check(level(0) > -error, 'started inside');
      check(level(t) >= -error, () => `late: level ${level(t)} at ${t}`);
      check(level(t) <= 3 * error + early * scale, () => `early: level ${level(t)} at ${t}`);
      check(t * speed <= least * speed + 1e-6 * scale, 'on the way out');
      check(raycast(ray, subject.body, { maxDistance: t }) !== null, 'maxDistance is included');
      check(
        raycast(ray, subject.body, { maxDistance: t * (1 - 1e-9) }) === null || t * speed * 1e-9 < 4 * error,
        'beyond maxDistance',
      );
      // Out along the normal the distance grows as it should.
      const h = 0.1 * (subject.size || 1);
      if (h > 1e4 * error) {
        const out = vec3(point.x + h * normal.x, point.y + h * normal.y, point.z + h * normal.z);
        near(subject.level(subject.toOwn(out)), h, 1e-4 * h, 'normal');
      }
    });
});

property(
  'a ray in a body starts at t = 0 with the normal against it, and a still one with none',
  6000,
  (rng) => {
    const name = rng.pick(SUBJECTS);
    const { position, quaternion } = randomPose(rng);
    const subject = posed(randomSubject(rng, name), position, quaternion);
    const inside = subject.toWorld(pointOf(rng, subject));
    const origin = rng.chance(0.5) ? inside : closestPoint(subject.toWorld(rng.vec(3)), subject.body).point;
    const direction = rng.direction();
    const hit = raycast({ origin, direction }, subject.body)!;
    check(contains(origin, subject.body), () => `${name} does not contain its point`);
    check(hit !== null && hit.t === 0, () => `${name}: t = ${hit?.t}`);
    check(hit.point.x === origin.x && hit.point.y === origin.y && hit.point.z === origin.z, 'point');
    near(dot(hit.normal, direction), -1, 1e-15, 'normal');
    const still = raycast({ origin, direction: vec3() }, subject.body, { maxDistance: 0 })!;
    check(still !== null && still.t === 0 && size(still.normal) === 0, 'still');
  },
);

property('a still ray outside hits nothing, and t = 0 means contained', 4000, (rng) => {
  const { position, quaternion } = randomPose(rng);
  const subject = posed(randomSubject(rng, rng.pick(SUBJECTS)), position, quaternion);
  const origin = subject.toWorld(rng.vec(subject.size * 1.5 || 1));
  const isIn = contains(origin, subject.body);
  check((raycast({ origin, direction: vec3() }, subject.body) !== null) === isIn, 'still');
  check(isIn === (closestPoint(origin, subject.body).distance === 0), 'distance');
  const hit = raycast({ origin, direction: rng.direction() }, subject.body);
  check(isIn ? hit?.t === 0 : hit === null || hit.t > 0, 'ray');
});

property('turning body and ray together changes nothing', 4000, (rng) => {
  const own = randomSubject(rng, rng.pick(SUBJECTS), true);
  const still = posed(own, vec3(), { x: 0, y: 0, z: 0, w: 1 });
  const { position, quaternion } = randomPose(rng);
  const turned = posed(own, position, quaternion);
  const target = pointOf(rng, own);
  const origin = rng.vec(4);
  const direction = minus(target, origin);
  const there = turned.toWorld(origin);
  const aim = turned.toWorld(target);
  const a = raycast({ origin, direction }, still.body);
  const b = raycast({ origin: there, direction: minus(aim, there) }, turned.body);
  // Corners may be grazed by one and not by the other: only what is clear is compared.
  const inward = a && a.t > 0 ? -dot(a.normal, direction) / size(direction) : 0;
  if (!a || !b || own.flat || inward < 0.1) return;
  const error = own.name.startsWith('convex') ? 1e-8 : 1e-12;
  near(b.t * size(direction), a.t * size(direction), error * (turned.scale + 10), 't');
});

property('a scene a million times larger or smaller gives the same t, distance and side', 3000, (rng) => {
  const own = randomSubject(rng, rng.pick(SUBJECTS));
  // Powers of two: nothing is rounded on the way.
  const k = rng.pick([2 ** -20, 2 ** 20, 2 ** -40]);
  const times = ({ x, y, z }: ReadonlyVec3) => vec3(k * x, k * y, k * z);
  const { position, quaternion } = randomPose(rng);
  const here = posed(own, position, quaternion);
  const large = { shape: scaled(own.shape, vec3(k, k, k)), pose: { position: times(position), quaternion } };
  const { origin, direction } = randomRay(rng, here);
  const a = raycast({ origin, direction }, here.body);
  const b = raycast({ origin: times(origin), direction: times(direction) }, large);
  const [p, q] = [closestPoint(origin, here.body), closestPoint(times(origin), large)];
  const error = own.name.startsWith('convex') ? 1e-8 * (here.scale + size(origin)) : 0;
  near(q.distance / k, p.distance, error, 'distance');
  if (error === 0) {
    check(a?.t === b?.t, () => `${own.name}: ${a?.t} and ${b?.t}`);
    check(contains(origin, here.body) === contains(times(origin), large), 'contains');
  } else if (a && b) near(b.t * size(direction), a.t * size(direction), 100 * error, 't');
});

describe('a table of all shapes', () => {
  const square = [vec3(-1, -1, 0), vec3(1, -1, 0), vec3(1, 1, 0), vec3(-1, 1, 0)];
  const cube = box(1, 1, 1).faces!.vertices;
  const flatMesh = mesh([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0]);
  const field = heightField([0, 0, 0, 0], { columns: 2, rows: 2, spacing: 2 });
  // Down onto the shape from above its middle: where it is hit.
  const table = [
    ['sphere', sphere(1), 1],
    ['box', box(1, 1, 1), 1],
    ['rounded box', box(0.5, 0.5, 0.75, 0.25), 1],
    ['hull', hull(cube), 1],
    ['rounded hull', hull(cube, 0.5), 1.5],
    ['rounded triangle', triangle(square[0]!, square[1]!, vec3(0, 2, 0), 0.5), 0.5],
    ['half-space', halfSpace(vec3(0, 0, 1), 0.5), 0.5],
    ['triangle', triangle(square[0]!, square[1]!, vec3(0, 2, 0)), 0],
    ['mesh', flatMesh, 0],
  ] as const;
  for (const [name, shape, height] of table)
    test(name, () => {
      const hit = raycast({ origin: vec3(0, 0, 5), direction: vec3(0, 0, -2) }, shape)!;
      expect(hit.t).toBeCloseTo((5 - height) / 2, 12);
      expect(hit.normal.z).toBeCloseTo(1, 14);
      expect(hit.point.z).toBeCloseTo(height, 12);
      expect(raycast({ origin: vec3(0, 0, 5), direction: vec3(0, 0, 2) }, shape)).toBeNull();
      expect(
        raycast({ origin: vec3(0, 0, 5), direction: vec3(0, 0, -2) }, shape, { maxDistance: hit.t }),
      ).not.toBeNull();
      expect(
        raycast({ origin: vec3(0, 0, 5), direction: vec3(0, 0, -2) }, shape, { maxDistance: 0.99 * hit.t }),
      ).toBeNull();
      expect(raycast({ origin: vec3(0, 0, 5), direction: vec3() }, shape)).toBeNull();
    });

  test('surfaces are hit from both sides', () => {
    for (const shape of [triangle(square[0]!, square[1]!, square[2]!), flatMesh]) {
      const up = raycast({ origin: vec3(0.5, -0.5, -3), direction: vec3(0, 0, 1) }, shape)!;
      expect([up.t, up.normal.z]).toEqual([3, -1]);
      const down = raycast({ origin: vec3(0.5, -0.5, 3), direction: vec3(0, 0, -1) }, shape)!;
      expect([down.t, down.normal.z]).toEqual([3, 1]);
    }
    for (const side of [1, -1]) {
      const hit = raycast({ origin: vec3(0.5, side, 0.25), direction: vec3(0, -side, 0) }, field)!;
      expect([hit.t, hit.normal.y, hit.part.triangle]).toEqual([1, side, 0]);
    }
  });

  test('a ray along the plane of a triangle enters by its edge', () => {
    const shape = triangle(vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0));
    const hit = raycast({ origin: vec3(-3, 0.5, 0), direction: vec3(1, 0, 0) }, shape)!;
    expect(hit.t).toBeCloseTo(3, 12);
    expect(hit.normal).toEqual(vec3(-1, 0, 0));
    expect(raycast({ origin: vec3(0.5, 0.5, 0), direction: vec3(1, 0, 0) }, shape)!.t).toBe(0);
    expect(raycast({ origin: vec3(-3, 0.5, 1e-9), direction: vec3(1, 0, 0) }, shape)).toBeNull();
  });

  test('a segment is hit by what passes within rounding of it', () => {
    const shape = segment(vec3(-1, 0, 0), vec3(1, 0, 0));
    const through = raycast({ origin: vec3(0.25, 0, 4), direction: vec3(0, 0, -1) }, shape)!;
    expect(through.t).toBeCloseTo(4, 12);
    expect(through.normal).toEqual(vec3(0, 0, 1));
    expect(raycast({ origin: vec3(0.25, 1e-12, 4), direction: vec3(0, 0, -1) }, shape)).toBeNull();
    const along = raycast({ origin: vec3(-4, 0, 0), direction: vec3(1, 0, 0) }, shape)!;
    expect(along.t).toBeCloseTo(3, 12);
    expect(along.normal).toEqual(vec3(-1, 0, 0));
  });
});

test('a hit on the result of another, and out that is the ray', () => {
  const hit = makeCastHit();
  raycast({ origin: vec3(0, 0, 5), direction: vec3(0, 0, -1) }, sphere(1), { out: hit });
  expect(raycast({ origin: hit.point, direction: vec3(0, 0, -1) }, box(1, 1, 0.5), { out: hit })).toBe(hit);
  expect([hit.t, hit.point.z]).toEqual([0.5, 0.5]);
});

test('what is not finite is refused by name', () => {
  const ray = { origin: vec3(), direction: vec3(0, 0, 1) };
  const pose = { position: vec3(0, Number.NaN, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(() => raycast(ray, { shape: sphere(1), pose })).toThrow('raycast: body.pose.position.y');
  const still = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 0 } };
  expect(() => raycast(ray, { shape: sphere(1), pose: still })).toThrow(
    'body.pose.quaternion must not be zero',
  );
  expect(() => raycast({ origin: vec3(Infinity), direction: vec3() }, sphere(1))).toThrow('ray.origin.x');
  expect(() => raycast(ray, sphere(1), { maxDistance: Number.NaN })).toThrow('options.maxDistance');
});

test('what is no body, no ray and no point is refused by name', () => {
  const ray = { origin: vec3(), direction: vec3(0, 0, 1) };
  for (const bad of [undefined, null, 5, 'ball', {}, [], { shape: {} }])
    for (const [name, ask] of Object.entries({
      raycast: () => raycast(ray, bad as never),
      closestPoint: () => closestPoint(vec3(), bad as never),
      contains: () => contains(vec3(), bad as never),
      signedDistance: () => signedDistance(vec3(), bad as never),
    })) {
      expect(ask).toThrow(TypeError);
      expect(ask).toThrow(`graze: ${name}: body must be a shape or a collider`);
    }
  expect(() => raycast(ray, { shape: sphere(1) } as never)).toThrow('body.pose must be a pose');
  expect(() => raycast(undefined as never, sphere(1))).toThrow(
    'raycast: ray must be a ray {origin, direction}, got undefined',
  );
  expect(() => raycast({ origin: vec3() } as never, sphere(1), { mode: 'any' })).toThrow(
    'ray must be a ray {origin, direction}',
  );
  expect(() => closestPoint(undefined as never, sphere(1))).toThrow(
    'closestPoint: point must be {x, y, z} or vec3(), got undefined',
  );
  expect(() => contains(7 as never, sphere(1))).toThrow('contains: point must be {x, y, z} or vec3(), got 7');
});
