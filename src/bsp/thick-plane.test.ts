import { expect, test } from 'vitest';
import { check, exact, near, property, Rng } from '../../tests/kit/index.ts';
import { EPS64 } from '../math/float.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { cross, dot, length, perpendicular, sub } from '../math/vec3.ts';
import {
  classifyPointThickPlane,
  classifyPolygonThickPlane,
  classifySegmentThickPlane,
  clipPolygonThickPlane,
  splitPolygonThickPlane,
  type ThickPlane,
  thickPlaneRadius,
} from './thick-plane.ts';

const at = (plane: ThickPlane, u: Vec3, v: Vec3, s: number, t: number, h: number): Vec3 => {
  const { normal: n, d } = plane;
  return vec3(
    d * n.x + s * u.x + t * v.x + h * n.x,
    d * n.y + s * u.y + t * v.y + h * n.y,
    d * n.z + s * u.z + t * v.z + h * n.z,
  );
};

/** A plane through the cube of half size `extent`, two directions in it, and its radius. */
function anyPlane(rng: Rng, extent: number): { plane: ThickPlane; u: Vec3; v: Vec3 } {
  const normal = rng.chance(0.2) ? rng.pick([vec3(1), vec3(0, -1), vec3(0, 0, 1)]) : rng.direction();
  const u = perpendicular(normal);
  const plane = { normal, d: rng.range(-0.5, 0.5) * extent, radius: thickPlaneRadius(extent) };
  return { plane, u, v: cross(normal, u) };
}

/** A segment across the plane, at a slope of 1 down to 1e-9 radians, as a polygon of two edges. */
function crossing(rng: Rng, extent: number): { plane: ThickPlane; a: Vec3; b: Vec3 } {
  const { plane, u, v } = anyPlane(rng, extent);
  const slope = 10 ** -rng.range(0, 9);
  const reach = (): number => rng.range(-0.25, 0.25) * extent;
  const a = at(plane, u, v, reach(), reach(), rng.range(0.01, 0.25) * extent * slope);
  const b = at(plane, u, v, reach(), reach(), -rng.range(0.01, 0.25) * extent * slope);
  return { plane, a, b };
}

test('[R11.3.2] a million computed cuts are on the plane, whatever the slope', () => {
  const rng = new Rng(7);
  let worst = 0;
  let lostByThinPlane = 0;
  for (let i = 0; i < 1_000_000; i++) {
    const extent = i % 3 === 0 ? 1e6 : i % 3 === 1 ? 1 : 1e-6;
    const { plane, a, b } = crossing(rng, extent);
    // The segment as a polygon of two edges: both are cut, then comes a.
    const [hit, start] = clipPolygonThickPlane([a, b], plane) as [Vec3, Vec3];
    if (start.x !== a.x || start.y !== a.y || start.z !== a.z) throw new Error(`case ${i} does not cross`);
    if (classifyPointThickPlane(hit, plane) !== 'on') throw new Error(`case ${i} is off the plane`);
    const off = Math.abs(dot(plane.normal, hit) - plane.d) / extent;
    if (off > worst) worst = off;
    if (off > 0) lostByThinPlane++;
  }
  expect(worst).toBeLessThan(thickPlaneRadius(1));
  expect(worst).toBeGreaterThan(thickPlaneRadius(1) / 128); // the radius is not needlessly large
  expect(lostByThinPlane).toBeGreaterThan(300_000); // a plane without thickness loses these
});

property('[R11.3.2] the cuts of a clipped polygon are on, exactly seen', 10_000, (rng) => {
  const { plane, a, b } = crossing(rng, 1);
  const c = vec3(a.x + rng.range(-0.1, 0.1), a.y + rng.range(-0.1, 0.1), a.z + rng.range(-0.1, 0.1));
  for (const p of splitPolygonThickPlane([a, b, c], plane).front) {
    if (p === a || classifyPointThickPlane(p, plane) === 'front') continue;
    const off = exact.sub(exact.vdot(exact.qv(plane.normal), exact.qv(p)), exact.q(plane.d));
    check(exact.cmp(exact.abs(off), exact.q(plane.radius)) <= 0, () => `off by ${exact.toNumber(off)}`);
  }
});

test('[R11.3.2] [R8.3.3] points, segments and polygons on either side, in the slab and across it', () => {
  const plane = { normal: vec3(0, 1, 0), d: 2, radius: 0.5 };
  const p = (y: number, x = 0): Vec3 => vec3(x, y, 0);
  expect([3, 2.5, 2, 1.5, 1].map((y) => classifyPointThickPlane(p(y), plane))).toEqual([
    'front',
    'on',
    'on',
    'on',
    'back',
  ]);
  const segment = (a: number, b: number): string => classifySegmentThickPlane(p(a), p(b, 1), plane);
  expect(segment(2.4, 1.6)).toBe('on'); // from one side of the middle to the other, and undivided
  expect(segment(2.5, 3)).toBe('front');
  expect(segment(1, 1.7)).toBe('back');
  expect(segment(3, 1)).toBe('straddle');
  expect(segment(3, 3)).toBe('front');
  const polygon = (...ys: number[]): string =>
    classifyPolygonThickPlane(
      ys.map((y, i) => p(y, i)),
      plane,
    );
  expect(polygon(2.2, 1.8, 2)).toBe('on');
  expect(polygon(2.2, 1.8, 3)).toBe('front');
  expect(polygon(0, 1.8, 2)).toBe('back');
  expect(polygon(0, 1.8, 3)).toBe('straddle');
  const inSlab = [p(2.4), p(1.6, 1), vec3(1, 2, 1)];
  expect(splitPolygonThickPlane(inSlab, plane)).toEqual({ front: inSlab, back: [] });
  const above = [p(5), p(5, 1), vec3(1, 2.5, 1)];
  expect(splitPolygonThickPlane(above, plane)).toEqual({ front: above, back: [] });
  const below = [p(0), p(0, 1), vec3(1, 2.4, 1)];
  expect(splitPolygonThickPlane(below, plane)).toEqual({ front: [], back: below });
  expect(clipPolygonThickPlane(below, plane)).toEqual([]);
});

test('[R11.3.2] [R8.3.4] parts do not overlap where two vertices are on the plane', () => {
  const plane = { normal: vec3(0, 1, 0), d: 0, radius: 0.1 };
  const quad = [vec3(0, 1, 0), vec3(-1, 0.05, 0), vec3(-1, -0.05, 0), vec3(0, -1, 0)];
  const { front, back } = splitPolygonThickPlane(quad, plane);
  const middle = vec3(0, 0, 0);
  expect(front).toEqual([middle, quad[0], quad[1], quad[2]]);
  expect(back).toEqual([middle, quad[2], quad[3]]);
});

test('[R8.3.4] every pattern of corners in front, on and behind: the parts share no area and leave none out (Trap 14)', () => {
  const plane = { normal: vec3(0, 1, 0), d: 0, radius: 0.5 };
  const arc = (count: number, from: number): Vec3[] =>
    Array.from({ length: count }, (_, i) => {
      const angle = ((from + ((i + 0.5) / count) * (from % 180 === 30 ? 120 : 60)) * Math.PI) / 180;
      return vec3(Math.cos(angle), Math.sin(angle), 0);
    });
  let patterns = 0;
  for (let f = 0; f <= 4; f++)
    for (let left = 0; left <= 3; left++)
      for (let b = 0; b <= 4; b++)
        for (let right = 0; right <= 3; right++) {
          // On a circle, counter-clockwise: above the slab, in it on the left, below it, in it on the right.
          const points = [...arc(f, 30), ...arc(left, 150), ...arc(b, 210), ...arc(right, 330)];
          if (points.length < 3) continue;
          patterns++;
          for (let turn = 0; turn < points.length; turn++) {
            const polygon = [...points.slice(turn), ...points.slice(0, turn)];
            const { front, back } = splitPolygonThickPlane(polygon, plane);
            const [whole, inFront, behind] = [polygon, front, back].map((part) => area(part).z) as [
              number,
              number,
              number,
            ];
            near(inFront + behind, whole, 1e-12, 'areas');
            check(front.length > 0 === (f > 0 || b === 0) && back.length > 0 === b > 0, 'there or not');
            if (f === 0 || b === 0) check(front.length + back.length === points.length, 'whole on one side');
            check(front.length === 0 || (front.length >= 3 && inFront > 0), 'the front part, as it winds');
            check(back.length === 0 || (back.length >= 3 && behind > 0), 'the back part, as it winds');
            for (const p of front) check(p.y >= -0.5, 'in front');
            for (const p of back) check(p.y <= 0.5, 'behind');
            for (const p of [...front, ...back])
              if (!polygon.some((q) => q.x === p.x && q.y === p.y)) near(p.y, 0, 1e-15, 'a new corner');
          }
        }
  expect(patterns).toBeGreaterThan(380);
});

/** The vector area of a polygon. */
function area(polygon: readonly Vec3[]): Vec3 {
  const sum = vec3();
  const o = polygon[0];
  for (let i = 2; i < polygon.length; i++) {
    const c = cross(sub(polygon[i - 1]!, o!), sub(polygon[i]!, o!));
    sum.x += c.x / 2;
    sum.y += c.y / 2;
    sum.z += c.z / 2;
  }
  return sum;
}

/** A convex polygon in a random plane, its corners on an ellipse. */
function convexPolygon(rng: Rng, size: number): Vec3[] {
  const [n, o] = [rng.direction(), rng.vec(size)];
  const u = perpendicular(n);
  const v = cross(n, u);
  const corners = rng.int(3, 8);
  const [a, b] = [rng.range(0.1, 1) * size, rng.range(0.1, 1) * size];
  return Array.from({ length: corners }, (_, i) => {
    const turn = ((i + 0.9 * rng.unit()) / corners) * 2 * Math.PI;
    const [s, t] = [a * Math.cos(turn), b * Math.sin(turn)];
    return vec3(o.x + s * u.x + t * v.x, o.y + s * u.y + t * v.y, o.z + s * u.z + t * v.z);
  });
}

property(
  '[R11.3.2] splitting leaves no gap: areas add up, sides are right, clipping again does nothing',
  10_000,
  (rng) => {
    const size = rng.pick([1, 1e6, 1e-6]);
    const polygon = convexPolygon(rng, size);
    const { plane } = anyPlane(rng, 2 * size);
    plane.radius *= rng.pick([1, 1, 1e12]); // the last one: a slab as thick as 1/70 of the size
    if (rng.chance(0.5)) plane.d = dot(plane.normal, rng.pick(polygon)); // through a vertex
    const { front, back } = splitPolygonThickPlane(polygon, plane);
    check(front.length !== 1 && front.length !== 2 && back.length !== 1 && back.length !== 2, 'no slivers');
    if (front.length)
      check(classifyPolygonThickPlane(front, plane) !== 'straddle', 'the front part is in front');
    if (front.length && back.length) {
      check(classifyPolygonThickPlane(front, plane) === 'front', 'front');
      check(classifyPolygonThickPlane(back, plane) === 'back', 'back');
    }
    const [whole, af, ab] = [area(polygon), area(front), area(back)];
    const gap = length(sub(whole, vec3(af.x + ab.x, af.y + ab.y, af.z + ab.z)));
    check(gap <= 64 * EPS64 * size * size * 4, () => `areas differ by ${gap}`);
    // Winding kept: no part is turned over.
    check(dot(whole, af) >= -1e-15 * size ** 4 && dot(whole, ab) >= -1e-15 * size ** 4, 'winding');
    const clipped = clipPolygonThickPlane(polygon, plane);
    check(JSON.stringify(clipped) === JSON.stringify(front), 'clipping gives the front part');
    if (clipped.length)
      check(
        JSON.stringify(clipPolygonThickPlane(clipped, plane)) === JSON.stringify(clipped),
        'clipping is idempotent',
      );
  },
);

property(
  '[R11.3.2] [R8.3.5] neighbours get the same cut on their common edge, to the last bit (Trap 14)',
  20_000,
  (rng) => {
    const { plane, a, b } = crossing(rng, 1);
    const [c, d] = [rng.vec(), rng.vec()];
    const isOn = (p: Vec3): boolean => classifyPointThickPlane(p, plane) === 'on';
    const key = ({ x, y, z }: Vec3): string => `${x},${y},${z}`;
    const one = clipPolygonThickPlane([a, b, c], plane).filter(isOn).map(key);
    const other = clipPolygonThickPlane([b, a, d], plane).filter(isOn).map(key);
    const behind = splitPolygonThickPlane([a, b, c], plane).back.map(key);
    const shared = one.filter((p) => other.includes(p));
    check(shared.length > 0, () => `${one} and ${other}`);
    check(
      shared.some((p) => behind.includes(p)),
      'the part behind has it, too',
    );
  },
);

test('bad planes and polygons are refused by name', () => {
  const plane = { normal: vec3(0, 1), d: 0, radius: 0.1 };
  expect(() => classifyPolygonThickPlane([], plane)).toThrow('vertices must not be empty');
  expect(() => clipPolygonThickPlane([], plane)).toThrow('vertices');
  expect(() => splitPolygonThickPlane([vec3(), vec3(Number.NaN)], plane)).toThrow('vertices[1].x');
  expect(() => classifyPointThickPlane(vec3(), { ...plane, radius: -1 })).toThrow('plane.radius');
  expect(() => classifyPointThickPlane(vec3(), { normal: vec3(0, 1, 0), d: 0 } as never)).toThrow(
    'plane must be a thick plane',
  );
  expect(() => classifyPointThickPlane(vec3(), { ...plane, radius: Infinity })).toThrow('plane.radius');
  expect(() => classifySegmentThickPlane(vec3(), vec3(1), { ...plane, d: Number.NaN })).toThrow('plane.d');
  expect(() => thickPlaneRadius(-1)).toThrow('extent');
});
