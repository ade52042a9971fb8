/** Small bodies near the axis of a large round one, and round ones in each other: deep in many directions alike. */
import type { ConvexCore } from '../../src/convex/core.ts';
import type { Frame } from '../../src/convex/frame.ts';
import type { Vec3 } from '../../src/math/types.ts';
import {
  boxCore,
  coneCore,
  cylinderCore,
  ellipsoidCore,
  frameOf,
  pointCore,
  polytopeCore,
  segmentCore,
} from './convex.ts';
import type { Rng } from './rng.ts';

const STILL = { x: 0, y: 0, z: 0, w: 1 };

export function roundCore(rng: Rng): ConvexCore {
  const radius = rng.chance(0.3) ? rng.range(0, 0.3) : 0;
  const r = rng.range(0.2, 1);
  const half = rng.range(0.2, 2);
  const bit = 1 + rng.pick([0, 10 ** rng.range(-9, -1)]);
  return rng.pick([
    () => cylinderCore(half, r, radius),
    () => coneCore(half, r, radius),
    () => ellipsoidCore(r, half, r * bit, radius),
    () => ellipsoidCore(half, r, r * bit, radius),
    () => ellipsoidCore(r, r * bit, r * (1 + (bit - 1) * rng.range(0, 3)), radius),
    () => ellipsoidCore(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1), radius),
  ])();
}

export function smallCore(rng: Rng, size: number): ConvexCore {
  const s = () => size * rng.range(0.1, 1);
  const radius = rng.chance(0.3) ? s() : 0;
  return rng.pick([
    () => pointCore(size),
    () => segmentCore(rng.vec(size), rng.vec(size), radius),
    () => boxCore(s(), s(), s(), radius),
    () =>
      polytopeCore(
        Array.from({ length: rng.int(4, 14) }, () => rng.vec(size)),
        radius,
      ),
    () => {
      // Many corners on a ball: many directions that are nearly as good.
      const n = rng.int(20, 60);
      return polytopeCore(
        Array.from({ length: n }, () => {
          const d = rng.direction();
          return { x: size * d.x, y: size * d.y, z: size * d.z };
        }),
        radius,
      );
    },
    () => cylinderCore(s(), s(), radius),
    () => coneCore(s(), s(), radius),
    () => ellipsoidCore(s(), s(), s(), radius),
  ])();
}

/** On the axis (any of the three), or off it by as little as a rounding, or as much as the body is large. */
export function nearAxis(rng: Rng): { a: ConvexCore; b: ConvexCore; frame: Frame } {
  const a = roundCore(rng);
  const size = rng.pick([10 ** rng.range(-6, -2), rng.range(0.01, 0.2)]);
  const b = smallCore(rng, size);
  const off = rng.pick([0, 10 ** rng.range(-15, -1), size]);
  const t: Vec3 = rng.vec(off);
  const along = rng.pick([0, rng.range(-0.15, 0.15), rng.range(-0.6, 0.6)]);
  if (rng.chance(0.7)) t.y += along;
  else t.x += along;
  const turn = rng.pick([
    STILL,
    rng.rotation(),
    rng.rotation(),
    { x: 10 ** rng.range(-9, -2), y: rng.unit(), z: -(10 ** rng.range(-9, -2)), w: 1 },
  ]);
  return { a, b, frame: frameOf(turn, t) };
}
