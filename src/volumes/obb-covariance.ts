/** How the surface and the inside of a hull are spread, by integrals over its triangles. */
import type { Mat3, ReadonlyVec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/**
 * Covariance of the surface: every patch counts by its area, so extra triangles or inner points change nothing.
 * Over a triangle of area A with corners p, q, r and centroid m, ∫ x xᵀ = A/12 (9 m mᵀ + p pᵀ + q qᵀ + r rᵀ).
 * RTCD §4.4.3; Gottschalk 2000.
 *
 * @internal
 */
export function surfaceCovariance(points: readonly ReadonlyVec3[], triangles: readonly number[]): Mat3 {
  return covariance(points, triangles, (p, q, r) => 0.5 * v3.length(v3.cross(v3.sub(q, p), v3.sub(r, p))), 3);
}

/**
 * Covariance of the solid, as a sum over the tetrahedra from the origin to each triangle: ∫ x xᵀ over one of volume V
 * is V/20 (16 m mᵀ + p pᵀ + q qᵀ + r rᵀ), where m = (p + q + r) / 4 is its centroid. The principal axes are those of
 * the inertia tensor. Null when the solid is so flat that its volume is all rounding. RTCD §4.4.3; Mirtich 1996.
 *
 * @internal
 */
export function solidCovariance(points: readonly ReadonlyVec3[], triangles: readonly number[]): Mat3 | null {
  const volumeOf = (p: ReadonlyVec3, q: ReadonlyVec3, r: ReadonlyVec3): number => v3.triple(p, q, r) / 6;
  let volume = 0;
  let sizes = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [p, q, r] = [points[triangles[k]!]!, points[triangles[k + 1]!]!, points[triangles[k + 2]!]!];
    volume += volumeOf(p, q, r);
    sizes += v3.length(p) * v3.length(q) * v3.length(r);
  }
  return volume > 1e-9 * sizes ? covariance(points, triangles, volumeOf, 4) : null;
}

/** `corners` of the simplex over each triangle: 3, or 4 with the origin. Both formulas above are one in terms of it. */
function covariance(
  points: readonly ReadonlyVec3[],
  triangles: readonly number[],
  measure: (p: ReadonlyVec3, q: ReadonlyVec3, r: ReadonlyVec3) => number,
  corners: 3 | 4,
): Mat3 {
  const out = mat3();
  const e = out.elements;
  e.fill(0);
  const mean = vec3();
  let whole = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const trio = [points[triangles[k]!]!, points[triangles[k + 1]!]!, points[triangles[k + 2]!]!] as const;
    const size = measure(...trio);
    const m = v3.scale(v3.add(v3.add(trio[0], trio[1]), trio[2]), 1 / corners);
    whole += size;
    v3.addScaled(mean, m, size, mean);
    const share = size / (corners * (corners + 1));
    addOuter(e, m, share * corners * corners);
    for (const p of trio) addOuter(e, p, share);
  }
  for (let i = 0; i < 9; i++) e[i] = e[i]! / whole;
  addOuter(e, v3.scale(mean, 1 / whole), -1);
  return out;
}

/** e += s p pᵀ. */
function addOuter(e: number[], { x, y, z }: ReadonlyVec3, s: number): void {
  e[0]! += s * x * x;
  e[1] = e[3] = e[1]! + s * x * y;
  e[2] = e[6] = e[2]! + s * x * z;
  e[4]! += s * y * y;
  e[5] = e[7] = e[5]! + s * y * z;
  e[8]! += s * z * z;
}
