/** What a character asks of the world that it walks in: little enough that a list of colliders will do. */
import { mustBeOptions, mustHave } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { mustBeShape, mustBeWorldPose } from '../shapes/check.ts';
import type { Collider } from '../shapes/collider.ts';
import type { Shape } from '../shapes/shape.ts';

/** A collider as a character sees it. */
export interface Surrounding {
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
  /** Bits of the groups that it is in, and of those that it meets. */
  readonly group: number;
  readonly mask: number;
  /** Characters walk through sensors. */
  readonly sensor: boolean;
  /** A character does not meet colliders of its own owner. */
  readonly owner: number | undefined;
  /** The questions that see it. A move is a cast: without 'cast' it is walked through. Default: all. */
  readonly uses?: readonly string[];
}

/** What characters walk in: a `World`, a `ColliderList`, or something of the user's with these two methods. */
export interface Surroundings {
  /** Visits the numbers of all colliders that may share a point with the box, half-spaces included, each once. */
  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void;
  get(id: number): Surrounding | undefined;
  /** Asked before `get` about what may have been removed, where `get` would throw. */
  has?(id: number): boolean;
}

export interface SurroundingOptions {
  /** Bits of the groups that it is in. 1 unless told otherwise. */
  readonly group?: number;
  /** Bits of the groups that it meets. All unless told otherwise. */
  readonly mask?: number;
  readonly sensor?: boolean;
  readonly owner?: number;
  /** The questions that see it. Characters see what 'cast' sees. Default: all. */
  readonly uses?: readonly string[];
}

const bounds = makeAabb();

/** The simplest surroundings: a list of colliders whose poses are read live. Searches look at every one of them. */
export class ColliderList implements Surroundings {
  private readonly items: (Surrounding | undefined)[] = [];

  /** Returns the number of the collider: 0 for the first, and never used again. */
  add(collider: Collider, options: SurroundingOptions = {}): number {
    const caller = 'ColliderList.add';
    mustHave(caller, 'collider', collider, 'a collider', 'shape');
    const { shape, pose } = collider;
    mustBeShape(caller, 'collider.shape', shape);
    mustBeWorldPose(caller, 'pose', pose);
    mustBeOptions(caller, 'options', options, 'group mask sensor owner uses');
    const { group = 1, mask = -1, sensor = false, owner, uses = ['cast'] } = options;
    return this.items.push({ shape, pose, group, mask, sensor, owner, uses }) - 1;
  }

  /** Was there such a collider? */
  remove(id: number): boolean {
    const was = this.items[id] !== undefined;
    if (was) this.items[id] = undefined;
    return was;
  }

  get(id: number): Surrounding | undefined {
    return this.items[id];
  }

  searchBox({ min, max }: ReadonlyAabb, visit: (id: number) => unknown): void {
    for (let id = 0; id < this.items.length; id++) {
      const item = this.items[id];
      if (!item) continue;
      if (item.shape.kind === 'halfSpace') {
        if (visit(id) === false) return;
        continue;
      }
      const { min: low, max: high } = boundsOf(item.shape, item.pose, bounds);
      const apart =
        +(low.x > max.x) |
        +(low.y > max.y) |
        +(low.z > max.z) |
        +(high.x < min.x) |
        +(high.y < min.y) |
        +(high.z < min.z);
      if (apart === 0 && visit(id) === false) return;
    }
  }
}
