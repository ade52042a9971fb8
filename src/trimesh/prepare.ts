/** What queries of a mesh work out when they are first asked, paid for beforehand. */
import { describe, mustBeList, mustHave, refuse } from '../math/check.ts';
import {
  boundaryOf,
  boxTreeOf,
  derivedOf,
  isClosed,
  type MeshDerived,
  momentsOf,
  partsOf,
} from './derived.ts';
import type { Mesh } from './mesh.ts';

/**
 * What a mesh is to be ready for: `'inside'`, whether points are inside, signed distances, solids; `'meshes'`, queries of mesh
 * against mesh, for which a tree of oriented boxes is made: about half a second for 80,000 triangles.
 */
export type MeshPurpose = 'inside' | 'meshes';

const PURPOSES: readonly MeshPurpose[] = ['inside', 'meshes'];

/**
 * Works out now what the first query would work out, and keeps it with the mesh. Answers stay the same. Returns the mesh;
 * what is there already costs nothing. `QueryWorkers.prepare` does it in a thread. None of it is in what `saveMesh` gives.
 * O(n log n).
 */
export function prepareMesh(mesh: Mesh, purposes: readonly MeshPurpose[] = PURPOSES): Mesh {
  checkPurposes('prepareMesh', mesh, purposes);
  boundaryOf(mesh);
  if (purposes.includes('inside') && !isClosed(mesh)) momentsOf(mesh);
  if (purposes.includes('meshes')) {
    partsOf(mesh);
    boxTreeOf(mesh);
  }
  return mesh;
}

/** @internal */
export function checkPurposes(caller: string, mesh: Mesh, purposes: readonly MeshPurpose[]): void {
  mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
  if (mesh.live !== null) refuse(caller, 'mesh', 'must not be the mesh of a skin, whose vertices move');
  mustBeList(caller, 'purposes', purposes);
  for (const purpose of purposes)
    if (!PURPOSES.includes(purpose))
      refuse(caller, 'purposes', `must be of '${PURPOSES.join("', '")}', got ${describe(purpose)}`);
}

/** Is there nothing left to do? @internal */
export function isPrepared(mesh: Mesh, purposes: readonly MeshPurpose[]): boolean {
  const { boundary, moments, parts, boxTree } = derivedOf(mesh);
  if (boundary === null) return false;
  if (purposes.includes('inside') && boundary.length > 0 && moments === null) return false;
  return !purposes.includes('meshes') || (parts !== null && boxTree !== null);
}

/** What has been worked out, as it goes from one thread to another. @internal */
export type PreparedParts = Pick<MeshDerived, 'boundary' | 'parts' | 'moments' | 'boxTree'>;

/** In shared memory, if told so. @internal */
export function preparedParts(mesh: Mesh, shared: boolean): PreparedParts {
  const { boundary, parts, moments, boxTree } = derivedOf(mesh);
  const put = <T extends Float64Array | Float32Array | Uint32Array | Int32Array>(list: T): T => {
    if (!shared || (list.buffer as unknown) instanceof SharedArrayBuffer) return list;
    const copy = new (list.constructor as new (buffer: SharedArrayBuffer) => T)(
      new SharedArrayBuffer(list.byteLength),
    );
    copy.set(list);
    return copy;
  };
  return {
    boundary: boundary && put(boundary),
    parts: parts && put(parts),
    moments: moments && put(moments),
    boxTree: boxTree && { ...boxTree, boxes: put(boxTree.boxes), links: put(boxTree.links) },
  };
}

/** Keeps what another thread has worked out from the same mesh. @internal */
export function keepPrepared(mesh: Mesh, given: PreparedParts): void {
  const derived = derivedOf(mesh);
  derived.boundary ??= given.boundary;
  derived.parts ??= given.parts;
  derived.moments ??= given.moments;
  derived.boxTree ??= given.boxTree;
}
