/** Contacts under motions that are too small to see: a solver warm-starts from them, so they must not jump. */
import { describe } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { type BoxShape, box, type ConvexShape, cylinder, hull, type Shape } from '../shapes/index.ts';
import type { Contact } from '../shapes/results.ts';
import { contacts } from './contacts.ts';

/** Turned by hand. */
function place({ position, quaternion: q }: ReadonlyPose, p: ReadonlyVec3): ReadonlyVec3 {
  const k = 1 / Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  const [x, y, z, w] = [k * q.x, k * q.y, k * q.z, k * q.w];
  return vec3(
    position.x + (1 - 2 * (y * y + z * z)) * p.x + 2 * (x * y - w * z) * p.y + 2 * (x * z + w * y) * p.z,
    position.y + 2 * (x * y + w * z) * p.x + (1 - 2 * (x * x + z * z)) * p.y + 2 * (y * z - w * x) * p.z,
    position.z + 2 * (x * z - w * y) * p.x + 2 * (y * z + w * x) * p.y + (1 - 2 * (x * x + y * y)) * p.z,
  );
}
const apart = (a: ReadonlyVec3, b: ReadonlyVec3) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
const cornersOf = (shape: ConvexShape) => shape.faces!.vertices;

/** The corner of the body where a contact is, by its number; -1 for none. */
function cornerAt(shape: ConvexShape, pose: ReadonlyPose, p: ReadonlyVec3): number {
  return cornersOf(shape).findIndex((corner) => apart(place(pose, corner), p) < 1e-4);
}

interface Stack {
  readonly upper: ConvexShape;
  readonly lower: Shape;
  readonly x: number;
  readonly z: number;
}
const unit = box(0.5, 0.5, 0.5);
/** All with the plane between the two at y = 0. */
const STACKS: Record<string, Stack> = {
  'a box on a larger one': { upper: unit, lower: box(2, 0.5, 2), x: 0.3, z: 0.2 },
  'in the middle of it': { upper: unit, lower: box(2, 0.5, 2), x: 0, z: 0 },
  'hulls of the same corners': {
    upper: hull(cornersOf(unit)),
    lower: hull(cornersOf(box(2, 0.5, 2))),
    x: 0.3,
    z: 0.2,
  },
  'a rounded box': { upper: box(0.4, 0.4, 0.4, 0.1), lower: box(2, 0.5, 2), x: 0.3, z: 0.2 },
  'a box on a wide cylinder': { upper: unit, lower: cylinder(0.5, 2), x: 0.1, z: 0.2 },
};

describe('[R2.3] a box lying on a box keeps its four corners under tiny motions', () => {
  for (const [name, { upper, lower, x, z }] of Object.entries(STACKS))
    property(
      `${name}: the same four corners in the same order, moving no farther than the box`,
      2000,
      (rng) => {
        const gap = rng.pick([-1e-4, 0, 1e-4]);
        const turn = rng.pick([0, 0.1, 0.4, -0.7]);
        const at: ReadonlyPose = {
          position: vec3(x, 1 + gap, z),
          quaternion: { x: 0, y: turn, z: 0, w: 1 },
        };
        const size = 10 ** -rng.range(6, 9);
        const [d, r] = [rng.vec(size), rng.vec(size)];
        const moved: ReadonlyPose = {
          position: vec3(at.position.x + d.x, at.position.y + d.y, at.position.z + d.z),
          quaternion: { x: r.x, y: turn + r.y, z: r.z, w: 1 },
        };
        const ask = (pose: ReadonlyPose): Contact[] =>
          contacts({ shape: upper, pose }, lower, { margin: 0.01 });
        const [before, after] = [ask(at), ask(moved)];
        check(
          before.length === 4 && after.length === 4,
          () => `${before.length} and ${after.length} contacts`,
        );
        const motion = Math.max(...cornersOf(upper).map((p) => apart(place(at, p), place(moved, p))));
        const rounding = (upper as BoxShape).rounding;
        const numbers = new Set<number>();
        before.forEach((was, i) => {
          const is = after[i]!;
          // Turning also leans the normal, by which the other point is found.
          const allowed = 1.5 * motion + 1e-12;
          for (const [p, q] of [
            [was.pointA, is.pointA],
            [was.pointB, is.pointB],
          ] as const)
            check(apart(p, q) <= allowed, () => `contact ${i} moved by ${apart(p, q)}, the box by ${motion}`);
          check(Math.abs(is.separation - was.separation) <= allowed, 'separation');
          if (rounding > 0) return;
          const corner = cornerAt(upper, at, was.pointA);
          check(corner >= 0 && corner === cornerAt(upper, moved, is.pointA), () => `corner ${corner}`);
          numbers.add(corner);
        });
        check(rounding > 0 || numbers.size === 4, 'four different corners');
      },
    );

  property('two boxes of the same size, side above side', 2000, (rng) => {
    const size = 10 ** -rng.range(6, 9);
    const [d, r] = [rng.vec(size), rng.vec(size)];
    const moved: ReadonlyPose = {
      position: vec3(d.x, 1 + d.y, d.z),
      quaternion: { x: r.x, y: r.y, z: r.z, w: 1 },
    };
    const list = contacts({ shape: unit, pose: moved }, unit, { margin: 0.01 });
    const motion = Math.max(...cornersOf(unit).map((p) => apart(vec3(p.x, p.y + 1, p.z), place(moved, p))));
    // Either has the corner, so the order is by place: one contact at each, and nowhere else.
    const places = [
      [-0.5, -0.5],
      [0.5, -0.5],
      [-0.5, 0.5],
      [0.5, 0.5],
    ] as const;
    check(list.length === 4, () => `${list.length} contacts`);
    for (const [x, z] of places) {
      const here = list.filter(({ pointA: p }) => apart(p, vec3(x, 0.5, z)) <= 2 * motion + 1e-12);
      check(here.length === 1, () => `${here.length} contacts at ${x} ${z}`);
    }
  });
});
