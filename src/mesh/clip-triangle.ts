/** The part of a triangle in an axis-aligned box. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/** A box as two triples of coordinates. */
export interface Bounds {
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

const AXES = ['x', 'y', 'z'] as const;

/** The corners of what is left of a convex polygon: empty when it lies outside. Sutherland and Hodgman 1974. */
export function clipToBounds(polygon: readonly ReadonlyVec3[], { low, high }: Bounds): ReadonlyVec3[] {
  let kept = [...polygon];
  for (const [k, axis] of AXES.entries()) {
    if (low[k]! > -Infinity) kept = clipBy(kept, axis, low[k]!, 1);
    if (high[k]! < Infinity) kept = clipBy(kept, axis, high[k]!, -1);
  }
  return kept;
}

function clipBy(
  polygon: readonly ReadonlyVec3[],
  axis: 'x' | 'y' | 'z',
  at: number,
  sign: 1 | -1,
): ReadonlyVec3[] {
  const kept: ReadonlyVec3[] = [];
  for (const [k, b] of polygon.entries()) {
    const a = polygon[(k + polygon.length - 1) % polygon.length]!;
    const ha = sign * (a[axis] - at);
    const hb = sign * (b[axis] - at);
    if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) {
      const m: Vec3 = v3.lerp(a, b, ha / (ha - hb));
      m[axis] = at; // on the plane, to the last bit
      kept.push(m);
    }
    if (hb >= 0) kept.push(b);
  }
  return kept;
}
