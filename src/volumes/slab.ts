/** Volumes between pairs of parallel planes. RTCD §4.6.1; Kay & Kajiya 1986. */
import {
  checkPoints,
  isNumberList,
  LARGEST,
  mustBeCoordinate,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import { addDown, addUp, mulDown, mulUp } from '../math/rounding.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import type { ReadonlyRay, Span } from '../primitives/types.ts';
import { makeSpan } from '../primitives/types.ts';
import { type PointSet, readPoints } from './point-set.ts';

/** The points x with min[i] <= normals[i] · x <= max[i] for all i. The normals need not be unit vectors. */
export interface SlabVolume {
  normals: readonly ReadonlyVec3[];
  min: number[];
  max: number[];
}

/** The tightest slabs along the normals around the points, rounded outward. At least three of the normals must be independent. */
export function fitSlabs(points: PointSet, normals: readonly ReadonlyVec3[]): SlabVolume {
  checkPoints('fitSlabs', 'normals', normals);
  const coordinates = readPoints('fitSlabs', points);
  if (!spanSpace(normals))
    refuse('fitSlabs', 'normals', 'must hold three independent directions, or the volume is open');
  const volume: SlabVolume = { normals, min: [], max: [] };
  slabsAround(coordinates, normals, volume.min, volume.max);
  return volume;
}

/**
 * Fills `min` and `max` with the extent of flat points along the normals, rounded outward.
 *
 * @internal
 */
export function slabsAround(
  coordinates: ArrayLike<number>,
  normals: readonly ReadonlyVec3[],
  min: number[],
  max: number[],
): void {
  for (let k = 0; k < normals.length; k++) {
    const n = normals[k]!;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < coordinates.length; i += 3) {
      low = Math.min(low, projectDown(n, coordinates[i]!, coordinates[i + 1]!, coordinates[i + 2]!));
      high = Math.max(high, projectUp(n, coordinates[i]!, coordinates[i + 1]!, coordinates[i + 2]!));
    }
    min[k] = low;
    max[k] = high;
  }
}

function spanSpace(normals: readonly ReadonlyVec3[]): boolean {
  const unit = normals.map((n) => v3.normalize(n)).filter((n) => v3.lengthSq(n) > 0);
  return unit.some((a, i) =>
    unit.some((b, j) => j > i && unit.some((c, k) => k > j && Math.abs(v3.triple(a, b, c)) > 1e-9)),
  );
}

/**
 * Where a ray is inside a slab volume, cut to [0, tMax], or null when it never is. Parallel to a slab, a ray is in it
 * or not; a zero direction is a point. Grazing is a matter of rounding. RTCD §4.6.1.
 */
export function raySlabs(ray: ReadonlyRay, volume: SlabVolume, tMax = Infinity, out?: Span): Span | null {
  checkRayUpTo('raySlabs', ray, tMax);
  mustBeSlabs('raySlabs', 'volume', volume);
  inside.enter = 0;
  inside.exit = tMax;
  if (!rayThroughSlabs(ray, volume.normals, volume, 0, inside)) return null;
  const span = out ?? makeSpan();
  span.enter = inside.enter;
  span.exit = inside.exit;
  return span;
}

const inside = makeSpan();

/**
 * Does a ray meet slabs that are thicker by `doubt` to each side, within the times of `span`? Cuts `span` to fit.
 *
 * @internal
 */
export function rayThroughSlabs(
  { origin: o, direction: d }: ReadonlyRay,
  normals: readonly ReadonlyVec3[],
  { min, max }: Slabs,
  doubt: number,
  span: Span,
): boolean {
  let { enter, exit } = span;
  for (let k = 0; k < normals.length; k++) {
    const n = normals[k]!;
    const at = n.x * o.x + n.y * o.y + n.z * o.z;
    const speed = n.x * d.x + n.y * d.y + n.z * d.z;
    const low = min[k]! - at - doubt;
    const high = max[k]! - at + doubt;
    if (speed === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const near = (speed > 0 ? low : high) / speed;
    const far = (speed > 0 ? high : low) / speed;
    if (near > enter) enter = near;
    if (far < exit) exit = far;
    if (enter > exit) return false;
  }
  span.enter = enter;
  span.exit = exit;
  return true;
}

/** @internal */
export interface Slabs {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

function mustBeSlabs(caller: string, name: string, volume: SlabVolume): void {
  mustHave(caller, name, volume, 'a volume of slabs', 'normals');
  const { normals, min, max } = volume;
  checkPoints(caller, `${name}.normals`, normals);
  mustBeExtents(caller, name, normals.length, min, max);
}

/**
 * Throws unless there are `count` pairs of finite numbers min <= max.
 *
 * @internal
 */
export function mustBeExtents(
  caller: string,
  name: string,
  count: number,
  min: readonly number[],
  max: readonly number[],
): void {
  if (!isNumberList(min)) refuseType(caller, `${name}.min`, 'a list of numbers', min);
  if (!isNumberList(max)) refuseType(caller, `${name}.max`, 'a list of numbers', max);
  if (min.length !== count || max.length !== count)
    refuse(caller, name, `must have one min and one max for each of its ${count} normals`);
  let good = true;
  let upright = true;
  for (let k = 0; k < count; k++) {
    const low = min[k]!;
    const high = max[k]!;
    if (!(typeof low === 'number' && typeof high === 'number' && Math.abs(low) + Math.abs(high) <= LARGEST))
      good = false;
    else if (!(low <= high)) upright = false;
  }
  if (!good)
    for (let k = 0; k < count; k++) {
      mustBeCoordinate(caller, `${name}.min[${k}]`, min[k]!);
      mustBeCoordinate(caller, `${name}.max[${k}]`, max[k]!);
    }
  if (!upright) refuse(caller, name, 'must have min <= max along every normal');
}

/**
 * n · (x, y, z), rounded down.
 *
 * @internal
 */
export const projectDown = (n: ReadonlyVec3, x: number, y: number, z: number): number =>
  addDown(addDown(mulDown(n.x, x), mulDown(n.y, y)), mulDown(n.z, z));

/**
 * n · (x, y, z), rounded up.
 *
 * @internal
 */
export const projectUp = (n: ReadonlyVec3, x: number, y: number, z: number): number =>
  addUp(addUp(mulUp(n.x, x), mulUp(n.y, y)), mulUp(n.z, z));
