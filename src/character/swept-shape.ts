/** The shapes that a character can have, in numbers for the sweeps. All stand upright: along the character's own up. */
import { checkPoint, describe, mustBeLength, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { capsule, ellipsoid } from '../shapes/round-shapes.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** An ellipsoid, a capsule, or a box that does not rotate. */
export type CharacterShape =
  | { readonly radii: ReadonlyVec3 }
  | { readonly radius: number; readonly halfHeight: number }
  | { readonly halfSize: ReadonlyVec3 };

export const ELLIPSOID = 0;
export const CAPSULE = 1;
export const BOX = 2;

/** Of the gap: how much of it may be missing before something is hit. Far more than rounding, far less than is seen. */
const TOLERANCE = 1e-6;

/** A direction, and how far a shape reaches along it: with its gap, and as large as it is swept. Loose numbers are boxed. */
export class Reach {
  x = 0.5;
  y = 0.5;
  z = 0.5;
  withGap = 0.5;
  swept = 0.5;
}

/**
 * A shape in the frame of the character: y is up. It is swept larger by the gap, less a tolerance: so something is hit before
 * the gap is lost, and what lies at the distance of the gap, but for rounding, is not.
 *
 * What an ellipsoid meets is scaled so that the ellipsoid becomes the unit sphere. Its gap is a part of its size: the gap at
 * its narrowest point.
 */
export class SweptShape {
  kind = ELLIPSOID;
  /** Half of its size. */
  hx = 0.5;
  hy = 0.5;
  hz = 0.5;
  /** What coordinates are multiplied by before sweeps: 1 / radii for an ellipsoid, else 1. */
  sx = 0.5;
  sy = 0.5;
  sz = 0.5;
  /** Of the sphere that is swept, in scaled space; and half of the capsule's segment. */
  radius = 0.5;
  half = 0.5;
  /** The gap, and the tolerance within which it may be missed, in scaled space. */
  gap = 0.5;
  tolerance = 0.5;
  /** The same in the world; the gap at the narrowest point. */
  worldGap = 0.5;
  worldTolerance = 0.5;
  /** The smallest half size. */
  least = 0.5;
  /** What `toConvex` made, and for which gap. */
  private convex: ConvexShape | null = null;
  private convexGap = 0.5;

  /** Reads and checks a shape. The gap is set by `setGap`. */
  load(caller: string, shape: CharacterShape): void {
    if (typeof shape !== 'object' || shape === null) refuseType(caller, 'shape', 'a record', shape);
    if ('radii' in shape) {
      const { x, y, z } = checkSize(caller, 'radii', shape.radii);
      this.kind = ELLIPSOID;
      this.setSize(x, y, z, 1, 0);
      this.sx = 1 / x;
      this.sy = 1 / y;
      this.sz = 1 / z;
    } else if ('halfHeight' in shape) {
      const { radius, halfHeight } = shape;
      mustBeLength(caller, 'radius', radius);
      mustBeLength(caller, 'halfHeight', halfHeight);
      if (radius === 0) refuse(caller, 'radius', 'must be above 0, got 0');
      this.kind = CAPSULE;
      this.setSize(radius, radius + halfHeight, radius, radius, halfHeight);
    } else if ('halfSize' in shape) {
      const { x, y, z } = checkSize(caller, 'halfSize', shape.halfSize);
      this.kind = BOX;
      this.setSize(x, y, z, 0, 0);
    } else
      throw new TypeError(
        `graze: ${caller}: shape must have radii, a radius and a halfHeight, or a halfSize`,
      );
  }

  private setSize(x: number, y: number, z: number, radius: number, half: number): void {
    this.hx = x;
    this.hy = y;
    this.hz = z;
    this.sx = this.sy = this.sz = 1;
    this.radius = radius;
    this.half = half;
    this.least = Math.min(x, y, z);
    this.convex = null;
  }

  /** Takes a gap, and a tolerance that is no smaller than `rounding`. The gap is so large that rounding cannot close it. */
  setGap(gap: number, rounding: number): void {
    const world = Math.max(gap, 16 * rounding);
    const tolerance = Math.max(TOLERANCE * world, rounding);
    const scale = this.kind === ELLIPSOID ? 1 / this.least : 1;
    this.worldGap = world;
    this.worldTolerance = tolerance;
    this.gap = world * scale;
    this.tolerance = tolerance * scale;
  }

  /** As large as it is swept, for queries against shapes that are not made of triangles. */
  toConvex(): ConvexShape {
    const { kind, hx, hy, hz, radius, half } = this;
    const gap = this.gap - this.tolerance;
    if (this.convex === null || this.convexGap !== gap) {
      this.convexGap = gap;
      this.convex =
        kind === ELLIPSOID
          ? ellipsoid(hx * (1 + gap), hy * (1 + gap), hz * (1 + gap))
          : kind === CAPSULE
            ? capsule(half, radius + gap)
            : box(hx + gap, hy + gap, hz + gap);
    }
    return this.convex;
  }

  /** How far it reaches along the unit vector in `out`. */
  findReach(out: Reach): void {
    const { kind, hx, hy, hz, radius, half, gap, tolerance } = this;
    const { x, y, z } = out;
    // The shape itself, and what each unit of a gap adds to it.
    let own = 0;
    let each = 1;
    if (kind === BOX) {
      own = hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
      each = Math.abs(x) + Math.abs(y) + Math.abs(z);
    } else if (kind === CAPSULE) own = radius + half * Math.abs(y);
    else {
      own = Math.sqrt(hx * x * (hx * x) + hy * y * (hy * y) + hz * z * (hz * z));
      each = own;
    }
    out.withGap = own + each * gap;
    out.swept = own + each * (gap - tolerance);
  }

  /** Moves `out` from the centre to where the shape touches something with that normal. */
  toContact({ x: nx, y: ny, z: nz }: ReadonlyVec3, out: Vec3): void {
    const { kind, hx, hy, hz, radius, half, gap, worldGap } = this;
    // From the core of the shape, along the normal.
    let by = worldGap;
    if (kind === ELLIPSOID) {
      by = 0;
      const k = (1 + gap) / Math.sqrt(hx * nx * (hx * nx) + hy * ny * (hy * ny) + hz * nz * (hz * nz));
      out.x -= hx * hx * nx * k;
      out.y -= hy * hy * ny * k;
      out.z -= hz * hz * nz * k;
    } else if (kind === CAPSULE) {
      by += radius;
      out.y -= side(ny) * half;
    } else {
      out.x -= side(nx) * hx;
      out.y -= side(ny) * hy;
      out.z -= side(nz) * hz;
    }
    out.x -= by * nx;
    out.y -= by * ny;
    out.z -= by * nz;
  }

  /**
   * Makes of the normal of a contact the shortest level way after which the point that is touched is beside the shape. Zero
   * for a box, which has no round bottom, and for what is touched straight below.
   */
  toBeside(out: Vec3): void {
    const { kind, hx, hy, hz, radius, gap } = this;
    const isScaled = kind === ELLIPSOID;
    const wx = isScaled ? hx : 1;
    const wz = isScaled ? hz : 1;
    // The normal where the shape is a sphere. Its level part is to become all of it.
    const x = wx * out.x;
    const y = isScaled ? hy * out.y : out.y;
    const z = wz * out.z;
    const level = x * x + z * z;
    const part = 1 / Math.sqrt(level) - 1 / Math.sqrt(level + y * y);
    const k = kind === BOX || !(level > 0) ? 0 : (radius + gap) * part;
    out.x = k * wx * x;
    out.y = 0;
    out.z = k * wz * z;
  }
}

const side = (n: number): number => (n > 1e-9 ? 1 : n < -1e-9 ? -1 : 0);

function checkSize(caller: string, name: string, size: ReadonlyVec3): ReadonlyVec3 {
  checkPoint(caller, name, size);
  const { x, y, z } = size;
  if (!(x > 0 && y > 0 && z > 0)) refuse(caller, name, `must be above 0, got ${describe(x)}, ${y}, ${z}`);
  return size;
}

/** A shape that moves, in scaled space: its centre, its motion, and its size as it is swept. */
export class MovingShape {
  kind = ELLIPSOID;
  x = 0.5;
  y = 0.5;
  z = 0.5;
  vx = 0.5;
  vy = 0.5;
  vz = 0.5;
  radius = 0.5;
  half = 0.5;
  hx = 0.5;
  hy = 0.5;
  hz = 0.5;
  /** The part of the motion up to the first hit so far. Loose numbers are boxed. */
  until = 0.5;
  /** Found by `findReach`. */
  reach = 0.5;

  /** As large as a shape is swept. */
  setSize({ kind, hx, hy, hz, radius, half, gap: wholeGap, tolerance }: SweptShape): void {
    const isBox = kind === BOX;
    const gap = wholeGap - tolerance;
    this.kind = kind;
    this.radius = radius + gap;
    this.half = half;
    this.hx = isBox ? hx + gap : this.radius;
    this.hy = isBox ? hy + gap : this.radius + half;
    this.hz = isBox ? hz + gap : this.radius;
  }

  /** How far it reaches along the unit normal of a plane, which is at an offset in `planes`. */
  findReach(planes: Float64Array, at: number): void {
    const ny = Math.abs(planes[at + 1]!);
    this.reach =
      this.kind === BOX
        ? this.hx * Math.abs(planes[at]!) + this.hy * ny + this.hz * Math.abs(planes[at + 2]!)
        : this.radius + this.half * ny;
  }
}

/** Where a moving shape touches a triangle. The normal is a unit vector in scaled space, from the triangle to the shape. */
export class Touch {
  t = 0.5;
  nx = 0.5;
  ny = 0.5;
  nz = 0.5;
  /** At t = 0: how far along the normal the shape must go to be free. */
  depth = 0.5;
}
