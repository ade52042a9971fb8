/**
 * The structural types that everything shares. Anything with the right fields will do: a three.js `Vector3` is a
 * `Vec3`, its `Matrix3` a `Mat3`, its `Quaternion` a `Quat` and its `Object3D` a `Pose`.
 */

/** `T` with every field, nested ones too, read-only: what functions promise about their inputs. */
export type DeepReadonly<T> = T extends number | boolean | string
  ? T
  : { readonly [K in keyof T]: DeepReadonly<T[K]> };

export interface Vec2 {
  x: number;
  y: number;
}

export interface Vec3 {
  x: number;
  y: number;
  z: number;
}

export interface Quat {
  x: number;
  y: number;
  z: number;
  w: number;
}

/** A 2×2 matrix, column by column. */
export interface Mat2 {
  elements: number[];
}

/** A 3×3 matrix, column by column: element (row, column) is `elements[row + 3 * column]`. */
export interface Mat3 {
  elements: number[];
}

/** A rigid placement: rotate by `quaternion`, then move by `position`. */
export interface Pose {
  position: Vec3;
  quaternion: Quat;
}

/** The points x with normal · x = d. The normal need not be a unit vector unless a function says so. */
export interface Plane {
  normal: Vec3;
  d: number;
}

export type ReadonlyVec2 = Readonly<Vec2>;
export type ReadonlyVec3 = Readonly<Vec3>;
export type ReadonlyQuat = Readonly<Quat>;
export type ReadonlyMat2 = DeepReadonly<Mat2>;
export type ReadonlyMat3 = DeepReadonly<Mat3>;
export type ReadonlyPose = DeepReadonly<Pose>;
export type ReadonlyPlane = DeepReadonly<Plane>;

export const vec2 = (x = 0, y = 0): Vec2 => ({ x, y });
export const vec3 = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z });
/** Default: the identity rotation. */
export const quat = (x = 0, y = 0, z = 0, w = 1): Quat => ({ x, y, z, w });
/** The identity. */
export const mat2 = (): Mat2 => ({ elements: [1, 0, 0, 1] });
/** The identity. */
export const mat3 = (): Mat3 => ({ elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
/** A new pose, with copies of what is given. Default: at the origin, unrotated. */
export const pose = (
  { x, y, z }: ReadonlyVec3 = { x: 0, y: 0, z: 0 },
  { x: qx, y: qy, z: qz, w: qw }: ReadonlyQuat = { x: 0, y: 0, z: 0, w: 1 },
): Pose => ({ position: vec3(x, y, z), quaternion: quat(qx, qy, qz, qw) });
/** The plane x = 0. */
export const plane = (): Plane => ({ normal: vec3(1, 0, 0), d: 0 });
