/** Faces in one plane become one. RTCD §12.4. */

import { mustNotBeNegative } from '../math/check.ts';
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import type { Plane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { plane, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { packMesh } from './edit-mesh.ts';
import { type HalfEdges, halfEdgesOf } from './half-edge.ts';
import { areaVector, fitNewell } from './newell.ts';
import { mustBePolygonMesh, type PolygonMesh } from './polygon-mesh.ts';
import { dropStraightVertices } from './straighten.ts';

/** A mesh with fewer faces, and what they are made of. */
export interface MergedMesh {
  readonly mesh: PolygonMesh;
  /** For each face the faces that it was made of, in ascending order. */
  readonly groups: readonly (readonly number[])[];
}

/**
 * Joins faces that share an edge, face the same way, have the same tag and lie together between two parallel planes no
 * farther apart than `thickness`: into single loops, often concave, that neither have holes nor touch themselves (a face
 * with a hole stays in two pieces or more). Vertices that only lie in the middle of a straight edge then, give or take
 * half the thickness, are dropped from all faces at once, so that no crack opens. Vertices do not move.
 *
 * The thickness should be smaller than what planes are given where the mesh is used. `triangulatePolygon` and
 * `convexPartition` take the faces apart again. About O(n log n). RTCD §12.4.
 */
export function mergeCoplanarFaces(mesh: PolygonMesh, thickness: number): MergedMesh {
  mustBePolygonMesh('mergeCoplanarFaces', 'mesh', mesh);
  mustNotBeNegative('mergeCoplanarFaces', 'thickness', thickness);
  return mergeCoplanar(mesh, thickness);
}

/** @internal Without the checks. Faces must be simple loops. */
export function mergeCoplanar(mesh: PolygonMesh, thickness: number): MergedMesh {
  let now: MergedMesh = { mesh, groups: mesh.faces.map((_, f) => [f]) };
  for (;;) {
    // A larger face has a better plane, and fewer vertices are easier to hold in it: again, until nothing happens.
    const merged = mergeOnce(now.mesh, thickness);
    const straight = dropStraightVertices(merged.mesh, thickness / 2);
    const isDone =
      straight.faces.length === now.mesh.faces.length &&
      straight.vertices.length === now.mesh.vertices.length;
    if (isDone) return now;
    const before = now.groups;
    now = {
      mesh: straight,
      groups: merged.groups.map((group) => group.flatMap((f) => before[f]!).sort((f, g) => f - g)),
    };
  }
}

function mergeOnce(mesh: PolygonMesh, thickness: number): MergedMesh {
  const edges = halfEdgesOf(mesh.faces, mesh.vertices.length);
  const growth = new Growth(mesh, edges, thickness / 2);
  const groups: number[][] = Array.from({ length: growth.grow() }, () => []);
  for (let f = 0; f < mesh.faces.length; f++) groups[growth.region[f]!]!.push(f);
  groups.sort((g, h) => g[0]! - h[0]!);
  const faces = groups.map((group) =>
    group.length === 1 ? mesh.faces[group[0]!]! : outline(edges, growth.region, group),
  );
  const tags = mesh.tags && groups.map((group) => mesh.tags![group[0]!]!);
  return { mesh: packMesh(mesh.vertices, faces, tags), groups };
}

/**
 * Grows regions face by face, from the largest faces on. A region is a disc at all times: a face is taken in only if what
 * it has in common with the region is one chain of edges. No order of doing so gets stuck in a part without holes
 * (discs in the plane are extendably shellable), so that each of those becomes one region.
 */
class Growth {
  readonly region: Int32Array;
  private readonly mesh: PolygonMesh;
  private readonly edges: HalfEdges;
  private readonly half: number;
  private readonly areas: Vec3[];
  /** For each vertex, the last region that took it in. */
  private readonly vertexRegion: Int32Array;
  private readonly fit: Plane = plane();
  private readonly joint: Plane = plane();

  constructor(mesh: PolygonMesh, edges: HalfEdges, half: number) {
    this.mesh = mesh;
    this.edges = edges;
    this.half = half;
    this.region = new Int32Array(mesh.faces.length).fill(-1);
    this.vertexRegion = new Int32Array(mesh.vertices.length).fill(-1);
    this.areas = mesh.faces.map((face) => areaVector(pointsOf(mesh, face), vec3()));
  }

  /** Gives each face a region, and returns how many there are. */
  grow(): number {
    const sizes = Float64Array.from(this.areas, v3.length);
    const order = Uint32Array.from(sizes.keys()).sort((f, g) => sizes[g]! - sizes[f]! || f - g);
    let count = 0;
    for (const seed of order) if (this.region[seed]! < 0) this.growFrom(seed, count++);
    return count;
  }

  private growFrom(seed: number, region: number): void {
    const { fit } = this;
    const members = [seed];
    this.take(seed, region);
    if (!fitNewell(pointsOf(this.mesh, this.mesh.faces[seed]!), fit) || !this.isInPlane(seed, fit)) return;
    // With the plane of the seed first, then with that of the region: it may hold more.
    let queue = this.neighbours(members);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const size = members.length;
      for (const f of queue)
        if (this.mayJoin(f, region, this.mesh.tags?.[seed])) {
          this.take(f, region);
          members.push(f);
          queue.push(...this.neighbours([f]));
        }
      if (members.length === size || !this.refit(members)) return;
      queue = this.neighbours(members);
    }
  }

  private take(f: number, region: number): void {
    this.region[f] = region;
    for (const v of this.mesh.faces[f]!) this.vertexRegion[v] = region;
  }

  /** The faces beyond the edges of some faces that are in no region yet. */
  private neighbours(faces: readonly number[]): number[] {
    const { faceStart, twin, face } = this.edges;
    const found: number[] = [];
    for (const f of faces)
      for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++)
        if (twin[h]! >= 0 && this.region[face[twin[h]!]!]! < 0) found.push(face[twin[h]!]!);
    return found;
  }

  private mayJoin(f: number, region: number, tag: number | undefined): boolean {
    if (this.region[f]! >= 0 || this.mesh.tags?.[f] !== tag) return false;
    const facing = v3.dot(this.areas[f]!, this.fit.normal);
    return (
      (facing > 0 || v3.lengthSq(this.areas[f]!) === 0) &&
      this.isInPlane(f, this.fit) &&
      this.sharesOneChain(f, region)
    );
  }

  private isInPlane(f: number, { normal, d }: Plane): boolean {
    for (const v of this.mesh.faces[f]!)
      if (!(Math.abs(v3.dot(normal, this.mesh.vertices[v]!) - d) <= this.half + this.rounding(v, d)))
        return false;
    return true;
  }

  /** Of the distance of a vertex from a plane: with a thickness of 0, faces exactly in one plane must still join. */
  private rounding(v: number, d: number): number {
    const { x, y, z } = this.mesh.vertices[v]!;
    return 16 * UNIT_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(d));
  }

  private sharesOneChain(f: number, region: number): boolean {
    const { faceStart, twin, radial, face, vertex } = this.edges;
    const begin = faceStart[f]!;
    const end = faceStart[f + 1]!;
    const isShared = (h: number) => twin[h]! >= 0 && this.region[face[twin[h]!]!] === region;
    let chains = 0;
    for (let h = begin; h < end; h++) {
      const before = h === begin ? end - 1 : h - 1;
      if (isShared(h)) {
        if (!isShared(before)) chains++;
        continue;
      }
      if (!isShared(before) && this.vertexRegion[vertex[h]!] === region) return false;
      // An edge that a third face stands on cannot be crossed, and would become a slit.
      for (let other = radial[h]!; other !== h; other = radial[other]!)
        if (this.region[face[other]!] === region) return false;
    }
    return chains === 1;
  }

  /** Makes `fit` the plane of all members, if that holds them; false when it does not. */
  private refit(members: readonly number[]): boolean {
    const { joint, fit, mesh } = this;
    const normal = v3.set(0, 0, 0, joint.normal);
    for (const f of members) v3.add(normal, this.areas[f]!, normal);
    if (!(v3.lengthSq(normal) > 0)) return false;
    v3.normalize(normal, normal);
    let low = Infinity;
    let high = -Infinity;
    for (const f of members)
      for (const v of mesh.faces[f]!) {
        const s = v3.dot(normal, mesh.vertices[v]!);
        low = Math.min(low, s);
        high = Math.max(high, s);
      }
    joint.d = (low + high) / 2;
    if (!(high - low <= 2 * this.half)) return false;
    v3.copy(normal, fit.normal);
    fit.d = joint.d;
    return true;
  }
}

/** A region grows by whole rounds only while its plane still moves; what a few of them miss, the next pass finds. */
const MAX_ROUNDS = 4;

const pointsOf = (mesh: PolygonMesh, face: readonly number[]): ReadonlyVec3[] =>
  face.map((v) => mesh.vertices[v]!);

/** The loop around a disc of faces. */
function outline(edges: HalfEdges, region: Int32Array, group: readonly number[]): number[] {
  const { faceStart, twin, face, vertex, next } = edges;
  const after = new Map<number, number>();
  const own = region[group[0]!]!;
  for (const f of group)
    for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++)
      if (twin[h]! < 0 || region[face[twin[h]!]!] !== own) after.set(vertex[h]!, vertex[next[h]!]!);
  const [start] = after.keys();
  const loop: number[] = [];
  let v = start!;
  do {
    loop.push(v);
    v = after.get(v)!;
  } while (v !== start);
  return loop;
}
