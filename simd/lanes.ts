// The book's four-wide tests: lists of spheres, boxes, rays and triangles in columns of 32-bit numbers, one with one, four at a
// time. RTCD §13.7. The same sums in the same order stand in `src/simd/scalar-lanes.ts`, which has to give the same bits.

/** The columns stand one after the other from here on, each of `stride` bytes; then the answers. */
export const COLUMNS: usize = 64;

function column(k: usize, stride: usize, at: usize): v128 {
  return v128.load(COLUMNS + k * stride + at);
}

/** Spheres in columns 0 to 3 (x, y, z, radius) with spheres in 4 to 7. Answers are masks of 32 bits. 11 operations. */
export function overlapSpheres(stride: usize): void {
  const out = COLUMNS + 15 * stride;
  for (let at: usize = 0; at < stride; at += 16) {
    const dx = f32x4.sub(column(0, stride, at), column(4, stride, at));
    const dy = f32x4.sub(column(1, stride, at), column(5, stride, at));
    const dz = f32x4.sub(column(2, stride, at), column(6, stride, at));
    const r = f32x4.add(column(3, stride, at), column(7, stride, at));
    const flat = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
    const left = f32x4.sub(f32x4.mul(r, r), f32x4.mul(dz, dz));
    v128.store(out + at, f32x4.le(flat, left));
  }
}

/** Spheres in columns 0 to 3 with boxes in 4 to 9 (the least x, y, z, the greatest). 16 operations. */
export function overlapSphereBoxes(stride: usize): void {
  const out = COLUMNS + 15 * stride;
  for (let at: usize = 0; at < stride; at += 16) {
    const x = column(0, stride, at);
    const y = column(1, stride, at);
    const z = column(2, stride, at);
    const r = column(3, stride, at);
    const dx = f32x4.sub(x, f32x4.min(f32x4.max(x, column(4, stride, at)), column(7, stride, at)));
    const dy = f32x4.sub(y, f32x4.min(f32x4.max(y, column(5, stride, at)), column(8, stride, at)));
    const dz = f32x4.sub(z, f32x4.min(f32x4.max(z, column(6, stride, at)), column(9, stride, at)));
    const flat = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
    const left = f32x4.sub(f32x4.mul(r, r), f32x4.mul(dz, dz));
    v128.store(out + at, f32x4.le(flat, left));
  }
}

/** Boxes in columns 0 to 5 with boxes in 6 to 11. 11 operations. */
export function overlapBoxes(stride: usize): void {
  const out = COLUMNS + 15 * stride;
  for (let at: usize = 0; at < stride; at += 16) {
    const low = v128.and(
      v128.and(
        f32x4.le(column(0, stride, at), column(9, stride, at)),
        f32x4.le(column(1, stride, at), column(10, stride, at)),
      ),
      f32x4.le(column(2, stride, at), column(11, stride, at)),
    );
    const high = v128.and(
      v128.and(
        f32x4.le(column(6, stride, at), column(3, stride, at)),
        f32x4.le(column(7, stride, at), column(4, stride, at)),
      ),
      f32x4.le(column(8, stride, at), column(5, stride, at)),
    );
    v128.store(out + at, v128.and(low, high));
  }
}

/** The stretch of a ray between two planes, cut from [enter, exit]. What is not a number cuts nothing. */
let enter: v128 = f32x4.splat(0);
let exit: v128 = f32x4.splat(0);

function cut(o: v128, d: v128, low: v128, high: v128): void {
  const first = f32x4.div(f32x4.sub(low, o), d);
  const second = f32x4.div(f32x4.sub(high, o), d);
  enter = f32x4.pmax(enter, f32x4.pmin(first, second));
  exit = f32x4.pmin(exit, f32x4.pmax(first, second));
}

/** Rays in columns 0 to 5 (origin, direction) with boxes in 6 to 11: the time from 0 on at which each enters; -1 for none. */
export function rayBoxes(stride: usize): void {
  const out = COLUMNS + 15 * stride;
  for (let at: usize = 0; at < stride; at += 16) {
    enter = f32x4.splat(0);
    exit = f32x4.splat(Infinity);
    cut(column(0, stride, at), column(3, stride, at), column(6, stride, at), column(9, stride, at));
    cut(column(1, stride, at), column(4, stride, at), column(7, stride, at), column(10, stride, at));
    cut(column(2, stride, at), column(5, stride, at), column(8, stride, at), column(11, stride, at));
    v128.store(out + at, v128.bitselect(enter, f32x4.splat(-1), f32x4.le(enter, exit)));
  }
}

/** The time at which rays hit triangles, from either side; -1 for none. RTCD §5.3.6. */
function hitTriangles(
  ox: v128,
  oy: v128,
  oz: v128,
  dx: v128,
  dy: v128,
  dz: v128,
  ax: v128,
  ay: v128,
  az: v128,
  bx: v128,
  by: v128,
  bz: v128,
  cx: v128,
  cy: v128,
  cz: v128,
): v128 {
  const ux = f32x4.sub(bx, ax);
  const uy = f32x4.sub(by, ay);
  const uz = f32x4.sub(bz, az);
  const vx = f32x4.sub(cx, ax);
  const vy = f32x4.sub(cy, ay);
  const vz = f32x4.sub(cz, az);
  const px = f32x4.sub(f32x4.mul(dy, vz), f32x4.mul(dz, vy));
  const py = f32x4.sub(f32x4.mul(dz, vx), f32x4.mul(dx, vz));
  const pz = f32x4.sub(f32x4.mul(dx, vy), f32x4.mul(dy, vx));
  const det = f32x4.add(f32x4.add(f32x4.mul(ux, px), f32x4.mul(uy, py)), f32x4.mul(uz, pz));
  const sx = f32x4.sub(ox, ax);
  const sy = f32x4.sub(oy, ay);
  const sz = f32x4.sub(oz, az);
  const u = f32x4.div(f32x4.add(f32x4.add(f32x4.mul(sx, px), f32x4.mul(sy, py)), f32x4.mul(sz, pz)), det);
  const qx = f32x4.sub(f32x4.mul(sy, uz), f32x4.mul(sz, uy));
  const qy = f32x4.sub(f32x4.mul(sz, ux), f32x4.mul(sx, uz));
  const qz = f32x4.sub(f32x4.mul(sx, uy), f32x4.mul(sy, ux));
  const v = f32x4.div(f32x4.add(f32x4.add(f32x4.mul(dx, qx), f32x4.mul(dy, qy)), f32x4.mul(dz, qz)), det);
  const t = f32x4.div(f32x4.add(f32x4.add(f32x4.mul(vx, qx), f32x4.mul(vy, qy)), f32x4.mul(vz, qz)), det);
  const zero = f32x4.splat(0);
  const inside = v128.and(
    v128.and(f32x4.ge(u, zero), f32x4.ge(v, zero)),
    v128.and(
      f32x4.le(f32x4.add(u, v), f32x4.splat(1)),
      v128.and(f32x4.ge(t, zero), f32x4.lt(t, f32x4.splat(Infinity))),
    ),
  );
  return v128.bitselect(t, f32x4.splat(-1), inside);
}

/** Rays in columns 0 to 5 with triangles in 6 to 14 (a, b, c). */
export function rayTriangles(stride: usize): void {
  const out = COLUMNS + 15 * stride;
  for (let at: usize = 0; at < stride; at += 16)
    v128.store(
      out + at,
      hitTriangles(
        column(0, stride, at),
        column(1, stride, at),
        column(2, stride, at),
        column(3, stride, at),
        column(4, stride, at),
        column(5, stride, at),
        column(6, stride, at),
        column(7, stride, at),
        column(8, stride, at),
        column(9, stride, at),
        column(10, stride, at),
        column(11, stride, at),
        column(12, stride, at),
        column(13, stride, at),
        column(14, stride, at),
      ),
    );
}

/** A bit less than 1, and less than that. */
const SLACK: f32 = 0.9999990463256836; // 1 - 2^-20
const BEHIND: f32 = 0.9990234375; // 1 - 2^-10

/** What waits in a walk through a k-d tree: two vectors (from when, until when) and the node. */
const WAITING: usize = 48;

/**
 * Four rays at once through a k-d tree of triangles: the first hit of each. A subtree is visited if one of the rays passes through
 * its cell. The rays are the first of columns 0 to 5, and t and the triangle (-1 for none) go to the answers and behind them.
 * `nodes` are of 16 bytes: the axis (3 for a leaf), where it is cut, and the children below and above; of a leaf, the first of its
 * `items` and how many. Nine numbers a triangle. RTCD §7.4.1, §13.7.
 */
export function rayKdTree(stride: usize, nodes: usize, items: usize, triangles: usize, stack: usize): void {
  const ox = column(0, stride, 0);
  const oy = column(1, stride, 0);
  const oz = column(2, stride, 0);
  const dx = column(3, stride, 0);
  const dy = column(4, stride, 0);
  const dz = column(5, stride, 0);
  let best = f32x4.splat(Infinity);
  let found = i32x4.splat(-1);
  let from = f32x4.splat(0);
  let until = f32x4.splat(Infinity);
  let node: i32 = 0;
  let top = stack;
  for (;;) {
    const at = nodes + ((<usize>node) << 4);
    const axis = load<i32>(at);
    // Times of planes are off by two roundings, so a cell that is passed at a corner still is. What begins well behind the first hit
    // so far is not looked at: times of hits are less precise.
    const open = f32x4.le(f32x4.mul(from, f32x4.splat(SLACK)), until);
    if (v128.any_true(v128.and(open, f32x4.le(f32x4.mul(from, f32x4.splat(BEHIND)), best)))) {
      if (axis < 3) {
        const split = f32x4.splat(load<f32>(at, 4));
        const o = axis === 0 ? ox : axis === 1 ? oy : oz;
        const d = axis === 0 ? dx : axis === 1 ? dy : dz;
        const t = f32x4.div(f32x4.sub(split, o), d);
        // A ray that runs along the plane, or in it, has an infinite time there, or none.
        const up = f32x4.ge(f32x4.div(f32x4.splat(1), d), f32x4.splat(0));
        const sooner = f32x4.pmin(until, t);
        const later = f32x4.pmax(from, t);
        // The side that the first ray comes to first is looked at first.
        const ahead = i32x4.extract_lane(up, 0) !== 0;
        const above = ahead ? top : top + WAITING;
        const below = ahead ? top + WAITING : top;
        v128.store(above, v128.bitselect(later, from, up));
        v128.store(above, v128.bitselect(until, sooner, up), 16);
        store<i32>(above, load<i32>(at, 12), 32);
        v128.store(below, v128.bitselect(from, later, up));
        v128.store(below, v128.bitselect(sooner, until, up), 16);
        store<i32>(below, load<i32>(at, 8), 32);
        top += 2 * WAITING;
      } else {
        const first = load<i32>(at, 8);
        const end = first + load<i32>(at, 12);
        for (let i = first; i < end; i++) {
          const item = load<i32>(items + ((<usize>i) << 2));
          const p = triangles + <usize>item * 36;
          const t = hitTriangles(
            ox,
            oy,
            oz,
            dx,
            dy,
            dz,
            v128.load_splat<f32>(p),
            v128.load_splat<f32>(p, 4),
            v128.load_splat<f32>(p, 8),
            v128.load_splat<f32>(p, 12),
            v128.load_splat<f32>(p, 16),
            v128.load_splat<f32>(p, 20),
            v128.load_splat<f32>(p, 24),
            v128.load_splat<f32>(p, 28),
            v128.load_splat<f32>(p, 32),
          );
          const number = i32x4.splat(item);
          const nearer = v128.and(
            f32x4.ge(t, f32x4.splat(0)),
            v128.or(f32x4.lt(t, best), v128.and(f32x4.eq(t, best), i32x4.lt_s(number, found))),
          );
          best = v128.bitselect(t, best, nearer);
          found = v128.bitselect(number, found, nearer);
        }
      }
    }
    if (top === stack) break;
    top -= WAITING;
    from = v128.load(top);
    until = v128.load(top, 16);
    node = load<i32>(top, 32);
  }
  v128.store(COLUMNS + 15 * stride, best);
  v128.store(COLUMNS + 15 * stride, found, 16);
}
