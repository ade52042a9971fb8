/**
 * Triangles held by small spheres with their centers on them. RTCD §6.4.4; Quinlan 1994.
 *
 * To fill a body with spheres, as for rough distances that may be stopped at any time. Production measures triangles:
 * `trimesh/closest.ts`, `trimesh/mesh-mesh/distance.ts`.
 */
import { describe, mustBeNumber, mustBeOptions, mustHave, refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import { type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { TreeItems } from '../../trees/tree.ts';
import type { SphereCover } from './sphere-tree.ts';
import { depthsOf, EXTERIOR, gridOver, labelCells, trianglesOf, type Voxels } from './voxels.ts';

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

/** A solid held by few spheres: many are generated, those that are not needed go. RTCD §6.4.5; Greenspan and Burtnyk 1996. */

export interface SolidCoverOptions {
  /** The least distance of two centers: they are the middles of the cells of a grid. */
  readonly spacing: number;
  /**
   * How far a sphere may reach beyond the solid. At least √3 times the spacing, the default: with
   * less, cells that the surface cuts could not be held. More makes for fewer spheres.
   */
  readonly overshoot?: number;
}

/** Half the diagonal of a cell of side 1. */
const HALF_DIAGONAL = Math.sqrt(3) / 2;
/** More than the roundings on the way to a radius. */
const ROUNDING = 1 + 32 * EPS64;

/**
 * Spheres whose union holds the solid that the triangles enclose, and the triangles; none of them can be left away without
 * baring a cell of the grid. What is inside is what cannot be reached from outside, cell by cell. `buildSphereTree`
 * makes a hierarchy of them. A sphere costs as many steps as it has cells: 10^7 for a ball of 32 cells across.
 */
export function coverSolid(items: TreeItems, options: SolidCoverOptions): SphereCover {
  mustHave('coverSolid', 'items', items, 'items of a tree', 'count');
  mustBeOptions('coverSolid', 'options', options, 'spacing overshoot');
  const caller = 'coverSolid';
  const { spacing, overshoot = Math.sqrt(3) * spacing } = options;
  if (spacing !== undefined) mustBeNumber('coverSolid', 'options.spacing', spacing);
  if (overshoot !== undefined) mustBeNumber('coverSolid', 'options.overshoot', overshoot);
  if (!(spacing > 0 && spacing < Infinity))
    refuse(caller, 'options.spacing', `must be positive, got ${describe(spacing)}`);
  if (!(overshoot >= Math.sqrt(3) * spacing && overshoot < Infinity))
    refuse(caller, 'options.overshoot', `must be at least √3 times the spacing, got ${describe(overshoot)}`);
  const corners = trianglesOf(caller, items);
  const { min, cell, extent, reach } = gridOver(corners, () => spacing);
  const counts = extent.map((length) => Math.max(1, Math.ceil(length / spacing))) as [number, number, number];
  const voxels = labelCells(caller, corners, min, cell, counts);
  const { nx, ny } = voxels;
  const reaches = reachOfCells(voxels, Math.max(overshoot / cell, 2 * HALF_DIAGONAL));
  const kept = prune(voxels, reaches);
  const centers = new Float64Array(3 * kept.length);
  const radii = new Float64Array(kept.length);
  for (let s = 0; s < kept.length; s++) {
    const number = kept[s]!;
    centers[3 * s] = min.x + ((number % nx) + 0.5) * cell;
    centers[3 * s + 1] = min.y + ((Math.floor(number / nx) % ny) + 0.5) * cell;
    centers[3 * s + 2] = min.z + (Math.floor(number / (nx * ny)) + 0.5) * cell;
    radii[s] = reaches[number]! * cell * ROUNDING + 8 * EPS64 * reach;
  }
  return { centers, radii };
}

/**
 * The radius about the middle of each cell, in cells; 0 outside. The surface is nowhere nearer than half a diagonal less
 * than the nearest middle of a cell of the surface, so that a sphere of that radius and the overshoot, which begins at half a
 * diagonal beyond a middle in a cell of the surface at most, keeps to it.
 */
function reachOfCells(voxels: Voxels, overshoot: number): Float64Array {
  return depthsOf(voxels).map((depthSq, number) =>
    voxels.labels[number] === EXTERIOR ? 0 : Math.sqrt(depthSq) + overshoot - HALF_DIAGONAL,
  );
}

/**
 * The cells whose spheres are kept. In each cell we count the spheres that hold all of it. The smallest spheres are looked
 * at first: one that is alone in some cell stays, any other goes and is taken off the counts. Counts only fall, so
 * that one which stays is still alone somewhere when all is done.
 */
function prune(voxels: Voxels, reaches: Float64Array): number[] {
  const holders = new Uint32Array(voxels.labels.length);
  const candidates: number[] = [];
  for (let number = 0; number < reaches.length; number++) if (reaches[number]! > 0) candidates.push(number);
  for (const number of candidates)
    forRows(voxels, number, reaches[number]!, (from, to) => add(holders, from, to, 1));
  candidates.sort((a, b) => reaches[a]! - reaches[b]! || a - b);
  return candidates.filter((number) => {
    let needed = false;
    forRows(voxels, number, reaches[number]!, (from, to) => {
      for (let i = from; i < to && !needed; i++) needed = holders[i] === 1 && voxels.labels[i] !== EXTERIOR;
    });
    if (!needed) forRows(voxels, number, reaches[number]!, (from, to) => add(holders, from, to, -1));
    return needed;
  });
}

function add(counts: Uint32Array, from: number, to: number, step: number): void {
  for (let i = from; i < to; i++) counts[i]! += step;
}

/** The cells that a sphere about the middle of a cell holds with all their corners, as stretches along x. */
function forRows(
  { nx, ny, nz }: Voxels,
  number: number,
  reach: number,
  row: (from: number, to: number) => void,
): void {
  const i = number % nx;
  const j = Math.floor(number / nx) % ny;
  const k = Math.floor(number / (nx * ny));
  const limit = reach * reach * ROUNDING;
  const span = Math.floor(reach);
  for (let z = Math.max(0, k - span); z <= Math.min(nz - 1, k + span); z++)
    for (let y = Math.max(0, j - span); y <= Math.min(ny - 1, j + span); y++) {
      const dz = Math.abs(z - k) + 0.5;
      const dy = Math.abs(y - j) + 0.5;
      const left = limit - dz * dz - dy * dy;
      if (!(left >= 0.25)) continue;
      const half = Math.floor(Math.sqrt(left) - 0.5);
      const start = nx * (y + ny * z);
      row(start + Math.max(0, i - half), start + Math.min(nx - 1, i + half) + 1);
    }
}
