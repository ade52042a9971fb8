import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { boxPolyhedron, facePlane, polyhedron } from '../../polytope/polyhedron.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import {
  makePenetration,
  makeSeparatingAxis,
  overlapPolyhedronPolyhedron,
  penetrationPolyhedronPolyhedron,
} from './polyhedron-polyhedron.ts';

/** The same faces with the vertices moved. */
const moved = ({ vertices, faces }: Polyhedron, move: (v: Vec3) => Vec3): Polyhedron => {
  const placed = vertices.map(move);
  return { vertices: placed, faces, planes: faces.map((face) => facePlane(placed, face)) };
};

const CUBE = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
const TETRAHEDRON = polyhedron([vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0), vec3(0, 0, 2)]);
const OCTAHEDRON = polyhedron([
  vec3(1, 0, 0),
  vec3(-1, 0, 0),
  vec3(0, 1, 0),
  vec3(0, -1, 0),
  vec3(0, 0, 1),
  vec3(0, 0, -1),
]);
const WEDGE = polyhedron([
  vec3(0, 0, 0),
  vec3(2, 0, 0),
  vec3(0, 1, 0),
  vec3(0, 0, 3),
  vec3(2, 0, 3),
  vec3(0, 1, 3),
]);
const SOLIDS = [CUBE, TETRAHEDRON, OCTAHEDRON, WEDGE];

interface Pair {
  a: Polyhedron;
  b: Polyhedron;
  size: number;
}

/** Two solids near each other: aligned, turned by a hair, or at random; near the origin or far away. */
function draw(rng: Rng): Pair {
  const size = rng.pick([1, 1, 1, 1e6, 1e-6]);
  const base = rng.chance(0.2) ? rng.vec(1e6 * size) : vec3();
  const place = (): Polyhedron => {
    const mode = rng.unit();
    const q = rng.rotation();
    if (mode < 0.5) {
      const hair = mode < 0.2 ? 0 : rng.pick([1e-5, 1e-8, 1e-12, 1e-16]);
      q.x = rng.gauss() * hair;
      q.y = rng.gauss() * hair;
      q.z = rng.gauss() * hair;
      q.w = 1;
    }
    const at = rng.chance(0.4) ? vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)) : rng.vec(1.2);
    return moved(rng.pick(SOLIDS), (v) => m.add(m.scale(m.add(m.rotate(v, q), at), size), base));
  };
  return { a: place(), b: place(), size };
}

/** The largest gap over every axis there can be, projecting all vertices on each; shares nothing with the code. */
function bruteGap({ a, b }: Pair): { gap: number; axis: Vec3 } {
  const edges = (p: Polyhedron) =>
    p.faces.flatMap((face) =>
      face.map((i, k) => m.sub(p.vertices[face[(k + 1) % face.length]!]!, p.vertices[i]!)),
    );
  const distinct = (vectors: Vec3[]) => {
    const kept: Vec3[] = [];
    for (const v of vectors.map((w) => m.normalize(w)))
      if (!kept.some((w) => m.lengthSq(m.cross(v, w)) < 1e-30)) kept.push(v);
    return kept;
  };
  const [ea, eb] = [distinct(edges(a)), distinct(edges(b))];
  const axes = [...a.planes.map((p) => p.normal), ...b.planes.map((p) => p.normal)];
  for (const u of ea)
    for (const v of eb) {
      axes.push(m.normalize(m.cross(u, v)));
      if (m.lengthSq(m.cross(u, v)) < 1e-8)
        for (const p of a.vertices)
          for (const q of b.vertices) {
            const w = m.sub(q, p);
            axes.push(m.normalize(m.addScaled(w, u, -m.dot(w, u))));
          }
    }
  const origin = a.vertices[0]!;
  const span = (p: Polyhedron, axis: Vec3) => p.vertices.map((v) => m.dot(m.sub(v, origin), axis));
  let best = { gap: -Infinity, axis: vec3() };
  for (const axis of axes) {
    if (m.lengthSq(axis) < 0.5) continue;
    const s = span(a, axis);
    const t = span(b, axis);
    const ahead = Math.min(...t) - Math.max(...s);
    const behind = Math.min(...s) - Math.max(...t);
    if (ahead > best.gap) best = { gap: ahead, axis };
    if (behind > best.gap) best = { gap: behind, axis: m.negate(axis) };
  }
  return best;
}

// Vertices far away have been rounded to their last bit there: faces are not flat, edges turn, by that much.
const errorOf = ({ a, b, size }: Pair): number => {
  const largest = Math.max(
    ...[...a.vertices, ...b.vertices].map((v) => Math.max(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z))),
  );
  return 1e-14 * size + 4e-15 * largest;
};

describe('overlapPolyhedronPolyhedron', () => {
  let apart = 0;
  let cases = 0;
  property('[R5.2.1] equals the projections on all axes', 5_000, (rng) => {
    const pair = draw(rng);
    const { gap } = bruteGap(pair);
    const found = overlapPolyhedronPolyhedron(pair.a, pair.b);
    const error = errorOf(pair);
    const what = () => `gap ${gap}: ${JSON.stringify(pair)}`;
    if (gap > error) check(!found, what);
    if (gap <= 0) check(found, what);
    check(overlapPolyhedronPolyhedron(pair.b, pair.a) === found || Math.abs(gap) <= error, what);
    cases++;
    if (!found) apart++;
  });

  test('[R5.2.1] the random pairs are of both kinds', () => {
    expect(apart / cases).toBeGreaterThan(0.2);
    expect(apart / cases).toBeLessThan(0.8);
  });

  property(
    '[R5.2.1] points that are in both are never missed, nor pairs on the two sides of a plane',
    10_000,
    (rng) => {
      const { a, b, size } = draw(rng);
      if (rng.chance(0.5)) {
        // Move b so that a point of it lies on a point of a: then they meet (or touch).
        const mix = (p: Polyhedron) => {
          const [u, v] = [rng.pick(p.vertices), rng.pick(p.vertices)];
          return m.lerp(u, v, rng.pick([0, 0.25, 0.5, 1]));
        };
        const shift = m.sub(mix(a), mix(b));
        const met = moved(b, (v) => m.add(v, shift));
        // Rounding the moved vertices may have parted them.
        if (!overlapPolyhedronPolyhedron(a, met))
          check(bruteGap({ a, b: met, size }).gap > 0, () => JSON.stringify([a, met]));
      } else {
        // Move b beyond a plane that has all of a behind it.
        const n = rng.direction();
        const high = Math.max(...a.vertices.map((v) => m.dot(n, v)));
        const low = Math.min(...b.vertices.map((v) => m.dot(n, v)));
        const by = high - low + size * rng.pick([1, 1e-3]);
        const away = moved(b, (v) => m.addScaled(v, n, by));
        check(!overlapPolyhedronPolyhedron(a, away), () => JSON.stringify([a, away, n]));
      }
    },
  );

  property('[R5.2.1.1] pairs that overlap, one turned by a hair, never separate', 10_000, (rng) => {
    const angle = rng.pick([0, 1e-16, 1e-13, 1e-10, 1e-8, 1e-6, 1e-4]);
    const axis = rng.chance(0.5) ? rng.pick([vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)]) : rng.direction();
    const q = { x: (axis.x * angle) / 2, y: (axis.y * angle) / 2, z: (axis.z * angle) / 2, w: 1 };
    const a = rng.pick(SOLIDS);
    // Twins about a common inner point, shifted by less than the width of either.
    const inner = m.scale(
      a.vertices.reduce((s, v) => m.add(s, v), vec3()),
      1 / a.vertices.length,
    );
    const shift = rng.chance(0.3) ? vec3() : rng.vec(0.1);
    const b = moved(a, (v) => m.add(m.add(m.rotate(m.sub(v, inner), q), inner), shift));
    check(overlapPolyhedronPolyhedron(a, b), () => JSON.stringify([q, shift]));
    check(overlapPolyhedronPolyhedron(b, a), () => JSON.stringify([q, shift]));
  });

  test('[R5.2.1.1] two long edges side by side, turned by a hair, are told apart', () => {
    for (const angle of [0, 1e-12, 1e-9, 1e-7]) {
      // Two square bars on edge; the way between their edges is along x.
      const bar = (sign: number, turn: number) =>
        moved(boxPolyhedron(vec3(-1, -1, -50), vec3(1, 1, 50)), (v) => {
          const s = Math.SQRT1_2;
          const w = vec3(s * (v.x - v.y), s * (v.x + v.y), v.z);
          return vec3(w.x + sign * (Math.SQRT2 + 5e-6), w.y + turn * w.z, w.z);
        });
      expect(overlapPolyhedronPolyhedron(bar(-1, 0), bar(1, angle))).toBe(false);
      expect(
        overlapPolyhedronPolyhedron(
          bar(-1, 0),
          moved(bar(1, angle), (v) => vec3(v.x - 1.1e-5, v.y, v.z)),
        ),
      ).toBe(true);
    }
  });

  test('[R5.2.1] touching counts: faces, edges and corners', () => {
    const at = (x: number, y: number, z: number) => moved(CUBE, (v) => m.add(v, vec3(x, y, z)));
    for (const b of [at(2, 0, 0), at(2, 2, 0), at(2, 2, 2), at(0, -2, 1)])
      expect(overlapPolyhedronPolyhedron(CUBE, b)).toBe(true);
    expect(overlapPolyhedronPolyhedron(CUBE, at(2 + 1e-13, 0, 0))).toBe(false);
  });

  test('[R5.2.1] only crossed edges can part two tetrahedra', () => {
    const a = polyhedron([vec3(-1, 0, 0), vec3(1, 0, 0), vec3(0, -1, -1), vec3(0, 1, -1)]);
    const b = polyhedron([vec3(0, -1, 0.01), vec3(0, 1, 0.01), vec3(-1, 0, 1.01), vec3(1, 0, 1.01)]);
    const cache = makeSeparatingAxis();
    expect(overlapPolyhedronPolyhedron(a, b, cache)).toBe(false);
    expect(cache.kind).toBe('edges');
    expect(overlapPolyhedronPolyhedron(a, b, cache)).toBe(false);
    expect(
      overlapPolyhedronPolyhedron(
        a,
        moved(b, (v) => m.add(v, vec3(0, 0, -0.02))),
        cache,
      ),
    ).toBe(true);
  });

  property('[R5.2.1] a cached axis changes no answer, and is tried first', 10_000, (rng) => {
    const { a, b, size } = draw(rng);
    const cache = makeSeparatingAxis();
    const found = overlapPolyhedronPolyhedron(a, b, cache);
    check(found === (cache.kind === 'none'), 'noted');
    const shift = rng.vec(0.1 * size);
    const later = moved(b, (v) => m.add(v, shift));
    const before = { ...cache };
    const again = overlapPolyhedronPolyhedron(a, later, cache);
    check(again === overlapPolyhedronPolyhedron(a, later), () => JSON.stringify([a, later, before]));
    // The axis that worked still works when nothing moves: it is not replaced.
    overlapPolyhedronPolyhedron(a, b, before);
    if (!found) check(before.kind !== 'none', 'kept');
    // A cache of some other pair does no harm.
    const wild = {
      kind: rng.pick(['faceA', 'faceB', 'edges'] as const),
      a: rng.int(0, 90),
      b: rng.int(0, 90),
    };
    check(overlapPolyhedronPolyhedron(a, b, wild) === found, () => `wild ${JSON.stringify([a, b, wild])}`);
  });

  test('[R5.2.1] broken input is refused by name', () => {
    const open = { ...CUBE, faces: CUBE.faces.slice(1), planes: CUBE.planes.slice(1) };
    expect(() => overlapPolyhedronPolyhedron(CUBE, open)).toThrow(/b\.faces/);
    expect(() =>
      overlapPolyhedronPolyhedron({ ...CUBE, faces: [[0, 1, 99]], planes: [CUBE.planes[0]!] }, CUBE),
    ).toThrow(/a\.faces/);
    const bad = moved(CUBE, (v) => vec3(v.x, v.y, Number.NaN));
    expect(() => penetrationPolyhedronPolyhedron(CUBE, bad)).toThrow(/b\.vertices/);
  });
});

describe('penetrationPolyhedronPolyhedron', () => {
  property('[R5.2.1] the depth is the least overlap, and moving by it just separates', 5_000, (rng) => {
    const pair = draw(rng);
    const { a, b, size } = pair;
    const { gap } = bruteGap(pair);
    const found = penetrationPolyhedronPolyhedron(a, b, makePenetration());
    const error = errorOf(pair);
    const what = () => `gap ${gap}: ${JSON.stringify([found, pair])}`;
    if (gap > error) check(found === null, what);
    if (gap <= 0) check(found !== null, what);
    check((found !== null) === overlapPolyhedronPolyhedron(a, b), 'same verdict');
    if (!found) return;
    // Turned by a hair, edges cross at a point that the oracle knows less well.
    near(found.depth, Math.max(-gap, 0), error + 1e-10 * size, 'depth');
    near(m.length(found.normal), 1, 1e-15, 'normal');
    const freed = (by: number) => moved(a, (v) => m.addScaled(v, found.normal, found.depth + by));
    check(!overlapPolyhedronPolyhedron(freed(2 * error), b), () => `freed: ${what()}`);
    if (found.depth > 4 * error)
      check(overlapPolyhedronPolyhedron(freed(-2 * error), b), () => `held: ${what()}`);
  });

  property('[R5.2.1] the contact points lie on the features named', 10_000, (rng) => {
    const pair = draw(rng);
    const { a, b } = pair;
    const found = penetrationPolyhedronPolyhedron(a, b);
    if (!found) return;
    const { featureA, featureB, pointA, pointB, depth, normal } = found;
    const error = errorOf(pair);
    const what = () => JSON.stringify([found, pair]);
    const kinds = `${featureA.kind} ${featureB.kind}`;
    check(['face vertex', 'vertex face', 'edge edge'].includes(kinds), () => `kinds: ${what()}`);
    for (const [solid, feature, point] of [
      [a, featureA, pointA],
      [b, featureB, pointB],
    ] as const) {
      if (feature.kind === 'vertex')
        check(m.equals(point, solid.vertices[feature.index]!), () => `vertex: ${what()}`);
      else if (feature.kind === 'face') {
        const { normal: n } = solid.planes[feature.index]!;
        const corner = solid.vertices[solid.faces[feature.index]![0]!]!;
        near(m.dot(n, m.sub(point, corner)), 0, error, 'face');
      } else {
        const [u, v] = [solid.vertices[feature.index]!, solid.vertices[feature.end]!];
        near(m.distance(u, point) + m.distance(point, v), m.distance(u, v), error, 'edge');
      }
    }
    if (kinds !== 'edge edge')
      near(m.distance(m.addScaled(pointA, normal, depth), pointB), 0, error, 'apart by the depth');
  });

  test('[R5.2.1] a cube resting in another', () => {
    const b = moved(CUBE, (v) => vec3(v.x + 0.25, v.y - 0.5, v.z + 1.75));
    const { normal, depth, featureA, featureB } = penetrationPolyhedronPolyhedron(CUBE, b)!;
    expect(normal.z).toBe(-1);
    expect(depth).toBe(0.25);
    expect([featureA.kind, featureB.kind]).toEqual(['face', 'vertex']);
  });

  test('[R5.2.1] two tetrahedra by their edges', () => {
    const a = polyhedron([vec3(-1, 0, 0), vec3(1, 0, 0), vec3(0, -1, -1), vec3(0, 1, -1)]);
    const b = polyhedron([vec3(0, -1, -0.1), vec3(0, 1, -0.1), vec3(-1, 0, 0.9), vec3(1, 0, 0.9)]);
    const { normal, depth, pointA, pointB, featureA, featureB } = penetrationPolyhedronPolyhedron(a, b)!;
    expect([featureA.kind, featureB.kind]).toEqual(['edge', 'edge']);
    expect(normal.z).toBeCloseTo(-1, 14);
    expect(depth).toBeCloseTo(0.1, 14);
    expect(m.length(pointA)).toBeCloseTo(0, 14);
    expect(pointB.z).toBeCloseTo(-0.1, 14);
  });
});
