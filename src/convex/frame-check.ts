/** The check of a frame at the public boundary. */
import { refuse } from '../math/check.ts';
import type { Frame } from './frame.ts';

/** Throws the error that names the first number of a frame that is not finite, if there is one. */
export function mustBeAFrame(caller: string, frame: Frame): void {
  for (const [key, value] of Object.entries(frame))
    if (!Number.isFinite(value)) refuse(caller, `frame.${key}`, `must be a finite number, got ${value}`);
}
