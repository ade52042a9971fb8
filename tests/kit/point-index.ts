/** All indexes of points, against a test of every point. */
import { expect, test } from 'vitest';
import type { PointIndex } from '../../src/space/point-index.ts';
import { check, property } from './property.ts';
import { cloud, type Rng } from './rng.ts';

interface P3 {
  x: number;
  y: number;
  z: number;
}

/** Where points are, of all kinds that make trouble: the degenerate corpus. */
export const POINT_REGIMES: Record<string, (rng: Rng) => P3> = {
  even: (rng) => rng.vec(3),
  identical: () => ({ x: 1, y: -2, z: 0.5 }),
  'two places': (rng) => ({ x: rng.int(0, 1), y: 0, z: 7 }),
  collinear(rng) {
    const t = rng.range(-5, 5);
    return { x: t, y: 2 * t, z: -t };
  },
  'along an axis': (rng) => ({ x: 0, y: rng.int(-40, 40) / 4, z: 0 }),
  coplanar: (rng) => ({ x: rng.range(-2, 2), y: 1, z: rng.range(-2, 2) }),
  lattice: (rng) => ({ x: rng.int(-4, 4), y: rng.int(-4, 4), z: rng.int(-4, 4) }),
  clustered(rng) {
    const at = 50 * rng.int(-2, 2);
    return { x: at + rng.range(0, 1), y: at * rng.range(0.99, 1), z: rng.range(0, 1) };
  },
  'of all scales': (rng) => {
    const r = 10 ** rng.range(-3, 3);
    return { x: r * rng.sign(), y: r * rng.unit(), z: r * rng.range(-1, 1) };
  },
  'far away': (rng) => {
    const at = rng.pick([0, 1e6, 1e9, -1e12, 1e16]);
    return { x: at + rng.range(-1, 1), y: rng.range(-1, 1), z: at + rng.range(-1, 1) };
  },
  'out of all bounds': (rng) => ({
    x: rng.sign() * 10 ** rng.range(-70, 70),
    y: rng.pick([0, 1e70, -1e-70]),
    z: rng.sign() * 10 ** rng.range(-70, 70),
  }),
  cloud: (rng) => cloud(rng, 1).points[0]!,
};
const NAMES = Object.keys(POINT_REGIMES);

const distanceSq = (p: P3, q: P3): number => {
  const dx = q.x - p.x;
  const dy = q.y - p.y;
  const dz = q.z - p.z;
  return dx * dx + dy * dy + dz * dz;
};

const sorted = (ids: readonly number[]): string => String([...ids].sort((a, b) => a - b));

/** Asks an index everything, and compares with a look at every point: in `points`, by number. */
export function comparePointIndex(
  index: PointIndex,
  points: ReadonlyMap<number, P3>,
  rng: Rng,
  at: P3,
): void {
  check(index.size === points.size, () => `size ${index.size} and not ${points.size}`);
  const all = [...points];
  const other = all.length > 0 && rng.chance(0.8) ? rng.pick(all)[1] : at;
  const box = {
    min: { x: Math.min(at.x, other.x), y: Math.min(at.y, other.y), z: Math.min(at.z, other.z) },
    max: { x: Math.max(at.x, other.x), y: Math.max(at.y, other.y), z: Math.max(at.z, other.z) },
  };
  const told: number[] = [];
  index.range(box, (id) => void told.push(id));
  const inside = all.filter(
    ([, { x, y, z }]) =>
      x >= box.min.x &&
      x <= box.max.x &&
      y >= box.min.y &&
      y <= box.max.y &&
      z >= box.min.z &&
      z <= box.max.z,
  );
  const wanted = sorted(inside.map(([id]) => id));
  check(sorted(told) === wanted, () => `range: ${sorted(told)} and not ${wanted}`);

  const p = rng.chance(0.3) && all.length > 0 ? rng.pick(all)[1] : at;
  const radius = rng.pick([0, 0.1, 1, Math.sqrt(distanceSq(p, other)), 1e6]);
  told.length = 0;
  index.within(p, radius, (id) => void told.push(id));
  const near = all.filter(([, q]) => distanceSq(p, q) <= radius * radius).map(([id]) => id);
  check(sorted(told) === sorted(near), () => `within: ${sorted(told)} and not ${sorted(near)}`);

  const order = all.map(([id, q]) => ({ id, d: distanceSq(p, q) })).sort((a, b) => a.d - b.d || a.id - b.id);
  const most = rng.chance(0.7) ? Infinity : radius;
  const reach = order.filter(({ d }) => d <= most * most).map(({ id }) => id);
  check(
    index.nearest(p, most) === (reach[0] ?? -1),
    () => `nearest: ${index.nearest(p, most)} and not ${reach[0] ?? -1}`,
  );
  const k = rng.pick([0, 1, 2, 7, all.length, all.length + 3]);
  const out: number[] = [];
  const count = index.kNearest(p, k, out, most);
  check(count === Math.min(k, reach.length), () => `kNearest: ${count} and not ${Math.min(k, reach.length)}`);
  check(
    String(out.slice(0, count)) === String(reach.slice(0, k)),
    () => `kNearest: ${out.slice(0, count)} and not ${reach.slice(0, k)}`,
  );
}

/** The tests of an index that is built from points, three numbers each. `row` names the specification's. */
export function testPointIndex(name: string, row: string, build: (points: Float64Array) => PointIndex): void {
  property(`${row} ${name}: range, within, nearest and k nearest as a look at every point`, 300, (rng, i) => {
    const make = POINT_REGIMES[NAMES[i % NAMES.length]!]!;
    const n = rng.pick([0, 1, 2, 3, 9, 40, 150]);
    const points = new Map(Array.from({ length: n }, (_, id): [number, P3] => [id, make(rng)]));
    const index = build(Float64Array.from([...points.values()].flatMap(({ x, y, z }) => [x, y, z])));
    for (let k = 0; k < 4; k++) comparePointIndex(index, points, rng, make(rng));
  });

  test(`${row} ${name}: 10,000 equal points, and none`, () => {
    const index = build(new Float64Array(30_000).fill(1.5));
    const p = { x: 1.5, y: 1.5, z: 1 };
    const out = new Int32Array(3);
    expect(index.nearest(p)).toBe(0);
    expect(index.kNearest(p, 3, out)).toBe(3);
    expect([...out]).toEqual([0, 1, 2]);
    let told = 0;
    index.within(p, 0.5, () => void told++);
    expect(told).toBe(10_000);
    const empty = build(new Float64Array(0));
    expect(empty.nearest(p)).toBe(-1);
    expect(empty.kNearest(p, 3, out)).toBe(0);
  });

  test(`${row} ${name}: a visitor may search, and may end its search`, () => {
    const index = build(Float64Array.from({ length: 60 }, (_, i) => (i * 7) % 5));
    const box = { min: { x: 0, y: 0, z: 0 }, max: { x: 9, y: 9, z: 9 } };
    const told: number[] = [];
    index.range(box, (id) => {
      index.within(box.min, 3, () => {});
      index.nearest(box.max);
      told.push(id);
    });
    expect(sorted(told)).toBe(sorted(Array.from({ length: 20 }, (_, i) => i)));
    let ends = 0;
    index.range(box, () => {
      ends++;
      return false;
    });
    index.within(box.min, 99, () => {
      ends++;
      return false;
    });
    expect(ends).toBe(2);
  });

  test(`${row} ${name}: refuses what cannot be meant`, () => {
    const index = build(Float64Array.from([0, 0, 0, 1, 1, 1]));
    const p = { x: 0, y: 0, z: 0 };
    const bad = { x: Number.NaN, y: 0, z: 0 };
    expect(() => build(Float64Array.from([0, 0]))).toThrow(RangeError);
    expect(() => build(Float64Array.from([0, 0, Number.NaN]))).toThrow(RangeError);
    expect(() => build(Float64Array.from([0, 0, Infinity]))).toThrow(RangeError);
    expect(() => index.nearest(bad)).toThrow(/nearest: p/);
    expect(() => index.nearest(p, -1)).toThrow(/nearest: maxDistance/);
    expect(() => index.kNearest(p, 0.5, [])).toThrow(/kNearest: k/);
    expect(() => index.kNearest(p, -1, [])).toThrow(/kNearest: k/);
    expect(() => index.kNearest(p, 1, [], Number.NaN)).toThrow(/kNearest: maxDistance/);
    expect(() => index.kNearest(p, 2, new Int32Array(1))).toThrow(/kNearest: out/);
    expect(() => index.within(p, Number.NaN, () => {})).toThrow(/within: radius/);
    expect(() => index.within(bad, 1, () => {})).toThrow(/within: p/);
    expect(() => index.range({ min: { x: 1, y: 0, z: 0 }, max: p }, () => {})).toThrow(/range: box/);
  });
}
