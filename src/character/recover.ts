/** Out of what a character overlaps. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';
import { segmentTriangle } from '../primitives/ray/ray-triangle.ts';
import { makeTriangleHit } from '../primitives/types.ts';
import type { Triple } from './constraints.ts';
import { go, type MoveContext } from './move-context.ts';
import { findReach, makeReach } from './sweep.ts';

/** The most pushes out of something. */
const PUSHES = 16;

/** Is it so deep in the gap, or deeper, that it should be pushed out? Asked after a sweep. */
export const isDeep = (move: MoveContext): boolean =>
  move.sweep.depth > 0.5 * move.form.worldGap || move.nearby.inside.depth > 0;

/**
 * Pushes the form out of what it overlaps or all but touches, not farther than `most` from where it was. Out of a solid
 * that its centre is in, first. Keeps the best place that was found. Returns whether it is free.
 */
export function recover(move: MoveContext, most: number): boolean {
  copy(move.position, move.recoveryStart);
  go(move, 0, 0, 0);
  const atFirst = move.sweep.depth;
  move.recoveryBest.depth = Infinity;
  const wasInside = move.nearby.inside.depth > 0;
  if (wasInside && !leaveSolid(move, most)) return false;
  let isFree = pushOut(move, most);
  if (!isFree && !wasInside && leaveNearest(move, most)) isFree = pushOut(move, most) && !isBehind(move);
  // Out of a solid and into something else is no way out.
  copy(isFree || move.recoveryBest.depth < atFirst ? move.recoveryBest : move.recoveryStart, move.position);
  return isFree;
}

function copy({ x, y, z }: Triple, to: Triple): void {
  to.x = x;
  to.y = y;
  to.z = z;
}

/** Out of the deepest first, each time by the shortest way. Is it free then? */
function pushOut(move: MoveContext, most: number): boolean {
  for (let i = 0; i < PUSHES; i++) {
    go(move, 0, 0, 0);
    const { depth, ox, oy, oz } = move.sweep;
    if (depth < move.recoveryBest.depth * (1 - 1e-6)) {
      move.recoveryBest.depth = depth;
      copy(move.position, move.recoveryBest);
    }
    if (!(depth > move.form.worldBand)) break;
    const push = depth + move.form.worldBand;
    let mx = ox * push;
    let my = oy * push;
    let mz = oz * push;
    if (go(move, mx, my, mz) && move.sweep.free === 0) {
      // Something else is in the way: along it, out of the wedge.
      const { nx, ny, nz } = move.sweep;
      const c = ox * nx + oy * ny + oz * nz;
      const s = push / (1 - c * c);
      if (!(s < most)) break;
      mx = (ox - c * nx) * s;
      my = (oy - c * ny) * s;
      mz = (oz - c * nz) * s;
      if (go(move, mx, my, mz) && move.sweep.free === 0) break;
    }
    const part = move.sweep.free;
    move.position.x += mx * part;
    move.position.y += my * part;
    move.position.z += mz * part;
    if (part === 0 || !isWithin(move, most)) break;
  }
  return move.recoveryBest.depth <= 0.5 * move.form.worldGap;
}

function isWithin(move: MoveContext, most: number): boolean {
  const dx = move.position.x - move.recoveryStart.x;
  const dy = move.position.y - move.recoveryStart.y;
  const dz = move.position.z - move.recoveryStart.z;
  return dx * dx + dy * dy + dz * dz <= most * most;
}

/** Through the surface that is nearest to the centre, unless that is too far. */
function leaveSolid(move: MoveContext, most: number): boolean {
  const { inside } = move.nearby;
  const { nx, ny, nz } = inside;
  v3.set(nx, ny, nz, reach);
  findReach(move.form, reach);
  const way = inside.depth + reach.whole;
  inside.depth = 0;
  if (way > most) return false;
  move.position.x += nx * way;
  move.position.y += ny * way;
  move.position.z += nz * way;
  return true;
}

const reach = makeReach();
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
function leaveNearest(move: MoveContext, most: number): boolean {
  v3.copy(move.recoveryStart, center);
  let least = Infinity;
  for (let i = 0; i < move.nearby.count; i++) {
    loadCorners(move, i);
    const distance = v3.distance(center, closestPointTriangle(center, a, b, c, near));
    if (!(distance < least)) continue;
    least = distance;
    v3.copy(near, nearest);
  }
  if (!(least > 0 && least < Infinity)) return false;
  v3.scale(v3.sub(center, nearest, near), 1 / least, near);
  v3.copy(near, reach);
  findReach(move.form, reach);
  const way = reach.whole - least;
  if (!(way > 0 && way <= most)) return false;
  move.position.x = move.recoveryStart.x + near.x * way;
  move.position.y = move.recoveryStart.y + near.y * way;
  move.position.z = move.recoveryStart.z + near.z * way;
  return true;
}

/** Has the centre come through something on its way to the best place? */
function isBehind(move: MoveContext): boolean {
  for (let i = 0; i < move.nearby.count; i++) {
    loadCorners(move, i);
    if (segmentTriangle(move.recoveryStart, move.recoveryBest, a, b, c, crossing)) return true;
  }
  return false;
}

/** The corners of a triangle, unscaled. */
function loadCorners(move: MoveContext, i: number): void {
  const { corners } = move.nearby;
  const { sx, sy, sz } = move.form;
  const at = 9 * i;
  v3.set(corners[at]! / sx, corners[at + 1]! / sy, corners[at + 2]! / sz, a);
  v3.set(corners[at + 3]! / sx, corners[at + 4]! / sy, corners[at + 5]! / sz, b);
  v3.set(corners[at + 6]! / sx, corners[at + 7]! / sy, corners[at + 8]! / sz, c);
}
