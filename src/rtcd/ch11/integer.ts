/**
 * Integer arithmetic that is exact or says so. RTCD §11.5.1.
 *
 * How many bits a result needs, for operands of n bits and a sign: a sum n + 1, a product 2n, a 3D dot product 2n + 2.
 * A double holds the integers to ±2^53. So products of 26-bit integers are exact in plain JavaScript, and so are dot
 * products of 25-bit ones and `orient2d` of 25-bit coordinates. To stay within: reject by bounding boxes first (which
 * only compares), then work on differences to a nearby point.
 *
 * For worlds on an integer grid. Production works in doubles; where it needs more it uses `math/exact-determinant.ts`.
 */
import { describe, mustBeNumber, mustHave } from '../../math/check.ts';
import { makeWord64, type Word64 } from '../../math/float.ts';

const INT32_MIN = -2147483648;
const INT32_MAX = 2147483647;
const TWO_32 = 4294967296;

/** a + b, or null when it does not fit 32 bits. */
export const addInt32 = (a: number, b: number): number | null => {
  mustBeNumber('addInt32', 'a', a);
  mustBeNumber('addInt32', 'b', b);
  return fit32(mustBeInt32('addInt32', 'a', a) + mustBeInt32('addInt32', 'b', b));
};

/** a - b, or null when it does not fit 32 bits. */
export const subInt32 = (a: number, b: number): number | null => {
  mustBeNumber('subInt32', 'a', a);
  mustBeNumber('subInt32', 'b', b);
  return fit32(mustBeInt32('subInt32', 'a', a) - mustBeInt32('subInt32', 'b', b));
};

/** a b, or null when it does not fit 32 bits. */
export const mulInt32 = (a: number, b: number): number | null =>
  // The double may be rounded (62 bits), but never back into range.
  {
    mustBeNumber('mulInt32', 'a', a);
    mustBeNumber('mulInt32', 'b', b);
    return fit32(mustBeInt32('mulInt32', 'a', a) * mustBeInt32('mulInt32', 'b', b));
  };

/** a + b, or null when it is not a safe integer. */
export const addInt53 = (a: number, b: number): number | null => {
  mustBeNumber('addInt53', 'a', a);
  mustBeNumber('addInt53', 'b', b);
  return fit53(mustBeInt53('addInt53', 'a', a) + mustBeInt53('addInt53', 'b', b));
};

/** a - b, or null when it is not a safe integer. */
export const subInt53 = (a: number, b: number): number | null => {
  mustBeNumber('subInt53', 'a', a);
  mustBeNumber('subInt53', 'b', b);
  return fit53(mustBeInt53('subInt53', 'a', a) - mustBeInt53('subInt53', 'b', b));
};

/** a b, or null when it is not a safe integer. */
export const mulInt53 = (a: number, b: number): number | null => {
  mustBeNumber('mulInt53', 'a', a);
  mustBeNumber('mulInt53', 'b', b);
  return fit53(mustBeInt53('mulInt53', 'a', a) * mustBeInt53('mulInt53', 'b', b));
};

/** a + b modulo 2^64, for unsigned words and for signed ones in two's complement alike. */
export function add64(a: Readonly<Word64>, b: Readonly<Word64>, out: Word64 = makeWord64()): Word64 {
  mustBeWord64('add64', 'a', a);
  mustBeWord64('add64', 'b', b);
  const low = a.low + b.low;
  out.high = (a.high + b.high + (low >= TWO_32 ? 1 : 0)) >>> 0;
  out.low = low >>> 0;
  return out;
}

/** The 64-bit product of two unsigned 32-bit integers. */
export function mulUint32(a: number, b: number, out: Word64 = makeWord64()): Word64 {
  mustBeUint32('mulUint32', 'a', a);
  mustBeUint32('mulUint32', 'b', b);
  return wideProduct(a, b, out);
}

/** The 64-bit product of two signed 32-bit integers, in two's complement. */
export function mulInt32Wide(a: number, b: number, out: Word64 = makeWord64()): Word64 {
  mustBeInt32('mulInt32Wide', 'a', a);
  mustBeInt32('mulInt32Wide', 'b', b);
  wideProduct(a >>> 0, b >>> 0, out);
  // A negative factor was read as 2^32 too much: take the other one, times 2^32, off again.
  out.high = (out.high - (a < 0 ? b : 0) - (b < 0 ? a : 0)) >>> 0;
  return out;
}

/** Halves of 16 bits: the cross products have 33 bits in all and the doubles hold them with room to spare. */
function wideProduct(a: number, b: number, out: Word64): Word64 {
  const ah = a >>> 16;
  const al = a & 0xffff;
  const bh = b >>> 16;
  const bl = b & 0xffff;
  const middle = ah * bl + al * bh;
  const low = al * bl + (middle % 65536) * 65536;
  out.high = ah * bh + Math.floor(middle / 65536) + (low >= TWO_32 ? 1 : 0);
  out.low = low >>> 0;
  return out;
}

const fit32 = (x: number): number | null => (x >= INT32_MIN && x <= INT32_MAX ? x + 0 : null);
/** A sum or product of safe integers that rounds into the safe range was not rounded. */
const fit53 = (x: number): number | null => (Number.isSafeInteger(x) ? x + 0 : null);

function mustBeInt32(caller: string, name: string, x: number): number {
  if (typeof x !== 'number' || (x | 0) !== x) throw notAn('a 32-bit integer', caller, name, x);
  return x;
}

function mustBeUint32(caller: string, name: string, x: number): void {
  if (typeof x !== 'number' || x >>> 0 !== x) throw notAn('an unsigned 32-bit integer', caller, name, x);
}

function mustBeWord64(caller: string, name: string, word: Readonly<Word64>): void {
  mustHave(caller, name, word, 'a word {high, low}', 'high');
  mustBeUint32(caller, `${name}.high`, word.high);
  mustBeUint32(caller, `${name}.low`, word.low);
}

/** @internal */
export function mustBeInt53(caller: string, name: string, x: number): number {
  if (!Number.isSafeInteger(x)) throw notAn('a safe integer', caller, name, x);
  return x;
}

const notAn = (kind: string, caller: string, name: string, x: number): RangeError =>
  new RangeError(`graze: ${caller}: ${name} must be ${kind}, got ${describe(x)}`);
