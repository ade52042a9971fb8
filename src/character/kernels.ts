/**
 * A form on its way against one triangle of what is near. Fills `touch` and returns whether there is one before `touch.t`.
 *
 * A start in touch is reported at t = 0 with the normal in which the distance grows, and how far along it the form must
 * go to be free: `depth`. Distances between convex things are convex along a line, so whoever moves along the normal, not
 * against it, never comes nearer: the caller passes over such contacts.
 */
import { vec3 } from '../math/types.ts';
import { loadMover, makeMover, touchSegment } from '../primitives/sweep/mover.ts';
import { touchFace, touchTriangle } from '../primitives/sweep/sphere-triangle.ts';
import { makeHit } from '../primitives/types.ts';
import { touchBox } from './box-kernel.ts';
import { BOX, CAPSULE, type Form } from './form.ts';
import type { MoveContext } from './move-context.ts';
import type { Mover, Touch } from './way.ts';

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
export function startWay(way: Mover, form: Form, gap: number): void {
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

export function touchThing(move: MoveContext, i: number, touch: Touch): boolean {
  const { mover: way } = move;
  if (way.kind === BOX) return touchBox(move, i, touch);
  const { corners } = move.nearby;
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
    if (!touchPrism(move, i)) return false;
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
function touchPrism({ mover: way, nearby }: MoveContext, i: number): boolean {
  const { half } = way;
  const { planes } = nearby;
  const four = 4 * i;
  const ny = planes[four + 1]!;
  const height = planes[four]! * way.x + ny * way.y + planes[four + 2]! * way.z - planes[four + 3]!;
  // The prism is as thick as this, so an end cap on the far side is never reached first, from outside.
  const thick = half * Math.abs(ny);
  if (height * height < thick * thick && isAcross(way)) {
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
function isAcross({ x, z }: Mover): boolean {
  const ab = (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
  const bc = (c.x - b.x) * (z - b.z) - (c.z - b.z) * (x - b.x);
  const ca = (a.x - c.x) * (z - c.z) - (a.z - c.z) * (x - c.x);
  return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}
