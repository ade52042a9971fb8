/** Do two oriented boxes share a point? Separating axes. RTCD §4.4.1–4.4.2; Gottschalk, Lin & Manocha 1996. */

import { checkObb } from '../math/check.ts';
import { OBB_SLACK } from '../math/tolerance.ts';
import type { ReadonlyObb } from '../primitives/types.ts';

/**
 * Do two oriented boxes share a point? All fifteen axes: the faces of each, then the crosses of their edges. Errs, by
 * about 1e-11 of the size of the boxes, towards yes.
 */
export function overlapObbObb(a: ReadonlyObb, b: ReadonlyObb): boolean {
  checkObb('overlapObbObb', 'a', a);
  checkObb('overlapObbObb', 'b', b);
  return obbsOverlap(a, b, true);
}

/**
 * The six face axes only: cheaper, and never a false no, but says yes to a few pairs in a hundred (mostly crossed
 * edges) that `overlapObbObb` would separate. For hierarchies, where the children decide.
 */
export function overlapObbObbCoarse(a: ReadonlyObb, b: ReadonlyObb): boolean {
  checkObb('overlapObbObbCoarse', 'a', a);
  checkObb('overlapObbObbCoarse', 'b', b);
  return obbsOverlap(a, b, false);
}

function obbsOverlap(a: ReadonlyObb, b: ReadonlyObb, edges: boolean): boolean {
  const { x: ax, y: ay, z: az } = a.halfSize;
  const { x: bx, y: by, z: bz } = b.halfSize;
  const { x: cx, y: cy, z: cz } = a.center;
  const p = a.rotation.elements;
  const q = b.rotation.elements;
  const p00 = p[0]!;
  const p01 = p[1]!;
  const p02 = p[2]!;
  const p10 = p[3]!;
  const p11 = p[4]!;
  const p12 = p[5]!;
  const p20 = p[6]!;
  const p21 = p[7]!;
  const p22 = p[8]!;
  const q00 = q[0]!;
  const q01 = q[1]!;
  const q02 = q[2]!;
  const q10 = q[3]!;
  const q11 = q[4]!;
  const q12 = q[5]!;
  const q20 = q[6]!;
  const q21 = q[7]!;
  const q22 = q[8]!;
  const dx = b.center.x - cx;
  const dy = b.center.y - cy;
  const dz = b.center.z - cz;

  const slack = OBB_SLACK * (ax + ay + az + (bx + by + bz));

  // Axis i of a, seen from b: one row of the rotation at a time, only as far as needed.
  const r00 = p00 * q00 + p01 * q01 + p02 * q02;
  const r01 = p00 * q10 + p01 * q11 + p02 * q12;
  const r02 = p00 * q20 + p01 * q21 + p02 * q22;
  const t0 = p00 * dx + p01 * dy + p02 * dz;
  const s00 = Math.abs(r00);
  const s01 = Math.abs(r01);
  const s02 = Math.abs(r02);
  if (Math.abs(t0) > ax + (bx * s00 + by * s01 + bz * s02) + slack) return false;

  const r10 = p10 * q00 + p11 * q01 + p12 * q02;
  const r11 = p10 * q10 + p11 * q11 + p12 * q12;
  const r12 = p10 * q20 + p11 * q21 + p12 * q22;
  const t1 = p10 * dx + p11 * dy + p12 * dz;
  const s10 = Math.abs(r10);
  const s11 = Math.abs(r11);
  const s12 = Math.abs(r12);
  if (Math.abs(t1) > ay + (bx * s10 + by * s11 + bz * s12) + slack) return false;

  const r20 = p20 * q00 + p21 * q01 + p22 * q02;
  const r21 = p20 * q10 + p21 * q11 + p22 * q12;
  const r22 = p20 * q20 + p21 * q21 + p22 * q22;
  const t2 = p20 * dx + p21 * dy + p22 * dz;
  const s20 = Math.abs(r20);
  const s21 = Math.abs(r21);
  const s22 = Math.abs(r22);
  if (Math.abs(t2) > az + (bx * s20 + by * s21 + bz * s22) + slack) return false;

  // The axes of b.
  if (Math.abs(q00 * dx + q01 * dy + q02 * dz) > bx + (ax * s00 + ay * s10 + az * s20) + slack) return false;
  if (Math.abs(q10 * dx + q11 * dy + q12 * dz) > by + (ax * s01 + ay * s11 + az * s21) + slack) return false;
  if (Math.abs(q20 * dx + q21 * dy + q22 * dz) > bz + (ax * s02 + ay * s12 + az * s22) + slack) return false;
  if (!edges) return true;

  // Axis i of a × axis j of b.
  if (Math.abs(t2 * r10 - t1 * r20) > ay * s20 + az * s10 + (by * s02 + bz * s01) + slack) return false;
  if (Math.abs(t2 * r11 - t1 * r21) > ay * s21 + az * s11 + (bx * s02 + bz * s00) + slack) return false;
  if (Math.abs(t2 * r12 - t1 * r22) > ay * s22 + az * s12 + (bx * s01 + by * s00) + slack) return false;
  if (Math.abs(t0 * r20 - t2 * r00) > ax * s20 + az * s00 + (by * s12 + bz * s11) + slack) return false;
  if (Math.abs(t0 * r21 - t2 * r01) > ax * s21 + az * s01 + (bx * s12 + bz * s10) + slack) return false;
  if (Math.abs(t0 * r22 - t2 * r02) > ax * s22 + az * s02 + (bx * s11 + by * s10) + slack) return false;
  if (Math.abs(t1 * r00 - t0 * r10) > ax * s10 + ay * s00 + (by * s22 + bz * s21) + slack) return false;
  if (Math.abs(t1 * r01 - t0 * r11) > ax * s11 + ay * s01 + (bx * s22 + bz * s20) + slack) return false;
  return !(Math.abs(t1 * r02 - t0 * r12) > ax * s12 + ay * s02 + (bx * s21 + by * s20) + slack);
}

/**
 * Do two boxes that stand upright, both with their second axis along the same direction, share a point? Five axes
 * decide: the vertical and the four horizontal ones. For boxes that only ever rotate about the vertical.
 */
export function overlapObbObbUpright(a: ReadonlyObb, b: ReadonlyObb): boolean {
  checkObb('overlapObbObbUpright', 'a', a);
  checkObb('overlapObbObbUpright', 'b', b);
  const { x: ax, y: ay, z: az } = a.halfSize;
  const { x: bx, y: by, z: bz } = b.halfSize;
  const p = a.rotation.elements;
  const q = b.rotation.elements;
  const dx = b.center.x - a.center.x;
  const dy = b.center.y - a.center.y;
  const dz = b.center.z - a.center.z;
  const slack = OBB_SLACK * (ax + ay + az + (bx + by + bz));
  const c00 = cosine(p, 0, q, 0);
  const c02 = cosine(p, 0, q, 6);
  const c20 = cosine(p, 6, q, 0);
  const c22 = cosine(p, 6, q, 6);
  if (Math.abs(p[3]! * dx + p[4]! * dy + p[5]! * dz) > ay + by + slack) return false;
  if (Math.abs(p[0]! * dx + p[1]! * dy + p[2]! * dz) > ax + bx * c00 + bz * c02 + slack) return false;
  if (Math.abs(p[6]! * dx + p[7]! * dy + p[8]! * dz) > az + bx * c20 + bz * c22 + slack) return false;
  if (Math.abs(q[0]! * dx + q[1]! * dy + q[2]! * dz) > bx + ax * c00 + az * c20 + slack) return false;
  return !(Math.abs(q[6]! * dx + q[7]! * dy + q[8]! * dz) > bz + ax * c02 + az * c22 + slack);
}

const cosine = (p: readonly number[], i: number, q: readonly number[], j: number): number =>
  Math.abs(p[i]! * q[j]! + p[i + 1]! * q[j + 1]! + p[i + 2]! * q[j + 2]!);

/** @internal */
