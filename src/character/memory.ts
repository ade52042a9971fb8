/** Where the colliders near a character stood when it last moved: it tells who has moved since, and how fast. */
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

interface Seen {
  count: number;
  ids: Int32Array;
  /** Seven numbers each: position and quaternion. */
  poses: Float64Array;
}

const makeSeen = (): Seen => ({ count: 0, ids: new Int32Array(4), poses: new Float64Array(7 * 4) });

const turn = quat(0.5, 0.5, 0.5, 0.5);
const from = vec3(0.5, 0.5, 0.5);

export class Memory {
  private old = makeSeen();
  private now = makeSeen();

  /** A move begins: what was now is old. */
  next(): void {
    const { old } = this;
    this.old = this.now;
    this.now = old;
    old.count = 0;
  }

  /** The move came to nothing: what was now before it is now again. */
  undo(): void {
    const { now } = this;
    this.now = this.old;
    this.old = now;
    now.count = 0;
  }

  /** All that was seen is forgotten. */
  clear(): void {
    this.now.count = 0;
  }

  /** Keeps where a collider stands. Did it stand there before? False if it was not near. */
  note(id: number, pose: ReadonlyPose): boolean {
    const { now } = this;
    // Twice in the list, if the move gathers twice, it stands in the same place.
    append(now, id, pose);
    const at = find(this.old, id, now.count - 1);
    return at >= 0 && isAt(this.old.poses, 7 * at, pose);
  }

  /**
   * From a point to where a collider has taken what was at rest on it there. False, and 0, if the collider was neither
   * moved nor turned, or was not near before.
   */
  shift(id: number, pose: ReadonlyPose, point: ReadonlyVec3, out: Vec3): boolean {
    const { poses } = this.old;
    const at = 7 * find(this.old, id, 0);
    if (at < 0 || isAt(poses, at, pose)) {
      v3.set(0, 0, 0, out);
      return false;
    }
    const { x, y, z } = point;
    const { position: p, quaternion: q } = pose;
    v3.set(poses[at]!, poses[at + 1]!, poses[at + 2]!, from);
    q4.set(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, turn);
    q4.normalize(turn, turn);
    v3.set(x - from.x, y - from.y, z - from.z, out);
    v3.rotateInverse(out, turn, out);
    v3.rotate(out, q4.normalize(q, turn), out);
    v3.set(out.x + p.x - x, out.y + p.y - y, out.z + p.z - z, out);
    return true;
  }
}

/** The place of a collider in a list, looked for first where it is likely; -1 for none. */
function find({ ids, count }: Seen, id: number, likely: number): number {
  if (likely < count && ids[likely] === id) return likely;
  for (let i = 0; i < count; i++) if (ids[i] === id) return i;
  return -1;
}

function append(seen: Seen, id: number, { position, quaternion }: ReadonlyPose): void {
  if (seen.count === seen.ids.length) {
    const { ids, poses } = seen;
    seen.ids = new Int32Array(2 * ids.length);
    seen.ids.set(ids);
    seen.poses = new Float64Array(2 * poses.length);
    seen.poses.set(poses);
  }
  const { poses } = seen;
  const at = 7 * seen.count;
  poses[at] = position.x;
  poses[at + 1] = position.y;
  poses[at + 2] = position.z;
  poses[at + 3] = quaternion.x;
  poses[at + 4] = quaternion.y;
  poses[at + 5] = quaternion.z;
  poses[at + 6] = quaternion.w;
  seen.ids[seen.count++] = id;
}

const isAt = (poses: Float64Array, at: number, { position: p, quaternion: q }: ReadonlyPose): boolean =>
  poses[at] === p.x &&
  poses[at + 1] === p.y &&
  poses[at + 2] === p.z &&
  poses[at + 3] === q.x &&
  poses[at + 4] === q.y &&
  poses[at + 5] === q.z &&
  poses[at + 6] === q.w;
