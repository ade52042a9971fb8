/** Pairs of triangles that may have more in common than the corners they share. */
import { buildTree } from '../trees/build.ts';
import { boxItems } from '../trees/items.ts';
import { PairSearch } from '../trees/pair-search.ts';
import type { Triangles } from './triangles.ts';

/** Returns true to end the search. */
export type PairVisit = (s: number, t: number) => boolean;

/**
 * Vertices (and edges) with so many triangles are looked at on their own: the boxes of all these touch there, which
 * makes a pair of each two.
 */
const CROWD = 32;
/** What may be spent: so much, and so much for each triangle. A pair of boxes costs one, a pair of triangles eight. */
const ALLOWANCE = 2_000_000;
const ALLOWANCE_EACH = 400;
const VISIT_COST = 8;

/**
 * Visits all pairs of `members` that come as near to each other as the tolerance elsewhere than at corners they share, and
 * some others. Corners at equal positions have equal numbers, and no member has less than three.
 *
 * Around a vertex (an edge) with many triangles, these are compared by the directions that they take: a fan of any size
 * is quick. Slivers that cross each other's boxes are not, therefore there is an end to what is spent: false if it came
 * before all pairs had been visited, or if the visitor ended the search. O(n log n + pairs).
 *
 * @internal
 */
export function visitClosePairs(
  triangles: Triangles,
  members: Uint32Array,
  tolerance: number,
  visit: PairVisit,
): boolean {
  const hunt = new Hunt(triangles, tolerance, visit, ALLOWANCE + ALLOWANCE_EACH * members.length);
  hunt.everywhere(members);
  return hunt.isComplete;
}

class Hunt {
  isComplete = true;
  private readonly positions: ArrayLike<number>;
  private readonly index: Uint32Array;
  private readonly tolerance: number;
  private readonly visit: PairVisit;
  private allowance: number;

  constructor({ positions, index }: Triangles, tolerance: number, visit: PairVisit, allowance: number) {
    this.positions = positions;
    this.index = index;
    this.tolerance = tolerance;
    this.visit = visit;
    this.allowance = allowance;
  }

  everywhere(members: Uint32Array): void {
    this.compare(
      members,
      [],
      (t, out) => this.boxOf(t, out),
      (crowd, hub) => this.aroundVertex(crowd, hub),
    );
  }

  /** What triangles at one vertex have in common elsewhere, they have along a direction: arcs on a sphere meet. */
  private aroundVertex(members: Uint32Array, v: number): void {
    this.compare(
      members,
      [v],
      (t, out) => this.arcOf(t, v, out),
      (crowd, w) => this.aroundEdge(crowd, v, w),
    );
  }

  /** Triangles at one edge have more in common if they lie on the same side in the same plane. */
  private aroundEdge(members: Uint32Array, v: number, w: number): void {
    this.compare(members, [v, w], (t, out) => this.pageOf(t, v, w, out), null);
  }

  /** All pairs of members whose boxes overlap; those at a crowded corner, other than the hubs, by `inCrowd`. */
  private compare(
    members: Uint32Array,
    hubs: readonly number[],
    boxOf: (t: number, out: Box) => void,
    inCrowd: ((crowd: Uint32Array, hub: number) => void) | null,
  ): void {
    const crowds = inCrowd ? this.crowdsOf(members, hubs) : new Map([[-1, members]]);
    const groups = [...crowds].map(([hub, crowd]) => makeGroup(hub, crowd, boxOf));
    for (const group of groups)
      if (group.hub >= 0) inCrowd!(group.members, group.hub);
      else this.search(group, group);
    if (groups.length < 2) return;
    const tops = new Float64Array(6 * groups.length);
    groups.forEach(({ bounds }, g) => {
      tops.set(bounds, 6 * g);
    });
    const tree = buildTree(boxItems(tops), { method: 'morton' });
    this.run(new PairSearch(tree, tree, (g, h) => this.search(groups[g]!, groups[h]!), { self: true }));
  }

  private search(a: Group, b: Group): boolean {
    const visit = (i: number, j: number): boolean => {
      this.allowance -= VISIT_COST;
      const s = a.members[i]!;
      const t = b.members[j]!;
      if (this.allowance < 0 || this.visit(Math.min(s, t), Math.max(s, t))) this.isComplete = false;
      return !this.isComplete;
    };
    this.run(new PairSearch(a.tree, b.tree, visit, { self: a === b }));
    return !this.isComplete;
  }

  private run<V>(search: PairSearch<V>): void {
    while (this.isComplete && !search.step(BATCH)) {
      this.allowance -= BATCH;
      if (this.allowance < 0) this.isComplete = false;
    }
  }

  /** The members by their most crowded corner; -1 for those that have none. */
  private crowdsOf(members: Uint32Array, hubs: readonly number[]): Map<number, Uint32Array> {
    const { index } = this;
    const counts = new Map<number, number>();
    for (const t of members)
      for (let k = 3 * t; k < 3 * t + 3; k++) counts.set(index[k]!, (counts.get(index[k]!) ?? 0) + 1);
    for (const hub of hubs) counts.delete(hub);
    const lists = new Map<number, number[]>();
    for (const t of members) {
      let best = -1;
      let most = CROWD - 1;
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const count = counts.get(index[k]!) ?? 0;
        if (count > most) {
          most = count;
          best = index[k]!;
        }
      }
      const list = lists.get(best);
      if (list) list.push(t);
      else lists.set(best, [t]);
    }
    return new Map([...lists].map(([hub, list]) => [hub, Uint32Array.from(list)]));
  }

  private boxOf(t: number, out: Box): void {
    const { positions, index, tolerance } = this;
    for (let axis = 0; axis < 3; axis++) {
      const a = positions[3 * index[3 * t]! + axis]!;
      const b = positions[3 * index[3 * t + 1]! + axis]!;
      const c = positions[3 * index[3 * t + 2]! + axis]!;
      out[axis] = Math.min(a, b, c) - tolerance;
      out[axis + 3] = Math.max(a, b, c) + tolerance;
    }
  }

  /** Around the arc of directions that a triangle takes at its corner v. */
  private arcOf(t: number, v: number, out: Box): void {
    const { index } = this;
    let k = 3 * t;
    while (index[k] !== v) k++;
    const p = index[3 * t + ((k + 1) % 3)]!;
    const q = index[3 * t + ((k + 2) % 3)]!;
    const spread = this.directionOf(v, p, first) + this.directionOf(v, q, second);
    const cosine = first[0]! * second[0]! + first[1]! * second[1]! + first[2]! * second[2]!;
    // How far the arc is from its chord; near to half a turn it may be anywhere.
    const reach = cosine < -0.99 ? 2 : 1 - Math.sqrt((1 + cosine) / 2) + spread;
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = Math.min(first[axis]!, second[axis]!) - reach;
      out[axis + 3] = Math.max(first[axis]!, second[axis]!) + reach;
    }
  }

  /** Around the direction in which a triangle leaves its edge vw. */
  private pageOf(t: number, v: number, w: number, out: Box): void {
    const { index } = this;
    let k = 3 * t;
    while (index[k] === v || index[k] === w) k++;
    this.directionOf(v, w, first);
    let spread = this.directionOf(v, index[k]!, second);
    const along = first[0]! * second[0]! + first[1]! * second[1]! + first[2]! * second[2]!;
    let lengthSq = 0;
    for (let axis = 0; axis < 3; axis++) {
      second[axis]! -= along * first[axis]!;
      lengthSq += second[axis]! * second[axis]!;
    }
    const length = Math.sqrt(lengthSq);
    // Nearly along the edge: the direction is mere rounding.
    spread = length > 1e-9 ? spread / length : 2;
    for (let axis = 0; axis < 3; axis++) {
      const x = length > 1e-9 ? second[axis]! / length : 0;
      out[axis] = x - spread;
      out[axis + 3] = x + spread;
    }
  }

  /** The direction from v to p, and how much it may be off by rounding and the tolerance: 2 if it may be any. */
  private directionOf(v: number, p: number, out: Float64Array): number {
    const { positions } = this;
    let size = 0;
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = positions[3 * p + axis]! - positions[3 * v + axis]!;
      size = Math.max(size, Math.abs(out[axis]!));
    }
    let lengthSq = 0;
    for (let axis = 0; axis < 3; axis++) {
      out[axis]! /= size;
      lengthSq += out[axis]! * out[axis]!;
    }
    const length = Math.sqrt(lengthSq);
    for (let axis = 0; axis < 3; axis++) out[axis]! /= length;
    return Math.min(2, 1e-11 + (4 * this.tolerance) / (size * length));
  }
}

const BATCH = 4096;
const first = new Float64Array(3);
const second = new Float64Array(3);

/** min x, y, z, max x, y, z. */
type Box = Float64Array;

interface Group {
  readonly hub: number;
  readonly members: Uint32Array;
  readonly tree: ReturnType<typeof buildTree>;
  readonly bounds: Box;
}

function makeGroup(hub: number, members: Uint32Array, boxOf: (t: number, out: Box) => void): Group {
  const boxes = new Float64Array(6 * members.length);
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < members.length; i++) {
    const box = boxes.subarray(6 * i, 6 * i + 6);
    boxOf(members[i]!, box);
    for (let axis = 0; axis < 3; axis++) {
      bounds[axis] = Math.min(bounds[axis]!, box[axis]!);
      bounds[axis + 3] = Math.max(bounds[axis + 3]!, box[axis + 3]!);
    }
  }
  return { hub, members, tree: buildTree(boxItems(boxes), { method: 'morton' }), bounds };
}
