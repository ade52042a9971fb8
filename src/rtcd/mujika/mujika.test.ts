/** Trees of spheres on skeletons, corner trees and representative triangles, against every pair of triangles. */
import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { icosphere, type TriangleArrays, torus } from '../../../tests/kit/meshes.ts';
import { pairsBrute } from '../../../tests/kit/skin-oracle.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { closestPointsTriangleTriangle } from '../../primitives/closest/triangle-triangle.ts';
import { skinned } from '../../shapes/skinned.ts';
import { selfPairs } from '../../skinned/self-pairs.ts';
import type { SkinnedShape } from '../../skinned/skinned-shape.ts';
import { fitSphereMinimum } from '../../volumes/sphere-minimum.ts';
import { type Division, dividedSphereTree, triangleSphereTree } from './corner-tree.ts';
import { representativeTriangles } from './representatives.ts';
import { SkinnedSpheres, sphereOfArc } from './skinned-spheres.ts';
import { collideSpheres, SphereCounters, SphereSurroundings } from './sphere-collision.ts';
import {
  levelsOfSphereTree,
  quinlanSphereTree,
  reduceSphereTree,
  type SphereTree,
  sizeOfSphereTree,
} from './sphere-tree.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const between = (p: ReadonlyVec3, q: ReadonlyVec3): number => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
const vertexOf = (positions: ArrayLike<number>, i: number): Vec3 =>
  v(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!);

/** Every triangle below a node, by a walk of its own. */
function below({ skip, items }: SphereTree, node: number): number[] {
  const list: number[] = [];
  for (let i = node; i < skip[node]!; i++) if (items[i]! >= 0) list.push(items[i]!);
  return list;
}

function checkHolds(tree: SphereTree, positions: ArrayLike<number>, index: ArrayLike<number>): void {
  for (let node = 0; node < tree.skip.length; node++) {
    const [x, y, z, radius] = tree.spheres.subarray(4 * node, 4 * node + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    for (const t of below(tree, node))
      for (let k = 0; k < 3; k++) {
        const off = between(v(x, y, z), vertexOf(positions, index[3 * t + k]!)) - radius;
        check(off <= 0, () => `a vertex is ${off} out of its sphere`);
      }
  }
}

const SURFACES: readonly TriangleArrays[] = [icosphere(2), torus(12, 8)];

property('[C1] [C2] every triangle is in its ancestors, whichever nodes are left out', 20, (rng) => {
  const { positions, index } = rng.pick(SURFACES);
  const tree = quinlanSphereTree({ positions, index });
  checkHolds(tree, positions, index);
  expect(below(tree, 0).sort((a, b) => a - b)).toEqual(Array.from({ length: index.length / 3 }, (_, i) => i));
  for (const ratio of [0.6, 0.9, 0]) {
    const reduced = reduceSphereTree(tree, ratio);
    checkHolds(reduced, positions, index);
    expect(below(reduced, 0).sort((a, b) => a - b)).toEqual(below(tree, 0).sort((a, b) => a - b));
    check(
      reduced.skip.length < tree.skip.length && sizeOfSphereTree(reduced) < sizeOfSphereTree(tree),
      'no node was left out',
    );
  }
});

/** A chain of joints along x, neighbours blended; a fork at the end. */
function rig(rng: Rng, { positions, index }: TriangleArrays): SkinnedShape {
  const count = 5;
  const inverseBindMatrices = Array.from({ length: count }, () => [
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
  ]).flat();
  const joints: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const along = Math.max(0, Math.min(count - 1.001, ((positions[i]! + 1.4) / 2.8) * (count - 1)));
    const first = Math.floor(along);
    joints.push(first, first + 1, rng.int(0, count - 1), 0);
    weights.push(1 - along + first, along - first, rng.chance(0.2) ? 0.2 * rng.unit() : 0, 0);
  }
  return skinned({ positions, index, joints, weights, inverseBindMatrices, parents: [-1, 0, 1, 1, 3] });
}

function randomPose(rng: Rng, shape: SkinnedShape): void {
  const matrices: number[] = [];
  for (let j = 0; j < shape.skin.jointCount; j++) {
    const { x, y, z, w } = rng.chance(0.7) ? rng.rotation() : { x: 0, y: 0, z: 0, w: 1 };
    const [a, b, c] = [rng.pick([1, 1, 2]), rng.pick([1, 1, 0.5]), rng.pick([1, 1, 1.5])];
    matrices.push(
      a * (1 - 2 * (y * y + z * z)),
      a * 2 * (x * y + z * w),
      a * 2 * (x * z - y * w),
      0,
      b * 2 * (x * y - z * w),
      b * (1 - 2 * (x * x + z * z)),
      b * 2 * (y * z + x * w),
      0,
      c * 2 * (x * z + y * w),
      c * 2 * (y * z - x * w),
      c * (1 - 2 * (x * x + y * y)),
      0,
      rng.range(-0.5, 0.5),
      rng.range(-0.5, 0.5),
      rng.range(-0.5, 0.5),
      1,
    );
  }
  shape.pose(matrices);
}

property(
  '[C3] [C4] spheres by joint hold every vertex in any pose, also where it is stretched; only those visited are moved',
  40,
  (rng) => {
    const shape = rig(rng, rng.pick(SURFACES));
    const tree = new SkinnedSpheres(shape, rng.pick([1, 0.8]));
    for (let frame = 0; frame < 2; frame++) {
      randomPose(rng, shape);
      tree.begin();
      check(tree.fitted === 0, 'something was moved before it was asked for');
      for (let node = 0; node < tree.skip.length; node++) tree.fit(node);
      const { mesh } = shape;
      checkHolds(tree, mesh.vertices, mesh.corners);
    }
    randomPose(rng, shape);
    const far = new SphereSurroundings({ positions: [90, 90, 90, 91, 90, 90, 90, 91, 90] }, { longest: 9 });
    expect(collideSpheres(tree, far)).toEqual([]);
    check(tree.fitted < 2 * shape.skin.jointCount + 2, () => `${tree.fitted} spheres were moved for nothing`);
  },
);

property(
  '[C4] a sphere whose centre moves on an arc: all of it is held, also beyond half a turn',
  2000,
  (rng) => {
    const sphere = { center: rng.vec(2), radius: rng.pick([0, 0.3]) };
    const rotation = {
      axis: rng.direction(),
      pivot: rng.vec(1),
      angle: rng.range(-7, 7),
      least: rng.unit(),
      most: 1,
    };
    const found = sphereOfArc(sphere, rotation);
    for (let k = 0; k <= 16; k++) {
      const angle = rotation.angle * (rotation.least + (k / 16) * (1 - rotation.least));
      const at = turned(sphere.center, rotation, angle);
      const off = between(at, found.center) + sphere.radius - found.radius;
      check(off <= 1e-12, () => `${off} out of the sphere at ${angle}`);
    }
    check(
      found.radius <= sphere.radius + between(sphere.center, rotation.pivot) + 1e-9,
      'larger than the circle',
    );
  },
);

/** Rodrigues. */
function turned(
  p: ReadonlyVec3,
  { axis: n, pivot }: { axis: ReadonlyVec3; pivot: ReadonlyVec3 },
  angle: number,
): Vec3 {
  const [x, y, z] = [p.x - pivot.x, p.y - pivot.y, p.z - pivot.z];
  const dot = n.x * x + n.y * y + n.z * z;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return v(
    pivot.x + x * c + (n.y * z - n.z * y) * s + n.x * dot * (1 - c),
    pivot.y + y * c + (n.z * x - n.x * z) * s + n.y * dot * (1 - c),
    pivot.z + z * c + (n.x * y - n.y * x) * s + n.z * dot * (1 - c),
  );
}

test('[C7] a corner tree has 1, 4, 12, 36, 84, 180, 372 spheres on its levels, a quaternary tree 4ⁿ⁻¹', () => {
  const corners = [0, 0, 0, 5, 0, 1, 1, 4, 0];
  expect(levelsOfSphereTree(triangleSphereTree(corners, 'corner', 7))).toEqual([1, 4, 12, 36, 84, 180, 372]);
  expect(levelsOfSphereTree(triangleSphereTree(corners, 'quaternary', 6))).toEqual([1, 4, 16, 64, 256, 1024]);
  expect(levelsOfSphereTree(triangleSphereTree(corners, 'none', 5))).toEqual([1]);
  const small = dividedSphereTree({ positions: corners }, { longest: 9 });
  expect(levelsOfSphereTree(small)).toEqual([1]);
});

property('[C7] the parts of a triangle cover it', 60, (rng) => {
  const corners = [...Array(9)].map(() => rng.range(-2, 2));
  const tree = triangleSphereTree(corners, rng.pick(['corner', 'quaternary'] as const), rng.int(2, 5));
  const centers = tree.spheres.filter((_, i) => i % 4 < 3);
  for (let k = 0; k < 30; k++) {
    let [s, t] = [rng.unit(), rng.unit()];
    if (s + t > 1) [s, t] = [1 - s, 1 - t];
    if (rng.chance(0.3)) s = 0;
    const p = v(0, 0, 0);
    (['x', 'y', 'z'] as const).forEach((axis, i) => {
      p[axis] = corners[i]! + s * (corners[3 + i]! - corners[i]!) + t * (corners[6 + i]! - corners[i]!);
    });
    let held = false;
    for (let node = 0; node < tree.skip.length; node++)
      if (tree.items[node] === 0)
        held ||= between(p, vertexOf(centers, node)) <= tree.spheres[4 * node + 3]! + 1e-12;
    check(held, 'a point of the triangle is in no leaf');
  }
});

/** A few large triangles and a small solid. */
function room(rng: Rng): { positions: number[]; index: number[] } {
  const { positions, index } = icosphere(1);
  const all = [...Array.from(positions, (x) => 0.3 * x + 0.5)];
  const large = rng.int(1, 4);
  const indices = [...index];
  for (let i = 0; i < large; i++) {
    const first = all.length / 3;
    const centre = rng.vec(1);
    const [e, f] = [rng.direction(), rng.direction()];
    for (const [s, t] of [
      [-3, -3],
      [4, -2],
      [-1, 4],
    ] as const)
      all.push(centre.x + s * e.x + t * f.x, centre.y + s * e.y + t * f.y, centre.z + s * e.z + t * f.z);
    indices.push(first, first + 1, first + 2);
  }
  return { positions: all, index: indices };
}

const DIVISIONS: readonly Division[] = ['none', 'quaternary', 'corner'];

property(
  '[C5] [C8] [C9] all variants find the pairs that meet; planes miss none, and are early by small spheres only',
  12,
  (rng) => {
    const shape = rig(rng, icosphere(2));
    const tree = new SkinnedSpheres(shape, 0.9);
    randomPose(rng, shape);
    const surroundings = room(rng);
    const { mesh } = shape;
    const soup = { positions: mesh.vertices, index: Uint32Array.from(mesh.corners) };
    const brute = [...pairsBrute(soup, surroundings)].map((pair) => {
      const [i, j] = pair.split(' ').map(Number) as [number, number];
      return `${mesh.ids[i]} ${j}`;
    });
    const wanted = brute.sort().join();
    const longest = 0.4;
    for (const division of DIVISIONS) {
      const counters = new SphereCounters();
      const level = new SphereSurroundings(surroundings, { division, longest });
      const found = collideSpheres(tree, level, {}, counters);
      const names = found.flatMap((t, i) => (i % 2 === 0 ? [`${t} ${found[i + 1]}`] : []));
      check(names.sort().join() === wanted, () => `${division}: ${names.length} pairs, not ${brute.length}`);
      check(counters.operations >= 10 * counters.sphereTests && level.size > 0, 'counts');
    }
    const early = collideSpheres(tree, new SphereSurroundings(surroundings, { longest }), { exact: false });
    const names = new Set(early.flatMap((t, i) => (i % 2 === 0 ? [`${t} ${early[i + 1]}`] : [])));
    for (const pair of brute) check(names.has(pair), () => `planes miss ${pair}`);
    for (const pair of names) {
      const [t, other] = pair.split(' ').map(Number) as [number, number];
      const small = cornersAt(soup, mesh.ids.indexOf(t));
      const { a, b } = closestPointsTriangleTriangle(...small, ...cornersAt(surroundings, other));
      const gap = between(a, b);
      const { radius } = fitSphereMinimum(small);
      check(gap <= radius * (1 + 1e-9), () => `${gap} apart, a triangle with a radius of ${radius}`);
    }
    const counters = new SphereCounters();
    collideSpheres(tree, new SphereSurroundings(surroundings, { longest }), { exact: false }, counters);
    check(counters.triangleTests === 0 && counters.planeTests > 0, 'planes decide');
  },
);

const cornersAt = (
  { positions, index }: { positions: ArrayLike<number>; index: ArrayLike<number> },
  t: number,
): [Vec3, Vec3, Vec3] => [0, 1, 2].map((k) => vertexOf(positions, index[3 * t + k]!)) as [Vec3, Vec3, Vec3];

test('[C8] planes are asked about at inner spheres: beside a wall, most is left out at once', () => {
  const { positions, index } = icosphere(4);
  const ball = skinned({
    positions,
    index,
    joints: Array.from({ length: positions.length / 3 }, () => 0),
    weights: Array.from({ length: positions.length / 3 }, () => 1),
    jointsPerVertex: 1,
    inverseBindMatrices: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  });
  const wall = { positions: [-9, -9, 1.01, 9, -9, 1.01, 0, 9, 1.01], index: [0, 1, 2] };
  const count = (division: Division): number => {
    const counters = new SphereCounters();
    const level = new SphereSurroundings(wall, { division, longest: 0.3 });
    expect(
      collideSpheres(new SkinnedSpheres(ball), level, { exact: division !== 'corner' }, counters),
    ).toEqual([]);
    return counters.operations;
  };
  expect(count('corner')).toBeLessThan(count('quaternary') / 20);
  expect(count('corner')).toBeLessThan(count('none') / 200);
});

property(
  '[C6] every edge is tested by one triangle; without loss, something meets exactly if it does',
  12,
  (rng) => {
    const surface = rng.pick(SURFACES);
    const shape = rig(rng, surface);
    const { skin } = shape;
    const representatives = representativeTriangles({
      positions: skin.positions,
      index: new Uint32Array(skin.corners),
    });
    const tested = new Map<string, number>();
    const edges = new Set<string>();
    for (let t = 0; t < skin.triangleCount; t++)
      for (let k = 0; k < 3; k++) {
        const key = [skin.corners[3 * t + k]!, skin.corners[3 * t + ((k + 1) % 3)]!]
          .sort((a, b) => a - b)
          .join();
        edges.add(key);
        if (representatives.edges[t]! & (1 << k)) tested.set(key, (tested.get(key) ?? 0) + 1);
      }
    check(
      tested.size === edges.size && [...tested.values()].every((n) => n === 1),
      'an edge is tested twice, or never',
    );
    const spared = representatives.without.length / skin.triangleCount;
    check(spared > 0.2, () => `only ${spared} are spared`);
    const tree = new SkinnedSpheres(shape, 0.9);
    randomPose(rng, shape);
    const level = new SphereSurroundings(room(rng), { longest: 0.4 });
    const all = collideSpheres(tree, level);
    const some = collideSpheres(tree, level, { representatives });
    check(all.length > 0 === some.length > 0, 'one finds a contact, the other does not');
    const pairs = new Set(all.flatMap((t, i) => (i % 2 === 0 ? [`${t} ${all[i + 1]}`] : [])));
    check(
      some.every((t, i) => i % 2 === 1 || pairs.has(`${t} ${some[i + 1]}`)),
      'a pair that does not meet',
    );
    const others = new Set(all.filter((_, i) => i % 2 === 1));
    check(
      [...others].every((t) => some.some((other, i) => i % 2 === 1 && other === t)),
      'what is met is lost',
    );
    check(
      collideSpheres(tree, level, { representatives, lossy: true }).length <= some.length,
      'more without them',
    );
  },
);

test('[C10] counters: tests, operations, memory', () => {
  const counters = new SphereCounters();
  counters.sphereTests = 200_000;
  counters.triangleTests = 150_000;
  expect(counters.operations).toBe(16_400_000);
  counters.planeTests = 2000;
  expect(counters.operations).toBe(16_460_000);
  counters.clear();
  expect(counters.operations).toBe(0);
});

property('[C9] a character against itself: the pairs of joints that are no neighbours', 30, (rng) => {
  const shape = rig(rng, rng.pick(SURFACES));
  randomPose(rng, shape);
  const { mesh, skin } = shape;
  const parents = skin.parents!;
  const jointOf = (slot: number): number => {
    const sums = new Map<number, number>();
    let best = -1;
    for (let k = 3 * slot; k < 3 * slot + 3; k++)
      for (let i = skin.start[skin.corners[k]!]!; i < skin.start[skin.corners[k]! + 1]!; i++) {
        sums.set(skin.joints[i]!, (sums.get(skin.joints[i]!) ?? 0) + skin.weights[i]!);
        if (best < 0 || sums.get(skin.joints[i]!)! > sums.get(best)!) best = skin.joints[i]!;
      }
    return best;
  };
  const soup = { positions: mesh.vertices, index: Uint32Array.from(mesh.corners) };
  const wanted = [...pairsBrute(soup, soup)]
    .map((pair) => pair.split(' ').map(Number) as [number, number])
    .filter(([s, t]) => {
      const [a, b] = [jointOf(s), jointOf(t)];
      return (
        a !== b && parents[a] !== b && parents[b] !== a && (parents[a] !== parents[b] || parents[a]! < 0)
      );
    })
    .map(([s, t]) => [mesh.ids[s]!, mesh.ids[t]!].sort((a, b) => a - b).join(' '))
    .sort();
  const found = selfPairs(shape);
  const names = found.flatMap((t, i) => (i % 2 === 0 ? [`${t} ${found[i + 1]}`] : [])).sort();
  check(names.join() === wanted.join(), () => `${names.length} pairs, not ${wanted.length}`);
});
