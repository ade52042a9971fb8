/**
 * Do two primitives touch while their vertices move in straight lines, and when first? Decided in whole numbers. Doubles are
 * whole multiples of a power of two, and so all points are polynomials in t with whole coefficients.
 *
 * **Four differences.** Both cases are about differences of points, r = r(0) + t (r(1) - r(0)):
 *
 *     vertex p, face a b c:   r0 = a - p,   r1 = b - p,   r2 = c - p
 *     edges a b and c d:      r0 = a - c,   r1 = b - c,   r2 = a - d,   r3 = b - d
 *
 * The volume det(r0, r1, r2) is a cubic in t. It is 0 exactly when all four points lie in a plane.
 *
 * **Weights.** The weights are cross products of two of them, vectors of quadratics in t:
 *
 *     vertex, face:   r1 × r2,   r2 × r0,   r0 × r1             sum: n = (b - a) × (c - a)
 *     edges:          r1 × r0,   r2 × r3;   r0 × r2,   r3 × r1  sum of each two: n = (b - a) × (d - c)
 *
 * If p = α a + β b + γ c, they are α n, β n, γ n; if a + u (b - a) = c + v (d - c), they are v n, (1 - v) n; u n, (1 - u) n. So if
 * the primitives touch, then all weights have the same sign or are 0, in every component. Conversely, let the four points be
 * in a plane, and let component k of all weights have the same sign or be 0, but not all be 0. Then n is not 0 in that
 * component (for edges, where two weights sum up to n twice: if one of the four is not 0, neither is n), the projection along
 * axis k maps the plane one to one, the quotients are coordinates in it, and the primitives touch.
 * If all components of all weights are 0, then all points are on a line. Then they touch exactly if one end is on the other
 * thing: r · s <= 0 for the two differences of one of the weights.
 *
 * **When the volume is not 0 throughout**, contacts happen at its roots only: at most three, each looked at as above.
 *
 * **When the volume is 0 throughout**, everything stays in a plane, which may turn. A first contact after t = 0 has a vertex on
 * an edge: were it inside of the face, or inside of both edges, it would have been there just before. (If the face is a
 * segment or a point at that time, it is the union of its edges.) That is 0 on the segment from r to s, the differences of a
 * weight: r × s = 0 and r · s <= 0. The candidates are the common roots of the components of r × s. If these are 0 throughout,
 * the point stays on the line of the edge and a first contact after t = 0 has r · s = 0.
 */
import { approximate, cross, minus, toInteger, unitOf } from '../../math/big-integers.ts';
import {
  add,
  gcd,
  multiply,
  type Polynomial,
  polynomial,
  RealRoot,
  realRoots,
  subtract,
} from './real-roots.ts';

type Vector = readonly [bigint, bigint, bigint];
/** A point or vector that moves: a polynomial in t for each component. */
export type PolynomialVector = readonly [Polynomial, Polynomial, Polynomial];

/** The differences of which each weight is the cross product. */
export const FACE_WEIGHTS: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 0],
  [0, 1],
];
export const EDGE_WEIGHTS: readonly (readonly [number, number])[] = [
  [1, 0],
  [2, 3],
  [0, 2],
  [3, 1],
];

/** The points of which each difference is made: the first minus the second. */
const FACE_DIFFERENCES = [1, 0, 2, 0, 3, 0];
const EDGE_DIFFERENCES = [0, 2, 1, 2, 0, 3, 1, 3];

/** What is found: a time, and how things are then. */
export class ExactContact {
  /** The first time, rounded down; NaN if there is none. */
  t = Number.NaN;
  /** About the direction of n at time t; 0 where there is none. */
  readonly normal = new Float64Array(3);
  /** If all is on one line: the number of the weight whose differences are those from the vertex to the ends of the edge. */
  edge = -1;
  /** The sign of the volume just before: on which side it came from. 0 if it always was 0, or at t = 0. */
  side = 0;
}

/** A coordinate as a whole number, for all coordinates of a query. */
class Units {
  private readonly unit: number;
  private readonly scale: number;

  constructor(least: number, largest: number) {
    this.unit = least === Infinity ? 0 : unitOf(least);
    // By one multiplication where that neither over- nor underflows.
    const isPlain = this.unit > -1000 && this.unit < 900 && largest < 1e15 && least > 1e-250;
    this.scale = isPlain ? powerOfTwo(-this.unit) : 0;
  }

  integer(x: number): bigint {
    return this.scale > 0 ? BigInt(x * this.scale) : toInteger(x, this.unit);
  }
}

function powerOfTwo(n: number): number {
  let power = 1;
  const factor = n < 0 ? 0.5 : 2;
  for (let i = Math.abs(n); i > 0; i--) power *= factor;
  return power;
}

/** The differences of the points as whole numbers: starts, then by how much they change. */
export class Differences {
  readonly start: Vector[] = [];
  readonly change: Vector[] = [];
  /** `extra` in the same unit. */
  readonly extra: bigint;

  /** `numbers`: the four points at t = 0, then at t = 1. */
  constructor(numbers: Float64Array, isFace: boolean, extra = 0) {
    let least = extra > 0 ? extra : Infinity;
    let largest = extra;
    for (let i = 0; i < 24; i++) {
      const size = Math.abs(numbers[i]!);
      if (size > largest) largest = size;
      if (size < least && size > 0) least = size;
    }
    const units = new Units(least, largest);
    const at: Vector[] = [];
    for (let i = 0; i < 24; i += 3)
      at.push([units.integer(numbers[i]!), units.integer(numbers[i + 1]!), units.integer(numbers[i + 2]!)]);
    const of = isFace ? FACE_DIFFERENCES : EDGE_DIFFERENCES;
    for (let i = 0; i < of.length; i += 2) {
      const start = minus(at[of[i]!]!, at[of[i + 1]!]!);
      this.start.push(start);
      this.change.push(minus(minus(at[4 + of[i]!]!, at[4 + of[i + 1]!]!), start));
    }
    this.extra = units.integer(extra);
  }

  /** Difference i as polynomials. */
  vector(i: number): PolynomialVector {
    const start = this.start[i]!;
    const change = this.change[i]!;
    return [
      polynomial([start[0], change[0]]),
      polynomial([start[1], change[1]]),
      polynomial([start[2], change[2]]),
    ];
  }
}

/** The cross product of two differences, by components. */
function crossOf({ start, change }: Differences, i: number, j: number): PolynomialVector {
  const p = cross(start[i]!, start[j]!);
  const q = cross(start[i]!, change[j]!);
  const r = cross(change[i]!, start[j]!);
  const s = cross(change[i]!, change[j]!);
  return [
    polynomial([p[0], q[0] + r[0], s[0]]),
    polynomial([p[1], q[1] + r[1], s[1]]),
    polynomial([p[2], q[2] + r[2], s[2]]),
  ];
}

export const dotOf = (a: PolynomialVector, b: PolynomialVector): Polynomial =>
  add(add(multiply(a[0], b[0]), multiply(a[1], b[1])), multiply(a[2], b[2]));
export const crossPolynomials = (a: PolynomialVector, b: PolynomialVector): PolynomialVector => [
  subtract(multiply(a[1], b[2]), multiply(a[2], b[1])),
  subtract(multiply(a[2], b[0]), multiply(a[0], b[2])),
  subtract(multiply(a[0], b[1]), multiply(a[1], b[0])),
];

/** The weights and what belongs to them, computed when asked for. */
export class Weights {
  readonly count: number;
  private readonly differences: Differences;
  private readonly pairs: readonly (readonly [number, number])[];
  private readonly made: (PolynomialVector | undefined)[] = [];

  constructor(differences: Differences, isFace: boolean) {
    this.differences = differences;
    this.pairs = isFace ? FACE_WEIGHTS : EDGE_WEIGHTS;
    this.count = this.pairs.length;
  }

  weight(i: number): PolynomialVector {
    const [a, b] = this.pairs[i]!;
    this.made[i] ??= crossOf(this.differences, a, b);
    return this.made[i]!;
  }

  /** r · s for the differences r and s of weight i. */
  dot(i: number): Polynomial {
    const [a, b] = this.pairs[i]!;
    return dotOf(this.differences.vector(a), this.differences.vector(b));
  }

  /** The face's or the edges' normal: the sum of all weights, or of the first two. */
  normal(axis: number): Polynomial {
    const two = add(this.weight(0)[axis]!, this.weight(1)[axis]!);
    return this.count === 3 ? add(two, this.weight(2)[axis]!) : two;
  }

  volume(): Polynomial {
    const { differences } = this;
    // det(r0, r1, r2) = (r0 × r1) · r2.
    return dotOf(crossOf(differences, 0, 1), differences.vector(2));
  }
}

/** No contact. */
const NO = -2;

/**
 * At a time when all points lie in a plane: `NO`, or the axis along which the weights can be looked at, or 3 + the number of
 * a weight whose vertex is on its edge where all is on a line.
 */
function contactAt(root: RealRoot, weights: Weights): number {
  for (let axis = 0; axis < 3; axis++) {
    let sign = 0;
    for (let i = 0; i < weights.count; i++) {
      const s = root.sign(weights.weight(i)[axis]!);
      if (s !== 0 && s === -sign) return NO;
      if (s !== 0) sign = s;
    }
    if (sign !== 0) return axis;
  }
  return lineContactAt(root, weights);
}

function lineContactAt(root: RealRoot, weights: Weights): number {
  for (let i = 0; i < weights.count; i++) if (root.sign(weights.dot(i)) <= 0) return 3 + i;
  return NO;
}

/**
 * The first contact of the primitives whose four points are at numbers[0 … 11] and then move to numbers[12 … 23].
 *
 * @returns whether there is one
 */
export function exactContact(numbers: Float64Array, isFace: boolean, out: ExactContact): boolean {
  const weights = new Weights(new Differences(numbers, isFace), isFace);
  const volume = weights.volume();
  out.t = Number.NaN;
  if (volume.length === 0) return flatContact(weights, out);
  for (const root of realRoots(volume)) {
    const found = contactAt(root, weights);
    if (found === NO) continue;
    out.side = signBefore(volume, root);
    write(root, found, weights, out);
    return true;
  }
  return false;
}

/** The sign of f just before its root; 0 before t = 0. */
function signBefore(f: Polynomial, root: RealRoot): number {
  if (root.isExact && root.m === 0n) return 0;
  let at = f;
  for (let flip = 1; at.length > 0; flip = -flip) {
    const s = root.sign(at);
    if (s !== 0) return flip * s;
    at = polynomial(at.slice(1).map((x, i) => x * BigInt(i + 1)));
  }
  return 0;
}

/** Where all points stay in a plane. */
function flatContact(weights: Weights, out: ExactContact): boolean {
  out.side = 0;
  const start = new RealRoot([], 0n, 0, true);
  const atStart = contactAt(start, weights);
  if (atStart !== NO) {
    write(start, atStart, weights, out);
    return true;
  }
  let first: RealRoot | null = null;
  let edge = -1;
  for (let i = 0; i < weights.count; i++) {
    const [x, y, z] = weights.weight(i);
    const dot = weights.dot(i);
    const onLine = gcd(gcd(x, y), z);
    const candidates = onLine.length > 0 ? onLine : dot;
    if (candidates.length === 0) continue; // 0 throughout: there would be a contact at the start
    for (const root of realRoots(candidates)) {
      if (first !== null && root.floor >= first.floor) break;
      if (root.sign(dot) > 0) continue;
      first = root;
      edge = i;
      break;
    }
  }
  if (first === null) return false;
  write(first, 3 + edge, weights, out);
  return true;
}

function write(root: RealRoot, found: number, weights: Weights, out: ExactContact): void {
  const { m, k } = root;
  out.t = root.floor;
  out.edge = found >= 3 ? found - 3 : -1;
  approximate(
    [0, 1, 2].map((axis) => valueAt(weights.normal(axis), m, k)),
    out.normal,
  );
}

/** 4^k times the value of a quadratic at m / 2^k. */
function valueAt(p: Polynomial, m: bigint, k: number): bigint {
  const step = BigInt(k);
  return ((p[0] ?? 0n) << (2n * step)) + (((p[1] ?? 0n) * m) << step) + (p[2] ?? 0n) * m * m;
}
