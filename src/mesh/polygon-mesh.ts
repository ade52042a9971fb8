/** Polygons over shared vertices: the form in which meshes are cut, joined and repaired. RTCD §12.2. */
import { ANY_FINITE, checkNumbers, checkPoints, mustHave, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { mustBeFaces } from '../polytope/input.ts';
import { readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';

/**
 * Faces as loops of vertex indices, counter-clockwise seen from outside; they need be neither convex nor quite flat. A
 * `Polyhedron` is one.
 */
export interface PolygonMesh {
  readonly vertices: readonly ReadonlyVec3[];
  readonly faces: readonly (readonly number[])[];
  /** A number for each face that says what it is made of: faces with different tags are never joined. */
  readonly tags?: readonly number[] | undefined;
}

/**
 * Throws unless the lists of a polygon mesh fit together and hold finite numbers.
 *
 * @internal
 */
export function mustBePolygonMesh(caller: string, name: string, mesh: PolygonMesh): void {
  mustHave(caller, name, mesh, 'a mesh: positions, or vertices and faces', 'vertices');
  const { vertices, faces, tags } = mesh;
  checkPoints(caller, `${name}.vertices`, vertices);
  mustBeFaces(caller, `${name}.faces`, faces, vertices.length);
  if (tags === undefined) return;
  checkNumbers(caller, `${name}.tags`, tags, ANY_FINITE);
  if (tags.length !== faces.length)
    refuse(caller, `${name}.tags`, `must be one per face (${faces.length}), got ${tags.length}`);
}

/**
 * The same triangles as a polygon mesh.
 */
function polygonMeshFromTriangles({ positions, index }: Triangles): PolygonMesh {
  const vertices: ReadonlyVec3[] = [];
  for (let i = 0; i < positions.length; i += 3)
    vertices.push({ x: positions[i]!, y: positions[i + 1]!, z: positions[i + 2]! });
  const faces: number[][] = [];
  for (let i = 0; i < index.length; i += 3) faces.push([index[i]!, index[i + 1]!, index[i + 2]!]);
  return { vertices, faces };
}

/** A mesh in either form. */
export type MeshLike = PolygonMesh | TrianglesLike;

/**
 * Checks a mesh in either form and gives it as polygons.
 *
 * @internal
 */
export function readMesh(caller: string, mesh: MeshLike): PolygonMesh {
  if (typeof mesh !== 'object' || mesh === null) refuseType(caller, 'mesh', 'a mesh', mesh);
  if ('positions' in mesh) return polygonMeshFromTriangles(readTriangles(`${caller}: mesh`, mesh));
  mustBePolygonMesh(caller, 'mesh', mesh);
  return mesh;
}
