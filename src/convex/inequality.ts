/** Linear inequalities: what linear programs and elimination are given. */
import { mustBeFinite, refuse } from '../math/check.ts';

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
    const { a, b } = inequalities[i]!;
    const name = `inequalities[${i}]`;
    mustBeFinite(caller, { [`${name}.a`]: a, [`${name}.b`]: b });
    if (a.length !== unknowns)
      refuse(caller, `${name}.a`, `must have ${unknowns} components, got ${a.length}`);
  }
}
