import { expect, test } from 'vitest';
import {
  exactPointSegment,
  exactPointTetrahedron,
  exactPointTriangle,
} from '../../tests/kit/exact-distance.ts';
import type { Rng } from '../../tests/kit/index.ts';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import {
  QUICK_FOUND,
  QUICK_INSIDE,
  QUICK_UNSURE,
  quickFace,
  quickTetrahedron,
  step,
} from './quick-simplex.ts';
import { makeMinNorm, nearestInSimplex } from './simplex.ts';

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
  if (how === QUICK_UNSURE) return;
  decided++;
  if (how === QUICK_INSIDE) {
    check(mask === 15 && exactlyInside(w), 'said to be inside');
    return;
  }
  check(how === QUICK_FOUND, 'found');
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
  checkStep(w, 7, 2, quickFace(w, 2, 0, 1), scale);
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
    checkStep(w, 15, newest, quickTetrahedron(w, newest, q, r, s), scale);
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
  expect(quickFace(of(1, -1, 0, 1, 1, 0, 1, 0, 1e-3, 0, 0, 0), 2, 0, 1)).toBe(QUICK_UNSURE);
  expect(quickFace(of(1, -1, 0, 1, -1, 0, 1, 1, 0, 0, 0, 0), 2, 0, 1)).toBe(QUICK_UNSURE);
  expect(quickFace(of(1, 2, 3, 1, 2, 3, 1, 2, 3, 0, 0, 0), 2, 0, 1)).toBe(QUICK_UNSURE);
  // In one plane, with and without the origin; the origin on a face.
  expect(quickTetrahedron(of(-1, -1, 0, 1, -1, 0, 0, 1, 0, 2, 2, 0), 3, 0, 1, 2)).toBe(QUICK_UNSURE);
  expect(quickTetrahedron(of(-1, -1, 1, 1, -1, 1, 0, 1, 1, 2, 2, 1), 3, 0, 1, 2)).toBe(QUICK_UNSURE);
  expect(quickTetrahedron(of(-1, 0, 1, 1, 0, 1, 0, 3, 1, 0, 0, -1), 3, 0, 1, 2)).toBe(QUICK_UNSURE);
  expect(quickTetrahedron(of(-1, -1, 1, 1, -1, 1, 0, 3, 1, 0, 0, -1), 3, 0, 1, 2)).toBe(QUICK_INSIDE);
});
