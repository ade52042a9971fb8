/** What the start, the path and the end of a sweep are verified with: start-overlap.ts, path-proof.ts, border-proof.ts, pose-clearance.ts. */
import { vec3 } from '../../math/types.ts';
import { PosedModel } from '../features.ts';
import { makePolygonList } from '../model/axial-bsp.ts';
import { Arc, AxisRotation } from '../rotation/arc.ts';
import type { FacePair } from './face-pair.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** Do the two cut through each other where they start? See start-overlap.ts. @internal */
export class OverlapTest {
  /** Both where they start. */
  readonly mover = new PosedModel();
  readonly target = new PosedModel();
  /** Deeper than this is not rounding. */
  deep = D;
  /** A point in both, or a vertex that may be inside. */
  readonly point = vec3(D, D, D);
  /** The line that the planes of two polygons have in common, and from where to where the last one crosses it. */
  x = D;
  y = D;
  z = D;
  low = D;
  high = D;
  /** A segment that may go through a polygon. */
  readonly start = vec3(D, D, D);
  readonly end = vec3(D, D, D);
  readonly near = makePolygonList();
  readonly box = new Float64Array(6);
}

/** How a pose is measured: see pose-clearance.ts. @internal */
export class Clearance {
  /** Nothing farther than this is looked at. */
  reach = D;
  /** Enough is known when two are nearer than this, or, if `stopAtCut`, when one cuts through another. */
  stopBelow = -Infinity;
  stopAtCut = false;
  /** How many more pairs of polygons may be in touch; at 0 the measuring ends. They need exact predicates, which take long. */
  budget = 0;
  /** Does a side of a polygon of the one go through a polygon of the other, for the corners in the world as they are rounded? */
  cuts = false;
  /** What is allowed: how near the two may be, and whether sides may go through polygons, as at the start. */
  level = D;
  mayCut = false;
  readonly near = makePolygonList();
  readonly box = new Float64Array(6);
  /** The boxes of the mover's polygons. */
  boxes: Float64Array = new Float64Array(6 * 32);
}

/** The part of the motion at hand, a translation or a rotation by at most a quarter turn, in the target's frame. @internal */
export class PathProof extends AxisRotation {
  readonly faces: FacePair;
  isRotation = false;
  readonly translation = vec3(D, D, D);
  /** How long it is (the angle, or 1), and what of it is free for sure. */
  length = D;
  free = D;
  /** Of the angle: the sine, and 1 less the cosine. */
  sine = D;
  versine = D;
  /** How far two polygons have to be apart; negative: how deep is rounding. */
  level = D;
  /** How many steps are left for all pairs. */
  stepsLeft = 0;
  /** A pair needed too many. */
  gaveUp = false;
  readonly near = makePolygonList();
  readonly box = new Float64Array(6);
  /** Where the mover's vertices are on the path, and where a polygon of it is: low x, y, z, high x, y, z. */
  boxes: Float64Array = new Float64Array(6 * 64);
  readonly faceBox = new Float64Array(6);
  /**
   * Corners and their arcs, nine numbers each: the corner, c and u. The mover's as they are at the start of the piece and as
   * they are now; the target's, as they rotate the other way round for the mover.
   */
  startArcs: Float64Array = new Float64Array(9 * 32);
  ownArcs: Float64Array = new Float64Array(9 * 32);
  otherArcs: Float64Array = new Float64Array(9 * 32);
  readonly startNormal = new Arc();
  /** For how long the best direction so far lasts, and the rest of the piece: tan(α/2), or a part of the translation. */
  lasts = D;
  rest = D;
  readonly arc = new Arc();

  constructor(faces: FacePair) {
    super();
    this.faces = faces;
  }
}

/** What was seen of borders at one time, and what is left of the translation. @internal */
export class BorderProof {
  readonly faces: FacePair;
  readonly translation = vec3(D, D, D);
  /** The least distance; nothing may come nearer than `low`; what fraction of the translation is left; what of it is safe. */
  least = D;
  low = D;
  rest = D;
  safe = D;
  readonly near = makePolygonList();
  readonly box = new Float64Array(6);
  /** How far it leads from here, and where the target's face is: low x, y, z, high x, y, z. */
  readonly reach = new Float64Array(6);
  readonly faceBox = new Float64Array(6);

  constructor(faces: FacePair) {
    this.faces = faces;
  }
}
