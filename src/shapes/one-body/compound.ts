/** Rays and points against a compound: its children, nearest first. */
import { EPS64 } from '../../math/float.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { rayAabbKernel } from '../../primitives/ray/ray-aabb.ts';
import type { ReadonlyRay } from '../../primitives/types.ts';
import { makeAabb, makeHit } from '../../primitives/types.ts';
import { normalToWorld, pointToBody, pointToWorld, rayToBody } from '../body-space.ts';
import { type CompoundShape, isConvexShape } from '../shape.ts';
import { closestPointShape, raycastShape, shapeContains, signedDistanceShape } from './any-shape.ts';
import { ALL, ANY, type BodyContext } from './body-context.ts';
import { copyFound } from './convex.ts';

/** The distance of a box is reduced by a few roundings, so that a box that is just as near is not skipped. */
const NEARER = 1 - 8 * EPS64;

const box = makeAabb();
const boxHit = makeHit();

/** The nodes of the tree of a compound that are still to be looked at, nearest last. */
class NodeQueue {
  /**
   * Numbers of nodes, and from which time or distance on they count. One waits on each level of the tree, which has less than
   * 8 + 3 · 32 of them whatever the parts (`halveDepth`).
   */
  private readonly nodes = new Uint32Array(128);
  private readonly keys = new Float64Array(128);
  private count = 0;

  /** Begins with the root. */
  start(): this {
    this.nodes[0] = 0;
    this.keys[0] = 0;
    this.count = 1;
    return this;
  }

  /** Takes the nearest node; -1 when none is left within `context.limit`. */
  private next({ limit }: BodyContext): number {
    while (this.count > 0) {
      const at = --this.count;
      if (this.keys[at]! <= limit) return this.nodes[at]!;
    }
    return -1;
  }

  /** Puts a node among those pushed since `from`. */
  private insert(node: number, key: number, from: number): void {
    const { nodes, keys } = this;
    let at = this.count++;
    for (; at > from && keys[at - 1]! < key; at--) {
      nodes[at] = nodes[at - 1]!;
      keys[at] = keys[at - 1]!;
    }
    nodes[at] = node;
    keys[at] = key;
  }

  /** The leaf nearest to a point that has not been taken yet; -1 when none is left within `context.limit`. */
  nextForPoint(shape: CompoundShape, p: ReadonlyVec3, context: BodyContext): number {
    const { skip } = shape.tree;
    const { min, max } = box;
    for (;;) {
      const node = this.next(context);
      if (node < 0 || skip[node] === node + 1) return node;
      const from = this.count;
      for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
        loadBox(shape, child, context);
        const x = Math.max(min.x - p.x, 0, p.x - max.x);
        const y = Math.max(min.y - p.y, 0, p.y - max.y);
        const z = Math.max(min.z - p.z, 0, p.z - max.z);
        this.insert(child, Math.sqrt(x * x + y * y + z * z) * NEARER, from);
      }
    }
  }

  /** The leaf that the ray comes to next; -1 when none is left within `context.limit`. */
  nextForRay(shape: CompoundShape, ray: ReadonlyRay, context: BodyContext): number {
    const { skip } = shape.tree;
    for (;;) {
      const node = this.next(context);
      if (node < 0 || skip[node] === node + 1) return node;
      const from = this.count;
      for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
        loadBox(shape, child, context);
        if (rayAabbKernel(null, ray, box, Infinity, boxHit) === null) continue;
        if (boxHit.t <= context.limit * RAY_SLACK) this.insert(child, boxHit.t, from);
      }
    }
  }
}

function queueOf(context: BodyContext): NodeQueue {
  context.compound ??= new NodeQueue();
  return (context.compound as NodeQueue).start();
}

function loadBox({ tree }: CompoundShape, node: number, { within }: BodyContext): void {
  const { volumes } = tree;
  const { min, max } = box;
  const at = 6 * node;
  min.x = volumes[at]! - within;
  min.y = volumes[at + 1]! - within;
  min.z = volumes[at + 2]! - within;
  max.x = volumes[at + 3]! + within;
  max.y = volumes[at + 4]! + within;
  max.z = volumes[at + 5]! + within;
}

/** Of children hit at the same time, the first. */
export function raycastCompound(shape: CompoundShape, ray: ReadonlyRay, context: BodyContext): boolean {
  const { children, tree } = shape;
  const { found, best, childRay, mode, all, limit: tMax } = context;
  const queue = queueOf(context);
  best.child = -1;
  let any = false;
  let first = tMax;
  for (
    let leaf = queue.nextForRay(shape, ray, context);
    leaf >= 0;
    leaf = queue.nextForRay(shape, ray, context)
  )
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const number = tree.items[i]!;
      const child = children[number]!;
      const { pose } = child;
      const from = all.length;
      found.child = number;
      found.triangle = -1;
      // The time of a convex child must not be rounded to that of another.
      context.limit = isConvexShape(child.shape) ? tMax : first;
      const hits = raycastShape(child.shape, rayToBody(pose, ray, childRay), context);
      context.limit = first;
      if (!hits) continue;
      any = true;
      if (mode === ANY) return true;
      if (mode === ALL) {
        for (let k = from; k < all.length; k++) {
          all[k]!.child = number;
          pointToWorld(pose, all[k]!.point, all[k]!.point);
          normalToWorld(pose, all[k]!.normal, all[k]!.normal);
        }
        continue;
      }
      if (best.child >= 0 && !(found.t < best.t || (found.t === best.t && number < best.child))) continue;
      first = found.t;
      context.limit = first;
      copyFound(found, best);
      best.child = number;
      pointToWorld(pose, best.point, best.point);
      normalToWorld(pose, best.normal, best.normal);
    }
  if (any && mode !== ALL) copyFound(best, found);
  return any;
}

/** Of children at the same distance, the first. */
export function closestPointCompound(shape: CompoundShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { children, tree } = shape;
  const { found, best, childRay } = context;
  const queue = queueOf(context);
  best.child = -1;
  for (
    let leaf = queue.nextForPoint(shape, p, context);
    leaf >= 0;
    leaf = queue.nextForPoint(shape, p, context)
  )
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const number = tree.items[i]!;
      const { shape: child, pose } = children[number]!;
      found.triangle = -1;
      if (!closestPointShape(child, pointToBody(pose, p, childRay.origin), context)) continue;
      if (found.distance === context.limit && best.child >= 0 && best.child < number) continue;
      context.limit = found.distance;
      copyFound(found, best);
      best.child = number;
      pointToWorld(pose, best.point, best.point);
    }
  if (best.child < 0) return false;
  copyFound(best, found);
  return true;
}

export function compoundContains(shape: CompoundShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { children, tree } = shape;
  const queue = queueOf(context);
  context.limit = 0;
  for (
    let leaf = queue.nextForPoint(shape, p, context);
    leaf >= 0;
    leaf = queue.nextForPoint(shape, p, context)
  )
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const { shape: child, pose } = children[tree.items[i]!]!;
      if (shapeContains(child, pointToBody(pose, p, context.childRay.origin), context)) return true;
    }
  return false;
}

export function signedDistanceCompound(shape: CompoundShape, p: ReadonlyVec3, context: BodyContext): number {
  const { children, tree } = shape;
  const queue = queueOf(context);
  let least = Infinity;
  context.limit = Infinity;
  for (
    let leaf = queue.nextForPoint(shape, p, context);
    leaf >= 0;
    leaf = queue.nextForPoint(shape, p, context)
  )
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const { shape: child, pose } = children[tree.items[i]!]!;
      const local = pointToBody(pose, p, context.childRay.origin);
      least = Math.min(least, signedDistanceShape(child, local, context));
      context.limit = Math.max(0, least); // what is farther is of no interest; in one child, others may be deeper
    }
  return least;
}
