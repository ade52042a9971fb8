/** A world as plain data. */
import { refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import type { Shape } from '../shapes/shape.ts';
import { Entry, mustBeLivePose, type Use } from './entry.ts';
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
  return { version: 1, nextId, shapes: [...shapes.keys()], colliders, pairs: rows.flat() };
}

/** The colliders of a snapshot. Refuses what is not one, before anything is changed. @internal */
export function entriesOf(
  caller: string,
  snapshot: WorldSnapshot,
  poseOf: (id: number) => ReadonlyPose | undefined,
): Entry[] {
  if (typeof snapshot !== 'object' || snapshot === null || snapshot.version !== 1)
    throw new TypeError(`graze: ${caller}: snapshot must be one that World.snapshot made`);
  let last = 0;
  return snapshot.colliders.map((saved): Entry => {
    const { id, pose, owner, group, mask, sensor, fixed, uses, data } = saved;
    if (!(Number.isInteger(id) && id > last && id < snapshot.nextId))
      refuse(caller, 'snapshot', `must have ascending numbers of colliders below nextId, got ${id}`);
    last = id;
    const shape = snapshot.shapes[saved.shape];
    if (typeof shape?.kind !== 'string')
      refuse(caller, 'snapshot', `must have a shape for collider ${id}, got ${String(shape)}`);
    const [x = Number.NaN, y = x, z = x, qx = x, qy = x, qz = x, qw = Number.NaN] = pose;
    const at = makePose();
    Object.assign(at.position, { x, y, z });
    Object.assign(at.quaternion, { x: qx, y: qy, z: qz, w: qw });
    mustBeLivePose(caller, id, at);
    const entry = new Entry(id, shape, poseOf(id) ?? at);
    entry.set(caller, { group, mask, sensor, fixed, owner: owner ?? undefined, uses, data });
    entry.measure();
    entry.stand(at);
    entry.dirty = saved.changed;
    return entry;
  });
}

/** @internal */
export function restorePairs({ pairs }: WorldSnapshot, table: PairTable): void {
  table.clear();
  for (let i = 0; i < pairs.length; i += 3) {
    const row = table.insert(pairs[i]!, pairs[i + 1]!);
    table.flags[row] = TOLD | TOUCHING | (pairs[i + 2] === 1 ? SENSOR : 0);
  }
}
