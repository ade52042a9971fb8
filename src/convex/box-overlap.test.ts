/** The fifteen axes of two boxes against GJK, which decides where they are not sure. */
import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { Pose } from '../math/types.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { APART, OVERLAP, overlapBoxes, UNSURE } from './box-overlap.ts';
import { relativeFrame } from './frame.ts';
import { gjkOverlap } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';

const state = makeGjkState();

/** Turned not at all, by quarters, about one axis, nearly not, or any way. */
function rotation(rng: Rng) {
  const kind = rng.int(0, 5);
  if (kind === 0) return { x: 0, y: 0, z: 0, w: 1 };
  if (kind === 1)
    return rng.pick([
      { x: 0, y: 0, z: 1, w: 1 },
      { x: 1, y: 1, z: 1, w: 1 },
      { x: 0, y: 1, z: 0, w: 0 },
    ]);
  if (kind === 2) return { x: 0, y: rng.range(-1, 1), z: 0, w: 1 };
  if (kind === 3) {
    const tiny = 10 ** rng.range(-16, -3);
    return { x: tiny * rng.range(-1, 1), y: tiny * rng.range(-1, 1), z: tiny * rng.range(-1, 1), w: 1 };
  }
  return rng.rotation();
}

const half = (rng: Rng): number => rng.pick([0.5, 1, rng.range(0.05, 2), 10 ** rng.range(-6, 3)]);

describe('two boxes by their axes', () => {
  property('where they are sure, GJK says the same', 60_000, (rng) => {
    const [one, two] = [0, 1]
      .map(() => box(half(rng), half(rng), half(rng), rng.chance(0.2) ? rng.range(0, 1) : 0))
      .map(({ core }) => core);
    const off = rng.pick([0, 0, 1e3, 1e8]);
    const apart = rng.pick([
      rng.vec(2),
      { x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) },
      rng.vec(1e-9),
    ]);
    const a: Pose = { position: { x: off, y: 0, z: -off }, quaternion: rotation(rng) };
    const b: Pose = {
      position: { x: off + apart.x, y: apart.y, z: apart.z - off },
      quaternion: rng.chance(0.3) ? a.quaternion : rotation(rng),
    };
    const frame = relativeFrame(a, b);
    const told = overlapBoxes(one!, two!, frame);
    check([APART, OVERLAP, UNSURE].includes(told), 'an answer');
    if (told !== UNSURE)
      check(gjkOverlap(one!, two!, frame, state) === (told === OVERLAP), () =>
        JSON.stringify({ a, b, told }),
      );
  });

  property('they are sure of nearly all', 20, (rng) => {
    let unsure = 0;
    for (let i = 0; i < 500; i++) {
      const [one, two] = [0, 1].map(() => box(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1)).core);
      const a = { position: rng.vec(1), quaternion: rng.rotation() };
      const b = { position: rng.vec(1), quaternion: rng.chance(0.5) ? a.quaternion : rng.rotation() };
      if (overlapBoxes(one!, two!, relativeFrame(a, b)) === UNSURE) unsure++;
    }
    check(unsure < 5, () => `${unsure} of 500`);
  });

  test('by hand: side by side, face to face, edge to edge, within', () => {
    const core = box(1, 1, 1).core;
    const at = (x: number, y: number, z = 0, turn = 0) =>
      overlapBoxes(
        core,
        core,
        relativeFrame(
          { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
          { position: { x, y, z }, quaternion: { x: 0, y: 0, z: Math.sin(turn / 2), w: Math.cos(turn / 2) } },
        ),
      );
    expect([at(2.1, 0), at(1.9, 0), at(2, 0)]).toEqual([APART, OVERLAP, UNSURE]);
    expect([at(0, 0, 0.1), at(0, 0, 0, 0.3)]).toEqual([OVERLAP, OVERLAP]);
    expect([at(2.3, 0, 0, Math.PI / 4), at(2.5, 0, 0, Math.PI / 4)]).toEqual([OVERLAP, APART]);
    expect(at(Number.NaN, 0)).toBe(UNSURE);
  });
});
