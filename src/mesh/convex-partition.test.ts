import { expect, test } from 'vitest';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import type { Vec2, Vec3 } from '../math/types.ts';
import { convexPartition } from './index.ts';

const turn = (a: Vec2, b: Vec2, c: Vec2): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const lift = (loop: readonly Vec2[]): Vec3[] => loop.map(({ x, y }) => ({ x, y, z: 0 }));
const area = (p: readonly Vec2[]): number =>
  p.reduce((sum, a, k) => sum + (a.x * p[(k + 1) % p.length]!.y - a.y * p[(k + 1) % p.length]!.x) / 2, 0);

function star(rng: Rng, n: number): Vec2[] {
  return Array.from({ length: n }, (_, k) => {
    const t = ((k + rng.range(0.1, 0.9)) / n) * 2 * Math.PI;
    const r = rng.range(0.15, 1);
    return { x: r * Math.cos(t), y: r * Math.sin(t) };
  });
}

/** All pieces convex, areas adding up, none overlapping its neighbours. */
function checkPieces(points: readonly Vec2[], pieces: readonly (readonly number[])[], wanted: number): void {
  let sum = 0;
  for (const piece of pieces) {
    const p = piece.map((i) => points[i]!);
    for (const [k, a] of p.entries())
      check(turn(a, p[(k + 1) % p.length]!, p[(k + 2) % p.length]!) >= -1e-15, 'a reflex corner');
    // One turn only: the exterior angles of a convex loop add up to 360°.
    let angle = 0;
    for (const [k, a] of p.entries()) {
      const [b, c] = [p[(k + 1) % p.length]!, p[(k + 2) % p.length]!];
      angle += Math.atan2(turn(a, b, c), (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y));
    }
    near(angle, 2 * Math.PI, 1e-6, 'turns');
    sum += area(p);
  }
  near(sum, wanted, 1e-12, 'area');
}

/** The fewest convex pieces without new points, by trying all sets of diagonals, small ones first. */
function optimum(p: readonly Vec2[]): number {
  const n = p.length;
  const at = (i: number) => p[(i + n) % n]!;
  const isReflex = p.map((_, i) => turn(at(i - 1), at(i), at(i + 1)) < 0);
  const crosses = (a: Vec2, b: Vec2, c: Vec2, d: Vec2) =>
    turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
  const sees = (i: number, j: number): boolean => {
    for (let k = 0; k < n; k++) if (crosses(at(i), at(j), at(k), at(k + 1))) return false;
    const inCorner = (v: number, w: number) =>
      isReflex[v]
        ? !(turn(at(v), at(v + 1), at(w)) < 0 && turn(at(v - 1), at(v), at(w)) < 0)
        : turn(at(v), at(v + 1), at(w)) > 0 && turn(at(v - 1), at(v), at(w)) > 0;
    return inCorner(i, j) && inCorner(j, i);
  };
  const diagonals: [number, number][] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 2; j < n; j++)
      if (!(i === 0 && j === n - 1) && (isReflex[i] || isReflex[j]) && sees(i, j)) diagonals.push([i, j]);
  const isDone = (chosen: readonly [number, number][]): boolean =>
    p.every((_, v) => {
      if (!isReflex[v]) return true;
      const rays = [v + 1, ...chosen.flatMap(([i, j]) => (i === v ? [j] : j === v ? [i] : [])), v - 1].map(
        at,
      );
      const angle = (q: Vec2) => {
        const base = Math.atan2(at(v + 1).y - at(v).y, at(v + 1).x - at(v).x);
        return (Math.atan2(q.y - at(v).y, q.x - at(v).x) - base + 4 * Math.PI) % (2 * Math.PI);
      };
      const sorted = rays.map(angle).sort((s, t) => s - t);
      return sorted.every((s, k) => k === 0 || s - sorted[k - 1]! <= Math.PI + 1e-12);
    });
  const search = (from: number, left: number, chosen: [number, number][]): boolean => {
    if (left === 0) return isDone(chosen);
    for (let k = from; k < diagonals.length; k++) {
      const [i, j] = diagonals[k]!;
      if (chosen.some(([s, t]) => crosses(at(i), at(j), at(s), at(t)))) continue;
      if (search(k + 1, left - 1, [...chosen, [i, j]])) return true;
    }
    return false;
  };
  for (let count = 0; ; count++) if (search(0, count, [])) return count + 1;
}

property('[R12.5.2] stars: convex pieces, area kept, not one diagonal too many', 2000, (rng) => {
  const p = star(rng, rng.int(3, 40));
  const { pieces, status } = convexPartition(lift(p));
  check(status === 'complete', status);
  checkPieces(p, pieces, area(p));
  // Merging any two neighbours makes a reflex corner.
  for (const [k, a] of pieces.entries())
    for (const b of pieces.slice(k + 1)) {
      const joint = a.findIndex((v, i) => {
        const j = b.indexOf(v);
        return j >= 0 && b[(j + b.length - 1) % b.length] === a[(i + 1) % a.length];
      });
      if (joint < 0) continue;
      const [from, to] = [a[joint]!, a[(joint + 1) % a.length]!];
      const [i, j] = [b.indexOf(from), b.indexOf(to)];
      const s = turn(p[a[(joint + a.length - 1) % a.length]!]!, p[from]!, p[b[(i + 1) % b.length]!]!);
      const t = turn(p[b[(j + b.length - 1) % b.length]!]!, p[to]!, p[a[(joint + 2) % a.length]!]!);
      check(s < 0 || t < 0, 'a diagonal that nobody needs');
    }
});

test('[R12.5.2] at most four times the optimum, and most often the optimum or one more', () => {
  let total = 0;
  let best = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const p = star(new Rng(seed), 4 + (seed % 6));
    const { pieces } = convexPartition(lift(p));
    const least = optimum(p);
    expect(pieces.length).toBeLessThanOrEqual(4 * least);
    expect(pieces.length).toBeGreaterThanOrEqual(least);
    total += pieces.length;
    best += least;
  }
  expect(total / best).toBeLessThan(1.25);
});

property('[R12.5.2] holes, and either winding', 500, (rng) => {
  const outer = star(rng, rng.int(6, 20)).map(({ x, y }) => {
    const r = Math.hypot(x, y);
    return { x: (x / r) * (0.5 + r / 2), y: (y / r) * (0.5 + r / 2) };
  });
  const hole = star(rng, rng.int(3, 8)).map(({ x, y }) => ({ x: 0.4 * x, y: 0.4 * y }));
  const isTurned = rng.chance(0.5);
  const loop = isTurned ? [...outer].reverse() : outer;
  const { pieces, status } = convexPartition(lift(loop), [lift(hole)]);
  if (status === 'crossing') return; // the hole may reach through the outer loop
  const all = [...loop, ...hole];
  checkPieces(
    all,
    isTurned ? pieces.map((p) => [...p].reverse()) : pieces,
    area(outer) - Math.abs(area(hole)),
  );
});

test('[R12.5.2] convex polygons are one piece, an L two, crossing and flat ones have a status', () => {
  const square = lift([
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 2, y: 0 },
    { x: 2, y: 2 },
    { x: 0, y: 2 },
  ]);
  expect(convexPartition(square).pieces).toHaveLength(1);
  expect(convexPartition(square).pieces[0]).toHaveLength(5);
  const l = lift([
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 2, y: 1 },
    { x: 1, y: 1 },
    { x: 1, y: 2 },
    { x: 0, y: 2 },
  ]);
  expect(convexPartition(l).pieces).toHaveLength(2);
  const bow = lift([
    { x: 0, y: 0 },
    { x: 2, y: 2 },
    { x: 2, y: 0 },
    { x: 0, y: 2 },
  ]);
  expect(convexPartition(bow).status).toBe('crossing');
  expect(convexPartition(lift([{ x: 0, y: 0 }]))).toEqual({ pieces: [], status: 'flat' });
});
