import { describe, expect, test } from 'vitest';
import { frameOf, polytopeCore } from '../../../tests/kit/convex.ts';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { type Frame, makeFrame, toFirst } from '../../convex/frame.ts';
import { gjkDistance, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { quat, vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { boxPolyhedron, facePlane, polyhedron } from '../../polytope/polyhedron.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import { penetrationPolyhedronPolyhedron } from '../../primitives/overlap/polyhedron-polyhedron.ts';
import { type VoronoiRegions, voronoiRegions } from '../ch03/voronoi.ts';
import {
  closestFeatures,
  type FeatureDistance,
  type FeaturePair,
  makeFeatureDistance,
  makeFeaturePair,
} from './v-clip.ts';

interface Body {
  solid: Polyhedron;
  regions: VoronoiRegions;
  core: ConvexCore;
}
const body = (solid: Polyhedron): Body => ({
  solid,
  regions: voronoiRegions(solid),
  core: polytopeCore(solid.vertices),
});

/** Points on a sphere, spread by the golden angle. */
const ball = (n: number, radius = 1): Vec3[] =>
  Array.from({ length: n }, (_, i) => {
    const z = 1 - (2 * i + 1) / n;
    const r = Math.sqrt(1 - z * z) * radius;
    const angle = 2.399963229728653 * i;
    return vec3(r * Math.cos(angle), r * Math.sin(angle), z * radius);
  });

const CUBE = body(boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1)));
const PLATE = body(boxPolyhedron(vec3(-3, -0.01, -2), vec3(3, 0.01, 2)));
const TETRAHEDRON = body(polyhedron([vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0), vec3(0, 0, 2)]));
const OCTAHEDRON = body(
  polyhedron([vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1)]),
);
const BALL = body(polyhedron(ball(60)));
const PRISM = body(
  polyhedron([0, 1, 2, 3, 4, 5].flatMap((k) => [-1, 1].map((z) => vec3(Math.cos(k), Math.sin(k), z)))),
);
const FIXED = [CUBE, PLATE, TETRAHEDRON, OCTAHEDRON, BALL, PRISM];

function randomBody(rng: Rng): Body {
  if (rng.chance(0.7)) return rng.pick(FIXED);
  const stretch = vec3(rng.range(0.05, 2), rng.range(0.05, 2), rng.range(0.05, 2));
  for (;;) {
    const points = Array.from({ length: rng.int(5, 14) }, () =>
      rng.chance(0.5) ? m.multiply(rng.vec(), stretch) : vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2)),
    );
    try {
      return body(polyhedron(points));
    } catch {} // flat: draw again
  }
}

/** Turned at random, by a hair or not at all; overlapping, in touch, near or far. */
function randomPlace(rng: Rng): Frame {
  const q = rng.chance(0.5) ? rng.rotation() : quat();
  if (rng.chance(0.3)) {
    const hair = rng.pick([1e-5, 1e-9, 1e-14]);
    q.x += hair * rng.gauss();
    q.y += hair * rng.gauss();
    q.z += hair * rng.gauss();
  }
  const t = rng.chance(0.4) ? vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)) : rng.vec(3);
  return frameOf(q, m.scale(t, rng.pick([1, 1, 1, 2, 100])));
}

function randomState(rng: Rng, a: Body, b: Body): FeaturePair {
  const kindA = rng.pick(['vertex', 'edge', 'face'] as const);
  const kindB = rng.pick(['vertex', 'edge', 'face'] as const);
  const count = ({ regions: { vertices, edges, faces } }: Body, kind: string) =>
    (kind === 'vertex' ? vertices : kind === 'edge' ? edges : faces).length;
  return { kindA, a: rng.int(0, count(a, kindA) - 1), kindB, b: rng.int(0, count(b, kindB) - 1) };
}

const placed = ({ solid }: Body, frame: Frame): Polyhedron => {
  const vertices = solid.vertices.map((v) => toFirst(frame, v, vec3()));
  return { vertices, faces: solid.faces, planes: solid.faces.map((face) => facePlane(vertices, face)) };
};

const sizeOf = (a: Polyhedron, b: Polyhedron): number =>
  Math.max(...[...a.vertices, ...b.vertices].map((v) => m.length(v)));

const heights = (p: Polyhedron, n: ReadonlyVec3): number[] => p.vertices.map((v) => m.dot(v, n));
/** How far outside of the solid is the point? */
const outside = (p: Polyhedron, x: ReadonlyVec3): number =>
  Math.max(...p.planes.map(({ normal, d }) => m.dot(normal, x) - d));

/**
 * A certificate: the points are on the bodies, so the distance is at most theirs; and some slab as wide holds nothing of
 * either body and parts them, so it is at least that. For bodies that meet: the point is in both.
 *
 * The slab is at a right angle to the way between the points, whose direction is known to error / distance, or better, to
 * the face that is closest.
 */
function certify(a: Polyhedron, b: Polyhedron, state: FeaturePair, out: FeatureDistance): void {
  const size = sizeOf(a, b);
  const error = 2e-14 * size;
  check(outside(a, out.a) <= error, () => `a is outside by ${outside(a, out.a)}`);
  check(outside(b, out.b) <= error, () => `b is outside by ${outside(b, out.b)}`);
  near(m.distance(out.a, out.b), out.distance, error, 'distance of the points');
  if (out.distance <= error) return; // nothing is left to prove
  const between = m.normalize(m.sub(out.a, out.b));
  const gap = (n: ReadonlyVec3) => Math.min(...heights(a, n)) - Math.max(...heights(b, n));
  near(gap(between), out.distance, error + 1e-15 * size * (size / out.distance), 'gap');
  if (out.distance < 1e-6 * size) return; // which features these are is within rounding
  if (state.kindA === 'face')
    near(gap(m.negate(a.planes[state.a]!.normal)), out.distance, error, 'gap over the face');
  if (state.kindB === 'face') near(gap(b.planes[state.b]!.normal), out.distance, error, 'gap over the face');
}

describe('closestFeatures', () => {
  const memory = makeGjkState();
  const result = makeGjkResult();
  let meetings = 0;
  let cases = 0;
  property(
    '[R9.2.1a] [R9.2.1b] the distance is proved by a slab between, the meeting by a point in both',
    10_000,
    (rng) => {
      const [a, b] = [randomBody(rng), randomBody(rng)];
      const frame = randomPlace(rng);
      const state = randomState(rng, a, b);
      const out = closestFeatures(a.regions, b.regions, frame, state);
      const second = placed(b, frame);
      certify(a.solid, second, state, out);
      const gjk = gjkDistance(a.core, b.core, frame, memory, result);
      near(out.distance, gjk.distance, 1e-9 * sizeOf(a.solid, second), 'distance by GJK');
      const limit = a.solid.vertices.length + b.solid.vertices.length + 40;
      check(out.steps <= limit, () => `${out.steps} steps`);
      cases++;
      if (out.distance === 0) meetings++;
      // Bodies that overlap by more than rounding are found to meet, and only they.
      const deep = penetrationPolyhedronPolyhedron(a.solid, second)?.depth ?? -1;
      if (deep > 1e-12) check(out.distance === 0, () => `deep ${deep}, distance ${out.distance}`);
      if (deep < 0) check(out.distance > 0, 'they do not meet');
    },
  );

  test('[R9.2.1a] the random pairs are of both kinds', () => {
    expect(meetings / cases).toBeGreaterThan(0.1);
    expect(meetings / cases).toBeLessThan(0.7);
  });

  property('[R9.2.1a] [R9.2.1b] every start leads to the same distance', 300, (rng) => {
    const [a, b] = [rng.pick([CUBE, PLATE, TETRAHEDRON]), rng.pick([CUBE, TETRAHEDRON, OCTAHEDRON])];
    const frame = randomPlace(rng);
    const { distance } = closestFeatures(a.regions, b.regions, frame);
    const out = makeFeatureDistance();
    const error = 1e-14 * sizeOf(a.solid, placed(b, frame));
    const kinds = (r: VoronoiRegions) => [
      ...r.vertices.map((_, i) => ['vertex', i] as const),
      ...r.edges.map((_, i) => ['edge', i] as const),
      ...r.faces.map((_, i) => ['face', i] as const),
    ];
    for (const [kindA, i] of kinds(a.regions))
      for (const [kindB, j] of kinds(b.regions)) {
        closestFeatures(a.regions, b.regions, frame, { kindA, a: i, kindB, b: j }, out);
        near(out.distance, distance, error, `${kindA} ${i}, ${kindB} ${j}`);
        check(out.steps <= 40, () => `${out.steps} steps`);
      }
  });

  test('[R9.2.1a] parallel faces and parallel edges', () => {
    const pair = makeFeaturePair();
    const face = closestFeatures(
      CUBE.regions,
      CUBE.regions,
      { ...makeFrame(), tx: 0.3, ty: 3, tz: -0.2 },
      pair,
    );
    expect(face.distance).toBe(1);
    expect(face.b.y - face.a.y).toBe(1);
    const edge = closestFeatures(CUBE.regions, CUBE.regions, { ...makeFrame(), tx: 5, ty: 6, tz: 0.5 });
    expect(edge.distance).toBe(5);
    const corner = closestFeatures(CUBE.regions, CUBE.regions, { ...makeFrame(), tx: 4, ty: 4, tz: 3 }, pair);
    expect(corner.distance).toBe(3);
    expect([pair.kindA, pair.kindB]).toEqual(['vertex', 'vertex']);
  });

  test('[R9.2.1a] touching counts as meeting: face, edge, corner', () => {
    for (const t of [vec3(2, 0.3, 0.1), vec3(2, 2, 0.3), vec3(2, 2, 2), vec3(-2, 2, -2)]) {
      const out = closestFeatures(CUBE.regions, CUBE.regions, { ...makeFrame(), tx: t.x, ty: t.y, tz: t.z });
      expect(out.distance).toBe(0);
      expect(out.a).toEqual(out.b);
    }
  });

  test('[R9.2.1a] a slow spin takes a step or two a frame', () => {
    const large = body(polyhedron(ball(400)));
    const state = makeFeaturePair();
    const out = makeFeatureDistance();
    let steps = 0;
    let most = 0;
    closestFeatures(large.regions, large.regions, frameOf(quat(), vec3(2.5, 0, 0)), state, out);
    const frames = 5000;
    for (let i = 0; i < frames; i++) {
      const angle = 0.002 * i;
      const q = quat(
        0.3 * Math.sin(angle / 2),
        Math.sin(angle / 2),
        0.5 * Math.sin(angle / 2),
        Math.cos(angle / 2),
      );
      const t = vec3(2.5 * Math.cos(angle / 3), 2.5 * Math.sin(angle / 3), 0);
      closestFeatures(large.regions, large.regions, frameOf(q, t), state, out);
      steps += out.steps;
      most = Math.max(most, out.steps);
    }
    expect(steps / frames).toBeLessThan(1.5);
    expect(most).toBeLessThan(12);
    // From a cold start on the far side it has to cross half a body.
    const cold = closestFeatures(large.regions, large.regions, frameOf(quat(), vec3(-2.5, 1, 1)));
    expect(cold.steps).toBeGreaterThan(most);
  });

  test('[R9.2.1b] a vertex behind a face, but outside: one jump to the face it is most in front of', () => {
    // The vertex at (0, 1.5, 0) is right behind the bottom of the cube, and no edge of its leads nearer to it.
    const spike = body(polyhedron([vec3(0, 1.5, 0), vec3(1, 4, 0), vec3(-1, 4, 1), vec3(-1, 4, -1)]));
    const v = spike.solid.vertices.findIndex(({ y }) => y === 1.5);
    const bottom = CUBE.solid.planes.findIndex(({ normal }) => normal.y === -1);
    const state: FeaturePair = { kindA: 'face', a: bottom, kindB: 'vertex', b: v };
    const out = closestFeatures(CUBE.regions, spike.regions, makeFrame(), state);
    expect(out.steps).toBe(2); // the jump, and the look around that ends it
    expect(out.distance).toBe(0.5);
    expect(CUBE.solid.planes[state.a]!.normal).toEqual(vec3(0, 1, 0));
  });

  test('[R9.2.1b] a vertex behind all faces, and an edge through a face', () => {
    const bottom = CUBE.solid.planes.findIndex(({ normal }) => normal.y === -1);
    const inside = closestFeatures(CUBE.regions, TETRAHEDRON.regions, makeFrame(), {
      kindA: 'face',
      a: bottom,
      kindB: 'vertex',
      b: 0,
    });
    expect(inside.distance).toBe(0);
    expect(outside(CUBE.solid, inside.a)).toBeLessThanOrEqual(0);
    // A needle through the plate has no vertex in it.
    const needle = body(boxPolyhedron(vec3(-0.01, -5, -0.01), vec3(0.01, 5, 0.01)));
    const through = closestFeatures(PLATE.regions, needle.regions, { ...makeFrame(), tx: 1, tz: 0.5 });
    expect(through.distance).toBe(0);
    expect(outside(PLATE.solid, through.a)).toBeLessThanOrEqual(1e-15);
  });

  test('[R9.2.1a] where rounding sends the walk in circles, or a hair decides', () => {
    // The start of an edge of the cube right over a corner of the octahedron, along the normal of a face.
    const around = frameOf(quat(-4e-15, 7e-15, 4e-15, 1), vec3(3, 0, 0));
    const circling: FeaturePair = { kindA: 'face', a: 4, kindB: 'edge', b: 9 };
    expect(closestFeatures(OCTAHEDRON.regions, CUBE.regions, around, circling).distance).toBeCloseTo(1, 12);
    // They overlap by 1.3e-10; a vertex and an edge 1.5e-9 away from each other look closest.
    const hair = frameOf(quat(-8.88e-10, -2.51e-10, -1e-9, 1), vec3(1, 2, 0));
    const early: FeaturePair = { kindA: 'vertex', a: 0, kindB: 'vertex', b: 1 };
    expect(closestFeatures(TETRAHEDRON.regions, OCTAHEDRON.regions, hair, early).distance).toBe(0);
  });

  test('a state of another pair, or none, does no harm', () => {
    const frame = { ...makeFrame(), tx: 4 };
    const state: FeaturePair = { kindA: 'edge', a: 900, kindB: 'face', b: -1 };
    expect(closestFeatures(CUBE.regions, CUBE.regions, frame, state).distance).toBe(2);
  });

  property('small, large and far bodies', 1_000, (rng) => {
    const scale = rng.pick([1e-6, 1e6]);
    const shift = rng.vec(1e6 * scale);
    const grown = (p: Polyhedron) => {
      const vertices = p.vertices.map((v) => m.addScaled(shift, v, scale));
      return { ...p, vertices, planes: p.faces.map((face) => facePlane(vertices, face)) };
    };
    const [a, b] = [body(grown(rng.pick(FIXED).solid)), body(grown(rng.pick(FIXED).solid))];
    const t = m.scale(rng.vec(3), scale);
    const frame = { ...makeFrame(), tx: t.x, ty: t.y, tz: t.z };
    const state = randomState(rng, a, b);
    const out = closestFeatures(a.regions, b.regions, frame, state);
    certify(a.solid, placed(b, frame), state, out);
  });
});
