/** Triangles held by small spheres with their centers on them. RTCD §6.4.4; Quinlan 1994. */
import { describe, mustBeNumber, mustHave, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SphereCover } from './sphere-tree.ts';
import type { TreeItems } from './tree.ts';
import { trianglesOf } from './voxels.ts';

export interface SurfaceCover extends SphereCover {
  /** For each sphere, the triangle it lies on. */
  readonly labels: Uint32Array;
}

/** Spheres that a cover may have. */
const MAX_SPHERES = 1 << 22;

/**
 * Spheres of at most that radius (but for rounding) whose union holds the triangles. Each triangle is cut into rows along
 * its longest side and the rows into rectangles; a rectangle gets the sphere through its corners, about its middle.
 * The inside of a solid is not held. `buildSphereTree` makes a hierarchy of them. Linear in the number of spheres.
 */
export function coverSurface(items: TreeItems, radius: number): SurfaceCover {
  mustHave('coverSurface', 'items', items, 'items of a tree', 'count');
  mustBeNumber('coverSurface', 'radius', radius);
  const corners = trianglesOf('coverSurface', items);
  if (!(radius > 0 && radius < Infinity))
    refuse('coverSurface', 'radius', `must be positive, got ${describe(radius)}`);
  const spheres: number[] = [];
  const labels: number[] = [];
  const side = radius * Math.SQRT2;
  for (let item = 0; item < items.count; item++) {
    coverTriangle(corners, 9 * item, side, spheres);
    while (labels.length < spheres.length / 4) labels.push(item);
  }
  const count = labels.length;
  const centers = new Float64Array(3 * count);
  const radii = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) centers[3 * i + k] = spheres[4 * i + k]!;
    radii[i] = spheres[4 * i + 3]!;
  }
  return { centers, radii, labels: Uint32Array.from(labels) };
}

const p = vec3();
const q = vec3();
const r = vec3();
const along = vec3();
const across = vec3();

/**
 *            r
 *          ./ \.          base pq, the longest side; the row from height v on is widest at v,
 *        ./     \.        because r is above the base and not beside it
 *      ./─────────\.      v
 *     p─────────────q
 */
function coverTriangle(corners: Float64Array, at: number, side: number, spheres: number[]): void {
  baseFirst(corners, at);
  const base = unit(v3.sub(q, p, along));
  v3.sub(r, p, across);
  const foot = Math.max(0, Math.min(base, v3.dot(across, along)));
  const height = unit(v3.addScaled(across, along, -foot, across));
  const rows = Math.max(1, Math.ceil(height / side));
  const most = rows * Math.max(1, Math.ceil(base / side)) + spheres.length / 4;
  if (!(most <= MAX_SPHERES))
    refuse('coverSurface', 'radius', `is so small that it takes more than ${MAX_SPHERES} spheres`);
  const high = height / rows;
  // Places along the sides and their sums each go wrong by a few of their last digits.
  const doubt = 32 * EPS64 * (base + Math.max(largest(p), largest(q), largest(r)));
  for (let row = 0; row < rows; row++) {
    const left = foot * (row / rows);
    const width = base * (1 - row / rows);
    const columns = Math.max(1, Math.ceil(width / side));
    const wide = width / columns;
    const radius = 0.5 * Math.sqrt(wide * wide + high * high) * (1 + 8 * EPS64) + doubt;
    for (let column = 0; column < columns; column++) {
      const s = left + (column + 0.5) * wide;
      const t = (row + 0.5) * high;
      spheres.push(
        p.x + s * along.x + t * across.x,
        p.y + s * along.y + t * across.y,
        p.z + s * along.z + t * across.z,
        radius,
      );
    }
  }
}

/** Loads the triangle with its longest side first: p, q and then r. */
function baseFirst(corners: Float64Array, at: number): void {
  let longest = -1;
  let first = 0;
  for (let k = 0; k < 3; k++) {
    corner(corners, at, k, p);
    corner(corners, at, k + 1, q);
    const length = v3.distance(p, q);
    if (length > longest) {
      longest = length;
      first = k;
    }
  }
  corner(corners, at, first, p);
  corner(corners, at, first + 1, q);
  corner(corners, at, first + 2, r);
}

function corner(corners: Float64Array, at: number, k: number, out: Vec3): void {
  const from = at + 3 * (k % 3);
  v3.set(corners[from]!, corners[from + 1]!, corners[from + 2]!, out);
}

/** Makes v a unit vector, unless it is zero, and says how long it was. */
function unit(v: Vec3): number {
  const length = v3.length(v);
  if (length > 0) v3.set(v.x / length, v.y / length, v.z / length, v);
  return length;
}

const largest = ({ x, y, z }: Vec3): number => Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
