/**
 * What a search of a mesh knows of the shape it looks for: the box around it, and how far it reaches along some
 * directions more. The boxes of a tree are axis-aligned, so the directions that can part them from a convex shape are
 * the same for all: normals of its faces, and cross products of its edges with the axes. They are projected on once.
 */
import { BEYOND_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { makeAabb } from '../primitives/types.ts';
import type { Mesh } from './mesh.ts';

/** The most directions. */
const MOST = 26;
const STRIDE = 11;

/**
 * A filter need not be tight, only certain: it allows for all rounding before it and for the tolerance of the tests
 * after it, in parts of the coordinates. This is far below a step of the grid.
 */
const PADDING = BEYOND_ROUNDING;

/** Begun with `begin`, then directions, points and `end`, in this order. @internal */
export class ShapeBounds {
  /** The box around the shape, padded for rounding. */
  readonly box = makeAabb();
  /**
   * For each direction d, as seen from the origin of the grid: d and |d| in steps of the grid, twice the least and the
   * greatest d · x of the shape, and d itself.
   */
  private readonly slabs = new Float64Array(MOST * STRIDE);
  private count = 0;
  private readonly grid = new Float64Array(6);
  /** The largest |x| + |y| + |z| of a point of the shape or of the grid, as seen from the origin of the grid. */
  private reach = 0.5;
  /** Centre of a ball in steps of the grid, those steps, and the squared radius. */
  private readonly ball = new Float64Array(7);
  private isBall = false;

  /** Nothing yet, in the grid of a mesh. */
  begin({ tree }: Mesh): void {
    const { box, grid } = this;
    const { min, max } = box;
    min.x = min.y = min.z = Infinity;
    max.x = max.y = max.z = -Infinity;
    this.count = 0;
    this.isBall = false;
    for (let k = 0; k < 6; k++) grid[k] = tree.grid[k]!;
    this.reach = 65536 * (grid[3]! + grid[4]! + grid[5]!);
  }

  /** Adds a direction; before any point. A direction of zero does no harm. */
  addDirection({ x, y, z }: ReadonlyVec3): void {
    const { slabs, grid } = this;
    const at = STRIDE * this.count++;
    slabs[at] = x * grid[3]!;
    slabs[at + 1] = y * grid[4]!;
    slabs[at + 2] = z * grid[5]!;
    slabs[at + 3] = Math.abs(slabs[at]!);
    slabs[at + 4] = Math.abs(slabs[at + 1]!);
    slabs[at + 5] = Math.abs(slabs[at + 2]!);
    slabs[at + 6] = Infinity;
    slabs[at + 7] = -Infinity;
    slabs[at + 8] = x;
    slabs[at + 9] = y;
    slabs[at + 10] = z;
  }

  /** Adds the cross products of the edge from p to q with the axes. */
  addEdge(p: ReadonlyVec3, q: ReadonlyVec3): void {
    const x = q.x - p.x;
    const y = q.y - p.y;
    const z = q.z - p.z;
    edge.x = 0;
    edge.y = z;
    edge.z = -y;
    this.addDirection(edge);
    edge.x = -z;
    edge.y = 0;
    edge.z = x;
    this.addDirection(edge);
    edge.x = y;
    edge.y = -x;
    edge.z = 0;
    this.addDirection(edge);
  }

  /** Adds a point of the shape; the shape is the hull of all, or what is within a radius of that. */
  addPoint({ x, y, z }: ReadonlyVec3): void {
    const { box, slabs, grid, count } = this;
    const { min, max } = box;
    min.x = Math.min(min.x, x);
    min.y = Math.min(min.y, y);
    min.z = Math.min(min.z, z);
    max.x = Math.max(max.x, x);
    max.y = Math.max(max.y, y);
    max.z = Math.max(max.z, z);
    const u = x - grid[0]!;
    const v = y - grid[1]!;
    const w = z - grid[2]!;
    this.reach = Math.max(this.reach, Math.abs(u) + Math.abs(v) + Math.abs(w));
    for (let i = 0, at = 0; i < count; i++, at += STRIDE) {
      const along = 2 * (slabs[at + 8]! * u + slabs[at + 9]! * v + slabs[at + 10]! * w);
      slabs[at + 6] = Math.min(slabs[at + 6]!, along);
      slabs[at + 7] = Math.max(slabs[at + 7]!, along);
    }
  }

  /** Adds a box with half sizes along three axes, which are one after the other. */
  addBox({ x, y, z }: ReadonlyVec3, { x: hx, y: hy, z: hz }: ReadonlyVec3, e: Float64Array): void {
    const { box, slabs, grid, count } = this;
    const { min, max } = box;
    const e0 = e[0]!;
    const e1 = e[1]!;
    const e2 = e[2]!;
    const e3 = e[3]!;
    const e4 = e[4]!;
    const e5 = e[5]!;
    const e6 = e[6]!;
    const e7 = e[7]!;
    const e8 = e[8]!;
    const wide = hx * Math.abs(e0) + hy * Math.abs(e3) + hz * Math.abs(e6);
    const high = hx * Math.abs(e1) + hy * Math.abs(e4) + hz * Math.abs(e7);
    const deep = hx * Math.abs(e2) + hy * Math.abs(e5) + hz * Math.abs(e8);
    min.x = Math.min(min.x, x - wide);
    min.y = Math.min(min.y, y - high);
    min.z = Math.min(min.z, z - deep);
    max.x = Math.max(max.x, x + wide);
    max.y = Math.max(max.y, y + high);
    max.z = Math.max(max.z, z + deep);
    const u = x - grid[0]!;
    const v = y - grid[1]!;
    const w = z - grid[2]!;
    this.reach = Math.max(this.reach, Math.abs(u) + Math.abs(v) + Math.abs(w) + wide + high + deep);
    for (let i = 0, at = 0; i < count; i++, at += STRIDE) {
      const dx = 2 * slabs[at + 8]!;
      const dy = 2 * slabs[at + 9]!;
      const dz = 2 * slabs[at + 10]!;
      const middle = dx * u + dy * v + dz * w;
      const half =
        hx * Math.abs(dx * e0 + dy * e1 + dz * e2) +
        hy * Math.abs(dx * e3 + dy * e4 + dz * e5) +
        hz * Math.abs(dx * e6 + dy * e7 + dz * e8);
      slabs[at + 6] = Math.min(slabs[at + 6]!, middle - half);
      slabs[at + 7] = Math.max(slabs[at + 7]!, middle + half);
    }
  }

  /** Widens everything by the radius, a field because a number would be boxed, and by padding for rounding. */
  end({ radius }: Readonly<{ radius: number }>): void {
    const { box, slabs, count } = this;
    const size = this.reach + radius;
    for (let i = 0, at = 0; i < count; i++, at += STRIDE) {
      const x = slabs[at + 8]!;
      const y = slabs[at + 9]!;
      const z = slabs[at + 10]!;
      const more =
        2 *
        (radius * Math.sqrt(x * x + y * y + z * z) +
          PADDING * size * (Math.abs(x) + Math.abs(y) + Math.abs(z)));
      slabs[at + 6]! -= more;
      slabs[at + 7]! += more;
    }
    const { min, max } = box;
    min.x -= radius + PADDING * (size + Math.abs(min.x));
    min.y -= radius + PADDING * (size + Math.abs(min.y));
    min.z -= radius + PADDING * (size + Math.abs(min.z));
    max.x += radius + PADDING * (size + Math.abs(max.x));
    max.y += radius + PADDING * (size + Math.abs(max.y));
    max.z += radius + PADDING * (size + Math.abs(max.z));
  }

  /** The shape is a ball, so that its distance from a box decides. After `end`. */
  setBall({ x, y, z }: ReadonlyVec3, { radius }: Readonly<{ radius: number }>): void {
    const { ball, grid } = this;
    this.isBall = true;
    for (let k = 3; k < 6; k++) ball[k] = grid[k]!;
    ball[0] = (x - grid[0]!) / grid[3]!;
    ball[1] = (y - grid[1]!) / grid[4]!;
    ball[2] = (z - grid[2]!) / grid[5]!;
    const wide = radius + PADDING * (this.reach + radius);
    ball[6] = wide * wide;
  }

  /** Is there more to the shape than its box? */
  hasMoreThanBox(): boolean {
    return this.isBall || this.count > 0;
  }

  /** Has a box of the tree no point of the shape, as its distance or a direction shows? */
  isApartFromNode(bounds: Uint16Array, at: number): boolean {
    return this.isBall ? this.isApartFromBall(bounds, at) : this.isApartFromSlabs(bounds, at);
  }

  private isApartFromBall(bounds: Uint16Array, at: number): boolean {
    const { ball } = this;
    const x = ball[0]!;
    const y = ball[1]!;
    const z = ball[2]!;
    const dx = Math.max(bounds[at]! - x, x - bounds[at + 3]!, 0) * ball[3]!;
    const dy = Math.max(bounds[at + 1]! - y, y - bounds[at + 4]!, 0) * ball[4]!;
    const dz = Math.max(bounds[at + 2]! - z, z - bounds[at + 5]!, 0) * ball[5]!;
    return dx * dx + dy * dy + dz * dz > ball[6]!;
  }

  private isApartFromSlabs(bounds: Uint16Array, box: number): boolean {
    const { slabs, count } = this;
    const x0 = bounds[box]!;
    const y0 = bounds[box + 1]!;
    const z0 = bounds[box + 2]!;
    const x1 = bounds[box + 3]!;
    const y1 = bounds[box + 4]!;
    const z1 = bounds[box + 5]!;
    for (let i = 0, at = 0; i < count; i++, at += STRIDE) {
      const middle = slabs[at]! * (x0 + x1) + slabs[at + 1]! * (y0 + y1) + slabs[at + 2]! * (z0 + z1);
      const half = slabs[at + 3]! * (x1 - x0) + slabs[at + 4]! * (y1 - y0) + slabs[at + 5]! * (z1 - z0);
      if (middle - half > slabs[at + 7]! || middle + half < slabs[at + 6]!) return true;
    }
    return false;
  }

  /** Has the triangle no point of the shape, as its box or one of the directions shows? */
  isApartFromTriangle(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    const { box, slabs, grid, count } = this;
    const { x: ax, y: ay, z: az } = a;
    const { x: bx, y: by, z: bz } = b;
    const { x: cx, y: cy, z: cz } = c;
    const { min, max } = box;
    if (
      (ax < min.x && bx < min.x && cx < min.x) ||
      (ay < min.y && by < min.y && cy < min.y) ||
      (az < min.z && bz < min.z && cz < min.z) ||
      (ax > max.x && bx > max.x && cx > max.x) ||
      (ay > max.y && by > max.y && cy > max.y) ||
      (az > max.z && bz > max.z && cz > max.z)
    )
      return true;
    const ox = grid[0]!;
    const oy = grid[1]!;
    const oz = grid[2]!;
    for (let i = 0, at = 0; i < count; i++, at += STRIDE) {
      const x = slabs[at + 8]!;
      const y = slabs[at + 9]!;
      const z = slabs[at + 10]!;
      const low = 0.5 * slabs[at + 6]!;
      const high = 0.5 * slabs[at + 7]!;
      const alongA = x * (ax - ox) + y * (ay - oy) + z * (az - oz);
      const alongB = x * (bx - ox) + y * (by - oy) + z * (bz - oz);
      const alongC = x * (cx - ox) + y * (cy - oy) + z * (cz - oz);
      if ((alongA < low && alongB < low && alongC < low) || (alongA > high && alongB > high && alongC > high))
        return true;
    }
    return false;
  }
}

const edge = { x: 0.5, y: 0.5, z: 0.5 };
