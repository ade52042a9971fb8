/** Vertices in the middle of somebody else's edge, and what to do about them. RTCD §12.3. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { EditMesh } from './edit-mesh.ts';
import { halfEdgesOf } from './half-edge.ts';
import { areaVector, extentAlong } from './newell.ts';
import { PointTree } from './point-tree.ts';
import type { PolygonMesh } from './polygon-mesh.ts';

/**
 * What becomes of a t-vertex. `crack`: the edge is led through it, nothing moves. `snap`: it is moved onto the edge
 * first. `collapse`: it is joined with an end of the edge where that changes the surface by no more than the tolerance,
 * which takes a vertex away; else as `crack`.
 */
export type TJunctionFix = 'crack' | 'snap' | 'collapse';

/** Which t-vertices are looked for; see `fixTJunctions`. */
export interface TJunctionSearch {
  readonly tolerance: number;
  readonly fix: TJunctionFix;
  /** Only along cracks, that is on edges of one face, from vertex to vertex; else everywhere. */
  readonly local: boolean;
}

/**
 * Is p a t-vertex of edge ab? It is within the tolerance of the segment, and nearer to either end than these are to
 * each other: so that cutting an edge at its t-vertices makes it shorter, which has an end.
 *
 * @internal
 */
export function isTVertex(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3, tolerance: number): boolean {
  v3.sub(b, a, ab);
  v3.sub(p, a, ap);
  const lengthSq = v3.lengthSq(ab);
  const t = v3.dot(ap, ab);
  return (
    t > 0 &&
    t < lengthSq &&
    v3.lengthSq(v3.cross(ap, ab, across)) <= tolerance * tolerance * lengthSq &&
    v3.distanceSq(p, a) < v3.distanceSq(a, b) &&
    v3.distanceSq(p, b) < v3.distanceSq(a, b)
  );
}
const ab = vec3();
const ap = vec3();
const across = vec3();

/**
 * Leads edges through the vertices that lie on them, until there is no such vertex any more. Edges meet at their
 * t-vertices then, and faces thinner than the tolerance have vanished between their neighbours. The number of edges led
 * through vertices, of vertices collapsed, and the changed mesh, with the face that each face comes from.
 *
 * Vertices on one line make every edge along it a path through all of them, which is n² corners for n triangles: what is
 * too much work is left as it is, and `isComplete` is false.
 *
 * @internal
 */
export function fixTJunctions(
  mesh: PolygonMesh,
  { tolerance, fix, local }: TJunctionSearch,
): { mesh: PolygonMesh; source: number[]; cracked: number; collapsed: number; isComplete: boolean } {
  const { edgeStart, vertex, next } = halfEdgesOf(mesh.faces, mesh.vertices.length);
  const edit = new EditMesh(mesh);
  const search = local
    ? new AlongCracks(edit, tolerance)
    : new Everywhere(edit, tolerance, fix === 'snap' ? 2 : 1, vertex);
  const snapped = new Set<number>();
  let cracked = 0;
  let collapsed = 0;
  // Pairs of vertices; an edge that has been cut is simply not found any more.
  const queue: number[] = [];
  for (const h of edgeStart) queue.push(vertex[h]!, vertex[next[h]!]!);
  const allowance = ALLOWANCE + ALLOWANCE_EACH * mesh.faces.length;
  let isComplete = true;
  for (let i = 0; i < queue.length; i += 2) {
    if (edit.work > allowance) {
      isComplete = false;
      break;
    }
    const a = queue[i]!;
    const b = queue[i + 1]!;
    const found = inOrder(edit, a, b, search.on(a, b));
    if (found.length === 0 || edit.loopsAlong(a, b).length === 0) continue;
    if (fix === 'collapse' && tryCollapse(edit, found[0]!, a, b, tolerance)) {
      collapsed++;
      for (const end of [a, b]) for (const other of edit.neighbours(end)) queue.push(end, other);
      continue;
    }
    if (fix === 'snap')
      for (const p of found) {
        if (snapped.has(p)) continue;
        snapped.add(p);
        moveOnto(edit, p, a, b);
        for (const other of edit.neighbours(p)) queue.push(p, other);
      }
    edit.subdivide(a, b, found);
    cracked++;
    const path = [a, ...found, b];
    for (let k = 1; k < path.length; k++) queue.push(path[k - 1]!, path[k]!);
    // A crack may go on beyond what has been closed.
    if (local) for (const v of path) for (const other of edit.neighbours(v)) queue.push(v, other);
  }
  return { ...edit.result(), cracked, collapsed, isComplete };
}

/** The corners of loops that may be looked at: so many, and so many a face. Ordinary meshes need some hundred a face. */
const ALLOWANCE = 50_000_000;
const ALLOWANCE_EACH = 20_000;
/** Of a vertex near an edge. */
const NEAR_COST = 64;

/** All t-vertices of an edge, by a tree over all vertices in use. */
class Everywhere {
  private readonly edit: EditMesh;
  private readonly tolerance: number;
  private readonly slack: number;
  private readonly tree: PointTree;
  private readonly near: number[] = [];

  constructor(edit: EditMesh, tolerance: number, slack: number, corners: Uint32Array) {
    this.edit = edit;
    this.tolerance = tolerance;
    this.slack = slack;
    this.tree = new PointTree(edit.vertices, [...new Set(corners)]);
  }

  on(a: number, b: number): number[] {
    const { vertices } = this.edit;
    const near = this.tree.nearSegment(vertices[a]!, vertices[b]!, this.slack * this.tolerance, this.near);
    this.edit.work += NEAR_COST * near.length;
    return near.filter((p) => isOn(this.edit, p, a, b, this.tolerance) && this.edit.loopsAt(p).length > 0);
  }
}

/**
 * The t-vertices of an edge of one face that are reached from its ends along other edges of one face, as far as these
 * keep to the edge: a wedge-like crack.
 */
class AlongCracks {
  private readonly edit: EditMesh;
  private readonly tolerance: number;

  constructor(edit: EditMesh, tolerance: number) {
    this.edit = edit;
    this.tolerance = tolerance;
  }

  on(a: number, b: number): number[] {
    if (this.edit.loopsAlong(a, b).length !== 1) return [];
    const found = new Set<number>();
    for (const end of [a, b]) {
      const path = [end];
      for (const v of path)
        for (const p of this.edit.neighbours(v))
          if (
            !found.has(p) &&
            isOn(this.edit, p, a, b, this.tolerance) &&
            this.edit.loopsAlong(v, p).length === 1
          ) {
            found.add(p);
            path.push(p);
          }
    }
    return [...found];
  }
}

function isOn({ vertices }: EditMesh, p: number, a: number, b: number, tolerance: number): boolean {
  return p !== a && p !== b && isTVertex(vertices[p]!, vertices[a]!, vertices[b]!, tolerance);
}

/**
 * The t-vertices of an edge in their order along it. All at once, or a vertex off the line would bend the edge away
 * from the others; unless they are so far off (for so short an edge) that a part would be longer than the whole: then
 * the one nearest to the line alone.
 */
function inOrder({ vertices }: EditMesh, a: number, b: number, found: number[]): number[] {
  if (found.length < 2) return found;
  const start = vertices[a]!;
  const end = vertices[b]!;
  const along = v3.sub(end, start);
  const projection = new Map(found.map((p) => [p, v3.dot(v3.sub(vertices[p]!, start), along)]));
  found.sort((p, q) => projection.get(p)! - projection.get(q)! || p - q);
  const whole = v3.distanceSq(start, end);
  const shorter = found.every(
    (p, i) => i === 0 || v3.distanceSq(vertices[found[i - 1]!]!, vertices[p]!) < whole,
  );
  if (shorter) return found;
  const off = (p: number) => v3.lengthSq(v3.cross(v3.sub(vertices[p]!, start), along));
  return [found.reduce((best, p) => (off(p) < off(best) ? p : best))];
}

function moveOnto({ vertices }: EditMesh, p: number, a: number, b: number): void {
  const start = vertices[a]!;
  const along = v3.sub(vertices[b]!, start);
  const t = v3.dot(v3.sub(vertices[p]!, start), along) / v3.lengthSq(along);
  v3.lerp(start, vertices[b]!, t, vertices[p]!);
}

/**
 * Joins t-vertex p of edge ab with the nearer end that it has an edge to, if the surface stays where it is: each face
 * at p keeps its plane and its side, and each border edge at p its line.
 */
function tryCollapse(edit: EditMesh, p: number, a: number, b: number, tolerance: number): boolean {
  const { vertices } = edit;
  const around = edit.neighbours(p);
  const ends = [a, b].filter((end) => around.has(end));
  ends.sort((v, w) => v3.distanceSq(vertices[v]!, vertices[p]!) - v3.distanceSq(vertices[w]!, vertices[p]!));
  for (const end of ends)
    if (
      edit.loopsAt(p).every((id) => keepsPlane(edit, edit.loops[id]!, p, end, tolerance)) &&
      keepsBorder(edit, p, end, tolerance)
    ) {
      edit.merge(p, end);
      return true;
    }
  return false;
}

function keepsPlane(
  { vertices }: EditMesh,
  loop: number[],
  p: number,
  end: number,
  tolerance: number,
): boolean {
  const before = loop.map((v) => vertices[v]!);
  const after = loop.filter((v) => v !== end).map((v) => vertices[v === p ? end : v]!);
  const normal = areaVector(before, vec3());
  if (v3.lengthSq(normal) === 0) return true;
  const isFlat = extentAlong([...before, vertices[end]!], v3.normalize(normal, normal)) <= tolerance;
  // A triangle with an edge from p to the end vanishes; only what fills the wedge may.
  return isFlat && (after.length < 3 || v3.dot(areaVector(after, vec3()), normal) > 0);
}

function keepsBorder(edit: EditMesh, p: number, end: number, tolerance: number): boolean {
  for (const other of edit.neighbours(p))
    if (other !== end && edit.loopsAlong(p, other).length === 1 && !isOn(edit, p, end, other, tolerance))
      return false;
  return true;
}
