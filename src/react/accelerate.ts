/** Fast picking for the components inside. */
import { useThree } from '@react-three/fiber';
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import type { Group } from 'three';
import { type AccelerateOptions, accelerate } from '../three/accelerate.ts';

export interface AccelerateProps extends AccelerateOptions {
  readonly children?: ReactNode;
  /** Pointer events are those of the nearest hit of each object only, which is quicker. Default: false. */
  readonly firstHitOnly?: boolean | undefined;
}

/**
 * `accelerate` of `graze/three` for all that is inside, also what is added later: pointer events, and `Raycaster` by hand. Undone when it
 * is unmounted. `lazy`, `later` and `filter` are read once.
 */
export function Accelerate({ children, firstHitOnly = false, ...options }: AccelerateProps): ReactNode {
  const group = useRef<Group>(null);
  const first = useRef<AccelerateOptions>(options);
  const raycaster = useThree((state) => state.raycaster);
  useEffect(() => accelerate(group.current!, first.current), []);
  useEffect(() => {
    if (!firstHitOnly) return;
    const before = raycaster.firstHitOnly ?? false;
    raycaster.firstHitOnly = true;
    return () => {
      raycaster.firstHitOnly = before;
    };
  }, [raycaster, firstHitOnly]);
  return createElement('group', { ref: group }, children);
}
