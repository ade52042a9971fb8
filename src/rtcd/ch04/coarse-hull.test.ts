import { expect, test } from 'vitest';
import { check, cloud, property, Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { affineDimension } from '../../polytope/affine.ts';
import { boxPolyhedron, polyhedron } from '../../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { coarseHull, overlapCoarseHulls } from './coarse-hull.ts';

/** Is there a separating axis with a gap of more than `room`? Faces, and crosses of edges. */
function separated(a: ReadonlyPolyhedron, b: ReadonlyPolyhedron, room: number): boolean {
  const edges = ({ vertices, faces }: ReadonlyPolyhedron): Vec3[] =>
    faces.flatMap((f) => f.map((i, k) => v3.sub(vertices[f[(k + 1) % f.length]!]!, vertices[i]!)));
  const axes = [...a.planes, ...b.planes].map(({ normal }) => normal);
  const [ea, eb] = [edges(a), edges(b)];
  return (
    axes.some((n) => gap(a, b, n) > room) ||
    ea.some((u) => eb.some((v) => gap(a, b, v3.normalize(v3.cross(u, v))) > room))
  );
}

const gap = (a: ReadonlyPolyhedron, b: ReadonlyPolyhedron, n: Readonly<Vec3>): number =>
  Math.max(ahead(a, b, n), ahead(b, a, n));

/** How far all of b is in front of all of a. */
function ahead(a: ReadonlyPolyhedron, b: ReadonlyPolyhedron, n: Readonly<Vec3>): number {
  const base = a.vertices[0]!;
  let [most, least] = [-Infinity, Infinity];
  for (const v of a.vertices) most = Math.max(most, v3.dot(v3.sub(v, base), n));
  for (const v of b.vertices) least = Math.min(least, v3.dot(v3.sub(v, base), n));
  return least - most;
}

function pairOfHulls(rng: Rng): { a: ReadonlyPolyhedron; b: ReadonlyPolyhedron; points: Vec3[] } | null {
  const { points, size } = cloud(rng, 12);
  const cut = rng.int(4, 8);
  const shift = v3.scale(rng.direction(), rng.pick([0, 0.5, 1, 1.5]) * size);
  const moved = points.slice(cut).map((p) => v3.add(p, shift));
  if (affineDimension(points.slice(0, cut)) < 3 || affineDimension(moved) < 3) return null;
  return {
    a: polyhedron(points.slice(0, cut)),
    b: polyhedron(moved),
    points: [...points.slice(0, cut), ...moved],
  };
}

/** A few balls that cover a polyhedron: one around each corner, as large as the way to the middle, and so on in. */
function cover(hull: ReadonlyPolyhedron): { center: Vec3; radius: number }[] {
  const middle = v3.scale(
    hull.vertices.reduce((sum, v) => v3.add(sum, v), vec3()),
    1 / hull.vertices.length,
  );
  // The hull is the union of the tetrahedra from the middle to its triangles: a ball around each.
  return hull.faces.flatMap((face) =>
    face.slice(2).map((_, k) => {
      const corners = [middle, ...[face[0]!, face[k + 1]!, face[k + 2]!].map((i) => hull.vertices[i]!)];
      const center = v3.scale(
        corners.reduce((sum, v) => v3.add(sum, v), vec3()),
        0.25,
      );
      return { center, radius: Math.max(...corners.map((c) => v3.distance(c, center))) * (1 + 1e-12) };
    }),
  );
}

property('[R4.6.5] hulls that share a point are never said to be apart', 10_000, (rng) => {
  const pair = pairOfHulls(rng);
  if (!pair) return;
  const { a, b } = pair;
  // A common point by construction: one of a is made one of b. Halfway is exact on the lattice only.
  const common = rng.pick(a.vertices);
  const halfway = v3.lerp(common, rng.pick(a.vertices), 0.5);
  const isExact = [...a.vertices, halfway].every(({ x, y, z }) => Number.isInteger(2 * (x + 3 * y + 7 * z)));
  const shared = isExact && rng.chance(0.5) ? halfway : common;
  const move = v3.sub(shared, rng.pick(b.vertices));
  const moved = [shared, ...b.vertices.map((v) => v3.add(v, move))];
  if (affineDimension(moved) < 3) return; // flat where it is now, by rounding
  const there = polyhedron(moved);
  check(overlapCoarseHulls(coarseHull(a), coarseHull(there)), 'vertices');
  check(overlapCoarseHulls(coarseHull(a, cover(a)), coarseHull(there)), 'spheres and vertices');
  check(overlapCoarseHulls(coarseHull(there, cover(there)), coarseHull(a, cover(a))), 'spheres');
});

property('[R4.6.5] apart as separating axes say: never a false no, and few false yeses', 3_000, (rng) => {
  const pair = pairOfHulls(rng);
  if (!pair) return;
  const { a, b, points } = pair;
  const answer = overlapCoarseHulls(coarseHull(a), coarseHull(b));
  check(answer === overlapCoarseHulls(coarseHull(b), coarseHull(a)), 'not symmetric');
  const scale = Math.max(...points.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
  if (!separated(a, b, -1e-14 * scale)) check(answer, 'a false no');
  // A face that has all of the other well in front is seen.
  const facesTell =
    a.planes.some(({ normal }) => ahead(a, b, normal) > 1e-12 * scale) ||
    b.planes.some(({ normal }) => ahead(b, a, normal) > 1e-12 * scale);
  if (facesTell) check(!answer, 'missed a face');
});

test('[R4.6.5] false yeses exist, but not many', () => {
  const rng = new Rng(5);
  let [apart, wrong] = [0, 0];
  for (let i = 0; i < 2_000; i++) {
    const pair = pairOfHulls(rng);
    if (!pair || !separated(pair.a, pair.b, 0)) continue;
    apart++;
    if (overlapCoarseHulls(coarseHull(pair.a), coarseHull(pair.b))) wrong++;
  }
  expect(apart).toBeGreaterThan(300);
  expect(wrong).toBeGreaterThan(0);
  expect(wrong / apart).toBeLessThan(0.2);
});

test('[R4.6.5] planes and vertices are ordered far apart, and nothing is in front of a plane', () => {
  const box = boxPolyhedron(vec3(), vec3(1, 2, 3));
  const hull = coarseHull(box);
  expect(hull.planes).toHaveLength(6);
  expect(hull.spheres).toHaveLength(8);
  expect(v3.dot(hull.planes[0]!.normal, hull.planes[1]!.normal)).toBe(-1);
  expect(v3.distance(hull.spheres[0]!.center, hull.spheres[1]!.center)).toBeCloseTo(Math.sqrt(14), 12);
  // A plane with a normal that is not a unit and a wrong d is put right.
  const wrong = {
    ...box,
    planes: box.planes.map(({ normal }) => ({ normal: v3.scale(normal, 3), d: -100 })),
  };
  expect(coarseHull(wrong).planes).toEqual(hull.planes);
});

test('boxes side by side, touching and apart', () => {
  const at = (x: number) => coarseHull(boxPolyhedron(vec3(x, x, 0), vec3(x + 1, x + 1, 1)));
  expect(overlapCoarseHulls(at(0), at(1))).toBe(true);
  expect(overlapCoarseHulls(at(0), at(1.001))).toBe(false);
  expect(overlapCoarseHulls(at(0), at(50))).toBe(false);
});

test('bad spheres are refused by name', () => {
  const box = boxPolyhedron(vec3(), vec3(1, 1, 1));
  expect(() => coarseHull(box, [])).toThrow(/spheres must hold at least one/);
  expect(() => coarseHull(box, [{ center: vec3(), radius: -1 }])).toThrow(/spheres\[0\]\.radius/);
});
