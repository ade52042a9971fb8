/** Which objects of a scene have triangles, and which of them count. */
import type { BatchedMesh, InstancedMesh, Object3D, SkinnedMesh, Mesh as ThreeMesh } from 'three';
import { refuse } from '../math/check.ts';
import { nameOf } from './geometry.ts';

// By their flags, not by their classes: there may be two copies of three.js in a bundle.
export const isTriangles = (object: Object3D): object is ThreeMesh => (object as ThreeMesh).isMesh === true;
export const isInstanced = (object: Object3D): object is InstancedMesh =>
  (object as InstancedMesh).isInstancedMesh === true;
export const isBatch = (object: Object3D): object is BatchedMesh =>
  (object as BatchedMesh).isBatchedMesh === true;
export const isSkinned = (object: Object3D): object is SkinnedMesh =>
  (object as SkinnedMesh).isSkinnedMesh === true;

/**
 * Brings the world matrix of an object, and those of all above it, up to date. `Object3D.updateWorldMatrix` of newer versions leaves
 * objects behind that do not compose their own matrix (`matrixAutoUpdate = false`) when only their parents have moved.
 */
export function updateWorldMatrix(object: Object3D): void {
  const { parent } = object;
  if (parent) updateWorldMatrix(parent);
  if (object.matrixAutoUpdate) object.updateMatrix();
  if (!object.matrixWorldAutoUpdate) return;
  if (parent) object.matrixWorld.multiplyMatrices(parent.matrixWorld, object.matrix);
  else object.matrixWorld.copy(object.matrix);
}

/** The same, and those of all below it; of skinned meshes with what they need for their bones. */
export function updateMatrices(root: Object3D): void {
  updateWorldMatrix(root);
  root.updateMatrixWorld(true);
}

/** Visits the objects that count, parents first. What is below an object that is not visible is not visible either. */
export function visitVisible(
  root: Object3D,
  options: {
    readonly invisible?: boolean | undefined;
    readonly filter?: ((object: Object3D) => boolean) | undefined;
  },
  visit: (object: Object3D) => void,
): void {
  if (!options.invisible && !root.visible) return;
  if (options.filter === undefined || options.filter(root)) visit(root);
  for (const child of root.children) visitVisible(child, options, visit);
}

/** What `BatchedMesh` knows of its instances: fields of its own that it does not document. */
interface BatchInternals {
  readonly _instanceInfo: readonly {
    readonly visible: boolean;
    readonly active: boolean;
    readonly geometryIndex: number;
  }[];
  readonly _matricesTexture: { readonly version: number } | null;
}

export interface BatchedInstance {
  readonly batchId: number;
  readonly geometryId: number;
  /** The corners of the geometry that it draws. */
  readonly range: { readonly start: number; readonly count: number };
}

/** Refuses a batch that was disposed of; returns what it knows of its instances. */
export function batchInternals(caller: string, object: BatchedMesh): BatchInternals {
  const internals = object as unknown as BatchInternals;
  if (!internals._matricesTexture)
    refuse(caller, nameOf(object), 'was disposed of: take it out of the scene first');
  return internals;
}

/** The instances of a batch that are visible. */
export function* batchedInstances(caller: string, object: BatchedMesh): Generator<BatchedInstance> {
  const { _instanceInfo: infos } = batchInternals(caller, object);
  for (let batchId = 0; batchId < infos.length; batchId++) {
    const { visible, active, geometryIndex: geometryId } = infos[batchId]!;
    if (!visible || !active) continue;
    const { start, count } = object.getGeometryRangeAt(geometryId) as { start: number; count: number };
    yield { batchId, geometryId, range: { start, count } };
  }
}
