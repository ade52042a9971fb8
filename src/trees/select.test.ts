import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { identityOrder } from './ranges.ts';
import { halve } from './select.ts';

property('[R6.2.1.3] halves hold what sorting puts there, ties by number', 10_000, (rng) => {
  const count = rng.int(1, 40);
  const some = rng.pick([1, 2, 5, 1e9]);
  const keys = Float64Array.from({ length: count }, () => rng.int(0, some));
  const order = Uint32Array.from(rng.shuffle([...identityOrder(count)]));
  const begin = rng.int(0, count - 1);
  const end = rng.int(begin + 1, count);
  const wanted = [...order.slice(begin, end)].sort((i, j) => keys[i]! - keys[j]! || i - j);
  const before = order.slice();
  const middle = halve(order, keys, begin, end);
  check(middle === begin + ((end - begin) >> 1), 'not in the middle');
  const sorted = (part: ArrayLike<number>): string =>
    Array.from(part)
      .sort((a, b) => a - b)
      .join();
  check(sorted(order.slice(begin, middle)) === sorted(wanted.slice(0, middle - begin)), 'the lower half');
  check(sorted(order.slice(middle, end)) === sorted(wanted.slice(middle - begin)), 'the upper half');
  check(order[middle] === wanted[middle - begin], 'the median itself');
  for (let i = 0; i < count; i++) if (i < begin || i >= end) check(order[i] === before[i], 'outside');
});

test('[R6.2.1.3] a million keys in order, in reverse and all the same do not take for ever', () => {
  const n = 1_000_000;
  for (const key of [(i: number) => i, (i: number) => -i, () => 0, (i: number) => Math.min(i, n - i)]) {
    const keys = new Float64Array(n).map((_, i) => key(i));
    const order = identityOrder(n);
    const middle = halve(order, keys, 0, n);
    const highest = order.subarray(0, middle).reduce((most, i) => Math.max(most, keys[i]!), -Infinity);
    const lowest = order.subarray(middle).reduce((least, i) => Math.min(least, keys[i]!), Infinity);
    expect(highest).toBeLessThanOrEqual(lowest);
  }
});
