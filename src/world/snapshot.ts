/** A world as plain data. */
import { refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import { isShape } from '../shapes/check.ts';
import type { Shape } from '../shapes/shape.ts';
import { Entry, mustBeLivePose, USES, type Use } from './entry.ts';
import { type PairTable, SENSOR, TOLD, TOUCHING } from './pair-table.ts';

/** A collider of a snapshot. */
export interface ColliderSnapshot {
  readonly id: number;
  /** Where its shape is in the list of shapes. */
  readonly shape: number;
  /** Position x, y, z, quaternion x, y, z, w: as the world knows it. */
  readonly pose: readonly number[];
  readonly group: number;
  readonly mask: number;
  readonly sensor: boolean;
  readonly fixed: boolean;
  /** Null for none. */
  readonly owner: number | null;
  readonly uses: readonly Use[];
  /** Something about it has changed since the last update. */
  readonly changed: boolean;
  readonly data: unknown;
}

/**
 * All that a world knows, as plain data: it can be cloned, and turned to JSON and back if what the user has put in `data`
 * can, and if shapes are replaced by their names there: they are the very objects.
 */
export interface WorldSnapshot {
  readonly version: 1;
  /** The number of the collider that is added next. */
  readonly nextId: number;
  readonly shapes: readonly Shape[];
  readonly colliders: readonly ColliderSnapshot[];
  /** The pairs that touched at the last update: a, b and 1 if one was a sensor, one after the other; sorted. */
  readonly pairs: readonly number[];
  /** The numbers of colliders that these pairs name, and that have been removed since; ascending. */
  readonly removed: readonly number[];
}

/** @internal */
export function takeSnapshot(entries: readonly Entry[], nextId: number, table: PairTable): WorldSnapshot {
  const shapes = new Map<Shape, number>();
  const colliders = entries.map((entry): ColliderSnapshot => {
    const { id, shape, pose, group, mask, sensor, fixed, owner, uses, dirty, data } = entry;
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
    const { position: p, quaternion: q } = pose;
    return {
      id,
      shape: shapes.get(shape)!,
      pose: [p.x, p.y, p.z, q.x, q.y, q.z, q.w],
      group,
      mask,
      sensor,
      fixed,
      owner: owner ?? null,
      uses,
      changed: dirty,
      data,
    };
  });
  const rows: [number, number, number][] = [];
  for (let row = 0; row < table.count; row++)
    if (table.flags[row]! & TOLD)
      rows.push([table.a[row]!, table.b[row]!, table.flags[row]! & SENSOR ? 1 : 0]);
  rows.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const present = new Set(entries.map(({ id }) => id));
  const named = new Set([...rows.map(([a]) => a), ...rows.map(([, b]) => b)]);
  const removed = [...named].filter((id) => !present.has(id)).sort((a, b) => a - b);
  return { version: 1, nextId, shapes: [...shapes.keys()], colliders, pairs: rows.flat(), removed };
}

/** What a snapshot says, checked and copied. @internal */
export interface ReadSnapshot {
  readonly entries: Entry[];
  readonly nextId: number;
  readonly pairs: number[];
}

/**
 * Reads a snapshot: every field is looked at, and named if it is not what it should be, before anything is changed.
 *
 * @internal
 */
export function readSnapshot(
  caller: string,
  snapshot: WorldSnapshot,
  poseOf: (id: number) => ReadonlyPose | undefined,
): ReadSnapshot {
  if (!isRecord(snapshot) || snapshot.version !== 1)
    throw new TypeError(`graze: ${caller}: snapshot must be one that World.snapshot made`);
  const { nextId, shapes, colliders, pairs, removed } = snapshot;
  if (!isId(nextId))
    refuse(caller, 'snapshot.nextId', `must be a whole number from 1 on, got ${told(nextId)}`);
  for (const [name, list] of Object.entries({ shapes, colliders, pairs, removed }))
    if (!Array.isArray(list))
      throw new TypeError(`graze: ${caller}: snapshot.${name} must be a list, got ${told(list)}`);
  for (let i = 0; i < shapes.length; i++)
    if (!isShape(shapes[i]))
      throw new TypeError(`graze: ${caller}: snapshot.shapes[${i}] must be a shape, got ${told(shapes[i])}`);
  const entries: Entry[] = [];
  for (let i = 0; i < colliders.length; i++) {
    const name = `snapshot.colliders[${i}]`;
    const saved = colliders[i]!;
    if (!isRecord(saved))
      throw new TypeError(`graze: ${caller}: ${name} must be a collider, got ${told(saved)}`);
    const { id } = saved;
    if (!(isId(id) && id > (entries[i - 1]?.id ?? 0) && id < nextId))
      refuse(caller, `${name}.id`, `must be above the last and below nextId, got ${told(id)}`);
    entries.push(readCollider(caller, name, saved, shapes, poseOf(id)));
  }
  const ids = new Set(entries.map(({ id }) => id));
  for (let i = 0; i < removed.length; i++) {
    const id = removed[i];
    const isNamed = pairs.some((other, k) => k % 3 < 2 && other === id);
    if (!(isId(id) && id > (removed[i - 1] ?? 0) && id < nextId && !ids.has(id) && isNamed))
      refuse(
        caller,
        `snapshot.removed[${i}]`,
        `must be above the last, below nextId, no collider and in a pair, got ${told(id)}`,
      );
  }
  for (const id of removed) ids.add(id);
  return { entries, nextId, pairs: readPairs(caller, pairs, ids) };
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What the table of pairs can hold. */
const LARGEST_ID = 0x7fffffff;
const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_ID;

/** A value in words; an object as what it is, since it may have no words of its own. */
const told = (value: unknown): string =>
  value === null
    ? 'null'
    : typeof value === 'object' || typeof value === 'function'
      ? `an ${typeof value}`
      : String(value);

function readCollider(
  caller: string,
  name: string,
  saved: ColliderSnapshot,
  shapes: readonly Shape[],
  live: ReadonlyPose | undefined,
): Entry {
  const { id, pose, owner, group, mask, sensor, fixed, uses, changed, data } = saved;
  const shape = Number.isInteger(saved.shape) ? shapes[saved.shape] : undefined;
  if (!shape)
    refuse(
      caller,
      `${name}.shape`,
      `must be the place of a shape in snapshot.shapes, got ${told(saved.shape)}`,
    );
  if (!(Array.isArray(pose) && pose.length === 7 && pose.every((x) => typeof x === 'number')))
    refuse(caller, `${name}.pose`, 'must be a list of 7 numbers');
  for (const [key, value] of Object.entries({ sensor, fixed, changed }))
    if (typeof value !== 'boolean')
      throw new TypeError(`graze: ${caller}: ${name}.${key} must be true or false, got ${told(value)}`);
  for (const [key, bits] of Object.entries({ group, mask }))
    if (!(Number.isInteger(bits) && bits >= -0x80000000 && bits <= 0xffffffff))
      refuse(caller, `${name}.${key}`, `must be a whole number of 32 bits, got ${told(bits)}`);
  if (!(owner === null || owner === undefined || Number.isFinite(owner)))
    refuse(caller, `${name}.owner`, `must be a finite number or null, got ${told(owner)}`);
  if (!(Array.isArray(uses) && uses.every((use) => USES.includes(use))))
    refuse(caller, `${name}.uses`, `must be a list of some of ${USES.join(', ')}`);
  const at = makePose();
  const [x, y, z, qx, qy, qz, qw] = pose as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  Object.assign(at.position, { x, y, z });
  Object.assign(at.quaternion, { x: qx, y: qy, z: qz, w: qw });
  mustBeLivePose(caller, id, at);
  if (live !== undefined && !(isRecord(live) && isRecord(live.position) && isRecord(live.quaternion)))
    throw new TypeError(`graze: ${caller}: poseOf(${id}) must have a position and a quaternion`);
  const entry = new Entry(id, shape, live ?? at);
  entry.set(caller, { group, mask, sensor, fixed, owner: owner ?? undefined, uses, data });
  mustHaveBounds(caller, `snapshot.shapes[${saved.shape}]`, entry, at);
  entry.dirty = changed;
  return entry;
}

/** Puts the collider where it stood. A shape that was taken apart, such as one that has been JSON, has no bounds. */
function mustHaveBounds(caller: string, name: string, entry: Entry, at: ReadonlyPose): void {
  try {
    entry.measure();
    entry.stand(at);
  } catch {
    throw new TypeError(`graze: ${caller}: ${name} must be a shape that graze made`);
  }
  const { min, max } = entry.tight;
  if (!(min.x <= max.x && min.y <= max.y && min.z <= max.z))
    throw new TypeError(`graze: ${caller}: ${name} must be a shape that graze made`);
}

function readPairs(caller: string, pairs: readonly number[], ids: ReadonlySet<number>): number[] {
  if (pairs.length % 3 !== 0)
    refuse(caller, 'snapshot.pairs', `must hold three numbers a pair, got ${pairs.length} numbers`);
  for (let i = 0; i < pairs.length; i += 3) {
    const [a, b, sensor] = [pairs[i], pairs[i + 1], pairs[i + 2]];
    const wrong = (reason: string): never =>
      refuse(caller, `snapshot.pairs[${i}]`, `${reason}, got ${told(a)}, ${told(b)}, ${told(sensor)}`);
    if (!(ids.has(a!) && ids.has(b!))) wrong('must be numbers of colliders');
    if (!(a! < b!)) wrong('must have the lower number first');
    if (sensor !== 0 && sensor !== 1) wrong('must have 0 or 1 as the third number');
    if (i > 0 && !(a! > pairs[i - 3]! || (a === pairs[i - 3] && b! > pairs[i - 2]!)))
      wrong('must come after the last, once');
  }
  return pairs.slice();
}

/** @internal */
export function restorePairs(pairs: readonly number[], table: PairTable): void {
  table.clear();
  for (let i = 0; i < pairs.length; i += 3) {
    const row = table.insert(pairs[i]!, pairs[i + 1]!);
    table.flags[row] = TOLD | TOUCHING | (pairs[i + 2] === 1 ? SENSOR : 0);
  }
}
