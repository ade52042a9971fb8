/** What a skinned mesh is made from: the arrays of a glTF skin, checked. */
import {
  checkNumbers,
  LARGEST,
  mustBeList,
  mustBeOneOf,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../math/check.ts';
import { closeSeams } from '../mesh/seams.ts';
import { readTriangles } from '../mesh/triangles.ts';
import { weldEqual } from '../mesh/weld.ts';

/** How the matrices of the joints that a vertex follows become one. */
export type Blending = 'linear' | 'dualQuaternion';

/** A mesh and the joints that its vertices follow. The arrays are copied. */
export interface SkinSource {
  /** Where the vertices are before any joint moves: three numbers each. */
  readonly positions: ArrayLike<number>;
  /** The corners of the triangles. Default: every three vertices are one. */
  readonly index?: ArrayLike<number> | null | undefined;
  /** For each vertex the numbers of the joints that it follows: `jointsPerVertex` of them. */
  readonly joints: ArrayLike<number>;
  /** How much of each it takes. They need not sum to one: they are divided by their sum. */
  readonly weights: ArrayLike<number>;
  /** Sixteen numbers a joint, column by column: from the space of the mesh to that of the joint. */
  readonly inverseBindMatrices: ArrayLike<number>;
  /** Displacements of all vertices, three numbers each, added before the joints move them. */
  readonly morphTargets?: readonly ArrayLike<number>[] | undefined;
  /** Default: 4. */
  readonly jointsPerVertex?: number | undefined;
  /**
   * Default: 'linear'. 'dualQuaternion': rotations and translations stay such where they are blended, and a joint that twists does
   * not pinch its skin. Joints may then not scale. Of opposite quaternions, those count that are on the side of the joint with the
   * most weight; of equal weights, with the lowest number.
   */
  readonly blending?: Blending | undefined;
  /** For each joint the number of its parent, -1 for a root: makes a better tree, and tells neighbours. */
  readonly parents?: ArrayLike<number> | undefined;
}

const FIELDS =
  'positions index joints weights inverseBindMatrices morphTargets jointsPerVertex blending parents';
const CALLER = 'skinned';

/** The most joints, and the most that one vertex follows. */
const MOST_JOINTS = 65536;
const MOST_A_VERTEX = 64;

/**
 * A source that is known to be good. Vertices that are equal in all that moves them, but for rounding, are one, so that a surface
 * that is closed stays so in every pose.
 */
export interface ReadSkin {
  /** Of the different vertices. */
  readonly positions: Float64Array;
  readonly index: Uint32Array;
  /** The joints of vertex v are influences start[v] … start[v + 1] - 1, by their numbers, ascending. */
  readonly start: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
  readonly inverseBind: Float64Array;
  /** Three numbers a vertex and target. */
  readonly morphs: readonly Float64Array[];
  readonly blending: Blending;
  readonly parents: Int32Array | null;
}

/** Refuses what is no skin. @internal */
export function readSkin(source: SkinSource): ReadSkin {
  mustBeOptions(CALLER, 'source', source, FIELDS);
  const { positions, index, blending = 'linear', jointsPerVertex = 4, morphTargets = [], parents } = source;
  const given = readTriangles(`${CALLER}: source`, { positions, index });
  mustBeOneOf(CALLER, 'source.blending', blending, ['linear', 'dualQuaternion']);
  mustBeWhole(CALLER, 'source.jointsPerVertex', jointsPerVertex, 1, MOST_A_VERTEX);
  const count = given.positions.length / 3;
  const inverseBind = readMatrices(source.inverseBindMatrices);
  const influences = readInfluences(source, jointsPerVertex, count, inverseBind.length / 16);
  mustBeList(CALLER, 'source.morphTargets', morphTargets);
  const morphs = morphTargets.map((target, i) => readMorph(`source.morphTargets[${i}]`, target, count));
  const { positions: closed } = closeSeams({
    positions: given.positions,
    index: Uint32Array.from(given.index),
  });
  const kept = weldVertices(closed, influences, morphs);
  return {
    ...kept,
    index: Uint32Array.from(given.index, (v) => kept.remap[v]!),
    inverseBind,
    blending,
    parents: parents === undefined ? null : readParents(parents, inverseBind.length / 16),
  };
}

function readMatrices(given: ArrayLike<number>): Float64Array {
  checkNumbers(CALLER, 'source.inverseBindMatrices', given, LARGEST);
  const { length } = given;
  if (length === 0 || length % 16 !== 0 || length > 16 * MOST_JOINTS)
    refuse(
      CALLER,
      'source.inverseBindMatrices',
      `must hold sixteen numbers a joint, of at most ${MOST_JOINTS} joints, got ${length} numbers`,
    );
  return Float64Array.from(given);
}

interface Influences {
  readonly start: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
}

/** The joints of each vertex, each once, without those that it takes nothing of; the weights divided by their sum. */
function readInfluences(
  { joints, weights }: SkinSource,
  each: number,
  count: number,
  jointCount: number,
): Influences {
  checkNumbers(CALLER, 'source.joints', joints, LARGEST);
  checkNumbers(CALLER, 'source.weights', weights, LARGEST);
  mustHoldEach('joints', joints, each, count);
  mustHoldEach('weights', weights, each, count);
  const start = new Uint32Array(count + 1);
  const allJoints = new Uint16Array(each * count);
  const allWeights = new Float64Array(each * count);
  const own = new Map<number, number>();
  let used = 0;
  for (let v = 0; v < count; v++) {
    own.clear();
    let sum = 0;
    for (let i = each * v; i < each * (v + 1); i++) {
      const joint = joints[i]!;
      const weight = weights[i]!;
      if (!(Number.isInteger(joint) && joint >= 0 && joint < jointCount))
        refuse(
          CALLER,
          `source.joints[${i}]`,
          `must be the number of one of the ${jointCount} joints, got ${joint}`,
        );
      if (weight < 0) refuse(CALLER, `source.weights[${i}]`, `must not be negative, got ${weight}`);
      sum += weight;
      if (weight > 0) own.set(joint, (own.get(joint) ?? 0) + weight);
    }
    if (own.size === 0) {
      own.set(joints[each * v]!, 1);
      sum = 1;
    }
    for (const joint of [...own.keys()].sort((a, b) => a - b)) {
      allJoints[used] = joint;
      allWeights[used++] = own.get(joint)! / sum;
    }
    start[v + 1] = used;
  }
  return { start, joints: allJoints.slice(0, used), weights: allWeights.slice(0, used) };
}

function mustHoldEach(name: string, list: ArrayLike<number>, each: number, count: number): void {
  if (list.length !== each * count)
    refuse(
      CALLER,
      `source.${name}`,
      `must hold ${each} numbers for each of the ${count} vertices (jointsPerVertex says how many), got ${list.length} numbers`,
    );
}

function readMorph(name: string, target: ArrayLike<number>, count: number): Float64Array {
  checkNumbers(CALLER, name, target, LARGEST);
  if (target.length !== 3 * count)
    refuse(CALLER, name, `must hold three numbers for each of the ${count} vertices, got ${target.length}`);
  return Float64Array.from(target);
}

/** The parents of the joints, if they make a forest. */
function readParents(given: ArrayLike<number>, jointCount: number): Int32Array {
  checkNumbers(CALLER, 'source.parents', given, LARGEST);
  if (given.length !== jointCount)
    refuse(
      CALLER,
      'source.parents',
      `must hold a number for each of the ${jointCount} joints, got ${given.length}`,
    );
  const parents = Int32Array.from(given);
  for (let i = 0; i < jointCount; i++) {
    if (!(Number.isInteger(given[i]) && given[i]! >= -1 && given[i]! < jointCount))
      refuse(CALLER, `source.parents[${i}]`, `must be the number of a joint, or -1, got ${given[i]}`);
    // Who comes back to where he started, or walks longer than there are joints, walks in a circle.
    let at = parents[i]!;
    for (let steps = 0; at >= 0; at = parents[at]!)
      if (at === i || ++steps > jointCount)
        refuse(CALLER, `source.parents[${i}]`, 'must not lead in a circle');
  }
  return parents;
}

const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= ULPS_32 * Math.max(Math.abs(a), Math.abs(b));

interface Welded extends Influences {
  readonly positions: Float64Array;
  readonly morphs: readonly Float64Array[];
  readonly remap: Uint32Array;
}

/** Four units in the last place of numbers of 32 bits, as files have them. */
const ULPS_32 = 4.76837158203125e-7; // 2^-21

/** Vertices with the same position become one if they have the same joints, and weights and displacements that differ by rounding. */
function weldVertices(
  given: Float32Array | Float64Array,
  { start, joints, weights }: Influences,
  morphs: readonly Float64Array[],
): Welded {
  const { remap: place, positions: places } = weldEqual(given);
  const count = place.length;
  const remap = new Uint32Array(count);
  // Of each place the vertex kept last, and of each vertex kept the one before it.
  const latest = new Int32Array(places.length / 3).fill(-1);
  const before = new Int32Array(count);
  const kept: number[] = [];
  const same = (a: number, b: number): boolean => {
    const length = start[a + 1]! - start[a]!;
    if (start[b + 1]! - start[b]! !== length) return false;
    for (let i = start[a]!, j = start[b]!; i < start[a + 1]!; i++, j++)
      if (joints[i] !== joints[j] || !isNear(weights[i]!, weights[j]!)) return false;
    for (const target of morphs)
      for (let k = 0; k < 3; k++) if (!isNear(target[3 * a + k]!, target[3 * b + k]!)) return false;
    return true;
  };
  for (let v = 0; v < count; v++) {
    let w = latest[place[v]!]!;
    while (w >= 0 && !same(kept[w]!, v)) w = before[w]!;
    if (w < 0) {
      w = kept.push(v) - 1;
      before[w] = latest[place[v]!]!;
      latest[place[v]!] = w;
    }
    remap[v] = w;
  }
  const newStart = new Uint32Array(kept.length + 1);
  const newJoints: number[] = [];
  const newWeights: number[] = [];
  kept.forEach((v, w) => {
    for (let i = start[v]!; i < start[v + 1]!; i++) {
      newJoints.push(joints[i]!);
      newWeights.push(weights[i]!);
    }
    newStart[w + 1] = newJoints.length;
  });
  const pick = (from: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(3 * kept.length);
    kept.forEach((v, w) => {
      for (let k = 0; k < 3; k++) out[3 * w + k] = from[3 * v + k]!;
    });
    return out;
  };
  return {
    positions: pick(given),
    morphs: morphs.map(pick),
    start: newStart,
    joints: Uint16Array.from(newJoints),
    weights: Float64Array.from(newWeights),
    remap,
  };
}
