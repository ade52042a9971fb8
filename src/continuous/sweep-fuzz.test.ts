/**
 * The promise of this room, on trial: nothing ends up in anything else, nothing goes through anything, nothing is stopped
 * before it has to be, and no search is given up. `GRAZE_SEED` brings other cases and `GRAZE_CASES` more:
 * `npm run fuzz -- sweep --cases 100` makes a long run of it.
 */
import { afterAll, expect, test } from 'vitest';
import { exactSeparation, exactTriangleTriangle } from '../../tests/kit/exact-distance.ts';
import { property } from '../../tests/kit/index.ts';
import { Rng } from '../../tests/kit/rng.ts';
import { type MotionKind, meetingCase, placedSoup } from '../../tests/kit/sweep-cases.ts';
import { nearest, nearestTriangles } from '../../tests/kit/sweep-distance.ts';
import { APART, soupBoxes, surfacesMeet } from '../../tests/kit/sweep-exact.ts';
import { checkSweep, LEAST_GAP, type SweepApi, SweepStatistics } from '../../tests/kit/sweep-oracle.ts';
import { runOneSided, runSweeps } from '../../tests/kit/sweep-run.ts';
import { boxOf, type SweepBody } from '../../tests/kit/sweep-shapes.ts';
import { sweepWith } from '../../tests/kit/sweep-with.ts';
import type { Vec3 } from '../math/types.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { poseAlong } from './motion.ts';
import { sweepPolyhedra } from './sweep.ts';
import { SweepContext } from './sweep-context.ts';
import { touchingFeatures } from './touching-features.ts';
import type { PolyhedralModel } from './types.ts';

const seed = Number(process.env['GRAZE_SEED'] ?? 1);

function modelOf({ positions, index, polygons, oneSided }: SweepBody): PolyhedralModel {
  const options = oneSided ? ({ sides: 'front' } as const) : {};
  if (index.length > 0 && !polygons) return polyhedralModel({ positions, index }, options);
  const vertices: Vec3[] = [];
  for (let i = 0; i < positions.length; i += 3)
    vertices.push({ x: positions[i]!, y: positions[i + 1]!, z: positions[i + 2]! });
  return polyhedralModel({ vertices, polygons: polygons ?? [] }, options);
}

const context = new SweepContext();
const models = new WeakMap<SweepBody, PolyhedralModel>();

const api: SweepApi = {
  model(body) {
    const known = models.get(body) ?? modelOf(body);
    models.set(body, known);
    return known;
  },
  sweep: sweepWith(context),
  poseAlong,
  touching: touchingFeatures,
};

const all = new SweepStatistics();

function fuzz(title: string, cases: number, only: MotionKind, run = runSweeps): void {
  property(title, cases, (rng) => run(api, all, rng, true, only));
}

fuzz(
  '[P2] [P3] [P8] [P10] [P12] translations neither penetrate nor tunnel, and stop in time',
  250,
  'translation',
);
fuzz('[P4] [P5] [P8] [P10] [P12] rotations neither penetrate nor tunnel, and stop in time', 250, 'rotation');
fuzz('[P6] [P7] nor does a translation with a rotation after it', 80, 'both');
fuzz('[P2] [P3] nor do translations at open models that are one-sided', 60, 'translation', runOneSided);
fuzz('[P4] [P5] nor do rotations at open models that are one-sided', 80, 'rotation', runOneSided);
fuzz('[P6] nor do both at open models that are one-sided', 30, 'both', runOneSided);

const leastZone = new SweepStatistics();

/** The same with the thinnest zone there may be, where squares of distances are lost to rounding first. */
function inLeastZone(stats: SweepStatistics, rng: Rng, only: MotionKind): void {
  const c = meetingCase(rng, only);
  if (c) checkSweep(api, stats, { ...c, e: c.scale * 2 ** -40, byDefault: false }, true);
}

for (const only of ['translation', 'rotation', 'both'] as const)
  property(`in the least zone, too, contacts are at the distance e: ${only}`, 150, (rng) => {
    inLeastZone(leastZone, rng, only);
    expect(leastZone.leastGap).toBeGreaterThan(LEAST_GAP);
  });

test('… where doubles say that the reported gap is a tenth too small', () => {
  inLeastZone(new SweepStatistics(), new Rng(20261128 * 1_000_003 + 2348), 'rotation');
});

test('… where doubles say 0.959 e and 0.976 e of some that are at 1.004 e, or that one point passes by the other', () => {
  const seen = new SweepStatistics();
  for (const seed of [555000799, 555007219, 555009500]) inLeastZone(seen, new Rng(seed), 'rotation');
  expect(seen.hits).toBe(3);
  expect(seen.leastGap).toBeGreaterThan(1);
  // From the edge, which it came near to by a little less than was allowed, over the polygon.
  runSweeps(api, seen, new Rng(20261308783875), true, 'translation');
  expect(seen.leastGap).toBeGreaterThan(LEAST_GAP);
});

/** Stopped at once, though the gap does not shrink: a pair that is not the nearest may be in the way, or rounding. */
const MOST_STICKY = 1 / 50;

test('the fuzz has seen hits and misses, starts in the zone and in touch; nothing sticks, no search is given up', () => {
  expect(all.hits).toBeGreaterThan(all.motions / 4);
  expect(all.misses).toBeGreaterThan(all.motions / 20);
  expect(all.inZone + all.touched).toBeGreaterThan(all.motions / 2);
  expect(all.touched).toBeGreaterThan(all.motions / 100);
  expect(all.undecided).toBeLessThan(all.motions / 20);
  expect(all.penetrations).toBe(0);
  expect(all.tunnels).toBe(0);
  expect(all.borders).toBeGreaterThan(all.motions / 10);
  expect(all.fromBehind).toBeGreaterThan(0);
  expect(all.sticky).toBeLessThan(MOST_STICKY * all.motions);
  expect(context.exhausted).toBe(0);
  // New contacts are at the distance e, as well as it is promised.
  expect(all.leastGap).toBeGreaterThan(LEAST_GAP);
  expect(all.largestGap).toBeLessThan(65 / 64);
});

test('what once went wrong', () => {
  // Of the random cases above: lines through three corners, corners in the plane of a wall, needles, nearly parallel edges
  // far apart or about to touch, vertices so near to an edge that their direction is lost, edges along the axis.
  const cases: [MotionKind, number[]][] = [
    // The second: over a seam of sides in one line.
    // The last: beside the tip of a needle, by a sixteenth of the zone.
    ['translation', [828432413290353, 20261178801368, 20261132 * 1_000_003 + 3445]],
    [
      'rotation',
      [
        505002339, 505003004, 6001024016, 6001024616, 8001030747, 8001038924, 8001042989, 8001043322,
        8201034291, 8301031702, 8301039096, 16180063912, 27182092612,
        // Sank by rounding from a start in touch; passed an end of the other edge and counted as gone through; sank.
        846996634982587,
        846501476497241, 853492039469074,
        // Searches that took more steps than they were given: about the place of touch, beside ends, far from the axis.
        77000269,
        77000500, 77000504, 77000667, 101001964, 101002789, 7007021103, 8002244, 8003647, 4441015787,
        12000655,
        // A vertex in the plane of a face and beside it, reported with its height of almost 0 instead of its distance.
        90210297385,
        // The judge: axes of nearly parallel edges in doubles; an edge across a thin polygon is as near at either side of it.
        518920569223,
        526839582627,
      ],
    ],
    // The fourth: edges beyond the ends of each other by rounding, listed with the distance of their lines. Then the judge, as above.
    // The last went through a wall: along an axis it moved by -0.
    ['both', [6002019264, 8001033380, 8201026902, 29665165996695, 526839582627, 772003388919, 991012386588]],
  ];
  for (const [only, seeds] of cases)
    for (const one of seeds) runSweeps(api, new SweepStatistics(), new Rng(one), true, only);
  // Beside the sharp corner of a polygon, seen from far away; about a vertex in a thick zone; nearer from behind than in front.
  runOneSided(api, new SweepStatistics(), new Rng(11002033024), true, 'translation');
  runOneSided(api, new SweepStatistics(), new Rng(11000033047), true, 'rotation');
  runOneSided(api, new SweepStatistics(), new Rng(7014021072), true, 'rotation');
  // From behind one face of a concave edge, and beside the other: both are met at once, and the motion passes.
  runOneSided(api, new SweepStatistics(), new Rng(31337104120), true, 'translation');
  // Cut at the start by a corner in the middle of a square, of which two corners are in its plane.
  runOneSided(api, new SweepStatistics(), new Rng(881005669053), true, 'rotation');
  // The side that two triangles of one flat face share is in the plane of what comes from behind the face.
  runOneSided(api, new SweepStatistics(), new Rng(20261372783942), true, 'rotation');
  // From behind, and on to the next face at a moment at which all that is cut is in one plane.
  runOneSided(api, new SweepStatistics(), new Rng(526839582365), true, 'translation');
  // A border that came too near to what is beside or behind it: a point, a crate that goes through the sheet from behind.
  const borders: [MotionKind, number[]][] = [
    ['translation', [1000044, 1000087, 1000126, 71000332, 73000446]],
    [
      'rotation',
      [61007183045, 41001123004, 1000302, 73000260, 83000348, 9000374, 9001145, 11001583, 4441014564],
    ],
    ['both', [1000004, 1000028, 73000388, 73000613, 4441013842, 5551017347]],
  ];
  for (const [only, seeds] of borders)
    for (const one of seeds) runOneSided(api, new SweepStatistics(), new Rng(one), true, only);
  expect(context.exhausted).toBe(0);
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
  if (t[1] !== t[0]) {
    const apart = exactSeparation(t.slice(0, 3), t.slice(3));
    expect(apart > 0).toBe(wanted > 0);
    expect(apart).toBeLessThanOrEqual(wanted * (1 + 1e-14));
  }
  // So near, they have no direction.
  if (wanted < 1e-13) return;
  nearestTriangles(a, 0, b, 0);
  expect(Math.abs(Math.sqrt(nearest.distanceSq) - wanted)).toBeLessThan(1e-14);
  // A direction is as good as the features are long: a little less is found, never more than the truth.
  expect(nearest.separation - wanted).toBeLessThan(1e-14);
  expect(wanted - nearest.separation).toBeLessThan(1e-8);
});

test('a crate is never cut by the border of a one-sided square, wherever it comes from', () => {
  const positions = Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0);
  const index = Uint32Array.of(0, 1, 2, 0, 2, 3);
  const square = polyhedralModel({ positions, index }, { sides: 'front' });
  const soup = new Float64Array(3 * index.length);
  for (let i = 0; i < index.length; i++)
    soup.set(positions.subarray(3 * index[i]!, 3 * index[i]! + 3), 3 * i);
  const boxes = soupBoxes(soup);
  let hits = 0;
  for (let i = 0; i < 500; i++) {
    const rng = new Rng(31_000_000 + i);
    const crate = boxOf(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1), false);
    const model = polyhedralModel({ positions: crate.positions, index: crate.index });
    const [edge, d, far] = [{ x: rng.range(-1, 1), y: 1, z: 0 }, rng.direction(), rng.range(0.3, 2.5)];
    const position = { x: edge.x + far * d.x, y: edge.y + far * d.y, z: far * d.z };
    const from = { position, quaternion: rng.rotation() };
    const before = placedSoup(crate, from);
    if (surfacesMeet(before, soupBoxes(before), soup, boxes) !== APART) continue;
    const pivot = { x: edge.x + rng.range(-2, 2), y: 1 + rng.range(-2, 2), z: rng.range(-2, 2) };
    const motion = rng.chance(0.7)
      ? { axis: rng.direction(), angle: rng.range(-3, 3), pivot }
      : { translation: { x: -1.2 * far * d.x, y: -1.2 * far * d.y, z: -1.2 * far * d.z } };
    const hit = sweepPolyhedra(model, from, motion, square, HERE);
    if (hit) hits++;
    const after = placedSoup(crate, poseAlong(from, motion, hit ? hit.t : 1));
    expect(surfacesMeet(after, soupBoxes(after), soup, boxes)).toBe(APART);
  }
  expect(hits).toBeGreaterThan(60);
});

const HERE = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
