/**
 * Where a line pierces a triangle, with decisions that are exactly right.
 *
 * The line o + t d passes an edge ab on the side that the sign of d · ((a - o) × (b - o)) tells; it pierces the
 * triangle when the three signs agree, zeros agreeing with anything. RTCD §5.3.4, §11.3.3. If every sign is right
 * then no line slips between faces that share an edge or a vertex. Equal bits for both faces of an edge are not
 * enough for that: around a vertex, the rounded signs of the edges that meet there may describe no line at all.
 *
 * The edge function is written as d · ((a - o + b - o) × (b - a)) / 2, which is as small as the edge is short and
 * negates bit for bit when a and b are exchanged. A bound on its rounding error tells whether the sign can be
 * trusted; if not (one ray in a million, unless aimed at an edge), everything is computed again without rounding.
 */
import { mustBeFinite } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { ReadonlyRay, TriangleHit } from '../types.ts';
import { makeTriangleHit } from '../types.ts';
import { exactDeterminant } from './exact-determinant.ts';

/**
 * Rounding moves d · (m × e) by at most 9 u |d| |m| |e| (norms are sums of absolute values, u = 2^-53): one u for
 * each of d, e and the five operations of a term, two for m, which is measured by its summands. The same holds for
 * the volume a · (e × e). 16 u leaves room for the rounding of the bound itself.
 */
const ERROR = 1.7763568394002505e-15; // 2^-49
/** What underflow may add to a product, with room to spare. */
const UNDERFLOW = 1e-300;
/** d · n keeps some 24 good bits above this times |d| |e|². Below, the ray grazes or the triangle is a needle. */
const GRAZING = 1 / 268435456; // 2^-28

const ZERO: ReadonlyVec3 = vec3();
const X_AXIS: ReadonlyVec3 = vec3(1, 0, 0);
const Y_AXIS: ReadonlyVec3 = vec3(0, 1, 0);
const Z_AXIS: ReadonlyVec3 = vec3(0, 0, 1);

/**
 * The line through `ray`, between tMin and tMax, against the triangle abc. With `end`, the thing asked about is the
 * segment from the ray's origin to `end` instead, both included, and the direction is only its rounding. With
 * `front`, only a line that goes against the normal counts. Checks nothing but that, in doubt, numbers are finite:
 * one that is not leads to the exact part, which `caller` is for.
 *
 * @internal
 */
export function pierceTriangle(
  caller: string,
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMin: number,
  tMax: number,
  front: boolean,
  end: ReadonlyVec3 | null,
  out: TriangleHit | undefined,
): TriangleHit | null {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const aox = ax - ox;
  const aoy = ay - oy;
  const aoz = az - oz;
  const box = bx - ox;
  const boy = by - oy;
  const boz = bz - oz;
  const cox = cx - ox;
  const coy = cy - oy;
  const coz = cz - oz;
  const abx = bx - ax;
  const aby = by - ay;
  const abz = bz - az;
  const bcx = cx - bx;
  const bcy = cy - by;
  const bcz = cz - bz;
  const cax = ax - cx;
  const cay = ay - cy;
  const caz = az - cz;

  const mcx = aox + box;
  const mcy = aoy + boy;
  const mcz = aoz + boz;
  const max = box + cox;
  const may = boy + coy;
  const maz = boz + coz;
  const mbx = cox + aox;
  const mby = coy + aoy;
  const mbz = coz + aoz;
  // Twice the edge functions, each named after the corner opposite to its edge.
  const edgeC = dx * (mcy * abz - mcz * aby) + dy * (mcz * abx - mcx * abz) + dz * (mcx * aby - mcy * abx);
  const edgeA = dx * (may * bcz - maz * bcy) + dy * (maz * bcx - max * bcz) + dz * (max * bcy - may * bcx);
  const edgeB = dx * (mby * caz - mbz * cay) + dy * (mbz * cax - mbx * caz) + dz * (mbx * cay - mby * cax);

  const far =
    Math.abs(aox) +
    Math.abs(aoy) +
    Math.abs(aoz) +
    Math.abs(box) +
    Math.abs(boy) +
    Math.abs(boz) +
    Math.abs(cox) +
    Math.abs(coy) +
    Math.abs(coz);
  const size =
    Math.abs(abx) +
    Math.abs(aby) +
    Math.abs(abz) +
    Math.abs(bcx) +
    Math.abs(bcy) +
    Math.abs(bcz) +
    Math.abs(cax) +
    Math.abs(cay) +
    Math.abs(caz);
  const speed = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const bound = speed * (ERROR * far * size + UNDERFLOW) + UNDERFLOW;

  const least = edgeA < edgeB ? (edgeA < edgeC ? edgeA : edgeC) : edgeB < edgeC ? edgeB : edgeC;
  const most = edgeA > edgeB ? (edgeA > edgeC ? edgeA : edgeC) : edgeB > edgeC ? edgeB : edgeC;
  if (least < -bound && most > bound) return null;
  if (!(least > bound || most < -bound))
    return pierceExactly(caller, ray, a, b, c, tMin, tMax, front, end, out);
  // The line pierces the triangle, certainly. When?
  if (front && least > bound) return null;
  const nx = aby * bcz - abz * bcy;
  const ny = abz * bcx - abx * bcz;
  const nz = abx * bcy - aby * bcx;
  const slope = dx * nx + dy * ny + dz * nz;
  const volume = aox * nx + aoy * ny + aoz * nz;
  const lengthSq = nx * nx + ny * ny + nz * nz;
  const doubt = ERROR * far * size * size;
  if (
    !(
      Math.abs(slope) > GRAZING * speed * size * size &&
      (tMin < 0 || Math.abs(volume) > doubt) &&
      (end === null || Math.abs(volume - slope) > doubt) &&
      lengthSq > 1e-280
    )
  )
    return pierceExactly(caller, ray, a, b, c, tMin, tMax, front, end, out);
  const t = volume / slope;
  if (!(t >= tMin && t <= tMax)) return null;
  const hit = out ?? makeTriangleHit();
  const scale = 1 / (edgeA + edgeB + edgeC);
  const v = edgeB * scale;
  const w = edgeC * scale;
  const toUnit = (slope > 0 ? -1 : 1) / Math.sqrt(lengthSq);
  const { point, normal } = hit;
  hit.t = t;
  hit.u = edgeA * scale;
  hit.v = v;
  hit.w = w;
  // Through the corners and not along the ray: this point is on the triangle, however far away the ray started.
  point.x = ax + v * abx - w * cax;
  point.y = ay + v * aby - w * cay;
  point.z = az + v * abz - w * caz;
  normal.x = nx * toUnit;
  normal.y = ny * toUnit;
  normal.z = nz * toUnit;
  return hit;
}

/** The same, with every determinant exact. */
function pierceExactly(
  caller: string,
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  tMin: number,
  tMax: number,
  front: boolean,
  end: ReadonlyVec3 | null,
  out: TriangleHit | undefined,
): TriangleHit | null {
  const { origin: o, direction } = ray;
  const sum = v3.dot(o, ZERO) + v3.dot(direction, ZERO) + v3.dot(a, ZERO) + v3.dot(b, ZERO) + v3.dot(c, ZERO);
  if (sum !== 0) mustBeFinite(caller, end === null ? { ray, a, b, c } : { p: o, q: end, a, b, c });
  let from = end === null ? ZERO : o;
  let to = end === null ? direction : end;
  const still = v3.equals(from, to);
  if (still) {
    // A point is on the triangle if it is in the plane and the line along the normal pierces the triangle there.
    if (exactDeterminant(o, a, a, b, a, c) !== 0) return null;
    from = ZERO;
    to = exactNormal(a, b, c);
  }

  const edgeC = exactDeterminant(from, to, o, a, o, b);
  const edgeA = exactDeterminant(from, to, o, b, o, c);
  if ((edgeA > 0 && edgeC < 0) || (edgeA < 0 && edgeC > 0)) return null;
  const edgeB = exactDeterminant(from, to, o, c, o, a);
  const total = edgeA + edgeB + edgeC;
  const along = edgeA >= 0 && edgeB >= 0 && edgeC >= 0;
  if (!(along || (edgeA <= 0 && edgeB <= 0 && edgeC <= 0))) return null;
  // A total of zero: the line lies in the plane, or the triangle has no area.
  if (total === 0 || (front && along && !still)) return null;

  let t = 0;
  if (!still) {
    t = exactDeterminant(o, a, a, b, a, c) / exactDeterminant(from, to, a, b, a, c);
    if (!(t >= tMin)) return null;
    if (end === null) {
      if (!(t <= tMax)) return null;
    } else {
      // Whether the end has reached the plane is a sign too, and rounding must not carry t past it.
      const beyond = exactDeterminant(end, a, a, b, a, c);
      if (along ? beyond > 0 : beyond < 0) return null;
      if (t > 1) t = 1;
    }
  }

  const hit = out ?? makeTriangleHit();
  const v = edgeB / total;
  const w = edgeC / total;
  const { point, normal } = hit;
  v3.scale(v3.normalize(exactNormal(a, b, c), scratch), still ? 0 : along ? -1 : 1, scratch);
  const px = a.x + v * (b.x - a.x) + w * (c.x - a.x);
  const py = a.y + v * (b.y - a.y) + w * (c.y - a.y);
  const pz = a.z + v * (b.z - a.z) + w * (c.z - a.z);
  hit.t = t;
  hit.u = edgeA / total;
  hit.v = v;
  hit.w = w;
  v3.set(px, py, pz, point);
  v3.copy(scratch, normal);
  return hit;
}

const scratch = vec3();

function exactNormal(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): Vec3 {
  return v3.set(
    exactDeterminant(ZERO, X_AXIS, a, b, a, c),
    exactDeterminant(ZERO, Y_AXIS, a, b, a, c),
    exactDeterminant(ZERO, Z_AXIS, a, b, a, c),
    scratch,
  );
}
