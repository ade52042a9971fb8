/** All places where two bodies touch. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { mustBeLength, mustBeList, mustBeOptions } from '../math/check.ts';
import { pose } from '../math/types.ts';
import type { Shape } from '../shapes/shape.ts';
import { isConvexShape } from '../shapes/shape.ts';
import { type Body, normalizedPose, readPoses, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { toWorld } from './distance.ts';
import { convexConvex } from './pairs/convex-convex.ts';
import { convexOf } from './pairs/mesh-hull.ts';
import { type ContactSink, copySeparation } from './pairs/pair.ts';
import { deepen, nameTriangles } from './pairs/parting.ts';
import { algorithmFor } from './pairs/table.ts';
import type { Contact } from './results.ts';
import { makeSeparation } from './results.ts';

const frame = makeFrame();
const back = makeFrame();
const place = pose();
const poseA = pose();
const poseB = pose();

/** Puts contacts into a list of the caller's, whose records are used again. */
class ListSink implements ContactSink {
  list: Contact[] = [];
  count = 0;
  /** The least separation. */
  least = Infinity;

  add(contact: Contact): void {
    if (contact.separation < this.least) this.least = contact.separation;
    if (this.count === this.list.length) this.list.push(makeSeparation());
    toWorld(place, copySeparation(contact, this.list[this.count++]!));
  }
}

const sink = new ListSink();
const whole = makeSeparation();

/** Relative to the depth of the whole: a contact that is nearly as deep stands for it. */
const SAME_DEPTH = 1e-6;

export interface ContactsOptions {
  /** Places that are no farther apart than this count. Default: 0, those where the bodies touch or overlap. */
  readonly margin?: number | undefined;
  /** The list to be filled. Default: a new one. */
  readonly out?: Contact[] | undefined;
}

/**
 * The places where two bodies are within `margin` of each other (0: where they touch or overlap). A pair of convex bodies,
 * or closed meshes that are convex, has up to four, well spread over what they share; other meshes have those of each
 * triangle (of closed ones, those with a normal that leads out of the solid), half-spaces those of each corner of the side
 * that lies on them, compounds those of each child. Every contact has its own points and separation; the deepest is as deep
 * as `distance` tells: where no triangle or child alone is, as for what floats inside of a closed mesh, that of the whole
 * comes last. The records of `out` are used
 * again, and its length is the number of contacts.
 */
export function contacts(a: Body, b: Body, options?: ContactsOptions): Contact[] {
  mustBeBodies('contacts', a, b);
  if (options === undefined) return contactsWithin(a, b, 0, []);
  mustBeOptions('contacts', 'options', options, 'margin out');
  const { margin = 0, out = [] } = options;
  mustBeLength('contacts', 'options.margin', margin);
  mustBeList('contacts', 'options.out', out);
  return contactsWithin(a, b, margin, out);
}

/** `contacts`, for callers that have made sure of their bodies and numbers. @internal */
export function contactsWithin(a: Body, b: Body, margin: number, out: Contact[]): Contact[] {
  const first = shapeOf(a);
  const second = shapeOf(b);
  readPoses(a, b, poseA, poseB);
  relativeFrame(poseA, poseB, frame);
  relativeFrame(poseB, poseA, back);
  normalizedPose(poseA, place);
  sink.list = out;
  sink.count = 0;
  sink.least = Infinity;
  findContacts(first, second, margin);
  out.length = sink.count;
  return out;
}

function findContacts(first: Shape, second: Shape, margin: number): void {
  const algorithm = algorithmFor(first, second);
  if (
    (isConvexShape(first) && isConvexShape(second)) ||
    first.kind === 'halfSpace' ||
    second.kind === 'halfSpace'
  ) {
    algorithm.contacts(first, second, frame, margin, sink);
    return;
  }
  const [one, two] = [convexOf(first), convexOf(second)];
  if (one && two) {
    convexConvex.contacts(one, two, frame, margin, {
      add(contact) {
        nameTriangles(first, second, frame, contact);
        sink.add(contact);
      },
    });
    return;
  }
  algorithm.contacts(first, second, frame, margin, sink);
  if (sink.least > 0 && !algorithm.intersects(first, second, frame)) return;
  deepen(first, second, frame, back, whole);
  if (whole.separation < sink.least && !(sink.least <= (1 - SAME_DEPTH) * whole.separation)) sink.add(whole);
}
