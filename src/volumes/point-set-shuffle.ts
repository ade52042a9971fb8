/** Seeded shuffling: the same seed gives the same order everywhere. */

/**
 * Brings flat points into a random order, in place. Returns the seed for the next shuffle. Fisher and Yates, on
 * Marsaglia's xorshift32 (2003).
 *
 * @internal
 */
export function shufflePoints(coordinates: Float64Array, seed: number): number {
  let state = seed | 0 || 1; // zero would stay zero
  for (let i = coordinates.length / 3 - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    swapPoints(coordinates, i, Math.floor(((state >>> 0) / 4294967296) * (i + 1)));
  }
  return state;
}

function swapPoints(coordinates: Float64Array, i: number, j: number): void {
  for (let k = 0; k < 3; k++) {
    const held = coordinates[3 * i + k]!;
    coordinates[3 * i + k] = coordinates[3 * j + k]!;
    coordinates[3 * j + k] = held;
  }
}
