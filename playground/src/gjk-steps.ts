/** The support points that GJK asks for, one after the other: its cores are replaced by ones that take notes. */
import type { Shape } from 'graze';
import { type ConvexCore, type Frame, gjkDistance, makeGjkResult, makeGjkState } from 'graze/convex';

type V = { x: number; y: number; z: number };

/** A step: a point of the first shape and one of the second, each in its own space. */
export interface GjkStep {
  readonly a: V;
  readonly b: V;
}

/** A core that gives the same support points as the one it stands for, and lists them. */
function noting(core: ConvexCore, support: (core: ConvexCore, d: V, out: V) => void, notes: V[]): ConvexCore {
  return {
    ...core,
    type: 7, // known by its support map only
    custom: (direction, out) => {
      support(core, direction, out);
      notes.push({ ...out });
      return out;
    },
  };
}

export function gjkSteps(
  a: Shape,
  b: Shape,
  frame: Frame,
  support: (core: ConvexCore, d: V, out: V) => void,
): GjkStep[] {
  if (!('core' in a && 'core' in b)) return [];
  const [onA, onB]: [V[], V[]] = [[], []];
  gjkDistance(
    noting(a.core, support, onA),
    noting(b.core, support, onB),
    frame,
    makeGjkState(),
    makeGjkResult(),
  );
  return onA.map((p, i) => ({ a: p, b: onB[i] ?? p }));
}
