/** What convex shapes are, by closed forms that know nothing of cores and support maps. */
import type { Vec3 } from '../../src/math/types.ts';
import { closestPointTriangle } from '../../src/primitives/closest/index.ts';
import type { ConvexShape } from '../../src/shapes/shape.ts';
import type { Rng } from './rng.ts';

type Point = Readonly<Vec3>;

const dot = (a: Point, b: Point): number => a.x * b.x + a.y * b.y + a.z * b.z;
const sub = (a: Point, b: Point): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const cross = (a: Point, b: Point): Vec3 => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const highest = (points: readonly Point[], d: Point): number => Math.max(...points.map((p) => dot(p, d)));

/** How far the shape goes along d, times the length of d. */
export function heightOf(shape: ConvexShape, d: Point): number {
  const length = Math.hypot(d.x, d.y, d.z);
  const across = Math.hypot(d.x, d.z);
  switch (shape.kind) {
    case 'point':
      return 0;
    case 'sphere':
      return shape.radius * length;
    case 'box': {
      const { x, y, z } = shape.halfSize;
      return x * Math.abs(d.x) + y * Math.abs(d.y) + z * Math.abs(d.z) + shape.rounding * length;
    }
    case 'capsule':
      return shape.halfHeight * Math.abs(d.y) + shape.radius * length;
    case 'cylinder':
      return shape.halfHeight * Math.abs(d.y) + shape.radius * across + shape.rounding * length;
    case 'cone':
      return (
        Math.max(shape.halfHeight * d.y, shape.radius * across - shape.halfHeight * d.y) +
        shape.rounding * length
      );
    case 'ellipsoid': {
      const { x, y, z } = shape.radii;
      return Math.hypot(x * d.x, y * d.y, z * d.z) + shape.rounding * length;
    }
    case 'hull':
    case 'polygon':
      return highest(shape.points, d) + shape.rounding * length;
    case 'triangle':
      return highest([shape.a, shape.b, shape.c], d) + shape.rounding * length;
    case 'segment':
      return highest([shape.a, shape.b], d) + shape.rounding * length;
    case 'convex':
      throw new Error('a support map has no closed form');
  }
}

/** Does the shape hold p? For hulls, `triangles` are those of its surface. */
export function holds(shape: ConvexShape, p: Point, triangles: readonly (readonly Point[])[] = []): boolean {
  const rho = Math.hypot(p.x, p.z);
  switch (shape.kind) {
    case 'sphere':
      return Math.hypot(p.x, p.y, p.z) <= shape.radius;
    case 'box': {
      const { x, y, z } = shape.halfSize;
      const beyond = [Math.abs(p.x) - x, Math.abs(p.y) - y, Math.abs(p.z) - z].map((e) => Math.max(0, e));
      return Math.hypot(...beyond) <= shape.rounding;
    }
    case 'capsule':
      return Math.hypot(rho, Math.max(0, Math.abs(p.y) - shape.halfHeight)) <= shape.radius;
    case 'cylinder':
      return (
        Math.hypot(Math.max(0, rho - shape.radius), Math.max(0, Math.abs(p.y) - shape.halfHeight)) <=
        shape.rounding
      );
    case 'cone': {
      const { halfHeight: h, radius: a } = shape;
      const isInside = Math.abs(p.y) <= h && rho * 2 * h <= a * (h - p.y);
      const [tip, rim, base] = [
        [0, h],
        [a, -h],
        [0, -h],
      ] as const;
      return (
        isInside || Math.min(toSegment(rho, p.y, tip, rim), toSegment(rho, p.y, rim, base)) <= shape.rounding
      );
    }
    case 'ellipsoid':
      return ellipsoidDistance(p, shape.radii) <= shape.rounding;
    case 'segment':
      return triangleDistance(p, [shape.a, shape.b, shape.b]) <= shape.rounding;
    case 'triangle':
      return triangleDistance(p, [shape.a, shape.b, shape.c]) <= shape.rounding;
    case 'hull':
    case 'polygon':
      return (
        (shape.kind === 'hull' && triangles.every((t) => isBehind(p, t))) ||
        triangles.some((t) => triangleDistance(p, t) <= shape.rounding)
      );
    default:
      throw new Error(`no oracle for ${shape.kind}`);
  }
}

function toSegment(x: number, y: number, a: readonly number[], b: readonly number[]): number {
  const [ux, uy] = [b[0]! - a[0]!, b[1]! - a[1]!];
  const lengthSq = ux * ux + uy * uy;
  const t = lengthSq > 0 ? ((x - a[0]!) * ux + (y - a[1]!) * uy) / lengthSq : 0;
  const s = Math.min(1, Math.max(0, t));
  return Math.hypot(x - a[0]! - s * ux, y - a[1]! - s * uy);
}

function triangleDistance(p: Point, [a, b, c]: readonly Point[]): number {
  const q = closestPointTriangle(p, a!, b!, c!);
  return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
}

const isBehind = (p: Point, [a, b, c]: readonly Point[]): boolean =>
  dot(cross(sub(b!, a!), sub(c!, a!)), sub(p, a!)) <= 0;

/** From p to the ellipsoid: the foot q has p - q = t q / r², and t is found by halving. */
function ellipsoidDistance(p: Point, radii: Point): number {
  const r = [radii.x, radii.y, radii.z];
  const x = [p.x, p.y, p.z];
  const level = (t: number): number => r.reduce((sum, ri, i) => sum + ((ri * x[i]!) / (t + ri * ri)) ** 2, 0);
  if (level(0) <= 1) return 0;
  let [low, high] = [0, Math.hypot(...x) * Math.max(...r) + 1];
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (level(middle) > 1) low = middle;
    else high = middle;
  }
  return Math.hypot(...x.map((xi, i) => xi - (r[i]! * r[i]! * xi) / (high + r[i]! * r[i]!)));
}

/** A size that is zero, small, large or ordinary. */
export const anySize = (rng: Rng): number =>
  rng.pick([0, 1, rng.range(0.1, 3), rng.range(0.1, 3), 1e-6, 1e6]);
