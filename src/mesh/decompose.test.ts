import { describe, expect, test } from 'vitest';
import { Rng } from '../../tests/kit/index.ts';
import {
  ball,
  bowl,
  boxSolid,
  flipped,
  join,
  lSolid,
  moved,
  type Solid,
  schoenhardt,
  sharedMesh,
  torus,
} from '../../tests/kit/solids.ts';
import type { Vec3 } from '../math/types.ts';
import type { Polyhedron } from '../polytope/index.ts';
import { decompose, massProperties } from './index.ts';

/** How often a closed surface winds around p, by solid angles. */
function winding({ positions, index }: Solid, p: Vec3): number {
  let sum = 0;
  for (let k = 0; k < index.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => {
      const v = 3 * index[k + i]!;
      return [positions[v]! - p.x, positions[v + 1]! - p.y, positions[v + 2]! - p.z];
    }) as [number[], number[], number[]];
    const dot = (u: number[], v: number[]) => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!;
    const [la, lb, lc] = [Math.hypot(...a), Math.hypot(...b), Math.hypot(...c)];
    const det =
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
      a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
    sum += 2 * Math.atan2(det, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return Math.round(sum / (4 * Math.PI));
}

const depth = ({ planes }: Polyhedron, p: Vec3): number =>
  Math.max(...planes.map(({ normal, d }) => normal.x * p.x + normal.y * p.y + normal.z * p.z - d));

/** Convex pieces, volumes adding up, and points of the solid in one piece each, others in none. */
function checkPieces(solid: Solid, pieces: readonly Polyhedron[]): void {
  const whole = massProperties(solid).volume;
  let size = 0;
  for (const x of solid.positions) size = Math.max(size, Math.abs(x));
  let sum = 0;
  for (const piece of pieces) {
    for (const v of piece.vertices) expect(depth(piece, v)).toBeLessThan(1e-14 * size);
    sum += massProperties(piece).volume;
  }
  expect(Math.abs(sum - Math.abs(whole))).toBeLessThan(1e-9 * Math.abs(whole));
  const rng = new Rng(7);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  solid.positions.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3]!, x);
    high[k % 3] = Math.max(high[k % 3]!, x);
  });
  for (let k = 0; k < 400; k++) {
    const p = {
      x: rng.range(low[0]!, high[0]!),
      y: rng.range(low[1]!, high[1]!),
      z: rng.range(low[2]!, high[2]!),
    };
    const depths = pieces.map((piece) => depth(piece, p));
    if (depths.some((d) => Math.abs(d) < 1e-9 * size)) continue; // on a cut, or next to it
    expect(depths.filter((d) => d < 0)).toHaveLength(Math.abs(winding(solid, p)));
  }
}

/** A plus of five unit squares, from its middle out. */
const plus = (): Solid => {
  const outline: [number, number][] = [
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 1],
    [3, 1],
    [3, 0],
    [2, 0],
    [2, -1],
    [1, -1],
    [1, 0],
    [0, 0],
    [0, 1],
  ];
  // As polygons, since this outline is star-shaped from none of its corners.
  const index = [0, 1, 2, 0, 2, 3, 3, 4, 5, 3, 5, 6, 6, 7, 8, 6, 8, 9, 9, 10, 11, 9, 11, 0, 0, 3, 6, 0, 6, 9];
  const n = outline.length;
  const positions = [0, 1].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const sides = outline.flatMap((_, k) => {
    const l = (k + 1) % n;
    return [l, k, n + k, l, n + k, n + l]; // the outline runs clockwise
  });
  const caps: number[] = [];
  for (let k = 0; k < index.length; k += 3) {
    const [a, b, c] = [index[k]!, index[k + 1]!, index[k + 2]!];
    caps.push(a, b, c, n + a, n + c, n + b);
  }
  return { positions: Float64Array.from(positions), index: Uint32Array.from([...caps, ...sides]) };
};

describe('[R12.5.3] solids in convex pieces', () => {
  const cases: [string, Solid, number, number][] = [
    ['a box stays whole', boxSolid(), 1, 1],
    ['a ball too', ball(), 1, 1],
    ['an L', lSolid(), 2, 2],
    ['an L far from the origin', moved(lSolid(), 1e6, -2e6, 3e6), 2, 2],
    ['a tiny L', { ...lSolid(), positions: lSolid().positions.map((x) => x * 1e-6) }, 2, 2],
    ['a plus: two reflex edges with each cut', plus(), 3, 3],
    ['an L inside out', flipped(lSolid()), 2, 2],
    ["Schönhardt's polyhedron, which has no tetrahedra", schoenhardt(), 2, 5],
    ['a torus', torus(6, 4), 6, 40],
    ['a finer torus', torus(10, 6), 10, 100],
    ['a box with a cavity', join(boxSolid(-2, 2), flipped(boxSolid())), 5, 8],
    ['a cavity in the shape of an L', join(boxSolid(-3, 3), flipped(lSolid())), 6, 14],
    ['two solids apart', join(lSolid(), moved(boxSolid(), 9, 0, 0)), 3, 3],
    ['one in the cavity of another', join(boxSolid(-4, 4), flipped(boxSolid(-3, 3)), boxSolid()), 7, 9],
    ['a bowl of few faces', bowl(4, 2), 4, 40],
  ];
  for (const [name, solid, least, most] of cases)
    test(`[R12.5.3] ${name}`, () => {
      const { pieces, status, reason } = decompose(solid);
      expect(reason).toBe('');
      expect(status).toBe('complete');
      expect(pieces.length).toBeGreaterThanOrEqual(least);
      expect(pieces.length).toBeLessThanOrEqual(most);
      checkPieces(solid, pieces);
    });
});

test('[R12.5.3] a cut goes only through the part that the edge belongs to', () => {
  // A U whose left arm has a step at height 2: the plane of the step crosses the right arm, which stays whole.
  const mesh = {
    vertices: [0, 1].flatMap((z) => U.map(([x, y]) => ({ x, y, z }))),
    faces: [
      U.map((_, k) => U.length - 1 - k),
      U.map((_, k) => U.length + k),
      ...U.map((_, k) => {
        const l = (k + 1) % U.length;
        return [k, l, U.length + l, U.length + k];
      }),
    ],
  };
  const { pieces, status } = decompose(mesh);
  expect(status).toBe('complete');
  // The step, what is below it, the bottom and the right arm: three reflex edges, four pieces.
  expect(pieces).toHaveLength(4);
  expect(pieces.reduce((sum, piece) => sum + massProperties(piece).volume, 0)).toBeCloseTo(
    massProperties(mesh).volume,
    12,
  );
});

const U = [
  [0, 0],
  [4, 0],
  [4, 3],
  [3, 3],
  [3, 1],
  [1, 1],
  [1, 2],
  [0.5, 2],
  [0.5, 3],
  [0, 3],
] as const;

test('[R12.5.3] what cannot be decomposed is a soup, with the reason', () => {
  const open = { positions: boxSolid().positions, index: boxSolid().index.slice(3) };
  expect(decompose(open)).toMatchObject({
    status: 'soup',
    pieces: [],
    reason: expect.stringMatching(/not closed/),
  });
  expect(decompose(bowl(12, 6), { maxPieces: 16 })).toMatchObject({ status: 'soup', pieces: [] });
  expect(decompose(join(ball(), moved(ball(), 0.5, 0.2, 0.1))).reason).toMatch(/itself/);
  expect(decompose({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] }).status).toBe('soup');
  expect(() => decompose(boxSolid(), { maxPieces: 0 })).toThrow(/maxPieces/);
  expect(() => decompose(boxSolid(), { tolerance: Number.NaN })).toThrow(/tolerance/);
});

test('[R12.5.3] random stars over a prism, and turned by any angle', () => {
  const rng = new Rng(3);
  for (let k = 0; k < 25; k++) {
    const n = rng.int(5, 9);
    const outline = Array.from({ length: n }, (_, i): [number, number] => {
      const t = ((i + rng.range(0.2, 0.8)) / n) * 2 * Math.PI;
      const r = rng.range(0.3, 1);
      return [r * Math.cos(t), r * Math.sin(t)];
    });
    const flat = {
      vertices: [0, 1].flatMap((z) =>
        outline.map(([x, y]) => ({ x: x + 0.3 * z * y, y: y - 0.2 * z * x, z: z + 0.1 * x })),
      ),
      faces: [outline.map((_, i) => n - 1 - i), outline.map((_, i) => n + i)] as number[][],
    };
    for (let i = 0; i < n; i++) {
      const l = (i + 1) % n;
      flat.faces.push([i, l, n + l], [i, n + l, n + i]);
    }
    const { pieces, status, reason } = decompose(flat);
    expect(`${status} ${reason}`).toBe('complete ');
    const volume = pieces.reduce((sum, piece) => sum + massProperties(piece).volume, 0);
    expect(Math.abs(volume - massProperties(flat).volume)).toBeLessThan(1e-9);
  }
});

/** Unit cubes at random places of a lattice, as a soup of squares, at times turned. */
function cubes(rng: Rng, n: number): { solid: Solid; count: number } {
  const full = new Set<string>();
  for (let k = 0; k < n ** 3; k++)
    if (rng.chance(0.6)) full.add([k % n, Math.floor(k / n) % n, Math.floor(k / n / n)].join());
  const isTurned = rng.chance(0.5);
  const positions: number[] = [];
  const index: number[] = [];
  for (const place of full) {
    const at = place.split(',').map(Number);
    for (let axis = 0; axis < 3; axis++)
      for (const side of [0, 1]) {
        const beyond = at.map((x, i) => (i === axis ? x + 2 * side - 1 : x)).join();
        if (full.has(beyond)) continue;
        const first = positions.length / 3;
        for (const [u, v] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ] as const) {
          const p = [...at] as [number, number, number];
          p[axis]! += side;
          p[(axis + 1) % 3]! += u;
          p[(axis + 2) % 3]! += v;
          const [x, y, z] = p;
          if (isTurned)
            positions.push(0.8 * x - 0.6 * y, 0.48 * x + 0.64 * y - 0.6 * z, 0.36 * x + 0.48 * y + 0.8 * z);
          else positions.push(x, y, z);
        }
        const [b, c, d] = side === 1 ? [1, 2, 3] : [3, 2, 1];
        index.push(first, first + b!, first + c!, first, first + c!, first + d!);
      }
  }
  const solid = { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
  return { solid, count: full.size };
}

test('[R12.5.3] heaps of cubes, where every cut runs along faces', () => {
  let done = 0;
  for (let seed = 0; seed < 120; seed++) {
    const { solid, count } = cubes(new Rng(seed), seed % 4 === 0 ? 3 : 2);
    if (count === 0) continue;
    const { pieces, status, reason } = decompose(solid);
    // Cubes that share an edge only are the one thing that is refused.
    if (status === 'soup') expect(reason).toMatch(/more than two/);
    else {
      done++;
      const volume = pieces.reduce((sum, piece) => sum + massProperties(piece).volume, 0);
      expect(Math.abs(volume - count)).toBeLessThan(1e-12 * count);
      expect(pieces.length).toBeLessThanOrEqual(count);
    }
  }
  expect(done).toBeGreaterThan(30);
});

test('[R12.5.3] a bunny of 696 triangles, exactly', () => {
  const bunny = sharedMesh('low_poly_bunny.obj');
  if (!bunny) return;
  const { pieces, status } = decompose(bunny, { maxPieces: 400 });
  expect(status).toBe('complete');
  const volume = pieces.reduce((sum, piece) => sum + massProperties(piece).volume, 0);
  expect(volume / massProperties(bunny).volume).toBeCloseTo(1, 12);
});
