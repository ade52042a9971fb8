/**
 * What is near something that moves, gathered ahead of it. RTCD §13.5.2.
 *
 * Around a place the items within a radius are copied together. As long as the mover's own reach stays within that radius
 * they are all it needs. Once it has gone some way from the place, the next gathering starts at where it is then, a
 * stretch of the tree in each frame, at a pace that ends it before the first one is left behind.
 *
 * For a body that wanders through a large static scene. Production gathers nearby triangles anew in each move:
 * `character/`.
 */
import { checkPoint, describe, refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { Aabb } from '../../primitives/types.ts';
import type { Tree, TreeItems } from '../../trees/tree.ts';

export interface NeighbourhoodOptions {
  /** How far from the mover items matter. */
  readonly reach: number;
  /** How far around a place items are gathered; more than `lead` + `reach`. */
  readonly radius: number;
  /** How far from the place the mover may go before the next gathering starts. */
  readonly lead: number;
}

/** What was found around one place. */
interface Gathering {
  readonly center: { x: number; y: number; z: number };
  /** The next node of the tree to look at; at the number of nodes, all is found. */
  cursor: number;
  count: number;
  items: Uint32Array;
  boxes: Float64Array;
}

export class NeighbourhoodCache {
  /** How many calls were answered from what was gathered, and how many had to search the tree. */
  hits = 0;
  misses = 0;
  private readonly tree: Tree<Aabb>;
  private readonly bounds: Float64Array;
  private readonly reach: number;
  private readonly radius: number;
  private readonly lead: number;
  private current: Gathering | null = null;
  private next: Gathering | null = null;
  private spare: Gathering | null = null;
  private readonly last = vec3();

  /** `items` are those that the tree was built over: their boxes decide. */
  constructor(
    tree: Tree<Aabb>,
    items: Pick<TreeItems, 'bounds'>,
    { reach, radius, lead }: NeighbourhoodOptions,
  ) {
    if (tree.ops.kind !== 'aabb')
      refuse('NeighbourhoodCache', 'tree', `must be one of boxes, got ${describe(tree.ops.kind)}`);
    if (!(reach >= 0 && reach < Infinity))
      refuse('NeighbourhoodCache', 'reach', `must not be negative, got ${describe(reach)}`);
    if (!(lead >= 0 && lead < Infinity))
      refuse('NeighbourhoodCache', 'lead', `must not be negative, got ${describe(lead)}`);
    if (!(radius > lead + reach && radius < Infinity))
      refuse(
        'NeighbourhoodCache',
        'radius',
        `must be more than lead + reach = ${lead + reach}, got ${describe(radius)}`,
      );
    this.tree = tree;
    this.bounds = items.bounds;
    this.reach = reach;
    this.radius = radius;
    this.lead = lead;
  }

  /** To be called when the tree or its items were edited. */
  clear(): void {
    this.current = this.next = null;
  }

  /**
   * The items whose boxes are within reach of the point, in no particular order; `out` is overwritten. To be called once
   * a frame with where the mover is. After a jump it searches the tree and starts anew.
   */
  query(p: ReadonlyVec3, out: number[] = []): number[] {
    checkPoint('NeighbourhoodCache.query', 'p', p);
    this.advance(p);
    const { current } = this;
    const { x, y, z } = p;
    const limit = this.reach * this.reach;
    let count = 0;
    if (current !== null && this.isDone(current) && this.serves(current, p)) {
      this.hits++;
      for (let i = 0; i < current.count; i++)
        if (distanceSq(current.boxes, 6 * i, x, y, z) <= limit) out[count++] = current.items[i]!;
    } else {
      this.misses++;
      count = this.search(p, limit, out);
    }
    out.length = count;
    return out;
  }

  /** Brings the gatherings up to date with the mover at p. */
  private advance(p: ReadonlyVec3): void {
    if (this.current !== null && !this.serves(this.current, p)) {
      // Left behind, or a jump: the next one takes over if it reaches this far.
      const { next } = this;
      this.spare = this.current;
      this.current = next !== null && this.serves(next, p) ? next : null;
      this.next = null;
    }
    const { skip } = this.tree;
    if (this.current === null) this.current = this.begin(p);
    else if (this.isBehind(this.current, p) && this.isBehind(this.next, p)) {
      this.spare = this.next;
      this.next = this.begin(p);
    }
    const busy = this.isDone(this.current) ? this.next : this.current;
    // The share of the tree that matches the share of the way; a mover that stands still gets there too.
    const share = v3.distance(this.last, p) / (this.radius - this.lead - this.reach);
    v3.copy(p, this.last);
    if (busy === null || this.isDone(busy)) return;
    this.gather(busy, Math.max(LEAST, Math.ceil(Math.min(1, share) * skip.length)));
    // The closer of two complete ones is the better one.
    const { current, next } = this;
    if (next !== null && this.isDone(next) && v3.distance(next.center, p) < v3.distance(current.center, p)) {
      this.spare = current;
      this.current = next;
      this.next = null;
    }
  }

  private begin(p: ReadonlyVec3): Gathering {
    const gathering = this.spare ?? {
      center: vec3(),
      cursor: 0,
      count: 0,
      items: new Uint32Array(64),
      boxes: new Float64Array(6 * 64),
    };
    this.spare = null;
    v3.copy(p, gathering.center);
    gathering.cursor = gathering.count = 0;
    return gathering;
  }

  private isDone(gathering: Gathering): boolean {
    return gathering.cursor >= this.tree.skip.length;
  }

  /** Does the gathering hold, or will it, all that is within reach of p? The last factor is for rounding. */
  private serves({ center }: Gathering, p: ReadonlyVec3): boolean {
    return (v3.distance(center, p) + this.reach) * (1 + 16 * EPS64) <= this.radius;
  }

  /** Is it time for another? Not while one is under way. */
  private isBehind(gathering: Gathering | null, p: ReadonlyVec3): boolean {
    return gathering === null || (this.isDone(gathering) && v3.distance(gathering.center, p) > this.lead);
  }

  /** Looks at that many more nodes. */
  private gather(gathering: Gathering, budget: number): void {
    const { skip, first, items, volumes } = this.tree;
    const { x, y, z } = gathering.center;
    const limit = this.radius * this.radius * (1 + 16 * EPS64);
    let node = gathering.cursor;
    for (; node < skip.length && budget > 0; budget--) {
      const leaf = skip[node] === node + 1;
      if (distanceSq(volumes, 6 * node, x, y, z) > limit) {
        node = skip[node]!;
        continue;
      }
      if (leaf)
        for (let i = first[node]!; i < first[node + 1]!; i++)
          if (distanceSq(this.bounds, 6 * items[i]!, x, y, z) <= limit) this.keep(gathering, items[i]!);
      node++;
    }
    gathering.cursor = node;
  }

  private keep(gathering: Gathering, item: number): void {
    if (gathering.count === gathering.items.length) {
      const { items, boxes } = gathering;
      gathering.items = new Uint32Array(2 * items.length);
      gathering.boxes = new Float64Array(2 * boxes.length);
      gathering.items.set(items);
      gathering.boxes.set(boxes);
    }
    const at = gathering.count++;
    gathering.items[at] = item;
    for (let k = 0; k < 6; k++) gathering.boxes[6 * at + k] = this.bounds[6 * item + k]!;
  }

  /** The tree itself, asked now. */
  private search({ x, y, z }: ReadonlyVec3, limit: number, out: number[]): number {
    const { skip, first, items, volumes } = this.tree;
    let count = 0;
    for (let node = 0; node < skip.length; ) {
      if (distanceSq(volumes, 6 * node, x, y, z) > limit * (1 + 16 * EPS64)) {
        node = skip[node]!;
        continue;
      }
      if (skip[node] === node + 1)
        for (let i = first[node]!; i < first[node + 1]!; i++)
          if (distanceSq(this.bounds, 6 * items[i]!, x, y, z) <= limit) out[count++] = items[i]!;
      node++;
    }
    return count;
  }
}

/** Nodes looked at in a frame in which the mover hardly moves. */
const LEAST = 64;

/** From a point to a box in an array, squared. */
function distanceSq(boxes: Float32Array | Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[at]! - x, x - boxes[at + 3]!, 0);
  const dy = Math.max(boxes[at + 1]! - y, y - boxes[at + 4]!, 0);
  const dz = Math.max(boxes[at + 2]! - z, z - boxes[at + 5]!, 0);
  return dx * dx + dy * dy + dz * dz;
}
