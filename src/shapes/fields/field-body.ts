/** Rays and points against a field. */
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { isStill, startInside } from '../../primitives/ray/hit.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import { ALL, BACK, type BodyContext, FRONT } from '../one-body/body-context.ts';
import { keepFound } from '../one-body/convex.ts';
import type { FieldShape } from '../shape.ts';
import { distanceFromField, releaseSearch, searchFromPoint, takeSearch } from './field-search.ts';

/** Relative to the sizes: a ray that comes so near hits. */
const NEAR = 1e-11;
/** Relative to the sizes: beyond this the next surface is looked for, by rays that want all of them. */
const BEYOND = 1e-7;
/**
 * After so many steps it glides along a face, by steps as small as its distance from that. From then on they are no smaller than a
 * part of the `detail`, or of the size: what is thinner may be passed.
 */
const PATIENCE = 2000;
const PART_OF_DETAIL = 1 / 8;
const PART_OF_SIZE = 1 / 1024;
const MOST_STEPS = 100000;
/** Relative to the sizes, for derivatives. */
const STEP = 1e-5;

const sizeOf = ({ bounds: { min, max } }: FieldShape): number =>
  Math.max(
    max.x - min.x,
    max.y - min.y,
    max.z - min.z,
    Math.abs(min.x + max.x),
    Math.abs(min.y + max.y),
    Math.abs(min.z + max.z),
  );

/** Unit vector along which the bound grows. */
export function fieldNormal(shape: FieldShape, p: ReadonlyVec3, out: Vec3): Vec3 {
  const h = STEP * sizeOf(shape);
  const { x, y, z } = p;
  const q = { x: x + h, y, z };
  const at = (dx: number, dy: number, dz: number): number => {
    q.x = x + dx;
    q.y = y + dy;
    q.z = z + dz;
    return shape.bound(q);
  };
  const gx = at(h, 0, 0) - at(-h, 0, 0);
  const gy = at(0, h, 0) - at(0, -h, 0);
  const gz = at(0, 0, h) - at(0, 0, -h);
  const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  out.x = length > 0 ? gx / length : 0;
  out.y = length > 0 ? gy / length : 1;
  out.z = length > 0 ? gz / length : 0;
  return out;
}

/** From surface to surface, by spheres in which there is none (sphere tracing). */
export function raycastField(shape: FieldShape, ray: ReadonlyRay, context: BodyContext): boolean {
  const { found, limit, mode, side, solid } = context;
  const size = sizeOf(shape);
  const near = NEAR * size;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const p = { x: ox, y: oy, z: oz };
  let sign = shape.bound(p) <= context.within ? -1 : 1;
  let any = false;
  if (sign < 0 && solid && side !== BACK) {
    startInside(ray, found);
    if (mode !== ALL) return true;
    keepFound(context);
    any = true;
  }
  if (isStill(ray)) return any;
  const speed = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const last = Math.min(limit, leaveBox(shape.bounds, ray, near));
  let t = 0;
  // From a start on the surface, to where it is told apart from it.
  let leaving = Math.abs(shape.bound(p)) <= Math.max(near, context.within);
  const coarse = Math.max(near, Math.min(PART_OF_DETAIL * (shape.detail || size), PART_OF_SIZE * size));
  /** By how much the last step may have gone too far. */
  let tooFar = 0;
  for (let i = 0; i < MOST_STEPS && t <= last; i++) {
    p.x = ox + t * dx;
    p.y = oy + t * dy;
    p.z = oz + t * dz;
    const value = shape.bound(p);
    if (leaving && Math.abs(value) > near) {
      leaving = false;
      sign = value > 0 ? 1 : -1;
    }
    const free = leaving ? 0 : sign * value;
    if (!leaving && free <= near) {
      const hit = refine(shape, ray, t - tooFar, tooFar + (BEYOND * size) / speed, sign);
      tooFar = 0;
      const isEntry = sign > 0;
      if (hit <= limit && side !== (isEntry ? BACK : FRONT)) {
        found.t = hit;
        const { point, normal } = found;
        point.x = ox + hit * dx;
        point.y = oy + hit * dy;
        point.z = oz + hit * dz;
        fieldNormal(shape, point, normal);
        if (!isEntry) {
          normal.x = -normal.x;
          normal.y = -normal.y;
          normal.z = -normal.z;
        }
        if (mode !== ALL) return true;
        keepFound(context);
        any = true;
      }
      t = Math.max(hit, t) + (BEYOND * size) / speed;
      leaving = true;
      sign = -sign;
      continue;
    }
    const safe = t + Math.max(free, near) / speed;
    // Not past the end, before which there may be something.
    const next = i < PATIENCE ? safe : Math.max(safe, Math.min(t + coarse / speed, last));
    tooFar = next - safe;
    t = next;
  }
  return any;
}

/** When the ray has left a box for good, with some slack; -Infinity if it never meets it. */
function leaveBox({ min, max }: ReadonlyAabb, { origin, direction }: ReadonlyRay, slack: number): number {
  let last = Infinity;
  for (const axis of ['x', 'y', 'z'] as const) {
    const d = direction[axis];
    const o = origin[axis];
    if (d > 0) last = Math.min(last, (max[axis] + slack - o) / d);
    else if (d < 0) last = Math.min(last, (min[axis] - slack - o) / d);
    else if (o < min[axis] - slack || o > max[axis] + slack) return -Infinity;
  }
  return last;
}

/** The time at which the bound changes its sign, soon after t; t, if it does not. */
function refine(
  shape: FieldShape,
  { origin, direction }: ReadonlyRay,
  t: number,
  range: number,
  sign: number,
): number {
  const at = (time: number): number =>
    sign *
    shape.bound({
      x: origin.x + time * direction.x,
      y: origin.y + time * direction.y,
      z: origin.z + time * direction.z,
    });
  let low = t;
  let high = t + range;
  if (at(high) > 0) return t;
  for (let i = 0; i < 60 && high - low > 1e-16 * (Math.abs(low) + Math.abs(high)); i++) {
    const middle = (low + high) / 2;
    if (at(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

export function closestPointField(
  shape: FieldShape,
  p: ReadonlyVec3,
  { found, limit }: BodyContext,
): boolean {
  const value = shape.bound(p);
  if (value <= 0) {
    found.distance = 0;
    copyPoint(p, found.point);
    return true;
  }
  if (value > limit) return false;
  const search = takeSearch();
  try {
    if (!searchFromPoint(shape, p, search).nearest(limit, false)) return false;
    found.distance = search.value;
    copyPoint(search.point, found.point);
    return search.value <= limit;
  } finally {
    releaseSearch();
  }
}

export const fieldContains = (shape: FieldShape, p: ReadonlyVec3, { within }: BodyContext): boolean =>
  shape.bound(p) <= within;

export function signedDistanceField(shape: FieldShape, p: ReadonlyVec3): number {
  const side = shape.bound(p) <= 0 ? -1 : 1;
  return side * distanceFromField(shape, side, p);
}
