import { vec3 } from '../../math/types.ts';

/** A triangle that a convex shape is asked about, and the answer. @internal */
export class MovingTriangle {
  /** The three corners at t = 0 and at t = 1. */
  readonly numbers = new Float64Array(18);
  separation = 0.5;
  t = 0.5;
  /** The weights of the corners. */
  u = 0.5;
  v = 0.5;
  w = 0.5;
  /** On the shape. */
  readonly point = vec3(0.5, 0.5, 0.5);
  /** Out of the triangle, towards the shape. */
  readonly normal = vec3(0.5, 0.5, 0.5);
}
