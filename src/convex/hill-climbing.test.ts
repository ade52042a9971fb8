import { expect, test } from 'vitest';
import { climbingCore, polytopeCore, randomCore, randomFrame } from '../../tests/kit/convex.ts';
import type { Rng } from '../../tests/kit/index.ts';
import { check, near, property } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { polyhedron } from '../polytope/index.ts';
import type { ConvexCore } from './core.ts';
import { supportCore } from './core.ts';
import { gjkDistance, gjkOverlap } from './gjk.ts';

import { makeGjkState } from './gjk-state.ts';

/** The surface points of the grid {-n … n}³: flat faces, cut up. The hull takes those within faces for no corners. */
function gridPoints(n: number): Vec3[] {
  const points: Vec3[] = [];
  for (let x = -n; x <= n; x++)
    for (let y = -n; y <= n; y++)
      for (let z = -n; z <= n; z++)
        if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === n) points.push({ x, y, z });
  return points;
}

/**
 * The same cut-up cube with every point a corner that has its neighbours on the grid, and one on the opposite face: what
 * a mesh that is no proper hull would give.
 */
function gridCore(n: number, withPartners: boolean): ConvexCore {
  const points = gridPoints(n);
  const key = (p: ReadonlyVec3) => `${p.x} ${p.y} ${p.z}`;
  const index = new Map(points.map((p, i) => [key(p), i]));
  const lists = points.map((p) => {
    const near = [1, -1].flatMap((s) => [
      { ...p, x: p.x + s },
      { ...p, y: p.y + s },
      { ...p, z: p.z + s },
    ]);
    const all = withPartners ? [{ x: -p.x, y: -p.y, z: -p.z }, ...near] : near;
    return all.map((q) => index.get(key(q))).filter((i) => i !== undefined);
  });
  const first = [0];
  for (const list of lists) first.push(first[first.length - 1]! + list.length);
  return {
    ...polytopeCore(points),
    firstNeighbour: Uint32Array.from(first),
    neighbours: Uint32Array.from(lists.flat()),
  };
}

const height = (core: ConvexCore, i: number, d: ReadonlyVec3) =>
  core.data[3 * i]! * d.x + core.data[3 * i + 1]! * d.y + core.data[3 * i + 2]! * d.z;

/** From every start the climb ends as high as the highest point. */
function checkClimbs(core: ConvexCore, d: ReadonlyVec3, starts: readonly number[], tolerance: number): void {
  let most = -Infinity;
  for (let i = 0; i < core.data.length / 3; i++) most = Math.max(most, height(core, i, d));
  const p = { x: 0, y: 0, z: 0 };
  for (const start of starts) {
    const found = supportCore(core, d, start, p);
    near(height(core, found, d), most, tolerance, `height from ${start}`);
    check(p.x === core.data[3 * found] && p.z === core.data[3 * found + 2], 'the point with that number');
  }
}

const grid = gridCore(3, true);
const everywhere = Array.from({ length: grid.data.length / 3 }, (_, i) => i);

property(
  '[R9.5.4] climb = scan on a cube with cut-up faces, along exact normals too, from every start',
  300,
  (rng) => {
    const axis = rng.pick([
      { x: 1, y: 0, z: 0 },
      { x: 0, y: -1, z: 0 },
      { x: 0, y: 0, z: 1 },
    ]);
    const d = rng.pick([
      rng.direction(),
      axis,
      { x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) },
      rng.vec(1e-6),
    ]);
    checkClimbs(grid, d, everywhere, 1e-14);
  },
);

test('[R9.5.4] without a neighbour off the plane the middle of the bottom is a dead end', () => {
  const plain = gridCore(3, false);
  const middle = gridPoints(3).findIndex((p) => p.x === 0 && p.y === 0 && p.z === -3);
  const up = { x: 0, y: 0, z: 1 };
  const p = { x: 0, y: 0, z: 0 };
  supportCore(plain, up, middle, p);
  expect(p.z).toBe(-3);
  supportCore(grid, up, middle, p);
  expect(p.z).toBe(3);
});

const round = (rng: Rng, n: number, squeeze: number) =>
  Array.from({ length: n }, () => {
    const { x, y, z } = rng.direction();
    return { x, y: y * squeeze, z: rng.chance(0.3) ? rng.sign() * 0.5 : z };
  });

property(
  '[R9.5.4] climb = scan on hulls with cut-off faces, along their normals too, from every start',
  60,
  (rng) => {
    const points = round(rng, rng.int(8, 80), rng.pick([1, 1, 0.01]));
    const core = climbingCore(points);
    const { planes } = polyhedron(points);
    const starts = Array.from({ length: core.data.length / 3 }, (_, i) => i);
    for (let k = 0; k < 10; k++) {
      const { normal } = rng.pick(planes);
      const d = rng.pick([rng.direction(), normal, { x: -normal.x, y: -normal.y, z: -normal.z }]);
      checkClimbs(core, d, starts, 1e-13);
    }
  },
);

test('[R9.5.4] a hint that is no number of a point is no hint', () => {
  const p = { x: 0, y: 0, z: 0 };
  for (const hint of [-1, 1e9, Number.NaN]) {
    supportCore(grid, { x: 1, y: 2, z: 3 }, hint, p);
    expect(p).toEqual({ x: 3, y: 3, z: 3 });
  }
});

property('[R9.5.4] GJK on hulls that are climbed = on hulls that are scanned', 1000, (rng) => {
  const points = round(rng, rng.int(6, 40), 1);
  const climbed = climbingCore(points);
  const scanned = polytopeCore(points);
  const other = randomCore(rng);
  const f = randomFrame(rng, scanned, other);
  const truth = gjkDistance(scanned, other, f, makeGjkState()).distance;
  const scale = scanned.reach + other.reach + Math.hypot(f.tx, f.ty, f.tz);
  const found = gjkDistance(climbed, other, f, makeGjkState()).distance;
  near(found, truth, 1e-12 * scale, 'distance');
  check(gjkOverlap(climbed, other, f, makeGjkState()) === (found === 0), 'boolean');
});
