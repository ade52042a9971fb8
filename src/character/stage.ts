/**
 * The stage of one move: the frame of the character, what is near it, where it is, and sweeps from there. One for all
 * characters; nothing of it lasts beyond a move.
 */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeAabb } from '../primitives/types.ts';
import { type Triple, triple } from './constraints.ts';
import { type Form, makeForm } from './form.ts';
import { gather, makeRegion } from './gather.ts';
import type { Memory } from './memory.ts';
import { things } from './near-things.ts';
import { makeFrame } from './placing.ts';
import type { Surrounding, Surroundings } from './surroundings.ts';
import { makeSweep, NEVER, type RoundForm, type Sweep, sweepThings } from './sweep.ts';

/** Who a character meets. */
export interface Meeting {
  group: number;
  mask: number;
  owner: number | undefined;
  filter: ((id: number) => boolean) | undefined;
}

export const frame = makeFrame();
export const sweep = makeSweep();
/** Where the centre is, in the frame. */
export const here: Triple = triple();
/** How much more than a sweep needs is gathered at first, so that the others of the move find everything there. */
export const spare = { side: 0.5, up: 0.5, down: 0.5 };

const region = makeRegion();
const box = makeAabb();
let gathered = false;
/** The shape of the character. */
export let form: Form = makeForm();
let round: RoundForm;
let surroundings: Surroundings;
let meeting: Meeting;
let memory: Memory | null = null;
/** Is it asked of every closed mesh whether the character is inside of it? */
let doubts = false;

/** Opens the stage for a character that stands at the origin of `frame`. */
export function openStage(
  f: Form,
  r: RoundForm,
  s: Surroundings,
  m: Meeting,
  kept: Memory | null,
  doubtful: boolean,
): void {
  form = f;
  round = r;
  surroundings = s;
  meeting = m;
  memory = kept;
  doubts = doubtful;
  gathered = false;
  sweep.skip = -1;
  here.x = 0;
  here.y = 0;
  here.z = 0;
}

/** Has all be gathered again by the next sweep: the character was put elsewhere. */
export function regather(): void {
  gathered = false;
}

/**
 * Sweeps from `here` along a motion. Returns whether something is hit. `on` is always `sweep`: as an argument, so that this
 * has less than 27 bytes of bytecode, and V8 inlines it everywhere. Then no number is boxed.
 */
export function go(on: Sweep, mx: number, my: number, mz: number): boolean {
  on.mx = mx;
  on.my = my;
  on.mz = mz;
  return sweepOn();
}

function sweepOn(): boolean {
  const { mx, my, mz } = sweep;
  const { x, y, z } = here;
  // An ellipsoid's gap is wider where it is.
  const wide = form.worldGap * (Math.max(form.hx, form.hy, form.hz) / form.least);
  const x0 = x + Math.min(mx, 0) - form.hx - wide;
  const y0 = y + Math.min(my, 0) - form.hy - wide;
  const z0 = z + Math.min(mz, 0) - form.hz - wide;
  const x1 = x + Math.max(mx, 0) + form.hx + wide;
  const y1 = y + Math.max(my, 0) + form.hy + wide;
  const z1 = z + Math.max(mz, 0) + form.hz + wide;
  const within =
    +(x0 >= region.x0) &
    +(y0 >= region.y0) &
    +(z0 >= region.z0) &
    +(x1 <= region.x1) &
    +(y1 <= region.y1) &
    +(z1 <= region.z1);
  if (!gathered || within === 0) {
    gathered = true;
    region.x0 = x0 - spare.side;
    region.y0 = y0 - spare.down;
    region.z0 = z0 - spare.side;
    region.x1 = x1 + spare.side;
    region.y1 = y1 + spare.up;
    region.z1 = z1 + spare.side;
    gatherAll();
  }
  sweep.x = x;
  sweep.y = y;
  sweep.z = z;
  sweepThings(form, round, sweep);
  sweep.free = 1;
  if (sweep.t === NEVER) return false;
  const speed = -(sweep.nx * mx + sweep.ny * my + sweep.nz * mz);
  const part = speed > 0 ? sweep.t - sweep.room / speed : 0;
  // Less than rounding is nothing: who stands still stands still to the last bit.
  const length = Math.abs(mx) + Math.abs(my) + Math.abs(mz);
  sweep.free = part * length > 1e-13 * form.least ? part : 0;
  return true;
}

/** Collects what is in `region`. */
function gatherAll(): void {
  things.clear();
  const { inside } = things;
  inside.x = here.x;
  inside.y = here.y;
  inside.z = here.z;
  const { min, max } = box;
  if (frame.upright) {
    min.x = frame.x + region.x0;
    min.y = frame.y + region.y0;
    min.z = frame.z + region.z0;
    max.x = frame.x + region.x1;
    max.y = frame.y + region.y1;
    max.z = frame.z + region.z1;
  } else {
    min.x = min.y = min.z = Infinity;
    max.x = max.y = max.z = -Infinity;
    for (let i = 0; i < 8; i++) {
      corner.x = i & 1 ? region.x1 : region.x0;
      corner.y = i & 2 ? region.y1 : region.y0;
      corner.z = i & 4 ? region.z1 : region.z0;
      placeToWorld(corner, corner);
      v3.min(min, corner, min);
      v3.max(max, corner, max);
    }
  }
  surroundings.searchBox(box, visit);
}

const corner = vec3(0.5, 0.5, 0.5);

const visit = (id: number): void => {
  const thing = surroundings.get(id);
  if (!thing || !meets(thing, id)) return;
  // Who walks does not get into a mesh: only who was put there, or whom it was moved over.
  const stood = memory === null || memory.note(id, thing.pose);
  things.inside.asksMeshes = doubts || !stood;
  gather(thing.shape, thing.pose, id, form, frame, region);
};

function meets(thing: Surrounding, id: number): boolean {
  const { group, mask, owner, filter } = meeting;
  return (
    !thing.sensor &&
    (thing.group & mask) !== 0 &&
    (thing.mask & group) !== 0 &&
    (thing.uses === undefined || thing.uses.includes('cast')) &&
    (owner === undefined || thing.owner !== owner) &&
    (filter === undefined || filter(id))
  );
}

export function vectorToWorld(v: Triple, out: Vec3): Vec3 {
  if (!frame.upright) return v3.rotate(v, frame.turn, out);
  out.x = v.x;
  out.y = v.y;
  out.z = v.z;
  return out;
}

export function placeToWorld(p: Triple, out: Vec3): Vec3 {
  vectorToWorld(p, out);
  out.x += frame.x;
  out.y += frame.y;
  out.z += frame.z;
  return out;
}

export function vectorToFrame(v: Triple, out: Triple): Triple {
  if (!frame.upright) return v3.rotateInverse(v, frame.turn, out);
  const { x, y, z } = v;
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

/** Where the form touches what it hit, at the time of the hit. */
export function contactPoint(out: Triple): void {
  const { x, y, z, mx, my, mz, t } = sweep;
  toward.x = sweep.nx;
  toward.y = sweep.ny;
  toward.z = sweep.nz;
  out.x = x + t * mx;
  out.y = y + t * my;
  out.z = z + t * mz;
  toContact(toward, out);
}

const toward: Triple = triple();

/** From the centre of the form to where it touches something with that normal. */
export function toContact({ x: nx, y: ny, z: nz }: Triple, out: Triple): void {
  const { hx, hy, hz, kind, radius, half, worldGap } = form;
  out.x -= worldGap * nx;
  out.y -= worldGap * ny;
  out.z -= worldGap * nz;
  if (kind === 0) {
    const k = 1 / Math.sqrt(hx * nx * (hx * nx) + hy * ny * (hy * ny) + hz * nz * (hz * nz));
    out.x -= hx * hx * nx * k * (1 + form.gap) - worldGap * nx;
    out.y -= hy * hy * ny * k * (1 + form.gap) - worldGap * ny;
    out.z -= hz * hz * nz * k * (1 + form.gap) - worldGap * nz;
  } else if (kind === 1) {
    out.x -= radius * nx;
    out.y -= radius * ny + side(ny) * half;
    out.z -= radius * nz;
  } else {
    out.x -= side(nx) * hx;
    out.y -= side(ny) * hy;
    out.z -= side(nz) * hz;
  }
}

const side = (n: number): number => (n > 1e-9 ? 1 : n < -1e-9 ? -1 : 0);
const foot: Triple = triple();

/**
 * Is there ground at the place of the last hit: does a triangle that can be walked on come to where it was touched, though
 * the normal there is steep? So stand round forms on the edge of a ledge.
 */
export function isLedge(steepest: number): boolean {
  if (form.kind === 2) return false;
  contactPoint(foot);
  const { sx, sy, sz } = form;
  const px = foot.x * sx;
  const py = foot.y * sy;
  const pz = foot.z * sz;
  const cx = (sweep.x + sweep.t * sweep.mx) * sx;
  const cy = (sweep.y + sweep.t * sweep.my) * sy;
  const cz = (sweep.z + sweep.t * sweep.mz) * sz;
  const near = 0.5 * form.gap;
  const { corners, boxes, planes, count } = things;
  for (let i = 0; i < count; i++) {
    const six = 6 * i;
    const apart =
      +(boxes[six]! > px + near) |
      +(boxes[six + 1]! > py + near) |
      +(boxes[six + 2]! > pz + near) |
      +(boxes[six + 3]! < px - near) |
      +(boxes[six + 4]! < py - near) |
      +(boxes[six + 5]! < pz - near);
    if (apart !== 0) continue;
    const four = 4 * i;
    const nx = planes[four]!;
    const ny = planes[four + 1]!;
    const nz = planes[four + 2]!;
    const height = nx * px + ny * py + nz * pz - planes[four + 3]!;
    if (Math.abs(height) > near) continue;
    const above = nx * cx + ny * cy + nz * cz - planes[four + 3]!;
    const wx = nx * sx;
    const wy = ny * sy;
    const wz = nz * sz;
    const up = (above < 0 ? -wy : wy) / Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (!(up >= steepest)) continue;
    let inside = true;
    for (let k = 0; k < 3 && inside; k++) {
      const a = 9 * i + 3 * k;
      const b = 9 * i + 3 * ((k + 1) % 3);
      const ex = corners[b]! - corners[a]!;
      const ey = corners[b + 1]! - corners[a + 1]!;
      const ez = corners[b + 2]! - corners[a + 2]!;
      const qx = px - corners[a]!;
      const qy = py - corners[a + 1]!;
      const qz = pz - corners[a + 2]!;
      const area = nx * (ey * qz - ez * qy) + ny * (ez * qx - ex * qz) + nz * (ex * qy - ey * qx);
      inside = area >= -near * Math.sqrt(ex * ex + ey * ey + ez * ez);
    }
    if (inside) return true;
  }
  return false;
}
