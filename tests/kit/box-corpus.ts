/** Boxes of all kinds that make trouble: the degenerate corpus for what finds boxes. */
import type { Aabb } from '../../src/primitives/types.ts';
import { cloud, type Rng } from './rng.ts';

/** Min x, y, z, max x, y, z. */
export type Six = readonly [number, number, number, number, number, number];

export const recordOf = ([ax, ay, az, bx, by, bz]: Six): Aabb => ({
  min: { x: ax, y: ay, z: az },
  max: { x: bx, y: by, z: bz },
});

export const overlap = (a: Six, b: Six): boolean =>
  a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];

export const six = (x: number, y: number, z: number, a: number, b = a, c = a): Six => [
  x,
  y,
  z,
  x + a,
  y + b,
  z + c,
];

/** Where boxes are and how large, of all kinds that make trouble. */
export const REGIMES: Record<string, (rng: Rng) => Six> = {
  even: (rng) => six(rng.range(-3, 3), rng.range(-3, 3), rng.range(-3, 3), rng.range(0.5, 1.5)),
  clustered(rng) {
    const at = 50 * rng.int(-2, 2);
    return six(at + rng.range(0, 1), at * rng.range(0.99, 1), rng.range(0, 1), rng.range(0, 0.4));
  },
  'equal boxes': (rng) => six(rng.int(0, 1), 0, 7, 1),
  nested(rng) {
    const r = 2 ** rng.range(-20, 20);
    return [-r, -r, -r, r, r * rng.pick([1, 2]), r];
  },
  points: (rng) => six(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2), 0),
  lattice: (rng) =>
    six(rng.int(-4, 4), rng.int(-4, 4), rng.int(-4, 4), rng.int(0, 2), rng.int(0, 2), rng.int(0, 2)),
  'huge among tiny'(rng) {
    const size = rng.chance(0.1) ? 10 ** rng.range(0, 4) : 10 ** rng.range(-4, -1);
    return six(rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1), size, rng.pick([size, 0.001]));
  },
  'far away'(rng) {
    const at = rng.pick([0, 1e6, 1e9, -1e12]);
    return six(at + rng.range(-1, 1), rng.range(-1, 1), at + rng.range(-1, 1), rng.range(0, 0.6));
  },
  'touching only': (rng) => six(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3), 1),
  'of a centre': (rng) => {
    const r = rng.pick([1e-3, 0.5, 1, 3]);
    const at = rng.pick([-2, 0, 0.5]);
    return [at - r, at - r, at - r, at + r, at + r, at + r];
  },
  'a million times larger': (rng) =>
    six(rng.range(-2, 2), rng.int(-2, 2), rng.range(-2, 2), rng.chance(0.05) ? 1e6 : rng.range(0, 1)),
  'in a line': (rng) => six(rng.range(-20, 20), 0, 0, 1, 0, 0),
  slabs: (rng) => six(rng.range(-50, 50), rng.range(-1, 1), 0, rng.pick([0.1, 90]), rng.pick([0, 0.3]), 0),
  'of all sizes': (rng) => six(rng.range(-1, 1), rng.range(-1, 1), rng.range(-1, 1), 10 ** rng.range(-3, 3)),
  cloud(rng) {
    const [p, q] = cloud(rng, 2).points as [Aabb['min'], Aabb['min']];
    return [
      Math.min(p.x, q.x),
      Math.min(p.y, q.y),
      Math.min(p.z, q.z),
      Math.max(p.x, q.x),
      Math.max(p.y, q.y),
      Math.max(p.z, q.z),
    ];
  },
};
