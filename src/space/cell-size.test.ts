import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { suggestCellSize } from './cell-size.ts';
import { cellOf } from './cells.ts';

property(
  '[R7.1.1] a box, rotated or not, on borders of cells or off them, overlaps 8 cells at most',
  3000,
  (rng) => {
    const n = rng.int(1, 9);
    const sizes = Array.from({ length: n }, () => ({
      x: rng.pick([0, 1, rng.range(0, 3)]),
      y: rng.range(0, 3),
      z: rng.pick([0, 1e-9, 2]),
    }));
    const flat = sizes.flatMap(({ x, y, z }) => [0, 0, 0, x, y, z]);
    const { cell } = suggestCellSize(flat);
    for (const { x, y, z } of sizes) {
      const diagonal = Math.sqrt(x * x + y * y + z * z);
      check(cell >= diagonal, 'no smaller than the largest at any rotation');
      // Begins on a border, just before it, just after it, or anywhere.
      const border = cell * rng.int(-1000, 1000);
      const at = rng.pick([
        border,
        border * (1 - 2e-16),
        border * (1 + 2e-16),
        border - diagonal,
        rng.range(-9, 9),
      ]);
      const cells = cellOf(at + diagonal, 1 / cell) - cellOf(at, 1 / cell) + 1;
      check(cells <= 2, () => `${cells} cells along an axis: ${at}, ${diagonal}, ${cell}`);
    }
  },
);

test('[R7.1.1] a wide spread of sizes is told', () => {
  const boxes = (sizes: number[]) => sizes.flatMap((s) => [0, 0, 0, s, 0, 0]);
  expect(suggestCellSize(boxes([1, 1.5, 2]))).toEqual({
    cell: 2 * (1 + 2 ** -20),
    spread: 2 / 1.5,
    isWide: false,
  });
  expect(suggestCellSize(boxes([1, 1, 1, 1000]))).toMatchObject({ spread: 1000, isWide: true });
  expect(suggestCellSize(boxes([0, 0, 0, 1]))).toMatchObject({ spread: Infinity, isWide: true });
  expect(suggestCellSize(boxes([0, 0]))).toEqual({ cell: 1, spread: 1, isWide: false });
  expect(suggestCellSize([])).toEqual({ cell: 1, spread: 1, isWide: false });
  expect(() => suggestCellSize([0, 0, 0, -1, 0, 0])).toThrow(/min <= max/);
  expect(() => suggestCellSize([0, 0, 0, 1, 0])).toThrow(/6 numbers for each/);
});
