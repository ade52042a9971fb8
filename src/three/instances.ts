/** The instances of an `InstancedMesh` or a `BatchedMesh`, in a tree: a ray meets few of many. */
import type { BatchedMesh, InstancedMesh, Intersection, Matrix4, Raycaster, Vector3 } from 'three';
import { Matrix4 as Matrix, Ray, Vector3 as Vector } from 'three';
import { refuse } from '../math/check.ts';
import type { Aabb } from '../primitives/types.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { type BoxTree, BoxWalk, buildBoxTree, writeMovedBox } from './box-walk.ts';
import { nameOf } from './geometry.ts';
import { batchTreeOf, type GeometryTree, treesOf } from './geometry-tree.ts';
import { intersectTarget, type Target } from './intersections.ts';
import { batchInternals, isBatch } from './scene.ts';

const local = /* @__PURE__ */ new Ray();
const along = /* @__PURE__ */ new Vector();
const walk = /* @__PURE__ */ new BoxWalk();

/** The boxes of instances in the space of their object, kept up to date. @internal */
export class InstanceTree {
  private readonly object: InstancedMesh | BatchedMesh;
  private readonly target: MutableTarget;
  private boxes: BoxTree | null = null;
  // What the tree was made from.
  private version = -1;
  private count = -1;
  private matrices: unknown = null;
  private tree: GeometryTree | null = null;
  /** Set when an instance of a batch gets another geometry. */
  isStale = false;

  constructor(object: InstancedMesh | BatchedMesh) {
    this.object = object;
    this.target = {
      object,
      mesh: null as unknown as Mesh,
      triangles: null as unknown as GeometryTree,
      matrix: new Matrix(),
      inverse: new Matrix(),
    };
  }

  /** The box around all instances, in the space of the object. */
  bounds(): Aabb | null {
    if (!this.refresh()) return null;
    const [x, y, z, dx, dy, dz] = this.boxes!.tree.grid as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const steps = 65536;
    return { min: { x, y, z }, max: { x: x + steps * dx, y: y + steps * dy, z: z + steps * dz } };
  }

  /** As `raycast` of the object. */
  raycast(raycaster: Raycaster, intersects: Intersection[], far: number, inverse: Matrix4): void {
    const { object } = this;
    if (object.material === undefined) return;
    // three.js gives the geometries of a batch no groups: with a list of materials nothing of it is hit.
    if (isBatch(object) && Array.isArray(object.material)) return;
    if (!this.refresh()) return;
    local.copy(raycaster.ray).applyMatrix4(inverse);
    // Not of length 1: times are those of the ray in the world.
    linear(inverse, raycaster.ray.direction, along);
    const length = raycaster.ray.direction.length();
    const { firstHitOnly } = raycaster;
    const begin = intersects.length;
    let best = far;
    walk.start(this.boxes!, local.origin, along);
    for (let i = walk.next(best / length); i >= 0; i = walk.next((best / length) * LATE)) {
      if (!this.loadTarget(i)) continue;
      const before = intersects.length;
      intersectTarget(this.target, raycaster, best, intersects);
      for (let k = before; k < intersects.length; k++) {
        if (isBatch(object)) intersects[k]!.batchId = i;
        else intersects[k]!.instanceId = i;
      }
      if (firstHitOnly && intersects.length > before) best = keepNearest(intersects, begin, isBatch(object));
    }
    if (!firstHitOnly) sortTail(intersects, begin, isBatch(object));
  }

  /** Makes the tree anew if that is due. Returns whether there is one. */
  refresh(): boolean {
    const { object } = this;
    return isBatch(object) ? this.refreshBatch(object) : this.refreshInstances(object);
  }

  private refreshInstances(object: InstancedMesh): boolean {
    const { geometry, instanceMatrix, count } = object;
    const trees = treesOf(geometry);
    const name = `the geometry of ${nameOf(object)}`;
    const tree = Array.isArray(object.material)
      ? trees.ofGroups('accelerate', name, geometry)
      : trees.all('accelerate', name, geometry);
    const isSame =
      tree === this.tree &&
      instanceMatrix === this.matrices &&
      instanceMatrix.version === this.version &&
      count === this.count;
    if (isSame) return this.boxes !== null;
    this.tree = tree;
    this.matrices = instanceMatrix;
    this.version = instanceMatrix.version;
    this.count = -1; // if an instance is refused, so is the next ray
    this.boxes = this.boxesOfInstances(object);
    this.count = count;
    return this.boxes !== null;
  }

  private boxesOfInstances(object: InstancedMesh): BoxTree | null {
    const { instanceMatrix, count } = object;
    const { mesh } = this.tree!;
    if (!mesh || count === 0) return null;
    this.target.mesh = mesh;
    this.target.triangles = this.tree!;
    const boxes = new Float64Array(6 * count);
    for (let i = 0; i < count; i++)
      boxOf(object, i, { bounds: mesh.bounds, elements: instanceMatrix.array, at: 16 * i }, boxes);
    return buildBoxTree(boxes);
  }

  private refreshBatch(object: BatchedMesh): boolean {
    const { _instanceInfo: infos, _matricesTexture: texture } = batchInternals('accelerate', object);
    const first = infos.length > 0 ? batchTreeOf('accelerate', object, infos[0]!.geometryIndex) : null;
    const isSame =
      !this.isStale &&
      first === this.tree &&
      texture === this.matrices &&
      texture!.version === this.version &&
      infos.length === this.count;
    if (isSame) return this.boxes !== null;
    this.isStale = false;
    this.tree = first;
    this.matrices = texture;
    this.version = texture!.version;
    this.count = -1;
    this.boxes = this.boxesOfBatch(object);
    this.count = infos.length;
    return this.boxes !== null;
  }

  private boxesOfBatch(object: BatchedMesh): BoxTree | null {
    const { _instanceInfo: infos } = batchInternals('accelerate', object);
    if (infos.length === 0) return null;
    const boxes = new Float64Array(6 * infos.length);
    for (let i = 0; i < infos.length; i++) {
      if (!infos[i]!.active) continue;
      const { mesh } = batchTreeOf('accelerate', object, infos[i]!.geometryIndex);
      object.getMatrixAt(i, this.target.matrix);
      if (mesh)
        boxOf(object, i, { bounds: mesh.bounds, elements: this.target.matrix.elements, at: 0 }, boxes);
    }
    return buildBoxTree(boxes);
  }

  /** Sets the target to an instance. Returns whether it can be hit. */
  private loadTarget(i: number): boolean {
    const { object, target } = this;
    if (isBatch(object)) {
      const { visible, active, geometryIndex } = batchInternals('accelerate', object)._instanceInfo[i]!;
      if (!visible || !active) return false;
      const tree = batchTreeOf('accelerate', object, geometryIndex);
      if (!tree.mesh) return false;
      target.mesh = tree.mesh;
      target.triangles = tree;
      object.getMatrixAt(i, target.matrix);
    } else object.getMatrixAt(i, target.matrix);
    target.matrix.premultiply(object.matrixWorld);
    target.inverse.copy(target.matrix).invert();
    // Made flat by a scale of 0, as instances are hidden: its inverse is zero.
    return target.inverse.elements[15] !== 0;
  }
}

interface MutableTarget extends Target {
  mesh: Mesh;
  triangles: GeometryTree;
}

/** For rounding in times: far more than there is. */
const LATE = 1 + 1e-9;

/** The box of an instance in the space of its object. */
function boxOf(object: InstancedMesh | BatchedMesh, i: number, moved: Moved, boxes: Float64Array): void {
  writeMovedBox(moved.bounds, moved.elements, moved.at, boxes, 6 * i);
  for (let k = 0; k < 6; k++)
    if (!(Math.abs(boxes[6 * i + k]!) < Infinity))
      refuse(
        'accelerate',
        `instance ${i} of ${nameOf(object)}`,
        'has a matrix that is not finite: set it by setMatrixAt',
      );
}

/** A box, and the matrix that moves it, in a list of numbers. */
interface Moved {
  readonly bounds: Readonly<Aabb>;
  readonly elements: ArrayLike<number>;
  readonly at: number;
}

/** A direction by a matrix. */
function linear({ elements: e }: Matrix4, { x, y, z }: Vector3, out: Vector3): void {
  out.x = e[0]! * x + e[4]! * y + e[8]! * z;
  out.y = e[1]! * x + e[5]! * y + e[9]! * z;
  out.z = e[2]! * x + e[6]! * y + e[10]! * z;
}

const numberOf = (intersection: Intersection, inBatch: boolean): number =>
  (inBatch ? intersection.batchId : intersection.instanceId)!;

/** Leaves the nearest from `begin` on; of equal ones the instance with the lowest number. Returns its distance. */
function keepNearest(intersects: Intersection[], begin: number, inBatch: boolean): number {
  let best = intersects[begin]!;
  for (let k = begin + 1; k < intersects.length; k++) {
    const other = intersects[k]!;
    const isNearer =
      other.distance < best.distance ||
      (other.distance === best.distance && numberOf(other, inBatch) < numberOf(best, inBatch));
    if (isNearer) best = other;
  }
  intersects[begin] = best;
  intersects.length = begin + 1;
  return best.distance;
}

/** By the number of the instance, as three.js finds them; those of one are in order already. */
function sortTail(intersects: Intersection[], begin: number, inBatch: boolean): void {
  for (let i = begin + 1; i < intersects.length; i++) {
    const one = intersects[i]!;
    const number = numberOf(one, inBatch);
    let k = i;
    for (; k > begin && numberOf(intersects[k - 1]!, inBatch) > number; k--)
      intersects[k] = intersects[k - 1]!;
    intersects[k] = one;
  }
}
