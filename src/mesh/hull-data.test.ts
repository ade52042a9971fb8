import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exact } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { convexHull3 } from '../polytope/index.ts';
import { decompose, inspect } from './index.ts';

const file = new URL('../../../shared/data/meshes/convex_hulls.bin', import.meta.url);
const present = existsSync(file);
if (!present) console.log('hull-data.test.ts: skipped the clouds of ../shared/data, which is not there');

/** Every 60th of the clouds from which a game has made its hulls. */
function* clouds(): Generator<Vec3[]> {
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0, k = 0; offset < view.byteLength; k++) {
    const count = view.getUint32(offset, true);
    const at = (i: number) => view.getFloat32(offset + 4 + 4 * i, true);
    if (k % 60 === 0)
      yield Array.from({ length: count }, (_, i) => ({ x: at(3 * i), y: at(3 * i + 1), z: at(3 * i + 2) }));
    offset += 4 + 12 * count;
  }
}

/** Is p in front of the triangle? By exact arithmetic. */
function isInFront(p: Vec3, a: Vec3, b: Vec3, c: Vec3): boolean {
  const { qv, vsub, vcross, vdot, sign } = exact;
  const origin = qv(a);
  return sign(vdot(vsub(qv(p), origin), vcross(vsub(qv(b), origin), vsub(qv(c), origin)))) > 0;
}

test.skipIf(!present)('hulls of clouds from a game are clean, convex solids with no point outside', () => {
  let solids = 0;
  for (const [k, points] of [...clouds()].entries()) {
    const { dimension, triangles } = convexHull3(points);
    if (dimension < 3) continue;
    solids++;
    const hull = { positions: points.flatMap(({ x, y, z }) => [x, y, z]), index: triangles };
    const report = inspect(hull);
    expect(report).toMatchObject({ isClosed: true, isOriented: true, isManifold: true, isInsideOut: false });
    expect(report.parts.map(({ genus }) => genus)).toEqual([0]);
    expect(report.selfIntersections).toHaveLength(0);
    expect(report.degenerateTriangles).toHaveLength(0);
    expect(report.volume).toBeGreaterThan(0);
    if (k % 4 !== 0) continue;
    expect(decompose(hull).pieces).toHaveLength(1);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [points[triangles[t]!]!, points[triangles[t + 1]!]!, points[triangles[t + 2]!]!];
      expect(points.some((p) => isInFront(p, a, b, c))).toBe(false);
    }
  }
  expect(solids).toBeGreaterThan(100);
});
