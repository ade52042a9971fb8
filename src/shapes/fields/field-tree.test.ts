/** Distances from fields by a tree of cubes, against the closed form of a torus. */
import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import { FieldTree } from './field-tree.ts';
import { sdf } from './sdf.ts';

const torus = ({ x, y, z }: ReadonlyVec3): number => {
  const out = Math.hypot(x, z) - 1;
  return Math.hypot(out, y) - 0.3;
};
const bounds = { min: vec3(-1.4, -1.4, -1.4), max: vec3(1.4, 1.4, 1.4) };
let asked = 0;
/** A third of the distance: what is known of it is loose. */
const loose = sdf((p) => {
  asked++;
  return torus(p) / 3;
}, bounds);

const tree = new FieldTree();
property('from below, as exact as was asked for, or as much as is enough', 1000, (rng) => {
  tree.begin(loose);
  const p = rng.vec(2);
  const truth = torus(p);
  if (!(truth > 0)) return;
  const precision = 10 ** rng.range(-2, 0);
  const found = tree.distanceFrom(p, precision, Infinity);
  check(found <= truth, () => `${found} for ${truth}`);
  check(found >= truth - 4 * precision, () => `${found} for ${truth}, asked for ${precision}`);
  const enough = rng.range(0, 2) * truth;
  const stopped = tree.distanceFrom(p, precision, enough);
  check(stopped <= truth && stopped >= Math.min(enough, found), () => `${stopped}, enough is ${enough}`);
});

test('the field is asked once for each cube, until the tree is told to forget', () => {
  tree.forget();
  tree.begin(loose);
  const first = tree.distanceFrom(vec3(2, 1), 0.05, Infinity);
  const before = asked;
  tree.begin(loose);
  expect(tree.distanceFrom(vec3(2, 1), 0.05, Infinity)).toBe(first);
  expect(asked).toBe(before);
  tree.forget();
  tree.begin(loose);
  expect(tree.distanceFrom(vec3(2, 1), 0.05, Infinity)).toBe(first);
  expect(asked).toBeGreaterThan(before);
});

test('a function that is steeper than it says is named, with the two points', () => {
  const steep = new FieldTree();
  steep.begin(sdf((p) => 8 * torus(p), bounds));
  expect(() => steep.distanceFrom(vec3(3, 1, 2), 0.01, Infinity)).toThrow(
    /sdf: the distance must not change faster than lipschitz says/,
  );
});
