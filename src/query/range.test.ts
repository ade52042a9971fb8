/** Sizes at the ends of the range: the same answers as at size 1, for every pair and every question; beyond it, errors. */
import { expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, Rng } from '../../tests/kit/index.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { scaled } from '../shapes/scale.ts';
import { cast } from './cast.ts';
import { closestPoint } from './closest-point.ts';
import { contacts } from './contacts.ts';
import { contains } from './contains.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';
import { raycast } from './raycast.ts';

// Skins are scaled by the matrices of their joints.
const NAMES = Object.keys(EVERY_SHAPE).filter(
  (name) => name !== 'half-space' && EVERY_SHAPE[name]!.kind !== 'skinned',
);
const isSurface = (name: string) => /mesh|field|compound/.test(name);

/** The same place, times k. */
const larger = ({ position, quaternion }: ReadonlyPose, k: number): ReadonlyPose => ({
  position: v3.scale(position, k),
  quaternion,
});
const grown = (name: string, k: number) => scaled(EVERY_SHAPE[name]!, { x: k, y: k, z: k });
const apart = (p: ReadonlyVec3, q: ReadonlyVec3, k: number) =>
  Math.hypot(p.x - q.x / k, p.y - q.y / k, p.z - q.z / k);

for (const k of [2 ** 98, 2 ** -98])
  test(`bodies ${k.toExponential(0)} times as large answer the same`, () => {
    NAMES.forEach((nameA, i) => {
      NAMES.forEach((nameB, j) => {
        if ((i + j) % (isSurface(nameA) && isSurface(nameB) ? 4 : 2) > 0) return; // all would be slow, and much the same
        const rng = new Rng(1_000_003 + 31 * i + j);
        const spread = rng.pick([0.2, 0.8, 2]);
        const [poseA, poseB] = [0, 1].map(() => ({
          position: rng.vec(spread),
          quaternion: rng.rotation(),
        })) as [ReadonlyPose, ReadonlyPose];
        const [a, b] = [collider(EVERY_SHAPE[nameA]!, poseA), collider(EVERY_SHAPE[nameB]!, poseB)];
        const [c, d] = [
          collider(grown(nameA, k), larger(poseA, k)),
          collider(grown(nameB, k), larger(poseB, k)),
        ];
        const same = (what: string, error: number, most: number) =>
          check(error <= most, () => `${what} of ${nameA} and ${nameB} is off by ${error}`);
        const [near, far] = [distance(a, b)!, distance(c, d)!];
        // The depth of a user's own support map has fewer digits: docs/conventions.md.
        const most = near.separation < 0 && `${nameA}${nameB}`.includes('of the user') ? 1e-7 : 1e-9;
        same('separation', Math.abs(near.separation - far.separation / k), most);
        same('normal', apart(near.normal, far.normal, 1), 1e-5);
        same('point of a', apart(near.pointA, far.pointA, k), 1e-5);
        check(
          intersects(a, b) === intersects(c, d) || Math.abs(near.separation) < 1e-12,
          () => `intersects of ${nameA} and ${nameB}`,
        );
        const [few, many] = [contacts(a, b, { margin: 0.05 }), contacts(c, d, { margin: 0.05 * k })];
        same('number of contacts', Math.abs(few.length - many.length), 0);
        few.forEach((one, n) => {
          same('contact', Math.abs(one.separation - many[n]!.separation / k), 1e-6);
        });
        const way = rng.vec(4);
        const [early, late] = [
          cast(a, { translation: way }, b),
          cast(c, { translation: v3.scale(way, k) }, d),
        ];
        same('time', Math.abs((early?.t ?? 2) - (late?.t ?? 2)), 1e-6);
        if (isSurface(nameA) || isSurface(nameB)) return;
        const turning = v3.scale(rng.direction(), rng.range(-3, 3));
        const [start, end] = [
          cast(a, { linear: way, angular: turning }, b),
          cast(c, { linear: v3.scale(way, k), angular: turning }, d),
        ];
        same('time with a turn', Math.abs((start?.t ?? 2) - (end?.t ?? 2)), 1e-5);
      });
      const rng = new Rng(7_000_003 + i);
      const pose = { position: rng.vec(1), quaternion: rng.rotation() };
      const [a, c] = [collider(EVERY_SHAPE[nameA]!, pose), collider(grown(nameA, k), larger(pose, k))];
      for (let n = 0; n < 5; n++) {
        const p = rng.vec(2);
        const q = v3.scale(p, k);
        const direction = rng.direction();
        const [one, other] = [closestPoint(p, a)!, closestPoint(q, c)!];
        check(apart(one.point, other.point, k) < 1e-6, () => `closest point of ${nameA}`);
        check(contains(p, a) === contains(q, c), () => `${nameA} contains`);
        const [hit, far] = [raycast({ origin: p, direction }, a), raycast({ origin: q, direction }, c)];
        check(Math.abs((hit?.t ?? 99) - (far === null ? 99 : far.t / k)) < 1e-6, () => `ray at ${nameA}`);
      }
    });
  });

test('shapes beyond the range are refused, whatever their kind', () => {
  for (const name of NAMES)
    if (name !== 'point')
      for (const k of [1e32, 1e-32, 1e45, 1e-45, 1e160])
        expect(() => grown(name, k), `${name} ${k}`).toThrow(/^graze: .* (must|is)/);
  const far = { position: { x: 1e31, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(() => compound([{ shape: sphere(1), pose: far }])).toThrow(/parts\[0\] must not be beyond 1e\+30/);
  expect(() => halfSpace({ x: 0, y: 1, z: 0 }, 1e31)).toThrow(/d must not be beyond 1e\+30/);
});

test('bodies that are too far from each other are refused, by name', () => {
  const far = collider(box(1, 1, 1), {
    position: { x: 0, y: 1e40, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
  });
  for (const ask of [
    () => distance(box(1, 1, 1), far),
    () => intersects(box(1, 1, 1), far),
    () => contacts(box(1, 1, 1), far),
    () => cast(box(1, 1, 1), { translation: { x: 0, y: 1e40, z: 0 } }, collider(sphere(1))),
  ])
    expect(ask).toThrow(/^graze: .* must not be/);
});
