/** Triangles as arrays: what three.js, glTF and most loaders hold. */
import { checkNumbers, describe, isNumberList, LARGEST, refuse, refuseType } from '../math/check.ts';

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
export function readTriangles(caller: string, mesh: TrianglesLike): Triangles {
  if (typeof mesh !== 'object' || mesh === null)
    refuseType(caller, 'mesh', 'a mesh {positions, index}', mesh);
  const { positions, index } = mesh;
  mustBeCoordinateList(caller, positions);
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

/**
 * Refuses what is not an array of coordinates, and says what to do: attributes of three.js instead of their arrays, and
 * arrays of whole numbers, which are quantised (or an index in the wrong place).
 */
function mustBeCoordinateList(caller: string, positions: unknown): void {
  const { array, data } = Object(positions) as { array?: unknown; data?: { array?: unknown } };
  if (data?.array !== undefined)
    refuse(
      caller,
      'positions',
      `must be an array of numbers: those of an interleaved attribute are not one after the other; ${COPY}`,
    );
  if (isNumberList(array))
    refuse(
      caller,
      'positions',
      'must be an array of numbers: take the array of the attribute, attribute.array',
    );
  if (isWholeNumberArray(positions))
    refuse(
      caller,
      'positions',
      `must not be an array of whole numbers, ${describe(positions)}, as quantised attributes are, whose scale it does not have; ${COPY}`,
    );
  checkNumbers(caller, 'positions', positions as ArrayLike<number>);
}

const COPY =
  'copy them: Float32Array.from({ length: 3 * attribute.count }, (_, i) => attribute.getComponent(Math.floor(i / 3), i % 3))';

const isWholeNumberArray = (list: unknown): boolean =>
  list instanceof Int8Array ||
  list instanceof Uint8Array ||
  list instanceof Uint8ClampedArray ||
  list instanceof Int16Array ||
  list instanceof Uint16Array ||
  list instanceof Int32Array ||
  list instanceof Uint32Array;

function mustBeCoordinates(caller: string, positions: Positions): void {
  let good = true;
  for (let i = 0; i < positions.length; i++) good = good && Math.abs(positions[i]!) <= LARGEST;
  if (good) return;
  const bad = positions.findIndex((x) => !(Math.abs(x) <= LARGEST));
  const wanted = Number.isFinite(positions[bad]) ? `within ±${LARGEST}` : 'finite';
  refuse(caller, 'positions', `must be ${wanted}, got ${describe(positions[bad])} at ${bad}`);
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
  if (isNumberList((index as { array?: unknown }).array))
    refuse(
      caller,
      'index',
      'must be an array of whole numbers: take the array of the attribute, geometry.index.array',
    );
  checkNumbers(caller, 'index', index);
  const corners = index instanceof Uint32Array ? index : new Uint32Array(index.length);
  for (let i = 0; i < corners.length; i++) {
    const at = index[i]!;
    corners[i] = at;
    if (!(at < vertexCount && at === corners[i]!))
      refuse(
        caller,
        'index',
        `must hold numbers of vertices below ${vertexCount}, got ${describe(at)} at ${i}`,
      );
  }
  return corners;
}
