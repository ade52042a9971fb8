/**
 * Points and vectors that rotate about an axis: p(α) = p + sin α c - (1 - cos α) u, where u is the part of the vector from the
 * axis to p that is perpendicular to the axis k, and c = k × u.
 */

import type { Direction } from '../features.ts';
import { firstZero } from './half-angle.ts';

/** A rotation about the line through (ox, oy, oz) along the unit vector k. @internal */
export class AxisRotation {
  kx = 0.5;
  ky = 0.5;
  kz = 0.5;
  ox = 0.5;
  oy = 0.5;
  oz = 0.5;
}

/** A point or vector that rotates: where it starts, c and u. @internal */
export class Arc {
  x = 0.5;
  y = 0.5;
  z = 0.5;
  cx = 0.5;
  cy = 0.5;
  cz = 0.5;
  ux = 0.5;
  uy = 0.5;
  uz = 0.5;
  /** Its distance from the axis. */
  reach = 0.5;
}

/** The arc of the point (x, y, z). @internal */
export function startArc(arc: Arc, about: AxisRotation, x: number, y: number, z: number): void {
  startVector(arc, about, x - about.ox, y - about.oy, z - about.oz);
  arc.x = x;
  arc.y = y;
  arc.z = z;
  arc.reach = Math.sqrt(arc.cx * arc.cx + arc.cy * arc.cy + arc.cz * arc.cz);
}

/** The same for a vector, which rotates wherever the axis is. @internal */
export function startVector(arc: Arc, { kx, ky, kz }: AxisRotation, x: number, y: number, z: number): void {
  const along = kx * x + ky * y + kz * z;
  arc.x = x;
  arc.y = y;
  arc.z = z;
  arc.cx = ky * z - kz * y;
  arc.cy = kz * x - kx * z;
  arc.cz = kx * y - ky * x;
  arc.ux = x - along * kx;
  arc.uy = y - along * ky;
  arc.uz = z - along * kz;
}

/** An angle, at most half a turn, by its sine and 1 - cosine. @internal */
export interface ArcAngle {
  sine: number;
  versine: number;
}

/**
 * Writes the box of an arc to `boxes`: low x, y, z, high x, y, z from `at` on. It is that of the arc, not of its ends. van
 * Waveren 2005, §5. Arcs of points between others are between theirs, so the box of an edge is that of its ends.
 *
 * @internal
 */
export function boundArc(
  { x, y, z, cx, cy, cz, ux, uy, uz }: Arc,
  { sine, versine }: ArcAngle,
  margin: number,
  boxes: Float64Array,
  at: number,
): void {
  for (let i = 0; i < 3; i++) {
    const p = i === 0 ? x : i === 1 ? y : z;
    const c = i === 0 ? cx : i === 1 ? cy : cz;
    const u = i === 0 ? ux : i === 1 ? uy : uz;
    const end = sine * c - versine * u;
    let low = Math.min(end, 0);
    let high = Math.max(end, 0);
    // Within half a turn the derivative changes its sign at most once: c at the start, c cos - u sin at the end.
    const slope = c - versine * c - sine * u;
    if (c >= 0 && slope <= 0) high = Math.max(high, Math.sqrt(c * c + u * u) - u);
    if (c <= 0 && slope >= 0) low = Math.min(low, -Math.sqrt(c * c + u * u) - u);
    boxes[at + i] = p + low - margin;
    boxes[at + 3 + i] = p + high + margin;
  }
}

/** How fast a point that rotates rises along direction n. @internal */
export function riseAt(
  about: AxisRotation,
  { nx, ny, nz }: Direction,
  x: number,
  y: number,
  z: number,
): number {
  const { kx, ky, kz } = about;
  const dx = x - about.ox;
  const dy = y - about.oy;
  const dz = z - about.oz;
  return nx * (ky * dz - kz * dy) + ny * (kz * dx - kx * dz) + nz * (kx * dy - ky * dx);
}

/** The part of the vector from the axis to a point that is along direction n. @internal */
export function bendAt(
  about: AxisRotation,
  { nx, ny, nz }: Direction,
  x: number,
  y: number,
  z: number,
): number {
  const { kx, ky, kz } = about;
  const dx = x - about.ox;
  const dy = y - about.oy;
  const dz = z - about.oz;
  return nx * dx + ny * dy + nz * dz - (kx * dx + ky * dy + kz * dz) * (nx * kx + ny * ky + nz * kz);
}

/** A ball, by the offset d from its centre to a point on an arc. @internal */
export class Ball {
  dx = 0.5;
  dy = 0.5;
  dz = 0.5;
  radius = 0.5;
}

/**
 * More than the rounding of a squared distance: so much of where the point starts is lost in it. From far away a small ball looks
 * larger, and one that is just met is not passed by.
 */
const ROUNDING = 1 / 17592186044416; // 2^-44

/**
 * The first tan(α/2) at which the point of an arc comes to a ball: c and u are perpendicular and of one length, so that
 * |p(α) - q|² = |d|² + 2 d · c sin α - 2 (d · u - |u|²) (1 - cos α). Within a quarter turn never too late: where the ball is
 * just touched then, the half turn is farther away than |u|, so that the discriminant is lost by no more than its terms.
 *
 * @internal
 */
export function firstInBall({ cx, cy, cz, ux, uy, uz }: Arc, { dx, dy, dz, radius }: Ball): number {
  const far = dx * dx + dy * dy + dz * dz;
  const reach = ux * ux + uy * uy + uz * uz;
  const f = far - radius * radius - ROUNDING * far;
  if (!(f > 0)) return 0;
  return firstZero(f, 2 * (dx * cx + dy * cy + dz * cz), 2 * (dx * ux + dy * uy + dz * uz - reach));
}
