/** One pose of a skinned mesh: where each joint takes what follows it. */
import { mustBeInRange } from '../math/size-range.ts';
import { extentOf, fineTriangles, fitPacked } from '../trees/pack-build.ts';
import { derivedOf } from '../trimesh/derived.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { largestOf, layOut, type Mesh } from '../trimesh/mesh.ts';
import type { Skin } from './skin.ts';

/** A pose, and what has been worked out for it so far. */
export class SkinPose {
  readonly skin: Skin;
  /** Twelve numbers a joint: three rows of four, from where a vertex is before to where the joint takes it. */
  readonly matrices: Float64Array;
  readonly morphWeights: Float64Array;
  private whole: Mesh | null = null;

  constructor(skin: Skin) {
    this.skin = skin;
    this.matrices = new Float64Array(12 * skin.jointCount);
    for (let at = 0; at < this.matrices.length; at += 12)
      this.matrices[at] = this.matrices[at + 5] = this.matrices[at + 10] = 1;
    this.morphWeights = new Float64Array(skin.morphs.length);
  }

  /** Takes the pose over. Nothing is skinned before it is asked for. O(joints). */
  set(jointMatrices: ArrayLike<number>, morphWeights: ArrayLike<number> | undefined): void {
    const { matrices, skin } = this;
    const { inverseBind } = skin;
    for (let joint = 0; joint < skin.jointCount; joint++) {
      const from = 16 * joint;
      for (let row = 0; row < 3; row++) {
        const a = jointMatrices[from + row]!;
        const b = jointMatrices[from + 4 + row]!;
        const c = jointMatrices[from + 8 + row]!;
        const d = jointMatrices[from + 12 + row]!;
        for (let column = 0; column < 4; column++) {
          const at = from + 4 * column;
          matrices[12 * joint + 4 * row + column] =
            a * inverseBind[at]! +
            b * inverseBind[at + 1]! +
            c * inverseBind[at + 2]! +
            d * inverseBind[at + 3]!;
        }
      }
    }
    if (morphWeights === undefined) this.morphWeights.fill(0);
    else this.morphWeights.set(morphWeights);
    this.whole = null;
  }

  /** As another one. */
  copy({ matrices, morphWeights }: SkinPose): void {
    this.matrices.set(matrices);
    this.morphWeights.set(morphWeights);
    this.whole = null;
  }

  /** The whole surface as a mesh of its own, which stays as it is. O(n) for the first time. */
  mesh(family: unknown): Mesh {
    this.whole ??= this.makeMesh(family);
    return this.whole;
  }

  private makeMesh(family: unknown): Mesh {
    const { skin } = this;
    const { corners, ids, rim } = skin;
    const { nodeCount, links } = skin.tree;
    const vertices = new Float64Array(3 * skin.vertexCount);
    for (let v = 0; v < skin.vertexCount; v++) this.skinVertex(v, vertices);
    mustBeInRange('skinned', 'the largest coordinate of the pose', largestOf(extentOf(vertices)));
    const own = links.slice();
    const tree = { nodeCount, bounds: new Uint16Array(own.buffer), links: own, grid: new Float64Array(6) };
    const index = Uint32Array.from(corners);
    fitPacked(tree, Uint32Array.from(ids.keys()), fineTriangles(vertices, index));
    const given = new Uint32Array(index.length);
    for (let i = 0; i < ids.length; i++)
      for (let k = 0; k < 3; k++) given[3 * ids[i]! + k] = index[3 * i + k]!;
    const mesh = layOut({ positions: vertices, index: given }, tree, ids, false);
    mesh[FAMILY] = family;
    const derived = derivedOf(mesh);
    // How the vertices are joined decides, not who happens to be where.
    derived.boundary = Float64Array.from(
      { length: 3 * rim.length },
      (_, i) => vertices[3 * rim[Math.floor(i / 3)]! + (i % 3)]!,
    );
    derived.parts = skin.parts;
    return mesh;
  }

  /** Writes where a vertex is to its place among all of them. */
  skinVertex(v: number, out: Float64Array): void {
    const { skin, matrices, morphWeights } = this;
    const { positions, start, joints, weights, morphs } = skin;
    let x = positions[3 * v]!;
    let y = positions[3 * v + 1]!;
    let z = positions[3 * v + 2]!;
    for (let m = 0; m < morphs.length; m++) {
      const by = morphWeights[m]!;
      if (by === 0) continue;
      const target = morphs[m]!;
      x += by * target[3 * v]!;
      y += by * target[3 * v + 1]!;
      z += by * target[3 * v + 2]!;
    }
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let i = start[v]!; i < start[v + 1]!; i++) {
      const at = 12 * joints[i]!;
      const w = weights[i]!;
      px += w * (matrices[at]! * x + matrices[at + 1]! * y + matrices[at + 2]! * z + matrices[at + 3]!);
      py += w * (matrices[at + 4]! * x + matrices[at + 5]! * y + matrices[at + 6]! * z + matrices[at + 7]!);
      pz += w * (matrices[at + 8]! * x + matrices[at + 9]! * y + matrices[at + 10]! * z + matrices[at + 11]!);
    }
    out[3 * v] = px;
    out[3 * v + 1] = py;
    out[3 * v + 2] = pz;
  }
}
