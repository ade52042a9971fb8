/** Better axes for a box, by trying. RTCD §4.4.4–4.4.5. */
import * as m3 from '../math/mat3.ts';
import type { Mat3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeRectangle2, rectangleAround } from './rectangle.ts';

/**
 * The axes with the smallest rectangle seen along axis `keep`, which stays.
 *
 * @internal
 */
export function rectangleAlong(corners: readonly Vec3[], axes: Mat3, keep: number): Mat3 {
  const [u, v, w] = [m3.column(axes, (keep + 1) % 3), m3.column(axes, (keep + 2) % 3), m3.column(axes, keep)];
  const seen = corners.map((p) => ({ x: v3.dot(p, u), y: v3.dot(p, v) }));
  const { axis } = rectangleAround(seen, makeRectangle2());
  const first = v3.normalize(v3.addScaled(v3.scale(u, axis.x), v, axis.y));
  return m3.fromColumns(w, first, v3.cross(w, first));
}

/**
 * Turns the box about each of its own axes to the smallest rectangle seen along it, until no turn makes it smaller.
 *
 * @internal
 */
export function refineAxes(corners: readonly Vec3[], start: Mat3): Mat3 {
  let axes = start;
  let volume = boxVolume(corners, axes);
  let idle = 0;
  for (let k = 0, turns = 0; idle < 3 && turns < 1000; k = (k + 1) % 3, turns++) {
    const turned = rectangleAlong(corners, axes, k);
    const smaller = boxVolume(corners, turned);
    // Some boxes creep: a billionth is not worth another round.
    if (smaller < volume * (1 - 1e-9)) {
      axes = turned;
      volume = smaller;
      idle = 0;
      k = 2; // the kept axis became the first column: look along all three anew
    } else idle++;
  }
  return axes;
}

/** Half a right angle is as far as a box can be turned about one axis before it looks the same again. */
const COARSE_STEP = Math.PI / 12;
const FINE_STEP = 1e-5;

/**
 * Orientations sampled evenly around the start, then a climb from the best with steps that halve. A candidate is
 * given up as soon as its box is larger than the best, and the six corners that held the best box are measured first,
 * which gives up most of them at once.
 *
 * @internal
 */
export function searchAxes(corners: readonly Vec3[], start: Mat3): Mat3 {
  const order = [...corners];
  let axes = start;
  let best = tryBox(order, axes, Infinity);
  const attempt = (candidate: Mat3): boolean => {
    const volume = tryBox(order, candidate, best);
    if (!(volume < best)) return false;
    best = volume;
    axes = candidate;
    extremesFirst(order, axes);
    return true;
  };
  extremesFirst(order, axes);
  for (let i = -2; i <= 3; i++)
    for (let j = -2; j <= 3; j++)
      for (let k = -2; k <= 3; k++)
        attempt(turn(turn(turn(start, 0, i * COARSE_STEP), 1, j * COARSE_STEP), 2, k * COARSE_STEP));
  for (let step = COARSE_STEP / 2; step > FINE_STEP; step /= 2) {
    let rounds = 0;
    for (let better = true; better && rounds < 100; rounds++) {
      better = false;
      for (let axis = 0; axis < 3; axis++)
        better = attempt(turn(axes, axis, step)) || attempt(turn(axes, axis, -step)) || better;
    }
  }
  return axes;
}

/** The axes turned about one of themselves. */
const turn = (axes: Mat3, axis: number, angle: number): Mat3 =>
  m3.multiply(axes, m3.fromAxisAngle(vec3(+(axis === 0), +(axis === 1), +(axis === 2)), angle));

/**
 * Volume of the box along the axes.
 *
 * @internal
 */
export const boxVolume = (corners: readonly Vec3[], axes: Mat3): number => tryBox(corners, axes, Infinity);

/** The volume of the box along the axes, or Infinity once it reaches `limit`. */
function tryBox(corners: readonly Vec3[], axes: Mat3, limit: number): number {
  const [a, b, c, d, e, f, g, h, i] = axes.elements as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  let z0 = Infinity;
  let z1 = -Infinity;
  for (const p of corners) {
    const x = a * p.x + b * p.y + c * p.z;
    const y = d * p.x + e * p.y + f * p.z;
    const z = g * p.x + h * p.y + i * p.z;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
    if ((x1 - x0) * (y1 - y0) * (z1 - z0) >= limit) return Infinity;
  }
  return (x1 - x0) * (y1 - y0) * (z1 - z0);
}

/** Moves the corners that hold the box to the front. */
function extremesFirst(order: Vec3[], axes: Mat3): void {
  let front = 0;
  for (let k = 0; k < 3; k++) {
    const axis = m3.column(axes, k);
    for (const sign of [1, -1]) {
      let far = 0;
      let most = -Infinity;
      for (let i = 0; i < order.length; i++) {
        const p = order[i]!;
        const h = sign * (p.x * axis.x + p.y * axis.y + p.z * axis.z);
        if (h > most) {
          most = h;
          far = i;
        }
      }
      if (far < front) continue;
      const p = order[far]!;
      order[far] = order[front]!;
      order[front++] = p;
    }
  }
}
