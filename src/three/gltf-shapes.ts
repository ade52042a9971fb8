/**
 * The shapes that physics extensions of glTF describe, as shapes of graze: `KHR_implicit_shapes`, `OMI_physics_shape`. Both
 * have boxes of full size, and capsules and cylinders along y whose two ends may have different radii. They differ in what
 * they assume where nothing is said.
 */
import { describe, refuse, refuseType } from '../math/check.ts';
import { vec3 } from '../math/types.ts';
import { convex } from '../shapes/custom.ts';
import { box, polygon } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { capsule, cone, cylinder, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';

/** A part of a glTF file, as JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What asks, and where in the file it reads: `extensions.KHR_implicit_shapes.shapes[2]`. */
export interface Location {
  readonly caller: string;
  readonly path: string;
}

export const below = ({ caller, path }: Location, field: string | number): Location => ({
  caller,
  path: typeof field === 'number' ? `${path}[${field}]` : path === '' ? field : `${path}.${field}`,
});

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function mustBeRecord({ caller, path }: Location, value: unknown): Json {
  if (!isRecord(value)) refuseType(caller, path, 'a record', value);
  return value;
}

/** The entry of a list that a number in the file leads to. */
export function entryOf({ caller, path }: Location, list: unknown, index: unknown, where: string): unknown {
  if (!Array.isArray(list)) refuse(caller, path, `leads to ${where}, which the file does not have`);
  if (!(Number.isInteger(index) && (index as number) >= 0 && (index as number) < list.length))
    refuse(
      caller,
      path,
      `must be the number of one of the ${list.length} entries of ${where}, got ${describe(index)}`,
    );
  return list[index as number];
}

/** Sizes where the file says nothing. */
interface Defaults {
  readonly capsuleHeight: number;
  readonly cylinderHeight: number;
  readonly endRadius: number;
}

const KHR: Defaults = { capsuleHeight: 0.5, cylinderHeight: 0.5, endRadius: 0.25 };
const OMI: Defaults = { capsuleHeight: 1, cylinderHeight: 2, endRadius: 0.5 };

/** A shape of `KHR_implicit_shapes`. */
export function implicitShape(location: Location, definition: unknown): Shape {
  const record = mustBeRecord(location, definition);
  const kind = record['type'];
  if (kind === 'plane') return planeShape(below(location, 'plane'), sizesOf(location, record, 'plane'));
  return (
    sharedShape(location, record, KHR) ??
    refuse(
      location.caller,
      `${location.path}.type`,
      `must be 'sphere', 'box', 'capsule', 'cylinder' or 'plane', got ${describe(kind)}`,
    )
  );
}

/**
 * A shape of `OMI_physics_shape`; null for those that are made of a mesh ('convex' and 'trimesh'), whose definition has the number
 * of the mesh.
 */
export function omiShape(location: Location, definition: unknown): Shape | null {
  const record = mustBeRecord(location, definition);
  const kind = record['type'];
  if (kind === 'convex' || kind === 'trimesh') return null;
  return (
    sharedShape(location, record, OMI) ??
    refuse(
      location.caller,
      `${location.path}.type`,
      `must be 'box', 'sphere', 'capsule', 'cylinder', 'convex' or 'trimesh', got ${describe(kind)}`,
    )
  );
}

function sharedShape(location: Location, record: Json, defaults: Defaults): Shape | null {
  const kind = record['type'];
  if (kind !== 'sphere' && kind !== 'box' && kind !== 'capsule' && kind !== 'cylinder') return null;
  const at = below(location, kind);
  const sizes = sizesOf(location, record, kind);
  switch (kind) {
    case 'sphere':
      return sphere(lengthOf(at, sizes, 'radius', 0.5));
    case 'box': {
      const [x, y, z] = boxSize(at, sizes);
      return box(x / 2, y / 2, z / 2);
    }
    case 'capsule': {
      const height = lengthOf(at, sizes, 'height', defaults.capsuleHeight);
      const [top, bottom] = radiiOf(at, sizes, defaults.endRadius);
      return top === bottom ? capsule(height / 2, top) : taperedCapsule(height, top, bottom);
    }
    case 'cylinder': {
      const height = lengthOf(at, sizes, 'height', defaults.cylinderHeight);
      const [top, bottom] = radiiOf(at, sizes, defaults.endRadius);
      if (top === bottom) return cylinder(height / 2, top);
      return top === 0 ? cone(height / 2, bottom) : taperedCylinder(height, top, bottom);
    }
  }
}

/** A field with the name of the type holds the sizes; without it they are the default ones. */
function sizesOf(location: Location, record: Json, kind: string): Json {
  const sizes = record[kind];
  return sizes === undefined ? {} : mustBeRecord(below(location, kind), sizes);
}

function lengthOf(location: Location, sizes: Json, field: string, missing: number): number {
  const value = sizes[field] ?? missing;
  if (!(typeof value === 'number' && value > 0 && value < Infinity))
    refuse(location.caller, `${location.path}.${field}`, `must be a number above 0, got ${describe(value)}`);
  return value;
}

function boxSize(location: Location, sizes: Json): readonly [number, number, number] {
  const size = sizes['size'] ?? [1, 1, 1];
  const isSize =
    Array.isArray(size) &&
    size.length === 3 &&
    size.every((x) => typeof x === 'number' && x > 0 && x < Infinity);
  if (!isSize)
    refuse(location.caller, `${location.path}.size`, `must be three numbers above 0, got ${describe(size)}`);
  return size as unknown as readonly [number, number, number];
}

/** Of the upper and of the lower end: one of them may be 0. */
function radiiOf(location: Location, sizes: Json, missing: number): readonly [number, number] {
  const read = (field: string): number => {
    const value = sizes[field] ?? missing;
    if (!(typeof value === 'number' && value >= 0 && value < Infinity))
      refuse(
        location.caller,
        `${location.path}.${field}`,
        `must be a number from 0 up, got ${describe(value)}`,
      );
    return value;
  };
  const radii = [read('radiusTop'), read('radiusBottom')] as const;
  if (radii[0] === 0 && radii[1] === 0)
    refuse(location.caller, `${location.path}.radiusTop`, 'must not be 0 together with radiusBottom');
  return radii;
}

/** The hull of two spheres: the farther of their two support points is that of the hull. */
function taperedCapsule(height: number, top: number, bottom: number): Shape {
  return convex(({ x, y, z }, out) => {
    const length = Math.sqrt(x * x + y * y + z * z);
    const isTop = height * y + (top - bottom) * length > 0;
    const k = (isTop ? top : bottom) / length;
    out.x = k * x;
    out.y = k * y + (isTop ? height / 2 : -height / 2);
    out.z = k * z;
    return out;
  });
}

/** The hull of two discs across y. */
function taperedCylinder(height: number, top: number, bottom: number): Shape {
  return convex(({ x, y, z }, out) => {
    const across = Math.sqrt(x * x + z * z);
    const isTop = height * y + (top - bottom) * across > 0;
    const k = across > 0 ? (isTop ? top : bottom) / across : 0;
    out.x = k * x;
    out.y = isTop ? height / 2 : -height / 2;
    out.z = k * z;
    return out;
  });
}

/**
 * Its normal is y. One without end that is solid below is a half-space; one with two sizes is a flat rectangle, which has no back
 * and no front here.
 */
function planeShape(location: Location, sizes: Json): Shape {
  const { sizeX, sizeZ, doubleSided = false } = sizes;
  if (sizeX !== undefined && sizeZ !== undefined) {
    const x = lengthOf(location, sizes, 'sizeX', 1) / 2;
    const z = lengthOf(location, sizes, 'sizeZ', 1) / 2;
    return polygon([vec3(-x, 0, -z), vec3(-x, 0, z), vec3(x, 0, z), vec3(x, 0, -z)]);
  }
  if (sizeX !== undefined || sizeZ !== undefined)
    refuse(
      location.caller,
      location.path,
      'has one size only: a strip without end is no shape of graze; give both sizes, or none',
    );
  if (doubleSided !== false)
    refuse(
      location.caller,
      `${location.path}.doubleSided`,
      'must be false where the plane has no end: it is solid below, as a half-space; or give it sizes',
    );
  return halfSpace(vec3(0, 1, 0), 0);
}
