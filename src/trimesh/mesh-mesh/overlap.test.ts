import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../../tests/kit/index.ts';
import { elsewhere, movedCorners, somePose } from '../../../tests/kit/mesh-pairs.ts';
import {
  boxMesh,
  icosphere,
  inverted,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  together,
  torus,
} from '../../../tests/kit/meshes.ts';
import { sharedMesh } from '../../../tests/kit/solids.ts';
import type { Pose, Vec3 } from '../../math/types.ts';
import { overlapTriangleTriangle } from '../../primitives/overlap/triangle-triangle.ts';
import { type Mesh, mesh } from '../mesh.ts';
import { overlapMeshMesh, pairsMeshMesh } from './overlap.ts';

const make = (t: TriangleArrays, leafSize = 4): Mesh => mesh(t.positions, t.index, { leafSize });
const at = (x: number, y: number, z: number): Pose => ({
  position: { x, y, z },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

type Meet = (t: readonly Vec3[], s: readonly Vec3[]) => boolean;

/** All pairs, one by one. */
function brutePairs(a: TriangleArrays, b: TriangleArrays, pose: Pose | null, meet: Meet): number[] {
  const second = Array.from({ length: b.index.length / 3 }, (_, j) => movedCorners(b, j, pose));
  const pairs: number[] = [];
  for (let i = 0; i < a.index.length / 3; i++) {
    const t = movedCorners(a, i);
    second.forEach((s, j) => {
      if (meet(t, s)) pairs.push(i, j);
    });
  }
  return pairs;
}

const byPredicates: Meet = ([a, b, c], [d, e, f]) => overlapTriangleTriangle(a!, b!, c!, d!, e!, f!);

/**
 * In rational numbers: two triangles are apart exactly if a plane parts them whose normal is that of one of them, a
 * cross product of two edges, or one of an edge and a normal (for those in one plane, or without area).
 */
function byRationals(t: readonly Vec3[], s: readonly Vec3[]): boolean {
  const { qv, vsub, vcross, vdot, vzero, cmp, min, max } = exact;
  const [T, S] = [t.map(qv), s.map(qv)];
  const edges = (p: exact.QVec[]) => [vsub(p[1]!, p[0]!), vsub(p[2]!, p[1]!), vsub(p[0]!, p[2]!)];
  const [E, F] = [edges(T), edges(S)];
  const normals = [vcross(E[0]!, E[1]!), vcross(F[0]!, F[1]!)];
  const between = T.flatMap((p) => S.map((r) => vsub(r, p)));
  const axes = [
    ...normals,
    ...E.flatMap((e) => F.map((f) => vcross(e, f))),
    ...[...E, ...F].flatMap((e) => normals.map((n) => vcross(e, n))),
    // Flat ones: the directions between points, and across an edge towards a point.
    ...between,
    ...[...E, ...F].flatMap((e) => between.map((d) => vcross(vcross(e, d), e))),
  ].filter((n) => !vzero(n));
  return !axes.some((n) => {
    const [x, y] = [T.map((p) => vdot(n, p)), S.map((p) => vdot(n, p))];
    return cmp(x.reduce(max), y.reduce(min)) < 0 || cmp(y.reduce(max), x.reduce(min)) < 0;
  });
}

function someMesh(rng: Rng): TriangleArrays {
  switch (rng.int(0, 6)) {
    case 0:
      return boxMesh();
    case 1:
      return icosphere(1);
    case 2:
      return torus(9, 6);
    case 3:
      return moved(terrain(rng, 6, rng.pick([0, 0.5])), 0.25, { x: -0.75, y: -0.75, z: 0 });
    case 4:
      return soup(rng, rng.int(1, 4));
    default:
      return soup(rng, rng.int(1, 60));
  }
}

property('pairs are those of asking all triangles, by exact predicates', 500, (rng) => {
  const { a, b, pose } = elsewhere(rng, someMesh(rng), someMesh(rng), somePose(rng));
  const wanted = brutePairs(a, b, pose, byPredicates);
  const [first, second] = [make(a, rng.int(1, 8)), make(b, rng.int(1, 8))];
  const out = [7];
  check(pairsMeshMesh(first, second, pose, out) === out, 'out comes back');
  check(out.join() === wanted.join(), () => `${out.length / 2} pairs instead of ${wanted.length / 2}`);
  const meet = overlapMeshMesh(first, second, pose, { surfaces: true });
  check(meet === wanted.length > 0, () => `surfaces: ${meet}`);
});

property('… and in rational arithmetic', 60, (rng) => {
  const [a, b] = [soup(rng, rng.int(1, 5)), rng.chance(0.3) ? boxMesh() : soup(rng, rng.int(1, 5))];
  const pose = somePose(rng);
  const wanted = brutePairs(a, b, pose, byRationals);
  check(pairsMeshMesh(make(a), make(b), pose).join() === wanted.join(), 'pairs');
});

property('a small mesh against one a million times larger', 100, (rng) => {
  const a = someMesh(rng);
  const small = moved(someMesh(rng), 1e-6);
  const target = movedCorners(a, rng.int(0, a.index.length / 3 - 1))[rng.int(0, 2)]!;
  const pose = { position: target, quaternion: rng.rotation() };
  const wanted = brutePairs(a, small, pose, byPredicates);
  check(pairsMeshMesh(make(a), make(small), pose).join() === wanted.join(), 'pairs');
  const back = { ...pose, position: rng.vec(1e-6) };
  const turned = brutePairs(small, a, back, byPredicates);
  check(pairsMeshMesh(make(small), make(a), back).join() === turned.join(), 'pairs the other way round');
});

test('touching counts, and the last bit decides', () => {
  const [a, b] = [make(boxMesh()), make(boxMesh())];
  expect(overlapMeshMesh(a, b, at(2, 0, 0))).toBe(true);
  expect(overlapMeshMesh(a, b, at(2, 2, 2))).toBe(true);
  // The next number after 2 moves the corner at -1 to the second number after 1.
  expect(overlapMeshMesh(a, b, at(2 + 2 ** -51, 0, 0))).toBe(false);
  expect(overlapMeshMesh(a, b, at(2, 2, 2 + 2 ** -51))).toBe(false);
  expect(overlapMeshMesh(a, b, at(-2 - 2 ** -51, 1, 1))).toBe(false);
});

test('without a pose, and with none, both are where they are; any length of quaternion is a rotation', () => {
  const [a, b] = [make(boxMesh()), make(moved(boxMesh(), 1, { x: 3, y: 0, z: 0 }))];
  expect(overlapMeshMesh(a, b)).toBe(false);
  expect(overlapMeshMesh(a, b, null)).toBe(false);
  expect(overlapMeshMesh(a, a)).toBe(true);
  const pose = at(-1.5, 0, 0);
  pose.quaternion.w = 1e-3;
  expect(overlapMeshMesh(a, b, pose)).toBe(true);
  const zero = at(0, 0, 0);
  zero.quaternion.w = 0;
  expect(() => overlapMeshMesh(a, b, zero)).toThrow(/pose\.quaternion/);
  expect(() => overlapMeshMesh(a, {} as Mesh)).toThrow(/b must be a mesh/);
});

describe('what is inside of a closed mesh meets it', () => {
  const big = make(icosphere(2));
  const small = make(moved(boxMesh(), 0.1));

  test('either way round, unless only surfaces count', () => {
    expect(overlapMeshMesh(big, small)).toBe(true);
    expect(overlapMeshMesh(small, big)).toBe(true);
    expect(overlapMeshMesh(big, small, null, { surfaces: true })).toBe(false);
    expect(overlapMeshMesh(big, small, at(0.3, 0.2, 0.1))).toBe(true);
    expect(overlapMeshMesh(small, big, at(0.3, 0.2, 0.1))).toBe(true);
    expect(overlapMeshMesh(big, small, at(3, 0, 0))).toBe(false);
    expect(pairsMeshMesh(big, small)).toEqual([]);
  });

  test('one part of several is enough, whichever it is', () => {
    for (let inside = 0; inside < 3; inside++) {
      const three = [0, 1, 2].map((i) =>
        moved(boxMesh(), 0.1, { x: i === inside ? 0.2 : 3 + i, y: 0, z: 0 }),
      );
      expect(overlapMeshMesh(big, make(together(...three)))).toBe(true);
      expect(overlapMeshMesh(make(together(...three)), big)).toBe(true);
    }
    const none = together(
      moved(boxMesh(), 0.1, { x: 3, y: 0, z: 0 }),
      moved(boxMesh(), 0.1, { x: -3, y: 0, z: 0 }),
    );
    expect(overlapMeshMesh(big, make(none))).toBe(false);
  });

  test('open meshes contain nothing, but may be contained', () => {
    const { positions, index } = icosphere(2);
    const open = mesh(positions, index.slice(3));
    expect(overlapMeshMesh(open, small)).toBe(false);
    expect(overlapMeshMesh(small, open)).toBe(false);
    const sheet = mesh([-0.1, 0, 0, 0.1, 0, 0, 0, 0.1, 0]);
    expect(overlapMeshMesh(big, sheet)).toBe(true);
    expect(overlapMeshMesh(sheet, big)).toBe(true);
  });

  test('a hole through the middle and a cavity are outside', () => {
    const ring = make(torus(24, 12, 1, 0.3));
    expect(overlapMeshMesh(ring, small)).toBe(false);
    expect(overlapMeshMesh(ring, small, at(1, 0, 0))).toBe(true);
    const hollow = make(together(icosphere(2), inverted(moved(icosphere(2), 0.5))));
    expect(overlapMeshMesh(hollow, small)).toBe(false);
    expect(overlapMeshMesh(hollow, small, at(0.7, 0, 0))).toBe(true);
  });
});

const env = sharedMesh('env.obj');
const rob = sharedMesh('rob.obj');

test.skipIf(!env)(
  'a thousand poses of a robot in its surroundings, with the pairs that others have found',
  () => {
    const [world, robot] = [make(env!), make(rob!)];
    const rows = readFileSync(
      new URL('../../../../shared/data/meshes/rob-env-poses.csv', import.meta.url),
      'utf8',
    )
      .trim()
      .split('\n')
      .slice(1);
    expect(rows.length).toBe(1000);
    for (const row of rows) {
      const [x, y, z, qx, qy, qz, qw, collides, pairs] = row.split(',').map(Number) as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const pose = { position: { x, y, z }, quaternion: { x: qx, y: qy, z: qz, w: qw } };
      check(overlapMeshMesh(world, robot, pose) === (collides === 1), () => `overlap at ${row}`);
      check(pairsMeshMesh(world, robot, pose).length === 2 * pairs, () => `pairs at ${row}`);
    }
  },
);
