import { describe, expect, test } from 'vitest';
import {
  boxHalfspaces,
  type Halfspace,
  integers,
  survives,
  triangleHalfspaces,
} from '../../tests/kit/clip.ts';
import { between, nudge } from '../../tests/kit/degenerate-points.ts';
import { exactPointTriangle, exactSegmentTriangle } from '../../tests/kit/exact-distance.ts';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import {
  boxMesh,
  cornersOf,
  icosphere,
  inverted,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  together,
  torus,
} from '../../tests/kit/meshes.ts';
import type { Mat3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { boxPolyhedron, polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { Polyhedron } from '../polytope/types.ts';
import type { Aabb, Capsule, Obb, Sphere } from '../primitives/types.ts';
import { type Mesh, mesh } from './mesh.ts';
import {
  overlapAabbMesh,
  overlapCapsuleMesh,
  overlapObbMesh,
  overlapPolyhedronMesh,
  overlapSphereMesh,
  overlapTriangleMesh,
  trianglesAabbMesh,
  trianglesCapsuleMesh,
  trianglesObbMesh,
  trianglesPolyhedronMesh,
  trianglesSphereMesh,
  trianglesTriangleMesh,
} from './overlap.ts';
import {
  OverlapAabb,
  OverlapCapsule,
  OverlapObb,
  OverlapPolyhedron,
  type OverlapShape,
  OverlapSphere,
  OverlapTriangle,
} from './overlap-shapes.ts';

type Triangle = [Vec3, Vec3, Vec3];

/** A shape of every kind, about as large as `size`, with a point of it near `at`. */
interface Shapes {
  sphere: Sphere;
  box: Aabb;
  obb: Obb;
  capsule: Capsule;
  triangle: Triangle;
  polyhedron: Polyhedron;
}

const around = (rng: Rng, p: Vec3, size: number): Vec3 => nudge(rng, p, size);
const sum = (p: Vec3, d: Vec3, s = 1): Vec3 => vec3(p.x + s * d.x, p.y + s * d.y, p.z + s * d.z);

function rotation(rng: Rng): Mat3 {
  const { x, y, z, w } = rng.rotation();
  const m = mat3();
  m.elements = [
    1 - 2 * (y * y + z * z),
    2 * (x * y + w * z),
    2 * (x * z - w * y),
    2 * (x * y - w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z + w * x),
    2 * (x * z + w * y),
    2 * (y * z - w * x),
    1 - 2 * (x * x + y * y),
  ];
  return m;
}

function hullOf(points: Vec3[]): Polyhedron {
  const hull = convexHull3(points);
  return hull.dimension < 3 ? boxPolyhedron(points[0]!, points[0]!) : polyhedronFromHull(points, hull);
}

function shapesAt(rng: Rng, at: Vec3, size: number): Shapes {
  const q = around(rng, at, size);
  const flat = rng.chance(0.1) ? 0 : 1;
  const h = size * flat * rng.unit();
  return {
    sphere: { center: at, radius: rng.chance(0.1) ? 0 : size * rng.unit() },
    box: {
      min: vec3(Math.min(at.x, q.x), Math.min(at.y, q.y), Math.min(at.z, q.z)),
      max: vec3(Math.max(at.x, q.x), Math.max(at.y, q.y), Math.max(at.z, q.z)),
    },
    obb: { center: at, halfSize: vec3(size * rng.unit(), h, size * rng.unit()), rotation: rotation(rng) },
    capsule: { a: at, b: rng.chance(0.1) ? at : q, radius: size * flat * 0.5 * rng.unit() },
    triangle: [at, q, rng.chance(0.1) ? between(rng, at, q) : around(rng, at, size)],
    polyhedron: hullOf(Array.from({ length: rng.int(4, 12) }, () => around(rng, at, size))),
  };
}

/** By each shape, the triangles that the library finds. */
const found = (s: Shapes, m: Mesh): Record<keyof Shapes, number[]> => ({
  sphere: trianglesSphereMesh(s.sphere, m),
  box: trianglesAabbMesh(s.box, m),
  obb: trianglesObbMesh(s.obb, m),
  capsule: trianglesCapsuleMesh(s.capsule, m),
  triangle: trianglesTriangleMesh(...s.triangle, m),
  polyhedron: trianglesPolyhedronMesh(s.polyhedron, m),
});

const answers = (s: Shapes, m: Mesh): Record<keyof Shapes, boolean> => ({
  sphere: overlapSphereMesh(s.sphere, m),
  box: overlapAabbMesh(s.box, m),
  obb: overlapObbMesh(s.obb, m),
  capsule: overlapCapsuleMesh(s.capsule, m),
  triangle: overlapTriangleMesh(...s.triangle, m),
  polyhedron: overlapPolyhedronMesh(s.polyhedron, m),
});

const setters: Record<keyof Shapes, (s: Shapes, m: Mesh) => OverlapShape> = {
  sphere: (s, m) => new OverlapSphere().set(s.sphere, m),
  box: (s, m) => new OverlapAabb().set(s.box, m),
  obb: (s, m) => new OverlapObb().set(s.obb, m),
  capsule: (s, m) => new OverlapCapsule().set(s.capsule, m),
  triangle: (s, m) => new OverlapTriangle().set(...s.triangle, m),
  polyhedron: (s, m) => new OverlapPolyhedron().set('', s.polyhedron, m),
};

const kinds = ['sphere', 'box', 'obb', 'capsule', 'triangle', 'polyhedron'] as const;

function agreesWithBruteForce(s: Shapes, arrays: TriangleArrays, m: Mesh): void {
  const lists = found(s, m);
  const any = answers(s, m);
  for (const kind of kinds) {
    const shape = setters[kind](s, m);
    const wanted: number[] = [];
    for (let i = 0; i < arrays.index.length / 3; i++)
      if (shape.meets(...cornersOf(arrays, i))) wanted.push(i);
    check(String(lists[kind]) === String(wanted), () => `${kind}: ${lists[kind]} instead of ${wanted}`);
    check(any[kind] === wanted.length > 0, () => `${kind}: ${any[kind]} with ${wanted.length} triangles`);
  }
}

const FAR = vec3(1e6, -7e5, 3e5);

property('the triangles are those that every triangle is asked for', 160, (rng, n) => {
  const base = [
    () => icosphere(3),
    () => torus(24, 12),
    () => moved(terrain(rng, 12), 0.2, vec3(-1, -1, 0)),
    () => soup(rng, 300),
    () => soup(rng, rng.int(1, 6)),
  ][n % 5]!();
  const scale = rng.pick([1, 1, 1e-6, 1e6]);
  const shift = rng.chance(0.2) ? FAR : vec3();
  const arrays = moved(base, scale, shift);
  if (rng.chance(0.3)) arrays.positions = Float64Array.from(Float32Array.from(arrays.positions));
  const positions = rng.chance(0.5) ? Float32Array.from(arrays.positions) : arrays.positions;
  if (positions instanceof Float32Array) arrays.positions = Float64Array.from(positions);
  const m = mesh(positions, arrays.index, { leafSize: rng.int(1, 8) });
  for (let k = 0; k < 4; k++) {
    const corners = cornersOf(arrays, rng.int(0, m.triangleCount - 1));
    const at = rng.chance(0.5) ? between(rng, corners[0], corners[1]) : sum(shift, rng.vec(1.5), scale);
    agreesWithBruteForce(shapesAt(rng, at, scale * 10 ** rng.range(-3, 0.5)), arrays, m);
  }
});

/** By each shape, is there a common point? In exact arithmetic, of the shape grown by `by` in every direction, or so. */
const exactly: Record<keyof Shapes, (s: Shapes, t: Triangle, by: number) => boolean> = {
  sphere: ({ sphere }, t, by) => exactPointTriangle(sphere.center, ...t) <= sphere.radius + by,
  box: ({ box }, t) => {
    const [min, max, ...rest] = integers(box.min, box.max, ...t);
    return survives(rest, boxHalfspaces(min!, max!));
  },
  obb: ({ obb: { center, halfSize: h, rotation: r } }, t, by) => {
    const e = r.elements;
    // The corner with all signs -, and those next to it: a parallelepiped, which is what rounding leaves of a box.
    const corner = (x: number, y: number, z: number) => {
      const [a, b, c] = [x * (h.x + by), y * (h.y + by), z * (h.z + by)];
      return vec3(
        center.x + e[0]! * a + e[3]! * b + e[6]! * c,
        center.y + e[1]! * a + e[4]! * b + e[7]! * c,
        center.z + e[2]! * a + e[5]! * b + e[8]! * c,
      );
    };
    if (Math.min(h.x, h.y, h.z) + by <= 0) return false; // too flat to be shrunk
    const faces = [0, 1, 2].flatMap((k) =>
      [-1, 1].map((s): Triangle => {
        const at = (u: number, v: number) => corner(...(turned(k, [s, u, v]) as [number, number, number]));
        return s > 0 ? [at(-1, -1), at(1, -1), at(-1, 1)] : [at(-1, -1), at(-1, 1), at(1, -1)];
      }),
    );
    return leaves(faces, t);
  },
  capsule: ({ capsule: { a, b, radius } }, t, by) => exactSegmentTriangle(a, b, ...t) <= radius + by,
  triangle: ({ triangle }, t) => {
    const all = integers(...triangle, ...t);
    return survives(all.slice(3), triangleHalfspaces(all.slice(0, 3)));
  },
  polyhedron: ({ polyhedron: { vertices, faces, planes } }, t, by) => {
    const lift = (f: number, i: number) => sum(vertices[faces[f]![i]!]!, planes[f]!.normal, by);
    return leaves(
      faces.map((_, f): Triangle => [lift(f, 0), lift(f, 1), lift(f, 2)]),
      t,
    );
  },
};

const turned = (k: number, [x, y, z]: [number, number, number]): number[] =>
  k === 0 ? [x, y, z] : k === 1 ? [z, x, y] : [y, z, x];

/** Do triangles, as planes seen from outside, leave anything of t? */
function leaves(faces: Triangle[], t: Triangle): boolean {
  const all = integers(...faces.flat(), ...t);
  const spaces = faces.map((_, f): Halfspace => {
    const [a, b, c] = [all[3 * f]!, all[3 * f + 1]!, all[3 * f + 2]!];
    const u = b.map((x, k) => x - a[k]!) as [bigint, bigint, bigint];
    const v = c.map((x, k) => x - a[k]!) as [bigint, bigint, bigint];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
    return { n, d: n[0] * a[0]! + n[1] * a[1]! + n[2] * a[2]! };
  });
  return survives(all.slice(3 * faces.length), spaces);
}

property('each answer is right, or says yes within rounding of touching', 150, (rng) => {
  const arrays = soup(rng, 20);
  const m = mesh(arrays.positions, arrays.index);
  const corners = cornersOf(arrays, rng.int(0, 19));
  const size = 10 ** rng.range(-2, 0);
  const s = shapesAt(rng, nudge(rng, between(rng, corners[0], corners[1]), rng.chance(0.5) ? 0 : size), size);
  // Touching one of the triangles, as near as rounding allows.
  if (rng.chance(0.5)) s.sphere.radius = exactPointTriangle(s.sphere.center, ...corners);
  if (rng.chance(0.5)) s.capsule.radius = exactSegmentTriangle(s.capsule.a, s.capsule.b, ...corners);
  if (rng.chance(0.5)) s.box.min = vec3(corners[0].x, corners[0].y, corners[0].z);
  if (!(s.box.max.x >= s.box.min.x && s.box.max.y >= s.box.min.y && s.box.max.z >= s.box.min.z))
    s.box.max = s.box.min;
  const lists = found(s, m);
  for (const kind of kinds) {
    const said = new Set(lists[kind]);
    for (let i = 0; i < 20; i++) {
      const t = cornersOf(arrays, i);
      // Coordinates are up to 2: 3e-14 is a few roundings for each of the up to twenty faces.
      if (said.has(i)) check(exactly[kind](s, t, 3e-14), `${kind} and triangle ${i} are apart`);
      else
        check(
          !exactly[kind](s, t, kind === 'sphere' || kind === 'capsule' ? 0 : -1e-15),
          `${kind} misses ${i}`,
        );
    }
  }
});

describe('by hand', () => {
  const cube = boxMesh();
  const m = mesh(cube.positions, cube.index);
  const solid = { solid: true };
  const small = (at: Vec3): Shapes => ({
    sphere: { center: at, radius: 0.25 },
    box: { min: sum(at, vec3(-0.25, -0.25, -0.25)), max: sum(at, vec3(0.25, 0.25, 0.25)) },
    obb: { center: at, halfSize: vec3(0.25, 0.25, 0.25), rotation: mat3() },
    capsule: { a: at, b: sum(at, vec3(0, 0.125, 0)), radius: 0.25 },
    triangle: [at, sum(at, vec3(0.25, 0, 0)), sum(at, vec3(0, 0.25, 0))],
    polyhedron: boxPolyhedron(sum(at, vec3(-0.25, -0.25, -0.25)), sum(at, vec3(0.25, 0.25, 0.25))),
  });
  const solidAnswers = (s: Shapes, of: Mesh): boolean[] => [
    overlapSphereMesh(s.sphere, of, solid),
    overlapAabbMesh(s.box, of, solid),
    overlapObbMesh(s.obb, of, solid),
    overlapCapsuleMesh(s.capsule, of, solid),
    overlapTriangleMesh(...s.triangle, of, solid),
    overlapPolyhedronMesh(s.polyhedron, of, solid),
  ];
  const all = (answer: boolean) => Array<boolean>(6).fill(answer);

  test('a shape that floats inside touches the solid, not the surface', () => {
    expect(Object.values(answers(small(vec3()), m))).toEqual(all(false));
    expect(solidAnswers(small(vec3()), m)).toEqual(all(true));
    expect(solidAnswers(small(vec3(3, 0, 0)), m)).toEqual(all(false));
  });

  test('a cavity is no part of the solid', () => {
    const hollow = together(cube, inverted(moved(cube, 0.5)));
    const h = mesh(hollow.positions, hollow.index);
    expect(solidAnswers(small(vec3()), h)).toEqual(all(false));
    expect(solidAnswers({ ...small(vec3()), sphere: { center: vec3(0.75, 0, 0), radius: 0.2 } }, h)[0]).toBe(
      true,
    );
  });

  test('a mesh wholly inside of the shape is met with all triangles', () => {
    const inside = moved(cube, 0.125);
    const tiny = mesh(inside.positions, inside.index);
    const everything = Array.from({ length: 12 }, (_, i) => i);
    const { triangle: _, ...lists } = found(small(vec3()), tiny);
    for (const list of Object.values(lists)) expect(list).toEqual(everything);
  });

  test('touching counts', () => {
    expect(overlapSphereMesh({ center: vec3(3, 0, 0), radius: 2 }, m)).toBe(true);
    expect(overlapSphereMesh({ center: vec3(3, 0, 0), radius: 1.9999999999 }, m)).toBe(false);
    expect(overlapAabbMesh({ min: vec3(1, 1, 1), max: vec3(2, 2, 2) }, m)).toBe(true);
    expect(overlapAabbMesh({ min: vec3(1.0000000000000002, 1, 1), max: vec3(2, 2, 2) }, m)).toBe(false);
    expect(overlapCapsuleMesh({ a: vec3(2, 5, 0), b: vec3(2, -5, 0), radius: 1 }, m)).toBe(true);
    expect(overlapTriangleMesh(vec3(1, 1, 1), vec3(2, 2, 2), vec3(2, 3, 4), m)).toBe(true);
    expect(overlapPolyhedronMesh(boxPolyhedron(vec3(1, 1, 1), vec3(2, 2, 2)), m)).toBe(true);
    expect(overlapPolyhedronMesh(boxPolyhedron(vec3(1.000001, 1, 1), vec3(2, 2, 2)), m)).toBe(false);
  });

  test('a flat polyhedron ends at its rim', () => {
    const plate = (x: number): Polyhedron => ({
      vertices: [vec3(x, -1, 0), vec3(x + 2, -1, 0), vec3(x + 2, 1, 0), vec3(x, 1, 0)],
      faces: [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
      ],
      planes: [
        { normal: vec3(0, 0, 1), d: 0 },
        { normal: vec3(0, 0, -1), d: 0 },
      ],
    });
    expect(overlapPolyhedronMesh(plate(1.000001), m)).toBe(false);
    expect(overlapPolyhedronMesh(plate(1), m)).toBe(true);
    expect(overlapPolyhedronMesh(boxPolyhedron(vec3(2, -1, 0), vec3(4, 1, 0)), m)).toBe(false);
  });

  test('a list is filled again from its start, ascending', () => {
    const out = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7];
    expect(trianglesSphereMesh({ center: vec3(1, 0, 0), radius: 0.1 }, m, out)).toBe(out);
    expect(out).toEqual([2, 3]);
    const fine = icosphere(4);
    const ids = trianglesSphereMesh({ center: vec3(), radius: 2 }, mesh(fine.positions, fine.index));
    expect(ids).toEqual(Array.from({ length: 5120 }, (_, i) => i));
  });

  test('far away and very large shapes', () => {
    for (const at of [vec3(1e15, 0, 0), vec3(-1e74, 1e74, 0), vec3(1e-300, 0, 5)])
      expect(Object.values(answers(small(at), m))).toEqual(all(false));
    expect(overlapSphereMesh({ center: vec3(1e9, 0, 0), radius: 1e9 - 1 }, m)).toBe(true);
    expect(overlapSphereMesh({ center: vec3(1e9, 0, 0), radius: 1e9 - 1.001 }, m)).toBe(false);
    expect(overlapAabbMesh({ min: vec3(-1e74, 0, 0), max: vec3(1e74, 0, 0) }, m)).toBe(true);
  });

  test('what is no shape is refused by name', () => {
    expect(() => overlapSphereMesh({ center: vec3(), radius: -1 }, m)).toThrow('sphere.radius');
    expect(() => trianglesAabbMesh({ min: vec3(1, 0, 0), max: vec3() }, m)).toThrow('box');
    expect(() => overlapCapsuleMesh({ a: vec3(), b: vec3(NaN, 0, 0), radius: 1 }, m)).toThrow('capsule.b.x');
  });
});
