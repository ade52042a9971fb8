import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { icosphere, moved, soup, type TriangleArrays, terrain, together } from '../../../tests/kit/meshes.ts';
import { boxTreeOf } from '../derived.ts';
import { type Mesh, mesh } from '../mesh.ts';
import { AXIS_ERROR, BOX, MAX_BOX_DEPTH } from './box-tree.ts';

/** Checks one tree from top to bottom: every triangle in one leaf, inside of all boxes above it. */
function checkTree(m: Mesh): { depth: number; area: number } {
  const { boxes, links, center, scale } = boxTreeOf(m);
  const seen = new Uint8Array(m.triangleCount);
  let depth = 0;
  let area = 0;
  const inside = (node: number, triangle: number): void => {
    const b = boxes.subarray(node * BOX, node * BOX + BOX);
    for (let k = 0; k < 3; k++) {
      const at = 3 * m.corners[3 * triangle + k]!;
      const p = [0, 1, 2].map((i) => (m.vertices[at + i]! - center[i]!) * scale - b[i]!);
      const far = Math.hypot(...p);
      for (let axis = 0; axis < 3; axis++) {
        const along = p[0]! * b[3 + 3 * axis]! + p[1]! * b[4 + 3 * axis]! + p[2]! * b[5 + 3 * axis]!;
        // The frame that is meant may be off by AXIS_ERROR from the one that is stored: the box must have room for that.
        check(Math.abs(along) + AXIS_ERROR * far <= b[12 + axis]!, `triangle ${triangle} leaves box ${node}`);
      }
      check(far <= b[15]!, `triangle ${triangle} leaves the sphere of box ${node}`);
    }
  };
  const walk = (node: number, above: readonly number[]): void => {
    depth = Math.max(depth, above.length);
    const b = boxes.subarray(node * BOX, node * BOX + BOX);
    check(b.every(Number.isFinite), 'not finite');
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const dot = [0, 1, 2].reduce((sum, k) => sum + b[3 + 3 * i + k]! * b[3 + 3 * j + k]!, 0);
        check(Math.abs(dot - (i === j ? 1 : 0)) < 3 * AXIS_ERROR, 'axes are not at right angles');
      }
    area += b[12]! * b[13]! + b[13]! * b[14]! + b[14]! * b[12]!;
    const link = links[node]!;
    if (link >= 0) {
      check(link > node, 'a child comes before its parent');
      walk(link, [...above, node]);
      walk(link + 1, [...above, node]);
      return;
    }
    check(seen[~link] === 0, 'a triangle twice');
    seen[~link] = 1;
    for (const n of [...above, node]) inside(n, ~link);
  };
  walk(0, []);
  check(
    seen.every((s) => s === 1),
    'a triangle is missing',
  );
  check(links.length === 2 * m.triangleCount - 1, 'too many boxes');
  return { depth, area };
}

const single = (t: TriangleArrays, rng: Rng) =>
  rng.chance(0.5) ? Float32Array.from(t.positions) : t.positions;

property('every triangle is in all boxes above its leaf, in whatever position', 300, (rng) => {
  const count = rng.pick([1, 2, 3, 5, 17, 60]);
  const shift = rng.chance(0.3) ? rng.vec(1e6) : rng.vec(1);
  const t = moved(rng.chance(0.8) ? soup(rng, count) : terrain(rng, 5), 10 ** rng.int(-6, 6), shift);
  const { depth } = checkTree(mesh(single(t, rng), t.index));
  check(depth < MAX_BOX_DEPTH, `a depth of ${depth}`);
});

test('coincident, collinear and extremely sized triangles', () => {
  const point = new Float64Array(9 * 50).fill(3e6);
  checkTree(mesh(point));
  const line = Float64Array.from({ length: 9 * 50 }, (_, i) => Math.floor(i / 3) * (1 + (i % 3)));
  checkTree(mesh(line));
  for (const size of [1e-29, 1e-20, 1e20, 1e29]) checkTree(mesh(moved(icosphere(1), size).positions));
  const { positions, index } = together(icosphere(2), moved(icosphere(2), 1e-6, { x: 0.3, y: 0.2, z: 0.1 }));
  checkTree(mesh(positions, index));
});

test('triangles that double in size make a deep tree, not too deep', () => {
  const positions = Array.from({ length: 196 }, (_, i) => 2 ** (i - 98)).flatMap((s) => [
    0,
    0,
    s,
    0,
    s,
    s,
    s,
    0,
    s,
  ]);
  expect(checkTree(mesh(positions)).depth).toBeLessThan(MAX_BOX_DEPTH);
});

test('boxes lie against the surface: the finer a sphere, the flatter they get', () => {
  // Leaves have no thickness, their parents hardly any: halving the edges leaves the sum over a level nearly the same.
  const coarse = checkTree(mesh(icosphere(2).positions, icosphere(2).index)).area;
  const fine = checkTree(mesh(icosphere(3).positions, icosphere(3).index)).area;
  expect(fine / coarse).toBeLessThan(1.5);
});

test('the tree is made once', () => {
  const m = mesh(icosphere(1).positions, icosphere(1).index);
  expect(boxTreeOf(m)).toBe(boxTreeOf(m));
});
