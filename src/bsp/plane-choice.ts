/**
 * Which plane divides a set of polygons best? RTCD §8.3.1-2.
 *
 * The candidates are planes of some of the polygons, and on demand planes across the axes and planes through an edge and a
 * vertex; planes that the user knows to be good (hints, sides of bounding boxes) come before all others. Each is rated by how
 * many polygons it cuts and how unequal its sides are, or by what a query is expected to cost.
 */
import { triangleNormal } from '../math/plane.ts';
import type { Plane, ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type Cell, massOfCell, reachOf, splitCell } from './cell.ts';
import { heightOf, sideOfPolygon } from './thick-plane.ts';

/** A piece of a polygon on its way down the tree. @internal */
export interface Fragment {
  readonly points: readonly ReadonlyVec3[];
  /** The number of the polygon that it was cut from. */
  readonly source: number;
  /** Its plane; null of what has no area. */
  readonly plane: ReadonlyPlane | null;
  /** Has its plane been used already? */
  readonly isUsed: boolean;
}

/** Where candidates come from: planes of polygons, planes across the axes, planes through an edge and a vertex of another. */
export type PlaneSource = 'faces' | 'axes' | 'edges';

export interface PlaneChoiceOptions {
  /** Default: faces and axes. 'faces' alone is an auto-partition: as deep as there are faces for convex bodies. */
  readonly candidates?: readonly PlaneSource[];
  /** How many candidates of a kind are drawn. Default: 5. */
  readonly samples?: number;
  /**
   * From 0 to 1, how much cut polygons count, against the inequality of sides: one number, or a function of the depth.
   * Default: 0.8.
   */
  readonly splitWeight?: number | ((depth: number) => number);
  /** Rates by the expected cost of a query, 1 + Σ share of the volume × polygons, instead. Default: true for solids. */
  readonly expectedCost?: boolean;
  /** Moves and tilts the best general plane a little for as long as that makes it better. Default: false. */
  readonly climb?: boolean;
  /** Planes to be used before any others, in this order, wherever they divide something. Default: none. */
  readonly hints?: readonly ReadonlyPlane[];
  /** Seeds the draw of candidates. Default: 1. */
  readonly seed?: number;
}

/** What a plane does to a list of polygons. @internal */
export interface PlaneCounts {
  front: number;
  back: number;
  on: number;
  split: number;
}

/** @internal */
export function countSides(
  fragments: readonly Fragment[],
  plane: ReadonlyPlane,
  thickness: number,
): PlaneCounts {
  const counts = { front: 0, back: 0, on: 0, split: 0 };
  for (const { points } of fragments) {
    const side = sideOfPolygon(points, plane, thickness);
    if (side === 2) counts.split++;
    else if (side > 0) counts.front++;
    else if (side < 0) counts.back++;
    else counts.on++;
  }
  return counts;
}

/** Cut polygons against inequality, the less the better. RTCD §8.3.2. @internal */
export const scoreOf = ({ front, back, split }: PlaneCounts, splitWeight: number): number =>
  splitWeight * split + (1 - splitWeight) * Math.abs(front - back);

/**
 * Nodes and polygons that a query of a random point is expected to look at: this plane, and then the polygons of one side, by
 * the share that the side has of the volume.
 *
 * @internal
 */
export const expectedCostOf = ({ front, back, split }: PlaneCounts, frontShare: number): number =>
  1 + frontShare * (front + split) + (1 - frontShare) * (back + split);

/** A sequence of seemingly random numbers in [0, 1), the same in every engine (mulberry32). @internal */
export class Draw {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }
}

interface Candidate {
  readonly plane: ReadonlyPlane;
  /** Not that of a polygon: it may be moved. */
  readonly isGeneral: boolean;
}

/** Chooses planes for one tree. @internal */
export class PlaneChooser {
  private readonly sources: ReadonlySet<PlaneSource>;
  private readonly samples: number;
  private readonly weightAt: (depth: number) => number;
  private readonly draw: Draw;
  private readonly options: PlaneChoiceOptions;
  private readonly thickness: number;

  constructor(options: PlaneChoiceOptions, thickness: number) {
    this.options = options;
    this.thickness = thickness;
    const { candidates = ['faces', 'axes'], samples = 5, splitWeight = 0.8, seed = 1 } = options;
    this.sources = new Set(candidates);
    this.samples = samples;
    this.weightAt = typeof splitWeight === 'number' ? () => splitWeight : splitWeight;
    this.draw = new Draw(seed);
  }

  /** The best plane; null if none divides the polygons or has one of them on it that was not on any before. */
  choose(fragments: readonly Fragment[], cell: Cell, depth: number): ReadonlyPlane | null {
    for (const hint of this.options.hints ?? []) if (this.divides(hint, cell)) return hint;
    let best: Candidate | null = null;
    let least = Infinity;
    const weight = this.weightAt(depth);
    for (const candidate of this.candidates(fragments)) {
      const rating = this.rate(candidate, fragments, cell, weight);
      if (rating < least) {
        least = rating;
        best = candidate;
      }
    }
    if (best === null) return null;
    if (this.options.climb && best.isGeneral) return this.climb(best, least, fragments, cell, weight);
    return best.plane;
  }

  private divides(plane: ReadonlyPlane, cell: Cell): boolean {
    const { front, back } = reachOf(cell, plane);
    return front > this.thickness && back > this.thickness;
  }

  /** Infinity for a plane that gets nowhere: all on one side, and none on it. */
  private rate(
    { plane, isGeneral }: Candidate,
    fragments: readonly Fragment[],
    cell: Cell,
    weight: number,
  ): number {
    const counts = countSides(fragments, plane, this.thickness);
    const { front, back, on, split } = counts;
    // Polygons on it go on in front, or are done with: that alone is not worth a plane that is none of theirs.
    if (isGeneral && (Math.max(front + on, back) + split >= fragments.length || !this.divides(plane, cell)))
      return Infinity;
    if (!this.options.expectedCost) return scoreOf(counts, weight);
    return expectedCostOf(counts, this.frontShare(plane, cell));
  }

  private frontShare(plane: ReadonlyPlane, cell: Cell): number {
    if (!this.divides(plane, cell)) return reachOf(cell, plane).front > this.thickness ? 1 : 0;
    const { front, back } = splitCell(cell, plane, -1, this.thickness / 64);
    const inFront = massOfCell(front).volume;
    return inFront / (inFront + massOfCell(back).volume);
  }

  private candidates(fragments: readonly Fragment[]): Candidate[] {
    const list: Candidate[] = [];
    if (this.sources.has('faces')) this.addFaces(fragments, list);
    if (this.sources.has('axes')) addAxes(fragments, list);
    if (this.sources.has('edges')) this.addEdges(fragments, list);
    return list;
  }

  /** Planes of polygons that were not used before: all if there are few, else some at random. */
  private addFaces(fragments: readonly Fragment[], list: Candidate[]): void {
    const fresh = fragments.filter(({ plane, isUsed }) => plane !== null && !isUsed);
    const few = fresh.length <= this.samples;
    for (let k = 0; k < Math.min(this.samples, fresh.length); k++)
      list.push({ plane: fresh[few ? k : this.draw.below(fresh.length)]!.plane!, isGeneral: false });
  }

  /** Planes through an edge of one polygon and a corner of another. */
  private addEdges(fragments: readonly Fragment[], list: Candidate[]): void {
    if (fragments.length < 2) return;
    const normal = vec3();
    for (let k = 0; k < this.samples; k++) {
      const { points: one } = fragments[this.draw.below(fragments.length)]!;
      const { points: other } = fragments[this.draw.below(fragments.length)]!;
      const at = this.draw.below(one.length);
      const [a, b] = [one[at]!, one[(at + 1) % one.length]!];
      const c = other[this.draw.below(other.length)]!;
      if (!triangleNormal(a, b, c, normal)) continue;
      const n = v3.normalize(normal);
      list.push({ plane: { normal: n, d: v3.dot(n, a) }, isGeneral: true });
    }
  }

  /** Steps along and about the axes of the plane, halved when none makes it better. */
  private climb(
    start: Candidate,
    rating: number,
    fragments: readonly Fragment[],
    cell: Cell,
    weight: number,
  ): ReadonlyPlane {
    const { front, back } = reachOf(cell, start.plane);
    let best = start.plane;
    let least = rating;
    let share = 1 / 8;
    for (let steps = 0; steps < 24 && share > 1 / 64; steps++) {
      let better = false;
      for (const plane of neighboursOf(best, share, front + back, middleOf(fragments))) {
        const next = this.rate({ plane, isGeneral: true }, fragments, cell, weight);
        if (!(next < least)) continue;
        least = next;
        best = plane;
        better = true;
      }
      if (!better) share /= 2;
    }
    return best;
  }
}

function middleOf(fragments: readonly Fragment[]): ReadonlyVec3 {
  const sum = vec3();
  for (const { points } of fragments) v3.add(sum, points[0]!, sum);
  return v3.scale(sum, 1 / fragments.length);
}

/** A plane moved to and fro by a share of `size`, and tilted about the point of it nearest to `pivot`. */
function neighboursOf(
  { normal: n, d }: ReadonlyPlane,
  share: number,
  size: number,
  pivot: ReadonlyVec3,
): Plane[] {
  const list: Plane[] = [
    { normal: n, d: d + share * size },
    { normal: n, d: d - share * size },
  ];
  const foot = v3.addScaled(pivot, n, d - v3.dot(n, pivot));
  for (const axis of [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)])
    for (const side of [-share, share]) {
      const tilted = v3.normalize(v3.addScaled(n, axis, side));
      list.push({ normal: tilted, d: v3.dot(tilted, foot) });
    }
  return list;
}

/** Across each axis, through the corner in the middle of all corners and through the middle of their extent. */
function addAxes(fragments: readonly Fragment[], list: Candidate[]): void {
  for (const axis of ['x', 'y', 'z'] as const) {
    const all: number[] = [];
    for (const { points } of fragments) for (const p of points) all.push(p[axis]);
    const sorted = Float64Array.from(all).sort();
    const normal = vec3();
    normal[axis] = 1;
    const low = sorted[0]!;
    const high = sorted[sorted.length - 1]!;
    for (const d of [sorted[sorted.length >> 1]!, low / 2 + high / 2])
      list.push({ plane: { normal, d }, isGeneral: true });
  }
}

/** The plane of a convex polygon with a unit normal, or null if its corners are not on one within `thickness`. @internal */
export function planeOfPolygon(points: readonly ReadonlyVec3[], thickness: number): Plane | null {
  const [a, b, c] = points;
  if (points.length < 3) return null;
  const normal = vec3();
  if (points.length === 3) {
    if (!triangleNormal(a!, b!, c!, normal)) return null;
  } else {
    // Newell's sum, taken from a corner.
    for (let k = 2; k < points.length; k++)
      v3.add(normal, v3.cross(v3.sub(points[k - 1]!, a!), v3.sub(points[k]!, a!)), normal);
    if (!(v3.lengthSq(normal) > 0)) return null;
  }
  const unit = v3.normalize(normal);
  let low = Infinity;
  let high = -Infinity;
  for (const p of points) {
    const height = v3.dot(unit, p);
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  const plane = { normal: unit, d: low / 2 + high / 2 };
  for (const p of points) if (!(Math.abs(heightOf(p, plane)) <= thickness)) return null;
  return plane;
}
