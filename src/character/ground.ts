/** Ground: what can be stood on, and snapping down to it. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { advance, contactPoint, copy, type MoveContext, sweepBy, vectorToWorld } from './move-context.ts';
import { BOX, ELLIPSOID } from './swept-shape.ts';

/** A round shape on a ledge stands until the y of its normal there is this. */
const LEDGE = 0.05;

const normal = vec3(0.5, 0.5, 0.5);
const point = vec3(0.5, 0.5, 0.5);
const beside = vec3(0.5, 0.5, 0.5);

/** It stands here, on the ground that it stood on after the last move, with the normal `floor` in the frame. */
export function standStill(move: MoveContext, floor: typeof normal): void {
  copy(move.position, point);
  move.nearby.swept.toContact(floor, point);
  move.groundHeight = point.y;
  move.groundCenter = move.position.y;
}

/** It stands on what was hit last. */
export function standOnHit(move: MoveContext): void {
  const { hero, sweep } = move;
  hero.onFloor = true;
  hero.floorId = sweep.id;
  contactPoint(move, point);
  move.groundHeight = point.y;
  move.groundCenter = move.position.y;
  normal.x = sweep.nx;
  normal.y = sweep.ny;
  normal.z = sweep.nz;
  vectorToWorld(move, normal, hero.floorNormal);
}

/** Is the last hit, of a sweep down, something to stand on? */
export const isFloor = (move: MoveContext): boolean =>
  move.sweep.ny >= move.hero.minFloorY || (move.sweep.ny > LEDGE && isLedge(move));

/**
 * Does ground that can be walked on come to where the last hit touched, though the normal there is steep? So a round shape
 * stands on the edge of a ledge.
 */
function isLedge(move: MoveContext): boolean {
  const { nearby, sweep, hero } = move;
  const { kind, sx, sy, sz, gap } = nearby.swept;
  if (kind === BOX) return false;
  contactPoint(move, point);
  const px = point.x * sx;
  const py = point.y * sy;
  const pz = point.z * sz;
  const cx = (sweep.x + sweep.t * sweep.mx) * sx;
  const cy = (sweep.y + sweep.t * sweep.my) * sy;
  const cz = (sweep.z + sweep.t * sweep.mz) * sz;
  const near = 0.5 * gap;
  const { corners, boxes, planes, count } = nearby;
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
    const d = planes[four + 3]!;
    if (Math.abs(nx * px + ny * py + nz * pz - d) > near) continue;
    const wx = nx * sx;
    const wy = ny * sy;
    const wz = nz * sz;
    const up = (nx * cx + ny * cy + nz * cz < d ? -wy : wy) / Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (!(up >= hero.minFloorY)) continue;
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

/** How high the ground is that it last stood on. Lower than when it was touched, if that went down. */
export const groundBelow = (move: MoveContext): number =>
  move.groundHeight + Math.min(0, move.position.y - move.groundCenter);

/**
 * How far down along an edge it still goes. A round shape that leaves the edge hangs lower and lower on it: by
 * `snapDistance`, then it falls. Measured by the shape, so it does not depend on the frame rate.
 */
export const dropLeftOnEdge = (move: MoveContext): number =>
  move.position.y - move.groundHeight - lowestOnEdge(move);

/** The least height of the centre above an edge that it goes down along. */
function lowestOnEdge({ hero, nearby }: MoveContext): number {
  const { kind, hy, gap, worldGap } = nearby.swept;
  return hy + (kind === ELLIPSOID ? gap * hy : worldGap) - hero.snapDistance;
}

/**
 * Is the last hit, of a sweep down, ground to a walker? Not an edge that is higher than a step: it hangs against that. Nor
 * one that it is leaving, hanging on it as low as it may.
 */
export function isGround(move: MoveContext): boolean {
  const { hero, sweep } = move;
  if (!isFloor(move)) return false;
  if (sweep.ny >= hero.minFloorY) return true;
  contactPoint(move, point);
  const height = point.y - groundBelow(move);
  return height <= hero.stepHeight + 2 * hero.swept.worldGap && !isLeftEdge(move);
}

/** Is the last hit an edge that it is leaving, having come down along it as far as it goes? */
function isLeftEdge(move: MoveContext): boolean {
  const { hero, sweep, motion } = move;
  if (sweep.ny >= hero.minFloorY || !(sweep.nx * motion.x + sweep.nz * motion.z > 0)) return false;
  contactPoint(move, point);
  return sweep.y + sweep.t * sweep.my - point.y < lowestOnEdge(move) && isLedge(move);
}

/** Sweeps down, as far as the ground is looked for. */
export function sweepDown(move: MoveContext): boolean {
  const { snapDistance, swept } = move.hero;
  return sweepBy(move, 0, -Math.max(snapDistance, 2 * swept.worldGap), 0);
}

/** Snaps down to the ground, if there is some near enough. */
export function snapToGround(move: MoveContext): boolean {
  const { position } = move;
  const { x, y, z } = position;
  if (!sweepDown(move)) return false;
  advance(move);
  if (isGround(move)) {
    standOnHit(move);
    return true;
  }
  if (move.sweep.ny > 0 && !isLeftEdge(move) && passSteep(move, y + move.my - position.y)) return true;
  position.x = x;
  position.y = y;
  position.z = z;
  return false;
}

/**
 * Down past the steep thing that was hit last, to ground, no farther aside than the motion is long: along it as if it were a
 * slope, or beside it as if it were an edge, whatever leads less aside. Along the plane that touches an edge it would get
 * away from the edge all the way down, far more than it takes to be beside it.
 */
function passSteep(move: MoveContext, down: number): boolean {
  const { position, nearby, sweep } = move;
  const { x, y, z } = position;
  const { nx, ny, nz } = sweep;
  beside.x = nx;
  beside.y = ny;
  beside.z = nz;
  nearby.swept.toBeside(beside);
  const past = Math.abs(beside.x) + Math.abs(beside.z);
  // The part of the motion down that is along the plane.
  const mx = -nx * ny * down;
  const my = down - ny * ny * down;
  const mz = -nz * ny * down;
  const along = sweepBy(move, mx, my, mz) && isFloor(move) ? asideOf(move) : Infinity;
  if (past > 0 && past < along && isShort(move, past) && !sweepBy(move, beside.x, 0, beside.z)) {
    advance(move);
    if (sweepBy(move, 0, down, 0) && isFloor(move)) {
      advance(move);
      standOnHit(move);
      return true;
    }
    position.x = x;
    position.y = y;
    position.z = z;
  }
  if (!isShort(move, along)) return false;
  sweepBy(move, mx, my, mz);
  advance(move);
  standOnHit(move);
  return true;
}

/** How far aside the last sweep leads, as far as it goes. */
const asideOf = ({ mx, mz, sweep }: MoveContext): number => (Math.abs(mx) + Math.abs(mz)) * sweep.free;

/** Is a way aside no longer than the motion, but for gaps? */
const isShort = ({ motion, nearby }: MoveContext, aside: number): boolean =>
  aside <= Math.abs(motion.x) + Math.abs(motion.z) + 4 * nearby.swept.worldGap;

/** Between slopes that are too steep to stand on, and not getting down: it stands there, and may jump. */
export function standInWedge(move: MoveContext): void {
  const { hero, motion, slideStart, position } = move;
  const { collisions } = hero;
  if (!(motion.y < -1e-3 * hero.swept.worldGap) || collisions.length < 2) return;
  if (slideStart.y - position.y > -1e-3 * motion.y) return;
  let below = 0;
  v3.set(0, 0, 0, point);
  for (let i = 0; i < collisions.length; i++) {
    const { normal } = collisions[i]!;
    if (!(v3.dot(normal, hero.up) > LEDGE)) continue;
    v3.add(point, normal, point);
    below++;
  }
  if (below < 2 || !(v3.dot(v3.normalize(point, point), hero.up) >= hero.minFloorY)) return;
  hero.onFloor = true;
  hero.floorId = collisions[collisions.length - 1]!.id;
  copy(point, hero.floorNormal);
}
