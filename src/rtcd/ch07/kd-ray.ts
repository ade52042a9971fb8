/**
 * Rays through a k-d tree of boxes, cell by cell, near to far. RTCD §7.4.1.
 *
 * For study. Production finds the boxes on a ray in trees of bounding volumes (`trees/query.ts`, `broadphase/`), which hold
 * each box once, and in `space/box-grid.ts`.
 */
import { checkNumbers, mustBeFunction, mustBeOptions, mustBeWhole, refuse } from '../../math/check.ts';
import { checkRayUpTo } from '../../primitives/input.ts';
import { rayAabb } from '../../primitives/ray/index.ts';
import type { ReadonlyRay } from '../../primitives/types.ts';

interface Split {
  readonly axis: 0 | 1 | 2;
  readonly at: number;
  readonly low: KdCell;
  readonly high: KdCell;
}
type KdCell = Split | readonly number[];

const isLeaf = (cell: KdCell): cell is readonly number[] => Array.isArray(cell);
const AXES = ['x', 'y', 'z'] as const;

/** Boxes that do not move, in every cell that they touch, for rays. */
export class KdBoxTree {
  readonly boxes: Float64Array;
  private readonly root: KdCell;

  /** `boxes` holds min x, y, z, max x, y, z of one after the other. */
  constructor(
    boxes: ArrayLike<number>,
    options: { readonly leafSize?: number; readonly depth?: number } = {},
  ) {
    mustBeOptions('KdBoxTree', 'options', options, 'leafSize depth');
    const { leafSize = 4, depth = 16 } = options;
    mustBeWhole('KdBoxTree', 'options.leafSize', leafSize, 1, Infinity);
    mustBeWhole('KdBoxTree', 'options.depth', depth, 0, 40);
    checkNumbers('KdBoxTree', 'boxes', boxes, 1e75);
    if (boxes.length % 6 !== 0)
      refuse('KdBoxTree', 'boxes', `must hold six numbers a box, got ${boxes.length}`);
    this.boxes = Float64Array.from(boxes);
    const divide = (items: readonly number[], level: number): KdCell => {
      if (items.length <= leafSize || level === depth) return items;
      const split = this.chooseSplit(items);
      if (!split) return items;
      const { axis, at } = split;
      const low = items.filter((i) => this.boxes[6 * i + axis]! <= at);
      const high = items.filter((i) => this.boxes[6 * i + axis + 3]! >= at);
      // No box has gone from either side: there is nothing to gain here.
      if (low.length === items.length && high.length === items.length) return items;
      return { axis, at, low: divide(low, level + 1), high: divide(high, level + 1) };
    };
    this.root = divide(
      Array.from({ length: boxes.length / 6 }, (_, i) => i),
      0,
    );
  }

  /** The middle of the centers along the axis on which they are spread the most; null if they are all in one place. */
  private chooseSplit(items: readonly number[]): { axis: 0 | 1 | 2; at: number } | null {
    let best: { axis: 0 | 1 | 2; at: number } | null = null;
    let widest = 0;
    for (const axis of [0, 1, 2] as const) {
      const centers = items.map((i) => this.boxes[6 * i + axis]! / 2 + this.boxes[6 * i + axis + 3]! / 2);
      const [low, high] = [Math.min(...centers), Math.max(...centers)];
      if (!(high - low > widest)) continue;
      widest = high - low;
      best = { axis, at: low / 2 + high / 2 };
    }
    return best;
  }

  /**
   * Visits the cells that a ray passes through at some t in [0, tMax], near to far, with the boxes in them and the stretch of
   * the ray in the cell. All times are those of the original ray, so that nothing is lost by rounding on the way down. Which
   * side of a plane is near is decided by where the origin is, or if it is on the plane by the direction (the book's listing
   * takes any side then, and loses hits); a ray in the plane passes through both sides. Ends when the visitor returns false.
   */
  walk(
    ray: ReadonlyRay,
    tMax: number,
    visit: (items: readonly number[], enter: number, exit: number) => unknown,
  ): void {
    checkRayUpTo('walk', ray, tMax);
    mustBeFunction('walk', 'visit', visit);
    const waiting: { cell: KdCell; enter: number; exit: number }[] = [
      { cell: this.root, enter: 0, exit: tMax },
    ];
    while (waiting.length > 0) {
      // The first in the order of t: on both sides of a plane that the ray is in, cells take turns.
      let first = waiting.length - 1;
      for (let i = first - 1; i >= 0; i--) if (waiting[i]!.enter < waiting[first]!.enter) first = i;
      const { cell, enter, exit } = waiting.splice(first, 1)[0]!;
      if (isLeaf(cell)) {
        if (visit(cell, enter, exit) === false) return;
        continue;
      }
      const o = ray.origin[AXES[cell.axis]!];
      const d = ray.direction[AXES[cell.axis]!];
      if (o === cell.at && d === 0) {
        waiting.push({ cell: cell.high, enter, exit }, { cell: cell.low, enter, exit });
        continue;
      }
      const startsLow = o < cell.at || (o === cell.at && d < 0);
      const [near, far] = startsLow ? [cell.low, cell.high] : [cell.high, cell.low];
      // Touching counts: a box that ends at the plane is on both sides of it.
      const t = (cell.at - o) / d;
      const crosses = t >= 0 && t <= exit;
      if (crosses) waiting.push({ cell: far, enter: Math.max(enter, t), exit });
      if (!crosses || t >= enter) waiting.push({ cell: near, enter, exit: crosses ? t : exit });
    }
  }

  /**
   * The first box that a ray hits, and when; null if there is none. A hit beyond the cell is not final: a nearer box may be in
   * a later cell. It is kept, and taken once the walk comes to its time. A box is tested once, whatever cells it is in.
   */
  raycast(ray: ReadonlyRay, tMax = Infinity): { item: number; t: number } | null {
    const tested = new Set<number>();
    let best: { item: number; t: number } | null = null;
    this.walk(ray, tMax, (items, enter) => {
      if (best !== null && best.t < enter) return false;
      for (const item of items) {
        if (tested.has(item)) continue;
        tested.add(item);
        const [ax, ay, az, bx, by, bz] = this.boxes.subarray(6 * item, 6 * item + 6) as unknown as Six;
        const hit = rayAabb(ray, { min: { x: ax, y: ay, z: az }, max: { x: bx, y: by, z: bz } }, tMax);
        if (hit && (best === null || hit.t < best.t || (hit.t === best.t && item < best.item)))
          best = { item, t: hit.t };
      }
      return true;
    });
    return best;
  }
}

type Six = readonly [number, number, number, number, number, number];
