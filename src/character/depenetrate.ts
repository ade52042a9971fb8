/** Depenetration: out of what a character overlaps. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestOnTriangle } from '../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../primitives/closest/types.ts';
import { segmentTriangleFront } from '../primitives/ray/ray-triangle.ts';
import { makeTriangleHit } from '../primitives/types.ts';
import { advance, copy, type MoveContext, sweepBy } from './move-context.ts';
import type { Nearby } from './nearby.ts';
import { Reach } from './swept-shape.ts';

/** The most pushes out of something. */
const PUSHES = 16;

/** Is it so deep in the gap, or deeper, that it should be pushed out? Asked after a sweep. */
export const isDeep = ({ sweep, nearby }: MoveContext): boolean =>
  sweep.depth > 0.5 * nearby.swept.worldGap || nearby.exit.depth > 0;

/**
 * Pushes the shape out of what it overlaps or all but touches, not farther than `most` from where it was. Out of a solid
 * that its centre is in, first. Keeps the best position that was found. Returns whether it is free.
 */
export function depenetrate(move: MoveContext, most: number): boolean {
  const { position, recoveryStart, recoveryBest, nearby } = move;
  copy(position, recoveryStart);
  sweepBy(move, 0, 0, 0);
  const { depth } = move.sweep;
  recoveryBest.depth = Infinity;
  const wasInside = nearby.exit.depth > 0;
  if (wasInside && !leaveSolid(move, most)) return false;
  let isFree = pushOut(move, most);
  if (!isFree && !wasInside) {
    const { x, y, z, depth: least } = recoveryBest;
    isFree = leaveNearest(move, most) && pushOut(move, most);
    if (recoveryBest.depth < least && isBehind(move)) {
      isFree = false;
      v3.set(x, y, z, recoveryBest);
      recoveryBest.depth = least;
    }
  }
  // Out of a solid and into something else is no way out.
  copy(isFree || recoveryBest.depth < depth ? recoveryBest : recoveryStart, position);
  return isFree;
}

/** Out of the deepest first, each time by the shortest translation. Is it free then? */
function pushOut(move: MoveContext, most: number): boolean {
  const { position, recoveryBest, sweep } = move;
  const { worldGap, worldTolerance } = move.nearby.swept;
  for (let i = 0; i < PUSHES; i++) {
    sweepBy(move, 0, 0, 0);
    const { depth, ox, oy, oz } = sweep;
    if (depth < recoveryBest.depth * (1 - 1e-6)) {
      recoveryBest.depth = depth;
      copy(position, recoveryBest);
    }
    if (!(depth > worldTolerance)) break;
    const push = depth + worldTolerance;
    if (sweepBy(move, ox * push, oy * push, oz * push) && sweep.free === 0) {
      // Something else is in the way: along it, out of the wedge.
      const { nx, ny, nz } = sweep;
      const c = ox * nx + oy * ny + oz * nz;
      const s = push / (1 - c * c);
      if (!(s < most)) break;
      if (sweepBy(move, (ox - c * nx) * s, (oy - c * ny) * s, (oz - c * nz) * s) && sweep.free === 0) break;
    }
    advance(move);
    if (!(v3.distanceSq(position, move.recoveryStart) <= most * most)) break;
  }
  return recoveryBest.depth <= 0.5 * worldGap;
}

/** Through the surface that is nearest to the centre, unless that is too far. */
function leaveSolid({ nearby, position }: MoveContext, most: number): boolean {
  const { exit } = nearby;
  copy(exit, reach);
  nearby.swept.findReach(reach);
  const length = exit.depth + reach.withGap;
  exit.depth = 0;
  if (length > most) return false;
  v3.addScaled(position, reach, length, position);
  return true;
}

const reach = new Reach();
const crossing = makeTriangleHit();
const foot = makeTrianglePoint();
const a = vec3(0.5, 0.5, 0.5);
const b = vec3(0.5, 0.5, 0.5);
const c = vec3(0.5, 0.5, 0.5);
const nearest = vec3(0.5, 0.5, 0.5);

/**
 * From where it was, straight away from the nearest triangle, until all of it is beyond that. At a corner that sticks into
 * it, the shortest way out of each of the triangles there leads into the next one.
 */
function leaveNearest({ nearby, position, recoveryStart }: MoveContext, most: number): boolean {
  let least = Infinity;
  for (let i = 0; i < nearby.count; i++) {
    loadCorners(nearby, i);
    const { point, distanceSq } = closestOnTriangle(recoveryStart, a, b, c, foot);
    if (!(distanceSq < least)) continue;
    least = distanceSq;
    copy(point, nearest);
  }
  if (!(least > 0 && least < Infinity)) return false;
  const distance = Math.sqrt(least);
  v3.scale(v3.sub(recoveryStart, nearest, nearest), 1 / distance, reach);
  nearby.swept.findReach(reach);
  const length = reach.withGap - distance;
  if (!(length > 0 && length <= most)) return false;
  v3.addScaled(recoveryStart, reach, length, position);
  return true;
}

/** Has the centre come through something from its front on the way to the best position? Out from behind it is fine. */
function isBehind({ nearby, recoveryStart, recoveryBest }: MoveContext): boolean {
  for (let i = 0; i < nearby.count; i++) {
    loadCorners(nearby, i);
    if (segmentTriangleFront(recoveryStart, recoveryBest, a, b, c, crossing)) return true;
  }
  return false;
}

/** The corners of a triangle, unscaled. */
function loadCorners({ corners, swept }: Nearby, i: number): void {
  const { sx, sy, sz } = swept;
  const at = 9 * i;
  v3.set(corners[at]! / sx, corners[at + 1]! / sy, corners[at + 2]! / sz, a);
  v3.set(corners[at + 3]! / sx, corners[at + 4]! / sy, corners[at + 5]! / sz, b);
  v3.set(corners[at + 6]! / sx, corners[at + 7]! / sy, corners[at + 8]! / sz, c);
}
