/**
 * Triangles on a grid of cubes: which cells the surface touches, which are inside, and how deep.
 *
 * What fills a solid with spheres stands on it. Production decides inside by winding numbers: `trimesh/winding.ts`.
 */
import { refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { triangleMeetsAabb } from '../../primitives/overlap/triangle-box.ts';
import { makeAabb } from '../../primitives/types.ts';
import { mustBeItems } from '../../trees/items.ts';
import type { TreeItems } from '../../trees/tree.ts';
import { aabbOfCoordinates } from '../../volumes/aabb.ts';

/** Cells of side `cell`; cell (i, j, k) is number i + nx (j + ny k). */
export interface Voxels {
  readonly min: Vec3;
  readonly cell: number;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  /** One of EXTERIOR, SURFACE and INTERIOR for each cell. */
  readonly labels: Uint8Array;
}

export const EXTERIOR = 0;
export const SURFACE = 1;
export const INTERIOR = 2;

/** Cells that a grid may have: 16 megabytes. */
const MAX_CELLS = 1 << 24;

/**
 * The corners of the triangles, nine numbers each, refusing items that are something else.
 *
 * @internal
 */
export function trianglesOf(caller: string, items: TreeItems): Float64Array {
  mustBeItems(caller, items);
  if (items.count === 0) refuse(caller, 'items', 'must hold at least one triangle');
  const corners = new Float64Array(9 * items.count);
  const points: number[] = [];
  for (let item = 0; item < items.count; item++) {
    points.length = 0;
    items.points(item, points);
    if (points.length !== 9) refuse(caller, 'items', `must be triangles, unlike item ${item}`);
    corners.set(points, 9 * item);
  }
  let sum = 0;
  for (let i = 0; i < corners.length; i++) sum += corners[i]! * 0;
  if (sum !== 0) refuse(caller, 'items', 'must have finite coordinates');
  return corners;
}

/**
 * Labels the cells. One that shares a point with a triangle is of the surface, exactly, as far as its own corners are; of
 * the others those that a flood from outside does not reach are inside: through a hole larger than a cell it does
 * get in.
 *
 * @internal
 */
export function labelCells(
  caller: string,
  corners: Float64Array,
  min: Vec3,
  cell: number,
  counts: readonly [number, number, number],
): Voxels {
  const [nx, ny, nz] = counts;
  if (!(nx * ny * nz <= MAX_CELLS)) refuse(caller, 'options', `ask for more than ${MAX_CELLS} cells`);
  const voxels: Voxels = { min, cell, nx, ny, nz, labels: new Uint8Array(nx * ny * nz).fill(INTERIOR) };
  for (let at = 0; at < corners.length; at += 9) markTriangle(voxels, corners, at);
  flood(voxels);
  return voxels;
}

const a = vec3();
const b = vec3();
const c = vec3();
const box = makeAabb();

function markTriangle({ min, cell, nx, ny, nz, labels }: Voxels, corners: Float64Array, at: number): void {
  load(corners, at, a);
  load(corners, at + 3, b);
  load(corners, at + 6, c);
  // One more on either side than the division says, for it rounds; the exact test decides.
  const first = (low: number, origin: number): number => Math.max(0, Math.floor((low - origin) / cell) - 1);
  const last = (high: number, origin: number, n: number): number =>
    Math.min(n - 1, Math.floor((high - origin) / cell) + 1);
  const lastX = last(Math.max(a.x, b.x, c.x), min.x, nx);
  const lastY = last(Math.max(a.y, b.y, c.y), min.y, ny);
  const lastZ = last(Math.max(a.z, b.z, c.z), min.z, nz);
  for (let k = first(Math.min(a.z, b.z, c.z), min.z); k <= lastZ; k++)
    for (let j = first(Math.min(a.y, b.y, c.y), min.y); j <= lastY; j++)
      for (let i = first(Math.min(a.x, b.x, c.x), min.x); i <= lastX; i++) {
        const number = i + nx * (j + ny * k);
        if (labels[number] === SURFACE) continue;
        box.min.x = min.x + i * cell;
        box.min.y = min.y + j * cell;
        box.min.z = min.z + k * cell;
        box.max.x = min.x + (i + 1) * cell;
        box.max.y = min.y + (j + 1) * cell;
        box.max.z = min.z + (k + 1) * cell;
        if (triangleMeetsAabb(a, b, c, box)) labels[number] = SURFACE;
      }
}

function load(corners: Float64Array, at: number, out: Vec3): void {
  out.x = corners[at]!;
  out.y = corners[at + 1]!;
  out.z = corners[at + 2]!;
}

/** Everything that is not surface and can be reached from the rim of the grid is outside. */
function flood({ nx, ny, nz, labels }: Voxels): void {
  const stack: number[] = [];
  const visit = (i: number, j: number, k: number): void => {
    if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return;
    const number = i + nx * (j + ny * k);
    if (labels[number] !== INTERIOR) return;
    labels[number] = EXTERIOR;
    stack.push(number);
  };
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++) {
      const inside = k > 0 && k < nz - 1 && j > 0 && j < ny - 1;
      for (let i = 0; i < nx; i += inside ? Math.max(1, nx - 1) : 1) visit(i, j, k);
    }
  while (stack.length > 0) {
    const number = stack.pop()!;
    const i = number % nx;
    const j = Math.floor(number / nx) % ny;
    const k = Math.floor(number / (nx * ny));
    visit(i - 1, j, k);
    visit(i + 1, j, k);
    visit(i, j - 1, k);
    visit(i, j + 1, k);
    visit(i, j, k - 1);
    visit(i, j, k + 1);
  }
}

/**
 * For each cell that is not outside, the squared distance of its center to that of the nearest cell of the surface, in
 * cells: whole numbers, exact. One pass an axis takes the lower envelope of parabolas (Felzenszwalb and Huttenlocher 2012).
 *
 * @internal
 */
export function depthsOf({ nx, ny, nz, labels }: Voxels): Float64Array {
  const far = nx * nx + ny * ny + nz * nz; // more than any distance in the grid
  const depths = Float64Array.from(labels, (label) => (label === SURFACE ? 0 : far));
  const longest = Math.max(nx, ny, nz);
  const line = new Float64Array(longest);
  const sites = new Int32Array(longest);
  const limits = new Float64Array(longest + 1);
  const sweep = (from: number, stride: number, n: number): void => {
    for (let i = 0; i < n; i++) line[i] = depths[from + i * stride]!;
    let top = 0;
    sites[0] = 0;
    limits[0] = -Infinity;
    limits[1] = Infinity;
    for (let i = 1; i < n; i++) {
      let meet: number;
      for (;;) {
        const site = sites[top]!;
        meet = (line[i]! + i * i - (line[site]! + site * site)) / (2 * (i - site));
        if (meet > limits[top]!) break;
        top--;
      }
      sites[++top] = i;
      limits[top] = meet;
      limits[top + 1] = Infinity;
    }
    top = 0;
    for (let i = 0; i < n; i++) {
      while (limits[top + 1]! < i) top++;
      const site = sites[top]!;
      depths[from + i * stride] = (i - site) * (i - site) + line[site]!;
    }
  };
  for (let k = 0; k < nz; k++) for (let j = 0; j < ny; j++) sweep(nx * (j + ny * k), 1, nx);
  for (let k = 0; k < nz; k++) for (let i = 0; i < nx; i++) sweep(i + nx * ny * k, nx, ny);
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) sweep(i + nx * j, nx * ny, nz);
  return depths;
}

/**
 * Where a grid over the triangles begins, and the side of its cells: that which `side` makes of the longest extent, longer by
 * a few of its last digits, which is more than rounding can lose on the way from one end to the other. `reach` is the
 * largest coordinate.
 *
 * @internal
 */
export function gridOver(
  corners: Float64Array,
  side: (extent: number) => number,
): { min: Vec3; cell: number; extent: number[]; reach: number } {
  const { min, max } = aabbOfCoordinates(corners, makeAabb());
  const extent = [max.x - min.x, max.y - min.y, max.z - min.z];
  const reach = Math.max(...[min.x, min.y, min.z, max.x, max.y, max.z].map(Math.abs));
  const wanted = side(Math.max(...extent));
  return {
    min,
    cell: Math.max(wanted * (1 + 4 * EPS64) + 4 * EPS64 * reach, Number.MIN_VALUE),
    extent,
    reach,
  };
}
