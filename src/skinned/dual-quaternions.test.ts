/** Skins blended by dual quaternions, against every vertex blended by itself. */
import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, torus } from '../../tests/kit/meshes.ts';
import { type SkinArrays, skinAll } from '../../tests/kit/skin-oracle.ts';
import { IDENTITY } from '../../tests/kit/skins.ts';
import type { ReadonlyQuat, ReadonlyVec3 } from '../math/types.ts';
import { closestPoint } from '../query/closest-point.ts';
import { raycast } from '../query/raycast.ts';
import { mesh } from '../shapes/mesh.ts';
import { skinned } from '../shapes/skinned.ts';
import { boxAt, isLeaf, leafEnd, leafFirst, linkAt, nodeAt, nodeNumber } from '../trees/packed-tree.ts';

function rigid({ x, y, z, w }: ReadonlyQuat, t: ReadonlyVec3): number[] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    [t.x, t.y, t.z, 1],
  ].flat();
}

const about = (axis: ReadonlyVec3, angle: number): ReadonlyQuat => {
  const s = Math.sin(angle / 2);
  return { x: s * axis.x, y: s * axis.y, z: s * axis.z, w: Math.cos(angle / 2) };
};

/** Rotations of one pose: like each other, half a turn apart or nearly, a third of a turn apart (no signs suit all), or any. */
function rotations(rng: Rng, count: number): ReadonlyQuat[] {
  const axis = rng.direction();
  const kind = rng.int(0, 4);
  return Array.from({ length: count }, (_, j) => {
    if (kind === 0) return about(axis, 0.4 * j);
    if (kind === 1) return about(axis, (j % 2) * Math.PI + rng.pick([0, 1e-12, -1e-12, 1e-3, -1e-3]));
    if (kind === 2) return about(axis, (j * 2 * Math.PI) / 3 + rng.pick([0, 1e-9, 0.1]));
    if (kind === 3) {
      const { x, y, z, w } = rng.rotation();
      return j === 0 ? { x, y, z, w } : about(rng.direction(), rng.range(-7, 7));
    }
    return rng.rotation();
  });
}

function randomSkin(rng: Rng): SkinArrays {
  const { positions, index } = rng.pick([icosphere(2), torus(10, 8)]);
  const jointCount = rng.int(1, 6);
  const each = rng.int(1, 5);
  const count = positions.length / 3;
  const isSmooth = rng.chance(0.5);
  const joints = new Uint16Array(each * count);
  const weights = new Float64Array(each * count);
  for (let v = 0; v < count; v++)
    for (let k = 0; k < each; k++) {
      const along = ((positions[3 * v]! + 1.5) / 3) * jointCount;
      const joint = isSmooth ? Math.floor(along) + k : rng.int(0, jointCount - 1);
      joints[each * v + k] = Math.max(0, Math.min(jointCount - 1, joint));
      weights[each * v + k] = isSmooth
        ? Math.max(0, 1 - Math.abs(along - joint - 0.5)) + 0.01
        : rng.pick([0, 0.5, 1, rng.unit()]);
    }
  return {
    positions: Float64Array.from(positions, (x) => x + 0.2),
    index: Uint32Array.from(index),
    joints,
    weights,
    jointsPerVertex: each,
    blending: 'dualQuaternion',
    inverseBindMatrices: rotations(rng, jointCount).flatMap((q) => rigid(q, rng.vec(0.5))),
    ...(rng.chance(0.3) && { morphTargets: [Float64Array.from(positions, (x) => 0.3 * x * rng.unit())] }),
  };
}

property('[C4] dual quaternions: boxes hold every vertex, however far apart the joints turn', 150, (rng) => {
  const skin = randomSkin(rng);
  const shape = skinned(skin);
  const count = skin.inverseBindMatrices.length / 16;
  for (let frame = 0; frame < 2; frame++) {
    const far = rng.pick([0, 0.3, 30]);
    const joints = rotations(rng, count).flatMap((q) => rigid(q, rng.vec(far)));
    const morphs = skin.morphTargets === undefined ? undefined : [rng.range(-1, 1)];
    shape.pose(joints, morphs);
    // Half a turn apart, rounding decides which way: what it is there, the oracle next to it says.
    const all = skinAll(skin, joints, morphs);
    const others = [0, 1, 2].map(() =>
      skinAll(
        skin,
        joints.map((x, i) => (i % 16 < 12 ? x + rng.range(-1e-10, 1e-10) : x)),
        morphs,
      ),
    );
    const size = all.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    const { state } = shape;
    const { tree, bounds } = state.mesh;
    for (let node = 0; node < tree.nodeCount; node++) state.open(nodeAt(node));
    check(state.work.vertices === 0, 'vertices were skinned');
    const { vertices, corners, ids } = shape.mesh;
    const own = new Float64Array(all.length);
    for (let i = 0; i < corners.length; i++)
      for (let k = 0; k < 3; k++) {
        const at = 3 * skin.index[3 * ids[Math.floor(i / 3)]! + (i % 3)]! + k;
        own[at] = vertices[3 * corners[i]! + k]!;
        const isDoubtful = others.some((other) => Math.abs(other[at]! - all[at]!) > 1e-5 * size);
        if (!isDoubtful) near(own[at]!, all[at]!, 1e-11 * size, 'a coordinate');
      }
    const below = (link: number): number[] => {
      if (!isLeaf(link))
        return [0, 1].flatMap((side) => below(tree.links[linkAt(nodeAt(nodeNumber(link)), side)]!));
      const own: number[] = [];
      for (let slot = leafFirst(link); slot < leafEnd(link); slot++)
        for (let k = 0; k < 3; k++) own.push(skin.index[3 * shape.skin.ids[slot]! + k]!);
      return own;
    };
    for (let node = 0; node < tree.nodeCount; node++)
      for (const side of [0, 1])
        for (const vertex of below(tree.links[linkAt(nodeAt(node), side)]!))
          for (let k = 0; k < 3; k++) {
            const x = own[3 * vertex + k]!;
            const at = boxAt(nodeAt(node), side) + k;
            const low = tree.grid[k]! + tree.bounds[at]! * tree.grid[k + 3]!;
            const high = tree.grid[k]! + tree.bounds[at + 3]! * tree.grid[k + 3]!;
            check(x >= low && x <= high, () => `${x} is not from ${low} to ${high}`);
            const axis = 'xyz'[k] as 'x';
            check(x >= bounds.min[axis] && x <= bounds.max[axis], 'bounds');
          }
  }
});

/** What the box of a part is larger than its vertices by: the boxes must tell something. */
test('boxes are close where joints are near each other', () => {
  const { positions, index } = icosphere(3);
  const weights = Array.from({ length: positions.length / 3 }, (_, v) => {
    const up = Math.max(0, Math.min(1, positions[3 * v + 1]! + 0.5));
    return [1 - up, up];
  }).flat();
  const skin = {
    positions,
    index,
    joints: weights.map((_, i) => i % 2),
    weights,
    jointsPerVertex: 2,
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  };
  const joints = [...IDENTITY, ...rigid(about({ x: 0, y: 0, z: 1 }, 1.2), { x: 0, y: 0.1, z: 0 })];
  const sizes = (['linear', 'dualQuaternion'] as const).map((blending) => {
    const shape = skinned({ ...skin, blending });
    shape.pose(joints);
    const { state } = shape;
    const { tree } = state.mesh;
    let sum = 0;
    for (let node = 0; node < tree.nodeCount; node++) state.open(nodeAt(node));
    for (let node = 0; node < tree.nodeCount; node++)
      for (const side of [0, 1]) {
        const at = boxAt(nodeAt(node), side);
        for (let k = 0; k < 3; k++)
          if (isLeaf(tree.links[linkAt(nodeAt(node), side)]!))
            sum += (tree.bounds[at + 3 + k]! - tree.bounds[at + k]!) * tree.grid[k + 3]!;
      }
    return sum;
  });
  expect(sizes[1]! / sizes[0]!).toBeLessThan(1.3);
});

test('what is blended stays rigid: a joint that twists does not pinch', () => {
  // A rod of square section, half of each joint; the second is turned about it by 170°.
  const rod = skinned({
    positions: [0, 1, 0, 0, 0, 1, 0, -1, 0],
    joints: [0, 1, 0, 1, 0, 1],
    weights: [1, 1, 1, 1, 1, 1],
    jointsPerVertex: 2,
    blending: 'dualQuaternion',
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  });
  const angle = (170 * Math.PI) / 180;
  rod.pose([...IDENTITY, ...rigid(about({ x: 1, y: 0, z: 0 }, angle), { x: 0, y: 0, z: 0 })]);
  const half = angle / 2;
  const wanted = [
    0,
    Math.cos(half),
    Math.sin(half),
    0,
    -Math.sin(half),
    Math.cos(half),
    0,
    -Math.cos(half),
    -Math.sin(half),
  ];
  const { vertices, corners } = rod.mesh;
  wanted.forEach((x, i) => {
    expect(vertices[3 * corners[Math.floor(i / 3)]! + (i % 3)]).toBeCloseTo(x, 14);
  });
  expect(closestPoint({ x: 0, y: 0, z: 5 }, rod)!.distance).toBeCloseTo(
    Math.hypot(Math.cos(half), 5 - Math.sin(half)),
    12,
  );
});

test('a screw between two joints, in closed form: half the turn, half the way along the axis', () => {
  const turned = rigid(about({ x: 0, y: 0, z: 1 }, Math.PI / 2), { x: 2, y: 0, z: 3 });
  const one = skinned({
    positions: [0, 0, 0, 0, 0, 0, 0, 0, 0],
    joints: [0, 1, 0, 1, 0, 1],
    weights: [2, 2, 2, 2, 2, 2],
    jointsPerVertex: 2,
    blending: 'dualQuaternion',
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  });
  one.pose([...IDENTITY, ...turned]);
  // The axis goes through (1, 1): (0, 0) is √2 from it, and turned by an eighth about it.
  const { point } = closestPoint({ x: 9, y: 9, z: 9 }, one)!;
  expect(point.x).toBeCloseTo(1, 12);
  expect(point.y).toBeCloseTo(1 - Math.SQRT2, 12);
  expect(point.z).toBeCloseTo(1.5, 12);
});

test('an instance has the bits of the pose that it was made of', () => {
  const { positions, index } = icosphere(1);
  const skin = skinned({
    positions,
    index,
    joints: Array.from({ length: (2 * positions.length) / 3 }, (_, i) => i % 2),
    weights: Array.from({ length: (2 * positions.length) / 3 }, (_, i) => 1 + (i % 5)),
    jointsPerVertex: 2,
    blending: 'dualQuaternion',
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  });
  skin.pose([...IDENTITY, ...rigid(about({ x: 0.6, y: 0.8, z: 0 }, 2.1), { x: 0.3, y: 0, z: 1 })]);
  const ray = { origin: { x: 0.1, y: 5, z: 0.2 }, direction: { x: 0, y: -1, z: 0 } };
  expect(raycast(ray, skin.instance())).toEqual(raycast(ray, skin));
  expect(raycast(ray, skin)!.t).toBeCloseTo(raycast(ray, mesh(skin.mesh.vertices, skin.mesh.corners))!.t, 12);
  expect(skin.instance().mesh.vertices).toEqual(skin.mesh.vertices);
});

test('joints that do more than turn and move are refused, and the pose stays', () => {
  const one = skinned({
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    joints: [0, 0, 0],
    weights: [1, 1, 1],
    jointsPerVertex: 1,
    blending: 'dualQuaternion',
    inverseBindMatrices: [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1],
  });
  // A scale that the inverse bind matrix takes back is none.
  one.pose([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 7, 1]);
  expect(one.bounds.min.z).toBeCloseTo(7, 9);
  const message = /Skinned\.pose: jointMatrices must, with dual quaternions, turn and move only: joint 0/;
  for (const bad of [
    [2.001, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1],
    [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1],
    [2, 0, 0, 0, 0.1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1],
  ])
    expect(() => one.pose(bad)).toThrow(message);
  expect(one.frame).toBe(1);
  expect(one.bounds.min.z).toBeCloseTo(7, 9);
});
