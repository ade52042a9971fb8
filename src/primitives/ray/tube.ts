import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { ReadonlyCylinder, ReadonlyRay, Span } from '../types.ts';

/** The part of a line within a tube, and what is needed to go on from there. */
export interface TubeSpan extends Span {
  /** Out of the tube where the line enters; of any length but 0. */
  normal: Vec3;
  /** Unit vector from a to b; 0 when there is no axis, in which case nothing else is filled in. */
  axis: Vec3;
  /** The distance from a to b. */
  length: number;
  /** Height of the origin above a, along the axis. */
  height: number;
  /** Height gained per unit of t. */
  climb: number;
}

export const makeTubeSpan = (): TubeSpan => ({
  enter: 0,
  exit: 0,
  normal: vec3(),
  axis: vec3(),
  length: 0,
  height: 0,
  climb: 0,
});

/**
 * The part of a line within `tube.radius` of the line through a and b; false when there is none, or when a = b.
 *
 * Seen along the axis, the tube is a disc. Origin and direction are freed of their parts along the axis as vectors,
 * so that what is left of a nearly parallel direction is small but a square, never a difference that dips below zero;
 * and the disc is met from the nearest point of the line, not by b² - ac. RTCD §5.3.7.
 */
export function clipTube(ray: ReadonlyRay, tube: ReadonlyCylinder, out: TubeSpan): boolean {
  const { x: ax, y: ay, z: az } = tube.a;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { axis, normal } = out;
  v3.sub(tube.b, tube.a, normal);
  v3.normalize(normal, axis);
  const { x: nx, y: ny, z: nz } = axis;
  if (nx === 0 && ny === 0 && nz === 0) return false;
  const mx = ray.origin.x - ax;
  const my = ray.origin.y - ay;
  const mz = ray.origin.z - az;
  const height = mx * nx + my * ny + mz * nz;
  const climb = dx * nx + dy * ny + dz * nz;
  out.length = normal.x * nx + normal.y * ny + normal.z * nz;
  out.height = height;
  out.climb = climb;
  out.enter = -Infinity;
  out.exit = Infinity;
  const px = mx - height * nx;
  const py = my - height * ny;
  const pz = mz - height * nz;
  const ex = dx - climb * nx;
  const ey = dy - climb * ny;
  const ez = dz - climb * nz;
  const speedSq = ex * ex + ey * ey + ez * ez;
  const radiusSq = tube.radius * tube.radius;
  if (speedSq === 0) return px * px + py * py + pz * pz <= radiusSq;
  // To the nearest point, in two steps: the second takes back what the first lost when the origin is far away.
  const first = -(px * ex + py * ey + pz * ez) / speedSq;
  const fx = px + first * ex;
  const fy = py + first * ey;
  const fz = pz + first * ez;
  const second = -(fx * ex + fy * ey + fz * ez) / speedSq;
  const qx = fx + second * ex;
  const qy = fy + second * ey;
  const qz = fz + second * ez;
  const chordSq = radiusSq - (qx * qx + qy * qy + qz * qz);
  if (!(chordSq >= 0)) return false;
  const half = Math.sqrt(chordSq / speedSq);
  out.enter = first + second - half;
  out.exit = first + second + half;
  normal.x = qx - half * ex;
  normal.y = qy - half * ey;
  normal.z = qz - half * ez;
  // Without radius there is no normal; one against the direction will do.
  if (normal.x === 0 && normal.y === 0 && normal.z === 0) {
    normal.x = -ex;
    normal.y = -ey;
    normal.z = -ez;
  }
  return true;
}

/** Is there an axis at all? Asked after `clipTube`. */
export const hasAxis = ({ axis }: TubeSpan): boolean => axis.x !== 0 || axis.y !== 0 || axis.z !== 0;
