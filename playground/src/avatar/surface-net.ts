/** Triangles around what has a signed distance: one vertex for each cell that the surface passes through. */
import type { Point } from './triangles.ts';

export interface Field<T> {
  readonly min: Point;
  readonly max: Point;
  readonly cell: number;
  /** What counts within a ball. */
  near(x: number, y: number, z: number, radius: number): readonly T[];
  distance(near: readonly T[], x: number, y: number, z: number): number;
}

/** Cells are looked at in blocks of so many along an axis; most blocks are far from the surface. */
const BLOCK = 8;

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const EDGES = CORNERS.flatMap((i) =>
  [1, 2, 4].filter((bit) => !(i & bit)).map((bit) => [i, i | bit] as const),
);

/** Gibson 1998: the vertex of a cell is the mean of where the surface cuts its edges, then moved onto the surface. */
export function surfaceNet<T>(field: Field<T>): { positions: number[]; index: number[] } {
  const { min, max, cell } = field;
  const [nx, ny, nz] = min.map((low, k) => BLOCK * Math.ceil((max[k]! - low) / cell / BLOCK)) as [
    number,
    number,
    number,
  ];
  const at = (k: number, i: number): number => min[k]! + i * cell;
  const key = (i: number, j: number, k: number): number => (k * (ny + 1) + j) * (nx + 1) + i;
  const values = new Float32Array((nx + 1) * (ny + 1) * (nz + 1)).fill(1);
  const blocks: { near: readonly T[]; cells: [number, number, number] }[] = [];
  const half = (BLOCK * cell) / 2;
  const radius = half * Math.sqrt(3) + cell;
  for (let k = 0; k < nz; k += BLOCK)
    for (let j = 0; j < ny; j += BLOCK)
      for (let i = 0; i < nx; i += BLOCK) {
        const near = field.near(at(0, i) + half, at(1, j) + half, at(2, k) + half, radius);
        if (near.length === 0) continue;
        blocks.push({ near, cells: [i, j, k] });
        for (let c = k; c <= k + BLOCK; c++)
          for (let b = j; b <= j + BLOCK; b++)
            for (let a = i; a <= i + BLOCK; a++)
              values[key(a, b, c)] = field.distance(near, at(0, a), at(1, b), at(2, c));
      }
  const positions: number[] = [];
  const vertices = new Map<number, number>();
  for (let filled = 1; filled > 0; ) {
    filled = 0;
    for (const { cells } of blocks) filled += fillAmbiguous(values, key, cells);
  }
  const corner = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const { near, cells } of blocks)
    for (let c = cells[2]; c < cells[2] + BLOCK; c++)
      for (let b = cells[1]; b < cells[1] + BLOCK; b++)
        for (let a = cells[0]; a < cells[0] + BLOCK; a++) {
          let inside = 0;
          for (const i of CORNERS) {
            corner[i] = values[key(a + (i & 1), b + ((i >> 1) & 1), c + (i >> 2))]!;
            if (corner[i]! < 0) inside++;
          }
          if (inside === 0 || inside === 8) continue;
          const p = meanOfCuts(corner);
          const start: Point = [at(0, a + p[0]), at(1, b + p[1]), at(2, c + p[2])];
          vertices.set(key(a, b, c), positions.length / 3);
          const p1 = ontoSurface(field, near, start);
          // Not out of its cell: triangles would fold over.
          for (let i = 0; i < 3; i++) {
            const low = at(i, [a, b, c][i]!);
            positions.push(Math.max(low, Math.min(low + cell, p1[i]!)));
          }
        }
  return { positions, index: facesOf(values, vertices, { nx, ny, key }) };
}

/** The corners of the sides of a cell, in their order around it. */
const SIDES = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
] as const;

/**
 * Where the surface passes twice through a side or the inside of a cell, in two parts that do not meet, the cell is filled: an edge of
 * the net would have four triangles, or a vertex two fans. Returns how many were.
 */
function fillAmbiguous(
  values: Float32Array,
  key: (i: number, j: number, k: number) => number,
  [i, j, k]: readonly [number, number, number],
): number {
  let filled = 0;
  const numbers = [0, 0, 0, 0, 0, 0, 0, 0];
  const isIn = (n: number) => values[numbers[n]!]! < 0;
  const fill = (corners: readonly number[]) => {
    for (const n of corners) values[numbers[n]!] = Math.min(values[numbers[n]!]!, -1e-4);
    filled++;
  };
  for (let c = k; c < k + BLOCK; c++)
    for (let b = j; b < j + BLOCK; b++)
      for (let a = i; a < i + BLOCK; a++) {
        let inside = 0;
        for (let n = 0; n < 8; n++) {
          numbers[n] = key(a + (n & 1), b + ((n >> 1) & 1), c + (n >> 2));
          if (isIn(n)) inside++;
        }
        if (inside < 2 || inside > 6) continue;
        for (const side of SIDES) {
          const [p, q, r, s] = side;
          if (isIn(p) === isIn(r) && isIn(q) === isIn(s) && isIn(p) !== isIn(q)) fill(side);
        }
        for (let n = 0; n < 4 && (inside === 2 || inside === 6); n++) {
          const others = CORNERS.filter((m) => m !== n && m !== 7 - n);
          if (isIn(n) === isIn(7 - n) && others.every((m) => isIn(m) !== isIn(n))) fill(CORNERS);
        }
      }
  return filled;
}

function meanOfCuts(corner: readonly number[]): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let cuts = 0;
  for (const [i, j] of EDGES) {
    if (corner[i]! < 0 === corner[j]! < 0) continue;
    const t = corner[i]! / (corner[i]! - corner[j]!);
    for (let k = 0; k < 3; k++) sum[k]! += ((i >> k) & 1) + t * (((j >> k) & 1) - ((i >> k) & 1));
    cuts++;
  }
  return sum.map((x) => x / cuts) as [number, number, number];
}

/** Newton along the gradient, not far. */
function ontoSurface<T>({ distance, cell }: Field<T>, near: readonly T[], [x, y, z]: Point): Point {
  const step = cell / 16;
  for (let i = 0; i < 2; i++) {
    const d = distance(near, x, y, z);
    const gx = (distance(near, x + step, y, z) - distance(near, x - step, y, z)) / (2 * step);
    const gy = (distance(near, x, y + step, z) - distance(near, x, y - step, z)) / (2 * step);
    const gz = (distance(near, x, y, z + step) - distance(near, x, y, z - step)) / (2 * step);
    const t = Math.max(-cell / 3, Math.min(cell / 3, d / (gx * gx + gy * gy + gz * gz || 1)));
    x -= t * gx;
    y -= t * gy;
    z -= t * gz;
  }
  return [x, y, z];
}

interface Grid {
  readonly nx: number;
  readonly ny: number;
  key(i: number, j: number, k: number): number;
}

/** A quadrilateral across each edge of the grid that the surface cuts, through the four cells around it. */
function facesOf(values: Float32Array, vertices: Map<number, number>, { nx, ny, key }: Grid): number[] {
  const index: number[] = [];
  const steps = [key(1, 0, 0), key(0, 1, 0), key(0, 0, 1)] as const;
  for (const [number] of vertices) {
    const i = number % (nx + 1);
    const j = Math.floor(number / (nx + 1)) % (ny + 1);
    const k = Math.floor(number / (nx + 1) / (ny + 1));
    const own = values[number]! < 0;
    for (let axis = 0; axis < 3; axis++) {
      if (own === values[number + steps[axis]!]! < 0) continue;
      const [u, v] = [steps[(axis + 1) % 3]!, steps[(axis + 2) % 3]!];
      if ([i, j, k][(axis + 1) % 3] === 0 || [i, j, k][(axis + 2) % 3] === 0) continue;
      const [a, b, c, d] = [number, number - u, number - u - v, number - v].map((n) => vertices.get(n)!) as [
        number,
        number,
        number,
        number,
      ];
      if (own) index.push(a, b, c, a, c, d);
      else index.push(a, c, b, a, d, c);
    }
  }
  return index;
}
