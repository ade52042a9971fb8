/** A world as plain data. */
import {
  describe,
  mustBeBoolean,
  mustBeList,
  mustBeWhole,
  refuse,
  refuseNumber,
  refuseType,
} from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import { isShape } from '../shapes/check.ts';
import type { Shape } from '../shapes/shape.ts';
import { ColliderRecord, mustBeBits, mustBeGoodPose, type Use } from './collider-record.ts';
import type { ColliderSet } from './collider-set.ts';

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
  /** The kind of the broad phase: 'tree', 'sweep', 'grid', 'incremental sweep', 'bit grid', or what your own is called. */
  readonly broadPhase?: string;
  /** The number of the collider that is added next. */
  readonly nextId: number;
  readonly shapes: readonly Shape[];
  readonly colliders: readonly ColliderSnapshot[];
  /** The pairs that touched at the last update: a, b and 1 if one was a sensor, one after the other; sorted. */
  readonly pairs: readonly number[];
  /** The numbers of colliders that these pairs name, and that have been removed since; ascending. */
  readonly removed: readonly number[];
}

const kindOf = ({ broadPhase }: ColliderSet): string => broadPhase.kind ?? 'custom';

/** @internal */
export function takeSnapshot(all: ColliderSet, nextId: number, pairs: readonly number[]): WorldSnapshot {
  const shapes = new Map<Shape, number>();
  const rows = all.sorted();
  const colliders = rows.records.map((record): ColliderSnapshot => {
    const { id, shape, pose, group, mask, sensor, fixed, owner = null, uses, data } = record;
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
      owner,
      uses,
      changed: rows.isDirty(record),
      data,
    };
  });
  const removed = new Set(pairs.filter((id, i) => i % 3 < 2 && !all.byId.has(id)));
  return {
    version: 1,
    broadPhase: kindOf(all),
    nextId,
    shapes: [...shapes.keys()],
    colliders,
    pairs,
    removed: [...removed].sort((a, b) => a - b),
  };
}

/** What a snapshot says, checked and copied. @internal */
export interface ReadSnapshot {
  readonly records: ColliderRecord[];
  /** Those of them that had changed since the last update. */
  readonly changed: ReadonlySet<ColliderRecord>;
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
  into: ColliderSet,
  poseOf: (id: number) => ReadonlyPose | undefined,
): ReadSnapshot {
  if (!isRecord(snapshot) || snapshot.version !== 1)
    refuseType(caller, 'snapshot', 'one that World.snapshot made', snapshot);
  const { broadPhase = kindOf(into), nextId, shapes, colliders, pairs, removed } = snapshot;
  if (broadPhase !== kindOf(into))
    refuse(
      caller,
      'snapshot.broadPhase',
      `is ${describe(broadPhase)}, and this world has ${kindOf(into)}: make it with the same broad phase`,
    );
  mustBeWhole(caller, 'snapshot.nextId', nextId, 1, LARGEST_ID);
  for (const [name, list] of Object.entries({ shapes, colliders, pairs, removed }))
    mustBeList(caller, `snapshot.${name}`, list);
  for (let i = 0; i < shapes.length; i++)
    if (!isShape(shapes[i])) refuseType(caller, `snapshot.shapes[${i}]`, 'a shape', shapes[i]);
  const records: ColliderRecord[] = [];
  const changed = new Set<ColliderRecord>();
  for (let i = 0; i < colliders.length; i++) {
    const name = `snapshot.colliders[${i}]`;
    const saved = colliders[i]!;
    if (!isRecord(saved)) refuseType(caller, name, 'a collider', saved);
    const { id } = saved;
    if (!(isId(id) && id > (records[i - 1]?.id ?? 0) && id < nextId))
      refuseNumber(caller, `${name}.id`, 'above the last and below nextId', id);
    const record = readCollider(caller, name, saved, shapes, poseOf(id));
    records.push(record);
    if (saved.changed) changed.add(record);
  }
  const ids = new Set(records.map(({ id }) => id));
  const named = new Set(pairs.filter((_, i) => i % 3 < 2));
  for (let i = 0; i < removed.length; i++) {
    const id = removed[i];
    if (!(isId(id) && id > (removed[i - 1] ?? 0) && id < nextId && !ids.has(id) && named.has(id)))
      refuseNumber(
        caller,
        `snapshot.removed[${i}]`,
        'above the last, below nextId, no collider and in a pair',
        id,
      );
  }
  for (const id of removed) ids.add(id);
  return { records, changed, nextId, pairs: readPairs(caller, pairs, ids) };
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What flat arrays of pairs can hold. */
const LARGEST_ID = 0x7fffffff;
const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_ID;

function readCollider(
  caller: string,
  name: string,
  saved: ColliderSnapshot,
  shapes: readonly Shape[],
  live: ReadonlyPose | undefined,
): ColliderRecord {
  const { id, pose, owner, group, mask, sensor, fixed, uses, changed, data } = saved;
  const shape = Number.isInteger(saved.shape) ? shapes[saved.shape] : undefined;
  if (!shape) refuseNumber(caller, `${name}.shape`, 'the index of a shape in snapshot.shapes', saved.shape);
  if (!(Array.isArray(pose) && pose.length === 7 && pose.every((x) => typeof x === 'number')))
    refuseType(caller, `${name}.pose`, 'a list of 7 numbers', pose);
  // All that a collider may be made without is there.
  mustBeBits(caller, `${name}.group`, group);
  mustBeBits(caller, `${name}.mask`, mask);
  mustBeBoolean(caller, `${name}.sensor`, sensor);
  mustBeBoolean(caller, `${name}.fixed`, fixed);
  mustBeBoolean(caller, `${name}.changed`, changed);
  mustBeList(caller, `${name}.uses`, uses);
  const at = makePose();
  const [x, y, z, qx, qy, qz, qw] = pose;
  Object.assign(at.position, { x, y, z });
  Object.assign(at.quaternion, { x: qx, y: qy, z: qz, w: qw });
  mustBeGoodPose(caller, id, at);
  if (live !== undefined && !(isRecord(live) && isRecord(live.position) && isRecord(live.quaternion)))
    refuseType(caller, `poseOf(${id})`, 'a pose {position, quaternion}', live);
  const record = new ColliderRecord(id, shape, live ?? at);
  record.set(caller, { group, mask, sensor, fixed, owner: owner ?? undefined, uses, data }, name);
  poseRecord(caller, `snapshot.shapes[${saved.shape}]`, record, at);
  return record;
}

/** Puts the collider where it stood. A shape that was taken apart, such as one that has been JSON, has no bounds. */
function poseRecord(caller: string, name: string, record: ColliderRecord, at: ReadonlyPose): void {
  const wanted = 'a shape that graze made';
  try {
    record.measure();
    record.moveTo(at);
  } catch {
    refuseType(caller, name, wanted, record.shape);
  }
  const { min, max } = record.rotatedBox;
  if (!(min.x <= max.x && min.y <= max.y && min.z <= max.z)) refuseType(caller, name, wanted, record.shape);
}

function readPairs(caller: string, pairs: readonly number[], ids: ReadonlySet<number>): number[] {
  if (pairs.length % 3 !== 0)
    refuse(caller, 'snapshot.pairs', `must hold three numbers a pair, got ${pairs.length} numbers`);
  for (let i = 0; i < pairs.length; i += 3) {
    const [a, b, sensor] = [pairs[i], pairs[i + 1], pairs[i + 2]];
    const refusePair = (reason: string): never =>
      refuse(caller, `snapshot.pairs[${i}]`, `${reason}, got ${[a, b, sensor].map(describe).join(', ')}`);
    if (!(ids.has(a!) && ids.has(b!))) refusePair('must be numbers of colliders');
    if (!(a! < b!)) refusePair('must have the lower number first');
    if (sensor !== 0 && sensor !== 1) refusePair('must have 0 or 1 as the third number');
    if (i > 0 && !(a! > pairs[i - 3]! || (a === pairs[i - 3] && b! > pairs[i - 2]!)))
      refusePair('must come after the last, once');
  }
  return pairs.slice();
}
