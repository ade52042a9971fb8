/** How the triangles of a mesh hang together: borders, parts, and where it is no surface. RTCD §12.2, §12.6. */
import { vec3 } from '../math/types.ts';
import type { Aabb } from '../primitives/types.ts';
import { componentsOf } from './components.ts';
import { type ComponentTopology, fansOf, topologyOf } from './euler.ts';
import { type HalfEdges, halfEdgesOfLoops } from './half-edge.ts';
import type { Triangles } from './triangles.ts';

/** A closed path of open edges: the rim of a hole, or of the whole surface. */
export interface BorderLoop {
  readonly vertices: number[];
  readonly length: number;
  /** The number of the part it belongs to. */
  readonly part: number;
}

/** Triangles that hang together by edges. */
export interface MeshPart extends ComponentTopology {
  /** Has every edge exactly two triangles? */
  readonly isClosed: boolean;
  /** Signed; means something if it is closed. */
  readonly volume: number;
  readonly bounds: Aabb;
}

export interface Survey {
  /** Has every edge exactly two triangles? */
  readonly isClosed: boolean;
  /** Do no two triangles run along a common edge the same way? Of edges with more than two, no answer is asked. */
  readonly isOriented: boolean;
  /** Is it a surface around each of its points: no edge with three triangles, at every vertex a single fan? */
  readonly isManifold: boolean;
  readonly borders: BorderLoop[];
  readonly parts: MeshPart[];
  /** Edges with three or more triangles: two vertices each. */
  readonly nonManifoldEdges: Uint32Array;
  /** Vertices where parts of the surface meet like the tips of cones. */
  readonly nonManifoldVertices: Uint32Array;
  /** Edges along which two triangles run the same way: two vertices each. */
  readonly misorientedEdges: Uint32Array;
}

/**
 * The facts about triangles whose corners at equal positions have equal numbers. Triangles with two equal corners are
 * no part of it.
 *
 * @internal
 */
export function surveyOf({ positions, index }: Triangles): Survey {
  const { triangles, source } = withThreeCorners(index);
  const start = Uint32Array.from({ length: source.length + 1 }, (_, t) => 3 * t);
  const mesh = halfEdgesOfLoops({ start, corners: triangles }, positions.length / 3);
  const open: number[] = [];
  const crowded: number[] = [];
  const misoriented: number[] = [];
  for (const h of mesh.edgeStart) {
    const other = mesh.radial[h]!;
    if (other === h) open.push(h);
    else if (mesh.radial[other] !== h) crowded.push(h);
    else if (mesh.vertex[other] === mesh.vertex[h]) misoriented.push(h);
  }
  const ends = (list: readonly number[]): Uint32Array =>
    Uint32Array.from(list.flatMap((h) => [mesh.vertex[h]!, mesh.vertex[mesh.next[h]!]!]));
  const components = componentsOf(mesh);
  const { labels } = components;
  const pinched = pinchedVertices(mesh, labels);
  const notClosed = new Set([...open, ...crowded].map((h) => labels[mesh.face[h]!]!));
  const solids = solidsOf(mesh, labels, components.count, positions);
  return {
    isClosed: source.length > 0 && notClosed.size === 0,
    isOriented: misoriented.length === 0,
    isManifold: crowded.length === 0 && pinched.length === 0,
    borders: borderLoops(mesh, open, labels, positions),
    parts: topologyOf(mesh, components).map((topology, label) => ({
      ...topology,
      seed: source[topology.seed]!,
      isClosed: !notClosed.has(label),
      ...solids[label]!,
    })),
    nonManifoldEdges: ends(crowded),
    nonManifoldVertices: Uint32Array.from(pinched),
    misorientedEdges: ends(misoriented),
  };
}

function withThreeCorners(index: Uint32Array): { triangles: Uint32Array; source: Uint32Array } {
  const source: number[] = [];
  for (let k = 0; k < index.length; k += 3)
    if (index[k] !== index[k + 1] && index[k + 1] !== index[k + 2] && index[k + 2] !== index[k])
      source.push(k / 3);
  const triangles = new Uint32Array(3 * source.length);
  source.forEach((t, i) => {
    triangles.set(index.subarray(3 * t, 3 * t + 3), 3 * i);
  });
  return { triangles, source: Uint32Array.from(source) };
}

/** The vertices whose triangles are not all joined by edges that end there. */
function pinchedVertices(mesh: HalfEdges, labels: Uint32Array): number[] {
  const pinched: number[] = [];
  let last = -1;
  for (const { vertex, fans } of fansOf(mesh, labels)) {
    // Two components at one vertex are two fans.
    if ((fans > 1 || vertex === last) && pinched.at(-1) !== vertex) pinched.push(vertex);
    last = vertex;
  }
  return pinched;
}

/** The open edges as closed paths; where they do not lead back, as far as they go. */
function borderLoops(
  { vertex, next, face }: HalfEdges,
  open: readonly number[],
  labels: Uint32Array,
  positions: ArrayLike<number>,
): BorderLoop[] {
  // The open edges that begin and that end at each vertex, last first: those in use are dropped on the way.
  const leaving = new Map<number, number[]>();
  const arriving = new Map<number, number[]>();
  const put = (to: Map<number, number[]>, v: number, h: number): void => {
    const list = to.get(v);
    if (list) list.push(h);
    else to.set(v, [h]);
  };
  for (const h of [...open].reverse()) {
    put(leaving, vertex[h]!, h);
    put(arriving, vertex[next[h]!]!, h);
  }
  const used = new Set<number>();
  const firstFree = (list: number[] | undefined): number | undefined => {
    while (list && list.length > 0 && used.has(list.at(-1)!)) list.pop();
    return list?.at(-1);
  };
  const loops: BorderLoop[] = [];
  for (const first of open) {
    if (used.has(first)) continue;
    const loop = { vertices: [] as number[], length: 0, part: labels[face[first]!]! };
    const start = vertex[first]!;
    let v = start;
    // Along the direction of the faces if there is a choice, so that rims that meet in a vertex stay apart.
    for (let h: number | undefined = first; h !== undefined; ) {
      used.add(h);
      loop.vertices.push(v);
      const w: number = vertex[h] === v ? vertex[next[h]!]! : vertex[h]!;
      loop.length += distance(positions, v, w);
      v = w;
      if (v === start) break;
      h = firstFree(leaving.get(v)) ?? firstFree(arriving.get(v));
    }
    loops.push(loop);
  }
  return loops;
}

function distance(positions: ArrayLike<number>, v: number, w: number): number {
  const x = positions[3 * v]! - positions[3 * w]!;
  const y = positions[3 * v + 1]! - positions[3 * w + 1]!;
  const z = positions[3 * v + 2]! - positions[3 * w + 2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** Volume and box of each component. */
function solidsOf(
  { vertex, face }: HalfEdges,
  labels: Uint32Array,
  count: number,
  positions: ArrayLike<number>,
): { volume: number; bounds: Aabb }[] {
  const solids = Array.from({ length: count }, () => ({
    volume: 0,
    bounds: { min: vec3(Infinity, Infinity, Infinity), max: vec3(-Infinity, -Infinity, -Infinity) },
  }));
  for (let f = 0; f < labels.length; f++) solids[labels[f]!]!.volume += coneVolume(positions, vertex, f);
  for (let h = 0; h < vertex.length; h++) grow(solids[labels[face[h]!]!]!.bounds, positions, vertex[h]!);
  return solids;
}

/** Of the tetrahedron between triangle f and the first vertex of the mesh. */
function coneVolume(positions: ArrayLike<number>, vertex: Uint32Array, f: number): number {
  const o = 3 * vertex[0]!;
  const at = (k: number, axis: number): number =>
    positions[3 * vertex[3 * f + k]! + axis]! - positions[o + axis]!;
  const [bx, by, bz] = [at(1, 0), at(1, 1), at(1, 2)];
  const [cx, cy, cz] = [at(2, 0), at(2, 1), at(2, 2)];
  return (
    (at(0, 0) * (by * cz - bz * cy) + at(0, 1) * (bz * cx - bx * cz) + at(0, 2) * (bx * cy - by * cx)) / 6
  );
}

function grow({ min, max }: Aabb, positions: ArrayLike<number>, v: number): void {
  const x = positions[3 * v]!;
  const y = positions[3 * v + 1]!;
  const z = positions[3 * v + 2]!;
  min.x = Math.min(min.x, x);
  min.y = Math.min(min.y, y);
  min.z = Math.min(min.z, z);
  max.x = Math.max(max.x, x);
  max.y = Math.max(max.y, y);
  max.z = Math.max(max.z, z);
}
