/**
 * A triangle mesh whose vertices move: what does not change from step to step. Its edges, and a tree over the triangles that is
 * built for the first motion and fitted to every other one.
 */
import { checkNumbers, describe, mustBeWhole, refuse } from '../../math/check.ts';
import { sahTopology } from '../../trees/sah.ts';
import type { Topology } from '../../trees/tree.ts';

/** Triangles in a leaf of the tree. */
const LEAF = 2;
const NO_POINTS = (): void => {};

/**
 * Made by `deformingMesh`. Many triangles share a vertex or an edge; one of them owns it. Two triangles are looked at once, and
 * test what they own: every vertex against every face, every edge against every edge, once (Curtis, Tamstorf, Manocha 2008).
 */
export class DeformingMesh {
  readonly indices: Uint32Array;
  readonly vertexCount: number;
  /** For each triangle, bits 0 … 2: does it own that corner? Bits 3 … 5: does it own the edge from there to the next? @internal */
  readonly owned: Uint8Array;
  /** Around the motion of each vertex: minimum x, y, z, maximum x, y, z. @internal */
  readonly vertexBoxes: Float64Array;
  /** Around the motion of each triangle, and the distance to keep. @internal */
  readonly faceBoxes: Float64Array;
  /** Around those below each node of the tree. @internal */
  nodeBoxes = new Float64Array(0);
  private topology: Topology | null = null;

  /** Called by `deformingMesh`, which looks at the arguments. @internal */
  constructor(indices: Uint32Array, vertexCount: number) {
    this.indices = indices;
    this.vertexCount = vertexCount;
    this.owned = ownersOf(indices, vertexCount);
    this.vertexBoxes = new Float64Array(6 * vertexCount);
    this.faceBoxes = new Float64Array(2 * indices.length);
  }

  /** @internal */
  get tree(): Topology {
    return this.topology!;
  }

  /** Fits all boxes to a motion, larger by a margin on all sides. Builds the tree if there is none. @internal */
  fit(start: ArrayLike<number>, end: ArrayLike<number>, margin: number): void {
    const { vertexBoxes: v, faceBoxes: f, indices } = this;
    for (let i = 0, at = 0; at < v.length; i += 3, at += 6)
      for (let k = 0; k < 3; k++) {
        const a = start[i + k]!;
        const b = end[i + k]!;
        v[at + k] = Math.min(a, b);
        v[at + 3 + k] = Math.max(a, b);
      }
    for (let i = 0, at = 0; i < indices.length; i += 3, at += 6) {
      const a = 6 * indices[i]!;
      const b = 6 * indices[i + 1]!;
      const c = 6 * indices[i + 2]!;
      for (let k = 0; k < 3; k++) {
        f[at + k] = Math.min(v[a + k]!, v[b + k]!, v[c + k]!);
        f[at + 3 + k] = Math.max(v[a + 3 + k]!, v[b + 3 + k]!, v[c + 3 + k]!);
      }
    }
    if (margin > 0) grow(f, margin);
    this.topology ??= sahTopology(
      { count: indices.length / 3, bounds: f, points: NO_POINTS },
      { leafSize: LEAF },
    );
    this.refit(this.topology);
  }

  private refit({ skip, first, items }: Topology): void {
    const { faceBoxes: f } = this;
    if (this.nodeBoxes.length !== 6 * skip.length) this.nodeBoxes = new Float64Array(6 * skip.length);
    const n = this.nodeBoxes;
    for (let node = skip.length - 1; node >= 0; node--) {
      const at = 6 * node;
      const isLeaf = skip[node] === node + 1;
      const from = isLeaf ? f : n;
      const a = 6 * (isLeaf ? items[first[node]!]! : node + 1);
      for (let k = 0; k < 6; k++) n[at + k] = from[a + k]!;
      if (!isLeaf) join(n, at, n, 6 * skip[node + 1]!);
      else for (let i = first[node]! + 1; i < first[node + 1]!; i++) join(n, at, f, 6 * items[i]!);
    }
  }
}

/**
 * What `castDeforming` needs to know about a mesh, for many steps: three vertex numbers a triangle. Triangles may be segments or
 * points; vertices that no triangle has are left out of everything. O(n); the first cast builds the tree in O(n log n).
 */
export function deformingMesh(indices: ArrayLike<number>, vertexCount: number): DeformingMesh {
  return makeDeformingMesh('deformingMesh', 'indices', indices, vertexCount);
}

/** @internal */
export function makeDeformingMesh(
  caller: string,
  name: string,
  indices: ArrayLike<number>,
  vertexCount: number,
): DeformingMesh {
  mustBeWhole(caller, 'vertexCount', vertexCount, 0, 0xffffffff);
  checkNumbers(caller, name, indices);
  if (indices.length % 3 !== 0)
    refuse(caller, name, `must have three vertices a triangle, got ${indices.length}`);
  for (let i = 0; i < indices.length; i++) {
    const vertex = indices[i]!;
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < vertexCount))
      refuse(
        caller,
        name,
        `must have numbers of vertices below ${vertexCount}, got ${describe(vertex)} at ${i}`,
      );
  }
  return new DeformingMesh(Uint32Array.from(indices), vertexCount);
}

function ownersOf(indices: Uint32Array, vertexCount: number): Uint8Array {
  const owned = new Uint8Array(indices.length / 3);
  const isSeen = new Uint8Array(vertexCount);
  // A hash table of edges: the place of each among the corners, and 1.
  const mask = (1 << (33 - Math.clz32(indices.length))) - 1;
  const table = new Uint32Array(mask + 1);
  for (let i = 0; i < indices.length; i++) {
    const face = (i / 3) | 0;
    const corner = i - 3 * face;
    const a = indices[i]!;
    const b = indices[corner === 2 ? i - 2 : i + 1]!;
    if (isSeen[a] === 0) {
      isSeen[a] = 1;
      owned[face]! |= 1 << corner;
    }
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b) ^ (low >>> 7)) & mask;
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const j = table[slot]! - 1;
      const c = indices[j]!;
      const d = indices[j % 3 === 2 ? j - 2 : j + 1]!;
      if ((c === a && d === b) || (c === b && d === a)) break;
    }
    if (table[slot] !== 0) continue;
    table[slot] = i + 1;
    owned[face]! |= 8 << corner;
  }
  return owned;
}

/** Makes all boxes larger by at least the margin, rounding included. */
function grow(boxes: Float64Array, margin: number): void {
  for (let i = 0; i < boxes.length; i += 6)
    for (let k = 0; k < 3; k++) {
      const low = boxes[i + k]! - margin;
      const high = boxes[i + 3 + k]! + margin;
      boxes[i + k] = low - 3e-16 * Math.abs(low) - 5e-324;
      boxes[i + 3 + k] = high + 3e-16 * Math.abs(high) + 5e-324;
    }
}

function join(boxes: Float64Array, at: number, others: Float64Array, from: number): void {
  for (let k = 0; k < 3; k++) {
    if (others[from + k]! < boxes[at + k]!) boxes[at + k] = others[from + k]!;
    if (others[from + 3 + k]! > boxes[at + 3 + k]!) boxes[at + 3 + k] = others[from + 3 + k]!;
  }
}
