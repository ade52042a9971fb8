/**
 * A tree over the triangles of a skin, one subtree for each joint: no box holds what joints move apart that are no neighbours.
 * The subtrees are joined along the skeleton: joints in a row (an arm, a tail) to one extremity, extremities to the whole.
 * Mujika et al. §3.2, after Quinlan 1994.
 */
import { packTriangles } from '../trees/pack-build.ts';
import { boxAt, isLeaf, leafCount, leafFirst, leafLink, linkAt, nodeAt } from '../trees/packed-tree.ts';

/** A packed tree without boxes. Its first `topCount` nodes, at least the root, join the subtrees of the joints. */
export interface JointTree {
  readonly nodeCount: number;
  readonly topCount: number;
  /** Eight numbers a node, as in a `PackedTree`; only the links are filled in. */
  readonly links: Int32Array;
  /** For each slot the triangle there. */
  readonly order: Uint32Array;
  /** The subtrees of the joints: the link to each, and where its box stands. None if there is only one. */
  readonly parts: readonly JointPart[];
}

/** The part of a tree that follows one joint most. */
export interface JointPart {
  readonly joint: number;
  readonly link: number;
  readonly box: number;
}

/** The triangles that follow one joint more than any other, and the joints before it in the skeleton. */
interface Group {
  readonly joint: number;
  readonly triangles: readonly number[];
}

/** What joins groups, or is one. */
type Branch = Group | readonly [Branch, Branch];

/** Levels of joining, at most: the subtrees have room for theirs. */
const MOST_LEVELS = 14;

/** @internal */
export function buildJointTree(
  positions: Float64Array,
  index: Uint32Array,
  jointOfTriangle: Uint16Array,
  parents: Int32Array | null,
  leafSize: number,
): JointTree {
  const groups = groupsOf(jointOfTriangle);
  const top = joinGroups(groups, parents, positions, index);
  const topCount = Math.max(1, groups.length - 1);
  const order = new Uint32Array(jointOfTriangle.length);
  const links = new Int32Array(8 * (topCount + 2 * jointOfTriangle.length));
  let nodeCount = groups.length === 1 ? 0 : topCount;
  let slotCount = 0;

  /** Adds the tree of a group; returns the link to it. */
  const addGroup = ({ triangles }: Group): number => {
    const own = new Uint32Array(3 * triangles.length);
    triangles.forEach((t, i) => {
      for (let k = 0; k < 3; k++) own[3 * i + k] = index[3 * t + k]!;
    });
    const packed = packTriangles(positions, own, { leafSize });
    packed.order.forEach((t, i) => {
      order[slotCount + i] = triangles[t]!;
    });
    const move = (link: number): number =>
      isLeaf(link)
        ? leafLink(slotCount + leafFirst(link), slotCount + leafFirst(link) + leafCount(link))
        : link + nodeAt(nodeCount);
    const { tree } = packed;
    const lonely = triangles.length <= leafSize && groups.length > 1;
    const root = lonely ? move(tree.links[linkAt(0, 0)]!) : nodeAt(nodeCount);
    if (!lonely)
      for (let node = 0; node < tree.nodeCount; node++)
        for (let side = 0; side < 2; side++)
          links[linkAt(nodeAt(nodeCount + node), side)] = move(tree.links[linkAt(nodeAt(node), side)]!);
    slotCount += triangles.length;
    nodeCount += lonely ? 0 : tree.nodeCount;
    return root;
  };

  const parts: JointPart[] = [];
  let joined = 0;
  const add = (branch: Branch): number => {
    if (!Array.isArray(branch)) return addGroup(branch as Group);
    const node = nodeAt(joined++);
    for (let side = 0; side < 2; side++) {
      const child = branch[side] as Branch;
      const link = add(child);
      links[linkAt(node, side)] = link;
      if (!Array.isArray(child)) parts.push({ joint: (child as Group).joint, link, box: boxAt(node, side) });
    }
    return node;
  };
  add(top);
  return { nodeCount, topCount, links: links.slice(0, 8 * nodeCount), order, parts };
}

function groupsOf(jointOfTriangle: Uint16Array): Group[] {
  const lists = new Map<number, number[]>();
  jointOfTriangle.forEach((joint, triangle) => {
    const list = lists.get(joint);
    if (list) list.push(triangle);
    else lists.set(joint, [triangle]);
  });
  return [...lists].sort(([a], [b]) => a - b).map(([joint, triangles]) => ({ joint, triangles }));
}

function joinGroups(
  groups: readonly Group[],
  parents: Int32Array | null,
  positions: Float64Array,
  index: Uint32Array,
): Branch {
  if (parents !== null) {
    const joined = joinSkeleton(groups, parents);
    if (depthOf(joined) <= MOST_LEVELS) return joined;
  }
  return halve(groups.map((group) => ({ group, center: centerOf(group, positions, index) })));
}

/** Joints in a row are one extremity; where the skeleton branches, all that meets there is joined. */
function joinSkeleton(groups: readonly Group[], parents: Int32Array): Branch {
  const byJoint = new Map(groups.map((group) => [group.joint, group]));
  const children: number[][] = Array.from(parents, () => []);
  const roots: number[] = [];
  parents.forEach((parent, joint) => {
    (parent < 0 ? roots : children[parent]!).push(joint);
  });
  /** What hangs at a joint; null if no triangle does. Long chains are walked, not called. */
  const extremity = (first: number): Branch | null => {
    const row: Branch[] = [];
    let joint = first;
    for (;;) {
      const group = byJoint.get(joint);
      if (group) row.push(group);
      if (children[joint]!.length !== 1) break;
      joint = children[joint]![0]!;
    }
    const branches = children[joint]!.map(extremity).filter((one) => one !== null);
    const all = row.length > 0 ? [balance(row), ...branches] : branches;
    return all.length > 0 ? balance(all) : null;
  };
  return balance(roots.map(extremity).filter((one) => one !== null));
}

function balance(branches: readonly Branch[]): Branch {
  if (branches.length === 1) return branches[0]!;
  const middle = branches.length >> 1;
  return [balance(branches.slice(0, middle)), balance(branches.slice(middle))];
}

const depthOf = (branch: Branch): number =>
  Array.isArray(branch) ? 1 + Math.max(depthOf(branch[0] as Branch), depthOf(branch[1] as Branch)) : 0;

interface Centered {
  readonly group: Group;
  readonly center: readonly number[];
}

function centerOf({ triangles }: Group, positions: Float64Array, index: Uint32Array): number[] {
  const center = [0, 0, 0];
  for (const t of triangles)
    for (let i = 3 * t; i < 3 * t + 3; i++)
      for (let k = 0; k < 3; k++) center[k]! += positions[3 * index[i]! + k]! / (3 * triangles.length);
  return center;
}

/** Without a skeleton: in the middle, across the axis along which the groups are farthest apart. */
function halve(groups: readonly Centered[]): Branch {
  if (groups.length === 1) return groups[0]!.group;
  const spread = [0, 1, 2].map((k) => {
    const along = groups.map(({ center }) => center[k]!);
    return Math.max(...along) - Math.min(...along);
  });
  const axis = spread.indexOf(Math.max(...spread));
  const sorted = [...groups].sort((a, b) => a.center[axis]! - b.center[axis]!);
  const middle = sorted.length >> 1;
  return [halve(sorted.slice(0, middle)), halve(sorted.slice(middle))];
}
