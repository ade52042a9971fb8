import { expect, test } from 'vitest';
import {
  boxCore,
  CURVED,
  climbingCore,
  coneCore,
  customCore,
  cylinderCore,
  ellipsoidCore,
  extent,
  frameOf,
  type Kind,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
  segmentCore,
} from '../../tests/kit/convex.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { leastOverlap, overlapAlong } from '../../tests/kit/least-overlap.ts';
import { nearAxis } from '../../tests/kit/near-axis.ts';
import { cornersOf, depthByDirections, seenByFirst } from '../../tests/kit/separating-directions.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ConvexCore } from './core.ts';
import { supportCore } from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, invertFrame, makeFrame, toFirst } from './frame.ts';
import { gjkDistance, makeGjkResult } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';
import { makePenetration, type Penetration, penetration } from './penetration.ts';

const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const at = (x: number, y: number, z: number): Frame => ({ ...makeFrame(), tx: x, ty: y, tz: z });
const depthOf = (a: ConvexCore, b: ConvexCore, frame: Frame) =>
  penetration(a, b, frame, makeGjkState(), makePenetration());

/** A point of the core: its middle, or a mixture of a few on its surface. */
function somePoint(rng: Rng, core: ConvexCore): Vec3 {
  if (rng.chance(0.3)) return core.center;
  const sum = vec3();
  const count = rng.int(1, 5);
  for (let i = 0; i < count; i++) {
    const p = vec3();
    supportCore(core, rng.direction(), -1, p);
    sum.x += p.x / count;
    sum.y += p.y / count;
    sum.z += p.z / count;
  }
  return sum;
}

/** Turned somehow, or flush, with a point of b on a point of a: deep, nested, concentric, or just in touch. */
function overlappingFrame(rng: Rng, a: ConvexCore, b: ConvexCore): Frame {
  const frame = randomFrame(rng, a, b, rng.pick(['deep', 'parallel']));
  if (rng.chance(0.1)) return frame;
  frame.tx = frame.ty = frame.tz = 0;
  const onA = somePoint(rng, a);
  const onB = toFirst(frame, somePoint(rng, b), vec3());
  frame.tx = onA.x - onB.x;
  frame.ty = onA.y - onB.y;
  frame.tz = onA.z - onB.z;
  return frame;
}

const gjk = makeGjkResult();
const distanceAfter = (a: ConvexCore, b: ConvexCore, f: Frame, { normal }: Penetration, by: number) =>
  gjkDistance(
    a,
    b,
    { ...f, tx: f.tx - by * normal.x, ty: f.ty - by * normal.y, tz: f.tz - by * normal.z },
    makeGjkState(),
    gjk,
  );

/** What must be true of any answer, as closed forms of the extents and GJK see it. */
function checkAnswer(
  a: ConvexCore,
  b: ConvexCore,
  f: Frame,
  found: Penetration,
  error: number,
  sideways = error,
): void {
  const { depth, lowerBound, normal, a: onA, b: onB } = found;
  near(Math.hypot(normal.x, normal.y, normal.z), 1, 1e-14, 'length of the normal');
  check(lowerBound <= depth, 'the lower bound is above the depth');
  // Along the normal they overlap by the depth and no more.
  near(overlapAlong(a, b, f, normal), depth, error, 'overlap along the normal');
  // So this takes them apart. Less does not:
  const less = lowerBound - 1e-9 * (a.reach + b.reach);
  if (less > 0) check(distanceAfter(a, b, f, found, less).distance === 0, 'apart after less than the depth');
  // The points are in their bodies, on the surface, and the way between them is the depth.
  near(dot(onA, normal), extent(a, normal, -1), sideways, 'a along the normal');
  near(
    dot(onB, normal),
    overlapAlong(a, b, f, normal) + extent(a, normal, -1),
    sideways,
    'b along the normal',
  );
  const way = { x: onB.x - onA.x, y: onB.y - onA.y, z: onB.z - onA.z };
  const along = dot(way, normal);
  check(
    Math.hypot(way.x - along * normal.x, way.y - along * normal.y, way.z - along * normal.z) <= sideways,
    () => `the way between the points is ${JSON.stringify(way)}`,
  );
  check(
    gjkDistance(a, pointCore(), at(onA.x, onA.y, onA.z), makeGjkState(), gjk).distance <= error,
    () => `a is outside by ${gjk.distance}`,
  );
  const p = vec3(onB.x - f.tx, onB.y - f.ty, onB.z - f.tz);
  directionToSecond(f, p, p);
  check(
    gjkDistance(b, pointCore(), at(p.x, p.y, p.z), makeGjkState(), gjk).distance <= error,
    () => `b is outside by ${gjk.distance}`,
  );
}

const SMALL: readonly Kind[] = [
  'point',
  'segment',
  'box',
  'triangle',
  'tetrahedron',
  'hull',
  'lattice',
  'flat',
];

property('[R9.5.1b] the depth of polytopes is that of the Minkowski difference', 6_000, (rng) => {
  const a = randomCore(rng, rng.pick(SMALL));
  const b = rng.chance(0.1) ? a : randomCore(rng, rng.pick(SMALL));
  const frame = overlappingFrame(rng, a, b);
  const scale = a.reach + b.reach;
  const found = depthOf(a, b, frame);
  const cornersA = cornersOf(a);
  const cornersB = seenByFirst(frame, cornersOf(b));
  if (scale === 0 || cornersA.length * cornersB.length > 48) return;
  const wanted = depthByDirections(cornersA, cornersB);
  if (wanted < -1e-14 * scale) return; // apart after all, and how far the directions need not know
  // The oracle may be too deep itself where edges are next to parallel; too shallow it cannot be, and nor can we.
  const depth = found.depth - a.radius - b.radius;
  check(depth <= Math.max(wanted, 0) + 2e-14 * scale, () => `depth ${depth} is more than ${wanted}`);
  near(overlapAlong(a, b, frame, found.normal), found.depth, 2e-14 * scale, 'overlap along the normal');
  near(depth, Math.max(wanted, 0), 1e-9 * scale, 'depth');
});

property('the answer for polytopes takes them apart and has its points on the surfaces', 3_000, (rng) => {
  const a = randomCore(rng, rng.pick(SMALL));
  const b = rng.chance(0.1) ? a : randomCore(rng, rng.pick(SMALL));
  const frame = overlappingFrame(rng, a, b);
  const found = depthOf(a, b, frame);
  check(Number.isFinite(found.depth), 'no number');
  if (a.reach + b.reach > 0)
    checkAnswer(a, b, frame, found, 1e-12 * (a.reach + b.reach), 1e-9 * (a.reach + b.reach));
});

property('the answer for curved bodies takes them apart and has its points on the surfaces', 1_000, (rng) => {
  const a = randomCore(rng, rng.pick(CURVED));
  const b = rng.chance(0.1) ? a : randomCore(rng);
  const scale = a.reach + b.reach;
  const [first, second] = rng.chance(0.5) ? [a, b] : [b, a];
  const frame = overlappingFrame(rng, first, second);
  checkAnswer(first, second, frame, depthOf(first, second, frame), 1e-9 * scale, 1e-8 * scale);
});

property('concentric ellipsoids are as deep as their shortest axes', 300, (rng) => {
  const p = vec3(rng.range(0.01, 1), rng.range(0.01, 1), rng.range(0.01, 1));
  const q = rng.chance(0.3) ? p : vec3(rng.range(0.01, 1), rng.range(0.01, 1), rng.range(0.01, 1));
  if (rng.chance(0.3)) q.y = q.x = q.z; // spheres: no direction is better than another
  const found = depthOf(ellipsoidCore(p.x, p.y, p.z), ellipsoidCore(q.x, q.y, q.z), at(0, 0, 0));
  near(found.depth, Math.min(p.x + q.x, p.y + q.y, p.z + q.z), 1e-9, 'depth');
});

property('a sphere in a cylinder, a cone, a ball', 1_000, (rng) => {
  const half = rng.range(0.2, 1);
  const r = rng.range(0.2, 1);
  const radius = rng.range(0, 0.5);
  const off = r * rng.pick([0, 10 ** rng.range(-14, -1), 0.7]);
  const p = vec3(rng.range(-off, off), rng.range(-half, half), rng.range(-off, off));
  const across = Math.hypot(p.x, p.z);
  const inCylinder = Math.min(half - Math.abs(p.y), r - across);
  const place = at(p.x, p.y, p.z);
  const other = pointCore(radius);
  if (inCylinder > 0)
    near(depthOf(cylinderCore(half, r), other, place).depth, inCylinder + radius, 1e-11, 'cylinder');
  // To the base, or across to the side.
  const side = ((r * (half - p.y)) / (2 * half) - across) * ((2 * half) / Math.hypot(2 * half, r));
  if (side > 0)
    near(depthOf(coneCore(half, r), other, place).depth, Math.min(side, half + p.y) + radius, 1e-11, 'cone');
  const inBall = r - Math.hypot(p.x, p.y, p.z);
  if (inBall > 0) near(depthOf(ellipsoidCore(r, r, r), other, place).depth, inBall + radius, 1e-14, 'ball');
});

const steps: number[] = [];
property('no direction is better than the one found for curved bodies', 150, (rng) => {
  const a = randomCore(rng, rng.pick(CURVED), 100);
  const b = randomCore(rng, undefined, 100);
  const frame = overlappingFrame(rng, a, b);
  const { depth, iterations } = depthOf(a, b, frame);
  if (!(depth > a.radius + b.radius)) return;
  steps.push(iterations);
  const least = leastOverlap(a, b, frame, 4);
  check(depth <= least + 1e-9 * (a.reach + b.reach), () => `${depth}, but ${least} will do`);
});
test('curved bodies take some fifty support points, a few hundred at most', () => {
  steps.sort((s, t) => s - t);
  expect(steps[steps.length >> 1]).toBeLessThan(60);
  expect(steps[steps.length - 1]).toBeLessThan(900);
});

property('small bodies near the axis of a round one are as deep as any direction tells', 150, (rng) => {
  const { a, b, frame } = nearAxis(rng);
  const scale = a.reach + b.reach;
  const found = depthOf(a, b, frame);
  const wanted = leastOverlap(a, b, frame, 4);
  check(found.depth <= wanted + 1e-10 * scale, () => `${found.depth}, but ${wanted} will do`);
  near(overlapAlong(a, b, frame, found.normal), found.depth, 1e-14 * scale, 'overlap along the normal');
  checkAnswer(a, b, frame, found, 1e-9 * scale, 1e-8 * scale);
  // Seen from the other one, the same.
  const back = depthOf(b, a, invertFrame(frame, makeFrame()));
  near(back.depth, found.depth, 1e-10 * scale, 'depth in the other order');
});

test('a box, a hull and a rod off the axis by less than their size', () => {
  const rod = segmentCore(vec3(-0.02, 0, 0), vec3(0.02, 0, 0));
  const wedge = polytopeCore([vec3(0.01, 0, 0), vec3(-0.01, 0, 0), vec3(0, 0.01, 0), vec3(0, 0, 0.03)]);
  const place = at(3e-5, 0.1, -2e-5);
  // A side of the box, at a right angle to the axis, is what comes out first.
  near(depthOf(cylinderCore(2, 1), boxCore(0.02, 0.03, 0.01), place).depth, 1 + 0.01 - 2e-5, 1e-14);
  near(depthOf(boxCore(0.02, 0.03, 0.01), cylinderCore(2, 1), at(-3e-5, -0.1, 2e-5)).depth, 1.00998, 1e-14);
  // Of a rod its side; of a wedge its flat side at y = 0 does not count, that at z = 0 does.
  near(depthOf(cylinderCore(2, 1), rod, place).depth, 1 - 2e-5, 1e-14);
  near(depthOf(cylinderCore(2, 1), wedge, place).depth, 1 + 2e-5, 1e-14);
  // Out of a cone, across its side: the height of the tip over the rod, less what it is off the axis.
  const slope = 1 / Math.hypot(4, 1);
  near(depthOf(coneCore(2, 1), rod, place).depth, (2 - 0.1) * slope - 4 * 2e-5 * slope, 1e-14);
});

test('points of concentric balls, as ellipsoids, and next to concentric', () => {
  for (const off of [0, 1e-15, 1e-13, 1e-11, 1e-3]) {
    const { depth, normal, a, b } = depthOf(ellipsoidCore(2, 2, 2), pointCore(0.5), at(0, off, 0));
    near(depth, 2.5 - off, 1e-14, 'depth');
    near(dot(a, normal), -2, 1e-14, 'a');
    near(Math.hypot(b.x - a.x, b.y - a.y, b.z - a.z), 2.5 - off, 1e-14, 'way');
  }
});

test('rounded bodies: radii less the distance of the cores, which may be apart', () => {
  const spheres = depthOf(pointCore(1), pointCore(2), at(0, 2.5, 0));
  expect(spheres.depth).toBeCloseTo(0.5, 14);
  expect(spheres.normal.y).toBeCloseTo(-1, 14);
  expect(spheres.a.y).toBeCloseTo(1, 14);
  expect(spheres.b.y).toBeCloseTo(0.5, 14);
  expect(depthOf(pointCore(1), pointCore(2), at(0, 5, 0)).depth).toBeCloseTo(-2, 14);
  const rod = segmentCore(vec3(-1, 0, 0), vec3(1, 0, 0), 0.5);
  expect(depthOf(rod, segmentCore(vec3(0, 0, -1), vec3(0, 0, 1), 0.25), at(0.3, 0.7, 0.1)).depth).toBeCloseTo(
    0.05,
    14,
  );
  // Crossing rods come apart across both; rods in one line across it, or along it if that is shorter.
  const crossing = depthOf(rod, segmentCore(vec3(0, 0, -1), vec3(0, 0, 1), 0.25), at(0.3, 0, 0.1));
  expect(crossing.depth).toBeCloseTo(0.75, 14);
  expect(Math.abs(crossing.normal.y)).toBeCloseTo(1, 14);
  expect(depthOf(rod, rod, at(0.5, 0, 0)).depth).toBeCloseTo(1, 14);
  expect(depthOf(pointCore(1), pointCore(2), at(0, 0, 0)).depth).toBeCloseTo(3, 14);
});

test('flat bodies in one plane have depth 0 and the normal of the plane', () => {
  const triangle = polytopeCore([vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)]);
  for (const other of [
    triangle,
    segmentCore(vec3(-1, 1, 0), vec3(5, 1, 0)),
    polytopeCore([vec3(1, 1, 0)]),
    segmentCore(vec3(1, 1, 0), vec3(1, 1, 0)),
  ]) {
    const found = depthOf(triangle, other, at(0, 0, 0));
    expect(found.depth).toBeCloseTo(0, 15);
    expect(Math.abs(found.normal.z)).toBeCloseTo(1, 14);
    expect(Math.hypot(found.a.x - found.b.x, found.a.y - found.b.y, found.a.z - found.b.z)).toBeLessThan(
      1e-14,
    );
  }
  // A triangle that another pierces is as deep as its shortest way out.
  const upright = frameOf({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }, vec3(0.5, 1, -1));
  const found = depthOf(triangle, triangle, upright);
  expect(found.depth).toBeCloseTo(
    depthByDirections(cornersOf(triangle), seenByFirst(upright, cornersOf(triangle))),
    14,
  );
});

test('boxes: flush, nested, identical, thin, tiny in huge', () => {
  const box = boxCore(1, 2, 3);
  expect(depthOf(box, box, at(1.75, 0, 0)).depth).toBeCloseTo(0.25, 14);
  expect(depthOf(box, box, at(1.75, 0, 0)).normal.x).toBeCloseTo(-1, 14);
  expect(depthOf(box, box, at(0, 0, 0)).depth).toBeCloseTo(2, 14);
  expect(depthOf(box, boxCore(0.1, 0.1, 0.1), at(0, 1.5, 0)).depth).toBeCloseTo(0.6, 14);
  expect(depthOf(boxCore(1, 1e-4, 1), boxCore(1e-4, 1, 1), at(0, 0, 0)).depth).toBeCloseTo(1 + 1e-4, 14);
  expect(depthOf(boxCore(1e6, 1e6, 1e6), boxCore(1, 1, 1), at(0, 1e6 - 3, 0)).depth).toBeCloseTo(4, 8);
  const touching = depthOf(box, box, at(0, 4, 0.5));
  expect(touching.depth).toBeCloseTo(0, 14);
  expect(touching.normal.y).toBeCloseTo(-1, 14);
});

test('sizes near the ends of the range give numbers', () => {
  for (const s of [1e-30, 1e-20, 1e20, 1e30]) {
    const found = depthOf(boxCore(s, 2 * s, s), ellipsoidCore(s, s, 3 * s), at(0.5 * s, 0, 0));
    expect(found.depth / s).toBeCloseTo(1.5, 9);
  }
});

test('many corners to climb over, and a map of the user’s', () => {
  const points = Array.from({ length: 500 }, (_, i) => {
    const y = 1 - (2 * (i + 0.5)) / 500;
    const r = Math.sqrt(1 - y * y);
    return vec3(r * Math.cos(2.399963 * i), y, r * Math.sin(2.399963 * i));
  });
  const ball = climbingCore(points);
  const scanned = polytopeCore(points);
  const place = at(0.3, 0.1, 0.2);
  const { depth } = depthOf(ball, ball, place);
  expect(depth).toBeCloseTo(depthOf(scanned, scanned, place).depth, 13);
  expect(depth).toBeLessThan(2 - Math.hypot(0.3, 0.1, 0.2));
  expect(depth).toBeGreaterThan(1.98 - Math.hypot(0.3, 0.1, 0.2));
  const custom = customCore(ellipsoidCore(1, 1, 1));
  expect(depthOf(custom, custom, place).depth).toBeCloseTo(2 - Math.hypot(0.3, 0.1, 0.2), 9);
});

test('refuses a frame that is not finite', () => {
  expect(() => depthOf(pointCore(1), pointCore(1), at(0, Number.NaN, 0))).toThrow('frame.ty');
});
