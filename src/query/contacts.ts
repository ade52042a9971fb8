/** All points where two bodies touch. */
import { relativeFrame } from '../convex/frame.ts';
import { mustBeLength, mustBeList, mustBeOptions } from '../math/check.ts';
import { algorithmFor } from '../shapes/family.ts';
import { contactsOfShapes } from '../shapes/pairs/dispatch.ts';
import type { ContactSink } from '../shapes/pairs/pair.ts';
import { type PairContext, releaseContext, takeContext } from '../shapes/pairs/pair-context.ts';
import type { Contact } from '../shapes/results.ts';
import { makeSeparation } from '../shapes/results.ts';
import { isConvexShape, type Shape } from '../shapes/shape.ts';
import { type Body, normalizePose, separationToWorld, shapeOf } from './body.ts';
import { readPoses } from './read-body.ts';

/** Puts contacts into a list of the caller's, whose records are used again. */
class ListSink implements ContactSink {
  count = 0;
  private readonly list: Contact[];
  private readonly context: PairContext;

  constructor(list: Contact[], context: PairContext) {
    this.list = list;
    this.context = context;
  }

  add(contact: Contact): void {
    if (this.count === this.list.length) this.list.push(makeSeparation());
    separationToWorld(this.context.poseA, contact, this.list[this.count++]!);
  }
}

export interface ContactsOptions {
  /** Places that are no farther apart than this count. Default: 0, those where the bodies touch or overlap. */
  readonly margin?: number | undefined;
  /** The list to be filled. Default: a new one. */
  readonly out?: Contact[] | undefined;
}

/**
 * The points where two bodies are within `margin` of each other (0: where they touch or overlap). A pair of convex bodies,
 * or closed meshes that are convex, has up to four, well spread over what they share; other meshes have those of each
 * triangle (of closed ones, those with a normal that leads out of the solid), half-spaces those of each corner of the side
 * that lies on them, compounds those of each child. Every contact has its own points and separation; the deepest is as deep
 * as of `distance`: where no triangle or child alone is, as for what floats inside of a closed mesh, that of the whole
 * comes last. The records of `out` are used
 * again, and its length is the number of contacts.
 */
export function contacts(a: Body, b: Body, options?: ContactsOptions): Contact[] {
  if (options === undefined) return contactsWithin(a, b, 0, []);
  mustBeOptions('contacts', 'options', options, 'margin out');
  const { margin = 0, out = [] } = options;
  mustBeLength('contacts', 'options.margin', margin);
  mustBeList('contacts', 'options.out', out);
  return contactsWithin(a, b, margin, out);
}

/** `contacts`, for callers that have made sure of their bodies and numbers. @internal */
export function contactsWithin(a: Body, b: Body, margin: number, out: Contact[]): Contact[] {
  const context = takeContext();
  try {
    readPoses('contacts', a, b, context);
    context.limit = margin;
    const sink = new ListSink(out, context);
    findContacts(shapeOf(a), shapeOf(b), context, sink);
    out.length = sink.count;
    return out;
  } finally {
    releaseContext();
  }
}

function findContacts(a: Shape, b: Shape, context: PairContext, sink: ContactSink): void {
  const { poseA, poseB } = context;
  relativeFrame(poseA, poseB, context.frame);
  const whole = isConvexShape(a) && isConvexShape(b) ? null : algorithmFor(a, b).whole;
  if (whole) relativeFrame(poseB, poseA, context.back);
  normalizePose(poseA);
  if (whole) whole.manifold(a, b, context, sink);
  else contactsOfShapes(a, b, context, sink);
}
