/**
 * How often does a closed mesh wind around a point? As often as a ray from the point leaves it through a triangle, less the
 * times that it enters it: exact, because all signs are. RTCD §5.4.3.
 */
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import { copy } from '../math/vec3.ts';
import { isOnTriangle, side } from '../primitives/overlap/side.ts';
import { makeAabb } from '../primitives/types.ts';
import { isLeaf, leafEnd, leafFirst } from '../trees/packed-tree.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';
import { BoxWalk } from './visit-triangles.ts';

/**
 * A ray from a point along an axis, up or down. Everything is seen with the coordinates rotated, so that the ray runs along
 * ±z: that mirrors nothing.
 *
 * @internal
 */
export class AxisRay {
  /** The axis of the ray. */
  axis = 2;
  up = true;
  /** The point, rotated; and some point straight over it. */
  readonly p = vec3(0.5, 0.5, 0.5);
  readonly over = vec3(0.5, 0.5, 0.5);
  // The current triangle, as it is and rotated.
  private readonly corners = makeCorners();
  private readonly a = vec3(0.5, 0.5, 0.5);
  private readonly b = vec3(0.5, 0.5, 0.5);
  private readonly c = vec3(0.5, 0.5, 0.5);
  /** Of the ray, or of the point. */
  private readonly box = makeAabb();
  private readonly walk = new BoxWalk();

  /** Starts at a point, in the direction that leaves the bounds soonest. */
  aim(point: ReadonlyVec3, { bounds }: Mesh): void {
    const { x, y, z } = point;
    const { min, max } = bounds;
    const dx = Math.min(x - min.x, max.x - x);
    const dy = Math.min(y - min.y, max.y - y);
    const dz = Math.min(z - min.z, max.z - z);
    if (dx < dy && dx < dz) {
      this.axis = 0;
      this.up = max.x - x === dx;
    } else if (dy < dz) {
      this.axis = 1;
      this.up = max.y - y === dy;
    } else {
      this.axis = 2;
      this.up = max.z - z === dz;
    }
    const { p, over } = this;
    this.rotate(point, p);
    over.x = p.x;
    over.y = p.y;
    over.z = p.z + (1 + Math.abs(p.z));
  }

  rotate({ x, y, z }: ReadonlyVec3, out: Vec3): void {
    const { axis } = this;
    out.x = axis === 2 ? x : axis === 0 ? y : z;
    out.y = axis === 2 ? y : axis === 0 ? z : x;
    out.z = axis === 2 ? z : axis === 0 ? x : y;
  }

  /**
   * Triangles that the ray leaves the mesh through, less those that it enters through. Where it hits an edge or a vertex
   * it is taken as moved aside by (δ, δ²) with an infinitely small δ > 0: then it hits none, and neighbours agree on
   * which of them it goes through.
   */
  crossings(point: ReadonlyVec3, mesh: Mesh): number {
    const { tree } = mesh;
    const { walk, box, axis } = this;
    copy(point, box.min);
    copy(point, box.max);
    const end = this.up ? box.max : box.min;
    const far = this.up ? Infinity : -Infinity;
    if (axis === 0) end.x = far;
    else if (axis === 1) end.y = far;
    else end.z = far;
    walk.start(mesh, box);
    let sum = 0;
    for (let link = walk.next(tree, null); isLeaf(link); link = walk.next(tree, null))
      for (let i = leafFirst(link), stop = leafEnd(link); i < stop; i++) sum += this.crossing(mesh, i);
    return sum;
  }

  /** Is the point on a triangle, exactly? */
  startsOn(point: ReadonlyVec3, mesh: Mesh): boolean {
    const { tree } = mesh;
    const { walk, box } = this;
    this.axis = 2;
    this.rotate(point, this.p);
    copy(point, box.min);
    copy(point, box.max);
    walk.start(mesh, box);
    for (let link = walk.next(tree, null); isLeaf(link); link = walk.next(tree, null))
      for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) if (this.isOn(mesh, i)) return true;
    return false;
  }

  private load(mesh: Mesh, i: number): void {
    const { corners } = this;
    loadTriangle(mesh, i, corners);
    this.rotate(corners.a, this.a);
    this.rotate(corners.b, this.b);
    this.rotate(corners.c, this.c);
  }

  /** Is p outside of the box around the triangle as seen along the ray? */
  private isAside(): boolean {
    const { a, b, c, p } = this;
    return (
      (a.x < p.x && b.x < p.x && c.x < p.x) ||
      (a.x > p.x && b.x > p.x && c.x > p.x) ||
      (a.y < p.y && b.y < p.y && c.y < p.y) ||
      (a.y > p.y && b.y > p.y && c.y > p.y)
    );
  }

  /** Is the triangle below the point, or above it? */
  private isBeyond(above: boolean): boolean {
    const { a, b, c, p } = this;
    return above ? a.z > p.z && b.z > p.z && c.z > p.z : a.z < p.z && b.z < p.z && c.z < p.z;
  }

  private isOn(mesh: Mesh, i: number): boolean {
    this.load(mesh, i);
    return (
      !(this.isAside() || this.isBeyond(false) || this.isBeyond(true)) &&
      isOnTriangle(this.p, this.a, this.b, this.c)
    );
  }

  /** 1 when the ray goes through triangle i from its back, -1 from its front, 0 when it does not. */
  private crossing(mesh: Mesh, i: number): number {
    const { a, b, c, p, up } = this;
    this.load(mesh, i);
    if (this.isAside() || this.isBeyond(!up)) return 0;
    // 1 when p is in the triangle, seen from above, and the corners are counter-clockwise; -1 when they are clockwise.
    const winding = this.edgeCrossing(a, b) + this.edgeCrossing(b, c) + this.edgeCrossing(c, a);
    if (winding === 0) return 0;
    const height = side(a, b, c, p) * winding; // > 0 when p is above
    return up ? (height < 0 ? winding : 0) : height > 0 ? -winding : 0;
  }

  /** Seen from above: does a ray along +x from p, moved by (δ, δ²), cross the edge from u to v, upwards (1) or down? */
  private edgeCrossing(u: ReadonlyVec3, v: ReadonlyVec3): number {
    const { p, over } = this;
    const rises = v.y > p.y;
    if (u.y > p.y === rises) return 0;
    const orientation = -side(u, v, over, p); // > 0 when p is left of the edge
    return rises ? (orientation > 0 ? 1 : 0) : orientation < 0 ? -1 : 0;
  }
}

const ray = new AxisRay();

/** @internal */
export function isBeyondBounds({ x, y, z }: ReadonlyVec3, { bounds }: Mesh): boolean {
  const { min, max } = bounds;
  return x < min.x || y < min.y || z < min.z || x > max.x || y > max.y || z > max.z;
}

/** Is the point on a triangle, exactly? @internal */
export const isOnSurface = (point: ReadonlyVec3, mesh: Mesh): boolean =>
  !isBeyondBounds(point, mesh) && ray.startsOn(point, mesh);

/** Does a closed mesh wind around a point that is not on it? As `isSurrounded`, exactly. @internal */
export function isSurroundedByClosed(point: ReadonlyVec3, mesh: Mesh): boolean {
  if (isBeyondBounds(point, mesh)) return false;
  ray.aim(point, mesh);
  return ray.crossings(point, mesh) > 0;
}

/** Is the point inside of a closed mesh, or on a triangle? As `isInside`, exactly. @internal */
export const isInsideClosed = (point: ReadonlyVec3, mesh: Mesh): boolean =>
  isSurroundedByClosed(point, mesh) || isOnSurface(point, mesh);
