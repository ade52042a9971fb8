/**
 * A moving sphere against a solid box: the centre against the box with rounded edges and corners. RTCD §5.5.7.
 *
 * The entry into the box with square corners, grown by the radius, comes no later; from there the rest
 * is conservative advancement to the box itself, which takes one step where the sphere meets a face. Times are never late and
 * their errors within rounding, as in `mover.ts`.
 */

import { checkAabb, checkObb, checkPoint, checkSphere } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { normalize, set, sub, transform, transformTransposed } from '../../math/vec3.ts';
import type { Hit, ReadonlyAabb, ReadonlyObb, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import { advanceSphere, SphereAdvance } from './advance-sphere.ts';

/** In the axes of the box, seen from the centre at the start. */
class BoxAdvance extends SphereAdvance {
  lox = Number.NaN;
  loy = Number.NaN;
  loz = Number.NaN;
  hix = Number.NaN;
  hiy = Number.NaN;
  hiz = Number.NaN;
}

const state = new BoxAdvance();
const velocity = vec3();
const low = vec3();
const high = vec3();
const point = vec3();
const normal = vec3();

/**
 * When and where does a moving sphere first touch a solid box? Null when it does not. A start in touch, or inside,
 * hits at t = 0: at the point of the box nearest to the centre, with the normal of the nearest face when the centre is
 * in the box. RTCD §5.5.7.
 */
export function sweepSphereAabb(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  box: ReadonlyAabb,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereAabb', 'sphere', sphere);
  checkPoint('sweepSphereAabb', 'motion', motion);
  checkAabb('sweepSphereAabb', 'box', box);
  const { center, radius } = sphere;
  const { x: cx, y: cy, z: cz } = center;
  const { min, max } = box;
  velocity.x = motion.x;
  velocity.y = motion.y;
  velocity.z = motion.z;
  sub(min, center, low);
  sub(max, center, high);
  state.radius = radius;
  if (!touchBox()) return null;
  const hit = out ?? makeHit();
  hit.t = state.t;
  hit.point.x = cx + point.x;
  hit.point.y = cy + point.y;
  hit.point.z = cz + point.z;
  hit.normal.x = normal.x;
  hit.normal.y = normal.y;
  hit.normal.z = normal.z;
  return hit;
}

/**
 * When and where does a moving sphere first touch a solid oriented box? As `sweepSphereAabb`; the columns of the
 * rotation are taken to be unit vectors at right angles. RTCD §5.5.7.
 */
export function sweepSphereObb(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  box: ReadonlyObb,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereObb', 'sphere', sphere);
  checkPoint('sweepSphereObb', 'motion', motion);
  checkObb('sweepSphereObb', 'box', box);
  const { center, radius } = sphere;
  const { x: cx, y: cy, z: cz } = center;
  const { rotation } = box;
  const { x: hx, y: hy, z: hz } = box.halfSize;
  transformTransposed(motion, rotation, velocity);
  transformTransposed(sub(box.center, center, point), rotation, point);
  low.x = point.x - hx;
  low.y = point.y - hy;
  low.z = point.z - hz;
  high.x = point.x + hx;
  high.y = point.y + hy;
  high.z = point.z + hz;
  state.radius = radius;
  if (!touchBox()) return null;
  const hit = out ?? makeHit();
  hit.t = state.t;
  transform(point, rotation, hit.point);
  hit.point.x = hit.point.x + cx;
  hit.point.y = hit.point.y + cy;
  hit.point.z = hit.point.z + cz;
  normalize(transform(normal, rotation, hit.normal), hit.normal);
  return hit;
}

/** The sweep of the radius in `state` along `velocity` from 0 against the box from `low` to `high`; fills `point` and `normal`. */
function touchBox(): boolean {
  const { radius } = state;
  const { x: vx, y: vy, z: vz } = velocity;
  state.vx = vx;
  state.vy = vy;
  state.vz = vz;
  state.lox = low.x;
  state.loy = low.y;
  state.loz = low.z;
  state.hix = high.x;
  state.hiy = high.y;
  state.hiz = high.z;
  state.slack =
    SWEEP_SLACK *
    (radius +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      (Math.abs(low.x) + Math.abs(low.y) + Math.abs(low.z)) +
      (Math.abs(high.x) + Math.abs(high.y) + Math.abs(high.z)));
  const r = radius + state.slack;
  const tx = low.x > r ? (low.x - r) / vx : high.x < -r ? (high.x + r) / vx : 0;
  const ty = low.y > r ? (low.y - r) / vy : high.y < -r ? (high.y + r) / vy : 0;
  const tz = low.z > r ? (low.z - r) / vz : high.z < -r ? (high.z + r) / vz : 0;
  // Away from the box, or not at all along an axis that parts them: below 0, or infinite.
  if (!(tx >= 0 && ty >= 0 && tz >= 0 && tx <= 1 && ty <= 1 && tz <= 1)) return false;
  state.t = Math.max(tx, ty, tz);
  if (!advanceSphere(state, measureBox)) return false;
  const { t, dx, dy, dz, slack } = state;
  point.x = t * vx - dx;
  point.y = t * vy - dy;
  point.z = t * vz - dz;
  normal.x = dx;
  normal.y = dy;
  normal.z = dz;
  if (dx * dx + dy * dy + dz * dz > 4 * slack * slack) normalize(normal, normal);
  else nearestFace(normal);
  return true;
}

function measureBox(s: BoxAdvance): void {
  const x = s.t * s.vx;
  const y = s.t * s.vy;
  const z = s.t * s.vz;
  s.dx = x < s.lox ? x - s.lox : x > s.hix ? x - s.hix : 0;
  s.dy = y < s.loy ? y - s.loy : y > s.hiy ? y - s.hiy : 0;
  s.dz = z < s.loz ? z - s.loz : z > s.hiz ? z - s.hiz : 0;
}

/** The normal of the face that the centre, in the box or on it, is nearest to; of two as near, against the motion. */
function nearestFace(out: Vec3): void {
  const { t, vx, vy, vz } = state;
  const x = depthOf(t * vx, state.lox, state.hix);
  const y = depthOf(t * vy, state.loy, state.hiy);
  const z = depthOf(t * vz, state.loz, state.hiz);
  if (x <= y && x <= z) set(sideOf(t * vx, state.lox, state.hix, vx), 0, 0, out);
  else if (y <= z) set(0, sideOf(t * vy, state.loy, state.hiy, vy), 0, out);
  else set(0, 0, sideOf(t * vz, state.loz, state.hiz, vz), out);
}

const depthOf = (x: number, low: number, high: number): number => Math.min(x - low, high - x);
const sideOf = (x: number, low: number, high: number, v: number): number =>
  x - low < high - x ? -1 : x - low > high - x ? 1 : v > 0 ? -1 : 1;
