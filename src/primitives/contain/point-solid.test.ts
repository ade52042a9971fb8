import { describe, expect, test } from 'vitest';
import { integers } from '../../../tests/kit/clip.ts';
import { check, cloud, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import { boxPolyhedron, polyhedron } from '../../polytope/polyhedron.ts';
import { containsPointHull } from './point-hull.ts';
import { containsPointPolyhedron, containsPointTriangles } from './point-polyhedron.ts';

type Z = readonly bigint[];
const minus = (a: Z, b: Z): Z => a.map((x, i) => x - b[i]!);
const det = (a: Z, b: Z, c: Z): bigint =>
  a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
  a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
  a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);

/** Behind or on every face of the hull, exactly: its triangles come counter-clockwise from outside. */
function behindAll(p: Vec3, points: Vec3[], triangles: readonly number[]): boolean {
  const all = integers(p, ...points);
  const q = all[0]!;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => all[1 + triangles[i + k]!]!) as unknown as [Z, Z, Z];
    if (det(minus(b, a), minus(c, a), minus(q, a)) > 0n) return false;
  }
  return true;
}

/** Solid or flat sets of points, and a query point on corners, edges, planes of faces, inside or outside. */
function draw(rng: Rng): { points: Vec3[]; p: Vec3; scale: number } {
  const { points, scale, size } = cloud(rng, rng.int(1, 9));
  const flat = rng.unit();
  if (flat < 0.15) for (const q of points) q.z = points[0]!.z;
  else if (flat < 0.25)
    points.forEach((q, i) => void m.lerp(points[0]!, points.at(-1)!, i / points.length, q));
  const [a, b, c] = [rng.pick(points), rng.pick(points), rng.pick(points)];
  const t = rng.pick([0, 0.25, 0.5, 1, 1.5]);
  const p = rng.pick([
    () => vec3(a.x, a.y, a.z),
    () => m.lerp(a, b, t),
    () => m.lerp(m.lerp(a, b, 0.5), c, t),
    () => m.lerp(a, b, rng.range(-0.2, 1.2)),
    () =>
      m.scale(
        points.reduce((s, q) => m.add(s, q), vec3()),
        1 / points.length,
      ),
    () => m.add(a, rng.vec(size)),
  ])();
  return { points, p, scale };
}

describe('containsPointHull', () => {
  let hits = 0;
  let cases = 0;
  property('[R5.4.3] vertices alone: equals the exact faces of the hull', 10_000, (rng) => {
    const { points, p } = draw(rng);
    const { dimension, triangles } = convexHull3(points);
    const found = containsPointHull(p, points);
    if (dimension === 3) {
      const wanted = behindAll(p, points, triangles);
      check(found === wanted, () => `${wanted}: ${JSON.stringify([p, points])}`);
      cases++;
      if (wanted) hits++;
    } else {
      // Flat: of the hull together with a point off its plane the same points of the plane are part.
      const wider = [...points, ...tips(points)];
      const hull = convexHull3(wider);
      const isIn =
        hull.dimension === 3 &&
        behindAll(p, wider, hull.triangles) &&
        convexHull3([...points, p]).dimension === dimension;
      check(found === isIn, () => `flat, ${isIn}: ${JSON.stringify([p, points])}`);
    }
  });

  /** Points that make a flat set solid without adding anything to it: along the axes it lacks. */
  function tips(points: Vec3[]): Vec3[] {
    const more: Vec3[] = [];
    const at = points[0]!;
    const step = 1 + m.length(at);
    for (const axis of [vec3(1, 0.25, 0), vec3(0, 1, 0.25), vec3(0.25, 0, 1)]) {
      const before = convexHull3([...points, ...more]).dimension;
      const tip = m.addScaled(at, axis, step);
      if (convexHull3([...points, ...more, tip]).dimension > before) more.push(tip);
    }
    return more;
  }

  test('[R5.4.3] the random points are of both kinds', () => {
    expect(hits / cases).toBeGreaterThan(0.2);
    expect(hits / cases).toBeLessThan(0.9);
  });

  property('[R5.4.3] many points on a sphere', 200, (rng) => {
    const points = Array.from({ length: 300 }, () => rng.direction());
    const p = m.scale(rng.direction(), rng.pick([0.5, 0.9, 1.001]));
    const { triangles } = convexHull3(points);
    check(containsPointHull(p, points) === behindAll(p, points, triangles), () => JSON.stringify(p));
  });

  test('[R5.4.3] bad input is refused by name', () => {
    expect(() => containsPointHull(vec3(), [])).toThrow(/points/);
    expect(() => containsPointHull(vec3(Number.NaN), [vec3()])).toThrow(/p\.x/);
    expect(() => containsPointHull(vec3(), [vec3(), vec3(0, Infinity)])).toThrow(/points\[1\]\.y/);
  });
});

describe('containsPointPolyhedron', () => {
  property(
    '[R5.4.3] halfspaces: never refuses a point of the solid, nor takes one beyond rounding',
    10_000,
    (rng) => {
      const { points, p, scale } = draw(rng);
      const hull = convexHull3(points);
      if (hull.dimension < 3) return;
      const solid = polyhedron(points);
      const found = containsPointPolyhedron(p, solid);
      const wanted = behindAll(p, points, hull.triangles);
      if (wanted) check(found, () => `missed: ${JSON.stringify([p, points])}`);
      else if (found) {
        const beyond = Math.max(...solid.planes.map(({ normal, d }) => m.dot(normal, p) - d));
        check(
          beyond <= 4e-15 * (scale + m.length(p)),
          () => `ghost by ${beyond}: ${JSON.stringify([p, points])}`,
        );
      }
    },
  );

  test('[R5.4.3] a cube with its faces, edges and corners', () => {
    const cube = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
    for (const p of [vec3(), vec3(1, 0, 0), vec3(1, 1, 0), vec3(1, 1, 1)])
      expect(containsPointPolyhedron(p, cube)).toBe(true);
    for (const p of [vec3(1.0001, 0, 0), vec3(0, -1 - 1e-14, 0)])
      expect(containsPointPolyhedron(p, cube)).toBe(false);
    expect(() => containsPointPolyhedron(vec3(0, Number.NaN, 0), cube)).toThrow(/p\.y/);
    expect(() => containsPointPolyhedron(vec3(), { ...cube, planes: [] })).toThrow(/polyhedron/);
  });
});

describe('containsPointTriangles', () => {
  property('[R5.4.3] parity: equals the exact faces of convex meshes, in any winding', 10_000, (rng) => {
    const { points, p } = draw(rng);
    const { dimension, triangles } = convexHull3(points);
    if (dimension < 3) return;
    const indices = [...triangles];
    for (let i = 0; i < indices.length; i += 3)
      if (rng.chance(0.5)) [indices[i], indices[i + 1]] = [indices[i + 1]!, indices[i]!];
    const wanted = behindAll(p, points, triangles);
    check(
      containsPointTriangles(p, points, indices) === wanted,
      () => `${wanted}: ${JSON.stringify([p, points])}`,
    );
  });

  /** The surface of unit cells of a grid: concave, with holes, edges shared by four faces, all rays through lattice points. */
  function cells(rng: Rng): { filled: boolean[]; vertices: Vec3[]; indices: number[] } {
    const filled = Array.from({ length: 27 }, () => rng.chance(0.5));
    const at = (x: number, y: number, z: number) =>
      x >= 0 && y >= 0 && z >= 0 && x < 3 && y < 3 && z < 3 && filled[x + 3 * y + 9 * z]!;
    const vertices: Vec3[] = [];
    for (let i = 0; i < 64; i++) vertices.push(vec3(i % 4, Math.floor(i / 4) % 4, Math.floor(i / 16)));
    const indices: number[] = [];
    const index = (p: number[]) => p[0]! + 4 * p[1]! + 16 * p[2]!;
    for (let axis = 0; axis < 3; axis++)
      for (let i = 0; i < 4; i++)
        for (let j = 0; j < 3; j++)
          for (let k = 0; k < 3; k++) {
            const cell = [0, 0, 0];
            cell[axis] = i;
            cell[(axis + 1) % 3] = j;
            cell[(axis + 2) % 3] = k;
            const before = [...cell];
            before[axis]!--;
            if (at(cell[0]!, cell[1]!, cell[2]!) === at(before[0]!, before[1]!, before[2]!)) continue;
            const corner = (u: number, v: number) => {
              const q = [...cell];
              q[(axis + 1) % 3]! += u;
              q[(axis + 2) % 3]! += v;
              return index(q);
            };
            indices.push(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 0), corner(1, 1), corner(0, 1));
          }
    return { filled, vertices, indices };
  }

  property(
    '[R5.4.3] parity: equals the cells of a grid, rays through every edge and vertex',
    10_000,
    (rng) => {
      const { filled, vertices, indices } = cells(rng);
      if (indices.length === 0) return;
      const half = () => rng.int(-1, 7) / 2;
      const p = rng.chance(0.7)
        ? vec3(half(), half(), half())
        : vec3(rng.range(-0.5, 3.5), half(), rng.range(-0.5, 3.5));
      // The cells that p touches: on a boundary it is in if they differ, for then a face of the surface is there …
      const around = (c: number) => (Number.isInteger(c) ? [c - 1, c] : [Math.floor(c)]);
      const touched = around(p.x).flatMap((x) =>
        around(p.y).flatMap((y) =>
          around(p.z).map(
            (z) => x >= 0 && y >= 0 && z >= 0 && x < 3 && y < 3 && z < 3 && filled[x + 3 * y + 9 * z]!,
          ),
        ),
      );
      const wanted = touched.some((f) => f);
      check(
        containsPointTriangles(p, vertices, indices) === wanted,
        () => `${wanted}: ${JSON.stringify([p, filled])}`,
      );
    },
  );

  test('[R5.4.3] the centre of a cube, with rays through a vertex', () => {
    // A cube on its tip: straight above its centre there is a vertex.
    const q = { x: 0, y: 0, z: 0, w: 1 };
    const { vertices, faces } = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
    const tilted = vertices
      .map(({ x, y, z }) => vec3(x - y, x + y - 2 * z, x + y + z))
      .map((v) => m.rotate(v, q));
    const indices = faces.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
    expect(tilted.some((v) => v.x === 0 && v.y === 0 && v.z === 3)).toBe(true);
    expect(containsPointTriangles(vec3(), tilted, indices)).toBe(true);
    expect(containsPointTriangles(vec3(0, 0, 3), tilted, indices)).toBe(true);
    expect(containsPointTriangles(vec3(0, 0, -2.999), tilted, indices)).toBe(true);
    expect(containsPointTriangles(vec3(0, 0, -3.001), tilted, indices)).toBe(false);
    expect(containsPointTriangles(vec3(0, 0, 3.001), tilted, Uint16Array.from(indices))).toBe(false);
  });

  test('[R5.4.3] bad input is refused by name', () => {
    const vertices = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)];
    expect(() => containsPointTriangles(vec3(), vertices, [0, 1, 3])).toThrow(/indices\[2\]/);
    expect(() => containsPointTriangles(vec3(), vertices, [0, 1])).toThrow(/indices/);
    expect(() => containsPointTriangles(vec3(), [], [])).toThrow(/indices/);
    expect(() => containsPointTriangles(vec3(), [vec3(Number.NaN), ...vertices], [0, 1, 2])).toThrow(
      /vertices\[0\]\.x/,
    );
  });
});
