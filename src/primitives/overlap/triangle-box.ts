/** Does a triangle meet a box? Separating axes, with exact signs where rounding could decide. RTCD §5.2.9. */

import { checkAabb, checkObb } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2, Vec3 } from '../../math/types.ts';
import { vec2, vec3 } from '../../math/types.ts';
import { checkTriangle } from '../input.ts';
import type { ReadonlyAabb, ReadonlyObb } from '../types.ts';
import { makeAabb } from '../types.ts';
import { side } from './side.ts';

/**
 * Do the triangle abc and the box share a point? The answer is exact for the numbers given: touching counts, and a
 * flat triangle is the segment or point it is, a flat box the rectangle, segment or point.
 */
export function overlapTriangleAabb(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyAabb,
): boolean {
  checkTriangle('overlapTriangleAabb', a, b, c);
  checkAabb('overlapTriangleAabb', 'box', box);
  return triangleMeetsAabb(a, b, c, box);
}

/**
 * Do the triangle abc and the oriented box share a point? Within rounding of touching (1e-14 of the distance
 * from the box centre to the farthest corner) the answer is yes: a contact is never missed.
 */
export function overlapTriangleObb(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyObb,
): boolean {
  checkTriangle('overlapTriangleObb', a, b, c);
  checkObb('overlapTriangleObb', 'box', box);
  const { halfSize } = box;
  toBoxFrame(a, box, localA);
  toBoxFrame(b, box, localB);
  toBoxFrame(c, box, localC);
  // The transform to the frame of the box rounds every coordinate: grow the box by more than that.
  const slack =
    64 *
    UNIT_ROUNDING *
    Math.max(largest(localA), largest(localB), largest(localC), halfSize.x, halfSize.y, halfSize.z);
  const { min, max } = localBox;
  max.x = halfSize.x + slack;
  max.y = halfSize.y + slack;
  max.z = halfSize.z + slack;
  min.x = -max.x;
  min.y = -max.y;
  min.z = -max.z;
  return triangleMeetsAabb(localA, localB, localC, localBox);
}

/** `overlapTriangleAabb` without the checks. @internal */
export function triangleMeetsAabb(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyAabb,
): boolean {
  const verdict = separation(a, b, c, box);
  return verdict === UNCERTAIN ? !isTriangleApartFromAabb(a, b, c, box) : verdict !== APART;
}

const localA = vec3();
const localB = vec3();
const localC = vec3();
const localBox = makeAabb();

const largest = (p: ReadonlyVec3): number => Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));

function toBoxFrame(p: ReadonlyVec3, { center, rotation }: ReadonlyObb, out: Vec3): void {
  const e = rotation.elements;
  const x = p.x - center.x;
  const y = p.y - center.y;
  const z = p.z - center.z;
  out.x = e[0]! * x + e[1]! * y + e[2]! * z;
  out.y = e[3]! * x + e[4]! * y + e[5]! * z;
  out.z = e[6]! * x + e[7]! * y + e[8]! * z;
}

const APART = 0;
const MEET = 1;
const UNCERTAIN = 2;

/**
 * The thirteen axes in plain arithmetic: apart or meeting when no rounding could change the verdict. The
 * box axes are exact. For the others the box is moved to the origin, which costs rounding of the order of the
 * coordinates themselves.
 */
function separation(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, box: ReadonlyAabb): number {
  const { min, max } = box;
  const { x: minX, y: minY, z: minZ } = min;
  const { x: maxX, y: maxY, z: maxZ } = max;
  if (Math.max(a.x, b.x, c.x) < minX || Math.min(a.x, b.x, c.x) > maxX) return APART;
  if (Math.max(a.y, b.y, c.y) < minY || Math.min(a.y, b.y, c.y) > maxY) return APART;
  if (Math.max(a.z, b.z, c.z) < minZ || Math.min(a.z, b.z, c.z) > maxZ) return APART;

  const hx = (maxX - minX) * 0.5;
  const hy = (maxY - minY) * 0.5;
  const hz = (maxZ - minZ) * 0.5;
  const mx = minX + hx;
  const my = minY + hy;
  const mz = minZ + hz;
  const ax = a.x - mx;
  const ay = a.y - my;
  const az = a.z - mz;
  const bx = b.x - mx;
  const by = b.y - my;
  const bz = b.z - mz;
  const cx = c.x - mx;
  const cy = c.y - my;
  const cz = c.z - mz;
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - b.x;
  const vy = c.y - b.y;
  const vz = c.z - b.z;
  const wx = a.x - c.x;
  const wy = a.y - c.y;
  const wz = a.z - c.z;

  // Local coordinates are at most `reach` and off by at most `shift`; edges at most twice that.
  const reach = Math.max(
    Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az), Math.abs(bx), Math.abs(by), Math.abs(bz)),
    Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz), hx, hy, hz),
  );
  const shift = 4 * UNIT_ROUNDING * (reach + Math.max(Math.abs(mx), Math.abs(my), Math.abs(mz)));

  // The box axes crossed with the edges: `gap` as seen along x, y and z. The first argument is on which side of the
  // edge the box centre lies, the second how far the box extends; both off by 12 reach shift, the area n by 24.
  const error2 = 64 * reach * shift;
  const nx = uy * vz - uz * vy;
  const rux = Math.abs(uz) * hy + Math.abs(uy) * hz;
  const rvx = Math.abs(vz) * hy + Math.abs(vy) * hz;
  const rwx = Math.abs(wz) * hy + Math.abs(wy) * hz;
  const gapX = Math.max(
    gap(uz * ay - uy * az, rux, nx),
    gap(vz * by - vy * bz, rvx, nx),
    gap(wz * cy - wy * cz, rwx, nx),
  );
  if (gapX > error2) return APART;
  const ny = uz * vx - ux * vz;
  const ruy = Math.abs(ux) * hz + Math.abs(uz) * hx;
  const rvy = Math.abs(vx) * hz + Math.abs(vz) * hx;
  const rwy = Math.abs(wx) * hz + Math.abs(wz) * hx;
  const gapY = Math.max(
    gap(ux * az - uz * ax, ruy, ny),
    gap(vx * bz - vz * bx, rvy, ny),
    gap(wx * cz - wz * cx, rwy, ny),
  );
  if (gapY > error2) return APART;
  const nz = ux * vy - uy * vx;
  const ruz = Math.abs(uy) * hx + Math.abs(ux) * hy;
  const rvz = Math.abs(vy) * hx + Math.abs(vx) * hy;
  const rwz = Math.abs(wy) * hx + Math.abs(wx) * hy;
  const gapZ = Math.max(
    gap(uy * ax - ux * ay, ruz, nz),
    gap(vy * bx - vx * by, rvz, nz),
    gap(wy * cx - wx * cy, rwz, nz),
  );
  if (gapZ > error2) return APART;

  // The plane of the triangle: components of n are off by 24 reach shift, so that both terms are off by 120 reach² shift.
  const error3 = 256 * reach * reach * shift;
  const gapN =
    Math.abs(nx * ax + ny * ay + nz * az) - (hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz));
  if (gapN > error3) return APART;
  return Math.max(gapX, gapY, gapZ) < -error2 && gapN < -error3 ? MEET : UNCERTAIN;
}

/**
 * In the direction across an edge the triangle covers [0, n] and the box [s - r, s + r]: the gap between them,
 * negative when they overlap. (In units of the edge's length.)
 */
const gap = (s: number, r: number, n: number): number =>
  s > 0 ? s - r - Math.max(n, 0) : -s - r + Math.min(n, 0);

/**
 * Is there a plane with the triangle on one side and the box strictly on the other? Given that the box around the
 * triangle meets the box. With signs that cannot be wrong: for the cases that rounding would decide.
 */
function isTriangleApartFromAabb(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyAabb,
): boolean {
  const { min, max } = box;
  // The normal of the triangle has the signs of its areas as seen along the axes: they say which corner of the box is the nearest and
  // which the farthest of the box.
  const nx = seenAlong('x', a, b, c, box);
  if (nx === PARTED) return true;
  const ny = seenAlong('y', a, b, c, box);
  if (ny === PARTED) return true;
  const nz = seenAlong('z', a, b, c, box);
  if (nz === PARTED) return true;
  corner.x = nx > 0 ? max.x : min.x;
  corner.y = ny > 0 ? max.y : min.y;
  corner.z = nz > 0 ? max.z : min.z;
  if (side(a, b, c, corner) < 0) return true;
  corner.x = nx > 0 ? min.x : max.x;
  corner.y = ny > 0 ? min.y : max.y;
  corner.z = nz > 0 ? min.z : max.z;
  return side(a, b, c, corner) > 0;
}

const PARTED = 2;
const A = vec2();
const B = vec2();
const C = vec2();
const LOW = vec2();
const HIGH = vec2();
const point = vec2();
const corner = vec3();

/** As seen along an axis: PARTED when an edge parts the triangle from the rectangle, else the sign of the triangle's area. */
function seenAlong(
  axis: 'x' | 'y' | 'z',
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyAabb,
): number {
  project(a, axis, A);
  project(b, axis, B);
  project(c, axis, C);
  project(box.min, axis, LOW);
  project(box.max, axis, HIGH);
  const area = Math.sign(orient2d(A, B, C));
  return edgeSeparates(A, B, area) || edgeSeparates(B, C, area) || edgeSeparates(C, A, area) ? PARTED : area;
}

function project(p: ReadonlyVec3, axis: 'x' | 'y' | 'z', out: Vec2): void {
  out.x = axis === 'x' ? p.y : axis === 'y' ? p.z : p.x;
  out.y = axis === 'x' ? p.z : axis === 'y' ? p.x : p.y;
}

function put(p: Vec2, x: number, y: number): void {
  p.x = x;
  p.y = y;
}

/** Does the rectangle lie strictly outside the edge uv of a triangle with this sign of area (0: on either side)? */
function edgeSeparates(u: ReadonlyVec2, v: ReadonlyVec2, area: number): boolean {
  // The corner farthest to the left of uv, then the one farthest to the right.
  put(point, v.y > u.y ? LOW.x : HIGH.x, v.x > u.x ? HIGH.y : LOW.y);
  if (area >= 0 && orient2d(u, v, point) < 0) return true;
  put(point, v.y > u.y ? HIGH.x : LOW.x, v.x > u.x ? LOW.y : HIGH.y);
  return area <= 0 && orient2d(u, v, point) > 0;
}
