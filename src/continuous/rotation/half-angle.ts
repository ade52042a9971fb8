/**
 * Functions A cos α + B sin α + C of the angle of a rotation: the height of a rotating point over a plane, the Plücker
 * product of a rotating line with another. With r = tan(α/2) they are quadratics over 1 + r², and r grows with α, so the
 * first of several times is found without an arctangent. van Waveren 2005, §2.4.
 *
 * Inside the search a function is written as f + b sin α - a (1 - cos α), from its value f at the angle 0, which is a
 * difference of near things and so has no part as large as the distance of the axis:
 * (1 + r²) × that = f + 2 b r + (f - 2 a) r².
 */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';

/**
 * The first r > 0 at which f + b sin α - a (1 - cos α), with f > 0, has come down to zero, for α up to π; Infinity if it
 * never does (or only at the half turn). Stable: no sum in it cancels.
 *
 * @internal
 */
export function firstZero(f: number, b: number, a: number): number {
  const q = f - 2 * a;
  const d = b * b - q * f;
  if (b < 0) return d < 0 ? Infinity : f / (Math.sqrt(d) - b);
  return q < 0 ? (b + Math.sqrt(d)) / -q : Infinity;
}

/** c0 + c1 r + c2 r², over 1 + r². @internal */
export class HalfAngleFunction {
  c0 = 0.5;
  c1 = 0.5;
  c2 = 0.5;
}

/**
 * Where b sin α - a (1 - cos α), which rises at first (b > 0), is highest.
 *
 * @internal
 */
export function firstTop(b: number, a: number): number {
  const size = Math.sqrt(a * a + b * b);
  return a > 0 ? b / (size + a) : (size - a) / b;
}

/**
 * The half-angle tangent after rotating on by another angle: of the sum; Infinity from π on. Not for negative ones.
 *
 * @internal
 */
export function addHalfAngles(r: number, s: number): number {
  const d = 1 - r * s;
  return d > 0 ? (r + s) / d : Infinity;
}

// ---- Quartics ---------------------------------------------------------------------------------------------------

/** Pieces that wait: where each starts, how long it is, its coefficients. */
const waiting = new Float64Array(7 * 64);

/** Where the line from (at, p) to (at + step, q), with q <= 0, crosses zero; 2 if p is not positive. */
const crossing = (at: number, p: number, step: number, q: number): number =>
  p > 0 ? at + (step * p) / (p - q) : 2;

/**
 * How far c0 + c1 r + … + c4 r⁴ (in `coefficients`) is positive for sure from r = 0 on, up to `end`; Infinity if all the
 * way. Never beyond the first root, and right below it to within 2⁻⁴⁸ of `end`. A polynomial lies in the hull of its
 * Bernstein coefficients, so before the point where that hull first meets zero there is no root. Below the rounding of
 * what the coefficients are made of (the sums of magnitudes in `parts`) nothing is taken for positive.
 *
 * @internal
 */
export function firstQuarticZero(coefficients: Float64Array, parts: Float64Array, end: number): number {
  const tiny = end * (32 * UNIT_ROUNDING);
  const d1 = coefficients[1]! * end;
  const d2 = coefficients[2]! * end * end;
  const d3 = coefficients[3]! * end * end * end;
  const d4 = coefficients[4]! * end * end * end * end;
  const size = parts[0]! + end * (parts[1]! + end * (parts[2]! + end * (parts[3]! + end * parts[4]!)));
  let p0 = coefficients[0]! - size * (16 * UNIT_ROUNDING);
  let p1 = p0 + d1 / 4;
  let p2 = p0 + d1 / 2 + d2 / 6;
  let p3 = p0 + 0.75 * d1 + d2 / 2 + d3 / 4;
  let p4 = p0 + d1 + d2 + d3 + d4;
  let start = 0;
  let length = end;
  let top = 0;
  let halved = false;
  for (;;) {
    if (!(p0 > 0)) return start;
    let clip = 2;
    if (p1 <= 0) clip = (0.25 * p0) / (p0 - p1);
    if (p2 <= 0) clip = Math.min(clip, (0.5 * p0) / (p0 - p2), crossing(0.25, p1, 0.25, p2));
    if (p3 <= 0)
      clip = Math.min(
        clip,
        (0.75 * p0) / (p0 - p3),
        crossing(0.25, p1, 0.5, p3),
        crossing(0.5, p2, 0.25, p3),
      );
    if (p4 <= 0) {
      clip = Math.min(clip, p0 / (p0 - p4), crossing(0.25, p1, 0.75, p4));
      clip = Math.min(clip, crossing(0.5, p2, 0.5, p4), crossing(0.75, p3, 0.25, p4));
    }
    if (clip > 1) {
      if (top === 0) return Infinity;
      top--;
      start = waiting[7 * top]!;
      length = waiting[7 * top + 1]!;
      p0 = waiting[7 * top + 2]!;
      p1 = waiting[7 * top + 3]!;
      p2 = waiting[7 * top + 4]!;
      p3 = waiting[7 * top + 5]!;
      p4 = waiting[7 * top + 6]!;
      continue;
    }
    const step = clip * length;
    if (step <= tiny && (length <= 4 * tiny || p4 <= 0)) return start;
    if (length <= tiny) return start;
    // Where clipping gains little, halve (the right half waits), and clip again next time.
    const halve: boolean = clip < 0.25 && !halved && top < 64;
    halved = halve;
    const u = halve ? 0.5 : clip;
    const v = 1 - u;
    const q01 = v * p0 + u * p1;
    const q12 = v * p1 + u * p2;
    const q23 = v * p2 + u * p3;
    const q34 = v * p3 + u * p4;
    const q012 = v * q01 + u * q12;
    const q123 = v * q12 + u * q23;
    const q234 = v * q23 + u * q34;
    const q0123 = v * q012 + u * q123;
    const q1234 = v * q123 + u * q234;
    const middle = v * q0123 + u * q1234;
    if (halve) {
      waiting[7 * top] = start + u * length;
      waiting[7 * top + 1] = length - u * length;
      waiting[7 * top + 2] = middle;
      waiting[7 * top + 3] = q1234;
      waiting[7 * top + 4] = q234;
      waiting[7 * top + 5] = q34;
      waiting[7 * top + 6] = p4;
      top++;
      length *= u;
      p1 = q01;
      p2 = q012;
      p3 = q0123;
      p4 = middle;
    } else {
      start += u * length;
      length -= u * length;
      p0 = middle;
      p1 = q1234;
      p2 = q234;
      p3 = q34;
    }
  }
}
