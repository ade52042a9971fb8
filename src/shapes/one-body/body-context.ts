/**
 * What one query about one body carries along: a ray, or a point and its closest point. A user's support may ask another query
 * while this one runs: that one takes a context of its own from the pool.
 */
import { ContextPool } from '../../convex/context-pool.ts';
import { makeFrame } from '../../convex/frame.ts';
import { makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { pose as makePose, type Pose, type Vec3, vec3 } from '../../math/types.ts';
import { makeRay, type Ray } from '../../primitives/types.ts';
import type { MeshHit } from '../../trimesh/ray.ts';
import { type BodyPart, makeCastHit } from '../results.ts';

/** What a ray looks for. */
export const FIRST = 0;
export const ANY = 1;
export const ALL = 2;
/** Which sides of a surface it hits. */
export const BOTH_SIDES = 0;
export const FRONT = 1;
export const BACK = 2;

/** What a query has found, in the space of the body: of a ray the time and the normal, of a point the distance. */
export interface Found extends MeshHit, BodyPart {
  distance: number;
}

// Not made by spreading: V8 would box every number written to it.
export const makeFound = (): Found => ({
  t: 0.5,
  point: vec3(),
  normal: vec3(),
  u: 0.5,
  v: 0.5,
  w: 0.5,
  distance: 0.5,
  child: -1,
  triangle: -1,
});

export class BodyContext {
  /** Where the body stands. The quaternion is of length 1. */
  readonly pose: Pose = makePose();
  /** Does it stand at the origin, as a bare shape does? Then its space is the world's. */
  atOrigin = false;
  /**
   * How near is touching: rounding of the coordinates that were given, and of the transform to the space of the body.
   */
  within = 0.5;
  /** Nothing beyond this time or distance is of interest any more. */
  limit = 0.5;
  /** What is asked about, in the world: a ray, or a point as its origin. */
  readonly asked: Ray = makeRay();
  /** The same in the space of the body. */
  readonly ray: Ray = makeRay();
  // How a ray is asked.
  mode: 0 | 1 | 2 = FIRST;
  side: 0 | 1 | 2 = BOTH_SIDES;
  /** Does a ray that starts in a solid hit it at t = 0? If not, it hits the surface on its way out. */
  solid = true;
  readonly found: Found = makeFound();
  /** The hit as it is reported, for callers that have no other record. */
  readonly hit = makeCastHit();
  /** All hits, in any order, if `mode` is `ALL`. */
  readonly all: Found[] = [];
  /** Of a compound, the best so far. */
  readonly best: Found = makeFound();
  /** The ray, or the point, in the space of a child of a compound. */
  readonly childRay: Ray = makeRay();
  /** Of a convex core: its nearest point, and the state of GJK, which goes on from where it ended if not restarted. */
  readonly nearest: CorePoint = makeCorePoint();
  readonly gjkState = makeGjkState();
  readonly gjkResult = makeGjkResult();
  readonly pointFrame = makeFrame();
  /** Made by compounds when first needed. */
  compound: unknown = null;
}

/** A point of a core, and how far it is from the one that was asked about: 0 for one inside, which is its own. */
export interface CorePoint extends Vec3 {
  distance: number;
}

export const makeCorePoint = (): CorePoint => ({ x: 0.5, y: 0.5, z: 0.5, distance: 0.5 });

const pool = /* @__PURE__ */ new ContextPool(() => new BodyContext());

/** A context that nobody else uses until `releaseBody`. */
export function takeBody(): BodyContext {
  return pool.take();
}

/** To be called in a `finally`: a user's support may throw. */
export function releaseBody(): void {
  pool.release();
}
