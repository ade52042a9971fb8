/** Items cut up before a tree is built, so that large ones do not spoil it. Ernst & Greiner 2007. */
import { describe, mustHave, mustNotBeNegative, refuse } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { halfAreaOf } from './flat-boxes.ts';
import { mustBeItems, pushCorners } from './items.ts';
import type { TreeItems } from './tree.ts';

/** So many parts an item, on average, are more than any tree is better for. */
const MOST_GROWTH = 100;

/** Parts of items: boxes that together cover them. */
export interface SplitItems {
  readonly items: TreeItems;
  /** Of each part, the item that it is a part of. */
  readonly source: Uint32Array;
}

/**
 * Cuts large items into parts: at most `growth` times as many parts more than there are items (default: a
 * third), shared out by the area of the items' boxes. A part is a box, around the piece of a triangle or of an
 * item's box; items that stay whole stay as they are. A search of a tree over the parts may find an item more than
 * once. RTCD §6.2.1.
 */
export function splitItems(items: TreeItems, growth = 1 / 3): SplitItems {
  mustHave('splitItems', 'items', items, 'items of a tree', 'count');
  mustBeItems('splitItems', items);
  mustNotBeNegative('splitItems', 'growth', growth);
  // Each part takes memory.
  if (growth > MOST_GROWTH)
    refuse('splitItems', 'growth', `must be at most ${MOST_GROWTH}, got ${describe(growth)}`);
  const { count } = items;
  const areas = Float64Array.from({ length: count }, (_, item) => halfAreaOf(items.bounds, 6 * item));
  const total = areas.reduce((sum, area) => sum + area, 0);
  const bounds: number[] = [];
  const source: number[] = [];
  const pieces = areas.map((area) => 1 + (total > 0 ? Math.floor(growth * count * (area / total)) : 0));
  for (let item = 0; item < count; item++) {
    cutUp(items, item, pieces[item]!, bounds);
    while (6 * source.length < bounds.length) source.push(item);
  }
  const flat = Float64Array.from(bounds);
  const parts: TreeItems = {
    count: source.length,
    bounds: flat,
    points: (part, out) => {
      if (pieces[source[part]!] === 1) items.points(source[part]!, out);
      else pushCorners(flat, part, out);
    },
  };
  return { items: parts, source: Uint32Array.from(source) };
}

/** What is left of an item between cuts: a convex polygon, or a box when it is none. */
interface Piece {
  readonly box: number[];
  readonly polygon: readonly number[];
  /** How many parts it is to become. */
  readonly parts: number;
}

/** Each cut moves a corner by a few half-steps of the largest coordinate, and there are not more than 32 in a row. */
const CORNER_ERROR = 128 * EPS64;

/** Appends the bounds of the parts. */
function cutUp({ bounds, points }: TreeItems, item: number, parts: number, out: number[]): void {
  const whole = Array.from(bounds.subarray(6 * item, 6 * item + 6));
  const polygon: number[] = [];
  if (parts > 1) points(item, polygon);
  if (polygon.length !== 9) polygon.length = 0;
  const padding = polygon.length > 0 ? CORNER_ERROR * Math.max(...whole.map(Math.abs)) : 0;
  const stack: Piece[] = [{ box: whole, polygon, parts }];
  while (stack.length > 0) {
    const piece = stack.pop()!;
    const { box } = piece;
    const extents = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
    const axis = extents.indexOf(Math.max(...extents));
    const middle = 0.5 * box[axis]! + 0.5 * box[axis + 3]!;
    if (piece.parts === 1 || !(middle > box[axis]! && middle < box[axis + 3]!)) {
      // Grown by what the corners may be off, but no larger than the item.
      for (let i = 0; i < 3; i++) out.push(Math.max(whole[i]!, box[i]! - padding));
      for (let i = 3; i < 6; i++) out.push(Math.min(whole[i]!, box[i]! + padding));
      continue;
    }
    stack.push(half(piece, axis, middle, -1, piece.parts >>> 1));
    stack.push(half(piece, axis, middle, 1, piece.parts - (piece.parts >>> 1)));
  }
}

/** The half below (side 1) or above (side -1) the middle. */
function half({ box, polygon }: Piece, axis: number, middle: number, side: 1 | -1, parts: number): Piece {
  if (polygon.length === 0) {
    const rest = box.slice();
    rest[side > 0 ? axis + 3 : axis] = middle;
    return { box: rest, polygon, parts };
  }
  const kept: number[] = [];
  for (let i = 0; i < polygon.length; i += 3) {
    const next = (i + 3) % polygon.length;
    const here = side * (middle - polygon[i + axis]!);
    const there = side * (middle - polygon[next + axis]!);
    if (here >= 0) kept.push(polygon[i]!, polygon[i + 1]!, polygon[i + 2]!);
    if (!((here > 0 && there < 0) || (here < 0 && there > 0))) continue;
    const t = here / (here - there);
    for (let k = 0; k < 3; k++)
      kept.push(k === axis ? middle : polygon[i + k]! + t * (polygon[next + k]! - polygon[i + k]!));
  }
  const rest = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < kept.length; i++) {
    rest[i % 3] = Math.min(rest[i % 3]!, kept[i]!);
    rest[3 + (i % 3)] = Math.max(rest[3 + (i % 3)]!, kept[i]!);
  }
  return { box: rest, polygon: kept, parts };
}
