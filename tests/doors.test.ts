/** The public boundary: every export has a sample call, and every sample refuses numbers that are not finite. */
import { describe, expect, test } from 'vitest';
import * as graze from '../src/index.ts';
import { allSamples } from './all-samples.ts';
import type { Sample } from './kit/index.ts';

const samples = await allSamples();

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
