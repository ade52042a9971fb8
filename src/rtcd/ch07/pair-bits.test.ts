import { expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { PairBits, pairIndex } from './pair-bits.ts';

test('[R7.7.1] every pair has a place of its own, from 0 on, without gaps', () => {
  for (const n of [2, 3, 17, 1000]) {
    let next = 0;
    for (let a = 0; a < n; a++)
      for (let b = a + 1; b < n; b++) {
        if (pairIndex(a, b, n) !== next || pairIndex(b, a, n) !== next) throw new Error(`${a}, ${b} of ${n}`);
        next++;
      }
    expect(next).toBe((n * (n - 1)) / 2);
  }
});

property('[R7.7.1] more than 65,536 things: nothing is cut off at 32 bits', 3000, (rng) => {
  const n = rng.pick([65_536, 65_537, 100_000, 1_000_000, 2 ** 26]);
  const a = rng.pick([rng.int(0, n - 2), n - 2]);
  const b = rng.int(a + 1, n - 1);
  const [A, B, N] = [BigInt(a), BigInt(b), BigInt(n)];
  check(BigInt(pairIndex(a, b, n)) === (A * (2n * N - A - 3n)) / 2n + B - 1n, `${a}, ${b} of ${n}`);
});

property('[R7.7.1] PairBits: as a set of pairs', 40, (rng) => {
  const n = rng.pick([2, 3, 9, 33, 100]);
  const bits = new PairBits(n);
  const set = new Set<string>();
  for (let step = 0; step < 500; step++) {
    const a = rng.int(0, n - 1);
    const b = rng.int(0, n - 1);
    if (a === b) continue;
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    check(bits.has(a, b) === set.has(key), 'has');
    if (rng.chance(0.5)) check(bits.add(a, b) === !set.has(key) && Boolean(set.add(key)), 'add');
    else check(bits.delete(a, b) === set.delete(key), 'delete');
    if (rng.chance(0.01)) {
      bits.clear();
      set.clear();
    }
  }
});

test('PairBits refuses what cannot be meant', () => {
  expect(() => pairIndex(1, 1, 4)).toThrow(/b must not be a/);
  expect(() => pairIndex(1, 4, 4)).toThrow(/pairIndex: b/);
  expect(() => pairIndex(0.5, 1, 4)).toThrow(/pairIndex: a/);
  expect(() => new PairBits(1_000_000)).toThrow(/too large for a bit a pair/);
  expect(() => new PairBits(-1)).toThrow(/PairBits: n/);
});
