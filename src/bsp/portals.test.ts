import { describe, expect, test } from 'vitest';
import { Rng } from '../../tests/kit/index.ts';
import { voxels } from '../../tests/kit/voxels.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mesh } from '../trimesh/mesh.ts';
import { piecesOfPlanes, portalsBsp } from './portals.ts';
import { buildSolidBsp } from './solid-bsp.ts';
import { leafOfPointBsp } from './solid-queries.ts';

const areaOf = (points: readonly ReadonlyVec3[]): number => {
  const sum = vec3();
  for (let k = 2; k < points.length; k++)
    v3.add(sum, v3.cross(v3.sub(points[k - 1]!, points[0]!), v3.sub(points[k]!, points[0]!)), sum);
  return v3.length(sum) / 2;
};

const caves = voxels(new Rng(7), 5, 0.6);
const bsp = buildSolidBsp(mesh(caves.positions, caves.index));
const portals = portalsBsp(bsp);

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
});
