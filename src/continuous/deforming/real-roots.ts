/**
 * Real roots of polynomials with whole coefficients, in [0, 1], and the signs of other polynomials there: without rounding.
 *
 * **Isolation.** Descartes' rule: the number of sign changes among the Bernstein coefficients of f over an interval is at
 * least the number of roots inside, and differs from it by an even number. No change: no root. One change: one root, and f
 * changes its sign there. More: the interval is halved. That ends if f has no multiple root (Vincent; Collins & Akritas 1976),
 * so the common factor of f and f' is divided out first. A root that a halving meets exactly is divided out, too: the ends of
 * the intervals that remain are no roots.
 *
 * **Rounding.** A root τ is below x exactly if f has the same sign at x as at the low end of the interval. Newton's method in
 * doubles gives a guess; exact signs at the doubles around it find the largest double that is not above τ.
 *
 * **The sign of g(τ).** If the Bernstein coefficients of g over the interval of τ are all positive, so is g(τ). If not, g may be
 * zero there. It is exactly if h = gcd(f, g) is; h divides f, so that it has no root in the interval but τ, and it has τ
 * exactly if it changes its sign between the ends. If g(τ) is not zero, halving the interval brings out its sign.
 */
import { approximate, bitLength, signOf } from '../../math/big-integers.ts';
import { exponent, nextUp, scalb } from '../../math/float.ts';

/** Coefficients, that of 1 first. The last is not 0; the polynomial 0 has none. */
export type Polynomial = readonly bigint[];

export function polynomial(coefficients: bigint[]): Polynomial {
  while (coefficients.length > 0 && coefficients[coefficients.length - 1] === 0n) coefficients.pop();
  return coefficients;
}

export function add(a: Polynomial, b: Polynomial): Polynomial {
  const sum: bigint[] = [];
  for (let i = 0; i < a.length || i < b.length; i++) sum.push((a[i] ?? 0n) + (b[i] ?? 0n));
  return polynomial(sum);
}

export function multiply(a: Polynomial, b: Polynomial): Polynomial {
  const product: bigint[] = [];
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < b.length; j++) product[i + j] = (product[i + j] ?? 0n) + a[i]! * b[j]!;
  return polynomial(product);
}

export const scale = (a: Polynomial, factor: bigint): Polynomial => polynomial(a.map((x) => x * factor));
export const subtract = (a: Polynomial, b: Polynomial): Polynomial => add(a, scale(b, -1n));

/** The sign of p at m / 2^k. */
export function signAt(p: Polynomial, m: bigint, k: number): -1 | 0 | 1 {
  const step = BigInt(k);
  let sum = 0n;
  let shift = 0n;
  for (let i = p.length - 1; i >= 0; i--) {
    sum = sum * m + (p[i]! << shift);
    shift += step;
  }
  return signOf(sum);
}

/** 2^(k deg p) p((m + t) / 2^k) as a polynomial in t: p over the interval from m / 2^k to (m + 1) / 2^k. */
function over(p: Polynomial, m: bigint, k: number): bigint[] {
  const local: bigint[] = [];
  const step = BigInt(k);
  const degree = p.length - 1;
  for (let i = 0; i <= degree; i++) local[i] = p[i]! << (step * BigInt(degree - i));
  if (m !== 0n)
    for (let i = 0; i < degree; i++) for (let j = degree - 1; j >= i; j--) local[j]! += m * local[j + 1]!;
  return local;
}

/** The Bernstein coefficients over [0, 1], each times a binomial: their signs are what counts. Overwrites p. */
function bernstein(p: bigint[]): bigint[] {
  // The coefficients of (1 + t)^n p(1 / (1 + t)), which are those of p read backwards and moved by 1.
  p.reverse();
  for (let i = 0; i < p.length - 1; i++) for (let j = p.length - 2; j >= i; j--) p[j]! += p[j + 1]!;
  return p.reverse();
}

function signChanges(list: readonly bigint[]): number {
  let changes = 0;
  let last = 0;
  for (const x of list) {
    const s = signOf(x);
    if (s !== 0 && s === -last) changes++;
    if (s !== 0) last = s;
  }
  return changes;
}

function commonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0n ? -a : a;
}

/** Without what all coefficients have in common. */
function primitive(p: Polynomial): Polynomial {
  let common = 0n;
  for (const x of p) {
    common = commonDivisor(x, common);
    if (common === 1n) return p;
  }
  return common === 0n ? p : p.map((x) => x / common);
}

/** A prime so small that products of two remainders are exact in doubles. */
const PRIME = 67108859;
const BIG_PRIME = BigInt(PRIME);

const modulo = (p: Polynomial): number[] => p.map((x) => Number(((x % BIG_PRIME) + BIG_PRIME) % BIG_PRIME));

/** 1 / x modulo the prime: x to the power of the prime less two (Fermat). */
function inverse(x: number): number {
  let result = 1;
  let power = x;
  for (let n = PRIME - 2; n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result = (result * power) % PRIME;
    power = (power * power) % PRIME;
  }
  return result;
}

/**
 * Have two polynomials certainly no common factor? Modulo a prime that does not divide their first coefficients, a common factor
 * keeps its degree: none there, none at all. That is some hundred products of small numbers, where remainders of polynomials
 * with thousands of digits take many milliseconds; and nearly all pairs have none.
 */
function areCoprime(a: Polynomial, b: Polynomial): boolean {
  let f = modulo(a);
  let g = modulo(b);
  if (f[f.length - 1] === 0 || g[g.length - 1] === 0) return false;
  while (g.length > 1) {
    const scale = inverse(g[g.length - 1]!);
    while (f.length >= g.length) {
      const factor = (f[f.length - 1]! * scale) % PRIME;
      const from = f.length - g.length;
      for (let i = 0; i < g.length; i++)
        f[from + i] = (f[from + i]! + (((PRIME - factor) * g[i]!) % PRIME)) % PRIME;
      while (f.length > 0 && f[f.length - 1] === 0) f.pop();
    }
    [f, g] = [g, f];
  }
  return g.length === 1;
}

/** The greatest common divisor, up to a factor, by remainders. gcd(0, b) is b. */
export function gcd(a: Polynomial, b: Polynomial): Polynomial {
  if (a.length > 1 && b.length > 1 && areCoprime(a, b)) return [1n];
  let f = a;
  let g = b;
  if (f.length < g.length) [f, g] = [g, f];
  while (g.length > 0) {
    const lead = g[g.length - 1]!;
    let rest = f as bigint[];
    while (rest.length >= g.length) {
      const top = rest[rest.length - 1]!;
      const from = rest.length - g.length;
      rest = polynomial(rest.map((x, i) => x * lead - (i >= from ? top * g[i - from]! : 0n))) as bigint[];
    }
    f = g;
    g = primitive(rest);
  }
  return f;
}

/** p / d, where d divides p over the rational numbers; a whole multiple of it. */
function divide(p: Polynomial, d: Polynomial): Polynomial {
  const lead = d[d.length - 1]!;
  const result: bigint[] = [];
  let rest = [...p];
  for (let at = p.length - d.length; at >= 0; at--) {
    const top = rest[at + d.length - 1]!;
    for (let i = 0; i < result.length; i++) if (result[i] !== undefined) result[i]! *= lead;
    result[at] = top;
    rest = rest.map((x, i) => x * lead - (i >= at && i < at + d.length ? top * d[i - at]! : 0n));
  }
  return primitive(polynomial(result));
}

/** A root in [0, 1]. */
export class RealRoot {
  /** Has this root, once, and no other one between the ends. */
  private readonly p: Polynomial;
  /** The root is between m / 2^k and (m + 1) / 2^k, and neither of them; or it is m / 2^k. */
  m: bigint;
  k: number;
  isExact: boolean;
  /** The largest double that is not above. */
  readonly floor: number;

  constructor(p: Polynomial, m: bigint, k: number, isExact: boolean) {
    this.p = p;
    this.m = m;
    this.k = k;
    this.isExact = isExact;
    this.floor = isExact ? floorOf(m, k) : this.round();
  }

  /** The sign of g at the root. */
  sign(g: Polynomial): -1 | 0 | 1 {
    if (g.length === 0) return 0;
    let isZeroPossible = true;
    for (;;) {
      if (this.isExact) return signAt(g, this.m, this.k);
      const local = bernstein(over(g, this.m, this.k));
      const first = signOf(local[0]!);
      let isClear = first !== 0;
      for (let i = 1; i < local.length && isClear; i++) isClear = signOf(local[i]!) === first;
      if (isClear) return first;
      if (isZeroPossible && this.isRootOf(g)) return 0;
      isZeroPossible = false;
      this.halve();
    }
  }

  private isRootOf(g: Polynomial): boolean {
    const common = gcd(this.p, g);
    return common.length > 1 && signAt(common, this.m, this.k) !== signAt(common, this.m + 1n, this.k);
  }

  private halve(): void {
    const low = signAt(this.p, this.m, this.k);
    this.m *= 2n;
    this.k++;
    const middle = signAt(this.p, this.m + 1n, this.k);
    this.isExact = middle === 0;
    if (middle === 0 || middle === low) this.m++;
  }

  /** The root rounded down. Narrows the interval to that between two doubles. */
  private round(): number {
    const { p, m, k } = this;
    const low = floorOf(m, k);
    const high = nextUp(floorOf(m + 1n, k));
    const sign = signAt(p, m, k);
    // Two doubles with the root between them: steps from the guess that double.
    let x = guess(over(p, m, k), low, scalb(1, -k));
    if (!(x > low)) x = low;
    if (!(x < high)) x = high;
    let below = low;
    let above = high;
    let step = nextUp(x) - x;
    const isBelow = this.isBelow(x, sign);
    if (isBelow) below = x;
    else above = x;
    for (;;) {
      const next = isBelow ? x + step : x - step;
      if (isBelow ? next >= above : next <= below) break;
      if (this.isBelow(next, sign)) below = next;
      else above = next;
      if ((below === next) !== isBelow) break;
      step *= 2;
    }
    for (;;) {
      const middle = below + (above - below) / 2;
      if (middle <= below || middle >= above) break;
      if (this.isBelow(middle, sign)) below = middle;
      else above = middle;
    }
    const unit = Math.min(1074, 52 - exponent(below || Number.MIN_VALUE));
    // The interval between two doubles lies inside of the old one, or the old one is the finer of the two.
    if (unit >= k) {
      this.k = unit;
      this.m = BigInt(scalb(below, unit));
      this.isExact = signAt(p, this.m, unit) === 0;
    }
    return below;
  }

  /** Is the root at x or above it? `sign` is that at the low end. */
  private isBelow(x: number, sign: number): boolean {
    const unit = Math.min(1074, 52 - exponent(x || Number.MIN_VALUE));
    const n = BigInt(scalb(x, unit));
    if (n << BigInt(this.k) <= this.m << BigInt(unit)) return true;
    if (n << BigInt(this.k) >= (this.m + 1n) << BigInt(unit)) return false;
    const s = signAt(this.p, n, unit);
    return s === 0 || s === sign;
  }
}

/** The largest double that is not above m / 2^k; m >= 0. */
function floorOf(m: bigint, k: number): number {
  const spare = Math.max(0, bitLength(m) - 56, k - 1074);
  let n = Number(m >> BigInt(spare));
  if (n >= 9007199254740992) {
    // Up to 56 digits are left, and Number() rounds to nearest.
    const rest = BigInt(n) > m >> BigInt(spare);
    if (rest) n = -nextUp(-n);
  }
  return scalb(n, spare - k);
}

const coefficients = new Float64Array(8);

/** About where in (0, 1) the local polynomial has its one root, as a double: low + root · width. */
function guess(local: readonly bigint[], low: number, width: number): number {
  approximate(local, coefficients);
  const n = local.length - 1;
  const sign = coefficients[0]! > 0;
  let a = 0;
  let b = 1;
  let t = 0;
  let value = coefficients[0]!;
  let slope = coefficients[1]!;
  for (let i = 0; i < 60; i++) {
    let next = t - value / slope;
    if (!(next > a && next < b)) next = a + (b - a) / 2;
    if (next === t) break;
    t = next;
    value = coefficients[n]!;
    slope = 0;
    for (let j = n - 1; j >= 0; j--) {
      slope = slope * t + value;
      value = value * t + coefficients[j]!;
    }
    if (value === 0) break;
    if (value > 0 === sign) a = t;
    else b = t;
  }
  return low + t * width;
}

/** The roots in [0, 1], smallest first (by their floor: two within a double stand in any order). f is not 0. */
export function realRoots(f: Polynomial): RealRoot[] {
  const roots: RealRoot[] = [];
  let p = f;
  if (p[0] === 0n) {
    roots.push(new RealRoot(p, 0n, 0, true));
    while (p[0] === 0n) p = p.slice(1);
  }
  if (signAt(p, 1n, 0) === 0) {
    roots.push(new RealRoot(p, 1n, 0, true));
    while (signAt(p, 1n, 0) === 0) p = divide(p, [-1n, 1n]);
  }
  if (p.length > 1 && signChanges(bernstein([...p])) > 1) p = withoutMultiple(p);
  while (p.length > 1) {
    const hit = isolate(p, roots);
    if (hit === null) break;
    // A halving met this root: the others are looked for without it.
    p = divide(p, [-hit.m, 1n << BigInt(hit.k)]);
    roots.push(hit);
  }
  return roots.sort((a, b) => a.floor - b.floor);
}

function withoutMultiple(p: Polynomial): Polynomial {
  const slope = polynomial(p.slice(1).map((x, i) => x * BigInt(i + 1)));
  const common = gcd(p, slope);
  return common.length > 1 ? divide(p, common) : p;
}

/** Appends the roots inside of (0, 1); or returns one that is m / 2^k, having appended nothing. */
function isolate(p: Polynomial, roots: RealRoot[]): RealRoot | null {
  const found: RealRoot[] = [];
  const stack: { readonly m: bigint; readonly k: number }[] = [{ m: 0n, k: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { m, k } = next;
    const changes = signChanges(bernstein(over(p, m, k)));
    if (changes === 1) found.push(new RealRoot(p, m, k, false));
    if (changes <= 1) continue;
    const middle = 2n * m + 1n;
    if (signAt(p, middle, k + 1) === 0) return new RealRoot(p, middle, k + 1, true);
    stack.push({ m: middle, k: k + 1 }, { m: 2n * m, k: k + 1 });
  }
  roots.push(...found);
  return null;
}
