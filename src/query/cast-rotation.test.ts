/** Casts that turn: every pair of shapes, against the distance asked again and again along the way. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere } from '../../tests/kit/meshes.ts';
import { polyhedralModel } from '../continuous/model/polyhedral-model.ts';
import { sweepPolyhedra } from '../continuous/sweep.ts';
import { inverseTransformPoint, transformPoint } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';
import { collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { algorithmFor } from '../shapes/family.ts';
import { sdf } from '../shapes/fields/sdf.ts';
import { box, hull, point } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { CONVEX_ROTATION } from '../shapes/pairs/conservative-advancement.ts';
import { capsule, cone, cylinder, sphere } from '../shapes/round-shapes.ts';
import { scaled } from '../shapes/scale.ts';
import type { Shape, SimpleShape } from '../shapes/shape.ts';
import { cast, type Motion } from './cast.ts';
import { distance } from './distance.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const at = (x: number, y: number, z: number): ReadonlyPose => ({
  position: v(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

/** A way of the test's own to find a pose on the way. */
function poseOn({ position, quaternion }: ReadonlyPose, motion: Motion, t: number): ReadonlyPose {
  const turn = (axis: ReadonlyVec3, angle: number, pivot: ReadonlyVec3, from: ReadonlyPose) => {
    const q = q4.fromAxisAngle(v3.normalize(axis), angle);
    return {
      position: v3.add(pivot, v3.rotate(v3.sub(from.position, pivot), q)),
      quaternion: q4.multiply(q, from.quaternion),
    };
  };
  if ('linear' in motion) {
    const { linear, angular, duration = 1 } = motion;
    const moved = turn(angular, v3.length(angular) * duration * t, position, { position, quaternion });
    return { ...moved, position: v3.addScaled(position, linear, duration * t) };
  }
  const both = 'translation' in motion && 'axis' in motion;
  let from: ReadonlyPose = { position, quaternion };
  if ('translation' in motion) {
    const part = both ? Math.min(1, 2 * t) : t;
    from = { position: v3.addScaled(position, motion.translation, part), quaternion };
  }
  if (!('axis' in motion)) return from;
  const part = both ? Math.max(0, 2 * t - 1) : t;
  return turn(motion.axis, motion.angle * part, motion.pivot ?? from.position, from);
}

const SHAPES = EVERY_SHAPE;
const NAMES = Object.keys(SHAPES);

function randomMotion(rng: Rng, scale = 1): Motion {
  const axis = rng.direction();
  const angle = rng.pick([rng.range(-0.5, 0.5), rng.range(-4, 4), Math.PI, 9]);
  return rng.pick<Motion>([
    { axis, angle },
    { axis, angle, pivot: rng.vec(2 * scale) },
    { translation: rng.vec(3 * scale), axis, angle, pivot: rng.vec(2 * scale) },
    { linear: rng.vec(4 * scale), angular: v3.scale(axis, angle) },
  ]);
}

describe('a cast that turns', () => {
  property('is never late and early by no more than its tolerance, for every pair', 1500, (rng) => {
    const [nameA, nameB] = [rng.pick(NAMES), rng.pick(NAMES)];
    if (nameA === 'half-space' && nameB === 'half-space') return;
    const [a, b] = [SHAPES[nameA]!, SHAPES[nameB]!];
    const from = { position: rng.vec(4), quaternion: rng.rotation() };
    const other = collider(b, { position: rng.vec(4), quaternion: rng.rotation() });
    const motion = randomMotion(rng);
    const separation = (t: number) => distance(collider(a, poseOn(from, motion, t)), other)!.separation;
    const hit = cast(collider(a, from), motion, other);
    const end = hit?.t ?? 1;
    for (let i = 0; i <= 40; i++) {
      const t = (end * i) / 40;
      if (t < end || hit === null)
        check(separation(t) > 0, () => `${nameA} touches ${nameB} at ${t}, before ${end}`);
    }
    if (hit !== null && hit.t > 0) {
      check(separation(hit.t) < 1e-5, () => `${nameA} is ${separation(hit.t)} from ${nameB} at ${hit.t}`);
      near(v3.length(hit.normal), 1, 1e-9, 'length of the normal');
    }
  });

  test('a ball on an arm meets a wall where the angle says', () => {
    const hit = cast(
      collider(sphere(0.5), at(3, 0, 0)),
      { axis: v(0, 0, 1), angle: 3, pivot: v(0, 0, 0) },
      halfSpace(v(0, -1, 0), -2),
    );
    // 3 sin α + 0.5 = 2
    near(hit!.t * 3, Math.asin(0.5), 1e-5);
    near(hit!.normal.y, -1, 1e-9);
  });

  test('a turn that never comes near misses, whatever its angle', () => {
    expect(
      cast(
        collider(box(1, 1, 1), at(0, 0, 0)),
        { axis: v(0, 0, 1), angle: 100 },
        collider(sphere(0.5), at(1.9143, 0, 0)),
      ),
    ).toBeNull();
    expect(
      cast(
        collider(box(1, 1, 1), at(0, 0, 0)),
        { axis: v(0, 0, 1), angle: 100 },
        collider(sphere(0.5), at(1.9141, 0, 0)),
      )!.t,
    ).toBeLessThan(0.01);
  });

  test('a wall that turns meets what is bounded', () => {
    const hit = cast(
      halfSpace(v(0, 1, 0), 0),
      { axis: v(0, 0, 1), angle: 1, pivot: v(0, 0, 0) },
      collider(point(), at(2, 2 * Math.tan(0.5), 0)),
    );
    near(hit!.t, 0.5, 1e-5);
  });

  property('a wall and a mesh, whichever turns: the triangle that is named owns the point', 60, (rng) => {
    const { positions, index } = icosphere(1);
    const ball = collider(mesh(positions, index), {
      position: v(3, rng.range(-1, 0.5), rng.range(-1, 1)),
      quaternion: rng.rotation(),
    });
    const wall = halfSpace(v(0, -1, 0), -2);
    const turn = { axis: v(0, 0, 1), angle: 2, pivot: v(0, 0, 0) };
    const one = cast(ball, turn, wall)!;
    const two = cast(wall, { ...turn, angle: -2 }, ball)!;
    check(
      [one.moverPart.child, one.part.child, one.part.triangle].every((x) => x === -1),
      'a wall has no parts',
    );
    check(
      [two.part.child, two.moverPart.child, two.moverPart.triangle].every((x) => x === -1),
      'nor has it here',
    );
    near(one.t, two.t, 1e-5, 'time');
    // The points in the space of the mesh: the wall stands still in one, the mesh in the other.
    const back = { x: 0, y: 0, z: -Math.sin(one.t), w: Math.cos(one.t) };
    const onBall = (p: ReadonlyVec3) => inverseTransformPoint(ball.pose, p);
    for (const [triangle, point] of [
      [one.moverPart.triangle, onBall(v3.rotate(one.point, back))],
      [two.part.triangle, onBall(two.point)],
    ] as const) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const at = 3 * index[3 * triangle + k]!;
        return v(positions[at]!, positions[at + 1]!, positions[at + 2]!);
      }) as [Vec3, Vec3, Vec3];
      const { x, y, z } = closestPointTriangle(point, a, b, c);
      near(Math.hypot(x - point.x, y - point.y, z - point.z), 0, 1e-4, `triangle ${triangle}`);
    }
  });

  test('bad motions are named', () => {
    const a = sphere(1);
    expect(() => cast(a, { axis: v(0, 0, 0), angle: 1 }, a)).toThrow(/motion.axis/);
    expect(() => cast(a, { axis: v(0, 0, 1), angle: Number.NaN }, a)).toThrow(/motion.angle/);
    expect(() => cast(a, { linear: v(0, 0, 1), angular: v(0, 0, 0), duration: -1 }, a)).toThrow(/duration/);
    expect(() => cast(a, {} as Motion, a)).toThrow(/motion must be a record with/);
  });
});

type Point = ReadonlyVec3;
const gap = (p: Point, q: Point) => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
const mix = (p: Point, q: Point, s: number) => v3.addScaled(p, v3.sub(q, p), s);
const clamp = (s: number) => Math.min(1, Math.max(0, s));

/** By golden section along the second: the distance from a segment is a convex function. */
function fromSegment(distanceOf: (p: Point) => number, [a, b]: readonly [Point, Point]): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const [s, t] = [low + 0.381966 * (high - low), low + 0.618034 * (high - low)];
    if (distanceOf(mix(a, b, s)) < distanceOf(mix(a, b, t))) high = t;
    else low = s;
  }
  return distanceOf(mix(a, b, (low + high) / 2));
}

const toSegment =
  ([a, b]: readonly [Point, Point]) =>
  (p: Point): number => {
    const e = v3.sub(b, a);
    return gap(p, mix(a, b, clamp(v3.dot(v3.sub(p, a), e) / v3.dot(e, e))));
  };

/** Of a point in the space of the shape, by closed forms. */
const toBox = (h: Point) => (p: Point) =>
  Math.hypot(
    Math.max(0, Math.abs(p.x) - h.x),
    Math.max(0, Math.abs(p.y) - h.y),
    Math.max(0, Math.abs(p.z) - h.z),
  );
const toCylinder = (half: number, radius: number) => (p: Point) =>
  Math.hypot(Math.max(0, Math.hypot(p.x, p.z) - radius), Math.max(0, Math.abs(p.y) - half));
const toCone = (half: number, radius: number) => (p: Point) => {
  const across = Math.hypot(p.x, p.z);
  const side = toSegment([v(radius, -half, 0), v(0, half, 0)])(v(across, p.y, 0));
  const base = toSegment([v(0, -half, 0), v(radius, -half, 0)])(v(across, p.y, 0));
  const within = Math.abs(p.y) <= half && across <= (radius * (half - p.y)) / (2 * half);
  return within ? 0 : Math.min(side, base);
};

/** The shape, and how far a point of its own space is from it. */
const KNOWN: readonly (readonly [string, Shape, (p: Point) => number])[] = [
  ['box', box(0.5, 0.8, 0.3), toBox(v(0.5, 0.8, 0.3))],
  ['plate', box(1.5, 0.01, 1), toBox(v(1.5, 0.01, 1))],
  ['rounded box', box(0.5, 0.4, 0.3, 0.2), (p) => Math.max(0, toBox(v(0.5, 0.4, 0.3))(p) - 0.2)],
  ['cylinder', cylinder(0.6, 0.5), toCylinder(0.6, 0.5)],
  ['cone', cone(0.7, 0.5), toCone(0.7, 0.5)],
  ['capsule', capsule(0.6, 0.4), (p) => Math.max(0, toSegment([v(0, -0.6, 0), v(0, 0.6, 0)])(p) - 0.4)],
  ['sphere', sphere(0.7), (p) => Math.max(0, v3.length(p) - 0.7)],
];

property('stops within 1e-6 of the sizes of the contact, by a distance of the test’s own', 600, (rng) => {
  const [name, shape, toShape] = rng.pick(KNOWN);
  const half = rng.pick([0, rng.range(0.1, 1)]);
  const radius = rng.pick([1e-3, rng.range(0.05, 0.6)]);
  const needle = half === 0 ? sphere(radius) : capsule(half, radius);
  const scale = rng.pick([1, 1, 1, 2 ** -30, 2 ** 30]);
  const [big, small] = [shape, needle].map((one) => scaled(one, v(scale, scale, scale)));
  const poses = [0, 1].map(() => ({ position: rng.vec(2 * scale), quaternion: rng.rotation() }));
  const motion = randomMotion(rng, scale);
  const first = rng.chance(0.5);
  const poseAt = (t: number) => {
    const there = poseOn(poses[0]!, motion, t);
    return first ? [there, poses[1]!] : [poses[1]!, there];
  };
  const inShape = (t: number) => {
    const [place, other] = poseAt(t);
    const end = (y: number) =>
      v3.scale(inverseTransformPoint(place!, transformPoint(other!, v(0, y, 0))), 1 / scale);
    const ends = [end(-half * scale), end(half * scale)] as const;
    return (half === 0 ? toShape(ends[0]) : fromSegment(toShape, ends)) - radius;
  };
  const hit = first
    ? cast(collider(big!, poses[0]!), motion, collider(small!, poses[1]!))
    : cast(collider(small!, poses[0]!), motion, collider(big!, poses[1]!));
  if (hit === null || hit.t > 0)
    for (let i = 0; i < 40; i++) {
      const t = ((hit?.t ?? 1) * i) / 40;
      check(inShape(t) > -1e-12, () => `${name}: in touch at ${t}, before ${hit?.t}`);
    }
  if (hit !== null && hit.t > 0)
    check(Math.abs(inShape(hit.t)) <= 1e-6, () => `${name}: ${inShape(hit.t)} apart at ${hit.t}`);
});

property(
  'bodies with corners that both move, however they rotate, stop in touch and not in each other',
  600,
  (rng) => {
    const cornered = (): SimpleShape =>
      rng.pick([
        () => box(rng.range(0.2, 0.8), rng.range(0.01, 0.8), rng.range(0.2, 0.8)),
        () => hull(Array.from({ length: rng.int(4, 40) }, () => rng.direction())),
        () =>
          hull(
            Array.from({ length: rng.int(4, 40) }, () => rng.direction()),
            rng.range(0.05, 0.3),
          ),
      ])();
    const [a, b] = [cornered(), cornered()];
    const poses = [0, 1].map(() => ({ position: rng.vec(2.5), quaternion: rng.rotation() }));
    const still = { translation: v(0, 0, 0) };
    // Most of them towards the other.
    const rigid = (k: number): Motion => ({
      linear: v3.add(
        v3.scale(v3.sub(poses[1 - k]!.position, poses[k]!.position), rng.range(0, 1.5)),
        rng.vec(0.5),
      ),
      angular: v3.scale(rng.direction(), rng.pick([0, rng.range(0, 1), rng.range(1, 8)])),
    });
    const motions = rng.pick([
      () => [rigid(0), still],
      () => [still, rigid(1)],
      () => [rigid(0), rigid(1)],
    ])();
    const separation = (t: number) =>
      distance(
        collider(a, poseOn(poses[0]!, motions[0]!, t)),
        collider(b, poseOn(poses[1]!, motions[1]!, t)),
      )!.separation;
    const hit = cast(collider(a, poses[0]!), motions[0]!, collider(b, poses[1]!), {
      targetMotion: motions[1]!,
    });
    for (let i = 0; i < 40; i++) {
      const t = ((hit?.t ?? 1) * i) / 40;
      if (hit === null || hit.t > 0) check(separation(t) > 0, () => `in touch at ${t}, before ${hit?.t}`);
    }
    if (hit === null || hit.t === 0) return;
    const end = separation(hit.t);
    check(end > -1e-12 && end <= 1e-6, () => `${end} apart at ${hit.t}`);
  },
);

test('what rotates away from a body at first comes round to it, while that one rotates, too', () => {
  // Hinged at its lower end, and a table below: no corner of it comes down at the start.
  const rod = hull([0, 2].flatMap((y) => [-0.01, 0.01].flatMap((x) => [v(x, y, -0.01), v(x, y, 0.01)])));
  const down = (Math.PI / 2 + Math.asin(0.3 / Math.hypot(2, 0.01)) - Math.atan2(0.01, 2)) / Math.PI;
  for (const angle of [0, 1e-6]) {
    const table = collider(box(3, 0.2, 3), at(0, -0.5, 0));
    const motion = { linear: v(0, 0, 0), angular: v(0, angle, 0) };
    const targetMotion = { linear: v(0, 0, 0), angular: v(0, 0, Math.PI) };
    const hit = cast(table, motion, collider(rod, at(0, 0, 0)), { targetMotion });
    check(hit !== null && hit.t <= down && hit.t > down - 1e-6, () => `hit at ${hit?.t}, not ${down}`);
  }
});

property('a compound that rotates, or is rotated at, is met as the first of its children', 120, (rng) => {
  const child = () => ({
    shape: rng.pick<SimpleShape>([sphere(0.2), box(0.2, 0.1, 0.3), capsule(0.1, 0.2)]),
    pose: { position: rng.vec(4), quaternion: rng.rotation() },
  });
  const children = Array.from({ length: 12 }, child);
  const many = compound(children);
  const one = {
    shape: rng.pick<Shape>([box(0.3, 0.3, 0.3), sphere(0.4), halfSpace(v(0, 1, 0))]),
    pose: at(0, -6, 0),
  };
  const pivot = rng.vec(3);
  const motion: Motion = rng.chance(0.5)
    ? { axis: rng.direction(), angle: rng.range(-3, 3), pivot }
    : { linear: rng.vec(6), angular: rng.vec(2) };
  const rotates = rng.chance(0.5);
  const ask = (shape: Shape, pose: ReadonlyPose) =>
    rotates ? cast({ shape, pose }, motion, one) : cast(one, motion, { shape, pose });
  const found = ask(many, HERE);
  if (rotates && 'linear' in motion) return; // Each child would move about its own position.
  let first = Infinity;
  for (const { shape, pose } of children) first = Math.min(first, ask(shape, pose)?.t ?? Infinity);
  if (found === null) check(first === Infinity, () => `missed what a child meets at ${first}`);
  else near(found.t, first, 1e-6, 'the time of the first child');
});

const HERE = at(0, 0, 0);

/** Convex shapes with flat sides are the exact sweep's, too, which shares no code with what `cast` runs on for them. */
property('boxes and hulls: as the exact sweep says', 400, (rng) => {
  const make = (): Shape =>
    rng.chance(0.5)
      ? box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1))
      : hull(Array.from({ length: 12 }, () => rng.vec(1)));
  const [a, b] = [make(), make()];
  const [from, other] = [0, 1].map(() => ({ position: rng.vec(2), quaternion: rng.rotation() })) as [
    ReadonlyPose,
    ReadonlyPose,
  ];
  if (distance(collider(a, from), collider(b, other))!.separation < 1e-5) return;
  const motion = { axis: rng.direction(), angle: rng.range(0.1, 5), pivot: rng.vec(3) };
  const hit = cast(collider(a, from), motion, collider(b, other));
  const thickness = 1e-7;
  const swept = sweepPolyhedra(polyhedralModel(a), from, motion, polyhedralModel(b), other, { thickness });
  const separation = (t: number) =>
    distance(collider(a, poseOn(from, motion, t)), collider(b, other))!.separation;
  // Where they graze, one may stop and the other not: then the first is in touch.
  if (hit !== null && (swept === null || swept.t > hit.t + 1e-5))
    near(separation(hit.t), 0, 1e-6, 'cast stops, and is in touch');
  else if (swept !== null && (hit === null || hit.t > swept.t + 1e-5))
    near(separation(swept.t), 0, 1e-6, 'the sweep stops, and is in touch');
  else if (hit !== null) near(hit.t, swept!.t, 1e-5, 'time');
});

describe('a start nearer than the tolerance', () => {
  const lower = collider(box(2, 0.5, 2), at(0, -0.5, 0));
  const up = collider(box(0.5, 0.5, 0.5), at(0, 0.5 + 3e-8, 0));
  const edge = v(-0.5, 3e-8, 0);

  test.each([
    ['tilts up about an edge', { axis: v(0, 0, 1), angle: 1, pivot: edge }],
    ['spins', { axis: v(0, 1, 0), angle: 7 }],
    ['swings up about a far line', { axis: v(0, 0, 1), angle: 1, pivot: v(-5, 0, 0) }],
    ['goes up and spins', { linear: v(0, 1, 0), angular: v(0, 3, 0) }],
  ])('goes out and along: %s', (_, motion: Motion) => {
    expect(cast(up, motion, lower)).toBeNull();
    // And so does one seen from the other side, and one that stands on a half-space.
    expect(cast(up, motion, halfSpace(v(0, 1, 0), 0))).toBeNull();
  });

  test('a corner on which a hull stands is no reason to stop', () => {
    const top = hull([v(0, 0, 0), v(-1, 1, -1), v(1, 1, -1), v(1, 1, 1), v(-1, 1, 1)]);
    const stands = collider(top, at(0, 3e-8, 0));
    const tilt = (angle: number): Motion => ({ axis: v(0, 0, 1), angle, pivot: v(0, 3e-8, 0) });
    expect(cast(stands, tilt(0.7), lower)).toBeNull();
    // Its rim is there at 45 degrees.
    near(cast(stands, tilt(1), lower)!.t, Math.PI / 4, 1e-4);
  });

  test.each([
    ['tilts down about an edge', { axis: v(0, 0, 1), angle: -1, pivot: edge }],
    ['swings down', { axis: v(0, 0, 1), angle: -1, pivot: v(-5, 0, 0) }],
    ['goes down and spins', { linear: v(0, -1, 0), angular: v(0, 3, 0) }],
  ])('comes no nearer than a part of it: %s', (_, motion: Motion) => {
    for (const target of [lower, halfSpace(v(0, 1, 0), 0)]) {
      const hit = cast(up, motion, target)!;
      expect(hit.t).toBeLessThan(1e-6);
      const there = collider(up.shape, poseOn(up.pose, motion, hit.t));
      expect(distance(there, target)!.separation).toBeGreaterThan(0);
    }
  });

  test('what leaves and comes back stops where it comes back', () => {
    const hit = cast(up, { axis: v(0, 0, 1), angle: 2 * Math.PI, pivot: edge }, lower)!;
    expect(hit.t).toBeGreaterThan(0.2);
    const motion = { axis: v(0, 0, 1), angle: 2 * Math.PI, pivot: edge };
    near(distance(collider(up.shape, poseOn(up.pose, motion, hit.t)), lower)!.separation, 0, 1e-6);
  });
});

describe('one table', () => {
  const FAMILIES: Record<string, Shape> = {
    convex: box(1, 1, 1),
    'half-space': halfSpace(v(0, 1, 0)),
    'mesh, height field': mesh(icosphere(0).positions, icosphere(0).index),
    field: sdf((p) => p.y, { min: v(-1, -1, -1), max: v(1, 1, 1) }),
    compound: compound([{ shape: sphere(1) }]),
  };
  const docs = readFileSync(new URL('../../docs/continuous.md', import.meta.url), 'utf8');
  const rows = docs
    .slice(docs.indexOf('## Which method a cast takes'))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(0, 7)
    .map((line) => line.split('|').slice(1, -1));
  const names = rows[0]!.slice(1).map((name) => name.trim());

  test('the documentation lists the families', () => {
    expect(names).toEqual(Object.keys(FAMILIES));
    expect(rows.slice(2).map(([name]) => name!.replaceAll('*', '').trim())).toEqual(names);
  });

  names.forEach((first, i) => {
    names.forEach((second, j) => {
      test(`the documentation tells how ${first} and ${second} meet in a rotation`, () => {
        const [a, b] = [FAMILIES[first]!, FAMILIES[second]!];
        const method = 'core' in a && 'core' in b ? CONVEX_ROTATION : algorithmFor(a, b).rotation;
        const cell = rows[2 + Math.min(i, j)]![1 + Math.max(i, j)]!;
        expect(cell.trim()).toBe(method);
      });
    });
  });
});
