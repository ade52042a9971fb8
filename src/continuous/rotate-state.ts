/** What the parts of the rotational sweep share while one piece of a rotation, a quarter turn at most, is searched. */
import type { PolyhedralModel } from './types.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** A polyhedron that stands still, as seen by the features of the other one that turn about it. */
export interface Still {
  model: PolyhedralModel;
  points: Float64Array;
  planes: Float64Array;
  isTarget: boolean;
}

/**
 * The rotation and the distances that decide. What starts nearer than `accept` starts in the zone. What comes from outside is
 * stopped at `enter` (found when it is between that and `border`), provided that it goes on to `inside` (found between
 * that and `surely`): so what slides along at the distance e is not stopped. What is farther than `leave` is out. What is in
 * the zone may not come nearer, but for rounding, or to `deepest`.
 */
export const turn = {
  /** Unit axis (turned round when the target's features turn about the mover), a point on it. */
  kx: D,
  ky: D,
  kz: D,
  ox: D,
  oy: D,
  oz: D,
  e: D,
  deepest: D,
  inside: D,
  surely: D,
  enter: D,
  border: D,
  accept: D,
  leave: D,
  /** What may be lost in the zone: δ. */
  slack: D,
  /** The rounding of a position. */
  tolerance: D,
  /** What is not farther than this touches: on which side it is cannot be told from the distance. */
  touch: D,
  /** No two features come nearer to each other than this. */
  floor: D,
  /** tan(α/2) of the end of the piece; of the first contact found, or of the end. */
  end: D,
  best: D,
  /** Of the angle of the piece: the sine, and 1 less the cosine. */
  sine: D,
  versine: D,
  /** The least distance of two features at the start of the rotation; a little less than e if not less. */
  startGap: D,
  /** A pair needs `startGap`: it must be looked at again when that is known. */
  deferred: false,
  /** The vertex came round from the back of the polygon. */
  isBehind: false,
  /**
   * For a pair in the zone, on which side of the plane (or of the other line) the turning feature started: -1 or 1. Its
   * distance is negative on the other side. Otherwise 0.
   */
  side: 0,
  /** Is `startGap` known? */
  second: false,
  /** A search took too many steps, and its pair was left out. */
  unproved: false,
  /** How often a sweep was given up before its end (and so stopped where it was proved to be free until). For the tests. */
  exhausted: 0,
  /** Steps of all searches. For the tests. */
  steps: 0,
};

/** A turning point: where it starts; axis × its way from the pivot, and the part of that perpendicular to the axis. */
export const arc = {
  x: D,
  y: D,
  z: D,
  cx: D,
  cy: D,
  cz: D,
  px: D,
  py: D,
  pz: D,
  /** Its distance from the axis. */
  reach: D,
  vertex: 0,
};

const NOTHING = {} as PolyhedralModel;
const NO_NUMBERS = new Float64Array(0);

/** Nothing yet. */
export const makeStill = (isTarget: boolean): Still => ({
  model: NOTHING,
  points: NO_NUMBERS,
  planes: NO_NUMBERS,
  isTarget,
});

/** The body that the vertex in `arc` is of. */
export const turning = { body: makeStill(false) };

/** The pair of features under work, at the time r. */
export const now = {
  r: D,
  gap: D,
  /** A plane that far from the turning vertex, upright on the direction below, has the polygon behind it. */
  clear: D,
  /** Unit vector from the standing feature to the turning one. */
  nx: D,
  ny: D,
  nz: D,
  /** The nearest points: on the turning thing and on the standing one. */
  x: D,
  y: D,
  z: D,
  qx: D,
  qy: D,
  qz: D,
  /** Is the foot inside of the polygon, or do the edges cross? */
  isInside: false,
  /** Does the direction say that no neighbour is nearer? */
  valid: false,
  /** Behind something that is touched from the front only. */
  isBack: false,
  /** Edges that touch, and go through each other's faces whichever side they are on; a vertex that goes through a polygon. */
  isBlocked: false,
  /** The velocity of approach is -rate (per radian). */
  rate: D,
  /** What the standing feature is (VERTEX, EDGE, POLYGON) and its number. */
  kind: 0,
  feature: 0,
};

/** The first contact found in this piece: at `turn.best`. */
export const first = {
  found: false,
  /** Does the mover's feature turn (or, seen the other way round, the target's)? */
  turnsMover: false,
  movingKind: 0,
  movingFeature: 0,
  stillKind: 0,
  stillFeature: 0,
  gap: D,
  nx: D,
  ny: D,
  nz: D,
  x: D,
  y: D,
  z: D,
  qx: D,
  qy: D,
  qz: D,
};

/** The middle of the turning body at the start of the piece, for things that start in the plane of a sheet. */
export const middle = { x: D, y: D, z: D };

/** For what lies flat in one plane with the other: where the turning body goes, as its middle does. One for both bodies. */
export const going = { x: D, y: D, z: D, sign: 1 };

/** Is direction n on the side where the turning body goes? If it stays in the plane any answer will do that is the same for all. */
export function isAhead(nx: number, ny: number, nz: number): boolean {
  const along = nx * going.x + ny * going.y + nz * going.z;
  if (Math.abs(along) > turn.touch) return along > 0;
  return going.sign * (0.48 * nx + 0.6 * ny + 0.64 * nz) > 0;
}
