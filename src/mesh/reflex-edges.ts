/** The edges that keep a solid from being convex, and planes to cut it by. RTCD §12.5.3. */
import type { Plane, ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Triple } from './cut-solid.ts';

/** An edge ab with more than half of the space around it inside; its triangles are abc and bad. */
export interface ReflexEdge {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly length: number;
  /** The planes of the two triangles, of those that are not slivers. */
  readonly planes: readonly Plane[];
}

/** The reflex edges of a closed surface, longest first: one triangle rises by more than the tolerance over the other. */
export function reflexEdges(
  points: readonly ReadonlyVec3[],
  triangles: readonly Triple[],
  tolerance: number,
): ReflexEdge[] {
  const opposite = new Map<string, number>();
  for (const triangle of triangles)
    for (let k = 0; k < 3; k++)
      opposite.set(`${triangle[k]} ${triangle[(k + 1) % 3]}`, triangle[(k + 2) % 3]!);
  const edges: ReflexEdge[] = [];
  for (const triangle of triangles)
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [triangle[k]!, triangle[(k + 1) % 3]!, triangle[(k + 2) % 3]!];
      const d = opposite.get(`${b} ${a}`);
      if (a > b || d === undefined) continue;
      // A sliver has no plane worth the name: then the other triangle decides alone.
      const left = planeThrough(points, a, b, c, tolerance);
      const right = planeThrough(points, b, a, d, tolerance);
      const rise = Math.max(
        left ? heightOver(left, points[d]!) : 0,
        right ? heightOver(right, points[c]!) : 0,
      );
      if (!(rise > 2 * tolerance)) continue;
      const planes = [left, right].filter((plane) => plane !== null);
      edges.push({ a, b, c, d, length: v3.distance(points[a]!, points[b]!), planes });
    }
  return edges.sort((e, f) => f.length - e.length);
}

/** A plane through a reflex edge that parts its two triangles. */
export interface CutPlane {
  readonly plane: Plane;
  readonly edge: ReflexEdge;
  /** How many reflex edges it resolves, less half of those it would cut in two. */
  readonly score: number;
}

/** How many edges are considered, and with how many others each: their planes are tried on all reflex edges. */
const MAX_EDGES = 32;
const MAX_PARTNERS = 16;

/** Planes to cut by, best first: those of the faces at reflex edges, and those through two such edges. */
export function cutPlanes(
  points: readonly ReadonlyVec3[],
  edges: readonly ReflexEdge[],
  tolerance: number,
): CutPlane[] {
  const planes: CutPlane[] = [];
  const consider = (plane: Plane, edge: ReflexEdge): void => {
    if (isResolvedBy(points, edge, plane, tolerance))
      planes.push({ plane, edge, score: scoreOf(points, edges, plane, tolerance) });
  };
  for (const edge of edges.slice(0, MAX_EDGES)) {
    for (const plane of edge.planes) consider(plane, edge);
    for (const other of edges.slice(0, MAX_PARTNERS)) {
      const third = other.a === edge.a || other.a === edge.b ? other.b : other.a;
      if (other === edge || third === edge.a || third === edge.b) continue;
      const plane = planeThrough(points, edge.a, edge.b, third, tolerance);
      if (plane && isOn(points, other, plane, tolerance)) consider(plane, edge);
    }
  }
  return planes.sort((p, q) => q.score - p.score || q.edge.length - p.edge.length);
}

/** For when all of those fail: planes that divide the angle at a reflex edge, with no face near them. */
export function bisectors(points: readonly ReadonlyVec3[], edges: readonly ReflexEdge[]): CutPlane[] {
  const planes: CutPlane[] = [];
  for (const edge of edges) {
    const [left, right] = edge.planes;
    if (!left || !right) continue;
    const normal = v3.normalize(v3.sub(left.normal, right.normal));
    planes.push({ plane: { normal, d: v3.dot(normal, points[edge.a]!) }, edge, score: 0 });
  }
  return planes;
}

function scoreOf(
  points: readonly ReadonlyVec3[],
  edges: readonly ReflexEdge[],
  plane: Plane,
  tolerance: number,
): number {
  let score = 0;
  for (const edge of edges) {
    if (isOn(points, edge, plane, tolerance)) {
      if (isResolvedBy(points, edge, plane, tolerance)) score++;
      continue;
    }
    const a = heightOver(plane, points[edge.a]!);
    const b = heightOver(plane, points[edge.b]!);
    if ((a > tolerance && b < -tolerance) || (a < -tolerance && b > tolerance)) score -= 0.5;
  }
  return score;
}

const isOn = (
  points: readonly ReadonlyVec3[],
  { a, b }: ReflexEdge,
  plane: Plane,
  tolerance: number,
): boolean =>
  Math.abs(heightOver(plane, points[a]!)) <= tolerance &&
  Math.abs(heightOver(plane, points[b]!)) <= tolerance;

/** Given that the edge is on the plane: are its triangles on different sides, or one of them on it? */
function isResolvedBy(
  points: readonly ReadonlyVec3[],
  { c, d }: ReflexEdge,
  plane: Plane,
  tolerance: number,
): boolean {
  const left = heightOver(plane, points[c]!);
  const right = heightOver(plane, points[d]!);
  return Math.min(left, right) <= tolerance && Math.max(left, right) >= -tolerance;
}

const heightOver = ({ normal, d }: Plane, p: ReadonlyVec3): number => v3.dot(normal, p) - d;

/** Null for slivers, whose plane could be off by more than the tolerance elsewhere. */
function planeThrough(
  points: readonly ReadonlyVec3[],
  a: number,
  b: number,
  c: number,
  tolerance: number,
): Plane | null {
  const [p, q, r] = [points[a]!, points[b]!, points[c]!];
  const cross = v3.crossAccurate(v3.sub(q, p), v3.sub(r, p));
  const area = v3.length(cross);
  const longest = Math.max(v3.distance(p, q), v3.distance(q, r), v3.distance(r, p));
  if (!(area > 100 * tolerance * longest)) return null;
  const normal = v3.scale(cross, 1 / area);
  return { normal, d: v3.dot(normal, p) };
}
