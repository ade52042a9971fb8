import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, inverted, together } from '../../tests/kit/meshes.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mesh } from '../trimesh/mesh.ts';
import { portalsBsp } from './portals.ts';
import { buildBrushBsp, buildSolidBsp, type SolidBsp } from './solid-bsp.ts';
import { leafOfPointBsp, locatePointBsp, rayBsp } from './solid-queries.ts';
import { leavesInViewBsp } from './view.ts';
import { canSeeBsp, visibleLeavesBsp } from './visibility.ts';

const block = (min: Vec3, max: Vec3): Plane[] => [
  { normal: vec3(1), d: max.x },
  { normal: vec3(-1), d: -min.x },
  { normal: vec3(0, 1), d: max.y },
  { normal: vec3(0, -1), d: -min.y },
  { normal: vec3(0, 0, 1), d: max.z },
  { normal: vec3(0, 0, -1), d: -min.z },
];

/** Four rooms in a row along x. The doors between them are in turn to the one side and to the other. */
function rowOfRooms(): SolidBsp {
  const walls = [
    block(vec3(-1, -1, -1), vec3(17, 0, 9)),
    block(vec3(-1, 3, -1), vec3(17, 4, 9)),
    block(vec3(-1, 0, -1), vec3(17, 3, 0)),
    block(vec3(-1, 0, 8), vec3(17, 3, 9)),
    block(vec3(-1, 0, 0), vec3(0, 3, 8)),
    block(vec3(16, 0, 0), vec3(17, 3, 8)),
  ];
  for (const [x, z] of [
    [4, 1],
    [8, 5],
    [12, 1],
  ] as const)
    walls.push(block(vec3(x, 0, 0), vec3(x + 0.2, 3, z)), block(vec3(x, 0, z + 1), vec3(x + 0.2, 3, 8)));
  return buildBrushBsp(walls);
}

const caves = voxels(new Rng(7), 5, 0.6);
const tilted = voxels(new Rng(8), 4, 0.6, (p) => ({
  x: 0.6 * p.x - 0.8 * p.y + 10,
  y: 0.48 * p.x + 0.36 * p.y - 0.8 * p.z,
  z: 0.64 * p.x + 0.48 * p.y + 0.6 * p.z,
}));
const LEVELS: Readonly<Record<string, SolidBsp>> = {
  caves: buildSolidBsp(mesh(caves.positions, caves.index)),
  'tilted caves': buildSolidBsp(mesh(tilted.positions, tilted.index)),
  rooms: rowOfRooms(),
};

for (const [name, bsp] of Object.entries(LEVELS))
  describe(name, () => {
    const portals = portalsBsp(bsp);
    const visibility = visibleLeavesBsp(bsp, portals);
    const anywhere = (rng: Rng): Vec3 => {
      const { min, max } = bsp.world;
      return vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
    };
    const isFree = (p: ReadonlyVec3, q: ReadonlyVec3): boolean =>
      rayBsp({ origin: p, direction: v3.sub(q, p) }, bsp, 1) === null;

    property('two points that see each other are in leaves that do', 8000, (rng) => {
      const [p, q] = [anywhere(rng), anywhere(rng)];
      if (locatePointBsp(p, bsp) >= 0 || locatePointBsp(q, bsp) >= 0 || !isFree(p, q)) return;
      check(canSeeBsp(visibility, leafOfPointBsp(p, bsp), leafOfPointBsp(q, bsp)), 'hidden, and in sight');
    });

    property('what can be seen from a point is in one of the leaves in view', 200, (rng) => {
      const eye = anywhere(rng);
      const isRound = rng.chance(0.3); // on planes of the tree
      if (isRound) v3.set(Math.round(eye.x), Math.round(eye.y), Math.round(eye.z), eye);
      const sides = Array.from({ length: 3 }, () => {
        const normal = v3.scale(rng.direction(), 1 + rng.unit());
        return { normal, d: v3.dot(normal, eye) + rng.unit() };
      });
      const frustum = rng.chance(0.5) ? sides : [];
      const leaves = leavesInViewBsp(eye, bsp, portals, frustum);
      if (locatePointBsp(eye, bsp) >= 0) {
        if (locatePointBsp(eye, bsp) > 0) check(leaves.length === 0, 'from within the solid');
        return;
      }
      check(leaves.includes(leafOfPointBsp(eye, bsp)), 'its own leaf');
      for (let i = 1; i < leaves.length; i++) check(leaves[i - 1]! < leaves[i]!, 'ascending, each once');
      for (let i = 0; i < 50; i++) {
        const q = anywhere(rng);
        if (frustum.some(({ normal, d }) => v3.dot(normal, q) > d)) continue;
        if (locatePointBsp(q, bsp) < 0 && isFree(eye, q))
          check(leaves.includes(leafOfPointBsp(q, bsp)), 'not in view, and in sight');
      }
      // Whoever stands in a leaf sees no more than what the leaf may see.
      if (!isRound)
        for (const leaf of leaves)
          check(
            canSeeBsp(visibility, leafOfPointBsp(eye, bsp), leaf),
            'seen from a point and not from its leaf',
          );
    });

    test('seeing is mutual, and not everything is seen', () => {
      const empty = [...bsp.leafKinds.keys()].filter((leaf) => bsp.leafKinds[leaf] === 0);
      let hidden = 0;
      for (const a of empty) {
        expect(canSeeBsp(visibility, a, a)).toBe(true);
        for (const b of empty) {
          expect(canSeeBsp(visibility, a, b)).toBe(canSeeBsp(visibility, b, a));
          if (!canSeeBsp(visibility, a, b)) hidden++;
        }
      }
      expect(hidden).toBeGreaterThan(0);
    });
  });

test('two rooms without a door do not see each other', () => {
  const rooms = together(
    boxMesh(vec3(-9, -9, -9), vec3(9, 9, 9)),
    inverted(boxMesh(vec3(-5, -1, -1), vec3(-3, 1, 1))),
    inverted(boxMesh(vec3(3, -1, -1), vec3(5, 1, 1))),
  );
  const solid = buildSolidBsp(mesh(rooms.positions, rooms.index));
  const seen = visibleLeavesBsp(solid, portalsBsp(solid));
  const leaf = (x: number): number => leafOfPointBsp(vec3(x), solid);
  expect(canSeeBsp(seen, leaf(-4), leaf(4))).toBe(false);
  expect(canSeeBsp(seen, leaf(-4), leaf(-4.5))).toBe(true);
  expect(canSeeBsp(seen, leaf(-4), leaf(20))).toBe(false);
});

test('doors that face each other do not show what no line through all of them comes to', () => {
  const { rooms: bsp } = LEVELS as { rooms: SolidBsp };
  const portals = portalsBsp(bsp);
  const seen = visibleLeavesBsp(bsp, portals);
  const leaf = (x: number, z: number): number => leafOfPointBsp(vec3(x, 1, z), bsp);
  const inRoom = (low: number): number[] => [
    ...new Set([0.3, 1.5, 2.5, 3.5].flatMap((dx) => [0.5, 1.5, 3, 5.5, 7].map((z) => leaf(low + dx, z)))),
  ];
  // Lines through the doors at x = 4 and x = 8 rise by 3 to 5 in 4: at x = 12 they are beyond z = 8, and the door ends at 2.
  for (const a of inRoom(0.1)) for (const b of inRoom(12.3)) expect(canSeeBsp(seen, a, b)).toBe(false);
  // Through one door, and through two.
  expect(inRoom(0.1).some((a) => inRoom(4.3).every((b) => canSeeBsp(seen, a, b)))).toBe(true);
  expect(inRoom(0.1).some((a) => inRoom(8.3).some((b) => canSeeBsp(seen, a, b)))).toBe(true);
  const view = leavesInViewBsp(vec3(1, 1, 1.5), bsp, portals);
  expect(view).toContain(leaf(6, 1.5));
  for (const b of inRoom(8.3)) expect(view).not.toContain(b);
  // Looking the other way.
  const away = leavesInViewBsp(vec3(1, 1, 1.5), bsp, portals, [{ normal: vec3(2), d: 2 }]);
  expect(away).not.toContain(leaf(6, 1.5));
});
