/** Manifold reduction: four of many points of contact, so that little of the area of their polygon is lost. */

/** Points of a plane. */
export interface PlanePoints {
  readonly count: number;
  readonly ax: readonly number[];
  readonly ay: readonly number[];
  /** Points no farther than this from each other count as one. */
  readonly least: number;
}

/**
 * What differs by less than this share of the size (or of its square, for areas) is equal, and the first is taken:
 * otherwise rounding, or the slightest motion, would pick other points every time.
 */
const EQUAL = 1e-5;

/** The square of the distance of the two that are farthest from each other. In a record, or V8 would box it. */
const work = { farthestSq: 0 };

/**
 * Writes to `chosen` the numbers of up to four of the points and returns how many. The two that are farthest from each
 * other (or `must`, unless it is -1, and the one farthest from it), the one farthest from their line, the one that adds
 * most to the triangle. Points that add next to nothing are left out: of a line two remain.
 */
export function reduceContacts(points: PlanePoints, must: number, chosen: Int32Array): number {
  const { count } = points;
  const start = Math.max(must, 0);
  const end = must < 0 ? count : must + 1;
  work.farthestSq = 0;
  for (let i = start; i < end; i++)
    for (let j = 0; j < count; j++) work.farthestSq = Math.max(work.farthestSq, distanceSq(points, i, j));
  chosen[0] = start;
  if (!(work.farthestSq > points.least * points.least)) return 1;
  findPair: for (let i = start; i < end; i++)
    for (let j = 0; j < count; j++)
      if (distanceSq(points, i, j) >= work.farthestSq * (1 - EQUAL)) {
        chosen[0] = i;
        chosen[1] = j;
        break findPair;
      }
  if (!addLargest(points, chosen, 2)) return 2;
  return addLargest(points, chosen, 3) ? 4 : 3;
}

const distanceSq = ({ ax, ay }: PlanePoints, i: number, j: number): number => {
  const dx = ax[i]! - ax[j]!;
  const dy = ay[i]! - ay[j]!;
  return dx * dx + dy * dy;
};

/** Adds the point that makes the largest difference to the area of the first `size` chosen. */
function addLargest(points: PlanePoints, chosen: Int32Array, size: number): boolean {
  const equal = EQUAL * work.farthestSq;
  let most = equal;
  let best = -1;
  for (let i = 0; i < points.count; i++) {
    const gain =
      size === 2 ? Math.abs(doubleArea(points, chosen[0]!, chosen[1]!, i)) : gainOf(points, i, chosen);
    if (gain > most) {
      most = gain + equal;
      best = i;
    }
  }
  if (best < 0) return false;
  chosen[size] = best;
  if (size === 2 && doubleArea(points, chosen[0]!, chosen[1]!, best) < 0) {
    // Counter-clockwise, so that the gain of a fourth point has a sign.
    chosen[2] = chosen[1]!;
    chosen[1] = best;
  }
  return true;
}

/** Twice the area between point i and the triangle. */
const gainOf = (points: PlanePoints, i: number, chosen: Int32Array): number =>
  -Math.min(
    doubleArea(points, chosen[0]!, chosen[1]!, i),
    doubleArea(points, chosen[1]!, chosen[2]!, i),
    doubleArea(points, chosen[2]!, chosen[0]!, i),
  );

/** Twice the area of a triangle, negative if it runs clockwise. */
const doubleArea = ({ ax, ay }: PlanePoints, a: number, b: number, c: number): number =>
  (ax[b]! - ax[a]!) * (ay[c]! - ay[a]!) - (ax[c]! - ax[a]!) * (ay[b]! - ay[a]!);
