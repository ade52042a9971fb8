/**
 * The Voronoi regions of a convex polyhedron, and which of them holds a point. RTCD §3.10; Mirtich 1998.
 *
 * The ground of V-Clip, and for questions about features. Production finds the closest features by GJK
 * (`convex/gjk.ts`) and `convex/supporting-face.ts`.
 */
import { checkPoint, mustHave, refuse } from '../../math/check.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import {
  type FeaturePoint,
  makeFeaturePoint,
  type ReadonlyFeaturePoint,
  type ReadonlyPolyhedron,
} from '../../polytope/types.ts';
import { isSphereLike } from './mesh-facts.ts';

/** The regions of the features of a polyhedron, vertices and faces in its order. Made by `voronoiRegions`. */
export interface VoronoiRegions {
  readonly vertices: readonly VertexRegion[];
  readonly edges: readonly EdgeRegion[];
  readonly faces: readonly FaceRegion[];
}

export interface VertexRegion {
  readonly point: ReadonlyVec3;
  /** Indices of the edges that end here. */
  readonly edges: readonly number[];
}

export interface EdgeRegion {
  /** Indices of the vertices where it starts and ends, and their positions. */
  readonly from: number;
  readonly to: number;
  readonly start: ReadonlyVec3;
  readonly end: ReadonlyVec3;
  /** Unit vector from start to end. */
  readonly along: ReadonlyVec3;
  /** Index of the face to the left, seen from outside, and the unit vector from the edge straight into it. */
  readonly left: number;
  readonly intoLeft: ReadonlyVec3;
  readonly right: number;
  readonly intoRight: ReadonlyVec3;
}

export interface FaceRegion {
  /** Unit vector that points out. */
  readonly normal: ReadonlyVec3;
  /** A vertex of the face. */
  readonly point: ReadonlyVec3;
  /** Indices of the edges around it. */
  readonly edges: readonly number[];
}

/** Prepares a convex polyhedron for `voronoiFeature`. Throws when its faces do not make a closed surface. */
export function voronoiRegions(polyhedron: ReadonlyPolyhedron): VoronoiRegions {
  mustHave('voronoiRegions', 'polyhedron', polyhedron, 'a polyhedron', 'vertices');
  mustBePolyhedron('voronoiRegions', polyhedron);
  const { faces, planes } = polyhedron;
  if (!isSphereLike(faces))
    refuse('voronoiRegions', 'polyhedron.faces', 'must make one closed surface that faces out');
  const points = polyhedron.vertices.map((v) => v3.copy(v));
  const normals = planes.map(({ normal }) => v3.normalize(normal));
  const edges = edgeRegions(points, faces, normals);
  const atVertex: number[][] = points.map(() => []);
  const aroundFace: number[][] = faces.map(() => []);
  for (const [e, edge] of edges.entries()) {
    atVertex[edge.from]!.push(e);
    atVertex[edge.to]!.push(e);
    aroundFace[edge.left]!.push(e);
    aroundFace[edge.right]!.push(e);
  }
  return {
    vertices: points.map((point, i) => ({ point, edges: atVertex[i]! })),
    edges,
    faces: faces.map((face, f) => ({
      normal: normals[f]!,
      point: points[face[0]!]!,
      edges: aroundFace[f]!,
    })),
  };
}

function edgeRegions(
  points: readonly ReadonlyVec3[],
  faces: readonly (readonly number[])[],
  normals: readonly ReadonlyVec3[],
): EdgeRegion[] {
  const edges: EdgeRegion[] = [];
  const leftOf = new Map<string, number>();
  for (const [f, face] of faces.entries())
    for (const [k, from] of face.entries()) leftOf.set(`${from} ${face[(k + 1) % face.length]}`, f);
  for (const [key, left] of leftOf) {
    const [from, to] = key.split(' ').map(Number) as [number, number];
    if (from > to) continue; // it has its turn the other way round
    const right = leftOf.get(`${to} ${from}`)!;
    const start = points[from]!;
    const end = points[to]!;
    const along = v3.normalize(v3.sub(end, start));
    const intoLeft = v3.normalize(v3.cross(normals[left]!, along));
    const intoRight = v3.normalize(v3.cross(along, normals[right]!));
    edges.push({ from, to, start, end, along, left, intoLeft, right, intoRight });
  }
  return edges;
}

/** Which feature of a convex polyhedron is closest to a point? RTCD §3.10; Mirtich 1998. */

/**
 * In the Voronoi region of which vertex, edge or face does p lie, and which point there is closest to it? A boundary
 * between regions belongs to the feature of lower dimension, the surface to the features, and a point of the interior
 * to the nearest face, as kind `inside` and its own closest point. Decided with rounded numbers: so close to a boundary
 * that it matters, the neighbour may be named, whose closest point is as good. RTCD §3.10.
 *
 * Walks from region to region, starting at `start`: the last answer, when p moves little, makes it quick. (`out` may
 * be `start`.) Checks p and `start`; the regions were checked when they were made.
 */
export function voronoiFeature(
  regions: VoronoiRegions,
  p: ReadonlyVec3,
  start?: ReadonlyFeaturePoint,
  out: FeaturePoint = makeFeaturePoint(),
): FeaturePoint {
  if (start !== undefined && start !== null)
    mustHave('voronoiFeature', 'start', start, 'a feature point', 'kind');
  mustHave('voronoiFeature', 'regions', regions, 'a voronoi regions', 'vertices');
  checkPoint('voronoiFeature', 'p', p);
  at.kind = start === undefined ? 'vertex' : start.kind === 'inside' ? 'face' : start.kind;
  at.index = start === undefined ? 0 : start.index;
  if (!(at.index in listOf(regions)))
    refuse('voronoiFeature', 'start', `names a feature that is not there: ${at.kind} ${at.index}`);
  v3.copy(p, query);
  walk(regions);
  project(regions, out);
  return out;
}

/** The query point, the feature that the walk has come to, and the last thing measured. */
const query = vec3();
const at: { kind: FeaturePoint['kind']; index: number; reach: number } = {
  kind: 'vertex',
  index: 0,
  reach: 0,
};

const listOf = (regions: VoronoiRegions): readonly unknown[] =>
  at.kind === 'vertex' ? regions.vertices : at.kind === 'edge' ? regions.edges : regions.faces;

/**
 * Leaves a region across the plane that the point is farthest behind, until it is behind none. By convexity the feature
 * is then the closest of all. Both neighbours evaluate the plane between them in the same way, so they agree whose side
 * the point is on. Where the walk gets nowhere (for points of the surface, which rounding puts now behind and now in
 * front of a face), all features are looked at.
 */
function walk(regions: VoronoiRegions): void {
  const { vertices, edges, faces } = regions;
  let jumped = false;
  for (let steps = vertices.length + edges.length + faces.length; steps > 0; steps--) {
    if (leave(regions)) continue;
    if (at.kind !== 'face' || isInFront(faces[at.index]!)) return;
    // Behind the middle of a face: inside, or on the far side of the polyhedron, where no neighbour is any closer.
    const front = frontFace(regions);
    const isOutside = isInFront(faces[front]!);
    moveTo(isOutside ? 'face' : 'inside', front);
    if (!isOutside) return;
    if (jumped) break;
    jumped = true;
  }
  findClosest(regions);
}

/**
 * How far the query point lies from `origin` along a unit vector, left in `at.reach`: a number that comes back from a
 * call that V8 does not inline is boxed.
 */
function measure(origin: ReadonlyVec3, unit: ReadonlyVec3): void {
  at.reach = (query.x - origin.x) * unit.x + (query.y - origin.y) * unit.y + (query.z - origin.z) * unit.z;
}

/** Measures the height over the plane of a face: is it in front, or on it? */
function isInFront(face: FaceRegion): boolean {
  measure(face.point, face.normal);
  return at.reach >= 0;
}

function moveTo(kind: FeaturePoint['kind'], index: number): true {
  at.kind = kind;
  at.index = index;
  return true;
}

/** Crosses the plane of the region that the point is farthest behind; false if it is behind none. */
const leave = (regions: VoronoiRegions): boolean =>
  at.kind === 'vertex' ? leaveVertex(regions) : at.kind === 'edge' ? leaveEdge(regions) : leaveFace(regions);

function leaveVertex(regions: VoronoiRegions): boolean {
  const here = at.index;
  const around = regions.vertices[here]!.edges;
  let best = -1;
  let farthest = 0;
  for (let k = 0; k < around.length; k++) {
    const edge = regions.edges[around[k]!]!;
    const isStart = edge.from === here;
    measure(isStart ? edge.start : edge.end, edge.along);
    const s = isStart ? at.reach : -at.reach;
    if (s > farthest) {
      farthest = s;
      best = around[k]!;
    }
  }
  return best >= 0 && moveTo('edge', best);
}

function leaveEdge(regions: VoronoiRegions): boolean {
  const edge = regions.edges[at.index]!;
  measure(edge.start, edge.along);
  if (!(at.reach > 0)) return moveTo('vertex', edge.from);
  measure(edge.end, edge.along);
  if (!(at.reach < 0)) return moveTo('vertex', edge.to);
  measure(edge.start, edge.intoLeft);
  const left = at.reach;
  measure(edge.start, edge.intoRight);
  const right = at.reach;
  if (left > 0 && left >= right) return moveTo('face', edge.left);
  return right > 0 && moveTo('face', edge.right);
}

function leaveFace(regions: VoronoiRegions): boolean {
  const face = regions.faces[at.index]!;
  let worst = -1;
  let lowest = Infinity;
  for (let k = 0; k < face.edges.length; k++) {
    const edge = regions.edges[face.edges[k]!]!;
    measure(edge.start, intoFace(edge, at.index));
    if (at.reach < lowest) {
      lowest = at.reach;
      worst = face.edges[k]!;
    }
  }
  return !(lowest > 0) && moveTo('edge', worst);
}

/** The face whose plane the query point is farthest in front of, or least far behind. */
function frontFace({ faces }: VoronoiRegions): number {
  let best = 0;
  let highest = -Infinity;
  for (let f = 0; f < faces.length; f++) {
    measure(faces[f]!.point, faces[f]!.normal);
    if (at.reach > highest) {
      highest = at.reach;
      best = f;
    }
  }
  return best;
}

/** Goes to the closest feature by looking at all. */
function findClosest(regions: VoronoiRegions): void {
  const { edges, faces } = regions;
  const front = frontFace(regions);
  moveTo('inside', front);
  if (!isInFront(faces[front]!)) return;
  let best = Infinity;
  for (let e = 0; e < edges.length; e++) {
    const edge = edges[e]!;
    measure(edge.start, edge.along);
    const s = at.reach;
    const isBefore = !(s > 0);
    measure(edge.end, edge.along);
    const isAfter = !isBefore && !(at.reach < 0);
    v3.addScaled(isAfter ? edge.end : edge.start, edge.along, isBefore || isAfter ? 0 : s, candidate);
    const distanceSq = v3.distanceSq(query, candidate);
    if (distanceSq < best) {
      best = distanceSq;
      if (isBefore || isAfter) moveTo('vertex', isAfter ? edge.to : edge.from);
      else moveTo('edge', e);
    }
  }
  for (let f = 0; f < faces.length; f++) {
    const isOutside = isInFront(faces[f]!);
    const height = at.reach;
    if (isOutside && height * height < best && isOver(regions, f)) {
      best = height * height;
      moveTo('face', f);
    }
  }
}

const candidate = vec3();

/** Is the query point above the face, its rim included? */
function isOver({ faces, edges }: VoronoiRegions, f: number): boolean {
  const around = faces[f]!.edges;
  for (let k = 0; k < around.length; k++) {
    const edge = edges[around[k]!]!;
    measure(edge.start, intoFace(edge, f));
    if (at.reach < 0) return false;
  }
  return true;
}

const intoFace = (edge: EdgeRegion, f: number): ReadonlyVec3 =>
  edge.left === f ? edge.intoLeft : edge.intoRight;

/** origin + `at.reach` unit. */
function advance(origin: ReadonlyVec3, unit: ReadonlyVec3, out: Vec3): void {
  const { reach } = at;
  out.x = origin.x + reach * unit.x;
  out.y = origin.y + reach * unit.y;
  out.z = origin.z + reach * unit.z;
}

/** The point of the feature closest to the query point. */
function project(regions: VoronoiRegions, out: FeaturePoint): void {
  const { kind, index } = at;
  if (kind === 'vertex') v3.copy(regions.vertices[index]!.point, out.point);
  else if (kind === 'edge') {
    const { start, end, along } = regions.edges[index]!;
    measure(start, along);
    const s = at.reach;
    measure(end, along);
    // From the nearer end, which has the smaller rounding error.
    if (s < -at.reach) {
      at.reach = s;
      advance(start, along, out.point);
    } else advance(end, along, out.point);
  } else if (kind === 'face') {
    const { point, normal } = regions.faces[index]!;
    measure(point, normal);
    at.reach = -at.reach;
    advance(query, normal, out.point);
  } else v3.copy(query, out.point);
  out.kind = kind;
  out.index = index;
}

/**
 * The answer of `voronoiFeature` by looking at all features.
 *
 * @internal
 */
export function voronoiFeatureByScan(
  regions: VoronoiRegions,
  p: ReadonlyVec3,
  out: FeaturePoint,
): FeaturePoint {
  v3.copy(p, query);
  findClosest(regions);
  project(regions, out);
  return out;
}
