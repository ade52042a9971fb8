/** How Node runs tests/allocation.ts. */
export const ALLOCATION_FLAGS = [
  '--expose-gc',
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  // Compiled when due, not when another thread gets round to it: the counts are the same every time.
  '--no-concurrent-recompilation',
];
