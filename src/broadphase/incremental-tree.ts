/** A hierarchy of boxes that come one by one, go and move: of a `DynamicTree` what a world needs. RTCD §6.2.3. */
import {
  ANY_FINITE,
  checkAabb,
  checkNumbers,
  checkPoint,
  describe,
  mustBeCoordinate,
  mustBeFunction,
  mustBeList,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../math/check.ts';
import { EPS32, HALF_STEP32 } from '../math/float.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import { type Aabb, makeAabb, type ReadonlyAabb, type ReadonlyRay } from '../primitives/types.ts';
import { readAabb } from '../volumes/aabb.ts';
import type { BoxVisitor, PairVisitor, RayVisitor, Reach } from './broad-phase.ts';
import { attachLeaf, detachLeaf, type InsertionSearch } from './dynamic-insertion.ts';
import { DynamicNodes, LINK, NODE } from './dynamic-nodes.ts';
import { FEW, TreePairs } from './dynamic-pairs.ts';
import { moveLeaf, refitLeaves, restoreWorn } from './dynamic-refit.ts';
import { searchBox, searchNear, searchRay, searchSwept } from './dynamic-search.ts';
import type { PairList } from './pair-list.ts';

export interface DynamicTreeOptions {
  /** How far a fat box stands off the box that it was made for, as a length. Default: 0. */
  readonly margin?: number;
  /** The same in parts of the longest side of the box; both are added. Default: 0.1. */
  readonly slack?: number;
  /** How many times the displacement given to `move` a fat box reaches ahead. Default: 2. */
  readonly lead?: number;
  /**
   * How the sibling of a box is found: 'path' goes down from the root once, always into the child that grows less;
   * 'best' finds the node that makes the tree grow least of all, which takes longer. Default: 'path'.
   */
  readonly search?: InsertionSearch;
}

/** A `DynamicTree` without what only its own users call, so that a world's bundle goes without it. */
export class IncrementalTree {
  /** @internal */
  readonly nodes = new DynamicNodes();
  /** @internal */
  protected readonly allPairs = new TreePairs(this.nodes);
  protected readonly settings: Required<DynamicTreeOptions>;
  /** Searches under way. */
  protected searches = 0;

  constructor(options: DynamicTreeOptions = {}) {
    const { margin = 0, slack = 0.1, lead = 2, search = 'path' } = options;
    mustNotBeNegative('DynamicTree', 'options.margin', margin);
    mustNotBeNegative('DynamicTree', 'options.slack', slack);
    mustNotBeNegative('DynamicTree', 'options.lead', lead);
    if (search !== 'path' && search !== 'best')
      refuse('DynamicTree', 'options.search', `must be 'path' or 'best', got ${describe(search)}`);
    this.settings = { margin, slack, lead, search };
  }

  /** The number of boxes. */
  get size(): number {
    return this.nodes.count;
  }

  /** Levels below the root; -1 when there is none. */
  get height(): number {
    return this.nodes.height;
  }

  /** Adds a box and returns its proxy. Numbers of boxes that were removed are used again. */
  insert(box: ReadonlyAabb, data?: number): number {
    this.mustBeIdle('insert');
    checkAabb('insert', 'box', box);
    if (data !== undefined) mustBeCoordinate('insert', 'data', data, ANY_FINITE);
    const { nodes, settings } = this;
    fatten('insert', box, STILL, settings);
    const proxy = nodes.takeProxy();
    nodes.data[proxy] = data ?? proxy;
    writeBox(nodes.boxes, proxy, box);
    attachLeaf(nodes, proxy, fat, settings.search);
    // Wears the tree like a leaf that is fitted in its place.
    nodes.refits++;
    this.allPairs.mark(proxy);
    return proxy;
  }

  /** Takes a box out. */
  remove(proxy: number): void {
    this.mustBeIdle('remove');
    this.mustBeProxy('remove', proxy);
    detachLeaf(this.nodes, proxy);
    this.nodes.dropProxy(proxy);
    this.allPairs.mark(proxy);
  }

  /**
   * Gives a proxy a new box. Where the box is still in its fat box, and that is not much too large, nothing else
   * happens. Otherwise it gets a new fat box, which reaches ahead along `displacement`, how far it is expected to
   * go until the next move; then true is returned. Allocates nothing with `search: 'path'`.
   */
  move(proxy: number, box: ReadonlyAabb, displacement: ReadonlyVec3 = STILL): boolean {
    this.mustBeIdle('move');
    this.mustBeProxy('move', proxy);
    checkAabb('move', 'box', box);
    checkPoint('move', 'displacement', displacement);
    const { nodes, settings } = this;
    const stays = fits(nodes.bounds, NODE * nodes.slots[proxy]!, box, displacement, settings);
    if (!stays) fatten('move', box, displacement, settings);
    writeBox(nodes.boxes, proxy, box);
    this.allPairs.mark(proxy);
    nodes.isSnug = false;
    if (stays) return false;
    detachLeaf(nodes, proxy);
    attachLeaf(nodes, proxy, fat, settings.search);
    return true;
  }

  /**
   * `move` for many: `boxes` holds min x, y, z, max x, y, z of one after the other. Leaves stay where they are in the tree,
   * which is fitted to them: if they are a good part of all, to all boxes as they are, without margins, in one go. When that
   * has made the tree much worse, it is made anew. That is many times faster than to move one after the other.
   */
  moveMany(proxies: ArrayLike<number>, boxes: Float64Array): void {
    this.mustBeIdle('moveMany');
    checkNumbers('moveMany', 'proxies', proxies);
    checkNumbers('moveMany', 'boxes', boxes);
    const { nodes, settings } = this;
    const count = proxies.length;
    if (!(boxes.length >= 6 * count))
      refuse('moveMany', 'boxes', `must hold six numbers for each of ${count} boxes, got ${boxes.length}`);
    const { slots } = nodes;
    for (let i = 0; i < count; i++)
      if (!(slots[proxies[i]!]! >= 0 && proxies[i]! < nodes.proxies))
        this.mustBeProxy('moveMany', proxies[i]!);
    let fine = 1;
    for (let q = 0; q < 6 * count; q += 6)
      for (let k = q; k < q + 3; k++)
        fine &= +(boxes[k]! <= boxes[k + 3]!) & +(boxes[k]! >= -LARGEST) & +(boxes[k + 3]! <= LARGEST);
    if (!fine)
      for (let i = 0; i < count; i++) {
        const box = readBox(boxes, i);
        checkAabb('moveMany', `boxes[${i}]`, box);
        fatten('moveMany', box, STILL, WITHOUT_MARGIN, `boxes[${i}]`);
      }
    if (FEW * count < nodes.count) {
      // With their margins, too, they must be in range: all are looked at before one is moved.
      for (let i = 0; i < count; i++) fatten('moveMany', readBox(boxes, i), STILL, settings, `boxes[${i}]`);
      for (let i = 0; i < count; i++) {
        const proxy = proxies[i]!;
        const box = readBox(boxes, i);
        const stays = fits(nodes.bounds, NODE * nodes.slots[proxy]!, box, STILL, settings);
        writeBox(nodes.boxes, proxy, box);
        this.allPairs.mark(proxy);
        if (stays) continue;
        fatten('moveMany', box, STILL, settings);
        moveLeaf(nodes, proxy, fat, settings.search);
      }
      nodes.isSnug = false;
      restoreWorn(nodes);
      return;
    }
    this.allPairs.markMany();
    const to = nodes.boxes;
    for (let i = 0; i < count; i++) {
      const p = 6 * i;
      const q = 6 * proxies[i]!;
      to[q] = boxes[p]!;
      to[q + 1] = boxes[p + 1]!;
      to[q + 2] = boxes[p + 2]!;
      to[q + 3] = boxes[p + 3]!;
      to[q + 4] = boxes[p + 4]!;
      to[q + 5] = boxes[p + 5]!;
    }
    refitLeaves(nodes);
  }

  /** Removes all boxes. */
  clear(): void {
    this.mustBeIdle('clear');
    this.nodes.clear();
    this.allPairs.markMany();
  }

  /**
   * Which boxes share a point with this one? With an array (or nothing), that is filled and returned; a function is
   * called with one after the other, and may end the search by returning false.
   */
  query(box: ReadonlyAabb, out?: number[]): number[];
  query(box: ReadonlyAabb, visit: BoxVisitor): void;
  query(box: ReadonlyAabb, to: number[] | BoxVisitor = []): number[] | undefined {
    checkAabb('query', 'box', box);
    if (typeof to !== 'function') {
      mustBeList('query', 'out', to);
      const found = searchBox(this.nodes, box, null, to);
      if (to.length !== found) to.length = found;
      return to;
    }
    this.searches++;
    try {
      searchBox(this.nodes, box, to, null);
    } finally {
      this.searches--;
    }
    return undefined;
  }

  /**
   * Visits the boxes that a ray hits at some t in [0, tMax], roughly the nearest first. The visitor may shorten
   * the ray by returning a number, such as the time at which it hits what is in the box.
   */
  raycast(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    checkRayUpTo('raycast', ray, tMax);
    mustBeFunction('raycast', 'visit', visit);
    this.searches++;
    try {
      searchRay(this.nodes, ray, tMax, visit);
    } finally {
      this.searches--;
    }
  }

  /**
   * Visits all boxes that one touches at some t in [0, reach.t] of its motion, roughly the first ones first, and perhaps others
   * that it passes by closely. The visitor may lower `reach.t`, and end the search by returning false.
   */
  searchSwept(box: ReadonlyAabb, motion: ReadonlyVec3, reach: Reach, visit: BoxVisitor): void {
    checkAabb('searchSwept', 'box', box);
    checkPoint('searchSwept', 'motion', motion);
    mustBeFunction('searchSwept', 'visit', visit);
    mustHave('searchSwept', 'reach', reach, 'a record {t}', 't');
    if (!(typeof reach.t === 'number' && reach.t >= 0))
      refuse('searchSwept', 'reach.t', `must be a number that is at least 0, got ${describe(reach.t)}`);
    this.searches++;
    try {
      searchSwept(this.nodes, box, motion, reach, visit, this.nodes.data);
    } finally {
      this.searches--;
    }
  }

  /** The same with all boxes within a distance of `reach.t`, roughly the nearest first. */
  searchNear(box: ReadonlyAabb, reach: Reach, visit: BoxVisitor): void {
    checkAabb('searchNear', 'box', box);
    mustBeFunction('searchNear', 'visit', visit);
    mustHave('searchNear', 'reach', reach, 'a record {t}', 't');
    if (!(typeof reach.t === 'number' && reach.t >= 0))
      refuse('searchNear', 'reach.t', `must be a number that is at least 0, got ${describe(reach.t)}`);
    this.searches++;
    try {
      searchNear(this.nodes, box, reach, visit);
    } finally {
      this.searches--;
    }
  }

  /** Visits every two boxes that share a point, each pair once. The visitor may end the search by returning false. */
  pairs(visit: PairVisitor): void {
    mustBeFunction('pairs', 'visit', visit);
    this.searches++;
    try {
      this.allPairs.visit(visit);
    } finally {
      this.searches--;
    }
  }

  /**
   * Fills a list with the proxies of every two boxes that share a point, or with their data, each pair once, and returns how
   * many pairs there are. Faster than `pairs`, as it calls no visitor. When few boxes have changed since the last time, only
   * their pairs are searched for.
   */
  collectPairs(out: PairList, asData = false): number {
    return this.allPairs.collect(out, asData);
  }

  /** Visits the box of every node and its level below the root, parents first: to draw them. The box is used again. */
  visitNodes(visit: (box: ReadonlyAabb, level: number) => unknown): void {
    mustBeFunction('visitNodes', 'visit', visit);
    const { nodes } = this;
    if (nodes.count === 0) return;
    const { bounds, links } = nodes;
    const waiting = [0, 0];
    this.searches++;
    try {
      while (waiting.length > 0) {
        const level = waiting.pop()!;
        const node = waiting.pop()!;
        const p = NODE * node;
        visit(readAabb(bounds, p, given), level);
        const link = links[p + LINK]!;
        if (link >= 0) waiting.push(link + 1, level + 1, link, level + 1);
      }
    } finally {
      this.searches--;
    }
  }

  protected mustBeIdle(caller: string): void {
    if (this.searches > 0)
      throw new Error(
        `graze: DynamicTree.${caller}: the tree must not be changed while it is being searched`,
      );
  }

  protected mustBeProxy(caller: string, proxy: number): void {
    const { nodes } = this;
    if (!(Number.isInteger(proxy) && proxy >= 0 && proxy < nodes.proxies && nodes.slots[proxy]! >= 0))
      refuse(caller, 'proxy', `must be that of a box in the tree, got ${describe(proxy)}`);
  }
}

/** What float32 can hold, with a margin. */
const LARGEST = 3.4e38;
const WITHOUT_MARGIN = { margin: 0, slack: 0, lead: 0, search: 'path' } as const;
/** No displacement. */
const STILL: ReadonlyVec3 = { x: 0, y: 0, z: 0 };
const given = makeAabb();

/** @internal */
export function writeBox(boxes: Float64Array, proxy: number, { min, max }: ReadonlyAabb): void {
  const q = 6 * proxy;
  boxes[q] = min.x;
  boxes[q + 1] = min.y;
  boxes[q + 2] = min.z;
  boxes[q + 3] = max.x;
  boxes[q + 4] = max.y;
  boxes[q + 5] = max.z;
}

/** @internal */
export function readBox(boxes: ArrayLike<number>, i: number, out: Aabb = given): Aabb {
  return readAabb(boxes, 6 * i, out);
}

/** The fat box that was made last, in single precision, and what it was rounded from. */
const fat = new Float32Array(6);
const wide = new Float64Array(6);

/**
 * Makes and returns `fat`: the box with its margin and what is ahead, rounded outward. Refuses what float32 cannot hold.
 *
 * @internal
 */
export function fatten(
  caller: string,
  box: ReadonlyAabb,
  displacement: ReadonlyVec3,
  { margin, slack, lead }: Required<DynamicTreeOptions>,
  name = 'box',
): Float32Array {
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  if (!(ax <= bx && ay <= by && az <= bz)) refuse(caller, name, 'must have min <= max on every axis');
  const off = margin + slack * Math.max(bx - ax, by - ay, bz - az);
  const dx = lead * displacement.x;
  const dy = lead * displacement.y;
  const dz = lead * displacement.z;
  wide[0] = ax - off + Math.min(dx, 0);
  wide[1] = ay - off + Math.min(dy, 0);
  wide[2] = az - off + Math.min(dz, 0);
  wide[3] = bx + off + Math.max(dx, 0);
  wide[4] = by + off + Math.max(dy, 0);
  wide[5] = bz + off + Math.max(dz, 0);
  // Rounded to the nearest by the store; where that went inward, by a step outward: half a step and a bit will do.
  for (let k = 0; k < 6; k++) {
    const exact = wide[k]!;
    fat[k] = exact;
    const near = fat[k]!;
    const step = Math.max(Math.abs(near) * HALF_STEP32, 1e-45);
    if (k < 3 ? near > exact : near < exact) fat[k] = k < 3 ? near - step : near + step;
  }
  const sum = fat[0]! + fat[1]! + fat[2]! + (fat[3]! + fat[4]! + fat[5]!);
  if (sum * 0 !== 0) refuse(caller, name, 'with its margin must be within the range of float32');
  return fat;
}

/** Is the box in the fat box at `p`, and that not more than twice as long on the whole as the one it could have? */
function fits(
  bounds: Float32Array,
  p: number,
  { min, max }: ReadonlyAabb,
  { x: dx, y: dy, z: dz }: ReadonlyVec3,
  { margin, slack, lead }: Required<DynamicTreeOptions>,
): boolean {
  if (!(bounds[p]! <= min.x && bounds[p + 1]! <= min.y && bounds[p + 2]! <= min.z)) return false;
  if (!(bounds[p + 3]! >= max.x && bounds[p + 4]! >= max.y && bounds[p + 5]! >= max.z)) return false;
  const has =
    bounds[p + 3]! - bounds[p]! + (bounds[p + 4]! - bounds[p + 1]!) + (bounds[p + 5]! - bounds[p + 2]!);
  const x = max.x - min.x;
  const y = max.y - min.y;
  const z = max.z - min.z;
  const off = margin + slack * Math.max(x, y, z);
  const ahead = lead * (Math.abs(dx) + Math.abs(dy) + Math.abs(dz));
  // Rounding outward adds up to a step on each side.
  const far =
    Math.abs(min.x) +
    Math.abs(min.y) +
    Math.abs(min.z) +
    (Math.abs(max.x) + Math.abs(max.y) + Math.abs(max.z));
  return has <= 2 * (x + y + z + 6 * off + ahead) + far * EPS32;
}
