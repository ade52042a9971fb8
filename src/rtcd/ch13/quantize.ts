/**
 * Vertices in fewer bytes: whole numbers on a grid over a box. RTCD §13.3.2.
 *
 * To store and send vertices. Production keeps vertices as they come (32 or 64 bits) and quantises boxes only, outward.
 */
import { checkAabb, describe, mustHave, refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { aabbOfCoordinates } from '../../volumes/aabb.ts';
import { type PointSet, readPoints } from '../../volumes/point-set.ts';

/**
 * - `'16'`: three 16-bit numbers a point, 6 bytes;
 * - `'11-11-10'`: one 32-bit number a point, 11 bits for x, 11 for y, 10 for z from the top down;
 * - `'delta'`: the first point as in `'16'`, then for each the steps from the one before, in 8 bits with sign: 3 bytes.
 */
export type QuantizedFormat = '16' | '11-11-10' | 'delta';

export interface QuantizedPoints {
  readonly format: QuantizedFormat;
  readonly count: number;
  readonly data: Uint16Array | Uint32Array | Int8Array;
  /** The point that `'delta'` starts from, in steps of the grid; zero in the other formats. */
  readonly first: Uint16Array;
  /** A coordinate is origin + number · step, for x, y and z. */
  readonly origin: Float64Array;
  readonly step: Float64Array;
  /** No coordinate comes back farther than this from where it was: half a step, and the rounding of the coordinate. */
  readonly error: Float64Array;
}

const TOP = { '16': [65535, 65535, 65535], '11-11-10': [2047, 2047, 1023], delta: [65535, 65535, 65535] };
const SHIFT = [21, 10, 0];

/**
 * Snaps points to the grid over `box`, or over the box around them. Points given with the same box keep their common
 * ones. Snapping may make polygons of more than three corners uneven. Refuses points outside the box, a box wider than the
 * largest number, and, for `'delta'`, neighbours more than 127 steps (128 downwards) apart: order them well.
 */
export function quantizePoints(
  points: PointSet,
  format: QuantizedFormat,
  box?: ReadonlyAabb,
): QuantizedPoints {
  if (box !== undefined && box !== null) checkAabb('quantizePoints', 'box', box);
  const coordinates = readPoints('quantizePoints', points);
  const tops = typeof format === 'string' ? TOP[format] : undefined;
  if (!tops) refuse('quantizePoints', 'format', `is unknown: ${describe(format)}`);
  if (box) checkAabb('quantizePoints', 'box', box);
  const { min, max } = box ?? aabbOfCoordinates(coordinates, makeAabb());
  const origin = Float64Array.of(min.x, min.y, min.z);
  const end = [max.x, max.y, max.z];
  const step = new Float64Array(3);
  const error = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    const span = end[k]! - origin[k]!;
    if (!(span < Infinity))
      refuse('quantizePoints', box ? 'box' : 'points', 'spans more than the range of numbers');
    step[k] = span === 0 ? 0 : Math.max(span / tops[k]!, Number.MIN_VALUE);
    // Subtracting, dividing, multiplying and adding err by half a unit in the last place each.
    error[k] = 0.5 * step[k]! + 4 * EPS64 * Math.max(Math.abs(origin[k]!), Math.abs(end[k]!), span);
  }
  const grid = new Uint16Array(coordinates.length);
  for (let i = 0; i < grid.length; i++) {
    const k = i % 3;
    const x = coordinates[i]!;
    if (!(x >= origin[k]! && x <= end[k]!))
      refuse('quantizePoints', 'points', `must be in the box, unlike number ${Math.floor(i / 3)}`);
    grid[i] = step[k] === 0 ? 0 : Math.min(tops[k]!, Math.round((x - origin[k]!) / step[k]!));
  }
  const first = format === 'delta' ? grid.slice(0, 3) : new Uint16Array(3);
  const data = format === '16' ? grid : format === 'delta' ? deltas(grid) : fused(grid);
  return { format, count: grid.length / 3, data, first, origin, step, error };
}

/** Three numbers to a word. */
function fused(grid: Uint16Array): Uint32Array {
  const words = new Uint32Array(grid.length / 3);
  for (let i = 0; i < grid.length; i++) {
    const at = Math.floor(i / 3);
    words[at] = words[at]! | (grid[i]! << SHIFT[i % 3]!);
  }
  return words;
}

/** The steps from each point to the next. */
function deltas(grid: Uint16Array): Int8Array {
  const steps = new Int8Array(grid.length - 3);
  for (let i = 0; i < steps.length; i++) {
    const difference = grid[i + 3]! - grid[i]!;
    steps[i] = difference;
    if (steps[i] !== difference)
      refuse(
        'quantizePoints',
        'points',
        `${Math.floor(i / 3)} and the next are ${difference} steps apart, too far for 8 bits`,
      );
  }
  return steps;
}

/** The points again, x, y, z after x, y, z, each within `error` of what it was. `out` must not lie in the memory of `data`. */
export function dequantizePoints(
  quantized: QuantizedPoints,
  out: Float64Array = new Float64Array(3 * quantized.count),
): Float64Array {
  mustHave('dequantizePoints', 'quantized', quantized, 'a quantized points', 'format');
  const { format, count, data, first, origin, step } = quantized;
  if (out.length !== 3 * count)
    refuse('dequantizePoints', 'out', `must hold ${3 * count} numbers, got ${out.length}`);
  const tops = TOP[format];
  for (let k = 0; k < 3; k++) {
    let place = first[k]!;
    for (let i = 0; i < count; i++) {
      if (format === '16') place = data[3 * i + k]!;
      else if (format === '11-11-10') place = (data[i]! >>> SHIFT[k]!) & tops[k]!;
      else if (i > 0) place += data[3 * (i - 1) + k]!;
      out[3 * i + k] = origin[k]! + place * step[k]!;
    }
  }
  return out;
}
