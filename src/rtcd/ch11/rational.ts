/**
 * Fractions compared without dividing, and without products that would need more bits. RTCD §11.5.2.
 *
 * For times and parameters on an integer grid. Production compares rounded times with an allowance:
 * `math/tolerance.ts`.
 */
import { mustBeNumber, refuse } from '../../math/check.ts';
import { mustBeInt53 } from './integer.ts';

/**
 * Does numerator / denominator lie in [0, 1]? Multiplied through by the denominator, sign and all, so exact for the
 * numbers as given, which need not be integers. False when the denominator is 0 or something is NaN.
 */
export const isUnitFraction = (numerator: number, denominator: number): boolean =>
  denominator > 0
    ? numerator >= 0 && numerator <= denominator
    : denominator < 0 && numerator <= 0 && numerator >= denominator;

/**
 * The order of a / b and c / d: -1, 0 or 1. Exact for all safe integers; denominators may be negative, not 0.
 *
 * By continued fractions: equal whole parts are taken off, and the order of the rest is the opposite of that of its
 * reciprocals. Everything stays as small as the input, where a d - b c would have twice the bits. Michelucci 1996.
 */
export function compareRational(a: number, b: number, c: number, d: number): -1 | 0 | 1 {
  mustBeNumber('compareRational', 'b', b);
  mustBeNumber('compareRational', 'd', d);
  mustBeInt53('compareRational', 'a', a);
  mustBeDenominator('b', b);
  mustBeInt53('compareRational', 'c', c);
  mustBeDenominator('d', d);
  // n / m and p / q, with positive denominators.
  let n = b < 0 ? -a : a;
  let m = Math.abs(b);
  let p = d < 0 ? -c : c;
  let q = Math.abs(d);
  if (n < 0 !== p < 0) return n < 0 ? -1 : 1;
  let flip = n < 0;
  n = Math.abs(n);
  p = Math.abs(p);
  for (;;) {
    const nRest = n % m; // exact, as % always is
    const pRest = p % q;
    const whole = (n - nRest) / m - (p - pRest) / q; // the divisions come out even; only the sign matters
    if (whole !== 0) return whole > 0 === flip ? -1 : 1;
    if (nRest === 0 || pRest === 0) {
      if (nRest === pRest) return 0;
      return (nRest === 0) === flip ? 1 : -1;
    }
    // nRest / m < pRest / q exactly when m / nRest > q / pRest.
    n = m;
    m = nRest;
    p = q;
    q = pRest;
    flip = !flip;
  }
}

function mustBeDenominator(name: string, x: number): void {
  mustBeInt53('compareRational', name, x);
  if (x === 0) refuse('compareRational', name, 'is a denominator and must not be 0');
}
