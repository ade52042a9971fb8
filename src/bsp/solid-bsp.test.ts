import { describe, expect, test } from 'vitest';
import { check, exact, near, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere, inverted, together, torus } from '../../tests/kit/meshes.ts';
import { bowl, lSolid, schoenhardt } from '../../tests/kit/solids.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { massOf } from '../mesh/mass.ts';
import { polyhedron } from '../polytope/polyhedron.ts';
import { isInside } from '../trimesh/inside.ts';
import { mesh } from '../trimesh/mesh.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { brushPolyhedron } from './brush.ts';
import { massOfCell } from './cell.ts';
import { buildBrushBsp, buildSolidBsp, cellsOfTree, type SolidBsp } from './solid-bsp.ts';
import { containsPointBsp, leafOfPointBsp, locatePointBsp, rayBsp } from './solid-queries.ts';

/** How far p is from the nearest plane of the tree. */
function clearance(p: ReadonlyVec3, { planes }: SolidBsp): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < planes.length; i += 4)
    least = Math.min(
      least,
      Math.abs(planes[i]! * p.x + planes[i + 1]! * p.y + planes[i + 2]! * p.z - planes[i + 3]!),
    );
  return least;
}

const solidVolume = (bsp: SolidBsp): number =>
  cellsOfTree(bsp, bsp.world).reduce(
    (sum, cell, leaf) => sum + (bsp.leafKinds[leaf] === 1 ? massOfCell(cell).volume : 0),
    0,
  );

const SOLIDS = {
  box: boxMesh(),
  ball: icosphere(2),
  torus: torus(14, 8),
  l: lSolid(),
  schoenhardt: schoenhardt(),
  bowl: bowl(),
  caves: voxels(new Rng(3), 5, 0.5),
  tilted: voxels(new Rng(4), 3, 0.5, (p) => ({
    x: 0.6 * p.x - 0.8 * p.y + 100,
    y: 0.8 * p.x + 0.6 * p.y,
    z: p.z,
  })),
  tiny: boxMesh(vec3(-5e-7, 0, 0), vec3(1e-6, 2e-6, 3e-6)),
};

describe('[R8.2.3] the tree of a closed mesh', () => {
  for (const [name, { positions, index }] of Object.entries(SOLIDS)) {
    const solid = mesh(positions, index);
    const bsp = buildSolidBsp(solid);

    test(`${name}: solid leaves have the volume of the mesh, all leaves that of the box around`, () => {
      const wanted = massOf({ positions, index }, 1).volume;
      expect(solidVolume(bsp) / wanted).toBeCloseTo(1, 9);
      const { min, max } = bsp.world;
      const all = cellsOfTree(bsp, bsp.world).reduce((sum, cell) => sum + massOfCell(cell).volume, 0);
      expect(all / ((max.x - min.x) * (max.y - min.y) * (max.z - min.z))).toBeCloseTo(1, 9);
      expect(bsp.leafKinds.every((kind) => kind < 2)).toBe(true);
      expect(bsp.thinTriangles).toEqual(new Uint32Array(0));
    });

    property(`${name}: points are inside where the mesh winds around them`, 2500, (rng) => {
      const { min, max } = bsp.world;
      const at = (axis: 'x' | 'y' | 'z'): number => rng.range(min[axis], max[axis]);
      const p = { x: at('x'), y: at('y'), z: at('z') };
      const side = locatePointBsp(p, bsp);
      if (side === 0) check(clearance(p, bsp) <= 4 * bsp.thickness, 'boundary, and far from all planes');
      else check(side > 0 === isInside(p, solid), 'wrong');
      check(containsPointBsp(p, bsp) === side >= 0, 'contains');
      if (side !== 0) check(bsp.leafKinds[leafOfPointBsp(p, bsp)] === (side > 0 ? 1 : 0), 'leaf');
    });
  }

  test('the plane of every face is in the tree', () => {
    const { positions, index } = SOLIDS.schoenhardt;
    const solid = mesh(positions, index);
    const { planes, thickness } = buildSolidBsp(solid);
    for (let i = 0; i < index.length; i += 3) {
      const corner = (k: number): Vec3 => {
        const at = 3 * index[i + k]!;
        return vec3(positions[at], positions[at + 1], positions[at + 2]);
      };
      const found = Array.from({ length: planes.length / 4 }, (_, node) =>
        [0, 1, 2].every((k) => {
          const { x, y, z } = corner(k);
          const height = planes[4 * node]! * x + planes[4 * node + 1]! * y + planes[4 * node + 2]! * z;
          return Math.abs(height - planes[4 * node + 3]!) <= thickness;
        }),
      );
      expect(found).toContain(true);
    }
  });

  test('a leaf in front of its last plane is empty and one behind it solid, where the plane is of a face', () => {
    const { positions, index } = SOLIDS.torus;
    const { children, leafKinds, planes, polygons, leafStart, leafPolygons, thickness } = buildSolidBsp(
      mesh(positions, index),
    );
    let seen = 0;
    for (let node = 0; node < children.length / 2; node++) {
      const [front, back] = [children[2 * node]!, children[2 * node + 1]!];
      if (front >= 0 || back >= 0) continue;
      const normal = vec3(planes[4 * node], planes[4 * node + 1], planes[4 * node + 2]);
      // The triangle at one of the leaves that lies in the plane.
      const face = [~front, ~back]
        .flatMap((leaf) => [...leafPolygons.slice(leafStart[leaf], leafStart[leaf + 1])])
        .find((i) =>
          polygons[i]!.every((p) => Math.abs(v3.dot(normal, p) - planes[4 * node + 3]!) <= thickness),
        );
      if (face === undefined) continue;
      const [a, b, c] = polygons[face] as [Vec3, Vec3, Vec3];
      const same = v3.dot(v3.cross(v3.sub(b, a), v3.sub(c, a)), normal) > 0;
      expect(leafKinds[~front]).toBe(same ? 0 : 1);
      expect(leafKinds[~back]).toBe(same ? 1 : 0);
      seen++;
    }
    expect(seen).toBeGreaterThan(20);
  });

  test('parts that overlap make one solid; a cavity is empty', () => {
    const two = together(boxMesh(), boxMesh(vec3(0, -0.5, -1), vec3(2, 1.5, 1)));
    const union = buildSolidBsp(mesh(two.positions, two.index));
    expect(solidVolume(union)).toBeCloseTo(16 - 1 * 1.5 * 2, 9);
    const hollow = together(boxMesh(), inverted(boxMesh(vec3(-0.5, -0.5, -0.5), vec3(0.5, 0.5, 0.5))));
    const shell = buildSolidBsp(mesh(hollow.positions, hollow.index));
    expect(solidVolume(shell)).toBeCloseTo(7, 9);
    expect(locatePointBsp(vec3(), shell)).toBe(-1);
    expect(locatePointBsp(vec3(0.75), shell)).toBe(1);
  });

  test('a mesh with a hole is reported', () => {
    const { positions, index } = boxMesh();
    expect(() => buildSolidBsp(mesh(positions, index.slice(3)))).toThrow(
      /buildSolidBsp: mesh must be closed/,
    );
  });

  test('sheets, parts inside out and gaps thinner than the planes are listed: the tree does not know them', () => {
    const insideOut = inverted(boxMesh());
    expect([...buildSolidBsp(mesh(insideOut.positions, insideOut.index)).thinTriangles].length).toBe(12);
    const wall = together(boxMesh(), boxMesh(vec3(2, -1, -1), vec3(2 + 1e-13, 1, 1)));
    const thin = buildSolidBsp(mesh(wall.positions, wall.index)).thinTriangles;
    expect([...thin].every((i) => i >= 12)).toBe(true);
    expect(thin.length).toBeGreaterThan(3);
    const slit = together(boxMesh(), boxMesh(vec3(1 + 1e-12, -1, -1), vec3(3, 1, 1)));
    expect(buildSolidBsp(mesh(slit.positions, slit.index)).thinTriangles.length).toBeGreaterThan(0);
    const joined = together(boxMesh(), boxMesh(vec3(1, -1, -1), vec3(3, 1, 1)));
    expect(buildSolidBsp(mesh(joined.positions, joined.index)).thinTriangles.length).toBe(0);
  });

  test('[R8.3] leaves where the builder had to stop are mixed, and told; points and rays there are still right', () => {
    const { positions, index } = icosphere(2);
    const bsp = buildSolidBsp(mesh(positions, index), { maxDepth: 9 });
    expect(bsp.report.reachedDepth).toBe(true);
    expect(bsp.leafKinds).toContain(2);
    const rng = new Rng(5);
    let mixed = 0;
    for (let i = 0; i < 2000; i++) {
      const p = rng.vec(1.05);
      const inside = isInside(p, bsp.mesh);
      expect(locatePointBsp(p, bsp)).toBe(inside ? 1 : -1);
      if (bsp.leafKinds[leafOfPointBsp(p, bsp)] === 2) mixed++;
      const ray = { origin: p, direction: rng.direction() };
      if (!inside) expect(rayBsp(ray, bsp)?.t).toBe(rayMesh(ray, bsp.mesh)?.t);
    }
    expect(mixed).toBeGreaterThan(100);
  });
});

describe('[R8.4.1] points on planes', () => {
  const { positions, index } = SOLIDS.caves;
  const cubes = new Set(SOLIDS.caves.centers.map(({ x, y, z }) => `${x},${y},${z}`));
  const bsp = buildSolidBsp(mesh(positions, index));

  test('every point of the half lattice: vertices, edges and faces are boundary, and planes elsewhere are not', () => {
    let [inside, boundary, outside] = [0, 0, 0];
    for (let x = -1; x <= 6; x += 0.5)
      for (let y = -1; y <= 6; y += 0.5)
        for (let z = -1; z <= 6; z += 0.5) {
          // The cubes that hold the point: all, some or none of those around it.
          const around = (c: number): number[] => (c % 1 === 0 ? [c - 0.5, c + 0.5] : [c]);
          const filled = around(x).flatMap((i) =>
            around(y).flatMap((j) => around(z).map((k) => cubes.has(`${i},${j},${k}`))),
          );
          const wanted = filled.every((one) => one) ? 1 : filled.some((one) => one) ? 0 : -1;
          expect(locatePointBsp(vec3(x, y, z), bsp)).toBe(wanted);
          if (wanted > 0) inside++;
          else if (wanted < 0) outside++;
          else boundary++;
        }
    expect(Math.min(inside, boundary, outside)).toBeGreaterThan(100);
  });
});

describe('brushes', () => {
  const cube = (low: Vec3, high: Vec3): Plane[] => [
    { normal: vec3(2, 0, 0), d: 2 * high.x },
    { normal: vec3(-1, 0, 0), d: -low.x },
    { normal: vec3(0, 1, 0), d: high.y },
    { normal: vec3(0, -1, 0), d: -low.y },
    { normal: vec3(0, 0, 1), d: high.z },
    { normal: vec3(0, 0, -3), d: -3 * low.z },
  ];

  property('a brush has the corners of the polyhedron that its planes are from', 400, (rng) => {
    const points = Array.from({ length: rng.int(4, 14) }, () => rng.vec(rng.pick([1, 1000])));
    const wanted = polyhedron(points);
    const extra = { normal: vec3(1, 0, 0), d: 1e6 }; // cuts off nothing
    const found = brushPolyhedron(rng.shuffle([...wanted.planes, extra]));
    check(found !== null && found.vertices.length === wanted.vertices.length, 'corners');
    const size = wanted.vertices.reduce((most, p) => Math.max(most, v3.length(p)), 0);
    for (const p of wanted.vertices)
      check(
        found!.vertices.some((q) => v3.distance(p, q) < 1e-7 * size),
        () => `no corner at ${JSON.stringify(p)}`,
      );
  });

  test('corners of planes with small numbers are exact', () => {
    const tetrahedron = [
      { normal: vec3(1, 1, 1), d: 1 },
      { normal: vec3(-1, 0, 0), d: 0 },
      { normal: vec3(0, -1, 0), d: 0 },
      { normal: vec3(0, 0, -1), d: 0 },
    ];
    const { vertices } = brushPolyhedron(tetrahedron)!;
    expect(vertices.length).toBe(4);
    for (const p of vertices) {
      // x + y + z is 0 or 1, in rational arithmetic, up to the rounding of the unit normal.
      const { q, add, toNumber } = exact;
      const sum = toNumber(add(add(q(p.x), q(p.y)), q(p.z)));
      near(sum, Math.round(sum), 1e-15, 'sum');
    }
  });

  test('without volume there is none; without end it is refused', () => {
    expect(brushPolyhedron(cube(vec3(0, 0, 0), vec3(1, 1, 0)))).toBeNull();
    expect(brushPolyhedron(cube(vec3(0, 0, 0), vec3(1, 1, -1)))).toBeNull();
    expect(() => brushPolyhedron(cube(vec3(), vec3(1, 1, 1)).slice(1))).toThrow(/bounded/);
    expect(() => brushPolyhedron([])).toThrow(/bounded/);
    expect(() => buildBrushBsp([cube(vec3(), vec3(1, 1, 0))])).toThrow(/volume/);
    expect(() => buildBrushBsp([[{ normal: vec3(), d: 1 }]])).toThrow(/brushes\[0\]\[0\].normal/);
  });

  test('the tree of brushes is their union, with their own planes', () => {
    const bsp = buildBrushBsp([
      cube(vec3(), vec3(2, 1, 1)),
      cube(vec3(1, 0, 0), vec3(3, 1, 1)),
      cube(vec3(5), vec3(6, 1, 1)),
    ]);
    expect(solidVolume(bsp)).toBeCloseTo(4, 12);
    expect(bsp.leafKinds.filter((kind) => kind === 1).length).toBe(2);
    expect(locatePointBsp(vec3(1, 0.5, 0.5), bsp)).toBe(1); // the end of one brush in another is no boundary
  });

  property('random brushes: a point is in the tree where it is behind all planes of one', 80, (rng) => {
    const brushes = Array.from({ length: rng.int(1, 6) }, () => {
      const center = rng.vec(1);
      return polyhedron(Array.from({ length: 8 }, () => v3.add(center, rng.vec(0.7)))).planes;
    });
    const bsp = buildBrushBsp(brushes, rng.chance(0.5) ? {} : { expectedCost: false, candidates: ['faces'] });
    for (let i = 0; i < 60; i++) {
      const p = rng.vec(1.8);
      const depth = Math.min(
        ...brushes.map((planes) => Math.max(...planes.map(({ normal, d }) => v3.dot(normal, p) - d))),
      );
      if (Math.abs(depth) > 1e-6) check(locatePointBsp(p, bsp) === (depth < 0 ? 1 : -1), () => `${depth}`);
    }
  });
});
