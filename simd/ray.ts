// The first triangle that a ray hits, four boxes and four triangles at a time, in single precision and on the safe side: every
// triangle that may be hit is asked by the exact test outside, in the order in which they are met. RTCD §13.7.

import {
  BLOCK,
  CORNER_B,
  CORNER_C,
  DIRECTION,
  GRID,
  LIMIT,
  LINKS,
  MAX_X,
  MAX_Y,
  MAX_Z,
  MIN_X,
  MIN_Y,
  MIN_Z,
  NODES,
  POINT,
  SLOTS,
  STACK,
  STEPS,
  UNIT,
} from './memory';
import { push } from './stack';

/** Asks the exact test about the triangle in a slot. Returns the latest time of the ray that still counts; below 0, no more is asked. */
declare function hitSlot(slot: i32): f64;

/** How much products of rounded coordinates of a view may be off, relative to the square of their sum. */
const PRODUCTS: f32 = 9.5367431640625e-7; // 2^-20

/** Directions are taken to have at least this much of their largest component along every axis, in the tests of boxes. */
const LEAST: f64 = 9.5367431640625e-7; // 2^-20
/** Of the largest coordinate: a bound on all rounding of coordinates in single precision, and in double precision. */
const ROUNDING: f64 = 4.76837158203125e-7; // 2^-21
const FINE: f64 = 3.552713678800501e-15; // 2^-48
/** Above 1 by more than a number is off in single precision. */
const UP: f64 = 1.0000002384185791; // 1 + 2^-22
/** The grid, in its own steps. */
const WIDE: f64 = 65536;
/** Rays that start so far away that double precision is off by more than this many units are left to the caller. */
const IMPRECISE: f64 = 0.015625;

// Of the search that runs. No search begins while another runs.
let rate: f64 = 0;
let start: f64 = 0;
let slack: f64 = 0;

/** A time of the ray as the kernel counts, rounded up. */
function latestOf(t: f64): f32 {
  return <f32>(max<f64>(0, t * rate - start) * UP + slack);
}

/**
 * Asks about every triangle that the ray at POINT, DIRECTION may hit until LIMIT, the first ones first. Returns false, and asks about none,
 * for what single precision is not good enough for.
 *
 * Lengths are in steps of the grid where it is widest, times in steps along the axis c on which the ray runs farthest, from where it
 * enters the grid. So all numbers are of the size of the grid, and single precision is good to small parts of a step.
 *
 * Boxes are entered and left at times as in `searchRay` of `src/trimesh/ray.ts`. Triangles are seen along the ray, too, as there: moved
 * along c to the plane across it. Coordinates of that view are off by `error` at most (corner and origin 2^-9 each, their
 * difference 2^-8, the slope and its product 2^-7 and 2^-8, the last difference 2^-7: less than half of it). So the
 * excess of the areas, 0 for what is hit, is below 4 · error · size + 12 · error², and what products of rounded numbers add.
 */
export function searchRay(blocks: usize): bool {
  const dx = load<f64>(DIRECTION);
  const dy = load<f64>(DIRECTION, 8);
  const dz = load<f64>(DIRECTION, 16);
  const unit = load<f64>(UNIT);
  const most = max<f64>(max<f64>(abs<f64>(dx), abs<f64>(dy)), abs<f64>(dz));
  rate = most / unit;
  if (!(rate > 1e-280 && rate < 1e280)) return false;
  const wx = load<f64>(STEPS);
  const wy = load<f64>(STEPS, 8);
  const wz = load<f64>(STEPS, 16);
  const ux = dx / most;
  const uy = dy / most;
  const uz = dz / most;
  let x = (load<f64>(POINT) - load<f64>(GRID)) / unit;
  let y = (load<f64>(POINT, 8) - load<f64>(GRID, 8)) / unit;
  let z = (load<f64>(POINT, 16) - load<f64>(GRID, 16)) / unit;
  const away = max<f64>(max<f64>(abs<f64>(x), abs<f64>(y)), abs<f64>(z)) + WIDE;
  const fine = FINE * away;
  if (!(fine < IMPRECISE)) return false;
  const flatX = abs<f64>(ux) < LEAST;
  const flatY = abs<f64>(uy) < LEAST;
  const flatZ = abs<f64>(uz) < LEAST;
  const ix = 1 / (flatX ? copysign<f64>(LEAST, ux) : ux);
  const iy = 1 / (flatY ? copysign<f64>(LEAST, uy) : uy);
  const iz = 1 / (flatZ ? copysign<f64>(LEAST, uz) : uz);
  // How far off a ray is that was made steeper, for each unit that it can run.
  const bentX = flatX ? 4 * LEAST : 0;
  const bentY = flatY ? 4 * LEAST : 0;
  const bentZ = flatZ ? 4 * LEAST : 0;

  // To where it enters the grid.
  const padX = (bentX * away + fine) * abs<f64>(ix);
  const padY = (bentY * away + fine) * abs<f64>(iy);
  const padZ = (bentZ * away + fine) * abs<f64>(iz);
  const x0 = -x * ix;
  const y0 = -y * iy;
  const z0 = -z * iz;
  const x1 = (WIDE * wx - x) * ix;
  const y1 = (WIDE * wy - y) * iy;
  const z1 = (WIDE * wz - z) * iz;
  start = max<f64>(
    max<f64>(0, min<f64>(x0, x1) - padX),
    max<f64>(min<f64>(y0, y1) - padY, min<f64>(z0, z1) - padZ),
  );
  const leave = min<f64>(max<f64>(x0, x1) + padX, min<f64>(max<f64>(y0, y1) + padY, max<f64>(z0, z1) + padZ));
  const end = load<f64>(LIMIT) * rate;
  if (!(start <= leave && start <= end + FINE * (end + away))) return true;
  x += start * ux;
  y += start * uy;
  z += start * uz;
  const reach = max<f64>(max<f64>(abs<f64>(x), abs<f64>(y)), abs<f64>(z)) + WIDE;
  const wrong = ROUNDING * reach + fine;
  slack = wrong + 8 * FINE * (start + WIDE);
  let latest = latestOf(load<f64>(LIMIT));

  const sx = f32x4.splat(<f32>(wx * ix));
  const sy = f32x4.splat(<f32>(wy * iy));
  const sz = f32x4.splat(<f32>(wz * iz));
  const ex = timeError(ix, x, wx, wrong + bentX * reach);
  const ey = timeError(iy, y, wy, wrong + bentY * reach);
  const ez = timeError(iz, z, wz, wrong + bentZ * reach);
  const mx0 = f32x4.splat(<f32>(-x * ix - ex));
  const my0 = f32x4.splat(<f32>(-y * iy - ey));
  const mz0 = f32x4.splat(<f32>(-z * iz - ez));
  const mx1 = f32x4.splat(<f32>(-x * ix + ex));
  const my1 = f32x4.splat(<f32>(-y * iy + ey));
  const mz1 = f32x4.splat(<f32>(-z * iz + ez));
  const nx: usize = ix > 0 ? MIN_X : MAX_X;
  const ny: usize = iy > 0 ? MIN_Y : MAX_Y;
  const nz: usize = iz > 0 ? MIN_Z : MAX_Z;
  const fx: usize = MIN_X + MAX_X - nx;
  const fy: usize = MIN_Y + MAX_Y - ny;
  const fz: usize = MIN_Z + MAX_Z - nz;

  // The view along the ray: c is the axis along which it runs farthest.
  let ka: usize = 16;
  let kb: usize = 32;
  let kc: usize = 0;
  let ua = uy;
  let ub = uz;
  let uc = ux;
  let a = y;
  let b = z;
  let c = x;
  if (abs<f64>(ux) < 1) {
    ka = 32;
    kb = 0;
    kc = 16;
    ua = uz;
    ub = ux;
    uc = uy;
    a = z;
    b = x;
    c = y;
    if (abs<f64>(uy) < 1) {
      ka = 0;
      kb = 16;
      kc = 32;
      ua = ux;
      ub = uy;
      uc = uz;
      a = x;
      b = y;
      c = z;
    }
  }
  const oa = f32x4.splat(<f32>a);
  const ob = f32x4.splat(<f32>b);
  const oc = f32x4.splat(<f32>c);
  const slopeA = f32x4.splat(<f32>(ua * uc));
  const slopeB = f32x4.splat(<f32>(ub * uc));
  const sign = f32x4.splat(<f32>uc);
  const error = <f32>wrong;
  const zero = f32x4.splat(0);
  const before = f32x4.splat(-error);
  const products = f32x4.splat(PRODUCTS);
  const perSize = f32x4.splat(4 * error);
  const least = f32x4.splat(12 * error * error);

  let best = f32x4.splat(latest);
  let top: usize = STACK;
  let link: i32 = 0;
  for (;;) {
    if (link >= 0) {
      const node = NODES + <usize>link;
      const near = f32x4.pmax(
        f32x4.pmax(time(node + nx, sx, mx0), time(node + ny, sy, my0)),
        f32x4.pmax(zero, time(node + nz, sz, mz0)),
      );
      const far = f32x4.pmin(
        f32x4.pmin(time(node + fx, sx, mx1), time(node + fy, sy, my1)),
        f32x4.pmin(best, time(node + fz, sz, mz1)),
      );
      const hits = i32x4.bitmask(f32x4.le(near, far));
      if (hits !== 0) {
        if ((hits & (hits - 1)) === 0) {
          link = load<i32>(node + ((<usize>ctz(hits)) << 2), LINKS);
          continue;
        }
        top = push(node, hits, near, top);
      }
    } else {
      const leaf = ~link;
      let block = blocks + <usize>(leaf >> 4) * BLOCK;
      const end = block + <usize>(leaf & 15) * BLOCK;
      for (; block < end; block += BLOCK) {
        const pc = f32x4.sub(v128.load(block + kc), oc);
        const qc = f32x4.sub(v128.load(block + kc, CORNER_B), oc);
        const rc = f32x4.sub(v128.load(block + kc, CORNER_C), oc);
        const pa = f32x4.sub(f32x4.sub(v128.load(block + ka), oa), f32x4.mul(slopeA, pc));
        const pb = f32x4.sub(f32x4.sub(v128.load(block + kb), ob), f32x4.mul(slopeB, pc));
        const qa = f32x4.sub(f32x4.sub(v128.load(block + ka, CORNER_B), oa), f32x4.mul(slopeA, qc));
        const qb = f32x4.sub(f32x4.sub(v128.load(block + kb, CORNER_B), ob), f32x4.mul(slopeB, qc));
        const ra = f32x4.sub(f32x4.sub(v128.load(block + ka, CORNER_C), oa), f32x4.mul(slopeA, rc));
        const rb = f32x4.sub(f32x4.sub(v128.load(block + kb, CORNER_C), ob), f32x4.mul(slopeB, rc));
        const areaP = f32x4.sub(f32x4.mul(qa, rb), f32x4.mul(qb, ra));
        const areaQ = f32x4.sub(f32x4.mul(ra, pb), f32x4.mul(rb, pa));
        const areaR = f32x4.sub(f32x4.mul(pa, qb), f32x4.mul(pb, qa));
        const excess = f32x4.sub(
          f32x4.add(f32x4.add(f32x4.abs(areaP), f32x4.abs(areaQ)), f32x4.abs(areaR)),
          f32x4.abs(f32x4.add(f32x4.add(areaP, areaQ), areaR)),
        );
        const size = f32x4.add(
          f32x4.add(f32x4.add(f32x4.abs(pa), f32x4.abs(pb)), f32x4.add(f32x4.abs(qa), f32x4.abs(qb))),
          f32x4.add(f32x4.abs(ra), f32x4.abs(rb)),
        );
        const allowed = f32x4.add(f32x4.mul(size, f32x4.add(perSize, f32x4.mul(products, size))), least);
        // Between the times of its corners, along the axis on which the ray runs farthest, it is hit if at all.
        const tp = f32x4.mul(sign, pc);
        const tq = f32x4.mul(sign, qc);
        const tr = f32x4.mul(sign, rc);
        const first = f32x4.add(f32x4.pmin(tp, f32x4.pmin(tq, tr)), before);
        const last = f32x4.pmax(tp, f32x4.pmax(tq, tr));
        let maybe = i32x4.bitmask(
          v128.and(f32x4.le(excess, allowed), v128.and(f32x4.le(first, best), f32x4.ge(last, before))),
        );
        while (maybe !== 0) {
          const lane = (<usize>ctz(maybe)) << 2;
          maybe &= maybe - 1;
          const t = hitSlot(load<i32>(block + lane, SLOTS));
          latest = t < 0 ? -1 : latestOf(t);
          best = f32x4.splat(latest);
        }
      }
    }
    while (top > STACK && !(load<f32>(top - 4) <= latest)) top -= 8;
    if (top === STACK) break;
    top -= 8;
    link = load<i32>(top);
  }
  return true;
}

/** Of times over one axis: what they may be off, the coordinate being off by `wrong`. */
function timeError(inverse: f64, start: f64, step: f64, wrong: f64): f64 {
  return abs<f64>(inverse) * (wrong + ROUNDING * (abs<f64>(start) + WIDE * step));
}

/** The times at which the ray passes four coordinates on the grid. */
function time(at: usize, slope: v128, offset: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(at)), slope), offset);
}
