/** The separating axes of a triangle and a box with signs that cannot be wrong: for the cases that rounding would decide. */
import { orient2d } from '../../math/orient.ts';
import type { ReadonlyVec2, ReadonlyVec3, Vec2 } from '../../math/types.ts';
import { vec2, vec3 } from '../../math/types.ts';
import type { ReadonlyAabb } from '../types.ts';
import { side } from './side.ts';

/**
 * Is there a plane with the triangle on one side and the box strictly on the other? Given that the box around the
 * triangle meets the box. @internal
 */
export function isTriangleApartFromAabb(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  box: ReadonlyAabb,
): boolean {
  const { min, max } = box;
  // The normal of the triangle has the signs of its areas as seen along the axes: they tell the nearest and the
  // farthest corner of the box.
  const nx = seenAlong(a.y, a.z, b.y, b.z, c.y, c.z, min.y, min.z, max.y, max.z);
  if (nx === APART) return true;
  const ny = seenAlong(a.z, a.x, b.z, b.x, c.z, c.x, min.z, min.x, max.z, max.x);
  if (ny === APART) return true;
  const nz = seenAlong(a.x, a.y, b.x, b.y, c.x, c.y, min.x, min.y, max.x, max.y);
  if (nz === APART) return true;
  corner.x = nx > 0 ? max.x : min.x;
  corner.y = ny > 0 ? max.y : min.y;
  corner.z = nz > 0 ? max.z : min.z;
  if (side(a, b, c, corner) < 0) return true;
  corner.x = nx > 0 ? min.x : max.x;
  corner.y = ny > 0 ? min.y : max.y;
  corner.z = nz > 0 ? min.z : max.z;
  return side(a, b, c, corner) > 0;
}

const APART = 2;
const A = vec2();
const B = vec2();
const C = vec2();
const LOW = vec2();
const HIGH = vec2();
const point = vec2();
const corner = vec3();

/** APART when an edge parts the triangle from the rectangle, else the sign of the triangle's area. */
function seenAlong(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): number {
  put(A, ax, ay);
  put(B, bx, by);
  put(C, cx, cy);
  put(LOW, minX, minY);
  put(HIGH, maxX, maxY);
  const area = Math.sign(orient2d(A, B, C));
  return edgeSeparates(A, B, area) || edgeSeparates(B, C, area) || edgeSeparates(C, A, area) ? APART : area;
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
