import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Pose, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { affineDimension } from '../../polytope/affine.ts';
import { boxPolyhedron, polyhedron } from '../../polytope/polyhedron.ts';
import { fitKdop, type Kdop, type KdopSides, kdopAxes, makeKdop } from '../../volumes/kdop.ts';
import { interiorPoint, kdopVertices, makeKdopClimber, measureKdop, transformKdop } from './kdop-realign.ts';

const SIDES: KdopSides[] = [6, 8, 12, 14, 18, 20, 26];

const list = (flat: ArrayLike<number>): Vec3[] =>
  Array.from({ length: flat.length / 3 }, (_, i) => vec3(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]));

/** How far the point is outside of the slabs; negative inside. */
const outside = ({ sides, min, max }: Kdop, p: Vec3): number =>
  Math.max(...kdopAxes(sides).map((n, i) => Math.max(min[i]! - v3.dot(n, p), v3.dot(n, p) - max[i]!)));

const randomPose = (rng: Rng): Pose => ({
  position: rng.pick([rng.vec(1), rng.vec(1e6), vec3()]),
  quaternion: rng.rotation(),
});
const posed = (p: Vec3, { position, quaternion }: Pose): Vec3 => v3.add(v3.rotate(p, quaternion), position);

test('[R4.6.4] a 6-DOP has eight corners, which are those of the box', () => {
  const corners = list(kdopVertices(fitKdop([vec3(1, 2, 3), vec3(4, 6, 8)], 6)));
  const keys = corners.map(({ x, y, z }) => [x, y, z].join()).sort();
  const wanted = [1, 4].flatMap((x) => [2, 6].flatMap((y) => [3, 8].map((z) => [x, y, z].join()))).sort();
  expect(keys).toEqual(wanted);
});

test('[R4.6.4] corners of known k-DOPs, coincident ones merged', () => {
  // An octahedron, and a cube whose corners are cut by planes that only just touch them.
  const octahedron = [vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)];
  expect(list(kdopVertices(fitKdop(octahedron, 8)))).toHaveLength(6);
  const cube = list(kdopVertices(fitKdop([vec3(-1, -1, -1), vec3(1, 1, 1)], 6)));
  for (const sides of [14, 18, 26] as const) expect(list(kdopVertices(fitKdop(cube, sides)))).toHaveLength(8);
  // The rhombic dodecahedron: 14 corners, where three or four faces meet.
  expect(
    list(kdopVertices({ sides: 12, min: [-1, -1, -1, -1, -1, -1], max: [1, 1, 1, 1, 1, 1] })),
  ).toHaveLength(14);
  for (const sides of SIDES) {
    const dot = kdopVertices(fitKdop([vec3(1, 2, 3)], sides));
    expect(list(dot)).toHaveLength(1);
    for (const [i, c] of [1, 2, 3].entries()) expect(dot[i]).toBeCloseTo(c, 12);
  }
});

test('[R4.6.4] slabs without a common point end the search and are refused', () => {
  // x + y = 0 and x - y = 0 on lines through the origin, but x is said to be far away.
  const empty = fitKdop([vec3()], 18);
  const i = kdopAxes(18).findIndex((n) => v3.equals(n, vec3(1)));
  empty.min[i] = empty.max[i] = 5;
  const p = interiorPoint(empty);
  expect(Number.isFinite(p.x + p.y + p.z)).toBe(true);
  expect(() => kdopVertices(empty)).toThrow(/kdop has no point/);
});

property(
  '[R4.6.4] the corners are in the k-DOP, and their hull holds the points it was made of',
  1_500,
  (rng) => {
    const { points, size, scale } = cloud(rng, rng.int(1, 8));
    const sides = rng.pick(SIDES);
    const kdop = fitKdop(points, sides);
    const corners = list(kdopVertices(kdop));
    const tolerance = 1e-11 * size + 1e-14 * scale;
    for (const c of corners) check(outside(kdop, c) <= tolerance, 'a corner outside');
    for (let i = 0; i < 10; i++) {
      // In any direction, not only along the axes.
      const n = rng.direction();
      const reach = Math.max(...corners.map((c) => v3.dot(c, n)));
      for (const p of points)
        check(v3.dot(p, n) <= reach + tolerance, 'the hull of the corners is too small');
    }
    // Tight: every slab has a corner on both sides (a fit to points touches them there).
    for (const [k, n] of kdopAxes(sides).entries()) {
      const heights = corners.map((c) => v3.dot(c, n));
      near(Math.max(...heights), kdop.max[k]!, 2 * tolerance, 'max');
      near(Math.min(...heights), kdop.min[k]!, 2 * tolerance, 'min');
    }
  },
);

property('[R4.6.4] alternating projection ends in the k-DOP', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, rng.int(1, 6));
  const kdop = fitKdop(points, rng.pick(SIDES));
  const p = interiorPoint(kdop);
  // Where the slabs meet at a sharp angle the way in is long: as far as the cap lets it come.
  check(outside(kdop, p) <= 1e-4 * size + 1e-14 * scale, () => `outside by ${outside(kdop, p)}`);
});

property(
  '[R4.6.4] realigned from stored corners: holds the posed thing, no looser than its own k-DOP',
  10_000,
  (rng) => {
    const { points, size, scale } = cloud(rng, 5);
    const sides = rng.pick([6, 8] as const);
    const kdop = fitKdop(points, sides);
    const corners = kdopVertices(kdop);
    const pose = randomPose(rng);
    const out = makeKdop(sides);
    check(transformKdop(kdop, pose, corners, out) === out, 'fills out');
    const reach = scale + Math.abs(pose.position.x) + Math.abs(pose.position.y) + Math.abs(pose.position.z);
    for (const p of points) check(outside(out, posed(p, pose)) <= 0, 'leaves a point out');
    const recomputed = fitKdop(
      list(corners).map((c) => posed(c, pose)),
      sides,
    );
    for (let i = 0; i < sides / 2; i++) {
      near(out.min[i]!, recomputed.min[i]!, 1e-10 * size + 1e-13 * reach, 'min');
      near(out.max[i]!, recomputed.max[i]!, 1e-10 * size + 1e-13 * reach, 'max');
    }
  },
);

property('[R4.6.4] k climbers agree with recomputing from all vertices', 300, (rng) => {
  const { points, scale } = cloud(rng, rng.int(5, 30), rng.pick(['plain', 'lattice', 'huge', 'tiny', 'far']));
  if (affineDimension(points) < 3) return;
  const hull = polyhedron(points);
  const sides = rng.pick(SIDES);
  const climber = makeKdopClimber(hull, sides);
  const out = makeKdop(sides);
  for (let i = 0; i < 40; i++) {
    const pose = randomPose(rng);
    climber.fit(pose, out);
    const turned = points.map((p) => posed(p, pose));
    const wanted = fitKdop(turned, sides);
    const reach = scale + Math.abs(pose.position.x) + Math.abs(pose.position.y) + Math.abs(pose.position.z);
    for (let k = 0; k < sides / 2; k++) {
      check(out.min[k]! <= wanted.min[k]! && out.max[k]! >= wanted.max[k]!, 'leaves a vertex out');
      near(out.min[k]!, wanted.min[k]!, 1e-13 * reach, 'min');
      near(out.max[k]!, wanted.max[k]!, 1e-13 * reach, 'max');
    }
  }
});

test('area and volume of k-DOPs', () => {
  const box = measureKdop(fitKdop([vec3(1e6, 0, 0), vec3(1e6 + 1, 2, 3)], 6));
  expect(box.area).toBeCloseTo(22, 6);
  expect(box.volume).toBeCloseTo(6, 6);
  const octahedron = measureKdop({ sides: 8, min: [-1, -1, -1, -1], max: [1, 1, 1, 1] });
  expect(octahedron.volume).toBeCloseTo(4 / 3, 12);
  expect(octahedron.area).toBeCloseTo(4 * Math.sqrt(3), 12);
  const flat = measureKdop(fitKdop([vec3(), vec3(1, 2, 0)], 6));
  expect(flat).toEqual({ area: 4, volume: 0 });
  expect(measureKdop(fitKdop([vec3(1, 2, 3)], 6))).toEqual({ area: 0, volume: 0 });
});

test('what cannot be realigned is refused by name', () => {
  const kdop = fitKdop([vec3(), vec3(1, 1, 1)], 6);
  const pose = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(() => transformKdop(kdop, pose, [])).toThrow(/vertices must be three numbers/);
  expect(() => transformKdop(kdop, pose, [1, 2])).toThrow(/vertices must be three numbers/);
  expect(() => transformKdop(kdop, pose, [1, 2, Number.NaN])).toThrow(/vertices\[2\]/);
  expect(() => transformKdop(kdop, pose, undefined, makeKdop(8))).toThrow(/out/);
  const climber = makeKdopClimber(boxPolyhedron(vec3(), vec3(1, 1, 1)), 6);
  expect(() => climber.fit(pose, makeKdop(8))).toThrow(/out/);
  expect(() => climber.fit({ ...pose, position: vec3(Infinity) })).toThrow(/pose\.position\.x/);
  expect(() => makeKdopClimber({ vertices: [], faces: [], planes: [] }, 6)).toThrow(/hull/);
});
