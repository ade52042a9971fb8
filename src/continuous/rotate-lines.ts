/** The edges of a pair as lines: the turning one and the standing one, and when they can be near at the earliest. */
import { ball, firstInBall, firstZero } from './half-angle.ts';
import { turn } from './rotate-state.ts';

const D = 0.5;

/** A turning edge: both ends, the unit direction and its moment about the pivot, each with cross product and bend. */
export const swing = {
  ax: D,
  ay: D,
  az: D,
  bx: D,
  by: D,
  bz: D,
  /** axis × (an end from the pivot), and the part of that perpendicular to the axis. */
  acx: D,
  acy: D,
  acz: D,
  apx: D,
  apy: D,
  apz: D,
  bcx: D,
  bcy: D,
  bcz: D,
  bpx: D,
  bpy: D,
  bpz: D,
  length: D,
  ux: D,
  uy: D,
  uz: D,
  /** axis × u, and the part of u perpendicular to the axis. */
  cx: D,
  cy: D,
  cz: D,
  px: D,
  py: D,
  pz: D,
  /** axis × moment, and the part of the moment perpendicular to the axis. */
  mcx: D,
  mcy: D,
  mcz: D,
  mpx: D,
  mpy: D,
  mpz: D,
  /** The greatest distance from the axis. */
  reach: D,
  edge: 0,
};

/** The standing edge: ends, unit direction w, its moment about the pivot. */
export const bar = {
  ax: D,
  ay: D,
  az: D,
  bx: D,
  by: D,
  bz: D,
  length: D,
  wx: D,
  wy: D,
  wz: D,
  mx: D,
  my: D,
  mz: D,
  edge: 0,
};

/** Takes edge e, whose ends are at 3 i and 3 j in `points`. */
export function startSwing(points: Float64Array, i: number, j: number, e: number): void {
  const { kx, ky, kz, ox, oy, oz } = turn;
  const ax = points[i]! - ox;
  const ay = points[i + 1]! - oy;
  const az = points[i + 2]! - oz;
  const bx = points[j]! - ox;
  const by = points[j + 1]! - oy;
  const bz = points[j + 2]! - oz;
  let ux = points[j]! - points[i]!;
  let uy = points[j + 1]! - points[i + 1]!;
  let uz = points[j + 2]! - points[i + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  ux /= length;
  uy /= length;
  uz /= length;
  const mx = ay * uz - az * uy;
  const my = az * ux - ax * uz;
  const mz = ax * uy - ay * ux;
  const uk = kx * ux + ky * uy + kz * uz;
  const mk = kx * mx + ky * my + kz * mz;
  const ak = kx * ax + ky * ay + kz * az;
  const bk = kx * bx + ky * by + kz * bz;
  swing.ax = points[i]!;
  swing.ay = points[i + 1]!;
  swing.az = points[i + 2]!;
  swing.bx = points[j]!;
  swing.by = points[j + 1]!;
  swing.bz = points[j + 2]!;
  swing.acx = ky * az - kz * ay;
  swing.acy = kz * ax - kx * az;
  swing.acz = kx * ay - ky * ax;
  swing.apx = ax - ak * kx;
  swing.apy = ay - ak * ky;
  swing.apz = az - ak * kz;
  swing.bcx = ky * bz - kz * by;
  swing.bcy = kz * bx - kx * bz;
  swing.bcz = kx * by - ky * bx;
  swing.bpx = bx - bk * kx;
  swing.bpy = by - bk * ky;
  swing.bpz = bz - bk * kz;
  swing.length = length;
  swing.ux = ux;
  swing.uy = uy;
  swing.uz = uz;
  swing.cx = ky * uz - kz * uy;
  swing.cy = kz * ux - kx * uz;
  swing.cz = kx * uy - ky * ux;
  swing.px = ux - uk * kx;
  swing.py = uy - uk * ky;
  swing.pz = uz - uk * kz;
  swing.mcx = ky * mz - kz * my;
  swing.mcy = kz * mx - kx * mz;
  swing.mcz = kx * my - ky * mx;
  swing.mpx = mx - mk * kx;
  swing.mpy = my - mk * ky;
  swing.mpz = mz - mk * kz;
  const ac = Math.sqrt(swing.acx * swing.acx + swing.acy * swing.acy + swing.acz * swing.acz);
  const bc = Math.sqrt(swing.bcx * swing.bcx + swing.bcy * swing.bcy + swing.bcz * swing.bcz);
  swing.reach = Math.max(ac, bc) + turn.tolerance;
  swing.edge = e;
}

/** Numbers of each standing edge in `bars`: an end, unit direction, moment about the pivot, length. */
export const BAR = 10;

/** Writes edge e of a standing model, with ends at 3 i and 3 j in `points`, to place `at`. */
export function writeBar(bars: Float64Array, at: number, points: Float64Array, i: number, j: number): void {
  const ax = points[i]!;
  const ay = points[i + 1]!;
  const az = points[i + 2]!;
  let wx = points[j]! - ax;
  let wy = points[j + 1]! - ay;
  let wz = points[j + 2]! - az;
  const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
  wx /= length;
  wy /= length;
  wz /= length;
  const x = ax - turn.ox;
  const y = ay - turn.oy;
  const z = az - turn.oz;
  bars[at] = ax;
  bars[at + 1] = ay;
  bars[at + 2] = az;
  bars[at + 3] = wx;
  bars[at + 4] = wy;
  bars[at + 5] = wz;
  bars[at + 6] = y * wz - z * wy;
  bars[at + 7] = z * wx - x * wz;
  bars[at + 8] = x * wy - y * wx;
  bars[at + 9] = length;
}

/**
 * When the edge of `swing` can be within the zone of the standing edge at the earliest, as far as their lines tell: their
 * distance is N / |u × w|, and so at least N.
 */
export function lineEntry(bars: Float64Array, at: number): number {
  const { ux, uy, uz } = swing;
  const dx = swing.ax - bars[at]!;
  const dy = swing.ay - bars[at + 1]!;
  const dz = swing.az - bars[at + 2]!;
  const wx = bars[at + 3]!;
  const wy = bars[at + 4]!;
  const wz = bars[at + 5]!;
  const value = dx * (uy * wz - uz * wy) + dy * (uz * wx - ux * wz) + dz * (ux * wy - uy * wx);
  const mx = bars[at + 6]!;
  const my = bars[at + 7]!;
  const mz = bars[at + 8]!;
  const rise =
    swing.mcx * wx + swing.mcy * wy + swing.mcz * wz + (swing.cx * mx + swing.cy * my + swing.cz * mz);
  const bend =
    swing.mpx * wx + swing.mpy * wy + swing.mpz * wz + (swing.px * mx + swing.py * my + swing.pz * mz);
  if (value > turn.accept) return firstZero(value - turn.enter, rise, bend);
  return value < -turn.accept ? firstZero(-value - turn.enter, -rise, -bend) : 0;
}

/** When the ball about the edge of `swing` comes to that about box i, with the zone, at the earliest. */
export function edgeBallEntry(boxes: Float64Array, i: number): number {
  const k = 6 * i;
  const x = boxes[k + 3]! - boxes[k]!;
  const y = boxes[k + 4]! - boxes[k + 1]!;
  const z = boxes[k + 5]! - boxes[k + 2]!;
  ball.dx = 0.5 * (swing.ax + swing.bx) - boxes[k]! - 0.5 * x;
  ball.dy = 0.5 * (swing.ay + swing.by) - boxes[k + 1]! - 0.5 * y;
  ball.dz = 0.5 * (swing.az + swing.bz) - boxes[k + 2]! - 0.5 * z;
  ball.cx = 0.5 * (swing.acx + swing.bcx);
  ball.cy = 0.5 * (swing.acy + swing.bcy);
  ball.cz = 0.5 * (swing.acz + swing.bcz);
  ball.ux = 0.5 * (swing.apx + swing.bpx);
  ball.uy = 0.5 * (swing.apy + swing.bpy);
  ball.uz = 0.5 * (swing.apz + swing.bpz);
  ball.radius = 0.5 * (Math.sqrt(x * x + y * y + z * z) + swing.length) + turn.leave;
  return firstInBall();
}

/** Takes the standing edge e at `at` for the search that follows `lineEntry`. */
export function takeBar(bars: Float64Array, at: number, e: number): void {
  bar.ax = bars[at]!;
  bar.ay = bars[at + 1]!;
  bar.az = bars[at + 2]!;
  bar.wx = bars[at + 3]!;
  bar.wy = bars[at + 4]!;
  bar.wz = bars[at + 5]!;
  bar.length = bars[at + 9]!;
  bar.bx = bar.ax + bar.length * bar.wx;
  bar.by = bar.ay + bar.length * bar.wy;
  bar.bz = bar.az + bar.length * bar.wz;
  bar.edge = e;
}
