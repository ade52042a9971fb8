/** What a character asks of the world that it moves in: so little that a list of colliders will do. */
import { mustBeOptions, mustHave } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { boundsOfPosed } from '../shapes/bounds.ts';
import { mustBeShape, mustBeWorldPose } from '../shapes/check.ts';
import type { Collider } from '../shapes/collider.ts';
import type { Shape } from '../shapes/shape.ts';

/** A collider, as a character sees it. */
export interface Obstacle {
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
  /** Bits of the groups that it is in, and of those that it collides with. */
  readonly group: number;
  readonly mask: number;
  /** Characters pass through sensors. */
  readonly sensor: boolean;
  /** A character does not collide with colliders of its own owner. */
  readonly owner: number | undefined;
  /** The queries that see it. A move is a cast: characters pass through what is without 'cast'. Default: all. */
  readonly uses?: readonly string[];
}

/** What characters move in: a `World`, a `ColliderList`, or anything with these methods. */
export interface CharacterWorld {
  /** Visits the numbers of all colliders that may share a point with the box, half-spaces included, each once. */
  searchBox(box: ReadonlyAabb, visit: (id: number) => unknown): void;
  get(id: number): Obstacle | undefined;
  /** Needed where `get` throws for colliders that were removed. */
  has?(id: number): boolean;
}

export interface ObstacleOptions {
  /** Bits of the groups that it is in. Default: 1. */
  readonly group?: number;
  /** Bits of the groups that it collides with. Default: all. */
  readonly mask?: number;
  readonly sensor?: boolean;
  readonly owner?: number;
  /** The queries that see it. Characters see what 'cast' sees. Default: all. */
  readonly uses?: readonly string[];
}

const bounds = makeAabb();

/** The simplest world for characters: a list of colliders whose poses are read live. A search looks at every one. */
export class ColliderList implements CharacterWorld {
  private readonly items: (Obstacle | undefined)[] = [];

  /** Returns the number of the collider: 0 for the first, and never used again. */
  add(collider: Collider, options: ObstacleOptions = {}): number {
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

  get(id: number): Obstacle | undefined {
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
      const { min: low, max: high } = boundsOfPosed(item.shape, item.pose, bounds);
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
