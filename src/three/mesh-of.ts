/** Geometries and scenes of three.js as meshes. */
import type {
  BatchedMesh,
  BufferGeometry,
  InstancedMesh,
  Object3D,
  SkinnedMesh,
  Mesh as ThreeMesh,
} from 'three';
import { Matrix4, Vector3 } from 'three';
import {
  mustBeBoolean,
  mustBeFunction,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import type { Triangles } from '../mesh/triangles.ts';
import { mesh as asShape } from '../shapes/mesh.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import {
  type Attribute,
  drawnCorners,
  isGeometry,
  isObject,
  mustBeGeometryOrObject,
  nameOf,
  positionsOf,
  readCoordinates,
  readMorphed,
  triangleCountOf,
  vertexAt,
} from './geometry.ts';
import { explained, groupAt, isMorphed, treesOf } from './geometry-tree.ts';
import {
  batchedInstances,
  isBatch,
  isInstanced,
  isSkinned,
  isTriangles,
  updateMatrices,
  visitVisible,
} from './scene.ts';

export interface MeshOfOptions {
  /** Take what is not visible, too. Default: false. */
  readonly invisible?: boolean | undefined;
  /** Which objects to take. One that is left out does not leave out what is below it. Default: all. */
  readonly filter?: ((object: Object3D) => boolean) | undefined;
}

/** Where a triangle of a mesh comes from: as the intersections of `Raycaster` say it. */
export interface TriangleSource {
  /** The object; null if the mesh was made of a geometry. */
  readonly object: Object3D | null;
  readonly geometry: BufferGeometry;
  readonly faceIndex: number;
  /** Of an `InstancedMesh`. */
  readonly instanceId: number | undefined;
  /** Of a `BatchedMesh`. */
  readonly batchId: number | undefined;
  /** The first group of the geometry that the triangle is in. */
  readonly group: BufferGeometry['groups'][number] | undefined;
  /** The material of that group; 0 without groups. */
  readonly materialIndex: number;
}

/**
 * The triangles of a geometry, or of everything below (and including) an object, as a mesh of graze: a shape, with its tree.
 *
 * **Of a geometry** (`meshOf(geometry)`): in its own space. Indexed or not, interleaved, normalised and quantised attributes; the
 * draw range counts, groups do not. The number of a triangle is the `faceIndex` of three.js. The mesh is built once for a
 * geometry, and again when `needsUpdate` of an attribute was set, or the draw range was changed; until then it is the same
 * object. Released when the geometry is disposed of.
 *
 * **Of an object** (`meshOf(gltf.scene)`): one mesh of all triangles in world space, where they are now. Parents, scale and
 * mirrored objects are taken into account (mirrored triangles are reversed, so that they still are counter-clockwise
 * from outside), `InstancedMesh` and `BatchedMesh` with all their instances, morph targets and skinned meshes in their present
 * pose. Lines and points have no triangles. Updates the world matrices first. `sourceOf` leads from the number of a triangle back to
 * the object. A new mesh with each call. O(n log n).
 *
 * Refuses geometries without positions, what has no triangles at all, and coordinates that are not finite.
 */
export function meshOf(source: BufferGeometry | Object3D, options: MeshOfOptions = {}): Mesh {
  mustBeGeometryOrObject('meshOf', source);
  mustBeSceneOptions('meshOf', options, 'invisible filter');
  if (isGeometry(source)) {
    positionsOf('meshOf', 'source', source);
    const { mesh } = treesOf(source).all('meshOf', 'source', source);
    if (!mesh) refuse('meshOf', 'source', `has no triangles (${nameOf(source)})`);
    origins.set(mesh, { geometry: source, phase: source.drawRange.start % 3 });
    return asShape(mesh);
  }
  const soup = gather('meshOf', source, options);
  const { positions, index } = soup.toArrays();
  const mesh = explained('meshOf', nameOf(source), () => asShape(positions, index));
  origins.set(mesh, soup.parts);
  return mesh;
}

/**
 * The triangles of an object, and of everything below it, as arrays in world space: what `inspect`, `repair` and `QueryWorkers` take. They
 * have the numbers that they have in `meshOf`, and are as they are: coordinates that are not finite among them.
 */
export function trianglesOf(source: Object3D, options: MeshOfOptions = {}): Triangles {
  if (!isObject(source)) refuseType('trianglesOf', 'source', 'an Object3D of three.js', source);
  mustBeSceneOptions('trianglesOf', options, 'invisible filter');
  return gather('trianglesOf', source, options).toArrays();
}

function gather(caller: string, source: Object3D, options: MeshOfOptions): Soup {
  updateMatrices(source);
  const soup = new Soup(caller);
  visitVisible(source, options, (object) => soup.addObject(object));
  if (soup.parts.length === 0) refuse(caller, 'source', `has no triangles that count (${nameOf(source)})`);
  return soup;
}

/** Checks options that say which objects of a scene count. @internal */
export function mustBeSceneOptions(caller: string, options: MeshOfOptions, known: string): void {
  mustBeOptions(caller, 'options', options, known);
  if (options.invisible !== undefined) mustBeBoolean(caller, 'options.invisible', options.invisible);
  if (options.filter !== undefined) mustBeFunction(caller, 'options.filter', options.filter);
}

/** The triangles of one object or instance in a mesh. */
interface Part {
  readonly object: Object3D;
  readonly geometry: BufferGeometry;
  readonly instanceId: number | undefined;
  readonly batchId: number | undefined;
  /** The first triangle of the mesh, and the corner of the geometry that it begins at. */
  readonly first: number;
  readonly corner: number;
}

interface OfGeometry {
  readonly geometry: BufferGeometry;
  readonly phase: number;
}

/** Where the triangles of a mesh come from. */
const origins = /* @__PURE__ */ new WeakMap<Mesh, readonly Part[] | OfGeometry>();

/** Where a triangle of a mesh that `meshOf` has made comes from. O(log n) of the number of objects. */
export function sourceOf(mesh: Mesh, triangle: number): TriangleSource {
  mustHave('sourceOf', 'mesh', mesh, 'a mesh', 'tree');
  mustBeWhole('sourceOf', 'triangle', triangle, 0, mesh.givenCount - 1);
  const origin = origins.get(mesh);
  if (!origin) refuse('sourceOf', 'mesh', 'was not made by meshOf');
  if ('geometry' in origin) {
    const { geometry, phase } = origin;
    return sourceAt(
      { object: null, geometry, instanceId: undefined, batchId: undefined },
      3 * triangle + phase,
    );
  }
  const parts = origin as readonly Part[];
  let low = 0;
  let high = parts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.first <= triangle) low = middle;
    else high = middle;
  }
  const part = parts[low]!;
  return sourceAt(part, part.corner + 3 * (triangle - part.first));
}

function sourceAt(
  {
    object,
    geometry,
    instanceId,
    batchId,
  }: Pick<TriangleSource, 'object' | 'geometry' | 'instanceId' | 'batchId'>,
  corner: number,
): TriangleSource {
  const group = geometry.groups[groupAt(geometry, corner)];
  const materialIndex = group?.materialIndex ?? 0;
  return { object, geometry, faceIndex: Math.floor(corner / 3), instanceId, batchId, group, materialIndex };
}

const matrix = /* @__PURE__ */ new Matrix4();
const vertex = /* @__PURE__ */ new Vector3();

/** Triangles of many objects in world space, with the vertices that they use. */
class Soup {
  readonly positions: number[] = [];
  readonly index: number[] = [];
  readonly parts: Part[] = [];
  /** For each vertex of the geometry at hand its number here, if `stamps` says that it has one. */
  private numbers = new Uint32Array(0);
  private stamps = new Uint32Array(0);
  private stamp = 0;
  private readonly caller: string;

  constructor(caller: string) {
    this.caller = caller;
  }

  toArrays(): Triangles {
    return { positions: Float64Array.from(this.positions), index: Uint32Array.from(this.index) };
  }

  addObject(object: Object3D): void {
    if (!isTriangles(object)) return;
    const { geometry } = object;
    positionsOf(this.caller, `the geometry of ${nameOf(object)}`, geometry);
    if (isBatch(object)) this.addBatch(object);
    else if (isInstanced(object)) this.addInstances(object);
    else {
      const local = isSkinned(object)
        ? posedCoordinates(object)
        : isMorphed(object)
          ? readMorphed(geometry, object.morphTargetInfluences!)
          : readCoordinates(geometry.attributes['position'] as Attribute);
      this.addTriangles(object, local, object.matrixWorld, {});
    }
  }

  private addInstances(object: InstancedMesh): void {
    const { geometry, morphTexture } = object;
    const targets = geometry.morphAttributes['position'];
    const pose = { morphTargetInfluences: targets ? targets.map(() => 0) : [] };
    let local: Float32Array | Float64Array = readCoordinates(geometry.attributes['position'] as Attribute);
    for (let i = 0; i < object.count; i++) {
      object.getMatrixAt(i, matrix);
      if (morphTexture && targets) {
        object.getMorphAt(i, pose as unknown as ThreeMesh);
        local = readMorphed(geometry, pose.morphTargetInfluences);
      }
      this.addTriangles(object, local, matrix.premultiply(object.matrixWorld), { instanceId: i });
    }
  }

  private addBatch(object: BatchedMesh): void {
    const local = readCoordinates(object.geometry.attributes['position'] as Attribute);
    for (const { batchId, range } of batchedInstances(this.caller, object)) {
      object.getMatrixAt(batchId, matrix);
      this.addTriangles(object, local, matrix.premultiply(object.matrixWorld), { batchId, range });
    }
  }

  private addTriangles(
    object: ThreeMesh,
    local: Float32Array | Float64Array,
    { elements: e }: Matrix4,
    which: {
      readonly instanceId?: number;
      readonly batchId?: number;
      readonly range?: { readonly start: number; readonly count: number };
    },
  ): void {
    const { geometry } = object;
    const { start, end } = drawnCorners(geometry, which.range);
    if (triangleCountOf({ start, end }) === 0) return;
    this.parts.push({
      object,
      geometry,
      instanceId: which.instanceId,
      batchId: which.batchId,
      first: this.index.length / 3,
      corner: start,
    });
    this.begin(local.length / 3);
    const isMirrored = determinantOf(e) < 0;
    for (let corner = start; corner < end; corner += 3) {
      this.index.push(this.vertex(vertexAt(geometry, corner), local, e));
      const b = this.vertex(vertexAt(geometry, corner + 1), local, e);
      const c = this.vertex(vertexAt(geometry, corner + 2), local, e);
      if (isMirrored) this.index.push(c, b);
      else this.index.push(b, c);
    }
  }

  private begin(vertexCount: number): void {
    if (this.numbers.length < vertexCount) {
      this.numbers = new Uint32Array(vertexCount);
      this.stamps = new Uint32Array(vertexCount);
      this.stamp = 0;
    }
    this.stamp++;
  }

  /** The number of a vertex here, where it is put when it is first met. */
  private vertex(i: number, local: Float32Array | Float64Array, e: readonly number[]): number {
    if (this.stamps[i] === this.stamp) return this.numbers[i]!;
    const x = local[3 * i]!;
    const y = local[3 * i + 1]!;
    const z = local[3 * i + 2]!;
    const number = this.positions.length / 3;
    this.positions.push(
      e[0]! * x + e[4]! * y + e[8]! * z + e[12]!,
      e[1]! * x + e[5]! * y + e[9]! * z + e[13]!,
      e[2]! * x + e[6]! * y + e[10]! * z + e[14]!,
    );
    if (i < this.stamps.length) {
      this.stamps[i] = this.stamp;
      this.numbers[i] = number;
    }
    return number;
  }
}

/** Of the linear part. */
const determinantOf = (e: readonly number[]): number =>
  e[0]! * (e[5]! * e[10]! - e[9]! * e[6]!) -
  e[4]! * (e[1]! * e[10]! - e[9]! * e[2]!) +
  e[8]! * (e[1]! * e[6]! - e[5]! * e[2]!);

/** The vertices of a skinned mesh where its bones have them now, in its own space. @internal */
export function posedCoordinates(object: SkinnedMesh): Float64Array {
  const { count } = object.geometry.attributes['position'] as Attribute;
  const coordinates = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) object.getVertexPosition(i, vertex).toArray(coordinates, 3 * i);
  return coordinates;
}
