/** What two triangles have in common. RTCD §5.2.10. */

import { checkPoint } from '../../math/check.ts';
import { exactDeterminant } from '../../math/exact-determinant.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, distanceSq, lerp } from '../../math/vec3.ts';
import { isOnTriangle, segmentsMeet, side } from './side.ts';
import { classifyTriangles, pick, trianglesOverlap } from './triangle-triangle.ts';

/** The points between a and b. */
export interface Segment {
  a: Vec3;
  b: Vec3;
}

export const makeSegment = (): Segment => ({ a: vec3(), b: vec3() });

/**
 * The segment that the triangles abc and def share, or `null` exactly if they share nothing. Where they only touch,
 * both ends are the same point. Triangles in one plane share a polygon: of that, the two corners farthest apart.
 * The ends are good to about 1e-12 of the size of the triangles, however small the angle between their planes.
 */
export function intersectTriangleTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
  out?: Segment,
): Segment | null {
  checkPoint('intersectTriangleTriangle', 'a', a);
  checkPoint('intersectTriangleTriangle', 'b', b);
  checkPoint('intersectTriangleTriangle', 'c', c);
  checkPoint('intersectTriangleTriangle', 'd', d);
  checkPoint('intersectTriangleTriangle', 'e', e);
  checkPoint('intersectTriangleTriangle', 'f', f);
  checkPoint('intersectTriangleTriangle', 'a', a);
  checkPoint('intersectTriangleTriangle', 'b', b);
  checkPoint('intersectTriangleTriangle', 'c', c);
  checkPoint('intersectTriangleTriangle', 'd', d);
  checkPoint('intersectTriangleTriangle', 'e', e);
  checkPoint('intersectTriangleTriangle', 'f', f);
  if (!trianglesOverlap(a, b, c, d, e, f)) return null;
  const crossing = classifyTriangles(a, b, c, d, e, f);
  if (crossing < 0) findFarthest(a, b, c, d, e, f);
  else {
    const i = crossing & 3;
    const j = (crossing >> 2) & 3;
    const k = (crossing >> 4) & 3;
    const l = (crossing >> 6) & 3;
    const p = pick(i, a, b, c);
    const q = pick(j, a, b, c);
    const r = pick(3 - i - j, a, b, c);
    const u = pick(k, d, e, f);
    const v = pick(l, d, e, f);
    const w = pick(3 - k - l, d, e, f);
    // From the later start of [pr, pq] and [uv, uw] to the earlier end.
    if (side(p, r, u, v) <= 0) cutEdge(p, r, u, v, w, start);
    else cutEdge(u, v, p, q, r, start);
    if (side(p, q, u, w) <= 0) cutEdge(u, w, p, q, r, end);
    else cutEdge(p, q, u, v, w, end);
  }
  return write(out);
}

const start = vec3();
const end = vec3();

function write(out: Segment = makeSegment()): Segment {
  copy(start, out.a);
  copy(end, out.b);
  return out;
}

/** A height below this fraction of its terms has lost too many digits. */
const ACCURATE = 3e-4;

/** Where pq, whose ends lie on different sides (or one on it), meets the plane of abc. */
function cutEdge(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out: Vec3,
): void {
  const { x: ax, y: ay, z: az } = a;
  const { x: px, y: py, z: pz } = p;
  const { x: qx, y: qy, z: qz } = q;
  const ux = b.x - ax;
  const uy = b.y - ay;
  const uz = b.z - az;
  const vx = c.x - ax;
  const vy = c.y - ay;
  const vz = c.z - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  let hp = nx * (px - ax) + ny * (py - ay) + nz * (pz - az);
  let hq = nx * (qx - ax) + ny * (qy - ay) + nz * (qz - az);
  const terms =
    (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) *
    (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) *
    Math.max(
      Math.abs(px - ax) + Math.abs(py - ay) + Math.abs(pz - az),
      Math.abs(qx - ax) + Math.abs(qy - ay) + Math.abs(qz - az),
    );
  if (!(Math.min(Math.abs(hp), Math.abs(hq)) > ACCURATE * terms)) {
    hp = exactDeterminant(a, b, a, c, a, p);
    hq = exactDeterminant(a, b, a, c, a, q);
  }
  const t = hp / (hp - hq);
  out.x = px * (1 - t) + qx * t;
  out.y = py * (1 - t) + qy * t;
  out.z = pz * (1 - t) + qz * t;
}

/** Room for the corners of the common part: up to six corners of the triangles, nine crossings of edges and one of a face. */
const corners: Vec3[] = Array.from({ length: 16 }, () => vec3());
let count = 0;

/**
 * Triangles in one plane, or a flat one: sets `start` and `end` to the farthest two corners of the common part. Those
 * are corners of the one in the other, crossings of edges, and where an edge of a flat one crosses the other's face.
 */
function findFarthest(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): void {
  count = 0;
  for (let i = 0; i < 3; i++) {
    const p = pick(i, a, b, c);
    const u = pick(i, d, e, f);
    if (isOnTriangle(p, d, e, f)) copy(p, corners[count++]!);
    if (isOnTriangle(u, a, b, c)) copy(u, corners[count++]!);
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      addCrossing(pick(i, a, b, c), pick((i + 1) % 3, a, b, c), pick(j, d, e, f), pick((j + 1) % 3, d, e, f));
  if (count === 0) {
    addFaceCrossing(a, b, c, d, e, f);
    addFaceCrossing(d, e, f, a, b, c);
  }
  let most = -1;
  for (let i = 0; i < count; i++)
    for (let j = i; j < count; j++) {
      const apart = distanceSq(corners[i]!, corners[j]!);
      if (apart > most) {
        most = apart;
        copy(corners[i]!, start);
        copy(corners[j]!, end);
      }
    }
}

/** The crossing of pq and uv, unless they are parallel: then corners say it all. */
function addCrossing(p: ReadonlyVec3, q: ReadonlyVec3, u: ReadonlyVec3, v: ReadonlyVec3): void {
  if (!segmentsMeet(p, q, u, v)) return;
  for (const axis of AXES) {
    // As seen along an axis: p + t (q - p) with t = (u - p) × (v - u) / (q - p) × (v - u).
    const whole = exactDeterminant(p, q, u, v, ORIGIN, axis);
    if (whole === 0) continue;
    lerp(p, q, exactDeterminant(p, u, u, v, ORIGIN, axis) / whole, corners[count++]!);
    return;
  }
}

const ORIGIN = vec3();
const AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];

/** Where the edges of the flat triangle abc cross the plane of def; the longest edge, to be found among three. */
function addFaceCrossing(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  d: ReadonlyVec3,
  e: ReadonlyVec3,
  f: ReadonlyVec3,
): void {
  for (let i = 0; i < 3 && count === 0; i++) {
    const p = pick(i, a, b, c);
    const q = pick((i + 1) % 3, a, b, c);
    if (side(d, e, f, p) * side(d, e, f, q) < 0) cutEdge(p, q, d, e, f, corners[count++]!);
  }
}
