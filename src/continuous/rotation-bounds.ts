/** The boxes of arcs. van Waveren 2005, §5: the box of a rotation is that of the arcs, not of their ends. */

/**
 * Grows the box (low x, y, z, high x, y, z at `at` in `box`) to hold the arc of a point. All relative to a point on the
 * axis and for coordinate i: `x` the point, `c` the cross product of the unit axis and x, `p` the part of x that is
 * perpendicular to the axis; `sine` and `versine` (1 - cosine) of the angle, which is in [0, π]. `o` is added. Off by a few
 * roundings of the largest number involved.
 *
 * @internal
 */
export function growByArc(
  box: Float64Array,
  at: number,
  x: number,
  c: number,
  p: number,
  o: number,
  sine: number,
  versine: number,
): void {
  const end = x + sine * c - versine * p;
  let low = Math.min(x, end);
  let high = Math.max(x, end);
  // Within half a turn the derivative changes its sign at most once: c at the start, c cos - p sin at the end.
  const slope = c - versine * c - sine * p;
  if ((c >= 0 && slope <= 0) || (c <= 0 && slope >= 0)) {
    const reach = Math.sqrt(c * c + p * p);
    if (c >= 0 && slope <= 0) high = Math.max(high, x - p + reach);
    if (c <= 0 && slope >= 0) low = Math.min(low, x - p - reach);
  }
  low += o;
  high += o;
  if (low < box[at]!) box[at] = low;
  if (high > box[at + 3]!) box[at + 3] = high;
}

/**
 * The box that holds everything that comes from the box `low`…`high` by rotations by 0 to `angle` about a line:
 * any set in the box stays in it, since the arc of a point between others is between theirs. Written to `out`: low x, y,
 * z, high x, y, z. The angle in [-π, π] is given by its sine and versine; turn the axis round for negative ones.
 *
 * @internal
 */
export function rotationBounds(
  corners: Float64Array,
  kx: number,
  ky: number,
  kz: number,
  ox: number,
  oy: number,
  oz: number,
  sine: number,
  versine: number,
  out: Float64Array,
): Float64Array {
  out[0] = out[1] = out[2] = Number.POSITIVE_INFINITY;
  out[3] = out[4] = out[5] = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 8; i++) {
    const x = corners[i & 1 ? 3 : 0]! - ox;
    const y = corners[i & 2 ? 4 : 1]! - oy;
    const z = corners[i & 4 ? 5 : 2]! - oz;
    const along = kx * x + ky * y + kz * z;
    growByArc(out, 0, x, ky * z - kz * y, x - along * kx, ox, sine, versine);
    growByArc(out, 1, y, kz * x - kx * z, y - along * ky, oy, sine, versine);
    growByArc(out, 2, z, kx * y - ky * x, z - along * kz, oz, sine, versine);
  }
  return out;
}
