/** A solid held by few spheres: many are generated, those that are not needed go. RTCD §6.4.5; Greenspan and Burtnyk 1996. */
import { describe, mustBeNumber, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import type { SphereCover } from './sphere-tree.ts';
import type { TreeItems } from './tree.ts';
import { depthsOf, EXTERIOR, gridOver, labelCells, trianglesOf, type Voxels } from './voxels.ts';

export interface SolidCoverOptions {
  /** The least distance of two centers: they are the middles of the cells of a grid. */
  readonly spacing: number;
  /**
   * How far a sphere may reach beyond the solid. At least √3 times the spacing, which is what it is unless told: with
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
