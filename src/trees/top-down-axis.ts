/** Along which axes a set of items may be cut. RTCD §6.2.1.2. */
import { eigenSymmetric } from '../math/eigen.ts';
import * as m3 from '../math/mat3.ts';
import type { Mat3, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { kdopAxes } from '../volumes/kdop.ts';
import { surfaceCovariance } from '../volumes/obb-covariance.ts';
import { enterFrame } from '../volumes/point-set-frame.ts';
import { covarianceOf } from '../volumes/point-set-spread.ts';
import type { TreeItems } from './tree.ts';

/**
 * The axes of which one is cut across.
 *
 * - `longest`: the coordinate axis along which the centers are spread the widest.
 * - `xyz`: the best of the three coordinate axes, by the objective.
 * - `kdop`: the best of the thirteen axes of a 26-DOP, by the objective.
 * - `obb`: the longest axis of the oriented box around the items, by the covariance of their faces.
 * - `farthest`: from the center farthest from the first one to the center farthest from that: near the diameter.
 * - `variance`: the principal axis of the centers.
 */
export type SplitAxis = 'longest' | 'xyz' | 'kdop' | 'obb' | 'farthest' | 'variance';

/** @internal */
export const SPLIT_AXES: readonly SplitAxis[] = ['longest', 'xyz', 'kdop', 'obb', 'farthest', 'variance'];

/**
 * A part of the order of all items.
 *
 * @internal
 */
export interface Range {
  readonly items: TreeItems;
  readonly centers: Float64Array;
  readonly order: Uint32Array;
  begin: number;
  end: number;
  /** What heights are measured from: far from the items they would lose what tells these apart. */
  readonly origin: Vec3;
}

const XYZ: readonly ReadonlyVec3[] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];

/**
 * The unit axes to try, in this order.
 *
 * @internal
 */
export function splitAxes(rule: SplitAxis, range: Range): readonly ReadonlyVec3[] {
  switch (rule) {
    case 'longest':
    case 'xyz':
      return byExtent(XYZ, range);
    case 'kdop':
      return byExtent(
        kdopAxes(26).map((axis) => v3.normalize(axis)),
        range,
      );
    case 'obb':
      return boxAxes(range);
    case 'farthest':
      return [farthestAxis(range), ...byExtent(XYZ, range)];
    case 'variance': {
      const local = centersOfRange(range);
      enterFrame(local);
      return columns(eigenSymmetric(covarianceOf(local, mat3())).vectors);
    }
  }
}

/** Most spread of the centers first; equals stay in order. */
function byExtent(
  axes: readonly ReadonlyVec3[],
  { centers, order, begin, end, origin }: Range,
): ReadonlyVec3[] {
  const extents = axes.map(({ x, y, z }) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = begin; i < end; i++) {
      const at = 3 * order[i]!;
      const h =
        (centers[at]! - origin.x) * x + (centers[at + 1]! - origin.y) * y + (centers[at + 2]! - origin.z) * z;
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    return high - low;
  });
  const numbers = axes.map((_, i) => i).sort((i, j) => extents[j]! - extents[i]! || i - j);
  return numbers.map((i) => axes[i]!);
}

/** The axes of the oriented box around the points of the items, longest first. RTCD §6.4.1. */
function boxAxes({ items, order, begin, end }: Range): ReadonlyVec3[] {
  const points: number[] = [];
  let triangles = true;
  for (let i = begin; i < end; i++) {
    const before = points.length;
    items.points(order[i]!, points);
    triangles &&= points.length - before === 9;
  }
  const local = Float64Array.from(points);
  enterFrame(local);
  const axes = columns(eigenSymmetric(faceCovariance(local, triangles)).vectors);
  const lengths = axes.map(({ x, y, z }) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < local.length; i += 3) {
      const h = local[i]! * x + local[i + 1]! * y + local[i + 2]! * z;
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    return high - low;
  });
  return [0, 1, 2].sort((i, j) => lengths[j]! - lengths[i]! || i - j).map((i) => axes[i]!);
}

/** Of the faces, each by its area, if the items are triangles and have any; of their points otherwise. */
function faceCovariance(local: Float64Array, triangles: boolean): Mat3 {
  if (triangles) {
    const list: Vec3[] = [];
    for (let i = 0; i < local.length; i += 3) list.push(vec3(local[i], local[i + 1], local[i + 2]));
    const faces = surfaceCovariance(
      list,
      list.map((_, i) => i),
    );
    if (faces.elements.every(Number.isFinite)) return faces;
  }
  return covarianceOf(local, mat3());
}

function farthestAxis(range: Range): Vec3 {
  const [a, b] = farthestPair(range);
  const { centers } = range;
  const at = (item: number): Vec3 => vec3(centers[3 * item], centers[3 * item + 1], centers[3 * item + 2]);
  return v3.normalize(v3.sub(at(b), at(a)));
}

/**
 * Two items whose centers are at least half as far apart as any: the farthest from the first item, and the farthest
 * from that one.
 *
 * @internal
 */
export function farthestPair(range: Range): [number, number] {
  const a = farthestFrom(range, range.order[range.begin]!);
  return [a, farthestFrom(range, a)];
}

/** The item whose center is farthest from that of another; not that one, unless it is alone. */
function farthestFrom({ centers, order, begin, end }: Range, from: number): number {
  let most = -1;
  let found = from;
  for (let i = begin; i < end; i++) {
    const item = order[i]!;
    if (item === from) continue;
    const x = centers[3 * item]! - centers[3 * from]!;
    const y = centers[3 * item + 1]! - centers[3 * from + 1]!;
    const z = centers[3 * item + 2]! - centers[3 * from + 2]!;
    const distance = x * x + y * y + z * z;
    if (!(distance > most)) continue;
    most = distance;
    found = item;
  }
  return found;
}

function centersOfRange({ centers, order, begin, end }: Range): Float64Array {
  const flat = new Float64Array(3 * (end - begin));
  for (let i = begin; i < end; i++)
    for (let axis = 0; axis < 3; axis++) flat[3 * (i - begin) + axis] = centers[3 * order[i]! + axis]!;
  return flat;
}

const columns = (m: Mat3): Vec3[] => [m3.column(m, 0), m3.column(m, 1), m3.column(m, 2)];
