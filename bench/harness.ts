/**
 * Runs contenders in turns, so that a noisy machine hits all of them alike, and speaks in ratios. One subject a
 * process, because type feedback leaks between subjects.
 */
import { Rng } from '../tests/kit/rng.ts';

interface Named {
  readonly name: string;
  /** Before every round, outside of the time. */
  readonly before?: () => void;
  /** How many of the calls it gets wrong, by an oracle. */
  readonly wrong?: () => number;
}

export interface Contender extends Named {
  /** Does all calls once and returns something made from the results, so that nothing is optimised away. */
  readonly run: () => number;
}

/** One that has others work for it. */
export interface SlowContender extends Named {
  readonly run: () => Promise<number> | number;
}

export interface Subject<C extends Named = Contender> {
  readonly title: string;
  /** The mesh that it is about, if any. */
  readonly mesh?: string;
  /** Calls in one `run`. */
  readonly calls: number;
  /** How many of them the oracle looks at; Default: all. */
  readonly judged?: number;
  /** Many short rounds, unless one takes long: few of them are disturbed by whatever else the machine does. */
  readonly rounds?: number;
  /** For how many milliseconds each runs before the first round. Default: 400. */
  readonly warmUp?: number;
  /** Passes over the input in a round, the same for all: caches and branch predictors are as warm for each. */
  readonly passes?: number;
  /** Ours first. */
  readonly contenders: readonly C[];
}

export interface Row {
  readonly subject: string;
  readonly mesh?: string;
  readonly contender: string;
  readonly nanoseconds: number;
  /** Instead of time: the memory that it takes, a triangle. */
  readonly bytes?: number;
  /** Its time (or memory) over ours: above 1, we are faster. */
  readonly ratio: number;
  readonly wrong: number | null;
  /** How many answers were looked at. */
  readonly calls: number;
}

const ROUNDS = 201;
const PASSES = 10;
const WARM_UP = 400;

/**
 * Milliseconds. GRAZE_CLOCK=cpu: those that this process had of the processors, for a machine with much else to do; its
 * garbage collection and compilation count as well, wherever they run.
 */
const now: () => number =
  process.env['GRAZE_CLOCK'] === 'cpu'
    ? () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      }
    : () => performance.now();

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
export const race = (subject: Subject): void => report(measure(subject));

export const report = (rows: readonly Row[]): void => console.log(JSON.stringify(rows));

export function measure(subject: Subject): Row[] {
  const { calls, contenders, rounds = ROUNDS, passes = PASSES, warmUp = WARM_UP } = subject;
  globalThis.gc?.(); // everybody's input is laid out in the order in which it was made
  for (const { before, run } of contenders) {
    const end = now() + warmUp;
    do {
      before?.();
      sink += run();
    } while (now() < end);
  }
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (let k = 0; k < contenders.length; k++) {
      const i = (k + round) % contenders.length;
      contenders[i]!.before?.();
      const start = now();
      for (let pass = 0; pass < passes; pass++) sink += contenders[i]!.run();
      times[i]!.push(((now() - start) * 1e6) / (calls * passes));
    }
  return rowsOf(subject, times);
}

/** The same for contenders that are waited for. */
export async function measureSlow(subject: Subject<SlowContender>): Promise<Row[]> {
  const { calls, contenders, rounds = ROUNDS, passes = PASSES } = subject;
  globalThis.gc?.();
  for (const { run } of contenders)
    for (const end = performance.now() + WARM_UP; performance.now() < end; ) sink += await run();
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (let k = 0; k < contenders.length; k++) {
      const i = (k + round) % contenders.length;
      const start = performance.now();
      for (let pass = 0; pass < passes; pass++) sink += await contenders[i]!.run();
      times[i]!.push(((performance.now() - start) * 1e6) / (calls * passes));
    }
  return rowsOf(subject, times);
}

function rowsOf(
  { title, mesh, calls, judged = calls, contenders }: Subject<Named>,
  times: readonly number[][],
): Row[] {
  // The best round of each is the one that nothing else on the machine disturbed.
  const best = times.map((rounds) => Math.min(...rounds));
  return contenders.map(({ name, wrong }, i) => ({
    subject: title,
    ...(mesh !== undefined && { mesh }),
    contender: name,
    nanoseconds: best[i]!,
    ratio: best[i]! / best[0]!,
    wrong: wrong ? wrong() : null,
    calls: judged,
  }));
}
