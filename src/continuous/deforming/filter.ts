/**
 * Decides in doubles, with bounds on all rounding, whether two primitives touch while their vertices move in straight lines,
 * and when: almost always. What it cannot decide goes to `exact-contact.ts`, where the volume and the weights are explained.
 *
 * Everything is in Bernstein form over [0, 1], because a polynomial lies between the least and the largest of its Bernstein
 * coefficients, and an error of at most E in each of them moves its values by at most E. The coefficients are made of
 * differences of the points at t = 0 and at t = 1, each rounded once:
 *
 *     r × s:        r(0) × s(0),   ½ (r(0) × s(1) + r(1) × s(0)),   r(1) × s(1)
 *
 * The volume's four are made of these in the same way. Let X, Y, Z be the largest differences along the axes.
 * A coefficient of the volume is a sum of products of one x, one y and one z; counting roundings, it is off by less
 * than 75 u X Y Z (u = 2^-53), and restricting it to a part of [0, 1] adds less than 60 u X Y Z. A weight's component is off
 * by less than 10 u, and 12 u more in a part, times the two of X, Y, Z that it is made of. Twice that is allowed for, and
 * something for products below the range of normal numbers. What overflows compares as undecided.
 *
 *  1. All differences on one side of 0 along an axis: no contact.
 *  2. Two weights, along one axis, whose signs differ throughout: no contact. (Any axis would do; the one along which n is
 *     largest tells most.)
 *  3. The volume is never 0: no contact.
 *  4. [0, 1] is cut into parts: around a root of the volume that Newton's method finds, and beside it. A part goes by 2 or 3.
 *     In a narrow one in which the volume changes its sign, while all weights have one sign, there is a contact; if no
 *     part before it is left, it is the first.
 */

import { productError, sumError } from '../../math/accurate.ts';
import { doubledDeterminant } from '../../math/exact-determinant.ts';

export const MISS = 0;
export const HIT = 1;
export const UNSURE = 2;

/** 256 u and 48 u: see above. */
const VOLUME_ERROR = 2.842170943040401e-14;
const WEIGHT_ERROR = 5.329070518200751e-15;
/** More than what a product can lose by falling below the normal numbers. */
const UNDERFLOW = 1e-306;
/** 2^-45: what is left of the error in twice the precision. 2^-90 of the product of sizes, where about 2^-97 is counted. */
const DOUBLED = 2.842170943040401e-14;
/** How far apart bounds on a time may be, relative to it. */
const TIME_ERROR = 1e-12;
/** Below this, relative to the sizes, a normal has no direction. Then the axis along which things are flattest is taken. */
const PARALLEL = 1e-13;
/** Parts that are looked at before it is left to exact arithmetic. */
const MOST_PARTS = 28;

/** What the quick tests leave to the search for the first root. */
export class Filter {
  /** The time of a hit: not above the exact one, and below it by at most 1e-12 of it. */
  t = 0.5;
  /** The sign of the volume just before. */
  side = 0;
  /** In and out of the functions below: a number that is passed would be boxed. */
  private time = 0.5;
  private value = 0.5;
  private volumeError = 0.5;
  private underflow = 0.5;
  private weightError = 0.5;
  /** The Bernstein coefficients of the volume; 2. */
  private readonly volume = new Float64Array(4);
  /** Those of the component of the weights that is looked at: three for each. */
  private readonly weights = new Float64Array(12);
  /** Ends of the parts of [0, 1] that wait. */
  private readonly parts = new Float64Array(2 * (2 * MOST_PARTS + 4));
  /** 0, or for a narrow part around a root the derivative of the volume there. */
  private readonly slopes = new Float64Array(2 * MOST_PARTS + 4);
  /** The differences at some time, as sums of two doubles. */
  private readonly high = new Float64Array(9);
  private readonly low = new Float64Array(9);

  /**
   * The four points are numbers[at … at + 11] at t = 0 and numbers[at + 12 … at + 23] at t = 1: a vertex, and a face.
   *
   * @returns `MISS`, `HIT` (then `t` is set) or `UNSURE`
   */
  vertexFace(n: Float64Array, at: number): number {
    const px = n[at]!;
    const py = n[at + 1]!;
    const pz = n[at + 2]!;
    const ax = n[at + 3]! - px;
    const bx = n[at + 6]! - px;
    const cx = n[at + 9]! - px;
    const qx = n[at + 12]!;
    const dx = n[at + 15]! - qx;
    const ex = n[at + 18]! - qx;
    const fx = n[at + 21]! - qx;
    if (
      ((ax > 0 ? 1 : 0) &
        (bx > 0 ? 1 : 0) &
        (cx > 0 ? 1 : 0) &
        (dx > 0 ? 1 : 0) &
        (ex > 0 ? 1 : 0) &
        (fx > 0 ? 1 : 0)) |
      ((ax < 0 ? 1 : 0) &
        (bx < 0 ? 1 : 0) &
        (cx < 0 ? 1 : 0) &
        (dx < 0 ? 1 : 0) &
        (ex < 0 ? 1 : 0) &
        (fx < 0 ? 1 : 0))
    )
      return MISS;
    const ay = n[at + 4]! - py;
    const by = n[at + 7]! - py;
    const cy = n[at + 10]! - py;
    const qy = n[at + 13]!;
    const dy = n[at + 16]! - qy;
    const ey = n[at + 19]! - qy;
    const fy = n[at + 22]! - qy;
    if (
      ((ay > 0 ? 1 : 0) &
        (by > 0 ? 1 : 0) &
        (cy > 0 ? 1 : 0) &
        (dy > 0 ? 1 : 0) &
        (ey > 0 ? 1 : 0) &
        (fy > 0 ? 1 : 0)) |
      ((ay < 0 ? 1 : 0) &
        (by < 0 ? 1 : 0) &
        (cy < 0 ? 1 : 0) &
        (dy < 0 ? 1 : 0) &
        (ey < 0 ? 1 : 0) &
        (fy < 0 ? 1 : 0))
    )
      return MISS;
    const az = n[at + 5]! - pz;
    const bz = n[at + 8]! - pz;
    const cz = n[at + 11]! - pz;
    const qz = n[at + 14]!;
    const dz = n[at + 17]! - qz;
    const ez = n[at + 20]! - qz;
    const fz = n[at + 23]! - qz;
    if (
      ((az > 0 ? 1 : 0) &
        (bz > 0 ? 1 : 0) &
        (cz > 0 ? 1 : 0) &
        (dz > 0 ? 1 : 0) &
        (ez > 0 ? 1 : 0) &
        (fz > 0 ? 1 : 0)) |
      ((az < 0 ? 1 : 0) &
        (bz < 0 ? 1 : 0) &
        (cz < 0 ? 1 : 0) &
        (dz < 0 ? 1 : 0) &
        (ez < 0 ? 1 : 0) &
        (fz < 0 ? 1 : 0))
    )
      return MISS;
    const sizeX = Math.max(
      Math.abs(ax),
      Math.abs(bx),
      Math.abs(cx),
      Math.abs(dx),
      Math.abs(ex),
      Math.abs(fx),
    );
    const sizeY = Math.max(
      Math.abs(ay),
      Math.abs(by),
      Math.abs(cy),
      Math.abs(dy),
      Math.abs(ey),
      Math.abs(fy),
    );
    const sizeZ = Math.max(
      Math.abs(az),
      Math.abs(bz),
      Math.abs(cz),
      Math.abs(dz),
      Math.abs(ez),
      Math.abs(fz),
    );

    // The normal at t = ½, four times.
    const ux = bx + ex - ax - dx;
    const uy = by + ey - ay - dy;
    const uz = bz + ez - az - dz;
    const vx = cx + fx - ax - dx;
    const vy = cy + fy - ay - dy;
    const vz = cz + fz - az - dz;
    let nx = Math.abs(uy * vz - uz * vy);
    let ny = Math.abs(uz * vx - ux * vz);
    let nz = Math.abs(ux * vy - uy * vx);
    if (nx + ny + nz <= PARALLEL * (sizeX * sizeY + sizeY * sizeZ + sizeZ * sizeX)) {
      nx = -sizeX;
      ny = -sizeY;
      nz = -sizeZ;
    }
    const isX = nx >= ny && nx >= nz;
    const isY = !isX && ny >= nz;
    // The two other coordinates.
    const au = isX ? ay : isY ? az : ax;
    const av = isX ? az : isY ? ax : ay;
    const bu = isX ? by : isY ? bz : bx;
    const bv = isX ? bz : isY ? bx : by;
    const cu = isX ? cy : isY ? cz : cx;
    const cv = isX ? cz : isY ? cx : cy;
    const du = isX ? dy : isY ? dz : dx;
    const dv = isX ? dz : isY ? dx : dy;
    const eu = isX ? ey : isY ? ez : ex;
    const ev = isX ? ez : isY ? ex : ey;
    const fu = isX ? fy : isY ? fz : fx;
    const fv = isX ? fz : isY ? fx : fy;
    const weightError =
      WEIGHT_ERROR * (isX ? sizeY * sizeZ : isY ? sizeZ * sizeX : sizeX * sizeY) + UNDERFLOW;
    // Weights: b × c, c × a, a × b.
    const p0 = bu * cv - bv * cu;
    const p1 = 0.5 * (bu * fv - bv * fu + (eu * cv - ev * cu));
    const p2 = eu * fv - ev * fu;
    const q0 = cu * av - cv * au;
    const q1 = 0.5 * (cu * dv - cv * du + (fu * av - fv * au));
    const q2 = fu * dv - fv * du;
    const r0 = au * bv - av * bu;
    const r1 = 0.5 * (au * ev - av * eu + (du * bv - dv * bu));
    const r2 = du * ev - dv * eu;
    const w = weightError;
    const isPlus =
      ((p0 > w ? 1 : 0) & (p1 > w ? 1 : 0) & (p2 > w ? 1 : 0)) |
      ((q0 > w ? 1 : 0) & (q1 > w ? 1 : 0) & (q2 > w ? 1 : 0)) |
      ((r0 > w ? 1 : 0) & (r1 > w ? 1 : 0) & (r2 > w ? 1 : 0));
    const isMinus =
      ((p0 < -w ? 1 : 0) & (p1 < -w ? 1 : 0) & (p2 < -w ? 1 : 0)) |
      ((q0 < -w ? 1 : 0) & (q1 < -w ? 1 : 0) & (q2 < -w ? 1 : 0)) |
      ((r0 < -w ? 1 : 0) & (r1 < -w ? 1 : 0) & (r2 < -w ? 1 : 0));
    if (isPlus & isMinus) return MISS;

    // The volume (a × b) · c.
    const ox = ay * bz - az * by;
    const oy = az * bx - ax * bz;
    const oz = ax * by - ay * bx;
    const mx = ay * ez - az * ey + (dy * bz - dz * by);
    const my = az * ex - ax * ez + (dz * bx - dx * bz);
    const mz = ax * ey - ay * ex + (dx * by - dy * bx);
    const ix = dy * ez - dz * ey;
    const iy = dz * ex - dx * ez;
    const iz = dx * ey - dy * ex;
    const v0 = ox * cx + oy * cy + oz * cz;
    const v1 = (ox * fx + oy * fy + oz * fz + (mx * cx + my * cy + mz * cz)) * (1 / 3);
    const v2 = (ix * cx + iy * cy + iz * cz + (mx * fx + my * fy + mz * fz)) * (1 / 3);
    const v3 = ix * fx + iy * fy + iz * fz;
    const underflow = UNDERFLOW * (1 + sizeX + sizeY + sizeZ);
    const e = VOLUME_ERROR * (sizeX * sizeY * sizeZ) + underflow;
    if (
      ((v0 > e ? 1 : 0) & (v1 > e ? 1 : 0) & (v2 > e ? 1 : 0) & (v3 > e ? 1 : 0)) |
      ((v0 < -e ? 1 : 0) & (v1 < -e ? 1 : 0) & (v2 < -e ? 1 : 0) & (v3 < -e ? 1 : 0))
    )
      return MISS;
    const { volume, weights } = this;
    this.volumeError = e;
    this.underflow = underflow;
    this.weightError = weightError;
    volume[0] = v0;
    volume[1] = v1;
    volume[2] = v2;
    volume[3] = v3;
    weights[0] = p0;
    weights[1] = p1;
    weights[2] = p2;
    weights[3] = q0;
    weights[4] = q1;
    weights[5] = q2;
    weights[6] = r0;
    weights[7] = r1;
    weights[8] = r2;
    return this.search(n, at, 9);
  }

  /**
   * The same for two edges.
   *
   * @returns `MISS`, `HIT` (then `t` is set) or `UNSURE`
   */
  edgeEdge(n: Float64Array, at: number): number {
    // Differences a = a0 - b0, b = a1 - b0, c = a0 - b1, d = a1 - b1; e, f, g, h are the same at t = 1.
    const ax = n[at]! - n[at + 6]!;
    const bx = n[at + 3]! - n[at + 6]!;
    const cx = n[at]! - n[at + 9]!;
    const dx = n[at + 3]! - n[at + 9]!;
    const ex = n[at + 12]! - n[at + 18]!;
    const fx = n[at + 15]! - n[at + 18]!;
    const gx = n[at + 12]! - n[at + 21]!;
    const hx = n[at + 15]! - n[at + 21]!;
    if (
      ((ax > 0 ? 1 : 0) &
        (bx > 0 ? 1 : 0) &
        (cx > 0 ? 1 : 0) &
        (dx > 0 ? 1 : 0) &
        (ex > 0 ? 1 : 0) &
        (fx > 0 ? 1 : 0) &
        (gx > 0 ? 1 : 0) &
        (hx > 0 ? 1 : 0)) |
      ((ax < 0 ? 1 : 0) &
        (bx < 0 ? 1 : 0) &
        (cx < 0 ? 1 : 0) &
        (dx < 0 ? 1 : 0) &
        (ex < 0 ? 1 : 0) &
        (fx < 0 ? 1 : 0) &
        (gx < 0 ? 1 : 0) &
        (hx < 0 ? 1 : 0))
    )
      return MISS;
    const ay = n[at + 1]! - n[at + 7]!;
    const by = n[at + 4]! - n[at + 7]!;
    const cy = n[at + 1]! - n[at + 10]!;
    const dy = n[at + 4]! - n[at + 10]!;
    const ey = n[at + 13]! - n[at + 19]!;
    const fy = n[at + 16]! - n[at + 19]!;
    const gy = n[at + 13]! - n[at + 22]!;
    const hy = n[at + 16]! - n[at + 22]!;
    if (
      ((ay > 0 ? 1 : 0) &
        (by > 0 ? 1 : 0) &
        (cy > 0 ? 1 : 0) &
        (dy > 0 ? 1 : 0) &
        (ey > 0 ? 1 : 0) &
        (fy > 0 ? 1 : 0) &
        (gy > 0 ? 1 : 0) &
        (hy > 0 ? 1 : 0)) |
      ((ay < 0 ? 1 : 0) &
        (by < 0 ? 1 : 0) &
        (cy < 0 ? 1 : 0) &
        (dy < 0 ? 1 : 0) &
        (ey < 0 ? 1 : 0) &
        (fy < 0 ? 1 : 0) &
        (gy < 0 ? 1 : 0) &
        (hy < 0 ? 1 : 0))
    )
      return MISS;
    const az = n[at + 2]! - n[at + 8]!;
    const bz = n[at + 5]! - n[at + 8]!;
    const cz = n[at + 2]! - n[at + 11]!;
    const dz = n[at + 5]! - n[at + 11]!;
    const ez = n[at + 14]! - n[at + 20]!;
    const fz = n[at + 17]! - n[at + 20]!;
    const gz = n[at + 14]! - n[at + 23]!;
    const hz = n[at + 17]! - n[at + 23]!;
    if (
      ((az > 0 ? 1 : 0) &
        (bz > 0 ? 1 : 0) &
        (cz > 0 ? 1 : 0) &
        (dz > 0 ? 1 : 0) &
        (ez > 0 ? 1 : 0) &
        (fz > 0 ? 1 : 0) &
        (gz > 0 ? 1 : 0) &
        (hz > 0 ? 1 : 0)) |
      ((az < 0 ? 1 : 0) &
        (bz < 0 ? 1 : 0) &
        (cz < 0 ? 1 : 0) &
        (dz < 0 ? 1 : 0) &
        (ez < 0 ? 1 : 0) &
        (fz < 0 ? 1 : 0) &
        (gz < 0 ? 1 : 0) &
        (hz < 0 ? 1 : 0))
    )
      return MISS;
    const sizeX = Math.max(
      Math.max(Math.abs(ax), Math.abs(bx), Math.abs(cx), Math.abs(dx)),
      Math.max(Math.abs(ex), Math.abs(fx), Math.abs(gx), Math.abs(hx)),
    );
    const sizeY = Math.max(
      Math.max(Math.abs(ay), Math.abs(by), Math.abs(cy), Math.abs(dy)),
      Math.max(Math.abs(ey), Math.abs(fy), Math.abs(gy), Math.abs(hy)),
    );
    const sizeZ = Math.max(
      Math.max(Math.abs(az), Math.abs(bz), Math.abs(cz), Math.abs(dz)),
      Math.max(Math.abs(ez), Math.abs(fz), Math.abs(gz), Math.abs(hz)),
    );

    // The normal at t = ½, four times.
    const ux = bx + fx - ax - ex;
    const uy = by + fy - ay - ey;
    const uz = bz + fz - az - ez;
    const vx = cx + gx - ax - ex;
    const vy = cy + gy - ay - ey;
    const vz = cz + gz - az - ez;
    let nx = Math.abs(uy * vz - uz * vy);
    let ny = Math.abs(uz * vx - ux * vz);
    let nz = Math.abs(ux * vy - uy * vx);
    if (nx + ny + nz <= PARALLEL * (sizeX * sizeY + sizeY * sizeZ + sizeZ * sizeX)) {
      nx = -sizeX;
      ny = -sizeY;
      nz = -sizeZ;
    }
    const isX = nx >= ny && nx >= nz;
    const isY = !isX && ny >= nz;
    const au = isX ? ay : isY ? az : ax;
    const av = isX ? az : isY ? ax : ay;
    const bu = isX ? by : isY ? bz : bx;
    const bv = isX ? bz : isY ? bx : by;
    const cu = isX ? cy : isY ? cz : cx;
    const cv = isX ? cz : isY ? cx : cy;
    const du = isX ? dy : isY ? dz : dx;
    const dv = isX ? dz : isY ? dx : dy;
    const eu = isX ? ey : isY ? ez : ex;
    const ev = isX ? ez : isY ? ex : ey;
    const fu = isX ? fy : isY ? fz : fx;
    const fv = isX ? fz : isY ? fx : fy;
    const gu = isX ? gy : isY ? gz : gx;
    const gv = isX ? gz : isY ? gx : gy;
    const hu = isX ? hy : isY ? hz : hx;
    const hv = isX ? hz : isY ? hx : hy;
    const weightError =
      WEIGHT_ERROR * (isX ? sizeY * sizeZ : isY ? sizeZ * sizeX : sizeX * sizeY) + UNDERFLOW;
    // Weights: b × a, c × d, a × c, d × b.
    const p0 = bu * av - bv * au;
    const p1 = 0.5 * (bu * ev - bv * eu + (fu * av - fv * au));
    const p2 = fu * ev - fv * eu;
    const q0 = cu * dv - cv * du;
    const q1 = 0.5 * (cu * hv - cv * hu + (gu * dv - gv * du));
    const q2 = gu * hv - gv * hu;
    const r0 = au * cv - av * cu;
    const r1 = 0.5 * (au * gv - av * gu + (eu * cv - ev * cu));
    const r2 = eu * gv - ev * gu;
    const s0 = du * bv - dv * bu;
    const s1 = 0.5 * (du * fv - dv * fu + (hu * bv - hv * bu));
    const s2 = hu * fv - hv * fu;
    const w = weightError;
    const isPlus =
      ((p0 > w ? 1 : 0) & (p1 > w ? 1 : 0) & (p2 > w ? 1 : 0)) |
      ((q0 > w ? 1 : 0) & (q1 > w ? 1 : 0) & (q2 > w ? 1 : 0)) |
      ((r0 > w ? 1 : 0) & (r1 > w ? 1 : 0) & (r2 > w ? 1 : 0)) |
      ((s0 > w ? 1 : 0) & (s1 > w ? 1 : 0) & (s2 > w ? 1 : 0));
    const isMinus =
      ((p0 < -w ? 1 : 0) & (p1 < -w ? 1 : 0) & (p2 < -w ? 1 : 0)) |
      ((q0 < -w ? 1 : 0) & (q1 < -w ? 1 : 0) & (q2 < -w ? 1 : 0)) |
      ((r0 < -w ? 1 : 0) & (r1 < -w ? 1 : 0) & (r2 < -w ? 1 : 0)) |
      ((s0 < -w ? 1 : 0) & (s1 < -w ? 1 : 0) & (s2 < -w ? 1 : 0));
    if (isPlus & isMinus) return MISS;

    // The volume (a × b) · c.
    const ox = ay * bz - az * by;
    const oy = az * bx - ax * bz;
    const oz = ax * by - ay * bx;
    const mx = ay * fz - az * fy + (ey * bz - ez * by);
    const my = az * fx - ax * fz + (ez * bx - ex * bz);
    const mz = ax * fy - ay * fx + (ex * by - ey * bx);
    const ix = ey * fz - ez * fy;
    const iy = ez * fx - ex * fz;
    const iz = ex * fy - ey * fx;
    const v0 = ox * cx + oy * cy + oz * cz;
    const v1 = (ox * gx + oy * gy + oz * gz + (mx * cx + my * cy + mz * cz)) * (1 / 3);
    const v2 = (ix * cx + iy * cy + iz * cz + (mx * gx + my * gy + mz * gz)) * (1 / 3);
    const v3 = ix * gx + iy * gy + iz * gz;
    const underflow = UNDERFLOW * (1 + sizeX + sizeY + sizeZ);
    const e = VOLUME_ERROR * (sizeX * sizeY * sizeZ) + underflow;
    if (
      ((v0 > e ? 1 : 0) & (v1 > e ? 1 : 0) & (v2 > e ? 1 : 0) & (v3 > e ? 1 : 0)) |
      ((v0 < -e ? 1 : 0) & (v1 < -e ? 1 : 0) & (v2 < -e ? 1 : 0) & (v3 < -e ? 1 : 0))
    )
      return MISS;
    const { volume, weights } = this;
    this.volumeError = e;
    this.underflow = underflow;
    this.weightError = weightError;
    volume[0] = v0;
    volume[1] = v1;
    volume[2] = v2;
    volume[3] = v3;
    weights[0] = p0;
    weights[1] = p1;
    weights[2] = p2;
    weights[3] = q0;
    weights[4] = q1;
    weights[5] = q2;
    weights[6] = r0;
    weights[7] = r1;
    weights[8] = r2;
    weights[9] = s0;
    weights[10] = s1;
    weights[11] = s2;
    return this.search(n, at, 12);
  }

  /** The first root of the volume at which the weights agree. `end`: of the weights in use. */
  private search(n: Float64Array, at: number, end: number): number {
    const { volume, parts, slopes, volumeError } = this;
    const v0 = volume[0]!;
    const v1 = volume[1]!;
    const v2 = volume[2]!;
    const v3 = volume[3]!;
    parts[0] = 0;
    parts[1] = 1;
    slopes[0] = 0;
    let top = 1;
    // Each part puts at most three in its place: the stack holds two for each that was looked at.
    for (let count = 0; top > 0; count++) {
      if (count === MOST_PARTS) return UNSURE;
      top--;
      const s = parts[2 * top]!;
      const e = parts[2 * top + 1]!;
      const agreement = this.agreement(top, end);
      if (agreement === MISS) continue;
      if (slopes[top] !== 0) {
        if (agreement === UNSURE) return UNSURE;
        this.t = s;
        this.side = slopes[top]! > 0 ? -1 : 1;
        return e - s <= TIME_ERROR * s ? HIT : this.refine(n, at, end, top);
      }
      // The Bernstein coefficients over [s, e]: all ways to put s or e in the place of three times t.
      const S = 1 - s;
      const E = 1 - e;
      const a0 = S * v0 + s * v1;
      const a1 = S * v1 + s * v2;
      const a2 = S * v2 + s * v3;
      const c0 = E * v0 + e * v1;
      const c1 = E * v1 + e * v2;
      const c2 = E * v2 + e * v3;
      const b0 = S * (S * a0 + s * a1) + s * (S * a1 + s * a2);
      const b1 = E * (S * a0 + s * a1) + e * (S * a1 + s * a2);
      const b2 = E * (E * a0 + e * a1) + e * (E * a1 + e * a2);
      const b3 = E * (E * c0 + e * c1) + e * (E * c1 + e * c2);
      if (b0 > volumeError && b1 > volumeError && b2 > volumeError && b3 > volumeError) continue;
      if (b0 < -volumeError && b1 < -volumeError && b2 < -volumeError && b3 < -volumeError) continue;
      const isFalling = b0 > volumeError && b3 < -volumeError;
      if (!isFalling && !(b0 < -volumeError && b3 > volumeError)) {
        if (!(e - s > 1e-6)) return UNSURE;
        const middle = 0.5 * (s + e);
        parts[2 * top] = middle;
        parts[2 * top + 1] = e;
        slopes[top++] = 0;
        parts[2 * top] = s;
        parts[2 * top + 1] = middle;
        slopes[top++] = 0;
        continue;
      }
      // About the root, by Newton's method in x over [s, e].
      const k1 = 3 * (b1 - b0);
      const k2 = 3 * (b2 - 2 * b1 + b0);
      const k3 = b3 - b0 - 3 * (b2 - b1);
      let low = 0;
      let high = 1;
      let x = b0 / (b0 - b3);
      let slope = 0;
      for (let i = 0; i < 40; i++) {
        const value = ((k3 * x + k2) * x + k1) * x + b0;
        slope = (3 * k3 * x + 2 * k2) * x + k1;
        if (value > 0 === isFalling) low = x;
        else high = x;
        let next = x - value / slope;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        const step = Math.abs(next - x);
        x = next;
        if (step <= 2e-16 * x) break;
      }
      const root = s + x * (e - s);
      const width = (2.5 * volumeError * (e - s)) / Math.abs(slope) + 4e-16 * root;
      // The signs at s and e are known.
      const from = Math.max(root - width, s);
      const to = Math.min(root + width, e);
      this.time = from;
      this.volumeAtTime();
      const fromValue = this.value;
      this.time = to;
      this.volumeAtTime();
      const toValue = this.value;
      if (
        isFalling
          ? !(fromValue > volumeError && toValue < -volumeError)
          : !(fromValue < -volumeError && toValue > volumeError)
      )
        return UNSURE;
      parts[2 * top] = to;
      parts[2 * top + 1] = e;
      slopes[top++] = 0;
      parts[2 * top] = from;
      parts[2 * top + 1] = to;
      slopes[top++] = slope / (e - s);
      parts[2 * top] = s;
      parts[2 * top + 1] = from;
      slopes[top++] = 0;
    }
    return MISS;
  }

  /** A root is in the part: when exactly? In twice the precision. */
  private refine(n: Float64Array, at: number, end: number, part: number): number {
    const { parts, slopes } = this;
    const s = parts[2 * part]!;
    const e = parts[2 * part + 1]!;
    const slope = slopes[part]!;
    const error = this.volumeError * DOUBLED + this.underflow;
    this.time = 0.5 * (s + e);
    for (let i = 0; i < 3; i++) {
      this.doubledVolume(n, at, end);
      const step = this.value / slope;
      this.time -= step;
      if (Math.abs(step) < 1e-16 * this.time) break;
    }
    const from = this.time * (1 - 4e-16);
    const to = this.time * (1 + 4e-16);
    if (!(from > s && to < e)) return UNSURE;
    this.t = from;
    this.time = from;
    this.doubledVolume(n, at, end);
    const before = slope > 0 ? -this.value : this.value;
    this.time = to;
    this.doubledVolume(n, at, end);
    const after = slope > 0 ? this.value : -this.value;
    return before > error && after > error ? HIT : UNSURE;
  }

  /** The volume at `time`, off by less than 2^-90 of the product of the largest differences. */
  private doubledVolume(n: Float64Array, at: number, end: number): void {
    const { high, low, time: t } = this;
    const isFace = end === 9;
    for (let i = 0; i < 9; i++) {
      // Differences: of points 1, 2, 3 and 0; or of 0 and 2, 1 and 2, 0 and 3.
      const first = at + (isFace ? i + 3 : i < 6 ? i : i - 6);
      const second = at + (isFace ? i % 3 : i < 6 ? 6 + (i % 3) : i + 3);
      const start = n[first]! - n[second]!;
      const startRest = sumError(n[first]!, -n[second]!, start);
      const finish = n[first + 12]! - n[second + 12]!;
      const finishRest = sumError(n[first + 12]!, -n[second + 12]!, finish);
      const change = finish - start;
      const changeRest = sumError(finish, -start, change) + (finishRest - startRest);
      const moved = change * t;
      const movedRest = productError(change, t, moved) + changeRest * t;
      const sum = start + moved;
      const rest = sumError(start, moved, sum) + (startRest + movedRest);
      high[i] = sum + rest;
      low[i] = rest - (high[i]! - sum);
    }
    this.value = doubledDeterminant(high, low);
  }

  private volumeAtTime(): void {
    const { volume, time: t } = this;
    const T = 1 - t;
    const a0 = T * volume[0]! + t * volume[1]!;
    const a1 = T * volume[1]! + t * volume[2]!;
    const a2 = T * volume[2]! + t * volume[3]!;
    this.value = T * (T * a0 + t * a1) + t * (T * a1 + t * a2);
  }

  /** Over a part: `MISS` if two weights have different signs, `HIT` if all have the same, `UNSURE` else. */
  private agreement(part: number, end: number): number {
    const { weights, weightError, parts } = this;
    const s = parts[2 * part]!;
    const e = parts[2 * part + 1]!;
    const S = 1 - s;
    const E = 1 - e;
    let plus = 0;
    let minus = 0;
    for (let i = 0; i < end; i += 3) {
      const w0 = weights[i]!;
      const w1 = weights[i + 1]!;
      const w2 = weights[i + 2]!;
      const a = S * w0 + s * w1;
      const b = S * w1 + s * w2;
      const b0 = S * a + s * b;
      const b1 = E * a + e * b;
      const b2 = E * (E * w0 + e * w1) + e * (E * w1 + e * w2);
      if (b0 > weightError && b1 > weightError && b2 > weightError) plus += 3;
      else if (b0 < -weightError && b1 < -weightError && b2 < -weightError) minus += 3;
    }
    return plus > 0 && minus > 0 ? MISS : plus === end || minus === end ? HIT : UNSURE;
  }
}
