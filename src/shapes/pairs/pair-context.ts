/**
 * What one query about two shapes carries along. A user's support may ask another query while this one runs: that one takes
 * a context of its own from the pool, so that neither changes the other's answer.
 */
import { ContextPool } from '../../convex/context-pool.ts';
import { makeFrame } from '../../convex/frame.ts';
import { makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { makePenetration } from '../../convex/penetration.ts';
import { pose, vec3 } from '../../math/types.ts';
import { makeCastHit, makeSeparation } from '../results.ts';

export class PairContext {
  /** Where the bodies stand in the world. */
  readonly poseA = pose();
  readonly poseB = pose();
  /** The pose of the second shape as the first sees it. */
  readonly frame = makeFrame();
  /** The pose of the first as the second sees it; only where a `WholeAlgorithm` is asked. */
  readonly back = makeFrame();
  /** Shapes that are farther apart than this are not reported; below 0, nor are those that overlap less. */
  limit = 0.5;
  /** How the first moves, for casts: in its own space. */
  readonly motion = vec3();
  readonly separation = makeSeparation();
  readonly hit = makeCastHit();
  // Of the convex algorithms.
  readonly gjkState = makeGjkState();
  readonly gjkResult = makeGjkResult();
  readonly penetration = makePenetration();
  // Of the algorithms that shapes bring; made by them when first needed.
  surface: unknown = null;
  surfaceCast: unknown = null;
  compound: unknown = null;
  private nested: PairContext | null = null;

  /** For a query that this one asks in turn: of a child, or with the shapes the other way round. */
  get inner(): PairContext {
    this.nested ??= new PairContext();
    return this.nested;
  }
}

const pool = /* @__PURE__ */ new ContextPool(() => new PairContext());

/** A context that nobody else uses until `releaseContext`. */
export function takeContext(): PairContext {
  return pool.take();
}

/** To be called in a `finally`: a user's support may throw. */
export function releaseContext(): void {
  pool.release();
}
