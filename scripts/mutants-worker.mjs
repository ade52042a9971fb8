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

async function passes(test) {
  const [project] = vitest.projects;
  const specification = project.createSpecification(join(root, test));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification], true);
  return unhandledErrors.length === 0 && testModules.every((module) => module.state() === 'passed');
}

process.on('message', async ({ mutant, test }) => {
  try {
    // The file that was changed last, and the one that is now.
    for (const touched of [current, mutant]) if (touched) vitest.invalidateFile(join(root, touched.file));
    current = mutant;
    const start = performance.now();
    const passed = await passes(test);
    process.send({ passed, milliseconds: performance.now() - start });
  } catch (error) {
    process.send({ passed: false, milliseconds: 0, error: String(error) });
  }
});
process.send({ ready: true });
