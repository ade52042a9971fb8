/**
 * Sine, cosine, tangent and their inverses, the same bits in every engine: nothing but + - * / and square roots,
 * which IEEE 754 defines to the last bit. Within 1 ulp of the truth (the tests measure it), for every double however
 * large. Signed zeros, NaN and infinities come out as from `Math`.
 *
 * A pair (high, low) below stands for the sum of two doubles, low being what rounding to high has lost.
 */

import { productError } from './accurate.ts';
import { ANY_FINITE, mustBeCoordinate } from './check.ts';

/** π and π/2 are no doubles: what the nearest ones lack. */
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI = 0.5 * Math.PI;
const HALF_PI_LOW = 0.5 * PI_LOW;
const QUARTER_PI = 0.25 * Math.PI;
/** Below this, x³ is lost in the rounding of x: sin x = tan x = x. */
const TINY = 1 / 134217728; // 2⁻²⁷

/** The sine and the cosine of an angle. */
export interface SinCos {
  sin: number;
  cos: number;
}

export const makeSinCos = (): SinCos => ({ sin: 0, cos: 1 });

/** How numbers reach the larger functions below and come back: V8 boxes those that cross a call. */
const registers = new Float64Array(4);

export function sin(x: number): number {
  registers[0] = x;
  const quadrant = reduce(registers);
  if ((quadrant & 1) === 0) sinOfPair(registers);
  else cosOfPair(registers);
  return (quadrant & 2) === 0 ? registers[0]! : -registers[0]!;
}

export function cos(x: number): number {
  registers[0] = x;
  const quadrant = reduce(registers);
  if ((quadrant & 1) === 0) cosOfPair(registers);
  else sinOfPair(registers);
  return ((quadrant + 1) & 2) === 0 ? registers[0]! : -registers[0]!;
}

/** Both at once, for little more than the price of one; the same bits as `sin` and `cos`. */
export function sincos(x: number, out: SinCos = makeSinCos()): SinCos {
  registers[0] = x;
  return sincosOfRegister(registers, out);
}

/** @internal The same for the angle in `registers[0]`. */
export function sincosOfRegister(registers: Float64Array, out: SinCos): SinCos {
  const quadrant = reduce(registers);
  const r = registers[0]!;
  sinOfPair(registers);
  const s = registers[0]!;
  registers[0] = r;
  cosOfPair(registers);
  const c = registers[0]!;
  const odd = (quadrant & 1) !== 0;
  out.sin = (quadrant & 2) === 0 ? (odd ? c : s) : odd ? -c : -s;
  out.cos = ((quadrant + 1) & 2) === 0 ? (odd ? s : c) : odd ? -s : -c;
  return out;
}

export function tan(x: number): number {
  if (Math.abs(x) < TINY) return x;
  registers[0] = x;
  const quadrant = reduce(registers);
  const r = registers[0]!;
  // Sine over cosine, both as pairs: a quotient of rounded values would be off by up to two ulps.
  sinRest(registers);
  const sinTail = registers[2]!;
  const s = r + sinTail;
  const sLow = sinTail - (s - r);
  const z = r * r;
  const cosHead = 1 - 0.5 * z;
  cosRest(registers);
  const cosTail = registers[2]! - 0.5 * productError(r, r, z);
  const c = cosHead + cosTail;
  const cLow = cosTail - (c - cosHead);
  return (quadrant & 1) === 0 ? quotient(s, sLow, c, cLow) : -quotient(c, cLow, s, sLow);
}

/** Replaces the pair (r, low), with r within π/4 of zero, by its sine. */
function sinOfPair(registers: Float64Array): void {
  const r = registers[0]!;
  if (Math.abs(r) < TINY) return; // keeps the sign of zero, too
  sinRest(registers);
  registers[0] = r + registers[2]!;
}

/** The same for the cosine. */
function cosOfPair(registers: Float64Array): void {
  const r = registers[0]!;
  cosRest(registers);
  registers[0] = 1 - 0.5 * (r * r) + registers[2]!;
}

/** Writes sin(r + low) - r to register 2, by Taylor's series. The first term left out is below 2⁻⁶³ r. */
function sinRest(registers: Float64Array): void {
  const r = registers[0]!;
  const z = r * r;
  const z2 = z * z;
  const p =
    -1 / 6 +
    z * (1 / 120) +
    z2 *
      (-1 / 5040 +
        z * (1 / 362880) +
        z2 * (-1 / 39916800 + z * (1 / 6227020800) + z2 * (-1 / 1307674368000 + z * (1 / 355687428096000))));
  registers[2] = r * z * p + registers[1]! * (1 - 0.5 * z);
}

/** Writes cos(r + low) - h, where h is 1 - r²/2 rounded, to register 2. The first term left out is below 2⁻⁵⁸. */
function cosRest(registers: Float64Array): void {
  const r = registers[0]!;
  const z = r * r;
  const z2 = z * z;
  const p =
    1 / 24 +
    z * (-1 / 720) +
    z2 *
      (1 / 40320 +
        z * (-1 / 3628800) +
        z2 * (1 / 479001600 + z * (-1 / 87178291200) + z2 * (1 / 20922789888000)));
  const head = 1 - 0.5 * z;
  registers[2] = 1 - head - 0.5 * z + (z2 * p - r * registers[1]!);
}

/** (n + nLow) / (d + dLow). */
function quotient(n: number, nLow: number, d: number, dLow: number): number {
  const q = n / d;
  const product = q * d;
  return q + (n - product - productError(q, d, product) + nLow - q * dLow) / d;
}

// ---- Bringing an angle within π/4 of zero -----------------------------------------------------------------------

const TWO_OVER_PI = 2 / Math.PI;
/** Adding and subtracting it rounds to an integer. */
const ROUNDER = 6755399441055744; // 1.5 · 2⁵²
/** π/2 in three parts; the first two have 33 bits, so that their products with integers up to 2²⁰ are exact. */
const HALF_PI_1 = 6746518852 / 4294967296;
const HALF_PI_2 = 4484108710 / 4294967296 / 17179869184;
const HALF_PI_3 = 2.0222662487959506e-21;

/**
 * Replaces the angle x in `registers[0]` by the pair x - n π/2, at most about π/4 in size, and returns n modulo 4. Cody
 * and Waite's method for moderate angles: its error, 2⁻⁹⁸ at most, matters only for x very near a multiple of π/2, which
 * takes the slow path, as large x does.
 */
function reduce(registers: Float64Array): number {
  const x = registers[0]!;
  if (Math.abs(x) <= QUARTER_PI) {
    registers[1] = 0;
    return 0;
  }
  if (Math.abs(x) < 1.6e6) {
    const n = x * TWO_OVER_PI + ROUNDER - ROUNDER;
    const a = x - n * HALF_PI_1; // exact: the two are close
    const b = n * HALF_PI_2; // exact
    const high = a - b;
    if (Math.abs(high) > 1e-9) {
      const bVirtual = a - high;
      const low = a - (high + bVirtual) + (bVirtual - b) - n * HALF_PI_3;
      const r = high + low;
      registers[0] = r;
      registers[1] = low - (r - high);
      return n & 3;
    }
  }
  return reduceExactly(registers);
}

/** 2/π in base 2²⁴: enough digits for the largest double. */
// biome-ignore format: a table
const DIGITS = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
  0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
  0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
  0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
  0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b,
];
const BASE = 16777216; // 2²⁴
const digits = new Float64Array(8);

/**
 * The same for any x, after Payne and Hanek: multiplies x by 2/π digit by digit, from the digit that still counts
 * modulo 4 down to 2⁻¹⁶⁸. The products of digits, and the sums of three of them, are integers below 2⁵³.
 *
 * No double comes nearer than 2⁻⁶² to a multiple of π/2 (but 0), so about 80 good bits remain.
 */
function reduceExactly(registers: Float64Array): number {
  const x = registers[0]!;
  if (!(Math.abs(x) < Infinity)) {
    registers[0] = registers[1] = Number.NaN;
    return 0;
  }
  // |x| = m 2²⁴ᵖ with an integer m of at most 76 bits, in three digits.
  let m = Math.abs(x);
  let p = 0;
  for (; m >= 16 * BASE * BASE * BASE; p++) m /= BASE;
  for (; m < 16 * BASE * BASE; p--) m *= BASE;
  const m2 = Math.floor(m / BASE / BASE);
  m -= m2 * BASE * BASE;
  const m1 = Math.floor(m / BASE);
  const m0 = m - m1 * BASE;
  // Column k of the product has the weight 2⁻²⁴ᵏ.
  for (let k = 0; k < 8; k++) {
    const i = p + k - 1;
    digits[k] = m0 * digit(i) + m1 * digit(i + 1) + m2 * digit(i + 2);
  }
  for (let k = 7; k > 0; k--) {
    const carry = Math.floor(digits[k]! / BASE);
    digits[k] = digits[k]! - carry * BASE;
    digits[k - 1] = digits[k - 1]! + carry;
  }
  let n = digits[0]! % 4;
  let first = digits[1]!;
  if (first >= 0.5 * BASE) {
    n++;
    first -= BASE;
  }
  // Pairs of digits fit into a double; each pair is smaller than the last place of the one before.
  const a = (first + digits[2]! / BASE) / BASE;
  const b = (digits[3]! + digits[4]! / BASE) / (BASE * BASE * BASE);
  const c = (digits[5]! + digits[6]! / BASE) / (BASE * BASE * BASE * BASE * BASE);
  const ab = a + b;
  const rest = b - (ab - a) + c;
  const f = ab + rest;
  const fLow = rest - (f - ab);
  // Times π/2.
  const product = f * HALF_PI;
  const low = productError(f, HALF_PI, product) + (f * HALF_PI_LOW + fLow * HALF_PI);
  const r = product + low;
  const rLow = low - (r - product);
  registers[0] = x < 0 ? -r : r;
  registers[1] = x < 0 ? -rLow : rLow;
  return (x < 0 ? -n : n) & 3;
}

const digit = (i: number): number => (i < 0 ? 0 : DIGITS[i]!);

// ---- Inverses ---------------------------------------------------------------------------------------------------

/** atan(k / 8), and what the doubles lack. */
// biome-ignore format: a table
const ATAN = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061,
  0.5585993153435624, 0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];
// biome-ignore format: a table
const ATAN_LOW = [
  0, -3.1253241424539383e-18, 1.0698755618734451e-17, -2.4623815582638635e-17, 2.2698777452961687e-17,
  -5.4556305485916264e-18, 1.5834785051444286e-17, -2.1478388444456983e-17, 3.061616997868383e-17,
];

export const atan = (x: number): number => atan2(x, 1);

/** The angle from the x axis to (x, y), in [-π, π]. */
export function atan2(y: number, x: number): number {
  registers[0] = y;
  registers[1] = 0;
  registers[2] = x;
  registers[3] = 0;
  angleOfRegisters(registers);
  return registers[0]!;
}

/** NaN outside [-1, 1]. */
export function asin(x: number): number {
  leg(x, 2);
  registers[0] = x;
  registers[1] = 0;
  angleOfRegisters(registers);
  return registers[0]!;
}

/** NaN outside [-1, 1]. */
export function acos(x: number): number {
  leg(x, 0);
  registers[2] = x;
  registers[3] = 0;
  angleOfRegisters(registers);
  return registers[0]!;
}

/** Writes √(1 - x²) as a pair to the registers. */
function leg(x: number, at: number): void {
  const square = x * x;
  const d = 1 - square;
  const dLow = 1 - d - square - productError(x, x, square);
  const s = Math.sqrt(d);
  const sSquare = s * s;
  registers[at] = s;
  registers[at + 1] = s > 0 ? (d - sSquare - productError(s, s, sSquare) + dLow) / (2 * s) : 0;
}

const TWO_96 = BASE * BASE * BASE * BASE;
const FAR = TWO_96 * TWO_96 * TWO_96 * TWO_96; // 2³⁸⁴

/**
 * @internal atan2 of the pairs (y, yLow, x, xLow) in the registers, to the first. With t = small / large of |x|, |y| and
 * c the multiple of 1/8 nearest t, the addition theorem leaves atan t = atan c + atan q with
 * q = (small - c large) / (large + c small) within 1/16 of zero.
 */
export function angleOfRegisters(registers: Float64Array): void {
  const y = registers[0]!;
  const x = registers[2]!;
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const steep = ay > ax;
  const left = x < 0 || (x === 0 && 1 / x < 0);
  const down = y < 0 || (y === 0 && 1 / y < 0);
  const xLow = left ? -registers[3]! : registers[3]!;
  const yLow = down ? -registers[1]! : registers[1]!;
  let large = steep ? ay : ax;
  let small = steep ? ax : ay;
  let largeLow = steep ? yLow : xLow;
  let smallLow = steep ? xLow : yLow;

  if (!(large > 0 && large < Infinity)) {
    if (Number.isNaN(x + y) && !(ax === ay)) {
      registers[0] = Number.NaN;
      return;
    }
    // Both zero counts as (±1, 0); two infinities as a diagonal.
    small = small === Infinity ? 1 : 0;
    large = 1;
    largeLow = smallLow = 0;
  } else if (!steep && !left && small < large * TINY) {
    registers[0] = down ? -small / large : small / large;
    return;
  } else if (!(large < 1e150 && large > 1e-150)) {
    const s = large > 1 ? 1 / FAR : FAR; // so that the pairs neither overflow nor vanish
    large *= s;
    small *= s;
  }

  // c large is exact in two parts, and so is the difference: the two are close.
  const k = Math.round((8 * small) / large);
  const c = k / 8;
  const split = 134217729 * large; // 2²⁷ + 1
  const upper = split - (split - large);
  const n1 = small - c * upper;
  const n2 = c * (large - upper);
  const n = n1 - n2;
  const nLow = n1 - n - n2 + smallLow - c * largeLow;
  const cs = c * small;
  const d = large + cs;
  const dLow = cs - (d - large) + largeLow;
  const q = n / d;
  const product = q * d;
  const qLow = (n - product - productError(q, d, product) + nLow - q * dLow) / d;
  const z = q * q;
  const tail = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13))))));
  const rest = ATAN_LOW[k]! + qLow + q * tail;

  // The quarter of the plane: ±atan t from the nearest axis.
  const axis = steep ? HALF_PI : left ? Math.PI : 0;
  const axisLow = steep ? HALF_PI_LOW : left ? PI_LOW : 0;
  const sign = steep === left ? 1 : -1;
  const offset = sign * ATAN[k]!;
  const high = axis + offset;
  const low = offset - (high - axis) + axisLow;
  const result = high + (sign * q + (low + sign * rest));
  registers[0] = down ? -result : result;
}

/** 1 - cos x, as 2 sin²(x / 2): accurate for small x, where the cosine rounds to 1. */
export function oneMinusCos(x: number): number {
  mustBeCoordinate('oneMinusCos', 'x', x, ANY_FINITE);
  const s = sin(0.5 * x);
  return 2 * s * s;
}
