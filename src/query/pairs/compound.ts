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

/** The box around b as a sees it, with room for rounding. */
function boxThrough(b: Shape, f: Frame, out: Aabb): Aabb {
  const { min, max } = boundsOf(b, HOME, ownBox);
  spread(min, max, f.m00, f.m01, f.m02, f.tx, out, 'x');
  spread(min, max, f.m10, f.m11, f.m12, f.ty, out, 'y');
  spread(min, max, f.m20, f.m21, f.m22, f.tz, out, 'z');
  return out;
}

function spread(
  min: ReadonlyVec3,
  max: ReadonlyVec3,
  x: number,
  y: number,
  z: number,
  offset: number,
  out: Aabb,
  axis: 'x' | 'y' | 'z',
): void {
  // A matrix entry of zero takes nothing of a side that goes on for ever.
  const low = part(x, min.x, max.x) + part(y, min.y, max.y) + part(z, min.z, max.z) + offset;
  const high = part(x, max.x, min.x) + part(y, max.y, min.y) + part(z, max.z, min.z) + offset;
  const room = 1e-14 * (Math.abs(low) + Math.abs(high));
  out.min[axis] = low - (room < Infinity ? room : 0);
  out.max[axis] = high + (room < Infinity ? room : 0);
}

const part = (m: number, low: number, high: number): number => (m === 0 ? 0 : m > 0 ? m * low : m * high);

/** Calls back for the children whose boxes are within `visitor.bound` of the box. Below zero, it ends. */
interface ChildVisitor {
  bound: number;
  visit(child: number): void;
}

function walkChildren({ tree }: CompoundShape, { min, max }: ReadonlyAabb, visitor: ChildVisitor): void {
  const { skip, first, items, volumes } = tree;
  for (let node = 0; node < skip.length; ) {
    const at = 6 * node;
    const dx = Math.max(0, volumes[at]! - max.x, min.x - volumes[at + 3]!);
    const dy = Math.max(0, volumes[at + 1]! - max.y, min.y - volumes[at + 4]!);
    const dz = Math.max(0, volumes[at + 2]! - max.z, min.z - volumes[at + 5]!);
    if (!(dx * dx + dy * dy + dz * dz <= visitor.bound * visitor.bound)) {
      node = skip[node]!;
      continue;
    }
    if (skip[node] === node + 1)
      for (let i = first[node]!; i < first[node + 1]!; i++) {
        visitor.visit(items[i]!);
        if (visitor.bound < 0) return;
      }
    node++;
  }
}

/** From the space of a child to that of the compound. */
function liftSeparation(place: Frame, child: number, out: Separation): void {
  toFirst(place, out.pointA, out.pointA);
  toFirst(place, out.pointB, out.pointB);
  turnToFirst(place, out.normal, out.normal);
  out.partA.child = child;
}

/** What a child is asked with: its place in the compound, and the other body's as the child sees it. */
interface ChildFrames {
  readonly place: Frame;
  readonly other: Frame;
}

function framesOf(a: CompoundShape, child: number, frame: Frame): ChildFrames {
  const place = relativeFrame(HOME, a.children[child]!.pose, makeFrame());
  return { place, other: composeFrames(invertFrame(place, makeFrame()), frame, makeFrame()) };
}

/** The algorithm for a compound and anything. */
export function compoundWith(lookup: Lookup): PairAlgorithm<CompoundShape, Shape> {
  return {
    name: 'tree of the compound, its children by their own algorithms',
    intersects(a, b, frame) {
      const visitor = {
        bound: 0,
        visit(child: number) {
          const { shape } = a.children[child]!;
          if (lookup(shape, b).intersects(shape, b, framesOf(a, child, frame).other)) this.bound = -1;
        },
      };
      walkChildren(a, boxThrough(b, frame, makeAabb()), visitor);
      return visitor.bound < 0;
    },
    separation(a, b, frame, maxDistance, out) {
      const one = makeSeparation();
      let found = false;
      walkChildren(a, boxThrough(b, frame, makeAabb()), {
        bound: Math.max(0, maxDistance),
        visit(child) {
          const { shape } = a.children[child]!;
          const { place, other } = framesOf(a, child, frame);
          const limit = found ? out.separation : maxDistance;
          if (!lookup(shape, b).separation(shape, b, other, limit, one)) return;
          if (found && !(one.separation < out.separation)) return;
          found = true;
          liftSeparation(place, child, copySeparation(one, out));
          this.bound = Math.max(0, out.separation);
        },
      });
      return found;
    },
    contacts(a, b, frame, margin, sink) {
      walkChildren(a, boxThrough(b, frame, makeAabb()), {
        bound: Math.max(0, margin),
        visit(child) {
          const { shape } = a.children[child]!;
          const { place, other } = framesOf(a, child, frame);
          const lifted: ContactSink = {
            add(contact) {
              liftSeparation(place, child, contact);
              sink.add(contact);
            },
          };
          lookup(shape, b).contacts(shape, b, other, margin, lifted);
        },
      });
    },
    cast(a, motion, b, frame, hit) {
      // The children that b meets on its way: as the compound sees it, b comes the other way.
      const box = boxThrough(b, frame, makeAabb());
      for (const axis of ['x', 'y', 'z'] as const) {
        const way = motion[axis] * Math.min(1, hit.t);
        const room = 1e-14 * Math.abs(way);
        box.min[axis] -= Math.max(0, way) + room;
        box.max[axis] += Math.max(0, -way) + room;
      }
      let found = false;
      const turned = vec3();
      walkChildren(a, box, {
        bound: 0,
        visit(child) {
          const { shape } = a.children[child]!;
          const { place, other } = framesOf(a, child, frame);
          directionToSecond(place, motion, turned);
          if (!lookup(shape, b).cast(shape, turned, b, other, hit)) return;
          found = true;
          toFirst(place, hit.point, hit.point);
          turnToFirst(place, hit.normal, hit.normal);
          hit.moverPart.child = child;
        },
      });
      return found;
    },
  };
}
