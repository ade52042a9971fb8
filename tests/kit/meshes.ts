/** Meshes for tests, counter-clockwise seen from outside, as the arrays that `mesh` takes. */
import type { Vec3 } from '../../src/math/types.ts';
import { between } from './degenerate-points.ts';
import type { Rng } from './rng.ts';

export interface TriangleArrays {
  positions: Float64Array;
  index: Uint32Array;
}

const arrays = (positions: readonly number[], index: readonly number[]): TriangleArrays => ({
  positions: Float64Array.from(positions),
  index: Uint32Array.from(index),
});

/** The box from `min` to `max`: 12 triangles, closed, corners shared. */
export function boxMesh(
  min: Readonly<Vec3> = { x: -1, y: -1, z: -1 },
  max: Readonly<Vec3> = { x: 1, y: 1, z: 1 },
): TriangleArrays {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++)
    positions.push(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
  // One quad a side, by the bits of its corners.
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ] as const;
  return arrays(
    positions,
    quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
}

/** The unit icosahedron, each triangle cut in four `level` times and blown up to the sphere: 20 · 4^level triangles. */
export function icosphere(level: number, radius = 1): TriangleArrays {
  const t = (1 + Math.sqrt(5)) / 2;
  const corners: number[][] = [
    [-1, t, 0],
    [1, t, 0],
    [-1, -t, 0],
    [1, -t, 0],
    [0, -1, t],
    [0, 1, t],
    [0, -1, -t],
    [0, 1, -t],
    [t, 0, -1],
    [t, 0, 1],
    [-t, 0, -1],
    [-t, 0, 1],
  ];
  // biome-ignore format: a table
  let index = [
    0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
    3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
  ];
  for (let l = 0; l < level; l++) {
    const middles = new Map<string, number>();
    const middle = (i: number, j: number): number => {
      const key = i < j ? `${i} ${j}` : `${j} ${i}`;
      const known = middles.get(key);
      if (known !== undefined) return known;
      const [p, r] = [toSphere(corners[i]!), toSphere(corners[j]!)];
      middles.set(key, corners.length);
      return corners.push(p.map((x, k) => x + r[k]!)) - 1;
    };
    const finer: number[] = [];
    for (let i = 0; i < index.length; i += 3) {
      const [a, b, c] = index.slice(i, i + 3) as [number, number, number];
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      finer.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
    }
    index = finer;
  }
  return arrays(
    corners.flatMap((p) => toSphere(p).map((x) => x * radius)),
    index,
  );
}

function toSphere(p: readonly number[]): number[] {
  const length = Math.hypot(...p);
  return p.map((x) => x / length);
}

/** A torus about the z axis, 2 · around · across triangles. */
export function torus(around = 24, across = 12, radius = 1, tube = 0.4): TriangleArrays {
  const positions: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) {
      const u = (2 * Math.PI * i) / around;
      const v = (2 * Math.PI * j) / across;
      const r = radius + tube * Math.cos(v);
      positions.push(r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v));
      const at = (s: number, w: number): number => ((i + s) % around) * across + ((j + w) % across);
      index.push(at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1));
    }
  return arrays(positions, index);
}

/** An open height field over [0, cells]² of x and y, facing up z, heights of up to `rough`: 2 · cells² triangles. */
export function terrain(rng: Rng, cells: number, rough = 1): TriangleArrays {
  const positions: number[] = [];
  const index: number[] = [];
  const row = cells + 1;
  for (let i = 0; i < row; i++) for (let j = 0; j < row; j++) positions.push(i, j, rough * rng.unit());
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++) {
      const a = i * row + j;
      index.push(a, a + row, a + row + 1, a, a + row + 1, a + 1);
    }
  return arrays(positions, index);
}

/**
 * `count` triangles with nothing in common in [-1, 1]³, small and large; some without area, some in one point, some
 * twice, some on lattice points so that they touch.
 */
export function soup(rng: Rng, count: number): TriangleArrays {
  const positions: number[] = [];
  let last: Vec3[] = [rng.vec(), rng.vec(), rng.vec()];
  for (let i = 0; i < count; i++) {
    const way = rng.int(0, 11);
    const a = rng.vec();
    const size = 10 ** -rng.range(0, 3);
    const step = (): Vec3 => {
      const d = rng.vec(size);
      return { x: a.x + d.x, y: a.y + d.y, z: a.z + d.z };
    };
    const b = step();
    const lattice = (): Vec3 => ({ x: rng.int(-2, 2) / 2, y: rng.int(-2, 2) / 2, z: rng.int(-2, 2) / 2 });
    if (way === 0) last = [a, b, between(rng, a, b)];
    else if (way === 1) last = [a, a, a];
    else if (way === 2) last = [a, b, a];
    else if (way <= 4) last = [lattice(), lattice(), lattice()];
    else if (way > 5) last = [a, b, step()];
    for (const { x, y, z } of last) positions.push(x, y, z);
  }
  return arrays(
    positions,
    Array.from({ length: count * 3 }, (_, i) => i),
  );
}

/** Several meshes as one. */
export function together(...parts: readonly TriangleArrays[]): TriangleArrays {
  const positions: number[] = [];
  const index: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    for (const x of part.positions) positions.push(x);
    for (const i of part.index) index.push(first + i);
  }
  return arrays(positions, index);
}

/** The same surface seen from the other side. */
export function inverted({ positions, index }: TriangleArrays): TriangleArrays {
  const turned = index.slice();
  for (let i = 0; i < turned.length; i += 3) {
    turned[i + 1] = index[i + 2]!;
    turned[i + 2] = index[i + 1]!;
  }
  return { positions, index: turned };
}

/** No two triangles share a vertex number, as where three.js cuts a surface along the seams of its texture. */
export function unwelded({ positions, index }: TriangleArrays): TriangleArrays {
  const all: number[] = [];
  for (const i of index) all.push(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!);
  return arrays(
    all,
    all.slice(0, index.length).map((_, i) => i),
  );
}

/** Every vertex times `scale`, then moved by `shift`. */
export function moved(
  { positions, index }: TriangleArrays,
  scale: number,
  shift: Readonly<Vec3> = { x: 0, y: 0, z: 0 },
): TriangleArrays {
  const offset = [shift.x, shift.y, shift.z];
  return { positions: positions.map((x, i) => x * scale + offset[i % 3]!), index };
}

/** The corners of triangle i. */
export function cornersOf({ positions, index }: TriangleArrays, i: number): [Vec3, Vec3, Vec3] {
  const corner = (k: number): Vec3 => {
    const at = 3 * index[3 * i + k]!;
    return { x: positions[at]!, y: positions[at + 1]!, z: positions[at + 2]! };
  };
  return [corner(0), corner(1), corner(2)];
}
