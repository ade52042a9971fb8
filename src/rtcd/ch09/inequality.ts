/**
 * Linear inequalities: what linear programs and elimination are given.
 *
 * Shared by the linear programs of this chapter.
 */
import { ANY_FINITE, mustBeCoordinate, mustHave, refuse, refuseType } from '../../math/check.ts';

/** The points x with a · x <= b. */
export interface LinearInequality {
  /** One number for each unknown. */
  readonly a: readonly number[];
  readonly b: number;
}

/**
 * Throws unless all have that many unknowns and finite numbers.
 *
 * @internal
 */
export function mustBeInequalities(
  caller: string,
  inequalities: readonly LinearInequality[],
  unknowns: number,
): void {
  for (let i = 0; i < inequalities.length; i++) {
    const name = `inequalities[${i}]`;
    mustHave(caller, name, inequalities[i], 'an inequality {a, b}', 'a');
    const { a, b } = inequalities[i]!;
    if (!Array.isArray(a)) refuseType(caller, `${name}.a`, 'a list of numbers', a);
    for (let k = 0; k < a.length; k++)
      mustBeCoordinate(caller, `${name}.a[${k}]`, (a as readonly number[])[k]!, ANY_FINITE);
    mustBeCoordinate(caller, `${name}.b`, b, ANY_FINITE);
    if (a.length !== unknowns)
      refuse(caller, `${name}.a`, `must have ${unknowns} components, got ${a.length}`);
  }
}
