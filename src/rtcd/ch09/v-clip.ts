/**
 * The closest features of two convex polyhedra, by walking from the last ones. RTCD §9.2.1; Mirtich 1998.
 *
 * For polyhedra that move little between frames, when features are asked for. Production: GJK (`convex/gjk.ts`) and
 * `convex/manifold.ts`.
 */

import { mustBeAFrame } from '../../convex/check.ts';
import { type ConvexCore, NO_TABLE, POLYTOPE, supportCore } from '../../convex/core.ts';
import { directionToFirst, directionToSecond, type Frame, toFirst, toSecond } from '../../convex/frame.ts';
import { gjkDistance, makeGjkResult } from '../../convex/gjk.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { mustHave } from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeFeaturePoint } from '../../polytope/types.ts';
import { closestOnSegments } from '../../primitives/closest/segment-segment.ts';
import { makeSegmentPair } from '../../primitives/closest/types.ts';
import { type EdgeRegion, type VoronoiRegions, voronoiFeature } from '../ch03/voronoi.ts';

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
 * Steps until the features are the closest. Two things can go wrong, both rarely, and both are left to `solveByGjk`. Rounding
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
  } else solveByGjk(pair.frame!, out);
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
    closestOnSegments(a0, a1, b0, b1, nearest);
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

/**
 * The steps of V-Clip: for each pair of kinds of features, which neighbour is closer, if any. A step lowers the distance
 * of the pair, or keeps it and lowers the dimension. The decisions are about the Voronoi planes of one body and the
 * feature of the other (edges are clipped to them), never about rounded closest points. Mirtich 1998; RTCD §9.2.1.
 */

export type FeatureKind = 'vertex' | 'edge' | 'face';

/** A body and the feature of it that the walk has come to. */
interface Side {
  regions: VoronoiRegions;
  kind: FeatureKind;
  index: number;
}

/** What a step came to. */
const MOVED = 0;
/** The features are the closest. */
const CLOSEST = 1;
/** The bodies share a point, which is in `meeting`. */
const MEETING = 2;
type Outcome = typeof MOVED | typeof CLOSEST | typeof MEETING;

const nowhere: VoronoiRegions = { vertices: [], edges: [], faces: [] };
const first: Side = { regions: nowhere, kind: 'vertex', index: 0 };
const second: Side = { regions: nowhere, kind: 'vertex', index: 0 };
/** A point of both, in the space of the body `meetingIn`. */
const meeting = vec3();
/** The pair at hand: the place of the second, and in whose space `meeting` is. */
const pair: { frame: Frame | null; meetingIn: Side } = { frame: null, meetingIn: first };

/** Where a step measures; fields of a record, because V8 would box a double that a call returns. */
const at = { reach: 0, start: 0, end: 0 };
/** The stretch of an edge that is left after clipping, and the features behind the planes that cut it: -1 for none. */
const clip = { low: 0, high: 1, lowNext: -1, highNext: -1, out: -1, worst: 0 };
const p = vec3();
const q = vec3();
const along = vec3();

/** A point of one body as the other sees it. */
function bring(from: Side, point: ReadonlyVec3, out: Vec3): Vec3 {
  return from === second ? toFirst(pair.frame!, point, out) : toSecond(pair.frame!, point, out);
}

/** Brings an edge: its ends to p and q, their difference to `along`. */
function bringEdge(from: Side): void {
  const { start, end } = from.regions.edges[from.index]!;
  bring(from, start, p);
  bring(from, end, q);
  along.x = q.x - p.x;
  along.y = q.y - p.y;
  along.z = q.z - p.z;
}

function moveTo(side: Side, kind: FeatureKind, index: number): Outcome {
  side.kind = kind;
  side.index = index;
  return MOVED;
}

function meet(side: Side, point: ReadonlyVec3, t: number): Outcome {
  pair.meetingIn = side;
  meeting.x = point.x + t * along.x;
  meeting.y = point.y + t * along.y;
  meeting.z = point.z + t * along.z;
  return MEETING;
}

/** How far `point` lies from `origin` along a unit vector, left in `at.reach`. */
function measure(point: ReadonlyVec3, origin: ReadonlyVec3, unit: ReadonlyVec3): void {
  at.reach = (point.x - origin.x) * unit.x + (point.y - origin.y) * unit.y + (point.z - origin.z) * unit.z;
}

/** One step. */
function step(): Outcome {
  if (dimension(first) <= dimension(second)) return stepFrom(first, second);
  return stepFrom(second, first);
}

const dimension = ({ kind }: Side): number => (kind === 'vertex' ? 0 : kind === 'edge' ? 1 : 2);

/** The feature of `low` has at most the dimension of that of `high`, and is no face. */
function stepFrom(low: Side, high: Side): Outcome {
  if (low.kind === 'vertex') {
    if (high.kind === 'vertex') return vertexVertex();
    return high.kind === 'edge' ? vertexEdge(low, high) : vertexFace(low, high);
  }
  return high.kind === 'edge' ? edgeEdge() : edgeFace(low, high);
}

function vertexVertex(): Outcome {
  if (leaveVertex(first, second) || leaveVertex(second, first)) return MOVED;
  return CLOSEST;
}

/** Goes to the edge of the vertex that the other's vertex is farthest along. */
function leaveVertex(side: Side, other: Side): boolean {
  bring(other, other.regions.vertices[other.index]!.point, p);
  const { edges } = side.regions;
  const around = side.regions.vertices[side.index]!.edges;
  let best = -1;
  let farthest = 0;
  for (let k = 0; k < around.length; k++) {
    const edge = edges[around[k]!]!;
    const isStart = edge.from === side.index;
    measure(p, isStart ? edge.start : edge.end, edge.along);
    const s = isStart ? at.reach : -at.reach;
    if (s > farthest) {
      farthest = s;
      best = around[k]!;
    }
  }
  if (best < 0) return false;
  moveTo(side, 'edge', best);
  return true;
}

function vertexEdge(v: Side, e: Side): Outcome {
  bring(v, v.regions.vertices[v.index]!.point, p);
  const edge = e.regions.edges[e.index]!;
  measure(p, edge.start, edge.along);
  if (at.reach < 0) return moveTo(e, 'vertex', edge.from);
  measure(p, edge.end, edge.along);
  if (at.reach > 0) return moveTo(e, 'vertex', edge.to);
  measure(p, edge.start, edge.intoLeft);
  const left = at.reach;
  measure(p, edge.start, edge.intoRight);
  const right = at.reach;
  if (left > 0 && left >= right) return moveTo(e, 'face', edge.left);
  if (right > 0) return moveTo(e, 'face', edge.right);

  // The vertex is in the region of the edge; is the closest point of the edge in that of the vertex?
  bringEdge(e);
  startClip();
  const { point, edges: around } = v.regions.vertices[v.index]!;
  for (let k = 0; k < around.length; k++) {
    const n = v.regions.edges[around[k]!]!;
    measureEnds(point, n.along);
    if (n.from !== v.index) flip();
    cut(around[k]!);
  }
  if (clip.out >= 0) return moveTo(v, 'edge', clip.out);
  const next = beyondPoint(point);
  return next < 0 ? CLOSEST : moveTo(v, 'edge', next);
}

function vertexFace(v: Side, f: Side): Outcome {
  const { point, edges: around } = v.regions.vertices[v.index]!;
  const face = f.regions.faces[f.index]!;
  bring(v, point, p);
  let worst = -1;
  let lowest = 0;
  for (let k = 0; k < face.edges.length; k++) {
    const edge = f.regions.edges[face.edges[k]!]!;
    measure(p, edge.start, intoFace(edge, f.index));
    if (at.reach < lowest) {
      lowest = at.reach;
      worst = face.edges[k]!;
    }
  }
  if (worst >= 0) return moveTo(f, 'edge', worst);

  measure(p, face.point, face.normal);
  const height = at.reach;
  if (height === 0) return meet(f, p, 0);
  // An edge that leads from the vertex towards the plane, from whichever side.
  let best = -1;
  let nearest = Math.abs(height);
  for (let k = 0; k < around.length; k++) {
    const edge = v.regions.edges[around[k]!]!;
    bring(v, edge.from === v.index ? edge.end : edge.start, q);
    measure(q, face.point, face.normal);
    const there = height > 0 ? at.reach : -at.reach;
    if (there < nearest) {
      nearest = there;
      best = around[k]!;
    }
  }
  if (best >= 0) return moveTo(v, 'edge', best);
  if (height > 0) return CLOSEST;

  // Behind the face, and no neighbour is any closer: inside, or on the far side of the body.
  const { faces } = f.regions;
  let highest = 0;
  for (let k = 0; k < faces.length; k++) {
    measure(p, faces[k]!.point, faces[k]!.normal);
    if (at.reach > highest) {
      highest = at.reach;
      best = k;
    }
  }
  return best < 0 ? meet(f, p, 0) : moveTo(f, 'face', best);
}

function edgeEdge(): Outcome {
  const outcome = leaveEdge(first, second);
  return outcome === CLOSEST ? leaveEdge(second, first) : outcome;
}

/** Clips the other's edge to the region of the edge of `side`: to the planes of its ends, then to those of its faces. */
function leaveEdge(side: Side, other: Side): Outcome {
  const edge = side.regions.edges[side.index]!;
  bringEdge(other);
  startClip();
  measureEnds(edge.start, edge.along);
  flip();
  cut(edge.from);
  measureEnds(edge.end, edge.along);
  cut(edge.to);
  if (clip.out >= 0) return moveTo(side, 'vertex', clip.out);
  if (clip.lowNext >= 0 && climbsFrom(side.regions.vertices[clip.lowNext]!.point, clip.low))
    return moveTo(side, 'vertex', clip.lowNext);
  if (clip.highNext >= 0 && fallsTowards(side.regions.vertices[clip.highNext]!.point, clip.high))
    return moveTo(side, 'vertex', clip.highNext);

  clip.lowNext = clip.highNext = -1;
  measureEnds(edge.start, edge.intoLeft);
  cut(edge.left);
  measureEnds(edge.start, edge.intoRight);
  cut(edge.right);
  if (clip.out >= 0) return moveTo(side, 'face', clip.out);
  if (clip.lowNext >= 0) {
    const slope = slopeOver(side, clip.lowNext, clip.low);
    if (at.reach === 0) return meet(side, p, clip.low);
    if (slope > 0) return moveTo(side, 'face', clip.lowNext);
  }
  if (clip.highNext >= 0) {
    const slope = slopeOver(side, clip.highNext, clip.high);
    if (at.reach === 0) return meet(side, p, clip.high);
    if (slope < 0) return moveTo(side, 'face', clip.highNext);
  }
  if (clip.low > clip.high) return moveTo(side, 'face', clip.lowNext >= 0 ? clip.lowNext : clip.highNext);
  return CLOSEST;
}

function edgeFace(e: Side, f: Side): Outcome {
  const face = f.regions.faces[f.index]!;
  bringEdge(e);
  startClip();
  for (let k = 0; k < face.edges.length; k++) {
    const edge = f.regions.edges[face.edges[k]!]!;
    measureEnds(edge.start, intoFace(edge, f.index));
    flip();
    cut(face.edges[k]!);
  }
  // An edge that passes by the face is closest to its rim.
  if (clip.out >= 0 || clip.low > clip.high) return moveTo(f, 'edge', nearestRim(f));
  measureEnds(face.point, face.normal);
  const low = clip.low === 0 ? at.start : at.start + clip.low * (at.end - at.start);
  const high = clip.high === 1 ? at.end : at.start + clip.high * (at.end - at.start);
  if (!(low > 0 && high > 0) && !(low < 0 && high < 0)) {
    const fall = low - high;
    return meet(f, p, fall === 0 ? clip.low : clip.low + (low / fall) * (clip.high - clip.low));
  }
  // By the slope, not by the heights: the stretch may be a single point of the rim.
  const { from, to } = e.regions.edges[e.index]!;
  if (low > 0 ? at.end >= at.start : at.end <= at.start)
    return clip.lowNext >= 0 ? moveTo(f, 'edge', clip.lowNext) : moveTo(e, 'vertex', from);
  return clip.highNext >= 0 ? moveTo(f, 'edge', clip.highNext) : moveTo(e, 'vertex', to);
}

const between = makeSegmentPair();

/** The edge of the face that is closest to pq. */
function nearestRim(f: Side): number {
  const around = f.regions.faces[f.index]!.edges;
  let best = around[0]!;
  let least = Infinity;
  for (let k = 0; k < around.length; k++) {
    const { start, end } = f.regions.edges[around[k]!]!;
    closestOnSegments(p, q, start, end, between);
    if (between.distanceSq < least) {
      least = between.distanceSq;
      best = around[k]!;
    }
  }
  return best;
}

const intoFace = (edge: EdgeRegion, f: number): ReadonlyVec3 =>
  edge.left === f ? edge.intoLeft : edge.intoRight;

function startClip(): void {
  clip.low = 0;
  clip.high = 1;
  clip.lowNext = clip.highNext = clip.out = -1;
  clip.worst = 0;
}

/** How far p and q are from a plane, in `at.start` and `at.end`. */
function measureEnds(origin: ReadonlyVec3, unit: ReadonlyVec3): void {
  measure(q, origin, unit);
  at.end = at.reach;
  measure(p, origin, unit);
  at.start = at.reach;
}

function flip(): void {
  at.start = -at.start;
  at.end = -at.end;
}

/** Cuts off what is in front of the plane last measured, behind which lies the feature `next`. */
function cut(next: number): void {
  const { start, end } = at;
  if (start > 0 && end > 0) {
    const excess = Math.min(start, end);
    if (excess > clip.worst) {
      clip.worst = excess;
      clip.out = next;
    }
  } else if (start > 0) {
    const t = start / (start - end);
    if (t > clip.low || clip.lowNext < 0) {
      clip.low = Math.max(t, clip.low);
      clip.lowNext = next;
    }
  } else if (end > 0) {
    const t = start / (start - end);
    if (t < clip.high || clip.highNext < 0) {
      clip.high = Math.min(t, clip.high);
      clip.highNext = next;
    }
  }
}

/** Does the way from the point to the edge grow along the edge, at t? Then what is closest lies before t. */
const climbsFrom = (point: ReadonlyVec3, t: number): boolean => growth(point, t) > 0;
const fallsTowards = (point: ReadonlyVec3, t: number): boolean => growth(point, t) < 0;

const growth = (o: ReadonlyVec3, t: number): number =>
  along.x * (p.x + t * along.x - o.x) +
  along.y * (p.y + t * along.y - o.y) +
  along.z * (p.z + t * along.z - o.z);

/** The feature across which the edge comes closer to the point; -1 if the closest point is on the stretch left. */
function beyondPoint(point: ReadonlyVec3): number {
  if (clip.lowNext >= 0 && climbsFrom(point, clip.low)) return clip.lowNext;
  if (clip.highNext >= 0 && fallsTowards(point, clip.high)) return clip.highNext;
  return clip.low > clip.high ? clip.lowNext : -1;
}

/** How the distance from a plane of a face changes along the edge at t; the height there is left in `at.reach`. */
function slopeOver(side: Side, f: number, t: number): number {
  const { point, normal } = side.regions.faces[f]!;
  measureEnds(point, normal);
  const rise = at.end - at.start;
  at.reach = at.start + t * rise;
  return at.reach > 0 ? rise : -rise;
}

/** What V-Clip does when rounding leaves its walk in doubt: the distance is found by GJK, the features from its points. */

/** Below this share of the sizes, a distance leaves its direction so uncertain that it has to be looked at again. */
const SHORT = 1e-5;
/** A slab that is narrower than the distance by more than this share of the sizes does not prove it. */
const ROUNDING = 8 * UNIT_ROUNDING;

/**
 * Is a short distance right? It is if the bodies lie on the two sides of a slab of that width; otherwise GJK decides.
 *
 * @internal
 */
export function verify(frame: Frame, out: FeatureDistance): void {
  const a = coreOf(first.regions);
  const b = coreOf(second.regions);
  const size = a.reach + b.reach + Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  if (out.distance > SHORT * size || out.distance === 0) return;
  if (first.kind === 'face') v3.negate(first.regions.faces[first.index]!.normal, away);
  else if (second.kind === 'face') directionToFirst(frame, second.regions.faces[second.index]!.normal, away);
  else v3.normalize(v3.sub(out.a, out.b, away), away);
  v3.negate(away, down);
  supportCore(a, down, -1, low);
  supportCore(b, directionToSecond(frame, away, down), -1, high);
  toFirst(frame, high, high);
  if (!(v3.dot(v3.sub(low, high, down), away) >= out.distance - ROUNDING * size)) solveByGjk(frame, out);
}

/** Unit vector from the second to the first. */
const away = vec3();
const down = vec3();
const low = vec3();
const high = vec3();

const state = makeGjkState();
const gjkFound = makeGjkResult();
const feature = makeFeaturePoint();

/**
 * The distance and the closest points from GJK, and the features whose regions they are in.
 */
function solveByGjk(frame: Frame, out: FeatureDistance): void {
  gjkDistance(coreOf(first.regions), coreOf(second.regions), frame, state, gjkFound);
  out.distance = gjkFound.distance;
  v3.copy(gjkFound.pointA, out.a);
  v3.copy(gjkFound.distance > 0 ? gjkFound.pointB : gjkFound.pointA, out.b);
  classify(first, out.b);
  bring(first, out.a, low);
  classify(second, low);
}

function classify(side: Side, point: ReadonlyVec3): void {
  voronoiFeature(side.regions, point, undefined, feature);
  side.kind = feature.kind === 'inside' ? 'face' : feature.kind;
  side.index = feature.index;
}

const NONE = new Uint32Array(0);
const cores = new WeakMap<VoronoiRegions, ConvexCore>();

function coreOf(regions: VoronoiRegions): ConvexCore {
  let core = cores.get(regions);
  if (core === undefined) {
    const { vertices } = regions;
    const data = new Float64Array(3 * vertices.length);
    let reach = 0;
    const center = vec3();
    for (const [i, { point }] of vertices.entries()) {
      data.set([point.x, point.y, point.z], 3 * i);
      reach = Math.max(reach, v3.length(point));
      v3.addScaled(center, point, 1 / vertices.length, center);
    }
    core = {
      type: POLYTOPE,
      data,
      radius: 0,
      reach,
      center,
      inner: 0,
      firstNeighbour: NONE,
      neighbours: NONE,
      table: NO_TABLE,
      custom: null,
      axisSearch: null,
    };
    cores.set(regions, core);
  }
  return core;
}
