import { expect, test } from 'vitest';
import {
  boxCore,
  customCore,
  extent,
  frameOf,
  POLYTOPES,
  pointCore,
  polytopeCore,
  randomCore,
  randomFrame,
  segmentCore,
} from '../../tests/kit/convex.ts';
import {
  exactPointSegment,
  exactPointTetrahedron,
  exactPointTriangle,
  exactSegmentSegment,
} from '../../tests/kit/exact-distance.ts';
import type { Rng } from '../../tests/kit/index.ts';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { hullDistance } from '../rtcd/ch09/hull-distance.ts';
import type { ConvexCore } from './core.ts';
import { BOX, POINT } from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, makeFrame, toFirst } from './frame.ts';
import { gjkDistance, gjkOverlap } from './gjk.ts';
import {
  FOUND,
  gjkFastPath,
  HOLDS_ORIGIN,
  INSIDE,
  NEAREST,
  nearestOnFace,
  nearestOnTetrahedron,
  SEPARATED,
  TOUCHING,
  UNSETTLED,
  UNSURE,
} from './gjk-fast-path.ts';
import { makeGjkState } from './gjk-state.ts';
import { makeMinNorm, nearestInSimplex } from './simplex.ts';

const size = ({ x, y, z }: Vec3) => Math.hypot(x, y, z);
const vec = () => ({ x: 0, y: 0, z: 0 });
const scaleOf = (a: ConvexCore, b: ConvexCore, f: Frame) => a.reach + b.reach + Math.hypot(f.tx, f.ty, f.tz);

function cornersOf({ type, data }: ConvexCore): Vec3[] {
  if (type === POINT) return [vec()];
  if (type !== BOX)
    return Array.from({ length: data.length / 3 }, (_, i) => ({
      x: data[3 * i]!,
      y: data[3 * i + 1]!,
      z: data[3 * i + 2]!,
    }));
  const [x, y, z] = data as unknown as [number, number, number];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ x: i & 1 ? x : -x, y: i & 2 ? y : -y, z: i & 4 ? z : -z }));
}

/** How far apart a plane across the vector has the bodies, by closed forms. */
function partedBy(a: ConvexCore, b: ConvexCore, f: Frame, x: number, y: number, z: number): number {
  const length = Math.hypot(x, y, z);
  const up = { x: x / length, y: y / length, z: z / length };
  const offset = up.x * f.tx + up.y * f.ty + up.z * f.tz;
  return extent(a, up, -1) - extent(b, directionToSecond(f, up, vec()), 1) - offset;
}

/** Is the origin in the tetrahedron, in rational arithmetic? */
function holdsOrigin(w: Float64Array): boolean {
  const { vcross, vdot, vsub, qv, sign } = exact;
  const p = [0, 1, 2, 3].map((i) => qv({ x: w[3 * i]!, y: w[3 * i + 1]!, z: w[3 * i + 2]! }));
  const side = (q: exact.QVec[]) =>
    sign(vdot(vsub(q[0]!, q[3]!), vcross(vsub(q[1]!, q[3]!), vsub(q[2]!, q[3]!))));
  const whole = side(p);
  return (
    whole !== 0 && [0, 1, 2, 3].every((i) => side(p.map((c, k) => (k === i ? qv(vec()) : c))) * whole >= 0)
  );
}

const endings = [0, 0, 0, 0, 0];

property('[R9.5.1a] [R9.5.3] every end of the fast path is proven', 8000, (rng) => {
  const a = randomCore(rng, rng.pick(POLYTOPES));
  const b = randomCore(rng, rng.pick(POLYTOPES));
  const f = randomFrame(rng, a, b);
  const decide = rng.chance(0.5);
  const state = makeGjkState();
  const ending = gjkFastPath(a, b, f, state, decide);
  endings[ending]!++;
  const { end } = state;
  const { x, y, z } = end;
  const radii = a.radius + b.radius;
  const slack = 1e-14 * scaleOf(a, b, f);
  if (ending === NEAREST) {
    const length = Math.hypot(x, y, z);
    near(partedBy(a, b, f, x, y, z), length - radii, slack, 'the plane across the nearest point');
    near(end.lower, length, slack, 'bound');
  } else if (ending === INSIDE) {
    check(end.mask === 15 && holdsOrigin(state.w), 'not inside');
  } else if (ending === SEPARATED) {
    check(decide, 'only when asked to decide');
    const gap = partedBy(a, b, f, end.direction.x, end.direction.y, end.direction.z);
    check(gap > 0, () => `no plane between: ${gap}`);
    near(end.lower, gap + radii, slack, 'bound');
  } else if (ending === TOUCHING) {
    check(decide && Math.hypot(x, y, z) < radii, 'not in touch');
  } else check(ending === UNSETTLED, 'unknown');
});

test('[R9.5.1a] most runs end there, in each of the ways', () => {
  const all = endings.reduce((sum, n) => sum + n, 0);
  for (const n of endings) expect(n / all).toBeGreaterThan(0.01);
  expect(endings[UNSETTLED]! / all).toBeLessThan(0.5);
});

property('[R9.5.1a] with the fast path and without: the same', 6000, (rng) => {
  const a = randomCore(rng, rng.pick(POLYTOPES));
  const b = randomCore(rng, rng.pick(POLYTOPES));
  const f = randomFrame(rng, a, b);
  // Cores known by their maps alone go the careful way.
  const [slowA, slowB] = [customCore(a), customCore(b)];
  const found = gjkDistance(a, b, f, makeGjkState());
  const careful = gjkDistance(slowA, slowB, f, makeGjkState());
  const slack = 1e-14 * scaleOf(a, b, f);
  near(found.coreDistance, careful.coreDistance, slack, 'distance');
  if (found.coreDistance > slack) check(found.cores === careful.cores, 'apart or not');
  // The shortest way is unique, though its ends may not be: the vector is as good as the root of the rounding.
  if (found.cores === 'apart' && careful.cores === 'apart') {
    const { x, y, z } = found.normal;
    near(
      partedBy(a, b, f, x, y, z),
      found.coreDistance - a.radius - b.radius,
      10 * slack,
      'along the normal',
    );
  }
  check(gjkOverlap(a, b, f, makeGjkState()) === (found.distance === 0), 'the boolean says otherwise');
});

property(
  '[R9.5.1a] edges, corners and faces in one plane, next to each other or in touch: = the exact distance',
  600,
  (rng) => {
    // On a lattice all is exact, and everything is parallel or coplanar to something.
    const at = () => ({ x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) });
    const solid = () => polytopeCore(Array.from({ length: rng.int(1, 8) }, at));
    const a = rng.chance(0.3) ? boxCore(rng.int(0, 2), rng.int(0, 2), rng.int(0, 2)) : solid();
    const b = rng.chance(0.3) ? segmentCore(at(), at()) : solid();
    const t = { x: rng.int(-4, 4), y: rng.int(-4, 4), z: rng.int(-4, 4) };
    const f = frameOf(
      rng.pick([
        { x: 0, y: 0, z: 0, w: 1 },
        { x: 1, y: 0, z: 0, w: 1 },
        { x: 1, y: 1, z: 1, w: 1 },
      ]),
      t,
    );
    const truth = hullDistance(
      cornersOf(a),
      cornersOf(b).map((p) => toFirst(f, p, vec())),
    ).distance;
    const found = gjkDistance(a, b, f, makeGjkState());
    near(found.distance, truth, 1e-14 * scaleOf(a, b, f), 'distance');
    check((found.cores === 'overlapping') === (truth === 0), () => `${found.cores} at ${truth}`);
    check(gjkOverlap(a, b, f, makeGjkState()) === (truth === 0), 'the boolean says otherwise');
  },
);

property('[R9.5.1b] crossing segments, next to parallel: a gap above rounding is a gap', 2000, (rng) => {
  const u = rng.direction();
  const other = rng.direction();
  const along = u.x * other.x + u.y * other.y + u.z * other.z;
  const v = { x: other.x - along * u.x, y: other.y - along * u.y, z: other.z - along * u.z };
  const n = { x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x };
  const origin = rng.chance(0.5) ? vec() : rng.vec(1);
  const tilt = 10 ** rng.range(-12, -1);
  const gap = 10 ** rng.range(-13, -8.5);
  const place = (s: number, t: number, h: number) => ({
    x: origin.x + s * u.x + t * v.x + h * n.x,
    y: origin.y + s * u.y + t * v.y + h * n.y,
    z: origin.z + s * u.z + t * v.z + h * n.z,
  });
  const [s, t] = [-rng.unit(), rng.unit()];
  const [p, q] = [place(-rng.unit(), 0, 0), place(rng.unit(), 0, 0)];
  const [r, e] = [place(s, s * tilt, gap), place(t, t * tilt, gap)];
  const truth = exactSegmentSegment(p, q, r, e);
  const make = rng.chance(0.5) ? segmentCore : (a: Vec3, b: Vec3) => polytopeCore([a, b]);
  const found = gjkDistance(make(p, q), make(r, e), makeFrame(), makeGjkState());
  // Closer than the rounding of points, four times that of the sizes, is in touch.
  near(
    found.distance,
    truth,
    8.9e-16 * (Math.max(size(p), size(q)) + Math.max(size(r), size(e))),
    'distance',
  );
  if (truth < 1e-14) return;
  check(found.cores === 'apart', () => `in touch at a gap of ${truth}`);
  check(!gjkOverlap(make(p, q), make(r, e), makeFrame(), makeGjkState()), 'the boolean says in touch');
});

test('[R9.5.1b] next to contact the normal is the one that the bound was proven along', () => {
  // Off by a rounding of the points, which is nothing to the distance, a normal would be off by a lot.
  const box = boxCore(1, 1, 1);
  const turn = { x: 0.1, y: 0.2, z: 0.3, w: 1 };
  for (let k = 4; k < 13; k++) {
    const f = frameOf(turn, vec());
    const up = { x: 0.36, y: 0.48, z: 0.8 };
    const height = extent(box, up, 1) + extent(box, directionToSecond(f, up, vec()), 1) + 10 ** -k;
    const frame = { ...f, tx: up.x * height, ty: up.y * height, tz: up.z * height };
    const found = gjkDistance(box, box, frame, makeGjkState());
    const { x, y, z } = found.normal;
    expect(Math.abs(partedBy(box, box, frame, x, y, z) - found.distance)).toBeLessThan(1e-14);
  }
});

test('[R9.5.1b] of any size, down to where squares vanish', () => {
  for (const size of [1e-150, 1e-101, 1e-60, 1e-9, 1, 1e9, 1e30]) {
    const box = boxCore(size, size, size);
    const at = (x: number) => ({ ...makeFrame(), tx: x * size });
    expect(gjkDistance(box, box, at(3), makeGjkState()).distance / size).toBeCloseTo(1, 14);
    expect(gjkOverlap(box, box, at(3), makeGjkState())).toBe(false);
    expect(gjkOverlap(box, box, at(1.5), makeGjkState())).toBe(true);
    expect(gjkOverlap(box, pointCore(size), at(2), makeGjkState())).toBe(true);
    expect(gjkOverlap(box, pointCore(size), at(2.0001), makeGjkState())).toBe(false);
  }
});

const step = makeMinNorm();
const O = { x: 0, y: 0, z: 0 };
const bits = (mask: number) => [0, 1, 2, 3].filter((i) => mask & (1 << i));
const at = (w: Float64Array, i: number): Vec3 => ({ x: w[3 * i]!, y: w[3 * i + 1]!, z: w[3 * i + 2]! });

/** Of the hull of some points to the origin, in rational arithmetic. */
function exactDistance(w: Float64Array, mask: number): number {
  const [a, b, c, d] = bits(mask).map((i) => at(w, i)) as [Vec3, Vec3?, Vec3?, Vec3?];
  if (!b) return Math.hypot(a.x, a.y, a.z);
  if (!c) return exactPointSegment(O, a, b);
  return d ? exactPointTetrahedron(O, a, b, c, d) : exactPointTriangle(O, a, b, c);
}

/** The sign of the volume of four points, exactly. */
const side = (a: Vec3, b: Vec3, c: Vec3, d: Vec3): number => {
  const { vcross, vdot, vsub, qv, sign } = exact;
  const from = qv(d);
  return sign(vdot(vsub(qv(a), from), vcross(vsub(qv(b), from), vsub(qv(c), from))));
};

function exactlyInside(w: Float64Array): boolean {
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => at(w, i)) as [Vec3, Vec3, Vec3, Vec3];
  const whole = side(a, b, c, d);
  const parts = [side(O, b, c, d), side(a, O, c, d), side(a, b, O, d), side(a, b, c, O)];
  return whole !== 0 && parts.every((s) => s * whole >= 0);
}

/** Flat and thin ones, doubled points, next to the origin and far from it. */
function simplex(rng: Rng, n: number): { w: Float64Array; scale: number } {
  const { points, scale, regime } = cloud(rng, n);
  if (rng.chance(0.4)) {
    const squeeze = { x: 1, y: 10 ** -rng.range(0, 6), z: rng.pick([0, 1, 1e-3, 1e-12]) };
    const shift = rng.vec(rng.pick([0, 1e-12, 1e-6, 1]));
    for (const p of points) {
      p.x = squeeze.x * p.x + shift.x;
      p.y = squeeze.y * p.y + shift.y;
      p.z = squeeze.z * p.z + shift.z;
    }
  }
  if (rng.chance(0.05)) points[0] = { ...rng.pick(points) };
  const w = new Float64Array(12).fill(Number.NaN);
  points.forEach(({ x, y, z }, i) => {
    w.set([x, y, z], 3 * i);
  });
  return { w, scale: regime === 'far' ? scale : scale + 1 };
}

const found = makeMinNorm();

/** As GJK has them: all but the newest are needed for the nearest point of theirs, and the newest leads nearer. */
function isAStep(w: Float64Array, rest: number, newest: number): boolean {
  nearestInSimplex(w, rest, found);
  const { x, y, z } = found;
  const p = at(w, newest);
  return found.kept === rest && x * p.x + y * p.y + z * p.z < found.sq * (1 - 1e-9);
}

let asked = 0;
let decided = 0;

function checkStep(w: Float64Array, mask: number, newest: number, how: number, scale: number): void {
  asked++;
  if (how === UNSURE) return;
  decided++;
  if (how === HOLDS_ORIGIN) {
    check(mask === 15 && exactlyInside(w), 'said to be inside');
    return;
  }
  check(how === FOUND, 'found');
  check((step.kept & ~mask) === 0 && (step.kept & (1 << newest)) !== 0, `kept ${step.kept}`);
  // Normals of triangles as thin as are taken lose two digits.
  const slack = 1e-13 * scale;
  near(Math.sqrt(step.sq), exactDistance(w, mask), slack, 'distance');
  near(Math.sqrt(step.sq), exactDistance(w, step.kept), slack, 'distance of what is kept');
  near(Math.hypot(step.x, step.y, step.z), Math.sqrt(step.sq), slack, 'length');
  // Of the faces of a tetrahedron, two may be as near, to rounding, and one of them has the better direction.
  if (mask === 15) return;
  // A plane across it has all points on its far side: the direction is right, but for what rounding does to a short one.
  const { x, y, z } = step;
  const tilted = slack * (1 + scale / Math.sqrt(step.sq));
  for (const i of bits(mask)) {
    const p = at(w, i);
    const beyond = (x * p.x + y * p.y + z * p.z) / Math.sqrt(step.sq);
    check(
      !(beyond < Math.sqrt(step.sq) - tilted),
      () => `${i} is this side of the plane, at ${beyond}, not ${Math.sqrt(step.sq)}`,
    );
  }
}

property('[R9.5.2] a triangle: what is decided is the exact minimum', 10_000, (rng) => {
  const { w, scale } = simplex(rng, 3);
  if (!isAStep(w, 3, 2)) return;
  step.sq = Infinity;
  checkStep(w, 7, 2, nearestOnFace(w, 2, 0, 1, step), scale);
});

property(
  '[R9.5.2] a tetrahedron: what is decided is the exact minimum, and inside is inside',
  10_000,
  (rng) => {
    const { w, scale } = simplex(rng, 4);
    const newest = rng.int(0, 3);
    const rest = 15 & ~(1 << newest);
    if (!isAStep(w, rest, newest)) return;
    const [q, r, s] = rng.shuffle(bits(rest)) as [number, number, number];
    step.sq = Infinity;
    checkStep(w, 15, newest, nearestOnTetrahedron(w, newest, q, r, s, step), scale);
  },
);

test('[R9.5.2] most are decided', () => {
  expect(asked).toBeGreaterThan(1000);
  expect(decided / asked).toBeGreaterThan(0.5);
});

test('[R9.5.2] what is flat, thin or has the origin on its border is left to others', () => {
  const of = (...numbers: number[]) => Float64Array.from(numbers);
  step.sq = Infinity;
  // A needle, two points in one place, and all three.
  expect(nearestOnFace(of(1, -1, 0, 1, 1, 0, 1, 0, 1e-3, 0, 0, 0), 2, 0, 1, step)).toBe(UNSURE);
  expect(nearestOnFace(of(1, -1, 0, 1, -1, 0, 1, 1, 0, 0, 0, 0), 2, 0, 1, step)).toBe(UNSURE);
  expect(nearestOnFace(of(1, 2, 3, 1, 2, 3, 1, 2, 3, 0, 0, 0), 2, 0, 1, step)).toBe(UNSURE);
  // In one plane, with and without the origin; the origin on a face.
  expect(nearestOnTetrahedron(of(-1, -1, 0, 1, -1, 0, 0, 1, 0, 2, 2, 0), 3, 0, 1, 2, step)).toBe(UNSURE);
  expect(nearestOnTetrahedron(of(-1, -1, 1, 1, -1, 1, 0, 1, 1, 2, 2, 1), 3, 0, 1, 2, step)).toBe(UNSURE);
  expect(nearestOnTetrahedron(of(-1, 0, 1, 1, 0, 1, 0, 3, 1, 0, 0, -1), 3, 0, 1, 2, step)).toBe(UNSURE);
  expect(nearestOnTetrahedron(of(-1, -1, 1, 1, -1, 1, 0, 3, 1, 0, 0, -1), 3, 0, 1, 2, step)).toBe(
    HOLDS_ORIGIN,
  );
});
