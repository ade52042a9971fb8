/** The parts of a mesh in boxes that divide space, and their hulls. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { type Bounds, clipToBounds } from './clip-triangle.ts';
import { type HullError, hullError } from './hull-error.ts';
import { fans, massOf } from './mass.ts';
import { snapPoints } from './snap.ts';
import { TriangleField } from './triangle-field.ts';
import type { Triangles } from './triangles.ts';

/** What a mesh has in one box. */
export interface Part {
  readonly bounds: Bounds;
  readonly triangles: readonly number[];
  readonly hull: Polyhedron;
  readonly volume: number;
  readonly error: HullError;
}

const AXES = ['x', 'y', 'z'] as const;
/** Hulls that only serve to compare cuts are made of no more points than about this. */
const SAMPLE = 600;

export class PartMaker {
  /** How far hulls may reach out. */
  tolerance = 0;
  /** Of the box around the mesh. */
  readonly diagonal: number;
  /** The largest coordinate. */
  readonly largest: number;
  private readonly mesh: Triangles;
  private readonly isSolid: boolean;
  private readonly field: TriangleField;
  private readonly stamp: Int32Array;
  private stamps = 0;
  private readonly growths = new Map<Part, Map<Part, number>>();

  constructor(mesh: Triangles, isSolid: boolean) {
    this.mesh = mesh;
    this.isSolid = isSolid;
    this.field = new TriangleField(mesh);
    this.stamp = new Int32Array(mesh.positions.length / 3);
    const { low, high } = extent([...this.points(allOf(mesh), EVERYWHERE)]);
    this.diagonal = v3.distance(low, high);
    this.largest = Math.max(...AXES.map((axis) => Math.max(Math.abs(low[axis]), Math.abs(high[axis]))));
  }

  whole(): Part[] {
    return [this.make(EVERYWHERE, allOf(this.mesh))!];
  }

  /**
   * The two parts on both sides of the best of some planes: through the point of the mesh that is nearest to the worst
   * of the hull, where a dent is deepest, and through the middle. From a surface without inside also thin slices at the
   * ends if they need no more cuts: that is how a room loses its walls.
   */
  cut(part: Part): Part[] {
    const { low, high } = extent(part.hull.vertices);
    const { nearest, worst } = part.error;
    const longest = Math.max(high.x - low.x, high.y - low.y, high.z - low.z);
    const slice = 0.4 * this.tolerance;
    let halves = divideBounds(part.bounds, 0, (low.x + high.x) / 2);
    let least = Infinity;
    const choose = (tried: [Bounds, Bounds], cost: number): void => {
      if (cost >= least) return;
      least = cost;
      halves = tried;
    };
    for (const [k, axis] of AXES.entries()) {
      const width = high[axis] - low[axis];
      if (!(width > 0.1 * this.tolerance)) continue;
      const middle = low[axis] + width / 2;
      for (const at of [nearest[axis], worst[axis], middle]) {
        // Not too near to the ends, where nothing would be gained; and rather across the long way.
        const offset = Math.abs(at - middle) / width;
        if (offset > 0.48) continue;
        const handicap = 0.05 * part.volume * (offset + (width < 0.5 * longest ? 0.5 : 0));
        const tried = divideBounds(part.bounds, k, at);
        choose(tried, this.roughVolume(part, tried[0]) + this.roughVolume(part, tried[1]) + handicap);
      }
      if (this.isSolid || width < 3 * slice) continue;
      for (const at of [low[axis] + slice, high[axis] - slice]) {
        const tried = divideBounds(part.bounds, k, at);
        const [thin, rest] = at < middle ? tried : [tried[1], tried[0]];
        const isDone = (this.make(thin, part.triangles)?.error.bound ?? 0) <= this.tolerance;
        if (isDone) choose(tried, this.roughVolume(part, rest));
      }
    }
    return halves.map((bounds) => this.make(bounds, part.triangles)).filter((made) => made !== null);
  }

  private roughVolume(part: Part, bounds: Bounds): number {
    const points = [...this.points(part.triangles, bounds)];
    const stride = Math.ceil(points.length / SAMPLE);
    const sample = stride > 1 ? points.filter((_, k) => k % stride === 0) : points;
    return sample.length < 4 ? 0 : hullVolume(sample);
  }

  /** Null when the box is empty. */
  private make(bounds: Bounds, candidates: readonly number[]): Part | null {
    const triangles = candidates.filter((t) => this.meets(t, bounds));
    const points = [...this.points(triangles, bounds), ...this.cornersInside(bounds)];
    return points.length === 0 ? null : this.part(bounds, triangles, points);
  }

  /** A part of any points: hull and error. */
  part(bounds: Bounds, triangles: readonly number[], points: readonly ReadonlyVec3[]): Part {
    const hull = thickHull(points, 1e-3 * this.tolerance);
    const error = hullError(hull.vertices, hull.planes, this.field, this.isSolid, this.tolerance);
    return { bounds, triangles, hull, volume: massOf(fans(hull), 1).volume, error };
  }

  /** By what fraction of their volumes the hull of both is larger; Infinity where it is not worth a try. */
  growth(p: Part, q: Part): number {
    const known = this.growths.get(p)?.get(q);
    if (known !== undefined) return known;
    const isNear = areNear(p.hull, q.hull, this.tolerance);
    const both = isNear ? hullVolume([...p.hull.vertices, ...q.hull.vertices]) : Infinity;
    const growth = both / (p.volume + q.volume) - 1;
    this.setGrowth(p, q, growth);
    return growth;
  }

  setGrowth(p: Part, q: Part, growth: number): void {
    const ofP = this.growths.get(p) ?? new Map<Part, number>();
    this.growths.set(p, ofP.set(q, growth));
  }

  /**
   * Has the triangle more than its rim in the box? One that lies in a side of the box belongs to the box in which the
   * solid is, or to the lower one: in the other it would only make the hull larger.
   */
  private meets(t: number, { low, high }: Bounds): boolean {
    const { positions, index } = this.mesh;
    for (let k = 0; k < 3; k++) {
      const a = positions[3 * index[3 * t]! + k]!;
      const b = positions[3 * index[3 * t + 1]! + k]!;
      const c = positions[3 * index[3 * t + 2]! + k]!;
      const least = Math.min(a, b, c);
      const most = Math.max(a, b, c);
      if (least > high[k]! || most < low[k]!) return false;
      if (
        least < most
          ? least === high[k] || most === low[k]
          : this.isOfOther(t, k, low[k] === a, high[k] === a)
      )
        return false;
    }
    return true;
  }

  /** Of a triangle across an axis, in the lower or upper side of a box: is the solid outside of the box? */
  private isOfOther(t: number, axis: number, isLow: boolean, isHigh: boolean): boolean {
    if (!isLow && !isHigh) return false;
    if (!this.isSolid) return isLow;
    const { index } = this.mesh;
    const a = this.vertex(index[3 * t]!);
    const normal = v3.cross(
      v3.sub(this.vertex(index[3 * t + 1]!), a),
      v3.sub(this.vertex(index[3 * t + 2]!), a),
    );
    const along = normal[AXES[axis]!];
    return isLow ? along > 0 : along < 0;
  }

  /** The corners of the triangles, as far as they are in the box, each vertex once. */
  private *points(triangles: readonly number[], bounds: Bounds): Generator<ReadonlyVec3> {
    const { index } = this.mesh;
    const stamp = ++this.stamps;
    for (const t of triangles) {
      if (!this.meets(t, bounds)) continue;
      const corners = [
        this.vertex(index[3 * t]!),
        this.vertex(index[3 * t + 1]!),
        this.vertex(index[3 * t + 2]!),
      ];
      if (corners.every((p) => isIn(bounds, p))) {
        for (const [k, p] of corners.entries()) {
          const v = index[3 * t + k]!;
          if (this.stamp[v] === stamp) continue;
          this.stamp[v] = stamp;
          yield p;
        }
      } else yield* clipToBounds(corners, bounds);
    }
  }

  private vertex(v: number): Vec3 {
    const { positions } = this.mesh;
    return vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }

  /** A solid may have corners where cuts meet, too. */
  private cornersInside({ low, high }: Bounds): Vec3[] {
    if (!this.isSolid) return [];
    const corners: Vec3[] = [];
    for (let k = 0; k < 8; k++) {
      const p = vec3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]);
      if (Number.isFinite(p.x + p.y + p.z) && this.field.isInside(p)) corners.push(p);
    }
    return corners;
  }
}

const EVERYWHERE: Bounds = { low: [-Infinity, -Infinity, -Infinity], high: [Infinity, Infinity, Infinity] };

const allOf = (mesh: Triangles): number[] => Array.from({ length: mesh.index.length / 3 }, (_, t) => t);

const isIn = ({ low, high }: Bounds, { x, y, z }: ReadonlyVec3): boolean =>
  x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && z >= low[2] && z <= high[2];

function divideBounds({ low, high }: Bounds, axis: number, at: number): [Bounds, Bounds] {
  const middleLow: [number, number, number] = [...low];
  const middleHigh: [number, number, number] = [...high];
  middleLow[axis] = at;
  middleHigh[axis] = at;
  return [
    { low, high: middleHigh },
    { low: middleLow, high },
  ];
}

function extent(points: readonly ReadonlyVec3[]): { low: Vec3; high: Vec3 } {
  const low = v3.copy(points[0]!);
  const high = v3.copy(points[0]!);
  for (const p of points) {
    v3.min(low, p, low);
    v3.max(high, p, high);
  }
  return { low, high };
}

/** The hull; where it would be flat, thicker by that length on all sides. */
function thickHull(given: readonly ReadonlyVec3[], thickness: number): Polyhedron {
  const points = snapPoints(given);
  const hull = convexHull3(points);
  if (hull.dimension === 3) return polyhedronFromHull(points, hull);
  const around: Vec3[] = [];
  for (const i of hull.vertices)
    for (const axis of AXES)
      for (const sign of [-1, 1]) {
        const p = v3.copy(points[i]!);
        p[axis] += sign * thickness;
        around.push(p);
      }
  const snapped = snapPoints(around);
  return polyhedronFromHull(snapped, convexHull3(snapped));
}

function hullVolume(points: readonly ReadonlyVec3[]): number {
  const { triangles, dimension } = convexHull3(points);
  if (dimension < 3) return 0;
  const origin = points[triangles[0]!]!;
  let sum = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const a = v3.sub(points[triangles[k]!]!, origin);
    const b = v3.sub(points[triangles[k + 1]!]!, origin);
    sum += v3.triple(a, b, v3.sub(points[triangles[k + 2]!]!, origin));
  }
  return sum / 6;
}

/** Two hulls may grow by this fraction of their volume when they are tried as one. */
const GROWTH = 0.1;

/** Joins parts, those first that lose the least, while the tolerance allows it. */
export function mergeParts(maker: PartMaker, given: readonly Part[]): Part[] {
  const parts = [...given];
  for (;;) {
    let best: [Part, Part] | undefined;
    let least = GROWTH;
    for (const [k, p] of parts.entries())
      for (const q of parts.slice(k + 1)) {
        const growth = maker.growth(p, q);
        if (growth >= least) continue;
        least = growth;
        best = [p, q];
      }
    if (!best) return parts;
    const [p, q] = best;
    const joined = maker.part(p.bounds, [], [...p.hull.vertices, ...q.hull.vertices]);
    if (joined.error.bound > maker.tolerance) maker.setGrowth(p, q, Infinity);
    else {
      parts.splice(parts.indexOf(q), 1);
      parts[parts.indexOf(p)] = joined;
    }
  }
}

function areNear(p: Polyhedron, q: Polyhedron, distance: number): boolean {
  const a = extent(p.vertices);
  const b = extent(q.vertices);
  return AXES.every(
    (axis) => a.low[axis] <= b.high[axis] + distance && b.low[axis] <= a.high[axis] + distance,
  );
}
