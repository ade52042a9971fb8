/** Points and boxes. RTCD §5.1.3, §5.1.4. The inside belongs to a box: a point in it is its own closest point. */
import { checkAabb, checkObb, checkPoint } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyAabb, ReadonlyObb } from '../types.ts';

/** x moved into [low, high]. */
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/** How far x lies outside [low, high]. */
const excess = (x: number, low: number, high: number): number =>
  x < low ? low - x : x > high ? x - high : 0;

/** The point of a box closest to p. */
export function closestPointAabb(p: ReadonlyVec3, box: ReadonlyAabb, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointAabb', 'p', p);
  checkAabb('closestPointAabb', 'box', box);
  const { x: px, y: py, z: pz } = p;
  const { x: lx, y: ly, z: lz } = box.min;
  const { x: hx, y: hy, z: hz } = box.max;
  out.x = clamp(px, lx, hx);
  out.y = clamp(py, ly, hy);
  out.z = clamp(pz, lz, hz);
  return out;
}

/** Squared distance of p from a box; 0 inside. */
export function distanceSqPointAabb(p: ReadonlyVec3, box: ReadonlyAabb): number {
  checkPoint('distanceSqPointAabb', 'p', p);
  checkAabb('distanceSqPointAabb', 'box', box);
  const { x: px, y: py, z: pz } = p;
  const { x: lx, y: ly, z: lz } = box.min;
  const { x: hx, y: hy, z: hz } = box.max;
  const x = excess(px, lx, hx);
  const y = excess(py, ly, hy);
  const z = excess(pz, lz, hz);
  return x * x + y * y + z * z;
}

/** The point of an oriented box closest to p. */
export function closestPointObb(p: ReadonlyVec3, box: ReadonlyObb, out: Vec3 = vec3()): Vec3 {
  checkPoint('closestPointObb', 'p', p);
  checkObb('closestPointObb', 'box', box);
  const { x: px, y: py, z: pz } = p;
  const { x: cx, y: cy, z: cz } = box.center;
  const { x: hx, y: hy, z: hz } = box.halfSize;
  const e = box.rotation.elements;
  const dx = px - cx;
  const dy = py - cy;
  const dz = pz - cz;
  const u = dx * e[0]! + dy * e[1]! + dz * e[2]!;
  const v = dx * e[3]! + dy * e[4]! + dz * e[5]!;
  const w = dx * e[6]! + dy * e[7]! + dz * e[8]!;
  const s = clamp(u, -hx, hx);
  const t = clamp(v, -hy, hy);
  const r = clamp(w, -hz, hz);
  // Inside, the point itself and not its image there and back.
  const inside = s === u && t === v && r === w;
  out.x = inside ? px : cx + (s * e[0]! + t * e[3]! + r * e[6]!);
  out.y = inside ? py : cy + (s * e[1]! + t * e[4]! + r * e[7]!);
  out.z = inside ? pz : cz + (s * e[2]! + t * e[5]! + r * e[8]!);
  return out;
}

/** Squared distance of p from an oriented box; 0 inside. */
export function distanceSqPointObb(p: ReadonlyVec3, box: ReadonlyObb): number {
  checkPoint('distanceSqPointObb', 'p', p);
  checkObb('distanceSqPointObb', 'box', box);
  const { x: hx, y: hy, z: hz } = box.halfSize;
  const e = box.rotation.elements;
  const dx = p.x - box.center.x;
  const dy = p.y - box.center.y;
  const dz = p.z - box.center.z;
  const u = dx * e[0]! + dy * e[1]! + dz * e[2]!;
  const v = dx * e[3]! + dy * e[4]! + dz * e[5]!;
  const w = dx * e[6]! + dy * e[7]! + dz * e[8]!;
  const x = excess(u, -hx, hx);
  const y = excess(v, -hy, hy);
  const z = excess(w, -hz, hz);
  return x * x + y * y + z * z;
}
