import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { bruteForce, KINDS, posed, type Soup, soup, treeOver } from '../../tests/kit/sample-trees.ts';
import { m3, poses, v3 } from '../math/index.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { mat3 } from '../math/types.ts';
import { rayTriangle } from '../primitives/index.ts';
import { overlapObbObb } from '../volumes/obb-overlap.ts';
import { makeTreeCounters } from './counters.ts';
import { treePairs } from './pair-search.ts';
import { PosedBoxes } from './posed-boxes.ts';
import { rayTree } from './query.ts';

/** A box in single precision, at times a point, large, or far away. */
function box(rng: Rng): Float32Array {
  const scale = rng.pick([1, 1, 1, 1e-6, 1e6]);
  const c = rng.vec(rng.pick([0, 1, 3]));
  const far = rng.chance(0.1) ? 1e6 : 0;
  const out = new Float32Array(6);
  for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
    const half = rng.chance(0.2) ? 0 : scale * rng.unit();
    out[k] = c[axis] + far - half;
    out[k + 3] = c[axis] + far + half;
  }
  return out;
}

const randomPose = (rng: Rng): Pose => ({
  position: rng.chance(0.2) ? { x: 0, y: 0, z: 0 } : rng.vec(rng.pick([1, 4, 1e6])),
  quaternion: rng.rotation(),
});

function overlap(a: Float32Array, b: Float32Array, pose: Pose, edges: boolean): boolean {
  const boxes = new PosedBoxes(a, b, edges);
  boxes.setPose(pose);
  return boxes.overlap(0, 0);
}

/** A point of a box, often a corner of it. */
function pointIn(rng: Rng, b: Float32Array): Vec3 {
  const at = (k: number) => {
    const t = rng.pick([0, 1, rng.unit()]);
    return t === 1 ? b[k + 3]! : b[k]! + t * (b[k + 3]! - b[k]!);
  };
  return { x: at(0), y: at(1), z: at(2) };
}

property('[R6.4.2] boxes that share a point overlap, by six axes and by fifteen', 10_000, (rng) => {
  const b = box(rng);
  const pose = randomPose(rng);
  const { x, y, z } = posed(pose, pointIn(rng, b));
  const a = new Float32Array(6);
  // Around the point, which is often on a face or a corner of it.
  for (const [k, at] of [x, y, z].entries()) {
    const size = rng.pick([0, 1e-3, 1, 10]);
    const low = Math.fround(at - (rng.chance(0.5) ? 0 : size));
    const high = Math.fround(at + (rng.chance(0.5) ? 0 : size));
    a[k] = low > at ? low - Math.abs(low) * 2e-7 - 1e-44 : low;
    a[k + 3] = high < at ? high + Math.abs(high) * 2e-7 + 1e-44 : high;
  }
  check(overlap(a, b, pose, false), 'six axes part them');
  check(overlap(a, b, pose, true), 'fifteen axes part them');
});

property('[R6.4.2] points that coincide after rounding overlap', 10_000, (rng) => {
  const f32 = () => Math.fround(rng.range(-3, 3));
  const [p, q] = [0, 1].map(() => ({ x: f32(), y: f32(), z: f32() })) as [Vec3, Vec3];
  const pose = { position: { x: 0, y: 0, z: 0 }, quaternion: rng.rotation() };
  const turned = poses.transformPoint(pose, q);
  pose.position = { x: p.x - turned.x, y: p.y - turned.y, z: p.z - turned.z };
  const there = poses.transformPoint(pose, q);
  if (there.x !== p.x || there.y !== p.y || there.z !== p.z) return;
  const [a, b] = [p, q].map(({ x, y, z }) => Float32Array.of(x, y, z, x, y, z)) as [
    Float32Array,
    Float32Array,
  ];
  check(overlap(a, b, pose, false) && overlap(a, b, pose, true), 'apart');
});

let sixOnly = 0;
property(
  '[R6.4.2] what overlaps by fifteen axes overlaps by six; and fifteen are those of oriented boxes',
  10_000,
  (rng) => {
    const a = box(rng);
    const b = box(rng);
    const pose = randomPose(rng);
    const six = overlap(a, b, pose, false);
    const fifteen = overlap(a, b, pose, true);
    check(six || !fifteen, 'fifteen found what six did not');
    if (six && !fifteen) sixOnly++;

    // By another test, of boxes made larger or smaller by far more than either rounds.
    const rotation = m3.fromQuat(pose.quaternion, mat3());
    const middle = (q: Float32Array) => ({
      x: (q[0]! + q[3]!) / 2,
      y: (q[1]! + q[4]!) / 2,
      z: (q[2]! + q[5]!) / 2,
    });
    const sum = [...a, ...b].reduce((s, x) => s + Math.abs(x), 0);
    const room =
      1e-9 * (sum + Math.abs(pose.position.x) + Math.abs(pose.position.y) + Math.abs(pose.position.z));
    const half = (q: Float32Array, more: number) => ({
      x: Math.max(0, (q[3]! - q[0]!) / 2 + more),
      y: Math.max(0, (q[4]! - q[1]!) / 2 + more),
      z: Math.max(0, (q[5]! - q[2]!) / 2 + more),
    });
    const oracle = (more: number) =>
      overlapObbObb(
        { center: middle(a), halfSize: half(a, more), rotation: mat3() },
        { center: posed(pose, middle(b)), halfSize: half(b, more), rotation },
      );
    check(!fifteen || oracle(room), 'should be apart');
    const smallest = Math.min(...[a, b].map((q) => Math.min(q[3]! - q[0]!, q[4]! - q[1]!, q[5]! - q[2]!)));
    if (smallest > 4 * room && oracle(-room)) check(fifteen, 'should overlap');
  },
);

test('[R6.4.2] six axes let through what only crossed edges part', () => {
  expect(sixOnly).toBeGreaterThan(0);
});

/** A quarter turn about an axis, or any turn. */
const turn = (rng: Rng) => {
  if (rng.chance(0.5)) return rng.rotation();
  const q = { x: 0, y: 0, z: 0, w: Math.SQRT1_2 };
  q[rng.pick(['x', 'y', 'z'] as const)] = Math.SQRT1_2;
  return q;
};

property(
  '[R6.4.2] turned trees of boxes find the triangle pairs of brute force, and turn no box',
  300,
  (rng) => {
    const a = soup(rng, 30);
    const b = soup(rng, 30);
    const pose = { position: rng.vec(rng.pick([0, 0.5, 2])), quaternion: turn(rng) };
    const meets = bruteForce(a, b, pose);
    const wanted = meets.flatMap((row, i) => row.flatMap((yes, j) => (yes ? [`${i} ${j}`] : []))).sort();
    const sets = ([6, 15] as const).map((boxAxes) => {
      const counters = makeTreeCounters();
      const all = new Set<string>();
      const found: string[] = [];
      treePairs(
        treeOver(KINDS[0]!, a),
        treeOver(KINDS[0]!, b),
        (i, j) => {
          all.add(`${i} ${j}`);
          if (meets[i]![j]) found.push(`${i} ${j}`);
        },
        { pose, boxAxes, counters },
      );
      check(counters.updates === 0, 'a box was transformed');
      check(found.sort().join() === wanted.join(), `${boxAxes} axes: ${found} instead of ${wanted}`);
      return all;
    });
    for (const pair of sets[1]!) check(sets[0]!.has(pair), `${pair} by fifteen axes only`);
  },
);

test('[R6.4.2] one box inside another has no pair of faces in common; a ray from it tells', () => {
  const cube = (size: number): Soup => {
    const p = (i: number) => ({ x: i & 1 ? size : -size, y: i & 2 ? size : -size, z: i & 4 ? size : -size });
    const faces = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3];
    const out: Soup = [];
    for (let k = 0; k < 24; k += 4) {
      const [a, b, c, d] = faces.slice(k, k + 4).map(p) as [Vec3, Vec3, Vec3, Vec3];
      out.push([a, b, c], [a, c, d]);
    }
    return out;
  };
  const outer = cube(4);
  const inner = cube(1);
  const tree = treeOver(KINDS[0]!, outer);
  const pose = { position: { x: 0.1, y: 0.2, z: 0.3 }, quaternion: { x: 0.6, y: 0, z: 0, w: 0.8 } };
  const meets = bruteForce(outer, inner, pose);
  expect(treePairs(tree, treeOver(KINDS[0]!, inner), (i, j) => meets[i]![j], { pose })).toBe(false);
  const crossings = (origin: Vec3) => {
    const ray = { origin, direction: { x: 0.3, y: 0.5, z: 0.9 } };
    let count = 0;
    rayTree(ray, tree, (i) => {
      const [a, b, c] = outer[i] as [Vec3, Vec3, Vec3];
      if (rayTriangle(ray, a, b, c)) count++;
    });
    return count;
  };
  expect(crossings(posed(pose, inner[0]![0]!)) % 2).toBe(1);
  expect(crossings({ x: 9, y: 0, z: 0 }) % 2).toBe(0);
});

test('[R6.4.2] each of the fifteen axes decides: boxes that it alone keeps apart', () => {
  const rng = new Rng(15);
  const axesOf = (r: number[]): Vec3[] => {
    const column = (k: number): Vec3 => ({ x: r[3 * k]!, y: r[3 * k + 1]!, z: r[3 * k + 2]! });
    const a = [
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 1, z: 0 },
      { x: 0, y: 0, z: 1 },
    ];
    const b = [column(0), column(1), column(2)];
    return [...a, ...b, ...a.flatMap((p) => b.map((q) => v3.normalize(v3.cross(p, q))))];
  };
  for (let axis = 0; axis < 15; axis++) {
    let found = 0;
    for (let i = 0; i < 5000 && found < 3; i++) {
      const quaternion = rng.rotation();
      const b = axesOf([...m3.fromQuat(quaternion, mat3()).elements]);
      const half = (): Vec3 => ({ x: rng.range(0.1, 2), y: rng.range(0.1, 2), z: rng.range(0.1, 2) });
      const [h, k] = [half(), half()];
      /** How far two boxes about the origin reach along n, together. */
      const reach = (n: Vec3): number =>
        h.x * Math.abs(n.x) +
        h.y * Math.abs(n.y) +
        h.z * Math.abs(n.z) +
        k.x * Math.abs(v3.dot(b[3]!, n)) +
        k.y * Math.abs(v3.dot(b[4]!, n)) +
        k.z * Math.abs(v3.dot(b[5]!, n));
      const n = b[axis]!;
      const position = v3.addScaled(rng.vec(1), n, 0);
      v3.addScaled(position, n, 1.01 * reach(n) - v3.dot(position, n), position);
      const apart = b.filter((m) => Math.abs(v3.dot(position, m)) > 0.999 * reach(m));
      if (apart.length !== 1) continue;
      found++;
      const boxOf = ({ x, y, z }: Vec3) => Float32Array.of(-x, -y, -z, x, y, z);
      expect(overlap(boxOf(h), boxOf(k), { position, quaternion }, true), `axis ${axis}`).toBe(false);
      expect(overlap(boxOf(h), boxOf(k), { position, quaternion }, false), `axis ${axis}`).toBe(axis >= 6);
      v3.addScaled(position, n, -0.02 * reach(n), position);
      expect(overlap(boxOf(h), boxOf(k), { position, quaternion }, true), `axis ${axis}, nearer`).toBe(true);
    }
    expect(found, `cases for axis ${axis}`).toBe(3);
  }
});
