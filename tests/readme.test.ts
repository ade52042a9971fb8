/** The example of the README runs, and its comments are true. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the example of the README', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  // Statements that stand for a value, which a comment tells, become entries of a list.
  const listed = code.replace(/^(?!const |})(\S.*);[ \t]*\/\/ .*$/gm, 'values.push($1);');
  const folder = new URL('../.cache/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL('readme.ts', folder);
  writeFileSync(
    file,
    `export const values: unknown[] = [];\n${listed.replace("'graze'", "'../src/index.ts'")}`,
  );
  const { values } = (await import(file.href)) as { values: unknown[] };
  expect(values).toEqual([
    0,
    1,
    true,
    expect.closeTo(0.3, 12),
    false,
    Float64Array.of(5),
    [],
    5,
    { x: 0, y: 0, z: 1 },
    expect.closeTo(0.3, 12),
    true,
    1,
    expect.objectContaining({ center: expect.anything() }),
  ]);
});
