/** A convex polygon in a buffer that is used again: for clipping by the million. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/** With more corners a polygon is not cut any further, and stays larger than it need be. */
const MOST_CORNERS = 32;

const heights = new Float64Array(MOST_CORNERS);
const kept = new Float64Array(3 * MOST_CORNERS + 3);
const both = new Float64Array(6 * MOST_CORNERS);
const order = new Int32Array(2 * MOST_CORNERS);
const chain = new Int32Array(4 * MOST_CORNERS + 1);
const normal = vec3();
const p = vec3();
const q = vec3();
const r = vec3();

/** @internal */
export class Winding {
  /** Corner i is at numbers 3 i, 3 i + 1 and 3 i + 2. */
  readonly at = new Float64Array(3 * MOST_CORNERS);
  /** Of corners; 0 if nothing is left. */
  count = 0;
  /** Has `clip` taken something off since this was set to false? */
  isCut = false;

  set(points: readonly ReadonlyVec3[]): this {
    const { at } = this;
    this.count = Math.min(points.length, MOST_CORNERS);
    for (let i = 0; i < this.count; i++) {
      const { x, y, z } = points[i]!;
      at[3 * i] = x;
      at[3 * i + 1] = y;
      at[3 * i + 2] = z;
    }
    return this;
  }

  copy({ at, count }: Winding): this {
    this.count = count;
    for (let i = 0; i < 3 * count; i++) this.at[i] = at[i]!;
    return this;
  }

  /** Keeps what is in front of the plane or on it, n · x >= d. Is anything left? */
  clip({ x: nx, y: ny, z: nz }: ReadonlyVec3, d: number): boolean {
    const { at, count } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const height = nx * at[3 * i]! + ny * at[3 * i + 1]! + nz * at[3 * i + 2]! - d;
      heights[i] = height;
      if (height < low) low = height;
      if (height > high) high = height;
    }
    if (low >= 0) return count > 0;
    this.isCut = true;
    if (high < 0) {
      this.count = 0;
      return false;
    }
    // A plane cuts off corners and adds two, of which one takes the place of a corner.
    if (count === MOST_CORNERS) return true;
    let length = 0;
    let a = count - 1;
    for (let b = 0; b < count; b++) {
      const heightA = heights[a]!;
      const heightB = heights[b]!;
      if (heightA >= 0 !== heightB >= 0) {
        const t = heightA / (heightA - heightB);
        for (let c = 0; c < 3; c++) kept[length++] = at[3 * a + c]! + t * (at[3 * b + c]! - at[3 * a + c]!);
      }
      if (heightB >= 0) for (let c = 0; c < 3; c++) kept[length++] = at[3 * b + c]!;
      a = b;
    }
    this.count = length >= 9 ? length / 3 : 0;
    for (let i = 0; i < 3 * this.count; i++) at[i] = kept[i]!;
    return this.count > 0;
  }

  /**
   * Becomes the convex hull of itself and another in the same plane, or nothing if that has too many corners. False, and stays as
   * it is, if it holds the other, within a distance. Either may go round either way.
   */
  growBy(other: Winding, { x, y, z }: ReadonlyVec3, within: number): boolean {
    // Seen along the axis that the plane is most across.
    const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
    const axis = ax > ay ? (ax > az ? 0 : 2) : ay > az ? 1 : 2;
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    if (this.holds(other, u, v, within)) return false;
    const { at, count } = this;
    const total = count + other.count;
    for (let i = 0; i < 3 * count; i++) both[i] = at[i]!;
    for (let i = 0; i < 3 * other.count; i++) both[3 * count + i] = other.at[i]!;
    for (let i = 0; i < total; i++) {
      let k = i;
      for (; k > 0 && isBefore(i, order[k - 1]!, u, v); k--) order[k] = order[k - 1]!;
      order[k] = i;
    }
    // Andrew's monotone chain, RTCD §3.9.1: the lower side, then the upper one.
    let length = 0;
    for (let pass = 0; pass < 2; pass++) {
      const start = length;
      for (let i = 0; i < total; i++) {
        const p = order[pass === 0 ? i : total - 1 - i]!;
        while (length >= start + 2 && turn(chain[length - 2]!, chain[length - 1]!, p, u, v) <= 0) length--;
        chain[length++] = p;
      }
      length--;
    }
    this.count = length < 3 || length > MOST_CORNERS ? 0 : length;
    for (let i = 0; i < this.count; i++) for (let c = 0; c < 3; c++) at[3 * i + c] = both[3 * chain[i]! + c]!;
    return true;
  }

  corner(i: number, out: Vec3): Vec3 {
    out.x = this.at[3 * i]!;
    out.y = this.at[3 * i + 1]!;
    out.z = this.at[3 * i + 2]!;
    return out;
  }

  /** The mean of the corners. */
  middle(out: Vec3): Vec3 {
    const { at, count } = this;
    out.x = 0;
    out.y = 0;
    out.z = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      out.x += at[i]! / count;
      out.y += at[i + 1]! / count;
      out.z += at[i + 2]! / count;
    }
    return out;
  }

  /** How far the farthest corner is from a point. */
  reachFrom({ x, y, z }: ReadonlyVec3): number {
    const { at, count } = this;
    let most = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      const dx = at[i]! - x;
      const dy = at[i + 1]! - y;
      const dz = at[i + 2]! - z;
      most = Math.max(most, dx * dx + dy * dy + dz * dz);
    }
    return Math.sqrt(most);
  }

  /** Is it no wider than this, about? By its area and its perimeter. */
  isNarrow(width: number): boolean {
    const { count } = this;
    const sum = vec3();
    let perimeter = 0;
    this.corner(0, p);
    for (let i = 0; i < count; i++) {
      this.corner(i, q);
      this.corner((i + 1) % count, r);
      perimeter += v3.distance(q, r);
      v3.add(sum, v3.cross(v3.sub(q, p, q), v3.sub(r, p, r)), sum);
    }
    return v3.length(sum) <= width * perimeter;
  }

  private holds(other: Winding, u: number, v: number, within: number): boolean {
    const { at, count } = this;
    // Doors of either direction have the same corners: which way these go round, they tell.
    let area = 0;
    for (let i = 1; i + 1 < count; i++)
      area +=
        (at[3 * i + u]! - at[u]!) * (at[3 * i + 3 + v]! - at[v]!) -
        (at[3 * i + v]! - at[v]!) * (at[3 * i + 3 + u]! - at[u]!);
    const sign = area > 0 ? 1 : -1;
    for (let i = 0; i < count; i++) {
      const a = 3 * i;
      const b = 3 * ((i + 1) % count);
      const du = at[b + u]! - at[a + u]!;
      const dv = at[b + v]! - at[a + v]!;
      const slack = within * Math.sqrt(du * du + dv * dv);
      for (let k = 0; k < other.count; k++) {
        const pu = other.at[3 * k + u]! - at[a + u]!;
        const pv = other.at[3 * k + v]! - at[a + v]!;
        if (sign * (du * pv - dv * pu) < -slack) return false;
      }
    }
    return true;
  }
}

function isBefore(p: number, q: number, u: number, v: number): boolean {
  const difference = both[3 * p + u]! - both[3 * q + u]!;
  return difference < 0 || (difference === 0 && both[3 * p + v]! < both[3 * q + v]!);
}

function turn(a: number, b: number, c: number, u: number, v: number): number {
  const bu = both[3 * b + u]! - both[3 * a + u]!;
  const bv = both[3 * b + v]! - both[3 * a + v]!;
  const cu = both[3 * c + u]! - both[3 * a + u]!;
  const cv = both[3 * c + v]! - both[3 * a + v]!;
  return bu * cv - bv * cu;
}

/**
 * Clips `target` to what lines through `source` and then `pass` may come to: by the planes through an edge of one and a corner of the
 * other that have the two on different sides. Is anything left? Teller 1992, §4.3.
 *
 * Corners are off by rounding. How far a plane through three of them is off at the target grows with its distance, in proportion to
 * the size of their triangle: so much more of the target is kept. @internal
 */
export function clipBySeparators(
  source: Winding,
  pass: Winding,
  target: Winding,
  thickness: number,
): boolean {
  return clipByEdges(source, pass, target, 1, thickness) && clipByEdges(pass, source, target, -1, thickness);
}

/** Planes with an edge of one; the target is on the side of the other if `side` is 1. */
function clipByEdges(
  { at, count }: Winding,
  other: Winding,
  target: Winding,
  side: 1 | -1,
  thickness: number,
): boolean {
  const flat = thickness / 64;
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * (i + 1 < count ? i + 1 : 0);
    const ax = at[a]!;
    const ay = at[a + 1]!;
    const az = at[a + 2]!;
    const ux = at[b]! - ax;
    const uy = at[b + 1]! - ay;
    const uz = at[b + 2]! - az;
    const edge = Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (!(edge > thickness)) continue;
    for (let k = 0; k < other.count; k++) {
      const vx = other.at[3 * k]! - ax;
      const vy = other.at[3 * k + 1]! - ay;
      const vz = other.at[3 * k + 2]! - az;
      let nx = uy * vz - uz * vy;
      let ny = uz * vx - ux * vz;
      let nz = ux * vy - uy * vx;
      const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (!(area > thickness * edge)) continue;
      nx /= area;
      ny /= area;
      nz /= area;
      const d = nx * ax + ny * ay + nz * az;
      normal.x = nx;
      normal.y = ny;
      normal.z = nz;
      const own = sideOf(at, count, d, flat);
      if (own === 0 || sideOf(other.at, other.count, d, flat) !== -own) continue;
      // The normal points to the side of the target.
      const sign = -side * own;
      normal.x = sign * nx;
      normal.y = sign * ny;
      normal.z = sign * nz;
      p.x = ax;
      p.y = ay;
      p.z = az;
      const far = target.reachFrom(p);
      const more = thickness * (1 + far / Math.min(edge, area / edge));
      if (!target.clip(normal, sign * d - more)) return false;
    }
  }
  return true;
}

/** 1 or -1 if all corners are on that side of the plane, or on it; 0 if they are on both, or all on it. */
function sideOf(at: Float64Array, count: number, d: number, flat: number): -1 | 0 | 1 {
  const { x, y, z } = normal;
  let low = 0;
  let high = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    const height = x * at[i]! + y * at[i + 1]! + z * at[i + 2]! - d;
    if (height < low) low = height;
    if (height > high) high = height;
  }
  if (low < -flat) return high > flat ? 0 : -1;
  return high > flat ? 1 : 0;
}
