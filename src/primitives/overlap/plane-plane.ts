/** Where planes meet. RTCD §5.4.4-5. */

import { differenceOfProducts } from '../../math/accurate.ts';
import { checkPlane } from '../../math/check.ts';
import { COMPUTED_POINT, PARALLEL_NORMALS } from '../../math/tolerance.ts';
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { crossAccurate, dot, lengthSq, set } from '../../math/vec3.ts';
import type { Ray } from '../types.ts';
import { makeRay } from '../types.ts';

/**
 * The line that two planes share: `origin` is its point nearest to the coordinate origin, `direction` is the cross
 * product of the normals (not a unit vector: its length is the sine of the angle times the lengths of the normals).
 * `null` when the planes are parallel or the same (or one has no normal). Normals may have any length.
 */
export function intersectPlanePlane(p: ReadonlyPlane, q: ReadonlyPlane, out?: Ray): Ray | null {
  checkPlane('intersectPlanePlane', 'p', p);
  checkPlane('intersectPlanePlane', 'q', q);
  return lineOf(p, q) ? copyLine(out) : null;
}

const line = makeRay();

function copyLine(out: Ray = makeRay()): Ray {
  const { origin: o, direction: u } = line;
  set(o.x, o.y, o.z, out.origin);
  set(u.x, u.y, u.z, out.direction);
  return out;
}

/**
 * Sets `line`. With u = n × m the point is ((d m - e n) × u) / u·u. The division stays for unit normals too: u·u is
 * then the squared sine of the angle. Both factors are free of cancellation and at a right angle to each other, so
 * the point is good to a few ulps however small the angle.
 */
function lineOf(p: ReadonlyPlane, q: ReadonlyPlane): boolean {
  const { normal: n, d } = p;
  const { normal: m, d: e } = q;
  const { origin, direction } = line;
  crossOf(n, m, direction);
  const { x: ux, y: uy, z: uz } = direction;
  const uu = ux * ux + uy * uy + uz * uz;
  if (!(uu > PARALLEL_NORMALS * lengthSq(n) * lengthSq(m))) return false;
  const wx = difference(d, m.x, e, n.x);
  const wy = difference(d, m.y, e, n.y);
  const wz = difference(d, m.z, e, n.z);
  origin.x = (wy * uz - wz * uy) / uu;
  origin.y = (wz * ux - wx * uz) / uu;
  origin.z = (wx * uy - wy * ux) / uu;
  return true;
}

/** a × b, of which no component has lost more than four bits; `out` is neither of them. */
function crossOf(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3): void {
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  out.x = x;
  out.y = y;
  out.z = z;
  const isSound =
    Math.abs(x) > 0.0625 * Math.abs(ay * bz) &&
    Math.abs(y) > 0.0625 * Math.abs(az * bx) &&
    Math.abs(z) > 0.0625 * Math.abs(ax * by);
  if (!isSound) crossAccurate(a, b, out);
}

/** a b - c d, losing four bits at most: small enough to be inlined, and the call is rare. */
function difference(a: number, b: number, c: number, d: number): number {
  const plain = a * b - c * d;
  return Math.abs(plain) > 0.0625 * Math.abs(a * b) ? plain : differenceOfProducts(a, b, c, d);
}

/**
 * The point that three planes share, or `null` when there is none or more than one: `classifyPlanePlanePlane` says
 * why. Also solves the equations n · x = d for any three rows n: `null` means that the matrix is singular.
 */
export function intersectPlanePlanePlane(
  p: ReadonlyPlane,
  q: ReadonlyPlane,
  r: ReadonlyPlane,
  out?: Vec3,
): Vec3 | null {
  checkPlane('intersectPlanePlanePlane', 'p', p);
  checkPlane('intersectPlanePlanePlane', 'q', q);
  checkPlane('intersectPlanePlanePlane', 'r', r);
  if (!spanSpace(p, q, r)) return null;
  // Cramer's rule, then again for what is left over, until that is down to the rounding of the point. When the planes
  // are nearly dependent a pass may gain no more than a digit.
  const { x: px, y: py, z: pz } = p.normal;
  const { x: qx, y: qy, z: qz } = q.normal;
  const { x: rx, y: ry, z: rz } = r.normal;
  const { volume } = span;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const a = p.d - (px * x + py * y + pz * z);
    const b = q.d - (qx * x + qy * y + qz * z);
    const c = r.d - (rx * x + ry * y + rz * z);
    const dx = (a * qr.x + b * rp.x + c * pq.x) / volume;
    const dy = (a * qr.y + b * rp.y + c * pq.y) / volume;
    const dz = (a * qr.z + b * rp.z + c * pq.z) / volume;
    x += dx;
    y += dy;
    z += dz;
    const change = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
    if (change <= Number.EPSILON * (Math.abs(x) + Math.abs(y) + Math.abs(z))) break;
  }
  const point = out ?? vec3();
  point.x = x;
  point.y = y;
  point.z = z;
  return point;
}

const MAX_PASSES = 12;

/** How three planes lie to each other. */
export type PlaneConfiguration = 'point' | 'line' | 'prism' | 'two-parallel' | 'parallel';

/**
 * How three planes lie to each other:
 * - `point`: they share one point.
 * - `line`: they share a line, as the pages of a book (also when two of them are the same plane).
 * - `prism`: each two share a line, all three nothing: the lines are parallel.
 * - `two-parallel`: two are parallel and apart, and the third cuts both.
 * - `parallel`: all are parallel; some or all may be the same plane.
 *
 * Normals may have any length but 0. What is parallel and what lies on a line is decided within rounding.
 */
export function classifyPlanePlanePlane(
  p: ReadonlyPlane,
  q: ReadonlyPlane,
  r: ReadonlyPlane,
): PlaneConfiguration {
  checkPlane('classifyPlanePlanePlane', 'p', p);
  checkPlane('classifyPlanePlanePlane', 'q', q);
  checkPlane('classifyPlanePlanePlane', 'r', r);
  if (spanSpace(p, q, r)) return 'point';
  // sin² of the angles between the planes; the line of the two that differ most is the most certain.
  const np = lengthSq(p.normal);
  const nq = lengthSq(q.normal);
  const nr = lengthSq(r.normal);
  const sinPq = lengthSq(pq) / (np * nq);
  const sinQr = lengthSq(qr) / (nq * nr);
  const sinRp = lengthSq(rp) / (nr * np);
  const most = Math.max(sinPq, sinQr, sinRp);
  if (!(most > PARALLEL_NORMALS)) return 'parallel';
  const first = most === sinPq ? p : most === sinQr ? q : r;
  const second = most === sinPq ? q : most === sinQr ? r : p;
  const third = most === sinPq ? r : most === sinQr ? p : q;
  lineOf(first, second);
  const { normal, d } = third;
  const off = dot(normal, line.origin) - d;
  const terms = Math.sqrt(lengthSq(normal) * lengthSq(line.origin)) + Math.abs(d);
  if (Math.abs(off) <= COMPUTED_POINT * terms) return 'line';
  return Math.min(sinPq, sinQr, sinRp) > PARALLEL_NORMALS ? 'prism' : 'two-parallel';
}

const pq = vec3();
const qr = vec3();
const rp = vec3();
/** n · (m × l), in a record because a double in a variable of the module is a new object each time. */
const span = { volume: 0.5 };

/** Sets the cross products and their volume; do the normals span space? */
function spanSpace(p: ReadonlyPlane, q: ReadonlyPlane, r: ReadonlyPlane): boolean {
  crossOf(p.normal, q.normal, pq);
  crossOf(q.normal, r.normal, qr);
  crossOf(r.normal, p.normal, rp);
  // Written out: V8 does not inline so many small functions, and boxes what they return.
  const { x: px, y: py, z: pz } = p.normal;
  const { x: qx, y: qy, z: qz } = q.normal;
  const { x: rx, y: ry, z: rz } = r.normal;
  const volume = px * qr.x + py * qr.y + pz * qr.z;
  span.volume = volume;
  const np = px * px + py * py + pz * pz;
  const nq = qx * qx + qy * qy + qz * qz;
  const nr = rx * rx + ry * ry + rz * rz;
  const lpq = pq.x * pq.x + pq.y * pq.y + pq.z * pq.z;
  const lqr = qr.x * qr.x + qr.y * qr.y + qr.z * qr.z;
  const lrp = rp.x * rp.x + rp.y * rp.y + rp.z * rp.z;
  // Each two must be apart, and each one from the line of the other two.
  return (
    lpq > PARALLEL_NORMALS * np * nq &&
    lqr > PARALLEL_NORMALS * nq * nr &&
    lrp > PARALLEL_NORMALS * nr * np &&
    volume * volume > PARALLEL_NORMALS * Math.max(np * lqr, nq * lrp, nr * lpq)
  );
}
