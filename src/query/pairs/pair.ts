/** How a pair of shapes is asked: the same four questions for every pair, in the space of the first shape. */
import {
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toFirst,
  turnToFirst,
} from '../../convex/frame.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Shape } from '../../shapes/shape.ts';
import { copyPoint } from '../placed.ts';
import type { BodyPart, CastHit, Contact, Separation } from '../results.ts';
import { makeSeparation } from '../results.ts';

/** Takes in contacts. It may neither keep nor move the points and the normal of the record it is given: they are used again. */
export interface ContactSink {
  add(contact: Contact): void;
}

/** The way to answer for two kinds of shapes. `frame` is the place of b as a sees it; so are all answers. */
export interface PairAlgorithm<A extends Shape = Shape, B extends Shape = Shape> {
  /** What it is, in a few words, for the table in the documentation. */
  readonly name: string;
  /** Do they share a point? */
  intersects(a: A, b: B, frame: Frame): boolean;
  /**
   * How far apart, or how deep in each other? False, and nothing written, if farther apart than `maxDistance`. Of meshes
   * and compounds that overlap, the depth is that of the two parts that are deepest: `deepen` tells that of the whole.
   */
  separation(a: A, b: B, frame: Frame, maxDistance: number, out: Separation): boolean;
  /** The same for bodies that are apart. Of others it need not tell more than that: a separation that is not above 0. */
  gap(a: A, b: B, frame: Frame, maxDistance: number, out: Separation): boolean;
  /** All places where they are within `margin` of each other. */
  contacts(a: A, b: B, frame: Frame, margin: number, sink: ContactSink): void;
  /**
   * When does a, moved by t · motion, first touch b, for t from 0 to `hit.t`? Then the hit is filled, with b where it
   * stands, and true returned. Never late. Of bodies that overlap at the start, the point is one of both.
   */
  cast(a: A, motion: ReadonlyVec3, b: B, frame: Frame, hit: CastHit): boolean;
}

/** What one flipped question needs. They nest, in compounds of compounds: each takes the next. */
interface Turned {
  readonly frame: Frame;
  readonly motion: Vec3;
}

const turned: Turned[] = [];
let depth = 0;

function take(frame: Frame): Turned {
  if (depth === turned.length) turned.push({ frame: makeFrame(), motion: vec3() });
  const own = turned[depth++]!;
  invertFrame(frame, own.frame);
  return own;
}

/** The algorithm with its two shapes the other way round. */
export function flipped<A extends Shape, B extends Shape>(one: PairAlgorithm<A, B>): PairAlgorithm<B, A> {
  return {
    name: one.name,
    intersects(b, a, frame) {
      const before = depth;
      try {
        return one.intersects(a, b, take(frame).frame);
      } finally {
        depth = before; // shapes of the user's may throw
      }
    },
    separation(b, a, frame, maxDistance, out) {
      const before = depth;
      try {
        if (!one.separation(a, b, take(frame).frame, maxDistance, out)) return false;
      } finally {
        depth = before;
      }
      flipSeparation(frame, out);
      return true;
    },
    gap(b, a, frame, maxDistance, out) {
      const before = depth;
      try {
        if (!one.gap(a, b, take(frame).frame, maxDistance, out)) return false;
      } finally {
        depth = before;
      }
      flipSeparation(frame, out);
      return true;
    },
    contacts(b, a, frame, margin, sink) {
      one.contacts(a, b, invertFrame(frame, makeFrame()), margin, {
        add(contact) {
          flipSeparation(frame, copySeparation(contact, flippedContact));
          sink.add(flippedContact);
        },
      });
    },
    cast(b, motion, a, frame, hit) {
      const before = depth;
      try {
        // b on its way to a is a on the opposite way to b, as b sees it.
        const { frame: back, motion: reverse } = take(frame);
        directionToSecond(frame, motion, reverse);
        reverse.x = -reverse.x;
        reverse.y = -reverse.y;
        reverse.z = -reverse.z;
        if (!one.cast(a, reverse, b, back, hit)) return false;
      } finally {
        depth = before;
      }
      toFirst(frame, hit.point, hit.point);
      turnToFirst(frame, hit.normal, hit.normal);
      // There b stood still and a had come; here a stands where it is.
      hit.point.x += hit.t * motion.x;
      hit.point.y += hit.t * motion.y;
      hit.point.z += hit.t * motion.z;
      hit.normal.x = -hit.normal.x + 0;
      hit.normal.y = -hit.normal.y + 0;
      hit.normal.z = -hit.normal.z + 0;
      swapParts(hit.part, hit.moverPart);
      return true;
    },
  };
}

const flippedContact = makeSeparation();

/** From the space of b, with b first, to the space of a, with a first. `frame` is that of b as a sees it. */
/** @internal */
export function flipSeparation(frame: Frame, out: Separation): void {
  const { pointA, pointB, normal } = out;
  toFirst(frame, pointA, pointA);
  toFirst(frame, pointB, pointB);
  turnToFirst(frame, normal, normal);
  const { x, y, z } = pointA;
  copyPoint(pointB, pointA);
  pointB.x = x;
  pointB.y = y;
  pointB.z = z;
  normal.x = -normal.x + 0; // no -0
  normal.y = -normal.y + 0;
  normal.z = -normal.z + 0;
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
  to.partA.child = from.partA.child;
  to.partA.triangle = from.partA.triangle;
  to.partB.child = from.partB.child;
  to.partB.triangle = from.partB.triangle;
  return to;
}

export function clearParts(a: BodyPart, b: BodyPart): void {
  a.child = -1;
  a.triangle = -1;
  b.child = -1;
  b.triangle = -1;
}
