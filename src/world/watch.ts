/** Keeps a log of the questions that a world is asked, and holds its answers against those of asking every collider. */
import type { BruteWorld } from './brute-world.ts';
import type { PairEvent } from './pair-keeper.ts';
import type { LoggedQuery, QueryLog, QuestionName } from './query-log.ts';

/** An answer of a world that is not that of asking every collider: a mistake in this library, or in a broad phase. */
export class WorldMismatch extends Error {
  readonly question: QuestionName | 'update';
  /** What it was asked with. */
  readonly args: readonly unknown[];
  readonly answer: unknown;
  readonly expected: unknown;
  /** The questions before, if the world keeps a log. */
  readonly log: readonly LoggedQuery[];

  constructor(
    question: QuestionName | 'update',
    args: readonly unknown[],
    answer: unknown,
    expected: unknown,
    log: readonly LoggedQuery[],
  ) {
    super(
      `graze: World.${question}(${args.map(words).join(', ')}) answered ${words(answer)}, but asking every collider gives ${words(expected)}`,
    );
    this.name = 'WorldMismatch';
    this.question = question;
    this.args = args;
    this.answer = answer;
    this.expected = expected;
    this.log = log;
  }
}

/** Told of the first answer that is wrong, and of all others. */
export type MismatchReport = (mismatch: WorldMismatch) => void;

const words = (value: unknown): string =>
  JSON.stringify(value, (key, part) => {
    if (key === 'shape') return part.kind; // the whole of it may be a mesh
    if (part instanceof Set) return [...part];
    return typeof part === 'number' && part * 0 !== 0 ? String(part) : part;
  }) ?? String(value);

/** @internal */
export class Watch {
  readonly log: QueryLog | null;
  readonly brute: BruteWorld | null;
  private readonly report: MismatchReport;

  constructor(log: QueryLog | null, brute: BruteWorld | null, report: MismatchReport) {
    this.log = log;
    this.brute = brute;
    this.report = report;
  }

  /** Before the question is answered, so that it is in the log even if that throws. */
  note(question: QuestionName, args: readonly unknown[]): LoggedQuery {
    return this.log?.add(question, args) ?? { question, args };
  }

  judge<T>({ question, args }: LoggedQuery, answer: T): T {
    if (this.brute === null) return answer;
    const ask = this.brute[question] as (...args: readonly unknown[]) => unknown;
    this.compare(question, args, answer, ask.apply(this.brute, [...args]));
    return answer;
  }

  judgeUpdate(events: PairEvent[]): PairEvent[] {
    if (this.brute !== null) this.compare('update', [], events, this.brute.update());
    return events;
  }

  private compare(
    question: QuestionName | 'update',
    args: readonly unknown[],
    answer: unknown,
    expected: unknown,
  ): void {
    if (!isSame(answer, expected))
      this.report(new WorldMismatch(question, args, copy(answer), expected, this.log?.dump() ?? []));
  }
}

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
