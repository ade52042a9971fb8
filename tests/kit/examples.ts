/** The examples of the README and the guides: they run, and what they say is compared. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The code of the TypeScript blocks in a file of the repository, in order. */
export const examplesIn = (file: string): string[] =>
  [...readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code]) => code!,
  );

/** The values that statements of an example stand for: those that a comment tells. */
export async function runExample(file: string, number: number): Promise<unknown[]> {
  const code = examplesIn(file)[number] ?? '';
  const listed = code.replace(/^(?!const |import |})(\S.*);[ \t]*\/\/ .*$/gm, 'values.push($1);');
  const folder = new URL('../../.cache/examples/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const module = new URL(`${file.replace(/\W/g, '-')}-${number}.ts`, folder);
  writeFileSync(
    module,
    `export const values: unknown[] = [];\n${listed
      .replaceAll("'graze'", "'../../src/index.ts'")
      .replace(/'graze\/(\w+)'/g, "'../../src/$1/index.ts'")}`,
  );
  return ((await import(module.href)) as { values: unknown[] }).values;
}
