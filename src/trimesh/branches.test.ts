/**
 * The loop of rays has no branches but those that are foreseen: comparisons are combined by `&`, the far child is pushed by a
 * sum, minima are sums and differences. `npx tsx bench/branches.ts` measures what that brings. RTCD §13.8.
 */
import { expect, test } from 'vitest';
import { trimeshWith } from '../../tests/kit/branched.ts';
import { check, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

const plain = await trimeshWith('none');
const masks = await trimeshWith('masks');
const all = await trimeshWith('all');

let hits = 0;
let rays = 0;
property(
  '[R13.8] with branches for masks: the same answers, bit for bit, at the same triangles',
  150,
  (rng) => {
    const lattice = rng.chance(0.5);
    const point = (): Vec3 => (lattice ? vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2)) : rng.vec(2));
    const count = rng.int(1, 60);
    const corners = Array.from({ length: 3 * count }, point);
    const positions = corners.flatMap(({ x, y, z }) => [x, y, z]);
    const versions = [plain, masks, all].map((room) => ({ room, mesh: room.buildMesh(positions) }));
    for (let i = 0; i < 40; i++) {
      const origin = rng.chance(0.3) ? rng.pick(corners) : point();
      const towards = rng.pick(corners);
      // Along axes, edges and diagonals, at corners, and from inside of boxes; of any length, zero too.
      const direction = rng.pick([
        vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)),
        vec3(towards.x - origin.x, towards.y - origin.y, towards.z - origin.z),
        rng.direction(),
      ]);
      const tMax = rng.pick([Infinity, 1, 0, rng.range(0, 3)]);
      const [first, second, third] = versions.map(({ room, mesh }) =>
        room.rayMesh({ origin, direction }, mesh, tMax),
      );
      rays++;
      if (first) hits++;
      const same = JSON.stringify(first) === JSON.stringify(second);
      check(same, () => `${JSON.stringify(first)}, with branches ${JSON.stringify(second)}`);
      // Boxes are entered at times that are rounded otherwise: of triangles hit at once, another may come first.
      check(first?.t === third?.t, () => `t is ${first?.t}, with minima ${third?.t}`);
      const [any, anyToo] = versions.map(({ room, mesh }) =>
        room.rayMeshAny({ origin, direction }, mesh, tMax),
      );
      check(any === anyToo, 'any');
    }
  },
);
test('[R13.8] the rays hit and miss', () => {
  expect(hits).toBeGreaterThan(rays / 8);
  expect(hits).toBeLessThan(rays - rays / 8);
});

test('[R13.8] the truth table of a node: every order of the times at which two boxes are entered and left', () => {
  // Two triangles, each with a box of its own, one behind, in or before the other, and the limit between.
  const ends = [-2, -1, 0, 1, 2];
  const spans = ends.flatMap((from) => ends.filter((to) => to >= from).map((to) => [from, to] as const));
  for (const [a, b] of spans)
    for (const [c, d] of spans) {
      const slab = (from: number, to: number) => [from, -1, -1, to, 2, -1, to, -1, 2];
      const positions = [...slab(a, b), ...slab(c, d)];
      const versions = [plain, masks, all].map((room) => ({
        room,
        mesh: room.buildMesh(positions, null, { leafSize: 1 }),
      }));
      for (const direction of [vec3(1, 0, 0), vec3(-1, 0, 0), vec3(1, 1e-9, 0), vec3(0, 1, 0)])
        for (const tMax of [0, 0.5, 1, Infinity]) {
          const ray = { origin: vec3(0, 0, -0.5), direction };
          const [first, second, third] = versions.map(({ room, mesh }) =>
            JSON.stringify(room.rayMesh(ray, mesh, tMax)),
          );
          expect(second).toBe(first);
          if (a !== c || b !== d) expect(third).toBe(first);
        }
    }
});
