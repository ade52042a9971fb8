import { identityOrder } from './ranges.ts';

/**
 * The numbers 0 … count - 1 in an order that the seed decides, the same everywhere: Fisher and Yates, on Marsaglia's
 * xorshift32 (2003).
 *
 * @internal
 */
export function shuffledIndices(count: number, seed: number): Uint32Array {
  const order = identityOrder(count);
  let state = Math.imul(seed, 0x9e3779b1) | 0 || 1; // zero would stay zero; neighbouring seeds should differ soon
  for (let i = count - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const j = Math.floor(((state >>> 0) / 4294967296) * (i + 1));
    const held = order[i]!;
    order[i] = order[j]!;
    order[j] = held;
  }
  return order;
}
