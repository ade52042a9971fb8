/** The search of a mesh for the triangles that meet a shape. */
import { MAX_DEPTH } from '../../trees/packed-tree.ts';
import { loadTriangle, makeCorners } from './corners.ts';
import type { Mesh } from './mesh.ts';
import { meetsTriangle } from './overlap-shapes.ts';
import { box, hasMoreThanBox, isApartFromNode, isApartFromTriangle } from './probe.ts';

/** Both children may wait at each level, but one of them is taken at once. */
const pending = new Int32Array(MAX_DEPTH + 2);
const corners = makeCorners();
/** The triangles found, by the user's numbers. */
let found = new Uint32Array(64);
let foundCount = 0;

/** Does any triangle meet the shape that was set last? @internal */
export const meetsAny = (mesh: Mesh): boolean => search(mesh, false);

/** All triangles that meet the shape that was set last, ascending. @internal */
export function collect(mesh: Mesh, out: number[]): number[] {
  foundCount = 0;
  search(mesh, true);
  sortFound();
  out.length = foundCount;
  for (let i = 0; i < foundCount; i++) out[i] = found[i]!;
  return out;
}

/** The box of the shape in steps of the grid: the lowest and the highest that it touches, x, y, z. */
const low = new Int32Array(3);
const high = new Int32Array(3);

/**
 * Boxes of the tree are larger than their triangles by 1/32 of a step; the quotients are off by 2^-52 of themselves, and
 * what is beyond the grid need not be told apart.
 */
function setSteps(grid: Float64Array): void {
  const { min, max } = box;
  for (let k = 0; k < 3; k++) {
    const from = k === 0 ? min.x : k === 1 ? min.y : min.z;
    const to = k === 0 ? max.x : k === 1 ? max.y : max.z;
    low[k] = Math.max(-1, Math.min(65536, Math.floor((from - grid[k]!) / grid[k + 3]!)));
    high[k] = Math.max(-1, Math.min(65536, Math.ceil((to - grid[k]!) / grid[k + 3]!)));
  }
}

function search(mesh: Mesh, all: boolean): boolean {
  const { bounds, links, grid } = mesh.tree;
  setSteps(grid);
  const x0 = low[0]!;
  const y0 = low[1]!;
  const z0 = low[2]!;
  const x1 = high[0]!;
  const y1 = high[1]!;
  const z1 = high[2]!;
  const closer = hasMoreThanBox();
  pending[0] = 0;
  let top = 1;
  while (top > 0) {
    const node = pending[--top]!;
    for (let side = 0; side < 2; side++) {
      const at = node + 6 * side;
      // Six comparisons in the sign of one number, and one branch.
      const gap =
        (x1 - bounds[at]!) |
        (y1 - bounds[at + 1]!) |
        (z1 - bounds[at + 2]!) |
        (bounds[at + 3]! - x0) |
        (bounds[at + 4]! - y0) |
        (bounds[at + 5]! - z0);
      if (gap < 0 || (closer && isApartFromNode(bounds, at))) continue;
      const link = links[(node >> 1) + 6 + side]!;
      if (link >= 0) pending[top++] = link;
      else if (searchLeaf(mesh, ~link >> 4, ~link & 15, all)) return true;
    }
  }
  return false;
}

/** Looks at triangles one by one; ends at the first unless all are wanted. */
function searchLeaf(mesh: Mesh, first: number, count: number, all: boolean): boolean {
  const { a, b, c } = corners;
  for (let i = first; i < first + count; i++) {
    loadTriangle(mesh, i, corners);
    if (isApartFromTriangle(a, b, c) || !meetsTriangle(a, b, c)) continue;
    if (!all) return true;
    add(mesh.ids[i]!);
  }
  return false;
}

function add(id: number): void {
  if (foundCount === found.length) {
    const larger = new Uint32Array(2 * foundCount);
    larger.set(found);
    found = larger;
  }
  found[foundCount++] = id;
}

/** Few are inserted one by one: that makes no new view. */
const FEW = 40;

function sortFound(): void {
  if (foundCount > FEW) {
    found.subarray(0, foundCount).sort();
    return;
  }
  for (let i = 1; i < foundCount; i++) {
    const id = found[i]!;
    let k = i;
    for (; k > 0 && found[k - 1]! > id; k--) found[k] = found[k - 1]!;
    found[k] = id;
  }
}
