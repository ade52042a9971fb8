/** Every pair of shapes, every question, both ways round. */
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { cast } from './cast.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const SHAPES = EVERY_SHAPE;
const NAMES = Object.keys(SHAPES);
const isConvex = (shape: Shape): boolean => 'core' in shape;

function place(rng: Rng, far: number): ReadonlyPose {
  return { position: rng.vec(far), quaternion: rng.rotation() };
}

/** Lengths are about 1 here: what two ways of asking may differ by. Curved shapes are approached, not reached. */
const SAME = 2e-9;

for (const a of NAMES)
  for (const b of NAMES) {
    const [first, second] = [SHAPES[a]!, SHAPES[b]!];
    test(`[R2.3] ${a} and ${b}: intersects, distance, contacts and cast agree, in both orders`, () => {
      const rng = new Rng(NAMES.indexOf(a) * 100 + NAMES.indexOf(b));
      for (let i = 0; i < 5; i++) {
        const at = place(rng, rng.pick([0, 1, 3]));
        const to = place(rng, rng.pick([0, 1, 3]));
        const [one, two] = [
          { shape: first, pose: at },
          { shape: second, pose: to },
        ];
        const overlap = intersects(one, two);
        expect(intersects(two, one)).toBe(overlap);
        const apart = distance(one, two)!;
        const back = distance(two, one)!;
        if (apart.separation === -Infinity) expect(back.separation).toBe(-Infinity);
        else {
          near(back.separation, apart.separation, 1e-7, 'separation, the other way round');
          if (apart.separation > SAME) expect(overlap).toBe(false);
          if (apart.separation < -SAME) expect(overlap).toBe(true);
          const gap = Math.hypot(
            apart.pointA.x - apart.pointB.x,
            apart.pointA.y - apart.pointB.y,
            apart.pointA.z - apart.pointB.z,
          );
          if (apart.separation > SAME) near(gap, apart.separation, 1e-7, 'from point to point');
          near(
            Math.hypot(apart.normal.x, apart.normal.y, apart.normal.z),
            apart.separation === 0 ? Math.hypot(apart.normal.x, apart.normal.y, apart.normal.z) : 1,
            1e-9,
            'normal',
          );
        }
        const touching = contacts(one, two, { margin: 0.01 });
        const other = contacts(two, one, { margin: 0.01 });
        if (isConvex(first) && isConvex(second)) {
          expect(touching.length).toBeLessThanOrEqual(4);
          expect(touching.length > 0).toBe(apart.separation <= 0.01);
          expect(other.length > 0).toBe(touching.length > 0);
          if (touching.length > 0)
            near(Math.min(...touching.map((c) => c.separation)), apart.separation, 1e-6, 'deepest contact');
        }
        for (const contact of touching) check(contact.separation <= 0.01 + SAME, 'a contact is far away');
        castBothWays(rng, one, two, overlap);
      }
    });
  }

interface Placed {
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
}

function castBothWays(rng: Rng, one: Placed, two: Placed, overlap: boolean): void {
  const { x, y, z } = rng.direction();
  const translation = { x: 5 * x, y: 5 * y, z: 5 * z };
  const hit = cast(one, { translation }, two);
  const back = cast(two, { translation: { x: -5 * x, y: -5 * y, z: -5 * z } }, one);
  if (overlap) {
    expect(hit?.t).toBe(0);
    expect(back?.t).toBe(0);
    return;
  }
  near(back?.t ?? 2, hit?.t ?? 2, 1e-5, 'time, the other way round');
  const moved = (t: number): Placed => ({
    shape: one.shape,
    pose: {
      position: {
        x: one.pose.position.x + t * translation.x,
        y: one.pose.position.y + t * translation.y,
        z: one.pose.position.z + t * translation.z,
      },
      quaternion: one.pose.quaternion,
    },
  });
  if (!hit) {
    for (const t of [0.25, 0.5, 0.75, 1]) check(!intersects(moved(t), two), () => `missed at ${t}`);
    return;
  }
  // Never late: apart before, in touch then.
  for (const part of [0.3, 0.7, 0.99])
    check(!intersects(moved(part * hit.t), two), () => `late: touches at ${part} of t`);
  const there = distance(moved(hit.t), two)!;
  near(there.separation, 0, 1e-5, 'gap at the time of contact');
}

describe('what is no body is refused', () => {
  const good = sphere(1);
  test.each([
    ['nothing', undefined, TypeError],
    ['a number', 5, TypeError],
    [
      'a pose with NaN',
      { shape: good, pose: { position: v(0, Number.NaN, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } } },
      RangeError,
    ],
    [
      'a quaternion of zero',
      { shape: good, pose: { position: v(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 0 } } },
      RangeError,
    ],
  ])('%s', (_, bad, kind) => {
    for (const ask of [
      () => intersects(bad as never, good),
      () => distance(good, bad as never),
      () => contacts(bad as never, good),
      () => cast(good, { translation: v(1, 0, 0) }, bad as never),
    ]) {
      expect(ask).toThrow(kind);
      expect(ask).toThrow(/graze: (intersects|distance|contacts|cast): (a|b|mover|target)/);
    }
  });
});

property(
  '[R2.3] overlap if and only if the distance is not positive; the depth just parts convex bodies',
  2000,
  (rng) => {
    const kinds = NAMES.filter((name) => isConvex(SHAPES[name]!));
    const [first, second] = [SHAPES[rng.pick(kinds)]!, SHAPES[rng.pick(kinds)]!];
    const [at, to] = [place(rng, 0.6), place(rng, 0.6)];
    const [a, b] = [
      { shape: first, pose: at },
      { shape: second, pose: to },
    ];
    const found = distance(a, b)!;
    const { separation, normal, pointA, pointB } = found;
    // Each rung of the ladder says the same: the yes or no, the number, the points.
    if (Math.abs(separation) > 1e-9)
      check(intersects(a, b) === separation < 0, () => `intersects, at a distance of ${separation}`);
    const between = Math.hypot(pointA.x - pointB.x, pointA.y - pointB.y, pointA.z - pointB.z);
    near(between, Math.abs(separation), 1e-6, 'the points are as far apart');
    if (separation > -1e-6) return;
    const parted = (extra: number): ReadonlyPose => ({
      position: {
        x: at.position.x - (separation - extra) * normal.x,
        y: at.position.y - (separation - extra) * normal.y,
        z: at.position.z - (separation - extra) * normal.z,
      },
      quaternion: at.quaternion,
    });
    const beyond = distance({ shape: first, pose: parted(1e-6) }, { shape: second, pose: to })!;
    check(beyond.separation > 0, () => `still ${beyond.separation} after moving by the depth ${separation}`);
    // And no less would have done.
    if (separation > -1e-3) return;
    const short = distance({ shape: first, pose: parted(-1e-4) }, { shape: second, pose: to })!;
    check(
      short.separation < 0,
      () => `apart by ${short.separation} before moving by the depth ${separation}`,
    );
  },
);

test('a box that lies on a box has the same four corners under tiny motions', () => {
  const [upper, lower] = [box(0.5, 0.5, 0.5), box(2, 0.5, 2)];
  const corners = (dx: number, tilt: number): string[] =>
    contacts(
      {
        shape: upper,
        pose: { position: v(0.3 + dx, 1 - 1e-4, 0.2), quaternion: { x: tilt, y: 0.1, z: -tilt, w: 1 } },
      },
      lower,
      { margin: 0.01 },
    ).map(({ pointA }) => `${pointA.x.toFixed(3)} ${pointA.z.toFixed(3)}`);
  const still = corners(0, 0);
  expect(still.length).toBe(4);
  for (const [dx, tilt] of [
    [1e-9, 0],
    [1e-7, 1e-9],
    [-1e-6, 1e-8],
    [1e-6, -1e-7],
  ] as const)
    expect(corners(dx, tilt)).toEqual(still);
});
