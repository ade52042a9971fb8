/** A collider of its own for an object. */
import { type RefObject, useEffect, useRef } from 'react';
import type { Object3D } from 'three';
import type { Shape } from '../shapes/shape.ts';
import type { ShapeChoice } from '../three/collider-of.ts';
import { syncWorld } from '../three/sync-world.ts';
import type { ColliderOptions } from '../world/collider-record.ts';
import { type ColliderEvents, useSharedWorld } from './world-context.ts';

export interface UseColliderOptions extends ColliderOptions, ColliderEvents {}

/**
 * Gives an object a collider in the world of the nearest `<GrazeWorld>`, from when the component is mounted until it is unmounted.
 * It follows the object: pose, scale and geometry, while that is visible. Returns a ref to its number in the world; -1 while there
 * is none.
 *
 * @param ref of any `Object3D`, a group too, if there is a shape
 * @param shape in the space of the object, before its scale; or what stands for its triangles. A new one is taken over: make
 * shapes once, outside of the component or by `useMemo`. Default: 'mesh'.
 * @param options read when the collider is made; but `onEnter` and `onLeave` are always those of the last render
 */
export function useCollider(
  ref: RefObject<Object3D | null>,
  shape: Shape | ShapeChoice = 'mesh',
  options: UseColliderOptions = {},
): RefObject<number> {
  const shared = useSharedWorld('useCollider');
  const id = useRef(-1);
  const last = useRef(options);
  last.current = options;
  useEffect(() => {
    const object = ref.current;
    if (object === null) throw new Error('graze: useCollider: the ref leads to no object: give it to one');
    const { onEnter: _, onLeave: __, ...collider } = last.current;
    const release = shared.claim(object);
    const sync = syncWorld(shared.world, object, {
      filter: (one) => one === object,
      shape: () => shape,
      collider: { data: object, ...collider },
    });
    const handlers = (): ColliderEvents => last.current;
    // An object that was invisible for a while has another number. The last one is kept until then, for what it leaves.
    let before = -1;
    const follow = (): void => {
      const number = sync.idOf(object) ?? -1;
      if (number === id.current) return;
      shared.events.delete(before);
      before = id.current;
      id.current = number;
      if (number >= 0) shared.events.set(number, handlers);
    };
    follow();
    shared.syncs.set(sync, follow);
    return () => {
      shared.events.delete(before);
      shared.events.delete(id.current);
      id.current = -1;
      shared.syncs.delete(sync);
      sync.dispose();
      release();
    };
  }, [shared, ref, shape]);
  return id;
}
