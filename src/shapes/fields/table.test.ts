/** Every kind of field with every shape, every question, both ways round. */
import { expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../../tests/kit/every-shape.ts';
import { check, near, Rng } from '../../../tests/kit/index.ts';
import { factor } from '../../../tests/kit/property.ts';
import { icosphere } from '../../../tests/kit/meshes.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { cast } from '../../query/cast.ts';
import { contacts } from '../../query/contacts.ts';
import { distance } from '../../query/distance.ts';
import { intersects } from '../../query/intersects.ts';
import { type Collider, collider } from '../collider.ts';
import { box } from '../flat-sided-shapes.ts';
import { mesh } from '../mesh.ts';
import { parametric } from '../parametric.ts';
import { sphere } from '../round-shapes.ts';
import { scaled } from '../scale.ts';
import type { Shape } from '../shape.ts';
import { solid } from '../solid.ts';
import { csg } from './csg.ts';
import { levelSet } from './level-set/level-set.ts';
import { sdf } from './sdf.ts';

const bounds = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
const ballValue = (p: ReadonlyVec3): number => v3.length(p) - 0.7;
const fine = icosphere(2);
const baked = levelSet(mesh(fine.positions, fine.index), { spacing: 0.15 });
const carved = {
  shape: box(0.2, 2, 0.2),
  pose: { position: vec3(0.3), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
};

/** With how exact their distances are: docs/shapes.md, relative to sizes of about 1. */
const FIELDS: Record<string, [Shape, number]> = {
  'exact sdf': [sdf(ballValue, bounds, { exact: true }), 1e-5],
  sdf: [sdf((p) => 0.6 * ballValue(p), bounds), 1e-3],
  csg: [csg('difference', [sphere(0.8), carved]), 4e-3],
  'level set': [baked, 4e-3],
  'csg of a level set': [csg('difference', [baked, carved]), 4e-3],
  'scaled level set': [scaled(baked, vec3(0.7, 1, 0.8)), 4e-3],
  parametric: [
    parametric(
      (u, v, out: Vec3) =>
        v3.set(0.8 * Math.sin(u) * Math.cos(v), 0.6 * Math.cos(u), 0.8 * Math.sin(u) * Math.sin(v), out),
      { u: [0, Math.PI], v: [0, 2 * Math.PI], closed: true },
    ),
    4e-3,
  ],
  'solid by distances': [solid({ bounds, signedDistance: ballValue }), 4e-3],
  'solid by boxes': [
    solid({
      bounds,
      box: ({ center, halfSize }) => {
        const d = v3.max(v3.abs(center), vec3());
        return v3.length(v3.max(v3.sub(d, v3.scale(vec3(1, 1, 1), v3.length(halfSize))), vec3())) <= 0.6;
      },
    }),
    1e-2,
  ],
};

const OTHERS: Record<string, [Shape, number]> = {
  ...Object.fromEntries(
    Object.entries(EVERY_SHAPE).map(([name, shape]) => [name, [shape, 0] as [Shape, number]]),
  ),
  ...FIELDS,
};

const NAMES = Object.keys(FIELDS);
/** One of each family, unless there is time for all. */
const FEW = ['sphere', 'box', 'triangle', 'half-space', 'mesh', 'height field', 'skinned mesh', 'compound'];
for (const [a, [first, exact]] of Object.entries(FIELDS))
  // Two fields once: each is asked in both orders.
  for (const [b, [second, other]] of Object.entries(OTHERS).filter(
    ([name]) =>
      NAMES.includes(name) ? NAMES.indexOf(name) >= NAMES.indexOf(a) : factor >= 1 || FEW.includes(name),
  ))
    test(`[R2.3] ${a} and ${b}: intersects, distance, contacts and cast agree, in both orders`, () => {
      const rng = new Rng(a.length * 1000 + b.length);
      const off = exact + other;
      for (let i = 0; i < factor; i++) {
        const one = collider(first, { position: rng.vec(3), quaternion: rng.rotation() });
        const two = collider(second, { position: rng.vec(i), quaternion: rng.rotation() });
        const overlap = intersects(one, two);
        const apart = distance(one, two)!;
        const back = distance(two, one)!;
        if (apart.separation > off)
          check(!overlap && !intersects(two, one), () => `intersects at ${apart.separation}`);
        if (apart.separation > 0 && back.separation > 0) {
          near(back.separation, apart.separation, off, 'separation, the other way round');
          near(v3.distance(apart.pointA, apart.pointB), apart.separation, off, 'from point to point');
          near(v3.length(apart.normal), 1, 1e-9, 'normal');
          const between = v3.scale(v3.sub(apart.pointA, apart.pointB), 1 / apart.separation);
          if (apart.separation > 10 * off)
            near(v3.distance(apart.normal, between), 0, 0.02, 'along the points');
        } else check(apart.separation <= off && back.separation <= off, () => 'apart in one order only');
        const margin = Math.max(0, apart.separation) + 0.05;
        const touching = contacts(one, two, { margin });
        check(touching.length > 0, () => 'no contacts');
        for (const { separation } of touching)
          check(separation <= margin + off, () => 'a contact is far away');
        castBothWays(one, two, off, overlap);
      }
    });

/** Towards each other, so that they meet unless the other is thin; also with a turn. */
function castBothWays(one: Collider, two: Collider, off: number, overlap: boolean): void {
  const translation = v3.scale(v3.sub(two.pose.position, one.pose.position), 1.5);
  const speed = v3.length(translation);
  const motions = [{ translation }, { linear: translation, angular: vec3(0.3, 0.2, -0.4), duration: 1 }];
  for (const motion of motions) {
    // With a turn it takes long.
    if ('angular' in motion && factor < 1 && one.shape.kind !== 'levelSet') continue;
    const hit = cast(one, motion, two);
    if (overlap) {
      expect(hit?.t).toBe(0);
      continue;
    }
    if ('translation' in motion) {
      const back = cast(two, { translation: v3.negate(translation) }, one);
      if (hit || back)
        near((back?.t ?? 1) * speed, (hit?.t ?? 1) * speed, 40 * off + 1e-2, 'the other way round');
      const moved = (t: number): Collider =>
        collider(one.shape, { ...one.pose, position: v3.addScaled(one.pose.position, translation, t) });
      for (const part of [0.3, 0.7, 0.97])
        check(!intersects(moved(part * (hit?.t ?? 1)), two), () => `late: touches at ${part} of t`);
      if (hit) check(distance(moved(hit.t), two)!.separation <= 2 * off + 1e-3, () => 'stopped far away');
    }
    if (hit) near(v3.length(hit.normal), 1, 1e-9, 'normal of the hit');
  }
}
