/** Where the distances of a level set come from: a mesh, or a function. Asked along rows, so that neighbours help. */
import { refuse } from '../../../math/check.ts';
import { EPS64 } from '../../../math/float.ts';
import { type ReadonlyVec3, vec3 } from '../../../math/types.ts';
import { closestOnTriangle } from '../../../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../../../primitives/closest/types.ts';
import { makeAabb, type ReadonlyAabb } from '../../../primitives/types.ts';
import { NearestSearch, searchNearest } from '../../../trimesh/closest.ts';
import { isClosed } from '../../../trimesh/derived.ts';
import { isInside } from '../../../trimesh/inside.ts';
import { loadTriangle, type Mesh, makeCorners } from '../../../trimesh/mesh.ts';
import { type TriangleVisitor, visitNear } from '../../../trimesh/visit-triangles.ts';
import { boxDistance } from '../field.ts';

export interface DistanceSource {
  /** The solid is in it. */
  readonly bounds: ReadonlyAabb;
  /** Are its values distances? If not, they change by no more than distances do. */
  readonly isDistance: boolean;
  /** Is its sign that of a winding number, which changes across a hole too? */
  readonly hasHoles: boolean;
  /** The signed distance of a point; best asked from point to point. */
  at(x: number, y: number, z: number): number;
  /** The points that are asked about next are in a ball. */
  enter(x: number, y: number, z: number, radius: number): void;
}

/** A little more than 1: squares of roots are rounded. */
const WIDER = 1 + 8 * EPS64;

/** Triangles that may be the nearest ones to points of a ball; more are not kept: the tree is as good. */
const MOST_NEAR = 1024;

export class MeshDistance implements DistanceSource, TriangleVisitor {
  readonly bounds: ReadonlyAabb;
  readonly isDistance = true;
  readonly hasHoles: boolean;
  /** Of the walk to the triangles near to a ball. */
  bound = 0.5;
  private readonly mesh: Mesh;
  private readonly search = new NearestSearch();
  private readonly corners = makeCorners();
  private readonly nearest = makeTrianglePoint();
  private readonly last = vec3(Infinity, Infinity, Infinity);
  private lastSlot = -1;
  private lastDistance = 0.5;
  private lastInside = false;
  /** The triangles near to the ball that was entered: how many, or -1; balls around them; their slots. */
  private nearCount = -1;
  private readonly balls = new Float64Array(4 * MOST_NEAR);
  private readonly slots = new Int32Array(MOST_NEAR);
  private readonly box = makeAabb();

  constructor(mesh: Mesh) {
    this.mesh = mesh;
    this.bounds = mesh.bounds;
    this.hasHoles = !isClosed(mesh);
  }

  enter(x: number, y: number, z: number, radius: number): void {
    const { min, max } = this.box;
    this.nearCount = -1;
    min.x = max.x = x;
    min.y = max.y = y;
    min.z = max.z = z;
    const middle = Math.abs(this.at(x, y, z));
    // From a point of the ball the nearest triangle is no farther than this from its centre.
    this.bound = (middle + 2 * radius) * WIDER;
    this.nearCount = 0;
    visitNear(this.mesh, this.box, this);
  }

  visit(slot: number): void {
    const { corners, box, balls, nearCount } = this;
    if (nearCount < 0) return;
    loadTriangle(this.mesh, slot, corners);
    const { a, b, c } = corners;
    const x = (Math.min(a.x, b.x, c.x) + Math.max(a.x, b.x, c.x)) / 2;
    const y = (Math.min(a.y, b.y, c.y) + Math.max(a.y, b.y, c.y)) / 2;
    const z = (Math.min(a.z, b.z, c.z) + Math.max(a.z, b.z, c.z)) / 2;
    const radius = Math.max(away(a, x, y, z), away(b, x, y, z), away(c, x, y, z));
    if (away(box.min, x, y, z) - radius > this.bound) return;
    if (nearCount === MOST_NEAR) {
      this.nearCount = this.bound = -1;
      return;
    }
    balls[4 * nearCount] = x;
    balls[4 * nearCount + 1] = y;
    balls[4 * nearCount + 2] = z;
    balls[4 * nearCount + 3] = radius * WIDER;
    this.slots[nearCount] = slot;
    this.nearCount++;
  }

  at(x: number, y: number, z: number): number {
    const { mesh, search, last, lastDistance } = this;
    const { point } = search;
    point.x = x;
    point.y = y;
    point.z = z;
    // The triangle that was nearest to the last point is not far, as a rule: nothing farther is looked at.
    const known = this.lastSlot < 0 ? Infinity : this.distanceFrom(this.lastSlot);
    if (this.nearCount < 0) {
      search.maxDistance = known * WIDER;
      const slot = searchNearest(search, mesh);
      if (slot >= 0) this.lastSlot = slot;
      this.lastDistance = slot < 0 ? known : Math.sqrt(search.distanceSq);
    } else this.lastDistance = this.nearestOfBall(known);
    // Two balls without surface that touch: it does not pass between their centres.
    const step = away(last, x, y, z);
    const isSameSide = !this.hasHoles && step * WIDER < this.lastDistance + lastDistance;
    if (!isSameSide) this.lastInside = isInside(point, mesh);
    last.x = x;
    last.y = y;
    last.z = z;
    return this.lastInside ? -this.lastDistance : this.lastDistance;
  }

  private nearestOfBall(known: number): number {
    const { nearCount, balls, search, slots } = this;
    const { x, y, z } = search.point;
    let best = known;
    for (let i = 0, at = 0; i < nearCount; i++, at += 4) {
      const dx = x - balls[at]!;
      const dy = y - balls[at + 1]!;
      const dz = z - balls[at + 2]!;
      const reach = best + balls[at + 3]!;
      if (!(dx * dx + dy * dy + dz * dz < reach * reach)) continue;
      const distance = this.distanceFrom(slots[i]!);
      if (!(distance < best)) continue;
      best = distance;
      this.lastSlot = slots[i]!;
    }
    return best;
  }

  private distanceFrom(slot: number): number {
    const { corners, search, nearest } = this;
    loadTriangle(this.mesh, slot, corners);
    return Math.sqrt(closestOnTriangle(search.point, corners.a, corners.b, corners.c, nearest).distanceSq);
  }
}

function away(p: ReadonlyVec3, x: number, y: number, z: number): number {
  const dx = p.x - x;
  const dy = p.y - y;
  const dz = p.z - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

export class FunctionDistance implements DistanceSource {
  readonly bounds: ReadonlyAabb;
  readonly isDistance = false;
  readonly hasHoles = false;
  private readonly f: (p: ReadonlyVec3) => number;
  private readonly lipschitz: number;
  private readonly last = vec3();
  private lastValue = Number.NaN;

  constructor(f: (p: ReadonlyVec3) => number, bounds: ReadonlyAabb, lipschitz: number) {
    this.f = f;
    this.bounds = bounds;
    this.lipschitz = lipschitz;
  }

  enter(): void {}

  at(x: number, y: number, z: number): number {
    const { last, lastValue } = this;
    const value = finiteValue('levelSet', this.f, x, y, z) / this.lipschitz;
    const step = away(last, x, y, z);
    if (
      Math.abs(value - lastValue) >
      step * (1 + STEEP) + STEEP * (Math.abs(value) + Math.abs(x) + Math.abs(y) + Math.abs(z))
    )
      refuse(
        'levelSet',
        'f',
        `must not change faster than lipschitz says, but is ${lastValue * this.lipschitz} at (${last.x}, ${last.y}, ${last.z}) ` +
          `and ${value * this.lipschitz} at (${x}, ${y}, ${z})`,
      );
    last.x = x;
    last.y = y;
    last.z = z;
    this.lastValue = value;
    return Math.max(value, boxDistance(this.bounds, last));
  }
}

/** Relative: what rounding may add to a change of a function. */
const STEEP = 1e-9;

/** Never believes what is not finite. The function sees a copy: it may ask other queries, or keep what it is given. */
export function finiteValue(
  caller: string,
  f: (p: ReadonlyVec3) => number,
  x: number,
  y: number,
  z: number,
): number {
  let value: unknown;
  try {
    value = f(vec3(x, y, z));
  } catch (cause) {
    throw new Error(
      `graze: ${caller}: f threw at (${x}, ${y}, ${z}): ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (typeof value !== 'number' || !(Math.abs(value) < Infinity))
    refuse(caller, 'f', `must give a finite number, but gives ${String(value)} at (${x}, ${y}, ${z})`);
  return value;
}
