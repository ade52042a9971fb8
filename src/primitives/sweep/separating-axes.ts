/**
 * The separating-axis test for translations: on every axis their shadows overlap for a span of
 * time, and the things overlap while all shadows do. RTCD §5.5.2.
 *
 * An axis that separates is proof, whatever its direction: rounding in its making can only lose a proof, which errs to
 * the early side. Rounding in the projections is covered by letting the shadows grow by a bound on it.
 */
import type { SweepSpan } from './types.ts';

/** A difference, a quotient and this product round by less than two of these: the time that comes out is not late. */
const EARLY = 1 - 2 * Number.EPSILON;
const LATE = 1 + 2 * Number.EPSILON;

/**
 * The running result.
 * @internal
 */
export interface Shadows {
  enter: number;
  exit: number;
  /** Contacts after this are of no interest. */
  latest: number;
  /** The axis of the last entry, towards the mover; not normalised. */
  nx: number;
  ny: number;
  nz: number;
  /** The shallowest overlap at the start so far, as a length. */
  depth: number;
  /** The axis at hand, and the rounding errors of a projection for a unit axis. */
  x: number;
  y: number;
  z: number;
  slack: number;
  /** The shadows on the axis: of the mover at the start, of the target, and the speed of the mover's. */
  moverLow: number;
  moverHigh: number;
  low: number;
  high: number;
  speed: number;
}

/** @internal */
export const makeShadows = (): Shadows => ({
  enter: 0,
  exit: Infinity,
  latest: 1,
  nx: 0,
  ny: 0,
  nz: 0,
  depth: Infinity,
  x: 0,
  y: 0,
  z: 0,
  slack: 0,
  moverLow: 0,
  moverHigh: 0,
  low: 0,
  high: 0,
  speed: 0,
});

/** @internal */
export function startShadows(s: Shadows): void {
  s.enter = 0;
  s.exit = Infinity;
  s.latest = 1;
  s.depth = Infinity;
  s.slack = 0;
}

/**
 * Cuts the span of overlap with that of the axis at hand; false when nothing is left of it within the motion. An axis
 * of length 0 says nothing.
 * @internal
 */
export function cutByAxis(s: Shadows): boolean {
  const { x, y, z, speed } = s;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return true;
  const slack = s.slack * length;
  // From the mover's top to the target's bottom, and the other way round: one is positive while they are apart.
  const below = s.low - s.moverHigh - slack;
  const above = s.moverLow - s.high - slack;
  if (below > 0 || above > 0) {
    const gap = below > 0 ? below : above;
    const closingSpeed = below > 0 ? speed : -speed;
    if (!(closingSpeed > 0)) return false;
    const t = (gap / closingSpeed) * EARLY;
    if (!(t <= s.latest)) return false;
    if (t >= s.enter) {
      s.enter = t;
      const sign = below > 0 ? -1 : 1;
      s.nx = sign * x;
      s.ny = sign * y;
      s.nz = sign * z;
      // They are apart at the start: no depth is of interest any more.
      s.depth = -Infinity;
    }
  } else {
    const depth = -Math.max(below, above) / length;
    if (depth < s.depth) {
      s.depth = depth;
      const sign = below > above || (below === above && speed > 0) ? -1 : 1;
      s.nx = sign * x;
      s.ny = sign * y;
      s.nz = sign * z;
    }
  }
  if (speed !== 0) {
    const left = speed > 0 ? s.high - s.moverLow + slack : s.low - s.moverHigh - slack;
    s.exit = Math.min(s.exit, (left / speed) * LATE);
  }
  return s.enter <= s.exit;
}

/** @internal */
export function fillSpan(s: Shadows, out: SweepSpan): SweepSpan {
  const { nx, ny, nz } = s;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  out.enter = s.enter;
  out.exit = s.exit;
  out.normal.x = nx / length + 0; // no -0
  out.normal.y = ny / length + 0;
  out.normal.z = nz / length + 0;
  return out;
}
