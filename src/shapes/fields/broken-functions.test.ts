/** Functions of the user that go wrong in the middle of a query: a clear error, and a world that goes on as before. */
import { describe, expect, test } from 'vitest';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { World } from '../../world/world.ts';
import { collider } from '../collider.ts';
import { parametric } from '../parametric.ts';
import { sphere } from '../round-shapes.ts';
import { scaled } from '../scale.ts';
import type { Shape } from '../shape.ts';
import { solid } from '../solid.ts';
import { csg } from './csg.ts';
import { levelSet } from './level-set/level-set.ts';
import { sdf } from './sdf.ts';

const bounds = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
const at = (x: number, y: number, z: number) => ({
  position: vec3(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

type Fault = 'gives NaN' | 'gives Infinity' | 'gives a text' | 'throws' | 'is steep';
const FAULTS: Record<Fault, (right: number) => number> = {
  'gives NaN': () => Number.NaN,
  'gives Infinity': () => Infinity,
  'gives a text': () => 'near' as never,
  throws: () => {
    throw new Error('out of paper');
  },
  'is steep': (right: number) => 40 * right,
};
let fault: Fault | null = null;

/** A ball of radius 0.6, as long as nothing is wrong. */
function value(p: ReadonlyVec3): number {
  const right = v3.length(p) - 0.6;
  return fault ? FAULTS[fault](right) : right;
}
function onBall(u: number, v: number, out: Vec3): Vec3 {
  const r = 0.6 * (fault === 'is steep' ? 1 : fault ? FAULTS[fault](1) : 1);
  // Bent much more than 33 × 33 points have shown.
  const bump = fault === 'is steep' ? 0.3 * Math.sin(400 * u) * Math.sin(400 * v) : 0;
  return v3.scale(vec3(Math.sin(u) * Math.cos(v), Math.cos(u), Math.sin(u) * Math.sin(v)), r + bump, out);
}

const SHAPES: Record<string, { shape: Shape; error: RegExp }> = {
  sdf: { shape: sdf(value, bounds), error: /^graze: sdf: (f|the distance) .*\(-?[\d.e-]+, / },
  'csg of it': {
    shape: csg('difference', [sdf(value, bounds), { shape: sphere(0.2), pose: at(0.6, 0, 0) }]),
    error: /^graze: (sdf: f|csg: the distance) .*\(-?[\d.e-]+, /,
  },
  'a scaled one': {
    shape: scaled(sdf(value, bounds), vec3(1, 1.2, 0.9)),
    error: /^graze: sdf: (f|the distance) .*\(-?[\d.e-]+, /,
  },
  'a solid by its distance': {
    shape: solid({ bounds, signedDistance: value }),
    error: /^graze: solid: (signedDistance|the distance) .*\(-?[\d.e-]+, /,
  },
  'a solid by its boxes': {
    shape: solid({
      bounds,
      box: ({ center, halfSize }) => {
        const size = Math.max(halfSize.x, halfSize.y, halfSize.z);
        if (!fault) return v3.length(center) <= 0.6 + size;
        return FAULTS[fault](1) as never;
      },
    }),
    error: /^graze: solid: box .*\(-?[\d.e-]+, /,
  },
  parametric: {
    shape: parametric(onBall, { u: [0, Math.PI], v: [0, 2 * Math.PI], closed: true }),
    error: /^graze: parametric: .*u = /,
  },
};

const beside = collider(sphere(0.3), at(1, 0.3, 0.2));
const ray = { origin: vec3(3, 0.2, 0.1), direction: vec3(-1, 0, 0) };
const QUERIES: Record<string, (world: World) => unknown> = {
  overlaps: (world) => world.overlaps(collider(sphere(0.3), at(0.7, 0.3, 0.2))),
  raycast: (world) => world.raycast(ray)?.t,
  cast: (world) => world.cast(beside, { translation: vec3(-1, 0, 0) })?.t,
  'cast with a rotation': (world) =>
    world.cast(beside, { linear: vec3(-1, 0, 0), angular: vec3(0, 1, 0), duration: 1 })?.t,
  nearest: (world) => world.nearest(vec3(1, 0.5, 0.4))?.separation,
};

describe.each(Object.entries(SHAPES))('%s', (name, { shape, error }) => {
  test.each(Object.entries(QUERIES))('%s of a world', (_, ask) => {
    const world = new World();
    world.add(shape);
    world.add(collider(sphere(0.5), at(0, 5, 0)));
    const before = ask(world);
    expect(before).toBeDefined();
    for (const one of Object.keys(FAULTS) as Fault[]) {
      // The boxes of a solid have no slope.
      if (one === 'is steep' && name === 'a solid by its boxes') continue;
      fault = one;
      try {
        // More often than searches could be kept in a pool and not be given back.
        for (let i = 0; i < 40; i++) {
          let told: unknown = null;
          try {
            ask(world);
          } catch (thrown) {
            told = thrown;
          }
          // What is steep is seen if two points are asked about that show it.
          if (one === 'is steep' && told === null) break;
          expect(String((told as Error)?.message), `${one}`).toMatch(error);
          if (one === 'throws') expect(String((told as Error).message)).toContain('out of paper');
        }
      } finally {
        fault = null;
      }
      expect(ask(world), `after it ${one}`).toEqual(before);
    }
  });
});

test('a level set of such a function is not made; what there was goes on', () => {
  const world = new World();
  const id = world.add(levelSet(value, { spacing: 0.1, bounds }));
  const before = world.raycast(ray)!.t;
  for (const one of Object.keys(FAULTS) as Fault[]) {
    fault = one;
    try {
      expect(() => levelSet(value, { spacing: 0.1, bounds }), one).toThrow(
        /^graze: levelSet: f .*\(-?[\d.e-]+, /,
      );
      // It asks the function no more.
      expect(world.raycast(ray)!.t).toBe(before);
    } finally {
      fault = null;
    }
    expect(world.raycast(ray)).toMatchObject({ id, t: before });
  }
  expect(world.add(levelSet(value, { spacing: 0.1, bounds }))).not.toBe(id);
});
