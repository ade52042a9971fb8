/**
 * One sweep under way: what `sweep.ts` prepares and what `translate.ts` and `rotate.ts` work on. Everything is in the
 * target's frame.
 */
import type { PolyhedralModel } from './types.ts';

export const VERTEX = 0;
export const EDGE = 1;
export const POLYGON = 2;

export interface SweepJob {
  mover: PolyhedralModel;
  target: PolyhedralModel;
  /** The mover's vertices where the motion starts. The array may be longer than needed: it is kept for the next sweep. */
  points: Float64Array;
  /** The planes of the mover's polygons there: unit normal and distance, as in the model. May be longer than needed. */
  planes: Float64Array;
  /**
   * The mover's own frame there: its x, y and z axis (which may be turned round), how far the box about it reaches along each,
   * and the middle of that box.
   */
  frame: Float64Array;
  /** The box about `points`. */
  lowX: number;
  lowY: number;
  lowZ: number;
  highX: number;
  highY: number;
  highZ: number;

  /** The translation. */
  vx: number;
  vy: number;
  vz: number;

  /** The rotation: unit axis, a point on it, and the angle (0 < |angle| <= π; `sweep.ts` cuts larger ones in pieces). */
  kx: number;
  ky: number;
  kz: number;
  pivotX: number;
  pivotY: number;
  pivotZ: number;
  angle: number;

  /** How near things may come: e. */
  thickness: number;
  /** The largest coordinate that takes part (target near the motion, mover at both ends of it): what rounding is relative to. */
  magnitude: number;
  /** How much two features in the zone may approach without being stopped: rounding, δ = 2^-44 · magnitude. */
  slack: number;

  /** Fraction of this motion (the translation or the piece of rotation) to look at; shrinks to the first contact found. */
  best: number;
  /** Has a contact been found? Then the fields below tell about it. */
  found: boolean;
  penetrating: boolean;
  /** Was a pair of features left out, as its search took too long, or is a rotation in the zone? Then sweep-way.ts proves the way. */
  unproved: boolean;
  /** VERTEX, EDGE or POLYGON and their number in the models. */
  moverKind: number;
  moverFeature: number;
  targetKind: number;
  targetFeature: number;
  /** The distance of the two features at `best`. */
  gap: number;
  /** The point on the mover at that time. */
  x: number;
  y: number;
  z: number;
  /** Unit vector from the target's feature to the mover's. */
  nx: number;
  ny: number;
  nz: number;
}

const NOTHING = {} as PolyhedralModel;

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** The one job: sweeps do not call user code, so one is enough. @internal */
export const sweepJob: SweepJob = {
  mover: NOTHING,
  target: NOTHING,
  points: new Float64Array(96),
  planes: new Float64Array(96),
  frame: new Float64Array(15),
  lowX: D,
  lowY: D,
  lowZ: D,
  highX: D,
  highY: D,
  highZ: D,
  vx: D,
  vy: D,
  vz: D,
  kx: D,
  ky: D,
  kz: D,
  pivotX: D,
  pivotY: D,
  pivotZ: D,
  angle: D,
  thickness: D,
  magnitude: D,
  slack: D,
  best: D,
  found: false,
  penetrating: false,
  unproved: false,
  moverKind: 0,
  moverFeature: -1,
  targetKind: 0,
  targetFeature: -1,
  gap: D,
  x: D,
  y: D,
  z: D,
  nx: D,
  ny: D,
  nz: D,
};

/** Lets go of the models, so that the job keeps nothing alive. @internal */
export function releaseJob(job: SweepJob): void {
  job.mover = NOTHING;
  job.target = NOTHING;
}

/**
 * Is a contact at fraction t before all that were found? The end of the motion is part of it. Contacts at the same time:
 * the first one found stays. @internal
 */
export const isEarlier = (job: SweepJob, t: number): boolean => (job.found ? t < job.best : t <= job.best);

/**
 * Switches for the benchmark and the tests that show what the optimisations bring; the answers must be the same either
 * way. @internal
 */
export const tuning = {
  /** Leave out internal and flat edges, and vertices that only they meet in. */
  skipInternal: true,
  /** Treat each vertex and each edge once, not once for every polygon it belongs to. */
  shareFeatures: true,
  /** Remember on which side of an edge a vertex passes. */
  bitCache: true,
  /** Find the polygons near the motion by the tree, not by looking at all of them. */
  bsp: true,
};
