/** The closest features of two convex polyhedra, by walking from the last ones. RTCD §9.2.1; Mirtich 1998. */
import { mustHave } from '../math/check.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { VoronoiRegions } from '../polytope/voronoi-regions.ts';
import { nearestOnSegments } from '../primitives/closest/segment-segment.ts';
import { makeSegmentPair } from '../primitives/closest/types.ts';
import { type Frame, toFirst } from './frame.ts';
import { mustBeAFrame } from './frame-check.ts';
import { settle, verify } from './v-clip-settle.ts';
import type { FeatureKind, Outcome, Side } from './v-clip-steps.ts';
import { bring, CLOSEST, first, MEETING, MOVED, meeting, pair, second, step } from './v-clip-steps.ts';

/** A feature of each of two polyhedra, for the caller to keep with the pair: the next query starts there. */
export interface FeaturePair {
  kindA: FeatureKind;
  a: number;
  kindB: FeatureKind;
  b: number;
}

/** The closest points of two polyhedra, in the space of the first. */
export interface FeatureDistance {
  /** 0 when they share a point; `a` and `b` are then one such point. */
  distance: number;
  a: Vec3;
  b: Vec3;
  /** How many pairs of features were looked at. */
  steps: number;
}

export const makeFeaturePair = (): FeaturePair => ({ kindA: 'vertex', a: 0, kindB: 'vertex', b: 0 });
export const makeFeatureDistance = (): FeatureDistance => ({ distance: 0, a: vec3(), b: vec3(), steps: 0 });

/**
 * How far are two convex polyhedra from each other, between which points, and on which features (written to `state`)?
 * The walk starts at the features in `state`: when the bodies have moved little since, it takes a step or two, whatever
 * their size. A `state` of some other pair does no harm. The answer is the same from every start, but for ties: of
 * parallel faces and edges any closest features may be named. When the two share a point the distance is 0, and `state`
 * holds the features that were found to meet, or a vertex and the face it is behind.
 *
 * `frame` is the place of the second as the first sees it. The regions are made once, by `voronoiRegions`, and trusted.
 */
export function closestFeatures(
  a: VoronoiRegions,
  b: VoronoiRegions,
  frame: Frame,
  state: FeaturePair = makeFeaturePair(),
  out: FeatureDistance = makeFeatureDistance(),
): FeatureDistance {
  mustBeAFrame('closestFeatures', frame);
  mustHave('closestFeatures', 'a', a, 'a voronoi regions', 'vertices');
  mustHave('closestFeatures', 'b', b, 'a voronoi regions', 'vertices');
  mustHave('closestFeatures', 'state', state, 'a pair of features', 'kindA');
  start(first, a, state.kindA, state.a);
  start(second, b, state.kindB, state.b);
  // No step looks at two faces.
  if (first.kind === 'face' && second.kind === 'face') start(second, b, 'vertex', anyVertex(b, second.index));
  pair.frame = frame;
  walk(found);
  note(state);
  out.steps = found.steps;
  out.distance = found.distance;
  v3.copy(found.a, out.a);
  v3.copy(found.b, out.b);
  return out;
}

/** Written to while the bodies are still looked at, which `out` may be a part of. */
const found = makeFeatureDistance();

function start(side: Side, regions: VoronoiRegions, kind: FeatureKind, index: number): void {
  const list = kind === 'vertex' ? regions.vertices : kind === 'edge' ? regions.edges : regions.faces;
  const isThere = index in list;
  side.regions = regions;
  side.kind = isThere ? kind : 'vertex';
  side.index = isThere ? index : 0;
}

/** A vertex of a face. */
const anyVertex = ({ faces, edges }: VoronoiRegions, f: number): number => edges[faces[f]!.edges[0]!]!.from;

/**
 * Steps until the features are the closest. Two things can go wrong, both rarely, and both are left to `settle`. Rounding
 * can send the walk round in circles, among features that are equally close; such a circle is noticed when the walk comes
 * back to a pair that it has marked: it marks one after 1, 2, 4, 8, … steps (Brent 1980). And on which side of a Voronoi
 * plane a point lies is uncertain by the angle of rounding over distance: with next to no distance the walk may end
 * too early.
 */
function walk(out: FeatureDistance): void {
  let steps = 0;
  let outcome: Outcome;
  for (let next = 1; ; ) {
    if (steps === next) {
      next *= 2;
      note(mark);
    }
    outcome = step();
    steps++;
    if (outcome !== MOVED || (steps > 1 && isMarked())) break;
  }
  out.steps = steps;
  if (outcome === MEETING) {
    if (pair.meetingIn === first) v3.copy(meeting, out.a);
    else toFirst(pair.frame!, meeting, out.a);
    v3.copy(out.a, out.b);
    out.distance = 0;
  } else if (outcome === CLOSEST) {
    report(out);
    verify(pair.frame!, out);
  } else settle(pair.frame!, out);
}

const mark = makeFeaturePair();

const isMarked = (): boolean =>
  mark.a === first.index &&
  mark.b === second.index &&
  mark.kindA === first.kind &&
  mark.kindB === second.kind;

function note(to: FeaturePair): void {
  to.kindA = first.kind;
  to.a = first.index;
  to.kindB = second.kind;
  to.b = second.index;
}

const a0 = vec3();
const a1 = vec3();
const b0 = vec3();
const b1 = vec3();
const nearest = makeSegmentPair();

/** The closest points of the two features. */
function report(out: FeatureDistance): void {
  if (first.kind === 'face') reportFace(first, second, out.a, out.b, out);
  else if (second.kind === 'face') reportFace(second, first, out.b, out.a, out);
  else {
    ends(first, a0, a1);
    ends(second, b0, b1);
    toFirst(pair.frame!, b0, b0);
    toFirst(pair.frame!, b1, b1);
    nearestOnSegments(a0, a1, b0, b1, nearest);
    v3.copy(nearest.a, out.a);
    v3.copy(nearest.b, out.b);
    out.distance = Math.sqrt(nearest.distanceSq);
  }
}

/** The ends of an edge; a vertex is an edge of length 0. */
function ends(side: Side, from: Vec3, to: Vec3): void {
  const edge = side.kind === 'edge' ? side.regions.edges[side.index]! : null;
  const vertex = edge === null ? side.regions.vertices[side.index]!.point : null;
  v3.copy(edge?.start ?? vertex!, from);
  v3.copy(edge?.end ?? vertex!, to);
}

/** Of a face and a vertex over it. */
function reportFace(f: Side, v: Side, onFace: Vec3, onVertex: Vec3, out: FeatureDistance): void {
  const { point, normal } = f.regions.faces[f.index]!;
  const { point: vertex } = v.regions.vertices[v.index]!;
  bring(v, vertex, a0);
  const height = (a0.x - point.x) * normal.x + (a0.y - point.y) * normal.y + (a0.z - point.z) * normal.z;
  v3.addScaled(a0, normal, -height, onFace);
  if (f === second) toFirst(pair.frame!, onFace, onFace);
  if (v === second) toFirst(pair.frame!, vertex, onVertex);
  else v3.copy(vertex, onVertex);
  out.distance = Math.max(height, 0);
}
