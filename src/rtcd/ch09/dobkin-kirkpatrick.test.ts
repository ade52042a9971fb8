import { expect, test } from 'vitest';
import { check, cloud, near, property, Rng } from '../../../tests/kit/index.ts';
import { icosphere } from '../../../tests/kit/meshes.ts';
import { orient3d } from '../../math/predicates.ts';
import type { Vec3 } from '../../math/types.ts';
import { closestPointTriangle } from '../../primitives/index.ts';
import {
  closestPointNestedHulls,
  containsNestedHullsPoint,
  type NestedHulls,
  nestedHulls,
  overlapNestedHulls,
  supportIndexNestedHulls,
} from './dobkin-kirkpatrick.ts';
import { hullDistance } from './hull-distance.ts';

const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const onSphere = (rng: Rng, n: number): Vec3[] => Array.from({ length: n }, () => rng.direction());

/** The triangles of hull `level`, by the links alone. */
function trianglesOf(h: NestedHulls, level: number): number[] {
  const count = h.triangles.length / 3;
  const ends = new Map<number, number>();
  for (let w = 0; w < h.vertices.length; w++)
    for (let i = h.firstStar[w]!; i < h.firstStar[w + 1]!; i++) ends.set(h.star[i]!, h.lastLevel[w]!);
  return Array.from({ length: count }, (_, t) => t).filter((t) => {
    const begins = h.above[t]! < 0 ? 0 : h.lastLevel[h.above[t]!]! + 1;
    return begins <= level && level <= (ends.get(t) ?? h.levels - 1);
  });
}

/** Each hull is a closed convex surface of its own vertices, inside the one before; what was removed is independent. */
function judge(h: NestedHulls, exhaustive: boolean): void {
  let before: Set<string> | null = null;
  for (let level = 0; level < h.levels; level++) {
    const own = trianglesOf(h, level);
    const corners = own.map((t) => [...h.triangles.slice(3 * t, 3 * t + 3)] as [number, number, number]);
    const edges = new Set(corners.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
    check(edges.size === 3 * own.length, 'an edge is used twice in one direction');
    for (const e of edges) check(edges.has(e.split(' ').reverse().join(' ')), 'a surface with a rim');
    const used = new Set(corners.flat());
    for (let w = 0; w < h.vertices.length; w++)
      check(used.has(w) === h.lastLevel[w]! >= level, 'a hull has other vertices than it should');
    check(own.length === 2 * used.size - 4, 'not a sphere');
    // Convex: all vertices behind all triangles. Locally is enough to see a dent, globally to see all.
    for (const [a, b, c] of corners)
      for (const w of exhaustive ? used : [corners[0]![0], corners[own.length >> 1]![1]])
        check(
          w === a ||
            w === b ||
            w === c ||
            orient3d(h.vertices[a]!, h.vertices[b]!, h.vertices[c]!, h.vertices[w]!) >= 0,
          'not convex',
        );
    if (level > 0)
      check(
        [...used].every((w) => before!.has(String(w))),
        'not nested',
      );
    before = new Set([...used].map(String));
    if (level === h.levels - 1) continue;
    // No two vertices that go are neighbours, and none had more than eight.
    for (const [a, b] of corners.flatMap(
      ([a, b, c]) =>
        [
          [a, b],
          [b, c],
          [c, a],
        ] as const,
    ))
      check(!(h.lastLevel[a] === level && h.lastLevel[b] === level), 'neighbours were removed together');
    for (const w of used) {
      const degree = h.firstStar[w + 1]! - h.firstStar[w]!;
      if (h.lastLevel[w] !== level) continue;
      check(degree >= 3 && degree <= 8, `removed a vertex with ${degree} neighbours`);
      check(h.firstCap[w + 1]! - h.firstCap[w]! === degree - 2, 'the hole is closed by two triangles less');
      for (let i = h.firstCap[w]!; i < h.firstCap[w + 1]!; i++)
        check(h.above[h.cap[i]!] === w, 'the links do not lead back');
    }
  }
}

/** Solids full of flat faces, and others. */
function someBody(rng: Rng): Vec3[] {
  const n = rng.pick([4, 5, 6, 8, 15, 40, 150]);
  const way = rng.int(0, 5);
  if (way === 0) return onSphere(rng, n);
  if (way === 1) {
    // A pyramid, a prism or a bipyramid over a polygon whose corners lie exactly in a plane.
    const ring: Vec3[] = [];
    for (let i = 0; i < n; i++) ring.push(v(i - n / 2, (i - n / 2) ** 2, 0));
    return rng.pick([
      [...ring, v(0, 1, 5)],
      [...ring, v(0, 1, 5), v(0.5, 1, -5)],
      [...ring, ...ring.map((p) => ({ ...p, z: 3 }))],
    ]);
  }
  if (way === 2) return Array.from({ length: n }, () => v(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)));
  return cloud(rng, n).points;
}

property('[R9.3.1a] nested convex surfaces with links both ways', 300, (rng) => {
  const h = nestedHulls(someBody(rng));
  if (h.dimension < 3) {
    check(h.levels === 1 && h.innerVertices.length === h.vertices.length, 'a flat hull is alone');
    return;
  }
  check(h.innerVertices.length === 4 && h.innerTriangles.length === 4, 'the innermost is a tetrahedron');
  judge(h, h.vertices.length < 50);
});

test('[R9.3.1a] size O(n) and O(log n) levels up to 10,000 vertices; flat-sided hulls finish', () => {
  const rng = new Rng(7);
  const bodies: Vec3[][] = [100, 1_000, 10_000].map((n) => onSphere(rng, n));
  // A prism over a circle of 2,000 corners: two faces with all of them, and a fan in each.
  const circle = Array.from({ length: 2_000 }, (_, i) => i - 1_000);
  bodies.push(circle.flatMap((i) => [v(i, i * i, 0), v(i, i * i, 1e5)]));
  // A tip over as many: a vertex with 2,000 neighbours.
  bodies.push([...circle.map((i) => v(i, i * i, 0)), v(0, 10, 1e5)]);
  for (const points of bodies) {
    const h = nestedHulls(points);
    expect(h.vertices.length).toBe(points.length);
    expect(h.innerVertices.length).toBe(4);
    // Measured on the spheres: 2 levels for every doubling of n, and 2.5 times the triangles of the first hull.
    expect(h.levels).toBeLessThan(2.5 * Math.log2(points.length));
    expect(h.triangles.length / 3).toBeLessThan(3 * (2 * points.length - 4));
    judge(h, false);
  }
});

test('[R9.3.1a] octahedron, bipyramid and cube: removal stops before anything gets flat', () => {
  const octahedron = [v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)];
  const bipyramid = [v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0.2, 0.2, 1), v(0.2, 0.2, -1)];
  const cube = Array.from({ length: 8 }, (_, i) => v(i & 1, (i >> 1) & 1, i >> 2));
  for (const points of [octahedron, bipyramid, cube]) judge(nestedHulls(points), true);
  expect(() => nestedHulls([])).toThrow('points');
  expect(nestedHulls([v(1, 2, 3), v(1, 2, 3)])).toMatchObject({ dimension: 0, levels: 1 });
});

const best = (points: readonly Vec3[], d: Vec3): number => Math.max(...points.map((p) => dot(p, d))) + 0;

property(
  '[R9.3.1b] the extreme vertex = a scan of all, along face normals, axes and anything',
  300,
  (rng) => {
    const points = someBody(rng);
    const h = nestedHulls(points);
    const size = Math.max(...points.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
    for (let k = 0; k < 350; k++) {
      let d = k % 3 === 0 ? v(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)) : rng.direction();
      if (k % 3 === 1 && h.triangles.length > 0) {
        // The normal of a triangle of some hull, exactly if the coordinates are small integers.
        const t = rng.int(0, h.triangles.length / 3 - 1);
        const [a, b, c] = [...h.triangles.slice(3 * t, 3 * t + 3)].map((i) => h.vertices[i]!) as [
          Vec3,
          Vec3,
          Vec3,
        ];
        const [ux, uy, uz] = [b.x - a.x, b.y - a.y, b.z - a.z];
        const [wx, wy, wz] = [c.x - a.x, c.y - a.y, c.z - a.z];
        d = v(uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx);
      }
      const found = points[supportIndexNestedHulls(h, d)]!;
      const length = Math.abs(d.x) + Math.abs(d.y) + Math.abs(d.z);
      // The scan rounds; the search does not.
      near(dot(found, d), best(points, d), 1e-15 * size * length, 'height');
    }
  },
);

test('[R9.3.1b] along the exact face normals of integer solids nothing is lost to rounding', () => {
  const rng = new Rng(3);
  for (let k = 0; k < 100; k++) {
    const points = Array.from({ length: 40 }, () => v(rng.int(-9, 9), rng.int(-9, 9), rng.int(-9, 9)));
    const h = nestedHulls(points);
    for (let x = -2; x <= 2; x++)
      for (let y = -2; y <= 2; y++)
        for (let z = -2; z <= 2; z++)
          expect(dot(points[supportIndexNestedHulls(h, v(x, y, z))]!, v(x, y, z)) + 0).toBe(
            best(points, v(x, y, z)),
          );
  }
});

/** The least distance to any triangle of hull 0; is the point behind all of them? */
function scan(h: NestedHulls, p: Vec3): { distance: number; inside: boolean } {
  let least = Infinity;
  let inside = h.dimension === 3;
  for (let t = 0; t < h.triangles.length / 3; t++) {
    if (h.above[t]! >= 0) continue;
    const [a, b, c] = [...h.triangles.slice(3 * t, 3 * t + 3)].map((i) => h.vertices[i]!) as [
      Vec3,
      Vec3,
      Vec3,
    ];
    if (inside && orient3d(a, b, c, p) < 0) inside = false;
    const r = closestPointTriangle(p, a, b, c);
    least = Math.min(least, Math.hypot(r.x - p.x, r.y - p.y, r.z - p.z));
  }
  return { distance: inside ? 0 : least, inside };
}

property('[R9.3.1b] the closest point = a scan of all triangles; a point inside is its own', 300, (rng) => {
  const points = someBody(rng);
  const h = nestedHulls(points);
  const size = Math.max(...points.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
  const [low, high] = [Math.min, Math.max].map((f) =>
    v(f(...points.map((p) => p.x)), f(...points.map((p) => p.y)), f(...points.map((p) => p.z))),
  ) as [Vec3, Vec3];
  const reach = Math.max(high.x - low.x, high.y - low.y, high.z - low.z);
  for (let k = 0; k < 60; k++) {
    let p = v(rng.range(low.x, high.x), rng.range(low.y, high.y), rng.range(low.z, high.z));
    const way = rng.int(0, 5);
    if (way === 0) p = { ...rng.pick(points) };
    else if (way === 1) {
      // On a line between two points, or a hair off: on a face, on an edge, just outside, just inside.
      const [a, b] = [rng.pick(points), rng.pick(points)];
      p = v((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
      if (rng.chance(0.5)) p.x += reach * rng.pick([1e-16, -1e-15, 1e-9, -1e-6]);
    } else if (way < 4) {
      const d = rng.direction();
      const far = reach * rng.pick([0.5, 1, 3, 1e3]);
      p = v(p.x + far * d.x, p.y + far * d.y, p.z + far * d.z);
    }
    const found = closestPointNestedHulls(p, h);
    const distance = Math.hypot(found.x - p.x, found.y - p.y, found.z - p.z);
    const wanted = scan(h, p);
    const scale = size + Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z);
    near(distance, wanted.distance, 1e-14 * scale, 'distance');
    if (h.dimension === 3) {
      check(containsNestedHullsPoint(h, p) === wanted.inside, 'inside');
      if (wanted.inside) check(distance === 0, 'a point inside is its own closest point');
    } else
      check(containsNestedHullsPoint(h, p) === (hullDistance(points, [p]).distance === 0), 'in a flat hull');
  }
});

property('[R9.3.1b] pairs overlap exactly when the distance of their hulls is 0', 1_000, (rng) => {
  const a = someBody(rng).slice(0, 60);
  const b = rng.chance(0.1) ? a : someBody(rng).slice(0, 60);
  const axis = rng.pick(['x', 'y', 'z'] as const);
  const high = Math.max(...a.map((p) => p[axis]));
  const low = Math.min(...b.map((p) => p[axis]));
  const shift = high - low + rng.pick([0, 0, -0.1, -1, 1e-12, 0.5]);
  const moved = rng.chance(0.7) ? b.map((p) => ({ ...p, [axis]: p[axis] + shift })) : b;
  const overlap = overlapNestedHulls(nestedHulls(a), nestedHulls(moved));
  check(overlap === (hullDistance(a, moved).distance === 0), 'overlap');
});

test('[R9.3.1b] searches look at O(log n) vertices and triangles, pairs at O(log² n)', () => {
  const rng = new Rng(11);
  for (const n of [100, 500, 3_000]) {
    const a = nestedHulls(onSphere(rng, n));
    const log = Math.log2(n);
    const runs = 300;
    const { visited } = a;
    for (let k = 0; k < runs; k++) supportIndexNestedHulls(a, rng.direction());
    // Measured: 3 to 3.5 times; below, 7 to 9 and 12 to 15.
    expect(visited.vertices / runs).toBeLessThan(4.5 * log);

    visited.vertices = 0;
    visited.triangles = 0;
    for (let k = 0; k < runs; k++) closestPointNestedHulls(rng.vec(2), a);
    expect(visited.vertices / runs).toBeLessThan(12 * log);
    expect(visited.triangles / runs).toBeLessThan(20 * log);

    visited.vertices = 0;
    let hits = 0;
    const pairs = 8;
    for (let k = 0; k < pairs; k++) {
      const s = 0.9 + 0.06 * k;
      const b = nestedHulls(onSphere(rng, n).map((p) => v(p.x + s, p.y + s, p.z + s)));
      hits += +overlapNestedHulls(a, b);
      visited.vertices += b.visited.vertices;
    }
    expect(hits).toBeGreaterThan(1);
    expect(hits).toBeLessThan(pairs - 1);
    // Measured: 2.4 to 4.3 times.
    expect(visited.vertices / pairs).toBeLessThan(6 * log * log);
  }
});

test('[R9.3.1b] of sizes 1e-120 to 1e72', () => {
  const rng = new Rng(2);
  const points = onSphere(rng, 60);
  const h = nestedHulls(points);
  for (const power of [-400, -200, 120, 240]) {
    const s = 2 ** power;
    const scaled = (p: Vec3): Vec3 => v(p.x * s, p.y * s, p.z * s);
    const far = nestedHulls(points.map(scaled));
    for (let k = 0; k < 50; k++) {
      const p = rng.vec(2);
      const [wanted, found] = [closestPointNestedHulls(p, h), closestPointNestedHulls(scaled(p), far)];
      for (const axis of ['x', 'y', 'z'] as const) expect(found[axis] / s).toBeCloseTo(wanted[axis], 13);
      expect(supportIndexNestedHulls(far, scaled(p))).toBe(supportIndexNestedHulls(h, p));
    }
  }
});

test('[R9.3.1b] an icosphere: symmetric, all ties', () => {
  const { positions } = icosphere(3);
  const points = Array.from({ length: positions.length / 3 }, (_, i) =>
    v(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!),
  );
  const h = nestedHulls(points);
  judge(h, true);
  for (const p of points)
    expect(best(points, p)).toBeCloseTo(dot(points[supportIndexNestedHulls(h, p)]!, p), 14);
});

test('[R9.3.1b] bad numbers are refused', () => {
  const h = nestedHulls([v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)]);
  expect(() => supportIndexNestedHulls(h, v(Number.NaN, 0, 0))).toThrow('direction.x');
  expect(() => closestPointNestedHulls(v(0, Infinity, 0), h)).toThrow('p.y');
  expect(() => containsNestedHullsPoint(h, v(0, 0, Number.NaN))).toThrow('p.z');
  expect(supportIndexNestedHulls(h, v(0, 0, 0))).toBeLessThan(4);
});
