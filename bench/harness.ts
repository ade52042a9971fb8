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
  /** Its time over ours, median over the rounds: above 1, we are faster. */
  readonly ratio: number;
  readonly wrong: number | null;
  readonly calls: number;
}

const ROUNDS = 25;
const ROUND_MS = 40;

export const rng = new Rng(20_05);

export let sink = 0;

/** Measures, and prints the rows as JSON for scripts/bench.mjs. */
export function race({ title, calls, contenders }: Subject): void {
  const repeats = contenders.map((contender) => {
    for (let end = performance.now() + 400; performance.now() < end; ) sink += contender.run(); // warm up
    const start = performance.now();
    sink += contender.run();
    return Math.max(1, Math.ceil(ROUND_MS / Math.max(0.01, performance.now() - start)));
  });
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (let k = 0; k < contenders.length; k++) {
      const i = (k + round) % contenders.length;
      const start = performance.now();
      for (let r = 0; r < repeats[i]!; r++) sink += contenders[i]!.run();
      times[i]!.push(((performance.now() - start) * 1e6) / (calls * repeats[i]!));
    }
  const rows: Row[] = contenders.map(({ name, wrong }, i) => ({
    subject: title,
    contender: name,
    nanoseconds: median(times[i]!),
    ratio: median(times[i]!.map((time, round) => time / times[0]![round]!)),
    wrong: wrong ? wrong() : null,
    calls,
  }));
  console.log(JSON.stringify(rows));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
