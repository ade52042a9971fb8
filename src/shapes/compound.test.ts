import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import type { Pose } from '../math/types.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { queryTree } from '../trees/query.ts';
import { boundsOf } from './bounds.ts';
import { collider } from './collider.ts';
import { type CompoundPart, compound } from './compound.ts';
import { box } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { mesh } from './mesh.ts';
import { sphere } from './round-shapes.ts';

const anyPose = (rng: Rng): Pose => ({ position: rng.vec(rng.pick([1, 100])), quaternion: rng.rotation() });

property('the tree finds every child whose box a query box meets', 300, (rng) => {
  const parts = Array.from({ length: rng.pick([1, 2, 3, 50]) }, () => ({
    shape: rng.chance(0.5) ? sphere(rng.range(0, 2)) : box(1, rng.range(0, 1), 0),
    pose: rng.chance(0.1) ? makePose() : anyPose(rng),
  }));
  const shape = compound(parts);
  for (let k = 0; k < 10; k++) {
    const [a, b] = [rng.vec(100), rng.vec(100)];
    const range = { min: v3.min(a, b), max: v3.max(a, b) };
    const found = new Set<number>();
    queryTree(shape.tree, range, (item) => {
      found.add(item);
      return false;
    });
    parts.forEach((part, i) => {
      const { min, max } = boundsOf(part.shape, part.pose);
      const meets = (['x', 'y', 'z'] as const).every((x) => min[x] <= range.max[x] && max[x] >= range.min[x]);
      if (meets) check(found.has(i), () => `child ${i} was missed`);
    });
  }
});

test('compounds in compounds are taken apart; paths lead to the parts', () => {
  const quarter = quat(0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const inner = compound([
    { shape: sphere(1) },
    { shape: box(1, 1, 1), pose: { position: vec3(1), quaternion: quarter } },
  ]);
  const outer = compound([
    { shape: sphere(2) },
    { shape: compound([{ shape: inner }]), pose: { position: vec3(0, 10), quaternion: quarter } },
  ]);
  expect(outer.children.map(({ shape, path }) => [shape.kind, path])).toEqual([
    ['sphere', [0]],
    ['sphere', [1, 0, 0]],
    ['box', [1, 0, 1]],
  ]);
  const { position, quaternion } = outer.children[2]!.pose;
  for (const [got, wanted] of [
    [position.x, 0],
    [position.y, 11],
    [quaternion.z, 1],
    [quaternion.w, 0],
  ] as const)
    expect(got).toBeCloseTo(wanted, 14);
});

test('poses are copied, and quaternions made of length 1', () => {
  const place = { position: vec3(1, 2, 3), quaternion: quat(0, 0, 0, 5) };
  const shape = compound([{ shape: sphere(1), pose: place }]);
  place.position.x = 9;
  expect(shape.children[0]!.pose).toEqual({ position: vec3(1, 2, 3), quaternion: quat() });
  expect(shape.bounds).toEqual({ min: vec3(0, 1, 2), max: vec3(2, 3, 4) });
});

test('what cannot be in a compound is refused', () => {
  const zero = { position: vec3(), quaternion: quat(0, 0, 0, 0) };
  const bad = { position: vec3(Number.NaN), quaternion: quat() };
  expect(() => compound([])).toThrow(/parts must hold at least one shape/);
  expect(() => compound([{ shape: halfSpace(vec3(0, 1)) }])).toThrow(/parts\[0\]\.shape must be bounded/);
  expect(() => compound([{ shape: sphere(1), pose: zero }])).toThrow(/parts\[0\]\.pose\.quaternion/);
  expect(() => compound([{ shape: sphere(1), pose: bad }])).toThrow(/parts\[0\]\.pose\.position\.x/);
  expect(() => compound([{} as CompoundPart])).toThrow(/parts\[0\]\.shape must be a shape/);
  expect(() => compound([sphere(1)] as unknown as CompoundPart[])).toThrow(
    /parts\[0\]\.shape must be a shape/,
  );
});

test('a collider reads its pose live', () => {
  const place = { position: vec3(1, 2, 3), quaternion: quat(), name: 'an object with more to it' };
  const crate = collider(box(1, 1, 1), place);
  place.position.x = 5;
  expect(boundsOf(crate.shape, crate.pose).max.x).toBe(6);
  expect(collider(sphere(1)).pose.position).toEqual(vec3());
  expect(collider(sphere(1)).pose).not.toBe(collider(sphere(1)).pose);
  expect(collider(mesh([0, 0, 0, 1, 0, 0, 0, 1, 0])).shape.kind).toBe('mesh');
  expect(() => collider({} as never, place)).toThrow(/collider: shape must be a shape/);
  expect(() => collider(sphere(1), { position: vec3() } as Pose)).toThrow(
    /pose must be a pose {position, quaternion}/,
  );
});

test('[R2.6] a thousand children in one place make a tree all the same', () => {
  const rng = new Rng(1);
  const shape = compound(Array.from({ length: 1000 }, () => ({ shape: sphere(rng.pick([0, 1])) })));
  const found = new Set<number>();
  queryTree(shape.tree, { min: vec3(), max: vec3() }, (item) => {
    found.add(item);
    return false;
  });
  expect(found.size).toBe(1000);
});
