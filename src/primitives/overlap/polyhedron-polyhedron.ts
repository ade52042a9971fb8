/** Convex polyhedra against each other: the separating axis test. RTCD §5.2.1. */

import { mustHave } from '../../math/check.ts';
import { NEARLY_PARALLEL, PARALLEL, UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { closestOnSegments } from '../closest/segment-segment.ts';
import { makeSegmentPair } from '../closest/types.ts';
import { checkPolyhedron } from '../input.ts';
import { edgesOf } from './polyhedron-edges.ts';

/**
 * What parted two polyhedra the last time, for the caller to keep with the pair: as long as things move little it
 * parts them the next time too. Indices are those of a face, or of an edge in an order of the library's own.
 */
export interface SeparatingAxis {
  kind: 'none' | 'faceA' | 'faceB' | 'edges';
  a: number;
  b: number;
}

/** Part of a polyhedron. `index` is that of the face or vertex; an edge runs from vertex `index` to vertex `end`. */
export interface PolyhedronFeature {
  kind: 'face' | 'edge' | 'vertex';
  index: number;
  /** The other end of an edge; for a face or vertex the same as `index`. */
  end: number;
}

/** How two convex shapes overlap, along the direction in which they do so least. */
export interface Penetration {
  /** The unit direction along which the shortest translation frees the first from the second. */
  normal: Vec3;
  /** How far it has to move; 0 when they just touch. */
  depth: number;
  /** The point of the first that is deepest in the second, and the point of the second that is deepest in the first. */
  pointA: Vec3;
  pointB: Vec3;
  /** What touches last: a face and a vertex (or the other way round), or two edges. */
  featureA: PolyhedronFeature;
  featureB: PolyhedronFeature;
}

export const makeSeparatingAxis = (): SeparatingAxis => ({ kind: 'none', a: 0, b: 0 });
const makeFeature = (): PolyhedronFeature => ({ kind: 'vertex', index: 0, end: 0 });
export const makePenetration = (): Penetration => ({
  normal: vec3(),
  depth: 0,
  pointA: vec3(),
  pointB: vec3(),
  featureA: makeFeature(),
  featureB: makeFeature(),
});

/**
 * Do two convex polyhedra share a point? Stops at the first axis that parts them: normals of faces first, then cross
 * products of edges. The `cache` is tried before, and notes what parted them.
 *
 * They count as apart only if the gap along an axis exceeds all rounding (2⁻⁵⁰ of the size of both together), however
 * nearly parallel two edges are: an overlap is never missed. The list of faces must not change (in place) once used.
 */
export function overlapPolyhedronPolyhedron(
  a: ReadonlyPolyhedron,
  b: ReadonlyPolyhedron,
  cache?: SeparatingAxis,
): boolean {
  if (cache !== undefined && cache !== null)
    mustHave('overlapPolyhedronPolyhedron', 'cache', cache, 'a separating axis', 'kind');
  mustHave('overlapPolyhedronPolyhedron', 'a', a, 'a polyhedron', 'vertices');
  mustHave('overlapPolyhedronPolyhedron', 'b', b, 'a polyhedron', 'vertices');
  start('overlapPolyhedronPolyhedron', a, b);
  if (cache && tryAgain(cache)) return false;
  if (!search(true)) return true;
  if (cache) {
    cache.kind = kind;
    cache.a = indexA;
    cache.b = indexB;
  }
  return false;
}

/**
 * How two convex polyhedra overlap, or `null` when they do not: looks at all axes for the least overlap. Moving the
 * first by depth × normal parts them, and no shorter move does.
 */
export function penetrationPolyhedronPolyhedron(
  a: ReadonlyPolyhedron,
  b: ReadonlyPolyhedron,
  out?: Penetration,
): Penetration | null {
  mustHave('penetrationPolyhedronPolyhedron', 'a', a, 'a polyhedron', 'vertices');
  mustHave('penetrationPolyhedronPolyhedron', 'b', b, 'a polyhedron', 'vertices');
  start('penetrationPolyhedronPolyhedron', a, b);
  search(false);
  return work.best > work.tolerance ? null : report(out);
}

// The pair at hand.
let A: ReadonlyPolyhedron;
let B: ReadonlyPolyhedron;
let edgesA: Int32Array;
let edgesB: Int32Array;
// The features that the best axis so far belongs to.
let kind: SeparatingAxis['kind'] = 'none';
let indexA = 0;
let indexB = 0;

/** Fields of a record, because a double in a variable of the module, or returned, is a new object each time. */
const work = {
  /** A gap up to this may be the work of rounding. */
  tolerance: 0.5,
  /** The largest gap so far. */
  best: 0.5,
  /** What `hasGap` found. */
  gap: 0.5,
};
/** Out of A, with the gap `work.best`. */
const bestAxis = vec3();
const axis = vec3();

function start(caller: string, a: ReadonlyPolyhedron, b: ReadonlyPolyhedron): void {
  checkPolyhedron(caller, 'a', a);
  checkPolyhedron(caller, 'b', b);
  edgesA = edgesOf(caller, 'a', a);
  edgesB = edgesOf(caller, 'b', b);
  A = a;
  B = b;
  // Projections are taken from a vertex of A. Each is a sum of three products with a difference, off by four roundings
  // of its terms, which for a unit axis add up to no more than the distance.
  const origin = a.vertices[0]!;
  work.tolerance = 0;
  allowFor(origin, a.vertices);
  allowFor(origin, b.vertices);
}

/** Adds eight roundings of the largest distance from o, in the 1-norm. */
function allowFor(o: ReadonlyVec3, vertices: readonly ReadonlyVec3[]): void {
  let most = 0;
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i]!;
    most = Math.max(most, Math.abs(v.x - o.x) + Math.abs(v.y - o.y) + Math.abs(v.z - o.z));
  }
  work.tolerance += 8 * UNIT_ROUNDING * most;
}

/** Goes through the axes; with `any`, until one parts the two. True if one does. */
function search(any: boolean): boolean {
  work.best = any ? work.tolerance : -Infinity;
  kind = 'none';
  const { planes: planesA } = A;
  for (let i = 0; i < planesA.length; i++) {
    setAxis(planesA[i]!.normal, 1);
    if (improves('faceA', i, 0) && any) return true;
  }
  const { planes: planesB } = B;
  for (let i = 0; i < planesB.length; i++) {
    setAxis(planesB[i]!.normal, -1);
    if (improves('faceB', 0, i) && any) return true;
  }
  if (searchEdges(any, 0, edgesA.length / 4, 0, edgesB.length / 4) && any) return true;
  return work.best > work.tolerance;
}

function setAxis(normal: ReadonlyVec3, sign: number): void {
  axis.x = sign * normal.x;
  axis.y = sign * normal.y;
  axis.z = sign * normal.z;
}

/** Is the gap along `axis` larger than the best so far? Then it is the best. Whatever the axis, the gap is a true one. */
function improves(of: SeparatingAxis['kind'], i: number, j: number): boolean {
  if (!hasGap()) return false;
  work.best = work.gap;
  kind = of;
  indexA = i;
  indexB = j;
  assign(axis, bestAxis);
  return true;
}

/** Sets the gap along `axis`: the least projection of B less the greatest of A. Is it larger than the best? */
function hasGap(): boolean {
  const { x, y, z } = axis;
  const { vertices: va } = A;
  const { vertices: vb } = B;
  const { x: ox, y: oy, z: oz } = va[0]!;
  const { best } = work;
  let low = x * (vb[0]!.x - ox) + y * (vb[0]!.y - oy) + z * (vb[0]!.z - oz);
  let high = 0; // that of va[0]
  for (let i = 1; i < va.length && low - high > best; i++) {
    const v = va[i]!;
    high = Math.max(high, x * (v.x - ox) + y * (v.y - oy) + z * (v.z - oz));
  }
  for (let i = 1; i < vb.length && low - high > best; i++) {
    const v = vb[i]!;
    low = Math.min(low, x * (v.x - ox) + y * (v.y - oy) + z * (v.z - oz));
  }
  work.gap = low - high;
  return work.gap > best;
}

/**
 * Tries the axes of A's edges from i0 to before i1 with B's from j0 to before j1. True if one improves the best; with
 * `any` it stops there.
 *
 * The outward directions in which an edge comes last form an arc between the normals of its faces, left and right.
 * The arcs of A's edge u and of B's edge v, turned inside out, cross if each has the other's ends on different sides
 * (Gregorius 2013); they do so along ±u × v, with the sign of left · v. Where they do not, no gap ends at these edges.
 */
function searchEdges(any: boolean, i0: number, i1: number, j0: number, j1: number): boolean {
  const { vertices: va, planes: planesA } = A;
  const { vertices: vb, planes: planesB } = B;
  let found = false;
  for (let i = i0; i < i1; i++) {
    const { x: ax, y: ay, z: az } = va[edgesA[4 * i]!]!;
    const endA = va[edgesA[4 * i + 1]!]!;
    const ux = endA.x - ax;
    const uy = endA.y - ay;
    const uz = endA.z - az;
    const { x: lx, y: ly, z: lz } = planesA[edgesA[4 * i + 2]!]!.normal;
    const { x: rx, y: ry, z: rz } = planesA[edgesA[4 * i + 3]!]!.normal;
    for (let j = j0; j < j1; j++) {
      const { x: bx, y: by, z: bz } = vb[edgesB[4 * j]!]!;
      const endB = vb[edgesB[4 * j + 1]!]!;
      const vx = endB.x - bx;
      const vy = endB.y - by;
      const vz = endB.z - bz;
      const left = lx * vx + ly * vy + lz * vz;
      const right = rx * vx + ry * vy + rz * vz;
      // Both are near zero if the edges are nearly parallel, or the faces at A's edge nearly in one plane.
      const vv = vx * vx + vy * vy + vz * vz;
      const isClose = left * left + right * right <= NEARLY_PARALLEL * vv;
      if (!isClose && !(left * right < 0)) continue;
      const wx = bx - ax;
      const wy = by - ay;
      const wz = bz - az;
      const cx = uy * vz - uz * vy;
      const cy = uz * vx - ux * vz;
      const cz = ux * vy - uy * vx;
      const cc = cx * cx + cy * cy + cz * cz;
      if (isClose) {
        const uu = ux * ux + uy * uy + uz * uz;
        if (!(cc > PARALLEL * uu * vv)) continue;
        if (cc <= NEARLY_PARALLEL * uu * vv) {
          // Side by side: what separates them, if anything, is the perpendicular from the one to the other.
          const t = (wx * ux + wy * uy + wz * uz) / uu;
          const px = wx - t * ux;
          const py = wy - t * uy;
          const pz = wz - t * uz;
          const size = Math.sqrt(px * px + py * py + pz * pz);
          if (size > Math.max(work.best, work.tolerance)) {
            axis.x = px / size;
            axis.y = py / size;
            axis.z = pz / size;
            if (hasGap() && work.gap > work.tolerance) {
              improves('edges', i, j);
              if (any) return true;
              found = true;
            }
          }
        }
      }
      const { x: mx, y: my, z: mz } = planesB[edgesB[4 * j + 2]!]!.normal;
      const { x: nx, y: ny, z: nz } = planesB[edgesB[4 * j + 3]!]!.normal;
      const leftB = mx * ux + my * uy + mz * uz;
      const rightB = nx * ux + ny * uy + nz * uz;
      if (!(left * right < 0 && leftB * rightB < 0 && left * leftB > 0)) continue;
      const size = left > 0 ? Math.sqrt(cc) : -Math.sqrt(cc);
      // The edges themselves bound the gap from above: most pairs end here.
      if (!((cx * wx + cy * wy + cz * wz) / size > work.best)) continue;
      axis.x = cx / size;
      axis.y = cy / size;
      axis.z = cz / size;
      if (improves('edges', i, j)) {
        if (any) return true;
        found = true;
      }
    }
  }
  return found;
}

/** Does the axis that parted the two last time still do so? A cache of some other pair does no harm. */
function tryAgain({ kind: last, a: i, b: j }: SeparatingAxis): boolean {
  work.best = work.tolerance;
  if (last === 'edges') return 4 * i in edgesA && 4 * j in edgesB && searchEdges(true, i, i + 1, j, j + 1);
  const plane = last === 'faceA' ? A.planes[i] : last === 'faceB' ? B.planes[j] : undefined;
  if (!plane) return false;
  setAxis(plane.normal, last === 'faceA' ? 1 : -1);
  return hasGap();
}

const nearest = makeSegmentPair();

function report(out: Penetration = makePenetration()): Penetration {
  const { featureA, featureB, pointA, pointB, normal } = out;
  const { x, y, z } = bestAxis;
  const depth = Math.max(-work.best, 0);
  if (kind === 'faceA') {
    setFeature(featureA, 'face', indexA, indexA);
    const v = farthest(B.vertices, -1);
    setFeature(featureB, 'vertex', v, v);
    assign(B.vertices[v]!, pointB);
    pointA.x = pointB.x + depth * x;
    pointA.y = pointB.y + depth * y;
    pointA.z = pointB.z + depth * z;
  } else if (kind === 'faceB') {
    setFeature(featureB, 'face', indexB, indexB);
    const v = farthest(A.vertices, 1);
    setFeature(featureA, 'vertex', v, v);
    assign(A.vertices[v]!, pointA);
    pointB.x = pointA.x - depth * x;
    pointB.y = pointA.y - depth * y;
    pointB.z = pointA.z - depth * z;
  } else {
    const a0 = edgesA[4 * indexA]!;
    const a1 = edgesA[4 * indexA + 1]!;
    const b0 = edgesB[4 * indexB]!;
    const b1 = edgesB[4 * indexB + 1]!;
    setFeature(featureA, 'edge', a0, a1);
    setFeature(featureB, 'edge', b0, b1);
    closestOnSegments(A.vertices[a0]!, A.vertices[a1]!, B.vertices[b0]!, B.vertices[b1]!, nearest);
    assign(nearest.a, pointA);
    assign(nearest.b, pointB);
  }
  normal.x = -x;
  normal.y = -y;
  normal.z = -z;
  out.depth = depth;
  return out;
}

/** Takes records, so that no double crosses a call: they would be boxed. */
function assign(from: ReadonlyVec3, to: Vec3): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

function setFeature(
  out: PolyhedronFeature,
  what: PolyhedronFeature['kind'],
  index: number,
  end: number,
): void {
  out.kind = what;
  out.index = index;
  out.end = end;
}

/** The index of the vertex farthest along sign × `bestAxis`. */
function farthest(vertices: readonly ReadonlyVec3[], sign: number): number {
  const { x, y, z } = bestAxis;
  let found = 0;
  let most = -Infinity;
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i]!;
    const along = sign * (x * v.x + y * v.y + z * v.z);
    if (along > most) {
      most = along;
      found = i;
    }
  }
  return found;
}
