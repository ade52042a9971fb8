/** Vertices on the inside of somebody else's face: the face is split to take them in. RTCD §12.3. */
import { orient2d } from '../math/orient.ts';
import type { Plane, ReadonlyVec2, ReadonlyVec3 } from '../math/types.ts';
import { plane, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { dropAxis } from '../polytope/affine.ts';
import { EditMesh } from './edit-mesh.ts';
import { fitNewell } from './newell.ts';
import { PointTree } from './point-tree.ts';
import type { PolygonMesh } from './polygon-mesh.ts';
import { isTVertex } from './t-junctions.ts';
import { triangulatePolygon } from './triangulate.ts';

/**
 * Splits faces that have vertices of others within the tolerance, so that these become their vertices, and the edges
 * between these their edges. With `skipBehind`, vertices behind a face are left alone: they are no trouble to a ray that
 * stops at the front. The number of faces split, and the changed mesh with the face that each comes from.
 *
 * @internal
 */
export function fixFaceCracks(
  mesh: PolygonMesh,
  tolerance: number,
  skipBehind: boolean,
): { mesh: PolygonMesh; source: number[]; split: number } {
  const edit = new EditMesh(mesh);
  const tree = new PointTree(mesh.vertices, [...new Set(mesh.faces.flat())]);
  const near: number[] = [];
  let split = 0;
  mesh.faces.forEach((face, id) => {
    const points = face.map((v) => mesh.vertices[v]!);
    if (!fitNewell(points, fit)) return;
    v3.copy(points[0]!, min);
    v3.copy(points[0]!, max);
    for (const p of points) {
      v3.min(min, p, min);
      v3.max(max, p, max);
    }
    v3.sub(min, v3.set(tolerance, tolerance, tolerance, margin), min);
    v3.add(max, margin, max);
    const inner = tree
      .inBox(min, max, near)
      .filter((v) => !face.includes(v) && isOnFace(mesh.vertices[v]!, points, fit, tolerance, skipBehind));
    if (inner.length === 0) return;
    const pieces = splitFace(
      edit,
      face,
      inner.sort((v, w) => v - w),
    );
    if (pieces.length === 0) return;
    edit.replace(id, pieces);
    split++;
  });
  return { ...edit.result(), split };
}
const fit = plane();
const min = vec3();
const max = vec3();
const margin = vec3();

function isOnFace(
  p: ReadonlyVec3,
  points: readonly ReadonlyVec3[],
  { normal, d }: Plane,
  tolerance: number,
  skipBehind: boolean,
): boolean {
  const height = v3.dot(normal, p) - d;
  if (!(Math.abs(height) <= tolerance) || (skipBehind && height < 0)) return false;
  const axis = facing(normal);
  const at = dropAxis(p, axis);
  let inside = false;
  for (let i = 0; i < points.length; i++) {
    const a = points[i]!;
    const b = points[(i + 1) % points.length]!;
    if (isTVertex(p, a, b, tolerance) || v3.distanceSq(p, a) <= tolerance * tolerance) return false;
    const from = dropAxis(a, axis);
    const to = dropAxis(b, axis);
    const orientation = orient2d(from, to, at);
    if (from.y <= at.y ? to.y > at.y && orientation > 0 : to.y <= at.y && orientation < 0) inside = !inside;
  }
  return inside;
}

const facing = ({ x, y, z }: ReadonlyVec3): 'x' | 'y' | 'z' =>
  Math.abs(x) >= Math.abs(y) && Math.abs(x) >= Math.abs(z) ? 'x' : Math.abs(y) >= Math.abs(z) ? 'y' : 'z';

/** The face as triangles that have all the inner vertices, and as edges what edges the mesh has among these. */
function splitFace(edit: EditMesh, face: readonly number[], inner: readonly number[]): number[][] {
  const { vertices } = edit;
  const { triangles, status } = triangulatePolygon(face.map((v) => vertices[v]!));
  if (status !== 'complete') return [];
  const axis = facing(fit.normal);
  const flat = new Map([...face, ...inner].map((v) => [v, dropAxis(vertices[v]!, axis)]));
  const pieces = new FlatTriangles(
    flat,
    triangles.map((i) => face[i]!),
  );
  const taken = inner.filter((v) => pieces.insert(v));
  for (const v of taken)
    for (const w of edit.neighbours(v)) if (flat.has(w) && (w > v || !taken.includes(w))) pieces.force(v, w);
  return pieces.triangles.filter((t) => t.length > 0);
}

/** Triangles in the plane, by exact predicates: to put points in, and edges between them. */
class FlatTriangles {
  readonly triangles: number[][] = [];
  private readonly flat: ReadonlyMap<number, ReadonlyVec2>;
  /** 1, or -1 when the triangles are clockwise in the plane. */
  private readonly sign: number;
  /** From each directed side to its triangle. */
  private readonly sides = new Map<string, number>();

  constructor(flat: ReadonlyMap<number, ReadonlyVec2>, triangles: readonly number[]) {
    this.flat = flat;
    const [a, b, c] = triangles as [number, number, number];
    this.sign = this.orientation(a, b, c, 1) > 0 ? 1 : -1;
    for (let i = 0; i < triangles.length; i += 3)
      this.add(triangles[i]!, triangles[i + 1]!, triangles[i + 2]!);
  }

  /** Splits the triangle, or the two, that a point is in. False when there is none, or the point is a corner. */
  insert(p: number): boolean {
    const t = this.triangles.findIndex(
      (corners) =>
        corners.length > 0 && corners.every((a, i) => this.orientation(a, corners[(i + 1) % 3]!, p) >= 0),
    );
    const corners = this.triangles[t];
    if (!corners) return false;
    const on = [0, 1, 2].filter((i) => this.orientation(corners[i]!, corners[(i + 1) % 3]!, p) === 0);
    if (on.length > 1) return false;
    if (on.length === 0) {
      this.remove(t);
      corners.forEach((a, i) => {
        this.add(a, corners[(i + 1) % 3]!, p);
      });
      return true;
    }
    const a = corners[on[0]!]!;
    const b = corners[(on[0]! + 1) % 3]!;
    const across = this.sides.get(`${b},${a}`);
    if (across === undefined) return false;
    this.splitSide(t, a, b, p);
    this.splitSide(across, b, a, p);
    return true;
  }

  /**
   * Makes an edge of p and q by flipping the edges that it crosses, in the convex quadrilaterals around them (Sloan
   * 1993). Gives up when a point is in the way.
   */
  force(p: number, q: number): void {
    const crossing = [...this.sides.keys()]
      .map((side) => side.split(',').map(Number) as [number, number])
      .filter(([a, b]) => a < b && this.crosses(a, b, p, q));
    let patience = 100 + 10 * crossing.length * crossing.length;
    while (crossing.length > 0 && patience-- > 0) {
      const [a, b] = crossing.shift()!;
      const c = this.opposite(a, b);
      const d = this.opposite(b, a);
      if (this.orientation(c, a, d) > 0 && this.orientation(d, b, c) > 0) {
        this.remove(this.sides.get(`${a},${b}`)!);
        this.remove(this.sides.get(`${b},${a}`)!);
        this.add(c, a, d);
        this.add(d, b, c);
        if (this.crosses(c, d, p, q)) crossing.push([c, d]);
      } else crossing.push([a, b]);
    }
  }

  private crosses(a: number, b: number, p: number, q: number): boolean {
    return (
      this.orientation(a, b, p) * this.orientation(a, b, q) < 0 &&
      this.orientation(p, q, a) * this.orientation(p, q, b) < 0
    );
  }

  private opposite(a: number, b: number): number {
    return this.triangles[this.sides.get(`${a},${b}`)!]!.find((v) => v !== a && v !== b)!;
  }

  private splitSide(t: number, a: number, b: number, p: number): void {
    const c = this.opposite(a, b);
    this.remove(t);
    this.add(a, p, c);
    this.add(p, b, c);
  }

  private add(a: number, b: number, c: number): void {
    const t = this.triangles.push([a, b, c]) - 1;
    for (const side of [`${a},${b}`, `${b},${c}`, `${c},${a}`]) this.sides.set(side, t);
  }

  private remove(t: number): void {
    const [a, b, c] = this.triangles[t]!;
    for (const side of [`${a},${b}`, `${b},${c}`, `${c},${a}`]) this.sides.delete(side);
    this.triangles[t] = [];
  }

  /** Positive when a, b, c have the orientation of the triangles. */
  private orientation(a: number, b: number, c: number, sign = this.sign): number {
    // Products of two of these must not underflow.
    return Math.sign(orient2d(this.flat.get(a)!, this.flat.get(b)!, this.flat.get(c)!)) * sign;
  }
}
