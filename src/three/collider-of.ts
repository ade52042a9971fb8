/** Objects of a three.js scene as colliders that follow them. */
import type { BatchedMesh, InstancedMesh, Object3D, Mesh as ThreeMesh } from 'three';
import { Matrix4 } from 'three';
import { refuse, refuseType } from '../math/check.ts';
import type { Quat, ReadonlyPose, ReadonlyQuat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose as makePose } from '../math/types.ts';
import { isShape } from '../shapes/check.ts';
import type { Collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { box, hull } from '../shapes/flat-sided-shapes.ts';
import { mesh as asShape } from '../shapes/mesh.ts';
import type { Shape } from '../shapes/shape.ts';
import { buildMesh, type Mesh } from '../trimesh/index.ts';
import { drawnCorners, isObject, nameOf, positionsOf } from './geometry.ts';
import { batchTreeOf, isMorphed, morphedMesh, treesOf } from './geometry-tree.ts';
import { type MeshOfOptions, mustBeSceneOptions, posedCoordinates } from './mesh-of.ts';
import { isFlat, Placement, stretched } from './placement.ts';
import {
  batchedInstances,
  batchInternals,
  isBatch,
  isInstanced,
  isSkinned,
  isTriangles,
  updateMatrices,
  updateWorldMatrix,
  visitVisible,
} from './scene.ts';
import { LiveSkin } from './skins.ts';

/**
 * What stands for the triangles of an object: all of them ('mesh'), their convex hull ('hull'), or the box around them, turned
 * with the object ('box').
 */
export type ShapeChoice = 'mesh' | 'hull' | 'box';

/** A collider that stands where an object of a scene stands. */
export interface ObjectCollider extends Collider {
  readonly object: Object3D;
  /** Of an `InstancedMesh`. */
  readonly instanceId: number | undefined;
  /** Of a `BatchedMesh`. */
  readonly batchId: number | undefined;
}

/**
 * A collider that follows an object: whenever it is read, its pose is that of the object in the world, parents included.
 * Whoever moves the object, or anything above it, moves the collider; the world matrices are updated on the way.
 *
 * The scale of the object, and of its parents, goes into the shape, exactly, and is noticed when it changes. A sphere that is
 * scaled along one axis becomes an ellipsoid, and so on: see `scaled`. Where rotated objects have parents that are scaled
 * unevenly, shapes are sheared: boxes become hulls, round shapes `convex` ones. A scale of 0 is refused.
 *
 * @param shape a shape in the space of the object, before its scale; or what is to stand for its own triangles, which are
 * shared with all objects that have the same geometry. Default: 'mesh'.
 *
 * In a world, `world.add(colliderOf(object))` follows the pose; a new scale is refused there, since the world does not read shapes
 * again: `world.change(id, { shape: collider.shape })`, or `syncWorld`, which does it all.
 *
 * A `SkinnedMesh` (and so an avatar of VRM) follows its bones, and morph targets, whenever it is read: its shape is a `skinned` one, and
 * nothing is skinned that no query comes near. Its weights are divided by their sum. With 'hull' and 'box' it is
 * taken in the pose that it has at this moment. If the draw range leaves out triangles at its beginning, numbers of triangles are
 * counted from the first that is drawn.
 */
export function colliderOf(object: Object3D, shape: Shape | ShapeChoice = 'mesh'): ObjectCollider {
  if (!isObject(object)) refuseType('colliderOf', 'object', 'an Object3D of three.js', object);
  mustBeChoice('colliderOf', 'shape', shape);
  if (isInstanced(object) || isBatch(object))
    refuse(
      'colliderOf',
      'object',
      `has instances (${nameOf(object)}): collidersOf gives a collider for each`,
    );
  if (typeof shape === 'string' && !isTriangles(object))
    refuse(
      'colliderOf',
      'object',
      `has no triangles of its own (${nameOf(object)}): give a shape, or take collidersOf, or meshOf for one mesh of all that is below it`,
    );
  updateMatrices(object);
  const made = new LiveCollider(object, baseOf('colliderOf', object, undefined, shape));
  made.skin = skinOf('colliderOf', object, shape);
  made.read('colliderOf');
  made.readShape();
  return made;
}

export interface CollidersOfOptions extends MeshOfOptions {
  /** What stands for an object, as in `colliderOf`; null for none. Default: 'mesh'. */
  readonly shape?: Shape | ShapeChoice | ((object: Object3D) => Shape | ShapeChoice | null) | undefined;
}

/**
 * A collider for each mesh below (and including) an object, and for each instance of an `InstancedMesh` or `BatchedMesh`: as
 * `colliderOf`. Objects without triangles have one only if `options.shape` is a function that gives a shape for them. Geometries that
 * are shared have one tree.
 */
export function collidersOf(root: Object3D, options: CollidersOfOptions = {}): ObjectCollider[] {
  if (!isObject(root)) refuseType('collidersOf', 'root', 'an Object3D of three.js', root);
  mustBeSceneOptions('collidersOf', options, 'invisible filter shape');
  const { shape } = options;
  if (shape !== undefined && typeof shape !== 'function') mustBeChoice('collidersOf', 'options.shape', shape);
  updateMatrices(root);
  const all: LiveCollider[] = [];
  visitVisible(root, options, (object) => {
    for (const one of livesOf('collidersOf', object, shape)) {
      one.read('collidersOf');
      one.readShape();
      all.push(one);
    }
  });
  return all;
}

/** The colliders of one object: none, one, or one for each instance. @internal */
export function* livesOf(
  caller: string,
  object: Object3D,
  shape: CollidersOfOptions['shape'],
): Generator<LiveCollider> {
  const isOwn = typeof shape === 'function';
  if (!isTriangles(object) && !isOwn) return;
  const choice = isOwn ? shape(object) : (shape ?? 'mesh');
  if (choice === null) return;
  mustBeChoice(caller, 'options.shape', choice);
  if (!isTriangles(object)) {
    if (typeof choice === 'string')
      refuse(caller, 'options.shape', `must give a shape for what has no triangles: ${nameOf(object)}`);
    yield new LiveCollider(object, () => choice);
  } else if (isBatch(object)) {
    for (const { batchId } of batchedInstances(caller, object))
      yield new LiveCollider(object, baseOf(caller, object, batchId, choice), undefined, batchId);
  } else {
    if (typeof choice === 'string') {
      positionsOf(caller, `the geometry of ${nameOf(object)}`, object.geometry);
      const { start, end } = drawnCorners(object.geometry);
      if (end <= start) return; // nothing is drawn
    }
    const base = baseOf(caller, object, undefined, choice);
    const instances = isInstanced(object) ? object.count : 1;
    for (let i = 0; i < instances; i++) {
      const live = new LiveCollider(object, base, isInstanced(object) ? i : undefined);
      live.ofTriangles = typeof choice === 'string';
      live.skin = skinOf(caller, object, choice);
      yield live;
    }
  }
}

/** What follows the bones, if that is what stands for an object. */
const skinOf = (caller: string, object: Object3D, choice: Shape | ShapeChoice): LiveSkin | null =>
  choice === 'mesh' && isSkinned(object) ? new LiveSkin(caller, object) : null;

function mustBeChoice(caller: string, name: string, shape: unknown): void {
  if (isShape(shape) || shape === 'mesh' || shape === 'hull' || shape === 'box') return;
  refuseType(caller, name, "a shape, 'mesh', 'hull' or 'box'", shape);
}

/** Gives the shape of an object before its scale: the same one until the geometry changes. */
function baseOf(
  caller: string,
  object: Object3D,
  batchId: number | undefined,
  choice: Shape | ShapeChoice,
): () => Shape {
  if (typeof choice !== 'string') return () => choice;
  if (choice === 'mesh' && isSkinned(object)) return () => refuse(caller, nameOf(object), 'has no triangles');
  const mesh = meshReader(caller, object as ThreeMesh, batchId);
  return () => chosen(mesh(), choice);
}

/** Gives the triangles of an object, in its own space. */
function meshReader(caller: string, object: ThreeMesh, batchId: number | undefined): () => Mesh {
  const name = `the geometry of ${nameOf(object)}`;
  const some = (mesh: Mesh | null): Mesh => mesh ?? refuse(caller, name, 'has no triangles');
  if (isSkinned(object)) {
    const base = treesOf(object.geometry).all(caller, name, object.geometry);
    some(base.mesh);
    const posed = buildMesh(posedCoordinates(object), base.corners);
    return () => posed;
  }
  if (batchId !== undefined) {
    const batch = object as BatchedMesh;
    return () => {
      const { _instanceInfo: infos } = batchInternals(caller, batch);
      return some(batchTreeOf(caller, batch, infos[batchId]!.geometryIndex).mesh);
    };
  }
  return () => {
    const { geometry } = object;
    positionsOf(caller, name, geometry);
    const tree = treesOf(geometry).all(caller, name, geometry);
    return isMorphed(object) ? morphedMesh(object, tree) : some(tree.mesh);
  };
}

/** Hulls and boxes of meshes. */
const choices = /* @__PURE__ */ new WeakMap<Mesh, Map<ShapeChoice, Shape>>();

function chosen(mesh: Mesh, choice: ShapeChoice): Shape {
  if (choice === 'mesh') return asShape(mesh);
  let known = choices.get(mesh);
  if (!known) {
    known = new Map();
    choices.set(mesh, known);
  }
  const old = known.get(choice);
  if (old) return old;
  const made = choice === 'hull' ? hull(mesh) : boxAround(mesh);
  known.set(choice, made);
  return made;
}

function boxAround({ bounds: { min, max } }: Mesh): Shape {
  const shape = box((max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2);
  const position = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 };
  if (position.x === 0 && position.y === 0 && position.z === 0) return shape;
  return compound([{ shape, pose: { ...makePose(), position } }]);
}

const matrix = /* @__PURE__ */ new Matrix4();

/** @internal */
export class LiveCollider implements ObjectCollider {
  readonly object: Object3D;
  readonly instanceId: number | undefined;
  readonly batchId: number | undefined;
  readonly pose: ReadonlyPose = new LivePose(this);
  /** @internal */
  readonly placement = new Placement();
  private readonly base: () => Shape;
  /** Is its shape made of the triangles of the object? @internal */
  ofTriangles = false;
  /** What follows the bones of a skinned mesh. @internal */
  skin: LiveSkin | null = null;
  /** The pose of a skinned mesh that a world was last told of. @internal */
  frame = -1;
  private lastBase: Shape | null = null;
  /** What `readShape` gave last. @internal */
  lastShape: Shape | null = null;
  /** The stretch that `lastShape` has. */
  private lastStretch = -1;

  constructor(object: Object3D, base: () => Shape, instanceId?: number, batchId?: number) {
    this.object = object;
    this.base = base;
    this.instanceId = instanceId;
    this.batchId = batchId;
  }

  /** The shape, scaled as the object is now. */
  get shape(): Shape {
    this.update('ObjectCollider.shape');
    return this.readShape();
  }

  /** The shape before any scale. @internal */
  readBase(): Shape {
    return this.base();
  }

  /** What `readShape` was last made from. @internal */
  get lastRead(): Shape | null {
    return this.lastBase;
  }

  /** The shape for the placement that was read last. @internal */
  readShape(base?: Shape): Shape {
    if (this.skin) {
      // The stretch is in the matrices of the joints.
      this.lastShape = this.skin.readPlaced(this.placement) ?? this.base();
      return this.lastShape;
    }
    return this.readStretched(base ?? this.base());
  }

  private readStretched(base: Shape): Shape {
    const { stretchVersion } = this.placement;
    if (this.lastShape && this.lastBase === base && this.lastStretch === stretchVersion)
      return this.lastShape;
    this.lastBase = base;
    this.lastStretch = stretchVersion;
    this.lastShape = stretched(base, this.placement);
    return this.lastShape;
  }

  /** Brings the world matrices of the object up to date, and reads them. @internal */
  update(caller: string): void {
    updateWorldMatrix(this.object);
    this.read(caller);
  }

  /** Has it triangles to stand for, and a world matrix with a volume? Not with a scale of 0 somewhere. @internal */
  isSolid(caller: string): boolean {
    return this.isDrawn() && !isFlat(this.loadMatrix(caller).elements);
  }

  /** Is any of its triangles drawn, if those are its shape? @internal */
  isDrawn(): boolean {
    if (!this.ofTriangles || this.batchId !== undefined) return true;
    const { start, end } = drawnCorners((this.object as ThreeMesh).geometry);
    return end > start;
  }

  /** Reads the world matrix as it is. Returns whether it was another than the last. @internal */
  read(caller: string): boolean {
    const { object, instanceId, batchId } = this;
    const { elements } = this.loadMatrix(caller);
    if (instanceId === undefined && batchId === undefined)
      return this.placement.set(caller, nameOf(object), elements);
    return this.placement.set(caller, `instance ${instanceId ?? batchId} of ${nameOf(object)}`, elements);
  }

  /** The world matrix as it is; of an instance in `matrix`. */
  private loadMatrix(caller: string): Matrix4 {
    const { object, instanceId, batchId } = this;
    if (instanceId !== undefined) (object as InstancedMesh).getMatrixAt(instanceId, matrix);
    else if (batchId !== undefined) {
      batchInternals(caller, object as BatchedMesh);
      (object as BatchedMesh).getMatrixAt(batchId, matrix);
    } else return object.matrixWorld;
    return matrix.premultiply(object.matrixWorld);
  }

  /** Refuses a scale that the shape which was given away does not have. @internal */
  mustBeOfShape(caller: string): void {
    const { lastStretch, placement } = this;
    if (lastStretch >= 0 && lastStretch !== placement.stretchVersion)
      refuse(
        caller,
        nameOf(this.object),
        'has another scale than when its shape was last read: let syncWorld keep it in a world, or tell the world by ' +
          'world.change(id, { shape: collider.shape })',
      );
  }
}

/** The pose of an object in the world, read anew each time. */
class LivePose implements ReadonlyPose {
  private readonly owner: LiveCollider;

  constructor(owner: LiveCollider) {
    this.owner = owner;
  }

  get position(): ReadonlyVec3 {
    return this.read().position;
  }

  get quaternion(): ReadonlyQuat {
    return this.read().quaternion;
  }

  private read(): { readonly position: Vec3; readonly quaternion: Quat } {
    const { owner } = this;
    owner.update('ObjectCollider.pose');
    if (owner.skin) owner.readShape();
    owner.mustBeOfShape('ObjectCollider.pose');
    return owner.placement.pose;
  }
}
