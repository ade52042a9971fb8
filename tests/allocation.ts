/**
 * Does a query with an `out` allocate? A quarter of a million calls of every sample that has one, in plain Node, counting the
 * bytes that the heap grew by. Run by `npm test` with --expose-gc and a young generation so large that no collection
 * happens while counting, in one process for each file of `samples/`.
 */
import { samplesOf } from './all-samples.ts';
import type { Sample } from './kit/sample.ts';

const CALLS = 250_000;
/** Bytes a call: a boxed number takes 16. The measurement itself and a late compilation cost a few hundred kilobytes in all. */
const LIMIT = 4;

const limitOf = ({ boxes = 0 }: Sample): number => LIMIT + boxes;

/** One function per sample, so that the call site is monomorphic, as it is in a user's loop. */
function loopOf(sample: Sample): (calls: number) => unknown {
  const names = Object.keys(sample.args).map((_, i) => `a${i}`);
  const body = `return (calls) => { let last; for (let i = 0; i < calls; i++) last = fn(${[...names, 'out'].join(', ')}); return last; }`;
  return new Function('fn', ...names, 'out', body)(sample.fn, ...Object.values(sample.args), sample.out);
}

function bytesPerCall(sample: Sample): number {
  const loop = loopOf(sample);
  loop(20_000); // let the optimiser settle
  loop(20_000);
  let best = Infinity;
  // Where some bytes are allowed, fewer calls tell.
  const calls = sample.boxes === undefined ? CALLS : CALLS / 10;
  for (let attempt = 0; attempt < 4 && best >= limitOf(sample); attempt++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    loop(calls);
    best = Math.min(best, Math.abs(process.memoryUsage().heapUsed - before) / calls);
  }
  return best;
}

// The measurement itself is measured: one that could not see an allocation would pass everything.
const known = bytesPerCall({
  fn: (x: number, out: { last: unknown }) => (out.last = { x }),
  args: { x: 0.5 },
  out: { last: null },
});
if (known < 16) throw new Error(`allocation: a call that allocates an object was measured at ${known} bytes`);

const samples = (await samplesOf(process.argv[2] ?? '')).filter((s) => s.out !== undefined && !s.allocates);
let bad = 0;
for (const sample of samples) {
  const bytes = bytesPerCall(sample);
  if (bytes >= limitOf(sample)) {
    bad++;
    console.error(`allocation: ${sample.fn.name} allocates ${bytes.toFixed(1)} bytes a call`);
  }
}
console.log(
  `allocation: ${process.argv[2]}: ${samples.length} functions, ${CALLS} calls each, ${bad} allocate`,
);
process.exitCode = bad ? 1 : 0;
