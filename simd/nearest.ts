// The triangle nearest to a point, four boxes and four triangles at a time, in single precision and on the safe side: every
// triangle that may be the nearest is asked by the exact test outside. RTCD §13.7.

import {
  CORNER_B,
  CORNER_C,
  GRID,
  LIMIT,
  LINKS,
  MAX_X,
  MAX_Y,
  MAX_Z,
  MIN_X,
  MIN_Y,
  MIN_Z,
  POINT,
  SLOTS,
  STACK,
  TREE,
  UNIT,
  VIEW,
  WIDTHS,
} from './memory';
import { push, settle } from './stack';

/** Asks the exact test about the triangle in a slot. Returns the largest distance that still counts. */
declare function nearSlot(slot: i32): f64;

/** Triangles whose angle at a has a smaller squared sine go to the exact test. */
const NEEDLE: f32 = 0.03125;
/** Of the squared sizes: what rounding may do to a squared distance of what is no needle. */
const ROUNDING: f32 = 6.103515625e-5; // 2^-14
/** A square, rounded up. */
const UP: f32 = 1.0000019073486328; // 1 + 2^-19

/** Of the largest coordinate: a bound on all rounding of coordinates in single precision. */
const COORDINATES: f64 = 4.76837158203125e-7; // 2^-21
/** Above 1 by more than a number is off in single precision. */
const ABOVE: f64 = 1.0000002384185791; // 1 + 2^-22
/** The grid, in its own steps; points as far from it as that are left to the caller. */
const WIDE: f64 = 65536;
const FARTHEST: f64 = 4194304;

/**
 * Asks about every triangle that may be nearest to the point at POINT, and no farther from it than LIMIT, the nearest boxes
 * first. Returns false, and asks about none, for points that single precision is not good enough for. Lengths are in steps of
 * the grid where it is widest.
 */
export function searchNearest(): bool {
  const unit = load<f64>(UNIT);
  const x = (load<f64>(POINT) - load<f64>(GRID)) / unit;
  const y = (load<f64>(POINT, 8) - load<f64>(GRID, 8)) / unit;
  const z = (load<f64>(POINT, 16) - load<f64>(GRID, 16)) / unit;
  const away = max<f64>(max<f64>(abs<f64>(x), abs<f64>(y)), abs<f64>(z)) + WIDE;
  if (!(away < FARTHEST)) return false;
  // Read back, because V8 works out again in a loop what it can, and not what it reads.
  store<f32>(VIEW, <f32>x);
  store<f32>(VIEW, <f32>y, 4);
  store<f32>(VIEW, <f32>z, 8);
  store<f32>(VIEW, <f32>(COORDINATES * away), 12);
  const px = v128.load_splat<f32>(VIEW);
  const py = v128.load_splat<f32>(VIEW, 4);
  const pz = v128.load_splat<f32>(VIEW, 8);
  const less = v128.load_splat<f32>(VIEW, 12);
  const error = load<f32>(VIEW, 12);
  const stepX = v128.load_splat<f32>(WIDTHS);
  const stepY = v128.load_splat<f32>(WIDTHS, 4);
  const stepZ = v128.load_splat<f32>(WIDTHS, 8);
  let most = <f32>((load<f64>(LIMIT) / unit) * ABOVE);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);

  let bestSq = most * most * UP;
  let limit = f32x4.splat((most + error) * (most + error) * UP);
  let top: usize = 0;
  let link: i32 = 0;
  for (;;) {
    if (link >= 0) {
      const node = TREE + <usize>link;
      const x = outside(node + MIN_X, node + MAX_X, px, stepX, less);
      const y = outside(node + MIN_Y, node + MAX_Y, py, stepY, less);
      const z = outside(node + MIN_Z, node + MAX_Z, pz, stepZ, less);
      const sq = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
      const open = f32x4.le(sq, f32x4.splat(bestSq));
      const hits = i32x4.bitmask(open);
      if (hits !== 0) {
        if ((hits & (hits - 1)) === 0) {
          link = load<i32>(node + ((<usize>ctz(hits)) << 2), LINKS);
          continue;
        }
        top = push(node, open, popcnt(hits), sq, top);
      }
    } else {
      const block = TREE + <usize>~link;
      const ax = v128.load(block);
      const ay = v128.load(block, 16);
      const az = v128.load(block, 32);
      const bx = f32x4.sub(v128.load(block, CORNER_B), ax);
      const by = f32x4.sub(v128.load(block, CORNER_B + 16), ay);
      const bz = f32x4.sub(v128.load(block, CORNER_B + 32), az);
      const cx = f32x4.sub(v128.load(block, CORNER_C), ax);
      const cy = f32x4.sub(v128.load(block, CORNER_C + 16), ay);
      const cz = f32x4.sub(v128.load(block, CORNER_C + 32), az);
      const qx = f32x4.sub(px, ax);
      const qy = f32x4.sub(py, ay);
      const qz = f32x4.sub(pz, az);
      const qb = dot(qx, qy, qz, bx, by, bz);
      const qc = dot(qx, qy, qz, cx, cy, cz);
      const qq = dot(qx, qy, qz, qx, qy, qz);
      const bb = dot(bx, by, bz, bx, by, bz);
      const cc = dot(cx, cy, cz, cx, cy, cz);
      const bc = dot(bx, by, bz, cx, cy, cz);
      // The three sides: how much nearer than their first corner.
      const ab = nearer(qb, bb, zero, one);
      const ac = nearer(qc, cc, zero, one);
      const pastB = f32x4.sub(bb, qb);
      const along = f32x4.add(f32x4.sub(qc, bc), pastB);
      const side = f32x4.sub(f32x4.add(bb, cc), f32x4.add(bc, bc));
      const onBc = f32x4.add(qq, f32x4.sub(f32x4.sub(bb, f32x4.add(qb, qb)), nearer(along, side, zero, one)));
      const onSides = f32x4.pmin(f32x4.sub(qq, f32x4.pmax(ab, ac)), onBc);
      // The plane, where the point is above the triangle.
      const det = f32x4.sub(f32x4.mul(bb, cc), f32x4.mul(bc, bc));
      const v = f32x4.sub(f32x4.mul(cc, qb), f32x4.mul(bc, qc));
      const w = f32x4.sub(f32x4.mul(bb, qc), f32x4.mul(bc, qb));
      const onPlane = f32x4.sub(qq, f32x4.div(f32x4.add(f32x4.mul(v, qb), f32x4.mul(w, qc)), det));
      const above = v128.and(v128.and(f32x4.ge(v, zero), f32x4.ge(w, zero)), f32x4.le(f32x4.add(v, w), det));
      const needle = f32x4.le(det, f32x4.mul(f32x4.splat(NEEDLE), f32x4.mul(bb, cc)));
      const sq = v128.bitselect(f32x4.pmin(onSides, onPlane), onSides, above);
      const rounding = f32x4.mul(f32x4.splat(ROUNDING), f32x4.add(qq, f32x4.add(bb, cc)));
      let maybe = i32x4.bitmask(v128.or(needle, f32x4.le(sq, f32x4.add(limit, rounding))));
      while (maybe !== 0) {
        const lane = (<usize>ctz(maybe)) << 2;
        maybe &= maybe - 1;
        most = <f32>((nearSlot(load<i32>(block + lane, SLOTS)) / unit) * ABOVE);
        bestSq = most * most * UP;
        limit = f32x4.splat((most + error) * (most + error) * UP);
      }
    }
    top = settle(top, bestSq);
    if (top === 0) break;
    top -= 4;
    link = load<i32>(STACK + top);
  }
  return true;
}

/** How far a coordinate is outside of four boxes, at least. */
function outside(least: usize, most: usize, p: v128, step: v128, less: v128): v128 {
  const below = f32x4.sub(f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(least)), step), p);
  const above = f32x4.sub(p, f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(most)), step));
  return f32x4.pmax(f32x4.splat(0), f32x4.sub(f32x4.pmax(below, above), less));
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** How much nearer (squared) the nearest point of a side is than its first corner; `along` is q · e and `length` e · e. */
function nearer(along: v128, length: v128, zero: v128, one: v128): v128 {
  const t = f32x4.pmin(one, f32x4.pmax(zero, f32x4.div(along, length)));
  return f32x4.mul(t, f32x4.sub(f32x4.add(along, along), f32x4.mul(t, length)));
}
