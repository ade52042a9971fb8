import { describe, expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Mat3, Vec3 } from '../../math/types.ts';
import { mat3, vec3 } from '../../math/types.ts';
import * as m from '../../math/vec3.ts';
import {
  intersectSphereAabb,
  intersectSphereObb,
  overlapSphereAabb,
  overlapSphereObb,
} from './sphere-box.ts';
import { overlapSpherePolygon } from './sphere-polygon.ts';
import { intersectSphereTriangle, overlapSphereTriangle } from './sphere-triangle.ts';

const matrixOf = (q: { x: number; y: number; z: number; w: number }): Mat3 => ({
  elements: [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].flatMap((e) => {
    const { x, y, z } = m.rotate(e, q);
    return [x, y, z];
  }),
});

/** A radius that just misses, touches or overlaps at this distance. */
const drawRadius = (rng: Rng, distance: number, size: number): number =>
  rng.chance(0.5) ? distance * rng.pick([0.5, 0.999, 1.001, 2]) : rng.unit() * 2 * size;

/** The way from box to point, axis by axis, on a box around the origin. */
const outside = (p: Vec3, h: Vec3): Vec3 =>
  vec3(
    p.x - Math.min(Math.max(p.x, -h.x), h.x),
    p.y - Math.min(Math.max(p.y, -h.y), h.y),
    p.z - Math.min(Math.max(p.z, -h.z), h.z),
  );

describe('boxes', () => {
  property('[R5.2.5] a sphere meets a box if its centre is no farther than the radius', 10_000, (rng) => {
    const { points, size, scale } = cloud(rng, 3);
    const [center, p, q] = points as [Vec3, Vec3, Vec3];
    const box = { min: m.min(p, q), max: m.max(p, q) };
    // The closest of a box's points, by trying corners, edges and faces: clamp is what is tested, so go another way.
    const inSlab = (['x', 'y', 'z'] as const).map((k) => [box.min[k], box.max[k], center[k]]);
    let distance = Infinity;
    const tryAll = (i: number, sum: number): void => {
      if (i === 3) {
        distance = Math.min(distance, Math.sqrt(sum));
        return;
      }
      const [low, high, c] = inSlab[i] as [number, number, number];
      tryAll(i + 1, sum + (c - low) ** 2);
      tryAll(i + 1, sum + (c - high) ** 2);
      if (c >= low && c <= high) tryAll(i + 1, sum);
    };
    tryAll(0, 0);
    const radius = drawRadius(rng, distance, size);
    const sphere = { center, radius };
    const found = overlapSphereAabb(sphere, box);
    if (Math.abs(distance - radius) > 4e-16 * scale || radius === 0 || distance === 0)
      check(found === distance <= radius, () => JSON.stringify([sphere, box, distance]));
    const shared = intersectSphereAabb(sphere, box, vec3());
    check((shared !== null) === found, 'same verdict');
    if (shared) {
      near(m.distance(shared, center), distance, 2e-15 * scale, 'distance');
      check(m.equals(m.max(m.min(shared, box.max), box.min), shared), 'in the box');
    }
  });

  property('[R5.2.6] a sphere meets an oriented box as its image meets the box at rest', 10_000, (rng) => {
    const { points, size, scale } = cloud(rng, 2);
    const [center, at] = points as [Vec3, Vec3];
    const halfSize = vec3(rng.unit() * size, rng.pick([0, rng.unit()]) * size, rng.unit() * size);
    const rotation = matrixOf(rng.rotation());
    const local = m.transformTransposed(m.sub(at, center), rotation);
    const distance = m.length(outside(local, halfSize));
    const sphere = { center: at, radius: drawRadius(rng, distance, size) };
    const box = { center, halfSize, rotation };
    const found = overlapSphereObb(sphere, box);
    const error = 4e-15 * scale;
    if (Math.abs(distance - sphere.radius) > error)
      check(found === distance <= sphere.radius, () => JSON.stringify([sphere, box, distance]));
    const shared = intersectSphereObb(sphere, box, vec3());
    check((shared !== null) === found, 'same verdict');
    if (!shared) return;
    near(m.distance(shared, at), distance, error, 'distance');
    check(
      m.length(outside(m.transformTransposed(m.sub(shared, center), rotation), halfSize)) <= error,
      'in the box',
    );
  });

  test('[R5.2.5] off an edge the distance counts, though beyond no face by more than the radius', () => {
    const box = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
    const center = vec3(1.9, 1.9, 0);
    expect(overlapSphereAabb({ center, radius: 1 }, box)).toBe(false);
    expect(overlapSphereAabb({ center, radius: 1.3 }, box)).toBe(true);
    expect(intersectSphereAabb({ center, radius: 1 }, box)).toBe(null);
    const turned = { center: vec3(), halfSize: vec3(1, 1, 1), rotation: mat3() };
    expect(overlapSphereObb({ center, radius: 1 }, turned)).toBe(false);
    expect(overlapSphereObb({ center: vec3(3, 0, 0), radius: 2 }, turned)).toBe(true);
  });

  test('[R5.2.5] the result may be the centre itself, and a centre inside is its own', () => {
    const center = vec3(3, 0.5, 0);
    const box = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
    expect(intersectSphereAabb({ center, radius: 5 }, box, center)).toEqual(vec3(1, 0.5, 0));
    expect(intersectSphereAabb({ center: vec3(0.1, 0.2, 0.3), radius: 0 }, box)).toEqual(vec3(0.1, 0.2, 0.3));
  });

  test('[R5.2.5-7] bad input is refused by name', () => {
    const box = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
    expect(() => overlapSphereAabb({ center: vec3(), radius: -1 }, box)).toThrow(/sphere\.radius/);
    expect(() =>
      overlapSphereAabb({ center: vec3(), radius: 1 }, { min: vec3(2, 0, 0), max: vec3() }),
    ).toThrow(/box/);
    expect(() =>
      overlapSphereTriangle({ center: vec3(), radius: 1 }, vec3(), vec3(0, Infinity, 0), vec3()),
    ).toThrow(/b\.y/);
    expect(() => overlapSpherePolygon({ center: vec3(), radius: 1 }, [])).toThrow(/points/);
  });
});

/** The squared distance of p from triangle abc: the least over its edges and, when p is above it, its plane. */
function bruteTriangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const edge = (u: Vec3, v: Vec3): number => {
    const uv = m.sub(v, u);
    const whole = m.lengthSq(uv);
    const t = whole > 0 ? Math.min(Math.max(m.dot(m.sub(p, u), uv) / whole, 0), 1) : 0;
    return m.distanceSq(p, m.addScaled(u, uv, t));
  };
  const best = Math.min(edge(a, b), edge(b, c), edge(c, a));
  const n = m.cross(m.sub(b, a), m.sub(c, a));
  const above = [[a, b] as const, [b, c] as const, [c, a] as const].every(
    ([u, v]) => m.dot(m.cross(m.sub(v, u), m.sub(p, u)), n) >= 0,
  );
  return above && m.lengthSq(n) > 0 ? Math.min(best, m.dot(n, m.sub(p, a)) ** 2 / m.lengthSq(n)) : best;
}

describe('triangle', () => {
  property(
    '[R5.2.7] a sphere meets a triangle if its centre is no farther than the radius',
    10_000,
    (rng) => {
      const { points, size, scale } = cloud(rng, 4);
      const [center, a, b, c] = points as [Vec3, Vec3, Vec3, Vec3];
      if (rng.chance(0.1)) m.lerp(a, b, rng.pick([0, 0.5]), c);
      const distance = Math.sqrt(bruteTriangle(center, a, b, c));
      const sphere = { center, radius: drawRadius(rng, distance, size) };
      const found = overlapSphereTriangle(sphere, a, b, c);
      // A sliver of jittered corners has a plane known to 1e-7 only, in the oracle at least.
      const n = m.length(m.cross(m.sub(b, a), m.sub(c, a)));
      const edges = m.distanceSq(a, b) + m.distanceSq(b, c) + m.distanceSq(c, a);
      const error = 1e-14 * scale * (n > 0 ? Math.min(edges / n, 1e9) : 1);
      if (Math.abs(distance - sphere.radius) > error)
        check(found === distance <= sphere.radius, () => JSON.stringify([sphere, a, b, c, distance]));
      const shared = intersectSphereTriangle(sphere, a, b, c, vec3());
      check((shared !== null) === found, 'same verdict');
      if (!shared) return;
      check(m.distance(shared, center) <= sphere.radius + 1e-15 * scale, 'in the sphere');
      check(Math.sqrt(bruteTriangle(shared, a, b, c)) <= error, 'on the triangle');
    },
  );

  test('[R5.2.7] off an edge, close to the plane and beyond no edge plane by the radius', () => {
    const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
    expect(overlapSphereTriangle({ center: vec3(1, -0.8, 0.8), radius: 1 }, a, b, c)).toBe(false);
    expect(overlapSphereTriangle({ center: vec3(1, -0.6, 0.8), radius: 1 }, a, b, c)).toBe(true);
    expect(intersectSphereTriangle({ center: vec3(1, 1, 0.5), radius: 1 }, a, b, c)).toEqual(vec3(1, 1, 0));
  });
});

describe('polygon', () => {
  /** A star-shaped polygon about the origin (concave as a rule) in a random plane, and its fan of triangles. */
  function star(rng: Rng): { points: Vec3[]; fan: [Vec3, Vec3, Vec3][]; size: number; scale: number } {
    const { points: anchor, size, scale } = cloud(rng, 1);
    const turn = matrixOf(rng.rotation());
    const count = rng.int(3, 9);
    const place = (x: number, y: number) => m.add(anchor[0]!, m.transform(vec3(x * size, y * size, 0), turn));
    const points = Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * (i + rng.range(0.1, 0.9))) / count;
      const radius = rng.range(0.2, 1);
      return place(radius * Math.cos(angle), radius * Math.sin(angle));
    });
    const middle = place(0, 0);
    const fan = points.map((p, i) => [middle, p, points[(i + 1) % count]!] as [Vec3, Vec3, Vec3]);
    return { points: rng.chance(0.5) ? points : points.reverse(), fan, size, scale };
  }

  property(
    '[R5.2.8] a sphere meets a polygon if it meets a triangle of it, concave ones included',
    10_000,
    (rng) => {
      const { points, fan, size, scale } = star(rng);
      // A fan about a point that sees every edge: with three corners it may not, then the polygon is the triangle.
      const triangles =
        points.length === 3 ? [points as [Vec3, Vec3, Vec3]] : fan.every(seen(fan)) ? fan : null;
      if (!triangles) return;
      const center = m.add(points[0]!, rng.vec(size));
      const distance = Math.sqrt(Math.min(...triangles.map(([a, b, c]) => bruteTriangle(center, a, b, c))));
      const sphere = { center, radius: drawRadius(rng, distance, size) };
      if (Math.abs(distance - sphere.radius) > 2e-14 * scale + 1e-12 * size)
        check(overlapSpherePolygon(sphere, points) === distance <= sphere.radius, () =>
          JSON.stringify([sphere, points, distance]),
        );
    },
  );

  /** Do all triangles turn the same way, so that together they are the polygon? */
  const seen = (fan: [Vec3, Vec3, Vec3][]) => {
    const first = m.cross(m.sub(fan[0]![1], fan[0]![0]), m.sub(fan[0]![2], fan[0]![0]));
    return ([a, b, c]: [Vec3, Vec3, Vec3]) => m.dot(first, m.cross(m.sub(b, a), m.sub(c, a))) > 0;
  };

  // An L in the plane z = 5.
  const corners = [vec3(0, 0, 5), vec3(4, 0, 5), vec3(4, 1, 5), vec3(1, 1, 5), vec3(1, 4, 5), vec3(0, 4, 5)];
  test('[R5.2.8] the notch of a concave polygon is outside', () => {
    expect(overlapSpherePolygon({ center: vec3(2.5, 2.5, 5), radius: 1 }, corners)).toBe(false);
    expect(overlapSpherePolygon({ center: vec3(2.5, 2.5, 5), radius: 1.5 }, corners)).toBe(true);
    expect(overlapSpherePolygon({ center: vec3(0.5, 3, 5.25), radius: 0.25 }, corners)).toBe(true);
    expect(overlapSpherePolygon({ center: vec3(0.5, 3, 5.5), radius: 0.25 }, corners)).toBe(false);
  });

  test('[R5.2.8] a sphere of radius 0 is a point, edges included', () => {
    expect(overlapSpherePolygon({ center: vec3(0.5, 3, 5), radius: 0 }, corners)).toBe(true);
    expect(overlapSpherePolygon({ center: vec3(4, 0.5, 5), radius: 0 }, corners)).toBe(true);
    expect(overlapSpherePolygon({ center: vec3(2, 2, 5), radius: 0 }, corners)).toBe(false);
  });

  test('[R5.2.8] one point, two points and no area', () => {
    const sphere = { center: vec3(0, 2, 0), radius: 1 };
    expect(overlapSpherePolygon(sphere, [vec3(0, 1, 0)])).toBe(true);
    expect(overlapSpherePolygon(sphere, [vec3(0, 0, 0)])).toBe(false);
    expect(overlapSpherePolygon(sphere, [vec3(-5, 1, 0), vec3(5, 1, 0)])).toBe(true);
    expect(overlapSpherePolygon(sphere, [vec3(-5, 0, 0), vec3(5, 0, 0), vec3(1, 0, 0)])).toBe(false);
  });
});
