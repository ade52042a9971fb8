/**
 * Hostile calls: the sample calls with one argument, or one field of one, replaced by what does not belong there. What
 * comes of each call is a result without NaN, or an error of ours that names the argument; nothing else.
 */
import vm from 'node:vm';
import { sphere } from '../../src/shapes/index.ts';
import type { Sample } from './sample.ts';

type Key = string;
type Bag = Record<Key, unknown>;

/** What is put in the place of an argument. The functions are called for every use, so that nothing is shared. */
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  Infinity: () => Infinity,
  '-Infinity': () => -Infinity,
  '1e160': () => 1e160,
  '-1e160': () => -1e160,
  '1e308': () => 1e308,
  '-1': () => -1,
  '0.5': () => 0.5,
  '2^32': () => 2 ** 32,
  '2^53': () => 2 ** 53,
  '5e-324': () => 5e-324,
  '[]': () => [],
  '[1, 2, 3]': () => [1, 2, 3],
  '{}': () => ({}),
  '{ x, y, z } of strings': () => ({ x: '1', y: '2', z: '3' }),
  'a point': () => ({ x: 1, y: 2, z: 3 }),
  'a frozen point': () => Object.freeze({ x: 1, y: 2, z: 3 }),
  true: () => true,
  "'1'": () => '1',
  "''": () => '',
  'a function': () => () => 1,
  'a symbol': () => Symbol('s'),
  'a BigInt': () => 1n,
  'a Date': () => new Date(0),
  'a Map': () => new Map(),
  'an empty Float64Array': () => new Float64Array(0),
  'a Float32Array of NaN': () => new Float32Array([Number.NaN, 1, 2]),
  'a BigInt64Array': () => new BigInt64Array(3),
  'a sphere': () => sphere(1),
  'a collider': () => ({
    shape: sphere(1),
    pose: { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  }),
  'a record without a prototype': () => Object.create(null),
  'a revoked proxy of nothing': () => new Proxy({}, { get: () => undefined }),
};

export const HOSTILE_NAMES = Object.keys(HOSTILE);

const isPlain = (value: unknown): value is Bag =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Of long lists the first and the last tell enough. */
const someKeys = (list: ArrayLike<unknown>): Key[] =>
  list.length <= 4 ? Object.keys(list) : ['0', '1', String(list.length - 1)];

/** The paths to everything inside a value, itself included; what the library has made is left whole. */
export function pathsInto(value: unknown, path: Key[] = []): Key[][] {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const list = value as unknown as unknown[];
    return [path, ...someKeys(list).flatMap((key) => pathsInto(list[Number(key)], [...path, key]))];
  }
  if (!isPlain(value)) return [path];
  if (isMade(value)) return [path];
  return [path, ...Object.keys(value).flatMap((key) => pathsInto(value[key], [...path, key]))];
}

/** Shapes, trees and the like are made by the library, and checked when they are. */
const isMade = (value: Bag): boolean =>
  MADE.some((key) => key in value) || ('kind' in value && 'normal' in value);
const MADE = [
  'core',
  'reach',
  'triangleCount',
  'children',
  'cellTriangles',
  'items',
  'links',
  'nodes',
  'skip',
  'polygonStart',
  'levels',
  'edges',
  'spheres',
  'indexA',
  'hintA',
  'kindA',
  'args',
];

export function copyOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Float64Array).slice();
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value) || isMade(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
}

function withPart(value: unknown, path: readonly Key[], part: unknown): unknown {
  if (path.length === 0) return part;
  const [key, ...rest] = path as [Key, ...Key[]];
  // A typed array holds nothing but numbers: what is put into it is seen in a list.
  const copy = (
    ArrayBuffer.isView(value)
      ? typeof part === 'number'
        ? (value as unknown as Float64Array).slice()
        : [...(value as unknown as Float64Array)]
      : Array.isArray(value)
        ? [...value]
        : { ...(value as Bag) }
  ) as Bag;
  copy[key] = withPart(copy[key], rest, part);
  return copy;
}

export type Verdict = 'fine' | 'named' | 'raw' | 'NaN' | 'silent' | 'hang';

export interface HostileCall {
  readonly sample: Sample;
  readonly name: string;
  /** The path to what is replaced, with the name of the argument first. */
  readonly path: readonly Key[];
  readonly value: string;
}

export interface Outcome {
  readonly call: HostileCall;
  readonly verdict: Verdict;
  readonly message: string;
}

/** All hostile calls of a sample. */
export function callsOf(sample: Sample): HostileCall[] {
  const paths = Object.entries(sample.args).flatMap(([name, value]) => pathsInto(value, [name]));
  return paths.flatMap((path) =>
    HOSTILE_NAMES.map((value) => ({ sample, name: sample.fn.name, path, value })),
  );
}

/** What V8 says by itself when something is not what the code thinks. */
const RAW =
  /^(?!graze: )|Cannot (read|set|convert|mix|destructure|create|assign|define|add|use)|is not (a function|iterable|a constructor|defined|an object|extensible)|nvalid (array|typed|string) |Maximum call|allocation failed/;

/** A path to a NaN inside a value, or null. */
export function findNaN(value: unknown, path = '', depth = 0, seen = new Set<unknown>()): string | null {
  if (typeof value === 'number') return Number.isNaN(value) ? path || 'result' : null;
  if (typeof value !== 'object' || value === null || depth > 6 || seen.has(value)) return null;
  seen.add(value);
  if (ArrayBuffer.isView(value)) {
    if (value instanceof Float64Array || value instanceof Float32Array) {
      const at = value.findIndex((x) => Number.isNaN(x));
      return at < 0 ? null : `${path}[${at}]`;
    }
    return null;
  }
  if (value instanceof Map || value instanceof Set) return findNaN([...value], path, depth + 1, seen);
  for (const key of Object.keys(value)) {
    const found = findNaN((value as Bag)[key], `${path}.${key}`, depth + 1, seen);
    if (found) return found;
  }
  return null;
}

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value) || ArrayBuffer.isView(value)
      ? 'list'
      : value instanceof Date || value instanceof Map
        ? 'other'
        : typeof value;

const at = (value: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>((v, key) => (v as Bag)[key], value);

/** Is it of another type than what belongs there? */
function isWrongType(call: HostileCall): boolean {
  if (call.sample.alternatives?.includes(call.path.join('.'))) return false;
  const was = at(call.sample.args, call.path);
  const now = HOSTILE[call.value]!();
  return now !== undefined && kindOf(was) !== kindOf(now);
}

function runOne(call: HostileCall): Outcome {
  const { sample, path, value } = call;
  const args = Object.entries(sample.args).map(([name, arg]) => {
    if (name !== path[0]) return copyOf(arg);
    return withPart(copyOf(arg), path.slice(1), HOSTILE[value]!());
  });
  const out = sample.out === undefined ? [] : [copyOf(sample.out)];
  try {
    const result = sample.fn(...args, ...out);
    const where = findNaN(result) ?? findNaN(out[0]);
    if (where) return { call, verdict: 'NaN', message: where };
    if (isWrongType(call)) return { call, verdict: 'silent', message: '' };
    return { call, verdict: 'fine', message: '' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // A sample that calls a method reads its arguments first.
    if (error instanceof Error && error.stack?.split('\n')[1]?.includes('/samples/'))
      return { call, verdict: 'fine', message };
    const ours = error instanceof TypeError || error instanceof RangeError;
    if (!ours || RAW.test(message))
      return {
        call,
        verdict: 'raw',
        message: `${message} ${error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : ''}`,
      };
    return { call, verdict: 'named', message };
  }
}

/** Runs the calls, each for at most `limit` milliseconds: a loop without end is broken off and told. */
export function runCalls(calls: readonly HostileCall[], limit: number): Outcome[] {
  const outcomes: Outcome[] = [];
  // It comes back in time by itself: a call that is broken off leaves behind what it was about to put away.
  const run = () => {
    const start = performance.now();
    while (outcomes.length < calls.length && performance.now() - start < limit / 4)
      outcomes.push(runOne(calls[outcomes.length]!));
  };
  const box = globalThis as unknown as { hostileRun?: () => void };
  box.hostileRun = run;
  const script = new vm.Script('hostileRun()');
  while (outcomes.length < calls.length) {
    try {
      script.runInThisContext({ timeout: limit });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const call = calls[outcomes.length];
      if (call) outcomes.push({ call, verdict: 'hang', message: `more than ${limit} ms` });
    }
  }
  delete box.hostileRun;
  return outcomes;
}
