import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact as E, near, property } from '../../../tests/kit/index.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { boxPolyhedron, polyhedron } from '../../polytope/polyhedron.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import {
  overlapPolyhedronPolyhedron,
  penetrationPolyhedronPolyhedron,
} from '../overlap/polyhedron-polyhedron.ts';
import { sweepPolyhedronPolyhedron } from './polyhedron-polyhedron.ts';

/** The hull of the points, or null when they lie in a plane. */
function hull(points: readonly Vec3[]): Polyhedron | null {
  try {
    return polyhedron(points);
  } catch {
    return null;
  }
}

const moved = (a: readonly Vec3[], v: Vec3, t: number): Vec3[] => a.map((p) => v3.addScaled(p, v, t));

const translated = ({ vertices, faces, planes }: Polyhedron, v: Vec3, t: number): Polyhedron => ({
  vertices: moved(vertices, v, t),
  faces,
  planes: planes.map(({ normal, d }) => ({ normal, d: d + t * v3.dot(normal, v) })),
});

/** Grown by a cube of this half size: scaling about the middle would leave a thin one thin. */
function grown(a: readonly Vec3[], by: number): Polyhedron {
  const corners = boxPolyhedron(vec3(-by, -by, -by), vec3(by, by, by)).vertices;
  return hull(a.flatMap((p) => corners.map((corner) => v3.add(p, corner))))!;
}

/** Do they overlap, or come within `by` of it? */
const nearly = (a: Polyhedron, b: Polyhedron, by: number): boolean =>
  overlapPolyhedronPolyhedron(a, b) || overlapPolyhedronPolyhedron(a, grown(b.vertices, by));

/** How deep they overlap, 0 when they are apart. */
const depth = (a: Polyhedron, b: Polyhedron): number => penetrationPolyhedronPolyhedron(a, b)?.depth ?? 0;

function draw(
  rng: Rng,
): { a: Polyhedron; b: Polyhedron; motion: Vec3; size: number; slivers: boolean } | null {
  const { points, size, regime } = cloud(
    rng,
    14,
    rng.pick(['plain', 'lattice', 'huge', 'tiny', 'jittered'] as const),
  );
  const count = rng.int(4, 6);
  const shift = v3.scale(rng.direction(), size * rng.range(0, 4));
  const a = hull(points.slice(0, count));
  const b = hull(moved(points.slice(6, 6 + count), shift, 1));
  if (!a || !b) return null;
  const motion = rng.chance(0.6)
    ? v3.scale(v3.sub(b.vertices[0]!, a.vertices[0]!), rng.range(0.5, 2))
    : v3.sub(points[12]!, points[13]!);
  return {
    a,
    b,
    motion: rng.chance(0.1) ? vec3() : motion,
    size: size + v3.length(shift) + v3.length(motion),
    slivers: regime === 'jittered',
  };
}

describe('sweepPolyhedronPolyhedron', () => {
  let hits = 0;
  let cases = 0;

  property(
    '[R5.5.2] hits when the hull of the whole motion overlaps the other, and only then',
    10_000,
    (rng) => {
      const problem = draw(rng);
      if (!problem) return;
      const { a, b, motion, size, slivers } = problem;
      cases++;
      const span = sweepPolyhedronPolyhedron(a, motion, b);
      if (span) hits++;
      const swept = hull([...a.vertices, ...moved(a.vertices, motion, 1)])!;
      const noise = 20 * SWEEP_SLACK * size;
      if (!span) {
        // The static test does not use edges of 1e-9, and then finds an overlap by as much where there is none.
        check(depth(swept, b) <= (slivers ? 1e-8 : noise), 'missed');
        return;
      }
      check(nearly(swept, b, noise), 'a false hit');
      const { enter, exit, normal } = span;
      check(enter >= 0 && enter <= 1 && exit >= enter, 'times');
      check(Math.abs(v3.length(normal) - 1) <= 4 * Number.EPSILON, 'normal');
      // They overlap between the two times, and not outside. Sharp corners that graze each other may be apart by a
      // hundred times what separates their shadows.
      const last = Math.min(exit, 2 + enter);
      for (const s of [0.01, 0.5, 0.99]) {
        const then = translated(a, motion, enter + s * (last - enter));
        check(nearly(then, b, 100 * noise), 'apart in between');
      }
      if (v3.lengthSq(motion) === 0) return;
      // Backwards in time, from a while after they parted, they meet when they parted.
      if (exit < 10) {
        const start = exit + 0.5;
        const back = sweepPolyhedronPolyhedron(translated(a, motion, start), v3.scale(motion, -start), b);
        check(back !== null, 'missed on the way back');
        const speed = v3.dot(back.normal, motion);
        near((1 - back.enter) * start, exit, (10 * noise) / speed, 'exit');
      }
      if (enter === 0) return;
      // The normal is a proof that they are apart until then: exactly, at that time, and it grows backwards in time.
      const n = E.qv(normal);
      const v = E.vdot(n, E.qv(motion));
      check(E.sign(v) < 0, 'the normal goes with the motion');
      const heights = (p: Polyhedron): E.Q[] => p.vertices.map((x) => E.vdot(n, E.qv(x)));
      const gap = E.sub(E.add(heights(a).reduce(E.min), E.mul(v, E.q(enter))), heights(b).reduce(E.max));
      check(E.sign(gap) >= 0, () => `late: they overlap by ${-E.toNumber(gap)}`);
      check(
        E.toNumber(gap) <= 12 * SWEEP_SLACK * size,
        () => `early: ${E.toNumber(gap)} for a size of ${size}`,
      );
    },
  );

  test('[R5.5.2] random cases are hits and misses alike', () => {
    expect(hits / cases).toBeGreaterThan(0.3);
    expect(hits / cases).toBeLessThan(0.9);
  });

  property('[R5.5.2] without motion it is the static test', 10_000, (rng) => {
    const problem = draw(rng);
    if (!problem) return;
    const { a, b, size, slivers } = problem;
    const span = sweepPolyhedronPolyhedron(a, vec3(), b);
    const noise = 20 * SWEEP_SLACK * size;
    if (span) check(nearly(a, b, noise), 'a false hit');
    else check(depth(a, b) <= (slivers ? 1e-8 : noise), 'missed');
    if (span) check(span.enter === 0 && span.exit === Infinity, 'times');
  });

  const cube = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));

  test('[R5.5.2] cubes face to face, and the zero speed along an axis', () => {
    const other = boxPolyhedron(vec3(4, 0.5, 0), vec3(6, 2, 2));
    const span = sweepPolyhedronPolyhedron(cube, vec3(6, 0, 0), other)!;
    expect(span.enter).toBeCloseTo(0.5, 13);
    expect(span.exit).toBeCloseTo(7 / 6, 13);
    expect(span.normal.x).toBeCloseTo(-1, 14);
    expect(
      sweepPolyhedronPolyhedron(cube, vec3(6, 0, 0), boxPolyhedron(vec3(4, 2, 0), vec3(6, 3, 2))),
    ).toBeNull();
    expect(sweepPolyhedronPolyhedron(cube, vec3(-6, 0, 0), other)).toBeNull();
    expect(sweepPolyhedronPolyhedron(cube, vec3(2.9, 0, 0), other)).toBeNull();
  });

  test('[R5.5.2] a start in touch enters at 0, along the shallowest axis', () => {
    const span = sweepPolyhedronPolyhedron(
      cube,
      vec3(1, 0, 0),
      boxPolyhedron(vec3(-1, 0.9, -1), vec3(1, 3, 1)),
    )!;
    expect(span.enter).toBe(0);
    expect(span.exit).toBeCloseTo(2, 13);
    expect(span.normal.y).toBeCloseTo(-1, 14);
    expect(sweepPolyhedronPolyhedron(cube, vec3(), cube)).toMatchObject({ enter: 0, exit: Infinity });
  });

  test('bad input is named', () => {
    const broken = { ...cube, vertices: cube.vertices.map((v, i) => (i === 3 ? vec3(0, Number.NaN, 0) : v)) };
    expect(() => sweepPolyhedronPolyhedron(cube, vec3(), broken)).toThrow(/b\.vertices\[3\]\.y/);
    expect(() => sweepPolyhedronPolyhedron(cube, vec3(0, Infinity, 0), cube)).toThrow(/motion\.y/);
  });
});
