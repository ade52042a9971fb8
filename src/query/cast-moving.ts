/** When two bodies that both move first touch. */
import { mustBeFinite } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Body } from './body.ts';
import { cast } from './cast.ts';
import type { CastHit } from './results.ts';

const relative = { translation: vec3(0.5, 0.5, 0.5) };

/**
 * When and where do two bodies first touch that move along straight lines in the same time? `cast` with the motion of a as
 * b sees it; the point is where they touch at that time, b having moved too. Null when they do not. RTCD §2.4.3.
 */
export function castMoving(
  a: Body,
  motionA: { readonly translation: ReadonlyVec3 },
  b: Body,
  motionB: { readonly translation: ReadonlyVec3 },
  out?: CastHit,
): CastHit | null {
  const { translation: va } = motionA;
  const { translation: vb } = motionB;
  if ((va.x + va.y + va.z + (vb.x + vb.y + vb.z)) * 0 !== 0)
    mustBeFinite('castMoving', { 'motionA.translation': va, 'motionB.translation': vb });
  v3.sub(va, vb, relative.translation);
  const { x, y, z } = vb;
  const hit = cast(a, relative, b, out);
  if (hit) {
    const { point, t } = hit;
    point.x += t * x;
    point.y += t * y;
    point.z += t * z;
  }
  return hit;
}
