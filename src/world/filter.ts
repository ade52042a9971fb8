/** Who meets whom, and whom a question sees. */
import {
  ANY_FINITE,
  mustBeBoolean,
  mustBeCoordinate,
  mustBeFunction,
  mustBeOptions,
  refuseType,
} from '../math/check.ts';
import { type Entry, mustBeBits, USE_EVENT, type WorldCollider } from './entry.ts';

/** What a question passes over. */
export interface Filter {
  /** Bits of the groups that the question is in: colliders whose mask has none of them are passed over. */
  readonly group?: number;
  /** Bits of the groups that it looks at. All unless told otherwise. */
  readonly mask?: number;
  /** Colliders to be passed over: a number, a list or a set. */
  readonly ignore?: number | readonly number[] | ReadonlySet<number>;
  /** Colliders of this owner are passed over. */
  readonly owner?: number;
  /** Sensors are seen, too. False unless told otherwise. */
  readonly sensors?: boolean;
  /** Asked last, for what might be an answer; false passes it over. It may ask the world but not change it. */
  readonly predicate?: (collider: WorldCollider) => boolean;
}

/** Do two colliders meet, as far as the one tells whether it meets the other? */
export type PairFilter = (a: WorldCollider, b: WorldCollider) => boolean;

/** Everything but sensors. */
export const NO_FILTER: Filter = {};

/** @internal */
export function mustBeFilter(caller: string, filter: Filter): void {
  if (typeof filter !== 'object' || filter === null) refuseType(caller, 'filter', 'a filter', filter);
  for (const key in filter) if (!isFilterField(key)) mustBeOptions(caller, 'filter', filter, FIELDS);
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

const FIELDS = 'group mask ignore owner sensors predicate';

/** A comparison of words that V8 knows: nothing is made, as this is asked of every question. */
function isFilterField(key: string): boolean {
  switch (key) {
    case 'group':
    case 'mask':
    case 'ignore':
    case 'owner':
    case 'sensors':
    case 'predicate':
      return true;
    default:
      return false;
  }
}

/** Does the question see the collider, as far as bits, numbers and sensors go? @internal */
export function sees(filter: Filter, use: number, entry: Entry): boolean {
  if ((entry.useBits & use) === 0) return false;
  if (filter === NO_FILTER) return !entry.sensor;
  const { group, mask, ignore, owner } = filter;
  if (entry.sensor && filter.sensors !== true) return false;
  if (mask !== undefined && (entry.group & mask) === 0) return false;
  if (group !== undefined && (entry.mask & group) === 0) return false;
  if (owner !== undefined && entry.owner === owner) return false;
  return ignore === undefined || !isIgnored(ignore, entry.id);
}

function isIgnored(ignore: NonNullable<Filter['ignore']>, id: number): boolean {
  if (typeof ignore === 'number') return ignore === id;
  return 'has' in ignore ? ignore.has(id) : ignore.includes(id);
}

/** Do two colliders meet, as far as groups, masks and owners go? @internal */
export function mayTouch(a: Entry, b: Entry): boolean {
  return (
    (a.group & b.mask) !== 0 && (b.group & a.mask) !== 0 && (a.owner === undefined || a.owner !== b.owner)
  );
}

/** Do they have events? @internal */
export const mayMeet = (a: Entry, b: Entry): boolean =>
  (a.useBits & b.useBits & USE_EVENT) !== 0 && !(a.fixed && b.fixed) && mayTouch(a, b);
