/** A zoo of degenerate input: what makes code slow that is quick on honest meshes. Each animal comes in any size. */
import { Rng } from './rng.ts';

/** Numbers of triangles one after the other, nine each; `points` and `boxes` are made of the same numbers. */
export type Animal = (count: number) => Float64Array;

const fill = (count: number, each: (t: number, rng: Rng) => readonly number[]): Float64Array => {
  const rng = new Rng(7);
  const soup = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) soup.set(each(t, rng), 9 * t);
  return soup;
};

const onSphere = (i: number, count: number): [number, number, number] => {
  const z = 1 - (2 * i + 1) / count;
  const angle = i * Math.PI * (3 - Math.sqrt(5));
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
};

const rim = (i: number, count: number, z = 0): [number, number, number] => [
  Math.cos((2 * Math.PI * i) / count),
  Math.sin((2 * Math.PI * i) / count),
  z,
];

/** Triangles by name. */
export const ZOO: Readonly<Record<string, Animal>> = {
  'all coincident': (n) => fill(n, () => [0, 0, 0, 1, 0, 0, 0, 1, 0]),
  'all one point': (n) => fill(n, () => [1, 2, 3, 1, 2, 3, 1, 2, 3]),
  'all on one line': (n) =>
    fill(n, (_, rng) => [0, 0, 0].flatMap(() => ((t) => [t, 2 * t, -t])(rng.int(0, 1 << 10)))),
  'overlapping on one line': (n) => fill(n, (t) => [0, 0, 0, t + 1, 2 * (t + 1), 0, 0.5, 1, 0]),
  'fan around a vertex': (n) => fill(n, (t) => [0, 0, 0.25, ...rim(t, n), ...rim((t + 1) % n, n)]),
  'flat fan around a vertex': (n) => fill(n, (t) => [0, 0, 0, ...rim(t, n), ...rim((t + 1) % n, n)]),
  'fan around an edge': (n) => fill(n, (t) => [0, 0, -1, 0, 0, 1, ...rim(t, n)]),
  'parallel slivers': (n) => fill(n, (t) => [0, t / n, 0, 1, 1 + t / n, 0.5, 1, 1 + (t + 0.5) / n, 0.5]),
  'slivers through one place': (n) =>
    fill(n, (_, rng) => {
      const { x, y, z } = rng.direction();
      const { x: a, y: b, z: c } = rng.vec(1e-3);
      return [x + a, y + b, z + c, a - x, b - y, c - z, a - x + 1e-6, b - y, c - z];
    }),
  'stacked sheets': (n) => fill(n, (t) => [0, 0, t, 1e3, 0, t, 0, 1e3, t]),
  'nested sheets': (n) => fill(n, (t) => [-t, -t, t, t + 1, -t, t, 0, t + 1, t]),
  'a grid of coplanar duplicates': (n) => {
    const side = Math.ceil(n ** 0.25);
    return fill(n, (t) => {
      const [x, y] = [t % side, Math.floor(t / side) % side];
      return [x, y, 0, x + 1, y, 0, x, y + 1, 0];
    });
  },
  'points on a sphere': (n) =>
    fill(n, (t) => [0, 1, 2].flatMap((k) => onSphere((3 * t + k * 1009) % (3 * n), 3 * n))),
  'a sphere of small triangles': (n) =>
    fill(n, (t) => {
      const p = onSphere(t, n);
      return [...p, p[0] + 0.5 / n, p[1], p[2], p[0], p[1] + 0.5 / n, p[2]];
    }),
  'one huge and many tiny': (n) =>
    fill(n, (t, rng) => {
      if (t === 0) return [-1e6, -1e6, 0, 1e6, -1e6, 0, 0, 1e6, 0];
      const { x, y, z } = rng.vec(1);
      return [x, y, z + 2, x + 1e-3, y, z + 2, x, y + 1e-3, z + 2];
    }),
  'sizes by powers of two': (n) =>
    fill(n, (t) => {
      const s = 2 ** -(t % 60);
      return [s, 0, 0, 2 * s, 0, 0, s, s, 0];
    }),
};

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The first corners. */
export const pointsOf = (soup: Float64Array): Point[] =>
  Array.from({ length: soup.length / 9 }, (_, t) => ({
    x: soup[9 * t]!,
    y: soup[9 * t + 1]!,
    z: soup[9 * t + 2]!,
  }));

/** The boxes around the triangles: min x, y, z, max x, y, z. */
export function boxesOf(soup: Float64Array): Float64Array {
  const boxes = new Float64Array((soup.length / 9) * 6);
  for (let t = 0; 9 * t < soup.length; t++)
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [soup[9 * t + axis]!, soup[9 * t + 3 + axis]!, soup[9 * t + 6 + axis]!];
      boxes[6 * t + axis] = Math.min(a, b, c);
      boxes[6 * t + 3 + axis] = Math.max(a, b, c);
    }
  return boxes;
}
