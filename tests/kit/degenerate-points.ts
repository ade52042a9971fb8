/** Points brought into awkward positions: the degenerate cases that independent points never show. */
import type { Vec3 } from '../../src/math/types.ts';
import type { Cloud, Rng } from './rng.ts';

/**
 * A cloud in which some points are moved onto others, onto the lines or the planes through others, or close to them
 * by anything from 1 to 1e-18 of the size: coincident, collinear, parallel, coplanar, touching, thin, exactly and
 * nearly.
 */
export function degeneratePoints(rng: Rng, { points, size }: Cloud, chance = 0.25): Vec3[] {
  for (let k = 0; k < points.length; k++) {
    if (!rng.chance(chance)) continue;
    const off = rng.chance(0.3) ? 0 : size * 10 ** -rng.range(0, 18);
    const on = between(rng, rng.pick(points), rng.pick(points));
    points[k] = nudge(rng, rng.chance(0.5) ? on : between(rng, on, rng.pick(points)), off);
  }
  return points;
}

/** A point of the line through a and b, most often between them, at times an end or the middle. */
export function between(rng: Rng, a: Vec3, b: Vec3): Vec3 {
  const t = rng.pick([0, 1, 0.5, rng.unit(), rng.range(-0.3, 1.3), rng.range(-1, 2)]);
  return { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), z: a.z + t * (b.z - a.z) };
}

/** p moved by up to `off` in every coordinate. */
export function nudge(rng: Rng, p: Vec3, off: number): Vec3 {
  return {
    x: p.x + off * rng.range(-1, 1),
    y: p.y + off * rng.range(-1, 1),
    z: p.z + off * rng.range(-1, 1),
  };
}

/** The largest distance of two of the points: what rounding of their differences is measured against. */
export function span(points: readonly Vec3[]): number {
  let largest = 0;
  for (const a of points)
    for (const b of points) largest = Math.max(largest, Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z));
  return largest;
}

/** The largest coordinate: what rounding of a result is measured against. */
export const reach = (points: readonly Vec3[]): number =>
  Math.max(...points.map((p) => Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z))));
