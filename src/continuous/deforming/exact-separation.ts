/**
 * When do two primitives first come as near to each other as a distance d, their vertices moving in straight lines? Decided in
 * whole numbers, with the differences r and the weights of `exact-contact.ts`.
 *
 * Unless they are that near at t = 0, the distance is d when they first are, and it is that of two points of three kinds:
 *
 *  - two vertices: r · r = d²;
 *  - a vertex and a point inside of an edge from r to s, e = s - r: |r × s|² = d² |e|², where r · e <= 0 <= s · e;
 *  - a vertex and a point inside of the face, or points inside of both edges: volume² = d² |n|², where no weight · n is
 *    negative, and n is not 0.
 *
 * The times are roots of polynomials of degree 2, 4 and 6; at each the conditions are signs at a root. A polynomial that is 0
 * throughout has nothing to say: were the closest point inside, it would have been inside, and as near, just before; so it
 * comes from the border, where it is of a lower kind as well.
 */
import {
  crossPolynomials,
  Differences,
  dotOf,
  EDGE_WEIGHTS,
  FACE_WEIGHTS,
  type PolynomialVector,
} from './exact-contact.ts';
import { add, multiply, type Polynomial, RealRoot, realRoots, scale, subtract } from './real-roots.ts';

/** One case of being near: `gap` is not positive and none of `limits` is negative. */
interface NearCase {
  readonly gap: Polynomial;
  readonly limits: readonly Polynomial[];
  /** What must not be 0. */
  readonly size: Polynomial | null;
}

const minus = (a: PolynomialVector, b: PolynomialVector): PolynomialVector => [
  subtract(a[0], b[0]),
  subtract(a[1], b[1]),
  subtract(a[2], b[2]),
];
const plus = (a: PolynomialVector, b: PolynomialVector): PolynomialVector => [
  add(a[0], b[0]),
  add(a[1], b[1]),
  add(a[2], b[2]),
];

function casesOf(numbers: Float64Array, isFace: boolean, distance: number): NearCase[] {
  const differences = new Differences(numbers, isFace, distance);
  const d = differences.extra;
  const dd = d * d;
  const r = differences.start.map((_, i) => differences.vector(i));
  const cases: NearCase[] = r.map((a) => ({
    gap: subtract(dotOf(a, a), dd > 0n ? [dd] : []),
    limits: [],
    size: null,
  }));
  const weights: PolynomialVector[] = [];
  for (const [i, j] of isFace ? FACE_WEIGHTS : EDGE_WEIGHTS) {
    const e = minus(r[j]!, r[i]!);
    const w = crossPolynomials(r[i]!, r[j]!);
    const size = dotOf(e, e);
    weights.push(w);
    cases.push({
      gap: subtract(dotOf(w, w), scale(size, dd)),
      limits: [scale(dotOf(r[i]!, e), -1n), dotOf(r[j]!, e)],
      size,
    });
  }
  const two = plus(weights[0]!, weights[1]!);
  const n = isFace ? plus(two, weights[2]!) : two;
  const size = dotOf(n, n);
  const volume = dotOf(crossPolynomials(r[0]!, r[1]!), r[2]!);
  cases.push({
    gap: subtract(multiply(volume, volume), scale(size, dd)),
    limits: weights.map((w) => dotOf(w, n)),
    size,
  });
  return cases;
}

function holds({ limits, size }: NearCase, at: RealRoot): boolean {
  return (size === null || at.sign(size) > 0) && limits.every((limit) => at.sign(limit) >= 0);
}

/** The first time at which they are within the distance, rounded down; NaN if they never are. */
export function exactSeparation(numbers: Float64Array, isFace: boolean, distance: number): number {
  const cases = casesOf(numbers, isFace, distance);
  const start = new RealRoot([], 0n, 0, true);
  if (cases.some((one) => start.sign(one.gap) <= 0 && holds(one, start))) return 0;
  let first = Number.NaN;
  for (const one of cases) {
    if (one.gap.length === 0) continue;
    for (const root of realRoots(one.gap)) {
      if (root.floor >= first) break;
      if (!holds(one, root)) continue;
      first = root.floor;
      break;
    }
  }
  return first;
}
