/** Boxes in the cells of grids, one grid for each size. RTCD §7.2.1. */
import { ANY_FINITE, checkAabb } from '../math/check.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { BoxSet, type BoxVisitor, type PairList, type PairVisitor, type RayVisitor } from './box-set.ts';
import { GridCells } from './grid-cells.ts';
import { tellBox, tellPairs } from './pair-list.ts';
import { type Searchable, tellRay } from './ray-pieces.ts';

/**
 * Boxes with numbers that the owner chose, each in one cell of the grid whose cells are as large as it is, or up to
 * twice that. Adding, removing and moving a box takes constant time, wherever it goes: grids have no limits, and a box
 * that stays in its cell changes nothing. Exact for all finite coordinates and all sizes; touching counts. The same
 * calls give the same answers in the same order. Visitors may search but not change the set: that throws.
 */
export class HierarchicalGrid implements Searchable {
  private readonly set = new BoxSet('HierarchicalGrid');
  private readonly cells = new GridCells(this.set);

  /** The number of boxes. */
  get size(): number {
    return this.set.count;
  }

  /** @internal */
  get step(): number {
    return 4 * this.cells.usual;
  }

  /** Adds a box under a number that is not in use: a whole number, preferably small. */
  add(id: number, box: ReadonlyAabb): void {
    this.set.add(id, box);
    this.cells.link(id);
  }

  /** Gives box `id` new sides. */
  move(id: number, box: ReadonlyAabb): void {
    this.set.move(id, box);
    this.cells.relink(id);
  }

  /** `move` for many: `boxes` holds min x, y, z, max x, y, z of one after the other. */
  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void {
    this.set.mustBeMoves(ids, boxes);
    this.set.writeMany(ids, boxes);
    for (let i = 0; i < ids.length; i++) this.cells.relink(ids[i]!);
  }

  /** Takes a box out. Its number may be used again. */
  remove(id: number): void {
    this.set.remove(id);
    this.cells.unlink(id);
  }

  /** Tells every two boxes that share a point, each pair once. The visitor may end it by returning false. */
  pairs(visit: PairVisitor): void {
    this.set.searches++;
    try {
      tellPairs(this, visit);
    } finally {
      this.set.searches--;
    }
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  collectPairs(out: PairList): number {
    return this.cells.pairs(out);
  }

  /** Tells all boxes that share a point with this one. The visitor may end it by returning false. */
  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
    checkAabb('searchBox', 'box', box, ANY_FINITE);
    tellBox(this, this.set, box, visit);
  }

  /** Tells the boxes that the ray enters at some t in [0, tMax], the nearest first. */
  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    checkRayUpTo('searchRay', ray, tMax);
    this.set.searches++;
    try {
      tellRay(this, this.set, ray, tMax, visit);
    } finally {
      this.set.searches--;
    }
  }

  /** Removes all boxes. */
  clear(): void {
    this.set.clear();
    this.cells.clear();
  }

  /** Lists the boxes that share a point with one (six numbers), and returns how many. @internal */
  gather(box: Float64Array, out: PairList): number {
    return this.cells.search(box, out);
  }
}
