/** Dividing a set of polygons by planes, over and over: what the builders of all BSP trees share. RTCD §8.3. */
import {
  checkPlane,
  checkPoints,
  mustBeBoolean,
  mustBeFunction,
  mustBeLength,
  mustBeList,
  mustBeNumber,
  mustBeOneOf,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../math/check.ts';
import { mustNotBeBeyond } from '../math/size-range.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { type BspReport, type GrowingNode, MAX_DEPTH } from './bsp-tree.ts';
import { type Cell, cellOfBox, reachOf, splitCell } from './cell.ts';
import { type Fragment, type PlaneChoiceOptions, PlaneChooser, planeOfPolygon } from './plane-choice.ts';
import { sideOfPolygon, splitPolygon } from './thick-plane.ts';

export interface BspOptions extends PlaneChoiceOptions {
  /**
   * How far from a plane still counts as on it, a length. Default: 2⁻³⁸ of the largest extent. Larger makes smaller trees of
   * surfaces that are flat but for rounding in single precision, and larger errors where planes meet at small angles.
   */
  readonly thickness?: number;
  /** No node has more nodes above it. Default: 512. */
  readonly maxDepth?: number;
  /** Polygons are cut into no more pieces than this, all together; n polygons can come to n². Default: 64 n + 4096. */
  readonly maxFragments?: number;
}

const KNOWN =
  'candidates samples splitWeight expectedCost climb hints seed thickness maxDepth maxFragments leafSize';

/** @internal */
export function checkBspOptions(caller: string, options: BspOptions): void {
  mustBeOptions(caller, 'options', options, KNOWN);
  const { candidates, samples, splitWeight, expectedCost, climb, hints, seed } = options;
  const { thickness, maxDepth, maxFragments } = options;
  if (candidates !== undefined) {
    mustBeList(caller, 'options.candidates', candidates);
    for (const [i, one] of candidates.entries())
      mustBeOneOf(caller, `options.candidates[${i}]`, one, ['faces', 'axes', 'edges']);
  }
  if (samples !== undefined) mustBeWhole(caller, 'options.samples', samples, 1, 1e6);
  if (typeof splitWeight === 'number') {
    mustBeNumber(caller, 'options.splitWeight', splitWeight);
    if (!(splitWeight >= 0 && splitWeight <= 1))
      refuse(caller, 'options.splitWeight', `must be from 0 to 1, got ${splitWeight}`);
  } else if (splitWeight !== undefined) mustBeFunction(caller, 'options.splitWeight', splitWeight);
  if (expectedCost !== undefined) mustBeBoolean(caller, 'options.expectedCost', expectedCost);
  if (climb !== undefined) mustBeBoolean(caller, 'options.climb', climb);
  if (hints !== undefined) {
    mustBeList(caller, 'options.hints', hints);
    for (const [i, hint] of hints.entries()) checkPlane(caller, `options.hints[${i}]`, hint);
  }
  if (seed !== undefined) mustBeWhole(caller, 'options.seed', seed, -2147483648, 4294967295);
  if (thickness !== undefined) mustBeLength(caller, 'options.thickness', thickness);
  if (maxDepth !== undefined) mustBeWhole(caller, 'options.maxDepth', maxDepth, 0, MAX_DEPTH);
  if (maxFragments !== undefined) mustBeWhole(caller, 'options.maxFragments', maxFragments, 0, 1e9);
}

/** A convex polygon with its number, and with its plane if that is known better than from its corners. @internal */
export interface SourcePolygon {
  readonly points: readonly ReadonlyVec3[];
  readonly source: number;
  readonly plane?: ReadonlyPlane | null;
}

/** @internal */
export function readPolygons(
  caller: string,
  polygons: readonly (readonly ReadonlyVec3[])[],
): SourcePolygon[] {
  mustBeList(caller, 'polygons', polygons);
  return polygons.map((points, source) => {
    checkPoints(caller, `polygons[${source}]`, points);
    if (points.length === 0) refuse(caller, `polygons[${source}]`, 'must have at least one corner');
    for (const { x, y, z } of points) for (const c of [x, y, z]) mustNotBeBeyond(caller, 'polygons', c);
    return { points: points.map((p) => v3.copy(p)), source };
  });
}

/** @internal */
export function boxAround(polygons: readonly SourcePolygon[]): Aabb {
  const min = vec3(Infinity, Infinity, Infinity);
  const max = vec3(-Infinity, -Infinity, -Infinity);
  for (const { points } of polygons)
    for (const p of points) {
      v3.min(min, p, min);
      v3.max(max, p, max);
    }
  return polygons.length > 0 ? { min, max } : { min: vec3(), max: vec3() };
}

/** 2⁻³⁸: far above all rounding, and far below what anybody models. */
const DEFAULT_THICKNESS = 3.637978807091713e-12;
/** 2⁻⁴⁶ of the coordinates: some dozen roundings, for what is far from the origin. */
const ROUNDING = 1.4210854715202004e-14;

/** @internal */
export function thicknessFor({ min, max }: ReadonlyAabb, given: number | undefined): number {
  const extent = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const largest = Math.max(...[min, max].flatMap(({ x, y, z }) => [Math.abs(x), Math.abs(y), Math.abs(z)]));
  return Math.max(given ?? DEFAULT_THICKNESS * extent, ROUNDING * largest);
}

/** The cell that a tree over a box begins with: somewhat larger. @internal */
export function worldCell({ min, max }: Aabb, thickness: number): Cell {
  const extent = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const margin = extent / 16 + 16 * thickness || 1;
  const by = vec3(margin, margin, margin);
  return cellOfBox({ min: v3.sub(min, by), max: v3.add(max, by) });
}

/** Cells are cut by planes that are this much thinner than those of the polygons: their volumes count. @internal */
export const CELL_TOLERANCE = 1 / 64;

/** What becomes of polygons on the plane of a node: the node keeps them, they go on in front, or they are noted and dropped. */
type OnPlane = 'keep' | 'front' | 'drop';

/** @internal */
export interface PartitionRules {
  readonly onPlane: OnPlane;
  /** So many polygons need no more division. */
  readonly leafSize: number;
}

/** @internal */
export interface PartitionLeaf {
  readonly fragments: readonly Fragment[];
  readonly cell: Cell;
  /** False where a limit has stopped the builder. */
  readonly isFinished: boolean;
}

/** @internal */
export interface Partition {
  readonly nodes: readonly GrowingNode[];
  readonly root: number;
  readonly leaves: readonly PartitionLeaf[];
  /** For each node the polygons on its plane, unless those go on in front. */
  readonly onPlane: readonly (readonly Fragment[])[];
  readonly cell: Cell;
  readonly thickness: number;
  readonly report: BspReport;
}

interface Task {
  readonly fragments: readonly Fragment[];
  readonly cell: Cell;
  readonly depth: number;
  /** Whose child it becomes, and on which side; -1 for the root. */
  readonly parent: number;
  readonly side: 'front' | 'back';
}

/** Divides polygons until the rules, or the limits of the options, say stop. @internal */
export function partition(
  polygons: readonly SourcePolygon[],
  rules: PartitionRules,
  options: BspOptions,
): Partition {
  return new Partitioner(polygons, rules, options).run();
}

class Partitioner {
  private readonly nodes: GrowingNode[] = [];
  private readonly leaves: PartitionLeaf[] = [];
  private readonly onPlane: Fragment[][] = [];
  private readonly tasks: Task[] = [];
  private readonly report: BspReport;
  private readonly thickness: number;
  private readonly maxDepth: number;
  private readonly maxFragments: number;
  private readonly cell: Cell;
  private readonly chooser: PlaneChooser;
  private readonly first: readonly Fragment[];
  private readonly rules: PartitionRules;
  private root = ~0;

  constructor(polygons: readonly SourcePolygon[], rules: PartitionRules, options: BspOptions) {
    this.rules = rules;
    const box = boxAround(polygons);
    const thickness = thicknessFor(box, options.thickness);
    this.thickness = thickness;
    this.maxDepth = options.maxDepth ?? 512;
    this.maxFragments = options.maxFragments ?? 64 * polygons.length + 4096;
    this.cell = worldCell(box, thickness);
    this.chooser = new PlaneChooser(options, thickness);
    this.first = polygons.map(({ points, source, plane }) => ({
      points,
      source,
      plane: plane ?? planeOfPolygon(points, thickness),
      isUsed: false,
    }));
    this.report = {
      polygons: polygons.length,
      fragments: polygons.length,
      reachedFragments: false,
      reachedDepth: false,
    };
  }

  run(): Partition {
    const { tasks, cell } = this;
    tasks.push({ fragments: this.first, cell, depth: 0, parent: -1, side: 'front' });
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) this.divide(task);
    const { nodes, root, leaves, onPlane, thickness, report } = this;
    return { nodes, root, leaves, onPlane, cell, thickness, report };
  }

  private link({ parent, side }: Task, link: number): void {
    if (parent < 0) this.root = link;
    else this.nodes[parent]![side] = link;
  }

  private addLeaf(task: Task, fragments: readonly Fragment[], isFinished: boolean): void {
    this.link(task, ~this.leaves.length);
    this.leaves.push({ fragments, cell: task.cell, isFinished });
  }

  private divide(task: Task): void {
    const { cell, depth } = task;
    const { rules, thickness, report } = this;
    let { fragments } = task;
    let plane = this.choose(fragments, task);
    while (plane !== null) {
      const { front, back } = reachOf(cell, plane);
      if (front > thickness && back > thickness) break;
      // The plane runs along the boundary of the cell: polygons on it, or beyond, are on the boundary too.
      fragments = this.alongBoundary(fragments, plane, front > thickness ? 1 : -1);
      // At least the polygon that it is the plane of: each time there are fewer planes to choose from.
      plane = this.choose(fragments, task);
    }
    if (plane === null) this.addLeaf(task, fragments, true);
    else if (depth < this.maxDepth && report.fragments <= this.maxFragments)
      this.addNode(task, fragments, plane);
    else {
      if (depth >= this.maxDepth) report.reachedDepth = true;
      if (report.fragments > this.maxFragments) report.reachedFragments = true;
      this.addLeaf(task, fragments, fragments.length <= rules.leafSize);
    }
  }

  private choose(fragments: readonly Fragment[], { cell, depth }: Task): ReadonlyPlane | null {
    return fragments.length <= this.rules.leafSize ? null : this.chooser.choose(fragments, cell, depth);
  }

  /** The polygons without those on a plane along the boundary of their cell, all of which is on side `within`. */
  private alongBoundary(
    fragments: readonly Fragment[],
    plane: ReadonlyPlane,
    within: -1 | 1,
  ): readonly Fragment[] {
    const { rules, thickness } = this;
    const isAlong = (one: Fragment): boolean => {
      const side = sideOfPolygon(one.points, plane, thickness);
      return side === 0 || side === -within;
    };
    // Where polygons are kept, they are: marked as used, so that the plane is not chosen again.
    if (rules.onPlane !== 'drop')
      return fragments.map((one) => (isAlong(one) ? { ...one, isUsed: true } : one));
    return fragments.filter((one) => !isAlong(one));
  }

  private addNode(task: Task, fragments: readonly Fragment[], plane: ReadonlyPlane): void {
    const { cell, depth } = task;
    const { rules, thickness, report, nodes, tasks } = this;
    const node = nodes.length;
    const { normal, d } = plane;
    nodes.push({ plane: { normal: v3.copy(normal), d }, front: 0, back: 0 });
    this.link(task, node);
    const on: Fragment[] = [];
    const front: Fragment[] = [];
    const back: Fragment[] = [];
    for (const one of fragments) {
      const side = sideOfPolygon(one.points, plane, thickness);
      if (side === 0) {
        if (rules.onPlane === 'front') front.push({ ...one, isUsed: true });
        else on.push(one);
      } else if (side === 1) front.push(one);
      else if (side === -1) back.push(one);
      else {
        const parts = splitPolygon(one.points, plane, thickness);
        if (parts.front.length + parts.back.length === 0) {
          // A segment: it is not cut, and goes to both sides.
          front.push(one);
          back.push(one);
          report.fragments++;
          continue;
        }
        if (parts.front.length > 0) front.push({ ...one, points: parts.front });
        if (parts.back.length > 0) back.push({ ...one, points: parts.back });
        report.fragments += +(parts.front.length > 0) + +(parts.back.length > 0) - 1;
      }
    }
    this.onPlane[node] = on;
    const halves = splitCell(cell, plane, node, thickness * CELL_TOLERANCE);
    tasks.push({ fragments: back, cell: halves.back, depth: depth + 1, parent: node, side: 'back' });
    tasks.push({ fragments: front, cell: halves.front, depth: depth + 1, parent: node, side: 'front' });
  }
}
