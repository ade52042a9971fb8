/** Where the colliders near a character stood when it last moved: it shows which have moved since, and how fast. */
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { doubled } from './nearby.ts';

/** Poses of colliders. */
class PoseList {
  count = 0;
  ids = new Int32Array(4);
  /** Seven numbers each: position and quaternion. */
  poses = new Float64Array(7 * 4);

  /** The index of a collider, looked for first where it is likely; -1 for none. */
  find(id: number, likely: number): number {
    const { ids, count } = this;
    if (likely < count && ids[likely] === id) return likely;
    for (let i = 0; i < count; i++) if (ids[i] === id) return i;
    return -1;
  }

  add(id: number, pose: ReadonlyPose): void {
    if (this.count === this.ids.length) {
      this.ids = doubled(this.ids);
      this.poses = doubled(this.poses);
    }
    this.poses.set(numbersOf(pose), 7 * this.count);
    this.ids[this.count++] = id;
  }

  isAt(i: number, pose: ReadonlyPose): boolean {
    numbersOf(pose);
    for (let k = 0; k < 7; k++) if (this.poses[7 * i + k] !== numbers[k]) return false;
    return true;
  }
}

const numbers = new Float64Array(7);

function numbersOf({ position: p, quaternion: q }: ReadonlyPose): Float64Array {
  numbers[0] = p.x;
  numbers[1] = p.y;
  numbers[2] = p.z;
  numbers[3] = q.x;
  numbers[4] = q.y;
  numbers[5] = q.z;
  numbers[6] = q.w;
  return numbers;
}

const rotation = quat(0.5, 0.5, 0.5, 0.5);
const from = vec3(0.5, 0.5, 0.5);

export class PoseHistory {
  private old = new PoseList();
  private now = new PoseList();

  /** A move begins: what was now is old. */
  next(): void {
    this.swap();
    this.now.count = 0;
  }

  /** The move came to nothing: what was now before it is now again. */
  undo(): void {
    this.swap();
    this.old.count = 0;
  }

  private swap(): void {
    const { old } = this;
    this.old = this.now;
    this.now = old;
  }

  /** All that was seen is forgotten. */
  clear(): void {
    this.now.count = 0;
  }

  /** Notes where a collider stands. Did it stand there before? False if it was not near. */
  note(id: number, pose: ReadonlyPose): boolean {
    const { now, old } = this;
    // Twice in the list, if the move collects twice, it has the same pose.
    now.add(id, pose);
    const i = old.find(id, now.count - 1);
    return i >= 0 && old.isAt(i, pose);
  }

  /**
   * How far a collider has carried what was at rest at a point of it. False, and 0, if the collider was neither moved nor
   * rotated, or was not near before.
   */
  displacement(id: number, pose: ReadonlyPose, point: ReadonlyVec3, out: Vec3): boolean {
    const { old } = this;
    const { poses } = old;
    const i = old.find(id, 0);
    if (i < 0 || old.isAt(i, pose)) {
      v3.set(0, 0, 0, out);
      return false;
    }
    const at = 7 * i;
    const { x, y, z } = point;
    const { position: p, quaternion: q } = pose;
    v3.set(poses[at]!, poses[at + 1]!, poses[at + 2]!, from);
    q4.set(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, rotation);
    q4.normalize(rotation, rotation);
    v3.set(x - from.x, y - from.y, z - from.z, out);
    v3.rotateInverse(out, rotation, out);
    v3.rotate(out, q4.normalize(q, rotation), out);
    v3.set(out.x + p.x - x, out.y + p.y - y, out.z + p.z - z, out);
    return true;
  }
}
