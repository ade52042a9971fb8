/**
 * Do the surfaces of two convex polyhedra, or the one and the inside of the other, meet? RTCD §9.1; Moore 1988.
 *
 * The simplest test of two convex polyhedra, edges against faces. Production: GJK (`convex/gjk.ts`).
 */
import type { ReadonlyPlane, ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { checkPolyhedron } from '../../primitives/input.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';

/** n · x - d and the plane itself are off by no more than this share of the coordinates: 16 u, u = 2⁻⁵³. */
const ROUNDING = 1.7763568394002505e-15;

/**
 * Do two convex polyhedra in the same space share a point? The plain way, which needs no preparation and remembers
 * nothing: vertices of each against the planes of the other, which is quick, then edges of each. Only what lies in the box
 * that both bounding boxes share is looked at.
 *
 * What is nearer than the rounding of the coordinates (about 2e-15 of the largest) counts as touching; near an edge as
 * sharp as a knife, somewhat more does. Linear in most cases, the product of the sizes at worst: it is there to check
 * others by.
 *
 * The edges of both have to be looked at: a needle through a plate has no vertex in it, and meets none of its edges. They
 * are enough: what two convex polyhedra share is one as well, and its corners are corners of the one in the other, or lie
 * where an edge of the one meets a face of the other. Edges count as inside when they are on a face, so that aligned solids
 * need no test of the centres of their faces, as they do in the book.
 */
export function overlapPolyhedronBoundaries(a: ReadonlyPolyhedron, b: ReadonlyPolyhedron): boolean {
  checkPolyhedron('overlapPolyhedronBoundaries', 'a', a);
  checkPolyhedron('overlapPolyhedronBoundaries', 'b', b);
  common.slack = 0;
  common.box.min.x = common.box.min.y = common.box.min.z = -Infinity;
  common.box.max.x = common.box.max.y = common.box.max.z = Infinity;
  confine(a.vertices);
  confine(b.vertices);
  return (
    !isEmpty(common.box) && (hasVertexIn(b, a) || hasVertexIn(a, b) || hasEdgeIn(b, a) || hasEdgeIn(a, b))
  );
}

/** What both bounding boxes share, and how far outside still counts as touching. */
const common: { slack: number; box: Aabb } = { slack: 0, box: makeAabb() };

/** Makes the common box no larger than that of the vertices. */
function confine(vertices: readonly ReadonlyVec3[]): void {
  const { min, max } = common.box;
  let [lowX, lowY, lowZ, highX, highY, highZ] = EMPTY;
  for (const { x, y, z } of vertices) {
    lowX = Math.min(lowX, x);
    lowY = Math.min(lowY, y);
    lowZ = Math.min(lowZ, z);
    highX = Math.max(highX, x);
    highY = Math.max(highY, y);
    highZ = Math.max(highZ, z);
    common.slack = Math.max(common.slack, ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z)));
  }
  min.x = Math.max(min.x, lowX);
  min.y = Math.max(min.y, lowY);
  min.z = Math.max(min.z, lowZ);
  max.x = Math.min(max.x, highX);
  max.y = Math.min(max.y, highY);
  max.z = Math.min(max.z, highZ);
}

const EMPTY = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity] as const;

const isEmpty = ({ min, max }: Aabb): boolean => min.x > max.x || min.y > max.y || min.z > max.z;

/** Is any part of the segment pq (or the point p = q) possibly in the common box? */
function isNear(p: ReadonlyVec3, q: ReadonlyVec3): boolean {
  const { min, max } = common.box;
  return (
    Math.max(p.x, q.x) >= min.x &&
    Math.min(p.x, q.x) <= max.x &&
    Math.max(p.y, q.y) >= min.y &&
    Math.min(p.y, q.y) <= max.y &&
    Math.max(p.z, q.z) >= min.z &&
    Math.min(p.z, q.z) <= max.z
  );
}

const height = ({ normal, d }: ReadonlyPlane, p: ReadonlyVec3): number =>
  normal.x * p.x + normal.y * p.y + normal.z * p.z - d;

function isInside({ planes }: ReadonlyPolyhedron, p: ReadonlyVec3): boolean {
  for (const plane of planes) if (height(plane, p) > common.slack) return false;
  return true;
}

/** Is a part of the segment pq inside? */
function meets({ planes }: ReadonlyPolyhedron, p: ReadonlyVec3, q: ReadonlyVec3): boolean {
  let enter = 0;
  let exit = 1;
  for (const plane of planes) {
    const from = height(plane, p) - common.slack;
    const to = height(plane, q) - common.slack;
    if (from > 0 && to > 0) return false;
    if (from > 0) enter = Math.max(enter, from / (from - to));
    else if (to > 0) exit = Math.min(exit, from / (from - to));
    if (enter > exit) return false;
  }
  return true;
}

function hasVertexIn({ vertices }: ReadonlyPolyhedron, solid: ReadonlyPolyhedron): boolean {
  for (const v of vertices) if (isNear(v, v) && isInside(solid, v)) return true;
  return false;
}

function hasEdgeIn({ vertices, faces }: ReadonlyPolyhedron, solid: ReadonlyPolyhedron): boolean {
  for (const face of faces)
    for (let k = 0, from = face[face.length - 1]!; k < face.length; k++) {
      const to = face[k]!;
      const p = vertices[from]!;
      const q = vertices[to]!;
      // The other way round it belongs to the face next door.
      if (from < to && isNear(p, q) && meets(solid, p, q)) return true;
      from = to;
    }
  return false;
}
