/** How a pair of shapes is asked: the same queries for every pair, in the space of the first shape. */
import { directionToFirst, directionToSecond, type Frame, invertFrame, toFirst } from '../../convex/frame.ts';
import type { Vec3 } from '../../math/types.ts';
import { copyPoint } from '../body-space.ts';
import type { BodyPart, CastHit, Contact, Separation } from '../results.ts';
import type { Shape } from '../shape.ts';
import type { MovingPair } from './moving-pair.ts';
import type { PairContext } from './pair-context.ts';

/** Takes in contacts. It may neither keep nor change the record it is given, which is used again. */
export interface ContactSink {
  add(contact: Contact): void;
}

/** The algorithms for two kinds of shapes. All answers are in the space of a, which sees b at `context.frame`. */
export interface PairAlgorithm<A extends Shape = Shape, B extends Shape = Shape> {
  /** What it is, in a few words, for the table in the documentation. */
  readonly name: string;
  /** Do they share a point? */
  intersects(a: A, b: B, context: PairContext): boolean;
  /**
   * How far apart are they? False, and nothing written, if farther than `context.limit`. Shapes that touch or overlap get a
   * separation that is not above 0, and need not get more.
   */
  gap(a: A, b: B, context: PairContext, out: Separation): boolean;
  /**
   * The same, with the depth of shapes that overlap. Of meshes and compounds it is that of the two parts that are deepest:
   * `whole.depth` gives that of the whole.
   */
  separation(a: A, b: B, context: PairContext, out: Separation): boolean;
  /** All points where parts of them are within `context.limit` of each other. */
  contacts(a: A, b: B, context: PairContext, sink: ContactSink): void;
  /**
   * When does a, moved by t · `context.motion`, first touch b, for t from 0 to `hit.t`? Then the hit is filled, with b where it
   * stands, and true returned. Never late. Of shapes that overlap at the start, the point is one of both.
   */
  cast(a: A, b: B, context: PairContext, hit: CastHit): boolean;
  /** How `castRotating` finds the contact, for the table in the documentation. */
  readonly rotation: string;
  /**
   * When do the two, of which one rotates or both, first touch, for t from 0 to `hit.t`? Then the hit is filled, in world space,
   * with the point on b, and true returned. Never late. They do not touch at the start. Writes to `context.gap` how far apart
   * they are then.
   */
  castRotating(a: A, b: B, context: MovingPair, hit: CastHit): boolean;
  /** For shapes of parts, which are deeper in each other than any two of their parts. Null where `separation` says all. */
  readonly whole: WholeAlgorithm | null;
}

/** Takes the shapes in either order. Needs `context.back`. */
export interface WholeAlgorithm {
  /** Of shapes that touch or overlap, the translation of a that parts them. Comes in with what `gap` wrote. */
  depth(a: Shape, b: Shape, context: PairContext, out: Separation): void;
  /** `contacts`, and among them one that is as deep as the whole. */
  manifold(a: Shape, b: Shape, context: PairContext, sink: ContactSink): void;
}

/** The context for the same shapes the other way round. */
function flip({ inner, frame, limit }: PairContext): PairContext {
  invertFrame(frame, inner.frame);
  inner.limit = limit;
  return inner;
}

/** The algorithm with its two shapes the other way round. */
export function flipped<A extends Shape, B extends Shape>(one: PairAlgorithm<A, B>): PairAlgorithm<B, A> {
  return {
    name: one.name,
    intersects: (b, a, context) => one.intersects(a, b, flip(context)),
    gap(b, a, context, out) {
      if (!one.gap(a, b, flip(context), out)) return false;
      flipSeparation(context.frame, out);
      return true;
    },
    separation(b, a, context, out) {
      if (!one.separation(a, b, flip(context), out)) return false;
      flipSeparation(context.frame, out);
      return true;
    },
    contacts(b, a, context, sink) {
      const { frame, separation } = context;
      one.contacts(a, b, flip(context), {
        add(contact) {
          flipSeparation(frame, copySeparation(contact, separation));
          sink.add(separation);
        },
      });
    },
    cast(b, a, context, hit) {
      // b moving to a is a moving the opposite way to b, as b sees it.
      const { frame, motion } = context;
      const inner = flip(context);
      directionToSecond(frame, motion, inner.motion);
      negate(inner.motion);
      if (!one.cast(a, b, inner, hit)) return false;
      toFirst(frame, hit.point, hit.point);
      directionToFirst(frame, hit.normal, hit.normal);
      // There b stood still and a had come; here a stands where it is.
      hit.point.x += hit.t * motion.x;
      hit.point.y += hit.t * motion.y;
      hit.point.z += hit.t * motion.z;
      negate(hit.normal);
      swapParts(hit.part, hit.moverPart);
      return true;
    },
    rotation: one.rotation,
    castRotating(b, a, context, hit) {
      const inner = context.flip();
      if (!one.castRotating(a, b, inner, hit)) return false;
      context.gap = inner.gap;
      // From the point on the one to that on the other.
      const { point, normal } = hit;
      point.x += inner.gap * normal.x;
      point.y += inner.gap * normal.y;
      point.z += inner.gap * normal.z;
      negate(normal);
      swapParts(hit.part, hit.moverPart);
      return true;
    },
    whole: one.whole,
  };
}

function negate(v: Vec3): void {
  v.x = -v.x + 0; // no -0
  v.y = -v.y + 0;
  v.z = -v.z + 0;
}

/** From the space of b, with b first, to the space of a, with a first. `frame` is the pose of b as a sees it. */
export function flipSeparation(frame: Frame, out: Separation): void {
  const { pointA, pointB, normal } = out;
  toFirst(frame, pointA, pointA);
  toFirst(frame, pointB, pointB);
  directionToFirst(frame, normal, normal);
  const { x, y, z } = pointA;
  copyPoint(pointB, pointA);
  pointB.x = x;
  pointB.y = y;
  pointB.z = z;
  negate(normal);
  swapParts(out.partA, out.partB);
}

function swapParts(a: BodyPart, b: BodyPart): void {
  const { child, triangle } = a;
  a.child = b.child;
  a.triangle = b.triangle;
  b.child = child;
  b.triangle = triangle;
}

export function copySeparation(from: Separation, to: Separation): Separation {
  to.separation = from.separation;
  copyPoint(from.pointA, to.pointA);
  copyPoint(from.pointB, to.pointB);
  copyPoint(from.normal, to.normal);
  copyPart(from.partA, to.partA);
  copyPart(from.partB, to.partB);
  return to;
}

export function copyPart(from: BodyPart, to: BodyPart): void {
  to.child = from.child;
  to.triangle = from.triangle;
}

export function clearParts(a: BodyPart, b: BodyPart): void {
  a.child = -1;
  a.triangle = -1;
  b.child = -1;
  b.triangle = -1;
}
