/**
 * The point of the surface of an ellipsoid nearest to a point. With radii e and the point y, it is x = e² y / (t + e²) for
 * the t that puts it onto the surface: the greatest root of g(t) = Σ (e y / (t + e²))² - 1, above 0 for points outside.
 * Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid (2013).
 *
 * Right of the last pole g falls and is convex, so that Newton's method from the left of the root climbs up to it and
 * never beyond. Times count from that pole, s = t + e² of the smallest radius: s is small where digits matter.
 */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { CorePoint } from './body-context.ts';

/** Newton's method doubles the digits of a simple root; a nearly double one takes some more steps. */
const MOST_STEPS = 100;

/** Writes the point and the distance. The radii are the first three numbers of `radii`, and not all zero. */
export function nearestOnEllipsoid(radii: Float64Array, p: ReadonlyVec3, out: CorePoint): void {
  const ex = radii[0]!;
  const ey = radii[1]!;
  const ez = radii[2]!;
  const { x: px, y: py, z: pz } = p;
  const least = Math.min(ex, ey, ez);
  // e² - least², without loss.
  const dx = (ex - least) * (ex + least);
  const dy = (ey - least) * (ey + least);
  const dz = (ez - least) * (ez + least);
  const ax = ex * Math.abs(px);
  const ay = ey * Math.abs(py);
  const az = ez * Math.abs(pz);
  // Here one of the terms is 1 and none is more: g is between 0 and 2.
  let s = Math.max(0, ax - dx, ay - dy, az - dz);
  let g = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const ux = ax > 0 ? ax / (dx + s) : 0;
    const uy = ay > 0 ? ay / (dy + s) : 0;
    const uz = az > 0 ? az / (dz + s) : 0;
    g = ux * ux + uy * uy + uz * uz - 1;
    if (!(g > 0)) break;
    const slope =
      (ux > 0 ? (ux * ux) / (dx + s) : 0) +
      (uy > 0 ? (uy * uy) / (dy + s) : 0) +
      (uz > 0 ? (uz * uz) / (dz + s) : 0);
    const next = s + g / (2 * slope);
    if (!(next > s)) break;
    s = next;
  }
  const t = s - least * least;
  // The point, and what it differs by, not as a difference. Along an axis without radius all of p is left over.
  let x = ax > 0 ? (ex * ex * px) / (dx + s) : 0;
  let y = ay > 0 ? (ey * ey * py) / (dy + s) : 0;
  let z = az > 0 ? (ez * ez * pz) / (dz + s) : 0;
  let gx = ax > 0 ? (px * t) / (dx + s) : px;
  let gy = ay > 0 ? (py * t) / (dy + s) : py;
  let gz = az > 0 ? (pz * t) / (dz + s) : pz;
  if (s === 0 && g < 0 && least > 0) {
    // In the plane across the shortest axis, near the middle: up or down along that axis alike. We go up.
    const up = least * Math.sqrt(-g);
    if (dx === 0) {
      x = up;
      gx = up;
    } else if (dy === 0) {
      y = up;
      gy = up;
    } else {
      z = up;
      gz = up;
    }
  }
  out.x = x;
  out.y = y;
  out.z = z;
  out.distance = Math.sqrt(gx * gx + gy * gy + gz * gz);
}
