/** Triangles with the same three corners, in either winding. */

const corner = (index: Uint32Array, t: number, rank: 0 | 1 | 2): number => {
  const a = index[3 * t]!;
  const b = index[3 * t + 1]!;
  const c = index[3 * t + 2]!;
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return rank === 0 ? low : rank === 2 ? high : a + b + c - low - high;
};

const compare = (index: Uint32Array, s: number, t: number): number =>
  corner(index, s, 0) - corner(index, t, 0) ||
  corner(index, s, 1) - corner(index, t, 1) ||
  corner(index, s, 2) - corner(index, t, 2);

/** @internal */
export const haveSameCorners = (index: Uint32Array, s: number, t: number): boolean =>
  compare(index, s, t) === 0;

/** The triangles in an order in which those with the same corners follow each other, these in ascending order. @internal */
export const byCorners = (index: Uint32Array): Uint32Array =>
  Uint32Array.from({ length: index.length / 3 }, (_, t) => t).sort((s, t) => compare(index, s, t) || s - t);
