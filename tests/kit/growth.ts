/** How work grows with its input, measured so that a busy machine does not matter. */

/** Milliseconds of the processor that `work` took: unlike time, they do not pass while others run. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What took less is too short to be compared, in milliseconds. */
const FLOOR = 50;

/**
 * Fails when `large`, which is ten times `small`, takes more than forty times as long. n log n takes about thirteen times
 * as long, n² a hundred times. `small` counts for 50 milliseconds at least.
 */
export function growsGently(what: string, small: () => unknown, large: () => unknown, ratio = 40): void {
  const base = Math.max(FLOOR, processorTime(small));
  const grown = processorTime(large);
  if (grown > ratio * base)
    throw new Error(
      `${what}: ten times the input takes ${(grown / base).toFixed()} times as long (${grown} ms)`,
    );
}
