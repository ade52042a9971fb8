/** What the search for the first contact of a rotation carries along, for one piece of it: a quarter turn at most. */

import { Marks } from '../boxes.ts';
import { POLYGON, VERTEX } from '../feature-contact.ts';
import { PosedModel } from '../features.ts';
import { makePolygonList } from '../model/axial-bsp.ts';
import type { Tuning } from '../tuning.ts';
import { Arc, AxisRotation, Ball } from './arc.ts';
import { HalfAngleFunction } from './half-angle.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** An edge that rotates: both ends, its unit direction and its moment about the pivot. */
class MovingEdge {
  readonly start = new Arc();
  readonly end = new Arc();
  readonly direction = new Arc();
  readonly moment = new Arc();
  length = D;
  /** The greatest distance from the axis. */
  reach = D;
  edge = 0;
}

/** An edge at one time: ends, unit direction. */
export class Segment {
  ax = D;
  ay = D;
  az = D;
  bx = D;
  by = D;
  bz = D;
  ux = D;
  uy = D;
  uz = D;
  length = D;
  edge = 0;
}

/** The lines of the moving edge and the fixed one, with directions u and w, at one time. */
class EdgesAtTime {
  /** u × w and its length. */
  vx = D;
  vy = D;
  vz = D;
  across = D;
  /** How that changes: u × w + h sin α - j (1 - cos α). */
  hx = D;
  hy = D;
  hz = D;
  jx = D;
  jy = D;
  jz = D;
  /** The product of both lines, N = (p - q) · (u × w), and its change: N + rise sin α - bend (1 - cos α). */
  value = D;
  rise = D;
  bend = D;
}

/** Functions of the angle of two lines: u · d, u · w and w · d, where d leads from the fixed edge to the moving one. */
class LineProducts {
  readonly alongMoving = new HalfAngleFunction();
  readonly together = new HalfAngleFunction();
  readonly alongFixed = new HalfAngleFunction();
}

/** The pair of features under work, as measured at the time r. */
class RotatingPair {
  /** Two edges, or a vertex that rotates and what stands still? */
  isEdge = false;
  /** The body that stands still, and the one that rotates about it. */
  fixed = new PosedModel();
  moving = new PosedModel();
  /** What stands still: polygon f; ~e for an edge of a border; ~v for a vertex of a model without polygons. */
  index = 0;
  /** The number of the feature that rotates. */
  movingIndex = 0;

  r = D;
  gap = D;
  /** A plane that far from the rotating vertex, perpendicular to the direction below, has the polygon behind it. */
  clear = D;
  /** Unit vector from the fixed feature to the moving one. */
  nx = D;
  ny = D;
  nz = D;
  /** The nearest points: on the moving feature and on the fixed one. */
  x = D;
  y = D;
  z = D;
  qx = D;
  qy = D;
  qz = D;
  /** Is the foot inside of the polygon, or do the edges cross? */
  isInside = false;
  /** Does the direction say that no neighbour is nearer? */
  isNearest = false;
  /** Is the vertex clear of all sides of the polygon it is over? */
  isClearOfRim = false;
  /** Behind something that is touched from the front only. */
  isBack = false;
  /** Edges that touch, and go through each other's faces whichever side they are on; a vertex that goes through a polygon. */
  isBlocked = false;
  /** The velocity of approach is -rate (per radian). */
  rate = D;
  /** What the fixed feature is (VERTEX, EDGE, POLYGON) and its number. */
  kind = POLYGON;
  feature = 0;
}

/** The search of one pair: see pair-search.ts. */
export class PairSearch {
  state = 0;
  /** The time that is looked at, and when this search (or what it restarted) started. */
  r = D;
  from = D;
  /** A step in which nothing moves by more than a quarter of a unit. */
  perUnit = D;
  /** What the distance must stay above until the next look. */
  level = D;
  /** ZONE: the greatest distance so far, and when. BORDER: when it was reached. */
  top = D;
  topAt = D;
  /** May be in the zone already without having come there from outside. */
  isNew = false;
  /** Touched where it began, and not yet clear of each other. */
  isTouching = false;
  steps = 0;
}

/** The first contact found in this piece: at `best`. */
class RotationContact {
  found = false;
  /** Does the mover's feature rotate (or, seen from the mover, the target's)? */
  rotatesMover = false;
  movingKind = VERTEX;
  movingFeature = 0;
  fixedKind = VERTEX;
  fixedFeature = 0;
  gap = D;
  nx = D;
  ny = D;
  nz = D;
  x = D;
  y = D;
  z = D;
  qx = D;
  qy = D;
  qz = D;
}

/**
 * The rotation (its axis reversed when the target's features rotate about the mover), the distances that decide, and all that
 * takes part. What starts nearer than `accept` starts in the zone. What comes from outside is stopped at `enter` (found when
 * it is between that and `border`), provided that it goes on to `inside` (found between that and `surely`): so what slides
 * along at the distance e is not stopped. What is farther than `leave` is out. What is in the zone may not come nearer, but
 * for rounding, or to `deepest`.
 */
export class RotationContext extends AxisRotation {
  e = D;
  deepest = D;
  inside = D;
  surely = D;
  enter = D;
  border = D;
  accept = D;
  leave = D;
  /** What may be lost in the zone: δ. */
  slack = D;
  /** The rounding of a position. */
  tolerance = D;
  /** What is not farther than this touches: the distance does not say on which side it is. */
  touch = D;
  /** No two features come nearer to each other than this. */
  floor = D;
  /** tan(α/2) of the end of the piece; of the first contact found, or of the end. */
  end = D;
  best = D;
  /** Of the angle of the piece: the sine, and 1 less the cosine. */
  sine = D;
  versine = D;
  /** The least distance of two features at the start of the rotation; a little less than e if not less. */
  startGap = D;
  /** Is `startGap` known? */
  isStartGapKnown = false;
  /** A pair needs `startGap`: it must be looked at again when that is known. */
  deferred = false;
  /** The vertex came round from the back of the polygon. */
  isBehind = false;
  /**
   * For a pair in the zone, on which side of the plane (or of the other line) the rotating feature started: -1 or 1. Its
   * distance is negative on the other side. Otherwise 0.
   */
  side = 0;
  /** A search took too many steps, and its pair was left out. */
  unproved = false;
  /** Steps of all searches. For the tests. */
  steps = 0;

  readonly tuning: Tuning;

  constructor(tuning: Tuning) {
    super();
    this.tuning = tuning;
  }

  /** The axis as the mover rotates about it. */
  readonly axis = { x: D, y: D, z: D };
  /** The rotating vertex, and the rotating and the fixed edge. */
  readonly arc = new Arc();
  readonly movingEdge = new MovingEdge();
  readonly fixedEdge = new Segment();
  /** The rotating edge where it is now, how its direction goes on, and the lines of both. */
  readonly rotatedEdge = new Segment();
  readonly rotatedDirection = new Arc();
  readonly edges = new EdgesAtTime();
  readonly pair = new RotatingPair();
  readonly search = new PairSearch();
  readonly first = new RotationContact();
  /** The direction of the pair, as seen from where the rotating body started. */
  readonly startDirection = { nx: D, ny: D, nz: D };
  /** The middle of the rotating body at the start of the piece, for things that start in the plane of a sheet. */
  readonly middle = { x: D, y: D, z: D };
  /** For what lies flat in one plane with the other: where the rotating body goes, as its middle does. One for both bodies. */
  readonly drift = { x: D, y: D, z: D, sign: 1 };

  /** Both bodies where they are at the start of the piece. */
  readonly mover = new PosedModel();
  readonly target = new PosedModel();
  /** The mover in later pieces. */
  rotatedPoints: Float64Array = new Float64Array(96);
  rotatedPlanes: Float64Array = new Float64Array(96);
  /** The boxes of the arcs of the mover's vertices, of its polygons where they start, and of all arcs. */
  vertexBoxes: Float64Array = new Float64Array(6 * 32);
  polygonBoxes: Float64Array = new Float64Array(6 * 32);
  readonly wholeBox = new Float64Array(6);
  /** The mean of the mover's vertices at the start of the piece. */
  readonly center = { x: D, y: D, z: D };
  /** What of the target is near the motion: polygons, vertices, edges with their boxes and lines. */
  readonly nearPolygons = makePolygonList();
  nearVertices: Int32Array = new Int32Array(64);
  nearVertexCount = 0;
  nearEdges: Int32Array = new Int32Array(64);
  nearEdgeCount = 0;
  edgeLines: Float64Array = new Float64Array(64 * LINE);
  edgeBoxes: Float64Array = new Float64Array(64 * 6);
  /** The target's vertices and edges that were listed in this search. */
  readonly listedVertices = new Marks();
  readonly listedEdges = new Marks();
  /** Pairs to be looked at again: what kind, and two numbers. */
  deferredPairs: Int32Array = new Int32Array(3 * 16);
  deferredCount = 0;
  /** Too many of them. */
  isCrowded = false;

  // For one function and those that it calls.
  readonly arcBox = new Float64Array(6);
  readonly ball = new Ball();
  /** How a point of the pair goes on from where it is. */
  readonly onward = new Arc();
  /** From the fixed feature to the vertex. */
  readonly offset = { nx: D, ny: D, nz: D };
  /** The normal of a polygon, and how high the vertex is over it: value + rise sin α - bend (1 - cos α). */
  readonly plane = { nx: D, ny: D, nz: D };
  readonly height = { value: D, rise: D, bend: D };
  readonly products = new LineProducts();
  readonly quartic = new Float64Array(5);
  /** The magnitudes that its coefficients are sums of. */
  readonly quarticSizes = new Float64Array(5);
}

/** Numbers of each fixed edge in `edgeLines`: an end, unit direction, moment about the pivot, length. */
export const LINE = 10;

/** Is direction n on the side where the rotating body goes? If it stays in the plane any answer will do that is the same for all. */
export function isAhead({ drift, touch }: RotationContext, nx: number, ny: number, nz: number): boolean {
  const along = nx * drift.x + ny * drift.y + nz * drift.z;
  if (Math.abs(along) > touch) return along > 0;
  return drift.sign * (0.48 * nx + 0.6 * ny + 0.64 * nz) > 0;
}

/** Turns the direction of the pair back, to `startDirection`. */
export function directionAtStart({ kx, ky, kz, pair, startDirection }: RotationContext): void {
  const { nx, ny, nz, r } = pair;
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  const along = nx * kx + ny * ky + nz * kz;
  startDirection.nx = nx - sine * (ky * nz - kz * ny) - versine * (nx - along * kx);
  startDirection.ny = ny - sine * (kz * nx - kx * nz) - versine * (ny - along * ky);
  startDirection.nz = nz - sine * (kx * ny - ky * nx) - versine * (nz - along * kz);
}
