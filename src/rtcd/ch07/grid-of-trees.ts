/**
 * A grid over trees, and a grid into a tree. RTCD §7.3.8.
 *
 * For study. Production: `broadphase/loose-octree.ts`, which needs no grid above it, and `space/kd-tree.ts`, whose upper levels
 * are made like a grid.
 */

import { LooseOctree } from '../../broadphase/loose-octree.ts';
import { checkAabb, checkPoint, describe, mustBeFunction, mustBeWhole, refuse } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';

/**
 * A tree in each cell of a grid. A box is in the tree of the cell that its center is in, also where it reaches into others:
 * cells are loose by the largest half-size of a box in them, and searches look in all cells whose loose ones they touch.
 */
export class GridOfTrees {
  private readonly side: number;
  private readonly cells = new Map<
    string,
    { tree: LooseOctree; x: number; y: number; z: number; reach: number }
  >();
  private readonly homes = new Map<number, string>();

  constructor(side: number) {
    if (!(side > 0 && side < Infinity))
      refuse('GridOfTrees', 'side', `must be above 0, got ${describe(side)}`);
    this.side = side;
  }

  get size(): number {
    return this.homes.size;
  }

  add(id: number, box: ReadonlyAabb): void {
    if (this.homes.has(id)) refuse('add', 'id', `must not be in use, got ${describe(id)}`);
    checkAabb('add', 'box', box);
    const { min, max } = box;
    const x = Math.floor((min.x / 2 + max.x / 2) / this.side);
    const y = Math.floor((min.y / 2 + max.y / 2) / this.side);
    const z = Math.floor((min.z / 2 + max.z / 2) / this.side);
    const key = `${x} ${y} ${z}`;
    const cell = this.cells.get(key) ?? { tree: new LooseOctree(), x, y, z, reach: 0 };
    this.cells.set(key, cell);
    cell.tree.add(id, box);
    // A little more than half, for the center was rounded.
    cell.reach = Math.max(cell.reach, 0.5001 * Math.max(max.x - min.x, max.y - min.y, max.z - min.z));
    this.homes.set(id, key);
  }

  remove(id: number): void {
    const key = this.homes.get(id);
    if (key === undefined) refuse('remove', 'id', `must be that of a box, got ${describe(id)}`);
    const { tree } = this.cells.get(key)!;
    tree.remove(id);
    if (tree.size === 0) this.cells.delete(key);
    this.homes.delete(id);
  }

  search(box: ReadonlyAabb, visit: (id: number) => unknown): void {
    checkAabb('search', 'box', box);
    mustBeFunction('search', 'visit', visit);
    const { side } = this;
    const { min, max } = box;
    let goesOn = true;
    for (const { tree, x, y, z, reach } of this.cells.values()) {
      const pad = reach + 1e-9 * side;
      if (
        min.x > (x + 1) * side + pad ||
        max.x < x * side - pad ||
        min.y > (y + 1) * side + pad ||
        max.y < y * side - pad ||
        min.z > (z + 1) * side + pad ||
        max.z < z * side - pad
      )
        continue;
      tree.searchBox(box, (id) => {
        goesOn = visit(id) !== false;
        return goesOn;
      });
      if (!goesOn) return;
    }
  }
}

/** An octree over a cube, to a fixed depth, in which the way to the cell of a point begins at the entry of a grid. */
export class EntryGrid {
  private readonly min: readonly number[];
  private readonly side: number;
  private readonly depth: number;
  private readonly gridDepth: number;
  /** Which nodes of the octree are divided, by level and cell. */
  private readonly divided = new Set<string>();
  /** The level of the deepest node that holds each cell of the grid. */
  private readonly entries: Uint8Array;
  /** Nodes that were looked at by the last `locate`. */
  steps = 0;

  /** A node is divided where there is more than one of the points in it. The grid has 2^gridDepth cells a side. */
  constructor(points: readonly ReadonlyVec3[], cube: ReadonlyAabb, depth: number, gridDepth: number) {
    checkAabb('EntryGrid', 'cube', cube);
    mustBeWhole('EntryGrid', 'depth', depth, 0, 20);
    mustBeWhole('EntryGrid', 'gridDepth', gridDepth, 0, Math.min(6, depth));
    points.forEach((p, i) => {
      checkPoint('EntryGrid', `points[${i}]`, p);
    });
    const { min, max } = cube;
    this.min = [min.x, min.y, min.z];
    this.side = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    this.depth = depth;
    this.gridDepth = gridDepth;
    for (let level = 0; level < depth; level++) {
      const seen = new Set<string>();
      for (const p of points) {
        const key = this.key(p, level);
        if (seen.has(key)) this.divided.add(key);
        seen.add(key);
      }
    }
    const count = 1 << gridDepth;
    this.entries = new Uint8Array(count * count * count);
    for (let i = 0; i < this.entries.length; i++) {
      const cell = [i % count, Math.floor(i / count) % count, Math.floor(i / count / count)];
      let level = 0;
      while (
        level < gridDepth &&
        this.divided.has(`${level} ${cell.map((c) => c >> (gridDepth - level)).join(' ')}`)
      )
        level++;
      this.entries[i] = level;
    }
  }

  /** The level of the leaf that a point is in; from the entry, or with `fromRoot` from the root. */
  locate(p: ReadonlyVec3, fromRoot = false): number {
    checkPoint('locate', 'p', p);
    const count = 1 << this.gridDepth;
    const [x, y, z] = this.cell(p, this.gridDepth) as [number, number, number];
    let level = fromRoot ? 0 : this.entries[x + count * (y + count * z)]!;
    this.steps = 1;
    while (level < this.depth && this.divided.has(this.key(p, level))) {
      level++;
      this.steps++;
    }
    return level;
  }

  private cell({ x, y, z }: ReadonlyVec3, level: number): number[] {
    const count = 1 << this.depth;
    // Cells of all levels from that of the deepest one: they nest, whatever is rounded. The largest coordinate is in the last.
    return [x, y, z].map((c, k) => {
      const at = Math.floor(((c - this.min[k]!) / this.side) * count);
      return (at > 0 ? Math.min(at, count - 1) : 0) >> (this.depth - level);
    });
  }

  private key(p: ReadonlyVec3, level: number): string {
    return `${level} ${this.cell(p, level).join(' ')}`;
  }
}
