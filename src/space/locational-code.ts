/**
 * The cells of an octree as numbers: a 1, and then three bits for each level, which of the eight cells it is. RTCD §7.3.3.
 *
 * The leading 1 tells codes of different depths apart (it is the sentinel): the root is 1, its children are 8 to 15. Parent and
 * children follow by arithmetic, so that a hash table of codes is a tree without links. Depth 10 takes 31 bits, depth 17
 * takes 52, which is the most that a number can hold exactly with whole levels.
 */
import { checkAabb, checkPoint, describe, mustBeWhole, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { gatherBy2, interleave } from './morton.ts';

/** No code is deeper. */
export const DEEPEST = 17;
const LARGEST_CODE = 0xfffffffffffff; // 2^52 - 1
const THIRTY = 0x40000000;

/** The code of the cell with whole coordinates from 0 to 2^depth - 1. */
export function locationalCode(x: number, y: number, z: number, depth: number): number {
  mustBeWhole('locationalCode', 'depth', depth, 0, DEEPEST);
  const most = (1 << depth) - 1;
  mustBeWhole('locationalCode', 'x', x, 0, most);
  mustBeWhole('locationalCode', 'y', y, 0, most);
  mustBeWhole('locationalCode', 'z', z, 0, most);
  return codeOf(x, y, z, depth);
}

/** @internal */
export function codeOf(x: number, y: number, z: number, depth: number): number {
  const low = interleave(x & 1023, y & 1023, z & 1023);
  if (depth <= 9) return (1 << (3 * depth)) | low;
  // The sentinel stands above the bits of the cell: its part is one more bit of the upper ones.
  return (interleave(x >>> 10, y >>> 10, z >>> 10) + (1 << (3 * (depth - 10)))) * THIRTY + low;
}

/** The code of the cell that a point of the box is in. Points on the far sides are in the last cells, and so are those beyond. */
export function locationalCodeAt(p: ReadonlyVec3, box: ReadonlyAabb, depth: number): number {
  checkPoint('locationalCodeAt', 'p', p);
  checkAabb('locationalCodeAt', 'box', box);
  mustBeWhole('locationalCodeAt', 'depth', depth, 0, DEEPEST);
  const { min, max } = box;
  return codeOf(
    place(p.x, min.x, max.x, depth),
    place(p.y, min.y, max.y, depth),
    place(p.z, min.z, max.z, depth),
    depth,
  );
}

/** Grows with x, whatever is rounded. */
function place(x: number, low: number, high: number, depth: number): number {
  const count = 1 << depth;
  const at = Math.floor(((x - low) / (high - low)) * count);
  // A flat box has one cell, and NaN is not above 0.
  return at > 0 ? Math.min(at, count - 1) : 0;
}

/** The code of the cell around a cell; the root has none, and gives 0. */
export function parentCode(code: number): number {
  mustBeCode('parentCode', code);
  return Math.floor(code / 8);
}

/** The code of one of the eight cells in a cell: 1 for the upper half along x, plus 2 along y, plus 4 along z. */
export function childCode(code: number, octant: number): number {
  mustBeCode('childCode', code);
  mustBeWhole('childCode', 'octant', octant, 0, 7);
  if (code > LARGEST_CODE / 8) refuse('childCode', 'code', `must be above depth ${DEEPEST}, got ${code}`);
  return 8 * code + octant;
}

/** The number of levels below the root. */
export function depthOfCode(code: number): number {
  mustBeCode('depthOfCode', code);
  return depthOf(code);
}

function depthOf(code: number): number {
  return code < THIRTY ? (31 - Math.clz32(code)) / 3 : 10 + (31 - Math.clz32(code / THIRTY)) / 3;
}

/** The whole coordinates of a cell, at its depth. */
export function cellOfCode(
  code: number,
  out: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 },
): typeof out {
  mustBeCode('cellOfCode', code);
  const depth = depthOf(code);
  const low = code % THIRTY;
  const high = Math.floor(code / THIRTY);
  // Without the sentinel.
  const upper = depth >= 10 ? high - (1 << (3 * (depth - 10))) : 0;
  const lower = depth >= 10 ? low : low - (1 << (3 * depth));
  out.x = (gatherBy2(upper) << 10) | gatherBy2(lower);
  out.y = (gatherBy2(upper >>> 1) << 10) | gatherBy2(lower >>> 1);
  out.z = (gatherBy2(upper >>> 2) << 10) | gatherBy2(lower >>> 2);
  return out;
}

function mustBeCode(caller: string, code: number): void {
  mustBeWhole(caller, 'code', code, 1, LARGEST_CODE);
  const bits = code < THIRTY ? 31 - Math.clz32(code) : 61 - Math.clz32(code / THIRTY);
  if (bits % 3 !== 0) refuse(caller, 'code', `must be a 1 and three bits a level, got ${describe(code)}`);
}
