/** Real roots without cancellation. RTCD §11.2.3. */
import { differenceOfProducts } from './accurate.ts';
import { ANY_FINITE, mustBeCoordinate } from './check.ts';
import { exponent, scalb } from './float.ts';

/** Up to two real roots, `t0 <= t1`; a double root has `count` 2 and `t0 === t1`. */
export interface Roots {
  /** 0, 1 (the equation is linear) or 2; -1 when every number solves it (a = b = c = 0). */
  count: number;
  t0: number;
  t1: number;
}

export const makeRoots = (): Roots => ({ count: 0, t0: 0, t1: 0 });

/**
 * Roots of a t² + 2 b t + c = 0; note the halved middle coefficient, which is what geometry gives. Their number is
 * exact for the coefficients as given, and each is right to four ulps; one that is too large for a double is infinite.
 *
 * The larger root in size comes from -b ∓ √(b² - ac) with equal signs, the other from their product c / a, and
 * the discriminant is a difference of products evaluated to full precision, so nothing cancels. Its 4 roundings are
 * 2 after the root, which adds one; the sum and the quotient add two, and the weights in the sum take one off.
 */
export function solveQuadratic(a: number, b: number, c: number, out: Roots = makeRoots()): Roots {
  mustBeCoordinate('solveQuadratic', 'a', a, ANY_FINITE);
  mustBeCoordinate('solveQuadratic', 'b', b, ANY_FINITE);
  mustBeCoordinate('solveQuadratic', 'c', c, ANY_FINITE);
  const size = Math.max(b * b, Math.abs(a * c));
  if (!(size > 1e-260 && size < 1e260 && Math.abs(a) + Math.abs(c) < 1e260))
    return solveAtTheEnds(a, b, c, out);
  if (a === 0) return solveMiddleLinear(b, c, out);
  const q = halfSum(a, b, c);
  return Number.isNaN(q) ? noRoot(0, out) : twoRoots(q / a, c / q, out);
}

/** The root of a t + b = 0. */
export function solveLinear(a: number, b: number, out: Roots = makeRoots()): Roots {
  mustBeCoordinate('solveLinear', 'a', a, ANY_FINITE);
  mustBeCoordinate('solveLinear', 'b', b, ANY_FINITE);
  return a === 0 ? noRoot(b === 0 ? -1 : 0, out) : oneRoot(-b / a, out);
}

/** The q = -b ∓ √(b² - ac) of equal signs, with roots q / a and c / q; NaN when there are none. */
function halfSum(a: number, b: number, c: number): number {
  const root = Math.sqrt(differenceOfProducts(b, b, a, c));
  return b < 0 ? root - b : -root - b;
}

/** 2 b t + c = 0 without a product or a quotient that leaves the range early. */
function solveMiddleLinear(b: number, c: number, out: Roots): Roots {
  if (b === 0) return noRoot(c === 0 ? -1 : 0, out);
  return oneRoot(Math.abs(b) < 1 ? -c / (2 * b) : (-0.5 * c) / b, out);
}

/**
 * The same where b² or a c would overflow or vanish: the exponents are taken out first and put back into the roots.
 * With 2^e above |b| and √|ac|, what vanishes in the discriminant over 2^2e does not matter beside the rest.
 */
function solveAtTheEnds(a: number, b: number, c: number, out: Roots): Roots {
  if (a === 0) return solveMiddleLinear(b, c, out);
  if (b === 0 && c === 0) return twoRoots(0, 0, out);
  const ea = exponent(a);
  const ec = exponent(c);
  const e = Math.max(exponent(b), Math.ceil((ea + ec) / 2));
  const q = halfSum(scalb(a, -ea), scalb(b, -e), scalb(c, ea - 2 * e));
  if (Number.isNaN(q)) return noRoot(0, out);
  return twoRoots(scalb(q / scalb(a, -ea), e - ea), c === 0 ? 0 : scalb(scalb(c, -ec) / q, ec - e), out);
}

function twoRoots(r0: number, r1: number, out: Roots): Roots {
  out.count = 2;
  out.t0 = Math.min(r0, r1) + 0; // + 0 turns -0 into 0
  out.t1 = Math.max(r0, r1) + 0;
  return out;
}

function noRoot(count: number, out: Roots): Roots {
  out.count = count;
  out.t0 = out.t1 = 0;
  return out;
}

function oneRoot(t: number, out: Roots): Roots {
  out.count = 1;
  out.t0 = out.t1 = t + 0;
  return out;
}
