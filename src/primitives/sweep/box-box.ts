/** Moving boxes against boxes, by their separating axes. RTCD §5.5.2, §5.5.8. */

import { checkAabb, checkObb, checkPoint, refuse } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, crossAccurate, set, sub } from '../../math/vec3.ts';
import type { ReadonlyAabb, ReadonlyObb } from '../types.ts';
import { cutByAxis, fillSpan, makeShadows, startShadows } from './separating-axes.ts';
import type { SweepSpan } from './types.ts';
import { makeSweepSpan } from './types.ts';

const shadows = makeShadows();

/**
 * From when to when does the moving box a overlap the box b? Null when it does not touch it in time. A start in touch
 * enters at 0, with the normal of the shallowest axis. `enter` is never late and `exit` never early, both by rounding
 * errors only. RTCD §5.5.8, which forgets the axes along which nothing moves.
 */
export function sweepAabbAabb(
  a: ReadonlyAabb,
  motion: ReadonlyVec3,
  b: ReadonlyAabb,
  out?: SweepSpan,
): SweepSpan | null {
  checkAabb('sweepAabbAabb', 'a', a);
  checkPoint('sweepAabbAabb', 'motion', motion);
  checkAabb('sweepAabbAabb', 'b', b);
  startShadows(shadows);
  if (!cutByCoordinate(a, motion, b, 0)) return null;
  if (!cutByCoordinate(a, motion, b, 1)) return null;
  if (!cutByCoordinate(a, motion, b, 2)) return null;
  return fillSpan(shadows, out ?? makeSweepSpan());
}

/** The corners of the boxes on one coordinate axis are their shadows, without any rounding. */
function cutByCoordinate(a: ReadonlyAabb, motion: ReadonlyVec3, b: ReadonlyAabb, axis: 0 | 1 | 2): boolean {
  const { min: aMin, max: aMax } = a;
  const { min: bMin, max: bMax } = b;
  shadows.x = axis === 0 ? 1 : 0;
  shadows.y = axis === 1 ? 1 : 0;
  shadows.z = axis === 2 ? 1 : 0;
  shadows.moverLow = axis === 0 ? aMin.x : axis === 1 ? aMin.y : aMin.z;
  shadows.moverHigh = axis === 0 ? aMax.x : axis === 1 ? aMax.y : aMax.z;
  shadows.low = axis === 0 ? bMin.x : axis === 1 ? bMin.y : bMin.z;
  shadows.high = axis === 0 ? bMax.x : axis === 1 ? bMax.y : bMax.z;
  shadows.speed = axis === 0 ? motion.x : axis === 1 ? motion.y : motion.z;
  return cutByAxis(shadows);
}

/** The half edges of the boxes, vector by vector. */
const moverEdges = new Float64Array(9);
const targetEdges = new Float64Array(9);
/** From the mover's centre to the target's. */
const offset = vec3();
const velocity = vec3();
const u = vec3();
const w = vec3();

/**
 * From when to when does the moving oriented box a overlap the oriented box b? As `sweepAabbAabb`, by 15 axes: the
 * faces of both, and the cross products of their edges, which are computed without cancellation so that boxes that
 * are almost parallel are treated like any others. RTCD §5.5.2.
 */
export function sweepObbObb(
  a: ReadonlyObb,
  motion: ReadonlyVec3,
  b: ReadonlyObb,
  out?: SweepSpan,
): SweepSpan | null {
  checkObb('sweepObbObb', 'a', a);
  checkPoint('sweepObbObb', 'motion', motion);
  checkObb('sweepObbObb', 'b', b);
  loadEdges(a, moverEdges);
  loadEdges(b, targetEdges);
  sub(b.center, a.center, offset);
  copy(motion, velocity);
  let extent = Math.abs(offset.x) + Math.abs(offset.y) + Math.abs(offset.z);
  extent += Math.abs(velocity.x) + Math.abs(velocity.y) + Math.abs(velocity.z);
  for (let i = 0; i < 9; i++) extent += Math.abs(moverEdges[i]!) + Math.abs(targetEdges[i]!);
  mustHaveSize('a.halfSize', a.halfSize);
  mustHaveSize('b.halfSize', b.halfSize);
  startShadows(shadows);
  shadows.slack = SWEEP_SLACK * extent;
  for (let i = 0; i < 9; i += 3) {
    axisOf(a, i, shadows);
    if (!cutByDirection()) return null;
    axisOf(b, i, shadows);
    if (!cutByDirection()) return null;
  }
  for (let i = 0; i < 9; i += 3)
    for (let j = 0; j < 9; j += 3) {
      crossAccurate(axisOf(a, i, u), axisOf(b, j, w), shadows);
      if (!cutByDirection()) return null;
    }
  return fillSpan(shadows, out ?? makeSweepSpan());
}

function mustHaveSize(name: string, halfSize: ReadonlyVec3): void {
  if (halfSize.x < 0 || halfSize.y < 0 || halfSize.z < 0) refuse('sweepObbObb', name, 'must not be negative');
}

function loadEdges(box: ReadonlyObb, out: Float64Array): void {
  const e = box.rotation.elements;
  const { x, y, z } = box.halfSize;
  for (let i = 0; i < 9; i++) out[i] = e[i]! * (i < 3 ? x : i < 6 ? y : z);
}

/** The column of the rotation that begins at `first`. */
function axisOf(box: ReadonlyObb, first: number, out: Vec3): Vec3 {
  const e = box.rotation.elements;
  return set(e[first]!, e[first + 1]!, e[first + 2]!, out);
}

/** Projects both boxes, seen from the mover's centre, on the axis in `shadows`. */
function cutByDirection(): boolean {
  const { x, y, z } = shadows;
  let moverReach = 0;
  let reach = 0;
  for (let i = 0; i < 9; i += 3) {
    moverReach += Math.abs(x * moverEdges[i]! + y * moverEdges[i + 1]! + z * moverEdges[i + 2]!);
    reach += Math.abs(x * targetEdges[i]! + y * targetEdges[i + 1]! + z * targetEdges[i + 2]!);
  }
  const middle = x * offset.x + y * offset.y + z * offset.z;
  shadows.moverLow = -moverReach;
  shadows.moverHigh = moverReach;
  shadows.low = middle - reach;
  shadows.high = middle + reach;
  shadows.speed = x * velocity.x + y * velocity.y + z * velocity.z;
  return cutByAxis(shadows);
}
