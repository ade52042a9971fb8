/**
 * Shapes of every convex kind, with a function each that tells how far a point is from it: plain formulas, brute force or
 * bisection, which share nothing with the library. And bodies: those shapes with poses.
 */
import type { Quat, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import * as shapes from '../../src/shapes/index.ts';
import type { Rng } from './rng.ts';

export interface Subject {
  readonly name: string;
  readonly shape: shapes.Shape;
  /** The distance; minus the depth inside, or (`roughInside`) any convex function that is below 0 there. */
  readonly level: (p: ReadonlyVec3) => number;
  readonly roughInside?: boolean;
  /** Some points of the shape, among them all that it is the hull of up to rounding, or some near its ends. */
  readonly points: readonly Vec3[];
  /** No inside: nothing has a level below 0. */
  readonly flat: boolean;
  readonly size: number;
}

const { abs, hypot, max, min, sqrt } = Math;
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const vec = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const sub = (a: ReadonlyVec3, b: ReadonlyVec3) => vec(a.x - b.x, a.y - b.y, a.z - b.z);
const mix = (a: ReadonlyVec3, b: ReadonlyVec3, t: number) =>
  vec(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
const cross = (a: ReadonlyVec3, b: ReadonlyVec3) =>
  vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
const norm = (a: ReadonlyVec3) => hypot(a.x, a.y, a.z);

function toSegment(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  const ab = sub(b, a);
  const whole = dot(ab, ab);
  const t = whole > 0 ? max(0, min(1, dot(sub(p, a), ab) / whole)) : 0;
  return norm(sub(p, mix(a, b, t)));
}

/** By its plane, if p stands over the triangle, else by its edges. */
export function toTriangle(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): number {
  const n = cross(sub(b, a), sub(c, a));
  const over = ([u, v]: [ReadonlyVec3, ReadonlyVec3]) => dot(cross(sub(v, u), sub(p, u)), n) >= 0;
  const length = norm(n);
  // Of a triangle without area, or next to none, the normal means nothing: it is its edges.
  const isClear = length > 1e-9 * norm(sub(b, a)) * norm(sub(c, a));
  if (isClear && over([a, b]) && over([b, c]) && over([c, a])) return abs(dot(sub(p, a), n)) / length;
  return min(toSegment(p, a, b), toSegment(p, b, c), toSegment(p, c, a));
}

/** The signed distance of (x, y) from a convex polygon, counter-clockwise, of which edges with x = 0 do not count. */
function toProfile(x: number, y: number, corners: readonly (readonly [number, number])[]): number {
  let outside = Infinity;
  let depth = Infinity;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    outside = min(outside, toSegment(vec(x, y, 0), vec(ax, ay, 0), vec(bx, by, 0)));
    if (ax === 0 && bx === 0) return;
    const length = hypot(bx - ax, by - ay);
    if (length > 0) depth = min(depth, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length);
  });
  return depth > 0 && depth < Infinity ? -depth : outside;
}

/** By bisection for the t with Σ (r p / (t + r²))² = 1, all in units of the largest radius. */
function toEllipsoid(p: ReadonlyVec3, r: readonly [number, number, number]): number {
  const big = max(...r);
  if (big === 0) return norm(p);
  const [e, q] = [r.map((x) => x / big), [p.x / big, p.y / big, p.z / big]] as [number[], number[]];
  const least = min(...e);
  const level = sqrt(e.reduce((sum, x, i) => sum + (x > 0 ? (q[i]! / x) ** 2 : 0), 0));
  const planar = hypot(...e.map((x, i) => (x > 0 ? 0 : q[i]!)));
  if (level <= 1) return planar > 0 ? planar * big : (level - 1) * least * big;
  let low = 0;
  let high = norm(vec(q[0]!, q[1]!, q[2]!)) * 2;
  for (let i = 0; i < 200; i++) {
    const t = (low + high) / 2;
    const g = e.reduce((sum, x, k) => sum + (x > 0 ? ((x * q[k]!) / (t + x * x)) ** 2 : 0), 0);
    if (g > 1) low = t;
    else high = t;
  }
  return big * hypot(...e.map((x, k) => (x > 0 ? (q[k]! * low) / (low + x * x) : q[k]!)));
}

const grown = (level: (p: ReadonlyVec3) => number, by: number) => (p: ReadonlyVec3) => level(p) - by;

/** Faces by trying all triples: slow, and plain. */
function facesOf(points: readonly Vec3[]): [Vec3, Vec3, Vec3][] {
  const faces: [Vec3, Vec3, Vec3][] = [];
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < points.length; j++)
      for (let k = max(i, j) + 1; k < points.length; k++) {
        if (i === j) continue;
        const [a, b, c] = [points[i]!, points[j]!, points[k]!];
        const n = cross(sub(b, a), sub(c, a));
        if (norm(n) > 0 && points.every((q) => dot(n, sub(q, a)) <= 1e-14 * norm(n))) faces.push([a, b, c]);
      }
  return faces;
}

/** The ends along the axes of a shape that has its support by its box. */
const ends = (x: number, y: number, z: number) => [
  vec(x, 0, 0),
  vec(-x, 0, 0),
  vec(0, y, 0),
  vec(0, -y, 0),
  vec(0, 0, z),
  vec(0, 0, -z),
];

export const SUBJECTS = [
  'sphere',
  'box',
  'capsule',
  'cylinder',
  'cone',
  'ellipsoid',
  'hull',
  'triangle',
  'polygon',
  'segment',
  'point',
  'convex box',
  'convex ellipsoid',
  'convex round cylinder',
] as const;

/** A random shape of a kind; sizes are about 1, at times zero or small; half of them are rounded, where that can be. */
export function randomSubject(rng: Rng, name: (typeof SUBJECTS)[number], solid = false): Subject {
  const length = () =>
    !solid && rng.chance(0.15) ? 0 : rng.chance(0.15) ? rng.range(0.01, 0.05) : rng.range(0.3, 1.5);
  const rounding = rng.chance(0.5) ? 0 : rng.range(0.05, 0.6);
  const [x, y, z] = [length(), length(), length()];
  const corner = () => rng.vec(1.2);
  switch (name) {
    case 'sphere':
      return {
        name,
        shape: shapes.sphere(x),
        level: (p) => norm(p) - x,
        points: ends(x, x, x),
        flat: x === 0,
        size: x,
      };
    case 'point':
      return { name, shape: shapes.point(), level: norm, points: [vec(0, 0, 0)], flat: true, size: 0 };
    case 'box':
    case 'convex box': {
      const level = (p: ReadonlyVec3) => {
        const [u, v, w] = [abs(p.x) - x, abs(p.y) - y, abs(p.z) - z];
        return hypot(max(u, 0), max(v, 0), max(w, 0)) + min(0, max(u, v, w)) - rounding;
      };
      const signs = (i: number) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1] as const;
      const points = Array.from({ length: 8 }, (_, i) =>
        vec(signs(i)[0] * x, signs(i)[1] * y, signs(i)[2] * z),
      );
      const shape =
        name === 'box'
          ? shapes.box(x, y, z, rounding)
          : shapes.convex(
              (d, out = vec(0, 0, 0)) =>
                Object.assign(out, vec(d.x < 0 ? -x : x, d.y < 0 ? -y : y, d.z < 0 ? -z : z)),
              { rounding },
            );
      return {
        name,
        shape,
        level,
        points,
        flat: min(x, y, z) + rounding === 0,
        size: hypot(x, y, z) + rounding,
      };
    }
    case 'capsule': {
      const [a, b] = [vec(0, x, 0), vec(0, -x, 0)];
      const level = (p: ReadonlyVec3) => toSegment(p, a, b) - y;
      return { name, shape: shapes.capsule(x, y), level, points: [a, b], flat: y === 0, size: x + y };
    }
    case 'segment': {
      const [a, b] = [corner(), rng.chance(0.1) ? vec(0, 0, 0) : corner()];
      const level = (p: ReadonlyVec3) => toSegment(p, a, b) - rounding;
      const size = max(norm(a), norm(b)) + rounding;
      return {
        name,
        shape: shapes.segment(a, b, rounding),
        level,
        points: [a, b],
        flat: rounding === 0,
        size,
      };
    }
    case 'cylinder':
    case 'convex round cylinder': {
      const profile = [
        [0, -x],
        [y, -x],
        [y, x],
        [0, x],
      ] as const;
      const level = grown((p) => toProfile(hypot(p.x, p.z), p.y, profile), rounding);
      // The rounding in the support map: nothing but a smooth set.
      const support = (d: ReadonlyVec3, out: Vec3 = vec(0, 0, 0)) => {
        const [across, all] = [hypot(d.x, d.z), norm(d)];
        const k = (across > 0 ? y / across : 0) + rounding / all;
        return Object.assign(out, vec(k * d.x, (d.y < 0 ? -x : x) + (rounding * d.y) / all, k * d.z));
      };
      const shape = name === 'cylinder' ? shapes.cylinder(x, y, rounding) : shapes.convex(support);
      return {
        name,
        shape,
        level,
        points: [...ends(y, x, y), vec(y, x, 0), vec(-y, -x, 0)],
        flat: min(x, y) + rounding === 0,
        size: hypot(x, y) + rounding,
      };
    }
    case 'cone': {
      const profile = [
        [0, -x],
        [y, -x],
        [0, x],
      ] as const;
      const level = grown((p) => toProfile(hypot(p.x, p.z), p.y, profile), rounding);
      const points = [vec(0, x, 0), vec(y, -x, 0), vec(-y, -x, 0), vec(0, -x, y), vec(0, -x, -y)];
      return {
        name,
        shape: shapes.cone(x, y, rounding),
        level,
        points,
        flat: min(x, y) + rounding === 0,
        size: hypot(x, y) + rounding,
      };
    }
    case 'ellipsoid':
    case 'convex ellipsoid': {
      const level = grown((p) => toEllipsoid(p, [x, y, z]), rounding);
      const shape =
        name === 'ellipsoid'
          ? shapes.ellipsoid(x, y, z, rounding)
          : shapes.convex(
              (d, out = vec(0, 0, 0)) => {
                const k = hypot(x * d.x, y * d.y, z * d.z) || 1;
                return Object.assign(out, vec((x * x * d.x) / k, (y * y * d.y) / k, (z * z * d.z) / k));
              },
              { rounding },
            );
      return {
        name,
        shape,
        level,
        roughInside: true,
        points: ends(x, y, z),
        flat: min(x, y, z) + rounding === 0,
        size: max(x, y, z) + rounding,
      };
    }
    case 'triangle': {
      const points = [corner(), corner(), corner()] as [Vec3, Vec3, Vec3];
      if (!solid && rng.chance(0.1)) points[2] = mix(points[0], points[1], rng.pick([0, 0.5, 2]));
      const [a, b, c] = points;
      const level = (p: ReadonlyVec3) => toTriangle(p, a, b, c) - rounding;
      return {
        name,
        shape: shapes.triangle(a, b, c, rounding),
        level,
        points,
        flat: rounding === 0,
        size: max(...points.map(norm)) + rounding,
      };
    }
    case 'polygon': {
      const [o, u] = [corner(), rng.direction()];
      const v = cross(u, rng.direction());
      const count = rng.int(3, 7);
      const points = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * (i + 0.4 * rng.unit())) / count;
        const [s, t] = [Math.cos(angle), Math.sin(angle) / norm(v)];
        return vec(o.x + s * u.x + t * v.x, o.y + s * u.y + t * v.y, o.z + s * u.z + t * v.z);
      });
      const level = (p: ReadonlyVec3) =>
        min(...points.slice(2).map((c, i) => toTriangle(p, points[0]!, points[i + 1]!, c))) - rounding;
      return {
        name,
        shape: shapes.polygon(points, rounding),
        level,
        points,
        flat: rounding === 0,
        size: max(...points.map(norm)) + rounding,
      };
    }
    case 'hull': {
      const points = Array.from({ length: rng.int(4, 9) }, corner);
      const faces = facesOf(points);
      const planes = faces.map(([a, b, c]) => {
        const n = cross(sub(b, a), sub(c, a));
        return (p: ReadonlyVec3) => dot(n, sub(p, a)) / norm(n);
      });
      const level = (p: ReadonlyVec3) => {
        const height = max(...planes.map((plane) => plane(p)));
        return (height > 0 ? min(...faces.map(([a, b, c]) => toTriangle(p, a, b, c))) : height) - rounding;
      };
      return {
        name,
        shape: shapes.hull(points, rounding),
        level,
        points,
        flat: false,
        size: max(...points.map(norm)) + rounding,
      };
    }
  }
}

/** A body: the collider, and what takes points of its own space to the world and back, by a matrix. */
export interface PosedSubject extends Subject {
  readonly body: shapes.Collider;
  readonly toWorld: (p: ReadonlyVec3) => Vec3;
  readonly toOwn: (p: ReadonlyVec3) => Vec3;
  /** The size of all coordinates. */
  readonly scale: number;
}

export function posed(subject: Subject, position: Vec3, quaternion: Quat): PosedSubject {
  const { x, y, z, w } = quaternion;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const rows = [
    vec(1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
    vec(s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)),
    vec(s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)),
  ] as const;
  const toWorld = (p: ReadonlyVec3) =>
    vec(dot(rows[0], p) + position.x, dot(rows[1], p) + position.y, dot(rows[2], p) + position.z);
  const toOwn = (p: ReadonlyVec3) => {
    const q = sub(p, position);
    return vec(
      rows[0].x * q.x + rows[1].x * q.y + rows[2].x * q.z,
      rows[0].y * q.x + rows[1].y * q.y + rows[2].y * q.z,
      rows[0].z * q.x + rows[1].z * q.y + rows[2].z * q.z,
    );
  };
  const scale = subject.size + norm(position);
  return {
    ...subject,
    body: shapes.collider(subject.shape, { position, quaternion }),
    toWorld,
    toOwn,
    scale,
  };
}

/** A random pose: at the origin unturned, anywhere, or far away; the quaternion is not always of length 1. */
export function randomPose(rng: Rng): { position: Vec3; quaternion: Quat } {
  if (rng.chance(0.2)) return { position: vec(0, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const q = rng.rotation();
  const k = rng.chance(0.3) ? rng.range(0.1, 10) : 1;
  const quaternion = { x: k * q.x, y: k * q.y, z: k * q.z, w: k * q.w };
  return { position: rng.vec(rng.pick([3, 3, 1e5])), quaternion };
}

/** A point of the shape, in its own space: most often inside of it, or else a corner or between two. */
export function pointOf(rng: Rng, { points }: Subject): Vec3 {
  if (rng.chance(0.1)) return rng.pick(points);
  let p = rng.pick(points);
  for (let i = 0; i < 4; i++) p = mix(p, rng.pick(points), rng.unit());
  return p;
}
