/** A turning edge and a standing one at one time: their distance, and whether they face each other. */
import { EDGE } from './job.ts';
import { isInCone } from './rotate-edge-cone.ts';
import { bar, swing } from './rotate-lines.ts';
import { isAhead, middle, now, type Still, turn } from './rotate-state.ts';

const D = 0.5;

/** The turning edge at the time of `now`. */
export const at = {
  ax: D,
  ay: D,
  az: D,
  bx: D,
  by: D,
  bz: D,
  ux: D,
  uy: D,
  uz: D,
  /** u × w and its length. */
  vx: D,
  vy: D,
  vz: D,
  across: D,
  /** The product of both lines, N = (p - q) · (u × w), and its change: N + rise sin α - bend (1 - cos α). */
  value: D,
  rise: D,
  bend: D,
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
  now.kind = EDGE;
  now.feature = bar.edge;
  now.isBack = false;
  // Parallel edges, but for rounding, are left to their ends.
  const isCrossing = across * Math.max(swing.length, bar.length) > 8 * turn.tolerance;
  if (isCrossing) {
    const d = 1 / (across * across);
    const s = -d * (vx * (dy * wz - dz * wy) + vy * (dz * wx - dx * wz) + vz * (dx * wy - dy * wx));
    const t = -d * (vx * (dy * uz - dz * uy) + vy * (dz * ux - dx * uz) + vz * (dx * uy - dy * ux));
    const margin = turn.tolerance / across;
    if (s >= -margin && s <= swing.length + margin && t >= -margin && t <= bar.length + margin) {
      now.isInside = true;
      if (crossing(still, moving, s)) return;
    }
  }
  now.isInside = false;
  nearestEnds();
}

/** The lines are nearest inside of both edges, at about s along the turning one. False if that is so on paper only. */
function crossing(still: Still, moving: Still, near: number): boolean {
  // Of nearly parallel lines both places are wrong, and not by the same. From each other they are right.
  const { wx, wy, wz } = bar;
  const { ux, uy, uz } = at;
  const dx0 = at.ax - bar.ax;
  const dy0 = at.ay - bar.ay;
  const dz0 = at.az - bar.az;
  const t = between((dx0 + near * ux) * wx + (dy0 + near * uy) * wy + (dz0 + near * uz) * wz, bar.length);
  const s = between((t * wx - dx0) * ux + (t * wy - dy0) * uy + (t * wz - dz0) * uz, swing.length);
  const x = at.ax + s * at.ux;
  const y = at.ay + s * at.uy;
  const z = at.az + s * at.uz;
  const qx = bar.ax + t * bar.wx;
  const qy = bar.ay + t * bar.wy;
  const qz = bar.az + t * bar.wz;
  now.x = x;
  now.y = y;
  now.z = z;
  now.qx = qx;
  now.qy = qy;
  now.qz = qz;
  const dx = x - qx;
  const dy = y - qy;
  const dz = z - qz;
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  setProduct();
  // Nearly parallel ones may be behind each other's ends, and then farther apart than their lines.
  const isEnd = s === 0 || s === swing.length || t === 0 || t === bar.length;
  if (isEnd && distance > Math.abs(at.value) / at.across + turn.touch) return false;
  const isTouch = distance <= turn.touch;
  const side = turn.side !== 0 ? turn.side : isTouch ? touchingSide(still, moving, s) : at.value < 0 ? -1 : 1;
  if (isTouch || UNIT_ERROR * distance < turn.tolerance * at.across) {
    const sign = side / at.across;
    setDirection(still, moving, sign * at.vx, sign * at.vy, sign * at.vz);
    now.gap = isTouch ? sign * at.value : side * at.value < 0 ? -distance : distance;
    if (turn.side === 0 && now.gap < 0) now.gap = 0;
  } else {
    // Of nearly parallel lines the common normal is not known well, but the nearest points are.
    const sign = side * at.value < 0 ? -1 / distance : 1 / distance;
    setDirection(still, moving, sign * dx, sign * dy, sign * dz);
    now.gap = sign < 0 ? -distance : distance;
  }
  now.rate = rateAt(x, y, z);
  const end = (16 * turn.touch) / at.across;
  now.isBlocked =
    isTouch && !now.valid && s > end && s < swing.length - end && t > end && t < bar.length - end;
  return true;
}

const between = (x: number, length: number): number => Math.max(0, Math.min(x, length));

/** The rounding of a product of unit vectors. */
const UNIT_ERROR = 8.881784197001252e-16; // 2^-50

/** Sets the direction from the standing edge to the turning one, and whether both face each other along it. */
function setDirection(still: Still, moving: Still, nx: number, ny: number, nz: number): void {
  now.nx = nx;
  now.ny = ny;
  now.nz = nz;
  const { kx, ky, kz } = turn;
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

/** On which side of the standing line the turning one is where they meet: as the faces there allow, or its distance says, or where its body is. */
function touchingSide(still: Still, moving: Still, s: number): number {
  const d = 1 / at.across;
  setDirection(still, moving, d * at.vx, d * at.vy, d * at.vz);
  const front = now.valid;
  setDirection(still, moving, -d * at.vx, -d * at.vy, -d * at.vz);
  if (front !== now.valid) return front ? 1 : -1;
  if (Math.abs(at.value) > 0.25 * turn.tolerance * at.across) return at.value < 0 ? -1 : 1;
  // As seen from the start.
  const { kx, ky, kz } = turn;
  const { vx, vy, vz } = at;
  const along = vx * kx + vy * ky + vz * kz;
  const sx = vx - at.sine * (ky * vz - kz * vy) - at.versine * (vx - along * kx);
  const sy = vy - at.sine * (kz * vx - kx * vz) - at.versine * (vy - along * ky);
  const sz = vz - at.sine * (kx * vy - ky * vx) - at.versine * (vz - along * kz);
  const x = middle.x - swing.ax - s * swing.ux;
  const y = middle.y - swing.ay - s * swing.uy;
  const z = middle.z - swing.az - s * swing.uz;
  const up = sx * x + sy * y + sz * z;
  if (Math.abs(up) > 4 * turn.touch * at.across) return up > 0 ? 1 : -1;
  return isAhead(vx, vy, vz) ? 1 : -1;
}

/** The side for `turn.side`, as last measured. */
export const sideOfCrossing = (): number => (now.nx * at.vx + now.ny * at.vy + now.nz * at.vz < 0 ? -1 : 1);

const least = { sq: D, x: D, y: D, z: D, dx: D, dy: D, dz: D };

/** The distance of edges that do not cross: an end of one from the other. */
function nearestEnds(): void {
  least.sq = Number.POSITIVE_INFINITY;
  fromBar(at.ax, at.ay, at.az);
  fromBar(at.bx, at.by, at.bz);
  fromSwing(bar.ax, bar.ay, bar.az);
  fromSwing(bar.bx, bar.by, bar.bz);
  const gap = Math.sqrt(least.sq);
  now.gap = gap;
  if (gap > 0) {
    now.nx = least.dx / gap;
    now.ny = least.dy / gap;
    now.nz = least.dz / gap;
  } else {
    // An end on the other edge: any direction across that, or for parallel ones any at all.
    const isAcross = at.across > 0;
    now.nx = isAcross ? at.vx / at.across : 0;
    now.ny = isAcross ? at.vy / at.across : 0;
    now.nz = isAcross ? at.vz / at.across : 1;
  }
  now.x = least.x;
  now.y = least.y;
  now.z = least.z;
  now.qx = now.x - least.dx;
  now.qy = now.y - least.dy;
  now.qz = now.z - least.dz;
  now.rate = rateAt(least.x, least.y, least.z);
  now.valid = false;
  now.isBlocked = false;
  setProduct();
}

/**
 * The product of the lines and how it changes, from the points in `now`: those are near each other, and often near the axis,
 * so that little is lost to rounding even if the lines are nearly parallel.
 */
function setProduct(): void {
  const { kx, ky, kz } = turn;
  const { ux, uy, uz, vx, vy, vz } = at;
  const { wx, wy, wz } = bar;
  const dx = now.x - now.qx;
  const dy = now.y - now.qy;
  const dz = now.z - now.qz;
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = kx * x + ky * y + kz * z;
  // How the point and the direction move: axis × each; and × w for the direction.
  const cx = ky * z - kz * y;
  const cy = kz * x - kx * z;
  const cz = kx * y - ky * x;
  const gx = ky * uz - kz * uy;
  const gy = kz * ux - kx * uz;
  const gz = kx * uy - ky * ux;
  const hx = gy * wz - gz * wy;
  const hy = gz * wx - gx * wz;
  const hz = gx * wy - gy * wx;
  const uk = kx * ux + ky * uy + kz * uz;
  const px = ux - uk * kx;
  const py = uy - uk * ky;
  const pz = uz - uk * kz;
  at.value = dx * vx + dy * vy + dz * vz;
  at.rise = cx * vx + cy * vy + cz * vz + (dx * hx + dy * hy + dz * hz);
  at.bend =
    (x - along * kx) * vx +
    (y - along * ky) * vy +
    (z - along * kz) * vz -
    2 * (cx * hx + cy * hy + cz * hz) +
    (dx * (py * wz - pz * wy) + dy * (pz * wx - px * wz) + dz * (px * wy - py * wx));
}

/** How fast a turning point moves along the direction of `now`. */
export function rateAt(x: number, y: number, z: number): number {
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
