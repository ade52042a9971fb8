/** A turning edge and a standing one: their distance, and how long it stays above a level. */
import { firstQuarticZero, firstZero, turnOn } from './half-angle.ts';
import { EDGE } from './job.ts';
import { middle, now, type Still, turn } from './rotate-state.ts';
import { DANGLING_EDGE } from './types.ts';

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

/** The product of both lines at the start, N = (a - b) · (u × w), with its change: N + rise sin α - bend (1 - cos α). */
const product = { value: D, rise: D, bend: D };

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
  swing.reach = Math.sqrt(
    Math.max(ax * ax + ay * ay + az * az - ak * ak, bx * bx + by * by + bz * bz - bk * bk, 0),
  );
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
  product.rise = rise;
  product.bend = bend;
  if (value > turn.accept) return firstZero(value - turn.enter, rise, bend);
  return value < -turn.accept ? firstZero(-value - turn.enter, -rise, -bend) : 0;
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

/** The turning edge at the time of `now`. */
const at = {
  ax: D,
  ay: D,
  az: D,
  bx: D,
  by: D,
  bz: D,
  ux: D,
  uy: D,
  uz: D,
  /** u × w, its length, and N. */
  vx: D,
  vy: D,
  vz: D,
  across: D,
  value: D,
  sine: D,
  versine: D,
};

/** Turns the edge on to the time r and measures: fills `now`. */
export function measureEdges(still: Still, moving: Still, r: number): void {
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  now.r = r;
  at.sine = sine;
  at.versine = versine;
  at.ax = swing.ax + (sine * swing.acx - versine * swing.apx);
  at.ay = swing.ay + (sine * swing.acy - versine * swing.apy);
  at.az = swing.az + (sine * swing.acz - versine * swing.apz);
  at.bx = swing.bx + (sine * swing.bcx - versine * swing.bpx);
  at.by = swing.by + (sine * swing.bcy - versine * swing.bpy);
  at.bz = swing.bz + (sine * swing.bcz - versine * swing.bpz);
  const ux = swing.ux + sine * swing.cx - versine * swing.px;
  const uy = swing.uy + sine * swing.cy - versine * swing.py;
  const uz = swing.uz + sine * swing.cz - versine * swing.pz;
  at.ux = ux;
  at.uy = uy;
  at.uz = uz;
  const { wx, wy, wz } = bar;
  const vx = uy * wz - uz * wy;
  const vy = uz * wx - ux * wz;
  const vz = ux * wy - uy * wx;
  const across = Math.sqrt(vx * vx + vy * vy + vz * vz);
  at.vx = vx;
  at.vy = vy;
  at.vz = vz;
  at.across = across;
  const dx = at.ax - bar.ax;
  const dy = at.ay - bar.ay;
  const dz = at.az - bar.az;
  const value = dx * vx + dy * vy + dz * vz;
  at.value = value;
  now.kind = EDGE;
  now.feature = bar.edge;
  // Nearly parallel edges are left to their ends.
  const isCrossing = across * Math.max(swing.length, bar.length) > 0.125 * turn.e;
  if (isCrossing) {
    const d = 1 / (across * across);
    const s = -d * (vx * (dy * wz - dz * wy) + vy * (dz * wx - dx * wz) + vz * (dx * wy - dy * wx));
    const t = -d * (vx * (dy * uz - dz * uy) + vy * (dz * ux - dx * uz) + vz * (dx * uy - dy * ux));
    const margin = turn.tolerance / across;
    if (s >= -margin && s <= swing.length + margin && t >= -margin && t <= bar.length + margin) {
      now.isInside = true;
      crossing(still, moving, s, t);
      return;
    }
  }
  now.isInside = false;
  nearestEnds();
}

/** The lines are nearest inside of both edges, at s along the turning one and t along the other. */
function crossing(still: Still, moving: Still, s: number, t: number): void {
  const x = at.ax + s * at.ux;
  const y = at.ay + s * at.uy;
  const z = at.az + s * at.uz;
  const side = turn.side !== 0 ? turn.side : sideOfBar(still, x, y, z);
  const sign = side / at.across;
  const gap = sign * at.value;
  const nx = sign * at.vx;
  const ny = sign * at.vy;
  const nz = sign * at.vz;
  now.gap = turn.side === 0 && gap < 0 ? 0 : gap;
  now.nx = nx;
  now.ny = ny;
  now.nz = nz;
  now.x = x;
  now.y = y;
  now.z = z;
  now.qx = bar.ax + t * bar.wx;
  now.qy = bar.ay + t * bar.wy;
  now.qz = bar.az + t * bar.wz;
  const { kx, ky, kz } = turn;
  now.rate = rateAt(x, y, z);
  const tolerance = 1e-7 + (4 * turn.tolerance) / (at.across * Math.min(swing.length, bar.length));
  // The direction as the turning edge's faces see it from where they started.
  const along = nx * kx + ny * ky + nz * kz;
  const sx = nx - at.sine * (ky * nz - kz * ny) - at.versine * (nx - along * kx);
  const sy = ny - at.sine * (kz * nx - kx * nz) - at.versine * (ny - along * ky);
  const sz = nz - at.sine * (kx * ny - ky * nx) - at.versine * (nz - along * kz);
  now.valid =
    isInCone(still, bar.edge, nx, ny, nz, tolerance) &&
    isInCone(moving, swing.edge, -sx, -sy, -sz, tolerance);
}

/** How far a direction leans over the faces at an edge: the larger of both. */
const lean = { most: D, sum: D };

function leanOver({ model, points, planes }: Still, e: number, nx: number, ny: number, nz: number): void {
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const cx = uy * nz - uz * ny;
  const cy = uz * nx - ux * nz;
  const cz = ux * ny - uy * nx;
  lean.most = lean.sum = 0;
  for (let side = 0; side < 2; side++) {
    const g = model.edgePolygons[2 * e + side]!;
    if (g < 0) continue;
    // n · (normal × u) = normal · (u × n); the second face runs backwards.
    const over = (planes[4 * g]! * cx + planes[4 * g + 1]! * cy + planes[4 * g + 2]! * cz) / length;
    const signed = side === 0 ? over : -over;
    lean.most = Math.max(lean.most, signed);
    lean.sum += signed;
  }
}

/** On which side of the standing line the turning one is; if they meet: out of the faces there, or where its body is. */
function sideOfBar(still: Still, x: number, y: number, z: number): number {
  if (Math.abs(at.value) > turn.tolerance * at.across) return at.value < 0 ? -1 : 1;
  const d = 1 / at.across;
  leanOver(still, bar.edge, d * at.vx, d * at.vy, d * at.vz);
  if (Math.abs(lean.sum) > 1e-6) return lean.sum > 0 ? -1 : 1;
  return at.vx * (middle.x - x) + at.vy * (middle.y - y) + at.vz * (middle.z - z) >= 0 ? 1 : -1;
}

/** The side for `turn.side`, as last measured. */
export const sideOfCrossing = (): number => (now.nx * at.vx + now.ny * at.vy + now.nz * at.vz < 0 ? -1 : 1);

/** Is the edge the nearest of its surface to what lies in direction n from it? */
function isInCone(body: Still, e: number, nx: number, ny: number, nz: number, tolerance: number): boolean {
  const { model, planes } = body;
  leanOver(body, e, nx, ny, nz);
  if (lean.most > tolerance) return false;
  if (model.sides !== 'front' || model.edgeKinds[e] !== DANGLING_EDGE) return true;
  for (let side = 0; side < 2; side++) {
    const g = model.edgePolygons[2 * e + side]!;
    if (g >= 0 && planes[4 * g]! * nx + planes[4 * g + 1]! * ny + planes[4 * g + 2]! * nz >= -tolerance)
      return true;
  }
  return false;
}

const least = { sq: D, x: D, y: D, z: D, dx: D, dy: D, dz: D };

/** The distance of edges that do not cross: an end of one from the other. */
function nearestEnds(): void {
  least.sq = Number.POSITIVE_INFINITY;
  fromBar(at.ax, at.ay, at.az);
  fromBar(at.bx, at.by, at.bz);
  fromSwing(bar.ax, bar.ay, bar.az);
  fromSwing(bar.bx, bar.by, bar.bz);
  const gap = Math.sqrt(least.sq);
  const scale = gap > 0 ? 1 / gap : 0;
  now.gap = gap;
  now.nx = scale * least.dx;
  now.ny = scale * least.dy;
  now.nz = scale * least.dz;
  now.x = least.x;
  now.y = least.y;
  now.z = least.z;
  now.qx = now.x - least.dx;
  now.qy = now.y - least.dy;
  now.qz = now.z - least.dz;
  now.rate = rateAt(least.x, least.y, least.z);
  now.valid = false;
}

/** How fast a turning point moves along the direction of `now`. */
function rateAt(x: number, y: number, z: number): number {
  const { kx, ky, kz } = turn;
  const dx = x - turn.ox;
  const dy = y - turn.oy;
  const dz = z - turn.oz;
  return now.nx * (ky * dz - kz * dy) + now.ny * (kz * dx - kx * dz) + now.nz * (kx * dy - ky * dx);
}

function fromBar(x: number, y: number, z: number): void {
  const t = Math.max(
    0,
    Math.min(bar.length, (x - bar.ax) * bar.wx + (y - bar.ay) * bar.wy + (z - bar.az) * bar.wz),
  );
  const dx = x - bar.ax - t * bar.wx;
  const dy = y - bar.ay - t * bar.wy;
  const dz = z - bar.az - t * bar.wz;
  const sq = dx * dx + dy * dy + dz * dz;
  if (sq < least.sq) {
    least.sq = sq;
    least.x = x;
    least.y = y;
    least.z = z;
    least.dx = dx;
    least.dy = dy;
    least.dz = dz;
  }
}

function fromSwing(x: number, y: number, z: number): void {
  const { ux, uy, uz } = at;
  const s = Math.max(0, Math.min(swing.length, (x - at.ax) * ux + (y - at.ay) * uy + (z - at.az) * uz));
  const dx = at.ax - x + s * ux;
  const dy = at.ay - y + s * uy;
  const dz = at.az - z + s * uz;
  const sq = dx * dx + dy * dy + dz * dz;
  if (sq < least.sq) {
    least.sq = sq;
    least.x = x + dx;
    least.y = y + dy;
    least.z = z + dz;
    least.dx = dx;
    least.dy = dy;
    least.dz = dz;
  }
}

const quartic = new Float64Array(5);

/** Writes N² - level² |u × w|², times (1 + r²)², of the lines as they turn on from now. */
function writeQuartic(level: number): void {
  const { kx, ky, kz } = turn;
  const cosine = 1 - at.versine;
  const rise = product.rise * cosine - product.bend * at.sine;
  const bend = product.bend * cosine + product.rise * at.sine;
  const { ux, uy, uz, vx, vy, vz } = at;
  const { wx, wy, wz } = bar;
  const n1 = 2 * rise;
  const n2 = at.value - 2 * bend;
  const along = kx * ux + ky * uy + kz * uz;
  const cx = ky * uz - kz * uy;
  const cy = kz * ux - kx * uz;
  const cz = kx * uy - ky * ux;
  const px = ux - along * kx;
  const py = uy - along * ky;
  const pz = uz - along * kz;
  const x1 = 2 * (cy * wz - cz * wy);
  const y1 = 2 * (cz * wx - cx * wz);
  const z1 = 2 * (cx * wy - cy * wx);
  const x2 = vx - 2 * (py * wz - pz * wy);
  const y2 = vy - 2 * (pz * wx - px * wz);
  const z2 = vz - 2 * (px * wy - py * wx);
  const l = level * level;
  quartic[0] = at.value * at.value - l * (vx * vx + vy * vy + vz * vz);
  quartic[1] = 2 * (at.value * n1 - l * (vx * x1 + vy * y1 + vz * z1));
  quartic[2] =
    n1 * n1 + 2 * at.value * n2 - l * (x1 * x1 + y1 * y1 + z1 * z1 + 2 * (vx * x2 + vy * y2 + vz * z2));
  quartic[3] = 2 * (n1 * n2 - l * (x1 * x2 + y1 * y2 + z1 * z2));
  quartic[4] = n2 * n2 - l * (x2 * x2 + y2 * y2 + z2 * z2);
}

/** The rest of the piece, as the tangent of half its angle; a little more. */
const rest = (): number => ((turn.best - now.r) / (1 + turn.best * now.r)) * 1.0000001;

/** Up to when the edges are farther from each other than `level`, which is less than `now.gap`. */
export function edgesStayAbove(level: number): number {
  const margin = now.gap - level;
  // No point of the edge moves faster than this.
  let r = margin / (2 * swing.reach);
  const cosine = 1 - at.versine;
  const rise = product.rise * cosine - product.bend * at.sine;
  const bend = product.bend * cosine + product.rise * at.sine;
  if (level <= 0) {
    // Touching from the start: a rounding beyond the other side, whatever the angle of the lines.
    const side = turn.side;
    if (now.valid) r = Math.max(r, firstZero(side * at.value - level * at.across, side * rise, side * bend));
  } else if (Math.abs(at.value) > level * at.across) {
    writeQuartic(level);
    r = Math.max(r, firstQuarticZero(quartic, rest()));
  } else {
    // The lines are too near, the edges not. If they are so far that they cannot meet until the lines have parted: jump.
    const out = 1.015625 * level;
    const parted = Math.min(firstZero(out - at.value, -rise, -bend), firstZero(out + at.value, rise, bend));
    if (margin > 2 * parted * swing.reach) r = Math.max(r, parted);
  }
  // A plane between them, which stands still, and one that turns: the ends of the one edge, or of the other, come to it.
  r = Math.max(r, Math.min(endEntry(at.ax, at.ay, at.az, level), endEntry(at.bx, at.by, at.bz, level)));
  r = Math.max(r, Math.min(barEntry(bar.ax, bar.ay, bar.az, level), barEntry(bar.bx, bar.by, bar.bz, level)));
  return turnOn(now.r, r);
}

/**
 * The zero-gap time: when the lines as last measured meet. van Waveren 2005, §2.5. Whether the edges do is to be measured
 * there.
 */
export function linesMeet(): number {
  const cosine = 1 - at.versine;
  const side = at.value < 0 ? -1 : 1;
  const rise = side * (product.rise * cosine - product.bend * at.sine);
  const bend = side * (product.bend * cosine + product.rise * at.sine);
  return turnOn(now.r, firstZero(side * at.value, rise, bend));
}

/** When an end of the turning edge comes to within `level` of the plane that holds the standing one back. */
function endEntry(x: number, y: number, z: number, level: number): number {
  const { nx, ny, nz } = now;
  const h = Math.min(
    nx * (x - bar.ax) + ny * (y - bar.ay) + nz * (z - bar.az) - level,
    nx * (x - bar.bx) + ny * (y - bar.by) + nz * (z - bar.bz) - level,
  );
  return h > 0 ? firstZero(h, rateAt(x, y, z), bendAt(x, y, z)) : 0;
}

/** The same as the turning edge sees it: the standing one turns the other way. */
function barEntry(x: number, y: number, z: number, level: number): number {
  const { nx, ny, nz } = now;
  const h = Math.min(
    nx * (at.ax - x) + ny * (at.ay - y) + nz * (at.az - z) - level,
    nx * (at.bx - x) + ny * (at.by - y) + nz * (at.bz - z) - level,
  );
  return h > 0 ? firstZero(h, rateAt(x, y, z), -bendAt(x, y, z)) : 0;
}

/** The part of a point's way from the axis that is along the direction of `now`. */
function bendAt(x: number, y: number, z: number): number {
  const { kx, ky, kz } = turn;
  const { nx, ny, nz } = now;
  const dx = x - turn.ox;
  const dy = y - turn.oy;
  const dz = z - turn.oz;
  return nx * dx + ny * dy + nz * dz - (kx * dx + ky * dy + kz * dz) * (nx * kx + ny * ky + nz * kz);
}

/**
 * The next time to look at crossing edges that move apart, and would be too near again at `back`: they have left the zone
 * then, or are at their farthest.
 */
export function edgesRise(still: Still, moving: Still, level: number, back: number): number {
  writeQuartic(level);
  for (let i = 0; i < 5; i++) quartic[i] = -quartic[i]!;
  const leaves = turnOn(now.r, firstQuarticZero(quartic, rest()));
  if (leaves < back || !(back <= turn.best)) return leaves;
  let low = now.r;
  let high = back;
  for (let i = 0; i < 60 && high - low > 1e-15 * high; i++) {
    const r = low + (high - low) / 2;
    measureEdges(still, moving, r);
    if (now.rate > 0) low = r;
    else high = r;
  }
  return low;
}
