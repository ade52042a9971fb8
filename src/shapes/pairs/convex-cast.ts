/** The first contact of a convex core that moves without rotating: conservative advancement. RTCD §9.5.2. */
import { castConvex } from '../../convex/cast.ts';
import type { ConvexCore } from '../../convex/core.ts';
import { copyPoint } from '../body-space.ts';
import type { CastHit } from '../results.ts';
import { sharedPoint } from './convex-distance.ts';
import { clearParts } from './pair.ts';
import type { PairContext } from './pair-context.ts';

/** As `PairAlgorithm.cast`. A start in overlap has the normal of the penetration, and a point of both. */
export function castCores(a: ConvexCore, b: ConvexCore, context: PairContext, hit: CastHit): boolean {
  const { frame, motion, hit: touch } = context;
  if (castConvex(a, b, frame, motion, undefined, touch) === null || !(touch.t <= hit.t)) return false;
  hit.t = touch.t;
  if (touch.t === 0) sharedPoint(a, b, context, hit.point);
  else copyPoint(touch.point, hit.point);
  copyPoint(touch.normal, hit.normal);
  clearParts(hit.part, hit.moverPart);
  return true;
}
