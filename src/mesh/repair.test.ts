import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { boxPolyhedron, polyhedron } from '../polytope/index.ts';
import { isOrientedMesh } from '../rtcd/index.ts';
import { inspect } from './inspect.ts';
import type { PolygonMesh } from './polygon-mesh.ts';
import { type RepairOptions, repair } from './repair.ts';
import { triangulateMesh } from './triangulate-mesh.ts';

const volume = ({ vertices, faces }: PolygonMesh) => {
  const o = vertices[0]!;
  return faces.reduce((sum, [first, ...rest]) => {
    const at = (v: number) => v3.sub(vertices[v]!, o);
    for (let i = 1; i < rest.length; i++) sum += v3.triple(at(first!), at(rest[i - 1]!), at(rest[i]!)) / 6;
    return sum;
  }, 0);
};

/** Each face with vertices of its own, moved by up to `jitter`, in any order. */
function explode(rng: Rng, { vertices, faces }: PolygonMesh, jitter: number): PolygonMesh {
  const loose: Vec3[] = [];
  const own = faces.map((face) =>
    face.map((v) => loose.push(v3.addScaled(vertices[v]!, rng.direction(), jitter * rng.unit())) - 1),
  );
  return { vertices: loose, faces: rng.shuffle(own) };
}

/** Puts vertices into the sides of faces, each face for itself, at sixteenths of the way. */
function divideSides(rng: Rng, { vertices, faces }: PolygonMesh): PolygonMesh {
  const all: ReadonlyVec3[] = [...vertices];
  const divided = faces.map((face) =>
    face.flatMap((v, i) => {
      const w = face[(i + 1) % face.length]!;
      const inner = [];
      for (let k = 1; k < 16; k++)
        if (rng.chance(0.15)) {
          // The same place whichever way the side runs.
          const t = v < w ? k / 16 : 1 - k / 16;
          inner.push(all.push(v3.lerp(vertices[Math.min(v, w)]!, vertices[Math.max(v, w)]!, t)) - 1);
        }
      return [v, ...inner];
    }),
  );
  return { vertices: all, faces: divided };
}

const fan = ({ vertices, faces }: PolygonMesh): PolygonMesh => ({
  vertices,
  faces: faces.flatMap(([a, ...rest]) => rest.slice(1).map((c, i) => [a!, rest[i]!, c])),
});

const solid = (rng: Rng): PolygonMesh => {
  const size = rng.pick([1, 1, 100]);
  if (rng.chance(0.4)) return boxPolyhedron(vec3(-size, -size, -size), vec3(size, 2 * size, size));
  for (;;) {
    const hull = polyhedron(Array.from({ length: rng.int(4, 10) }, () => rng.vec(size)));
    // No side shorter than what a sixteenth of it can be told apart by.
    const shortest = Math.min(
      ...hull.faces.flatMap((f) =>
        f.map((v, i) => v3.distance(hull.vertices[v]!, hull.vertices[f[(i + 1) % f.length]!]!)),
      ),
    );
    if (hull.planes.length >= 4 && shortest > 0.05 * size) return hull;
  }
};

const sameMesh = (a: PolygonMesh, b: PolygonMesh) =>
  JSON.stringify([a.vertices, a.faces, a.tags]) === JSON.stringify([b.vertices, b.faces, b.tags]);

describe('repair', () => {
  test('[R12.0] an exploded cube is a closed cube again, as polygons, convex pieces and triangles', () => {
    const cube = boxPolyhedron(vec3(), vec3(1, 1, 1));
    const vertices = cube.faces.flatMap((f) =>
      f.map((v) => v3.addScaled(cube.vertices[v]!, vec3(1, -1, 1), 1e-8 * v)),
    );
    const faces = cube.faces.map((_, f) => [4 * f, 4 * f + 1, 4 * f + 2, 4 * f + 3]);
    for (const [shape, count] of [
      ['polygons', 6],
      ['convex', 6],
      ['triangles', 12],
    ] as const) {
      const { mesh, report } = repair({ vertices, faces }, { tolerance: 1e-6, faces: shape });
      expect(report).toMatchObject({ isClosed: true, weldedVertices: 16, borderEdges: 0, droppedFaces: [] });
      expect(report.components).toHaveLength(1);
      expect(report.components[0]).toMatchObject({ vertices: 8, characteristic: 2, genus: 0 });
      expect(mesh.faces.length).toBe(count);
      near(volume(mesh), 1, 1e-6);
    }
  });

  property('[R12.0] [R12.3a] [R12.3b] solids with loose faces and t-vertices close again', 60, (rng) => {
    const original = solid(rng);
    const tolerance = 1e-5;
    const jitter = rng.pick([0, 0.3 * tolerance]);
    const divided = divideSides(rng, rng.chance(0.5) ? fan(original) : original);
    const broken = explode(rng, divided, jitter);
    const faces = rng.pick(['polygons', 'convex', 'triangles'] as const);
    const options: RepairOptions = { tolerance, faces };
    const { mesh, report } = repair(broken, options);
    check(
      report.isClosed && isOrientedMesh(mesh.faces),
      () => `open: ${JSON.stringify({ ...report, source: 0 })}`,
    );
    check(report.components.length === 1 && report.components[0]!.genus === 0, 'a sphere');
    near(volume(mesh), volume(original), 1e-3 * volume(original), 'volume');
    check(
      report.source.every((from) => from.length === 1) && report.source.length === mesh.faces.length,
      'source',
    );
    const again = repair(mesh, options);
    check(sameMesh(again.mesh, mesh), 'idempotent');
  });

  property('[R12.0] [R12.4] with merging, the faces of the solid come back, and stay', 60, (rng) => {
    const original = solid(rng);
    const broken = explode(rng, divideSides(rng, fan(original)), rng.pick([0, 1e-6]));
    const options: RepairOptions = {
      tolerance: 1e-5,
      mergeThickness: 2e-5,
      faces: rng.pick(['polygons', 'convex']),
    };
    const { mesh, report } = repair(broken, options);
    check(report.isClosed, 'closed');
    check(mesh.faces.length <= original.faces.length, 'no more faces than before');
    check(report.source.flat().length === broken.faces.length, 'all faces are somewhere');
    near(volume(mesh), volume(original), 1e-3 * volume(original), 'volume');
    const again = repair(mesh, options);
    check(sameMesh(again.mesh, mesh), 'idempotent');
  });

  property('[R12.0] any triangles at all: no trouble, and twice is once', 500, (rng) => {
    const n = rng.int(3, 12);
    const points = Array.from({ length: n }, () =>
      rng.chance(0.5) ? vec3(rng.int(0, 3), rng.int(0, 3), rng.int(0, 2)) : rng.vec(3),
    );
    const index = Array.from({ length: 3 * rng.int(1, 10) }, () => rng.int(0, n - 1));
    const options: RepairOptions = {
      tolerance: rng.pick([0, 1e-9, 0.1, 1]),
      cracks: rng.pick(['none', 'local', 'edges', 'faces']),
      fix: rng.pick(['crack', 'snap', 'collapse']),
      orient: rng.pick(['keep', 'consistent', 'outward']),
      weld: rng.pick(['first', 'sorted', 'average']),
      faces: rng.pick(['polygons', 'convex', 'triangles']),
      skipBehind: rng.chance(0.2),
      ...(rng.chance(0.5) && { mergeThickness: rng.pick([0, 1e-9, 0.1]) }),
    };
    const positions = points.flatMap(({ x, y, z }) => [x, y, z]);
    const { mesh, report } = repair({ positions, index }, options);
    check(
      mesh.faces.every((f) => f.length >= 3 && new Set(f).size === f.length),
      'simple faces',
    );
    check(options.faces !== 'triangles' || mesh.faces.every((f) => f.length === 3), 'triangles');
    check(
      mesh.vertices.every(({ x, y, z }) => (x + y + z) * 0 === 0),
      'finite',
    );
    const gone = new Set(report.droppedFaces);
    check(
      report.source.flat().every((f) => !gone.has(f)),
      'what is dropped is gone',
    );
    if (mesh.faces.length === 0) return;
    const again = repair(mesh, options);
    check(again.report.weldedVertices === 0, 'welded once and for all');
    check(sameMesh(again.mesh, mesh), () => `not idempotent ${JSON.stringify([options, mesh, again.mesh])}`);
  });

  test('[R12.0] intentional holes, third faces and parts stay', () => {
    const cube = boxPolyhedron(vec3(), vec3(1, 1, 1));
    const open = { vertices: [...cube.vertices, vec3(0.5, 0.5, -2)], faces: cube.faces.slice(1) };
    const { report } = repair(open, { tolerance: 0.01 });
    expect(report).toMatchObject({ isClosed: false, borderEdges: 4, nonManifoldEdges: 0 });
    expect(report.components[0]).toMatchObject({ borders: 1, genus: 0 });
    const [a, b] = cube.faces[1]! as [number, number];
    const fin = { vertices: [...cube.vertices, vec3(3, 3, 3)], faces: [...cube.faces, [a, b, 8]] };
    expect(repair(fin, { tolerance: 0.01 }).report).toMatchObject({
      nonManifoldEdges: 1,
      borderEdges: 2,
    });
    const far = cube.vertices.map((p) => v3.add(p, vec3(5, 0, 0)));
    const two = {
      vertices: [...cube.vertices, ...far],
      faces: [...cube.faces, ...cube.faces.map((f) => f.map((v) => v + 8))],
    };
    expect(repair(two).report.components.length).toBe(2);
    const tip = {
      vertices: cube.vertices.concat(far),
      faces: [...cube.faces, ...cube.faces.map((f) => f.map((v) => (v === 0 ? 7 : v + 8)))],
    };
    expect(repair(tip, { cracks: 'none', orient: 'keep' }).report.nonManifoldVertices).toBe(1);
  });

  test('[R12.0] degenerate, misoriented, repeated and overlapping faces are dealt with or flagged', () => {
    const cube = boxPolyhedron(vec3(), vec3(1, 1, 1));
    const faces = cube.faces.map((f, i) => (i === 2 ? [...f].reverse() : f));
    const [a, b, c] = cube.faces[0]! as [number, number, number];
    const broken = {
      vertices: cube.vertices,
      faces: [...faces, [a, b, a], [...cube.faces[1]!.slice(1), cube.faces[1]![0]!]],
    };
    const { report } = repair(broken, { tolerance: 1e-6 });
    expect(report).toMatchObject({
      isClosed: true,
      droppedFaces: [6, 7],
      flippedFaces: 1,
      overlappingFaces: [],
    });
    const kept = repair(broken, { tolerance: 1e-6, orient: 'keep' }).report;
    expect(kept).toMatchObject({ isClosed: false, misorientedEdges: 4 });
    // A triangle that lies on a face of the cube, the wrong way round.
    const covered = repair(
      { vertices: cube.vertices, faces: [...cube.faces, [c, b, a]] },
      { orient: 'keep' },
    );
    expect(covered.report.overlappingFaces).toEqual([[0, 6]]);
    const strip = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 1, 5, 0, 1];
    const positions = Array.from({ length: 18 }, (_, i) => Math.sin(7 * i));
    expect(repair({ positions, index: strip }, { cracks: 'none' }).report.misorientedEdges).toBe(1);
  });

  test('[R12.3a] faces that are not flat are cut', () => {
    const vertices = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(1, 1, 0.3), vec3(0, 1, 0)];
    expect(repair({ vertices, faces: [[0, 1, 2, 3]] }, { tolerance: 1e-3 }).mesh.faces.length).toBe(2);
    expect(repair({ vertices, faces: [[0, 1, 2, 3]] }, { tolerance: 0.2 }).mesh.faces.length).toBe(1);
  });

  test('[R12.3b] a wall on a floor, with all that follows', () => {
    const vertices = [
      vec3(0, 0, 0),
      vec3(10, 0, 0),
      vec3(10, 10, 0),
      vec3(0, 10, 0),
      vec3(3, 4, 1e-4),
      vec3(7, 5, -1e-4),
      vec3(7, 5, 3),
      vec3(3, 4, 3),
    ];
    const room = {
      vertices,
      faces: [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
      ],
    };
    const options: RepairOptions = { tolerance: 1e-3, cracks: 'faces', orient: 'keep' };
    const { mesh, report } = repair(room, options);
    expect(report).toMatchObject({ crackedFaces: 1, nonManifoldEdges: 1 });
    expect(report.components.length).toBe(1);
    expect(sameMesh(repair(mesh, options).mesh, mesh)).toBe(true);
    const merged = repair(room, { ...options, mergeThickness: 1e-3 });
    expect(merged.report.nonManifoldEdges).toBe(1);
    expect(merged.mesh.faces.length).toBeLessThan(mesh.faces.length);
  });

  test('[R12.0] arrays in, arrays out: the inspector has nothing to complain about', () => {
    const cube = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
    const soup = new Float32Array(triangulateMesh(cube).index.length * 3);
    const { index, positions } = triangulateMesh(cube);
    index.forEach((v, i) => {
      soup.set(
        [0, 1, 2].map((k) => positions[3 * v + k]! + 1e-7 * (i % 2)),
        3 * i,
      );
    });
    const triangles = triangulateMesh(repair({ positions: soup }).mesh);
    expect(inspect(triangles).problems).toEqual([]);
    expect(triangles.index.length).toBe(36);
  });

  test('options that do not exist are refused', () => {
    const mesh = boxPolyhedron(vec3(), vec3(1, 1, 1));
    expect(() => repair(mesh, { tolerance: -1 })).toThrow(/tolerance/);
    expect(() => repair(mesh, { faces: 'quads' as 'convex' })).toThrow(/faces must be one of/);
    expect(() => repair(mesh, { mergeThickness: NaN })).toThrow(/mergeThickness/);
    expect(() => repair({ ...mesh, tags: [1] } as PolygonMesh)).toThrow(/tags/);
  });
});

test('faces that are joined and cut again are so once, not until the rounds are used up', () => {
  for (const geometry of [new THREE.SphereGeometry(1, 16, 13), new THREE.TorusKnotGeometry(1, 0.4, 32, 8)]) {
    const positions = geometry.getAttribute('position').array;
    const index = geometry.getIndex()!.array;
    const { mesh, report } = repair({ positions, index }, { mergeThickness: 1e-6 });
    expect(report.isClosed).toBe(true);
    expect(mesh.faces.length).toBe(index.length / 3);
    expect(report.mergedFaces).toBeLessThanOrEqual(index.length / 6);
  }
});

test('where joining saves triangles in some places, those of all others stay as they were', () => {
  const geometry = new THREE.SphereGeometry(1, 64, 49);
  const positions = geometry.getAttribute('position').array;
  const index = geometry.getIndex()!.array;
  const count = index.length / 3;
  const { mesh, report } = repair({ positions, index }, { mergeThickness: 1e-3 });
  expect(report.isClosed).toBe(true);
  // Joined near the poles, where triangles are small.
  expect(mesh.faces.length).toBeLessThan(count - 50);
  expect(report.mergedFaces).toBeLessThan(count / 10);
  expect(report.source.filter((faces) => faces.length === 1).length).toBeGreaterThan(0.9 * count);
});
