import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, inverted, together } from '../../tests/kit/meshes.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mesh } from '../trimesh/mesh.ts';
import { canSeeBsp, piecesOfPlanes, portalsBsp, visibleLeavesBsp } from './portals.ts';
import { buildSolidBsp } from './solid-bsp.ts';
import { leafOfPointBsp, locatePointBsp, rayBsp } from './solid-queries.ts';

const areaOf = (points: readonly ReadonlyVec3[]): number => {
  const sum = vec3();
  for (let k = 2; k < points.length; k++)
    v3.add(sum, v3.cross(v3.sub(points[k - 1]!, points[0]!), v3.sub(points[k]!, points[0]!)), sum);
  return v3.length(sum) / 2;
};

const caves = voxels(new Rng(7), 5, 0.6);
const bsp = buildSolidBsp(mesh(caves.positions, caves.index));
const portals = portalsBsp(bsp);
const visibility = visibleLeavesBsp(bsp, portals);

describe('cells and portals of the caves', () => {
  test('faces between solid and empty leaves are the surface, to its area', () => {
    const faces = piecesOfPlanes(bsp, (front, back) => (front === 1) !== (back === 1));
    expect(faces.reduce((sum, { points }) => sum + areaOf(points), 0)).toBeCloseTo(caves.squares, 9);
  });

  test('a portal lies between its two leaves: a step to either side is in one of them', () => {
    expect(portals.length).toBeGreaterThan(50);
    for (const { points, front, back } of portals) {
      const middle = v3.scale(
        points.reduce((sum, p) => v3.add(sum, p), vec3()),
        1 / points.length,
      );
      const n = v3.normalize(v3.cross(v3.sub(points[1]!, points[0]!), v3.sub(points[2]!, points[0]!)));
      expect(leafOfPointBsp(v3.addScaled(middle, n, 1e-6), bsp)).toBe(front);
      expect(leafOfPointBsp(v3.addScaled(middle, n, -1e-6), bsp)).toBe(back);
    }
  });

  property('two points that see each other are in leaves that do', 20_000, (rng) => {
    const { min, max } = bsp.world;
    const any = () => vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
    const [p, q] = [any(), any()];
    if (locatePointBsp(p, bsp) >= 0 || locatePointBsp(q, bsp) >= 0) return;
    if (rayBsp({ origin: p, direction: v3.sub(q, p) }, bsp, 1)) return;
    check(canSeeBsp(visibility, leafOfPointBsp(p, bsp), leafOfPointBsp(q, bsp)), 'hidden, and in sight');
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
