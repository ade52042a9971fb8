import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { itemCorpus } from '../../tests/kit/tree-corpus.ts';
import { pointItems } from './items.ts';
import { mortonTopology } from './morton.ts';

/** The code as one number of 60 bits, bit by bit. */
function codeOf(p: readonly number[], low: readonly number[], extent: number): bigint {
  let code = 0n;
  const cells = p.map((x, k) =>
    BigInt(Math.min(2 ** 20 - 1, Math.floor(((x - low[k]!) / extent) * 2 ** 20))),
  );
  for (let bit = 19n; bit >= 0n; bit--)
    for (const k of [2, 1, 0]) code = (code << 1n) | ((cells[k]! >> bit) & 1n);
  return code;
}

property(
  '[R6.1.1] items stand in the order of their codes, equals by number, and are cut at the highest bit that differs',
  500,
  (rng) => {
    const size = rng.pick([1, 1e-5]);
    const near = rng.vec(1);
    const points = Array.from({ length: rng.int(2, 40) }, () => {
      const p = rng.chance(0.3) ? near : rng.vec(size);
      return [p.x, p.y, p.z];
    });
    const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]!)));
    const extent = Math.max(...[0, 1, 2].map((k) => Math.max(...points.map((p) => p[k]!)) - low[k]!));
    if (extent === 0) return;
    const codes = points.map((p) => codeOf(p, low, extent));
    const { items, skip, first } = mortonTopology(pointItems(points.flat()), { leafSize: 1 });
    for (let i = 1; i < items.length; i++) {
      const [a, b] = [items[i - 1]!, items[i]!];
      check(codes[a]! < codes[b]! || (codes[a] === codes[b] && a < b), 'out of order');
    }
    for (let node = 0; node < skip.length; node++) {
      if (skip[node] === node + 1) continue;
      const cut = first[skip[node + 1]!]!;
      const [a, b] = [codes[items[first[node]!]!]!, codes[items[first[skip[node]!]! - 1]!]!];
      if (a === b) continue;
      // The codes on the two sides of the cut differ in the same highest bit as the ends do.
      const bits = (x: bigint): number => x.toString(2).length;
      check(bits(codes[items[cut - 1]!]! ^ codes[items[cut]!]!) === bits(a ^ b), 'cut elsewhere');
    }
  },
);

test('[R6.1.1] leaves are as large as they may be', () => {
  for (const { items } of itemCorpus()) {
    const { skip, first } = mortonTopology(items, { leafSize: 3 });
    skip.forEach((end, node) => {
      if (end === node + 1) expect(first[end]! - first[node]!).toBeLessThanOrEqual(3);
      else expect(first[end]! - first[node]!).toBeGreaterThan(3);
    });
  }
});
