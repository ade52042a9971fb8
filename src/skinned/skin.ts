/** What all poses of a skinned mesh share: vertices and what moves them, triangles, and a tree over them. */
import { rimEdges } from '../mesh/seams.ts';
import type { PackedTree } from '../trees/packed-tree.ts';
import { largestOf } from '../trimesh/mesh.ts';
import { findParts } from '../trimesh/topology.ts';
import { type WeightProducts, weightProducts } from './dual-quaternions.ts';
import { buildJointTree, type JointPart } from './joint-tree.ts';
import { boundSkin, type SkinBounds } from './skin-bounds.ts';
import type { Blending, ReadSkin } from './skin-source.ts';

/** The most triangles in a leaf of the tree. */
const LEAF_SIZE = 8;

/** Immutable. Vertices are in the order in which the tree meets them, triangles in that of its slots. */
export class Skin {
  readonly blending: Blending;
  readonly jointCount: number;
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** How many numbers a joint has in `inverseBind`: a matrix, column by column. */
  readonly inverseBind: Float64Array;
  readonly parents: Int32Array | null;
  /** Before any joint moves. */
  readonly positions: Float64Array;
  /** Vertex v follows joints start[v] … start[v + 1] - 1 of `joints`, by as much as `weights` says. */
  readonly start: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
  /** Of dual quaternions: what bounds them. */
  readonly products: WeightProducts | null;
  readonly morphs: readonly Float64Array[];
  readonly corners: Uint16Array | Uint32Array;
  readonly ids: Uint32Array;
  /** Links and no boxes. */
  readonly tree: Pick<PackedTree, 'nodeCount' | 'links'>;
  /** So many nodes at the front join the subtrees of the joints. */
  readonly topCount: number;
  /** The edges along the border of the surface, as its vertices are joined: two of them each. */
  readonly rim: Uint32Array;
  /** The subtrees of the joints. */
  readonly jointParts: readonly JointPart[];
  /** What bounds the vertices below each child of a node. */
  readonly slots: SkinBounds;
  /** No coordinate is larger, nor is one of the displacements of each morph target. */
  readonly reach: number;
  readonly morphReach: Float64Array;
  /** Of each part of triangles that hang together one, by its slot. */
  readonly parts: Uint32Array;

  constructor(source: ReadSkin) {
    const { index, positions, start, joints, weights } = source;
    this.blending = source.blending;
    this.inverseBind = source.inverseBind;
    this.parents = source.parents;
    this.jointCount = source.inverseBind.length / 16;
    this.triangleCount = index.length / 3;
    const tree = buildJointTree(positions, index, strongestJoints(source), source.parents, LEAF_SIZE);
    this.tree = tree;
    this.topCount = tree.topCount;
    this.jointParts = tree.parts;
    this.ids = tree.order;
    const { vertices, corners } = numberVertices(index, tree.order, positions.length / 3);
    this.vertexCount = vertices.length;
    this.corners = vertices.length <= 65536 ? Uint16Array.from(corners) : corners;
    const pick = (from: Float64Array): Float64Array => {
      const out = new Float64Array(3 * vertices.length);
      vertices.forEach((v, w) => {
        for (let k = 0; k < 3; k++) out[3 * w + k] = from[3 * v + k]!;
      });
      return out;
    };
    this.positions = pick(positions);
    this.morphs = source.morphs.map(pick);
    this.start = new Uint32Array(vertices.length + 1);
    const count = vertices.reduce((sum, v) => sum + start[v + 1]! - start[v]!, 0);
    this.joints = new Uint16Array(count);
    this.weights = new Float64Array(count);
    let used = 0;
    vertices.forEach((v, w) => {
      for (let i = start[v]!; i < start[v + 1]!; i++) {
        this.joints[used] = joints[i]!;
        this.weights[used++] = weights[i]!;
      }
      this.start[w + 1] = used;
    });
    this.products = this.blending === 'linear' ? null : weightProducts(this, this.jointCount);
    this.slots = boundSkin(this, this.products ?? this, this.jointCount);
    this.reach = largestOf(this.positions);
    this.morphReach = Float64Array.from(this.morphs, largestOf);
    // By their numbers: the pose decides who is at whose position, and that changes.
    const apart = { positions: new Float64Array(3 * vertices.length), index: new Uint32Array(this.corners) };
    for (let v = 0; v < vertices.length; v++) apart.positions[3 * v] = v;
    this.rim = rimEdges(apart);
    this.parts = findParts({ vertices: apart.positions, corners: this.corners });
  }

  /** Has the surface no border? Then it encloses what it winds around, in every pose. */
  get isClosed(): boolean {
    return this.rim.length === 0;
  }
}

/** For each triangle the joint that its corners follow most. */
function strongestJoints({ index, start, joints, weights, inverseBind }: ReadSkin): Uint16Array {
  const strongest = new Uint16Array(index.length / 3);
  const sums = new Float64Array(inverseBind.length / 16);
  for (let t = 0; t < strongest.length; t++) {
    let best = -1;
    for (let corner = 3 * t; corner < 3 * t + 3; corner++)
      for (let i = start[index[corner]!]!; i < start[index[corner]! + 1]!; i++) {
        const joint = joints[i]!;
        sums[joint]! += weights[i]!;
        if (best < 0 || sums[joint]! > sums[best]!) best = joint;
      }
    strongest[t] = best;
    for (let corner = 3 * t; corner < 3 * t + 3; corner++)
      for (let i = start[index[corner]!]!; i < start[index[corner]! + 1]!; i++) sums[joints[i]!] = 0;
  }
  return strongest;
}

/** Numbers the vertices as the triangles in the order of the tree meet them. */
function numberVertices(
  index: Uint32Array,
  order: Uint32Array,
  count: number,
): { vertices: number[]; corners: Uint32Array } {
  const numbers = new Int32Array(count).fill(-1);
  const vertices: number[] = [];
  const corners = new Uint32Array(index.length);
  for (let i = 0, to = 0; i < order.length; i++)
    for (let k = 0; k < 3; k++, to++) {
      const vertex = index[3 * order[i]! + k]!;
      if (numbers[vertex]! < 0) numbers[vertex] = vertices.push(vertex) - 1;
      corners[to] = numbers[vertex]!;
    }
  return { vertices, corners };
}
