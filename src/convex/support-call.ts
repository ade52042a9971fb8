/**
 * Calls of supports that a user has written. While one runs, the query that called it is halfway: its simplex, its walk
 * over a tree and its best answer so far are in scratch memory. Another query would write over them, so it is refused.
 */
import type { Vec3 } from '../math/types.ts';
import type { SupportMap } from '../polytope/types.ts';

/** Supports under way: a support may call that of another shape, as that of a Minkowski sum does. */
const running = { count: 0 };

/** @internal */
export function callSupport(support: SupportMap, direction: Readonly<Vec3>, out: Vec3): Vec3 {
  running.count++;
  try {
    return support(direction, out);
  } finally {
    running.count--;
  }
}

/** For the top of every query that may call a support. @internal */
export function mustNotRunInSupport(caller: string): void {
  if (running.count !== 0) refuseInSupport(caller);
}

function refuseInSupport(caller: string): never {
  throw new Error(
    `graze: ${caller}: must not be called from the support of a convex shape: the query that asks for the support is ` +
      'not done yet; compute what the support needs beforehand',
  );
}
