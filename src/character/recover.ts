/** Out of what a character overlaps. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';
import { segmentTriangle } from '../primitives/ray/ray-triangle.ts';
import { makeTriangleHit } from '../primitives/types.ts';
import { type Triple, triple } from './constraints.ts';
import { things } from './near-things.ts';
import { form, go, here, sweep } from './stage.ts';
import { findReach, reach } from './sweep.ts';

/** The most pushes out of something. */
const PUSHES = 16;

/** Where it was; and the best place that was found, with how deep it is in something there. */
const began: Triple = triple();
const best = { x: 0.5, y: 0.5, z: 0.5, depth: 0.5 };

/** Is it so deep in the gap, or deeper, that it should be pushed out? Asked after a sweep. */
export const isDeep = (): boolean => sweep.depth > 0.5 * form.worldGap || things.inside.depth > 0;

/**
 * Pushes the form out of what it overlaps or all but touches, not farther than `most` from where it was. Out of a solid
 * that its centre is in, first. Keeps the best place that was found. Returns whether it is free.
 */
export function recover(most: number): boolean {
  copy(here, began);
  go(sweep, 0, 0, 0);
  const atFirst = sweep.depth;
  best.depth = Infinity;
  const wasInside = things.inside.depth > 0;
  if (wasInside && !leaveSolid(most)) return false;
  let isFree = pushOut(most);
  if (!isFree && !wasInside && leaveNearest(most)) isFree = pushOut(most) && !isBehind();
  // Out of a solid and into something else is no way out.
  copy(isFree || best.depth < atFirst ? best : began, here);
  return isFree;
}

function copy({ x, y, z }: Triple, to: Triple): void {
  to.x = x;
  to.y = y;
  to.z = z;
}

/** Out of the deepest first, each time by the shortest way. Is it free then? */
function pushOut(most: number): boolean {
  for (let i = 0; i < PUSHES; i++) {
    go(sweep, 0, 0, 0);
    const { depth, ox, oy, oz } = sweep;
    if (depth < best.depth * (1 - 1e-6)) {
      best.depth = depth;
      copy(here, best);
    }
    if (!(depth > form.worldBand)) break;
    const push = depth + form.worldBand;
    let mx = ox * push;
    let my = oy * push;
    let mz = oz * push;
    if (go(sweep, mx, my, mz) && sweep.t === 0) {
      // Something else is in the way: along it, out of the wedge.
      const { nx, ny, nz } = sweep;
      const c = ox * nx + oy * ny + oz * nz;
      const s = push / (1 - c * c);
      if (!(s < most)) break;
      mx = (ox - c * nx) * s;
      my = (oy - c * ny) * s;
      mz = (oz - c * nz) * s;
      if (go(sweep, mx, my, mz) && sweep.t === 0) break;
    }
    const part = sweep.free;
    here.x += mx * part;
    here.y += my * part;
    here.z += mz * part;
    if (part === 0 || !isWithin(most)) break;
  }
  return best.depth <= 0.5 * form.worldGap;
}

function isWithin(most: number): boolean {
  const dx = here.x - began.x;
  const dy = here.y - began.y;
  const dz = here.z - began.z;
  return dx * dx + dy * dy + dz * dz <= most * most;
}

/** Through the surface that is nearest to the centre, unless that is too far. */
function leaveSolid(most: number): boolean {
  const { inside } = things;
  const { nx, ny, nz } = inside;
  v3.set(nx, ny, nz, reach);
  findReach(form);
  const way = inside.depth + reach.whole;
  inside.depth = 0;
  if (way > most) return false;
  here.x += nx * way;
  here.y += ny * way;
  here.z += nz * way;
  return true;
}

const center = vec3(0.5, 0.5, 0.5);
const crossing = makeTriangleHit();
const a = vec3(0.5, 0.5, 0.5);
const b = vec3(0.5, 0.5, 0.5);
const c = vec3(0.5, 0.5, 0.5);
const near = vec3(0.5, 0.5, 0.5);
const nearest = vec3(0.5, 0.5, 0.5);

/**
 * From where it was, straight away from the nearest triangle, until it is beyond it as a whole. At a corner that sticks
 * into it, the shortest way out of each of the triangles there leads into the next one.
 */
function leaveNearest(most: number): boolean {
  v3.copy(began, center);
  let least = Infinity;
  for (let i = 0; i < things.count; i++) {
    loadCorners(i);
    const distance = v3.distance(center, closestPointTriangle(center, a, b, c, near));
    if (!(distance < least)) continue;
    least = distance;
    v3.copy(near, nearest);
  }
  if (!(least > 0 && least < Infinity)) return false;
  v3.scale(v3.sub(center, nearest, near), 1 / least, near);
  v3.copy(near, reach);
  findReach(form);
  const way = reach.whole - least;
  if (!(way > 0 && way <= most)) return false;
  here.x = began.x + near.x * way;
  here.y = began.y + near.y * way;
  here.z = began.z + near.z * way;
  return true;
}

/** Has the centre come through something on its way to the best place? */
function isBehind(): boolean {
  for (let i = 0; i < things.count; i++) {
    loadCorners(i);
    if (segmentTriangle(began, best, a, b, c, crossing)) return true;
  }
  return false;
}

/** The corners of a triangle, unscaled. */
function loadCorners(i: number): void {
  const { corners } = things;
  const { sx, sy, sz } = form;
  const at = 9 * i;
  v3.set(corners[at]! / sx, corners[at + 1]! / sy, corners[at + 2]! / sz, a);
  v3.set(corners[at + 3]! / sx, corners[at + 4]! / sy, corners[at + 5]! / sz, b);
  v3.set(corners[at + 6]! / sx, corners[at + 7]! / sy, corners[at + 8]! / sz, c);
}
