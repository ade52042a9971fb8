/** Where in a simplex a point lies. RTCD §9.5.3. */
import { EPS64 } from '../math/float.ts';
import type { ReadonlyVec3 } from '../math/types.ts';

const ROUNDS = 4;

/**
 * Improves weights that were meant to make `target` of the points in slots 0 … count - 1: of a thin simplex they may make
 * something far from it. What they make is closer to the target than the corners are, and by as much are the errors of
 * solving for the rest smaller, time and again. Or an edge has a better point, if there is not enough of the rest.
 */
export function refineWeights(
  w: Float64Array,
  count: number,
  weights: Float64Array,
  target: ReadonlyVec3,
): void {
  if (count < 3) return;
  const { x: gx, y: gy, z: gz } = target;
  const px = w[0]!;
  const py = w[1]!;
  const pz = w[2]!;
  const dx = w[3]! - px;
  const dy = w[4]! - py;
  const dz = w[5]! - pz;
  const ex = w[6]! - px;
  const ey = w[7]! - py;
  const ez = w[8]! - pz;
  const nx = dy * ez - dz * ey;
  const ny = dz * ex - dx * ez;
  const nz = dx * ey - dy * ex;
  // A triangle has a perpendicular for a third edge, which gets no weight.
  const fx = count === 4 ? w[9]! - px : nx;
  const fy = count === 4 ? w[10]! - py : ny;
  const fz = count === 4 ? w[11]! - pz : nz;
  const volume = fx * nx + fy * ny + fz * nz;
  let s = weights[1]!;
  let t = weights[2]!;
  let u = count === 4 ? weights[3]! : 0;
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const rx = gx - px - s * dx - t * ex - u * fx;
    const ry = gy - py - s * dy - t * ey - u * fy;
    const rz = gz - pz - s * dz - t * ez - u * fz;
    const sq = rx * rx + ry * ry + rz * rz;
    if (!(sq < least)) break;
    least = sq;
    weights[0] = Math.max(0, 1 - s - t - u);
    weights[1] = s;
    weights[2] = t;
    if (count === 4) weights[3] = u;
    // The rest r is to be made of d, e and f: by r·(e x f) / d·(e x f) of d and so on.
    s += (rx * (ey * fz - ez * fy) + ry * (ez * fx - ex * fz) + rz * (ex * fy - ey * fx)) / volume;
    t += (rx * (fy * dz - fz * dy) + ry * (fz * dx - fx * dz) + rz * (fx * dy - fy * dx)) / volume;
    if (count === 4) u += (rx * nx + ry * ny + rz * nz) / volume;
    s = Math.min(Math.max(s, 0), 1);
    t = Math.min(Math.max(t, 0), 1 - s);
    u = Math.min(Math.max(u, 0), 1 - s - t);
  }
  const size = Math.abs(px) + Math.abs(py) + Math.abs(pz) + Math.abs(gx) + Math.abs(gy) + Math.abs(gz);
  if (least <= EPS64 * EPS64 * size * size) return;
  for (let i = 1; i < count; i++)
    for (let j = 0; j < i; j++) {
      const ax = w[3 * i]!;
      const ay = w[3 * i + 1]!;
      const az = w[3 * i + 2]!;
      const bx = w[3 * j]! - ax;
      const by = w[3 * j + 1]! - ay;
      const bz = w[3 * j + 2]! - az;
      const whole = bx * bx + by * by + bz * bz;
      const along = (gx - ax) * bx + (gy - ay) * by + (gz - az) * bz;
      const k = along > 0 ? (along < whole ? along / whole : 1) : 0;
      const rx = gx - ax - k * bx;
      const ry = gy - ay - k * by;
      const rz = gz - az - k * bz;
      const sq = rx * rx + ry * ry + rz * rz;
      if (!(sq < least)) continue;
      least = sq;
      for (let l = 0; l < count; l++) weights[l] = l === i ? 1 - k : l === j ? k : 0;
    }
}
