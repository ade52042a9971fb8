/** Volume, centroid and spread of solids: what mass properties are computed from, and how they move, stretch and add up. */
import * as m3 from '../math/mat3.ts';
import type { Mat3, ReadonlyMat3, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/** The moments of a solid. */
export interface Moments {
  readonly volume: number;
  readonly centroid: Vec3;
  /** The integral of u uᵀ over the solid, u being measured from the centroid. */
  readonly spread: Mat3;
}

/** @internal */
export function makeMoments(
  volume: number,
  centroid: ReadonlyVec3,
  xx: number,
  yy: number,
  zz: number,
): Moments {
  return { volume, centroid: v3.copy(centroid), spread: diagonal(xx, yy, zz) };
}

/** @internal */
export function diagonal(x: number, y: number, z: number): Mat3 {
  const m = mat3();
  m.elements = [x, 0, 0, 0, y, 0, 0, 0, z];
  return m;
}

/** Of something without a volume. @internal */
export const noMoments = (centroid: ReadonlyVec3): Moments => makeMoments(0, centroid, 0, 0, 0);

/** Of the image of a solid: m x + t. A matrix that mirrors leaves volumes positive. @internal */
export function imageMoments(
  { volume, centroid, spread }: Moments,
  m: ReadonlyMat3,
  t: ReadonlyVec3,
): Moments {
  const factor = Math.abs(m3.determinant(m));
  const image = m3.multiply(m3.multiply(m, spread), m3.transpose(m));
  return {
    volume: factor * volume,
    centroid: v3.add(v3.transform(centroid, m), t),
    spread: m3.scale(image, factor),
  };
}

/** Of a solid that stands elsewhere. @internal */
export const posedMoments = (moments: Moments, { position, quaternion }: ReadonlyPose): Moments =>
  imageMoments(moments, m3.fromQuat(quaternion), position);

/** Of several solids together; what they have in common counts as often. Without any volume, about `middle`. @internal */
export function sumMoments(parts: readonly Moments[], middle: ReadonlyVec3): Moments {
  let volume = 0;
  for (const part of parts) volume += part.volume;
  if (!(volume > 0)) return noMoments(middle);
  // About the middle, so that nothing is lost far from the origin.
  const centroid = v3.copy(middle);
  for (const part of parts)
    v3.addScaled(centroid, v3.sub(part.centroid, middle), part.volume / volume, centroid);
  const spread = diagonal(0, 0, 0);
  for (const part of parts) {
    m3.add(spread, part.spread, spread);
    m3.add(spread, m3.scale(square(v3.sub(part.centroid, centroid)), part.volume), spread);
  }
  return { volume, centroid, spread };
}

/** u uᵀ. @internal */
export const square = (u: ReadonlyVec3): Mat3 => outer(u, u);

/** u vᵀ. @internal */
export function outer(u: ReadonlyVec3, { x, y, z }: ReadonlyVec3): Mat3 {
  const m = mat3();
  m.elements = [u.x * x, u.y * x, u.z * x, u.x * y, u.y * y, u.z * y, u.x * z, u.y * z, u.z * z];
  return m;
}

/** The inertia tensor about the centroid, of density 1. @internal */
export function inertiaOf({ spread }: Moments): Mat3 {
  const { elements: e } = spread;
  const m = m3.scale(spread, -1);
  // Not the trace less what is there already: along a needle nothing would be left.
  m.elements[0] = e[4]! + e[8]!;
  m.elements[4] = e[8]! + e[0]!;
  m.elements[8] = e[0]! + e[4]!;
  return m;
}

/** The spread that belongs to an inertia tensor of density 1: half its trace, less the tensor. @internal */
export function spreadOf(inertia: ReadonlyMat3): Mat3 {
  const { elements: e } = inertia;
  const half = 0.5 * (e[0]! + e[4]! + e[8]!);
  return m3.add(diagonal(half, half, half), m3.scale(inertia, -1));
}

/** The middle of a box. @internal */
export const middleOf = (min: ReadonlyVec3, max: ReadonlyVec3): Vec3 =>
  vec3(0.5 * min.x + 0.5 * max.x, 0.5 * min.y + 0.5 * max.y, 0.5 * min.z + 0.5 * max.z);
