/** The world that a tree of components shares. */
import { createContext, useContext } from 'react';
import type { Object3D } from 'three';
import type { WorldSync } from '../three/sync-world.ts';
import type { World } from '../world/world.ts';

/** What happens to a collider. */
export interface ColliderEvents {
  /** Called when it begins to touch another one, with the number of that. */
  readonly onEnter?: ((other: number) => void) | undefined;
  /** Called when it no longer touches another one, with the number of that, which may be gone. */
  readonly onLeave?: ((other: number) => void) | undefined;
}

/** What `GrazeWorld` and the hooks below it have in common. */
export class SharedWorld {
  readonly world: World;
  /** Parts of the scene that the world follows, and what is to be done after each update of them. */
  readonly syncs = new Map<WorldSync, () => void>();
  /** Objects that have a collider of their own, or are a character: they and what is below them are not taken for walls. */
  readonly claimed = new Map<Object3D, number>();
  /** By the number of the collider. */
  readonly events = new Map<number, () => ColliderEvents>();

  constructor(world: World) {
    this.world = world;
  }

  /** More than one hook may claim an object. Returns what undoes it. */
  claim(object: Object3D): () => void {
    const { claimed } = this;
    claimed.set(object, (claimed.get(object) ?? 0) + 1);
    return () => {
      const left = claimed.get(object)! - 1;
      if (left > 0) claimed.set(object, left);
      else claimed.delete(object);
    };
  }

  isClaimed(object: Object3D): boolean {
    for (let at: Object3D | null = object; at !== null; at = at.parent) if (this.claimed.has(at)) return true;
    return false;
  }
}

export const WorldContext = createContext<SharedWorld | null>(null);

/** What the nearest `GrazeWorld` shares. @internal */
export function useSharedWorld(caller: string): SharedWorld {
  const shared = useContext(WorldContext);
  if (shared === null) throw new Error(`graze: ${caller}: there is no <GrazeWorld> around the component`);
  return shared;
}

/** The world of the nearest `<GrazeWorld>` around the component. */
export const useWorld = (): World => useSharedWorld('useWorld').world;
