/**
 * Interval arithmetic: an interval holds every value that the exact result can take when the operands are anywhere in
 * theirs, rounding included. RTCD §11.4.1. Results go to `out`, which may be an operand. Plain arithmetic: nothing is
 * checked; lo <= hi, and the ends may be infinite.
 *
 * Each operation is tight to one rounding, an expression only if every variable occurs once in it: x - x is not 0.
 * Use `square`, not mul(x, x); write x / (x - 1) as 1 + 1 / (x - 1), (x + y) / (x - y) as 1 - 2 / (1 - x / y),
 * x y / (x + y) as 1 / (1 / x + 1 / y); or cut the interval up with `evaluate`.
 */
import { describe, refuse } from './check.ts';
import { addDown, addUp, divDown, divUp, mulDown, mulUp, sqrtDown, sqrtUp } from './rounding.ts';

/** The numbers from lo to hi. */
export interface Interval {
  lo: number;
  hi: number;
}

export type ReadonlyInterval = Readonly<Interval>;

export const makeInterval = (lo = 0, hi = lo): Interval => ({ lo, hi });

export function set(lo: number, hi: number, out: Interval = makeInterval()): Interval {
  out.lo = lo;
  out.hi = hi;
  return out;
}

export const copy = (a: ReadonlyInterval, out: Interval = makeInterval()): Interval => set(a.lo, a.hi, out);

export const contains = (a: ReadonlyInterval, x: number): boolean => a.lo <= x && x <= a.hi;

/** The smallest interval around both. */
export const hull = (a: ReadonlyInterval, b: ReadonlyInterval, out: Interval = makeInterval()): Interval =>
  set(Math.min(a.lo, b.lo), Math.max(a.hi, b.hi), out);

export const negate = (a: ReadonlyInterval, out: Interval = makeInterval()): Interval =>
  set(0 - a.hi, 0 - a.lo, out);

export const add = (a: ReadonlyInterval, b: ReadonlyInterval, out: Interval = makeInterval()): Interval =>
  set(addDown(a.lo, b.lo), addUp(a.hi, b.hi), out);

export const sub = (a: ReadonlyInterval, b: ReadonlyInterval, out: Interval = makeInterval()): Interval =>
  set(addDown(a.lo, -b.hi), addUp(a.hi, -b.lo), out);

export function mul(a: ReadonlyInterval, b: ReadonlyInterval, out: Interval = makeInterval()): Interval {
  const { lo: al, hi: ah } = a;
  const { lo: bl, hi: bh } = b;
  if (al < 0 && ah > 0 && bl < 0 && bh > 0) return mulMixed(a, b, out);
  // One keeps its sign, so each end of the product is that of one pair of ends.
  const lo = mulDown(bl >= 0 || (bh > 0 && al < 0) ? al : ah, al >= 0 || (ah > 0 && bl < 0) ? bl : bh);
  const hi = mulUp(bh <= 0 || (bl < 0 && ah <= 0) ? al : ah, ah <= 0 || (al < 0 && bh <= 0) ? bl : bh);
  return set(lo, hi, out);
}

/** Apart, so that the usual case stays small enough to be compiled as one piece: see CONTRIBUTING on boxed doubles. */
function mulMixed(a: ReadonlyInterval, b: ReadonlyInterval, out: Interval): Interval {
  const lo = Math.min(mulDown(a.lo, b.hi), mulDown(a.hi, b.lo));
  const hi = Math.max(mulUp(a.lo, b.lo), mulUp(a.hi, b.hi));
  return set(lo, hi, out);
}

/**
 * All x / y with y not 0. A divisor with 0 inside gives the whole line; one with 0 at an end gives a half-line, if the
 * dividend does not hold 0; the divisor 0 itself gives the whole line.
 */
export function div(a: ReadonlyInterval, b: ReadonlyInterval, out: Interval = makeInterval()): Interval {
  const { lo: al, hi: ah } = a;
  const { lo: bl, hi: bh } = b;
  if (!(bl > 0 || bh < 0)) return divByZero(a, b, out);
  // A negative divisor swaps the ends of the dividend. Then an end beyond 0 is farthest out over the divisor nearest 0.
  const isNegative = bh < 0;
  const lo = divDown(isNegative ? ah : al, isNegative ? (ah > 0 ? bh : bl) : al < 0 ? bl : bh);
  const hi = divUp(isNegative ? al : ah, isNegative ? (al < 0 ? bh : bl) : ah > 0 ? bl : bh);
  return set(lo, hi, out);
}

function divByZero(a: ReadonlyInterval, b: ReadonlyInterval, out: Interval): Interval {
  const { lo: al, hi: ah } = a;
  const { lo: bl, hi: bh } = b;
  const oneSided = (bl === 0) !== (bh === 0);
  if (!oneSided || (al <= 0 && ah >= 0)) return set(-Infinity, Infinity, out);
  // The half-line starts at the dividend nearest 0 over the divisor's other end; towards 0 there is no bound.
  const near = al > 0 ? al : ah;
  const far = bl === 0 ? bh : bl;
  return near > 0 === far > 0
    ? set(divDown(near, far), Infinity, out)
    : set(-Infinity, divUp(near, far), out);
}

/** Tight, unlike mul(a, a), which does not know that both factors are the same number. */
export function square(a: ReadonlyInterval, out: Interval = makeInterval()): Interval {
  const { lo, hi } = a;
  const near = Math.max(lo, Math.min(hi, 0));
  const far = Math.max(-lo, hi);
  return set(mulDown(near, near), mulUp(far, far), out);
}

/** The roots of what is not negative in a; [0, 0] when nothing is. */
export const sqrt = (a: ReadonlyInterval, out: Interval = makeInterval()): Interval =>
  set(a.lo > 0 ? sqrtDown(a.lo) : 0, a.hi > 0 ? sqrtUp(a.hi) : 0, out);

/**
 * The range of f over x, from `pieces` equal parts of x: the more, the tighter where x occurs several times in f.
 * `f` may keep neither of the intervals that it is given. An infinite interval stays in one piece.
 */
export function evaluate(
  f: (x: ReadonlyInterval, out: Interval) => ReadonlyInterval,
  x: ReadonlyInterval,
  pieces = 1,
  out: Interval = makeInterval(),
): Interval {
  if (!(pieces >= 1)) refuse('interval.evaluate', 'pieces', `must be at least 1, got ${describe(pieces)}`);
  const count = x.hi - x.lo < Infinity ? pieces : 1;
  const part = makeInterval();
  const value = makeInterval();
  let lo = Infinity;
  let hi = -Infinity;
  let start = x.lo;
  for (let i = 1; i <= count; i++) {
    // A cut is computed once and ends one part and starts the next: nothing falls between.
    const end = i < count ? cut(x, i / count) : x.hi;
    const range = f(set(start, end, part), value);
    lo = Math.min(lo, range.lo);
    hi = Math.max(hi, range.hi);
    start = end;
  }
  return set(lo, hi, out);
}

/** @internal A number in x, at about the fraction t of it. */
export const cut = (x: ReadonlyInterval, t: number): number =>
  Math.max(x.lo, Math.min(x.hi, x.lo * (1 - t) + x.hi * t));
