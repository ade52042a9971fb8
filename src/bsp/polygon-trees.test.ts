import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type Hit, overlapSpherePolygon, overlapTriangleAabb, rayTriangle } from '../primitives/index.ts';
import {
  buildLeafBsp,
  makeBspPolygonHit,
  polygonsAabbBsp,
  polygonsSphereBsp,
  rayLeafBsp,
} from './leaf-bsp.ts';
import { type BspFragment, buildNodeBsp, visitBackToFront } from './node-bsp.ts';

/** A convex polygon of 3 to 6 corners. */
function anyPolygon(rng: Rng): Vec3[] {
  const center = rng.vec(1);
  const n = rng.direction();
  const u = v3.perpendicular(n);
  const v = v3.cross(n, u);
  const size = rng.range(0.05, 0.8);
  const count = rng.int(3, 6);
  const turn = rng.range(0, 7);
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / count;
    return v3.addScaled(v3.addScaled(center, u, size * Math.cos(angle)), v, size * Math.sin(angle));
  });
}

const lattice = (rng: Rng): Vec3 => vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2));

/** Rectangles on the lattice, many in one plane, some twice; points and segments among them. */
function degenerate(rng: Rng): Vec3[][] {
  const count = rng.pick([0, 1, 2, 5, 20]);
  const list = Array.from({ length: count }, () => {
    const kind = rng.int(0, 9);
    const a = lattice(rng);
    if (kind === 0) return [a];
    if (kind === 1) return [a, lattice(rng)];
    if (kind === 2) return [a, a, a];
    if (kind === 3) return [a, lattice(rng), a];
    if (kind === 4) return [a, v3.addScaled(a, vec3(1e-6, 0, 0), 1), v3.addScaled(a, vec3(0, 1e-6, 0), 1)];
    const [x, y] = rng.pick([
      ['x', 'y'],
      ['y', 'z'],
      ['z', 'x'],
    ] as const);
    const b = { ...a };
    const c = { ...a };
    const d = { ...a };
    const size = rng.int(1, 3);
    b[x] += size;
    c[x] += size;
    c[y] += size;
    d[y] += size;
    return [a, b, c, d];
  });
  return list.length > 1 && rng.chance(0.5) ? [...list, list[0]!] : list;
}

const scene = (rng: Rng): Vec3[][] =>
  rng.chance(0.5) ? degenerate(rng) : Array.from({ length: rng.int(0, 40) }, () => anyPolygon(rng));

interface NumberedHit extends Hit {
  polygon: number;
}

/** Every polygon, as a fan. */
function bruteRay(
  origin: ReadonlyVec3,
  direction: ReadonlyVec3,
  polygons: readonly Vec3[][],
  tMax: number,
): NumberedHit | null {
  let best: NumberedHit | null = null;
  polygons.forEach((points, polygon) => {
    for (let k = 2; k < points.length; k++) {
      const hit = rayTriangle({ origin, direction }, points[0]!, points[k - 1]!, points[k]!, tMax);
      if (hit && (!best || hit.t < best.t)) best = { ...hit, polygon };
    }
  });
  return best;
}

describe('[R8.2.2] the leaf-storing tree', () => {
  property(
    'rays hit what they hit among all polygons, in soups with doubles and many in one plane',
    2000,
    (rng) => {
      const polygons = scene(rng);
      const bsp = buildLeafBsp(polygons, {
        leafSize: rng.int(1, 4),
        candidates: rng.pick([['faces'], ['faces', 'axes'], ['axes'], ['faces', 'axes', 'edges']] as const),
      });
      const out = makeBspPolygonHit();
      for (let i = 0; i < 8; i++) {
        // Trap 8: origins on the planes, and directions along them.
        const origin = rng.chance(0.5) ? lattice(rng) : rng.vec(2);
        const direction = rng.chance(0.5) ? v3.sub(lattice(rng), origin) : rng.direction();
        const tMax = rng.pick([Number.POSITIVE_INFINITY, 1, 0.5]);
        const hit = rayLeafBsp({ origin, direction }, bsp, tMax, out);
        const wanted = bruteRay(origin, direction, polygons, tMax);
        check(
          (hit?.t ?? null) === (wanted?.t ?? null) && (hit?.polygon ?? null) === (wanted?.polygon ?? null),
          () => `${JSON.stringify(hit)} is not ${JSON.stringify(wanted)}`,
        );
        if (!hit || !wanted) continue;
        check(
          v3.distance(hit.point, wanted.point) === 0 && v3.distance(hit.normal, wanted.normal) === 0,
          'there',
        );
        check(v3.distance(hit.point, v3.addScaled(origin, direction, hit.t)) < 1e-9, 'point');
        // Without a direction it is a point, and has no normal.
        check(
          Math.abs(v3.length(hit.normal) - (v3.lengthSq(direction) > 0 ? 1 : 0)) < 1e-12 &&
            v3.dot(hit.normal, direction) <= 0,
          'normal',
        );
      }
    },
  );

  property('boxes and spheres meet what they meet among all polygons', 1200, (rng) => {
    const polygons = scene(rng);
    const bsp = buildLeafBsp(polygons, { leafSize: rng.int(1, 4) });
    const a = rng.chance(0.5) ? lattice(rng) : rng.vec(2);
    const b = rng.chance(0.5) ? lattice(rng) : rng.vec(2);
    const box = { min: v3.min(a, b), max: v3.max(a, b) };
    const inBox = polygons.flatMap((points, i) =>
      fanOf(points).some(([p, q, r]) => overlapTriangleAabb(p, q, r, box)) ? [i] : [],
    );
    check(String(polygonsAabbBsp(box, bsp)) === String(inBox), 'box');
    const sphere = {
      center: a,
      radius: rng.chance(0.2) ? 0 : rng.chance(0.5) ? rng.int(0, 2) : rng.range(0, 2),
    };
    const inSphere = polygons.flatMap((points, i) => (overlapSpherePolygon(sphere, points) ? [i] : []));
    check(String(polygonsSphereBsp(sphere, bsp)) === String(inSphere), 'sphere');
  });

  test('a hit beyond the leaf in which it is found is not the first (Trap 15)', () => {
    // The long one reaches into the first leaf and is hit far behind it; the short one, in the next leaf, is hit first.
    const long = [vec3(-4, -1, 0), vec3(4, 7, 0), vec3(4, 7, 1), vec3(-4, -1, 1)];
    const short = [vec3(0.5, -2, 0), vec3(0.5, 2, 0), vec3(0.5, 2, 1), vec3(0.5, -2, 1)];
    const ray = { origin: vec3(-2, 0.25, 0.5), direction: vec3(1, 0.4, 0) };
    const hints = [{ normal: vec3(1, 0, 0), d: 0 }];
    for (const polygons of [
      [long, short],
      [short, long],
    ]) {
      const bsp = buildLeafBsp(polygons, { hints, leafSize: 1 });
      expect(rayLeafBsp(ray, bsp)?.polygon).toBe(bruteRay(ray.origin, ray.direction, polygons, 99)?.polygon);
    }
  });

  test('a leaf refers to the polygons as they were given, and to each once', () => {
    const big = [vec3(-3, 0, -3), vec3(3, 0, -3), vec3(3, 0, 3), vec3(-3, 0, 3)];
    const hints = [0, 1, 2].map((i) => ({ normal: vec3(1, 0, 0), d: i - 1 }));
    const bsp = buildLeafBsp([big, [vec3(-2.5, 1, 0), vec3(2.5, 1, 0), vec3(0, 1, 1)]], {
      hints,
      leafSize: 1,
    });
    expect(bsp.polygons[0]).toEqual(big);
    expect(bsp.leafPolygons.filter((i) => i === 0).length).toBeGreaterThan(3);
    for (let leaf = 0; leaf < bsp.leafCount; leaf++) {
      const own = [...bsp.leafPolygons.slice(bsp.leafStart[leaf], bsp.leafStart[leaf + 1])];
      expect(new Set(own).size).toBe(own.length);
    }
  });

  test('a polygon in many leaves is tested once', () => {
    const big = [vec3(-3, 0, -3), vec3(9, 0, -3), vec3(9, 0, 3), vec3(-3, 0, 3)];
    const small = Array.from({ length: 12 }, (_, x) => [
      vec3(x / 2, -1, 0),
      vec3(x / 2, 1, 0),
      vec3(x / 2, 1, 0.5),
    ]);
    const bsp = buildLeafBsp([big, ...small], { candidates: ['axes'], leafSize: 2 });
    /** Polygons tested, of so many leaves. */
    const tested = (ask: () => unknown): number => {
      bsp.work.fill(0);
      ask();
      expect(bsp.work[1]).toBeGreaterThan(3);
      return bsp.work[2]!;
    };
    // Through the boxes of all small ones, past them, and above the big one.
    const ray = { origin: vec3(-1, 0.5, 0.45), direction: vec3(1, 0, 0) };
    expect(tested(() => expect(rayLeafBsp(ray, bsp)).toBeNull())).toBe(13);
    const box = { min: vec3(-1, -0.5, 0.2), max: vec3(9, 0.5, 0.3) };
    expect(tested(() => polygonsAabbBsp(box, bsp))).toBe(13);
  });

  test('answers stay right when the stamps of queries start anew', () => {
    const bsp = buildLeafBsp([[vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)]]);
    bsp.stamps[1] = 0xfffffffe;
    const ray = { origin: vec3(0.2, 0.2, 1), direction: vec3(0, 0, -1) };
    for (let i = 0; i < 4; i++) expect(rayLeafBsp(ray, bsp)?.t).toBe(1);
  });
});

describe('[R8.3] limits', () => {
  /** n long strips across each other: each cuts all of the others. */
  const weave = (n: number): Vec3[][] =>
    Array.from({ length: n }, (_, i) => {
      const angle = (Math.PI * (i + 0.5)) / n;
      const [c, s] = [10 * Math.cos(angle), 10 * Math.sin(angle)];
      const h = 0.3 * Math.sin(i);
      return [vec3(-c + h, -s, -1), vec3(c + h, s, -1), vec3(c + h, s, 1), vec3(-c + h, -s, 1)];
    });

  test('n polygons can come to n² pieces; the cap stops that, is reported, and the tree still answers', () => {
    const polygons = weave(40);
    const whole = buildNodeBsp(polygons);
    expect(whole.report.fragments).toBeGreaterThan(400);
    expect(whole.report.reachedFragments).toBe(false);
    const capped = buildLeafBsp(polygons, { maxFragments: 100, leafSize: 1 });
    expect(capped.report.reachedFragments).toBe(true);
    expect(capped.report.fragments).toBeLessThan(200);
    const ray = { origin: vec3(0.5, -20, 0.1), direction: vec3(0, 1, 0) };
    expect(rayLeafBsp(ray, capped)?.t).toBe(bruteRay(ray.origin, ray.direction, polygons, 1e9)?.t);
    expect(buildLeafBsp(polygons, { leafSize: 1 }).report.reachedFragments).toBe(false);
  });

  test('the depth is limited, and that is reported', () => {
    const polygons = weave(40);
    const { depth, report } = buildLeafBsp(polygons, { maxDepth: 4, leafSize: 1 });
    expect(depth).toBe(4);
    expect(report.reachedDepth).toBe(true);
    expect(buildLeafBsp(polygons).report.reachedDepth).toBe(false);
  });

  test('building ends where no plane is of use: the same polygon a hundred times', () => {
    const one = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)];
    const bsp = buildLeafBsp(
      Array.from({ length: 100 }, () => one),
      { leafSize: 1 },
    );
    expect(bsp.nodeCount).toBeLessThan(10);
    expect(rayLeafBsp({ origin: vec3(0.2, 0.2, 1), direction: vec3(0, 0, -1) }, bsp)?.polygon).toBe(0);
    expect(buildLeafBsp([]).leafCount).toBe(1);
    expect(polygonsAabbBsp({ min: vec3(-1, -1, -1), max: vec3(1, 1, 1) }, buildLeafBsp([]))).toEqual([]);
  });
});

describe('[R8.2.1] the node-storing tree', () => {
  const order = (bsp: ReturnType<typeof buildNodeBsp>, eye: Vec3): BspFragment[] => {
    const list: BspFragment[] = [];
    visitBackToFront(eye, bsp, (one) => list.push(one));
    return list;
  };

  property('along any line of sight, what is farther comes earlier', 600, (rng) => {
    const polygons = scene(rng);
    const bsp = buildNodeBsp(polygons, rng.chance(0.3) ? { candidates: ['faces', 'axes'] } : {});
    const eye = rng.chance(0.4) ? lattice(rng) : rng.vec(3); // often on planes of the tree
    const list = order(bsp, eye);
    check(list.length === bsp.fragments.length && new Set(list).size === list.length, 'each piece once');
    for (let i = 0; i < 6; i++) {
      const direction = rng.chance(0.5) ? rng.direction() : v3.sub(lattice(rng), eye);
      const times = list.map(({ points }) => bruteRay(eye, direction, [points as Vec3[]], 1e9)?.t ?? null);
      let last = Number.POSITIVE_INFINITY;
      for (const t of times) {
        if (t === null || t < 1e-9) continue; // the eye is on it
        check(t <= last + 1e-9 * (1 + t), `${t} comes after ${last}`);
        last = t;
      }
    }
  });

  property('the pieces of each polygon are all of it', 300, (rng) => {
    const polygons = Array.from({ length: rng.int(1, 30) }, () => anyPolygon(rng));
    const bsp = buildNodeBsp(polygons);
    const areas = polygons.map(() => 0);
    for (const { points, polygon } of bsp.fragments) areas[polygon]! += areaOf(points);
    polygons.forEach((points, i) => {
      check(Math.abs(areas[i]! - areaOf(points)) < 1e-9, 'area');
    });
  });

  test('polygons in one plane are in one node, and the visitor may ask again', () => {
    const square = (x: number): Vec3[] => [
      vec3(x, 0, 0),
      vec3(x + 1, 0, 0),
      vec3(x + 1, 1, 0),
      vec3(x, 1, 0),
    ];
    const bsp = buildNodeBsp([square(0), square(5), square(0)]);
    expect(bsp.nodeCount).toBe(1);
    expect([...bsp.nodeStart]).toEqual([0, 3]);
    let count = 0;
    visitBackToFront(vec3(0, 0, 4), bsp, () => visitBackToFront(vec3(0, 0, -4), bsp, () => count++));
    expect(count).toBe(9);
    expect(order(buildNodeBsp([]), vec3())).toEqual([]);
  });
});

const areaOf = (points: readonly ReadonlyVec3[]): number =>
  fanOf(points).reduce((sum, [a, b, c]) => sum + v3.length(v3.cross(v3.sub(b, a), v3.sub(c, a))) / 2, 0);

function fanOf(points: readonly ReadonlyVec3[]): [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3][] {
  if (points.length < 3) return [[points[0]!, points[0]!, points.at(-1)!]];
  return points.slice(2).map((p, k) => [points[0]!, points[k + 1]!, p]);
}
