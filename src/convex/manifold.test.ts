import { describe, expect, test } from 'vitest';
import {
  boxCore,
  coneCore,
  cylinderCore,
  ellipsoidCore,
  frameOf,
  pointCore,
  polytopeCore,
  segmentCore,
} from '../../tests/kit/convex.ts';
import { check, exact, factor, near, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as m from '../math/vec3.ts';
import { polyhedron } from '../polytope/polyhedron.ts';
import {
  closestPointCone,
  closestPointCylinder,
  closestPointPolyhedron,
} from '../primitives/closest/index.ts';
import { BOX, CONE, type ConvexCore, CYLINDER, POINT, POLYTOPE, SEGMENT } from './core.ts';
import { directionToSecond, type Frame, makeFrame, toFirst } from './frame.ts';
import { makeGjkState } from './gjk-state.ts';
import { convexManifold, type Manifold, makeManifold } from './manifold.ts';
import { penetration } from './penetration.ts';
import type { CoreFaces } from './supporting-face.ts';

interface Body {
  core: ConvexCore;
  faces: CoreFaces | null;
}
const plain = (core: ConvexCore): Body => ({ core, faces: null });
const box = (x: number, y: number, z: number, radius = 0): Body => plain(boxCore(x, y, z, radius));
const hull = (points: readonly Vec3[], radius = 0): Body => {
  const faces = polyhedron(points);
  return { core: polytopeCore(faces.vertices, radius), faces };
};

const touchOf = (a: Body, b: Body, frame: Frame) => {
  const { normal, a: pointA, b: pointB, depth } = penetration(a.core, b.core, frame, makeGjkState());
  return { normal, pointA, pointB, depth };
};
const manifoldOf = (a: Body, b: Body, frame: Frame): Manifold =>
  convexManifold(a, b, frame, touchOf(a, b, frame));
const listOf = ({ points, count }: Manifold) => points.slice(0, count);
const at = (x: number, y: number, z: number): Frame => ({ ...makeFrame(), tx: x, ty: y, tz: z });

/** The second body below the first, its top at the height of the other's bottom plus `depth`. */
const below = (a: number, b: number, depth: number, x = 0, z = 0): Frame => at(x, -a - b + depth, z);

/** How far a point is from the surface of a body, by closed forms of its own. */
function offSurface({ core }: Body, p: ReadonlyVec3): number {
  const { data, radius } = core;
  const { x, y, z } = p;
  const to = (q: ReadonlyVec3) => m.distance(p, q);
  if (core.type === BOX) {
    const [u, v, w] = [Math.abs(x) - data[0]!, Math.abs(y) - data[1]!, Math.abs(z) - data[2]!] as const;
    const out = Math.hypot(Math.max(u, 0), Math.max(v, 0), Math.max(w, 0));
    return Math.abs(out + Math.min(Math.max(u, v, w), 0) - radius);
  }
  if (core.type === SEGMENT) {
    const [a, b] = [vec3(data[0], data[1], data[2]), vec3(data[3], data[4], data[5])];
    const ab = m.sub(b, a);
    const t = Math.min(1, Math.max(0, m.dot(m.sub(p, a), ab) / (m.lengthSq(ab) || 1)));
    return Math.abs(to(m.addScaled(a, ab, t)) - radius);
  }
  const across = Math.hypot(x, z);
  if (core.type === CYLINDER) {
    const inside = Math.min(data[0]! - Math.abs(y), data[1]! - across);
    const solid = { a: vec3(0, -data[0]!, 0), b: vec3(0, data[0]!, 0), radius: data[1]! };
    return Math.abs((inside > 0 ? -inside : to(closestPointCylinder(p, solid))) - radius);
  }
  if (core.type === CONE) {
    const [half, r] = [data[0]!, data[1]!];
    const slant = (2 * half * (r - across) - r * (y + half)) / Math.hypot(2 * half, r);
    const inside = Math.min(y + half, slant);
    const solid = { tip: vec3(0, half, 0), base: vec3(0, -half, 0), radius: r };
    return Math.abs((inside > 0 ? -inside : to(closestPointCone(p, solid))) - radius);
  }
  if (core.type === POLYTOPE) {
    const points: Vec3[] = [];
    for (let i = 0; i < data.length; i += 3) points.push(vec3(data[i], data[i + 1], data[i + 2]));
    const solid = polyhedron(points);
    const inside = -Math.max(...solid.planes.map(({ normal, d }) => m.dot(normal, p) - d));
    return Math.abs((inside > 0 ? -inside : to(closestPointPolyhedron(p, solid))) - radius);
  }
  return Math.abs(m.length(p) - (core.type === POINT ? radius : data[0]!)); // a ball, as an ellipsoid too
}

const toSecond = (f: Frame, p: ReadonlyVec3): Vec3 =>
  directionToSecond(f, vec3(p.x - f.tx, p.y - f.ty, p.z - f.tz), vec3());

/**
 * On both surfaces (corners that stick out by less than 1e-9 of a patch are not cut off), the separation as it says, the least that of the penetration, in the order of features.
 */
function judge(a: Body, b: Body, frame: Frame): Manifold {
  const touch = touchOf(a, b, frame);
  const found = convexManifold(a, b, frame, touch);
  const size = a.core.reach + b.core.reach;
  // The rim of a rounded cylinder lies outside of the corners that stand for it.
  const rounded = ({ core: { type, radius } }: Body) =>
    radius / (type === CYLINDER || type === CONE ? 1e3 : 1e6);
  check(found.count >= 1 && found.count <= 4, () => `${found.count} contacts`);
  let least = Infinity;
  for (const contact of listOf(found)) {
    near(offSurface(a, contact.a), 0, 4e-9 * size + rounded(a), 'a off the surface');
    near(offSurface(b, toSecond(frame, contact.b)), 0, 4e-9 * size + rounded(b), 'b off the surface');
    near(m.dot(m.sub(contact.a, contact.b), found.normal), contact.separation, 1e-12 * size, 'separation');
    least = Math.min(least, contact.separation);
  }
  near(least, -touch.depth, 2e-6 * Math.min(a.core.reach, b.core.reach) + 1e-9 * size, 'least separation');
  const order = listOf(found).map((c) => c.featureA * 1e6 + c.featureB);
  for (let k = 1; k < order.length; k++)
    check(order[k - 1]! < order[k]!, 'features are different, and in order');
  return found;
}

const UP = [vec3(-1, 0, -1), vec3(1, 0, -1), vec3(0, 0, 1.5)];

describe('convexManifold: how many', () => {
  const count = (a: Body, b: Body, frame: Frame): number => judge(a, b, frame).count;
  const floor = box(10, 1, 10);
  const turned = (angle: number, axis: 'x' | 'y' | 'z', t: Vec3): Frame => {
    const q = quat(0, 0, 0, Math.cos(angle / 2));
    q[axis] = Math.sin(angle / 2);
    return frameOf(q, t);
  };

  test('[R9.5.3] box on box gives its four corners, each as deep', () => {
    for (const depth of [-0.01, 0, 1e-9, 0.1]) {
      const { count: n, points, normal } = judge(box(1, 1, 1), box(2, 1, 3), below(1, 1, depth));
      expect(n).toBe(4);
      m.sub(normal, vec3(0, 1, 0), normal);
      expect(m.length(normal)).toBeLessThan(1e-12);
      for (const { a, b, separation } of points) {
        expect(Math.abs(a.x)).toBeCloseTo(1, 12);
        expect(Math.abs(a.z)).toBeCloseTo(1, 12);
        expect(a.y).toBeCloseTo(-1, 12);
        expect(b.y).toBeCloseTo(-1 + depth, 12);
        expect(separation).toBeCloseTo(-depth, 12);
      }
    }
  });

  test('[R9.5.3] edge on face two, vertex on face one, edge across edge one, edge along edge two', () => {
    const r = Math.SQRT2;
    expect(count(floor, box(1, 1, 1), turned(Math.PI / 4, 'x', vec3(0, 1 + r - 0.01, 0)))).toBe(2);
    const corner = frameOf(quat(0.4247082, 0.1759199, 0.1759199, 0.8704551), vec3());
    let top = Infinity;
    for (let i = 0; i < 8; i++)
      top = Math.min(top, toFirst(corner, vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1), vec3()).y);
    expect(count(floor, box(1, 1, 1), { ...corner, ty: 1 - top - 0.01 })).toBe(1);
    const ridge = hull([
      vec3(0, 0, -5),
      vec3(0, 0, 5),
      vec3(3, -3, 5),
      vec3(-3, -3, 5),
      vec3(3, -3, -5),
      vec3(-3, -3, -5),
    ]);
    const keel = hull([
      vec3(-5, 0, 0),
      vec3(5, 0, 0),
      vec3(5, 3, 3),
      vec3(5, 3, -3),
      vec3(-5, 3, 3),
      vec3(-5, 3, -3),
    ]);
    expect(count(keel, ridge, at(0, 0.01, 0))).toBe(1);
    expect(count(keel, ridge, turned(Math.PI / 2, 'y', vec3(1, -0.01, 0)))).toBe(2);
  });

  test('[R9.5.3] round bodies: cap 4, side 2, rim 1, ball 1, capsules along 2 and across 1', () => {
    const can = plain(cylinderCore(1, 0.5));
    expect(count(can, floor, below(1, 1, 0.01))).toBe(4);
    expect(count(floor, can, turned(Math.PI / 2, 'x', vec3(0, 1.49, 0)))).toBe(2);
    expect(
      count(floor, can, turned(0.7, 'x', vec3(0, 1 + Math.cos(0.7) + 0.5 * Math.sin(0.7) - 0.01, 0))),
    ).toBe(1);
    expect(count(can, can, below(1, 1, 0.01, 0.2, 0.1))).toBe(4);
    const cone = plain(coneCore(1, 0.5));
    expect(count(cone, floor, below(1, 1, 0.01))).toBe(4);
    expect(count(cone, cone, at(0, 1.99, 0))).toBe(1);
    expect(count(plain(pointCore(1)), floor, below(1, 1, 0.01))).toBe(1);
    expect(count(plain(ellipsoidCore(1, 1, 1)), floor, below(1, 1, 0.01))).toBe(1);
    const pill = plain(segmentCore(vec3(-1, 0, 0), vec3(1, 0, 0), 0.5));
    expect(count(pill, floor, below(0.5, 1, 0.01))).toBe(2);
    expect(count(pill, pill, below(0.5, 0.5, 0.01, 0.7))).toBe(2);
    expect(count(pill, pill, turned(Math.PI / 2, 'y', vec3(0, -0.99, 0)))).toBe(1);
    expect(count(pill, pill, at(3 - 0.01, 0, 0))).toBe(1);
  });

  test('[R9.5.3] cylinders alongside at a small angle: the ends of the stretch are different features', () => {
    const wide = plain(cylinderCore(1.4651119038385338, 1.5117608641067377, 0.01));
    const thin = plain(cylinderCore(0.8677185543625006, 0.220186851943131));
    const apart = judge(wide, thin, turned(-0.008927660775, 'z', vec3(0.0044914, -0.7895189631, -2.1362158)));
    // The lower end is one of the wide cylinder, the upper end one of the thin cylinder.
    const kinds = listOf(apart).map(({ featureA, featureB }) => [featureA % 4, featureB % 4]);
    expect(kinds).toContainEqual([0, 1]);
    expect(kinds).toContainEqual([1, 0]);
    for (let k = 0; k <= 100; k++)
      judge(wide, thin, turned(-2e-4 * k, 'z', vec3(0.0044914, -0.7895189631, -2.1362158)));
  });

  test('[R9.5.3] a cone on its side gives two', () => {
    const cone = plain(coneCore(1, 0.5));
    // The normal of the side at -z is (2, 0.5), out and up: turned about x it points down.
    const down = turned(Math.atan2(2, 0.5) - Math.PI, 'x', vec3());
    expect(directionToSecond(down, vec3(0, -1, 0), vec3()).z).toBeCloseTo(-2 / Math.hypot(2, 0.5), 12);
    expect(count(floor, cone, resting(cone, down))).toBe(2);
  });

  test('[R9.5.3] a triangle on a box gives three; a flat box, a needle and a point what they can', () => {
    const triangle = plain(polytopeCore(UP));
    expect(manifoldOf(triangle, box(3, 1, 3), at(0, -0.99, 0)).count).toBe(3);
    expect(manifoldOf(box(1, 0, 1), floor, below(0, 1, 0)).count).toBe(4);
    expect(manifoldOf(box(1, 0, 0), floor, below(0, 1, 0)).count).toBe(2);
    expect(manifoldOf(box(0, 0, 0), floor, below(0, 1, 0)).count).toBe(1);
    expect(manifoldOf(plain(segmentCore(vec3(), vec3())), floor, below(0, 1, 0)).count).toBe(1);
    expect(manifoldOf(plain(cylinderCore(0, 1)), floor, below(0, 1, 0)).count).toBe(4);
    expect(manifoldOf(plain(coneCore(0, 1)), floor, below(0, 1, 0)).count).toBe(4);
  });

  test('[R9.5.3] rounded bodies add their radius; small on huge', () => {
    const { points, count: n } = judge(box(1, 1, 1, 0.25), box(2, 1, 2, 0.5), below(1.25, 1.5, 0.125));
    expect(n).toBe(4);
    for (const { a, b, separation } of points) {
      expect(a.y).toBeCloseTo(-1.25, 12);
      expect(b.y).toBeCloseTo(-1.125, 12);
      expect(separation).toBeCloseTo(-0.125, 12);
    }
    expect(count(box(1, 1, 1), box(1e6, 1, 1e6), below(1, 1, 0.01, 3e5, -2e5))).toBe(4);
    expect(count(box(1e-3, 1e-3, 1e-3), box(1e3, 1, 1e3), below(1e-3, 1, 1e-5))).toBe(4);
  });
});

/** The frame with the body on top of a floor whose surface is at y = 1, a bit in it. */
function resting({ core }: Body, frame: Frame): Frame {
  const down = directionToSecond(frame, vec3(0, -1, 0), vec3());
  const [half, r] = [core.data[0]!, core.data[1]!];
  const across = Math.hypot(down.x, down.z);
  const lowest = Math.max(down.y * half, across * r - down.y * half);
  return { ...frame, ty: 1 + lowest - 0.01 };
}

describe('convexManifold: steadiness', () => {
  /** Places where a box lies on a box: aligned, overhanging, edge on edge, turned by an eighth. */
  const lying: [string, Body, Body, Frame][] = [
    ['the same size', box(1, 1, 1), box(1, 1, 1), below(1, 1, 0.01)],
    ['just touching', box(1, 1, 1), box(1, 1, 1), below(1, 1, 1e-5)],
    ['smaller on larger', box(1, 0.5, 0.7), box(3, 1, 3), below(0.5, 1, 0.01)],
    ['overhanging', box(1, 1, 1), box(1, 1, 1), below(1, 1, 0.01, 0.5, 0.25)],
    ['one side flush', box(1, 1, 1), box(1, 1, 2), below(1, 1, 0.01, 0.5, 0)],
    ['as hulls', hull(corners(1, 1, 1)), hull(corners(1, 1, 1)), below(1, 1, 0.01)],
    ['rounded', box(1, 1, 1, 0.1), box(1, 1, 1, 0.1), below(1.1, 1.1, 0.01)],
    ['a can', plain(cylinderCore(1, 0.5)), box(3, 1, 3), below(1, 1, 0.01)],
  ];
  for (const [name, a, b, frame] of lying)
    property(`[R9.5.3] the same four points under motions of 1e-9 … 1e-6: ${name}`, 400, (rng) => {
      const still = manifoldOf(a, b, frame);
      check(still.count === 4, () => `${still.count} contacts`);
      const tiny = 10 ** rng.range(-9, -6);
      const step = () => rng.range(-1, 1) * (rng.chance(0.2) ? 0 : tiny);
      const t = vec3(frame.tx + step(), frame.ty + step(), frame.tz + step());
      const found = manifoldOf(a, b, frameOf(quat(step() / 2, step() / 2, step() / 2, 1), t));
      check(found.count === 4, () => `${found.count} contacts`);
      // The distance of the cores is flat around the normal: rounding leaves that open by the square root of itself.
      const error = 20 * tiny + 1e-5 * a.core.radius;
      for (const [k, contact] of listOf(found).entries()) {
        const { a: p, b: q, separation, featureA, featureB } = still.points[k]!;
        check(featureA === contact.featureA && featureB === contact.featureB, 'the features have changed');
        near(m.distance(p, contact.a), 0, error, 'a has moved');
        near(m.distance(q, contact.b), 0, error, 'b has moved');
        near(separation, contact.separation, error, 'separation');
      }
    });
});

function corners(x: number, y: number, z: number): Vec3[] {
  return Array.from({ length: 8 }, (_, i) => vec3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z));
}

// The oracle: what two rectangles share, cut out in rational numbers.
type P = readonly [exact.Q, exact.Q];
const sideOf = (a: P, b: P, p: P): exact.Q =>
  exact.sub(
    exact.mul(exact.sub(b[0], a[0]), exact.sub(p[1], a[1])),
    exact.mul(exact.sub(b[1], a[1]), exact.sub(p[0], a[0])),
  );

function cutOut(a: readonly P[], b: readonly P[]): P[] {
  let ring = [...a];
  for (const [j, from] of b.entries()) {
    const to = b[(j + 1) % b.length]!;
    const next: P[] = [];
    for (const [i, p] of ring.entries()) {
      const q = ring[(i + 1) % ring.length]!;
      const [s, t] = [sideOf(from, to, p), sideOf(from, to, q)];
      if (exact.sign(s) >= 0) next.push(p);
      if (exact.sign(s) * exact.sign(t) < 0) {
        const k = exact.div(s, exact.sub(s, t));
        next.push([0, 1].map((c) => exact.add(p[c]!, exact.mul(k, exact.sub(q[c]!, p[c]!)))) as unknown as P);
      }
    }
    ring = next;
  }
  // Without corners twice, and without points between others.
  ring = ring.filter((p, i) => {
    const before = ring[(i + ring.length - 1) % ring.length]!;
    return exact.cmp(p[0], before[0]) !== 0 || exact.cmp(p[1], before[1]) !== 0;
  });
  return ring.filter(
    (p, i) =>
      exact.sign(sideOf(ring[(i + ring.length - 1) % ring.length]!, p, ring[(i + 1) % ring.length]!)) !== 0,
  );
}

const areaOf = (points: readonly (readonly [number, number])[]): number => {
  const middle = [0, 1].map((c) => points.reduce((sum, p) => sum + p[c]!, 0) / points.length);
  const angle = (p: readonly [number, number]) => Math.atan2(p[1] - middle[1]!, p[0] - middle[0]!);
  const ring = [...points].sort((p, q) => angle(p) - angle(q));
  let sum = 0;
  for (const [i, p] of ring.entries()) {
    const q = ring[(i + 1) % ring.length]!;
    sum += p[0] * q[1] - p[1] * q[0];
  }
  return sum / 2;
};

describe('convexManifold against exact clipping', () => {
  let octagons = 0;
  property(
    '[R9.5.3] the contacts of boxes are corners of the exact patch, and keep most of it',
    2_000,
    (rng) => {
      const size = () => rng.int(1, 16) / 4;
      const [ax, az, bx, bz] = [size(), size(), size(), size()];
      const [dx, dz] = [rng.int(-16, 16) / 8, rng.int(-16, 16) / 8];
      const [c, s, d] = rng.pick([
        [1, 0, 1],
        [0, 1, 1],
        [3, 4, 5],
        [4, -3, 5],
        [5, 12, 13],
        [20, 21, 29],
      ] as const);
      // About y by an angle with rational sine and cosine: x' = c x + s z, z' = c z - s x.
      const q = quat(0, Math.sqrt((1 - c / d) / 2) * Math.sign(s || 1), 0, Math.sqrt((1 + c / d) / 2));
      const frame = frameOf(q, vec3(dx, -2 + 1 / 16, dz));
      const rect = (x: number, z: number): [number, number][] => [
        [x, z],
        [-x, z],
        [-x, -z],
        [x, -z],
      ];
      const unit = exact.q(d);
      const turn = ([x, z]: readonly [number, number]): P => [
        exact.add(exact.q(dx), exact.div(exact.q(c * x + s * z), unit)),
        exact.add(exact.q(dz), exact.div(exact.q(c * z - s * x), unit)),
      ];
      const wanted = cutOut(
        rect(ax, az).map(([x, z]): P => [exact.q(x), exact.q(z)]),
        rect(bx, bz).map(turn),
      ).map((p) => [exact.toNumber(p[0]), exact.toNumber(p[1])] as const);
      const patch = wanted.length < 3 ? 0 : areaOf(wanted);
      if (patch < 0.01) return; // next to nothing: a line, or they do not meet
      const touch = { normal: vec3(0, 1, 0), pointA: vec3(), pointB: vec3() };
      m.set(wanted[0]![0], -1, wanted[0]![1], touch.pointA);
      m.set(wanted[0]![0], -1 + 1 / 16, wanted[0]![1], touch.pointB);
      const found = convexManifold(box(ax, 1, az), box(bx, 1, bz), frame, touch);
      if (wanted.length > 4) octagons++;
      check(found.count === Math.min(wanted.length, 4), () => `${found.count} of ${wanted.length}`);
      for (const { a, b, separation } of listOf(found)) {
        near(separation, -1 / 16, 1e-12, 'separation');
        for (const p of [a, b]) {
          const off = Math.min(...wanted.map(([x, z]) => Math.hypot(p.x - x, p.z - z)));
          near(off, 0, 1e-12, 'distance from the nearest corner');
        }
      }
      const kept = areaOf(listOf(found).map(({ a }) => [a.x, a.z] as const));
      check(kept >= 0.6 * patch, () => `${kept} of ${patch} kept, ${wanted.length} corners`);
    },
  );

  test('[R9.5.3] many of the patches have more than four corners', () => {
    expect(octagons).toBeGreaterThan(300 * factor);
  });
});

describe('convexManifold: random bodies', () => {
  const round = (rng: Rng) => (rng.chance(0.4) ? rng.pick([0.01, 0.3]) : 0);
  const ball = (n: number): Vec3[] => Array.from({ length: n }, (_, i) => aroundBall(i, n));
  const makers: ((rng: Rng) => Body)[] = [
    (rng) => box(rng.range(0.2, 2), rng.range(0.2, 2), rng.range(0.2, 2), round(rng)),
    (rng) => plain(cylinderCore(rng.range(0.2, 2), rng.range(0.2, 2), round(rng))),
    (rng) => plain(coneCore(rng.range(0.2, 2), rng.range(0.2, 2), round(rng))),
    (rng) => plain(segmentCore(rng.vec(), rng.vec(), rng.range(0.1, 1))),
    (rng) => plain(pointCore(rng.range(0.1, 1))),
    (rng) =>
      hull(
        Array.from({ length: rng.int(5, 9) }, () => rng.vec()),
        round(rng),
      ),
    (rng) => hull(corners(rng.range(0.2, 2), rng.range(0.2, 2), rng.range(0.2, 2)), round(rng)),
    () => hull(ball(40)),
    (rng) => hull([vec3(-1, -0.5, -1), vec3(1, -0.5, -1), vec3(0, -0.5, 1.5), vec3(0, 1, 0)], round(rng)),
  ];
  const counts = [0, 0, 0, 0, 0];
  property(
    '[R9.5.3] contacts are on both surfaces, and the least separation is minus the depth',
    4_000,
    (rng) => {
      const [a, b] = [rng.pick(makers)(rng), rng.pick(makers)(rng)];
      // Aligned, tilted within or beyond what counts as flat, or at random.
      const tilt = () => (rng.chance(0.3) ? 0 : rng.range(-1, 1) * rng.pick([1e-12, 1e-6, 1e-3, 0.02, 0.06]));
      const q = rng.chance(0.7) ? quat(tilt(), tilt(), tilt(), 1) : rng.rotation();
      const t = rng.chance(0.7) ? rng.pick([vec3(0, 1, 0), vec3(1, 0, 0), vec3(0, 0, -1)]) : rng.direction();
      const frame = frameOf(q, vec3());
      const side = m.scale(rng.vec(), rng.pick([0, 0.3, 1]));
      const far = 10;
      const apart = touchOf(a, b, {
        ...frame,
        tx: far * t.x + side.x,
        ty: far * t.y + side.y,
        tz: far * t.z + side.z,
      });
      // Moved together along the line between them, to a small depth or gap.
      const k = far + apart.depth - rng.pick([-0.01, 0, 1e-6, 0.02, 0.1]);
      Object.assign(frame, { tx: k * t.x + side.x, ty: k * t.y + side.y, tz: k * t.z + side.z });
      if (touchOf(a, b, frame).depth > 0.3) return;
      counts[judge(a, b, frame).count]!++;
    },
  );

  test('the result is written to `out`, and bad input is refused', () => {
    const out = makeManifold();
    const touch = { normal: vec3(0, 1, 0), pointA: vec3(0, -1, 0), pointB: vec3(0, -1, 0) };
    const cube = box(1, 1, 1);
    expect(convexManifold(cube, cube, at(0, -2, 0), touch, out)).toBe(out);
    expect(() => convexManifold(cube, cube, at(0, Number.NaN, 0), touch)).toThrow('frame.ty');
    expect(() => convexManifold(cube, cube, at(0, -2, 0), { ...touch, normal: vec3(0, 2, 0) })).toThrow(
      'normal',
    );
  });
});

const aroundBall = (i: number, n: number): Vec3 => {
  const z = 1 - (2 * i + 1) / n;
  const r = Math.sqrt(1 - z * z);
  return vec3(r * Math.cos(2.4 * i), r * Math.sin(2.4 * i), z);
};
