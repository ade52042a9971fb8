/** A world that keeps a log of its queries, and holds its answers against those of asking every collider. RTCD §2.7. */
import { mustBeBoolean, mustBeOptions, mustBeWhole } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { BruteForce } from './brute-force.ts';
import type { PairEvent } from './pair-manager.ts';
import { type LoggedQuery, QUERY_NAMES, QueryLog, type QueryName } from './query-log.ts';
import type { WorldSnapshot } from './snapshot.ts';
import { World, type WorldOptions } from './world.ts';

export interface DebugWorldOptions extends WorldOptions {
  /** How many of the last queries are kept in `log`. Default: 0. */
  readonly log?: number;
  /**
   * Runs every query, and every update, by brute force as well, which is slow. True: the first answer that differs is
   * thrown, as a `WorldMismatch`; a function is called with each of them. Default: false.
   */
  readonly verify?: boolean | MismatchReport;
}

/** An answer of a world that is not that of asking every collider: a mistake in this library, or in a broad phase. */
export class WorldMismatch extends Error {
  readonly query: QueryName | 'update';
  readonly args: readonly unknown[];
  readonly answer: unknown;
  readonly expected: unknown;
  /** The queries before, if the world keeps a log. */
  readonly log: readonly LoggedQuery[];

  constructor(
    query: QueryName | 'update',
    args: readonly unknown[],
    answer: unknown,
    expected: unknown,
    log: readonly LoggedQuery[],
  ) {
    super(
      `graze: World.${query}(${args.map(toText).join(', ')}) answered ${toText(answer)}, but asking every collider gives ${toText(expected)}`,
    );
    this.name = 'WorldMismatch';
    this.query = query;
    this.args = args;
    this.answer = answer;
    this.expected = expected;
    this.log = log;
  }
}

export type MismatchReport = (mismatch: WorldMismatch) => void;

/** More would not fit into memory. */
const MOST_LOGGED = 16_777_216;

type AnyQuery = (...args: readonly unknown[]) => unknown;

/** A `World` for finding mistakes. */
export class DebugWorld extends World {
  /** The last queries, if they are kept. */
  readonly log: QueryLog | null;
  private readonly reference: BruteForce | null;
  private readonly report: MismatchReport;

  constructor(options: DebugWorldOptions = {}) {
    mustBeOptions('DebugWorld', 'options', options, 'broadPhase filter log verify');
    const { log = 0, verify = false, ...others } = options;
    super(others);
    mustBeWhole('DebugWorld', 'options.log', log, 0, MOST_LOGGED);
    if (typeof verify !== 'function') mustBeBoolean('DebugWorld', 'options.verify', verify);
    this.log = log === 0 ? null : new QueryLog(log);
    this.reference =
      verify === false ? null : new BruteForce(() => this.colliders.sorted().records, this.filter);
    this.report = typeof verify === 'function' ? verify : raise;
    for (const name of QUERY_NAMES)
      Object.assign(this, { [name]: (...args: readonly unknown[]) => this.run(name, args) });
  }

  private run(name: QueryName, args: readonly unknown[]): unknown {
    // Before the query runs, so that it is in the log even if that throws.
    const { args: kept } = this.log?.add(name, args) ?? { args };
    const answer = (World.prototype[name] as AnyQuery).apply(this, [...args]);
    const { reference } = this;
    if (reference !== null) {
      const expected = this.colliders.guard(() => (reference[name] as AnyQuery)(...args));
      this.compare(name, kept, answer, expected);
    }
    return answer;
  }

  override update(out?: PairEvent[]): PairEvent[] {
    const events = super.update(out);
    const { reference } = this;
    if (reference !== null)
      this.compare(
        'update',
        [],
        events,
        this.colliders.guard(() => reference.update()),
      );
    return events;
  }

  override restore(snapshot: WorldSnapshot, poseOf?: (id: number) => ReadonlyPose | undefined): void {
    super.restore(snapshot, poseOf);
    this.reference?.restore(this.snapshot().pairs);
  }

  private compare(
    query: QueryName | 'update',
    args: readonly unknown[],
    answer: unknown,
    expected: unknown,
  ): void {
    if (!isSame(answer, expected))
      this.report(new WorldMismatch(query, args, copy(answer), expected, this.log?.dump() ?? []));
  }
}

function raise(mismatch: WorldMismatch): never {
  throw mismatch;
}

const toText = (value: unknown): string =>
  JSON.stringify(value, (key, part) => {
    if (key === 'shape') return part.kind; // the whole of it may be a mesh
    if (part instanceof Set) return [...part];
    return typeof part === 'number' && part * 0 !== 0 ? String(part) : part;
  }) ?? String(value);

/** Answers may be in records of the user's, who goes on writing to them. */
function copy(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(copy);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, copy(value)]));
}

/** The same numbers in the same fields? */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [from, to] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(to);
  if (Array.isArray(a) && a.length !== keys.length) return false;
  return keys.every((key) => isSame(from[key], to[key]));
}
