import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { randomLatticeBody, randomPlace } from '../../tests/kit/lattice.ts';
import { icosphere } from '../../tests/kit/meshes.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import {
  boundsOf,
  box,
  capsule,
  compound,
  cone,
  halfSpace,
  heightField,
  hull,
  type Shape,
  sphere,
} from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { cast, type Motion } from './cast.ts';
import { closestPoint } from './closest-point.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';
import { castMany, closestPointMany, intersectsMany, raycastMany } from './many.ts';
import { raycast } from './raycast.ts';
import { sweptBoundsOf } from './swept-bounds.ts';

const ball = icosphere(1);
const SHAPES: readonly Shape[] = [
  sphere(0.7),
  box(0.5, 0.8, 0.3),
  capsule(0.6, 0.4),
  cone(0.7, 0.5),
  hull([vec3(-1, 0, 0), vec3(1, 0, 0.2), vec3(0, 1, 0), vec3(0, -1, 0.3), vec3(0, 0, 1)]),
  mesh(ball.positions, ball.index),
  heightField([0, 0.3, -0.2, 0.1, 0.5, 0, 0.2, 0.1, 0], { columns: 3, rows: 3 }),
  compound([{ shape: sphere(0.5) }, { shape: box(1, 0.2, 0.2) }]),
];
const place = (rng: Rng, far: number): ReadonlyPose => ({
  position: rng.vec(far),
  quaternion: rng.rotation(),
});
const flat = (points: readonly ReadonlyVec3[]) =>
  Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z]));
const three = (list: ArrayLike<number>, i: number) => vec3(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
const times = (k: number, { x, y, z }: ReadonlyVec3) => vec3(k * x, k * y, k * z);

describe('[R2.2.3] many at once', () => {
  property('[R2.2.3] a batch of n is n single calls, bit for bit', 300, (rng) => {
    const body = { shape: rng.pick([...SHAPES, halfSpace(vec3(0, 1, 0), 0.1)]), pose: place(rng, 1) };
    const origins = Array.from({ length: 20 }, () => rng.vec(3));
    const directions = origins.map((o) =>
      rng.chance(0.5) ? times(-1, o) : rng.pick([rng.direction(), vec3()]),
    );
    const tMax = rng.pick([Infinity, 1]);
    const hits = raycastMany(flat(origins), flat(directions), body, { maxDistance: tMax });
    const points = closestPointMany(flat(origins), body);
    const other = { shape: rng.pick(SHAPES), pose: place(rng, 1) };
    // Rotations are made unit ones, as those of bodies are.
    const turns = origins.map(() => {
      const { x, y, z, w } = rng.rotation();
      const k = rng.pick([1, 1, 3]);
      return { x: k * x, y: k * y, z: k * z, w: k * w };
    });
    const yes = intersectsMany(
      other,
      { positions: flat(origins), quaternions: turns.flatMap(({ x, y, z, w }) => [x, y, z, w]) },
      body,
    );
    const unturned = intersectsMany(other, { positions: flat(origins) }, body);
    const quaternions = turns.flatMap(({ x, y, z, w }) => [x, y, z, w]);
    const casts = { translations: flat(directions), positions: flat(origins), quaternions };
    const touches = castMany(other, casts, body);
    const fromHere = castMany(other, { translations: flat(directions) }, body);
    origins.forEach((origin, i) => {
      const hit = raycast({ origin, direction: directions[i]! }, body, { maxDistance: tMax });
      check(Object.is(hits.t[i], hit?.t ?? Infinity), 't');
      const { point = vec3(), normal = vec3(), part = { child: -1, triangle: -1 } } = hit ?? {};
      expect(three(hits.point, i)).toEqual(point);
      expect(three(hits.normal, i)).toEqual(normal);
      expect([hits.child[i], hits.triangle[i]]).toEqual([part.child, part.triangle]);
      const near = closestPoint(origin, body);
      check(points.distance[i] === near.distance, 'distance');
      expect(three(points.point, i)).toEqual(near.point);
      expect([points.child[i], points.triangle[i]]).toEqual([near.part.child, near.part.triangle]);
      const posed = { shape: other.shape, pose: { position: origin, quaternion: turns[i]! } };
      check(yes[i] === +intersects(posed, body), 'intersects');
      const kept = { shape: other.shape, pose: { position: origin, quaternion: other.pose.quaternion } };
      check(unturned[i] === +intersects(kept, body), 'intersects, not turned');
      for (const [from, list] of [
        [posed, touches],
        [other, fromHere],
      ] as const) {
        const touch = cast(from, { translation: directions[i]! }, body);
        check(Object.is(list.t[i], touch?.t ?? Infinity), 't of a cast');
        const none = { child: -1, triangle: -1 };
        const { point = vec3(), normal = vec3(), part = none, moverPart = none } = touch ?? {};
        expect(three(list.point, i)).toEqual(point);
        expect(three(list.normal, i)).toEqual(normal);
        expect([list.child[i], list.triangle[i]]).toEqual([part.child, part.triangle]);
        expect([list.moverChild[i], list.moverTriangle[i]]).toEqual([moverPart.child, moverPart.triangle]);
      }
    });
  });

  property('[R2.2.3] so where they touch exactly, with quaternions of any length', 1500, (rng) => {
    const [one, two] = [randomLatticeBody(rng).shape, randomLatticeBody(rng).shape];
    const poses = Array.from({ length: 4 }, () => {
      const { position, quaternion: q } = randomPlace(rng, 3);
      const k = rng.range(0.1, 9);
      return { position, quaternion: { x: k * q.x, y: k * q.y, z: k * q.z, w: k * q.w } };
    });
    const other = { shape: two, pose: randomPlace(rng, 1) };
    const yes = intersectsMany(
      one,
      {
        positions: flat(poses.map(({ position }) => position)),
        quaternions: poses.flatMap(({ quaternion: { x, y, z, w } }) => [x, y, z, w]),
      },
      other,
    );
    poses.forEach((pose, i) => {
      check(yes[i] === +intersects({ shape: one, pose }, other), () => `${one.kind} ${JSON.stringify(pose)}`);
    });
  });

  test('lists that do not fit are refused by name', () => {
    const body = sphere(1);
    expect(() => raycastMany([1, 2], [], body)).toThrow(
      /raycastMany: origins must have 3 numbers each, got 2/,
    );
    expect(() => raycastMany([1, 2, 3], [], body)).toThrow(/directions must be as many as origins, 1; got 0/);
    expect(() => closestPointMany([1, Number.NaN, 3], body)).toThrow(/points\[1\] must be a finite number/);
    expect(() =>
      intersectsMany(body, { positions: [1, 2, 3], quaternions: [0, 0, 0, 1] }, body, {
        out: new Uint8Array(0),
      }),
    ).toThrow(/out must have room/);
    expect(raycastMany([], [], body).t.length).toBe(0);
    const zero = { positions: [1, 2, 3, 4, 5, 6], quaternions: [0, 0, 0, 1, 0, 0, 0, 0] };
    expect(() => intersectsMany(body, zero, body)).toThrow(/quaternions must not be zero, as number 1 is/);
    expect(() => castMany(body, { ...zero, translations: [1, 2, 3, 1, 2, 3] }, body)).toThrow(
      /must not be zero/,
    );
    expect(() => castMany(body, { translations: [1, 2, 3], positions: [] }, body)).toThrow(
      /positions must be as many as translations, 1; got 0/,
    );
    expect(() => castMany(body, { translations: [1, 2, 3], quaternions: [0, 0, 0, 1] }, body)).toThrow(
      /quaternions needs casts.positions/,
    );
    expect(castMany(body, { translations: [] }, body).t.length).toBe(0);
  });
});

describe('[R2.4.3b] bodies that move', () => {
  property(
    '[R2.4.3b] two that move meet when one moves relative to the other; the points differ by t v',
    600,
    (rng) => {
      const a = { shape: rng.pick(SHAPES), pose: place(rng, 3) };
      const b = { shape: rng.pick(SHAPES), pose: place(rng, 3) };
      const [va, vb] = [rng.vec(6), rng.vec(6)];
      const both = cast(a, { translation: va }, b, { targetMotion: { translation: vb } });
      const one = cast(a, { translation: vec3(va.x - vb.x, va.y - vb.y, va.z - vb.z) }, b);
      check((both === null) === (one === null), 'hit');
      if (!both || !one) return;
      check(both.t === one.t, 'time');
      for (const k of ['x', 'y', 'z'] as const) {
        near(both.point[k] - one.point[k], both.t * vb[k], 1e-12, 'point');
        check(both.normal[k] === one.normal[k], 'normal');
      }
      // And it is true: moved so far, they touch.
      const moved = ({ shape, pose }: typeof a, v: ReadonlyVec3) => {
        const { x, y, z } = pose.position;
        const { t } = both;
        return {
          shape,
          pose: { position: vec3(x + t * v.x, y + t * v.y, z + t * v.z), quaternion: pose.quaternion },
        };
      };
      if (both.t > 0) near(distance(moved(a, va), moved(b, vb))!.separation, 0, 1e-5, 'gap');
    },
  );

  /** Where a motion takes a body until time t, in the words of its definition. */
  function along({ position: p, quaternion: q }: ReadonlyPose, motion: Motion, t: number): ReadonlyPose {
    if ('linear' in motion) {
      const s = t * (motion.duration ?? 1);
      const { linear: l, angular: w } = motion;
      const rate = Math.hypot(w.x, w.y, w.z);
      const position = vec3(p.x + s * l.x, p.y + s * l.y, p.z + s * l.z);
      return { position, quaternion: rate > 0 ? product(turnOf(w, s * rate), q) : q };
    }
    const [go, turn] =
      'translation' in motion && 'axis' in motion ? [Math.min(1, 2 * t), Math.max(0, 2 * t - 1)] : [t, t];
    let position: ReadonlyVec3 = p;
    if ('translation' in motion) {
      const { translation: v } = motion;
      position = vec3(p.x + go * v.x, p.y + go * v.y, p.z + go * v.z);
    }
    if (!('axis' in motion)) return { position, quaternion: q };
    const r = turnOf(motion.axis, turn * motion.angle);
    const { x, y, z } = motion.pivot ?? position;
    const arm = product(product(r, { x: position.x - x, y: position.y - y, z: position.z - z, w: 0 }), {
      x: -r.x,
      y: -r.y,
      z: -r.z,
      w: r.w,
    });
    return { position: vec3(x + arm.x, y + arm.y, z + arm.z), quaternion: product(r, q) };
  }
  type Q = ReadonlyPose['quaternion'];
  function turnOf({ x, y, z }: ReadonlyVec3, angle: number): Q {
    const k = Math.sin(angle / 2) / Math.hypot(x, y, z);
    return { x: k * x, y: k * y, z: k * z, w: Math.cos(angle / 2) };
  }
  const product = (a: Q, b: Q): Q => ({
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
    z: a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  });

  property('[R2.4.3b] the swept bounds hold the body at every time of every kind of motion', 3000, (rng) => {
    const convexes = SHAPES.filter((shape) => 'core' in shape);
    const body = { shape: rng.pick(convexes), pose: place(rng, 3) };
    const angle = rng.sign() * rng.pick([0, 1e-3, 0.5, 2, 5, 20]) * rng.unit();
    const motion = rng.pick<Motion>([
      { translation: rng.vec(4) },
      { axis: rng.direction(), angle },
      { axis: rng.vec(3), angle, pivot: rng.vec(4) },
      { translation: rng.vec(4), axis: rng.direction(), angle, pivot: rng.vec(4) },
      { linear: rng.vec(4), angular: times(angle, rng.direction()), duration: rng.unit() },
    ]);
    const swept = sweptBoundsOf(body, motion);
    for (let i = 0; i < 6; i++) {
      const t = rng.pick([0, 1, rng.unit()]);
      const at = boundsOf(body.shape, along(body.pose, motion, t));
      for (const k of ['x', 'y', 'z'] as const) {
        check(
          at.min[k] >= swept.min[k] - 1e-14 && at.max[k] <= swept.max[k] + 1e-14,
          () => `outside at ${t}`,
        );
        // And no larger than need be, on a straight way.
        if ('translation' in motion && !('axis' in motion) && t === 1) {
          const start = boundsOf(body.shape, body.pose);
          near(swept.min[k], Math.min(start.min[k], at.min[k]), 1e-13, 'tight');
          near(swept.max[k], Math.max(start.max[k], at.max[k]), 1e-13, 'tight');
        }
      }
    }
  });

  const axes = ['x', 'y', 'z'] as const;

  property(
    '[R2.4.3b] boxes of two ways that do not overlap prove a miss, whatever the motions',
    600,
    (rng) => {
      const a = { shape: rng.pick(SHAPES), pose: place(rng, 4) };
      const b = { shape: rng.pick(SHAPES), pose: place(rng, 4) };
      const motion = () =>
        rng.pick<Motion>([
          { translation: rng.vec(4) },
          { translation: vec3() },
          { axis: rng.direction(), angle: rng.range(-1, 1) },
          { translation: rng.vec(2), axis: rng.direction(), angle: rng.range(-1, 1) },
          { linear: rng.vec(2), angular: rng.vec(1) },
        ]);
      const [ma, mb] = [motion(), motion()];
      const [one, other] = [sweptBoundsOf(a, ma), sweptBoundsOf(b, mb)];
      const gap = Math.max(
        ...axes.map((k) => Math.max(one.min[k] - other.max[k], other.min[k] - one.max[k])),
      );
      if (gap > 1e-5) check(cast(a, ma, b, { targetMotion: mb }) === null, 'a hit');
    },
  );

  property('[R2.4.3b] ways that overlap prove a hit if one body is still', 1500, (rng) => {
    const brick = () => ({
      shape: box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1)),
      pose: { position: rng.vec(2), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
    });
    const [a, b] = [brick(), brick()];
    // Along an axis, what a box passes through is a box.
    const translation = { ...vec3(), [rng.pick(axes)]: rng.range(-4, 4) };
    const [swept, still] = [sweptBoundsOf(a, { translation }), boundsOf(b.shape, b.pose)];
    const gap = Math.max(
      ...axes.map((k) => Math.max(swept.min[k] - still.max[k], still.min[k] - swept.max[k])),
    );
    if (Math.abs(gap) < 1e-5) return;
    check((cast(a, { translation }, b) !== null) === gap < 0, () => `gap ${gap}`);
    // If both move, they do not: whoever goes ahead as quickly is never met.
    if (!intersects(a, b))
      check(cast(a, { translation }, b, { targetMotion: { translation } }) === null, 'side by side');
  });

  test('[R2.4.3b] a turn after the translation, or before', () => {
    const at = (x: number, y: number, turned = false) => ({
      position: vec3(x, y),
      quaternion: turned ? { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } : { x: 0, y: 0, z: 0, w: 1 },
    });
    // A rod of half length 2 along x, and a post one and a half beside the end of its way.
    const rod = box(2, 0.1, 0.1);
    const post = { shape: box(0.1, 0.1, 5), pose: at(4, 1.5) };
    const turn = { axis: vec3(0, 0, 1), angle: Math.PI / 2 };
    expect(cast(rod, { translation: vec3(4) }, post)).toBeNull();
    // After it: in the second half of the time, just before it stands upright: its left edge meets the post's right one.
    const after = cast(rod, { translation: vec3(4), ...turn }, post)!;
    const angle = (after.t - 0.5) * Math.PI;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    near(-s * 0.1 + c * 1.4 - 0.1, 0, 1e-5, 'the corner (0.1, 1.4) of the post on the side of the rod');
    // Before it: upright when it goes, with its side ahead.
    expect(cast(rod, turn, post)).toBeNull();
    const before = cast({ shape: rod, pose: at(0, 0, true) }, { translation: vec3(4) }, post)!;
    near(before.t, (4 - 0.2) / 4, 1e-6, 'time');
    near(before.normal.x, -1, 1e-9, 'normal');
  });

  test('motions that are none are refused', () => {
    expect(() => sweptBoundsOf(sphere(1), {} as Motion)).toThrow(
      /sweptBoundsOf: motion must be a record with/,
    );
    expect(() => sweptBoundsOf(sphere(1), { axis: vec3(), angle: 1 })).toThrow(
      /motion.axis must not be zero/,
    );
    expect(() => sweptBoundsOf(5 as never, { translation: vec3() })).toThrow(/body must be a shape/);
  });
});

describe('[R2.7] within a range', () => {
  property('[R2.7] distance and contacts within a range are those without, or nothing', 1200, (rng) => {
    const a = { shape: rng.pick(SHAPES), pose: place(rng, 2) };
    const b = { shape: rng.pick(SHAPES), pose: place(rng, 2) };
    const all = distance(a, b)!;
    const range = rng.pick([0, 0.1, 1, 3]);
    const near0 = distance(a, b, { maxDistance: range });
    if (Math.abs(all.separation - range) < 1e-7) return;
    check((near0 !== null) === all.separation <= range, () => `${all.separation} within ${range}`);
    if (near0) near(near0.separation, all.separation, 1e-7, 'separation');
  });
});

describe('lists that share an array', () => {
  property('interleaved, they give what plain ones do', 100, (rng) => {
    const body = { shape: rng.pick(SHAPES), pose: place(rng, 1) };
    const other = { shape: rng.pick(SHAPES), pose: place(rng, 1) };
    const n = 8;
    const all = Float64Array.from({ length: 11 * n }, (_, i) =>
      i % 11 === 10 ? Number.NaN : rng.range(-2, 2),
    );
    const cut = (offset: number, size: number) =>
      Array.from({ length: n * size }, (_, i) => all[11 * Math.floor(i / size) + offset + (i % size)]!);
    const part = (offset: number) => ({ array: all, offset, stride: 11 });
    expect(raycastMany(part(0), part(3), body)).toEqual(raycastMany(cut(0, 3), cut(3, 3), body));
    expect(closestPointMany(part(0), body)).toEqual(closestPointMany(cut(0, 3), body));
    expect(intersectsMany(other, { positions: part(3), quaternions: part(6) }, body)).toEqual(
      intersectsMany(other, { positions: cut(3, 3), quaternions: cut(6, 4) }, body),
    );
    expect(
      castMany(other, { translations: part(0), positions: part(3), quaternions: part(6) }, body),
    ).toEqual(
      castMany(other, { translations: cut(0, 3), positions: cut(3, 3), quaternions: cut(6, 4) }, body),
    );
  });
});
