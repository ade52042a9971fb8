/**
 * Decides in doubles when two primitives first come as near to each other as a distance d, their vertices moving in straight
 * lines; almost always. What it cannot decide goes to `exact-separation.ts`.
 *
 * Let w be a unit vector from the second thing to the first. The distance is at least min r · w over all differences r of a
 * vertex of the first and one of the second, and that is a minimum of linear functions of time. So a direction that separates
 * them at time t excludes all times until the first of these functions comes down to d: conservative advancement, with a
 * bound that is exact along w. The closest points at t give w. As the direction settles, the steps become those of Newton's
 * method.
 *
 * A difference is off by 2^-53 of itself, a product r · w by less than 8 × 2^-53 of the sizes: 32 × 2^-53 of them are allowed for.
 */
import { exponent, scalb } from '../../math/float.ts';
import { type Vec3, vec3 } from '../../math/types.ts';
import { closestOnSegments } from '../../primitives/closest/segment-segment.ts';
import { closestOnTriangle } from '../../primitives/closest/triangle.ts';
import { makeSegmentPair, makeTrianglePoint } from '../../primitives/closest/types.ts';
import { HIT, MISS, UNSURE } from './filter.ts';

const ROUNDING = 3.552713678800501e-15;
const TIME_ERROR = 1e-12;
const MOST_STEPS = 60;
const SMALL = 1e-60;
const LARGE = 1e60;
const ORIGIN: Vec3 = vec3();

export class SeparationFilter {
  /** The time that is looked at; that of a hit: not above the exact one, and below it by at most 1e-12 of it. */
  t = 0.5;
  /** What is asked about. */
  distance = 0.5;
  /** About the distance at time t. */
  gap = 0.5;
  /** From the closest point of the second thing to that of the first, at the time last looked at. */
  readonly direction = vec3(0.5, 0.5, 0.5);
  /** For a face: the weights of its three vertices at the closest point; for edges: where the closest points are on them. */
  u = 0.5;
  v = 0.5;
  w = 0.5;
  /** The differences at t = 0 and at t = 1, six numbers each: first thing minus second. */
  private readonly r = new Float64Array(24);
  private count = 3;
  /** Are the differences multiplied by a power of two? */
  private isScaled = false;
  /** Bounds the rounding of a distance. */
  private margin = 0.5;
  private far = 0.5;
  private near = 0.5;
  private readonly a = vec3(0.5, 0.5, 0.5);
  private readonly b = vec3(0.5, 0.5, 0.5);
  private readonly c = vec3(0.5, 0.5, 0.5);
  private readonly onTriangle = makeTrianglePoint();
  private readonly onSegments = makeSegmentPair();

  /** The four points are numbers[at … at + 11] at t = 0, and numbers[at + 12 … at + 23] at t = 1. */
  load(numbers: Float64Array, at: number, isFace: boolean): void {
    const { r } = this;
    this.count = isFace ? 3 : 4;
    let sizes = 0;
    for (let axis = 0; axis < 3; axis++) {
      let size = 0;
      for (let i = 0; i < this.count; i++) {
        const first = at + axis + (isFace ? 0 : 3 * (i & 1));
        const second = at + axis + (isFace ? 3 * (i + 1) : 6 + 3 * (i >> 1));
        const start = numbers[first]! - numbers[second]!;
        const end = numbers[first + 12]! - numbers[second + 12]!;
        r[6 * i + axis] = start;
        r[6 * i + 3 + axis] = end;
        size = Math.max(size, Math.abs(start), Math.abs(end));
      }
      sizes += size;
    }
    this.margin = ROUNDING * sizes + 1e-300;
    this.isScaled = !(sizes > SMALL && sizes < LARGE) && sizes > 0 && sizes < Infinity;
    if (this.isScaled) {
      // Squares would leave the range.
      const factor = scalb(1, -exponent(sizes));
      for (let i = 0; i < 24; i++) r[i]! *= factor;
    }
  }

  /** When they first are within `distance`: `MISS`, `HIT` (then `t` is set), or `UNSURE`. */
  first(): number {
    const { distance, margin } = this;
    if (this.isScaled) return UNSURE;
    this.far = distance + margin + 1e-15 * distance;
    this.near = distance - margin - 1e-15 * distance;
    this.t = 0;
    for (let i = 0; i < MOST_STEPS; i++) {
      this.closest();
      if (this.t === 0 && this.gap <= this.near) return this.confirm();
      if (!(this.gap > this.far)) break;
      const last = this.t;
      this.advance();
      if (this.t > 1) return MISS;
      if (!(this.t > last * (1 + 2e-16))) break;
    }
    return this.t > 0 ? this.confirm() : UNSURE;
  }

  /** The distance at time t, about, and where: sets `gap`, `direction`, `u`, `v`, `w`. */
  closest(): void {
    const { a, b, c, direction, onTriangle, onSegments } = this;
    this.read(0, a);
    this.read(1, b);
    this.read(2, c);
    if (this.count === 3) {
      // Differences p - a, p - b, p - c: the closest point of their triangle to 0.
      closestOnTriangle(ORIGIN, a, b, c, onTriangle);
      this.u = onTriangle.u;
      this.v = onTriangle.v;
      this.w = onTriangle.w;
      direction.x = onTriangle.point.x;
      direction.y = onTriangle.point.y;
      direction.z = onTriangle.point.z;
    } else {
      // With the second edge's start as origin: a, b; 0 and a - (a - d).
      c.x = a.x - c.x;
      c.y = a.y - c.y;
      c.z = a.z - c.z;
      closestOnSegments(a, b, ORIGIN, c, onSegments);
      this.u = onSegments.s;
      this.v = onSegments.t;
      direction.x = onSegments.a.x - onSegments.b.x;
      direction.y = onSegments.a.y - onSegments.b.y;
      direction.z = onSegments.a.z - onSegments.b.z;
    }
    this.gap = Math.sqrt(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
  }

  /** Difference i at time t. */
  private read(i: number, out: Vec3): void {
    const { r, t } = this;
    const at = 6 * i;
    out.x = r[at]! + t * (r[at + 3]! - r[at]!);
    out.y = r[at + 1]! + t * (r[at + 4]! - r[at + 1]!);
    out.z = r[at + 2]! + t * (r[at + 5]! - r[at + 2]!);
  }

  /** Moves t to when the direction stops to prove that they are farther apart than `far`; leaves it if it proves nothing. */
  private advance(): void {
    const { r, direction, count, t, gap, far } = this;
    const scale = 1 / gap;
    const x = direction.x * scale;
    const y = direction.y * scale;
    const z = direction.z * scale;
    let until = Infinity;
    for (let i = 0; i < 6 * count; i += 6) {
      const start = r[i]! * x + r[i + 1]! * y + r[i + 2]! * z - far;
      const end = r[i + 3]! * x + r[i + 4]! * y + r[i + 5]! * z - far;
      if (start > 0) {
        if (end > 0) continue;
        until = Math.min(until, (start / (start - end)) * (1 - 1e-15));
      } else if (!(end > 0) || (start / (start - end)) * (1 + 1e-15) > t) return;
    }
    if (until > t) this.t = until;
  }

  /** Nothing is near before t. Is there something soon after? Two points prove it, however they were found. */
  private confirm(): number {
    const { a, b, c, t } = this;
    this.t = Math.min(1, t * (1 + 0.9 * TIME_ERROR));
    this.closest();
    let { u, v, w } = this;
    if (this.count === 3) {
      const sum = u + v + w;
      if (!(u >= 0 && v >= 0 && w >= 0 && Math.abs(sum - 1) < 1e-6)) return UNSURE;
      u /= sum;
      v /= sum;
      w /= sum;
    } else {
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return UNSURE;
      w = -v;
      v = u;
      u = 1 - u;
    }
    const x = u * a.x + v * b.x + w * c.x;
    const y = u * a.y + v * b.y + w * c.y;
    const z = u * a.z + v * b.z + w * c.z;
    this.t = t;
    return Math.sqrt(x * x + y * y + z * z) <= this.near ? HIT : UNSURE;
  }
}
