/**
 * The promise of this room, on trial: nothing ends up in anything else, nothing goes through anything, and nothing is
 * stopped before it has to be. New cases in every run; the seed is printed, and `GRAZE_SEED` brings a run back.
 * `npm run fuzz -- sweep --cases 100` makes a long one of it.
 */
import { afterAll, expect, test } from 'vitest';
import { exactTriangleTriangle } from '../../tests/kit/exact-distance.ts';
import { freshSeed, property } from '../../tests/kit/index.ts';
import { Rng } from '../../tests/kit/rng.ts';
import type { MotionKind } from '../../tests/kit/sweep-cases.ts';
import { nearest, nearestTriangles } from '../../tests/kit/sweep-distance.ts';
import { soupBoxes, surfacesMeet } from '../../tests/kit/sweep-exact.ts';
import { type SweepApi, SweepStatistics } from '../../tests/kit/sweep-judge.ts';
import { runSweeps } from '../../tests/kit/sweep-run.ts';
import type { SweepBody } from '../../tests/kit/sweep-shapes.ts';
import type { Vec3 } from '../math/types.ts';
import { touchingFeatures } from './contacts.ts';
import { polyhedralModel } from './model.ts';
import { poseAlong } from './motion.ts';
import { sweepPolyhedra } from './sweep.ts';
import type { PolyhedralModel } from './types.ts';

const seed = freshSeed();
const factor = Number(process.env['GRAZE_CASES'] ?? 1);

function modelOf({ positions, index, polygons }: SweepBody): PolyhedralModel {
  if (index.length > 0 && !polygons) return polyhedralModel({ positions, index });
  const vertices: Vec3[] = [];
  for (let i = 0; i < positions.length; i += 3)
    vertices.push({ x: positions[i]!, y: positions[i + 1]!, z: positions[i + 2]! });
  return polyhedralModel({ vertices, polygons: polygons ?? [] });
}

const models = new WeakMap<SweepBody, PolyhedralModel>();

const api: SweepApi = {
  model(body) {
    const known = models.get(body) ?? modelOf(body);
    models.set(body, known);
    return known;
  },
  sweep: sweepPolyhedra,
  poseAlong,
  touching: touchingFeatures,
};

const all = new SweepStatistics();

function fuzz(title: string, cases: number, only: MotionKind): void {
  // A slow machine sees fewer cases in a normal run.
  let start = 0;
  property(
    title,
    cases,
    (rng, index) => {
      if (index === 0) start = performance.now();
      if (factor <= 1 && performance.now() - start > 30_000) return;
      runSweeps(api, all, rng, true, only);
    },
    seed,
  );
}

fuzz(
  '[P2] [P3] [P8] [P10] [P12] translations neither penetrate nor tunnel, and stop in time',
  3000,
  'translation',
);
fuzz('[P4] [P5] [P8] [P10] [P12] rotations neither penetrate nor tunnel, and stop in time', 2500, 'rotation');
fuzz('[P6] [P7] nor does a translation with a rotation after it', 1000, 'both');

test('the fuzz has seen hits and misses, starts in the zone and in touch', () => {
  expect(all.hits).toBeGreaterThan(all.motions / 4);
  expect(all.misses).toBeGreaterThan(all.motions / 20);
  expect(all.inZone).toBeGreaterThan(all.motions / 20);
  expect(all.touched).toBeGreaterThan(all.motions / 100);
  expect(all.undecided).toBeLessThan(all.motions / 20);
});

test('what once went wrong', () => {
  // Of the random cases above: lines through three corners, corners in the plane of a wall, needles, nearly parallel edges
  // far apart or about to touch, vertices so near to an edge that their direction is lost, edges along the axis.
  const cases: [MotionKind, number[]][] = [
    ['translation', [828432413290353]],
    [
      'rotation',
      [
        505002339, 505003004, 6001024016, 6001024616, 8001030747, 8001038924, 8001042989, 8001043322,
        8201034291, 8301031702, 8301039096, 16180063912, 27182092612,
      ],
    ],
    ['both', [6002019264, 8001033380, 8201026902]],
  ];
  for (const [only, seeds] of cases)
    for (const one of seeds) runSweeps(api, new SweepStatistics(), new Rng(one), true, only);
});

afterAll(() => {
  console.log(`sweep fuzz, GRAZE_SEED=${seed}: ${all}`);
});

property('the judge itself: distances and intersections of triangles as by exact arithmetic', 2000, (rng) => {
  const lattice = rng.chance(0.4);
  const size = rng.pick([1, 1, 1e-2, 1e-5]);
  const corner = (): Vec3 =>
    lattice ? { x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) } : rng.vec(1);
  const t = Array.from({ length: 6 }, corner);
  if (rng.chance(0.2)) t[1] = t[2] = t[0]!;
  // Bodies have no triangles without area, other than points.
  const isThin = (a: Vec3, b: Vec3, c: Vec3): boolean => {
    const [ux, uy, uz, vx, vy, vz] = [b.x - a.x, b.y - a.y, b.z - a.z, c.x - a.x, c.y - a.y, c.z - a.z];
    return uy * vz === uz * vy && uz * vx === ux * vz && ux * vy === uy * vx;
  };
  if (isThin(t[3]!, t[4]!, t[5]!) || (t[1] !== t[0] && isThin(t[0]!, t[1]!, t[2]!))) return;
  const off = lattice ? corner() : rng.vec(2);
  for (let k = 3; k < 6; k++) {
    const { x, y, z } = t[k]!;
    t[k] = { x: x * size + off.x, y: y * size + off.y, z: z * size + off.z };
  }
  const soup = (points: Vec3[]): Float64Array =>
    Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z]));
  const [a, b] = [soup(t.slice(0, 3)), soup(t.slice(3))];
  const wanted = exactTriangleTriangle(...t);
  expect(surfacesMeet(a, soupBoxes(a), b, soupBoxes(b)) > 0).toBe(wanted === 0);
  // So near, they have no direction.
  if (wanted < 1e-13) return;
  nearestTriangles(a, 0, b, 0);
  expect(Math.abs(Math.sqrt(nearest.distanceSq) - wanted)).toBeLessThan(1e-14);
  // A direction is as good as the features are long: a little less is found, never more than the truth.
  expect(nearest.separation - wanted).toBeLessThan(1e-14);
  expect(wanted - nearest.separation).toBeLessThan(1e-8);
});
