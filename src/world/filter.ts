/** Which colliders meet, and which a query sees. */
import {
  ANY_FINITE,
  mustBeBoolean,
  mustBeCoordinate,
  mustBeFunction,
  mustBeOptions,
  refuseType,
} from '../math/check.ts';
import { type ColliderRecord, mustBeBits, USE_EVENT, type WorldCollider } from './collider-record.ts';

/** Which colliders a query sees. */
export interface Filter {
  /** Bits of the groups that the query is in: colliders whose mask has none of them are skipped. */
  readonly group?: number;
  /** Bits of the groups that it looks at. Default: all. */
  readonly mask?: number;
  /** Colliders to be skipped: a number, a list or a set. */
  readonly ignore?: number | readonly number[] | ReadonlySet<number>;
  /** Colliders of this owner are skipped. */
  readonly owner?: number;
  /** Sensors are seen, too. Default: false. */
  readonly sensors?: boolean;
  /** Called last, with what might be an answer; false skips it. It may query the world but not change it. */
  readonly predicate?: (collider: WorldCollider) => boolean;
}

/** Do two colliders meet? */
export type PairFilter = (a: WorldCollider, b: WorldCollider) => boolean;

/** Everything but sensors. */
export const NO_FILTER: Filter = {};

/** @internal */
export function mustBeFilter(caller: string, filter: Filter): void {
  if (typeof filter !== 'object' || filter === null) refuseType(caller, 'filter', 'a filter', filter);
  mustBeOptions(caller, 'filter', filter, 'group mask ignore owner sensors predicate');
  const { group, mask, owner, predicate, ignore, sensors } = filter;
  if (group !== undefined) mustBeBits(caller, 'filter.group', group);
  if (mask !== undefined) mustBeBits(caller, 'filter.mask', mask);
  if (owner !== undefined) mustBeCoordinate(caller, 'filter.owner', owner, ANY_FINITE);
  if (predicate !== undefined) mustBeFunction(caller, 'filter.predicate', predicate);
  if (sensors !== undefined) mustBeBoolean(caller, 'filter.sensors', sensors);
  if (ignore !== undefined && typeof ignore !== 'number' && !Array.isArray(ignore) && !isSet(ignore))
    refuseType(caller, 'filter.ignore', 'a number, a list or a set', ignore);
}

const isSet = (value: unknown): boolean =>
  typeof (value as Partial<ReadonlySet<number>> | null)?.has === 'function';

/** Does the query see the collider, as far as bits, numbers and sensors go? @internal */
export function sees(filter: Filter, use: number, record: ColliderRecord): boolean {
  if ((record.useBits & use) === 0) return false;
  if (filter === NO_FILTER) return !record.sensor;
  const { group, mask, ignore, owner } = filter;
  if (record.sensor && filter.sensors !== true) return false;
  if (mask !== undefined && (record.group & mask) === 0) return false;
  if (group !== undefined && (record.mask & group) === 0) return false;
  if (owner !== undefined && record.owner === owner) return false;
  return ignore === undefined || !isIgnored(ignore, record.id);
}

function isIgnored(ignore: NonNullable<Filter['ignore']>, id: number): boolean {
  if (typeof ignore === 'number') return ignore === id;
  return 'has' in ignore ? ignore.has(id) : ignore.includes(id);
}

/** Do two colliders meet, as far as groups, masks and owners go? @internal */
export function mayTouch(a: ColliderRecord, b: ColliderRecord): boolean {
  return (
    (a.group & b.mask) !== 0 && (b.group & a.mask) !== 0 && (a.owner === undefined || a.owner !== b.owner)
  );
}

/** Do they have events? @internal */
export const mayMeet = (a: ColliderRecord, b: ColliderRecord): boolean =>
  (a.useBits & b.useBits & USE_EVENT) !== 0 && !(a.fixed && b.fixed) && mayTouch(a, b);
