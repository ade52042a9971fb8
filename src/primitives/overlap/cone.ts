/** A cone by its half-angle instead of its radius. RTCD §5.2.4. */
import { checkPoint, describe, mustBeNumber, refuse } from '../../math/check.ts';
import { makeSinCos, sincos } from '../../math/trig.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, set } from '../../math/vec3.ts';
import type { Cone } from '../types.ts';

/** The cone from `tip` to the disc about `base`, of which each line from the tip makes at most `halfAngle` with the axis. */
export function coneFromHalfAngle(
  tip: ReadonlyVec3,
  base: ReadonlyVec3,
  halfAngle: number,
  out: Cone = { tip: vec3(), base: vec3(), radius: 0 },
): Cone {
  checkPoint('coneFromHalfAngle', 'tip', tip);
  checkPoint('coneFromHalfAngle', 'base', base);
  mustBeNumber('coneFromHalfAngle', 'halfAngle', halfAngle);
  const { x, y, z } = tip;
  const { x: bx, y: by, z: bz } = base;
  if (!(halfAngle >= 0 && halfAngle < Math.PI / 2))
    refuse(
      'coneFromHalfAngle',
      'halfAngle',
      `must be at least 0 and less than a right angle, got ${describe(halfAngle)}`,
    );
  sincos(halfAngle, sinCos);
  const radius = (distance(tip, base) * sinCos.sin) / sinCos.cos;
  set(x, y, z, out.tip);
  set(bx, by, bz, out.base);
  out.radius = radius;
  return out;
}

const sinCos = makeSinCos();
