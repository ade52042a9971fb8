/** A moving box that does not rotate against one of the nearby triangles: separating axes. RTCD §5.2.9, §5.5.2. */
import type { Nearby } from './nearby.ts';
import type { MovingShape, Touch } from './swept-shape.ts';

/** The spans of overlap on all axes so far. */
const span = { enter: 0.5, exit: 0.5, depth: 0.5, nx: 0.5, ny: 0.5, nz: 0.5 };

/**
 * An axis: a unit vector, how far the triangle lies beyond the box along it, and how far before, at the start; and the
 * speed of the box along it. In a record, because loose numbers would be boxed.
 */
const axis = { x: 0.5, y: 0.5, z: 0.5, below: 0.5, above: 0.5, speed: 0.5 };

/** As for the other shapes: see `touchTriangle` in `sweep.ts`. */
export function touchBoxTriangle(box: MovingShape, nearby: Nearby, i: number, touch: Touch): boolean {
  const { corners, boxes, planes } = nearby;
  span.enter = 0;
  span.exit = touch.t;
  span.depth = Infinity;
  const a = 9 * i;
  if (
    !cutSides(box, boxes, 6 * i) ||
    !cutPlane(box, planes, 4 * i) ||
    !cutEdge(box, corners, a, a + 3, a + 6) ||
    !cutEdge(box, corners, a + 3, a + 6, a) ||
    !cutEdge(box, corners, a + 6, a, a + 3)
  )
    return false;
  if (span.depth < 0) {
    // Apart at the start.
    if (!(span.enter < touch.t)) return false;
    touch.t = span.enter;
    touch.depth = 0;
  } else {
    touch.t = 0;
    touch.depth = span.depth;
  }
  touch.nx = span.nx;
  touch.ny = span.ny;
  touch.nz = span.nz;
  return true;
}

/** The axes along the sides of the box. `i` is where the box around the triangle is. */
function cutSides({ x, y, z, vx, vy, vz, hx, hy, hz }: MovingShape, boxes: Float64Array, i: number): boolean {
  axis.x = 1;
  axis.y = axis.z = 0;
  axis.below = boxes[i]! - x - hx;
  axis.above = x - boxes[i + 3]! - hx;
  axis.speed = vx;
  if (!cut()) return false;
  axis.x = 0;
  axis.y = 1;
  axis.below = boxes[i + 1]! - y - hy;
  axis.above = y - boxes[i + 4]! - hy;
  axis.speed = vy;
  if (!cut()) return false;
  axis.y = 0;
  axis.z = 1;
  axis.below = boxes[i + 2]! - z - hz;
  axis.above = z - boxes[i + 5]! - hz;
  axis.speed = vz;
  return cut();
}

/** The normal of the triangle. `at` is where its plane is. */
function cutPlane(box: MovingShape, planes: Float64Array, at: number): boolean {
  const nx = planes[at]!;
  const ny = planes[at + 1]!;
  const nz = planes[at + 2]!;
  if (nx === 0 && ny === 0 && nz === 0) return true;
  const { x, y, z, vx, vy, vz, hx, hy, hz } = box;
  const d = planes[at + 3]! - (nx * x + ny * y + nz * z);
  const reach = hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz);
  axis.x = nx;
  axis.y = ny;
  axis.z = nz;
  axis.below = d - reach;
  axis.above = -d - reach;
  axis.speed = nx * vx + ny * vy + nz * vz;
  return cut();
}

/** A corner of the triangle on the edge at hand, and the one that is not. */
const ends = { px: 0.5, py: 0.5, pz: 0.5, ox: 0.5, oy: 0.5, oz: 0.5 };

/** The axes across an edge of the triangle, from `p` to `q`, and the edges of the box. `o` is the third corner. */
function cutEdge(box: MovingShape, corners: Float64Array, p: number, q: number, o: number): boolean {
  const { x, y, z } = box;
  const px = corners[p]! - x;
  const py = corners[p + 1]! - y;
  const pz = corners[p + 2]! - z;
  ends.px = px;
  ends.py = py;
  ends.pz = pz;
  ends.ox = corners[o]! - x;
  ends.oy = corners[o + 1]! - y;
  ends.oz = corners[o + 2]! - z;
  const ex = corners[q]! - x - px;
  const ey = corners[q + 1]! - y - py;
  const ez = corners[q + 2]! - z - pz;
  const small = 1e-12 * (Math.abs(ex) + Math.abs(ey) + Math.abs(ez));
  // x × e, y × e, z × e. Those that all but vanish say nothing that others do not.
  let length = Math.sqrt(ey * ey + ez * ez);
  axis.x = 0;
  axis.y = -ez / length;
  axis.z = ey / length;
  if (length > small && !cutAcross(box)) return false;
  length = Math.sqrt(ex * ex + ez * ez);
  axis.x = ez / length;
  axis.y = 0;
  axis.z = -ex / length;
  if (length > small && !cutAcross(box)) return false;
  length = Math.sqrt(ex * ex + ey * ey);
  axis.x = -ey / length;
  axis.y = ex / length;
  axis.z = 0;
  return !(length > small) || cutAcross(box);
}

/** The edge at hand is a point along the axis. */
function cutAcross({ vx, vy, vz, hx, hy, hz }: MovingShape): boolean {
  const { x, y, z } = axis;
  const p = x * ends.px + y * ends.py + z * ends.pz;
  const o = x * ends.ox + y * ends.oy + z * ends.oz;
  const reach = hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
  axis.below = Math.min(p, o) - reach;
  axis.above = -Math.max(p, o) - reach;
  axis.speed = x * vx + y * vy + z * vz;
  return cut();
}

/**
 * Cuts the span by `axis`. It has to part them a little later than those before it to count: of equal ones the first,
 * and simplest, stays.
 */
function cut(): boolean {
  const { below, above, speed } = axis;
  if (below > 0 || above > 0) {
    const ahead = below > 0;
    const closingSpeed = ahead ? speed : -speed;
    if (!(closingSpeed > 0)) return false;
    const t = (ahead ? below : above) / closingSpeed;
    if (span.depth >= 0 || t > span.enter + 1e-14) {
      if (!(t <= span.exit)) return false;
      span.enter = Math.max(t, span.enter);
      span.depth = -1;
      takeNormal(ahead);
    }
  } else if (span.depth >= 0) {
    const depth = -Math.max(below, above);
    if (depth < span.depth) {
      span.depth = depth;
      takeNormal(below > above || (below === above && speed > 0));
    }
  }
  if (speed !== 0) {
    const leave = speed > 0 ? -above / speed : below / speed;
    // Not before the start: that of an axis on which they move apart was found above.
    if (leave < span.exit) span.exit = leave;
  }
  return span.enter <= span.exit;
}

/** The triangle is beyond the box along the axis, or before it. */
function takeNormal(beyond: boolean): void {
  span.nx = beyond ? -axis.x : axis.x;
  span.ny = beyond ? -axis.y : axis.y;
  span.nz = beyond ? -axis.z : axis.z;
}
