/** Is a point in a triangle, in the plane or in space? RTCD §5.4.2. */
import { checkPoint, checkPoint2 } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../../math/types.ts';
import { isOnTriangle } from '../overlap/side.ts';

/**
 * Is p in the triangle abc of the plane or on its boundary? Exactly; the corners may come in either order, and a flat
 * triangle is the segment or point it is.
 */
export function containsPointTriangle2d(
  p: ReadonlyVec2,
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
): boolean {
  check2d('containsPointTriangle2d', p, a, b, c);
  const u = orient2d(a, b, p);
  const v = orient2d(b, c, p);
  const w = orient2d(c, a, p);
  const isLeft = u >= 0 && v >= 0 && w >= 0;
  const isRight = u <= 0 && v <= 0 && w <= 0;
  if (isLeft !== isRight) return true;
  // Three zeros: everything lies on one line.
  return (
    isLeft &&
    p.x >= Math.min(a.x, b.x, c.x) &&
    p.x <= Math.max(a.x, b.x, c.x) &&
    p.y >= Math.min(a.y, b.y, c.y) &&
    p.y <= Math.max(a.y, b.y, c.y)
  );
}

/**
 * The same for a triangle known to be counter-clockwise: leaves at the first edge that has p outside. Of a clockwise
 * or flat triangle nothing counts as inside except that flat ones may keep points of their line.
 */
export function containsPointTriangleCcw2d(
  p: ReadonlyVec2,
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
): boolean {
  check2d('containsPointTriangleCcw2d', p, a, b, c);
  return orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0;
}

function check2d(caller: string, p: ReadonlyVec2, a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): void {
  checkPoint2(caller, 'p', p);
  checkPoint2(caller, 'a', a);
  checkPoint2(caller, 'b', b);
  checkPoint2(caller, 'c', c);
}

/**
 * Is p in the triangle abc of space, or on its boundary, when moved straight to its plane? So p is taken to lie in the
 * plane, where rounding rarely leaves it; whether it is near enough is for the caller to decide. The answer is that of
 * three edge planes, right up to rounding. A flat triangle has no such planes: it contains the points exactly on it.
 */
export function containsPointTriangle(
  p: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  checkPoint('containsPointTriangle', 'p', p);
  checkPoint('containsPointTriangle', 'a', a);
  checkPoint('containsPointTriangle', 'b', b);
  checkPoint('containsPointTriangle', 'c', c);
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const { x: px, y: py, z: pz } = p;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - bx;
  const vy = cy - by;
  const vz = cz - bz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  if (nx === 0 && ny === 0 && nz === 0) return isOnTriangle(p, a, b, c);
  const wx = ax - cx;
  const wy = ay - cy;
  const wz = az - cz;
  // (edge × from its start to p) · n, one edge after the other.
  const apx = px - ax;
  const apy = py - ay;
  const apz = pz - az;
  if ((uy * apz - uz * apy) * nx + (uz * apx - ux * apz) * ny + (ux * apy - uy * apx) * nz < 0) return false;
  const bpx = px - bx;
  const bpy = py - by;
  const bpz = pz - bz;
  if ((vy * bpz - vz * bpy) * nx + (vz * bpx - vx * bpz) * ny + (vx * bpy - vy * bpx) * nz < 0) return false;
  const cpx = px - cx;
  const cpy = py - cy;
  const cpz = pz - cz;
  return (wy * cpz - wz * cpy) * nx + (wz * cpx - wx * cpz) * ny + (wx * cpy - wy * cpx) * nz >= 0;
}
