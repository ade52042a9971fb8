/** How large the cells of a uniform grid should be. RTCD §7.1.1. */
import { checkFlat } from './input.ts';

/** Sizes that differ by more than this are for a hierarchical grid: a small thing then shares its cell with up to 4³ others. */
const WIDE = 4;
/** The cell is larger than the largest thing by this much, 2^-20: rounding cannot make a thing reach over two borders. */
const MARGIN = 9.5367431640625e-7;

export interface CellSize {
  /**
   * The side of a cell: a little more than the diagonal of the largest box, so that what is in the box may be rotated and
   * still overlaps 8 cells at most (4 in the plane). 1 where nothing has a size.
   */
  cell: number;
  /** The diagonal of the largest box over that of the median one; Infinity if more than half have none. */
  spread: number;
  /** Are sizes so different that one grid does not suit them? Use a hierarchical grid then. */
  isWide: boolean;
}

/** The side of cells for boxes like these: min x, y, z, max x, y, z of one after the other. */
export function suggestCellSize(boxes: ArrayLike<number>): CellSize {
  checkFlat('suggestCellSize', 'boxes', boxes, 6);
  const n = boxes.length / 6;
  const sizes = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const x = boxes[6 * i + 3]! - boxes[6 * i]!;
    const y = boxes[6 * i + 4]! - boxes[6 * i + 1]!;
    const z = boxes[6 * i + 5]! - boxes[6 * i + 2]!;
    sizes[i] = Math.sqrt(x * x + y * y + z * z);
  }
  sizes.sort();
  const largest = n > 0 ? sizes[n - 1]! : 0;
  const median = n > 0 ? sizes[n >> 1]! : 0;
  const spread = largest > 0 ? largest / median : 1;
  return { cell: largest > 0 ? largest * (1 + MARGIN) : 1, spread, isWide: spread > WIDE };
}
