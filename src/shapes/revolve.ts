/** Moments of rounded cylinders and cones: solids of revolution about the y axis. */
import { atan2, sincos } from '../math/trig.ts';
import { vec3 } from '../math/types.ts';
import { type Moments, makeMoments } from './moments.ts';

/** Nodes in [-1, 1] and weights of Gauss's rule of five points, exact for polynomials up to degree 9. */
const INNER = Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 3;
const OUTER = Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 3;
const NODES = [-OUTER, -INNER, 0, INNER, OUTER];
const INNER_WEIGHT = (322 + 13 * Math.sqrt(70)) / 900;
const OUTER_WEIGHT = (322 - 13 * Math.sqrt(70)) / 900;
const WEIGHTS = [OUTER_WEIGHT, INNER_WEIGHT, 128 / 225, INNER_WEIGHT, OUTER_WEIGHT];

const QUARTER = Math.PI / 2;
/** Pieces of an arc: of 16, each is so short that the rule is right to the last digits. */
const PIECES = 16;

/** The integrals over the height y of 1, y and y² times the cross section, and of the spread across. */
interface Sums {
  volume: number;
  y: number;
  yy: number;
  across: number;
}

/**
 * All points within r of the segment, rotated about the y axis, from (`top`, halfHeight) down to (`base`, -halfHeight)
 * in distance from the axis and height, and what it encloses. With top = base a cylinder, with top = 0 a cone; with
 * both 0, a capsule. The outline is an arc, a line at a right angle to its end, and another arc.
 *
 * @internal
 */
export function revolvedMoments(halfHeight: number, top: number, base: number, r: number): Moments {
  const sums: Sums = { volume: 0, y: 0, yy: 0, across: 0 };
  // The direction of the normal of the line, from level (0) to straight up.
  const tilt = atan2(base - top, 2 * halfHeight);
  const normal = sincos(tilt);
  addArc(sums, top, halfHeight, r, tilt, QUARTER);
  addLine(
    sums,
    base + r * normal.cos,
    -halfHeight + r * normal.sin,
    top + r * normal.cos,
    halfHeight + r * normal.sin,
  );
  addArc(sums, base, -halfHeight, r, -QUARTER, tilt);
  const { volume, y, yy, across } = sums;
  const height = volume > 0 ? y / volume : 0;
  return makeMoments(volume, vec3(0, height, 0), across, yy - y * height, across);
}

function add(sums: Sums, radius: number, y: number, dy: number): void {
  const area = Math.PI * radius * radius;
  sums.volume += area * dy;
  sums.y += area * y * dy;
  sums.yy += area * y * y * dy;
  sums.across += 0.25 * area * radius * radius * dy;
}

/** Below an arc about (radius, y), from one angle up to another. */
function addArc(sums: Sums, radius: number, y: number, r: number, from: number, to: number): void {
  const half = (to - from) / (2 * PIECES);
  for (let piece = 0; piece < PIECES; piece++)
    for (let k = 0; k < 5; k++) {
      const { sin, cos } = sincos(from + half * (2 * piece + 1 + NODES[k]!));
      add(sums, radius + r * cos, y + r * sin, WEIGHTS[k]! * half * r * cos);
    }
}

/** Below a line, from its lower end up to the other: polynomials of degree 4, so the rule is exact. */
function addLine(sums: Sums, radius0: number, y0: number, radius1: number, y1: number): void {
  for (let k = 0; k < 5; k++) {
    const t = 0.5 + 0.5 * NODES[k]!;
    add(sums, radius0 + t * (radius1 - radius0), y0 + t * (y1 - y0), 0.5 * WEIGHTS[k]! * (y1 - y0));
  }
}
