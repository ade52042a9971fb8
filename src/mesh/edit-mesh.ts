/** A polygon mesh that can be changed: sides get new vertices, loops fall apart and vanish. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { PolygonMesh } from './polygon-mesh.ts';

/**
 * All changes keep the sum of the boundaries of the faces, so that what is closed stays closed: a side is subdivided in
 * all faces at once, and a loop that comes back to a vertex is cut there. What is left of faces without extent then
 * cancels: loops there and back.
 *
 * @internal
 */
export class EditMesh {
  readonly vertices: Vec3[];
  /** The faces; empty when gone. */
  readonly loops: number[][] = [];
  /** For each loop, the face that it comes from. */
  readonly source: number[] = [];
  /** How many corners of loops have been looked at to find something: time, but for a constant. */
  work = 0;
  /** For each vertex the loops that have it, and maybe some that had it. */
  private readonly uses: number[][];
  private readonly tags: readonly number[] | undefined;

  constructor(mesh: PolygonMesh) {
    this.vertices = mesh.vertices.map(({ x, y, z }) => ({ x, y, z }));
    this.uses = mesh.vertices.map(() => []);
    this.tags = mesh.tags;
    mesh.faces.forEach((face, f) => {
      this.addFace(face, f);
    });
  }

  /** The loops that have vertex v. */
  loopsAt(v: number): number[] {
    const own = this.uses[v]!.filter((id) => {
      const loop = this.loops[id]!;
      this.work += loop.length + 1;
      return loop.includes(v);
    });
    this.uses[v] = own;
    return own;
  }

  /** The loops that have side ab or ba. */
  loopsAlong(a: number, b: number): number[] {
    // Of the two lists, the shorter: a fan has a vertex of all its loops.
    const [v, w] = this.uses[a]!.length <= this.uses[b]!.length ? [a, b] : [b, a];
    return this.loopsAt(v).filter((id) => hasSide(this.loops[id]!, v, w));
  }

  /** The other ends of the edges at v. */
  neighbours(v: number): Set<number> {
    const found = new Set<number>();
    for (const id of this.loopsAt(v)) {
      const loop = this.loops[id]!;
      const i = loop.indexOf(v);
      found.add(loop[(i + 1) % loop.length]!);
      found.add(loop[(i + loop.length - 1) % loop.length]!);
    }
    return found;
  }

  /** Puts vertices between a and b, in that order, in all faces with that side. */
  subdivide(a: number, b: number, between: readonly number[]): void {
    const backwards = [...between].reverse();
    for (const id of this.loopsAlong(a, b)) {
      const loop = this.loops[id]!;
      const longer: number[] = [];
      loop.forEach((v, i) => {
        const w = loop[(i + 1) % loop.length]!;
        longer.push(v);
        if (v === a && w === b) longer.push(...between);
        else if (v === b && w === a) longer.push(...backwards);
      });
      this.replace(id, [longer]);
    }
  }

  /** Makes vertex v the vertex w in all faces. */
  merge(v: number, w: number): void {
    for (const id of [...this.loopsAt(v)]) this.replace(id, [this.loops[id]!.map((u) => (u === v ? w : u))]);
  }

  /** Replaces one loop by others. */
  replace(id: number, loops: readonly (readonly number[])[]): void {
    const f = this.source[id]!;
    this.loops[id] = [];
    for (const loop of loops) this.addFace(loop, f, id);
  }

  /** The mesh as it is now: loops in the order of the faces that they come from, vertices in the order of use. */
  result(): { mesh: PolygonMesh; source: number[] } {
    const order = this.loops.map((_, id) => id).filter((id) => this.loops[id]!.length > 0);
    order.sort((i, j) => this.source[i]! - this.source[j]! || i - j);
    const faces = order.map((id) => this.loops[id]!);
    const source = order.map((id) => this.source[id]!);
    const tags = this.tags && source.map((f) => this.tags![f]!);
    return { mesh: packMesh(this.vertices, faces, tags), source };
  }

  /** Adds the simple loops of a face, the first of them in place of loop `id` if that is given. */
  private addFace(face: readonly number[], source: number, id = -1): void {
    for (const loop of simpleLoops(face)) {
      let at = id;
      if (at < 0 || this.loops[at]!.length > 0) {
        at = this.loops.length;
        this.source.push(source);
      }
      this.loops[at] = loop;
      for (const v of loop) this.uses[v]!.push(at);
    }
  }
}

const hasSide = (loop: readonly number[], a: number, b: number): boolean => {
  const i = loop.indexOf(a);
  return loop[(i + 1) % loop.length] === b || loop[(i + loop.length - 1) % loop.length] === b;
};

/**
 * Cuts a loop wherever it comes back to a vertex, and leaves out what has fewer than three vertices: each part is simple
 * and together they have the same sides, but for those that run both ways.
 *
 * @internal
 */
export function simpleLoops(loop: readonly number[]): number[][] {
  if (loop.length === 3) {
    const [a, b, c] = loop as [number, number, number];
    return a === b || b === c || c === a ? [] : [[a, b, c]]; // by far the most common
  }
  if (new Set(loop).size === loop.length) return loop.length < 3 ? [] : [[...loop]];
  const parts: number[][] = [];
  const path: number[] = [];
  for (const v of loop) {
    const before = path.indexOf(v);
    if (before >= 0) parts.push(path.splice(before));
    path.push(v);
  }
  parts.push(path);
  return parts.filter((part) => part.length >= 3);
}

/**
 * A mesh of these faces without the vertices that none of them uses, the others in the order of first use.
 *
 * @internal
 */
export function packMesh(
  vertices: readonly ReadonlyVec3[],
  faces: readonly (readonly number[])[],
  tags?: readonly number[] | undefined,
): PolygonMesh {
  const slots = new Int32Array(vertices.length).fill(-1);
  const used: ReadonlyVec3[] = [];
  const packed: number[][] = [];
  for (const face of faces) {
    const loop: number[] = [];
    for (const v of face) {
      if (slots[v]! < 0) slots[v] = used.push(vertices[v]!) - 1;
      loop.push(slots[v]!);
    }
    packed.push(loop);
  }
  return { vertices: used, faces: packed, ...(tags && { tags }) };
}
