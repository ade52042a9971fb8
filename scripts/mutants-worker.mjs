// Runs test files with one source changed in memory; nothing is written. A process of its own, so that a mutant that never
// ends can be ended with it.
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { applyMutant } from './mutate.mjs';
import { root } from './setup.mjs';

let current = null;

const plugin = {
  name: 'graze-mutant',
  enforce: 'pre',
  transform(code, id) {
    if (current !== null && id.split('?')[0] === join(root, current.file)) return applyMutant(code, current);
  },
};

const vitest = await createVitest(
  'test',
  { watch: false, root, maxWorkers: 1, bail: 1, reporters: [{}], passWithNoTests: false },
  { plugins: [plugin], logLevel: 'silent' },
);

/** 'passed', 'failed', or null for a run that was cut short and says nothing. */
async function run(test) {
  const [project] = vitest.projects;
  const specification = project.createSpecification(join(root, test));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification], true);
  if (unhandledErrors.length > 0) return 'failed';
  // Those of earlier runs are in the list as well.
  const states = testModules
    .filter(({ moduleId }) => moduleId === specification.moduleId)
    .map((module) => module.state());
  if (states.includes('failed')) return 'failed';
  return states.length > 0 && states.every((state) => state === 'passed') ? 'passed' : null;
}

process.on('message', async ({ mutant, test }) => {
  // The file that was changed last, and the one that is now.
  for (const touched of [current, mutant]) if (touched) vitest.invalidateFile(join(root, touched.file));
  current = mutant;
  const start = performance.now();
  const outcome = await run(test);
  process.send({ outcome, milliseconds: performance.now() - start });
});
process.send({ ready: true });
