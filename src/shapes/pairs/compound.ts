/** Compounds: their children, one by one, each by the algorithm for its kind. */
import {
  composeFrames,
  directionToFirst,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  relativeFrame,
  toFirst,
} from '../../convex/frame.ts';
import { composePoses } from '../../math/pose.ts';
import { BOX_PADDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { pose } from '../../math/types.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { boundsOf } from '../bounds.ts';
import type { Separation } from '../results.ts';
import type { CompoundShape, Shape } from '../shape.ts';
import {
  castRotatingShapes,
  castShapes,
  contactsOfShapes,
  gapOfShapes,
  intersectShapes,
  separateShapes,
} from './dispatch.ts';
import { boxOfPath, setReach } from './moving-pair.ts';
import { copySeparation, type PairAlgorithm } from './pair.ts';
import type { PairContext } from './pair-context.ts';
import { wholeBodies } from './penetration-depth.ts';

const HOME = pose();
const ownBox = makeAabb();

/** The rows of a frame; and from where to where a box goes along each: numbers that cross a call would be boxed. */
const rows = new Float64Array(12);
const spans = new Float64Array(6);

/** The box around b as a sees it, padded for rounding. */
function boxThrough(b: Shape, f: Frame, out: Aabb): void {
  rows[0] = f.m00;
  rows[1] = f.m01;
  rows[2] = f.m02;
  rows[3] = f.tx;
  rows[4] = f.m10;
  rows[5] = f.m11;
  rows[6] = f.m12;
  rows[7] = f.ty;
  rows[8] = f.m20;
  rows[9] = f.m21;
  rows[10] = f.m22;
  rows[11] = f.tz;
  spread(boundsOf(b, HOME, ownBox));
  const { min, max } = out;
  min.x = spans[0]!;
  max.x = spans[1]!;
  min.y = spans[2]!;
  max.y = spans[3]!;
  min.z = spans[4]!;
  max.z = spans[5]!;
}

function spread({ min, max }: ReadonlyAabb): void {
  for (let axis = 0; axis < 3; axis++) {
    const x = rows[4 * axis]!;
    const y = rows[4 * axis + 1]!;
    const z = rows[4 * axis + 2]!;
    const offset = rows[4 * axis + 3]!;
    // A matrix entry of zero takes nothing of an infinite side.
    const low = part(x, min.x, max.x) + part(y, min.y, max.y) + part(z, min.z, max.z) + offset;
    const high = part(x, max.x, min.x) + part(y, max.y, min.y) + part(z, max.z, min.z) + offset;
    const padding = BOX_PADDING * (Math.abs(low) + Math.abs(high));
    spans[2 * axis] = low - (padding < Infinity ? padding : 0);
    spans[2 * axis + 1] = high + (padding < Infinity ? padding : 0);
  }
}

const part = (m: number, low: number, high: number): number => (m === 0 ? 0 : m > 0 ? m * low : m * high);

/** Extends the box of something back along the motion, padded for rounding. */
function widen({ min, max }: Aabb, motion: ReadonlyVec3, { t }: { readonly t: number }): void {
  const k = Math.min(1, t);
  const x = k * motion.x;
  const y = k * motion.y;
  const z = k * motion.z;
  min.x -= Math.max(0, x) + BOX_PADDING * Math.abs(x);
  min.y -= Math.max(0, y) + BOX_PADDING * Math.abs(y);
  min.z -= Math.max(0, z) + BOX_PADDING * Math.abs(z);
  max.x += Math.max(0, -x) + BOX_PADDING * Math.abs(x);
  max.y += Math.max(0, -y) + BOX_PADDING * Math.abs(y);
  max.z += Math.max(0, -z) + BOX_PADDING * Math.abs(z);
}

/** A walk over the children of a compound that come near to another body. */
class ChildWalk {
  /** Children whose boxes are farther from `box` are passed over. */
  bound = 0.5;
  /** Around the other body. */
  readonly box = makeAabb();
  /** Where the child at hand stands. */
  readonly pose = makeFrame();
  private readonly back = makeFrame();
  private node = 0;
  private item = 0;

  start(b: Shape, frame: Frame): void {
    boxThrough(b, frame, this.box);
    this.restart();
  }

  /** For a box that is filled by the caller. */
  restart(): void {
    this.node = 0;
    this.item = 0;
  }

  /** The number of the next child; -1 after the last. */
  next({ tree }: CompoundShape): number {
    const { skip, first, items, volumes } = tree;
    const { min, max } = this.box;
    while (this.node < skip.length) {
      const { node } = this;
      if (this.item > 0) {
        // In a leaf.
        if (this.item < first[node + 1]! - first[node]!) return items[first[node]! + this.item++]!;
        this.item = 0;
        this.node++;
        continue;
      }
      const at = 6 * node;
      const dx = Math.max(0, volumes[at]! - max.x, min.x - volumes[at + 3]!);
      const dy = Math.max(0, volumes[at + 1]! - max.y, min.y - volumes[at + 4]!);
      const dz = Math.max(0, volumes[at + 2]! - max.z, min.z - volumes[at + 5]!);
      if (!(dx * dx + dy * dy + dz * dz <= this.bound * this.bound)) this.node = skip[node]!;
      else if (skip[node] === node + 1 && first[node]! < first[node + 1]!) {
        this.item = 1;
        return items[first[node]!]!;
      } else this.node++;
    }
    return -1;
  }

  /** The shape of a child. Fills in `pose`, and in the inner context the pose of the other shape as the child sees it. */
  load(a: CompoundShape, child: number, { frame, inner }: PairContext): Shape {
    const { shape, pose } = a.children[child]!;
    relativeFrame(HOME, pose, this.pose);
    composeFrames(invertFrame(this.pose, this.back), frame, inner.frame);
    return shape;
  }
}

/** The walk of this context, begun. */
function startWalk(b: Shape, context: PairContext): ChildWalk {
  context.compound ??= new ChildWalk();
  const walk = context.compound as ChildWalk;
  walk.start(b, context.frame);
  return walk;
}

/** From the space of a child to that of the compound. */
function liftSeparation(pose: Frame, child: number, out: Separation): void {
  toFirst(pose, out.pointA, out.pointA);
  toFirst(pose, out.pointB, out.pointB);
  directionToFirst(pose, out.normal, out.normal);
  out.partA.child = child;
}

/** The nearest child; `ends` with the first that touches. */
function nearestChild(
  a: CompoundShape,
  b: Shape,
  context: PairContext,
  out: Separation,
  ends: boolean,
): boolean {
  const { limit, inner } = context;
  const walk = startWalk(b, context);
  walk.bound = Math.max(0, limit);
  let found = false;
  for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
    const shape = walk.load(a, child, context);
    inner.limit = found ? out.separation : limit;
    const one = inner.separation;
    if (!(ends ? gapOfShapes(shape, b, inner, one) : separateShapes(shape, b, inner, one))) continue;
    if (found && !(one.separation < out.separation)) continue;
    found = true;
    liftSeparation(walk.pose, child, copySeparation(one, out));
    if (ends && !(out.separation > 0)) break;
    walk.bound = Math.max(0, out.separation);
  }
  return found;
}

/** A compound and anything. */
export const compoundAny: PairAlgorithm<CompoundShape, Shape> = {
  name: 'tree of the compound, its children by their own algorithms',
  intersects(a, b, context) {
    const walk = startWalk(b, context);
    walk.bound = 0;
    for (let child = walk.next(a); child >= 0; child = walk.next(a))
      if (intersectShapes(walk.load(a, child, context), b, context.inner)) return true;
    return false;
  },
  gap: (a, b, context, out) => nearestChild(a, b, context, out, true),
  separation: (a, b, context, out) => nearestChild(a, b, context, out, false),
  contacts(a, b, context, sink) {
    const { limit, inner, separation } = context;
    const walk = startWalk(b, context);
    walk.bound = Math.max(0, limit);
    for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
      const shape = walk.load(a, child, context);
      inner.limit = limit;
      contactsOfShapes(shape, b, inner, {
        add(contact) {
          // A copy: the algorithm of the child goes on with its record.
          liftSeparation(walk.pose, child, copySeparation(contact, separation));
          sink.add(separation);
        },
      });
    }
  },
  cast(a, b, context, hit) {
    const { motion, inner } = context;
    const walk = startWalk(b, context);
    walk.bound = 0;
    // The children that b meets as it moves: seen from the compound, b comes the other way.
    widen(walk.box, motion, hit);
    let found = false;
    for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
      const shape = walk.load(a, child, context);
      directionToSecond(walk.pose, motion, inner.motion);
      if (!castShapes(shape, b, inner, hit)) continue;
      found = true;
      toFirst(walk.pose, hit.point, hit.point);
      directionToFirst(walk.pose, hit.normal, hit.normal);
      hit.moverPart.child = child;
    }
    return found;
  },
  rotation: 'its tree, child by child',
  castRotating(a, b, context, hit) {
    const { first, second, inner, pair } = context;
    pair.compound ??= new ChildWalk();
    const walk = pair.compound as ChildWalk;
    walk.restart();
    walk.bound = 0;
    setReach(first, a);
    setReach(second, b);
    boxOfPath(b, second, first, walk.box);
    inner.second.load(second.pose, second.motion);
    let found = false;
    for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
      const { shape, pose } = a.children[child]!;
      inner.first.load(first.pose, first.motion);
      composePoses(first.pose, pose, inner.first.pose);
      if (!castRotatingShapes(shape, b, inner, hit)) continue;
      found = true;
      context.gap = inner.gap;
      hit.moverPart.child = child;
    }
    return found;
  },
  whole: wholeBodies,
};
