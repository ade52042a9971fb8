import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { clipBySeparators, Winding } from './winding.ts';

/** Two axes of a plane and its normal, at times along those of space. */
function anyPlane(rng: Rng): readonly [Vec3, Vec3, Vec3] {
  const n = rng.chance(0.3) ? rng.pick([vec3(1), vec3(0, -1), vec3(0, 0, 1), vec3(-1)]) : rng.direction();
  const u = v3.perpendicular(n);
  return [u, v3.cross(n, u), n];
}

/** A convex polygon, counter-clockwise seen from the tip of the normal. */
function anyPolygon(rng: Rng, center: ReadonlyVec3, [u, v]: readonly [Vec3, Vec3, Vec3]): Vec3[] {
  const [turn, count, wide, high] = [
    rng.range(0, 7),
    rng.int(3, 7),
    0.2 + rng.unit(),
    rng.pick([0.3, 1]) * (0.2 + rng.unit()),
  ];
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / count;
    return v3.addScaled(v3.addScaled(center, u, wide * Math.cos(angle)), v, high * Math.sin(angle));
  });
}

const cornersOf = (winding: Winding): Vec3[] =>
  Array.from({ length: winding.count }, (_, i) => winding.corner(i, vec3()));
const crossSum = (points: readonly ReadonlyVec3[]): Vec3 => {
  const sum = vec3();
  for (let k = 2; k < points.length; k++)
    v3.add(sum, v3.cross(v3.sub(points[k - 1]!, points[0]!), v3.sub(points[k]!, points[0]!)), sum);
  return sum;
};
const areaOf = (points: readonly ReadonlyVec3[]): number => v3.length(crossSum(points)) / 2;
/** How far p is outside of the sides of a polygon in its plane; negative inside. */
function outside(p: ReadonlyVec3, points: readonly ReadonlyVec3[]): number {
  const n = v3.normalize(crossSum(points));
  return Math.max(
    ...points.map((a, i) => {
      const edge = v3.sub(points[(i + 1) % points.length]!, a);
      return -v3.dot(v3.cross(n, v3.normalize(edge)), v3.sub(p, a));
    }),
  );
}

describe('polygons that are clipped', () => {
  property('keep what is in front of a plane: both sides together have the whole area', 2000, (rng) => {
    const plane = anyPlane(rng);
    const points = anyPolygon(rng, rng.vec(1), plane);
    const n = rng.direction();
    const d = v3.dot(n, v3.add(rng.pick(points), rng.vec(rng.pick([0, 0.5]))));
    const [front, back] = [new Winding().set(points), new Winding().set(points)];
    const isLeft = front.clip(n, d);
    back.clip(v3.negate(n), -d);
    check(isLeft === front.count > 0, 'is anything left');
    near(areaOf(cornersOf(front)) + areaOf(cornersOf(back)), areaOf(points), 1e-12, 'area');
    check(front.isCut === points.some((p) => v3.dot(n, p) < d), 'is it cut');
    for (const p of cornersOf(front)) {
      check(v3.dot(n, p) >= d - 1e-12, 'behind the plane');
      check(outside(p, points) <= 1e-12, 'outside of what it was');
    }
  });

  property('grow to the hull of two, unless one holds the other', 3000, (rng) => {
    const plane = anyPlane(rng);
    const [u, v, n] = plane;
    const center = rng.vec(2);
    const one = anyPolygon(rng, center, plane);
    const beside = v3.addScaled(v3.addScaled(center, u, rng.range(-1, 1)), v, rng.range(-1, 1));
    const other = rng.chance(0.2)
      ? one.map((p) => v3.lerp(p, center, rng.pick([0, 0.5])))
      : anyPolygon(rng, beside, plane);
    // Either may go round either way.
    for (const points of [one, other]) if (rng.chance(0.5)) points.reverse();
    const winding = new Winding().set(one);
    const grew = winding.growBy(new Winding().set(other), n, 1e-9);
    const hull = cornersOf(winding);
    check(grew === other.some((p) => outside(p, one) > 1e-9), 'grows if something is outside');
    if (!grew) check(hull.length === one.length, 'stays as it is');
    for (const p of [...one, ...other]) check(outside(p, hull) <= 1e-9, 'in the hull');
    for (const p of hull)
      check(
        [...one, ...other].some((q) => v3.distance(p, q) === 0),
        'one of the corners',
      );
    for (const p of hull) check(outside(p, hull) >= -1e-12, 'no more than convex');
    check(areaOf(hull) >= areaOf(one) - 1e-12, 'no less than before');
    check(outside(winding.middle(vec3()), hull) < 0, 'the middle is inside');
    const from = rng.vec(3);
    near(winding.reachFrom(from), Math.max(...hull.map((p) => v3.distance(p, from))), 1e-12, 'reach');
  });

  test('are narrow by their area', () => {
    const strip = (width: number) =>
      new Winding().set([vec3(0, 0, 0), vec3(9, 0, 0), vec3(9, width, 0), vec3(0, width, 0)]);
    expect([1e-3, 0.9, 1.3].map((width) => strip(width).isNarrow(1))).toEqual([true, true, false]);
  });
});

/** The oracle: all planes with an edge of one and a corner of the other that part the two, in plain words. */
function separators(source: readonly Vec3[], pass: readonly Vec3[]): { n: Vec3; d: number }[] {
  const planes: { n: Vec3; d: number }[] = [];
  for (const [one, other] of [
    [source, pass],
    [pass, source],
  ] as const)
    one.forEach((a, i) => {
      for (const c of other) {
        const n = v3.cross(v3.sub(one[(i + 1) % one.length]!, a), v3.sub(c, a));
        if (v3.length(n) < 1e-6) continue;
        v3.normalize(n, n);
        const heightsOf = (points: readonly Vec3[]) => points.map((p) => v3.dot(n, v3.sub(p, a)));
        for (const sign of [1, -1]) {
          const isApart =
            heightsOf(source).every((h) => sign * h <= 1e-12) &&
            heightsOf(pass).every((h) => sign * h >= -1e-12);
          if (isApart) planes.push({ n: v3.scale(n, sign), d: sign * v3.dot(n, a) });
        }
      }
    });
  return planes;
}

property('through two openings a third one is seen as far as the planes between them let it', 1500, (rng) => {
  const at = (z: number) => v3.add(vec3(0, 0, z), rng.vec(0.5));
  const tilted = (): readonly [Vec3, Vec3, Vec3] => {
    const n = v3.normalize(v3.add(vec3(0, 0, 1), rng.vec(0.3)));
    const u = v3.perpendicular(n);
    return [u, v3.cross(n, u), n];
  };
  const [first, second, third] = [tilted(), tilted(), tilted()];
  const source = anyPolygon(rng, at(0), first);
  const pass = anyPolygon(rng, at(2), second);
  const target = anyPolygon(rng, v3.add(at(4), vec3(rng.range(-2, 2), rng.range(-2, 2), 0)), third);
  const seen = new Winding().set(target);
  const isSeen = clipBySeparators(new Winding().set(source), new Winding().set(pass), seen, 1e-9);
  check(isSeen === seen.count > 0, 'is anything seen');
  const wanted = new Winding().set(target);
  for (const { n, d } of separators(source, pass)) wanted.clip(n, d);
  near(areaOf(cornersOf(seen)), areaOf(cornersOf(wanted)), 1e-6, 'area');
  // Lines through both are let through.
  const within = (points: readonly Vec3[]): Vec3 => {
    const weights = points.map(() => rng.unit());
    const sum = weights.reduce((a, b) => a + b, 0);
    return points.reduce((p, q, i) => v3.addScaled(p, q, weights[i]! / sum), vec3());
  };
  for (let k = 0; k < 20; k++) {
    const [a, b] = [within(source), within(pass)];
    const way = v3.sub(b, a);
    const n = third[2];
    const p = v3.addScaled(a, way, v3.dot(n, v3.sub(target[0]!, a)) / v3.dot(n, way));
    if (outside(p, target) > 0) continue;
    check(seen.count > 0 && outside(p, cornersOf(seen)) <= 1e-8, 'a line of sight is cut off');
  }
});
