/**
 * A form on its way against one triangle of `things`. Fills `touch` and returns whether there is one before `touch.t`.
 *
 * A start in touch is reported at t = 0 with the normal in which the distance grows, and how far along it the form must
 * go to be free: `depth`. Distances between convex things are convex along a line, so whoever moves along the normal, not
 * against it, never comes nearer: the caller passes over such contacts.
 */
import { vec3 } from '../math/types.ts';
import { loadMover, makeMover, touchSegment } from '../primitives/sweep/mover.ts';
import { touchFace, touchTriangle } from '../primitives/sweep/sphere-triangle.ts';
import { makeHit } from '../primitives/types.ts';
import { BOX, CAPSULE, type Form } from './form.ts';
import { things } from './near-things.ts';

/** In scaled space. The normal is a unit vector there, from the triangle to the form. */
export interface Touch {
  t: number;
  nx: number;
  ny: number;
  nz: number;
  depth: number;
}

export const makeTouch = (): Touch => ({ t: 0.5, nx: 0.5, ny: 0.5, nz: 0.5, depth: 0.5 });

/** The form at hand, in scaled space: centre, motion, and its size with the gap that the sweep keeps. */
export const way = {
  x: 0.5,
  y: 0.5,
  z: 0.5,
  vx: 0.5,
  vy: 0.5,
  vz: 0.5,
  kind: 0,
  radius: 0.5,
  half: 0.5,
  hx: 0.5,
  hy: 0.5,
  hz: 0.5,
};

const mover = makeMover();
mover.radius = 0.5;
const found = makeHit();
const center = vec3(0.5, 0.5, 0.5);
const motion = vec3(0.5, 0.5, 0.5);
const a = vec3(0.5, 0.5, 0.5);
const b = vec3(0.5, 0.5, 0.5);
const c = vec3(0.5, 0.5, 0.5);
const aLow = vec3(0.5, 0.5, 0.5);
const bLow = vec3(0.5, 0.5, 0.5);
const cLow = vec3(0.5, 0.5, 0.5);

/** Readies the kernels for a form that is larger by `gap` (in scaled space). `way` has centre and motion. */
export function startWay(form: Form, gap: number): void {
  way.kind = form.kind;
  way.half = form.half;
  way.radius = form.radius + gap;
  if (form.kind === BOX) {
    way.hx = form.hx + gap;
    way.hy = form.hy + gap;
    way.hz = form.hz + gap;
    return;
  }
  way.hx = way.radius;
  way.hy = way.radius + way.half;
  way.hz = way.radius;
  center.x = way.x;
  center.y = way.y;
  center.z = way.z;
  motion.x = way.vx;
  motion.y = way.vy;
  motion.z = way.vz;
  mover.radius = way.radius;
  loadMover(center, motion, mover);
}

export function touchThing(i: number, touch: Touch): boolean {
  if (way.kind === BOX) return touchBox(i, touch);
  const { corners } = things;
  const at = 9 * i;
  a.x = corners[at]!;
  a.y = corners[at + 1]!;
  a.z = corners[at + 2]!;
  b.x = corners[at + 3]!;
  b.y = corners[at + 4]!;
  b.z = corners[at + 5]!;
  c.x = corners[at + 6]!;
  c.y = corners[at + 7]!;
  c.z = corners[at + 8]!;
  mover.restSq = Infinity;
  deeper.by = 0;
  found.t = touch.t;
  if (way.kind === CAPSULE && way.half > 0) {
    if (!touchPrism(i)) return false;
  } else if (touchTriangle(mover, a, b, c, found) === 0) return false;
  touch.t = found.t;
  touch.nx = found.normal.x;
  touch.ny = found.normal.y;
  touch.nz = found.normal.z;
  touch.depth = found.t === 0 ? way.radius - Math.sqrt(mover.restSq) + deeper.by : 0;
  return true;
}

/**
 * What an upright capsule leaves free of a triangle, its centre leaves free of the triangle drawn out by half of the
 * capsule's segment up and down: a prism, with two triangles and three upright parallelograms for sides.
 */
function touchPrism(i: number): boolean {
  const { half } = way;
  const { planes } = things;
  const four = 4 * i;
  const ny = planes[four + 1]!;
  const height = planes[four]! * way.x + ny * way.y + planes[four + 2]! * way.z - planes[four + 3]!;
  // The prism is as thick as this, so an end cap on the far side is never reached first, from outside.
  const thick = half * Math.abs(ny);
  if (height * height < thick * thick && isAcross(height, ny)) {
    // The segment goes through the triangle: out along its normal, on the side where more of the capsule is.
    const side = height >= 0 ? 1 : -1;
    found.t = 0;
    found.normal.x = side * planes[four]!;
    found.normal.y = side * ny;
    found.normal.z = side * planes[four + 2]!;
    mover.restSq = 0;
    deeper.by = thick - side * height;
    return true;
  }
  aLow.x = a.x;
  aLow.y = a.y - half;
  aLow.z = a.z;
  bLow.x = b.x;
  bLow.y = b.y - half;
  bLow.z = b.z;
  cLow.x = c.x;
  cLow.y = c.y - half;
  cLow.z = c.z;
  a.y += half;
  b.y += half;
  c.y += half;
  // A convex thing is entered through a side that is seen from the start, or an edge of one. Upright triangles have no
  // caps to speak of: all is seen.
  const flat = thick < 1e-9 * half;
  const up = ny < 0 ? -height : height;
  const seesTop = flat || up > thick;
  const seesLow = flat || up < -thick;
  const { x, z } = way;
  const turn = ny > 0 ? -1 : 1;
  const ab = turn * ((b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x));
  const bc = turn * ((c.x - b.x) * (z - b.z) - (c.z - b.z) * (x - b.x));
  const ca = turn * ((a.x - c.x) * (z - c.z) - (a.z - c.z) * (x - c.x));
  // Rounding may hide a side that is seen from its very plane: it is then entered through no face but an edge, if at all.
  const seesAb = flat || ab <= 0;
  const seesBc = flat || bc <= 0;
  const seesCa = flat || ca <= 0;
  let touched = false;
  if (seesTop) {
    const cap = touchFace(mover, a, b, c, found);
    if (cap === 7 && !flat) return true;
    touched = cap === 7;
  }
  if (seesLow) {
    const cap = touchFace(mover, aLow, bLow, cLow, found);
    if (cap === 7 && !flat) return true;
    touched = cap === 7 || touched;
  }
  if (seesAb) {
    touched = touchFace(mover, a, b, bLow, found) === 7 || touched;
    touched = touchFace(mover, a, bLow, aLow, found) === 7 || touched;
  }
  if (seesBc) {
    touched = touchFace(mover, b, c, cLow, found) === 7 || touched;
    touched = touchFace(mover, b, cLow, bLow, found) === 7 || touched;
  }
  if (seesCa) {
    touched = touchFace(mover, c, a, aLow, found) === 7 || touched;
    touched = touchFace(mover, c, aLow, cLow, found) === 7 || touched;
  }
  if (seesTop || seesAb) touched = touchSegment(mover, a, b, found) !== 0 || touched;
  if (seesTop || seesBc) touched = touchSegment(mover, b, c, found) !== 0 || touched;
  if (seesTop || seesCa) touched = touchSegment(mover, c, a, found) !== 0 || touched;
  if (seesLow || seesAb) touched = touchSegment(mover, aLow, bLow, found) !== 0 || touched;
  if (seesLow || seesBc) touched = touchSegment(mover, bLow, cLow, found) !== 0 || touched;
  if (seesLow || seesCa) touched = touchSegment(mover, cLow, aLow, found) !== 0 || touched;
  if (seesAb || seesCa) touched = touchSegment(mover, a, aLow, found) !== 0 || touched;
  if (seesAb || seesBc) touched = touchSegment(mover, b, bLow, found) !== 0 || touched;
  if (seesBc || seesCa) touched = touchSegment(mover, c, cLow, found) !== 0 || touched;
  return touched;
}

/** How much deeper than its radius the capsule is in a triangle that its segment crosses. */
const deeper = { by: 0.5 };

/** Does the vertical line through the centre go through the triangle? */
function isAcross(height: number, ny: number): boolean {
  const py = height / ny;
  if (!(Math.abs(py) <= way.half)) return false;
  const { x, z } = way;
  const ab = (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
  const bc = (c.x - b.x) * (z - b.z) - (c.z - b.z) * (x - b.x);
  const ca = (a.x - c.x) * (z - c.z) - (a.z - c.z) * (x - c.x);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/** The spans of overlap on all axes so far. */
const span = { enter: 0.5, exit: 0.5, depth: 0.5, nx: 0.5, ny: 0.5, nz: 0.5 };

/** A box that does not turn: separating axes, RTCD §5.2.9 and §5.5.2. */
function touchBox(i: number, touch: Touch): boolean {
  const { corners, planes } = things;
  const at = 9 * i;
  const { x, y, z } = way;
  const ax = corners[at]! - x;
  const ay = corners[at + 1]! - y;
  const az = corners[at + 2]! - z;
  const bx = corners[at + 3]! - x;
  const by = corners[at + 4]! - y;
  const bz = corners[at + 5]! - z;
  const cx = corners[at + 6]! - x;
  const cy = corners[at + 7]! - y;
  const cz = corners[at + 8]! - z;
  span.enter = 0;
  span.exit = touch.t;
  span.depth = Infinity;
  const { vx, vy, vz, hx, hy, hz } = way;
  if (!cut(Math.min(ax, bx, cx) - hx, -Math.max(ax, bx, cx) - hx, vx, 1, 0, 0)) return false;
  if (!cut(Math.min(ay, by, cy) - hy, -Math.max(ay, by, cy) - hy, vy, 0, 1, 0)) return false;
  if (!cut(Math.min(az, bz, cz) - hz, -Math.max(az, bz, cz) - hz, vz, 0, 0, 1)) return false;
  const four = 4 * i;
  const nx = planes[four]!;
  const ny = planes[four + 1]!;
  const nz = planes[four + 2]!;
  if (nx !== 0 || ny !== 0 || nz !== 0) {
    const d = planes[four + 3]! - (nx * x + ny * y + nz * z);
    const reach = hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz);
    if (!cut(d - reach, -d - reach, nx * vx + ny * vy + nz * vz, nx, ny, nz)) return false;
  }
  if (!cutEdge(bx - ax, by - ay, bz - az, ax, ay, az, cx, cy, cz)) return false;
  if (!cutEdge(cx - bx, cy - by, cz - bz, bx, by, bz, ax, ay, az)) return false;
  if (!cutEdge(ax - cx, ay - cy, az - cz, cx, cy, cz, bx, by, bz)) return false;
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

/** The axes across an edge e of the triangle and the edges of the box. p is on the edge, o the corner that is not. */
function cutEdge(
  ex: number,
  ey: number,
  ez: number,
  px: number,
  py: number,
  pz: number,
  ox: number,
  oy: number,
  oz: number,
): boolean {
  const { vx, vy, vz, hx, hy, hz } = way;
  const small = 1e-12 * (Math.abs(ex) + Math.abs(ey) + Math.abs(ez));
  // x × e, y × e, z × e. Those that all but vanish say nothing that others do not.
  let length = Math.sqrt(ey * ey + ez * ez);
  if (length > small) {
    const my = -ez / length;
    const mz = ey / length;
    const p = my * py + mz * pz;
    const o = my * oy + mz * oz;
    const reach = hy * Math.abs(my) + hz * Math.abs(mz);
    if (!cut(Math.min(p, o) - reach, -Math.max(p, o) - reach, my * vy + mz * vz, 0, my, mz)) return false;
  }
  length = Math.sqrt(ex * ex + ez * ez);
  if (length > small) {
    const mx = ez / length;
    const mz = -ex / length;
    const p = mx * px + mz * pz;
    const o = mx * ox + mz * oz;
    const reach = hx * Math.abs(mx) + hz * Math.abs(mz);
    if (!cut(Math.min(p, o) - reach, -Math.max(p, o) - reach, mx * vx + mz * vz, mx, 0, mz)) return false;
  }
  length = Math.sqrt(ex * ex + ey * ey);
  if (length > small) {
    const mx = -ey / length;
    const my = ex / length;
    const p = mx * px + my * py;
    const o = mx * ox + my * oy;
    const reach = hx * Math.abs(mx) + hy * Math.abs(my);
    if (!cut(Math.min(p, o) - reach, -Math.max(p, o) - reach, mx * vx + my * vy, mx, my, 0)) return false;
  }
  return true;
}

/**
 * Cuts the span by a unit axis: `below` is how far the triangle lies beyond the box along it, `above` how far before, at
 * the start; `speed` is that of the box. An axis has to part them a little later than those before it to count: of equal
 * ones the first, and simplest, stays.
 */
function cut(below: number, above: number, speed: number, nx: number, ny: number, nz: number): boolean {
  if (below > 0 || above > 0) {
    const ahead = below > 0;
    const approach = ahead ? speed : -speed;
    if (!(approach > 0)) return false;
    const t = (ahead ? below : above) / approach;
    if (span.depth >= 0 || t > span.enter + 1e-14) {
      if (!(t <= span.exit)) return false;
      span.enter = Math.max(t, span.enter);
      span.depth = -1;
      span.nx = ahead ? -nx : nx;
      span.ny = ahead ? -ny : ny;
      span.nz = ahead ? -nz : nz;
    }
  } else if (span.depth >= 0) {
    const depth = -Math.max(below, above);
    if (depth < span.depth) {
      const sign = below > above || (below === above && speed > 0) ? -1 : 1;
      span.depth = depth;
      span.nx = sign * nx;
      span.ny = sign * ny;
      span.nz = sign * nz;
    }
  }
  if (speed !== 0) {
    const leave = speed > 0 ? -above / speed : below / speed;
    // Not before the start: that of an axis on which they move apart was found above.
    if (leave < span.exit) span.exit = leave;
  }
  return span.enter <= span.exit;
}
