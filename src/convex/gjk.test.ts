import { expect, test } from 'vitest';
import type { Kind } from '../../tests/kit/convex.ts';
import {
  boxCore,
  CURVED,
  coneCore,
  customCore,
  cylinderCore,
  ellipsoidCore,
  extent,
  frameOf,
  KINDS,
  POLYTOPES,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
  segmentCore,
} from '../../tests/kit/convex.ts';
import { exactSegmentSegment, exactTriangleTriangle } from '../../tests/kit/exact-distance.ts';
import type { Rng } from '../../tests/kit/index.ts';
import { check, near, property } from '../../tests/kit/index.ts';
import type { Quat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { hullDistance } from '../rtcd/ch09/hull-distance.ts';
import type { ConvexCore } from './core.ts';
import { BOX, CONE, CYLINDER, ELLIPSOID, POINT } from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, makeFrame, toFirst } from './frame.ts';
import type { GjkResult } from './gjk.ts';
import { gjkDistance, gjkOverlap, makeGjkResult } from './gjk.ts';

import type { GjkState } from './gjk-state.ts';
import { makeGjkState } from './gjk-state.ts';

const O = { x: 0, y: 0, z: 0 };
const STILL: Quat = { x: 0, y: 0, z: 0, w: 1 };
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const gapOf = (a: ReadonlyVec3, b: ReadonlyVec3) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
const vec = () => ({ x: 0, y: 0, z: 0 });
const at = (x: number, y: number, z: number): Frame => frameOf(STILL, { x, y, z });
const distanceOf = (a: ConvexCore, b: ConvexCore, frame: Frame) =>
  gjkDistance(a, b, frame, makeGjkState()).distance;
const pointsOf = ({ data }: ConvexCore): Vec3[] =>
  Array.from({ length: data.length / 3 }, (_, i) => ({
    x: data[3 * i]!,
    y: data[3 * i + 1]!,
    z: data[3 * i + 2]!,
  }));
const cornersOf = (core: ConvexCore): Vec3[] => {
  if (core.type === POINT) return [O];
  if (core.type !== BOX) return pointsOf(core);
  const [x, y, z] = core.data as unknown as [number, number, number];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ x: i & 1 ? x : -x, y: i & 2 ? y : -y, z: i & 4 ? z : -z }));
};
/** What lengths are judged against: the sizes, and the offset, which is rounded as they are. */
const scaleOf = (a: ConvexCore, b: ConvexCore, f: Frame) => a.reach + b.reach + Math.hypot(f.tx, f.ty, f.tz);

/** The mixture of the simplex's points that the state speaks of, each of which must be a point of the core. */
function witness(core: ConvexCore, points: Float64Array, index: Int32Array, state: GjkState): Vec3 {
  const p = vec();
  let sum = 0;
  for (let i = 0; i < state.count; i++) {
    const weight = state.weights[i]!;
    const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
    check(weight >= 0, `weight ${weight}`);
    check(isCorner(core, x, y, z, index[i]!), () => `not of the core: ${[x, y, z]} (${index[i]})`);
    sum += weight;
    p.x += weight * x;
    p.y += weight * y;
    p.z += weight * z;
  }
  near(sum, 1, 1e-14, 'sum of weights');
  return p;
}

function isCorner(core: ConvexCore, x: number, y: number, z: number, index: number): boolean {
  const { data, type } = core;
  const [h, r] = [data[0]!, data[1]!];
  const rim = Math.hypot(x, z) <= r * (1 + 1e-15);
  if (type === CYLINDER) return rim && Math.abs(y) <= h;
  if (type === CONE) return (x === 0 && z === 0 && y === h) || (rim && y === -h);
  if (type === ELLIPSOID) return Math.hypot(x / data[0]!, y / data[1]!, z / data[2]!) <= 1 + 1e-15;
  const corner = cornersOf(core)[index]!;
  return corner.x === x && corner.y === y && corner.z === z;
}

/**
 * Proves an answer. Two points, one of each body, are as far apart as it says: the distance is no more than that. A plane
 * has the bodies on its two sides, as far apart as it says: it is no less.
 */
function prove(
  a: ConvexCore,
  b: ConvexCore,
  f: Frame,
  state: GjkState,
  out: GjkResult,
  tolerance: number,
): void {
  const onA = witness(a, state.a, state.indexA, state);
  const onB = toFirst(f, witness(b, state.b, state.indexB, state), vec());
  near(Math.hypot(out.normal.x, out.normal.y, out.normal.z), 1, 1e-15, 'length of the normal');
  near(gapOf(onA, onB), out.coreDistance, tolerance, 'distance of the points of the cores');
  check(out.distance === Math.max(0, out.coreDistance - (a.radius + b.radius)), 'distance of the bodies');
  if (out.cores !== 'apart') {
    check(out.coreDistance === 0 && out.lowerBound === 0, 'no distance');
    return;
  }
  const { normal, pointA, pointB } = out;
  const below =
    extent(b, directionToSecond(f, normal, vec()), 1) + dot(normal, { x: f.tx, y: f.ty, z: f.tz });
  const separation = extent(a, normal, -1) - below;
  near(separation, out.coreDistance - a.radius - b.radius, tolerance, 'separation');
  near(out.lowerBound, out.distance, tolerance, 'lower bound');
  check(out.lowerBound <= out.distance, 'lower bound');
  // The points given, with the radii.
  near(dot(normal, pointA) - dot(normal, onA), -a.radius, tolerance, 'point of a');
  near(dot(normal, pointB) - dot(normal, onB), b.radius, tolerance, 'point of b');
  near(
    gapOf(pointA, pointB),
    Math.abs(out.coreDistance - a.radius - b.radius),
    tolerance,
    'distance of points',
  );
}

const out = makeGjkResult();
let pairs = 0;
let mostSteps = 0;

function checkPair(rng: Rng, kindA: Kind, kindB: Kind): void {
  const a = randomCore(rng, kindA);
  const b = randomCore(rng, kindB);
  const f = randomFrame(rng, a, b);
  const state = makeGjkState();
  check(gjkDistance(a, b, f, state, out) === out, 'fills out');
  // Good to rounding; a thousand times that is still a thousandth of what is promised.
  prove(a, b, f, state, out, 1e-12 * scaleOf(a, b, f));
  check(out.iterations < 150, `${out.iterations} steps`);
  pairs++;
  mostSteps = Math.max(mostSteps, out.iterations);
  check(gjkOverlap(a, b, f, makeGjkState()) === (out.distance === 0), 'the boolean says otherwise');
}

property('[R9.5.1a] [R9.5.1b] [R9.5.3] polytopes: every answer is proven', 12_000, (rng) =>
  checkPair(rng, rng.pick(POLYTOPES), rng.pick(POLYTOPES)),
);

property('[R9.5.1a] [R9.5.1b] [R9.5.3] curved cores: every answer is proven', 8_000, (rng) =>
  rng.chance(0.5)
    ? checkPair(rng, rng.pick(CURVED), rng.pick(KINDS))
    : checkPair(rng, rng.pick(KINDS), rng.pick(CURVED)),
);

test('[R9.5.3] of all these pairs, none takes many steps', () => {
  if (pairs > 20_000) console.info(`GJK: ${pairs} pairs, at most ${mostSteps} steps`);
  expect(mostSteps).toBeLessThan(150);
});

property('[R9.5.1a] polytopes: = the quadratic program, exactly solved', 500, (rng) => {
  const a = { ...randomCore(rng, rng.pick(POLYTOPES)), radius: 0, inner: 0 };
  const b = { ...randomCore(rng, rng.pick(POLYTOPES)), radius: 0, inner: 0 };
  const f = randomFrame(rng, a, b);
  const placed = cornersOf(b).map((p) => toFirst(f, p, vec()));
  const truth = hullDistance(cornersOf(a), placed).distance;
  near(distanceOf(a, b, f), truth, 1e-14 * scaleOf(a, b, f), 'distance');
});

property('[R9.5.1a] two triangles: = the exact distance', 300, (rng) => {
  const a = { ...randomCore(rng, 'triangle'), radius: 0, inner: 0 };
  const b = { ...randomCore(rng, 'triangle'), radius: 0, inner: 0 };
  const f = randomFrame(rng, a, b);
  const [p, q, r] = pointsOf(a) as [Vec3, Vec3, Vec3];
  const [s, t, u] = pointsOf(b).map((v) => toFirst(f, v, vec())) as [Vec3, Vec3, Vec3];
  near(distanceOf(a, b, f), exactTriangleTriangle(p, q, r, s, t, u), 1e-14 * scaleOf(a, b, f), 'distance');
});

property('[R9.5.1b] two capsules: the distance of their segments minus the radii', 500, (rng) => {
  const a = randomCore(rng, 'segment');
  const b = randomCore(rng, 'segment');
  const f = randomFrame(rng, a, b);
  const [p, q] = pointsOf(a) as [Vec3, Vec3];
  const [r, s] = pointsOf(b).map((v) => toFirst(f, v, vec())) as [Vec3, Vec3];
  const truth = Math.max(0, exactSegmentSegment(p, q, r, s) - a.radius - b.radius);
  near(distanceOf(a, b, f), truth, 1e-14 * scaleOf(a, b, f), 'distance');
});

/** From a point to the hull of some points of the plane, given in order: 0 inside. */
function distance2(x: number, y: number, corners: readonly (readonly [number, number])[]): number {
  let least = Infinity;
  let inside = true;
  corners.forEach(([px, py], i) => {
    const [qx, qy] = corners[(i + 1) % corners.length]!;
    const [dx, dy] = [qx - px, qy - py];
    const t = Math.min(1, Math.max(0, ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy)));
    least = Math.min(least, Math.hypot(x - px - t * dx, y - py - t * dy));
    if (dx * (y - py) - dy * (x - px) < 0) inside = false;
  });
  return inside ? 0 : least;
}

/** Of a point outside: the root of the secular equation, by bisection. */
function distanceEllipsoid(p: ReadonlyVec3, radii: readonly number[]): number {
  const c = [p.x, p.y, p.z].map(Math.abs);
  const over = (t: number) => radii.reduce((sum, r, i) => sum + ((r * c[i]!) / (r * r + t)) ** 2, 0) - 1;
  if (over(0) <= 0) return 0;
  let [low, high] = [0, Math.max(...radii) * Math.hypot(...c)];
  for (let i = 0; i < 200; i++) {
    const t = (low + high) / 2;
    if (over(t) > 0) low = t;
    else high = t;
  }
  return Math.hypot(...radii.map((r, i) => c[i]! - (r * r * c[i]!) / (r * r + high)));
}

property('[R9.5.1a] a sphere and a box, cylinder, cone, ellipsoid: closed forms', 10_000, (rng) => {
  const a = randomCore(rng, rng.pick(['box', 'cylinder', 'cone', 'ellipsoid']));
  const b = randomCore(rng, 'point');
  const f = randomFrame(rng, a, b);
  const { tx: x, ty: y, tz: z } = f;
  const [h, r, s] = a.data as unknown as [number, number, number];
  const across = Math.hypot(x, z);
  const outside = (c: number, half: number) => Math.max(0, Math.abs(c) - half);
  const core =
    a.type === BOX
      ? Math.hypot(outside(x, h), outside(y, r), outside(z, s))
      : a.type === CYLINDER
        ? Math.hypot(outside(across, r), outside(y, h))
        : a.type === CONE
          ? distance2(across, y, [
              [0, -h],
              [r, -h],
              [0, h],
            ])
          : distanceEllipsoid({ x, y, z }, [h, r, s]);
  const truth = Math.max(0, core - a.radius - b.radius);
  // The bisection of the ellipsoid ends a few thousand roundings early when that is thin.
  near(distanceOf(a, b, f), truth, (a.type === ELLIPSOID ? 1e-12 : 1e-14) * scaleOf(a, b, f), 'distance');
});

property('[R9.5.1a] two spheres of any size, far from each other or in the same place', 2000, (rng) => {
  const a = pointCore(rng.pick([0, 1, 1e-6, 1e6]) * rng.unit());
  const b = pointCore(rng.pick([0, 1, 1e-6, 1e6]) * rng.unit());
  const t = rng.vec(rng.pick([0, 1e-6, 1, 1e6]));
  const truth = Math.max(0, Math.hypot(t.x, t.y, t.z) - a.radius - b.radius);
  near(distanceOf(a, b, at(t.x, t.y, t.z)), truth, 1e-15 * (a.reach + b.reach + Math.hypot(t.x, t.y, t.z)));
});

property(
  '[R9.5.1a] the same at every scale from 1e-6 to 1e6: scaled by a power of two, the same bits',
  2000,
  (rng) => {
    const a = randomCore(rng, rng.pick(POLYTOPES));
    const b = randomCore(rng, rng.pick(POLYTOPES));
    const f = randomFrame(rng, a, b);
    const scale = 2 ** rng.int(-20, 20);
    const larger = (c: ConvexCore): ConvexCore => ({
      ...c,
      data: c.data.map((x) => scale * x),
      radius: scale * c.radius,
      reach: scale * c.reach,
      center: { x: scale * c.center.x, y: scale * c.center.y, z: scale * c.center.z },
    });
    const moved = { ...f, tx: scale * f.tx, ty: scale * f.ty, tz: scale * f.tz };
    const plain = gjkDistance(a, b, f, makeGjkState());
    const scaled = gjkDistance(larger(a), larger(b), moved, makeGjkState());
    check(
      scaled.distance === scale * plain.distance,
      () => `${scaled.distance}, not ${scale * plain.distance}`,
    );
    check(scaled.cores === plain.cores && scaled.iterations === plain.iterations, 'the same way');
  },
);

property(
  '[R9.5.6] turning directions instead of points: = a run on points that were turned beforehand',
  3000,
  (rng) => {
    const a = randomCore(rng, rng.pick(['triangle', 'tetrahedron', 'hull', 'lattice', 'flat']));
    const b = randomCore(rng, rng.pick(['triangle', 'tetrahedron', 'hull', 'lattice', 'flat']));
    const f = randomFrame(rng, a, b);
    const before = Float64Array.from(b.data);
    const placed = polytopeCore(
      pointsOf(b).map((p) => toFirst(f, p, vec())),
      b.radius,
    );
    const tolerance = 1e-13 * scaleOf(a, b, f);
    near(distanceOf(a, b, f), distanceOf(a, placed, makeFrame()), tolerance, 'distance');
    check(
      b.data.every((x, i) => x === before[i]),
      'the points are as they were',
    );
    // Seen from the other body, the same.
    const back = {
      ...makeFrame(),
      m00: f.m00,
      m01: f.m10,
      m02: f.m20,
      m10: f.m01,
      m11: f.m11,
      m12: f.m21,
      m20: f.m02,
      m21: f.m12,
      m22: f.m22,
    };
    const t = directionToSecond(f, { x: -f.tx, y: -f.ty, z: -f.tz }, vec());
    Object.assign(back, { tx: t.x, ty: t.y, tz: t.z });
    near(distanceOf(b, a, back), distanceOf(a, b, f), tolerance, 'seen from b');
  },
);

property(
  '[R9.5.6] points and normal are those of the run on turned points, in the space of the first',
  2000,
  (rng) => {
    const a = randomCore(rng, rng.pick(['triangle', 'tetrahedron', 'hull']), 10);
    const b = randomCore(rng, rng.pick(['triangle', 'tetrahedron', 'hull']), 10);
    const f = randomFrame(rng, a, b, 'near');
    const placed = polytopeCore(
      pointsOf(b).map((p) => toFirst(f, p, vec())),
      b.radius,
    );
    const found = gjkDistance(a, b, f, makeGjkState());
    const wanted = gjkDistance(a, placed, makeFrame(), makeGjkState());
    const scale = scaleOf(a, b, f);
    if (!(wanted.coreDistance > 1e-3 * scale)) return;
    // Points of convex sets that are closest are unique, unless edges or faces are parallel: then it is the way between them.
    const wayOf = (r: typeof found) => ({
      x: r.pointA.x - r.pointB.x,
      y: r.pointA.y - r.pointB.y,
      z: r.pointA.z - r.pointB.z,
    });
    near(gapOf(wayOf(found), wayOf(wanted)), 0, 1e-12 * scale, 'way between the points');
    near(gapOf(found.normal, wanted.normal), 0, 1e-9, 'normal');
    near(gapOf(found.pointA, wanted.pointA), 0, 1e-6 * scale, 'point of a');
    near(gapOf(found.pointB, wanted.pointB), 0, 1e-6 * scale, 'point of b');
  },
);

property('[R9.5.6] … of a body that only moves, the points are turned once', 500, (rng) => {
  const a = randomCore(rng, 'hull', 10);
  const b = randomCore(rng, 'hull', 10);
  const f = randomFrame(rng, a, b, 'near');
  const turned = polytopeCore(
    pointsOf(b).map((p) => toFirst({ ...f, tx: 0, ty: 0, tz: 0 }, p, vec())),
    b.radius,
  );
  const state = makeGjkState();
  const motion = rng.vec(scaleOf(a, b, f));
  for (let k = 0; k <= 8; k++) {
    const [tx, ty, tz] = [f.tx + (k / 8) * motion.x, f.ty + (k / 8) * motion.y, f.tz + (k / 8) * motion.z];
    const still = gjkDistance(a, turned, at(tx, ty, tz), state).distance;
    near(
      distanceOf(a, b, { ...f, tx, ty, tz }),
      still,
      1e-13 * scaleOf(a, b, { ...f, tx, ty, tz }),
      'distance',
    );
  }
});

test('[R9.5.1a] two equal segments that cross, however near: a gap is a gap', () => {
  const rod = segmentCore({ x: -1, y: 0, z: 0 }, { x: 1, y: 0, z: 0 });
  for (const angle of [1e-6, 0.01, 0.3, Math.PI / 4, Math.PI / 2, 2.5, Math.PI - 1e-6])
    for (const gap of [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-6]) {
      const f = frameOf(
        { x: 0, y: Math.sin(angle / 2), z: 0, w: Math.cos(angle / 2) },
        { x: 0, y: gap, z: 0 },
      );
      const found = gjkDistance(rod, rod, f, makeGjkState());
      expect(found.cores, `${angle} ${gap}`).toBe('apart');
      expect(Math.abs(found.distance - gap)).toBeLessThan(2e-15);
      expect(Math.abs(found.normal.y)).toBeGreaterThan(0.9);
      expect(gjkOverlap(rod, rod, f, makeGjkState())).toBe(false);
    }
});

test('[R9.5.1b] touching counts, and a gap of 1e-12 is a gap', () => {
  const box = boxCore(1, 1, 1);
  expect(gjkDistance(box, box, at(2, 0, 0), makeGjkState()).cores).toBe('overlapping');
  expect(distanceOf(box, box, at(2, 0.3, -0.7))).toBe(0);
  expect(distanceOf(box, box, at(2, 2, 0))).toBe(0);
  expect(distanceOf(box, box, at(2, 2, 2))).toBe(0);
  for (const gap of [1e-13, 1e-12, 1e-9, 1e-6]) {
    expect(Math.abs(distanceOf(box, box, at(2 + gap, 0.3, -0.7)) - gap)).toBeLessThan(1e-15);
    expect(gjkOverlap(box, box, at(2 + gap, 0.3, -0.7), makeGjkState())).toBe(false);
    expect(gjkOverlap(box, box, at(2 - gap, 0.3, -0.7), makeGjkState())).toBe(true);
  }
});

test('[R9.5.1b] if only the rounding overlaps, the points are the deepest ones', () => {
  const found = gjkDistance(pointCore(1), pointCore(1), at(1.5, 0, 0), makeGjkState());
  expect(found).toMatchObject({ cores: 'apart', distance: 0, coreDistance: 1.5, lowerBound: 0 });
  expect(found.pointA.x).toBe(1);
  expect(found.pointB.x).toBe(0.5);
  expect(found.normal.x).toBe(-1);
});

test('[R9.5.1b] points that are no convex set count as their hull', () => {
  // The corners of an L: its notch is filled.
  const l = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ].flatMap(([x, y]) => [0, 1].map((z) => ({ x: x!, y: y!, z })));
  expect(distanceOf(polytopeCore(l), pointCore(), at(1.4, 1.4, 0.5))).toBe(0);
  expect(distanceOf(polytopeCore(l), pointCore(), at(2, 2, 0.5))).toBeCloseTo(Math.SQRT1_2, 15);
});

test('[R9.5.1a] cores without any size, in one place and apart', () => {
  const dots = [
    pointCore(),
    segmentCore(O, O),
    boxCore(0, 0, 0),
    polytopeCore([O]),
    polytopeCore([O, O, O, O]),
  ];
  dots.push(cylinderCore(0, 0), coneCore(0, 0), ellipsoidCore(0, 0, 0));
  for (const a of dots)
    for (const b of dots) {
      expect(gjkDistance(a, b, at(0, 0, 0), makeGjkState())).toMatchObject({
        cores: 'overlapping',
        distance: 0,
      });
      const apart = gjkDistance(a, b, at(0, 3, 4), makeGjkState());
      expect(apart).toMatchObject({ cores: 'apart', distance: 5 });
      expect([...Object.values(apart.normal)].every(Number.isFinite)).toBe(true);
    }
});

test('[R9.5.1a] a body in itself, turned or not', () => {
  const cores = [boxCore(1, 2, 3), coneCore(1, 1), cylinderCore(1, 2), ellipsoidCore(1, 2, 3)];
  for (const core of cores)
    for (const turn of [STILL, { x: 0.3, y: 0.1, z: -0.2, w: 0.8 }]) {
      const found = gjkDistance(core, core, frameOf(turn, O), makeGjkState());
      expect(found.cores).toBe('overlapping');
      expect(gapOf(found.pointA, found.pointB)).toBeLessThan(1e-15);
    }
});

test('[R9.5.1a] overlapping cores leave a simplex around the origin', () => {
  const state = makeGjkState();
  const found = gjkDistance(boxCore(1, 1, 1), boxCore(1, 1, 1), at(0.5, 0.625, 0.75), state);
  expect(found.cores).toBe('overlapping');
  expect(state.count).toBeGreaterThan(1);
  for (let i = 0; i < 3 * state.count; i++)
    expect(state.w[i]).toBe(state.a[i]! - state.b[i]! - [0.5, 0.625, 0.75][i % 3]!);
});

property('[R9.5.1a] a core known by its support map alone answers the same', 2000, (rng) => {
  const a = randomCore(rng);
  const b = randomCore(rng);
  const f = randomFrame(rng, a, b);
  const truth = gjkDistance(a, b, f, makeGjkState());
  const found = gjkDistance(customCore(a), customCore(b), f, makeGjkState());
  near(found.distance, truth.distance, 1e-12 * scaleOf(a, b, f), 'distance');
});

test('[R9.5.1a] a support map that answers nonsense ends the run', () => {
  const broken = { ...customCore(boxCore(1, 1, 1)), custom: () => ({ x: Number.NaN, y: 0, z: 0 }) };
  const lying = { ...broken, custom: (_: ReadonlyVec3, p = vec()) => Object.assign(p, { x: Number.NaN }) };
  let turn = 0;
  const wild = {
    ...broken,
    custom: (_: ReadonlyVec3, p = vec()) =>
      Object.assign(p, { x: Math.sin(++turn), y: Math.cos(turn * turn), z: turn % 3 }),
  };
  for (const core of [broken, lying, wild])
    expect(() => gjkDistance(core, boxCore(1, 1, 1), at(3, 0, 0), makeGjkState())).not.toThrow();
});

test('refuses a frame that is not finite, by name', () => {
  const bad = { ...makeFrame(), ty: Number.NaN };
  const box = boxCore(1, 1, 1);
  expect(() => gjkDistance(box, box, bad, makeGjkState())).toThrow(/frame\.ty/);
  expect(() => gjkOverlap(box, box, { ...makeFrame(), m21: Infinity }, makeGjkState())).toThrow(/frame\.m21/);
});
