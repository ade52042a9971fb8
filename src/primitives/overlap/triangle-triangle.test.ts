import { describe, expect, test } from 'vitest';
import { clip, integers, survives, triangleHalfspaces } from '../../../tests/kit/clip.ts';
import { check, cloud, exact, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import { overlapTriangleTriangle } from './triangle-triangle.ts';
import { intersectTriangleTriangle, makeSegment } from './triangle-triangle-segment.ts';

type Six = [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];

/** Clip the first triangle by the halfspaces of the second, exactly. */
function truth(corners: Six): boolean {
  const p = integers(...corners);
  return survives(p.slice(0, 3), triangleHalfspaces(p.slice(3)));
}

/** Six corners, often with shared, collinear or coplanar ones. */
function corners(rng: Rng): Six {
  const p = cloud(rng, 6).points as Six;
  const mix = rng.unit();
  if (mix < 0.1) p[rng.int(3, 5)] = { ...p[rng.int(0, 2)]! };
  else if (mix < 0.2) {
    p[3] = { ...p[1] };
    p[4] = { ...p[0] };
  } else if (mix < 0.3) {
    // a corner on (or, by rounding, next to) an edge or the face of the other triangle
    const u = rng.pick([0, 0.25, 0.5]);
    const v = rng.pick([0, 0.25, 0.5]);
    p[3] = blend(p[0], p[1], p[2], u, v);
  } else if (mix < 0.4) p[2] = blend(p[0], p[1], p[0], rng.pick([0, 0.5, 1]), 0);
  else if (mix < 0.5) {
    const axis = rng.pick(['x', 'y', 'z'] as const);
    for (const q of p) q[axis] = p[0][axis];
  } else if (mix < 0.6) {
    // in one plane, up to rounding
    p[3] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
    p[4] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
    p[5] = blend(p[0], p[1], p[2], rng.range(-1, 2), rng.range(-1, 2));
  }
  return p;
}

const blend = (a: Vec3, b: Vec3, c: Vec3, u: number, v: number): Vec3 =>
  vec3(
    a.x + u * (b.x - a.x) + v * (c.x - a.x),
    a.y + u * (b.y - a.y) + v * (c.y - a.y),
    a.z + u * (b.z - a.z) + v * (c.z - a.z),
  );

let hits = 0;
let cases = 0;
property('[R5.2.10] equals the exact clip of one triangle by the other', 10_000, (rng) => {
  const p = corners(rng);
  const wanted = truth(p);
  check(overlapTriangleTriangle(...p) === wanted, () => `${wanted} for ${JSON.stringify(p)}`);
  cases++;
  if (wanted) hits++;
});

test('[R5.2.10] the random pairs are of both kinds', () => {
  expect(hits / cases).toBeGreaterThan(0.2);
  expect(hits / cases).toBeLessThan(0.8);
});

property('[R5.2.10] does not depend on the order of corners or triangles', 10_000, (rng) => {
  const p = corners(rng);
  const wanted = overlapTriangleTriangle(...p);
  const first = rng.shuffle(p.slice(0, 3));
  const second = rng.shuffle(p.slice(3));
  check(overlapTriangleTriangle(...([...second, ...first] as Six)) === wanted, () => JSON.stringify(p));
  check(overlapTriangleTriangle(...([...first, ...second] as Six)) === wanted, () => JSON.stringify(p));
});

// Corners with small integer coordinates: plain arithmetic on them is exact, so the book's other methods are oracles.
describe('other methods on lattice triangles', () => {
  const lattice = (rng: Rng): Six => {
    for (;;) {
      const p = cloud(rng, 6, 'lattice').points as Six;
      const area = (a: Vec3, b: Vec3, c: Vec3) => m.lengthSq(m.cross(m.sub(b, a), m.sub(c, a)));
      if (area(p[0], p[1], p[2]) > 0 && area(p[3], p[4], p[5]) > 0) return p;
    }
  };

  property('[R5.2.10] equals the separating axis test with the in-plane axes', 10_000, (rng) => {
    const p = lattice(rng);
    check(overlapTriangleTriangle(...p) === separatingAxes(p), () => JSON.stringify(p));
  });

  property('[R5.2.10] equals the test of six edges against the other triangle', 10_000, (rng) => {
    const p = lattice(rng);
    const n = m.cross(m.sub(p[1], p[0]), m.sub(p[2], p[0]));
    if (p.slice(3).every((q) => m.dot(n, m.sub(q, p[0])) === 0)) return; // in one plane: edges alone do not decide
    check(overlapTriangleTriangle(...p) === sixEdges(p), () => JSON.stringify(p));
  });

  property('[R5.2.10] equals the test of intervals on the common line', 10_000, (rng) => {
    const p = lattice(rng);
    const found = intervals(p);
    if (found !== null) check(overlapTriangleTriangle(...p) === found, () => JSON.stringify(p));
  });

  property('[R5.2.10] equals the test of where the plane of one cuts the other', 10_000, (rng) => {
    const p = lattice(rng);
    const found = cutByPlane(p);
    if (found !== null) check(overlapTriangleTriangle(...p) === found, () => JSON.stringify(p));
  });

  type Three = [Vec3, Vec3, Vec3];
  const normalOf = ([a, b, c]: Three): Vec3 => m.cross(m.sub(b, a), m.sub(c, a));
  /** Far below the difference of any two fractions that come up, far above their rounding. */
  const SAME = 1e-9;

  /** Where a plane (through the origin of `heights`) cuts the sides of a triangle: one point, or two; none on one side of it. */
  function cuts(t: Three, heights: readonly number[]): Vec3[] {
    const on = t.filter((_, i) => heights[i] === 0);
    t.forEach((p, i) => {
      const [h, k] = [heights[i]!, heights[(i + 1) % 3]!];
      if (h * k < 0) on.push(m.lerp(p, t[(i + 1) % 3]!, h / (h - k)));
    });
    return on;
  }

  /** Möller 1997: each triangle covers an interval of the line in both planes. Null for triangles in one plane. */
  function intervals([a, b, c, d, e, f]: Six): boolean | null {
    const [s, t]: [Three, Three] = [
      [a, b, c],
      [d, e, f],
    ];
    const [n, k] = [normalOf(s), normalOf(t)];
    const line = m.cross(n, k);
    const one = cuts(
      s,
      s.map((p) => m.dot(k, m.sub(p, d))),
    );
    const two = cuts(
      t,
      t.map((p) => m.dot(n, m.sub(p, a))),
    );
    if (m.lengthSq(line) === 0) return one.length === 0 ? false : null;
    if (one.length === 0 || two.length === 0) return false;
    const [u, w] = [one.map((p) => m.dot(p, line)), two.map((p) => m.dot(p, line))];
    return Math.min(...u) <= Math.max(...w) + SAME && Math.min(...w) <= Math.max(...u) + SAME;
  }

  /** Held 1997: the piece of the second in the plane of the first, against the sides of the first. */
  function cutByPlane([a, b, c, d, e, f]: Six): boolean | null {
    const [s, t]: [Three, Three] = [
      [a, b, c],
      [d, e, f],
    ];
    const n = normalOf(s);
    const heights = t.map((p) => m.dot(n, m.sub(p, a)));
    if (heights.every((h) => h === 0)) return null;
    const [from, to] = cuts(t, heights);
    if (from === undefined) return false;
    let [first, last] = [0, 1];
    for (let i = 0; i < 3; i++) {
      const inward = m.cross(n, m.sub(s[(i + 1) % 3]!, s[i]!));
      const [h, k] = [from, to ?? from].map((p) => m.dot(inward, m.sub(p, s[i]!))) as [number, number];
      if (h < -SAME && k < -SAME) return false;
      if (Math.abs(h - k) <= SAME) continue;
      if (h < 0) first = Math.max(first, h / (h - k));
      if (k < 0) last = Math.min(last, h / (h - k));
    }
    return first <= last + SAME;
  }

  function separatingAxes([a, b, c, d, e, f]: Six): boolean {
    const u = [m.sub(b, a), m.sub(c, b), m.sub(a, c)];
    const v = [m.sub(e, d), m.sub(f, e), m.sub(d, f)];
    const n = m.cross(u[0]!, u[1]!);
    const k = m.cross(v[0]!, v[1]!);
    const axes = [n, k, ...u.flatMap((s) => v.map((t) => m.cross(s, t)))];
    axes.push(...u.map((s) => m.cross(s, n)), ...v.map((t) => m.cross(t, k)));
    return !axes.some((axis) => {
      const s = [a, b, c].map((p) => m.dot(p, axis));
      const t = [d, e, f].map((p) => m.dot(p, axis));
      return Math.max(...s) < Math.min(...t) || Math.max(...t) < Math.min(...s);
    });
  }

  function sixEdges([a, b, c, d, e, f]: Six): boolean {
    const strikes = (p: Vec3, q: Vec3, t: [Vec3, Vec3, Vec3]): boolean => {
      const n = m.cross(m.sub(t[1], t[0]), m.sub(t[2], t[0]));
      const hp = m.dot(n, m.sub(p, t[0]));
      const hq = m.dot(n, m.sub(q, t[0]));
      if (hp * hq > 0 || (hp === 0 && hq === 0)) return false; // in the plane: another edge will strike
      // The point on the plane, times hp - hq, against the three edges.
      const s = Math.sign(hp - hq);
      const x = m.sub(m.scale(q, hp), m.scale(p, hq));
      return t.every((from, i) => {
        const edge = m.sub(t[(i + 1) % 3]!, from);
        const to = m.sub(x, m.scale(from, hp - hq));
        return s * m.dot(m.cross(edge, to), n) >= 0;
      });
    };
    const edges = (p: Vec3, q: Vec3, r: Vec3, t: [Vec3, Vec3, Vec3]) =>
      strikes(p, q, t) || strikes(q, r, t) || strikes(r, p, t);
    return edges(a, b, c, [d, e, f]) || edges(d, e, f, [a, b, c]);
  }
});

describe('by hand', () => {
  const T: [Vec3, Vec3, Vec3] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
  const at = (...p: number[]): [Vec3, Vec3, Vec3] => [
    vec3(p[0], p[1], p[2]),
    vec3(p[3], p[4], p[5]),
    vec3(p[6], p[7], p[8]),
  ];
  const table: [string, [Vec3, Vec3, Vec3], boolean][] = [
    ['coplanar, overlapping', at(1, 1, 0, 5, 1, 0, 1, 5, 0), true],
    ['coplanar, nested', at(0.5, 0.5, 0, 1, 0.5, 0, 0.5, 1, 0), true],
    ['coplanar, disjoint though the boxes overlap', at(4, 4, 0, 3, 3, 0, 4, 3, 0), false],
    ['coplanar, sharing an edge', at(4, 0, 0, 0, 4, 0, 4, 4, 0), true],
    ['coplanar, sharing a vertex', at(4, 0, 0, 8, 0, 0, 8, 1, 0), true],
    ['a corner on an edge', at(2, 2, 0, 5, 5, 1, 5, 5, -1), true],
    ['sharing an edge, at an angle', at(0, 0, 0, 4, 0, 0, 0, 0, 4), true],
    ['sharing a vertex, at an angle', at(0, 0, 0, -1, 0, 3, 0, -1, 3), true],
    ['a corner on the face', at(1, 1, 0, 1, 1, 3, 2, 1, 3), true],
    ['piercing the face', at(1, 1, -1, 1, 1, 3, 2, 1, 3), true],
    ['an edge crossing an edge', at(2, -1, -1, 2, -1, 1, 2, 1, 1), true],
    ['passing beside', at(5, 0, -1, 5, 0, 1, 5, 1, 0), false],
    ['parallel planes', at(0, 0, 1e-300, 4, 0, 1e-300, 0, 4, 1e-300), false],
    ['a flat one through the face', at(1, 1, -1, 1, 1, 0.5, 1, 1, 2), true],
    ['a flat one beside', at(3, 3, -1, 3, 3, 0.5, 3, 3, 2), false],
    ['a point on the face', at(1, 1, 0, 1, 1, 0, 1, 1, 0), true],
    ['a point off the face', at(1, 1, 1e-9, 1, 1, 1e-9, 1, 1, 1e-9), false],
  ];
  for (const [name, other, wanted] of table)
    test(`[R5.2.10] ${name}`, () => {
      expect(overlapTriangleTriangle(...T, ...other)).toBe(wanted);
      expect(overlapTriangleTriangle(...other, ...T)).toBe(wanted);
      expect(intersectTriangleTriangle(...T, ...other) !== null).toBe(wanted);
    });

  test('[R5.2.10] bad numbers are refused by name', () => {
    const bad = at(0, 0, 0, 1, Number.NaN, 0, 0, 1, 0);
    expect(() => overlapTriangleTriangle(...T, ...bad)).toThrow(/e\.y/);
    expect(() => intersectTriangleTriangle(...bad, ...T)).toThrow(/b\.y/);
  });
});

describe('intersectTriangleTriangle', () => {
  property(
    '[R5.2.10] is null exactly if they are apart, else the longest chord of the exact common part',
    10_000,
    (rng) => {
      const p = corners(rng);
      const found = intersectTriangleTriangle(...p, makeSegment());
      const scaled = integers(...p);
      const left = clip(scaled.slice(0, 3), triangleHalfspaces(scaled.slice(3)));
      check((found !== null) === left.length > 0, () => `${left.length > 0} for ${JSON.stringify(p)}`);
      if (!found) return;
      const reach = (c: (v: Vec3) => number) => Math.max(...p.map((v) => Math.abs(c(v))));
      const scale = Math.max(
        reach((v) => v.x),
        reach((v) => v.y),
        reach((v) => v.z),
      );
      const size = Math.max(...p.map((v) => m.distance(v, p[0])));
      const points = left.map((h) => toPoint(h, scaled, p));
      let chord = 0;
      for (const u of points) for (const v of points) chord = Math.max(chord, m.distance(u, v));
      // Rounded coordinates, and the fraction along an edge.
      const tolerance = 4e-16 * scale + 1e-12 * size;
      near(m.distance(found.a, found.b), chord, tolerance, 'length');
      for (const end of [found.a, found.b])
        check(
          Math.min(...points.map((q) => m.distance(q, end))) <= tolerance,
          () => `end ${JSON.stringify([p, found])}`,
        );
    },
  );

  /** Homogeneous integers back to numbers: the scale is that of the largest coordinate. */
  function toPoint(h: readonly bigint[], scaled: readonly (readonly bigint[])[], p: Six): Vec3 {
    const denominator = factor(scaled, p);
    const divide = (n: bigint) => exact.toNumber({ n, d: h[3]! * denominator });
    return vec3(divide(h[0]!), divide(h[1]!), divide(h[2]!));
  }

  /** The power of two by which `integers` multiplied. */
  function factor(scaled: readonly (readonly bigint[])[], p: Six): bigint {
    for (let i = 0; i < 6; i++)
      for (const [k, axis] of (['x', 'y', 'z'] as const).entries())
        if (p[i]![axis] !== 0) {
          const { n, d } = exact.q(p[i]![axis]);
          return (scaled[i]![k]! * d) / n;
        }
    return 1n;
  }

  test('[R5.2.10] two walls that cross share the segment where they do', () => {
    const wall = [vec3(-2, 0, 0), vec3(2, 0, 0), vec3(0, 0, 3)] as const;
    const other = [vec3(0, -2, 1), vec3(0, 2, 1), vec3(0, 0, 9)] as const;
    const { a, b } = intersectTriangleTriangle(...wall, ...other)!;
    expect([a.x, b.x, a.y, b.y]).toEqual([0, 0, 0, 0]);
    expect([a.z, b.z].sort()).toEqual([1, 3]);
  });

  test('[R5.2.10] of triangles in one plane, the longest chord of the common polygon', () => {
    const big = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)] as const;
    const { a, b } = intersectTriangleTriangle(...big, vec3(1, 0, 0), vec3(1, 8, 0), vec3(-7, 0, 0))!;
    expect(m.distanceSq(a, b)).toBe(17); // from (1, 0) to (0, 4)
  });

  test('[R5.2.10] the result may be one of the corners given', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
    const [d, e, f] = [vec3(1, 1, -1), vec3(1, 1, 3), vec3(2, 1, 3)];
    const fresh = intersectTriangleTriangle(a, b, c, d, e, f)!;
    expect(intersectTriangleTriangle(a, b, c, d, e, f, { a: d, b: e })).toEqual(fresh);
  });
});
