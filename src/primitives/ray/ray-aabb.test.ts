import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { mat3, vec3 } from '../../math/types.ts';
import { overlapSegmentAabb } from '../../rtcd/ch05/segment-aabb.ts';
import { type Aabb, makeSpan, type Ray } from '../types.ts';
import { lineAabb, rayAabb, segmentAabb } from './ray-aabb.ts';
import { lineObb, rayObb } from './ray-obb.ts';

const { q, sub, div, cmp, toNumber } = exact;
const KEYS = ['x', 'y', 'z'] as const;

/** Halfspace after halfspace, in rational numbers; the direction is that to `end`, if given. Null bounds are infinite. */
function clip(
  { origin, direction }: Ray,
  box: Aabb,
  end?: Vec3,
): { enter: exact.Q | null; exit: exact.Q | null } | null {
  let enter: exact.Q | null = null;
  let exit: exact.Q | null = null;
  for (const k of KEYS)
    for (const [normal, d] of [
      [-1, -box.min[k]],
      [1, box.max[k]],
    ] as const) {
      // normal (o + t direction) <= d
      const depth = sub(q(d), q(normal * origin[k]));
      const along = end ? sub(q(end[k]), q(origin[k])) : q(direction[k]);
      const slope = normal < 0 ? exact.neg(along) : along;
      if (slope.n === 0n) {
        if (depth.n < 0n) return null;
        continue;
      }
      const t = div(depth, slope);
      if (slope.n > 0n) {
        if (exit === null || cmp(t, exit) < 0) exit = t;
      } else if (enter === null || cmp(t, enter) > 0) enter = t;
    }
  return enter !== null && exit !== null && cmp(enter, exit) > 0 ? null : { enter, exit };
}

/** Axis-parallel rays with zeros of both signs, origins on faces, edges and corners, boxes without volume. */
function makeCase(rng: Rng): { ray: Ray; box: Aabb; scale: number } {
  const { points, scale } = cloud(rng, 4);
  const [a, b, origin, target] = points as [Vec3, Vec3, Vec3, Vec3];
  const box = {
    min: vec3(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z)),
    max: vec3(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z)),
  };
  const through = rng.chance(0.3);
  for (const k of KEYS) {
    if (rng.chance(0.2)) origin[k] = rng.pick([box.min, box.max])[k];
    if (through)
      target[k] = rng.pick([box.min[k], box.max[k], box.min[k] + rng.unit() * (box.max[k] - box.min[k])]);
  }
  const direction = vec3(target.x - origin.x, target.y - origin.y, target.z - origin.z);
  const stretch = rng.pick([1, 1, 3, 1e-6, 1e6]);
  for (const k of KEYS) direction[k] = rng.chance(0.25) ? rng.pick([0, -0]) : direction[k] * stretch;
  return { ray: { origin, direction }, box, scale };
}

property('[R5.3.3a] line, ray and segment against halfspaces in rational arithmetic', 20_000, (rng) => {
  const { ray, box, scale } = makeCase(rng);
  const truth = clip(ray, box);
  const line = lineAabb(ray, box);
  // Differences and quotients are rounded once each: two ulps. Doubt goes to the hit, never the other way.
  if (truth) check(line !== null, 'a miss of what is hit');
  if (line && !truth) {
    const outside = KEYS.map((k) => {
      const at = ray.origin[k] + line.enter * ray.direction[k];
      return Math.max(box.min[k] - at, at - box.max[k], 0);
    });
    near(Math.max(...outside), 0, 1e-14 * scale, 'a hit of what is missed');
  }
  if (line && truth) {
    const enter = truth.enter ? toNumber(truth.enter) : -Infinity;
    const exit = truth.exit ? toNumber(truth.exit) : Infinity;
    check(line.enter === enter || Math.abs(line.enter - enter) <= 4e-16 * Math.abs(enter), 'enter');
    check(line.exit === exit || Math.abs(line.exit - exit) <= 9e-16 * Math.abs(exit), 'exit');
  }
  const hit = rayAabb(ray, box);
  const ahead = truth !== null && (truth.exit === null || truth.exit.n >= 0n);
  if (ahead) check(hit !== null, 'a miss of what is hit');
  if (!line || line.exit < 0) check(hit === null, 'a hit of what is missed');
  if (hit && line) {
    near(hit.t, Math.max(0, line.enter), 2 ** -50 * hit.t, 'the entry');
    for (const k of KEYS) {
      check(
        hit.t === 0 || (hit.point[k] >= box.min[k] && hit.point[k] <= box.max[k]),
        'the point is in the box',
      );
      near(hit.point[k], ray.origin[k] + hit.t * ray.direction[k], 1e-14 * scale, 'point');
    }
    if (hit.t > 0) {
      const [axis] = KEYS.filter((k) => hit.normal[k] !== 0) as ['x'];
      check(
        Math.abs(hit.normal[axis]) === 1 && hit.normal[axis] * ray.direction[axis] < 0,
        'the normal looks back',
      );
      const face = hit.normal[axis] > 0 ? box.max : box.min;
      check(hit.point[axis] === face[axis], 'the point is on the face');
    }
  }
});

property('[R5.3.3b] six separating axes agree with the slabs, but for grazing', 20_000, (rng) => {
  const { ray, box, scale } = makeCase(rng);
  const p = ray.origin;
  const end = vec3(p.x + ray.direction.x, p.y + ray.direction.y, p.z + ray.direction.z);
  const [is, hit] = [overlapSegmentAabb(p, end, box), segmentAabb(p, end, box)];
  check(overlapSegmentAabb(end, p, box) === is, 'the same from the other end');
  const truth = clip(ray, box, end);
  const meets =
    truth !== null &&
    (truth.enter === null || cmp(truth.enter, exact.ONE) <= 0) &&
    (truth.exit === null || truth.exit.n >= 0n);
  if (meets) check(is, 'a miss of what is hit');
  if (is === (hit !== null)) return;
  // They differ: then a box larger by a hair is hit.
  const hair = 1e-14 * (scale + Math.max(...KEYS.map((k) => Math.abs(ray.direction[k]))));
  const grown = (by: number): Aabb => ({
    min: vec3(box.min.x - by, box.min.y - by, box.min.z - by),
    max: vec3(box.max.x + by, box.max.y + by, box.max.z + by),
  });
  check(clip(ray, grown(hair), end) !== null, 'far from touching');
});

property('[R5.3.3a] an oriented box without rotation is an axis-aligned one', 10_000, (rng) => {
  const { ray } = makeCase(rng);
  const halfSize = vec3(rng.int(0, 3), rng.int(0, 3), rng.int(0, 3));
  const box = { min: vec3(-halfSize.x, -halfSize.y, -halfSize.z), max: halfSize };
  const obb = { center: vec3(), halfSize, rotation: mat3() };
  const [line, same] = [lineObb(ray, obb), lineAabb(ray, box)];
  check(line?.enter === same?.enter && line?.exit === same?.exit, 'span');
  check(rayObb(ray, obb)?.t === rayAabb(ray, box)?.t, 't');
});

const cube: Aabb = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
const ray = (x: number, y: number, z: number, dx: number, dy: number, dz: number): Ray => ({
  origin: vec3(x, y, z),
  direction: vec3(dx, dy, dz),
});

test('[R5.3.3a] on a face, along a face, along an edge, with zeros of either sign', () => {
  for (const zero of [0, -0]) {
    expect(rayAabb(ray(-3, 1, 0, 1, zero, zero), cube)!.t).toBe(2);
    expect(rayAabb(ray(-3, 1, -1, 1, zero, zero), cube)!.t).toBe(2);
    expect(rayAabb(ray(-3, 1 + 2 ** -52, 0, 1, zero, zero), cube)).toBeNull();
    expect(rayAabb(ray(-1, 0, 0, zero, 1, zero), cube)!.t).toBe(0);
    expect(rayAabb(ray(1, 5, 1, zero, -1, zero), cube)!.t).toBe(4);
    expect(lineAabb(ray(0, 0, 0, zero, zero, 2), cube, makeSpan())).toEqual({ enter: -0.5, exit: 0.5 });
    expect(lineAabb(ray(0, 1, 0, zero, zero, zero), cube)).toEqual({ enter: -Infinity, exit: Infinity });
    expect(lineAabb(ray(0, 2, 0, zero, zero, zero), cube)).toBeNull();
  }
  expect(rayAabb(ray(-1, 0, 0, -1, 0, 0), cube)!.t).toBe(0); // on it and leaving: touching counts
  expect(rayAabb(ray(-3, -3, -3, 1, 1, 1), cube)!.t).toBe(2); // through two corners
  expect(rayAabb(ray(-2, 0, 0, 1, 1, 0), cube)!.t).toBe(1); // through an edge only
});

test('[R5.3.3a] inside is t = 0; the normal of a hit is that of the face', () => {
  expect(rayAabb(ray(0, 0, 0, 0, 4, 0), cube)).toEqual({ t: 0, point: vec3(), normal: vec3(0, -1, 0) });
  expect(rayAabb(ray(0, 3, 0, 0, -4, 0), cube)).toEqual({
    t: 0.5,
    point: vec3(0, 1, 0),
    normal: vec3(0, 1, 0),
  });
  expect(rayAabb(ray(0, 3, 0, 0, -4, 0), cube, 0.49)).toBeNull();
  expect(segmentAabb(vec3(0, 3, 0), vec3(0, 1, 0), cube)!.t).toBe(1);
  expect(segmentAabb(vec3(0, 3, 0), vec3(0, 1.5, 0), cube)).toBeNull();
});

test('[R5.3.3a] a tiny component over a long way is not parallel', () => {
  const far = { min: vec3(4e6 - 1, 1.5, -1), max: vec3(4e6 + 1, 2.5, 1) };
  near(rayAabb(ray(0, 0, 0, 1, 5e-7, 0), far)!.t, 4e6 - 1, 1e-9);
});

test('[R5.3.3b] a segment past an edge is separated by a cross axis only', () => {
  expect(overlapSegmentAabb(vec3(0.9, 2, 0), vec3(2, 0.9, 0), cube)).toBe(false);
  expect(overlapSegmentAabb(vec3(0, 2, 0), vec3(2, 0, 0), cube)).toBe(true); // through the edge
  expect(overlapSegmentAabb(vec3(0.5, 0.5, 0.5), vec3(0.5, 0.5, 0.5), cube)).toBe(true);
  expect(overlapSegmentAabb(vec3(0, 0, 0), vec3(0.1, 0, 0), cube)).toBe(true);
});

test('bad numbers and inverted boxes are refused by name', () => {
  const inverted = { min: vec3(1, 0, 0), max: vec3(0, 1, 1) };
  expect(() => rayAabb(ray(0, 0, 0, 1, 0, 0), inverted)).toThrow(/rayAabb: box/);
  expect(() => lineAabb(ray(0, Infinity, 0, 1, 0, 0), cube)).toThrow(/lineAabb: line\.origin\.y/);
  const obb = { center: vec3(), halfSize: vec3(1, -1, 1), rotation: mat3() };
  expect(() => rayObb(ray(0, 0, 0, 1, 0, 0), obb)).toThrow(/box\.halfSize/);
});
