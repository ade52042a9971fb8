/** All that a sweep returns: the features that own the contact, the gap and the normal between them, at that time. */
import { expect, test } from 'vitest';
import { check, factor, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  along,
  dot,
  norm,
  type Place,
  placeAt,
  placeOf,
  randomFlatBody,
} from '../../tests/kit/moving-bodies.ts';
import { sweepWith } from '../../tests/kit/sweep-with.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { ModelSource } from './model/model-source.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { sweepPolyhedra } from './sweep.ts';
import { SweepContext } from './sweep-context.ts';
import { traceModel } from './trace.ts';
import { FULL_SPEED } from './tuning.ts';
import type { PolyhedralModel, SweepHit, SweepMotion } from './types.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const from = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => along(b, a, -1);
const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 =>
  v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);

const pointOf = ({ points }: PolyhedralModel, place: Place, i: number): Vec3 =>
  place.toWorld(v(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!));

/** How far p is from a feature of a model that stands at a place. */
function offFeature(model: PolyhedralModel, place: Place, kind: string, feature: number, p: Vec3): number {
  if (kind === 'vertex') return norm(from(pointOf(model, place, feature), p));
  if (kind === 'edge') {
    const q = pointOf(model, place, model.edges[2 * feature]!);
    const way = from(q, pointOf(model, place, model.edges[2 * feature + 1]!));
    const t = Math.max(0, Math.min(1, dot(from(q, p), way) / dot(way, way)));
    return norm(from(along(q, way, t), p));
  }
  const corners = [
    ...model.polygonVertices.slice(model.polygonStart[feature]!, model.polygonStart[feature + 1]!),
  ].map((i) => pointOf(model, place, i));
  const n = cross(from(corners[0]!, corners[1]!), from(corners[0]!, corners[2]!));
  let off = Math.abs(dot(n, from(corners[0]!, p))) / norm(n);
  corners.forEach((q, i) => {
    const way = from(q, corners[(i + 1) % corners.length]!);
    off = Math.max(off, -dot(cross(n, way), from(q, p)) / norm(n) / norm(way));
  });
  return off;
}

const diagonal = ({ low, high }: PolyhedralModel): number => norm(from(low, high));

interface Sweep {
  readonly mover: PolyhedralModel;
  readonly pose: ReadonlyPose;
  readonly motion: SweepMotion;
  readonly target: PolyhedralModel;
  readonly at: ReadonlyPose;
}

function randomSweep(rng: Rng): Sweep {
  const [mover, target] = [randomFlatBody(rng), randomFlatBody(rng)].map(({ shape }) =>
    polyhedralModel(shape as ModelSource),
  ) as [PolyhedralModel, PolyhedralModel];
  const [pose, at] = [0, 0].map(() => ({ position: rng.vec(3), quaternion: rng.rotation() })) as [
    ReadonlyPose,
    ReadonlyPose,
  ];
  const translation = along(rng.vec(0.5), from(pose.position, at.position), rng.range(0.5, 2));
  const turn = { axis: rng.direction(), angle: rng.sign() * rng.range(0.1, 6), pivot: rng.vec(3) };
  const motion = rng.pick<SweepMotion>([
    { translation },
    turn,
    { translation, ...turn },
    { translation, ...turn, first: 'rotation' },
  ]);
  return { mover, pose, motion, target, at };
}

const run = (
  { mover, pose, motion, target, at }: Sweep,
  maxT?: number,
  thickness?: number,
  sweep = sweepPolyhedra,
) =>
  sweep(mover, pose, motion, target, at, {
    ...(maxT === undefined ? {} : { maxT }),
    ...(thickness === undefined ? {} : { thickness }),
  });

function checkHit({ mover, pose, motion, target, at }: Sweep, hit: SweepHit, thickness: number): void {
  const { point, normal, gap, t } = hit;
  near(norm(normal), 1, 1e-12, 'length of the normal');
  const [placeA, placeB] = [placeAt(pose, motion, t), placeOf(at)];
  const what = () => JSON.stringify({ hit, motion });
  const offA = offFeature(mover, placeA, hit.moverKind, hit.moverFeature, point);
  check(offA < thickness / 32, () => `${offA} off the mover: ${what()}`);
  const offB = offFeature(target, placeB, hit.targetKind, hit.targetFeature, along(point, normal, -gap));
  check(offB < thickness / 32, () => `${offB} off the target: ${what()}`);
  check(gap >= 0 && gap <= 1.1 * thickness, () => `a gap of ${gap}, with a zone of ${thickness}`);
  if (t > 0) check(gap >= 0.9 * thickness, () => `stopped with a gap of ${gap} in a zone of ${thickness}`);
}

let hits = 0;

property(
  '[P6] [P13] a sweep names the features that own its contact, on both sides, at that time',
  600,
  (rng) => {
    const sweep = randomSweep(rng);
    const [a, b] = [diagonal(sweep.mover), diagonal(sweep.target)];
    const usual = 1e-6 * (a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b));
    const thickness = rng.chance(0.5) || usual === 0 ? 1e-4 : undefined;
    const hit = run(sweep, undefined, thickness);
    if (hit === null || hit.penetrating) return;
    hits++;
    // Without one the zone is a millionth of the smaller of the two.
    checkHit(sweep, hit, thickness ?? usual);
    // The part of the motion that is looked at.
    check(hit.t === 0 || run(sweep, hit.t * rng.range(0, 0.999), thickness) === null, 'found behind maxT');
    const again = run(sweep, Math.min(1, hit.t + rng.unit() * (1 - hit.t)), thickness);
    check(again !== null, 'not found before maxT');
    near(again.t, hit.t, 1e-9, 't with maxT');
  },
);

test('many of them hit', () => expect(hits).toBeGreaterThan(100 * factor));

const withoutTree = sweepWith(new SweepContext({ ...FULL_SPEED, bsp: false }));

property('[P12] the tree inside a model changes no answer, turns included', 200, (rng) => {
  const sweep = randomSweep(rng);
  const wanted = run(sweep);
  expect(run(sweep, undefined, undefined, withoutTree)).toEqual(wanted);
});

property(
  '[P1] nothing slips through the seam of two polygons: the side of their edge is told once',
  1500,
  (rng) => {
    const [p, q] = [rng.vec(), rng.vec()];
    const [left, right] = [rng.vec(), rng.vec()];
    // Seen along the motion, the two corners are on different sides of the edge: the sheet is closed around it.
    const velocity = along(v(0, 0, 0), rng.direction(), rng.range(0.5, 3));
    const side = (c: Vec3): number => dot(cross(from(p, q), from(p, c)), velocity);
    if (!(side(left) * side(right) < -1e-3)) return;
    const model = polyhedralModel(
      {
        vertices: [p, q, left, right],
        polygons: [
          [p, q, left],
          [q, p, right],
        ].map((c) => c.map((x) => [p, q, left, right].indexOf(x))),
      },
      { sides: 'both', mergeCoplanar: false },
    );
    // One edge, which the one polygon runs along and the other back.
    const shared = [...model.edgePolygons.keys()].filter(
      (i) => i % 2 === 0 && model.edgePolygons[i]! >= 0 && model.edgePolygons[i + 1]! >= 0,
    );
    expect(shared).toHaveLength(1);
    expect(
      [...model.polygonEdges]
        .filter((e) => e === shared[0]! / 2 || e === ~(shared[0]! / 2))
        .sort((x, y) => x - y),
    ).toEqual([~(shared[0]! / 2), shared[0]! / 2]);
    // Aimed at a point of the seam, as well as doubles can: on it, or a rounding beside it.
    const aim = along(p, from(p, q), rng.pick([0.5, rng.range(0.01, 0.99)]));
    const start = along(aim, velocity, -0.5);
    const still = { position: v(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    const trace = traceModel(model, still, start, velocity);
    check(trace !== null, 'a trace slips through');
    near(trace.t, 0.5, 1e-3, 't of the trace');
    const mover = polyhedralModel({ vertices: [v(0, 0, 0)], polygons: [] });
    const hit = sweepPolyhedra(mover, { ...still, position: start }, { translation: velocity }, model, still);
    check(hit !== null, 'a point slips through');
  },
);

test('a corner in the middle of a square cuts it, though no side of either goes through the other', () => {
  const here = { position: v(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const square = polyhedralModel({
    vertices: [v(-1, -1, 0), v(1, -1, 0), v(1, 1, 0), v(-1, 1, 0)],
    polygons: [[0, 1, 2, 3]],
  });
  // The triangle is upright in the diagonal of the square, whose corners are in its plane. It ends in the middle, but for rounding.
  for (const e of [0, 1e-17, -1e-17, 1e-16, -1e-16, 1e-15, 1e-3, -1e-3, 0.5]) {
    const upright = polyhedralModel({
      vertices: [v(e, e, 0), v(3, 3, 1), v(3, 3, -1)],
      polygons: [[0, 1, 2]],
    });
    const motions: SweepMotion[] = [
      { translation: v(0.1, 0, 0) },
      { translation: v(0, 0, 0) },
      { axis: v(0, 0, 1), angle: 1, pivot: v(0, 0, 0) },
    ];
    for (const motion of motions)
      for (const [a, b] of [
        [upright, square],
        [square, upright],
      ] as const) {
        const hit = sweepPolyhedra(a, here, motion, b, here);
        expect([hit?.t, hit?.penetrating]).toEqual([0, true]);
        expect(Math.abs(hit!.point.z)).toBeLessThan(1e-14);
        expect(Math.abs(hit!.point.x - hit!.point.y)).toBeLessThan(1e-14);
        expect(hit!.point.x).toBeGreaterThan(e - 1e-14);
        expect(hit!.point.x).toBeLessThan(1 + 1e-14);
      }
  }
});
