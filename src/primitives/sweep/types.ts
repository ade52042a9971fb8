/** The records that sweeps fill, beside the `Hit` of all primitive tests. */
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Span } from '../types.ts';

/** From when to when a moving thing overlaps another, and how it meets it. */
export interface SweepSpan extends Span {
  /** The first contact, in [0, 1]; 0 for a start in touch. */
  enter: number;
  /** The last contact, at this speed: may be above 1, and is Infinity when nothing moves. */
  exit: number;
  /** Unit vector out of the second thing towards the mover, along the axis that separates them until `enter`. */
  normal: Vec3;
}

/** When a search in time found a contact. */
export interface TimeHit {
  /** No contact comes before this time. */
  t: number;
  /** How often the motion was looked at. */
  steps: number;
  /** True when the limit on the work was reached: a contact was not found, but could not be ruled out after `t`. */
  capped: boolean;
}

export const makeSweepSpan = (): SweepSpan => ({ enter: 0, exit: 0, normal: vec3() });
export const makeTimeHit = (): TimeHit => ({ t: 0, steps: 0, capped: false });
