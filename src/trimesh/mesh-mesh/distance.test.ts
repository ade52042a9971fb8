import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import { elsewhere, movedCorners, somePose } from '../../../tests/kit/mesh-pairs.ts';
import {
  boxMesh,
  icosphere,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  torus,
} from '../../../tests/kit/meshes.ts';
import { sharedMesh } from '../../../tests/kit/solids.ts';
import { ZOO } from '../../../tests/kit/zoo.ts';
import type { Pose } from '../../math/types.ts';
import { closestPointsTriangleTriangle } from '../../primitives/closest/triangle-triangle.ts';
import { type Mesh, mesh } from '../mesh.ts';
import { closestPointsMeshMesh, distanceMeshMesh, makeMeshPointPair } from './distance.ts';
import { overlapMeshMesh } from './overlap.ts';

const make = (t: TriangleArrays): Mesh => mesh(t.positions, t.index);
const at = (x: number, y: number, z: number): Pose => ({
  position: { x, y, z },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

/** The least distance of two triangles, over all pairs. */
function bruteDistance(a: TriangleArrays, b: TriangleArrays, pose: Pose | null): number {
  const second = Array.from({ length: b.index.length / 3 }, (_, j) => movedCorners(b, j, pose));
  let least = Infinity;
  for (let i = 0; i < a.index.length / 3; i++) {
    const t = movedCorners(a, i);
    for (const s of second) least = Math.min(least, closestPointsTriangleTriangle(...t, ...s).distanceSq);
  }
  return Math.sqrt(least);
}

/** Open ones only: nothing is inside of them. */
function someSurface(rng: Rng): TriangleArrays {
  switch (rng.int(0, 4)) {
    case 0:
      return { ...boxMesh(), index: boxMesh().index.slice(3) };
    case 1:
      return moved(terrain(rng, 4, rng.pick([0, 0.5])), 0.4, { x: -0.75, y: -0.75, z: 0 });
    case 2:
      return { ...icosphere(1), index: icosphere(1).index.slice(3) };
    default:
      return moved(soup(rng, rng.int(1, 30)), rng.pick([0.1, 1]));
  }
}

property('the distance is the least of all pairs, to the last bit', 250, (rng) => {
  const { a, b, pose } = elsewhere(rng, someSurface(rng), someSurface(rng), somePose(rng));
  const wanted = bruteDistance(a, b, pose);
  const [first, second] = [make(a), make(b)];
  const found = closestPointsMeshMesh(first, second, pose)!;
  check(found.distance === wanted, () => `${found.distance} instead of ${wanted}`);
  check(distanceMeshMesh(first, second, pose) === wanted, 'distanceMeshMesh');
  const t = movedCorners(a, found.triangleA);
  const s = movedCorners(b, found.triangleB, pose);
  const pair = closestPointsTriangleTriangle(...t, ...s);
  check(Math.sqrt(pair.distanceSq) === wanted, 'the triangles are those of the distance');
  check(pair.a.x === found.a.x && pair.b.z === found.b.z, 'the points are those of the triangles');

  const out = makeMeshPointPair();
  check(closestPointsMeshMesh(first, second, pose, wanted, out) === out, 'maxDistance belongs to the range');
  check(out.distance === wanted, 'out');
  if (wanted > 0) {
    check(closestPointsMeshMesh(first, second, pose, wanted * (1 - 1e-15)) === null, 'beyond maxDistance');
    check(distanceMeshMesh(first, second, pose, wanted / 2) === Infinity, 'distance beyond maxDistance');
  }
  const meets = overlapMeshMesh(first, second, pose);
  check(!meets || wanted === 0, 'surfaces that meet have no distance');
});

property(
  'where thousands of pairs are as near: the least of all pairs up to rounding, by points that are as far apart',
  24,
  (rng) => {
    const animal = (name: string) => {
      const positions = ZOO[name]!(rng.int(60, 90));
      return { positions, index: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
    };
    const names = Object.keys(ZOO);
    const [a, b] = [animal(rng.pick(names)), animal(rng.pick(names))];
    const pose = rng.chance(0.5) ? at(0.01, 0.02, rng.pick([0.5, 3, 1000])) : somePose(rng);
    const wanted = bruteDistance(a, b, pose);
    const found = closestPointsMeshMesh(make(a), make(b), pose)!;
    const size = [...a.positions, ...b.positions].reduce((most, x) => Math.max(most, Math.abs(x)), 1000);
    near(found.distance, wanted, 1e-13 * size, 'distance');
    const { a: p, b: q } = found;
    near(Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z), wanted, 1e-13 * size, 'points');
  },
);

property('a closed mesh and what is around it: 0 exactly if they overlap', 150, (rng) => {
  const [a, b] = [
    make(icosphere(1)),
    make(moved(rng.chance(0.5) ? torus(9, 6) : boxMesh(), rng.pick([0.2, 1, 3]))),
  ];
  const pose = { position: rng.vec(2), quaternion: rng.rotation() };
  const distance = distanceMeshMesh(a, b, pose);
  check((distance === 0) === overlapMeshMesh(a, b, pose), () => `a distance of ${distance}`);
});

test('inside of a closed mesh the distance is 0, at a corner of what is inside', () => {
  const [big, small] = [make(icosphere(2)), make(moved(boxMesh(), 0.1))];
  const found = closestPointsMeshMesh(big, small, at(0.3, 0, 0))!;
  expect(found.distance).toBe(0);
  expect(found.a).toEqual(found.b);
  expect(Math.abs(found.a.y)).toBe(0.1);
  expect(found.triangleA).toBe(-1);
  expect(found.triangleB).toBeGreaterThanOrEqual(0);
  const other = closestPointsMeshMesh(small, big, at(0.3, 0, 0), 0)!;
  expect(other.distance).toBe(0);
  expect(other.triangleB).toBe(-1);
  expect(other.triangleA).toBeGreaterThanOrEqual(0);
});

test('two spheres: the closest points are where one expects them', () => {
  const a = make(icosphere(4));
  const found = closestPointsMeshMesh(a, a, at(0, 0, 3))!;
  // A facet is at most its sagitta, below 0.003, inside of its sphere.
  near(found.distance, 1, 0.006);
  near(found.a.z, 1, 0.003);
  near(found.b.z, 2, 0.003);
});

test('a distance that is no distance is refused', () => {
  const a = make(boxMesh());
  expect(() => distanceMeshMesh(a, a, null, -1)).toThrow(/maxDistance/);
  expect(() => closestPointsMeshMesh(a, a, null, Number.NaN)).toThrow(/maxDistance/);
});

const env = sharedMesh('env.obj');
const rob = sharedMesh('rob.obj');

test.skipIf(!env)('the distances of a robot to its surroundings that others have found', () => {
  const [world, robot] = [make(env!), make(rob!)];
  const file = new URL('../../../../shared/data/meshes/rob-env-poses.csv', import.meta.url);
  for (const row of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const numbers = row.split(',').map(Number);
    const [x, y, z, qx, qy, qz, qw] = numbers as [number, number, number, number, number, number, number];
    const pose = { position: { x, y, z }, quaternion: { x: qx, y: qy, z: qz, w: qw } };
    const wanted = numbers[9]!;
    near(distanceMeshMesh(world, robot, pose), wanted, 1e-9 * wanted, row); // ten digits are in the file
  }
});
