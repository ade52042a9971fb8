import { expect, test } from 'vitest';
import { check, exact, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec2, Vec3 } from '../math/types.ts';
import { cutEars } from './ear-cutting.ts';
import { convexPartition, triangulatePolygon } from './index.ts';
import { cleanRing } from './rings.ts';

const { q, sub, mul, add, sign, ZERO } = exact;

/** Twice the signed area of a loop, exactly. */
function area2(loop: readonly Vec2[]): exact.Q {
  let sum = ZERO;
  for (const [k, p] of loop.entries()) {
    const r = loop[(k + 1) % loop.length]!;
    sum = add(sum, sub(mul(q(p.x), q(r.y)), mul(q(p.y), q(r.x))));
  }
  return sum;
}

/** Even-odd, by plain crossings. */
function isInside(p: Vec2, loops: readonly (readonly Vec2[])[]): boolean {
  let inside = false;
  for (const loop of loops)
    for (const [k, a] of loop.entries()) {
      const b = loop[(k + 1) % loop.length]!;
      if (a.y > p.y !== b.y > p.y && p.x < a.x + ((p.y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
    }
  return inside;
}

const lift = (loop: readonly Vec2[]): Vec3[] => loop.map(({ x, y }) => ({ x, y, z: 0 }));
const without = (loop: readonly Vec2[]): Vec2[] => {
  const kept = cleanRing(
    loop,
    loop.map((_, i) => i),
  );
  return kept.map((i) => loop[i]!);
};

/** Fails unless the triangles tile the polygon: their number, their exact areas, random points. */
function checkTiling(rng: Rng, outer: readonly Vec2[], holes: readonly (readonly Vec2[])[] = []): void {
  const { triangles, status } = triangulatePolygon(lift(outer), holes.map(lift));
  check(status === 'complete', `status ${status}`);
  const all = [...outer, ...holes.flat()];
  const size = without(outer).length + holes.reduce((sum, hole) => sum + without(hole).length, 0);
  check(
    triangles.length === 3 * (size - 2 + 2 * holes.length),
    `${triangles.length / 3} triangles for ${size}`,
  );
  const turn = sign(area2(outer));
  let sum = ZERO;
  const corners: Vec2[][] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    const t = [all[triangles[k]!]!, all[triangles[k + 1]!]!, all[triangles[k + 2]!]!];
    corners.push(t);
    const a = area2(t);
    check(sign(a) === turn, 'a triangle without area or of the wrong winding');
    sum = add(sum, exact.abs(a));
  }
  let wanted = exact.abs(area2(outer));
  for (const hole of holes) wanted = sub(wanted, exact.abs(area2(hole)));
  check(exact.cmp(sum, wanted) === 0, 'areas do not add up');
  for (let k = 0; k < 10; k++) {
    const p = { x: rng.range(-1.2, 1.2), y: rng.range(-1.2, 1.2) };
    const covers = corners.filter((t) => isInside(p, [t])).length;
    check(covers === (isInside(p, [outer, ...holes]) ? 1 : 0), `${covers} triangles over a point`);
  }
}

/** A star around `at`, radii between half of and all of r; at times on a lattice. */
function star(rng: Rng, n: number, r = 1, at: Vec2 = { x: 0, y: 0 }): Vec2[] {
  const angles = Array.from({ length: n }, (_, k) => ((k + rng.range(0.1, 0.9)) / n) * 2 * Math.PI);
  return angles.map((t) => {
    const s = r * rng.range(0.5, 1);
    return { x: at.x + s * Math.cos(t), y: at.y + s * Math.sin(t) };
  });
}

/** A polygon without crossings through random lattice points: crossings are undone two edges at a time. */
function lattice(rng: Rng, n: number): Vec2[] {
  const used = new Set<number>();
  while (used.size < n) used.add(rng.int(0, 80));
  const p = rng.shuffle([...used]).map((i) => ({ x: (i % 9) / 8 - 0.5, y: Math.floor(i / 9) / 8 - 0.5 }));
  const length = (a: Vec2, b: Vec2) => Math.hypot(a.x - b.x, a.y - b.y);
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < n; i++)
      for (let j = i + 2; j < n; j++) {
        const [a, b, c, d] = [p[i]!, p[i + 1]!, p[j]!, p[(j + 1) % n]!];
        if (a === d || length(a, c) + length(b, d) >= length(a, b) + length(c, d) - 1e-12) continue;
        p.splice(i + 1, j - i, ...p.slice(i + 1, j + 1).reverse());
        changed = true;
      }
  }
  return p;
}

const isSimple = (p: readonly Vec2[]): boolean => {
  const turn = (a: Vec2, b: Vec2, c: Vec2) =>
    Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const onBox = (a: Vec2, b: Vec2, c: Vec2) =>
    Math.min(a.x, b.x) <= c.x &&
    c.x <= Math.max(a.x, b.x) &&
    Math.min(a.y, b.y) <= c.y &&
    c.y <= Math.max(a.y, b.y);
  const n = p.length;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [a, b, c, d] = [p[i]!, p[(i + 1) % n]!, p[j]!, p[(j + 1) % n]!];
      const s = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)] as const;
      const isNext = j === i + 1 || (i === 0 && j === n - 1);
      if (!isNext && s[0] * s[1] <= 0 && s[2] * s[3] <= 0 && (s[0] !== 0 || s[1] !== 0)) return false;
      const touches =
        (s[0] === 0 && onBox(a, b, c)) || (s[1] === 0 && onBox(a, b, d)) || (s[2] === 0 && onBox(c, d, a));
      if (!isNext && touches) return false;
      if (j === i + 1 && turn(a, b, d) === 0 && (onBox(a, b, d) || onBox(b, d, a))) return false;
    }
  return (
    n > 2 &&
    !(
      turn(p[n - 1]!, p[0]!, p[1]!) === 0 &&
      (onBox(p[n - 1]!, p[0]!, p[1]!) || onBox(p[0]!, p[1]!, p[n - 1]!))
    )
  );
};

/** Puts points in the middle of edges, exactly, repeats some, and turns the winding at times. */
function spoil(rng: Rng, loop: readonly Vec2[]): Vec2[] {
  const out: Vec2[] = [];
  for (const [k, p] of loop.entries()) {
    out.push(p);
    if (rng.chance(0.15)) out.push({ ...p });
    const r = loop[(k + 1) % loop.length]!;
    const m = { x: (p.x + r.x) / 2, y: (p.y + r.y) / 2 };
    if (rng.chance(0.3) && sign(area2([p, m, r])) === 0) out.push(m);
  }
  return rng.chance(0.5) ? out.reverse() : out;
}

property('[R12.5.1] stars with collinear and repeated points: n - 2 triangles, exact area', 700, (rng) => {
  checkTiling(rng, spoil(rng, star(rng, rng.int(3, 20))));
});

property('[R12.5.1] lattice polygons, rich in straight lines', 800, (rng) => {
  const p = lattice(rng, rng.int(3, 14));
  if (isSimple(p)) checkTiling(rng, rng.chance(0.5) ? p.reverse() : p);
});

property('[R12.5.1] many holes, of any winding and in any order: 2 triangles more for each', 200, (rng) => {
  const cells = rng.int(1, 4);
  const outer = [-1, 1].flatMap((y) => [-1, 1].map((x) => ({ x: x * y, y }))); // (1,-1) (-1,-1) (-1,1) (1,1)
  const holes: Vec2[][] = [];
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++) {
      const at = { x: (2 * i + 1) / cells - 1, y: (2 * j + 1) / cells - 1 };
      if (rng.chance(0.7)) holes.push(spoil(rng, star(rng, rng.int(3, 7), 0.95 / cells, at)));
    }
  checkTiling(rng, spoil(rng, outer), rng.shuffle(holes));
});

property('[R12.5.1] the own ear cutter agrees, with and without holes', 600, (rng) => {
  const outer = star(rng, rng.int(5, 30));
  const hole = star(rng, rng.int(3, 9), 0.2).reverse();
  const points = [...outer, ...hole];
  const rings = [outer.map((_, i) => i), hole.map((_, i) => outer.length + i)].slice(0, rng.int(1, 2));
  const triangles = cutEars(points, rings);
  const n = rings.flat().length;
  check(triangles.length === 3 * (n - 2 + 2 * (rings.length - 1)), 'count');
  let sum = ZERO;
  for (let k = 0; k < triangles.length; k += 3) {
    const a = area2([points[triangles[k]!]!, points[triangles[k + 1]!]!, points[triangles[k + 2]!]!]);
    check(sign(a) > 0, 'winding');
    sum = add(sum, a);
  }
  const wanted = rings.reduce((s, ring) => add(s, area2(ring.map((i) => points[i]!))), ZERO);
  check(exact.cmp(sum, wanted) === 0, 'area');
});

property(
  '[R12.5.1] any mess of points gets a status, never an exception, and no triangle is without area',
  2500,
  (rng) => {
    const n = rng.int(1, 12);
    const points = Array.from({ length: n }, () =>
      rng.chance(0.5) ? { x: rng.int(-2, 2), y: rng.int(-2, 2) } : { x: rng.unit(), y: rng.unit() },
    );
    const holes = rng.chance(0.5)
      ? []
      : [Array.from({ length: rng.int(1, 5) }, () => ({ x: rng.int(-2, 2), y: rng.int(-2, 2) }))];
    const all = [...points, ...holes.flat()];
    const { triangles, status } = triangulatePolygon(lift(points), holes.map(lift));
    check(triangles.length % 3 === 0, 'whole triangles');
    let sum = ZERO;
    let turn = 0;
    for (let k = 0; k < triangles.length; k += 3) {
      const a = area2([all[triangles[k]!]!, all[triangles[k + 1]!]!, all[triangles[k + 2]!]!]);
      check(sign(a) !== 0 && sign(a) !== -turn, 'no area');
      turn = sign(a);
      sum = add(sum, exact.abs(a));
    }
    if (status === 'flat') check(triangles.length === 0, 'flat');
    if (status !== 'complete' || holes.length > 0) return;
    check(exact.cmp(sum, exact.abs(area2(points))) === 0, 'complete but the areas differ');
  },
);

test('[R12.5.1] loops that cross have a status: bow tie, pentagram, holes outside or across', () => {
  const status = (loop: Vec2[], ...holes: Vec2[][]) => triangulatePolygon(lift(loop), holes.map(lift)).status;
  const at = (...xy: number[]) =>
    Array.from({ length: xy.length / 2 }, (_, k) => ({ x: xy[2 * k]!, y: xy[2 * k + 1]! }));
  const square = at(0, 0, 4, 0, 4, 4, 0, 4);
  expect(status(at(0, 0, 2, 2, 2, 0, 0, 2))).toBe('crossing');
  expect(status(at(0, 0, 1, 1, 2, 2, 2, 0, 1, 1, 0, 2))).toBe('crossing'); // the same with the crossing as a corner
  const pentagram = [0, 2, 4, 1, 3].map((k) => ({ x: Math.cos(1.2566 * k), y: Math.sin(1.2566 * k) }));
  expect(status(pentagram)).toBe('crossing');
  expect(status(square, at(5, 5, 6, 5, 6, 6))).toBe('crossing');
  expect(status(square, at(3, 3, 5, 3, 5, 5))).toBe('crossing');
  expect(status(square, at(1, 1, 3, 1, 3, 3, 1, 3), at(1.5, 1.5, 2, 1.5, 2, 2))).toBe('crossing');
  expect(status(square, at(0, 0, 2, 1, 1, 2))).toBe('complete'); // touches in a corner
  expect(status(square, at(2, 0, 3, 1, 2, 2))).toBe('complete'); // touches an edge
  expect(status(square, at(1, 1, 2, 1, 2, 2), at(2, 2, 3, 2, 3, 3))).toBe('complete'); // holes touch
  expect(status(at(0, 0, 1, 0, 2, 0))).toBe('flat');
  expect(status(at(0, 0, 0, 0, 0, 0))).toBe('flat');
  expect(status(at(0, 0))).toBe('flat');
  // Half way between the two: the inner loop passes through a corner.
  expect(status(at(0, 0, 4, 0, 4, 4, 2, 0, 0, 4))).toBe('complete');
});

test('[R12.5.1] spikes and repeated points are left out', () => {
  const { triangles, status } = triangulatePolygon(
    lift([
      { x: 0, y: 0 },
      { x: 2, y: 0 },
      { x: 3, y: 0 },
      { x: 2, y: 0 },
      { x: 2, y: 2 },
      { x: 2, y: 2 },
      { x: 0, y: 2 },
    ]),
  );
  expect(status).toBe('complete');
  expect(triangles.length).toBe(6);
});

test('[R12.5.1] a comb with 4,000 teeth', () => {
  const p: Vec3[] = [{ x: 0, y: -1, z: 0 }];
  for (let i = 8000; i >= 0; i--) p.push({ x: i, y: i % 2 === 0 ? 0 : 5, z: 0 });
  p.splice(1, 0, { x: 8000, y: -1, z: 0 });
  const { triangles, status } = triangulatePolygon(p);
  expect(status).toBe('complete');
  expect(triangles.length).toBe(3 * (p.length - 2));
});

property('[R12.5.1] polygons in space keep their winding, whatever way they face', 1000, (rng) => {
  const r = rng.rotation();
  const turn = (p: Vec2): Vec3 => {
    const [x, y] = [p.x, p.y];
    return {
      x: (1 - 2 * (r.y * r.y + r.z * r.z)) * x + 2 * (r.x * r.y - r.w * r.z) * y,
      y: 2 * (r.x * r.y + r.w * r.z) * x + (1 - 2 * (r.x * r.x + r.z * r.z)) * y,
      z: 2 * (r.x * r.z - r.w * r.y) * x + 2 * (r.y * r.z + r.w * r.x) * y,
    };
  };
  const loop = star(rng, rng.int(3, 12)).map(turn);
  const normal = {
    x: 2 * (r.x * r.z + r.w * r.y),
    y: 2 * (r.y * r.z - r.w * r.x),
    z: 1 - 2 * (r.x * r.x + r.y * r.y),
  };
  const { triangles, status } = triangulatePolygon(loop);
  check(status === 'complete' && triangles.length === 3 * (loop.length - 2), status);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [loop[triangles[k]!]!, loop[triangles[k + 1]!]!, loop[triangles[k + 2]!]!];
    const u = { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z };
    const v = { x: c.x - a.x, y: c.y - a.y, z: c.z - a.z };
    const along =
      normal.x * (u.y * v.z - u.z * v.y) +
      normal.y * (u.z * v.x - u.x * v.z) +
      normal.z * (u.x * v.y - u.y * v.x);
    check(along > -1e-12, 'winding');
  }
});

test('what is no polygon is refused', () => {
  expect(() => triangulatePolygon([])).toThrow(/points/);
  expect(() => triangulatePolygon([{ x: 0, y: Number.NaN, z: 0 }])).toThrow(/points/);
  expect(() => convexPartition([{ x: 0, y: 0, z: 0 }], [[{ x: 0, y: 0, z: Infinity }]])).toThrow(/holes/);
});
