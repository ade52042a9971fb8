/** `out` may be an input: the result is the one that a fresh `out` gets. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { transform } from '../src/math/vec3.ts';
import { allSamples } from './all-samples.ts';
import type { Sample } from './kit/index.ts';

type Key = string | number;
type Bag = Record<Key, unknown>;

const isRecord = (value: unknown): value is Bag => typeof value === 'object' && value !== null;
const at = (value: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>((v, key) => (v as Bag)[key], value);

/** The kind of a record, down to the last number: what may stand in for what. */
function shapeOf(value: unknown, outer: readonly unknown[] = []): string {
  if (!isRecord(value)) return typeof value;
  if (outer.includes(value)) return 'circle';
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name}(${(value as unknown as Float64Array).length})`;
  const keys = Object.keys(value).sort();
  const kind = Array.isArray(value) ? 'list' : 'record';
  return `${kind}{${keys.map((key) => `${key}:${shapeOf(value[key], [...outer, value])}`).join()}}`;
}

/** The paths to all records inside a value, itself included. */
function recordPaths(value: unknown, path: Key[] = [], outer: readonly unknown[] = []): Key[][] {
  if (!isRecord(value) || typeof value === 'function' || outer.includes(value)) return [];
  if (ArrayBuffer.isView(value)) return [path];
  return [
    path,
    ...Object.keys(value).flatMap((key) => recordPaths(value[key], [...path, key], [...outer, value])),
  ];
}

/** A copy with no part in common with the original; functions stay. */
function copyOf<T>(value: T): T {
  if (!isRecord(value)) return value;
  if (ArrayBuffer.isView(value)) return (value as unknown as Float64Array).slice() as unknown as T;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value; // an object with a life of its own
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
  // What a shape carries under a symbol are algorithms, not data.
  for (const key of Object.getOwnPropertySymbols(value))
    Object.assign(copy, { [key]: Reflect.get(value, key) });
  return copy as T;
}

/** Some samples give a further input as `out`, to have it measured: those that give it back or change it count here. */
function hasOut(sample: Sample): boolean {
  if (!isRecord(sample.out)) return false;
  const out = copyOf(sample.out);
  return sample.fn(...copyOf(Object.values(sample.args)), out) === out || !isDeepStrictEqual(out, sample.out);
}

/** What the sample returns, and what `out` is afterwards; where there is nothing to report, `out` is not written. */
function resultOf({ fn }: Sample, args: readonly unknown[], out: unknown): unknown {
  const returned = fn(...args, out);
  return copyOf(returned === null ? { returned } : { returned, out });
}

/** The ways in which a record of the inputs can be a record of `out`: paths into the arguments and into `out`. */
function aliases(sample: Sample): { from: Key[]; to: Key[] }[] {
  const args = Object.values(sample.args);
  const inputs = recordPaths(args).filter((path) => path.length > 0);
  return recordPaths(sample.out).flatMap((to) =>
    inputs
      .filter((from) => shapeOf(at(args, from)) === shapeOf(at(sample.out, to)))
      .map((from) => ({ from, to })),
  );
}

/** Calls with the record of the inputs put into `out` (or as `out`). */
function aliased(sample: Sample, { from, to }: { from: Key[]; to: Key[] }): unknown {
  const args = copyOf(Object.values(sample.args));
  const shared = at(args, from);
  let out = copyOf(sample.out);
  if (to.length === 0) out = shared;
  else (at(out, to.slice(0, -1)) as Bag)[to.at(-1)!] = shared;
  return resultOf(sample, args, out);
}

const fresh = (sample: Sample): unknown =>
  resultOf(sample, copyOf(Object.values(sample.args)), copyOf(sample.out));

const samples = (await allSamples()).filter(hasOut);

describe('[R13.6] an out that is an input, or has a part in common with one, gets the same result', () => {
  for (const sample of samples) {
    const ways = aliases(sample);
    if (ways.length === 0) continue;
    test(`${sample.fn.name}, ${ways.length} ways`, () => {
      const wanted = fresh(sample);
      for (const way of ways) {
        const name = `${Object.keys(sample.args)[Number(way.from[0])]}.${way.from.slice(1).join('.')}`;
        expect(aliased(sample, way), `out.${way.to.join('.')} is ${name}`).toEqual(wanted);
      }
    });
  }
});

/** Typed arrays of the same kind and length as `original`, all in one piece of memory, the second `shift` numbers on. */
function overlapping(original: readonly number[], shift: number): [Float64Array, Float64Array] {
  const memory = new Float64Array(original.length + Math.abs(shift));
  const first = memory.subarray(Math.max(0, -shift), Math.max(0, -shift) + original.length);
  const second = memory.subarray(Math.max(0, shift), Math.max(0, shift) + original.length);
  first.set(original);
  return [first, second];
}

describe('[R13.6] an out whose numbers overlap in memory with those of an input gets the same result', () => {
  for (const sample of samples) {
    const args = Object.values(sample.args);
    // Matrices: `elements` may be a view of anything.
    const lists = (value: unknown) =>
      recordPaths(value).filter((path) => {
        const list = at(value, path);
        return (
          path.at(-1) === 'elements' &&
          (Array.isArray(list) || ArrayBuffer.isView(list)) &&
          (list as ArrayLike<unknown>).length > 1
        );
      });
    const ways = lists(sample.out).flatMap((to) =>
      lists(args)
        .filter((from) => (at(args, from) as number[]).length === (at(sample.out, to) as number[]).length)
        .map((from) => ({ from, to })),
    );
    if (ways.length === 0) continue;
    test(sample.fn.name, () => {
      const wanted = numbersOf(fresh(sample));
      for (const { from, to } of ways)
        for (const shift of [-3, -2, -1, 0, 1, 2, 3]) {
          const input = copyOf(args) as unknown[];
          const out = copyOf(sample.out);
          const [a, b] = overlapping([...(at(input, from) as number[])], shift);
          (at(input, from.slice(0, -1)) as Bag)[from.at(-1)!] = a;
          (at(out, to.slice(0, -1)) as Bag)[to.at(-1)!] = b;
          expect(numbersOf(resultOf(sample, input, out)), `shifted by ${shift}`).toEqual(wanted);
        }
    });
  }
});

/** The numbers inside, in order: an array and a view with the same numbers are the same. */
function numbersOf(value: unknown): unknown[] {
  if (!isRecord(value)) return [value];
  return Object.keys(value).flatMap((key) => numbersOf(value[key]));
}

test('[R13.6] these tests can fail: a function that writes before it has read is caught', () => {
  const careless = (a: { x: number; y: number; z: number }, m: { elements: number[] }, out: typeof a) => {
    const e = m.elements;
    out.x = e[0]! * a.x + e[3]! * a.y + e[6]! * a.z;
    out.y = e[1]! * a.x + e[4]! * a.y + e[7]! * a.z;
    out.z = e[2]! * a.x + e[5]! * a.y + e[8]! * a.z;
    return out;
  };
  const args = { a: { x: 1, y: 2, z: 3 }, m: { elements: [1, 2, 3, 4, 5, 6, 7, 8, 10] } };
  const out = { x: 0, y: 0, z: 0 };
  const [bad, good] = [careless, transform].map((fn): Sample => ({ fn, args, out }));
  expect(aliases(bad!)).toEqual([{ from: ['0'], to: [] }]);
  expect(aliased(bad!, aliases(bad!)[0]!)).not.toEqual(fresh(bad!));
  expect(aliased(good!, aliases(good!)[0]!)).toEqual(fresh(good!));
});

test('[R13.6] most functions with an out have an input that can be it', () => {
  const able = samples.filter((sample) => aliases(sample).length > 0);
  expect(able.length).toBeGreaterThan(150);
});
