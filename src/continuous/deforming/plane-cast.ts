/**
 * When does a vertex that moves in a straight line first reach a half-space? Its height above the plane is linear in t, so two
 * signs decide it: doubles with a bound on their rounding, or whole numbers where these cannot tell.
 *
 * @internal
 */
import { toInteger, unitOf } from '../../math/big-integers.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { polynomial, realRoots } from './real-roots.ts';

/** Four products and four sums are off by less than this, relative to the sizes of the terms. */
const ROUNDING = 4 * EPS64;
/** What a time may be early by, relative to it. */
const TIME_ERROR = 5e-13;

export class PlaneCast {
  /** x, y, z of the vertex at t = 0 and at t = 1. */
  readonly numbers = new Float64Array(6);
  /** The half-space n · x <= d. */
  normal: ReadonlyVec3 = { x: 0, y: 1, z: 0 };
  d = 0.5;
  /** They touch when n · x <= d + separation. */
  separation = 0.5;
  /** The time of a hit. Never later than the exact time, and earlier by at most 1e-12 of it. */
  t = 0.5;
  /** The bound of `height`. */
  private error = 0.5;

  /** Do they touch? Sets `t` if so. */
  cast(): boolean {
    const start = this.height(0);
    const startError = this.error;
    this.t = 0;
    if (start <= -startError) return true;
    const end = this.height(3);
    const endError = this.error;
    if (start > startError) {
      if (end > endError) return false;
      const fall = start - end;
      // Also where one of them is not finite: NaN is not below.
      if (end <= -endError && startError / start + (startError + endError) / fall < TIME_ERROR / 2) {
        this.t = (start / fall) * (1 - TIME_ERROR);
        return true;
      }
    }
    return this.castExactly();
  }

  /** The height above the plane, about; sets `error`. */
  private height(i: number): number {
    const { numbers, normal, d, separation } = this;
    const x = normal.x * numbers[i]!;
    const y = normal.y * numbers[i + 1]!;
    const z = normal.z * numbers[i + 2]!;
    const height = x + y + z - d - separation;
    // Along an axis: one difference of two doubles, which has the right sign.
    const zeros = +(normal.x === 0) + +(normal.y === 0) + +(normal.z === 0);
    const isOne = separation === 0 && zeros === 2 && Math.abs(normal.x + normal.y + normal.z) === 1;
    this.error = isOne
      ? ROUNDING * Math.abs(height)
      : ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(d) + separation) + 1e-300;
    return height;
  }

  private castExactly(): boolean {
    const { numbers, normal, d, separation } = this;
    const normalUnit = Math.min(unitOf(normal.x), unitOf(normal.y), unitOf(normal.z));
    // A coordinate times the normal is in the unit of d and of the separation.
    let unit = Math.min(unitOf(d), unitOf(separation)) - normalUnit;
    for (const x of numbers) unit = Math.min(unit, unitOf(x));
    if (unit === Infinity) unit = 0;
    const whole = (x: number) => toInteger(x, unit);
    const [x, y, z] = [normal.x, normal.y, normal.z].map((n) => toInteger(n, normalUnit)) as [
      bigint,
      bigint,
      bigint,
    ];
    const base = toInteger(d, unit + normalUnit) + toInteger(separation, unit + normalUnit);
    const start = x * whole(numbers[0]!) + y * whole(numbers[1]!) + z * whole(numbers[2]!) - base;
    const end = x * whole(numbers[3]!) + y * whole(numbers[4]!) + z * whole(numbers[5]!) - base;
    if (start > 0n) {
      if (end > 0n) return false;
      this.t = realRoots(polynomial([start, end - start]))[0]!.floor;
    }
    return true;
  }
}
