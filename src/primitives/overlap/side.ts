/** Exact decisions on points, segments and triangles that are coplanar or flat, and the sign they all rest on. */

import { orient2d, orient3d } from '../../math/orient.ts';
import { ORIENT2D_ERROR, ORIENT3D_ERROR } from '../../math/tolerance.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2 } from '../../math/types.ts';
import { vec2 } from '../../math/types.ts';

/**
 * 1 when p lies on the side from which abc is seen counter-clockwise, -1 behind, 0 when the four are coplanar; never
 * wrong. The same as the sign of -orient3d, with the filter in front: no double crosses a call unless it fails.
 * @internal
 */
export function side(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, p: ReadonlyVec3): number {
  const { x: px, y: py, z: pz } = p;
  const ax = a.x - px;
  const ay = a.y - py;
  const az = a.z - pz;
  const bx = b.x - px;
  const by = b.y - py;
  const bz = b.z - pz;
  const cx = c.x - px;
  const cy = c.y - py;
  const cz = c.z - pz;
  const bxcy = bx * cy;
  const cxby = cx * by;
  const cxay = cx * ay;
  const axcy = ax * cy;
  const axby = ax * by;
  const bxay = bx * ay;
  const det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const error =
    ORIENT3D_ERROR *
    ((Math.abs(bxcy) + Math.abs(cxby)) * Math.abs(az) +
      (Math.abs(cxay) + Math.abs(axcy)) * Math.abs(bz) +
      (Math.abs(axby) + Math.abs(bxay)) * Math.abs(cz));
  if (det > error) return -1;
  if (det < -error) return 1;
  return error === 0 ? 0 : sideExactly(a, b, c, p); // 0 when every product is: two points coincide, or the like
}

/** 1.5 × 2^37. */
const LARGE = 206158430208;

/**
 * `side` where rounding might decide. On a grid, such as whole numbers, plain arithmetic is exact: adding and taking
 * away LARGE times the largest difference rounds to a grid that has less than 2^16.5 steps up to it, whatever the
 * binades, and six products of three such numbers add up to less than 2^52 cells.
 */
function sideExactly(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, p: ReadonlyVec3): number {
  const { x: px, y: py, z: pz } = p;
  const ax = a.x - px;
  const ay = a.y - py;
  const az = a.z - pz;
  const bx = b.x - px;
  const by = b.y - py;
  const bz = b.z - pz;
  const cx = c.x - px;
  const cy = c.y - py;
  const cz = c.z - pz;
  const grid =
    LARGE *
    Math.max(
      Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az), Math.abs(bx), Math.abs(by), Math.abs(bz)),
      Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz)),
    );
  const isOnGrid =
    ax + grid - grid === ax &&
    ay + grid - grid === ay &&
    az + grid - grid === az &&
    bx + grid - grid === bx &&
    by + grid - grid === by &&
    bz + grid - grid === bz &&
    cx + grid - grid === cx &&
    cy + grid - grid === cy &&
    cz + grid - grid === cz;
  const det =
    isOnGrid && isExact(a, p, ax, ay, az) && isExact(b, p, bx, by, bz) && isExact(c, p, cx, cy, cz)
      ? az * (bx * cy - cx * by) + bz * (cx * ay - ax * cy) + cz * (ax * by - bx * ay)
      : orient3d(a, b, c, p);
  return det > 0 ? -1 : det < 0 ? 1 : 0;
}

/** Are these the differences of the coordinates, unrounded? Adding back finds any remainder (Dekker 1971). */
const isExact = (a: ReadonlyVec3, p: ReadonlyVec3, x: number, y: number, z: number): boolean =>
  x + p.x === a.x &&
  y + p.y === a.y &&
  z + p.z === a.z &&
  a.x - x === p.x &&
  a.y - y === p.y &&
  a.z - z === p.z;

/** Has the triangle no area? Exactly. @internal */
export function isFlat(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
  const first = widestView(a, b, c);
  for (let k = 0; k < 3; k++) {
    const axis = (first + k) % 3;
    if (orient2(project(a, axis, A), project(b, axis, B), project(c, axis, C)) !== 0) return false;
  }
  return true;
}

/** The axis along which the triangle looks largest, give or take rounding: the one to try first. */
function widestView(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): number {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - a.x;
  const vy = c.y - a.y;
  const vz = c.z - a.z;
  const x = Math.abs(uy * vz - uz * vy);
  const y = Math.abs(uz * vx - ux * vz);
  const z = Math.abs(ux * vy - uy * vx);
  return x > y && x > z ? 0 : y > z ? 1 : 2;
}

/**
 * Do two triangles share a point, given that all six corners lie in one plane (or on one line)? Either may be flat.
 *
 * Sets that meet also meet in every projection, and the projection along at least one axis is one-to-one on a plane:
 * so they meet exactly if they do in all three, or in one that is known to be one-to-one.
 * @internal
 */
export function coplanarTrianglesOverlap(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): boolean {
  const first = widestView(a, b, c);
  for (let k = 0; k < 3; k++) {
    const axis = (first + k) % 3;
    project(a, axis, A);
    project(b, axis, B);
    project(c, axis, C);
    project(d, axis, D);
    project(e, axis, E);
    project(f, axis, F);
    if (boxesApart() || hasSeparatingEdge(A, B, C, D, E, F) || hasSeparatingEdge(D, E, F, A, B, C))
      return false;
    // An area that is not lost shows that this projection is one-to-one.
    if (orient2(A, B, C) !== 0 || orient2(D, E, F) !== 0) return true;
  }
  return true;
}

/** Is p a point of the triangle (which may be flat)? Exactly. @internal */
export const isOnTriangle = (p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean =>
  side(a, b, c, p) === 0 && coplanarTrianglesOverlap(p, p, p, a, b, c);

/** Do the segments pq and uv share a point? Exactly; either may be a point. @internal */
export const segmentsMeet = (p: ReadonlyVec3, q: ReadonlyVec3, u: ReadonlyVec3, v: ReadonlyVec3): boolean =>
  side(p, q, u, v) === 0 && coplanarTrianglesOverlap(p, q, q, u, v, v);

/** Does the segment pq meet the triangle, which must not be flat? Exactly. @internal */
export function segmentMeetsTriangle(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  const sp = side(a, b, c, p);
  const sq = side(a, b, c, q);
  if (sp * sq > 0) return false;
  if (sp === 0 && sq === 0) return coplanarTrianglesOverlap(p, q, q, a, b, c);
  const u = side(p, q, a, b);
  const v = side(p, q, b, c);
  const w = side(p, q, c, a);
  return u * v >= 0 && v * w >= 0 && w * u >= 0;
}

const A = vec2();
const B = vec2();
const C = vec2();
const D = vec2();
const E = vec2();
const F = vec2();

/** Drops x, y or z. */
function project(p: ReadonlyVec3, axis: number, out: Vec2): Vec2 {
  out.x = axis === 0 ? p.y : p.x;
  out.y = axis === 2 ? p.y : p.z;
  return out;
}

/** Are the boxes around ABC and DEF apart? This decides when everything lies on one line. */
const boxesApart = (): boolean =>
  Math.max(A.x, B.x, C.x) < Math.min(D.x, E.x, F.x) ||
  Math.max(D.x, E.x, F.x) < Math.min(A.x, B.x, C.x) ||
  Math.max(A.y, B.y, C.y) < Math.min(D.y, E.y, F.y) ||
  Math.max(D.y, E.y, F.y) < Math.min(A.y, B.y, C.y);

/** Does the line along an edge of abc have abc on one side and all of def strictly on the other? */
const hasSeparatingEdge = (
  a: ReadonlyVec2,
  b: ReadonlyVec2,
  c: ReadonlyVec2,
  d: ReadonlyVec2,
  e: ReadonlyVec2,
  f: ReadonlyVec2,
): boolean =>
  edgeSeparates(a, b, c, d, e, f) || edgeSeparates(b, c, a, d, e, f) || edgeSeparates(c, a, b, d, e, f);

function edgeSeparates(
  u: ReadonlyVec2,
  v: ReadonlyVec2,
  w: ReadonlyVec2,
  d: ReadonlyVec2,
  e: ReadonlyVec2,
  f: ReadonlyVec2,
): boolean {
  const sd = orient2(u, v, d);
  if (sd === 0) return false;
  const own = orient2(u, v, w); // 0 for a flat triangle: then either side will do
  return own !== sd && orient2(u, v, e) === sd && orient2(u, v, f) === sd;
}

/** 1 when abc turns to the left, -1 to the right, 0 on a line: the sign of orient2d, with the filter in front. */
function orient2(a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2): number {
  const l = (a.x - c.x) * (b.y - c.y);
  const r = (a.y - c.y) * (b.x - c.x);
  const error = ORIENT2D_ERROR * (Math.abs(l) + Math.abs(r));
  if (l - r > error) return 1;
  if (l - r < -error) return -1;
  if (error === 0) return 0;
  const exact = orient2d(a, b, c);
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}
