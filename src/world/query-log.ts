/** The last queries of a world, to look at and to run again. RTCD §2.7. */
import { mustBeList, mustBeOneOf, mustBeWhole, mustHave } from '../math/check.ts';

/** The queries of a world by the names of their methods. */
export type QueryName = 'raycast' | 'cast' | 'overlaps' | 'nearest' | 'contacts';

/** @internal */
export const QUERY_NAMES: readonly QueryName[] = ['raycast', 'cast', 'overlaps', 'nearest', 'contacts'];

/** A query and its arguments: copies, but for shapes and predicates, and without `out`. */
export interface LoggedQuery {
  readonly query: QueryName;
  readonly args: readonly unknown[];
}

/** Keeps the last queries, up to a number of them. */
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

  /** Keeps a copy of a query, and forgets the oldest when it is full. */
  add(query: QueryName, args: readonly unknown[]): LoggedQuery {
    const logged: LoggedQuery = { query, args: args.map(copyOf) };
    if (this.ring.length < this.capacity) this.ring.push(logged);
    else {
      this.ring[this.next] = logged;
      this.next = (this.next + 1) % this.capacity;
    }
    return logged;
  }

  /** The queries that are left, the oldest first. */
  dump(): LoggedQuery[] {
    return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)];
  }

  clear(): void {
    this.ring.length = 0;
    this.next = 0;
  }
}

/** Runs the queries of a log in a world, one after the other, and returns the answers. */
export function replayQueries(
  world: Readonly<Record<QueryName, (...args: never[]) => unknown>>,
  queries: readonly LoggedQuery[],
): unknown[] {
  mustHave('replayQueries', 'world', world, 'a World', 'raycast');
  mustBeList('replayQueries', 'queries', queries);
  return queries.map((logged, i) => {
    mustBeLogged('replayQueries', `queries[${i}]`, logged);
    return world[logged.query](...(logged.args as never[]));
  });
}

/** @internal */
export function mustBeLogged(caller: string, name: string, logged: LoggedQuery): void {
  mustHave(caller, name, logged, 'a query of a world', 'query');
  mustBeOneOf(caller, `${name}.query`, logged.query, QUERY_NAMES);
  mustBeList(caller, `${name}.args`, logged.args);
}

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
  const fields = Object.entries(value).filter(([key]) => key !== 'out');
  return Object.fromEntries(fields.map(([key, part]) => [key, copyOf(part)]));
}
