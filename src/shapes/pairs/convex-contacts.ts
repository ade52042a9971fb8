/** The contact manifold of two convex shapes. */
import { convexManifold, makeManifold } from '../../convex/manifold.ts';
import { copyPoint } from '../body-space.ts';
import type { ConvexShape } from '../shape.ts';
import { separateCores } from './convex-distance.ts';
import type { ContactSink } from './pair.ts';
import type { PairContext } from './pair-context.ts';

/** What is asked of a convex shape. */
type Convex = Pick<ConvexShape, 'core' | 'faces'>;

/** Made and read with no user code in between. */
const manifold = makeManifold();

/** As `PairAlgorithm.contacts`. */
export function contactsOfCores(a: Convex, b: Convex, context: PairContext, sink: ContactSink): void {
  const { frame, limit, separation } = context;
  if (!separateCores(a.core, b.core, context, separation)) return;
  convexManifold(a, b, frame, separation, manifold);
  let isTold = false;
  for (let i = 0; i < manifold.count; i++) {
    const { a: onA, b: onB, separation: own } = manifold.points[i]!;
    if (!(own <= limit)) continue;
    separation.separation = own;
    copyPoint(onA, separation.pointA);
    copyPoint(onB, separation.pointB);
    sink.add(separation);
    isTold = true;
  }
  // Touching, and by rounding no corner of the one is as near to the other as they are.
  if (!isTold) sink.add(separation);
}
