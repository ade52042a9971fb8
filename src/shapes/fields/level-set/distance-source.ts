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
import { BLOCK, PLANE, SAMPLES, SIDE } from './grid.ts';
import { NearTriangles } from './near-triangles.ts';

export interface DistanceSource {
  /** The solid is in it. */
  readonly bounds: ReadonlyAabb;
  /** Are its values distances? If not, they change by no more than distances do. */
  readonly isDistance: boolean;
  /** Is its sign that of a winding number, which changes across a hole too? */
  readonly hasHoles: boolean;
  /** The signed distance of a point; best asked from point to point. */
  at(x: number, y: number, z: number): number;
  /** Those of the grid points of a block from (x, y, z) on, x first: fills in what is NaN. */
  fill(x: number, y: number, z: number, spacing: number, list: Float64Array): void;
}

/** A little more than 1: squares of roots are rounded. */
const WIDER = 1 + 8 * EPS64;
/** Distances at hand were rounded to 32 bits. */
const APART = 1 + 1e-6;

/** Triangles that may be the nearest ones to points of a block; more are not kept: the tree is as good. */
const MOST_NEAR = 1024;
/** From half of the side of a cube to its radius. */
const RADIUS = 1.7320508075688774;

export class MeshDistance implements DistanceSource, TriangleVisitor {
  readonly bounds: ReadonlyAabb;
  readonly isDistance = true;
  readonly hasHoles: boolean;
  /** Of the walk to the triangles near to a block. */
  bound = 0.5;
  private readonly mesh: Mesh;
  private readonly search = new NearestSearch();
  private readonly corners = makeCorners();
  private readonly onTriangle = makeTrianglePoint();
  private readonly last = vec3(Infinity, Infinity, Infinity);
  private lastSlot = -1;
  private lastDistance = 0.5;
  private lastInside = false;
  /** The triangles near to a block, the tangents of their distances at its middle and at that of an octant, and which are near to that. */
  private readonly near = new NearTriangles(MOST_NEAR, 28);
  private readonly atBlock = this.near.makeTangents();
  private readonly atOctant = this.near.makeTangents();
  private readonly nearest = new Int32Array(MOST_NEAR);
  private isFull = false;
  /** Points of an octant that are asked about: their numbers in the block. */
  private readonly asked = new Int32Array(27);
  private readonly box = makeAabb();
  /** Of a block: whose side is known, and from which points it is passed on. */
  private readonly hasSide = new Uint8Array(SAMPLES);
  private readonly waiting = new Int32Array(SAMPLES);

  constructor(mesh: Mesh) {
    this.mesh = mesh;
    this.bounds = mesh.bounds;
    this.hasHoles = !isClosed(mesh);
  }

  at(x: number, y: number, z: number): number {
    const { last, lastDistance, search } = this;
    const distance = this.nearestTo(x, y, z);
    // Two balls without surface that touch: it does not pass between their centres.
    const step = away(last, x, y, z);
    const isSameSide = !this.hasHoles && step * WIDER < distance + lastDistance;
    if (!isSameSide) this.lastInside = isInside(search.point, this.mesh);
    this.lastDistance = distance;
    last.x = x;
    last.y = y;
    last.z = z;
    return this.lastInside ? -distance : distance;
  }

  /** The distance of a point, by the tree. */
  private nearestTo(x: number, y: number, z: number): number {
    const { mesh, search } = this;
    const { point } = search;
    point.x = x;
    point.y = y;
    point.z = z;
    // The triangle that was nearest to the last point is not far, as a rule: nothing farther is looked at.
    const known = this.lastSlot < 0 ? Infinity : this.distanceFrom(this.lastSlot);
    search.maxDistance = known * WIDER;
    const slot = searchNearest(search, mesh);
    if (slot < 0) return known;
    this.lastSlot = slot;
    return Math.sqrt(search.distanceSq);
  }

  private distanceFrom(slot: number): number {
    const { corners, search, onTriangle } = this;
    loadTriangle(this.mesh, slot, corners);
    return Math.sqrt(closestOnTriangle(search.point, corners.a, corners.b, corners.c, onTriangle).distanceSq);
  }

  fill(x: number, y: number, z: number, spacing: number, list: Float64Array): void {
    const { hasSide, box } = this;
    for (let i = 0; i < SAMPLES; i++) hasSide[i] = Number.isNaN(list[i]!) ? 0 : 1;
    const half = (BLOCK / 2) * spacing;
    const { min, max } = box;
    min.x = max.x = x + half;
    min.y = max.y = y + half;
    min.z = max.z = z + half;
    // From a point of the block the nearest triangle is no farther than this from its centre.
    this.bound = (this.nearestTo(min.x, min.y, min.z) + 2 * RADIUS * half) * WIDER;
    this.near.count = 0;
    this.isFull = false;
    visitNear(this.mesh, box, this);
    if (!this.isFull) {
      const { near, atBlock } = this;
      near.points[0] = min.x;
      near.points[1] = min.y;
      near.points[2] = min.z;
      for (let i = 0; i < near.count; i++) near.takeTangent(i, 0, atBlock);
      for (let o = 0; o < 8; o++)
        this.fillOctant(x, y, z, spacing, 2 * ((o & 1) + SIDE * ((o >> 1) & 1) + PLANE * (o >> 2)), list);
    } else
      for (let i = 0; i < SAMPLES; i++)
        if (hasSide[i] === 0)
          list[i] = this.nearestTo(
            x + (i % SIDE) * spacing,
            y + (Math.floor(i / SIDE) % SIDE) * spacing,
            z + Math.floor(i / PLANE) * spacing,
          );
    this.findSides(x, y, z, spacing, list);
  }

  visit(slot: number): void {
    const { corners, box } = this;
    loadTriangle(this.mesh, slot, corners);
    const { a, b, c } = corners;
    // A ball around it.
    const x = (Math.min(a.x, b.x, c.x) + Math.max(a.x, b.x, c.x)) / 2;
    const y = (Math.min(a.y, b.y, c.y) + Math.max(a.y, b.y, c.y)) / 2;
    const z = (Math.min(a.z, b.z, c.z) + Math.max(a.z, b.z, c.z)) / 2;
    const radius = Math.max(away(a, x, y, z), away(b, x, y, z), away(c, x, y, z)) * WIDER;
    if (away(box.min, x, y, z) - radius > this.bound || this.near.add(corners)) return;
    this.isFull = true;
    this.bound = -1;
  }

  /** Distances, without signs, at the points of an octant of a block that have none; `first` is the number of its first point. */
  private fillOctant(
    x: number,
    y: number,
    z: number,
    spacing: number,
    first: number,
    list: Float64Array,
  ): void {
    const { asked, near, atBlock, atOctant, nearest } = this;
    const { points, distances } = near;
    let count = 0;
    for (let k = 0; k < 3; k++)
      for (let j = 0; j < 3; j++)
        for (let i = 0, n = first + k * PLANE + j * SIDE; i < 3; i++, n++) {
          if (!Number.isNaN(list[n]!)) continue;
          points[3 * count] = x + (n % SIDE) * spacing;
          points[3 * count + 1] = y + (Math.floor(n / SIDE) % SIDE) * spacing;
          points[3 * count + 2] = z + Math.floor(n / PLANE) * spacing;
          asked[count++] = n;
        }
    if (count === 0) return;
    // The middle, as the last point.
    const middle = first + PLANE + SIDE + 1;
    const px = x + (middle % SIDE) * spacing;
    const py = y + (Math.floor(middle / SIDE) % SIDE) * spacing;
    const pz = z + Math.floor(middle / PLANE) * spacing;
    points[3 * count] = px;
    points[3 * count + 1] = py;
    points[3 * count + 2] = pz;
    // What is nearest to a point is no farther from the middle than what is nearest to that, and the way there and back.
    const reach = 2 * RADIUS * spacing * WIDER;
    let least = Infinity;
    let found = 0;
    for (let i = 0, at = 0; i < near.count; i++, at += 4) {
      const tangent = atBlock[at]! + atBlock[at + 1]! * px + atBlock[at + 2]! * py + atBlock[at + 3]! * pz;
      if (tangent > least + reach) continue;
      near.takeTangent(i, count, atOctant);
      const distance = distances[count]!;
      if (distance > least + reach) continue;
      nearest[found] = i;
      if (distance < least) {
        // The nearest one first: it spares the others much.
        nearest[found] = nearest[0]!;
        nearest[0] = i;
        least = distance;
      }
      found++;
    }
    near.forget(count);
    for (let k = 0; k < found; k++) near.lessen(nearest[k]!, 0, count, atOctant);
    for (let k = 0; k < count; k++) list[asked[k]!] = distances[k]!;
  }

  /**
   * Signs for the distances of a block that have none. Neighbours whose balls without surface overlap are on the same side; only
   * where a point has no such neighbour, right at the surface, the mesh is asked.
   */
  private findSides(x: number, y: number, z: number, spacing: number, list: Float64Array): void {
    const { hasSide, waiting, hasHoles } = this;
    const { point } = this.search;
    let count = 0;
    if (!hasHoles) for (let i = 0; i < SAMPLES; i++) if (hasSide[i] === 1) waiting[count++] = i;
    for (let next = 0; ; next++) {
      // From point to point, as far as that goes.
      while (count > 0) {
        const from = waiting[--count]!;
        const reach = Math.abs(list[from]!) - spacing * APART;
        const isBelow = list[from]! < 0;
        const i = from % SIDE;
        const j = Math.floor(from / SIDE) % SIDE;
        for (let n = 0; n < 6; n++) {
          const isNo =
            n === 0
              ? i === 0
              : n === 1
                ? i === BLOCK
                : n === 2
                  ? j === 0
                  : n === 3
                    ? j === BLOCK
                    : n === 4
                      ? from < PLANE
                      : from >= SAMPLES - PLANE;
          if (isNo) continue;
          const to = from + STEPS[n]!;
          if (hasSide[to] === 1 || !(reach + list[to]! > 0)) continue;
          hasSide[to] = 1;
          if (isBelow) list[to] = -list[to]!;
          waiting[count++] = to;
        }
      }
      while (next < SAMPLES && hasSide[next] === 1) next++;
      if (next === SAMPLES) return;
      point.x = x + (next % SIDE) * spacing;
      point.y = y + (Math.floor(next / SIDE) % SIDE) * spacing;
      point.z = z + Math.floor(next / PLANE) * spacing;
      if (isInside(point, this.mesh)) list[next] = -list[next]!;
      hasSide[next] = 1;
      if (!hasHoles) waiting[count++] = next;
    }
  }
}

/** From a point of a block to those beside it. */
const STEPS = [-1, 1, -SIDE, SIDE, -PLANE, PLANE] as const;

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

  fill(x: number, y: number, z: number, spacing: number, list: Float64Array): void {
    for (let i = 0; i < SAMPLES; i++)
      if (Number.isNaN(list[i]!))
        list[i] = this.at(
          x + (i % SIDE) * spacing,
          y + (Math.floor(i / SIDE) % SIDE) * spacing,
          z + Math.floor(i / PLANE) * spacing,
        );
  }

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
