/** Casts that turn: every pair of shapes, against the distance asked again and again along the way. */
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { collider } from '../shapes/collider.ts';
import { box, point } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { cast, type Motion } from './cast.ts';
import { distance } from './distance.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const at = (x: number, y: number, z: number): ReadonlyPose => ({
  position: v(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

/** A way of the test's own to find a pose on the way. */
function poseOn({ position, quaternion }: ReadonlyPose, motion: Motion, t: number): ReadonlyPose {
  const turn = (axis: ReadonlyVec3, angle: number, pivot: ReadonlyVec3, from: ReadonlyPose) => {
    const q = q4.fromAxisAngle(v3.normalize(axis), angle);
    return {
      position: v3.add(pivot, v3.rotate(v3.sub(from.position, pivot), q)),
      quaternion: q4.multiply(q, from.quaternion),
    };
  };
  if ('linear' in motion) {
    const { linear, angular, duration = 1 } = motion;
    const moved = turn(angular, v3.length(angular) * duration * t, position, { position, quaternion });
    return { ...moved, position: v3.addScaled(position, linear, duration * t) };
  }
  const both = 'translation' in motion && 'axis' in motion;
  let from: ReadonlyPose = { position, quaternion };
  if ('translation' in motion) {
    const part = both ? Math.min(1, 2 * t) : t;
    from = { position: v3.addScaled(position, motion.translation, part), quaternion };
  }
  if (!('axis' in motion)) return from;
  const part = both ? Math.max(0, 2 * t - 1) : t;
  return turn(motion.axis, motion.angle * part, motion.pivot ?? from.position, from);
}

const SHAPES = EVERY_SHAPE;
const NAMES = Object.keys(SHAPES);

function randomMotion(rng: Rng): Motion {
  const axis = rng.direction();
  const angle = rng.pick([rng.range(-0.5, 0.5), rng.range(-4, 4), Math.PI, 9]);
  return rng.pick<Motion>([
    { axis, angle },
    { axis, angle, pivot: rng.vec(2) },
    { translation: rng.vec(3), axis, angle, pivot: rng.vec(2) },
    { linear: rng.vec(4), angular: v3.scale(axis, angle) },
  ]);
}

describe('a cast that turns', () => {
  property('is never late and early by no more than its tolerance, for every pair', 1500, (rng) => {
    const [nameA, nameB] = [rng.pick(NAMES), rng.pick(NAMES)];
    if (nameA === 'half-space' && nameB === 'half-space') return;
    const [a, b] = [SHAPES[nameA]!, SHAPES[nameB]!];
    const from = { position: rng.vec(4), quaternion: rng.rotation() };
    const other = collider(b, { position: rng.vec(4), quaternion: rng.rotation() });
    const motion = randomMotion(rng);
    const separation = (t: number) => distance(collider(a, poseOn(from, motion, t)), other)!.separation;
    const hit = cast(collider(a, from), motion, other);
    const end = hit?.t ?? 1;
    for (let i = 0; i <= 40; i++) {
      const t = (end * i) / 40;
      if (t < end || hit === null)
        check(separation(t) > 0, () => `${nameA} touches ${nameB} at ${t}, before ${end}`);
    }
    if (hit !== null && hit.t > 0) {
      check(separation(hit.t) < 1e-5, () => `${nameA} is ${separation(hit.t)} from ${nameB} at ${hit.t}`);
      near(v3.length(hit.normal), 1, 1e-9, 'length of the normal');
    }
  });

  test('a ball on an arm meets a wall where the angle says', () => {
    const hit = cast(
      collider(sphere(0.5), at(3, 0, 0)),
      { axis: v(0, 0, 1), angle: 3, pivot: v(0, 0, 0) },
      halfSpace(v(0, -1, 0), -2),
    );
    // 3 sin α + 0.5 = 2
    near(hit!.t * 3, Math.asin(0.5), 1e-5);
    near(hit!.normal.y, -1, 1e-9);
  });

  test('a turn that never comes near misses, whatever its angle', () => {
    expect(
      cast(
        collider(box(1, 1, 1), at(0, 0, 0)),
        { axis: v(0, 0, 1), angle: 100 },
        collider(sphere(0.5), at(1.9143, 0, 0)),
      ),
    ).toBeNull();
    expect(
      cast(
        collider(box(1, 1, 1), at(0, 0, 0)),
        { axis: v(0, 0, 1), angle: 100 },
        collider(sphere(0.5), at(1.9141, 0, 0)),
      )!.t,
    ).toBeLessThan(0.01);
  });

  test('a wall that turns meets what is bounded', () => {
    const hit = cast(
      halfSpace(v(0, 1, 0), 0),
      { axis: v(0, 0, 1), angle: 1, pivot: v(0, 0, 0) },
      collider(point(), at(2, 2 * Math.tan(0.5), 0)),
    );
    near(hit!.t, 0.5, 1e-5);
  });

  test('bad motions are named', () => {
    const a = sphere(1);
    expect(() => cast(a, { axis: v(0, 0, 0), angle: 1 }, a)).toThrow(/motion.axis/);
    expect(() => cast(a, { axis: v(0, 0, 1), angle: Number.NaN }, a)).toThrow(/motion.angle/);
    expect(() => cast(a, { linear: v(0, 0, 1), angular: v(0, 0, 0), duration: -1 }, a)).toThrow(/duration/);
    expect(() => cast(a, {} as Motion, a)).toThrow(/motion must have/);
  });
});
