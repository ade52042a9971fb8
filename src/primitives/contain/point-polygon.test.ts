import { describe, expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec2 } from '../../math/types.ts';
import { vec2 } from '../../math/types.ts';
import { containsPointConvexPolygon, containsPointPolygon, containsPointTile } from './point-polygon.ts';
import { containsPointTriangle2d } from './point-triangle.ts';

/** The sign of (b - a) × (c - a), in rational numbers. */
function turn(a: Vec2, b: Vec2, c: Vec2): number {
  const [ax, ay] = [exact.q(a.x), exact.q(a.y)];
  const u = exact.mul(exact.sub(exact.q(b.x), ax), exact.sub(exact.q(c.y), ay));
  const v = exact.mul(exact.sub(exact.q(b.y), ay), exact.sub(exact.q(c.x), ax));
  return exact.sign(exact.sub(u, v));
}

const isOnEdge = (p: Vec2, a: Vec2, b: Vec2): boolean =>
  turn(a, b, p) === 0 &&
  Math.min(a.x, b.x) <= p.x &&
  p.x <= Math.max(a.x, b.x) &&
  Math.min(a.y, b.y) <= p.y &&
  p.y <= Math.max(a.y, b.y);

const edgesOf = (points: Vec2[]): [Vec2, Vec2][] =>
  points.map((a, i) => [a, points[(i + 1) % points.length]!]);

/** On an edge, or strictly on the same side of all of them that have a length. */
function inHull(p: Vec2, points: Vec2[]): boolean {
  const edges = edgesOf(points);
  if (edges.some(([a, b]) => isOnEdge(p, a, b))) return true;
  const signs = edges.filter(([a, b]) => a.x !== b.x || a.y !== b.y).map(([a, b]) => turn(a, b, p));
  return signs.length > 0 && (signs.every((s) => s > 0) || signs.every((s) => s < 0));
}

/** The hull of random points by gift wrapping, with points on its edges kept or added, starting anywhere. */
function drawConvex(rng: Rng): Vec2[] {
  const count = rng.int(1, 9);
  const place = rng.pick([
    () => vec2(rng.int(-3, 3), rng.int(-3, 3)),
    () => vec2(rng.range(-1, 1), rng.range(-1, 1)),
    () => vec2(1e6 + rng.range(-1, 1), 1e6 + rng.range(-1, 1)),
    () => vec2(rng.range(-1e-6, 1e-6), rng.range(-1e-6, 1e-6)),
    () => vec2(rng.int(-3, 3), 1),
  ]);
  const cloud = Array.from({ length: count }, place);
  const start = cloud.reduce((s, q) => (q.x < s.x || (q.x === s.x && q.y < s.y) ? q : s));
  const hull = [start];
  for (;;) {
    const from = hull.at(-1)!;
    let next = start;
    for (const q of cloud) {
      if (q.x === from.x && q.y === from.y) continue;
      const side = next.x === from.x && next.y === from.y ? -1 : turn(from, next, q);
      const isFarther =
        (q.x - from.x) ** 2 + (q.y - from.y) ** 2 > (next.x - from.x) ** 2 + (next.y - from.y) ** 2;
      if (side < 0 || (side === 0 && isFarther)) next = q;
    }
    if ((next.x === start.x && next.y === start.y) || hull.length > count) break;
    hull.push(next);
  }
  // Points along edges, where they are exact, and repeated corners.
  const full = edgesOf(hull).flatMap(([a, b]) => {
    const middle = vec2((a.x + b.x) / 2, (a.y + b.y) / 2);
    const out = rng.chance(0.3) ? [a, a] : [a];
    return rng.chance(0.4) && turn(a, b, middle) === 0 ? [...out, middle] : out;
  });
  const at = rng.int(0, full.length - 1);
  const turned = [...full.slice(at), ...full.slice(0, at)];
  return rng.chance(0.5) ? turned : turned.reverse();
}

/** Inside, outside, on corners, on edges, on the lines of edges beyond them. */
function drawPoint(rng: Rng, points: Vec2[]): Vec2 {
  const [a, b, c] = [rng.pick(points), rng.pick(points), rng.pick(points)];
  const t = rng.pick([-1, -0.5, 0, 0.25, 0.5, 1, 1.5, 2]);
  if (rng.chance(0.6)) return vec2(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
  const [u, v] = [rng.range(-0.5, 1), rng.range(-0.5, 1)];
  return vec2(a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y));
}

describe('convex', () => {
  let hits = 0;
  let cases = 0;
  property('[R5.4.1] the binary search equals exact signs at every edge', 10_000, (rng) => {
    const points = drawConvex(rng);
    const p = drawPoint(rng, points);
    const wanted = inHull(p, points);
    check(
      containsPointConvexPolygon(p, points) === wanted,
      () => `${wanted}: ${JSON.stringify([p, points])}`,
    );
    cases++;
    if (wanted) hits++;
  });

  test('[R5.4.1] the random points are of both kinds', () => {
    expect(hits / cases).toBeGreaterThan(0.2);
    expect(hits / cases).toBeLessThan(0.8);
  });

  test('[R5.4.1] looks at some twenty corners of a hundred thousand', () => {
    const count = 100_000;
    const read = new Set<number>();
    const circle = Array.from({ length: count }, (_, i) => {
      const corner = vec2(Math.cos((2 * Math.PI * i) / count), Math.sin((2 * Math.PI * i) / count));
      return {
        get x() {
          read.add(i);
          return corner.x;
        },
        y: corner.y,
      };
    });
    expect(containsPointConvexPolygon(vec2(0.3, -0.5), circle)).toBe(true);
    expect(containsPointConvexPolygon(vec2(0.8, -0.8), circle)).toBe(false);
    expect(read.size).toBeLessThan(50);
  });

  test('[R5.4.1] bad corners are refused where the search meets them', () => {
    expect(() => containsPointConvexPolygon(vec2(Number.NaN, 0), [vec2()])).toThrow(/p\.x/);
    expect(() => containsPointConvexPolygon(vec2(), [])).toThrow(/points/);
    expect(() => containsPointConvexPolygon(vec2(), [vec2(-1, -1), vec2(1, Infinity), vec2(0, 1)])).toThrow(
      /points\[1\]\.y/,
    );
  });
});

describe('general', () => {
  /** A closed walk, mostly crossing itself, with repeated corners and level edges. */
  const drawWalk = (rng: Rng): Vec2[] => {
    const grid = rng.chance(0.6);
    return Array.from({ length: rng.int(1, 8) }, () =>
      grid ? vec2(rng.int(-3, 3), rng.int(-3, 3)) : vec2(rng.range(-1, 1), rng.range(-1, 1)),
    );
  };

  /** Even-odd by the winding number's parity: the sum of exact quadrant steps around p, another way of counting. */
  function parity(p: Vec2, points: Vec2[]): boolean {
    let quarters = 0;
    const quadrant = (q: Vec2) => (q.x > p.x ? (q.y > p.y ? 0 : 3) : q.y > p.y ? 1 : 2);
    for (const [a, b] of edgesOf(points)) {
      let step = (quadrant(b) - quadrant(a) + 4) % 4;
      if (step === 3) step = -1;
      if (step === 2) step = turn(a, b, p) > 0 ? 2 : -2;
      quarters += step;
    }
    return (quarters / 4) % 2 !== 0;
  }

  property(
    '[R5.4.1] crossings equal the parity of the winding number, and the boundary is inside',
    10_000,
    (rng) => {
      const points = drawWalk(rng);
      const p = drawPoint(rng, points);
      const isOn = edgesOf(points).some(([a, b]) => isOnEdge(p, a, b));
      const wanted = isOn || parity(p, points);
      check(containsPointPolygon(p, points) === wanted, () => `${wanted}: ${JSON.stringify([p, points])}`);
      if (!isOn) check(containsPointTile(p, points) === wanted, () => `tile: ${JSON.stringify([p, points])}`);
    },
  );

  property('[R5.4.1] convex search and crossings agree', 10_000, (rng) => {
    const points = drawConvex(rng);
    const p = drawPoint(rng, points);
    const found = containsPointConvexPolygon(p, points);
    check(found === containsPointPolygon(p, points), () => JSON.stringify([p, points]));
  });

  property('[R5.4.1] with the half-open rule each point is in exactly one tile', 10_000, (rng) => {
    // A square cut by a fan about an inner point, or into strips: p on corners, edges and inside.
    const size = rng.pick([4, 3, 1e6]);
    const ring = [vec2(0, 0), vec2(size, 0), vec2(size, size), vec2(0, size)];
    for (let i = rng.int(0, 3); i > 0; i--)
      ring.splice(i, 0, vec2((ring[i - 1]!.x + ring[i]!.x) / 2, (ring[i - 1]!.y + ring[i]!.y) / 2));
    const middle = vec2(rng.range(0.1, 0.9) * size, rng.range(0.1, 0.9) * size);
    if (rng.chance(0.5)) Object.assign(middle, vec2(size / 2, size / 4));
    const tiles = ring.map((a, i) => {
      const tile = [middle, a, ring[(i + 1) % ring.length]!];
      return rng.chance(0.5) ? tile : tile.reverse();
    });
    const a = rng.pick(ring);
    const t = rng.pick([0.25, 0.5, 0.75, rng.unit()]);
    const p = rng.pick([
      middle,
      vec2(middle.x + t * (a.x - middle.x), middle.y + t * (a.y - middle.y)),
      vec2(rng.range(0.01, 0.99) * size, rng.range(0.01, 0.99) * size),
    ]);
    const count = tiles.filter((tile) => containsPointTile(p, tile)).length;
    check(count === 1, () => `${count} tiles: ${JSON.stringify([p, tiles])}`);
    check(
      tiles.some((tile) => containsPointPolygon(p, tile)),
      'closed tiles cover',
    );
  });

  test('[R5.4.1] of four squares around a corner, one has it', () => {
    const square = (x: number, y: number) => [vec2(x, y), vec2(x + 1, y), vec2(x + 1, y + 1), vec2(x, y + 1)];
    const tiles = [square(-1, -1), square(0, -1), square(-1, 0), square(0, 0)];
    for (const p of [vec2(0, 0), vec2(0, 0.5), vec2(0.5, 0), vec2(0, -0.5), vec2(-0.5, 0)]) {
      expect(tiles.filter((tile) => containsPointTile(p, tile)).length).toBe(1);
      expect(tiles.filter((tile) => containsPointPolygon(p, tile)).length).toBe(
        p.x === 0 && p.y === 0 ? 4 : 2,
      );
    }
  });

  test('[R5.4.1] a ray through a vertex or along an edge counts once', () => {
    const diamond = [vec2(0, -1), vec2(1, 0), vec2(0, 1), vec2(-1, 0)];
    expect(containsPointPolygon(vec2(-0.5, 0), diamond)).toBe(true);
    expect(containsPointPolygon(vec2(-2, 0), diamond)).toBe(false);
    const stair = [
      vec2(0, 0),
      vec2(3, 0),
      vec2(3, 2),
      vec2(2, 2),
      vec2(2, 1),
      vec2(1, 1),
      vec2(1, 2),
      vec2(0, 2),
    ];
    expect(containsPointPolygon(vec2(0.5, 1), stair)).toBe(true);
    expect(containsPointPolygon(vec2(-1, 1), stair)).toBe(false);
    expect(containsPointPolygon(vec2(1.5, 1.5), stair)).toBe(false);
    expect(containsPointPolygon(vec2(0.5, 2), stair)).toBe(true);
    expect(() => containsPointPolygon(vec2(), [vec2(), vec2(Number.NaN, 1)])).toThrow(/points\[1\]\.x/);
    expect(() => containsPointTile(vec2(), [])).toThrow(/points/);
  });

  property('[R5.4.1] a triangle is a polygon', 10_000, (rng) => {
    const points = Array.from({ length: 3 }, () => vec2(rng.int(-2, 2), rng.int(-2, 2)));
    const p = vec2(rng.int(-2, 2), rng.int(-2, 2));
    const [a, b, c] = points as [Vec2, Vec2, Vec2];
    check(containsPointPolygon(p, points) === containsPointTriangle2d(p, a, b, c), () =>
      JSON.stringify([p, points]),
    );
  });
});
