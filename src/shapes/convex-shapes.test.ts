import { expect, test } from 'vitest';
import { check, cloud, near, property, Rng } from '../../tests/kit/index.ts';
import { anySize, heightOf } from '../../tests/kit/shape-oracle.ts';
import { type ConvexCore, supportCore } from '../convex/core.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import type { ConvexShape } from './shape.ts';

const EPS = 2 ** -52;

/** One of each kind, sizes of zero included. */
function anyShape(rng: Rng): ConvexShape {
  const [a, b, c, r] = [anySize(rng), anySize(rng), anySize(rng), rng.pick([0, anySize(rng)])];
  const { points: p } = cloud(rng, 3);
  switch (rng.int(0, 9)) {
    case 0:
      return sphere(a);
    case 1:
      return box(a, b, c, r);
    case 2:
      return capsule(a, b);
    case 3:
      return cylinder(a, b, r);
    case 4:
      return cone(a, b, r);
    case 5:
      return ellipsoid(a, b, c, r);
    case 6:
      return hull(cloud(rng, rng.int(1, 30)).points, r);
    case 7:
      return triangle(p[0]!, p[1]!, p[2]!, r);
    case 8:
      return segment(p[0]!, p[1]!, r);
    default:
      return point();
  }
}

/** How far the core and its rounding go along a direction. */
function coreHeight(core: ConvexCore, d: Readonly<Vec3>, hint = -1): number {
  const p = vec3();
  supportCore(core, d, hint, p);
  return v3.dot(p, d) + core.radius * v3.length(d);
}

property('[R2.2.1] cores go as far as the shapes do, in every direction', 10_000, (rng) => {
  const shape = anyShape(rng);
  for (let i = 0; i < 4; i++) {
    const d = rng.chance(0.3) ? vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)) : rng.vec(2);
    // A product and a sum each for up to three coordinates and the rounding.
    const tolerance = 16 * EPS * shape.core.reach * v3.length(d);
    near(coreHeight(shape.core, d), heightOf(shape, d), tolerance, shape.kind);
  }
});

property('reach is never too little, nor much too much; the centre is inside', 10_000, (rng) => {
  const shape = anyShape(rng);
  const { core } = shape;
  const d = rng.direction();
  const height = heightOf(shape, d);
  check(height <= core.reach * (1 + 4 * EPS), () => `${shape.kind} goes to ${height}, not ${core.reach}`);
  const inside = v3.dot(core.center, d);
  check(inside <= height + 16 * EPS * core.reach, () => `${shape.kind}: centre at ${inside} of ${height}`);
  const farthest = Math.max(
    ...[1, -1].flatMap((s) => ['x', 'y', 'z'].map((k) => heightOf(shape, { ...vec3(), [k]: s }))),
  );
  check(
    core.reach <= 2 * farthest + 1e-300,
    () => `${shape.kind} reaches ${core.reach}, goes to ${farthest}`,
  );
});

property('the inner ball is inside', 10_000, (rng) => {
  const shape = anyShape(rng);
  const { center, inner, reach } = shape.core;
  // A convex set holds a ball when it reaches as far as the ball in every direction; flat sides are where it first fails.
  const sides = shape.faces?.planes.map(({ normal }) => normal) ?? [];
  for (const d of [...sides, rng.direction(), vec3(1), vec3(0, -1), vec3(0, 0, 1)]) {
    const room = heightOf(shape, d) - v3.dot(center, d) - inner;
    check(room >= -64 * EPS * reach, () => `${shape.kind}: ${inner} is too much by ${-room}`);
  }
});

test('refuses sizes that products of lengths would not fit for', () => {
  const p = (x: number) => vec3(x, 0, 0);
  for (const size of [1e31, 1e-31, 1e300, 1e-300]) {
    const all = [
      () => sphere(size),
      () => box(size, size, size),
      () => capsule(size, size),
      () => ellipsoid(size, size, size),
      () => hull([0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size]),
      () => triangle(p(0), p(size), p(size)),
      () => segment(p(0), p(size)),
    ];
    for (const make of all)
      expect(make).toThrow(/size must be from 1e-30 to 1e\+30, or 0|must be within ±1e\+75/);
  }
  for (const size of [0, 1e-30, 1e30]) expect(sphere(size).radius).toBe(size);
});

test('inner balls are as large as can be, but for cones', () => {
  const s = Math.sqrt(1 / 3);
  const octahedron = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
  expect(hull(octahedron).core.inner).toBeCloseTo(s, 5);
  expect(hull(octahedron, 2).core.inner).toBeCloseTo(2 + s, 5);
  expect(hull(octahedron.slice(0, 12), 2).core.inner).toBe(2);
  expect(box(3, 1, 2, 0.5).core.inner).toBe(1.5);
  expect(sphere(2).core.inner).toBe(2);
  expect(capsule(1, 2).core.inner).toBe(2);
  expect(cylinder(1, 2, 3).core.inner).toBe(4);
  expect(ellipsoid(1, 2, 3).core.inner).toBe(1);
  expect(segment(vec3(1), vec3(2), 3).core.inner).toBe(3);
});

test('flat sides belong to the core: same corners, planes around them', () => {
  const points = [vec3(1, 2, 3), vec3(2, 2, 3), vec3(1, 3, 3), vec3(1, 2, 4)];
  const shapes = [
    box(1, 2, 3),
    box(0, 2, 0),
    hull(points),
    hull(points.slice(1)),
    triangle(points[0]!, points[1]!, points[2]!),
    polygon(points.slice(1)),
  ];
  for (const { core, faces, kind } of shapes) {
    const { vertices, planes, faces: loops } = faces!;
    expect(planes.length, kind).toBe(loops.length);
    vertices.forEach((p, i) => {
      const found = vec3();
      if (kind === 'box') supportCore(core, vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), -1, found);
      else v3.set(core.data[3 * i]!, core.data[3 * i + 1]!, core.data[3 * i + 2]!, found);
      expect(found.x === p.x && found.y === p.y && found.z === p.z, kind).toBe(true);
      for (const { normal, d } of planes) expect(v3.dot(normal, p)).toBeLessThanOrEqual(d + 4 * EPS * 9);
    });
    planes.forEach(({ normal, d }, f) => {
      expect(v3.length(normal)).toBeCloseTo(1, 14);
      for (const i of loops[f]!) expect(v3.dot(normal, vertices[i]!)).toBeCloseTo(d, 14);
    });
  }
  for (const shape of [
    sphere(1),
    capsule(1, 1),
    segment(points[0]!, points[1]!),
    point(),
    hull([points[0]!]),
  ])
    expect(shape.faces).toBeNull();
});

test('hulls of any points: corners only, whatever they span', () => {
  expect(hull([0, 0, 0, 1, 0, 0, 0.5, 0, 0]).points).toHaveLength(2);
  expect(hull([vec3(1, 1, 1), vec3(1, 1, 1)]).points).toEqual([vec3(1, 1, 1)]);
  const flat = hull([vec3(), vec3(1), vec3(0, 1), vec3(1, 1), vec3(0.5, 0.5)]);
  expect(flat.points).toHaveLength(4);
  expect(flat.faces!.faces).toHaveLength(2);
  expect(flat.faces!.planes[0]!.normal).toEqual(v3.negate(flat.faces!.planes[1]!.normal));
  expect(triangle(vec3(), vec3(1), vec3(2)).faces).toBeNull();
});

/** A cube with a grid of points on each side, pushed out by a bulge and off by a jitter. */
function subdividedCube(n: number, bulge: number, jitter: number, rng: Rng): Vec3[] {
  const points: Vec3[] = [];
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++)
      for (let k = 0; k <= n; k++)
        if ([i, j, k].some((m) => m === 0 || m === n)) {
          const p = vec3((2 * i) / n - 1, (2 * j) / n - 1, (2 * k) / n - 1);
          const out = 1 + bulge * (3 - v3.lengthSq(p));
          points.push(v3.add(v3.scale(p, out), rng.vec(jitter)));
        }
  return points;
}

/** Ways to make hulls of many corners that climb badly. */
function manyCorners(rng: Rng): Vec3[] {
  switch (rng.int(0, 4)) {
    case 0:
      return Array.from({ length: 80 }, () => rng.direction());
    case 1:
      return subdividedCube(4, rng.pick([1e-16, 1e-12, 1e-6, 0.01]), rng.pick([0, 1e-16, 1e-13]), rng);
    case 2: {
      // A needle or a coin.
      const s = rng.pick([1e-6, 1e-3, 1e3]);
      return Array.from({ length: 60 }, () => v3.multiply(rng.direction(), vec3(1, s, 1)));
    }
    case 3: {
      // A drum: two flat ends of many corners.
      const n = rng.int(9, 40);
      return Array.from({ length: 2 * n }, (_, i) => {
        const t = (2 * Math.PI * (i >> 1)) / n;
        return vec3(Math.cos(t), i & 1 ? 0.3 : -0.3, Math.sin(t));
      });
    }
    default:
      return Array.from({ length: 60 }, () => v3.add(rng.direction(), vec3(1e3, -1e3, 500)));
  }
}

property('[R9.5.4] the farthest corner is found from every start, on flat sides too', 150, (rng) => {
  const { core, points, faces } = hull(manyCorners(rng));
  const directions = [
    ...faces!.planes.flatMap(({ normal }) => (rng.chance(0.2) ? [normal, v3.negate(normal)] : [])),
    ...['x', 'y', 'z'].flatMap((k) => [1, -1].map((s) => ({ ...vec3(), [k]: s }))),
    rng.direction(),
  ];
  const found = vec3();
  for (const d of directions) {
    const most = Math.max(...points.map((p) => v3.dot(p, d)));
    for (let start = 0; start < points.length; start++) {
      supportCore(core, d, start, found);
      check(
        v3.dot(found, d) >= most - 8 * EPS * core.reach,
        () => `from ${start}: short by ${most - v3.dot(found, d)}`,
      );
    }
  }
});

test('[R9.5.4] hulls are climbed, but for those whose corners are rounding errors', () => {
  const rng = new Rng(1);
  const round = (n: number) => hull(Array.from({ length: n }, () => rng.direction()));
  for (const n of [60, 300, 2000]) expect(round(n).core.neighbours.length).toBeGreaterThan(0);
  expect(hull(subdividedCube(8, 1e-6, 0, rng)).core.neighbours.length).toBeGreaterThan(0);
  expect(hull(subdividedCube(4, 0, 1e-16, rng)).core.neighbours).toHaveLength(0);
});

test('[R9.5.4] every corner of a large hull has a neighbour off the plane of the others', () => {
  const n = 30;
  const drum = Array.from({ length: 2 * n }, (_, i) => {
    const t = (2 * Math.PI * (i >> 1)) / n;
    return vec3(Math.cos(t), i & 1 ? 1 : -1, Math.sin(t));
  });
  const { core } = hull(drum);
  expect(core.firstNeighbour).toHaveLength(2 * n + 1);
  for (let i = 0; i < 2 * n; i++) {
    const near = [...core.neighbours.subarray(core.firstNeighbour[i], core.firstNeighbour[i + 1])];
    expect(near).toHaveLength(4);
    expect(new Set(near).size).toBe(4);
    expect(near).not.toContain(i);
  }
  expect(hull(drum.slice(0, 48)).core.neighbours).toHaveLength(0);
});

test('polygons: convex and flat, in order, either way round', () => {
  const square = [vec3(0, 0, 5), vec3(1, 0, 5), vec3(1, 1, 5), vec3(0, 1, 5)];
  expect(polygon(square).faces!.planes[0]!.normal.z).toBe(1);
  expect(polygon([...square].reverse()).faces!.planes[0]!.normal.z).toBe(-1);
  // A corner on an edge, a corner twice, and the rounding of single precision.
  polygon([square[0]!, vec3(0.5, 0, 5), ...square.slice(1)]);
  polygon([square[0]!, ...square, square[0]!]);
  polygon(square.map((p, i) => vec3(p.x, p.y, Math.fround(p.z + 2e-7 * i))));
  expect(polygon([vec3(), vec3(1), vec3(2)]).faces).toBeNull();
  expect(polygon([vec3(1), vec3(1), vec3(1)]).faces).toBeNull();
  const bad = /graze: polygon: points must be the corners of a convex polygon/;
  expect(() => polygon([square[0]!, square[2]!, square[1]!, square[3]!])).toThrow(bad);
  expect(() => polygon([vec3(), vec3(2), vec3(0.3, 0.3), vec3(0, 2)])).toThrow(bad);
  expect(() => polygon([...square, ...square])).toThrow(bad);
  expect(() => polygon([vec3(), vec3(1), vec3(1, 1), vec3(0, 1, 0.1)])).toThrow(/points must lie in a plane/);
  expect(() => polygon([vec3(), vec3(1)])).toThrow(/points must have at least three/);
});

property('polygons: points on a circle pass, with one pushed in they do not', 10_000, (rng) => {
  const n = rng.int(3, 12);
  const [u, q] = [rng.range(0.2, 50), rng.rotation()];
  const shift = rng.vec(10);
  const place = (p: readonly [number, number]) => v3.add(v3.rotate(vec3(p[0], p[1]), q), shift);
  const corners = Array.from({ length: n }, (_, i): [number, number] => {
    const t = ((i + rng.range(0, 0.8)) * 2 * Math.PI) / n;
    return [u * Math.cos(t), u * Math.sin(t)];
  });
  check(polygon(corners.map(place)).faces !== null, 'no faces');
  if (n < 4) return;
  // One corner to behind the line between its neighbours, by a thousandth of the radius.
  const k = rng.int(0, n - 1);
  const [[ax, ay], [bx, by]] = [corners[(k + n - 1) % n]!, corners[(k + 1) % n]!];
  const length = Math.hypot(bx - ax, by - ay);
  const [x, y] = [
    (ax + bx) / 2 - ((by - ay) / length) * 1e-3 * u,
    (ay + by) / 2 + ((bx - ax) / length) * 1e-3 * u,
  ];
  corners[k] = [x, y];
  const points = corners.map(place);
  let refused = false;
  try {
    polygon(points);
  } catch {
    refused = true;
  }
  check(refused, 'a dent was let pass');
});

test('sizes below zero, and points that are none, are refused by name', () => {
  const cases: [() => unknown, string][] = [
    [() => sphere(-1), 'sphere: radius must not be negative'],
    [() => box(1, -1, 1), 'box: hy must not be negative'],
    [() => box(1, 1, 1, -0.1), 'box: rounding must not be negative'],
    [() => capsule(-1, 1), 'capsule: halfHeight must not be negative'],
    [() => cylinder(1, -2), 'cylinder: radius must not be negative'],
    [() => cone(1, Number.NaN), 'cone: radius must be a finite number'],
    [() => ellipsoid(1, 2, Infinity), 'ellipsoid: rz must be a finite number'],
    [() => hull([]), 'hull: points must hold at least one point'],
    [() => hull([1, 2]), 'hull: points must hold 3 numbers a point'],
    [() => hull([vec3(0, Number.NaN)]), 'hull: points[0].y must be a finite number'],
    [
      () => triangle(vec3(), { x: 1 } as Vec3, vec3()),
      'triangle: b must be {x, y, z} or vec3(), got an object with x',
    ],
    [() => segment(vec3(), vec3(), -1), 'segment: rounding must not be negative'],
  ];
  for (const [make, message] of cases) expect(make).toThrow(message);
});

test('shapes keep copies: what is done to the input later does not reach them', () => {
  const a = vec3(1, 2, 3);
  const shapes = [triangle(a, vec3(), vec3(0, 1)), segment(a, vec3()), hull([a, vec3(), vec3(0, 1)])];
  const before = JSON.stringify(shapes);
  a.x = 99;
  expect(JSON.stringify(shapes)).toBe(before);
});
