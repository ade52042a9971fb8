/**
 * Convex sets as the algorithms here see them: a core, known by its support map, and a radius of rounding. The
 * set is all points within the radius of the core. One record for all kinds, with a number for the kind: calls
 * stay monomorphic, and a support point costs a switch instead of a call through a pointer. RTCD §9.5.
 */

import { describe, refuse } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import type { SupportMap } from '../polytope/types.ts';
import type { Frame } from './frame.ts';

/** The kinds of cores. */
export const POINT = 0;
export const SEGMENT = 1;
export const BOX = 2;
/** The hull of a list of points: triangles, polygons, tetrahedra, hulls. */
export const POLYTOPE = 3;
export const CYLINDER = 4;
export const CONE = 5;
export const ELLIPSOID = 6;
/** Known by a function of the user's only. */
export const CUSTOM = 7;
/** An ellipsoid from which a ball has been taken away, as if it had been rounded by that. @internal */
export const PEELED = 8;

/**
 * In its own space. `data` holds, by type: POINT nothing (it is the origin); SEGMENT a and b; BOX half its size; POLYTOPE
 * its points; CYLINDER half its height (along y) and its radius; CONE half its height and its radius (tip at +y, base at
 * -y); ELLIPSOID its three radii; CUSTOM nothing; PEELED the radii of the ellipsoid and of the
 * ball.
 */
export interface ConvexCore {
  readonly type: number;
  readonly data: Float64Array;
  /** How far beyond the core the set goes, on all sides. */
  readonly radius: number;
  /** No point of the set is farther from the origin: what tolerances scale with. */
  readonly reach: number;
  /** A point of the core well inside of it, if it has an inside. */
  readonly center: ReadonlyVec3;
  /** The ball about the centre with this radius is in the set; 0 if nothing is known. */
  readonly inner: number;
  /**
   * Of a polytope with many points, the neighbours of each: those of point i are
   * neighbours[firstNeighbour[i]] … neighbours[firstNeighbour[i + 1] - 1]. Empty otherwise.
   */
  readonly firstNeighbour: Uint32Array;
  readonly neighbours: Uint32Array;
  /** Of a hull of some ten to fifty corners, those that may be farthest, by direction: `support-table.ts`. Empty otherwise. */
  readonly table: Uint16Array;
  /** Of a CUSTOM core. */
  readonly custom: SupportMap | null;
  /** Of a cylinder, a cone or an ellipsoid: makes a search around the axis. A core brings it, so that others do without. */
  readonly axisSearch: (() => AxisSearch) | null;
}

/** Of cores without a table. */
export const NO_TABLE: Uint16Array = /* @__PURE__ */ new Uint16Array(0);

/** Looks for the least extent of a difference in the directions around an axis: `revolution-search.ts`. */
export interface AxisSearch {
  /** The least extent, and its direction (to the first body). */
  readonly least: number;
  readonly direction: ReadonlyVec3;
  /** What lengths are multiplied by: to be set before. A field, since V8 boxes numbers that go through a call. */
  scale: number;
  /** Looks around the axis of the first core or the second: near its side, and near the best direction so far. */
  search(a: ConvexCore, b: ConvexCore, frame: Frame, first: boolean, best: ReadonlyVec3): void;
  /** Is the direction on a circle that has been searched, or near it? */
  covers(direction: ReadonlyVec3): boolean;
}

/**
 * Writes to `out` the point of the core (without its radius) that lies farthest along `direction`, which need not be a
 * unit vector; any point for a direction of zero. Returns its number in a polytope (or end of a segment, or corner of a
 * box: bits for +x, +y, +z), which serves as `hint` the next time; -1 where there are no numbers.
 */
export function supportCore(core: ConvexCore, direction: ReadonlyVec3, hint: number, out: Vec3): number {
  const { data } = core;
  const { x, y, z } = direction;
  switch (core.type) {
    case POINT:
      out.x = 0;
      out.y = 0;
      out.z = 0;
      return 0;
    case SEGMENT: {
      const along = x * (data[3]! - data[0]!) + y * (data[4]! - data[1]!) + z * (data[5]! - data[2]!);
      const at = along > 0 ? 3 : 0;
      out.x = data[at]!;
      out.y = data[at + 1]!;
      out.z = data[at + 2]!;
      return at / 3;
    }
    case BOX:
      out.x = x < 0 ? -data[0]! : data[0]!;
      out.y = y < 0 ? -data[1]! : data[1]!;
      out.z = z < 0 ? -data[2]! : data[2]!;
      return +(x >= 0) | (+(y >= 0) << 1) | (+(z >= 0) << 2);
    case POLYTOPE: {
      const { table } = core;
      if (table.length > 0) {
        const at = lookUp(data, table, direction);
        out.x = data[at]!;
        out.y = data[at + 1]!;
        out.z = data[at + 2]!;
        return (at / 3) | 0;
      }
      // Without a vertex to start from, a climb takes longer than a look at a few hundred points.
      const climbs = core.neighbours.length > 0 && (hint >= 0 || data.length > 3 * MANY);
      const best = climbs ? climb(core, direction, hint) : scanPoints(data, direction, hint);
      out.x = data[3 * best]!;
      out.y = data[3 * best + 1]!;
      out.z = data[3 * best + 2]!;
      return best;
    }
    case CYLINDER: {
      const across = Math.sqrt(x * x + z * z);
      const k = across > 0 ? data[1]! / across : 0;
      out.x = k * x;
      out.y = y < 0 ? -data[0]! : data[0]!;
      out.z = k * z;
      return -1;
    }
    case CONE: {
      const across = Math.sqrt(x * x + z * z);
      const half = data[0]!;
      // The tip, or the rim of the base: which one is farther along?
      if (half * y > across * data[1]! - half * y) {
        out.x = 0;
        out.y = half;
        out.z = 0;
      } else {
        const k = across > 0 ? data[1]! / across : 0;
        out.x = k * x;
        out.y = -half;
        out.z = k * z;
      }
      return -1;
    }
    case ELLIPSOID: {
      const a = data[0]! * x;
      const b = data[1]! * y;
      const c = data[2]! * z;
      const length = Math.sqrt(a * a + b * b + c * c);
      const k = length > 0 ? 1 / length : 0;
      out.x = data[0]! * a * k;
      out.y = data[1]! * b * k;
      out.z = data[2]! * c * k;
      return -1;
    }
    default:
      // Not here: V8 inlines what is small.
      return supportOther(core, direction, out);
  }
}

function supportOther({ type, data, custom }: ConvexCore, direction: ReadonlyVec3, out: Vec3): number {
  if (type === PEELED) {
    const { x, y, z } = direction;
    const a = data[0]! * x;
    const b = data[1]! * y;
    const c = data[2]! * z;
    const length = Math.sqrt(a * a + b * b + c * c);
    const k = length > 0 ? 1 / length : 0;
    const size = Math.sqrt(x * x + y * y + z * z);
    const less = size > 0 ? data[3]! / size : 0;
    out.x = data[0]! * a * k - less * x;
    out.y = data[1]! * b * k - less * y;
    out.z = data[2]! * c * k - less * z;
  } else if (custom === null) refuse('supportCore', 'core.type', `must be known, got ${describe(type)}`);
  else custom(direction, out);
  return -1;
}

const MANY = 256;

/** From neighbour to neighbour, as long as that leads farther: on a hull no point is missed. RTCD §9.5.4. */
function climb(
  { data, firstNeighbour, neighbours }: ConvexCore,
  { x, y, z }: ReadonlyVec3,
  hint: number,
): number {
  let best = hint >= 0 && 3 * hint < data.length ? hint : 0;
  let most = data[3 * best]! * x + data[3 * best + 1]! * y + data[3 * best + 2]! * z;
  for (;;) {
    const from = best;
    const end = firstNeighbour[from + 1]!;
    for (let i = firstNeighbour[from]!; i < end; i++) {
      const next = neighbours[i]!;
      const along = data[3 * next]! * x + data[3 * next + 1]! * y + data[3 * next + 2]! * z;
      if (along > most) {
        most = along;
        best = next;
      }
    }
    if (best === from) return best;
  }
}

/**
 * The number of the chamber of a direction: the signs of its components, and which are larger than which. Without a branch,
 * which could only be guessed.
 *
 * @internal
 */
export const chamberOf = (x: number, y: number, z: number): number =>
  +(x < 0) |
  (+(y < 0) << 1) |
  (+(z < 0) << 2) |
  (+(Math.abs(y) > Math.abs(x)) << 3) |
  (+(Math.abs(z) > Math.abs(y)) << 4) |
  (+(Math.abs(z) > Math.abs(x)) << 5);

/** Where in the data of a polytope the point begins that lies farthest along a direction, by its table. @internal */
export function lookUp(data: Float64Array, table: Uint16Array, { x, y, z }: ReadonlyVec3): number {
  const chamber = chamberOf(x, y, z);
  let i = table[chamber]!;
  const end = table[chamber + 1]!;
  let best = table[i]!;
  let most = data[best]! * x + data[best + 1]! * y + data[best + 2]! * z;
  for (i++; i < end; i++) {
    const at = table[i]!;
    const along = data[at]! * x + data[at + 1]! * y + data[at + 2]! * z;
    if (along > most) {
      most = along;
      best = at;
    }
  }
  return best;
}

/**
 * The number of the point of a list that lies farthest along a direction. `hint` is one that may be far along, or -1. Eight
 * points at a time, with one branch for them: hardly ever is one of them farther than the farthest so far.
 */
export function scanPoints(data: Float64Array, { x, y, z }: ReadonlyVec3, hint: number): number {
  const end = data.length | 0;
  let best = hint > 0 && 3 * hint < end ? 3 * hint : 0;
  let most = data[best]! * x + data[best + 1]! * y + data[best + 2]! * z;
  let at = 0;
  const last = end - 24;
  while (at < end && last >= 0) {
    if (at > last) at = last; // the last eight, some of them again
    const a = data[at]! * x + data[at + 1]! * y + data[at + 2]! * z;
    const b = data[at + 3]! * x + data[at + 4]! * y + data[at + 5]! * z;
    const c = data[at + 6]! * x + data[at + 7]! * y + data[at + 8]! * z;
    const d = data[at + 9]! * x + data[at + 10]! * y + data[at + 11]! * z;
    const e = data[at + 12]! * x + data[at + 13]! * y + data[at + 14]! * z;
    const f = data[at + 15]! * x + data[at + 16]! * y + data[at + 17]! * z;
    const g = data[at + 18]! * x + data[at + 19]! * y + data[at + 20]! * z;
    const h = data[at + 21]! * x + data[at + 22]! * y + data[at + 23]! * z;
    if (a > most || b > most || c > most || d > most || e > most || f > most || g > most || h > most) {
      if (a > most) {
        most = a;
        best = at;
      }
      if (b > most) {
        most = b;
        best = at + 3;
      }
      if (c > most) {
        most = c;
        best = at + 6;
      }
      if (d > most) {
        most = d;
        best = at + 9;
      }
      if (e > most) {
        most = e;
        best = at + 12;
      }
      if (f > most) {
        most = f;
        best = at + 15;
      }
      if (g > most) {
        most = g;
        best = at + 18;
      }
      if (h > most) {
        most = h;
        best = at + 21;
      }
    }
    at += 24;
  }
  for (; at < end; at += 3) {
    const along = data[at]! * x + data[at + 1]! * y + data[at + 2]! * z;
    if (along > most) {
      most = along;
      best = at;
    }
  }
  return (best / 3) | 0;
}
