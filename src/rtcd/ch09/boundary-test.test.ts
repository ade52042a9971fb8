import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { makeFrame } from '../../convex/frame.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { boxPolyhedron, facePlane, polyhedron } from '../../polytope/polyhedron.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import { penetrationPolyhedronPolyhedron } from '../../primitives/overlap/polyhedron-polyhedron.ts';
import { voronoiRegions } from '../ch03/voronoi.ts';
import { overlapPolyhedronBoundaries } from './boundary-test.ts';
import { separatingPlanePoints } from './lp-overlap.ts';
import { closestFeatures } from './v-clip.ts';

const moved = ({ vertices, faces }: Polyhedron, move: (v: Vec3) => Vec3): Polyhedron => {
  const placed = vertices.map(move);
  return { vertices: placed, faces, planes: faces.map((face) => facePlane(placed, face)) };
};
const box = (x: number, y: number, z: number): Polyhedron => boxPolyhedron(vec3(-x, -y, -z), vec3(x, y, z));

function draw(rng: Rng): Polyhedron {
  if (rng.chance(0.4)) return rng.pick([box(1, 1, 1), box(0.05, 3, 0.05), box(2, 0.02, 2)]);
  const stretch = vec3(rng.range(0.1, 2), rng.range(0.1, 2), rng.range(0.1, 2));
  for (;;) {
    const points = Array.from({ length: rng.int(4, 14) }, () =>
      rng.chance(0.6) ? m.multiply(rng.vec(), stretch) : vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)),
    );
    try {
      return polyhedron(points);
    } catch {} // flat: draw again
  }
}

/** Turned or not, moved a bit or by whole numbers, at one of three sizes, near the origin or far from it. */
function pair(rng: Rng): { a: Polyhedron; b: Polyhedron; error: number } {
  const size = rng.pick([1, 1, 1e6, 1e-6]);
  const base = rng.chance(0.2) ? rng.vec(1e6 * size) : vec3();
  const place = (p: Polyhedron): Polyhedron => {
    const q = rng.chance(0.6) ? rng.rotation() : { x: 0, y: 0, z: 0, w: 1 };
    const t = rng.chance(0.4) ? vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)) : rng.vec(1.5);
    return moved(p, (v) => m.addScaled(base, m.add(m.rotate(v, q), t), size));
  };
  // Planes are rounded with the coordinates; two that meet at a sharp angle move their edge by many times that.
  return { a: place(draw(rng)), b: place(draw(rng)), error: 1e-12 * (size + m.length(base)) };
}

describe('overlapPolyhedronBoundaries', () => {
  let hits = 0;
  let cases = 0;
  property('[R9.1] says the same as the linear program', 10_000, (rng) => {
    const { a, b, error } = pair(rng);
    const found = overlapPolyhedronBoundaries(a, b);
    cases++;
    if (found) hits++;
    const truth = separatingPlanePoints(a.vertices, b.vertices) === null;
    if (truth === found && overlapPolyhedronBoundaries(b, a) === found) return;
    // Then they are as good as touching.
    const { distance } = closestFeatures(voronoiRegions(a), voronoiRegions(b), makeFrame());
    const depth = penetrationPolyhedronPolyhedron(a, b)?.depth ?? 0;
    check(distance + depth <= error, () => `${found}, distance ${distance}, depth ${depth}`);
  });

  test('[R9.1] the random pairs are of both kinds', () => {
    expect(hits / cases).toBeGreaterThan(0.2);
    expect(hits / cases).toBeLessThan(0.8);
  });

  test('[R9.1] identical cubes, one slid along an axis, meet up to the length of an edge', () => {
    const cube = box(1, 1, 1);
    for (const axis of [vec3(1, 0, 0), vec3(0, -1, 0), vec3(0, 0, 1)]) {
      for (let k = 0; k <= 200; k++)
        expect(
          overlapPolyhedronBoundaries(
            cube,
            moved(cube, (v) => m.addScaled(v, axis, k / 100)),
          ),
        ).toBe(true);
      for (const far of [2 + 1e-14, 2.001, 3])
        expect(
          overlapPolyhedronBoundaries(
            cube,
            moved(cube, (v) => m.addScaled(v, axis, far)),
          ),
        ).toBe(false);
    }
  });

  property('[R9.1] solids meet themselves, and copies that share their planes', 2_000, (rng) => {
    const p = draw(rng);
    const q = rng.rotation();
    const turned = moved(p, (v) => m.rotate(v, q));
    check(overlapPolyhedronBoundaries(turned, turned), 'not itself');
    // Shrunk towards a corner the copy shares the planes that meet there; about the middle it is inside.
    const corner = rng.pick(turned.vertices);
    const middle = turned.vertices.reduce(
      (sum, v) => m.addScaled(sum, v, 1 / turned.vertices.length),
      vec3(),
    );
    for (const about of [corner, middle])
      for (const k of [0.5, 1, 2]) {
        const copy = moved(turned, (v) => m.addScaled(about, m.sub(v, about), k));
        check(overlapPolyhedronBoundaries(turned, copy), () => `not ${k} times itself`);
        check(overlapPolyhedronBoundaries(copy, turned), () => `${k} times itself, not`);
      }
  });

  test('[R9.1] a needle through a plate, one inside the other, corner on corner, edge across edge', () => {
    const plate = box(4, 0.1, 4);
    const needle = moved(box(0.01, 5, 0.01), (v) => m.add(v, vec3(1.7, 0, -2.1)));
    expect(overlapPolyhedronBoundaries(plate, needle)).toBe(true);
    expect(overlapPolyhedronBoundaries(needle, plate)).toBe(true);
    expect(overlapPolyhedronBoundaries(box(1, 1, 1), box(0.1, 0.2, 0.3))).toBe(true);
    expect(overlapPolyhedronBoundaries(box(0.1, 0.2, 0.3), box(1, 1, 1))).toBe(true);
    const cube = box(1, 1, 1);
    expect(
      overlapPolyhedronBoundaries(
        cube,
        moved(cube, (v) => m.add(v, vec3(2, 2, 2))),
      ),
    ).toBe(true);
    const bar = moved(box(0.5, 0.5, 9), ({ x, y, z }) => vec3(x - y, x + y, z));
    const beam = moved(box(9, 0.5, 0.5), ({ x, y, z }) => vec3(x, y - z + 2, y + z));
    expect(overlapPolyhedronBoundaries(bar, beam)).toBe(true);
    expect(
      overlapPolyhedronBoundaries(
        bar,
        moved(beam, (v) => m.add(v, vec3(0, 1e-9, 0))),
      ),
    ).toBe(false);
  });

  test('[R9.1] flat and shrunken boxes', () => {
    const cube = box(1, 1, 1);
    expect(overlapPolyhedronBoundaries(cube, box(5, 0, 5))).toBe(true);
    expect(overlapPolyhedronBoundaries(cube, box(0, 0, 0))).toBe(true);
    expect(overlapPolyhedronBoundaries(box(0, 0, 0), box(0, 0, 0))).toBe(true);
    const corner = boxPolyhedron(vec3(1, 1, 1), vec3(1, 1, 1));
    expect(overlapPolyhedronBoundaries(cube, corner)).toBe(true);
    expect(overlapPolyhedronBoundaries(box(5, 0, 5), corner)).toBe(false);
  });
});
