/** `Raycaster` of three.js on our trees. */
import type { BatchedMesh, Intersection, Object3D, Raycaster, SkinnedMesh, Mesh as ThreeMesh } from 'three';
import { Matrix4 } from 'three';
import { mustBeBoolean, mustBeFunction, mustBeOptions, refuseType } from '../math/check.ts';
import type { Aabb } from '../primitives/types.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { isObject, nameOf } from './geometry.ts';
import {
  type GeometryTree,
  type GeometryTrees,
  isMorphed,
  morphedMesh,
  type TriangleSelection,
  treesOf,
} from './geometry-tree.ts';
import { InstanceTree } from './instances.ts';
import { intersectTarget, type Target } from './intersections.ts';
import { mustBePlacement } from './placement.ts';
import { isBatch, isInstanced, isSkinned, isTriangles } from './scene.ts';
import { type ObjectRay, SceneTree } from './scene-tree.ts';
import { LiveSkin } from './skins.ts';

declare module 'three' {
  interface Raycaster {
    /** With `accelerate` of graze: of each object only the nearest hit, which is quicker. Default: false. */
    firstHitOnly?: boolean;
  }
}

export interface AccelerateOptions {
  /** Build the trees with the first ray that needs them, instead of now. Default: false. */
  readonly lazy?: boolean | undefined;
  /** Objects that are added later, too. Default: true. */
  readonly later?: boolean | undefined;
  /** Which objects; the others keep three.js's own `raycast`. Default: all. */
  readonly filter?: ((object: Object3D) => boolean) | undefined;
  /**
   * A tree over the objects, too: for scenes of many. It is brought up to date when `updateMatrixWorld` of the root has run, as it does
   * with every frame that is drawn, and when objects come and go; what moves in between is where it was. `firstHitOnly` then
   * gives the nearest hit below the root alone, and the root answers for all that is below it even if it is asked with
   * `recursive` false. Default: false.
   */
  readonly sceneTree?: boolean | undefined;
}

/**
 * Makes `Raycaster` fast for all meshes below (and including) an object: `accelerate(scene)`, and everything else stays as it is.
 * `raycaster.intersectObject(s)` gives the same intersections with the same fields as before, at a fraction of the time, and
 * none slips through between two triangles. `raycaster.firstHitOnly = true` is faster still: of each object the
 * nearest hit alone. Returns a function that undoes it.
 *
 * Objects may move, be scaled and mirrored, and change their materials. Geometries may change, if `needsUpdate` of the attribute is set,
 * as for drawing; so may the matrices of instances (`instanceMatrix.needsUpdate = true`), of which there may be very many: they
 * are in a tree, too. Morph targets are followed. So are the bones of a `SkinnedMesh`: of it only what a ray comes near is skinned, and it is hit wherever it is drawn
 * (three.js itself looks at a bounding sphere first, which stays where it was when the first ray came). Objects with a `raycast` of
 * their own keep that, and so do skinned meshes whose weights do not sum to 1 at each vertex.
 * As with three.js, what counts is the world matrix as it was last updated.
 *
 * Refuses geometries with coordinates that are not finite, now or when a tree is built.
 */
export function accelerate(root: Object3D, options: AccelerateOptions = {}): () => void {
  if (!isObject(root)) refuseType('accelerate', 'root', 'an Object3D of three.js', root);
  mustBeOptions('accelerate', 'options', options, 'lazy later filter sceneTree');
  const { lazy = false, later = true, filter, sceneTree = false } = options;
  mustBeBoolean('accelerate', 'options.lazy', lazy);
  mustBeBoolean('accelerate', 'options.later', later);
  mustBeBoolean('accelerate', 'options.sceneTree', sceneTree);
  if (filter !== undefined) mustBeFunction('accelerate', 'options.filter', filter);
  const own = new Set<Object3D>();
  // A root with a `raycast` of its own answers for itself.
  const isUsual = isPlain(root) || hasStandardRaycast(root);
  const scene =
    sceneTree && isUsual
      ? new SceneTree(root, (object) =>
          own.has(object) ? taken.get(object)!.ray : object === root || isPlain(object) ? 'none' : 'own',
        )
      : null;
  const heard = new Set<Object3D>();

  const add = (object: Object3D): void => {
    if ((later || scene) && !heard.has(object)) {
      heard.add(object);
      object.addEventListener('childadded', onAdded);
      object.addEventListener('childremoved', onRemoved);
    }
    if (!own.has(object) && hasStandardRaycast(object) && (filter === undefined || filter(object))) {
      take(object, lazy); // or refuse it
      own.add(object);
    }
    for (const child of object.children) add(child);
  };
  const drop = (object: Object3D): void => {
    object.removeEventListener('childadded', onAdded);
    object.removeEventListener('childremoved', onRemoved);
    heard.delete(object);
    if (own.delete(object)) giveBack(object);
  };
  const onAdded = ({ child }: { child: Object3D }): void => {
    if (scene) scene.isStale = true;
    if (later) add(child);
  };
  const onRemoved = ({ child }: { child: Object3D }): void => {
    if (scene) scene.isStale = true;
    child.traverse(drop);
  };
  let release = (): void => {};

  try {
    add(root);
    if (scene) release = takeScene(root, scene);
  } catch (error) {
    undo();
    throw error;
  }
  return undo;

  function undo(): void {
    release();
    release = () => {};
    for (const object of [...heard, ...own]) drop(object);
  }
}

/** Lets an object answer for all that is below it. Returns what undoes that. */
function takeScene(root: Object3D, scene: SceneTree): () => void {
  const before = Object.hasOwn(root, 'raycast') ? root.raycast : null;
  const update = Object.hasOwn(root, 'updateMatrixWorld') ? root.updateMatrixWorld : null;
  root.raycast = (raycaster, intersects) => {
    scene.raycast(raycaster, intersects);
    return false as unknown as undefined; // `Raycaster` goes no farther
  };
  const inherited = root.updateMatrixWorld;
  root.updateMatrixWorld = (force) => {
    scene.isStale = true;
    inherited.call(root, force);
  };
  return () => {
    if (before) root.raycast = before;
    else delete (root as Partial<Object3D>).raycast;
    if (update) root.updateMatrixWorld = update;
    else delete (root as Partial<Object3D>).updateMatrixWorld;
  };
}

/** Has it the `raycast` of `Object3D`, which does nothing? */
function isPlain(object: Object3D): boolean {
  const owner = ownerOf(object, 'raycast');
  return (
    owner !== null && Object.hasOwn(owner, 'traverseVisible') && Object.hasOwn(owner, 'updateWorldMatrix')
  );
}

/** The object, or the prototype of it, that has a property. */
function ownerOf(object: object, key: string): object | null {
  let owner: object | null = object;
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner;
}

/** What takes the place of `raycast`, and for how many calls of `accelerate`. */
interface Taken {
  count: number;
  readonly ray: ObjectRay;
  readonly setGeometryIdAt: boolean;
}

const taken = /* @__PURE__ */ new WeakMap<Object3D, Taken>();

/**
 * Has it the `raycast` of three.js, or ours? By the methods that stand beside it: there may be two copies of three.js in a
 * bundle. An object, or a class of a user, that has its own keeps it.
 */
function hasStandardRaycast(object: Object3D): object is ThreeMesh {
  if (!isTriangles(object)) return false;
  if (taken.has(object)) return true;
  const beside = isBatch(object)
    ? 'addInstance'
    : isInstanced(object)
      ? 'setMorphAt'
      : isSkinned(object)
        ? 'applyBoneTransform'
        : '_computeIntersections';
  const owner = ownerOf(object, 'raycast');
  return owner !== null && owner !== object && Object.hasOwn(owner, beside);
}

function take(object: ThreeMesh, lazy: boolean): void {
  const known = taken.get(object);
  if (known) {
    known.count++;
    return;
  }
  const ray = rayOf(object);
  if (!lazy) ray.prepare();
  object.raycast = (raycaster, intersects) => ray.cast(raycaster, intersects, raycaster.far);
  if (ray instanceof InstanceRay && isBatch(object)) watchGeometryIds(object, ray);
  taken.set(object, { count: 1, ray, setGeometryIdAt: isBatch(object) });
}

function rayOf(object: ThreeMesh): MeshRay | InstanceRay | SkinnedRay {
  if (isBatch(object) || isInstanced(object)) return new InstanceRay(object);
  return isSkinned(object) ? new SkinnedRay(object) : new MeshRay(object);
}

/** The only change of a batch that leaves no trace in a version. */
function watchGeometryIds(object: BatchedMesh, ray: InstanceRay): void {
  const { setGeometryIdAt } = object;
  if (!setGeometryIdAt) return;
  object.setGeometryIdAt = (instanceId: number, geometryId: number) => {
    ray.instances.isStale = true;
    return setGeometryIdAt.call(object, instanceId, geometryId);
  };
}

function giveBack(object: Object3D): void {
  const known = taken.get(object)!;
  if (--known.count > 0) return;
  taken.delete(object);
  delete (object as Partial<Object3D>).raycast;
  if (known.setGeometryIdAt) delete (object as Partial<BatchedMesh>).setGeometryIdAt;
}

/** Where an object stands: the inverse of its world matrix, as long as that is the same. */
class Frame {
  readonly inverse = new Matrix4();
  /** Can it be hit? What is flat by a scale of 0 cannot. */
  isSolid = false;
  private readonly last = new Float64Array(16).fill(Number.NaN);

  update(object: Object3D): void {
    const { last } = this;
    const { elements } = object.matrixWorld;
    let same = true;
    for (let i = 0; i < 16; i++) same = same && last[i] === elements[i];
    if (same) return;
    last.fill(Number.NaN);
    mustBePlacement('accelerate', nameOf(object), elements);
    this.inverse.copy(object.matrixWorld).invert();
    this.isSolid = this.inverse.elements[15] !== 0;
    last.set(elements);
  }
}

class MeshRay implements Target, ObjectRay {
  readonly object: ThreeMesh;
  mesh!: Mesh;
  triangles!: GeometryTree;
  private readonly frame = new Frame();
  private geometry: ThreeMesh['geometry'];
  private trees: GeometryTrees;

  constructor(object: ThreeMesh) {
    this.object = object;
    this.geometry = object.geometry;
    this.trees = treesOf(object.geometry);
  }

  get matrix(): Matrix4 {
    return this.object.matrixWorld;
  }

  get inverse(): Matrix4 {
    return this.frame.inverse;
  }

  /** Sees to it that there is a tree for what the object is now. Returns whether it has triangles. */
  prepare(): boolean {
    const { object } = this;
    const { geometry, material } = object;
    if (geometry !== this.geometry) {
      this.geometry = geometry;
      this.trees = treesOf(geometry);
    }
    const tree = Array.isArray(material)
      ? this.trees.ofGroups('accelerate', NAME, geometry)
      : this.trees.all('accelerate', NAME, geometry);
    if (!tree.mesh) return false;
    this.triangles = tree;
    this.mesh = isMorphed(object) ? morphedMesh(object, tree) : tree.mesh;
    return true;
  }

  bounds(): Readonly<Aabb> | null {
    return this.prepare() ? this.mesh.bounds : null;
  }

  cast(raycaster: Raycaster, intersects: Intersection[], far: number): void {
    if (!this.prepare()) return;
    this.frame.update(this.object);
    if (this.frame.isSolid) intersectTarget(this, raycaster, far, intersects);
  }
}
const NAME = 'the geometry';

class SkinnedRay implements Target, ObjectRay {
  readonly object: SkinnedMesh;
  mesh!: Mesh;
  private readonly skin: LiveSkin;
  private readonly frame = new Frame();

  constructor(object: SkinnedMesh) {
    this.object = object;
    this.skin = new LiveSkin('accelerate', object);
  }

  get matrix(): Matrix4 {
    return this.object.matrixWorld;
  }

  get inverse(): Matrix4 {
    return this.frame.inverse;
  }

  get triangles(): TriangleSelection {
    return this.skin.triangles;
  }

  /** As its bones are now. Returns whether it has triangles. */
  prepare(): boolean {
    const { object } = this;
    if (!object.skeleton) return false; // as three.js, until it is bound
    const shape = this.skin.readLocal(Array.isArray(object.material));
    if (!shape) return false;
    this.mesh = shape.state.mesh;
    return true;
  }

  bounds(): Readonly<Aabb> | null {
    return this.prepare() ? this.mesh.bounds : null;
  }

  cast(raycaster: Raycaster, intersects: Intersection[], far: number): void {
    this.frame.update(this.object);
    if (!this.frame.isSolid || !this.prepare()) return;
    if (this.skin.isUnit) intersectTarget(this, raycaster, far, intersects);
    else Object.getPrototypeOf(this.object).raycast.call(this.object, raycaster, intersects);
  }
}

class InstanceRay implements ObjectRay {
  readonly instances: InstanceTree;
  readonly object: ThreeMesh;
  private readonly frame = new Frame();

  constructor(object: ConstructorParameters<typeof InstanceTree>[0]) {
    this.object = object;
    this.instances = new InstanceTree(object);
  }

  prepare(): void {
    this.instances.refresh();
  }

  bounds(): Readonly<Aabb> | null {
    return this.instances.bounds();
  }

  cast(raycaster: Raycaster, intersects: Intersection[], far: number): void {
    this.frame.update(this.object);
    if (this.frame.isSolid) this.instances.raycast(raycaster, intersects, far, this.frame.inverse);
  }
}
