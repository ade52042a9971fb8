/** The example of the README runs, and its comments are true. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The values that statements of an example stand for. */
async function run(number: number): Promise<unknown[]> {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)][number]?.[1] ?? '';
  // Statements that stand for a value, which a comment tells, become entries of a list.
  const listed = code.replace(/^(?!const |})(\S.*);[ \t]*\/\/ .*$/gm, 'values.push($1);');
  const folder = new URL('../.cache/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`readme-${number}.ts`, folder);
  writeFileSync(
    file,
    `export const values: unknown[] = [];\n${listed
      .replaceAll("'graze'", "'../src/index.ts'")
      .replace(/'graze\/(\w+)'/g, "'../src/$1/index.ts'")}`,
  );
  return ((await import(file.href)) as { values: unknown[] }).values;
}

test('the first example of the README: the front door', async () => {
  expect(await run(0)).toEqual([5, false, 2, 2, true, [], false, 2.5, expect.closeTo(0.5, 8), undefined, 2]);
});

test('the second example of the README: shapes', async () => {
  expect(await run(1)).toEqual([
    false,
    2,
    expect.closeTo(0.5, 8),
    0.5,
    true,
    expect.closeTo(0.2, 7),
    expect.toSatisfy((x: number) => x < -0.4),
  ]);
});

test('the third example of the README: what turns, worlds and characters', async () => {
  expect(await run(2)).toEqual([expect.closeTo(0.47292, 5), 'polygon', true, true]);
});

test('the fourth example of the README: the toolbox', async () => {
  expect(await run(3)).toEqual([
    { x: 0, y: 0, z: 1 },
    expect.closeTo(0.3, 12),
    true,
    1,
    expect.objectContaining({ center: expect.anything() }),
    0,
    expect.closeTo(0.3, 12),
    Float64Array.of(5),
  ]);
});
