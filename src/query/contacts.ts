/** All places where two bodies touch. */
import { makeFrame, relativeFrame } from '../convex/frame.ts';
import { refuse } from '../math/check.ts';
import { pose } from '../math/types.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from './body.ts';
import { mustBeBodies } from './check.ts';
import { toWorld } from './distance.ts';
import { type ContactSink, copySeparation } from './pairs/pair.ts';
import { algorithmFor } from './pairs/table.ts';
import type { Contact } from './results.ts';
import { makeSeparation } from './results.ts';

const frame = makeFrame();
const place = pose();

/** Puts contacts into a list of the caller's, whose records are used again. */
class ListSink implements ContactSink {
  list: Contact[] = [];
  count = 0;

  add(contact: Contact): void {
    if (this.count === this.list.length) this.list.push(makeSeparation());
    toWorld(place, copySeparation(contact, this.list[this.count++]!));
  }
}

const sink = new ListSink();

/**
 * The places where two bodies are within `margin` of each other (0: where they touch or overlap). A pair of convex bodies
 * has up to four, well spread over what they share; meshes have those of each triangle, half-spaces those of each corner
 * of the side that lies on them. Every contact has its own points and separation. With `out`, its records are used again,
 * and its length is the number of contacts.
 */
export function contacts(a: Body, b: Body, margin = 0, out: Contact[] = []): Contact[] {
  mustBeBodies('contacts', a, b);
  if (!(margin >= 0 && margin < Infinity))
    refuse('contacts', 'margin', `must be a number that is at least 0, got ${margin}`);
  const first = shapeOf(a);
  const second = shapeOf(b);
  relativeFrame(poseOf(a), poseOf(b), frame);
  normalizedPose(poseOf(a), place);
  sink.list = out;
  sink.count = 0;
  algorithmFor(first, second).contacts(first, second, frame, margin, sink);
  out.length = sink.count;
  return out;
}
