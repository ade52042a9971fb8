/**
 * What every peer gives: a loop over all queries with the call that a user would make, everything made beforehand that
 * can be, and the answer to one of them, for judging. A loop of its own for each, because V8 inlines what is called there.
 */
import type { Point } from '../data.ts';

export interface Asked {
  readonly name: string;
  /** Asks everything once. */
  readonly run: () => number;
  /** The distance gone to the first hit, infinite for none. */
  readonly answer: (i: number) => number;
}

export const ZERO: Point = { x: 0, y: 0, z: 0 };
export const lengthOf = ({ x, y, z }: Point): number => Math.sqrt(x * x + y * y + z * z);
export const distanceOf = (p: Point, q: Point): number =>
  Math.sqrt((p.x - q.x) ** 2 + (p.y - q.y) ** 2 + (p.z - q.z) ** 2);
