/** What is pushed into a corner for a long time stays out of the walls, slides along them, and can leave. */
import { check, property } from '../../tests/kit/index.ts';
import type { Rng } from '../../tests/kit/rng.ts';
import { placedSoup } from '../../tests/kit/sweep-cases.ts';
import { surfaceDistance } from '../../tests/kit/sweep-distance.ts';
import { APART, soupBoxes, surfacesMeet } from '../../tests/kit/sweep-exact.ts';
import { boxOf, type SweepBody } from '../../tests/kit/sweep-shapes.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { poseAlong } from './motion.ts';
import { sweepPolyhedra } from './sweep.ts';
import { makeSweepHit } from './types.ts';

const AT: Pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
const E = 1e-6;
const hit = makeSweepHit();

const gapOf = (mover: SweepBody, place: Pose, room: SweepBody): number => {
  const a = placedSoup(mover, place);
  const b = placedSoup(room, AT);
  const [boxesA, boxesB] = [soupBoxes(a), soupBoxes(b)];
  check(surfacesMeet(a, boxesA, b, boxesB) === APART, 'in the wall');
  return surfaceDistance(a, boxesA, b, boxesB);
};

/** Moves a body and lets it slide along what it meets, as a game does: what is left of the motion, without what goes in. */
function slide(mover: ReturnType<typeof polyhedralModel>, room: typeof mover, place: Pose, wish: Vec3): void {
  const left = { ...wish };
  const met: Vec3[] = [];
  for (let k = 0; k < 5; k++) {
    const motion = { translation: left };
    const found = sweepPolyhedra(mover, place, motion, room, AT, { thickness: E, out: hit });
    poseAlong(place, motion, found ? found.t : 1, place);
    if (!found) return;
    met.push({ ...found.normal });
    for (const c of ['x', 'y', 'z'] as const) left[c] *= 1 - found.t;
    for (let pass = 0; pass < 3; pass++)
      for (const n of met) {
        const into = left.x * n.x + left.y * n.y + left.z * n.z;
        if (into >= 0) continue;
        for (const c of ['x', 'y', 'z'] as const) left[c] -= into * n[c];
      }
    if (Math.abs(left.x) + Math.abs(left.y) + Math.abs(left.z) < 1e-12) return;
  }
}

/** A direction with no part into the room's walls that the body is at. */
const push = (rng: Rng): Vec3 => ({ x: -rng.unit(), y: -rng.unit(), z: -rng.unit() });

property('[P8] 1000 steps into a corner: nothing sinks, and all can leave', 100, (rng) => {
  // A room seen from inside; as triangles, so that there are seams to slide over.
  const room = boxOf(4, 4, 4, true);
  const body = boxOf(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1), false);
  const roomModel = polyhedralModel(
    { positions: room.positions, index: room.index },
    { mergeCoplanar: rng.chance(0.5) },
  );
  const model = polyhedralModel({ positions: body.positions, index: body.index });
  const place: Pose = { position: rng.vec(1), quaternion: rng.rotation() };
  let wish = push(rng);
  let least = Infinity;
  for (let step = 0; step < 1000; step++) {
    if (step % 100 === 0)
      wish = rng.chance(0.5) ? push(rng) : { x: rng.range(-1, 1), y: rng.range(-1, 1), z: -0.5 };
    slide(model, roomModel, place, { x: wish.x * 0.1, y: wish.y * 0.1, z: wish.z * 0.1 - 0.01 });
    if (step % 50 === 49) least = Math.min(least, gapOf(body, place, room));
  }
  check(least > 0.95 * E, () => `sank to ${least / E} of the thickness`);
  const before = { ...place.position };
  const away = { x: Math.sign(-before.x), y: Math.sign(-before.y), z: Math.sign(-before.z) };
  const motion = { translation: { x: away.x * 0.5, y: away.y * 0.5, z: away.z * 0.5 } };
  check(sweepPolyhedra(model, place, motion, roomModel, AT, { thickness: E }) === null, 'cannot leave');
});
