/**
 * Runs a property over many seeded cases. `GRAZE_SEED` picks the seed (a fixed one otherwise, so that the suite
 * is repeatable), `GRAZE_CASES` multiplies the number of cases: that is all `npm run fuzz` does. Without it, as in
 * `npm test`, a property runs 40 % of the cases that it states.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { test } from 'vitest';
import { Rng } from './rng.ts';

const seed = Number(process.env['GRAZE_SEED'] ?? 1);
/** Times the number of cases that a property states. */
export const factor = Number(process.env['GRAZE_CASES'] ?? 0.4);

/** A guard against tests that never end, not a measure of speed: no busy machine comes near it. */
const TIMEOUT = 900_000;

/** A test of `cases` random cases; `check` throws (or fails an expectation) when a case is wrong. */
export function property(
  title: string,
  cases: number,
  check: (rng: Rng, index: number) => void,
  from = seed,
): void {
  test(title, { timeout: TIMEOUT * Math.max(1, factor) }, ({ task }) => {
    const progress = new Progress(relative(process.cwd(), task.file.filepath), title, from);
    let i = 0;
    try {
      for (; i < cases * factor; i++) {
        if (i % 64 === 0) progress.tell(i);
        runCase(title, from, i, check);
      }
      progress.tell(i, true);
    } catch (error) {
      progress.tell(i + 1, true, error instanceof Error ? error.message : String(error));
      throw error;
    }
  });
}

/** A property of what comes later: one case after the other. */
export function asyncProperty(
  title: string,
  cases: number,
  check: (rng: Rng, index: number) => Promise<void>,
  from = seed,
): void {
  test(title, { timeout: TIMEOUT * Math.max(1, factor) }, async ({ task }) => {
    const progress = new Progress(relative(process.cwd(), task.file.filepath), title, from);
    let i = 0;
    try {
      for (; i < cases * factor; i++) {
        if (i % 64 === 0) progress.tell(i);
        await check(new Rng(from * 1_000_003 + i), i).catch((error: unknown) =>
          failedCase(title, from, i, error),
        );
      }
      progress.tell(i, true);
    } catch (error) {
      progress.tell(i + 1, true, error instanceof Error ? error.message : String(error));
      throw error;
    }
  });
}

/** Where `npm run fuzz` reads what was tried. */
const progressFile = process.env['GRAZE_FUZZ_PROGRESS'];
/** In milliseconds: so often a property tells how far it is. */
const OFTEN = 2000;

/** What a property has tried so far; told now and then, so that nothing is lost when a run is interrupted. */
class Progress {
  private last = 0;
  private readonly about: object;

  constructor(file: string, title: string, from: number) {
    this.about = { file, title, seed: from };
  }

  tell(cases: number, done = false, failure?: string): void {
    if (progressFile === undefined) return;
    const now = performance.now();
    if (!done && now - this.last < OFTEN) return;
    this.last = now;
    appendFileSync(progressFile, `${JSON.stringify({ ...this.about, cases, failure, counts })}\n`);
    if (done) counts = {};
  }
}

let counts: Record<string, number> = {};

/** For what one case has many of (motions, say): `npm run fuzz` tells the sums by property. Call it inside of a property. */
export function count(what: string, n = 1): void {
  counts[what] = (counts[what] ?? 0) + n;
}

function runCase(title: string, from: number, index: number, check: (rng: Rng, index: number) => void): void {
  try {
    check(new Rng(from * 1_000_003 + index), index);
  } catch (error) {
    failedCase(title, from, index, error);
  }
}

function failedCase(title: string, from: number, index: number, error: unknown): never {
  const where = `case ${index} with GRAZE_SEED=${from} of '${title}'`;
  throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Fails with `message` unless `ok`. Cheaper than `expect` by three orders of magnitude: use it inside `property`. */
export function check(ok: boolean, message: string | (() => string)): asserts ok {
  if (!ok) throw new Error(typeof message === 'string' ? message : message());
}

/** Fails unless |actual - wanted| <= tolerance; NaN always fails. */
export function near(actual: number, wanted: number, tolerance: number, what = 'value'): void {
  if (!(Math.abs(actual - wanted) <= tolerance))
    throw new Error(`${what}: ${actual} is not within ${tolerance} of ${wanted} (off by ${actual - wanted})`);
}
