/**
 * The first contact of a moving sphere with any convex target, from nothing but its closest points.
 *
 * The distance d(t) from a point that moves on a straight line to a convex set is a convex function. So its tangent
 * never lies above it, and Newton's steps towards d = r from before the contact never pass it: every step moves the
 * sphere up to the plane through the closest point, across the line from there to the centre, and the target lies
 * behind that plane. Convergence is quadratic, and at a graze (a double root) the gap still shrinks fourfold a step.
 * @internal
 */
export interface Approach {
  /** The time reached, early or exact. */
  t: number;
  vx: number;
  vy: number;
  vz: number;
  /** From the closest point of the target to the centre at `t`: what `measure` fills in. */
  dx: number;
  dy: number;
  dz: number;
  radius: number;
  /** A bound on the rounding errors of a measured distance. */
  slack: number;
}

/** @internal */
export const makeApproach = (): Approach => ({
  t: 0,
  vx: 0,
  vy: 0,
  vz: 0,
  dx: 0,
  dy: 0,
  dz: 0,
  radius: 0,
  slack: 0,
});

/** The gap to close is below 2^100 slacks, and a step takes two bits off it at least. */
const MAX_STEPS = 50;

/**
 * Moves `state.t` on to the first contact of the sphere grown by the slack; true when it comes by t = 1. If the steps
 * should not do, the time reached is reported: it is early.
 * @internal
 */
export function approach<S extends Approach>(state: S, measure: (state: S) => void): boolean {
  const r = state.radius + state.slack;
  for (let step = 0; step < MAX_STEPS; step++) {
    measure(state);
    const { dx, dy, dz } = state;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance <= r + state.slack) return true;
    const approachSpeed = -(dx * state.vx + dy * state.vy + dz * state.vz);
    if (!(approachSpeed > 0)) return false;
    state.t += ((distance - r) / approachSpeed) * distance;
    if (!(state.t <= 1)) return false;
  }
  return true;
}
