/**
 * The first contact of a moving sphere with any convex target, from nothing but its closest points: conservative
 * advancement.
 *
 * The distance d(t) from a point that moves on a straight line to a convex set is a convex function. So its tangent
 * never lies above it, and Newton's steps towards d = r from before the contact never pass it: every step moves the
 * sphere up to the plane through the closest point, at a right angle to the line from there to the centre, and the
 * target lies behind that plane. Convergence is quadratic, and at a graze (a double root) the gap still shrinks
 * fourfold a step.
 */

/**
 * A class, not a record that is spread into larger ones: V8 boxes every number that is written to a spread record.
 * @internal
 */
export class SphereAdvance {
  /** The time reached, early or exact. */
  t = Number.NaN;
  vx = Number.NaN;
  vy = Number.NaN;
  vz = Number.NaN;
  /** From the closest point of the target to the centre at `t`: what `measure` fills in. */
  dx = Number.NaN;
  dy = Number.NaN;
  dz = Number.NaN;
  radius = Number.NaN;
  /** A bound on the rounding errors of a measured distance. */
  slack = Number.NaN;
}

/** The gap to close is below 2^100 slacks, and a step takes two bits off it at least. */
const MAX_STEPS = 50;

/**
 * Moves `state.t` on to the first contact of the sphere grown by the slack; true when it comes by t = 1. If the steps
 * should not suffice, the time reached is reported: it is early.
 * @internal
 */
export function advanceSphere<S extends SphereAdvance>(state: S, measure: (state: S) => void): boolean {
  const r = state.radius + state.slack;
  for (let step = 0; step < MAX_STEPS; step++) {
    measure(state);
    const { dx, dy, dz } = state;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance <= r + state.slack) return true;
    const closingSpeed = -(dx * state.vx + dy * state.vy + dz * state.vz);
    if (!(closingSpeed > 0)) return false;
    state.t += ((distance - r) / closingSpeed) * distance;
    if (!(state.t <= 1)) return false;
  }
  return true;
}
