/** Skinned meshes of three.js, VRM avatars among them, as shapes that their bones pose: nothing is skinned before a query needs it. */
import type { Bone, BufferGeometry, SkinnedMesh } from 'three';
import { Matrix4 } from 'three';
import { refuse } from '../math/check.ts';
import { skinned } from '../shapes/skinned.ts';
import type { SkinnedShape } from '../skinned/skinned-shape.ts';
import { type Attribute, nameOf, positionsOf, readCoordinates, versionOf } from './geometry.ts';
import { explained, isMorphed, selectTriangles, type TriangleSelection } from './geometry-tree.ts';
import type { Placement } from './placement.ts';
import { updateWorldMatrix } from './scene.ts';

/** three.js has four joints a vertex, always. */
const EACH = 4;
/** Weights of 32 bits that were divided by their sum sum to 1 but for this, and those of 8 bits but for a little more. */
const UNIT = 1 / 64;

/** What the triangles of a skinned mesh are made from: shared by all objects that have the geometry, in poses of their own. */
interface Skin {
  readonly shape: SkinnedShape;
  readonly triangles: TriangleSelection;
  readonly bones: number;
  readonly isMirrored: boolean;
  /** Do the weights of each vertex sum to 1? three.js does not look. */
  readonly isUnit: boolean;
  readonly attributes: readonly Attribute[];
  readonly versions: readonly number[];
}

const skins = /* @__PURE__ */ new WeakMap<BufferGeometry, Skin[]>();

function attributesOf({ attributes, morphAttributes }: BufferGeometry): Attribute[] {
  const own = ['position', 'skinIndex', 'skinWeight'].map((name) => attributes[name] as Attribute);
  return [...own, ...((morphAttributes['position'] ?? []) as Attribute[])];
}

interface Wanted {
  /** Only the triangles of the groups, as with a list of materials. */
  readonly grouped: boolean;
  readonly isMirrored: boolean;
}

/** The skin of an object as its geometry is now; null if that has no triangles. */
function skinOf(caller: string, object: SkinnedMesh, { grouped, isMirrored }: Wanted): Skin | null {
  const { geometry, skeleton } = object;
  const name = `the geometry of ${nameOf(object)}`;
  positionsOf(caller, name, geometry);
  if (!skeleton)
    refuse(caller, nameOf(object), 'has no skeleton: bind it to one, or make it a Mesh that is not skinned');
  const attributes = attributesOf(geometry);
  if (attributes.includes(undefined as never))
    refuse(caller, name, `has no skinIndex or no skinWeight (${nameOf(geometry)})`);
  let known = skins.get(geometry);
  if (!known) {
    known = [];
    skins.set(geometry, known);
    geometry.addEventListener('dispose', release);
  }
  const isCurrent = (skin: Skin): boolean =>
    skin.attributes.length === attributes.length &&
    attributes.every((one, i) => skin.attributes[i] === one && skin.versions[i] === versionOf(one)) &&
    skin.triangles.isCurrent(geometry);
  // What is out of date is of no use to anyone.
  if (!known.every(isCurrent)) known.splice(0, known.length, ...known.filter(isCurrent));
  const bones = skeleton.bones.length;
  const old = known.find(
    (skin) =>
      skin.bones === bones && skin.isMirrored === isMirrored && skin.triangles.isOf(geometry, grouped),
  );
  if (old) return old;
  const triangles = selectTriangles(geometry, grouped);
  const { corners } = triangles;
  if (corners === null || corners.length > 0) {
    const { joints, weights, isUnit } = readInfluences(geometry);
    const shape = explained(caller, name, () =>
      skinned({
        positions: readCoordinates(attributes[0]!),
        index: isMirrored ? reversed(corners, attributes[0]!.count) : corners,
        joints,
        weights,
        inverseBindMatrices: Float64Array.from({ length: 16 * bones }, (_, i) =>
          (i % 16) % 5 === 0 ? 1 : 0,
        ),
        morphTargets: readMorphs(geometry),
        parents: parentsOf(skeleton.bones),
      }),
    );
    const versions = attributes.map(versionOf);
    const made = { shape, triangles, bones, isMirrored, isUnit, attributes, versions };
    known.push(made);
    return made;
  }
  return null;
}

const release = ({ target }: { target: BufferGeometry }): void => void skins.get(target)?.splice(0);

/** Seen in a mirror, they would be clockwise. */
function reversed(corners: ArrayLike<number> | null, count: number): Uint32Array {
  const out = Uint32Array.from(corners ?? { length: count - (count % 3) }, (v, i) => (corners ? v : i));
  for (let i = 0; i < out.length; i += 3) [out[i + 1], out[i + 2]] = [out[i + 2]!, out[i + 1]!];
  return out;
}

function readInfluences({ attributes }: BufferGeometry): {
  joints: Float64Array;
  weights: Float64Array;
  isUnit: boolean;
} {
  const [index, weight] = [attributes['skinIndex'] as Attribute, attributes['skinWeight'] as Attribute];
  const { count } = index;
  const joints = new Float64Array(EACH * count);
  const weights = new Float64Array(EACH * count);
  let isUnit = true;
  for (let v = 0; v < count; v++) {
    let sum = 0;
    for (let k = 0; k < EACH; k++) {
      const at = EACH * v + k;
      joints[at] = index.getComponent(v, k);
      weights[at] = weight.getComponent(v, k);
      sum += weights[at]!;
    }
    isUnit &&= Math.abs(sum - 1) < UNIT;
  }
  return { joints, weights, isUnit };
}

function readMorphs({ morphAttributes, morphTargetsRelative, attributes }: BufferGeometry): Float64Array[] {
  const targets = (morphAttributes['position'] ?? []) as Attribute[];
  const base = readCoordinates(attributes['position'] as Attribute);
  return targets.map((target) => {
    const moved = Float64Array.from(readCoordinates(target));
    if (!morphTargetsRelative) for (let i = 0; i < moved.length; i++) moved[i]! -= base[i]!;
    return moved;
  });
}

function parentsOf(bones: readonly Bone[]): Int32Array {
  const numbers = new Map(bones.map((bone, i) => [bone, i]));
  return Int32Array.from(bones, (bone) => {
    for (let above = bone?.parent; above; above = above.parent)
      if (numbers.has(above as Bone)) return numbers.get(above as Bone)!;
    return -1;
  });
}

/** Brings the world matrices of the bones up to date, wherever in the scene they are. */
function updateBones({ skeleton }: SkinnedMesh): void {
  const { bones } = skeleton;
  for (const bone of bones) {
    if (!bone || (bone.parent as Bone | null)?.isBone) continue;
    updateWorldMatrix(bone);
    for (const child of bone.children) child.updateMatrixWorld(true);
  }
}

const left = /* @__PURE__ */ new Matrix4();
const one = /* @__PURE__ */ new Matrix4();
const stretch = /* @__PURE__ */ new Matrix4();

/** A skinned mesh of a scene as a shape that is posed as its bones are. @internal */
export class LiveSkin {
  readonly object: SkinnedMesh;
  private readonly caller: string;
  private skin: Skin | null = null;
  private own: SkinnedShape | null = null;
  private matrices = new Float64Array(0);
  private morphWeights = new Float64Array(0);

  constructor(caller: string, object: SkinnedMesh) {
    this.caller = caller;
    this.object = object;
  }

  /** What was read last. */
  get shape(): SkinnedShape | null {
    return this.own;
  }

  get triangles(): TriangleSelection {
    return this.skin!.triangles;
  }

  /** Do the weights of each vertex sum to 1, as three.js takes for granted? */
  get isUnit(): boolean {
    return this.skin!.isUnit;
  }

  /**
   * In the space of the object, as three.js computes it: by the world matrices as they were last updated. Null without
   * triangles. O(bones).
   */
  readLocal(grouped: boolean): SkinnedShape | null {
    left.copy(this.object.bindMatrixInverse);
    return this.read({ grouped, isMirrored: false });
  }

  /** As a pose and a stretch place the object; bones are brought up to date first. Null without triangles. O(bones). */
  readPlaced({ stretch: { elements: u } }: Placement): SkinnedShape | null {
    const { object } = this;
    if (object.skeleton) updateBones(object);
    left.copy(object.bindMode === 'detached' ? object.bindMatrix : object.matrixWorld).invert();
    object.bindMatrixInverse.copy(left); // as three.js does with the world matrices
    stretch.set(u[0]!, u[3]!, u[6]!, 0, 0, u[4]!, u[7]!, 0, 0, 0, u[8]!, 0, 0, 0, 0, 1);
    left.premultiply(stretch);
    return this.read({ grouped: false, isMirrored: u[0]! * u[4]! * u[8]! < 0 });
  }

  /** `left` is what bones are followed by. */
  private read(wanted: Wanted): SkinnedShape | null {
    const { object, caller } = this;
    const skin = skinOf(caller, object, wanted);
    if (skin !== this.skin || skin === null) {
      this.skin = skin;
      this.own = skin === null ? null : skin.shape.instance();
      this.matrices = new Float64Array(skin ? 16 * skin.bones : 0).fill(Number.NaN);
      this.morphWeights = new Float64Array(object.geometry.morphAttributes['position']?.length ?? 0);
    }
    if (this.own && this.readBones()) {
      const { own, matrices, morphWeights } = this;
      try {
        explained(caller, nameOf(object), () =>
          own.pose(matrices, morphWeights.length > 0 ? morphWeights : undefined),
        );
      } catch (error) {
        matrices.fill(Number.NaN); // the next time it is looked at again
        throw error;
      }
    }
    return this.own;
  }

  /** Returns whether anything is elsewhere than before. */
  private readBones(): boolean {
    const { object, matrices, morphWeights } = this;
    const { skeleton, bindMatrix } = object;
    let same = true;
    skeleton.bones.forEach((bone, j) => {
      if (bone) one.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[j]!);
      else one.identity();
      one.premultiply(left).multiply(bindMatrix);
      const { elements } = one;
      for (let k = 0; k < 16; k++) {
        same &&= matrices[16 * j + k] === elements[k];
        matrices[16 * j + k] = elements[k]!;
      }
    });
    const isMoved = isMorphed(object);
    for (let i = 0; i < morphWeights.length; i++) {
      const influence = isMoved ? (object.morphTargetInfluences![i] ?? 0) : 0;
      same &&= morphWeights[i] === influence;
      morphWeights[i] = influence;
    }
    return !same;
  }
}
