/** How large and how small shapes may be. */
import { describe, refuse } from './check.ts';

/**
 * No point of a shape is farther from its origin; and unless it is a point, some are as far as the least. So products of
 * eight lengths are well within the range of doubles, and boxes within that of single precision.
 */
export const MOST = 1e30;
const LEAST = 1e-30;

/** Throws unless the size of a shape is within the range, or 0. @internal */
export function mustBeInRange(caller: string, name: string, size: number): void {
  if (!(size <= MOST && (size >= LEAST || size === 0)))
    refuse(caller, name, `must be from ${LEAST} to ${MOST}, or 0, got ${size}`);
}

/** Throws if a shape goes on beyond the range. @internal */
export function mustNotBeBeyond(caller: string, name: string, coordinate: number): void {
  if (!(Math.abs(coordinate) <= MOST))
    refuse(caller, name, `must not be beyond ${MOST}, got ${describe(coordinate)}`);
}
