/** When two bodies that both move first touch. */
import type { Body } from './body.ts';
import { castMotions } from './cast-motions.ts';
import type { Motion } from './motion.ts';
import type { CastHit } from './results.ts';

/**
 * When and where do two bodies first touch that move in the same time, each along a motion of any kind? As `cast`, and as
 * exact where neither turns, or where one turns about a pivot and the other rests; the point is where they touch at that
 * time, b having moved too. Null when they do not. RTCD §2.4.3.
 */
export function castMoving(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  out?: CastHit,
): CastHit | null {
  return castMotions('castMoving', a, motionA, b, motionB, out);
}
