/**
 * Rays and segments against every solid, by one oracle: the signed distance to a convex solid, which is a convex
 * function along a line. Its minimum tells hit from miss, its first zero is the entry, and a step along the right
 * normal raises it by just that step.
 */
import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Mat3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { type Hit, makeHit, type Ray } from '../types.ts';
import { rayAabb, segmentAabb } from './ray-aabb.ts';
import { rayCapsule, segmentCapsule } from './ray-capsule.ts';
import { rayCone, segmentCone } from './ray-cone.ts';
import {
  rayCylinder,
  rayInfiniteCylinder,
  segmentCylinder,
  segmentInfiniteCylinder,
} from './ray-cylinder.ts';
import { rayEllipsoid, segmentEllipsoid } from './ray-ellipsoid.ts';
import { rayObb, segmentObb } from './ray-obb.ts';
import { overlapRaySphere, overlapSegmentSphere, raySphere, segmentSphere } from './ray-sphere.ts';

const plus = (a: Vec3, b: Vec3, t = 1): Vec3 => vec3(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);
const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const length = (a: Vec3) => Math.hypot(a.x, a.y, a.z);
const cross = (a: Vec3, b: Vec3): Vec3 =>
  vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);

/** A solid to be tested: its signed distance, and the two queries bound to it. */
interface Solid {
  distance(p: Vec3): number;
  ray(ray: Ray, tMax?: number, out?: Hit): Hit | null;
  segment(p: Vec3, q: Vec3, out?: Hit): Hit | null;
  /** A point of it to aim at, its axis (or one of them), and about how large it is. */
  aim: Vec3;
  axis: Vec3;
  size: number;
  /** `distance` is only proportional to the distance, and so is no help with normals. */
  gauge?: (p: Vec3) => Vec3;
  /** Without radius: whether it is hit, where and from which side is all rounding. */
  thin?: boolean;
}

/** A size, often zero, sometimes extreme. */
const extent = (rng: Rng) => rng.pick([0, 1e-3, 1, 1, rng.range(0.1, 2), rng.range(0.1, 2), 50]);

/** Where things are, and at which scale. */
interface Place {
  at: Vec3;
  scale: number;
}
function place(rng: Rng): Place {
  const scale = rng.pick([1, 1, 1, 1e-6, 1e6]);
  const at = rng.pick([vec3(), rng.vec(2), rng.vec(2), { x: 1, y: -2, z: 0 }, rng.vec(1e4)]);
  return { at: vec3(at.x * scale, at.y * scale, at.z * scale), scale };
}

/** A unit axis, often one of the coordinate axes. */
function direction(rng: Rng): Vec3 {
  return rng.pick([
    vec3(1, 0, 0),
    vec3(0, -1, 0),
    vec3(0, 0, 1),
    rng.direction(),
    rng.direction(),
    rng.direction(),
  ]);
}

/** The ends of an axis, and what rounding has made of its direction and length. */
function rod(rng: Rng, a: Vec3, wanted: number): { b: Vec3; axis: Vec3; height: number } {
  const axis = direction(rng);
  const b = plus(a, axis, wanted);
  const way = plus(b, a, -1);
  const height = length(way);
  return height === 0 ? { b, axis, height } : { b, axis: plus(vec3(), way, 1 / height), height };
}

function frame(rng: Rng): { rotation: Mat3; axes: [Vec3, Vec3, Vec3] } {
  const { x, y, z, w } = rng.rotation();
  const axes: [Vec3, Vec3, Vec3] = [
    vec3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
    vec3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
    vec3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
  ];
  return { rotation: { elements: axes.flatMap((a) => [a.x, a.y, a.z]) }, axes };
}

const boxDistance = (x: number, y: number, z: number) =>
  Math.hypot(Math.max(x, 0), Math.max(y, 0), Math.max(z, 0)) + Math.min(Math.max(x, y, z), 0);

/** Distance to a convex polygon region in the half-plane (radius, height), given by its corners, counter-clockwise. */
function profileDistance(corners: readonly (readonly [number, number])[], r: number, h: number): number {
  let inside = corners[1]![0] > 0; // else it has no area
  let best = Infinity;
  corners.forEach(([x0, y0], i) => {
    const [x1, y1] = corners[(i + 1) % corners.length]!;
    const [ex, ey] = [x1 - x0, y1 - y0];
    const lengthSq = ex * ex + ey * ey;
    if (ex * (h - y0) - ey * (r - x0) < 0) inside = false;
    const s = lengthSq === 0 ? 0 : Math.max(0, Math.min(1, (ex * (r - x0) + ey * (h - y0)) / lengthSq));
    best = Math.min(best, Math.hypot(r - x0 - s * ex, h - y0 - s * ey));
  });
  return inside ? -best : best;
}

/** Distance from an axis, and height above its foot. */
function polar(p: Vec3, a: Vec3, axis: Vec3): [number, number] {
  const m = plus(p, a, -1);
  return [length(cross(m, axis)), dot(m, axis)];
}

const SOLIDS: Record<string, (rng: Rng, place: Place) => Solid> = {
  sphere(rng, { at, scale }) {
    const sphere = { center: at, radius: extent(rng) * scale };
    return {
      distance: (p) => length(plus(p, at, -1)) - sphere.radius,
      ray: (ray, tMax, out) => raySphere(ray, sphere, tMax, out),
      segment: (p, q, out) => segmentSphere(p, q, sphere, out),
      aim: at,
      axis: direction(rng),
      size: sphere.radius,
    };
  },
  aabb(rng, { at, scale }) {
    const h = vec3(extent(rng) * scale, extent(rng) * scale, extent(rng) * scale);
    const box = { min: plus(at, h, -1), max: plus(at, h) };
    return {
      distance: (p) =>
        boxDistance(
          Math.max(box.min.x - p.x, p.x - box.max.x),
          Math.max(box.min.y - p.y, p.y - box.max.y),
          Math.max(box.min.z - p.z, p.z - box.max.z),
        ),
      ray: (ray, tMax, out) => rayAabb(ray, box, tMax, out),
      segment: (p, q, out) => segmentAabb(p, q, box, out),
      aim: at,
      axis: vec3(0, 1, 0),
      size: length(h),
    };
  },
  obb(rng, { at, scale }) {
    const h = vec3(extent(rng) * scale, extent(rng) * scale, extent(rng) * scale);
    const { rotation, axes } = frame(rng);
    const box = { center: at, halfSize: h, rotation };
    return {
      distance(p) {
        const m = plus(p, at, -1);
        const [x, y, z] = axes.map((axis) => Math.abs(dot(m, axis))) as [number, number, number];
        return boxDistance(x - h.x, y - h.y, z - h.z);
      },
      ray: (ray, tMax, out) => rayObb(ray, box, tMax, out),
      segment: (p, q, out) => segmentObb(p, q, box, out),
      aim: at,
      axis: axes[0],
      size: length(h),
    };
  },
  cylinder(rng, { at, scale }) {
    const { b, axis, height } = rod(rng, at, Math.max(1e-3, extent(rng)) * scale);
    const cylinder = { a: at, b, radius: extent(rng) * scale };
    const { radius: r } = cylinder;
    return {
      distance: (p) =>
        profileDistance(
          [
            [-r, 0],
            [r, 0],
            [r, height],
            [-r, height],
          ],
          ...polar(p, at, axis),
        ),
      ray: (ray, tMax, out) => rayCylinder(ray, cylinder, tMax, out),
      segment: (p, q, out) => segmentCylinder(p, q, cylinder, out),
      aim: plus(at, axis, rng.unit() * height),
      axis,
      size: height + r,
      thin: r === 0,
    };
  },
  'infinite cylinder'(rng, { at, scale }) {
    const { b, axis } = rod(rng, at, scale);
    const cylinder = { a: at, b, radius: extent(rng) * scale };
    return {
      distance: (p) => polar(p, at, axis)[0] - cylinder.radius,
      ray: (ray, tMax, out) => rayInfiniteCylinder(ray, cylinder, tMax, out),
      segment: (p, q, out) => segmentInfiniteCylinder(p, q, cylinder, out),
      aim: at,
      axis,
      size: cylinder.radius,
    };
  },
  capsule(rng, { at, scale }) {
    const { b, axis, height } = rod(rng, at, extent(rng) * scale);
    const capsule = { a: at, b, radius: extent(rng) * scale };
    return {
      distance(p) {
        const m = plus(p, at, -1);
        const s = Math.max(0, Math.min(height, dot(m, axis)));
        return length(plus(m, axis, -s)) - capsule.radius;
      },
      ray: (ray, tMax, out) => rayCapsule(ray, capsule, tMax, out),
      segment: (p, q, out) => segmentCapsule(p, q, capsule, out),
      aim: plus(at, axis, rng.unit() * height),
      axis,
      size: height + capsule.radius,
      thin: capsule.radius === 0,
    };
  },
  cone(rng, { at, scale }) {
    const { b, axis, height } = rod(rng, at, Math.max(0.1, extent(rng)) * scale);
    const cone = { tip: at, base: b, radius: extent(rng) * scale };
    const { radius: r } = cone;
    return {
      distance: (p) =>
        profileDistance(
          [
            [0, 0],
            [r, height],
            [-r, height],
          ],
          ...polar(p, at, axis),
        ),
      ray: (ray, tMax, out) => rayCone(ray, cone, tMax, out),
      segment: (p, q, out) => segmentCone(p, q, cone, out),
      aim: plus(at, axis, rng.unit() * height),
      axis,
      size: height + r,
      thin: r === 0,
    };
  },
  ellipsoid(rng, { at, scale }) {
    const radii = vec3(rng.range(0.3, 3) * scale, rng.range(0.3, 3) * scale, rng.range(0.3, 3) * scale);
    const { rotation, axes } = frame(rng);
    const ellipsoid = { center: at, halfSize: radii, rotation };
    const local = (p: Vec3) => axes.map((axis) => dot(plus(p, at, -1), axis)) as [number, number, number];
    return {
      distance(p) {
        const [x, y, z] = local(p);
        return (Math.hypot(x / radii.x, y / radii.y, z / radii.z) - 1) * Math.min(radii.x, radii.y, radii.z);
      },
      ray: (ray, tMax, out) => rayEllipsoid(ray, ellipsoid, tMax, out),
      segment: (p, q, out) => segmentEllipsoid(p, q, ellipsoid, out),
      aim: at,
      axis: axes[2],
      size: radii.x + radii.y + radii.z,
      gauge(p) {
        const [x, y, z] = local(p);
        const g = [x / radii.x ** 2, y / radii.y ** 2, z / radii.z ** 2];
        const n = axes.reduce((sum, axis, i) => plus(sum, axis, g[i]!), vec3());
        return vec3(n.x / length(n), n.y / length(n), n.z / length(n));
      },
    };
  },
};

/** Towards the solid, past it, along its axis, across it, along nothing; from outside, inside and its very middle. */
function makeRay(rng: Rng, { aim, axis, size }: Solid, { scale }: Place): Ray {
  const reach = size + scale * 1e-2;
  const from = rng.pick([0.1, 1, 3, 3, 30, 1e3]) * reach;
  const origin = rng.pick([
    plus(aim, rng.direction(), from),
    plus(aim, rng.direction(), from),
    plus(aim, axis, from * rng.sign()),
    plus(plus(aim, rng.direction(), reach * rng.unit()), axis, from * rng.sign()),
    aim,
  ]);
  const target = plus(aim, rng.direction(), reach * rng.pick([0, 0.3, 0.6, 1, 1, 2]) * rng.unit());
  const towards = plus(target, origin, -1);
  const d = rng.pick([
    towards,
    towards,
    towards,
    plus(vec3(), axis, from * rng.sign()),
    rng.direction(),
    vec3(),
  ]);
  return { origin, direction: plus(vec3(), d, rng.pick([1, 1, 0.2, 1e-6, 1e6])) };
}

/** The least value of a convex function on [0, end], and where: golden section. */
function minimum(f: (t: number) => number, end: number): { t: number; value: number } {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [0, end];
  let [l, r] = [end * (1 - ratio), end * ratio];
  let [fl, fr] = [f(l), f(r)];
  for (let i = 0; i < 76; i++) {
    if (fl <= fr) {
      high = r;
      [r, fr] = [l, fl];
      l = high - ratio * (high - low);
      fl = f(l);
    } else {
      low = l;
      [l, fl] = [r, fr];
      r = low + ratio * (high - low);
      fr = f(r);
    }
  }
  const t = [0, low, l, r, high, end].reduce((a, b) => (f(b) < f(a) ? b : a));
  return { t, value: f(t) };
}

/**
 * Compares with the oracle, over t in [0, tMax]. Coordinates are rounded to 2^-53 of their size, and lengths of the
 * ray add to that; the tolerance allows some sixty such roundings.
 */
function verify(hit: Hit | null, ray: Ray, tMax: number, solid: Solid, scale: number): void {
  const { origin: o, direction: d } = ray;
  const speed = length(d);
  const away = length(plus(solid.aim, o, -1)) + solid.size + scale;
  const tolerance = 1e-14 * (length(o) + length(solid.aim) + away);
  const g = (t: number) => solid.distance(plus(o, d, t));
  const end = speed === 0 ? 0 : Math.min(tMax, (2 * away) / speed);
  const least = minimum(g, end);
  // Beyond the reach of the oracle: a line next to the axis of an infinite cylinder.
  if (hit && hit.t > end && tMax > end) return;
  if (least.value > tolerance)
    check(hit === null, () => `a hit at ${hit?.t}, but no nearer than ${least.value}`);
  if (least.value < -tolerance) check(hit !== null, () => `a miss, but ${-least.value} deep at ${least.t}`);
  if (!hit) return;
  check(hit.t >= 0 && hit.t <= tMax, `t = ${hit.t}`);
  const { point, normal } = hit;
  for (const k of ['x', 'y', 'z'] as const) near(point[k], o[k] + hit.t * d[k], tolerance, `point.${k}`);
  if (hit.t === 0) {
    check(g(0) <= tolerance, 'a start that is not inside');
    for (const k of ['x', 'y', 'z'] as const)
      near(normal[k], speed ? -d[k] / speed : 0, 1e-15, `normal.${k}`);
    return;
  }
  check(g(0) >= -tolerance, 'a start inside that is not told');
  near(solid.distance(point), 0, solid.thin ? 10 * tolerance : tolerance, 'distance of the point');
  check(hit.t <= least.t || g(0.5 * (least.t + hit.t)) >= -tolerance, 'the entry, not the exit');
  near(length(normal), 1, 1e-15, '|normal|');
  if (solid.thin || tolerance > 1e-9 * solid.size) return; // or a speck: its normal is rounding
  if (solid.gauge) {
    const n = solid.gauge(point);
    for (const k of ['x', 'y', 'z'] as const)
      near(normal[k], n[k], 1e-7 + (1e3 * tolerance) / solid.size, 'normal');
  } else {
    const step = 1e-2 * solid.size;
    near(
      solid.distance(plus(point, normal, step)),
      step,
      1e-6 * step + 4 * tolerance,
      'a step along the normal',
    );
  }
}

describe('[R5.3.2] [R5.3.3a] [R5.3.7] against the signed distance', () => {
  const out = makeHit();
  for (const [name, make] of Object.entries(SOLIDS)) {
    const row = name === 'sphere' ? 'R5.3.2' : /bb/.test(name) ? 'R5.3.3a' : 'R5.3.7';
    property(`[${row}] ray and segment against ${name}`, 10_000, (rng) => {
      const where = place(rng);
      const solid = make(rng, where);
      const ray = makeRay(rng, solid, where);
      verify(solid.ray(ray), ray, Infinity, solid, where.scale);
      const tMax = rng.pick([0, 0.5, 1, 1.5]);
      verify(solid.ray(ray, tMax, out), ray, tMax, solid, where.scale);
      const end = plus(ray.origin, ray.direction);
      const direct = { origin: ray.origin, direction: plus(end, ray.origin, -1) };
      verify(solid.segment(ray.origin, end, out), direct, 1, solid, where.scale);
    });
  }
});

property('[R5.3.2] the boolean forms agree with the hits', 20_000, (rng) => {
  const where = place(rng);
  const sphere = { center: where.at, radius: extent(rng) * where.scale };
  const solid = SOLIDS['sphere']!(rng, where);
  const ray = makeRay(rng, { ...solid, size: sphere.radius }, where);
  const end = plus(ray.origin, ray.direction);
  const gap = (is: boolean, hit: Hit | null, tMax: number) => {
    if (is === (hit !== null)) return;
    // Only where rounding decides: at the tangent, or with the end on the sphere.
    const g = (t: number) => length(plus(plus(ray.origin, ray.direction, t), sphere.center, -1));
    const reach = Math.min(
      tMax,
      (2 * (length(plus(ray.origin, where.at, -1)) + sphere.radius)) / length(ray.direction),
    );
    const scale = length(ray.origin) + length(where.at) + sphere.radius;
    near(minimum(g, reach).value, sphere.radius, 1e-14 * scale, 'least distance');
  };
  gap(overlapRaySphere(ray, sphere), raySphere(ray, sphere), Infinity);
  gap(overlapSegmentSphere(ray.origin, end, sphere), segmentSphere(ray.origin, end, sphere), 1);
});

test('without out, a record is made; with it, it is filled and returned', () => {
  const out = makeHit();
  const ray = { origin: vec3(-3, 0, 0), direction: vec3(2, 0, 0) };
  const sphere = { center: vec3(), radius: 1 };
  expect(raySphere(ray, sphere, Infinity, out)).toBe(out);
  expect(out).toEqual({ t: 1, point: vec3(-1, 0, 0), normal: vec3(-1, 0, 0) });
  expect(raySphere(ray, sphere)).toEqual(out);
});
