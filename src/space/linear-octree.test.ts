import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { comparePointIndex, POINT_REGIMES, testPointIndex } from '../../tests/kit/point-index.ts';
import { vec3 } from '../math/types.ts';
import { LinearOctree } from './linear-octree.ts';
import { cellOfCode, depthOfCode } from './locational-code.ts';

const unit = { min: vec3(-1, -1, -1), max: vec3(2, 2, 2) };

function build(points: Float64Array, box = unit): LinearOctree {
  if (points.length % 3 !== 0) throw new RangeError('three numbers a point');
  const tree = new LinearOctree(box);
  for (let i = 0; i < points.length / 3; i++)
    tree.add(i, { x: points[3 * i]!, y: points[3 * i + 1]!, z: points[3 * i + 2]! });
  return tree;
}

testPointIndex('LinearOctree, most points outside of its box', '[R7.3.3-4]', (points) => build(points));
testPointIndex('LinearOctree', '[R7.3.3-4]', (points) => {
  const at = (k: number): number[] => [...points].filter((x, i) => i % 3 === k && Number.isFinite(x));
  const low = [0, 1, 2].map((k) => Math.min(0, ...at(k))) as [number, number, number];
  const high = [0, 1, 2].map((k) => Math.max(0, ...at(k))) as [number, number, number];
  return build(points, { min: vec3(...low), max: vec3(...high) });
});

const REGIMES = Object.values(POINT_REGIMES);

property('[R7.3.3-4] points that come, move, jump and go', 120, (rng, i) => {
  const make = REGIMES[i % REGIMES.length]!;
  const tree = new LinearOctree(rng.pick([unit, { min: vec3(-50, -50, 0), max: vec3(50, 50, 0) }]), {
    leafSize: rng.pick([1, 3, 8]),
    depth: rng.pick([0, 3, 10, 17]),
  });
  const points = new Map<number, { x: number; y: number; z: number }>();
  for (let step = 0; step < 200; step++) {
    const known = [...points.keys()];
    const what = rng.unit();
    if (known.length === 0 || what < 0.45) {
      const p = make(rng);
      tree.add(step, p);
      points.set(step, p);
    } else if (what < 0.7) {
      const id = rng.pick(known);
      const old = points.get(id)!;
      const p = rng.chance(0.5) ? make(rng) : { x: old.x + 0.01, y: old.y, z: old.z - 0.01 };
      tree.move(id, p);
      points.set(id, p);
    } else if (what < 0.95) {
      const id = rng.pick(known);
      tree.remove(id);
      points.delete(id);
    } else if (rng.chance(0.1)) {
      tree.clear();
      points.clear();
    }
    if (step % 20 === 19) comparePointIndex(tree, points, rng, make(rng));
  }
  for (const id of points.keys()) tree.remove(id);
  check(tree.cellCount === 0, 'cells are left');
});

test('[R7.3.4] the deepest cell that exists around a point is found by halving the depth', () => {
  const rng = new Rng(8);
  const points = Float64Array.from({ length: 900 }, () => rng.range(-1, 2));
  const tree = build(points);
  for (let i = 0; i < 300; i++) {
    const p = vec3(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
    const code = tree.locate(p);
    const depth = depthOfCode(code);
    const { x, y, z } = cellOfCode(code);
    const side = 3 / 2 ** depth;
    expect(Math.floor((p.x + 1) / side)).toBe(x);
    expect(Math.floor((p.y + 1) / side)).toBe(y);
    expect(Math.floor((p.z + 1) / side)).toBe(z);
    // A leaf: so many points at most.
    const box = { min: vec3(x * side - 1, y * side - 1, z * side - 1), max: vec3(0, 0, 0) };
    box.max = vec3(box.min.x + side, box.min.y + side, box.min.z + side);
    let inside = 0;
    tree.range(box, () => void inside++);
    expect(inside).toBeGreaterThan(0);
    expect(inside).toBeLessThanOrEqual(8);
  }
  expect(new LinearOctree(unit).locate(vec3())).toBe(0);
});

test('numbers of points are the owner’s, and are looked at', () => {
  const tree = new LinearOctree(unit);
  tree.add(7, vec3());
  for (const id of [-1, 0.5, Number.NaN, 7]) expect(() => tree.add(id, vec3())).toThrow(/add: id/);
  for (const id of [-1, 0.5, 8]) {
    expect(() => tree.move(id, vec3())).toThrow(/move: id/);
    expect(() => tree.remove(id)).toThrow(/remove: id/);
  }
  expect(() => new LinearOctree(unit, { depth: 18 })).toThrow(/options.depth/);
  expect(() => new LinearOctree(unit, { leafsize: 3 } as object)).toThrow(/LinearOctree: options/);
});
