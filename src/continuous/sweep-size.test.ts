/** Bodies with many features, and features that are all in one place: scratch arrays grow, and searches end. */
import { expect, test } from 'vitest';
import { factor, property } from '../../tests/kit/index.ts';
import type { Rng } from '../../tests/kit/rng.ts';
import { type MotionKind, meetingCase } from '../../tests/kit/sweep-cases.ts';
import { checkSweep, type SweepApi, SweepStatistics } from '../../tests/kit/sweep-oracle.ts';
import { boxOf, largeBody, type SweepBody } from '../../tests/kit/sweep-shapes.ts';
import { sweepWith } from '../../tests/kit/sweep-with.ts';
import type { Pose } from '../math/types.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { poseAlong } from './motion.ts';
import { sweepPolyhedra } from './sweep.ts';
import { SweepContext } from './sweep-context.ts';
import { touchingFeatures } from './touching-features.ts';
import type { PolyhedralModel } from './types.ts';

function modelOf({ positions, index, polygons }: SweepBody): PolyhedralModel {
  if (!polygons) return polyhedralModel({ positions, index });
  const vertices = Array.from({ length: positions.length / 3 }, (_, i) => ({
    x: positions[3 * i]!,
    y: positions[3 * i + 1]!,
    z: positions[3 * i + 2]!,
  }));
  return polyhedralModel({ vertices, polygons });
}

const api: SweepApi = { model: modelOf, sweep: sweepPolyhedra, poseAlong, touching: touchingFeatures };

/** Plates side by side in the plane z = 0, with gaps between them. */
function combOf(plates: number): PolyhedralModel {
  const positions: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < plates; i++) {
    const x = (2 * i) / plates - 1;
    positions.push(x, -1, 0, x + 0.5 / plates, -1, 0, x + 0.5 / plates, 1, 0, x, 1, 0);
    for (const k of [0, 1, 2, 0, 2, 3]) index.push(4 * i + k);
  }
  return polyhedralModel({ positions, index });
}

test('more edges near a rotation than there was room for: those that came first are not forgotten', () => {
  // A blade across one plate, its ends over the gaps beside it, under a roof as wide as the comb.
  const plates = 90;
  const comb = combOf(plates);
  for (const plate of [3, 80]) {
    const x = (2 * plate) / plates - 1;
    const [x0, x1] = [x - 0.4 / plates, x + 0.9 / plates];
    const blade = [x0, 0, 0.5, x1, 0, 0.5, x1, 0.1, 0.8, x0, 0.1, 0.8];
    const roof = [-2, -2, 3, 2, -2, 3, 2, 2, 3, -2, 2, 3];
    const index = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
    const model = polyhedralModel({ positions: [...blade, ...roof], index });
    // About an axis along the blade, far to the side: the edge comes down by 10 sin of the angle, and a little towards it.
    const motion = { axis: { x: 1, y: 0, z: 0 }, angle: -0.1, pivot: { x: 0, y: -10, z: 0.5 } };
    const hit = sweepPolyhedra(model, HERE, motion, comb, HERE, { thickness: 1e-6 })!;
    expect(Math.abs(hit.t - Math.asin((0.5 - 1e-6) / 10) / 0.1)).toBeLessThan(1e-7);
    expect([hit.moverKind, hit.targetKind]).toEqual(['edge', 'edge']);
  }
});

/** The first case of each of these properties finds all arrays as short as they begin. */
function judgeLarge(only: MotionKind, rng: Rng): void {
  const large = (): SweepBody => largeBody(rng, 1);
  const small = (): SweepBody => boxOf(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1), false);
  const [mover, target] = rng.pick([
    [small, large],
    [large, small],
    [large, large],
  ] as const);
  const c = meetingCase(rng, only, { mover: mover(), target: target() });
  if (c) checkSweep(api, new SweepStatistics(), c, true);
}

property('[P2] [P3] translations of bodies with many features', 24, (rng) => judgeLarge('translation', rng));
property('[P4] [P5] rotations of bodies with many features', 24, (rng) => judgeLarge('rotation', rng));

test('more polygons wait for their time than there was room for, and more pairs start in the zone', () => {
  // A comb of thin plates: the floor of a crate is at all of them at once.
  const comb = combOf(90);
  const box = boxOf(1, 1, 1, false);
  const crate = polyhedralModel({ positions: box.positions, index: box.index });
  const over = (gap: number): Pose => ({
    position: { x: 0.003, y: 0.002, z: 1 + gap },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
  });
  const e = 1e-6;
  const fall = sweepPolyhedra(crate, over(0.5), { translation: { x: 0, y: 0, z: -1 } }, comb, HERE, {
    thickness: e,
  });
  expect(Math.abs(fall!.t - (0.5 - e))).toBeLessThan(1e-8);
  // At rest on all of them: tipping goes in on one side, turning about the upright is free, so is leaving.
  const rest = over(0.9 * e);
  const tip = { axis: { x: 0, y: 1, z: 0 }, angle: 0.1 };
  expect(sweepPolyhedra(crate, rest, tip, comb, HERE, { thickness: e })!.t).toBeLessThan(1e-5);
  const spin = { axis: { x: 0, y: 0, z: 1 }, angle: 0.1 };
  expect(sweepPolyhedra(crate, rest, spin, comb, HERE, { thickness: e })).toBe(null);
  expect(sweepPolyhedra(crate, rest, { translation: { x: 0, y: 0.1, z: 0.2 } }, comb, HERE)).toBe(null);
});

const HERE: Pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };

test('hundreds of triangles on one line, or in one place but for rounding, against each other: searches end', () => {
  for (const onLine of [true, false]) {
    const positions: number[] = [];
    const index: number[] = [];
    const next = (i: number): number => ((i * 48271) % 65537) / 65537;
    // A thousand triangles in a long run, by GRAZE_CASES above 1.
    for (let i = 0; i < (factor > 1 ? 3000 : 720); i++) {
      const t = onLine ? next(i + 1) : 1 + 2 ** -50 * Math.floor(8 * next(i + 1));
      const u = onLine ? t : 1 + 2 ** -50 * Math.floor(8 * next(i + 7000));
      positions.push(0.1 * t, 0.2 * u, 0.3 * (onLine ? t : 2 - t * u));
      index.push(i);
    }
    const model = polyhedralModel({ positions, index });
    expect(model.sources.length).toBeGreaterThan(60);
    const context = new SweepContext();
    const sweep = sweepWith(context);
    const before = context.rotation.steps;
    for (const z of [0, 2]) {
      const from: Pose = { position: { x: 0, y: 0, z }, quaternion: HERE.quaternion };
      const pivot = { x: 0, y: 0, z: 0 };
      const hits = [
        sweep(model, from, { axis: { x: 1, y: 0, z: 0 }, angle: 2, pivot }, model, HERE),
        sweep(model, from, { translation: { x: 0, y: 0, z: -4 } }, model, HERE),
        sweep(model, from, { translation: { x: -0.4, y: -0.8, z: -1.2 } }, model, HERE),
      ];
      for (const hit of hits) if (hit) expect(hit.t).toBeLessThan(0.51);
    }
    expect(context.rotation.steps - before).toBeLessThan(1_000_000);
  }
});
