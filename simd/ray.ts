// The first triangle that a ray hits, four boxes and four triangles at a time, in single precision and on the safe side: every
// triangle that may be hit is asked by the exact test outside. RTCD §13.7.

import {
  CORNER_B,
  CORNER_C,
  DIRECTION,
  FACING,
  FOUND,
  GRID,
  LANES,
  LIMIT,
  LINKS,
  MAX_X,
  MAX_Y,
  MAX_Z,
  MIN_X,
  MIN_Y,
  MIN_Z,
  PER_UNIT,
  POINT,
  SLABS,
  SLOTS,
  STACK,
  TREE,
  VIEW,
  WIDTHS,
} from './memory';
import { push, settle } from './stack';

/** How much products of rounded coordinates of a view may be off, relative to the square of their sum. */
const PRODUCTS: f32 = 9.5367431640625e-7; // 2^-20

/** Directions are taken to have at least this much of their largest component along every axis, in the tests of boxes. */
const LEAST: f32 = 9.5367431640625e-7; // 2^-20
/** Of the largest coordinate: a bound on all rounding of coordinates in single precision, and in double precision. */
const ROUNDING: f32 = 4.76837158203125e-7; // 2^-21
/** The list of what may be hit is full. */
const FULL: usize = 60;
/** What fits on it, but for the four of one block. */
const MOST: usize = 50;
const FINE: f64 = 3.552713678800501e-15; // 2^-48
/** Above 1 by more than a number is off in single precision. */
const UP: f32 = 1.0000002384185791; // 1 + 2^-22
const BELOW: f32 = 0.9999997615814209; // 1 - 2^-22
/** The grid, in its own steps. */
const WIDE: f32 = 65536;
/** Rays that start nearer than this are taken as they are, others from where they enter the grid. */
const NEAR: f32 = 262144;
/** Rays that start so far away that double precision is off by more than this many units are left to the caller. */
const IMPRECISE: f64 = 0.015625;

/** Asks the exact test about the triangle in a slot. Returns the latest time of the ray that still counts; below 0, no more is asked. */
declare function hitSlot(slot: i32): f64;

// Of the search that runs. No search begins while another runs.
/** How many units the ray runs in a time of 1; where the kernel begins to count, in units; and by how much times may be off. */
let rate: f64 = 0;
let start: f64 = 0;
let slack: f32 = 0;

/** A time of the ray as the kernel counts, rounded up. */
function latestOf(t: f64): f32 {
  const late = f32x4.splat(<f32>(t * rate - start) * UP);
  return f32x4.extract_lane(f32x4.pmax(f32x4.splat(0), late), 0) + slack;
}

/** The slots that may be hit, and of the axes of the view the columns in a block. */
let count: usize = 0;
let offA: usize = 0;
let offB: usize = 0;
let offC: usize = 0;

/**
 * Looks at four triangles until `latest`. Returns until when is looked from now on; less than 0 when any hit will do and there is one,
 * or the list is full.
 *
 * `allowed` is above twice the errors of the three areas together (see `searchRay`), so it bounds that of each. Areas of one sign
 * that are all beyond it are a hit for sure. Its time is that of a corner and the weighted steps to the other two, and the weights
 * are off by no more than `allowed` over the area in all, the steps no longer than `span`: that much, what single precision does to
 * them, and twice the error of a coordinate is what `t` may be off.
 *
 * Exported, so that it stays a function of its own: in one loop with the boxes, registers are short.
 */
export function testBlock(block: usize, latest: f32): f32 {
  const ka = offA;
  const kb = offB;
  const kc = offC;
  const oa = v128.load(VIEW);
  const ob = v128.load(VIEW, 16);
  const oc = v128.load(VIEW, 32);
  const slopeA = v128.load(VIEW, 48);
  const slopeB = v128.load(VIEW, 64);
  const sign = v128.load(VIEW, 80);
  const error = v128.load(VIEW, 96);
  const before = f32x4.neg(error);
  const zero = f32x4.splat(0);
  let best = f32x4.splat(latest);
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
  const size = f32x4.add(
    f32x4.add(f32x4.add(f32x4.abs(pa), f32x4.abs(pb)), f32x4.add(f32x4.abs(qa), f32x4.abs(qb))),
    f32x4.add(f32x4.abs(ra), f32x4.abs(rb)),
  );
  const allowed = f32x4.add(
    f32x4.mul(size, f32x4.add(f32x4.mul(f32x4.splat(4), error), f32x4.mul(f32x4.splat(PRODUCTS), size))),
    f32x4.mul(f32x4.splat(12), f32x4.mul(error, error)),
  );
  // Between the times of its corners, along the axis on which the ray runs farthest, it is hit if at all.
  const tp = f32x4.mul(sign, pc);
  const tq = f32x4.mul(sign, qc);
  const tr = f32x4.mul(sign, rc);
  const first = f32x4.add(f32x4.pmin(tp, f32x4.pmin(tq, tr)), before);
  const last = f32x4.pmax(tp, f32x4.pmax(tq, tr));
  const leastArea = f32x4.pmin(areaP, f32x4.pmin(areaQ, areaR));
  const mostArea = f32x4.pmax(areaP, f32x4.pmax(areaQ, areaR));
  const maybe = v128.and(
    v128.or(f32x4.ge(leastArea, f32x4.neg(allowed)), f32x4.le(mostArea, allowed)),
    v128.and(f32x4.le(first, best), f32x4.ge(last, before)),
  );
  if (!v128.any_true(maybe)) return latest;
  const area = f32x4.add(f32x4.add(areaP, areaQ), areaR);
  const inverse = f32x4.div(f32x4.splat(1), area);
  const t = f32x4.add(
    tp,
    f32x4.mul(f32x4.add(f32x4.mul(areaQ, f32x4.sub(tq, tp)), f32x4.mul(areaR, f32x4.sub(tr, tp))), inverse),
  );
  const span = f32x4.sub(last, first);
  const off = f32x4.add(
    f32x4.mul(span, f32x4.add(f32x4.abs(f32x4.mul(allowed, inverse)), f32x4.splat(PRODUCTS))),
    v128.load(VIEW, 144),
  );
  const until = f32x4.add(t, off);
  const from = f32x4.sub(t, off);
  const inside = v128.or(f32x4.gt(leastArea, allowed), f32x4.lt(mostArea, f32x4.neg(allowed)));
  const seen = f32x4.ge(f32x4.mul(area, v128.load(VIEW, 160)), zero);
  const certain = v128.and(
    inside,
    v128.and(f32x4.gt(from, v128.load(VIEW, 128)), f32x4.lt(until, v128.load(VIEW, 112))),
  );
  const sure = v128.and(maybe, v128.and(certain, seen));
  const begins = v128.bitselect(f32x4.pmax(first, from), first, inside);
  const counts = v128.and(v128.andnot(maybe, v128.andnot(inside, seen)), f32x4.le(begins, best));
  let bits = i32x4.bitmask(v128.and(counts, sure));
  if (bits !== 0) {
    if (count > MOST) {
      count = FULL;
      return -1;
    }
    best = least4(v128.bitselect(f32x4.pmin(until, best), best, sure));
    latest = f32x4.extract_lane(best, 0);
    for (; bits !== 0; bits &= bits - 1)
      store<i32>(FOUND + (count++ << 2), load<i32>(block + ((<usize>ctz(bits)) << 2), SLOTS));
    if (load<i32>(FACING, 4)) return -1;
  }
  for (bits = i32x4.bitmask(v128.andnot(counts, sure)); bits !== 0; bits &= bits - 1) {
    const t = hitSlot(load<i32>(block + ((<usize>ctz(bits)) << 2), SLOTS));
    if (t < 0) return -1;
    latest = f32x4.extract_lane(f32x4.pmin(f32x4.splat(latest), f32x4.splat(latestOf(t))), 0);
  }
  return latest;
}

/**
 * Looks for the triangles that the ray at POINT, DIRECTION may hit first until LIMIT. What is hit for sure, by more than all rounding,
 * goes to the list at FOUND, and the search goes on only up to the latest time at which it can be; what is in doubt is asked by the
 * exact test at once, since rays aimed at corners and edges find nothing else. Returns how many are on the list; -1 for rays that
 * single precision is not good enough for, or which meet too many at one time: they are left to the caller.
 *
 * Lengths are in steps of the grid where it is widest, times in steps along the axis c on which the ray runs farthest, from where it
 * enters the grid. So all numbers are of the size of the grid, and single precision is good to small parts of a step.
 *
 * Boxes are entered and left at times as in `searchRay` of `src/trimesh/ray.ts`. Triangles are seen along the ray, too, as there: moved
 * along c to the plane across it. Coordinates of that view are off by `error` at most (corner and origin 2^-9 each, their
 * difference 2^-8, the slope and its product 2^-7 and 2^-8, the last difference 2^-7: less than half of it). So the
 * excess of the areas, 0 for what is hit, is below 4 · error · size + 12 · error², and what products of rounded numbers add.
 */
export function searchRay(): i32 {
  const dxy = v128.load(DIRECTION);
  const dz = v128.load64_zero(DIRECTION, 16);
  const longest = f64x2.pmax(f64x2.abs(dxy), f64x2.abs(dz));
  const most = f64x2.extract_lane(f64x2.pmax(longest, v128.shuffle<f64>(longest, longest, 1, 0)), 0);
  const perUnit = load<f64>(PER_UNIT);
  rate = most * perUnit;
  if (!(rate > 1e-280 && rate < 1e280)) return -1;
  let xy = f64x2.mul(f64x2.sub(v128.load(POINT), v128.load(GRID)), f64x2.splat(perUnit));
  let z0 = f64x2.mul(
    f64x2.sub(v128.load64_zero(POINT, 16), v128.load64_zero(GRID, 16)),
    f64x2.splat(perUnit),
  );
  const per = f64x2.splat(1 / most);
  const uxy = f64x2.mul(dxy, per);
  const uz0 = f64x2.mul(dz, per);
  let p = v128.shuffle<f64>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z0), 0, 2);
  const u = v128.shuffle<f64>(f32x4.demote_f64x2_zero(uxy), f32x4.demote_f64x2_zero(uz0), 0, 2);
  let reach = greatest(p) + WIDE;
  const away = <f64>reach;
  const fine = FINE * away;
  if (!(fine < IMPRECISE)) return -1;
  const w = v128.load(WIDTHS);
  start = 0;
  if (reach > NEAR) {
    start = entry(xy, z0, uxy, uz0, away, fine);
    if (!(start >= 0)) return 0;
    if (!(start <= load<f64>(LIMIT) * rate + FINE * (load<f64>(LIMIT) * rate + away))) return 0;
    xy = f64x2.add(xy, f64x2.mul(uxy, f64x2.splat(start)));
    z0 = f64x2.add(z0, f64x2.mul(uz0, f64x2.splat(start)));
    p = v128.shuffle<f64>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z0), 0, 2);
    reach = greatest(p) + WIDE;
  }
  const error = ROUNDING * reach + <f32>fine;
  slack = error + <f32>(8 * FINE * (start + WIDE));
  const limit = <f32>(load<f64>(LIMIT) * rate - start);
  let latest = latestOf(load<f64>(LIMIT));

  // Boxes: how far off a ray is that was made steeper, for each unit that it can run.
  const size = f32x4.abs(u);
  const steep = f32x4.pmax(size, f32x4.splat(LEAST));
  const flat = f32x4.ne(size, steep);
  const inverse = v128.or(f32x4.div(f32x4.splat(1), steep), v128.xor(u, size)); // with its sign
  const bent = v128.and(flat, f32x4.splat(4 * LEAST * reach));
  const wide = f32x4.mul(w, f32x4.splat(WIDE));
  const e = f32x4.mul(
    f32x4.abs(inverse),
    f32x4.add(
      f32x4.add(f32x4.splat(error), bent),
      f32x4.mul(f32x4.splat(2 * ROUNDING), f32x4.add(f32x4.abs(p), wide)),
    ),
  );
  const passed = f32x4.neg(f32x4.mul(p, inverse));
  const s = f32x4.mul(w, inverse);
  const m0 = f32x4.sub(passed, e);
  const m1 = f32x4.add(passed, e);
  v128.store(SLABS, s);
  v128.store(SLABS, m0, 16);
  v128.store(SLABS, m1, 32);
  const signs = i32x4.bitmask(u);
  store<i32>(SLABS, (signs & 1) * (<i32>MAX_X - <i32>MIN_X), 48);
  store<i32>(SLABS, ((signs >> 1) & 1) * (<i32>MAX_X - <i32>MIN_X), 52);
  store<i32>(SLABS, ((signs >> 2) & 1) * (<i32>MAX_X - <i32>MIN_X), 56);

  // The view along the ray: c is the axis along which it runs farthest, where `u` is 1 or -1.
  const axis = <usize>ctz(i32x4.bitmask(f32x4.ge(size, f32x4.splat(1))));
  const next = (<usize>9 >> (axis << 1)) & 3;
  const kc = axis << 4;
  const ka = next << 4;
  const kb = 48 - ka - kc;
  v128.store(LANES, p);
  v128.store(LANES + 16, u);
  const sign = v128.load_splat<f32>(LANES + (kc >> 2), 16);
  v128.store(VIEW, v128.load_splat<f32>(LANES + (ka >> 2)));
  v128.store(VIEW, v128.load_splat<f32>(LANES + (kb >> 2)), 16);
  v128.store(VIEW, v128.load_splat<f32>(LANES + (kc >> 2)), 32);
  v128.store(VIEW, f32x4.mul(v128.load_splat<f32>(LANES + (ka >> 2), 16), sign), 48);
  v128.store(VIEW, f32x4.mul(v128.load_splat<f32>(LANES + (kb >> 2), 16), sign), 64);
  v128.store(VIEW, sign, 80);
  v128.store(VIEW, f32x4.splat(error), 96);
  // What is hit for sure until `sureEnd` ends the search: nothing that begins later counts.
  v128.store(VIEW, f32x4.splat(limit * BELOW - slack), 112);
  v128.store(VIEW, f32x4.splat(start > 0 ? -Infinity : error), 128);
  v128.store(VIEW, f32x4.splat(error + slack), 144);
  v128.store(VIEW, f32x4.mul(sign, f32x4.splat(<f32>load<i32>(FACING))), 160);
  offA = ka;
  offB = kb;
  offC = kc;
  count = 0;
  const zero = f32x4.splat(0);

  // Read back, because V8 works out again in a loop what it can, and not what it reads.
  const sx = v128.load_splat<f32>(SLABS);
  const sy = v128.load_splat<f32>(SLABS, 4);
  const sz = v128.load_splat<f32>(SLABS, 8);
  const mx0 = v128.load_splat<f32>(SLABS, 16);
  const my0 = v128.load_splat<f32>(SLABS, 20);
  const mz0 = v128.load_splat<f32>(SLABS, 24);
  const mx1 = v128.load_splat<f32>(SLABS, 32);
  const my1 = v128.load_splat<f32>(SLABS, 36);
  const mz1 = v128.load_splat<f32>(SLABS, 40);
  const ox = <usize>load<i32>(SLABS, 48);
  const oy = <usize>load<i32>(SLABS, 52);
  const oz = <usize>load<i32>(SLABS, 56);
  const nx = MIN_X + ox;
  const ny = MIN_Y + oy;
  const nz = MIN_Z + oz;
  const fx = MAX_X - ox;
  const fy = MAX_Y - oy;
  const fz = MAX_Z - oz;

  let best = f32x4.splat(latest);
  let top: usize = 0;
  let link: i32 = 0;
  for (;;) {
    if (link >= 0) {
      const node = TREE + <usize>link;
      const near = f32x4.pmax(
        f32x4.pmax(time(node + nx, sx, mx0), time(node + ny, sy, my0)),
        f32x4.pmax(zero, time(node + nz, sz, mz0)),
      );
      const far = f32x4.pmin(
        f32x4.pmin(time(node + fx, sx, mx1), time(node + fy, sy, my1)),
        f32x4.pmin(best, time(node + fz, sz, mz1)),
      );
      const open = f32x4.le(near, far);
      const hits = i32x4.bitmask(open);
      if (hits !== 0) {
        if ((hits & (hits - 1)) === 0) {
          link = load<i32>(node + ((<usize>ctz(hits)) << 2), LINKS);
          continue;
        }
        top = push(node, open, popcnt(hits), near, top);
      }
    } else {
      latest = testBlock(TREE + <usize>~link, latest);
      if (latest < 0) break;
      best = f32x4.splat(latest);
    }
    top = settle(top, latest);
    if (top === 0) break;
    top -= 4;
    link = load<i32>(STACK + top);
  }
  return count === FULL ? -1 : <i32>count;
}

function least4(v: v128): v128 {
  const w = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return f32x4.pmin(w, v128.shuffle<f32>(w, w, 1, 0, 3, 2));
}

/** The greatest absolute value of the first three lanes; the fourth is 0. */
function greatest(v: v128): f32 {
  const a = f32x4.abs(v);
  const b = f32x4.pmax(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
  return f32x4.extract_lane(f32x4.pmax(b, v128.shuffle<f32>(b, b, 1, 0, 3, 2)), 0);
}

/** When the ray enters the grid, a little early; below 0 if it does not. */
function entry(xy: v128, z0: v128, uxy: v128, uz0: v128, away: f64, fine: f64): f64 {
  // The list is empty still.
  v128.store(FOUND, xy);
  v128.store(FOUND, z0, 16);
  v128.store(FOUND, uxy, 32);
  v128.store(FOUND, uz0, 48);
  let from: f64 = 0;
  let until: f64 = Infinity;
  for (let axis: usize = 0; axis < 3; axis++) {
    const x = load<f64>(FOUND + (axis << 3));
    const u = load<f64>(FOUND + (axis << 3), 32);
    const flat = abs<f64>(u) < <f64>LEAST;
    const inverse = 1 / (flat ? copysign<f64>(<f64>LEAST, u) : u);
    const pad = ((flat ? 4 * <f64>LEAST * away : 0) + fine) * abs<f64>(inverse);
    const first = -x * inverse;
    const second = (<f64>WIDE * <f64>load<f32>(WIDTHS + (axis << 2)) - x) * inverse;
    from = max<f64>(from, min<f64>(first, second) - pad);
    until = min<f64>(until, max<f64>(first, second) + pad);
  }
  return from <= until ? from : -1;
}

/** The times at which the ray passes four coordinates on the grid. */
function time(at: usize, slope: v128, offset: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(at)), slope), offset);
}
