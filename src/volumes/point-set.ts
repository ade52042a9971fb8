/** Reads and checks the points of all fits. */
import { ANY_FINITE, checkPoint, describe, isNumberList, mustBeCoordinate, refuse } from '../math/check.ts';
import type { ReadonlyVec2, ReadonlyVec3 } from '../math/types.ts';

/** Points as a list of `{x, y, z}`, or flat as `x0, y0, z0, x1, …` in an array or a typed array. */
export type PointSet = readonly ReadonlyVec3[] | ArrayLike<number>;

/** Points of the plane as a list of `{x, y}`, or flat as `x0, y0, x1, …` in an array or a typed array. */
export type PointSet2 = readonly ReadonlyVec2[] | ArrayLike<number>;

/**
 * The coordinates as `x0, y0, z0, x1, …` in a fresh array, which the reader may reorder: a fit copies its points once
 * and leaves the caller's alone. Refuses an empty set, a flat list that is not made of whole points, and anything
 * that is not a finite number; the error names `points[i]`.
 *
 * @internal
 */
export const readPoints = (caller: string, points: PointSet, name = 'points'): Float64Array =>
  read(caller, points, name, AXES);

/**
 * The same for points of the plane, which get z = 0.
 *
 * @internal
 */
export const readPoints2 = (caller: string, points: PointSet2, name = 'points'): Float64Array =>
  read(caller, points, name, AXES_2);

const AXES = ['x', 'y', 'z'] as const;
const AXES_2 = ['x', 'y'] as const;

function read(
  caller: string,
  points: PointSet | PointSet2,
  name: string,
  axes: readonly ('x' | 'y' | 'z')[],
): Float64Array {
  if (!isNumberList(points)) refuse(caller, name, `must hold at least one point, got ${describe(points)}`);
  if (points.length === 0) refuse(caller, name, 'must hold at least one point');
  const flat = typeof points[0] === 'number';
  const step = flat ? axes.length : 1;
  if (points.length % step !== 0)
    refuse(caller, name, `must hold ${step} numbers a point, got ${points.length} in all`);
  const coordinates = new Float64Array((3 * points.length) / step);
  for (let i = 0; i < coordinates.length; i += 3)
    for (let j = 0; j < axes.length; j++) {
      const at = (i / 3) * step;
      const value = flat ? points[at + j] : (points[at] as Partial<ReadonlyVec3> | undefined)?.[axes[j]!];
      if (!(typeof value === 'number' && Math.abs(value) <= ANY_FINITE)) {
        if (!flat && axes.length === 3)
          checkPoint(caller, `${name}[${at}]`, points[at] as unknown as ReadonlyVec3, ANY_FINITE);
        mustBeCoordinate(
          caller,
          flat ? `${name}[${at + j}]` : `${name}[${at}].${axes[j]}`,
          value as number,
          ANY_FINITE,
        );
      }
      coordinates[i + j] = value as number;
    }
  return coordinates;
}
