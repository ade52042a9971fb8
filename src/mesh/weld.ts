/** Joining vertices that should have been one. RTCD §12.1. */
import {
  checkNumbers,
  checkPoint,
  describe,
  mustBeNumber,
  mustNotBeNegative,
  refuse,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';
import { hashPoint, isNear, PointGrid } from './point-grid.ts';
import { type Positions, readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';
/**
 * - `first`: each vertex joins the first one kept that is nearer than the tolerance, if any. No vertex moves by the
 *   tolerance or more, and those kept are at least that far apart. Expected O(n).
 * - `sorted`: the same after sorting, so that the positions kept do not depend on the order of the vertices. O(n log n).
 * - `average`: vertices linked by steps shorter than the tolerance become one at their average. It does not matter
 *   which comes first; but a chain of short steps, however long, becomes one vertex, and averages may end up nearer to
 *   each other than the tolerance.
 */
export type WeldMethod = 'first' | 'sorted' | 'average';

/** Vertices after welding. */
export interface Weld {
  /** The vertices that are left, as the type of array that was given (`Float64Array` for a plain one). */
  readonly positions: Positions;
  /** For each vertex given, the one that it has become. */
  readonly remap: Uint32Array;
}

/** Triangles after welding. */
export interface WeldedTriangles extends Triangles {
  /** For each vertex given, the one that it has become, or -1 if no triangle uses it any more. */
  readonly remap: Int32Array;
  /** For each triangle that is left, its number before. */
  readonly source: Uint32Array;
  /** The triangles dropped because two of their corners became one. */
  readonly collapsed: Uint32Array;
}

/**
 * Welds vertices as they come: each is compared with those kept so far and is joined with the first of them that is
 * nearer than the tolerance (or equal to it, which is all that a tolerance of 0 welds). Expected O(1) a vertex, by a
 * hashed grid.
 */
export class VertexWelder {
  private readonly tolerance: number;
  private readonly grid: PointGrid;
  private readonly kept: number[] = [];

  constructor(tolerance: number) {
    mustNotBeNegative('VertexWelder', 'tolerance', tolerance);
    this.tolerance = tolerance;
    // Cells of twice the tolerance would do; with twice that again, the mean number of cells to look at drops to 3.4.
    this.grid = new PointGrid(4 * tolerance);
  }

  /** The number of vertices kept. */
  get count(): number {
    return this.kept.length / 3;
  }

  /** The number of the vertex that a point becomes: one kept before, or a new one. */
  add(point: ReadonlyVec3): number {
    checkPoint('VertexWelder', 'point', point);
    const { x, y, z } = point;
    mustMatter('VertexWelder', this.tolerance, Math.max(Math.abs(x), Math.abs(y), Math.abs(z)));
    return this.join(x, y, z);
  }

  /** The vertices kept, three numbers each. */
  positions(): Float64Array {
    return Float64Array.from(this.kept);
  }

  /** @internal Without the checks. */
  join(x: number, y: number, z: number): number {
    const { tolerance, grid, kept } = this;
    const limit = tolerance * tolerance;
    const candidates = grid.gather(x, y, z, tolerance);
    let first = kept.length / 3;
    for (let i = 0; i < candidates; i++) {
      const p = grid.found[i]!;
      const dx = kept[3 * p]! - x;
      const dy = kept[3 * p + 1]! - y;
      const dz = kept[3 * p + 2]! - z;
      if (p < first && isNear(dx * dx + dy * dy + dz * dz, limit)) first = p;
    }
    if (3 * first === kept.length) {
      grid.add(x, y, z);
      kept.push(x, y, z);
    }
    return first;
  }
}

/**
 * Welds vertices that are nearer to each other than `tolerance`; equal ones always. Refuses a positive tolerance so
 * small that it is lost beside the coordinates. RTCD §12.1.
 */
export function weld(positions: ArrayLike<number>, tolerance: number, method: WeldMethod = 'first'): Weld {
  mustBeNumber('weld', 'tolerance', tolerance);
  checkNumbers('weld', 'positions', positions);
  // Any triangle will do: it is the positions that are checked.
  const given =
    positions.length === 0
      ? new Float64Array(0)
      : readTriangles('weld', { positions, index: [0, 0, 0] }).positions;
  mustBeTolerance('weld', tolerance, given);
  return weldPositions(given, tolerance, method);
}

/**
 * Welds the vertices of triangles, which need no index: a soup comes out indexed. Triangles with two corners in one
 * are dropped, and so are vertices that no triangle uses.
 */
export function weldTriangles(
  triangles: TrianglesLike,
  tolerance: number,
  method: WeldMethod = 'first',
): WeldedTriangles {
  mustBeNumber('weldTriangles', 'tolerance', tolerance);
  const { positions, index } = readTriangles('weldTriangles: triangles', triangles);
  mustBeTolerance('weldTriangles', tolerance, positions);
  const { positions: welded, remap } = weldPositions(positions, tolerance, method);

  const kept: number[] = [];
  const source: number[] = [];
  const collapsed: number[] = [];
  for (let i = 0; i < index.length; i += 3) {
    const a = remap[index[i]!]!;
    const b = remap[index[i + 1]!]!;
    const c = remap[index[i + 2]!]!;
    if (a === b || b === c || c === a) collapsed.push(i / 3);
    else {
      source.push(i / 3);
      kept.push(a, b, c);
    }
  }
  const used = compact(kept, welded.length / 3);
  return {
    positions: pickPositions(welded, used.vertices),
    index: Uint32Array.from(kept, (v) => used.newIndex[v]!),
    remap: Int32Array.from(remap, (v) => used.newIndex[v]!),
    source: Uint32Array.from(source),
    collapsed: Uint32Array.from(collapsed),
  };
}

/** @internal Without the checks. */
export function weldPositions(positions: Positions, tolerance: number, method: WeldMethod): Weld {
  switch (method) {
    case 'first':
      return weldFirst(positions, tolerance);
    case 'sorted':
      return weldSorted(positions, tolerance);
    case 'average':
      return weldClusters(positions, tolerance);
    default:
      refuse('weld', 'method', `must be 'first', 'sorted' or 'average', got ${describe(method)}`);
  }
}

/**
 * Throws unless a tolerance is 0 or changes every coordinate that it is added to.
 *
 * @internal
 */
export function mustBeTolerance(caller: string, tolerance: number, positions: ArrayLike<number>): void {
  mustNotBeNegative(caller, 'tolerance', tolerance);
  let largest = 0;
  for (let i = 0; i < positions.length; i++) largest = Math.max(largest, Math.abs(positions[i]!));
  mustMatter(caller, tolerance, largest);
}

function mustMatter(caller: string, tolerance: number, largest: number): void {
  if (tolerance > 0 && largest + tolerance === largest)
    refuse(
      caller,
      'tolerance',
      `is lost beside coordinates as large as ${largest}, got ${describe(tolerance)}`,
    );
}

/**
 * The vertices in use, in the order of their first use, and for each vertex its index among them or -1.
 *
 * @internal
 */
export function compact(
  corners: ArrayLike<number>,
  vertexCount: number,
): { vertices: number[]; newIndex: Int32Array } {
  const newIndex = new Int32Array(vertexCount).fill(-1);
  const vertices: number[] = [];
  for (let i = 0; i < corners.length; i++) {
    const v = corners[i]!;
    if (newIndex[v]! >= 0) continue;
    newIndex[v] = vertices.length;
    vertices.push(v);
  }
  return { vertices, newIndex };
}

function pickPositions(positions: Positions, vertices: readonly number[]): Positions {
  const picked =
    positions instanceof Float32Array
      ? new Float32Array(3 * vertices.length)
      : new Float64Array(3 * vertices.length);
  vertices.forEach((v, i) => {
    for (let k = 0; k < 3; k++) picked[3 * i + k] = positions[3 * v + k]!;
  });
  return picked;
}

function weldFirst(positions: Positions, tolerance: number): Weld {
  if (tolerance === 0) return weldEqual(positions);
  const welder = new VertexWelder(tolerance);
  const remap = new Uint32Array(positions.length / 3);
  for (let v = 0; v < remap.length; v++)
    remap[v] = welder.join(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
  const kept = welder.positions();
  return { positions: positions instanceof Float32Array ? Float32Array.from(kept) : kept, remap };
}

/** Equal vertices become one: by a table of those kept, searched from the hash of the position on. @internal */
export function weldEqual(positions: Positions): Weld {
  const count = positions.length / 3;
  const remap = new Uint32Array(count);
  const kept = positions.slice();
  // At least twice as many slots as vertices: a search ends after a step or two.
  const slots = new Int32Array(count === 0 ? 1 : 2 << (32 - Math.clz32(count))).fill(-1);
  const mask = slots.length - 1;
  let used = 0;
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v]!;
    const y = positions[3 * v + 1]!;
    const z = positions[3 * v + 2]!;
    let slot = hashPoint(x, y, z) & mask;
    let w = slots[slot]!;
    while (w >= 0 && !(kept[3 * w] === x && kept[3 * w + 1] === y && kept[3 * w + 2] === z)) {
      slot = (slot + 1) & mask;
      w = slots[slot]!;
    }
    if (w < 0) {
      w = used++;
      slots[slot] = w;
      kept[3 * w] = x;
      kept[3 * w + 1] = y;
      kept[3 * w + 2] = z;
    }
    remap[v] = w;
  }
  return { positions: kept.slice(0, 3 * used), remap };
}

/** Welding when all vertices are known from the start. RTCD §12.1. */

/**
 * Vertices in ascending order of |x| + |y| + |z|, then of x, y and z: each, unless welded already, takes in the
 * following ones that are nearer than the tolerance.
 */
function weldSorted(positions: Positions, tolerance: number): Weld {
  const count = positions.length / 3;
  const sums = new Float64Array(count);
  for (let v = 0; v < count; v++)
    sums[v] = Math.abs(positions[3 * v]!) + Math.abs(positions[3 * v + 1]!) + Math.abs(positions[3 * v + 2]!);
  const order = Uint32Array.from(sums.keys()).sort(
    (v, w) =>
      sums[v]! - sums[w]! ||
      positions[3 * v]! - positions[3 * w]! ||
      positions[3 * v + 1]! - positions[3 * w + 1]! ||
      positions[3 * v + 2]! - positions[3 * w + 2]! ||
      v - w,
  );

  const grid = new PointGrid(2 * tolerance);
  for (let v = 0; v < count; v++) grid.add(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
  const limit = tolerance * tolerance;
  const taken = new Int32Array(count).fill(-1);
  for (const v of order) {
    if (taken[v]! >= 0) continue;
    taken[v] = v;
    // Vertices kept are the tolerance apart: a cell is looked through for a few of them, however many it has.
    const candidates = grid.gather(
      positions[3 * v]!,
      positions[3 * v + 1]!,
      positions[3 * v + 2]!,
      tolerance,
    );
    for (let i = 0; i < candidates; i++) {
      const w = grid.found[i]!;
      if (taken[w]! < 0 && isNear(distanceSq(positions, v, w), limit)) taken[w] = v;
    }
  }
  return gatherKept(positions, taken);
}

/**
 * Vertices linked by steps shorter than the tolerance, joined at their average. Vertices in neighbouring cells of a
 * grid are compared pair by pair.
 */
function weldClusters(positions: Positions, tolerance: number): Weld {
  const count = positions.length / 3;
  const limit = tolerance * tolerance;
  const sets = disjointSets(count);
  const grid = new PointGrid(2 * tolerance);
  const added: number[] = [];
  // Of those at one position only one is compared: many of them cost no more than that.
  const positionGrid = new PointGrid(0);
  const firsts: number[] = [];
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v]!;
    const y = positions[3 * v + 1]!;
    const z = positions[3 * v + 2]!;
    const same = firstAt(positionGrid, firsts, positions, v);
    if (same !== v) {
      joinSets(sets, v, same);
      continue;
    }
    const candidates = grid.gather(x, y, z, tolerance);
    for (let i = 0; i < candidates; i++) {
      const w = added[grid.found[i]!]!;
      if (isNear(distanceSq(positions, v, w), limit)) joinSets(sets, v, w);
    }
    grid.add(x, y, z);
    added.push(v);
  }

  const roots = sets.map((_, v) => findRoot(sets, v));
  const result = gatherKept(positions, roots);
  // Sums of differences, which are small, instead of coordinates, which may not be.
  const offset = new Float64Array(result.positions.length);
  const members = new Uint32Array(offset.length / 3);
  for (let v = 0; v < count; v++) {
    const to = result.remap[v]!;
    members[to]!++;
    for (let k = 0; k < 3; k++) offset[3 * to + k]! += positions[3 * v + k]! - result.positions[3 * to + k]!;
  }
  for (let i = 0; i < offset.length; i++) result.positions[i]! += offset[i]! / members[Math.floor(i / 3)]!;
  return result;
}

/** The first vertex at the position of v, which is v itself if it is new: then it is added. */
function firstAt(positionGrid: PointGrid, firsts: number[], positions: Positions, v: number): number {
  const candidates = positionGrid.gather(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!, 0);
  for (let i = 0; i < candidates; i++) {
    const w = firsts[positionGrid.found[i]!]!;
    if (distanceSq(positions, v, w) === 0) return w;
  }
  positionGrid.add(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
  firsts.push(v);
  return v;
}

/** Numbers the vertices kept (those that are their own representatives or are named by one) by first appearance. */
function gatherKept(positions: Positions, representative: Int32Array): Weld {
  const newIndex = new Int32Array(representative.length).fill(-1);
  const remap = new Uint32Array(representative.length);
  const kept: number[] = [];
  for (let v = 0; v < remap.length; v++) {
    const r = representative[v]!;
    if (newIndex[r]! < 0) {
      newIndex[r] = kept.length / 3;
      kept.push(positions[3 * r]!, positions[3 * r + 1]!, positions[3 * r + 2]!);
    }
    remap[v] = newIndex[r]!;
  }
  return {
    positions: positions instanceof Float32Array ? Float32Array.from(kept) : Float64Array.from(kept),
    remap,
  };
}

function distanceSq(positions: Positions, v: number, w: number): number {
  const dx = positions[3 * v]! - positions[3 * w]!;
  const dy = positions[3 * v + 1]! - positions[3 * w + 1]!;
  const dz = positions[3 * v + 2]! - positions[3 * w + 2]!;
  return dx * dx + dy * dy + dz * dz;
}
