/**
 * A bit for every two of n things: was this pair looked at already? RTCD §7.7.1.
 *
 * For a few thousand things at most: n things take n²/16 bytes. Production finds each pair once by construction: a grid tests
 * a pair in one of the cells that it shares, a tree tests each two of its nodes once.
 */
import { mustBeWhole, refuse } from '../../math/check.ts';

/** 2^32 bits in words of 32: what a typed array surely holds. */
const MOST_WORDS = 0x8000000;

/**
 * The place of pair (a, b) among those of n things, a and b from 0 on, in either order. Pairs of 0 come first, then those of 1
 * with greater ones, and so on. Exact up to 2^26 things.
 */
export function pairIndex(a: number, b: number, n: number): number {
  mustBeWhole('pairIndex', 'n', n, 2, 0x4000000);
  mustBeWhole('pairIndex', 'a', a, 0, n - 1);
  mustBeWhole('pairIndex', 'b', b, 0, n - 1);
  if (a === b) refuse('pairIndex', 'b', `must not be a, got ${b}`);
  return a < b ? indexOf(a, b, n) : indexOf(b, a, n);
}

/** The product is below 2^53, and even: a and 2n - a - 3 are not both odd. No shift: it may have more than 32 bits. */
const indexOf = (a: number, b: number, n: number): number => (a * (2 * n - a - 3)) / 2 + b - 1;

/** A set of pairs of n things. */
export class PairBits {
  private readonly n: number;
  private readonly words: Int32Array;

  constructor(n: number) {
    mustBeWhole('PairBits', 'n', n, 0, 0x4000000);
    const words = Math.ceil((n * (n - 1)) / 2 / 32);
    if (words > MOST_WORDS) refuse('PairBits', 'n', `is too large for a bit a pair, got ${n}`);
    this.n = n;
    this.words = new Int32Array(words);
  }

  has(a: number, b: number): boolean {
    const index = pairIndex(a, b, this.n);
    return (this.words[Math.floor(index / 32)]! & (1 << (index % 32))) !== 0;
  }

  /** Adds a pair. Was it not there before? */
  add(a: number, b: number): boolean {
    const index = pairIndex(a, b, this.n);
    const word = Math.floor(index / 32);
    const bit = 1 << (index % 32);
    const isNew = (this.words[word]! & bit) === 0;
    this.words[word]! |= bit;
    return isNew;
  }

  /** Takes a pair out. Was it there? */
  delete(a: number, b: number): boolean {
    const index = pairIndex(a, b, this.n);
    const word = Math.floor(index / 32);
    const bit = 1 << (index % 32);
    const was = (this.words[word]! & bit) !== 0;
    this.words[word]! &= ~bit;
    return was;
  }

  clear(): void {
    this.words.fill(0);
  }
}
