/**
 * When does a point that moves along a curve first meet a solid? "Precise Generalized
 * Contact Point and Normal Determination", Algorithms 2 and 3, with right bounds.
 *
 *        bend                The box about the chord from p(a) to p(b), wider by how far the curve may bend away from it,
 *      ┌─────────────────┐   holds the curve. If the solid is not in there, nor is a contact. If it is, the time is halved,
 *      │ a ─── chord ─ b │   the earlier half first, until the chord is as good as the curve: then the segment is asked.
 *      └─────────────────┘
 *
 * The paper's box is too small for most curves: an arc that is longer than its chord by ν may be off by ½√(L² − d²), not ν/2.
 */
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeObb } from '../../primitives/types.ts';
import type { RelativePath } from './relative-path.ts';
import type { Solid } from './solid.ts';

/** Of an interval: its times, and where the point is then. */
const FIELDS = 8;
/** Intervals are not cut shorter: then rounding is all there is. */
const SHORTEST = 3.5e-15;
/** Relative to the coordinates: a chord that is off by no more is the curve. */
const STRAIGHT = 4e-12;
const MOST_STEPS = 20000;

export class PointSearch {
  /** Where the point is at the contact that was found, in the space of the solid. */
  readonly point = vec3();
  private readonly path: RelativePath;
  private readonly solid: Solid;
  private readonly tolerance: number;
  /** The point stands for a ball. */
  private readonly radius: number;
  /** Algorithm 3: no boxes. */
  private readonly segmentsOnly: boolean;
  /** One interval waits for each halving. */
  private readonly waiting = new Float64Array(FIELDS * 64);
  private count = 0;
  private readonly a = vec3();
  private readonly b = vec3();
  private readonly c = vec3();
  /** The times of the chord from `a` to `b`. */
  private start = 0.5;
  private end = 0.5;
  private readonly box = makeObb();

  constructor(path: RelativePath, solid: Solid, radius: number, tolerance: number, segmentsOnly: boolean) {
    this.path = path;
    this.solid = solid;
    this.radius = radius;
    this.tolerance = tolerance;
    // A ball has no segments.
    this.segmentsOnly = segmentsOnly && radius === 0;
  }

  /** When, in a span of time, the point u of the mover first meets the solid; Infinity if not until `limit`. */
  first(u: ReadonlyVec3, from: number, end: number, limit: number): number {
    const { path, radius, solid, a, b } = this;
    const to = halvedTo(from, end, limit);
    path.follow(u);
    path.at(from, a);
    path.at(to, b);
    if (this.passesBounds(path.bend(to - from) + radius)) return Infinity;
    if (radius > 0 && solid.signedDistance !== undefined) return this.approach(from, Math.min(to, limit));
    this.count = 0;
    this.wait(from, to);
    return this.bisect(limit);
  }

  /**
   * When, at the earliest, a ball about the point u may meet the solid, in the same way; Infinity if not until `limit`. Only as
   * precise as the ball is large: to leave aside all samples in it.
   */
  firstOfBall(u: ReadonlyVec3, size: number, from: number, to: number, limit: number): number {
    const { path, radius, a, b } = this;
    const around = radius + size;
    const until = halvedTo(from, to, limit);
    path.follow(u);
    path.at(from, a);
    path.at(until, b);
    this.count = 0;
    this.wait(from, until);
    while (this.count > 0) {
      this.next();
      const { start, end } = this;
      if (start > limit) return Infinity;
      const bend = path.bend(end - start);
      if (bend <= size) {
        // No farther than what counts.
        if (end > limit) v3.lerp(a, b, (limit - start) / (end - start), b);
        if (!this.passesBounds(bend + around) && this.meetsBox(bend + around)) return start;
      } else if (!this.passesBounds(bend + around) && this.meetsBox(bend + around)) {
        if (end - start <= SHORTEST) return start;
        this.halve(start, end);
      }
    }
    return Infinity;
  }

  /** Algorithms 2 and 3, for the spans that wait. */
  private bisect(limit: number): number {
    const { path, solid, radius, tolerance, segmentsOnly, a, b, point } = this;
    while (this.count > 0) {
      this.next();
      const { start: from } = this;
      let { end: to } = this;
      if (from > limit) return Infinity;
      let bend = path.bend(to - from);
      if (bend <= tolerance && to > limit) {
        // No farther than what counts.
        to = limit;
        path.at(to, b);
        bend = path.bend(to - from);
      }
      if (this.passesBounds(bend + radius)) continue;
      const isFine = bend <= tolerance && radius === 0;
      const isStraight = isFine && (segmentsOnly || bend <= STRAIGHT * (v3.length(a) + v3.length(b)));
      if (!isStraight && !segmentsOnly && !this.meetsBox(bend + radius)) continue;
      if (isFine) {
        const s = solid.segment(a, b);
        if (s !== null) {
          v3.lerp(a, b, s, point);
          return from + s * (to - from);
        }
        if (isStraight) continue;
      }
      if (!segmentsOnly) {
        if (v3.distance(a, b) / 2 + bend <= Math.max(tolerance, radius / 16) || to - from <= SHORTEST) {
          v3.copy(a, point);
          return from;
        }
      }
      this.halve(from, to);
    }
    return Infinity;
  }

  /** Both halves wait, the earlier one to be next. */
  private halve(from: number, to: number): void {
    const { path, a, b, c } = this;
    const middle = (from + to) / 2;
    path.at(middle, c);
    const { x, y, z } = a;
    v3.copy(c, a);
    this.wait(middle, to);
    v3.set(x, y, z, a);
    v3.copy(c, b);
    this.wait(from, middle);
  }

  /** The span that was put there last. */
  private next(): void {
    const { waiting, a, b } = this;
    const at = FIELDS * --this.count;
    this.start = waiting[at]!;
    this.end = waiting[at + 1]!;
    v3.set(waiting[at + 2]!, waiting[at + 3]!, waiting[at + 4]!, a);
    v3.set(waiting[at + 5]!, waiting[at + 6]!, waiting[at + 7]!, b);
  }

  private wait(from: number, to: number): void {
    const { waiting, a, b } = this;
    const at = FIELDS * this.count++;
    waiting[at] = from;
    waiting[at + 1] = to;
    waiting[at + 2] = a.x;
    waiting[at + 3] = a.y;
    waiting[at + 4] = a.z;
    waiting[at + 5] = b.x;
    waiting[at + 6] = b.y;
    waiting[at + 7] = b.z;
  }

  /** A ball goes on by how far it is from the solid, at its greatest speed: never late. */
  private approach(from: number, limit: number): number {
    const { path, solid, radius, tolerance, point } = this;
    let t = from;
    for (let i = 0; i < MOST_STEPS; i++) {
      path.at(t, point);
      const free = solid.signedDistance!(point) - radius;
      if (free <= tolerance) break;
      if (!(path.speed > 0)) return Infinity;
      t += free / path.speed;
      if (!(t <= limit)) return Infinity;
    }
    return t;
  }

  /** Does the chord, with so much around it, pass by the bounds of the solid? */
  private passesBounds(around: number): boolean {
    const { a, b, solid } = this;
    const { min, max } = solid.bounds;
    let enter = 0;
    let leave = 1;
    for (let axis = 0; axis < 3; axis++) {
      const from = component(a, axis);
      const along = component(b, axis) - from;
      const low = component(min, axis) - around - from;
      const high = component(max, axis) + around - from;
      if (along === 0) {
        if (low > 0 || high < 0) return true;
        continue;
      }
      const s = low / along;
      const t = high / along;
      enter = Math.max(enter, Math.min(s, t) * (1 - SLACK) - SLACK);
      leave = Math.min(leave, Math.max(s, t) * (1 + SLACK) + SLACK);
      if (enter > leave) return true;
    }
    return false;
  }

  /** Does the solid meet the box about the chord, with so much around it? */
  private meetsBox(around: number): boolean {
    const { a, b, box, solid } = this;
    const { center, halfSize } = box;
    v3.lerp(a, b, 0.5, center);
    halfSize.x = v3.distance(a, b) / 2 + around;
    halfSize.y = halfSize.z = around;
    alignBox(a, b, box.rotation.elements);
    return solid.box(box);
  }
}

/** The end of what is left of a span that is halved as long as nothing after the half counts: its times stay those of other points. */
function halvedTo(from: number, to: number, limit: number): number {
  let end = to;
  for (let middle = (from + end) / 2; middle > limit && middle < end; middle = (from + end) / 2) end = middle;
  return end;
}

/** Of a fraction of the chord: rounding. */
const SLACK = 1e-12;

const component = ({ x, y, z }: ReadonlyVec3, axis: number): number => (axis === 0 ? x : axis === 1 ? y : z);

const along = vec3();
const across = vec3();
const up = vec3();

/** Axes of which the first goes from a to b. */
function alignBox(a: ReadonlyVec3, b: ReadonlyVec3, elements: number[] | Float64Array): void {
  v3.sub(b, a, along);
  if (v3.length(along) > 0) v3.normalize(along, along);
  else v3.set(1, 0, 0, along);
  v3.perpendicular(along, across);
  v3.cross(along, across, up);
  write(along, elements, 0);
  write(across, elements, 3);
  write(up, elements, 6);
}

function write({ x, y, z }: ReadonlyVec3, elements: number[] | Float64Array, at: number): void {
  elements[at] = x;
  elements[at + 1] = y;
  elements[at + 2] = z;
}
