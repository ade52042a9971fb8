/** The proof of a path, without the search: it ends where the bodies begin to cut, not later and not before. */
import { check, property } from '../../../tests/kit/index.ts';
import { placedSoup } from '../../../tests/kit/sweep-cases.ts';
import { CROSSING, soupBoxes, surfacesMeet } from '../../../tests/kit/sweep-exact.ts';
import { boxOf, type SweepBody } from '../../../tests/kit/sweep-shapes.ts';
import type { Pose } from '../../math/types.ts';
import { polyhedralModel } from '../model/polyhedral-model.ts';
import { poseAlong } from '../motion.ts';
import { readSweep } from '../sweep.ts';
import { SweepContext } from '../sweep-context.ts';
import { provenUntil } from './path-proof.ts';

const context = new SweepContext();
const HERE: Pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };

const cuts = (a: SweepBody, place: Pose, b: SweepBody): boolean => {
  const [p, q] = [placedSoup(a, place), placedSoup(b, HERE)];
  return surfacesMeet(p, soupBoxes(p), q, soupBoxes(q)) === CROSSING;
};

property('a path from touch is proved as far as nothing is cut', 150, (rng) => {
  const size = (): number => rng.range(0.2, 1);
  const target = boxOf(size(), size(), size(), false);
  const mover = boxOf(size(), size(), size(), false);
  const smaller = { ...mover, positions: mover.positions.map((x) => x * (1 - 1e-9)) };
  const top = (b: SweepBody): number => Math.max(...b.positions.filter((_, i) => i % 3 === 2));
  const from: Pose = {
    position: { x: rng.range(-0.1, 0.1), y: rng.range(-0.1, 0.1), z: top(target) + top(mover) },
    quaternion: HERE.quaternion,
  };
  const pivot = { x: rng.range(-1, 1), y: rng.range(-1, 1), z: rng.range(-0.5, 2) };
  const motion = rng.chance(0.7)
    ? { axis: rng.direction(), angle: rng.range(-3, 3), pivot }
    : { translation: { x: rng.range(-3, 3), y: rng.range(-3, 3), z: rng.pick([0, 1e-3, -1e-3, -1]) } };
  const a = polyhedralModel({ positions: mover.positions, index: mover.index });
  const b = polyhedralModel({ positions: target.positions, index: target.index });
  readSweep(context, a, from, motion, b, HERE);
  context.magnitude = 8;
  const end = provenUntil(context, 1, -(2 ** -45) * 8);
  check(end >= 0 && end <= 1, 'no time');
  for (let i = 1; i <= 200; i++)
    check(!cuts(smaller, poseAlong(from, motion, (end * i) / 200), target), () => `cut before ${end}`);
  if (end === 1) return;
  let later = false;
  for (let s = 1e-9; s < 0.5 && !later; s *= 2)
    later = cuts(mover, poseAlong(from, motion, Math.min(1, end + s * 1e-2)), target);
  check(later, () => `nothing is cut after ${end}`);
});
