/**
 * Proves that a moving surface stays clear of another all the way: pair by pair of triangles, from one direction in which
 * they are apart to the next. Along a direction d a corner of the mover is at d · x(t), whose first derivative is known and
 * whose second is bounded, so each direction is good for a known while. Rounding is covered by the margin.
 */
import type { ReadonlyVec3 } from '../../src/math/types.ts';
import { middleDirection, nearest, nearestTriangles, sameDirection, tryAllAxes } from './sweep-distance.ts';

/** A straight path, or an arc about the line through `pivot` along the unit vector `axis`. */
export interface Leg {
  readonly translation: ReadonlyVec3 | null;
  readonly axis: ReadonlyVec3;
  readonly pivot: ReadonlyVec3;
  readonly angle: number;
}

/** What is left to doubt: nothing; too close (or through) at time `at`; not decided within the steps allowed. */
export interface PathVerdict {
  clear: boolean;
  undecided: boolean;
  /** The fraction of the leg, and the pair of triangles. */
  at: number;
  i: number;
  j: number;
  separation: number;
  steps: number;
}

/** The corners `from + offset …` after a fraction of the leg, into `to`. */
export function soupAlong(soup: Float64Array, leg: Leg, t: number, to: Float64Array): Float64Array {
  movePart(soup, 0, soup.length, leg, t, to, 0);
  return to;
}

function movePart(
  soup: Float64Array,
  start: number,
  end: number,
  leg: Leg,
  t: number,
  to: Float64Array,
  at: number,
): void {
  const v = leg.translation;
  if (v) {
    for (let i = start, k = at; i < end; i += 3, k += 3) {
      to[k] = soup[i]! + t * v.x;
      to[k + 1] = soup[i + 1]! + t * v.y;
      to[k + 2] = soup[i + 2]! + t * v.z;
    }
    return;
  }
  const { axis: n, pivot: o } = leg;
  const s = Math.sin(leg.angle * t);
  const h = Math.sin((leg.angle * t) / 2);
  const versine = 2 * h * h;
  for (let i = start, k = at; i < end; i += 3, k += 3) {
    const x = soup[i]! - o.x;
    const y = soup[i + 1]! - o.y;
    const z = soup[i + 2]! - o.z;
    // x + sin α (n × x) + (1 - cos α) n × (n × x): small angles lose nothing.
    const cx = n.y * z - n.z * y;
    const cy = n.z * x - n.x * z;
    const cz = n.x * y - n.y * x;
    to[k] = soup[i]! + s * cx + versine * (n.y * cz - n.z * cy);
    to[k + 1] = soup[i + 1]! + s * cy + versine * (n.z * cx - n.x * cz);
    to[k + 2] = soup[i + 2]! + s * cz + versine * (n.x * cy - n.y * cx);
  }
}

/** A ball about each triangle: centre and radius. */
export function soupBalls(soup: Float64Array): Float64Array {
  const balls = new Float64Array((soup.length / 9) * 4);
  for (let i = 0, k = 0; i < soup.length; i += 9, k += 4) {
    let r = 0;
    for (let axis = 0; axis < 3; axis++)
      balls[k + axis] =
        (Math.min(soup[i + axis]!, soup[i + 3 + axis]!, soup[i + 6 + axis]!) +
          Math.max(soup[i + axis]!, soup[i + 3 + axis]!, soup[i + 6 + axis]!)) /
        2;
    for (let p = i; p < i + 9; p += 3) {
      const x = soup[p]! - balls[k]!;
      const y = soup[p + 1]! - balls[k + 1]!;
      const z = soup[p + 2]! - balls[k + 2]!;
      r = Math.max(r, x * x + y * y + z * z);
    }
    balls[k + 3] = Math.sqrt(r) * (1 + 1e-12);
  }
  return balls;
}

const moved = new Float64Array(9);

/**
 * Does triangle by triangle of `mover` stay further than `margin` from those of `target`, up to the fraction `tEnd` of the
 * leg? If not, the verdict is about the first pair found for which that is not so, and which `mayPass` does not let pass.
 */
export function provePath(
  mover: Float64Array,
  leg: Leg,
  tEnd: number,
  target: Float64Array,
  targetBalls: Float64Array,
  margin: number,
  mayPass: ((verdict: PathVerdict) => boolean) | null = null,
  maxSteps = 400,
): PathVerdict {
  const balls = soupBalls(mover);
  const verdict = { clear: true, undecided: false, at: 0, i: -1, j: -1, separation: 0, steps: 0 };
  // One turn is all there is to see.
  const turns = leg.translation ? 1 : Math.min(1, (2 * Math.PI) / Math.abs(leg.angle * tEnd || 1));
  const end = tEnd * turns;
  if (end === 0) return verdict;
  for (let i = 0, k = 0; i < mover.length; i += 9, k += 4)
    for (let j = 0, l = 0; j < target.length; j += 9, l += 4) {
      const reach = balls[k + 3]! + targetBalls[l + 3]! + margin;
      if (ballsStayFar(balls, k, targetBalls, l, leg, end, reach)) continue;
      if (ballsStayApart(balls, k, targetBalls, l, leg, end, reach)) continue;
      provePair(mover, i, leg, end, target, j, margin, maxSteps, verdict);
      if (verdict.clear) continue;
      if (!mayPass?.(verdict)) return verdict;
      verdict.clear = true;
    }
  return verdict;
}

/** Are two balls so far from each other that the way of the one does not lead to the other? */
function ballsStayFar(
  a: Float64Array,
  k: number,
  b: Float64Array,
  l: number,
  leg: Leg,
  end: number,
  reach: number,
): boolean {
  const x = a[k]! - b[l]!;
  const y = a[k + 1]! - b[l + 1]!;
  const z = a[k + 2]! - b[l + 2]!;
  const room = Math.sqrt(x * x + y * y + z * z) * (1 - 1e-9) - reach;
  if (!(room > 0)) return false;
  const v = leg.translation;
  if (v) return room > end * (Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z));
  const { axis: n, pivot: o } = leg;
  const px = a[k]! - o.x;
  const py = a[k + 1]! - o.y;
  const pz = a[k + 2]! - o.z;
  const cx = n.y * pz - n.z * py;
  const cy = n.z * px - n.x * pz;
  const cz = n.x * py - n.y * px;
  return room > Math.abs(leg.angle) * end * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz));
}

function ballsStayApart(
  a: Float64Array,
  k: number,
  b: Float64Array,
  l: number,
  leg: Leg,
  end: number,
  reach: number,
): boolean {
  const v = leg.translation;
  if (v) {
    const wx = b[l]! - a[k]!;
    const wy = b[l + 1]! - a[k + 1]!;
    const wz = b[l + 2]! - a[k + 2]!;
    const vv = v.x * v.x + v.y * v.y + v.z * v.z;
    const s = vv > 0 ? Math.min(end, Math.max(0, (v.x * wx + v.y * wy + v.z * wz) / vv)) : 0;
    const x = wx - s * v.x;
    const y = wy - s * v.y;
    const z = wz - s * v.z;
    return x * x + y * y + z * z > reach * reach * (1 + 1e-9);
  }
  const { axis: n, pivot: o } = leg;
  const height = (p: Float64Array, i: number): number =>
    n.x * (p[i]! - o.x) + n.y * (p[i + 1]! - o.y) + n.z * (p[i + 2]! - o.z);
  const radius = (p: Float64Array, i: number): number => {
    const x = p[i]! - o.x;
    const y = p[i + 1]! - o.y;
    const z = p[i + 2]! - o.z;
    const cx = n.y * z - n.z * y;
    const cy = n.z * x - n.x * z;
    const cz = n.x * y - n.y * x;
    return Math.sqrt(cx * cx + cy * cy + cz * cz);
  };
  const dh = height(a, k) - height(b, l);
  const dr = radius(a, k) - radius(b, l);
  return dh * dh + dr * dr > reach * reach * (1 + 1e-6);
}

function provePair(
  mover: Float64Array,
  i: number,
  leg: Leg,
  end: number,
  target: Float64Array,
  j: number,
  margin: number,
  maxSteps: number,
  verdict: PathVerdict,
): void {
  let t = 0;
  for (let step = 0; ; step++) {
    movePart(mover, i, i + 9, leg, t, moved, 0);
    // A direction that costs little: that of the last step, or from middle to middle. Good enough if it lasts.
    if (step > 0) {
      sameDirection(moved, 0, target, j);
      const next = nearest.separation > margin ? t + goodFor(leg, nearest.separation - margin) : t;
      if (next >= end) return;
      if (next - t > lasting * (end - t)) {
        t = next;
        continue;
      }
    }
    middleDirection(moved, 0, target, j);
    if (nearest.separation > margin) {
      const next = t + goodFor(leg, nearest.separation - margin);
      if (next >= end) return;
      if (next - t > lasting * (end - t)) {
        t = next;
        continue;
      }
    }
    nearestTriangles(moved, 0, target, j);
    verdict.steps++;
    if (!(nearest.separation > margin)) tryAllAxes();
    if (!(nearest.separation > margin)) {
      verdict.clear = false;
      verdict.undecided = nearest.distanceSq > margin * margin;
      verdict.at = t;
      verdict.i = i / 9;
      verdict.j = j / 9;
      verdict.separation = nearest.separation;
      return;
    }
    // Most of the way to the margin, so that the next step starts clear of it.
    const next = t + goodFor(leg, nearest.separation - margin);
    if (next >= end) return;
    t = next;
    if (step >= maxSteps) {
      verdict.clear = false;
      verdict.undecided = true;
      verdict.at = t;
      verdict.i = i / 9;
      verdict.j = j / 9;
      verdict.separation = nearest.separation;
      return;
    }
  }
}

/** Of what is left of the way. */
const lasting = 1 / 8;

/** The time for which the corners of `moved`, now more than `room` away along `nearest`, keep all but that of it. */
function goodFor(leg: Leg, room: number): number {
  const { x: dx, y: dy, z: dz } = nearest;
  const v = leg.translation;
  if (v) {
    const rate = dx * v.x + dy * v.y + dz * v.z;
    // What rounding makes of a direction at right angles is covered by the margin.
    const tiny = 1e-15 * (Math.abs(v.x) + Math.abs(v.y) + Math.abs(v.z));
    return rate >= -tiny && tiny < room ? Infinity : room / -rate;
  }
  const { axis: n, pivot: o, angle } = leg;
  // The part of d across the axis is all that turns.
  const along = dx * n.x + dy * n.y + dz * n.z;
  const ex = dx - along * n.x;
  const ey = dy - along * n.y;
  const ez = dz - along * n.z;
  const across = Math.sqrt(ex * ex + ey * ey + ez * ez);
  let low = Infinity;
  for (let k = 0; k < 9; k += 3)
    low = Math.min(low, dx * moved[k]! + dy * moved[k + 1]! + dz * moved[k + 2]!);
  let time = Infinity;
  for (let k = 0; k < 9; k += 3) {
    const x = moved[k]! - o.x;
    const y = moved[k + 1]! - o.y;
    const z = moved[k + 2]! - o.z;
    const cx = n.y * z - n.z * y;
    const cy = n.z * x - n.x * z;
    const cz = n.x * y - n.y * x;
    const rate = angle * (dx * cx + dy * cy + dz * cz);
    const bend = angle * angle * across * Math.sqrt(cx * cx + cy * cy + cz * cz);
    const own = room + (dx * moved[k]! + dy * moved[k + 1]! + dz * moved[k + 2]! - low);
    // own + rate τ - bend τ² / 2 = 0.
    const root = Math.sqrt(rate * rate + 2 * bend * own);
    const tau = rate <= 0 ? (2 * own) / (root - rate) : (rate + root) / bend;
    if (tau < time) time = tau;
  }
  return time;
}
