/** A form on its way through everything that is near. In the frame of the character, unscaled. */
import { castMotions, RESTING } from '../query/cast-motions.ts';
import { separationWithin } from '../query/distance.ts';
import { BOX, CAPSULE, type Form } from './form.ts';
import { startWay, touchThing } from './kernels.ts';
import type { MoveContext } from './move-context.ts';
import { makeTouch } from './way.ts';

/** A straight way, and what is met on it. */
export interface Sweep {
  /** Where the centre starts, and the motion. */
  x: number;
  y: number;
  z: number;
  mx: number;
  my: number;
  mz: number;
  /** The time of the hit; 2 for none. */
  t: number;
  /** Its normal. */
  nx: number;
  ny: number;
  nz: number;
  /** The part of the motion that can be gone such that the gap to what was hit is whole; 1 if nothing was. */
  free: number;
  /** How far along the normal the centre must keep from where it is at time t, so that the gap is whole. */
  room: number;
  /** The collider and the triangle in it. */
  id: number;
  triangle: number;
  /** How far into the gap, less the band, the deepest contact at the start is, and the way out. */
  depth: number;
  ox: number;
  oy: number;
  oz: number;
  /** A collider that is passed over; -1 for none. */
  skip: number;
}

export const makeSweep = (): Sweep => ({
  x: 0.5,
  y: 0.5,
  z: 0.5,
  mx: 0.5,
  my: 0.5,
  mz: 0.5,
  t: 0.5,
  free: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  room: 0.5,
  id: -1,
  triangle: -1,
  depth: 0.5,
  ox: 0.5,
  oy: 0.5,
  oz: 0.5,
  skip: -1,
});

/** No hit. */
export const NEVER = 2;
/** Of the length of a motion: what comes nearer by less does not come nearer. */
const GRAZE = 1e-10;

/** The square of the cosine between normals that may be taken for one: 1e-4 radians apart. */
const SAME = 1 - 1e-8;

const touch = makeTouch();
const best = makeTouch();

/**
 * The first thing that the form comes nearer to than its gap, less the band. What is as near at the start is hit at once
 * by a motion towards it and passed over by others.
 */
export function sweepThings(move: MoveContext): void {
  const { form, sweep, nearby: things, mover: way } = move;
  const { sx, sy, sz, gap, band } = form;
  way.x = sweep.x * sx;
  way.y = sweep.y * sy;
  way.z = sweep.z * sz;
  const vx = sweep.mx * sx;
  const vy = sweep.my * sy;
  const vz = sweep.mz * sz;
  way.vx = vx;
  way.vy = vy;
  way.vz = vz;
  startWay(way, form, gap - band);
  const graze = -GRAZE * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  const { x, y, z, half, hx, hy, hz } = way;
  // What is swept up to the first hit so far.
  let x0 = x + Math.min(vx, 0) - hx;
  let y0 = y + Math.min(vy, 0) - hy;
  let z0 = z + Math.min(vz, 0) - hz;
  let x1 = x + Math.max(vx, 0) + hx;
  let y1 = y + Math.max(vy, 0) + hy;
  let z1 = z + Math.max(vz, 0) + hz;
  let until = 1;
  const isBox = form.kind === BOX;
  const { radius } = way;
  const { boxes, planes, count } = things;
  best.t = NEVER;
  best.depth = -1;
  let which = -1;
  sweep.depth = 0;
  const { skip } = sweep;
  const { ids } = things;
  for (let i = 0; i < count; i++) {
    const six = 6 * i;
    const apart =
      +(boxes[six]! > x1) |
      +(boxes[six + 1]! > y1) |
      +(boxes[six + 2]! > z1) |
      +(boxes[six + 3]! < x0) |
      +(boxes[six + 4]! < y0) |
      +(boxes[six + 5]! < z0);
    if (apart !== 0 || ids[i] === skip) continue;
    const four = 4 * i;
    const nx = planes[four]!;
    const ny = planes[four + 1]!;
    const nz = planes[four + 2]!;
    const h0 = nx * x + ny * y + nz * z - planes[four + 3]!;
    const h1 = h0 + until * (nx * vx + ny * vy + nz * vz);
    const thick = isBox
      ? hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz)
      : radius + half * Math.abs(ny);
    if ((h0 > thick && h1 > thick) || (h0 < -thick && h1 < -thick)) continue;
    touch.t = best.t === NEVER ? 1 + Number.EPSILON : best.t;
    if (!touchThing(move, i, touch)) continue;
    if (touch.t === 0) {
      noteDepth(form, sweep);
      if (!(touch.nx * vx + touch.ny * vy + touch.nz * vz < graze)) continue;
      if (best.t === 0 && !(touch.depth > best.depth)) continue;
    }
    const { t } = touch;
    best.t = t;
    best.nx = touch.nx;
    best.ny = touch.ny;
    best.nz = touch.nz;
    best.depth = touch.depth;
    which = i;
    until = t;
    x0 = x + Math.min(t * vx, 0) - hx;
    y0 = y + Math.min(t * vy, 0) - hy;
    z0 = z + Math.min(t * vz, 0) - hz;
    x1 = x + Math.max(t * vx, 0) + hx;
    y1 = y + Math.max(t * vy, 0) + hy;
    z1 = z + Math.max(t * vz, 0) + hz;
  }
  sweep.t = best.t;
  if (which >= 0) {
    // At a seam of flat ground the edge of the one triangle is touched as early as the face of the other, but for
    // rounding, with a normal that is off by the root of it. Its plane is as good, if all of the form is in front of it.
    const four = 4 * which;
    const px = planes[four]!;
    const py = planes[four + 1]!;
    const pz = planes[four + 2]!;
    const along = best.nx * px + best.ny * py + best.nz * pz;
    if (along * along > SAME) {
      const side = along < 0 ? -1 : 1;
      const { t } = best;
      const height = px * (x + t * vx) + py * (y + t * vy) + pz * (z + t * vz) - planes[four + 3]!;
      const thick = isBox
        ? hx * Math.abs(px) + hy * Math.abs(py) + hz * Math.abs(pz)
        : radius + half * Math.abs(py);
      const enters = side * (px * vx + py * vy + pz * vz) < graze;
      if (enters && side * height > thick - 0.1 * band - best.depth) {
        best.nx = side * px;
        best.ny = side * py;
        best.nz = side * pz;
      }
    }
    const nx = best.nx * sx;
    const ny = best.ny * sy;
    const nz = best.nz * sz;
    const k = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    sweep.nx = nx * k;
    sweep.ny = ny * k;
    sweep.nz = nz * k;
    // A box keeps its gap along each axis: along others it is longer.
    sweep.room = isBox ? band * (Math.abs(best.nx) + Math.abs(best.ny) + Math.abs(best.nz)) : band * k;
    sweep.id = things.ids[which]!;
    sweep.triangle = things.triangles[which]!;
  }
  if (things.halfCount > 0) sweepHalves(move);
  if (things.roundCount > 0) sweepRounds(move);
}

/** Takes note of a contact at the start if it is the deepest, in the world. */
function noteDepth({ sx, sy, sz }: Form, sweep: Sweep): void {
  const nx = touch.nx * sx;
  const ny = touch.ny * sy;
  const nz = touch.nz * sz;
  const k = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(touch.depth * k > sweep.depth)) return;
  sweep.depth = touch.depth * k;
  sweep.ox = nx * k;
  sweep.oy = ny * k;
  sweep.oz = nz * k;
}

/**
 * How far a form reaches along the unit vector (x, y, z): with its gap, and with what the sweeps see of that. A record,
 * because loose numbers would be boxed.
 */
export interface Reach {
  x: number;
  y: number;
  z: number;
  whole: number;
  seen: number;
}

export const makeReach = (): Reach => ({ x: 0.5, y: 0.5, z: 0.5, whole: 0.5, seen: 0.5 });

export function findReach({ kind, hx, hy, hz, radius, half, gap, band }: Form, reach: Reach): void {
  const { x, y, z } = reach;
  // The form itself, and what each unit of a gap adds to it.
  let own = 0;
  let each = 1;
  if (kind === BOX) {
    own = hx * Math.abs(x) + hy * Math.abs(y) + hz * Math.abs(z);
    each = Math.abs(x) + Math.abs(y) + Math.abs(z);
  } else if (kind === CAPSULE) own = radius + half * Math.abs(y);
  else {
    own = Math.sqrt(hx * x * (hx * x) + hy * y * (hy * y) + hz * z * (hz * z));
    each = own;
  }
  reach.whole = own + each * gap;
  reach.seen = own + each * (gap - band);
}

const reach = makeReach();

function sweepHalves({ form, sweep, nearby }: MoveContext): void {
  const { halves, halfCount, halfIds } = nearby;
  const { x, y, z, mx, my, mz } = sweep;
  const graze = -GRAZE * (Math.abs(mx) + Math.abs(my) + Math.abs(mz));
  for (let i = 0; i < halfCount; i++) {
    const nx = halves[4 * i]!;
    const ny = halves[4 * i + 1]!;
    const nz = halves[4 * i + 2]!;
    reach.x = nx;
    reach.y = ny;
    reach.z = nz;
    findReach(form, reach);
    const height = nx * x + ny * y + nz * z - halves[4 * i + 3]! - reach.seen;
    const speed = nx * mx + ny * my + nz * mz;
    if (halfIds[i] === sweep.skip) continue;
    if (-height > sweep.depth) {
      sweep.depth = -height;
      sweep.ox = nx;
      sweep.oy = ny;
      sweep.oz = nz;
    }
    if (!(speed < graze)) continue;
    const t = height > 0 ? height / -speed : 0;
    if (!(t <= 1 && t < sweep.t)) continue;
    sweep.t = t;
    sweep.nx = nx;
    sweep.ny = ny;
    sweep.nz = nz;
    sweep.room = reach.whole - reach.seen;
    sweep.id = halfIds[i]!;
    sweep.triangle = -1;
  }
}

/** Casts are early by up to 1e-6 of the sizes. */
const EARLY = 4e-6;

function sweepRounds({ form, enlarged, sweep, nearby, roundCast }: MoveContext): void {
  const { rounds, roundCount } = nearby;
  const { self, motion, hit: castHit, separation: apart } = roundCast;
  const { position } = self.pose;
  const { mx, my, mz } = sweep;
  self.shape = enlarged.shape;
  position.x = sweep.x;
  position.y = sweep.y;
  position.z = sweep.z;
  motion.translation.x = mx;
  motion.translation.y = my;
  motion.translation.z = mz;
  const way = Math.sqrt(mx * mx + my * my + mz * mz);
  for (let i = 0; i < roundCount; i++) {
    const thing = rounds[i]!;
    if (thing.id === sweep.skip) continue;
    const near = EARLY * (thing.shape.core.reach + form.hx + form.hy + form.hz);
    if (!separationWithin(self, thing, way + near, apart)) continue;
    const { x: ax, y: ay, z: az } = apart.normal;
    const speed = ax * mx + ay * my + az * mz;
    if (-apart.separation > sweep.depth) {
      sweep.depth = -apart.separation;
      sweep.ox = ax;
      sweep.oy = ay;
      sweep.oz = az;
    }
    if (apart.separation <= near) {
      // Convex both: who does not come nearer at first never does. Casts would take it for a touch.
      if (!(speed < -1e-9 * way)) continue;
      castHit.t = 0;
      castHit.normal.x = ax;
      castHit.normal.y = ay;
      castHit.normal.z = az;
    } else if (!castMotions(self, motion, thing, RESTING, castHit)) continue;
    if (!(castHit.t < sweep.t)) continue;
    sweep.t = castHit.t;
    sweep.nx = castHit.normal.x;
    sweep.ny = castHit.normal.y;
    sweep.nz = castHit.normal.z;
    sweep.room = 0;
    sweep.id = thing.id;
    sweep.triangle = -1;
  }
}
