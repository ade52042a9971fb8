/**
 * Searches over the points of a shape that is known by a bound of its distance only (a field), for the one that is nearest to
 * another body, deepest in it, or first to meet it. Space is cut into cubes, the most promising first. A cube of radius r
 * about c holds no point of the field where the bound at c is above r, and no point of it is nearer to the other body than
 * the distance of c less r. So what is known about the rest of space is certain at every time: nothing between the samples is
 * missed. The search ends when it has looked at so many cubes, or they are as small as rounding; then a descent along the
 * surface makes the best of them precise. After the certainty variant of generalized contact determination, with time as
 * the key for casts.
 */
import { ContextPool } from '../../convex/context-pool.ts';
import { type Frame, makeFrame, toSecond } from '../../convex/frame.ts';
import { refuse } from '../../math/check.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { copyPoint } from '../body-space.ts';
import { signedDistanceShape } from '../one-body/any-shape.ts';
import { BodyContext } from '../one-body/body-context.ts';
import type { FieldShape, Shape } from '../shape.ts';
import { Cell, CellQueue } from './cell-queue.ts';
import { isField } from './field.ts';

/** From half of the side of a cube to its radius, rounded up. */
const RADIUS = 1.7320508075688774;
/** Cubes that one search looks at. The bound of what is left is the size of the shapes by about a tenth of this. */
const MOST_CELLS = 12000;
/** Cubes are not halved further, relative to the coordinates of the field. */
const SMALLEST = 2e-14;
/** Relative to the sizes: how far apart points are for the difference of two values to be a derivative. */
const STEP = 1e-5;
/** For second derivatives. */
const WIDE_STEP = 1e-3;
/** What rounding may add to the difference of two values of a bound, relative to the coordinates. */
const ROUNDING = 1e-9;
const MOST_DESCENTS = 40;
/** Cubes before the first descent, and between two. */
const FIRST_PAUSE = 400;
const PAUSE = 1500;
const MOST_KNOWN = 8;
/** Cosines of eighths of the circle. */
const RING = [1, 0.7071067811865476, 0, -0.7071067811865476, -1, -0.7071067811865476, 0, 0.7071067811865476];

/** How the other body moves, seen from the field. */
export interface Trajectory {
  /** The pose of the other body at a time. */
  frameAt(t: number, out: Frame): void;
  /** No point of the field that is within r of p moves faster past the other body, nor has until time 1. */
  speedOf(p: ReadonlyVec3): number;
}

export class FieldSearch {
  /** Whose points are searched: those with `side` · bound <= 0. */
  private field!: FieldShape;
  private side: 1 | -1 = 1;
  private other!: Shape;
  /** The pose of the other body, seen from the field. */
  readonly frame = makeFrame();
  private readonly otherContext = new BodyContext();
  private readonly otherPoint = vec3();
  private readonly queue = new CellQueue();
  private readonly cell = new Cell();
  private readonly child = new Cell();
  /** The sizes of the field. */
  size = 0.5;
  private largest = 0.5;
  /** Where values are taken; at the end, the best point that was found. */
  readonly point = vec3();
  /** What is certain: nothing is nearer, or meets earlier. */
  bound = 0.5;
  /** The value at `point`: a distance, or a time. */
  value = 0.5;
  /** The radius of the cube in which it was found. */
  radius = 0.5;
  /** Unit vector out of the other body, at `point`. */
  readonly normal = vec3();
  private readonly own = vec3();
  private readonly along = vec3();
  private readonly across = vec3();
  private readonly next = vec3();
  private readonly start = vec3();
  private readonly best = vec3();
  /** Balls whose least value is known: centre and radius. */
  private readonly known = new Float64Array(4 * MOST_KNOWN);
  private knownCount = 0;
  private close = 0.5;
  /** Values taken, and how many before the next descent. */
  private count = 0;
  private pause = 0;
  private trajectory: Trajectory | null = null;

  begin(field: FieldShape, side: 1 | -1, other: Shape): this {
    const { min, max } = field.bounds;
    this.field = field;
    this.side = side;
    this.other = other;
    const extent = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    this.size = extent;
    this.largest = extent + Math.max(Math.abs(min.x + max.x), Math.abs(min.y + max.y), Math.abs(min.z + max.z));
    return this;
  }

  /** The bound of the field at `point`. */
  private within(): number {
    return this.side * this.field.bound(this.point);
  }

  /** The distance of `point` from the other body; negative inside. */
  distance(): number {
    const { other } = this;
    const p = toSecond(this.frame, this.point, this.otherPoint);
    if (isField(other)) return other.bound(p);
    return signedDistanceShape(other, p, this.otherContext);
  }

  private root(bounds: ReadonlyAabb, grown: number): void {
    const { min, max } = bounds;
    const { child, queue, point } = this;
    queue.clear();
    child.half = grown * (this.size / 2) + SMALLEST * this.largest;
    point.x = child.x = (min.x + max.x) / 2;
    point.y = child.y = (min.y + max.y) / 2;
    point.z = child.z = (min.z + max.z) / 2;
    child.value = this.within();
  }

  /** Puts child number i of the cell into `child` and `point`. False if the field has no point in it. */
  private enter(i: number): boolean {
    const { cell, child, point } = this;
    const half = cell.half / 2;
    child.half = half;
    point.x = child.x = cell.x + (i & 1 ? half : -half);
    point.y = child.y = cell.y + (i & 2 ? half : -half);
    point.z = child.z = cell.z + (i & 4 ? half : -half);
    const value = this.within();
    this.count++;
    if (!(Math.abs(value - cell.value) <= RADIUS * half * (1 + ROUNDING) + ROUNDING * this.largest))
      this.refuseSteep();
    child.value = value;
    return value <= RADIUS * half;
  }

  private refuseSteep(): never {
    const { field, cell, child } = this;
    refuse(
      field.kind,
      'the distance',
      `changes by ${Math.abs(child.value - cell.value)} from (${cell.x}, ${cell.y}, ${cell.z}) to ` +
        `(${child.x}, ${child.y}, ${child.z}), which is more than they are apart: give it the right lipschitz constant`,
    );
  }

  /**
   * The point nearest to the other body, or deepest in it. False if none is within `limit`. With `any`, the first point found
   * that is in both.
   */
  nearest(limit: number, any: boolean): boolean {
    const { queue, cell, child } = this;
    this.root(this.field.bounds, this.side < 0 ? 1.5 : 1);
    child.key = -Infinity;
    queue.add(child);
    this.begin2();
    const smallest = SMALLEST * this.largest;
    while (queue.size > 0) {
      queue.take(cell);
      if (cell.key > limit || cell.key >= this.value - this.close) break;
      if (this.isKnown()) continue;
      if (cell.half <= smallest || this.count >= this.pause) {
        copyPoint(cell, this.point);
        this.radius = RADIUS * cell.half;
        this.descend();
        this.keep(this.distance());
        if (cell.half <= smallest || this.count > MOST_CELLS) break;
        if (this.isKnown()) continue;
      }
      for (let i = 0; i < 8; i++) {
        if (!this.enter(i)) continue;
        const away = this.distance();
        if (any && child.value <= 0 && away <= 0) {
          this.value = this.bound = away;
          return true;
        }
        child.key = Math.max(cell.key, away - RADIUS * child.half);
        if (!(child.key > limit) && child.key < this.value) queue.add(child);
      }
    }
    this.bound = Math.min(cell.key, this.value);
    copyPoint(this.best, this.point);
    return this.value <= limit;
  }

  /**
   * When do they first meet? False if not until `limit`. The other body moves as the trajectory says; `frame` ends where it
   * is at that time.
   */
  first(trajectory: Trajectory, limit: number): boolean {
    const { queue, cell, child, frame } = this;
    this.root(this.field.bounds, 1);
    child.key = this.trace(trajectory, 0, limit);
    if (!(child.key <= limit)) return false;
    queue.add(child);
    this.begin2();
    this.trajectory = trajectory;
    const smallest = SMALLEST * this.largest;
    while (queue.size > 0) {
      queue.take(cell);
      if (cell.key >= this.value) break;
      if (this.isKnown()) continue;
      if (cell.half <= smallest || this.count >= this.pause) {
        this.keep(this.contactTime(limit));
        if (cell.half <= smallest || this.count > MOST_CELLS) break;
        if (this.isKnown()) continue;
      }
      for (let i = 0; i < 8; i++) {
        if (!this.enter(i)) continue;
        child.key = this.trace(trajectory, cell.key, limit);
        if (child.key <= limit && child.key < this.value) queue.add(child);
      }
    }
    this.trajectory = null;
    this.bound = Math.min(cell.key, this.value);
    if (!(this.value <= limit)) return false;
    copyPoint(this.best, this.point);
    trajectory.frameAt(this.value, frame);
    return true;
  }

  private begin2(): void {
    this.value = Infinity;
    this.close = 1e-12 * this.largest;
    this.count = 0;
    this.pause = FIRST_PAUSE;
    this.knownCount = 0;
  }

  /** Is the cell within a region whose least value is known? */
  private isKnown(): boolean {
    const { cell, known } = this;
    const radius = RADIUS * cell.half;
    for (let i = 0, at = 0; i < this.knownCount; i++, at += 4) {
      const dx = cell.x - known[at]!;
      const dy = cell.y - known[at + 1]!;
      const dz = cell.z - known[at + 2]!;
      const reach = known[at + 3]! - radius;
      if (reach > 0 && dx * dx + dy * dy + dz * dz <= reach * reach) return true;
    }
    return false;
  }

  /**
   * Notes `point`, where a descent has ended, and its value. If the values around it are larger, and the more so the farther away,
   * nothing smaller is looked for there: only at the least of a smooth function are cubes slow to rule it out.
   */
  private keep(value: number): void {
    const { point, best, known, start } = this;
    this.pause = this.count + PAUSE;
    if (value < this.value) {
      this.value = value;
      copyPoint(point, best);
    }
    if (this.knownCount >= MOST_KNOWN) return;
    copyPoint(point, start);
    for (let reach = this.size / 8; reach > this.size / 1000; reach /= 2) {
      if (!this.isBowl(start, value, reach)) continue;
      const at = 4 * this.knownCount++;
      known[at] = start.x;
      known[at + 1] = start.y;
      known[at + 2] = start.z;
      known[at + 3] = reach;
      break;
    }
  }

  /** Do the values rise from a point of the surface, in all directions along it? */
  private isBowl(center: ReadonlyVec3, value: number, reach: number): boolean {
    const { point, own, along, across } = this;
    copyPoint(center, point);
    this.gradient(true, own);
    if (!normalize(own)) return false;
    perpendicular(own, along);
    cross(own, along, across);
    const radius = this.radius;
    this.radius = reach;
    let rises = true;
    for (let i = 0; i < 8 && rises; i++) {
      let before = value;
      for (let k = 1; k <= 3 && rises; k++) {
        const r = (reach * k) / 3;
        point.x = center.x + r * (RING[i]! * along.x + RING[(i + 2) & 7]! * across.x);
        point.y = center.y + r * (RING[i]! * along.y + RING[(i + 2) & 7]! * across.y);
        point.z = center.z + r * (RING[i]! * along.z + RING[(i + 2) & 7]! * across.z);
        const there = this.project() ? this.valueOfPoint() : Infinity;
        rises = there > before;
        before = there;
      }
    }
    this.radius = radius;
    return rises;
  }

  private valueOfPoint(): number {
    const { trajectory, child, point } = this;
    if (trajectory === null) return this.distance();
    copyPoint(point, child);
    child.half = 1e-9 * this.size;
    return this.trace(trajectory, 0, 2);
  }

  /** When the ball about `child` may first meet the other body, from a time on; Infinity if not before the limit. */
  private trace(trajectory: Trajectory, from: number, limit: number): number {
    const { child, point, frame } = this;
    const radius = RADIUS * child.half;
    copyPoint(child, point);
    const speed = trajectory.speedOf(point) * (1 + ROUNDING) ;
    let t = from;
    for (let i = 0; i < MOST_STEPS; i++) {
      trajectory.frameAt(t, frame);
      const free = this.distance() - radius;
      if (!(free > NEAR * radius)) break;
      if (!(speed > 0)) return Infinity;
      t += free / speed;
      if (!(t <= limit)) return Infinity;
    }
    return t;
  }

  /** The time at which the cell, as good as in touch at its own, touches. */
  private contactTime(limit: number): number {
    const { cell, point, frame } = this;
    const trajectory = this.trajectory!;
    const radius = RADIUS * cell.half;
    let t = cell.key;
    this.radius = radius;
    copyPoint(cell, point);
    trajectory.frameAt(t, frame);
    this.descend();
    // Newton's method, for the nearest point of the field, which moves along its surface meanwhile.
    for (let i = 0; i < MOST_NEWTON; i++) {
      const away = this.distance();
      if (Math.abs(away) <= this.close) break;
      const h = (STEP * this.size) / Math.max(trajectory.speedOf(point), 1e-300);
      trajectory.frameAt(t + h, frame);
      const later = this.distance();
      trajectory.frameAt(t - h, frame);
      const closing = (this.distance() - later) / (2 * h);
      const step = away / closing;
      if (!(closing > 0) || !(Math.abs(t + step - cell.key) * closing <= LATE * radius + this.close)) {
        // It glides along the other body: the bound is as good as can be said.
        trajectory.frameAt(cell.key, frame);
        copyPoint(cell, point);
        return cell.key;
      }
      t = Math.min(limit, t + step);
      trajectory.frameAt(t, frame);
      this.descend();
    }
    return Math.max(0, Math.min(t, limit));
  }

  /** Fills in the normal of the other body at `point`. */
  takeNormal(): Vec3 {
    const { normal } = this;
    this.gradient(false, normal);
    return unit(normal);
  }

  /** The gradient of the field's bound (`own`) or of the distance from the other body at `point`. */
  private gradient(own: boolean, out: Vec3): void {
    const { point } = this;
    const { x, y, z } = point;
    const h = STEP * this.size;
    point.x = x + h;
    let high = own ? this.within() : this.distance();
    point.x = x - h;
    const gx = high - (own ? this.within() : this.distance());
    point.x = x;
    point.y = y + h;
    high = own ? this.within() : this.distance();
    point.y = y - h;
    const gy = high - (own ? this.within() : this.distance());
    point.y = y;
    point.z = z + h;
    high = own ? this.within() : this.distance();
    point.z = z - h;
    const gz = high - (own ? this.within() : this.distance());
    point.z = z;
    out.x = gx / (2 * h);
    out.y = gy / (2 * h);
    out.z = gz / (2 * h);
  }

  /** Puts `point` onto the surface of the field, along its gradient. False where it cannot be reached. */
  private project(): boolean {
    const { point, own } = this;
    const close = 1e-14 * this.largest;
    const most = 8 * this.radius + close;
    let moved = 0;
    for (let i = 0; i < 12; i++) {
      const value = this.within();
      if (Math.abs(value) <= close) return true;
      this.gradient(true, own);
      const slope = own.x * own.x + own.y * own.y + own.z * own.z;
      if (!(slope > 1e-6)) return false;
      const k = value / slope;
      moved += Math.abs(k) * Math.sqrt(slope);
      if (!(moved <= most)) return false;
      point.x -= k * own.x;
      point.y -= k * own.y;
      point.z -= k * own.z;
    }
    return Math.abs(this.within()) <= 64 * close;
  }

  /**
   * From `point`, downhill along the surface of the field to where it is nearest to the other body: Newton's method for the
   * Lagrangian in the tangent plane, damped. Stays within a few radii of the cube. Edges and corners of the field stop it: there
   * the cubes alone have come near enough.
   */
  private descend(): void {
    const { point, start, own, normal, along, across, next } = this;
    copyPoint(point, start);
    if (!this.project()) {
      copyPoint(start, point);
      return;
    }
    const reach = 16 * this.radius + 1e-3 * this.size;
    const h = WIDE_STEP * this.size;
    let value = this.distance();
    let damping = 1e-9;
    for (let i = 0; i < MOST_DESCENTS; i++) {
      this.gradient(true, own);
      if (!normalize(own)) break;
      this.gradient(false, normal);
      const pull = normal.x * own.x + normal.y * own.y + normal.z * own.z;
      perpendicular(own, along);
      cross(own, along, across);
      const gu = normal.x * along.x + normal.y * along.y + normal.z * along.z;
      const gv = normal.x * across.x + normal.y * across.y + normal.z * across.z;
      if (gu * gu + gv * gv <= 1e-22) break;
      // Second derivatives of distance - pull · bound.
      copyPoint(point, next);
      const middle = value - pull * this.within();
      const uu = (this.lagrangian(h, 0, pull) - 2 * middle + this.lagrangian(-h, 0, pull)) / (h * h);
      const vv = (this.lagrangian(0, h, pull) - 2 * middle + this.lagrangian(0, -h, pull)) / (h * h);
      const uv =
        (this.lagrangian(h, h, pull) -
          this.lagrangian(h, -h, pull) -
          this.lagrangian(-h, h, pull) +
          this.lagrangian(-h, -h, pull)) /
        (4 * h * h);
      // Downhill in all directions: the smaller eigenvalue is made positive.
      const mean = (uu + vv) / 2;
      const spread = Math.sqrt(((uu - vv) * (uu - vv)) / 4 + uv * uv);
      const shift = Math.max(0, spread - mean) * 2 + 1e-6 / this.size;
      let better = false;
      for (let k = 0; k < 12; k++) {
        const a = uu + shift + damping / this.size;
        const c = vv + shift + damping / this.size;
        const determinant = a * c - uv * uv;
        const su = -(c * gu - uv * gv) / determinant;
        const sv = -(a * gv - uv * gu) / determinant;
        const length = Math.sqrt(su * su + sv * sv);
        const scale = length > reach / 4 ? reach / 4 / length : 1;
        point.x = next.x + scale * (su * along.x + sv * across.x);
        point.y = next.y + scale * (su * along.y + sv * across.y);
        point.z = next.z + scale * (su * along.z + sv * across.z);
        if (this.project() && distanceBetween(point, start) <= reach) {
          const there = this.distance();
          if (there < value) {
            value = there;
            better = true;
            damping = Math.max(1e-9, damping / 8);
            break;
          }
        }
        damping = 10 * damping + 1e-3;
      }
      if (!better) {
        copyPoint(next, point);
        break;
      }
    }
  }

  /** At `next`, so far away in the tangent plane. */
  private lagrangian(u: number, v: number, pull: number): number {
    const { point, next, along, across } = this;
    point.x = next.x + u * along.x + v * across.x;
    point.y = next.y + u * along.y + v * across.y;
    point.z = next.z + u * along.z + v * across.z;
    const value = this.distance() - pull * this.within();
    copyPoint(next, point);
    return value;
  }
}

const MOST_STEPS = 48;
/** Relative to its radius: a ball is as good as in touch. */
const NEAR = 1e-2;
const MOST_NEWTON = 16;
/** Relative to the radius of the last cubes: how much later than what is certain a contact may be. */
const LATE = 16;

const distanceBetween = (p: ReadonlyVec3, q: ReadonlyVec3): number =>
  Math.sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));

function normalize(v: Vec3): boolean {
  const length = Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  if (!(length > 1e-6)) return false;
  v.x /= length;
  v.y /= length;
  v.z /= length;
  return true;
}

function unit(v: Vec3): Vec3 {
  if (!normalize(v)) {
    v.x = 0;
    v.y = 1;
    v.z = 0;
  }
  return v;
}

function perpendicular({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  out.x = ax <= ay && ax <= az ? 0 : ay <= az ? -z : y;
  out.y = ax <= ay && ax <= az ? z : ay <= az ? 0 : -x;
  out.z = ax <= ay && ax <= az ? -y : ay <= az ? x : 0;
  normalize(out);
}

function cross(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3): void {
  out.x = a.y * b.z - a.z * b.y;
  out.y = a.z * b.x - a.x * b.z;
  out.z = a.x * b.y - a.y * b.x;
}

const pool = /* @__PURE__ */ new ContextPool(() => new FieldSearch());

/** A search that nobody else uses until `releaseSearch`. */
export const takeSearch = (): FieldSearch => pool.take();

/** To be called in a `finally`: a user's function may throw. */
export const releaseSearch = (): void => pool.release();
