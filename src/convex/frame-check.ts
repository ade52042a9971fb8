/** The check of a frame at the public boundary. */
import { describe, mustBeCoordinate, mustHave, refuse, refuseType } from '../math/check.ts';
import type { ConvexCore } from './core.ts';
import type { Frame } from './frame.ts';
import type { GjkState } from './gjk-state.ts';

/** Bodies that are farther from each other are refused: products of several lengths would not fit. @internal */
export const FARTHEST = 1e31;

/** Throws the error that names the first number of a frame that is not finite or too large, if there is one. @internal */
export function mustBeAFrame(caller: string, f: Frame): void {
  try {
    if (sizeOf(f) <= FARTHEST) return;
  } catch {}
  mustHave(caller, 'frame', f, 'a frame', 'm00');
  for (const key of KEYS) {
    mustBeCoordinate(caller, `frame.${key}`, f[key]);
    if (!(Math.abs(f[key]) <= FARTHEST / 12))
      refuse(caller, `frame.${key}`, `must not be so large, got ${describe(f[key])}`);
  }
}

const KEYS = ['m00', 'm01', 'm02', 'm10', 'm11', 'm12', 'm20', 'm21', 'm22', 'tx', 'ty', 'tz'] as const;

function sizeOf(f: Frame): number {
  const x = Math.abs(f.m00) + Math.abs(f.m01) + Math.abs(f.m02) + Math.abs(f.tx);
  const y = Math.abs(f.m10) + Math.abs(f.m11) + Math.abs(f.m12) + Math.abs(f.ty);
  return x + y + Math.abs(f.m20) + Math.abs(f.m21) + Math.abs(f.m22) + Math.abs(f.tz);
}

/** What a factory has made, by its list of numbers: all cores are of one make, so that this costs next to nothing. @internal */
export function mustBeCore(caller: string, name: string, core: ConvexCore): void {
  if ((core as ConvexCore | null | undefined)?.data?.length === undefined)
    refuseType(caller, name, 'a convex core, as shapes have', core);
}

/** @internal */
export function mustBeState(caller: string, state: GjkState): void {
  if ((state as GjkState | null | undefined)?.a?.length === undefined || state.b?.length === undefined)
    refuseType(caller, 'state', 'a state, as makeGjkState gives', state);
}

/**
 * Names what is wrong with the input of a run that has failed. A run looks at nothing but the numbers of the frame: to try is
 * cheaper than to ask.
 *
 * @internal
 */
export function mustBeGjkInput(
  caller: string,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
): void {
  mustBeCore(caller, 'a', a);
  mustBeCore(caller, 'b', b);
  mustBeAFrame(caller, frame);
  mustBeState(caller, state);
}
