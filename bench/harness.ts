/**
 * Runs contenders in turns, so that a noisy machine hits all of them alike, and speaks in ratios. One subject a
 * process, because type feedback leaks between subjects.
 */
import { Rng } from '../tests/kit/rng.ts';

export interface Contender {
  readonly name: string;
  /** Does all calls once and returns something made from the results, so that nothing is optimised away. */
  readonly run: () => number;
  /** How many of the calls it gets wrong, by an oracle. */
  readonly wrong?: () => number;
}

export interface Subject {
  readonly title: string;
  /** Calls in one `run`. */
  readonly calls: number;
  /** Ours first. */
  readonly contenders: readonly Contender[];
}

export interface Row {
  readonly subject: string;
  readonly contender: string;
  readonly nanoseconds: number;
  /** Its time over ours: above 1, we are faster. */
  readonly ratio: number;
  readonly wrong: number | null;
  readonly calls: number;
}

/** Many short rounds: few of them are disturbed by whatever else the machine does. */
const ROUNDS = 201;
/** Passes over the input in a round, the same for all: caches and branch predictors are as warm for each. */
const PASSES = 10;

export const rng = new Rng(20_05);

export let sink = 0;

/**
 * Computes once, when first asked. Exact answers leave a lot of garbage behind, and a collection scatters whatever input
 * was made before: they wait until the race is over.
 */
export function lazily<T>(compute: () => T): () => T {
  let value: { computed: T } | undefined;
  return () => {
    value ??= { computed: compute() };
    return value.computed;
  };
}

/** Measures, and prints the rows as JSON for scripts/bench.mjs. */
export function race({ title, calls, contenders }: Subject): void {
  globalThis.gc?.(); // everybody's input is laid out in the order in which it was made
  for (const contender of contenders)
    for (const end = performance.now() + 400; performance.now() < end; ) sink += contender.run(); // warm up
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (let k = 0; k < contenders.length; k++) {
      const i = (k + round) % contenders.length;
      const start = performance.now();
      for (let pass = 0; pass < PASSES; pass++) sink += contenders[i]!.run();
      times[i]!.push(((performance.now() - start) * 1e6) / (calls * PASSES));
    }
  // The best round of each is the one that nothing else on the machine disturbed.
  const best = times.map((rounds) => Math.min(...rounds));
  const rows: Row[] = contenders.map(({ name, wrong }, i) => ({
    subject: title,
    contender: name,
    nanoseconds: best[i]!,
    ratio: best[i]! / best[0]!,
    wrong: wrong ? wrong() : null,
    calls,
  }));
  console.log(JSON.stringify(rows));
}
