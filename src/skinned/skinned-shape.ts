/** A skinned mesh: a skin, which many share, in a pose of its own. */
import { checkNumbers, LARGEST, refuse } from '../math/check.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { isRigid } from './dual-quaternions.ts';
import type { Skin } from './skin.ts';
import { multiplyJoint, SkinPose } from './skin-pose.ts';

const CALLER = 'Skinned.pose';

/**
 * A mesh whose vertices follow joints: see `skinned`. The one shape that changes: a new `pose` is seen by the next query of
 * whatever holds it.
 */
export class SkinnedShape {
  readonly kind = 'skinned';
  /** What it shares with its instances. */
  readonly skin: Skin;
  /** The algorithms for queries: see `shapes/families.ts`. */
  readonly [FAMILY]: unknown;
  private readonly meshFamily: unknown;
  private current: SkinPose;
  private frames = 0;

  /** @internal */
  constructor(skin: Skin, family: unknown, meshFamily: unknown) {
    this.skin = skin;
    this[FAMILY] = family;
    this.meshFamily = meshFamily;
    this.current = new SkinPose(skin);
  }

  /** How often it has been posed. */
  get frame(): number {
    return this.frames;
  }

  /** The number of triangles. */
  get triangleCount(): number {
    return this.skin.triangleCount;
  }

  /**
   * Moves the joints: sixteen numbers each, column by column, from the space of the joint to that of the whole mesh (of
   * three.js, the inverse of the matrix of the mesh in the world, times that of the bone). And how much there is of each morph
   * target; default: nothing. The numbers are copied. Nothing is skinned before a query needs it. O(joints).
   *
   * Refuses too few matrices, and numbers that are not finite. A matrix that is singular (a scale of 0, to hide a limb) is
   * fine: what follows only that joint is flat. With dual quaternions, refuses joints that do more than turn and move by 1e-4;
   * what is below that is left out.
   */
  pose(jointMatrices: ArrayLike<number>, morphWeights?: ArrayLike<number>): void {
    const { jointCount, morphs, products } = this.skin;
    checkNumbers(CALLER, 'jointMatrices', jointMatrices, LARGEST);
    if (jointMatrices.length !== 16 * jointCount)
      refuse(
        CALLER,
        'jointMatrices',
        `must hold sixteen numbers for each of the ${jointCount} joints, got ${jointMatrices.length}`,
      );
    if (morphWeights !== undefined) {
      checkNumbers(CALLER, 'morphWeights', morphWeights, LARGEST);
      if (morphWeights.length !== morphs.length)
        refuse(
          CALLER,
          'morphWeights',
          `must hold a number for each of the ${morphs.length} morph targets, got ${morphWeights.length}`,
        );
    }
    if (products !== null) mustBeRigid(this.skin, jointMatrices);
    // A query that is under way, and has called whoever calls this, keeps the pose that it began with.
    if (this.current.users > 0) this.current = new SkinPose(this.skin);
    this.current.set(jointMatrices, morphWeights);
    this.frames++;
  }

  /** Another one with the same skin, in the same pose, which then has poses of its own. */
  instance(): SkinnedShape {
    const twin = new SkinnedShape(this.skin, this[FAMILY], this.meshFamily);
    twin.current.copy(this.current);
    return twin;
  }

  /** The surface as it is now, as a mesh that stays as it is. Skins everything: O(n), once a pose. */
  get mesh(): Mesh {
    return this.current.wholeMesh(this.meshFamily);
  }

  /** The pose that it is in. @internal */
  get state(): SkinPose {
    return this.current;
  }

  /** A box around it, as it is now. No vertex is looked at: it may be larger than it need be. */
  get bounds(): ReadonlyAabb {
    return this.current.bounds;
  }
}

const product = new Float64Array(12);

function mustBeRigid({ jointCount, inverseBind }: Skin, jointMatrices: ArrayLike<number>): void {
  for (let joint = 0; joint < jointCount; joint++) {
    multiplyJoint(jointMatrices, inverseBind, joint, product, 0);
    if (!isRigid(product, 0))
      refuse(
        CALLER,
        'jointMatrices',
        `must, with dual quaternions, turn and move only: joint ${joint} scales, mirrors or shears what was bound to it. Give it no scale, or blend linearly`,
      );
  }
}
