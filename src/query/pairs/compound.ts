/** Compounds: their children, one by one, each by the algorithm for its kind. */
import {
  composeFrames,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  relativeFrame,
  toFirst,
  turnToFirst,
} from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { pose, vec3 } from '../../math/types.ts';
import type { Aabb, ReadonlyAabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { boundsOf } from '../../shapes/bounds.ts';
import type { CompoundShape, Shape } from '../../shapes/shape.ts';
import type { Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';
import { type ContactSink, copySeparation, type PairAlgorithm } from './pair.ts';

/** Finds the algorithm for two shapes: the table, which this one is itself a part of. */
export type Lookup = (a: Shape, b: Shape) => PairAlgorithm;

const HOME = pose();
const ownBox = makeAabb();

/** The rows of a frame; and from where to where a box goes along each: numbers that cross a call would be boxed. */
const rows = new Float64Array(12);
const spans = new Float64Array(6);

/** The box around b as a sees it, with room for rounding. */
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
    // A matrix entry of zero takes nothing of a side that goes on for ever.
    const low = part(x, min.x, max.x) + part(y, min.y, max.y) + part(z, min.z, max.z) + offset;
    const high = part(x, max.x, min.x) + part(y, max.y, min.y) + part(z, max.z, min.z) + offset;
    const room = 1e-14 * (Math.abs(low) + Math.abs(high));
    spans[2 * axis] = low - (room < Infinity ? room : 0);
    spans[2 * axis + 1] = high + (room < Infinity ? room : 0);
  }
}

const part = (m: number, low: number, high: number): number => (m === 0 ? 0 : m > 0 ? m * low : m * high);

/** Makes the box of something larger by its way back along the motion, with room for rounding. */
function widen({ min, max }: Aabb, motion: ReadonlyVec3, { t }: { readonly t: number }): void {
  const k = Math.min(1, t);
  const x = k * motion.x;
  const y = k * motion.y;
  const z = k * motion.z;
  min.x -= Math.max(0, x) + 1e-14 * Math.abs(x);
  min.y -= Math.max(0, y) + 1e-14 * Math.abs(y);
  min.z -= Math.max(0, z) + 1e-14 * Math.abs(z);
  max.x += Math.max(0, -x) + 1e-14 * Math.abs(x);
  max.y += Math.max(0, -y) + 1e-14 * Math.abs(y);
  max.z += Math.max(0, -z) + 1e-14 * Math.abs(z);
}

/** A walk over the children of a compound that come near to another body. */
class ChildWalk {
  /** Children whose boxes are farther from `box` are passed over. */
  bound = 0.5;
  /** Around the other body. */
  readonly box = makeAabb();
  /** Where the child at hand stands, and the other body as the child sees it. */
  readonly place = makeFrame();
  readonly other = makeFrame();
  readonly one = makeSeparation();
  readonly motion = vec3();
  private readonly back = makeFrame();
  private node = 0;
  private item = 0;

  start(b: Shape, frame: Frame): void {
    boxThrough(b, frame, this.box);
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

  /** Readies `place` and `other`. */
  load(a: CompoundShape, child: number, frame: Frame): Shape {
    const { shape, pose } = a.children[child]!;
    relativeFrame(HOME, pose, this.place);
    composeFrames(invertFrame(this.place, this.back), frame, this.other);
    return shape;
  }
}

/** They nest, in compounds of compounds: each takes the next. */
const walks: ChildWalk[] = [];
let depth = 0;

function take(b: Shape, frame: Frame): ChildWalk {
  if (depth === walks.length) walks.push(new ChildWalk());
  const walk = walks[depth++]!;
  walk.start(b, frame);
  return walk;
}

/** From the space of a child to that of the compound. */
function liftSeparation(place: Frame, child: number, out: Separation): void {
  toFirst(place, out.pointA, out.pointA);
  toFirst(place, out.pointB, out.pointB);
  turnToFirst(place, out.normal, out.normal);
  out.partA.child = child;
}

/** The algorithm for a compound and anything. */
export function compoundWith(lookup: Lookup): PairAlgorithm<CompoundShape, Shape> {
  return {
    name: 'tree of the compound, its children by their own algorithms',
    intersects(a, b, frame) {
      const before = depth;
      try {
        const walk = take(b, frame);
        walk.bound = 0;
        for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
          const shape = walk.load(a, child, frame);
          if (lookup(shape, b).intersects(shape, b, walk.other)) return true;
        }
        return false;
      } finally {
        depth = before; // shapes of the user's may throw
      }
    },
    separation(a, b, frame, maxDistance, out) {
      const before = depth;
      try {
        const walk = take(b, frame);
        walk.bound = Math.max(0, maxDistance);
        let found = false;
        for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
          const shape = walk.load(a, child, frame);
          const limit = found ? out.separation : maxDistance;
          if (!lookup(shape, b).separation(shape, b, walk.other, limit, walk.one)) continue;
          if (found && !(walk.one.separation < out.separation)) continue;
          found = true;
          liftSeparation(walk.place, child, copySeparation(walk.one, out));
          walk.bound = Math.max(0, out.separation);
        }
        return found;
      } finally {
        depth = before;
      }
    },
    gap(a, b, frame, maxDistance, out) {
      const before = depth;
      try {
        const walk = take(b, frame);
        walk.bound = Math.max(0, maxDistance);
        let found = false;
        for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
          const shape = walk.load(a, child, frame);
          const limit = found ? out.separation : maxDistance;
          if (!lookup(shape, b).gap(shape, b, walk.other, limit, walk.one)) continue;
          if (found && !(walk.one.separation < out.separation)) continue;
          found = true;
          liftSeparation(walk.place, child, copySeparation(walk.one, out));
          if (!(out.separation > 0)) break;
          walk.bound = out.separation;
        }
        return found;
      } finally {
        depth = before;
      }
    },
    contacts(a, b, frame, margin, sink) {
      const before = depth;
      try {
        const walk = take(b, frame);
        walk.bound = Math.max(0, margin);
        for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
          const shape = walk.load(a, child, frame);
          const lifted: ContactSink = {
            add(contact) {
              // A copy: who told it goes on with its record.
              liftSeparation(walk.place, child, copySeparation(contact, walk.one));
              sink.add(walk.one);
            },
          };
          lookup(shape, b).contacts(shape, b, walk.other, margin, lifted);
        }
      } finally {
        depth = before;
      }
    },
    cast(a, motion, b, frame, hit) {
      const before = depth;
      try {
        const walk = take(b, frame);
        walk.bound = 0;
        // The children that b meets on its way: as the compound sees it, b comes the other way.
        widen(walk.box, motion, hit);
        let found = false;
        for (let child = walk.next(a); child >= 0; child = walk.next(a)) {
          const shape = walk.load(a, child, frame);
          directionToSecond(walk.place, motion, walk.motion);
          if (!lookup(shape, b).cast(shape, walk.motion, b, walk.other, hit)) continue;
          found = true;
          toFirst(walk.place, hit.point, hit.point);
          turnToFirst(walk.place, hit.normal, hit.normal);
          hit.moverPart.child = child;
        }
        return found;
      } finally {
        depth = before;
      }
    },
  };
}
