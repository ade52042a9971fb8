/**
 * Every public function, with every argument and every field of one replaced by what does not belong there. By default
 * every so-many-th of the calls; all of them with GRAZE_CASES=10 (some 350,000, a few minutes).
 */
import { expect, test } from 'vitest';
import { sampleFiles, samplesOf } from './all-samples.ts';
import { callsOf, type Outcome, runCalls } from './kit/hostile.ts';
import type { Sample } from './kit/sample.ts';

const factor = Number(process.env['GRAZE_CASES'] ?? 1);
/** A prime, so that no value and no field is left out of all functions. */
const STRIDE = factor >= 10 ? 1 : 17;
/** For one call: the slowest take a tenth of a second on a busy machine. */
const LIMIT = 20_000;

/** What people call by name: here a wrong type is named, and never taken for something else. */
const FRONT_DOOR = [
  'character.ts',
  'query-many.ts',
  'query-one.ts',
  'query-rotation.ts',
  'query.ts',
  'shapes.ts',
  'world.ts',
];

/** What is plain arithmetic, or was made by the library and is taken on trust, checks nothing: see the samples. */
const isChecked = ({ unchecked }: Sample): boolean => unchecked === undefined;

async function outcomesOf(file: string): Promise<Outcome[]> {
  const samples = (await samplesOf(file)).filter(isChecked);
  return samples.flatMap((sample, i) =>
    runCalls(
      callsOf(sample).filter((_, k) => (k + i) % STRIDE === 0),
      LIMIT,
    ),
  );
}

const told = ({ call, verdict, message }: Outcome): string =>
  `${verdict}: ${call.name}(${call.path.join('.')} = ${call.value}) ${message}`;

for (const file of sampleFiles())
  test(`[R2.6] hostile calls of ${file}: a result without NaN, or an error that names what is wrong`, async () => {
    const outcomes = await outcomesOf(file);
    const bad = outcomes.filter(
      ({ verdict }) => verdict === 'raw' || verdict === 'NaN' || verdict === 'hang',
    );
    expect(bad.map(told)).toEqual([]);
    if (FRONT_DOOR.includes(file))
      expect(outcomes.filter(({ verdict }) => verdict === 'silent').map(told)).toEqual([]);
  });
