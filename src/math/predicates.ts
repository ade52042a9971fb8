/**
 * Signs that are always right: filtered floating-point determinants that fall back to exact arithmetic. RTCD §3.1.6,
 * §11.5.1; Shewchuk 1997, through `robust-predicates`. Only the sign is exact; the size is an approximation.
 */
import {
  incircle,
  insphere,
  orient2d as robustOrient2d,
  orient3d as robustOrient3d,
} from 'robust-predicates';
import type { ReadonlyVec2, ReadonlyVec3 } from './types.ts';

/** > 0 when abc turns counter-clockwise (c left of the line from a to b), 0 when collinear. Twice the signed area. */
export const orient2d = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number =>
  -robustOrient2d(a.x, a.y, b.x, b.y, c.x, c.y);

/**
 * < 0 when d lies on the side from which abc is seen counter-clockwise (the outside of a face), 0 when coplanar,
 * > 0 behind. Six times the signed volume.
 */
export const orient3d = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): number =>
  robustOrient3d(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z);

/** > 0 when d lies inside the circle through the counter-clockwise a, b, c; the sign flips for clockwise. */
export const inCircle = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, d: ReadonlyVec2): number =>
  incircle(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y);

/** > 0 when e lies inside the sphere through a, b, c, d with orient3d(a, b, c, d) > 0; the sign flips otherwise. */
export const inSphere = (
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
): number => insphere(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z, e.x, e.y, e.z);
