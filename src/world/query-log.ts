/** The last questions that a world was asked, to look at and to ask again. RTCD §2.7. */
import { mustBeList, mustBeOneOf, mustBeWhole, mustHave } from '../math/check.ts';
import type { World } from './world.ts';

/** The questions by the names of their methods. */
export type QuestionName =
  | 'raycast'
  | 'raycastAny'
  | 'raycastAll'
  | 'cast'
  | 'castAll'
  | 'overlaps'
  | 'nearest'
  | 'contacts';

/** A question and what it was asked with: copies, but for shapes and predicates. */
export interface LoggedQuery {
  readonly question: QuestionName;
  readonly args: readonly unknown[];
}

/** Keeps the last questions, up to a number of them. */
export class QueryLog {
  readonly capacity: number;
  private readonly ring: LoggedQuery[] = [];
  /** Where the next one goes, once the ring is full: that of the oldest. */
  private next = 0;

  constructor(capacity = 256) {
    mustBeWhole('QueryLog', 'capacity', capacity, 1, Infinity);
    this.capacity = capacity;
  }

  get size(): number {
    return this.ring.length;
  }

  /** Keeps a copy of a question, and forgets the oldest if there is no more room. */
  add(question: QuestionName, args: readonly unknown[]): LoggedQuery {
    const query: LoggedQuery = { question, args: args.map(copyOf) };
    if (this.ring.length < this.capacity) this.ring.push(query);
    else {
      this.ring[this.next] = query;
      this.next = (this.next + 1) % this.capacity;
    }
    return query;
  }

  /** The questions that are left, the oldest first. */
  dump(): LoggedQuery[] {
    return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)];
  }

  clear(): void {
    this.ring.length = 0;
    this.next = 0;
  }
}

/** Asks a world the questions of a log, one after the other, and returns the answers. */
export function replayQueries(world: World, queries: readonly LoggedQuery[]): unknown[] {
  mustHave('replayQueries', 'world', world, 'a World', 'raycast');
  mustBeList('replayQueries', 'queries', queries);
  return queries.map((query, i) => {
    mustHave('replayQueries', `queries[${i}]`, query, 'a question to a world', 'question');
    const { question, args } = query;
    mustBeList('replayQueries', `queries[${i}].args`, args);
    mustBeOneOf('replayQueries', `queries[${i}].question`, question, QUESTION_NAMES);
    const method = world[question] as (...args: readonly unknown[]) => unknown;
    return method.apply(world, [...args]);
  });
}

/** @internal */
export const QUESTION_NAMES: readonly QuestionName[] = [
  'raycast',
  'raycastAny',
  'raycastAll',
  'cast',
  'castAll',
  'overlaps',
  'nearest',
  'contacts',
];

/** Geometry is copied field by field: what comes from a scene graph drags its parents and children along. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('shape' in value && 'pose' in value) return { shape: value.shape, pose: copyOf(value.pose) };
  if ('kind' in value) return value; // a shape
  if ('position' in value && 'quaternion' in value)
    return { position: copyOf(value.position), quaternion: copyOf(value.quaternion) };
  if ('x' in value && 'y' in value && 'z' in value) {
    const { x, y, z } = value;
    return 'w' in value ? { x, y, z, w: value.w } : { x, y, z };
  }
  if ('origin' in value && 'direction' in value)
    return { origin: copyOf(value.origin), direction: copyOf(value.direction) };
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Set) return new Set(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
}
