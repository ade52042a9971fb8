import { describe, expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { areCoplanarPolygons, coplanarPairs } from './coplanar.ts';
import { isPlanarPolygon, newellNormal, newellPlane } from './newell.ts';

/** Corners at (±5, ±5), and between them points at distance K from the centre on the axes. */
const star = (k: number): Vec3[] =>
  [
    [5, 5],
    [0, k],
    [-5, 5],
    [-k, 0],
    [-5, -5],
    [0, -k],
    [5, -5],
    [k, 0],
  ].map(([x, y]) => vec3(x, y, 0));

const summed = (polygon: readonly Vec3[]) =>
  polygon.reduce((sum, v, i) => {
    const after = polygon[(i + 1) % polygon.length]!;
    const before = polygon[(i + polygon.length - 1) % polygon.length]!;
    return v3.add(sum, v3.cross(v3.sub(after, v), v3.sub(before, v)));
  }, vec3());

describe('Newell', () => {
  test('[R12.4.2] a star has the normal 40 K, where summing corner normals fails', () => {
    for (const k of [1, 2, 3, 4, 10 - 5 * Math.SQRT2]) {
      const normal = newellNormal(star(k));
      near(normal.z, 40 * k, 1e-12);
      expect([normal.x, normal.y]).toEqual([0, 0]);
      near(summed(star(k)).z, 4 * (20 * k - k * k - 50), 1e-10);
    }
    near(summed(star(10 - 5 * Math.SQRT2)).z, 0, 1e-10);
  });

  property('[R12.4.2] is the sum of the projected areas, for any polygon', 10_000, (rng) => {
    const { points, scale, size } = cloud(rng, rng.int(3, 9));
    const wanted = vec3();
    points.forEach((a, i) => {
      const b = points[(i + 1) % points.length]!;
      const o = points[0]!;
      wanted.x += (a.y - b.y) * (a.z - o.z + (b.z - o.z));
      wanted.y += (a.z - b.z) * (a.x - o.x + (b.x - o.x));
      wanted.z += (a.x - b.x) * (a.y - o.y + (b.y - o.y));
    });
    const got = newellNormal(points);
    // Differences of coordinates are exact to a rounding of the scale.
    const tolerance = 1e-14 * points.length * size * Math.max(size, scale * 1e-3) + 1e-13 * size * size;
    for (const axis of ['x', 'y', 'z'] as const) near(got[axis], wanted[axis], tolerance, axis);
  });

  test('[R12.4.2] starts on a straight side, or far away, are no trouble', () => {
    for (const far of [0, 1e6]) {
      const polygon = [
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 1],
        [1, 1],
        [1, 2],
        [0, 2],
      ].map(([x, y]) => vec3(x! + far, y! + far, far));
      const plane = newellPlane(polygon)!;
      near(plane.normal.z, 1, 1e-12);
      near(plane.d, far, 1e-9);
      expect(newellNormal(polygon).z).toBe(8);
    }
  });

  test('[R12.4.2] a quad is AC × BD, counter-clockwise up', () => {
    const quad = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(3, 2, 0), vec3(0, 2, 0)];
    expect(newellNormal(quad).z).toBe(10);
    expect(newellPlane(quad)!.normal.z).toBe(1);
    expect(newellPlane([...quad].reverse())!.normal.z).toBe(-1);
  });

  test('[R12.4.2] no area, no plane', () => {
    expect(newellPlane([vec3(0, 0, 0), vec3(1, 1, 1), vec3(3, 3, 3)])).toBeNull();
    expect(
      newellPlane([vec3(1, 1, 1), vec3(1, 1, 1), vec3(1, 1, 1), vec3(1, 1, 1), vec3(1, 1, 1)]),
    ).toBeNull();
    expect(
      newellPlane([vec3(0, 0, 0), vec3(0.1, 0.1, 0.3), vec3(0.2, 0.2, 0.6), vec3(0.7, 0.7, 2.1)]),
    ).toBeNull();
  });

  test('[R12.4.2] planarity is a thickness', () => {
    const bent = (size: number) => [vec3(0, 0, 0), vec3(size, 0, 0), vec3(size, size, 0.1), vec3(0, size, 0)];
    for (const size of [1, 10, 1000]) {
      expect(isPlanarPolygon(bent(size), 0.11)).toBe(true);
      expect(isPlanarPolygon(bent(size), 0.04)).toBe(false);
    }
    // A figure of eight has no area on the whole; flat it is, or not.
    const eight = (z: number) => [vec3(0, 0, 0), vec3(1, 1, z), vec3(1, 0, 0), vec3(0, 1, 0)];
    expect(isPlanarPolygon(eight(0), 1e-12)).toBe(true);
    expect(isPlanarPolygon(eight(0.5), 0.01)).toBe(false);
    expect(isPlanarPolygon([vec3(0, 0, 0), vec3(1, 0, 0), vec3(2, 0, 0)], 0)).toBe(true);
  });

  property('[R12.4.2] vertices within a slab are planar, one sticking out is not', 5_000, (rng) => {
    const n = rng.direction();
    const u = v3.perpendicular(n);
    const w = v3.cross(n, u);
    const size = rng.pick([1e-3, 1, 1e3]);
    const count = rng.int(4, 9);
    const thickness = size * rng.pick([1e-6, 1e-3]);
    const at = (i: number, height: number) => {
      const angle = (2 * Math.PI * i) / count;
      return v3.addScaled(
        v3.addScaled(v3.scale(u, size * Math.cos(angle)), w, size * Math.sin(angle)),
        n,
        height,
      );
    };
    const polygon = Array.from({ length: count }, (_, i) => at(i, rng.range(-0.2, 0.2) * thickness));
    check(isPlanarPolygon(polygon, thickness), 'flat');
    polygon[0] = at(0, 10 * thickness);
    check(!isPlanarPolygon(polygon, thickness), 'one vertex off');
  });
});

describe('coplanar polygons', () => {
  const leaf = (angle: number, size: number, side: 1 | -1): Vec3[] => {
    const out = side * size * Math.cos(angle);
    const up = size * Math.sin(angle);
    const quad = [vec3(0, 0, 0), vec3(out, 0, up), vec3(out, size, up), vec3(0, size, 0)];
    return side === 1 ? quad : quad.reverse();
  };

  test('[R12.4.1] two polygons at the same small angle are coplanar until they are large', () => {
    const verdicts = [0.01, 0.1, 1, 10, 100, 1000].map((size) =>
      areCoplanarPolygons(leaf(0.001, size, 1), leaf(0.001, size, -1), 0.01),
    );
    expect(verdicts).toEqual([true, true, true, true, false, false]);
  });

  test('[R12.4.1] faces that look opposite ways, far apart or without area', () => {
    const square = leaf(0, 1, 1);
    expect(areCoplanarPolygons(square, [...square].reverse(), 1e-9)).toBe(true);
    const far = square.map((p) => v3.add(p, vec3(500, 700, 0)));
    expect(areCoplanarPolygons(square, far, 1e-9)).toBe(true);
    // The normal of this one is a little off, as the normal of something small may be, but a common plane there is.
    const tilted = far.map((p, i) => v3.add(p, vec3(0, 0, i < 2 ? 1e-6 : 0)));
    expect(areCoplanarPolygons(square, tilted, 1e-5)).toBe(true);
    const line = [vec3(0, 0, 1), vec3(1, 0, 1), vec3(2, 0, 1)];
    expect(areCoplanarPolygons(square, line, 0.5)).toBe(false);
    expect(areCoplanarPolygons(line, line, 0)).toBe(true);
  });

  /** Small polygons with normals in bunches, many at the borders of the cells of a cube map. */
  function bunch(rng: Rng): Vec3[][] {
    const n = rng.chance(0.5)
      ? rng.direction()
      : v3.normalize(vec3(rng.int(-1, 1), rng.int(-1, 1), rng.pick([-1, 1])));
    return Array.from({ length: rng.int(1, 6) }, () => {
      const normal = v3.normalize(v3.addScaled(n, rng.direction(), rng.pick([0, 1e-9, 0.02, 0.2])));
      const u = v3.perpendicular(normal);
      const w = v3.cross(normal, u);
      const from = v3.scale(normal, rng.pick([0, 0, 1]));
      const at = (a: number, b: number) => v3.addScaled(v3.addScaled(from, u, a), w, b);
      return rng.chance(0.1)
        ? [from, from, from]
        : [at(0, 0), at(rng.range(0.1, 1), 0), at(0, rng.range(0.1, 1))];
    });
  }

  property('[R12.4] pairs from bins of normals are those of comparing all with all', 3_000, (rng) => {
    const polygons = rng.shuffle([...bunch(rng), ...bunch(rng), ...bunch(rng)]);
    const tolerance = rng.pick([1e-6, 0.01, 0.05, 0.5]);
    const normals = polygons.map((p) => {
      const n = v3.cross(v3.sub(p[1]!, p[0]!), v3.sub(p[2]!, p[0]!));
      return v3.lengthSq(n) === 0 ? null : v3.normalize(n);
    });
    const wanted: string[] = [];
    const unsure = new Set<string>();
    polygons.forEach((a, i) => {
      polygons.forEach((b, j) => {
        if (j <= i || !normals[i] || !normals[j]) return;
        const apart = v3.distance(normals[i], normals[j]);
        if (Math.abs(apart - tolerance) < 1e-14) unsure.add(`${i},${j}`);
        if (apart <= tolerance && areCoplanarPolygons(a, b, 0.02)) wanted.push(`${i},${j}`);
      });
    });
    const got = coplanarPairs(polygons, 0.02, tolerance).map(([i, j]) => `${i},${j}`);
    const sure = (list: string[]) => list.filter((pair) => !unsure.has(pair)).join(' ');
    check(sure(got) === sure(wanted), () => `${got.join(' ')} is not ${wanted.join(' ')}`);
  });
});
