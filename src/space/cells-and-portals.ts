/**
 * Rooms and the openings between them: which cell is a moving thing in, and what can it meet? RTCD §7.6.
 *
 *   ┌────────┬────────────┐   The world is cut into convex cells. Where one may pass from a cell to another there is a
 *   │   a    ┊     b      │   portal: a convex polygon in the plane that the two share (┊). Walls are what has no portal.
 *   │  p╶╶╶╶╶┼╶╶▶ q       │   A thing that moves from p to q leaves its cell through the portal that the segment pq
 *   ├┄┄┄┄┄┄┄┄┼────────────┤   crosses, and so on from cell to cell: no search, however large the world is.
 *   │   c    │     d      │
 *   └────────┴────────────┘
 */
import {
  checkAabb,
  checkPlane,
  checkPoint,
  checkSphere,
  describe,
  mustBeFunction,
  mustBeList,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
} from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { overlapSpherePolygon, overlapTriangleAabb } from '../primitives/overlap/index.ts';
import type { ReadonlyAabb, ReadonlySphere } from '../primitives/types.ts';

/** A convex cell: all points with n·x ≤ d for each of its planes, whose normals point outwards. None is all of space. */
export interface ConvexCell {
  readonly planes: readonly ReadonlyPlane[];
}

/** An opening: a flat convex polygon in a plane that two cells share. Both may be passed through it. */
export interface Portal {
  /** The numbers of the two cells. */
  readonly a: number;
  readonly b: number;
  /** Its corners in order, at least three; either way around. */
  readonly polygon: readonly ReadonlyVec3[];
}

export interface CellOptions {
  /** Finds the cell of a point that was lost, or -1: a BSP tree, say. Default: looks at the cells one by one. */
  readonly locate?: (point: ReadonlyVec3) => number;
}

/** What a cell is asked for. */
export type CellVolume = ReadonlySphere | ReadonlyAabb;

/** How tracking went. */
export interface CellCounters {
  /** Portals that were passed. */
  crossings: number;
  /** Times a thing was not where its portals lead to, and was looked for. */
  relocations: number;
}

interface Tracked {
  cell: number;
  volume: CellVolume;
  /** Its own cell and those that it reaches into. */
  cells: number[];
  stamp: number;
}

interface Opening {
  readonly to: number;
  /** Of its plane, away from the cell. */
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly d: number;
  readonly portal: number;
}

/**
 * Convex cells joined by portals, and things (spheres or boxes) that move from cell to cell under numbers of the owner's.
 *
 * The cell of a thing is that of its center. It holds by construction: after a move along the portals the new center is
 * tested against the planes of the cell, and a thing that is not there (it jumped, was put through a wall, or passed an
 * edge where rounding decides) is looked for. Points on the boundary belong to any of the cells that share it.
 *
 * What is in one cell meets what is in another only through portals: a wall hides it, however near.
 */
export class CellsAndPortals {
  readonly cells: readonly ConvexCell[];
  readonly portals: readonly Portal[];
  readonly counters: CellCounters = { crossings: 0, relocations: 0 };
  private readonly find: (point: ReadonlyVec3) => number;
  private readonly openings: Opening[][];
  private readonly members: Set<number>[];
  private readonly things = new Map<number, Tracked>();
  /** The last search that came by each cell. */
  private readonly seen: Float64Array;
  private stamp = 0;

  constructor(cells: readonly ConvexCell[], portals: readonly Portal[], options: CellOptions = {}) {
    const caller = 'CellsAndPortals';
    mustBeOptions(caller, 'options', options, 'locate');
    mustBeList(caller, 'cells', cells);
    mustBeList(caller, 'portals', portals);
    const { locate } = options;
    if (locate !== undefined) mustBeFunction(caller, 'options.locate', locate);
    cells.forEach((cell, i) => {
      mustHave(caller, `cells[${i}]`, cell, 'a cell {planes}', 'planes');
      mustBeList(caller, `cells[${i}].planes`, cell.planes);
      cell.planes.forEach((plane, k) => {
        checkPlane(caller, `cells[${i}].planes[${k}]`, plane);
      });
    });
    this.cells = cells;
    this.portals = portals;
    this.find = locate ?? ((point) => this.scan(point));
    this.members = cells.map(() => new Set());
    this.seen = new Float64Array(cells.length);
    this.openings = cells.map(() => []);
    portals.forEach((portal, i) => {
      this.open(portal, i);
    });
  }

  /** The number of things. */
  get size(): number {
    return this.things.size;
  }

  /** Is the point in the cell, or on its boundary? */
  contains(cell: number, point: ReadonlyVec3): boolean {
    mustBeWhole('contains', 'cell', cell, 0, this.cells.length - 1);
    checkPoint('contains', 'point', point);
    return this.holds(cell, point);
  }

  /** The number of a cell that the point is in; -1 if it is in none. */
  locate(point: ReadonlyVec3): number {
    checkPoint('locate', 'point', point);
    return this.search(point);
  }

  /** The cell of a point that moved from one place to another, starting in a cell (-1: in none, or none that is known). */
  track(cell: number, from: ReadonlyVec3, to: ReadonlyVec3): number {
    mustBeWhole('track', 'cell', cell, -1, this.cells.length - 1);
    checkPoint('track', 'from', from);
    checkPoint('track', 'to', to);
    return this.walk(cell, from, to);
  }

  /**
   * The cells that a sphere or a box reaches into: the one that its center is in, and those behind the portals that it
   * overlaps, and behind the portals of these. Empty for cell -1. `out` is overwritten.
   */
  reached(cell: number, volume: CellVolume, out: number[] = []): number[] {
    mustBeWhole('reached', 'cell', cell, -1, this.cells.length - 1);
    checkVolume('reached', volume);
    return this.flood(cell, volume, out);
  }

  /** Adds a thing under a number that is not in use. */
  add(id: number, volume: CellVolume): void {
    mustBeWhole('add', 'id', id, 0, Number.MAX_SAFE_INTEGER);
    if (this.things.has(id)) refuse('add', 'id', `must not be in use, got ${describe(id)}`);
    checkVolume('add', volume);
    const copy = copyOf(volume);
    const cell = this.search(centerOf(copy));
    const thing: Tracked = { cell, volume: copy, cells: this.flood(cell, copy, []), stamp: 0 };
    this.things.set(id, thing);
    for (const c of thing.cells) this.members[c]!.add(id);
  }

  /** Moves a thing along the straight way from where it is, and returns its cell, or -1. */
  move(id: number, volume: CellVolume): number {
    const thing = this.thing('move', id);
    checkVolume('move', volume);
    const copy = copyOf(volume);
    thing.cell = this.walk(thing.cell, centerOf(thing.volume), centerOf(copy));
    thing.volume = copy;
    for (const c of thing.cells) this.members[c]!.delete(id);
    this.flood(thing.cell, copy, thing.cells);
    for (const c of thing.cells) this.members[c]!.add(id);
    return thing.cell;
  }

  remove(id: number): void {
    for (const c of this.thing('remove', id).cells) this.members[c]!.delete(id);
    this.things.delete(id);
  }

  /** The cell of a thing, or -1. */
  cellOf(id: number): number {
    return this.thing('cellOf', id).cell;
  }

  /** Its own cell and the cells that it reaches into. */
  cellsOf(id: number): readonly number[] {
    return this.thing('cellsOf', id).cells;
  }

  /**
   * Visits the other things that are in one of the cells of a thing, each once: what it may meet. The visitor may end it by
   * returning false, may search, and may change what it likes: all are found before the first is visited.
   */
  searchNear(id: number, visit: (other: number) => unknown): void {
    const thing = this.thing('searchNear', id);
    mustBeFunction('searchNear', 'visit', visit);
    const stamp = ++this.stamp;
    thing.stamp = stamp;
    const found: number[] = [];
    for (const c of thing.cells)
      for (const other of this.members[c]!) {
        const one = this.things.get(other)!;
        if (one.stamp === stamp) continue;
        one.stamp = stamp;
        found.push(other);
      }
    for (const other of found) if (visit(other) === false) return;
  }

  private thing(caller: string, id: number): Tracked {
    const thing = this.things.get(id);
    if (!thing) refuse(caller, 'id', `must be that of a thing, got ${describe(id)}`);
    return thing;
  }

  private open(portal: Portal, index: number): void {
    const caller = 'CellsAndPortals';
    const name = `portals[${index}]`;
    mustHave(caller, name, portal, 'a portal {a, b, polygon}', 'polygon');
    const { a, b, polygon } = portal;
    mustBeWhole(caller, `${name}.a`, a, 0, this.cells.length - 1);
    mustBeWhole(caller, `${name}.b`, b, 0, this.cells.length - 1);
    if (a === b) refuse(caller, name, 'must join two cells, not one with itself');
    mustBeList(caller, `${name}.polygon`, polygon);
    if (polygon.length < 3) refuse(caller, `${name}.polygon`, 'must have at least three corners');
    polygon.forEach((corner, k) => {
      checkPoint(caller, `${name}.polygon[${k}]`, corner);
    });
    // The plane of `a` that the polygon is in, or nearest to: the polygon's own plane would have another rounding.
    const { planes } = this.cells[a]!;
    let best = -1;
    let least = Infinity;
    planes.forEach(({ normal: n, d }, k) => {
      const length = Math.sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
      let off = 0;
      for (const { x, y, z } of polygon) off = Math.max(off, Math.abs(n.x * x + n.y * y + n.z * z - d));
      if (off / length < least) {
        least = off / length;
        best = k;
      }
    });
    if (best < 0) refuse(caller, name, 'must lie in a plane of its first cell');
    const { normal: n, d } = planes[best]!;
    this.openings[a]!.push({ to: b, nx: n.x, ny: n.y, nz: n.z, d, portal: index });
    this.openings[b]!.push({ to: a, nx: -n.x, ny: -n.y, nz: -n.z, d: -d, portal: index });
  }

  private holds(cell: number, { x, y, z }: ReadonlyVec3): boolean {
    const { planes } = this.cells[cell]!;
    for (let i = 0; i < planes.length; i++) {
      const { normal: n, d } = planes[i]!;
      if (n.x * x + n.y * y + n.z * z - d > 0) return false;
    }
    return true;
  }

  private scan(point: ReadonlyVec3): number {
    for (let cell = 0; cell < this.cells.length; cell++) if (this.holds(cell, point)) return cell;
    return -1;
  }

  private search(point: ReadonlyVec3): number {
    const cell = this.find(point);
    if (!(Number.isInteger(cell) && cell >= -1 && cell < this.cells.length))
      refuse('locate', 'options.locate', `must return a cell or -1, got ${describe(cell)}`);
    return cell;
  }

  private walk(start: number, from: ReadonlyVec3, to: ReadonlyVec3): number {
    let cell = start;
    if (cell >= 0) {
      // No cell twice: where rounding leads around an edge, the walk ends, and the test below decides.
      const stamp = ++this.stamp;
      for (let next = cell; next >= 0; ) {
        cell = next;
        this.seen[cell] = stamp;
        next = this.exit(cell, from, to, stamp);
        if (next >= 0) this.counters.crossings++;
      }
      if (this.holds(cell, to)) return cell;
    }
    this.counters.relocations++;
    return this.search(to);
  }

  /** The cell behind the portal through which the segment leaves; -1 if it stays, or if there is none. */
  private exit(cell: number, p: ReadonlyVec3, q: ReadonlyVec3, stamp: number): number {
    const openings = this.openings[cell]!;
    for (let i = 0; i < openings.length; i++) {
      const { to, nx, ny, nz, d, portal } = openings[i]!;
      if (!(nx * q.x + ny * q.y + nz * q.z - d > 0) || this.seen[to] === stamp) continue;
      if (passes(p, q, this.portals[portal]!.polygon)) return to;
    }
    return -1;
  }

  private flood(cell: number, volume: CellVolume, out: number[]): number[] {
    out.length = 0;
    if (cell < 0) return out;
    const stamp = ++this.stamp;
    out.push(cell);
    this.seen[cell] = stamp;
    for (let i = 0; i < out.length; i++)
      for (const { to, portal } of this.openings[out[i]!]!) {
        if (this.seen[to] === stamp || !overlaps(volume, this.portals[portal]!.polygon)) continue;
        this.seen[to] = stamp;
        out.push(to);
      }
    return out;
  }
}

/**
 * Does the line of pq pass through a convex polygon? It does if it passes all edges on the same side, by the volumes of the
 * tetrahedra that it spans with them (RTCD §5.3.4); a line through an edge counts.
 */
function passes(p: ReadonlyVec3, q: ReadonlyVec3, polygon: readonly ReadonlyVec3[]): boolean {
  const dx = q.x - p.x;
  const dy = q.y - p.y;
  const dz = q.z - p.z;
  let left = false;
  let right = false;
  let last = polygon[polygon.length - 1]!;
  for (let i = 0; i < polygon.length; i++) {
    const corner = polygon[i]!;
    const ax = last.x - p.x;
    const ay = last.y - p.y;
    const az = last.z - p.z;
    const bx = corner.x - p.x;
    const by = corner.y - p.y;
    const bz = corner.z - p.z;
    const volume = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
    left ||= volume > 0;
    right ||= volume < 0;
    if (left && right) return false;
    last = corner;
  }
  return true;
}

function overlaps(volume: CellVolume, polygon: readonly ReadonlyVec3[]): boolean {
  if ('radius' in volume) return overlapSpherePolygon(volume, polygon);
  for (let i = 2; i < polygon.length; i++)
    if (overlapTriangleAabb(polygon[0]!, polygon[i - 1]!, polygon[i]!, volume)) return true;
  return false;
}

function checkVolume(caller: string, volume: CellVolume): void {
  if (volume !== null && typeof volume === 'object' && 'radius' in volume)
    checkSphere(caller, 'volume', volume);
  else checkAabb(caller, 'volume', volume);
}

function copyOf(volume: CellVolume): CellVolume {
  if ('radius' in volume) {
    const { x, y, z } = volume.center;
    return { center: { x, y, z }, radius: volume.radius };
  }
  const { min, max } = volume;
  return { min: { x: min.x, y: min.y, z: min.z }, max: { x: max.x, y: max.y, z: max.z } };
}

function centerOf(volume: CellVolume): ReadonlyVec3 {
  if ('radius' in volume) return volume.center;
  const { min, max } = volume;
  return { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 };
}
