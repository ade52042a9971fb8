/** Meshes of any kind as a few convex pieces, to within a tolerance. */

import { describe, mustBeNumber, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import { type ReadonlyPlane, type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { fans, massOf } from './mass.ts';
import { snapPoints } from './snap.ts';
import { surveyOf } from './survey.ts';
import { TriangleField } from './triangle-field.ts';
import { readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';
import { weldEqual } from './weld.ts';

export interface ApproximateOptions {
  /** How far a piece may reach out of the mesh; a length, by default 2 % of the diagonal of its box, and no less than 1e-3 of it. */
  readonly tolerance?: number | undefined;
  /** The most pieces. Default: 64. */
  readonly maxPieces?: number | undefined;
}

/** The least tolerance, in parts of the diagonal: the work grows with the square of its inverse. */
const LEAST_TOLERANCE = 1e-3;

export interface ApproximateDecomposition {
  /** Convex; they may overlap. */
  pieces: Polyhedron[];
  /** No point of a piece is farther from the solid, or from the surface of a mesh that is not closed. */
  error: number;
  /** `complete`: the error is within the tolerance. `limit`: it would have taken more than `maxPieces` pieces. */
  status: 'complete' | 'limit';
}

/**
 * Convex pieces that cover a mesh and do not reach far out of it. For a closed, oriented mesh they cover the solid, and
 * the error is measured from the solid; for any other, however broken, they cover the triangles, and the error is
 * measured from these, so that the room between them stays open. (Up to rounding, and a thousandth of the tolerance by
 * which a flat piece is thick.)
 *
 * The piece with the largest error is cut in two by a plane along two axes, where its error is largest or in the
 * middle, whichever leaves the least volume; in the end pieces are joined where the tolerance allows it. The error
 * is bounded, not sampled: see `error`. About linear in the number of triangles, and in the square of `maxPieces`; takes
 * seconds for tens of thousands of triangles of a solid, and for a thousand of a curved open surface or of slivers all over,
 * which need the most pieces.
 */
export function approximateDecomposition(
  mesh: TrianglesLike,
  options: ApproximateOptions = {},
): ApproximateDecomposition {
  mustBeOptions('approximateDecomposition', 'options', options, 'tolerance maxPieces');
  const caller = 'approximateDecomposition';
  const given = readTriangles(`${caller}: mesh`, mesh);
  const { maxPieces = 64 } = options;
  mustBeNumber(caller, 'options.maxPieces', maxPieces);
  if (!(maxPieces >= 1))
    refuse(caller, 'options', `.maxPieces must be at least 1, got ${describe(maxPieces)}`);
  const { remap, positions } = weldEqual(given.positions);
  const triangles = { positions, index: Uint32Array.from(given.index, (v) => remap[v]!) };
  const { isClosed, isOriented } = surveyOf(triangles);
  const isSolid = isClosed && isOriented;
  if (isSolid && massOf(triangles, 1).volume < 0) triangles.index.reverse();
  const maker = new PartMaker(triangles, isSolid);
  if (maker.diagonal === 0) refuse(caller, 'mesh', 'must not be a single point');
  const { tolerance = 0.02 * maker.diagonal } = options;
  mustNotBeNegative(caller, 'options.tolerance', tolerance);
  if (!(maker.largest + 1e-3 * tolerance > maker.largest))
    refuse(
      caller,
      'options',
      `.tolerance is lost beside coordinates as large as ${maker.largest}, got ${describe(tolerance)}`,
    );
  if (!(tolerance >= LEAST_TOLERANCE * maker.diagonal))
    refuse(
      caller,
      'options.tolerance',
      `must not be less than ${LEAST_TOLERANCE * maker.diagonal}, a thousandth of the size of the mesh, got ${describe(tolerance)}: it would not end`,
    );
  maker.tolerance = tolerance;
  let parts = maker.whole();
  for (let count = 0; parts.length !== count; ) {
    // What is joined makes room for more.
    count = parts.length;
    parts = mergeParts(maker, divide(maker, parts, maxPieces));
  }
  const error = Math.max(...parts.map((part) => part.error.bound));
  return { pieces: parts.map(({ hull }) => hull), error, status: error <= tolerance ? 'complete' : 'limit' };
}

/** Divides the worst part until all are good enough or too many. */
function divide(maker: PartMaker, given: readonly Part[], maxPieces: number): Part[] {
  const parts = [...given];
  for (;;) {
    const worst = parts.reduce((a, b) => (b.error.bound > a.error.bound ? b : a));
    if (worst.error.bound <= maker.tolerance || parts.length >= maxPieces) return parts;
    parts.splice(parts.indexOf(worst), 1, ...maker.cut(worst));
  }
}

// ---- The parts of a mesh in boxes that divide space, and their hulls ----

/** What a mesh has in one box. */
export interface Part {
  readonly bounds: Bounds;
  readonly triangles: readonly number[];
  readonly hull: Polyhedron;
  readonly volume: number;
  readonly error: HullError;
}

const AXES = ['x', 'y', 'z'] as const;
/**
 * Hulls that only serve to compare cuts are made of all points, or where these are more, of the ones foremost in many
 * directions: with a few hundred points of a thin piece, the wrong cuts are chosen.
 */
const MANY_POINTS = 4000;
const FINE = 14;
/** Directions for a first look. */
const COARSE = 3;

class PartMaker {
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
    const { low, high } = extent(this.points(allOf(mesh), EVERYWHERE));
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
        const first = this.roughVolume(part, tried[0]) + handicap;
        if (first < least) choose(tried, first + this.roughVolume(part, tried[1]));
      }
      if (this.isSolid || width < 3 * slice) continue;
      for (const at of [low[axis] + slice, high[axis] - slice]) {
        const tried = divideBounds(part.bounds, k, at);
        const [thin, rest] = at < middle ? tried : [tried[1], tried[0]];
        const cost = this.roughVolume(part, rest);
        if (cost < least && this.isGoodEnough(thin, part.triangles)) choose(tried, cost);
      }
    }
    return halves.map((bounds) => this.make(bounds, part.triangles)).filter((made) => made !== null);
  }

  private roughVolume(part: Part, bounds: Bounds): number {
    const points = this.points(part.triangles, bounds);
    return hullVolume(points.length > MANY_POINTS ? foremost(points, FINE) : points);
  }

  /** Would a part of this box need no more cuts? Most would, and a few points of its hull show it. */
  private isGoodEnough(bounds: Bounds, candidates: readonly number[]): boolean {
    const points = this.points(candidates, bounds);
    if (points.length === 0) return true;
    const sample = foremost(points, COARSE);
    const middle = vec3();
    const nearest = vec3();
    for (let k = 1; k < sample.length; k++) {
      v3.lerp(sample[k - 1]!, sample[k]!, 0.5, middle);
      if (this.field.distance(middle, Infinity, nearest) > this.tolerance) return false;
    }
    return this.join(bounds, points) !== null;
  }

  /** Null when the box is empty. */
  private make(bounds: Bounds, candidates: readonly number[]): Part | null {
    const triangles = candidates.filter((t) => this.meets(t, bounds));
    const points = [...this.points(triangles, bounds), ...this.cornersInside(bounds)];
    return points.length === 0 ? null : this.part(bounds, triangles, points);
  }

  /** A part of any points: hull and error. */
  private part(bounds: Bounds, triangles: readonly number[], points: readonly ReadonlyVec3[]): Part {
    const hull = thickHull(points, 1e-3 * this.tolerance);
    const error = hullError(hull, this.field, this.isSolid, this.tolerance)!;
    return { bounds, triangles, hull, volume: massOf(fans(hull), 1).volume, error };
  }

  /** A part of any points that is within the tolerance, or null. */
  join(bounds: Bounds, points: readonly ReadonlyVec3[]): Part | null {
    const hull = thickHull(points, 1e-3 * this.tolerance);
    const error = hullError(hull, this.field, this.isSolid, this.tolerance, true);
    if (error === null || error.bound > this.tolerance) return null;
    return { bounds, triangles: [], hull, volume: massOf(fans(hull), 1).volume, error };
  }

  /** By what fraction of their volumes the hull of both is larger; at least GROWTH where it is not worth a try. */
  growth(p: Part, q: Part): number {
    const known = this.growths.get(p)?.get(q);
    if (known !== undefined) return known;
    const volume = p.volume + q.volume;
    let growth = Infinity;
    if (areNear(p.hull, q.hull, this.tolerance)) {
      const points = [...p.hull.vertices, ...q.hull.vertices];
      // The hull of some of the points is no larger than that of all.
      growth = hullVolume(foremost(points, COARSE)) / volume - 1;
      if (growth < GROWTH) growth = hullVolume(points) / volume - 1;
    }
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

  /** The corners of the triangles, as far as they are in the box, each once: hulls are slow on points that come twice. */
  private points(triangles: readonly number[], bounds: Bounds): ReadonlyVec3[] {
    const found: ReadonlyVec3[] = [];
    const cut = new Map<number, ReadonlyVec3>();
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
          found.push(p);
        }
        continue;
      }
      for (const p of clipToBounds(corners, bounds)) {
        const key = p.x + 1.6180339887498949 * p.y + 2.7182818284590451 * p.z;
        const other = cut.get(key);
        if (other && other.x === p.x && other.y === p.y && other.z === p.z) continue;
        cut.set(key, p);
        found.push(p);
      }
    }
    return found;
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

/** The points farthest along directions to all over a cube, and against them, each once. `grid`: so many a side. */
function foremost(points: readonly ReadonlyVec3[], grid: number): readonly ReadonlyVec3[] {
  const found = new Set<ReadonlyVec3>();
  for (let k = 0; k < 3 * grid * grid; k++) {
    const u = (2 * (k % grid) + 1) / grid - 1;
    const v = (2 * (Math.floor(k / grid) % grid) + 1) / grid - 1;
    const x = k < grid * grid ? 1 : u;
    const y = k < grid * grid ? u : k < 2 * grid * grid ? 1 : v;
    const z = k < 2 * grid * grid ? v : 1;
    let least = Infinity;
    let most = -Infinity;
    let first = points[0]!;
    let last = first;
    for (const p of points) {
      const s = x * p.x + y * p.y + z * p.z;
      if (s < least) {
        least = s;
        first = p;
      }
      if (s > most) {
        most = s;
        last = p;
      }
    }
    found.add(first).add(last);
  }
  return [...found];
}

function hullVolume(points: readonly ReadonlyVec3[]): number {
  if (points.length < 4) return 0;
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
function mergeParts(maker: PartMaker, given: readonly Part[]): Part[] {
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
    const joined = maker.join(p.bounds, [...p.hull.vertices, ...q.hull.vertices]);
    if (joined === null) maker.setGrowth(p, q, Infinity);
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

// ---- The part of a triangle in an axis-aligned box ----

/** A box as two triples of coordinates. */
interface Bounds {
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

/** The corners of what is left of a convex polygon: empty when it lies outside. Sutherland and Hodgman 1974. */
function clipToBounds(polygon: readonly ReadonlyVec3[], { low, high }: Bounds): ReadonlyVec3[] {
  let kept = [...polygon];
  for (const [k, axis] of AXES.entries()) {
    if (low[k]! > -Infinity) kept = clipBy(kept, axis, low[k]!, 1);
    if (high[k]! < Infinity) kept = clipBy(kept, axis, high[k]!, -1);
  }
  return kept;
}

function clipBy(
  polygon: readonly ReadonlyVec3[],
  axis: 'x' | 'y' | 'z',
  at: number,
  sign: 1 | -1,
): ReadonlyVec3[] {
  const kept: ReadonlyVec3[] = [];
  for (const [k, b] of polygon.entries()) {
    const a = polygon[(k + polygon.length - 1) % polygon.length]!;
    const ha = sign * (a[axis] - at);
    const hb = sign * (b[axis] - at);
    if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) {
      // From the outside in, so that both triangles at an edge get the same point.
      const m: Vec3 = ha < 0 ? v3.lerp(a, b, ha / (ha - hb)) : v3.lerp(b, a, hb / (hb - ha));
      m[axis] = at; // on the plane, to the last bit
      kept.push(m);
    }
    if (hb >= 0) kept.push(b);
  }
  return kept;
}

// ---- How far a convex piece reaches out of what it stands for ----

/** How far, at most, and where about it is worst. */
interface HullError {
  /** No point of the piece is farther away. At most a quarter above the truth, or below what was asked for. */
  bound: number;
  /** A point of the piece that is about so far away, and the nearest point of the mesh. */
  worst: Vec3;
  nearest: Vec3;
}

/** A cube that may hold the worst point; its middle is at a known distance, inside or not. */
interface Cell {
  readonly center: Vec3;
  readonly half: number;
  readonly distance: number;
  readonly isInside: boolean;
  /** The planes that are not in front of all of it. */
  readonly planes: readonly ReadonlyPlane[];
}

/** Half the diagonal of a cube, in halves of its side. */
const DIAGONAL = 1.7320508075688774;
/** The surface of a piece needs no finer cubes than this fraction of the tolerance. */
const FINEST_CELL = 1 / 64;

/**
 * Bounds the distance of the points of a convex piece, given by planes with unit normals, from a solid (or, where
 * there is no inside, from a surface). Cubes around the piece are divided until each is clearly good enough: distance
 * changes by no more than one moves, so a cube whose middle is at distance d has nothing beyond d plus half its
 * diagonal.
 *
 * @param enough no more precision is needed below this
 * @param orNull return null as soon as a point is known to be farther away than that
 */
function hullError(
  { vertices, planes }: Polyhedron,
  field: TriangleField,
  isSolid: boolean,
  enough: number,
  orNull = false,
): HullError | null {
  const error: HullError = { bound: 0, worst: vec3(), nearest: vec3() };
  let largest = -1;
  let cells = [cellAround(vertices, planes, field, isSolid)];
  const nearest = vec3();
  const inside = vec3();
  while (cells.length > 0) {
    const next: Cell[] = [];
    for (const parent of cells) {
      const half = parent.half / 2;
      for (let k = 0; k < 8; k++) {
        const center = vec3(
          parent.center.x + (k & 1 ? half : -half),
          parent.center.y + (k & 2 ? half : -half),
          parent.center.z + (k & 4 ? half : -half),
        );
        const near = nearPlanes(parent.planes, center, half);
        if (!near) continue;
        const moved = DIAGONAL * half;
        const distance = field.distance(center, parent.distance + moved, nearest);
        // Nothing of the surface is nearer to the parent's middle than its distance.
        const isInside = parent.distance > moved ? parent.isInside : isSolid && field.isInside(center);
        const depth = isInside ? -distance : distance;
        if (depth > largest && pullInside(center, near, half, inside)) {
          const least = depth - v3.distance(center, inside);
          if (least > largest) {
            if (orNull && least > enough) return null;
            largest = least;
            v3.copy(inside, error.worst);
            v3.copy(nearest, error.nearest);
          }
        }
        const bound = depth + moved;
        if (
          bound > error.bound &&
          bound > (largest > enough ? 1.25 * largest : enough) &&
          half > FINEST_CELL * enough
        )
          next.push({ center, half, distance, isInside, planes: near });
        else error.bound = Math.max(error.bound, bound);
      }
    }
    cells = next;
  }
  return error;
}

function cellAround(
  vertices: readonly ReadonlyVec3[],
  planes: readonly ReadonlyPlane[],
  field: TriangleField,
  isSolid: boolean,
): Cell {
  const low = v3.copy(vertices[0]!);
  const high = v3.copy(vertices[0]!);
  for (const v of vertices) {
    v3.min(low, v, low);
    v3.max(high, v, high);
  }
  const center = v3.lerp(low, high, 0.5);
  const half = Math.max(high.x - low.x, high.y - low.y, high.z - low.z) / 2;
  const distance = field.distance(center, Infinity, vec3());
  return { center, half, distance, isInside: isSolid && field.isInside(center), planes };
}

/** The planes that a cube is not wholly behind; null when it is wholly in front of one. */
function nearPlanes(
  planes: readonly ReadonlyPlane[],
  center: ReadonlyVec3,
  half: number,
): ReadonlyPlane[] | null {
  const near: ReadonlyPlane[] = [];
  for (const plane of planes) {
    const { normal } = plane;
    const reach = half * (Math.abs(normal.x) + Math.abs(normal.y) + Math.abs(normal.z));
    const height = heightOver(plane, center);
    if (height > reach) return null;
    if (height > -reach) near.push(plane);
  }
  return near;
}

/** So often a point is moved on to a plane that it is in front of. */
const PULLS = 8;
/** In halves of the side of a cube: a point this far in front of a plane is on it, for all that is learnt from it. */
const ON = 0.01;

/**
 * A point of the piece near the middle of a cube, found by going on to the planes that it is in front of (von Neumann's
 * alternating projections): of thin pieces no middle is ever inside. False when there is none in the cube, or it is not
 * found.
 */
function pullInside(
  center: ReadonlyVec3,
  planes: readonly ReadonlyPlane[],
  half: number,
  out: Vec3,
): boolean {
  v3.copy(center, out);
  for (let pull = 0; pull < PULLS; pull++) {
    let isInside = true;
    for (const plane of planes) {
      const height = heightOver(plane, out);
      if (height <= ON * half * pull) continue;
      isInside = false;
      v3.addScaled(out, plane.normal, -height, out);
    }
    if (isInside) return v3.distanceSq(center, out) <= 3 * half * half;
  }
  return false;
}

const heightOver = ({ normal, d }: ReadonlyPlane, p: ReadonlyVec3): number =>
  normal.x * p.x + normal.y * p.y + normal.z * p.z - d;
