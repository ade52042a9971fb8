/** Exact signs over the whole range of doubles, by big integers: for coordinates that expansions cannot hold. */
import { exponent, scalb } from './float.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from './types.ts';

/**
 * Can expansions hold x? They are exact while products of five differences neither overflow nor have parts
 * below 2^-1074; every part of a difference is a multiple of 2^-52 times the smallest coordinate.
 */
const isModerate = (x: number): boolean => x === 0 || (Math.abs(x) >= 1e-48 && Math.abs(x) <= 1e48);
/** Is it within what expansions can hold? @internal */
export const isModerate2 = (p: ReadonlyVec2): boolean => isModerate(p.x) && isModerate(p.y);
/** Is it within what expansions can hold? @internal */
export const isModerate3 = (p: ReadonlyVec3): boolean =>
  isModerate(p.x) && isModerate(p.y) && isModerate(p.z);

/** Sign of the determinant of the differences to the last point; `lifted` puts their squared lengths in front. @internal */
export function integerSign(lifted: boolean, points: readonly (readonly number[])[]): number {
  // As integers in units of the last bit of the smallest coordinate.
  let unit = 1023;
  for (const x of points.flat()) if (x !== 0) unit = Math.min(unit, exponent(x) - 52);
  const integers = points.map((p) =>
    p.map((x) => {
      const shift = x === 0 ? 0 : exponent(x) - 52;
      return BigInt(scalb(x, -shift)) << BigInt(Math.max(0, shift - unit));
    }),
  );
  const last = integers.pop()!;
  const det = determinant(
    integers.map((p) => {
      const row = p.map((x, i) => x - last[i]!);
      return lifted ? [row.reduce((sum, x) => sum + x * x, 0n), ...row] : row;
    }),
  );
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

function determinant(rows: readonly (readonly bigint[])[]): bigint {
  if (rows.length === 1) return rows[0]![0]!;
  let sum = 0n;
  for (let i = 0; i < rows.length; i++) {
    const minor = rows.filter((_, j) => j !== i).map((row) => row.slice(1));
    const term = rows[i]![0]! * determinant(minor);
    sum += i % 2 ? -term : term;
  }
  return sum;
}
