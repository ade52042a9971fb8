/** The check of a frame at the public boundary. */
import { refuse } from '../math/check.ts';
import type { Frame } from './frame.ts';

/** Bodies that are farther from each other are refused: products of several lengths would not fit. @internal */
export const FARTHEST = 1e31;

/** Throws the error that names the first number of a frame that is not finite or too large, if there is one. @internal */
export function mustBeAFrame(caller: string, f: Frame): void {
  const turn = f.m00 + f.m01 + f.m02 + f.m10 + f.m11 + f.m12 + f.m20 + f.m21 + f.m22;
  if (turn * 0 === 0 && Math.abs(f.tx) + Math.abs(f.ty) + Math.abs(f.tz) <= FARTHEST) return;
  for (const [key, value] of Object.entries(f)) {
    if (!Number.isFinite(value)) refuse(caller, `frame.${key}`, `must be a finite number, got ${value}`);
    if (!(Math.abs(value) <= FARTHEST / 3))
      refuse(caller, `frame.${key}`, `must not be so large, got ${value}`);
  }
}
