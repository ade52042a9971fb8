/** The curves in which two meshes cross. */

import { makeFrame } from '../../convex/frame.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../../math/types.ts';
import { side } from '../../primitives/overlap/side.ts';
import { classifyTriangles, pick } from '../../primitives/overlap/triangle-triangle.ts';
import {
  intersectTriangleTriangle,
  makeSegment,
} from '../../primitives/overlap/triangle-triangle-segment.ts';
import { featuresOf } from '../derived.ts';
import { type Corners, loadTriangle, type Mesh, makeCorners } from '../mesh.ts';
import type { MeshFeatures } from '../topology.ts';
import { type FoundPairs, searchPairs, sortPairs } from './overlap.ts';
import { joinSegments } from './polylines.ts';
import { loadMovedTriangle, readRelativeFrame } from './relative-frame.ts';

/** A chain of segments. */
export interface MeshCurve {
  /** x, y, z of its points, one after the other; those of a single point where the meshes touch in one only. */
  readonly points: Float64Array;
  /** Does it run back from its last point to the first? */
  readonly closed: boolean;
  /** For each segment, from point to point, a triangle of the first mesh and one of the second that cross in it. */
  readonly triangles: Uint32Array;
}

export interface MeshCurves {
  readonly curves: MeshCurve[];
  /**
   * Pairs of triangles, first mesh and second, sorted, that lie in one plane and share a point, or of which one has
   * no area. They cross in no curve of their own; the border of what they share shows in the curves of their
   * neighbours.
   */
  readonly coplanar: number[];
}

/**
 * The curves in which the surfaces of two meshes cross, `b` at `pose` in the space of `a`. Where surfaces without holes
 * cross, curves are closed. They end at the borders of open meshes, and where more than two segments meet.
 *
 * Segments are joined by what their ends are (an edge through a triangle, an edge through an edge, a corner on
 * something), decided exactly, and not by how near they are: curves are in one piece however fine or flat the crossing.
 * Points are good to about 1e-12 of the size of their triangles.
 */
export function curvesMeshMesh(a: Mesh, b: Mesh, pose?: ReadonlyPose | null): MeshCurves {
  const frame = readRelativeFrame('curvesMeshMesh', a, b, pose, makeFrame());
  const found: FoundPairs = { count: 0, pairs: new Uint32Array(2048) };
  searchPairs(a, b, frame, found);
  const crossings = new Crossings(featuresOf(a), featuresOf(b));
  const flat: number[] = [];
  const one = makeCorners();
  const two = makeCorners();
  for (let n = 0; n < found.count; n++) {
    const i = found.pairs[2 * n]!;
    const j = found.pairs[2 * n + 1]!;
    loadTriangle(a, i, one);
    loadMovedTriangle(b, j, frame, two);
    if (!crossings.add(i, j, one, two)) flat.push(i, j);
  }
  const coplanar = sortPairs({ count: flat.length / 2, pairs: Uint32Array.from(flat) }, a, b, []);
  return { curves: crossings.curves(a, b), coplanar };
}

/** The segments in which pairs of triangles cross, with points that have names. */
class Crossings {
  private readonly first: MeshFeatures;
  private readonly second: MeshFeatures;
  /** For the name of a point, its number. */
  private readonly numbers = new Map<number, number>();
  private readonly positions: number[] = [];
  /** The numbers of both ends. */
  private readonly segments: number[] = [];
  private readonly pairs: number[] = [];
  private readonly segment = makeSegment();

  constructor(first: MeshFeatures, second: MeshFeatures) {
    this.first = first;
    this.second = second;
  }

  /**
   * Adds what triangles i and j, which meet, have in common; false if they lie in one plane or one of them is flat.
   *
   * With the corners as `classifyTriangles` orders them, the line of both planes runs through the first triangle from
   * edge pr to edge pq, and through the second from uv to uw. What they share begins at the later of pr and uv and ends
   * at the earlier of pq and uw.
   */
  add(i: number, j: number, one: Corners, two: Corners): boolean {
    const { a, b, c } = one;
    const { a: d, b: e, c: f } = two;
    const order = classifyTriangles(a, b, c, d, e, f);
    if (order < 0) return false;
    const p = order & 3;
    const q = (order >> 2) & 3;
    const r = 3 - p - q;
    const u = (order >> 4) & 3;
    const v = (order >> 6) & 3;
    const w = 3 - u - v;
    const pointP = pick(p, a, b, c);
    const pointQ = pick(q, a, b, c);
    const pointR = pick(r, a, b, c);
    const pointU = pick(u, d, e, f);
    const pointV = pick(v, d, e, f);
    const pointW = pick(w, d, e, f);
    // Of two edges that cross the line: < 0 if that of the first triangle does so later, 0 in the same point.
    const rv = side(pointP, pointR, pointU, pointV);
    const rw = side(pointP, pointR, pointU, pointW);
    const qv = side(pointP, pointQ, pointU, pointV);
    const qw = side(pointP, pointQ, pointU, pointW);
    const A = { features: this.first, i, lone: p, q, r, ...zeros(d, e, f, pointP, pointQ, pointR) };
    const B = { features: this.second, i: j, lone: u, q: v, r: w, ...zeros(a, b, c, pointU, pointV, pointW) };
    const start = this.point(
      rv <= 0 ? nameOf(A, false, true) : nameOf(A, qv === 0, false),
      rv <= 0 ? nameOf(B, rv === 0, rw === 0) : nameOf(B, true, false),
    );
    const end = this.point(
      qw <= 0 ? nameOf(A, qw === 0, rw === 0) : nameOf(A, true, false),
      qw <= 0 ? nameOf(B, false, true) : nameOf(B, qv === 0, false),
    );
    intersectTriangleTriangle(a, b, c, d, e, f, this.segment);
    this.setPosition(start, this.segment.a);
    this.setPosition(end, this.segment.b);
    this.segments.push(start, end);
    this.pairs.push(i, j);
    return true;
  }

  /** The number of the point where two features meet. */
  private point(ofFirst: number, ofSecond: number): number {
    const { vertexCount, edgeCount, vertices } = this.second;
    const name = ofFirst * (vertexCount + edgeCount + vertices.length / 3) + ofSecond;
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(name, number);
    return number;
  }

  /** Where a new point is: later pairs would find it at the same position, but for rounding. */
  private setPosition(point: number, { x, y, z }: ReadonlyVec3): void {
    const { positions } = this;
    if (3 * point === positions.length) positions.push(x, y, z);
  }

  curves(a: Mesh, b: Mesh): MeshCurve[] {
    const { positions, segments, pairs } = this;
    return joinSegments(segments, positions.length / 3).map(({ points, sources, closed }) => ({
      points: Float64Array.from(
        { length: 3 * points.length },
        (_, k) => positions[3 * points[Math.floor(k / 3)]! + (k % 3)]!,
      ),
      closed,
      triangles: Uint32Array.from(sources.flatMap((n) => [a.ids[pairs[2 * n]!]!, b.ids[pairs[2 * n + 1]!]!])),
    }));
  }
}

/** A triangle whose corners are taken in the order lone, q, r: which of them lie on the plane of the other triangle? */
interface Taken {
  readonly features: MeshFeatures;
  /** Its number, in the order of the tree. */
  readonly i: number;
  readonly lone: number;
  readonly q: number;
  readonly r: number;
  readonly loneOn: boolean;
  readonly qOn: boolean;
  readonly rOn: boolean;
}

const zeros = (
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  lone: ReadonlyVec3,
  q: ReadonlyVec3,
  r: ReadonlyVec3,
) => ({
  loneOn: side(a, b, c, lone) === 0,
  qOn: side(a, b, c, q) === 0,
  rOn: side(a, b, c, r) === 0,
});

/**
 * The smallest feature of a triangle that a point of the common line lies on, given whether that is on the edge from the
 * lone corner to q, or to r: a corner, an edge or the inside. Vertices, edges and triangles are numbered through.
 */
function nameOf(t: Taken, onQ: boolean, onR: boolean): number {
  const { features, i, lone, q, r } = t;
  const corner = (k: number): number => features.vertices[3 * i + k]!;
  const edge = (k: number, l: number): number =>
    features.vertexCount + features.edges[3 * i + ((k + 1) % 3 === l ? k : l)]!;
  if (onQ || onR) {
    if (t.loneOn) return corner(lone);
    if (onQ) return t.qOn ? corner(q) : edge(lone, q);
    return t.rOn ? corner(r) : edge(lone, r);
  }
  if (t.qOn && t.rOn) return edge(q, r);
  return features.vertexCount + features.edgeCount + i;
}
