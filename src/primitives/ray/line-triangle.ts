/**
 * Where a line meets a triangle, with decisions that are exactly right.
 *
 * The line o + t d passes an edge ab on the side that the sign of d · ((a - o) × (b - o)) says; it meets the
 * triangle when the three signs agree, zeros agreeing with anything. RTCD §5.3.4, §11.3.3. If every sign is right
 * then no line slips between faces that share an edge or a vertex. Equal bits for both faces of an edge are not
 * enough for that: around a vertex, the rounded signs of the edges that meet there may describe no line at all.
 *
 * With v = d · ((a - o) × ac), w = -d · ((a - o) × ab) and d · n = d · (ab × ac), the three are v, w and d · n - v - w,
 * times the sign of d · n (after Möller and Trumbore 1997). A bound on their errors says whether the signs can be
 * trusted; those that cannot (one ray in a million, unless aimed at an edge) are computed again without rounding.
 */

import { sumError } from '../../math/accurate.ts';
import { checkPoint, checkRay } from '../../math/check.ts';
import { exactDeterminant } from '../../math/exact-determinant.ts';
import { GRAZING, UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { ReadonlyRay, TriangleHit } from '../types.ts';
import { makeTriangleHit } from '../types.ts';

/**
 * Let u = 2^-53 and D, A, B, C the sums of the absolute components of d, a - o, ab and ac. Differences are off by u,
 * components of a cross product by 4 u, a dot product by 3 u more: v by 7 u D A C at most, w by 7 u D A B, d · n by
 * 7 u D B C, and the difference of the three by 9 u times the sum. Multiplied by d · n, which spares a branch on its
 * sign, they lose 3 u again. Likewise for the volume (a - o) · n, which says on which side the origin is.
 */
const ERROR = 16 * UNIT_ROUNDING;
/** Where errors could be due to underflow, they are not trusted. */
const TINY = 1e-280;

const ZERO: ReadonlyVec3 = vec3();
const X_AXIS: ReadonlyVec3 = vec3(1, 0, 0);
const Y_AXIS: ReadonlyVec3 = vec3(0, 1, 0);
const Z_AXIS: ReadonlyVec3 = vec3(0, 0, 1);

/**
 * What of a line counts. Its fields are read before the line and the triangle are, whose getters may run a query of their
 * own: so one that belongs to a public function is safe.
 *
 * @internal
 */
export class LineRange {
  /** The public function, which an error names. */
  readonly caller: string;
  readonly tMin: number;
  tMax = Infinity;
  /** Only a line that goes against the normal counts. */
  front: boolean;
  /** Of a segment from the origin to here, both included: the direction is only its rounding. */
  end: ReadonlyVec3 | null = null;

  constructor(caller: string, tMin: number, front = false) {
    this.caller = caller;
    this.tMin = tMin;
    this.front = front;
  }
}

/**
 * The line through `ray`, as far as `range` goes, against the triangle abc. Checks nothing but that, in doubt, numbers
 * are finite: one that is not leads to the exact part.
 *
 * @internal
 */
export function intersectLineTriangle(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  range: LineRange,
  out: TriangleHit | undefined,
): TriangleHit | null {
  const { tMin, tMax, front, end } = range;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const { x: cx, y: cy, z: cz } = c;
  const aox = ax - ox;
  const aoy = ay - oy;
  const aoz = az - oz;
  const abx = bx - ax;
  const aby = by - ay;
  const abz = bz - az;
  const acx = cx - ax;
  const acy = cy - ay;
  const acz = cz - az;
  const kx = aoy * dz - aoz * dy;
  const ky = aoz * dx - aox * dz;
  const kz = aox * dy - aoy * dx;
  const v = kx * acx + ky * acy + kz * acz;
  const w = -(kx * abx + ky * aby + kz * abz);
  const sizeD = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const sizeA = Math.abs(aox) + Math.abs(aoy) + Math.abs(aoz);
  const sizeB = Math.abs(abx) + Math.abs(aby) + Math.abs(abz);
  const sizeC = Math.abs(acx) + Math.abs(acy) + Math.abs(acz);
  const area = sizeB * sizeC;
  const error = ERROR * sizeD * (sizeA * (sizeB + sizeC) + area);
  // Half of all misses show here, before the normal is needed.
  if (v * w < 0 && Math.abs(v) > error && Math.abs(w) > error && error > TINY) return null;

  const nx = aby * acz - abz * acy;
  const ny = abz * acx - abx * acz;
  const nz = abx * acy - aby * acx;
  const slope = dx * nx + dy * ny + dz * nz;
  const bound = error * Math.abs(slope);
  const insideB = v * slope;
  const insideC = w * slope;
  const insideA = slope * slope - insideB - insideC;
  if ((insideB < -bound || insideC < -bound || insideA < -bound) && bound > TINY) return null;

  const volume = aox * nx + aoy * ny + aoz * nz;
  const lengthSq = nx * nx + ny * ny + nz * nz;
  if (
    !(
      Math.abs(slope) > GRAZING * sizeD * area &&
      (Math.abs(volume) > ERROR * sizeA * area || tMin < 0) &&
      (end === null || Math.abs(volume - slope) > ERROR * (sizeA + 2 * sizeD) * area) &&
      bound > TINY &&
      bound < Infinity &&
      lengthSq > TINY
    )
  ) {
    // A line next to parallel is mostly far away: none of the three can be larger than their sum, d · n.
    const most = error + Math.abs(slope);
    if ((Math.abs(v) > most || Math.abs(w) > most) && error > TINY) return null;
    range.tMax = tMax; // as it was, whatever getters have asked since
    range.front = front;
    range.end = end;
    return intersectExactly(ray, a, b, c, range, out);
  }
  const t = volume / slope;
  if (!(t >= tMin && t <= tMax) || (front && slope > 0)) return null;
  let atB = v / slope;
  let atC = w / slope;
  if (!(insideB > bound && insideC > bound && insideA > bound)) {
    const up = slope > 0;
    if (!(insideB > bound || passesInside(ray, end, c, a, up))) return null;
    if (!(insideC > bound || passesInside(ray, end, a, b, up))) return null;
    if (!(insideA > bound || passesInside(ray, end, b, c, up))) return null;
    // Within the triangle, whatever rounding says. The shorter edge has the less certain coordinate, which gives way.
    atB = Math.max(0, Math.min(1, atB));
    atC = Math.max(0, Math.min(1, atC));
    if (atB + atC > 1) {
      if (sizeB < sizeC) atB = 1 - atC;
      else atC = 1 - atB;
    }
  }
  const toUnit = (slope > 0 ? -1 : 1) / Math.sqrt(lengthSq);
  const hit = out ?? makeTriangleHit();
  const { point, normal } = hit;
  hit.t = t;
  hit.u = Math.max(0, 1 - atB - atC);
  hit.v = atB;
  hit.w = atC;
  // Through the corners and not along the ray: this point is on the triangle, however far away the ray started.
  point.x = ax + atB * abx + atC * acx;
  point.y = ay + atB * aby + atC * acy;
  point.z = az + atB * abz + atC * acz;
  normal.x = nx * toUnit + 0; // no -0
  normal.y = ny * toUnit + 0;
  normal.z = nz * toUnit + 0;
  return hit;
}

/** Does the line pass the edge from p to q on the inside, or through it? Exactly. `up`: it runs along the normal. */
function passesInside(
  ray: ReadonlyRay,
  end: ReadonlyVec3 | null,
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  up: boolean,
): boolean {
  if (aimsAt(ray, end, p) || aimsAt(ray, end, q)) return true;
  const { origin: o, direction } = ray;
  const side =
    end === null ? exactDeterminant(ZERO, direction, o, p, p, q) : exactDeterminant(o, end, o, p, p, q);
  return up ? side >= 0 : side <= 0;
}

/**
 * Is p the end, or exactly origin + direction, or does the line run along an axis through p? Most rays through corners
 * are of one of these kinds, and cost no determinant then.
 */
function aimsAt(
  { origin: o, direction: d }: ReadonlyRay,
  end: ReadonlyVec3 | null,
  p: ReadonlyVec3,
): boolean {
  const { x, y, z } = p;
  if (+(d.x === 0 && x === o.x) + +(d.y === 0 && y === o.y) + +(d.z === 0 && z === o.z) > 1) return true;
  if (end !== null) return v3.equals(end, p);
  return (
    p.x - o.x === d.x &&
    p.y - o.y === d.y &&
    p.z - o.z === d.z &&
    sumError(p.x, -o.x, d.x) === 0 &&
    sumError(p.y, -o.y, d.y) === 0 &&
    sumError(p.z, -o.z, d.z) === 0
  );
}

/** Throws the error that names the argument of the caller which is not finite, if there is one. @internal */
export function checkLineTriangle(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  { caller, tMin, end }: LineRange,
): void {
  if (end === null) checkRay(caller, tMin < 0 ? 'line' : 'ray', ray);
  else {
    checkPoint(caller, 'p', ray.origin);
    checkPoint(caller, 'q', end);
  }
  checkPoint(caller, 'a', a);
  checkPoint(caller, 'b', b);
  checkPoint(caller, 'c', c);
}

/** The same from the beginning, with every determinant exact: for what grazes, starts or ends on the triangle. */
function intersectExactly(
  ray: ReadonlyRay,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  range: LineRange,
  out: TriangleHit | undefined,
): TriangleHit | null {
  const { tMin, tMax, front, end } = range;
  const { origin: o, direction } = ray;
  checkLineTriangle(ray, a, b, c, range);
  let from = end === null ? ZERO : o;
  let to = end === null ? direction : end;
  const still = v3.equals(from, to);
  if (still) {
    // A point is on the triangle if it is in the plane and the line along the normal pierces the triangle there.
    if (exactDeterminant(o, a, a, b, a, c) !== 0) return null;
    from = ZERO;
    to = exactNormal(a, b, c);
  }

  const edgeC = exactDeterminant(from, to, o, a, a, b);
  const edgeA = exactDeterminant(from, to, o, b, b, c);
  if ((edgeA > 0 && edgeC < 0) || (edgeA < 0 && edgeC > 0)) return null;
  const edgeB = exactDeterminant(from, to, o, c, c, a);
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
  hit.t = t + 0; // no -0
  hit.u = edgeA / total;
  hit.v = v;
  hit.w = w;
  v3.set(px, py, pz, point);
  v3.set(scratch.x + 0, scratch.y + 0, scratch.z + 0, normal);
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
