/** A box that moves against a triangle, by thirteen separating axes. RTCD §5.5.2, §5.2.9. */

import { checkAabb, checkPoint } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { crossAccurate, sub } from '../../math/vec3.ts';
import { checkTriangle } from '../input.ts';
import type { ReadonlyAabb } from '../types.ts';
import { cutByAxis, fillSpan, makeShadows, type Shadows, startShadows } from './separating-axes.ts';
import type { SweepSpan } from './types.ts';
import { makeSweepSpan } from './types.ts';

const shadows = makeShadows();

/**
 * From when to when does the moving box overlap the triangle abc? Null when it does not touch it in time. A start in touch
 * enters at 0, with the normal of the shallowest axis. `enter` is never late and `exit` never early, both by rounding errors
 * only. A flat triangle is the segment or point it is, a flat box the rectangle, segment or point.
 */
export function sweepAabbTriangle(
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: SweepSpan,
): SweepSpan | null {
  checkAabb('sweepAabbTriangle', 'box', box);
  checkPoint('sweepAabbTriangle', 'motion', motion);
  checkTriangle('sweepAabbTriangle', a, b, c);
  startShadows(shadows);
  return cutByTriangle(shadows, box, motion, a, b, c) ? fillSpan(shadows, out ?? makeSweepSpan()) : null;
}

// The corners as seen from the least corner of the box, which makes them as exact as they can be; the edges; the box from there.
const p = vec3();
const q = vec3();
const r = vec3();
const u = vec3();
const v = vec3();
const w = vec3();
const size = vec3();

/**
 * Does the moving box touch the triangle at some time up to `s.latest`? For shadows that were begun. @internal
 *
 * The sum of a box and a triangle has no other sides than those with these normals: the axes, the normal of the triangle, and
 * the cross products of axes and its edges; nor have those of flat ones, together.
 */
export function cutByTriangle(
  s: Shadows,
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  const { min, max } = box;
  // Coordinates as they are: without any rounding.
  s.x = 1;
  s.y = 0;
  s.z = 0;
  s.moverLow = min.x;
  s.moverHigh = max.x;
  s.low = Math.min(a.x, b.x, c.x);
  s.high = Math.max(a.x, b.x, c.x);
  s.speed = motion.x;
  if (!cutByAxis(s)) return false;
  s.x = 0;
  s.y = 1;
  s.moverLow = min.y;
  s.moverHigh = max.y;
  s.low = Math.min(a.y, b.y, c.y);
  s.high = Math.max(a.y, b.y, c.y);
  s.speed = motion.y;
  if (!cutByAxis(s)) return false;
  s.y = 0;
  s.z = 1;
  s.moverLow = min.z;
  s.moverHigh = max.z;
  s.low = Math.min(a.z, b.z, c.z);
  s.high = Math.max(a.z, b.z, c.z);
  s.speed = motion.z;
  if (!cutByAxis(s)) return false;

  sub(a, min, p);
  sub(b, min, q);
  sub(c, min, r);
  sub(b, a, u);
  sub(c, b, v);
  sub(a, c, w);
  sub(max, min, size);
  s.slack =
    SWEEP_SLACK *
    (Math.abs(motion.x) +
      Math.abs(motion.y) +
      Math.abs(motion.z) +
      (size.x + size.y + size.z) +
      Math.max(sizeOf(p), sizeOf(q), sizeOf(r)));
  crossAccurate(u, v, s);
  return (
    cutByDirection(s, motion) && cutByEdge(s, motion, u) && cutByEdge(s, motion, v) && cutByEdge(s, motion, w)
  );
}

const sizeOf = ({ x, y, z }: ReadonlyVec3): number => Math.abs(x) + Math.abs(y) + Math.abs(z);

/** The axes across an edge and those of the box. */
function cutByEdge(s: Shadows, motion: ReadonlyVec3, { x, y, z }: ReadonlyVec3): boolean {
  s.x = 0;
  s.y = z;
  s.z = -y;
  if (!cutByDirection(s, motion)) return false;
  s.x = -z;
  s.y = 0;
  s.z = x;
  if (!cutByDirection(s, motion)) return false;
  s.x = y;
  s.y = -x;
  s.z = 0;
  return cutByDirection(s, motion);
}

function cutByDirection(s: Shadows, motion: ReadonlyVec3): boolean {
  const { x, y, z } = s;
  const ap = x * p.x + y * p.y + z * p.z;
  const aq = x * q.x + y * q.y + z * q.z;
  const ar = x * r.x + y * r.y + z * r.z;
  const sx = x * size.x;
  const sy = y * size.y;
  const sz = z * size.z;
  s.low = Math.min(ap, aq, ar);
  s.high = Math.max(ap, aq, ar);
  s.moverLow = Math.min(sx, 0) + Math.min(sy, 0) + Math.min(sz, 0);
  s.moverHigh = Math.max(sx, 0) + Math.max(sy, 0) + Math.max(sz, 0);
  s.speed = x * motion.x + y * motion.y + z * motion.z;
  return cutByAxis(s);
}
