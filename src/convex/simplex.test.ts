import { expect, test } from 'vitest';
import {
  exactPointSegment,
  exactPointTetrahedron,
  exactPointTriangle,
} from '../../tests/kit/exact-distance.ts';
import type { Rng } from '../../tests/kit/index.ts';
import { check, cloud, exact, near, property } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { makeMinNorm, nearestInSimplex, nearestWithNewest, refineWeights } from './simplex.ts';

const O = { x: 0, y: 0, z: 0 };
const slots = (points: readonly ReadonlyVec3[]) => {
  const w = new Float64Array(12).fill(Number.NaN);
  points.forEach((p, i) => {
    w.set([p.x, p.y, p.z], 3 * i);
  });
  return w;
};
const at = (w: Float64Array, i: number): Vec3 => ({ x: w[3 * i]!, y: w[3 * i + 1]!, z: w[3 * i + 2]! });
const bits = (mask: number) => [0, 1, 2, 3].filter((i) => mask & (1 << i));

/** Of the hull of the points of some slots, to the origin, in rational arithmetic. */
function exactDistance(w: Float64Array, mask: number): number {
  const p = bits(mask).map((i) => at(w, i));
  if (p.length === 1) return Math.hypot(p[0]!.x, p[0]!.y, p[0]!.z);
  if (p.length === 2) return exactPointSegment(O, p[0]!, p[1]!);
  if (p.length === 3) return exactPointTriangle(O, p[0]!, p[1]!, p[2]!);
  return exactPointTetrahedron(O, p[0]!, p[1]!, p[2]!, p[3]!);
}

/** Is the origin in the tetrahedron, which has a volume? By Cramer's rule, exactly. */
function exactlyInside(w: Float64Array): boolean {
  const { vcross, vdot, vsub, qv, sign } = exact;
  const p = [0, 1, 2, 3].map((i) => qv(at(w, i)));
  const volume = (a: number, b: number, c: number, from: exact.QVec) =>
    sign(vdot(vsub(p[a]!, from), vcross(vsub(p[b]!, from), vsub(p[c]!, from))));
  const whole = volume(0, 1, 2, p[3]!);
  const o = qv(O);
  // With the origin instead of one corner, in an order that keeps the sign.
  const parts = [volume(0, 1, 2, o), volume(0, 3, 1, o), volume(1, 3, 2, o), volume(0, 2, 3, o)];
  return whole !== 0 && parts.every((s) => s * whole >= 0);
}

/** Points around the origin or not, flat and thin sets among them, and sets with points many times over. */
function simplex(rng: Rng): { points: Vec3[]; scale: number } {
  const { points, regime, scale } = cloud(rng, rng.int(1, 4));
  if (rng.chance(0.3)) {
    const squeeze = { x: 1, y: 10 ** -rng.range(0, 9), z: rng.pick([0, 1, 1e-3, 1e-12]) };
    const shift = rng.vec(rng.pick([0, 1e-12, 1e-6, 1]));
    for (const p of points) {
      p.x = squeeze.x * p.x + shift.x;
      p.y = squeeze.y * p.y + shift.y;
      p.z = squeeze.z * p.z + shift.z;
    }
  }
  if (rng.chance(0.1)) points[0] = { ...rng.pick(points) };
  if (rng.chance(0.1)) points[0] = { ...O };
  return { points, scale: regime === 'far' ? scale : scale + 1 };
}

const found = makeMinNorm();

function checkAnswer(w: Float64Array, mask: number, scale: number): void {
  const truth = exactDistance(w, mask);
  // A few roundings of coordinates as large as the scale.
  const slack = 1e-14 * scale;
  near(Math.sqrt(found.sq), truth, slack, 'distance');
  near(Math.hypot(found.x, found.y, found.z), Math.sqrt(found.sq), slack, 'length of the point');
  check((found.kept & ~mask) === 0 && found.kept !== 0, `kept ${found.kept} of ${mask}`);
  check(found.inside === (mask === 15 && exactlyInside(w)), `inside: ${found.inside}`);
  check(!found.inside || found.kept === 15, 'all are kept around the origin');
  let sum = 0;
  const made = { x: 0, y: 0, z: 0 };
  const kept = bits(found.kept);
  const weights = Float64Array.from(kept.map((i) => found.weights[i]!));
  refineWeights(slots(kept.map((i) => at(w, i))), kept.length, weights, found);
  kept.forEach((slot, i) => {
    found.weights[slot] = weights[i]!;
  });
  for (const i of bits(found.kept)) {
    const weight = found.weights[i]!;
    check(weight >= 0, `weight ${weight}`);
    sum += weight;
    made.x += weight * w[3 * i]!;
    made.y += weight * w[3 * i + 1]!;
    made.z += weight * w[3 * i + 2]!;
  }
  near(sum, 1, 1e-14, 'sum of weights');
  near(Math.hypot(made.x, made.y, made.z), truth, slack, 'what the weights make');
}

property('[R9.5.2] = the exact minimum over all subsets', 10_000, (rng) => {
  const { points, scale } = simplex(rng);
  const w = slots(points);
  const mask = (1 << points.length) - 1;
  nearestInSimplex(w, mask, found);
  checkAnswer(w, mask, scale);
});

property(
  '[R9.5.2] a new point, of what is nearest so far: only subsets with it are looked at',
  10_000,
  (rng) => {
    const { points, scale } = simplex(rng);
    const w = slots(points);
    let mask = 1;
    nearestWithNewest(w, mask, 0, found);
    for (let i = 1; i < points.length; i++) {
      // As GJK does: only points that lie on this side of the plane through the nearest point.
      const p = points[i]!;
      const gain = found.sq - (found.x * p.x + found.y * p.y + found.z * p.z);
      if (!(gain > 1e-12 * scale * Math.sqrt(found.sq)) || found.sq < 1e-26 * scale * scale) break;
      mask = found.kept | (1 << i);
      nearestWithNewest(w, mask, i, found);
      checkAnswer(w, mask, scale);
    }
  },
);

property('[R9.5.2] slots may come in any order', 2000, (rng) => {
  const { points, scale } = simplex(rng);
  const w = slots(points);
  const all = (1 << points.length) - 1;
  const mask = rng.int(1, all) & all;
  nearestInSimplex(w, mask, found);
  near(Math.sqrt(found.sq), exactDistance(w, mask), 1e-14 * scale, 'distance');
});

test('[R9.5.2] [T3] a flat tetrahedron around the origin is not around it', () => {
  const w = slots([
    { x: 1, y: 0, z: 1 },
    { x: -1, y: 1, z: 1 },
    { x: -1, y: -1, z: 1 },
    { x: 0.5, y: 0, z: 1 },
  ]);
  for (const solve of [() => nearestInSimplex(w, 15, found), () => nearestWithNewest(w, 15, 3, found)]) {
    solve();
    expect(found.inside).toBe(false);
    expect([Math.abs(found.x), Math.abs(found.y), found.z, found.sq]).toEqual([0, 0, 1, 1]);
  }
});

test('[R9.5.2] nor is one in whose plane the origin lies, but its distance is 0', () => {
  const w = slots([
    { x: 1, y: 0, z: 0 },
    { x: -1, y: 1, z: 0 },
    { x: -1, y: -1, z: 0 },
    { x: 0.5, y: 0, z: 0 },
  ]);
  nearestInSimplex(w, 15, found);
  expect(found.inside).toBe(false);
  expect(found.sq).toBe(0);
});

test('[R9.5.2] a tetrahedron with the origin on its face, its edge or its corner holds it', () => {
  const around = [
    { x: 1, y: 0, z: 0 },
    { x: -1, y: 1, z: 0 },
    { x: -1, y: -1, z: 0 },
    { x: 0, y: 0, z: 5 },
  ];
  nearestInSimplex(slots(around), 15, found);
  expect(found).toMatchObject({ inside: true, kept: 15, sq: 0 });
  nearestInSimplex(slots([O, ...around.slice(1)]), 15, found);
  expect(found).toMatchObject({ inside: true, kept: 15, sq: 0 });
});

test('[R9.5.2] points that coincide count once', () => {
  const p = { x: 1, y: 2, z: 2 };
  nearestInSimplex(slots([p, p, p, p]), 15, found);
  expect(found.sq).toBe(9);
  expect(bits(found.kept)).toHaveLength(1);
});
