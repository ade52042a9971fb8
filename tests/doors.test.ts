/** The public boundary: what stands at which door; every export has a sample call, and every sample refuses what is not finite. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as door from '../src/index.ts';
import { allSamples } from './all-samples.ts';
import type { Sample } from './kit/index.ts';
import * as graze from './kit/public-names.ts';

const samples = await allSamples();

/** All that the front door exports, types too. */
function namesAtTheDoor(): string[] {
  const file = new URL('../src/index.ts', import.meta.url);
  const source = ts.createSourceFile('index.ts', readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    // Only lists of names: `export *` would let in what nobody counted.
    if (
      !ts.isExportDeclaration(statement) ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause)
    )
      throw new Error(`src/index.ts must export names one by one: ${statement.getText(source)}`);
    return statement.exportClause.elements.map(({ name }) => name.text);
  });
}

test('the front door has 60 to 80 names, types among them, each once', () => {
  const names = namesAtTheDoor();
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(names.length).toBeLessThanOrEqual(80);
  expect(new Set(names).size).toBe(names.length);
});

test('what stands at the front door stands in a room, too, and is the same thing', () => {
  for (const [name, value] of Object.entries(door))
    expect((graze as Record<string, unknown>)[name], name).toBe(value);
});

test('every room has a door of its own in the package, and there are no others', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const rooms = readdirSync(new URL('../src/', import.meta.url)).filter((name) => !name.includes('.'));
  expect(Object.keys(exports).sort()).toEqual(
    ['.', ...rooms.map((room) => `./${room}`), './package.json'].sort(),
  );
});

/** The public functions, without those of the arithmetic namespaces (`v3` …) and without classes. */
function publicFunctions(): Map<unknown, string> {
  const all = new Map<unknown, string>();
  for (const [name, value] of Object.entries(graze))
    if (typeof value === 'function' && !isClass(value)) all.set(value, name);
  return all;
}

/** Only a class has a prototype that cannot be replaced. */
const isClass = (value: object): boolean =>
  Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;

/** Paths to the numbers inside a value: `[]` for a number, `['center', 'x']` and so on. */
function numberPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) =>
    numberPaths((value as Record<string, unknown>)[key], [...path, key]),
  );
}

function withNumber(value: unknown, path: string[], replacement: number): unknown {
  if (path.length === 0) return replacement;
  const [key, ...rest] = path as [string, ...string[]];
  const copy: Record<string, unknown> = ArrayBuffer.isView(value)
    ? ((value as Float64Array).slice() as unknown as Record<string, unknown>)
    : Array.isArray(value)
      ? ([...value] as unknown as Record<string, unknown>)
      : { ...(value as Record<string, unknown>) };
  copy[key] = withNumber(copy[key], rest, replacement);
  return copy;
}

/** Calls with one number replaced; undefined when nothing was thrown. */
function errorOf(sample: Sample, name: string, path: string[], replacement: number): unknown {
  const args = Object.entries(sample.args).map(([key, value]) =>
    key === name ? withNumber(value, path, replacement) : value,
  );
  try {
    sample.fn(...args, ...(sample.out === undefined ? [] : [structuredClone(sample.out)]));
    return undefined;
  } catch (error) {
    return error;
  }
}

test('every public function has a sample call', () => {
  const sampled = new Set(samples.map((s) => s.fn));
  const missing = [...publicFunctions()].filter(
    ([fn, name]) => !sampled.has(fn as never) && !isFactory(name),
  );
  expect(missing.map(([, name]) => name)).toEqual([]);
});

/** `vec3`, `makeHit` and their like only create records. */
const isFactory = (name: string) =>
  /^make[A-Z]/.test(name) || ['vec2', 'vec3', 'quat', 'mat2', 'mat3', 'pose', 'plane'].includes(name);

test('every sample is a call that works', () => {
  for (const { fn, args, out } of samples)
    expect(() => fn(...Object.values(args), ...(out === undefined ? [] : [out])), fn.name).not.toThrow();
});

describe('numbers that are not finite are refused by name', () => {
  for (const sample of samples) {
    if (sample.unchecked) continue;
    test(sample.fn.name, () => {
      for (const [name, value] of Object.entries(sample.args)) {
        if (sample.trusted?.includes(name)) continue;
        for (const path of numberPaths(value))
          for (const bad of [Number.NaN, Infinity, -Infinity]) {
            if (bad === Infinity && sample.mayBeInfinite?.includes(name)) continue;
            const where = `${sample.fn.name}(${[name, ...path].join('.')} = ${bad})`;
            const error = errorOf(sample, name, path, bad);
            expect(error instanceof RangeError || error instanceof TypeError, `${where} threw ${error}`).toBe(
              true,
            );
            expect((error as Error).message, where).toContain(name);
          }
      }
    });
  }
});
