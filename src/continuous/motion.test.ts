/** Motions in two parts, in either order, against matrices and against the parts done one by one. */
import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { along, norm, type Place, placeAt, placeOf, randomFlatBody } from '../../tests/kit/moving-bodies.ts';
import type { Rng } from '../../tests/kit/rng.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose } from '../math/types.ts';
import type { ModelSource } from './model/model-source.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { makePoseMotion, motionBetween, poseAlong, swapMotionOrder } from './motion.ts';
import { sweepPolyhedra } from './sweep.ts';
import type { SweepMotion } from './types.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });

const randomPose = (rng: Rng, far = 2): ReadonlyPose => ({
  position: rng.vec(far),
  quaternion: rng.rotation(),
});

function randomSweep(rng: Rng): SweepMotion {
  const [axis, angle, pivot] = [rng.vec(), rng.range(-7, 7), rng.vec(2)];
  const translation = rng.vec(3);
  return rng.pick<SweepMotion>([
    { translation },
    { axis, angle },
    { axis, angle, pivot },
    { translation, axis, angle },
    { translation, axis, angle, pivot },
    { translation, axis, angle, pivot, first: 'translation' },
    { translation, axis, angle, pivot, first: 'rotation' },
    { translation, axis, angle, first: 'rotation' },
  ]);
}

/** How far two places are apart, seen from 3 away. */
function offBetween(one: Place, two: Place): number {
  let off = 0;
  for (const p of [v(3, 0, 0), v(0, 3, 0), v(0, 0, 3), v(0, 0, 0)])
    off = Math.max(off, norm(along(one.toWorld(p), two.toWorld(p), -1)));
  return off;
}

property('[P6] the pose along a motion is the composition of its parts, in either order', 3000, (rng) => {
  const from = randomPose(rng);
  const motion = randomSweep(rng);
  const t = rng.pick([0, 0.5, 1, rng.unit(), rng.unit()]);
  near(offBetween(placeOf(poseAlong(from, motion, t)), placeAt(from, motion, t)), 0, 2e-14, 'pose');
  if (t === 0) expect(poseAlong(from, motion, 0)).toEqual(from);
});

property('[P6] the other order leads from the same pose to the same pose, another way', 1000, (rng) => {
  const [from, to] = [randomPose(rng), randomPose(rng)];
  const motion = motionBetween(from, to, rng.chance(0.5) ? rng.vec(2) : undefined);
  const swapped = swapMotionOrder(motion, rng.chance(0.5) ? makePoseMotion() : undefined);
  expect(swapped.first).toBe('rotation');
  expect(poseAlong(from, swapped, 1)).toEqual(to);
  const { translation, axis, angle, pivot, first } = swapped;
  const parts = { translation, axis, angle, pivot, first };
  near(offBetween(placeAt(from, parts, 1), placeOf(to)), 0, 3e-14, 'end');
  if (angle === 0) return;
  // Half way it has turned, and not yet gone: as much as the end, where it starts, about the pivot.
  const middle = poseAlong(from, swapped, 0.5);
  near(Math.abs(q4.dot(middle.quaternion, q4.normalize(to.quaternion))), 1, 1e-14, 'turned');
  near(norm(along(along(middle.position, translation, 1), to.position, -1)), 0, 1e-14, 'still to go');
  const back = swapMotionOrder(swapped);
  expect(back.first).toBe('translation');
  near(norm(along(back.pivot, motion.pivot, -1)), 0, 1e-14, 'pivot');
  near(offBetween(placeOf(poseAlong(from, back, 0.3)), placeOf(poseAlong(from, motion, 0.3))), 0, 1e-14);
});

test('[P6] what is no order is refused', () => {
  const motion = { translation: v(1, 0, 0), axis: v(0, 0, 1), angle: 1, first: 'last' as 'rotation' };
  expect(() => poseAlong(pose(), motion, 0.5)).toThrow(/poseAlong: motion.first must be/);
  expect(() => swapMotionOrder({ ...makePoseMotion(), first: 'last' as 'rotation' })).toThrow(/motion.first/);
  expect(() => swapMotionOrder({ ...makePoseMotion(), angle: Number.NaN })).toThrow(/motion.angle/);
});

/** About towards the other. */
const aimed = (rng: Rng, from: ReadonlyPose, to: ReadonlyPose): ReadonlyVec3 =>
  along(rng.vec(0.5), along(to.position, from.position, -1), rng.range(0.3, 2));

property('[P6] a sweep of both parts is the sweep of the one, and then of the other', 400, (rng) => {
  const [mover, target] = [randomFlatBody(rng), randomFlatBody(rng)];
  const [one, two] = [
    polyhedralModel(mover.shape as ModelSource),
    polyhedralModel(target.shape as ModelSource),
  ];
  const [from, at] = [randomPose(rng, 3), randomPose(rng, 3)];
  const turn = { axis: rng.direction(), angle: rng.sign() * rng.range(0.1, 5), pivot: rng.vec(3) };
  const translation = aimed(rng, from, at);
  const thickness = 1e-6;
  const turnsFirst = rng.chance(0.7);
  const first = turnsFirst ? 'rotation' : 'translation';
  const [early, late] = turnsFirst ? [turn, { translation }] : [{ translation }, turn];
  const both = { translation, ...turn, first } as const;
  const maxT = rng.pick([1, 1, 0.5, rng.unit()]);
  const hit = sweepPolyhedra(one, from, both, two, at, { thickness, maxT });
  const start = sweepPolyhedra(one, from, early, two, at, { thickness, maxT: Math.min(1, 2 * maxT) });
  if (start !== null) {
    check(hit !== null, 'the first part is stopped, both are not');
    near(hit.t, start.t / 2, 1e-9, 't');
    expect(hit.penetrating).toBe(start.penetrating);
    near(norm(along(hit.point, start.point, -1)), 0, 1e-6, 'point');
    return;
  }
  const middle = poseAlong(from, both, 0.5);
  if (maxT <= 0.5) {
    check(hit === null, 'stopped behind maxT');
    return;
  }
  const end = sweepPolyhedra(one, middle, late, two, at, { thickness, maxT: 2 * maxT - 1 });
  check((hit === null) === (end === null), () => `${hit?.t} for both, ${end?.t} for the second part`);
  if (hit === null || end === null) return;
  near(hit.t, 0.5 + end.t / 2, 1e-9, 't');
  near(norm(along(hit.point, end.point, -1)), 0, 1e-6, 'point');
  near(norm(along(hit.normal, end.normal, -1)), 0, 1e-4, 'normal');
  expect([hit.moverKind, hit.targetKind]).toEqual([end.moverKind, end.targetKind]);
});
