/**
 * What the search for the first contact of a translation carries along. It is seen along its direction: both bodies are in a
 * frame whose z axis is the motion. There the mover goes from 0 to `reach` along z, and on which side of an edge a vertex
 * passes is a sign in the plane. van Waveren 2005, §2.1 and §4.
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { Marks } from '../boxes.ts';
import { FeatureContact } from '../feature-contact.ts';
import { EdgeLine, NO_MODEL, PosedModel } from '../features.ts';
import { MAX_DEPTH } from '../model/axial-bsp.ts';
import type { Tuning } from '../tuning.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/**
 * One of the two bodies in the frame of the motion. Vertices and normals of the target are filled in where they are needed: see
 * `needVertex`. (Of the planes, only the normals are.)
 */
export class MovingBody extends PosedModel {
  /** Touched from the front only? */
  front = false;
  /** +1 for the mover, -1 for the target: in which direction its features go as the other one sees them. */
  readonly direction: number;
  readonly filledVertices = new Marks();
  readonly filledPolygons = new Marks();

  constructor(direction: number) {
    super();
    this.direction = direction;
    this.points = new Float64Array(96);
    this.planes = new Float64Array(128);
  }
}

/** What of the mover can be the first to touch something: vertices, edges, and polygons that lead. */
class LeadingFeatures {
  vertices: Int32Array = new Int32Array(32);
  vertexCount = 0;
  edges: Int32Array = new Int32Array(32);
  edgeCount = 0;
  polygons: Int32Array = new Int32Array(64);
  polygonCount = 0;
  /** At most 32 vertices and edges, so that each has a bit of a number? Then these are theirs. */
  cached = false;
  vertexBits = 0;
  edgeBits = 0;
  /** With bits: for each polygon, the edges that have their inside on the left, seen along the motion, and right. */
  readonly insideLeft = new Int32Array(64);
  readonly insideRight = new Int32Array(64);
  /** Where the vertices are, seen along the motion. */
  readonly spots = new Float64Array(64);
  /** Of each edge x and y, c of a distance x v - y u - c of (u, v), which is near when it is within the fourth. */
  readonly lines = new Float64Array(128);
  readonly markedVertices = new Marks();
  readonly markedEdges = new Marks();
}

/**
 * The bit cache of the polygon at hand: for each of its sides, which of the mover's vertices pass it on the left or on the
 * right by more than the thickness; for each corner, the same for the mover's edges. For movers with at most 32 of both;
 * the features of others are compared by their boxes. So few polygons come this far that it is cheaper to look again at
 * an edge that two of them share than to remember it: what is far apart in memory costs more than these signs.
 */
class SideBits {
  corners: Float64Array = new Float64Array(96);
  sideLeft: Int32Array = new Int32Array(32);
  sideRight: Int32Array = new Int32Array(32);
  cornerLeft: Int32Array = new Int32Array(32);
  cornerRight: Int32Array = new Int32Array(32);
  /** The normal of the polygon, against the motion. */
  nx = D;
  ny = D;
  nz = D;
}

/** The walk to the polygons that may be reached: see polygon-walk.ts. Times are fractions of the motion. */
class PolygonWalk {
  /** What is farther than this does not matter: the thickness and the error of coordinates. */
  pad = D;
  /** Until when a contact matters. */
  limit = D;
  /** How much the plane of the polygon at hand looks along the motion. */
  along = D;
  /** Not before this can it be met. */
  from = D;
  /** How far the walk has come. */
  now = D;
  readonly met = new Marks();
  /** Of each axis of the mover, with the sign that the motion goes along it: 1 / how much it does. */
  readonly oneOver = new Float64Array(3);
  /** The box of the mover at the start with the zone about it; 1 / motion; the side that leaves last, and first. */
  readonly start = new Float64Array(6);
  readonly inverse = new Float64Array(3);
  readonly back = new Float64Array(3);
  readonly fore = new Float64Array(3);
  /** The box of the path that is left. */
  readonly path = new Float64Array(6);
  /** Polygons that may be met, and not before when. They wait until the walk has come to that time. */
  waiting: Int32Array = new Int32Array(64);
  waitingFrom: Float64Array = new Float64Array(32);
  waitingCount = 0;
  readonly pendingNode = new Int32Array(MAX_DEPTH + 2);
  readonly pendingFrom = new Float64Array(MAX_DEPTH + 2);
  readonly pendingTo = new Float64Array(MAX_DEPTH + 2);
}

/** The translation at hand. Lengths are along the motion. */
export class TranslationContext {
  readonly tuning: Tuning;
  readonly mover = new MovingBody(1);
  readonly target = new MovingBody(-1);
  readonly leading = new LeadingFeatures();
  readonly bits = new SideBits();
  readonly walk = new PolygonWalk();
  /** The target's vertices and edges that were treated. */
  readonly doneVertices = new Marks();
  readonly doneEdges = new Marks();
  /** Is the frame set up for the sweep at hand? */
  ready = false;
  /** The origin of the frame. */
  ox = D;
  oy = D;
  oz = D;
  /** Its axes: two across the motion, and the motion's direction. */
  ax = D;
  ay = D;
  az = D;
  bx = D;
  by = D;
  bz = D;
  vx = D;
  vy = D;
  vz = D;
  /** The boxes about the mover at the start and about the polygon at hand, in the frame. */
  readonly moverBox = new Float64Array(6);
  readonly polygonBox = new Float64Array(6);
  /** How long the motion is; how much of it is asked about; where the first contact so far is. */
  length = D;
  reach = D;
  best = D;
  found = false;
  /** The thickness of the zone; the error of a coordinate; both: what is farther than this does not matter. */
  e = D;
  tau = D;
  pad = D;
  /** What an approach in the zone must exceed to be stopped. */
  slack = D;
  /** How much the polygon at hand looks along the motion. */
  along = D;
  /** The first contact, in the frame. */
  readonly contact = new FeatureContact();

  // For one pair of features: from when to when its conditions hold, the point and the direction, the offset of one from the
  // other, the edges.
  readonly span = { from: D, to: D };
  readonly spot = { px: D, py: D, pz: D, nx: D, ny: D, nz: D };
  readonly offset = { wx: D, wy: D, wz: D };
  readonly line = new EdgeLine();
  readonly other = new EdgeLine();
  /** A box seen along the motion. */
  readonly outline = { lowX: D, lowY: D, highX: D, highY: D };

  constructor(tuning: Tuning) {
    this.tuning = tuning;
  }
}

/** What coordinates are wrong by at most, of the largest of them: of points brought to the frame, with a margin. */
export const COORDINATE_ERROR = 64 * UNIT_ROUNDING;

/** Lets go of the models. */
export function releaseFrame({ mover, target }: TranslationContext): void {
  mover.model = target.model = NO_MODEL;
}

/** Brings a vertex into the frame, unless it is there. */
export function needVertex(translation: TranslationContext, body: MovingBody, v: number): void {
  const { marks, mark } = body.filledVertices;
  if (marks[v] === mark) return;
  marks[v] = mark;
  toFrame(translation, body.model.points, 3 * v, body.points);
}

/** A point, at i in both. */
export function toFrame(t: TranslationContext, from: Float64Array, i: number, to: Float64Array): void {
  const x = from[i]! - t.ox;
  const y = from[i + 1]! - t.oy;
  const z = from[i + 2]! - t.oz;
  to[i] = t.ax * x + t.ay * y + t.az * z;
  to[i + 1] = t.bx * x + t.by * y + t.bz * z;
  to[i + 2] = t.vx * x + t.vy * y + t.vz * z;
}

/** Brings a normal into the frame, unless it is there. */
export function needNormal(translation: TranslationContext, body: MovingBody, f: number): void {
  const { marks, mark } = body.filledPolygons;
  if (marks[f] === mark) return;
  marks[f] = mark;
  rotateToFrame(translation, body.model.planes, 4 * f, body.planes);
}

/** A direction, at i in both. */
export function rotateToFrame(t: TranslationContext, from: Float64Array, i: number, to: Float64Array): void {
  const x = from[i]!;
  const y = from[i + 1]!;
  const z = from[i + 2]!;
  to[i] = t.ax * x + t.ay * y + t.az * z;
  to[i + 1] = t.bx * x + t.by * y + t.bz * z;
  to[i + 2] = t.vx * x + t.vy * y + t.vz * z;
}
