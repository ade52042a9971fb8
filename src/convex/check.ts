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
    if (isFrame(f)) return;
  } catch {}
  mustHave(caller, 'frame', f, 'a frame', 'm00');
  for (const key of KEYS) {
    mustBeCoordinate(caller, `frame.${key}`, f[key]);
    if (!(Math.abs(f[key]) <= FARTHEST / 12))
      refuse(caller, `frame.${key}`, `must not be so large, got ${describe(f[key])}`);
  }
}

const KEYS = ['m00', 'm01', 'm02', 'm10', 'm11', 'm12', 'm20', 'm21', 'm22', 'tx', 'ty', 'tz'] as const;

function isFrame({ m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz }: Frame): boolean {
  const areNumbers =
    typeof m00 === 'number' &&
    typeof m01 === 'number' &&
    typeof m02 === 'number' &&
    typeof m10 === 'number' &&
    typeof m11 === 'number' &&
    typeof m12 === 'number' &&
    typeof m20 === 'number' &&
    typeof m21 === 'number' &&
    typeof m22 === 'number' &&
    typeof tx === 'number' &&
    typeof ty === 'number' &&
    typeof tz === 'number';
  const x = Math.abs(m00) + Math.abs(m01) + Math.abs(m02) + Math.abs(tx);
  const y = Math.abs(m10) + Math.abs(m11) + Math.abs(m12) + Math.abs(ty);
  const z = Math.abs(m20) + Math.abs(m21) + Math.abs(m22) + Math.abs(tz);
  return areNumbers && x + y + z <= FARTHEST;
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
