/** What a `BufferGeometry` holds, whatever the layout of its attributes: coordinates of vertices, and triangles. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Object3D } from 'three';
import { refuse, refuseType } from '../math/check.ts';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** 'Mesh "wall"', for errors. */
export const nameOf = (thing: Object3D | BufferGeometry): string =>
  `${thing.type}${thing.name ? ` '${thing.name}'` : ` (id ${thing.id})`}`;

export const isGeometry = (value: unknown): value is BufferGeometry =>
  (value as BufferGeometry | null)?.isBufferGeometry === true;

export const isObject = (value: unknown): value is Object3D =>
  (value as Object3D | null)?.isObject3D === true;

/** The positions of a geometry; refuses a geometry that has none, or has them on the GPU alone. */
export function positionsOf(caller: string, name: string, geometry: BufferGeometry): Attribute {
  const position = geometry.attributes['position'];
  if (position === undefined)
    refuse(
      caller,
      name,
      `has no positions (${nameOf(geometry)}): wait until it is loaded, or set its attribute 'position'`,
    );
  if ((position as unknown as { isGLBufferAttribute?: boolean }).isGLBufferAttribute)
    refuse(
      caller,
      name,
      `has its positions on the GPU (${nameOf(geometry)}): give a geometry whose positions are an array`,
    );
  if (!(position.itemSize >= 3))
    refuse(
      caller,
      name,
      `has positions of ${position.itemSize} coordinates (${nameOf(geometry)}): they must have three`,
    );
  return position;
}

/** Goes up whenever `needsUpdate` is set. */
export const versionOf = (attribute: Attribute): number =>
  'data' in attribute ? attribute.data.version : attribute.version;

/**
 * The coordinates x, y, z of all vertices, one after the other, as the attribute means them: interleaved, normalised and
 * half-precision ones are unpacked. Not always a copy.
 */
export function readCoordinates(attribute: Attribute): Float32Array | Float64Array {
  const { count, normalized } = attribute;
  const { array } = attribute;
  const isPlain = !('data' in attribute) && attribute.itemSize === 3 && !normalized;
  if (isPlain && (array instanceof Float32Array || array instanceof Float64Array))
    return array.length === 3 * count ? array : array.subarray(0, 3 * count);
  // Fractions of 32767 and the like need all bits; what is not normalised fits 24, but for numbers of 32 bits.
  const isWide =
    normalized ||
    array instanceof Float64Array ||
    array instanceof Uint32Array ||
    array instanceof Int32Array ||
    Array.isArray(array);
  const coordinates = isWide ? new Float64Array(3 * count) : new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    coordinates[3 * i] = attribute.getX(i);
    coordinates[3 * i + 1] = attribute.getY(i);
    coordinates[3 * i + 2] = attribute.getZ(i);
  }
  return coordinates;
}

/**
 * The coordinates with morph targets applied, as `Mesh.getVertexPosition` computes them.
 *
 * @param influences one number a target; those of three.js itself, `mesh.morphTargetInfluences`
 */
export function readMorphed(geometry: BufferGeometry, influences: ArrayLike<number>): Float64Array {
  const base = readCoordinates(geometry.attributes['position'] as Attribute);
  const sum = new Float64Array(base.length);
  const targets = geometry.morphAttributes['position'] as Attribute[];
  for (let k = 0; k < targets.length; k++) {
    const influence = influences[k]!;
    if (influence === 0) continue;
    const target = readCoordinates(targets[k]!);
    for (let i = 0; i < sum.length; i++)
      sum[i]! += (geometry.morphTargetsRelative ? target[i]! : target[i]! - base[i]!) * influence;
  }
  for (let i = 0; i < sum.length; i++) sum[i]! += base[i]!;
  return sum;
}

/** What part of the triangles of a geometry counts: those that begin at these corners, of its index or its vertices. */
export interface CornerRange {
  readonly start: number;
  readonly end: number;
}

/** How many corners a geometry has. */
export const cornerCount = ({ index, attributes }: BufferGeometry): number =>
  index ? index.count : (attributes['position']?.count ?? 0);

/**
 * Where the triangles of a draw range begin: start, start + 3 … below end. As `Raycaster` does it: the last one may reach
 * beyond the end, if there are corners.
 */
export function drawnCorners(
  geometry: BufferGeometry,
  { start, count }: { readonly start: number; readonly count: number } = geometry.drawRange,
): CornerRange {
  const corners = cornerCount(geometry);
  const first = Math.max(0, start);
  return { start: first, end: Math.min(corners - 2, start + count) };
}

/** How many triangles begin in a range. */
export const triangleCountOf = ({ start, end }: CornerRange): number =>
  Math.max(0, Math.ceil((end - start) / 3));

/** The number of the vertex at a corner. */
export const vertexAt = ({ index }: BufferGeometry, corner: number): number =>
  index ? index.getX(corner) : corner;

export function mustBeGeometryOrObject(caller: string, value: unknown): void {
  if (!isGeometry(value) && !isObject(value))
    refuseType(caller, 'source', 'a BufferGeometry or an Object3D of three.js', value);
}
