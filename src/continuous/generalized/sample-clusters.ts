/** Samples that stand together, in balls: what no ball meets, none of its samples does. */
import type { ReadonlyVec3 } from '../../math/types.ts';

/** As many samples in a ball, at most. */
const MOST = 16;

/** Balls about consecutive samples. */
export interface SampleClusters {
  /** The samples, those of a ball next to each other. */
  readonly points: Float64Array;
  /** Where each ball begins in `points`, and at last where they end: in samples. */
  readonly start: Uint32Array;
  /** Centre and radius of each ball. */
  readonly balls: Float64Array;
}

const known = /* @__PURE__ */ new WeakMap<object, SampleClusters>();

/** Kept with the list, which must not change. O(n log n) the first time. */
export function clustersOf(samples: ArrayLike<number>): SampleClusters {
  let clusters = known.get(samples);
  if (clusters === undefined) {
    clusters = makeClusters(samples);
    known.set(samples, clusters);
  }
  return clusters;
}

/** Halves the list across its longest side until few are left. */
function makeClusters(samples: ArrayLike<number>): SampleClusters {
  const points = new Float64Array(3 * Math.floor(samples.length / 3));
  const start: number[] = [];
  const balls: number[] = [];
  let end = 0;
  const order = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  const stack = [0, order.length];
  while (stack.length > 0) {
    const to = stack.pop()!;
    const from = stack.pop()!;
    const part = order.subarray(from, to);
    const axis = longestAxis(samples, part);
    if (part.length > MOST) {
      part.sort((i, k) => samples[3 * i + axis]! - samples[3 * k + axis]!);
      const middle = (from + to) >> 1;
      stack.push(middle, to, from, middle);
      continue;
    }
    if (part.length === 0) continue;
    start.push(end);
    for (const i of part) {
      for (let k = 0; k < 3; k++) points[3 * end + k] = samples[3 * i + k]!;
      end++;
    }
    balls.push(...ballAround(samples, part));
  }
  start.push(end);
  return { points, start: Uint32Array.from(start), balls: Float64Array.from(balls) };
}

const box = new Float64Array(6);

/** Fills `box` with the least and the largest coordinates. */
function longestAxis(samples: ArrayLike<number>, part: Uint32Array): 0 | 1 | 2 {
  box.fill(Infinity, 0, 3);
  box.fill(-Infinity, 3, 6);
  for (const i of part)
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k]!, samples[3 * i + k]!);
      box[k + 3] = Math.max(box[k + 3]!, samples[3 * i + k]!);
    }
  const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/** About the middle of `box`. */
function ballAround(
  samples: ArrayLike<number>,
  part: Uint32Array,
): readonly [number, number, number, number] {
  const middle = [0, 1, 2].map((k) => (box[k]! + box[k + 3]!) / 2);
  let most = 0;
  for (const i of part) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const d = samples[3 * i + k]! - middle[k]!;
      square += d * d;
    }
    most = Math.max(most, square);
  }
  return [middle[0]!, middle[1]!, middle[2]!, Math.sqrt(most) * ROUNDED_UP];
}

const ROUNDED_UP = 1 + 1e-12;

/** The balls, those that are farthest along a direction first: they are likely to meet something first. */
export function orderAlong({ balls }: SampleClusters, { x, y, z }: ReadonlyVec3): Uint32Array {
  const count = balls.length / 4;
  const heights = new Float64Array(count);
  for (let i = 0; i < count; i++)
    heights[i] = x * balls[4 * i]! + y * balls[4 * i + 1]! + z * balls[4 * i + 2]!;
  return Uint32Array.from({ length: count }, (_, i) => i).sort((i, k) => heights[k]! - heights[i]!);
}
