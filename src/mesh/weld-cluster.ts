/** Welding when all vertices are known from the start. RTCD §12.1. */
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';
import { isNear, PointGrid } from './point-grid.ts';
import type { Positions } from './triangles.ts';
import type { Weld } from './weld.ts';

/**
 * Vertices in ascending order of |x| + |y| + |z|, then of x, y and z: each, unless welded already, takes in the
 * following ones that are nearer than the tolerance.
 *
 * @internal
 */
export function weldSorted(positions: Positions, tolerance: number): Weld {
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
 *
 * @internal
 */
export function weldClusters(positions: Positions, tolerance: number): Weld {
  const count = positions.length / 3;
  const limit = tolerance * tolerance;
  const sets = disjointSets(count);
  const grid = new PointGrid(2 * tolerance);
  const added: number[] = [];
  // Of those at one place one is compared: a heap of them is no more work than that.
  const places = new PointGrid(0);
  const firsts: number[] = [];
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v]!;
    const y = positions[3 * v + 1]!;
    const z = positions[3 * v + 2]!;
    const same = firstAt(places, firsts, positions, v);
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

/** The first vertex at the place of v, which is v itself if it is new: then it is added. */
function firstAt(places: PointGrid, firsts: number[], positions: Positions, v: number): number {
  const candidates = places.gather(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!, 0);
  for (let i = 0; i < candidates; i++) {
    const w = firsts[places.found[i]!]!;
    if (distanceSq(positions, v, w) === 0) return w;
  }
  places.add(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
  firsts.push(v);
  return v;
}

/** Numbers the vertices kept (those that are their own representatives or are named by one) by first appearance. */
function gatherKept(positions: Positions, representative: Int32Array): Weld {
  const place = new Int32Array(representative.length).fill(-1);
  const remap = new Uint32Array(representative.length);
  const kept: number[] = [];
  for (let v = 0; v < remap.length; v++) {
    const r = representative[v]!;
    if (place[r]! < 0) {
      place[r] = kept.length / 3;
      kept.push(positions[3 * r]!, positions[3 * r + 1]!, positions[3 * r + 2]!);
    }
    remap[v] = place[r]!;
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
