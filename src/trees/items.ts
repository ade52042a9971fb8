/** What a hierarchy is built over: boxes, triangles, spheres, points. */
import {
  checkNumbers,
  describe,
  isNumberList,
  mustBeFunction,
  mustHave,
  mustNotBeNegative,
  refuse,
  refuseType,
} from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { type PointSet, readPoints } from '../volumes/point-set.ts';
import type { TreeItems } from './tree.ts';

/** Boxes, as min x, y, z, max x, y, z of one after the other. They are copied. */
export function boxItems(boxes: ArrayLike<number>): TreeItems {
  checkNumbers('boxItems', 'boxes', boxes);
  if (boxes.length % 6 !== 0) refuse('boxItems', 'boxes', `must hold six numbers a box, got ${boxes.length}`);
  const bounds = Float64Array.from(boxes);
  const items = itemsOf(bounds, (item, out) => pushCorners(bounds, item, out));
  mustBeBounds('boxItems', 'boxes', items);
  return items;
}

/**
 * Triangles: three numbers a vertex, and three vertices a triangle, by `index` if there is one. The coordinates are
 * copied: after a change make new items and `refitTree`. Triangles without area are fine.
 */
export function triangleItems(positions: ArrayLike<number>, index?: ArrayLike<number> | null): TreeItems {
  if (index !== undefined && index !== null) checkNumbers('triangleItems', 'index', index);
  checkNumbers('triangleItems', 'positions', positions);
  const caller = 'triangleItems';
  const points = positions.length > 0 ? readPoints(caller, positions, 'positions') : new Float64Array(0);
  const vertices = points.length / 3;
  const corners = index ?? Array.from({ length: vertices }, (_, i) => i);
  if (corners.length % 3 !== 0)
    refuse(
      caller,
      index ? 'index' : 'positions',
      `must hold three corners a triangle, got ${corners.length}`,
    );
  const coordinates = new Float64Array(3 * corners.length);
  for (let i = 0; i < corners.length; i++) {
    const vertex = corners[i]!;
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < vertices))
      refuse(
        caller,
        'index',
        `must hold numbers of vertices below ${vertices}, got ${describe(vertex)} at ${i}`,
      );
    for (let axis = 0; axis < 3; axis++) coordinates[3 * i + axis] = points[3 * vertex + axis]!;
  }
  return itemsOfPoints(caller, 'positions', coordinates, 3);
}

/** Points. */
export function pointItems(points: PointSet): TreeItems {
  if (!isNumberList(points))
    refuseType('pointItems', 'points', 'a list of points or an array of numbers', points);
  const coordinates = points.length > 0 ? readPoints('pointItems', points) : new Float64Array(0);
  return itemsOfPoints('pointItems', 'points', coordinates, 1);
}

/**
 * Spheres. Each counts as the polyhedron of 26 sides around it, which has the same extents along all axes of boxes and
 * k-DOPs and reaches out by 13 % of the radius at its corners.
 */
export function sphereItems(centers: PointSet, radii: ArrayLike<number>): TreeItems {
  checkNumbers('sphereItems', 'radii', radii);
  if (!isNumberList(centers))
    refuseType('sphereItems', 'centers', 'a list of points or an array of numbers', centers);
  const coordinates =
    centers.length > 0 ? readPoints('sphereItems', centers, 'centers') : new Float64Array(0);
  if (3 * radii.length !== coordinates.length)
    refuse(
      'sphereItems',
      'radii',
      `must be as many as centers: ${coordinates.length / 3}, got ${radii.length}`,
    );
  const bounds = new Float64Array(2 * coordinates.length);
  const reaches = new Float64Array(radii.length);
  for (let i = 0; i < radii.length; i++) {
    mustNotBeNegative('sphereItems', `radii[${i}]`, radii[i]!);
    const far = Math.max(...coordinates.subarray(3 * i, 3 * i + 3).map(Math.abs));
    // Rounded up by more than the sums below can lose.
    const reach = radii[i]! === 0 ? 0 : radii[i]! * (1 + 4 * EPS64) + far * (2 * EPS64);
    reaches[i] = reach;
    for (let axis = 0; axis < 3; axis++) {
      bounds[6 * i + axis] = coordinates[3 * i + axis]! - reach;
      bounds[6 * i + 3 + axis] = coordinates[3 * i + axis]! + reach;
    }
  }
  const items = itemsOf(bounds, (item, out) => {
    const [x, y, z] = [coordinates[3 * item]!, coordinates[3 * item + 1]!, coordinates[3 * item + 2]!];
    const reach = reaches[item]!;
    if (reach === 0) out.push(x, y, z);
    else
      for (let i = 0; i < BALL.length; i += 3)
        out.push(x + reach * BALL[i]!, y + reach * BALL[i + 1]!, z + reach * BALL[i + 2]!);
  });
  mustBeBounds('sphereItems', 'centers', items);
  return items;
}

/** Corners of the polyhedron whose sides touch the unit sphere along the axes of a cube, its edges and its corners. */
const BALL = ballCorners();

function ballCorners(): number[] {
  const corners: number[] = [];
  // x = 1, x + y = √2 and x + y + z = √3 meet here, up to signs and the order of the axes.
  const parts = [1, Math.SQRT2 - 1, Math.sqrt(3) - Math.SQRT2];
  for (const [i, j, k] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const)
    for (let signs = 0; signs < 8; signs++)
      corners.push(
        signs & 1 ? -parts[i]! : parts[i]!,
        signs & 2 ? -parts[j]! : parts[j]!,
        signs & 4 ? -parts[k]! : parts[k]!,
      );
  return corners;
}

const itemsOf = (bounds: Float64Array, points: TreeItems['points']): TreeItems => ({
  count: bounds.length / 6,
  bounds,
  points,
});

/** Items of so many points each, one after the other. */
function itemsOfPoints(caller: string, name: string, coordinates: Float64Array, each: number): TreeItems {
  const count = coordinates.length / (3 * each);
  const bounds = new Float64Array(6 * count);
  for (let item = 0; item < count; item++)
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = 3 * each * item + axis; i < 3 * each * (item + 1); i += 3) {
        low = Math.min(low, coordinates[i]!);
        high = Math.max(high, coordinates[i]!);
      }
      bounds[6 * item + axis] = low;
      bounds[6 * item + 3 + axis] = high;
    }
  const items = itemsOf(bounds, (item, out) => {
    for (let i = 3 * each * item; i < 3 * each * (item + 1); i++) out.push(coordinates[i]!);
  });
  mustBeBounds(caller, name, items);
  return items;
}

/**
 * Appends the eight corners of the box of an item.
 *
 * @internal
 */
export function pushCorners(bounds: Float64Array, item: number, out: number[]): void {
  for (let corner = 0; corner < 8; corner++)
    out.push(
      bounds[6 * item + (corner & 1 ? 3 : 0)]!,
      bounds[6 * item + (corner & 2 ? 4 : 1)]!,
      bounds[6 * item + (corner & 4 ? 5 : 2)]!,
    );
}

/** Volumes are stored in single precision, and what is around a box may be larger than it by less than two. */
const LARGEST = 1e38;

/**
 * Throws unless the boxes can be built over.
 *
 * @internal
 */
export function mustBeItems(caller: string, items: TreeItems): void {
  mustHave(caller, 'items', items, 'items of a tree', 'bounds');
  const { count, bounds } = items;
  if (!isNumberList(bounds)) refuseType(caller, 'items.bounds', 'an array of numbers', bounds);
  mustBeFunction(caller, 'items.points', items.points);
  if (!(Number.isInteger(count) && count >= 0 && 6 * count <= bounds.length))
    refuse(caller, 'items.count', `must be a whole number with six bounds each, got ${describe(count)}`);
  mustBeBounds(caller, 'items.bounds', items);
}

function mustBeBounds(caller: string, name: string, { count, bounds }: TreeItems): void {
  for (let i = 0; i < 6 * count; i++) {
    if (!(typeof bounds[i] === 'number' && Math.abs(bounds[i]!) <= LARGEST))
      refuse(
        caller,
        name,
        `must be finite and within ±${LARGEST}, got ${describe(bounds[i])} in item ${Math.floor(i / 6)}`,
      );
    if (i % 6 >= 3 && bounds[i]! < bounds[i - 3]!)
      refuse(caller, name, `must not have a minimum above its maximum: item ${Math.floor(i / 6)}`);
  }
}
