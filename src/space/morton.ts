/**
 * Morton codes: the bits of coordinates, interleaved. Cells that are near in space are mostly near in the order of their codes,
 * and the cells of a quadtree or octree are stretches of it. RTCD §7.3.5; Morton 1966.
 *
 *   x = … x2 x1 x0,  y = … y2 y1 y0   ⟶   … y2 x2 y1 x1 y0 x0
 */
import { mustBeWhole } from '../math/check.ts';

/** A code of up to 63 bits: high · 2^32 + low, both unsigned. */
export interface MortonWords {
  high: number;
  low: number;
}

/** The code of a cell of the plane, whose coordinates have 16 bits: 32 bits, unsigned. */
export function morton2(x: number, y: number): number {
  mustBeWhole('morton2', 'x', x, 0, 0xffff);
  mustBeWhole('morton2', 'y', y, 0, 0xffff);
  return (spreadBy1(x) | (spreadBy1(y) << 1)) >>> 0;
}

/** The coordinates of the cell with a code of `morton2`. */
export function decodeMorton2(code: number, out: { x: number; y: number } = { x: 0, y: 0 }): typeof out {
  mustBeWhole('decodeMorton2', 'code', code, 0, 0xffffffff);
  out.x = gatherBy1(code);
  out.y = gatherBy1(code >>> 1);
  return out;
}

/** The code of a cell whose coordinates have 10 bits: 30 bits. */
export function morton3(x: number, y: number, z: number): number {
  mustBeWhole('morton3', 'x', x, 0, 1023);
  mustBeWhole('morton3', 'y', y, 0, 1023);
  mustBeWhole('morton3', 'z', z, 0, 1023);
  return interleave(x, y, z);
}

/** The coordinates of the cell with a code of `morton3`. */
export function decodeMorton3(
  code: number,
  out: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 },
): typeof out {
  mustBeWhole('decodeMorton3', 'code', code, 0, 0x3fffffff);
  out.x = gatherBy2(code);
  out.y = gatherBy2(code >>> 1);
  out.z = gatherBy2(code >>> 2);
  return out;
}

/** The code of a cell whose coordinates have 21 bits: 63 bits in two words. */
export function mortonWide3(
  x: number,
  y: number,
  z: number,
  out: MortonWords = { high: 0, low: 0 },
): MortonWords {
  mustBeWhole('mortonWide3', 'x', x, 0, 0x1fffff);
  mustBeWhole('mortonWide3', 'y', y, 0, 0x1fffff);
  mustBeWhole('mortonWide3', 'z', z, 0, 0x1fffff);
  // Bit 10 of x and y are the last two of the low word, bit 10 of z is the first of the high one.
  const middle = (((x >>> 10) & 1) << 30) | (((y >>> 10) & 1) << 31);
  out.low = (interleave(x & 1023, y & 1023, z & 1023) | middle) >>> 0;
  out.high = ((interleave(x >>> 11, y >>> 11, z >>> 11) << 1) | ((z >>> 10) & 1)) >>> 0;
  return out;
}

/** The coordinates of the cell with a code of `mortonWide3`. */
export function decodeMortonWide3(
  words: Readonly<MortonWords>,
  out: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 },
): typeof out {
  const { high, low } = words;
  mustBeWhole('decodeMortonWide3', 'words.high', high, 0, 0x7fffffff);
  mustBeWhole('decodeMortonWide3', 'words.low', low, 0, 0xffffffff);
  const upper = high >>> 1;
  const lower = low & 0x3fffffff;
  out.x = (gatherBy2(upper) << 11) | (((low >>> 30) & 1) << 10) | gatherBy2(lower);
  out.y = (gatherBy2(upper >>> 1) << 11) | ((low >>> 31) << 10) | gatherBy2(lower >>> 1);
  out.z = (gatherBy2(upper >>> 2) << 11) | ((high & 1) << 10) | gatherBy2(lower >>> 2);
  return out;
}

/** `morton3` without checks. @internal */
export const interleave = (x: number, y: number, z: number): number =>
  spreadBy2(x) | (spreadBy2(y) << 1) | (spreadBy2(z) << 2);

/** 16 bits, with a zero between each: the upper half of every stretch moves up by half of its length. */
function spreadBy1(x: number): number {
  let y = (x | (x << 8)) & 0x00ff00ff;
  y = (y | (y << 4)) & 0x0f0f0f0f;
  y = (y | (y << 2)) & 0x33333333;
  return (y | (y << 1)) & 0x55555555;
}

function gatherBy1(code: number): number {
  let y = code & 0x55555555;
  y = (y | (y >>> 1)) & 0x33333333;
  y = (y | (y >>> 2)) & 0x0f0f0f0f;
  y = (y | (y >>> 4)) & 0x00ff00ff;
  return (y | (y >>> 8)) & 0xffff;
}

/** Ten bits, with two zeros between each. */
function spreadBy2(x: number): number {
  let y = (x | (x << 16)) & 0x030000ff;
  y = (y | (y << 8)) & 0x0300f00f;
  y = (y | (y << 4)) & 0x030c30c3;
  return (y | (y << 2)) & 0x09249249;
}

/** Every third bit of 30. @internal */
export function gatherBy2(code: number): number {
  let y = code & 0x09249249;
  y = (y | (y >>> 2)) & 0x030c30c3;
  y = (y | (y >>> 4)) & 0x0300f00f;
  y = (y | (y >>> 8)) & 0x030000ff;
  return (y | (y >>> 16)) & 0x3ff;
}
