import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import { box } from '../shapes/index.ts';
import { touchingFeatures } from './contacts.ts';
import { polyhedralModel } from './model.ts';
import { makeSweepContact } from './types.ts';

const MARGIN = 1e-5;
const small = polyhedralModel(box(0.5, 0.5, 0.5));
const big = polyhedralModel(box(2, 2, 0.5));
const ground = pose();

/** Where the corners of the small box's lower side are. */
const lowerCorners = ({ position: p, quaternion: { x, y, z, w } }: Pose): Vec3[] =>
  [-0.5, 0.5].flatMap((a) =>
    [-0.5, 0.5].map((b) => {
      const c = -0.5;
      return vec3(
        p.x + (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        p.y + 2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
        p.z + 2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
      );
    }),
  );

property(
  '[P7] a box on a box touches with its four corners, however little it is tilted or off, along the normal of the face',
  2000,
  (rng) => {
    const little = (): number => rng.sign() * 10 ** rng.range(-9, -6);
    const place: Pose = {
      // Over the middle, or with sides in common planes but for a little.
      position: vec3(
        rng.pick([0, 1.5, -1.5]) + little(),
        rng.pick([0, 1.5, -1.5]) + little(),
        1 + MARGIN / 2 + little(),
      ),
      quaternion: q4.normalize({ x: little(), y: little(), z: little(), w: 1 }),
    };
    const found = touchingFeatures(small, place, big, ground, MARGIN);
    check(found.length === 4, () => `${found.length} contacts ${JSON.stringify(found)}`);
    for (const corner of lowerCorners(place)) {
      const near = found.filter(
        ({ point: p }) =>
          Math.abs(p.x - corner.x) + Math.abs(p.y - corner.y) + Math.abs(p.z - corner.z) < 1e-12,
      );
      check(near.length === 1, 'each corner once');
      const { normal, gap, moverKind, targetKind } = near[0]!;
      check(moverKind === 'vertex' && targetKind === 'polygon', 'corners on the face');
      check(normal.x === 0 && normal.y === 0 && normal.z === 1, 'along the normal of the face');
      check(Math.abs(gap - (corner.z - 0.5)) < 1e-14, 'as far as it is');
    }
  },
);

test('[P7] a list that is given is filled from its start, and nothing is told of what is farther than the margin', () => {
  const place: Pose = { position: vec3(0, 0, 1 + 2 * MARGIN), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(touchingFeatures(small, place, big, ground, MARGIN)).toHaveLength(0);
  place.position.z = 1 + MARGIN / 2;
  const list = [makeSweepContact()];
  expect(touchingFeatures(small, place, big, ground, MARGIN, list)).toBe(list);
  expect(list).toHaveLength(4);
});
