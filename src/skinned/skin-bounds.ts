/**
 * What bounds the vertices below each child of each node of the tree, whatever the pose: a box around them before any joint
 * moves, and for each joint the least and the most that one of them takes of it. Kavan and Žára 2005; Mujika et al. §3.3.
 *
 * A vertex is at Σ wᵢ Mᵢ v, with weights that sum to one. Each Mᵢ v is in the box Mᵢ c ± |Mᵢ| h, so along an axis the vertex is
 * no higher than the highest of those, and no higher than that of one joint, plus, for each other joint, how much higher
 * that is times its weight: the least if it is lower, the most if it is higher. No vertex is looked at.
 *
 * Dual quaternions are bounded in the same way, with pairs of joints beside the joints (`dual-quaternions.ts`).
 */
import {
  isLeaf,
  leafEnd,
  leafFirst,
  linkAt,
  nodeAt,
  nodeNumber,
  type PackedTree,
} from '../trees/packed-tree.ts';

/** By slot: twice the number of a node, plus 0 or 1 for its child. */
export interface SkinBounds {
  /** Six numbers a slot: the middle of the box and half its size. */
  readonly boxes: Float64Array;
  /**
   * Of the slot, joints start[slot] … start[slot + 1] - 1 of `joints`, `least` and `most`; first the one that most is taken of. Of
   * dual quaternions, after the joints, pairs of them, and the products of weights.
   */
  readonly start: Uint32Array;
  readonly joints: Uint16Array | Uint32Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** The same of morph targets that move something: six numbers of `morphBoxes`, a box around the displacements. */
  readonly morphStart: Uint32Array;
  readonly morphs: Uint16Array;
  readonly morphBoxes: Float64Array;
}

/** What vertices follow, as in `Skin` or `WeightProducts`. */
interface Followed {
  readonly start: Uint32Array;
  readonly joints: Uint16Array | Uint32Array;
  readonly weights: Float64Array;
}

/** The vertices that are bounded, as in `Skin`. */
interface BoundedSkin {
  readonly vertexCount: number;
  readonly positions: Float64Array;
  readonly morphs: readonly Float64Array[];
  readonly corners: Uint16Array | Uint32Array;
  readonly tree: Pick<PackedTree, 'nodeCount' | 'links'>;
}

/** How much of a joint the vertices of a slot take. */
interface Share {
  readonly joint: number;
  least: number;
  most: number;
}

/** @internal */
export function boundSkin(skin: BoundedSkin, followed: Followed, jointCount: number): SkinBounds {
  const { tree } = skin;
  const slots = 2 * tree.nodeCount;
  const boxes = new Float64Array(6 * slots);
  const shares: Share[][] = new Array(slots);
  const seen = new Int32Array(skin.vertexCount).fill(-1);
  const morphBoxes = skin.morphs.map(() => new Float64Array(6 * slots));
  // Children come after their parents.
  for (let slot = slots - 1; slot >= 0; slot--) {
    const link = tree.links[linkAt(nodeAt(slot >> 1), slot & 1)]!;
    shares[slot] = isLeaf(link)
      ? shareOfLeaf(skin, followed, link, slot, seen)
      : mergeShares(shares[2 * nodeNumber(link)]!, shares[2 * nodeNumber(link) + 1]!);
    boxSlot(skin.positions, skin, slot, link, boxes);
    for (let m = 0; m < morphBoxes.length; m++) boxSlot(skin.morphs[m]!, skin, slot, link, morphBoxes[m]!);
  }
  return { ...packShares(shares, jointCount), ...packMorphs(morphBoxes, slots), boxes: centered(boxes) };
}

/** Least and greatest coordinates, as yet, of what is below a slot. */
function boxSlot(
  from: Float64Array,
  { corners }: BoundedSkin,
  slot: number,
  link: number,
  boxes: Float64Array,
): void {
  const at = 6 * slot;
  boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
  if (isLeaf(link)) {
    for (let i = 3 * leafFirst(link); i < 3 * leafEnd(link); i++)
      for (let k = 0; k < 3; k++) {
        const x = from[3 * corners[i]! + k]!;
        if (x < boxes[at + k]!) boxes[at + k] = x;
        if (x > boxes[at + 3 + k]!) boxes[at + 3 + k] = x;
      }
    return;
  }
  const child = 12 * nodeNumber(link);
  for (let k = 0; k < 3; k++) {
    boxes[at + k] = Math.min(boxes[child + k]!, boxes[child + 6 + k]!);
    boxes[at + 3 + k] = Math.max(boxes[child + 3 + k]!, boxes[child + 9 + k]!);
  }
}

/** Of what is empty, a point that no joint moves. */
function centered(boxes: Float64Array): Float64Array {
  for (let at = 0; at < boxes.length; at += 6)
    for (let k = at; k < at + 3; k++) {
      const low = boxes[k]!;
      const high = boxes[k + 3]!;
      const middle = low <= high ? low / 2 + high / 2 : 0;
      boxes[k] = middle;
      boxes[k + 3] = low <= high ? Math.max(high - middle, middle - low) : 0;
    }
  return boxes;
}

function shareOfLeaf(
  { corners }: BoundedSkin,
  { start, joints, weights }: Followed,
  link: number,
  slot: number,
  seen: Int32Array,
): Share[] {
  const shares: Share[] = [];
  const takers: number[] = [];
  let vertices = 0;
  for (let i = 3 * leafFirst(link); i < 3 * leafEnd(link); i++) {
    const v = corners[i]!;
    if (seen[v] === slot) continue;
    seen[v] = slot;
    vertices++;
    for (let k = start[v]!; k < start[v + 1]!; k++) {
      const joint = joints[k]!;
      const weight = weights[k]!;
      const at = shares.findIndex((share) => share.joint === joint);
      if (at < 0) {
        shares.push({ joint, least: weight, most: weight });
        takers.push(1);
        continue;
      }
      const share = shares[at]!;
      share.least = Math.min(share.least, weight);
      share.most = Math.max(share.most, weight);
      takers[at]!++;
    }
  }
  for (let at = 0; at < shares.length; at++) if (takers[at]! < vertices) shares[at]!.least = 0;
  return shares;
}

/** Who is missing in one takes nothing there. What is empty says nothing. */
function mergeShares(a: readonly Share[], b: readonly Share[]): Share[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b].map((share) => ({ ...share }));
  const merged = a.map(({ joint, least, most }) => {
    const other = b.find((share) => share.joint === joint);
    return {
      joint,
      least: Math.min(least, other?.least ?? 0),
      most: Math.max(most, other?.most ?? 0),
    };
  });
  for (const share of b)
    if (!a.some(({ joint }) => joint === share.joint)) merged.push({ ...share, least: 0 });
  return merged;
}

function packShares(
  shares: readonly Share[][],
  jointCount: number,
): Pick<SkinBounds, 'start' | 'joints' | 'least' | 'most'> {
  const start = new Uint32Array(shares.length + 1);
  shares.forEach((list, slot) => {
    start[slot + 1] = start[slot]! + list.length;
    const isPair = ({ joint }: Share): number => (joint < jointCount ? 0 : 1);
    list.sort((a, b) => isPair(a) - isPair(b) || b.least + b.most - a.least - a.most || a.joint - b.joint);
  });
  const all = shares.flat();
  const joints = Uint32Array.from(all, ({ joint }) => joint);
  return {
    start,
    joints: joints.every((joint) => joint < 65536) ? Uint16Array.from(joints) : joints,
    least: Float64Array.from(all, ({ least }) => least),
    most: Float64Array.from(all, ({ most }) => most),
  };
}

function packMorphs(
  targets: readonly Float64Array[],
  slots: number,
): Pick<SkinBounds, 'morphStart' | 'morphs' | 'morphBoxes'> {
  const morphStart = new Uint32Array(slots + 1);
  const morphs: number[] = [];
  const boxes: number[] = [];
  for (let slot = 0; slot < slots; slot++) {
    targets.forEach((target, m) => {
      const box = target.subarray(6 * slot, 6 * slot + 6);
      if (!box.some((x) => x !== 0 && Math.abs(x) < Infinity)) return;
      morphs.push(m);
      boxes.push(...centered(box.slice()));
    });
    morphStart[slot + 1] = morphs.length;
  }
  return { morphStart, morphs: Uint16Array.from(morphs), morphBoxes: Float64Array.from(boxes) };
}
