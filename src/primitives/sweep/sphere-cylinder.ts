/** A moving sphere against a solid cylinder with flat ends. */

import { checkPoint, checkSphere, checkTube } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { normalize, perpendicular, set, sub } from '../../math/vec3.ts';
import type { Hit, ReadonlyCylinder, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import { advanceSphere, SphereAdvance } from './advance-sphere.ts';

/** Seen from the end a of the cylinder. */
class CylinderAdvance extends SphereAdvance {
  mx = Number.NaN;
  my = Number.NaN;
  mz = Number.NaN;
  /** The unit axis. */
  ax = Number.NaN;
  ay = Number.NaN;
  az = Number.NaN;
  length = Number.NaN;
  tubeRadius = Number.NaN;
}

const state = new CylinderAdvance();
const axis = vec3();
const unit = vec3();
const normal = vec3();

/**
 * When and where does a moving sphere first touch a solid cylinder? Null when it does not. A start in touch, or
 * inside, hits at t = 0: at the point of the cylinder nearest to the centre; from a centre inside, the normal is the
 * shortest way out. A cylinder of length 0 has no direction and is taken for its point. The time is never late and its
 * error within rounding, as in `mover.ts`.
 *
 * The rim grown by a sphere is a torus; advancing to the cylinder itself needs no quartic.
 */
export function sweepSphereCylinder(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  cylinder: ReadonlyCylinder,
  out?: Hit,
): Hit | null {
  checkSphere('sweepSphereCylinder', 'sphere', sphere);
  checkPoint('sweepSphereCylinder', 'motion', motion);
  checkTube('sweepSphereCylinder', 'cylinder', cylinder);
  const { x: cx, y: cy, z: cz } = sphere.center;
  const { a, b } = cylinder;
  const { x: ax, y: ay, z: az } = a;
  const { x: vx, y: vy, z: vz } = motion;
  sub(b, a, axis);
  normalize(axis, unit);

  state.t = 0;
  state.mx = cx - ax;
  state.my = cy - ay;
  state.mz = cz - az;
  state.vx = vx;
  state.vy = vy;
  state.vz = vz;
  state.radius = sphere.radius;
  state.length = axis.x * unit.x + axis.y * unit.y + axis.z * unit.z;
  state.tubeRadius = state.length > 0 ? cylinder.radius : 0;
  state.slack =
    SWEEP_SLACK *
    (state.radius +
      state.tubeRadius +
      state.length +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      (Math.abs(state.mx) + Math.abs(state.my) + Math.abs(state.mz)));
  state.ax = unit.x;
  state.ay = unit.y;
  state.az = unit.z;
  if (!advanceSphere(state, measureCylinder)) return null;

  const { t, dx, dy, dz, slack } = state;
  const hit = out ?? makeHit();
  hit.t = t;
  // From a, so that the rounding is that of the result.
  hit.point.x = ax + (state.mx + t * vx - dx);
  hit.point.y = ay + (state.my + t * vy - dy);
  hit.point.z = az + (state.mz + t * vz - dz);
  normal.x = dx;
  normal.y = dy;
  normal.z = dz;
  if (!(dx * dx + dy * dy + dz * dz > 4 * slack * slack)) exitNormal();
  normalize(normal, hit.normal);
  return hit;
}

function measureCylinder(s: CylinderAdvance): void {
  const { t, ax, ay, az } = s;
  const px = s.mx + t * s.vx;
  const py = s.my + t * s.vy;
  const pz = s.mz + t * s.vz;
  const along = px * ax + py * ay + pz * az;
  const beyond = along < 0 ? along : along > s.length ? along - s.length : 0;
  const qx = px - along * ax;
  const qy = py - along * ay;
  const qz = pz - along * az;
  const across = Math.sqrt(qx * qx + qy * qy + qz * qz);
  const outer = across > s.tubeRadius ? (across - s.tubeRadius) / across : 0;
  s.dx = outer * qx + beyond * ax;
  s.dy = outer * qy + beyond * ay;
  s.dz = outer * qz + beyond * az;
}

/** The shortest way out of the cylinder into `normal`; where there is none that is shortest, against the motion. */
function exitNormal(): void {
  const { t, ax, ay, az, vx, vy, vz } = state;
  const px = state.mx + t * vx;
  const py = state.my + t * vy;
  const pz = state.mz + t * vz;
  const along = px * ax + py * ay + pz * az;
  const qx = px - along * ax;
  const qy = py - along * ay;
  const qz = pz - along * az;
  const across = Math.sqrt(qx * qx + qy * qy + qz * qz);
  const toEnd = Math.min(along, state.length - along);
  if (state.length > 0 && toEnd < state.tubeRadius - across) {
    const toB = 2 * along === state.length ? vx * ax + vy * ay + vz * az <= 0 : 2 * along > state.length;
    normal.x = toB ? ax : -ax;
    normal.y = toB ? ay : -ay;
    normal.z = toB ? az : -az;
  } else if (across > state.slack) set(qx, qy, qz, normal);
  else if (vx !== 0 || vy !== 0 || vz !== 0) set(-vx, -vy, -vz, normal);
  else if (state.length > 0) perpendicular(set(ax, ay, az, normal), normal);
  else set(0, 0, 1, normal);
}
