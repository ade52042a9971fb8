/** Any two shapes: the convex algorithms, or those that one of the shapes brings. As the methods of `PairAlgorithm`. */
import { algorithmFor } from '../family.ts';
import type { CastHit, Separation } from '../results.ts';
import { isConvexShape, type Shape } from '../shape.ts';
import { castRotatingCores } from './conservative-advancement.ts';
import { castCores } from './convex-cast.ts';
import { contactsOfCores } from './convex-contacts.ts';
import { overlapCores, separateCores } from './convex-distance.ts';
import type { MovingPair } from './moving-pair.ts';
import type { ContactSink } from './pair.ts';
import type { PairContext } from './pair-context.ts';

export function intersectShapes(a: Shape, b: Shape, context: PairContext): boolean {
  return isConvexShape(a) && isConvexShape(b)
    ? overlapCores(a.core, b.core, context)
    : algorithmFor(a, b).intersects(a, b, context);
}

export function gapOfShapes(a: Shape, b: Shape, context: PairContext, out: Separation): boolean {
  return isConvexShape(a) && isConvexShape(b)
    ? separateCores(a.core, b.core, context, out)
    : algorithmFor(a, b).gap(a, b, context, out);
}

export function separateShapes(a: Shape, b: Shape, context: PairContext, out: Separation): boolean {
  return isConvexShape(a) && isConvexShape(b)
    ? separateCores(a.core, b.core, context, out)
    : algorithmFor(a, b).separation(a, b, context, out);
}

export function contactsOfShapes(a: Shape, b: Shape, context: PairContext, sink: ContactSink): void {
  if (isConvexShape(a) && isConvexShape(b)) contactsOfCores(a, b, context, sink);
  else algorithmFor(a, b).contacts(a, b, context, sink);
}

export function castShapes(a: Shape, b: Shape, context: PairContext, hit: CastHit): boolean {
  return isConvexShape(a) && isConvexShape(b)
    ? castCores(a.core, b.core, context, hit)
    : algorithmFor(a, b).cast(a, b, context, hit);
}

export function castRotatingShapes(a: Shape, b: Shape, context: MovingPair, hit: CastHit): boolean {
  return isConvexShape(a) && isConvexShape(b)
    ? castRotatingCores(a.core, b.core, context, hit)
    : algorithmFor(a, b).castRotating(a, b, context, hit);
}
