/** Triangles as arrays: what three.js, glTF and most loaders hold. */
import { refuse } from '../math/check.ts';

/** Coordinates x, y, z of one vertex after the other. */
export type Positions = Float32Array | Float64Array;

/** Triangles over shared vertices: three indices into `positions` (times three) for each. */
export interface Triangles {
  readonly positions: Positions;
  readonly index: Uint32Array;
}

/** The same as a user may give it: any arrays of numbers; without an index, every three vertices are a triangle. */
export interface TrianglesLike {
  readonly positions: ArrayLike<number>;
  readonly index?: ArrayLike<number> | null | undefined;
}

/**
 * Checks the arrays and gives them back as typed ones, which are the given ones where they are already. Refuses what
 * is no mesh: no triangles, counts not divisible by three, an index out of range, a coordinate that is not finite.
 * Triangles without area are fine.
 *
 * @internal
 */
export function readTriangles(caller: string, { positions, index }: TrianglesLike): Triangles {
  if (!isNumberList(positions)) refuse(caller, 'positions', 'must be an array of numbers');
  if (positions.length % 3 !== 0)
    refuse(caller, 'positions', `must hold three numbers a vertex, got ${positions.length} numbers`);
  const coordinates =
    positions instanceof Float32Array || positions instanceof Float64Array
      ? positions
      : Float64Array.from(positions);
  mustBeCoordinates(caller, coordinates);
  const corners = readIndex(caller, index, coordinates.length / 3);
  if (corners.length === 0) refuse(caller, index ? 'index' : 'positions', 'must hold at least one triangle');
  if (corners.length % 3 !== 0)
    refuse(
      caller,
      index ? 'index' : 'positions',
      `must hold three corners a triangle, got ${corners.length} corners`,
    );
  return { positions: coordinates, index: corners };
}

function mustBeCoordinates(caller: string, positions: Positions): void {
  let sum = 0;
  for (let i = 0; i < positions.length; i++) sum += positions[i]! * 0;
  if (sum === 0) return;
  const bad = positions.findIndex((x) => x * 0 !== 0);
  refuse(caller, 'positions', `must be finite, got ${positions[bad]} at ${bad}`);
}

function readIndex(
  caller: string,
  index: ArrayLike<number> | null | undefined,
  vertexCount: number,
): Uint32Array {
  if (index === null || index === undefined) {
    const all = new Uint32Array(vertexCount);
    for (let i = 0; i < vertexCount; i++) all[i] = i;
    return all;
  }
  if (!isNumberList(index)) refuse(caller, 'index', 'must be an array of whole numbers');
  const corners = index instanceof Uint32Array ? index : new Uint32Array(index.length);
  for (let i = 0; i < corners.length; i++) {
    const at = index[i]!;
    corners[i] = at;
    if (!(at < vertexCount && at === corners[i]!))
      refuse(caller, 'index', `must hold numbers of vertices below ${vertexCount}, got ${at} at ${i}`);
  }
  return corners;
}

const isNumberList = (list: unknown): list is ArrayLike<number> =>
  Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView));
