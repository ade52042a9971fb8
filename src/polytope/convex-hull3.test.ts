import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check, cloud, exact, property, Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { Hull } from './index.ts';
import { convexHull3, polyhedron, polyhedronFromHull } from './index.ts';

const { q, sign, vcross, vdot, vsub } = exact;
const rational = (x: number) => (Number.isSafeInteger(x) ? q(BigInt(x)) : q(x));
const qv = (p: ReadonlyVec3) => ({ x: rational(p.x), y: rational(p.y), z: rational(p.z) });

/** On which side of abc is p? 1: behind, -1: where abc is seen counter-clockwise. Exact. */
function side(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, p: ReadonlyVec3): number {
  if (same(p, a) || same(p, b) || same(p, c)) return 0;
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - a.x;
  const vy = c.y - a.y;
  const vz = c.z - a.z;
  const wx = p.x - a.x;
  const wy = p.y - a.y;
  const wz = p.z - a.z;
  const volume = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
  const size =
    Math.abs(wx) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
    Math.abs(wy) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(wz) * (Math.abs(ux * vy) + Math.abs(uy * vx));
  if (Math.abs(volume) > 1e-14 * size) return -Math.sign(volume);
  const origin = qv(a);
  return -sign(vdot(vsub(qv(p), origin), vcross(vsub(qv(b), origin), vsub(qv(c), origin))));
}

const same = (p: ReadonlyVec3, v: ReadonlyVec3) => p.x === v.x && p.y === v.y && p.z === v.z;

const crossAt = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): exact.QVec =>
  vcross(vsub(qv(b), qv(a)), vsub(qv(c), qv(b)));

/** Do three points have a triangle between them? Exact. */
function hasArea(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
  const u = { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z };
  const v = { x: c.x - a.x, y: c.y - a.y, z: c.z - a.z };
  const isClear = (l: number, r: number) => Math.abs(l - r) > 1e-14 * (Math.abs(l) + Math.abs(r));
  return (
    isClear(u.y * v.z, u.z * v.y) ||
    isClear(u.z * v.x, u.x * v.z) ||
    isClear(u.x * v.y, u.y * v.x) ||
    !exact.vzero(crossAt(a, b, c))
  );
}

/** Do all corners of a loop turn the way of the first, which is not straight? */
function isConvexLoop(p: readonly ReadonlyVec3[]): boolean {
  if (p.length === 3) return hasArea(p[0]!, p[1]!, p[2]!);
  const corner = (k: number) => crossAt(p[k]!, p[(k + 1) % p.length]!, p[(k + 2) % p.length]!);
  const n = corner(0);
  return p.every((_, k) => sign(vdot(corner(k), n)) > 0);
}

/** Each edge of the loops once in each direction; returns the number of edges. */
function countEdges(faces: readonly (readonly number[])[]): number {
  const seen = new Set<number>();
  const key = (from: number, to: number) => from * 1e6 + to;
  for (const face of faces)
    for (const [k, from] of face.entries()) {
      const edge = key(from, face[(k + 1) % face.length]!);
      check(!seen.has(edge), `edge ${edge} twice`);
      seen.add(edge);
    }
  for (const edge of seen) check(seen.has(key(edge % 1e6, Math.floor(edge / 1e6))), `edge ${edge} is open`);
  return seen.size / 2;
}

/** Fails unless this is the convex hull of the points, by exact arithmetic. */
function checkHull(points: readonly ReadonlyVec3[], hull: Hull): void {
  const { dimension, vertices, faces, triangles } = hull;
  const at = (i: number) => points[i]!;
  check(
    vertices.every((v, k) => k === 0 || v > vertices[k - 1]!),
    'vertices are not ascending',
  );
  if (dimension === 0) {
    check(vertices.length === 1, 'a point has one vertex');
    const { x, y, z } = at(vertices[0]!);
    for (const p of points) check(p.x === x && p.y === y && p.z === z, 'the points do not coincide');
  }
  if (dimension === 1) {
    check(vertices.length === 2, 'a segment has two vertices');
    const [a, b] = vertices.map((i) => qv(at(i))) as [exact.QVec, exact.QVec];
    for (const p of points) {
      const fromA = vsub(qv(p), a);
      check(exact.vzero(vcross(vsub(b, a), fromA)), 'a point off the line');
      check(sign(vdot(fromA, vsub(qv(p), b))) <= 0, 'a point beyond the segment');
    }
  }
  if (dimension < 2) {
    check(faces.length === 0 && triangles.length === 0, 'faces of a segment or a point');
    return;
  }
  check(
    [...new Set(faces.flat())].sort((i, j) => i - j).join() === vertices.join(),
    'vertices and faces differ',
  );
  const edges = countEdges(faces);
  if (dimension === 2) check(faces.length === 2, 'a flat hull has two faces');
  else check(vertices.length + faces.length - edges === 2, 'Euler: V + F - E is not 2');
  for (const face of faces) {
    const p = face.map(at);
    const [a, b, c] = p as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
    check(isConvexLoop(p), 'a face is not convex');
    for (const v of p) check(side(a, b, c, v) === 0, 'a face is not flat');
    for (const v of points) check(side(a, b, c, v) >= 0, 'a point in front of a face');
    if (dimension === 2) for (const v of points) check(side(a, b, c, v) === 0, 'a point off the plane');
    else
      check(
        points.some((v) => side(a, b, c, v) > 0),
        'nothing behind a face',
      );
  }
  check(triangles.length === 3 * faces.reduce((sum, face) => sum + face.length - 2, 0), 'count of triangles');
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.slice(t, t + 3).map(at) as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
    check(hasArea(a, b, c), 'a triangle without area');
    check(
      points.every((v) => side(a, b, c, v) >= 0),
      'a point in front of a triangle',
    );
  }
  if (dimension === 3) {
    const counts = new Map<number, number>();
    for (const i of faces.flat()) counts.set(i, (counts.get(i) ?? 0) + 1);
    for (const count of counts.values()) check(count >= 3, 'a vertex that is not a corner');
    checkNoCoplanarNeighbours(points, faces);
  } else checkFlatContains(points, faces[0]!);
}

function checkNoCoplanarNeighbours(
  points: readonly ReadonlyVec3[],
  faces: readonly (readonly number[])[],
): void {
  for (const f of faces)
    for (const g of faces)
      if (f !== g && f.filter((i) => g.includes(i)).length > 1) {
        const [a, b, c] = f.map((i) => points[i]!) as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
        check(
          g.some((i) => side(a, b, c, points[i]!) !== 0),
          'two faces in one plane',
        );
      }
}

/** For a flat hull: every point lies to the left of every edge of the front. */
function checkFlatContains(points: readonly ReadonlyVec3[], face: readonly number[]): void {
  const p = face.map((i) => points[i]!);
  const n = crossAt(p[0]!, p[1]!, p[2]!);
  for (let k = 0; k < p.length; k++) {
    const a = qv(p[k]!);
    const edge = vsub(qv(p[(k + 1) % p.length]!), a);
    for (const v of points)
      check(sign(vdot(vcross(edge, vsub(qv(v), a)), n)) >= 0, 'a point outside a flat hull');
  }
}

/** Small clouds of every kind: many coplanar, collinear and coincident points, thin, far, and at 1e±6. */
function solid(rng: Rng): Vec3[] {
  const { points } = cloud(rng, rng.int(1, 14));
  const kind = rng.int(0, 9);
  const [a, b] = [points[0]!, points.at(-1)!];
  for (const p of points) {
    if (kind === 0) p.z = a.z;
    if (kind === 1) p.z = p.x + p.y; // one oblique plane, up to rounding
    if (kind === 2) p.y = p.z = p.x; // a line
    if (kind === 3) p.x = rng.pick([a.x, b.x]); // two planes
    if (kind === 4) {
      const s = rng.int(0, 4);
      p.x = a.x + s * (b.x - a.x); // nearly a line
      p.y = a.y + s * (b.y - a.y);
      p.z = a.z + s * (b.z - a.z);
    }
  }
  if (kind === 5) points.push(...points.map((p) => ({ ...p })));
  if (kind === 6) return points.map(() => rng.direction());
  if (kind === 7) {
    const p = () => rng.int(0, 2);
    return points.flatMap(() => [
      { x: p(), y: p(), z: p() },
      { x: p(), y: p(), z: p() },
    ]);
  }
  return points;
}

property(
  '[R3.9.2] no point lies in front of a face, no face is flipped, and Euler holds: exactly',
  10_000,
  (rng) => {
    const points = solid(rng);
    checkHull(points, convexHull3(points));
  },
);

property('[R3.9.2] the order of the points changes nothing but the indices', 2_000, (rng) => {
  const points = solid(rng);
  const shuffled = rng.shuffle([...points]);
  const corners = (list: Vec3[]) =>
    convexHull3(list)
      .vertices.map((i) => `${list[i]!.x} ${list[i]!.y} ${list[i]!.z}`)
      .sort()
      .join();
  check(corners(points) === corners(shuffled), 'other corners');
});

test('[R3.9.2] a lattice has eight corners and six faces', () => {
  const points: Vec3[] = [];
  for (let i = 0; i < 1000; i++)
    points.push({ x: i % 10, y: Math.floor(i / 10) % 10, z: Math.floor(i / 100) });
  const hull = convexHull3(points);
  expect(hull.vertices).toEqual([0, 9, 90, 99, 900, 909, 990, 999]);
  expect(hull.faces.map((face) => face.length)).toEqual([4, 4, 4, 4, 4, 4]);
  expect(hull.triangles.length).toBe(36);
  checkHull(points, hull);
});

test('flat, straight and single clouds have a hull of lower dimension', () => {
  const square = [0, 1, 2, 3, 4].map((i) => ({ x: i & 1, y: i & 2, z: 7 }));
  expect(convexHull3(square)).toEqual({
    dimension: 2,
    vertices: [0, 1, 2, 3],
    faces: [
      [0, 1, 3, 2],
      [2, 3, 1, 0],
    ],
    triangles: [0, 1, 3, 0, 3, 2, 2, 3, 1, 2, 1, 0],
  });
  const line = [3, 1, 2, 5].map((s) => ({ x: s, y: -s, z: 2 * s }));
  expect(convexHull3(line)).toEqual({ dimension: 1, vertices: [1, 3], faces: [], triangles: [] });
  expect(convexHull3([line[0]!, line[0]!])).toEqual({
    dimension: 0,
    vertices: [0],
    faces: [],
    triangles: [],
  });
});

test('at the ends of the range of doubles', () => {
  for (const s of [1e300, 1e-300]) {
    const points = [0, 1, 2, 4, 7].map((i) => ({ x: i & 1 ? s : 0, y: i & 2 ? s : 0, z: i & 4 ? s : 0 }));
    expect(convexHull3([...points, { x: s / 4, y: s / 4, z: s / 4 }]).vertices).toEqual([0, 1, 2, 3, 4]);
    for (const { normal, d } of polyhedron(points).planes)
      expect([Math.hypot(normal.x, normal.y, normal.z), d * 0]).toEqual([expect.closeTo(1, 12), 0]);
  }
});

/** For hulls too large to look at every point from every face: locally convex, closed and sphere-like is convex. */
function checkLocally(points: readonly ReadonlyVec3[], hull: Hull): void {
  const edges = countEdges(hull.faces);
  check(hull.vertices.length + hull.faces.length - edges === 2, 'Euler');
  const owner = new Map<number, readonly number[]>();
  for (const face of hull.faces)
    for (const [k, from] of face.entries()) owner.set(from * 1e6 + face[(k + 1) % face.length]!, face);
  for (const face of hull.faces)
    for (const [k, from] of face.entries()) {
      const [a, b, c] = face.map((i) => points[i]!) as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
      for (const i of owner.get(face[(k + 1) % face.length]! * 1e6 + from)!)
        check(face.includes(i) || side(a, b, c, points[i]!) > 0, 'an edge that is not convex');
    }
}

test('[R3.9.2] thirty thousand points: on a sphere, in a cube, on a lattice', () => {
  const rng = new Rng(5);
  const many = (make: () => Vec3) => Array.from({ length: 30_000 }, make);
  const sphere = many(() => rng.direction());
  const round = convexHull3(sphere);
  // Rounding leaves hardly any of the points inside the hull of the others.
  expect(round.vertices.length).toBeGreaterThan(29_990);
  checkLocally(sphere, round);
  for (const points of [
    many(() => rng.vec()),
    many(() => ({ x: rng.int(0, 30), y: rng.int(0, 30), z: rng.int(0, 30) })),
  ]) {
    const hull = convexHull3(points);
    checkLocally(points, hull);
    for (const face of hull.faces) {
      const [a, b, c] = face.map((i) => points[i]!) as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
      for (let i = 0; i < points.length; i += hull.faces.length > 20 ? 97 : 1)
        check(side(a, b, c, points[i]!) >= 0, 'a point in front of a face');
    }
  }
});

const file = new URL('../../../shared/data/meshes/convex_hulls.bin', import.meta.url);
const present = existsSync(file);
if (!present) console.log('convex-hull3.test.ts: skipped the clouds of ../shared/data, which is not there');

test.skipIf(!present)(
  '[R3.9.2] a third of 6,755 clouds from a game: exact hulls, and planes good to a few ulps',
  () => {
    const bytes = readFileSync(file);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let clouds = 0;
    let worst = 0;
    for (let offset = 0; offset < view.byteLength; clouds++) {
      const count = view.getUint32(offset, true);
      const points = Array.from({ length: count }, (_, i) => ({
        x: view.getFloat32(offset + 4 + 12 * i, true),
        y: view.getFloat32(offset + 8 + 12 * i, true),
        z: view.getFloat32(offset + 12 + 12 * i, true),
      }));
      offset += 4 + 12 * count;
      if (clouds % 3 !== 0) continue;
      const hull = convexHull3(points);
      checkHull(points, hull);
      if (hull.dimension === 3) worst = Math.max(worst, planeError(polyhedronFromHull(points, hull)));
    }
    expect(clouds).toBe(6755);
    expect(worst).toBeLessThan(1e-15);
  },
);

/** How far a vertex lies in front of a plane, or off the plane of its face, in units of the largest coordinate. */
function planeError({ vertices, faces, planes }: ReturnType<typeof polyhedron>): number {
  let worst = 0;
  let scale = 0;
  for (const v of vertices) scale = Math.max(scale, Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
  for (const [f, { normal, d }] of planes.entries())
    for (const [i, v] of vertices.entries()) {
      const height = normal.x * v.x + normal.y * v.y + normal.z * v.z - d;
      worst = Math.max(worst, faces[f]!.includes(i) ? Math.abs(height) : height);
    }
  return worst / scale;
}

test('refuses what is not a list of points', () => {
  expect(() => convexHull3([])).toThrow(/points must hold at least one point/);
  expect(() => convexHull3([{ x: 0, y: 0, z: Number.NaN }])).toThrow(/points\[0\]\.z/);
});
