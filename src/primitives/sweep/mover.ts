/**
 * A moving sphere against a point and a segment: the two kernels from which the sweeps of spheres and capsules are
 * made. RTCD §5.5.5-6.
 *
 * **Never late.** A kernel looks for the first contact of a sphere that is larger by `slack`, an allowance for what
 * rounding does to a distance computed here. So the time it reports is not later than the exact one and a miss is a
 * true miss; and at that time the exact gap is at most about twice the slack (six times at the corners of a face, which
 * is taken for a little larger so that seams are tight). The slack is 2⁻⁴⁹ of the lengths at hand: the distance to the
 * target, the motion, the radius, the size of the target; not the distance from the origin, because only differences
 * of coordinates enter. In time that is slack / (speed of approach): next to nothing, except at a grazing angle; and a
 * graze within twice the slack may be reported as a hit.
 *
 * Squares of lengths, and fourth powers in the normals of faces, must stay within the range of doubles.
 */
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { copy, normalize, perpendicular, set } from '../../math/vec3.ts';
import type { Hit } from '../types.ts';
import { makeHit } from '../types.ts';

/** Just past the end of the motion: kernels look for times below `hit.t`, and 1 is still part of it. */
export const PAST_THE_END = 1 + Number.EPSILON;

/**
 * A moving sphere, private to the library so that its kernels see one kind of object.
 * @internal
 */
export interface Mover {
  x: number;
  y: number;
  z: number;
  /** Its radius and that of the target's core, together. */
  radius: number;
  /** The part of the radius that belongs to the target. */
  thickness: number;
  vx: number;
  vy: number;
  vz: number;
  /** |v|². */
  vv: number;
  /** Radius and motion as lengths that rounding errors scale with. */
  reach: number;
  /** How much the radius was grown for the feature at hand, the time of contact with it, its distance at the start. */
  slack: number;
  t: number;
  distanceSq: number;
  /** The squared distance from the centre to what is in touch at the start: of several, the nearest is reported. */
  restSq: number;
}

/** @internal */
export const makeMover = (): Mover => ({
  x: 0,
  y: 0,
  z: 0,
  radius: 0,
  thickness: 0,
  vx: 0,
  vy: 0,
  vz: 0,
  vv: 0,
  reach: 0,
  slack: 0,
  t: 0,
  distanceSq: 0,
  restSq: Infinity,
});

/**
 * Loads a moving sphere. `radius` and `thickness` are set by the caller: a number that crosses a call costs memory.
 * @internal
 */
export function loadMover(center: ReadonlyVec3, motion: ReadonlyVec3, out: Mover): Mover {
  const { x: vx, y: vy, z: vz } = motion;
  out.x = center.x;
  out.y = center.y;
  out.z = center.z;
  out.vx = vx;
  out.vy = vy;
  out.vz = vz;
  out.vv = vx * vx + vy * vy + vz * vz;
  out.reach = Math.abs(vx) + Math.abs(vy) + Math.abs(vz) + out.radius;
  out.restSq = Infinity;
  return out;
}

/**
 * Is the contact in `mover.t` news? It is when it comes before `hit.t`, or is as early as can be and nearer. Takes note.
 * @internal
 */
export function isFirst(mover: Mover, hit: Hit): boolean {
  const { t, distanceSq } = mover;
  const nearer = t === 0 && distanceSq < mover.restSq;
  if (!nearer && !(t < hit.t)) return false;
  if (t === 0) mover.restSq = distanceSq;
  hit.t = t;
  return true;
}

/**
 * Does the mover touch the point p before `hit.t`? Then the hit is filled and 1 returned, else 0.
 *
 *   c ─────(────q────)──▶ v    q = the centre when nearest to p: half chord² = r² - |q - p|²
 *
 * From q, not from b² - ac, which cancels for small distant spheres: Haines et al., Ray Tracing Gems (2019), ch. 7.
 * @internal
 */
export function touchPoint(mover: Mover, p: ReadonlyVec3, hit: Hit): number {
  const { vx, vy, vz, vv } = mover;
  const { x: px, y: py, z: pz } = p;
  const mx = mover.x - px;
  const my = mover.y - py;
  const mz = mover.z - pz;
  const slack = SWEEP_SLACK * (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + mover.reach);
  const r = mover.radius + slack;
  const distanceSq = mx * mx + my * my + mz * mz;
  const outside = distanceSq - r * r;
  let t = 0;
  if (outside > 0) {
    const mv = mx * vx + my * vy + mz * vz;
    if (!(mv < 0)) return 0;
    const k = -mv / vv;
    const qx = mx + k * vx;
    const qy = my + k * vy;
    const qz = mz + k * vz;
    const chord = r * r - (qx * qx + qy * qy + qz * qz);
    if (!(chord >= 0)) return 0;
    t = outside / (Math.sqrt(vv * chord) - mv);
  }
  mover.t = t;
  mover.distanceSq = distanceSq;
  if (!isFirst(mover, hit)) return 0;
  hit.point.x = px;
  hit.point.y = py;
  hit.point.z = pz;
  hit.normal.x = mx + t * vx;
  hit.normal.y = my + t * vy;
  hit.normal.z = mz + t * vz;
  mover.slack = slack;
  chooseNormal(mover, hit);
  return 1;
}

/**
 * Does the mover touch the segment ab before `hit.t`? Then the hit is filled, and what was touched returned: 1 for
 * a, 2 for b, 3 for what lies between; else 0.
 *
 * The sphere meets the infinite line no later than the segment. If it meets it beyond an end, then it reaches the
 * segment through that end or not at all: the disc across the line at the end belongs to the end's sphere.
 * @internal
 */
export function touchSegment(mover: Mover, a: ReadonlyVec3, b: ReadonlyVec3, hit: Hit): number {
  const { vx, vy, vz } = mover;
  const { x: ax, y: ay, z: az } = a;
  const mx = mover.x - ax;
  const my = mover.y - ay;
  const mz = mover.z - az;
  const ex = b.x - ax;
  const ey = b.y - ay;
  const ez = b.z - az;
  const slack =
    SWEEP_SLACK *
    (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + (Math.abs(ex) + Math.abs(ey) + Math.abs(ez)) + mover.reach);
  const r = mover.radius + slack;
  const ee = ex * ex + ey * ey + ez * ez;
  // Place along the edge in units of e, at the start and per unit of t. Without length all is at a.
  const inverse = ee > 0 ? 1 / ee : 0;
  const s0 = (mx * ex + my * ey + mz * ez) * inverse;
  const s1 = (vx * ex + vy * ey + vz * ez) * inverse;
  // Across the edge.
  const px = mx - s0 * ex;
  const py = my - s0 * ey;
  const pz = mz - s0 * ez;
  const acrossSq = px * px + py * py + pz * pz;
  const outside = acrossSq - r * r;
  let t = 0;
  if (outside > 0) {
    const wx = vx - s1 * ex;
    const wy = vy - s1 * ey;
    const wz = vz - s1 * ez;
    const pw = px * wx + py * wy + pz * wz;
    if (!(pw < 0)) return 0;
    const ww = wx * wx + wy * wy + wz * wz;
    const k = -pw / ww;
    const qx = px + k * wx;
    const qy = py + k * wy;
    const qz = pz + k * wz;
    const chord = r * r - (qx * qx + qy * qy + qz * qz);
    if (!(chord >= 0)) return 0;
    t = outside / (Math.sqrt(ww * chord) - pw);
  }
  if (!(t <= hit.t)) return 0;
  const s = s0 + t * s1;
  if (s < 0) return touchPoint(mover, a, hit);
  if (s > 1) return touchPoint(mover, b, hit) << 1;
  mover.t = t;
  mover.distanceSq = acrossSq;
  if (!isFirst(mover, hit)) return 0;
  hit.point.x = ax + s * ex;
  hit.point.y = ay + s * ey;
  hit.point.z = az + s * ez;
  hit.normal.x = mx + t * vx - s * ex;
  hit.normal.y = my + t * vy - s * ey;
  hit.normal.z = mz + t * vz - s * ez;
  mover.slack = slack;
  if (!chooseNormal(mover, hit) && mover.vv === 0 && ee > 0)
    perpendicular(set(ex, ey, ez, hit.normal), hit.normal);
  return 3;
}

/**
 * Makes a unit vector of the vector from the point to the centre in `hit.normal`. When that is no longer than its
 * rounding errors the sphere's centre is on the target: then the normal opposes the motion, and false is returned.
 * @internal
 */
function chooseNormal(mover: Mover, hit: Hit): boolean {
  const { normal } = hit;
  const { x, y, z } = normal;
  if (x * x + y * y + z * z > 4 * mover.slack * mover.slack) {
    normalize(normal, normal);
    return true;
  }
  if (mover.vv > 0) normalize(set(-mover.vx, -mover.vy, -mover.vz, normal), normal);
  else set(0, 0, 1, normal);
  return false;
}

/** @internal */
export function copyHit(hit: Hit, out: Hit = makeHit()): Hit {
  out.t = hit.t;
  copy(hit.point, out.point);
  copy(hit.normal, out.normal);
  return out;
}

/**
 * Moves the point of a hit from the core of a rounded thing out to its surface, or to the mover's centre when that
 * lies deeper: the nearest point of a solid to a centre inside is the centre.
 * @internal
 */
export function moveToSurface(mover: Mover, hit: Hit): void {
  const depth = hit.t > 0 ? mover.thickness : Math.min(mover.thickness, Math.sqrt(mover.restSq));
  const { point, normal } = hit;
  point.x += depth * normal.x;
  point.y += depth * normal.y;
  point.z += depth * normal.z;
}
