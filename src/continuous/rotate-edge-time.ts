/** How long the distance of a turning edge and a standing one, as last measured, stays above a level. */
import { firstQuarticZero, firstZero, turnOn } from './half-angle.ts';
import { at, measureEdges, rateAt } from './rotate-edge.ts';
import { bar, swing } from './rotate-lines.ts';
import { now, type Still, turn } from './rotate-state.ts';

const quartic = new Float64Array(5);
/** The magnitudes that its coefficients are sums of. */
const parts = new Float64Array(5);

/** Writes N² - level² |u × w|², times (1 + r²)², of the lines as they turn on from now. */
function writeQuartic(level: number): void {
  const { kx, ky, kz } = turn;
  const { rise, bend } = at;
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
  const a0 = Math.abs(at.value);
  const a1 = Math.abs(n1);
  const a2 = a0 + 2 * Math.abs(bend);
  const b0 = Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
  const b1 = Math.abs(x1) + Math.abs(y1) + Math.abs(z1);
  const b2 = b0 + Math.abs(x2) + Math.abs(y2) + Math.abs(z2);
  parts[0] = a0 * a0 + l * b0 * b0;
  parts[1] = 2 * (a0 * a1 + l * b0 * b1);
  parts[2] = a1 * a1 + 2 * a0 * a2 + l * (b1 * b1 + 2 * b0 * b2);
  parts[3] = 2 * (a1 * a2 + l * b1 * b2);
  parts[4] = a2 * a2 + l * b2 * b2;
}

/** The rest of the piece, as the tangent of half its angle; a little more. */
const rest = (): number => ((turn.best - now.r) / (1 + turn.best * now.r)) * 1.0000001;

/** Up to when the edges are farther from each other than `level`, which is less than `now.gap`. */
export function edgesStayAbove(level: number): number {
  const margin = now.gap - level;
  // No point of the edge moves faster than this.
  let r = margin / (2 * swing.reach);
  const { rise, bend } = at;
  if (level <= 0) {
    // Touching from the start: a rounding beyond the other side, whatever the angle of the lines.
    const side = turn.side;
    if (now.valid) r = Math.max(r, firstZero(side * at.value - level * at.across, side * rise, side * bend));
  } else if (Math.abs(at.value) > level * at.across) {
    r = Math.max(r, linesStayAbove(level));
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

/** Numerators of functions of the angle (over 1 + r²) of the lines as they turn on from now. */
const trig = { d0: 0.5, d1: 0.5, d2: 0.5, e0: 0.5, e1: 0.5, e2: 0.5, g0: 0.5, g1: 0.5, g2: 0.5 };

/** D = u · d, E = u · w and G = w · d, where d leads from the start of the standing edge to that of the turning one. */
function writeTrig(): void {
  const { kx, ky, kz } = turn;
  const { ux, uy, uz } = at;
  const { wx, wy, wz } = bar;
  const dx = at.ax - bar.ax;
  const dy = at.ay - bar.ay;
  const dz = at.az - bar.az;
  const mx = bar.ax - turn.ox;
  const my = bar.ay - turn.oy;
  const mz = bar.az - turn.oz;
  const x = at.ax - turn.ox;
  const y = at.ay - turn.oy;
  const z = at.az - turn.oz;
  // How direction and start turn: axis × each; and what of each is upright on the axis.
  const cx = ky * uz - kz * uy;
  const cy = kz * ux - kx * uz;
  const cz = kx * uy - ky * ux;
  const uk = kx * ux + ky * uy + kz * uz;
  const xk = kx * x + ky * y + kz * z;
  const wk = kx * wx + ky * wy + kz * wz;
  trig.d0 = ux * dx + uy * dy + uz * dz;
  trig.d1 = -2 * (cx * mx + cy * my + cz * mz);
  trig.d2 = trig.d0 + 2 * (ux * mx + uy * my + uz * mz - uk * (kx * mx + ky * my + kz * mz));
  trig.e0 = ux * wx + uy * wy + uz * wz;
  trig.e1 = 2 * (cx * wx + cy * wy + cz * wz);
  trig.e2 = trig.e0 - 2 * (trig.e0 - uk * wk);
  trig.g0 = wx * dx + wy * dy + wz * dz;
  trig.g1 = 2 * (wx * (ky * z - kz * y) + wy * (kz * x - kx * z) + wz * (kx * y - ky * x));
  trig.g2 = trig.g0 - 2 * (wx * x + wy * y + wz * z - xk * wk);
}

/** Adds `scale` times the product of two such functions to the quartic. */
function addProduct(
  scale: number,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): void {
  quartic[0] = quartic[0]! + scale * a0 * b0;
  quartic[1] = quartic[1]! + scale * (a0 * b1 + a1 * b0);
  quartic[2] = quartic[2]! + scale * (a0 * b2 + a1 * b1 + a2 * b0);
  quartic[3] = quartic[3]! + scale * (a1 * b2 + a2 * b1);
  quartic[4] = quartic[4]! + scale * a2 * b2;
  const s0 = Math.abs(scale * a0);
  const s1 = Math.abs(scale * a1);
  const s2 = Math.abs(scale * a2);
  const t0 = Math.abs(b0);
  const t1 = Math.abs(b1);
  const t2 = Math.abs(b2);
  parts[0] = parts[0]! + s0 * t0;
  parts[1] = parts[1]! + (s0 * t1 + s1 * t0);
  parts[2] = parts[2]! + (s0 * t2 + s1 * t1 + s2 * t0);
  parts[3] = parts[3]! + (s1 * t2 + s2 * t1);
  parts[4] = parts[4]! + s2 * t2;
}

/**
 * Edges that do not cross are left to their ends: when the lines are nearest at a place on both, at the earliest. The time of
 * `now` if that cannot be told. Along the turning edge the place is (E G - D) / |u × w|², along the other one
 * (G - D E) / |u × w|², with |u × w|² = 1 - E².
 */
export function edgesMayCross(): number {
  writeTrig();
  const { d0, d1, d2, e0, e1, e2, g0, g1, g2 } = trig;
  const acrossSq = at.across * at.across;
  const margin = 2 * turn.tolerance;
  const along = e0 * g0 - d0;
  const over = g0 - d0 * e0;
  // By how much it is before the start or behind the end of either, times |u × w|²: the most of that.
  const before = -along;
  const behind = along - swing.length * acrossSq;
  const under = -over;
  const beyond = over - bar.length * acrossSq;
  const most = Math.max(before, behind, under, beyond);
  if (!(most > margin)) return now.r;
  quartic.fill(0);
  parts.fill(0);
  const side = most === before || most === under ? -1 : 1;
  if (most === before || most === behind) {
    addProduct(side, e0, e1, e2, g0, g1, g2);
    addProduct(-side, d0, d1, d2, 1, 0, 1);
  } else {
    addProduct(side, g0, g1, g2, 1, 0, 1);
    addProduct(-side, d0, d1, d2, e0, e1, e2);
  }
  if (side > 0) {
    const length = most === behind ? swing.length : bar.length;
    addProduct(-length, 1, 0, 1, 1, 0, 1);
    addProduct(length, e0, e1, e2, e0, e1, e2);
  }
  addProduct(-margin, 1, 0, 1, 1, 0, 1);
  return turnOn(now.r, firstQuarticZero(quartic, parts, rest()));
}

/** Lines nearer than so many times the level: squares of their product and of the level can be compared. */
const FAR = 1048576; // 2^20

/** Up to when the lines, whose distance is more than `level`, are that far from each other. */
function linesStayAbove(level: number): number {
  const { value, rise, bend } = at;
  // Too far for the quartic, in which the level would be lost to rounding; and so far that the angle does not matter.
  if (value > FAR * level) return firstZero(value - level, rise, bend);
  if (value < -FAR * level) return firstZero(-value - level, -rise, -bend);
  writeQuartic(level);
  return quarticZero(level);
}

/**
 * The first zero of the quartic, or the end of the time in which it can be trusted. Of lines that are nearly parallel at some
 * time it is lost in rounding, but for a time that is as short as they are near to it.
 */
function quarticZero(level: number): number {
  const limit = (FAR * level) / (2 * (Math.abs(at.rise) + Math.abs(at.bend)));
  let end = rest();
  if (!(limit < end)) {
    const zero = firstQuarticZero(quartic, parts, end);
    if (zero > 0) return zero;
    end /= 16;
  } else end = limit;
  for (let k = 0; k < 12; k++, end /= 16) {
    const zero = Math.min(end, firstQuarticZero(quartic, parts, end));
    if (zero > 0) return zero;
  }
  return 0;
}

/**
 * The zero-gap time: when the lines as last measured meet. van Waveren 2005, §2.5. Whether the edges do is to be measured
 * there.
 */
export function linesMeet(): number {
  const side = at.value < 0 ? -1 : 1;
  return turnOn(now.r, firstZero(side * at.value, side * at.rise, side * at.bend));
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
  const leaves = turnOn(now.r, quarticZero(level));
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
