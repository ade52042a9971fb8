/** Contact times of solids of any kind, against closed forms and against the casts of the library. */
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../../tests/kit/every-shape.ts';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import { icosphere } from '../../../tests/kit/meshes.ts';
import { pose, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeObb } from '../../primitives/types.ts';
import { cast } from '../../query/cast.ts';
import { distance } from '../../query/distance.ts';
import { collider } from '../../shapes/collider.ts';
import { sdf } from '../../shapes/fields/sdf.ts';
import { box } from '../../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../../shapes/half-space.ts';
import { mesh } from '../../shapes/mesh.ts';
import { capsule, cylinder, sphere } from '../../shapes/round-shapes.ts';
import type { Shape } from '../../shapes/shape.ts';
import { solidOf } from '../../shapes/solid-of.ts';
import { type Motion, makeMotionPhases, poseAlongPhases, readMotionPhases } from '../motion.ts';
import { contactTime, contactTimes } from './contact-time.ts';
import { makeSteadyBody, RelativePath } from './relative-path.ts';
import type { Solid } from './solid.ts';

const RESTING = { translation: vec3() };
const at = (position: ReadonlyVec3, quaternion = { x: 0, y: 0, z: 0, w: 1 }) => ({ position, quaternion });
const point = (rng: Rng, r: number): Vec3 => vec3(rng.range(-r, r), rng.range(-r, r), rng.range(-r, r));

/** One point. */
const dot = (p: ReadonlyVec3): Solid => ({
  bounds: { min: p, max: p },
  sample: () => [p.x, p.y, p.z],
  box: () => true,
  segment: () => null,
  normal: (q) => v3.normalize(v3.sub(q, p)),
  signedDistance: (q) => v3.distance(p, q),
});

describe('[G2] [G5] against closed forms', () => {
  const ball = solidOf(sphere(0.5));
  const TOLERANCE = 1e-10;
  const options = { tolerance: TOLERANCE };
  /** Late or early by the tolerance across the surface, at this speed. */
  const within = (found: number, truth: number, speed: number) =>
    near(found, truth, (2 * TOLERANCE) / speed + 1e-12, 't');

  property('a ball that spins, and a plane', 5_000, (rng) => {
    const n = rng.direction();
    const d = rng.range(-1, 1);
    const from = v3.addScaled(point(rng, 3), n, 4 + d);
    const linear = point(rng, 8);
    const speed = -v3.dot(n, linear);
    const truth = (v3.dot(n, from) - d - 0.5) / speed;
    const motion = { linear, angular: point(rng, 5) };
    if (v3.dot(n, from) - d < 0.6) return;
    const found = contactTime(
      { solid: ball, pose: at(from) },
      motion,
      solidOf(halfSpace(n, d)),
      RESTING,
      options,
    );
    if (!(truth > 0 && truth < 1)) {
      check(found === null || Math.abs(truth - 1) < 1e-9, () => `made up: ${found?.t} for ${truth}`);
      return;
    }
    check(found !== null, () => `missed at ${truth}`);
    within(found!.t, truth, speed);
    near(v3.distance(found!.normal, n), 0, 1e-6, 'normal');
    near(v3.dot(n, found!.point), d, 1e-9, 'point');
  });

  property('two balls that move and spin', 5_000, (rng) => {
    const other = solidOf(sphere(rng.range(0.1, 2)));
    const radius = other.radius! + 0.5;
    const from = v3.scale(rng.direction(), radius + rng.range(0.01, 4));
    const [linear, own] = [v3.sub(v3.scale(from, rng.range(-3, 0)), point(rng, 1)), point(rng, 2)];
    const relative = v3.sub(linear, own);
    const found = contactTime(
      { solid: ball, pose: at(from) },
      { linear, angular: point(rng, 3) },
      other,
      { linear: own, angular: point(rng, 3) },
      options,
    );
    const [a, b, c] = [
      v3.dot(relative, relative),
      v3.dot(from, relative),
      v3.dot(from, from) - radius * radius,
    ];
    const root = b * b - a * c;
    const truth = root >= 0 && b < 0 ? c / (-b + Math.sqrt(root)) : Infinity;
    if (!(truth < 1)) {
      // What passes by no more than the tolerance may be stopped.
      if (found === null) return;
      const there = v3.addScaled(from, relative, found.t);
      near(v3.length(there), radius, 2 * TOLERANCE, 'stopped beside');
      return;
    }
    check(found !== null, () => `missed at ${truth}`);
    const there = v3.addScaled(from, relative, truth);
    within(found!.t, truth, -v3.dot(there, relative) / radius);
    near(v3.distance(found!.normal, v3.normalize(v3.addScaled(from, relative, found!.t))), 0, 1e-6, 'normal');
  });

  property('a rod that spins, and a plane', 5_000, (rng) => {
    const height = rng.range(0.2, 1);
    const angle = rng.range(0.5, 3) * rng.sign();
    const rod = solidOf(capsule(1, 0.1));
    const lying = at(vec3(), { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 });
    const floor = solidOf(halfSpace(vec3(0, 1), -height));
    const found = contactTime(
      { solid: rod, pose: lying },
      { axis: vec3(0, 0, 1), angle },
      floor,
      RESTING,
      options,
    );
    const sine = height - 0.1;
    const truth = Math.asin(sine) / Math.abs(angle);
    if (truth > 1) {
      check(found === null || truth < 1 + 1e-9, () => `made up: ${found?.t}`);
      return;
    }
    check(found !== null, () => `missed at ${truth}`);
    within(found!.t, truth, Math.abs(angle) * Math.sqrt(1 - sine * sine));
    near(v3.distance(found!.normal, vec3(0, 1)), 0, 1e-6, 'normal');
  });

  const post = solidOf(cylinder(9, 0.5));
  property('a point on a helix, and a cylinder', 5_000, (rng) => {
    // It goes around the y axis at a distance of r, and up; the cylinder stands at a distance of d.
    const [r, d] = [rng.range(0.2, 3), rng.range(0.2, 3)];
    if (Math.abs(r - d) > 0.499 || r + d < 0.51) return;
    const angle = rng.range(1, 6) * rng.sign();
    const cosine = (r * r + d * d - 0.25) / (2 * r * d);
    const start = Math.acos(Math.max(-1, cosine)) + rng.range(0.01, 1);
    if (start > Math.PI) return;
    const motion = { linear: vec3(0, rng.range(-5, 5)), angular: vec3(0, angle) };
    // Seen from above, angles about y go from z to x.
    const from = start * -Math.sign(angle);
    const mover = { solid: dot(vec3(r * Math.sin(from), 0, r * Math.cos(from))), pose: at(vec3()) };
    const truth = (start - Math.acos(cosine)) / Math.abs(angle);
    const found = contactTime(mover, motion, { solid: post, pose: at(vec3(0, 0, d)) }, RESTING, options);
    if (truth > 1) {
      check(found === null || truth < 1 + 1e-6, () => `made up: ${found?.t}`);
      return;
    }
    check(found !== null, () => `missed at ${truth}`);
    const across = (Math.abs(angle) * d * r * Math.sin(start - truth * Math.abs(angle))) / 0.5;
    within(found!.t, truth, across);
    const p = found!.point;
    near(v3.distance(found!.normal, vec3(p.x / 0.5, 0, (p.z - d) / 0.5)), 0, 1e-6, 'normal');
  });
});

/** Some of each kind. */
const SHAPES: readonly Shape[] = [
  ...Object.values(EVERY_SHAPE),
  sdf((p) => v3.length(p) - 0.6, { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) }, { exact: true }),
];
const poseAfter = (from: ReturnType<typeof at>, motion: Motion, t: number) => {
  const phases = makeMotionPhases();
  readMotionPhases('test', 'motion', motion, from, phases);
  return poseAlongPhases(from, phases, t, pose());
};

describe('[G1] a solid of any kind answers for all algorithms', () => {
  property('samples are on it, boxes meet what holds a point of it, segments stop at it', 30, (rng) => {
    const shape = rng.pick(SHAPES.filter(({ kind }) => kind !== 'halfSpace'));
    const solid = solidOf(shape);
    const spacing = rng.range(0.1, 0.5);
    const samples = solid.sample(spacing);
    check(samples.length >= 3, () => 'no samples');
    for (let i = 0; i < samples.length; i += 3 * Math.ceil(samples.length / 60)) {
      const p = vec3(samples[i]!, samples[i + 1]!, samples[i + 2]!);
      check(solid.signedDistance!(p) <= 1e-6, () => `a sample is outside by ${solid.signedDistance!(p)}`);
      const q = point(rng, 0.05);
      const size = 0.001 + v3.length(q);
      const rotation = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
      const meets = solid.box({ center: v3.add(p, q), halfSize: vec3(size, size, size), rotation });
      check(meets, () => 'a box about a point of it does not meet it');
    }
    // A segment from outside to a point of the surface.
    const [a, b] = [v3.scale(rng.direction(), 5), point(rng, 0.3)];
    const s = solid.segment(a, b);
    const direction = v3.sub(b, a);
    const truth = distance(collider(EVERY_SHAPE.point!, at(b)), shape)!.separation <= 0;
    if (s === null) {
      check(!truth, () => 'a segment that ends inside is free');
      return;
    }
    const p = v3.addScaled(a, direction, s);
    near(distance(collider(EVERY_SHAPE.point!, at(p)), shape)!.separation, 0, 1e-6, 'stops at the surface');
    near(v3.length(solid.normal(p)), 1, 1e-9, 'normal');
  });

  property('each point of the surface is near to a sample', 25, (rng) => {
    const shape = rng.pick(SHAPES.filter(({ kind }) => kind !== 'halfSpace'));
    const solid = solidOf(shape);
    const spacing = rng.range(0.1, 0.4);
    const samples = solid.sample(spacing);
    const [a, b] = [v3.scale(rng.direction(), 5), point(rng, 0.4)];
    const s = solid.segment(a, b);
    if (s === null) return;
    const p = v3.lerp(a, b, s);
    let least = Infinity;
    for (let i = 0; i < samples.length; i += 3)
      least = Math.min(least, v3.distance(p, vec3(samples[i]!, samples[i + 1]!, samples[i + 2]!)));
    check(least <= spacing + solid.radius! + 1e-6, () => `${shape.kind}: ${least} from the nearest sample`);
  });

  test("a user's own, a wall of bricks with gaps between them, in ten lines", () => {
    const bricks = [vec3(0, -1.5), vec3(0, 1.5)];
    const half = vec3(0.1, 1, 5);
    const wall: Solid = {
      bounds: { min: vec3(-0.1, -2.5, -5), max: vec3(0.1, 2.5, 5) },
      sample: () => [],
      box: ({ center, halfSize }) =>
        bricks.some((brick) => {
          const d = v3.sub(v3.abs(v3.sub(center, brick)), half);
          return Math.max(d.x, d.y, d.z) <= v3.length(halfSize);
        }),
      segment: (a, b) => {
        const times = bricks.map(
          (brick) => solidOf(box(0.1, 1, 5)).segment(v3.sub(a, brick), v3.sub(b, brick)) ?? 2,
        );
        return Math.min(...times) <= 1 ? Math.min(...times) : null;
      },
      normal: () => vec3(-1),
    };
    const crate = solidOf(box(0.2, 0.2, 0.2));
    const fly = (y: number) =>
      contactTime(
        { solid: crate, pose: at(vec3(-5, y)) },
        { linear: vec3(10), angular: vec3() },
        wall,
        RESTING,
      );
    expect(fly(0)).toBeNull();
    expect(fly(1)!.t).toBeCloseTo(0.47, 9);
    expect(fly(1)!.normal).toEqual(vec3(-1));
  });
});

describe('[G3] a moving point against a solid', () => {
  property('paths stay within the boxes about their chords', 2000, (rng) => {
    const [a, b] = [makeSteadyBody(), makeSteadyBody()];
    for (const body of [a, b]) {
      v3.copy(point(rng, 3), body.pose.position);
      v3.copy(v3.add(body.pose.position, point(rng, rng.pick([0, 2]))), body.motion.pivot);
      v3.copy(point(rng, rng.pick([0, 5])), body.motion.linear);
      v3.copy(rng.direction(), body.motion.axis);
      body.motion.angle = rng.pick([0, rng.range(0, 6)]);
      Object.assign(body.pose.quaternion, rng.rotation());
    }
    const path = new RelativePath(a, b);
    path.follow(point(rng, 2));
    const [from, to] = [rng.range(0, 0.5), rng.range(0.5, 1)];
    const bend = path.bend(to - from);
    const [p, q] = [path.at(from, vec3()), path.at(to, vec3())];
    for (let i = 0; i <= 10; i++) {
      const x = path.at(from + ((to - from) * i) / 10, vec3());
      const chord = v3.lerp(p, q, i / 10);
      check(v3.distance(x, chord) <= bend + 1e-12, () => `off by ${v3.distance(x, chord)} of ${bend}`);
    }
    check(path.bend((to - from) / 64) <= bend / 16 + 1e-15, () => 'the bound does not shrink');
  });

  property('what is thinner than the tolerance is not missed', 200, (rng) => {
    const sheet = solidOf(mesh([0, -9, -9, 0, 9, -9, 0, 0, 9]));
    const spin = point(rng, 3);
    const mover = { solid: dot(point(rng, 1)), pose: at(vec3(-5)) };
    const hit = contactTime(mover, { linear: vec3(10), angular: spin }, sheet, RESTING);
    check(hit !== null, () => 'went through');
    const there = poseAfter(at(vec3(-5)), { linear: vec3(10), angular: spin }, hit!.t);
    const p = v3.add(v3.rotate(mover.solid.bounds.min as Vec3, there.quaternion), there.position);
    near(p.x, 0, 1e-7, 'in the sheet');
    near(v3.distance(p, hit!.point), 0, 1e-7, 'point');
    near(v3.distance(hit!.normal, vec3(-1)), 0, 1e-6, 'normal, towards where it came from');
  });
});

test('[G4] segments only: the same where contacts are deep; what dips in less than the tolerance may be missed', () => {
  // Only the samples of the point count.
  const ball = { ...solidOf(sphere(1)), sample: () => [] };
  const fly = (height: number, method: 'boxes' | 'segments', tolerance: number) =>
    contactTime(
      { solid: dot(vec3(0, height)), pose: at(vec3()) },
      { linear: vec3(), angular: vec3(0, 0, 3.1) },
      { solid: ball, pose: at(vec3(-3)) },
      RESTING,
      { method, tolerance },
    );
  const [boxes, segments] = [fly(3, 'boxes', 1e-9), fly(3, 'segments', 1e-9)];
  expect(boxes!.t).toBeCloseTo(segments!.t, 8);
  // It dips in by 1e-6: chords that are off by 1e-4 may pass by, boxes do not.
  const graze = 2 + 1e-6;
  expect(fly(graze, 'boxes', 1e-4)).not.toBeNull();
  expect(fly(graze, 'segments', 1e-4)).toBeNull();
  expect(fly(graze, 'segments', 1e-12)).not.toBeNull();
});

test('[G2] a crate that lands flat has four contacts at once, and the samples of either do', () => {
  const crate = solidOf(box(0.5, 0.5, 0.5));
  const floor = solidOf(halfSpace(vec3(0, 1), 0));
  const from = { solid: crate, pose: at(vec3(0, 2)) };
  const fall = { linear: vec3(0, -3), angular: vec3() };
  const found = contactTimes(from, fall, floor, RESTING, { within: 1e-6 });
  expect(found.map(({ t, sampleOf }) => [t.toFixed(9), sampleOf])).toEqual(
    Array(4).fill(['0.500000000', 'a']),
  );
  expect(new Set(found.map(({ point: p }) => `${p.x} ${p.z}`)).size).toBe(4);
  const back = contactTimes(floor, RESTING, from, fall);
  expect(back.length).toBe(4);
  expect(back[0]!.sampleOf).toBe('b');
  expect(back[0]!.normal.y).toBeCloseTo(-1, 9);
  expect(contactTimes(from, { linear: vec3(0, -1), angular: vec3() }, floor, RESTING)).toEqual([]);
});

describe('[G6] the certainty variant', () => {
  test('edges that cross are missed by vertices, and found with a spacing', () => {
    const rod = solidOf(box(0.02, 0.02, 1));
    const up = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
    const motion = { linear: vec3(4), angular: vec3() };
    const ask = (options?: object) =>
      contactTime({ solid: rod, pose: at(vec3(-2, 0, 0), up) }, motion, rod, RESTING, options);
    expect(ask()).toBeNull();
    const found = ask({ spacing: 0.05, certain: true })!;
    expect(found.t).toBeLessThanOrEqual(1.96 / 4 + 1e-12);
    expect(found.t).toBeGreaterThan((1.96 - 0.06) / 4);
  });

  property('[G6] never late, for shapes of all kinds that move and spin both', 25, (rng) => {
    const [a, b] = [rng.pick(SHAPES), rng.pick(SHAPES)];
    if (a.kind === 'halfSpace' && b.kind === 'halfSpace') return;
    const from = at(v3.scale(rng.direction(), rng.range(1, 4)), rng.rotation());
    const to = at(vec3(), rng.rotation());
    const [one, two] = [collider(a, from), collider(b, to)];
    const spacing = rng.range(0.1, 0.3);
    if (distance(one, two)!.separation < spacing) return;
    const motion = { linear: v3.add(v3.scale(from.position, -1.2), point(rng, 0.5)), angular: point(rng, 3) };
    const own = { linear: point(rng, 0.5), angular: point(rng, 2) };
    const truth = cast(one, motion, two, { targetMotion: own });
    const found = contactTime(
      { solid: solidOf(a), pose: from },
      motion,
      { solid: solidOf(b), pose: to },
      own,
      { spacing, certain: true, tolerance: 1e-6 },
    );
    if (truth) {
      check(found !== null, () => `${a.kind}, ${b.kind}: missed at ${truth.t}`);
      // The cast is early by 1e-6 of the sizes itself, and that may be long before where bodies pass slowly.
      check(found!.t <= truth.t + 1e-5, () => `${a.kind}, ${b.kind}: ${found!.t} after ${truth.t}`);
    }
    if (!found) return;
    const gap = distance(
      collider(a, poseAfter(from, motion, found.t)),
      collider(b, poseAfter(to, own, found.t)),
    )!.separation;
    check(
      gap <= spacing * (1 + 1e-6) + 1e-5,
      () => `${a.kind}, ${b.kind}: early, at a distance of ${gap} of ${spacing}`,
    );
    near(v3.length(found.normal), 1, 1e-9, 'normal');
  });

  const few = [
    sphere(0.5),
    box(0.5, 0.3, 0.4),
    capsule(0.4, 0.2),
    cylinder(0.4, 0.3),
    mesh([-1, 0, -1, 1, 0, -1, 0, 0.2, 1]),
  ].map((shape) => {
    const solid = solidOf(shape);
    const { min, max } = solid.bounds;
    // All of it is within this from its own origin.
    return { shape, solid, reach: v3.length(v3.max(v3.abs(min), v3.abs(max))) };
  });
  /** Where a body is that moves and turns about its own origin: a rotation vector for the time, not the library's motions. */
  const turnedTo = (
    { position, quaternion: q }: ReturnType<typeof at>,
    { linear, angular }: { linear: ReadonlyVec3; angular: ReadonlyVec3 },
    t: number,
  ) => {
    const rate = v3.length(angular);
    const s = rate > 0 ? Math.sin((rate * t) / 2) / rate : t / 2;
    const w = Math.cos((rate * t) / 2);
    const [x, y, z] = [s * angular.x, s * angular.y, s * angular.z];
    return at(v3.addScaled(position, linear, t), {
      x: w * q.x + x * q.w + y * q.z - z * q.y,
      y: w * q.y - x * q.z + y * q.w + z * q.x,
      z: w * q.z + x * q.y - y * q.x + z * q.w,
      w: w * q.w - x * q.x - y * q.y - z * q.z,
    });
  };
  const ORIGIN = at(vec3());
  property('[G6] never late: with GRAZE_CASES=1000, a million motions of two bodies', 1000, (rng) => {
    const [a, b] = [rng.pick(few), rng.pick(few)];
    const from = at(v3.scale(rng.direction(), rng.range(1.5, 3)), rng.rotation());
    const motion = { linear: v3.addScaled(point(rng, 1), from.position, -1.2), angular: point(rng, 3) };
    const targetMotion = { linear: point(rng, 0.5), angular: point(rng, 2) };
    const options = { spacing: 0.3, certain: true, tolerance: 1e-4 };
    const found = contactTime({ solid: a.solid, pose: from }, motion, b.solid, targetMotion, options);
    if (found?.t === 0) return;
    // They come no nearer in a time than their fastest points go: from gap to gap, up to when they were said to meet.
    const speed =
      v3.length(motion.linear) +
      v3.length(targetMotion.linear) +
      a.reach * v3.length(motion.angular) +
      b.reach * v3.length(targetMotion.angular);
    const last = found?.t ?? 1;
    for (let t = 0; t < last; ) {
      const gap = distance(
        collider(a.shape, turnedTo(from, motion, t)),
        collider(b.shape, turnedTo(ORIGIN, targetMotion, t)),
      )!.separation;
      if (gap < 1e-7) {
        const truth = cast(collider(a.shape, from), motion, b.shape, { targetMotion });
        check(
          !truth || (found !== null && found.t <= truth.t),
          () => `${a.shape.kind}, ${b.shape.kind}: ${found?.t} after ${truth!.t}`,
        );
        return;
      }
      t += gap / speed;
    }
  });

  property('[G6] as the exact sweep of polyhedra says, within the spacing', 30, (rng) => {
    const [a, b] = [box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1)), fine];
    const from = at(v3.scale(rng.direction(), rng.range(2, 4)), rng.rotation());
    const translation = v3.add(v3.scale(from.position, -1), point(rng, 0.3));
    const truth = cast(collider(a, from), { translation }, b);
    const [one, two] = [solidOf(a), solidOf(b)];
    const spacing = 0.05;
    const found = contactTime({ solid: one, pose: from }, { translation }, two, RESTING, {
      spacing,
      certain: true,
    });
    check(!truth || (found !== null && found.t <= truth.t + 1e-9), () => `${found?.t} after ${truth?.t}`);
    // Without certainty never early, and late only by what is between the samples.
    const plain = contactTime({ solid: one, pose: from }, { translation }, two, RESTING, { spacing });
    if (truth && plain) check(plain.t >= truth.t - 1e-7, () => `${plain.t} before ${truth.t}`);
    check(!plain || truth !== null, () => 'made up');
  });
});
const sphereMesh = icosphere(2);
const fine = mesh(sphereMesh.positions, sphereMesh.index);

test('[G7] the broad phase: oriented boxes around whole motions', () => {
  const asked: number[] = [];
  const far: Solid = {
    ...solidOf(sphere(1)),
    box(swept) {
      asked.push(swept.halfSize.x);
      return solidOf(sphere(1)).box(swept);
    },
    segment: () => {
      throw new Error('asked');
    },
  };
  // A bullet that passes by on a slant: an upright box of its motion would hold the ball.
  const bullet = { solid: solidOf(box(0.1, 0.1, 0.1)), pose: at(vec3(-10, -7, 0)) };
  expect(contactTime(bullet, { linear: vec3(20, 20), angular: vec3() }, far, RESTING)).toBeNull();
  expect(asked.length).toBe(1);
  expect(asked[0]).toBeLessThan(14.5);
});

property('[G7] swept boxes hold all corners at all times', 500, (rng) => {
  const [a, b] = [makeSteadyBody(), makeSteadyBody()];
  for (const body of [a, b]) {
    v3.copy(point(rng, 3), body.pose.position);
    v3.copy(body.pose.position, body.motion.pivot);
    v3.copy(point(rng, 9), body.motion.linear);
    v3.copy(rng.direction(), body.motion.axis);
    body.motion.angle = rng.pick([0, rng.range(0, 3)]);
  }
  const path = new RelativePath(a, b);
  const bounds = { min: vec3(-1, -0.3, -0.2), max: vec3(1, 0.2, 0.1) };
  const swept = makeObb();
  path.sweptBox(bounds, 0, 1, swept);
  const { center, halfSize, rotation } = swept;
  for (let i = 0; i < 8; i++) {
    path.follow(vec3(i & 1 ? 1 : -1, i & 2 ? 0.2 : -0.3, i & 4 ? 0.1 : -0.2));
    const p = v3.transformTransposed(v3.sub(path.at(rng.range(0, 1), vec3()), center), rotation);
    const out = v3.sub(v3.abs(p), halfSize);
    check(Math.max(out.x, out.y, out.z) <= 1e-12, () => `outside by ${Math.max(out.x, out.y, out.z)}`);
  }
});

test('wrong use is named', () => {
  const ball = solidOf(sphere(1));
  const ask = (options: object) => () => contactTime(ball, RESTING, ball, RESTING, options);
  expect(ask({ certain: true })).toThrow(/options\.certain needs a spacing/);
  expect(ask({ spacing: 0 })).toThrow(/options\.spacing must be above 0/);
  expect(ask({ method: 'guess' })).toThrow(/options\.method/);
  expect(() => contactTime({} as never, RESTING, ball, RESTING)).toThrow(/contactTime: a/);
  expect(() => contactTime(ball, { ...RESTING, axis: vec3(1), angle: 1 }, ball, RESTING)).toThrow(
    /motionA must be one motion/,
  );
  expect(() => contactTime({ ...ball, segment: 3 as never }, RESTING, ball, RESTING)).toThrow(/a\.segment/);
});
