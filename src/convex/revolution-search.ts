/**
 * Penetration of a body of revolution: how far the difference of two cores extends in the directions around the axis of
 * one of them, and in which of them least. A body deep in a cylinder, a cone or an ellipsoid of revolution, near the axis,
 * comes out on all sides nearly as soon: an expanding polytope would have to approximate the whole circle. But the round
 * body is the same in all directions of one latitude, and only the extent of the other one has to be found.
 *
 * Along a circle of directions v = (cos, sin) the extent is what both bodies have in common on the circle, a constant, plus
 * the largest of cuts k + x cos + y sin, one for each support point. Cuts touch the extent from below where they were
 * taken. So between two of them it is no less than the larger one: a lower bound, which says where to look next, and when
 * to stop. A polytope has finitely many cuts, and the search ends with the least extent, to rounding. The latitude is then
 * found by Brent's method (1973), which does not need derivatives.
 */
import { asin, cos, sin } from '../math/trig.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import {
  type AxisSearch,
  CONE,
  type ConvexCore,
  CYLINDER,
  ELLIPSOID,
  PEELED,
  POLYTOPE,
  supportCore,
} from './core.ts';
import type { Frame } from './frame.ts';
import { directionToSecond, toFirst } from './frame.ts';

/** Rounding of an extent, when sizes are about 1. */
const TOLERANCE = 2e-14;
const MOST_CUTS = 128;
/** So many are enough to tell the minima from each other: corners of a polytope, or a few of curved bodies. */
const MANY_CUTS = 48;
const FEW_CUTS = 16;
/** Latitudes looked at in search of the best one. */
const MOST_LATITUDES = 60;
/** The precision of a latitude: a kink is as steep as the bodies are large. */
const FINEST = 2e-11;
const QUARTER = Math.PI / 2;
/** Latitudes so near to each other, by their sines, have the same minima around the axis. */
const NEAR = 0.05;
/** The share of the larger part of an interval in golden section. */
const GOLDEN = 0.3819660112501051;

/** For cores of cylinders, cones and ellipsoids. @internal */
export const makeAxisSearch = (): AxisSearch => new RevolutionSearch();

/** What a search knows. Numbers are fields, since V8 boxes what is returned. */
class RevolutionSearch implements AxisSearch {
  least = Infinity;
  readonly direction = vec3();
  private owner: ConvexCore | null = null;
  private other: ConvexCore | null = null;
  private frame: Frame | null = null;
  /** Is the round body the first one? */
  private first = true;
  scale = 0.5;
  /** Along which the other body is asked, and its support point. */
  private readonly toOther = vec3();
  private readonly onOther = vec3();
  /** The axis of the round body and two directions across, to the first body. */
  private readonly axis = vec3();
  private readonly across = vec3();
  private readonly beside = vec3();
  /** Of an ellipsoid the radii along these. */
  private along = 0.5;
  private wide = 0.5;
  private deep = 0.5;
  /** The circle that is searched, and the least extent on it. Fields, since V8 boxes what goes through a call. */
  private latitude = 0.5;
  private found = 0.5;
  /** Where the next cut is taken. */
  private cutX = 0.5;
  private cutY = 0.5;
  /** Where the two cuts of an interval meet. */
  private meetX = 0.5;
  private meetY = 0.5;
  /** Latitudes between which Brent's method searches. */
  private low = 0.5;
  private high = 0.5;
  /** Sine and cosine of the latitude. */
  private sine = 0.5;
  private cosine = 0.5;
  /** Where on the last circle it was least. */
  private bestX = 1;
  private bestY = 0.5;
  /** What the round body has in common on the circle. */
  private common = 0.5;
  private count = 0;
  /** Where the cuts were taken, what they are, and the extent there. */
  private readonly vx = new Float64Array(MOST_CUTS);
  private readonly vy = new Float64Array(MOST_CUTS);
  private readonly k = new Float64Array(MOST_CUTS);
  private readonly x = new Float64Array(MOST_CUTS);
  private readonly y = new Float64Array(MOST_CUTS);
  private readonly extent = new Float64Array(MOST_CUTS);
  /** The next one around the circle; between the two the extent is no less than this, which would be there. */
  private readonly next = new Int32Array(MOST_CUTS);
  private readonly bound = new Float64Array(MOST_CUTS);
  private readonly boundX = new Float64Array(MOST_CUTS);
  private readonly boundY = new Float64Array(MOST_CUTS);

  private begin(a: ConvexCore, b: ConvexCore, frame: Frame, first: boolean): void {
    const { scale } = this;
    this.owner = first ? a : b;
    this.other = first ? b : a;
    this.frame = frame;
    this.first = first;
    this.least = Infinity;
    this.bestX = 1;
    this.bestY = 0;
    const { type, data } = this.owner;
    let up = 1;
    if (type === ELLIPSOID || type === PEELED) {
      up = data[0]! >= data[1]! && data[0]! >= data[2]! ? 0 : data[1]! >= data[2]! ? 1 : 2;
      this.along = scale * data[up]!;
      this.wide = scale * data[(up + 1) % 3]!;
      this.deep = scale * data[(up + 2) % 3]!;
    }
    this.setAxis(this.axis, up);
    this.setAxis(this.across, (up + 1) % 3);
    this.setAxis(this.beside, (up + 2) % 3);
  }

  private setAxis(out: Vec3, i: number): void {
    const f = this.frame!;
    out.x = this.first ? +(i === 0) : i === 0 ? f.m00 : i === 1 ? f.m01 : f.m02;
    out.y = this.first ? +(i === 1) : i === 0 ? f.m10 : i === 1 ? f.m11 : f.m12;
    out.z = this.first ? +(i === 2) : i === 0 ? f.m20 : i === 1 ? f.m21 : f.m22;
  }

  /** The latitude of the directions that the round body is left by on all sides: those of its side. */
  private sideLatitude(): number {
    const { type, data } = this.owner!;
    if (type !== CONE) return 0;
    const half = data[0]!;
    const radius = data[1]!;
    const latitude = asin(radius / Math.sqrt(radius * radius + 4 * half * half));
    return this.first ? latitude : -latitude;
  }

  covers({ x, y, z }: ReadonlyVec3): boolean {
    const { axis, direction: d } = this;
    const found = d.x * axis.x + d.y * axis.y + d.z * axis.z;
    return Math.abs(x * axis.x + y * axis.y + z * axis.z - found) < NEAR;
  }

  search(a: ConvexCore, b: ConvexCore, frame: Frame, first: boolean, best: ReadonlyVec3): void {
    this.begin(a, b, frame, first);
    const { axis } = this;
    const side = this.sideLatitude();
    const latitude = asin(Math.max(-1, Math.min(1, best.x * axis.x + best.y * axis.y + best.z * axis.z)));
    this.latitude = side;
    this.searchFrom();
    if (!(Math.abs(latitude - side) > 1e-3)) return;
    this.latitude = latitude;
    this.searchFrom();
  }

  /** Finds the least extent near the latitude. */
  private searchFrom(): void {
    let middle = this.latitude;
    this.onCircle();
    let least = this.found;
    // Steep on both sides: a kink, and nothing better near it.
    const close = 1e-6;
    this.latitude = middle - close;
    this.onCircle();
    let below = this.found;
    this.latitude = middle + close;
    this.onCircle();
    let above = this.found;
    if (below - least > 0.01 * close && above - least > 0.01 * close) return;
    // Downhill until it rises on both sides.
    let step = 1e-3;
    let low = middle - step;
    let high = middle + step;
    this.latitude = low;
    this.onCircle();
    below = this.found;
    this.latitude = high;
    this.onCircle();
    above = this.found;
    while (below < least && low > -QUARTER) {
      high = middle;
      middle = low;
      least = below;
      step *= 2;
      low -= step;
      this.latitude = low;
      this.onCircle();
      below = this.found;
    }
    while (above < least && high < QUARTER) {
      low = middle;
      middle = high;
      least = above;
      step *= 2;
      high += step;
      this.latitude = high;
      this.onCircle();
      above = this.found;
    }
    this.low = low;
    this.high = high;
    this.latitude = middle;
    this.found = least;
    this.brent();
  }

  /** The least extent between two latitudes, from one in between: by golden section, and parabolas where these fit. */
  private brent(): void {
    let { low, high, latitude: x, found: fx } = this;
    let w = x;
    let v = x;
    let fw = fx;
    let fv = fx;
    let step = 0;
    let before = 0;
    let still = 0;
    for (let i = 0; i < MOST_LATITUDES; i++) {
      const middle = (low + high) / 2;
      const finest = FINEST + 1e-16 * Math.abs(x);
      if (Math.abs(x - middle) <= 2 * finest - (high - low) / 2) return;
      let golden = true;
      if (Math.abs(before) > finest) {
        const r = (x - w) * (fx - fv);
        let q = (x - v) * (fx - fw);
        let p = (x - v) * q - (x - w) * r;
        q = 2 * (q - r);
        if (q > 0) p = -p;
        q = Math.abs(q);
        const last = before;
        before = step;
        if (Math.abs(p) < Math.abs(0.5 * q * last) && p > q * (low - x) && p < q * (high - x)) {
          step = p / q;
          golden = false;
        }
      }
      if (golden) {
        before = x < middle ? high - x : low - x;
        step = GOLDEN * before;
      }
      const u = Math.abs(step) >= finest ? x + step : x + (step > 0 ? finest : -finest);
      this.latitude = u;
      this.onCircle();
      const fu = this.found;
      // Level, as far as numbers can tell.
      still = Math.abs(fu - fx) <= TOLERANCE ? still + 1 : 0;
      if (still === 2) return;
      if (fu <= fx) {
        if (u < x) high = x;
        else low = x;
        v = w;
        fv = fw;
        w = x;
        fw = fx;
        x = u;
        fx = fu;
      } else {
        if (u < x) low = u;
        else high = u;
        if (fu <= fw || w === x) {
          v = w;
          fv = fw;
          w = u;
          fw = fu;
        } else if (fu <= fv || v === x || v === w) {
          v = u;
          fv = fu;
        }
      }
    }
  }

  /** The least extent in the directions of the latitude. */
  private onCircle(): void {
    this.sine = sin(this.latitude);
    this.cosine = Math.abs(cos(this.latitude));
    this.setCommon();
    const x = this.bestX;
    const y = this.bestY;
    this.count = 0;
    this.cutX = x;
    this.cutY = y;
    this.cut();
    this.cutX = -y;
    this.cutY = x;
    this.cut();
    this.cutX = -x;
    this.cutY = -y;
    this.cut();
    this.cutX = y;
    this.cutY = -x;
    this.cut();
    let best = 0;
    for (let i = 0; i < 4; i++) {
      this.next[i] = (i + 1) & 3;
      if (this.extent[i]! < this.extent[best]!) best = i;
    }
    for (let i = 0; i < 4; i++) this.boundAfter(i);
    const many = this.other!.type <= POLYTOPE ? MANY_CUTS : FEW_CUTS;
    while (this.count < MOST_CUTS) {
      // Of curved bodies there is no end of cuts. When they are many, only intervals with a minimum inside are narrowed.
      const narrow = this.count >= many;
      let lowest = -1;
      for (let i = 0; i < this.count; i++)
        if ((lowest < 0 || this.bound[i]! < this.bound[lowest]!) && (!narrow || this.hasMinimum(i)))
          lowest = i;
      if (lowest < 0 || !(this.extent[best]! - this.bound[lowest]! > TOLERANCE)) break;
      if (narrow && (this.count & 1) !== 0) this.aimBySlopes(lowest);
      const i = this.count;
      this.cutX = this.boundX[lowest]!;
      this.cutY = this.boundY[lowest]!;
      this.cut();
      this.next[i] = this.next[lowest]!;
      this.next[lowest] = i;
      this.boundAfter(lowest);
      this.boundAfter(i);
      if (this.extent[i]! < this.extent[best]!) best = i;
    }
    this.bestX = this.vx[best]!;
    this.bestY = this.vy[best]!;
    const extent = this.extent[best]!;
    if (extent < this.least) {
      this.least = extent;
      this.pointToBest();
    }
    this.found = extent;
  }

  /** How fast the extent grows around the circle, at a cut. */
  private slope(i: number): number {
    return this.y[i]! * this.vx[i]! - this.x[i]! * this.vy[i]!;
  }

  /** Does the extent fall after the cut and rise to the next one, by more than rounding? */
  private hasMinimum(i: number): boolean {
    const j = this.next[i]!;
    const width = Math.abs(this.vx[i]! * this.vy[j]! - this.vy[i]! * this.vx[j]!);
    const fall = -this.slope(i);
    const rise = this.slope(j);
    return fall > 0 && rise > 0 && Math.min(fall, rise) * width > TOLERANCE;
  }

  /** The next look at the interval is where the slope would be zero if it were linear. */
  private aimBySlopes(i: number): void {
    const j = this.next[i]!;
    const fall = -this.slope(i);
    const t = Math.max(0.01, Math.min(0.99, fall / (fall + this.slope(j))));
    const x = this.vx[i]! + t * (this.vx[j]! - this.vx[i]!);
    const y = this.vy[i]! + t * (this.vy[j]! - this.vy[i]!);
    const length = Math.sqrt(x * x + y * y);
    this.boundX[i] = x / length;
    this.boundY[i] = y / length;
  }

  /** Sets the direction of the least extent on the circle. */
  private pointToBest(): void {
    const { axis, across, beside, sine, direction } = this;
    const s = this.cosine * this.bestX;
    const t = this.cosine * this.bestY;
    direction.x = sine * axis.x + s * across.x + t * beside.x;
    direction.y = sine * axis.y + s * across.y + t * beside.y;
    direction.z = sine * axis.z + s * across.z + t * beside.z;
  }

  /**
   * What the round body extends by on the whole circle. A cylinder and a cone extend by the same everywhere; an ellipsoid
   * whose radii across the axis differ by h(v) = √(P + Q cos 2v), of which as much can be taken away as h + h'' is at
   * least, (P - |Q|) / √(P + |Q|), so that what is left is that of a convex set still.
   */
  private setCommon(): void {
    const { type, data } = this.owner!;
    const { sine, cosine, scale } = this;
    if (type === CYLINDER) this.common = scale * (cosine * data[1]! + Math.abs(sine) * data[0]!);
    else if (type === CONE) {
      const up = (this.first ? sine : -sine) * data[0]!;
      this.common = scale * Math.max(up, cosine * data[1]! - up);
    } else {
      const up = sine * this.along;
      const less = cosine * Math.min(this.wide, this.deep);
      const more = cosine * Math.max(this.wide, this.deep);
      const longest = Math.sqrt(up * up + more * more);
      this.common = longest > 0 ? (up * up + less * less) / longest : 0;
    }
  }

  /** Takes a cut. */
  private cut(): void {
    const i = this.count++;
    const { cutX: vx, cutY: vy } = this;
    const { axis, across, beside, sine, cosine, scale, toOther, onOther } = this;
    const other = this.other!;
    const frame = this.frame!;
    const s = cosine * vx;
    const t = cosine * vy;
    toOther.x = sine * axis.x + s * across.x + t * beside.x;
    toOther.y = sine * axis.y + s * across.y + t * beside.y;
    toOther.z = sine * axis.z + s * across.z + t * beside.z;
    // The first minus the second, but for the round body itself.
    let px: number;
    let py: number;
    let pz: number;
    if (this.first) {
      toOther.x = -toOther.x;
      toOther.y = -toOther.y;
      toOther.z = -toOther.z;
      directionToSecond(frame, toOther, toOther);
      supportCore(other, toOther, -1, onOther);
      toFirst(frame, onOther, onOther);
      px = -onOther.x;
      py = -onOther.y;
      pz = -onOther.z;
    } else {
      supportCore(other, toOther, -1, onOther);
      px = onOther.x - frame.tx;
      py = onOther.y - frame.ty;
      pz = onOther.z - frame.tz;
    }
    let k = this.common + scale * sine * (px * axis.x + py * axis.y + pz * axis.z);
    let x = scale * cosine * (px * across.x + py * across.y + pz * across.z);
    let y = scale * cosine * (px * beside.x + py * beside.y + pz * beside.z);
    const { type } = this.owner!;
    if (type === ELLIPSOID || type === PEELED) {
      const up = sine * this.along;
      const a = this.wide * s;
      const b = this.deep * t;
      const h = Math.sqrt(up * up + a * a + b * b);
      // The rest of the ellipsoid, as the cut through the support point of a plane set: h along v and h' across.
      const rest = h - this.common;
      const slope = h > 0 ? ((this.deep * this.deep - this.wide * this.wide) * s * t) / h : 0;
      x += rest * vx - slope * vy;
      y += rest * vy + slope * vx;
      if (type === PEELED) k -= scale * this.owner!.data[3]!;
    }
    this.vx[i] = vx;
    this.vy[i] = vy;
    this.k[i] = k;
    this.x[i] = x;
    this.y[i] = y;
    this.extent[i] = k + x * vx + y * vy;
  }

  /** The lower bound between a cut and the next one, and where: at the angle where the two meet, or before. */
  private boundAfter(i: number): void {
    const j = this.next[i]!;
    const { vx, vy, k, x, y, bound, boundX, boundY } = this;
    const ax = vx[i]!;
    const ay = vy[i]!;
    const bx = vx[j]!;
    const by = vy[j]!;
    const dk = k[i]! - k[j]!;
    const dx = x[i]! - x[j]!;
    const dy = y[i]! - y[j]!;
    // The first cut is the larger one at its own angle, the second at its own. Where do they meet? Regula falsi.
    let left = 0;
    let right = 1;
    let fLeft = Math.max(0, dk + dx * ax + dy * ay);
    let fRight = Math.min(0, dk + dx * bx + dy * by);
    let mx = ax;
    let my = ay;
    for (let step = 0; step < 5; step++) {
      const t = fLeft - fRight > 0 ? left + (right - left) * (fLeft / (fLeft - fRight)) : 0.5;
      const qx = ax + t * (bx - ax);
      const qy = ay + t * (by - ay);
      const q = 1 / Math.sqrt(qx * qx + qy * qy);
      mx = q * qx;
      my = q * qy;
      const f = dk + dx * mx + dy * my;
      if (Math.abs(f) < 1e-16) break;
      if (f > 0) {
        left = t;
        fLeft = f;
        fRight *= 0.5;
      } else {
        right = t;
        fRight = f;
        fLeft *= 0.5;
      }
    }
    bound[i] = Math.min(k[i]! + x[i]! * mx + y[i]! * my, k[j]! + x[j]! * mx + y[j]! * my);
    boundX[i] = mx;
    boundY[i] = my;
    this.meetX = mx;
    this.meetY = my;
    this.lowerBy(i, i);
    this.lowerBy(i, j);
  }

  /** Lowers the bound of interval i if the cut at one of its ends has its least value between there and where they meet. */
  private lowerBy(i: number, c: number): void {
    const { vx, vy, meetX, meetY } = this;
    const ax = c === i ? vx[c]! : meetX;
    const ay = c === i ? vy[c]! : meetY;
    const bx = c === i ? meetX : vx[c]!;
    const by = c === i ? meetY : vy[c]!;
    const x = this.x[c]!;
    const y = this.y[c]!;
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0) || !(ay * x - ax * y >= 0 && y * bx - x * by >= 0)) return;
    const least = this.k[c]! - length;
    if (!(least < this.bound[i]!)) return;
    this.bound[i] = least;
    this.boundX[i] = -x / length;
    this.boundY[i] = -y / length;
  }
}
