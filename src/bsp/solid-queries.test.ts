import { describe, expect, test } from 'vitest';
import { compareSweep } from '../../tests/kit/bsp-sweep.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere, torus } from '../../tests/kit/meshes.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import * as m3 from '../math/mat3.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { polyhedron } from '../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import {
  closestPointPolyhedron,
  overlapPolyhedronPolyhedron,
  overlapTriangleAabb,
  overlapTriangleObb,
  overlapTriangleTriangle,
  penetrationPolyhedronPolyhedron,
  type ReadonlyAabb,
  rayPolyhedron,
  sweepPolyhedronPolyhedron,
} from '../primitives/index.ts';
import { isInside } from '../trimesh/inside.ts';
import { mesh } from '../trimesh/mesh.ts';
import { overlapSphereMesh } from '../trimesh/overlap.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { buildBrushBsp, buildSolidBsp, cellsOfTree, type SolidBsp } from './solid-bsp.ts';
import {
  locatePointBsp,
  makeBspHit,
  overlapAabbBsp,
  overlapObbBsp,
  overlapPolygonBsp,
  overlapSphereBsp,
  rayBsp,
  sweepAabbBsp,
} from './solid-queries.ts';

type Triangle = readonly [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];

const caves = voxels(new Rng(3), 4, 0.4);
const SOLIDS: Record<string, SolidBsp> = {
  caves: buildSolidBsp(mesh(caves.positions, caves.index)),
  torus: buildSolidBsp(mesh(torus(9, 6).positions, torus(9, 6).index)),
  ball: buildSolidBsp(mesh(icosphere(1).positions, icosphere(1).index), { candidates: ['faces'] }),
  brushes: randomBrushes(new Rng(9), 7),
};

function randomBrushes(rng: Rng, count: number): SolidBsp {
  return buildBrushBsp(
    Array.from({ length: count }, () => {
      const center = rng.vec(2);
      return polyhedron(Array.from({ length: 8 }, () => v3.add(center, rng.vec(1)))).planes;
    }),
  );
}

/** The solid leaves, as polyhedra: what brute force looks at. */
const leavesOf = (bsp: SolidBsp): ReadonlyPolyhedron[] =>
  cellsOfTree(bsp, bsp.world).flatMap(({ faces }, leaf) => {
    const corners: Vec3[] = [];
    for (const p of faces.flatMap(({ points }) => points))
      if (!corners.some((q) => v3.distance(p, q) <= bsp.thickness / 16)) corners.push(v3.copy(p));
    return bsp.leafKinds[leaf] === 1 ? [polyhedron(corners)] : [];
  });

/** Points in and around it, many of them on its planes. */
function placeIn(rng: Rng, { world }: SolidBsp): Vec3 {
  const { min, max } = world;
  const p = vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
  return rng.chance(0.4) ? vec3(Math.round(p.x), Math.round(p.y), Math.round(p.z)) : p;
}

function boxPolyhedron(min: ReadonlyVec3, max: ReadonlyVec3): ReadonlyPolyhedron {
  return polyhedron(
    Array.from({ length: 8 }, (_, i) =>
      vec3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
    ),
  );
}

for (const [name, bsp] of Object.entries(SOLIDS)) {
  const leaves = leavesOf(bsp);
  const slack = 100 * bsp.thickness;

  describe(`[R8.4.2] rays into ${name}`, () => {
    const out = makeBspHit();
    property('enter the solid when they first enter one of its leaves', 2500, (rng) => {
      const origin = placeIn(rng, bsp);
      const direction = rng.chance(0.5) ? v3.sub(placeIn(rng, bsp), origin) : rng.direction();
      const tMax = rng.pick([Number.POSITIVE_INFINITY, 0.5, 1]);
      const ray = { origin, direction };
      let wanted = Number.POSITIVE_INFINITY;
      for (const leaf of leaves) wanted = Math.min(wanted, rayPolyhedron(ray, leaf, tMax)?.t ?? wanted);
      const hit = rayBsp(ray, bsp, tMax, out);
      if (hit === null) {
        // At the end of the range, and where it grazes a leaf, rounding decides, and the same as for the mesh.
        check(rayMesh(ray, bsp.mesh, tMax) === null, 'missed');
        const isGrazing = (): boolean =>
          [1e-9, 1e-6].every((dt) => locatePointBsp(v3.addScaled(origin, direction, wanted + dt), bsp) <= 0);
        check(
          wanted === Number.POSITIVE_INFINITY || wanted > tMax - 1e-12 || isGrazing(),
          () => `missed at ${wanted}`,
        );
        return;
      }
      if (v3.lengthSq(direction) === 0) return;
      // What is hit within the thickness only: then the ray passes as near as that to a leaf.
      if (!(Math.abs(hit.t - wanted) <= 1e-9 * (1 + wanted))) {
        const gap = Math.min(...leaves.map((leaf) => gapOf(ray, leaf, hit.t)));
        check(hit.t < wanted && gap <= slack, () => `${hit.t} is not ${wanted}, and ${gap} away`);
        return;
      }
      check(v3.distance(hit.point, v3.addScaled(origin, direction, hit.t)) <= 1e-12 * (1 + hit.t), 'point');
      check(v3.dot(hit.normal, direction) <= 0 && Math.abs(v3.length(hit.normal) - 1) < 1e-12, 'normal');
      const inside = leaves.some(
        (leaf) => v3.distance(closestPointPolyhedron(origin, leaf), origin) <= slack,
      );
      check(hit.startsSolid === inside, 'startsSolid');
      check(!hit.startsSolid || hit.t === 0, 'starts at 0');
      if (hit.startsSolid) check(hit.triangle === -1, 'no triangle');
      else {
        // To the last bit that of the mesh, whichever leaf the triangle was found in.
        const exact = rayMesh(ray, bsp.mesh, tMax)!;
        check(hit.t === exact.t && hit.triangle === exact.triangle, 'as of the mesh');
        check(
          v3.distance(hit.normal, exact.normal) === 0 && v3.distance(hit.point, exact.point) === 0,
          'there',
        );
      }
    });
  });

  describe(`[R8.4.3] boxes, spheres and polygons against ${name}: as against every solid leaf, and exactly as every triangle`, () => {
    const triangles = bsp.polygons.filter((points) => points.length === 3) as Triangle[];
    /** Do its triangles say so, or is it inside as a whole? */
    const exact = (found: boolean, p: ReadonlyVec3, meets: (triangle: Triangle) => boolean): void => {
      const wanted = triangles.some(meets) || isInside(p, bsp.mesh);
      check(found === wanted, () => `${found} is not ${wanted}`);
    };

    property('boxes along the axes', 1500, (rng) => {
      const center = placeIn(rng, bsp);
      const half = rng.chance(0.3) ? vec3(0.5, 0.5, 0.5) : vec3(rng.unit(), rng.unit(), rng.unit());
      const box = { min: v3.sub(center, half), max: v3.add(center, half) };
      const own = boxPolyhedron(box.min, box.max);
      const found = overlapAabbBsp(box, bsp);
      exact(found, box.min, ([a, b, c]) => overlapTriangleAabb(a, b, c, box));
      same(found, own, leaves, slack);
    });

    property('oriented boxes', 700, (rng) => {
      const center = placeIn(rng, bsp);
      const halfSize = vec3(0.1 + rng.unit(), 0.1 + rng.unit() / 2, 0.1 + rng.unit() / 3);
      const rotation = m3.fromQuat(rng.rotation());
      const corners = Array.from({ length: 8 }, (_, i) =>
        v3.add(
          center,
          v3.transform(
            vec3(
              i & 1 ? halfSize.x : -halfSize.x,
              i & 2 ? halfSize.y : -halfSize.y,
              i & 4 ? halfSize.z : -halfSize.z,
            ),
            rotation,
          ),
        ),
      );
      const box = { center, halfSize, rotation };
      const found = overlapObbBsp(box, bsp);
      exact(found, center, ([a, b, c]) => overlapTriangleObb(a, b, c, box));
      same(found, polyhedron(corners), leaves, slack);
    });

    property('spheres', 1500, (rng) => {
      const center = placeIn(rng, bsp);
      const radius = rng.chance(0.2) ? 0.5 : rng.unit();
      const distance = Math.min(
        ...leaves.map((leaf) => v3.distance(closestPointPolyhedron(center, leaf), center)),
      );
      const found = overlapSphereBsp({ center, radius }, bsp);
      check(found === overlapSphereMesh({ center, radius }, bsp.mesh, { solid: true }), 'as of the mesh');
      if (Math.abs(distance - radius) > slack)
        check(found === distance < radius, `${distance} and ${radius}`);
      else if (distance === radius) check(found, 'touching counts');
    });

    property('polygons, those in planes of the tree too (Trap 11)', 1000, (rng) => {
      const a = placeIn(rng, bsp);
      const b = placeIn(rng, bsp);
      const c = placeIn(rng, bsp);
      if (rng.chance(0.3)) c.x = b.x = a.x;
      const points = [a, b, c];
      const n = v3.cross(v3.sub(b, a), v3.sub(c, a));
      // With a fourth corner beyond b, and as a segment and a point.
      const d = v3.add(b, v3.scale(v3.sub(v3.add(b, c), v3.add(a, b)), rng.unit()));
      for (const few of [points, [a, b], [a]]) {
        const [p, q, r] = [few[0]!, few[1] ?? a, few[2] ?? few[1] ?? a];
        exact(overlapPolygonBsp(few, bsp), p, (t) => overlapTriangleTriangle(p, q, r, ...t));
      }
      const four = [a, b, d, c];
      exact(
        overlapPolygonBsp(four, bsp),
        a,
        (t) => overlapTriangleTriangle(a, b, d, ...t) || overlapTriangleTriangle(a, d, c, ...t),
      );
      if (v3.length(n) < 1e-3) return;
      // As a polyhedron, next to flat.
      const thin = v3.scale(v3.normalize(n), 1e-9);
      const own = polyhedron([...points.map((p) => v3.add(p, thin)), ...points.map((p) => v3.sub(p, thin))]);
      same(overlapPolygonBsp(points, bsp), own, leaves, Math.max(slack, 1e-8));
    });

    property('boxes that move stop at the first triangle, and what they swallow counts', 1500, (rng) => {
      const center = placeIn(rng, bsp);
      const large = rng.pick([1, 1, 1, 20, 1e-3, 0]);
      const half = v3.scale(vec3(0.02 + rng.unit(), 0.02 + rng.unit(), 0.02 + rng.unit()), large / 2);
      const motion = rng.chance(0.1) ? vec3() : v3.scale(v3.sub(placeIn(rng, bsp), center), 1 + rng.unit());
      if (rng.chance(0.05)) v3.addScaled(center, motion, -1e9, center);
      const box = { min: v3.sub(center, half), max: v3.add(center, half) };
      if (rng.chance(0.05)) v3.scale(motion, 2e9, motion);
      compareWithLeaves(box, motion, bsp, leaves);
    });
  });
}

/** A sweep against the mesh, exactly; and against the solid leaves, within their thickness. */
function compareWithLeaves(
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  bsp: SolidBsp,
  leaves: readonly ReadonlyPolyhedron[],
): void {
  const startsSolid = compareSweep(box, motion, bsp);
  const center = v3.lerp(box.min, box.max, 0.5);
  if (startsSolid || v3.length(center) + v3.length(motion) > 100) return;
  const t = sweepAabbBsp(box, motion, bsp)?.t ?? Infinity;
  const slack = 100 * bsp.thickness;
  const more = vec3(slack, slack, slack);
  const [small, large] = [
    boxPolyhedron(v3.add(box.min, more), v3.sub(box.max, more)),
    boxPolyhedron(v3.sub(box.min, more), v3.add(box.max, more)),
  ];
  const first = (own: ReadonlyPolyhedron) =>
    Math.min(...leaves.map((leaf) => sweepPolyhedronPolyhedron(own, motion, leaf)?.enter ?? Infinity));
  check(t === Infinity || first(large) <= t + 1e-12, 'no solid is near');
  if (v3.distance(box.min, box.max) > 10 * slack) check(t <= first(small), 'late');
}

/** The answer is that of all leaves, unless the deepest touch is within the slack. */
function same(
  found: boolean,
  own: ReadonlyPolyhedron,
  leaves: readonly ReadonlyPolyhedron[],
  slack: number,
): void {
  const wanted = leaves.some((leaf) => overlapPolyhedronPolyhedron(own, leaf));
  if (found === wanted) return;
  // Never missed; and where it is not, it is next to touching.
  check(found, 'missed');
  const grown = polyhedron(
    own.vertices.flatMap((p) =>
      [-1, 1].flatMap((x) =>
        [-1, 1].flatMap((y) => [-1, 1].map((z) => v3.add(p, vec3(x * slack, y * slack, z * slack)))),
      ),
    ),
  );
  check(
    leaves.some((leaf) => overlapPolyhedronPolyhedron(grown, leaf)),
    'found, and nothing is near',
  );
}

/** How far the point of a ray at t is from a leaf. */
const gapOf = (ray: { origin: Vec3; direction: Vec3 }, leaf: ReadonlyPolyhedron, t: number): number => {
  const p = v3.addScaled(ray.origin, ray.direction, t);
  return v3.distance(closestPointPolyhedron(p, leaf), p);
};

const trianglesOf = ({ vertices, faces }: ReadonlyPolyhedron) => ({
  positions: vertices.flatMap(({ x, y, z }) => [x, y, z]),
  index: faces.flatMap((face) => face.slice(2).flatMap((c, k) => [face[0]!, face[k + 1]!, c])),
});

describe('by hand', () => {
  const { positions, index } = boxMesh();
  const box = buildSolidBsp(mesh(positions, index));

  test('[R8.4.2] from on a plane, either way (Trap 8)', () => {
    // On the plane x = 1 of the box, beside it: away from it, along it, and across its corner.
    const from = vec3(1, 3, 0);
    expect(rayBsp({ origin: from, direction: vec3(1, 0, 0) }, box)).toBeNull();
    expect(rayBsp({ origin: from, direction: vec3(-1, 0, 0) }, box)).toBeNull();
    expect(rayBsp({ origin: from, direction: vec3(0, -1, 0) }, box)?.t).toBe(2); // along a face: touching
    expect(rayBsp({ origin: from, direction: vec3(-1, -2.5, 0) }, box)?.t).toBeCloseTo(0.8, 12);
    expect(rayBsp({ origin: vec3(1, 0, 0), direction: vec3(1, 0, 0) }, box)).toMatchObject({
      t: 0,
      startsSolid: true,
    });
    expect(rayBsp({ origin: vec3(0, 0, 0), direction: vec3(1, 2, 3) }, box)).toMatchObject({
      t: 0,
      startsSolid: true,
    });
    expect(rayBsp({ origin: vec3(0, 0, 0), direction: vec3() }, box)).toMatchObject({ t: 0, normal: vec3() });
    expect(rayBsp({ origin: vec3(0, 2, 0), direction: vec3() }, box)).toBeNull();
  });

  test('what is no tree is refused by name', () => {
    expect(() => overlapSphereBsp({ center: vec3(), radius: 1 }, {} as never)).toThrow(
      /overlapSphereBsp: bsp/,
    );
  });

  test('[R8.4.2] along edges and through corners', () => {
    expect(rayBsp({ origin: vec3(-3, 1, 1), direction: vec3(1, 0, 0) }, box)?.t).toBe(2);
    expect(rayBsp({ origin: vec3(3, 3, 3), direction: vec3(-1, -1, -1) }, box)?.t).toBeCloseTo(2, 12);
    expect(rayBsp({ origin: vec3(3, -1, 1), direction: vec3(-1, 1, 0) }, box)?.t).toBeCloseTo(2, 12);
    expect(rayBsp({ origin: vec3(3, 0, 0), direction: vec3(-2, 0, 0) }, box, 0.99)).toBeNull();
    expect(rayBsp({ origin: vec3(3, 0, 0), direction: vec3(-2, 0, 0) }, box, 1)?.t).toBe(1);
  });

  test('[R8.4.3] without bevels a box would be stopped before a sharp edge', () => {
    // A wedge with its edge up, and a box that goes over it at a tenth above.
    const wedge = polyhedron([
      vec3(-1, 0, -1),
      vec3(1, 0, -1),
      vec3(-1, 0, 1),
      vec3(1, 0, 1),
      vec3(0, 4, -1),
      vec3(0, 4, 1),
    ]);
    const bsp = buildBrushBsp([wedge.planes]);
    const over = { min: vec3(-9, 4.1, -3), max: vec3(-5, 8.1, 3) };
    expect(sweepAabbBsp(over, vec3(20, 0, 0), bsp)).toBeNull();
    const touching = { min: vec3(-9, 3.9, -3), max: vec3(-5, 8.1, 3) };
    expect(sweepAabbBsp(touching, vec3(20, 0, 0), bsp)?.t).toBeCloseTo((5 - 0.025) / 20, 9);
    // And past a corner of a solid that no face of the box or of the solid keeps apart.
    const tilted = polyhedron([
      vec3(1, 0, 0),
      vec3(0, 1, 0),
      vec3(0, 0, 1),
      vec3(0.2, 0.2, 0.2),
      vec3(1, 1, 1),
    ]);
    const one = buildBrushBsp([tilted.planes]);
    for (const [dx, dy] of [
      [1, -1],
      [1, 1],
      [0.3, -1],
    ] as const)
      for (let i = 0; i < 60; i++) {
        const box = {
          min: vec3(-3 * dx + i / 20, -3 * dy, 0.2),
          max: vec3(-3 * dx + i / 20 + 0.1, -3 * dy + 0.1, 0.3),
        };
        compareWithLeaves(box, vec3(6 * dx, 6 * dy, 0.1), one, leavesOf(one));
      }
  });

  test('[R8.4.3] past the thin end of a wedge by next to nothing', () => {
    // Between planes at an angle of 1e-7 the thickness reaches out by 1e-4 and more.
    const wedge = polyhedron([
      vec3(0, 0, -1),
      vec3(0, 0, 1),
      vec3(10, -5e-7, -1),
      vec3(10, -5e-7, 1),
      vec3(10, 5e-7, -1),
      vec3(10, 5e-7, 1),
    ]);
    const { positions, index } = trianglesOf(wedge);
    const bsp = buildSolidBsp(mesh(positions, index));
    const passes = (x: number) =>
      sweepAabbBsp({ min: vec3(x - 1, 2, -0.1), max: vec3(x, 3, 0.1) }, vec3(0, -9, 0), bsp);
    expect(passes(-1e-12)).toBeNull();
    expect(passes(-1e-5)).toBeNull();
    expect(passes(0)?.t).toBeCloseTo(2 / 9, 12);
    expect(passes(1e-12)?.t).toBeCloseTo(2 / 9, 12);
    expect(overlapAabbBsp({ min: vec3(-1, -1, -1), max: vec3(-1e-12, 1, 1) }, bsp)).toBe(false);
    expect(overlapAabbBsp({ min: vec3(-1, -1, -1), max: vec3(0, 1, 1) }, bsp)).toBe(true);
    expect(overlapSphereBsp({ center: vec3(-1, 0, 0), radius: 0.999999 }, bsp)).toBe(false);
  });

  test('[R8.4.3] a solid that the box holds whole is hit', () => {
    const around = { min: vec3(-5, -5, -5), max: vec3(5, 5, 5) };
    expect(overlapAabbBsp(around, box)).toBe(true);
    expect(sweepAabbBsp(around, vec3(0, 1, 0), box)).toMatchObject({ t: 0, startsSolid: true });
    expect(overlapSphereBsp({ center: vec3(), radius: 9 }, box)).toBe(true);
    const identity = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    expect(overlapObbBsp({ center: vec3(), halfSize: vec3(9, 9, 9), rotation: identity }, box)).toBe(true);
    const deep = penetrationPolyhedronPolyhedron(boxPolyhedron(around.min, around.max), leavesOf(box)[0]!);
    expect(deep).not.toBeNull();
  });
});
