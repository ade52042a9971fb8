/** A world that follows the components inside of it. */
import { useFrame } from '@react-three/fiber';
import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Group, Object3D } from 'three';
import { type SyncWorldOptions, syncWorld } from '../three/sync-world.ts';
import type { PairEvent } from '../world/pair-manager.ts';
import { World } from '../world/world.ts';
import { SharedWorld, WorldContext } from './world-context.ts';

export interface GrazeWorldProps {
  readonly children?: ReactNode;
  /** Default: a new one. Another world than before is only taken by a new component: give it another `key`. */
  readonly world?: World | undefined;
  /**
   * Does the world have a collider for every mesh inside, but for those that have one by `useCollider`, or are a character? Options
   * are those of `syncWorld`, read once. Default: true.
   */
  readonly sync?: boolean | SyncWorldOptions | undefined;
  /** Called each frame with the pairs that began to touch, still do, or no longer do. The records are used again. */
  readonly onEvents?: ((events: readonly PairEvent[]) => void) | undefined;
}

const nothing = (): void => {};

/** Before what components do in a frame: their queries see the scene as it was last drawn. */
const FIRST = -100;

/**
 * A world for the components inside: `useWorld`, `useCollider` and `useCharacter` find it. At the beginning of each frame it is
 * brought up to date with the scene: what was moved, added and removed since.
 */
export function GrazeWorld({ children, world, sync = true, onEvents }: GrazeWorldProps): ReactNode {
  const [shared] = useState(() => new SharedWorld(world ?? new World()));
  const [pairs] = useState<PairEvent[]>(() => []);
  const group = useRef<Group>(null);
  const first = useRef(sync);
  useEffect(() => {
    if (first.current === false) return;
    const given = first.current === true ? {} : first.current;
    const filter = (object: Object3D): boolean =>
      !shared.isClaimed(object) && (given.filter === undefined || given.filter(object));
    const all = syncWorld(shared.world, group.current!, { ...given, filter });
    shared.syncs.set(all, nothing);
    return () => {
      shared.syncs.delete(all);
      all.dispose();
    };
  }, [shared]);
  useFrame(() => {
    for (const [one, after] of shared.syncs) {
      one.update();
      after();
    }
    shared.world.update(pairs);
    for (const { a, b, phase } of pairs) {
      if (phase === 'stay') continue;
      const name = phase === 'enter' ? 'onEnter' : 'onLeave';
      shared.events.get(a)?.()[name]?.(b);
      shared.events.get(b)?.()[name]?.(a);
    }
    onEvents?.(pairs);
  }, FIRST);
  return createElement(
    WorldContext.Provider,
    { value: shared },
    createElement('group', { ref: group }, children),
  );
}
